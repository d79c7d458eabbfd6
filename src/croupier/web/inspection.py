"""Routes of an inspection: what runs here, and the evidence file, made in a process of its own, on record.

Making it takes as long as reading every book does, so whoever asks for it asks again how far it is. One is made at a
time, and kept until the next one or the server's end; whoever asked for it takes it. The sheets of the games follow
from the program and the register, not from the books: a second process counts them meanwhile, once as long as the
server runs. The site's key signs in the server: the process that makes the file hands over what is to be signed.
"""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import pickle
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.audit.about import Standing, about
from croupier.audit.documents import Documents
from croupier.audit.export import open_existing
from croupier.compliance.approval import Register
from croupier.compliance.authority import Power
from croupier.errors import CroupierError
from croupier.floor.site.notes import NoteEvidence
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.program import Installed
from croupier.web.anchors.signer import ByHand, Signer
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.reports import sent
from croupier.web.identity.callers import Caller, SignedInCaller, TheRuntime
from croupier.web.logs import log
from croupier.web.turns import report_route

if TYPE_CHECKING:
    from croupier.evidence.sections import Paper

IDLE, WORKING, DONE, FAILED = "none", "working", "done", "failed"
ZIP = "application/zip"
FILE: dict[int | str, dict[str, Any]] = {200: {"description": "The evidence file.", "content": {ZIP: {}}}}
END_S = 5.0
STOPPED = "The server was stopped before the evidence file was made: ask for it again."


@dataclass(frozen=True)
class Job:
    """What the process needs: no key, and nothing that is secret."""

    db: str
    file: str
    name: str
    anchors: bytes
    documents: str
    here: Installed
    register: tuple[str, ...]
    """The digests of the approvals under which the server has the sheets counted."""


def work(channel: Connection, job: Job) -> None:
    """The whole life of the process: it tells how far it is, asks for signatures, and says how it ended."""
    from croupier.evidence.make import Waited, make, sheet_of, sheets_wanted
    from croupier.web.games.analyst import begin_quietly

    begin_quietly()

    def sign(text: bytes) -> tuple[str, str]:
        channel.send(("sign", text))
        public, signature = channel.recv()
        return str(public), str(signature)

    def asked(section: str, place: int, name: str, register: Register) -> list[Paper]:
        """A sheet that the server has, or waits for; counted here, where whoever counted it ended."""
        channel.send(("sheet", section, place))
        given: bytes | None = channel.recv()
        return sheet_of(section, name, register) if given is None else list(pickle.loads(given))

    def counted(register: Register) -> Waited:
        by_section: dict[str, list[Callable[[], list[Paper]]]] = {}
        if tuple(approval.digest for approval in register.approvals) == job.register:
            for section, name in sheets_wanted():
                place = len(by_section.setdefault(section, []))
                by_section[section].append(partial(asked, section, place, name, register))
        return by_section

    told = 0

    def step(done: int, of: int) -> None:
        nonlocal told
        if (now := 100 * done // max(of, 1)) > told:
            told = now
            channel.send(("progress", now))

    try:
        with open_existing(job.db) as store, open(job.file, "wb") as out:
            archive = make(
                store,
                out,
                sign,
                name=job.name,
                address=job.db,
                anchors=job.anchors,
                documents=Documents(Path(job.documents)),
                here=job.here,
                step=step,
                counted=counted,
            )
        channel.send(("made", archive.books))
    except CroupierError as error:
        channel.send(("error", str(error)))
    channel.close()


def count_sheets(channel: Connection, register: Register) -> None:
    """The whole life of the process beside it: one sheet after the other, each told as soon as it is counted."""
    from croupier.evidence.make import sheet_of, sheets_wanted
    from croupier.web.games.analyst import begin_quietly

    begin_quietly()
    with suppress(OSError):  # the server has ended
        for section, name in sheets_wanted():
            channel.send((section, pickle.dumps(sheet_of(section, name, register))))
    channel.close()


class Sheets:
    """PAR sheets, figures and readings, which follow from the program and the register alone: counted once as long as
    this server runs and its register stays, by a process that begins beside the reading of the books. They pass through
    here as they are packed: the server has no use for what a sheet is made with."""

    def __init__(self, register: Register) -> None:
        self.key = tuple(approval.digest for approval in register.approvals)
        self._counted: dict[str, list[bytes]] = {}
        self._broken = False
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=count_sheets, name="sheets", args=(theirs, register), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def broken(self) -> bool:
        """Whether its process ended before all were counted."""
        return self._broken

    def sheet(self, section: str, place: int) -> bytes | None:
        """It is waited for; None where the process ended without it."""
        while len(self._counted.get(section, ())) <= place:
            try:
                name, papers = self._ours.recv()
            except (EOFError, OSError):
                self._broken = True
                return None
            self._counted.setdefault(name, []).append(papers)
        return self._counted[section][place]

    def close(self) -> None:
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(timeout=END_S)
        self._ours.close()


@dataclass
class Progress:
    """The evidence file of this server: none yet, one that is being made, or the last."""

    state: str = IDLE
    id: str = ""
    person: str = ""
    percent: int = 0
    file: str = ""
    size_bytes: int = 0
    digest: str = ""
    sentence: str = ""
    begun: str = ""


class Desk:
    """Where one evidence file at a time is made and handed out."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self._lock = runtime, Lock()
        self.standing = Progress()
        self._folder: Path | None = None
        self._thread: Thread | None = None
        self._process: Any = None
        self._sheets: Sheets | None = None
        self._closing = False

    def begin(self, caller: Caller, id_: str) -> Progress:
        """A new one, or the one that was asked for with this id before."""
        person = caller.may(Power.INSPECT).id
        signer = self._signer()
        with self._lock:
            if (self.standing.id, self.standing.person) == (id_, person):
                return self.standing
            if self.standing.state == WORKING:
                sentence = f"An evidence file is being made for {self.standing.person}: try again when it is done."
                raise ApiError(409, "evidence-busy", sentence)
            self._forget()
            self._folder = Path(tempfile.mkdtemp(prefix="croupier-evidence-"))
            name = f"evidence-{utc_now()[:10]}.zip"
            self.standing = Progress(WORKING, id_, person, file=name, begun=utc_now())
            path, where = self._folder / name, caller.where
            self._thread = Thread(target=self._make, args=(signer, path, where), name="evidence", daemon=True)
            self._thread.start()
            return self.standing

    def _signer(self) -> Signer:
        keeper = self._runtime.anchors
        signer = keeper.signer if keeper is not None else None
        if signer is None or isinstance(signer, ByHand):
            raise ApiError(
                409,
                "no-signing-key",
                "Evidence is signed with the site's key, and this server has none at hand: make the file where the key "
                "is, with croupier evidence.",
            )
        return signer

    def _make(self, signer: Signer, path: Path, where: str) -> None:
        try:
            books = self._followed(signer, path)
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = path.stat().st_size
            evidence = self.standing
            act = NoteEvidence(
                **{"id": f"evidence {evidence.id}"[:64], "by": evidence.person, "where": where, "file": evidence.file},
                digest=digest,
                size_bytes=size,
                books=books,
            )
            self._runtime.leading().do_site(act)
            evidence.size_bytes, evidence.digest, evidence.percent, evidence.state = size, digest, 100, DONE
        except CroupierError as error:
            self.standing.sentence, self.standing.state = str(error), FAILED
        except Exception as error:  # an error of ours: whoever waits hears that it failed, and the log has its place
            log.error("evidence-failed", exc_info=error)
            self.standing.sentence = "The evidence file could not be made: the log says why."
            self.standing.state = FAILED

    def _followed(self, signer: Signer, path: Path) -> dict[str, int]:
        runtime, context = self._runtime, multiprocessing.get_context("spawn")
        anchors = runtime.anchors
        kept = b"".join(signed.json_line() for signed in anchors.outbox.stamped(most=100_000)) if anchors else b""
        papers = str(runtime.settings.documents_path())
        sheets = self._counting(runtime.house.site.kept.register)
        here = runtime.what_runs.installed
        job = Job(runtime.settings.db, str(path), path.name, kept, papers, here, sheets.key)
        runtime.leading().settle()
        ours, theirs = context.Pipe()
        self._process = context.Process(target=work, name="evidence", args=(theirs, job), daemon=True)
        self._process.start()
        theirs.close()
        try:
            while True:
                match ours.recv():
                    case ("progress", int(percent)):
                        self.standing.percent = percent
                    case ("sheet", str(section), int(place)):
                        ours.send(sheets.sheet(section, place))
                    case ("sign", bytes(text)):
                        ours.send((signer.public, signer.sign(text)))
                    case ("made", dict(books)):
                        return books
                    case ("error", str(sentence)):
                        raise CroupierError(sentence)
        except (EOFError, OSError):
            raise CroupierError(STOPPED if self._closing else "The process that made it ended: try again.") from None
        finally:
            ours.close()
            self._end()

    def _counting(self, register: Register) -> Sheets:
        """Those of the last file, where the register is the same and none is missing; or new ones."""
        last, key = self._sheets, tuple(approval.digest for approval in register.approvals)
        if last is None or last.key != key or last.broken:
            if last is not None:
                last.close()
            self._sheets = last = Sheets(register)
        return last

    def _end(self) -> None:
        process = self._process
        if process is not None:
            process.join(timeout=0.2)
            if process.is_alive():
                process.terminate()
                process.join(timeout=END_S)

    def take(self, caller: Caller) -> tuple[Path, Progress]:
        person, evidence = caller.may(Power.INSPECT), self.standing
        if evidence.state != DONE or evidence.person != person.id or self._folder is None:
            raise ApiError(404, "no-evidence", "There is no evidence file of yours here: ask for one first.")
        return self._folder / evidence.file, evidence

    def close(self) -> None:
        self._closing = True
        if self._sheets is not None:
            self._sheets.close()
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
        if self._thread is not None:
            self._thread.join(timeout=2 * END_S)
        self._forget()

    def _forget(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


# Routes


@asynccontextmanager
async def evidence_life(app: FastAPI) -> AsyncIterator[None]:
    app.state.evidence = desk = Desk(app.state.runtime)
    try:
        yield
    finally:
        with suppress(Exception):
            await asyncio.to_thread(desk.close)


router = APIRouter(prefix="/api", tags=["inspection"], lifespan=evidence_life)


class EvidenceForm(BaseModel):
    """That an evidence file is to be made now."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "7f3a44"}]})
    id: Annotated[StrictStr, Field(min_length=1, max_length=48)]


@router.get("/about", summary="What runs here: program, packages, rules, approvals, key, backup, self-check")
@report_route
def get_about(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.INSPECT)
    house = runtime.house
    first = next((row.digest for row in runtime.reading.rows(SITE, limit=1)), "")
    standing = Standing(house.site, dict(house.links), first)
    told = about(runtime.what_runs.installed, standing, books=runtime.settings.db)
    return {**told, "changed": runtime.what_runs.said or told["changed"]}


@router.get("/evidence", summary="The evidence file: whether one is made, and how far it is")
def get_evidence(request: Request, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.INSPECT)
    desk: Desk = request.app.state.evidence
    return asdict(desk.standing)


@router.post("/evidence", summary="Make the evidence file: approvals, rules, sheets, books and lists, signed")
def post_evidence(form: EvidenceForm, request: Request, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """It is answered at once; how far it is, is asked for. Who took it stands in the site's book."""
    runtime.leading()
    desk: Desk = request.app.state.evidence
    return asdict(desk.begin(caller, form.id))


@router.get(
    "/evidence/file",
    summary="The evidence file that was made last, for whoever asked for it",
    responses=FILE,
    response_class=StreamingResponse,
)
def get_evidence_file(request: Request, caller: SignedInCaller) -> StreamingResponse:
    desk: Desk = request.app.state.evidence
    path, evidence = desk.take(caller)
    return sent(path.open("rb"), ZIP, evidence.file)
