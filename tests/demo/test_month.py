"""A month of a card room on the real floor and in a real store: every balance, the export, and what chance allows.

`CROUPIER_ROUNDS=720000` plays thousands of rounds an hour for a month (make soak); the ordinary tests play fewer.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from itertools import product
from math import sqrt
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.analysis.meter.formulas import mean_at_hit_cents
from croupier.analysis.meter.plan import PlanLevel
from croupier.audit.balance import balance as prove
from croupier.audit.balance import read_day
from croupier.audit.export import chosen_streams, export
from croupier.audit.verify import Report, verify
from croupier.compliance.profile import Lawful
from croupier.demo.cardroom import STAGED
from croupier.demo.desk import SETUP, RehearsalFloor
from croupier.demo.figures import MeterLaw, Tally
from croupier.demo.rehearsal import LINK, OPEN_FOR, STREAM, STREAMS, Month, Rehearsed, _opening, rehearse
from croupier.errors import CroupierError, NotationError
from croupier.floor.floor import Floor
from croupier.floor.link.setup import LevelSetup
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.entry import UNITS_PER_CENT, Entry
from croupier.reports.awards import awards
from croupier.reports.balance import meter_balance
from croupier.reports.bank_cover import bank_cover
from croupier.reports.books import Books
from croupier.reports.period import Period, gaming_days
from croupier.reports.slips import slips
from croupier.store.store import open_store
from support.postgres import new_floor
from tests.store.memory import folder_in_memory

ROUNDS = int(os.environ.get("CROUPIER_ROUNDS", "21000"))
MONTH = Month(ROUNDS, seed=int(os.environ.get("CROUPIER_SEED", "7")), days=30)
BOUND = 4.0
"""Standard deviations that a figure may be off: among ten figures one in 1,500 months is further off by chance."""
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


MANY = frozenset({"start", "end", "pay", "unpay"})


@dataclass
class Played:
    """A month, and what there is to say about it; entries that are many are only counted."""

    url: str
    made: Rehearsed = field(init=False)
    report: Report = field(init=False)
    kinds: Counter[str] = field(default_factory=Counter)
    rare: list[Entry] = field(default_factory=list)
    staged: Entry = field(init=False)
    """The start of the round that was not drawn."""
    tally: Tally = field(default_factory=partial(Tally.of, SETUP))
    wrong: Tally = field(default_factory=partial(Tally.of, SETUP))
    """Of a book in which a tenth of the pays is left out, and Minor pays half as much again."""

    def take(self, entry: Entry) -> None:
        self.kinds[entry.kind] += 1
        if entry.kind not in MANY:
            self.rare.append(entry)
        elif entry.command.startswith(STAGED):
            self.staged = entry
        self.tally.take(entry)
        if entry.kind == "pay" and not self.kinds["pay"] % 10:
            return
        if entry.kind == "confirm" and entry.facts["level"] == "Minor":
            entry = replace(entry, facts={**entry.facts, "cents": entry.facts["cents"] * 3 // 2})
        self.wrong.take(entry)


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    """Every entry as it was acknowledged; that the store holds the same is for `verify` to say."""
    with folder_in_memory() as folder:
        played = Played(f"sqlite:///{folder}/month.db")
        played.made = rehearse(played.url, MONTH, KEY, watch=played.take)
        file = folder / "month.jsonl"
        with open_store(played.url) as store:
            endings = export(store, chosen_streams(store, None), file, played.made.checkpoints)
        assert {each.stream: (each.entries, each.digest) for each in endings} == played.made.books
        assert sum(played.kinds.values()) == played.made.entries
        played.report = verify(file, key=public_hex(KEY.public_key()))
        yield played


def test_every_level_of_every_day_ends_at_a_difference_of_nothing(played: Played) -> None:
    assert len(played.made.days) == MONTH.days
    for day in played.made.days:
        assert [each.level for each in day.proofs] == ["Mega", "Major", "Minor"]
        assert [each.difference for each in day.proofs] == [0, 0, 0]
    for before, after in zip(played.made.days, played.made.days[1:], strict=False):
        assert [each.opening for each in after.proofs] == [each.meter for each in before.proofs]


@pytest.mark.parametrize("place", [0, 6])
def test_the_balance_of_a_day_read_from_the_book_is_the_one_of_that_evening(played: Played, place: int) -> None:
    day = played.made.days[place]
    with open_store(played.url) as store:
        rows = ((row.digest, row.body.encode()) for row in store.rows(STREAM, limit=day.entries))
        check, proofs = prove(STREAM, rows, day.signed, str(read_day(day.signed) + timedelta(days=1)))
    assert check.entries == day.entries
    assert proofs == day.proofs


@pytest.mark.parametrize("place", [0, 6])
def test_the_report_of_a_gaming_day_is_that_of_the_same_evening(played: Played, place: int) -> None:
    day = played.made.days[place]
    with open_store(played.url) as store:
        books = Books(store, LINK)
        zone, begins_h = books.clock()
        assert zone == "America/Los_Angeles"
        period = gaming_days(read_day(day.day), zone=zone, begins_h=begins_h)
        report = meter_balance(books, period, f"{day.signed}T20:00:00.000000Z")
    assert [row.closing_units for row in report.rows] == [each.meter for each in day.proofs]
    assert [row.opening_units for row in report.rows] == [each.opening for each in day.proofs]
    assert [head.entries for head in report.heading.heads if head.book == LINK] == [day.entries]


def test_the_rehearsal_replaces_only_what_a_floor_calls() -> None:
    """A self-check under another name would be called by nobody, and the month read thirty times over."""
    own = {name for name, value in vars(RehearsalFloor).items() if callable(value)} - {"__init__"}
    assert own
    assert own <= set(vars(Floor))


def test_its_export_verifies_with_every_day_signed(played: Played) -> None:
    assert played.report.right, played.report.wrong
    assert played.report.checkpoints == MONTH.days * len(STREAMS)
    assert [book.stream for book in played.report.books] == list(STREAMS)
    book = played.report.books[1]
    assert (book.entries, book.days, book.games) == (played.made.entries, MONTH.days, MONTH.rounds)
    assert [each.difference for each in book.proofs] == [0, 0, 0]


def test_the_site_proves_the_people_and_every_list_that_an_award_calls_for(played: Played) -> None:
    assert played.report.people
    assert played.report.unproved == []
    for entry in played.rare:
        if entry.kind == "confirm":
            assert entry.facts["notes"]["checklist"], entry.number


def test_people_of_every_role_work_there_and_the_bank_is_always_covered(played: Played) -> None:
    with open_store(played.url) as store:
        entries = list(store.entries("site"))
        report = bank_cover(Books(store), Period(), f"{played.made.days[-1].signed}T20:00:00.000000Z")
    roles = {entry.facts["role"] for entry in entries if entry.kind == "enrol-person"}
    assert roles == {"manager", "executive", "supervisor", "auditor", "dealer"}
    deposits = [row for row in report.rows if row.event == "deposited"]
    assert len(deposits) == MONTH.days // 6
    assert not any(row.links_must_stop for row in report.rows)


def test_at_the_side_table_parts_of_the_meter_are_won(played: Played) -> None:
    with open_store(played.url) as store:
        entered = [entry for entry in store.entries("link:side") if entry.kind == "enter"]
    held = [award for entry in entered for award in entry.facts["held"]]
    assert {award["share"] for award in held if "share" in award} - {"1"}
    assert any("parts" in award for award in held), "fixed pays that take a card"


def test_the_cage_pays_against_slips_and_an_award_that_was_backed_out_is_not_paid(played: Played) -> None:
    with open_store(played.url) as store:
        rows = {row.award: row for row in slips(Books(store, "side"), Period(), f"{MONTH.first}T20:00:00Z").rows}
        won = awards(Books(store, "side"), Period(), f"{MONTH.first}T20:00:00Z").rows
    [backed_out] = [row for row in won if row.status == "backed out"]
    assert rows[backed_out.award].status == "backed out, not to be paid"
    confirmed = {row.award for row in won if row.status == "confirmed"}
    assert {award for award, row in rows.items() if row.status == "paid"} == confirmed
    assert played.kinds["issue-slip"] == played.kinds["pay-slip"] == played.kinds["confirm"]


def test_every_gaming_day_is_within_one_day_of_utc_also_when_clocks_are_set() -> None:
    for number in range(800):
        day = date(2024, 1, 1) + timedelta(days=number)
        opens = _opening(day)
        assert opens.date() == (opens + OPEN_FOR + timedelta(minutes=30)).date() == day + timedelta(days=1)


def test_something_of_everything_happens_in_it(played: Played) -> None:
    kinds = played.kinds
    assert kinds["start"] == kinds["end"] == MONTH.rounds
    assert kinds["enter"] == kinds["confirm"] + kinds["void"] + kinds["take-back"]
    assert kinds["open"] == kinds["close"] > MONTH.days
    assert kinds["make"] == kinds["reconfigure"] == 1
    for kind, least in {"confirm": 8, "void": 20, "take-back": 20, "unpay": 20, "call": 20, "adjust": 14}.items():
        assert kinds[kind] >= least, kind


def test_two_win_the_same_meter_in_one_round_and_the_second_gets_the_next_meter(played: Played) -> None:
    of_round = (played.staged.facts["table"], played.staged.facts["round"])
    confirmed = [
        entry.facts
        for entry in played.rare
        if entry.kind == "confirm" and (entry.facts["table"], entry.facts["round"]) == of_round
    ]
    assert [each["seat"] for each in confirmed] == [6, 3]
    first, second = confirmed
    seed = SETUP.level["Minor"].seed_cents * UNITS_PER_CENT
    left = first["meter_units"] - first["cents"] * UNITS_PER_CENT
    assert second["meter_units"] == left + seed + first["reserve_units"]


def test_adjustments_are_by_two_for_a_lawful_reason_and_come_to_nothing(played: Played) -> None:
    adjusted = [entry.facts for entry in played.rare if entry.kind == "adjust"]
    assert all(each["by"] != each["second"] for each in adjusted)
    assert {each["reason"] for each in adjusted} == {Lawful.MALFUNCTION}
    assert Counter(each["from"] for each in adjusted) == Counter(each["to"] for each in adjusted)


def test_cards_are_those_that_the_amount_takes(played: Played) -> None:
    confirmed = [entry.facts for entry in played.rare if entry.kind == "confirm"]
    roles = {(each["by"][1], each["cents"] > each["threshold_cents"]) for each in confirmed}
    assert roles == {("supervisor", False), ("executive", True)}


# What chance allows


def test_hits_awards_and_hold_are_what_the_counts_lead_one_to_expect(played: Played) -> None:
    off = {each.what: round(each.z, 2) for each in played.tally.figures().all}
    assert len(off) == 6 + 3 + 1 + 3
    assert {what: z for what, z in off.items() if abs(z) >= BOUND} == {}


def test_contributions_are_exact(played: Played) -> None:
    for each in played.tally.figures().contributions:
        assert each.found == each.expected > 0


def test_a_tenth_of_the_pays_left_out_would_be_seen(played: Played) -> None:
    assert max(abs(each.z) for each in played.wrong.figures().hits) > BOUND


def test_a_meter_that_pays_half_as_much_again_would_be_seen(played: Played) -> None:
    right, wrong = ({each.what: each.z for each in tally.figures().paid} for tally in (played.tally, played.wrong))
    assert wrong["paid from Minor"] > BOUND
    assert (wrong["paid from Mega"], wrong["paid from Major"]) == (right["paid from Mega"], right["paid from Major"])


def test_the_law_of_a_meter_is_that_of_all_ways_it_can_go() -> None:
    """Every sequence of hits and misses of a few rounds, each with its probability, in whole numbers."""
    level, wager, hit, rounds = LevelSetup("", 70_000, 120_000, 30_000), 500, Fraction(2, 7), (2, 1, 3)
    law = MeterLaw(level, wager, hit)
    for wagers in rounds:
        law.contribute(wagers)
        law.draw(wagers)
    mean = square = Fraction(0)
    for hits in product((True, False), repeat=sum(rounds)):
        chance, paid = path(level, wager, hit, rounds, hits)
        mean, square = mean + chance * paid, square + chance * paid * paid
    assert law.paid_cents == pytest.approx((float(mean), sqrt(square - mean * mean)))


def path(
    level: LevelSetup, wager: int, hit: Fraction, rounds: tuple[int, ...], hits: tuple[bool, ...]
) -> tuple[Fraction, Fraction]:
    """The chance of one way, and the cents that are paid on it."""
    coming, chance = iter(hits), Fraction(1)
    meter, reserve, paid = Fraction(level.seed_cents), Fraction(0), Fraction(0)
    for wagers in rounds:
        meter += wagers * wager * Fraction(level.contribution_ppm, 1_000_000)
        reserve += wagers * wager * Fraction(level.reserve_ppm, 1_000_000)
        for _ in range(wagers):
            won = next(coming)
            chance *= hit if won else 1 - hit
            if won:
                paid, meter, reserve = paid + meter, level.seed_cents + reserve, Fraction(0)
    return chance, paid


def test_in_the_long_run_the_law_is_the_planners_formula() -> None:
    """One wager a round, as the planner counts: the mean meter at a hit is (p seed + r + c) / p."""
    hit, level = Fraction(1, 200), LevelSetup("", 250_000, 148_000, 6_000)
    law = MeterLaw(level, 500, hit)
    for _ in range(5_000):
        law.contribute(1)
        law.draw(1)
    law.contribute(1)
    plan = PlanLevel("", 500 * 148_000, 500 * 6_000, 250_000, hit, hit, hit)
    assert law.meter_cents == pytest.approx(float(mean_at_hit_cents(plan)), rel=1e-6)


# The same month, and no month


def test_the_same_month_makes_the_same_book_in_every_store(tmp_path: Path) -> None:
    month = Month(120, seed=3, days=3)
    one, other = (rehearse(url, month, KEY) for url in (f"sqlite:///{tmp_path}/month.db", new_floor()))
    assert one == other
    assert list(one.books) == list(STREAMS)
    assert one.digest != rehearse(f"sqlite:///{tmp_path}/other.db", replace(month, seed=4), KEY).digest


def test_a_store_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    url, month = f"sqlite:///{tmp_path}/month.db", Month(30, seed=3, days=2)
    made = rehearse(url, month, KEY)
    with pytest.raises(CroupierError, match="holds link:rehearsal, link:side, site already"):
        rehearse(url, month, KEY)
    with open_store(url) as store:
        assert store.last(STREAM).number == made.entries  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("rounds", "days"), [(0, 1), (89, 30), (10_000_001, 30), (300, 0), (3_000, 367), (1_000_001, 1)]
)
def test_a_month_has_a_sensible_size(rounds: int, days: int) -> None:
    with pytest.raises(NotationError, match="A rehearsal has"):
        Month(rounds, 1, days)


def test_a_month_is_not_older_than_the_rules_that_it_is_played_by() -> None:
    with pytest.raises(NotationError, match="begins on 2024-01-01 or later, not on 2023-12-31"):
        Month(300, 1, 3, date(2023, 12, 31))
