"""What follows for every game whose deals are counted, once they are: odds, PAR sheets, hints and a wager's worth.

A shape that counts deals makes its analyst from this, and adds how it counts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import lcm
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from croupier.analysis.analyst import NOTHING_TO_DECIDE, Prices, Worth, counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.figures import Figures
from croupier.analysis.sheet import Sheet, make_sheet, sheets_for
from croupier.analysis.strategy import Rated
from croupier.analysis.tables import NOTHING, Exposed, Table, read_exposed
from croupier.cards.card import Hand
from croupier.errors import NotationError
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.table.history import Act, History
from croupier.games.table.shown import Seen
from croupier.games.wager import FindPaytable, Wager, paytable_name, wager_missing

if TYPE_CHECKING:
    from croupier.analysis.blackjack.question import Asked
    from croupier.analysis.par.sheet import Par, Register
    from croupier.analysis.session.covariance import Covariance
    from croupier.analysis.session.deals import Stake
    from croupier.analysis.simulation.packets import Codes
    from croupier.analysis.simulation.request import Sample
    from croupier.analysis.tables import Ints
    from croupier.analysis.vulnerability.errors import DealerError
    from croupier.analysis.vulnerability.partners import PacketResults
    from croupier.cards.symmetry import Ranks

OWN_HAND = "the seat's own cards; the others and the dealer's are not known"
BEST_PLAY = "the whole deck, and the best play"


@dataclass(frozen=True, eq=False)
class CountedGame(ABC):
    """An analyst of a game whose deals are counted."""

    game: TableGame
    exposed: Exposed = field(default=NOTHING, kw_only=True)
    """Cards that somebody has seen: all counts are of the deals that there are beside them."""
    given = OWN_HAND
    """What hints are counted from."""

    @abstractmethod
    def strategies(self, wager: Wager) -> tuple[str, ...]: ...
    @abstractmethod
    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures: ...
    @abstractmethod
    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]: ...
    @abstractmethod
    def cover(self) -> Iterator[tuple[str, str]]: ...

    @abstractmethod
    def table(self, seen: Seen | None) -> Table:
        """What cards may have been seen there, by somebody who decides with these cards or before any is dealt."""

    def seeing(self, remove: str, known: str, seen: Seen | None = None) -> Self:
        """The same for whoever has seen these cards; what cannot have been seen there is refused."""
        held = tuple(card for cards in seen.cards.values() for card in cards) if seen else ()
        return replace(self, exposed=read_exposed(self.table(seen), remove, known, held))

    def beside(self, exposed: Exposed) -> Self:
        """The same beside cards of which it is known that they can have been seen."""
        return replace(self, exposed=exposed)

    @abstractmethod
    def opening(self, cards: Hand, seats: int) -> list[Seen]:
        """What each of so many seats sees when it first decides, dealt from these cards."""

    def decides_once(self, wager: Wager) -> bool:
        """Whether a seat is asked but once in a round."""
        return True

    def packets(self, wager: Wager, prices: Prices) -> PacketResults | None:
        """Every choice at every hand, where a seat has a packet against one of the dealer's and decides once."""
        return None

    @abstractmethod
    def decides(self, seen: Seen) -> bool:
        """Whether a seat that sees this has something to decide."""

    def basis(self, wager: Wager, deals: int) -> str:
        return f"Counted over all {deals:,} deals."

    def decided_wager(self) -> Wager | None:
        """The wager that the players decide about."""
        return next((wager for wager in self.game.wagers if self.strategies(wager)), None)

    def hints(self, round_: History) -> dict[str, Any]:
        wager = self.decided_wager()
        if wager is None or not round_.waits_for:
            return {"given": self.given, "seats": [], "sentence": NOTHING_TO_DECIDE}
        prices = round_.offering.prices[wager.key]
        seats = []
        for number in round_.waits_for:
            decided = [
                {
                    "act": f"decide {number} {rating.words}",
                    "hand": rating.means,
                    "value": float(rating.value),
                    "value_exact": str(rating.value),
                    "cost": float(rating.cost),
                }
                for rating in self.rate(wager, prices, round_.seen(number))
            ]
            seats.append({"seat": number, "decisions": decided})
        return {"given": self.given, "seats": seats, "sentence": ""}

    def usual_act(self, round_: History) -> Act[Any] | None:
        """The first choice that there is: a game with strategies says itself what they would do."""
        seat, *_ = round_.waits_for
        return next(choice.act for choice in round_.in_play() if choice.seat == seat and choice.key)

    def worth(self, round_: History, seat: int, wager: Wager, cents: int) -> tuple[int, Worth]:
        return cents, _worth(self.game, wager, str(round_.offering.paytable(wager.key)))

    def first_edge(self, asked: Asked, find_paytable: FindPaytable) -> dict[str, Any]:
        sheets = self.odds(asked, find_paytable)
        first = sheets[0] if isinstance(sheets, list) else sheets
        return {"paytable": first["paytable"], "house_edge": first["house_edge"]}

    def odds(self, asked: Asked, find_paytable: FindPaytable) -> Any:
        check_asked(self.game, asked)
        wager = self.game.wager(asked.wager) if asked.wager else None
        counter = counter_of(self.game).seeing(asked.remove, asked.known) if asked.exposes else None
        all_sheets = sheets_for(self.game, wager, asked.paytable, asked.strategy, find_paytable, counter=counter)
        about = counter.exposed.as_json() if counter else {}
        sheets = [sheet.as_json() | about for sheet in all_sheets]
        return sheets[0] if asked.paytable else sheets

    def par(self, asked: Asked, register: Register, find_paytable: FindPaytable) -> Par:
        from croupier.analysis.par.printed import printed_figures
        from croupier.analysis.par.sheet import make_par

        check_asked(self.game, asked)
        wager = self.game.wager(asked.wager) if asked.wager else None
        sheets = sheets_for(self.game, wager, asked.paytable, asked.strategy, find_paytable)
        return make_par(self.game, sheets, register, printed_figures(self.game))

    def together(self, stakes: Sequence[Stake], strategy: str = OPTIMAL) -> Ints:
        """How many deals end so for all wagers at once: an axis for each, in the order of its outcomes."""
        raise NotationError(
            f"Wagers of {self.game.title} are not counted together: name one of them, or play them all with "
            f"`croupier simulate {self.game.key}`."
        )

    def covariances(self, asked: Asked, find_paytable: FindPaytable) -> tuple[list[Covariance], list[str]]:
        from croupier.analysis.session.covariance import covariance_of, pairs_of
        from croupier.analysis.session.deals import Stake

        stakes = [Stake(wager, next(iter(wager.paytables.values())), 1) for wager in self.game.wagers]
        covariances: list[Covariance] = []
        try:
            covariances = [covariance_of(one, other, self.together((one, other))) for one, other in pairs_of(stakes)]
        except NotationError:
            return [], [f"Wagers of {self.game.title} are not counted together."]
        left_out = [] if covariances else [f"{self.game.title} has one wager."]
        for stake in stakes:
            codes = self.best_codes(stake)
            if codes is None or codes[0].flush is not None:
                left_out.append(f"{stake.wager.title}: not counted for two seats.")
            else:
                covariances.append(self._of_two_seats(stake, *codes))
        return covariances, left_out

    def best_codes(self, stake: Stake) -> tuple[Codes, int, Ranks] | None:
        """A wager as the best play decides it, the cards of a packet and the ranks; where a seat has a packet against
        one of the dealer's, and its hands are few enough to count two seats."""
        return None

    def _of_two_seats(self, stake: Stake, codes: Codes, size: int, ranks: Ranks) -> Covariance:
        from croupier.analysis.session.covariance import covariance_of_seats
        from croupier.analysis.vulnerability.partners import two_seats

        prices = stake.wager.prices(stake.paytable)
        nets = [prices[outcome].net for outcome in stake.wager.outcomes]
        scale = lcm(*(net.denominator for net in nets))
        product = two_seats(codes, np.array([int(net * scale) for net in nets]), size, ranks) / scale**2
        return covariance_of_seats(stake, self.solve(stake.wager, prices, OPTIMAL), product)

    def errors(self, asked: Asked, find_paytable: FindPaytable) -> list[DealerError]:
        """Every row paid as its neighbour, commissions that are not taken, and what the game itself names."""
        from croupier.analysis.vulnerability.errors import mispays

        check_asked(self.game, asked)
        if asked.paytable and not asked.wager:
            raise wager_missing(asked.paytable, self.game.wagers)
        errors = []
        for wager in [self.game.wager(asked.wager)] if asked.wager else self.game.wagers:
            name = asked.paytable or next(iter(wager.paytables))
            paytable = find_paytable(wager, name)
            figures = self.solve(wager, wager.prices(paytable), OPTIMAL)
            errors += [*mispays(figures, name, paytable), *self.slips(wager, name, paytable)]
        return errors

    def slips(self, wager: Wager, name: str, paytable: Paytable) -> list[DealerError]:
        """What a dealer does wrong with the own cards, as the game names it."""
        return []

    def vulnerability(self, asked: Asked, watched: Any, find_paytable: FindPaytable) -> Any:
        raise NotationError(
            f"{self.game.title} is dealt from cards that are shuffled before every round, so nobody can count those "
            "that are gone."
        )

    def sheet(self, wager: Wager, asked: Asked, find_paytable: FindPaytable, strategy: str) -> Sheet:
        assert asked.paytable is not None
        paytable = find_paytable(wager, asked.paytable)
        return make_sheet(self.game, wager, paytable_name(wager, asked.paytable, paytable), paytable, strategy=strategy)

    def check_sample(self, asked: Sample, find_paytable: FindPaytable) -> None:
        from croupier.analysis.simulation.request import check_plain, check_strategy_word, chosen_wagers, priced_wagers

        check_plain(self.game, asked)
        chosen = chosen_wagers(self.game, asked.wagers, self.game.wagers)
        priced_wagers(self.game, chosen, asked, find_paytable, lambda wager: next(iter(wager.paytables)))
        check_strategy_word(asked, self.game, [OPTIMAL])


def check_asked(game: TableGame, asked: Asked) -> None:
    """A counted game has one set of rules, no meters, and no players beside."""
    about = (asked.rules, asked.decks, asked.meters, asked.seeds, asked.contribution, asked.players, asked.find_hold)
    check_no_rules(game, (*about, asked.chart), with_bet=asked.with_bet)


def check_no_rules(game: TableGame, given: Iterable[object], *, with_bet: bool) -> None:
    """None of these was said."""
    if with_bet:
        raise NotationError(
            f"{{with_bet}} is about the side wagers of blackjack, not about {game.title}: `croupier session "
            f"{game.key}` with several wagers counts them together.",
            fields=["with_bet"],
        )
    if any(given):
        raise NotationError(f"{game.title} takes no rules, chart, decks, meters or players: it has one set of rules.")


@cache
def _worth(game: TableGame, wager: Wager, rows: str) -> Worth:
    figures = make_sheet(game, wager, "", Paytable.parse("", rows)).figures
    return Worth(float(figures.house_edge), figures.standard_deviation, BEST_PLAY)
