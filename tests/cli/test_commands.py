"""The contract of the commands: what they print for programs, their exit codes, and one sentence for what is wrong."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from croupier.analysis import fairness
from croupier.analysis.par import printed
from croupier.cards.shoe import Shoe
from croupier.cli.app import LISTED, MODULES, USERS, app, main, register_all


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Run:
    """Runs the command in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capture = patch, capture

    def __call__(self, *words: str) -> Ran:
        self.patch.setattr(sys, "argv", ["croupier", *words])
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        out, err = self.capture.readouterr()
        return Ran(code if isinstance(code, int) else 0, out, err)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(monkeypatch, capsys)


COMMAND = [sys.executable, "-c", "from croupier.cli import main; main()"]


def test_each_command_is_found_where_the_table_says() -> None:
    """Typed alone, a command is imported by this table; where commands are listed, all of them are."""
    found = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert found.keys() == MODULES.keys()
    for name, made in found.items():
        command = made
        while inner := getattr(command, "commands", None):
            command = next(iter(inner.values()))
        assert command.callback.__module__ == f"croupier.cli.{MODULES[name]}"


ODDS_KEYS = {
    *("game", "wager", "paytable", "decks", "strategy", "digest", "house_edge", "hit_frequency"),
    *("standard_deviation", "lines"),
}


def test_odds_for_programs_is_a_list_of_all_tables(run: Run) -> None:
    tables = run("odds", "triple-shot-rummy", "pair-plus", "--json").json
    assert [table["paytable"] for table in tables] == list("123456")
    for table in tables:
        assert table.keys() >= ODDS_KEYS
        assert Fraction(table["house_edge"]["exact"]) * 100 == pytest.approx(table["house_edge"]["percent"])
        assert sum(line["combinations"] for line in table["lines"]) == 22_100
        assert sum(line["probability"] for line in table["lines"]) == pytest.approx(1)
        assert table["decks"] == 1
        assert table["strategy"] is None
        assert table["element_of_risk"] == table["house_edge"]


def test_odds_with_a_paytable_is_one_object(run: Run) -> None:
    table = run("odds", "triple-shot-rummy", "ante-play", "--paytable", "1", "--json").json
    assert table["strategy"] == "optimal"
    assert table["element_of_risk"]["percent"] < table["house_edge"]["percent"]
    assert {line["line"] for line in table["lines"]} >= {"Player folds", "Player wins with 0"}


def test_odds_of_a_game_cover_all_its_wagers(run: Run) -> None:
    tables = run("odds", "three-card-baccarat", "--json").json
    assert [table["wager"] for table in tables] == ["bet", "kings-bonus", "tie", "dragon-bonus"]
    assert not any("element_of_risk" in table for table in tables)


def test_a_paytable_of_ones_own_is_analysed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Pair  1 to 1\nFlush  3 to 1\n", encoding="utf-8")
    table = run("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(file), "--json").json
    assert table["paytable"] == "mine.txt"
    assert Fraction(table["house_edge"]["exact"]) == 1 - Fraction(3744 * 2 + 1096 * 4, 22_100)


def test_verify_for_programs(run: Run) -> None:
    ran = run("verify", "--json")
    assert ran.code == 0
    keys = {"document", "game", "wager", "paytable", "figure", "printed", "exact_percent", "verdict", "note"}
    assert all(row.keys() >= keys for row in ran.json)
    assert {row["verdict"] for row in ran.json} == {"agrees", "agrees if cut", "differs"}


def test_verify_says_the_decks_and_the_funding_that_is_assumed(run: Run) -> None:
    shown = " ".join(run("verify").out.split())
    assert "wager table decks figure printed counted verdict" in shown
    assert "blazing-7s-dealer ML03 8 Hold * 21.65% 21.6464 % agrees" in shown
    assert shown.count("does not print and we assume: 24 % of each wager") == 1
    assert "Progressive 2,000 (table 1 and 2); Mega 2,000, Major 1,000, Minor 500 (table ML03)" in shown
    assert "Blackjack, published by wizardofodds.com, Royal Match" in shown
    assert "house-money 9-4-3-1 6 House Edge, proceeds on the Bet 2.6% 2.6365 % agrees" in shown


def test_verify_exits_1_where_a_difference_is_not_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    altered = printed.load_printed()
    [pair_plus] = [table for table in altered["table"] if table["wager"] == "pair-plus"]
    pair_plus["house_edge"]["1"] = "2.42%"
    monkeypatch.setattr(printed, "load_printed", lambda: altered)
    ran = run("verify")
    assert ran.code == 1
    assert "unexplained" in ran.out


def test_strategy_for_programs(run: Run) -> None:
    found = run("strategy", "supreme-99", "--json").json
    assert [each["strategy"] for each in found["strategies"]] == ["optimal", "house way"]
    rated = run("strategy", "supreme-99", "--hand", "8c 8d Jh Ks", "--json").json
    assert rated["choices"][0]["cost_percent"] == 0
    assert run("strategy", "three-card-baccarat", "--json").json == {"game": "three-card-baccarat", "decisions": False}


def test_a_hand_names_what_was_chosen_before(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Counter:
        strategies = staticmethod(lambda wager: ("optimal",))
        rate = staticmethod(lambda wager, prices, seen: ())

    monkeypatch.setattr("croupier.cli.strategy.counter_of", lambda game: Counter)
    assert "Chosen before: take back." in run("strategy", "let-it-ride", "--hand", "Ts Th 4c take back 9d").out
    assert "Chosen before: let it ride." in run("strategy", "let-it-ride", "--hand", "Ts Th 4c 9d").out
    assert "Chosen before" not in run("strategy", "let-it-ride", "--hand", "Ts Th 4c").out
    said = run("strategy", "let-it-ride", "--hand", "Ts Th 4c take back 9d", "--json").json
    assert said["after"] == ["take back"]


def test_games_and_rules_for_programs(run: Run) -> None:
    games = {game["game"]: game for game in run("games", "--json").json}
    assert len(games["triple-shot-rummy"]["wagers"]) == 3
    [paragraph] = run("rules", "triple-shot-rummy", "5.1", "--json").json
    assert paragraph["code"] == ["croupier.games.titles.triple_shot_rummy.dealer_qualifies"]
    assert "Supreme 99" in run("rules", "supreme-99").out


def test_a_revealed_shoe_is_verified_against_what_was_announced(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "shoe.txt"
    announced = run("shuffle", "new", "--reveal", str(file)).out
    commitment = Shoe.parse_record(file.read_text(encoding="utf-8").replace("revealed", "in use")).commitment
    assert commitment in announced
    assert run("shuffle", "verify", str(file), "--commitment", commitment).code == 0
    assert run("shuffle", "verify", str(file), "--json").json["announced"] is False
    other = run("shuffle", "verify", str(file), "--commitment", "0" * 64)
    assert (other.code, other.out) == (1, "")
    assert "not the shoe that was announced" in other.err


def test_a_shoe_that_only_claims_a_seed_is_refused(run: Run, tmp_path: Path) -> None:
    forged = replace(Shoe.fresh(1, "system-like"), origin="seed 7")
    file = tmp_path / "shoe.txt"
    file.write_text(forged.reveal(), encoding="utf-8")
    assert "another order" in run("shuffle", "verify", str(file)).err


def test_the_battery_exits_1_where_it_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("shuffle", "test", "--shuffles", "1000", "--seed", "1").code == 0
    monkeypatch.setattr(fairness.BatteryReport, "passed", False)
    assert run("shuffle", "test", "--shuffles", "1000", "--seed", "1").code == 1


def test_the_tour_proves_and_deals(run: Run) -> None:
    ran = run("tour", "--seed", "5")
    assert ran.code == 0
    assert "every difference is known and explained" in ran.out
    assert ran.out.count("replayed from its record: the same") == 3


BAD = {
    "a game that is not there": (["odds", "tripel-shot-rummy"], "did you mean triple-shot-rummy"),
    "a wager that is not there": (["odds", "supreme-99", "pair-fortune"], "did you mean pair-fortunes"),
    "a paytable that is not there": (["odds", "supreme-99", "bet", "--paytable", "7"], "'7'"),
    "a paytable without its wager": (["odds", "supreme-99", "--paytable", "1"], "needs the wager"),
    "a strategy that is not there": (["odds", "supreme-99", "--strategy", "luck"], "house way"),
    "a card that is not there": (["strategy", "supreme-99", "--hand", "1x 2c 3c 4c"], "is no card"),
    "a card twice": (["strategy", "supreme-99", "--hand", "2c 2c 3c 4c"], "appears 2 times"),
    "too few cards": (["strategy", "supreme-99", "--hand", "2c 3c 4c"], "has 3 cards"),
    "a paragraph that is not there": (["rules", "supreme-99", "99.1"], "no paragraph"),
    "a file that is not there": (["shuffle", "verify", "nowhere.txt"], "no file"),
    "no number of decks": (["shuffle", "new", "--decks", "9"], "9 decks"),
    "too few shuffles": (["shuffle", "test", "--shuffles", "5"], "1,000 to 200,000"),
    "a file that cannot be made": (["par", "supreme-99", "-o", "nowhere/par.pdf"], "cannot be written"),
    "a kind of file that is not made": (["par", "supreme-99", "-o", "par.docx"], ".docx"),
}


@pytest.mark.parametrize(("words", "sentence"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said_in_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.startswith("croupier: ")
    assert ran.err.count("\n") == 1


MALFORMED = {
    "Pair": "line 1",
    "Pair 1 to 1\nStraigth 6 to 1": "line 2",
    "Pair 1 to 1\n\nPair 2 to 1": "line 3",
    "Pair 0 to 1": "pays nothing",
    "Pair 1 to 0": "at least 1",
    "Royal Flush 100%": "no meter",
    "": "no row",
    "Pair 1 to 1\x1b[31m": "line 1",
}


@pytest.mark.parametrize(("text", "sentence"), MALFORMED.items())
def test_a_malformed_paytable_names_line_and_reason(run: Run, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "pays.txt"
    file.write_text(text, encoding="utf-8")
    ran = run("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(file))
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


def test_help_lists_every_command_once_by_who_uses_it(run: Run) -> None:
    grouped = [name for names in USERS.values() for name in names]
    assert sorted(grouped) == sorted(LISTED)
    shown = run("--help").out
    places = [shown.index(f"{title}:") for title in USERS]
    assert places == sorted(places)
    assert "Others" not in shown


def test_a_strategy_is_named_with_spaces_or_hyphens_in_every_command(run: Run) -> None:
    for command in (["odds", "supreme-99", "bet", "--paytable", "1"], ["par", "supreme-99", "bet"]):
        found = [run(*command, "--strategy", name, "--json").json for name in ("house way", "house-way", "House-Way")]
        assert found[0] == found[1] == found[2]
    for command in (["session", "supreme-99"], ["simulate", "supreme-99", "--rounds", "1000"]):
        found = [run(*command, "--strategy", name, "--json").json for name in ("house way", "house-way")]
        assert _figures(found[0]) == _figures(found[1])


def _figures(answer: Any) -> Any:
    """Without what tells how long it took."""
    if isinstance(answer, dict):
        return {key: _figures(value) for key, value in answer.items() if "second" not in key}
    return [_figures(each) for each in answer] if isinstance(answer, list) else answer


def test_as_many_paytables_stand_side_by_side_as_the_screen_has_room_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.cli.console.PLAIN_WIDTH", 125)
    assert "paytable 1 2 3 4 5 6\n" in run("odds", "triple-shot-rummy", "pair-plus").out
    monkeypatch.setattr("croupier.cli.console.PLAIN_WIDTH", 120)
    assert "paytable 1 2 3 4 5\n" in run("odds", "triple-shot-rummy", "pair-plus").out
    assert max(map(len, run("odds", "triple-shot-rummy", "pair-plus").out.splitlines())) <= 120


def test_commands_are_listed_by_the_first_sentence_of_their_own_help() -> None:
    register_all()
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert {name: commands[name].get_short_help_str(500) for name in LISTED} == LISTED
    assert LISTED.keys() == commands.keys()


def test_the_list_of_commands_loads_none_of_them() -> None:
    loaded = (
        "import sys, croupier.cli.app as a; a._register('--help'); "
        "print([m for m in sys.modules if m.startswith('croupier.cli.')])"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['croupier.cli.app']"


def test_a_key_that_names_no_file_is_refused_in_one_sentence() -> None:
    for name in ("", "  "):
        done = subprocess.run([*COMMAND, "ledger", "key", "new", name], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (2, "croupier: A key goes to a file: name one, as in site.pem.\n")


@pytest.mark.parametrize("words", [["play", "supreme-99"], ["enter", "supreme-99"], ["games"]])
def test_a_closed_standard_input_is_one_with_nothing_in_it(words: list[str]) -> None:
    command = "exec " + " ".join([shlex.quote(word) for word in [*COMMAND, *words]])
    closed, empty = (
        subprocess.run(["bash", "-c", f"exec 0{how}; {command}"], capture_output=True, text=True, check=False)
        for how in ("<&-", "</dev/null")
    )
    assert (closed.returncode, closed.stderr) == (empty.returncode, empty.stderr)
    assert "Traceback" not in closed.stderr


def test_a_pin_that_nobody_types_is_one_sentence() -> None:
    command = "exec " + " ".join([shlex.quote(word) for word in [*COMMAND, "pin", "max", "--db", "sqlite:///none.db"]])
    for how in ("<&-", "</dev/null"):
        done = subprocess.run(["bash", "-c", f"exec 0{how}; {command}"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.splitlines()[-1].strip()) == (
            2,
            "croupier: No PIN was typed twice: nothing has changed.",
        )
        assert "GetPassWarning" not in done.stderr
