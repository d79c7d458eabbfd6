"""`croupier ledger` from end to end: exported, verified, balanced, explained, signed; and what is wrong, said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli import commands  # noqa: F401  (they register themselves)
from croupier.cli.app import app
from croupier.errors import CroupierError, NotationError, RecordError, UnknownName
from croupier.progressive.store import StoreError, open_store
from tests.progressive.ledger_support import busy_floor, site_entries

ENTRIES = busy_floor().entries
DAY = "2026-11-15"


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path}/floor.db"
    with open_store(made) as store:
        store.append("link:main", ENTRIES)
        store.append("site", site_entries())
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
            f"link:main: {len(ENTRIES)} entries, 1 days",
            "every act decided again",
            "2 awards of",
            "1 fixed pays of $125",
        ),
        *("difference", "$0.00", "is right: zero differences", "site: 2 entries", "no checkpoints"),
    ):
        assert words in said
    found = run_json("verify", str(file))
    assert (found["right"], found["books"][0]["levels"][0]["difference"]) == (True, 0)


def test_a_wrong_row_is_said_and_ends_with_1(tmp_path: Path, url: str) -> None:
    path = tmp_path / "main.jsonl"
    assert run_json("export", "--store", url, "--link", "main", "-o", str(path))[0]["entries"] == len(ENTRIES)
    path.write_bytes(path.read_bytes().replace(b'"command":"c9"', b'"command":"c0"'))
    assert "WRONG: link:main, row 9: Entry 9 of the book was altered" in run("verify", str(path), code=1)
    assert run_json("verify", str(path), code=1)["wrong"]["row"] == 9


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
    monkeypatch.setattr("croupier.progressive.writer.utc_now", lambda: "2026-11-16T01:00:00.000000Z")
    key, days, path = (str(tmp_path / name) for name in ("site.pem", "days.jsonl", "signed.jsonl"))
    assert "for its owner only" in run("key", "new", key)
    sign = ("checkpoint", "--store", url, "--link", "main", "--key", key, "-o", days)
    assert "signed" in run(*sign, "--day", DAY)
    run("export", "--store", url, "-o", path, "--checkpoints", days)
    assert "1 signed checkpoints agree" in run("verify", path, "--key", key + ".pub")
    run("key", "new", key + "2")
    assert "another key" in run("verify", path, "--key", key + "2.pub", code=1)
    for day, words in ((DAY, "already"), ("2026-11-14", "no entries"), ("2026-11-16", "not over"), ("x", "no day")):
        with pytest.raises(CroupierError, match=words):
            run(*sign, "--day", day)


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
