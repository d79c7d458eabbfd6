"""Every route of the API's description, asked with what the description allows and with what it does not.

Schemathesis makes the requests from the description alone, as a manager: no answer is an error of the server, and every
answer is one that the description names, in the form that it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.support import MadeSite, Server, serve

EXAMPLES = 5
"""Of each route: the description has some seventy."""
GROUPS = {"/api/links": (25, 2, 60), "/api/site": (12, 8, 20), "/": (30, 35, 30)}
"""A route belongs to the first that its path begins with. At least so many routes, answers and refusals of a body."""
LEFT_OUT = ("/api/events", "/api/rounds/{round}/events", "/api/sign-out")
"""Two may never end, and one ends the session."""
SLOW = (
    "/api/par/",
    "/api/odds/",
    "/api/verify",
    "/api/jobs/simulate",
    "/api/plan",
    "/api/lab",
    "/api/edges/",
    "/api/figures/",
)
"""Mathematics by the second: their own tests ask them."""
PATIENCE_S = 120.0
"""The first question about the program takes its digest; on a busy machine that takes longer than a client waits."""
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def served(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(made_site.copy(tmp_path_factory.mktemp("schemathesis"))) as server:
        yield server


def group_of(path: str) -> str:
    return next(group for group in GROUPS if path.startswith(group))


@pytest.mark.parametrize("group", GROUPS)
def test_every_route_answers_as_it_is_described(served: Server, group: str) -> None:
    described = schemathesis.openapi.from_url(f"{served.url}/api/openapi.json", timeout=PATIENCE_S)
    wrong, count, seen, session = [], 0, Counter[int](), requests.Session()
    for found in described.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if group_of(operation.path) != group or operation.path in LEFT_OUT or operation.path.startswith(SLOW):
            continue
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                ask(served, session, operation, mode, seen)
            except Exception as error:
                wrong.append(f"{operation.label} {mode}: {error}")
        count += 1
    session.close()
    routes, answers, refusals = GROUPS[group]
    assert count > routes
    assert "Traceback" not in served.log
    assert not wrong, "\n\n".join(wrong)
    assert seen[200] > answers, seen
    assert seen[422] > refusals, seen


def ask(server: Server, session: requests.Session, operation: Any, mode: GenerationMode, seen: Counter[int]) -> None:
    """Some requests of one route, as the description allows or as it forbids."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def asked(case: Any) -> None:
        response = case.call(session=session, headers=server.site.header("max"), timeout=PATIENCE_S)
        seen[response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    try:
        asked()
    except Unsatisfiable:  # nothing is forbidden, where nothing is said
        return
