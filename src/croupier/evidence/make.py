"""Makes the evidence file: reads the books once, computes what the program computes, and packs and signs all of it.

The sheets of the games take as long as a long book does, so they are computed in a second process meanwhile, where one
may be had. Nothing is held in memory but what one file of the archive needs.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from croupier.analysis.par.print import TableInPrint, as_pdf
from croupier.audit.about import about, standing_of
from croupier.audit.documents import Documents
from croupier.audit.export import export, kept_checkpoints
from croupier.compliance.approval import Register
from croupier.evidence.archive import (
    FORMAT,
    INDEX,
    PAPER,
    READ_ME,
    SIGNATURE,
    VERSION,
    Held,
    Packing,
    blocks_of,
    index_text,
    to_sign,
)
from croupier.evidence.sections import (
    ANCHORS,
    DOCUMENTS,
    LEDGER,
    SECTIONS,
    Case,
    Paper,
    Section,
    as_json,
    beside_the_ledger,
    enclosed_games,
    figures_paper,
    other_games,
    papers_kept,
    par_papers,
    readings_paper,
)
from croupier.evidence.told import AsOf, Told, read_through
from croupier.floor.site.site import Site
from croupier.games.catalogue import ALL_GAMES, is_own
from croupier.ledger.anchor import site_id
from croupier.ledger.checkpoint import fingerprint
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.program import Installed, installed
from croupier.reports.sheet import Page, counted, table
from croupier.store.store import Store, StoreError

Sign = Callable[[bytes], tuple[str, str]]
"""The public key and the signature of a text, both in hexadecimal digits."""
Step = Callable[[int, int], None]
"""Told how much is done, and of how much."""
COMPUTED = ("par", "figures", "readings")
"""Sections that are computed beside the reading of the books."""
Waited = Mapping[str, Sequence[Callable[[], list[Paper]]]]
"""By section: its sheets in their order, each waited for."""
Counted = Callable[[Register], Waited]
"""The sheets under a register; nothing for whoever is to count them here."""
SHARE_OF_ROWS, SHARE_OF_SHEET = 2, 200_000
"""What the bar counts: each row twice, for reading and for writing; and a game's sheet as so many rows."""
OWN_GAMES = "Games of the house's own, which are no part of the program and not in this file: {}."
READ_US = """The evidence file of {title}, made {made_at} (UTC) by Croupier {version}.

What is in it stands in index.pdf, for people, and in index.json, for programs: every file with its SHA-256.

To check that nothing was changed, removed or added, with nothing but this file and any computer:
  - index.json has the SHA-256 of every other file: compare them, as with sha256sum or certutil -hashfile.
  - signature.json is an Ed25519 signature by the site's key over the canonical JSON of purpose, site and the
    SHA-256 of index.json. The key's fingerprint is {fingerprint}: compare it with the one that you were given.
  - python ledger/verify_ledger.py ledger/books.jsonl.gz proves the ledger with a program that shares no line with ours.

With Croupier, all of it and more, without a connection to anything:
  croupier evidence verify {name}
It decides every act in the ledger again, makes every list and page of the books anew, computes every sheet and
figure, and names whatever is not proved.
"""


@dataclass
class Making:
    """How far it is."""

    step: Step
    of: int
    done: int = 0

    def tick(self, more: int) -> None:
        self.done = min(self.of, self.done + more)
        self.step(self.done, self.of)


@dataclass(frozen=True)
class Made:
    """An evidence file that was written."""

    books: dict[str, int]
    """By book: the number of its last entry."""
    files: int
    key: str


def make(
    store: Store,
    out: IO[bytes],
    sign: Sign,
    *,
    name: str,
    address: str = "",
    anchors: bytes = b"",
    documents: Documents | None = None,
    here: Installed | None = None,
    made_at: str = "",
    step: Step = lambda _, __: None,
    counted: Counted | None = None,
) -> Made:
    """Write it, of one moment across all books. `anchors` are signed anchors of the site, as lines of JSON; `documents`
    those of papers, as far as the house keeps them. `counted` has the sheets that are counted beside this under a
    register; without it a second process counts them."""
    made_at = made_at or utc_now()
    source = AsOf(store, store.ends())
    if SITE not in source.streams():
        raise StoreError("The store holds no site's book, so there is nothing to show evidence of.")
    rows = sum(source.ends.values())
    progress = Making(step, SHARE_OF_ROWS * rows + SHARE_OF_SHEET * (len(enclosed_games()) + 2))
    with ExitStack() as open_, tempfile.TemporaryDirectory(prefix="croupier-evidence-") as folder:
        register = Site.of_entries(row.entry() for row in source.rows(SITE)).kept.register
        computed = counted(register) if counted else _computing(open_, register)
        told = read_through(source, made_at, progress.tick)
        ledger = Path(folder) / "books.jsonl.gz"
        checkpoints = list(kept_checkpoints(source.rows(SITE)))
        export(store, source.streams(), ledger, checkpoints, progress.tick, ends=source.ends)
        running = here or installed()
        standing = standing_of(store)
        case = Case(told, about(running, standing, books=address, now=made_at))
        packing = Packing.into(out)
        for section in SECTIONS:
            for paper in _papers(section, case, computed, progress):
                packing.add(paper.name, section.key, paper.title, paper.content, paper.rows)
        for file, title, path in papers_kept(told, documents.found() if documents else {}):
            packing.add(file, DOCUMENTS, title, blocks_of(path))
        entries = sum(told.books.heads[stream].entries for stream in source.streams())
        packing.add(LEDGER, "ledger", "The books, as croupier ledger verify reads them", blocks_of(ledger), entries)
        if anchors:
            packing.add(ANCHORS, "ledger", "Signed anchors", anchors, anchors.count(b"\n"))
        for paper in beside_the_ledger():
            packing.add(paper.name, "ledger", paper.title, paper.content)
        key = _seal(packing, case, sign, name=name, site=site_id(standing.first))
        progress.tick(progress.of)
    ends = {stream: head.entries for stream, head in sorted(told.books.heads.items())}
    return Made(ends, len(packing.held), key)


def _computing(open_: ExitStack, register: Register) -> Waited:
    """The sheets, begun at once in a process of their own."""
    pool = open_.enter_context(ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")))
    by_section: dict[str, list[Callable[[], list[Paper]]]] = {}
    for section, name in sheets_wanted():
        by_section.setdefault(section, []).append(pool.submit(sheet_of, section, name, register).result)
    return by_section


def sheets_wanted() -> list[tuple[str, str]]:
    """Every sheet that each file has, by its section; and of which game, where it is of one."""
    return [*(("par", key) for key in enclosed_games()), ("figures", ""), ("readings", "")]


def sheet_of(section: str, name: str, register: Register) -> list[Paper]:
    match section:
        case "par":
            return list(par_papers(name, register))
        case "figures":
            return [figures_paper()]
        case _:
            return [readings_paper()]


def _papers(section: Section, case: Case, computed: Waited, progress: Making) -> Iterator[Paper]:
    if section.key in computed:
        for waited in computed[section.key]:
            yield from waited()
            progress.tick(SHARE_OF_SHEET)
        for key in other_games(case) if section.key == "par" else ():
            yield from par_papers(key, case.on_file)
        return
    for paper in section.make(case):
        yield paper
        if section.key in COMPUTED and (section.key != "par" or paper.name.endswith(".pdf")):
            progress.tick(SHARE_OF_SHEET)


def _seal(packing: Packing, case: Case, sign: Sign, *, name: str, site: str) -> str:
    """The index on paper and for programs, and the signature over it; given is the key."""
    told, running = case.told, (case.about or {}).get("program", {})
    key, _ = sign(to_sign(site, b""))
    facts = {
        **{"format": FORMAT, "version": VERSION, "site": site, "title": told.books.title, "made_at": told.made_at},
        "name": name,
        "program": {name: running.get(name) for name in ("version", "digest", "packages_digest")},
        "key": key,
        "books": {stream: {"entries": end, "digest": digest} for stream, (end, digest) in told.ends.items()},
        "sections": [
            {"key": section.key, "title": section.title, "says": section.says, "proof": section.proof.value}
            for section in SECTIONS
        ],
    }
    if own := [key for key in ALL_GAMES.whole() if is_own(key)]:
        facts["own_games"] = own
    for paper in front_papers(facts, packing.held, told, (case.about or {}).get("changed", ())):
        packing.add(paper.name, "index", paper.title, paper.content)
    index = index_text({**facts, "files": [file.as_json() for file in packing.held]})
    packing.add(INDEX, "index", "The index", index)
    public, signature = sign(to_sign(site, index))
    assert public == key, "one key signs"
    sealed = {"purpose": "croupier evidence 1", "site": site, "index": hashlib.sha256(index).hexdigest()}
    packing.add(SIGNATURE, "index", "", as_json({**sealed, "key": public, "signature": signature}))
    packing.file.close()
    return key


def front_papers(facts: Mapping[str, Any], held: Sequence[Held], told: Told, changed: Iterable[str]) -> Iterator[Paper]:
    """How to check it, and what is in it, section by section, each with how it is proved."""
    version, key = facts["program"]["version"], facts["key"]
    moment = told.made_at[:19].replace("T", " ")
    given = {"title": told.books.title, "made_at": moment, "version": version, "name": facts["name"]}
    words = READ_US.format(**given, fingerprint=fingerprint(key))
    yield Paper(READ_ME, "How to look at it, and how to check it", words.encode())
    page = Page(
        title="Evidence",
        site=told.books.title,
        facts=(
            ("Made", f"{told.period.told(told.made_at)} {told.period.zone} ({moment} UTC)"),
            ("Program", f"Croupier {version}, SHA-256 {facts['program']['digest']}"),
            ("Signed by", f"the key {fingerprint(key)} ({key})"),
        ),
        tables=tuple(_listed(section, held) for section in SECTIONS),
        notes=(
            *(f"CHANGED: {sentence}" for sentence in changed),
            *([OWN_GAMES.format(", ".join(own))] if (own := facts.get("own_games")) else ()),
            "croupier evidence verify checks this file offline, and names what is not proved.",
        ),
        heads=tuple((stream, f"{end:,}", digest) for stream, (end, digest) in told.ends.items()),
        wide=True,
    )
    template = files("croupier.reports").joinpath("report.typ").read_bytes()
    yield Paper(PAPER, "This index, on paper", as_pdf(template, asdict(page)))


def _listed(section: Section, held: Sequence[Held]) -> TableInPrint:
    rows = [
        (file.name, file.title, file.digest, counted(file.rows, "row") if file.rows is not None else "")
        for file in held
        if file.section == section.key
    ]
    says = f"{section.says} It is {section.proof.value}."
    return table(section.title, ("File", "What it is", "SHA-256", ""), rows, words=4, note=says)
