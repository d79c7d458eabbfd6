"""A progressive that was removed: both verifiers ask for the plan, its days of posting, and where the prize went."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import export
from croupier.audit.roster import Given, Place, Retired, Roster
from croupier.audit.verify import verify
from croupier.compliance.profile import Destination, Fact, edition_names, find_profile, profile_names
from croupier.errors import Refusal
from croupier.floor.house import House
from croupier.floor.link.acts import Receive, Retire
from croupier.floor.link.brief import LinkBrief
from croupier.floor.site.acts import ChooseProfile, DeclareBank
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
from croupier.floor.site.site import Site
from croupier.ledger.entry import UNITS_PER_CENT, Entry
from support.room import MANAGER, OTHER_MANAGER, LinkBook, SiteBook
from tests.audit.books import MAIN, HousedLink, Kept, card_room, resealed
from tests.audit.test_verifier import verifier, wrong_row

OPENED, PLANNED, GIVEN = "2026-10-20T20:00:00.000000Z", "2026-11-10T20:00:00.000000Z", "2026-11-16T20:00:00.000000Z"


@dataclass
class Books:
    site: list[Entry]
    main: list[Entry]

    @property
    def plan(self) -> int:
        return next(entry.number for entry in self.site if entry.kind == "plan-removal")

    @property
    def gifts(self) -> list[int]:
        return [entry.number for entry in self.site if entry.kind == "give-prize"]

    def verdicts(self, path: Path) -> list[tuple[str, int]]:
        """The book and the row that each verifier names."""
        export(Kept(site=self.site, link_main=self.main), ["site", MAIN], path / "x.jsonl")
        report = verify(path / "x.jsonl")
        named = [(report.wrong_stream, report.wrong_row or 0)]
        try:
            verifier.verify(path / "x.jsonl")
        except verifier.Wrong as wrong:
            return [*named, (wrong.stream, wrong.row)]
        return [*named, ("", 0)]


def made(
    destination: Destination = Destination.NONPROFIT, profile: str = "washington/2", bank_cents: int = 10**9
) -> Books:
    """A link with a seed of $10,000 that is retired on 15 November, ten days after the notice was posted."""
    site = SiteBook(card_room(profile=profile), at=OPENED)
    site.do(DeclareBank(id="bank", by="max", balance_cents=bank_cents, paid={}))
    house = House(site=site.site)
    link = LinkBook(link=HousedLink("main", house), opened=False)
    house.links["other"] = LinkBrief.of(LinkBook(name="other").link.state)
    dated = {"approved": "2026-11-02", "posted": "2026-11-05"}
    signed = {"by": "max", "second": "mia", "link": "main"}
    site.do(PlanRemoval(id="p", **signed, plan="letter of 2 November", **dated, destination=destination), PLANNED)  # type: ignore[arg-type]
    away = destination is not Destination.PROGRESSIVE
    link.do(Retire, by=MANAGER, second=OTHER_MANAGER, **({"destination": destination} if away else {"to": "other"}))
    game = {} if destination is Destination.NONPROFIT else {"game": link.link.state.setup.tables[0].title}
    for number, cents in enumerate((400_000, 600_000) if away else ()):
        gift = {"amount_cents": cents, "recipient": "Harbor Youth Bingo", "reference": f"check {number}", **game}
        site.do(GivePrize(id=f"g{number}", **signed, **gift), GIVEN)  # type: ignore[arg-type]
    return Books(site.entries, link.entries)


@pytest.mark.parametrize("destination", Destination, ids=str)
def test_every_destination_is_proved_by_both(tmp_path: Path, destination: Destination) -> None:
    assert made(destination).verdicts(tmp_path) == [("", 0), ("", 0)]


def test_a_gift_from_an_account_that_does_not_hold_it_is_found_by_both(tmp_path: Path) -> None:
    books = made(bank_cents=1_000_000)
    assert books.verdicts(tmp_path) == [("", 0), ("", 0)], "to the last cent"
    declared = next(entry.number for entry in books.site if entry.kind == "declare-bank")

    def less(values: dict[str, Any]) -> None:
        values["facts"]["balance_cents"] = 999_999
        values["transfers"][0][2] = 999_999 * 1_000_000

    books.site = resealed(books.site, declared, less)
    assert books.verdicts(tmp_path) == [("site", books.gifts[-1])] * 2


def reconciled(month: Callable[[list[Entry]], dict[str, Any]], fund_cents: int = 1_000_000, *, gifts: int = 0) -> Books:
    """The link was retired in November, so many parts of its prize were given away, and the month is reconciled."""
    books = made()
    site = SiteBook()
    for entry in books.site[: books.gifts[0] - 1 + gifts]:
        site.site.apply(entry)
        site.entries.append(entry)
    funds = month(books.main)
    act = Reconcile(id="r", by="max", month="2026-11", statement_cents=fund_cents, fund_cents=fund_cents, links=funds)
    site.do(act, "2026-12-03T20:00:00.000000Z")
    return Books(site.entries, books.main)


def _november(main: list[Entry], carried: int = 1_000_000 * UNITS_PER_CENT) -> dict[str, Any]:
    entry = main[-1]
    return {"main": {"entries": entry.number, "digest": entry.digest, "units": 0, "carried_units": carried}}


def test_a_month_is_proved_with_what_a_retired_link_gave_up(tmp_path: Path) -> None:
    assert reconciled(_november).verdicts(tmp_path) == [("", 0), ("", 0)]


@pytest.mark.parametrize(("gifts", "left"), [(0, 1_000_000), (1, 600_000), (2, 0)])
def test_what_is_on_its_way_is_recomputed_from_the_gifts(tmp_path: Path, gifts: int, left: int) -> None:
    for said in {left, 1_000_000, left - 1 if left else 1}:
        books = reconciled(lambda main, said=said: _november(main, said * UNITS_PER_CENT), said, gifts=gifts)  # type: ignore[misc]
        wrong = ("", 0) if said == left else ("site", len(books.site))
        assert books.verdicts(tmp_path) == [wrong] * 2, said


@pytest.mark.parametrize("received", ["2026-11-20T20:00:00.000000Z", "2026-12-02T20:00:00.000000Z"])
@pytest.mark.parametrize("there", [True, False], ids=["both books", "one book"])
def test_what_is_on_its_way_to_another_link_is_recomputed_from_its_receipt(
    tmp_path: Path, received: str, there: bool
) -> None:
    """Received in the month or after it; where the other book is not in the file, nobody can tell."""
    moved = made(Destination.PROGRESSIVE)
    site = SiteBook()
    for entry in moved.site:
        site.site.apply(entry)
    other = LinkBook(name="other", link=HousedLink("other", House(site=site.site)), opened=False)
    levels = {"source": "main", "entry": moved.main[-1].as_json(), "levels": {"": ""}}
    other.entries.append(other.link.handle(Receive(id="r", by=MANAGER, second=OTHER_MANAGER, **levels), received))  # type: ignore[arg-type]
    in_time = received < "2026-12"
    last = other.entries[-1 if in_time else -2]
    theirs = {"entries": last.number, "digest": last.digest, "units": (2 if in_time else 1) * 10**6 * UNITS_PER_CENT}
    for carried in (0, 10**6):
        funds = _november(moved.main, carried * UNITS_PER_CENT) | ({"other": theirs} if there else {})
        cents = sum(fund["units"] + fund.get("carried_units", 0) for fund in funds.values()) // UNITS_PER_CENT
        amounts = {"month": "2026-11", "statement_cents": cents, "fund_cents": cents, "links": funds}
        month = site.site.handle(Reconcile(id="r", by="max", **amounts), "2026-12-03T20:00:00.000000Z")
        books = Kept(site=[*moved.site, month], link_main=moved.main, link_other=other.entries)
        export(books, ["site", MAIN, *(["link:other"] if there else [])], tmp_path / "x.jsonl")
        fine = not there or carried == (0 if in_time else 10**6)
        report = verify(tmp_path / "x.jsonl")
        assert (report.wrong_stream, report.wrong_row or 0) == (("", 0) if fine else ("site", month.number)), (
            report.wrong
        )
        assert wrong_row(tmp_path / "x.jsonl") == (("", 0) if fine else ("site", month.number))
        said = "when other received what main gave up: it is not in the file"
        if not there:
            assert said in report.unproved
            assert said in verifier.verify(tmp_path / "x.jsonl")["not_proved"]


@pytest.mark.parametrize("cheat", ["left out", "more on its way", "negative"])
def test_a_month_that_is_not_of_the_books_is_found_by_both(tmp_path: Path, cheat: str) -> None:
    if cheat == "left out":
        books = reconciled(lambda _: {}, 0)
    elif cheat == "more on its way":
        books = reconciled(lambda main: _november(main, 1_000_001 * UNITS_PER_CENT), 1_000_001)
    else:
        books = reconciled(lambda main: _november(main, 0), 0)

        def below(values: dict[str, Any]) -> None:
            values["facts"]["links"]["main"]["carried_units"] = -1

        books.site = resealed(books.site, len(books.site), below)
    assert books.verdicts(tmp_path) == [("site", len(books.site))] * 2


@pytest.mark.parametrize(("until", "is_before"), [("00Z", False), ("00.50Z", False), ("00.6Z", True), ("01Z", True)])
def test_what_came_before_a_months_end_is_told_by_the_clock(until: str, is_before: bool) -> None:
    """A month's end to another precision than the rows: as text, 08:00:00.5Z is before 08:00:00Z."""
    books, minute, roster = reconciled(_november), "2026-12-01T08:00:", Roster()
    month = books.site[-1]
    roster.take_custody(Site(), replace(month, facts={**month.facts, "until": minute + until}))
    at, retired = minute + "00.500000Z", books.main[-1]
    began = {MAIN: OPENED, "link:late": at, "link:other": OPENED}
    ended = Retired(retired.number, retired.digest, retired.at, "", "other", 10**6 * UNITS_PER_CENT, frozenset())
    left_out = {why.split(",")[0] for _, why in roster.wrong_months(began, {MAIN: ended}, {ended.digest: at})}
    late, carried = "leaves out the link late", "has 1"
    assert ((late in left_out), (carried in left_out)) == (is_before, is_before)
    roster.given.append(Given(1, at, "main", "nonprofit", 10**6, "", "", Place(at, "", "UTC")))
    given_away = {why.split(",")[0] for _, why in roster.wrong_months(began, {MAIN: ended._replace(to="")}, {})}
    assert (carried in given_away) == is_before


def test_what_is_on_its_way_is_not_below_nothing() -> None:
    with pytest.raises(Refusal, match="carried_units of the link main is a whole number of units, 0 or more, not -1"):
        reconciled(lambda main: _november(main, -1))


def _fact(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values["facts"].update({name: value})


def _amount(cents: int) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        values["facts"]["amount_cents"] = cents
        values["transfers"][0][2] = cents * 1_000_000

    return change


Cheat = tuple[Callable[[Books], int], Callable[[dict[str, Any]], None], str]
OF_THE_SITE: dict[str, Cheat] = {
    "posted nine days": (lambda books: books.plan, _fact("posted", "2026-11-06"), MAIN),
    "another destination": (lambda books: books.plan, _fact("destination", "promotion"), MAIN),
    "another link": (lambda books: books.plan, _fact("link", "other"), MAIN),
    "planned after it": (
        lambda books: books.plan,
        lambda values: values.update(at="2026-11-15T23:00:00.000000Z"),
        MAIN,
    ),
    "a cent too much": (lambda books: books.gifts[-1], _amount(600_001), "site"),
    "given before it": (
        lambda books: books.gifts[0],
        lambda row: row.update(at="2026-11-15T19:00:00.000000Z"),
        "site",
    ),
}


@pytest.mark.parametrize("cheat", OF_THE_SITE)
def test_a_removal_against_the_rules_is_found_by_both(tmp_path: Path, cheat: str) -> None:
    place, change, stream = OF_THE_SITE[cheat]
    books = made()
    books.site = resealed(books.site, place(books), change)
    if cheat in ("another destination", "another link"):  # what follows from the other plan is changed with it
        books.site = books.site[: books.plan]
    row = len(books.main) if stream == MAIN else place(books)
    assert books.verdicts(tmp_path) == [(stream, row), (stream, row)]


@pytest.mark.parametrize("destination", [Destination.PROMOTION, Destination.TOURNAMENT], ids=str)
def test_a_gift_on_another_game_is_found_by_both(tmp_path: Path, destination: Destination) -> None:
    books = made(destination)
    books.site = resealed(books.site, books.gifts[-1], _fact("game", "Baccarat"))
    assert books.verdicts(tmp_path) == [("site", books.gifts[-1])] * 2


@pytest.mark.parametrize(
    ("destination", "at", "note", "fine"),
    [
        (Destination.PROMOTION, "2027-01-14T23:59:59.000000Z", "", True),  # of the last day there
        (Destination.PROMOTION, "2027-01-15T00:00:00.000000Z", "", False),
        (Destination.PROMOTION, "2027-01-15T00:00:00.000000Z", "The tournament hall was flooded.", True),
        (Destination.TOURNAMENT, "2027-01-15T00:00:00.000000Z", " ", False),
        (Destination.NONPROFIT, "2028-01-01T00:00:00.000000Z", "", True),
    ],
)
def test_a_late_gift_without_a_note_is_found_by_both(
    tmp_path: Path, destination: Destination, at: str, note: str, fine: bool
) -> None:
    """The link was retired on 15 November 2026, and sixty days are asked for."""
    books = made(destination)

    def late(row: dict[str, Any]) -> None:
        row["at"], row["facts"]["note"] = at, note

    books.site = resealed(books.site, books.gifts[-1], late)
    assert books.verdicts(tmp_path) == [("", 0) if fine else ("site", books.gifts[-1])] * 2


def test_before_the_place_asked_for_it_a_gift_has_its_time(tmp_path: Path) -> None:
    books = made(Destination.PROMOTION, profile="washington")
    books.site = resealed(books.site, books.gifts[-1], lambda row: row.update(at="2028-01-01T00:00:00.000000Z"))
    assert books.verdicts(tmp_path) == [("", 0), ("", 0)]


@pytest.mark.parametrize("destination", [Destination.PROGRESSIVE, Destination.NONPROFIT], ids=str)
def test_a_retirement_without_a_plan_is_found_by_both(tmp_path: Path, destination: Destination) -> None:
    books = made(destination)
    books.site = books.site[: books.plan - 1]
    assert books.verdicts(tmp_path) == [(MAIN, len(books.main))] * 2


def test_where_no_plan_was_asked_for_none_is(tmp_path: Path) -> None:
    books = made(Destination.PROGRESSIVE, profile="washington")
    books.site = books.site[: books.plan - 1]
    assert books.verdicts(tmp_path) == [("", 0), ("", 0)]


def test_the_rules_of_the_day_count(tmp_path: Path) -> None:
    """The site moves to the edition that asks for a plan only after the link was retired."""
    books = made(Destination.PROGRESSIVE, profile="washington")
    site = SiteBook()
    for entry in books.site[: books.plan - 1]:
        site.site.apply(entry)
        site.entries.append(entry)
    site.do(ChooseProfile(id="e", by="max", second="mia", profile="washington/2"), GIVEN)
    books.site = site.entries
    assert books.verdicts(tmp_path) == [("", 0), ("", 0)]


def test_a_link_that_says_another_destination_is_found(tmp_path: Path) -> None:
    books = made()
    books.main = resealed(books.main, len(books.main), _fact("destination", "house"))
    assert books.verdicts(tmp_path) == [(MAIN, len(books.main))] * 2


def test_a_prize_of_a_book_that_is_not_there_is_said_not_to_be_proved(tmp_path: Path) -> None:
    export(Kept(site=made().site), ["site"], tmp_path / "x.jsonl")
    assert "prizes given away of links not in the file: $10,000.00 not proved" in verify(tmp_path / "x.jsonl").unproved
    said = [each for each in verifier.verify(tmp_path / "x.jsonl")["not_proved"] if "given away" in each]
    assert said == ["what was given away of the prize of main, whose book is not in the file"] * 2


def test_the_second_verifier_knows_which_editions_ask_for_a_plan() -> None:
    """It has no profiles: it has the places and first editions of ledger 9.3."""
    asking = {}
    for name in (each for place in profile_names() for each in edition_names(place)):
        profile = find_profile(name)
        place, _, number = name.partition("/")
        asked = [rule.value for rule in profile.rules if rule.fact is Fact.PLAN_TO_REMOVE and rule.value]
        days = [rule.value for rule in profile.rules if rule.fact is Fact.REMOVAL_POSTED]
        if asked:
            asking[place, int(number or 1)] = days
    known = {place: days.days for place, days in verifier.POSTED.items()}
    for (place, edition), days in asking.items():
        assert [known[place, first] for name, first in known if name == place and edition >= first] == days
    assert set(known) <= set(asking)


def test_the_second_verifier_knows_which_editions_ask_for_a_gift_in_time() -> None:
    for name in (each for place in profile_names() for each in edition_names(place)):
        place, _, number = name.partition("/")
        asked = [rule.value for rule in find_profile(name).rules if rule.fact is Fact.REMOVAL_WITHIN]
        known = [days.days for days in verifier.days_of(verifier.WITHIN, (place, int(number or 1)))]
        assert known == asked, name
