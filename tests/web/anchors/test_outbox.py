"""What is kept of anchors, on both stores: numbers once, deliveries in order, signatures that came later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.web.anchors.keeper import utc
from croupier.web.anchors.outbox import Outbox
from support.postgres import new_floor
from tests.audit.test_anchors import signed_days

FIRST, SECOND, THIRD = signed_days(last=3)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor()


@pytest.fixture
def outbox(url: str) -> Iterator[Outbox]:
    made = Outbox(url)
    yield made
    made.close()


def test_anchors_are_numbered_once_and_go_in_order(outbox: Outbox, url: str) -> None:
    outbox.begin("folder:x", from_the_first=True)
    assert (outbox.last(), outbox.next_for("folder:x")) == (None, None)
    for signed in (FIRST, SECOND):
        assert outbox.add(signed.anchor, signed.key, signed.signature, utc())
    other = Outbox(url)  # as another server of the site, or this one after a kill
    try:
        assert not other.add(replace(SECOND.anchor, why="stop"), SECOND.key, SECOND.signature, utc())
        assert other.next_for("folder:x") == FIRST
        assert other.delivery("folder:x").waiting == 2
        other.sent("folder:x", 1, b"", utc())
        other.sent("folder:x", 1, b"", utc())
    finally:
        other.close()
    assert outbox.next_for("folder:x") == SECOND
    outbox.sent("folder:x", 2, b"", utc())
    assert outbox.next_for("folder:x") is None
    delivery = outbox.delivery("folder:x")
    assert (delivery.last, delivery.waiting, delivery.oldest) == (2, 0, None)
    last = outbox.last()
    assert last is not None
    assert (last.signed, outbox.series()) == (SECOND, "0badcafe")


def test_an_anchor_waits_for_its_signature_and_those_behind_it_wait_too(outbox: Outbox) -> None:
    outbox.begin("mail:x@y", from_the_first=False)
    outbox.add(FIRST.anchor, FIRST.key, "", utc())
    outbox.add(SECOND.anchor, SECOND.key, SECOND.signature, utc())
    assert outbox.next_for("mail:x@y") is None
    assert [kept.anchor.number for kept in outbox.unsigned()] == [1]
    outbox.sign(1, FIRST.key, FIRST.signature)
    outbox.sign(1, FIRST.key, "00" * 64)  # one that is there stays
    assert outbox.next_for("mail:x@y") == FIRST
    assert outbox.unsigned() == []


def test_a_place_that_is_new_begins_with_the_newest_unless_it_takes_all(outbox: Outbox) -> None:
    for signed in (FIRST, SECOND, THIRD):
        outbox.add(signed.anchor, signed.key, signed.signature, utc())
    for _ in range(2):
        outbox.begin("webhook:x", from_the_first=False)
        outbox.begin("folder:x", from_the_first=True)
    assert (outbox.next_for("webhook:x"), outbox.next_for("folder:x")) == (THIRD, FIRST)


def test_timestamps_are_kept_with_their_anchors(outbox: Outbox) -> None:
    for signed in (FIRST, SECOND):
        outbox.add(signed.anchor, signed.key, signed.signature, utc())
    outbox.sent("rfc3161:x", 1, b"a stamp", utc())
    outbox.sent("folder:x", 1, b"", utc())
    assert list(outbox.stamped()) == [replace(FIRST, stamps=(b"a stamp",)), SECOND]


def forge(outbox: Outbox, statement: str) -> None:
    """As somebody with a way into the database."""
    with outbox._engine.begin() as db:
        db.exec_driver_sql(statement)


SENT = "INSERT INTO anchors_sent VALUES ('folder:x', %d, '2026-11-15 20:00:00', '')"


@pytest.mark.parametrize("number", [2, 3, 4, 2_000_000_000])
def test_an_arrival_that_cannot_be_silences_nobody_and_is_told(outbox: Outbox, number: int) -> None:
    outbox.begin("folder:x", from_the_first=True)
    for signed in (FIRST, SECOND):
        outbox.add(signed.anchor, signed.key, signed.signature, utc())
    forge(outbox, SENT % number)
    assert outbox.next_for("folder:x") == FIRST
    delivery = outbox.delivery("folder:x")
    assert (delivery.last, delivery.strange) == (0, number)
    outbox.sent("folder:x", 1, b"", utc())
    assert outbox.add(THIRD.anchor, THIRD.key, THIRD.signature, utc())
    if number > 2:
        assert outbox.next_for("folder:x") == SECOND
        outbox.sent("folder:x", 2, b"", utc())
    assert outbox.next_for("folder:x") == THIRD, "what was written before it was made does not count for it"
    assert outbox.delivery("folder:x").strange == 0


def test_a_place_that_is_said_to_begin_in_the_future_gets_all(outbox: Outbox) -> None:
    outbox.begin("folder:x", from_the_first=False)
    outbox.add(FIRST.anchor, FIRST.key, FIRST.signature, utc())
    assert outbox.delivery("folder:x").strange == 0
    forge(outbox, "UPDATE anchors_to SET first = 2000000000")
    assert outbox.next_for("folder:x") == FIRST
    assert outbox.delivery("folder:x").strange == 2_000_000_000
    outbox.sent("folder:x", 1, b"", utc())
    assert outbox.next_for("folder:x") is None
