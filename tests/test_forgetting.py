"""What was counted is forgotten when a worker has grown, and not again before it has grown further."""

from __future__ import annotations

from tests.forgetting import GROWTH, MOST, Limit


def test_a_worker_whose_memory_is_not_given_back_remembers_what_it_counts_next() -> None:
    limit = Limit()
    assert not limit.exceeded(MOST)
    assert limit.exceeded(MOST + 1)
    limit.forgotten(MOST + 1)
    assert not limit.exceeded(MOST + GROWTH)
    assert limit.exceeded(MOST + GROWTH + 2)


def test_a_worker_whose_memory_is_given_back_may_grow_as_before() -> None:
    limit = Limit()
    limit.forgotten(2 * MOST)
    limit.forgotten(MOST // 4)
    assert not limit.exceeded(MOST)
    assert limit.exceeded(MOST + 1)
