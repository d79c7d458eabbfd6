"""A head-to-head game: what is dealt, who decides what, and how every wager is judged from packets of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from croupier.cards.card import Hand
from croupier.cards.symmetry import ALL_RANKS, Ranks
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.table.offering import TableOffering
from croupier.games.table.questions import Question
from croupier.games.table.shown import Half
from croupier.games.tabulate import priced_digest, rules_digest
from croupier.games.wager import Wager

DICE_CUP = "dice-cup"
"""The option of a game with a rotation: it is drawn by dice, not by a number."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What the players decide once they have seen their cards."""

    wager: str
    """The wager that it is about: only a seat which made it decides."""
    parse: Callable[[Hand, str], str]
    """Reads a person's words (`fold`, `As 9d`) as one of the wager's choices, or refuses with the reason."""
    say: Callable[[Hand, str], str]
    """The words for a choice; `parse` reads them back."""
    raises: Mapping[str, str] = field(default_factory=dict)
    """Choices that put a second wager, equal to the first, on a spot: `play` on Play."""
    forfeits: frozenset[str] = frozenset()
    """Choices that give the wager up: the dealer collects it before settling."""


@dataclass(frozen=True, eq=False)
class Game(TableGame):
    """All of a game: the live round, the exact count, the screens and the PAR sheet are made from this."""

    packet_cards: int
    settling_order: tuple[str, ...]
    """Spots in the order the dealer pays and takes."""
    describe: Callable[[Hand, str | None], str]
    """A seat's hand in words, given what the player decided."""
    describe_dealer: Callable[[Hand], str]
    decision: Decision | None = None
    chart: Callable[[Hand, str], tuple[str, str]] | None = None
    """How a strategy is put on one page: the kind of hand, and what the choice amounts to."""
    halves: Callable[[Hand, str], tuple[Half, ...]] | None = None
    """The parts of a hand that is set in parts, given how it is set."""
    dealers_halves: Callable[[Hand], tuple[Half, ...]] | None = None
    asks: tuple[Callable[[Hand], Question], ...] = ()
    """What a dealer is asked who turns up these cards."""
    rotation: bool = False
    """Whether all packets are dealt, occupied or not, from a position drawn by dice or number."""
    ranks: Ranks = ALL_RANKS
    """The ranks of its one deck, each in four suits."""
    readings: Mapping[str, tuple[Wager, Wager]] = field(default_factory=dict)
    """House options that read a rule the other way: the wager as it usually is, and as it then is."""

    def taught(
        self, pick: Callable[[int], int], rules: str = "", paytables: Mapping[str, Paytable] | None = None
    ) -> TableOffering:
        """The dealing rotation is drawn one way or the other, where there is one."""
        dice = pick(2) == 0
        return self.under(rules).offer(paytables, options={DICE_CUP} & set(self.options) if dice else ())

    @property
    def offering_kind(self) -> type[TableOffering]:
        from croupier.games.head_to_head.round import Offering

        return Offering

    @cached_property
    def decides(self) -> Wager | None:
        """The wager that has a decision."""
        return self.wager(self.decision.wager) if self.decision else None

    @property
    def has_decisions(self) -> bool:
        return self.decision is not None

    def procedure_with(self, spots: frozenset[str]) -> list[object]:
        return self._procedure(spots)

    def with_options(self, options: Iterable[str]) -> Game:
        """The same, but where one of them reads a rule the other way."""
        chosen = frozenset(options)
        super().with_options(chosen)
        return _with_options(self, chosen.intersection(self.readings))

    @property
    def options_read(self) -> tuple[str, ...]:
        return tuple(option for option, (_, other) in self.readings.items() if other in self.wagers)

    @property
    def procedure(self) -> list[object]:
        return self._procedure(frozenset(self.spots))

    def _procedure(self, spots: frozenset[str]) -> list[object]:
        decides = (
            [self.decision.wager, dict(self.decision.raises), sorted(self.decision.forfeits)] if self.decision else []
        )
        order = [spot for spot in self.settling_order if spot in spots]
        return [*super().procedure, self.packet_cards, order, self.rotation, decides]

    @cached_property
    def later_spots(self) -> frozenset[str]:
        """Those that a decision fills."""
        return frozenset(self.decision.raises.values()) if self.decision else frozenset()


@cache
def _with_options(game: Game, chosen: frozenset[str]) -> Game:
    """One game for each choice: counts are kept by game and wager."""
    read = [pair[option in chosen] for option, pair in game.readings.items()]
    wagers = tuple({option.key: option for option in (wager, *read)}[wager.key] for wager in game.wagers)
    return game if wagers == game.wagers else replace(game, wagers=wagers)


def wager_digest(game: Game, wager: Wager, paytable: Paytable) -> str:
    """SHA-256 over a head-to-head wager's rules and the pays it is offered with."""
    deck = [game.key, game.packet_cards, list(game.ranks)]
    return priced_digest(wager, paytable, deck, rules_digest(wager, game.ranks))
