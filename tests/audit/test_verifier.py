"""The regulator's own verifier, one file that shares no line with ours: both agree to the unit, right or wrong."""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant
from typer.testing import CliRunner

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from croupier.cards.card import parse_cards
from croupier.cli.app import app
from croupier.compliance.authority import CardHash, Role
from croupier.compliance.profile import Lawful
from croupier.demo.rehearsal import Month, rehearse
from croupier.errors import Refusal
from croupier.floor.link.acts import (
    Adjust,
    BackOut,
    CallSupervisor,
    OpenLink,
    Receive,
    Reconfigure,
    ReopenGame,
    Retire,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.adjust import PATHS
from croupier.floor.link.awards import line_of_cards
from croupier.floor.link.setup import LAW, AwardOrder, LevelSetup, LinkSetup
from croupier.floor.link.state import Status
from croupier.floor.people import DeviceKind
from croupier.floor.site.acts import (
    ChangeRole,
    ChooseProfile,
    EnrolDevice,
    EnrolPerson,
    RenameSite,
    ReplaceCard,
    RevokeCard,
)
from croupier.floor.site.notes import NoteBackup
from croupier.floor.site.site import Site
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.meter import Style
from croupier.games.paytable import Kind
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.entry import Entry, canonical
from support.room import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    THREE_METERS,
    LinkBook,
)
from tests.audit.books import MAIN, Kept, busy_floor, house_site, housed, ledger_file, raw, rechained, resealed, written
from tests.audit.test_verify import (
    CHEATS,
    CONFIGURATION,
    ENTRIES,
    FREE,
    JUNK,
    NO_AWARD,
    OTHER_TEXTS,
    _fact,
    _paths,
    _put,
)
from tests.floor.link.test_machine import Machine

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "regulator" / "verify_ledger.py"
GOLDEN = ROOT / "tests" / "golden" / "kept"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_ledger", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verifier: Any = loaded()


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """As a regulator runs it: Python alone, without a package of ours or of anybody."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def wrong_row(path: Path, **options: Any) -> tuple[str, int]:
    """The book and the row that it names; nothing where all is right."""
    try:
        verifier.verify(path, **options)
    except verifier.Wrong as wrong:
        return wrong.stream, wrong.row
    return "", 0


def line_of(entry: Entry) -> bytes:
    ((digest, body),) = raw([entry])
    return b'{"digest":"%s","row":%s}\n' % (digest.encode(), body)


# Random floors, decided twice


class Second:
    """The verifier beside a floor: it reads every new row, and must come to the same."""

    def __init__(self, name: str = "main", roster: Any = None) -> None:
        self.book: Any = verifier.Link(f"link:{name}", verifier.Marks(set()), roster)
        self.read = 0

    def agrees(self, floor: LinkBook) -> None:
        for entry in floor.entries[self.read :]:
            self.book.take(line_of(entry))
        self.read = len(floor.entries)
        state, book = floor.link.state, self.book
        assert {str(account): units for account, units in state.book.balances.items() if units} == {
            account: units for account, units in book.money.items() if units
        }
        assert [award.as_json() for award in state.awards.values()] == list(book.awards.values())
        assert {(str(one), str(other)): units for (one, other), units in state.locked.items()} == book.locked
        assert {table: (call.entry, bool(call.taken_by)) for table, call in state.calls.items()} == book.calls
        assert {level: own for level, own in state.own.items() if own} == {
            name: level.own for name, level in book.levels.items() if level.own
        }


def roster_of_agreeing() -> Any:
    """Everybody of the room, where second persons agree with keys of their own."""
    book = verifier.Site("site", verifier.Marks(set()))
    for entry in house_site("max", "mia", "eve"):
        book.take(line_of(entry))
    return book.roster


class Verified(Machine):
    """Three levels and three tables, whatever people do."""

    @initialize()
    def watched(self) -> None:
        self.second = Second()

    @invariant()
    def verified(self) -> None:
        if hasattr(self, "second") and hasattr(self, "floor"):
            self.second.agrees(self.floor)


TestVerified = Verified.TestCase
TestVerified.settings = settings(
    max_examples=25, stateful_step_count=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def random_setup(dice: Random, like: LinkSetup) -> LinkSetup:
    """Any rates, seeds and maxima for these levels, in either style and order."""
    levels = []
    for level in like.levels:
        seed, rates = dice.choice([0, 999, 100_000]), ([0, 37, 120_001, 230_000], [0, 3, 20_001])
        maximum = dice.choice([None, None, seed, seed + 150, seed + 60_000])
        levels.append(LevelSetup(level.level, seed, dice.choice(rates[0]), dice.choice(rates[1]), maximum))
    style, order = dice.choice(list(Style)), dice.choice(list(AwardOrder))
    amounts: dict[str, Any] = {
        "executive_threshold_cents": dice.choice([0, 20_000, 10**9]),
        "fixed_pay_card_cents": dice.choice([None, None, 0, 12_500, 100_000]),
        "least_round_s": dice.choice([None, None, 0, 5]),
    }
    return replace(like, levels=tuple(levels), style=style, order=order, **amounts)


def random_act(dice: Random, floor: LinkBook, law: int) -> None:
    """Something that people may or may not do now; a game whose first hand comes in is taken by this law."""
    state, table, seat = floor.link.state, dice.choice([1, 1, 2, 3]), dice.randint(1, 7)
    floor.seconds += dice.choice([0, 0, 1, 4])
    award = dice.choice([*state.awards, *state.confirmed, *state.won, 0])
    match dice.choice(
        [*("start", "end", "reopen", "enter", "enter", "enter", "enter", "take-back", "call", "confirm"), "office"]
    ):
        case "start":
            floor.start(table, *range(1, 8))
        case "end":
            floor.end(table)
        case "reopen":
            floor.do(ReopenGame, by=SUPERVISOR, table=table, reason="a late winner")
        case "enter":
            floor.enter(table, seat, dice.choice([*state.setup.lines, *list(state.setup.lines)[:3]]), law=law)
        case "take-back":
            floor.do(TakeBackHand, table=table, seat=seat)
        case "call":
            floor.do(CallSupervisor, table=table)
        case "confirm":
            if dice.random() < 0.3:
                floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")
            if award in state.won:
                floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=award, reason="The camera shows another hand.")
            floor.confirm(award, dice.choice([SUPERVISOR, EXECUTIVE]))
        case "office" if state.status is Status.CLOSED:
            with suppress(Refusal):
                floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=random_setup(dice, state.setup))
            floor.do(OpenLink, by=MANAGER)
        case "office" if dice.random() < 0.3:
            floor.close()
        case _:
            reason = dice.choice(list(Lawful))
            source, target = dice.choice(sorted(PATHS[reason]))
            values: dict[str, Any] = {
                "level": dice.choice(list(state.setup.level)),
                "reason": reason,
                "source": source,
                "target": target,
                "text": "why",
            }
            cents = dice.choice([1, 50, 3_000, 90_000])
            two: dict[str, Any] = {
                "by": MANAGER,
                "second": EXECUTIVE,
                "reseed": reason is Lawful.AMOUNT_WON and cents > 50,
            }
            floor.do(Adjust, award=dice.choice([None, award]), cents=cents, **two, **values)


@pytest.mark.parametrize("seed", range(100))
def test_a_random_floor_is_decided_to_the_same_unit(seed: int) -> None:
    """Also floors whose first games were taken by earlier laws, fixed pays that wait for a card, hands that come too
    soon, second persons who sign what they agree to, and what a retired link hands over."""
    dice, agreeing = Random(seed), seed % 3 == 0
    like, roster = dice.choice([ONE_METER, THREE_METERS]), roster_of_agreeing() if agreeing else None
    floor, second = LinkBook(random_setup(dice, like), agreeing=agreeing), Second(roster=roster)
    for place in range(300):
        with suppress(Refusal):
            random_act(dice, floor, law=LAW if place > 150 else 1 + seed % LAW)
        second.agrees(floor)
    assert {entry.kind for entry in floor.entries} >= {"start", "enter"}
    played_out(floor)
    next_link = LinkBook(random_setup(dice, ONE_METER), "next", opened=False, agreeing=agreeing)
    next_second = Second("next", roster)
    retired = floor.do(Retire, by=MANAGER, second=OTHER_MANAGER, to="next")
    values = {"source": "main", "entry": retired.as_json(), "levels": dict.fromkeys(like.level, "")}
    next_link.do(Receive, by=MANAGER, second=OTHER_MANAGER, **values)
    second.agrees(floor)
    next_second.agrees(next_link)
    seconded = sum("second" in entry.facts for entry in (*floor.entries, *next_link.entries))
    assert second.book.agreed + next_second.book.agreed == (seconded if agreeing else 0)


def test_games_of_the_first_law_are_decided_by_it() -> None:
    for line in gzip.decompress((GOLDEN / "games-of-the-first-law.jsonl.gz").read_bytes()).splitlines():
        book = verifier.Link(MAIN, verifier.Marks(set()), None)
        entries = [Entry.of_json(values) for values in json.loads(line)]
        for entry in entries:
            book.take(line_of(entry))
        assert (book.number, book.law) == (len(entries), 1)


def played_out(floor: LinkBook) -> None:
    """Every award decided, every game ended, the link closed."""
    for award in list(floor.link.state.awards):
        floor.do(VoidAward, by=SUPERVISOR, award=award, reason="The evening is over.")
    for table, cycle in floor.link.state.tables.items():
        if cycle.on:
            floor.end(table)
    if floor.link.state.status is Status.OPEN:
        floor.close()


@pytest.mark.parametrize(
    ("wager", "paytable"), [(key, name) for key, each in PROGRESSIVES.items() for name in each.paytables]
)
def test_cards_make_the_same_line(wager: str, paytable: str) -> None:
    tables = tuple(replace(table, wager=wager, paytable=paytable) for table in ONE_METER.tables)
    levels = [row.pay.meter for row in PROGRESSIVES[wager].paytables[paytable].rows if row.pay.kind is Kind.SHARE]
    meters = tuple(LevelSetup(level, 100, 0) for level in dict.fromkeys(levels))
    setup = replace(ONE_METER, wager=wager, paytable=paytable, tables=tables, levels=meters)
    lines = verifier.PAYTABLES[wager][paytable]
    assert list(lines.items()) == [(line.label, str(line.pay)) for line in setup.lines.values()]
    dice, ranks, made = Random(7), "A237QK" if wager == "trilux" else "27", set[str]()
    for _ in range(3_000):
        third = wager != "blazing-7s-player" or dice.random() < 0.8
        cards = [dice.choice(ranks) + dice.choice("cdhs") for _ in range(3 if third else 2)]
        line = line_of_cards(setup, tuple(parse_cards(" ".join(cards), decks=6)))
        made.add(verifier.line_of(wager, lines, cards))
        assert verifier.line_of(wager, lines, cards) == (line.label if line else ""), cards
    assert made == {*lines, ""}


def test_cards_and_overrides_are_read_again() -> None:
    floor, second = LinkBook(), Second()
    floor.start(1, 1, 2, 3)
    floor.enter(1, 1, SUITED, cards="7d 7d 7d")
    floor.enter(1, 2, COLOR, cards="7c 7s 7d", override_by=SUPERVISOR, override_reason="The camera shows 7h 7h.")
    second.agrees(floor)
    for place, name, value in ((4, "cards_make", COLOR), (4, "cards", "7d 7d 7s"), (5, "override", None)):
        forged = resealed(floor.entries, place, _fact(name, value))
        refused([body for _, body in raw(forged[: place - 1])], raw(forged)[place - 1][1])


# What is right


def test_an_award_that_was_backed_out_is_proved_by_both_and_counted_by_none(tmp_path: Path) -> None:
    floor = busy_floor()
    first, last = (entry.facts for entry in floor.entries if entry.kind == "confirm")
    floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=first["award"], reason="The camera shows another hand.")
    path = written(tmp_path / "ledger.jsonl", floor.entries)
    [ours] = verify(path).books
    assert (ours.awards, ours.award_cents, ours.backed_out) == (1, last["cents"], 1)
    [theirs] = json.loads(run(path, "--json").stdout)["books"]
    assert theirs["award_cents"] == last["cents"]
    said = CliRunner().invoke(app, ["ledger", "verify", str(path)]).stdout
    assert "1 award of" in said
    assert "; 1 award backed out" in said


def test_a_kept_export_is_proved_with_its_keys_and_anchors() -> None:
    result = run(GOLDEN / "ledger.jsonl.gz", "--json", "--anchors", GOLDEN / "checkpoints.jsonl")
    assert (result.returncode, result.stderr) == (0, "")
    report = json.loads(result.stdout)
    assert [(book["stream"], book["entries"]) for book in report["books"]] == [
        *(("site", 45), (MAIN, 44), ("link:other", 14), ("link:side", 12)),
    ]
    assert report["anchors"] == report["checkpoints"] == 4
    (words,) = report["not_proved"]
    assert "give --key" in words
    given = run(GOLDEN / "ledger.jsonl.gz", "--key", report["keys"][0])
    assert "NOT PROVED" not in given.stdout
    assert "RIGHT: every row follows from the rules" in given.stdout


def test_a_rehearsed_card_room_is_proved(tmp_path: Path) -> None:
    """Several links, signed days, awards of every level, adjustments: everything that the demo plays."""
    url, file, key = f"sqlite:///{tmp_path}/month.db", tmp_path / "month.jsonl.gz", Ed25519PrivateKey.generate()
    made = rehearse(url, Month(600, seed=11, days=3), key)
    anchors = tmp_path / "days.jsonl"
    anchors.write_text("".join(json.dumps(each.as_json()) + "\n" for each in made.checkpoints))
    with open_existing(url) as store:
        export(store, chosen_streams(store, None), file, made.checkpoints)
    result = run(file, "--json", "--key", public_hex(key.public_key()), "--anchors", anchors)
    assert result.returncode == 0, result.stdout
    report = json.loads(result.stdout)
    assert report["not_proved"] == []
    assert {book["stream"]: (book["entries"], book["digest"]) for book in report["books"]} == made.books


def test_what_a_file_does_not_show_is_not_proved(tmp_path: Path) -> None:
    result = run(written(tmp_path / "main.jsonl", ENTRIES))
    assert result.returncode == 0
    assert "NOT PROVED here: people: the site's book is not in the file" in result.stdout
    assert "NOT PROVED here: that link:main is the book that was played" in result.stdout
    assert "no file proves: " in result.stdout


# What is wrong


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_book_sealed_anew_is_found_at_the_cheat(tmp_path: Path, cheat: str) -> None:
    place, change = CHEATS[cheat]
    assert wrong_row(written(tmp_path / "x.jsonl", resealed(ENTRIES, place, change))) == (MAIN, place)


@pytest.mark.parametrize("other", OTHER_TEXTS)
def test_a_row_in_another_text_than_the_canonical_is_found(tmp_path: Path, other: str) -> None:
    bodies = [body for _, body in raw(ENTRIES)]
    place = next(
        place for place, body in enumerate(bodies) if OTHER_TEXTS[other](body) != body and b'"round":4' in body
    )
    bodies[place] = OTHER_TEXTS[other](bodies[place])
    file = ledger_file(tmp_path / "x.jsonl", {MAIN: rechained(bodies)}, CONFIGURATION)
    assert wrong_row(file) == (MAIN, place + 1)


def test_junk_in_any_fact_of_any_kind_is_found_at_its_row() -> None:
    bodies, seen = [body for _, body in raw(ENTRIES)], set[str]()
    for place, body in enumerate(bodies):
        values = json.loads(body)
        if values["kind"] in seen:
            continue
        seen.add(values["kind"])
        for path in _paths(values["facts"]):
            for junk in JUNK:
                changed = _put(json.loads(body), ("facts", *path), junk)
                allowed = (path in FREE and junk in ("x", "1/0")) or (values["kind"], path, junk) == NO_AWARD
                if changed != values and not allowed:
                    refused(bodies[:place], canonical(changed))


def refused(before: Sequence[bytes], body: bytes) -> None:
    book = verifier.Link(MAIN, verifier.Marks(set()), None)
    *rows, last = rechained([*before, body])
    for digest, text in rows:
        book.take(b'{"digest":"%s","row":%s}\n' % (digest.encode(), text))
    with pytest.raises(verifier.Wrong):
        book.take(b'{"digest":"%s","row":%s}\n' % (last[0].encode(), last[1]))


@pytest.mark.parametrize("place", [1, 3, 5, 25, len(ENTRIES)])
def test_an_altered_or_missing_row_is_found_there(tmp_path: Path, place: int) -> None:
    file = written(tmp_path / "main.jsonl", ENTRIES)
    lines = file.read_bytes().splitlines(keepends=True)
    line = lines[place + 1]
    lines[place + 1] = line.replace(b'"kind":"', b'"kind":"x', 1)
    file.write_bytes(b"".join(lines))
    result = run(file)
    assert result.returncode == 1
    assert result.stdout.startswith(f"WRONG: {MAIN}, entry {place}: It was altered")
    file.write_bytes(b"".join([*lines[: place + 1], *lines[place + 2 :]]))
    stream, row = wrong_row(file)
    assert stream == MAIN
    assert row == (place if place < len(ENTRIES) else 0)  # without its last row, a book does not end where it says


def test_a_file_that_is_cut_anywhere_is_found(tmp_path: Path) -> None:
    whole, cut = written(tmp_path / "main.jsonl", ENTRIES).read_bytes(), tmp_path / "cut.jsonl"
    for length in range(0, len(whole) - 1, 997):
        cut.write_bytes(whole[:length])
        with pytest.raises(verifier.Wrong):
            verifier.verify(cut)


def test_no_file_and_no_ledger(tmp_path: Path) -> None:
    assert run(tmp_path / "none.jsonl").returncode == 2
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_bytes(b"nonsense\n")
    assert run(foreign).returncode == 1
    packed = tmp_path / "cut.jsonl.gz"
    packed.write_bytes(gzip.compress(written(tmp_path / "main.jsonl", ENTRIES).read_bytes())[:-20])
    assert run(packed).returncode == 1


# People


def test_people_are_held_against_the_sites_book(tmp_path: Path) -> None:
    entries, site = busy_floor(housed()).entries, house_site()
    right = tmp_path / "right.jsonl"
    export(Kept(link_main=entries, site=site), ["site", MAIN], right)
    assert wrong_row(right) == ("", 0)
    for place, signed in ((3, ["zoe", "dealer"]), (7, ["sue", "executive"]), (25, ["max", "dealer"])):
        forged = resealed(entries, place, _fact("by", signed))
        file = tmp_path / f"{place}.jsonl"
        export(Kept(link_main=forged, site=site), ["site", MAIN], file)
        assert wrong_row(file) == (MAIN, place)


def test_whoever_was_revoked_signs_nothing_later(tmp_path: Path) -> None:
    """Sue voids award 13 at eight in the evening; her card was revoked at ten in the morning, or minutes before."""
    entries, file = busy_floor(housed()).entries, tmp_path / "x.jsonl"
    for at, place in (("10:00:00", 14), ("19:54:00", 14), ("19:56:00", 0), ("20:30:00", 0)):
        site = Site.of_entries(house_site())
        act = RevokeCard(id="gone", by="max", person=SUPERVISOR.person, reason="She has left.")
        gone = site.handle(act, f"2026-11-15T{at}.000000Z")
        export(Kept(link_main=entries, site=[*house_site(), gone]), ["site", MAIN], file)
        assert wrong_row(file) == ((MAIN, place) if place else ("", 0))


def test_a_dealer_who_was_made_supervisor_signs_with_a_card_that_two_gave(tmp_path: Path) -> None:
    """Older books let a dealer keep the card that one manager had given out."""
    at, two = "2026-11-15T10:00:00.000000Z", dict[str, Any](by="max", second="mia")
    entries = resealed(busy_floor(housed()).entries, 14, _fact("by", ["zoe", "supervisor"]))
    enrol = EnrolPerson(id="e", by="max", person="zoe", name="Zoe", role=Role.DEALER, card=CardHash("05" * 32))
    role = ChangeRole(id="r", **two, person="zoe", role=Role.SUPERVISOR)
    card = ReplaceCard(id="n", **two, person="zoe", card=CardHash("06" * 32))
    for name, acts, place in (
        ("as a dealer", [enrol], 14),
        ("without a card", [enrol, role], 14),
        ("with a card of two", [enrol, role, card], 0),
        ("an older book", [enrol, replace(role, law=1)], 0),
    ):
        kept, site = list(house_site()), Site.of_entries(house_site())
        for act in acts:
            kept.append(site.handle(act, at))
            site.apply(kept[-1])
        file = tmp_path / f"{name}.jsonl"
        export(Kept(link_main=entries, site=kept), ["site", MAIN], file)
        assert wrong_row(file) == ((MAIN, place) if place else ("", 0)), name
        assert verify(file).right is (place == 0), name


SITE_CHEATS: dict[str, tuple[int, dict[str, Any]]] = {
    "a second manager by nobody": (2, {"by": "eve"}),
    "a supervisor by one person": (4, {"second": ""}),
    "a supervisor by one person twice": (4, {"second": "max"}),
    "a supervisor agreed to by a dealer": (4, {"second": "ann"}),
    "a card that was given before": (4, {"card": "cd" * 32}),
    "an executive without a card": (5, {"card": ""}),
    "a person who is enrolled": (5, {"person": "mia"}),
    "a table by one person": (6, {"second": ""}),
    "a larger bank": (-1, {"balance_cents": 10**9 + 1}),
    "a bank by a dealer": (-1, {"by": "ann"}),
}


@pytest.mark.parametrize("cheat", SITE_CHEATS)
def test_a_site_sealed_anew_is_found(tmp_path: Path, cheat: str) -> None:
    site = house_site()
    place, facts = SITE_CHEATS[cheat]
    place = place if place > 0 else len(site)
    forged = resealed(site, place, lambda values: values["facts"].update(facts))
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})
    assert wrong_row(file) == ("site", place)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"was": "tribal"},
        {"profile_digest": "0" * 63},
        {"profile_digest": 5},
        {"profile": "washington/1"},
        {"profile": "Washington/2"},
        {"profile": "washington"},
        {"profile": "tribal"},
        {"second": ""},
    ],
    ids=str,
)
def test_an_edition_has_its_digest_and_follows_an_older_one(tmp_path: Path, facts: dict[str, Any]) -> None:
    site = house_site()
    book = Site.of_entries(site)
    entry = book.handle(
        ChooseProfile(id="p", by="max", second="mia", profile="washington/2"), "2026-11-15T20:40:00.000000Z"
    )
    forged = resealed([*site, entry], len(site) + 1, lambda values: values["facts"].update(facts))
    expected = ("site", len(site) + 1) if facts else ("", 0)
    assert wrong_row(ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})) == expected


def changed_site() -> list[Entry]:
    """A site that was given another name, and of which a backup was noted."""
    entries = house_site()
    site = Site.of_entries(entries)
    acts = (
        RenameSite(id="named", by="max", second="mia", title="The Corner Room"),
        NoteBackup(id="kept", by="max", file="b.jsonl.gz", digest="ab" * 32, size_bytes=9, books={"site": 3}),
    )
    for act in acts:
        entries = [*entries, site.handle(act, entries[-1].at)]
        site.apply(entries[-1])
    return entries


def test_another_name_and_a_backup_are_proved(tmp_path: Path) -> None:
    entries = changed_site()
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(entries)})
    assert wrong_row(file) == ("", 0)


CHANGED_CHEATS: dict[str, tuple[int, dict[str, Any]]] = {
    "a name by one person": (-1, {"second": ""}),
    "the name that it has": (-1, {"title": house_site()[0].facts["title"]}),
    "a name that it never had before": (-1, {"was": "The Other Room"}),
    "a backup by a supervisor": (0, {"by": "sue"}),
    "a backup beyond its row": (0, {"books": {"site": 999}}),
    "a backup without a digest": (0, {"digest": "ab"}),
    "a backup of nothing": (0, {"size_bytes": 0}),
}


@pytest.mark.parametrize("cheat", CHANGED_CHEATS)
def test_a_changed_site_sealed_anew_is_found(tmp_path: Path, cheat: str) -> None:
    entries = changed_site()
    before, facts = CHANGED_CHEATS[cheat]
    place = len(entries) + before
    forged = resealed(entries, place, lambda values: values["facts"].update(facts))
    assert wrong_row(ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})) == ("site", place)


BRIDGE: dict[str, Any] = {"device_kind": DeviceKind.BRIDGE, "name": "Bridge", "table": 1, "by": "max", "second": "mia"}


@pytest.mark.parametrize(
    ("row", "facts"), [(1, {"second": ""}), (2, {"table": 1}), (3, {"device": "b1"}), (1, {"device": "b3"})]
)
def test_a_bridge_is_enrolled_by_two_people_and_is_the_only_one_of_its_table(
    tmp_path: Path, row: int, facts: dict[str, Any]
) -> None:
    """Tables 1 and 2 get one, and table 1 another after the first is revoked: proved, and every cheat is found."""
    site = house_site()
    book = Site.of_entries(site)
    for act in (
        EnrolDevice(id="b1", device="b1", token="a1" * 32, **BRIDGE),
        EnrolDevice(id="b2", device="b2", token="a2" * 32, **{**BRIDGE, "table": 2}),
        EnrolDevice(id="b3", device="b3", token="a3" * 32, **{**BRIDGE, "table": 3}),
    ):
        entry = book.handle(act, "2026-11-15T20:40:00.000000Z")
        book.apply(entry)
        site = [*site, entry]
    assert wrong_row(ledger_file(tmp_path / "right.jsonl", {"site": raw(site)})) == ("", 0)
    place = len(site) - 3 + row
    forged = resealed(site, place, lambda values: values["facts"].update(facts))
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})
    expected = place if facts != {"device": "b3"} else len(site)
    assert wrong_row(file) == ("site", expected)


# Between books


def golden_books() -> dict[str, list[bytes]]:
    """The rows of the kept export, by book."""
    books: dict[str, list[bytes]] = {}
    for line in gzip.decompress((GOLDEN / "ledger.jsonl.gz").read_bytes()).splitlines():
        if line.startswith(b'{"stream"'):
            rows = books.setdefault(json.loads(line)["stream"], [])
        elif line.startswith(b'{"digest"'):
            rows.append(line[83:-1])
    return books


def replaced(bodies: Sequence[bytes], place: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in bodies[place - 1]
    return [body.replace(old, new) if row == place else body for row, body in enumerate(bodies, 1)]


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        (40, b'"digest":"48537c7f', b'"digest":"58537c7f'),
        (40, b'"cents":2653640,', b'"cents":2653630,'),
        (42, b'"digest":"48537c7f', b'"digest":"58537c7f'),
        (42, b'"closing_units":2653640066000', b'"closing_units":2653640066001'),
    ],
)
def test_what_the_sites_book_says_of_a_link_is_held_against_it(
    tmp_path: Path, place: int, old: bytes, new: bytes
) -> None:
    books = golden_books()
    site, main = books["site"][:42], books[MAIN]
    configuration, file = json.loads(main[38])["facts"]["configuration"], tmp_path / "x.jsonl"
    assert wrong_row(ledger_file(file, {"site": rechained(site), MAIN: rechained(main)}, configuration)) == ("", 0)
    forged = replaced(site, place, old, new)
    if old.startswith(b'"cents"'):
        forged = replaced(forged, place, b'"difference_cents":0', b'"difference_cents":10')
    file = ledger_file(file, {"site": rechained(forged), MAIN: rechained(main)}, configuration)
    assert wrong_row(file) == (MAIN, 42)


def test_a_checkpoint_that_the_site_keeps_is_of_its_own_book(tmp_path: Path) -> None:
    site = replaced(golden_books()["site"], 39, b'"note":""', b'"note":"no"')
    assert wrong_row(ledger_file(tmp_path / "x.jsonl", {"site": rechained(site)})) == ("site", 43)


def test_what_a_link_received_the_other_has_given_up(tmp_path: Path) -> None:
    lines = gzip.decompress((GOLDEN / "ledger.jsonl.gz").read_bytes()).splitlines(keepends=True)
    retired = next(place for place, line in enumerate(lines) if b'"kind":"retire","number":12,' in line[-400:])
    body = lines[retired][83:-2].replace(b'"where":"console testclient"', b'"where":"console"')
    digest = sha256(body).hexdigest().encode()
    lines[retired + 1] = lines[retired + 1].replace(lines[retired][11:75], digest)
    lines[retired] = b'{"digest":"%s","row":%s}\n' % (digest, body)
    header = {**json.loads(lines[0]), "streams": [MAIN, "link:other", "link:side"], "keys": [], "checkpoints": 0}
    file = tmp_path / "x.jsonl"
    file.write_bytes(
        b"".join([json.dumps(header).encode() + b"\n", *lines[lines.index(b'{"stream":"link:main"}\n') :]])
    )
    assert wrong_row(file) == (MAIN, 41)


# Checkpoints and anchors


def golden(tmp_path: Path) -> tuple[Path, list[bytes]]:
    lines = gzip.decompress((GOLDEN / "ledger.jsonl.gz").read_bytes()).splitlines(keepends=True)
    return tmp_path / "golden.jsonl", lines


def test_a_checkpoint_that_was_altered_or_is_of_another_book_is_found(tmp_path: Path) -> None:
    file, lines = golden(tmp_path)
    altered = list(lines)
    altered[2] = re.sub(rb'"number":44', b'"number":43', altered[2])
    file.write_bytes(b"".join(altered))
    assert "its signature is not that of its content" in run(file).stdout
    other = Ed25519PrivateKey.generate()
    signed = json.loads(lines[2])
    signed["checkpoint"]["balances"]["house"] += 1
    signed["key"] = public_hex(other.public_key())
    signed["signature"] = other.sign(canonical(signed["checkpoint"])).hex()
    file.write_bytes(b"".join([*lines[:2], json.dumps(signed).encode() + b"\n", *lines[3:]]))
    assert wrong_row(file) == (MAIN, 44)
    file.write_bytes(b"".join(lines))
    result = run(file, "--key", signed["key"])
    assert (result.returncode, "another key than the one given" in result.stdout) == (1, True)


def test_a_book_that_was_cut_is_found_by_an_older_anchor(tmp_path: Path) -> None:
    """Everything in the file agrees with itself; only what left the house tells."""
    file, lines = golden(tmp_path)
    start = lines.index(b'{"stream":"link:main"}\n')
    rows = [line for line in lines[start + 1 :] if line.startswith(b'{"digest":"')][:44]
    bodies = [(line[11:75].decode(), line[83:-2]) for line in rows]
    short = ledger_file(file, {MAIN: bodies[:40]}, json.loads(bodies[39 - 1][1])["facts"]["configuration"])
    assert wrong_row(short) == ("", 0)
    anchor = tmp_path / "day.jsonl"
    anchor.write_bytes(lines[2])
    result = run(short, "--anchors", anchor)
    assert result.returncode == 1
    assert "is of entry 44, and the book ends at 40" in result.stdout
    played_anew = [body for _, body in bodies]
    played_anew[42] = played_anew[42].replace(b'"where":"device keypad-3"', b'"where":"device keypad-4"')
    configuration = json.loads(bodies[37][1])["facts"]["configuration"]
    anew = ledger_file(file, {MAIN: rechained(played_anew)}, configuration)
    assert wrong_row(anew) == ("", 0)
    assert wrong_row(anew, anchors=[anchor]) == (MAIN, 44)
    anchor.write_bytes(lines[3])
    assert "link:other, which is not in the file" in run(anew, "--anchors", anchor).stdout


@given(st.binary(max_size=80), st.binary(min_size=32, max_size=32), st.integers(0, 511))
@settings(max_examples=15, deadline=None)
def test_signatures_are_those_of_rfc_8032(message: bytes, secret: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = bytes.fromhex(public_hex(key.public_key())), key.sign(message)
    assert verifier.is_signed(public, message, signature)
    assert not verifier.is_signed(public, message + b"x", signature)
    changed = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
    assert not verifier.is_signed(public, message, changed)


# The file itself


def test_it_is_one_file_of_the_standard_library_that_anybody_reads() -> None:
    text = PROGRAM.read_text()
    imported = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert imported
    assert set(imported) <= sys.stdlib_module_names
    paragraphs = set(
        re.findall(r"^\*\*(\d+\.\d+)\*\*", (ROOT / "docs" / "formats" / "ledger.md").read_text(), re.MULTILINE)
    )
    cited = set(re.findall(r"\b\d+\.\d+\b", "".join(re.findall(r"ledger \d+\.\d+[^)\n]*", text))))
    assert cited
    assert cited <= paragraphs


def test_the_command_prints_the_file_and_its_page() -> None:
    for options, path in (([], PROGRAM), (["--rules"], ROOT / "docs" / "formats" / "ledger.md")):
        result = CliRunner().invoke(app, ["ledger", "verifier", *options], catch_exceptions=False)
        assert result.output == path.read_text()


def test_its_contents_say_what_is_where_and_how_long_it_is() -> None:
    """A regulator has an hour: what is told of the parts at the top is so."""
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    begins = [number for number, line in enumerate(lines) if line.startswith("# PART ")]
    ends = [*begins[1:], len(lines)]
    found = {lines[begin].removeprefix("# PART ").lower(): end - begin for begin, end in zip(begins, ends, strict=True)}
    told = re.findall(r"^    (\d\. .+?) {2,}([\d,]+) lines ", "\n".join(lines[:40]), re.MULTILINE)
    assert {title.lower(): int(length.replace(",", "")) for title, length in told} == found
    assert list(found) == [title.lower() for title, _ in told]
    money = sum(length for title, length in found.items() if title[0] in "123")
    assert f"Parts 1 to 3 decide all money of a link, in {money} lines" in "\n".join(lines[:40])
    assert money < 920  # an hour's reading
    moving = [number for number, line in enumerate(lines) if re.search(r"(self|book)\.move\(", line)]
    site, old = lines.index("class Site(Book):"), begins[-1]
    for number in moving:
        assert begins[1] <= number < begins[3] or number > old or site < number < begins[5]
