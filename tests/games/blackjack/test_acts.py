"""What people do at a blackjack table: each act's text form, and every reason for refusing one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier.games.blackjack
from croupier.cards.card import DECK
from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, NotationError, Refusal, UnknownName
from croupier.games.blackjack.acts import ACTS, Act, Deal, NoMoreBets, Peek, Reveal, Settle, parse_act
from croupier.games.blackjack.answers import BustBet, EvenMoney, Insure, NoBustBet, NoInsurance
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand, Surrender
from croupier.games.blackjack.game import BlackjackOffering, blackjack, of_the_family
from croupier.games.blackjack.round import open_round
from croupier.games.blackjack.side_wagers import OPTIONAL
from croupier.games.catalogue import find_any_game, find_game
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.record import write_record
from tests.games.blackjack.support import offer, play, stacked
from tests.games.support import assert_one_sentence

# Refusals


@dataclass
class Refused:
    """An act that is refused with this code after these acts, and words its reason must have."""

    code: str
    before: str
    act: str
    words: str
    rules: str = "6D LS"
    shoe: Shoe | None = None
    offering: BlackjackOffering | None = None


def dealt(cards: str, up: str, then: str = "") -> str:
    first, second = cards.split()
    return f"bet 1 bet 1000; no-more-bets; deal {first} {up} {second}; {then}"


BUST = offer("6D", ["bet-the-bust"], spot_limits={"bet-the-bust": (500, 1000)})
MONEY = offer("6D", ["house-money"])
MONEY_WON = "bet 1 bet 1000; bet 1 house-money 500; no-more-bets; deal Tc 6h Td"
BUST_OPEN = dealt("Ts 9h", "6c")
LAST_CARDS = Shoe.fresh(1, "nearly empty").draw(35)[1]
SPENT = offer("1D CUT95")
TWO_ASKED = "bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal Ts 9s Ac 8h 7h; insure 1"
KINGS = offer("6D", ["kings-bounty"])
ZAPPIT = of_the_family(find_any_game("zappit-blackjack")).offer()
SWITCH = of_the_family(find_any_game("blackjack-switch")).offer(side_wagers=["super-match"])
FREE_BET = of_the_family(find_any_game("free-bet-blackjack")).offer(side_wagers=["push-22"])
TWO_SEATS = "bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal"

REFUSED = [
    Refused("out-of-turn", "", "hit 1", "the round is at betting"),
    Refused("out-of-turn", "bet 1 bet 500; no-more-bets", "hit 1", "the next card goes to seat 1"),
    Refused("out-of-turn", dealt("Ts 9h", "Ac"), "hit 1", "waits for the insurance of seat 1"),
    Refused("out-of-turn", dealt("Ts 9h", "Tc"), "hit 1", "the dealer checks for a blackjack"),
    Refused("out-of-turn", BUST_OPEN, "hit 1", "waits for the Bet the Bust of seat 1", offering=BUST),
    Refused("out-of-turn", dealt("Ts 9h", "6c"), "hit 2", "seat 1 decides"),
    Refused("out-of-turn", dealt("8s 8h", "6c", "split 1; deal 2c"), "hit 1 2", "hand 1 of seat 1 decides"),
    Refused("out-of-turn", dealt("Ts 9h", "6c", "stand 1"), "settle", "second card is to be turned up"),
    Refused("out-of-turn", dealt("Ts 9h", "6c", "stand 1; reveal"), "settle", "the next card goes to the dealer"),
    Refused("out-of-turn", dealt("Ts 9h", "6c", "hit 1; deal Kc"), "reveal", "the round is at settling"),
    Refused("out-of-turn", dealt("Ts 9h", "6c"), "deal 2c", "seat 1 decides"),
    Refused("out-of-turn", dealt("Ts 9h", "6c"), "insure 1", "seat 1 decides"),
    Refused("out-of-turn", dealt("Ts 9h", "6c"), "peek no", "seat 1 decides"),
    Refused("out-of-turn", "void rain", "no-more-bets", "the round is void"),
    Refused("out-of-turn", dealt("Ts 9h", "6c", "hit 1; deal Kc"), "void rain", "the round is at settling"),
    Refused("no-wagers", "", "no-more-bets", "no wager on the table"),
    Refused("mandatory-wager", "bet 1 kings-bounty 500", "no-more-bets", "Seat 1 has no Bet", offering=KINGS),
    Refused(
        "shoe-too-short",
        "bet 1 bet 500; bet 2 bet 500",
        "no-more-bets",
        "17 cards left, and a round with 2 seats needs 18: shuffle first",
        shoe=LAST_CARDS,
        offering=SPENT,
    ),
    Refused("shoe-deals", "bet 1 bet 500; no-more-bets", "deal Qh", "from its shoe", shoe=stacked("Ts 6h 9s Kh")),
    Refused("enter-cards", "bet 1 bet 500; no-more-bets", "deal", "Enter the cards"),
    Refused("too-many-cards", "bet 1 bet 500; no-more-bets", "deal Qh 6c 9h 2c", "Card 4, 2c, goes to nobody"),
    Refused("too-many-cards", dealt("Ts 2h", "6c", "hit 1"), "deal 2c 3c", "Card 2, 3c"),
    Refused("repeated-card", "bet 1 bet 500; no-more-bets; deal Qh 6c", "deal Qh", "one deck holds it 1 time", "1D"),
    Refused("not-as-checked", dealt("Ts 9h", "Tc", "peek yes"), "deal 9c", "the check found a blackjack"),
    Refused("not-as-checked", dealt("Ts 9h", "Tc", "peek no; stand 1; reveal"), "deal Ac", "found no blackjack"),
    Refused("no-such-seat", dealt("Ts 9h", "Ac"), "insure 2", "Seat 2 is not in play: seat 1 is."),
    Refused("not-asked", TWO_ASKED, "no-insurance 1", "Seat 1 has answered already"),
    Refused("not-asked", TWO_ASKED, "even-money 1", "Seat 1 has answered already"),
    Refused("bet-too-small", dealt("As Kh", "Ac"), "insure 1", "less than a chip", offering=offer(chip_cents=1000)),
    Refused("above-half", dealt("Ts 9h", "Ac"), "insure 1 501", "more than half of the Bet, $5.00"),
    Refused("not-whole-chips", dealt("Ts 9h", "Ac"), "insure 1 0", "not a whole number of chips"),
    Refused("no-even-money", dealt("Ts 9h", "Ac"), "even-money 1", "a blackjack that pays 3 to 2"),
    Refused("below-minimum", BUST_OPEN, "bust-bet 1 499", "the minimum of $5.00", offering=BUST),
    Refused("above-maximum", BUST_OPEN, "bust-bet 1 1001", "the maximum of $10.00", offering=BUST),
    Refused("no-such-seat", BUST_OPEN, "bust-bet 2 500", "Seat 2 is not in play", offering=BUST),
    Refused("above-proceeds", MONEY_WON, "cap 1 2001", "has from House Money, which is $20.00", offering=MONEY),
    Refused("not-whole-chips", MONEY_WON, "cap 1 0", "not a whole number of chips", offering=MONEY),
    Refused("out-of-turn", f"{MONEY_WON}; cap 1", "cap 1", "seat 1 decides", offering=MONEY),
    Refused("out-of-turn", MONEY_WON, "stand 1", "whether seat 1 puts proceeds on the Bet", offering=MONEY),
    Refused("one-card-only", dealt("As Ah", "6c", "split 1; deal Ac"), "hit 1", "one card each", "6D RSA"),
    Refused("one-card-only", dealt("As Ah", "6c", "split 1; deal Ac"), "double 1", "one card each", "6D RSA"),
    Refused("not-two-cards", dealt("2s 3h", "6c", "hit 1; deal 4c"), "double 1", "this hand has 3"),
    Refused("not-two-cards", dealt("2s 2h", "6c", "hit 1; deal 2c"), "split 1", "this hand has 3"),
    Refused("no-double-after-split", dealt("8s 8h", "6c", "split 1; deal 3c"), "double 1", "NDAS", "6D NDAS"),
    Refused(
        "no-double-on-this",
        dealt("As 8h", "6c"),
        "double 1",
        "hard 9 to 11 may be doubled here (D9), not a soft 19",
        "6D D9",
    ),
    Refused("not-a-pair", dealt("9s Th", "6c"), "split 1", "9s and Th do not count the same"),
    Refused("most-hands", dealt("8s 8h", "6c"), "split 1", "at most 1 hand here, and the seat has 1", "6D SP1"),
    Refused("no-surrender", dealt("9s Th", "6c"), "surrender 1", "(NS)", "6D NS"),
    Refused("surrender-too-late", dealt("2s 3h", "6c", "hit 1; deal 4c"), "surrender 1", "first two cards"),
    Refused("surrender-too-late", dealt("8s 8h", "6c", "split 1; deal 4c"), "surrender 1", "from a split"),
    Refused("doubled-already", dealt("5s 6h", "9c", "double 1; deal 2d"), "hit 1", "stand or surrender", "6D SAD"),
    Refused("out-of-turn", "bet 1 bet 1000", "zap 1", "the round is at betting", offering=ZAPPIT),
    Refused("out-of-turn", f"{TWO_SEATS} Ts 6s 7h 6h 9d", "zap 2", "seat 1 decides", offering=ZAPPIT),
    Refused("zap-too-late", dealt("8s 8h", "6c", "split 1; deal 7d"), "zap 1", "from a split", offering=ZAPPIT),
    Refused("zap-too-late", dealt("9s 6h", "6c", "hit 1; deal 2d"), "zap 1", "first two cards", offering=ZAPPIT),
    Refused("out-of-turn", f"{TWO_SEATS} 5s 5h 7h 6h 6d", "double 2", "seat 1 decides", offering=FREE_BET),
    Refused("not-two-cards", dealt("4s 5h", "6c", "hit 1; deal 2d"), "double 1", "this hand has 3", offering=FREE_BET),
    Refused("mandatory-wager", "bet 1 push-22 500", "no-more-bets", "Seat 1 has no Bet", offering=FREE_BET),
    Refused("mandatory-wager", "bet 1 super-match 500", "no-more-bets", "Seat 1 has no Bet", offering=SWITCH),
    Refused("no-zap", dealt("Ts 6h", "6c"), "zap 1", "no zap in Blackjack"),
    Refused("no-zap-of-this", dealt("Ts 9h", "6c"), "zap 1", "not a hard 19", offering=ZAPPIT),
    Refused("zap-too-late", dealt("Ts 6h", "6c", "zap 1; deal 9s 6h"), "zap 1", "zapped once", offering=ZAPPIT),
    Refused("no-switch", dealt("Ts 6h", "6c"), "switch 1", "one hand in Blackjack"),
    Refused("not-equal-bets", "bet 1 bet 501", "no-more-bets", "$5.01 on the Bet of seat 1", offering=SWITCH),
]


@pytest.mark.parametrize("case", REFUSED, ids=[f"{case.code}: {case.act}" for case in REFUSED])
def test_a_refused_act_says_why_and_changes_nothing(case: Refused) -> None:
    before = play(case.before, case.rules, shoe=case.shoe, offering=case.offering)
    record, act = write_record(before), parse_act(case.act)
    with pytest.raises(Refusal) as refusal:
        before.do(act)
    assert refusal.value.code == case.code
    assert case.words in str(refusal.value)
    assert_one_sentence(refusal.value)
    assert str(before.why_not(act)) == str(refusal.value)
    assert not before.can(act)
    assert write_record(before) == record


def test_every_code_of_refusal_is_tried() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(croupier.games.blackjack.__path__[0]).glob("*.py")]
    codes = {code for source in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', source)}
    # A shoe that does not fit is refused before there is a round: test_1_1 and test_3_10.
    assert codes - {case.code for case in REFUSED} == {"wrong-shoe", "shuffle-due"}


# Tables that no house may have


@pytest.mark.parametrize(
    ("rules", "wagers", "paytables", "words"),
    [
        ("6D", ["kings-bounty", "blazing-7s-player", "trilux"], {}, "one progressive wager"),
        ("6D", ["blazing-7s-player", "blazing-7s-dealer"], {}, "one progressive wager"),
        ("2D", ["trilux"], {}, "not offered with 2 decks: it takes 6 or 8"),
        ("1D", ["blazing-7s-dealer"], {}, "not offered with 1 deck: it takes 6 or 8"),
        ("4D", ["bet-the-bust"], {}, "not offered with 4 decks: it takes 1, 2, 6 or 8"),
        ("6D ENHC", ["bet-the-bust"], {}, "without a hole card"),
        ("6D H17", ["bet-the-bust"], {"bet-the-bust": "2"}, "use Bet the Bust 1"),
        ("6D S17", [], {"bet-the-bust": "1"}, "use Bet the Bust 2"),
        ("6D", [], {"bet": Paytable.parse("Ours", "Blackjack  2 to 1")}, "The Bet pays as the rules say, 3:2"),
        ("6D", ["kings-bounty"], {"kings-bounty": Paytable.parse("Ours", "2 Aces  2 to 1")}, "no line '2 Aces'"),
        ("6D", ["insurance"], {}, "no side wager of Blackjack 'insurance'"),
        ("6D", ["kings-bount"], {}, "did you mean kings-bounty"),
        ("9D", [], {}, "'9D' is no number of decks"),
        ("6D SP2 RSA", [], {}, "RSA needs SP3 or SP4"),
        ("6D S17 H17", [], {}, "S17 and H17 both say"),
        ("6D 0:1", [], {}, "cannot pay 0:1"),
    ],
)
def test_an_impossible_table_is_refused(
    rules: str, wagers: list[str], paytables: dict[str, str | Paytable], words: str
) -> None:
    with pytest.raises(CroupierError) as error:
        offer(rules, wagers, paytables=paytables)
    assert words in str(error.value)
    assert_one_sentence(error.value)


def test_every_wager_left_in_is_checked() -> None:
    with pytest.raises(NotationError, match="one progressive"):
        BlackjackOffering(blackjack(), left_out=frozenset())
    with pytest.raises(NotationError, match="without its bet wager"):
        BlackjackOffering(blackjack(), left_out=OPTIONAL | {"bet"})
    with pytest.raises(UnknownName):
        BlackjackOffering(blackjack(), options=frozenset({"two-positions"}))


def test_blackjack_is_found_by_its_name() -> None:
    assert find_any_game(" Blackjack ") is find_game("blackjack", type(blackjack())) is blackjack()
    assert find_any_game("supreme-99") is find_game("supreme-99")
    with pytest.raises(UnknownName):
        find_game("blackjack")


# Text forms


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("bet 1 bet 500", Bet(1, "bet", 500)),
        ("take-back 1 kings-bounty", TakeBack(1, "kings-bounty")),
        ("no-more-bets", NoMoreBets()),
        ("deal Qh Qh 2c", Deal((DECK[42], DECK[42], DECK[0]))),
        ("deal", Deal(())),
        ("insure 1", Insure(1)),
        ("insure 1 250", Insure(1, 250)),
        ("even-money 7", EvenMoney(7)),
        ("no-insurance", NoInsurance()),
        ("no-insurance 3", NoInsurance(3)),
        ("peek yes", Peek(True)),
        ("peek no", Peek(False)),
        ("bust-bet 2 500", BustBet(2, 500)),
        ("no-bust-bet", NoBustBet()),
        ("no-bust-bet 2", NoBustBet(2)),
        ("hit 1", Hit(1)),
        ("hit 1 2", Hit(1, 2)),
        ("stand 1", Stand(1)),
        ("double 1", Double(1)),
        ("split 7 4", Split(7, 4)),
        ("surrender 1", Surrender(1)),
        ("reveal", Reveal()),
        ("settle", Settle()),
        ("void a card fell on the floor", Void("a card fell on the floor")),
    ],
)
def test_an_act_is_written_and_read(text: str, act: Act) -> None:
    assert parse_act(text) == act
    assert str(act) == text
    assert act.name in ACTS


words = st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True)
seats, amounts, hands = st.integers(0, 99), st.integers(0, 10**12), st.integers(0, 5)
any_act = st.one_of(
    st.builds(Bet, seats, words, amounts, words | st.just("")),
    st.builds(TakeBack, seats, words),
    st.builds(Deal, st.lists(st.sampled_from(DECK), max_size=8).map(tuple)),
    st.builds(Insure, seats, st.none() | amounts),
    st.builds(BustBet, seats, amounts),
    st.sampled_from([EvenMoney, NoInsurance, NoBustBet]).flatmap(lambda kind: st.builds(kind, seats)),
    st.sampled_from([Hit, Stand, Double, Split, Surrender]).flatmap(lambda kind: st.builds(kind, seats, hands)),
    st.builds(Void, st.lists(words).map(" ".join)),
    st.sampled_from([NoMoreBets(), Reveal(), Settle(), Peek(True), Peek(False)]),
)


@given(any_act)
def test_every_act_parses_back(act: Act) -> None:
    assert parse_act(str(act)) == act


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "decide 1 play",
        "rotation number 1",
        "no-more-bets please",
        "deal Qx",
        "deal " + "Qh " * 9,
        "insure",
        "insure one",
        "insure 1 2 3",
        "insure 1 2.50",
        "even-money",
        "even-money 1 2",
        "no-insurance 1 2",
        "no-insurance 0",
        "no-bust-bet 0",
        "peek",
        "peek maybe",
        "peek yes yes",
        "bust-bet 1",
        "bust-bet 1 2 3",
        "hit",
        "hit one",
        "hit 1 0",
        "hit 1 2 3",
        "double 1 for 500",
        "split -1",
        "surrender",
        "reveal now",
        "settle 3",
    ],
)
def test_what_is_no_act_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_act(text)
    assert_one_sentence(error.value)


@given(st.sampled_from([*ACTS, "x"]), st.text())
def test_any_text_is_an_act_or_refused(name: str, rest: str) -> None:
    try:
        act = parse_act(f"{name} {rest}")
    except NotationError:
        return
    assert parse_act(str(act)) == act


def test_a_round_does_not_give_its_hidden_cards_away() -> None:
    round_ = open_round(offer(), stacked("Ts 6h 9s Kh")).do(Bet(1, "bet", 500)).do(NoMoreBets())
    assert "KING" not in repr(round_)
    assert all(str(round_.hole) not in event.text for event in round_.events)


@pytest.mark.parametrize("odd", [1.0, True, "1", None])
def test_a_seat_that_is_no_whole_number_is_refused(odd: object) -> None:
    playing = play(dealt("8s 8h", "6c"), "6D LS")
    for kind in (Hit, Stand, Double, Split, Surrender):
        assert not playing.can(kind(odd))  # type: ignore[arg-type]
    asked = play(dealt("As Kh", "Ac"))
    assert not any(asked.can(act) for act in (Insure(odd), EvenMoney(odd)))  # type: ignore[arg-type]
    assert not asked.can(Insure(1, odd)) or odd is None  # type: ignore[arg-type]
    assert not play(BUST_OPEN, offering=BUST).can(BustBet(odd, 500))  # type: ignore[arg-type]


# Choices that are off


@pytest.mark.parametrize(
    ("script", "rules", "off"),
    [
        (dealt("8s 4h", "6c"), "6D LS", {"split": "not-a-pair"}),
        (dealt("8s 8h", "6c"), "6D LS", {}),
        (dealt("8s 4h", "6c"), "6D NS", {"split": "not-a-pair"}),  # of a table without it, nothing is said of surrender
        (
            dealt("8s 2h", "6c", "hit 1; deal 2c"),
            "6D LS",
            {"double": "not-two-cards", "split": "not-two-cards", "surrender": "surrender-too-late"},
        ),
    ],
)
def test_a_choice_that_a_hand_does_not_have_says_why(script: str, rules: str, off: dict[str, str]) -> None:
    round_ = play(script, rules)
    told = list(round_.off())
    assert {each.name: each.why.code for each in told} == off
    assert not {each.name for each in told} & {each.act.name for each in round_.in_play()}
    for each in told:
        assert_one_sentence(each.why)


def test_before_the_deal_and_after_the_round_nothing_is_off() -> None:
    assert not list(play("bet 1 bet 1000", "6D LS").off())
