"""What the site's book says of the program itself and of inspectors; both verifiers decide it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.audit.verify import verify
from croupier.compliance.authority import Denied, Role
from croupier.errors import Refusal
from croupier.floor.act import EntryKind
from croupier.floor.refusals import No
from croupier.floor.site.acts import ChangeRole, EnrolPerson, NotePin
from croupier.floor.site.notes import ITSELF, NoteCheck, NoteEvidence, NoteStart, SiteAct
from croupier.floor.site.site import Run, Site
from croupier.ledger.entry import Entry
from tests.audit.books import house_site, ledger_file, raw, resealed
from tests.audit.test_verifier import wrong_row
from tests.floor.test_facts import check_all

DIGEST, PACKAGES, CARD = "ab" * 32, "cd" * 32, "ef" * 32
DAY, LATER, AFTER = "2026-12-01T08:00:00.000000Z", "2026-12-24T08:00:00.000000Z", "2026-12-01T08:00:00.000001Z"
START: dict[str, Any] = {"by": ITSELF, "version": "0.1.0", "digest": DIGEST, "packages": PACKAGES}
INSPECTOR: dict[str, Any] = {"by": "max", "second": "mia", "person": "ina", "role": Role.INSPECTOR}
EVIDENCE: dict[str, Any] = {"file": "evidence.zip", "digest": DIGEST, "size_bytes": 9, "books": {"site": 3}}


def site_with(*acts: SiteAct, at: str = "") -> tuple[Site, list[Entry]]:
    entries = house_site()
    site = Site.of_entries(entries)
    for act in acts:
        entries = [*entries, site.handle(act, at or site.book.at)]
        site.apply(entries[-1])
    return site, entries


def enrolled(until: str = DAY) -> EnrolPerson:
    return EnrolPerson(id="ina", name="Ina", card=CARD, until=until, **INSPECTOR)


ALL: tuple[SiteAct, ...] = (
    NoteStart(id="start 1", **START),
    NoteStart(id="start 2", **{**START, "digest": "12" * 32}, changed=("croupier/program.py",)),
    NoteStart(id="start 3", **START, unmarked=True, own_games={"red-dog": "34" * 32}),
    NoteCheck(id="check", by=ITSELF, books={"site": 3, "link:main": 7}),
    enrolled(),
    ChangeRole(id="longer", until=LATER, **INSPECTOR),
    NotePin(id="pin", by="ina", person="ina"),
    NoteEvidence(id="taken", by="ina", **EVIDENCE),
)


def test_starts_are_kept_by_program_and_the_last_check_with_how_far_it_went() -> None:
    site, entries = site_with(*ALL)
    last = entries[-len(ALL) :]
    assert list(site.runs.values()) == [
        Run("0.1.0", "12" * 32, PACKAGES, last[1].at, last[1].at, 1, ("croupier/program.py",)),
        Run("0.1.0", DIGEST, PACKAGES, last[0].at, last[2].at, 2, (), {"red-dog": "34" * 32}),
    ]
    assert site.checked is not None
    assert site.checked.books == {"site": 3, "link:main": 7}
    assert site.people.known("ina").until == LATER
    again = Site.of_snapshot(site.snapshot())
    assert (again.runs, again.checked, again.people) == (site.runs, site.checked, site.people)


def test_their_entries_have_the_facts_of_their_kinds() -> None:
    _, entries = site_with(*ALL)
    own = [(entry.kind, dict(entry.facts)) for entry in entries[-len(ALL) :]]
    assert check_all(own) >= {EntryKind.NOTE_START, EntryKind.NOTE_CHECK, EntryKind.NOTE_EVIDENCE}


def test_both_verifiers_decide_them_again(tmp_path: Path) -> None:
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(site_with(*ALL)[1])})
    assert verify(file).right
    assert wrong_row(file) == ("", 0)


REFUSED: dict[str, tuple[SiteAct, str]] = {
    "a start that a person notes": (NoteStart(id="s", **{**START, "by": "max"}), Denied.UNKNOWN_PERSON),
    "a check that a person notes": (NoteCheck(id="c", by="max", books={"site": 3}), Denied.UNKNOWN_PERSON),
    "a check beyond the book": (NoteCheck(id="c", by=ITSELF, books={"site": 999}), No.WRONG_FORM),
    "evidence beyond the book": (NoteEvidence(id="e", by="max", **{**EVIDENCE, "books": {}}), No.WRONG_FORM),
    "evidence that a supervisor takes": (NoteEvidence(id="e", by="sue", **EVIDENCE), Denied.NOT_ALLOWED),
    "an inspector for ever": (enrolled(""), No.NO_SPAN),
    "an inspector of yesterday": (enrolled("2020-01-01T00:00:00.000000Z"), No.NO_SPAN),
    "an inspector for years": (enrolled("2031-01-01T00:00:00.000000Z"), No.NO_SPAN),
    "an inspector by one person": (
        EnrolPerson(id="ina", name="Ina", card=CARD, until=DAY, **{**INSPECTOR, "second": ""}),
        Denied.SECOND_MISSING,
    ),
    "an auditor for a span": (
        EnrolPerson(id="x", name="X", card=CARD, until=DAY, **{**INSPECTOR, "role": Role.AUDITOR}),
        No.NO_SPAN,
    ),
    "an auditor who becomes an inspector for ever": (
        ChangeRole(id="x", **{**INSPECTOR, "person": "sue"}),
        No.NO_SPAN,
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_refused(why: str) -> None:
    act, code = REFUSED[why]
    with pytest.raises(Refusal) as caught:
        site_with(act)
    assert caught.value.code == code, str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        *({"version": ""}, {"digest": "ab"}, {"packages": "x"}, {"changed": ("a",) * 21}),
        *(
            {"own_games": {"": DIGEST}},
            {"own_games": {"red-dog": "34"}},
            {"own_games": {str(n): DIGEST for n in range(201)}},
        ),
    ],
)
def test_a_start_of_no_program_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        NoteStart(id="s", **{**START, **values})
    assert caught.value.code == No.WRONG_FORM


def test_an_inspector_acts_until_the_span_is_over_and_not_a_moment_longer() -> None:
    site, _ = site_with(enrolled())
    take = NoteEvidence(id="e", by="ina", **EVIDENCE)
    assert site.handle(take, "2026-12-01T07:59:59.999999Z").kind == EntryKind.NOTE_EVIDENCE
    for at in (DAY, AFTER):
        with pytest.raises(Refusal, match="until 2026-12-01 08:00 UTC") as caught:
            site.handle(take, at)
        assert caught.value.code == Denied.SPAN_OVER


def test_another_role_ends_the_span_and_the_same_span_changes_nothing() -> None:
    site, _ = site_with(enrolled())
    with pytest.raises(Refusal) as caught:
        site.handle(ChangeRole(id="same", until=DAY, **INSPECTOR), site.book.at)
    assert caught.value.code == No.SAME_ROLE
    site.apply(site.handle(ChangeRole(id="c", **{**INSPECTOR, "role": Role.AUDITOR}), site.book.at))
    assert site.people.known("ina").until == ""


CHEATS: dict[str, tuple[int, dict[str, Any]]] = {
    "a start by a person": (0, {"by": "max"}),
    "a start without a digest": (0, {"digest": "ab"}),
    "a start that names no changed file": (1, {"changed": []}),
    "a start that says more": (0, {"trusted": True}),
    "a start with a game that has no digest": (2, {"own_games": {"red-dog": "34"}}),
    "a start with no game where it names them": (2, {"own_games": {}}),
    "a check of books to come": (3, {"books": {"site": 999}}),
    "a check by a person": (3, {"by": "max"}),
    "an inspector who becomes an auditor with an end": (5, {"role": "auditor"}),
    "an inspector for years": (4, {"until": "2031-01-01T00:00:00.000000Z"}),
    "a span that began before it": (5, {"until": "2020-01-01T00:00:00.000000Z"}),
    "evidence of a supervisor": (7, {"by": "sue"}),
    "evidence without a size": (7, {"size_bytes": 0}),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_both_verifiers_find_what_the_rules_do_not_write(cheat: str, tmp_path: Path) -> None:
    place, values = CHEATS[cheat]
    entries = site_with(*ALL)[1]
    number = len(entries) - len(ALL) + place + 1
    forged = resealed(entries, number, lambda row: row["facts"].update(values))
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})
    assert verify(file).wrong_row == number
    assert wrong_row(file) == ("site", number)


def test_both_verifiers_find_an_inspector_who_signs_after_the_end(tmp_path: Path) -> None:
    site, entries = site_with(enrolled())
    entries = [*entries, site.handle(NoteEvidence(id="e", by="max", **EVIDENCE), AFTER)]
    forged = resealed(entries, len(entries), lambda row: row["facts"].update(by="ina"))
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})
    assert verify(file).wrong_row == len(entries)
    assert wrong_row(file) == ("site", len(entries))
