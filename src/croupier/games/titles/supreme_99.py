"""Supreme 99: four cards set as a two-card High and a two-card Low, both against the dealer's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from croupier.cards.card import Card, Hand, Rank, format_cards, parse_cards
from croupier.cards.symmetry import Sees
from croupier.errors import Refusal
from croupier.games.felt import BOX, Felt
from croupier.games.game import Handled, Part, Slip, Texts
from croupier.games.head_to_head.game import Decision, Game
from croupier.games.paytable import Paytable
from croupier.games.rulebook import rule
from croupier.games.table.history import CLOSE, DEAL, DECIDE, REVEAL, ROTATION, SETTLE
from croupier.games.table.questions import Kind, Question, numbered, wrong_number
from croupier.games.table.shown import Half
from croupier.games.wager import AgainstDealer, Choice, OnHand, Outcome, Reading, Spot, Wager

PAIRS_FROM = 10
"""The strength of a pair of twos; points go from 0 to 9 below it."""


@rule("supreme-99 2.4")
def value(card: Card) -> int:
    """Ace one, 2 to 9 their number, tens and faces nothing."""
    if card.rank is Rank.ACE:
        return 1
    return int(card.rank) if card.rank < Rank.TEN else 0


@rule("supreme-99 2.1", "supreme-99 2.2", "supreme-99 2.3", "supreme-99 2.5")
def strength(half: Hand) -> int:
    """0 to 9 points; above them the pairs, twos to aces."""
    first, second = half
    if first.rank is second.rank:
        return PAIRS_FROM + first.rank - Rank.TWO
    return (value(first) + value(second)) % 10


class Setting(NamedTuple):
    """A hand set in two halves."""

    high: Hand
    low: Hand

    @property
    def strengths(self) -> Strengths:
        return Strengths(strength(self.high), strength(self.low))


class Strengths(NamedTuple):
    high: int
    low: int


PAIRINGS = {"12-34": (0, 1, 2, 3), "13-24": (0, 2, 1, 3), "14-23": (0, 3, 1, 2)}
"""The three ways to set four cards, by their places when sorted low to high."""


@rule("supreme-99 4.1", "supreme-99 4.3")
def set_by(pairing: str, hand: Hand) -> Setting:
    """The setting that this pairing makes: the stronger half is the High hand, so it never fouls."""
    cards = sorted(hand)
    a, b, c, d = (cards[place] for place in PAIRINGS[pairing])
    one, other = (a, b), (c, d)
    return Setting(one, other) if strength(one) >= strength(other) else Setting(other, one)


@rule(*(f"supreme-99 5.{n}" for n in range(1, 8)))
def house_way(hand: Hand) -> str:
    """The dealer's pairing: a pair goes High (two pair: the higher), else Low is made as strong as can be.

    Among the pairings with the strongest High the Low cards follow by themselves wherever there is a pair.
    """
    settings = {pairing: set_by(pairing, hand).strengths for pairing in PAIRINGS}
    paired = len({card.rank for card in hand}) < len(hand)
    wanted: Callable[[str], tuple[int, ...]] = (
        (lambda pairing: settings[pairing]) if paired else (lambda pairing: settings[pairing][::-1])
    )
    return max(PAIRINGS, key=wanted)


def dealer_strengths(hand: Hand) -> Strengths:
    return set_by(house_way(hand), hand).strengths


def _high_first(hand: Hand) -> Strengths:
    """What a dealer sets who takes every hand for one with a pair."""
    return max(set_by(pairing, hand).strengths for pairing in PAIRINGS)


def _low_first(hand: Hand) -> Strengths:
    """What a dealer sets who takes every hand for one without."""
    return max((set_by(pairing, hand).strengths for pairing in PAIRINGS), key=lambda both: both[::-1])


BOTH_COPIED = Outcome("Both copy", cites="6.10")
BOTH_WON = Outcome("Both win", cites="6.5")
SPLIT = Outcome("One wins, one loses", cites="6.6")
BOTH_LOST = Outcome("Both lose", cites="6.7")


@rule(*(f"supreme-99 6.{n}" for n in range(1, 11)))
def against_dealer(player: Strengths, dealer: Strengths) -> Outcome:
    """Copies go to the dealer, but both copied is the player's best result."""
    if player == dealer:
        return BOTH_COPIED
    won = (player.high > dealer.high) + (player.low > dealer.low)
    return (BOTH_LOST, SPLIT, BOTH_WON)[won]


BET = Wager(
    "bet",
    "Bet against the dealer",
    AgainstDealer(
        tuple(
            Choice(
                pairing,
                Reading(
                    f"halves set {pairing}",
                    4,
                    Sees.RANKS,
                    lambda hand, pairing=pairing: set_by(pairing, hand).strengths,  # type: ignore[misc]
                ),
                against_dealer,
            )
            for pairing in PAIRINGS
        ),
        dealer=Reading("halves set by the house way", 4, Sees.RANKS, dealer_strengths),
    ),
    outcomes=(BOTH_COPIED, BOTH_WON, SPLIT, BOTH_LOST),
    paytables={
        "1": Paytable.parse(
            "Bet 1",
            """
            Both copy   4 to 1
            Both win    1 to 1""",
        )
    },
    spots=(Spot("bet", "Bet", Paytable.parse("Bet", "One wins, one loses   push"), turn="8.2"),),
    mandatory=True,
)


def _dealt_by(set_wrong: Callable[[Hand], Strengths]) -> Wager:
    """The Bet where the dealer's cards are set so and not by the house way."""
    assert isinstance(BET.basis, AgainstDealer)
    return replace(BET, basis=replace(BET.basis, dealer=Reading("halves set wrong", 4, Sees.RANKS, set_wrong)))


PAIR = Outcome("Pair")
THREE_OF_A_KIND = Outcome("Three of a Kind", pays_as=PAIR)
NINE_NINE = Outcome("9-9 (total each hand)", also=("9-9",))
TWO_PAIR = Outcome("Two Pair")
FOUR_OF_A_KIND = Outcome("Four of a Kind")
NOTHING = Outcome("No pair, no 9-9")


@rule(*(f"supreme-99 7.{n}" for n in range(1, 7)))
def pair_fortunes(hand: Hand) -> Outcome:
    """Pairs come first: 9-9 is for hands without one."""
    copies = sorted(Counter(card.rank for card in hand).values(), reverse=True)
    if copies[0] == 2:
        return TWO_PAIR if copies[1] == 2 else PAIR
    if copies[0] > 2:
        return FOUR_OF_A_KIND if copies[0] == 4 else THREE_OF_A_KIND
    nine_nine = any(set_by(pairing, hand).strengths == (9, 9) for pairing in PAIRINGS)
    return NINE_NINE if nine_nine else NOTHING


PAIR_FORTUNES = Wager(
    "pair-fortunes",
    "Pair Fortunes",
    OnHand(Reading("Pair Fortunes line", 4, Sees.RANKS, pair_fortunes)),
    outcomes=(FOUR_OF_A_KIND, TWO_PAIR, NINE_NINE, THREE_OF_A_KIND, PAIR, NOTHING),
    paytables={
        "1": Paytable.parse(
            "Pair Fortunes 1",
            """
            Four of a Kind          300 to 1
            Two Pair                15 to 1
            9-9 (total each hand)   6 to 1
            Pair                    1 to 1""",
        )
    },
    spots=(Spot("pair-fortunes", "Pair Fortunes", wins="7.2", loses="7.7", turn="8.2", by_worth=False),),
)


@rule("supreme-99 4.2", "supreme-99 4.4")
def parse_setting(hand: Hand, words: str) -> str:
    """Reads the two cards for the High hand as a pairing; a foul is refused with the reason."""
    if words.strip().lower() == "house way":
        return house_way(hand)
    high = parse_cards(words.strip().lower().removeprefix("high"))
    if len(high) != 2 or not set(high) <= set(hand):
        raise Refusal(
            "wrong-cards",
            f"{words!r} does not name two of the cards {format_cards(hand)}: say which two make the High hand.",
        )
    low = tuple(card for card in hand if card not in high)
    setting = Setting(high, low)
    if strength(high) < strength(low):
        raise Refusal(
            "foul",
            f"{format_cards(high)} is a foul High hand: {in_words(high)} is weaker than "
            f"{in_words(low)} in {format_cards(low)}, and High must be at least as strong as Low.",
        )
    return next(p for p in PAIRINGS if {frozenset(half) for half in set_by(p, hand)} == set(map(frozenset, setting)))


def in_words(half: Hand) -> str:
    if half[0].rank is half[1].rank:
        return f"a pair of {half[0].rank.name.lower()}{'es' if half[0].rank is Rank.SIX else 's'}"
    total = strength(half)
    return f"{total} point{'' if total == 1 else 's'}"


def _halves(hand: Hand, pairing: str) -> tuple[Half, ...]:
    halves = zip(Setting._fields, set_by(pairing, hand), strict=True)
    return tuple(Half(name, half, in_words(half)) for name, half in halves)


def _describe(hand: Hand, choice: str | None) -> str:
    if choice is None:
        return format_cards(hand)
    setting = set_by(choice, hand)
    return (
        f"High {format_cards(setting.high)} ({in_words(setting.high)}), "
        f"Low {format_cards(setting.low)} ({in_words(setting.low)})"
    )


def _chart(hand: Hand, pairing: str) -> tuple[str, str]:
    copies = sorted(Counter(card.rank for card in hand).values(), reverse=True)
    kinds = {
        4: "four of a kind",
        3: "three of a kind",
        2: "two pair" if copies[1:2] == [2] else "one pair",
        1: "no pair",
    }
    settings = [set_by(pairing, hand).strengths for pairing in PAIRINGS]
    chosen = set_by(pairing, hand).strengths
    best = {"High": max(settings), "Low": max(settings, key=lambda setting: (setting.low, setting.high))}
    strongest = [name for name, setting in best.items() if chosen == setting]
    return kinds[copies[0]], f"strongest {' and '.join(strongest)}" if strongest else "in between"


# What whoever turns up the dealer's cards is asked


def _sets(hand: Hand) -> Question:
    """Pairings that come to the same halves are equally right (supreme-99 5.5)."""
    ways = {pairing: set_by(pairing, hand) for pairing in PAIRINGS}
    right = ways[house_way(hand)].strengths
    choices = numbered(
        [(name, f"High {format_cards(way.high)}, Low {format_cards(way.low)}") for name, way in ways.items()]
    )
    answers = tuple(name for name, way in ways.items() if way.strengths == right)
    return Question(Kind.SET, "How do you set the dealer's cards?", answers, _house_rule(hand), choices, seen=hand)


def _house_rule(hand: Hand) -> str:
    """The paragraph of the house way that speaks of such cards."""
    kind, _ = _chart(hand, house_way(hand))
    by_kind = {"two pair": "5.2", "one pair": "5.3", "three of a kind": "5.6", "four of a kind": "5.7"}
    return by_kind.get(kind, "5.4")


GAME = Game(
    "supreme-99",
    "Supreme 99",
    document="004",
    packet_cards=4,
    seats=6,
    wagers=(BET, PAIR_FORTUNES),
    settling_order=("bet", "pair-fortunes"),
    describe=_describe,
    describe_dealer=lambda hand: _describe(hand, house_way(hand)),
    decision=Decision("bet", parse_setting, say=lambda hand, choice: f"high {format_cards(set_by(choice, hand).high)}"),
    strategies={"house way": house_way},
    slips=(
        Slip("no pair, and the High hand is made as strong as can be", "bet", _dealt_by(_high_first)),
        Slip("a pair, and the Low hand is made as strong as can be", "bet", _dealt_by(_low_first)),
    ),
    halves=_halves,
    dealers_halves=lambda hand: _halves(hand, house_way(hand)),
    chart=_chart,
    rotation=True,
    texts=Texts(
        about=("Set four cards as a High and a Low hand of two cards each. Win both to be paid; copy both for 4 to 1."),
        how=(
            "Put a chip on Bet; Pair Fortunes is extra. You get four cards and set them as two hands of two, the "
            "High hand at least as strong as the Low hand. A pair beats every hand without one; otherwise the "
            "last digit of the sum counts, 9 is best. Win both halves against the dealer's and you are paid; win "
            "one and nothing changes hands; equal halves go to the dealer, but both equal pay 4 to 1."
        ),
        deal="The dealing rotation by number or dice, seven packets, the house way, and copies.",
    ),
    asks=(_sets,),
    sample=parse_cards("9h 9c As 8d"),
    felt=Felt(color="slate", above="Two hands of two cards", below="High and Low must both win", shapes={"bet": BOX}),
    parts=(
        Part(CLOSE, "Call “No more bets”", "c", "1.3"),
        Part(ROTATION, "Draw the dealing rotation", "r", "3.1"),
        Part(DEAL, "Deal the packets", "d", "3.6"),
        Part(DECIDE, "The players set their hands", "p", "4.1", asks=True),
        Part(REVEAL, "Turn up the dealer's cards and set them", "t", "5.1"),
        Part(SETTLE, "Pay and take", "s", "8.1"),
    ),
    handling=(
        Handled(
            CLOSE,
            Kind.HANDLE,
            "To which mode was the shuffler set for this game?",
            "Supreme 99, or a mode of one's own that deals four from 52 cards",
            ("Any mode that deals packets of two", "A mode that deals packets to occupied spots alone"),
            "3.8",
        ),
        wrong_number(DEAL, "9.1", "a packet"),
    ),
    cites={"rotation": "3.4", "deal": "3.6", "decide": "4.1", "reveal": "5.1", "void": "9.2"}
    | {"to-seat": "3.5", "to-dealer": "3.5", "from-the-right": "8.1", "i-verify": "3.9"},
    options={"dice-cup": "the dealing rotation is drawn by three dice, not by a random number"},
)
