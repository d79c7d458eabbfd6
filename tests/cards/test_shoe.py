"""A shoe: sealed before the first card, dealt without change, revealed and checked at its end."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.card import DECK, format_cards, parse_cards
from croupier.cards.shoe import Shoe, verify_reveal
from croupier.cards.shuffle import SeededSource, SystemSource, shuffled
from croupier.errors import CroupierError, NotationError, RecordError, Refusal

SHOE = Shoe.fresh(1, 7)
REVEAL = SHOE.draw(37)[1].reveal()


def test_golden_reveal_of_seed_7() -> None:
    """Whoever keeps a reveal must be able to check it for ever."""
    golden = """\
croupier shoe 1
decks 1
origin seed 7
salt b1827e63a1043c208a3fa3ed086cf2f449678e4aaba6986ca7f0b7da225739f4
order 7d Ac 6s 9d Ks 5s 6h Qd Qs Jc 7s Qc 9s Td 3c Ah Ts 8s 3d 6d 7h Ad Kc 4h Jh 5d \
9c 8c 2d 3s 2h 3h 5c Kh 2s Tc Js 2c 9h 7c 8d Jd As 4d 4s 8h 4c 5h Th Kd 6c Qh
commitment ddc28367e44fa2260eb1a25825d6a64b3345e304b3bea5207fa63318451d22d6
dealt 37
status revealed
"""
    assert golden == REVEAL
    assert verify_reveal(golden).order == SHOE.order


def test_the_commitment_is_the_hash_of_the_first_five_lines() -> None:
    sealed = "".join(REVEAL.splitlines(keepends=True)[:5])
    assert hashlib.sha256(sealed.encode()).hexdigest() == SHOE.commitment


# Making and dealing


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_a_fresh_shoe_holds_whole_decks(decks: int) -> None:
    shoe = Shoe.fresh(decks, SystemSource())
    assert sorted(shoe.order) == sorted(DECK * decks)
    assert (shoe.dealt, shoe.remaining, shoe.origin) == (0, 52 * decks, "system")


def test_a_seed_repeats_a_shoe_with_its_salt() -> None:
    assert Shoe.fresh(6, 7) == Shoe.fresh(6, SeededSource("7"))
    assert Shoe.fresh(1, 7).order == shuffled(DECK, SeededSource(7))
    assert Shoe.fresh(1, 7).commitment != Shoe.fresh(1, 8).commitment


def test_one_seeded_source_makes_different_shoes_that_say_so() -> None:
    source = SeededSource(7)
    first, second = Shoe.fresh(1, source), Shoe.fresh(1, source)
    assert first == SHOE
    assert second.order != first.order
    assert second.origin.startswith("seed 7 after ")


def test_system_shoes_differ_in_order_and_salt() -> None:
    source = SystemSource()
    shoes = [Shoe.fresh(1, source) for _ in range(20)]
    assert len({shoe.order for shoe in shoes}) == len({shoe.salt for shoe in shoes}) == 20


@pytest.mark.parametrize("decks", [0, -1, 9])
def test_a_shoe_has_one_to_eight_decks(decks: int) -> None:
    with pytest.raises(Refusal, match=f"it has {decks} decks, and 1 to 8 are allowed"):
        Shoe.fresh(decks, 7)


@given(st.lists(st.integers(0, 20), max_size=8))
def test_draws_follow_the_order_and_leave_the_shoe_they_came_from(draws: list[int]) -> None:
    shoe, out = Shoe.fresh(4, 7), list[object]()
    for size in draws:
        before = shoe.dealt
        cards, after = shoe.draw(size)
        assert (shoe.dealt, after.dealt) == (before, before + size)
        out += cards
        shoe = after
    assert tuple(out) == shoe.order[: shoe.dealt]
    assert shoe.dealt + shoe.remaining == 208
    assert shoe.commitment == Shoe.fresh(4, 7).commitment


@pytest.mark.parametrize("cards", [-1, 16])
def test_more_cards_than_remain_cannot_be_drawn(cards: int) -> None:
    _, shoe = SHOE.draw(37)
    with pytest.raises(Refusal, match=f"{cards} cards cannot be drawn from a shoe with 15 left"):
        shoe.draw(cards)


def test_a_stacked_shoe_begins_with_the_given_cards() -> None:
    first = parse_cards("Qh 6c 4d")
    shoe = Shoe.stacked(first, decks=2, chance=7)
    assert shoe.draw(3)[0] == first
    assert sorted(shoe.order) == sorted(DECK * 2)
    assert shoe.origin == "stacked, seed 7"


def test_a_card_cannot_be_stacked_more_often_than_the_decks_hold_it() -> None:
    with pytest.raises(NotationError, match="Qh appears 2 times"):
        Shoe.stacked(parse_cards("Qh Qh", decks=2), chance=7)


def test_an_entered_order_must_be_whole_decks() -> None:
    assert Shoe.of_cards(DECK).order == DECK
    assert Shoe.of_cards(DECK * 2).decks == 2
    with pytest.raises(Refusal, match="it has 51 cards instead of 52, and As is missing"):
        Shoe.of_cards(DECK[:-1])
    with pytest.raises(CroupierError, match="2c appears 2 times"):
        Shoe.of_cards(DECK[:-1] + DECK[:1])
    with pytest.raises(CroupierError, match="2c appears 2 times"):
        Shoe.of_cards(DECK + DECK[:8])
    with pytest.raises(Refusal, match="it has 0 cards"):
        Shoe.of_cards(())


def test_an_impossible_shoe_cannot_be_made() -> None:
    salt = "0" * 64
    with pytest.raises(Refusal, match="53 cards are dealt, and it holds 52"):
        Shoe(1, DECK, salt=salt, origin="x", dealt=53)
    with pytest.raises(Refusal, match="the salt 'abc' is not 64 hexadecimal digits"):
        Shoe(1, DECK, salt="abc", origin="x")
    with pytest.raises(Refusal, match="is not one line of text"):
        Shoe(1, DECK, salt=salt, origin="x\ndealt 3")


# Secrets


def test_the_announcement_tells_the_commitment_and_nothing_of_the_order() -> None:
    assert SHOE.announcement() == (f"croupier shoe 1\ndecks 1\ncommitment {SHOE.commitment}\nstatus announced\n")


def test_a_log_does_not_give_the_order_away() -> None:
    assert repr(Shoe.fresh(1, 7)) == "Shoe(decks=1, dealt=0)"


# Resuming


@settings(max_examples=30)
@given(st.integers(1, 8), st.integers(0, 52), st.booleans())
def test_an_interrupted_shoe_resumes_unchanged(decks: int, dealt: int, seeded: bool) -> None:
    _, shoe = Shoe.fresh(decks, 7 if seeded else SystemSource()).draw(dealt)
    resumed = Shoe.parse_record(shoe.record())
    assert resumed == shoe
    assert resumed.draw(shoe.remaining)[0] == shoe.draw(shoe.remaining)[0]


def test_a_revealed_shoe_cannot_be_dealt_from_again() -> None:
    with pytest.raises(RecordError, match="was revealed, so no more cards"):
        Shoe.parse_record(REVEAL)


# Verifying


def test_a_true_reveal_holds() -> None:
    verified = verify_reveal(REVEAL, SHOE.commitment)
    assert (verified.decks, verified.dealt, verified.origin) == (1, 37, "seed 7")
    assert verified.announced
    assert "37 of 52 cards dealt" in str(verified)
    assert not verify_reveal(REVEAL).announced


def test_line_ends_of_other_systems_and_capitals_in_the_announced_hash_do_no_harm() -> None:
    verify_reveal(REVEAL.replace("\n", "\r\n") + "\r\n", f" {SHOE.commitment.upper()}\n")


def test_another_commitment_than_the_announced_one_is_found() -> None:
    with pytest.raises(RecordError, match="not the shoe that was announced"):
        verify_reveal(REVEAL, Shoe.fresh(1, 8).commitment)
    with pytest.raises(RecordError, match="'abc' is not 64 hexadecimal digits"):
        verify_reveal(REVEAL, "abc")


def test_two_exchanged_cards_are_found() -> None:
    with pytest.raises(RecordError, match="The shoe was altered: its cards and salt hash to"):
        verify_reveal(REVEAL.replace("7d Ac", "Ac 7d"))


ALTERATIONS = [
    ("7d Ac 6s", "7d Ac 7d", "Line 5: 7d appears 2 times"),
    ("7d Ac 6s", "7d Ac", "it has 51 cards instead of 52, and 6s is missing"),
    ("7d Ac", "7d Ax", "Line 5: 'Ax' is no card"),
    ("7d Ac", "7d  Ac", "Line 5 should be written"),
    ("7d Ac", "7d ac", "Line 5 should be written"),
    ("shoe 1", "shoe 3", "Line 1: a record of a shoe begins with 'croupier shoe 1'"),
    ("decks 1", "decks 2", "it has 52 cards instead of 104"),
    ("decks 1", "decks 0", "it has 0 decks"),
    ("decks 1", "decks one", "Line 2: decks should be a whole number, not 'one'"),
    ("decks 1", "decks 01", "Line 2 should be written 'decks 1'"),
    ("origin seed 7", "origin system", "The shoe was altered"),
    ("origin seed 7\n", "", "Line 3: 'origin' and its value should be here, not 'salt"),
    ("salt b182", "salt b183", "The shoe was altered"),
    ("salt b182", "salt B182", "the salt 'B182"),
    ("commitment ddc2", "commitment ddc3", "The shoe was altered"),
    ("dealt 37", "dealt 53", "53 cards are dealt, and it holds 52"),
    ("dealt 37", "dealt -1", "Line 7: dealt should be a whole number"),
    ("dealt 37", "dealt", "Line 7: 'dealt' and its value should be here, not 'dealt'"),
    ("status revealed", "status lost", "Line 8: the status 'lost' is not"),
    ("status revealed", "status in use", "This shoe is still in use"),
    ("status revealed\n", "", "Line 8: 'status' and its value should be here, not ''"),
    ("status revealed", "status revealed\nmore", "Line 9: the record should have ended before 'more'"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), ALTERATIONS)
def test_an_altered_reveal_is_refused_in_one_sentence(old: str, new: str, sentence: str) -> None:
    assert old in REVEAL
    with pytest.raises(RecordError) as refusal:
        verify_reveal(REVEAL.replace(old, new))
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(st.data())
def test_no_character_of_the_seal_can_be_changed(data: st.DataObject) -> None:
    """Only `dealt`, which is not known when the shoe is sealed, is outside the hash."""
    at = data.draw(st.integers(0, REVEAL.index("\ndealt") - 1))
    other = data.draw(st.characters(exclude_characters=REVEAL[at], exclude_categories=["Cs"]))
    with pytest.raises(RecordError):
        verify_reveal(REVEAL[:at] + other + REVEAL[at + 1 :])


@given(st.text())
def test_no_text_whatever_is_taken_for_a_shoe(text: str) -> None:
    with pytest.raises(RecordError):
        verify_reveal(text)
    with pytest.raises(RecordError):
        Shoe.parse_record("croupier shoe 1\n" + text)


def test_an_announcement_is_no_reveal() -> None:
    with pytest.raises(RecordError, match="Line 3: 'origin' and its value should be here"):
        verify_reveal(SHOE.announcement())


def test_the_order_of_a_reveal_parses_as_cards() -> None:
    line = REVEAL.splitlines()[4].removeprefix("order ")
    assert format_cards(parse_cards(line)) == line
