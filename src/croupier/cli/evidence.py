"""`croupier evidence`: everything that an approval rests on in one signed file, and the check of such a file."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from croupier.audit.documents import Documents
from croupier.audit.export import check_not_kept
from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json
from croupier.cli.ledger import opened_store
from croupier.cli.options import AsJson, option
from croupier.errors import CroupierError, NotationError
from croupier.files import for_its_owner, reason, replaced, sqlite_file
from croupier.ledger.checkpoint import fingerprint
from croupier.reports.sheet import counted

WRONG = 1
commands = typer.Typer(
    help="Everything that an approval rests on, in one signed file; and the check of such a file.",
    no_args_is_help=False,
    rich_markup_mode=None,
    invoke_without_command=True,
)
app.add_typer(commands, name="evidence")
KeyText = Annotated[
    str | None, option("--key", "The site's public key, as you keep it: 64 hexadecimal digits, or FILE.pub.")
]


@commands.callback()
@for_its_owner()
def evidence(
    context: typer.Context,
    *,
    db: Annotated[
        str | None, option("--db", "--store", "--site", "sqlite:///croupier.db or postgresql://host/name.")
    ] = None,
    output: Annotated[Path | None, option("--output", "-o", "FILE.zip; evidence-DAY.zip.")] = None,
    signing_key: Annotated[
        Path | None, option("--signing-key", "The site's key; default: beside a SQLite file, as serve has it.")
    ] = None,
    signer: Annotated[str, option("--signer", "A command that signs with the key, which is elsewhere.")] = "",
    documents: Annotated[
        Path | None,
        option("--documents", "Folder of the papers' documents; default: beside the books."),
    ] = None,
    force: Annotated[bool, option("--force", "Write over a file that is there.")] = False,
) -> None:
    """Make the evidence file of a site: approvals, what runs, rules, sheets, books, awards, access, signed."""
    if context.invoked_subcommand is not None:
        return
    if db is None:
        raise NotationError("Name the site's store with {db}, as sqlite:///croupier.db.", fields=["db"])
    from croupier.evidence.make import make
    from croupier.ledger.clock import utc_now
    from croupier.web.anchors.signer import signer_of
    from croupier.web.settings import Settings

    settings = Settings(db=db, signing_key=signing_key, documents=documents)
    if documents is not None and not documents.is_dir():
        raise CroupierError(f"{{documents}}: there is no folder {str(documents)!r}.", fields=["documents"])
    key = signing_key or settings.signing_path()
    if not key.is_file():
        raise CroupierError(
            f"Evidence is signed with the site's key, and there is none at {key}: name it with {{signing_key}} FILE.",
            fields=["signing_key"],
        )
    signs = signer_of(key, signer)
    path = output or Path(f"evidence-{utc_now()[:10]}.zip")
    with opened_store(db) as store:
        target = check_not_kept(path, getattr(store, "path", None))
        if target.exists() and not force:
            raise CroupierError(f"There is a file {str(path)!r} already: {{force}} writes over it.", fields=["force"])
        with replaced(target, mode=0o600) as out, _bar("evidence") as step:
            archive = make(
                store,
                out,
                lambda text: (signs.public, signs.sign(text)),
                name=path.name,
                address=db,
                anchors=_anchors(db),
                documents=Documents(settings.documents_path()),
                step=step,
            )
    with target.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    print(f"The evidence file is in {path}: {archive.files} files, {target.stat().st_size:,} bytes, SHA-256 {digest}")
    print(
        f"It is signed with the key {fingerprint(archive.key)}. Check it anywhere with: croupier evidence verify {path}"
    )


def _anchors(db: str) -> bytes:
    """What the server has made of them, with their timestamps; nothing where it made none."""
    from croupier.web.anchors.outbox import Outbox

    file = sqlite_file(db)
    if file is not None and not file.with_name(f"{file.name}.anchors").is_file():
        return b""
    try:
        with closing(Outbox(db)) as outbox:
            return b"".join(anchor.json_line() for anchor in outbox.stamped(most=100_000))
    except CroupierError as error:
        print(f"croupier: warning: the anchors are left out: {error}", file=sys.stderr)
        return b""


@commands.command()
def verify(
    file: Annotated[Path, typer.Argument(help="An evidence file.")],
    *,
    key: KeyText = None,
    anchor: Annotated[
        list[str] | None,
        option("--anchor", "What was kept outside the house: a file, a folder or a printed line. May be given again."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check an evidence file offline: signature, digests, every act and figure again; name what is not proved.

    The exit code is 1 where something is wrong.
    """
    from croupier.evidence.verify import verify as check
    from croupier.ledger.anchor import read_anchors

    anchors = read_anchors(anchor) if anchor else None
    with _bar("checking") as step:
        report = check(file, key=_public(key) if key else None, anchors=anchors, step=step)
    if as_json:
        print_json(report.as_json())
    else:
        screen = console()
        if report.title:
            words = f"{report.title}, made {report.made_at[:19].replace('T', ' ')} UTC, {report.files} files"
            screen.print(*plain(words), style="bold", soft_wrap=True)
        for heading, sentences in (
            ("WRONG", [fault.sentence for fault in report.wrong]),
            ("Computed or decided again, and the same", report.recomputed),
            ("Not proved", report.unproved),
            ("Remarks", report.remarks),
        ):
            if sentences:
                screen.print(f"\n{heading}", style="bold")
            for sentence in sentences:
                screen.print(*plain(f"  {sentence}"), soft_wrap=True)
        wrong = f"Wrong with this file: {counted(len(report.wrong), 'thing')}."
        ending = "Nothing in it is wrong." if report.right else wrong
        screen.print(f"\n{ending}", style="bold")
    if not report.right:
        raise typer.Exit(WRONG)


def _public(text: str) -> str:
    """A key as people keep it: the digits, or the file that serve writes."""
    from croupier.ledger.checkpoint import read_public

    if len(text) == 64 and not set(text.lower()) - set("0123456789abcdef"):
        return text.lower()
    try:
        return read_public(Path(text))
    except (OSError, ValueError) as error:
        raise CroupierError(f"The key {text!r} cannot be read: {reason(error)}.") from None


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """How far it is, on the terminal's error channel; quiet in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
