"""How long the evidence file of a site takes whose link has a million rows, and in how much memory; and `about`.

The book is that of `ledger_verify`, in which hands win as the chances are, in a site with its people and tables. How
long its rows take to prove is measured there: they have no notes of the site's, so this file is not to be proved. The
file is made by the command that an auditor uses, in a process of its own. Since machines are shared, the time of the
processor is told beside the time of day: making it may use a second process for the sheets.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.ledger_verify import BLOCK, ROWS, STREAM, TABLES, Floor
from benchmarks.measure import CROUPIER, MIB, ROOT, Result, in_words, peak_bytes
from croupier.ledger.checkpoint import new_key
from croupier.ledger.entry import SITE
from croupier.store.store import Snapshot, open_store
from support.room import ONE_METER, PEOPLE, SiteBook, felt, founding, with_tables

TARGET_S, TARGET_BYTES, ABOUT_S = 60, 1024 * MIB, 2


@dataclass(frozen=True)
class Took:
    wall_s: float
    processor_s: float


def make_store(folder: Path, rows: int) -> str:
    """A site whose one link has so many rows."""
    url, floor, block = f"sqlite:///{folder}/floor.db", Floor(), []
    cards = {signed.person: f"{number:064x}" for number, signed in enumerate(PEOPLE, start=1)}
    tables = [felt(table) for table in with_tables(ONE_METER, TABLES).tables]
    site = SiteBook(founding(cards, PEOPLE, tables), at="2026-10-31T20:00:00.000000Z")
    with open_store(url) as store:
        store.append(SITE, site.entries)
        for entry in floor.entries():
            block.append(entry)
            if len(block) == BLOCK or entry.number == rows:
                store.append(STREAM, block, Snapshot(entry.number, entry.digest, floor.link.snapshot()))
                block = []
            if entry.number == rows:
                break
    return url


def timed(command: Sequence[str]) -> Took:
    """By the day's clock, and by that of the processor with all its children's."""
    before, begun = os.times(), perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wall_s, after = perf_counter() - begun, os.times()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    user_s = after.children_user - before.children_user
    return Took(wall_s, user_s + after.children_system - before.children_system)


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = make_store(folder, ROWS)
        key, file = folder / "site.signing.key", folder / "evidence.zip"
        new_key(key)
        told = timed([str(CROUPIER), "about", "--db", url])
        yield Result("about", _words(told), target=f"{ABOUT_S} s", met=told.wall_s < ABOUT_S)
        making = [str(CROUPIER), "evidence", "-o", str(file), "--db", url, "--signing-key", str(key), "--force"]
        made, peak = timed(making), peak_bytes(making)
        title = f"evidence, {ROWS:,} rows, {file.stat().st_size / MIB:.0f} MiB"
        yield Result(title, _words(made), target=f"{TARGET_S} s", met=made.wall_s < TARGET_S)
        yield Result(
            "... memory", f"{peak / MIB:.0f} MiB", target=f"{TARGET_BYTES // MIB} MiB", met=peak < TARGET_BYTES
        )


def _words(took: Took) -> str:
    return f"{in_words(took.wall_s)} ({in_words(took.processor_s)} of the processor)"
