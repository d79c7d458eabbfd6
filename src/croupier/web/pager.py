"""Calls that are heard: whose turn a call is by now, and a webhook that tells it to pagers.

A call waits for a supervisor. When nobody has taken it after a set time it is the executive's as well, and after twice
that the manager's: each time the webhook is told again. What is told follows from the books as they stand, so a server
that takes over tells of every open call once more; `id` says which news it is, for whoever has it already. A webhook
that fails is tried again, and never keeps anybody from pressing a key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import Any

from croupier.compliance.authority import Role
from croupier.floor.act import EntryKind
from croupier.floor.floor import Floor
from croupier.floor.house import House
from croupier.floor.link.state import TableCall
from croupier.ledger.clock import time_of, utc_now
from croupier.ledger.entry import Entry
from croupier.web.anchors.destinations import NotDelivered, Webhook
from croupier.web.logs import log
from croupier.web.settings import Settings

LADDER = (Role.SUPERVISOR, Role.EXECUTIVE, Role.MANAGER)
"""Whose a call is, and whose next when nobody has taken it."""
LOOK_EVERY_S = 1.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
"""Between two tries; it doubles with each that fails."""
STOP_S = 5.0
CHANGES_CALLS = frozenset({EntryKind.CALL, EntryKind.TAKE_CALL, EntryKind.CONFIRM, EntryKind.VOID})
CALL_HEADER = "Croupier-Call"


@dataclass(frozen=True)
class OpenCall:
    """A call as it stands at a moment."""

    link: str
    table: int
    call: TableCall
    waited_s: float
    """Until now, or until somebody took it."""
    step: int
    """How often it has gone on to the next role."""

    @property
    def role(self) -> Role:
        return LADDER[self.step]

    @property
    def news(self) -> str:
        """What a pager is told of it, once."""
        return "taken" if self.call.taken_by else "escalated" if self.step else "call"


def open_calls(house: House, now: str, escalates_s: float) -> list[OpenCall]:
    """Every call of the site that nobody has decided, the oldest first."""
    calls = []
    for brief in list(house.links.values()):
        for table, call in brief.calls.items():
            waited = (time_of(call.taken_at or now) - time_of(call.at)).total_seconds()
            step = min(int(max(0.0, waited) // escalates_s), len(LADDER) - 1)
            calls.append(OpenCall(brief.name, table, call, max(0.0, waited), step))
    return sorted(calls, key=lambda open_call: open_call.call.at)


@dataclass
class _Told:
    """What the webhook has heard of one call."""

    table: int
    at: str
    news: set[str] = field(default_factory=set)


class Pager:
    """Tells the webhook, while this server leads. Nothing of it raises into the work of the floor."""

    def __init__(self, settings: Settings, leading: Callable[[], Floor | None]) -> None:
        self._webhook, self._escalates_s = Webhook(settings.call_webhook), settings.call_escalates_s
        self._leading = leading
        self._told: dict[tuple[str, int], _Told] = {}
        """By link and the entry that called."""
        self._failed, self._error, self._failing_since = 0, "", 0.0
        self._due, self._closing = Event(), Event()
        self._thread: Thread | None = None

    @property
    def alarms(self) -> dict[str, str]:
        return {"calls": f"Calls do not reach the pagers. {self._error}"} if self._failed else {}

    def lead(self) -> None:
        """This server leads from now on."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="pager", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._due.set()
        if self._thread is not None:
            self._thread.join(STOP_S)

    def heard(self, entries: list[Entry]) -> None:
        """In a writer's thread, which never waits here."""
        if any(entry.kind in CHANGES_CALLS for entry in entries):
            self._due.set()

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._failed:
                self._closing.wait(min(FIRST_PAUSE_S * 2.0 ** min(self._failed - 1, 30), LONGEST_PAUSE_S))
            else:
                self._due.wait(LOOK_EVERY_S)
            self._due.clear()
            floor = self._leading()
            if self._closing.is_set() or floor is None:
                continue
            try:
                self._tell_all(floor.house)
            except Exception as error:  # an error of ours must not end the pages for good
                log.error("pager-failed", exc_info=error)
                self._fail(f"An error of the program ({type(error).__name__}): the log has its place.")

    def _tell_all(self, house: House) -> None:
        try:
            for key, at, news, message in self._due_news(house):
                link, entry = key
                self._send({"id": f"{link}-{entry}-{news}", "site": house.site.title, **message})
                told = self._told.setdefault(key, _Told(message["table"], at))
                told.news.add(news)
                if message["event"] == "over":
                    del self._told[key]
        except NotDelivered as error:
            self._fail(str(error))
        else:
            if self._failed:
                log.info("pager-reached", after_s=round(monotonic() - self._failing_since))
            self._failed, self._error = 0, ""

    def _due_news(self, house: House) -> Iterator[tuple[tuple[str, int], str, str, dict[str, Any]]]:
        """Which call, since when, which news, and the message: what the webhook has not heard yet."""
        standing = open_calls(house, utc_now(), self._escalates_s)
        for call in standing:
            key, news = (call.link, call.call.entry), call.news + (str(call.step) if call.news == "escalated" else "")
            if news not in getattr(self._told.get(key), "news", ()):
                yield key, call.call.at, news, message_of(call)
        there = {(call.link, call.call.entry) for call in standing}
        for key in [key for key in self._told if key not in there]:
            told = self._told[key]
            message = {"event": "over", "link": key[0], "table": told.table, "entry": key[1], "at": told.at}
            yield key, told.at, "over", message

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps(message, ensure_ascii=False).encode() + b"\n"
        self._webhook.deliver(content, {CALL_HEADER: message["id"].encode("ascii", "replace").decode()})

    def _fail(self, sentence: str) -> None:
        if not self._failed:
            self._failing_since = monotonic()
            log.warning("call-not-sent", destination=self._webhook.label, sentence=sentence)
        self._failed, self._error = self._failed + 1, sentence


def message_of(open_call: OpenCall) -> dict[str, Any]:
    """A call for a pager: where, since when, and whose it is; no amount, and nothing of the player."""
    call = open_call.call
    return {
        **{
            "event": open_call.news,
            "link": open_call.link,
            "table": open_call.table,
            "entry": call.entry,
            "at": call.at,
        },
        **{"waited_s": int(open_call.waited_s), "role": str(open_call.role), "taken_by": call.taken_by},
    }
