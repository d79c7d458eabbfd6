"""Every printed figure is recomputed; what differs is said, and only a reason that counting bears out explains it."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.par import printed as module
from croupier.analysis.par.printed import (
    PrintedFinding,
    Verdict,
    _holds,
    as_fraction,
    counted,
    judge,
    load_printed,
    verify_printed,
    verify_published,
)
from croupier.games.blackjack import side_wagers
from croupier.games.blackjack.game import blackjack
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.poker import ThreeCards
from croupier.games.titles import triple_shot_rummy
from croupier.games.wager import OnDeal, OnHand, Wager

TOML = Path(module.__file__).with_name("printed_figures.toml")
EDGE, HOLD, HIT = "house_edge", "hold", "hit_frequency"

# As the documents print them: document, wager, paytable, figure.
PAIR_PLUS = ("2.32", "5.57", "7.28", "2.14", "5.39", "7.09")
SIX_CARD_BONUS = ("10.23", "15.28", "6.74", "8.56")
BLAZING_7S = {"1": ("24.78", "14.82"), "2": ("23.59", "14.82"), "ML03": ("21.65", "14.81"), "ML04": ("22.39", "14.82")}
PRINTED = {
    **{("000", "blazing-7s-dealer", table, HOLD): hold for table, (hold, _) in BLAZING_7S.items()},
    **{("000", "blazing-7s-dealer", table, HIT): hit for table, (_, hit) in BLAZING_7S.items()},
    **{("002", "pair-plus", str(n), EDGE): text for n, text in enumerate(PAIR_PLUS, start=1)},
    **{("002", "pair-plus", str(n), HIT): "25.61" for n in range(1, 7)},
    **{("002", "6-card-bonus", str(n), EDGE): text for n, text in enumerate(SIX_CARD_BONUS, start=1)},
    **{("002", "6-card-bonus", str(n), HIT): "7.28" for n in range(1, 5)},
    ("003", "kings-bonus", "1", EDGE): "4.3",
    ("003", "tie", "1", EDGE): "5.3",
    ("003", "dragon-bonus", "1", EDGE): "4.25",
    ("004", "pair-fortunes", "1", EDGE): "4.70",
}


def findings(printed: dict[str, Any] | None = None) -> dict[tuple[str, str, str, str], PrintedFinding]:
    found = list(verify_printed(printed))
    by_key = {(each.document, each.wager, each.paytable, each.figure): each for each in found}
    assert len(by_key) == len(found), "no figure is checked twice"
    return by_key


def altered(wager: str, paytable: str, figure: str, text: str) -> PrintedFinding:
    """The finding where the document had printed this."""
    printed = copy.deepcopy(load_printed())
    [table] = [table for table in printed["table"] if table["wager"] == wager]
    table[figure][paytable] = text
    [finding] = [f for key, f in findings(printed).items() if key[1:] == (wager, paytable, figure)]
    return finding


# --- the documents -------------------------------------------------------------------------------------------


def test_every_printed_figure_is_checked() -> None:
    assert {key: finding.printed for key, finding in findings().items()} == {k: f"{t}%" for k, t in PRINTED.items()}
    assert Counter(key[0] for key in PRINTED) == {"000": 8, "002": 20, "003": 3, "004": 1}
    assert len(PRINTED) == 32


def test_every_figure_belongs_to_the_document_of_its_game() -> None:
    for finding in findings().values():
        assert finding.document in ALL_GAMES[finding.game].document.split(" and ")
        assert finding.paytable in ALL_GAMES[finding.game].wager(finding.wager).paytables


def test_every_paytable_of_a_printed_wager_has_its_figure() -> None:
    for table in load_printed()["table"]:
        paytables = list(ALL_GAMES[table["game"]].wager(table["wager"]).paytables)
        for figure in (EDGE, HOLD, HIT, "decks"):
            assert list(table.get(figure, paytables)) == paytables


def test_verdicts() -> None:
    verdicts = {key: finding.verdict for key, finding in findings().items()}
    agreed = dict.fromkeys(PRINTED, Verdict.AGREES)
    agreed["002", "pair-plus", "6", EDGE] = Verdict.CUT
    agreed["002", "6-card-bonus", "1", EDGE] = Verdict.DIFFERS
    agreed["003", "dragon-bonus", "1", EDGE] = Verdict.DIFFERS
    assert verdicts == agreed


def test_every_difference_is_explained_and_has_a_note() -> None:
    for finding in findings().values():
        assert finding.explained
        assert finding.note or finding.verdict is Verdict.AGREES
        assert finding.difference == as_fraction(finding.printed) - finding.exact


def test_the_dragon_bonus_is_labelled_as_the_document_labels_it() -> None:
    labels = {key[1:]: finding.label for key, finding in findings().items()}
    assert labels["dragon-bonus", "1", EDGE] == "RTP"
    assert labels["tie", "1", EDGE] == "House Edge"
    assert labels["pair-plus", "3", HIT] == "Hit Frequency"


def test_a_finding_as_json() -> None:
    finding = findings()["002", "pair-plus", "6", EDGE].as_json()
    assert finding["exact"] == "392/5525"
    assert finding["exact_percent"] == pytest.approx(7.09502262)
    assert finding["difference_percent"] == pytest.approx(7.09 - 7.09502262)
    assert (finding["verdict"], finding["printed"], finding["explained"]) == ("agrees if cut", "7.09%", True)


def test_holds_are_those_of_the_decks_and_the_version_they_belong_to() -> None:
    """With the other decks or the other version no hold would agree."""
    table = next(table for table in load_printed()["table"] if table["wager"] == "blazing-7s-dealer")
    for paytable, text in table[HOLD].items():
        for wager, decks in (("blazing-7s-dealer", 6), ("blazing-7s-dealer", 8), ("blazing-7s-player", 6)):
            agrees = judge(text, counted("blackjack", wager, paytable, HOLD, decks)) is Verdict.AGREES
            assert agrees == (wager == table["wager"] and str(decks) == table["decks"][paytable])


def test_a_figure_of_several_decks_says_how_many() -> None:
    finding = findings()["000", "blazing-7s-dealer", "ML03", HOLD]
    assert (finding.label, finding.decks, finding.as_json()["decks"]) == ("Hold", 8, 8)
    assert "decks" not in findings()["002", "pair-plus", "6", EDGE].as_json()


# --- judging -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "exact", "verdict"),
    [
        ("2.32%", "2.32", Verdict.AGREES),
        ("2.32%", "2.3150", Verdict.AGREES),
        ("2.32%", "2.3249999", Verdict.AGREES),
        ("2.32%", "2.325", Verdict.CUT),
        ("2.33%", "2.325", Verdict.AGREES),
        ("2.32%", "2.3299999", Verdict.CUT),
        ("2.32%", "2.33", Verdict.DIFFERS),
        ("2.32%", "2.3149999", Verdict.DIFFERS),
        ("2.32%", "2.31", Verdict.DIFFERS),
        ("4.70%", "4.7029", Verdict.AGREES),
        ("4.7%", "4.7499", Verdict.AGREES),
        ("4.70%", "4.7499", Verdict.DIFFERS),
        ("5.3%", "5.25", Verdict.AGREES),
        ("5%", "5.4", Verdict.AGREES),
        ("5%", "5.5", Verdict.CUT),
        ("6%", "5.5", Verdict.AGREES),
        ("0.00%", "0.004", Verdict.AGREES),
        ("10.0000%", "10.00005", Verdict.CUT),
    ],
)
def test_judge(printed: str, exact: str, verdict: Verdict) -> None:
    assert judge(printed, Fraction(exact) / 100) is verdict


@given(hundredths=st.integers(0, 10_000), beyond=st.fractions(0, 1).filter(lambda part: part < 1))
def test_judge_between_two_printed_figures(hundredths: int, beyond: Fraction) -> None:
    """The lower neighbour agrees up to the half and is cut above it; the upper one agrees from the half on."""
    exact = (hundredths + beyond) / 10_000
    lower, upper = (f"{n // 100}.{n % 100:02d}%" for n in (hundredths, hundredths + 1))
    assert judge(lower, exact) is (Verdict.AGREES if beyond < Fraction(1, 2) else Verdict.CUT)
    assert judge(upper, exact) is (Verdict.AGREES if beyond >= Fraction(1, 2) else Verdict.DIFFERS)


# --- what is not explained -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wager", "paytable", "figure", "text"),
    [
        ("pair-plus", "1", EDGE, "2.42%"),
        ("pair-plus", "1", EDGE, "2.33%"),
        ("pair-plus", "4", HIT, "25.60%"),
        ("pair-plus", "6", EDGE, "7.08%"),
        ("6-card-bonus", "1", EDGE, "10.24%"),
        ("6-card-bonus", "1", EDGE, "10.20%"),
        ("6-card-bonus", "2", EDGE, "15.29%"),
        ("dragon-bonus", "1", EDGE, "4.26%"),
        ("dragon-bonus", "1", EDGE, "5.37%"),
        ("tie", "1", EDGE, "3.7%"),
        ("pair-fortunes", "1", EDGE, "3.64%"),
        ("blazing-7s-dealer", "1", HOLD, "24.79%"),
        ("blazing-7s-dealer", "ML03", HOLD, "22.39%"),
        ("blazing-7s-dealer", "ML03", HIT, "14.82%"),
        ("blazing-7s-dealer", "ML04", HOLD, "22.40%"),
    ],
)
def test_another_printed_figure_is_not_explained(wager: str, paytable: str, figure: str, text: str) -> None:
    """A note does not excuse a difference that counting does not bear out."""
    finding = altered(wager, paytable, figure, text)
    assert finding.verdict is Verdict.DIFFERS
    assert not finding.explained


def test_a_difference_of_one_in_the_last_place_is_explained_only_where_it_is_known() -> None:
    assert altered("6-card-bonus", "1", EDGE, "10.23%").explained
    assert not altered("6-card-bonus", "1", EDGE, "10.21%").explained
    assert not altered("6-card-bonus", "4", EDGE, "8.57%").explained


def test_a_difference_without_its_note_is_not_explained() -> None:
    printed = load_printed()
    printed["note"] = []
    unexplained = {key for key, finding in findings(printed).items() if not finding.explained}
    cut = ("002", "pair-plus", "6", EDGE)
    assert unexplained == {cut, ("002", "6-card-bonus", "1", EDGE), ("003", "dragon-bonus", "1", EDGE)}


def test_an_unknown_reason_explains_nothing() -> None:
    printed = load_printed()
    for note in printed["note"]:
        note["known"] = "because we say so"
    assert not findings(printed)["003", "dragon-bonus", "1", EDGE].explained


def test_another_paytable_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pays on the felt are no longer those of the document."""
    other = Paytable.parse(
        "Pair Plus 1", "Straight Flush 40 to 1; Three-of-a-Kind 30 to 1; Straight 6 to 1; Pair 1 to 1"
    )
    wager = triple_shot_rummy.PAIR_PLUS
    use_instead(monkeypatch, replace_wager(wager.key, replace(wager, paytables={**wager.paytables, "1": other})))
    found = findings()
    wrong = {key for key, finding in found.items() if not finding.explained}
    assert wrong == {("002", "pair-plus", "1", EDGE), ("002", "pair-plus", "1", HIT)}


def test_another_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the hands are read otherwise: here, no straights."""
    wager = triple_shot_rummy.PAIR_PLUS
    assert isinstance(wager.basis, OnHand)
    read = wager.basis.reading
    blind = replace(read, read=lambda hand: ThreeCards.NOTHING if read(hand) is ThreeCards.STRAIGHT else read(hand))
    use_instead(monkeypatch, replace_wager(wager.key, replace(wager, basis=OnHand(blind))))
    wrong = {key for key, finding in findings().items() if not finding.explained}
    assert wrong == {("002", "pair-plus", str(n), figure) for n in range(1, 7) for figure in (EDGE, HIT)}


def test_another_rule_of_a_side_wager_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sevens of the dealer do not count: nothing but fixed pays and meters that nobody wins."""
    wager = side_wagers.BLAZING_DEALER
    assert isinstance(wager.basis, OnDeal)
    blind = OnDeal(wager.basis.fact, lambda two, _: side_wagers.blazing_sevens(two, None))
    use_instead(monkeypatch, replace_wager(wager.key, replace(wager, basis=blind), blackjack()))
    wrong = {key for key, finding in findings().items() if not finding.explained}
    assert wrong == {("000", wager.key, table, HOLD) for table in wager.paytables}


def replace_wager(key: str, wager: Wager, game: TableGame = triple_shot_rummy.GAME) -> TableGame:
    return replace(game, wagers=tuple(wager if each.key == key else each for each in game.wagers))


def use_instead(monkeypatch: pytest.MonkeyPatch, game: TableGame) -> None:
    monkeypatch.setattr(module, "find_any_game", lambda name: game if name == game.key else ALL_GAMES[name])


# --- the file ------------------------------------------------------------------------------------------------


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


def test_the_file_holds_printed_text_and_notes_and_no_result() -> None:
    words = {"document", "game", "wager", "label", "paytable", "figure", "known", "note"}
    figures = {("table", EDGE), ("table", HOLD), ("table", HIT)}
    for path, value in leaves(load_printed()):
        assert type(value) is str, f"{path} is no text"
        if path[:2] == ("table", "decks"):
            assert value in ("6", "8")
        elif path[:2] in figures:
            assert re.fullmatch(r"\d{1,2}(\.\d{1,2})?%", value), f"{path} is no figure as a document prints it"
        else:
            assert path[-1] in words, f"{path} is neither printed nor a note"
            assert not re.search(r"\d\.\d", value), f"{path} quotes a number: {value!r}"


def test_no_counted_figure_is_written_in_the_file() -> None:
    """Not a digit of an exact figure beyond those printed."""
    text = TOML.read_text(encoding="utf-8")
    for finding in findings().values():
        percent = finding.exact * 100
        digits = f"{float(percent):.3f}"
        assert digits not in text
        assert f"{finding.exact.numerator}/{finding.exact.denominator}" not in text


def test_figures_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(game: str, wager: str, paytable: str, figure: str, decks: int | None = None) -> Fraction:
        asked.append((game, wager, paytable, figure))
        return counted(game, wager, paytable, figure, decks)

    monkeypatch.setattr(module, "counted", ask)
    found = findings()
    assert {(f.game, f.wager, f.paytable, f.figure) for f in found.values()} <= set(asked)


# What public sources print


def test_published_figures_agree_but_for_one_that_no_count_comes_to() -> None:
    found = list(verify_published([ALL_GAMES["blackjack"]]))
    assert all(finding.source and finding.explained and finding.decks for finding in found)
    assert {finding.wager for finding in found} == {"bet-the-set", "royal-match", "trilux-bonus", "house-money"}
    [other] = [finding for finding in found if finding.verdict is not Verdict.AGREES]
    assert (other.wager, other.paytable, other.printed, other.exact) == (
        *("bet-the-set", "15-10", "10.3199%"),
        Fraction(33, 311),
    )
    assert other.as_json()["source"]
    assert not any("source" in finding.as_json() for finding in verify_printed())


def test_a_figure_that_a_count_comes_to_is_no_slip() -> None:
    table = {"game": "blackjack", "decks": {}}
    assert _holds("no-whole-count", table, "10.3199%", Fraction(33, 311), 6)
    assert not _holds("no-whole-count", table, "10.3203%", Fraction(33, 311), 6)
