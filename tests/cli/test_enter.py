"""`croupier enter`: rounds dealt with real cards, typed or piped in act by act."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from croupier.cli import enter, play  # noqa: F401  (they register themselves)
from croupier.cli.app import app
from croupier.cli.enter import EnteredRound, read_act, write_act
from croupier.errors import CroupierError
from croupier.games.blackjack.acts import ACTS as BLACKJACK_ACTS
from croupier.games.blackjack.round import open_round as open_blackjack
from croupier.games.table.record import read_any_record
from tests.games.blackjack.support import offer_blackjack

RUMMY = """
bet 1 ante 5
bet 1 pair-plus 5
bet 3 ante 10
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
bet 2 bet 20
bet 2 kings-bonus 5
no-more-bets
deal 9h 4c 5d
deal Ks Kd 2c
reveal
settle
"""
SUPREME = """
bet 1 bet 25
bet 1 pair-fortunes 5
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
bet 1 bet 10
bet 2 bet 5
bet 2 kings-bounty 5
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
    typed = [line.split("#")[0].strip() for line in ROUNDS[game].splitlines() if line]
    assert [str(act) for act in played.acts] == [str(read_act(played, line)) for line in typed]
    assert [read_act(played, write_act(act)) for act in played.acts] == list(played.acts)
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


SEVENS = """
bet 1 bet $10
bet 1 blazing-7s-player 5.00
no-more-bets
deal 7d Kc 7d
peek no
split 1
deal 7d
stand 1
deal 9h
stand 1
reveal
deal 6s Qh
settle
"""


def test_a_share_of_a_meter_is_owed_beside_the_money() -> None:
    offered = ("--side-wager", "blazing-7s-player", "--paytable", "blazing-7s-player=ML03")
    said = run("blackjack", *offered, typed=SEVENS)
    assert said.code == 0
    assert "$5.00 $0.00 -$5.00 + 100 % of Mega" in said.words
    assert "Seat 1: +$15.00, and 100 % of the Mega meter is owed." in said.text
    assert "Not in these amounts: 100 % of the Mega meter, which is paid from the meter." in said.text
    assert "is owed" not in run("blackjack", *sides("blackjack"), typed=BLACKJACK).text


@pytest.mark.parametrize("amount", ["10", "10.00", "$10", "$10.00"])
def test_amounts_are_in_dollars_and_records_in_cents(amount: str, tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    typed = f"bet 1 bet {amount}\nno-more-bets\ndeal 9h As 5c\ninsure 1 $2.50\n"
    said = run("blackjack", "--record", str(record), typed=typed)
    assert "Seat 1: $10.00 on Bet." in said.text
    acts = [str(act) for act in read_any_record(record.read_text()).acts]
    assert (acts[0], acts[-1]) == ("bet 1 bet 1000", "insure 1 250")


def test_a_raise_is_in_dollars_too() -> None:
    said = run("triple-shot-rummy", typed=RUMMY.replace("decide 3 play", "decide 3 play with 10"))
    assert said.code == 0
    assert run("triple-shot-rummy", typed=RUMMY.replace("decide 3 play", "decide 3 play with 1000")).code == 2


def test_the_last_act_is_undone_and_the_record_holds_what_stands(tmp_path: Path) -> None:
    record, plain = tmp_path / "round.txt", tmp_path / "plain.txt"
    wrong = BLACKJACK.replace("peek no", "peek yes\nundo\npeek no").replace("deal 3c", "deal 4c\nundo\ndeal 3c")
    said = run("blackjack", *sides("blackjack"), "--record", str(record), typed=wrong)
    assert said.code == 0
    assert "The dealer has a blackjack." in said.text
    assert "Undone: peek yes. The table is as it was before that." in said.text
    assert "Undone: deal 4c." in said.text
    run("blackjack", *sides("blackjack"), "--record", str(plain), typed=BLACKJACK)
    assert record.read_text() == plain.read_text()
    assert record.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("game", ROUNDS)
def test_every_act_can_be_undone_also_after_a_resume(game: str, tmp_path: Path) -> None:
    typed = [line for line in ROUNDS[game].splitlines() if line][:-1]
    record = str(tmp_path / "round.txt")
    run(game, *sides(game), "--record", record, typed="\n".join(typed))
    said = run("--resume", record, typed="undo\n" * len(typed))
    assert said.text.count("Undone: ") == len(typed)
    assert "Undone: bet 1 bet $" in said.text or "Undone: bet 1 ante $" in said.text or game == "three-card-baccarat"
    assert read_any_record(Path(record).read_text()).acts == ()


def test_every_card_shows_the_hand_and_its_total() -> None:
    said = run("blackjack", *sides("blackjack"), typed=BLACKJACK)
    for line in (
        "Seat 1 receives 8h.",
        "Seat 1 receives 8d: 8h 8d, 16.",
        "The dealer shows As.",
        "Hand 1 of seat 1 receives 3c: 8h 3c, 11.",
        "Hand 1 of seat 1 receives Td: 8h 3c Td, 21.",
        "The dealer turns up 6s: As 6s, soft 17.",
    ):
        assert f"{line}\n" in said.text


def test_a_wrong_number_of_cards_voids_the_round_and_returns_every_wager() -> None:
    said = run("triple-shot-rummy", typed="bet 1 ante 5\nbet 2 pair-plus 7\nno-more-bets\ndeal Qh 6c\n")
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
        ("bet 1 ante 4\n", 1, "below the minimum of $5.00"),
        ("\n# a comment\nbet 1 ante 5\nhit 1\n", 4, "'hit 1' is no act: it must begin with one of bet"),
        ("bet 1 ante 5\ndeal Qh 6c 4d\n", 2, "is out of turn: the round is at betting"),
        ("bet 1 ante 5\nno-more-bets\ndeal Qh Qh 4d\n", 3, "Qh"),
        ("bet 1\n", 1, "'bet 1' must be 'bet SEAT SPOT DOLLARS [by PLAYER]'. Amounts are in dollars"),
        ("bet 1 ante 5.001\n", 1, "not a whole number of cents"),
        ("bet 1 ante 500\n", 1, "$500.00 on Ante is above the maximum"),
        ("bet 1 ante 5c\n", 1, "'5c' is no amount: write dollars and cents"),
        ("undo\n", 1, "There is no act to undo."),
        (RUMMY + "undo\n", 13, "what was settled stands"),
        (f"bet 1 ante {'5' * 600}\n", 1, "too long"),
        (RUMMY + "settle\n", 13, "the round is over"),
    ],
)
def test_a_refused_act_stops_a_pipe_and_names_the_line(typed: str, line: int, reason: str) -> None:
    said = run("triple-shot-rummy", typed=typed)
    assert said.code == 2
    assert said.error.startswith(f"croupier: line {line}: ")
    assert reason in said.error


@pytest.mark.parametrize(
    ("game", "typed", "wanted"),
    [
        ("blackjack", "", "Write: bet SEAT SPOT DOLLARS."),
        ("blackjack", "bet 1 bet 5\n", "Write: bet SEAT SPOT DOLLARS or no-more-bets."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\n", "Write: deal CARDS."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\ndeal Kh As Ah\n", "Write: insure 1, even-money 1 or no-insurance."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\ndeal 9h Ks 5c\n", "Write: peek no or peek yes."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\ndeal 9h Ks 5c\npeek yes\n", "Write: deal CARD."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\ndeal 9h 7s 9c\n", "Write: stand 1, hit 1, double 1 or split 1."),
        ("blackjack", "bet 1 bet 5\nno-more-bets\ndeal 9h 7s 9c\nstand 1\n", "Write: reveal."),
        ("triple-shot-rummy", RUMMY.split("decide 3", maxsplit=1)[0], "Write: decide 3 play or decide 3 fold."),
        ("three-card-baccarat", BACCARAT.split("reveal", maxsplit=1)[0], "Write: reveal."),
        ("three-card-baccarat", BACCARAT.split("settle", maxsplit=1)[0], "Write: settle."),
        ("supreme-99", SUPREME.split("rotation", maxsplit=1)[0], "Write: rotation dice 2 5 1 or rotation number 4."),
    ],
)
def test_the_next_act_is_named_where_the_table_waits_and_where_an_act_is_refused(
    game: str, typed: str, wanted: str
) -> None:
    said = run(game, typed=typed)
    assert said.code == 1
    assert said.text.rstrip().endswith(wanted)
    refused = run(game, typed=f"{typed}\nno-such-act\n")
    assert refused.code == 2
    assert refused.error.rstrip().endswith(wanted)


def test_what_is_written_as_the_next_act_is_understood() -> None:
    """Every round of every game, by doing one of the acts that were named at each step."""
    for game, acts in ROUNDS.items():
        typed: list[str] = []
        for line in filter(None, (line.split("#")[0].strip() for line in acts.splitlines())):
            named = run(game, *sides(game), typed="\n".join(typed)).text.rsplit("Write: ", 1)[1]
            assert line.split()[0] in re.findall(r"[a-z-]+", named)
            typed.append(line)


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
    said = run("supreme-99", typed="bet 1 bet 5\nno-more-bets\nrotation number 3\n?\n")
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
    acts = ["bet 9 bet 5", "bet 1 bet 5", "", "no-more-bets", "deal 9h 5c 2d", "hit 1", "stand 1", "deal 7s"]
    typed = iter([*acts, "stand 1", "reveal", "deal Ts 2c", "settle"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    entry = EnteredRound(open_blackjack(offer_blackjack("6D")), None)
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
    assert EnteredRound(open_blackjack(offer_blackjack("6D")), None).run(asked=True) == 1
    assert "The round is not over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "Name the game that is dealt: blackjack"),
        ("blackjak", "did you mean blackjack"),
        ("supreme-99 --rules 6D", "takes no rules and no decks"),
        ("blackjack --option dice-cup", "no house option of Blackjack"),
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
    run("three-card-baccarat", "--record", entered, typed="bet 1 bet 5\n")
    played = CliRunner().invoke(app, ["play", "--resume", entered])
    assert "croupier enter --resume" in str(played.exception)
