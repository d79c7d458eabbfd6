"""Whether an evidence file is right, said by a program that has nothing but the file.

First the file itself: every name, size and digest against the index, and the index against its signature. Then what it
says: every act of the ledger is decided again, every list and page of the books is made anew from that ledger and
compared to the last byte, and every sheet and figure is computed again. So whoever holds the site's key and alters a
page finds it named here as well, unless the books were altered too; and those stand outside the house, in anchors.

Whatever is wrong is named, all of it; and so is what the file does not prove.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from croupier.audit.verify import Report as Proved
from croupier.audit.verify import verify as verify_ledger
from croupier.errors import CroupierError, RecordError
from croupier.evidence.archive import (
    FORMAT,
    INDEX,
    LARGEST_INDEX,
    LARGEST_TEXT,
    PAPER,
    READ_ME,
    SIGNATURE,
    VERSION,
    Held,
    Kept,
    held_of,
    to_sign,
)
from croupier.evidence.make import front_papers
from croupier.evidence.sections import (
    ABOUT,
    ANCHORS,
    DOCUMENTS,
    LEDGER,
    SECTIONS,
    Case,
    Paper,
    Proof,
    Section,
    beside_the_ledger,
    recorded,
)
from croupier.evidence.told import Told, read_through
from croupier.floor.act import EntryKind
from croupier.floor.facts import NoteKeyFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.anchor import Anchors, read_anchors
from croupier.ledger.checkpoint import fingerprint, is_signature
from croupier.ledger.rows import printable
from croupier.program import program
from croupier.reports.books import ExportedBooks
from croupier.reports.sheet import counted

Step = Callable[[int, int], None]
SHARES = {"files": 10, "ledger": 50, "books": 15, "sheets": 25}
"""Of a hundred, what each part of the work is."""
LONGEST_SHOWN = 120
MOST_NAMED = 10


@dataclass(frozen=True)
class Wrong:
    """Something that is not as it was signed, or not as the rules say."""

    file: str
    sentence: str

    def as_json(self) -> dict[str, str]:
        return {"file": self.file, "sentence": self.sentence}


@dataclass
class Report:
    """What was found."""

    wrong: list[Wrong] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    """What may be right, and cannot be told from this file."""
    recomputed: list[str] = field(default_factory=list)
    """Which of its numbers were computed or decided again here, and came out the same."""
    remarks: list[str] = field(default_factory=list)
    title: str = ""
    made_at: str = ""
    site: str = ""
    key: str = ""
    files: int = 0
    ledger: Proved | None = None

    @property
    def right(self) -> bool:
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        return {
            **{"right": self.right, "proved_in_full": self.right and not self.unproved},
            **{"title": self.title, "site": self.site, "made_at": self.made_at, "files": self.files},
            **{"key": self.key, "fingerprint": fingerprint(self.key) if self.key else None},
            "wrong": [fault.as_json() for fault in self.wrong],
            **{"not_proved": self.unproved, "recomputed": self.recomputed, "remarks": self.remarks},
            "ledger": self.ledger.as_json() if self.ledger else None,
        }


def verify(
    path: Path,
    *,
    key: str | None = None,
    anchors: Anchors | None = None,
    step: Step = lambda _, __: None,
    now: str | None = None,
) -> Report:
    """Check a file. With a key, it must be the one that signed; `anchors` are what was kept outside the house."""
    run = _Run(Report(), key, anchors, step, now)
    try:
        with Kept(path) as kept:
            run.check(kept)
    except RecordError as error:
        run.wrong("", str(error))
    return run.report


@dataclass
class _Run:
    """One reading of a file."""

    report: Report
    key: str | None
    anchors: Anchors | None
    step: Step
    now: str | None
    done: float = 0.0

    def wrong(self, file: str, sentence: str) -> None:
        self.report.wrong.append(Wrong(file, printable(sentence)))

    def _share(self, part: str, of: int) -> Callable[[int], None]:
        """A tick for one part of the work, which has so many units."""
        begun, share, told = self.done, SHARES[part], 0
        self.done += share

        def tick(more: int) -> None:
            nonlocal told
            told = min(told + more, max(of, 1))
            self.step(int(begun + share * told / max(of, 1)), 100)

        return tick

    # The file itself

    def check(self, kept: Kept) -> None:
        for name in kept.twice:
            self.wrong(name, f"{name} is in the archive more than once: which one is meant cannot be told.")
        index_text = kept.read(INDEX, LARGEST_INDEX)
        index = kept.json(INDEX)
        if index.get("format") != FORMAT or index.get("version") != VERSION:
            raise RecordError(f"{INDEX} is of no evidence file of the form {VERSION}.")
        report, held = self.report, held_of(index)
        report.title, report.made_at, report.site = (str(index.get(name, "")) for name in ("title", "made_at", "site"))
        report.files = len(held)
        self._signed(kept, index, index_text)
        self._files(kept, held)
        self._contents(kept, index, held)

    def _signed(self, kept: Kept, index: Mapping[str, Any], text: bytes) -> None:
        match kept.json(SIGNATURE, 100_000) if SIGNATURE in kept.names else None:
            case {"key": str(key), "signature": str(signature)}:
                self.report.key = key
                if not is_signature(key, to_sign(self.report.site, text), signature):
                    self.wrong(INDEX, f"{INDEX} was altered after it was signed: the signature is not of this index.")
                elif index.get("key") != key:
                    self.wrong(SIGNATURE, f"{SIGNATURE} is by another key than the one that {INDEX} names.")
                if self.key is not None and key != self.key:
                    self.wrong(SIGNATURE, f"It is signed with another key than the one given: {fingerprint(key)}.")
            case None:
                self.wrong(SIGNATURE, f"{SIGNATURE} is missing: nobody has signed this file.")
            case _:
                self.wrong(SIGNATURE, f"{SIGNATURE} cannot be read: it has a key and a signature.")
        if self.key is None:
            self.report.unproved.append(
                "whose key signed it, beyond what its own ledger says: give the site's key, which you keep"
            )

    def _files(self, kept: Kept, held: Mapping[str, Held]) -> None:
        tick = self._share("files", sum(file.size for file in held.values()))
        for name in sorted(set(kept.names) - {*held, INDEX, SIGNATURE}):
            self.wrong(
                name, f"{name} is in the archive, and the index does not name it: it was added, or its entry removed."
            )
        for name, file in held.items():
            if name not in kept.names:
                self.wrong(name, f"{name} is in the index, and not in the archive: it was removed.")
                continue
            try:
                digest, _ = kept.digest(name, file.size, tick)
                why = f"its SHA-256 is {digest}" if digest != file.digest else ""
            except RecordError as error:
                why = str(error).rstrip(".")
            if why:
                self.wrong(name, f"{name} is not the file that was signed: {why}.")

    # What it says

    def _contents(self, kept: Kept, index: Mapping[str, Any], held: Mapping[str, Held]) -> None:
        with tempfile.TemporaryDirectory(prefix="croupier-evidence-") as folder:
            ledger = Path(folder) / "books.jsonl.gz"
            if LEDGER not in kept.names:
                self.report.unproved.append("everything that follows from the ledger: it is not in the file")
                return
            most = max(held[LEDGER].size if LEDGER in held else 0, kept.size(LEDGER))
            with ledger.open("wb") as file:
                try:
                    for block in kept.blocks(LEDGER, most):
                        file.write(block)
                except RecordError:
                    return  # it was named before
            if not self._ledger(kept, ledger, Path(folder)):
                self.report.unproved.append("what follows from the ledger: the ledger is not right")
                return
            told = self._told(ledger, held)
            if told is None:
                return
            self._key_on_record(told)
            self._ends(index, told)
            self._sections(kept, index, held, told)

    def _ledger(self, kept: Kept, path: Path, folder: Path) -> bool:
        anchors = self.anchors or Anchors()
        if ANCHORS in kept.names:
            file = folder / "anchors.jsonl"
            file.write_bytes(kept.read(ANCHORS))
            try:
                outside = read_anchors([file])
                anchors.add(*outside.checkpoints, *outside.signed, *outside.lines)
            except CroupierError as error:
                self.wrong(ANCHORS, str(error))
        tick = self._share("ledger", path.stat().st_size)
        proved = verify_ledger(path, anchors=anchors, tick=tick, now=self.now)
        self.report.ledger = proved
        if not proved.right:
            row = f", row {proved.wrong_row:,}" if proved.wrong_row else ""
            where = f" ({proved.wrong_stream}{row})" if proved.wrong_stream else ""
            self.wrong(LEDGER, f"{LEDGER}{where}: {proved.wrong}")
            return False
        self.report.unproved += [f"of the ledger, {reason}" for reason in proved.unproved]
        self.report.remarks += proved.remarks
        self._tell_ledger(proved)
        if self.anchors is None:
            self.report.unproved.append(
                "that the books are those that the house had then: give the anchors that were kept outside the house"
            )
        return True

    def _tell_ledger(self, proved: Proved) -> None:
        for book in proved.books:
            sentence = f"{book.stream}: {counted(book.entries, 'entry', 'entries')} decided again"
            if book.proofs:
                sentence += (
                    f"; {counted(book.games, 'game')}, {counted(book.awards, 'award')} of {dollars(book.award_cents)}, "
                    f"every meter explained to a difference of nothing"
                )
            self.report.recomputed.append(sentence)

    def _told(self, ledger: Path, held: Mapping[str, Held]) -> Told | None:
        rows = held[LEDGER].rows if LEDGER in held else None
        tick = self._share("books", rows or 0)
        try:
            return read_through(ExportedBooks(ledger), self.report.made_at, tick)
        except CroupierError as error:
            self.wrong(LEDGER, f"{LEDGER}: {error}")
            return None

    def _key_on_record(self, told: Told) -> None:
        with told.books.site_book() as entries:
            known = [facts_of(NoteKeyFacts, entry)["key"] for entry in entries if entry.kind == EntryKind.NOTE_KEY]
        if self.report.key and known and self.report.key not in known:
            sentence = f"It is signed with the key {fingerprint(self.report.key)}, which the site's book does not know."
            self.wrong(SIGNATURE, sentence)
        elif not known:
            self.report.unproved.append("that the key is the site's: its book has no key on record")

    def _ends(self, index: Mapping[str, Any], told: Told) -> None:
        named = index.get("books")
        here = {stream: {"entries": end, "digest": digest} for stream, (end, digest) in told.ends.items()}
        if named != here:
            self.wrong(INDEX, f"{INDEX} says that the books end elsewhere than the ledger in the file does.")

    def _sections(self, kept: Kept, index: Mapping[str, Any], held: Mapping[str, Held], told: Told) -> None:
        case, tick = Case(told), self._share("sheets", len(SECTIONS))
        same = (index.get("program") or {}).get("digest") == program().digest
        if not same:
            self.report.remarks.append(
                "another edition of the program made this file: where what it made differs, it is said as not proved"
            )
        for section in SECTIONS:
            if section.proof is Proof.SAID:
                self.report.unproved.append(f"{section.title}: it is what the house said when the file was made")
            elif section.proof is Proof.DIGESTS:
                self._documents(held, told)
            else:
                self._again(kept, held, section, case, same=same)
            tick(1)
        for paper in beside_the_ledger():
            self._compare(kept, paper, same=same)
        self._front(kept, index, held, told, same=same)

    def _documents(self, held: Mapping[str, Held], told: Told) -> None:
        """Each document is one that the ledger has the digest of; papers without theirs are named."""
        papers = recorded(told)
        there = {file.digest: name for name, file in held.items() if file.section == DOCUMENTS}
        for digest, name in there.items():
            if digest not in papers:
                self.wrong(name, f"{name} is no document of a paper in the ledger: none has the SHA-256 {digest}.")
        if alike := len(there.keys() & papers.keys()):
            self.report.recomputed.append(f"Documents: {counted(alike, 'file')} held against the ledger's digests")
        absent = [reference for digest, listed in papers.items() if digest not in there for reference in listed]
        if absent:
            more = f" and {len(absent) - MOST_NAMED} more" if len(absent) > MOST_NAMED else ""
            self.report.unproved.append(
                f"{counted(len(absent), 'paper')} of which the ledger has the digest, and the file no document: "
                f"{', '.join(absent[:MOST_NAMED])}{more}"
            )

    def _front(self, kept: Kept, index: Mapping[str, Any], held: Mapping[str, Held], told: Told, *, same: bool) -> None:
        """The index on paper says what the index for programs does."""
        try:
            changed = kept.json(ABOUT).get("changed", ())
            listed = [file for file in held.values() if file.name not in (READ_ME, PAPER)]
            for paper in front_papers(index, listed, told, changed):
                self._compare(kept, paper, same=same)
        except (RecordError, KeyError, TypeError, ValueError) as error:
            self.wrong(PAPER, f"{PAPER} cannot be made again: {error}.")

    def _again(self, kept: Kept, held: Mapping[str, Held], section: Section, case: Case, *, same: bool) -> None:
        """A section made again, each of its papers beside the one in the file."""
        named = {name for name, file in held.items() if file.section == section.key}
        names, rows, alike = set[str](), 0, 0
        for paper in section.make(case):
            names.add(paper.name)
            if self._compare(kept, paper, same=same):
                alike += 1
                rows += paper.rows or 0
        if section.key != "ledger":
            for name in sorted(named - names):
                self._differs(
                    name, f"{name} does not follow from the {_whence(section)}: there is no such page.", same=same
                )
        if alike:
            listed = f", {counted(rows, 'row')}" if rows else ""
            self.report.recomputed.append(f"{section.title}: {counted(alike, 'file')} made again{listed}")

    def _compare(self, kept: Kept, paper: Paper, *, same: bool) -> bool:
        if paper.name not in kept.names:
            self._differs(paper.name, f"{paper.name} belongs in the file, and is not there.", same=same)
            return False
        try:
            there = kept.read(paper.name, LARGEST_TEXT)
        except RecordError:
            return False  # it was named before
        if there == paper.content:
            return True
        self._differs(
            paper.name, f"{paper.name} says something else than {_where(paper.name, there, paper.content)}", same=same
        )
        return False

    def _differs(self, name: str, sentence: str, *, same: bool) -> None:
        if same:
            self.wrong(name, sentence)
        else:
            self.report.unproved.append(f"{sentence.rstrip('.')} (another edition of the program made it)")


def _whence(section: Section) -> str:
    return "ledger in the file" if section.proof is Proof.BOOKS else "rules"


def _where(name: str, there: bytes, again: bytes) -> str:
    """The first line that differs, of a text; a paper is only compared as a whole."""
    if name.endswith(".pdf"):
        return "what is made again: it is another paper."
    for number, (theirs, ours) in enumerate(zip_longest(there.splitlines(), again.splitlines()), start=1):
        if theirs != ours:
            return (
                f"what is made again, from line {number:,} on: {_shown(theirs)} in the file, and {_shown(ours)} here."
            )
    return "what is made again: its line ends differ."


def _shown(line: bytes | None) -> str:
    if line is None:
        return "nothing"
    text = printable(line.decode("utf-8", "replace").strip())
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}...")
