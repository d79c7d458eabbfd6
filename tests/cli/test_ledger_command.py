"""`croupier ledger` from end to end: exported, verified, balanced, explained, signed; and what is wrong, said."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all, sentence_of
from croupier.compliance.profile import Lawful
from croupier.errors import CroupierError, NotationError, RecordError, UnknownName
from croupier.floor.link.acts import Adjust
from croupier.ledger.anchor import Anchor, SignedAnchor
from croupier.ledger.checkpoint import new_key, public_hex
from croupier.ledger.entry import Purpose
from croupier.store.marks import Marks
from croupier.store.store import StoreError, open_store
from support.room import MANAGER, OTHER_MANAGER, cut_book
from tests.audit.books import MAIN, busy_floor, house_site, housed, ledger_file, raw, resealed, written
from tests.cli.support import refused

register_all()

ENTRIES = busy_floor(housed()).entries
DAY = "2026-11-15"
CLOCK = ":00:00.000000Z"


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path}/floor.db"
    with open_store(made) as store:
        store.append("link:main", ENTRIES)
        store.append("site", house_site())
    return made


@pytest.fixture
def file(tmp_path: Path, url: str) -> Path:
    path = tmp_path / "ledger.jsonl.gz"
    run("export", "--store", url, "-o", str(path))
    return path


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["ledger", *words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.output


def run_json(*words: str, code: int = 0) -> Any:
    return json.loads(run(*words, "--json", code=code))


def test_an_export_verifies(file: Path) -> None:
    said = run("verify", str(file))
    for words in (
        *(
            f"link:main: {len(ENTRIES)} entries, 1 day (UTC)",
            "every act decided again",
            "2 awards of",
            "1 fixed pay of $125",
        ),
        *("difference", "$0.00", "is right: zero differences", "site: 9 entries", "no checkpoints"),
        *("everybody who signed was enrolled", "unsigned: whoever held the store", "below a cent, not displayed"),
    ):
        assert words in said
    assert "NOT PROVED" not in said
    found = run_json("verify", str(file), "--strict")
    assert (found["right"], found["books"][1]["levels"][0]["difference"]) == (True, 0)


def test_what_is_not_proved_is_said_and_strict_ends_with_1(tmp_path: Path, url: str) -> None:
    path = str(tmp_path / "main.jsonl")
    run("export", "--store", url, "--link", "main", "-o", path)
    said = run("verify", path)
    assert "NOT PROVED: people: the site's book is not in the file" in said
    assert "is right in what it can prove" in said
    assert "NOT PROVED" in run("verify", path, "--strict", code=1)
    assert run_json("verify", path, "--strict", code=1)["proved_in_full"] is False


def test_a_cut_file_has_no_balance_and_no_award(tmp_path: Path) -> None:
    """Its rows are right as far as they go; the file says that there were more."""
    path = ledger_file(tmp_path / "cut.jsonl", {MAIN: raw(ENTRIES)}, ENTRIES[-1].facts["configuration"])
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-3], lines[-1]]))
    for words in (("balance",), ("explain", "5")):
        with pytest.raises(RecordError, match="rows are missing"):
            run(*words, "--store", str(path))
    path.write_bytes(b"".join(lines[:-1]))
    for words in (("balance",), ("explain", "5")):
        with pytest.raises(RecordError, match="cut short"):
            run(*words, "--store", str(path))


def test_a_forged_file_has_no_balance_and_no_award(tmp_path: Path) -> None:
    forged = resealed(ENTRIES, 5, lambda values: values["facts"]["held"][0].update(cents=9_999_999))
    path = ledger_file(tmp_path / "forged.jsonl", {MAIN: raw(forged)}, ENTRIES[-1].facts["configuration"])
    for words in (("balance",), ("explain", "5")):
        with pytest.raises(RecordError, match="Entry 5 of the book"):
            run(*words, "--store", str(path))


def test_nothing_from_a_file_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    kind = resealed(ENTRIES, 9, lambda values: values.update(kind="\x1b[2J\rall is right"))
    path = ledger_file(tmp_path / "x.jsonl", {MAIN: raw(kind)})
    said = run("verify", str(path), code=1)
    assert said.rstrip("\n").isprintable()
    assert "\\x1b[2J" in said
    with pytest.raises(RecordError) as found:
        run("balance", "--store", str(path))
    assert str(found.value).isprintable()


def test_a_wrong_row_is_said_and_ends_with_1(tmp_path: Path, url: str) -> None:
    path = tmp_path / "main.jsonl"
    assert run_json("export", "--store", url, "--link", "main", "-o", str(path))[0]["entries"] == len(ENTRIES)
    path.write_bytes(path.read_bytes().replace(b'"command":"c9"', b'"command":"c0"'))
    assert "WRONG: link:main, row 9: Entry 9 of the book was altered" in run("verify", str(path), code=1)
    assert run_json("verify", str(path), code=1)["wrong"]["row"] == 9


def test_all_books_are_exported_up_to_one_moment(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is entered while the export runs is for the next one: nobody in a link is newer than the site."""
    monkeypatch.setattr("croupier.store.sqlite.SqliteStore.ends", lambda _: {"link:main": 5, "site": 9})
    path = str(tmp_path / "x.jsonl")
    assert [each["entries"] for each in run_json("export", "--store", url, "-o", path)] == [9, 5]


@pytest.mark.parametrize("source", ["url", "file"])
def test_balances_from_store_and_file_are_the_same(source: str, request: pytest.FixtureRequest) -> None:
    where = str(request.getfixturevalue(source))
    (level,) = run_json("balance", "--store", where, "--link", "main", "--day", DAY)["levels"]
    assert (level["difference"], level["opening"]) == (0, 0)
    assert level["meter"] == sum(
        level[name] for name in ("contributions", "seed", "reserve", "adjustments", "awards", "overflow", "added")
    )
    said = run("balance", "--store", where)
    for words in ("opening", "contributions", "seed", "awards", "adjustments", "meter", "difference", "$0.00"):
        assert words in said
    assert "link:main, all time" in said


@pytest.mark.parametrize("source", ["url", "file"])
def test_an_award_is_explained_from_store_and_file(source: str, request: pytest.FixtureRequest) -> None:
    where = str(request.getfixturevalue(source))
    assert "$10,003.45, confirmed with an executive's card" in run("explain", "5", "--store", where, "--link", "main")
    assert run_json("explain", "5", "--store", where)["cents"] == 1_000_345


def test_a_day_is_signed_and_the_export_proves_it(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.cli.ledger.utc_now", lambda: "2026-11-16T01:00:00.000000Z")
    key, days, path = (str(tmp_path / name) for name in ("site.pem", "days.jsonl", "signed.jsonl"))
    assert "for its owner only" in run("key", "new", key)
    sign = ("checkpoint", "--store", url, "--link", "main", "--key", key, "-o", days)
    assert "signed" in run(*sign, "--day", DAY)
    run("export", "--store", url, "-o", path, "--checkpoints", days)
    assert "no checkpoint of site" in run("verify", path, "--key", key + ".pub", code=1)
    assert "site at the end of" in run("checkpoint", "--store", url, "--site", "--key", key, "-o", days, "--day", DAY)
    run("export", "--store", url, "-o", path, "--checkpoints", days)
    said = run("verify", path, "--key", key + ".pub")
    assert "2 signed checkpoints agree" in said
    assert f"signed to {DAY}, entry {len(ENTRIES)}, by the key" in said
    assert "no entry comes after it" in said
    with pytest.raises(NotationError, match="do not go together"):
        run(*sign, "--site", "--day", DAY)
    run("key", "new", key + "2")
    assert "another key" in run("verify", path, "--key", key + "2.pub", code=1)
    for day, words in ((DAY, "already"), ("2026-11-14", "no entries"), ("2026-11-16", "not over"), ("x", "no day")):
        with pytest.raises(CroupierError, match=words):
            run(*sign, "--day", day)


def test_a_store_that_is_behind_its_marks_is_read_with_a_warning(tmp_path: Path, url: str) -> None:
    file = Path(url.removeprefix("sqlite:///"))
    with closing(Marks(file.with_name(file.name + ".marks"))) as marks:
        marks.keep("link:main", len(ENTRIES), ENTRIES[-1].digest)
    assert "warning" not in run("export", "--store", url, "-o", str(tmp_path / "whole.jsonl"))
    cut_book(file, "link:main", 1)
    said = run("export", "--store", url, "-o", str(tmp_path / "short.jsonl"))
    assert "warning" in said
    assert f"is shorter, it ends at entry {len(ENTRIES) - 1}" in said


def test_anchors_find_an_end_that_was_cut_off(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is whole in itself, without its last entries and without the checkpoint that signed them."""
    monkeypatch.setattr("croupier.cli.ledger.utc_now", lambda: "2026-11-16T01:00:00.000000Z")
    key, days, whole, short = (
        str(tmp_path / name) for name in ("site.pem", "days.jsonl", "whole.jsonl", "short.jsonl")
    )
    run("key", "new", key)
    run("checkpoint", "--store", url, "--link", "main", "--key", key, "-o", days, "--day", DAY)
    run("export", "--store", url, "-o", whole)
    assert "1 anchor met" in run("verify", whole, "--anchors", days)
    assert run_json("verify", whole, "--anchors", days)["anchors"] == 1
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a day.jsonl").write_bytes(Path(days).read_bytes())
    assert "1 anchor met" in run("verify", whole, "--anchors", days, "--anchors", str(tmp_path / "kept"))
    cut_book(Path(url.removeprefix("sqlite:///")), "link:main", 1)
    run("export", "--store", url, "-o", short)
    assert "is right" in run("verify", short)
    said = run("verify", short, "--anchors", days, code=1)
    assert f"is of entry {len(ENTRIES)}, and the book ends at {len(ENTRIES) - 1}" in said
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(CroupierError, match="holds no checkpoint"):
        run("verify", short, "--anchors", str(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("verify", "nothing.jsonl"), CroupierError),
        (("balance", "--store", "nothing.jsonl"), CroupierError),
        (("balance", "--store", "URL", "--link", "mian"), UnknownName),
        (("balance", "--store", "URL", "--day", "yesterday"), NotationError),
        (("balance", "--store", "URL", "--day", "2020-01-01"), CroupierError),
        (("balance", "--store", "mysql://x"), NotationError),
        (("balance", "--store", "sqlite:///nothing.db"), StoreError),
        (("export", "--store", "URL", "--link", "x", "-o", "out.jsonl"), UnknownName),
        (("export", "--store", "URL", "-o", "/"), CroupierError),
        (("export", "--store", "URL", "-o", "out.jsonl", "--checkpoints", "none"), CroupierError),
        (("explain", "0", "--store", "URL"), NotationError),
        (("explain", "6", "--store", "URL"), CroupierError),
        (("explain", "5", "--store", __file__), RecordError),
        (("key", "new", "/nowhere/at/all"), CroupierError),
    ],
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...], kind: type[Exception], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(kind) as found:
        run(*(url if word == "URL" else word for word in words))
    assert str(found.value).count("\n") == 0
    assert sorted(tmp_path.iterdir()) == before


def test_of_two_links_one_is_named(tmp_path: Path, url: str) -> None:
    with open_store(url) as store:
        store.append("link:other", ENTRIES[:1])
    with pytest.raises(NotationError, match="--link"):
        run("balance", "--store", url)
    path = tmp_path / "all.jsonl"
    run("export", "--store", url, "-o", str(path))
    assert "link:main" in run("balance", "--store", str(path), "--link", "main")
    assert "link:other, row 1" in run("verify", str(path), code=1)


# What is written, and what never is


def test_an_export_never_costs_the_store_or_a_key(tmp_path: Path, url: str) -> None:
    run("key", "new", str(tmp_path / "site.pem"))
    for name in ("floor.db", "floor.db-wal", "site.pem"):
        before = (tmp_path / name).read_bytes() if (tmp_path / name).exists() else None
        for force in ((), ("--force",)):
            with pytest.raises(CroupierError, match="nothing is written there"):
                run("export", "--db", url, "--out", str(tmp_path / name), *force)
        assert ((tmp_path / name).read_bytes() if before is not None else None) == before


def test_another_file_is_written_over_only_by_force(tmp_path: Path, url: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("what I must not forget")
    with pytest.raises(CroupierError) as refusal:
        run("export", "--db", url, "-o", str(path))
    assert "export --force writes over it" in sentence_of(refusal.value)
    assert path.read_text() == "what I must not forget"
    run("export", "--db", url, "-o", str(path), "--force")
    run("export", "--db", url, "-o", str(path))
    assert "is right" in run("verify", str(path))


def test_a_checkpoint_is_not_added_to_the_store_or_a_lease(tmp_path: Path, url: str) -> None:
    key, lease = tmp_path / "site.pem", tmp_path / "floor.db.link-main.1.lease"
    run("key", "new", str(key))
    lease.touch()
    for name in (tmp_path / "floor.db", lease, key):
        before = name.read_bytes()
        with pytest.raises(CroupierError, match="nothing is written there"):
            run("checkpoint", "--db", url, "--day", DAY, "--key", str(key), "-o", str(name))
        assert name.read_bytes() == before


# What is said


def test_the_site_s_clock_is_on_the_page_where_its_book_is_there(tmp_path: Path) -> None:
    changed = resealed(house_site(), 1, lambda values: values["facts"].update(zone="America/Los_Angeles"))
    url, path, alone = f"sqlite:///{tmp_path}/x.db", str(tmp_path / "x.jsonl"), str(tmp_path / "alone.jsonl")
    with open_store(url) as store:
        store.append("link:main", ENTRIES)
        store.append("site", changed)
    run("export", "--db", url, "-o", path)
    run("export", "--db", url, "-o", alone, "--link", "main")
    for source in (url, path):
        assert "2026-11-15 at 12:00:00 PST (America/Los_Angeles)" in run("explain", "5", "--db", source)
    assert "2026-11-15 at 20:00:00 UTC" in run("explain", "5", "--db", alone)


def test_adjustments_that_cancel_out_are_shown_in_and_out(tmp_path: Path) -> None:
    floor = busy_floor()
    there: dict[str, Any] = {"level": "", "reason": Lawful.MALFUNCTION, "cents": 500, "text": "A sensor."}
    floor.do(Adjust, by=MANAGER, second=OTHER_MANAGER, source=Purpose.HOUSE, target=Purpose.METER, **there)
    path = str(written(tmp_path / "x.jsonl", floor.entries))
    said = run("balance", "--db", path, "--day", DAY)
    assert re.search(r"adjustments in +\$5\.00", said)
    assert re.search(r"adjustments out +-\$5\.00", said)
    assert f"gaming day {DAY} (days begin at 06:00, America/Los_Angeles)" in said
    found = run_json("balance", "--db", path)
    assert (found["unit"], found["adjustments"]) == ("1e-6 cent", 2)
    (level,) = found["levels"]
    assert (level["adjustments"], level["adjustments_in"], level["adjustments_out"]) == (0, 500_000_000, -500_000_000)
    assert re.search(r"adjustments +\$0\.00", run("verify", path))
    assert run_json("balance", "--db", path, "--day", "2026-11-16")["adjustments"] == 0


def test_a_day_is_the_sites_gaming_day_as_in_the_reports(file: Path, url: str) -> None:
    """The book is of eight in the evening by the site's clock, and its days begin at six."""
    for where in (url, str(file)):
        found = run_json("balance", "--store", where, "--day", DAY)
        assert (found["zone"], found["from"], found["until"]) == ("UTC", f"{DAY}T06{CLOCK}", f"2026-11-16T06{CLOCK}")
        assert found["entries"] == len(ENTRIES)
        assert found["levels"] == run_json("balance", "--store", where)["levels"]
        early = run_json("balance", "--store", where, "--day", "2026-11-14", "--day-begins", "21")
        assert early["levels"] == found["levels"]  # as if days began at nine in the evening
        later = run_json("balance", "--store", where, "--day", DAY, "--zone", "Asia/Tokyo", "--day-begins", "0")
        assert later["entries"] == 0  # in Tokyo it was the next day already


def test_one_is_not_many(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.cli.ledger.utc_now", lambda: "2026-11-16T01:00:00.000000Z")
    key, days, path = (str(tmp_path / name) for name in ("site.pem", "days.jsonl", "signed.jsonl"))
    run("key", "new", key)
    run("checkpoint", "--db", url, "--link", "main", "--day", DAY, "--key", key, "-o", days)
    run("export", "--db", url, "-o", path, "--checkpoints", days)
    assert "1 signed checkpoint agrees." in run("verify", path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("balance", "--db", "floor.db"), "'floor.db' is a store, not an exported ledger: .* sqlite:///floor.db"),
        (("balance", "--db", "typo.db"), "not there .*sqlite:///typo.db"),
        (("export", "--db", "floor.db", "-o", "x"), "write sqlite:///floor.db"),
        (("export", "--db", "ledger.jsonl.gz", "-o", "x"), "is an exported ledger, and this needs the store"),
        (("export", "--db", "sqlite:///floor.db", "-o", "no/x"), "There is no folder 'no'"),
        (("verify", "."), "is a directory"),
        (("verify", "x", "--key", "."), "is a directory"),
        (("export", "--db", "sqlite:///floor.db", "-o", "x", "--checkpoints", "."), "is a directory"),
    ],
)
def test_a_sentence_says_what_to_write_and_nothing_of_the_system(
    words: tuple[str, ...], said: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(CroupierError, match=said) as found:
        run(*words)
    assert "Errno" not in str(found.value)


def test_a_store_without_guards_is_read_with_a_warning_and_not_signed(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "floor.db")) as db, db:
        names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'entry'").fetchall()
        db.execute(f"DROP TRIGGER {names[0][0]}")
    for words in (("balance",), ("explain", "5"), ("export", "-o", str(tmp_path / "x.jsonl"))):
        result = CliRunner().invoke(app, ["ledger", *words, "--db", url], catch_exceptions=False)
        assert result.exit_code == 0
        assert "croupier: warning: The store floor.db is not guarded" in result.stderr
        assert "not guarded" not in result.stdout
    run("key", "new", str(tmp_path / "site.pem"))
    with pytest.raises(StoreError, match="not guarded"):
        run("checkpoint", "--db", url, "--day", DAY, "--key", str(tmp_path / "site.pem"), "-o", str(tmp_path / "d"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_whoever_has_read_enough_is_not_told_that_it_is_wrong(file: Path, form: tuple[str, ...]) -> None:
    code = "from croupier.cli.app import main; main()"
    words = [sys.executable, "-c", code, "ledger", "verify", str(file), *form]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == -signal.SIGPIPE


# Signing elsewhere


def test_sign_signs_an_anchor_once_and_nothing_that_goes_back(tmp_path: Path) -> None:
    key, kept, text = tmp_path / "k.pem", tmp_path / "kept.jsonl", tmp_path / "text.json"
    public = public_hex(new_key(key).public_key())
    books = {"site": (5, "ab" * 32), "link:main": (9, "cd" * 32)}
    anchor = Anchor("0" * 16, "0badcafe", 1, "2026-11-15T20:00:00Z", "interval", "", books)
    text.write_bytes(anchor.text())
    signature = run("sign", str(text), "--key", str(key), "--kept", str(kept)).strip()
    SignedAnchor(anchor, public, signature).check()
    assert run("sign", str(text), "--key", str(key), "--kept", str(kept)).strip() == signature
    assert len(kept.read_bytes().splitlines()) == 1
    for wrong, said in (
        (replace(anchor, number=2, books={**books, "site": (4, "ef" * 32)}), "the book was cut or is another"),
        (replace(anchor, number=2, books={**books, "site": (5, "ef" * 32)}), "the book was cut or is another"),
        (replace(anchor, books={**books, "site": (6, "ef" * 32)}), "anchor 1 was signed already"),
    ):
        text.write_bytes(wrong.text())
        assert said in refused("ledger", "sign", str(text), "--key", str(key), "--kept", str(kept))
    text.write_bytes(replace(anchor, number=2, books={**books, "site": (6, "ef" * 32)}).text())
    run("sign", str(text), "--key", str(key), "--kept", str(kept))
    assert len(kept.read_bytes().splitlines()) == 2


@pytest.mark.parametrize("text", ["", "{}", "[1]", "pay 100 to me", '{"purpose": "croupier anchor 1"}'])
def test_sign_signs_nothing_else(text: str, tmp_path: Path) -> None:
    new_key(tmp_path / "k.pem")
    (tmp_path / "text").write_text(text)
    said = refused("ledger", "sign", str(tmp_path / "text"), "--key", str(tmp_path / "k.pem"))
    assert "is no anchor and no checkpoint, so it is not signed" in said
