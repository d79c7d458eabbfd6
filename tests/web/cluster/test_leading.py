"""Leading a site: leases are never held by a server that does not work with them, and acts go to whoever leads."""

from __future__ import annotations

import ast
import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from pkgutil import walk_packages
from threading import Event

import pytest
from fastapi.routing import APIRoute, APIRouter

import croupier.web
from croupier.ledger.entry import SITE
from croupier.store.store import StoreError
from croupier.web import app as apps
from croupier.web.cluster.forwarding import is_leaders
from croupier.web.cluster.runtime import Runtime
from tests.web.support import MadeSite


def test_a_takeover_that_fails_half_way_gives_the_leases_back(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = Runtime(site.settings)
    with monkeypatch.context() as patched:
        patched.setattr(runtime, "_announce", fail)
        with pytest.raises(StoreError):
            runtime.try_to_lead()
    assert runtime.floor is None
    assert runtime.try_to_lead()
    runtime.close()


def fail() -> None:
    raise StoreError("The store is cut off.")


def test_a_server_that_closes_waits_for_whoever_keeps_watch(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connected again behind the closing, a store would stay open until the process ends."""
    runtime, inside, go_on = Runtime(site.settings), Event(), Event()
    assert runtime.try_to_lead()

    def connect_again(*, writable: bool) -> None:
        assert writable
        inside.set()
        go_on.wait(60)
        runtime.reading.reconnect()

    monkeypatch.setattr(runtime, "_confirm", connect_again)
    with ThreadPoolExecutor(2) as pool:
        keeping = pool.submit(runtime.keep)
        assert inside.wait(60)
        closing = pool.submit(runtime.close)
        with suppress(TimeoutError):
            closing.result(0.5)
        go_on.set()
        assert (keeping.result(60), closing.result(60)) == (None, None)
    with pytest.raises(StoreError):
        runtime.reading.last(SITE)
    runtime.keep()  # nothing is opened
    assert runtime.floor is None


def test_what_keeps_a_server_from_leading_is_in_the_log_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda _: real(0))

    class Failing:
        keep = staticmethod(fail)

    async def keep_for_a_while() -> None:
        keeping = asyncio.create_task(apps._keep(Failing()))  # type: ignore[arg-type]
        await real(0.1)
        keeping.cancel()

    with caplog.at_level(logging.WARNING):
        asyncio.run(keep_for_a_while())
    assert caplog.text.count("The store is cut off.") == 1


def functions_that_lead() -> set[str]:
    """By name: what asks for the floor that this server leads, and what calls that."""
    folder = Path(croupier.web.__path__[0])
    calls: dict[str, set[str]] = {}
    for file in folder.rglob("*.py"):
        for each in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                used = (node.func for node in ast.walk(each) if isinstance(node, ast.Call))
                calls.setdefault(each.name, set()).update(map(name_of, used))
    found, size = {"leading"}, 0
    while size < len(found):
        size = len(found)
        found |= {name for name, used in calls.items() if used & found}
    return found


def name_of(called: ast.expr) -> str:
    """A name, or a floor asked for; other methods of objects are not followed."""
    if isinstance(called, ast.Attribute):
        return called.attr if called.attr == "leading" else ""
    return called.id if isinstance(called, ast.Name) else ""


def test_whatever_needs_the_leader_is_forwarded_to_it() -> None:
    lead = functions_that_lead()
    modules = [import_module(module.name) for module in walk_packages(croupier.web.__path__, "croupier.web.")]
    routers = [value for module in modules for value in vars(module).values() if isinstance(value, APIRouter)]
    every = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    every = [route for route in every if route.path.startswith("/api/")]
    found = [each for each in every if unwrap(each.endpoint).__code__.co_name in lead]
    assert {"get_adjusting", "check_setup", "get_log_csv", "self_check"} <= {each.endpoint.__name__ for each in found}
    for each in found:
        for method in each.methods or ():
            assert is_leaders(method, each.path, b"format=csv"), (method, each.path)


def test_what_strangers_have_counted_is_counted_where_they_ask() -> None:
    for method, path in (("POST", "/api/lab"), ("GET", "/api/odds/blackjack"), ("GET", "/api/edges/blackjack")):
        assert not is_leaders(method, path, b""), path
