"""What the room of the rehearsal and that of the demo have in common: a link, people, tables, and hands.

Hands are drawn by whole numbers from the exact counts of a paytable, and people make mistakes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import lcm
from random import Random

from croupier.compliance.authority import Role
from croupier.compliance.profile import newest
from croupier.compliance.table import OnFile
from croupier.floor.link.awards import can_be
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup, join_proof
from croupier.floor.site.acts import CreateSite, EnrolPerson, SetTable, TableSetup
from croupier.floor.site.notes import SiteAct
from croupier.games.blackjack.game import BLACKJACK
from croupier.games.catalogue import ALL_GAMES
from croupier.games.claims import Claimed

ZONE, PROFILE = "America/Los_Angeles", newest("washington").name
DECKS = 8
LEAST_WAGER_CENTS, MOST_WAGER_CENTS = 500, 30_000


def link_of(titles: Sequence[str], fixed_pay_card_cents: int | None = None) -> LinkSetup:
    """Tables of these games on one link with three meters: 24 % of a $5 wager goes to them, in proportion to what their
    reseeding costs, and 1 % to the reserves. Hands come in faster than people deal, so there is no least time."""
    wager, paytable = "blazing-7s-dealer", "ML03"
    return LinkSetup(
        wager=wager,
        paytable=paytable,
        decks=DECKS,
        wager_cents=500,
        levels=(
            LevelSetup("Mega", 1_000_000, 37_000, 1_500),
            LevelSetup("Major", 500_000, 55_000, 2_500),
            LevelSetup("Minor", 250_000, 148_000, 6_000),
        ),
        executive_threshold_cents=1_000_000,
        fixed_pay_card_cents=fixed_pay_card_cents,
        tables=tuple(
            LinkedTable(number, title, wager, paytable, DECKS) for number, title in enumerate(titles, start=1)
        ),
    )


def base_game_of(title: str) -> str:
    """The game by whose rules a table of this title is dealt: the title's own, or else blackjack with the side wager
    that the title stands for."""
    return next((game.key for game in ALL_GAMES.values() if game.title == title), BLACKJACK.key)


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    role: Role
    has_card: bool = True


def people_acts(
    prefix: str, title: str, people: Sequence[Person], cards: Mapping[str, str], until: str = ""
) -> Iterator[SiteAct]:
    """The site and its people; the first two are managers. Cards are hashes, by person. An inspector is there until a
    moment."""
    first, second, *_ = people
    yield CreateSite(
        id=f"{prefix}-site",
        by=first.id,
        name=first.name,
        card=cards[first.id],
        title=title,
        profile=PROFILE,
        zone=ZONE,
    )
    for person in people[1:]:
        yield EnrolPerson(
            id=f"{prefix}-{person.id}",
            by=first.id,
            second="" if person is second else second.id,
            person=person.id,
            name=person.name,
            role=person.role,
            card=cards.get(person.id, ""),
            until=until if person.role is Role.INSPECTOR else "",
        )


def table_acts(
    prefix: str,
    tables: Sequence[LinkedTable],
    people: Sequence[Person],
    on_file: Callable[[str], OnFile] | None = None,
) -> Iterator[SetTable]:
    """`on_file` says what the register has of a title, where one is kept."""
    for table in tables:
        limits = (LEAST_WAGER_CENTS, MOST_WAGER_CENTS)
        setup = TableSetup(table.number, table.title, base_game_of(table.title), table.decks, table.seats, *limits)
        if on_file:
            setup = replace(setup, on_file=on_file(table.title))
        yield SetTable(id=f"{prefix}-table-{table.number}", by=people[0].id, second=people[1].id, table=setup)


# Hands

STAGED = "staged-"
"""How the command of a round begins that was not drawn."""
STAGED_TABLE, STAGED_SEATS = 2, (6, 3)
PLAYS_OF_10 = 9
"""In how many rounds of ten a seat lays a progressive wager."""
SLIP_IN, CLAIM_IN, SECOND_CLAIM_IN = 120, 240, 3
"""One round in so many has a hand pressed by accident, or a claim that a supervisor voids; the latter oftener where
another seat has won, so that two awards are open in one round."""


@dataclass(frozen=True)
class CardroomRound:
    """What happens at a table between START GAME and END GAME."""

    table: int
    seats: tuple[int, ...]
    won: tuple[tuple[int, str], ...]
    """Seats and their lines, from the dealer's right."""
    staged: bool = False
    slip: tuple[int, str] | None = None
    claim: tuple[int, str] | None = None
    """A seat and a line that it does not have."""
    backwards: bool = False
    """Whether the dealer begins at the wrong end."""

    @property
    def entered(self) -> list[tuple[int, str]]:
        """As the dealer enters them."""
        hands = sorted([*self.won, *([self.claim] if self.claim else [])], reverse=True)
        return hands[::-1] if self.backwards else hands


class Hands:
    """Rounds without end, the same for the same seed."""

    def __init__(self, setup: LinkSetup, rng: Random) -> None:
        self._rng, self._setup = rng, setup
        chances = {line.label: line.link for line in join_proof(setup.tables[0], setup)}
        self._deals = lcm(*(chance.denominator for chance in chances.values()))
        self._lines = list(chances)
        self._up_to = list(accumulate(int(chance * self._deals) for chance in chances.values()))
        self._shares = [line.label for line in setup.lines.values() if line.is_share]

    def turn(self, tables: int, *, staged: bool = False) -> list[CardroomRound]:
        """A round at each of the first tables."""
        drawn = [
            self._staged() if staged and number == STAGED_TABLE else self._drawn(number)
            for number in range(1, tables + 1)
        ]
        return [self._with_mistakes(round_, drawn) for round_ in drawn]

    def round(self, table: int) -> CardroomRound:
        """A round at one table, with nobody playing beside it."""
        return self._with_mistakes(self._drawn(table), ())

    def _drawn(self, table: int) -> CardroomRound:
        rng, seats = self._rng, range(1, self._setup.table[table].seats + 1)
        lit = tuple(seat for seat in seats if rng.randrange(10) < PLAYS_OF_10)
        won = self._won(lit)
        while not self._can_be(won):
            won = self._won(lit)
        return CardroomRound(table, lit, tuple(won))

    def _won(self, lit: tuple[int, ...]) -> list[tuple[int, str]]:
        return [(seat, line) for seat in reversed(lit) if (line := self._line())]

    def _can_be(self, hands: Sequence[tuple[int, str]]) -> bool:
        """Whether one deal makes them all: keypads refuse what cannot be."""
        return len(hands) < 2 or can_be(self._setup, [Claimed(line) for _, line in hands])

    def _line(self) -> str:
        """What a wager wins, if it does; each wager by itself."""
        place = bisect_right(self._up_to, self._rng.randrange(self._deals))
        return self._lines[place] if place < len(self._lines) else ""

    def _staged(self) -> CardroomRound:
        """Two players win the last meter in one round."""
        seats = tuple(range(1, self._setup.table[STAGED_TABLE].seats + 1))
        return CardroomRound(STAGED_TABLE, seats, tuple((seat, self._shares[-1]) for seat in STAGED_SEATS), staged=True)

    def _with_mistakes(self, deal: CardroomRound, turn: Sequence[CardroomRound]) -> CardroomRound:
        """A claim is never for a meter that another table wins now: that award must not be locked on what it leaves."""
        rng, winners = self._rng, {seat for seat, _ in deal.won}
        others = [seat for seat in deal.seats if seat not in winners]
        slip = claim = None
        if others and not rng.randrange(SLIP_IN):
            slip = (rng.choice(others), rng.choice(self._lines))
        shares = any(line in self._shares for _, line in deal.won)
        if others and not rng.randrange(SECOND_CLAIM_IN if shares else CLAIM_IN):
            elsewhere = {line for other in turn if other is not deal for _, line in other.won}
            free = [line for line in self._shares if line not in elsewhere]
            free = [line for line in free if self._can_be([*deal.won, (0, line)])]
            claim = (rng.choice(others), rng.choice(free)) if free else None
        played = (deal.table, deal.seats, deal.won, deal.staged, slip, claim)
        return CardroomRound(*played, backwards=not rng.randrange(4))
