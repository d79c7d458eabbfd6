"""The floor of one site, running: its books open in a store, one writer each, and the house's rules between them.

    floor = Floor(lambda: open_store("sqlite:///floor.db"), key)
    person = floor.identify(CardToken("..."))
    entry = floor.do(StartGame(id="7f3a", by=person.signed, table=1, lit=(1, 4), based=(1, 2, 4)), link="main")

Acts of a game go straight to their link's writer. Whatever touches several books at once (a link made, opened, retired,
everything of the site) is done one at a time, so that what it was checked against still holds when it is written. Books
are read through before that, while others go on.
A short bank stops the links by itself, at the next act that moves a prize or within `bank_every_s`, and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event, RLock, Thread
from typing import Any, Self, TypeVar

from croupier.compliance.authority import CardToken, Denied, Role, SiteKey, denied
from croupier.errors import CroupierError, RecordError, Refusal
from croupier.floor.act import EntryKind
from croupier.floor.aggregate import NotWritten, Origin, State, readable
from croupier.floor.facts import GivePrizeFacts, facts_of
from croupier.floor.house import ITSELF, FloorLink, FloorSite, House
from croupier.floor.link import acts
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.lifecycle import FOR_COVER
from croupier.floor.link.link import Link, same_link_act
from croupier.floor.link.state import Status
from croupier.floor.people import Person
from croupier.floor.refusals import No, refusal
from croupier.floor.selfcheck import BookCheck, held_of, recheck_in_house
from croupier.floor.site import acts as site_acts
from croupier.floor.site.bank import Cover
from croupier.floor.site.custody import fund_balances, month_ends
from croupier.floor.site.custody_acts import Reconcile
from croupier.floor.site.site import Site, check_edition, recheck_site, same_site_act
from croupier.floor.writer import Condition, InDoubt, NotDone, Waiting, Watch, Writer
from croupier.ledger.clock import CheckedClock, Witnesses
from croupier.ledger.entry import SITE, Entry
from croupier.ledger.rows import STRANGE
from croupier.store.lease import Claim
from croupier.store.marks import BookBehind, Marks, check_not_behind
from croupier.store.store import Store, StoreError, StoreLost

LINK = "link:"
BANK_EVERY_S = 5.0
PROVE_TIMES = 3
"""How often a book is read before a link that does not come to rest stays closed."""
CHECK_AGAIN_S = 1.0
"""After which a book is read again that could not be read through behind the games."""
Answer = TypeVar("Answer")
Listener = Callable[[str, list[Entry]], None]
"""Told the stream and its new entries, in its writer's thread; none are named after a stream was read again."""
_GAME = frozenset(
    {
        EntryKind.START,
        EntryKind.END,
        EntryKind.ENTER,
        EntryKind.TAKE_BACK,
        EntryKind.CALL,
        EntryKind.TAKE_CALL,
        EntryKind.CONFIRM,
        EntryKind.VOID,
        EntryKind.REOPEN,
    }
)
"""What belongs to one link alone."""
_MOVES_NO_PRIZE = frozenset({EntryKind.START, EntryKind.END, EntryKind.REOPEN, EntryKind.CALL, EntryKind.TAKE_CALL})
"""After which the bank is not held against the prizes anew."""


class Floor:
    """All books of a site. It holds the lease of every one of them, until it is closed."""

    def __init__(
        self,
        connect: Callable[[], Store],
        key: SiteKey,
        clock: Callable[[], str] | None = None,
        *,
        listener: Listener | None = None,
        marks: Marks | None = None,
        claim: Claim | None = None,
        wait_s: float = 0.0,
        bank_every_s: float = BANK_EVERY_S,
        check_links: bool = False,
        without_cut_links: bool = True,
        witnesses: Callable[[Store], Witnesses] | None = None,
        writer: Callable[..., Writer[Any]] = Writer,
    ) -> None:
        """A link whose book is damaged stays closed alone, and so does one whose book was cut, unless that is told to
        stop the floor, as where it happened under the very process. `witnesses` are heard of the time of day before
        anything is written; without them the clock is believed."""
        self.house = House()
        self._marks, self._claim, self._without_cut_links = marks, claim or Claim(), without_cut_links
        self._new_writer = writer
        self._connect, self._key, self._clock, self._listener = connect, key, clock or CheckedClock(), listener
        self._office = RLock()
        self._bank_due, self._closing = Event(), Event()
        self._links: dict[str, Writer[FloorLink]] = {}
        self._written: dict[str, int] = {}
        """By link whose book goes on with what no server has written: how many entries it has before that."""
        self.checked: dict[str, int] = {}
        """By book: how far it was last read through and found to add up."""
        self.unchecked: dict[str, str] = {}
        """By link: why its book could not be read through behind the games yet. It is tried again."""
        site = Origin(
            partial(FloorSite, self.house),
            partial(FloorSite.in_house, self.house),
            same_site_act,
            rebuilt=True,
            check=recheck_site,
        )
        self._site = self._write(SITE, site, self._site_changed, wait_s)
        try:
            check_edition(self.site)
            if marks is not None and not self.site.book.entries:
                marks.were_said()  # a site that is founded now has had none
            self.reading = connect()
            streams = self.reading.streams()
            marked = list(marks.all()) if marks else []  # where a whole book is gone
            for stream in dict.fromkeys((*streams, *marked)):
                if stream.startswith(LINK):
                    self._open_or_keep_closed(stream.removeprefix(LINK), wait_s)
            hear = getattr(self._clock, "hear", None)  # a clock that was given is believed
            if witnesses is not None and hear is not None:
                latest = max([self.site.book.at, *(brief.at for brief in self.links.values())])
                hear(replace(witnesses(self.reading), last=latest))
        except BaseException:
            self.close()
            raise
        self._bank = Thread(target=self._watch_bank, args=(bank_every_s,), name="bank cover", daemon=True)
        if bank_every_s:
            self._bank.start()
        self._checks = Thread(target=self._check_links, name="self-check", daemon=True)
        if check_links:
            self._checks.start()

    def _open_or_keep_closed(self, name: str, wait_s: float) -> None:
        """A link whose book is damaged, or shorter than what was acknowledged, stays closed alone."""
        try:
            if self._marks is not None:
                check_not_behind(self.reading, LINK + name, self._marks.of(LINK + name), self._marks.path.name)
            self._open_writer(name, wait_s)
        except STRANGE as error:
            if isinstance(error, StoreError) and not (isinstance(error, BookBehind) and self._without_cut_links):
                raise
            why = str(error) if isinstance(error, CroupierError) else f"It cannot be read ({type(error).__name__})."
            if isinstance(error, NotWritten):
                self._written[name] = error.after
            self._keep_closed(name, why)

    def _open_writer(self, name: str, wait_s: float = 0.0) -> Writer[FloorLink]:
        if self._closing.is_set():
            raise NotDone("The floor is being closed.")
        house = self.house
        kind = Origin(
            partial(FloorLink, name, house),
            partial(FloorLink.in_house, house),
            same_link_act,
            check=partial(recheck_in_house, house),
        )
        watch = partial(self._link_changed, name)
        self._links[name] = self._write(LINK + name, kind, watch, wait_s)
        return self._links[name]

    def _write(self, stream: str, kind: Origin[State], watch: Watch, wait_s: float) -> Writer[State]:
        store = self._connect()
        try:
            claim = self._claim if stream == SITE else replace(self._claim, doubt=lambda: self.lease_doubt)
            secured: dict[str, Any] = {"secret": self._key.secret, "marks": self._marks, "claim": claim}
            return self._new_writer(store, stream, kind, self._clock, watch=watch, wait_s=wait_s, **secured)
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Do what is waiting, and give every book up."""
        self._closing.set()
        self._bank_due.set()
        for writer in list(self._links.values()):
            writer.close()
        self._site.close()
        with self._office:  # and a link that was just being made
            for writer in self._links.values():
                writer.close()
        if hasattr(self, "_checks") and self._checks.is_alive():
            self._checks.join()
        if hasattr(self, "reading"):
            self.reading.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Asking

    @property
    def site(self) -> Site:
        """The site as it last stood."""
        return self.house.site

    @property
    def links(self) -> Mapping[str, LinkBrief]:
        """Every link as it last stood."""
        return dict(self.house.links)

    def identify(self, token: CardToken) -> Person:
        """Whose card it is."""
        return self.site.people.identify(token, self._key)

    def card_hash(self, token: CardToken) -> str:
        """What the book keeps of a card."""
        return token.hash(self._key)

    def now(self) -> str:
        """The time by the clock that entries are stamped with."""
        return self._clock()

    def cover(self) -> Cover:
        return self.house.cover(self._clock())

    def ask(self, link: str, question: Callable[[FloorLink], Answer]) -> Answer:
        """Ask a link something between two commits; it must not change anything."""
        return self._writer(link).ask(question).result()

    @property
    def troubles(self) -> dict[str, str]:
        """Why an act would not be taken now: by book, and of the clock; nothing while all is well."""
        writers: list[Writer[Any]] = [self._site, *self._links.values()]
        books = {
            writer.stream: writer.reason or writer.condition
            for writer in writers
            if writer.condition != Condition.WRITING
        }
        books |= {writer.stream: writer.unwritable for writer in writers if writer.unwritable}
        return {**books, **({"lease": self.lease_doubt} if self.lease_doubt else {}), **self._doubted_clock()}

    @property
    def lease_doubt(self) -> str:
        """Why another process may have the books by now; nothing while they are surely this one's.

        A process that was stopped, or a machine that slept, knows by this that what it remembers may be old.
        """
        return self._site.lease_doubt

    def _doubted_clock(self) -> dict[str, str]:
        latest = max((brief.at for brief in self.links.values()), default="")
        try:
            doubting = getattr(self._clock, "after", None)  # a clock that was given is believed
            if doubting is not None:
                doubting(max(latest, self.site.book.at))
        except Refusal as error:
            return {"clock": str(error)}
        return {}

    @property
    def lost(self) -> bool:
        """Whether a book was taken over by another process, or cannot be written any more."""
        writers: list[Writer[Any]] = [self._site, *self._links.values()]
        return any(writer.condition == Condition.STOPPED for writer in writers)

    @property
    def behind(self) -> bool:
        """Whether a book was cut or changed under the running floor."""
        writers: list[Writer[Any]] = [self._site, *self._links.values()]
        return any(writer.behind for writer in writers)

    @property
    def disk_failed(self) -> str:
        """What was said of the disk, where a writer has stopped for it."""
        writers: list[Writer[Any]] = [self._site, *self._links.values()]
        return next((writer.disk_failed for writer in writers if writer.disk_failed), "")

    def confirm(self, *, writable: bool = False) -> None:
        """Have every writer make sure that its book is still its own; one that has lost it recovers, or stops. With
        `writable` something is written too: all books are in one store, so one of them tries.

        Called now and then, so that a floor on which nothing is done does not go on as if it still had its store.
        """
        self._site.ask(lambda _: None, tries=writable)
        for writer in list(self._links.values()):
            writer.ask(lambda _: None)
        try:
            self.reading.last(SITE)
        except StoreLost:
            self.reading.reconnect()

    # Doing

    def submit(self, act: acts.LinkAct, link: str) -> Future[Entry]:
        """An act of a game, answered when it is durable."""
        _signed_by_people(act)
        if act.kind not in _GAME:
            return _as_future(partial(self.do, act, link))
        if entry := self._done_before_damage(act, link):
            return _as_future(lambda: entry)
        return self._writer(link).submit(act)

    def hand_in(self, act: acts.LinkAct, link: str, waiting: Waiting) -> None:
        """The same for somebody who waits in a way of their own, as a server with many tables does.

        Of a link whose book is damaged the store is read first: an event loop has `do` done in a thread instead.
        """
        assert act.kind in _GAME, f"{act.kind} is no act of a game"
        _signed_by_people(act)
        if entry := self._done_before_damage(act, link):
            waiting.set_result(entry)
        else:
            self._writer(link).hand_in(act, waiting)

    def do(self, act: acts.LinkAct, link: str) -> Entry:
        """Any act of a link, done and durable."""
        _signed_by_people(act)
        if entry := self._done_before_damage(act, link):
            return entry
        if act.kind in _GAME or act.kind == EntryKind.CLOSE:
            return self._writer(link).submit(act).result()
        if isinstance(act, acts.OpenLink):
            return self._open(act, link)
        with self._office:
            if isinstance(act, acts.MakeLink):
                return self._make(act)
            writer = self._writer(link)
            if isinstance(act, acts.Receive):
                self._check_retirement(act)
            return writer.submit(act).result()

    def do_site(self, act: site_acts.SiteAct) -> Entry:
        """Any act of the site, done and durable. What the links have paid and brought is from their books alone."""
        with self._office:
            totals = [brief.totals for brief in self.links.values()]
            if isinstance(act, site_acts.DeclareBank):
                act = replace(act, paid={total.link: total.paid for total in totals})
            elif isinstance(act, site_acts.Deposit):
                act = replace(act, contributed={total.link: total.contributed for total in totals})
            elif isinstance(act, site_acts.ReadMeter) and not act.seen_at:
                act = replace(act, book=self._shown(act.link, act.level))
            elif isinstance(act, Reconcile):
                act = replace(act, links=self._funds(act.month))
            return self._site.submit(act).result()

    def _funds(self, month: str) -> dict[str, Any]:
        """What the books say of every link's funds at the end of a month."""
        until, given = month_ends(self.site, month), dict[str, int]()
        for entry in self.reading.entries(SITE, limit=self.reading.number_before(SITE, until)):
            if entry.kind == EntryKind.GIVE_PRIZE:
                facts = facts_of(GivePrizeFacts, entry)
                given[facts["link"]] = given.get(facts["link"], 0) + facts["amount_cents"]
        self.settle()
        return fund_balances(self.reading, list(self.links.values()), given, until)

    def declare_bank(self, *, id: str, by: str, balance_cents: int) -> Entry:
        """What the bank says is in the account, beside what the links have paid by now."""
        return self.do_site(site_acts.DeclareBank(id=id, by=by, balance_cents=balance_cents, paid={}))

    def deposit(self, *, id: str, by: str, amount_cents: int, reference: str) -> Entry:
        """Accrued money that reached the bank, beside what wagers have brought by now."""
        act = site_acts.Deposit(id=id, by=by, amount_cents=amount_cents, reference=reference, contributed={})
        return self.do_site(act)

    def retirement(self, link: str) -> Entry:
        """The entry with which a link was retired, from its own book."""
        last = self.reading.last(LINK + link) if link in self._links else None
        if last is None or last.kind != EntryKind.RETIRE:
            raise refusal(No.NOT_FOR_THIS_LINK, link=link, why=f"the link {link} is not retired")
        return last

    def check_bank(self) -> Cover:
        """Close every open link while the bank does not cover the prizes; the entries say why."""
        cover, now = self.cover(), self._clock()
        if cover.links_must_stop:
            for name, brief in self.links.items():
                writer = self._links.get(name)
                if brief.status is Status.OPEN and writer is not None:
                    act = acts.CloseLink(id=FOR_COVER + now, by=ITSELF, reason=cover.reason[:500])
                    writer.submit(act)
        return cover

    def self_check(self, link: str) -> tuple[int, str]:
        """Read a link's whole book and the site's, as opening a link does: the last entry and its digest, or no."""
        self._writer(link)
        return self._read_through(link)

    def settle(self) -> None:
        """Wait until everything that was asked of the links by now is in their books."""
        for link in list(self._links):
            self.ask(link, lambda _: None)

    # Within

    def _shown(self, link: str, level: str) -> dict[str, Any]:
        """What the displays show of a meter now, and by which entry; nothing, where there is no such meter."""
        brief = self.house.links.get(link)
        if brief is None or level not in brief.shown_cents:
            return {}
        return {"cents": brief.shown_cents[level], "entry": brief.entries, "digest": brief.digest}

    def _writer(self, link: str) -> Writer[FloorLink]:
        if link in self.house.damaged:
            raise refusal(No.BROKEN_CHAIN, why=self.house.damaged[link])
        if link not in self._links:
            raise refusal(No.NO_SUCH_LINK, link=link, links=", ".join(self._links) or "none")
        return self._links[link]

    def _done_before_damage(self, act: acts.LinkAct, link: str) -> Entry | None:
        """Of a link whose book is damaged: what an act has come to in the part that can be read. Whoever sends it again
        is told that it was done, and not that the link is closed."""
        if link not in self.house.damaged:
            return None
        try:
            entry = self.reading.by_command(LINK + link, act.id)
        except RecordError:
            return None
        except StoreError as error:
            raise InDoubt(f"It is not known whether this was done; send it again with the same id. {error}") from error
        is_read = entry is not None and entry.number <= self.house.links[link].entries
        return entry if entry is not None and is_read and same_link_act(act, entry) else None

    def _make(self, act: acts.MakeLink) -> Entry:
        """The link's book begins with this entry; where it is refused, there is no link."""
        if act.link in self.house.damaged:
            raise refusal(No.BROKEN_CHAIN, why=self.house.damaged[act.link])
        known = act.link in self._links
        writer = self._links[act.link] if known else self._open_writer(act.link)
        try:
            return writer.submit(act).result()
        except (Refusal, NotDone):
            if not known:
                del self._links[act.link]
                self.house.links.pop(act.link, None)
                writer.close()
            raise

    def _open(self, act: acts.OpenLink, link: str, times: int = PROVE_TIMES) -> Entry:
        """Games that are still on may end between the proof and the opening: then the book is read again.

        A long book takes seconds, so the office goes on meanwhile: a stolen card is revoked at once. The link's writer
        opens it only where the book still ends as it was proved, see `house`.
        """
        self._writer(link)
        proved = self._read_through(link)
        try:
            with self._office:
                self.house.proved[link] = proved
                return self._writer(link).submit(act).result()
        except Refusal as refused:
            if refused.code != No.BROKEN_CHAIN or times == 1:
                raise
        return self._open(act, link, times - 1)

    def _read_through(self, link: str) -> tuple[int, str]:
        """Read the whole book in the store, and the site's, and hold them against what their writers work with: the
        last entry and its digest."""
        checked = BookCheck(LINK + link, self._closing.is_set)
        try:
            checked.check(self.reading, lambda: self.ask(link, lambda held: held_of(held.book, held.state)))
            of_site = BookCheck(SITE, self._closing.is_set)
            of_site.check(self.reading, lambda: self._site.ask(lambda held: held_of(held.book)).result())
        except RecordError as error:
            raise refusal(No.BROKEN_CHAIN, why=error) from None
        self.checked |= {SITE: of_site.book.entries, LINK + link: checked.book.entries}
        return checked.book.entries, checked.book.digest

    def _check_links(self) -> None:
        """All links are read through behind their games after the floor began, those that were open first. Where a
        book does not come to what its link is dealt and paid from, nothing more is done on that link. One that cannot
        be read just now is read again after the others: whoever can keep a book from being read once could else have a
        forged snapshot believed for as long as the floor runs."""
        links = self.links
        due = sorted(self._links.copy(), key=lambda name: links[name].status is not Status.OPEN)
        while due and not self._closing.is_set():
            due = [name for name in due if not self._is_checked(name)]
            if due and (self.lost or self._closing.wait(CHECK_AGAIN_S)):  # whoever leads next checks
                return

    def _is_checked(self, name: str) -> bool:
        """Whether what its book says is known, and nothing more has to be read."""
        try:
            if name in self.house.damaged:
                self._keep_closed(name, self.house.damaged[name])
                self._tell(LINK + name, [])
            elif name in self._links:  # a link that was refused is none any more
                self.self_check(name)
        except (StoreError, NotDone, InDoubt) as error:  # that is of the store or of the writer, not of the book
            self.unchecked[name] = str(error)
            return False
        except Exception as error:
            if name in self._links:
                self._stop_damaged(name, str(error))
                return self._is_checked(name)
        self.unchecked.pop(name, None)
        return True

    def _stop_damaged(self, name: str, why: str) -> None:
        """Its book says that it was closed and why; from then on it takes no acts."""
        writer = self._links[name]
        if self.links[name].status is Status.OPEN:
            act = acts.CloseLink(id=f"self-check {self._clock()}", by=ITSELF, reason=why[:500])
            with suppress(CroupierError):
                writer.submit(act).result()
        self.house.damaged[name] = why
        self._links.pop(name, None)
        writer.close()

    def _keep_closed(self, name: str, why: str) -> None:
        """What can be read of it is shown."""
        origin = Origin(partial(Link, name), Link.of_snapshot, same_link_act)
        state = readable(self.reading, LINK + name, origin, self._written.get(name)).state
        self.house.keep_closed(state, why)

    def _check_retirement(self, act: acts.Receive) -> None:
        if self.retirement(act.source).as_json() != dict(act.entry):
            raise refusal(No.NOT_FOR_THIS_LINK, link=act.source, why="it does not stand so in that link's book")

    def _site_changed(self, site: FloorSite, entries: list[Entry]) -> None:
        self.house.site = Site.of_snapshot(site.snapshot())
        accept = getattr(self._clock, "accept", None)
        if accept is not None and any(entry.kind == EntryKind.ACCEPT_TIME for entry in entries):
            accept()  # for what two people have just signed: one that is sent again accepts nothing
        self._bank_due.set()
        self._tell(SITE, entries)

    def _link_changed(self, name: str, link: FloorLink, entries: list[Entry]) -> None:
        self.house.links[name] = LinkBrief.of(link.state, self.house.links.get(name), entries)
        if any(entry.kind not in _MOVES_NO_PRIZE for entry in entries):
            self._bank_due.set()
        self._tell(LINK + name, entries)

    def _tell(self, stream: str, entries: list[Entry]) -> None:
        if self._listener is not None:
            self._listener(stream, entries)

    def _watch_bank(self, every_s: float) -> None:
        while not self._closing.is_set():
            self._bank_due.wait(every_s)
            self._bank_due.clear()
            if self.site.book.entries and not self._closing.is_set():
                try:
                    self.check_bank()
                except CroupierError:  # a store that is lost: the next round asks again, and no START passes meanwhile
                    continue


def _signed_by_people(act: acts.LinkAct) -> None:
    for signed in act.signers():
        if signed.role is Role.FLOOR:
            raise denied(Denied.UNKNOWN_PERSON, person=signed.person)


def _as_future(do: Callable[[], Entry]) -> Future[Entry]:
    future: Future[Entry] = Future()
    try:
        future.set_result(do())
    except Exception as error:
        future.set_exception(error)
    return future
