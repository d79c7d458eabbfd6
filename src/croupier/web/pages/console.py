"""The Game Manager's console: one page for each piece of office work. Each role sees the pages whose work it may do."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.compliance.authority import ALLOWED, PEOPLE, Power, Role, may, roles_for
from croupier.compliance.profile import Fact, find_profile
from croupier.errors import UnknownName
from croupier.floor.link.acts import Identity
from croupier.floor.people import Person
from croupier.floor.site.bank import up_to_cents
from croupier.floor.site.decide import gaming_day
from croupier.ledger.clock import utc_now
from croupier.program import program
from croupier.reports.catalogue import CLOSE, REPORTS, TITLES
from croupier.reports.qr import svg_code
from croupier.reports.sentences import SENTENCES
from croupier.web.anchors.signer import ByHand
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.ledger import export_name
from croupier.web.identity.callers import SESSION, TheRuntime
from croupier.web.identity.cookies import SESSION_COOKIE, check_page, csrf_token
from croupier.web.identity.sessions import PIN_DIGITS
from croupier.web.pages.first_run import is_over, steps
from croupier.web.pages.templates import page, profile_choices

router = APIRouter(include_in_schema=False, prefix="/console")
IDENTITIES = [str(identity) for identity in Identity]
"""Documents that a cage looks at."""
CONFIRMING = {str(roles_for(power)[0]): power.name.lower() for power in (Power.CONFIRM, Power.CONFIRM_ABOVE)}
"""The act that decides an award, by the card that it takes."""
SECTIONS: tuple[tuple[str, str, frozenset[Power]], ...] = (
    ("/console", "overview", frozenset({Power.READ_LEDGER})),
    ("/console/setup", "setup", frozenset({Power.ENROL_PERSON})),
    ("/console/links", "links", frozenset({Power.READ_LEDGER})),
    ("/console/awards", "awards", frozenset({Power.READ_LEDGER})),
    ("/console/cage", "cage", frozenset({Power.SEE_SLIPS})),
    ("/console/bank", "bank", frozenset({Power.READ_LEDGER})),
    ("/console/days", "days", frozenset({Power.READ_LEDGER})),
    ("/console/adjust", "adjust", frozenset({Power.ADJUST})),
    ("/console/reports", "reports", frozenset({Power.READ_LEDGER})),
    ("/console/events", "events", frozenset({Power.READ_LEDGER})),
    ("/console/proof", "proof", frozenset({Power.READ_LEDGER})),
    ("/console/people", "people", frozenset({Power.READ_LEDGER})),
    ("/console/school", "school", frozenset({Power.SEE_CLASS})),
    ("/console/devices", "devices", frozenset({Power.ENROL_DEVICE})),
    ("/console/site", "site", frozenset({Power.READ_LEDGER})),
    ("/console/approvals", "approvals", frozenset({Power.READ_LEDGER, Power.INSPECT})),
    ("/console/about", "about", frozenset({Power.INSPECT})),
)
"""Address, name, and the acts of which the role must be allowed one to see it."""
GROUPS = {
    "books": frozenset({"adjust", "reports", "events", "proof"}),
    "house": frozenset({"people", "school", "devices", "site", "approvals", "about"}),
}
"""The parts of the list that have a heading; what comes before them is the floor's own work."""
RECORDS = ("console-records",)
DESK = (*RECORDS, "console-desk")
"""The words that every page of the records and of the desk needs."""


def sections_for(role: Role) -> list[tuple[str, str]]:
    return [(path, name) for path, name, acts in SECTIONS if acts & ALLOWED[role]]


def _grouped(seen: list[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """By heading, in order; the first has none."""
    first = [part for part in seen if not any(part[1] in names for names in GROUPS.values())]
    others = [(group, [part for part in seen if part[1] in names]) for group, names in GROUPS.items()]
    return [(group, parts) for group, parts in (("", first), *others) if parts]


def section(
    request: Request,
    runtime: Runtime,
    name: str,
    template: str = "",
    needs: Power | None = None,
    *,
    words: tuple[str, ...] = (),
    **boot: Any,
) -> Response:
    """One of the console's pages, for whoever has signed in with card and PIN; everybody else is asked to.

    A form that somebody may not send is not shown to them: `needs` says what it takes."""
    (person, pin_to_change), status = _at_console(request, runtime), 200
    if person is None:
        place = "choose-pin" if pin_to_change else "sign-in"
        return RedirectResponse(f"/{place}?then={request.url.path}", status_code=303)
    seen, over = sections_for(person.role), is_over(runtime.house, utc_now())
    if name not in [part for _, part in seen] or (needs and needs not in ALLOWED[person.role]):
        template, status, words = "console/denied.html", 403, (*words, "cards")
    csrf = csrf_token(runtime.key, request.cookies[SESSION_COOKIE])
    names = {"names": {person.id: person.name for person in runtime.house.site.people}}
    allowed = sorted(act.name.lower() for act in ALLOWED[person.role])
    return page(
        request,
        template or f"console/{name}.html",
        runtime,
        ("console", f"console-{name}", *words),
        person=person,
        csrf=csrf,
        status=status,
        boot={"person": person.id, "role": str(person.role), "may": allowed, "confirming": CONFIRMING, **names, **boot},
        section=name,
        sections=_grouped([part for part in seen if part[1] != "setup" or name == "setup" or not over]),
        counts={"awards": sum(len(brief.awards) for brief in runtime.house.links.values())},
        place=find_profile(runtime.house.site.profile).title,
        program=program(),
    )


def _at_console(request: Request, runtime: Runtime) -> tuple[Person | None, bool]:
    """Who has signed in with a PIN of one's own; and whether somebody has with one that must be changed."""
    try:
        session, person = runtime.access.session(request.cookies.get(SESSION_COOKIE, "").removeprefix(SESSION))
    except ApiError:
        return None, False
    return person if session.console else None, session.given


def _sees_links(request: Request, runtime: Runtime) -> bool:
    """Asked before a page looks anything up: nobody else is told what there is."""
    person, _ = _at_console(request, runtime)
    return person is not None and "links" in [name for _, name in sections_for(person.role)]


@router.get("/links/{link}", response_model=None)
def link(link: str, request: Request, runtime: TheRuntime) -> Response:
    if not _sees_links(request, runtime):
        return section(request, runtime, "links")
    _known(runtime, link)
    others = [other for other in _links(runtime) if other != link]
    setup = runtime.house.links[link].setup
    sizes = {"tables": len(setup.tables), "setup": len(setup.levels) + len(setup.lines)} if setup else {}
    lines = {**sizes, "levels": len(setup.levels)} if setup else {}
    on_file = runtime.house.site.kept.register.words([setup.game_digest]) if setup else ""
    begin: dict[str, Any] = {"link": link, "others": others, "lines": lines, "on_file": on_file}
    begin |= {"removal": _removal(runtime, link)}
    return section(request, runtime, "links", "console/link.html", words=DESK, **begin)


def _removal(runtime: Runtime, link: str) -> dict[str, Any] | None:
    """How the place lets a progressive be removed, and the plan on record; nothing where it asks for no plan."""
    site = runtime.house.site
    rules, plan = site.rules(utc_now()), site.removals.get(link)
    if not rules.holds(Fact.PLAN_TO_REMOVE):
        return None
    brief = runtime.house.links.get(link)
    left = up_to_cents(runtime.house.on_its_way(brief)) if brief and brief.destination else 0
    titles = sorted({table.title for table in brief.setup.tables}) if brief and brief.setup else []
    return {
        **{"ways": rules[Fact.WAYS_TO_REMOVE].value, "days": rules.number(Fact.REMOVAL_POSTED)},
        **{"plan": plan._asdict() if plan else None, "left_cents": left, "titles": titles},
    }


@router.get("/links/{link}/configure", response_model=None)
def configure(link: str, request: Request, runtime: TheRuntime) -> Response:
    if _sees_links(request, runtime):
        _known(runtime, link)
    return section(request, runtime, "links", "console/configure.html", Power.RECONFIGURE, words=DESK, link=link)


@router.get("/new-link", response_model=None)
def new_link(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "links", "console/configure.html", Power.RECONFIGURE, words=DESK, link="")


def _plain(path: str, name: str, words: tuple[str, ...], *, links: bool) -> None:
    """A page that needs to know nothing, or the names of the links."""

    @router.get(path, response_model=None, name=name)
    def shown(request: Request, runtime: TheRuntime) -> Response:
        boot: dict[str, Any] = {"links": _links(runtime)} if links else {}
        return section(request, runtime, name, words=words, **boot)


@router.get("", response_model=None)
def overview(request: Request, runtime: TheRuntime) -> Response:
    who = {power.name.lower(): [str(role) for role in roles_for(power) if role in PEOPLE] for power in Power}
    return section(request, runtime, "overview", words=(*DESK, "console-bank"), links=_links(runtime), who=who)


for _name in ("links", "awards", "adjust"):
    _plain(f"/{_name}", _name, DESK, links=True)
_plain("/bank", "bank", DESK, links=False)
_plain("/approvals", "approvals", DESK, links=False)
for _name in ("devices", "days", "school"):
    _plain(f"/{_name}", _name, RECORDS, links=False)


def _links(runtime: Runtime) -> list[str]:
    return sorted(name for name, brief in runtime.house.links.items() if brief.setup)


def _known(runtime: Runtime, link: str) -> None:
    if link not in _links(runtime):
        raise UnknownName("link", link, _links(runtime))


# The console's pages of people and records: cards, devices, the event log, reports, proofs, awards, gaming days.

ON_SCREEN = (*(kind for kind in REPORTS if kind != "events"), CLOSE)
"""Reports that have a page of their own; the event log is one by itself."""


@router.get("/people", response_model=None)
def people(request: Request, runtime: TheRuntime) -> Response:
    roles = sorted(map(str, PEOPLE))
    return _shown(request, runtime, "people", roles=roles, pin_digits=PIN_DIGITS)


@router.get("/setup", response_model=None)
def setup(request: Request, runtime: TheRuntime) -> Response:
    """The first run: everything that a room needs, in its order. Afterwards it is reached by its address alone."""
    roles = sorted(str(role) for role in PEOPLE if role is not Role.INSPECTOR)  # who is enrolled for a span of days
    words = (*DESK, "console-people", "console-devices", "console-links", "console-approvals")
    return section(request, runtime, "setup", words=words, roles=roles, steps=_steps(runtime))


@router.get("/setup/steps", response_model=None)
def setup_steps(request: Request, runtime: TheRuntime) -> Response:
    person, _ = _at_console(request, runtime)
    if person is None or not may(person.role, Power.ENROL_PERSON):
        raise ApiError(403, "not-allowed", "The first run is a manager's work: sign in with card and PIN.")
    return JSONResponse({"steps": _steps(runtime)})


def _steps(runtime: Runtime) -> list[dict[str, Any]]:
    return [step._asdict() for step in steps(runtime.house, utc_now())]


class CodeForm(BaseModel):
    """What a QR code is to say."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[StrictStr, Field(min_length=1, max_length=500)]


@router.post("/qr")
def qr(form: CodeForm, request: Request, runtime: TheRuntime) -> dict[str, str]:
    """An address as a picture that the device's camera reads; for whoever enrolls devices, and kept nowhere."""
    check_page(request)
    person, _ = _at_console(request, runtime)
    if person is None or not may(person.role, Power.ENROL_DEVICE):
        raise ApiError(403, "not-allowed", "Codes are made for whoever enrolls devices: sign in with card and PIN.")
    return {"svg": svg_code(form.text)}


@router.get("/site", response_model=None)
def site(request: Request, runtime: TheRuntime) -> Response:
    """What the room is by its book, which two people change; the program that runs; and its backups."""
    folder, running = str(runtime.settings.backups_path()), program()._asdict()
    return _shown(
        request, runtime, "site", profiles=profile_choices(runtime.house.site.profile), folder=folder, program=running
    )


@router.get("/events", response_model=None)
def events(request: Request, runtime: TheRuntime) -> Response:
    everybody = [[person.id, person.name] for person in runtime.house.site.people]
    return _shown(request, runtime, "events", kinds=list(SENTENCES), books=_books(runtime), people=everybody)


@router.get("/reports", response_model=None)
def reports(request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "reports", reports=[[kind, TITLES[kind]] for kind in ON_SCREEN])


@router.get("/reports/{kind}", response_model=None)
def report(kind: str, request: Request, runtime: TheRuntime) -> Response:
    if kind not in ON_SCREEN:
        raise UnknownName("report", kind, ON_SCREEN)
    one_day = kind == CLOSE
    links, template = sorted(runtime.house.links), "console/report.html"
    return _shown(request, runtime, "reports", template, report=kind, title=TITLES[kind], one_day=one_day, links=links)


@router.get("/proof", response_model=None)
def proof(request: Request, runtime: TheRuntime) -> Response:
    signs = runtime.anchors is not None and not isinstance(runtime.anchors.signer, ByHand | None)
    links = sorted(runtime.house.links)
    return _shown(request, runtime, "proof", links=links, signs=signs, export=export_name())


@router.get("/about", response_model=None)
def about(request: Request, runtime: TheRuntime) -> Response:
    """What runs here, and the evidence file: all that an inspector sees of the console, beside the approvals."""
    return _shown(request, runtime, "about")


@router.get("/awards/{link}/{award}", response_model=None)
def award(link: str, award: int, request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "awards", "console/award.html", link=link, award=award, identities=IDENTITIES)


@router.get("/cage", response_model=None)
def cage(request: Request, runtime: TheRuntime) -> Response:
    """Winners who are to be paid, and the slips of a gaming day: all that a cashier sees of the console."""
    return section(request, runtime, "cage", words=DESK, today=str(gaming_day(runtime.house.site, utc_now())))


@router.get("/cage/{link}/{award}", response_model=None)
def slip(link: str, award: int, request: Request, runtime: TheRuntime) -> Response:
    begin: dict[str, Any] = {"link": link, "award": award, "identities": IDENTITIES}
    return section(request, runtime, "cage", "console/slip.html", words=(*DESK, "console-award"), **begin)


@router.get("/days/{day}", response_model=None)
def day(day: str, request: Request, runtime: TheRuntime) -> Response:
    if day == "today":
        return RedirectResponse(f"/console/days/{gaming_day(runtime.house.site, utc_now())}", status_code=303)
    return _shown(request, runtime, "days", "console/day.html", day=day, displays=_displays(runtime))


def _shown(request: Request, runtime: Runtime, name: str, template: str = "", **boot: Any) -> Response:
    words = (*DESK, "console-award", "console-adjust") if template == "console/award.html" else RECORDS
    return section(request, runtime, name, template, words=words, **boot)


def _books(runtime: Runtime) -> list[str]:
    return ["site", *(f"link:{link}" for link in sorted(runtime.house.links))]


def _displays(runtime: Runtime) -> list[str]:
    """Where a meter can be read: what people usually write."""
    site = runtime.house.site
    return [f"table {number}" for number in sorted(site.tables)] + [
        device.name for device in site.devices if device.active and str(device.kind) == "display"
    ]
