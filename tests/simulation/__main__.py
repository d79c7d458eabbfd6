"""Runs of the simulation by hand: one seed with all that happened in it, or as many as fit into some hours.

python -m tests.simulation 4711                     what happens with this seed, on the simulated database
python -m tests.simulation 4711 --sqlite            on SQLite, on a simulated disk
python -m tests.simulation --hours 6                new seeds until then; a failing one is printed, and ends it
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulation.seeds import DATABASE, SQLITE, failure, repeat


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seed", type=int, nargs="?")
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--hours", type=float, default=0.0)
    asked = parser.parse_args()
    if asked.seed is not None:
        trace, found = repeat(asked.seed, SQLITE if asked.sqlite else DATABASE)
        print("\n".join(trace))
        print(f"seed {asked.seed}: {found or 'all is well'}")
        return bool(found)
    end, seed, begun = time.monotonic() + asked.hours * 3_600, int(time.time()) * 1_000, time.monotonic()
    runs = {DATABASE: 0, SQLITE: 0}
    while time.monotonic() < end:
        kind = SQLITE if seed % 10 == 0 else DATABASE
        if found := failure(seed, kind):
            print(found)
            return 1
        runs[kind] += 1
        seed += 1
        if sum(runs.values()) % 1_000 == 0:
            print(f"{(time.monotonic() - begun) / 60:.0f} min: {runs}", file=sys.stderr, flush=True)
    print(f"all is well: {runs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
