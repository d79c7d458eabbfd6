"""The record of a round: read back exactly, and refused where anything in it is wrong."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.shoe import Shoe
from croupier.errors import RecordError
from croupier.games.head_to_head.round import Round
from croupier.games.money import InFavourOf
from croupier.games.paytable import Paytable
from croupier.games.table.record import KEYS, read_record, write_record
from tests.games.support import assert_one_sentence, offer, play

HOUSE = offer(
    "triple-shot-rummy",
    paytables={"pair-plus": "4", "6-card-bonus": Paytable.parse("ours", "Flush  3 to 2\nStraight  1 to 1 less 2.5%")},
    limits=(500, 20_000),
    spot_limits={"pair-plus": (100, 5_000)},
    chip_cents=25,
    in_favour_of=InFavourOf.NEAREST,
    options=["two-positions"],
)
SCRIPT = (
    "bet 1 ante 500 by ann; bet 2 ante 700 by ann; bet 2 pair-plus 100; bet 4 6-card-bonus 500; no-more-bets; "
    "deal; deal; deal; deal; decide 2 play; decide 1 fold; reveal; settle"
)
OVER = play("triple-shot-rummy", SCRIPT, shoe=Shoe.fresh(1, "record 3"), offering=HOUSE)


@cache
def record() -> str:
    """Written when it is first wanted: the digests in it take seconds to count."""
    return write_record(OVER)


def sealed(lines: list[str]) -> str:
    """The lines with a check that fits them, as a forger would write it."""
    body = "".join(f"{line}\n" for line in lines if not line.startswith("check "))
    return f"{body}check {hashlib.sha256(body.encode()).hexdigest()}\n"


def forged(change: Callable[[str], str]) -> str:
    return sealed([change(line) for line in record().splitlines()])


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        read_record(text, Round)
    assert_one_sentence(error.value)
    return error.value


def test_a_record_reads_back() -> None:
    again = read_record(record(), Round)
    assert write_record(again) == record()
    assert (again.settlements, again.events, again.seats) == (OVER.settlements, OVER.events, OVER.seats)
    assert again.offering.paytable("6-card-bonus").rows == HOUSE.paytable("6-card-bonus").rows
    assert (again.offering.limits, again.offering.spot_limits) == (HOUSE.limits, HOUSE.spot_limits)
    assert (again.offering.rounding, again.offering.options) == (HOUSE.rounding, HOUSE.options)


def test_left_out_wagers_read_back() -> None:
    house = offer("supreme-99", left_out=["pair-fortunes"])
    again = read_record(write_record(play("supreme-99", "bet 1 bet 500", offering=house)), Round)
    assert again.offering.left_out == {"pair-fortunes"}


def test_a_resealed_record_is_the_record() -> None:
    assert sealed(record().splitlines()) == record()


# Damage


@pytest.mark.parametrize("new", ["x", "0", " ", "\n", "\x00", "é"])
def test_any_single_character_changed_is_found(new: str) -> None:
    text = record()
    for place, old in enumerate(text[:-1]):
        if old != new:
            refused(f"{text[:place]}{new}{text[place + 1 :]}")


def test_any_single_letter_in_the_other_case_is_found() -> None:
    text = record()
    for place, old in enumerate(text):
        if old != old.swapcase():
            refused(f"{text[:place]}{old.swapcase()}{text[place + 1 :]}")


def test_any_single_character_lost_or_doubled_is_found() -> None:
    text = record()
    for place, old in enumerate(text[:-1]):
        refused(f"{text[:place]}{text[place + 1 :]}")
        refused(f"{text[:place]}{old}{text[place:]}")


def test_a_record_that_is_cut_off_is_found_wherever_it_is() -> None:
    text = record()
    for end in range(len(text) - 1):
        refused(text[:end])


def test_a_line_lost_doubled_or_moved_is_found() -> None:
    lines = record().splitlines()
    for place, line in enumerate(lines):
        refused("\n".join([*lines[:place], *lines[place + 1 :]]))
        refused("\n".join([*lines[:place], line, *lines[place:]]))
        refused("\n".join([line, *lines[:place], *lines[place + 1 :]]) if place else "")


@pytest.mark.parametrize("text", ["", "\n", "garbage", "croupier round 1", "croupier round 1\n", "croupier shoe 1\n"])
def test_garbage_is_refused(text: str) -> None:
    refused(text)


def test_a_text_that_is_no_unicode_is_refused() -> None:
    refused("croupier round 1\n\udcff\ncheck 0\n")


@given(st.text())
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_record(text, Round)


# Forgery: the check fits, the contents do not


def test_a_record_of_other_rules_is_refused() -> None:
    error = refused(forged(lambda line: f"digest {'0' * 64}" if line.startswith("digest ") else line))
    assert "other rules" in str(error)


def test_a_record_of_other_pays_is_refused() -> None:
    assert "other rules" in str(refused(forged(lambda line: line.replace("40 to 1", "41 to 1"))))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("act bet 2 ante 700", "act bet 2 ante 800"),
        ("act bet 2 ante 700", "act bet 3 ante 700"),
        ("act bet 4 6-card-bonus 500", "act bet 4 pair-plus 500"),
        ("act decide 1 fold", "act decide 1 play"),
        ("act decide 2 play", "act decide 2 fold"),
        ("act deal", "act deal Qh 6c 4d"),
        ("act settle", "act void rain"),
        ("act reveal", "act dance"),
    ],
)
def test_a_changed_act_is_refused(old: str, new: str) -> None:
    refused(forged(lambda line: line.replace(old, new)))


def test_an_act_left_out_is_refused() -> None:
    lines = record().splitlines()
    for place, line in enumerate(lines):
        if line.startswith("act "):
            refused(sealed(lines[:place] + lines[place + 1 :]))


def test_a_changed_result_is_refused() -> None:
    lines = record().splitlines()
    results = [place for place, line in enumerate(lines) if line.startswith("result ")]
    assert results
    for place in results:
        assert isinstance(refused(sealed([*lines[:place], f"{lines[place]}0", *lines[place + 1 :]])), RecordError)
        assert isinstance(refused(sealed(lines[:place] + lines[place + 1 :])), RecordError)
        assert isinstance(refused(sealed([*lines[:place], lines[place], *lines[place:]])), RecordError)


@pytest.mark.parametrize(
    ("start", "new"),
    [
        ("game ", "game chess"),
        ("game ", "game"),
        ("game ", "game supreme-99"),
        ("house limits ", "house limits x y"),
        ("house limits ", "house limits 500"),
        ("house limits ", "house limits 20000 500"),
        ("house limits ", "house limits 1 2 3"),
        ("house limits ", "house"),
        ("house limits ", "house bribes 500"),
        ("house limits-of ", "house limits-of pair-plus 500"),
        ("house limits-of ", "house limits-of nonsense 500 600"),
        ("house rounding ", "house rounding 0 house"),
        ("house rounding ", "house rounding 25 everyone"),
        ("house option ", "house option nonsense"),
        ("house option ", "house left-out nonsense"),
        ("house option ", "house left-out ante-play"),
        ("house paytable ", "house paytable nonsense Pair  1 to 1"),
        ("house paytable pair-plus", "house paytable pair-plus Pair"),
        ("house paytable pair-plus", "house paytable pair-plus"),
        ("house paytable pair-plus", "house paytable pair-plus Full House  1 to 1"),
        ("shoe order ", "shoe order Qh"),
        ("shoe salt ", f"shoe salt {'0' * 64}"),
        ("shoe dealt ", "shoe dealt 3"),
        ("shoe dealt ", "shoe dealt 53"),
        ("shoe status ", "shoe status revealed"),
        ("shoe ", "nonsense"),
    ],
)
def test_a_line_of_nonsense_is_refused(start: str, new: str) -> None:
    refused(forged(lambda line: new if line.startswith(start) else line))


def test_a_shoe_with_two_cards_exchanged_is_refused() -> None:
    def exchange(line: str) -> str:
        words = line.split()
        return " ".join([*words[:2], words[3], words[2], *words[4:]]) if line.startswith("shoe order") else line

    assert "altered" in str(refused(forged(exchange)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game triple-shot-rummy", "game Triple Shot Rummy"),
        ("house limits 500 20000", "house limits 5_00 20000"),
        ("house limits 500 20000", "house limits 500 20000\nhouse limits 500 20000"),
        ("house limits 500 20000", "house limits 500 100\nhouse limits 500 20000"),
        ("act bet 1 ante 500", "act bet 01 ante 0500"),
        ("act reveal", "act  reveal"),
    ],
)
def test_a_record_can_be_written_in_one_way_only(old: str, new: str) -> None:
    assert old in record()
    refused(sealed(record().replace(old, new, 1).splitlines()))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(KEYS),
            st.text(max_size=20) | st.sampled_from(["limits 1 2", "bet 1 ante 500", "no-more-bets", "deal", "void x"]),
        )
    )
)
def test_forged_lines_are_read_or_refused(lines: list[tuple[str, str]]) -> None:
    head = record().splitlines()[:3]
    text = sealed([*head, *(f"{key} {value}" for key, value in lines)])
    with contextlib.suppress(RecordError):
        read_record(text, Round)
