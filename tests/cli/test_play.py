"""The terminal game, driven by typed answers: every game to its end, and every way to leave it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

import pytest
from rich.console import Console
from typer.testing import CliRunner

from croupier.analysis.census import take_census
from croupier.analysis.strategy import rate_hand
from croupier.cards.shoe import verify_reveal
from croupier.cards.shuffle import SeededSource
from croupier.cli.app import app, register_all
from croupier.cli.options import Terms, house_from, read_paytable
from croupier.cli.table.drawing import signed
from croupier.cli.table.players import Automaton, Person, Player, find_strategy
from croupier.cli.table.screen import Screen
from croupier.cli.table.terminal import PacketTable, Sitting, check_files, resumed_round
from croupier.errors import CroupierError, NotationError, PaytableError, RecordError, Refusal, UnknownName
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.game import Decision, Game
from croupier.games.head_to_head.round import Offering, Phase, Round
from croupier.games.table.history import History
from croupier.games.table.offering import Limits
from croupier.games.table.record import read_record
from croupier.games.table.settlement import sentence
from croupier.games.wager import AgainstDealer, Choice

register_all()


def house_of(
    game: Game, *, options: Sequence[str] = (), without: Sequence[str] = (), **terms: Unpack[Terms]
) -> Offering:
    """The game as a house offers it."""
    house = house_from(game.key, options=options, without=without, **terms)
    assert isinstance(house, Offering)
    return house


RUMMY, BACCARAT, SUPREME = (GAMES[key] for key in ("triple-shot-rummy", "three-card-baccarat", "supreme-99"))
ROUNDS = {
    RUMMY.key: ["5", "10", "7.50", "p"],
    BACCARAT.key: ["20", "5", "5", "5", ""],
    SUPREME.key: ["25", "5", "h"],
}
"""One round of each game, with a wager on every spot."""


@dataclass
class Table:
    """A game with typed answers, what it asked and what it showed."""

    game: Game
    answers: list[str] = field(default_factory=list)
    sitting: Sitting = field(default_factory=Sitting)
    house: Offering | None = None
    seed: str = "tests"
    auto: str = ""
    terminal: bool = False
    ends_by: type[BaseException] = EOFError
    asked: list[str] = field(default_factory=list)
    screen: io.StringIO = field(default_factory=io.StringIO)

    def play(self, resumed: History | None = None) -> PacketTable:
        assert resumed is None or isinstance(resumed, Round)
        console = Console(file=self.screen, width=80, force_terminal=self.terminal, _environ={"TERM": "xterm"})
        screen = Screen(console)
        answers = iter(self.answers)
        player: Player = Person(lambda question: self._ask(question, answers), screen)
        if self.auto:
            player = Automaton(self.auto, SeededSource(self.seed))
        house = self.house or (resumed.offering if resumed else Offering(self.game))
        session = PacketTable(house, self.sitting, player=player, screen=screen, chance=SeededSource(self.seed))
        session.run(resumed)
        return session

    def _ask(self, question: str, answers: Iterator[str]) -> str:
        self.asked.append(question)
        for answer in answers:
            self.screen.write(f"{question}{answer}\n")
            return answer
        raise self.ends_by

    @property
    def shown(self) -> str:
        return self.screen.getvalue()

    @property
    def words(self) -> str:
        """What was shown, without the line breaks."""
        return " ".join(self.shown.split())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_round_is_played_explained_and_proved(game: Game, tmp_path: Path) -> None:
    sitting = Sitting(rounds=1, record=tmp_path / "round.txt", reveal=tmp_path / "shoe.txt")
    table = Table(game, ROUNDS[game.key], sitting)
    session = table.play()
    played = read_record((tmp_path / "round.txt").read_text(), Round)
    assert played.phase is Phase.OVER
    assert len(played.settlements) == len(played.seats[1].wagers)
    for settlement in played.settlements:
        title = game.spots[settlement.spot][1].title
        assert sentence(settlement, title).removeprefix("Seat 1, ") in table.words
        assert signed(settlement.net_cents) in table.words
    assert session.result_cents == played.result_cents(1)
    assert session.in_hand_cents == 10_000 + played.returned_cents - played.staked_cents
    assert len(table.asked) == len(ROUNDS[game.key])
    shoe = verify_reveal((tmp_path / "shoe.txt").read_text())
    assert f"Shoe sealed {shoe.commitment}" in table.shown
    assert table.shown.index(shoe.commitment) < table.shown.index("No more bets")
    assert f"croupier shuffle verify {tmp_path / 'shoe.txt'} --commitment {shoe.commitment}" in table.shown


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_dealers_cards_stay_hidden_until_all_have_decided(game: Game, tmp_path: Path) -> None:
    answers = ROUNDS[game.key]
    before = Table(game, answers[:-1])
    before.play()
    after = Table(game, answers, Sitting(rounds=1, record=tmp_path / "round.txt"))
    after.play()
    dealer = read_record((tmp_path / "round.txt").read_text(), Round).dealer
    assert "Dealer: face down" in before.shown
    assert " ".join(map(str, dealer)) not in before.shown
    assert " ".join(map(str, dealer)) in after.shown


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_full_table_fits_eighty_columns(game: Game, seed: str) -> None:
    sitting = Sitting(tuple(range(1, game.seats + 1)), bankroll_cents=100_000, rounds=2)
    table = Table(game, sitting=sitting, seed=seed, auto="random", terminal=True)
    session = table.play()
    lines = re.sub(r"\x1b\[[0-9;]*m", "", table.shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert session.rounds == 2
    assert sum("┌───┐" in line for line in lines) == 2 * (game.seats + 2)  # the dealer's cards are shown twice


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("3", "below the minimum of $5.00"),
        ("4.99", "below the minimum of $5.00"),
        ("100.01", "You have $100.00, so $100.01 is too much"),
        ("five", "'five' is no amount"),
        ("-5", "'-5' is no amount"),
        ("5.001", "not a whole number of cents"),
        ("9" * 5_000, "too long"),
        ("9" * 25, "more money than a table holds"),
    ],
)
def test_a_refused_bet_is_explained_and_asked_again(typed: str, reason: str) -> None:
    table = Table(RUMMY, [typed, "5"])
    table.play()
    assert reason in table.words
    assert table.asked[0] == table.asked[1]
    assert "Pair Plus" in table.asked[2]


def test_the_house_limits_and_chips_are_the_engines() -> None:
    house = house_of(RUMMY, minimum="10", maximum="40", chip="2.50")
    table = Table(RUMMY, ["50", "11", "40"], house=house)
    table.play()
    assert "above the maximum of $40.00" in table.words
    assert "not a whole number of chips of $2.50" in table.words
    assert "Pair Plus" in table.asked[-1]


def test_without_the_mandatory_wager_no_other_is_asked() -> None:
    table = Table(BACCARAT, ["", "0", "5"])
    table.play()
    assert [question.split(",")[1] for question in table.asked] == [" Bet", " Bet", " Bet", " King's Bonus"]
    assert "There is no wager on the table" in table.words


def test_bonus_wagers_alone_have_no_decision() -> None:
    table = Table(RUMMY, ["", "5", "", ""], Sitting(rounds=1))
    session = table.play()
    assert session.rounds == 1
    assert table.asked[-1] == "Enter = turn the dealer's cards over: "
    mandatory = Table(RUMMY, ["", ""], house=house_of(RUMMY, options=["ante-mandatory"]))
    mandatory.play()
    assert all("Ante" in question for question in mandatory.asked)


def test_a_wager_that_is_left_out_is_not_asked() -> None:
    table = Table(RUMMY, ["5", "", "f"], Sitting(rounds=1), house=house_of(RUMMY, without=["pair-plus"]))
    assert table.play().rounds == 1
    assert not any("Pair Plus" in question for question in table.asked)


def test_enter_bets_the_same_as_last_time() -> None:
    table = Table(BACCARAT, ["7.50", "", "5", "", "", "", "", "0", "", ""], Sitting(rounds=2))
    session = table.play()
    assert session.rounds == 2
    assert "(Enter = $7.50, 0 = none)" in table.asked[5]
    assert "(Enter = none)" in table.asked[6]
    assert "(Enter = $5.00, 0 = none)" in table.asked[7]


def test_wagers_can_be_taken_back_and_made_anew(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    table = Table(RUMMY, ["50", "20", "b", "5", "0", "", "f"], Sitting(rounds=1, record=record))
    session = table.play()
    assert read_record(record.read_text(), Round).seats[1].wagers == {"ante": 500}
    assert session.result_cents == -500


def test_a_raise_that_cannot_be_paid_is_announced_and_refused() -> None:
    table = Table(RUMMY, ["60", "", "", "p", "b", "80", "", "", "", "p", "f"], Sitting(rounds=1))
    session = table.play()
    assert "'p' is neither Enter nor b." in table.words
    assert "You have $40.00 left, and to play these hands may take $60.00 more." in table.words
    assert "You have $20.00 left, and to play these hands may take $80.00 more." in table.words
    assert "'play' takes $80.00, and you have $20.00." in table.words
    assert session.in_hand_cents == 2_000


def test_no_seat_bets_what_another_has_bet() -> None:
    table = Table(BACCARAT, ["60", "", "", "", "60", "40", "", "", "", ""], Sitting((2, 5), rounds=1))
    table.play()
    assert "You have $40.00, so $60.00 is too much." in table.words
    poor = Table(BACCARAT, ["98", ""], Sitting((2, 5), rounds=1))
    poor.play()
    assert "Seat 5: you have $2.00, too little for a wager." in poor.words


def test_the_session_ends_when_the_money_does() -> None:
    table = Table(RUMMY, ["6", "", "", "", "f"], Sitting(bankroll_cents=800))
    session = table.play()
    assert session.rounds == 1
    assert "The smallest wager is $5.00, and you have $2.00." in table.words
    assert "1 round played: $8.00 became $2.00, you lost $6.00." in table.words


def test_settings_are_numbered_and_read_in_words(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    for typed in ("1", "2", "3", "h", "house way"):
        Table(SUPREME, ["5", "", typed], Sitting(rounds=1, record=record)).play()
        played = read_record(record.read_text(), Round)
        seat = played.seats[1]
        assert SUPREME.decides is not None
        pairing = SUPREME.decides.choices[int(typed) - 1] if typed.isdigit() else SUPREME.strategies["house way"]
        assert seat.choice == (pairing if isinstance(pairing, str) else pairing(seat.hand))
        [cards] = [act.decision for act in played.acts if hasattr(act, "decision")]
        Table(SUPREME, ["5", "", cards.removeprefix("high ")], Sitting(rounds=1, record=record)).play()
        assert read_record(record.read_text(), Round).seats[1].choice == seat.choice


def test_a_wrong_decision_is_explained_and_asked_again() -> None:
    table = Table(SUPREME, ["5", "", "4", "Zz Ah", "2c 2c", "", "1"], Sitting(rounds=1))
    assert table.play().rounds == 1
    assert "does not name two of the cards" in table.words
    assert "'zz' is no card" in table.words
    assert table.asked[2:7] == ["Seat 1: 1, 2, 3 or h? "] * 5


def test_help_shows_keys_rules_pays_and_strategies() -> None:
    table = Table(RUMMY, ["?", "? 5", "? pays", "? shoe", "? nonsense", "5", "", "", "?", "fold"], Sitting(rounds=1))
    assert table.play().rounds == 1
    assert "q leave the table" in table.words
    assert "5 Against the dealer" in table.words
    assert "The dealer qualifies with 20 points or fewer." in table.words
    assert table.shown.count("TRIPLE SHOT RUMMY") == 2
    assert "No shoe has been revealed yet" in table.words
    assert "There is no help on 'nonsense'" in table.words
    assert re.search("The strategy 'play 20 or less' says here: (play|fold)", table.words)


def test_the_last_shoe_can_be_seen() -> None:
    table = Table(BACCARAT, [*ROUNDS[BACCARAT.key], "? shoe"])
    table.play()
    reveal = table.shown[table.shown.index("croupier shoe 1") :].split("status revealed\n")[0] + "status revealed\n"
    assert f"Shoe sealed {verify_reveal(reveal).commitment}" in table.shown


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("how", ["q", "EOF", "Ctrl-C"])
def test_one_can_leave_at_every_prompt(game: Game, how: str) -> None:
    answers = ROUNDS[game.key]
    for prompts in range(len(answers)):
        table = Table(game, answers[:prompts] + (["q"] if how == "q" else []))
        table.ends_by = KeyboardInterrupt if how == "Ctrl-C" else EOFError
        session = table.play()
        assert session.result_cents == 0
        assert table.shown.endswith("0 rounds played: you are even.\n")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_interrupted_round_goes_on_exactly_there(game: Game, tmp_path: Path) -> None:
    answers = ROUNDS[game.key]
    whole = Table(game, answers, Sitting(rounds=1, record=tmp_path / "whole.txt"))
    session = whole.play()
    # The rotation is drawn when betting is closed, so before that another number may come.
    first = len(game.betting_spots) if game.rotation else 1
    for prompts in range(first, len(answers)):
        record = tmp_path / f"{prompts}.txt"
        left = Table(game, answers[:prompts], Sitting(record=record))
        left.play()
        assert f"croupier play --resume {record} --bankroll 100.00 --seat 1" in left.shown
        back = Table(game, answers[prompts:], Sitting(rounds=1, record=record), seed="another")
        resumed = back.play(resumed_round(record, bankroll_cents=10_000))
        assert record.read_text() == (tmp_path / "whole.txt").read_text()
        assert resumed.in_hand_cents == session.in_hand_cents
        assert len(back.asked) == len(answers) - prompts


def test_a_round_that_is_over_or_not_covered_is_not_resumed(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    with pytest.raises(CroupierError, match="There is no file"):
        resumed_round(record, bankroll_cents=10_000)
    Table(BACCARAT, ROUNDS[BACCARAT.key][:-1], Sitting(record=record)).play()
    with pytest.raises(CroupierError, match=r"come to \$35.00, more than the bankroll of \$34.99"):
        resumed_round(record, bankroll_cents=3_499)
    with pytest.raises(RecordError, match="not over: continue it with --resume"):
        check_files(record=record, reveal=None)
    Table(BACCARAT, [""], Sitting(rounds=1, record=record)).play(resumed_round(record, bankroll_cents=3_500))
    with pytest.raises(RecordError, match="nothing to resume"):
        resumed_round(record, bankroll_cents=10_000)
    check_files(record=record, reveal=None)


def test_other_peoples_files_are_not_written_over(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann")
    with pytest.raises(RecordError, match="exists and is not written over"):
        check_files(record=letter, reveal=None)
    with pytest.raises(RecordError, match="holds no shoe"):
        check_files(record=None, reveal=letter)
    with pytest.raises(CroupierError, match="There is no folder"):
        check_files(record=tmp_path / "nowhere" / "round.txt", reveal=None)
    assert letter.read_text() == "Dear Ann"


def test_the_record_is_secret_and_leaves_no_draft(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    Table(BACCARAT, ["20"], Sitting(record=record)).play()
    assert [path.name for path in tmp_path.iterdir()] == ["round.txt"]
    assert record.stat().st_mode & 0o077 == 0
    assert read_record(record.read_text(), Round).phase is Phase.BETTING


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_strategy_plays_by_itself(game: Game) -> None:
    for name in ("random", "optimal", *game.strategies):
        table = Table(game, sitting=Sitting((1, 3), bankroll_cents=6_000, rounds=3), auto=find_strategy(game, name))
        session = table.play()
        assert table.asked == []
        assert session.in_hand_cents == 6_000 + session.result_cents
        assert session.rounds == 3 or session.in_hand_cents < 500


def test_the_best_strategy_never_does_worse_than_a_rule_of_thumb_says(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    for seed in ("a", "b", "c", "d"):
        Table(RUMMY, sitting=Sitting(rounds=1, record=record), seed=seed, auto="optimal").play()
        seat = read_record(record.read_text(), Round).seats[1]
        rated = rate_hand(take_census(RUMMY, RUMMY.wagers[0]), Offering(RUMMY).prices["ante-play"], seat.hand)
        assert seat.choice == rated[0].words


def test_a_wager_typed_behind_a_decision_is_the_engines_to_judge(tmp_path: Path) -> None:
    record = tmp_path / "round.txt"
    table = Table(RUMMY, ["10", "", "", "play 40", "p 40", "fold 10", "jump 10", "play 10"])
    table.sitting = Sitting(rounds=1, record=record)
    assert table.play().rounds == 1
    assert table.words.count("The Play wager must equal the Ante, $10.00, not $40.00.") == 2
    assert "No wager goes with 'fold'." in table.words
    assert read_record(record.read_text(), Round).seats[1].wagers == {"ante": 1_000, "play": 1_000}


def test_a_strategy_is_found_with_hyphens_and_an_unknown_one_refused() -> None:
    assert find_strategy(RUMMY, "Play-20-or-less") == "play 20 or less"
    with pytest.raises(UnknownName, match="there are: random"):
        find_strategy(BACCARAT, "wing it")


def three_ways(game: Game) -> Game:
    """A game that no catalogue knows: its decisions begin with one letter, and it has no rulebook page."""

    def parse(hand: object, words: str) -> str:
        if words not in ("stay", "step up", "stop"):
            raise Refusal("unknown-decision", f"{words!r} is none of them.")
        return words

    old = game.wagers[0]
    assert isinstance(old.basis, AgainstDealer)
    on, out = old.basis.choices
    basis = replace(
        old.basis,
        choices=tuple(
            Choice(key, each.reading, each.judge) for key, each in (("stay", on), ("step up", on), ("stop", out))
        ),
    )
    wagers = (replace(old, basis=basis), *game.wagers[1:])
    decision = Decision(
        old.key, parse, say=lambda hand, choice: choice, raises={"step up": "play"}, forfeits=frozenset({"stop"})
    )
    return replace(game, key="three-ways", title="Three Ways", wagers=wagers, decision=decision, strategies={})


@pytest.mark.parametrize("typed", ["1", "2", "3", "step up"])
def test_a_new_game_needs_nothing_here(typed: str) -> None:
    game = three_ways(RUMMY)
    table = Table(game, ["5", "", "5", "?", "jump", typed], Sitting(rounds=1))
    assert table.play().rounds == 1
    assert "THREE WAYS" in table.shown
    assert "There is no rulebook page for this game." in table.words
    assert "'jump' is none of them." in table.words
    assert table.asked[3] == "Seat 1: 1, 2 or 3? "
    assert "1 stay 2 step up puts $5.00 on Play" in table.words
    assert "3 stop gives up the Ante" in table.words


def run(*words: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, ["play", *words], input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_plays_typed_answers() -> None:
    shown = run("triple-shot-rummy", "--seed", "7", "--bankroll", "$50", typed="5\n\n\nf\nq\n")
    assert "Seat 1, Ante, $5.00 to $100.00 (Enter = none): 5\n" in shown
    assert "1 round played: $50.00 became $45.00, you lost $5.00." in shown


def test_the_command_plays_by_itself_and_repeats(tmp_path: Path) -> None:
    words = ("supreme-99", "--auto", "house-way", "--seed", "7", "--seats", "6", "--bankroll", "500")
    record, reveal = tmp_path / "round.txt", tmp_path / "shoe.txt"
    shown = run(*words, "--rounds", "2", "--record", str(record), "--reveal", str(reveal))
    assert "2 rounds played" in shown
    assert run(*words).splitlines()[:20] == shown.splitlines()[:20]
    verify_reveal(reveal.read_text())
    assert len(read_record(record.read_text(), Round).seats) == 6


def test_the_command_resumes(tmp_path: Path) -> None:
    record = str(tmp_path / "round.txt")
    run("supreme-99", "--record", record, "--seat", "3,4", typed="5\n5\n10\n\n1\n")
    shown = run("--resume", record, "--rounds", "1", typed="h\n")
    assert "The round goes on where it was left: deciding." in shown
    assert "1 round played" in shown


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "Name the game to play"),
        ("triple-shot-rumy", "did you mean triple-shot-rummy"),
        ("supreme-99 --seats 7", "has seats 1 to 6"),
        ("supreme-99 --seats 0", "has seats 1 to 6"),
        ("supreme-99 --seat 1,7", "has seats 1 to 6"),
        ("supreme-99 --seat one", "no list of seats"),
        ("supreme-99 --seat ,", "has seats 1 to 6"),
        ("supreme-99 --seat 1 --seats 1", "not both"),
        ("supreme-99 --bankroll lots", "'lots' is no amount"),
        ("supreme-99 --minimum 9 --maximum 3", "allow no wager"),
        ("supreme-99 --minimum 6 --maximum 9 --chip 5", "in whole chips of"),
        ("supreme-99 --rounding up", "there are: house, nearest, player"),
        ("supreme-99 --rounds 0", "at least 1"),
        ("supreme-99 --auto best", "there are: random, optimal, house way"),
        ("supreme-99 --seat 2,1,2", "Seat 2 is named twice"),
        ("supreme-99 --rules 6D", "takes no rules and no decks"),
        ("triple-shot-rummy --option free-drinks", "there are: ante-mandatory, two-positions"),
        ("triple-shot-rummy --without ante-play", "cannot be offered without"),
        ("triple-shot-rummy --paytable pair-plus", "write WAGER=ID or WAGER=FILE"),
        ("triple-shot-rummy --paytable pair-plus=1 --paytable pair-plus=2", "given twice"),
        ("--resume nowhere.txt --chip 5", "--chip does not go with --resume"),
        ("--resume nowhere.txt", "There is no file 'nowhere.txt'"),
    ],
)
def test_a_wrong_command_is_refused_in_one_sentence(words: str, reason: str) -> None:
    with pytest.raises(CroupierError, match=re.escape(reason)):
        run(*words.split())


def test_an_empty_seed_is_refused() -> None:
    with pytest.raises(NotationError, match="'' is no seed"):
        run("supreme-99", "--seed", "")


def test_a_paytable_is_found_by_its_id_or_read_from_a_file(tmp_path: Path) -> None:
    wager = RUMMY.wager("pair-plus")
    assert read_paytable(wager, "3") is wager.paytables["3"]
    file = tmp_path / "pays.txt"
    file.write_text("Straight Flush  35 to 1\nPair  1 to 1\n")
    assert [row.label for row in read_paytable(wager, str(file)).rows] == ["Straight Flush", "Pair"]
    assert "35 to 1" in run("triple-shot-rummy", "--paytable", f"pair-plus={file}")


WRONG_FILES: list[tuple[bytes, type[CroupierError], str]] = [
    (b"Flush Royal  9 to 1", PaytableError, "pays.txt, line 1: Pair Plus has no line 'Flush Royal'"),
    (b"Flush", PaytableError, "does not end in a pay"),
    (b"", PaytableError, "there is no row"),
    (b"\xff\xfe", CroupierError, "no text in UTF-8"),
    (b"#" * 70_000, CroupierError, "larger than 64 KiB"),
]


@pytest.mark.parametrize(("content", "error", "reason"), WRONG_FILES)
def test_a_wrong_paytable_file_is_refused(
    content: bytes, error: type[CroupierError], reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "pays.txt"
    file.write_bytes(content)
    with pytest.raises(error, match=re.escape(reason)):
        read_paytable(RUMMY.wager("pair-plus"), str(file))


@pytest.mark.parametrize(
    ("text", "error"),
    [("9", UnknownName), ("missing.txt", CroupierError), ("/", CroupierError), ("a\0b.txt", CroupierError)],
)
def test_a_paytable_that_is_not_there_is_refused(text: str, error: type[CroupierError]) -> None:
    with pytest.raises(error):
        read_paytable(RUMMY.wager("pair-plus"), text)


def test_limits_without_any_possible_wager_are_refused() -> None:
    house = replace(house_of(RUMMY, chip="5"), limits=Limits(601, 899))
    with pytest.raises(Refusal, match="nobody can bet"):
        Table(RUMMY, ["6"], house=house).play()
    with pytest.raises(NotationError, match="allow no wager"):
        house_of(RUMMY, minimum="6", maximum="9", chip="5")
