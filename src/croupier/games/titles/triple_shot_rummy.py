"""Triple Shot Rummy: the lowest three-card rummy total beats the dealer; two bonus wagers ride on the cards."""

from __future__ import annotations

from itertools import combinations

from croupier.cards.card import Card, Hand, Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.errors import Refusal
from croupier.games.felt import DIAMOND, Felt
from croupier.games.game import Handled, Part, Texts
from croupier.games.head_to_head.game import Decision, Game
from croupier.games.paytable import Paytable
from croupier.games.poker import FiveCards, ThreeCards, best_five, three_card_hand
from croupier.games.rulebook import rule
from croupier.games.table.history import CLOSE, COLLECT, DEAL, DECIDE, REVEAL, SETTLE
from croupier.games.table.questions import Choice as Answer
from croupier.games.table.questions import Kind, Question, Typed, wrong_number
from croupier.games.wager import AgainstDealer, Choice, OnHand, Outcome, Reading, Spot, Wager

PLAY, FOLD = "play", "fold"
QUALIFYING_POINTS = 20


LOW_RANK = {rank: 1 if rank is Rank.ACE else int(rank) for rank in Rank}
"""Ranks as runs count them: the ace is low only (triple-shot-rummy 2.7)."""
VALUE = {rank: min(low, 10) for rank, low in LOW_RANK.items()}
"""Ace one, tens and faces ten, the rest their number (triple-shot-rummy 2.2)."""


@rule("triple-shot-rummy 2.3", "triple-shot-rummy 2.5", "triple-shot-rummy 2.7")
def combine(one: Card, other: Card) -> bool:
    """Whether two cards count nothing together: a pair, or neighbours of one suit."""
    if one.rank is other.rank:
        return True
    return one.suit is other.suit and abs(LOW_RANK[one.rank] - LOW_RANK[other.rank]) == 1


@rule(*(f"triple-shot-rummy 2.{n}" for n in (2, 4, 6, 8, 9)))
def points(hand: Hand) -> int:
    """The lowest total the hand can count, 0 to 30."""
    a, b, c = hand
    ab, ac, bc = combine(a, b), combine(a, c), combine(b, c)
    if not (ab or ac or bc):
        return VALUE[a.rank] + VALUE[b.rank] + VALUE[c.rank]
    triple = a.rank is b.rank is c.rank
    # In a run of three the middle card has two neighbours, and the outer ones are none of each other.
    run = a.suit is b.suit is c.suit and ab + ac + bc == 2
    if triple or run:
        return 0
    # The card outside the combination counts; where there is a choice, the lowest does.
    return min(VALUE[left.rank] for left, combined in ((c, ab), (b, ac), (a, bc)) if combined)


POINTS = Reading("rummy points", 3, Sees.SUITS, points)

FOLDED = Outcome("Player folds", cites="5.8")
NOT_QUALIFIED = Outcome("Dealer does not play", cites="5.2")
WINS = tuple(Outcome(f"Player wins with {score}", score=score) for score in range(QUALIFYING_POINTS))
TIED = Outcome("Tie", cites="5.5")
BEATEN = Outcome("Dealer wins", cites="5.4")


@rule("triple-shot-rummy 5.1")
def dealer_qualifies(dealer_points: int) -> bool:
    return dealer_points <= QUALIFYING_POINTS


@rule("triple-shot-rummy 5.2", "triple-shot-rummy 5.3", "triple-shot-rummy 5.4", "triple-shot-rummy 5.5")
def against_dealer(player_points: int, dealer_points: int) -> Outcome:
    """How a player who made the Play wager fares."""
    if not dealer_qualifies(dealer_points):
        return NOT_QUALIFIED
    if player_points == dealer_points:
        return TIED
    return WINS[player_points] if player_points < dealer_points else BEATEN


@rule("triple-shot-rummy 4.3", "triple-shot-rummy 5.8")
def after_fold(player_points: int, dealer_points: int) -> Outcome:
    return FOLDED


ANTE_RULES = Paytable.parse(
    "Ante",
    """
    Player folds            lose
    Dealer does not play    1 to 1
    0 to 19                 1 to 1
    Tie                     push
    Dealer wins             lose""",
)
PLAY_RULES = Paytable.parse(
    "Play",
    """
    Player folds            no wager
    Dealer does not play    push
    Tie                     push
    Dealer wins             lose""",
)
PLAY_TABLE = Paytable.parse(
    "Play 1",
    """
    0          4 to 1
    1 to 5     2 to 1
    6 to 19    1 to 1""",
)

ANTE_PLAY = Wager(
    "ante-play",
    "Ante and Play",
    AgainstDealer((Choice(PLAY, POINTS, against_dealer), Choice(FOLD, POINTS, after_fold)), dealer=POINTS),
    outcomes=(*WINS, NOT_QUALIFIED, TIED, BEATEN, FOLDED),
    paytables={"1": PLAY_TABLE},
    row_says="{row} points",
    spots=(
        Spot("ante", "Ante", ANTE_RULES, posted=False, wins="5.3", turn="8.3"),
        Spot("play", "Play", PLAY_RULES, wins="5.6", turn="8.3"),
    ),
)


def _pair_plus_table(name: str, *, royal_flush: bool, straight: int, flush: int) -> Paytable:
    return Paytable.parse(
        f"Pair Plus {name}",
        f"""
        {"Royal Flush   50 to 1" if royal_flush else ""}
        Straight Flush    40 to 1
        Three-of-a-Kind   30 to 1
        Straight          {straight} to 1
        Flush             {flush} to 1
        Pair              1 to 1""",
    )


PAIR_PLUS = Wager(
    "pair-plus",
    "Pair Plus",
    OnHand(Reading("three-card poker hand", 3, Sees.SUITS, three_card_hand)),
    outcomes=ThreeCards.ALL,
    paytables={
        "1": _pair_plus_table("1", royal_flush=False, straight=6, flush=4),
        "2": _pair_plus_table("2", royal_flush=False, straight=5, flush=4),
        "3": _pair_plus_table("3", royal_flush=False, straight=6, flush=3),
        "4": _pair_plus_table("4", royal_flush=True, straight=6, flush=4),
        "5": _pair_plus_table("5", royal_flush=True, straight=5, flush=4),
        "6": _pair_plus_table("6", royal_flush=True, straight=6, flush=3),
    },
    spots=(Spot("pair-plus", "Pair Plus", wins="6.7", loses="6.9", turn="8.4", by_worth=False),),
)


def _six_card_table(name: str, *, four: int, full: int, flush: int, straight: int, three: int) -> Paytable:
    return Paytable.parse(
        f"6 Card Bonus {name}",
        f"""
        Royal Flush       1,000 to 1
        Straight Flush    200 to 1
        Four-of-a-Kind    {four} to 1
        Full House        {full} to 1
        Flush             {flush} to 1
        Straight          {straight} to 1
        Three-of-a-Kind   {three} to 1""",
    )


SIX_CARD_BONUS = Wager(
    "6-card-bonus",
    "6 Card Bonus",
    OnHand(Reading("best five of six", 6, Sees.FLUSHES, best_five), with_dealer=True),
    outcomes=FiveCards.OR_LESS,
    paytables={
        "1": _six_card_table("1", four=50, full=25, flush=20, straight=10, three=5),
        "2": _six_card_table("2", four=50, full=25, flush=15, straight=10, three=5),
        "3": _six_card_table("3", four=100, full=20, flush=15, straight=9, three=8),
        "4": _six_card_table("4", four=100, full=20, flush=15, straight=10, three=7),
    },
    spots=(Spot("6-card-bonus", "6 Card Bonus", wins="7.5", loses="7.7", turn="8.4", by_worth=False),),
)


@rule("triple-shot-rummy 4.1")
def _parse_decision(hand: Hand, words: str) -> str:
    if words.strip().lower() not in (PLAY, FOLD):
        raise Refusal("unknown-decision", f"{words!r} is no decision: say 'play' or 'fold'.")
    return words.strip().lower()


def _describe(hand: Hand, choice: str | None) -> str:
    return _points_in_words(points(hand))


def _describe_dealer(hand: Hand) -> str:
    total = points(hand)
    return f"{_points_in_words(total)}, {'plays' if dealer_qualifies(total) else 'does not play'}"


def _points_in_words(total: int) -> str:
    return f"{total} point{'' if total == 1 else 's'}"


# What whoever turns up the dealer's cards is asked


def _counts(hand: Hand) -> Question:
    ask = "How many points does the dealer have?"
    return Question(Kind.COUNT, ask, (str(points(hand)),), counted_by(hand), typed=Typed.NUMBER, seen=hand)


def counted_by(hand: Hand) -> str:
    """The paragraph that such cards are counted by."""
    combined = sum(combine(*two) for two in combinations(hand, 2))
    if not combined:
        return "2.2"
    if len({card.rank for card in hand}) == 1:
        return "2.4"
    if combined == 2 and len({card.suit for card in hand}) == 1:
        return "2.5"
    return "2.6" if combined == 1 else "2.8"


def _plays(hand: Hand) -> Question:
    total = points(hand)
    choices = (Answer("yes", "The dealer plays", "y"), Answer("no", "The dealer does not play", "n"))
    right = ("yes" if dealer_qualifies(total) else "no",)
    facts = f"The dealer has {_points_in_words(total)}."
    return Question(Kind.QUALIFY, "Does the dealer play?", right, "5.1", choices, facts=facts, seen=hand)


GAME = Game(
    "triple-shot-rummy",
    "Triple Shot Rummy",
    document="002",
    packet_cards=3,
    seats=7,
    wagers=(ANTE_PLAY, PAIR_PLUS, SIX_CARD_BONUS),
    settling_order=("play", "ante", "pair-plus", "6-card-bonus"),
    describe=_describe,
    describe_dealer=_describe_dealer,
    decision=Decision(
        "ante-play",
        _parse_decision,
        say=lambda hand, choice: choice,
        raises={PLAY: "play"},
        forfeits=frozenset({FOLD}),
    ),
    strategies={
        "play 20 or less": lambda hand: PLAY if points(hand) <= QUALIFYING_POINTS else FOLD,
        "always play": lambda hand: PLAY,
        "never play": lambda hand: FOLD,
    },
    chart=lambda hand, choice: (_points_in_words(points(hand)), choice),
    texts=Texts(
        about="Three cards, the lower rummy total wins. Look at your cards, then play or fold.",
        how=(
            "Put a chip on Ante; the other wagers are extra. You get three cards and want few points: a pair, "
            "three of a rank and a run of one suit count nothing, an ace 1, a face card 10. Then play, which adds "
            "a wager as large as the Ante, or fold. A dealer with more than 20 points does not play: the Ante is "
            "paid and the Play comes back. Otherwise the lower total wins."
        ),
        deal=(
            "Packets from the left, folded Antes first, whether the dealer plays, and four wagers a seat from the "
            "right."
        ),
    ),
    asks=(_counts, _plays),
    sample=parse_cards("4c 5c 6c"),
    felt=Felt(
        color="midnight",
        below="The dealer plays with 20 points or less",
        shapes={"ante": DIAMOND, "play": DIAMOND},
    ),
    parts=(
        Part(CLOSE, "Call “No more bets”", "c", "3.1"),
        Part(DEAL, "Deal the packets", "d", "3.3"),
        Part(DECIDE, "The players decide", "p", "4.1", asks=True),
        Part(COLLECT, "Collect the folded Antes", "f", "8.1"),
        Part(REVEAL, "Turn up the dealer's cards", "t", "5.1"),
        Part(SETTLE, "Pay and take", "s", "8.2"),
    ),
    handling=(
        wrong_number(DEAL, "9.1", "a packet"),
        Handled(
            DEAL,
            Kind.HANDLE,
            "How do you hold the deck while the packets go out?",
            "Face down, and the bottom card is never seen",
            ("Face down, and the bottom card is shown before the deal", "As it comes: the cards are turned up anyway"),
            "3.6",
        ),
        Handled(
            SETTLE,
            Kind.HANDLE,
            "Where do you turn a player's cards up?",
            "In the work area, between your own cards and the 6 Card Bonus spot",
            ("Where they lie, in front of the player", "Over the Play, so that the wager is covered"),
            "8.6",
        ),
        Handled(
            SETTLE,
            Kind.HANDLE,
            "Do you lay the cards and pay, or pick them up and pay?",
            "As this house has it: no amount depends on it",
            ("Lay and pay, everywhere", "Pick and pay, everywhere"),
            "11.8",
        ),
    ),
    cites={"no-more-bets": "3.1", "deal": "3.3", "decide": "4.1", "reveal": "5.1", "void": "9.2"}
    | {"to-seat": "3.4", "to-dealer": "3.5", "collect": "8.1", "from-the-right": "8.2"}
    | {"call": "3.2", "exchange": "9.3", "tucked": "4.4"},
    options={
        "ante-mandatory": "no bonus wager without an Ante",
        "two-positions": "a player may bet at two adjacent positions",
    },
)
