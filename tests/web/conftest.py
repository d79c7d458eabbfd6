"""Rooms for the tests of the server; see `support`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.support import MadeSite, Room, Server, make_site, running, serve


@pytest.fixture(scope="session")
def made_site(tmp_path_factory: pytest.TempPathFactory) -> MadeSite:
    """Made once; nobody works in it, it is copied."""
    return make_site(tmp_path_factory.mktemp("site"))


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
