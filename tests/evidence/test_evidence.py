"""The evidence file: made of a month, right on another machine, and every kind of tampering found and named."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from croupier.audit.documents import Documents
from croupier.cli.app import app
from croupier.demo.papers import documents
from croupier.demo.rehearsal import Month, rehearse
from croupier.evidence.archive import INDEX, PAPER, SIGNATURE, index_text, to_sign
from croupier.evidence.make import make
from croupier.evidence.sections import ANCHORS, LEDGER, SECTIONS, enclosed_games, other_games
from croupier.evidence.verify import Report, verify
from croupier.floor.site.notes import ITSELF, AccessEvent, NoteAccess, NoteKey, NoteStart
from croupier.floor.site.site import Site
from croupier.games.catalogue import is_own
from croupier.games.rulebook import OWN
from croupier.ledger.anchor import Anchor, Anchors, read_anchors
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.entry import SITE
from croupier.store.store import open_store
from tests.cli.support import refused
from tests.evidence.sheets import share_sheets
from tests.once import made_once

KEY, OTHER = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
PUBLIC = public_hex(KEY.public_key())
LATER = "2027-02-01T12:00:00.000000Z"
Files = dict[str, bytes]


class Sent(NamedTuple):
    store: str
    file: Path


@pytest.fixture
def month(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Of a month, once for all workers; and what it is checked with is computed once as well."""
    share_sheets(monkeypatch)
    return made_once("evidence", a_month)


def a_month(folder: Path) -> Sent:
    """A month of a card room, with a key on record, starts of the program, and people who came in."""
    url = f"sqlite:///{folder}/month.db"
    rehearse(url, Month(rounds=300, days=30, seed=7, first=date(2026, 10, 1)), KEY)
    with open_store(url) as store:
        site = Site.of_entries(store.entries(SITE))
        acts = (
            NoteKey(id="key", by=ITSELF, key=PUBLIC),
            NoteStart(id="start", by=ITSELF, version="0.1.0", digest="ab" * 32, packages="cd" * 32),
            NoteAccess(id="in", by=ITSELF, event=AccessEvent.SIGN_IN, person=next(iter(site.people)).id, how="card"),
        )
        for act in acts:
            entry = site.handle(act, site.book.at)
            site.apply(entry)
            store.append(SITE, [entry])
    file = folder / "evidence.zip"
    with open_store(url, read_only=True) as store, file.open("wb") as out:
        steps: list[tuple[int, int]] = []
        kept = Documents(folder / "papers")
        wanted = {hashlib.sha256(each).hexdigest() for each in documents()}
        for each in documents()[:-1]:  # one is in a drawer of the house
            kept.keep(each, "paper.txt", wanted)
        (folder / "papers" / "cat.jpg").write_bytes(b"of no paper")
        told: dict[str, Any] = {"name": file.name, "address": url, "documents": kept}
        with pytest.MonkeyPatch.context() as house:  # it has a game of its own, and whoever checks the file has not
            assert CliRunner().invoke(app, ["new-game", "Lucky Three", "--folder", str(folder / "own")]).exit_code == 0
            house.setenv(OWN, str(folder / "own"))
            assert is_own("lucky-three")
            made = make(store, out, signing(KEY), **told, step=lambda *told: steps.append(told))
    assert steps[-1][0] == steps[-1][1]
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert made.books == {stream: number for stream, number in sorted(made.books.items()) if number}
    return Sent(url, file)


def signing(key: Ed25519PrivateKey) -> Callable[[bytes], tuple[str, str]]:
    return lambda text: (public_hex(key.public_key()), key.sign(text).hex())


def files_of(path: Path) -> Files:
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def packed(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return path


def resigned(files: Files, key: Ed25519PrivateKey = KEY) -> Files:
    """As somebody does it who has a key: every digest in the index is that of the file by now, and it is signed."""
    index = json.loads(files[INDEX])
    index["key"] = public_hex(key.public_key())
    index["files"] = [each for each in index["files"] if each["name"] in files]
    for each in index["files"]:
        content = files[each["name"]]
        each |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    text = index_text(index)
    public, signature = signing(key)(to_sign(index["site"], text))
    return {**files, INDEX: text, SIGNATURE: json.dumps({"key": public, "signature": signature}).encode()}


def found(files: Files, tmp_path: Path, **options: Any) -> Report:
    return verify(packed(tmp_path / "x.zip", files), now=LATER, **options)


def test_the_file_is_right_and_says_what_it_recomputed_and_what_it_does_not_prove(month: Sent) -> None:
    report = verify(month.file, key=PUBLIC, now=LATER)
    assert report.wrong == []
    assert (report.title, report.key) == ("Rehearsal Card Room", PUBLIC)
    told = "\n".join(report.recomputed)
    for section in SECTIONS:
        assert section.key in ("about", "ledger") or f"{section.title}: " in told
    assert re.search(r"link:rehearsal: [\d,]+ entries decided again; 300 games, \d+ awards? of \$", told)
    assert "Documents: 4 files held against the ledger's digests" in told
    unproved = "\n".join(report.unproved)
    assert "1 paper of which the ledger has the digest, and the file no document: Rehearsal 5" in unproved
    assert "What runs here: it is what the house said" in unproved
    assert "give the anchors that were kept outside the house" in unproved
    assert "whose key" not in unproved
    assert report.as_json()["proved_in_full"] is False


def test_what_is_in_it(month: Sent) -> None:
    files = files_of(month.file)
    index = json.loads(files[INDEX])
    assert {each["name"] for each in index["files"]} == set(files) - {INDEX, SIGNATURE}
    assert {each["section"] for each in index["files"]} == {section.key for section in SECTIONS} | {"index"}
    assert files[PAPER].startswith(b"%PDF")
    about = json.loads(files["about/about.json"])
    assert about["signing"]["key"] == PUBLIC
    assert about["runs"][0]["digest"] == "ab" * 32
    assert about["program"]["digest"] == index["program"]["digest"]
    assert b"submission #3119" in files["approvals/register.json"]
    wins = [json.loads(line) for line in files["awards/win-pages.jsonl"].splitlines()]
    pages = [name for name in files if name.startswith("awards/win-pages/")]
    assert len(pages) == len(wins) > 2
    assert files["access/access.csv"].count(b"\r\n") == 2
    assert b"Croupier 0.1.0 begins to write the books" in files["configuration/history.csv"]
    assert b"croupier evidence verify evidence.zip" in files["READ-ME.txt"]


def test_games_of_the_houses_own_are_named_and_not_in_it(month: Sent) -> None:
    files = files_of(month.file)
    assert json.loads(files[INDEX])["own_games"] == ["lucky-three"]
    assert not [name for name in files if "lucky-three" in name]


def test_sheets_are_of_games_with_a_rule_document_and_of_what_the_tables_are_set_to(month: Sent) -> None:
    sheets = {name.split("/")[1].partition(".")[0] for name in files_of(month.file) if name.startswith("par/")}
    assert sheets == set(enclosed_games()) == {"blackjack", "supreme-99", "three-card-baccarat", "triple-shot-rummy"}
    table = SimpleNamespace(base_game="Casino War")
    site: Any = SimpleNamespace(told=SimpleNamespace(site=SimpleNamespace(tables={1: table})))
    assert other_games(site) == ("casino-war",)


def test_another_machine_proves_it_without_the_store(month: Sent, tmp_path: Path) -> None:
    """In a process of its own, in an empty folder, with no home: it has nothing but the file."""
    file = tmp_path / "sent.zip"
    file.write_bytes(month.file.read_bytes())
    command = [str(Path(sys.executable).with_name("croupier")), "evidence", "verify", file.name, "--key", PUBLIC]
    lonely = {"PATH": os.defpath, "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=lonely, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing in it is wrong." in done.stdout
    assert "Not proved" in done.stdout
    assert "Printed figures: 1 file made again" in done.stdout


def test_the_regulators_own_verifier_in_it_proves_the_ledger_in_it(month: Sent, tmp_path: Path) -> None:
    with zipfile.ZipFile(month.file) as packed_:
        packed_.extractall(tmp_path)
    command = [sys.executable, "-I", "-S", "ledger/verify_ledger.py", LEDGER]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


# Tampering, by somebody without the key


def swapped(files: Files) -> Files:
    pages = sorted(name for name in files if name.startswith("awards/win-pages/"))
    return {**files, pages[0]: files[pages[1]]}


def without_row(files: Files) -> Files:
    lines = gzip.decompress(files[LEDGER]).splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"stream":"link:rehearsal"' in line) + 40
    return {**files, LEDGER: gzip.compress(b"".join(lines[:place] + lines[place + 1 :]))}


def other_date(files: Files) -> Files:
    text = files["approvals/register.json"].replace(b"2023-06-14", b"2024-06-14")
    assert text != files["approvals/register.json"]
    return {**files, "approvals/register.json": text}


def without_entry(files: Files) -> Files:
    index = json.loads(files[INDEX])
    index["files"] = [each for each in index["files"] if each["name"] != "access/access.csv"]
    return {**files, INDEX: index_text(index)}


def added(files: Files) -> Files:
    return {**files, "approvals/another.toml": b"title = 'Approved'\n"}


def removed(files: Files) -> Files:
    return {name: content for name, content in files.items() if name != "adjustments/adjustments.csv"}


def unsigned(files: Files) -> Files:
    return {name: content for name, content in files.items() if name != SIGNATURE}


def about_altered(files: Files) -> Files:
    return {**files, "about/about.json": files["about/about.json"].replace(b'"changed": []', b'"changed": [ ]')}


def other_award(files: Files) -> Files:
    text = files["awards/awards.csv"]
    return {**files, "awards/awards.csv": text.replace(b",confirmed,", b",voided,", 1)}


def other_edge(files: Files) -> Files:
    text = files["par/supreme-99.json"]
    changed = re.sub(
        rb'("house_edge[^}]*?)(\d)', lambda match: match[1] + str(9 - int(match[2])).encode(), text, count=1
    )
    assert changed != text
    return {**files, "par/supreme-99.json": changed}


def other_document(files: Files) -> Files:
    """A licence that says something else, under the name of the one that was recorded."""
    name = next(each for each in files if each.startswith("documents/"))
    return {**files, name: b"Licensed for ever."}


TAMPERED: dict[str, tuple[Callable[[Files], Files], str, str]] = {
    "a PDF swapped": (swapped, r"awards/win-pages/.*\.pdf", "is not the file that was signed"),
    "a row dropped": (without_row, re.escape(LEDGER), r"link:rehearsal, row 40\): "),
    "an approval's date changed": (other_date, "approvals/register.json", '\'"dated": "2024-06-14",\' in the file'),
    "an index entry removed": (without_entry, "access/access.csv", "the index does not name it"),
    "a file added": (added, "approvals/another.toml", "the index does not name it: it was added"),
    "a file removed": (removed, "adjustments/adjustments.csv", "is in the index, and not in the archive"),
    "the signature removed": (unsigned, SIGNATURE, "nobody has signed this file"),
    "what runs altered": (about_altered, "about/about.json", "is not the file that was signed"),
    "an award altered": (other_award, "awards/awards.csv", "from line "),
    "a document exchanged": (other_document, r"documents/[0-9a-f]{64}\.txt", "is not the file that was signed"),
    "a figure altered": (other_edge, "par/supreme-99.json", "from line "),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_tampering_is_found_and_named(how: str, month: Sent, tmp_path: Path) -> None:
    alter, file, words = TAMPERED[how]
    report = found(alter(files_of(month.file)), tmp_path)
    named = [each for each in report.wrong if re.fullmatch(file, each.file)]
    assert named, report.wrong
    assert any(re.search(words, each.sentence) for each in named), named
    assert not report.right


def test_an_index_entry_removed_breaks_the_signature_too(month: Sent, tmp_path: Path) -> None:
    report = found(without_entry(files_of(month.file)), tmp_path)
    assert any(each.file == INDEX and "was altered after it was signed" in each.sentence for each in report.wrong)


# Tampering by the house itself, which has the key and signs anew


@pytest.mark.parametrize(
    "how", ["a PDF swapped", "a row dropped", "an approval's date changed", "an award altered", "a document exchanged"]
)
def test_whoever_has_the_key_and_signs_anew_is_found_all_the_same(how: str, month: Sent, tmp_path: Path) -> None:
    alter, file, _ = TAMPERED[how]
    report = found(resigned(alter(files_of(month.file))), tmp_path)
    assert [each for each in report.wrong if re.fullmatch(file, each.file)], report.wrong
    assert not [each for each in report.wrong if each.file in (INDEX, SIGNATURE)], report.wrong


def test_an_entry_and_its_file_removed_by_whoever_has_the_key_are_missed(month: Sent, tmp_path: Path) -> None:
    report = found(resigned(removed(files_of(month.file))), tmp_path)
    assert ("adjustments/adjustments.csv", "belongs in the file, and is not there") in [
        (each.file, each.sentence.partition(" ")[2].rstrip(".")) for each in report.wrong
    ]


def test_another_key_is_not_the_sites(month: Sent, tmp_path: Path) -> None:
    files = resigned(files_of(month.file), OTHER)
    [said] = [each.sentence for each in found(files, tmp_path).wrong if each.file == SIGNATURE]
    assert said.endswith("which the site's book does not know.")
    given = found(files, tmp_path, key=PUBLIC)
    assert any("another key than the one given" in each.sentence for each in given.wrong)


def test_anchors_kept_outside_are_held_against_it(month: Sent, tmp_path: Path) -> None:
    """A house that writes other books makes another file of them, all of it right; the anchor says that it is not."""
    index = json.loads(files_of(month.file)[INDEX])
    books = {stream: (each["entries"], each["digest"]) for stream, each in index["books"].items()}
    at = index["made_at"][:19] + "Z"
    kept = Anchor(index["site"], "ab" * 4, 1, at, "asked", "", books).signed(KEY)
    right = verify(month.file, anchors=_anchors(kept, tmp_path), now=LATER)
    assert right.right, right.wrong
    assert "kept outside the house" not in "\n".join(right.unproved)
    other = {**books, SITE: (books[SITE][0], "ef" * 32)}
    forged = Anchor(index["site"], "ab" * 4, 1, at, "asked", "", other).signed(KEY)
    wrong = verify(month.file, anchors=_anchors(forged, tmp_path), now=LATER)
    assert [each.file for each in wrong.wrong] == [LEDGER]
    assert "is of another book" in wrong.wrong[0].sentence


def _anchors(signed: Any, folder: Path) -> Anchors:
    (folder / "kept.jsonl").write_bytes(signed.json_line())
    return read_anchors([folder / "kept.jsonl"])


# What is no evidence file at all


def bad_files(folder: Path, whole: bytes) -> Iterator[tuple[Path, str]]:
    yield folder / "none.zip", "cannot be read: no such file"
    (folder / "text.zip").write_text("This is a letter.")
    yield folder / "text.zip", "it is no ZIP archive, or was cut off"
    (folder / "half.zip").write_bytes(whole[: len(whole) // 2])
    yield folder / "half.zip", "it is no ZIP archive, or was cut off"
    yield packed(folder / "other.zip", {"hello.txt": b"hello"}), "index.json is missing"
    yield packed(folder / "list.zip", {INDEX: b"[]"}), "index.json cannot be read"
    yield packed(folder / "deep.zip", {INDEX: b"[" * 100_000}), "index.json cannot be read"
    yield packed(folder / "form.zip", {INDEX: b'{"format": "x"}'}), "is of no evidence file"


def test_what_is_no_evidence_file_is_said_in_one_sentence(month: Sent, tmp_path: Path) -> None:
    for path, words in bad_files(tmp_path, month.file.read_bytes()):
        report = verify(path)
        assert [words in each.sentence for each in report.wrong] == [True], (path.name, report.wrong)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a//b", "a/../b", "", "a\\b"])
def test_names_that_lead_out_of_the_archive_are_refused(name: str, month: Sent, tmp_path: Path) -> None:
    files = files_of(month.file)
    index = json.loads(files[INDEX])
    index["files"][0]["name"] = name
    report = found({**files, INDEX: index_text(index)}, tmp_path)
    assert [each.sentence[:40] for each in report.wrong] == ["index.json has an entry that cannot be r"]


def test_a_file_that_grows_when_it_is_unpacked_is_not_unpacked(month: Sent, tmp_path: Path) -> None:
    files = files_of(month.file)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, b"\0" * 50_000_000 if name == "days/closes.csv" else content)
    report = verify(tmp_path / "x.zip", now=LATER)
    assert any(each.file == "days/closes.csv" and "longer than it may be" in each.sentence for each in report.wrong), (
        report.wrong
    )


# The command


def test_the_command_says_what_is_wrong_and_ends_with_one(month: Sent, tmp_path: Path) -> None:
    bad = packed(tmp_path / "bad.zip", added(files_of(month.file)))
    result = CliRunner().invoke(app, ["evidence", "verify", str(bad), "--json"])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["right"] is False
    assert [each["file"] for each in told["wrong"]] == ["approvals/another.toml"]


def test_evidence_without_a_key_a_store_or_a_new_name_is_refused(month: Sent, tmp_path: Path) -> None:
    for arguments, words in (
        (("evidence",), "Name the site's store with --db"),
        (("evidence", "--db", month.store, "-o", str(tmp_path / "e.zip")), "is signed with the site's key"),
        (("evidence", "--db", f"sqlite:///{tmp_path}/none.db"), "there is none at"),
    ):
        assert words in refused(*arguments)
    assert not list(tmp_path.iterdir())


def test_anchors_are_part_of_it(month: Sent) -> None:
    assert ANCHORS not in files_of(month.file), "this site has made none"
