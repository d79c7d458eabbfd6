"""A ledger file that is right is proved right; one that was touched anywhere is found at the row."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.balance import balance, read_day
from croupier.audit.export import export
from croupier.audit.recheck import LinkCheck
from croupier.audit.verify import Report, verify
from croupier.errors import CroupierError, NotationError, RecordError
from croupier.floor.link.link import Link, proof, redo
from croupier.ledger.entry import Entry, canonical
from croupier.ledger.rows import Row
from support.room import ONE_METER, STYLE_A, SUITED, THREE, THREE_METERS, TWO, LinkBook, with_level
from tests.audit.books import (
    BEFORE,
    MAIN,
    Kept,
    busy_floor,
    house_site,
    housed,
    ledger_file,
    raw,
    rechained,
    resealed,
    site_entries,
    written,
)

BUSY = busy_floor()
ENTRIES = BUSY.entries
CONFIGURATION = ENTRIES[-1].facts["configuration"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path / "main.jsonl", ENTRIES)


def found(path: Path, entries: list[Entry]) -> Report:
    return verify(written(path.with_name("wrong.jsonl"), entries))


# What is right


def test_a_right_file_is_proved(file: Path) -> None:
    report = verify(file)
    assert report.wrong == ""
    (book,) = report.books
    assert (book.stream, book.entries, book.days) == (MAIN, len(ENTRIES), 1)
    assert (book.awards, book.pays, book.games) == (2, 1, 16)
    assert book.proofs == (proof(BUSY.link, ""),)
    assert book.proofs[0].difference == 0
    assert json.loads(json.dumps(report.as_json()))["right"] is True


def test_entries_of_the_future_are_remarked_on_and_not_wrong(file: Path) -> None:
    report = verify(file, now="2026-11-15T19:59:59.000000Z")
    assert (report.right, len(report.remarks)) == (True, 1)
    assert "link:main has entries of the future: its last is of 2026-11-15T20:00:00Z" in report.remarks[0]
    assert verify(file, now="2026-11-15T20:00:01.000000Z").remarks == []


def test_site_and_links_in_one_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl.gz"
    export(Kept(link_main=busy_floor(housed()).entries, site=house_site()), ["site", MAIN], path)
    report = verify(path)
    assert (report.wrong, report.unproved) == ("", [])
    assert [book.entries for book in report.books] == [len(house_site()), len(ENTRIES)]


def test_a_file_without_an_entry_proves_nothing(tmp_path: Path) -> None:
    assert "nothing to prove" in verify(written(tmp_path / "empty.jsonl", [])).wrong


def test_an_empty_book_beside_another_is_right(tmp_path: Path) -> None:
    books = {MAIN: raw(ENTRIES), "link:new": []}
    path = ledger_file(tmp_path / "x.jsonl", books, CONFIGURATION)
    path.write_bytes(path.read_bytes().replace(*_new_has_no_configuration()))
    report = verify(path)
    assert report.wrong == ""
    assert (report.books[1].entries, report.books[1].days, report.books[1].proofs) == (0, 0, ())


def _new_has_no_configuration() -> tuple[bytes, bytes]:
    ending = f'"end": "link:new", "entries": 0, "digest": "{"0" * 64}", "configuration": '
    return f'{ending}"{CONFIGURATION}"'.encode(), f'{ending}""'.encode()


@pytest.mark.parametrize(
    "setup", [ONE_METER, THREE_METERS, STYLE_A, with_level(ONE_METER, maximum_cents=1_000_700)], ids=str
)
def test_the_quick_way_comes_to_what_the_entries_come_to(setup: Any) -> None:
    """Meters that reach their maximum included: every state on the way is the same."""
    floor = LinkBook(setup)
    for count in range(1, 9):
        floor.start(1, 1, 4)
        floor.start(2, *range(1, 1 + count % 4))
        if count > 3:
            floor.enter(1, 4, TWO)
        if count > 5:
            floor.enter(1, 1, THREE, cards="7d 7h 7s")
        floor.end(2)
        floor.end(1)
    check, link = LinkCheck("main"), Link("main")
    for entry, (digest, body) in zip(floor.entries, raw(floor.entries), strict=True):
        check.take(digest, body)
        link.apply(entry)
        if entry.number % 3 == 0:
            assert check.link.snapshot() == link.snapshot()
    assert check.link.snapshot() == link.snapshot() == floor.link.snapshot()


def test_every_row_is_decided_again_whatever_came_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = LinkBook()
    for _ in range(10):
        floor.start(1, 1, 4)
        floor.enter(1, 1, THREE, cards="7d 7h 7s")
        floor.enter(1, 4, TWO)
        floor.end(1)
    full: list[str] = []

    def counted(link: Link, row: Row, house: Any) -> Entry:
        full.append(row.kind)
        return redo(link, row, house)

    monkeypatch.setattr("croupier.audit.recheck.redo", counted)
    balance(MAIN, raw(floor.entries))
    assert full == [entry.kind for entry in floor.entries]


# Rows that were touched


@pytest.mark.parametrize("place", range(1, len(ENTRIES) + 1))
def test_any_altered_row_is_found_there(file: Path, place: int) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    lines[1 + place] = lines[1 + place].replace(b'"by":["', b'"by":["x', 1)
    file.write_bytes(b"".join(lines))
    report = verify(file)
    assert report.wrong_row == place
    assert "altered" in report.wrong


@pytest.mark.parametrize("place", range(1, len(ENTRIES)))
def test_a_missing_row_is_found_there(file: Path, place: int) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    del lines[1 + place]
    file.write_bytes(b"".join(lines))
    report = verify(file)
    assert (report.wrong_row, report.wrong_stream) == (place, MAIN)
    assert "missing" in report.wrong


def test_a_missing_last_row_is_found(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    del lines[-2]
    file.write_bytes(b"".join(lines))
    assert "rows are missing" in verify(file).wrong


@pytest.mark.parametrize("place", [3, 20, 25, 30])
def test_swapped_and_doubled_rows_are_found(file: Path, place: int) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    swapped = [*lines[: 1 + place], lines[2 + place], lines[1 + place], *lines[3 + place :]]
    file.write_bytes(b"".join(swapped))
    assert verify(file).wrong_row == place
    file.write_bytes(b"".join([*lines[: 2 + place], *lines[1 + place :]]))
    assert verify(file).wrong_row == place + 1


def _more(values: dict[str, Any]) -> None:
    values["transfers"][0][2] += 1_000_000


def _more_locked(values: dict[str, Any]) -> None:
    values["facts"]["held"][0]["cents"] += 1
    for transfer in values["facts"]["locked"]:
        transfer[2] += 1_000_000 if transfer[1] == "pending" else 0


def _table(values: dict[str, Any]) -> None:
    values["facts"]["table"] = 3


def _fact(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values["facts"].update({name: value})


def _field(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values.update({name: value})


CHEATS: dict[str, tuple[int, Callable[[dict[str, Any]], None]]] = {
    "a larger contribution": (3, _more),
    "a larger contribution, after the usual was seen": (25, _more),
    "no contribution": (25, _field("transfers", [])),
    "a wager for nothing": (25, _fact("wager_cents", 1)),
    "a seat more": (25, _fact("seats", [1, 2, 4])),
    "another table": (25, _table),
    "another game": (25, _fact("round", 99)),
    "a game by the auditor": (25, _fact("by", ["ann", "auditor"])),
    "an end by the auditor": (27, _fact("by", ["ann", "auditor"])),
    "the end of another game": (27, _fact("round", 99)),
    "the end of a table that plays no game": (27, _table),
    "an end that moves money": (27, _field("transfers", [["house", "meter", 5]])),
    "a larger award": (5, lambda values: values["facts"]["held"][0].update(cents=2_000_000)),
    "a larger award with its money": (5, _more_locked),
    "another share": (17, lambda values: values["facts"]["held"][0].update(share="1/2")),
    "more paid than held": (7, _more),
    "the wrong card": (7, _fact("by", ["sue", "supervisor"])),
    "a larger fixed pay": (8, _fact("cents", 999_999)),
    "a void by a dealer": (14, _fact("by", ["ann", "dealer"])),
    "an adjustment by one person": (46, _fact("second", ["max", "manager"])),
    "a configuration nobody signed": (47, _fact("configuration", "0" * 64)),
    "a meter below nothing": (46, lambda values: values["transfers"][0].__setitem__(2, 2**60)),
    "an unknown kind": (30, _field("kind", "gift")),
    "a time of another form": (25, _field("at", "2026-11-15 20:00:01")),
    "a day that is none": (25, _field("at", "2026-11-31T20:00:01.000000Z")),
    "an hour that is none": (25, _field("at", "2026-11-15T24:00:01.000000Z")),
    "notes that say nothing": (25, _fact("notes", {})),
    "a fact more": (25, _fact("tip", 5)),
    "a clock set back": (25, _field("at", "2026-11-14T20:00:00.000000Z")),
    "an id that cannot be": (25, _field("command", "x" * 65)),
    "an id that was used": (25, _field("command", "c21")),
    "an id that was used, in full": (8, _field("command", "c3")),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_book_sealed_anew_is_found_at_the_cheat(tmp_path: Path, cheat: str) -> None:
    """All digests are right, so only the rules can tell."""
    place, change = CHEATS[cheat]
    report = found(tmp_path / "x", resealed(ENTRIES, place, change))
    assert report.wrong_row == place, report.wrong
    assert not report.right
    assert report.as_json()["wrong"]["row"] == place


def _in(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda body: body.replace(old, new, 1)


OTHER_TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "a space": _in(b",", b", "),
    "a space at the end": lambda body: body + b" ",
    "a number with a point": _in(b'"round":4', b'"round":4.0'),
    "a number with an exponent": _in(b'"wager_cents":500', b'"wager_cents":5e2'),
    "a letter spelled out": _in(b'"ann"', b'"\\u0061nn"'),
    "a letter of the id spelled out": _in(b'"command":"c', b'"command":"\\u0063'),
    "a slash escaped": _in(b'"command":"c', b'"command":"\\/c'),
    "an id beyond ASCII as it is": _in(b'"command":"c', '"command":"\u00e9'.encode()),
    "a name twice, the first is right": _in(b'"round":4', b'"round":4,"round":9'),
    "a name twice, the last is right": _in(b'"round":4', b'"round":9,"round":4'),
    "the time twice": _in(b'{"at"', b'{"at":"2026-11-15T20:00:00.000001Z","at"'),
    "another order": _in(b'"kind":"start","number":25', b'"number":25,"kind":"start"'),
    "a field more": _in(b'"kind"', b'"jind":1,"kind"'),
    "a fact more": _in(b'"by"', b'"bx":1,"by"'),
    "a fact of other rows": _in(b',"round"', b',"cents":5,"round"'),
    "a fact of other rows that is nothing": _in(b',"round"', b',"cents":null,"round"'),
    "a seat that is true": _in(b'"seats":[1,', b'"seats":[true,'),
    "a round that is a text": _in(b'"round":4', b'"round":"4"'),
    "an amount with a point": _in(b"000000]", b"000000.0]"),
    "an empty id": lambda body: re.sub(rb'"command":"[^"]*"', b'"command":""', body),
    "an unprintable id": _in(b'"command":"c', b'"command":"\\n'),
    "a delete in the id": _in(b'"command":"c', b'"command":"\x7f'),
    "no text at all": lambda body: b"\xff" + body,
}


@pytest.mark.parametrize("other", OTHER_TEXTS)
def test_a_row_in_another_text_than_the_canonical_is_found(other: str) -> None:
    """Sealed anew with its digest right, amid games that are alike."""
    rows, place = raw(ENTRIES), 25
    body = OTHER_TEXTS[other](rows[place - 1][1])
    assert b'"round":4' in rows[place - 1][1]
    assert body != rows[place - 1][1]
    rows[place - 1] = sha256(body).hexdigest(), body
    with pytest.raises(RecordError, match="Entry 25 of the book"):
        balance(MAIN, rows[:place])


@pytest.mark.parametrize("more", [b'"cents":5,', b'"cards":"7d",', b'"line":"Three 7\'s",', b'"parts":[],'])
def test_an_end_with_a_fact_of_other_rows_is_found(more: bytes) -> None:
    rows, place = raw(ENTRIES), 27
    body = rows[place - 1][1].replace(b'"round"', more + b'"round"', 1)
    assert b'"kind":"end"' in body
    rows[place - 1] = sha256(body).hexdigest(), body
    with pytest.raises(RecordError, match="Entry 27 of the book"):
        balance(MAIN, rows[:place])


def test_cards_are_held_against_the_other_hands_of_the_game(tmp_path: Path) -> None:
    """Two seats cannot have seen two up cards, though each hand by itself was seen before."""
    floor = LinkBook()
    for _ in range(2):
        for cards in ("7d 7h Ks", "7d 7h Qs"):
            floor.start(1, 1, 4)
            floor.enter(1, 4, TWO)
            last = floor.enter(1, 1, TWO, cards=cards)
            floor.end(1)
    floor.start(1, 1, 4)
    floor.enter(1, 4, TWO, cards="7d 7h Ks")
    last = floor.enter(1, 1, TWO, cards="7d 7h Ks")
    assert found(tmp_path / "x", floor.entries).right
    forged = resealed(floor.entries, last, _fact("cards", "7d 7h Qs"))
    assert found(tmp_path / "x", forged).wrong_row == last


def _units(text: str) -> Callable[[bytes], bytes]:
    return lambda body: re.sub(rb'("transfers":\[\["\w+","\w+",)\d+', rb"\g<1>" + text.encode(), body, count=1)


def _whole(name: str, text: str) -> Callable[[bytes], bytes]:
    """Another value for a field of the row."""

    def change(body: bytes) -> bytes:
        parts = {
            key: json.dumps(value, sort_keys=True, separators=(",", ":")) for key, value in json.loads(body).items()
        }
        parts[name] = text
        return ("{" + ",".join(f'"{key}":{value}' for key, value in sorted(parts.items())) + "}").encode()

    return change


PAID = {
    "a larger pay": _fact("cents", 12_501),
    "more money": _more,
    "another seat": _fact("seat", 2),
    "another game": _fact("round", 99),
    "another table": _table,
    "another hand": _fact("line", "Three 7's"),
    "a fact of starts": _fact("wager_cents", 500),
    "seats": _fact("seats", [4]),
    "no parts": lambda values: values["facts"].pop("parts"),
    "parts": _fact("parts", [1]),
    "by an auditor": _fact("by", ["ann", "auditor"]),
    "cards of another hand": lambda values: values["facts"].update(cards="7d 7h 8s", cards_make="Three 7's"),
}


@pytest.mark.parametrize("cheat", PAID)
def test_a_fixed_pay_that_is_not_the_usual_one_is_found(tmp_path: Path, cheat: str) -> None:
    floor = LinkBook()
    for _ in range(5):
        floor.start(1, 1, 4)
        last = floor.enter(1, 4, TWO)
        floor.end(1)
    assert found(tmp_path / "x", floor.entries).right
    assert found(tmp_path / "x", resealed(floor.entries, last, PAID[cheat])).wrong_row == last


def test_an_id_used_twice_is_found_before_what_is_wrong_later(tmp_path: Path) -> None:
    twice = resealed(ENTRIES, 25, _field("command", "c21"))
    report = found(tmp_path / "x", resealed(twice, 30, _field("kind", "gift")))
    assert report.wrong_row == 25
    assert "twice" in report.wrong


def test_a_site_sealed_anew_is_found(tmp_path: Path) -> None:
    wrong = resealed(site_entries(), 2, _fact("by", "sue"))
    path = tmp_path / "site.jsonl"
    export(Kept(site=wrong), ["site"], path)
    report = verify(path)
    assert (report.wrong_stream, report.wrong_row) == ("site", 2)


# Files that are none


def test_a_truncated_file_is_found_wherever_it_ends(file: Path) -> None:
    whole = file.read_bytes()
    for end in {*range(1, len(whole), 977), len(whole) - 1}:
        file.write_bytes(whole[:end])
        report = verify(file)
        assert not report.right, end


def test_a_truncated_packed_file_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl.gz", ENTRIES)
    whole = path.read_bytes()
    for end in (3, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        assert "cut short" in verify(path).wrong


def _header(**changes: Any) -> bytes:
    first = {"format": "croupier-ledger", "version": 1, "streams": [MAIN], "keys": [], "checkpoints": 0}
    return json.dumps({**first, **changes}).encode() + b"\n"


def test_what_comes_after_the_end_is_found(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"{}\n")
    assert "after the end" in verify(file).wrong


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cut short"),
        (b"hello\n", "no exported ledger"),
        (b"\x00\xff", "no exported ledger"),
        (b"[1]\n", "no exported ledger"),
        (b'{"format":"croupier-ledger","version":2}\n', "version 2"),
        (b'{"format":"croupier-ledger","version":1}\n', "which books"),
        (
            b'{"format":"croupier-ledger","version":1,"streams":["x"],"keys":[],"checkpoints":0}\n{"stream":"x"}\n',
            "'x'",
        ),
        (_header(), "cut short"),
        (_header(checkpoints=1) + b"{}\n", "checkpoint"),
        (_header(checkpoints=-1), "0 to 100,000"),
        (_header(checkpoints=10**18), "0 to 100,000"),
        (_header(version=True), "version True"),
        (_header(version=1.0), "version 1.0"),
        (_header(streams=[]), "holds 0 books"),
        (_header(streams=[MAIN, MAIN]), "a book twice"),
        (_header(streams=["link:"]), "no book of a site or a link"),
        (_header(streams=["link:\ud800"]), "no book of a site or a link"),
        (_header(streams=["link:x\x1b[2J\rall is right"]), "no book of a site or a link"),
        (gzip.compress(b"hello\n", mtime=0), "no exported ledger"),
    ],
)
def test_a_foreign_file_is_said_to_be_one(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert words in verify(path).wrong


STRANGE: dict[str, Callable[[bytes], bytes]] = {
    **{
        f"units {text[:12]!r}": _units(text)
        for text in (
            *(
                "1e400",
                "-1e400",
                "Infinity",
                "NaN",
                '"5"',
                "5.0",
                "5e0",
                "05",
                "-0",
                "true",
                "null",
                "[5]",
                "9" * 5_000,
            ),
            *("9" * 30, "-5", "0"),
        )
    },
    **{
        f"an account {text}": _in(b'["players",', b"[%s," % text.encode())
        for text in ("5", "null", "[]", "{}", '"gift"', '"players:x"', '"\\ud800"', '"meter:\\u001b[2J"')
    },
    **{
        f"transfers {text}": _whole("transfers", text)
        for text in ('"abc"', "null", '{"a":1}', "[5]", "[[]]", '[["house","meter"]]', '[["house","meter",5,5]]')
    },
    **{f"facts {text}": _whole("facts", text) for text in ("[]", "null", '"x"', "5", "{}", '{"by":[]}', '{"by":{}}')},
    **{
        f"a fact of {text[:12]}": _in(b'"facts":{', b'"facts":{"aa":%s,' % text.encode())
        for text in ("1e400", "NaN", "Infinity", "0.5", '"\\ud800"', "[" * 5_000 + "]" * 5_000, "9" * 5_000)
    },
    **{
        f"notes of {text[:12]}": _in(b'"round"', b'"notes":%s,"round"' % text.encode())
        for text in ("1e400", "0.5", '{"a":NaN}', '"\\ud800"', '{"\\ud800":1}', '{"a":' * 2_000 + "1" + "}" * 2_000)
    },
    **{f"a {name} of 1e400": _whole(name, "1e400") for name in ("number", "at", "kind", "command", "before")},
    "a number that is true": _whole("number", "true"),
    "no digest before": lambda body: BEFORE.sub(b'"before":5', body),
}


@pytest.mark.parametrize("place", [3, 25])
@pytest.mark.parametrize("strange", STRANGE)
def test_a_strange_row_is_found_and_never_raises(tmp_path: Path, strange: str, place: int) -> None:
    """In the first game, and in one that is like others before it."""
    bodies = [body for _, body in raw(ENTRIES)]
    bodies[place - 1] = STRANGE[strange](bodies[place - 1])
    report = verify(ledger_file(tmp_path / "x.jsonl", {MAIN: rechained(bodies)}, CONFIGURATION))
    assert (report.wrong_stream, report.wrong_row) == (MAIN, place), report.wrong
    assert report.wrong.isprintable()
    json.dumps(report.as_json(), ensure_ascii=False).encode()


JUNK: list[Any] = [None, [], {}, "x", -1, True, 10**30, [[]], {"a": []}, "1/0", [None, None], "x" * 600, "\x1b[2J"]


FREE = {("by", 0), ("second", 0), ("reason",), ("text",)}
"""Names and words, which the rules of a link alone do not look behind."""
NO_AWARD = ("adjust", ("award",), None)
"""An adjustment need not be about an award."""


def test_junk_in_any_fact_of_any_kind_is_found_at_its_row() -> None:
    """Every kind of entry, every value in it: whatever is put there, the row is refused, and nothing else happens."""
    bodies, seen = [body for _, body in raw(ENTRIES)], set[str]()
    for place, body in enumerate(bodies):
        values = json.loads(body)
        if values["kind"] in seen:
            continue
        seen.add(values["kind"])
        before, _ = balance(MAIN, rechained(bodies[:place]))
        deepcopy(before).take(sha256(body).hexdigest(), body)  # as it is, it is right
        for path in _paths(values["facts"]):
            for junk in JUNK:
                changed = _put(json.loads(body), ("facts", *path), junk)
                allowed = (path in FREE and junk in ("x", "1/0")) or (values["kind"], path, junk) == NO_AWARD
                if changed != values and not allowed:
                    text = canonical(changed)
                    with pytest.raises(RecordError, match=f"Entry {place + 1} of the book"):
                        deepcopy(before).take(sha256(text).hexdigest(), text)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """To every value of facts, and to the first two of every list; a setup's own reading is tested with setups."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for name, each in inner:
        if name not in ("setup", "proof", "old", "new"):
            yield from _paths(each, (*path, name))


def _put(values: Any, path: tuple[Any, ...], junk: Any) -> Any:
    place = values
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = junk
    return values


def test_rows_that_are_no_rows(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for nonsense in (b"\n", b"{}\n", b"nonsense\n", b'{"digest":"x","row":1}\n', b"[" * 100_000 + b"\n"):
        file.write_bytes(b"".join([*lines[:5], nonsense, *lines[6:]]))
        report = verify(file)
        assert report.wrong_row == 4, report.wrong


def test_no_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(CroupierError, match="no file"):
        verify(tmp_path / "nothing")
    with pytest.raises(CroupierError, match="cannot be read"):
        verify(tmp_path)


# For a day


def _two_days() -> list[Entry]:
    floor = LinkBook()
    for at in ("2026-11-15T23:59:59.999999Z", "2026-11-16T00:00:00.000000Z", "2026-11-18T12:00:00.000000Z"):
        for act in ("start", "end"):
            entry = getattr(floor, act)(*((1, 4) if act == "start" else (1,)))
            floor.entries[-1] = replace(entry, at=at)
    return resealed(floor.entries, 1, lambda _: None)


def test_the_balance_of_a_day_opens_with_the_day_before() -> None:
    rows = raw(_two_days())
    contributed = 500 * 230_000
    for day, entries, opening, flow in (
        *(("2026-11-14", 0, None, 0), ("2026-11-15", 4, 0, contributed)),
        *(("2026-11-16", 6, 10**12 + contributed, contributed), ("2026-11-17", 6, 10**12 + 2 * contributed, 0)),
        *(("2026-11-18", 8, 10**12 + 2 * contributed, contributed), ("2026-12-31", 8, 10**12 + 3 * contributed, 0)),
    ):
        check, proofs = balance(MAIN, rows, day, str(date.fromisoformat(day) + timedelta(days=1)))
        assert check.entries == entries
        if opening is None:
            assert proofs == ()
        else:
            assert (proofs[0].opening, proofs[0].flows["contributions"], proofs[0].difference) == (opening, flow, 0)  # type: ignore[index]
    assert balance(MAIN, rows)[1][0].meter == 10**12 + 3 * contributed


def test_an_altered_row_has_no_balance() -> None:
    rows = raw(ENTRIES)
    rows[9] = (rows[9][0], rows[9][1] + b" ")
    with pytest.raises(RecordError, match="Entry 10"):
        balance(MAIN, rows)


@pytest.mark.parametrize("text", ["", "today", "2026-13-01", "20261115", "2026-W46-7", "2026-11-15T00"])
def test_a_day_that_is_none(text: str) -> None:
    with pytest.raises(NotationError, match="is no day"):
        read_day(text)


def test_the_meter_is_named_that_an_award_emptied() -> None:
    floor = LinkBook(THREE_METERS)
    floor.start(1, 1)
    with pytest.raises(CroupierError):
        floor.enter(1, 1, SUITED + "?")
    assert all(each.difference == 0 for each in balance(MAIN, raw(floor.entries))[1])
