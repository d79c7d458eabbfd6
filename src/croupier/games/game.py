"""A game at a table: what every game has, however its cards are dealt."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.games.felt import Felt
from croupier.games.paytable import Paytable, Row, plain_label
from croupier.games.rulebook import introduction
from croupier.games.wager import Spot, Wager, wager_key

if TYPE_CHECKING:
    from croupier.games.table.offering import TableOffering


class DefinitionError(CroupierError):
    """A game whose definition is not whole; it is not in the catalogue until it is."""


def faults_of_wagers(wagers: Iterable[Wager]) -> Iterator[str]:
    """What is wrong with the wagers of a game, a sentence each."""
    spots: set[str] = set()
    for wager in wagers:
        for spot in wager.spots:
            if spot.key in spots:
                yield f"the spot {spot.key!r} is there twice: each has a key of its own."
            spots.add(spot.key)
        if not wager.paytables:
            yield f"{wager.title} has no table that a house could post."
        for name, paytable in wager.paytables.items():
            try:
                wager.prices(paytable)
            except CroupierError as error:
                yield f"the paytable {name} of {wager.title} does not fit its outcomes ({str(error).rstrip('.')})."


@dataclass(frozen=True)
class Texts:
    """What a game says of itself on pages; where it says nothing, its page of the rulebook does."""

    about: str = ""
    """For whoever looks for a game to play."""
    how: str = ""
    """For whoever sits down at its table for the first time."""
    deal: str = ""
    """For whoever learns to deal it."""


@dataclass(frozen=True)
class Part:
    """One part of the procedure that a dealer learns, the key for it, and the paragraph that has it there."""

    name: str
    label: str
    key: str
    paragraph: str
    asks: bool = False
    """Whether players are asked in it: a wager that is settled then, is settled by what its player did."""


@dataclass(frozen=True)
class Handled:
    """What no engine sees a dealer do: the calls, where cards and chips are put, what is done when something fails."""

    part: str
    """Of the procedure: where it is asked."""
    kind: str
    """Of `table.questions.Kind`: mistakes are counted by it."""
    ask: str
    right: str
    wrong: tuple[str, ...]
    paragraph: str
    seat: int | None = None
    about: str = ""
    """It is asked once in a lesson: what it is about, where the words of the question differ from time to time."""


@dataclass(frozen=True)
class Slip:
    """Something a dealer may do wrong with the own cards, and the wager as it is then settled."""

    words: str
    wager: str
    settled: Wager


FIGURES = ("house_edge", "element_of_risk", "staked", "hit_frequency")
"""What may be published of a wager: `staked` is in units of the first wager, the others are shares."""


@dataclass(frozen=True)
class Published:
    """A figure that somebody has published about a wager: `verify` sets the counted one beside it."""

    source: str
    wager: str
    paytable: str
    figure: str
    text: str
    """As it was published: `3.37%`, or `3.59` units."""
    strategy: str = ""
    """For whom, where it is not the best play."""
    known: str = ""
    """Why it is known to differ, which counting confirms: `cut`, or `one-too-high` in its last place."""
    note: str = ""


def published(source: str, wager: str, figure: str, *texts: str, strategy: str = "") -> tuple[Published, ...]:
    """The figure of each paytable of a wager, from the first on."""
    tables = enumerate(texts, start=1)
    return tuple(Published(source, wager, str(number), figure, text, strategy) for number, text in tables)


@dataclass(frozen=True, eq=False)
class TableGame(ABC):
    """What every game has, however its cards are dealt; the first wager is its base."""

    key: str
    title: str
    document: str
    seats: int
    wagers: tuple[Wager, ...]
    options: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """What the house may switch on, with the sentence that says what it does."""
    cites: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """Paragraphs of the rulebook by kind of event: `{"deal": "3.3", "void": "9.2"}`; what is left out cites nothing.
    A trainer asks for the `call` that closes betting, the `exchange` of a shuffler in steps, and where the cards of a
    seat that gave up are `tucked` while its other wagers stay, where there is a paragraph of it."""
    parts: tuple[Part, ...] = field(default=(), kw_only=True)
    """The procedure in its order, for whoever learns to deal; `History.part` says which one an event belongs to."""
    handling: tuple[Handled, ...] = field(default=(), kw_only=True)
    """What whoever learns to deal is asked in every round beside what the round itself shows."""
    texts: Texts = field(default=Texts(), kw_only=True)
    felt: Felt = field(default=Felt(), kw_only=True)
    """What is printed on its cloth."""
    sample: Hand = field(default=(), kw_only=True)
    """A hand that stands for the game where games are shown."""
    strategies: Mapping[str, Callable[[Any], str]] = field(default_factory=dict, kw_only=True)
    """Ways of deciding that a person could follow, by name: from a seat's hand, or what it has seen, to a choice."""
    published: tuple[Published, ...] = field(default=(), kw_only=True)
    """Figures that others have published about it; what a rule document prints is with the documents."""
    slips: tuple[Slip, ...] = field(default=(), kw_only=True)
    """What a dealer may do wrong that changes who wins: their cost is counted."""
    placards: tuple[str, ...] = field(default=(), kw_only=True)
    """Rules that one may begin with, in a game that has a choice of them."""
    usual: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    """How pages open a table where nobody has set it otherwise, as fields of their form; else it is offered plainly."""

    @property
    def decks(self) -> int:
        """How many decks it is dealt from."""
        return 1

    @property
    def jokers(self) -> int:
        """How many jokers each of them has."""
        return 0

    def under(self, words: str, decks: int | None = None) -> TableGame:
        """The game under the rules that these words of a placard say, with so many decks; else under its usual ones."""
        if words.strip() or decks is not None:
            asked_words = repr(words[:40]) if words.strip() else f"{decks} decks"
            raise NotationError(f"{self.title} takes no rules and no decks, as {asked_words}: it has one set of them.")
        return self

    def with_options(self, options: Iterable[str]) -> TableGame:
        """The game as it is with these house options, of which one that it does not have is refused."""
        for option in sorted(set(options).difference(self.options)):
            raise UnknownName(f"house option of {self.title}", option, self.options)
        return self

    def own_pays(self, spot: str) -> tuple[Row, ...]:
        """What a spot pays beside the posted paytable, as far as it can come about under these rules."""
        rules = self.spots[spot][1].rules
        return rules.rows if rules else ()

    @property
    def cloth(self) -> Felt:
        """What is printed under the rules it is dealt by: its own felt, where rules are not printed on it."""
        return self.felt

    @property
    def options_read(self) -> tuple[str, ...]:
        """The house options that its wagers are read by."""
        return ()

    @property
    def placard(self) -> str:
        """All words of its rules, in a game that has a choice of them; nothing in one that has not."""
        return ""

    @property
    def short_placard(self) -> str:
        """The placard in short: what a person writes for these rules."""
        return ""

    @property
    def in_words(self) -> str:
        """The placard, as a person reads it."""
        return ""

    def decks_of(self, wager: Wager) -> tuple[int, ...]:
        """With how many decks a wager may be offered; nothing where there is no choice."""
        return ()

    def by_rules(self, wager: Wager) -> bool:
        """Whether a wager pays as the placard says, so that there is no paytable of it to change."""
        return False

    def read_seen(self, text: str) -> Any:
        """What a seat knows, from cards as a person types them: what the analyst rates."""
        from croupier.games.table.shown import SEAT, Seen

        return Seen({SEAT: parse_cards(text)})

    @property
    def positions_to_try(self) -> tuple[str, ...]:
        """Positions of which one may ask what each choice is worth, as a person types them."""
        return (format_cards(self.sample),) if self.sample else ()

    def taught(
        self, pick: Callable[[int], int], rules: str = "", paytables: Mapping[str, Paytable] | None = None
    ) -> TableOffering:
        """The table that a dealer learns at, under these rules and paytables or the usual ones: what it has one of, or
        does one way or another, is picked."""
        return self.under(rules).offer(paytables)

    @property
    def about(self) -> str:
        """For whoever looks for a game: its own text, or how its page of the rulebook opens."""
        return self.texts.about or introduction(self.key)

    @property
    def how(self) -> str:
        """For whoever sits down for the first time."""
        return self.texts.how or introduction(self.key)

    @property
    def how_to_deal(self) -> str:
        """For whoever learns to deal it."""
        return self.texts.deal or self.about

    @property
    def optional(self) -> frozenset[str]:
        """Wagers that a house offers only where it says so; the others it offers but where it says not."""
        return frozenset()

    @property
    @abstractmethod
    def offering_kind(self) -> type[TableOffering]:
        """What an offering of this game is made of."""

    def offer(
        self,
        paytables: Mapping[str, Paytable] | None = None,
        *,
        options: Collection[str] = (),
        without: Collection[str] = (),
        side_wagers: Collection[str] = (),
        **terms: Any,
    ) -> TableOffering:
        """The game as one house offers it; `terms` are limits, spot_limits, rounding and seats.

        Of wagers that are `optional` those that are named as `side_wagers`, of the others all that it is not `without`.
        """
        for key in side_wagers:
            if key not in self.optional:
                raise UnknownName(f"side wager of {self.title}", key, sorted(self.optional))
        left_out = self.optional - frozenset(side_wagers) | frozenset(self.wager(key).key for key in without)
        return self.offering_kind(self, paytables or {}, options=frozenset(options), left_out=left_out, **terms)

    def wager(self, key: str) -> Wager:
        for wager in self.wagers:
            if wager.key == wager_key(key):
                return wager
        raise UnknownName(f"wager of {self.title}", key, [wager.key for wager in self.wagers])

    def strategy_named(self, name: str, *others: str) -> str:
        """One of its strategies or of these other words; `house way` may be written `house-way` or `House Way`."""
        known = (*others, *self.strategies)
        for strategy in known:
            if plain_label(strategy) == plain_label(name):
                return strategy
        raise UnknownName(f"strategy for {self.title}", name, known)

    @property
    @abstractmethod
    def has_decisions(self) -> bool:
        """Whether a player decides anything once the cards are out."""

    @property
    def procedure(self) -> list[object]:
        """What beside its wagers makes the game: part of what a digest is taken of."""
        return [self.key, self.seats]

    def procedure_with(self, spots: frozenset[str]) -> list[object]:
        """The same of a table that has these spots, and no others."""
        return self.procedure

    @cached_property
    def procedure_digest(self) -> str:
        """SHA-256 over the procedure, as an approval is filed with it."""
        return hashlib.sha256(json.dumps(["croupier procedure 1", self.procedure]).encode()).hexdigest()

    @cached_property
    def spots(self) -> dict[str, tuple[Wager, Spot]]:
        """Every place for chips, by its key, and the wager it belongs to."""
        return {spot.key: (wager, spot) for wager in self.wagers for spot in wager.spots}

    @cached_property
    def cited(self) -> dict[str, str]:
        """Every paragraph that its rounds may cite, and who cites it."""
        cited = {number: f"the event {kind!r}" for kind, number in self.cites.items()}
        for wager in self.wagers:
            cited |= {outcome.cites: f"the outcome {outcome.label!r}" for outcome in wager.outcomes if outcome.cites}
            cited |= {
                number: f"the spot {spot.title}" for spot in wager.spots for number in (spot.wins, spot.loses) if number
            }
        return cited

    @cached_property
    def betting_spots(self) -> tuple[str, ...]:
        """The spots a player may bet on before the deal."""
        return tuple(key for key in self.spots if key not in self.later_spots)

    def laid_with(self, spot: str) -> tuple[str, ...]:
        """The spots that get the same chips with one bet on this one, itself included."""
        return (spot,)

    @property
    @abstractmethod
    def later_spots(self) -> frozenset[str]:
        """The spots that are only filled once cards are out."""
