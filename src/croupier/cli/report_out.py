"""Where a report goes: to the screen, or to a file that holds nothing which must not be lost."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from urllib.parse import unquote

from croupier.cli.console import plain, table
from croupier.errors import CroupierError, NotationError

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.reports.sheet import Report

FORMATS = ("text", "json", "csv", "pdf")
SUFFIXES = {".txt": "text", ".text": "text", ".json": "json", ".csv": "csv", ".pdf": "pdf"}
KEPT_SUFFIXES = (".db", ".lease", ".key", ".pub", ".cards", ".checkpoints")
KEPT_ENDINGS = ("-wal", "-shm", "-journal")
"""Of files that a site works with, and that SQLite puts beside a database."""
KEPT_BEGINNINGS = (b"SQLite format 3\0", b"-----BEGIN ")
"""Of databases and keys, whatever they are called."""
PAPER_WIDTH = 160


def format_of(form: str | None, out: Path | None) -> str:
    """Decided before anything is read: as it is asked for, else as the file's name ends."""
    if form is None and out is not None:
        form = SUFFIXES.get(out.suffix.lower())
        if form is None:
            raise NotationError(
                f"{str(out)!r} does not say how to write the report: end it with .txt, .json, .csv or .pdf, "
                "or give --format."
            )
    form = form or "text"
    if form not in FORMATS:
        raise NotationError(f"A report is written as {', '.join(FORMATS)}, not as {form!r}.")
    if form == "pdf" and out is None:
        raise NotationError("A PDF goes to a file: name it with --out FILE.pdf.")
    return form


def check_out(out: Path, db: str, *, force: bool) -> None:
    """Refuse a file that the site works with, always; and any other that is there, unless it may be written over."""
    target = _resolved(out)
    if _is_kept(target, db):
        raise CroupierError(f"{str(out)!r} is a file that the site works with, so no report is written there.")
    if target.exists() and not target.is_file():
        raise CroupierError(f"{str(out)!r} is no ordinary file, so nothing is written there.")
    if target.exists() and not force:
        raise CroupierError(f"There is a file {str(out)!r} already: give another name, or --force to write over it.")


def _resolved(out: Path) -> Path:
    try:
        return out.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise CroupierError(f"The file {str(out)!r} cannot be written: {error}.") from None


def _is_kept(target: Path, db: str) -> bool:
    books = _file_of(db)
    if target == books or target.suffix.lower() in KEPT_SUFFIXES or target.name.endswith(KEPT_ENDINGS):
        return True
    if not target.is_file():
        return False
    if books is not None and books.exists() and target.samefile(books):
        return True
    try:
        with target.open("rb") as file:
            return file.read(32).startswith(KEPT_BEGINNINGS)
    except OSError:
        return False


def _file_of(db: str) -> Path | None:
    """The file of a store, or an exported one."""
    if db.startswith("sqlite:///"):
        return _resolved(Path(unquote(db.removeprefix("sqlite:///"))))
    return None if "://" in db else _resolved(Path(db))


def write_parts(out: Path, parts: Iterable[bytes]) -> None:
    """All of it or nothing, however long it is; a file that is written over keeps its permissions."""
    target = _resolved(out)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.draft")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            if target.exists():
                os.chmod(draft, stat.S_IMODE(target.stat().st_mode))
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except OSError as error:
        raise CroupierError(
            f"The file {str(out)!r} cannot be written: {(error.strerror or str(error)).lower()}."
        ) from None
    finally:  # Ctrl-C too must not leave a draft behind
        draft.unlink(missing_ok=True)


# On the screen


def as_text(found: Report) -> str:
    import io

    file = io.StringIO()
    print_report(wide(file), found)
    return file.getvalue()


def wide(file: TextIO | None = None) -> Console:
    """A sheet of paper is wider than most terminals."""
    from rich.console import Console

    return Console(file=file, highlight=False, width=PAPER_WIDTH)


def print_report(screen: Console, found: Report) -> None:
    """The same words and figures as the PDF."""
    page = found.page()
    screen.print(*plain(f"{page.site}: {page.title}"), style="bold", soft_wrap=True)
    for large in filter(None, (page.banner and f"*** {page.banner} ***", page.headline)):
        screen.print(*plain(f"  {large}"), style="bold")
    for name, words in page.facts:
        screen.print(*plain(f"  {name:<8} {words}"), soft_wrap=True)
    for own in page.tables:
        if own.rows:
            shown = table(own.title, *(title.replace("[", r"\[") for title in own.columns), left=own.words)
            for place, row in enumerate(own.rows):
                if own.total and place == len(own.rows) - 1:
                    shown.add_section()
                shown.add_row(*plain(*row))
            shown.show_header = any(own.columns)
            screen.print(shown)
        if own.note:
            about = f"{own.title}: " if own.title and not own.rows else ""
            screen.print(*plain(about + own.note), soft_wrap=True)
    for item in page.checklist:
        screen.print(*plain(f"[ ] {item.text}  [{item.citation}]"), soft_wrap=True)
    for note in page.notes:
        screen.print(*plain(note), soft_wrap=True)
    for book, entries, digest in page.heads:
        screen.print(*plain(f"Book {book}, read to entry {entries}, SHA-256 {digest}"), soft_wrap=True)
