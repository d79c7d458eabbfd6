"""Rows and lines of a wager that is written as a script: what can come on a spot, and nothing else."""

from __future__ import annotations

import pytest

from croupier.analysis.analyst import analyst_of, counter_of
from croupier.errors import PaytableError
from croupier.games.paytable import Paytable
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


def test_burned_cards_are_on_the_par_sheet() -> None:
    [cards] = [said for name, said in analyst_of(game(NAME)).cover() if name == "Cards"]  # type: ignore[attr-defined]
    assert "3 burned where due" in cards
