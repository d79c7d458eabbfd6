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
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from croupier.ledger import clock
from tests.forgetting import Limit, forget_counted, memory
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
# How quick an example is, and how quick it is made, depends on what else the machine does.
settings.register_profile("croupier", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
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


OF_POSTGRES = ("test_postgres.py", "test_roles.py")
"""Files of which every test asks PostgreSQL."""


def without_postgres(config: pytest.Config) -> bool:
    """As `make quick` runs."""
    return bool(config.getoption("markexpr") == "not postgres")


def pytest_configure(config: pytest.Config) -> None:
    """A test that asks PostgreSQL and does not say so fails where there is to be none."""
    if without_postgres(config):
        from support import postgres

        def server() -> NoReturn:
            raise AssertionError("this test asks PostgreSQL: mark it with pytest.mark.postgres")

        pytest.MonkeyPatch().setattr(postgres, "server", server)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is left out as a whole is not loaded: with it would come the pages, the cluster and every command."""
    return True if collection_path.name in OF_POSTGRES and without_postgres(config) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected is no garbage: looking through it again and again takes almost half of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first: at the end, the other workers would wait for them. What asks PostgreSQL is marked."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    for item in items:
        if "[postgres" in item.nodeid or item.path.name in OF_POSTGRES:
            item.add_marker(pytest.mark.postgres)


limit = Limit()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What a module has counted is of use to the next one, unless the worker has grown."""
    if nextitem is not None and nextitem.path != item.path and limit.exceeded(memory()):
        forget_counted()
        limit.forgotten(memory())


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
