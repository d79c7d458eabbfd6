"""Routes of the ledger: the books in one file for whoever checks them elsewhere, and signed checkpoints.

That books were exported is an entry of the site's book, as is every checkpoint: who, where, when and how far.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import tempfile
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.audit.backup import backup
from croupier.audit.balance import GRACE_MINUTES, checkpoint_on, read_day
from croupier.audit.export import chosen_streams, export, kept_checkpoints, open_existing
from croupier.compliance.authority import Power
from croupier.floor.act import EntryKind
from croupier.floor.facts import KeepCheckpointFacts, NoteBackupFacts, facts_of
from croupier.floor.refusals import No, refusal
from croupier.floor.site.acts import KeepCheckpoint
from croupier.floor.site.notes import NoteBackup
from croupier.ledger.checkpoint import SignedCheckpoint, fingerprint
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE, Entry, canonical
from croupier.reports.books import Books
from croupier.web.anchors.keeper import Keeper
from croupier.web.anchors.signer import ByHand, NotSigned
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.answers import EntryDone
from croupier.web.floor.reports import note_export, open_books, sent
from croupier.web.floor.views import entry_json
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.logs import log
from croupier.web.turns import report_route

router = APIRouter(prefix="/api", tags=["ledger"])
PACKED = "application/gzip"
FILE: dict[int | str, dict[str, Any]] = {200: {"description": "The ledger.", "content": {PACKED: {}}}}


# Export


def export_name(link: str | None = None) -> str:
    """What the file is called where it is saved."""
    return f"ledger-{link or 'all'}-{utc_now()[:10]}.jsonl.gz"


@router.get(
    "/ledger/export",
    summary="The books in one file, as croupier ledger verify reads it",
    responses=FILE,
    response_class=StreamingResponse,
)
@report_route
def get_export(
    runtime: TheRuntime,
    caller: SignedInCaller,
    link: Annotated[str | None, Query(description="Only this link's book; all.", max_length=64)] = None,
) -> StreamingResponse:
    """All of it or nothing: the file is written whole before the first byte goes out."""
    caller.may(Power.EXPORT)
    with tempfile.TemporaryDirectory(prefix="croupier-export-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "ledger.jsonl.gz"
        with open_existing(runtime.settings.db) as store:
            streams = chosen_streams(store, link)
            ends = {stream: last.number if (last := store.last(stream)) else 0 for stream in streams}
            note_export(runtime, caller, ends)
            export(store, streams, path, list(kept_checkpoints(store.rows(SITE))))
        file = path.open("rb")  # open, it can be read though its name is gone
    return sent(file, PACKED, export_name(link))


# Backups: all books in a file on the server's own disk, on record with its digest, for whoever carries it elsewhere

BACKUP_NAME = re.compile(r"backup-\d{8}T\d{6}Z-[0-9a-f]{8}\.jsonl\.gz")


class BackupForm(BaseModel):
    """That a backup is to be made now."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "7f3a43"}]})
    id: Annotated[StrictStr, Field(min_length=1, max_length=64)]


@router.post("/site/backup", summary="Back all books up to the server's own disk", response_model=EntryDone)
@report_route
def post_backup(form: BackupForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """Of one moment across all books. Its name, size and SHA-256 are an entry of the site's book."""
    person, floor = caller.may(Power.EXPORT), runtime.leading()
    entry = floor.reading.by_command(SITE, form.id)
    if entry is not None:
        return {"entry": entry_json(floor.do_site(_noted(entry, form.id, person.id, caller.where)))}
    path = _new_backup(runtime.settings.backups_path())
    try:
        floor.settle()
        with open_existing(runtime.settings.db) as store:
            endings = backup(store, path)
        path.chmod(0o600)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        act = NoteBackup(
            **{"id": form.id, "by": person.id, "where": caller.where, "file": path.name, "digest": digest},
            size_bytes=path.stat().st_size,
            books={ending.stream: ending.entries for ending in endings},
        )
        return {"entry": entry_json(floor.do_site(act))}
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _noted(entry: Entry, id: str, by: str, where: str) -> NoteBackup:
    """The act of an entry that is there: whoever sends it again gets it again, and somebody else is refused."""
    facts = facts_of(NoteBackupFacts, entry) if entry.kind == EntryKind.NOTE_BACKUP else None
    if facts is None:
        raise refusal(No.WRONG_FORM, why="an act of this id was done already, and it was no backup")
    return NoteBackup(
        **{"id": id, "by": by, "where": where, "file": facts["file"], "digest": facts["digest"]},
        size_bytes=facts["size_bytes"],
        books=facts["books"],
    )


def _new_backup(folder: Path) -> Path:
    """Its name sorts by time; the folder is its owner's alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        sentence = (
            f"Backups cannot be kept in {folder}: {error.strerror}. Name another folder where the server is started."
        )
        raise ApiError(409, "no-backup-folder", sentence) from None
    moment = re.sub(r"[-:]|\.\d+", "", utc_now())
    return folder / f"backup-{moment}-{secrets.token_hex(4)}.jsonl.gz"


@router.get(
    "/site/backups/{file}",
    summary="A backup that was made here, to carry it elsewhere",
    responses=FILE,
    response_class=StreamingResponse,
)
@report_route
def get_backup(
    file: Annotated[str, PathParameter(max_length=64)], runtime: TheRuntime, caller: SignedInCaller
) -> StreamingResponse:
    """That it was taken is on record too."""
    caller.may(Power.EXPORT)
    path = runtime.settings.backups_path() / file
    if not BACKUP_NAME.fullmatch(file) or not path.is_file():
        there = "make one, or look in the folder of the server that made it"
        raise ApiError(404, "no-such-backup", f"There is no backup {file!r} on this server: {there}.")
    note_export(runtime, caller, {}, file)
    return sent(path.open("rb"), PACKED, file)


# Checkpoints


class CheckpointForm(BaseModel):
    """Which day is signed."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "7f3a42", "day": "2026-11-15"}]})
    id: Annotated[StrictStr, Field(min_length=1, max_length=64)]
    day: Annotated[StrictStr, Field(description="A day (UTC) that is over, as 2026-11-15.", max_length=10)]


@router.get("/ledger/checkpoints", summary="Every signed checkpoint that is on record")
@report_route
def get_checkpoints(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    with open_existing(runtime.settings.db) as store:
        return {"checkpoints": [kept_checkpoint.as_json() for kept_checkpoint in kept_checkpoints(store.rows(SITE))]}


class CheckpointDone(EntryDone):
    checkpoints: list[dict[str, Any]]


@router.post(
    "/ledger/checkpoint", summary="Sign where every book stood at the end of a day", response_model=CheckpointDone
)
@report_route
def post_checkpoint(form: CheckpointForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    person, floor, day = caller.may(Power.CHECKPOINT), runtime.leading(), read_day(form.day)
    act = KeepCheckpoint(id=form.id, by=person.id, where=caller.where, day=form.day, checkpoints={})
    if floor.reading.by_command(SITE, form.id) is None:
        if runtime.anchors is None or isinstance(runtime.anchors.signer, ByHand | None):
            raise ApiError(
                409,
                "no-signing-key",
                "This server has no key to sign with: make one with croupier ledger key new FILE, and start the server "
                "with it as its signing key.",
            )
        floor.settle()
        with open_books(runtime) as books:
            act = replace(act, checkpoints=sign(runtime, books, day))
    entry = floor.do_site(act)
    return {
        "entry": entry_json(entry),
        "checkpoints": list(facts_of(KeepCheckpointFacts, entry)["checkpoints"].values()),
    }


def sign(runtime: Runtime, books: Books, day: date) -> dict[str, Any]:
    """By book: its checkpoint for a day (UTC), signed, where there is a key and none is kept for that day yet.

    Every row is decided again on the way: nothing is signed over a book that is not right.
    """
    signer, kept = runtime.anchors and runtime.anchors.signer, runtime.house.site.days.signed
    if not signer or isinstance(signer, ByHand):
        return {}
    now, source, signatures = utc_now(), books.source, {}
    for stream in sorted(source.streams()):
        if str(day) > kept.get(stream, "") and source.number_before(stream, str(day + timedelta(days=1))):
            rows = (row.raw for row in source.rows(stream))
            checkpoint = checkpoint_on(stream, rows, day, now)
            try:
                signature = signer.sign(canonical(checkpoint.body()))
            except NotSigned as error:  # the day is closed nonetheless, and its anchor waits for the signature
                log.warning("not-signed", book=stream, day=str(day), sentence=str(error))
                return {}
            signatures[stream] = SignedCheckpoint(checkpoint, signer.public, signature).as_json()
    return signatures


# Anchors


class SignatureForm(BaseModel):
    """A signature by the site's key, which is kept elsewhere."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"signature": "5c" * 64}]})
    signature: Annotated[StrictStr, Field(min_length=128, max_length=128, description="Hexadecimal digits.")]


def _keeper(runtime: Runtime) -> Keeper:
    if runtime.anchors is None:
        raise ApiError(409, "no-anchors", "This server makes no anchors: it was started without a key to sign with.")
    return runtime.anchors


@router.get("/ledger/anchors", summary="Anchors: the key, where they go, what arrived, what waits")
@report_route
def get_anchors(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.CHECKPOINT)
    if runtime.anchors is None:
        return {"made": 0, "key": None, "destinations": [], "unsigned": [], "alarms": {}}
    keeper, key = runtime.anchors, runtime.house.site.signs_with
    last = keeper.outbox.last()
    return {
        **{"made": last.anchor.number if last else 0, "every_s": runtime.settings.anchor_every_s},
        **{"key": key or None, "fingerprint": fingerprint(key) if key else None},
        "last": {**last.anchor.body(), "line": last.anchor.line().text()} if last else None,
        "destinations": keeper.status(),
        "unsigned": [
            {"number": waiting.anchor.number, "text": waiting.anchor.text().decode()}
            for waiting in keeper.outbox.unsigned()
        ],
        "alarms": runtime.anchors.alarms if runtime.floor is not None else {},
    }


@router.get(
    "/ledger/anchors/file",
    summary="Every signed anchor, with its timestamps, as croupier ledger verify reads them",
    response_class=Response,
)
@report_route
def get_anchors_file(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.CHECKPOINT)
    content = b"".join(signed.json_line() for signed in _keeper(runtime).outbox.stamped(most=100_000))
    headers = {"Content-Disposition": f'attachment; filename="anchors-{utc_now()[:10]}.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@router.post("/ledger/anchors/{number}/signature", summary="Bring the signature of an anchor that waits for it")
@report_route
def post_signature(
    number: Annotated[int, PathParameter(ge=1, le=2**53)],
    form: SignatureForm,
    runtime: TheRuntime,
    caller: SignedInCaller,
) -> dict[str, Any]:
    caller.may(Power.CHECKPOINT)
    keeper = _keeper(runtime)
    runtime.leading()
    waiting = next((waiting for waiting in keeper.outbox.unsigned() if waiting.anchor.number == number), None)
    if waiting is None:
        raise ApiError(409, "not-waiting", f"Anchor {number} waits for no signature.")
    try:
        keeper.give(waiting, form.signature)
    except NotSigned as error:
        raise ApiError(409, "wrong-signature", str(error)) from None
    return {"signed": number}


def last_utc_day(until: str) -> date:
    """The last day (UTC) that was wholly over at a moment, with time for what was still on its way then."""
    return (datetime.fromisoformat(until) - timedelta(days=1, minutes=GRACE_MINUTES)).date()
