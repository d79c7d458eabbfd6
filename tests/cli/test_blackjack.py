"""Blackjack on the command line: exact hands, charts, the base wager and the side wagers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.analysis.blackjack.dealer import dealer_distribution
from croupier.analysis.blackjack.moments import mean_stake
from croupier.analysis.blackjack.shoe import LETTERS, Composition
from croupier.analysis.blackjack.side.bust_players import Bounds, PushFigures, PushLine
from croupier.analysis.blackjack.side.correlation import Together
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.switch import both_ways
from croupier.cards.card import DECK
from croupier.cli.hand import parse_hand
from croupier.errors import CroupierError
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_any_game
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


@pytest.mark.parametrize("rules", ["6D S17", "6D H17 LS"])
def test_a_printed_chart_is_read_back_with_all_that_stands_around_it(run: Run, tmp_path: Path, rules: str) -> None:
    printed = run("strategy", "blackjack", "--rules", rules).out
    file = tmp_path / "pasted.txt"
    file.write_text(f"$ croupier strategy blackjack --rules '{rules}'\n{printed}", encoding="utf-8")
    best, pasted = (
        run("strategy", "blackjack", "--rules", rules, "--json", *more).json for more in ((), ("--chart", str(file)))
    )
    assert pasted["chart"] == best["chart"]
    assert pasted["house_edge_percent"] == best["house_edge_percent"]


def test_the_base_wager_has_a_mean_stake_and_an_element_of_risk(run: Run) -> None:
    bet = run("odds", "blackjack", "bet", "--convention", "CDPN", "--json").json
    assert bet["mean_stake"] == pytest.approx(mean_stake(solve(Rules(), convention="CDPN")), abs=1e-12)
    assert bet["element_of_risk"]["percent"] == pytest.approx(bet["house_edge"]["percent"] / bet["mean_stake"])


def test_mean_stake_and_element_of_risk_are_printed(run: Run) -> None:
    shown = run("odds", "blackjack", "bet").out
    assert "mean stake          1.131618903 units" in shown
    assert "element of risk     0.356012289 %" in shown


@pytest.mark.parametrize(
    ("rules", "remove"), [("6D S17", ""), ("1D H17", "5 5 T A"), ("2D S17 ENHC", "A A A A A A A A")]
)
def test_the_dealers_final_totals_are_those_of_the_solver(run: Run, rules: str, remove: str) -> None:
    words = ("strategy", "blackjack", "--dealer", "--rules", rules, "--remove", remove)
    table_rules = Rules.parse(rules)
    shoe = Composition.full(table_rules.decks).without(remove)
    *cards, every = run(*words, "--json").json["dealer"]
    assert {card["up_card"] for card in cards} == {up for up in LETTERS if shoe.counts[LETTERS.index(up)]}
    assert sum(Fraction(card["share"]["exact"]) for card in cards) == 1
    for card in cards:
        checked = card["up_card"] in "AT" and table_rules.hole_card
        assert ("after_check" in card) == checked
        for name in ("endings", "after_check") if checked else ("endings",):
            wanted = dealer_distribution(table_rules, card["up_card"], shoe, checked=name == "after_check")
            found = card[name]
            assert {end: Fraction(each["exact"]) for end, each in found.items()} == pytest.approx(wanted, abs=1e-14)
            assert all(each["percent"] == float(100 * Fraction(each["exact"])) for each in found.values())
    assert sum(Fraction(each["exact"]) for each in every["endings"].values()) == 1
    shown = run(*words).out
    assert "any" in shown
    assert f"{cards[0]['endings']['broken']['percent']:.4f} %" in shown


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
    found = run(
        "odds", "blackjack", "bet-the-bust", "--players", "1", "--with-bet", "--rules", "6D SP1", "--json"
    ).json[0]
    alone = found["with_players"]
    assert 0.217 < alone["push"]["low"] <= alone["push"]["high"] < 0.218
    assert alone["house_edge"]["high"] < found["house_edge"]["percent"] / 100
    assert 0.4 < found["with_bet"]["correlation"] < 0.5


@pytest.mark.parametrize(("players", "width", "words"), [(1, 0.0, "% (exact)"), (2, 0.01, "(proved bounds)")])
def test_a_push_is_exact_for_one_player_and_bounded_for_more(
    run: Run, monkeypatch: pytest.MonkeyPatch, players: int, width: float, words: str
) -> None:
    """Figures of ours, because those of two players take ten seconds; `analysis/test_side_push.py` proves the real."""

    def counted(_game: object, _sheet: object, asked: int, _kept: object) -> PushFigures:
        out = Bounds(0.05, 0.05 + width), Bounds(0.1, 0.1 + width)
        return PushFigures(asked, (PushLine(10, asked, 1.0, 0.3, 2.0, *out, estimates=(0.05, 0.1)),))

    monkeypatch.setattr("croupier.cli.blackjack_odds.with_players", counted)
    shown = run("odds", "blackjack", "bet-the-bust", "--players", str(players)).out
    assert words in shown
    assert f"With {'one player' if players == 1 else '2 players'} at basic strategy" in shown
    assert "A round in which nobody is left to be asked is a push here." in shown


def test_bet_the_bust_says_what_its_edge_assumes(run: Run) -> None:
    shown = run("odds", "blackjack", "bet-the-bust").out
    assert "as if the dealer always played; --players N counts the push when nobody is left" in shown


def test_beside_the_base_game_bet_the_bust_waits_for_the_check(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    both = Together(side_mean=-0.1, side_variance=1, base_mean=-0.005, base_variance=1.3, covariance=0.5)
    for name in ("bust_together", "bet_together"):
        monkeypatch.setattr(f"croupier.analysis.blackjack.side.correlation.{name}", lambda *_: both)
    shown = run("odds", "blackjack", "bet-the-bust", "--with-bet", "--rules", "6D SP1").out
    assert "one unit on the Bet and one on Bet the Bust, once the check allows it; no other players:" in shown
    other = run("odds", "blackjack", "kings-bounty", "--with-bet", "--rules", "6D SP1").out
    assert "one unit on the Bet and one on King's Bounty:" in other


@pytest.mark.parametrize("rules", ["6D SP1", "6D SP2", "6D SP1 ENHC"])
def test_three_sevens_beside_the_bet_under_any_rules(run: Run, rules: str) -> None:
    found = run("odds", "blackjack", "blazing-7s-player", "--paytable", "1", "--with-bet", "--rules", rules, "--json")
    assert abs(found.json["with_bet"]["correlation"]) < 0.05


def test_three_sevens_go_by_the_rules_of_the_table(run: Run) -> None:
    asked = ("odds", "blackjack", "blazing-7s-player", "--paytable", "1", "--json", "--rules")
    edges = {run(*asked, rules).json["house_edge"]["exact"] for rules in ("6D", "6D ENHC", "6D SP1")}
    assert len(edges) == 3


def test_what_cannot_be_answered_is_said_before_anything_is_printed(run: Run) -> None:
    answer = run("odds", "blackjack", "bet-the-bust", "--with-bet", "--rules", "6D ENHC")
    assert "no hole card" in answer.err
    assert (answer.code, answer.out) == (2, "")


def test_lines_of_another_convention_are_called_so(run: Run) -> None:
    for convention, lines in (("CDP1", "CDP1"), ("CDPN", "CDZ-")):
        bet = run("odds", "blackjack", "bet", "--convention", convention, "--json").json
        assert (bet["convention"], bet["lines_convention"]) == (convention, lines)
    assert "deviation are CDZ-: CDP has no" in run("odds", "blackjack", "bet", "--convention", "CDP").out


@pytest.mark.parametrize(
    ("hold", "hint"), [("99%", "The fixed pays leave 31.4275 %"), ("31.424242%", "fewer decimals finds more")]
)
def test_a_hold_that_nothing_gives_is_said_so(run: Run, hold: str, hint: str) -> None:
    words = ("odds", "blackjack", "trilux", "--paytable", "6", "--find-hold", hold)
    assert run(*words, "--json").json["fundings"] == []
    shown = run(*words).out
    assert f"Fundings with a hold of {hold}: none found." in shown
    assert hint in shown


def test_a_printed_hold_is_traced_to_its_funding(run: Run) -> None:
    words = ("odds", "blackjack", "blazing-7s-dealer", "--paytable", "2", "--find-hold", "23.59%", "--json")
    fundings = run(*words).json["fundings"]
    assert fundings[0] == {
        "contribution": "0.24",
        "seeds": {"Progressive": 2000},
        "hold_percent": pytest.approx(23.586, abs=1e-3),
        "preconfigured": True,
    }


ML03 = ("odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03", "--decks", "8", "--find-hold", "21.65%")


def test_the_pre_configured_funding_comes_first(run: Run) -> None:
    found = run(*ML03, "--json").json["fundings"]
    assert found[0]["contribution"] == "0.24"
    assert found[0]["seeds"] == {"Mega": 2000, "Major": 1000, "Minor": 500}
    assert [each["preconfigured"] for each in found] == [True, *[False] * (len(found) - 1)]
    shown = " ".join(run(*ML03).out.split())
    assert "24.0 % Mega 2,000, Major 1,000, Minor 500 21.6464 % pre-configured" in shown
    assert "There are more than these 40; --contribution and --seed-amount choose among them." in shown


@pytest.mark.parametrize(
    ("filters", "share", "mega"),
    [
        (("--contribution", "24%"), "0.24", None),
        (("--contribution", "21.5%"), "0.215000", None),
        (("--seed-amount", "Mega=3000"), None, 3000),
        (("--contribution", "24%", "--seed-amount", "Mega=2000", "--seed-amount", "Minor=500"), "0.24", 2000),
    ],
)
def test_fundings_are_filtered(run: Run, filters: tuple[str, ...], share: str | None, mega: int | None) -> None:
    found = run(*ML03, *filters, "--json").json["fundings"]
    assert found
    for each in found:
        assert share in (None, each["contribution"])
        assert mega in (None, each["seeds"]["Mega"])
        assert f"{each['hold_percent']:.2f}" == "21.65"


def test_everything_at_a_glance(run: Run) -> None:
    shown = run("odds", "blackjack", "--rules", "2D SP2").out
    summary, _, rest = shown.partition("House edge of a progressive")
    assert [line.split()[0] for line in summary.splitlines()[4:8]] == [
        "bet",
        "insurance",
        "kings-bounty",
        "bet-the-bust",
    ]
    assert "Blackjack, 2D S17 DAS SP2 3:2: all wagers" in summary
    assert "Bet the Bust, paytable 2, 2 decks" in rest
    assert "Blackjack, 2D S17 DAS SP2 3:2: all wagers" not in run("odds", "blackjack", "bet", "--rules", "2D SP2").out


def test_long_counts_are_printed_in_full(run: Run) -> None:
    shown = run("odds", "blackjack", "bet-the-bust").out
    assert "e+" not in shown
    assert "never" not in shown
    [sheet] = run("odds", "blackjack", "bet-the-bust", "--json").json
    assert sheet["combinations"] > 10**29
    assert f"{sheet['combinations']:,}" in shown
    assert all(f"{line['combinations']:,}" in shown for line in sheet["lines"])


def test_a_contribution_is_in_percent_with_its_sign_or_without(run: Run) -> None:
    holds = [
        run(
            *("odds", "blackjack", "blazing-7s-dealer", "--paytable", "1", "--contribution", text),
            *("--seed-wagers", "3000", "--json"),
        ).json["hold"]
        for text in ("20", "20%", " 20 %")
    ]
    assert holds[0] == holds[1] == holds[2]
    named = ("plan", "blazing-7s-dealer", "--paytable", "1", "--histories", "1000", "--json")
    plans = [run(*named, "--contribution", text).json for text in ("20", "20%")]
    assert plans[0] == plans[1]


def test_a_meter_prices_the_paytables_that_have_it_and_names_the_others(run: Run) -> None:
    shown = run("odds", "blackjack", "blazing-7s-dealer", "--meter", "Mega=5000")
    assert "paytable ML03" in shown.out
    assert "Not priced: paytables 1, 2 and ML04 have other meters." in shown.out
    sheets = run("odds", "blackjack", "blazing-7s-dealer", "--meter", "5000", "--json").json
    assert [sheet["paytable"] for sheet in sheets] == ["1", "2"]
    assert all(sheet["not_priced"] == ["ML03", "ML04"] for sheet in sheets)
    par = run("par", "blackjack", "blazing-7s-dealer", "--meter", "5000", "--json").json
    assert [sheet["paytable"] for sheet in par["sheets"]] == ["1", "2"]


def test_the_exceptions_to_a_chart_come_to_what_the_best_play_gains(run: Run) -> None:
    """One deck, no splits again: their worth with two and three cards is at most what the chart costs in all."""
    listed = run("strategy", "blackjack", "--exceptions", "--rules", "1D SP2", "--json").json
    chart = run("strategy", "blackjack", "--rules", "1D SP2", "--json").json
    assert 0 < listed["worth"] < chart["cost_percent"] / 100
    assert listed["worth"] == pytest.approx(sum(each["worth"] for each in listed["exceptions"]))
    assert {len(each["hand"].split()[0]) for each in listed["exceptions"]} == {2, 3}
    worst = listed["exceptions"][0]
    values = run("hand", worst["hand"], "--rules", "1D SP2", "--json").json
    by_act = {each["decision"]: each["value"] for each in values["decisions"]}
    assert by_act[worst["best"]] - by_act[worst["chart"]] == pytest.approx(worst["gain"], abs=1e-12)
    assert worst["hand"] in run("strategy", "blackjack", "--exceptions", "--rules", "1D SP2").out


def test_a_chart_that_differs_from_the_printed_ones_says_why(run: Run) -> None:
    shown = run("strategy", "blackjack", "--rules", "2D S17 DAS").out
    assert "Soft 17 against 2: charts in print that look at the first two cards alone have hit" in " ".join(
        shown.split()
    )
    assert "Soft" not in run("strategy", "blackjack", "--rules", "6D S17 DAS").out


def test_surrender_is_exactly_half(run: Run) -> None:
    for rules in ("6D H17 LS", "1D S17 LS", "8D S17 LS"):
        values = run("hand", "T6 v T", "--rules", rules, "--json").json["decisions"]
        assert [each["value"] for each in values if each["decision"] == "surrender"] == [-0.5]


def test_the_base_wager_by_basic_strategy_and_by_ones_own_chart(run: Run, tmp_path: Path) -> None:
    rules = ("--rules", "1D SP2")
    basic = run("odds", "blackjack", "bet", *rules, "--strategy", "basic strategy", "--json").json
    chart = run("strategy", "blackjack", *rules, "--json").json
    assert (basic["strategy"], basic["convention"]) == ("basic", None)
    assert basic["house_edge"]["percent"] == pytest.approx(chart["house_edge_percent"], abs=1e-10)
    mean = sum(float(line["pays"]) * line["probability"] for line in basic["lines"])
    assert -100 * mean == pytest.approx(chart["house_edge_percent"], abs=1e-8)
    file = tmp_path / "mine.txt"
    text = "\n".join(chart["chart"])
    file.write_text(text, encoding="utf-8")
    mine = run("odds", "blackjack", "bet", *rules, "--chart", str(file), "--json").json
    assert mine["strategy"] == str(file)
    assert mine["lines"] == basic["lines"]
    file.write_text(text.replace("insurance: no", "insurance: yes"), encoding="utf-8")
    shown = run("odds", "blackjack", "bet", *rules, "--chart", str(file)).out
    assert "includes the insurance that the chart takes" in shown


def test_removed_cards_are_named_in_titles_and_hints(run: Run) -> None:
    gone = ("--rules", "6D LS", "--remove", "5 5 5 5 5 5 5 5 A")
    where = "6D S17 DAS SP4 LS 3:2, without one A and eight 5s"
    assert f"T 6 against 9, {where}\n" in run("hand", "T6 v 9", *gone).out
    shown = run("strategy", "blackjack", *gone).out
    assert f"Blackjack, {where}: basic strategy" in shown
    assert "croupier hand 'T6 v T' --rules '6D S17 DAS SP4 LS 3:2' --remove '5 5 5 5 5 5 5 5 A'" in shown
    assert f"The dealer's final hand, {where}\n" in run("strategy", "blackjack", "--dealer", *gone).out


def test_decks_alone_can_be_said(run: Run) -> None:
    assert run("hand", "T6 v T", "--decks", "1", "--json").json["rules"] == "1D S17 DAS SP4 3:2"
    assert run("strategy", "blackjack", "--dealer", "--decks", "2", "--json").json["rules"] == "2D S17 DAS SP4 3:2"


def test_a_convention_is_explained_where_it_is_printed(run: Run) -> None:
    for words in (("hand", "8 8 v T"), ("strategy", "blackjack"), ("odds", "blackjack", "bet")):
        assert "BEST, the best fixed strategy after a split" in run(*words, "--convention", "best", "--rules", "1D").out


def test_against_an_ace_insurance_has_a_value(run: Run) -> None:
    found = run("hand", "T6 v A", "--json").json
    assert Fraction(found["insurance"]["exact"]) == Fraction(3 * 95, 309) - 1
    assert "so it costs 7.766990 % of what is insured." in run("hand", "T6 v A").out
    rich = run("hand", "56 v A", "--rules", "1D", "--remove", "2 2 2 2 3 3 3 3 4 4 4 4").out
    assert "so it gains" in rich
    for words in (("T6 v T",), ("T6 v A", "--rules", "NOINS"), ("T 3 2 v A",)):
        assert "insurance" not in run("hand", *words, "--json").json


def test_a_blackjack_against_an_ace_weighs_even_money(run: Run) -> None:
    ways = run("hand", "AT v A", "--json").json["blackjack_before_check"]
    tens = Fraction(95, 309)
    assert Fraction(ways["neither"]["exact"]) == Fraction(3, 2) * (1 - tens)
    assert Fraction(ways["even money"]["exact"]) == Fraction(ways["insured for half"]["exact"]) == 1
    assert "even money" in run("hand", "AT v A").out
    assert "even money" not in run("hand", "AT v A", "--rules", "6:5").out


def test_a_sixteen_that_stands_late_has_a_footnote(run: Run) -> None:
    assert "Rs with 16: most charts print R." in run("strategy", "blackjack", "--rules", "6D H17 LS").out
    assert "most charts print" not in run("strategy", "blackjack").out


def test_a_progressive_says_where_its_meters_stand_and_what_is_assumed(run: Run) -> None:
    shown = run("odds", "blackjack", "blazing-7s-player", "--paytable", "1", "--meter", "3000").out
    assert "of the next wager with the meter at 3,000; exactly" in shown
    assert "of all wagers in the long run; contribution 24.00 %, seeds Progressive 2,000" in shown
    assert "A player with two sevens draws a third card" in shown
    several = run("odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03").out
    assert "with the meters Mega at 2,000, Major at 1,000 and Minor at 500;" in several


def test_two_hands_are_rated_as_they_lie_and_switched(run: Run) -> None:
    told = json.loads(run("strategy", "blackjack-switch", "--hand", "Tc5d + 6hT v 9", "--json").out)
    worth = {way["way"]: way for way in told["ways"]}
    assert [each["hand"] for each in worth["switched"]["hands"]] == ["T T", "6 5"]
    assert worth["switched"]["cost"] == 0 < worth["as they lie"]["cost"]
    round_ = of_the_family(find_any_game("blackjack-switch")).offer().open()
    for act in ("bet 1 bet 1000", "no-more-bets", "deal Tc 6h 9s 5d Td"):
        round_ = round_.do(round_.parse(act))
    assert both_ways(round_, 1) == pytest.approx((worth["as they lie"]["value"], worth["switched"]["value"]))
    shown = run("strategy", "blackjack-switch", "--hand", "T5 + 6T v 9").out
    assert "T T stand and 6 5 hit" in shown


BAD = {
    "rules that are none": (["odds", "blackjack", "--rules", "6D S18"], "S18"),
    "a hand under another title's rules": (
        ["hand", "T6 v T", "--rules", "6D ZAP17"],
        "ZAP17 is a rule of Zappit Blackjack: ask croupier strategy zappit-blackjack --hand 'T6 v T'.",
    ),
    "one hand where a seat has two": (
        ["strategy", "blackjack-switch", "--hand", "T6 v T"],
        "write them as 'T5 + 6T v 9', the second card of each last.",
    ),
    "two hands of three cards": (
        ["strategy", "blackjack-switch", "--hand", "T5 + 6T2 v T"],
        "Each of two hands has two cards where they may be switched, not 3.",
    ),
    "two hands by another convention": (
        ["strategy", "blackjack-switch", "--hand", "T5 + 6T v T", "--convention", "BEST"],
        "are counted by the convention CDZ- alone, not by BEST.",
    ),
    "decks that are none": (["odds", "blackjack", "--decks", "9"], "9 decks"),
    "a wager that is none": (["odds", "blackjack", "king-bounty"], "kings-bounty"),
    "decks a wager does not take": (["odds", "blackjack", "trilux", "--decks", "2"], "it takes 6 or 8."),
    "a meter that is none": (["odds", "blackjack", "trilux", "--meter", "lots"], "'lots'"),
    "a contribution that is none": (["odds", "blackjack", "trilux", "--contribution", "240%"], "'240%'"),
    "a level that is none": (
        ["odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML04", "--meter", "Giga=5"],
        "has the meters Major and Minor: there is no 'Giga'.",
    ),
    "players elsewhere": (["odds", "blackjack", "trilux", "--players", "2"], "bet-the-bust"),
    "too many players": (["odds", "blackjack", "bet-the-bust", "--players", "9"], "1 to 7"),
    "a wager as people write it": (["odds", "blackjack", "Bet the Bust", "--players", "9"], "1 to 7"),
    "Bet the Bust where a 22 pushes": (
        ["odds", "blackjack", "bet-the-bust", "--rules", "6D P22", "--players", "1"],
        "Bet the Bust is not offered where a dealer's 22 pushes (P22)",
    ),
    "a hold that is none": (["odds", "blackjack", "trilux", "--find-hold", "x"], "'x'"),
    "a question without its wager": (["odds", "blackjack", "--with-bet"], "name it"),
    "a level without a name": (
        ["odds", "blackjack", "blazing-7s-dealer", "--paytable", "ML03", "--meter", "5"],
        "has the meters Mega, Major and Minor: say which, as Mega=5000.",
    ),
    "a hold without a meter": (["odds", "blackjack", "kings-bounty", "--find-hold", "24%"], "no meter"),
    "a share above all": (["odds", "blackjack", "trilux", "--contribution", "101"], "from 0% to 100%, as 24% or 24"),
    "exceptions elsewhere": (["strategy", "supreme-99", "--exceptions"], "charts of totals"),
    "exceptions with a hand": (["strategy", "blackjack", "--exceptions", "--hand", "T6 v T"], "leave out --hand"),
    "the bet of another game": (["odds", "supreme-99", "--with-bet"], "side wagers of blackjack, not about Supreme 99"),
    "a strategy that is none": (["odds", "blackjack", "bet", "--strategy", "house-way"], "optimal, basic"),
    "a strategy of a side wager": (["odds", "blackjack", "trilux", "--strategy", "basic"], "about the bet"),
    "a chart elsewhere": (["odds", "supreme-99", "--chart", "mine.txt"], "one set of rules"),
    "decks that contradict": (["odds", "blackjack", "--rules", "8D", "--decks", "6"], "says 8D and --decks says 6"),
    "decks of a hand that contradict": (["hand", "T6 v T", "--rules", "8D", "--decks", "6"], "keep one"),
    "a name where there is one meter": (
        ["odds", "blackjack", "trilux", "--meter", "Giga=5"],
        "has one meter: write its amount alone, as 5000, without 'Giga'",
    ),
    "a meter twice": (["odds", "blackjack", "trilux", "--meter", "5", "--meter", "6"], "given twice"),
    "an option that is none": (["hand", "T6 v T", "--rulez", "6D"], "try 'croupier hand --help'"),
    "a section that is none": (["rules", "blackjack", "99"], "its sections are 1 to 19"),
    "a paragraph that is none": (["rules", "blackjack", "9.99"], "section 9 goes from 9.1 to"),
    "a meter elsewhere": (["odds", "blackjack", "bet", "--meter", "5"], "progressive wager"),
    "decks elsewhere": (["odds", "supreme-99", "--decks", "6"], "one set of rules"),
    "a hand that is none": (["hand", "T6 T"], "'T6 v T'"),
    "a hand that is over": (["hand", "T T 5 v 6"], "up to 21"),
    "cards that are not there": (["hand", "T6 v T", "--rules", "1D", "--remove", "A A A A A"], "holds A"),
    "aces gone that insurance is about": (
        ["odds", "blackjack", "insurance", "--remove", " ".join(f"A{suit}" for suit in "shdc" * 6)],
        "remove fewer",
    ),
    "a shoe of three cards": (
        ["odds", "blackjack-switch", "super-match", "--decks", "1", "--remove", " ".join(map(str, DECK[3:]))],
        "remove fewer",
    ),
    "the dealer and a hand": (["strategy", "blackjack", "--dealer", "--hand", "T6 v T"], "--dealer"),
    "the dealer of another game": (
        ["strategy", "supreme-99", "--dealer"],
        "about blackjack and its charts",
    ),
    "a dealer without cards": (
        ["strategy", "blackjack", "--dealer", "--rules", "1D", "--remove", "A A A A A"],
        "holds A",
    ),
    "a convention that is none": (["hand", "T6 v T", "--convention", "XYZ"], "CDZ-"),
}


@pytest.mark.parametrize(("words", "sentence"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("remove", "sentence"),
    [
        (" , ", None),
        (" Ks ", "From a shoe without Ks, which is known to be gone."),
        ("Ks,Kh", "From a shoe without Ks Kh, which are known to be gone."),
    ],
)
def test_cards_that_are_gone_are_said_as_they_were_read(run: Run, remove: str, sentence: str | None) -> None:
    shown = run("odds", "blackjack", "insurance", "--remove", remove).out
    assert ("From a shoe without" in shown) == bool(sentence)
    assert (sentence or "") in shown
