"""Three Card Baccarat: three cards each, the higher baccarat rank wins; three bonus wagers ride on the cards."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from croupier.cards.card import Card, Hand, Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.felt import BOX, DIAMOND, HEXAGON, Felt
from croupier.games.game import Handled, Part, Texts
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Paytable
from croupier.games.rulebook import rule
from croupier.games.table.history import CLOSE, DEAL, REVEAL, SETTLE
from croupier.games.table.questions import Kind, Question, Typed, wrong_number
from croupier.games.wager import AgainstDealer, Choice, OnHand, Outcome, Reading, Spot, Wager

THREE_FACES, THREE_KINGS = 30, 31


@rule("three-card-baccarat 2.1")
def value(card: Card) -> int:
    """Ace one, 2 to 9 their number, tens and faces nothing."""
    if card.rank is Rank.ACE:
        return 1
    return int(card.rank) if card.rank < Rank.TEN else 0


@rule("three-card-baccarat 2.2")
def points(hand: Hand) -> int:
    return sum(map(value, hand)) % 10


@rule("three-card-baccarat 2.3")
def faces(hand: Hand) -> int:
    """Jacks, queens and kings; a ten is no face card."""
    return sum(Rank.JACK <= card.rank <= Rank.KING for card in hand)


@rule(*(f"three-card-baccarat 2.{n}" for n in range(4, 11)))
def rank(hand: Hand) -> int:
    """0 (no points, no faces) to 31 (three kings): points first, then faces; three faces on top."""
    if all(card.rank is Rank.KING for card in hand):
        return THREE_KINGS
    face_cards = faces(hand)
    return THREE_FACES if face_cards == 3 else points(hand) * 3 + face_cards


RANK = Reading("baccarat rank", 3, Sees.RANKS, rank)

WIN = Outcome("Player wins", cites="4.3")
TIE = Outcome("Tie", cites="4.5")
LOSE = Outcome("Dealer wins", cites="4.4")


@rule("three-card-baccarat 4.2", "three-card-baccarat 4.4", "three-card-baccarat 4.5")
def against_dealer(player_rank: int, dealer_rank: int) -> Outcome:
    if player_rank == dealer_rank:
        return TIE
    return WIN if player_rank > dealer_rank else LOSE


BET = Wager(
    "bet",
    "Bet against the dealer",
    AgainstDealer((Choice("deal", RANK, against_dealer),), dealer=RANK),
    outcomes=(WIN, TIE, LOSE),
    paytables={"1": Paytable.parse("Bet 1", "Player wins   1 to 1 less 5%")},
    spots=(Spot("bet", "Bet", Paytable.parse("Bet", "Tie   push"), turn="8.2"),),
    mandatory=True,
)

KINGS = Outcome("Three Kings")
FACE_CARDS = Outcome("Three Face Cards")
NINE = Outcome("Any 9")
EIGHT = Outcome("Any 8")
SEVEN_OR_LESS = Outcome("7 or less")


@rule("three-card-baccarat 5.1", "three-card-baccarat 5.3", "three-card-baccarat 5.4")
def kings_bonus(hand: Hand) -> Outcome:
    hand_rank = rank(hand)
    if hand_rank >= THREE_FACES:
        return KINGS if hand_rank == THREE_KINGS else FACE_CARDS
    return {9: NINE, 8: EIGHT}.get(points(hand), SEVEN_OR_LESS)


KINGS_BONUS = Wager(
    "kings-bonus",
    "King's Bonus",
    OnHand(Reading("King's Bonus line", 3, Sees.RANKS, kings_bonus)),
    outcomes=(KINGS, FACE_CARDS, NINE, EIGHT, SEVEN_OR_LESS),
    paytables={
        "1": Paytable.parse(
            "King's Bonus 1",
            """
            Three Kings        50 to 1
            Three Face Cards   25 to 1
            Any 9              3 to 1
            Any 8              2 to 1""",
        )
    },
    spots=(Spot("kings-bonus", "King's Bonus", wins="5.3", loses="5.5", turn="8.2"),),
)


class TieHand(NamedTuple):
    """What the Tie wager looks at."""

    points: int
    """0 to 9, and 10 for three face cards, which are a rank of their own."""
    faces: int
    ranks: tuple[Rank, ...]


@rule("three-card-baccarat 6.5", "three-card-baccarat 6.6")
def tie_hand(hand: Hand) -> TieHand:
    face_cards = faces(hand)
    own_points = 10 if face_cards == 3 else points(hand)
    return TieHand(own_points, face_cards, tuple(sorted(card.rank for card in hand)))


COPY = Outcome("3 Card Copy")
TRUE_TIE = Outcome("Point+Face Tie")
POINT_TIE = Outcome("Point Tie")
NO_TIE = Outcome("No tie")


@rule(*(f"three-card-baccarat 6.{n}" for n in range(1, 5)))
def tie(player: TieHand, dealer: TieHand) -> Outcome:
    if player.points != dealer.points:
        return NO_TIE
    if player.ranks == dealer.ranks:
        return COPY
    return TRUE_TIE if player.faces == dealer.faces else POINT_TIE


TIE_HAND = Reading("points, faces and ranks", 3, Sees.RANKS, tie_hand)

TIE_WAGER = Wager(
    "tie",
    "Tie",
    AgainstDealer((Choice("deal", TIE_HAND, tie),), dealer=TIE_HAND),
    outcomes=(COPY, TRUE_TIE, POINT_TIE, NO_TIE),
    paytables={
        "1": Paytable.parse(
            "Tie 1",
            """
            3 Card Copy      50 to 1
            Point+Face Tie   10 to 1
            Point Tie        7 to 1""",
        )
    },
    spots=(Spot("tie", "Tie", wins="6.7", loses="6.8", turn="8.2"),),
)

WIN_BY = {
    10: Outcome("Win by 10", note="three face cards against a dealer's 0"),
    **{margin: Outcome(f"Win by {margin}") for margin in range(9, 4, -1)},
}
NOT_BY_FIVE = Outcome("Win by 4 or less, tie or loss")


class DragonHand(NamedTuple):
    """What the Dragon Bonus looks at: plain mini-baccarat points."""

    points: int
    three_faces: bool


@rule("three-card-baccarat 7.2")
def dragon_hand(hand: Hand) -> DragonHand:
    return DragonHand(points(hand), three_faces=faces(hand) == 3)


@rule("three-card-baccarat 7.1", "three-card-baccarat 7.3")
def dragon_bonus(player: DragonHand, dealer: DragonHand) -> Outcome:
    if player.three_faces and dealer.points == 0 and not dealer.three_faces:
        return WIN_BY[10]
    return WIN_BY.get(player.points - dealer.points, NOT_BY_FIVE)


DRAGON_HAND = Reading("points and three faces", 3, Sees.RANKS, dragon_hand)

DRAGON_BONUS = Wager(
    "dragon-bonus",
    "Dragon Bonus",
    AgainstDealer((Choice("deal", DRAGON_HAND, dragon_bonus),), dealer=DRAGON_HAND),
    outcomes=(*WIN_BY.values(), NOT_BY_FIVE),
    paytables={
        "1": Paytable.parse(
            "Dragon Bonus 1",
            """
            Win by 10   50 to 1
            Win by 9    20 to 1
            Win by 8    10 to 1
            Win by 7    5 to 1
            Win by 6    3 to 1
            Win by 5    1 to 1""",
        )
    },
    spots=(Spot("dragon-bonus", "Dragon Bonus", wins="7.4", loses="7.5", turn="8.2"),),
)


@rule("three-card-baccarat 7.7")
def dragon_points(hand: Hand) -> int:
    """The other reading: three face cards count ten, the player's and the dealer's."""
    return 10 if faces(hand) == 3 else points(hand)


@rule("three-card-baccarat 7.7")
def dragon_bonus_of_ten(player: int, dealer: int) -> Outcome:
    return WIN_BY.get(player - dealer, NOT_BY_FIVE)


DRAGON_POINTS = Reading("points, three faces ten", 3, Sees.RANKS, dragon_points)
DRAGON_BONUS_OF_TEN = replace(
    DRAGON_BONUS, basis=AgainstDealer((Choice("deal", DRAGON_POINTS, dragon_bonus_of_ten),), dealer=DRAGON_POINTS)
)
FACES_COUNT_TEN = "faces-count-ten"


def _describe(hand: Hand, choice: str | None = None) -> str:
    hand_rank = rank(hand)
    if hand_rank >= THREE_FACES:
        return "three kings" if hand_rank == THREE_KINGS else "three face cards"
    total, face_cards = points(hand), faces(hand)
    return (
        f"{total} point{'' if total == 1 else 's'} "
        f"with {('no face cards', 'one face card', 'two face cards')[face_cards]}"
    )


def _counts(hand: Hand) -> Question:
    """Asked of whoever turns up the dealer's cards."""
    ask = "How many points does the dealer have?"
    return Question(Kind.COUNT, ask, (str(points(hand)),), "2.2", typed=Typed.NUMBER, seen=hand)


GAME = Game(
    "three-card-baccarat",
    "Three Card Baccarat",
    document="003",
    packet_cards=3,
    seats=7,
    wagers=(BET, KINGS_BONUS, TIE_WAGER, DRAGON_BONUS),
    settling_order=("bet", "kings-bonus", "tie", "dragon-bonus"),
    describe=_describe,
    describe_dealer=_describe,
    texts=Texts(
        about=(
            "Three cards against three, by points and then by face cards. Nothing to decide once the wagers are down."
        ),
        how=(
            "Put a chip on Bet; the other wagers are extra. You and the dealer get three cards each, and there is "
            "nothing to decide. Points are the last digit of the sum: an ace is 1, tens and face cards are "
            "nothing. More points win; with equal points more face cards do. Three face cards beat every other "
            "hand, and three kings beat those. A winning Bet is paid 1 to 1 less a commission."
        ),
        deal="Points and face cards, the commission on every winning Bet, and three bonus wagers.",
    ),
    felt=Felt(
        color="midnight",
        above="Three kings  ✦  Three face cards  ✦  Nine",
        below="Equal hands push",
        shapes={"bet": BOX, "tie": DIAMOND, "dragon-bonus": HEXAGON},
        squeezed=True,
    ),
    asks=(_counts,),
    sample=parse_cards("Kh Ks 9d"),
    parts=(
        Part(CLOSE, "Call “No more bets”", "c", "3.1"),
        Part(DEAL, "Deal the packets", "d", "3.2"),
        Part(REVEAL, "Turn up the dealer's cards", "t", "3.5"),
        Part(SETTLE, "Pay and take", "s", "8.1"),
    ),
    handling=(
        Handled(
            CLOSE,
            Kind.HANDLE,
            "To which mode was the shuffler set for this game?",
            "Three Card Baccarat or Three Card Poker",
            ("Two packets of three, as in mini-baccarat", "One card at a time"),
            "3.6",
        ),
        wrong_number(DEAL, "9.1", "a packet"),
    ),
    cites={"no-more-bets": "3.1", "deal": "3.2", "reveal": "3.5", "void": "9.2"}
    | {"to-seat": "3.3", "to-dealer": "3.4", "from-the-right": "8.1"},
    options={FACES_COUNT_TEN: "in the Dragon Bonus three face cards count ten, the player's and the dealer's"},
    readings={FACES_COUNT_TEN: (DRAGON_BONUS, DRAGON_BONUS_OF_TEN)},
)
