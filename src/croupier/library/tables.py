"""Games, wagers and paytables for programs: every question goes to the analyst that the commands and pages ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from numbers import Integral
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
from croupier.library import inputs
from croupier.library.answers import (
    AllOdds,
    Decisions,
    Odds,
    Par,
    Plan,
    Row,
    Sampled,
    Sweep,
    Table,
    Vulnerability,
    flat,
)
from croupier.library.round import Round
from croupier.library.samples import HISTORIES_SEED, SETTINGS, sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from croupier.analysis.analyst import Counter
    from croupier.analysis.lab.paytable import Bench
    from croupier.games.blackjack.game import BlackjackGame
    from croupier.games.table.shown import Seen

Amounts = float | str | Mapping[str, float | str]
"""Of the only meter, or by meter; in wagers."""
CONVENTION = "CDZ-"
HOW_SURE = ("exact", "low", "high")
"""Of a figure of a plan: its fraction, or the ends of its interval."""
_HOUSE: dict[str, Callable[[str, Any], Any]] = {
    "limits": inputs.limits,
    "rounding": inputs.rounding,
    "spot_limits": lambda what, given: {
        spot: inputs.limits(what, amount) for spot, amount in inputs.by_name(what, given).items()
    },
    "options": lambda what, given: frozenset(inputs.names(what, given)),
    "side_wagers": inputs.names,
    "without": inputs.names,
    "seats": lambda what, given: None if given is None else inputs.whole(what, given),
}
"""How what a house sets is read."""


def catalogue() -> list[str]:
    """The games there are, by the name that `game` takes."""
    return list(ALL_GAMES)


def game(name: str | TableGame, *options: str) -> Game:
    """A game of the catalogue under these house options, or one of your own (see `croupier.language`).

    The games of the blackjack family are `Blackjack`, under the placard of their own page.
    """
    known_game = find_any_game(name) if isinstance(name, str) else getattr(name, "rules", name)
    if not isinstance(known_game, TableGame):
        raise NotationError(f"{name!r} is no game: name one of croupier.catalogue(), or give a game of your own.")
    chosen: Any = known_game.with_options(inputs.names("options of a game", options))
    return Blackjack(chosen) if chosen.by_rules(chosen.wagers[0]) else Game(chosen)


def blackjack(rules: str = "", decks: int | None = None) -> Blackjack:
    """Blackjack under the words of a placard, as `6D H17 DAS LS`; what is left out is as usual."""
    from croupier.games.blackjack.game import blackjack as plain

    decks = None if decks is None else inputs.whole("decks", decks)
    return Blackjack(plain().under(inputs.text("rules", rules), decks))


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
        return Wager(self, self.rules.wager(inputs.text("name of a wager", key)))

    def strategy(self, pays: inputs.Pays | None = None, *, remove: str = "", known: str = "") -> Table:
        """The best strategy, by kind of hand, for the wager that players decide about.

        Here and below it is that of somebody who has seen cards: some that are gone (`remove="9c Kd"`), or some of the
        dealer's, where no dealer plays the common cards that are turned next (`known="Qs"`).
        """
        wager, prices = self._decided(pays)
        rows = self._counter(remove, known).chart(wager, prices, OPTIMAL)
        return Table(f"{self.title}: the best strategy", flat(row.as_json() for row in rows))

    def strategies(self, pays: inputs.Pays | None = None, *, remove: str = "", known: str = "") -> Table:
        """The best strategy and every named one, with what they cost."""
        wager, prices = self._decided(pays)
        compared = self._counter(remove, known).compare(wager, prices)
        return Table(f"{self.title}: strategies", flat(strategy.as_json() for strategy in compared))

    def hand(
        self, cards: str | Iterable[str], pays: inputs.Pays | None = None, *, remove: str = "", known: str = ""
    ) -> Decisions:
        """What each choice is worth with these cards, exactly: `Qh 6c 4d`."""
        cards = " ".join(inputs.names("cards", cards))
        wager, prices = self._decided(pays)
        seen = self.rules.read_seen(cards)
        rated = self._counter(remove, known, seen).rate(wager, prices, seen)
        rows: list[Row] = [
            {
                "decision": rating.words,
                "hand": rating.means,
                "value": float(rating.value),
                "value_exact": str(rating.value),
                "cost": float(rating.cost),
                "cost_exact": str(rating.cost),
            }
            for rating in rated
        ]
        return Decisions(" ".join(cards.split()), rows)

    def simulate(self, rounds: float = 1_000_000, **settings: Any) -> Sampled:
        """Sample the game; the settings are those of `croupier.simulate`."""
        _known("setting of a simulation", settings, SETTINGS)
        return sample(self.rules, rounds, **settings)

    def deal(self, random_seed: str | int | None = None, **house: Any) -> Round:
        """A round from a fresh shoe, which a seed repeats.

        `house` is what a house sets: paytables (by wager: an ID or your own), options, side_wagers, seats, the smallest
        chip in cents (rounding), and the least and the most on a spot: `limits=(500, 10_000)`.
        """
        terms = [field.name for field in fields(self.rules.offering_kind) if field.name not in ("game", "left_out")]
        _known("term of a house", house, (*terms, "side_wagers", "without"))
        if not isinstance(random_seed, str | Integral | None):
            raise NotationError(f"A random_seed is text or a number, not {random_seed!r}.")
        chance = SystemSource() if random_seed is None else str(random_seed)
        tables = inputs.by_name("paytables", house.pop("paytables", {}))
        priced = {key: self.wager(key).paytable(pays).pays for key, pays in tables.items()}
        house = {term: _HOUSE[term](term, given) if term in _HOUSE else given for term, given in house.items()}
        offering = self.rules.offer(priced, **house)
        return Round(offering.open(offering.fresh_shoe(chance)))

    def par(self, wager: str | None = None) -> Par:
        """The PAR sheet, of one wager or of all: `save`, `as_json()`, `as_pdf()`, `digest`."""
        from croupier.compliance.approval import shipped_register

        key = None if wager is None else inputs.text("name of a wager", wager)
        asked = Asked(rules=self.rules.placard, wager=key)
        return Par.read(analyst_of(self.rules).par(asked, shipped_register(), approved_paytable))

    def report(
        self,
        wager: str | None = None,
        *,
        rounds: float = 1_000_000,
        shoes: float = 2_000,
        random_seed: int = HISTORIES_SEED,
        **control: str,
    ) -> Par:
        """The report that a laboratory signs: the PAR sheet, and what its figures rest on and were held against.

        `control` is what the document says of itself: number, revision, date (2026-11-17), prepared, reviewed and
        approved. So many rounds are simulated, and so many shoes watched for each wager that a counter could beat.
        """
        from croupier.analysis.par.laboratory import Control
        from croupier.analysis.report import Laboratory, laboratory_report
        from croupier.compliance.approval import shipped_register

        _known("line of a document", control, Control._fields)
        key = None if wager is None else inputs.text("name of a wager", wager)
        dealt = (inputs.whole("rounds", rounds), inputs.whole("shoes", shoes), inputs.whole("random_seed", random_seed))
        written = Control(**{line: inputs.text(line, words) for line, words in control.items()})
        laboratory = Laboratory(*dealt, written)
        asked, register = Asked(rules=self.rules.placard, wager=key), shipped_register()
        return Par.read(laboratory_report(self.rules, asked, register, approved_paytable, laboratory))

    def _counter(self, remove: str, known: str, seen: Seen | None = None) -> Counter:
        """Who counts, beside the cards that were seen."""
        counter = counter_of(self.rules)
        remove, known = inputs.text("remove", remove), inputs.text("known", known)
        return counter.seeing(remove, known, seen) if Asked(remove=remove, known=known).exposes else counter

    def _decided(self, pays: inputs.Pays | None) -> tuple[WagerRules, Any]:
        counter = counter_of(self.rules)
        decided = next((wager for wager in self.rules.wagers if counter.strategies(wager)), None)
        if decided is None:
            raise NotationError(f"{self.title} has no decisions: every round plays itself.")
        table = next(iter(decided.paytables.values())) if pays is None else inputs.paytable(pays)
        return decided, decided.prices(table)

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

    def paytable(self, pays: inputs.Pays | int | None = None) -> Priced:
        """Under one of its paytables by ID, or under your own; under its first where none is named."""
        if isinstance(pays, int):
            pays = str(pays)
        if pays is None:
            return Priced(self, next(iter(self.rules.paytables)), None)
        if isinstance(pays, str) and pays in self.rules.paytables:
            return Priced(self, pays, None)
        if isinstance(pays, str) and len(pays.split()) == 1:
            approved_paytable(self.rules, pays)  # refuses it, with the nearest IDs
        own = inputs.paytable(pays)
        self.rules.prices(own)
        return Priced(self, own.name, own)

    def odds(self, **asked: Any) -> AllOdds:
        """Under each of its paytables."""
        return AllOdds(self.paytable(name).odds(**asked) for name in self.rules.paytables)

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
        convention: str = CONVENTION,
        remove: str = "",
        known: str = "",
    ) -> Odds:
        """House edge, hit frequency, deviation and every line, counted exactly; meters and seeds are in wagers.

        Cards that were seen are those that are gone (`remove="9c Kd"`), and the dealer's or the common cards that are
        turned next (`known="Qs"`).
        """
        if not isinstance(strategy, str):
            raise NotationError(f"A strategy is named, as one of {self.wager.game!r}.strategies(), not {strategy!r}.")
        rules = self.wager.game.rules
        if not rules.placard and strategy != OPTIMAL and not counter_of(rules).strategies(self.wager.rules):
            raise NotationError(f"{self.wager.title} has no decisions, so it takes no strategy: not {strategy!r}.")
        if not rules.placard and convention != CONVENTION:
            raise NotationError(f"A convention is how hands of blackjack are counted: {rules.title} has none.")
        asked = Asked(
            rules=rules.placard,
            wager=self.wager.key,
            paytable=self.name,
            meters=_amounts(meters),
            seeds=_amounts(seeds),
            contribution=None if contribution_percent is None else str(contribution_percent),
            convention=inputs.text("convention", convention),
            strategy=strategy,
            remove=inputs.text("remove", remove),
            known=inputs.text("known", known),
        )
        return Odds.read(analyst_of(rules).odds(asked, self._find))

    def vulnerability(
        self,
        *,
        penetrations: float | Sequence[float] = (),
        players: int = 1,
        shoes: float | None = None,
        random_seed: int = HISTORIES_SEED,
        rounds_per_hour: int = 60,
        after_cut: bool = False,
        meters: Amounts | None = None,
    ) -> Vulnerability:
        """Whether counting cards beats the wager; penetrations are parts of the shoe, as 0.75.

        Of usual shoes there are 10,000, and for the Bet of blackjack ten times as many.
        """
        from croupier.analysis.vulnerability.shoes import USUAL_PENETRATIONS, Watch, usual_shoes

        rules = self.wager.game.rules
        several = isinstance(penetrations, Sequence) and not isinstance(penetrations, str)
        parts: Sequence[Any] = penetrations if several else [penetrations]  # type: ignore[assignment]
        depths = [inputs.part("a penetration", part) for part in parts] or USUAL_PENETRATIONS
        asked = Asked(rules=rules.placard, wager=self.wager.key, paytable=self.name, meters=_amounts(meters))
        watched = Watch(
            depths,
            inputs.whole("players", players),
            usual_shoes(rules, self.wager.rules) if shoes is None else inputs.whole("shoes", shoes),
            inputs.whole("random_seed", random_seed),
            inputs.whole("rounds_per_hour", rounds_per_hour),
            after_cut,
        )
        return Vulnerability.read(analyst_of(rules).vulnerability(asked, watched, self._find).as_json())

    def find_pay(self, row: str, edge: float | str, strategy: str = OPTIMAL) -> Table:
        """The pay of one row that gives this house edge, `"5%"` or 0.05: first exactly, then the whole and half pays on
        both sides of it, each with the house edge that it gives."""
        from croupier.analysis.lab.paytable import find_pay, read_wanted
        from croupier.analysis.printing import percent

        wanted = read_wanted(edge) if isinstance(edge, str) else inputs.part("a house edge", edge)
        answer = find_pay(self._bench(strategy), self._asked(), self._find, inputs.text("a row", row), wanted)
        _, _, to_one = answer["printed"].partition(" ")
        exact: Row = {
            "pay": f"{answer['exact']} {to_one}",
            "house_edge": float(wanted),
            "house_edge_exact": str(wanted),
        }
        near = flat({"pay": posted["pay"], "house_edge": posted["house_edge"]} for posted in answer["near"])
        return Table(f"{self.wager.title}, paytable {self.name}: {row} for {percent(wanted, 4)}", [exact, *near])

    def sweep(self, row: str, pays: Iterable[float | str], strategy: str = OPTIMAL) -> Sweep:
        """The wager with the pay of one row as each of these: `range(20, 60, 10)`, or `["40 to 1", "50 for 1"]`."""
        from croupier.analysis.lab.sweep import sweep_pay

        if isinstance(pays, str) or not isinstance(pays, Iterable):
            raise NotationError(f"pays are a list, as range(20, 60, 10) or ['40 to 1'], not {pays!r}.")
        row = inputs.text("a row", row)
        swept = sweep_pay(self._bench(strategy), self._asked(), self._find, row, [str(pay) for pay in pays])
        return Sweep(f"{swept.title}: {row} varied", flat(value.as_json() for value in swept.rows), swept.draw)

    def _bench(self, strategy: str) -> Bench:
        from croupier.analysis.lab.paytable import Bench

        return Bench(self.wager.game.rules, self.wager.rules, inputs.text("a strategy", strategy))

    def _asked(self) -> Asked:
        return Asked(rules=self.wager.game.rules.placard, wager=self.wager.key, paytable=self.name)

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

    def hand(  # type: ignore[override]
        self, cards: str, up: str = "", remove: str = "", convention: str = CONVENTION, known: str = ""
    ) -> Decisions:
        """What each decision is worth with these cards against an up card: `hand("T6", "T")`, from a shoe without
        the cards that are gone (`remove="5 5 T"`), to somebody who has seen the hole card (`known="6"`)."""
        from croupier.analysis.blackjack.shoe import Composition, card_values, format_values, hole_value
        from croupier.analysis.blackjack.solver import solve

        if self.rules.rules.switch:
            raise NotationError(f"A seat of {self.title} has two hands: the command croupier strategy rates both.")
        given = (cards, up, remove, known)
        cards, up, remove, known = (inputs.text("a hand", cards_given) for cards_given in given)
        shown = card_values(up)
        if len(shown) != 1:
            raise NotationError(f"The dealer shows one card, not {up!r}.")
        held, rules = card_values(cards), self.rules.rules
        shoe = Composition.full(rules.decks).without(remove)
        solution = solve(rules, shoe, convention, hole=hole_value(known))
        values = solution.hand_values(held, shown[0])
        best = max(values.values())
        rows: list[Row] = [
            {"decision": str(action), "value": value, "cost": best - value} for action, value in values.items()
        ]
        seen = f" with {format_values([solution.table.hole])} in the hole" if solution.table.hole else ""
        hand = f"{format_values(held)} against {format_values(shown)}{seen}"
        return Decisions(f"{hand}, {self.rules.short_placard}", rows)

    def hole_cards(self, convention: str = CONVENTION) -> Table:
        """What the Bet is worth to somebody who sees the dealer's hole card, a row for each card that it can be; how
        often it is that one, and what insurance adds."""
        from croupier.analysis.vulnerability.hole_card import hole_cards

        answer = hole_cards(self.rules, convention=inputs.text("convention", convention))
        title = (
            f"{self.title}, {self.rules.short_placard}: house edge {-100 * answer.seen:.4f} % where every hole card is "
            f"seen, {-100 * answer.unseen:.4f} % where none is"
        )
        return Table(title, flat(card.as_json() for card in answer.cards))

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
        listed = exceptions(basic_strategy(rules), solve(rules))
        return Table(
            f"Exceptions to basic strategy, {self.rules.short_placard}",
            [exceptional.as_json() for exceptional in listed],
        )


def deal(name: str | TableGame, random_seed: str | int | None = None, **house: Any) -> Round:
    """A round of a game, to be dealt act by act."""
    return game(name).deal(random_seed, **house)


def simulate(name: str | TableGame, rounds: float = 1_000_000, *, rules: str = "", **settings: Any) -> Sampled:
    """Sample a game, of blackjack under a placard of rules.

    Settings are wagers, paytables (by wager: an ID or your own), players, strategy, random_seed, shoe, compare (with
    the exact count), confidence (of the intervals) and workers (processes).
    """
    return Game(game(name).rules.under(inputs.text("rules", rules))).simulate(rounds, **settings)


def plan(wager: str, *, random_seed: int = HISTORIES_SEED, histories: int | None = None, **settings: Any) -> Plan:
    """A progressive planned; settings are those of a plan's file: contribution_percent, seeds_dollars, tables, ..."""
    from croupier.analysis.meter.plots import draw
    from croupier.analysis.meter.record import as_programs_read, played_plan
    from croupier.analysis.meter.settings import USUAL, plan_from

    wager, random_seed = inputs.text("name of a wager", wager), inputs.whole("random_seed", random_seed)
    histories = None if histories is None else inputs.whole("histories", histories)
    _known("setting of a plan", settings, USUAL)
    pays = settings.pop("paytable", None)
    ids = {} if pays is None else {"paytable": pays if isinstance(pays, str) and len(pays.split()) == 1 else inputs.OWN}

    def find(rules: WagerRules, name: str) -> Paytable:
        return inputs.paytable(pays) if name == inputs.OWN and pays is not None else approved_paytable(rules, name)

    meter_plan = plan_from({"wager": wager, **ids, **settings}, find)
    planned = played_plan(wager, meter_plan, random_seed, histories)
    answer = as_programs_read([planned], random_seed)
    titles = [level.title for level in meter_plan.levels]

    def plot(kind: str, meter: str | None) -> Figure:
        if meter is not None and meter.title() not in titles:
            raise UnknownName("meter", meter, titles)
        return draw(planned.simulation, kind, titles.index(meter.title()) if meter else 0)

    rows: list[Row] = [
        {name: value for name, value in figure.items() if name not in HOW_SURE}
        | {"meter": figure["meter"] or "", **{name: figure.get(name) for name in HOW_SURE}}
        for figure in answer["figures"]
    ]
    return Plan(meter_plan.wager.title, rows, answer["warnings"], answer, plot)


def _amounts(given: Amounts | None) -> Sequence[str]:
    if given is None:
        return ()
    if isinstance(given, Mapping):
        return tuple(f"{meter}={amount}" for meter, amount in given.items())
    return (str(Fraction(given)) if isinstance(given, float) and given.is_integer() else str(given),)
