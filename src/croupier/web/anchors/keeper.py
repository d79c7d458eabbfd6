"""The keeper of the anchors: makes them, has them signed, and sends them, all by itself, while this server leads.

An anchor is made when a gaming day is closed, when a checkpoint is asked for, every so many minutes in which something
was entered, and when the server stops. It is kept first (`outbox`), and sent then, to each destination by a thread of
its own, in order, until it has arrived. A destination that fails, or a signature that does not come, is told in the
log, in the figures and on the console after a time; it never keeps anybody from playing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

from croupier.errors import CroupierError, Refusal
from croupier.floor.act import EntryKind
from croupier.floor.floor import Floor
from croupier.floor.refusals import No
from croupier.floor.site.notes import ITSELF, NoteKey
from croupier.ledger.anchor import Anchor, Books, site_id
from croupier.ledger.checkpoint import fingerprint, is_signature, new_key, public_hex
from croupier.ledger.entry import SITE, Entry
from croupier.store.store import Store
from croupier.web.anchors.destinations import Destination, read_destination
from croupier.web.anchors.outbox import Delivery, Kept, Outbox
from croupier.web.anchors.signer import KeyFile, NotSigned, Signer, signer_of
from croupier.web.logs import log
from croupier.web.settings import Settings

LOOK_EVERY_S = 1.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 300.0
"""Between two tries of one destination; it doubles with each that fails."""
STOP_S = 5.0
"""How long a server that stops waits for its last anchor to arrive."""
DAY_ENDS = frozenset({EntryKind.CLOSE_DAY})
ASKED = frozenset({EntryKind.KEEP_CHECKPOINT})


def utc() -> datetime:
    """Without a zone, as it is kept."""
    return datetime.now(UTC).replace(tzinfo=None)


@dataclass
class _Way:
    """One destination, and how it went there last."""

    destination: Destination
    due: Event = field(default_factory=Event)
    error: str = ""
    failed: int = 0
    """Tries in a row."""
    failing_since: datetime | None = None
    thread: Thread | None = None


class Keeper:
    """All about the anchors of one server. Nothing of it raises into the work of the floor."""

    def __init__(self, settings: Settings, leading: Callable[[], Floor | None]) -> None:
        self._settings, self._leading = settings, leading
        self._ways = [_Way(read_destination(text)) for text in settings.anchor_to]
        labels = [way.destination.label for way in self._ways]
        for label in {label for label in labels if labels.count(label) > 1}:
            raise CroupierError(f"{label} is named twice as a place for anchors.")
        self._every_s, self._alarm_s = settings.anchor_every_s, settings.anchor_alarm_s
        self.path: Path = settings.signing_path()
        self.signer: Signer | None = None
        if self.path.is_file():
            self.signer = signer_of(self.path, settings.signer)
        elif settings.signer:
            raise CroupierError(
                "{signer} signs elsewhere: name the public key that it signs for with {signing_key} FILE.pub.",
                fields=["signer", "signing_key"],
            )
        self.new_key = ""
        """The public key, where it was made by this start: it is told once, to be kept elsewhere."""
        self.trouble = ""
        """Why no anchor can be made just now."""
        self._unsigned = ""
        """Why one has been waiting for its signature for too long."""
        self._sign_failed, self._sign_at = 0, 0.0
        """How often signing failed in a row, and when it is tried again."""
        self._lock, self._closing, self._due = RLock(), Event(), Event()
        self._wanted: deque[tuple[str, str]] = deque()
        """Why and of which day an anchor is to be made, told by the site's writer, who never waits here."""
        self.alarms: dict[str, str] = {}
        """By destination, `making` or `signing`: what has gone on for too long. It is said, and stops nobody."""
        self._compared: Floor | None = None
        """The floor whose books were held against the last anchor since this server leads."""
        self.outbox = Outbox(settings.db)
        for way in self._ways:
            self.outbox.begin(way.destination.label, from_the_first=way.destination.from_the_first)
            if way.destination.warning:
                tell = log.info if settings.anchors_stay else log.warning
                tell("anchor-not-outside", sentence=way.destination.warning)
        self._thread: Thread | None = None

    # Beginning and ending

    def lead(self, floor: Floor) -> None:
        """This server leads from now on: it has a key, or says why not, and goes on with what waits."""
        if self.signer is None:
            self._find_key(floor)
            self._tell()
        if self._thread is None:
            self._thread = Thread(target=self._run, name="anchors", daemon=True)
            self._thread.start()
            for way in self._ways:
                way.thread = Thread(target=self._send, args=(way,), name=way.destination.label, daemon=True)
                way.thread.start()
        closed = max(floor.site.days.closed.items(), key=lambda item: item[1], default=("", 0))
        last = self.outbox.last()
        if last is not None and closed[1] > last.anchor.books[SITE][0]:
            self._want("day", closed[0])  # the server ended between the close and its anchor

    def _find_key(self, floor: Floor) -> None:
        """The key that another server of the site has made meanwhile, or a new one where none is on record."""
        on_record = floor.site.signs_with
        try:
            if not self.path.is_file():
                if on_record:
                    raise CroupierError(
                        f"The key {fingerprint(on_record)}, with which the site signs, is not at {self.path}: copy it "
                        "there, or start the server with another key."
                    )
                self.new_key = public_hex(new_key(self.path).public_key())
            self.signer, self.trouble = signer_of(self.path, self._settings.signer), ""
        except CroupierError as error:
            self.trouble = str(error)

    def stop(self) -> None:
        """The last anchor of an orderly stop; it goes out now where it can, and otherwise after the next start."""
        if self._thread is not None and self._leading() is not None:
            with suppress(CroupierError):
                self._work("stop")
            end = monotonic() + STOP_S
            for way in self._ways:
                way.due.set()
            while monotonic() < end and any(not way.failed and self._waits(way) for way in self._ways):
                self._closing.wait(0.05)
        self._closing.set()
        self._due.set()
        for way in self._ways:
            way.due.set()
            if way.thread is not None:
                way.thread.join(STOP_S)
        if self._thread is not None:
            self._thread.join(STOP_S)
        self.outbox.close()

    def _waits(self, way: _Way) -> bool:
        try:
            return self.outbox.next_for(way.destination.label) is not None
        except CroupierError:
            return False

    # Making

    def heard(self, stream: str, entries: list[Entry]) -> None:
        """In the site's writer's thread: a day was closed, or somebody asked for a checkpoint."""
        if stream != SITE:
            return
        for entry in entries:
            if entry.kind in DAY_ENDS:
                self._want("day", str(entry.facts["day"]))
            elif entry.kind in ASKED:
                self._want("asked", "")

    def _want(self, why: str, day: str) -> None:
        self._wanted.append((why, day))
        self._due.set()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._due.wait(LOOK_EVERY_S)
            self._due.clear()
            if self._closing.is_set() or self._leading() is None:
                continue
            try:
                self._work()
            except CroupierError as error:
                self.trouble = str(error)
            except Exception as error:  # an error of ours must not end the anchors for good
                self.trouble = "An anchor could not be made: the log says why."
                log.error("anchors-failed", exc_info=error)
            self._tell()

    def _work(self, why: str = "") -> None:
        """Note the key, make what is due, sign what waits."""
        floor = self._leading()
        if floor is None or self.signer is None or not floor.site.book.entries:
            return
        self._note_key(floor, self.signer)
        if "clock" in floor.troubles:  # no anchor under a time that no act is taken under
            return
        with self._lock:
            while self._wanted:
                self.make(*self._wanted[0])
                self._wanted.popleft()
        last = self.outbox.last()
        # At once, not when the next one is due.
        if last and self._compared is not floor and (differs := _differs(floor.reading, last.anchor)):
            raise CroupierError(f"No anchor is made: {differs} {_ON_PURPOSE}")
        self._compared = floor
        if why or last is None or self._is_old(last):
            self.make(why or "interval", unless_same=True)
        self.trouble = ""
        self._sign_waiting(self.signer)

    def _is_old(self, last: Kept) -> bool:
        return bool(self._every_s) and utc() - last.made >= timedelta(seconds=self._every_s)

    def _note_key(self, floor: Floor, signer: Signer) -> None:
        if floor.site.signs_with != signer.public:
            number = floor.site.book.entries + 1
            try:
                floor.do_site(NoteKey(id=f"key {signer.public[:16]} {number}", by=ITSELF, key=signer.public))
            except Refusal as refused:
                if refused.code != No.SAME_KEY:  # else it was noted meanwhile
                    raise

    def make(self, why: str, day: str = "", *, unless_same: bool = False) -> Kept | None:
        """An anchor over all books as they stand at this moment; none where it would say what the last one says."""
        with self._lock:
            floor, signer = self._leading(), self.signer
            if floor is None or signer is None:
                raise CroupierError(self.trouble or "This server does not write the books just now.")
            last, books = self.outbox.last(), books_of(floor.reading)
            if last is not None and unless_same and last.anchor.books == books:
                return None
            series, number = (last.anchor.series, last.anchor.number + 1) if last else (self.outbox.series(), 1)
            first = next(iter(floor.reading.rows(SITE, limit=1))).digest
            anchor = Anchor(site_id(first), series, number, floor.now(), why, day, books)
            if last is not None and (back := anchor.goes_back(last.anchor) or _differs(floor.reading, last.anchor)):
                raise CroupierError(f"No anchor is made: {back} {_ON_PURPOSE}")
            signature = signer.sign(anchor.text()) if isinstance(signer, KeyFile) else ""
            kept = Kept(anchor, signer.public, signature, utc())
            if not self.outbox.add(anchor, kept.key, signature, kept.made):
                raise CroupierError("Another server has just made an anchor.")
        for way in self._ways:
            way.due.set()
        return kept

    # Signing

    def _sign_waiting(self, signer: Signer) -> None:
        """In order, by a signer that may take its time: only the keeper's own thread waits for it."""
        if monotonic() < self._sign_at:
            return
        for kept in self.outbox.unsigned():
            if not self._is_of_the_books(kept.anchor):
                self._unsigned = _not_of_the_books(kept.anchor)
                return
            try:
                self.give(kept, signer.sign(kept.anchor.text()))
            except NotSigned as error:
                if (utc() - kept.made).total_seconds() >= self._alarm_s:
                    self._unsigned = f"Anchor {kept.anchor.number:,} is not signed. {error}"
                self._sign_at = monotonic() + _pause(self._sign_failed)
                self._sign_failed += 1
                return
        self._unsigned, self._sign_failed = "", 0

    def _is_of_the_books(self, anchor: Anchor) -> bool:
        """Whether the books have every entry that an anchor names, and it continues the series before it."""
        floor, before = self._leading(), next(self.outbox.all(anchor.number - 2, 1), None)
        if floor is None:
            return False
        earlier = before.anchor if before is not None and before.anchor.number < anchor.number else anchor
        if earlier.series != anchor.series or anchor.goes_back(earlier):
            return False
        return not _differs(floor.reading, anchor)

    def give(self, kept: Kept, signature: str) -> None:
        """Take a signature for an anchor that has none."""
        if self.signer is None or not is_signature(self.signer.public, kept.anchor.text(), signature):
            raise NotSigned(f"This is no signature of anchor {kept.anchor.number:,} by the site's key.")
        if not self._is_of_the_books(kept.anchor):
            raise NotSigned(_not_of_the_books(kept.anchor))
        self.outbox.sign(kept.anchor.number, self.signer.public, signature.lower())
        for way in self._ways:
            way.due.set()

    # Sending

    def _send(self, way: _Way) -> None:
        """One destination, until the server stops."""
        while not self._closing.is_set():
            if way.failed:
                self._closing.wait(_pause(way.failed - 1))
            else:
                way.due.wait(LOOK_EVERY_S)
            way.due.clear()
            while not self._closing.is_set() and self._leading() is not None and self._send_next(way):
                pass

    def _send_next(self, way: _Way) -> bool:
        """Whether there may be another."""
        label = way.destination.label
        try:
            signed = self.outbox.next_for(label)
            if signed is None:
                way.error, way.failed, way.failing_since = "", 0, None
                return False
            receipt = way.destination.send(signed)
            self.outbox.sent(label, signed.anchor.number, receipt, utc())
        except CroupierError as error:
            self._failed(way, str(error))
            return False
        except Exception as error:  # an error of ours, or of a library: told by its kind, and tried again
            log.error("anchor-not-sent", destination=label, exc_info=error)
            self._failed(way, f"An error of the program ({type(error).__name__}): the log has its place.")
            return False
        way.error, way.failed, way.failing_since = "", 0, None
        return True

    def _failed(self, way: _Way, sentence: str) -> None:
        if not way.failed:
            log.warning("anchor-not-sent", destination=way.destination.label, sentence=sentence)
        way.failed, way.error = way.failed + 1, sentence
        way.failing_since = way.failing_since or utc()

    # Telling

    def status(self) -> list[dict[str, Any]]:
        """Each destination: what arrived last, what waits, and what went wrong last."""
        ways = []
        for way in self._ways:
            delivery = self.outbox.delivery(way.destination.label)
            strange = _strange(delivery.strange) if delivery.strange else ""
            ways.append(
                {
                    **{"destination": way.destination.label, "kind": way.destination.kind},
                    **{"last": delivery.last or None, "last_at": _told(delivery.at), "waiting": delivery.waiting},
                    **{"waits_since": _told(delivery.oldest), "error": strange or way.error, "tries": way.failed},
                    **{"alarm": self._alarm(delivery), "warning": way.destination.warning},
                }
            )
        return ways

    def _alarm(self, delivery: Delivery) -> bool:
        if delivery.strange or not delivery.waiting or delivery.oldest is None:
            return bool(delivery.strange)
        return (utc() - delivery.oldest).total_seconds() >= self._alarm_s

    def _found_alarms(self) -> dict[str, str]:
        troubles = {"making": self.trouble, "signing": self._unsigned}
        alarms = {name: sentence for name, sentence in troubles.items() if sentence}
        try:
            for way in self.status():
                if way["alarm"]:
                    waits = f"{way['waiting']:,} anchors wait since {way['waits_since']}. " if way["waiting"] else ""
                    alarms[way["destination"]] = f"{waits}{way['error']}".strip()
        except CroupierError as error:
            alarms["outbox"] = str(error)
        return alarms

    def _tell(self) -> None:
        """In the log, as often as it changes."""
        alarms = self._found_alarms()
        if alarms.keys() != self.alarms.keys():
            if alarms:
                log.warning("anchors-in-the-house", alarms=alarms)
            else:
                log.info("anchors-outside")
        self.alarms = alarms


def books_of(store: Store) -> Books:
    """Where every book stands, all at one moment."""
    ends = {stream: number for stream, number in store.ends().items() if number}
    rows = {stream: next(iter(store.rows(stream, after=number - 1, limit=1))) for stream, number in ends.items()}
    return {stream: (number, rows[stream].digest) for stream, number in sorted(ends.items())}


_ON_PURPOSE = "To go on from these books on purpose, put the anchors that are kept beside them aside."
"""Another series begins then."""


def _differs(store: Store, anchor: Anchor) -> str:
    """Which book has not what an anchor says of it, in a sentence; nothing where all have, however long they are."""
    for stream, (number, digest) in anchor.books.items():
        if digest not in [row.digest for row in store.rows(stream, after=number - 1, limit=1)]:
            return (
                f"{stream} has no entry {number:,} with the digest {digest[:16]}, as anchor {anchor.number:,} says: "
                "the book was cut or is another."
            )
    return ""


def _pause(failed: int) -> float:
    """After so many failures in a row before the last."""
    return min(FIRST_PAUSE_S * 2.0 ** min(failed, 30), LONGEST_PAUSE_S)


def _told(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") + "Z" if at else None


def _strange(number: int) -> str:
    return (
        f"Anchor {number:,} is said to have arrived, and those before it have not, or it was never made: that was "
        "written behind the server's back, and is not believed."
    )


def _not_of_the_books(anchor: Anchor) -> str:
    return (
        f"Anchor {anchor.number:,} waits for its signature, and the books never stood so: it was written behind the "
        "server's back, and is not signed."
    )
