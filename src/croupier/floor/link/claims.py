"""Whether the hands that are claimed in one game can all be true: is there a deal of one shoe that makes every line?

    can_lie(setup, [Claimed("Three 7's - Diamonds"), Claimed("Three 7's - Suited (Other)")])     no: one up card

Asked of the game's own rule, from the lines alone: what a line needs is what the rule calls by its name. All seats see
one up card where the wager goes by it, and no card lies on the table more often than there are decks. Cards that were
typed are taken as they are.

A claim that cannot be is refused before it is entered. Books do not depend on it: what was entered is decided by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from croupier.cards.card import DECK, Card, parse_cards
from croupier.floor.link.acts import EnterHand
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import Entered, LinkState
from croupier.floor.refusals import No, refusal
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.wager import Fact, OnDeal

Cards: TypeAlias = tuple[Card, ...]
"""In the order of the deck, each as often as it lies there."""
PLACE = {card: place for place, card in enumerate(DECK)}


class Claimed(NamedTuple):
    """A hand as it is claimed."""

    line: str
    cards: Cards = ()
    """Where they were typed: the player's first two, then the third."""


def check_claim(state: LinkState, act: EnterHand) -> None:
    """Refuse a hand that cannot be beside those of the same game, and say beside which."""
    setup, entered = state.setup, state.tables[act.table].entered
    new = Claimed(setup.line(act.line).label, _cards(setup, act.cards))
    others = {
        seat: Claimed(hand.line, _cards(setup, hand.cards))
        for seat, hand in entered.items()
        if seat != act.seat and not _backed_out(state, hand)
    }
    if can_lie(setup, [*others.values(), new]):
        return
    one = next((seat for seat, other in others.items() if not can_lie(setup, [other, new])), None)
    named = others if one is None else {one: others[one]}
    listed = ", ".join(f"{other.line!r} at seat {seat}" for seat, other in sorted(named.items()))
    why = f"{setup.decks} decks" if _own_third(setup) else f"one up card and {setup.decks} decks"
    raise refusal(No.CANNOT_BE, line=new.line, seat=act.seat, others=listed, why=why)


def _backed_out(state: LinkState, hand: Entered) -> bool:
    """Whether a card has confirmed the hand, and nothing is left of its award: it was none."""
    won = state.won.get(hand.award)
    return won is not None and not won.cents


def _cards(setup: LinkSetup, text: str) -> Cards:
    return parse_cards(text, decks=setup.decks) if text else ()


def _own_third(setup: LinkSetup) -> bool:
    assert isinstance(setup.rules.basis, OnDeal)
    return setup.rules.basis.fact is Fact.THIRD_CARD


def can_lie(setup: LinkSetup, claims: Sequence[Claimed]) -> bool:
    """Whether these hands can be dealt from one shoe."""
    shoe = (setup.decks,) * len(DECK)
    if _own_third(setup):
        makes = _alone(setup.wager, setup.paytable)
        wanted = [(claim.cards,) if claim.cards else makes.get(claim.line, ()) for claim in claims]
        return _dealt(shoe, sorted(wanted, key=len))
    ups = {claim.cards[2] for claim in claims if claim.cards} or set(DECK)
    return any(_dealt_beside(setup, up, shoe, claims) for up in sorted(ups, key=PLACE.__getitem__))


def _dealt_beside(setup: LinkSetup, up: Card, shoe: tuple[int, ...], claims: Sequence[Claimed]) -> bool:
    """Whether they can be dealt with this up card on the table."""
    makes = _beside(setup.wager, setup.paytable)[up]
    wanted: list[tuple[Cards, ...]] = []
    for claim in claims:
        if claim.cards and claim.cards[2] != up:
            return False
        wanted.append((claim.cards[:2],) if claim.cards else makes.get(claim.line, ()))
    return _dealt(_less(shoe, (up,)), sorted(wanted, key=len))


def _dealt(shoe: tuple[int, ...], wanted: Sequence[tuple[Cards, ...]]) -> bool:
    """Whether the shoe has for everybody one of the hands that they want; whoever wants the fewest is dealt first."""
    dead: set[tuple[int, int, tuple[int, ...]]] = set()

    def deal(place: int, begin: int, left: tuple[int, ...]) -> bool:
        if place == len(wanted):
            return True
        if (place, begin, left) in dead:
            return False
        for number in range(begin, len(wanted[place])):
            after = _less(left, wanted[place][number])
            # Of two who want the same, the second need not look at what the first has passed over.
            same = place + 1 < len(wanted) and wanted[place + 1] is wanted[place]
            if min(after) >= 0 and deal(place + 1, number if same else 0, after):
                return True
        dead.add((place, begin, left))
        return False

    return deal(0, 0, shoe)


def _less(shoe: tuple[int, ...], cards: Iterable[Card]) -> tuple[int, ...]:
    left = list(shoe)
    for card in cards:
        left[PLACE[card]] -= 1
    return tuple(left)


# What makes each line, asked of the rule once


@cache
def _beside(wager: str, paytable: str) -> Mapping[Card, Mapping[str, tuple[Cards, ...]]]:
    """By up card and line: the first two cards that make it."""
    return {up: _pairs(wager, paytable, up) for up in DECK}


@cache
def _alone(wager: str, paytable: str) -> Mapping[str, tuple[Cards, ...]]:
    """By line: the fewest cards that make it, where each player has a third of their own, or none."""
    made: dict[str, dict[Cards, None]] = {
        line: dict.fromkeys(hands) for line, hands in _pairs(wager, paytable, None).items()
    }
    two = {line: set(hands) for line, hands in made.items()}
    for third in DECK:
        for line, hands in _pairs(wager, paytable, third).items():
            for hand in hands:
                if hand not in two.get(line, ()):
                    three = tuple(sorted((*hand, third), key=PLACE.__getitem__))
                    made.setdefault(line, {})[three] = None
    return {line: tuple(hands) for line, hands in made.items()}


def _pairs(wager: str, paytable: str, third: Card | None) -> dict[str, tuple[Cards, ...]]:
    rules = PROGRESSIVES[wager]
    assert isinstance(rules.basis, OnDeal)
    prices, found = rules.prices(rules.paytables[paytable]), dict[str, list[Cards]]()
    for two in combinations_with_replacement(DECK, 2):
        found.setdefault(prices[rules.basis.judge(two, third)].row, []).append(two)
    return {line: tuple(hands) for line, hands in found.items()}
