"""How a split pair ends: the law of its result, and its exact mean and variance, hands that share a shoe and a dealer.

The hands of a split are not independent: they draw from one shoe and meet one dealer. For every two of them the chance
that they end in given ways together, and the dealer in a third, is counted exactly. That gives the variance of any
number of hands, since it is a sum over pairs of hands, and the whole law wherever a pair becomes two hands.

Three and four hands (half a percent of all rounds) would take all sets of cards that as many hands can hold. For these
the hands are taken as independent *given the dealer's ending and the second cards that opened them*, each with its
exact law; and a sliver of probability is moved between 0 and +-2, so that the variance too is exact.

Hands are counted by labels: 0 to 7 stands with 16 or less, 17, ... 21, a charlie or a bonus 21; then the same doubled,
and doubled with a free chip; then any hand, any that is doubled, any that is doubled free; a hand that was doubled and
given up, and one that was given up without. Hands that break need no label: they are what is left.

Results are in units of the first wager, or in half units where any hand may be given up.

Where splits are free, the first hand has the player's money and the others free chips: these are two kinds of hands,
each with its own play and results, and two hands are two of one kind or one of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache, reduce
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.dealer import blackjack_chances, trie_for
from croupier.analysis.blackjack.hands import KEY_OF_VALUE, Bools, Floats, Ints, cards_of, in_order
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.results import AT_22, AT_BLACKJACK, AT_BROKEN, Results
from croupier.analysis.blackjack.splits import shoes_for, stages
from croupier.analysis.blackjack.table import Choices
from croupier.analysis.kernels.dealer import Trie, dealer_totals
from croupier.analysis.kernels.player import DOUBLE, STAND, SURRENDER
from croupier.analysis.kernels.split import Items, count_orders, join_hands, join_two

GRADES = 8
"""16 or less, 17, ... 21, a charlie and a bonus 21."""
ANY, DOUBLED, LENT, RESCUED, GIVEN_UP, LABELS = range(3 * GRADES, 3 * GRADES + 6)
MOST = 8
"""The most that can be won or lost: four hands, all doubled."""


class Pattern(NamedTuple):
    """One way a split can go: how many cards of the pair come again, and how its hands are closed."""

    orders: int
    pairs: int
    others: int
    """Hands whose second card is not of the pair, though one more hand could have been opened."""
    free: int
    """Hands whose second card may be any."""

    @property
    def hands(self) -> int:
        return self.others + self.free


@cache
def patterns(most: int) -> tuple[Pattern, ...]:
    """All ways a pair that may become `most` hands can go."""
    shapes = [Pattern(last.hands // last.free, last.pairs, last.others, last.free) for last in _last(most)]
    for stage in stages(most):
        if not stage.last and stage.others == 1 + stage.pairs:  # the last open hand, closed by another card
            shapes.append(Pattern(stage.hands, stage.pairs, stage.others + 1, 0))
    return tuple(sorted(shapes, key=lambda pattern: pattern.hands))


class _Last(NamedTuple):
    hands: int
    pairs: int
    others: int
    free: int


def _last(most: int) -> list[_Last]:
    return [_Last(stage.hands, stage.pairs, stage.others, most - stage.others) for stage in stages(most) if stage.last]


@dataclass(frozen=True, eq=False)
class Outcome:
    """A split pair against one up card (1 is an ace), before the hole card is known."""

    law: Floats
    """(17): the chance of -8 to 8 units; or (33), in half units."""
    second_moment: float
    """In units."""
    exact: bool
    """Whether the law is exact; mean and variance always are."""

    @property
    def chances(self) -> Iterator[tuple[Fraction, float]]:
        """Every result in units, and how likely it is."""
        most = len(self.law) // 2
        return ((Fraction(MOST * place, most), float(chance)) for place, chance in enumerate(self.law, start=-most))


@dataclass(frozen=True, eq=False)
class SplitOutcomes:
    """The outcomes of one pair that is played by fixed choices, each (rows, 10): see `Strategy.after_split`."""

    split: Split
    choices: tuple[Choices, ...]
    own: int = 1
    """Whether the hands carry the player's money; the others of a free split carry free chips."""
    rescues: tuple[Bools, ...] = ()
    """Where doubled hands are given up, as `choices` are; nowhere where nothing is said."""

    def against(self, up: int) -> Outcome:
        """The outcome against one up card."""
        rules = self.split.table.rules
        dealer = trie_for(up, hits_soft_17=rules.hits_soft_17, push_22=rules.push_22)
        if not self.split.is_free:
            return _Against(self, up, dealer).outcome()
        first, others = (replace(self, choices=self.choices[n : n + 2], own=own) for n, own in ((0, 1), (2, 0)))
        return _FreeSplit(_Against(first, up, dealer), _Against(others, up, dealer)).outcome()

    @cached_property
    def orders(self) -> tuple[Floats, Floats]:
        """In how many orders each hand comes about, (rows, 10), after a second card that is not of the pair, and is."""
        rows = self.split.rows
        other, again = self.choices
        return count_orders(rows, self.split.others, other), count_orders(rows, self.split.again, again)


def with_variance(law: Floats, second_moment: float) -> Floats:
    """The law with a sliver moved between 0 and +-2, so that it has this second moment."""
    middle = len(law) // 2
    parts = middle // MOST
    units = np.arange(-middle, middle + 1) / parts
    moved = (second_moment - (units**2 * law).sum()) / 8
    law[[middle - 2 * parts, middle, middle + 2 * parts]] += (moved, -2 * moved, moved)
    return law


@dataclass(frozen=True, eq=False)
class _Against:
    of: SplitOutcomes
    up: int
    dealer: Trie

    @property
    def split(self) -> Split:
        return self.of.split

    @property
    def parts(self) -> int:
        """Into how many parts a unit is divided: into halves where any hand may be given up."""
        return 2 if self.split.table.rules.surrender_any_time else 1

    @property
    def no_law(self) -> Floats:
        """A law in which nothing happens yet."""
        return np.zeros(2 * MOST * self.parts + 1)

    @property
    def all_at_risk(self) -> bool:
        """Whether a blackjack takes all wagers, and not the first one alone."""
        return not self.split.table.rules.blackjack_takes_one

    def outcome(self) -> Outcome:
        every = patterns(self.split.most)
        two = [pattern for pattern in every if pattern.hands == 2]
        longer = [pattern for pattern in every if pattern.hands > 2]
        joint = self.joint(two)
        law = self._law_of_two(joint)
        second_moment = self._second_moment(two, joint)
        if longer:
            moment = self._second_moment(longer, self.joint(longer))
            law += self._independent(longer, moment)
            second_moment += moment
        if not self.all_at_risk:
            lost = float(self.split.table.caught[self.split.table.hands.place((self.split.pair,) * 2), self.up - 1])
            law[(MOST - 1) * self.parts] += lost
            second_moment += lost
        return Outcome(law, second_moment, exact=not longer)

    # Hands one by one and two by two

    @cached_property
    def items(self) -> Items:
        rows = self.split.rows
        column = self.up - 1
        parts = []
        for again, (orders, choice) in enumerate(zip(self.of.orders, self.of.choices, strict=True)):
            two = (self.split.again if again else self.split.others) & (orders[:, column] > 0)
            doubles = (orders[:, column] > 0) & (choice[:, column] == DOUBLE) & (two | (rows.size > 2))
            ended = (orders[:, column] > 0) & (two | (rows.size > 2))
            stood, given_up = (ended & (choice[:, column] == act) for act in (STAND, SURRENDER))
            once = np.ones(len(rows.size))
            counted = [(stood, rows.grade, orders[:, column]), (two, np.full_like(rows.grade, ANY), once)]
            counted.append((given_up, np.full_like(rows.grade, GIVEN_UP), orders[:, column]))
            kinds = ((doubles & ~rows.free, GRADES, DOUBLED), (doubles & rows.free, 2 * GRADES, LENT))
            for doubled, first, any_so in kinds:
                drawn_to = np.zeros(len(rows.size))
                for row in np.flatnonzero(doubled):
                    after = rows.child[row]
                    drawn_to[after[after >= 0]] += orders[row, column]
                label = rows.doubled_grade + first
                if self.of.rescues and any_so == DOUBLED:
                    label = np.where(self.of.rescues[again][:, column], RESCUED, label)
                counted.append((drawn_to > 0, label, drawn_to))
                counted.append((doubled, np.full_like(rows.grade, any_so), orders[:, column]))
            for chosen, label, ways in counted:
                key = rows.cards[chosen] @ KEY_OF_VALUE
                parts.append((key, label[chosen], ways[chosen], np.full(len(key), again)))
        return Items(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    @cached_property
    def single(self) -> _Sets:
        """The cards of one hand, and the other card of the pair."""
        return _Sets(self, self.items.key + KEY_OF_VALUE[self.split.pair - 1])

    @cached_property
    def unions(self) -> tuple[Ints, _Sets]:
        """Which set of cards two items are together, (items, items), and these sets."""
        own, item = np.unique(self.items.key, return_inverse=True)
        one, other = np.tril_indices(len(own))
        keys, place = np.unique(own[one] + own[other], return_inverse=True)
        together = np.empty((len(own), len(own)), dtype=np.int64)
        together[one, other] = together[other, one] = place
        return together[item[:, None], item], _Sets(self, keys)

    # Patterns

    def _weights(self, pattern: Pattern, excluded: int) -> Floats:
        """How much each shoe counts where `excluded` more hands are closed by cards that are not of the pair."""
        in_a_row = self.split.in_a_row[:, self.up - 1]
        weight = np.zeros_like(in_a_row)
        for j in range(excluded + 1):
            k = pattern.pairs + j
            weight[k] += pattern.orders * (-1) ** j * comb(excluded, j) * in_a_row[k]
        return weight

    def _marginals(self, pattern: Pattern) -> tuple[Floats, Floats]:
        """(labels, endings): how one closed hand, and one free hand, ends together with the dealer."""
        items = self.items
        laws = []
        for free, there in ((False, pattern.others > 0), (True, pattern.free > 0)):
            law = np.zeros((LABELS, self.results.endings))
            if there:
                weight = self._weights(pattern, pattern.others if free else pattern.others - 1)
                ends = self.single.ends(weight[None])[0] * items.orders[:, None]
                kept = np.ones(len(items.key), dtype=np.bool_) if free else items.again == 0
                np.add.at(law, items.label[kept], ends[kept])
            laws.append(law)
        return laws[0], laws[1]

    def joint(
        self,
        of: Iterable[Pattern],
        hands: Callable[[Pattern], tuple[int, int]] = lambda pattern: (pattern.others, pattern.free),
    ) -> Floats:
        """(labels, labels, endings): summed over all pairs of hands of these patterns, each counted once."""
        weight = np.zeros((3, len(self.split.in_a_row)))
        for pattern in of:
            closed, free = hands(pattern)
            for first, second, pairs in ((0, 0, comb(closed, 2)), (0, 1, closed * free), (1, 1, comb(free, 2))):
                if pairs:
                    part = pairs * self._weights(pattern, pattern.others - (2 - first - second))
                    weight[0] += part
                    # A free hand may be a pair again; which of two hands it is does not matter to a symmetric sum.
                    weight[1] += part * (first + second) / 2
                    weight[2] += part * (first * second)
        place, sets = self.unions
        one_way = join_hands(self.items, LABELS, place, sets.ends(weight))
        return one_way + one_way.swapaxes(0, 1)

    def _second_moment(self, of: Iterable[Pattern], joint: Floats) -> float:
        squares = (np.arange(-2 * self.parts, 2 * self.parts + 1)[:, None] / self.parts) ** 2
        own = 0.0
        for pattern in of:
            closed, free = (self._in_results(law) for law in self._marginals(pattern))
            own += pattern.others * (squares * closed).sum() + pattern.free * (squares * free).sum()
        coefficient = _coefficients(self.results, self.of.own)
        return float(own + 2 * np.einsum("ije,ie,je->", joint, coefficient, coefficient))

    def _independent(self, of: Iterable[Pattern], second_moment: float) -> Floats:
        """The law of three hands or more, as if independent given the dealer's ending; mean and variance exact."""
        law = self.no_law
        middle = len(law) // 2
        for pattern in of:
            closed, free = (self._in_results(marginal) for marginal in self._marginals(pattern))
            for end in range(self.results.endings):
                happens = closed[:, end].sum() if pattern.others else free[:, end].sum()
                if happens > 0:
                    hands = [closed[:, end] / happens] * pattern.others + [free[:, end] / happens] * pattern.free
                    total = reduce(np.convolve, hands)
                    reach = len(total) // 2
                    law[middle - reach : middle + reach + 1] += happens * total
        return with_variance(law, second_moment)

    def _law_of_two(self, joint: Floats) -> Floats:
        law = self.no_law
        by_result = self._in_results(self._in_results(joint).swapaxes(0, 1))
        most, results = 2 * self.parts, range(len(by_result))
        for first, second in product(results, repeat=2):
            law[len(law) // 2 + first + second - 2 * most] += by_result[first, second].sum()
        return law

    def _in_results(self, law: Floats) -> Floats:
        """From labels in front to results -2 to 2 in front, by parts of a unit; endings stay last."""
        return np.asarray(np.einsum("rle,l...e->r...e", _result_of_label(self.results, self.of.own, self.parts), law))

    @property
    def results(self) -> Results:
        return self.split.table.results


@dataclass(frozen=True, eq=False)
class _FreeSplit:
    """A split whose first hand carries money and whose others carry free chips, against one up card."""

    money: _Against
    lent: _Against

    def outcome(self) -> Outcome:
        split, column = self.money.split, self.money.up - 1
        every = patterns(split.most)
        two = [pattern for pattern in every if pattern.hands == 2]
        longer = [pattern for pattern in every if pattern.hands > 2]
        joint = self._joint(two)
        law, second_moment = self._law_of_two(joint), self._second_moment(two, joint)
        if longer:
            moment = self._second_moment(longer, self._joint(longer))
            law += self._independent(longer, moment)
            second_moment += moment
        if not self.money.all_at_risk:
            lost = float(split.table.caught[split.table.hands.place((split.pair,) * 2), column])
            law[MOST - 1] += lost
            second_moment += lost
        return Outcome(law, second_moment, exact=not longer)

    @staticmethod
    def _lent_hands(pattern: Pattern) -> tuple[int, int]:
        """How many of the others are closed, and how many free to hold any second card: the first hand is closed
        where any is."""
        return (pattern.others - 1, pattern.free) if pattern.others else (0, pattern.free - 1)

    def _joint(self, of: Iterable[Pattern]) -> Floats:
        """(labels of the first hand, labels of another, endings), summed over all others."""
        weight = np.zeros((4, len(self.money.split.in_a_row)))
        for pattern in of:
            closed, free = self._lent_hands(pattern)
            first_free = not pattern.others
            for other_free, hands in ((False, closed), (True, free)):
                if hands:
                    part = hands * self.money._weights(pattern, pattern.others - (not first_free) - (not other_free))
                    for first_again, other_again in product(range(1 + first_free), range(1 + other_free)):
                        weight[2 * first_again + other_again] += part
        place, sets = self.unions
        return join_two(self.money.items, self.lent.items, LABELS, place, sets.ends(weight))

    @cached_property
    def unions(self) -> tuple[Ints, _Sets]:
        """Which set of cards a first hand and another are together, (items, items), and these sets."""
        both = (self.money.items.key, self.lent.items.key)
        (ones, of_one), (others, of_other) = (np.unique(part, return_inverse=True) for part in both)
        keys, place = np.unique(ones[:, None] + others, return_inverse=True)
        return place.reshape(len(ones), -1)[of_one[:, None], of_other], _Sets(self.money, keys)

    def _law_of_two(self, joint: Floats) -> Floats:
        law = np.zeros(2 * MOST + 1)
        by_first = self.money._in_results(joint).swapaxes(0, 1)
        by_result = self.lent._in_results(by_first).swapaxes(0, 1)
        for first, second in product(range(-2, 3), repeat=2):
            law[MOST + first + second] += by_result[2 + first, 2 + second].sum()
        return law

    def _second_moment(self, of: list[Pattern], joint: Floats) -> float:
        squares = np.arange(-2, 3)[:, None] ** 2
        own = 0.0
        for pattern in of:
            for law, hands in self._laws(pattern):
                own += hands * float((squares * law).sum())
        first, other = (_coefficients(of_kind.results, of_kind.of.own) for of_kind in (self.money, self.lent))
        both = np.einsum("ije,ie,je->", joint, first, other)
        among = 0.0
        if any(sum(self._lent_hands(pattern)) > 1 for pattern in of):
            among = np.einsum("ije,ie,je->", self.lent.joint(of, self._lent_hands), other, other)
        return float(own + 2 * both + 2 * among)

    def _laws(self, pattern: Pattern) -> Iterator[tuple[Floats, int]]:
        """(results, endings) of each sort of hand, and how many there are of it."""
        closed, free = self._lent_hands(pattern)
        money = [self.money._in_results(law) for law in self.money._marginals(pattern)]
        lent = [self.lent._in_results(law) for law in self.lent._marginals(pattern)]
        yield money[0 if pattern.others else 1], 1
        yield lent[0], closed
        yield lent[1], free

    def _independent(self, of: Iterable[Pattern], second_moment: float) -> Floats:
        law = np.zeros(2 * MOST + 1)
        for pattern in of:
            hands = [(law, times) for law, times in self._laws(pattern) if times]
            for end in range(self.money.results.endings):
                happens = hands[0][0][:, end].sum()
                if happens > 0:
                    total = reduce(np.convolve, [law[:, end] / happens for law, times in hands for _ in range(times)])
                    reach = len(total) // 2
                    law[MOST - reach : MOST + reach + 1] += happens * total
        return with_variance(law, second_moment)


@dataclass(frozen=True, eq=False)
class _Sets:
    """Sets of cards that include both cards of the pair, drawn from shoes that lack k = 0, 1, ... more of the pair."""

    of: _Against
    keys: Ints

    def ends(self, weight: Floats) -> Floats:
        """(measures, sets, endings): how often a set is drawn in one order and the dealer ends so.

        Shoes count by their weight (measures, shoes); where that is nothing, nothing is computed.
        """
        ends = np.zeros((len(weight), len(self.keys), self.of.results.endings))
        for k in np.flatnonzero(weight.any(axis=0)):
            drawn = self._drawn(int(k))
            for measure in np.flatnonzero(weight[:, k]):
                ends[measure] += weight[measure, k] * drawn
        return ends

    def _drawn(self, k: int) -> Floats:
        """(sets, endings) of one shoe: each is asked for by several weights, and worked out once."""
        if k not in self._by_shoe:
            place, endings = self._dealers
            self._by_shoe[k] = endings[place[k]] * self._in_order(k)[:, None]
        return self._by_shoe[k]

    @cached_property
    def _by_shoe(self) -> dict[int, Floats]:
        return {}

    def _in_order(self, k: int) -> Floats:
        """(sets): the chance to draw the cards beside the pair in one given order."""
        left = self.of.split.left.copy()
        left[self.of.split.pair - 1] -= k
        left[self.of.up - 1] -= 1
        return in_order(left, self._cards)

    @cached_property
    def _cards(self) -> Ints:
        return cards_of(self.keys - 2 * KEY_OF_VALUE[self.of.split.pair - 1])

    @cached_property
    def _dealers(self) -> tuple[Ints, Floats]:
        """(shoes, sets): the place of what is missing; and how the dealer ends by that, (places, endings).

        A set that lacks one more card of the pair is often another set, so what is missing is gone through once.
        """
        shoes = np.arange(shoes_for(self.of.split.most))[:, None]
        keys, place = np.unique(self.keys + shoes * KEY_OF_VALUE[self.of.split.pair - 1], return_inverse=True)
        missing, shoe, column = cards_of(keys), self.of.split.table.cards, self.of.up - 1
        ends = np.zeros((len(keys), self.of.results.endings))
        totals = dealer_totals(shoe, missing, self.of.dealer)[:, :, column]
        ends[:, :AT_BROKEN], ends[:, AT_22:] = totals[:, :AT_BROKEN], totals[:, AT_BROKEN:]
        ends[:, AT_BLACKJACK] = blackjack_chances(shoe, missing)[:, column]
        ends[:, AT_BROKEN] = 1 - ends.sum(axis=1)
        if not self.of.all_at_risk:
            ends[:, AT_BLACKJACK] = 0.0  # the first wager alone is lost, and that is counted apart
        return place.reshape(len(shoes), -1), ends


@lru_cache(maxsize=16)
def _results(of: Results, own: int) -> Ints:
    """(3 x grades, endings): what a hand that stands with each label wins, whose first chip is the player's or free."""
    assert (of.by_grade == of.by_grade.astype(np.int64)).all(), "a law in whole units needs results of whole units"
    stakes = ((own, 1 - own), (own + 1, 1 - own), (own, 2 - own))
    more = np.zeros((GRADES - len(of.by_grade), of.endings))  # no hand has these grades
    won = [part for money, free in stakes for part in (of.staked(money, free), more)]
    # A bonus 21 was not doubled: of those that were no hand has its grade.
    return np.minimum(np.concatenate(won), 2).astype(np.int64)


@lru_cache(maxsize=16)
def _coefficients(of: Results, own: int) -> Floats:
    """(labels, endings): the result of a hand as a sum over its labels.

    Any hand loses what it begins with and a doubled one another unit, until it stands and gets back what it wins.
    """
    wagers = np.repeat((own, own + 1.0, own), GRADES)[:, None]
    lost = np.repeat(np.array([[-own], [-1.0], [0.0], [1.0], [0.5]]), of.endings, axis=1)
    return np.concatenate((_results(of, own) + wagers, lost))


@lru_cache(maxsize=16)
def _result_of_label(of: Results, own: int, parts: int) -> Floats:
    """(results -2 to 2 by parts of a unit, labels, endings): how a chance by labels becomes one by results.

    A hand that breaks is any hand that is not doubled, or a doubled one, less those that stand.
    """
    by_parts = np.zeros((4 * parts + 1, LABELS, of.endings))
    into = by_parts[::parts]  # whole units
    labels, ends = np.indices((ANY, of.endings))
    into[2 + _results(of, own), labels, ends] = 1.0
    into[2 - own, [ANY, DOUBLED]] += np.array([1.0, -1.0])[:, None]
    into[2 - own, [*range(GRADES), *range(2 * GRADES, ANY)]] -= 1.0
    into[1 - own, [DOUBLED, *range(GRADES, 2 * GRADES)]] += np.array([1.0, *[-1.0] * GRADES])[:, None]
    into[[2 - own, 1 - own], RESCUED] += np.array([1.0, -1.0])[:, None]
    if parts == 2:
        by_parts[3, GIVEN_UP] += 1.0  # half a unit less than nothing
        into[2 - own, GIVEN_UP] -= 1.0
    return by_parts
