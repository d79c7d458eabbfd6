"""One running server: the floor it leads or follows, its sessions, and what every request may ask of them.

Of several servers on one PostgreSQL site, one leads: it holds the books' leases and writes. The others follow: they
read, show and forward. When the leader dies, its leases end with it, and the next server that tries leads. When it
hangs, the others miss its beats and one of them takes over; the old leader, when it wakes, finds that it leads no more.
A site on SQLite has one server, and may have another that stands by.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from croupier.compliance.authority import CardToken, SiteKey
from croupier.errors import CroupierError
from croupier.floor.floor import Floor
from croupier.floor.house import House
from croupier.floor.link import acts
from croupier.floor.people import Person
from croupier.floor.site.bank import Cover
from croupier.ledger import clock
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE, Entry
from croupier.store.lease import SILENT_S, Claim, Lookout
from croupier.store.marks import Marks
from croupier.store.store import NO_MORE, LogInUse, Store, StoreBusy, StoreError, StoreLost, open_store
from croupier.web.anchors.keeper import Keeper
from croupier.web.cluster.what_runs import WhatRuns
from croupier.web.errors import ApiError
from croupier.web.identity.access_register import AccessRegister
from croupier.web.identity.sessions import Access, Pins
from croupier.web.identity.store import AccessStore
from croupier.web.identity.tickets import Tickets
from croupier.web.logs import log
from croupier.web.pager import Pager
from croupier.web.settings import Settings, session_key, site_key
from croupier.web.turns import Turns

if TYPE_CHECKING:
    from croupier.store.postgres.follow import Herald
    from croupier.web.cluster.follower import Follower
    from croupier.web.cluster.leader import Leadership

Listener = Callable[[str, list[Entry]], None]
SECOND_SERVER_S = 3.0
"""How long a server on SQLite waits for one that is just stopping."""
CHECKPOINT_EVERY_S = 30.0
"""How often what is in a SQLite store's log is brought to its file: a copy of the file alone is not older than that."""
SWEEP_EVERY_S = 5.0
"""How often sessions that are over are put on record, and what could not be entered before."""
CONFIRM_EVERY_S = 1.0
"""How often a leader makes sure that it still is one, and any server that it can read."""
TRY_EVERY_S = 5.0
"""How often a leader on which nothing is done writes something, so that it says of itself what an act would find."""

REPORTS_AT_ONCE, REPORTS_WAITING, REPORTS_WAIT_S = 2, 8, 10.0
"""The floor must keep most of the machine."""
SEARCHES_AT_ONCE, SEARCHES_WAITING = 2, 30
"""Of the log, each well under a second: consoles ask again and again for what is new."""


class SecondServer(CroupierError):
    """The site has a server already, and can have one only."""


def _nothing() -> None:
    pass


def _witnesses(store: Store) -> clock.Witnesses:
    return clock.Witnesses(store_s=store.now_s(), synchronised=clock.synchronised())


class Replies:
    """What the books' writers answer, on its way to one event loop: a writer answers all acts of a commit in a row, and
    wakes the loop once for them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._laid: deque[tuple[asyncio.Future[Entry], Entry | None, BaseException | None]] = deque()
        self._woken = False

    def lay(self, future: asyncio.Future[Entry], entry: Entry | None, error: BaseException | None) -> None:
        """In a writer's thread. First the reply and then the bell; the loop does it the other way round."""
        self._laid.append((future, entry, error))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the server has just stopped
                self.loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        self._woken = False
        while self._laid:
            future, entry, error = self._laid.popleft()
            if future.done():  # whoever waited has gone
                continue
            if error is not None:
                future.set_exception(error)
            elif entry is not None:
                future.set_result(entry)


class Reply:
    """Waits for one act as a writer's `Waiting`; the event loop awaits its future."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self.future: asyncio.Future[Entry] = replies.loop.create_future()

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, entry: Entry, /) -> None:
        self._replies.lay(self.future, entry, None)

    def set_exception(self, error: BaseException | None, /) -> None:
        self._replies.lay(self.future, None, error)


class Runtime:
    """What the routes work with. `floor` is there while this server leads."""

    def __init__(
        self, settings: Settings, *, listener: Listener | None = None, turned: Callable[[], None] = _nothing
    ) -> None:
        self.settings = settings
        self.key: SiteKey = site_key(settings.key_path())
        self.floor: Floor | None = None
        self.follower: Follower | None = None
        """On PostgreSQL, while another server leads."""
        with ExitStack() as opened:  # whatever was opened is closed where the next thing cannot be
            self.marks = opened.enter_context(closing(Marks(settings.marks_path())))
            self.reading: Store = opened.enter_context(closing(open_store(settings.db)))
            self.sessions = opened.enter_context(closing(self._open_sessions()))
            self.anchors = Keeper(settings, lambda: self.floor) if settings.keeps_anchors else None
            self.pager = Pager(settings, lambda: self.floor) if settings.call_webhook else None
            opened.pop_all()
        if self.reading.broad_rights():
            log.warning("broad-rights", sentence=self.reading.broad_rights())
        self.register = AccessRegister(self.sessions, lambda: self.floor)
        self.access = Access(
            self.sessions,
            self.key,
            self.identify,
            self.person,
            minutes=settings.session_minutes,
            register=self.register,
            many_tables=lambda: self.house.site.many_tables,
        )
        self.pins = Pins(self.access, self.sessions)
        self.tickets = Tickets(self.sessions.seal, self.key, lambda: self.house.site.people, self.access.now)
        self.reports = Turns(
            "reports are made", at_once=REPORTS_AT_ONCE, most_waiting=REPORTS_WAITING, wait_s=REPORTS_WAIT_S
        )
        self.searches = Turns(
            "searches are made", at_once=SEARCHES_AT_ONCE, most_waiting=SEARCHES_WAITING, wait_s=REPORTS_WAIT_S
        )
        self.what_runs = WhatRuns(on_record=settings.says_what_runs)
        self.what_runs.begin()
        self.first_code = ""
        """Printed at the first start of an empty site; whoever has it becomes the first manager."""
        self._replies: Replies | None = None
        self._listener, self._turned = listener or (lambda _, __: None), turned
        self._last = House()
        """What stood when this server last let go of the books."""
        self._told_troubles: dict[str, str] = {}
        self.server = secrets.token_hex(16)
        """What this server calls itself among those of the site."""
        self._leading, self._keeping, self._closing = Lock(), Lock(), False
        self._confirmed_at = self._tried_at = self._checkpointed_at = self._swept_at = 0.0
        self._lookout = Lookout(SITE)
        """On the beats of whoever leads, while this server does not."""
        self._no_sessions = ""
        """Why the store of sessions cannot be read just now."""
        self._stopped = ""
        """Why this server does not lead though nobody else does: its books cannot be opened, or are not what was
        acknowledged."""
        self._in_the_way = ""
        """Why it cannot take over from a server that hangs, or lead again after its disk has failed."""
        self._cut_under_us = False
        """Whether a book was cut while this server wrote it: then it stops, and people look before the next start."""
        self._disk_failed = ""
        """What was said of the disk when it failed under this server: an alarm until the next start."""
        self._herald: Herald | None = None
        self._leadership: Leadership | None = None

    def _open_sessions(self) -> AccessStore:
        session = session_key(self.settings.session_key_path(self.key))
        sessions = AccessStore(self.settings.db, self.key, session)
        if sessions.sealed:
            log.warning("pins-sealed", people=sessions.sealed, session_key=str(session.path))
        return sessions

    # Leading and following

    def begin(self) -> None:
        """Lead, or follow whoever does. It may be called before the server listens, to hear at once why it cannot."""
        end = monotonic() + SECOND_SERVER_S
        while True:
            self._is_silent()
            if self.try_to_lead():
                return
            if not self.settings.is_sqlite:
                self._follow()
                if self.follower is not None and self.follower.trouble:
                    raise StoreError(self.follower.trouble)
                return
            if self.settings.standby:
                return
            if self._in_the_way:
                raise SecondServer(self._in_the_way)
            if monotonic() >= end + (0.0 if self._lookout.first.heard else 2 * SILENT_S):
                raise SecondServer(
                    f"Another server runs on {self.settings.db} already. A site on SQLite has one server; "
                    "several can share a site on PostgreSQL. {standby} waits until that server ends or hangs.",
                    fields=["standby"],
                )
            sleep(0.1)

    def keep(self) -> None:
        """Lead as soon as nobody does; a leader whose books were taken from it follows. Called again and again."""
        with self._keeping:
            if not self._closing:
                self._keep()

    def _keep(self) -> None:
        self._tell_troubles()
        troubled = self.floor is not None and bool(self.floor.troubles or self._no_sessions)
        tries = monotonic() - self._tried_at >= TRY_EVERY_S
        often = troubled or not self.settings.is_sqlite
        if tries or (often and monotonic() - self._confirmed_at >= CONFIRM_EVERY_S):
            self._confirmed_at = monotonic()
            self._tried_at = self._confirmed_at if tries else self._tried_at
            self._confirm(writable=tries)
            self._look_for_sessions()
        if self.settings.is_sqlite and monotonic() - self._checkpointed_at >= CHECKPOINT_EVERY_S:
            self._checkpointed_at = monotonic()
            try:
                self.reading.checkpoint()
            except StoreError:
                self.reading.reconnect()
        if self.floor is not None and monotonic() - self._swept_at >= SWEEP_EVERY_S:
            self._swept_at = monotonic()
            self.what_runs.look()
            with suppress(CroupierError):  # a store that is gone: the next time will do
                self.access.sweep()
                self.register.work()
        floor = self.floor
        if floor is not None:
            self.what_runs.note(floor)
            if self.marks.unsaid and not self.what_runs.unmarked:
                self.marks.were_said()
                self.marks.write()  # at once: a server that ends within the next second has said it
        if floor is None:
            if self._is_silent() or self.follower is None or not self.follower.led:
                self.try_to_lead()
        elif floor.lost:
            self.stop_leading()

    def _confirm(self, *, writable: bool) -> None:
        """A server's sessions with the database may have ended without a word: get them again."""
        if self.floor is not None:
            self.floor.confirm(writable=writable)
        try:
            self.reading.last(SITE)
        except StoreLost:
            self.reading.reconnect()

    def _look_for_sessions(self) -> None:
        """Nobody acts without one: a store of sessions that cannot be read is in the way as books are."""
        try:
            self.sessions.check_in_place()
            self.sessions.session("")
        except CroupierError as error:
            self._no_sessions = str(error)
        else:
            self._no_sessions = ""

    def _is_silent(self) -> bool:
        """Whether whoever has the site's book has not beaten for so long that another may take all its books."""
        try:
            leases = self.reading.leases()
        except StoreLost:
            self.reading.reconnect()
            return False
        return self._lookout.look(leases, monotonic())

    def try_to_lead(self) -> bool:
        """Take the books, if nobody has them, or whoever has them is silent."""
        with self._leading:
            if self._closing:
                return False
            if self.floor is not None:
                return True
            try:
                connect = partial(open_store, self.settings.db)
                claim = Claim(over=self._lookout.over)
                floor = Floor(
                    connect,
                    self.key,
                    listener=self._heard,
                    marks=self.marks,
                    claim=claim,
                    check_links=True,
                    without_cut_links=not self._cut_under_us,
                    witnesses=_witnesses if self.settings.clock_checked else None,
                )
            except StoreBusy as error:
                told = self._lookout.first.is_silent or isinstance(error, LogInUse)
                self._in_the_way, self._stopped = str(error) if told else "", ""
                return False
            except CroupierError as error:
                self._stopped = str(error)
                raise
            self._stopped = self._in_the_way = ""
            if self._lookout.first.is_silent:
                log.warning("took-over", sentence="The server that led was silent, and this one leads now.")
            self._lookout = Lookout(SITE)
            if self.marks.unsaid and floor.site.book.entries > 1:
                log.warning("no-marks", file=self.marks.path.name, site_entries=floor.site.book.entries)
                self.what_runs.without_marks()
            else:
                self.marks.were_said()
            try:
                if not floor.site.book.entries:
                    self.first_code = self.sessions.keep_first_code(secrets.token_hex(8))
                self._announce()
            except BaseException:  # leases that nobody works with would keep every server of the site from leading
                floor.close()
                raise
            self.floor = floor
            follower, self.follower = self.follower, None
        with suppress(CroupierError):  # a store that is gone again: whoever leads next makes up for it
            self.pins.recover(floor)
        if self.anchors is not None:
            with suppress(CroupierError):
                self.anchors.lead(floor)
        if self.pager is not None:
            self.pager.lead()
        if follower is not None:
            follower.stop()
        self._turned()
        return True

    def stop_leading(self) -> None:
        """Follow instead, where somebody else may lead; what is shown does not go back meanwhile."""
        if self.floor is not None:
            self._cut_under_us |= self.floor.behind
            self._disk_failed = self._disk_failed or self.floor.disk_failed
        if not self.settings.is_sqlite:
            self._follow()
        self._let_go()
        if self.settings.is_sqlite:  # its files may have been removed or replaced
            self.reading.reconnect()
        self._turned()

    def close(self) -> None:
        """Give the books up for good: whoever is just about to take them again does not."""
        if self.anchors is not None:
            self.anchors.stop()
        if self.pager is not None:
            self.pager.stop()
        with self._leading:
            self._closing = True
        self._let_go()
        if self.follower is not None:
            self.follower.stop()
        with self._keeping:  # whoever still keeps watch would connect again to what is closed
            for part in (self._herald, self._leadership, self.reading, self.sessions, self.marks):
                if part is not None:
                    part.close()

    def _let_go(self) -> None:
        with self._leading:
            floor = self.floor
            if floor is not None:
                self._last, self.floor = floor.house, None
        if floor is not None:
            floor.close()

    def _follow(self) -> None:
        from croupier.web.cluster.follower import Follower

        if self.follower is None and not self._closing:
            others, secret = self._leaders(), self.key.secret
            follower = Follower(self.settings.db, self.reading, others, self._listener, secret=secret, marks=self.marks)
            follower.house.site, follower.house.links = self.house.site, dict(self.house.links)
            follower.start()
            self.follower = follower

    def _announce(self) -> None:
        """Where the others find this server, before it takes anything from them."""
        if self.settings.is_sqlite:
            return
        from croupier.store.postgres.follow import Herald
        from croupier.web.cluster.leader import Leader, own_address, this_machine

        self._leaders().announce(Leader(own_address(self.settings), self.server, this_machine()))
        self._herald = self._herald or Herald(self.settings.db)
        self._herald.tell()

    def _leaders(self) -> Leadership:
        from croupier.web.cluster.leader import Leadership

        self._leadership = self._leadership or Leadership(self.settings.db)
        return self._leadership

    def _heard(self, stream: str, entries: list[Entry]) -> None:
        """Something is durable: tell the listeners here, and the other servers."""
        self._listener(stream, entries)
        if self.anchors is not None:
            self.anchors.heard(stream, entries)
        if self.pager is not None:
            self.pager.heard(entries)
        if self._herald is not None and entries:
            self._herald.tell()

    # Asking

    def standing(self) -> tuple[str, dict[str, str]]:
        """Whether this server leads, follows or waits; and by book what is in the way."""
        status, troubles = self._standing_by_books()
        return status, {**troubles, **({"sessions": self._no_sessions} if self._no_sessions else {})}

    def _standing_by_books(self) -> tuple[str, dict[str, str]]:
        floor, follower = self.floor, self.follower
        if floor is not None:
            return "ready", {**floor.troubles, **({"marks": self.marks.trouble} if self.marks.trouble else {})}
        if self._in_the_way and (self._lookout.first.missed or self.settings.is_sqlite):
            return "waiting", {"leader": self._in_the_way}
        if follower is not None and follower.led and follower.leader.address:
            missed = f"The server that leads has not beaten for {self._lookout.first.silent_for_s:.0f} seconds."
            trouble = follower.trouble or follower.leader.out_of_reach(self.server)
            trouble = trouble or (missed if self._lookout.first.missed else "")
            return "following", {"books": trouble} if trouble else {}
        if self._stopped:
            return "stopped", {"books": self._stopped}
        if self._lookout.first.heard:
            return "waiting", {"leader": "Another server leads: this one stands by."}
        return "waiting", {"leader": "No server leads just now."}

    def damaged(self) -> dict[str, str]:
        """By book: links that stay closed because theirs is damaged, and why. The others are dealt."""
        return {f"link:{name}": why for name, why in self.house.damaged.items()}

    def alarms(self) -> dict[str, str]:
        """What somebody has to look at, and keeps nobody from playing."""
        floor = self.floor
        if floor is None:
            return {}
        told = {
            name: why for part in (self.anchors, self.pager) if part is not None for name, why in part.alarms.items()
        }
        if self._disk_failed:
            there = "" if self.damaged() else " All that was acknowledged is there."
            told["disk"] = (
                f"{self._disk_failed.removesuffix(NO_MORE)}{there} This server leads again: look at the disk."
            )
        for link, why in list(floor.unchecked.items())[:1]:
            told["self-check"] = f"The book of {link} could not be read through yet, and it is tried again. {why}"
        sentences = self.what_runs.said_now()
        return {**told, "program": " ".join(sentences[:3])} if sentences else told

    def _tell_troubles(self) -> None:
        """In the log, as often as they change."""
        troubles = {**self.standing()[1], **self.damaged()}
        if troubles != self._told_troubles:
            self._told_troubles = troubles
            if troubles:
                log.warning("troubled", troubles=troubles)
            else:
                log.info("no-troubles")

    @property
    def house(self) -> House:
        """The site and its links as they last stood."""
        floor, follower = self.floor, self.follower
        if floor is not None:
            return floor.house
        return follower.house if follower is not None else self._last

    def cover(self) -> Cover:
        """The bank against what the links owe, as the books last said."""
        return self.floor.cover() if self.floor is not None else self.house.cover(utc_now())

    def leading(self) -> Floor:
        """The floor, for whoever wants something done."""
        if self.floor is None:
            raise ApiError(503, "not-leading", "Another server writes the books just now: try again.")
        return self.floor

    async def durable(self, act: acts.LinkAct, link: str) -> Entry:
        """An act of a game, answered when it is durable."""
        floor = self.leading()
        if link in floor.house.damaged:  # the store is asked whether it was done before: no other table waits for that
            return await run_in_threadpool(floor.do, act, link)
        loop = asyncio.get_running_loop()
        if self._replies is None or self._replies.loop is not loop:
            self._replies = Replies(loop)
        reply = Reply(self._replies)
        floor.hand_in(act, link, reply)
        return await reply.future

    def identify(self, token: CardToken) -> Person:
        return self.house.site.people.identify(token, self.key)

    def person(self, name: str) -> Person:
        people = self.house.site.people
        person = people.active(name)
        return people.active(name, utc_now()) if person.until else person
