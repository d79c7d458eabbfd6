"""Whether a table may join a link: the same title list, paytable and decks, and the same chances, proved by counting.

WAC 230-15-685 links games with the same winning hand and the same probability. The product does not take the words of a
setup for it: it counts every deal of the table and of the link under the rules of the game, and compares line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from croupier.errors import Refusal
from croupier.games.blackjack.rules import Rules
from croupier.progressive.refusals import No, refusal
from croupier.progressive.setup import PROGRESSIVES, LinkedTable, LinkSetup

HOST_TITLES = (
    *("Bet the Set", "Free Bet Blackjack", "House Money", "King's Bounty", "Royal Match"),
    *("TriLux Blackjack", "Zappit Blackjack"),
)
"""The approved games that these progressives go with (document 000, for Blazing 7's and for TriLux alike)."""


@dataclass(frozen=True)
class LineProof:
    """One line, as counted at the table and in the link."""

    label: str
    pays: str
    table: Fraction
    link: Fraction

    def as_json(self) -> dict[str, Any]:
        return {"hand": self.label, "pays": self.pays, "table": str(self.table), "link": str(self.link)}


def may_join(table: LinkedTable, setup: LinkSetup) -> bool:
    return why_not_join(table, setup) is None


def why_not_join(table: LinkedTable, setup: LinkSetup) -> Refusal | None:
    """Why this table cannot be on this link, or None."""
    if table.title not in HOST_TITLES:
        return refusal(No.OTHER_TITLE, table=table.number, title=table.title, titles=", ".join(HOST_TITLES))
    theirs, ours = (_named(table.wager, table.paytable), _named(setup.wager, setup.paytable))
    if theirs != ours:
        return refusal(No.OTHER_PAYTABLE, table=table.number, theirs=theirs, ours=ours)
    if table.decks != setup.decks:
        return refusal(No.OTHER_DECKS, table=table.number, theirs=table.decks, ours=setup.decks)
    if table.also:
        also = ", ".join(PROGRESSIVES[key].title if key in PROGRESSIVES else key for key in table.also)
        return refusal(No.SECOND_PROGRESSIVE, table=table.number, title=table.title, also=also)
    for line in join_proof(table, setup):
        if line.table != line.link:
            return refusal(No.OTHER_CHANCES, table=table.number, line=line.label, theirs=line.table, ours=line.link)
    return None


def join_proof(table: LinkedTable, setup: LinkSetup) -> tuple[LineProof, ...]:
    """Every winning line with its exact probability at the table and in the link, each counted by itself."""
    theirs = _chances(table.wager, table.paytable, table.decks, hole_card=table.hole_card)
    ours = _chances(setup.wager, setup.paytable, setup.decks, hole_card=setup.hole_card)
    nothing = Fraction(0)
    return tuple(
        LineProof(line.label, str(line.pay), theirs.get(line.label, nothing), ours.get(line.label, nothing))
        for line in setup.lines.values()
    )


@cache
def _chances(wager: str, paytable: str, decks: int, *, hole_card: bool) -> dict[str, Fraction]:
    """By winning line; a player who holds two sevens is taken to draw, so that only the deal decides."""
    from croupier.analysis.side_wagers import side_census  # and numpy: a server starts without

    game = PROGRESSIVES[wager]
    counts = side_census(game, decks, rules=Rules(decks=decks, hole_card=hole_card), stands_against=())
    prices, deals = game.prices(game.paytables[paytable]), sum(counts.values())
    found: dict[str, Fraction] = {}
    for outcome, count in counts.items():
        row = prices[outcome].row
        found[row] = found.get(row, Fraction(0)) + Fraction(count, deals)
    return found


def _named(wager: str, paytable: str) -> str:
    title = PROGRESSIVES[wager].title if wager in PROGRESSIVES else wager
    return f"{title}, paytable {paytable}"
