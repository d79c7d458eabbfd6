"""Let It Ride: three cards and two common ones; of three equal bets the player may take two back."""

from __future__ import annotations

from croupier.cards.card import Rank, parse_cards
from croupier.games.felt import BOX, Felt
from croupier.games.game import Texts, published
from croupier.games.poker import FiveCards, ThreeCards
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    BOARD,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    by_line,
    equal_to,
    judgment,
    spot,
)
from croupier.games.script.poker import LOW_PAIR, Draw, draws_to, five_line, three_line
from croupier.games.table.history import DEAL
from croupier.games.table.questions import wrong_number
from croupier.games.wager import Outcome

HIGH_PAIR, NOTHING = Outcome("Pair of tens or better"), Outcome("Less than a pair of tens")


@judgment(five_line.of(SEAT + BOARD), ends=(*FiveCards.FROM_TWO_PAIR, HIGH_PAIR, NOTHING))
def five(hand: Outcome | Rank | None) -> Outcome:
    if isinstance(hand, Outcome):
        return hand
    return HIGH_PAIR if hand is not None and hand >= Rank.TEN else NOTHING


PAYS = {
    "1": """
    Royal Flush  1,000 to 1
    Straight Flush  200 to 1
    Four-of-a-Kind  50 to 1
    Full House  11 to 1
    Flush  8 to 1
    Straight  5 to 1
    Three-of-a-Kind  3 to 1
    Two Pair  2 to 1
    Pair of tens or better  1 to 1"""
}


def _bonus(flush: int) -> str:
    return f"""
        Royal Flush  50 to 1
        Straight Flush  40 to 1
        Three-of-a-Kind  30 to 1
        Straight  6 to 1
        Flush  {flush} to 1
        Pair  1 to 1"""


STAYS = spot("Bet 3", five, PAYS, cites="5.2")
FIRST, SECOND = (spot(f"Bet {n}", five, PAYS, equal_to(STAYS), cites="5.2") for n in (1, 2))
THREE_CARD_BONUS = spot(
    "3 Card Bonus", by_line(three_line.of(SEAT), ThreeCards.ALL), {"1": _bonus(3), "2": _bonus(4)}, cites="6.2"
)
FOUR = 4
SOURCE, PUBLISHED = "wizardofodds.com/games/let-it-ride", "published"
RIDE, TAKE_BACK = "let it ride", "take back"
DRAW = draws_to(high=Rank.TEN)

SCRIPT = (
    Deal(SEAT, 3, cites="3.2"),
    Deal(BOARD.down, 2, cites="3.3"),
    Choose(Choice(RIDE, cites="4.3"), Choice(TAKE_BACK, FIRST, -1, cites="4.1"), cites="4.1", title="Bet 1"),
    Show(BOARD, 1, cites="4.2"),
    Choose(Choice(RIDE, cites="4.3"), Choice(TAKE_BACK, SECOND, -1, cites="4.4"), cites="4.4", title="Bet 2"),
    Show(BOARD, 1, cites="5.1"),
)


def published_play(seen: Seen) -> str:
    """As the source of the figures has it: what pays already, draws to a straight flush or a flush, good straights."""
    draw: Draw = DRAW(seen[SEAT + BOARD])
    if draw.made:
        return TAKE_BACK if draw.made == LOW_PAIR else RIDE
    if seen[BOARD]:
        open_ended = draw.gaps == 0 and not draw.at_end
        return RIDE if draw.suited or open_ended or (draw.gaps is not None and draw.high == FOUR) else TAKE_BACK
    if not draw.suited or draw.gaps is None:
        return TAKE_BACK
    # Three in a row, with a gap one high card, with two gaps two. At the low end nothing: an ace is no high card there.
    return RIDE if draw.high >= draw.gaps and draw.at_end != "low" else TAKE_BACK


GAME = ScriptGame(
    "let-it-ride",
    "Let It Ride",
    document="",
    seats=7,
    wagers=(
        staked(STAYS, FIRST, SECOND, script=SCRIPT, key="bet", title="Three bets", mandatory=True),
        staked(THREE_CARD_BONUS),
    ),
    deck=Deck(),
    script=SCRIPT,
    texts=Texts(
        about=(
            "Three equal bets, three cards of your own and two for everybody. Take a bet back twice, or let it ride."
        ),
        how=(
            "One chip lays three equal bets. You get three cards, and two common cards lie face down. Before "
            "each of them is turned you take one bet back or let it ride; the third always stays. A pair of "
            "tens or better wins on every bet that is left."
        ),
        deal=(
            "Three cards to each seat, two to the board, the bets that are taken back, and what is left of "
            "three bets a seat."
        ),
    ),
    sample=parse_cards("Ts Th 4c", decks=1),
    felt=Felt(
        color="emerald",
        above="Pair of tens or better pays",
        below="Take a bet back, or let it ride",
        shapes={"bet-1": BOX, "bet-2": BOX, "bet-3": BOX},
    ),
    chart=DRAW.of(SEAT + BOARD),
    published=(
        *published(SOURCE, "bet", "house_edge", "3.51%"),
        *published(SOURCE, "bet", "house_edge", "3.51%", strategy=PUBLISHED),
        *published("tunicatravel.com/blog/2012/02", "3-card-bonus", "house_edge", "7.1%", "2.14%"),
    ),
    handling=(wrong_number(DEAL, "8.1", "a seat or the board"),),
    cites={"no-more-bets": "3.1", "void": "8.2", "undo": "8.2", "from-the-right": "7.1", "in-order": "7.1"},
    strategies={
        PUBLISHED: published_play,
        "always let it ride": lambda seen: RIDE,
        "always take back": lambda seen: TAKE_BACK,
    },
)
