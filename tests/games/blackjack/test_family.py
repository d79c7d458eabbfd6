"""A title of the blackjack family is one file and one page: dealt, counted, printed and taught by its own rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.analysis.analyst import analyst_of, expected_of, hints_for
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.lab.placard import bet_sheet, choices_as_json
from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample
from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.cli.app import app, register_all
from croupier.compliance.approval import shipped_register
from croupier.errors import NotationError
from croupier.games import catalogue, rulebook, titles
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.paytable import Kind
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.legal import legal_acts
from croupier.games.table.record import read_any_record, write_record
from croupier.games.wager import OnDeal, approved_paytable
from croupier.training.lesson import make_lesson

KEY = "level-21"
PAGE = """# Level 21

Level 21 is blackjack from one deck that pays even money for a blackjack. This page is a test's.

*Amends [Blackjack](blackjack.md) in 8.7.*

## 8. Settlement

**8.7** A player's blackjack is paid 1 to 1.

## 20. Level

**20.1** Everybody sits level.
"""
DEFINITION = '''"""Level 21: a blackjack pays as every other win."""

from croupier.games.blackjack.game import title_of_blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_SET, INSURANCE

GAME = title_of_blackjack(
    "level-21",
    "Level 21",
    "",
    rules=Rules.parse("1D H17 NDAS SP2 1:1"),
    varies={"decks", "hits_soft_17", "cut"},
    side_wagers=(INSURANCE, BET_THE_SET),
    placards=("1D H17 NDAS SP2 1:1", "2D S17 NDAS SP2 1:1"),
    usual={"rules": "1D H17", "side_wagers": ["bet-the-set"]},
)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A place for one more definition and its page."""
    place, patch = tmp_path_factory.mktemp("titles"), pytest.MonkeyPatch()
    patch.setattr(titles, "__path__", [*titles.__path__, str(place)])
    patch.setattr(rulebook, "FOLDERS", [*rulebook.FOLDERS, place])
    catalogue._loaded.cache_clear()
    yield place
    patch.undo()
    catalogue._loaded.cache_clear()
    sys.modules.pop("croupier.games.titles.level_21", None)


@pytest.fixture(scope="module")
def game(folder: Path) -> BlackjackGame:
    (folder / "level_21.py").write_text(DEFINITION, encoding="utf-8")
    (folder / f"{KEY}.md").write_text(PAGE, encoding="utf-8")
    found = find_any_game(KEY)
    assert isinstance(found, BlackjackGame)
    return found


def test_its_rules_are_what_it_leaves_open_and_no_others(game: BlackjackGame) -> None:
    assert KEY in ALL_GAMES
    assert game.short_placard == "1D H17 NDAS SP2 1:1"
    assert game.under("S17").short_placard == "1D S17 NDAS SP2 1:1"
    assert game.under("2D") is game.under("", 2)
    with pytest.raises(NotationError, match=r"^Level 21 is not dealt with 3:2: it is always 1:1\.$"):
        game.under("3:2")
    with pytest.raises(NotationError, match=r"^Level 21 is not dealt with DAS: it is always NDAS\.$"):
        game.under("1D DAS")


def test_a_placard_is_read_back_as_the_same_rules(game: BlackjackGame) -> None:
    for words in ("1D", "2D S17", "8D H17 CUT60"):
        under = game.under(words)
        assert game.under(under.placard) is game.under(under.short_placard) is under
        assert blackjack().under(under.placard).rules == under.rules


def test_its_page_is_that_of_blackjack_with_its_own_paragraphs(game: BlackjackGame) -> None:
    page = {each.number: each.text for each in rulebook.paragraphs(KEY)}
    plain = {each.number: each.text for each in rulebook.paragraphs("blackjack")}
    assert page["8.7"] == "A player's blackjack is paid 1 to 1."
    assert page["20.1"] == "Everybody sits level."
    assert {number for number in plain if page[number] != plain[number]} == {"8.7"}
    assert game.about.startswith("Level 21 is blackjack from one deck")


@pytest.mark.parametrize("says", ["in 8.7 and 8.8.", "in 8.8."], ids=["too much", "another"])
def test_a_page_that_replaces_other_paragraphs_than_it_says_is_refused(folder: Path, says: str) -> None:
    (folder / "level-22.md").write_text(PAGE.replace("in 8.7.", says), encoding="utf-8")
    with pytest.raises(rulebook.PageError, match=r"^the page says that it amends"):
        rulebook.page("level-22")


def test_it_is_dealt_decided_settled_recorded_and_replayed(game: BlackjackGame) -> None:
    offering = game.offer(side_wagers=["bet-the-set"])
    for seed in range(20):
        round_: History = offering.open(Shoe.fresh(1, f"level {seed}"))
        round_ = round_.do(Bet(1, "bet", 500)).do(Bet(1, "bet-the-set", 500))
        while not round_.is_over:
            acts = [each.act for each in legal_acts(round_) if each.act.name not in ("void", "take-back", "bet")]
            if round_.waits_for and seed < 3:
                assert hints_for(round_)["seats"]
            round_ = round_.do(acts[0])
        record = write_record(round_)
        assert f"\ngame {KEY}\n" in record
        assert "\nhouse rules 1D H17 DA NDAS SP2 NRSA NHSA NS 1:1 PEEK INS CUT75\n" in record
        assert read_any_record(record).settlements == round_.settlements
        assert round_.staked_cents == round_.returned_cents + round_.kept_cents
    assert expected_of(round_)["wagers"][0]["edge"] == pytest.approx(-solve(game.rules).edge, abs=1e-12)


def test_it_is_counted_printed_and_in_the_lab(game: BlackjackGame) -> None:
    found = analyst_of(game).odds(Asked(wager="bet"), approved_paytable)
    assert (found["game"], found["rules"]) == (KEY, "1D H17 NDAS SP2 1:1")
    assert found["house_edge"]["percent"] == pytest.approx(-100 * solve(game.rules).edge, abs=1e-10)
    par = analyst_of(game).par(Asked(wager="bet-the-set"), shipped_register(), approved_paytable)
    assert (par.as_json()["game"], par.as_json()["rules"]) == (KEY, "1D H17 NDAS SP2 1:1")
    assert bet_sheet(game, "1D H17", "optimal").edge == solve(game.rules).edge
    offered = choices_as_json(game, game.wagers[0])
    assert {each["rule"] for each in offered["rules"]} == {"decks", "hits_soft_17"}
    assert [each["id"] for each in offered["tables"]] == list(game.placards)


def test_it_is_sampled_by_its_own_rules(game: BlackjackGame) -> None:
    sample = Sample(game=KEY, rounds=1, wagers=("bet",))
    simulation = analyst_of(game).simulate(sample, approved_paytable, NONE_OF_ONES_OWN)
    assert simulation.game is game


def test_it_is_taught(game: BlackjackGame) -> None:
    lesson = make_lesson(KEY, seed="family", seats=2)
    assert lesson.round.offering.game is game
    assert lesson.steps


def test_commands_know_it(game: BlackjackGame) -> None:
    register_all()
    runner = CliRunner()
    shown = runner.invoke(app, ["strategy", KEY, "--hand", "T6 v T", "--json"])
    assert json.loads(shown.output)["rules"] == "1D H17 NDAS SP2 1:1"
    refused = runner.invoke(app, ["odds", KEY, "bet", "--rules", "3:2"])
    assert refused.exit_code != 0
    paragraph = runner.invoke(app, ["rules", KEY, "8.7"])
    assert "is paid 1 to 1" in paragraph.output


def test_cards_that_are_drawn_for_a_hand_are_read_as_that_hand() -> None:
    """What hangs on the wall is judged as the table judges it; every hand that takes a meter is drawn."""
    for wager in PROGRESSIVES.values():
        assert isinstance(wager.basis, OnDeal)
        for outcome in wager.outcomes:
            if outcome.cards:
                first, second, third = parse_cards(outcome.cards, decks=8)
                assert wager.basis.judge((first, second), third) is outcome
        for table in wager.paytables.values():
            shares = {row.label for row in table.rows if row.pay.kind is Kind.SHARE}
            assert shares <= wager.hands_in_cards.keys(), (wager.key, table.name)
    assert PROGRESSIVES["blazing-7s-dealer"].hands_in_cards["Three 7's - Same Suit"] == ["7d", "7d", "7d"]


@pytest.mark.parametrize(
    ("title", "words", "says"),
    [
        ("zappit-blackjack", "NOZAP NSAZ", "Zappit Blackjack is not dealt with NOZAP: that is another game."),
        ("zappit-blackjack", "NOZAP", "Zappit Blackjack is not dealt with NOZAP: that is another game."),
        ("blackjack-switch", "NOSWITCH SWBJ", "Blackjack Switch is not dealt with NOSWITCH: it is always SWITCH."),
        ("free-bet-blackjack", "ES", "Free Bet Blackjack is not dealt with ES: it is always NES."),
        ("super-fun-21", "CH0", "Super Fun 21 is not dealt with CH0: it is always CH6."),
        ("blackjack", "FD FS P22", "Blackjack is not dealt with FD: it is always NFD."),
    ],
)
def test_a_word_that_a_title_has_not_is_refused_before_what_it_contradicts(title: str, words: str, says: str) -> None:
    """Nobody has written the title's own words, so nobody is told to leave one of them out."""
    game = find_any_game(title)
    assert isinstance(game, BlackjackGame)
    with pytest.raises(NotationError) as refused:
        game.under(words)
    assert str(refused.value) == says


def test_an_event_names_each_of_its_cards_once() -> None:
    game = find_any_game("blackjack-switch")
    round_ = game.offer().open(Shoe.stacked(parse_cards("2c Ts Td 9c Ah 6c 6d", decks=6), decks=6, chance="told"))
    for act in (Bet(1, "bet", 1000), round_.no_more_bets):
        round_ = round_.do(act)
    while not round_.waits_for:
        assert round_.next_by_dealer is not None
        round_ = round_.do(round_.next_by_dealer)
    switch = round_.parse("switch 1")
    [told] = round_.story(switch, round_.do(switch))
    assert told == "Seat 1 switches Ah and 6c: 16 and 21."
