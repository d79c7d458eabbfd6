"""A game is one file and one page: from these alone it is dealt, counted, printed, played, taught and shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.analysis.analyst import analyst_of, counter_of, hints_for
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.lab.paytable import Bench
from croupier.analysis.sheet import make_sheet
from croupier.analysis.simulation.request import Sample, check_sample, simulation_of
from croupier.cards.shoe import Shoe
from croupier.cli.app import app, register_all
from croupier.errors import CroupierError
from croupier.games import catalogue, rulebook, titles
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.game import TableGame
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.legal import dealers_acts
from croupier.games.table.record import read_any_record, write_record
from croupier.games.wager import approved_paytable
from croupier.training.lesson import make_lesson

PAGE = """# High Packet

High Packet compares the highest card of three with the dealer's. This page is a test's.

## 1. All of it

**1.1** The game uses one standard deck of 52 cards.

**1.2** The higher card wins even money, equal cards push, and the lower one loses.
"""
DEFINITION = '''"""High Packet: the highest of three cards wins."""

from croupier.cards.symmetry import Sees
from croupier.errors import Refusal
from croupier.games.head_to_head.game import Decision, Game
from croupier.games.paytable import Paytable
from croupier.games.wager import AgainstDealer, Choice, Outcome, Reading, Spot, Wager

WIN, TIE, LOSE, FOLD = Outcome("Win", cites="1.2"), Outcome("Tie"), Outcome("Lose"), Outcome("Fold")
HIGHEST = Reading("highest card", 3, Sees.RANKS, lambda hand: max(card.rank for card in hand))


def judge(player, dealer):
    return TIE if player == dealer else WIN if player > dealer else LOSE


def parse(hand, words):
    if words not in ("play", "fold"):
        raise Refusal("unknown-decision", f"{words!r} is no decision: say 'play' or 'fold'.")
    return words


GAME = Game(
    "high-packet",
    "High Packet",
    document="",
    packet_cards=3,
    seats=3,
    wagers=(
        Wager(
            "bet",
            "Bet",
            AgainstDealer((Choice("play", HIGHEST, judge), Choice("fold", HIGHEST, lambda *_: FOLD)), dealer=HIGHEST),
            outcomes=(WIN, TIE, LOSE, FOLD),
            paytables={"1": Paytable.parse("Bet 1", "Win  1 to 1")},
            spots=(Spot("bet", "Bet", Paytable.parse("Bet", "Tie  push; Fold  1 for 2")),),
            mandatory=True,
        ),
    ),
    settling_order=("bet",),
    describe=lambda hand, choice: f"{max(card.rank for card in hand).name.lower()} high",
    describe_dealer=lambda hand: f"{max(card.rank for card in hand).name.lower()} high",
    decision=Decision("bet", parse, say=lambda hand, choice: choice),
    chart=lambda hand, choice: (max(card.rank for card in hand).name.lower(), choice),
)
'''
KEY = "high-packet"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for one more definition and its page."""
    monkeypatch.setattr(titles, "__path__", [*titles.__path__, str(tmp_path)])
    monkeypatch.setattr(rulebook, "FOLDERS", [*rulebook.FOLDERS, tmp_path])
    catalogue._loaded.cache_clear()
    yield tmp_path
    catalogue._loaded.cache_clear()
    sys.modules.pop("croupier.games.titles.high_packet", None)


@pytest.fixture
def game(folder: Path) -> TableGame:
    (folder / "high_packet.py").write_text(DEFINITION, encoding="utf-8")
    (folder / f"{KEY}.md").write_text(PAGE, encoding="utf-8")
    return find_any_game(KEY)


def test_it_is_in_the_catalogue_and_counted(game: TableGame) -> None:
    assert KEY in ALL_GAMES
    [wager] = game.wagers
    sheet = make_sheet(game, wager, "1", wager.paytables["1"])
    assert sheet.figures.deals == counter_of(game).deals(wager) == 407_170_400
    assert sheet.figures.expected == Fraction(24614, 363545)  # half of a folded wager comes back
    found = analyst_of(game).odds(Asked(wager="bet", paytable="1"), approved_paytable)
    assert found["game"] == KEY
    [shown] = [Bench(game, wager).sheet(Asked(paytable="1"), approved_paytable)]
    assert shown.digest == sheet.digest


def test_it_is_dealt_decided_settled_recorded_and_replayed(game: TableGame) -> None:
    round_: History = game.offer().open(Shoe.fresh(game.decks, "one file"))
    round_ = round_.do(Bet(1, "bet", 500)).do(round_.do(Bet(1, "bet", 500)).no_more_bets)
    for act in dealers_acts(round_):
        round_ = round_.do(act)
    assert round_.waits_for == (1,)
    assert {each.label for each in round_.in_play() if each.key} == {"Play", "Fold"}
    [rated] = hints_for(round_)["seats"]
    assert [each["act"] for each in rated["decisions"]] == sorted(
        ["decide 1 play", "decide 1 fold"], key=lambda act: rated["decisions"][0]["act"] != act
    )
    round_ = round_.do(round_.parse("decide 1 play"))
    for act in dealers_acts(round_):
        round_ = round_.do(act)
    assert round_.is_over
    assert read_any_record(write_record(round_)).settlements == round_.settlements


def test_a_paragraph_that_nobody_cites_stops_no_settlement(game: TableGame) -> None:
    """Of its four outcomes one cites a paragraph."""
    cited = {each.cites for seed in range(40) for each in make_lesson(KEY, f"seed-{seed}", 1).round.settlements}
    assert cited == {"", "1.2"}


def test_it_is_taught_and_simulated(game: TableGame) -> None:
    steps = make_lesson(KEY, "first", 2).steps
    assert {step.kind.value for step in steps} >= {"whom", "result", "order"}
    check_sample(Sample(KEY, 1000))
    assert simulation_of(Sample(KEY, 1000)).game is game


def test_every_command_takes_it(game: TableGame) -> None:
    register_all()
    runner = CliRunner()
    for words in (
        *("games", f"rules {KEY}", f"odds {KEY}", f"strategy {KEY}", f"par {KEY}", f"session {KEY}"),
        *(f"strategy {KEY} --hand 'Kh 6c 4d'", f"play {KEY} --auto optimal --seed 1", f"odds {KEY} --json"),
    ):
        done = runner.invoke(app, [word.strip("'") for word in _split(words)], catch_exceptions=False)
        assert done.exit_code == 0, (words, done.output)
    assert json.loads(done.output)[0]["game"] == KEY
    entered = runner.invoke(app, ["enter", KEY], input="bet 1 bet 5\nno-more-bets\n", catch_exceptions=False)
    assert "the next 3 cards go to seat 1" in entered.output


def _split(words: str) -> list[str]:
    import shlex

    return shlex.split(words)


@pytest.mark.parametrize(
    ("definition", "page", "sentence"),
    [
        (DEFINITION, None, "there is no page of the rulebook, docs/rulebook/high-packet.md"),
        (DEFINITION.replace('cites="1.2"', 'cites="7.7"'), PAGE, "cites paragraph 7.7, which its page"),
        (DEFINITION.replace('"Win  1 to 1"', '"Wim  1 to 1"'), PAGE, "has no line 'Wim'; did you mean 'win'?"),
        (DEFINITION.replace("GAME = Game(", "GAME = Gome("), PAGE, "cannot be read: NameError"),
        (DEFINITION.replace("GAME = Game(", "PLAY = Game("), PAGE, "defines no game: it needs a GAME"),
        (DEFINITION.replace('"high-packet"', '"low-packet"'), PAGE, "defines 'low-packet', and its name stands for"),
    ],
    ids=["no page", "no such paragraph", "a row without an outcome", "no Python", "no game", "another name"],
)
def test_a_definition_that_misses_something_is_refused_in_a_sentence(
    folder: Path, definition: str, page: str | None, sentence: str
) -> None:
    (folder / "high_packet.py").write_text(definition, encoding="utf-8")
    if page:
        (folder / f"{KEY}.md").write_text(page, encoding="utf-8")
    with pytest.raises(CroupierError) as error:
        find_any_game(KEY)
    assert sentence in str(error.value)
    assert str(error.value).count("\n") == 0
    assert KEY not in [each.key for each in ALL_GAMES.values()]
    assert "supreme-99" in [each.key for each in ALL_GAMES.values()]  # the others are there
