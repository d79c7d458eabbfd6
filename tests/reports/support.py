"""A few seeded days of a small card room, in a store and in an exported file, and plain sums over that file.

The days are around the end of summer time in Los Angeles (1 November 2026). On 3 November
nobody plays until the early morning after.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from croupier.audit.export import export
from croupier.compliance.award_checklist import checklist
from croupier.compliance.profile import Lawful, find_profile
from croupier.floor.forms import Signed
from croupier.floor.link.acts import (
    Adjust,
    CallSupervisor,
    CloseLink,
    Confirm,
    Identity,
    IssueSlip,
    LinkAct,
    OpenLink,
    PaidIn,
    PaySlip,
    Reconfigure,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.setup import LevelSetup, LinkSetup
from croupier.floor.site.acts import DeclareBank, Deposit
from croupier.ledger.entry import Entry, Purpose
from croupier.reports.period import Period
from croupier.store.store import open_store
from support.room import (
    DEALER,
    EXECUTIVE,
    MANAGER,
    OTHER_MANAGER,
    STYLE_A,
    SUPERVISOR,
    THREE_METERS,
    ZONE,
    LinkBook,
    SiteBook,
    felt,
    founding,
    hashed_cards,
)

FIRST, LAST = date(2026, 10, 30), date(2026, 11, 4)
QUIET = date(2026, 11, 3)
DAYS = [FIRST + timedelta(days=n) for n in range(6)]
"""Played; the first game is before six in the morning of the first, the last after six of the morning after."""
MADE_AT = "2026-11-06T18:00:00.000000Z"
MAIN = replace(
    THREE_METERS,
    levels=(
        LevelSetup("Mega", 1_000_000, 120_001, 10_000),
        LevelSetup("Major", 500_000, 80_003, 5_001, maximum_cents=501_000),
        LevelSetup("Minor", 250_000, 40_007, 3),
    ),
)


class Clocked(LinkBook):
    """A link whose clock is set by the test, and whose awards have their checklist on record."""

    def __init__(self, setup: LinkSetup, name: str, now: datetime) -> None:
        self.now = now
        super().__init__(setup, name)

    def do(self, kind: type[LinkAct], *, by: Signed = DEALER, **fields: Any) -> Entry:
        act = kind(id=f"{self.link.name}-{len(self.entries) + 1}", by=by, **fields)
        self.now += timedelta(seconds=7, microseconds=1)
        decision = self.link.decide(act, stamp(self.now))
        notes = self._notes(decision.facts["cents"]) if isinstance(act, Confirm) else None
        entry = self.link.entry(act, stamp(self.now), decision, notes)
        self.link.apply(entry)
        self.entries.append(entry)
        return entry

    def _notes(self, cents: int) -> dict[str, Any]:
        setup, rules = self.link.state.setup, find_profile("washington/2").on(self.now.date())
        threshold = setup.executive_threshold_cents
        items = checklist(cents, wager_cents=setup.wager_cents, rules=rules, executive_above_cents=threshold)
        return {"checklist": [item.as_json() for item in items], "profile": "washington/2", "day": str(self.now.date())}


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def local(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZoneInfo(ZONE)).astimezone(UTC)


# Playing


def play_game(floor: Clocked, random: Random) -> None:
    """A game at some table; hands win far more often than cards would have it."""
    number = random.choice([1, 2, 3])
    seats = random.sample(range(1, 6), random.randint(0, 4))
    floor.start(number, *seats)
    lines = list(floor.link.state.setup.lines)
    for seat in seats:
        if random.random() < 0.4:
            floor.enter(number, seat, random.choice(lines))
            if random.random() < 0.2:
                floor.do(TakeBackHand, table=number, seat=seat)
    decide(floor, number, random)
    floor.end(number)


def decide(floor: Clocked, number: int, random: Random) -> None:
    if floor.link.state.of_round(number):
        floor.do(CallSupervisor, table=number)
    while pending := floor.link.state.in_line(number):
        if random.random() < 0.2:
            floor.do(VoidAward, award=pending[0].award, by=SUPERVISOR, reason="=The wager, so to say, was not lit.")
        else:
            award = pending[0].award
            floor.confirm(award, EXECUTIVE)
            if award % 3 == 0:
                slip = floor.do(IssueSlip, by=SUPERVISOR, award=award).facts["slip"]
                if award % 2:
                    floor.do(PaySlip, by=MANAGER, slip=slip, paid_in=PaidIn.CHECK, identity=Identity.STATE_ID)


def play_days(floor: Clocked, random: Random, games: int) -> None:
    for day in DAYS:
        if day == QUIET:
            continue
        for hour in (5, 6, 13, 23, 24):  # before six in the morning it is still the day before
            floor.now = max(floor.now, local(day + timedelta(days=hour // 24), hour % 24, random.randint(0, 40)))
            for _ in range(games):
                play_game(floor, random)
        adjust(floor, random)
    over_six(floor)


def adjust(floor: Clocked, random: Random) -> None:
    """Some cents of a meter, up or down, as far as it allows."""
    level, cents = random.choice(list(floor.link.state.setup.level)), random.randint(1, 900)
    ways = [(Purpose.TRAY, Purpose.METER), (Purpose.METER, Purpose.HOUSE), (Purpose.METER, Purpose.RESERVE)]
    source, target = random.choice(ways[1:] if floor.cents(Purpose.METER, level) >= cents else ways[:1])
    floor.do(
        Adjust,
        by=MANAGER,
        second=OTHER_MANAGER,
        **{"level": level, "cents": cents, "reason": Lawful.MALFUNCTION, "source": source, "target": target},
        text="A sensor lit; by itself.",
    )


def over_six(floor: Clocked) -> None:
    """An award that is entered two minutes before a day ends and confirmed after that."""
    floor.now = local(LAST + timedelta(days=1), 5, 58)
    line = next(line.label for line in floor.link.state.setup.lines.values() if line.is_share)
    floor.start(1, 2)
    award = floor.enter(1, 2, line)
    floor.now += timedelta(minutes=5)
    floor.confirm(award, EXECUTIVE)
    floor.end(1)
    floor.do(CloseLink, by=MANAGER, reason="The day is over.")
    changed = replace(floor.link.state.setup, executive_threshold_cents=400_000)
    floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=changed)
    floor.do(OpenLink, by=MANAGER)
    floor.start(2, 1, 2)  # a game is still on


def site_entries(floors: list[Clocked]) -> list[Entry]:
    """The site's book: a declared bank, a deposit, and the bank declared anew two days after."""
    people = (MANAGER, OTHER_MANAGER, SUPERVISOR, EXECUTIVE)
    names = {"max": "Max Mora", "mia": "Mia Roth", "sue": "Sue Berg", "eve": "Eve Lind"}
    acts = founding(hashed_cards(people), people, [felt(MAIN.tables[0])], names=names, title="Card Room", zone=ZONE)
    book = SiteBook(acts, at=stamp(local(FIRST, 4)))
    paid, contributed = ({floor.link.name: 0 for floor in floors} for _ in range(2))
    book.do(DeclareBank(id="b1", by="max", balance_cents=50_000_000, paid=paid))
    deposit = Deposit(id="b2", by="max", amount_cents=40_000, reference="A-17", contributed=contributed)
    book.do(deposit, stamp(local(DAYS[2], 12)))
    paid = {floor.link.name: sum_paid(floor, local(DAYS[3], 12)) for floor in floors}
    book.do(DeclareBank(id="b3", by="mia", balance_cents=1_900_000, paid=paid), stamp(local(DAYS[3], 12)))
    return book.entries


def sum_paid(floor: Clocked, at: datetime) -> int:
    return sum(
        units * (1 if str(target) == "players" else -1)
        for entry in floor.entries
        if entry.at <= stamp(at) and entry.kind in ("confirm", "pay", "unpay")
        for source, target, units in entry.transfers
        if {str(source).split(":")[0], str(target).split(":")[0]} & {"meter", "pending"}
        and "house" not in (str(source), str(target))
    )


def made_room(folder: Path, seed: int = 7, games: int = 6) -> tuple[str, Path]:
    """The store's address, and the file exported from it."""
    floors = []
    for name, setup in (("main", MAIN), ("other", STYLE_A)):
        random = Random(f"{seed} {name}")
        floor = Clocked(setup, name, local(FIRST, 4, 30))
        play_days(floor, random, games)
        floors.append(floor)
    url = f"sqlite:///{folder}/floor.db"
    with open_store(url) as store:
        for floor in floors:
            store.append(f"link:{floor.link.name}", floor.entries)
        store.append("site", site_entries(floors))
        export(store, sorted(store.streams()), folder / "ledger.jsonl.gz")
    return url, folder / "ledger.jsonl.gz"


# Sums straight from the exported file, by code that knows nothing of reports


def rows_of(file: Path, stream: str) -> list[dict[str, Any]]:
    rows, now = list[dict[str, Any]](), ""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            value = json.loads(line)
            now = value.get("stream", now)
            if "row" in value and now == stream:
                rows.append({**value["row"], "digest": value["digest"]})
    return rows


def gaming_day(at: str, begins_h: int = 6) -> date:
    """Right except in the hours around a change of clocks at the beginning of a day, which is not at six."""
    wall = datetime.fromisoformat(at).astimezone(ZoneInfo(ZONE)).replace(tzinfo=None)
    return (wall - timedelta(hours=begins_h)).date()


def within(rows: list[dict[str, Any]], period: Period) -> Iterator[dict[str, Any]]:
    first, last = period.first or date.min, period.last or date.max
    return (row for row in rows if first <= gaming_day(row["at"]) <= last)


def moved(rows: Iterator[dict[str, Any]] | list[dict[str, Any]], wanted: Callable[[str, str, str], bool]) -> int:
    """Units of all transfers for which `wanted(kind, source, target)`."""
    return sum(
        units for row in rows for source, target, units in row["transfers"] if wanted(row["kind"], source, target)
    )
