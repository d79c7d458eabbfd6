"""The readings on record: complete, counted, and as the rulebook says them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache

import pytest

from croupier.analysis.readings.proofs import PROOFS, Figure
from croupier.analysis.readings.record import PAGES, OnRecord, Standing, changes, in_markdown, readings_on_record
from croupier.games.rulebook import page, paragraphs
from croupier.games.titles import three_card_baccarat
from tests.cli.support import refused, run


@cache
def on_record() -> dict[str, OnRecord]:
    return {each.at: each for each in readings_on_record()}


def test_every_paragraph_of_a_section_of_readings_is_there() -> None:
    wanted = []
    for name in PAGES:
        headings = re.findall(r"^## (\d+)\. (.*)$", page(name), re.MULTILINE)
        section = next(number for number, title in headings if title == "Readings")
        wanted += [f"{name} {each.number}" for each in paragraphs(name) if each.number.split(".")[0] == section]
    assert list(on_record()) == wanted
    assert set(PROOFS) <= set(wanted)


def test_what_figures_say_of_each_reading() -> None:
    standing: dict[Standing, set[str]] = {}
    for at, reading in on_record().items():
        standing.setdefault(reading.standing, set()).add(at)
    assert standing[Standing.DECIDED] == {
        "triple-shot-rummy 10.4",
        "triple-shot-rummy 10.5",
        "three-card-baccarat 10.1",
        "three-card-baccarat 10.2",
        "three-card-baccarat 10.3",
        "supreme-99 10.7",
        "blackjack 14.14",
    }
    assert standing[Standing.UNDECIDED] == {"three-card-baccarat 10.4"}
    assert standing[Standing.UNRESOLVED] == {"three-card-baccarat 10.5", "three-card-baccarat 10.11"}
    for at in standing[Standing.DECIDED] - {"triple-shot-rummy 10.5"}:  # whose first table is printed 0.01 too high
        assert all(figure.fits for figure in on_record()[at].figures)
        assert not any(other.fits for other in on_record()[at].others)
    assert [figure.fits for figure in on_record()["triple-shot-rummy 10.5"].figures] == [False, True, True, True]


@pytest.mark.parametrize("at", list(PROOFS))
def test_figures_that_the_rulebook_says_are_those_that_are_counted(at: str) -> None:
    """A percentage of three decimals or more in the words of a reading is one of its figures, at that precision."""
    reading = on_record()[at]
    figures = [*reading.figures, *(figure for other in reading.others for figure in other.figures)]
    counted = [Fraction(figure.value) for figure in figures]
    told = re.findall(r"(\d+\.(\d{3,})) %", reading.paragraph.text)
    for text, decimals in told:
        place = Fraction(1, 10 ** (len(decimals) + 2))
        assert any(abs(Fraction(text) / 100 - each) <= place for each in counted), f"{at} says {text} %"
    assert told or at not in ("three-card-baccarat 10.11", "supreme-99 10.7", "blackjack 14.9")


def test_the_two_readings_of_the_dragon_bonus_come_to_the_same() -> None:
    reading = on_record()["three-card-baccarat 10.11"]
    [ours], [other] = reading.figures, reading.others
    assert ours.words == other.figures[0].words == "5.357399 %"
    assert ours.value == other.figures[0].value
    assert other.option == three_card_baccarat.FACES_COUNT_TEN in three_card_baccarat.GAME.options
    assert changes(reading, other) == ["nothing"]
    assert f"{ours.words} under either" in reading.paragraph.text


def test_an_ace_that_is_high_in_runs_would_move_the_edge() -> None:
    reading = on_record()["triple-shot-rummy 10.2"]
    [other] = reading.others
    assert changes(reading, other)[0].startswith("-0.36")
    assert [figure.value for figure in reading.figures[1:]] == [20]
    assert "0.36 percentage points" in reading.paragraph.text


def test_a_hand_that_counts_nothing_as_a_whole_would_be_the_players_game() -> None:
    reading = on_record()["triple-shot-rummy 10.1"]
    edge, played = reading.others[0].figures
    assert (round(100 * edge.value), played.value) == (-22, 20)
    assert "win 22 % of the Ante for the player" in reading.paragraph.text
    [highest] = on_record()["triple-shot-rummy 10.3"].others
    assert changes(reading, highest)[0].startswith("+0.059")


def test_where_a_document_prints_no_figure_it_is_not_said_that_none_depends_on_it() -> None:
    for at, reading in on_record().items():
        if reading.standing is Standing.NO_FIGURE:
            assert "prints no figure" not in reading.paragraph.text, at


def test_threes_and_fours_of_a_kind_are_set_in_one_way_alone() -> None:
    assert [figure.value for figure in on_record()["supreme-99 10.6"].figures] == [1, 1]


@pytest.mark.parametrize(
    ("printed", "fits"), [("4.3%", True), ("4.25%", True), ("4.26%", False), ("", False)], ids=["a", "b", "c", "none"]
)
def test_a_figure_fits_what_is_printed_rounded_or_cut(printed: str, fits: bool) -> None:
    assert Figure("edge", Fraction(42534, 10**6), printed).fits is fits


def test_the_page_has_all_of_them_and_a_place_to_sign() -> None:
    text = in_markdown()
    assert re.findall(r"^### (.*)$", text, re.MULTILINE) == list(on_record())
    assert "house option `faces-count-ten`" in text
    assert "| the commission | " in text


def test_the_command_prints_them() -> None:
    found = json.loads(run("readings", "--json"))
    assert [each["reading"] for each in found] == list(on_record())
    shown = " ".join(run("readings", "three-card-baccarat").split())
    assert "the printed figure fits both readings" in shown
    assert "house option faces-count-ten" in shown
    assert "there are: " in refused("readings", "poker")
