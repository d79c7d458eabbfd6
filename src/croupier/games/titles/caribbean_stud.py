"""Caribbean Stud: five cards against the dealer's, of which one lies up; raise by twice the Ante, or fold."""

from __future__ import annotations

from croupier.cards.card import Hand, Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.felt import BOX, Felt
from croupier.games.game import Texts, published
from croupier.games.poker import FiveCards
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    DEALER,
    SEAT,
    ByRanks,
    Choice,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    fold,
    raised_on,
    reading,
    showdown,
    spot,
)
from croupier.games.script.poker import Strength, five_strength, in_words, line_of
from croupier.games.table.history import DEAL
from croupier.games.table.questions import Question, whether_it_qualifies, wrong_number
from croupier.games.wager import Outcome

NOT_QUALIFIED, TIE, BEATEN = Outcome("Dealer does not qualify"), Outcome("Tie"), Outcome("Dealer wins")
WINS = Outcome("Player wins")
"""With a pair or less; better hands are lines of their own, and the Ante pays them as this one."""
LINES = {line: Outcome(line.label, pays_as=WINS) for line in FiveCards.FROM_TWO_PAIR}
ACE_KING: Strength = (0, Rank.ACE, Rank.KING)


@reading(Sees.FLUSHES, say=lambda qualifies: "the dealer qualifies" if qualifies else "the dealer does not qualify")
def qualifies(hand: Hand) -> bool:
    return bool(five_strength(hand) >= ACE_KING)


@reading(Sees.FLUSHES, say=lambda qualifies: "")  # its strength says it
def line(hand: Hand) -> Outcome:
    return LINES.get(line_of(five_strength(hand)), WINS)


@showdown(
    five_strength.of(SEAT),
    five_strength.of(DEALER),
    qualifies.of(DEALER),
    line.of(SEAT),
    ends=(*LINES.values(), WINS, NOT_QUALIFIED, TIE, BEATEN),
)
def against_dealer(order: int, dealer_plays: bool, own: Outcome) -> Outcome:
    if not dealer_plays:
        return NOT_QUALIFIED
    return TIE if order == 0 else own if order > 0 else BEATEN


@reading(Sees.FLUSHES)
def kind(hand: Hand) -> str:
    """As the strategy's page tells hands apart."""
    strength = five_strength(hand)
    return in_words(strength) if strength >= ACE_KING else "less than ace-king"


ANTE = spot(
    "Ante",
    against_dealer,
    """
    Dealer does not qualify  1 to 1 § 5.2
    Player wins  1 to 1 § 5.3
    Tie  push § 5.4
    Dealer wins  lose § 5.5""",
)
RAISE = spot(
    "Raise",
    against_dealer,
    {
        "1": """
    Royal Flush  100 to 1 § 5.3
    Straight Flush  50 to 1 § 5.3
    Four-of-a-Kind  20 to 1 § 5.3
    Full House  7 to 1 § 5.3
    Flush  5 to 1 § 5.3
    Straight  4 to 1 § 5.3
    Three-of-a-Kind  3 to 1 § 5.3
    Two Pair  2 to 1 § 5.3
    Player wins  1 to 1 § 5.3
    Dealer does not qualify  push § 5.2
    Tie  push § 5.4
    Dealer wins  lose § 5.5"""
    },
    raised_on(ANTE),
)

SCRIPT = (
    Deal(SEAT, 5, cites="3.2"),
    Deal(DEALER, 1, cites="3.3"),
    Deal(DEALER.down, 4, cites="3.3"),
    Choose(Choice("raise", RAISE, 2, cites="4.1"), fold(cites="4.2"), cites="4.1"),
    Show(DEALER, 4, cites="5.1"),
)


# How people play: the strategies whose cost is published


def _raise_from(least: Strength) -> ByRanks:
    return ByRanks(lambda seen: "raise" if five_strength(seen[SEAT]) >= least else "fold")


def _with_ace_king(seen: Seen, stays: bool) -> str:
    """A pair or better raises, less than ace-king folds, and between them it hangs on the up card."""
    strength = five_strength(seen[SEAT])
    return "raise" if strength[0] or (strength >= ACE_KING and stays) else "fold"


def _ranks(seen: Seen) -> tuple[set[Rank], Rank, Rank]:
    """The seat's ranks, its fourth highest, and the up card's."""
    ranks = sorted({card.rank for card in seen[SEAT]}, reverse=True)
    return set(ranks), ranks[min(3, len(ranks) - 1)], seen[DEALER][0].rank


def _matching(seen: Seen) -> str:
    held, _, up = _ranks(seen)
    return _with_ace_king(seen, up in held)


def _three_rules(seen: Seen) -> str:
    held, fourth, up = _ranks(seen)
    matched = up in held and up <= Rank.QUEEN
    high = up >= Rank.KING and bool(held & {Rank.QUEEN, Rank.JACK})
    return _with_ace_king(seen, matched or high or (up not in held and Rank.QUEEN in held and up < fourth))


SOURCE = "wizardofodds.com/games/caribbean-stud-poker"
PAIR: Strength = (1,)
STRATEGIES = {
    "three rules": ByRanks(_three_rules),
    "raise from A-K-J-8-3": _raise_from((0, Rank.ACE, Rank.KING, Rank.JACK, Rank.EIGHT, Rank.THREE)),
    "matching rank": ByRanks(_matching),
    "raise with a pair": _raise_from(PAIR),
    "raise from ace-king": _raise_from(ACE_KING),
    "always raise": ByRanks(lambda seen: "raise"),
}
PUBLISHED = {
    "": ("5.224%", "2.555%"),
    "three rules": ("5.225%", "2.554%"),
    "raise from A-K-J-8-3": ("5.316%", "2.596%"),
    "matching rank": ("5.334%", "2.616%"),
    "raise with a pair": ("5.470%", "2.738%"),
    "raise from ace-king": ("5.682%", "2.672%"),
    "always raise": ("16.607%", "5.536%"),
}
"""By strategy: the house edge, and the element of risk."""


def _does_it_qualify(hand: Hand) -> Question:
    return whether_it_qualifies(hand, in_words(five_strength(hand)), "5.1", qualifies=qualifies(hand))


GAME = ScriptGame(
    "caribbean-stud",
    "Caribbean Stud",
    document="",
    seats=7,
    wagers=(staked(ANTE, RAISE, script=SCRIPT, key="ante", title="Ante and Raise", mandatory=True),),
    deck=Deck(),
    script=SCRIPT,
    texts=Texts(
        about="Five cards against the dealer's five, of which you see one. Raise by twice the Ante, or fold.",
        how=(
            "Put a chip on Ante. You get five cards, and one of the dealer's five lies face up. You add twice the "
            "Ante, or fold. A dealer without ace-king pays the Ante alone; otherwise the better hand wins, and the "
            "Raise pays by your hand."
        ),
        deal="Five cards to each seat, one up and four down to the dealer, what was folded, and two spots a seat.",
    ),
    sample=parse_cards("Ac Kd Jh 8s 3c", decks=1),
    felt=Felt(
        above="Raise twice the Ante, or fold", below="Dealer plays with ace-king or better", shapes={"raise": BOX}
    ),
    chart=kind.of(SEAT),
    asks=(_does_it_qualify,),
    published=tuple(
        published_figure
        for strategy, (edge, risk) in PUBLISHED.items()
        for figure, text in (("house_edge", edge), ("element_of_risk", risk))
        for published_figure in published(SOURCE, "ante", figure, text, strategy=strategy)
    ),
    handling=(wrong_number(DEAL, "7.1", "a seat or the dealer"),),
    cites={"no-more-bets": "3.1", "void": "7.2", "undo": "7.2", "from-the-right": "6.1", "in-order": "6.1"},
    strategies=STRATEGIES,
)
