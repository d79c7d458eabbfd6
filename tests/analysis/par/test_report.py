"""The report that a laboratory signs: swings, sections, and every kind of file it is written as."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
from dataclasses import asdict, replace
from fractions import Fraction
from html.parser import HTMLParser
from importlib.resources import files
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pypdf
import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from croupier.analysis.analyst import analyst_of, counter_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.laboratory import Control, Counted, verification_section, verified_on_record
from croupier.analysis.par.print import METERED, as_pdf
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.par.swings import LEVELS, ROUNDS, counted_swings, factor, swings_of
from croupier.analysis.par.typeset import as_html, as_latex
from croupier.analysis.par.workbook import as_xlsx, lines_of
from croupier.analysis.report import Laboratory, _counted, laboratory_report
from croupier.analysis.session.covariance import covariance_of
from croupier.analysis.session.deals import Stake
from croupier.analysis.sheet import make_sheet
from croupier.compliance.approval import shipped_register
from croupier.games.catalogue import find_any_game
from croupier.games.wager import approved_paytable
from croupier.program import program
from tests.cli.test_commands import Run, run
from tests.independent.record import PROGRAM, compared

__all__ = ["run"]

SIGNED = Control("LAB-0007", "B", "2026-11-17", "A. Person", "B. Other", "")
SMALL = Laboratory(20_000, 100, 11, SIGNED)


@pytest.fixture(scope="module")
def report() -> AnyPar[Any]:
    return laboratory_report(find_any_game("casino-war"), Asked(), shipped_register(), approved_paytable, SMALL)


@pytest.fixture(scope="module")
def counted() -> AnyPar[Any]:
    asked = Asked(wager="kings-bounty")
    return laboratory_report(find_any_game("blackjack"), asked, shipped_register(), approved_paytable, SMALL)


# Swings


def test_moments_of_a_coin_that_pays_nine_to_one() -> None:
    swings = swings_of([(Fraction(9), Fraction(1, 10)), (Fraction(-1), Fraction(9, 10))], seats=7)
    assert [swings.mean, swings.variance] == [Fraction(0), Fraction(9)]
    assert swings.skewness == pytest.approx((0.9 - 0.1) / sqrt(0.09))
    assert swings.kurtosis == pytest.approx((1 - 6 * 0.09) / 0.09)
    assert [swings.largest, swings.exposure] == [Fraction(9), Fraction(63)]
    assert swings.volatility_index == pytest.approx(1.645 * 3, abs=1e-3)


def test_nothing_that_varies_has_no_skewness() -> None:
    swings = swings_of([(Fraction(-1), Fraction(1))], seats=1)
    assert (swings.skewness, swings.kurtosis, swings.volatility_index) == (0, 0, 0)


def test_a_hold_lies_as_far_from_the_edge_as_the_root_of_the_rounds_allows() -> None:
    figures = make_sheet(*_first("three-card-poker", "pair-plus")).figures
    swings = counted_swings(figures, 7)
    assert (Fraction(9, 10), Fraction(19, 20), Fraction(99, 100)) == LEVELS
    assert ROUNDS == (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
    for level, z in zip(LEVELS, (1.6449, 1.96, 2.5758), strict=True):
        assert factor(level) == pytest.approx(z, abs=1e-4)
        low, high = swings.hold(10_000, level)
        assert (low + high) / 2 == pytest.approx(float(figures.house_edge))
        assert (high - low) / 2 == pytest.approx(factor(level) * figures.standard_deviation / 100)


def test_the_normal_law_is_called_rough_where_an_exact_count_shows_it() -> None:
    """A wager won once in 400: of 1,000 rounds the exact tail beyond the bound is far from a fortieth."""
    rare = swings_of([(Fraction(300), Fraction(1, 400)), (Fraction(-1), Fraction(399, 400))], seats=1)
    low, _ = rare.hold(1_000, Fraction(19, 20))
    tail, chance = 0.0, (399 / 400) ** 1_000
    for wins in range(60):
        if -(301 * wins - 1_000) / 1_000 < low:
            tail += chance
        chance *= (1_000 - wins) / (wins + 1) / 399
    assert abs(tail - 0.025) > 0.01
    assert rare.is_rough(1_000, Fraction(19, 20))
    assert not rare.is_rough(10**8, Fraction(19, 20))


def _first(game: str, wager: str) -> Any:
    found = find_any_game(game)
    name, table = next(iter(found.wager(wager).paytables.items()))
    return found, found.wager(wager), name, table


@pytest.mark.parametrize("game", ["mississippi-stud", "let-it-ride", "supreme-99"])
def test_the_lines_of_a_workbook_have_the_deviation_that_was_counted(game: str) -> None:
    """Where the stake hangs on the choices a row brings several results: their mean would swing too little."""
    sheet = make_sheet(*_first(game, "bet" if game != "mississippi-stud" else "ante"))
    lines = lines_of(_Counted(sheet), sheet)  # type: ignore[arg-type]
    mean = sum((line.net * line.probability for line in lines), Fraction(0))
    assert sum((line.net**2 * line.probability for line in lines), Fraction(0)) - mean**2 == sheet.figures.variance


class _Counted:
    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet

    def _counted(self, sheet: Any) -> Any:
        return sheet.figures


# Covariances


def test_wagers_on_the_same_three_cards_against_every_deal_listed() -> None:
    """Pair Plus and 6 Card Bonus of Three Card Poker, against the same from sets of six cards of a small sample."""
    game = find_any_game("three-card-poker")
    stakes = [Stake(game.wager(key), game.wager(key).paytables["1"], 1) for key in ("ante-play", "pair-plus")]
    both = covariance_of(stakes[0], stakes[1], counter_of(game).together(stakes, "optimal"))
    sheets = [make_sheet(game, stake.wager, "1", stake.paytable) for stake in stakes]
    assert both.variances == pytest.approx([float(sheet.figures.variance) for sheet in sheets])
    # By hand: what the Ante and Play are worth with each kind of hand, times what Pair Plus pays for it.
    counter, prices = counter_of(game), sheets[0].figures.prices
    total = Fraction(0)
    pays = {"straight flush": 40, "three": 30, "straight": 6, "flush": 4, "pair": 1, "high": -1}
    deck = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    seen: dict[tuple[Any, ...], Fraction] = {}
    for hand in combinations(deck, 3):
        kind = _shape(hand)
        if kind not in seen:
            best = counter.rate(stakes[0].wager, prices, game.read_seen(" ".join(hand)))[0]
            seen[kind] = best.value * pays[_name(hand)]
        total += seen[kind]
    means = [sheet.figures.expected for sheet in sheets]
    assert both.covariance == total / 22_100 - means[0] * means[1]


def _shape(hand: tuple[str, ...]) -> tuple[Any, ...]:
    """Ranks, and which of them share a suit: all that can matter with three cards."""
    ordered = sorted(hand)
    suits = [card[1] for card in ordered]
    return tuple(card[0] for card in ordered), tuple(suits.index(suit) for suit in suits)


def _name(hand: tuple[str, ...]) -> str:
    ranks = sorted("23456789TJQKA".index(card[0]) for card in hand)
    suited = len({card[1] for card in hand}) == 1
    straight = ranks == [0, 1, 12] or (ranks[0] + 1 == ranks[1] and ranks[1] + 1 == ranks[2])
    if straight:
        return "straight flush" if suited else "straight"
    if len(set(ranks)) == 1:
        return "three"
    return "flush" if suited else "pair" if len(set(ranks)) == 2 else "high"


def test_wagers_of_three_card_poker_make_a_session_together(run: Run) -> None:
    said = run("session", "three-card-poker", "ante-play", "pair-plus", "--rounds", "100", "--json")
    assert said.code == 0, said.err
    assert '"mean' in said.out


# Sections


def test_the_report_has_every_section_in_its_order(report: AnyPar[Any]) -> None:
    assert [section.key for section in report.sections] == [
        *("readings_and_assumptions", "covariances", "independent_verification", "simulation", "vulnerability")
    ]
    assert report.in_print.control == (("Document", "LAB-0007"), ("Revision", "B"), ("Date", "2026-11-17"))
    assert report.in_print.signatures == (
        *(("Prepared by", "A. Person"), ("Reviewed by", "B. Other"), ("Approved by", "")),
    )
    made = report.as_json()
    assert made["program"]["digest"] == program().digest
    assert made["control"]["number"] == "LAB-0007"
    assert made["report"]["simulation"]["rounds"] == 20_000
    json.dumps(made)


def test_a_plain_sheet_signs_nothing() -> None:
    made = find_any_game("casino-war")
    plain = analyst_of(made).par(Asked(), shipped_register(), approved_paytable)
    assert not plain.in_print.signatures
    assert "report" not in plain.as_json()


def test_z_is_of_the_exact_law(report: AnyPar[Any]) -> None:
    for each in report.as_json()["report"]["simulation"]["wagers"]:
        sheet = next(s for s in report.sheets if s.wager.title == each["wager"] and s.paytable_id == each["paytable"])
        error = sheet.figures.standard_deviation / sqrt(each["rounds"])
        assert each["exact"] == pytest.approx(float(sheet.figures.house_edge))
        assert each["z"] == pytest.approx((each["sampled"] - each["exact"]) / error)
        assert abs(each["z"]) < 5


def test_what_a_counter_wins_is_in_the_report(counted: AnyPar[Any]) -> None:
    [each] = counted.as_json()["report"]["vulnerability"]["wagers"]
    assert each["wager"] == "kings-bounty"
    [section] = [section for section in counted.in_print.sections if section.title == "Vulnerability"]
    assert section.tables[0].rows[0][0] == "King's Bounty"


# Independent verification


def test_the_second_program_imports_nothing_of_ours() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.split(".")[0] in ("croupier", "tests", "support") for name in modules)


def test_the_record_is_what_the_second_program_counts_today() -> None:
    record = verified_on_record()
    sha256 = hashlib.sha256(PROGRAM.read_bytes()).hexdigest()
    assert {each.sha256 for each in record} == {sha256}, "run python -m tests.independent.record"
    days = {each.digest: each.day for each in record}
    again = [each._replace(day=days[each.digest]) for each in compared("2026-01-01")]
    assert again == list(record)
    assert {each.result(Fraction(each.ours)) for each in record} == {"agrees exactly"}


def test_a_second_count_is_held_against_the_edge_on_the_sheet() -> None:
    """Not against what was counted when it was recorded; and best play says nothing of another strategy."""
    kept = verified_on_record()[0]
    edge = Fraction(kept.theirs)

    def rows(*sheets: Counted) -> tuple[dict[str, str], list[str]]:
        data = verification_section(sheets, (), [kept]).data
        return {each["ours"]: each["result"] for each in data["compared"]}, data["not_on_record"]

    sheet = Counted("Pair Plus", "1", kept.digest, edge)
    assert rows(sheet) == ({str(edge): "agrees exactly"}, [])
    wrong = edge + Fraction(1, 10**9)
    assert rows(sheet._replace(edge=wrong)) == ({str(wrong): "DIFFERS"}, [])
    assert rows(sheet._replace(edge=None)) == ({}, ["Pair Plus, paytable 1"])
    assert rows(sheet._replace(strategy="always play")) == ({}, ["Pair Plus, paytable 1, by the strategy always play"])
    assert rows(sheet._replace(meters="5,000")) == ({}, ["Pair Plus, paytable 1, priced at 5,000"])


def test_every_side_wager_of_blackjack_that_is_counted_from_first_cards_has_a_second_count() -> None:
    """Left are the Bet, which is solved, and the two wagers that go by the play of hands."""
    game = find_any_game("blackjack")
    par = analyst_of(game).par(Asked(), shipped_register(), approved_paytable)
    data = verification_section(map(_counted, par.sheets), (), verified_on_record()).data
    assert {verified["result"] for verified in data["compared"]} == {"agrees exactly"}
    left = {name.partition(", paytable")[0] for name in data["not_on_record"]}
    assert left == {"Bet", "House Money", "Blazing 7's Progressive, player's cards only"}


def test_a_report_of_another_strategy_claims_no_second_count_and_samples_that_strategy() -> None:
    game, asked = find_any_game("three-card-poker"), Asked(wager="ante-play", paytable="1", strategy="always play")
    made = laboratory_report(game, asked, shipped_register(), approved_paytable, Laboratory(rounds=2_000, shoes=20))
    said = made.as_json()["report"]
    assert not said["independent_verification"]["compared"]
    assert said["independent_verification"]["not_on_record"] == [
        "Ante and Play, paytable 1, by the strategy always play"
    ]
    assert said["simulation"]["strategy"] == "always play"


def test_a_report_of_best_play_samples_best_play() -> None:
    game, asked = find_any_game("blackjack"), Asked(wager="bet", rules="1D H17")
    made = laboratory_report(game, asked, shipped_register(), approved_paytable, Laboratory(rounds=2_000, shoes=20))
    assert made.as_json()["report"]["simulation"]["strategy"] == "optimal"


def test_a_changed_pay_leaves_its_record_behind() -> None:
    game = find_any_game("casino-war")
    wager = game.wager("tie")
    kept = {each.digest for each in verified_on_record()}
    from croupier.games.paytable import Paytable

    own = Paytable.parse("own", "Tie 12 to 1")
    assert make_sheet(game, wager, "1", wager.paytables["1"]).digest in kept
    assert make_sheet(game, wager, "own", own).digest not in kept


# Files


def test_words_of_people_are_no_formulas_in_the_workbook(report: AnyPar[Any]) -> None:
    control = Control(number="=1+1", prepared='=HYPERLINK("x","y")')
    page = load_workbook(io.BytesIO(as_xlsx(replace(report, control=control))))["Summary"]
    kinds = {cell.value: cell.data_type for row in page for cell in row if str(cell.value).startswith("=")}
    assert kinds["=1+1"] == kinds['=HYPERLINK("x","y")'] == "s"
    assert "f" in kinds.values(), "the figures are formulas"


class Reads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html_is_one_file_that_asks_for_no_other(report: AnyPar[Any]) -> None:
    page = Reads()
    page.feed(as_html(report.in_print))
    assert not page.open
    assert not [tag for tag, attributes in page.tags if {"src", "href"} & attributes.keys()]
    assert "url(" not in as_html(report.in_print)
    words = " ".join(page.text)
    for figure in report.in_print.wagers[0].sheets[0].figures:
        assert figure.value in words
    for section in report.in_print.sections:
        assert section.title in words


def test_latex_opens_what_it_closes_and_escapes_its_signs(report: AnyPar[Any]) -> None:
    text = as_latex(report.in_print)
    begun, ended = re.findall(r"\\begin\{(\w+)\}", text), re.findall(r"\\end\{(\w+)\}", text)
    assert sorted(begun) == sorted(ended)
    assert begun.count("document") == 1
    body = text.partition(r"\begin{document}")[2]
    assert not re.search(r"(?<!\\)%", body)
    assert not re.search(r"(?<!\\)#", body)
    depth = 0
    for sign in re.sub(r"\\[\\{}]", "", body):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0


def test_every_page_of_the_pdf_is_used(report: AnyPar[Any], tmp_path: Path) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(report.as_pdf())
    pages = [page.extract_text() for page in pypdf.PdfReader(file).pages]
    assert "Signed as" in pages[0]
    assert "LAB-0007" in pages[0]
    assert program().digest[:32] in pages[0].replace("\n", "")
    assert all(len(text) > 800 for text in pages[:-1])
    assert "Independent verification" in " ".join(pages)


LETTER_POINTS, TOP, BOTTOM = 792, 0.9 * 72, 0.75 * 72
"""Of a page, and of its margins."""


def depths(pdf: bytes) -> list[float]:
    """How far down the last line of each page stands."""
    reach = []
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        baselines: list[float] = []

        def note(
            text: str, moved: list[float], at: list[float], _: Any, size: float, lines: list[float] = baselines
        ) -> None:
            height = at[4] * moved[1] + at[5] * moved[3] + moved[5]
            if text.strip() and height > BOTTOM:
                lines.append(height)

        page.extract_text(visitor_text=note)
        reach.append((LETTER_POINTS - TOP - min(baselines)) / (LETTER_POINTS - TOP - BOTTOM))
    return reach


@pytest.mark.parametrize("paragraphs", [3, 12, 24])
def test_readings_stand_on_one_page_and_leave_none_half_empty(report: AnyPar[Any], paragraphs: int) -> None:
    """Readings of any length, on a page that has half begun: what comes after them fills it where they have no room."""
    content = asdict(report.in_print)
    before = {"title": "Before", "words": ("A sentence on a line of its own.",) * 20, "tables": ()}
    content["sections"] = (before, *content["sections"])
    [readings] = [section for section in content["sections"] if section["title"].startswith("Readings")]
    long = "The document is silent on this. It is read as the floor deals it, and no figure depends on it. " * 3
    columns = ("Paragraph", "Read as", "Standing")
    rows = [(f"casino-war 10.{nth}", long, "no figure depends on it") for nth in range(1, paragraphs + 1)]
    table = {"title": "On record", "columns": columns, "words": 3, "rows": rows, "total": False, "note": ""}
    readings["tables"] = (table,)
    template = files("croupier.analysis.par").joinpath("sheet.typ").read_bytes()
    pdf = as_pdf(template, {**content, "metered": METERED})
    assert min(depths(pdf)[:-1]) > 0.6
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]
    [opened] = [text for text in pages if "Readings and assumptions" in text]
    assert opened.count("casino-war 10.") == paragraphs


HEADING_POINTS = 11.5


def test_no_heading_of_the_pdf_is_printed_over_the_line_above_it(report: AnyPar[Any]) -> None:
    headings = 0
    for page in pypdf.PdfReader(io.BytesIO(report.as_pdf())).pages:
        sizes: dict[float, float] = {}

        def note(
            text: str, moved: list[float], at: list[float], _: Any, size: float, sizes: dict[float, float] = sizes
        ) -> None:
            if text.strip():
                baseline = round(at[4] * moved[1] + at[5] * moved[3] + moved[5], 1)
                sizes[baseline] = max(sizes.get(baseline, 0.0), abs(size * at[3] * moved[3]))

        page.extract_text(visitor_text=note)
        lines = sorted(sizes)
        for line, above in pairwise(lines):
            if sizes[line] > HEADING_POINTS:
                headings += 1
                assert above - line > 0.8 * sizes[line]
    assert headings > 10


@pytest.mark.parametrize("kind", [".html", ".tex", ".xlsx", ".pdf", ".csv", ".txt", ".json"])
def test_the_command_writes_each_kind(run: Run, tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"par{kind}"
    said = run(*["par", "casino-war", "tie", "--lab", "--rounds", "1000", "--number", "LAB-1", "-o"], str(file))
    assert said.code == 0, said.err
    assert file.stat().st_size > 300
    if kind in (".html", ".tex", ".txt", ".json"):
        assert "LAB-1" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("--number LAB-1", "add --lab"),
        ("--rounds 2e6", "add --lab"),
        ("--lab --shoes 1", "From 20 to"),
        ("--lab --date tomorrow", "is a day, as 2026-11-17, not 'tomorrow'"),
        ("--lab --date 2026-02-30", "is a day"),
        ("--lab --rounds none", "is not a number of rounds"),
        ("--lab --rounds 1e12", "from 1 to 1,000,000,000 rounds"),
        ("--lab --shoes x", "is not a number of shoes"),
        ("--lab --prepared " + "x" * 81, "one line of at most 80 characters"),
        ("-o par.doc", ".pdf, .html, .tex, .xlsx, .csv, .json or .txt"),
    ],
)
def test_what_is_wrong_is_one_sentence(run: Run, said: str, sentence: str) -> None:
    answer = run("par", "casino-war", "tie", *said.split())
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_counts_of_a_session_are_whole(report: AnyPar[Any]) -> None:
    game = find_any_game("three-card-baccarat")
    stakes = [Stake(game.wager(key), next(iter(game.wager(key).paytables.values())), 1) for key in ("bet", "tie")]
    counts = counter_of(game).together(stakes, "optimal")
    assert counts.dtype == np.int64
    assert counts.sum() == 407_170_400
