"""A server that follows: what it read while another led counts as marks of its own."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from croupier.ledger.entry import SITE
from croupier.store.marks import Marks
from croupier.store.store import open_store
from croupier.web.cluster.follower import Follower
from croupier.web.cluster.leader import Leadership
from support.postgres import new_floor
from support.room import KEY, make_room


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
