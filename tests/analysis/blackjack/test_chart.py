"""Charts as people print them: they read back, and what cannot be read is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.blackjack.chart import COLUMNS, Cell, Cells, Chart, ChartError, Kind, Row

WRITTEN = """
# six decks, dealer stands on soft 17
           2   3   4   5   6   7   8   9   10  A
hard 5-8:  H   H   H   H   H   H   H   H   H   H
hard 9:    H   D   D   D   D   H   H   H   H   H
hard 10:   D   D   D   D   D   D   D   D   H   H
hard 11:   Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh  Dh  H
hard 12:   H   H   S   S   S   H   H   H   H   H
hard 13-15: S  S   S   S   S   H   H   H   H   H
hard 16:   S   S   S   S   S   H   H   H   Rh  H   # surrender where it is offered
hard 17+:  S   S   S   S   S   S   S   S   S   S
soft A,2:  H   H   H   D   D   H   H   H   H   H
soft 14:   H   H   H   D   D   H   H   H   H   H
soft 15-16: H  H   D   D   D   H   H   H   H   H
soft 17:   H   D   D   D   D   H   H   H   H   H
soft A7:   S   Ds  Ds  Ds  Ds  S   S   H   H   H
soft 19+:  s | s | s | s | s | s | s | s | s | s
pair 2:    Ph  Ph  P   P   P   P   H   H   H   H
pair 3,3:  Ph  Ph  P   P   P   P   H   H   H   H
pair 44:   N   N   N   Ph  Ph  N   N   N   N   N
pair 5,5:  N   N   N   N   N   N   N   N   N   N
pair 6,6:  Ph  P   P   P   P   H   H   H   H   H
pair 7,7:  P   P   P   P   P   P   H   H   H   H
pair 8,8:  Y   Y   Y   Y   Y   Y   Y   Y   Rp  Y
pair 9,9:  P   P   P   P   P   S   P   P   S   S
pair 10,10: S, S, S, S, S, S, S, S, S, S
pairs A,A: P   P   P   P   P   P   P   P   P   P
"""


def test_a_chart_as_people_write_it() -> None:
    chart = Chart.parse(WRITTEN)
    assert chart.cell(Kind.HARD, 16, 10) is Cell.SURRENDER
    assert chart.cell(Kind.HARD, 11, 10) is Cell.DOUBLE
    assert chart.cell(Kind.SOFT, 13, 5) is Cell.DOUBLE
    assert chart.cell(Kind.SOFT, 18, 3) is Cell.DOUBLE_OR_STAND
    assert chart.cell(Kind.PAIR, 8, 10) is Cell.SURRENDER_OR_SPLIT
    assert chart.cell(Kind.PAIR, 8, 1) is Cell.SPLIT
    assert chart.cell(Kind.PAIR, 4, 2) is Cell.AS_TOTAL
    assert chart.cell(Kind.PAIR, 4, 5) is Cell.SPLIT_WITH_DOUBLE
    assert not chart.insurance
    assert Chart.parse(f"{WRITTEN}\ninsurance: yes").insurance


PRINTED = """
$ croupier strategy blackjack --rules '6D H17 LS'
Blackjack, 6D H17 DAS SP4 LS 3:2: basic strategy

{chart}
  insurance:   no

   H  hit    S  stand    D  double, or hit    Ds  double, or stand    P  split    Rs  surrender,
or stand    Rp  surrender, or split

  house edge of this chart                  0.528335 %
  of the best play for every exact hand     0.527192 %   (CDZ- after splits)
  the chart costs                           0.001143 %

  One hand: croupier hand 'T6 v T' --rules '6D H17 DAS SP4 LS 3:2'
"""


def test_a_chart_is_read_out_of_what_is_printed_around_it() -> None:
    assert Chart.parse(PRINTED.format(chart=WRITTEN)) == Chart.parse(WRITTEN)
    spaced = PRINTED.format(chart=WRITTEN.replace("\n", "\n\n"))
    assert Chart.parse(spaced) == Chart.parse(WRITTEN)


@pytest.mark.parametrize("row", ["insurence: yes", "hrd 4: H H H H H H H H H H", "2 3 4 5 6 7 8 9 A T"])
def test_what_looks_like_a_row_is_never_passed_over(row: str) -> None:
    for text, line in ((f"{row}\n{WRITTEN}", 1), (f"{WRITTEN}\n{row}", len(WRITTEN.splitlines()) + 2)):
        with pytest.raises(ChartError) as error:
            Chart.parse(text)
        assert error.value.line == line


def test_what_may_be_left_out() -> None:
    chart = Chart.parse(WRITTEN)
    assert chart.cell(Kind.HARD, 4, 6) is Cell.HIT
    assert chart.cell(Kind.HARD, 21, 6) is Cell.STAND
    assert chart.cell(Kind.SOFT, 12, 6) is Cell.HIT
    assert chart.cell(Kind.SOFT, 21, 6) is Cell.STAND


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    totals = st.sampled_from(("H", "S", "D", "Ds", "R", "Rs")).map(Cell)
    rows: dict[Row, Cells] = {}
    for kind in Kind:
        of_pairs = st.sampled_from([cell for cell in Cell if cell is not Cell.ZAP])
        of_kind = {Kind.PAIR: of_pairs, Kind.ZAP: st.sampled_from(("Z", "N")).map(Cell)}
        of_kind[Kind.RESCUE] = st.sampled_from(("Rs", "S")).map(Cell)
        cells = of_kind.get(kind, totals)
        few = [draw(st.tuples(*[cells] * len(COLUMNS))) for _ in range(3)]
        rows |= {Row(kind, key): draw(st.sampled_from(few)) for key in kind.keys}
    return Chart(rows, insurance=draw(st.booleans()))


@settings(max_examples=30, deadline=None)
@given(charts())
def test_a_chart_reads_back(chart: Chart) -> None:
    assert Chart.parse(str(chart)) == chart


def test_one_cell_can_be_changed() -> None:
    chart = Chart.parse(WRITTEN)
    changed = chart.changed(Kind.HARD, 16, 10, Cell.STAND)
    assert changed.cell(Kind.HARD, 16, 10) is Cell.STAND
    assert changed != chart
    assert changed.changed(Kind.HARD, 16, 10, Cell.SURRENDER) == chart


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("hard 9:    H ", "hard 9:    X ", 5, "'X' is no cell of a hard row; there are H, S, D, Ds, R, Rs."),
        ("hard 9:    H ", "hard 9:    P ", 5, "'P' is no cell of a hard row"),
        ("hard 9:    H ", "hard 9: H  H ", 5, "hard 9 has 11 cells; there are 10 up cards, 2 to A."),
        ("hard 10: ", "hard 9: ", 6, "hard 9 is already on line 5."),
        ("hard 5-8: ", "hard 5-22: ", 4, "'5-22' is no hard hand; there are 4 to 21."),
        ("hard 5-8: ", "hard 8-5: ", 4, "'8-5' is no hard hand"),
        ("soft A7: ", "soft A,T,2: ", 16, "'A,T,2' is no soft hand; there are 12 to 21."),
        ("pair 44: ", "pair 4,5: ", 20, "'4,5' is no pair hand; there are A,A to T,T."),
        ("hard 12: ", "stiff 12: ", 8, "is no row: write it as 'hard 16: S S S S S H H H H H'."),
        (" 9   10  A\n", " 10   9  A\n", 3, "does not name the up cards 2 3 4 5 6 7 8 9 T A."),
        ("pair 2: ", "insurance: maybe\npair 2: ", 18, "does not say whether to insure: write yes or no."),
        ("pair 2: ", "insurance: no\ninsurance: no\npair 2: ", 19, "insurance is already there."),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in WRITTEN
    with pytest.raises(ChartError) as error:
        Chart.parse(WRITTEN.replace(old, new, 1), source="my chart")
    assert error.value.line == line
    assert str(error.value).startswith(f"my chart, line {line}: ")
    assert reason in str(error.value)


def test_rows_that_are_missing_are_named() -> None:
    with pytest.raises(ChartError, match="there is no row for hard 12, pair 9,9"):
        Chart.parse("\n".join(row for row in WRITTEN.splitlines() if "hard 12" not in row and "9,9" not in row))
    with pytest.raises(ChartError, match="there is no row for hard 5, hard 6"):
        Chart.parse("")
