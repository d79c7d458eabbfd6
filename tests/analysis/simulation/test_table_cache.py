"""Kept tables are the tables that would be made, and they are made again whenever that could be otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, NoReturn

import numba
import numpy as np
import pytest

import croupier
from croupier.analysis.blackjack.basic import basic_strategy
from croupier.analysis.blackjack.chart import Cell, Chart, Kind
from croupier.analysis.kernels import table_cache as kept_module
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING, MOST_FILES, Kept, cache_directory, digest_of
from croupier.analysis.simulation import setup, setup_blackjack
from croupier.analysis.simulation.setup import Simulation, simulate_packets
from croupier.analysis.simulation.setup_blackjack import simulate_blackjack
from croupier.cards.card import parse_cards
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_game
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

PACKAGE = Path(croupier.__file__).parent
RUMMY, SUPREME, BACCARAT = "triple-shot-rummy", "supreme-99", "three-card-baccarat"
RULES = "6D H17 LS"

Case = Callable[[Kept], Simulation]


def packets(
    key: str, strategy: str = "optimal", *, wagers: int | None = None, pays: str = "", decided: str = ""
) -> Case:
    game = find_game(key)
    made = [first_table(wager) for wager in game.wagers[:wagers]]
    if pays:
        made[0] = made[0][0], "other", Paytable.parse("other", pays)
    exceptions = {parse_cards("Kc Qd 9h"): decided} if decided else {}
    return lambda kept: simulate_packets(
        game, made, seats=1, strategy=strategy, seed=7, rounds=100, exceptions=exceptions, kept=kept
    )


def table(
    rules: str = RULES,
    strategy: str = "basic",
    *,
    hits_17_against: int = 0,
    wagers: int | None = None,
    seats: int = 1,
    fresh: bool = False,
) -> Case:
    game = blackjack(Rules.parse(rules))
    made = [first_table(wager) for wager in game.wagers[:wagers]]

    def case(kept: Kept) -> Simulation:
        played = chart(rules, hits_17_against) if hits_17_against else strategy
        return simulate_blackjack(game, made, seats=seats, strategy=played, seed=7, rounds=100, fresh=fresh, kept=kept)

    return case


@cache
def chart(rules: str, hits_17_against: int) -> Chart:
    """Basic strategy with one mistake."""
    return basic_strategy(Rules.parse(rules)).changed(Kind.HARD, 17, hits_17_against, Cell.HIT)


def first_table(wager: Wager) -> tuple[Wager, str, Paytable]:
    name = next(iter(wager.paytables))
    return wager, name, wager.paytables[name]


CASES = {
    "rummy": packets(RUMMY),
    "rummy, always played": packets(RUMMY, "always play"),
    "rummy, one wager": packets(RUMMY, wagers=1),
    "rummy, other pays": packets(RUMMY, pays="0: 90 to 1\n1 to 5: 20 to 1\n6 to 19: 1 to 1"),
    "rummy, one hand played": packets(RUMMY, decided="play"),
    "rummy, one hand folded": packets(RUMMY, decided="fold"),
    "supreme": packets(SUPREME),
    "supreme, house way": packets(SUPREME, "house way"),
    "baccarat": packets(BACCARAT),
    "blackjack": table(),
    "blackjack, other rules": table("6D S17"),
    "blackjack, two wagers": table(wagers=2),
    "blackjack, five players": table(seats=5),
    "blackjack, fresh shoes": table(fresh=True),
    "blackjack, perfect play": table(strategy="optimal"),
    "blackjack, a chart": table(hits_17_against=10),
    "blackjack, another chart": table(hits_17_against=9),
}


class Filled(NamedTuple):
    made: dict[str, Simulation]
    kept: Kept


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Each case made in an empty directory, and one directory in which the tables of all cases are kept."""
    together, made = tmp_path_factory.mktemp("cache") / "tables", {}
    together.mkdir(mode=0o700)
    for number, (name, case) in enumerate(CASES.items()):
        own = together.parent / str(number)
        made[name] = case(Kept(own, "sources"))
        for file in own.iterdir():
            if not (together / file.name).exists():  # another case's answer to the same question stays
                shutil.copy(file, together)
    return Filled(made, Kept(together, "sources"))


@pytest.mark.parametrize("name", list(CASES))
def test_kept_tables_are_those_that_would_be_made(name: str, full: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also to the compiler: another type of array would be compiled anew, and take seconds."""
    fresh = full.made[name]

    def made(*_: object, **__: object) -> NoReturn:
        pytest.fail("the tables were made, not found")

    monkeypatch.setattr(setup, "packet_tables", made)
    monkeypatch.setattr(setup_blackjack, "shoe_tables", made)
    found = CASES[name](full.kept)
    assert type(found.job.tables) is type(fresh.job.tables)
    for ours, theirs in zip(found.job.tables, fresh.job.tables, strict=True):
        assert numba.typeof(ours) == numba.typeof(theirs)  # type: ignore[no-untyped-call]
        assert np.array_equal(np.asarray(ours), np.asarray(theirs))
    assert found.job.fingerprint == fresh.job.fingerprint
    assert np.array_equal(found.job.play(0).counts, fresh.job.play(0).counts)


@pytest.mark.parametrize("name", ["rummy", "supreme, house way"])
def test_the_exact_count_does_not_need_the_tables(name: str, full: Filled) -> None:
    ours, theirs = CASES[name](full.kept), CASES[name](KEEPS_NOTHING)
    assert [each.chances for each in ours.wagers] == [each.chances for each in theirs.wagers]


# Sources


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, with its rulebook as it is installed, which passes for an old one."""
    monkeypatch.setattr(kept_module, "RECENT_S", -3600)
    copied = shutil.copytree(PACKAGE, tmp_path / "croupier", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parents[1] / "docs" / "rulebook", copied / "rulebook")
    return copied


RULE_FILES = ("games/titles/three_card_baccarat.py", "cards/symmetry.py", "analysis/meter/preconfigured.toml")


@pytest.mark.parametrize("name", RULE_FILES)
def test_any_change_of_a_source_is_seen(name: str, sources: Path) -> None:
    before = digest_of(sources)
    assert before is not None
    file = sources / name
    content = file.read_bytes()
    file.write_bytes(content.replace(b"0", b"1", 1))
    assert digest_of(sources) not in (None, before)
    file.write_bytes(content)
    assert digest_of(sources) == before
    file.rename(file.with_stem("other"))
    assert digest_of(sources) not in (None, before)


def test_a_source_added_is_seen_and_byte_code_is_not(sources: Path) -> None:
    before = digest_of(sources)
    compiled = sources / "games" / "__pycache__"
    compiled.mkdir()
    (compiled / "game.pyc").write_bytes(b"byte code")
    assert digest_of(sources) == before
    (sources / "games" / "new.py").touch()
    assert digest_of(sources) != before


def test_a_source_that_has_just_changed_is_not_trusted(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that began before may have read the old one, and would keep its tables as the new one's."""
    monkeypatch.setattr(kept_module, "RECENT_S", 3600)
    assert digest_of(sources) is None


def test_sources_that_cannot_be_read_keep_nothing(sources: Path) -> None:
    (sources / "games" / "game.py").unlink()
    (sources / "games" / "game.py").symlink_to("game.py")
    assert digest_of(sources) is None
    assert digest_of(sources / "archive.zip" / "croupier") is None


PRINT_TABLES = """
from croupier.analysis.kernels import table_cache
table_cache.RECENT_S = -3600
from croupier.analysis.simulation.setup import simulate_packets
from croupier.games.catalogue import find_game

game = find_game("three-card-baccarat")
wagers = [(wager, "1", wager.paytables["1"]) for wager in game.wagers[:1]]
made = simulate_packets(game, wagers, seats=1, strategy="optimal", seed=7, rounds=1, kept=table_cache.users_own())
print(made.job.fingerprint)
"""


def test_a_changed_rule_is_played_at_once(sources: Path, tmp_path: Path) -> None:
    """The whole way, in processes of their own."""

    def fingerprint(cache: str) -> str:
        paths = {"PYTHONPATH": str(tmp_path), "CROUPIER_CACHE_DIR": cache, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", PRINT_TABLES], env=os.environ | paths, capture_output=True, text=True, check=True
        )
        return done.stdout

    cache = str(tmp_path / "cache")
    before = fingerprint(cache)
    assert len(list((tmp_path / "cache" / "tables").iterdir())) == 1
    rules = sources / "games" / "titles" / "three_card_baccarat.py"
    text = rules.read_text()
    assert "% 10" in text, "points are counted so"
    rules.write_text(text.replace("% 10", "% 11", 1))
    after = fingerprint(cache)
    assert after == fingerprint("") != before


# Files


class Numbers(NamedTuple):
    many: np.ndarray[tuple[int], np.dtype[np.int64]]
    one: int


class Counting:
    """Makes tables, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Numbers:
        self.times += 1
        return Numbers(np.arange(1000), 7)


@pytest.fixture
def make() -> Counting:
    return Counting()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "tables"


def ask(directory: Path, make: Counting, about: str = "this", sources: str = "sources") -> int:
    """How often tables have been made after asking; they are right in any case."""
    found = Kept(directory, sources).tables(Numbers, {"about": about}, make)
    assert np.array_equal(found.many, np.arange(1000))
    assert found.one == 7
    return make.times


def test_tables_are_made_once_for_each_question_and_each_version(directory: Path, make: Counting) -> None:
    assert [ask(directory, make), ask(directory, make)] == [1, 1]
    assert [ask(directory, make, "that"), ask(directory, make, "that")] == [2, 2]
    assert [ask(directory, make, sources="changed"), ask(directory, make)] == [3, 3]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:20],
        lambda content: content + b"\0",
        lambda content: bytes(len(content)),
        *(partial(lambda place, content: flipped(content, place), place) for place in (0, 40, 500, -1)),
    ],
)
def test_a_damaged_file_is_made_again(damage: Callable[[bytes], bytes], directory: Path, make: Counting) -> None:
    ask(directory, make)
    [file] = directory.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert [ask(directory, make), ask(directory, make)] == [2, 2], "and it is whole again"
    assert file.read_bytes() == whole


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


def test_the_file_of_another_question_is_not_taken(directory: Path, make: Counting) -> None:
    ask(directory, make, "this")
    [this] = directory.iterdir()
    ask(directory, make, "that")
    [that] = set(directory.iterdir()) - {this}
    shutil.copy(that, this)
    assert ask(directory, make, "this") == 3


def test_nothing_is_taken_that_others_could_have_written(
    directory: Path, make: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(directory, make)
    [file] = directory.iterdir()
    assert (directory.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    file.chmod(0o622)
    assert ask(directory, make) == 2
    directory.chmod(0o777)
    assert [ask(directory, make), ask(directory, make, "that")] == [3, 4]
    assert list(directory.iterdir()) == [file], "nothing is written there either"
    directory.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    assert ask(directory, make) == 5


def test_where_nothing_can_be_written_tables_are_made(tmp_path: Path, make: Counting) -> None:
    (tmp_path / "file").touch()
    assert [ask(tmp_path / "file" / "tables", make), ask(tmp_path / "file" / "tables", make)] == [1, 2]
    assert Kept(tmp_path / "tables", None).tables(Numbers, {}, make).one == 7
    assert not (tmp_path / "tables").exists()


def test_a_disk_that_is_full_leaves_nothing_behind(
    directory: Path, make: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert ask(directory, make) == 1
    assert list(directory.iterdir()) == []


def test_only_so_many_files_are_kept(directory: Path, make: Counting) -> None:
    directory.mkdir(mode=0o700, parents=True)
    (directory / "notes.txt").touch()
    for number in range(MOST_FILES + 3):
        ask(directory, make, str(number))
        for age, file in enumerate(sorted(directory.glob("*.tables"), key=lambda file: -file.stat().st_mtime)):
            os.utime(file, (1e9 - age, 1e9 - age))
    assert len(list(directory.glob("*.tables"))) == MOST_FILES
    assert (directory / "notes.txt").exists()
    assert ask(directory, make, str(MOST_FILES + 2)) == MOST_FILES + 3, "the newest is there"


@pytest.mark.parametrize(
    ("environment", "there"),
    [
        ({"CROUPIER_CACHE_DIR": "/a/b", "XDG_CACHE_HOME": "/x"}, "/a/b/tables"),
        ({"CROUPIER_CACHE_DIR": "", "XDG_CACHE_HOME": "/x"}, None),
        ({"XDG_CACHE_HOME": "/x"}, "/x/croupier/tables"),
        ({"XDG_CACHE_HOME": "not/absolute"}, "~/.cache/croupier/tables"),
        ({}, "~/.cache/croupier/tables"),
    ],
)
def test_tables_lie_where_the_environment_says(environment: dict[str, str], there: str | None) -> None:
    assert cache_directory(environment) == (Path(there).expanduser() if there else None)


# What a start from kept tables does without


@pytest.fixture
def loaded() -> Callable[[str], bool]:
    """Whether a fresh process that samples blackjack has loaded a module."""
    script = "import sys\nfrom croupier.cli import main\ntry:\n main()\nfinally:\n print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", script, "simulate", "blackjack", "--rounds", "65536"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return lambda name: name in done.stderr.split()


def test_linear_algebra_is_not_loaded_and_kernels_can_use_it_still(loaded: Callable[[str], bool]) -> None:
    assert loaded("numba.np.arraymath")
    assert not loaded("scipy.linalg")
    product = numba.njit(lambda a, b: a @ b)(np.eye(3), np.full((3, 3), 2.0))
    assert np.array_equal(product, np.full((3, 3), 2.0))
