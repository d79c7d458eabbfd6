"""A table game as data: a deck, a script of steps, and wagers. Everything else is made from this."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, TypeGuard

from croupier.cards.card import Hand, parse_cards
from croupier.errors import NotationError
from croupier.games.game import Part, TableGame
from croupier.games.paytable import Paytable
from croupier.games.script.language import (
    BURNED,
    Choice,
    Choose,
    Condition,
    Deal,
    Deck,
    Judgment,
    Look,
    Place,
    Seen,
    Show,
    Spot,
    Stakes,
    Step,
)
from croupier.games.script.wager import BASIS, ScriptWager, endings
from croupier.games.table.history import CLOSE, COLLECT, DEAL, DECIDE, REVEAL, SETTLE
from croupier.games.table.questions import Question
from croupier.games.tabulate import priced_digest
from croupier.games.wager import Outcome, Wager

if TYPE_CHECKING:
    from croupier.games.table.offering import TableOffering

Strategy = Callable[[Seen], str]
_KIND_OF_STEP: dict[type[Step], str] = {Deal: DEAL, Show: REVEAL, Choose: DECIDE}


@dataclass(frozen=True, eq=False)
class ScriptGame(TableGame):
    """All of a game. The first wager is its base, about which seats choose; wagers are paid in their order."""

    wagers: tuple[ScriptWager, ...]
    deck: Deck = field(kw_only=True)
    script: tuple[Step, ...] = field(kw_only=True)
    order: tuple[str, ...] = field(default=(), kw_only=True)
    """Spots in the order the dealer pays and takes, where it is not that of the wagers."""
    chart: Look | None = field(default=None, kw_only=True)
    """What tells kinds of hands apart where a strategy is put on one page, with however many cards there are yet."""
    asks: tuple[Callable[[Hand], Question], ...] = field(default=(), kw_only=True)
    """What whoever turns up the dealer's cards is asked."""

    def __post_init__(self) -> None:
        from croupier.games.script.check import check

        check(self)
        cited = {kind: number for kind, number in _cites(self.script) if number}
        object.__setattr__(self, "cites", {**cited, **self.cites})
        if not self.parts:
            object.__setattr__(self, "parts", tuple(_parts(self)))

    @cached_property
    def parts_of_steps(self) -> dict[Step, str]:
        """The part of the procedure that each step belongs to: deals that follow one another are one part."""
        parts: dict[Step, str] = {}
        before: Step | None = None
        times: dict[str, int] = {}
        for step in self.script:
            kind = _KIND_OF_STEP[type(step)]
            if not (before and kind == DEAL == _KIND_OF_STEP[type(before)]):
                times[kind] = times.get(kind, 0) + 1
            parts[step] = kind if times[kind] == 1 else f"{kind}-{times[kind]}"
            before = step
        return parts

    @property
    def offering_kind(self) -> type[TableOffering]:
        from croupier.games.script.round import ScriptOffering

        return ScriptOffering

    @property
    def decks(self) -> int:
        return self.deck.decks

    @property
    def jokers(self) -> int:
        return self.deck.jokers

    @property
    def base(self) -> ScriptWager:
        return self.wagers[0]

    @property
    def has_decisions(self) -> bool:
        return bool(self.base.steps)

    @cached_property
    def later_spots(self) -> frozenset[str]:
        """Those that a player does not bet on: chips come there by a choice or with another spot, or never."""
        return frozenset(spot.key for wager in self.wagers for spot in wager.spots if spot.stake.kind is not Stakes.OWN)

    def laid_with(self, spot: str) -> tuple[str, ...]:
        wager, _ = self.spots[spot]
        return tuple(spot.key for spot in wager.spots if spot.stake.kind in (Stakes.OWN, Stakes.EQUAL))  # type: ignore[attr-defined]

    @cached_property
    def cited(self) -> dict[str, str]:
        """Every paragraph that its rounds may cite, and who cites it."""
        cited = {number: f"the event {kind!r}" for kind, number in self.cites.items()}
        for number, step in enumerate(self.script, start=1):
            cited |= {step.cites: f"step {number} of the script"} if step.cites else {}
            for choice in step.choices if isinstance(step, Choose) else ():
                cited |= {choice.cites: f"the choice {choice.key!r}"} if choice.cites else {}
        for spot in (spot for wager in self.wagers for spot in wager.spots):
            cited |= {number: f"the row {label!r} of {spot.title}" for label, number in spot.rows.items()}
            cited |= {number: f"the spot {spot.title}" for number in (spot.cites, spot.loses) if number}
        return cited

    def read_seen(self, text: str) -> Seen:
        """What a seat sees: `Ah Kd`, or with common cards and choices as they came, `Ah Kd 3x 9c`.

        Cards go where the script deals them; a choice that is not said is the first one that goes on.
        """
        known = {choice.key for step in self.base.steps for choice in step.choices}
        keys = "|".join(re.escape(key) for key in sorted(known, key=len, reverse=True))
        plain = " ".join(text.lower().replace(",", " ").split())
        tokens = re.findall(rf"(?:{keys})(?!\S)|\S+" if keys else r"\S+", plain)
        dealt = " ".join(word for word in tokens if word not in known)
        try:
            cards = list(parse_cards(dealt, decks=self.decks, jokers=self.jokers))
        except NotationError as error:
            raise NotationError(f"{str(error).removesuffix('.')}; {self.positions}.") from error
        words, seen = [word for word in tokens if word in known], Seen()
        for step in self.script:
            if not cards:
                break
            if isinstance(step, Choose) and step.when(seen):
                goes_on = next(choice for choice in step.choices if not choice.ends)
                named = [choice for choice in step.choices if words[:1] == [choice.key]]
                seen, words = seen.after(named[0] if named else goes_on), words[1:] if named else words
            elif isinstance(step, Deal | Show) and not step.where.is_down and step.when(seen):
                if len(cards) < step.cards:
                    raise NotationError(f"{text!r} is no position of {self.title}: {self.positions}.")
                seen, cards = seen.with_cards(step.where, tuple(cards[: step.cards])), cards[step.cards :]
        if cards or words or seen.ended:
            raise NotationError(f"{text!r} is no position of {self.title}: {self.positions}.")
        return seen

    @property
    def positions(self) -> str:
        """How positions are written, in words."""
        dealt = [f"{step.cards} to the {step.where.name}" for step in self.script if _is_up(step)]
        goes_on = dict.fromkeys(c.key for step in self.base.steps for c in step.choices if not c.ends)
        between = f", and between them one may say what was chosen ({', '.join(goes_on)})" if goes_on else ""
        return f"cards come {', then '.join(dealt)}{between}"

    @property
    def dealt_in_words(self) -> str:
        """What leaves the shoe in a round, in its order; what lies face down is told when it is turned."""
        dealt = []
        for step in self.script:
            due = "" if step.when.is_open else " where due"
            if isinstance(step, Deal) and step.where == BURNED:
                dealt.append(f"{step.cards} burned{due}")
            elif _is_up(step):
                dealt.append(f"{step.cards} to the {step.where.name}{due}")
        return f"cards come {', then '.join(dealt)}"

    @property
    def positions_to_try(self) -> tuple[str, ...]:
        """The sample hand, and where a seat is asked again the same with a choice and a card more."""
        first = super().positions_to_try
        if not self.sample or len(self.base.steps) < 2 or not self.deck.is_one:
            return first
        goes_on = [choice.key for choice in self.base.steps[0].choices if not choice.ends]
        card = next(card for card in self.deck.cards if card.rank not in {card.rank for card in self.sample})
        return (*first, f"{first[0]} {goes_on[-1]} {card}")

    def words(self, seen: Seen, where: Place) -> str:
        """What is said of the cards at a place: what the base wager's rule finds in them, once they are all there."""
        words = []
        for look in self.base.spots[0].judged.looks:
            names = look.where.names
            theirs = where.name in names if where.is_seats else names == {where.name}
            if theirs and len(seen[look.where]) == cards_of(self, look):
                words.append(look.reading.say(look.at(seen)))
        return ", ".join(filter(None, words))

    @cached_property
    def settling_order(self) -> tuple[str, ...]:
        return self.order or tuple(spot.key for wager in self.wagers for spot in wager.spots)

    @property
    def procedure(self) -> list[object]:
        return [*super().procedure, "script", self.written]

    @cached_property
    def written(self) -> list[object]:
        """The deck and the script in a form that only a change of the rules changes."""
        return [self.deck.written, list(self.settling_order), [_written(self, step) for step in self.script]]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many cards lie face up at a place when all was dealt."""
        sizes: dict[str, int] = {}
        for step in self.script:
            if isinstance(step, Show) or (isinstance(step, Deal) and not step.where.is_down):
                sizes[step.where.name] = sizes.get(step.where.name, 0) + step.cards
        return sizes

    @cached_property
    def singled(self) -> frozenset[str]:
        """Places that some rule reads card by card."""
        return frozenset(name for look in self.all_looks for name, _, stop in look.where.parts if stop is not None)

    @cached_property
    def all_looks(self) -> tuple[Look, ...]:
        """All that any rule of the game looks at."""
        judged = (look for wager in self.wagers for look in wager.looks)
        return tuple(
            dict.fromkeys((*judged, *(look for condition in conditions(self.script) for look in condition.looks)))
        )


def _cites(script: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """The paragraphs that the steps name, by kind of event; the first of a kind is the usual one."""
    for step in reversed(script):
        match step:
            case Choose():
                yield "decide", step.cites
                yield from (("collect", choice.cites) for choice in step.choices if choice.ends)
            case Show():
                yield "reveal", step.cites
            case Deal():
                yield "deal", step.cites
                yield "to-seat" if step.where.is_seats else "to-dealer", step.cites


def _parts(game: ScriptGame) -> Iterator[Part]:
    """The procedure that a dealer learns, where the definition says no other."""
    cites, named = game.cites, {name: step for step, name in reversed(game.parts_of_steps.items())}
    yield Part(CLOSE, "Call “No more bets”", "c", cites.get("no-more-bets", ""))
    collects = any(choice.ends for step in game.base.steps for choice in step.choices)
    keys = iter("123456789")
    for name, step in sorted(named.items(), key=lambda part: game.script.index(part[1])):
        kind = _KIND_OF_STEP[type(step)]
        alone = sum(type(other) is type(step) for other in named.values()) == 1
        key = _KEYS[kind] if alone or kind == DEAL == name else next(keys)
        yield Part(name, _label(game, step, kind, alone=alone), key, step.cites, asks=kind == DECIDE)
        if kind == DECIDE and collects:
            yield Part(COLLECT, "Collect what was given up", "f", cites.get(COLLECT, ""))
            collects = False
    yield Part(SETTLE, "Pay and take", "s", cites.get("from-the-right", ""))


_KEYS = {DEAL: "d", DECIDE: "p", REVEAL: "t"}
_NTH = ("first", "second", "third", "fourth", "fifth")


def _label(game: ScriptGame, step: Step, kind: str, *, alone: bool) -> str:
    if kind == DECIDE:
        return "The players decide" if alone or not step.title else f"{step.title}: the players decide"
    if step.title:
        return step.title
    if kind == DEAL:
        return "Deal the cards"
    if step.where.up.name == "dealer":
        return "Turn up the dealer's cards"
    shows: list[Step] = [
        step_shown for step_shown in game.script if isinstance(step_shown, Show) and step_shown.where == step.where
    ]
    return f"Turn up the {'common cards' if alone else f'{_NTH[shows.index(step)]} common card'}"


def _is_up(step: Step) -> TypeGuard[Deal | Show]:
    return isinstance(step, Deal | Show) and not step.where.is_down


def conditions(script: tuple[Step, ...]) -> Iterator[Condition]:
    for step in script:
        yield step.when
        if isinstance(step, Choose):
            yield from (choice.when for choice in step.choices)


def staked(
    *spots: Spot, script: tuple[Step, ...] = (), title: str = "", key: str = "", mandatory: bool = False
) -> ScriptWager:
    """A wager on these spots, the first of which is laid before the deal; the base wager has the script's choices."""
    steps = tuple(step for step in script if isinstance(step, Choose))
    paths = tuple(lines_of_choices(steps))
    posted: dict[str, Paytable] = {}
    for spot in spots:
        posted = posted or dict(spot.tables)
    return ScriptWager(
        key or spots[0].key,
        title or spots[0].title,
        BASIS,
        tuple(endings(spots, paths)),
        posted,
        spots,
        mandatory,
        steps=steps,
        paths=paths,
        script=script,
    )


def lines_of_choices(steps: tuple[Choose, ...], chosen: tuple[Choice, ...] = ()) -> Iterator[tuple[Choice, ...]]:
    """Every way through the choices; where the cards say whether somebody is asked, both ways."""
    if not steps or (chosen and chosen[-1].ends):
        yield chosen
        return
    seen, step = Seen(choices=chosen), steps[0]
    if step.when.looks or not step.when(seen):
        yield from lines_of_choices(steps[1:], chosen)
    if step.when.looks or step.when(seen):
        for choice in step.choices:
            if choice.when.looks or choice.when(seen):
                yield from lines_of_choices(steps[1:], (*chosen, choice))


# Digests: every rule asked about everything it can be asked


def script_digest(game: ScriptGame, wager: ScriptWager, paytable: Paytable) -> str:
    """SHA-256 over a wager's rules and the pays it is offered with."""
    return priced_digest(wager, paytable, rules_digest(game, wager))


@cache
def rules_digest(game: ScriptGame, wager: ScriptWager) -> str:
    """SHA-256 over what a wager's readings and judgments come to: it changes when, and only when, a rule does."""
    spots = [[spot.key, spot.stake.kind.name, spot.stake.on.key if spot.stake.on else ""] for spot in wager.spots]
    tables = {judged: _judgment(game, judged) for judged in dict.fromkeys(spot.judged for spot in wager.spots)}
    judged = [tables[spot.judged] for spot in wager.spots]
    definition = json.dumps([wager.key, wager.mandatory, game.deck.written, spots, judged])
    return hashlib.sha256(definition.encode()).hexdigest()


def _judgment(game: ScriptGame, judged: Judgment) -> str:
    if judged.ordered is None:
        return _tabulated(game, judged.looks, _labelled(judged.judge))
    # Two hands are compared, so their order says all: which hands are worse than which, and what follows.
    digest = hashlib.sha256()
    for look in judged.looks[:2]:
        findings = list(found_by(game, look))
        order = {finding: place for place, finding in enumerate(sorted(set(findings)))}
        digest.update(
            json.dumps([str(look.where), look.reading.sees.name, [order[finding] for finding in findings]]).encode()
        )
    contest = [_tabulated(game, judged.looks[2:], _labelled(partial(judged.ordered, sign))) for sign in (1, 0, -1)]
    digest.update(json.dumps(contest).encode())
    return digest.hexdigest()


def _labelled(judge: Callable[..., Outcome]) -> Callable[..., str]:
    return lambda *findings: judge(*findings).label


def _tabulated(game: ScriptGame, looks: tuple[Look, ...], ask: Callable[..., Any]) -> str:
    """A digest of what a rule says of everything that its looks can find, and of which hands find it."""
    digest, domains = hashlib.sha256(), []
    for look in looks:
        findings: dict[Any, int] = {}
        of_class = [findings.setdefault(finding, len(findings)) for finding in found_by(game, look)]
        digest.update(json.dumps([str(look.where), look.reading.sees.name, of_class]).encode())
        domains.append(list(findings))
    digest.update(json.dumps([ask(*findings_of) for findings_of in product(*domains)]).encode())
    return digest.hexdigest()


def found_by(game: ScriptGame, look: Look) -> Iterator[Any]:
    """What a look finds in one hand of every class; a place that may still be empty is read empty too."""
    size = cards_of(game, look)
    if any(not step.when.is_open for step in game.script if step.where.up.name in look.where.names):
        yield look.reading(())
    for hand in game.deck.some_hands(size, look.reading.sees):
        yield look.reading(hand)


def cards_of(game: ScriptGame, look: Look) -> int:
    """How many cards a look reads when all was dealt."""
    return sum(game.sizes[name] if stop is None else stop - start for name, start, stop in look.where.parts)


def _written(game: ScriptGame, step: Step) -> list[object]:
    when = _condition(game, step.when)
    if isinstance(step, Choose):
        return ["choose", when, [_choice(game, choice) for choice in step.choices]]
    assert isinstance(step, Deal | Show)
    return [type(step).__name__.lower(), step.where.name, step.cards, when]


def _choice(game: ScriptGame, choice: Choice) -> list[object]:
    lays = choice.lays.key if choice.lays else ""
    return [choice.key, lays, choice.times, choice.ends.label if choice.ends else "", _condition(game, choice.when)]


def _condition(game: ScriptGame, when: Condition) -> list[object]:
    looks = _tabulated(game, when.looks, when.test) if when.looks else ""
    return [looks, sorted(when.chosen), when.unraised.key if when.unraised else ""]


def flat_at(game: ScriptGame) -> tuple[int, ...]:
    """The wagers in cents that flat commissions of a game name; there is one at most."""
    tables = (table for wager in game.wagers for table in wager.paytables.values())
    own = (spot.rules for wager in game.wagers for spot in wager.spots if spot.rules)
    rows = (row for table in (*tables, *own) for row in table.rows)
    return tuple(dict.fromkeys(row.pay.at_cents for row in rows if row.pay.at_cents))


def wager_of(game: ScriptGame, key: str) -> ScriptWager:
    wager: Wager = game.wager(key)
    assert isinstance(wager, ScriptWager)
    return wager
