"""One interface for the counts of every game: `analyst_of(game)` is whoever counts games of its shape.

    analyst = analyst_of(find_any_game("triple-shot-rummy"))
    analyst.solve(wager, prices, strategy)        figures: edge, lines, money at stake, variance, hit frequency
    analyst.rate(wager, prices, seen)             what every choice is worth in this position, the best first
    analyst.chart(wager, prices, strategy)        a strategy on one page

An analyst is a module of `shapes` with `fits(game)` and `analyst(game)`. A game never names one: its shape is
recognised.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from croupier.analysis.figures import Figures
from croupier.cards.card import Hand
from croupier.errors import CroupierError
from croupier.games.game import TableGame
from croupier.games.table.history import VOID, Act, History
from croupier.games.table.shown import Seen
from croupier.games.wager import FindPaytable, Outcome, Price, Wager

if TYPE_CHECKING:  # and numpy: a server starts without
    from croupier.analysis.strategy import ChartRow, Compared, Rated
    from croupier.analysis.tables import Exposed, Ints, Table

Prices = Mapping[Outcome, Price]
NOTHING_TO_DECIDE = "Nobody has anything to decide now."
SHAPES = "croupier.analysis.shapes"
"""By name: they are made from all that stands above this interface, and are loaded when a game is first counted."""


class Worth(NamedTuple):
    """The house's edge and the standard deviation of a wager, per unit."""

    edge: float
    deviation: float
    given: str


class Analyst(Protocol):
    """Who counts one game. Nothing is counted before it is asked for, and what is counted is kept."""

    @property
    def game(self) -> TableGame: ...

    def hints(self, round_: History) -> dict[str, Any]:
        """What each decision is worth at a live table, seat by seat, from what everybody sees."""

    def usual_act(self, round_: History) -> Act[Any] | None:
        """What a person who plays as people are taught does now, in a game that names no strategy itself; nothing where
        the seat is only offered something."""

    def worth(self, round_: History, seat: int, wager: Wager, cents: int) -> tuple[int, Worth]:
        """What a wager of a round that is over was worth before its cards; and what was staked on it at first."""

    def odds(self, asked: Any, find_paytable: FindPaytable) -> Any:
        """What `croupier odds` prints as JSON; `asked` is `blackjack.question.Asked`."""

    def first_edge(self, asked: Any, find_paytable: FindPaytable) -> dict[str, Any]:
        """The house edge that is asked for, and the paytable it is of, as `odds` has them; no more is counted."""

    def par(self, asked: Any, register: Any, find_paytable: FindPaytable) -> Any:
        """The PAR sheet that is asked for, a `par.sheet.AnyPar`, with the approvals that the register has."""

    def sheet(self, wager: Wager, asked: Any, find_paytable: FindPaytable, strategy: str) -> Any:
        """A `sheet.WagerSheet` of the one paytable that is asked for: what the lab shows."""

    def vulnerability(self, asked: Any, watched: Any, find_paytable: FindPaytable) -> Any:
        """A `vulnerability.shoes.Vulnerability` of one wager; `watched` says how the shoes are dealt."""

    def errors(self, asked: Any, find_paytable: FindPaytable) -> list[Any]:
        """What a dealer may do wrong, each a `vulnerability.errors.DealerError` with what it costs."""

    def covariances(self, asked: Any, find_paytable: FindPaytable) -> tuple[list[Any], list[str]]:
        """How the wagers of one seat move together, each a `session.covariance.Covariance`; and what is left out."""

    def simulate(self, asked: Any, find_paytable: FindPaytable, own: Any) -> Any:
        """A `simulation.setup.Simulation` of what is asked for, a `simulation.request.Sample`."""

    def check_sample(self, asked: Any, find_paytable: FindPaytable) -> None:
        """Whatever can be wrong with it, said before any table is made."""


@runtime_checkable
class Counter(Analyst, Protocol):
    """Who counts the deals of a game by its positions and choices, whatever they pay."""

    @property
    def exposed(self) -> Exposed:
        """Cards that somebody has seen, beside which the deals are counted; none as a rule."""

    def seeing(self, remove: str, known: str, seen: Seen | None = None) -> Counter:
        """Who counts the same for somebody that has seen these cards, beside a position or before the deal."""

    def beside(self, exposed: Exposed) -> Counter:
        """The same beside cards of which it is known that they can have been seen."""

    def table(self, seen: Seen | None) -> Table:
        """What it is dealt from, and what of it may have been seen."""

    def opening(self, cards: Hand, seats: int) -> list[Seen]:
        """What each of so many seats sees when it first decides, dealt from these cards."""

    def decides_once(self, wager: Wager) -> bool:
        """Whether a seat is asked but once in a round."""

    def packets(self, wager: Wager, prices: Prices) -> Any:
        """A `vulnerability.partners.PacketResults`: every choice at every hand, where a seat has a packet against one
        of the dealer's; None elsewhere."""

    def decides(self, seen: Seen) -> bool:
        """Whether a seat that sees this has something to decide."""

    def cover(self) -> Iterator[tuple[str, str]]:
        """What the cover of a PAR sheet says about the deal: the deck, and who gets how many cards."""

    def basis(self, wager: Wager, deals: int) -> str:
        """Which deals were counted, so that a reader can check their number."""

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        """How the wager may be decided, the best play first; empty where there is nothing to decide."""

    def deals(self, wager: Wager) -> int:
        """How many deals are counted."""

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        """The wager and what belongs to it, decided so and paid so. Of equally good choices the one that stakes most is
        made, then the first."""

    def together(self, stakes: Sequence[Any], strategy: str) -> Ints:
        """How many deals end so for several wagers at once; stakes are `session.deals.Stake`."""

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        """What every choice is worth in a position, the best first."""

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        """The best strategy and every named one, in order of what they cost."""

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        """A strategy on one page, street by street where there are several."""


@cache
def analyst_of(game: TableGame) -> Analyst:
    """Whoever counts games of this shape; one that nobody counts is refused."""
    names = [name for _, name, _ in pkgutil.iter_modules(import_module(SHAPES).__path__)]
    # Most shapes are called as the package of the games that they fit: then no other is loaded.
    for name in sorted(names, key=lambda name: f".{name}." not in type(game).__module__):
        shape = import_module(f"{SHAPES}.{name}")
        if shape.fits(game):
            analyst: Analyst = shape.analyst(game)
            return analyst
    raise CroupierError(f"{game.title} is dealt in a way that nothing here counts exactly.")


def counter_of(game: TableGame) -> Counter:
    """Whoever counts the game by its positions; one that is solved in another way is refused."""
    analyst = analyst_of(game)
    if not isinstance(analyst, Counter):
        raise CroupierError(f"{game.title} is not counted deal by deal: it is solved under its rules.")
    return analyst


def expected_of(round_: History) -> dict[str, Any]:
    """Each wager of a round that is over; nothing where it was called off, because every wager went back."""
    wagers = [] if round_.phase == VOID else list(_wagers(round_))
    return {
        "wagers": [
            {"seat": seat, "wager": wager, "staked_cents": cents, **worth._asdict()}
            for seat, wager, cents, worth in wagers
        ],
        "result_cents": sum(round_.result_cents(seat) for seat in round_.seats),
        "expected_cents": -sum(cents * worth.edge for *_, cents, worth in wagers),
        "variance_cents2": sum((cents * worth.deviation) ** 2 for *_, cents, worth in wagers),
    }


def _wagers(round_: History) -> Iterator[tuple[int, str, int, Worth]]:
    """A wager of several spots is told by its first."""
    analyst = analyst_of(round_.offering.game)
    for number, seat in round_.seats.items():
        for wager in round_.offering.game.wagers:
            cents = seat.wagers.get(wager.spots[0].key)
            if cents is not None:
                yield number, wager.key, *analyst.worth(round_, number, wager, cents)


def hints_for(round_: History) -> dict[str, Any]:
    """The value of each decision per unit of the first wager, seat by seat, the best first."""
    return analyst_of(round_.offering.game).hints(round_)
