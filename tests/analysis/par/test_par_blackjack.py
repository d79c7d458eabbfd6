"""Blackjack's PAR sheet: the solver's figures and the counted ones, the same in JSON and in print, to the byte."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import pypdf
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Cell, Kind
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.side.census import BustSheet, SideSheet, make_side_sheet
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.par.base_wager import BetSheet, bet_notes, dealer_table, strategy_grid
from croupier.analysis.par.blackjack import BlackjackPar, blackjack_sheets, make_blackjack_par
from croupier.analysis.par.print import SheetInPrint, significant
from croupier.analysis.par.printed import PrintedFinding, verify_printed
from croupier.analysis.printing import fixed, percent
from croupier.compliance.approval import shipped_register
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.placard import rules_in_words
from croupier.games.blackjack.rules import DECKS, Rules
from croupier.games.blackjack.side_wagers import DECKS_OF
from croupier.games.paytable import Paytable

USUAL = "6D S17 DAS SP4 3:2"
TWO_DECKS = "2D H17 NDAS SP2 LS 6:5"
US_LETTER = (612, 792)
both = pytest.mark.parametrize("words", [USUAL, TWO_DECKS])

LETTER = "Washington State Gambling Commission, submission #3119, 2023-06-14"


def game_of(words: str) -> BlackjackGame:
    return blackjack(Rules.parse(words))


@cache
def findings() -> tuple[PrintedFinding, ...]:
    return tuple(verify_printed())


@cache
def par_of(words: str) -> BlackjackPar:
    game = game_of(words)
    return make_blackjack_par(game, blackjack_sheets(game), shipped_register(), findings())


@cache
def pdf_of(words: str) -> bytes:
    return par_of(words).as_pdf()


@cache
def pages_of(words: str) -> tuple[str, ...]:
    return tuple(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf_of(words))).pages)


@cache
def text_of(words: str) -> str:
    joined = " ".join(pages_of(words)).replace("\u200b", "")
    return " ".join(joined.split()).replace("−", "-")


def squeezed(words: str) -> str:
    return "".join(words.split())


def bet_of(words: str) -> BetSheet:
    sheet = par_of(words).sheets[0]
    assert isinstance(sheet, BetSheet)
    return sheet


def sides_of(words: str) -> list[SideSheet]:
    return [sheet for sheet in par_of(words).sheets if isinstance(sheet, SideSheet)]


def printed_sheets(par: BlackjackPar) -> dict[tuple[str, str], SheetInPrint]:
    return {(each.wager, each.paytable): each for wager in par.in_print.wagers for each in wager.sheets}


def side_par(words: str, wager: str, *, own: tuple[str, Paytable] | None = None) -> BlackjackPar:
    game = game_of(words)
    return make_blackjack_par(
        game, blackjack_sheets(game, game.wager(wager), [own] if own else None), shipped_register(), findings()
    )


# Which sheets there are


@pytest.mark.parametrize("decks", DECKS)
def test_only_what_the_documents_allow_at_these_decks(decks: int) -> None:
    game = game_of(f"{decks}D")
    wagers = {sheet.wager.key for sheet in blackjack_sheets(game)}
    assert wagers == {"bet", "insurance"} | {key for key, allowed in DECKS_OF.items() if decks in allowed}
    for key, allowed in DECKS_OF.items():
        if decks not in allowed:
            with pytest.raises(NotationError, match=f"is not offered with {decks} deck"):
                blackjack_sheets(game, game.wager(key))


def test_all_paytables_are_there_and_one_of_bet_the_bust() -> None:
    game = game_of(USUAL)
    found = {(sheet.wager.key, sheet.paytable_id) for sheet in par_of(USUAL).sheets}
    wanted = {(wager.key, name) for wager in game.wagers for name in wager.paytables}
    assert wanted - found == {("bet-the-bust", "1")}
    hits = {sheet.paytable_id for sheet in par_of(TWO_DECKS).sheets if sheet.wager.key == "bet-the-bust"}
    assert hits == {"1"}


@pytest.mark.parametrize(
    ("words", "wager", "sentence"),
    [
        ("6D NOINS", "insurance", "NOINS"),
        ("6D ENHC", "bet-the-bust", "without a hole card"),
        ("4D", "bet-the-bust", "it takes 1, 2, 6 or 8"),
        ("2D", "trilux", "it takes 6 or 8"),
    ],
)
def test_what_the_rules_exclude_is_left_out_and_refused(words: str, wager: str, sentence: str) -> None:
    game = game_of(words)
    assert wager not in {sheet.wager.key for sheet in blackjack_sheets(game)}
    with pytest.raises(NotationError, match=sentence):
        blackjack_sheets(game, game.wager(wager))


def test_paytables_that_do_not_go_with_the_rules_are_refused() -> None:
    game = game_of(USUAL)
    bust = game.wager("bet-the-bust")
    with pytest.raises(NotationError, match="is not for a dealer who stands on a soft 17"):
        blackjack_sheets(game, bust, [("1", bust.paytables["1"])])
    with pytest.raises(NotationError, match="pays as the rules say"):
        blackjack_sheets(game, game.wager("bet"), [("mine", Paytable.parse("mine", "Blackjack 2 to 1\nWin 1 to 1"))])


def test_what_is_left_out_stands_on_the_cover() -> None:
    assert "Left out" not in dict(par_of(USUAL).in_print.facts)
    left_out = dict(par_of(TWO_DECKS).in_print.facts)["Left out"]
    assert left_out.count("is not offered with 2 decks: it takes 6 or 8.") == 3
    assert len(par_of(TWO_DECKS).as_json()["left_out"]) == 3
    assert "Left out" not in dict(side_par(TWO_DECKS, "insurance").in_print.facts)


# The base wager


@both
def test_bet_is_that_of_the_solver(words: str) -> None:
    rules = Rules.parse(words)
    form, solution = bet_of(words).as_json(), solve(rules)
    swings, chart = moments(solution), basic_strategy(rules)
    assert form["house_edge"]["percent"] == pytest.approx(-100 * solution.edge, abs=1e-10)
    assert form["standard_deviation"] == pytest.approx(swings.standard_deviation, abs=1e-10)
    assert form["basic_strategy"]["house_edge"]["percent"] == pytest.approx(
        -100 * evaluate(chart, rules).edge, abs=1e-10
    )
    assert form["basic_strategy"]["chart"] == str(chart).splitlines()
    assert form["convention"] == "CDZ-"
    assert [line["probability"] for line in form["lines"]] == list(swings.law.values())
    wins = sum(line["probability"] for line in form["lines"] if float(line["pays"]) > 0)
    assert form["hit_frequency"]["percent"] == pytest.approx(100 * wins)
    assert form["lines_exact"] is swings.exact


def test_the_usual_house_edge() -> None:
    figures = {figure.name: figure.value for figure in printed_sheets(par_of(USUAL))["Bet", "3:2"].figures}
    assert figures["House edge, best play (CDZ-)"] == "0.40287024 %"
    assert figures["House edge, basic strategy"] == "0.40592242 %"
    assert figures["Standard deviation"] == "1.154025"


@both
def test_bet_lines_add_up_in_print(words: str) -> None:
    sheet = next(iter(printed_sheets(par_of(words)).values()))
    assert sheet.total.probability == "1.0000000000"
    assert sum(Fraction(line.probability) for line in sheet.lines) == pytest.approx(1, abs=1e-8)
    assert Fraction(sheet.total.contribution) == pytest.approx(
        -Fraction(sheet.figures[0].value.removesuffix(" %")) / 100, abs=2e-10
    )
    assert all(line.combinations == "" for line in sheet.lines)


def test_what_is_not_exact_is_said() -> None:
    four, two = (" ".join(next(iter(printed_sheets(par_of(words)).values())).notes) for words in (USUAL, TWO_DECKS))
    assert "below 1e-10" in four
    assert "below 1e-10" in two
    assert "three or four hands" in four
    assert "three or four hands" not in two  # SP2: no pair becomes more than two


@both
def test_chart_has_every_row_and_its_letters(words: str) -> None:
    sheet = bet_of(words)
    grid = strategy_grid(sheet)
    written = [" ".join(line.split()) for line in str(sheet.chart).splitlines()]
    assert " ".join(grid.columns) == written[0]
    assert [f"{row[0]}: {' '.join(row[1:])}" for row in grid.rows] == written[1:-1]
    assert {cell for row in grid.rows for cell in row[1:]} == {cell for cell, _ in grid.legend}
    assert [grid.rows[place][0].split()[0] for place in grid.sections] == ["soft", "pair"]
    for row in grid.rows:
        assert " ".join(row) in text_of(words)


@both
def test_dealer_table_adds_up(words: str) -> None:
    own = dealer_table(bet_of(words))
    assert [row[0] for row in own.rows] == [*"23456789TA", "Any"]
    for row in own.rows:
        assert sum(Fraction(cell) for cell in row[2:]) == pytest.approx(100, abs=4e-4)
        assert " ".join(row) in text_of(words)
    blackjacks = [row[-2] for row in own.rows[:8]]
    assert set(blackjacks) == {"0.0000"}
    decks = bet_of(words).decks
    pair = 2 * Fraction(4 * decks * 16 * decks, 52 * decks * (52 * decks - 1))
    assert own.rows[-1][-2] == fixed(100 * pair, 4)


# Side wagers


@both
def test_side_sheets_are_the_counted_ones(words: str) -> None:
    game = game_of(words)
    for sheet in sides_of(words):
        again = make_side_sheet(
            game, sheet.wager, sheet.paytable_id, sheet.paytable, game.rules.decks, rules=game.rules
        )
        assert sheet.as_json() == again.as_json()
        assert sheet.as_json() in par_of(words).as_json()["sheets"]


@both
def test_pdf_has_every_side_line_and_figure(words: str) -> None:
    shown = text_of(words)
    for sheet in sides_of(words):
        assert f"{sheet.wager.title}, paytable {sheet.paytable_id}" in shown
        assert sheet.digest in shown
        assert f"{sheet.figures.deals:,}" in shown
        assert percent(sheet.figures.house_edge, 6) in shown
        assert squeezed(str(sheet.figures.variance)) in squeezed(shown)
        for line in sheet.figures.lines:
            assert f"{line.combinations:,} {significant(line.probability)}" in shown


def test_progressives_show_their_meters_and_hold() -> None:
    sheet = printed_sheets(par_of(USUAL))["Blazing 7's Progressive, dealer's up card", "ML03"]
    figures = {figure.name: figure.value for figure in sheet.figures}
    assert figures["Contribution"] == "24.00 %"
    assert figures["Hold"] == "22.389219 %"
    [meters] = sheet.tables
    assert [row[:3] for row in meters.rows] == [
        ("Mega", "2,000", "2,000"),
        ("Major", "1,000", "1,000"),
        ("Minor", "500", "500"),
    ]
    assert [row[-1] for row in meters.rows] == ["118,282", "39,760.67", "6,960.11"]
    assert " ".join(meters.rows[1]) in text_of(USUAL)
    [side] = [each for each in sides_of(USUAL) if (each.wager.title, each.paytable_id) == (sheet.wager, "ML03")]
    assert side.progressive is not None
    assert figures["Hit frequency"] == percent(side.progressive.hit_frequency, 6)
    assert figures["Fixed return"] == percent(side.progressive.fixed_return, 6)


def test_a_progressive_without_known_funding_says_so() -> None:
    sheet = printed_sheets(par_of(USUAL))["TriLux Blackjack Progressive", "6"]
    assert "Hold" not in {figure.name for figure in sheet.figures}
    assert "priced as empty" in " ".join(sheet.notes)
    assert sheet.tables[0].rows[0][1:3] == ("0", "not known")


@both
def test_bet_the_bust_by_up_card(words: str) -> None:
    [sheet] = [each for each in sides_of(words) if isinstance(each, BustSheet)]
    [own] = printed_sheets(par_of(words))["Bet the Bust", sheet.paytable_id].tables
    assert len(own.rows) == 10
    for row, each in zip(own.rows, sheet.up_cards, strict=True):
        assert row[2] == percent(each.bust, 6)
        assert row[4] == percent(each.house_edge, 6)
        assert " ".join(row) in text_of(words)


def test_printed_figures_stand_beside_the_counted_ones_of_their_decks() -> None:
    for words in (USUAL, TWO_DECKS):
        shown = par_of(words).as_json()["printed"]
        covered = {(sheet.wager.key, sheet.paytable_id) for sheet in par_of(words).sheets}
        decks = game_of(words).rules.decks
        wanted = [
            each.as_json()
            for each in findings()
            if each.game == "blackjack" and (each.wager, each.paytable) in covered and each.decks in (None, decks)
        ]
        assert sorted(shown, key=str) == sorted(wanted, key=str)


def test_a_paytable_of_ones_own_is_not_called_approved() -> None:
    table = Paytable.parse("mine.txt", "2 Kings of Spades 90 to 1\nUnsuited 20 4 to 1")
    par = side_par(USUAL, "kings-bounty", own=("mine.txt", table))
    [sheet] = printed_sheets(par).values()
    assert "No approval on file" in sheet.notice
    assert par.as_json()["not_covered_by_the_approval"] == [["kings-bounty", "mine.txt"]]
    noticed = [each.wager for each in printed_sheets(par_of(USUAL)).values() if each.notice]
    # The documents leave the game itself to the standard rules, and the others are not theirs.
    others = {"Bet the Set 21", "Royal Match 21", "TriLux Bonus", "House Money"}
    assert set(noticed) == {"Insurance", *others}


def test_without_a_hole_card_the_third_card_is_noted() -> None:
    notes = [sheet.notes for sheet in printed_sheets(side_par("6D ENHC", "blazing-7s-player")).values()]
    assert all("no hole card" in " ".join(each) for each in notes)
    assert "no hole card" not in " ".join(
        printed_sheets(par_of(USUAL))["Blazing 7's Progressive, player's cards only", "1"].notes
    )


def test_where_basic_strategy_stands_with_two_sevens_it_is_noted() -> None:
    for words, draws in ((USUAL, True), ("6D SP1", False)):
        chart = basic_strategy(Rules.parse(words))
        cells = {chart.cell(Kind.PAIR, 7, up) for up in range(1, 11)}
        assert (Cell.STAND not in cells) is draws
        for sheet in printed_sheets(side_par(words, "blazing-7s-player")).values():
            notes = " ".join(sheet.notes)
            assert "as basic strategy does" in notes
            assert ("not against 2, 3, 4, 5, 6" in notes) is not draws


# The document


@both
def test_cover_has_rules_and_decks(words: str) -> None:
    rules, shown = Rules.parse(words), text_of(words)
    assert f"000 and 001, {par_of(words).game.title}" in shown
    assert LETTER in shown
    assert str(rules) in shown
    assert rules.full in shown
    assert f"{52 * rules.decks} cards in all" in shown
    assert rules_in_words(rules) in shown


@both
def test_pdf_repeats_to_the_byte(words: str) -> None:
    game = game_of(words)
    assert make_blackjack_par(game, blackjack_sheets(game), shipped_register(), findings()).as_pdf() == pdf_of(words)


@both
def test_pdf_pages_are_numbered_and_bear_the_digest(words: str) -> None:
    read = pypdf.PdfReader(io.BytesIO(pdf_of(words)))
    for number, (page, text) in enumerate(zip(read.pages, pages_of(words), strict=True), start=1):
        assert (page.mediabox.width, page.mediabox.height) == US_LETTER
        assert f"Page {number} of {len(read.pages)}" in text
        assert par_of(words).digest in text
    assert read.metadata is not None
    assert read.metadata.creation_date is None
    assert not re.search("[\0-\x1f\ufffd\ue000-\uf8ff]", text_of(words))
    assert "<U+" not in text_of(words)


def test_digest_depends_on_the_words_of_the_rules() -> None:
    digests = {side_par(words, "bet").digest for words in (USUAL, "6D H17", "6D LS", "8D", "6D 6:5", "6D CUT80")}
    assert len(digests) == 6
    assert side_par("6D", "bet").digest == side_par(USUAL, "bet").digest
    assert side_par(USUAL, "trilux").digest != side_par("8D", "trilux").digest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("6D", "a pair may become 4 hands, aces are split once"),
        ("6D RSA HSA", "a pair may become 4 hands, aces too; split aces are played like other hands"),
        ("6D SP2", "a pair may become 2 hands; split aces receive one card each"),
        ("6D SP1", "no splitting; no surrender"),
        ("6D D10 NDAS LS", "a hard 10 or 11 may be doubled, not after a split"),
        ("6D D9 ENHC NOINS", "no hole card: a dealer's blackjack takes all wagers; no insurance"),
        ("6D CUT2/3", "the cut card lies behind 66.6667 % of the shoe"),
    ],
)
def test_rules_in_words(words: str, said: str) -> None:
    assert said in rules_in_words(Rules.parse(words))


@pytest.mark.parametrize(("sampled", "exact"), [("Lines are sampled.", False), ("", False), ("", True)])
def test_a_sheet_says_not_sampled_only_where_nothing_is(sampled: str, exact: bool) -> None:
    sheet: Any = SimpleNamespace(swings=SimpleNamespace(sampled=sampled, exact=exact))
    notes = " ".join(bet_notes(sheet))
    assert ("not sampled" in notes) is not bool(sampled)
    assert ("Not counted: Lines are sampled." in notes) is bool(sampled)
    assert ("Not exact is how" in notes) is (not sampled and not exact)


def test_every_letter_of_a_chart_has_its_shade() -> None:
    template = files("croupier.analysis.par").joinpath("sheet.typ").read_text(encoding="utf-8")
    shades = template.split("#let shades = (", 1)[1].split("\n)", 1)[0]
    assert set(re.findall(r"(\w+): (?:white|rgb)", shades)) == {cell.value for cell in Cell}
