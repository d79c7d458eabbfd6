"""A process that writes the book of a busy link and says what it was told, until somebody kills it.

What it says goes line by line to a file, each line before the next step: `sent ACT` before an act is submitted, and
then its answer: `done ENTRY`, `no ID` (refused), `lost ID` (known not to be done) or `doubt ID`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from concurrent.futures import Future
from dataclasses import dataclass
from random import Random
from threading import Thread
from typing import Any

from croupier.errors import CroupierError, Refusal
from croupier.floor.link.link import Link
from croupier.floor.writer import NotDone, Writer
from croupier.ledger.entry import Entry
from croupier.store.sqlite import SqliteStore
from croupier.store.store import Store, open_store
from tests.faults.people import MAIN, PEOPLE, STREAM, Choice

OFFICE_PAUSE_S = 0.004
STEPS_INTO_IT = 20
"""Of SQLite's program: one row takes some hundred, with what the trigger looks at."""
MOST_S = 180
"""A process that nobody has killed by then ends by itself, with another word than that of a kill."""


@dataclass(frozen=True)
class Orders:
    """What a process is to do."""

    url: str
    name: str
    """Of its acts: they begin with it."""
    seed: int
    output: str
    die: str = ""
    """`before`, `inside` or `after` the commit of an act of a kind: the power fails then."""
    die_at: str = "confirm"
    most_bytes: int = 0
    """No file may grow beyond it."""
    acts: int = 10**9
    """Of each person."""


def run(orders: Orders) -> None:
    signal.alarm(MOST_S)
    said = os.open(orders.output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    store = open_store(orders.url)
    if orders.die:
        store = doomed(store, orders.die, orders.die_at)
    if orders.most_bytes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (orders.most_bytes, orders.most_bytes))
    with Writer(store, STREAM, MAIN, wait_s=20, most_in_a_commit=16, snapshot_every=40) as writer:
        people = [
            Thread(target=work, args=(writer, said, who, orders, choose), daemon=True) for who, choose in PEOPLE.items()
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()


def work(writer: Writer[Link], said: int, who: str, orders: Orders, choose: Choice) -> None:
    """One person: looks, acts, waits for the answer, looks again."""
    rng = Random(f"{orders.name} {who} {orders.seed}")
    for number in range(orders.acts):
        act_id = f"{orders.name}-{who}-{number}"
        try:
            act = writer.ask(lambda link, act_id=act_id: choose(link.state, act_id, rng)).result()  # type: ignore[misc]
        except CroupierError:
            continue  # the store is lost for the moment, and nobody sees anything
        say(said, f"sent {json.dumps(act.as_json())}")
        say(said, answer(act_id, writer.submit(act)))
        if who == "o":
            time.sleep(OFFICE_PAUSE_S)


def answer(act_id: str, future: Future[Entry]) -> str:
    error = future.exception()
    if error is None:
        return f"done {json.dumps(future.result().as_json())}"
    word = "no" if isinstance(error, Refusal) else "lost" if isinstance(error, NotDone) else "doubt"
    return f"{word} {act_id}"


def say(said: int, line: str) -> None:
    """In one piece, and with the operating system when it returns."""
    os.write(said, f"{line}\n".encode())


# Power that fails


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def doomed(store: Any, when: str, kind: str) -> Store:
    """A store during whose third commit of such an act the power fails: before it, in the middle of it, after."""
    append = store.append
    commits = 0

    def dying_append(stream: str, entries: list[Entry], *more: Any) -> None:
        nonlocal commits
        commits += any(entry.kind == kind for entry in entries)
        if commits == 3 and when == "before":
            die()
        if commits == 3 and when == "inside":
            die_inside(store)
        append(stream, entries, *more)
        if commits == 3 and when == "after":
            die()

    store.append = dying_append
    return store  # type: ignore[no-any-return]


def die_inside(store: Any) -> None:
    """While SQLite works at the statement; or with all of it sent to a server, which may yet do it."""
    if isinstance(store, SqliteStore):
        store._db.set_progress_handler(die, STEPS_INTO_IT)
        return

    def sent_and_dead() -> None:
        store._db.pgconn.flush()
        die()

    store._db._answer = sent_and_dead
