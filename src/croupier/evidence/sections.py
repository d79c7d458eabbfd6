"""What stands in the evidence file, section by section: each is a small function that makes its papers.

A section says how it is proved. `BOOKS`: the papers follow from the ledger in the file, and are made again from it, to
the last byte. `PROGRAM`: they follow from the rules that the program carries out, and are computed again. `SAID`: the
house says so, and its signature is all that proves it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.printed import verify_printed
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.readings.record import readings_on_record
from croupier.audit.documents import suffix_of
from croupier.audit.explain import BACKED_OUT, DECIDED
from croupier.compliance.approval import Register, shipped_register
from croupier.compliance.enclosure import shipped_enclosures
from croupier.evidence.told import CloseRow, ConfigurationRow, Told
from croupier.floor.act import EntryKind
from croupier.floor.site.comply import comply
from croupier.games.catalogue import ALL_GAMES, is_own, key_of
from croupier.games.rulebook import page as rulebook_page
from croupier.games.wager import approved_paytable
from croupier.program import bill_text
from croupier.reports.access import AccessRow
from croupier.reports.adjustments import AdjustmentNote, AdjustmentRow
from croupier.reports.awards import AwardRow
from croupier.reports.sheet import csv_rows, heading
from croupier.reports.win_page import WinPage, page_of

MOST_PAGES = 100
"""Win pages on paper, the newest; of all awards there is a line, and a page for programs."""
CONFIRMED = DECIDED[EntryKind.CONFIRM]
ABOUT = "about/about.json"
DOCUMENTS = "documents"
RULEBOOK = ("README", "approval", "progressive")
"""Pages of the rulebook beside those of the games."""


class Proof(StrEnum):
    BOOKS = "made again from the ledger in this file"
    PROGRAM = "computed again by the program that checks it"
    SAID = "said by the house, and signed"
    DIGESTS = "held against the digests that the ledger has"


class Paper(NamedTuple):
    """A file of a section."""

    name: str
    title: str
    content: bytes
    rows: int | None = None


@dataclass
class Case:
    """What sections are made from: the books as they were read, the register, and what the house says of itself."""

    told: Told
    about: dict[str, Any] | None = None
    """None where the file is checked: it is what the house said then, and cannot be made again."""

    @property
    def on_file(self) -> Register:
        """The register of the site: what came with the program, what two people entered, less what they withdrew."""
        return self.told.site.kept.register


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    says: str
    """What it is, in a sentence for whoever opens the file."""
    proof: Proof
    make: Callable[[Case], Iterator[Paper]]


def as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def _lines(values: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for value in values)


def _csv(row: type[Any], rows: Iterable[Any]) -> bytes:
    return "".join(csv_rows(row, (asdict(row) for row in rows))).encode()


# What runs here, and what it is approved for


def _about(case: Case) -> Iterator[Paper]:
    if case.about is not None:
        yield Paper(ABOUT, "What runs here", as_json(case.about))
        yield Paper("about/materials.cdx.json", "Bill of materials (CycloneDX)", bill_text().encode())


def _approvals(case: Case) -> Iterator[Paper]:
    """The register as data, and each approval's own file as it is shipped."""
    approvals = case.on_file.approvals
    yield Paper(
        "approvals/register.json",
        "Approvals on file",
        as_json([approval.as_json() for approval in approvals]),
        len(approvals),
    )
    folder = files("croupier.compliance") / "approvals"
    for approval in approvals:
        lines, file = case.told.site.kept.approvals.get(approval.key), folder / f"{approval.key}.toml"
        if lines is not None or file.is_file():
            text = file.read_bytes() if lines is None else "\n".join((*lines, "")).encode()
            yield Paper(f"approvals/{approval.key}.toml", approval.name, text)


def _conditions(case: Case) -> Iterator[Paper]:
    """May each table be open, on the day of making; and every paper that was put on record, by its digest."""
    told = case.told
    answers = comply(told.site, told.setups, told.site.day(told.made_at))
    yield Paper("conditions/comply.json", "May each table be open?", as_json(answers.as_json()), len(answers.tables))
    rows = [row for row, _ in told.papers]
    yield Paper("conditions/papers.csv", "Papers recorded and withdrawn", _csv(ConfigurationRow, rows), len(rows))
    full = ({"entry": row.entry, "at": row.at, "kind": row.kind, "facts": facts} for row, facts in told.papers)
    yield Paper("conditions/papers.jsonl", "The same, with every value", _lines(full), len(rows))


def _documents(_: Case) -> Iterator[Paper]:
    """They are not made, but packed as they lie in the house's folder: see `papers_kept`."""
    yield from ()


def papers_kept(told: Told, kept: Mapping[str, Path]) -> Iterator[tuple[str, str, Path]]:
    """Of the papers on record, those whose document the house keeps: the file's name, its title, and where it lies."""
    for digest, references in recorded(told).items():
        if path := kept.get(digest):
            yield f"{DOCUMENTS}/{digest}{suffix_of(path.name)}", ", ".join(references), path


def recorded(told: Told) -> dict[str, list[str]]:
    """By digest of a document, the references of the papers that were put on record with it."""
    by_digest: dict[str, list[str]] = {}
    for row, facts in told.papers:
        if row.kind == EntryKind.RECORD_PAPER:
            by_digest.setdefault(str(facts["sha256"]), []).append(str(facts["reference"]))
    return by_digest


def shipped_games() -> tuple[str, ...]:
    """Whoever checks the file has them too; games of the house's own it does not, and the index names those."""
    return tuple(key for key in ALL_GAMES.whole() if not is_own(key))


def _rulebook(_: Case) -> Iterator[Paper]:
    for name in (*RULEBOOK, *shipped_games()):
        text = rulebook_page(name)
        yield Paper(f"rulebook/{name}.md", text.splitlines()[0].lstrip("# "), text.encode())


# Figures


def enclosed_games() -> tuple[str, ...]:
    """Those that a rule document describes: their sheets are in every file."""
    return tuple(key for key in shipped_games() if ALL_GAMES[key].document)


def other_games(case: Case) -> tuple[str, ...]:
    """Further ones that a table of the house is set to. What the program could deal, and nobody deals here, is no
    evidence of this house."""
    dealt = {key_of(table.base_game) for table in case.told.site.tables.values()}
    return tuple(key for key in shipped_games() if key in dealt and not ALL_GAMES[key].document)


def _par(case: Case) -> Iterator[Paper]:
    for key in (*enclosed_games(), *other_games(case)):
        yield from par_papers(key, case.on_file)


@cache
def _counted(key: str) -> AnyPar[Any]:
    """Once in a process: whoever checks several files waits once."""
    par: AnyPar[Any] = analyst_of(ALL_GAMES[key]).par(Asked(), shipped_register(), approved_paytable)
    return par


def par_papers(key: str, register: Register) -> Iterator[Paper]:
    """The PAR sheet of a game, counted now, on paper and for programs; the register says what is approved of it."""
    par = replace(_counted(key), register=register)
    title = f"PAR sheet of {par.game.title}, digest {par.digest}"
    yield Paper(f"par/{key}.json", title, as_json(par.as_json()))
    yield Paper(f"par/{key}.pdf", title, par.as_pdf())


def _figures(_: Case) -> Iterator[Paper]:
    yield figures_paper()


@cache
def figures_paper() -> Paper:
    figures = [finding.as_json() for finding in verify_printed()]
    return Paper("figures/printed-figures.json", "Every printed figure, recomputed", as_json(figures), len(figures))


@cache
def readings_paper() -> Paper:
    """The reading of every open point, with the figures behind it and the other reading where there is one."""
    readings = [reading.as_json() for reading in readings_on_record() if not is_own(reading.page)]
    return Paper("readings/readings.json", "How every open point is read", as_json(readings), len(readings))


def _readings(_: Case) -> Iterator[Paper]:
    yield readings_paper()


def _sentences(_: Case) -> Iterator[Paper]:
    """Each rule sentence of the letter and its enclosures, with what carries it out."""
    for shipped_enclosure in shipped_enclosures():
        title = f"{shipped_enclosure.title}: every rule sentence, and what carries it out"
        yield Paper(
            f"sentences/{shipped_enclosure.document}.json",
            title,
            as_json(shipped_enclosure.as_json()),
            len(shipped_enclosure.rows),
        )


# The books


def _configuration(case: Case) -> Iterator[Paper]:
    rows = case.told.configuration
    yield Paper(
        "configuration/history.csv",
        "How every link, every table and the room were set up, and by whom it was changed",
        _csv(ConfigurationRow, (row for row, _ in rows)),
        len(rows),
    )
    full = (
        {"book": row.book, "entry": row.entry, "at": row.at, "kind": row.kind, "facts": facts} for row, facts in rows
    )
    yield Paper("configuration/history.jsonl", "The same, with every setting", _lines(full), len(rows))


def _awards(case: Case) -> Iterator[Paper]:
    told = case.told
    yield Paper("awards/awards.csv", "Every award that takes a card", _csv(AwardRow, told.awards), len(told.awards))
    pages = [page for row in told.awards if row.status in (CONFIRMED, BACKED_OUT) for page in _page(told, row)]
    yield Paper("awards/win-pages.jsonl", "The win page of each", _lines(page.as_json() for page in pages), len(pages))
    for page in pages[-MOST_PAGES:]:
        win = page.win
        title = f"Win page of award {win.award} of the link {win.link}"
        yield Paper(f"awards/win-pages/{_name(win.link)}-{win.award}.pdf", title, page.pdf())


def _page(told: Told, row: AwardRow) -> Iterator[WinPage]:
    story, meters = told.stories[row.link].get(row.award), told.meters[row.link]
    if story is not None:
        head = heading(told.books, told.period, told.made_at)
        yield page_of(row.link, story, head, told.site.kept.register, lambda number, level: meters[number, level])


def _adjustments(case: Case) -> Iterator[Paper]:
    told, rows = case.told, case.told.adjustments
    yield Paper("adjustments/adjustments.csv", "Every adjustment", _csv(AdjustmentRow, rows), len(rows))
    head = heading(told.books, told.period, told.made_at)
    for row in rows[-MOST_PAGES:]:
        title = f"Note of adjustment {row.entry} of the link {row.link}"
        yield Paper(f"adjustments/notes/{_name(row.link)}-{row.entry}.pdf", title, AdjustmentNote(head, (row,)).pdf())


def _access(case: Case) -> Iterator[Paper]:
    rows = case.told.access
    yield Paper(
        "access/access.csv", "Who came in, who did not, and how sessions ended", _csv(AccessRow, rows), len(rows)
    )


def _days(case: Case) -> Iterator[Paper]:
    rows = case.told.closes
    yield Paper(
        "days/closes.csv", "Every gaming day that was closed", _csv(CloseRow, (row for row, _ in rows)), len(rows)
    )
    yield Paper(
        "days/closes.jsonl", "The same, with every reading and meter", _lines(facts for _, facts in rows), len(rows)
    )


def _name(link: str) -> str:
    """A link may be called anything; a file may not."""
    return quote(link, safe="")


def _ledger(_: Case) -> Iterator[Paper]:
    """Its papers are written apart, because they do not fit in memory: see `make`."""
    yield from ()


SECTIONS: tuple[Section, ...] = (
    Section("about", "What runs here", "Program, packages, jurisdiction, approvals, key, backup.", Proof.SAID, _about),
    Section("approvals", "Approvals", "The register, with the site's own.", Proof.PROGRAM, _approvals),
    Section("conditions", "Conditions", "May each table be open, and by which papers.", Proof.BOOKS, _conditions),
    Section("documents", "Documents", "Papers themselves, where the house keeps them.", Proof.DIGESTS, _documents),
    Section("rulebook", "Rulebook", "The rules of every game, by paragraph.", Proof.PROGRAM, _rulebook),
    Section("par", "PAR sheets", "Of the rule documents' games and the tables' own, counted now.", Proof.PROGRAM, _par),
    Section("figures", "Printed figures", "What the documents print, beside the count.", Proof.PROGRAM, _figures),
    Section("readings", "Readings", "How every open point is read, with figures.", Proof.PROGRAM, _readings),
    Section("sentences", "Sentences", "Every rule sentence, and what carries it out.", Proof.PROGRAM, _sentences),
    Section("configuration", "Configuration", "How it was set up, and every change.", Proof.BOOKS, _configuration),
    Section("awards", "Awards", "Every award that takes a card, with its win page.", Proof.BOOKS, _awards),
    Section("adjustments", "Adjustments", "What two people have put right, with notes.", Proof.BOOKS, _adjustments),
    Section("access", "Access", "Who signed in, who was not let in.", Proof.BOOKS, _access),
    Section("days", "Gaming days", "Every close, with readings.", Proof.BOOKS, _days),
    Section("ledger", "Ledger", "The books themselves, with what was signed of them.", Proof.BOOKS, _ledger),
)
LEDGER, ANCHORS = "ledger/books.jsonl.gz", "ledger/anchors.jsonl"
VERIFIER, RULES = "ledger/verify_ledger.py", "ledger/ledger.md"


def beside_the_ledger() -> Iterator[Paper]:
    """The regulator's own verifier, and the page that it was written from."""
    here = Path(__file__).resolve()
    for name, folder, source, title in (
        ("verify_ledger.py", "regulator", "regulator", "A second program that proves the ledger, for any Python"),
        ("ledger.md", "regulator", "docs/formats", "The form of the ledger, and its money rules"),
    ):
        installed = here.parents[1] / folder / name
        path = installed if installed.is_file() else here.parents[3] / source / name
        yield Paper(f"ledger/{name}", title, path.read_bytes())
