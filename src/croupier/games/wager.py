"""A wager: what it looks at, how it can end, and what each ending pays.

Settling names the outcome, the paytable prices it. The outcomes are as fine as any paytable may want to
tell them apart, so a house can move its rows without moving a single count.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from croupier.cards.card import Hand
from croupier.cards.symmetry import Sees
from croupier.errors import NotationError, PaytableError, UnknownName
from croupier.games.paytable import LOSE, Kind, Pay, Paytable, Row, plain_label


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager can end."""

    label: str
    score: int | None = None
    """Paytable rows of scores, as `1 to 5`, cover the outcomes with these scores."""
    pays_as: Outcome | None = None
    """Which line it is where a paytable has no row of its own for it."""
    also: tuple[str, ...] = ()
    """Wider lines that cover it together with others: `Three 7's - Same Suit`."""
    note: str = field(default="", compare=False)
    """What the felt's footnote says of it, where the label alone does not tell: of `Win by 10`."""
    cards: str = field(default="", compare=False)
    """Cards that make one such hand, where a wall or a placard draws it."""
    cites: str = ""
    """The paragraph of the rulebook that a wager ends so by; nothing where its spot says it."""

    def __hash__(self) -> int:
        return hash(self.label)  # outcomes are looked up often, and their labels tell them apart

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, eq=False)
class Reading:
    """A rule that reads one hand: a pure function that only looks at what it says it sees."""

    name: str
    size: int
    sees: Sees
    read: Callable[[Hand], Hashable]

    def __call__(self, hand: Hand) -> Any:
        return self.read(hand)


@dataclass(frozen=True, eq=False)
class Choice:
    """One thing a player may decide, how the hand then reads, and how it fares against the dealer's."""

    key: str
    reading: Reading
    judge: Callable[[Any, Any], Outcome]


@dataclass(frozen=True, eq=False)
class AgainstDealer:
    """The seat's hand is judged against the dealer's; one choice where there is nothing to decide."""

    choices: tuple[Choice, ...]
    dealer: Reading


@dataclass(frozen=True, eq=False)
class OnHand:
    """The outcome is read from the seat's own hand, or from it and the dealer's taken together."""

    reading: Reading
    with_dealer: bool = False


class Fact(StrEnum):
    """What a blackjack side wager looks at beside some cards."""

    DEALER_BLACKJACK = "whether the dealer has a blackjack"
    UP_CARD = "the dealer's up card"
    THIRD_CARD = "the player's third card, if there is one"
    DEALER_TOTAL = "the dealer's final total, if the dealer plays"
    NOTHING = "nothing else"
    DEALERS_TWO = "the dealer's first two cards, as the wager reads them"
    OTHER_HAND = "the first two cards of the seat's other hand, as the wager reads them"
    DEALER_HAND = "the dealer's hand, which is played to its end for it: its total, and how far its suits agree"


class Alike(IntEnum):
    """How far the suits of some cards agree."""

    NOT = 0
    COLOR = 1
    SUIT = 2


@dataclass(frozen=True, eq=False)
class OnDeal:
    """The outcome is read from one seat's first cards (or the dealer's up card) and one more fact."""

    fact: Fact
    judge: Callable[[Hand, Any], Outcome]
    dealers: Reading | None = None
    """How the dealer's first two cards, or those of the seat's other hand, are read, where they are the fact."""


@dataclass(frozen=True)
class OnScript:
    """The outcome is judged spot by spot, as the game's script says."""


@dataclass(frozen=True)
class Spot:
    """A place on the felt for chips. Its own rules hold where the posted paytable has no row."""

    key: str
    title: str
    rules: Paytable | None = None
    posted: bool = True
    """Whether the posted paytable pays on this spot."""
    wins: str = ""
    loses: str = ""
    """The paragraphs by which it is paid and taken, where an outcome does not cite one of its own."""
    pays: str = ""
    """The paragraph that says how much, where that is another one."""
    turn: str = ""
    """The paragraph that says when it is settled."""
    plain: bool = False
    """Of a side wager: whether it just wins, loses or pushes, without a line of a paytable to find."""
    by_worth: bool = True
    """Whether what the hand is worth against the dealer's has to do with it."""

    def paragraph(self, outcome: Outcome, pay: Pay) -> str:
        """What a settlement here cites; nothing where the definition says nothing, which stops no settlement."""
        return outcome.cites or (self.loses if pay.kind is Kind.LOSE else self.wins)


class Price(NamedTuple):
    """What an outcome is worth: the row it falls on, and the pay on each spot."""

    row: str
    pays: tuple[Pay, ...]
    net: Fraction
    """The player's exact result, in units of the first spot's wager."""
    staked: int
    """How many units were at stake."""

    @classmethod
    def of(cls, row: str, pays: tuple[Pay, ...]) -> Price:
        return cls(row, pays, sum((pay.net for pay in pays), Fraction(0)), sum(pay.staked for pay in pays))


class OnSign(NamedTuple):
    """What hangs on the table about a wager: a line for each row, with the pay on each of these spots."""

    title: str
    spots: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Pay, ...]], ...]


@dataclass(frozen=True, eq=False)
class Wager:
    """A wager of a game, with the paytables its document approves."""

    key: str
    title: str
    basis: AgainstDealer | OnHand | OnDeal | OnScript
    outcomes: tuple[Outcome, ...]
    paytables: Mapping[str, Paytable]
    spots: tuple[Spot, ...]
    mandatory: bool = False
    rows_are: str = ""
    """What the rows of its paytable are, where they are not hands: `Dealer's up card`."""
    row_says: str = ""
    """How a row is read that is named by a number alone: `{row} points`."""
    table_by_rules: bool = False
    """Whether the placard says which of its paytables is posted."""

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """What the player may decide; empty where nothing is."""
        if not isinstance(self.basis, AgainstDealer) or len(self.basis.choices) == 1:
            return ()
        return tuple(choice.key for choice in self.basis.choices)

    def outcome(self, seat: Hand, dealer: Hand, choice: str | None = None) -> Outcome:
        """How the wager ends with these cards: the live table and the exact count both ask here."""
        if isinstance(self.basis, OnHand):
            outcome: Outcome = self.basis.reading(seat + dealer if self.basis.with_dealer else seat)
            return outcome
        assert isinstance(self.basis, AgainstDealer), "a wager on the deal is settled by its own round"
        chosen = next(c for c in self.basis.choices if choice in (c.key, None))
        return chosen.judge(chosen.reading(seat), self.basis.dealer(dealer))

    def prices(self, paytable: Paytable, meters: Mapping[str, Fraction] | None = None) -> dict[Outcome, Price]:
        """What every outcome pays under this paytable; a row that fits no outcome is refused.

        Where meters are given, in wagers, a share is priced at what it comes to.
        """
        priced = _prices(self, paytable)
        return dict(priced) if meters is None else {outcome: _at(price, meters) for outcome, price in priced.items()}

    def _all_prices(self, paytable: Paytable) -> dict[Outcome, Price]:
        posted = match_rows(self, paytable)
        for outcome, row in posted.items():
            reason = self._why_not(outcome, row.pay)
            if reason:
                raise PaytableError(f"{row.label!r} {reason}", line=row.line, source=paytable.name)
        prices: dict[tuple[str, tuple[int, ...]], Price] = {}
        return {outcome: self._price(outcome, posted, prices) for outcome in self.outcomes}

    def on_sign(self, paytable: Paytable) -> tuple[OnSign, ...]:
        """What it pays, as a person reads it; of a wager with one spot only what does not lose."""
        lines = dict.fromkeys((price.row, price.pays) for price in self.prices(paytable).values())
        alone = len(self.spots) == 1
        rows = ((row, pays) for row, pays in lines if not alone or pays[0].kind is not Kind.LOSE)
        return (OnSign(self.title, tuple(spot.title for spot in self.spots), tuple(rows)),)

    def footnotes(self, prices: Mapping[Outcome, Price]) -> dict[str, str]:
        """By row, what stands below the pays wherever they are shown."""
        return {price.row: outcome.note for outcome, price in prices.items() if outcome.note}

    @cached_property
    def hands_in_cards(self) -> dict[str, list[str]]:
        """By row of its paytables, the cards of one such hand, where an outcome of that row names some."""
        rows = [matched for table in self.paytables.values() for matched in match_rows(self, table).items()]
        return {row.label: outcome.cards.split() for outcome, row in reversed(rows) if outcome.cards}

    def _why_not(self, outcome: Outcome, pay: Pay) -> str | None:
        """Why this outcome cannot be paid so, whatever the house wants."""
        if not pay.staked:
            return "must pay, push or lose: the wager was made."
        if pay.kind is Kind.SHARE and not self.progressive:
            return f"cannot pay {pay}: {self.title} has no meter."
        if outcome in self._without_wager:
            return "has no wager that could be paid: leave the row out."
        return None

    @cached_property
    def progressive(self) -> bool:
        """Whether some of its approved pays are shares of a meter."""
        return any(row.pay.kind is Kind.SHARE for table in self.paytables.values() for row in table.rows)

    def _price(
        self, outcome: Outcome, posted: Mapping[Outcome, Row], prices: dict[tuple[str, tuple[int, ...]], Price]
    ) -> Price:
        row = next((posted[o] for o in and_what_it_pays_as(outcome) if o in posted), None)
        pays = tuple(row.pay if row and spot.posted else self._by_rule(spot, outcome) for spot in self.spots)
        # Outcomes on one row share their price.
        label = row_label(outcome, row)
        key = label, tuple(map(id, pays))
        if key not in prices:
            prices[key] = Price.of(label, pays)
        return prices[key]

    def _by_rule(self, spot: Spot, outcome: Outcome) -> Pay:
        return self._rule_pays[spot.key].get(outcome, LOSE)

    @cached_property
    def _rule_pays(self) -> dict[str, dict[Outcome, Pay]]:
        matched = {spot.key: match_rows(self, spot.rules) if spot.rules else {} for spot in self.spots}
        return {key: {outcome: row.pay for outcome, row in rows.items()} for key, rows in matched.items()}

    @cached_property
    def _without_wager(self) -> frozenset[Outcome]:
        """Where nothing lies on a posted spot, so that there is nothing to pay."""
        posted = [spot for spot in self.spots if spot.posted]
        return frozenset(o for o in self.outcomes if any(not self._by_rule(spot, o).staked for spot in posted))


@lru_cache(maxsize=256)  # every round that is opened or read asks for those of all wagers of its table
def _prices(wager: Wager, paytable: Paytable) -> dict[Outcome, Price]:
    return wager._all_prices(paytable)


def _at(price: Price, meters: Mapping[str, Fraction]) -> Price:
    pays = tuple(pay.from_meter(meters[pay.meter]) if pay.kind is Kind.SHARE else pay for pay in price.pays)
    return Price.of(price.row, pays)


def and_what_it_pays_as(outcome: Outcome) -> list[Outcome]:
    chain = [outcome]
    while chain[-1].pays_as:
        chain.append(chain[-1].pays_as)
    return chain


def row_label(outcome: Outcome, row: Row | None) -> str:
    """The line a person reads: the row's own words, with what the scores belong to."""
    if row is None or outcome.score is None:
        return row.label if row else outcome.label
    return f"{outcome.label.removesuffix(str(outcome.score))}{row.label}"


def match_rows(wager: Wager, paytable: Paytable) -> dict[Outcome, Row]:
    """Which row of a paytable each outcome falls on; a row that fits none, or one taken already, is refused."""
    matched: dict[Outcome, Row] = {}
    for row in paytable.rows:
        for outcome in _outcomes_of(row, wager, paytable.name):
            if outcome in matched:
                raise PaytableError(
                    f"{row.label!r} and {matched[outcome].label!r} both cover {outcome.label!r}.",
                    line=row.line,
                    source=paytable.name,
                )
            matched[outcome] = row
    return matched


def _outcomes_of(row: Row, wager: Wager, source: str) -> list[Outcome]:
    named = [o for o in wager.outcomes if plain_label(o.label) == plain_label(row.label)]
    named = named or [o for o in wager.outcomes if plain_label(row.label) in map(plain_label, o.also)]
    if named:
        return named
    scores = [outcome.score for outcome in wager.outcomes if outcome.score is not None]
    span = re.fullmatch(r"(\d{1,6})(?:\s*(?:to|-|–)\s*(\d{1,6}))?", row.label, re.ASCII)
    if span and scores:
        low, high = int(span[1]), int(span[2] or span[1])
        if not min(scores) <= low <= high <= max(scores):
            raise PaytableError(
                f"{row.label!r} is no span of scores from {min(scores)} to {max(scores)}.",
                line=row.line,
                source=source,
            )
        return [outcome for outcome in wager.outcomes if outcome.score in range(low, high + 1)]
    raise PaytableError(_no_such_line(row, wager), line=row.line, source=source)


def _no_such_line(row: Row, wager: Wager) -> str:
    labels = [o.label for o in wager.outcomes if o.score is None]
    spans = [str(o.score) for o in wager.outcomes if o.score is not None]
    near = difflib.get_close_matches(row.label.lower(), [label.lower() for label in labels], n=1, cutoff=0.6)
    if near:
        return f"{wager.title} has no line {row.label!r}; did you mean {near[0]!r}?"
    allowed = labels + ([f"scores {spans[0]} to {spans[-1]}"] if spans else [])
    return f"{wager.title} has no line {row.label!r}; there are: {', '.join(allowed)}."


FindPaytable = Callable[[Wager, str], Paytable]
"""Who asks says where paytables of one's own come from: a file on the command line, none over the network."""


def approved_paytable(wager: Wager, name: str) -> Paytable:
    """The wager's paytable of that name, and no other."""
    if name not in wager.paytables:
        raise UnknownName(f"paytable of {wager.title}", name, wager.paytables)
    return wager.paytables[name]


def wager_missing(paytable: str, wagers: Iterable[Wager]) -> NotationError:
    """A paytable was named, and not the wager whose it is."""
    names = ", ".join(wager.key for wager in wagers)
    sentence = f"{{paytable}} {paytable} needs the wager it belongs to: name one of {names}."
    return NotationError(sentence, fields=["paytable"])


def wager_key(name: str) -> str:
    """The key of a wager, however a person writes it: Bet the Bust is bet-the-bust."""
    return name.strip().lower().replace(" ", "-")


def paytable_name(wager: Wager, name: str, paytable: Paytable) -> str:
    """An approved one goes by its ID, one's own by the name it was given."""
    return name if name in wager.paytables else paytable.name
