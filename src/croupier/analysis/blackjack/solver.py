"""The exact value of every decision at a blackjack table, and what the game as a whole is worth.

    solution = solve(Rules.parse("6D S17 DAS SP4 3:2"))
    solution.edge                       -0.00402870236...: the player's expected result per unit of the first wager
    solution.hand_values("T 6", "T")    {hit: -0.5347, stand: -0.5410, double: -1.0694}
    solution.best("8 8", "T")           split

Values are for the exact cards of the hand and the exact shoe, which may lack any cards. Where the table checks the hole
card, the values of a decision are given that the dealer has no blackjack, because that is when the player decides;
with no hole card they include it, and so do those of two cards that may be surrendered early. `conventions` says what
is assumed of hands after a split.

Precision. Chances are products and sums in double precision. A dealer's total carries a relative error below 1e-12 (see
`kernels.dealer`), a player's hand adds at most 20 draws, and a split sums shoes with weights whose sizes add up to less
than 60, so every value here is within 1e-10 of the exact one; comparison with exact fractions shows less than 1e-14.

A shoe must not run out in the middle of a round: `solution.may_run_out` says whether it could, which takes few cards.
A dealer's hand that cannot be finished counts as broken, and the figures are then close rather than exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.dealer import MAKES_BLACKJACK
from croupier.analysis.blackjack.hands import Floats
from croupier.analysis.blackjack.pairs import Split, Worth
from croupier.analysis.blackjack.results import AT_BLACKJACK, AT_BROKEN, results
from croupier.analysis.blackjack.shoe import UNSEEN, Composition, format_values, read_values, up_value, value_letter
from croupier.analysis.blackjack.splits import may_double, stages
from croupier.analysis.blackjack.strategy import Action, Strategy, chosen_values, first_values
from croupier.analysis.blackjack.table import Choices, Played, Table, table_for
from croupier.analysis.kernels.player import HAIR
from croupier.errors import NotationError
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.money import StakeKind

UP_CARDS = range(ACE, TEN + 1)


def solve(
    rules: Rules,
    shoe: Composition | None = None,
    convention: Convention | str = Convention.CDZ_MINUS,
    *,
    naturals: bool = True,
    hole: int = UNSEEN,
) -> Solution:
    """The game under these rules, from a full shoe or from what is left of one.

    Without `naturals` a player's first ace and ten are 21 and no blackjack, as after a zap. With a hole card everything
    is worth what it is to somebody who has seen it; it comes out of the shoe.
    """
    named = convention if isinstance(convention, Convention) else Convention.parse(convention)
    return Solution(table_for(rules, shoe, naturals=naturals, hole=hole), named)


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved game; arrays are counted out when they are first asked for."""

    table: Table
    convention: Convention

    @property
    def rules(self) -> Rules:
        return self.table.rules

    @property
    def shoe(self) -> Composition:
        return self.table.shoe

    @cached_property
    def edge(self) -> float:
        """The player's expected result per unit of the first wager, without insurance; the house's edge is negative."""
        return float(self.table.mean(self.value).sum())

    @cached_property
    def edge_by_up_card(self) -> dict[str, float]:
        """The same, given each up card that the shoe holds."""
        weight, worth = self.table.deals.sum(axis=0), self.table.mean(self.value)
        return {value_letter(up): float(worth[up - 1] / weight[up - 1]) for up in UP_CARDS if weight[up - 1] > 0}

    @cached_property
    def insurance_gain(self) -> float:
        """What taking insurance whenever it pays adds to the edge, half the wager each time."""
        if not self.rules.insurance:
            return 0.0
        worth = self.table.results.insured(self.table.caught[:, ACE - 1])
        return float((self.table.deals[:, ACE - 1] * np.maximum(0.0, worth) / 2).sum())

    @property
    def may_run_out(self) -> bool:
        """Whether a round could need more cards than the shoe holds."""
        return may_run_out(self.rules, self.shoe)

    # Decisions

    def before_check(self, cards: str | Sequence[int], up: str | int) -> bool:
        """Whether the first decision comes before the dealer looks for a blackjack: it may be an early surrender."""
        up_card, two = up_value(up), len(read_values(cards)) == 2
        return self.rules.hole_card and two and up_card in (ACE, TEN) and self.rules.surrenders_early(up_card)

    def given(self, cards: str | Sequence[int], up: str | int) -> str:
        """What the values of these cards are given, in words."""
        if self.table.hole != UNSEEN:
            return f"given that the dealer's hole card is {_a(value_letter(self.table.hole))}"
        if not self.rules.hole_card:
            return "the dealer's blackjack included"
        if self.before_check(cards, up):
            return "before the dealer looks for a blackjack"
        return "given that the dealer has no blackjack"

    def hand_values(self, cards: str | Sequence[int], up: str | int, *, checked: bool = False) -> dict[Action, float]:
        """What each allowed action is worth, the best first; the cards and the up card come out of the shoe.

        `checked` says that the dealer has looked for a blackjack, so that it is too late for an early surrender.
        """
        place, column = self._find(cards, up)
        held = read_values(cards)
        if not checked and self.before_check(cards, up):
            early = self._decision_values(place, column)
            return dict(sorted(early.items(), key=lambda item: (-item[1], item[0])))
        if self.rules.hole_card and self.table.naturals and sorted(held) == [ACE, TEN]:
            # Once the dealer has none, a blackjack is paid and decides nothing.
            return {Action.STAND: float(self.table.results.blackjack[AT_BROKEN])}
        worth = self._decision_values(place, column)
        lost = self.table.caught[place, column] if self.rules.hole_card else 0.0
        if lost >= 1 and self.table.hole != UNSEEN:
            raise NotationError(
                f"{value_letter(column + 1)} and {value_letter(self.table.hole)} are a blackjack of the dealer's: with "
                "this hole card there is nothing to decide but insurance, which wins against an ace."
            )
        if lost >= 1:
            raise NotationError(f"With these cards gone a {value_letter(column + 1)} is a certain blackjack.")
        given = {action: float((value + lost) / (1 - lost)) for action, value in worth.items()}
        if self.before_check(cards, up):
            given.pop(Action.SURRENDER, None)
        if Action.SURRENDER in given and self.rules.hole_card:
            # Half the wager, whatever comes: a rule, and not the sum of its parts.
            given[Action.SURRENDER] = float(self.table.results.surrendered[AT_BROKEN])
        return dict(sorted(given.items(), key=lambda item: (-item[1], item[0])))

    def doubled_values(self, cards: str | Sequence[int], up: str | int) -> dict[Action, float]:
        """What is left to decide once a hand was doubled, per unit of all that lies on it: to stand, or to give up."""
        place, column = self._find(cards, up)
        lost = self.table.caught[place, column]
        stands = float((self.table.doubled_stand[place, column] / 2 + lost) / (1 - lost))
        half = float(self.table.results.surrendered[AT_BROKEN])
        return dict(
            sorted({Action.STAND: stands, Action.SURRENDER: half}.items(), key=lambda item: (-item[1], item[0]))
        )

    def lent_values(self, cards: str | Sequence[int], up: str | int) -> dict[Action, float]:
        """What each action is worth with a hand from a free split, which carries a free chip."""
        place, column = self._find(cards, up)
        table = self.table.lent
        worth = {Action.STAND: table.stand, Action.HIT: table.best_play.hit, Action.DOUBLE: table.best_play.double}
        lost = table.caught[place, column] if self.rules.hole_card else 0.0
        given = {act: float(value[place, column]) / (1 - lost) for act, value in worth.items()}
        return {act: value for act, value in given.items() if np.isfinite(value)}

    def best(self, cards: str | Sequence[int], up: str | int) -> Action:
        """The best action with these cards."""
        place, column = self._find(cards, up)
        return best_of(self._decision_values(place, column))

    def _decision_values(self, place: int, column: int) -> dict[Action, float]:
        worth = {action: float(self.values[action, place, column]) for action in Action}
        if self.table.hands.size[place] > 2:
            more = [Action.SURRENDER] if self.table.may_give_up[place] else []
            worth = {action: worth[action] for action in (Action.STAND, Action.HIT, Action.DOUBLE, *more)}
        return {action: value for action, value in worth.items() if np.isfinite(value)}

    def _find(self, cards: str | Sequence[int], up: str | int) -> tuple[int, int]:
        values = read_values(cards)
        up_card = up_value(up)
        if len(values) < 2 or sum(values) > 21:
            raise NotationError(f"{format_values(values)!r} is no hand to play: it needs two cards or more, up to 21.")
        self.shoe.check_holds((*values, up_card))
        return self.table.hands.place(values), up_card - 1

    # Arrays

    @cached_property
    def played(self) -> Played:
        return self.table.best_play

    def unsplit(self, kind: StakeKind) -> Choices:
        """(hands, 10): how the same cards with such a chip are best played where they cannot be split or given up."""
        return self._with_money if kind is StakeKind.OWN else self._with_free_chip

    @cached_property
    def _with_money(self) -> Choices:
        return self._unsplit(self.table)

    @cached_property
    def _with_free_chip(self) -> Choices:
        return self._unsplit(self.table.lent)

    def _unsplit(self, table: Table) -> Choices:
        played = table.best_play
        doubles = np.where(may_double(self.rules, after_split=True)[:, None], played.double, -np.inf)
        better = doubles > np.maximum(played.hit, table.ended) + HAIR
        return np.where(better, np.int8(Action.DOUBLE), played.draws)

    @cached_property
    def splits(self) -> dict[int, Worth]:
        """Every pair that may be split, by its value."""
        return {
            pair: Split(self.table, pair).under(self.convention, self.unsplit, self.played.rescues)
            for pair in self.table.plan.rows
        }

    @cached_property
    def values(self) -> Floats:
        """(actions, hands, 10): every first decision before the hole card is known, -inf where it is not allowed."""
        split = {pair: worth.value for pair, worth in self.splits.items()}
        return first_values(self.table, self.played, split, {cards: zap.worth for cards, zap in self.zaps.items()})

    @cached_property
    def zaps(self) -> dict[tuple[int, int], Zapped]:
        """Every two cards that may be zapped: the best play of what comes for them, with these cards gone."""
        zaps = {}
        for cards, table in self.table.zapped:
            after = Solution(table, self.convention)
            # The tables of ten shoes would fill the memory: what is wanted of them is kept.
            fixed = after.strategy if self.convention.is_fixed else None
            zaps[cards] = Zapped(table.mean_by_up_card(after.value), fixed)
        return zaps

    @cached_property
    def first(self) -> Choices:
        """(hands, 10): the best first action with two cards."""
        best = np.zeros(self.values.shape[1:], dtype=np.int8)
        worth = self.values[Action.STAND].copy()
        for action in Action:
            better = self.values[action] > worth + HAIR
            best[better] = action
            worth = np.where(better, self.values[action], worth)
        return best

    @cached_property
    def value(self) -> Floats:
        """(hands, 10): what the first decision is worth if it is the best one."""
        return chosen_values(self.values, self.first)

    @cached_property
    def strategy(self) -> Strategy:
        """The best play as one fixed strategy; CDP and CDPN look at more than the hand and have none."""
        if not self.convention.is_fixed:
            raise NotationError(
                f"Under {self.convention} a hand after a split is played by what has come before it, "
                f"so there is no fixed strategy; take CDZ-, CDP1 or BEST."
            )
        after = {}
        for pair, worth in self.splits.items():
            after[pair] = tuple(part.yields.chosen for part in worth.parts)
        insures = np.zeros(len(self.first), dtype=np.bool_)
        zapped = {cards: zap.strategy for cards, zap in self.zaps.items() if zap.strategy}
        rescued = {pair: tuple(part.rescues for part in worth.parts) for pair, worth in self.splits.items()}
        return Strategy(self.first, self.played.draws, after, insures, zapped, self.played.rescues, rescued)


class Zapped(NamedTuple):
    """Two cards that are traded for the next two."""

    worth: Floats
    """(10): before the hole card is known."""
    strategy: Strategy | None
    """How the next two are played, where the convention has one strategy."""


def edge_if_zapped_blackjacks_win(solution: Solution) -> float:
    """The edge in a house where an ace and a ten after a zap win 1 to 1 at once, if the same hands are zapped."""
    edge, table = solution.edge, solution.table
    for cards, after in table.zapped:
        natural, place = after.hands.place((ACE, TEN)), table.hands.place(cards)
        more = after.deals[natural] * (1 - after.caught[natural] - after.stand[natural])
        dealt = np.where(solution.first[place] == Action.ZAP, table.deals[place], 0.0)
        edge += float((dealt * more / np.maximum(after.deals.sum(axis=0), np.finfo(float).tiny)).sum())
    return edge


def _a(letter: str) -> str:
    return f"an {letter}" if letter in "A8" else f"a {letter}"


def best_of(values: Mapping[Action, float]) -> Action:
    """The action worth most; on a tie the first one in the order of `Action`."""
    best = min(values)
    for action in sorted(values):
        if values[action] > values[best] + HAIR:
            best = action
    return best


def insurance(shoe: Composition, cards: str | Iterable[int] = "") -> Fraction:
    """The exact expected result of insurance per unit insured against an ace, these cards and the ace gone."""
    left = shoe.without((*read_values(cards), ACE))
    return _insured(Fraction(left.counts[TEN - 1], left.size))


def _insured(caught: Fraction) -> Fraction:
    """A unit of insurance where a blackjack is so likely."""
    won, lost = results(Rules()).insurance
    return lost + (won - lost) * caught


def may_run_out(rules: Rules, shoe: Composition) -> bool:
    """Whether the smallest cards could make a round longer than the shoe.

    All cards of a hand but the last count at most 20 together, of the dealer's at most 16, aces as one.
    """
    points = 20 * rules.split_hands + 16
    drawn = rules.split_hands + 1
    for value, cards in enumerate(shoe.counts, start=1):
        fitting = min(cards, points // value)
        points -= fitting * value
        drawn += fitting
    return drawn > shoe.size


# Against an ace: what insurance and even money are worth, exactly.


def insurance_values(solution: Solution, held: tuple[int, ...], up: int) -> dict[str, Any]:
    """Against an ace: what a unit of insurance is worth, and to a blackjack even money; before the check."""
    rules = solution.rules
    if up != ACE or not rules.insurance or len(held) != 2:
        return {}
    left, hole = solution.shoe.without((*held, up)), solution.table.hole
    seen = Fraction(MAKES_BLACKJACK[up] == hole)
    caught = Fraction(left.counts[TEN - 1], left.size) if hole == UNSEEN else seen
    worth = _insured(caught)
    values: dict[str, Any] = {"insurance": {"exact": str(worth), "value": float(worth)}}
    if sorted(held) != [ACE, TEN]:
        return values
    nets = solution.table.results.blackjack
    paid = nets[AT_BROKEN] * (1 - caught) + nets[AT_BLACKJACK] * caught
    ways = {"neither": paid, "insured for half": paid + worth / 2}
    if rules.even_money:
        ways["even money"] = Fraction(1)
    return values | {"blackjack_before_check": {way: {"exact": str(v), "value": float(v)} for way, v in ways.items()}}


@dataclass(frozen=True)
class Resplit:
    """A pair in a hand after a split: what splitting it again is worth to all that is still to be played.

    Each hand is finished before the next one takes its second card, so some are finished and some wait with a single
    card of the pair. A decision tells those that wait nothing, but another split opens a hand, and it may be the last
    that can be opened. The shoe of the solution lacks all that has gone, but for the two cards of the pair and the up
    card.
    """

    solution: Solution
    pair: int
    up: int
    hands: int
    """So many the seat has, those that are finished too."""
    waiting: int
    """So many of them have a single card of the pair."""
    first: bool = False
    """Whether it is the first hand of the seat, which has the player's money where others have free chips."""

    @property
    def value(self) -> float:
        """In units of one hand's wager; given that there is no blackjack, where the hole card is checked."""
        more = self._of(self.waiting + 2, self._split.most - self.hands - 1, first=self.first) - self.without
        if self.solution.rules.original_bets_only:
            # What a blackjack takes of the hand itself, as it does whatever else is decided.
            more -= self._lost
        return more

    @property
    def without(self) -> float:
        """What those that wait are worth if it is not split."""
        return self._of(self.waiting, self._split.most - self.hands)

    @property
    def _split(self) -> Split:
        return Split(self.solution.table, self.pair)

    def _of(self, waiting: int, more: int, *, first: bool = False) -> float:
        """What so many waiting hands are worth while so many more may be opened."""
        if not waiting:
            return 0.0
        split, table = self._split, self.solution.table
        groups = split.groups_of(stages(waiting + more, waiting=waiting), first=first)
        choices = [split.choice(self.solution.convention, self.solution.unsplit, group.kind) for group in groups]
        given_up = split.given_up(self.solution.convention, self.solution.played.rescues, groups)
        value = float(split.worth(groups, choices, given_up).value[self.up - 1])
        if not table.rules.blackjack_takes_one:
            return value
        return (value + self._lost) / (1 - self._lost) if table.rules.hole_card else value + self._lost

    @property
    def _lost(self) -> float:
        table = self.solution.table
        return float(table.caught[table.hands.place((self.pair, self.pair)), self.up - 1])
