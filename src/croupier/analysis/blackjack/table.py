"""One shoe under one set of rules, counted out: what standing, hitting and doubling are worth with every hand.

All values are the player's expected result per unit of the first wager *before the hole card is known*: where the
dealer has a blackjack, a wager is lost. A table that checks the hole card first takes the first wager only, so what
a double or a split has put on top comes back in that case. Values given that there is no blackjack follow by
division, which is exact: P(next = x) P(no blackjack | next = x) = P(no blackjack) P(next = x | no blackjack).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from croupier.analysis.blackjack.dealer import blackjack_chances, totals_for
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, Hands, Ints, hands
from croupier.analysis.blackjack.results import AT_22, AT_BLACKJACK, AT_BROKEN, Nets, Results, results
from croupier.analysis.blackjack.shoe import UNSEEN, Composition
from croupier.analysis.blackjack.splits import (
    Plan,
    decides_nothing,
    free_doubles,
    grades,
    may_double,
    may_give_up,
    may_rescue,
    plan_for,
    plan_key,
)
from croupier.analysis.kernels.player import BEST, HAIR, STAND, SURRENDER, Drawn, Stakes, play_hands
from croupier.errors import NotationError
from croupier.games.blackjack.rules import ACE, TEN, Rules, count
from croupier.games.money import StakeKind

TABLES_KEPT = 4
FEWEST_CARDS = 4
"""Two for the player and two for the dealer."""

Choices = npt.NDArray[np.int8]
"""(hands, 10 up cards) of STAND, HIT, DOUBLE, SURRENDER, or BEST where the best is to be found."""


@lru_cache(maxsize=TABLES_KEPT)
def _totals(shoe: Composition, rules: Rules, *, hits_soft_17: bool, push_22: bool, hole: int) -> Floats:
    """The longest part of the work, kept for the next question about the same shoe; nobody writes to it."""
    totals = totals_for(shoe, plan_for(rules).missing, hits_soft_17=hits_soft_17, push_22=push_22, hole=hole)
    totals.setflags(write=False)
    return totals


@dataclass(frozen=True, eq=False)
class Played:
    """What hitting and doubling are worth if hands are played on by `draws`; each (hands, 10)."""

    hit: Floats
    double: Floats
    draws: Choices
    """STAND or HIT with three cards and more, DOUBLE where any number of cards may be doubled, and SURRENDER where any
    hand may be given up."""
    rescues: Bools
    """Where a doubled hand is given up; nowhere unless the rules have it."""


def table_for(rules: Rules, shoe: Composition | None = None, *, naturals: bool = True, hole: int = UNSEEN) -> Table:
    """A table with a full shoe, or with what is left of one; a shoe too small for a deal is refused.

    A hole card that somebody has seen comes out of the shoe.
    """
    if rules.switch:
        raise NotationError("A seat has two hands (SWITCH): they are counted together, not one by one.")
    cards = Composition.full(rules.decks) if shoe is None else shoe
    if cards.size < FEWEST_CARDS:
        raise NotationError(f"A round needs at least {FEWEST_CARDS} cards, and the shoe holds {cards.size}.")
    if hole != UNSEEN:
        if not rules.hole_card:
            raise NotationError("The dealer takes no second card before the players act (ENHC), so nobody can see one.")
        cards = cards.without([hole])
    return Table(rules, cards, naturals=naturals, hole=hole)


@lru_cache(maxsize=64)
def zappable(rules: Rules) -> tuple[tuple[int, int], ...]:
    """Every two cards that may be zapped, by their values."""
    every = combinations_with_replacement(range(ACE, TEN + 1), 2)
    return tuple(two for two in every if rules.may_zap(count(two).total, soft=count(two).soft))


@dataclass(frozen=True, eq=False)
class Table:
    """A shoe under rules; arrays are (hands, 10 up cards) unless they say otherwise."""

    rules: Rules
    shoe: Composition
    kind: StakeKind = StakeKind.OWN
    """Of the chip that hands begin with: a hand from a free split carries a free one."""
    naturals: bool = True
    """Whether a player's first ace and ten are a blackjack; else they are 21."""
    hole: int = UNSEEN
    """The dealer's hole card where somebody has seen it; it is not in the shoe."""

    @property
    def own(self) -> int:
        """How much of the player's money a hand begins with: 1, or 0 where its chip is free."""
        return int(self.kind is StakeKind.OWN)

    @cached_property
    def lent(self) -> Table:
        """The same hands, each with a free chip."""
        lent = Table(self.rules, self.shoe, StakeKind.FREE, self.naturals, self.hole)
        lent.__dict__["endings"] = self.endings
        return lent

    @cached_property
    def cards(self) -> Ints:
        return np.array(self.shoe.counts)

    @property
    def hands(self) -> Hands:
        return hands()

    @property
    def drawn(self) -> Drawn:
        """The hands as the kernels want them."""
        return Drawn(self.hands.cards, self.hands.size, self.hands.child)

    @cached_property
    def plan(self) -> Plan:
        return plan_for(self.rules)

    @cached_property
    def blackjack(self) -> Floats:
        """The chance of a dealer's blackjack by (set of missing cards, up card)."""
        return blackjack_chances(self.cards, self.plan.missing, self.hole)

    @cached_property
    def totals(self) -> Floats:
        """Chances of the dealer's 17 to 21 by (set of missing cards, total, up card), and of 22 where that pushes."""
        hits, push = self.rules.hits_soft_17, self.rules.push_22
        return _totals(self.shoe, plan_key(self.rules), hits_soft_17=hits, push_22=push, hole=self.hole)

    @cached_property
    def endings(self) -> Floats:
        """How likely each ending of the dealer is by (set of missing cards, ending, up card): see `results`."""
        chances = np.empty((len(self.totals), self.results.endings, VALUES))
        chances[:, :AT_BROKEN] = self.totals[:, :AT_BROKEN]
        chances[:, AT_22:] = self.totals[:, AT_BROKEN:]
        chances[:, AT_BLACKJACK] = self.blackjack
        chances[:, AT_BROKEN] = 1.0 - self.totals.sum(axis=1) - self.blackjack
        return chances

    @cached_property
    def results(self) -> Results:
        """What each ending comes to under the rules."""
        return results(self.rules)

    @cached_property
    def stands(self) -> Floats:
        """What standing is worth by (set of missing cards, grade of the hand, up card)."""
        return self._standing(self.own, 1 - self.own)

    @cached_property
    def doubled(self) -> Floats:
        """The same with a doubled wager."""
        return 2.0 * self.stands if self.own else self._standing(1, 1)

    @cached_property
    def doubled_free(self) -> Floats:
        """The same where the wager was doubled with a free chip."""
        return self._standing(self.own, 2 - self.own) if self.rules.free_doubles else self.doubled

    def _standing(self, own: int, free: int) -> Floats:
        return np.asarray(self.results.staked(own, free) @ self.endings)

    @cached_property
    def stand(self) -> Floats:
        return self.of_hands(self.stands)

    @cached_property
    def doubled_stand(self) -> Floats:
        """The same with a doubled hand, and with what lies on it."""
        return self.of_hands(self.doubled, doubled=True)

    @cached_property
    def grade(self) -> Ints:
        """(hands): by what each hand fares."""
        return grades(self.rules)

    @cached_property
    def doubled_grade(self) -> Ints:
        """(hands): the same once it was doubled."""
        return grades(self.rules, doubled=True)

    def of_hands(self, stands: Floats, *, doubled: bool = False) -> Floats:
        """(hands, 10): what standing is worth with each hand, by its grade."""
        places = np.arange(len(self.hands.key))
        return np.asarray(stands[places, self.doubled_grade if doubled else self.grade])

    @cached_property
    def caught(self) -> Floats:
        """The chance of a dealer's blackjack against each hand."""
        return self.blackjack[: len(self.hands.key)]

    @cached_property
    def surrender(self) -> Floats:
        """What giving up each hand is worth; -inf against an up card where that may not be."""
        late, half = self.worth(self.results.surrendered), float(self.results.surrendered[AT_BROKEN])
        early = np.array([self.rules.surrenders_early(up) for up in range(ACE, TEN + 1)])
        never = np.array([not self.rules.may_surrender(up) for up in range(ACE, TEN + 1)])
        return np.where(never, -np.inf, np.where(early, half, late))

    @cached_property
    def may_give_up(self) -> Bools:
        """Which hands may be surrendered at any time, by place."""
        return may_give_up(self.rules)

    @cached_property
    def ended(self) -> Floats:
        """What a hand is worth that takes no more cards: to stand, or to give up where any hand may be."""
        if not self.may_give_up.any():
            return self.stand
        given_up = np.where(self.may_give_up[:, None], self.surrender, -np.inf)
        return np.where(given_up > self.stand + HAIR, given_up, self.stand)

    def worth(self, nets: Nets) -> Floats:
        """What it is worth to be settled so against each ending, whatever the hand is."""
        return np.asarray(np.array([float(net) for net in nets]) @ self.endings[: len(self.hands.key)])

    @cached_property
    def may_double(self) -> Bools:
        """Which hands may be doubled before a split, by place."""
        return may_double(self.rules, after_split=False)

    @cached_property
    def given_up(self) -> Floats:
        """What a doubled hand is worth that is given up, as `doubled` counts it: a blackjack, which the check has
        found before, takes all that lies there, and what was never added is given back."""
        return -1.0 - self.caught

    @cached_property
    def may_rescue(self) -> Bools:
        """Which hands may be given up once they are doubled, by place."""
        return may_rescue(self.rules)

    def play(self, draws: Choices | None = None, rescues: Bools | None = None) -> Played:
        """Play hands on by these choices, or as is best."""
        over = decides_nothing(self.rules)
        choice = np.full((len(self.hands.key), VALUES), BEST, dtype=np.int8) if draws is None else draws.copy()
        choice[over] = STAND
        ended = self.ended
        if draws is not None and self.may_give_up.any():
            ended = np.where(self.may_give_up[:, None] & (draws == SURRENDER), self.surrender, self.stand)
            choice[choice == SURRENDER] = STAND
        returned = self.caught if self.rules.blackjack_takes_one else np.zeros_like(self.caught)
        free = free_doubles(self.rules)
        later = self.may_double & (self.hands.size > 2)
        doubled = self.doubled_stand
        if rescues is None:
            rescues = self.may_rescue[:, None] & (self.given_up > doubled + HAIR)
        if rescues.any():
            doubled = np.where(rescues, self.given_up, doubled)
        stakes = Stakes(self.own, ended, doubled, self.of_hands(self.doubled_free), free, returned, later)
        hit, double, chosen = play_hands(self.cards, self.drawn, stakes, choice)
        chosen[(chosen == STAND) & (ended != self.stand)] = SURRENDER
        hit[over] = -np.inf
        double[~self.may_double] = -np.inf
        return Played(hit, double, chosen, rescues)

    @cached_property
    def best_play(self) -> Played:
        return self.play()

    @property
    def zapped(self) -> Iterator[tuple[tuple[int, int], Table]]:
        """Every two cards that may be zapped, and the table at which the next two are played: those are gone, and an
        ace and a ten are no blackjack."""
        for cards in zappable(self.rules):
            held = np.bincount(cards, minlength=VALUES + 1)[1:]
            if (held <= self.cards).all() and self.shoe.size >= FEWEST_CARDS + len(cards):
                left = Composition(tuple((self.cards - held).tolist()))
                yield cards, Table(self.rules.after_zap, left, naturals=False, hole=self.hole)

    def mean_by_up_card(self, value: Floats) -> Floats:
        """(10): the mean of first hands against each up card; -inf against one that the shoe does not hold."""
        dealt = self.deals.sum(axis=0)
        return np.where(dealt > 0, self.mean(value) / np.where(dealt > 0, dealt, 1.0), -np.inf)

    def mean(self, value: Floats) -> Floats:
        """(10): the values of first hands, each as often as it is dealt with that up card."""
        return np.asarray((self.deals * np.where(self.deals > 0, value, 0.0)).sum(axis=0))

    @cached_property
    def deals(self) -> Floats:
        """How often each first hand of two cards meets each up card; zero for other hands."""
        table = self.hands
        chance = np.zeros((len(table.key), VALUES))
        size = self.shoe.size
        two = np.flatnonzero(table.size == 2)
        left = np.maximum(0, self.cards - table.cards[two])
        for place, after in zip(two.tolist(), left.tolist(), strict=True):
            low, high = np.flatnonzero(table.cards[place])[[0, -1]]
            ways = self.cards[low] * (self.cards[low] - 1) if low == high else 2 * self.cards[low] * self.cards[high]
            chance[place] = ways * np.array(after) / (size * (size - 1) * (size - 2))
        return chance


def dealt_instead(after: Table, zaps: Floats) -> Floats:
    """(hands, 10): how often first hands come about for cards that are zapped so often, (10)."""
    dealt = after.deals.sum(axis=0)
    return np.asarray(after.deals * np.where(dealt > 0, zaps / np.where(dealt > 0, dealt, 1.0), 0.0))


def one_card_more(table: Table, doubled: Floats) -> Floats:
    """(hands, 10): how often hands are made by one card to those that are doubled so often."""
    every, cards = table.hands, table.cards
    left = np.maximum(1, int(cards.sum()) - every.size - 1)[:, None]
    shown = np.zeros_like(doubled)
    for value in range(VALUES):
        into = every.child[:, value]
        number = cards[value] - every.cards[:, value, None] - (np.arange(VALUES) == value)
        np.add.at(shown, into[into >= 0], (doubled * np.maximum(0, number) / left)[into >= 0])
    return shown
