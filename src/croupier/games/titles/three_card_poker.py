"""Three Card Poker: three cards against the dealer's, who needs a queen; bonus wagers ride on the cards."""

from __future__ import annotations

from croupier.cards.card import Hand, Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.felt import DIAMOND, Felt
from croupier.games.game import Published, Texts, published
from croupier.games.poker import FiveCards, ThreeCards
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    by_line,
    fold,
    raised_on,
    reading,
    riding_on,
    showdown,
    spot,
)
from croupier.games.script.poker import six_line, three_line, three_strength
from croupier.games.table.history import DEAL
from croupier.games.table.questions import Question, whether_it_qualifies, wrong_number
from croupier.games.wager import Outcome

NOT_QUALIFIED = Outcome("Dealer does not qualify")
WINS, TIE, BEATEN = Outcome("Player wins"), Outcome("Tie"), Outcome("Dealer wins")
QUEEN_HIGH, QUEEN_SIX_FOUR = (0, Rank.QUEEN), (0, Rank.QUEEN, Rank.SIX, Rank.FOUR)


@reading(Sees.SUITS, say=lambda qualifies: "qualifies" if qualifies else "does not qualify")
def qualifies(hand: Hand) -> bool:
    """The dealer plays with a queen or better (three-card-poker 5.1)."""
    return bool(three_strength(hand) >= QUEEN_HIGH)


@showdown(
    three_strength.of(SEAT), three_strength.of(DEALER), qualifies.of(DEALER), ends=(NOT_QUALIFIED, WINS, TIE, BEATEN)
)
def against_dealer(order: int, qualified: bool) -> Outcome:
    if not qualified:
        return NOT_QUALIFIED
    return TIE if order == 0 else WINS if order > 0 else BEATEN


@reading(Sees.SUITS)
def kind(hand: Hand) -> str:
    """As a chart tells hands apart: by line, and below a pair by the highest card."""
    strength = three_strength(hand)
    if strength[0]:
        return three_line.say(three_line(hand))
    if strength[1] == Rank.QUEEN:
        return "Q-6-4 or better" if strength >= QUEEN_SIX_FOUR else "queen high, below Q-6-4"
    return f"{Rank(strength[1]).name.lower()} high"


line = by_line(three_line.of(SEAT), ThreeCards.ALL)
six = by_line(six_line.of(SEAT + DEALER), FiveCards.OR_LESS)


def _three(straight_flush: int, three: int, straight: int, flush: int, *, royal: int = 0) -> str:
    return f"""
        {f"Royal Flush  {royal} to 1" if royal else ""}
        Straight Flush  {straight_flush} to 1
        Three-of-a-Kind  {three} to 1
        Straight  {straight} to 1
        Flush  {flush} to 1
        Pair  1 to 1"""


def _six(four: int, full: int, flush: int, straight: int, three: int) -> str:
    return f"""
        Royal Flush  1,000 to 1
        Straight Flush  200 to 1
        Four-of-a-Kind  {four} to 1
        Full House  {full} to 1
        Flush  {flush} to 1
        Straight  {straight} to 1
        Three-of-a-Kind  {three} to 1"""


def _bonus(straight_flush: int, three: int) -> str:
    return f"Straight Flush  {straight_flush} to 1; Three-of-a-Kind  {three} to 1; Straight  1 to 1"


ANTE = spot(
    "Ante",
    against_dealer,
    """
    Dealer does not qualify  1 to 1 § 5.2
    Player wins  1 to 1 § 5.3
    Tie  push § 5.5
    Dealer wins  lose § 5.4
    Player folds  lose § 4.3""",
)
PLAY = spot(
    "Play",
    against_dealer,
    """
    Dealer does not qualify  push § 5.2
    Player wins  1 to 1 § 5.3
    Tie  push § 5.5
    Dealer wins  lose § 5.4""",
    raised_on(ANTE),
)
ANTE_BONUS = spot(
    "Ante Bonus",
    line,
    {"1": _bonus(5, 4), "2": _bonus(4, 3), "3": _bonus(3, 2), "4": _bonus(5, 3)},
    riding_on(ANTE),
    cites="6.2",
)
PAIR_PLUS = spot(
    "Pair Plus",
    line,
    {
        "1": _three(40, 30, 6, 4),
        "2": _three(40, 30, 5, 4),
        "3": _three(40, 30, 6, 3),
        "4": _three(40, 30, 6, 4, royal=50),
        "5": _three(40, 25, 6, 4),
        "6": _three(35, 25, 6, 4),
    },
    cites="7.3",
)
SIX_CARD_BONUS = spot(
    "6 Card Bonus",
    six,
    {
        "1": _six(50, 25, 20, 10, 5),
        "2": _six(50, 25, 15, 10, 5),
        "3": _six(100, 20, 15, 9, 8),
        "4": _six(100, 20, 15, 10, 7),
    },
    cites="8.3",
)

SCRIPT = (
    Deal(SEAT, 3, cites="3.2"),
    Deal(DEALER.down, 3, cites="3.3"),
    Choose(Choice("play", PLAY, cites="4.2"), fold(cites="4.3"), cites="4.1"),
    Show(DEALER, 3, cites="5.1"),
)


SOURCE = "wizardofodds.com/games/three-card-poker"
OF_RISK = "poker-corner.com/articles/364"
FROM_QUEEN_SIX_FOUR = "Q-6-4 or better"


def _from_queen_six_four(seen: Seen) -> str:
    return "play" if three_strength(seen[SEAT]) >= QUEEN_SIX_FOUR else "fold"


def _from_queen(seen: Seen) -> str:
    return "play" if three_strength(seen[SEAT]) >= QUEEN_HIGH else "fold"


def _ask_whether_it_qualifies(hand: Hand) -> Question:
    return whether_it_qualifies(hand, three_strength.say(three_strength(hand)), "5.1", qualifies=qualifies(hand))


GAME = ScriptGame(
    "three-card-poker",
    "Three Card Poker",
    document="",
    seats=7,
    wagers=(
        staked(ANTE, PLAY, ANTE_BONUS, script=SCRIPT, key="ante-play", title="Ante and Play"),
        staked(PAIR_PLUS),
        staked(SIX_CARD_BONUS),
    ),
    deck=Deck(),
    script=SCRIPT,
    texts=Texts(
        about=("Three cards against the dealer, who needs a queen to play. Look at your cards, then play or fold."),
        how=(
            "Put a chip on Ante; the other wagers are extra. You get three cards: then play, which adds a "
            "wager as large as the Ante, or fold. A straight beats a flush here. A dealer below a queen does "
            "not play: the Ante is paid and the Play comes back. Otherwise the better hand wins. A straight "
            "or better is paid an Ante Bonus, whatever the dealer has."
        ),
        deal=(
            "Three cards to each seat and to the dealer, folded Antes first, whether the dealer qualifies, "
            "and the wagers of a seat in their order."
        ),
    ),
    sample=parse_cards("Qs Ks As", decks=1),
    felt=Felt(
        color="emerald", below="Dealer plays with queen high or better", shapes={"ante": DIAMOND, "play": DIAMOND}
    ),
    chart=kind.of(SEAT),
    asks=(_ask_whether_it_qualifies,),
    published=(
        *published(SOURCE, "ante-play", "house_edge", "3.37%", "3.83%", "4.28%", "3.61%"),
        *published(SOURCE, "ante-play", "house_edge", "3.37%", strategy=FROM_QUEEN_SIX_FOUR),
        *published(SOURCE, "pair-plus", "house_edge", "2.32%", "5.57%", "7.28%", "2.14%", "3.49%", "4.58%"),
        Published(OF_RISK, "ante-play", "1", "element_of_risk", "2.01%"),
        Published(OF_RISK, "ante-play", "4", "element_of_risk", "2.16%"),
        Published(
            "table-games-online.com/3-card-poker",
            "6-card-bonus",
            "1",
            "house_edge",
            "10.23%",
            known="one-too-high",
            note="One unit too high in its last place, as rule document 002 prints it for the same table.",
        ),
    ),
    handling=(wrong_number(DEAL, "10.1", "a seat or the dealer"),),
    cites={"no-more-bets": "3.1", "void": "10.2", "undo": "10.2", "from-the-right": "9.1", "in-order": "9.2"},
    strategies={
        FROM_QUEEN_SIX_FOUR: _from_queen_six_four,
        "as the dealer": _from_queen,
        "always play": lambda seen: "play",
    },
)
