"""Agreements of second persons in exported books: both verifiers find what is missing, altered or somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import export
from croupier.audit.verify import Report, verify
from croupier.floor.link.link import act_of, statement_of
from croupier.floor.site import acts as site_acts
from croupier.floor.site.site import Site
from croupier.ledger.entry import Entry
from support.room import SUPERVISOR, agreed, chosen_pin, private_of
from tests.audit.books import MAIN, Kept, busy_floor, house_site, housed, resealed
from tests.audit.test_verifier import verifier

SITE = house_site("max", "mia", "eve")
ENTRIES = busy_floor(housed(site=SITE), agreeing=True).entries
MAKE, (ADJUST, RECONFIGURE) = 1, (len(ENTRIES) - 1, len(ENTRIES))
TABLE = next(entry.number for entry in SITE if entry.kind == "set-table")
Change = Callable[[dict[str, Any]], None]


def proved(folder: Path, entries: Sequence[Entry] = ENTRIES, site: Sequence[Entry] = SITE) -> Report:
    """By ours, and by the regulator's, which must come to the same."""
    path = folder / "x.jsonl"
    export(Kept(link_main=entries, site=site), ["site", MAIN], path)
    report, theirs = verify(path), ("", 0)
    try:
        told = verifier.verify(path)
        assert told["second_persons"] == report.as_json()["second_persons"]
    except verifier.Wrong as wrong:
        theirs = wrong.stream, wrong.row
    assert theirs == (("", 0) if report.right else (report.wrong_stream, report.wrong_row)), report.wrong
    return report


def signed_by(person: str, **other: Any) -> Change:
    """Signed by somebody's key, over what it says or something else."""

    def change(values: dict[str, Any]) -> None:
        act = act_of(values["kind"], values["command"], values["facts"])
        statement = replace(statement_of(act, "main"), **other)  # type: ignore[arg-type]
        until = values["facts"]["agreed"]["until"]
        values["facts"]["agreed"] = {"until": until, "signature": private_of(person).sign(statement.text(until)).hex()}

    return change


def facts(**said: Any) -> Change:
    return lambda values: values["facts"].update(said)


def other_digit(values: dict[str, Any]) -> None:
    signature = values["facts"]["agreed"]["signature"]
    values["facts"]["agreed"]["signature"] = signature[:-1] + ("0" if signature[-1] != "0" else "1")


def later(values: dict[str, Any]) -> None:
    values["facts"]["agreed"]["until"] = "2026-11-15T21:00:00.000000Z"
    signed_by("mia")(values)


CHEATS: dict[str, tuple[int, Change]] = {
    "a make without it": (MAKE, lambda values: values["facts"].pop("agreed")),
    "an adjustment without it": (ADJUST, lambda values: values["facts"].pop("agreed")),
    "a digit of the signature": (ADJUST, other_digit),
    "the first person's own": (ADJUST, signed_by("max")),
    "of somebody who has no key": (RECONFIGURE, signed_by("sue")),
    "of an other person than is named": (ADJUST, facts(second=["eve", "executive"])),
    "to other words": (ADJUST, facts(text="A sensor lit by herself.")),
    "to an act of another id": (ADJUST, signed_by("mia", command="c99")),
    "to an act of another link": (ADJUST, signed_by("mia", book="link:other")),
    "to an act of another kind": (ADJUST, signed_by("mia", kind="reconfigure")),
    "to an act of somebody else's": (ADJUST, signed_by("mia", by=["eve", "executive"])),
    "for another time": (ADJUST, later),
    "for a time that was not signed": (
        ADJUST,
        lambda values: values["facts"]["agreed"].update(until="2026-11-15T20:01:01.000000Z"),
    ),
    "with more in it": (ADJUST, lambda values: values["facts"]["agreed"].update(also=1)),
    "of no form": (ADJUST, facts(agreed="yes")),
    "where one person is enough": (2, facts(agreed={"until": "2026-11-15T20:01:00.000000Z", "signature": "ab" * 64})),
}


def test_books_whose_second_persons_all_agreed_are_right_and_counted(tmp_path: Path) -> None:
    report = proved(tmp_path)
    seconded = [entry for entry in (*SITE, *ENTRIES) if entry.facts.get("second")]
    assert (report.wrong, report.seconded) == ("", len(seconded))
    assert report.agreed == sum("agreed" in entry.facts for entry in seconded)
    early = [entry for entry in seconded if "agreed" not in entry.facts]
    assert {entry.kind for entry in early} == {"enrol-person"}, "before the first key of the site"
    assert f"{len(early)} of {len(seconded)} second persons are named without a signature" in report.remarks[-1]


@pytest.mark.parametrize("cheat", CHEATS)
def test_an_agreement_that_is_not_the_second_persons_to_this_very_act_is_found(tmp_path: Path, cheat: str) -> None:
    place, change = CHEATS[cheat]
    report = proved(tmp_path, resealed(ENTRIES, place, change))
    assert (report.wrong_stream, report.wrong_row) == (MAIN, place)


def test_a_book_played_by_the_rules_without_the_second_person_is_found_at_its_first_row(tmp_path: Path) -> None:
    """As whoever holds all files would write it: two names, and nobody's card and PIN."""
    report = proved(tmp_path, busy_floor(housed(), agreeing=False).entries)
    assert (report.wrong_stream, report.wrong_row) == (MAIN, MAKE)
    assert "does not carry the agreement of its second person 'mia'" in report.wrong


def test_an_agreement_taken_from_another_row_is_found(tmp_path: Path) -> None:
    taken = ENTRIES[RECONFIGURE - 1].facts["agreed"]
    assert proved(tmp_path, resealed(ENTRIES, ADJUST, facts(agreed=taken))).wrong_row == ADJUST


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values["facts"].pop("agreed"),
        other_digit,
        facts(table={**SITE[TABLE - 1].facts["table"], "seats": 5}),
        facts(second="eve"),
        facts(second=""),
    ],
)
def test_the_sites_own_rows_are_looked_at_too(tmp_path: Path, change: Change) -> None:
    forged = resealed(SITE, TABLE, change)
    report = proved(tmp_path, (), forged)
    assert (report.wrong_stream, report.wrong_row) == ("site", TABLE)


# Whose key it was when


def site_with(*acts: site_acts.SiteAct, at: str, start: Sequence[Entry] = ()) -> list[Entry]:
    entries = list(start or house_site())
    site = Site.of_entries(entries)
    for act in acts:
        signs = isinstance(act, site_acts.OfTwo) and act.seconded in site.people.keys
        entries.append(site.handle(agreed(act, at) if signs else act, at))  # type: ignore[type-var]
        site.apply(entries[-1])
    return entries


@pytest.mark.parametrize(("minute", "right"), [("19:54", False), ("19:56", True), ("20:30", True)])
def test_rows_from_before_the_first_key_need_none(tmp_path: Path, minute: str, *, right: bool) -> None:
    """The link's rows are of eight o'clock, and clocks may differ by five minutes."""
    site = site_with(chosen_pin("max"), at=f"2026-11-15T{minute}:00.000000Z")
    report = proved(tmp_path, busy_floor(housed()).entries, site)
    assert report.right == right
    assert (report.agreed, report.wrong_row) == (0, None if right else MAKE)


@pytest.mark.parametrize(("minute", "right"), [("19:54", False), ("19:56", True), ("20:30", True)])
@pytest.mark.parametrize(
    "act",
    [
        site_acts.ReplaceCard(id="x", by="max", second="eve", person="mia", card="ee" * 32),
        site_acts.NotePin(id="x", by="max", second="eve", person="mia"),
        site_acts.NotePin(id="x", by="mia", person="mia", where="the server's machine"),
    ],
    ids=["card", "given", "machine"],
)
def test_a_key_that_counts_no_more_agrees_to_nothing(
    tmp_path: Path, act: site_acts.SiteAct, minute: str, *, right: bool
) -> None:
    site = site_with(act, at=f"2026-11-15T{minute}:00.000000Z", start=SITE)
    report = proved(tmp_path, ENTRIES, site)
    assert (report.right, report.wrong_row) == (right, None if right else MAKE)


def test_a_pin_noted_with_anothers_key_is_not_that_persons(tmp_path: Path) -> None:
    """Nobody can note a key for somebody else; and with a second key the first one agrees to nothing."""
    place = next(entry.number for entry in SITE if entry.facts.get("person") == "mia" and "key" in entry.facts)
    forged = resealed(SITE, place, facts(by="max", second="eve"))
    assert proved(tmp_path, (), forged).wrong_row == place
    other = {**SITE[place - 1].facts["key"], "public": json.loads(json.dumps(SITE[place].facts["key"]["public"]))}
    report = proved(tmp_path, ENTRIES, resealed(SITE, place, facts(key=other)))
    assert (report.wrong_stream, report.wrong_row) == ("site", TABLE)


def test_a_link_without_the_sites_book_is_proved_without_its_people(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    export(Kept(link_main=resealed(ENTRIES, ADJUST, other_digit)), [MAIN], path)
    report = verify(path)
    assert (report.right, report.agreed) == (True, 0)
    assert "people: the site's book is not in the file" in report.unproved[0]
    assert verifier.verify(path)["right"]


def test_award_confirmations_by_card_are_as_they_were() -> None:
    assert not any("agreed" in entry.facts for entry in ENTRIES if entry.kind in ("confirm", "void"))
    assert SUPERVISOR.person not in Site.of_entries(SITE).people.keys
