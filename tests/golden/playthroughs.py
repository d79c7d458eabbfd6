"""Rounds worth reading: what was played, from which shoe, and the page that is kept of each.

A page holds what was said at the table, the hands, and the record from which the round is played again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.cards.card import format_cards, parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.head_to_head.round import Offering, Phase, Round
from croupier.games.money import InFavourOf, dollars
from croupier.games.table.history import VOID, History
from croupier.games.table.record import write_record
from tests.games.support import offer, play
from tests.golden.blackjack_playthroughs import BLACKJACK_PLAYTHROUGHS, BlackjackPlaythrough, hands_in_words
from tests.golden.script_playthroughs import SCRIPT_PLAYTHROUGHS, ScriptPlaythrough

FOLDER = Path(__file__).parent / "playthrough"
RECORD = "== Record ==\n"
RUMMY, BACCARAT, SUPREME = "triple-shot-rummy", "three-card-baccarat", "supreme-99"


@dataclass(frozen=True)
class Playthrough:
    """A round, and the shoe it is dealt from: a seed's, one with cards on top, or none where cards are entered."""

    title: str
    game: str
    script: str
    shoe: Shoe | None = None
    offering: Offering | None = None

    def end(self) -> Round:
        return play(self.game, self.script, shoe=self.shoe, offering=self.offering)


AnyPlaythrough = Playthrough | BlackjackPlaythrough | ScriptPlaythrough


def page(playthrough: AnyPlaythrough) -> str:
    end = playthrough.end()
    return f"{playthrough.title}\n\n{in_words(end)}\n{RECORD}{write_record(end)}"


def in_words(end: History) -> str:
    """What was said, the hands, and what each seat won or lost."""
    said = "\n".join(event.text for event in end.events)
    if isinstance(end, Round):
        hands = _hands_in_words(end)
    else:
        hands = hands_in_words(end) if isinstance(end, BlackjackRound) else list(_as_shown(end))
    results = [f"Seat {number}: {dollars(end.result_cents(number))}" for number in end.seats]
    return "\n".join(["== Said ==", said, *(["== Hands ==", *hands] if hands else []), "== Results ==", *results])


def _hands_in_words(end: Round) -> list[str]:
    hands = [
        f"Seat {number}: {format_cards(seat.hand)}; {end.game.describe(seat.hand, seat.choice)}."
        for number, seat in end.seats.items()
        if end.phase is Phase.OVER
    ]
    if hands:
        hands.append(f"Dealer: {format_cards(end.dealer)}; {end.game.describe_dealer(end.dealer)}.")
    return hands


def _as_shown(end: History) -> Iterator[str]:
    """Everybody's cards at the end, and those that all share."""
    shown = [(f"Seat {number}", hand) for number in end.seats for hand in end.hands(number)]
    for name, hand in (*shown, ("Dealer", end.dealers_hand), ("Board", end.board)):
        if end.phase != VOID and hand and hand.cards:
            yield f"{name}: {format_cards(hand.cards)}{f'; {hand.words}' if hand.words else ''}."


def seeded(seed: int) -> Shoe:
    return Shoe.fresh(1, seed)


def topped(cards: str) -> Shoe:
    return Shoe.stacked(parse_cards(cards), chance="playthrough")


ALL_SEVEN = "; ".join(["deal"] * 7)

PLAYTHROUGHS: dict[str, AnyPlaythrough] = {
    "triple-shot-rummy-1": Playthrough(
        "A bad hand folds, and its Pair Plus loses too; the other seat beats the dealer.",
        RUMMY,
        "bet 1 ante 500; bet 1 pair-plus 500; bet 3 ante 1000; no-more-bets; deal; deal; deal; "
        "decide 1 fold; decide 3 play; reveal; settle",
        seeded(59),
    ),
    "triple-shot-rummy-2": Playthrough(
        "The dealer does not qualify: Antes are paid and Plays push; a 6 Card Bonus wins.",
        RUMMY,
        "bet 2 ante 500; bet 5 ante 500; bet 5 6-card-bonus 100; no-more-bets; deal; deal; deal; "
        "decide 5 play; decide 2 play; reveal; settle",
        seeded(77),
    ),
    "triple-shot-rummy-3": Playthrough(
        "A tie, a loss, and a seat with bonus wagers only.",
        RUMMY,
        "bet 1 ante 500; bet 4 pair-plus 500; bet 4 6-card-bonus 500; bet 7 ante 500; no-more-bets; "
        "deal; deal; deal; deal; decide 1 play; decide 7 play; reveal; settle",
        seeded(173),
    ),
    "triple-shot-rummy-4": Playthrough(
        "Real cards are entered, the dealer's packet is one short, and the round is void.",
        RUMMY,
        "bet 1 ante 500; bet 1 6-card-bonus 100; bet 2 pair-plus 300; no-more-bets; "
        "deal Qh 6c 4d; deal 2c 2d 9h; deal 9c 8d",
    ),
    "triple-shot-rummy-5": Playthrough(
        "One player at two positions, a wager taken back, a folded hand with a flush, a smallest chip of a quarter.",
        RUMMY,
        "bet 1 ante 500 by Ann; bet 1 pair-plus 525; bet 2 ante 500 by Ann; bet 2 pair-plus 100; "
        "take-back 2 pair-plus; bet 3 ante 1000; no-more-bets; deal; deal; deal; deal; "
        "decide 1 fold; decide 2 play; decide 3 play; reveal; settle",
        seeded(382),
        offer(
            RUMMY,
            options=["two-positions"],
            paytables={"pair-plus": "5", "6-card-bonus": "3"},
            chip_cents=25,
            spot_limits={"pair-plus": (25, 5_000)},
        ),
    ),
    "three-card-baccarat-1": Playthrough(
        "A win less commission with a King's Bonus, and a loss that ties in points.",
        BACCARAT,
        "bet 1 bet 2500; bet 1 kings-bonus 500; bet 4 bet 500; bet 4 dragon-bonus 500; bet 4 tie 500; no-more-bets; "
        "deal; deal; deal; reveal; settle",
        seeded(67),
    ),
    "three-card-baccarat-2": Playthrough(
        "Equal ranks push the Bet and win the Tie.",
        BACCARAT,
        "bet 1 bet 500; bet 2 bet 500; bet 2 tie 500; bet 2 dragon-bonus 500; no-more-bets; "
        "deal; deal; deal; reveal; settle",
        seeded(27),
    ),
    "three-card-baccarat-3": Playthrough(
        "Three kings win by ten against a zero of tens; a commission of 5.05 cents is rounded for the player.",
        BACCARAT,
        "bet 3 bet 101; bet 3 kings-bonus 100; bet 3 tie 100; bet 3 dragon-bonus 100; no-more-bets; "
        "deal; deal; reveal; settle",
        topped("Kc Kd Kh Tc Td Th"),
        offer(BACCARAT, in_favour_of=InFavourOf.PLAYER),
    ),
    "three-card-baccarat-4": Playthrough(
        "The round is called off in the middle of the deal.",
        BACCARAT,
        "bet 1 bet 500; bet 2 bet 700; bet 2 tie 500; no-more-bets; deal; void a card was exposed",
        seeded(4),
    ),
    "supreme-99-1": Playthrough(
        "Three seats: both halves won, a push, and both lost.",
        SUPREME,
        "bet 1 bet 500; bet 1 pair-fortunes 500; bet 4 bet 500; bet 6 bet 500; no-more-bets; rotation number 4; "
        f"{ALL_SEVEN}; decide 1 house way; decide 4 house way; decide 6 house way; reveal; settle",
        seeded(187),
    ),
    "supreme-99-2": Playthrough(
        "Both halves copied pay 4 to 1; dice draw the rotation.",
        SUPREME,
        f"bet 2 bet 500; bet 2 pair-fortunes 500; no-more-bets; rotation dice 6 2 5; {ALL_SEVEN}; "
        "decide 2 house way; reveal; settle",
        seeded(11),
    ),
    "supreme-99-3": Playthrough(
        "A nine-nine that loses the Bet wins Pair Fortunes.",
        SUPREME,
        f"bet 3 bet 500; bet 3 pair-fortunes 500; no-more-bets; rotation dice 1 1 1; {ALL_SEVEN}; "
        "decide 3 house way; reveal; settle",
        seeded(161),
    ),
    "supreme-99-4": Playthrough(
        "Four of a kind, set as two pairs, against the dealer's three of a kind.",
        SUPREME,
        f"bet 1 bet 500; bet 1 pair-fortunes 100; no-more-bets; rotation number 1; {ALL_SEVEN}; "
        "decide 1 high 8c 8s; reveal; settle",
        topped("5c 5d 5h 4s 8c 8d 8h 8s"),
    ),
    "supreme-99-5": Playthrough(
        "Real cards are entered, an empty position gets five of them, and the round is void.",
        SUPREME,
        "bet 1 bet 500; bet 1 pair-fortunes 300; no-more-bets; rotation number 2; "
        "deal 2c 3c 4c 5c; deal 6c 7c 8c 9c Tc",
    ),
    **BLACKJACK_PLAYTHROUGHS,
    **SCRIPT_PLAYTHROUGHS,
}
