"""What takes long to make and is only looked at, made once in a run for all of its workers: the first that asks makes
it, and the others wait for it."""

from __future__ import annotations

import fcntl
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

RUN = "CROUPIER_TEST_RUN"
"""The variable that names the folder of a run of the tests, which goes when they end (`conftest`)."""
Thing = TypeVar("Thing")


def made_once(name: str, make: Callable[[Path], Thing]) -> Thing:
    """What `make` gives for a folder of its own, whichever worker it was that made it. What fails is made anew."""
    place = Path(os.environ[RUN]) / name
    place.mkdir(parents=True, exist_ok=True)
    kept = place / "made.pickle"
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            folder = place / f"files-{len(list(place.iterdir()))}"
            folder.mkdir()
            content = pickle.dumps(make(folder))
            kept.with_suffix(".part").write_bytes(content)
            kept.with_suffix(".part").rename(kept)
    made: Thing = pickle.loads(kept.read_bytes())
    return made
