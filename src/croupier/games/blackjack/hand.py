"""Hands at a blackjack table: what they hold, how they end, and how one fares against the dealer's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import Any

from croupier.cards.card import Card, Hand, Suit
from croupier.cards.symmetry import Sees
from croupier.games.blackjack.rules import Count, Rules, count
from croupier.games.blackjack.side_wagers import BUST, is_blackjack, value
from croupier.games.money import Stake
from croupier.games.paytable import Paytable
from croupier.games.rulebook import rule
from croupier.games.table.history import Seat
from croupier.games.wager import AgainstDealer, Choice, Outcome, Reading, Spot, Wager

BLACKJACK, DIAMONDS = "blackjack", "blackjack in diamonds"
"""What the first two cards can come to, beside a total; every total above 21 is `BUST`."""
PLAYER_RESULTS: tuple[int | str, ...] = (*range(4, 22), BUST, BLACKJACK)
DEALER_RESULTS: tuple[int | str, ...] = (*range(17, 22), BUST, BLACKJACK)
TWENTY_TWO = "22"
"""A dealer's 22, where it pushes: it is told apart from every other bust."""


def dealer_results(rules: Rules) -> tuple[int | str, ...]:
    """How the dealer's hand can end under these rules."""
    return (*DEALER_RESULTS, TWENTY_TWO) if rules.push_22 else DEALER_RESULTS


def came_to(rules: Rules, choice: str) -> tuple[int | str, ...]:
    """What a player's hand can come to under these rules, where it is judged so."""
    return (*PLAYER_RESULTS, DIAMONDS) if rules.diamond_blackjack and choice == FIRST else PLAYER_RESULTS


class Ending(StrEnum):
    """How a hand came to its end; one without an ending is in play."""

    STANDS = "stands"
    BUST = "bust"
    BLACKJACK = "blackjack"
    SURRENDERED = "surrendered"
    EVEN_MONEY = "even money"
    CHARLIE = "charlie"
    BONUS_21 = "bonus 21"


BY_CARDS = (Ending.CHARLIE, Ending.BONUS_21)
"""How a hand ends that has won by the number of its cards."""


@dataclass(frozen=True)
class PlayerHand:
    """One hand of a seat, and the money it carries."""

    cards: Hand
    cents: int
    doubled: bool = False
    from_split: bool = False
    ending: Ending | None = None
    settled: bool = False
    capped_cents: int = 0
    """What of the money came from a side wager that was won."""
    free_cents: int = 0
    """What of it are free chips."""
    zapped: Hand = ()
    """The two cards that were traded for those it began with anew."""
    switched: bool = False
    """Whether its second card came from the seat's other hand, so that an ace and a ten are 21."""
    origin: int = 0
    """Which of the hands that the seat was dealt it comes from, counted from 0."""

    @property
    def stake(self) -> Stake:
        """The chips that it carries, by their kind."""
        return Stake(self.cents - self.free_cents, self.free_cents)

    def with_more(self, added: Stake) -> PlayerHand:
        """The hand with more chips."""
        return replace(self, cents=self.cents + added.cents, free_cents=self.free_cents + added.free_cents)

    @cached_property
    def count(self) -> Count:
        return count(map(value, self.cards))

    @property
    def total(self) -> int:
        return self.count.total

    @property
    @rule("blackjack 7.6")
    def is_left(self) -> bool:
        """Whether the dealer has to play against it."""
        return self.ending in (None, Ending.STANDS)

    @property
    def is_first(self) -> bool:
        """Whether its first two cards are the seat's first two, and may be a blackjack."""
        return not (self.from_split or self.zapped or self.switched)

    @property
    def pair_value(self) -> int | None:
        """What each of two cards of one value counts."""
        values = set(map(value, self.cards))
        return values.pop() if len(self.cards) == 2 and len(values) == 1 else None

    @property
    def facts(self) -> dict[str, Any]:
        """What programs are told of it beside its cards."""
        return {
            "bet_cents": self.cents,
            "doubled": self.doubled,
            "from_split": self.from_split,
            "ending": self.ending.value if self.ending else None,
            **({"capped_cents": self.capped_cents} if self.capped_cents else {}),
            **({"free_cents": self.free_cents} if self.free_cents else {}),
            **({"zapped": [str(card) for card in self.zapped]} if self.zapped else {}),
            **({"switched": True} if self.switched else {}),
        }

    @property
    def choice(self) -> str:
        """Under which of the Bet's readings it is judged."""
        if self.ending in (Ending.SURRENDERED, Ending.EVEN_MONEY, *BY_CARDS):
            return self.ending
        return FIRST if self.is_first else SPLIT

    @rule("blackjack 6.11", "blackjack 6.12", "blackjack 6.15")
    def may_split(self, rules: Rules, *, hands: int) -> bool:
        """Whether it may be split at a seat that has so many hands."""
        return self.pair_value is not None and hands < rules.hands_from(self.pair_value)

    @rule("blackjack 6.14")
    def one_card_only(self, rules: Rules) -> bool:
        """Whether it is a split ace that receives one card."""
        return self.from_split and rules.one_card_only(value(self.cards[0]))

    def with_card(self, card: Card, rules: Rules, *, hands: int) -> PlayerHand:
        """The hand with one card more, ended where that card ends it."""
        after = PlayerHand(
            *((*self.cards, card), self.cents, self.doubled, self.from_split),
            capped_cents=self.capped_cents,
            free_cents=self.free_cents,
            zapped=self.zapped,
            switched=self.switched,
            origin=self.origin,
        )
        ending = after.natural_ending(rules, hands=hands) if len(after.cards) > 1 else None
        return replace(after, ending=ending) if ending else after

    @rule("blackjack 6.7", "blackjack 6.14", "blackjack 6.15", "blackjack 6.20", "blackjack 6.21", "blackjack 6.23")
    @rule("blackjack 6.25", "blackjack 6.27")
    def natural_ending(self, rules: Rules, *, hands: int) -> Ending | None:
        """How it ends by itself with the cards it has, or None where the player decides."""
        if self.total > 21:
            return Ending.BUST
        if len(self.cards) == 2 and self.is_first and self.total == 21:
            return Ending.BLACKJACK
        if rules.is_bonus_21(self.total, len(self.cards), doubled=self.doubled):
            return Ending.BONUS_21
        if rules.is_charlie(self.total, len(self.cards), doubled=self.doubled):
            return Ending.CHARLIE
        rescued = self.doubled and rules.may_rescue(self.total, cards=len(self.cards))
        over = rules.hand_ends(self.total) or (self.doubled and not rescued)
        if over or (self.one_card_only(rules) and not self.may_split(rules, hands=hands)):
            return Ending.STANDS
        return None


@rule("blackjack-switch 20.4", "blackjack-switch 20.5")
def switched_hands(hands: tuple[PlayerHand, ...], rules: Rules) -> tuple[PlayerHand, ...]:
    """Two hands whose second cards have changed places; what they come to is judged anew."""
    one, other = hands
    after = (
        replace(hand, cards=(hand.cards[0], second.cards[1]), switched=not rules.switched_blackjack, ending=None)
        for hand, second in ((one, other), (other, one))
    )
    return tuple(replace(hand, ending=hand.natural_ending(rules, hands=1)) for hand in after)


@dataclass(frozen=True)
class BlackjackSeat(Seat):
    """A position with its hands: one, or several after splits. `wagers["bet"]` is what all of them carry."""

    dealt: Hand = ()
    """Every card the seat received, in order."""
    hands: tuple[PlayerHand, ...] = ()
    settled: frozenset[str] = frozenset()
    """Spots other than the Bet whose wagers are settled."""

    @property
    def first_two(self) -> Hand:
        """Of its first hand: where a seat has two, cards go to them in turn."""
        hands = 1 + max((hand.origin for hand in self.hands), default=0)
        return self.dealt[: 2 * hands : hands]

    @property
    def third_card(self) -> Card | None:
        return third_card(self)

    @property
    def open_sides(self) -> list[str]:
        """Spots other than the Bet whose wagers still lie there."""
        return [spot for spot in self.wagers if spot != BET.key and spot not in self.settled]

    def kin(self, place: int) -> tuple[PlayerHand, ...]:
        """The hand at this place and those that were split from the same one."""
        return tuple(hand for hand in self.hands if hand.origin == self.hands[place].origin)

    def left(self) -> Iterator[PlayerHand]:
        return (hand for hand in self.hands if hand.is_left)


@rule("blackjack 11.4", "blackjack 11.5", "blackjack 11.6", "blackjack 11.7")
def third_card(seat: BlackjackSeat) -> Card | None:
    """The first card after the first two, to whichever hand it went; one that busts the hand does not count."""
    if len(seat.dealt) < 3:
        return None
    busted_by_it = len(seat.hands[0].cards) == 3 and seat.hands[0].total > 21 and len(seat.hands) == 1
    return None if busted_by_it else seat.dealt[2]


def describe(hand: PlayerHand) -> str:
    """A hand in words: `soft 18`, `bust with 24`, `12, surrendered`."""
    words = describe_cards(hand.cards, first=hand.is_first)
    if hand.ending in (Ending.SURRENDERED, Ending.EVEN_MONEY, *BY_CARDS):
        words += f", {hand.ending}"
    return words


def describe_cards(cards: Hand, *, first: bool = True) -> str:
    """An ace and a ten are a blackjack as the first two cards alone."""
    total, soft = count(map(value, cards))
    if total > 21:
        return f"bust with {total}"
    if is_blackjack(cards) and first:
        return BLACKJACK
    return f"{'soft ' if soft and total < 21 else ''}{total}"


def describe_dealer(cards: Hand, *, pushes_22: bool) -> str:
    """`22, which pushes` where the rules have it so: nobody has bust there who is still compared."""
    total, _ = count(map(value, cards))
    return "22, which pushes" if pushes_22 and total == 22 else describe_cards(cards)


# The Bet


@rule("blackjack 2.1", "blackjack 2.2", "blackjack 2.3", "blackjack 2.5", "blackjack 2.6", "blackjack 2.7")
def first_hand(cards: Hand) -> int | str:
    """What the cards of a seat that did not split, or the dealer's, come to."""
    return BLACKJACK if is_blackjack(cards) else split_hand(cards)


@rule("blackjack 2.7")
def first_hand_in_suits(cards: Hand) -> int | str:
    """What the cards of a seat that did not split come to, where a blackjack in diamonds is one of its own."""
    kind = first_hand(cards)
    return DIAMONDS if kind == BLACKJACK and {card.suit for card in cards} == {Suit.DIAMONDS} else kind


@rule("blackjack 2.7", "blackjack 6.16")
def split_hand(cards: Hand) -> int | str:
    """What the cards of a hand from a split come to: never a blackjack."""
    return min(count(map(value, cards)).total, BUST)


WON_BLACKJACK = Outcome("Blackjack", cites="8.7")
WIN = Outcome("Win", cites="8.3")
PUSH = Outcome("Push", cites="8.4")
LOSE = Outcome("Lose", cites="8.5")
SURRENDER = Outcome("Surrender", cites="8.10")
EVEN_MONEY = Outcome("Even money", cites="4.6")
WON_CHARLIE = Outcome("Charlie", cites="8.15")
WON_DIAMONDS = Outcome("Blackjack in diamonds", cites="8.17")
WON_BONUS_21 = Outcome("Bonus 21", cites="8.18")
ORIGINAL_BET = Outcome("Original bet", cites="8.14")
"""Of a doubled hand that a blackjack takes: half of what lies on it, where it takes original bets only."""


@rule("blackjack 8.3", "blackjack 8.4", "blackjack 8.5", "blackjack 8.6", "blackjack 8.7", "blackjack 8.8")
@rule("blackjack 5.8", "blackjack 8.9")
def played(player: int | str, dealer: int | str) -> Outcome:
    """A hand that was played out, against the dealer's."""
    if player == BUST:
        return LOSE
    if player == dealer:
        return PUSH
    if player == BLACKJACK:
        return WON_BLACKJACK
    if dealer == BLACKJACK:
        return LOSE
    return WIN if dealer == BUST or int(player) > int(dealer) else LOSE


@rule("blackjack 5.7", "blackjack 8.10")
def surrendered(_: int | str, dealer: int | str) -> Outcome:
    """Half is lost; all of it where a blackjack that could not be checked takes everything."""
    return LOSE if dealer == BLACKJACK else SURRENDER


@rule("blackjack 4.6", "blackjack 4.8")
def even_money(_: int | str, __: int | str) -> Outcome:
    """Paid whatever the dealer has."""
    return EVEN_MONEY


FIRST, SPLIT = "first hand", "hand from a split"
# Readings are asked about hands of any size here; two cards are what every hand begins with.
_FIRST_HAND = Reading("first hand", 2, Sees.RANKS, first_hand)
_SPLIT_HAND = Reading("hand from a split", 2, Sees.RANKS, split_hand)
_FIRST_HAND_IN_SUITS = Reading("first hand in suits", 2, Sees.SUITS, first_hand_in_suits)

BET = Wager(
    "bet",
    "Bet",
    AgainstDealer(
        choices=(
            Choice(FIRST, _FIRST_HAND, played),
            Choice(SPLIT, _SPLIT_HAND, played),
            Choice(Ending.SURRENDERED, _FIRST_HAND, surrendered),
            Choice(Ending.EVEN_MONEY, _FIRST_HAND, even_money),
        ),
        dealer=Reading("dealer's hand", 2, Sees.RANKS, first_hand),
    ),
    outcomes=(WON_BLACKJACK, WIN, PUSH, LOSE, SURRENDER, EVEN_MONEY),
    paytables={"3:2": Paytable.parse("Blackjack 3:2", "Blackjack   3 to 2\nWin   1 to 1")},
    # Half of a surrendered wager comes back: it is paid half in place of the wager.
    spots=(
        Spot("bet", "Bet", Paytable.parse("Bet", "Push  push\nSurrender  1 for 2\nEven money  1 to 1"), turn="8.2"),
    ),
    mandatory=True,
)


@rule("blackjack 8.13")
def dealers_hand_with_22(cards: Hand) -> int | str:
    """What the dealer's cards come to where a 22 pushes."""
    return TWENTY_TWO if count(map(value, cards)).total == BUST else first_hand(cards)


@rule("blackjack 8.13")
def played_with_22(player: int | str, dealer: int | str) -> Outcome:
    """A hand that was played out, against the dealer's, where a 22 pushes all that is left but a blackjack."""
    if dealer != TWENTY_TWO or player == BUST:
        return played(player, dealer)
    return WON_BLACKJACK if player == BLACKJACK else PUSH


_WITH_22 = AgainstDealer(
    choices=(
        Choice(FIRST, _FIRST_HAND, played_with_22),
        Choice(SPLIT, _SPLIT_HAND, played_with_22),
        Choice(Ending.SURRENDERED, _FIRST_HAND, surrendered),
        Choice(Ending.EVEN_MONEY, _FIRST_HAND, even_money),
    ),
    dealer=Reading("dealer's hand", 2, Sees.RANKS, dealers_hand_with_22),
)


@rule("blackjack 8.14")
def doubled_original(
    played_out: Callable[[int | str, int | str], Outcome], player: int | str, dealer: int | str
) -> Outcome:
    """A doubled hand that holds the original bet: a dealer's blackjack takes that half, even of a hand that is bust."""
    return ORIGINAL_BET if dealer == BLACKJACK else played_out(player, dealer)


@rule("blackjack 8.14")
def added_bet(played_out: Callable[[int | str, int | str], Outcome], player: int | str, dealer: int | str) -> Outcome:
    """A hand that a split has added: a dealer's blackjack gives its wager back, even of a hand that is bust."""
    return PUSH if dealer == BLACKJACK else played_out(player, dealer)


DOUBLED_ORIGINAL, ADDED = "doubled original bet", "added by a split"


def bet_under(rules: Rules) -> Wager:
    """The Bet as these rules judge it; what a blackjack pays is added by whoever posts it."""
    bet = replace(BET, basis=_WITH_22) if rules.push_22 else BET
    bet = _with_naturals(bet, rules) if rules.blackjack_wins or rules.diamond_blackjack else bet
    bet = _with_charlies(bet) if rules.charlie else bet
    bet = _with_bonus_21(bet) if rules.bonus_21 else bet
    return _with_original_bets(bet) if rules.original_bets_only else bet


@rule("blackjack 8.15")
def charlie_hand(_: int | str, dealer: int | str) -> Outcome:
    """So many cards have won against whatever the dealer has but a blackjack."""
    return LOSE if dealer == BLACKJACK else WON_CHARLIE


def _with_charlies(bet: Wager) -> Wager:
    """The same where a hand wins by the number of its cards."""
    return _with_choices(bet, [Choice(Ending.CHARLIE, _SPLIT_HAND, charlie_hand)], WON_CHARLIE, "1 to 1")


@rule("blackjack 8.18")
def bonus_hand(_: int | str, dealer: int | str) -> Outcome:
    """A 21 of many cards has won against whatever the dealer has but a blackjack."""
    return LOSE if dealer == BLACKJACK else WON_BONUS_21


def _with_bonus_21(bet: Wager) -> Wager:
    """The same where a 21 of many cards wins more than others."""
    return _with_choices(bet, [Choice(Ending.BONUS_21, _SPLIT_HAND, bonus_hand)], WON_BONUS_21, "2 to 1")


def _with_choices(bet: Wager, choices: Iterable[Choice], outcome: Outcome, pays: str) -> Wager:
    """The Bet with more ways to judge a hand, and what the outcome is paid that they add."""
    assert isinstance(bet.basis, AgainstDealer)
    [spot] = bet.spots
    assert spot.rules is not None
    return replace(
        bet,
        basis=replace(bet.basis, choices=(*bet.basis.choices, *choices)),
        outcomes=(*bet.outcomes, outcome),
        spots=(replace(spot, rules=Paytable.parse(spot.rules.name, f"{spot.rules}\n{outcome.label}  {pays}")),),
    )


@rule("blackjack 8.16", "blackjack 8.17")
def natural_hand(
    played_out: Callable[[int | str, int | str], Outcome], wins: bool, player: int | str, dealer: int | str
) -> Outcome:
    """A first hand against the dealer's, where a blackjack wins against a blackjack, or pays more in diamonds."""
    held = BLACKJACK if player == DIAMONDS else player
    outcome = WON_BLACKJACK if wins and held == BLACKJACK else played_out(held, dealer)
    return WON_DIAMONDS if player == DIAMONDS and outcome is WON_BLACKJACK else outcome


def _with_naturals(bet: Wager, rules: Rules) -> Wager:
    """The same where a player's blackjack has a rule of its own."""
    assert isinstance(bet.basis, AgainstDealer)
    first, *others = bet.basis.choices
    reading = _FIRST_HAND_IN_SUITS if rules.diamond_blackjack else first.reading
    natural = Choice(FIRST, reading, partial(natural_hand, first.judge, rules.blackjack_wins))
    bet = replace(bet, basis=replace(bet.basis, choices=(natural, *others)))
    return _with_choices(bet, [], WON_DIAMONDS, "2 to 1") if rules.diamond_blackjack else bet


def _with_original_bets(bet: Wager) -> Wager:
    """The same where a blackjack without a hole card takes original bets only."""
    assert isinstance(bet.basis, AgainstDealer)
    first, split = (next(choice for choice in bet.basis.choices if choice.key == key) for key in (FIRST, SPLIT))
    choices = (
        Choice(DOUBLED_ORIGINAL, first.reading, partial(doubled_original, first.judge)),
        Choice(ADDED, split.reading, partial(added_bet, split.judge)),
    )
    return _with_choices(bet, choices, ORIGINAL_BET, "1 for 2")


def choice_of(hands: tuple[PlayerHand, ...], place: int, rules: Rules) -> str:
    """Under which of the Bet's readings a hand of a seat is judged."""
    hand = hands[place]
    if rules.original_bets_only and hand.choice in (FIRST, SPLIT):
        if place:
            return ADDED
        if hand.doubled:
            return DOUBLED_ORIGINAL
    return hand.choice


# Paragraphs that are cited by the card or the hand, and not by an outcome or the kind of an event alone

FIRST_CARD, SECOND_CARD, HOLE_CARD, UP_CARD = "3.3", "3.4", "3.5", "3.3"
DRAWN, DOUBLED, OF_A_SPLIT, TURNED_UP, DEALER_DRAWS = "6.6", "6.7", "6.13", "7.1", "7.2"
ZAPPED = "20.2"
BUST_HAND, BY_BLACKJACK, BOTH_BLACKJACK, AFTER_CHECK, BY_22 = "8.6", "8.8", "8.9", "5.5", "8.13"
WON_AGAINST_BLACKJACK = "8.16"
ALSO_CITED = frozenset({FIRST_CARD, SECOND_CARD, HOLE_CARD, DRAWN, DOUBLED, OF_A_SPLIT, TURNED_UP, DEALER_DRAWS}) | {
    BUST_HAND,
    BY_BLACKJACK,
    BOTH_BLACKJACK,
    BY_22,
    WON_AGAINST_BLACKJACK,
}
"""What is cited by the card or the hand, and not by an event's kind or an outcome alone."""


def card_cites(hand: PlayerHand, dealt: int) -> str:
    """A card for a hand of a seat that had so many: the first two, one that was asked for, a split hand's second."""
    if dealt < 2:
        return SECOND_CARD if dealt else FIRST_CARD
    if hand.zapped and not hand.from_split and len(hand.cards) < 2:
        return ZAPPED
    if len(hand.cards) == 1:
        return OF_A_SPLIT
    return DOUBLED if hand.doubled else DRAWN


def hand_cites(hand: PlayerHand, dealer: Hand, outcome: Outcome) -> str:
    """Why the same result came: a bust, the dealer's blackjack, blackjack against blackjack."""
    if outcome is LOSE and hand.ending is Ending.BUST:
        return BUST_HAND
    if outcome is LOSE and is_blackjack(dealer) and (hand.is_left or hand.ending is Ending.BLACKJACK):
        return BY_BLACKJACK
    if outcome is PUSH and hand.ending is Ending.BLACKJACK:
        return BOTH_BLACKJACK
    if outcome is WON_BLACKJACK and is_blackjack(dealer):
        return WON_AGAINST_BLACKJACK
    if outcome is PUSH and count(map(value, dealer)).total == BUST:
        return BY_22
    return outcome.cites
