"""`croupier par` on the screen and in files, and what it says when it cannot."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pypdf
import pytest
from rich.console import Console
from typer.testing import CliRunner

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.sheet import Par
from croupier.cli.app import app, register_all, sentence_of
from croupier.cli.par import TEXT_WIDTH, as_text, print_par
from croupier.compliance.approval import shipped_register
from croupier.errors import CroupierError, NotationError, PaytableError, UnknownName
from croupier.games.blackjack.game import blackjack
from croupier.games.catalogue import GAMES
from croupier.games.wager import approved_paytable

register_all()

every_game = pytest.mark.parametrize("key", list(GAMES))
PAIRS = "triple-shot-rummy", "pair-plus"
DRAGON = "three-card-baccarat", "dragon-bonus"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    if result.exception:
        raise result.exception
    return result.output


def par_of(game: str, wager: str | None = None) -> Par:
    """The sheet that the command prints, as the analyst of the game makes it."""
    par: Par = analyst_of(GAMES[game]).par(Asked(wager=wager), shipped_register(), approved_paytable)
    return par


def pdf_text(path: Path) -> str:
    return " ".join(" ".join(page.extract_text().replace("\u200b", "").split()) for page in pypdf.PdfReader(path).pages)


# Files and the screen


@every_game
def test_every_game_is_written_as_pdf(key: str, tmp_path: Path) -> None:
    path = tmp_path / "par.pdf"
    said = run("par", key, "-o", str(path))
    digest = par_of(key).digest
    assert digest in said
    assert str(path) in said
    assert digest in pdf_text(path)
    assert list(tmp_path.iterdir()) == [path]


@every_game
def test_json_has_the_sheets_of_odds(key: str, tmp_path: Path) -> None:
    printed = json.loads(run("par", key, "--json"))
    assert printed["sheets"] == json.loads(run("odds", key, "--json"))
    path = tmp_path / "par.JSON"
    run("par", key, "-o", str(path))
    assert json.loads(path.read_text(encoding="utf-8")) == printed


def test_json_has_the_rows_of_strategy() -> None:
    printed = json.loads(run("par", "supreme-99", "--json"))
    known: dict[str, Any] = json.loads(run("strategy", "supreme-99", "--json"))
    [strategies] = printed["strategies"]
    assert strategies["strategies"] == known["strategies"]
    assert strategies["chart"] == known["chart"]


@every_game
def test_text_has_a_hundred_columns_and_every_count(key: str, tmp_path: Path) -> None:
    path = tmp_path / "par.txt"
    run("par", key, "-o", str(path))
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH
    assert not any(line != line.rstrip() for line in text.splitlines())
    for sheet in par_of(key).sheets:
        assert sheet.digest in text
        assert f"{sheet.figures.house_edge}" in text
        assert all(f" {line.combinations:,} " in text for line in sheet.figures.lines)


@every_game
def test_the_screen_shows_what_the_text_does(key: str) -> None:
    shown, text = run("par", key), as_text(par_of(key).in_print)
    assert set(text.replace("─", "").split()) == set(shown.replace("─", "").split())


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_screen_loses_no_digit(width: int) -> None:
    made = par_of(*PAIRS)

    def digits(columns: int) -> Counter[str]:
        page = io.StringIO()
        print_par(Console(file=page, width=columns, highlight=False), made.in_print)
        return Counter(filter(str.isdigit, page.getvalue()))

    assert digits(width) == digits(columns=200)


def test_one_wager_and_one_paytable() -> None:
    printed = json.loads(run("par", *PAIRS, "--paytable", "3", "--json"))
    assert [(sheet["wager"], sheet["paytable"]) for sheet in printed["sheets"]] == [("pair-plus", "3")]
    assert len(json.loads(run("par", *PAIRS, "--json"))["sheets"]) == 6


def test_a_paytable_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "[b]my #1*.txt"
    table.write_text("*Straight* Flush   41.5 to 1\n[Pair]   1 to 1\n", encoding="utf-8")
    path = tmp_path / "par.pdf"
    run("par", *PAIRS, "--paytable", str(table), "-o", str(path))
    shown = pdf_text(path)
    assert "*Straight* Flush 83 to 2 +41.5 48" in shown
    assert "[Pair] 1 to 1 +1 3,744" in shown
    assert "Pair Plus, paytable [b]my #1*.txt" in shown
    on_screen = run("par", *PAIRS, "--paytable", str(table))
    assert "[Pair]" in on_screen
    assert "paytable [b]my #1*.txt" in on_screen


def test_a_named_strategy() -> None:
    shown = run("par", "triple-shot-rummy", "ante-play", "--strategy", "always play")
    assert "Strategy: always play (a named strategy of the game)." in shown
    assert "5.166549 %" in shown


def test_a_house_option_that_reads_a_rule_the_other_way_has_its_own_sheet(tmp_path: Path) -> None:
    """Every line is made by equally many deals; only the digest differs, and the cover says why."""
    usual = json.loads(run("par", *DRAGON, "--json"))
    other = json.loads(run("par", *DRAGON, "--json", "--option", "faces-count-ten"))
    assert (other["options"], "options" in usual) == (["faces-count-ten"], False)
    (ours,), (theirs,) = usual["sheets"], other["sheets"]
    assert {name for name in ours if ours[name] != theirs[name]} == {"digest"}
    assert ours["footnotes"] == {"Win by 10": "three face cards against a dealer's 0"}
    assert (usual["not_covered_by_the_approval"], other["not_covered_by_the_approval"]) == ([], [["dragon-bonus", "1"]])
    run("par", *DRAGON, "--option", "faces-count-ten", "-o", str(tmp_path / "par.pdf"))
    paper = pdf_text(tmp_path / "par.pdf")
    assert "faces-count-ten: in the Dragon Bonus three face cards count ten" in paper
    assert "Win by 10: three face cards against a dealer's 0." in paper.replace("’", "'")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([*DRAGON, "--option", "faces"], "did you mean faces-count-ten?"),
        (["blackjack", "bet", "--option", "faces-count-ten"], "no house option of Blackjack"),
    ],
)
def test_an_option_that_there_is_not_is_refused(words: list[str], sentence: str) -> None:
    for command in ("par", "odds"):
        with pytest.raises(CroupierError) as refused:
            run(command, *words)
        assert sentence in sentence_of(refused.value)


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "par.pdf"
    path.write_bytes(b"old")
    run("par", "supreme-99", "pair-fortunes", "-o", str(path))
    first = path.read_bytes()
    assert first.startswith(b"%PDF")
    run("par", "supreme-99", "pair-fortunes", "-o", str(path))
    assert path.read_bytes() == first


# What people get wrong


@pytest.mark.parametrize("name", ["par.doc", "par", ".pdf", "par.pdf.bak"])
def test_a_file_of_another_kind_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"end its name in \.pdf, \.html, \.tex, \.xlsx, \.csv, \.json or \.txt"):
        run("par", "supreme-99", "-o", str(tmp_path / name))
    assert not list(tmp_path.iterdir())


def test_json_into_a_pdf_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="contradict each other"):
        run("par", "supreme-99", "--json", "-o", str(tmp_path / "par.pdf"))


@pytest.mark.parametrize("suffix", ["pdf", "json", "txt"])
def test_a_file_that_cannot_be_written(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(CroupierError, match="cannot be written: no such file or directory"):
        run("par", "supreme-99", "pair-fortunes", "-o", str(tmp_path / "missing" / f"par.{suffix}"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CroupierError, match="cannot be written: not a directory"):
        run("par", "supreme-99", "pair-fortunes", "-o", str(tmp_path / "file" / f"par.{suffix}"))
    (tmp_path / f"folder.{suffix}").mkdir()
    with pytest.raises(CroupierError, match="is no ordinary file"):
        run("par", "supreme-99", "pair-fortunes", "-o", str(tmp_path / f"folder.{suffix}"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["triple-shot-rumy"], "did you mean triple-shot-rummy?"),
        (["triple-shot-rummy", "pair-pluss"], "did you mean pair-plus?"),
        (["triple-shot-rummy", "--strategy", "always"], "did you mean always play?"),
        (["triple-shot-rummy", "pair-plus", "--strategy", "zzz"], "There is no strategy for Triple Shot Rummy"),
        (["three-card-baccarat", "--strategy", "basic"], "there are: optimal."),
        (["triple-shot-rummy", "pair-plus", "--paytable", "7"], "there are: 1, 2, 3, 4, 5, 6."),
    ],
)
def test_unknown_names_are_answered_with_known_ones(words: list[str], sentence: str) -> None:
    with pytest.raises(UnknownName) as refused:
        run("par", *words)
    assert sentence in sentence_of(refused.value)


def test_a_paytable_needs_its_wager() -> None:
    with pytest.raises(NotationError, match="needs the wager it belongs to"):
        run("par", "triple-shot-rummy", "--paytable", "1")


def test_a_wrong_paytable_file_is_refused_with_its_line(tmp_path: Path) -> None:
    table = tmp_path / "pays.txt"
    table.write_text("Pair 1 to 1\nPears 2 to 1\n", encoding="utf-8")
    with pytest.raises(PaytableError, match="line 2"):
        run("par", *PAIRS, "--paytable", str(table))


# Blackjack


def test_blackjack_in_every_form(tmp_path: Path) -> None:
    rules = ("--rules", "2D H17 SP2")
    printed = json.loads(run("par", "blackjack", *rules, "--json"))
    assert (printed["rules"], printed["decks"]) == ("2D H17 DAS SP2 3:2", 2)
    wagers = list(dict.fromkeys(sheet["wager"] for sheet in printed["sheets"]))
    assert wagers == [
        *("bet", "insurance", "kings-bounty", "bet-the-bust", "bet-the-set", "royal-match", "trilux-bonus"),
        "house-money",
    ]
    for name in ("par.json", "par.pdf", "par.txt"):
        assert printed["digest"] in run("par", "blackjack", *rules, "-o", str(tmp_path / name))
    assert json.loads((tmp_path / "par.json").read_text(encoding="utf-8")) == printed
    text, shown = (tmp_path / "par.txt").read_text(encoding="utf-8"), pdf_text(tmp_path / "par.pdf")
    assert max(map(len, text.splitlines())) <= TEXT_WIDTH
    for sheet in printed["sheets"]:
        assert sheet["digest"] in text
        assert sheet["digest"] in shown
        for line in sheet["lines"]:
            assert line["combinations"] is None or f"{line['combinations']:,}" in text
    first = (tmp_path / "par.pdf").read_bytes()
    run("par", "blackjack", *rules, "-o", str(tmp_path / "par.pdf"))
    assert (tmp_path / "par.pdf").read_bytes() == first


def test_blackjack_on_the_screen() -> None:
    made = analyst_of(blackjack()).par(Asked("1D H17 SP2"), shipped_register(), approved_paytable)
    shown = run("par", "blackjack", "--rules", "1D H17 SP2")
    assert set(as_text(made.in_print).replace("─", "").split()) == set(shown.replace("─", "").split())
    assert "Basic strategy" in shown
    assert "The dealer's final hand by up card" in shown


def test_blackjack_sheets_are_those_of_odds() -> None:
    for wager in ("insurance", "trilux", "bet-the-bust"):
        sheets = json.loads(run("par", "blackjack", wager, "--json"))["sheets"]
        assert sheets == json.loads(run("odds", "blackjack", wager, "--json"))
    [bet] = json.loads(run("par", "blackjack", "bet", "--json"))["sheets"]
    odds = json.loads(run("odds", "blackjack", "bet", "--json"))
    assert bet["digest"] == odds["digest"]
    assert bet["house_edge"] == odds["house_edge"]
    assert [line["probability"] for line in bet["lines"]] == [line["probability"] for line in odds["lines"]]


def test_blackjack_takes_the_questions_of_odds() -> None:
    money = ("--meter", "9000", "--seed-amount", "3000", "--contribution", "20%", "--json")
    [sheet] = json.loads(run("par", "blackjack", "blazing-7s-dealer", "--paytable", "1", *money))["sheets"]
    assert sheet == json.loads(run("odds", "blackjack", "blazing-7s-dealer", "--paytable", "1", *money))
    table = ("par", "blackjack", "blazing-7s-dealer", "--paytable", "1")
    assert "are not the pre-configured ones" in run(*table, *money[:-1])
    assert "are not the pre-configured ones" not in run(*table)
    bet = ("blackjack", "bet", "--rules", "1D SP2", "--convention", "best")
    [best] = json.loads(run("par", *bet, "--json"))["sheets"]
    assert best["house_edge"] == json.loads(run("odds", *bet, "--json"))["house_edge"]
    assert "BEST: the best fixed strategy after a split" in " ".join(run("par", *bet).split())
    bust = ("blackjack", "bet-the-bust", "--rules", "1D SP2", "--players", "1")
    pushed = json.loads(run("par", *bust, "--json"))["with_players"]
    assert pushed == json.loads(run("odds", *bust, "--json"))[0]["with_players"]
    assert "House edge, 1 player at basic strategy" in run("par", *bust)


def test_blackjack_decks_are_said_once() -> None:
    assert json.loads(run("par", "blackjack", "trilux", "--json"))["decks"] == 6
    assert json.loads(run("par", "blackjack", "trilux", "--decks", "8", "--json"))["decks"] == 8
    said = run("par", "blackjack", "insurance", "--rules", "H17", "--decks", "1")
    assert "1D H17 DAS SP4 3:2" in said


def test_blackjack_with_a_paytable_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "mine.txt"
    table.write_text("Suited 20   9 to 1\nUnsuited 20   5 to 1\n", encoding="utf-8")
    path = tmp_path / "par.pdf"
    run("par", "blackjack", "kings-bounty", "--paytable", str(table), "-o", str(path))
    assert "King's Bounty, paytable mine.txt" in pdf_text(path)
    assert "No approval on file" in pdf_text(path)
    [sheet] = json.loads(run("par", "blackjack", "kings-bounty", "--paytable", "KB01", "--json"))["sheets"]
    assert sheet["paytable"] == "KB01"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["trilux", "--decks", "2"], "is not offered with 2 decks: it takes 6 or 8"),
        (["bet-the-bust", "--paytable", "1"], "is not for a dealer who stands on a soft 17"),
        (["bet-the-bust", "--rules", "6D ENHC"], "without a hole card"),
        (["insurance", "--rules", "NOINS"], "under the rule NOINS"),
        (["--decks", "9"], "A shoe of 9 decks is not dealt"),
        (["--rules", "6X"], "is no rule of blackjack"),
        (["--paytable", "1"], "needs the wager it belongs to"),
        (["bet", "--paytable", "6:5"], "there are: 3:2"),
        (["blazing"], "did you mean blazing-7s"),
        (["--strategy", "basic"], "there are: optimal"),
        (["--rules", "8D H17", "--decks", "1"], "--rules says 8D and --decks says 1"),
        (["bet", "--convention", "CDPN"], "CDPN has no fixed strategy"),
        (["--meter", "5"], "about one progressive wager"),
        (["trilux", "--players", "2"], "--players is about bet-the-bust"),
    ],
)
def test_blackjack_refuses_with_a_sentence(words: list[str], sentence: str) -> None:
    with pytest.raises(CroupierError) as refused:
        run("par", "blackjack", *words)
    assert sentence in sentence_of(refused.value)


@pytest.mark.parametrize("words", [["--rules", "6D"], ["--decks", "6"], ["--meter", "5"], ["--players", "2"]])
def test_rules_of_blackjack_are_for_blackjack(words: list[str]) -> None:
    with pytest.raises(NotationError, match="it has one set of rules"):
        run("par", "supreme-99", *words)


def test_page_one_says_at_what_meters_the_edge_of_a_progressive_is_and_its_hold() -> None:
    shown = " ".join(run("par", "blackjack", "blazing-7s-dealer").split("Definitions")[0].split())
    sheets = json.loads(run("par", "blackjack", "blazing-7s-dealer", "--json"))["sheets"]
    [mega] = [sheet for sheet in sheets if sheet["paytable"] == "ML03"]
    edge, hold = mega["house_edge"]["percent"], mega["hold"]["percent"]
    assert hold < edge
    assert f"ML03 Mega 2,000, Major 1,000, Minor 500 {edge:.6f} % {hold:.4f} %" in shown
    trilux = " ".join(run("par", "blackjack", "trilux").split("Definitions")[0].split())
    assert "6 empty 31.427477 % not known" in trilux
    assert "priced at" not in run("par", "triple-shot-rummy", "pair-plus")
