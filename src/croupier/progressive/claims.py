"""Cards check the claim: where they are entered, the game's own rule says which line they make.

A claim that disagrees is refused, or overridden by a supervisor who did not enter it, with a reason on record.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from croupier.cards.card import Card, format_cards, parse_cards
from croupier.errors import NotationError
from croupier.games.wager import Fact, OnDeal
from croupier.progressive import authority
from croupier.progressive.acts import EnterHand
from croupier.progressive.decision import reason_given
from croupier.progressive.refusals import No, refusal
from croupier.progressive.setup import Line, LinkSetup
from croupier.progressive.state import LinkState


def checked_cards(state: LinkState, act: EnterHand, line: Line) -> dict[str, Any]:
    """The cards, if there are any, and who overrode what they say."""
    setup = state.setup
    if not act.cards:
        return {}
    cards = _read_cards(setup, act.cards)
    _check_round(state, act, cards)
    made = line_of_cards(setup, cards)
    facts: dict[str, Any] = {"cards": format_cards(cards), "cards_make": made.label if made else ""}
    if made == line:
        return facts
    if act.override_by is None:
        words = repr(made.label) if made else "no hand that pays"
        raise refusal(No.CARDS_DISAGREE, cards=facts["cards"], made=words, line=line.label)
    authority.two_people(authority.Act.OVERRIDE_CLAIM, act.override_by, None)
    if act.override_by.person == act.by.person:
        raise authority.denied(authority.Denied.SAME_PERSON, act=authority.Act.OVERRIDE_CLAIM, person=act.by.person)
    reason = reason_given(act.override_reason)
    return {**facts, "override": {"by": act.override_by.as_list(), "reason": reason}}


def _read_cards(setup: LinkSetup, text: str) -> tuple[Card, ...]:
    try:
        cards = parse_cards(text, decks=setup.decks)
    except NotationError as error:
        raise refusal(No.WRONG_CARDS, why=str(error).rstrip(".")) from None
    if len(cards) not in ((2, 3) if _third_may_miss(setup) else (3,)):
        third = "the player's third, if there is one" if _third_may_miss(setup) else "the dealer's up card"
        raise refusal(No.WRONG_CARDS, why=f"they are the player's first two and {third}")
    return cards


def _check_round(state: LinkState, act: EnterHand, cards: tuple[Card, ...]) -> None:
    """All seats of a game see the same up card, and no card is on the table more often than it is in the shoe."""
    entered = state.tables[act.table].entered.items()
    others = {seat: parse_cards(each.cards, decks=state.setup.decks) for seat, each in entered if each.cards}
    shared = not _third_may_miss(state.setup)
    for seat, theirs in others.items():
        if shared and theirs[2] != cards[2]:
            raise refusal(No.WRONG_CARDS, why=f"the up card at seat {seat} is {theirs[2]}, not {cards[2]}")
    on_table = Counter(cards)
    for theirs in others.values():
        on_table.update(theirs[:2] if shared else theirs)
    for card, copies in on_table.items():
        if copies > state.setup.decks:
            raise refusal(
                No.WRONG_CARDS, why=f"{card} would be on the table {copies} times, of {state.setup.decks} decks"
            )


def _third_may_miss(setup: LinkSetup) -> bool:
    assert isinstance(setup.rules.basis, OnDeal)
    return setup.rules.basis.fact is Fact.THIRD_CARD


def line_of_cards(setup: LinkSetup, cards: tuple[Card, ...]) -> Line | None:
    """What the game's own rule says that the cards make; None where that pays nothing."""
    assert isinstance(setup.rules.basis, OnDeal)
    third: Card | None = cards[2] if len(cards) == 3 else None
    outcome = setup.rules.basis.judge(cards[:2], third)
    return setup.lines.get(setup.prices[outcome].row)
