"""The parts of a round in the order of each game: what a dealer does before what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.table.history import History
from croupier.training.step import Choice, Kind, Step

MOST_OFFERED = 6


@dataclass(frozen=True)
class Part:
    """One part of the procedure, the key for it, and the paragraph that has it there."""

    name: str
    label: str
    key: str
    paragraph: str


def _parts(*parts: tuple[str, str, str, str]) -> tuple[Part, ...]:
    return tuple(Part(*each) for each in parts)


CLOSE, BURN, ROTATION, DEAL, EARLY, INSURANCE = "close", "burn", "rotation", "deal", "early", "insurance"
CHECK, CHECKED, BUST, DECIDE, COLLECT, REVEAL = "check", "checked", "bust", "decide", "collect", "reveal"
DEALER, SETTLE = "dealer", "settle"

PARTS: Mapping[str, tuple[Part, ...]] = {
    "triple-shot-rummy": _parts(
        (CLOSE, "Call “No more bets”", "c", "3.1"),
        (DEAL, "Deal the packets", "d", "3.3"),
        (DECIDE, "The players decide", "p", "4.1"),
        (COLLECT, "Collect the folded Antes", "f", "8.1"),
        (REVEAL, "Turn up the dealer's cards", "t", "5.1"),
        (SETTLE, "Pay and take", "s", "8.2"),
    ),
    "three-card-baccarat": _parts(
        (CLOSE, "Call “No more bets”", "c", "3.1"),
        (DEAL, "Deal the packets", "d", "3.2"),
        (REVEAL, "Turn up the dealer's cards", "t", "3.5"),
        (SETTLE, "Pay and take", "s", "8.1"),
    ),
    "supreme-99": _parts(
        (CLOSE, "Call “No more bets”", "c", "1.3"),
        (ROTATION, "Draw the dealing rotation", "r", "3.1"),
        (DEAL, "Deal the packets", "d", "3.6"),
        (DECIDE, "The players set their hands", "p", "4.1"),
        (REVEAL, "Turn up the dealer's cards and set them", "t", "5.1"),
        (SETTLE, "Pay and take", "s", "8.1"),
    ),
    "blackjack": _parts(
        (CLOSE, "Call “No more bets”", "c", "3.1"),
        (BURN, "Burn a card", "b", "3.2"),
        (DEAL, "Deal the initial cards", "d", "3.1"),
        (EARLY, "Settle side wagers on the initial cards", "w", "3.1"),
        (INSURANCE, "Offer insurance", "i", "4.1"),
        (CHECK, "Check the hole card", "h", "5.1"),
        (CHECKED, "Settle insurance and players' blackjacks", "k", "5.5"),
        (BUST, "Offer Bet the Bust", "u", "10.2"),
        (DECIDE, "The seats decide", "p", "3.1"),
        (DEALER, "Turn up the hole card and play the dealer's hand", "t", "7.1"),
        (SETTLE, "Settle what is still open", "s", "3.1"),
    ),
}
"""By game, in their order."""

_PACKETS = {"no-more-bets": CLOSE, "rotation": ROTATION, "deal": DEAL, "decide": DECIDE, "reveal": REVEAL}
_BLACKJACK = {"no-more-bets": CLOSE, "burn": BURN}
_PLAYED = {
    Phase.DEALING: (DEAL, EARLY),
    Phase.INSURANCE: (INSURANCE, INSURANCE),
    Phase.CHECKING: (CHECK, CHECKED),
    Phase.BUST_WAGERS: (BUST, BUST),
    Phase.PLAYING: (DECIDE, DECIDE),
    Phase.DEALER: (DEALER, DEALER),
    Phase.SETTLING: (SETTLE, SETTLE),
}
"""To which part an event of blackjack belongs, by the phase: one that settles a wager to the second."""


def part_of(table: History) -> str:
    """The part that the newest event belongs to; nothing while wagers are made."""
    event = table.events[-1]
    settles = event.kind in ("settle", "award")
    if isinstance(table, BlackjackRound):
        return _BLACKJACK.get(event.kind) or _PLAYED.get(table.phase, ("", ""))[settles]
    if settles:
        return SETTLE if any(each.kind == "reveal" for each in table.events) else COLLECT
    return _PACKETS.get(event.kind, "")


def ask_next(game: str, part: str, at: int) -> Step:
    """What comes next: the right part among those near to it, in the order of the alphabet."""
    parts = PARTS[game]
    right = next(place for place, each in enumerate(parts) if each.name == part)
    near = sorted(range(len(parts)), key=lambda place: abs(place - right))[:MOST_OFFERED]
    choices = sorted((Choice(parts[p].name, parts[p].label, parts[p].key) for p in near), key=lambda each: each.label)
    return Step(Kind.NEXT, at, "What comes next?", (part,), parts[right].paragraph, tuple(choices))
