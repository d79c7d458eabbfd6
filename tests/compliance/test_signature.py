"""Digital signatures of a report: over its bytes, beside its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.compliance.signature import beside, sign, signatures
from croupier.errors import CroupierError, NotationError, RecordError, UnknownName
from croupier.ledger.checkpoint import new_key, public_hex
from tests.cli.test_commands import Run, run

__all__ = ["run"]

AT = "2026-11-17T12:00:00.000000Z"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "par.pdf"
    file.write_bytes(b"%PDF of a report")
    return file


def test_three_people_sign_the_same_bytes(report: Path, tmp_path: Path) -> None:
    keys = {role: new_key(tmp_path / f"{role}.pem") for role in ("prepared", "reviewed", "approved")}
    for role, key in keys.items():
        sign(report, key, name=f"{role} person", role=role, at=AT)
    assert report.read_bytes() == b"%PDF of a report"
    found = signatures(report)
    assert [(each.role, each.key) for each in found] == [
        (role, public_hex(key.public_key())) for role, key in keys.items()
    ]


def test_a_changed_file_is_refused(report: Path, tmp_path: Path) -> None:
    sign(report, new_key(tmp_path / "k.pem"), name="A. Person", role="prepared", at=AT)
    report.write_bytes(b"%PDF of another report")
    with pytest.raises(RecordError, match="was changed after it was signed"):
        signatures(report)
    with pytest.raises(RecordError, match="was changed"):
        sign(report, new_key(tmp_path / "l.pem"), name="B. Other", role="reviewed", at=AT)


@pytest.mark.parametrize("field", ["name", "role", "at", "signature"])
def test_an_altered_signature_is_refused(report: Path, tmp_path: Path, field: str) -> None:
    sign(report, new_key(tmp_path / "k.pem"), name="A. Person", role="prepared", at=AT)
    values = json.loads(beside(report).read_text())
    values[field] = {"at": AT.replace("12", "13", 1), "signature": "00" * 64}.get(field, "approved")
    beside(report).write_text(json.dumps(values) + "\n")
    with pytest.raises(RecordError, match="altered"):
        signatures(report)


@pytest.mark.parametrize("text", ["nothing", "[]", '{"sha256": 1}', "\xff"])
def test_what_is_no_signature_is_refused(report: Path, text: str) -> None:
    beside(report).write_text(text, encoding="latin-1")
    with pytest.raises(RecordError, match="cannot be read"):
        signatures(report)


def test_bad_input_is_refused_and_nothing_is_written(report: Path, tmp_path: Path) -> None:
    key = new_key(tmp_path / "k.pem")
    with pytest.raises(UnknownName):
        sign(report, key, name="A. Person", role="witness", at=AT)
    with pytest.raises(NotationError, match="one line"):
        sign(report, key, name="two\nlines", role="prepared", at=AT)
    with pytest.raises(CroupierError, match="no file"):
        sign(tmp_path / "none.pdf", key, name="A. Person", role="prepared", at=AT)
    assert not beside(report).exists()
    sign(report, key, name="A. Person", role="prepared", at=AT)
    with pytest.raises(NotationError, match="signed as prepared already"):
        sign(report, key, name="B. Other", role="prepared", at=AT)


def test_from_the_command_line(run: Run, report: Path, tmp_path: Path) -> None:
    key, other = tmp_path / "k.pem", tmp_path / "o.pem"
    new_key(key)
    new_key(other)
    assert run("signed", str(report)).code == 1
    said = run("sign", str(report), "--key", str(key), "--name", "A. Person", "--as", "prepared")
    assert said.code == 0, said.err
    said = run("signed", str(report), "--key", f"{key}.pub")
    assert said.code == 0
    assert "prepared by A. Person" in said.out
    assert run("signed", str(report), "--json").json[0]["name"] == "A. Person"
    refused = run("signed", str(report), "--key", f"{other}.pub")
    assert refused.code == 2
    assert "Nobody signed" in refused.err
    report.write_bytes(b"changed")
    assert run("signed", str(report)).code == 2
