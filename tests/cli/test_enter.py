"""`croupier enter`: rounds dealt with real cards, typed or piped in act by act."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from croupier.cli import enter, play  # noqa: F401  (they register themselves)
from croupier.cli.app import app
from croupier.cli.enter import Entry
from croupier.errors import CroupierError
from croupier.games.blackjack.acts import ACTS as BLACKJACK_ACTS
from croupier.games.blackjack.game import offer_blackjack
from croupier.games.blackjack.round import open_round as open_blackjack
from croupier.games.record import read_any_record

RUMMY = """
bet 1 ante 500
bet 1 pair-plus 500
bet 3 ante 1000
no-more-bets
deal Qh 6c 4d        # seat 1
deal 2c 2d Ah
deal Ks Kd Jc        # the dealer
decide 1 fold
decide 3 play
reveal
settle
"""
BACCARAT = """
bet 2 bet 2000
bet 2 kings-bonus 500
no-more-bets
deal 9h 4c 5d
deal Ks Kd 2c
reveal
settle
"""
SUPREME = """
bet 1 bet 2500
bet 1 pair-fortunes 500
no-more-bets
rotation number 2
deal As 9d 7c 2h
deal
deal
deal
deal
deal
deal Kh 3c 4s 4d
decide 1 house way
reveal
settle
"""
BLACKJACK = """
bet 1 bet 1000
bet 2 bet 500
bet 2 kings-bounty 500
no-more-bets
deal 8h Kd As 8d Kc
insure 1
no-insurance
peek no
split 1
deal 3c
double 1
deal Td 9h
stand 1
stand 2
reveal
deal 6s
settle
"""
ROUNDS = {"triple-shot-rummy": RUMMY, "three-card-baccarat": BACCARAT, "supreme-99": SUPREME, "blackjack": BLACKJACK}


class Said(NamedTuple):
    code: int
    text: str
    error: str

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def run(*words: str, typed: str = "") -> Said:
    result = CliRunner().invoke(app, ["enter", *words], input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)


def sides(game: str) -> list[str]:
    return ["--side-wager", "kings-bounty"] if game == "blackjack" else []


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_of_each_game_is_entered_by_pipe(game: str, tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    said = run(game, *sides(game), "--record", str(record), typed=ROUNDS[game])
    assert said.error == ""
    assert said.code == 0
    played = read_any_record(record.read_text())
    assert [str(act) for act in played.acts] == [
        line.split("#")[0].strip() for line in ROUNDS[game].splitlines() if line
    ]
    for event in played.events[1:]:
        assert " ".join(event.text.split()).rstrip(".") in said.words
    assert re.search(r"Staked \$[\d.,]+, returned \$[\d.,]+: the house has [+-]?\$[\d.,]+\.", said.text)
    for seat in played.seats:
        assert f"Seat {seat}: " in said.text


def test_what_the_blackjack_round_comes_to() -> None:
    said = run("blackjack", *sides("blackjack"), typed=BLACKJACK)
    assert "Seat 1 insures for $5.00." in said.text
    assert "The dealer has no blackjack." in said.text
    assert "Next: hand 1 of seat 1 decides." in said.text
    assert "Seat 1, Insurance: Dealer has no blackjack; $5.00 loses." in said.words
    assert "Staked $45.00" in said.text


def test_a_wrong_number_of_cards_voids_the_round_and_returns_every_wager() -> None:
    said = run("triple-shot-rummy", typed="bet 1 ante 500\nbet 2 pair-plus 700\nno-more-bets\ndeal Qh 6c\n")
    assert said.code == 0
    assert "The round is void: seat 1 has 2 cards instead of 3. Every wager is returned." in said.text
    assert "Staked $12.00, returned $12.00: the house has $0.00." in said.text


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_can_be_called_off(game: str) -> None:
    first = ROUNDS[game].split("no-more-bets")[0]
    said = run(game, *sides(game), typed=f"{first}no-more-bets\nvoid two cards too many\n")
    assert said.code == 0
    assert "The round is void: two cards too many. Every wager is returned." in said.text
    assert "the house has $0.00." in said.text


@pytest.mark.parametrize(
    ("typed", "line", "reason"),
    [
        ("bet 1 ante 400\n", 1, "below the minimum of $5.00"),
        ("\n# a comment\nbet 1 ante 500\nhit 1\n", 4, "'hit 1' is no act: it must begin with one of bet"),
        ("bet 1 ante 500\ndeal Qh 6c 4d\n", 2, "is out of turn: the round is at betting"),
        ("bet 1 ante 500\nno-more-bets\ndeal Qh Qh 4d\n", 3, "Qh"),
        ("bet 1\n", 1, "write 'bet SEAT SPOT CENTS'"),
        (f"bet 1 ante {'5' * 600}\n", 1, "too long"),
        (RUMMY + "settle\n", 13, "the round is over"),
    ],
)
def test_a_refused_act_stops_a_pipe_and_names_the_line(typed: str, line: int, reason: str) -> None:
    said = run("triple-shot-rummy", typed=typed)
    assert said.code == 2
    assert said.error.startswith(f"croupier: line {line}: ")
    assert reason in said.error


def test_a_refused_act_changes_nothing_and_the_record_goes_on(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    before, after = RUMMY.split("decide 1 fold")
    said = run("triple-shot-rummy", "--record", str(record), typed=f"{before}decide 1 jump\n")
    assert said.code == 2
    kept = read_any_record(record.read_text())
    assert str(kept.acts[-1]) == "deal Ks Kd Jc"
    said = run("--resume", str(record), typed="decide 1 fold\n")
    assert said.code == 1
    assert "The round is not over: waiting for the decision of seat 3." in said.text
    assert f"croupier enter --resume {record}" in said.text
    said = run("triple-shot-rummy", "--resume", str(record), typed=after)
    assert said.code == 0
    whole = tmp_path / "whole.txt"
    run("triple-shot-rummy", "--record", str(whole), typed=RUMMY)
    assert record.read_text() == whole.read_text()


def test_blackjack_resumes_too(tmp_path: Path) -> None:
    record = str(tmp_path / "round.txt")
    before, after = BLACKJACK.split("peek no")
    words = ("--rules", "8D S17", *sides("blackjack"), "--record", record)
    assert run("blackjack", *words, typed=before).code == 1
    said = run("--resume", record, typed=f"peek no{after}")
    assert said.code == 0
    assert "Blackjack, 8D S17 DAS SP4 3:2 after 7 acts: the dealer checks for a blackjack." in said.text


def test_help_lists_the_acts_and_what_the_table_waits_for() -> None:
    said = run("supreme-99", typed="bet 1 bet 500\nno-more-bets\nrotation number 3\n?\n")
    assert "rotation dice 2 5 1" in said.words
    assert "A player puts chips on a spot." in said.words
    assert "Spots before the deal: bet, pair-fortunes." in said.text
    assert "the next 4 cards go to seat 2, or 'deal' alone, for nobody sits there" in said.text
    blackjack = run("blackjack", typed="?\n")
    assert all(name in blackjack.words for name in BLACKJACK_ACTS)
    assert "The table waits: the round is at betting." in blackjack.text


def test_a_person_at_a_prompt_is_told_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    acts = ["bet 9 bet 500", "bet 1 bet 500", "", "no-more-bets", "deal 9h 5c 2d", "hit 1", "stand 1", "deal 7s"]
    typed = iter([*acts, "stand 1", "reveal", "deal Ts 2c", "settle"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    entry = Entry(open_blackjack(offer_blackjack("6D")), None)
    assert entry.run(asked=True) == 0
    shown = capsys.readouterr().out
    assert "There is no seat 9" in shown
    assert "'stand 1' is out of turn" in shown
    assert "Seat 1: " in shown


@pytest.mark.parametrize("how", ["q", ""])
def test_a_person_can_leave(how: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def leave(_: str) -> str:
        if not how:
            raise EOFError
        return how

    monkeypatch.setattr("builtins.input", leave)
    assert Entry(open_blackjack(offer_blackjack("6D")), None).run(asked=True) == 1
    assert "The round is not over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "Name the game that is dealt: triple-shot-rummy"),
        ("blackjak", "did you mean blackjack"),
        ("supreme-99 --rules 6D", "are for blackjack"),
        ("blackjack --option dice-cup", "by --rules and --side-wager"),
        ("--resume nowhere.txt", "There is no file"),
        ("--resume nowhere.txt --minimum 1", "--minimum does not go with --resume"),
    ],
)
def test_a_wrong_command_is_refused_in_one_sentence(words: str, reason: str) -> None:
    with pytest.raises(CroupierError, match=re.escape(reason)):
        run(*words.split())


def test_a_round_from_a_shoe_is_not_entered_nor_one_that_is_over(tmp_path: Path) -> None:
    record = str(tmp_path / "round.txt")
    CliRunner().invoke(app, ["play", "blackjack", "--seed", "7", "--record", record], input="5\n")
    with pytest.raises(CroupierError, match="croupier play --resume"):
        run("--resume", record)
    over = str(tmp_path / "over.txt")
    run("three-card-baccarat", "--record", over, typed=BACCARAT)
    with pytest.raises(CroupierError, match="nothing to enter"):
        run("--resume", over)
    entered = str(tmp_path / "entered.txt")
    run("three-card-baccarat", "--record", entered, typed="bet 1 bet 500\n")
    played = CliRunner().invoke(app, ["play", "--resume", entered])
    assert "croupier enter --resume" in str(played.exception)
