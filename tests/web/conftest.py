"""Rooms for the tests of the server; see `support`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.web.identity import sessions
from tests.once import made_once
from tests.web.signing_in import Clock
from tests.web.support import MadeSite, Room, Server, make_site, running, serve


@pytest.fixture(scope="session")
def made_site() -> MadeSite:
    """Made once for all workers; nobody works in it, it is copied."""
    return made_once("site", make_site)


@pytest.fixture
def site(made_site: MadeSite, tmp_path: Path) -> MadeSite:
    """A site of the test's own, which no server has open."""
    return made_site.copy(tmp_path)


@pytest.fixture
def room(site: MadeSite) -> Iterator[Room]:
    """The app in this process."""
    with running(site) as made:
        yield made


@pytest.fixture
def server(site: MadeSite) -> Iterator[Server]:
    """The same site in a process of its own."""
    with serve(site) as made:
        yield made


@pytest.fixture
def clock(room: Room, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of day that passes when a test says so."""
    made = Clock()
    monkeypatch.setattr(room.runtime.access, "_clock", made)
    monkeypatch.setattr(sessions, "FRESH_S", 0.0)
    return made
