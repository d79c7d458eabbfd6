"""The side wagers that ride on blackjack: King's Bounty, Bet the Bust, Blazing 7's, TriLux, and insurance."""

from __future__ import annotations

from croupier.cards.card import Card, Hand, Rank, Suit
from croupier.games.blackjack.rules import count
from croupier.games.paytable import Paytable
from croupier.games.poker import straight_top
from croupier.games.wager import Fact, OnDeal, Outcome, Spot, Wager

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


# Insurance

DEALER_BLACKJACK = Outcome("Dealer has blackjack")
NO_BLACKJACK = Outcome("Dealer has no blackjack")


def insurance(_: Hand, dealer_blackjack: bool) -> Outcome:
    return DEALER_BLACKJACK if dealer_blackjack else NO_BLACKJACK


INSURANCE = Wager(
    "insurance",
    "Insurance",
    OnDeal(Fact.DEALER_BLACKJACK, insurance),
    outcomes=(DEALER_BLACKJACK, NO_BLACKJACK),
    paytables={"1": Paytable.parse("Insurance 1", "Dealer has blackjack   2 to 1")},
    spots=(Spot("insurance", "Insurance", wins="4.4", loses="4.4", turn="4.5", plain=True),),
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


KINGS_BOUNTY = Wager(
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


BET_THE_BUST = Wager(
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
)


# Blazing 7's Progressive

THREE_SEVENS = Outcome("Three 7's")
SAME_COLOR = Outcome("Three 7's - Same Color", pays_as=THREE_SEVENS)
SUITED_SEVENS = Outcome("Three 7's - Suited (Other)", pays_as=SAME_COLOR, also=("Three 7's - Same Suit",))
DIAMOND_SEVENS = Outcome("Three 7's - Diamonds", pays_as=SUITED_SEVENS, also=("Three 7's - Same Suit",))
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

BLAZING_DEALER = Wager(
    "blazing-7s-dealer",
    "Blazing 7's Progressive, dealer's up card",
    OnDeal(Fact.UP_CARD, blazing_sevens),
    outcomes=SEVENS,
    paytables=_BLAZING_TABLES,
    spots=(Spot("blazing-7s-dealer", "Blazing 7's", wins="11.12", loses="11.1", turn="11.16"),),
)
BLAZING_PLAYER = Wager(
    "blazing-7s-player",
    "Blazing 7's Progressive, player's cards only",
    OnDeal(Fact.THIRD_CARD, blazing_sevens),
    outcomes=SEVENS,
    paytables=_BLAZING_TABLES,
    spots=(Spot("blazing-7s-player", "Blazing 7's", wins="11.12", loses="11.1", turn="8.11"),),
)


# TriLux Blackjack Progressive

FLUSH = Outcome("Flush")
STRAIGHT = Outcome("Straight")
TRIPS_OFFSUIT = Outcome("Three of a Kind (Offsuit)")
STRAIGHT_FLUSH = Outcome("Straight Flush")
TRIPS_SUITED = Outcome("Three of a Kind (Suited)")
ACES_SUITED = Outcome("Three Aces (Suited)", pays_as=TRIPS_SUITED)
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


TRILUX = Wager(
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
)

PROGRESSIVES = {wager.key: wager for wager in (BLAZING_DEALER, BLAZING_PLAYER, TRILUX)}
SIDE_WAGERS = (INSURANCE, KINGS_BOUNTY, BET_THE_BUST, *PROGRESSIVES.values())
