"""The PAR sheet says the same in JSON and in print, repeats to the byte, and prints any name as it was written."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier
from croupier.analysis.census import take_census
from croupier.analysis.par.print import net_result, one_in, significant
from croupier.analysis.par.printed import PrintedFinding, verify_printed
from croupier.analysis.par.sheet import Par, make_par
from croupier.analysis.printing import fixed, percent
from croupier.analysis.sheet import all_sheets, make_sheet
from croupier.analysis.strategy import compare_strategies, strategy_chart
from croupier.compliance.approval import shipped_register
from croupier.games.catalogue import GAMES
from croupier.games.paytable import Pay, Paytable, Row

RUMMY, SUPREME = GAMES["triple-shot-rummy"], GAMES["supreme-99"]
US_LETTER = (612, 792)
every_game = pytest.mark.parametrize("key", list(GAMES))

LETTER = "Washington State Gambling Commission, submission #3119, 2023-06-14"


@cache
def findings() -> tuple[PrintedFinding, ...]:
    return tuple(verify_printed())


@cache
def par_of(key: str) -> Par:
    return make_par(GAMES[key], all_sheets(GAMES[key]), shipped_register(), findings())


@cache
def pdf_of(key: str) -> bytes:
    return par_of(key).as_pdf()


def custom(wager: str, *rows: Row, name: str = "mine.txt", strategy: str = "optimal") -> Par:
    """The PAR sheet of a paytable that somebody made up for Triple Shot Rummy."""
    table = Paytable(name, rows)
    return make_par(
        RUMMY, [make_sheet(RUMMY, RUMMY.wager(wager), name, table, strategy=strategy)], shipped_register(), findings()
    )


@cache
def pages(pdf: bytes) -> list[str]:
    """The text of each page, in one line, without the invisible places where a long word may break."""
    read = pypdf.PdfReader(io.BytesIO(pdf))
    return [" ".join(page.extract_text().replace("\u200b", "").split()) for page in read.pages]


def text(pdf: bytes) -> str:
    return " ".join(pages(pdf))


def squeezed(words: str) -> str:
    return "".join(words.split())


# PDF


@every_game
def test_pdf_has_every_digest_line_and_count(key: str) -> None:
    par, shown = par_of(key), text(pdf_of(key))
    assert par.digest in shown
    assert LETTER in shown
    assert f"croupier {croupier.__version__}" in shown
    for sheet in par.sheets:
        assert f"{sheet.wager.title}, paytable {sheet.paytable_id}" in shown
        assert sheet.digest in shown
        assert f"{sheet.figures.deals:,}" in shown
        assert str(sheet.figures.house_edge) in shown
        assert percent(sheet.figures.house_edge, 6) in shown
        assert squeezed(str(sheet.figures.variance)) in squeezed(shown)
        for line in sheet.figures.lines:
            assert squeezed(line.line) in squeezed(shown)
            assert f"{line.combinations:,} {significant(line.probability)}" in shown


@every_game
def test_pdf_repeats_to_the_byte(key: str) -> None:
    again = make_par(GAMES[key], all_sheets(GAMES[key]), shipped_register(), findings()).as_pdf()
    assert again == pdf_of(key)


@every_game
def test_pdf_is_us_letter_with_numbered_pages_that_bear_the_digest(key: str) -> None:
    read = pypdf.PdfReader(io.BytesIO(pdf_of(key)))
    shown = pages(pdf_of(key))
    for number, (page, words) in enumerate(zip(read.pages, shown, strict=True), start=1):
        assert (page.mediabox.width, page.mediabox.height) == US_LETTER
        assert f"Page {number} of {len(shown)}" in words
        assert par_of(key).digest in words
        assert GAMES[key].title in words


@every_game
def test_pdf_has_no_date_and_says_what_it_is(key: str) -> None:
    about = pypdf.PdfReader(io.BytesIO(pdf_of(key))).metadata
    assert about is not None
    assert about.title == f"{GAMES[key].title}: PAR sheet"
    assert about.creation_date is None
    assert about.modification_date is None
    assert par_of(key).digest in str(about.get("/Keywords"))


@every_game
def test_pdf_has_no_missing_glyphs(key: str) -> None:
    """The PDF/UA standard refuses a document with a character that no font shows; the text must come back too."""
    shown = text(pdf_of(key))
    assert not re.search("[\0-\x1f\ufffd\ue000-\uf8ff]", shown)
    assert "<U+" not in shown


@every_game
def test_pdf_outline_names_every_sheet(key: str) -> None:
    read = pypdf.PdfReader(io.BytesIO(pdf_of(key)))
    titles = [str(entry["/Title"]) for entry in _flat(read.outline)]
    for sheet in par_of(key).sheets:
        assert f"{sheet.wager.title}, paytable {sheet.paytable_id}" in titles


def _flat(outline: Iterable[object]) -> Iterable[dict[str, object]]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _flat(entry)
        else:
            assert isinstance(entry, dict)
            yield entry


def test_pdf_compares_paytables_and_strategies() -> None:
    shown = text(pdf_of("triple-shot-rummy"))
    assert shown.count("Paytables side by side") == 2
    assert "play 20 or less 3.233658 % 1.931873 % 1.673846" in shown
    assert "10 points play 1,980 8.959 % +0.689862" in shown
    assert "Strategies compared" not in text(pdf_of("three-card-baccarat"))


# Names that somebody wrote

ODD_NAMES = [
    '#panic("no") Pair',
    "#x *Pair* _",
    "$Pair$",
    "@Pair <Pair>",
    "= Pair",
    "- Pair",
    "`Pair`",
    "\\Pair\\n",
    "// Pair /* */",
    "[bold]Pair[/] {}",
    "Pair ~ -- ... 'x' \"y\"",
    "Pair ♠♥♦♣ é ß Ж ½",
]


@pytest.mark.parametrize("label", ODD_NAMES)
def test_odd_names_print_as_they_were_written(label: str) -> None:
    shown = text(_priced_as(label).as_pdf())
    assert squeezed(label) in squeezed(shown)
    assert squeezed(f"Pair Plus, paytable {label}") in squeezed(shown)


def _priced_as(label: str) -> Par:
    """A sheet whose line for a pair and whose paytable have this name, past the check that it is a known line."""
    par = custom("pair-plus", Row("Pair", Pay.parse("2 to 1")), name=label)
    prices = par.sheets[0].figures.prices
    for outcome, price in prices.items():
        if price.row == "Pair":
            prices[outcome] = price._replace(row=label)  # type: ignore[index]
    return par


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Pair \x1b[", "Pair <U+001B>["),
        ("Pair \u202e", "Pair <U+202E>"),
        ("Pair 中", "Pair <U+4E2D>"),
        ("Pair 🂡", "Pair <U+1F0A1>"),
        ("Pair\u00a0\t!", "Pair !"),
        ("Pair \0", "Pair <U+0000>"),
    ],
)
def test_what_no_font_can_show_is_named(label: str, shown: str) -> None:
    par = custom("pair-plus", Row(label, Pay.parse("2 to 1")))
    assert squeezed(shown) in squeezed(text(par.as_pdf()))


def test_control_characters_do_not_reach_a_terminal() -> None:
    par = custom("pair-plus", Row("Pair \x1b[\u202e", Pay.parse("2 to 1")), name="x\x1b\r.txt")
    [sheet] = par.in_print.wagers[0].sheets
    assert sheet.paytable == "x<U+001B> .txt"
    assert "Pair <U+001B>[<U+202E>" in [line.line for line in sheet.lines]


def test_long_names_and_long_fractions_stay_on_the_page() -> None:
    rows = [Row(str(n), Pay.parse(f"{1_000_003 * n + 7} to {999 + 2 * n}")) for n in range(20)]
    par = custom("ante-play", *rows, name="w" * 120)
    [sheet] = par.sheets
    shown = squeezed(text(par.as_pdf())).replace("−", "-")
    assert len(str(sheet.figures.variance)) > 150
    assert str(sheet.figures.variance) in shown
    assert "w" * 120 in shown
    for line in sheet.figures.lines:
        assert f"{line.combinations:,}{significant(line.probability)}" in shown


# JSON


@every_game
def test_json_has_the_sheets_that_odds_prints(key: str) -> None:
    par = par_of(key)
    form = par.as_json()
    assert form["sheets"] == [sheet.as_json() for sheet in all_sheets(GAMES[key])]
    assert (form["game"], form["title"], form["document"]) == (key, GAMES[key].title, GAMES[key].document)
    assert (form["version"], form["digest"], form["approval"]) == (croupier.__version__, par.digest, LETTER)
    own = [each.as_json() for each in findings() if each.game == key]
    assert sorted(form["printed"], key=str) == sorted(own, key=str)


@pytest.mark.parametrize("key", [RUMMY.key, SUPREME.key])
def test_json_has_the_strategies_and_the_chart(key: str) -> None:
    wager = GAMES[key].decides
    assert wager
    [strategies] = par_of(key).as_json()["strategies"]
    census, prices = take_census(GAMES[key], wager), wager.prices(wager.paytables["1"])
    compared, chart = compare_strategies(census, prices), strategy_chart(census, prices)
    assert (strategies["wager"], strategies["paytable"]) == (wager.key, "1")
    assert [each["strategy"] for each in strategies["strategies"]] == [each.name for each in compared]
    assert [each["cost"]["exact"] for each in strategies["strategies"]] == [
        f"{each.cost.numerator}/{each.cost.denominator}" for each in compared
    ]
    assert [Fraction(row["value"]) for row in strategies["chart"]] == [row.value for row in chart]


def test_json_has_no_strategies_where_nothing_is_decided() -> None:
    assert par_of("three-card-baccarat").as_json()["strategies"] == []


# Digests


def test_digest_depends_on_pays_and_not_on_names() -> None:
    pair = Row("Pair", Pay.parse("2 to 1"))
    first = custom("pair-plus", pair)
    assert custom("pair-plus", pair, name="renamed.txt").digest == first.digest
    assert custom("pair-plus", Row("Pair", Pay.parse("3 to 1"))).digest != first.digest
    assert len({par_of(key).digest for key in GAMES}) == len(GAMES)


def test_digest_of_a_wager_is_not_that_of_the_game() -> None:
    alone = make_par(RUMMY, all_sheets(RUMMY, RUMMY.wager("ante-play")), shipped_register())
    assert alone.digest != par_of("triple-shot-rummy").digest
    assert alone.sheets[0].digest == par_of("triple-shot-rummy").sheets[0].digest


# What is printed


@every_game
def test_lines_add_up_in_print(key: str) -> None:
    for wager in par_of(key).in_print.wagers:
        for sheet in wager.sheets:
            counts = [int(line.combinations.replace(",", "")) for line in sheet.lines]
            assert sum(counts) == int(sheet.total.combinations.replace(",", ""))
            assert sheet.total.probability == "1"
            assert Decimal(sheet.total.contribution) * 100 == pytest.approx(
                -Decimal(sheet.figures[0].value.removesuffix(" %")), abs=Decimal("1e-6")
            )


def test_one_wager_with_one_paytable_has_no_overview() -> None:
    content = custom("pair-plus", Row("Pair", Pay.parse("2 to 1"))).in_print
    assert [wager.title for wager in content.wagers] == ["Pair Plus"]
    assert content.wagers[0].overview is None
    assert par_of("triple-shot-rummy").in_print.wagers[1].overview is not None


def test_a_paytable_of_ones_own_is_not_called_approved() -> None:
    par = custom("pair-plus", Row("Pair", Pay.parse("2 to 1")))
    assert "No approval on file" in par.in_print.wagers[0].sheets[0].notice
    assert "No approval on file" in text(par.as_pdf())
    approved = [sheet for wager in par_of("triple-shot-rummy").in_print.wagers for sheet in wager.sheets]
    assert not any(sheet.notice for sheet in approved)


def test_printed_figures_go_by_the_pays_and_not_by_the_name() -> None:
    second = RUMMY.wager("pair-plus").paytables["2"].rows
    [sheet] = custom("pair-plus", *second, name="1").in_print.wagers[0].sheets
    assert [(each.printed, each.verdict) for each in sheet.printed] == [("5.57%", "agrees"), ("25.61%", "agrees")]
    [other] = custom("pair-plus", Row("Pair", Pay.parse("2 to 1")), name="1").in_print.wagers[0].sheets
    assert other.printed == ()


def test_printed_figure_that_differs_is_shown_with_its_note() -> None:
    shown = text(pdf_of("triple-shot-rummy"))
    assert "House Edge 10.23% 10.2248 % differs The printed figure is one unit too high" in shown
    assert "RTP 4.25% 5.3574 % differs" in text(pdf_of("three-card-baccarat"))


def test_named_strategy_is_what_is_counted() -> None:
    pays = RUMMY.wager("ante-play").paytables["1"].rows
    par = custom("ante-play", *pays, name="1", strategy="always play")
    [sheet] = par.in_print.wagers[0].sheets
    folds = next(line for line in sheet.lines if line.line == "Player folds")
    assert (folds.combinations, folds.probability, folds.one_in) == ("0", "0", "never")
    assert sheet.strategy.startswith("always play")
    assert ("Strategy", sheet.strategy) in par.in_print.facts
    assert sheet.figures[0].value == "5.166549 %"


# Numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(188, 20358520), "0.000009234463016"),
        (Fraction(1, 3), "0.3333333333"),
        (Fraction(1, 2), "0.5000000000"),
        (Fraction(1), "1.000000000"),
        (Fraction(99999999999, 100000000000), "1.000000000"),
        (Fraction(0), "0"),
    ],
)
def test_ten_significant_digits(value: Fraction, shown: str) -> None:
    assert significant(value) == shown


@given(st.fractions(min_value=0, max_value=1, max_denominator=10**14).filter(bool))
def test_significant_digits_are_rounded_correctly(value: Fraction) -> None:
    shown = significant(value)
    assert len(shown.replace(".", "").lstrip("0")) == 10
    assert abs(Fraction(shown) - value) <= value / 10**9 / 2


@given(st.fractions(max_denominator=10**9), st.integers(1, 12))
def test_fixed_places_are_rounded_correctly(value: Fraction, places: int) -> None:
    shown = fixed(value, places)
    assert len(shown.partition(".")[2]) == places
    assert abs(Fraction(shown.replace(",", "")) - value) <= Fraction(1, 2 * 10**places)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(1, 2000), "+0.001"),
        (Fraction(-1, 2000), "-0.001"),
        (Fraction(-1, 2001), "0.000"),
        (Fraction(1234), "+1,234.000"),
    ],
)
def test_halves_round_away_from_zero(value: Fraction, shown: str) -> None:
    assert fixed(value, 3, signed=True) == shown


@pytest.mark.parametrize(
    ("probability", "shown"),
    [
        (Fraction(1), "1.000"),
        (Fraction(213489, 1454180), "6.811"),
        (Fraction(1, 425), "425.0"),
        (Fraction(1, 108290), "108,290"),
        (Fraction(0), "never"),
    ],
)
def test_one_in_so_many(probability: Fraction, shown: str) -> None:
    assert one_in(probability) == shown


@pytest.mark.parametrize(
    ("net", "shown"),
    [
        (Fraction(5), "+5"),
        (Fraction(10), "+10"),
        (Fraction(1000), "+1,000"),
        (Fraction(19, 20), "+0.95"),
        (Fraction(-2), "-2"),
        (Fraction(0), "0"),
        (Fraction(7, 3), "+2.3333"),
    ],
)
def test_net_results(net: Fraction, shown: str) -> None:
    assert net_result(net) == shown
