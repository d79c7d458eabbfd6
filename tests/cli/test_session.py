"""`croupier session`: what it prints, what it draws, and one sentence for what is wrong."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all
from croupier.cli.options import read_count
from croupier.cli.session import share
from croupier.errors import CroupierError, NotationError

register_all()

RUMMY = ("session", "triple-shot-rummy", "ante-play")


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    if result.exception:
        raise result.exception
    return result.output


def run_json(*words: str) -> Any:
    return json.loads(run(*words, "--json"))


def test_a_session_is_printed_with_all_its_figures() -> None:
    said = run(*RUMMY, "--rounds", "200", "--bankroll", "200", "--goal", "400", "--sessions", "100")
    for words in (
        *("Ante and Play $10.00; 200 rounds", "mean", "standard deviation", "ahead", "even", "behind", "50 % (median)"),
        *("bankroll gone", "goal reached first", "N-zero", "95 % interval", "in whole numbers of deals"),
        *("fresh deck", "below $20.00", "-$64.67"),
    ):
        assert words in said


@pytest.mark.parametrize(
    ("chance", "printed"),
    [(0, "0.0000 %"), (3e-9, "under 0.0001 %"), (Fraction(1, 10**30), "under 0.0001 %"), (2e-6, "0.0002 %")],
)
def test_a_chance_too_small_to_print_is_said_to_be_so(chance: float | Fraction, printed: str) -> None:
    assert share(chance) == printed


def test_programs_read_the_same() -> None:
    found = run_json(*RUMMY, "--rounds", "50", "--bankroll", "100", "--sessions", "10")
    law = found["all_rounds"]
    assert found["exact"] is True
    assert law["ahead"] + law["even"] + law["behind"] == pytest.approx(1)
    assert law["mean"] == pytest.approx(sum(each["result"] * each["probability"] for each in law["results"]))
    assert found["one_round"]["mean_exact"].count("/") == 1
    stopped = found["with_bankroll"]
    assert sum(each["probability"] for each in stopped["results"]) == pytest.approx(1)
    assert 0 < stopped["ruin"] < 1
    assert stopped["rounds_played"] < 50
    low, high = found["house"]["interval_95"]
    assert low < found["house"]["mean"] < high


def test_without_a_wager_the_first_is_played() -> None:
    assert run_json("session", "triple-shot-rummy", "--rounds", "20") == run_json(*RUMMY, "--rounds", "20")


def test_stakes_are_for_all_wagers_or_for_one() -> None:
    found = run_json(
        "session", "three-card-baccarat", "bet", "tie", "--stake", "5", "--stake", "bet=25", "--rounds", "10"
    )
    assert found["first_wagers"] == 30
    assert found["session"] == "Three Card Baccarat: Bet against the dealer $25.00, Tie $5.00"


def test_each_wager_may_have_its_paytable() -> None:
    words = ("session", "triple-shot-rummy", "ante-play", "pair-plus", "--rounds", "5")
    usual, other = run_json(*words), run_json(*words, "--paytable", "pair-plus=3")
    assert "Pair Plus (paytable 3)" in other["session"]
    assert usual["one_round"]["mean"] > other["one_round"]["mean"]


def test_a_strategy_is_followed() -> None:
    best, worst = (run_json(*RUMMY, "--rounds", "5", "--strategy", name) for name in ("optimal", "never play"))
    assert worst["one_round"]["mean"] == -10
    assert best["one_round"]["mean"] > -1


def test_a_strategy_is_named_with_hyphens_or_without() -> None:
    one, other = (run(*RUMMY, "--rounds", "5", "--strategy", name) for name in ("Never-Play", "never play"))
    assert one == other


def test_blackjack_says_how_far_it_is_known() -> None:
    said = run("session", "blackjack", "--rounds", "1e3", "--stake", "25", "--bankroll", "500", "--rules", "2D S17 SP2")
    for words in ("fresh shoe", "within 1e-10", "within 1e-07", "money from outside", "below zero", "--cover all"):
        assert words in said


def test_side_wagers_of_blackjack_one_at_a_time() -> None:
    bounty = run_json("session", "blackjack", "kings-bounty", "--rounds", "100", "--stake", "5")
    assert bounty["first_wagers"] == 5
    meter = run_json("session", "blackjack", "blazing-7s-dealer", "--rounds", "100", "--meter", "5000", "--stake", "5")
    assert any("$25,000.00" in note for note in meter["notes"])


@pytest.mark.parametrize("name", ["result.png", "result.svg", "result.pdf"])
def test_a_picture_is_drawn(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    assert str(path) in run(*RUMMY, "--rounds", "40", "--bankroll", "100", "--goal", "150", "--plot", str(path))
    assert path.stat().st_size > 10_000


def test_a_picture_is_drawn_without_a_bankroll_the_same_each_time(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.svg" for number in (1, 2)]
    for path in paths:
        run("session", "supreme-99", "bet", "pair-fortunes", "--rounds", "60", "--plot", str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert "mean -$" in paths[0].read_text(encoding="utf-8").replace("\\", "")


def test_bars_that_are_cut_off_say_their_share(tmp_path: Path) -> None:
    path = tmp_path / "cut.svg"
    words = (*RUMMY, "--rounds", "200", "--bankroll", "200", "--goal", "400")
    run(*words, "--plot", str(path))
    drawn = path.read_text(encoding="utf-8")
    results = run_json(*words)["with_bankroll"]["results"]
    ended = [each for each in results if each["result"] < -180 or each["result"] >= 200]
    cut = [each["probability"] for each in ended if each["probability"] > 0.015]
    assert len(cut) == drawn.count("\u2192") > 2
    assert all(f"{100 * share:.1f} % \u2192" in drawn for share in cut)
    assert "are gone" not in drawn
    assert "less than a round's $20" in drawn.replace("\\", "")


def test_where_all_sessions_end_early_no_bar_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "ended.svg"
    run(*RUMMY, "--rounds", "3000", "--bankroll", "100", "--goal", "150", "--plot", str(path))
    assert "\u2192" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "number"), [("500", 500), ("1,000", 1000), ("1e6", 1_000_000), (" 20 ", 20)])
def test_counts_are_read_as_people_write_them(text: str, number: int) -> None:
    assert read_count("a number of rounds", text) == number


@pytest.mark.parametrize("text", ["nan", "inf", "-5", "1e31", "2.5", "", "ten", "9" * 400, "1e999999999", "0x10"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="write a whole number") as refused:
        read_count("a number of rounds", text)
    assert len(str(refused.value)) < 120


def test_a_long_text_that_is_no_count_is_shortened() -> None:
    with pytest.raises(NotationError, match=r"^'9{20}\.\.\.' is not a number of rounds"):
        read_count("a number of rounds", "9" * 400)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rounds", "-3"), "'-3' is not a number of rounds"),
        (("--rounds", "0"), "from 1 to"),
        (("--rounds", "nan"), "not a number of rounds"),
        (("--rounds", "1e30"), "from 1 to 1,000,000,000 rounds"),
        (("--sessions", "0"), "from 1 to 1,000,000 sessions"),
        (("--bankroll", "nan"), "no amount"),
        (("--bankroll", "-5"), "no amount"),
        (("--bankroll", "15"), "below what one round needs, $20.00"),
        (("--bankroll", "9", "--cover", "first"), "below what one round needs, $10.00"),
        (("--bankroll", "100", "--goal", "100"), "above the bankroll"),
        (("--bankroll", "100", "--cover", "some"), "first or all"),
        (("--goal", "100"), "say it with --bankroll"),
        (("--stake", "0"), "stakes nothing"),
        (("--stake", "1e30"), "no amount"),
        (("--stake", "pair-plus=5"), "on no wager of this session"),
        (("--stake", "5", "--stake", "6"), "given twice"),
        (("--plot", "result.txt"), "picture's name ends in"),
        (("--decks", "6"), "it has one set of rules"),
        (("--paytable", "tie=1"), "paytable of no wager of this session"),
        (("--paytable", "9"), "no paytable"),
        (("--strategy", "clever"), "no strategy"),
        (("pair-plus", "--strategy", "clever"), "no strategy"),
        (("ante-play",), "named twice"),
        (("pair-plus", "--paytable", "3"), "does not say of which wager"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CroupierError) as refused:
        run(*RUMMY, *words)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("bet", "kings-bounty"), "croupier simulate blackjack"),
        (("insurance",), "not every round"),
        (("kings-bounty", "--meter", "5000"), "has no meter"),
        (("--meter", "5000"), "progressive wager"),
        (("kings-bounty", "--strategy", "basic"), "about the bet"),
    ],
)
def test_what_blackjack_does_not_offer(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CroupierError) as refused:
        run("session", "blackjack", *words)
    assert sentence in str(refused.value)
