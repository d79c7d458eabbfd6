"""Finding a pay, sweeps over pays and rules, and paytables from spreadsheets."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from openpyxl import Workbook  # type: ignore[import-untyped]

from croupier.errors import CroupierError
from croupier.games.spreadsheet import read_grid
from tests.cli.test_commands import Run, run

__all__ = ["run"]

PAIR_PLUS = ("odds", "triple-shot-rummy", "pair-plus")


def test_the_found_pay_gives_the_wanted_edge_exactly(run: Run, tmp_path: Path) -> None:
    found = run(*PAIR_PLUS, "--paytable", "4", "--vary", "straight flush", "--target-edge", "5%", "--json").json
    odds = Fraction(found["exact"])
    rows = run(*PAIR_PLUS, "--paytable", "4", "--json").json["lines"]
    pays = tmp_path / "found.txt"
    lines = [f"{row['line']}  {row['pays']}" for row in rows if row["line"] != "Straight Flush"]
    pays.write_text("\n".join([*lines, f"Straight Flush  {odds.numerator} to {odds.denominator}"]), encoding="utf-8")
    assert run(*PAIR_PLUS, "--paytable", str(pays), "--json").json["house_edge"]["exact"] == "1/20"
    near = [each["house_edge"]["percent"] for each in found["near"]]
    assert near == sorted(near, reverse=True)
    assert near[0] > 5 > near[-1]
    shown = run(*PAIR_PLUS, "--paytable", "4", "--vary", "Straight Flush", "--target-edge", "5")
    assert "gives a house edge of 5.0000 %" in shown.out


def test_a_pay_with_decisions_is_found_through_changes_of_strategy(run: Run) -> None:
    words = ("odds", "supreme-99", "bet", "--vary", "Both copy")
    found = Fraction(run(*words, "--target-edge", "2%", "--json").json["exact"])
    [row] = run(*words, "--over", f"{found.numerator} to {found.denominator};", "--json").json["rows"]
    assert row["house_edge"]["exact"] == "1/50"


def test_a_sweep_is_the_odds_of_each_value(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "sweep.svg"
    words = (*PAIR_PLUS, "--paytable", "1", "--vary", "Straight", "--over")
    swept = run(*words, "5-7", "--plot", str(picture), "--json").json["rows"]
    assert [row["value"] for row in swept] == ["5 to 1", "6 to 1", "7 to 1"]
    six = run(*PAIR_PLUS, "--paytable", "1", "--json").json
    assert swept[1]["house_edge"]["exact"] == six["house_edge"]["exact"]
    assert "<svg" in picture.read_text(encoding="utf-8")
    assert [row["value"] for row in run(*words, "10-30/10", "--json").json["rows"]] == ["10 to 1", "20 to 1", "30 to 1"]
    assert [row["value"] for row in run(*words, "3 to 2; push", "--json").json["rows"]] == ["3 to 2", "push"]
    assert "Straight varied" in run(*words, "5,6").out


def test_rules_and_decks_are_swept(run: Run) -> None:
    rows = run("odds", "blackjack", "bet", "--vary", "decks", "--over", "2,6", "--json").json["rows"]
    six = run("odds", "blackjack", "bet", "--decks", "6", "--json").json
    assert rows[1]["house_edge"]["percent"] == pytest.approx(six["house_edge"]["percent"])
    rows = run("odds", "blackjack", "bet", "--vary", "rules", "--over", "6D S17;6D H17", "--json").json["rows"]
    assert rows[0]["house_edge"]["percent"] < rows[1]["house_edge"]["percent"]
    side = run("odds", "blackjack", "kings-bounty", "--vary", "decks", "--over", "6,8", "--json").json["rows"]
    assert all("/" in row["house_edge"]["exact"] for row in side)


SHEETS = {
    "as the felt prints it": "Hand,Pays\nRoyal Flush,50 to 1\nStraight Flush,40 to 1\nThree of a kind,30 to 1\n"
    "Straight,6 to 1\nFlush,4 to 1\nPair,1 to 1\n",
    "numbers alone": "Royal Flush;50\nStraight Flush;40\nThree-of-a-Kind;30\nStraight;6\nFlush;4\nPair;1\n",
    "colons and words": "hand\todds\nRoyal Flush\t50:1\nStraight Flush\t40:1\nThree-of-a-Kind\t30-1\nStraight\t6/1\n"
    "Flush\t4x\nPair\teven money\nLess than a pair\tlose\n",
    "with counts beside": "Hand,Combinations,Pays,Probability,Return\nRoyal Flush,4,50,0.0002,0.009\n"
    "Straight Flush,44,40,0.002,0.08\nThree-of-a-Kind,52,30,0.002,0.07\nStraight,720,6,0.03,0.2\n"
    "Flush,1096,4,0.05,0.2\nPair,3744,1,0.17,0.17\n",
    "for one": "Hand,Pays for 1\nRoyal Flush,51\nStraight Flush,41\nThree-of-a-Kind,31\nStraight,7\nFlush,5\nPair,2\n",
}


@pytest.mark.parametrize("text", SHEETS.values(), ids=SHEETS)
def test_a_paytable_is_read_from_a_spreadsheet_as_people_write_it(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "pays.csv"
    file.write_text(text, encoding="utf-8")
    edge = run(*PAIR_PLUS, "--paytable", str(file), "--json").json["house_edge"]
    assert edge == run(*PAIR_PLUS, "--paytable", "4", "--json").json["house_edge"]


def test_a_column_of_a_workbook_is_named(run: Run, tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    for row in (
        ("Pair Plus", "Table 1", "Table 4"),
        ("Royal Flush", "40 to 1", "50 to 1"),
        ("Straight Flush", "40 to 1", 40),
        ("Three-of-a-Kind", "30 to 1", 30.0),
        ("Straight", "6 to 1", 6),
        ("Flush", "4 to 1", 4),
        ("Pair", "1 to 1", 1),
    ):
        sheet.append(row)
    file = tmp_path / "pays.xlsx"
    book.save(file)
    for table in ("1", "4"):
        edge = run(*PAIR_PLUS, "--paytable", f"{file}#Table {table}", "--json").json["house_edge"]
        assert edge == run(*PAIR_PLUS, "--paytable", table, "--json").json["house_edge"]
    assert "several columns of pays (Table 1, Table 4)" in run(*PAIR_PLUS, "--paytable", str(file)).err
    assert "no column of pays in pays.xlsx 'Table 9'" in run(*PAIR_PLUS, "--paytable", f"{file}#Table 9").err


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ([], "there is no row"),
        ([["", " "]], "there is no row"),
        ([["Pair", "lots"]], "no column holds pays"),
        ([["Hand", "Pays"], ["Pair", "1"], ["Flush", "lots"]], "'lots' is no pay"),
        ([["Hand", "Pays"], ["Pair", "1"], ["Flush", "0"]], "'0' is no pay"),
        ([["1", "2"], ["3", "4"]], "no column names hands"),
    ],
)
def test_a_spreadsheet_without_pays_is_refused(grid: list[list[str]], sentence: str) -> None:
    with pytest.raises(CroupierError, match=sentence):
        read_grid("pays.csv", grid)


BAD = {
    "an edge alone": ((*PAIR_PLUS, "--target-edge", "5%"), "--target-edge needs --vary"),
    "a range alone": ((*PAIR_PLUS, "--over", "1-5"), "--over needs --vary"),
    "both": ((*PAIR_PLUS, "--vary", "Pair", "--over", "1-5", "--target-edge", "5%"), "one of them"),
    "neither": ((*PAIR_PLUS, "--vary", "Pair"), "one of them"),
    "no wager": (("odds", "triple-shot-rummy", "--vary", "Pair", "--over", "1-2"), "about one wager"),
    "no row": ((*PAIR_PLUS, "--vary", "Pears", "--over", "1-2"), "did you mean Pair?"),
    "no edge": ((*PAIR_PLUS, "--vary", "Pair", "--target-edge", "much"), "no wanted figure"),
    "out of reach": ((*PAIR_PLUS, "--vary", "Straight Flush", "--target-edge", "90%"), "No pay of Straight Flush"),
    "a falling range": ((*PAIR_PLUS, "--vary", "Pair", "--over", "9-2"), "is no range"),
    "too long": ((*PAIR_PLUS, "--vary", "Pair", "--over", "1-500"), "is no range"),
    "no pay": ((*PAIR_PLUS, "--vary", "Pair", "--over", "much"), "is no pay"),
    "rules elsewhere": ((*PAIR_PLUS, "--vary", "decks", "--over", "1,2"), "has one set of rules"),
    "an edge by rules": (("odds", "blackjack", "bet", "--vary", "decks", "--target-edge", "1%"), "found by a pay"),
    "no deck": (("odds", "blackjack", "bet", "--vary", "decks", "--over", "x"), "no number of decks"),
    "a picture of one": (
        (*PAIR_PLUS, "--vary", "Pair", "--target-edge", "5%", "--plot", "x.png"),
        "--plot draws the table of --over",
    ),
    "no file": ((*PAIR_PLUS, "--paytable", "none.xlsx"), "There is no file"),
}


@pytest.mark.parametrize(("words", "sentence"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused_in_one_sentence(run: Run, words: tuple[str, ...], sentence: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_no_workbook_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pays.xlsx"
    file.write_text("no workbook", encoding="utf-8")
    assert "is no workbook that can be read" in run(*PAIR_PLUS, "--paytable", str(file)).err
