"""Chance: fair, repeatable from a seed, and never the same stream twice."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards.card import DECK, format_cards
from croupier.cards.shuffle import SeededSource, Source, SystemSource, as_source, roll_dice, shuffled
from croupier.errors import NotationError, Refusal


class Scripted(Source):
    """A source whose bytes a test writes."""

    def __init__(self, stream: bytes) -> None:
        super().__init__()
        self._blocks_left = [stream]

    @property
    def origin(self) -> str:
        return "scripted"

    def _block(self) -> bytes:
        return self._blocks_left.pop()


def stream_as_documented(seed: str) -> Iterator[int]:
    """The module's docstring, written again and apart from it."""
    key = hashlib.sha256(f"croupier seed 1\n{seed}".encode()).digest()
    for block in count():
        yield from hashlib.sha256(key + block.to_bytes(8, "big")).digest()


def shuffle_as_documented(seed: str, size: int) -> list[int]:
    stream = stream_as_documented(seed)
    order = list(range(size))
    for unplaced in range(size, 1, -1):
        width = 1 if unplaced <= 256 else 2
        limit = 256**width - 256**width % unplaced
        drawn = limit
        while drawn >= limit:
            drawn = int.from_bytes(bytes(islice(stream, width)), "big")
        place = drawn % unplaced
        order[place], order[unplaced - 1] = order[unplaced - 1], order[place]
    return order


def test_golden_stream_of_seed_7() -> None:
    assert (
        SeededSource(7).take(40).hex()
        == "5edc5f530e08a4926180f7423cf49372838c6c9090a62161cc6cbe75ca3aac2db3d918a4d8acf4f6"
    )


def test_golden_shuffle_of_seed_7() -> None:
    assert format_cards(shuffled(DECK, SeededSource(7))) == (
        "7d Ac 6s 9d Ks 5s 6h Qd Qs Jc 7s Qc 9s Td 3c Ah Ts 8s 3d 6d 7h Ad Kc 4h Jh 5d "
        "9c 8c 2d 3s 2h 3h 5c Kh 2s Tc Js 2c 9h 7c 8d Jd As 4d 4s 8h 4c 5h Th Kd 6c Qh"
    )


@pytest.mark.parametrize("seed", ["7", "Table 4, 15 November", "♠"])
@pytest.mark.parametrize("size", [2, 52, 416])
def test_the_documented_procedure_repeats_a_seeded_shuffle(seed: str, size: int) -> None:
    assert list(shuffled(range(size), SeededSource(seed))) == shuffle_as_documented(seed, size)


def test_a_whole_number_its_text_and_its_bytes_are_one_seed() -> None:
    assert SeededSource(7).take(8) == SeededSource("7").take(8) == SeededSource(b"7").take(8)
    assert SeededSource(7).take(8) != SeededSource(8).take(8)


@pytest.mark.parametrize("seed", ["", " 7", "7 ", "7\n", "a\nb", "\ud800"])
def test_a_seed_is_one_line_of_text(seed: str) -> None:
    with pytest.raises(NotationError, match="is no seed: write one line"):
        SeededSource(seed)


def test_the_origin_says_where_the_next_draw_comes_from() -> None:
    source = SeededSource(7)
    assert source.origin == "seed 7"
    source.take(40)
    assert source.origin == "seed 7 after 40 bytes"
    assert SeededSource(b"\x00\xff").origin == "seed bytes 00ff"
    assert SystemSource().origin == "system"


def test_bytes_at_the_limit_or_above_are_thrown_away() -> None:
    # Below 7 the limit is 252: 252 to 255 are one number too many for 0 to 3.
    assert Scripted(bytes([252, 255, 251])).below(7) == 251 % 7
    # Below 300, of two bytes, it is 65,400.
    assert Scripted((65_400).to_bytes(2, "big") + (65_399).to_bytes(2, "big")).below(300) == 299


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 129, 255, 256])
def test_each_number_has_equally_many_bytes(n: int) -> None:
    limit = 256 - 256 % n
    found = Counter(Scripted(bytes([byte])).below(n) for byte in range(limit))
    assert found == dict.fromkeys(range(n), limit // n)


@given(st.integers(1, 10**12), st.integers(0, 99))
def test_a_number_below_n_is_from_0_to_n_less_1(n: int, seed: int) -> None:
    assert 0 <= SeededSource(seed).below(n) < n
    assert 0 <= SystemSource().below(n) < n


@pytest.mark.parametrize("n", [0, -5])
def test_there_is_no_number_below_zero(n: int) -> None:
    with pytest.raises(Refusal, match=f"below {n}"):
        SystemSource().below(n)


def test_every_order_comes_from_equally_many_draws() -> None:
    """All 4 * 3 * 2 draws of four items, one by one: each order exactly once."""
    draws = [bytes([a, b, c]) for a in range(4) for b in range(3) for c in range(2)]
    assert Counter(shuffled("abcd", Scripted(draw)) for draw in draws) == Counter(permutations("abcd"))


@given(st.integers(0, 416), st.integers())
def test_a_shuffle_keeps_every_item(size: int, seed: int) -> None:
    assert sorted(shuffled(range(size), SeededSource(seed))) == list(range(size))
    assert sorted(shuffled(range(size), SystemSource())) == list(range(size))


def test_dice_show_one_to_six() -> None:
    source = SeededSource("dice")
    rolls = [roll_dice(source) for _ in range(200)]
    assert {len(roll) for roll in rolls} == {3}
    assert {die for roll in rolls for die in roll} == {1, 2, 3, 4, 5, 6}
    assert len(roll_dice(source, dice=2)) == 2


def test_as_source_takes_a_source_or_a_seed() -> None:
    source = SystemSource()
    assert as_source(source) is source
    assert as_source(7).take(8) == SeededSource(7).take(8)


def test_a_copy_of_the_system_source_has_a_stream_of_its_own() -> None:
    source = SystemSource()
    source.below(2)  # so that unused bytes are held
    held = [copy.copy(source), copy.deepcopy(source), pickle.loads(pickle.dumps(source)), source, SystemSource()]
    assert len({each.take(16) for each in held}) == len(held)


FORK = """
import os
from croupier.cards.shuffle import SystemSource
source = SystemSource()
source.below(2)
ours, theirs = os.pipe()
if os.fork() == 0:
    os.write(theirs, source.take(16))
    os._exit(0)
assert os.read(ours, 16) != source.take(16)
os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_repeat_its_parent() -> None:
    subprocess.run([sys.executable, "-c", FORK], check=True)
