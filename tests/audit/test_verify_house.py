"""Books are held against each other: who signed, what the place calls for, what a retired link gave up."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import export
from croupier.audit.roster import moved
from croupier.audit.verify import Report, verify
from croupier.compliance.authority import CardHash, Role
from croupier.compliance.profile import find_profile
from croupier.floor.forms import Signed
from croupier.floor.house import House
from croupier.floor.link.acts import EnterHand, Receive, Retire
from croupier.floor.site import acts as site_acts
from croupier.floor.site.site import Site
from croupier.ledger.entry import Account, Entry, Purpose, Transfer
from support.papers import registered
from support.room import DEALER, EXECUTIVE, MANAGER, ONE, OTHER_MANAGER, SUITED, TWO, LinkBook
from tests.audit.books import (
    MAIN,
    HousedLink,
    Kept,
    busy_floor,
    house_site,
    housed,
    ledger_file,
    raw,
    rechained,
    resealed,
)

SITE = house_site()
ENTRIES = busy_floor(housed()).entries


def found(path: Path, entries: list[Entry], site: list[Entry] | None = None) -> Report:
    """The site comes first, and once more last: the order of books in a file changes nothing."""
    kept, reports = Kept(link_main=entries, site=SITE if site is None else site), []
    for order in (["site", MAIN], [MAIN, "site"]):
        export(kept, order, path / "x.jsonl")
        reports.append(verify(path / "x.jsonl"))
    first, last = reports
    for name in ("wrong", "wrong_stream", "wrong_row", "unproved"):
        assert getattr(first, name) == getattr(last, name)
    return first


# People


def test_everybody_who_signed_was_enrolled(tmp_path: Path) -> None:
    report = found(tmp_path, ENTRIES)
    assert (report.wrong, report.unproved, report.people) == ("", [], True)
    assert "3 notes of makes, openings and reconfigurations" in report.remarks[0]


def test_without_the_site_people_and_notes_are_said_not_to_be_proved(tmp_path: Path) -> None:
    export(Kept(link_main=ENTRIES), [MAIN], tmp_path / "x.jsonl")
    report = verify(tmp_path / "x.jsonl")
    assert (report.right, report.people) == (True, False)
    assert [each.split(":")[0] for each in report.unproved] == ["people", "notes"]
    assert report.as_json()["proved_in_full"] is False


def _fact(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values["facts"].update({name: value})


def _note(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values["facts"]["notes"].update({name: value})


PEOPLE = {
    "somebody who is not enrolled": (7, _fact("by", ["zoe", "executive"])),
    "a dealer as executive": (7, _fact("by", ["ann", "executive"])),
    "a game by nobody": (3, _fact("by", ["bob", "dealer"])),
    "a game by nobody, after the usual was seen": (25, _fact("by", ["bob", "dealer"])),
    "an end by nobody, after the usual was seen": (27, _fact("by", ["bob", "dealer"])),
    "a second who is not enrolled": (46, _fact("second", ["zoe", "executive"])),
    "a close by somebody who says that he is the program": (45, _fact("by", ["bob", "floor"])),
}


@pytest.mark.parametrize("cheat", PEOPLE)
def test_a_row_that_somebody_else_signed_is_found(tmp_path: Path, cheat: str) -> None:
    place, change = PEOPLE[cheat]
    report = found(tmp_path, resealed(ENTRIES, place, change))
    assert (report.wrong_stream, report.wrong_row) == (MAIN, place), report.wrong
    assert "could sign so" in report.wrong


def test_an_override_is_signed_by_somebody_enrolled(tmp_path: Path) -> None:
    floor = LinkBook(link=housed())
    floor.start(1, 1)
    override: dict[str, Any] = {
        "override_by": Signed("sue", Role.SUPERVISOR),
        "override_reason": "The up card was exposed.",
    }
    row = floor.do(EnterHand, table=1, seat=1, line=TWO, cards="7d 2h Ks", **override).number
    assert found(tmp_path, floor.entries).right

    def other(values: dict[str, Any]) -> None:
        values["facts"]["override"]["by"] = ["zoe", "supervisor"]

    report = found(tmp_path, resealed(floor.entries, row, other))
    assert (report.wrong_row, "'zoe' as supervisor" in report.wrong) == (row, True)


def _then(*acts: site_acts.SiteAct, at: str) -> list[Entry]:
    site, made = Site.of_entries(SITE), list(SITE)
    for act in acts:
        made.append(site.handle(act, at))
        site.apply(made[-1])
    return made


REVOKED = site_acts.RevokeCard(id="r", by="max", person="ann", reason="Lost.")
NOON = "2026-11-15T12:00:00.000000Z"


def test_whoever_was_revoked_signs_no_more_and_again_with_a_new_card(tmp_path: Path) -> None:
    report = found(tmp_path, ENTRIES, _then(REVOKED, at=NOON))
    assert (report.wrong_row, "'ann' as dealer" in report.wrong) == (3, True)
    again = site_acts.ReplaceCard(id="n", by="max", person="ann", card=CardHash("09" * 32))
    assert found(tmp_path, ENTRIES, _then(REVOKED, again, at=NOON)).right


def test_a_change_of_role_counts_from_its_time(tmp_path: Path) -> None:
    change = site_acts.ChangeRole(id="c", by="max", second="mia", person="eve", role=Role.SUPERVISOR)
    report = found(tmp_path, ENTRIES, _then(change, at=NOON))
    assert (report.wrong_row, "'eve' as executive" in report.wrong) == (7, True)
    assert found(tmp_path, ENTRIES, _then(change, at="2026-11-15T20:10:00.000000Z")).right


def test_around_a_change_both_are_right_because_clocks_differ(tmp_path: Path) -> None:
    for minutes, right in ((55, False), (57, True)):
        at = f"2026-11-15T19:{minutes}:00.000000Z"
        assert found(tmp_path, ENTRIES, _then(REVOKED, at=at)).right is (minutes > 55) is right


def test_a_change_between_two_rows_that_are_alike_is_noticed(tmp_path: Path) -> None:
    """The same dealer starts the same game before and after."""
    floor = LinkBook(link=housed())
    for hour in (20, 21, 22):
        for act in (floor.start, floor.end):
            entry = act(1, 1) if act == floor.start else act(1)
            floor.entries[-1] = replace(entry, at=f"2026-11-15T{hour}:01:00.000000Z")
    entries = resealed(floor.entries, 1, lambda _: None)
    assert found(tmp_path, entries).right
    assert found(tmp_path, entries, _then(REVOKED, at="2026-11-15T21:30:00.000000Z")).wrong_row == 7


def test_the_sites_book_is_decided_again_too(tmp_path: Path) -> None:
    wrong = resealed(SITE, 4, _fact("second", "max"))
    report = found(tmp_path, ENTRIES, wrong)
    assert (report.wrong_stream, report.wrong_row) == ("site", 4)


def test_a_roster_at_the_ends_of_time() -> None:
    assert moved("0001-01-01T00:00:00Z", -300) == ""
    assert moved("9999-12-31T23:59:59Z", 300) == "~"


# Notes

NOTES = {
    "a list that leaves out the tax": (7, lambda values: values["facts"]["notes"]["checklist"].pop(2)),
    "a list that says less": (7, lambda values: values["facts"]["notes"]["checklist"][3].update(cents=1)),
    "no list": (7, lambda values: values["facts"].pop("notes")),
    "a list on a game": (25, _fact("notes", {"checklist": []})),
    "a remark beside the list": (18, _note("remark", "The form was signed.")),
    "another place": (7, _note("profile", "tribal")),
    "another day": (7, _note("day", "2026-11-14")),
    "an adjustment without its list": (46, lambda values: values["facts"]["notes"].pop("checklist")),
    "a make under another place": (1, _note("profile", "tribal")),
    "a make that was not checked": (1, lambda values: values["facts"].pop("notes")),
    "an opening on another chain": (2, _note("chain", {"entries": 1, "digest": "0" * 64})),
    "an opening on no chain": (2, lambda values: values["facts"]["notes"].pop("chain")),
    "a configuration on another day": (47, _note("day", "2026-11-14")),
}


@pytest.mark.parametrize("cheat", NOTES)
def test_notes_that_do_not_follow_from_the_site_are_found(tmp_path: Path, cheat: str) -> None:
    place, change = NOTES[cheat]
    report = found(tmp_path, resealed(ENTRIES, place, change))
    assert (report.wrong_stream, report.wrong_row) == (MAIN, place), report.wrong


def test_lists_of_another_edition_of_the_rules_are_said_not_to_be_proved(tmp_path: Path) -> None:
    """The rules of a place are data that may be put right: an old list is then not a lie."""
    other = resealed(ENTRIES, 1, _note("profile_digest", "0" * 64))
    chain = {"entries": 1, "digest": other[0].digest}
    report = found(
        tmp_path,
        resealed(other, 2, lambda values: values["facts"]["notes"].update(profile_digest="0" * 64, chain=chain)),
    )
    assert report.right, report.wrong
    assert "made under another edition" in report.unproved[0]


def test_books_are_proved_by_the_edition_that_they_name_and_no_other(tmp_path: Path) -> None:
    site = house_site(profile="washington/2", then=registered())
    floor = busy_floor(housed(site=site))
    report = found(tmp_path, floor.entries, site)
    assert (report.wrong, report.unproved) == ("", [])
    [confirmed, *_] = [entry for entry in floor.entries if entry.kind == "confirm"]
    assert confirmed.facts["notes"]["profile"] == "washington/2"
    [made, opened, *_] = [entry.facts["notes"] for entry in floor.entries if entry.kind in ("make", "open")]
    assert made["profile_digest"] == opened["profile_digest"] == find_profile("washington/2").digest
    other = found(tmp_path, ENTRIES, site)
    assert (other.wrong_stream, other.wrong_row) == (MAIN, 1), "made under the first edition"


def test_a_book_that_names_other_values_of_its_edition_is_not_right(tmp_path: Path) -> None:
    altered = resealed(house_site(profile="washington/2"), 1, _fact("profile_digest", "0" * 64))
    report = found(tmp_path, ENTRIES, altered)
    assert (report.wrong_stream, report.wrong_row) == ("site", 1), report.wrong
    later = resealed(house_site(), 1, _fact("profile", "washington/99"))
    report = found(tmp_path, ENTRIES, later)
    assert (report.wrong_stream, report.wrong_row) == ("site", 1)
    assert "no edition of the profile washington 'washington/99'" in report.wrong


# What a retired link gave up


def _retired(name: str = "old") -> LinkBook:
    floor = LinkBook(name=name)
    floor.start(1, 1)
    floor.end(1)
    floor.close()
    floor.do(Retire, by=MANAGER, second=OTHER_MANAGER, to="main")
    return floor


def _receiving(entry: Entry, source: str = "old") -> list[Entry]:
    floor = LinkBook()
    floor.close()
    floor.do(Receive, by=MANAGER, second=OTHER_MANAGER, entry=entry.as_json(), source=source, levels={"": ""})
    return floor.entries


def _made_up(units: int = 99 * 10**12, source: str = "old") -> Entry:
    moves = (Transfer(Account(Purpose.METER), Account(Purpose.HOUSE), units),)
    facts = {"by": ["max", "manager"], "link": source, "to": "main"}
    return Entry(7, "2026-11-14T00:00:00.000000Z", "g", "retire", facts, moves).sealed()


@pytest.mark.parametrize("streams", [["link:old", MAIN], [MAIN, "link:old"]])
def test_a_receipt_is_matched_with_the_entry_that_gave_it_up(tmp_path: Path, streams: list[str]) -> None:
    old = _retired().entries
    export(Kept(link_old=old, link_main=_receiving(old[-1])), streams, tmp_path / "x.jsonl")
    report = verify(tmp_path / "x.jsonl")
    assert report.right, report.wrong
    assert not [each for each in report.unproved if "receipt" in each]


@pytest.mark.parametrize("streams", [["link:old", MAIN], [MAIN, "link:old"]])
def test_a_made_up_retirement_is_found_at_the_receipt(tmp_path: Path, streams: list[str]) -> None:
    for old in (_retired().entries, LinkBook(name="old").entries):
        main = _receiving(_made_up())
        export(Kept(link_old=old, link_main=main), streams, tmp_path / "x.jsonl")
        report = verify(tmp_path / "x.jsonl")
        assert (report.wrong_stream, report.wrong_row) == (MAIN, len(main))
        assert "no such entry" in report.wrong


def test_a_receipt_from_a_book_that_is_not_there_is_said_with_its_amount(tmp_path: Path) -> None:
    export(Kept(link_main=_receiving(_made_up())), [MAIN], tmp_path / "x.jsonl")
    report = verify(tmp_path / "x.jsonl")
    assert report.right
    assert "1 receipts from books not in the file: $990,000.00 not proved" in report.unproved


@pytest.mark.parametrize(
    "change",
    [
        {"facts": []},
        {"facts": {"x": 1}},
        {"transfers": [["meter", "house", -5]]},
        {"transfers": [[1, "house", 5]]},
        {"transfers": 5},
        {"number": "7"},
        {"digest": None},
    ],
    ids=str,
)
def test_a_strange_entry_in_a_receipt_is_found(tmp_path: Path, change: dict[str, Any]) -> None:
    entries = _receiving(_made_up())
    bodies = [body for _, body in raw(entries)]
    values = json.loads(bodies[-1])
    values["facts"]["entry"].update(change)
    for text in (json.dumps(values), json.dumps(values).replace("99000000000000", "1e400")):
        path = ledger_file(tmp_path / "x.jsonl", {MAIN: rechained([*bodies[:-1], text.encode()])})
        assert verify(path).wrong_row == len(entries)


def test_a_supervisor_who_was_changed_within_the_house_is_no_executive(tmp_path: Path) -> None:
    """The house itself lets nobody sign above their role; a book made without the house is found."""
    link = HousedLink("main", House(site=Site.of_entries(SITE)))
    floor = LinkBook(link=link)
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    floor.confirm(award, EXECUTIVE)
    assert found(tmp_path, floor.entries).right
    report = found(tmp_path, resealed(floor.entries, award + 1, _fact("by", ["sue", "executive"])))
    assert (report.wrong_row, DEALER.person in report.wrong, ONE in report.wrong) == (award + 1, False, False)
