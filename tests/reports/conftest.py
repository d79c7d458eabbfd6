"""One seeded card room for all tests of reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from croupier.reports.books import Books
from croupier.store.store import Store, open_store
from tests.reports.support import made_room, rows_of


@dataclass(frozen=True)
class RoomBooks:
    """The store, and the rows of the file that was exported from it."""

    url: str
    store: Store
    file: Path
    kept: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def books(self, link: str | None = None) -> Books:
        return Books(self.store, link)

    def rows(self, book: str) -> list[dict[str, Any]]:
        if book not in self.kept:
            self.kept[book] = rows_of(self.file, book if book == "site" else f"link:{book}")
        return self.kept[book]


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoomBooks]:
    url, file = made_room(tmp_path_factory.mktemp("room"))
    with open_store(url) as store:
        yield RoomBooks(url, store, file)
