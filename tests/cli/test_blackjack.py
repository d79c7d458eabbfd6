"""Blackjack on the command line: exact hands, charts, the base wager and the side wagers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cli.blackjack import parse_hand
from croupier.errors import CroupierError
from tests.cli.test_commands import Run, run

__all__ = ["run"]


def test_the_check_case_to_nine_decimals(run: Run) -> None:
    bet = run("odds", "blackjack", "bet", "--rules", "6D S17 DAS SP4 3:2", "--json").json
    assert f"{bet['house_edge']['percent']:.9f}" == "0.402870236"
    assert sum(line["probability"] for line in bet["lines"]) == pytest.approx(1)
    assert bet["standard_deviation"] == pytest.approx(1.154, abs=0.001)


@pytest.mark.parametrize(
    ("text", "held", "up"),
    [("T6 v T", (10, 6), 10), ("A,7 vs 9", (1, 7), 9), ("Ks 6h v Ad", (10, 6), 1), ("10 2 4 against 7", (10, 2, 4), 7)],
)
def test_a_hand_is_read_as_people_write_it(text: str, held: tuple[int, ...], up: int) -> None:
    assert parse_hand(text) == (held, up)


@pytest.mark.parametrize("text", ["T6", "T6 v", "T6 v T T", "X6 v T", ""])
def test_what_is_no_hand_is_refused(text: str) -> None:
    with pytest.raises(CroupierError):
        parse_hand(text)


def test_a_hand_names_the_best_decision_and_the_cost_of_the_others(run: Run) -> None:
    found = run("hand", "8,8 v T", "--rules", "6D H17 LS", "--json").json
    assert found["decisions"][0] == {"decision": "split", "value": pytest.approx(-0.474893751), "cost": 0}
    assert {each["decision"] for each in found["decisions"]} == {"split", "surrender", "hit", "stand", "double"}


def test_a_blackjack_is_paid_once_the_dealer_has_none(run: Run) -> None:
    for up in "AT5":
        found = run("hand", f"AT v {up}", "--rules", "6D 6:5", "--json").json
        assert found["decisions"] == [{"decision": "stand", "value": pytest.approx(1.2), "cost": 0}] or up == "5"


def test_the_chart_everybody_knows(run: Run) -> None:
    shown = run("strategy", "blackjack").out
    assert "hard 11:" in shown
    assert "0.405922 %" in shown


def test_a_chart_of_ones_own_is_weighed(run: Run, tmp_path: Path) -> None:
    best = run("strategy", "blackjack", "--json").json
    file = tmp_path / "mine.txt"
    file.write_text(
        "\n".join(best["chart"]).replace("hard 12:    H   H   S", "hard 12:    H   H   H"), encoding="utf-8"
    )
    mine = run("strategy", "blackjack", "--chart", str(file), "--json").json
    assert mine["house_edge_percent"] > best["house_edge_percent"]


def test_progressives_have_hold_and_break_even(run: Run) -> None:
    sheet = run("odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03", "--decks", "8", "--json").json
    assert f"{sheet['hold']['percent']:.2f}" == "21.65"
    assert f"{sheet['hit_frequency']['percent']:.2f}" == "14.81"
    even = {meter: Fraction(at) for meter, at in sheet["break_even_meter_exact"].items()}
    assert sheet["break_even_meter"] == {meter: float(at) for meter, at in even.items()}
    at_even = run(
        *("odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03", "--decks", "8", "--json"),
        *("--meter", "Mega=2000", "--meter", "Major=1000", "--meter", f"Minor={float(even['Minor']):.4f}"),
    ).json
    assert at_even["house_edge"]["percent"] == pytest.approx(0, abs=1e-5)


def test_more_contribution_means_less_hold(run: Run) -> None:
    words = ("odds", "blackjack", "trilux", "--paytable", "6", "--seed-amount", "2000", "--json")
    less, more = (run(*words, "--contribution", share).json["hold"]["percent"] for share in ("20%", "24%"))
    assert less - more == pytest.approx(4)


def test_bet_the_bust_pushes_where_nobody_is_left(run: Run) -> None:
    found = run("odds", "blackjack", "bet-the-bust", "--players", "1", "--with-bet", "--json").json[0]
    alone = found["with_players"]
    assert 0.213 < alone["push"]["low"] <= alone["push"]["high"] < 0.214
    assert alone["house_edge"]["high"] < found["house_edge"]["percent"] / 100
    assert 0.4 < found["with_bet"]["correlation"] < 0.5


def test_a_printed_hold_is_traced_to_its_funding(run: Run) -> None:
    words = ("odds", "blackjack", "blazing-7s-dealer", "--paytable", "2", "--find-hold", "23.59%", "--json")
    fundings = run(*words).json["fundings"]
    assert {
        "contribution": "0.24",
        "seeds": {"Progressive": 2000},
        "hold_percent": pytest.approx(23.586, abs=1e-3),
    } in (fundings)


BAD = {
    "rules that are none": (["odds", "blackjack", "--rules", "6D S18"], "S18"),
    "decks that are none": (["odds", "blackjack", "--decks", "3"], "3 decks"),
    "a wager that is none": (["odds", "blackjack", "king-bounty"], "kings-bounty"),
    "decks a wager does not take": (["odds", "blackjack", "trilux", "--decks", "2"], "6, 8"),
    "a meter that is none": (["odds", "blackjack", "trilux", "--meter", "lots"], "'lots'"),
    "a contribution that is none": (["odds", "blackjack", "trilux", "--contribution", "240%"], "'240%'"),
    "a level that is none": (["odds", "blackjack", "trilux", "--meter", "Giga=5"], "Giga"),
    "players elsewhere": (["odds", "blackjack", "trilux", "--players", "2"], "bet-the-bust"),
    "too many players": (["odds", "blackjack", "bet-the-bust", "--players", "9"], "1 to 7"),
    "a hold that is none": (["odds", "blackjack", "trilux", "--find-hold", "x"], "'x'"),
    "a question without its wager": (["odds", "blackjack", "--with-bet"], "name it"),
    "a level without a name": (
        ["odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03", "--meter", "5"],
        "Mega",
    ),
    "a hold without a meter": (["odds", "blackjack", "kings-bounty", "--find-hold", "24%"], "no meter"),
    "a share without its sign": (["odds", "blackjack", "trilux", "--contribution", "0.24"], "'0.24'"),
    "a strategy elsewhere": (["odds", "blackjack", "bet", "--strategy", "basic"], "strategy blackjack"),
    "a meter elsewhere": (["odds", "blackjack", "bet", "--meter", "5"], "progressive wager"),
    "decks elsewhere": (["odds", "supreme-99", "--decks", "6"], "about blackjack"),
    "a hand that is none": (["hand", "T6 T"], "'T6 v T'"),
    "a hand that is over": (["hand", "T T 5 v 6"], "up to 21"),
    "cards that are not there": (["hand", "T6 v T", "--rules", "1D", "--remove", "A A A A A"], "holds A"),
    "a convention that is none": (["hand", "T6 v T", "--convention", "XYZ"], "CDZ-"),
}


@pytest.mark.parametrize(("words", "sentence"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
