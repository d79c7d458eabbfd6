"""Mississippi Stud: two cards and three common ones; on each street the player raises one to three times, or folds."""

from __future__ import annotations

from croupier.cards.card import Rank, parse_cards
from croupier.games.game import Texts, published
from croupier.games.poker import FiveCards
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    BOARD,
    SEAT,
    Choose,
    Deal,
    Deck,
    Show,
    fold,
    judgment,
    raised_on,
    spot,
    times,
)
from croupier.games.script.poker import draws_to, five_line
from croupier.games.table.history import DEAL
from croupier.games.table.questions import wrong_number
from croupier.games.wager import Outcome

HIGH_PAIR, MIDDLE_PAIR = Outcome("Pair of jacks or better"), Outcome("Pair of sixes to tens")
NOTHING = Outcome("Less than a pair of sixes")


@judgment(five_line.of(SEAT + BOARD), ends=(*FiveCards.FROM_TWO_PAIR, HIGH_PAIR, MIDDLE_PAIR, NOTHING))
def five(found: Outcome | Rank | None) -> Outcome:
    if isinstance(found, Outcome):
        return found
    if found is None or found < Rank.SIX:
        return NOTHING
    return HIGH_PAIR if found >= Rank.JACK else MIDDLE_PAIR


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

SOURCE = "wizardofodds.com/games/mississippi-stud"

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
    chart=draws_to(high=Rank.JACK, middle=Rank.SIX).of(SEAT + BOARD),
    published=(
        *published(SOURCE, "ante", "house_edge", "4.91%"),
        *published(SOURCE, "ante", "element_of_risk", "1.37%"),
        *published(SOURCE, "ante", "staked", "3.59"),
    ),
    handling=(wrong_number(DEAL, "7.1", "a seat or the board"),),
    cites={"no-more-bets": "3.1", "void": "7.2", "undo": "7.2", "from-the-right": "6.1", "in-order": "6.1"},
    strategies={"always one unit": lambda seen: "1x", "always three units": lambda seen: "3x"},
)
