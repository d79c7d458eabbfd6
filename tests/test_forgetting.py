"""What was counted is forgotten when a worker has grown, and not again before it has grown further."""

from __future__ import annotations

import ctypes

import pytest

from tests.forgetting import GROWTH, MOST, Limit, give_back, memory


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


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library keeps what it has")
def test_what_was_forgotten_goes_back_to_the_system() -> None:
    blocks = [bytes(2_000) for _ in range(50_000)]
    last = bytes(2_000)  # behind them all, so that the heap does not get shorter by itself
    held = memory()
    del blocks
    give_back()
    assert memory() < held - 50 * 10**6
    assert len(last) == 2_000
