"""Mississippi Stud: two cards and three common ones; on each street the player raises one to three times, or folds."""

from __future__ import annotations

from croupier.cards.card import Hand, Rank, parse_cards
from croupier.games.felt import BOX, Felt
from croupier.games.game import Texts, published
from croupier.games.poker import FiveCards
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    BOARD,
    SEAT,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    fold,
    judgment,
    raised_on,
    spot,
    times,
)
from croupier.games.script.poker import LOW_PAIR, Draw, draws_to, five_line
from croupier.games.table.history import DEAL
from croupier.games.table.questions import wrong_number
from croupier.games.wager import Outcome

HIGH_PAIR, MIDDLE_PAIR = Outcome("Pair of jacks or better"), Outcome("Pair of sixes to tens")
NOTHING = Outcome("Less than a pair of sixes")


@judgment(five_line.of(SEAT + BOARD), ends=(*FiveCards.FROM_TWO_PAIR, HIGH_PAIR, MIDDLE_PAIR, NOTHING))
def five(hand: Outcome | Rank | None) -> Outcome:
    if isinstance(hand, Outcome):
        return hand
    if hand is None or hand < Rank.SIX:
        return NOTHING
    return HIGH_PAIR if hand >= Rank.JACK else MIDDLE_PAIR


PAYS = {
    "1": """
    Royal Flush  500 to 1
    Straight Flush  100 to 1
    Four-of-a-Kind  40 to 1
    Full House  10 to 1
    Flush  6 to 1
    Straight  4 to 1
    Three-of-a-Kind  3 to 1
    Two Pair  2 to 1
    Pair of jacks or better  1 to 1
    Pair of sixes to tens  push"""
}
ANTE = spot("Ante", five, PAYS, cites="5.2")
THIRD, FOURTH, FIFTH = (
    spot(f"{nth} Street", five, PAYS, raised_on(ANTE), cites="5.2") for nth in ("3rd", "4th", "5th")
)

SCRIPT = (
    Deal(SEAT, 2, cites="3.2"),
    Deal(BOARD.down, 3, cites="3.3"),
    Choose(fold(cites="4.5"), *times(THIRD, 1, 2, 3, cites="4.1"), cites="4.1", title="3rd Street"),
    Show(BOARD, 1, cites="4.2"),
    Choose(fold(cites="4.5"), *times(FOURTH, 1, 2, 3, cites="4.3"), cites="4.3", title="4th Street"),
    Show(BOARD, 1, cites="4.2"),
    Choose(fold(cites="4.5"), *times(FIFTH, 1, 2, 3, cites="4.4"), cites="4.4", title="5th Street"),
    Show(BOARD, 1, cites="5.1"),
)

SOURCE, PUBLISHED = "wizardofodds.com/games/mississippi-stud", "published"
DRAW = draws_to(high=Rank.JACK, middle=Rank.SIX)
POINTS = {0: 2, 1: 3, 2: 4}
"""By how many common cards are shown: high cards count two and middle cards one, and with so many points one stays."""


def published_play(seen: Seen) -> str:
    """As the source of the figures has it: points, draws, and how much was raised before."""
    cards, shown = seen[SEAT + BOARD], len(seen[BOARD])
    draw: Draw = DRAW(cards)
    if draw.made:
        return "3x" if draw.made != LOW_PAIR or not shown else "1x"
    stays = 2 * draw.high + draw.middle >= POINTS[shown]
    return ("fold", "1x", "3x")[_draws[shown](cards, draw, seen) or int(stays)]


def _first_two(cards: Hand, draw: Draw, seen: Seen) -> int:
    return int(draw.suited and {card.rank for card in cards} == {Rank.FIVE, Rank.SIX})


def _three(cards: Hand, draw: Draw, seen: Seen) -> int:
    lowest, gaps = min(card.rank for card in cards), draw.gaps
    if draw.suited and gaps is not None:
        # A royal flush, 5-6-7 or higher, or a high card for each gap; an ace is none at the low end.
        royal, highs = lowest >= Rank.TEN, 0 if draw.at_end == "low" else draw.high
        return 2 if royal or (lowest >= Rank.FIVE if gaps == 0 else highs >= gaps) else 1
    straight = (gaps == 0 and lowest >= Rank.FOUR) or (gaps == 1 and draw.middle >= 2)
    return int(draw.suited or straight)


def _four(cards: Hand, draw: Draw, seen: Seen) -> int:
    if draw.suited:
        return 2
    if draw.gaps == 0 and not draw.at_end and max(card.rank for card in cards) >= Rank.EIGHT:
        return 2
    three_middle = draw.middle == len(cards) - 1 and any(choice.key == "3x" for choice in seen.choices)
    return int(draw.gaps is not None or three_middle)


_draws = {0: _first_two, 1: _three, 2: _four}

GAME = ScriptGame(
    "mississippi-stud",
    "Mississippi Stud",
    document="",
    seats=7,
    wagers=(staked(ANTE, THIRD, FOURTH, FIFTH, script=SCRIPT, key="ante", title="Ante and streets", mandatory=True),),
    deck=Deck(),
    script=SCRIPT,
    texts=Texts(
        about="Two cards of your own and three for everybody. On each street raise by one to three Antes, or fold.",
        how=(
            "Put a chip on Ante. You get two cards, and three common cards lie face down. Before each of "
            "them is turned you add one, two or three times the Ante, or fold and lose what lies there. A "
            "pair of jacks or better wins on every spot, a pair of sixes to tens gives all back."
        ),
        deal=(
            "Two cards to each seat, three to the board, what was folded before the next card is turned, and "
            "four spots a seat."
        ),
    ),
    sample=parse_cards("Js Jh", decks=1),
    felt=Felt(
        color="oxblood",
        above="Pair of jacks or better pays",
        below="Raise once, twice or three times the ante",
        shapes={"3rd-street": BOX, "4th-street": BOX, "5th-street": BOX},
    ),
    chart=DRAW.of(SEAT + BOARD),
    published=(
        *published(SOURCE, "ante", "house_edge", "4.91%"),
        *published(SOURCE, "ante", "element_of_risk", "1.37%"),
        *published(SOURCE, "ante", "staked", "3.59"),
        *published(SOURCE, "ante", "house_edge", "4.91%", strategy=PUBLISHED),
    ),
    handling=(wrong_number(DEAL, "7.1", "a seat or the board"),),
    cites={"no-more-bets": "3.1", "void": "7.2", "undo": "7.2", "from-the-right": "6.1", "in-order": "6.1"},
    strategies={
        PUBLISHED: published_play,
        "always one unit": lambda seen: "1x",
        "always three units": lambda seen: "3x",
    },
)
