"""Every bad definition is refused in one sentence, nothing of it stays, and the other games are there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cli import new_game
from croupier.games import catalogue
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.game import DefinitionError
from croupier.games.rulebook import OWN

WHOLE = Path(new_game.__file__).parent / "beginning"
DEFINITION, PAGE = (
    (WHOLE / f"{part}.txt").read_text(encoding="utf-8").format(key="bad-game", title="Bad Game")
    for part in ("definition", "page")
)
BAD: dict[str, tuple[str, str, str]] = {
    "an unknown paragraph": ("§ 5.2", "§ 5.9", "cites paragraph 5.9, which its page of the rulebook does not have"),
    "a row without an outcome": ("One suit  15 to 1", "Two suits  15 to 1", "has no line 'Two suits'"),
    "a raise on an unknown spot": (
        'Choice("play", PLAY, cites="4.1")',
        'Choice("play", spot("Other", against_dealer, "Player wins  1 to 1", raised_on(ANTE)))',
        "'play' in step 3 raises on 'Other', which is no spot of the game",
    ),
    "a raise on a word": (
        'Choice("play", PLAY, cites="4.1")',
        'Choice("play", "nowhere", cites="4.1")',
        "'play' in step 3 raises on 'nowhere', which is no spot of the game",
    ),
    "asks before anybody has cards": (
        '    Deal(SEAT, 3, cites="3.2"),\n    Deal(DEALER.down, 3, cites="3.3"),\n',
        '    Choose(Choice("wait"), Choice("sit")),\n    Deal(SEAT, 3),\n    Deal(DEALER.down, 3),\n',
        "step 1 asks before anybody has cards",
    ),
    "an unknown joker": ("deck=Deck(),", "deck=Deck(jokers=1),", "the reading 'highest' of the seat's cards does not"),
    "two spots of one key": ('    "One Suit",', '    "Ante",', "the spot 'ante' is there twice"),
    "an unknown choice": (
        'lambda seen: "play"',
        'lambda seen: "plays"',
        "the strategy 'always play' says 'plays' in step 3",
    ),
    "a strategy without an answer": ('lambda seen: "play"', "lambda seen: seen.nothing", "has no answer in step 3"),
    "an unlisted outcome": ("ends=(WINS, TIE, BEATEN)", "ends=(WINS, BEATEN)", "Ante"),
    "a judgment that fails": ("TIE if order == 0", "TIE if 1 // order == 0", "cannot be judged with seat"),
    "cards face down to a seat": ("Deal(SEAT, 3", "Deal(SEAT.down, 3", "deals face down to the seats"),
    "no Python": ("GAME = ScriptGame(", "GAME = = (", "cannot be read: SyntaxError"),
    "a table that never wins": ("wins   1 to 1 § 5.1", "wins   push § 5.1", "Ante could never win"),
    "a fold that wins": ("Player folds  lose", "Player folds  1 to 1", "'Player folds' gives the wager up"),
    "more cards turned than lie there": ("Show(DEALER, 3", "Show(DEALER, 4", "where 3 lie face down"),
    "cards that are never turned": ("Show(DEALER, 3", "Show(DEALER, 2", "1 of the cards that lie face down at dealer"),
    "no cards dealt": ("Deal(SEAT, 3", "Deal(SEAT, 0", "step 1 deals 0 cards"),
    "another name": ('"bad-game",', '"other-game",', "it defines 'other-game', and its name stands for 'bad-game'"),
    "no pay": ("15 to 1", "15 to none", "'One suit  15 to none' does not end in a pay"),
    "a row twice": ("One suit  15 to 1", "One suit  15 to 1; One suit  3 to 1", "'One suit' is already on line 1"),
    "two choices of one name": ('fold(cites="4.2"),', 'Choice("play"),', "or two of one name: play, play"),
    "a choice that lays nothing": ('Choice("play", PLAY,', 'Choice("play", PLAY, 0,', "lays no units on Play"),
    "one card of three": ("suits.of(SEAT)", "suits.of(SEAT[0])", "reads seat card 1, which is dealt together"),
    "cards that nobody deals": (
        "suits.of(SEAT)",
        'suits.of(type(SEAT)((("board", 0, None),)))',
        "a rule looks at the board's cards, and the script never deals any there",
    ),
    "an order of other spots": ("deck=Deck(),", 'order=("ante",),\n    deck=Deck(),', "the spots differ by 'one-suit'"),
    "no seats": ("seats=6", "seats=0", "it has 0 seats, and a table has one or more"),
    "seats in words": ("seats=6", 'seats="six"', "it has 'six' seats"),
    "no deck": ("deck=Deck(),", "deck=Deck(decks=0),", "6 seats need 21 cards, and there are 0"),
    "a card that is none": ("As Kd 2c", "As Kd 2x", "'2x' is no card"),
    "the end of the program": ("GAME = ScriptGame(", "raise SystemExit(3)\nGAME = ScriptGame(", "SystemExit, 3"),
    "an unknown name": ("raised_on(ANTE),", "raised_on(ONE),", "NameError, name 'ONE' is not defined"),
    "no table to post": (
        '{"1": "One suit  15 to 1", "2": "One suit  17 to 1"}',
        '"One suit  15 to 1"',
        "One Suit has no table that a house could post",
    ),
    "a wager twice": ("staked(ONE_SUIT),", "staked(ONE_SUIT), staked(ONE_SUIT),", "the spot 'one-suit' is there twice"),
    "choices of another wager": (
        "staked(ANTE, PLAY, script=SCRIPT, ",
        "staked(ANTE, PLAY, ",
        "the choices of the script are not those of its first wager",
    ),
    "no seat for so many cards": ("seats=6", "seats=20", "20 seats need 63 cards, and there are 52"),
}
"""What is written in place of what, and what is then said."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(OWN, str(tmp_path))
    catalogue._loaded.cache_clear()
    (tmp_path / "bad-game.md").write_text(PAGE, encoding="utf-8")
    yield tmp_path
    catalogue._loaded.cache_clear()


def test_without_a_fault_it_is_whole(folder: Path) -> None:
    (folder / "bad_game.py").write_text(DEFINITION, encoding="utf-8")
    assert find_any_game("bad-game").title == "Bad Game"


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_definition_is_one_sentence_and_nothing_else(folder: Path, fault: str) -> None:
    old, new, sentence = BAD[fault]
    assert old in DEFINITION
    (folder / "bad_game.py").write_text(DEFINITION.replace(old, new), encoding="utf-8")
    check_refused(sentence)


def test_outcomes_without_a_row_are_one_sentence(folder: Path) -> None:
    rows = re.compile(r" +(?:Tie|Dealer wins) +lose § 5\.\d\n?")
    (folder / "bad_game.py").write_text(rows.sub("", DEFINITION), encoding="utf-8")
    check_refused("no row of paytable 1 of Ante names 'Tie' or 'Dealer wins': only one outcome may have no row")


def test_a_missing_page_is_one_sentence(folder: Path) -> None:
    (folder / "bad_game.py").write_text(DEFINITION, encoding="utf-8")
    (folder / "bad-game.md").unlink()
    check_refused("there is no page of the rulebook, bad-game.md beside its file")


def check_refused(sentence: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        find_any_game("bad-game")
    said = str(refused.value)
    assert sentence in said
    assert said.endswith(".")
    assert "\n" not in said
    assert "croupier_own.bad_game" not in sys.modules
    others = [game.key for game in ALL_GAMES.values()]
    assert "bad-game" not in others
    assert {"blackjack", "supreme-99", "triple-shot-rummy"} <= {*others}
