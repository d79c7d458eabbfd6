"""A server that follows: what it read while another led counts as marks of its own."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Role
from croupier.floor.aggregate import restore
from croupier.floor.forms import Signed
from croupier.floor.link.acts import CloseLink, OpenLink
from croupier.floor.link.link import Link
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.store.marks import Marks
from croupier.store.store import Store, open_store
from croupier.web.cluster import follower as followers
from croupier.web.cluster.follower import Follower
from croupier.web.cluster.leader import Leadership
from support.postgres import new_floor
from support.room import KEY, LINK, MANAGER, make_room


def test_a_follower_that_began_without_marks_has_them_once_somebody_leads(tmp_path: Path) -> None:
    """At its first take-over the book would say for ever that there had been none."""
    db = new_floor()
    make_room(db, KEY)
    with closing(open_store(db)) as reading, closing(open_store(db)) as leading, closing(Leadership(db)) as leaders:

        def follow(name: str) -> Marks:
            with closing(Marks(tmp_path / name)) as marks:
                follower = Follower(db, reading, leaders, lambda *_: None, secret=KEY.secret, marks=marks)
                follower.start()
                follower.stop()
                assert not follower.trouble
                return marks

        assert follow("nobody-leads").unsaid
        leading.take_lease(SITE)
        assert not follow("led").unsaid
        assert not Marks(tmp_path / "led", within_s=None).unsaid
        assert Marks(tmp_path / "nobody-leads", within_s=None).unsaid


def test_a_link_that_is_kept_closed_is_looked_at_again_when_something_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read a long book five times a second would leave no time for the others."""
    db, read, closed = new_floor(), list[str](), f"link:{LINK}"
    make_room(db, KEY)

    def counted(store: Store, stream: str, *of: Any, **how: Any) -> Any:
        read.append(stream)
        return restore(store, stream, *of, **how)

    monkeypatch.setattr(followers, "restore", counted)
    with closing(open_store(db)) as store, closing(Leadership(db)) as leaders, closing(Marks(tmp_path / "m")) as marks:
        book = list(store.entries(closed))
        last = book[-1]
        link, at = Link.of_entries(LINK, book), utc_now()
        stranger = CloseLink(id="forged", by=Signed("nobody", Role.MANAGER), reason="Because.")
        forged = link.handle(stranger, at)
        marks.keep(closed, last.number, last.digest)
        store.append(closed, [forged])
        follower = Follower(db, store, leaders, lambda *_: None, secret=KEY.secret, marks=marks)
        for _ in range(3):
            follower._open_new()
        assert list(follower.house.damaged) == [LINK]
        assert read.count(closed) == 1
        link.apply(forged)
        store.append(closed, [link.handle(OpenLink(id="again", by=MANAGER), utc_now())])
        follower._open_new()
        assert read.count(closed) == 2
        monkeypatch.setattr(followers, "CLOSED_AGAIN_S", 0.0)
        follower._closed.clear()
        for _ in range(2):
            follower._open_new()
        assert read.count(closed) == 4
