"""Health, readiness and figures, for whoever watches the server."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from croupier.web.logs import straight
from croupier.web.metrics import BUCKETS, Requests
from tests.web.support import Room


def figures(room: Room) -> dict[str, float]:
    found = room.client.get("/metrics")
    assert found.headers["content-type"].startswith("text/plain")
    lines = [line.rpartition(" ") for line in found.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def lines_of(caplog: pytest.LogCaptureFixture) -> list[Any]:
    return [record.msg for record in caplog.records if record.name == "croupier.web"]


def test_the_figures_are_those_of_the_floor(room: Room) -> None:
    before = figures(room)
    room.start(1, (1, 2))
    after = figures(room)
    assert after["croupier_leading"] == 1
    assert after["croupier_troubles"] == 0
    assert after['croupier_open{link="main"}'] == 1
    assert after['croupier_entries{link="main"}'] == before['croupier_entries{link="main"}'] + 1
    level = 'croupier_meter_cents{level="Progressive",link="main"}'
    assert after[level] > before[level]
    assert after[level] == room.get("/api/links/main").json()["levels"][0]["meter_cents"]
    assert after["croupier_start_seconds"] > 0
    assert after["croupier_requests_in_progress"] == 1, "the one that asks"


def test_requests_are_counted_by_route_and_not_by_path(room: Room) -> None:
    for name in ("one", "two", "three"):
        assert room.get(f"/api/links/{name}").status_code == 404
        assert room.client.get(f"/{name}").status_code == 404
    told = figures(room)
    assert told['croupier_requests_total{method="GET",route="/api/links/{link}",status="404"}'] == 3
    assert told['croupier_requests_total{method="GET",route="none",status="404"}'] == 3
    assert told['croupier_request_seconds_count{route="/api/links/{link}"}'] == 3
    assert not re.search("/(one|two|three)", room.client.get("/metrics").text)


def test_health_says_that_it_runs_and_readiness_that_it_takes_acts(room: Room) -> None:
    assert room.client.get("/api/health").json() == {"status": "running"}
    assert room.client.get("/api/ready").json() == {"status": "ready", "troubles": {}}


def test_every_answer_carries_the_id_of_its_line_in_the_log(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    assert straight.stream is None, "a test before this one has configured the log of the whole process"
    with caplog.at_level(logging.INFO, "croupier.web"):
        answers = [room.get("/api/site"), room.get("/api/site", "ann card"), room.get("/api/health")]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len(set(ids)) == 3
    told = [line for line in lines_of(caplog) if line["event"] == "request"]
    assert [(line["request"], line["person"]) for line in told] == [(ids[0], "max"), (ids[1], "ann")]
    assert all(line["route"] == "/api/site" for line in told), "health is not worth a line while all is well"


def test_an_error_of_the_program_is_told_by_kind_and_place_without_a_value(
    room: Room, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.floor.routes.site_json", lambda *_: int("the PIN is 482913"))
    with caplog.at_level(logging.INFO, "croupier.web"):
        assert room.get("/api/site").status_code == 500
    told = lines_of(caplog)
    assert (told[0]["error"], told[0]["status"], told[0]["level"]) == ("ValueError", 500, "error")
    assert any("floor/routes.py" in place for place in told[0]["where"])
    assert "482913" not in str(told)


def test_the_figures_are_the_sum_of_all_requests_and_each_bucket_holds_those_before_it() -> None:
    requests, registry = Requests(), CollectorRegistry()
    registry.register(requests)
    took = (0.001, BUCKETS[0], 0.003, 0.3, 7.0)
    for seconds in (*took, 0.0):
        requests.begun()
        if seconds:
            requests.answered("POST", "/a", 200, seconds)
    lines = [line.rpartition(" ") for line in generate_latest(registry).decode().splitlines() if line[0] != "#"]
    told = {name: float(value) for name, _, value in lines}
    for most in BUCKETS:
        within = sum(seconds <= most for seconds in took)
        assert told[f'croupier_request_seconds_bucket{{le="{float(most)}",route="/a"}}'] == within
    assert told['croupier_request_seconds_bucket{le="+Inf",route="/a"}'] == len(took)
    assert told['croupier_request_seconds_count{route="/a"}'] == len(took)
    assert told['croupier_request_seconds_sum{route="/a"}'] == pytest.approx(sum(took))
    assert told['croupier_requests_total{method="POST",route="/a",status="200"}'] == len(took)
    assert told["croupier_requests_in_progress"] == 1
