"""The Python client against a real server: what its guide shows, and what it does when the server is away."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from croupier.client.answers import Award, Done, Entry, Game, Hand, LinkSummary, Meter, SignedIn, read_events
from croupier.client.client import Client
from croupier.client.transport import ApiRefusal, NoAnswer, Patience
from tests.web.support import HERE, LINK, PINS, MadeSite, Server, running

GUIDE = HERE / "docs" / "guides" / "client.md"
QUICK = Patience(seconds=1.0, first_pause_s=0.001, longest_pause_s=0.01, timeout_s=2)


def test_every_example_of_the_guide_runs(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    site, examples = server.site, re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(examples) == 5
    known: dict[str, Any] = {
        **{"url": server.url, "card": site.cards["max"], "managers_card": site.cards["max"]},
        **{"managers_pin": PINS["max"], "executives_card": site.cards["eve"], "supervisors_card": site.cards["eve"]},
        "executives_pin": PINS["eve"],
        **{"keypad_token": site.tokens["keypad-1"], "token": site.tokens["dan"]},
    }
    for example in examples[:4]:
        exec(example.replace("http://127.0.0.1:8700", server.url), known)
    said = capsys.readouterr().out
    assert "409 undecided" in said
    assert "['main']" in said
    assert "adjust" in said
    with Client(server.url, site.tokens["display-main"]) as client:
        heard = _first_events(client, examples[4], known)
    assert heard


def _first_events(client: Client, example: str, known: dict[str, Any]) -> list[Any]:
    """The last example never ends: it is stopped after its first event."""
    heard: list[Any] = []

    class Heard(Exception):
        pass

    def stop(*said: Any) -> None:
        heard.append(said)
        raise Heard

    with pytest.raises(Heard):
        exec(example, {**known, "client": client, "print": stop})
    return heard


def test_events_go_on_after_the_server_was_killed(server: Server) -> None:
    with Client(server.url, server.site.tokens["display-all"]) as display, Client(server.url) as office:
        events = display.events(LINK)
        first = next(events)
        assert first.id
        server.kill()
        server.start_again()
        office.token = server.site.tokens["ann 1"]
        started = office.start(LINK, table=1, lit=[1])
        assert any(LINK in json.dumps(dict(event.data)) for event in _until(events, started.entry.number))


def _until(events: Iterator[Any], number: int) -> Iterator[Any]:
    """Up to the event whose id says that this entry was told."""
    for event in events:
        yield event
        if f"={number}" in event.id or f"={number}" in event.id.replace(",", " "):
            return


# Retries, against a server that misbehaves


class Script(BaseHTTPRequestHandler):
    """Answers as it is told, one after another; `drop` hangs up without an answer."""

    answers: list[Any]
    bodies: list[dict[str, Any]]

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        answer = self.answers.pop(0)
        if answer == "drop":
            self.close_connection = True
            return
        status, body = answer
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


ENTRY = {"number": 1, "at": "", "command": "x", "kind": "end", "facts": {}, "transfers": [], "before": "", "digest": ""}
SUMMARY = {"link": "main", "number": 1, "status": "open", "stopped": "", "levels": [], "awards": [], "game": None}
DONE = (200, {"entry": ENTRY, "link": SUMMARY})


def refused(status: int, code: str) -> tuple[int, Any]:
    return status, {"error": {"code": code, "sentence": "No.", "retry": status == 503}}


@pytest.fixture
def script() -> Iterator[tuple[str, type[Script]]]:
    made = type("Made", (Script,), {"answers": [], "bodies": []})
    with HTTPServer(("127.0.0.1", 0), made) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", made
        http.shutdown()
        thread.join()


def test_an_act_is_sent_again_with_the_same_id_until_it_is_answered(script: tuple[str, type[Script]]) -> None:
    url, made = script
    made.answers += ["drop", refused(503, "in-doubt"), "drop", (502, {"proxy": "says something else"}), DONE]
    with Client(url, "ses_x", patience=QUICK) as client:
        assert client.end("main", table=1).entry.kind == "end"
    assert len(made.bodies) == 5
    assert len({body["id"] for body in made.bodies}) == 1


def test_a_refusal_is_not_sent_again(script: tuple[str, type[Script]]) -> None:
    url, made = script
    made.answers += [refused(409, "not-open"), refused(429, "locked-out")]
    with Client(url, patience=QUICK) as client:
        for status, code in ((409, "not-open"), (429, "locked-out")):
            with pytest.raises(ApiRefusal) as no:
                client.end("main", table=1)
            assert (no.value.status, no.value.code, no.value.sentence) == (status, code, "No.")
    assert len({body["id"] for body in made.bodies}) == 2


def test_patience_ends_and_the_id_is_told(script: tuple[str, type[Script]]) -> None:
    url, made = script
    made.answers += ["drop"] * 10_000
    with (
        Client(url, patience=Patience(seconds=0.2, first_pause_s=0.01, timeout_s=1)) as client,
        pytest.raises(NoAnswer) as lost,
    ):
        client.end("main", table=1)
    assert lost.value.id == made.bodies[0]["id"]
    assert len(made.bodies) > 1


def test_an_unavailable_server_is_told_as_such_when_patience_ends(script: tuple[str, type[Script]]) -> None:
    url, made = script
    made.answers += [refused(503, "not-leading")] * 10_000
    with Client(url, patience=Patience(seconds=0.1, first_pause_s=0.01)) as client, pytest.raises(ApiRefusal) as no:
        client.end("main", table=1)
    assert no.value.retry


def test_events_are_read_from_their_lines() -> None:
    lines = [": hello", "", "id: a=1", "event: floor", 'data: {"a":', "data: 1}", "", "data: {}", "", "id: b"]
    first, second = read_events(lines)
    assert (first.id, first.name, first.data) == ("a=1", "floor", {"a": 1})
    assert (second.id, second.name, second.data) == ("", "message", {})


def test_the_client_imports_nothing_of_the_server() -> None:
    folder = Path(HERE, "src", "croupier", "client")
    for file in folder.glob("*.py"):
        for module in re.findall(r"^(?:from|import) (croupier[\w.]*)", file.read_text(), re.MULTILINE):
            assert module.startswith("croupier.client"), (file.name, module)


def test_every_post_route_of_the_floor_has_a_method(made_site: MadeSite) -> None:
    from croupier.web.floor.routes import LINK_ACTS, SITE_ACTS

    named = {"make": "make_link", "open": "open_link", "close": "close_link"}
    for _, path, _ in (*LINK_ACTS, *SITE_ACTS):
        assert callable(getattr(Client, named.get(path, path.replace("-", "_")))), path


# The client's records against the description of the API

RECORDS: tuple[tuple[type, str], ...] = (
    *((Done, "ActDone"), (Entry, "EntryForm"), (LinkSummary, "LinkSummary"), (Meter, "Meter"), (Award, "AwardForm")),
    *((Game, "GameForm"), (Hand, "HandForm"), (SignedIn, "SignedInForm")),
)
NOT_KEPT = {"EntryForm": {"unit"}}
"""Which is the same in every entry."""
KINDS = {"integer": "int", "string": "str", "boolean": "bool", "object": "Mapping[str, Any]"}


@pytest.fixture(scope="module")
def forms(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What the server describes, which takes it a second."""
    with running(made_site.copy(tmp_path_factory.mktemp("described"))) as room:
        schemas: dict[str, Any] = room.client.get("/api/openapi.json").json()["components"]["schemas"]
        return schemas


@pytest.mark.parametrize(("record", "form"), RECORDS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_record_has_every_field_that_the_server_describes(forms: Mapping[str, Any], record: type, form: str) -> None:
    described = forms[form]
    names = {other: kept.__name__ for kept, other in RECORDS}
    expected = {name: _kind(field, names) for name, field in described["properties"].items()}
    assert {field.name: field.type for field in fields(record)} == {
        name: kind for name, kind in expected.items() if name not in NOT_KEPT.get(form, set())
    }


def _kind(field: dict[str, Any], names: dict[str, str]) -> str:
    """A described field as the annotation of a record."""
    if "$ref" in field:
        return names[field["$ref"].rpartition("/")[2]]
    if "anyOf" in field:
        return " | ".join(_kind(one, names) for one in field["anyOf"])
    if "prefixItems" in field:
        return f"tuple[{', '.join(_kind(one, names) for one in field['prefixItems'])}]"
    if field["type"] == "array":
        return f"tuple[{_kind(field['items'], names)}, ...]"
    return "None" if field["type"] == "null" else KINDS[field["type"]]


FIRST_ANSWERS_AT_ONCE = """
import importlib, sys, threading
import msgspec
from croupier.client import answers

texts = dict.fromkeys(["at", "command", "kind", "before", "digest"], "")
entry = {"number": 1, "facts": {}, "transfers": [], **texts}
link = {"link": "main", "number": 1, "status": "open", "stopped": "", "levels": [], "awards": [], "game": None}
sys.setswitchinterval(1e-6)
for _ in range(100):
    importlib.reload(answers)  # records that nobody has read yet
    together = threading.Barrier(4)

    def read():
        together.wait()
        assert msgspec.convert({"entry": entry, "link": link}, answers.Done).link.link == "main"

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_that_read_their_first_answer_at_once_do_not_end_the_process() -> None:
    made = subprocess.run([sys.executable, "-c", FIRST_ANSWERS_AT_ONCE], capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")
