"""The dealer's questions in a head-to-head game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from croupier.cards.card import Hand, format_cards
from croupier.games.head_to_head.acts import Rotation
from croupier.games.head_to_head.round import Round
from croupier.games.table.history import DEALER, History
from croupier.games.titles import supreme_99, three_card_baccarat, triple_shot_rummy
from croupier.training.step import Choice, Kind, Step, Typed, numbered, seat_choices

POINTS: Mapping[str, Callable[[Hand], int]] = {
    triple_shot_rummy.GAME.key: triple_shot_rummy.points,
    three_card_baccarat.GAME.key: three_card_baccarat.points,
}
"""How the dealer's cards are counted, by game; those of Supreme 99 are set."""
_WHOM = {
    triple_shot_rummy.GAME.key: ("3.4", "3.5"),
    three_card_baccarat.GAME.key: ("3.3", "3.4"),
    supreme_99.GAME.key: ("3.5", "3.5"),
}
"""By game: where a seat's packet goes out, and the dealer's."""


def ask_event(seen: list[History], at: int, round_: History) -> Iterator[Step]:
    """What is asked before event number `at` is told, beside what every game asks."""
    table, event = seen[at], seen[at].events[-1]
    assert isinstance(table, Round)
    match event.kind:
        case "rotation":
            yield _rotation(table, at, round_)
        case "deal" if seen[at - 1].events[-1].kind != "rotation":
            assert event.position is not None
            paragraph = _WHOM[table.game.key][event.position == DEALER]
            yield whom(table, at, "Who gets the next packet?", event.position, paragraph)
        case "reveal":
            yield from _dealers_cards(table, at)


def whom(table: Round, at: int, ask: str, position: int, paragraph: str) -> Step:
    choices = (*seat_choices(range(1, table.game.seats + 1)), Choice(str(DEALER), "Dealer", "d"))
    return Step(Kind.WHOM, at, ask, (str(position),), paragraph, choices)


def _rotation(table: Round, at: int, round_: History) -> Step:
    drawn = next(act for act in round_.acts if isinstance(act, Rotation))
    said = f"The dice show {' '.join(map(str, drawn.dice))}" if drawn.dice else f"The number is {drawn.number}"
    assert table.first_position is not None
    return whom(table, at, f"{said}. Who gets the first packet?", table.first_position, "3.4")


def _dealers_cards(table: Round, at: int) -> Iterator[Step]:
    """Whoever turns them up counts them, and knows whether they play or how they are set."""
    game, hand = table.game.key, table.dealer
    if game in POINTS:
        ask, points = "How many points does the dealer have?", str(POINTS[game](hand))
        paragraph = rummy_rule(hand) if game == triple_shot_rummy.GAME.key else "2.2"
        yield Step(Kind.COUNT, at, ask, (points,), paragraph, typed=Typed.NUMBER, seen=hand)
    if game == triple_shot_rummy.GAME.key:
        plays = triple_shot_rummy.dealer_qualifies(triple_shot_rummy.points(hand))
        facts = f"The dealer has {table.game.describe_dealer(hand).partition(',')[0]}."
        choices = (Choice("yes", "The dealer plays", "y"), Choice("no", "The dealer does not play", "n"))
        right = ("yes" if plays else "no",)
        yield Step(Kind.QUALIFY, at, "Does the dealer play?", right, "5.1", choices, facts=facts, seen=hand)
    if game == supreme_99.GAME.key:
        yield _setting(hand, at)


def rummy_rule(hand: Hand) -> str:
    """The paragraph that such cards are counted by in Triple Shot Rummy."""
    combined = sum(triple_shot_rummy.combine(*two) for two in combinations(hand, 2))
    if not combined:
        return "2.2"
    if len({card.rank for card in hand}) == 1:
        return "2.4"
    if combined == 2 and len({card.suit for card in hand}) == 1:
        return "2.5"
    return "2.6" if combined == 1 else "2.8"


def _setting(hand: Hand, at: int) -> Step:
    """Pairings that come to the same halves are equally right (supreme-99 5.5)."""
    ways = {pairing: supreme_99.set_by(pairing, hand) for pairing in supreme_99.PAIRINGS}
    right = ways[supreme_99.house_way(hand)].strengths
    choices = numbered(
        [(name, f"High {format_cards(way.high)}, Low {format_cards(way.low)}") for name, way in ways.items()]
    )
    answers = tuple(name for name, way in ways.items() if way.strengths == right)
    return Step(Kind.SET, at, "How do you set the dealer's cards?", answers, _house_rule(hand), choices, seen=hand)


def _house_rule(hand: Hand) -> str:
    """The paragraph of the house way that speaks of such cards."""
    kind, _ = supreme_99.GAME.chart(hand, supreme_99.house_way(hand)) if supreme_99.GAME.chart else ("", "")
    by_kind = {"two pair": "5.2", "one pair": "5.3", "three of a kind": "5.6", "four of a kind": "5.7"}
    return by_kind.get(kind, "5.4")
