"""Games, wagers and paytables for programs: every question goes to the analyst that the commands and pages ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.analysis.analyst import analyst_of, counter_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.census import OPTIMAL
from croupier.cards.shuffle import SystemSource
from croupier.errors import NotationError, UnknownName
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager as WagerRules
from croupier.games.wager import approved_paytable
from croupier.library.answers import Decisions, Odds, Par, Plan, Row, Sampled, Table, Vulnerability, flat
from croupier.library.round import Round

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from croupier.games.blackjack.game import BlackjackGame

Pays = str | Mapping[str, str] | Paytable
"""A paytable of one's own: rows as the felt prints them, a pay by hand, or a table that was read before."""
Amounts = float | str | Mapping[str, float | str]
"""Of the only meter, or by meter; in wagers."""
OWN = "own"
CONFIDENCE = 0.99
HISTORIES_SEED = 7


def catalogue() -> list[str]:
    """The games there are, by the name that `game` takes."""
    return list(ALL_GAMES)


def game(name: str | TableGame, *options: str) -> Game:
    """A game of the catalogue under these house options, or one of your own (see `croupier.language`).

    The games of the blackjack family are `Blackjack`, under the placard of their own page.
    """
    found = find_any_game(name) if isinstance(name, str) else getattr(name, "rules", name)
    if not isinstance(found, TableGame):
        raise NotationError(f"{name!r} is no game: name one of croupier.catalogue(), or give a game of your own.")
    chosen: Any = found.with_options(options)
    return Blackjack(chosen) if chosen.by_rules(chosen.wagers[0]) else Game(chosen)


def blackjack(rules: str = "", decks: int | None = None) -> Blackjack:
    """Blackjack under the words of a placard, as `6D H17 DAS LS`; what is left out is as usual."""
    from croupier.games.blackjack.game import blackjack as plain

    return Blackjack(plain().under(rules, decks))


def paytable(pays: Pays, name: str = OWN) -> Paytable:
    """A paytable of your own: `Pair 1 to 1; Flush 4 to 1`, a row a line, or `{"Pair": "1 to 1"}`."""
    if isinstance(pays, Paytable):
        return pays
    if not isinstance(pays, str | Mapping):
        raise NotationError(
            f"{pays!r} is no paytable: write rows, as 'Pair 1 to 1; Flush 4 to 1', or a dictionary of hands and pays."
        )
    text = pays if isinstance(pays, str) else "\n".join(f"{hand}   {pay}" for hand, pay in pays.items())
    return Paytable.parse(name, text)


def _whole(what: str, number: Any) -> int:
    """A whole number, which may be written as 1e6."""
    if isinstance(number, int) or (isinstance(number, float) and number.is_integer()):
        return int(number)
    raise NotationError(f"{what} is a whole number, as 1_000_000 or 1e6, not {number!r}.")


def _known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = tuple(known)
    for name in given:
        if name not in names:
            raise UnknownName(what, name, names)


@dataclass(frozen=True, repr=False)
class Game:
    """A game as its document has it."""

    rules: TableGame
    """The definition that the table deals and the analyst counts."""

    def __repr__(self) -> str:
        return f"croupier.game({self.key!r})"

    @property
    def key(self) -> str:
        """The name that `croupier.game` and the commands take."""
        return self.rules.key

    @property
    def title(self) -> str:
        """The name on the felt."""
        return self.rules.title

    @property
    def wagers(self) -> list[str]:
        """The names that `wager` takes."""
        return [wager.key for wager in self.rules.wagers]

    def wager(self, key: str) -> Wager:
        """One of its wagers; an unknown one is refused with the nearest names."""
        return Wager(self, self.rules.wager(key))

    def strategy(self, pays: Pays | None = None) -> Table:
        """The best strategy, by kind of hand, for the wager that players decide about."""
        found, prices = self._decided(pays)
        rows = counter_of(self.rules).chart(found, prices, OPTIMAL)
        return Table(f"{self.title}: the best strategy", flat(row.as_json() for row in rows))

    def strategies(self, pays: Pays | None = None) -> Table:
        """The best strategy and every named one, with what they cost."""
        found, prices = self._decided(pays)
        compared = counter_of(self.rules).compare(found, prices)
        return Table(f"{self.title}: strategies", flat(each.as_json() for each in compared))

    def hand(self, cards: str | Iterable[str], pays: Pays | None = None) -> Decisions:
        """What each choice is worth with these cards, exactly: `Qh 6c 4d`."""
        cards = cards if isinstance(cards, str) else " ".join(map(str, cards))
        found, prices = self._decided(pays)
        rated = counter_of(self.rules).rate(found, prices, self.rules.read_seen(cards))
        rows: list[Row] = [
            {
                "decision": each.words,
                "hand": each.means,
                "value": float(each.value),
                "value_exact": str(each.value),
                "cost": float(each.cost),
                "cost_exact": str(each.cost),
            }
            for each in rated
        ]
        return Decisions(" ".join(cards.split()), rows)

    def simulate(self, rounds: float = 1_000_000, **settings: Any) -> Sampled:
        """Sample the game; the settings are those of `croupier.simulate`."""
        _known("setting of a simulation", settings, SETTINGS)
        return _simulate(self.rules, rounds, **settings)

    def deal(self, random_seed: str | int | None = None, **house: Any) -> Round:
        """A round from a fresh shoe, which a seed repeats.

        `house` is what a house sets: paytables (by wager: an ID or your own), options, side_wagers, limits, seats.
        """
        terms = [each.name for each in fields(self.rules.offering_kind) if each.name not in ("game", "left_out")]
        _known("term of a house", house, (*terms, "side_wagers", "without"))
        chance = SystemSource() if random_seed is None else str(random_seed)
        priced = {key: self.wager(key).paytable(pays).pays for key, pays in house.pop("paytables", {}).items()}
        offering = self.rules.offer(priced, **house)
        return Round(offering.open(offering.fresh_shoe(chance)))

    def par(self, wager: str | None = None) -> Par:
        """The PAR sheet, of one wager or of all: `save`, `as_json()`, `as_pdf()`, `digest`."""
        from croupier.compliance.approval import shipped_register

        asked = Asked(rules=self.rules.placard, wager=wager)
        return Par.read(analyst_of(self.rules).par(asked, shipped_register(), approved_paytable))

    def _decided(self, pays: Pays | None) -> tuple[WagerRules, Any]:
        counter = counter_of(self.rules)
        found = next((wager for wager in self.rules.wagers if counter.strategies(wager)), None)
        if found is None:
            raise NotationError(f"{self.title} has no decisions: every round plays itself.")
        table = next(iter(found.paytables.values())) if pays is None else paytable(pays)
        return found, found.prices(table)

    def _repr_html_(self) -> str:
        rows: list[Row] = [
            {"wager": wager.key, "title": wager.title, "paytables": ", ".join(wager.paytables)}
            for wager in self.rules.wagers
        ]
        return Table(self.title, rows)._repr_html_()


@dataclass(frozen=True, repr=False)
class Wager:
    """A wager of a game."""

    game: Game
    """The game that it belongs to."""
    rules: WagerRules
    """Its definition: outcomes, readings and judgment."""

    def __repr__(self) -> str:
        return f"{self.game!r}.wager({self.key!r})"

    @property
    def key(self) -> str:
        """The name that `Game.wager` and the commands take."""
        return self.rules.key

    @property
    def title(self) -> str:
        """The name on the felt."""
        return self.rules.title

    @property
    def paytables(self) -> dict[str, Paytable]:
        """Those that its document approves, by ID."""
        return dict(self.rules.paytables)

    def paytable(self, pays: Pays | int | None = None) -> Priced:
        """Under one of its paytables by ID, or under your own; under its first where none is named."""
        if isinstance(pays, int):
            pays = str(pays)
        if pays is None:
            return Priced(self, next(iter(self.rules.paytables)), None)
        if isinstance(pays, str) and pays in self.rules.paytables:
            return Priced(self, pays, None)
        if isinstance(pays, str) and len(pays.split()) == 1:
            approved_paytable(self.rules, pays)  # refuses it, with the nearest IDs
        own = paytable(pays)
        self.rules.prices(own)
        return Priced(self, own.name, own)

    def odds(self, **asked: Any) -> list[Odds]:
        """Under each of its paytables."""
        return [self.paytable(name).odds(**asked) for name in self.rules.paytables]

    def _repr_html_(self) -> str:
        rows: list[Row] = [
            {"paytable": name, "hand": row.printed, "pays": str(row.pay)}
            for name, table in self.rules.paytables.items()
            for row in table.rows
        ]
        return Table(self.title, rows)._repr_html_()


@dataclass(frozen=True, repr=False)
class Priced:
    """A wager under one paytable."""

    wager: Wager
    """The wager that is priced."""
    name: str
    """The paytable's ID, or the name of your own."""
    own: Paytable | None
    """Where it is no approved one."""

    def __repr__(self) -> str:
        return f"{self.wager!r}.paytable({self.name!r})"

    @property
    def pays(self) -> Paytable:
        """The rows that it pays by."""
        return self.own or self.wager.rules.paytables[self.name]

    def odds(
        self,
        strategy: str = OPTIMAL,
        *,
        meters: Amounts | None = None,
        seeds: Amounts | None = None,
        contribution_percent: float | str | None = None,
        convention: str = "CDZ-",
    ) -> Odds:
        """House edge, hit frequency, deviation and every line, counted exactly; meters and seeds are in wagers."""
        if not isinstance(strategy, str):
            raise NotationError(f"A strategy is named, as one of {self.wager.game!r}.strategies(), not {strategy!r}.")
        rules = self.wager.game.rules
        asked = Asked(
            rules=rules.placard,
            wager=self.wager.key,
            paytable=self.name,
            meters=_amounts(meters),
            seeds=_amounts(seeds),
            contribution=None if contribution_percent is None else str(contribution_percent),
            convention=convention,
            strategy=strategy,
        )
        return Odds.read(analyst_of(rules).odds(asked, self._find))

    def vulnerability(
        self,
        *,
        penetrations: float | Sequence[float] = (),
        players: int = 1,
        shoes: float = 10_000,
        random_seed: int = HISTORIES_SEED,
        rounds_per_hour: int = 60,
        after_cut: bool = False,
        meters: Amounts | None = None,
    ) -> Vulnerability:
        """Whether counting cards beats the wager; penetrations are parts of the shoe, as 0.75."""
        from croupier.analysis.vulnerability.shoes import USUAL_PENETRATIONS, Watch

        rules = self.wager.game.rules
        parts = penetrations if isinstance(penetrations, Sequence) else [penetrations]
        depths = [Fraction(str(each)) for each in parts] or USUAL_PENETRATIONS
        asked = Asked(rules=rules.placard, wager=self.wager.key, paytable=self.name, meters=_amounts(meters))
        watched = Watch(depths, players, _whole("shoes", shoes), random_seed, rounds_per_hour, after_cut)
        return Vulnerability.read(analyst_of(rules).vulnerability(asked, watched, self._find).as_json())

    def _find(self, wager: WagerRules, name: str) -> Paytable:
        return self.own if self.own is not None else approved_paytable(wager, name)

    def _repr_html_(self) -> str:
        rows: list[Row] = [{"hand": row.printed, "pays": str(row.pay)} for row in self.pays.rows]
        return Table(f"{self.wager.title}, paytable {self.name}", rows)._repr_html_()


@dataclass(frozen=True, repr=False)
class Blackjack(Game):
    """Blackjack, or another game of its family, under one placard of rules."""

    rules: BlackjackGame
    """The definition that the table deals and the analyst solves."""

    def __repr__(self) -> str:
        return f"<{self.title}, {self.rules.short_placard}>"

    def hand(self, cards: str, up: str = "", remove: str = "", convention: str = "CDZ-") -> Decisions:  # type: ignore[override]
        """What each decision is worth with these cards against an up card: `hand("T6", "T")`, from a shoe without
        the cards that are gone (`remove="5 5 T"`)."""
        from croupier.analysis.blackjack.shoe import Composition, card_values, format_values
        from croupier.analysis.blackjack.solver import solve

        if self.rules.rules.switch:
            raise NotationError(f"A seat of {self.title} has two hands: the command croupier strategy rates both.")
        shown = card_values(up)
        if len(shown) != 1:
            raise NotationError(f"The dealer shows one card, not {up!r}.")
        held, rules = card_values(cards), self.rules.rules
        solution = solve(rules, Composition.full(rules.decks).without(remove), convention)
        values = solution.hand_values(held, shown[0])
        best = max(values.values())
        rows: list[Row] = [
            {"decision": str(action), "value": value, "cost": best - value} for action, value in values.items()
        ]
        return Decisions(f"{format_values(held)} against {format_values(shown)}, {self.rules.short_placard}", rows)

    def chart(self) -> Table:
        """Basic strategy, the best chart of totals: a row a hand, a column an up card."""
        from croupier.analysis.blackjack.basic import basic_strategy

        head, *lines = str(basic_strategy(self.rules.rules)).splitlines()
        rows: list[Row] = []
        for line in lines:
            name, _, cells = line.partition(":")
            if len(cells.split()) == len(head.split()):
                rows.append({"hand": name.strip(), **dict(zip(head.split(), cells.split(), strict=True))})
        return Table(f"Basic strategy, {self.rules.short_placard}", rows)

    def exceptions(self) -> Table:
        """The two and three cards that are better played otherwise than the chart says, and what that is worth."""
        from croupier.analysis.blackjack.basic import basic_strategy
        from croupier.analysis.blackjack.exceptions import exceptions
        from croupier.analysis.blackjack.solver import solve

        rules = self.rules.rules
        found = exceptions(basic_strategy(rules), solve(rules))
        return Table(f"Exceptions to basic strategy, {self.rules.short_placard}", [each.as_json() for each in found])


def deal(name: str | TableGame, random_seed: str | int | None = None, **house: Any) -> Round:
    """A round of a game, to be dealt act by act."""
    return game(name).deal(random_seed, **house)


def simulate(name: str | TableGame, rounds: float = 1_000_000, *, rules: str = "", **settings: Any) -> Sampled:
    """Sample a game, of blackjack under a placard of rules.

    Settings are wagers, paytables (by wager: an ID or your own), players, strategy, random_seed, shoe, compare (with
    the exact count), confidence (of the intervals) and workers (processes).
    """
    return Game(game(name).rules.under(rules)).simulate(rounds, **settings)


def _simulate(
    rules: TableGame,
    rounds: float,
    *,
    wagers: str | Iterable[str] = (),
    paytables: Mapping[str, Pays] | None = None,
    players: int = 1,
    strategy: str = "",
    random_seed: int = HISTORIES_SEED,
    shoe: str = "",
    compare: bool = False,
    confidence: float = CONFIDENCE,
    workers: int = 1,
) -> Sampled:
    from croupier.analysis.simulation.job import check_numbers
    from croupier.analysis.simulation.record import as_record
    from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample, check_confidence
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.setup import check_seats
    from croupier.analysis.simulation.tally import Tally, tally_in_picture

    check_confidence(100 * confidence, confidence)
    rounds, random_seed = _whole("rounds", rounds), _whole("random_seed", random_seed)
    check_numbers(rounds=rounds, seed=random_seed)
    check_seats(rules, players)
    own = dict(paytables or {})
    ids = {key: pays if _is_id(rules, key, pays) else OWN for key, pays in own.items()}

    def find(wager: WagerRules, name: str) -> Paytable:
        return paytable(own[wager.key]) if name == OWN and wager.key in own else approved_paytable(wager, name)

    asked = Sample(
        game=rules.key,
        rounds=rounds,
        seed=random_seed,
        wagers=(wagers,) if isinstance(wagers, str) else tuple(wagers),
        paytables=tuple((key, str(name)) for key, name in ids.items()),
        players=players,
        strategy=strategy,
        rules=rules.placard,
        shoe=shoe,
        compare=compare,
    )
    made = analyst_of(rules).simulate(asked, find, NONE_OF_ONES_OWN)
    result = run(made.job, workers=workers)
    tally = Tally(made, result.totals)
    record = as_record(tally, compare=compare, confidence=confidence, complete=result.complete)
    plot: Callable[[], Figure] = partial(tally_in_picture, tally, confidence=confidence, compare=compare)
    played = [each for each in record["wagers"] if each["lines"]]
    rows = [_sampled_row(each) for each in played]
    lines = [{"wager": each["wager"], **_spread(line)} for each in played for line in each["lines"]]
    return Sampled(record["rounds"], random_seed, confidence, rows, lines, record, plot)


SETTINGS = tuple(_simulate.__kwdefaults__ or ())
"""What `_simulate` takes by name."""


def _is_id(rules: TableGame, key: str, pays: Pays) -> bool:
    return isinstance(pays, str) and pays in rules.wager(key).paytables


def _sampled_row(each: Mapping[str, Any]) -> Row:
    low, high = each["interval_percent"] or (None, None)
    return {
        "wager": each["wager"],
        "paytable": each["paytable"],
        "times": each["times"],
        "house_edge": each["house_edge"]["percent"] / 100,
        "low": None if low is None else low / 100,
        "high": None if high is None else high / 100,
        "standard_error": each["standard_error_percent"] / 100,
        "hit_frequency": each["hit_frequency"]["percent"] / 100,
        "standard_deviation": each["standard_deviation"],
    }


def _spread(line: Mapping[str, Any]) -> Row:
    """The interval of a line as two columns."""
    row = dict(line)
    row["low"], row["high"] = row.pop("interval") or (None, None)
    return row


def plan(wager: str, *, random_seed: int = HISTORIES_SEED, histories: int | None = None, **settings: Any) -> Plan:
    """A progressive planned; settings are those of a plan's file: contribution_percent, seeds_dollars, tables, ..."""
    from croupier.analysis.meter.plots import draw
    from croupier.analysis.meter.record import as_programs_read, played_plan
    from croupier.analysis.meter.settings import USUAL, plan_from

    _known("setting of a plan", settings, USUAL)
    pays = settings.pop("paytable", None)
    ids = {} if pays is None else {"paytable": pays if isinstance(pays, str) and len(pays.split()) == 1 else OWN}

    def find(rules: WagerRules, name: str) -> Paytable:
        return paytable(pays) if name == OWN and pays is not None else approved_paytable(rules, name)

    made = plan_from({"wager": wager, **ids, **settings}, find)
    planned = played_plan(wager, made, random_seed, histories)
    answer = as_programs_read([planned], random_seed)
    titles = [level.title for level in made.levels]

    def plot(kind: str, meter: str | None) -> Figure:
        if meter is not None and meter.title() not in titles:
            raise UnknownName("meter", meter, titles)
        return draw(planned.simulation, kind, titles.index(meter.title()) if meter else 0)

    every = {"exact": None, "low": None, "high": None}
    rows: list[Row] = [{**every, **figure, "meter": figure["meter"] or ""} for figure in answer["figures"]]
    return Plan(made.wager.title, rows, answer["warnings"], answer, plot)


def _amounts(given: Amounts | None) -> Sequence[str]:
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return tuple(f"{meter}={amount}" for meter, amount in given.items())
    return (str(Fraction(given)) if isinstance(given, float) and given.is_integer() else str(given),)
