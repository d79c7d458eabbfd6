"""The games that are written as a script, and small decks of them."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from croupier.cards.card import Rank, parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.script.game import ScriptGame
from croupier.games.script.language import Deck
from croupier.games.table.bets import Bet
from croupier.games.table.history import History

KEYS = ("three_card_poker", "casino_war", "mississippi_stud", "let_it_ride")


def game(name: str) -> ScriptGame:
    found = import_module(f"croupier.games.titles.{name}").GAME
    assert isinstance(found, ScriptGame)
    return found


def small(name: str, *ranks: Rank) -> ScriptGame:
    """The game with one deck of these ranks, for one seat."""
    return replace(game(name), deck=Deck(ranks=ranks), seats=1)


def opened(name: str, cards: str = "", seats: int = 1) -> History:
    """Betting is closed, with a base wager of $6 at each seat; the first cards are these."""
    title = game(name)
    round_: History = title.offer().open(
        Shoe.stacked(parse_cards(cards, decks=title.decks), decks=title.decks, chance=7)
    )
    for seat in range(1, seats + 1):
        round_ = round_.do(Bet(seat, title.base.spots[0].key, 600))
    return round_.do(round_.no_more_bets)


def go_on(round_: History) -> History:
    while round_.next_by_dealer:
        round_ = round_.do(round_.next_by_dealer)
    return round_


def say(round_: History, *acts: str) -> History:
    for act in acts:
        round_ = go_on(round_.do(round_.parse(act)))
    return round_


def paid(round_: History) -> dict[tuple[int, str], tuple[int, str]]:
    """By seat and spot: what the player won or lost, and the paragraph."""
    return {(each.seat, each.spot): (each.net_cents, each.cites) for each in round_.settlements}


def wagered(name: str, cards: str, *spots: str) -> History:
    """One seat with $6 on each of these spots, and betting closed."""
    title = game(name)
    shoe = Shoe.stacked(parse_cards(cards, decks=title.decks), decks=title.decks, chance=7)
    round_: History = title.offer().open(shoe)
    for spot in spots:
        round_ = round_.do(Bet(1, spot, 600))
    return go_on(round_.do(round_.no_more_bets))


def cited(round_: History, kind: str) -> list[str]:
    """The paragraphs of events of a kind."""
    return [round_.paragraph(event) for event in round_.events if event.kind == kind]
