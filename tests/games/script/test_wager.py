"""Rows and lines of a wager that is written as a script: what can come on a spot, and nothing else."""

from __future__ import annotations

import pytest

from croupier.analysis.analyst import analyst_of, counter_of
from croupier.errors import PaytableError
from croupier.games import wager as table
from croupier.games.paytable import Paytable, Row
from croupier.games.wager import Outcome, Wager
from tests.games.script.support import game

NAME = "casino_war"


def test_what_cannot_come_on_the_raise_has_no_row() -> None:
    """Nobody raises but after a tie: a row for the first cards would never be met."""
    with pytest.raises(PaytableError, match="Raise has no line 'Player wins'; there are: War won, War tied, War lost"):
        game(NAME).base.prices(Paytable.parse("own", "Player wins  1 to 1"))
    with pytest.raises(PaytableError, match="Raise could never win"):
        game(NAME).base.prices(Paytable.parse("own", "War won  push"))


def test_sheets_have_no_line_that_cannot_come() -> None:
    """Every line of the base comes with one strategy or the other, in as many deals as a plain count finds."""
    base = game(NAME).base
    came: set[str] = set()
    for strategy in ("always go to war", "always surrender"):
        figures = counter_of(game(NAME)).solve(base, base.prices(base.paytables["2"]), strategy)
        came |= {ending.label for ending, n in figures.counts.items() if n}
    assert came == {ending.label for ending in base.possible}
    assert len(came) == 6


def test_a_table_is_read_once_however_many_settlements_go_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And another table of the same name is another one."""
    base, own = game(NAME).base, Paytable.parse("read once", "War won  3 to 1")
    read: list[Paytable] = []

    def match_rows(wager: Wager, paytable: Paytable) -> dict[Outcome, Row]:
        read.append(paytable)
        return matched(wager, paytable)

    matched = table.match_rows
    monkeypatch.setattr(table, "match_rows", match_rows)
    raised = base.spots[1]
    rows = [base.rows_of(raised, own) for _ in range(3)]
    assert rows[0] == rows[1] == rows[2]
    assert read == [own]
    rows[0].clear()  # whoever gets them may do so
    other = Paytable.parse("read once", "War won  4 to 1")
    [won] = {row.pay for row in base.rows_of(raised, other).values()}
    assert (str(won), read) == ("4 to 1", [own, other])
    assert base.rows_of(raised, own) == rows[1]


def test_burned_cards_are_on_the_par_sheet() -> None:
    [cards] = [said for name, said in analyst_of(game(NAME)).cover() if name == "Cards"]  # type: ignore[attr-defined]
    assert "3 burned where due" in cards
