"""`croupier simulate`, as people and programs use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.analysis.blackjack.switch import chart_switching
from croupier.analysis.simulation import tally
from croupier.cli.app import app
from croupier.games.blackjack.rules import Rules
from tests.cli.support import refused, run


def test_a_person_reads_lines_intervals_and_a_verdict() -> None:
    said = run("simulate", "three-card-baccarat", "--rounds", "2e5", "--compare")
    assert "King's Bonus" in said
    assert "at 99 %; counted" in said
    assert "200,000 rounds with 1 player, seed 7" in said
    assert "Agrees: of 19 lines" in said


def test_a_program_gets_the_form_of_odds() -> None:
    made = json.loads(run("simulate", "triple-shot-rummy", "--rounds", "131072", "--compare", "--json"))
    assert made["complete"] is True
    assert made["rounds"] == 131_072
    assert [each["wager"] for each in made["wagers"]] == ["ante-play", "pair-plus", "6-card-bonus"]
    for each in made["wagers"]:
        assert sum(line["sampled"] for line in each["lines"]) == each["times"] == 131_072
        assert {"line", "pays", "sampled", "interval", "probability", "return", "counted", "z", "p_value"} <= set(
            each["lines"][0]
        )
        low, high = each["interval_percent"]
        assert low < each["house_edge"]["percent"] < high
    assert made["verdict"]["agrees"] is True


def test_the_same_seed_gives_the_same_totals() -> None:
    first, again, other = (
        json.loads(run("simulate", "supreme-99", "--rounds", "70000", "--seed", seed, "--json"))
        for seed in ("3", "3", "4")
    )
    assert first == again
    assert first["wagers"] != other["wagers"]


def test_blackjack_under_its_rules_with_some_wagers() -> None:
    made = json.loads(
        run(
            *("simulate", "blackjack", "--rules", "8D H17 LS", "--wagers", "kings-bounty,bet-the-bust"),
            *("--players", "3", "--rounds", "65536", "--json"),
        )
    )
    assert [each["wager"] for each in made["wagers"]] == ["kings-bounty", "bet-the-bust"]
    assert made["wagers"][1]["paytable"] == "1", "the column for a dealer who hits a soft 17"
    assert made["wagers"][0]["times"] == 3 * 65_536
    assert sum(each["sampled"] for each in made["hands"]) > 3 * 65_536
    assert made["rules"].startswith("8D H17")


def test_compare_deals_a_fresh_shoe_unless_told() -> None:
    fresh = run("simulate", "blackjack", "--wagers", "bet", "--rounds", "65536", "--compare")
    assert "a fresh shoe for each round" in fresh
    cut = run("simulate", "blackjack", "--wagers", "bet", "--rounds", "65536", "--compare", "--shoe", "cut")
    assert "shoes dealt to a cut card differ a little" in cut


def test_of_two_hands_the_edge_is_compared_though_the_lines_are_not() -> None:
    """Lines of the Bet of Switch are sampled themselves; its edge is counted, by the chart that is played."""
    words = ("simulate", "blackjack-switch", "--wagers", "bet", "--rounds", "65536", "--compare")
    told = run(*words)
    assert "Of Bet the edge alone is counted, not its lines: it lies within its interval." in told
    assert "for want of an exact count" not in told
    assert "with several players" not in told
    [bet] = json.loads(run(*words, "--json"))["wagers"]
    chart = chart_switching(Rules.parse("6D H17 DAS SP4 1:1 P22 SWITCH"))
    assert bet["counted_house_edge_percent"] == pytest.approx(-100 * chart.edge, abs=1e-12)
    assert abs(bet["house_edge_z"]) < 4


def test_what_is_not_compared_is_told_with_its_reason() -> None:
    told = run("simulate", "blackjack", "--wagers", "bet-the-bust", "--players", "2", "--rounds", "65536", "--compare")
    assert "there is no exact count with several players" in told


def test_a_chart_and_a_file_of_decisions(tmp_path: Path) -> None:
    chart = tmp_path / "mine.txt"
    chart.write_text(run("strategy", "blackjack"))
    own = json.loads(
        run("simulate", "blackjack", "--strategy", str(chart), "--wagers", "bet", "--rounds", "65536", "--json")
    )
    basic = json.loads(run("simulate", "blackjack", "--wagers", "bet", "--rounds", "65536", "--json"))
    assert own["wagers"] == basic["wagers"]
    decisions = tmp_path / "decisions.txt"
    decisions.write_text("# a brave player\nKc Qd 9h play\n")
    brave = json.loads(
        run("simulate", "triple-shot-rummy", "--strategy", str(decisions), "--rounds", "65536", "--json")
    )
    usual = json.loads(run("simulate", "triple-shot-rummy", "--rounds", "65536", "--json"))
    assert brave["wagers"][0] != usual["wagers"][0]
    assert brave["wagers"][1:] == usual["wagers"][1:]
    decisions.write_text("Kc Qd 9h perhaps\n")
    assert "line 1" in refused("simulate", "triple-shot-rummy", "--strategy", str(decisions))
    assert brave["strategy"] == "optimal but for 1 hand of decisions.txt"
    decisions.write_text("# nothing\n")
    assert "decides nothing" in refused("simulate", "triple-shot-rummy", "--strategy", str(decisions))
    assert "There is no file" in refused("simulate", "triple-shot-rummy", "--strategy", "nowhere.txt")


def test_a_difference_is_an_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """As in `verify`, so that a script can go by it."""
    monkeypatch.setattr(tally.Verdict, "agrees", property(lambda self: False))
    words = ["simulate", "three-card-baccarat", "--rounds", "65536", "--compare"]
    assert app(words, standalone_mode=False) == 1
    said = capsys.readouterr().out
    assert "DIFFERS" in said
    assert "another --seed" in said


@pytest.mark.parametrize("rounds", ["1", "3"])
def test_few_rounds_are_no_trouble(rounds: str) -> None:
    said = run("simulate", "blackjack", "--rounds", rounds)
    assert "no interval after fewer than 100 results" in said
    assert json.loads(run("simulate", "blackjack", "--rounds", rounds, "--json"))["complete"] is True


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run("simulate", "three-card-baccarat", "--rounds", "131072", "--checkpoint", str(file), "--json")
    longer = run("simulate", "three-card-baccarat", "--rounds", "300000", "--checkpoint", str(file), "--json")
    assert longer == run("simulate", "three-card-baccarat", "--rounds", "300000", "--json")
    assert "seed" in refused(
        "simulate", "three-card-baccarat", "--rounds", "3e5", "--seed", "8", "--checkpoint", str(file)
    )


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture_is_drawn(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"tally{suffix}"
    run("simulate", "three-card-baccarat", "--rounds", "65536", "--compare", "--plot", str(file))
    first = file.read_bytes()
    run("simulate", "three-card-baccarat", "--rounds", "65536", "--compare", "--plot", str(file))
    assert file.read_bytes() == first
    assert len(first) > 10_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rounds", "-5"], "'-5' is not a number of rounds"),
        (["--rounds", "nan"], "'nan' is not a number of rounds"),
        (["--rounds", "1e30"], "rounds can be played"),
        (["--rounds", "1e31"], "'1e31' is not a number of rounds"),
        (["--rounds", "0"], "rounds can be played"),
        (["--rounds", "1.5"], "'1.5' is not a number of rounds"),
        (["--rounds", "inf"], "'inf' is not a number of rounds"),
        (["--seed", "-1"], "'-1' is not a seed"),
        (["--seed", "99999999999999999999"], "A seed is a whole number"),
        (["--players", "0"], "from 1 to 7 players, not 0"),
        (["--players", "8"], "from 1 to 7 players, not 8"),
        (["--workers", "-2"], "0 is one for each processor: -2 can"),
        (["--wagers", "poker"], "poker"),
        (["--strategy", "bravely"], "bravely"),
        (["--cluster", "nonsense"], "neither the address of a Dask scheduler"),
        (["--shoe", "fresh"], "one set of rules"),
        (["--rules", "6D"], "one set of rules"),
        (["--confidence", "nan"], "A confidence is from 50"),
        (["--confidence", "100"], "A confidence is from 50"),
        (["--plot", "tally.doc"], "A picture's name ends in"),
        (["--paytable", "tie"], "names no paytable"),
        (["--paytable", "tie=9"], "9"),
        (["--checkpoint", "nowhere/run.json"], "nowhere"),
        (["--cluster", "tcp://127.0.0.1:1", "--workers", "2"], "not both"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(options: list[str], words: str) -> None:
    assert words in refused("simulate", "three-card-baccarat", *options)


def test_wagers_that_the_rules_do_not_offer_are_refused() -> None:
    assert "not offered" in refused("simulate", "blackjack", "--rules", "2D", "--wagers", "trilux")
    assert "from 1 to 7" in refused("simulate", "blackjack", "--players", "12")
    assert "there are" in refused("simulate", "blackjack", "--shoe", "old")
