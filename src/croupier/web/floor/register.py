"""Routes of the register: approvals on file, papers on record, and whether each table may be open."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from croupier.audit.documents import Documents, suffix_of
from croupier.compliance.approval import Approval
from croupier.compliance.authority import Power
from croupier.compliance.conditions import equipment_needed
from croupier.compliance.paper import about, name_of, steps_of
from croupier.compliance.profile import Fact, find_profile
from croupier.compliance.table import Dealing, Use
from croupier.errors import CroupierError
from croupier.floor.link.setup import progressives_with
from croupier.floor.site.register import keeps_register
from croupier.floor.site.site import Site
from croupier.games.blackjack.side_wagers import DECKS_OF, PROGRESSIVES
from croupier.games.catalogue import find_any_game, wagers_beside
from croupier.ledger.clock import utc_now
from croupier.program import program
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.answers import answer
from croupier.web.floor.reports import sent
from croupier.web.floor.routes import on_record
from croupier.web.identity.callers import SignedInCaller, TheRuntime

router = APIRouter(prefix="/api", tags=["register"])
Digest = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the document.")]
DOCUMENTS = "/api/site/documents/"
"""Where a request may be as long as a document."""


class ComplyForm(BaseModel):
    """Every table with its conditions."""

    site: str
    day: str = Field(description="The day that was asked about, where the site stands.")
    may_open: bool = Field(description="Whether nothing stops any table.")
    says: list[str] = Field(description="What the approvals that come with the program do not cover.")
    profile: str
    profile_words: str = Field(description="The place, and the edition of its rules, for people.")
    profile_digest: str
    approvals: list[dict[str, Any]]
    tables: list[dict[str, Any]] = Field(description="Each with its wagers, its conditions and whether it may be open.")


class RegisterForm(BaseModel):
    """What the register has, and what a table can be set to from it."""

    keeps_register: bool = Field(description="Whether tables are set from the register here.")
    approvals: list[dict[str, Any]]
    papers: list[dict[str, Any]]
    conditions: list[dict[str, Any]] = Field(description="For which papers can be recorded, with their steps.")
    titles: list[dict[str, Any]] = Field(description="That can be a table, each with its approval and its game.")
    progressives: dict[str, Any] = Field(description="By wager: its title, and from how many decks it is dealt.")
    games: list[dict[str, Any]] = Field(description="With their wagers, paytables and house options.")
    needs: list[dict[str, Any]] = Field(
        description="Equipment that conditions ask for here, why, and what they do without it."
    )
    dealings: list[str]
    uses: list[str] = Field(description="What a piece of equipment can be for.")


@router.get("/comply", summary="May each table be open?", response_model=ComplyForm)
def get_comply(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    """Every condition of every table, with its state, its papers and its paragraph."""
    caller.may_inspect()
    told = runtime.house.comply(utc_now())
    return answer({**told.as_json(), "profile_words": told.profile.words})


@router.get("/register", summary="Approvals on file and papers on record", response_model=RegisterForm)
def get_register(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may_inspect()
    return answer(register_json(runtime))


@router.post(
    "/site/documents/{sha256}",
    summary="Keep the document of a paper on record, beside the books",
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
    },
)
async def post_document(
    sha256: Digest, request: Request, runtime: TheRuntime, caller: SignedInCaller
) -> dict[str, Any]:
    """The body is the file itself. It is refused where it is another one than the address names, or no paper's."""
    try:
        caller.may(Power.RECORD_PAPER)
    except CroupierError as error:
        raise await on_record(runtime, caller, error, "keep-document") from None
    content, papers = await request.body(), list(runtime.house.site.kept.papers.values())
    name = next((paper.file for paper in papers if paper.sha256 == sha256), "")
    documents, wanted = Documents(runtime.settings.documents_path()), {paper.sha256 for paper in papers}
    await run_in_threadpool(documents.keep, content, name, wanted, sha256)
    return {"sha256": sha256, "size_bytes": len(content)}


@router.get(
    "/site/documents/{sha256}",
    summary="The document of a paper on record, where the house keeps it here",
    response_class=StreamingResponse,
    responses={200: {"description": "The document.", "content": {"application/octet-stream": {}}}},
)
def get_document(sha256: Digest, runtime: TheRuntime, caller: SignedInCaller) -> StreamingResponse:
    caller.may_inspect()
    papers = [paper for paper in runtime.house.site.kept.papers.values() if paper.sha256 == sha256]
    content = Documents(runtime.settings.documents_path()).read(sha256) if papers else None
    if content is None:
        raise ApiError(404, "no-document", "No document of a paper on record with this SHA-256 is kept here.")
    return sent(BytesIO(content), "application/octet-stream", f"{sha256}{suffix_of(papers[0].file)}")


def register_json(runtime: Runtime) -> dict[str, Any]:
    site = runtime.house.site
    register = site.kept.register
    keys = dict.fromkeys(condition.key for approval in register.approvals for condition in approval.conditions)
    dealt = register.dealt.values()
    kept = Documents(runtime.settings.documents_path()).named()
    return {
        "keeps_register": keeps_register(site),
        "approvals": [
            {**_short(approval), "own": approval.key in site.kept.approvals} for approval in register.approvals
        ],
        "papers": [
            {**paper.as_json(), "name": name_of(paper.condition), "kept": paper.sha256 in kept}
            for paper in site.kept.papers.values()
        ],
        "conditions": [
            {"condition": key, "name": name_of(key), "about": about(key), "steps": list(steps_of(key))} for key in keys
        ],
        "titles": [
            {
                **{"approval": title.approval.key, "title": title.title, "game": title.game},
                **{"wagers": list(title.own_wagers), "progressives": list(progressives_with(title.title))},
            }
            for title in dealt
        ],
        "progressives": {
            key: {"title": wager.title, "decks": list(DECKS_OF[key])} for key, wager in PROGRESSIVES.items()
        },
        "most_wager_cents": _most_wager(site),
        "games": [_game(key) for key in dict.fromkeys(title.game for title in dealt)],
        "site": site.title,
        "program_version": program().version,
        "needs": equipment_needed(register, find_profile(site.profile), site.day(utc_now())),
        "dealings": list(Dealing),
        "uses": list(Use),
    }


def _most_wager(site: Site) -> int | None:
    """What no wager may be above, where the place has laid that down: a custom fills in no form."""
    rule = site.rules(utc_now()).get(Fact.MOST_WAGER)
    return rule.value if rule and rule.binding and isinstance(rule.value, int) else None


def _short(approval: Approval) -> dict[str, Any]:
    return {
        **{"approval": approval.key, "name": approval.name, "subject": approval.subject, "holder": approval.holder},
        **{"authority": approval.authority, "dated": approval.dated.isoformat(), "digest": approval.digest},
        "titles": len(approval.titles),
        "dealt": sum(bool(title.game) for title in approval.titles),
        "equipment": [f"{device.name} {device.version}" for device in approval.equipment],
    }


def _game(key: str) -> dict[str, Any]:
    game = find_any_game(key)
    beside = wagers_beside(key)
    return {
        **{
            "game": key,
            "title": game.title,
            "seats": game.seats,
            "words": bool(game.placard),
            "options": dict(game.options),
        },
        "wagers": [
            {"wager": wager.key, "title": wager.title, "paytables": list(wager.paytables), "base": place == 0}
            for place, wager in enumerate(game.wagers)
            if place == 0 or wager.key in beside
        ],
    }
