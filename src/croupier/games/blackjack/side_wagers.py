"""The side wagers that ride on blackjack, each defined here and nowhere else.

A definition says what the wager looks at, how it can end, what that pays, by which paragraphs, and with how many decks
it goes. When it is settled, what is counted of it, how it is sampled, and where it is offered, follow from that: a new
one is added here, to `SIDE_WAGERS`, and to the rulebook.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from croupier.cards.card import DECK, Card, Hand, Rank, Suit
from croupier.cards.symmetry import Sees
from croupier.games.blackjack.rules import ACE, DECKS, TEN, count
from croupier.games.paytable import Paytable
from croupier.games.poker import straight_top
from croupier.games.rulebook import rule
from croupier.games.tabulate import PLAYED_OUT, priced_digest, rules_digest
from croupier.games.wager import Alike, Fact, OnDeal, Outcome, Reading, Spot, Wager

BUST = 22
"""Any dealer's total above 21."""
RED = (Suit.DIAMONDS, Suit.HEARTS)


def value(card: Card) -> int:
    """Ace one, tens and faces ten."""
    return 1 if card.rank is Rank.ACE else min(int(card.rank), 10)


def is_blackjack(cards: Hand) -> bool:
    """An ace and a ten-value card as the first two."""
    return len(cards) == 2 and count(map(value, cards)).total == 21


def _same(cards: Hand) -> tuple[bool, bool]:
    """Whether the cards are of one rank, and of one suit."""
    return len({card.rank for card in cards}) == 1, len({card.suit for card in cards}) == 1


@dataclass(frozen=True, eq=False)
class SideWager(Wager):
    """A wager beside the Bet."""

    decks: tuple[int, ...] = DECKS
    """With how many it is offered."""
    later: bool = False
    """Whether it is made once cards are out."""
    caps: bool = False
    """Whether its proceeds, what was won and the wager itself, may be put on the Bet after the dealer's check."""
    host: str = ""
    """The title under which a table that offers it hosts a progressive, as document 000 names it."""
    optional: bool = True
    """Whether a house offers it only where it says so; insurance goes by the rules, INS or NOINS."""

    def digest(self, paytable: Paytable, decks: int) -> str:
        """SHA-256 over its rules and what it pays, with so many decks."""
        rules = [decks, rules_digest(self), *(["caps"] if self.caps else [])]
        return priced_digest(self, paytable, "blackjack", rules)

    @property
    def on(self) -> OnDeal:
        assert isinstance(self.basis, OnDeal)
        return self.basis

    @property
    @rule("blackjack 9.7", "blackjack 11.16", "blackjack 12.8")
    def early(self) -> bool:
        """Whether the initial cards settle it, but for what `hangs` on the dealer's second card."""
        return not self.later and self.on.fact not in (Fact.THIRD_CARD, Fact.DEALER_TOTAL, Fact.DEALER_HAND)

    def could_be(self, two: Hand, up: Card) -> set[Outcome]:
        """How it can end with these first cards, whatever the dealer's second card is."""
        match self.on.fact:
            case Fact.DEALER_BLACKJACK:
                facts: set[object] = {False, True} if value(up) in (ACE, TEN) else {False}
            case Fact.DEALERS_TWO:
                assert self.on.dealers is not None
                facts = {self.on.dealers((up, second)) for second in DECK}
            case _:
                return set()
        return {self.on.judge(two, fact) for fact in facts}


# Insurance

DEALER_BLACKJACK = Outcome("Dealer has blackjack")
NO_BLACKJACK = Outcome("Dealer has no blackjack")


def insurance(_: Hand, dealer_blackjack: bool) -> Outcome:
    return DEALER_BLACKJACK if dealer_blackjack else NO_BLACKJACK


INSURANCE = SideWager(
    "insurance",
    "Insurance",
    OnDeal(Fact.DEALER_BLACKJACK, insurance),
    outcomes=(DEALER_BLACKJACK, NO_BLACKJACK),
    paytables={"1": Paytable.parse("Insurance 1", "Dealer has blackjack   2 to 1")},
    spots=(Spot("insurance", "Insurance", wins="4.4", loses="4.4", turn="4.5", plain=True),),
    later=True,
    optional=False,
)


# King's Bounty

UNSUITED_20 = Outcome("Unsuited 20")
TWO_KINGS = Outcome("2 Kings", pays_as=UNSUITED_20)
SUITED_20 = Outcome("Suited 20")
SUITED_TENS = Outcome("2 Suited Queens, Jacks or 10s", pays_as=SUITED_20)
SUITED_KINGS = Outcome("2 Suited Kings", pays_as=SUITED_20)
KINGS_OF_SPADES = Outcome("2 Kings of Spades", pays_as=SUITED_KINGS)
KINGS_AND_BLACKJACK = Outcome("2 Kings of Spades + Dealer BJ", pays_as=KINGS_OF_SPADES)
NO_20 = Outcome("No 20")


def kings_bounty(two: Hand, dealer_blackjack: bool) -> Outcome:
    """The player's first two cards; the dealer's matters only to two kings of spades."""
    if count(map(value, two)).total != 20:
        return NO_20
    one_rank, one_suit = _same(two)
    kings = one_rank and two[0].rank is Rank.KING
    if not one_suit:
        return TWO_KINGS if kings else UNSUITED_20
    if not kings:
        return SUITED_TENS if one_rank else SUITED_20
    if two[0].suit is not Suit.SPADES:
        return SUITED_KINGS
    return KINGS_AND_BLACKJACK if dealer_blackjack else KINGS_OF_SPADES


KINGS_BOUNTY = SideWager(
    "kings-bounty",
    "King's Bounty",
    OnDeal(Fact.DEALER_BLACKJACK, kings_bounty),
    outcomes=(
        *(KINGS_AND_BLACKJACK, KINGS_OF_SPADES, SUITED_KINGS, SUITED_TENS, SUITED_20, TWO_KINGS),
        *(UNSUITED_20, NO_20),
    ),
    paytables={
        "KB01": Paytable.parse(
            "King's Bounty KB01",
            """
            2 Kings of Spades + Dealer BJ   1,000 to 1
            2 Kings of Spades               100 to 1
            2 Suited Kings                  30 to 1
            2 Suited Queens, Jacks or 10s   20 to 1
            Suited 20                       9 to 1
            2 Kings                         6 to 1
            Unsuited 20                     4 to 1""",
        )
    },
    spots=(Spot("kings-bounty", "King's Bounty", wins="9.3", loses="9.6", turn="9.7"),),
    host="King's Bounty",
    decks=(1, 2, 4, 6, 8),
)


# Bet the Bust

UP_CARDS = ("Ace", *(str(number) for number in range(2, 10)), "10 Value Cards")
BUSTS = {up: Outcome(name) for up, name in enumerate(UP_CARDS, start=1)}
MADE = Outcome("Dealer makes the hand")
NOBODY_LEFT = Outcome("Nobody is left to play against", cites="10.11")


def bet_the_bust(up: Hand, dealer_total: int | None) -> Outcome:
    """The line is the dealer's up card where the dealer busts."""
    if dealer_total is None:
        return NOBODY_LEFT
    return BUSTS[value(up[0])] if dealer_total >= BUST else MADE


def _bust_table(name: str, ace: str) -> Paytable:
    return Paytable.parse(
        f"Bet the Bust {name}",
        f"""
        Ace              {ace}
        2                3 to 2
        3                3 to 2
        4                1 to 1
        5                1 to 1
        6                1 to 1
        7                5 to 2
        8                3 to 1
        9                3 to 1
        10 Value Cards   3 to 1""",
    )


BET_THE_BUST = SideWager(
    "bet-the-bust",
    "Bet the Bust",
    OnDeal(Fact.DEALER_TOTAL, bet_the_bust),
    outcomes=(*BUSTS.values(), MADE, NOBODY_LEFT),
    paytables={"1": _bust_table("1", "7 to 2"), "2": _bust_table("2", "9 to 2")},
    spots=(
        Spot(
            "bet-the-bust",
            "Bet the Bust",
            Paytable.parse("Bet the Bust", f"{NOBODY_LEFT}   push"),
            wins="10.9",
            loses="10.10",
            pays="10.12",
            turn="8.11",
            plain=True,
        ),
    ),
    rows_are="Dealer's up card",
    row_says="Up card {row}",
    table_by_rules=True,
    decks=(1, 2, 6, 8),
    later=True,
)


# Blazing 7's Progressive

_ONE_SUIT = ("Three 7's - Same Suit",)
THREE_SEVENS = Outcome("Three 7's", cards="7s 7h 7c")
SAME_COLOR = Outcome("Three 7's - Same Color", pays_as=THREE_SEVENS, cards="7h 7d 7h")
SUITED_SEVENS = Outcome("Three 7's - Suited (Other)", pays_as=SAME_COLOR, also=_ONE_SUIT, cards="7s 7s 7s")
DIAMOND_SEVENS = Outcome("Three 7's - Diamonds", pays_as=SUITED_SEVENS, also=_ONE_SUIT, cards="7d 7d 7d")
TWO_SEVENS = Outcome("First Two Cards - 7", also=("First Two Cards - 7's",))
ONE_SEVEN = Outcome("Either of the First Two Cards - 7")
NO_SEVEN = Outcome("No 7 in the first two cards")
SEVENS = (DIAMOND_SEVENS, SUITED_SEVENS, SAME_COLOR, THREE_SEVENS, TWO_SEVENS, ONE_SEVEN, NO_SEVEN)


def blazing_sevens(two: Hand, third: Card | None) -> Outcome:
    """Sevens in the first two cards; with two of them the third card counts: the dealer's up card or the player's."""
    sevens = (two[0].rank is Rank.SEVEN) + (two[1].rank is Rank.SEVEN)
    if sevens < 2:
        return ONE_SEVEN if sevens else NO_SEVEN
    if third is None or third.rank is not Rank.SEVEN:
        return TWO_SEVENS
    suits = {card.suit for card in (*two, third)}
    if suits == {Suit.DIAMONDS}:
        return DIAMOND_SEVENS
    if len(suits) == 1:
        return SUITED_SEVENS
    return SAME_COLOR if len({suit in RED for suit in suits}) == 1 else THREE_SEVENS


def _blazing_table(name: str, *top: str) -> Paytable:
    fixed = ("Three 7's  200 for 1", "First Two Cards - 7  25 for 1", "Either of the First Two Cards - 7  2 for 1")
    return Paytable.parse(f"Blazing 7's {name}", "\n".join((*top, *fixed)))


_IN_THE_PLURAL = {TWO_SEVENS.label: "First Two Cards - 7's"}
"""How document 000 prints that hand on the tables with several meters; the other two have it in the singular."""

_BLAZING_TABLES = {
    "1": _blazing_table("1", "Three 7's - Same Suit  100%", "Three 7's - Same Color  10%"),
    "2": _blazing_table(
        *("2", "Three 7's - Diamonds  100%", "Three 7's - Suited (Other)  10%", "Three 7's - Same Color  500 for 1")
    ),
    "ML03": _blazing_table(
        *("ML03", "Three 7's - Diamonds  100% Mega", "Three 7's - Suited (Other)  100% Major"),
        "Three 7's - Same Color  100% Minor",
    ).printing(_IN_THE_PLURAL),
    "ML04": _blazing_table(
        *("ML04", "Three 7's - Diamonds  100% Major", "Three 7's - Suited (Other)  100% Minor"),
        "Three 7's - Same Color  500 for 1",
    ).printing(_IN_THE_PLURAL),
}

BLAZING_DEALER = SideWager(
    "blazing-7s-dealer",
    "Blazing 7's Progressive, dealer's up card",
    OnDeal(Fact.UP_CARD, blazing_sevens),
    outcomes=SEVENS,
    paytables=_BLAZING_TABLES,
    spots=(Spot("blazing-7s-dealer", "Blazing 7's", wins="11.12", loses="11.1", turn="11.16"),),
    decks=(6, 8),
)
BLAZING_PLAYER = SideWager(
    "blazing-7s-player",
    "Blazing 7's Progressive, player's cards only",
    OnDeal(Fact.THIRD_CARD, blazing_sevens),
    outcomes=SEVENS,
    paytables=_BLAZING_TABLES,
    spots=(Spot("blazing-7s-player", "Blazing 7's", wins="11.12", loses="11.1", turn="8.11"),),
    decks=(6, 8),
)


# TriLux Blackjack Progressive

FLUSH = Outcome("Flush")
STRAIGHT = Outcome("Straight")
TRIPS_OFFSUIT = Outcome("Three of a Kind (Offsuit)")
STRAIGHT_FLUSH = Outcome("Straight Flush")
TRIPS_SUITED = Outcome("Three of a Kind (Suited)")
ACES_SUITED = Outcome("Three Aces (Suited)", pays_as=TRIPS_SUITED, cards="As As As")
NOTHING = Outcome("Nothing")


def trilux(two: Hand, up: Card) -> Outcome:
    """The player's first two cards and the dealer's up card as a three-card hand; straights run A-2-3 to Q-K-A."""
    first, second = two
    one_suit = first.suit is second.suit is up.suit
    if first.rank is second.rank is up.rank:
        if not one_suit:
            return TRIPS_OFFSUIT
        return ACES_SUITED if up.rank is Rank.ACE else TRIPS_SUITED
    if straight_top((first.rank, second.rank, up.rank), length=3):
        return STRAIGHT_FLUSH if one_suit else STRAIGHT
    return FLUSH if one_suit else NOTHING


TRILUX = SideWager(
    "trilux",
    "TriLux Blackjack Progressive",
    OnDeal(Fact.UP_CARD, trilux),
    outcomes=(ACES_SUITED, TRIPS_SUITED, STRAIGHT_FLUSH, TRIPS_OFFSUIT, STRAIGHT, FLUSH, NOTHING),
    paytables={
        "6": Paytable.parse(
            "TriLux 6",
            """
            Three Aces (Suited)         100%
            Three of a Kind (Suited)    125 for 1
            Straight Flush              25 for 1
            Three of a Kind (Offsuit)   20 for 1
            Straight                    7 for 1
            Flush                       5 for 1""",
        )
    },
    spots=(Spot("trilux", "TriLux", wins="12.5", loses="12.6", turn="12.8"),),
    decks=(6, 8),
)


# Bet the Set 21

PAIR = Outcome("Pair")
SUITED_PAIR = Outcome("Suited Pair", pays_as=PAIR)
NO_PAIR = Outcome("No pair")


@rule("blackjack 16.1", "blackjack 16.2", "blackjack 16.3")
def bet_the_set(two: Hand, _: None) -> Outcome:
    """Two cards of one rank; ten-value cards of different ranks are none."""
    one_rank, one_suit = _same(two)
    if not one_rank:
        return NO_PAIR
    return SUITED_PAIR if one_suit else PAIR


def _set_table(suited: int, other: int) -> Paytable:
    rows = f"Suited Pair   {suited} to 1\nPair   {other} to 1"
    return Paytable.parse(f"Bet the Set 21 {suited}-{other}", rows)


BET_THE_SET = SideWager(
    "bet-the-set",
    "Bet the Set 21",
    OnDeal(Fact.NOTHING, bet_the_set),
    outcomes=(SUITED_PAIR, PAIR, NO_PAIR),
    paytables={
        **{f"{pays[0]}-{pays[1]}": _set_table(*pays) for pays in ((15, 10), (20, 10), (12, 12), (25, 10))},
        "15": Paytable.parse("Bet the Set 21 15", "Pair   15 to 1"),
    },
    spots=(Spot("bet-the-set", "Bet the Set", wins="16.5", loses="16.4", turn="16.6"),),
    host="Bet the Set",
)


# Royal Match 21

EASY_MATCH = Outcome("Easy Match")
SUITED_BLACKJACK = Outcome("Suited Blackjack", pays_as=EASY_MATCH)
ROYAL_MATCH_MADE = Outcome("Royal Match", pays_as=EASY_MATCH)
CROWN_TREASURE = Outcome("Crown Treasure", pays_as=ROYAL_MATCH_MADE)
NO_MATCH = Outcome("No match")


@rule("blackjack 17.2", "blackjack 17.3")
def is_royal_match(two: Hand) -> bool:
    """A king and a queen of one suit: the player's, or the dealer's first two cards."""
    return _same(two)[1] and {card.rank for card in two} == {Rank.KING, Rank.QUEEN}


@rule("blackjack 17.1", "blackjack 17.2", "blackjack 17.3", "blackjack 17.4")
def royal_match(two: Hand, dealers: bool) -> Outcome:
    """Two cards of one suit; the dealer's matter only to a Royal Match."""
    if not _same(two)[1]:
        return NO_MATCH
    if is_royal_match(two):
        return CROWN_TREASURE if dealers else ROYAL_MATCH_MADE
    return SUITED_BLACKJACK if is_blackjack(two) else EASY_MATCH


ROYAL_MATCH = SideWager(
    "royal-match",
    "Royal Match 21",
    OnDeal(Fact.DEALERS_TWO, royal_match, Reading("a Royal Match of the dealer", 2, Sees.SUITS, is_royal_match)),
    outcomes=(CROWN_TREASURE, ROYAL_MATCH_MADE, SUITED_BLACKJACK, EASY_MATCH, NO_MATCH),
    paytables={
        "25": Paytable.parse("Royal Match 21 25", "Royal Match   25 to 1\nEasy Match   5 to 2"),
        "1000": Paytable.parse(
            "Royal Match 21 1000", "Crown Treasure   1,000 to 1\nRoyal Match   25 to 1\nEasy Match   5 to 2"
        ),
        "10": Paytable.parse("Royal Match 21 10", "Royal Match   10 to 1\nEasy Match   3 to 1"),
        "25-5": Paytable.parse(
            "Royal Match 21 25-5", "Royal Match   25 to 1\nSuited Blackjack   5 to 1\nEasy Match   5 to 2"
        ),
    },
    spots=(Spot("royal-match", "Royal Match", wins="17.6", loses="17.5", turn="17.7"),),
    host="Royal Match",
)


# TriLux Bonus

BONUS_FLUSH = Outcome("Flush")
BONUS_STRAIGHT = Outcome("Straight")
BONUS_TRIPS = Outcome("Three of a Kind")
BONUS_SUITED_TRIPS = Outcome("Suited Three of a Kind", pays_as=BONUS_TRIPS)
BONUS_STRAIGHT_FLUSH = Outcome("Straight Flush")
NO_BONUS = Outcome("No bonus")
_BONUS = {
    ACES_SUITED: BONUS_SUITED_TRIPS,
    TRIPS_SUITED: BONUS_SUITED_TRIPS,
    TRIPS_OFFSUIT: BONUS_TRIPS,
    STRAIGHT_FLUSH: BONUS_STRAIGHT_FLUSH,
    STRAIGHT: BONUS_STRAIGHT,
    FLUSH: BONUS_FLUSH,
    NOTHING: NO_BONUS,
}


@rule("blackjack 18.1", "blackjack 18.2")
def trilux_bonus(two: Hand, up: Card) -> Outcome:
    """The three-card hand that the progressive reads, with lines of its own."""
    return _BONUS[trilux(two, up)]


def _bonus_table(*pays: int) -> Paytable:
    name = str(pays[0]) if len(set(pays)) == 1 else "-".join(map(str, pays))
    rows = zip(("Straight Flush", "Three of a Kind", "Straight", "Flush"), pays, strict=True)
    return Paytable.parse(f"TriLux Bonus {name}", "\n".join(f"{row}   {pay} to 1" for row, pay in rows))


TRILUX_BONUS = SideWager(
    "trilux-bonus",
    "TriLux Bonus",
    OnDeal(Fact.UP_CARD, trilux_bonus),
    outcomes=(BONUS_SUITED_TRIPS, BONUS_STRAIGHT_FLUSH, BONUS_TRIPS, BONUS_STRAIGHT, BONUS_FLUSH, NO_BONUS),
    paytables={
        "8": _bonus_table(8, 8, 8, 8),
        "9": _bonus_table(9, 9, 9, 9),
        "25-15-8-5": _bonus_table(25, 15, 8, 5),
        "25-15-10-5": _bonus_table(25, 15, 10, 5),
    },
    spots=(Spot("trilux-bonus", "TriLux Bonus", wins="18.4", loses="18.3", turn="18.5"),),
    host="TriLux Blackjack",
)


# House Money

TWO_STRAIGHT = Outcome("Straight")
TWO_PAIR_UP = Outcome("Pair")
TWO_STRAIGHT_FLUSH = Outcome("Straight Flush")
SUITED_ACE_KING = Outcome("Suited A-K", pays_as=TWO_STRAIGHT_FLUSH)
NO_MONEY = Outcome("Nothing")


@rule("blackjack 19.1", "blackjack 19.2")
def house_money(two: Hand, _: None) -> Outcome:
    """A pair, or two cards next to each other, of which the ace is next to the king and to the two."""
    one_rank, one_suit = _same(two)
    if one_rank:
        return TWO_PAIR_UP
    ranks = {card.rank for card in two}
    if ranks == {Rank.ACE, Rank.KING} and one_suit:
        return SUITED_ACE_KING
    if straight_top(tuple(ranks), length=2):
        return TWO_STRAIGHT_FLUSH if one_suit else TWO_STRAIGHT
    return NO_MONEY


HOUSE_MONEY = SideWager(
    "house-money",
    "House Money",
    OnDeal(Fact.NOTHING, house_money),
    outcomes=(SUITED_ACE_KING, TWO_STRAIGHT_FLUSH, TWO_PAIR_UP, TWO_STRAIGHT, NO_MONEY),
    paytables={
        "9-4-3-1": Paytable.parse(
            "House Money 9-4-3-1", "Suited A-K   9 to 1\nStraight Flush   4 to 1\nPair   3 to 1\nStraight   1 to 1"
        )
    },
    spots=(Spot("house-money", "House Money", wins="19.4", loses="19.3", turn="19.5"),),
    caps=True,
    host="House Money",
)

# Super Match, of a seat with two hands

FOUR_ALIKE = Outcome("Four of a Kind")
TWO_PAIRS = Outcome("Two Pair")
THREE_ALIKE = Outcome("Three of a Kind")
ONE_PAIR = Outcome("Pair")
NO_PAIR = Outcome("No pair")
_MATCHES = {(4,): FOUR_ALIKE, (2, 2): TWO_PAIRS, (1, 3): THREE_ALIKE, (1, 1, 2): ONE_PAIR, (1, 1, 1, 1): NO_PAIR}


def _ranks(two: Hand) -> tuple[int, ...]:
    return tuple(sorted(int(card.rank) for card in two))


@rule("blackjack-switch 21.1", "blackjack-switch 21.2")
def super_match(two: Hand, other: tuple[int, ...]) -> Outcome:
    """Cards of one rank among the four of both hands, given the ranks of the other two."""
    alike = Counter((*_ranks(two), *other))
    return _MATCHES[tuple(sorted(alike.values()))]


SUPER_MATCH = SideWager(
    "super-match",
    "Super Match",
    OnDeal(Fact.OTHER_HAND, super_match, Reading("ranks of the other hand", 2, Sees.RANKS, _ranks)),
    outcomes=(FOUR_ALIKE, TWO_PAIRS, THREE_ALIKE, ONE_PAIR, NO_PAIR),
    paytables={
        "40-8-5-1": Paytable.parse(
            "Super Match 40-8-5-1",
            """
            Four of a Kind    40 to 1
            Two Pair          8 to 1
            Three of a Kind   5 to 1
            Pair              1 to 1""",
        ),
    },
    spots=(Spot("super-match", "Super Match", wins="21.3", loses="21.3", turn="21.4"),),
)


# Push 22, where a dealer's 22 pushes

ANY_22 = Outcome("Any 22")
COLOR_22 = Outcome("Same Color 22", pays_as=ANY_22)
SUITED_22 = Outcome("Suited 22", pays_as=COLOR_22)
NO_22 = Outcome("No 22")
_ON_22 = {Alike.NOT: ANY_22, Alike.COLOR: COLOR_22, Alike.SUIT: SUITED_22}


def how_alike(cards: Hand) -> Alike:
    """Whether the cards are of one suit, or else of one color."""
    if _same(cards)[1]:
        return Alike.SUIT
    return Alike.COLOR if len({card.suit in RED for card in cards}) == 1 else Alike.NOT


@rule("free-bet-blackjack 21.2", "free-bet-blackjack 21.3")
def dealers_hand(cards: Hand) -> tuple[int, Alike]:
    """What a wager on the dealer's whole hand looks at: 22 is told apart from all that is more."""
    return min(count(map(value, cards)).total, PLAYED_OUT[-1]), how_alike(cards)


@rule("free-bet-blackjack 21.2", "free-bet-blackjack 21.3", "free-bet-blackjack 21.5")
def push_22(_: Hand, dealer: tuple[int, Alike]) -> Outcome:
    """A dealer's hand of 22, better where all its cards agree."""
    total, alike = dealer
    return _ON_22[alike] if total == BUST else NO_22


PUSH_22 = SideWager(
    "push-22",
    "Push 22",
    OnDeal(Fact.DEALER_HAND, push_22),
    outcomes=(SUITED_22, COLOR_22, ANY_22, NO_22),
    paytables={
        "35-17-10": Paytable.parse(
            "Push 22 35-17-10", "Suited 22   35 to 1\nSame Color 22   17 to 1\nAny 22   10 to 1"
        ),
        "11": Paytable.parse("Push 22 11", "Any 22   11 to 1"),
    },
    spots=(Spot("push-22", "Push 22", wins="21.6", loses="21.5", turn="21.7"),),
)


PROGRESSIVES = {wager.key: wager for wager in (BLAZING_DEALER, BLAZING_PLAYER, TRILUX)}
SIDE_WAGERS = (
    *(INSURANCE, KINGS_BOUNTY, BET_THE_BUST, BET_THE_SET, ROYAL_MATCH, TRILUX_BONUS, HOUSE_MONEY),
    *PROGRESSIVES.values(),
)
"""In the order in which they are offered."""
OPTIONAL = frozenset(wager.key for wager in SIDE_WAGERS if wager.optional)
HOSTS = {wager.host: wager.key for wager in SIDE_WAGERS if wager.host}
"""By title of the approval: the side wager that makes blackjack this game."""
DECKS_OF = {wager.key: wager.decks for wager in SIDE_WAGERS if wager.optional}
