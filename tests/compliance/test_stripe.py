"""A card's number fits on a stripe, a misread is told from a foreign card, and older tokens are still known."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.client.client import new_card
from croupier.compliance.authority import CardHash, CardToken, Denied, Role, SiteKey, new_token
from croupier.compliance.stripe import is_right, lrc_of, misread, number_of, tracks_of
from croupier.errors import NotationError, Refusal
from croupier.floor.people import People, Person

KEY = SiteKey(b"k" * 32)
NUMBERS = st.integers(min_value=0, max_value=10**35 - 1).map(number_of)
BANK = "%B4111111111111111^DOE/JANE^29121011?;4111111111111111=29121011?"


def people(enrolled: str) -> People:
    """Somebody whose card was enrolled by hashing this very text, as every version has done."""
    import hashlib
    import hmac

    hashed = CardHash(hmac.new(KEY.secret, enrolled.encode(), hashlib.sha256).hexdigest())
    return People({"sue": Person("sue", "Sue", Role.SUPERVISOR, hashed)})


@pytest.mark.parametrize("make", [lambda: new_token().text, new_card])
def test_a_new_token_fills_track_2_and_is_digits_alone(make: Callable[[], str]) -> None:
    made = make()
    assert re.fullmatch("[0-9]{37}", made)
    assert is_right(made)


def test_the_check_digits_are_those_of_iso_7064() -> None:
    assert number_of(794) == f"{794:035d}44"  # the standard's own example of MOD 97-10: 794 44


@given(NUMBERS, st.integers(0, 36), st.integers(1, 9))
def test_one_wrong_digit_always_shows(number: str, at: int, by: int) -> None:
    wrong = number[:at] + str((int(number[at]) + by) % 10) + number[at + 1 :]
    assert not is_right(wrong)
    assert "swipe it again" in misread(wrong)
    assert not misread(number)


@given(NUMBERS, st.integers(1, 7), st.sampled_from(["{}", ";{}?", "%{}?"]))
def test_a_read_that_lacks_digits_is_no_strangers_card(number: str, missing: int, swipe: str) -> None:
    room = people(number)
    assert room.identify(CardToken(swipe.format(number)), KEY).id == "sue"
    for cut in (number[:-missing], number[missing:]):
        with pytest.raises(NotationError, match=r"swipe it again.*37 digits"):
            room.identify(CardToken(swipe.format(cut)), KEY)
        assert people(cut).identify(CardToken(swipe.format(cut)), KEY).id == "sue", "a house's own cards may be so"


def test_a_strangers_card_is_still_one() -> None:
    for text in (BANK, "4111111111111111", "a-token-of-another-house"):
        with pytest.raises(Refusal) as caught:
            people(number_of(1)).identify(CardToken(text), KEY)
        assert caught.value.code == Denied.UNKNOWN_CARD


@given(NUMBERS, st.integers(0, 35))
def test_two_neighbours_that_have_changed_places_always_show(number: str, at: int) -> None:
    wrong = number[:at] + number[at + 1] + number[at] + number[at + 2 :]
    assert wrong == number or not is_right(wrong)


# Readers. The LRC of a track makes every column of its bits even: counted here bit by bit.


def columns(track: str, zero: int) -> list[int]:
    return [sum((ord(char) - zero) >> bit & 1 for char in track) % 2 for bit in range(6)]


@given(NUMBERS)
def test_the_check_character_makes_every_column_even(number: str) -> None:
    assert columns(f";{number}?" + lrc_of(f";{number}?"), 0x30)[:4] == [0] * 4
    assert columns(f"%{number}?" + lrc_of(f"%{number}?"), 0x20) == [0] * 6


def typed(number: str) -> list[str]:
    """What readers type of one card: bare, with sentinels, with the check character, on one track or on both."""
    one, two = f"%{number}?", f";{number}?"
    return [number, one, two, one + lrc_of(one), two + lrc_of(two), one + two, one + lrc_of(one) + two + lrc_of(two)]


@given(NUMBERS)
def test_every_reader_reads_the_same_card(number: str) -> None:
    for text in typed(number):
        token = CardToken(text)
        assert not misread(text)
        assert token.hash(KEY) == CardToken(number).hash(KEY)
        assert people(number).identify(token, KEY).id == "sue"
        assert token.as_enrolled(KEY, CardToken(number).hash(KEY)) == number


def test_a_number_is_found_on_whichever_track_it_stands() -> None:
    number = number_of(5)
    assert CardToken(f"%THE GOLDEN SEVEN CARD ROOM?;{number}?").hash(KEY) == CardToken(number).hash(KEY)
    assert tracks_of(f"%A CARD?;{number}?+1?") == ["A CARD", number, "1"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f";{number_of(7)}", "part of the stripe is missing"),
        (f"{number_of(7)}?", "part of the stripe is missing"),
        (f"%E?;{number_of(7)}?", "could not read"),
        (f";{number_of(7)}?" + chr(ord(lrc_of(f";{number_of(7)}?")) ^ 1), "check character"),
        (f";{number_of(7)[:-1]}{(int(number_of(7)[-1]) + 1) % 10}?", "check digits"),
    ],
)
def test_a_misread_is_told_from_a_foreign_card_and_is_not_given_out(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as error:
        people("another-card-of-the-house").identify(CardToken(text), KEY)
    assert number_of(7)[:10] not in str(error.value)


@pytest.mark.parametrize("text", [BANK, "0" * 40, "a-card-of-another-house"])
def test_a_foreign_card_belongs_to_nobody(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        people(number_of(7)).identify(CardToken(text), KEY)
    assert refused.value.code == Denied.UNKNOWN_CARD


@pytest.mark.parametrize(
    "old",
    [
        "6f" * 32,  # as servers and clients have made them
        "Zm9yIHRoZSByZWNvcmQsIDMyIHJhbmRvbSBieXRlcw",  # as the console has
        "%OLD-CARD-WITH-SENTINELS?",  # as a reader typed it when it was enrolled
        ";1234567890123456789012345678901234567?4",
        "1" * 37,  # of the length of a number, without check digits
    ],
)
def test_older_tokens_are_known_as_they_were_enrolled(old: str) -> None:
    token = CardToken(old)
    assert people(old).identify(token, KEY).id == "sue"
    assert token.as_enrolled(KEY, people(old).by_id["sue"].card) == old
