"""The book: balanced, chained, and nothing in it can be changed unseen."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import NotationError, RecordError
from croupier.ledger.book import Book
from croupier.ledger.entry import (
    GENESIS,
    MOST_UNITS,
    OF_A_LEVEL,
    Account,
    Entry,
    Purpose,
    Transfer,
    canonical,
    write_out,
)
from croupier.store.store import Row

METER, RESERVE, TRAY, PLAYERS = (
    Account(Purpose.METER),
    Account(Purpose.RESERVE),
    Account(Purpose.TRAY),
    Account(Purpose.PLAYERS),
)
accounts = st.one_of(
    st.sampled_from([Account(purpose) for purpose in Purpose]),
    st.builds(Account, st.sampled_from(sorted(OF_A_LEVEL)), st.sampled_from(["Mega", "Minor"])),
)


def book_of(*amounts: int) -> tuple[Book, list[Entry]]:
    """Wagers, each to the meter."""
    book, entries = Book(), []
    for number, units in enumerate(amounts):
        entry = book.next(
            f"2026-11-15T00:00:{number:02d}Z", f"c{number}", "wagers", {"seats": [1]}, [Transfer(PLAYERS, METER, units)]
        )
        book.add(entry)
        entries.append(entry)
    return book, entries


@given(accounts)
def test_an_account_reads_back_from_its_text(account: Account) -> None:
    assert Account.parse(str(account)) == account


@pytest.mark.parametrize("text", ["", "purse", "meter:", "Meter", "tray:Mega"])
def test_other_accounts_are_refused(text: str) -> None:
    if text == "meter:":
        assert Account.parse(text) == METER
        return
    with pytest.raises(NotationError):
        Account.parse(text)


@given(st.lists(st.integers(1, 10**12), min_size=1, max_size=30))
def test_all_balances_add_up_to_nothing(amounts: list[int]) -> None:
    book, _ = book_of(*amounts)
    assert sum(book.balances.values()) == 0
    assert book.balance(Purpose.METER) == sum(amounts)


def test_entries_read_back_from_json() -> None:
    _, entries = book_of(5, 7)
    again = Book()
    for entry in entries:
        read = Entry.of_json(json.loads(json.dumps(entry.as_json())))
        assert (read, read.digest) == (entry, entry.digest)
        again.add(read)
    assert again.balance(Purpose.METER) == 12


def test_money_that_is_not_there_is_not_moved() -> None:
    book, _ = book_of(5)
    with pytest.raises(NotationError, match="1 units below nothing"):
        book.next("2026-11-15T00:01:00Z", "c", "award", {}, [Transfer(METER, Account(Purpose.PENDING), 6)])


@pytest.mark.parametrize("units", [0, -1, MOST_UNITS + 1])
def test_impossible_amounts_are_refused(units: int) -> None:
    with pytest.raises(NotationError, match="A transfer is of more than nothing"):
        Book().next("2026-11-15T00:00:00Z", "c", "x", {}, [Transfer(PLAYERS, METER, units)])


def test_a_transfer_to_itself_is_refused() -> None:
    with pytest.raises(NotationError, match="to itself"):
        Book().next("2026-11-15T00:00:00Z", "c", "x", {}, [Transfer(TRAY, TRAY, 1)])


def test_a_clock_set_back_does_not_set_the_book_back() -> None:
    book, _ = book_of(5, 5)
    entry = book.next("1999-01-01T00:00:00Z", "c", "wagers", {}, [Transfer(PLAYERS, METER, 1)])
    assert entry.at == book.at


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"facts": {"seats": [2]}}, "was altered"),
        ({"transfers": (Transfer(PLAYERS, METER, 8),)}, "was altered"),
        ({"before": GENESIS}, "chain is broken"),
        ({"number": 3}, "is missing"),
        ({"command": "other"}, "was altered"),
        ({"at": "2026-11-14T00:00:00Z"}, "was altered"),
    ],
)
def test_whatever_is_changed_is_found(change: dict[str, object], words: str) -> None:
    _, (first, second) = book_of(5, 7)
    book = Book()
    book.add(first)
    with pytest.raises(RecordError, match=words):
        book.add(replace(second, **change))  # type: ignore[arg-type]


def test_an_entry_that_was_sealed_again_breaks_the_chain_after_it() -> None:
    _, (first, second) = book_of(5, 7)
    forged = replace(first, facts={"seats": [7]}).sealed()
    book = Book()
    book.add(forged)
    with pytest.raises(RecordError, match="chain is broken"):
        book.add(second)


def test_a_copy_of_the_entry_just_made_is_checked_like_any_other() -> None:
    book, _ = book_of(5)
    made = book.next("2026-11-15T00:01:00Z", "c", "wagers", {"seats": [1]}, [Transfer(PLAYERS, METER, 7)])
    for forged in (replace(made, facts={"seats": [2]}), replace(made, transfers=(Transfer(PLAYERS, METER, 8),))):
        assert forged.digest == made.digest
        with pytest.raises(RecordError, match="was altered"):
            book.add(forged)
    older = replace(made, at="1999-01-01T00:00:00Z").sealed()
    with pytest.raises(RecordError, match="older"):
        book.add(older)
    book.add(made)
    assert book.balance(Purpose.METER) == 12


def test_an_act_is_written_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealed, added and stored with the same text."""
    written: list[Any] = []

    def counted(value: Any, not_known: Collection[Any]) -> bytes:
        written.append(value)
        return write_out(value, not_known)

    monkeypatch.setattr("croupier.ledger.entry.write_out", counted)
    book = Book()
    made = book.next("2026-11-15T00:01:00Z", "c", "wagers", {"seats": [1]}, [Transfer(PLAYERS, METER, 7)])
    book.add(made)
    row = Row.of(made)
    assert len(written) == 1
    again = row.entry()
    Book().add(again)
    assert len(written) == 2
    assert row.body.encode() == canonical(made.body())


def test_a_draft_takes_the_digest_of_a_row_that_is_written_alike_to_the_last_byte() -> None:
    _, (_, second) = book_of(5, 7)
    book, _ = book_of(5)
    values = (second.at, second.command, second.kind, second.facts)
    assert not book.draft(*values, [Transfer(PLAYERS, METER, 8)]).seal_as(second.text(), second.digest)
    assert not book.draft(*values, second.transfers).seal_as(second.text() + b" ", second.digest)
    draft = book.draft(*values, second.transfers)
    assert draft.seal_as(second.text(), second.digest)
    assert (draft, draft.digest, draft.text()) == (second, second.digest, second.text())
    book.add(draft)
    assert book.digest == second.digest


def test_a_draft_that_nobody_sealed_is_not_added() -> None:
    book = Book()
    draft = book.draft("2026-11-15T00:01:00Z", "c", "wagers", {}, [Transfer(PLAYERS, METER, 7)])
    with pytest.raises(RecordError, match="was altered"):
        book.add(draft)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.text(st.characters(max_codepoint=127)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_the_canonical_text_is_what_pythons_json_writes(value: Any) -> None:
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert canonical(value) == expected.encode()


def test_the_canonical_text_of_every_ascii_character() -> None:
    text = "".join(map(chr, range(128)))
    assert canonical({text: text}) == json.dumps({text: text}, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "value", [0.5, 1.0, float("nan"), float("inf"), 1e22, [[{"a": -0.0}]], {"a": (1, 2.5)}, "\ud800", {1: 2}, object()]
)
def test_what_has_no_one_text_is_not_written(value: Any) -> None:
    """NaN least of all: msgspec would write it as null, and seal that."""
    with pytest.raises(NotationError, match="What a book keeps"):
        canonical({"facts": value})
    with pytest.raises(NotationError, match="What a book keeps"):
        canonical(value)


TYPES: dict[str, list[Any]] = {
    "number": [True, 1.0, "1", None, float("inf")],
    **{name: [5, None, []] for name in ("at", "command", "kind", "before", "digest")},
    "facts": [[], None, "x"],
    "transfers": [
        *(None, {}, "abc", [5], [["house", "meter"]], [["house", "meter", 5, 5]]),
        *([["house", "meter", units]] for units in (float("inf"), "5", 5.0, True, None)),
        *([[5, "meter", 5]], [[None, "meter", 5]], [[[], "meter", 5]], [[{}, "meter", 5]], [["gift", "meter", 5]]),
    ],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in TYPES.items() for value in values])
def test_an_entry_is_read_strictly_by_its_types(name: str, value: Any) -> None:
    _, [entry] = book_of(5)
    with pytest.raises(RecordError, match="cannot be read"):
        Entry.of_json({**entry.as_json(), name: value})


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_what_is_no_entry_at_all(value: Any) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        Entry.of_json(value)


@pytest.mark.parametrize("missing", ["number", "transfers", "digest"])
def test_an_entry_that_cannot_be_read_is_a_damaged_record(missing: str) -> None:
    _, [entry] = book_of(5)
    values = entry.as_json()
    del values[missing]
    with pytest.raises(RecordError, match="cannot be read"):
        Entry.of_json(values)
