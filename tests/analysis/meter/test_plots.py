"""Pictures of a plan: each kind, each form, and the same bytes for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.analysis.meter.plots import draw
from croupier.analysis.meter.simulation import simulate
from croupier.analysis.plots import save
from tests.analysis.meter.plans import often


@pytest.mark.parametrize(("kind", "rows"), [("all", 3), ("fan", 1), ("at-hit", 1), ("time", 1)])
def test_each_kind_has_money_days_and_the_break_even(kind: str, rows: int) -> None:
    figure = draw(simulate(often("two"), seed=1, histories=100), kind, 1)
    assert len(figure.axes) == rows
    legends = [legend for axis in figure.axes if (legend := axis.get_legend())]
    words = [text.get_text() for legend in legends for text in legend.get_texts()]
    assert kind == "time" or any("break-even $" in each for each in words)
    assert all(axis.get_xlabel() in ("days", "meter") for axis in figure.axes)


def test_the_same_seed_draws_the_same_picture(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        save(draw(simulate(often("shares"), seed=1, histories=100), "all"), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
