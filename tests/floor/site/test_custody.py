"""Prize money in custody: the month's reconciliation, its reminder, and the plan by which a progressive is removed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.compliance.profile import Destination
from croupier.errors import Refusal
from croupier.floor.house import FloorLink, FloorSite, House
from croupier.floor.link.acts import Retire
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link
from croupier.floor.refusals import No
from croupier.floor.site.acts import DeclareBank, SiteAct
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
from croupier.floor.site.site import Site
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose
from support.room import MANAGER, OTHER_MANAGER, LinkBook, SiteBook
from tests.audit.books import card_room, ledger_file, raw, resealed
from tests.audit.test_verifier import wrong_row

OCTOBER, NOVEMBER, LATE = "2026-10-20T20:00:00Z", "2026-11-03T20:00:00Z", "2026-11-15T20:00:00Z"
MONTH = Reconcile(id="r1", by="max", month="2026-10", statement_cents=1_000_000, fund_cents=1_000_000)
PLANNED: dict[str, Any] = {
    **{"id": "p1", "by": "max", "second": "mia", "link": "main", "plan": "letter of 2 November"},
    **{"approved": "2026-11-02", "posted": "2026-11-05", "destination": Destination.PROGRESSIVE},
}


def book(profile: str = "washington/2") -> SiteBook:
    """A site since October, whose account was opened then."""
    made = SiteBook(card_room(profile=profile), at=OCTOBER)
    made.do(DeclareBank(id="bank", by="max", balance_cents=2_000_000, paid={}))
    return made


def refused(site: Site, act: SiteAct, code: str, at: str = LATE) -> str:
    with pytest.raises(Refusal) as error:
        site.handle(act, at)
    assert error.value.code == code
    return str(error.value)


# The month


def reminders(site: Site, at: str) -> list[str]:
    return [each.sentence for each in site.cover([], at).findings if each.code == "not-reconciled"]


def test_a_month_that_is_over_is_to_be_reconciled_within_seven_days() -> None:
    site = book()
    assert reminders(site.site, "2026-10-31T20:00:00Z") == []
    [due] = reminders(site.site, NOVEMBER)
    assert due == "The bank's statement of 2026-10 is to be held against the fund balances, in writing, by 2026-11-07."
    assert reminders(site.site, "2026-11-07T20:00:00Z") == [due]
    assert reminders(site.site, "2026-11-08T20:00:00Z") == [f"{due} It is late."]
    assert not site.site.cover([], LATE).links_must_stop
    entry = site.do(MONTH, NOVEMBER)
    assert entry.facts["difference_cents"] == 0
    assert reminders(site.site, LATE) == []
    assert reminders(site.site, "2026-12-01T20:00:00Z"), "and then the next month"
    assert Site.of_snapshot(site.site.snapshot()) == site.site
    assert reminders(book("washington").site, LATE) == [], "the first edition does not know it"


def test_a_difference_is_resolved_in_writing() -> None:
    site = book()
    short = replace(MONTH, statement_cents=999_000)
    assert "differ by $10.00" in refused(site.site, short, No.UNEXPLAINED)
    entry = site.do(replace(short, note="A deposit of 31 October arrived on the 2nd."), LATE)
    assert entry.facts["difference_cents"] == -1_000


def test_only_months_of_the_site_that_are_over_are_reconciled() -> None:
    site = book().site
    for month in ("2026-09", "2026-11"):
        assert month in refused(site, replace(MONTH, month=month), No.NO_SUCH_MONTH)
    refused(site, replace(MONTH, by="sue"), Denied.NOT_ALLOWED)
    for wrong in ("2026-13", "October", "2026-1"):
        with pytest.raises(Refusal, match="written as"):
            replace(MONTH, month=wrong)


# Removing a progressive


def house(profile: str = "washington/2", **changes: Any) -> tuple[House, FloorSite, FloorLink]:
    """Two links, one of them closed and to be removed."""
    made = House()
    site = FloorSite(made, book(profile).site)
    made.site = site
    links = [LinkBook(name=name) for name in ("main", "other")]
    links[0].close()
    made.links = {each.link.name: LinkBrief.of(each.link.state) for each in links}
    if changes:
        site.apply(site.handle(PlanRemoval(**{**PLANNED, **changes}), LATE))
    return made, site, FloorLink("main", made, links[0].link.state)


def retire(link: FloorLink, at: str) -> Entry:
    return link.handle(Retire(id="x", by=MANAGER, second=OTHER_MANAGER, to="other"), at)


def test_a_link_is_retired_by_an_approved_plan_that_was_posted_ten_days() -> None:
    made, site, link = house()
    with pytest.raises(Refusal, match=r"a written plan that is approved first.*\(WAC 230-15-710\)\.") as none:
        retire(link, LATE)
    assert none.value.code == No.NO_REMOVAL_PLAN
    site.apply(site.handle(PlanRemoval(**PLANNED), LATE))
    with pytest.raises(Refusal, match="posted since 2026-11-05: it can be retired from 2026-11-15 on") as early:
        retire(link, "2026-11-14T20:00:00Z")
    assert early.value.code == No.POSTED_TOO_SHORT
    assert retire(link, LATE).facts["to"] == "other"
    assert Site.of_snapshot(site.snapshot()).removals == site.removals == made.site.removals
    assert retire(house("washington")[2], LATE).kind == "retire", "the first edition asks for no plan"


def test_a_prize_that_goes_elsewhere_goes_to_no_link() -> None:
    _, _, link = house(destination=Destination.NONPROFIT)
    with pytest.raises(Refusal, match="goes to nonprofit: retire it to that") as error:
        retire(link, LATE)
    assert error.value.code == No.OTHER_DESTINATION
    with pytest.raises(Refusal) as other:
        link.handle(retiring(Destination.PROMOTION), LATE)
    assert other.value.code == No.OTHER_DESTINATION
    with pytest.raises(Refusal, match="nothing else says where its prize goes"):
        house("washington")[2].handle(retiring(Destination.NONPROFIT), LATE)
    for wrong in ({"to": "other", "destination": Destination.NONPROFIT}, {}, {"destination": Destination.PROGRESSIVE}):
        with pytest.raises(Refusal, match="to another link, or to one of promotion, free-tournament, nonprofit"):
            Retire(id="x", by=MANAGER, second=OTHER_MANAGER, **wrong)


def retiring(destination: Destination) -> Retire:
    return Retire(id="x", by=MANAGER, second=OTHER_MANAGER, destination=destination)


GIFT: dict[str, Any] = {
    **{"id": "g1", "by": "max", "second": "mia", "link": "main", "amount_cents": 300_000},
    **{"recipient": "Harbor Youth Bingo", "reference": "check 1042"},
}


def removed(destination: Destination) -> tuple[House, FloorSite, FloorLink]:
    """The link is retired to where its prize is given away."""
    made, site, link = house(destination=destination)
    link.apply(link.handle(retiring(destination), LATE))
    made.links["main"] = LinkBrief.of(link.state)
    return made, site, link


def give(site: FloorSite, at: str = LATE, **changes: Any) -> Entry:
    entry = site.handle(GivePrize(**{**GIFT, **changes}), at)
    site.apply(entry)
    return entry


def test_a_removed_prize_is_owed_until_it_was_given_away() -> None:
    made, site, link = removed(Destination.NONPROFIT)
    assert link.state.units(Purpose.METER, "") == 0
    owed, there = made.cover(LATE).owed_cents, made.cover(LATE).is_there_cents
    prize = LinkBrief.of(link.state).carried // UNITS_PER_CENT
    assert prize == 1_000_000
    entry = give(site)
    assert [(str(each.source), str(each.target), each.units) for each in entry.transfers] == [
        ("bank", "floor", 300_000 * UNITS_PER_CENT)
    ]
    cover = made.cover(LATE)
    assert (cover.owed_cents, cover.is_there_cents) == (owed - 300_000, there - 300_000)
    assert "$7,000.00 is left to give, and not $7,000.01" in refused(
        site, GivePrize(**{**GIFT, "amount_cents": 700_001}), No.MORE_THAN_LEFT
    )
    give(site, amount_cents=700_000, id="g2")
    assert made.cover(LATE).owed_cents == owed - 1_000_000
    assert Site.of_snapshot(site.snapshot()).given == site.given == {"main": 1_000_000}
    refused(site, GivePrize(**{**GIFT, "amount_cents": 1}), No.MORE_THAN_LEFT)
    with pytest.raises(Refusal, match="retired, and its value was moved to a nonprofit"):
        link.handle(retiring(Destination.NONPROFIT), LATE)
    assert Link.of_snapshot(link.snapshot()).state == link.state


def test_no_more_is_given_than_the_account_holds() -> None:
    made, site, _ = removed(Destination.NONPROFIT)
    site.apply(site.handle(DeclareBank(id="less", by="max", balance_cents=300_000, paid={}), LATE))
    more = GivePrize(**{**GIFT, "amount_cents": 300_001})
    said = "The account for prizes holds $3,000.00, and $3,000.01 cannot be given from it: deposit the rest first."
    assert refused(site, more, No.NOT_IN_ACCOUNT) == said
    brief = made.links["other"]
    made.links["other"] = replace(brief, totals=replace(brief.totals, paid=brief.totals.paid + UNITS_PER_CENT))
    assert "holds $2,999.99, and $3,000.00 cannot" in refused(site, GivePrize(**GIFT), No.NOT_IN_ACCOUNT)
    made.links["other"] = brief
    give(site)
    assert made.cover(LATE).is_there_cents == site.bank.balance_units == 0
    assert "holds $0.00, and $0.01 cannot" in refused(
        site, GivePrize(**{**GIFT, "amount_cents": 1, "id": "g2"}), No.NOT_IN_ACCOUNT
    )


def test_a_promotion_is_on_the_same_game_within_sixty_days() -> None:
    made, site, _ = removed(Destination.PROMOTION)
    refused(site, GivePrize(**GIFT), No.WRONG_FORM)
    titles = sorted({table.title for table in made.links["main"].setup.tables})  # type: ignore[union-attr]
    said = refused(site, GivePrize(**{**GIFT, "game": "Supreme 99"}), No.OTHER_GAME)
    assert f"one of {', '.join(titles)}, and not on 'Supreme 99'" in said
    due = [each.sentence for each in made.cover(LATE).findings if each.code == "prize-not-given"]
    assert due == ["$10,000.00 of the retired link main is to be given away by 2027-01-14."]
    after = "2027-01-15T20:00:00Z"
    assert "by 2027-01-14: say in the note why it is late" in refused(
        site, GivePrize(**{**GIFT, "game": titles[0]}), No.GIVEN_LATE, after
    )
    give(site, after, game=titles[0], note="The tournament was snowed in.")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"link": "other"}, No.NOT_TO_GIVE),
        ({"link": "nowhere"}, No.NOT_TO_GIVE),
        ({"second": "max"}, Denied.SAME_PERSON),
        ({"by": "sue"}, Denied.NOT_ALLOWED),
    ],
)
def test_a_prize_is_given_by_two_people_where_a_plan_says_so(changes: dict[str, Any], code: str) -> None:
    _, site, _ = removed(Destination.NONPROFIT)
    refused(site, GivePrize(**{**GIFT, **changes}), code)


def test_no_prize_is_given_before_its_link_is_retired() -> None:
    _, site, _ = house(destination=Destination.NONPROFIT)
    refused(site, GivePrize(**GIFT), No.NOT_TO_GIVE)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"link": "nowhere"}, No.NO_SUCH_LINK),
        ({"approved": "2026-11-06"}, No.PLAN_DATES),
        ({"posted": "2026-11-16"}, No.PLAN_DATES),
        ({"second": "max"}, Denied.SAME_PERSON),
        ({"second": "sue"}, Denied.NOT_ALLOWED),
    ],
)
def test_a_plan_is_approved_before_it_is_posted_by_two_people(changes: dict[str, Any], code: str) -> None:
    _, site, _ = house()
    refused(site, PlanRemoval(**{**PLANNED, **changes}), code)


# The second verifier


@pytest.mark.parametrize(
    ("back", "facts"),
    [
        (0, {}),
        (2, {"difference_cents": 1}),
        (2, {"fund_cents": 999_999}),
        (2, {"month": "2026-12"}),
        (2, {"by": "sue"}),
        (1, {"posted": "2026-11-01"}),
        (1, {"destination": "house"}),
        (1, {"second": ""}),
    ],
    ids=str,
)
def test_the_second_verifier_knows_both(tmp_path: Path, back: int, facts: dict[str, Any]) -> None:
    site = book()
    site.do(MONTH, NOVEMBER.replace("Z", ".000000Z"))
    site.do(PlanRemoval(**PLANNED), LATE.replace("Z", ".000000Z"))
    place = len(site.entries) - back + 1
    forged = resealed(site.entries, place, lambda values: values["facts"].update(facts)) if back else site.entries
    expected = ("site", place) if back else ("", 0)
    assert wrong_row(ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})) == expected
