"""A wager of a script: the spots that are decided and measured together, how they can end, and what that pays.

The outcome of each spot is of the cards; how many units lie on it is of the choices. An ending has both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import Any

from croupier.cards.card import JOKER, Hand
from croupier.cards.symmetry import CARDS
from croupier.errors import PaytableError
from croupier.games import wager as table
from croupier.games.paytable import LOSE, Kind, Pay, Paytable, Row
from croupier.games.script.language import (
    Choice,
    Choose,
    Condition,
    Deal,
    Judgment,
    Look,
    Seen,
    Show,
    Spot,
    Stakes,
    Step,
)
from croupier.games.wager import OnScript, OnSign, Outcome, Price, Wager

NO_WAGER = Pay(Kind.NO_WAGER)


@dataclass(frozen=True, slots=True)
class Ending(Outcome):
    """How all spots of a wager ended: for each the units on it, and its outcome."""

    parts: tuple[tuple[int, Outcome], ...] = ()

    __hash__ = Outcome.__hash__


@dataclass(frozen=True, eq=False)
class ScriptWager(Wager):
    """The first spot is laid before the deal; the others belong to it."""

    spots: tuple[Spot, ...]
    steps: tuple[Choose, ...] = field(default=(), kw_only=True)
    """Where a seat chooses about it."""
    paths: tuple[tuple[Choice, ...], ...] = field(default=((),), kw_only=True)
    """Every line of choices there is, from the deal to the end."""
    script: tuple[Step, ...] = field(default=(), kw_only=True)
    """Of the game, where seats choose about it: it says with which cards anybody is asked."""

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """All that its judgments look at."""
        return tuple(dict.fromkeys(look for spot in self.spots for look in spot.judged.looks))

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """What the player may choose, on any street."""
        return tuple(dict.fromkeys(choice.key for path in self.paths for choice in path))

    def ending(self, seen: Seen, find: Callable[[Look], Any] | None = None) -> Ending:
        """How it ended; `find` has what each look finds, where that is known already."""
        ended = seen.ended
        if ended is None:
            find = find or (lambda look: look.at(seen))
            judged = tuple(spot.judged.judge(*map(find, spot.judged.looks)) for spot in self.spots)
        else:
            judged = (ended,) * len(self.spots)
        return self.named(tuple(zip(map(seen.units, self.spots), judged, strict=True)))

    def named(self, parts: tuple[tuple[int, Outcome], ...]) -> Ending:
        return self._endings[parts]

    @cached_property
    def _endings(self) -> dict[tuple[tuple[int, Outcome], ...], Ending]:
        return {ending.parts: ending for ending in self.outcomes if isinstance(ending, Ending)}

    def outcome(self, seat: Any, dealer: Any, choice: str | None = None) -> Outcome:
        raise AssertionError("a script asks each spot for its own outcome")

    # Pays

    def prices(self, paytable: Paytable, meters: Mapping[str, Fraction] | None = None) -> dict[Outcome, Price]:
        """What every ending pays under the posted table; a row that fits no outcome is refused."""
        return dict(_prices(self, paytable))

    def on_sign(self, paytable: Paytable) -> tuple[OnSign, ...]:
        """The rows themselves; spots that pay the same share them."""
        shared: dict[tuple[Row, ...], list[str]] = {}
        for spot in self.spots:
            shared.setdefault((spot.rules or paytable).rows, []).append(spot.title)
        return tuple(
            OnSign(" and ".join([", ".join(titles[:-1]), titles[-1]] if titles[1:] else titles), ("",), _told(rows))
            for rows, titles in shared.items()
        )

    def rows_of(self, spot: Spot, paytable: Paytable) -> dict[Outcome, Row]:
        """The row that each outcome of the cards falls on, on this spot."""
        return dict(_rows(self, spot, paytable))

    def _match_rows(self, spot: Spot, paytable: Paytable) -> dict[Outcome, Row]:
        posted = spot.rules or paytable
        rows = table.match_rows(self._line_wager(spot), posted)
        for outcome, row in rows.items():
            if not row.pay.staked or row.pay.kind is Kind.SHARE:
                reason = f"{row.label!r} cannot pay {row.pay} on {spot.title}: it must pay odds, push or lose."
                raise PaytableError(reason, line=row.line, source=posted.name)
            if outcome in self.ends and row.pay.net > 0:
                reason = f"{row.label!r} gives the wager up: it cannot win {row.pay}."
                raise PaytableError(reason, line=row.line, source=posted.name)
        row_of: dict[Outcome, Row] = {}
        # Of all, whether they may come about or not: digests are taken of them.
        for outcome in (*spot.judged.outcomes, *self.ends):
            for payer in table.and_what_it_pays_as(outcome)[::-1]:
                if payer in rows:
                    row_of[outcome] = rows[payer]
        if spot.posted and not any(
            row_of[outcome].pay.net > 0 for outcome in self.outcomes_of(spot) if outcome in row_of
        ):
            reason = f"{spot.title} could never win: no row of what may come there pays anything."
            raise PaytableError(reason, source=posted.name)
        return row_of

    def outcomes_of(self, spot: Spot) -> tuple[Outcome, ...]:
        """Of the cards, and of the choices that give the wager up, while chips lie there."""
        return self._outcomes[self.spots.index(spot)]

    @cached_property
    def _outcomes(self) -> tuple[tuple[Outcome, ...], ...]:
        """By place of the spot."""
        met = [
            {ending.parts[place][1] for ending in self.possible if ending.parts[place][0] > 0}
            for place in range(len(self.spots))
        ]
        return tuple(
            tuple(outcome for outcome in (*spot.judged.outcomes, *self.ends) if outcome in there)
            for spot, there in zip(self.spots, met, strict=True)
        )

    @cached_property
    def possible(self) -> frozenset[Ending]:
        """The endings that may come about: nobody raises where the cards say that nobody is asked."""
        endings: set[Ending] = set()
        for path in self.paths:
            known = Seen(choices=path)
            units = tuple(known.units(spot) for spot in self.spots)
            for judged in [(known.ended,) * len(self.spots)] if known.ended else self._judged(path):
                endings.add(self.named(tuple(zip(units, judged, strict=True))))
        return frozenset(endings)

    def _judged(self, path: tuple[Choice, ...]) -> Iterator[tuple[Outcome, ...]]:
        """What the cards may come to after these choices, for each spot."""
        asked = cards_asked(self.script, path)
        judgments = tuple(dict.fromkeys(spot.judged for spot in self.spots))
        dealt = partial(cards_there, self.script, path)
        for outcomes in product(*(dict.fromkeys(_met(judged, asked, dealt)) for judged in judgments)):
            by_judgment = dict(zip(judgments, outcomes, strict=True))
            yield tuple(by_judgment[spot.judged] for spot in self.spots)

    @cached_property
    def ends(self) -> tuple[Outcome, ...]:
        """Of the choices that give the wager up."""
        return tuple(dict.fromkeys(choice.ends for path in self.paths for choice in path if choice.ends))

    def _line_wager(self, spot: Spot) -> Wager:
        """Whose outcomes are those that the rows may name: spots that pay from one posted table share its rows."""
        sharing = [spot for spot in self.spots if spot.posted] if spot.posted else [spot]
        outcomes = tuple(dict.fromkeys(outcome for shared in sharing for outcome in self.outcomes_of(shared)))
        return Wager(self.key, spot.title, self.basis, outcomes, self.paytables, (spot,))

    def pay_of(self, spot: Spot, outcome: Outcome, rows: Mapping[Outcome, Row]) -> Pay:
        return rows[outcome].pay if outcome in rows else LOSE

    def priced(self, ending: Ending, rows: Mapping[Spot, Mapping[Outcome, Row]]) -> Price:
        net, staked, pays, lines = Fraction(0), 0, [], [ending.parts[0][1].label]
        first = rows[self.spots[0]].get(ending.parts[0][1])
        if first is not None:
            lines = [table.row_label(ending.parts[0][1], first)]
        for spot, (units, outcome) in zip(self.spots, ending.parts, strict=True):
            row = rows[spot].get(outcome)
            pay = row.pay if row else LOSE
            if spot.stake.kind is Stakes.RIDING:
                wins = pay.net > 0
                pays.append(pay if wins else NO_WAGER)
                net += pay.net_of(units) if wins else 0
                if wins and row:
                    lines.append(table.row_label(outcome, row))
                continue
            if units and row and outcome is ending.parts[0][1]:
                lines[0] = table.row_label(outcome, row)  # of two rows for one outcome, that of later chips
            pays.append(pay if units else NO_WAGER)
            net += pay.net_of(units)
            staked += units
        return Price(", ".join(dict.fromkeys(lines)), tuple(pays), net, staked)


@lru_cache(maxsize=64)  # one table is asked for by everything that is made of it
def _prices(wager: ScriptWager, paytable: Paytable) -> dict[Outcome, Price]:
    rows = {spot: wager.rows_of(spot, paytable) for spot in wager.spots}
    prices = {ending: wager.priced(ending, rows) for ending in wager.outcomes if isinstance(ending, Ending)}
    for named in (_by_rows, _by_outcomes):
        unclear = _unclear(wager, prices)
        if not unclear:
            break
        prices |= {
            ending: price._replace(row=named(wager, ending, rows))
            for ending, price in prices.items()
            if price.row in unclear
        }
    return dict[Outcome, Price](prices.items())


@lru_cache(maxsize=256)  # every settlement asks for its spot's
def _rows(wager: ScriptWager, spot: Spot, paytable: Paytable) -> dict[Outcome, Row]:
    return wager._match_rows(spot, paytable)


def _unclear(wager: ScriptWager, prices: Mapping[Ending, Price]) -> set[str]:
    """Rows on which a spot pays now this, now that: spots with judgments of their own end in many ways together."""
    pays: dict[tuple[str, Spot], Pay] = {}
    unclear = set()
    for ending, price in prices.items():
        for spot, (units, _), pay in zip(wager.spots, ending.parts, price.pays, strict=True):
            comes = (units or spot.stake.kind is Stakes.RIDING) and ending in wager.possible
            if comes and pays.setdefault((price.row, spot), pay) != pay:
                unclear.add(price.row)
    return unclear


def _by_rows(wager: ScriptWager, ending: Ending, rows: Mapping[Spot, Mapping[Outcome, Row]]) -> str:
    """The row of each judgment on which chips lie, or a bonus rides and wins."""
    by_judgment: dict[Judgment, str] = {}
    for spot, (units, outcome) in zip(wager.spots, ending.parts, strict=True):
        row = rows[spot].get(outcome)
        if row and row.pay.net > 0 if spot.stake.kind is Stakes.RIDING else units:
            by_judgment[spot.judged] = table.row_label(outcome, row) if row else outcome.label
    return ", ".join(by_judgment.values())


def _by_outcomes(wager: ScriptWager, ending: Ending, rows: Mapping[Spot, Mapping[Outcome, Row]]) -> str:
    """What the cards came to by each judgment, which says all that is paid."""
    by_judgment = {spot.judged: outcome.label for spot, (_, outcome) in zip(wager.spots, ending.parts, strict=True)}
    return ", ".join(by_judgment.values())


# Which cards lead to which choices: conditions on single cards are asked about every card

Asked = tuple[tuple[Condition, bool], ...]
"""Conditions on cards that held, or did not, on the way."""
NO_CARD: tuple[Hand, ...] = ((),)
ONE_CARD: tuple[Hand, ...] = tuple((card,) for suits in CARDS.values() for card in suits)
Dealt = Callable[[Look], tuple[Hand, ...]]
"""What may lie where one card is looked at."""


def cards_asked(script: tuple[Step, ...], path: tuple[Choice, ...]) -> Asked:
    """What these choices say of the cards: the conditions of the steps at which they were made, or were not."""
    conditions: list[tuple[Condition, bool]] = []
    place = 0
    for step in script:
        seen = Seen(choices=path[:place])
        if seen.ended or not isinstance(step, Choose):
            continue
        chosen = place < len(path) and path[place] in step.choices
        if step.when.looks and (chosen or not (step.when.chosen or step.when.unraised)):
            conditions.append((step.when, chosen))
        if chosen:
            conditions += [(path[place].when, True)] if path[place].when.looks else []
            place += 1
    return tuple(conditions)


def cards_there(script: tuple[Step, ...], path: tuple[Choice, ...], look: Look) -> tuple[Hand, ...]:
    """Every card that may lie at a place after these choices, and none where it may have got none."""
    [(name, nth, _)] = look.where.parts
    before, seen = 0, Seen(choices=path)
    for step in script:
        if not isinstance(step, Deal | Show) or step.where.name != name:
            continue
        before += step.cards
        if nth < before:
            some = (*ONE_CARD, (JOKER,)) if look.reading.jokers else ONE_CARD
            if step.when.is_open:
                return some
            return (*NO_CARD, *some) if step.when.looks else some if step.when(seen) else NO_CARD
    return NO_CARD


def _met(judged: Judgment, asked: Asked, dealt: Dealt) -> Iterator[Outcome]:
    """The outcomes that are left with such cards; where more than single cards are read, all of them."""
    own = [(when, held) for when, held in asked if all(map(_is_one_card, when.looks))]
    if not own or not all(map(_is_one_card, judged.looks)):
        yield from judged.outcomes
        return
    # Cards that no condition reads are left open; those of conditions come first, and most of them fall away.
    first = tuple(dict.fromkeys(look for when, _ in own for look in when.looks))
    rest = tuple(look for look in judged.looks if look not in first)
    domains = {look: tuple({look.reading(cards): None for cards in dealt(look)}) for look in (*first, *rest)}
    left = []
    for findings in product(*(domains[look] for look in first)):
        known = dict(zip(first, findings, strict=True))
        if all(when.test(*(known[look] for look in when.looks)) is held for when, held in own):
            left.append(known)
    for known in left:
        for findings in product(*(domains[look] for look in rest)):
            every = {**known, **dict(zip(rest, findings, strict=True))}
            yield judged.judge(*(every[look] for look in judged.looks))


def _is_one_card(look: Look) -> bool:
    return all(stop is not None for _, _, stop in look.where.parts) and len(look.where.parts) == 1


def _told(rows: tuple[Row, ...]) -> tuple[tuple[str, tuple[Pay, ...]], ...]:
    return tuple((row.label, (row.pay,)) for row in rows if row.pay.kind is not Kind.LOSE)


def endings(spots: Iterable[Spot], paths: Iterable[tuple[Choice, ...]]) -> Iterator[Ending]:
    """Every way that a wager can end: each line of choices with each set of outcomes of the cards."""
    spots, seen = tuple(spots), set()
    judgments = tuple(dict.fromkeys(spot.judged for spot in spots))
    for path in paths:
        known = Seen(choices=path)
        units = tuple(known.units(spot) for spot in spots)
        outcomes: Iterable[tuple[Outcome, ...]]
        if known.ended:
            outcomes = [(known.ended,) * len(judgments)]
        else:
            outcomes = product(*(judged.outcomes for judged in judgments))
        for judged in outcomes:
            by_judgment = dict(zip(judgments, judged, strict=True))
            parts = tuple((n, by_judgment[spot.judged]) for spot, n in zip(spots, units, strict=True))
            if parts not in seen:
                seen.add(parts)
                yield Ending(_label(spots, parts), parts=parts)


def _label(spots: tuple[Spot, ...], parts: tuple[tuple[int, Outcome], ...]) -> str:
    """`Straight, 3rd Street 1, 4th Street 3`."""
    words = list(dict.fromkeys(outcome.label for _, outcome in parts))
    later = zip(spots[1:], parts[1:], strict=True)
    moved = [f"{spot.title} {n}" for spot, (n, _) in later if spot.stake.kind is not Stakes.RIDING]
    return ", ".join(words + moved)


BASIS = OnScript()
