"""A process that writes a book as fast as it can and says what was acknowledged, until somebody kills it.

    python -m tests.faults.child URL NAME SEED [--die before|inside|after] [--most-bytes N] [--acts N]

Prints a line for each answer: `done ID NUMBER`, `no ID` (refused), `lost ID` (known not to be done), `doubt ID`.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from random import Random
from typing import Any

from croupier.errors import Refusal
from croupier.progressive.ledger import Entry
from croupier.progressive.store import Store, open_store
from croupier.progressive.writer import NotDone, Writer
from tests.progressive.till import STREAM, TILL, Hit, Pay, Wagers

IN_FLIGHT = 48


def act(name: str, number: int, seed: int) -> Wagers | Hit | Pay:
    """The same act for the same number, so that another process can send it again."""
    rng = Random(f"{name} {number} {seed}")
    made = rng.choices([Wagers, Hit, Pay], [8, 1, 1])[0]
    return Wagers(f"{name}-{number}", seats=rng.randint(1, 7)) if made is Wagers else made(f"{name}-{number}")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def doomed(store: Any, when: str) -> Store:
    """A store during whose tenth commit the power fails: before it, with everything sent but the commit, or after."""
    append, transaction = store.append, store._transaction
    commits = 0

    def dying_append(*arguments: Any) -> None:
        nonlocal commits
        commits += 1
        if commits == 10 and when == "before":
            die()
        append(*arguments)
        if commits == 10 and when == "after":
            die()

    @contextmanager
    def dying_transaction() -> Iterator[Any]:
        with transaction() as db:
            yield db
            if commits == 10 and when == "inside":
                die()

    store.append, store._transaction = dying_append, dying_transaction
    return store  # type: ignore[no-any-return]


def say(act_id: str, future: Future[Entry]) -> None:
    error = future.exception()
    if error is None:
        print("done", act_id, future.result().number, flush=True)
    else:
        word = "no" if isinstance(error, Refusal) else "lost" if isinstance(error, NotDone) else "doubt"
        print(word, act_id, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("name")
    parser.add_argument("seed", type=int)
    parser.add_argument("--die", choices=["before", "inside", "after"])
    parser.add_argument("--most-bytes", type=int)
    parser.add_argument("--acts", type=int, default=10**9)
    asked = parser.parse_args()
    store = doomed(open_store(asked.url), asked.die) if asked.die else open_store(asked.url)
    if asked.most_bytes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (asked.most_bytes, asked.most_bytes))
    with Writer(store, STREAM, TILL, wait_s=20, most_in_a_commit=16, snapshot_every=40) as writer:
        waiting: deque[tuple[str, Future[Entry]]] = deque()
        for number in range(asked.acts):
            next_act = act(asked.name, number, asked.seed)
            waiting.append((next_act.id, writer.submit(next_act)))
            if len(waiting) == IN_FLIGHT:
                say(*waiting.popleft())
        while waiting:
            say(*waiting.popleft())


if __name__ == "__main__":
    main()
