"""What a definition must be: a bad one is refused when it is loaded, in one sentence that names what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from croupier.cards.card import format_cards
from croupier.games.game import DefinitionError, faults_of_wagers
from croupier.games.money import dollars
from croupier.games.paytable import Paytable, Row
from croupier.games.script.language import BURNED, SEAT, Choice, Choose, Deal, Place, Seen, Show, Spot, Stakes
from croupier.games.script.wager import ScriptWager

if TYPE_CHECKING:
    from croupier.games.script.game import ScriptGame


def check(game: ScriptGame) -> None:
    """Refuse a definition that misses or contradicts something; nothing of it is registered then."""
    for fault in faults(game):
        raise DefinitionError(f"{game.title}: {fault}")


def faults(game: ScriptGame) -> Iterator[str]:
    """What is wrong, a sentence each, the gravest first."""
    from croupier.games.script.game import flat_at

    if not game.wagers:
        yield "it has no wager."
        return
    if type(game.seats) is not int or game.seats < 1:
        yield f"it has {game.seats!r} seats, and a table has one or more."
        return
    yield from _of_spots(game)
    yield from _of_script(game)
    yield from _of_looks(game)
    yield from faults_of_wagers(game.wagers)
    if len(at := flat_at(game)) > 1:
        named = " and ".join(map(dollars, at))
        yield f"its flat commissions are at wagers of {named}: figures are for one, so they must name the same."
    for wager in game.wagers:
        yield from _without_a_row(wager)
    yield from _of_deals(game)


def _of_spots(game: ScriptGame) -> Iterator[str]:
    keys = [spot.key for wager in game.wagers for spot in wager.spots]
    for wager in game.wagers:
        first, *others = wager.spots
        if first.stake.kind is not Stakes.OWN:
            yield f"{first.title} begins a wager, and a player cannot bet on it: its chips must be the player's own."
        for spot in others:
            if spot.stake.on not in wager.spots:
                whose = spot.stake.on.title if spot.stake.on else "nothing"
                yield f"{spot.title} belongs to {whose}, which is no spot of {wager.title}."
        for spot in wager.spots:
            if spot.posted and _rows(spot.tables) != _rows(wager.paytables):
                yield f"{wager.title} has two sets of posted tables, and one of them is on {spot.title}."
    for key in sorted(set(game.order) ^ set(keys)) if game.order else ():
        yield f"the order of paying and the spots differ by {key!r}."


def _rows(tables: Mapping[str, Paytable]) -> dict[str, tuple[Row, ...]]:
    return {name: table.rows for name, table in tables.items()}


def _of_script(game: ScriptGame) -> Iterator[str]:
    spots = {spot for wager in game.wagers for spot in wager.spots}
    down: dict[str, int] = {}
    dealt: set[str] = set()
    for number, step in enumerate(game.script, start=1):
        where = step.where.name
        if isinstance(step, Deal):
            if step.cards < 1:
                yield f"step {number} deals {step.cards} cards."
            if step.where == SEAT.down:
                yield f"step {number} deals face down to the seats, and a seat always sees its own cards."
            if step.where.is_down:
                down[step.where.up.name] = down.get(step.where.up.name, 0) + step.cards
            else:
                dealt.add(where)
        elif isinstance(step, Show):
            if down.get(where, 0) < step.cards:
                yield f"step {number} turns {step.cards} cards at {where}, where {down.get(where, 0)} lie face down."
            down[where] = down.get(where, 0) - step.cards
            dealt.add(where)
        elif isinstance(step, Choose):
            if not dealt:
                yield f"step {number} asks before anybody has cards."
            yield from _of_choices(game, number, step, spots)
    yield from _never_turned(down)
    needed = sum(step.cards for step in game.script if isinstance(step, Deal) and step.where.is_seats) * game.seats
    needed += sum(step.cards for step in game.script if isinstance(step, Deal) and not step.where.is_seats)
    if needed > game.deck.size:
        yield f"{game.seats} seats need {needed} cards, and there are {game.deck.size}."


def _never_turned(down: Mapping[str, int]) -> Iterator[str]:
    for name, cards in down.items():
        if cards > 0 and name != BURNED.up.name:
            yield f"{cards} of the cards that lie face down at {name} are never turned; what nobody sees is burned."


def _of_choices(game: ScriptGame, number: int, step: Choose, spots: set[Spot]) -> Iterator[str]:
    keys = [choice.key for choice in step.choices]
    if len(set(keys)) < len(keys) or not keys:
        yield f"step {number} has no choices, or two of one name: {', '.join(keys) or 'none'}."
    for choice in step.choices:
        if choice.lays and choice.lays not in spots:
            lays: object = choice.lays  # in somebody's own definition it may be anything
            named = lays.title if isinstance(lays, Spot) else lays
            yield f"{choice.key!r} in step {number} raises on {named!r}, which is no spot of the game."
        elif choice.lays and choice.lays not in game.base.spots:
            yield f"{choice.key!r} in step {number} raises on {choice.lays.title}, which is not of the base wager."
        elif choice.lays and not choice.times:
            yield f"{choice.key!r} in step {number} lays no units on {choice.lays.title}."
        elif choice.lays and choice.times > 0 and choice.lays.stake.kind is not Stakes.RAISE:
            yield f"{choice.key!r} in step {number} raises on {choice.lays.title}, where no choice may lay chips."
    raised = {choice.lays for step in game.script if isinstance(step, Choose) for choice in step.choices}
    for spot in game.base.spots:
        if spot.stake.kind is Stakes.RAISE and spot not in raised:
            yield f"no choice ever lays chips on {spot.title}."


def _of_looks(game: ScriptGame) -> Iterator[str]:
    edges = _edges(game)
    for look in game.all_looks:
        for name, start, stop in look.where.parts:
            if name not in game.sizes:
                yield f"a rule looks at the {name}'s cards, and the script never deals any there face up."
            elif stop is not None and not {start, stop} <= edges[name]:
                yield f"a rule reads {Place(((name, start, stop),))}, which is dealt together with others."
        if game.jokers and not look.reading.jokers:
            whose = f"{look.reading.read.__name__!r} of the {look.where}'s cards"
            yield f"the deck has jokers, and the reading {whose} does not say that it knows them."
    base = {step for step in game.script if isinstance(step, Choose)}
    if base and set(game.base.steps) != base:
        yield (
            f"the choices of the script are not those of its first wager, {game.base.title}: give it the script, as "
            "staked(..., script=SCRIPT)."
        )


def _edges(game: ScriptGame) -> dict[str, set[int]]:
    """By place: after how many cards a deal ends there."""
    edges: dict[str, set[int]] = {}
    for step in game.script:
        if isinstance(step, Show) or (isinstance(step, Deal) and not step.where.is_down):
            there = edges.setdefault(step.where.name, {0})
            there.add(max(there) + step.cards)
    return edges


def _without_a_row(wager: ScriptWager) -> Iterator[str]:
    """An outcome that a table does not pay, push or name is the one that loses, or a row that was forgotten."""
    for spot in wager.spots:
        if spot.stake.kind is Stakes.RIDING:
            continue  # it takes nothing, so what it does not name has no need of a row
        for name, paytable in wager.paytables.items():
            rows = wager.rows_of(spot, paytable)
            silent = [outcome.label for outcome in wager.outcomes_of(spot) if outcome not in rows]
            silent = [label for label in silent if label not in {end.label for end in wager.ends}]
            if len(silent) > 1:
                table = f"paytable {name} of {spot.title}" if spot.posted else spot.title
                yield f"no row of {table} names {' or '.join(map(repr, silent))}: only one outcome may have no row."


# A few rounds on paper: what free functions do is seen by asking them

DEALS = 16


def _of_deals(game: ScriptGame) -> Iterator[str]:
    chance = Random(game.key)
    for _ in range(DEALS):
        cards = list(game.deck.cards)
        chance.shuffle(cards)
        cards.sort(key=lambda card: not card.is_joker and chance.random() < 0.5)  # jokers come often
        seen = Seen()
        for number, step in enumerate(game.script, start=1):
            try:
                due = step.when(seen)
            except Exception as error:
                yield f"whether step {number} is due cannot be told with {_shown(seen)} ({_error(error)})."
                return
            if not due:
                continue
            if isinstance(step, Choose):
                options = step.options(seen)
                yield from _of_strategies(game, number, options, seen)
                going_on = [choice for choice in options if not choice.ends]
                if going_on:
                    seen = seen.after(chance.choice(going_on))
            elif not step.where.is_down:
                assert isinstance(step, Deal | Show)
                seen = seen.with_cards(step.where, tuple(cards.pop() for _ in range(step.cards)))
        yield from _of_judgments(game, seen)


def _of_strategies(game: ScriptGame, number: int, options: tuple[Choice, ...], seen: Seen) -> Iterator[str]:
    known = [choice.key for choice in options]
    for name, strategy in game.strategies.items():
        try:
            answer = strategy(seen)
        except Exception as error:
            yield f"the strategy {name!r} has no answer in step {number} with {_shown(seen)} ({_error(error)})."
        else:
            if answer not in known:
                there = f"with {_shown(seen)}, where one says {' or '.join(map(repr, known))}"
                yield f"the strategy {name!r} says {answer!r} in step {number} {there}."


def _of_judgments(game: ScriptGame, seen: Seen) -> Iterator[str]:
    for spot in (spot for wager in game.wagers for spot in wager.spots):
        try:
            outcome = spot.judged.outcome(seen)
        except Exception as error:
            yield f"{spot.title} cannot be judged with {_shown(seen)} ({_error(error)})."
        else:
            if outcome not in spot.judged.outcomes:
                yield f"{spot.title} comes to {str(outcome)!r} with {_shown(seen)}, which is not among its outcomes."


def _shown(seen: Seen) -> str:
    return "; ".join(f"{name} {format_cards(cards)}" for name, cards in seen.cards.items())


def _error(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": .")
