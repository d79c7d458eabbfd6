"""Jobs give the command's numbers, tell how far they are, can be given up, and never keep the floor waiting."""

from __future__ import annotations

import json
import multiprocessing
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from croupier.web.errors import ApiError
from croupier.web.games import jobs
from croupier.web.games.jobs import Jobs, job_as_json
from croupier.web.games.store import JobStore, play_database
from croupier.web.identity.store import utc
from tests.cli.support import run
from tests.web.support import MadeSite, Room, done, error_of, running, wait_until

LONG: dict[str, Any] = {"game": "three-card-baccarat", "rounds": 10**9}


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with running(made_site.copy(tmp_path_factory.mktemp("jobs"))) as made:
        yield made


def finished(room: Room, job: str, seconds: float = 90) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(done(room.get(f"/api/jobs/{job}", "aud")))
        return found["state"] not in ("waiting", "running")

    wait_until(is_over, seconds)
    return found


def simulated(room: Room, **asked: Any) -> dict[str, Any]:
    return finished(room, done(room.act("/api/jobs/simulate", **asked))["job"])


def printed(command: str) -> Any:
    """What the command prints for programs."""
    return json.loads(run(*shlex.split(command), "--json"))


def test_a_simulation_gives_the_numbers_of_the_command_with_the_same_seed(room: Room) -> None:
    job = simulated(room, game="three-card-baccarat", rounds=70_000, seed=11, paytables={"tie": "1"}, compare=True)
    ours = printed("simulate three-card-baccarat --rounds 70000 --seed 11 --paytable tie=1 --compare")
    assert job["state"] == "done"
    assert job["result"] == ours
    assert job["result"]["verdict"]["agrees"]
    assert job["progress"]["done"] == job["progress"]["of"] == 70_000


def test_a_simulation_of_blackjack_gives_the_commands_numbers(room: Room) -> None:
    job = simulated(room, game="blackjack", rounds=5_000, wagers=["bet"], rules="2D H17", players=2, confidence=95)
    words = "simulate blackjack --rounds 5000 --wagers bet --players 2 --confidence 95 --rules '2D H17'"
    assert job["result"] == printed(words)


def test_the_simulated_part_of_a_plan_gives_the_numbers_of_the_command(room: Room) -> None:
    found = done(room.act("/api/plan", wager="blazing-7s-dealer", histories=100, period_days=30, seed=3))
    job = finished(room, found["job"])
    ours = printed("plan blazing-7s-dealer --histories 100 --period-days 30 --seed 3")
    assert job["result"] == ours
    exact = {(each["section"], each["key"], each["meter"]): each for each in ours["figures"]}
    assert all(exact[each["section"], each["key"], each["meter"]] == each for each in found["figures"])


def test_a_job_tells_how_far_it_is_and_can_be_given_up_while_the_floor_goes_on(room: Room) -> None:
    asked = done(room.act("/api/jobs/simulate", **LONG))
    behind = done(room.act("/api/jobs/simulate", **LONG))
    assert (asked["state"], behind["state"]) == ("waiting", "waiting")
    path, told = f"/api/jobs/{asked['job']}", {}

    def has_told() -> bool:
        told.update(done(room.get(path)))
        return bool(told["progress"])

    wait_until(has_told)
    assert told["state"] == "running"
    assert 0 < told["progress"]["done"] < told["progress"]["of"] == 10**9
    low, high = told["progress"]["estimate"]["interval_percent"]
    assert low < told["progress"]["estimate"]["house_edge_percent"] < high
    began = time.monotonic()
    room.start()
    assert time.monotonic() - began < 20
    assert done(room.get(f"/api/jobs/{behind['job']}"))["state"] == "waiting"
    for job in (behind, asked):
        given_up = room.client.delete(f"/api/jobs/{job['job']}", headers=room.site.header("max"))
        assert done(given_up)["state"] == "cancelled"
    assert not [each for each in multiprocessing.active_children() if each.name.startswith("job_")]
    again = room.client.delete(path, headers=room.site.header("max"))
    assert done(again)["state"] == "cancelled"


def test_a_job_sent_again_is_the_same_job(room: Room) -> None:
    asked: dict[str, Any] = {"id": "same", "game": "three-card-baccarat", "rounds": 100}
    first = done(room.post("/api/jobs/simulate", **asked))
    assert done(room.post("/api/jobs/simulate", **asked))["job"] == first["job"]
    assert error_of(room.post("/api/jobs/simulate", **{**asked, "rounds": 200})) == "id-used"
    assert finished(room, first["job"])["result"]["rounds"] == 100


@pytest.mark.parametrize(
    ("asked", "status", "sentence"),
    [
        ({"rounds": 10**9 + 1}, 422, "From 1 to 1,000,000,000 rounds can be simulated here, not 1,000,000,001."),
        ({"rounds": 0}, 422, "From 1 to 1,000,000,000"),
        ({"seed": -1}, 422, "A seed is a whole number from 0"),
        ({"players": 40}, 422, "players, not 40"),
        ({"wagers": ["x"]}, 404, "no wager"),
        ({"paytables": {"bet": "/etc/passwd"}}, 404, "no paytable"),
        ({"strategy": "/etc/passwd"}, 404, "no strategy"),
        ({"confidence": 10}, 422, "A confidence is from 50 to 99.9999 percent, not 10"),
        ({"rules": "6D"}, 422, "it has one set of"),
        ({"game": "poker"}, 404, "no game"),
    ],
)
def test_an_impossible_simulation_is_refused_in_a_sentence(
    room: Room, asked: dict[str, Any], status: int, sentence: str
) -> None:
    found = room.act("/api/jobs/simulate", **{"game": "supreme-99", "rounds": 1000, **asked})
    assert found.status_code == status, found.text
    assert sentence in found.json()["error"]["sentence"]


def test_jobs_are_for_people_and_their_results_for_whoever_is_known(room: Room) -> None:
    assert room.act("/api/jobs/simulate", "", **LONG).status_code == 401
    assert room.act("/api/jobs/simulate", "display-main", **LONG).status_code == 403
    assert room.get("/api/jobs/job_aaaaaaaaaaaaaaaaaaaaaa", "").status_code == 401
    assert error_of(room.get("/api/jobs/job_aaaaaaaaaaaaaaaaaaaaaa")) == "no-such-job"
    assert error_of(room.get("/api/jobs/%00")) == "no-such-job"


# Without a server around them


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Jobs]]:
    """Jobs as a server has them that begins on this store; every server ends with the test."""
    with ExitStack() as ending:

        def begun(**values: Any) -> Jobs:
            database = ending.enter_context(closing(play_database(f"sqlite:///{tmp_path}/f.db")))
            return ending.enter_context(closing(Jobs(JobStore(database), **values)))

        yield begun


def asked_for(rounds: int = 10**9) -> dict[str, Any]:
    return {"game": "three-card-baccarat", "rounds": rounds, "compare": False, "confidence": 0.99, "paytables": []}


def test_only_so_many_jobs_wait(begin: Callable[..., Jobs], monkeypatch: Any) -> None:
    monkeypatch.setattr(jobs.Jobs, "_work", lambda self: None)
    kept = begin()
    for number in range(jobs.MOST_WAITING):
        kept.submit(f"person {number // 2}", f"j{number}", "simulate", asked_for())
    with pytest.raises(ApiError, match="16 jobs wait already"):
        kept.submit("person z", "one more", "simulate", asked_for())


def test_nobodys_jobs_are_everybodys_queue(begin: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two unfinished ones each, and turns go from person to person."""
    began: list[str] = []
    monkeypatch.setattr(jobs.Jobs, "_work", lambda self: None)
    kept = begin()
    ids = {
        f"{who}{number}": kept.submit(who, f"{number}", "simulate", asked_for()).id for who in "ab" for number in "12"
    }
    with pytest.raises(ApiError, match=f"At most 2 jobs of one person can be unfinished: wait for {ids['a1']}"):
        kept.submit("a", "3", "simulate", asked_for())
    assert kept.submit("a", "1", "simulate", asked_for()).id == ids["a1"]
    names = {id_: name for name, id_ in ids.items()}
    began.append(names[kept._next()])
    with pytest.raises(ApiError, match="At most 2 jobs"):  # one of them runs
        kept.submit("a", "3", "simulate", asked_for())
    names[kept.submit("c", "1", "simulate", asked_for()).id] = "c1"
    began += [names[kept._next()] for _ in range(4)]
    assert began == ["a1", "b1", "c1", "a2", "b2"]


def test_an_error_of_the_machine_fails_one_job_and_the_next_one_runs(
    begin: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, followed = begin(), Jobs._run

    def broken(self: Jobs, id_: str) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(Jobs, "_run", broken)
    first = kept.submit("person a", "1", "simulate", asked_for())
    wait_until(lambda: kept.find(first.id).state == "failed")
    assert kept.find(first.id).sentence == jobs.BROKEN
    monkeypatch.setattr(Jobs, "_run", followed)
    second = kept.submit("person a", "2", "simulate", asked_for())
    wait_until(lambda: kept.find(second.id).state == "running")


def test_a_job_has_only_so_much_time(begin: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LONGEST", timedelta(seconds=0.1))
    kept = begin()
    row = kept.submit("person a", "1", "simulate", asked_for())
    wait_until(lambda: kept.find(row.id).state == "failed")
    assert (
        kept.find(row.id).sentence
        == jobs.TOO_LONG
        == "The job took longer than 60 minutes and was given up: ask for less."
    )
    assert not [each for each in multiprocessing.active_children() if each.name == row.id]


def test_whoever_gives_a_job_up_holds_no_thread_until_it_has_ended(
    begin: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = Event()
    monkeypatch.setattr(Jobs, "_run", lambda self, id_: going_on.wait(60))
    kept = begin()
    row = kept.submit("person a", "1", "simulate", asked_for())
    wait_until(lambda: kept.is_running(row.id))
    began = time.monotonic()
    kept.cancel(row.id)
    assert time.monotonic() - began < 20
    assert kept.is_running(row.id)
    going_on.set()
    wait_until(lambda: not kept.is_running(row.id))


def test_a_stopped_server_says_so_of_its_jobs_and_leaves_no_process(begin: Callable[..., Jobs]) -> None:
    kept = begin()
    running_, waiting = (kept.submit("person a", each, "simulate", asked_for()) for each in "ab")
    wait_until(lambda: kept.find(running_.id).state == "running")
    kept.close()
    other = begin()
    assert {other.find(each.id).state for each in (running_, waiting)} == {"failed"}
    assert other.find(running_.id).sentence == jobs.STOPPED
    assert not [each for each in multiprocessing.active_children() if each.name.startswith("job_")]


def test_a_job_whose_server_died_has_failed_for_every_other(begin: Callable[..., Jobs], monkeypatch: Any) -> None:
    monkeypatch.setattr(jobs.Jobs, "_work", lambda self: None)
    row = begin().submit("person a", "a", "simulate", asked_for())
    now = [utc()]
    other = begin(clock=lambda: now[0])
    assert other.find(row.id).state == "waiting"
    now[0] += jobs.SILENT_FOR + timedelta(seconds=1)
    assert other.find(row.id).sentence == jobs.LOST
    assert job_as_json(other.find(row.id))["state"] == "failed"
    now[0] += jobs.KEPT * 2
    other.submit("person a", "b", "simulate", asked_for())
    with pytest.raises(ApiError, match="no such job"):
        other.find(row.id)
