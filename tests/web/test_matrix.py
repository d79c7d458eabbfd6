"""Who may ask what: every route of the API's description against every kind of caller, as `matrix.txt` has it.

A route that is not in the table fails. To add one: `python -m tests.web.test_matrix` prints the table as the server
answers now; read the new line, and paste it if that is how it should be.

    ok     let in: done, or refused for what was asked and not for who asked
    401    nobody has signed in
    403    somebody or something that may not
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Role, may
from croupier.web.floor.routes import LINK_ACTS, SITE_ACTS
from support.room import ONE_METER
from tests.web.direct import Answered, ask
from tests.web.guests import enrol_cashier, enrol_inspector
from tests.web.support import LINK, MadeSite, Room, make_site, running

TABLE = Path(__file__).parent / "matrix.txt"
CALLERS = {
    "nobody": "",
    "dealer": "ann card",
    "at-keypad": "dan",
    "superv.": "sue card",
    "+PIN": "sue",
    "execut.": "eve card",
    "+PIN ": "eve",
    "manager": "max card",
    "+PIN  ": "max",
    "auditor": "aud card",
    "+PIN   ": "aud",
    "inspect.": "ina card",
    "+PIN    ": "ina",
    "cashier": "cas card",
    "+PIN     ": "cas",
    "keypad": "keypad-1",
    "display": "display-main",
}
"""The columns: the heading, and who it is in the room. Without +PIN it is the card alone."""
DENIED = frozenset(
    {"nobody", "pin-needed", "not-allowed", "read-only", "no-keypad", "no-device", "other-table", "signed-out"}
)
"""Codes that are about who asks; every other answer is about what was asked."""
PLACES = {"sha256": "ab" * 32, "link": LINK, "table": "1"}
TICKET = "1.6d6961.00"
BODIES: dict[str, dict[str, Any]] = {
    "/api/first-start": {
        **{"code": "x", "title": "x", "profile": "washington", "zone": "UTC"},
        **{"person": "x", "name": "x", "pin": "482913"},
    },
    "/api/sign-in": {"card": "x" * 20},
    "/api/keypad/sign-in": {"person": "dan"},
    "/api/second-person": {"card": "y" * 20, "pin": "482913", "act": "retire", "link": LINK, "id": "m0"}
    | {"body": {"id": "m0", "to": "other"}},
    "/api/sign-out": {},
    "/api/site/enrol-person": {"id": "m1", "person": "new", "name": "New", "role": "auditor"},
    "/api/site/replace-card": {"id": "m2", "person": "unknown"},
    "/api/site/set-pin": {"id": "m3", "person": "unknown", "pin": "482913"},
    "/api/site/enrol-device": {"id": "m4", "device": "keypad-1", "kind": "keypad", "name": "Again", "table": 1},
    "/api/links/{link}/make": {"setup": ONE_METER.as_json(), "second_ticket": TICKET},
    "/api/links/{link}/confirm": {"award": 999},
    "/api/links/{link}/void": {"award": 999, "reason": "None."},
    "/api/links/{link}/reopen": {"table": 999, "reason": "None."},
    "/api/links/{link}/open": {"approved": "0"},
    "/api/site/revoke-card": {"person": "unknown", "reason": "None."},
    "/api/site/revoke-device": {"device": "unknown", "reason": "None."},
    "/api/site/declare-bank": {"balance_cents": 10_000_000},
    "/api/site/reconcile": {"month": "2026-10", "statement_cents": 1, "fund_cents": 1},
}
"""Where the description has no example, or one that would change the room for those who come after."""
LAST = "/api/sign-out"


def routes(room: Room) -> list[tuple[str, str, dict[str, Any]]]:
    """Every operation that is described; signing out comes last."""
    found = [
        (method.upper(), path, operation)
        for path, item in room.app.openapi()["paths"].items()
        for method, operation in item.items()
    ]
    return sorted(found, key=lambda each: (each[1] == LAST, each[1], each[0]))


def test_every_route_is_in_a_named_group(room: Room) -> None:
    assert [path for _, path, operation in routes(room) if not operation.get("tags")] == []


def body_for(room: Room, path: str, operation: dict[str, Any]) -> dict[str, Any] | None:
    """What a caller sends who knows the form: of the test's own, the description's example, or the least that fits."""
    if "requestBody" not in operation:
        return None
    if "application/json" not in operation["requestBody"]["content"]:  # a file
        return None
    described = operation["requestBody"]["content"]["application/json"]["schema"]
    schema = resolved(room, described)
    body = BODIES.get(path) or next(iter(schema.get("examples", ())), None) or least(room, schema)
    if "id" in schema.get("properties", {}) and "id" not in body:
        body = {"id": f"m {path}"[:64], **body}
    return body


def resolved(room: Room, schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = room.app.openapi()["components"]["schemas"][name] if name else schema
    return found


def least(room: Room, schema: dict[str, Any]) -> Any:
    """The least value of a form: every field that must be there, and no other."""
    schema = resolved(room, schema)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            return {name: least(room, schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return [least(room, schema["items"])] * schema.get("minItems", 0) if "items" in schema else []
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case _:
            return "x" * max(1, schema.get("minLength", 1))


def cell(answered: Answered) -> str:
    assert answered.status < 500 or answered.status == 503, answered
    if answered.status in (401, 403) and answered.code in DENIED:
        return str(answered.status)
    return "ok"


def line_of(room: Room, method: str, path: str, operation: dict[str, Any]) -> dict[str, str]:
    where = path.format_map(_Places())
    body = body_for(room, path, operation)
    return {title: cell(ask(room, method, where, who, body)) for title, who in CALLERS.items()}


class _Places(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return PLACES.get(name, "1")


def read_table() -> dict[str, dict[str, str]]:
    _, *lines = [line for line in TABLE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    found = {}
    for line in lines:
        method, path, *cells = line.split()
        found[f"{method} {path}"] = dict(zip(CALLERS, cells, strict=True))
    return found


@pytest.fixture(scope="module")
def shared(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with running(made_site.copy(tmp_path_factory.mktemp("matrix"))) as room:
        enrol_inspector(room)
        enrol_cashier(room)
        yield room


def test_every_route_lets_in_exactly_whom_the_table_says(shared: Room) -> None:
    table = read_table()
    described = {f"{method} {path}": (method, path, operation) for method, path, operation in routes(shared)}
    assert set(described) == set(table), "routes without a line, or lines without a route"
    wrong = []
    for name, route in described.items():
        said = line_of(shared, *route)
        wrong += [
            f"{name}: {who} {said[who]}, not {table[name][who]}" for who in CALLERS if said[who] != table[name][who]
        ]
    assert not wrong, "\n".join(wrong)


COLUMNS = {Role.SUPERVISOR: "+PIN", Role.EXECUTIVE: "+PIN ", Role.MANAGER: "+PIN  ", Role.AUDITOR: "+PIN   "}
COLUMNS |= {Role.INSPECTOR: "+PIN    ", Role.CASHIER: "+PIN     "}
INSPECTED = {
    *("GET /api/about", "GET /api/evidence", "POST /api/evidence", "GET /api/evidence/file"),
    *(
        "GET /api/comply",
        "GET /api/register",
        "GET /api/site/documents/{sha256}",
        "GET /api/me",
        "POST /api/sign-out",
        "GET /api/odds/{game}",
        "GET /api/verify",
    ),
    *("GET /api/par/{game}.json", "GET /api/par/{game}.pdf"),
}


def test_an_inspector_is_let_in_to_what_is_inspected_and_to_what_is_everybodys_alone() -> None:
    for name, line in read_table().items():
        assert (line["+PIN    "] == "ok") == (name in INSPECTED or line["nobody"] == "ok"), name


PAID = {
    *(
        "GET /api/payments",
        "GET /api/links/{link}/awards/{award}/slip",
        "GET /api/links/{link}/awards/{award}/slip.pdf",
    ),
    *("POST /api/links/{link}/issue-slip", "POST /api/links/{link}/pay-slip", "GET /api/me", "POST /api/sign-out"),
}


def test_a_cashier_is_let_in_to_what_is_paid_and_to_what_is_everybodys_alone() -> None:
    for name, line in read_table().items():
        if name != "GET /api/reports/{kind}":  # of which a cashier sees the slips: the next test
            assert (line["+PIN     "] == "ok") == (name in PAID or line["nobody"] == "ok"), name


def test_of_the_reports_a_cashier_sees_the_slips_on_the_screen_alone(room: Room) -> None:
    enrol_cashier(room)
    assert ask(room, "GET", "/api/reports/slips", "cas", None).status == 200
    assert ask(room, "GET", "/api/reports/slips?format=page", "cas", None).status == 200
    for other in ("slips?format=csv", "awards", "shift", "access", "bank-cover"):
        assert ask(room, "GET", f"/api/reports/{other}", "cas", None).status == 403, other


def test_the_table_agrees_with_the_floors_own_authority() -> None:
    table = read_table()
    for act, path, _ in LINK_ACTS:
        for role, column in COLUMNS.items():
            allowed = table[f"POST /api/links/{{link}}/{path}"][column] == "ok"
            assert allowed == may(role, act.needs), (path, role)
    for site_act, path, _ in SITE_ACTS:
        for role, column in COLUMNS.items():
            allowed = table[f"POST /api/site/{path}"][column] == "ok"
            assert allowed == may(role, site_act.needs), (path, role)


def test_a_display_can_only_read_and_a_keypad_can_only_sign_a_dealer_in() -> None:
    free = {"POST /api/sign-in", "POST /api/first-start", "POST /api/device/beat"}
    """Which anybody may try, with a card or a code of their own; and that a device is there."""
    for name, line in read_table().items():
        if name.startswith("GET") or name in free or line["nobody"] == "ok":
            continue
        assert line["display"] != "ok", name
        assert (line["keypad"] == "ok") == (name == "POST /api/keypad/sign-in"), name


def print_table() -> None:
    with tempfile.TemporaryDirectory() as folder, running(make_site(Path(folder))) as room:
        enrol_inspector(room)
        enrol_cashier(room)
        print("# ok: let in.  401: nobody has signed in.  403: may not.  A role without +PIN is its card alone.")
        print(f"{'route':62}{' '.join(f'{title.strip():>9}' for title in CALLERS)}")
        for method, path, operation in routes(room):
            line = line_of(room, method, path, operation)
            print(f"{method:6} {path:55}{' '.join(f'{cell:>9}' for cell in line.values())}")


if __name__ == "__main__":
    print_table()
