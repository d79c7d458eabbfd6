"""What holds for every test: files in memory, a cache of this run's own, one thread for a sum, no time is measured,
commands are made once, Ctrl-C works."""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import settings

from croupier.ledger import clock
from tests.once import made_once

# There are more workers than cores: several threads for one sum would only wait for each other, and busily.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
MEMORY, ROOM = "/dev/shm", 4 * 2**30
"""Where Linux keeps files in memory, and how much must be free there: many times what the stores of a run take."""


def use_memory() -> None:
    """Temporary files lie in memory where there is room: thousands of stores are made, and each waits for the disk.
    What a process that is killed has written stays there as well; only a power cut would tell the difference."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    place = os.statvfs(MEMORY)
    if place.f_bavail * place.f_frsize >= ROOM and not place.f_flag & os.ST_NOEXEC:  # some tests write programs
        os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


if "PYTEST_XDIST_WORKER" not in os.environ:
    use_memory()
    # Empty at first, and shared by all workers and the processes they start: tables of the rules are made once a run.
    os.environ["CROUPIER_CACHE_DIR"] = tempfile.mkdtemp(prefix="croupier-test-cache-")
    atexit.register(shutil.rmtree, os.environ["CROUPIER_CACHE_DIR"], ignore_errors=True)
    # What is made once in a run for all workers lies here (`once`).
    os.environ["CROUPIER_TEST_RUN"] = tempfile.mkdtemp(prefix="croupier-test-run-")
    atexit.register(shutil.rmtree, os.environ["CROUPIER_TEST_RUN"], ignore_errors=True)
    # Session keys of the sites that tests make lie here, and not in the home folder of whoever runs them.
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="croupier-test-state-")
    atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)
if threading.current_thread() is threading.main_thread():
    # A shell that runs the tests in the background has it ignored, here and in every process that is started.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# How quick an example is depends on what else the machine does.
settings.register_profile("croupier", deadline=None, max_examples=50)
settings.load_profile("croupier")

_get_command = typer.main.get_command


@cache
def _command_of(app: typer.Typer) -> object:
    """As Typer makes it, which takes longer than most commands do; a process of the program makes it once too."""
    from croupier.cli.app import register_all

    register_all()

    return _get_command(app)


pytest.MonkeyPatch().setattr(typer.main, "get_command", _command_of)
# Rooms are made on some day of a test and opened today: on a machine whose clock nobody keeps, that would be doubted.
clock.asked_synchronised = clock.synchronised  # type: ignore[attr-defined]
pytest.MonkeyPatch().setattr(clock, "synchronised", lambda: True)


LONGEST = (
    *("tests/demo/test_month.py", "tests/demo/test_month_command.py", "tests/test_docs.py"),
    *("tests/demo/test_room.py", "tests/web/test_malformed.py", "tests/web/test_schemathesis.py"),
    "tests/evidence/test_evidence.py",  # its first proof counts every game: in each worker that gets a part of it
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first: at the end, the other workers would wait for them. What asks PostgreSQL is marked."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        if "[postgres" in item.nodeid or item.path.name == "test_postgres.py":
            item.add_marker(pytest.mark.postgres)


MOST_MEMORY = 2**30


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What a module has counted is of use to the next one, unless a worker has grown: four of them share the memory
    with the servers and browsers that they start."""
    if nextitem is not None and nextitem.path != item.path and memory() > MOST_MEMORY:
        forget_counted()


def memory() -> int:
    """Of this process, in bytes; nothing where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def forget_counted() -> None:
    """Whatever the analysis keeps in memory from one question to the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("croupier.analysis"):
            for thing in list(vars(module).values()):
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
    gc.collect()


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay until the end: nothing is gained by looking through them for garbage."""
    gc.freeze()
    share_swings()


def share_swings() -> None:
    """The swings of a round of blackjack take up to half a minute of a processor. A worker remembers those that it has
    counted, by rules, shoe and every choice of the player; with this, the others know them as well."""
    module: Any = sys.modules.get("croupier.analysis.blackjack.moments")
    if module is None:
        return
    count = module._moments

    def counted_once(game: Any) -> Any:
        question = repr((game.table.rules, game.table.shoe)).encode() + module._all_choices(game.strategy)
        return made_once(f"swings-{hashlib.sha256(question).hexdigest()}", lambda _: count(game))

    module._moments = counted_once
