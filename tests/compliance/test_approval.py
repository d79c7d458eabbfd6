"""The register of approvals: the letter as it is, what covers what, and files that are wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.compliance.approval import NONE_ON_FILE, Approval, Where, read_approval, shipped_register
from croupier.errors import CroupierError
from croupier.games.blackjack.side_wagers import DECKS_OF
from croupier.games.catalogue import ALL_GAMES, GAMES
from croupier.games.head_to_head.game import wager_digest
from croupier.games.table.offering import FIRST_WAGERS
from croupier.games.tabulate import priced_digest, rules_digest
from support.papers import OWN_LETTER
from tests.cli.support import refused, run

HERE = Path(__file__).parents[2]
FILE = files("croupier.compliance").joinpath("approvals", "washington-3119.toml")
TEXT = FILE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def letter() -> Approval:
    return shipped_register().find("submission #3119")


def test_the_letter_has_its_66_titles_with_their_numbers(letter: Approval) -> None:
    assert [title.number for title in letter.titles] == list(range(1, 67))
    assert len({title.name for title in letter.titles}) == 66
    assert letter.named("63").name == "Triple Shot Rummy"
    assert letter.named("zappit blackjack – dual progressives").number == 66
    assert (letter.dated, letter.rules_submitted) == (date(2023, 6, 14), (date(2023, 5, 5), date(2023, 6, 5)))
    assert [enclosure.document for enclosure in letter.enclosures] == ["000", "001", "002", "003", "004"]


def offered() -> Iterator[tuple[str, str]]:
    """Every wager and paytable that the enclosures describe, as this program would deal it now, with its digest."""
    for game in GAMES.values():
        for wager in game.wagers:
            for name, paytable in wager.paytables.items():
                yield f"{wager.key} {name}", wager_digest(game, wager, paytable)
    for wager in map(ALL_GAMES["blackjack"].wager, FIRST_WAGERS["blackjack"]):
        for decks in DECKS_OF.get(wager.key, ()):
            for name, paytable in wager.paytables.items():
                digest = priced_digest(wager, paytable, "blackjack", [decks, rules_digest(wager)])
                yield f"{wager.key} {name} {decks}D", digest


def test_what_is_dealt_is_what_was_approved(letter: Approval) -> None:
    """Digests on file are those of the definitions; a changed rule or pay is found here, and is then not covered."""
    on_file = sorted((what, digest) for title in letter.titles for what, digest in (title.digests or {}).items())
    assert on_file == sorted(offered())
    for what, digest in on_file:
        [covering] = shipped_register().covering(digest)
        assert covering.what == what


def test_nothing_is_approved_that_no_file_names() -> None:
    register = shipped_register()
    assert register.covering("0" * 64) == ()
    assert register.words(["0" * 64]) == NONE_ON_FILE


def test_every_condition_has_its_paragraph_in_the_rulebook(letter: Approval) -> None:
    page = (HERE / "docs" / "rulebook" / f"{letter.page}.md").read_text(encoding="utf-8")
    paragraphs = set(re.findall(r"^\*\*(\d+\.\d+)\*\*", page, re.MULTILINE))
    numbers = [condition.paragraph for condition in letter.conditions]
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= paragraphs


@pytest.mark.parametrize(
    ("title", "where", "has", "has_not"),
    [
        ("King's Bounty", Where.COMMERCIAL, {"internal-controls", "one-progressive"}, {"tribal-agency"}),
        ("Supreme 99", Where.TRIBAL, {"i-verify-in-view", "state-concurrence"}, {"internal-controls", "dealing"}),
        ("Bet The Bust", Where.COMMERCIAL, {"rules-as-enclosed", "wager-limits"}, {"plain-display"}),
    ],
)
def test_conditions_are_those_of_the_place_and_of_the_enclosure(
    letter: Approval, title: str, where: Where, has: set[str], has_not: set[str]
) -> None:
    keys = {condition.key for condition in letter.conditions_of(letter.named(title), where)}
    assert has <= keys
    assert not has_not & keys


@pytest.mark.parametrize(
    ("version", "is_enough"), [("5.4.0", True), ("v5.4", True), ("5.10", True), ("5.3.9", False), ("4", False)]
)
def test_versions_are_compared_by_their_numbers(letter: Approval, version: str, is_enough: bool) -> None:
    [atlas] = [each for each in letter.equipment if each.name == "GM Atlas"]
    assert atlas.allows(version) is is_enough


def test_a_version_that_is_none_is_refused(letter: Approval) -> None:
    with pytest.raises(CroupierError, match=r"numbers with dots between them, as 5\.4\.0, not 'five'"):
        letter.equipment[0].allows("five")


def line_of(text: str) -> int:
    return TEXT[: TEXT.index(text)].count("\n") + 1


def test_a_letter_may_be_of_equipment_alone_and_not_of_nothing() -> None:
    head, equipment = OWN_LETTER[: OWN_LETTER.index("[[equipment]]")], OWN_LETTER[OWN_LETTER.index("[[equipment]]") :]
    alone = read_approval((head + equipment[: equipment.index("[[title]]")]).encode(), "ours")
    assert (alone.titles, [each.name for each in alone.equipment]) == ((), ["Croupier"])
    with pytest.raises(CroupierError, match=r"ours.toml, line 1: an approval has at least one \[\[title\]\] or one"):
        read_approval(head.encode(), "ours")


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ('key = "dealing"', 'key = "Dealing"', '[[condition]]\nkey = "dealing"', "key is small letters"),
        ('key = "dealing"', 'key = "modifications"', '[[condition]]\nkey = "dealing"', "modifications is there twice"),
        ('where = "tribal"', 'where = "county"', '[[condition]]\nkey = "tribal-agency"', "where is one of everywhere"),
        ("number = 37", "number = 36", "[[title]]\nnumber = 37", "36 is there twice"),
        ("number = 37", 'number = "x"', "[[title]]\nnumber = 37", "number is a whole number from 1, not 'x'"),
        (
            'enclosure = "004"',
            'enclosure = "005"',
            "[[title]]\nnumber = 52",
            "document 005 is not among",
        ),
        ('game = "supreme-99"\n', "", "[[title]]\nnumber = 52", "names its game and its enclosure"),
        ("dated = 2023-06-14", "dated = 2023-06-04", "#", "submitted on 2023-06-05 are later than the approval"),
        ("dated = 2023-06-14\n", "", "#", "dated is missing"),
        ('page = "approval"', 'page = "approval"\npages = 3', "#", "'pages' is not known here"),
        ('version = "5.4.0"', 'version = "five"', '[[equipment]]\nname = "GM Atlas"', "version is numbers with dots"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(old: str, new: str, line: str, sentence: str) -> None:
    with pytest.raises(CroupierError) as told:
        read_approval(TEXT.replace(old, new, 1).encode(), "mine")
    assert str(told.value).startswith(f"mine.toml, line {line_of(line)}: ")
    assert sentence in str(told.value)


@pytest.mark.parametrize("raw", [b"\xff", b"title = ", b"[[title]]\n" * 3 + b"["])
def test_what_is_no_toml_is_refused(raw: bytes) -> None:
    with pytest.raises(CroupierError, match=r"mine\.toml is no TOML"):
        read_approval(raw, "mine")


def test_the_command_lists_titles_conditions_and_what_a_digest_is_covered_by() -> None:
    shown = run("approvals")
    assert "66   Zappit Blackjack – Dual Progressives" in shown
    assert "not this program" in shown
    told = json.loads(run("approvals", "Three Card Baccarat", "--where", "tribal", "--json"))
    assert {"CardRec", "RNG"} <= {each["name"] for each in told["equipment"]}
    assert "approval 4.3" in [each["paragraph"] for each in told["conditions"]]
    assert run("approvals", "--digest", told["digests"]["tie 1"]).startswith("tie 1: 54. Three Card Baccarat, ")
    assert refused("approvals", "Kings Bounty").startswith(
        "There is no title 'Kings Bounty'; did you mean King's Bounty"
    )
    none = CliRunner().invoke(app, ["approvals", "--digest", "0" * 64])
    assert (none.exit_code, none.stdout.strip()) == (1, NONE_ON_FILE)


@pytest.mark.parametrize("key", [game.key for game in ALL_GAMES.values() if not game.document])
def test_a_game_without_a_document_is_approved_by_nobody_and_is_no_table_of_the_register(key: str) -> None:
    """Titles of the letter may have its name: their rules are not enclosed, so nothing says that they are these."""
    register, game = shipped_register(), ALL_GAMES[key]
    offering = game.offer()
    shared = {wager.key for wager in ALL_GAMES["blackjack"].wagers[1:]}  # approved by themselves, at whatever table
    own = [wager for wager in game.wagers if wager.key not in shared or not game.placard]
    assert own
    assert not any(register.covering(offering.digest_of(wager)) for wager in own)
    assert key not in {each.game for each in register.dealt.values()}
    for approval in register.approvals:
        assert all(not (title.game or title.digests) for title in approval.titles if title.name == game.title)
