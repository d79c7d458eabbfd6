"""How long `comply` takes for an establishment of 15 tables, with its papers: over HTTP, and from the books alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from benchmarks.measure import Result, in_words
from croupier.audit.comply import comply_of
from croupier.floor.site.acts import ChooseProfile, SetTable
from croupier.floor.site.comply import SiteTold
from croupier.store.store import open_store
from support.papers import baccarat, bounty, bust, commercial, entered, plain, rummy, supreme
from support.room import Room

TABLES = 15
MOST_S = 1.0
TIMES = 20


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{Path(name)}/floor.db"
        with Room(url) as room:
            _set_up(room)
            first = _took(lambda: room.floor.house.comply(room.clock()))
            warm = sorted(_took(lambda: room.floor.house.comply(room.clock())) for _ in range(TIMES))[TIMES // 2]
        with open_store(url, read_only=True) as store:
            books = sorted(_took(lambda: comply_of(store)) for _ in range(TIMES))[TIMES // 2]
    what = f"comply for {TABLES} tables"
    target = f"below {in_words(MOST_S)}"
    yield Result(f"{what}, the first time", in_words(first))
    yield Result(f"{what}, warm", in_words(warm), target=target, met=warm < MOST_S)
    yield Result(f"{what}, from the store's books", in_words(books), target=target, met=books < MOST_S)


def _took(work: Callable[[], SiteTold]) -> float:
    began = perf_counter()
    told = work()
    took = perf_counter() - began
    if len(told.tables) != TABLES or not told.may_open:
        raise RuntimeError("a table of the benchmark may not be open")
    return took


def _set_up(room: Room) -> None:
    room.found(tables=())
    room.site(ChooseProfile, second="mia", profile="washington/2")
    for act in (entered(), *commercial()):
        room.floor.do_site(act)
    kinds = (rummy, supreme, baccarat, bust, plain, bounty)
    for number in range(1, TABLES + 1):
        room.site(SetTable, second="mia", table=replace(kinds[number % len(kinds)](), number=number))
