"""Blackjack in the terminal, driven by typed answers over shoes whose first cards are known."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

import pytest
from rich.console import Console
from typer.testing import CliRunner

from croupier.analysis.blackjack.chart import Chart
from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe, verify_reveal
from croupier.cards.shuffle import SeededSource
from croupier.cli import play  # noqa: F401  (play registers itself)
from croupier.cli.app import app
from croupier.cli.options import Terms, house_from
from croupier.cli.table import blackjack_players
from croupier.cli.table.blackjack import NO_METER, BlackjackScreen, BlackjackTable
from croupier.cli.table.blackjack_players import (
    BlackjackAutomaton,
    BlackjackPerson,
    BlackjackPlayer,
    basic_decision,
    find_blackjack_strategy,
)
from croupier.cli.table.terminal import Sitting, check_files, resumed_round
from croupier.errors import CroupierError, RecordError
from croupier.games.blackjack.acts import NoMoreBets
from croupier.games.blackjack.decisions import Split
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.side_wagers import OPTIONAL
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.record import read_record
from tests.games.blackjack.support import nearly_empty

BURNED = "2c"
SPLIT = ["5", "p", "s", "h", "s"]
"""A pair of eights against a six: split, stand, hit and stand."""
EIGHTS = "8h 6c 8d Th 3s Tc 2d Td"
"""Player, up card, player, hole card; then one card each for two hands, one for the hit, one for the dealer."""


SURRENDERING = """
hard 5-8:   H H H H H  H H H H H
hard 9-11:  D D D D D  D D D D D
hard 12-15: S S S S S  H H H R H
hard 16:    S S S S S  H H R Rs R
hard 17-20: S S S S S  S S S S S
soft 13-17: H H H D D  H H H H H
soft 18:    S Ds Ds Ds Ds  S S H H H
soft 19-20: S S S S S  S S S S S
pair A,A:   P P P P P  P P P P P
pair 2,2:   Ph Ph P P P  P H H H H
pair 3,3:   Ph Ph P P P  P H H H H
pair 4,4:   H H H H H  H H H H H
pair 5,5:   N N N N N  N N N N N
pair 6,6:   P P P P P  H H H H H
pair 7,7:   P P P P P  P H H H H
pair 8,8:   P P P P P  P P P Rp P
pair 9,9:   P P P P P  S P P S S
pair T,T:   S S S S S  S S S S S
"""
"""A chart with every kind of cell, as somebody might bring it."""


@dataclass
class Game:
    """A table with typed answers, what it asked and what it showed."""

    answers: list[str] = field(default_factory=list)
    cards: str = ""
    """The first shoe's first cards behind the burn card; any where none are given."""
    sitting: Sitting = field(default_factory=Sitting)
    rules: str = "6D"
    sides: tuple[str, ...] = ()
    auto: str = ""
    seed: str = "tests"
    terminal: bool = False
    asked: list[str] = field(default_factory=list)
    screen: io.StringIO = field(default_factory=io.StringIO)

    def play(self, resumed: History | None = None) -> BlackjackTable:
        assert resumed is None or isinstance(resumed, BlackjackRound)
        console = Console(file=self.screen, width=80, force_terminal=self.terminal, _environ={"TERM": "xterm"})
        screen = BlackjackScreen(console)
        answers = iter(self.answers)
        player: BlackjackPlayer = BlackjackPerson(lambda question: self._ask(question, answers), screen)
        if self.auto:
            player = BlackjackAutomaton(self.auto, SeededSource(self.seed))
        house = resumed.offering if resumed else blackjack_from(self.rules, side_wagers=self.sides, chip="0.50")
        table = _Stacked if self.cards and not resumed else BlackjackTable
        session = table(house, self.sitting, player=player, screen=screen, chance=SeededSource(self.seed))
        if isinstance(session, _Stacked):
            session.first = f"{BURNED} {self.cards}"
        session.run(resumed)
        return session

    def _ask(self, question: str, answers: Iterator[str]) -> str:
        self.asked.append(question)
        for answer in answers:
            self.screen.write(f"{question}{answer}\n")
            return answer
        raise EOFError

    @property
    def shown(self) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", self.screen.getvalue())

    @property
    def words(self) -> str:
        """What was shown, without the line breaks."""
        return " ".join(self.shown.split())


def blackjack_from(rules: str, *, side_wagers: Sequence[str] = (), **terms: Unpack[Terms]) -> BlackjackOffering:
    """Blackjack as a house offers it."""
    house = house_from("blackjack", rules=rules, side_wagers=side_wagers, **terms)
    assert isinstance(house, BlackjackOffering)
    return house


class _Stacked(BlackjackTable):
    """The first shoe begins with cards that the test names."""

    first = ""

    def _fresh(self) -> Shoe:
        cards, self.first = self.first, ""
        decks = self.offering.rules.decks
        return Shoe.stacked(parse_cards(cards, decks=decks), decks=decks, chance=self.chance)


def one_round(record: Path | None = None, *seats: int) -> Sitting:
    return Sitting(seats or (1,), rounds=1, record=record)


def test_a_pair_is_split_played_and_explained(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    game = Game(SPLIT, EIGHTS, one_round(record))
    session = game.play()
    played = read_record(record.read_text(), BlackjackRound)
    assert [str(act) for act in played.acts[2:]] == ["split 1", "stand 1", "hit 1", "stand 1", "reveal", "settle"]
    assert "Seat 1 has 16 against 6c: h hit, s stand, d double ($5.00), p split ($5.00)? p" in game.shown
    assert "> Seat 1, hand 1: 8h 3s | 11 | Bet $5.00" in game.shown
    assert "\nSeat 1, hand 2: 8d | 8 | Bet $5.00" in game.shown
    assert "> Seat 1, hand 2: 8d Tc | 18 | Bet $5.00" in game.shown
    assert "The dealer turns up Th: 16.\nThe dealer draws Td: bust with 26.\n" in game.shown
    assert "Seat 1, Bet: Win on hand 1, 11 against bust with 26; $5.00 pays 1 to" in game.words
    assert "Seat 1 in this round +$10.00" in game.words
    assert session.in_hand_cents == 11_000


def test_the_hole_card_stays_hidden_until_all_have_decided() -> None:
    game = Game(SPLIT[:-1], EIGHTS)
    game.play()
    assert "Dealer: 6c and one face down" in game.shown
    assert not re.search(r"\bTh\b", game.words)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("p", "8h and 7d do not count the same"),
        ("r", "There is no surrender at this table (NS)."),
        ("x", "'x' is no decision here: h hit, s stand, d double ($5.00)."),
        ("", "'' is no decision"),
        ("deal Ah", "'deal ah' is no decision"),
        ("insure", "is no decision"),
    ],
)
def test_what_is_not_allowed_is_not_offered_and_refused_with_the_reason(typed: str, reason: str) -> None:
    game = Game(["5", typed, "stand"], "8h 6c 7d Th", one_round())
    assert game.play().rounds == 1
    assert reason in game.words
    assert game.asked[1] == game.asked[2] == "Seat 1 has 15 against 6c: h hit, s stand, d double ($5.00)? "


def test_surrender_is_offered_where_the_rules_have_it() -> None:
    game = Game(["5", "r"], "9h Tc 7d 9s", one_round(), rules="6D LS")
    assert game.play().in_hand_cents == 9_750
    assert "r surrender? " in game.asked[1]
    assert "$5.00 loses half, $2.50 is returned." in game.words


def test_a_double_that_cannot_be_paid_is_refused() -> None:
    game = Game(["60", "d", "s"], "5h 6c 6d Th", one_round())
    game.play()
    assert "'double' takes $60.00, and you have $40.00." in game.words
    assert game.asked[1] == "Seat 1 has 11 against 6c: h hit, s stand? "


@pytest.mark.parametrize(
    ("answers", "acts"),
    [
        (["i"], "insure 1"),
        (["3"], "insure 1 300"),
        (["6", "2.50"], "insure 1 250"),
        ([""], "no-insurance 1"),
        (["n"], "no-insurance 1"),
        (["no"], "no-insurance 1"),
        (["0"], "no-insurance 1"),
        (["y"], "insure 1"),
        (["yes"], "insure 1"),
        (["maybe", "e", "insurance"], "insure 1"),
    ],
)
def test_insurance_is_asked_before_the_check(answers: list[str], acts: str, tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    game = Game(["10", *answers], "9h As 7d Kc", one_round(record))
    game.play()
    played = read_record(record.read_text(), BlackjackRound)
    assert str(played.acts[2]) == acts
    assert game.shown.index("insure for $5.00") < game.shown.index("The dealer turns up Kc: blackjack.")
    assert played.phase is Phase.OVER


def test_a_wrong_answer_about_insurance_repeats_the_keys() -> None:
    keys = "i = insure for $5.00, an amount = for less, n or Enter = no."
    poor = Game(["100"], "9h As 7d Kc", one_round())
    assert poor.play().rounds == 1
    assert "insure" not in poor.words
    less = Game(["96", "i", "4"], "9h As 7d Kc", one_round())
    less.play()
    assert "The dealer shows As. an amount = for less, n or Enter = no." in less.words
    assert "'i' is no answer here" in less.words
    assert "Seat 1 insures for $4.00." in less.words
    game = Game(["10", "maybe", "n"], "9h As 7d Kc", one_round())
    game.play()
    assert f"'maybe' is no answer here: {keys}" in game.words
    both = Game(["10", "y", "even money"], "Ah As Kd 5c", one_round())
    assert both.play().in_hand_cents == 11_000
    assert "'y' does not say to which: i = insure for $5.00, e = take even money" in both.words


def test_even_money_is_offered_to_a_blackjack() -> None:
    game = Game(["10", "e"], "Ah As Kd 5c", one_round())
    assert game.play().in_hand_cents == 11_000
    assert "e = take even money" in game.words
    assert "Even money, blackjack; $10.00 pays 1 to 1, $10.00." in game.words
    poorer = Game(["10", "", ""], "Ah As Kd 5c", one_round(), rules="6D 6:5")
    poorer.play()
    assert "even money" not in poorer.words


def test_a_paid_blackjack_is_in_hand_before_the_round_is_over() -> None:
    game = Game(["100", "100", "d"], "Ah 5d 6c Kd 6d Ts 9h", Sitting((1, 2), bankroll_cents=20_000, rounds=1))
    session = game.play()
    assert "Seat 1, Bet: Blackjack; $100.00 pays 3 to 2, $150.00." in game.words
    assert "Seat 2 doubles for $100.00." in game.words
    assert session.rounds == 1


def test_bet_the_bust_is_asked_after_the_check_and_before_decisions(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    game = Game(
        ["5", "", "s", "5", "0", "5", "s"], "Th 6c 9d Td 9h", Sitting(rounds=2, record=record), sides=("bet-the-bust",)
    )
    game.play()
    assert "Bet the Bust, $5.00 to $100.00 (Enter = none)" in game.asked[1]
    assert "Seat 1 has 19" in game.asked[2]
    refused = Game(["5", "3", "b", "5", "s"], "Th 6c 9d Td 9h", one_round(record), sides=("bet-the-bust",))
    refused.play()
    assert "below the minimum of $5.00" in refused.words
    assert "'b' is no amount" in refused.words
    assert "Seat 1, Bet the Bust: Dealer busts, up card 6; $5.00 pays 1 to 1, $5.00." in refused.words
    assert read_record(record.read_text(), BlackjackRound).seats[1].wagers == {"bet": 500, "bet-the-bust": 500}


def test_an_award_is_announced_as_a_share_of_a_meter_that_is_not_here() -> None:
    game = Game(["5", "", "5", "s"], "7s 7s 7s Th", one_round(), sides=("kings-bounty", "blazing-7s-dealer"))
    game.play()
    assert "Blazing 7's, $5.00 (Enter = none)" in game.asked[2]
    assert "$5.00 wins 100% of the" in game.words
    assert f"A progressive award! {NO_METER}" in game.words
    assert "-$5.00 + 100 % of the meter" in game.words
    assert "Seat 1 in this round, and 100 % of the meter is owed" in game.words
    assert game.words.endswith("Not in these amounts: 100 % of the meter, paid by whoever keeps the meter.")


def test_the_shoe_is_sealed_once_and_revealed_after_the_cut_card(tmp_path: Path) -> None:
    sitting = Sitting(rounds=12, bankroll_cents=100_000, reveal=tmp_path / "shoe.txt")
    game = Game(sitting=sitting, rules="1D CUT50", auto="random")
    session = game.play()
    seals = re.findall("Shoe sealed ([0-9a-f]{64})", game.shown)
    files = [tmp_path / f"shoe{number}.txt" for number in ("", *(f"-{n}" for n in range(2, len(seals) + 1)))]
    assert session.shoes == len(seals) > 2
    assert sorted(tmp_path.iterdir()) == sorted(files)
    for seal, file in zip(seals, files, strict=True):
        shoe = verify_reveal(file.read_text(), seal)
        assert shoe.dealt > 0
        assert f"--commitment {seal}" in game.shown
    assert game.shown.count("The first card of the shoe is burned.") == len(seals)
    assert game.shown.count("The cut card has come") >= len(seals) - 1
    assert game.shown.index("Shoe revealed") > game.shown.index("The cut card has come")


def test_a_shoe_too_short_for_the_table_is_shuffled() -> None:
    full = tuple(range(1, 8))
    game = Game(sitting=Sitting(full, 1_000_000, rounds=25), rules="1D CUT95", auto="random")
    session = game.play()
    assert session.rounds == 25
    assert "Too few cards are left for another deal" in game.words
    assert session.in_hand_cents == 1_000_000 + session.result_cents


def test_a_shoe_that_runs_out_voids_the_round() -> None:
    house = blackjack_from("2D CUT95", side_wagers=(), chip="0.50")
    near_its_end = open_round(house, nearly_empty()).do(Bet(1, "bet", 500)).do(NoMoreBets())
    game = Game(answers=["h"] * 10, sitting=Sitting((1,), 100_000, rounds=1))
    session = game.play(near_its_end)
    assert "The round is void: the shoe has run out of cards. Every wager is returned." in game.words
    assert (session.result_cents, session.in_hand_cents) == (0, 100_000)


@pytest.mark.parametrize("rules", ["6D LS RSA", "1D H17 6:5 HSA", "8D ENHC LS", "2D D9 NDAS NOINS"])
def test_it_plays_by_itself_at_random_and_fits_eighty_columns(rules: str) -> None:
    sides = ("kings-bounty", "bet-the-bust") if "ENHC" not in rules else ("trilux",)
    game = Game(sitting=Sitting((1, 2, 3, 4, 5, 6, 7), 300_000, rounds=6), rules=rules, sides=sides, terminal=True)
    game.auto = "random"
    session = game.play()
    assert session.rounds == 6
    assert max(map(len, game.shown.splitlines())) <= 80
    assert game.asked == []


def test_basic_strategy_reads_the_chart(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    game = Game(cards=EIGHTS, sitting=one_round(record), auto="basic")
    game.play()
    acts = [str(act) for act in read_record(record.read_text(), BlackjackRound).acts]
    assert acts[2:4] == ["split 1", "double 1"]
    helped = Game(["5", "?", "s"], EIGHTS, one_round())
    helped.play()
    assert "Working out basic strategy for these rules ... Basic strategy says here: split." in helped.words


@pytest.mark.parametrize(
    ("cards", "rules", "best"),
    [
        ("Th 6c 2d", "6D", "stand"),
        ("Th Tc 6d", "6D LS", "surrender"),
        ("Th Tc 6d", "6D", "stand"),
        ("Ah 6c 7d", "6D", "double"),
        ("Ah 6c 7d", "6D D9", "stand"),
        ("5h 6c 5d", "6D", "double"),
        ("8h Tc 8d", "6D SP1", "stand"),
        ("8h Tc 8d", "6D", "split"),
        ("8h Tc 8d", "6D LS", "surrender"),
        ("9h Tc 9d", "6D", "stand"),
        ("2h 3c 2d", "6D DAS", "split"),
        ("2h 3c 2d", "6D NDAS", "hit"),
    ],
)
def test_a_chart_says_the_first_thing_that_is_allowed(
    cards: str, rules: str, best: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, chart = blackjack_from(rules), Chart.parse(SURRENDERING)
    monkeypatch.setattr(blackjack_players, "basic_chart", lambda _: chart)
    shoe = Shoe.stacked(parse_cards(f"{BURNED} {cards} 9s", decks=6), decks=6, chance="chart")
    round_ = open_round(house, shoe).do(Bet(1, "bet", 500)).do(NoMoreBets())
    assert basic_decision(round_)[0] == best


def test_split_aces_that_receive_one_card_are_split_or_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blackjack_players, "basic_chart", lambda _: Chart.parse(SURRENDERING))
    shoe = Shoe.stacked(parse_cards(f"{BURNED} Ah 6c Ad 9s As", decks=6), decks=6, chance="aces")
    round_ = open_round(blackjack_from("6D RSA"), shoe).do(Bet(1, "bet", 500)).do(NoMoreBets()).do(Split(1))
    assert basic_decision(round_) == ["split", "stand"]


def test_an_interrupted_round_goes_on_exactly_there(tmp_path: Path) -> None:
    whole = Game(["10", "i", "s"], "9h As 7d 6c Th", one_round(tmp_path / "whole.txt"))
    session = whole.play()
    for prompts in (1, 2):
        record = tmp_path / f"{prompts}.txt"
        left = Game(whole.answers[:prompts], whole.cards, Sitting(record=record, reveal=tmp_path / "shoe.txt"))
        left.play()
        assert f"croupier play --resume {record} --bankroll 100.00 --seat 1" in left.shown
        assert not (tmp_path / "shoe.txt").exists()
        with pytest.raises(RecordError, match="not over: continue it with --resume"):
            check_files(record=record, reveal=None)
        back = Game(whole.answers[prompts:], sitting=one_round(record), seed="another")
        resumed = back.play(resumed_round(record, bankroll_cents=10_000))
        assert record.read_text() == (tmp_path / "whole.txt").read_text()
        assert resumed.in_hand_cents == session.in_hand_cents
        assert "Shoe sealed" in back.shown


def test_the_shoe_goes_on_after_a_resumed_round(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    Game(["10", "s", "10"], "9h 6s Td Tc Th Th 5c 9d Tc", Sitting(record=record)).play()
    back = Game(["s", "0", "10"], sitting=Sitting(record=record, rounds=2), seed="another")
    back.play(resumed_round(record, bankroll_cents=10_000))
    assert back.shown.count("Shoe sealed") == 1
    assert "10 of 312 cards are out" in back.shown


@pytest.mark.parametrize("prompts", range(3))
def test_one_can_leave_at_every_prompt(prompts: int) -> None:
    game = Game([*["10", "", "h"][:prompts], "q"], "2h As 3d 6c 4h 5h")
    session = game.play()
    assert session.result_cents == 0
    assert game.shown.endswith("0 rounds played: you are even.\n")


def test_leaving_says_what_becomes_of_the_money(tmp_path: Path) -> None:
    lost = Game(["10", "q"], "9h 6s Td Tc")
    lost.play()
    assert "it is not kept: what was settled stands, and the $10.00 still on the table goes back to you." in lost.words
    kept = Game(["10", "q"], "9h 6s Td Tc", Sitting(record=tmp_path / "round.txt"))
    kept.play()
    assert "$10.00 stays on the table, neither won nor lost, and you have $90.00 in hand." in kept.words
    assert "you are even ($10.00 of it on the table)." in kept.words
    assert (tmp_path / "round.txt").stat().st_mode & 0o077 == 0


def run(*words: str, typed: str = "", game: str = "blackjack") -> str:
    result = CliRunner().invoke(app, ["play", game, *words], input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_plays_and_resumes(tmp_path: Path) -> None:
    record = str(tmp_path / "round.txt")
    words = ("--seed", "460", "--rules", "6D H17", "--seat", "3", "--record", record)
    assert "Hand 1 of seat 3" in run(*words, typed="5\np\n")
    shown = run("--resume", record, "--rounds", "1", typed="s\ns\ns\n")
    assert "The round goes on where it was left: playing." in shown
    assert "Shoe sealed" in shown
    assert "1 round played" in shown


def test_the_command_plays_by_itself() -> None:
    shown = run("--auto", "random", "--seed", "7", "--rounds", "2", "--side-wager", "kings-bounty", "--seats", "2")
    assert "2 rounds played" in shown
    assert "King's Bounty" in shown


@pytest.mark.parametrize("name", ["basic", "Basic", "basic strategy", "basic-strategy"])
def test_basic_strategy_goes_by_its_names(name: str) -> None:
    assert find_blackjack_strategy(name) == "basic"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--auto house-way", "there are: random, basic"),
        ("--auto optimal", "there are: random, basic"),
        ("--rules 6D,9D", "'9D' is no number of decks"),
        ("--side-wager lucky-ladies", "no side wager of Blackjack 'lucky-ladies'"),
        ("--side-wager trilux --side-wager blazing-7s-player", "one progressive wager"),
        ("--without insurance", "by the rule NOINS"),
        ("--seats 8", "has seats 1 to 7"),
        ("--resume nowhere.txt --rules 6D", "--rules does not go with --resume"),
        ("--resume nowhere.txt --side-wager trilux", "--side-wager does not go with --resume"),
    ],
)
def test_a_wrong_command_is_refused_in_one_sentence(words: str, reason: str) -> None:
    with pytest.raises(CroupierError, match=re.escape(reason)):
        run(*words.split())


def test_the_proceeds_of_house_money_are_put_on_the_bet_or_kept() -> None:
    hand = "Tc 6h Td 9s Ts"
    game = Game(["5", "5", "30", "c", "s"], hand, one_round(), sides=("house-money",))
    game.play()
    assert "House Money brought $20.00. c = put it on the Bet" in game.words
    assert "'30' takes" not in game.words
    assert "$30.00 is more than seat 1 has from House Money, which is $20.00." in game.words
    assert "Seat 1 puts $20.00 from House Money on the Bet." in game.words
    assert "$25.00 pays 1 to 1, $25.00" in game.words
    kept = Game(["5", "5", "", "s"], hand, one_round(), sides=("house-money",))
    kept.play()
    assert "What House Money brought stays with seat 1." in kept.words
    part = Game(["5", "5", "7.50", "s"], hand, one_round(), sides=("house-money",))
    part.play()
    assert "Seat 1 puts $7.50 from House Money on the Bet." in part.words


def test_the_help_names_every_side_wager() -> None:
    shown = "".join(CliRunner().invoke(app, ["play", "--help"]).output.split())
    assert all(key in shown for key in OPTIONAL)


def test_the_sign_of_super_fun_21_tells_what_many_cards_and_diamonds_win() -> None:
    sign = " ".join(run(typed="q\n", game="super-fun-21").split())
    assert all(row in sign for row in ("Blackjack in diamonds 2 to 1", "Charlie 1 to 1", "Bonus 21 2 to 1"))
    assert not any(word in sign for word in ("Surrender 1 for 2", "Even money", "Push push"))


def test_an_amount_that_cannot_be_dealt_to_is_not_offered_again() -> None:
    shown = run(typed="5.01\nq\n", game="blackjack-switch")
    assert "$5.01 on the Bet of seat 1 are not two equal bets of whole chips" in " ".join(shown.split())
    assert "Enter = $5.01" not in shown
    assert shown.count("(Enter = none)") == 2
