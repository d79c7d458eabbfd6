"""The words a table game is written in: places for cards, readings, judgments, spots for chips, and steps.

A definition holds no seats, phases or money (those are the round's), and no classes of hands (those are the count's).
Every rule looks at one thing, `Seen`: cards by place, and the choices so far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, partial
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

from croupier.cards.card import JOKER, Card, Hand
from croupier.cards.symmetry import ALL_RANKS, CARDS, HandClass, Ranks, Sees, classes, hands_left
from croupier.games import wager as table
from croupier.games.paytable import Kind, Pay, Paytable
from croupier.games.table import shown
from croupier.games.wager import Outcome, and_what_it_pays_as

# Where cards lie, and what is known of them

DOWN = "/down"


@dataclass(frozen=True)
class Place:
    """Cards on the felt: `SEAT`, `DEALER[0]`, `SEAT + BOARD`, `DEALER.down`.

    SEAT is each seat's own; every other place is everybody's. What lies `down` nobody sees.
    """

    parts: tuple[tuple[str, int, int | None], ...]

    @property
    def name(self) -> str:
        [(name, _, _)] = self.parts
        return name

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _, _ in self.parts)

    @property
    def is_seats(self) -> bool:
        """Whether all of it is a seat's own."""
        return self.names == {"seat"}

    @property
    def is_down(self) -> bool:
        return self.name.endswith(DOWN)

    @property
    def up(self) -> Place:
        """Where its cards lie once they are turned."""
        return place(self.name.removesuffix(DOWN))

    @property
    def down(self) -> Place:
        return place(self.up.name + DOWN)

    def __add__(self, other: Place) -> Place:
        return Place(self.parts + other.parts)

    def __getitem__(self, nth: int) -> Place:
        return Place(((self.name, nth, nth + 1),))

    def __str__(self) -> str:
        return " and ".join(f"{name}{'' if stop is None else f' card {start + 1}'}" for name, start, stop in self.parts)


def place(name: str) -> Place:
    return Place(((name, 0, None),))


SEAT, DEALER, BOARD, BURNED = place("seat"), place("dealer"), place("board"), place("burned" + DOWN)


@dataclass(frozen=True)
class Seen(shown.Seen):
    """What is known of one seat's round: cards by place, and its choices so far."""

    choices: tuple[Choice, ...] = ()

    def __getitem__(self, where: Place | str) -> Hand:
        where = place(where) if isinstance(where, str) else where
        return tuple(card for name, start, stop in where.parts for card in self.cards.get(name, ())[start:stop])

    @property
    def ended(self) -> Outcome | None:
        """How a choice ended the base wager, where one did."""
        return self.choices[-1].ends if self.choices else None

    def units(self, spot: Spot) -> int:
        """What lies on a spot, in units of the one that it belongs to."""
        laid = sum(choice.times for choice in self.choices if choice.lays is spot)
        return laid if spot.stake.kind is Stakes.RAISE else 1 + laid

    def with_cards(self, where: Place, cards: Hand) -> Seen:
        return Seen({**self.cards, where.name: self[where] + cards}, self.choices)

    def after(self, choice: Choice) -> Seen:
        return Seen(self.cards, (*self.choices, choice))

    @property
    def face_up(self) -> Seen:
        """Nothing that lies face down."""
        return Seen({name: cards for name, cards in self.cards.items() if not name.endswith(DOWN)}, self.choices)


# How cards are read, and spots judged


@dataclass(frozen=True, eq=False)
class Reading:
    """A pure rule that reads some cards. It looks at no more of them than it `sees`, and never at their order."""

    read: Callable[[Hand], Any]
    sees: Sees
    say: Callable[[Any], str]
    """What it finds, in words: screens, hints and charts speak with it."""
    jokers: bool = False
    """Whether it knows what a joker stands for; one that does not is never shown any."""

    def __call__(self, cards: Hand) -> Any:
        return self.read(cards)

    def of(self, where: Place) -> Look:
        return Look(self, where)


def reading(
    sees: Sees, say: Callable[[Any], str] = str, *, jokers: bool = False
) -> Callable[[Callable[[Hand], Any]], Reading]:
    """Makes a reading of the function below it: what some cards are, as far as it sees them."""
    return lambda read: Reading(read, sees, say, jokers)


class Look(NamedTuple):
    """A reading of certain cards: one argument of a judgment."""

    reading: Reading
    where: Place

    def at(self, seen: Seen) -> Any:
        return self.reading(seen[self.where])


@dataclass(frozen=True, eq=False)
class Judgment:
    """How a spot ends: a pure, total function of what its looks find, onto the outcomes that it lists."""

    looks: tuple[Look, ...]
    outcomes: tuple[Outcome, ...]
    judge: Callable[..., Outcome]
    ordered: Callable[..., Outcome] | None = None
    """Where the first two looks are only compared: the same function of 1, 0 or -1 and what the others find."""

    def outcome(self, seen: Seen) -> Outcome:
        """The live table and the exact count both ask here."""
        return self.judge(*(look.at(seen) for look in self.looks))


def judgment(*looks: Look, ends: tuple[Outcome, ...]) -> Callable[[Callable[..., Outcome]], Judgment]:
    """Makes a judgment of the function below it: from what the looks find to one of the outcomes that it `ends` in."""
    return lambda judge: Judgment(looks, ends, judge)


def showdown(
    mine: Look, other: Look, *more: Look, ends: tuple[Outcome, ...]
) -> Callable[[Callable[..., Outcome]], Judgment]:
    """A judgment of whether one hand beats another: 1, 0 or -1, and of what further looks find."""

    def of(judge: Callable[..., Outcome]) -> Judgment:
        def compare(one: Any, another: Any, *findings: Any) -> Outcome:
            return judge((one > another) - (one < another), *findings)

        return Judgment((mine, other, *more), ends, compare, judge)

    return of


def by_line(look: Look, lines: tuple[Outcome, ...]) -> Judgment:
    """Where the reading finds the line itself."""
    return Judgment((look,), lines, lambda line: line)


@dataclass(frozen=True, eq=False)
class Condition:
    """Whether a step or a choice is due. It can be written down whole, as a judgment can."""

    looks: tuple[Look, ...] = ()
    test: Callable[..., bool] = lambda: True
    chosen: frozenset[str] = frozenset()
    """Where it is about choices: the keys of which one must have been made."""
    unraised: Spot | None = None
    """Where it is about chips: the spot that must be empty."""

    def __call__(self, seen: Seen) -> bool:
        if self.chosen and not any(choice.key in self.chosen for choice in seen.choices):
            return False
        if self.unraised and seen.units(self.unraised):
            return False
        return self.test(*(look.at(seen) for look in self.looks))

    @property
    def is_open(self) -> bool:
        """Whether it always holds."""
        return not (self.looks or self.chosen or self.unraised)


ALWAYS = Condition()


def condition(*looks: Look) -> Callable[[Callable[..., bool]], Condition]:
    """Makes a condition of the function below it: whether a step or a choice is due, by what the looks find."""
    return lambda test: Condition(looks, test)


def chose(*keys: str) -> Condition:
    """Where one of these choices was made before."""
    return Condition(chosen=frozenset(keys))


def unraised(spot: Spot) -> Condition:
    return Condition(unraised=spot)


# Spots for chips


class Stakes(Enum):
    """Whose chips lie on a spot, and when they got there."""

    OWN = "the player's, any amount within the limits, before the deal"
    EQUAL = "the player's, as much as on the spot it belongs to, together with it"
    RAISE = "the player's, laid by a choice, so many times the spot it belongs to"
    RIDING = "nobody's: it pays on the chips of the spot it belongs to, and takes nothing"


class Stake(NamedTuple):
    kind: Stakes
    on: Spot | None = None


OWN = Stake(Stakes.OWN)
equal_to, raised_on, riding_on = (partial(Stake, kind) for kind in (Stakes.EQUAL, Stakes.RAISE, Stakes.RIDING))

_CITED = re.compile(r"\s*§\s*(\d+\.\d+)")


@dataclass(frozen=True, eq=False)
class Spot(table.Spot):
    """One place for chips, one judgment and one table. What no row names, loses."""

    judged: Judgment = field(kw_only=True)
    stake: Stake = OWN
    tables: Mapping[str, Paytable] = field(default_factory=dict)
    """Those that the house may post here, by name; none where the spot has its own rule."""
    cites: str = ""
    """The paragraph that it is paid and taken by, where a row names none."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """The paragraph of a row, by its label."""

    def paragraph(self, outcome: Outcome, pay: Pay) -> str:
        rows = (self.rows.get(pay_of.label, "") for pay_of in and_what_it_pays_as(outcome))
        return next(filter(None, rows), "") or (self.loses if pay.kind is Kind.LOSE else "") or self.cites


def spot(
    title: str,
    judged: Judgment,
    pays: str | Mapping[str, str],
    stake: Stake = OWN,
    *,
    cites: str = "",
    loses: str = "",
) -> Spot:
    """A spot that pays by its own rule, or from one of several tables that the house may post.

    A row may end in its paragraph: `Tie  push § 5.5`; `loses` is that of what no row names, where it is another one.
    """
    texts = {"": pays} if isinstance(pays, str) else pays
    rows: dict[str, str] = {}
    tables = {}
    for name, text in texts.items():
        named = f"{title} {name}".strip()
        tables[name] = Paytable.parse(named, _CITED.sub("", text))
        lines = [part for line in text.splitlines() for part in line.split(";") if part.strip()]
        cited = [_CITED.search(part) for part in lines]
        rows |= {row.label: match[1] for row, match in zip(tables[name].rows, cited, strict=True) if match}
    own = tables.pop("", None)
    key = title.lower().replace(" ", "-")
    paragraphs = {"cites": cites, "loses": loses, "rows": rows}
    return Spot(key, title, own, own is None, judged=judged, stake=stake, tables=tables, **paragraphs)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class ByRanks:
    """A strategy that looks at ranks, and at suits only to see whether a seat's cards are all of one."""

    choose: Callable[[Seen], str]

    def __call__(self, seen: Seen) -> str:
        return self.choose(seen)


# The script


@dataclass(frozen=True, eq=False)
class Choice:
    """One thing a seat may choose: chips that it lays or takes back, and whether it ends the base wager."""

    key: str
    """What a person says: `fold`, `3x`."""
    lays: Spot | None = None
    times: int = 1
    """How many units of the spot that it is raised on; below zero they are taken back."""
    ends: Outcome | None = None
    when: Condition = ALWAYS
    cites: str = ""

    def __str__(self) -> str:
        return self.key


FOLDED = Outcome("Player folds")


def fold(cites: str = "", ends: Outcome = FOLDED) -> Choice:
    """To give the hand up, and with it the base wager."""
    return Choice("fold", ends=ends, cites=cites)


def times(spot: Spot, *multiples: int, cites: str = "") -> tuple[Choice, ...]:
    """`1x`, `2x` ... of the spot that it is raised on."""
    return tuple(Choice(f"{n}x", spot, n, cites=cites) for n in multiples)


@dataclass(frozen=True, eq=False)
class Step:
    """One part of a round, done for those for whom it is due."""

    where: Place
    when: Condition = field(default=ALWAYS, kw_only=True)
    cites: str = field(default="", kw_only=True)
    title: str = field(default="", kw_only=True)
    """What the dealer does, in words, where they are not the usual ones."""


@dataclass(frozen=True, eq=False)
class Deal(Step):
    """So many cards to a place. A draw by rule is a deal of one card `when` it is due."""

    cards: int


@dataclass(frozen=True, eq=False)
class Show(Step):
    """So many of the cards that lie face down at a place are turned up."""

    cards: int


@dataclass(frozen=True, eq=False, init=False)
class Choose(Step):
    """Every seat that has the base wager chooses one of these."""

    choices: tuple[Choice, ...]

    def __init__(self, *choices: Choice, when: Condition = ALWAYS, cites: str = "", title: str = "") -> None:
        for name, value in {"where": SEAT, "when": when, "cites": cites, "title": title, "choices": choices}.items():
            object.__setattr__(self, name, value)

    def options(self, seen: Seen) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.when(seen))


# What is dealt from


@dataclass(frozen=True)
class Deck:
    """Whole decks of these ranks, each in four suits, and so many jokers in each."""

    decks: int = 1
    ranks: Ranks = ALL_RANKS
    jokers: int = 0

    @cached_property
    def cards(self) -> Hand:
        return (*(card for rank in self.ranks for card in CARDS[rank]), *(JOKER,) * self.jokers) * self.decks

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def is_one(self) -> bool:
        """Whether it is one deck without a joker, in which no two cards are alike."""
        return self.decks == 1 and not self.jokers

    def kinds(self, sees: Sees) -> dict[Card, int]:
        """Cards that a rule cannot tell apart, by one of them: how many there are."""
        jokers = {JOKER: self.jokers * self.decks} if self.jokers else {}
        if sees is Sees.RANKS:
            return {CARDS[rank][0]: 4 * self.decks for rank in self.ranks} | jokers
        return dict.fromkeys((card for rank in self.ranks for card in CARDS[rank]), self.decks) | jokers

    def classes(self, size: int, sees: Sees, gone: frozenset[Card] = frozenset()) -> Iterator[HandClass]:
        """Hands that a rule cannot tell apart, of one deck: those without a joker, then those with one, and so on.
        Of a deck without some cards they are the same, some of them with no hand left."""
        assert self.decks == 1 or sees is Sees.RANKS, "of several decks a hand may hold a card twice"
        for jokers in range(min(self.jokers, size) + 1):
            every = classes(size - jokers, sees, self.ranks)
            left = (
                hands_left(size - jokers, sees, self.ranks, gone)
                if gone
                else (hand_class.hands for hand_class in every)
            )
            for hand_class, hands in zip(every, left, strict=True):
                yield HandClass((*hand_class.hand, *(JOKER,) * jokers), hands * comb(self.jokers, jokers))

    def some_hands(self, size: int, sees: Sees) -> Iterator[Hand]:
        """One hand or more of all that a rule could tell apart, with however many decks."""
        if self.decks == 1 or sees is Sees.RANKS:
            yield from (hand_class.hand for hand_class in self.classes(size, sees))
            return
        for hand in combinations_with_replacement(dict.fromkeys(self.cards), size):
            if all(hand.count(card) <= self.cards.count(card) for card in {*hand}):
                yield hand

    @property
    def written(self) -> list[object]:
        """For digests, in which a deck without jokers is written as it always was."""
        return [self.decks, [int(rank) for rank in self.ranks], *([self.jokers] if self.jokers else [])]
