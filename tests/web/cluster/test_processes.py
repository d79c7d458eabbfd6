"""Several servers on one PostgreSQL site: one writes, the others show and forward, and any of them may die."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from croupier.compliance.authority import Role, SiteKey
from croupier.compliance.profile import Lawful
from croupier.errors import NotationError
from croupier.floor.link import acts
from croupier.floor.link.link import Link, proof, replay
from croupier.floor.site import acts as site_acts
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import Purpose
from croupier.store.marks import BookBehind
from croupier.store.store import open_store
from croupier.web.cluster import forwarding
from croupier.web.cluster import runtime as runtimes
from croupier.web.cluster.forwarding import Forwarded, Seals, seal
from croupier.web.cluster.leader import Leader, Leadership
from croupier.web.cluster.runtime import Runtime, SecondServer
from croupier.web.settings import Settings
from support.postgres import new_floor, server_url
from support.room import COLOR, DISPLAY, EXECUTIVE, LINK, MANAGER, ONE_METER, OTHER_MANAGER, card, table
from tests.web.listening import Ear, Served, served
from tests.web.postgres_site import Process, make_site, servers, sign_in
from tests.web.support import PINS, MadeSite, Server, agreed, done, free_port, serve, wait_until

TAKEOVER_S = 10.0


@pytest.fixture
def db(tmp_path: Path) -> str:
    found = new_floor()
    make_site(found, tmp_path / "site.key")
    return found


@pytest.fixture
def two(db: str, tmp_path: Path) -> Iterator[tuple[Served, Served]]:
    """Two servers in this process; the first leads."""
    settings = [Settings(db=db, port=free_port(), key_file=tmp_path / "site.key") for _ in range(2)]
    with served(settings[0]) as leader, served(settings[1]) as follower:
        assert leader.runtime.floor is not None
        assert follower.runtime.floor is None
        yield leader, follower


def post(url: str, path: str, header: dict[str, str], **values: Any) -> httpx.Response:
    return httpx.post(f"{url}{path}", headers=header, json=values, timeout=60)


def start(url: str, header: dict[str, str], id_: str, table: int = 1) -> httpx.Response:
    return post(url, f"/api/links/{LINK}/start", header, id=id_, table=table, lit=[1, 2], based=[1, 2])


def link_at(url: str, header: dict[str, str]) -> dict[str, Any]:
    return done(httpx.get(f"{url}/api/links/{LINK}", headers=header, timeout=60))


# Forwarding


def test_an_act_at_any_server_is_done_by_the_leader_and_seen_at_both(two: tuple[Served, Served]) -> None:
    leader, follower = two
    header = sign_in(follower.url, "ann")
    there = done(start(follower.url, header, "s1"))
    here = link_at(follower.url, header)
    assert (here["number"], here["digest"]) == (there["entry"]["number"], there["entry"]["digest"])
    assert here == link_at(leader.url, header)
    assert done(start(leader.url, header, "s1"))["entry"] == there["entry"]
    export = [httpx.get(f"{each.url}/api/ledger/export", headers=header, timeout=60) for each in two]
    assert [each.status_code for each in export] == [403, 403], "a dealer may not, and both say so"
    refused = start(follower.url, header, "s2")
    assert refused.status_code == 409
    assert set(refused.json()["error"]) == {"code", "sentence", "retry"}


def test_documents_of_papers_are_asked_of_the_leader(db: str, tmp_path: Path) -> None:
    """They lie in its folder: whoever is connected to another server reads and keeps them all the same."""
    settings = [
        Settings(db=db, port=free_port(), key_file=tmp_path / "site.key", documents=tmp_path / name)
        for name in ("first", "second")
    ]
    with served(settings[0]) as leader, served(settings[1]) as follower:
        asked = {"card": card("max"), "pin": PINS["max"]}
        signed = done(httpx.post(f"{follower.url}/api/sign-in", json=asked, timeout=60))
        header, scan = {"Authorization": f"Bearer {signed['token']}"}, b"%PDF-1.7 Licence 4711 of the state."
        digest = sha256(scan).hexdigest()
        paper = {"condition": "internal-controls", "step": "submitted", "reference": "IC-7", "dated": "2026-07-01"}
        done(post(follower.url, "/api/site/record-paper", header, id="p", **paper, file="ic-7.pdf", sha256=digest))
        kind = {**header, "Content-Type": "application/octet-stream"}
        address = f"{follower.url}/api/site/documents/{digest}"
        done(httpx.post(address, headers=kind, content=scan, timeout=60))
        assert [each.read_bytes() for each in leader.runtime.settings.documents_path().iterdir()] == [scan]
        assert not (tmp_path / "second").exists()
        assert httpx.get(address, headers=header, timeout=60).content == scan
        [paper_told] = done(httpx.get(f"{follower.url}/api/register", headers=header, timeout=60))["papers"]
        assert paper_told["kept"] is True


def test_events_reach_the_displays_of_every_server(two: tuple[Served, Served]) -> None:
    leader, follower = two
    ears = [Ear(each.url, DISPLAY) for each in two]
    header = sign_in(leader.url, "ann")
    done(start(leader.url, header, "s1"))
    award = done(post(follower.url, f"/api/links/{LINK}/enter", header, id="e1", table=1, seat=1, line=COLOR))["entry"]
    told = [ear.wait_number(award["number"]) for ear in ears]
    assert told[0].link() == told[1].link()
    assert [[each["kind"] for each in ear.moments] for ear in ears] == [["enter"], ["enter"]]
    for ear in ears:
        ear.close()


def test_a_link_and_people_made_later_are_known_to_those_who_follow(two: tuple[Served, Served]) -> None:
    leader, follower = two
    floor = leader.runtime.floor
    person = site_acts.EnrolPerson(id="n1", by="max", person="bob", name="Bob", role=Role.DEALER)
    floor.do_site(person)
    wait_until(lambda: "bob" in follower.runtime.house.site.people.by_id)
    new = site_acts.TableSetup(9, "Free Bet Blackjack", "blackjack", 6, 7, 500, 30_000)
    floor.do_site(agreed(leader.runtime, site_acts.SetTable(id="n2", by="max", second="mia", table=new)))
    setup = replace(ONE_METER, tables=(table(9, "Free Bet Blackjack"),))
    make = acts.MakeLink(id="n3", by=MANAGER, second=EXECUTIVE, setup=setup, link="side")
    floor.do(agreed(leader.runtime, make, "side"), "side")
    wait_until(lambda: "side" in follower.runtime.house.links)
    assert follower.runtime.house.links["side"] == floor.links["side"]


@pytest.mark.parametrize("agrees_at", [0, 1])
def test_a_session_and_an_agreement_of_one_server_count_at_the_other(
    two: tuple[Served, Served], agrees_at: int
) -> None:
    here, there = two[agrees_at].url, two[1 - agrees_at].url
    signed = done(httpx.post(f"{there}/api/sign-in", json={"card": card("max"), "pin": PINS["max"]}, timeout=60))
    headers = {"Authorization": f"Bearer {signed['token']}"}
    body = {"id": f"clock-{agrees_at}", "zone": "UTC", "day_begins": agrees_at}
    asked = {"card": card("mia"), "pin": PINS["mia"], "act": "set-clock", "id": body["id"], "body": body}
    ticket = done(httpx.post(f"{here}/api/second-person", headers=headers, json=asked, timeout=60))["second_ticket"]
    entry = done(
        httpx.post(f"{there}/api/site/set-clock", headers=headers, json={**body, "second_ticket": ticket}, timeout=60)
    )
    assert entry["entry"]["facts"]["agreed"]


def test_the_leader_believes_only_servers_of_the_site_about_the_client(two: tuple[Served, Served]) -> None:
    leader, ids = two[0], itertools.count()

    def owner(key: SiteKey, of: bytes | None = None) -> str:
        """Whose a round is that nobody has signed in for: that of the place it comes from."""
        body = json.dumps({"id": f"w{next(ids)}", "game": "blackjack"}).encode()
        sealed = seal(key, Forwarded("9.9.9.9", "POST", b"/api/rounds", b"", body if of is None else of))
        headers = {"X-Croupier-Client": "9.9.9.9", "X-Croupier-Server": sealed, "Content-Type": "application/json"}
        opened = done(httpx.post(f"{leader.url}/api/rounds", headers=headers, content=body, timeout=60))
        return str(leader.app.state.play.store.round(opened["round"]).owner)

    assert owner(leader.runtime.key) == "from 9.9.9.9"
    assert owner(SiteKey(bytes(32))) == "from 127.0.0.1"
    assert owner(leader.runtime.key, of=b"another body") == "from 127.0.0.1"


def test_a_seal_is_good_for_its_own_request_for_half_a_minute_and_once() -> None:
    key = SiteKey(bytes(range(32)))
    request = Forwarded("10.0.0.7", "POST", b"/api/links/main/start", b"authorization: Bearer ses_1", b'{"id": "a"}')
    good, seals = seal(key, request), Seals(key)
    for change in (
        *({"client": "10.0.0.8"}, {"method": "PUT"}, {"target": b"/api/site/deposit"}),
        *({"credentials": b"authorization: Bearer ses_2"}, {"body": b'{"id": "b"}'}),
    ):
        assert not seals.believe(good, replace(request, **change))
    old = [seal(key, request, now=time.time() + by) for by in (-32, 32)]
    for wrong in ("", ".", "x.y", "1.2.3", "1" * 400, good + "0", *old):
        assert not seals.believe(wrong, request)
    assert seals.believe(good, request)
    assert not seals.believe(good, request), "whoever saw it on its way cannot send it again"
    assert seals.believe(seal(key, request), request)


# Where the leader says it is


class Odd(BaseHTTPRequestHandler):
    """Something at the leader's address that is no server of ours."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(503)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", "4")
        self.end_headers()
        self.wfile.write(b"<p/>")

    def log_message(self, *_: Any) -> None:
        pass


def test_whatever_answers_at_the_leaders_address_the_client_is_told_in_the_one_form(
    two: tuple[Served, Served], db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody in between who answers in HTML; an address that is none; our own; another machine's loopback."""
    monkeypatch.setattr(forwarding, "WAIT_S", 0.3)
    _, follower = two
    header = sign_in(follower.url, "ann")
    leaders = Leadership(db)
    right = leaders.leader()
    assert right.address == two[0].url

    def told(leader: Leader) -> tuple[int, str, float]:
        leaders.announce(leader)
        wait_until(lambda: follower.runtime.follower.leader == leader)
        began = time.monotonic()
        answer = start(follower.url, header, "odd")
        return answer.status_code, answer.json()["error"]["code"], time.monotonic() - began

    with ThreadingHTTPServer(("127.0.0.1", 0), Odd) as odd:
        threading.Thread(target=odd.serve_forever, daemon=True).start()
        assert told(replace(right, address=f"http://127.0.0.1:{odd.server_port}"))[:2] == (503, "in-doubt")
        odd.shutdown()
    for wrong in (
        *(replace(right, address="10.0.0.5:8700"), replace(right, address=f"http://127.0.0.1:{free_port()}")),
        replace(right, machine="another"),
        Leader(follower.url, follower.runtime.server, right.machine),
    ):
        status, code, seconds = told(wrong)
        assert (status, code) == (503, "not-leading"), wrong
        assert seconds < 10
    leaders.announce(replace(right, machine="another"))
    wait_until(lambda: httpx.get(f"{follower.url}/api/ready", timeout=60).status_code == 503)
    leaders.announce(right)
    wait_until(lambda: httpx.get(f"{follower.url}/api/ready", timeout=60).status_code == 200)
    done(start(follower.url, header, "odd"))
    leaders.close()


def test_a_server_that_follows_is_ready_while_the_one_that_leads_takes_acts(
    two: tuple[Served, Served], db: str, tmp_path: Path
) -> None:
    """What is sent to it is done there: a proxy must not go by what it can read."""
    leader, follower = two

    def ready(place: Served) -> tuple[int, str]:
        answer = httpx.get(f"{place.url}/api/ready", timeout=60)
        return answer.status_code, answer.json()["status"]

    wait_until(lambda: (ready(leader), ready(follower)) == ((200, "ready"), (200, "following")))
    with psycopg.connect(db, autocommit=True) as admin:
        admin.execute("ALTER TABLE entry RENAME TO aside")  # the next act would not be written
        wait_until(lambda: (ready(leader)[0], ready(follower)[0]) == (503, 503))
        admin.execute("ALTER TABLE aside RENAME TO entry")
    wait_until(lambda: {ready(leader), ready(follower)} == {(200, "ready"), (200, "following")})
    right = (leaders := Leadership(db)).leader()
    leaders.announce(replace(right, address=f"http://127.0.0.1:{free_port()}"))
    wait_until(lambda: 503 in {ready(leader)[0], ready(follower)[0]})
    leaders.announce(replace(right, address=follower.url))  # it takes itself for the leader, and asks itself once
    wait_until(lambda: 503 in {ready(leader)[0], ready(follower)[0]})
    leaders.close()


def test_a_row_that_no_server_has_written_is_believed_by_none(
    two: tuple[Served, Served], db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a server that follows has read counts as acknowledged, for when it leads."""
    monkeypatch.setattr("croupier.floor.people._APART", timedelta())  # as after some minutes with keys
    before = {place.url: place.runtime.house.links[LINK].entries for place in two}
    with open_store(db) as store:
        link = Link.of_entries(LINK, store.entries(f"link:{LINK}"))
        raised: dict[str, Any] = {"source": Purpose.HOUSE, "target": Purpose.METER, "cents": 10_000_000}
        raised |= {"level": "", "reason": Lawful.MALFUNCTION, "text": "A sensor."}
        act = acts.Adjust(id="forged", by=MANAGER, second=OTHER_MANAGER, **raised)
        store.append(f"link:{LINK}", [link.handle(act, utc_now())])
    for place in two:
        wait_until(lambda place=place: "no server has acknowledged" in place.runtime.house.damaged.get(LINK, ""))
        assert place.runtime.house.links[LINK].entries == before[place.url]
    wait_until(lambda: all(httpx.get(f"{place.url}/api/ready", timeout=60).status_code == 200 for place in two))
    assert all(LINK in place.runtime.house.damaged for place in two), "the others are dealt, and this link is not"


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.5:8700",
        "ftp://10.0.0.5",
        "http://",
        "http://a:b@c",
        "http://h/path",
        "http://h:0",
        "http://h:x",
        "http://h?q",
    ],
)
def test_an_address_that_others_cannot_use_is_refused_at_the_start(address: str) -> None:
    with pytest.raises(NotationError, match="is written as"):
        Settings(address=address)
    for every in ("http://0.0.0.0:8700", "https://[::]:8700"):
        with pytest.raises(NotationError, match="name one of them"):
            Settings(address=every)
    for good in ("http://10.0.0.5:8700", "https://floor.example", "http://[fd00::5]:8700/"):
        assert Settings(address=good).address == good


def test_two_sites_in_one_database_have_each_their_own_leader(two: tuple[Served, Served], tmp_path: Path) -> None:
    """Each in a schema: the lease of a book is the schema's, not the whole database's."""
    with served(Settings(db=new_floor(), port=free_port(), key_file=tmp_path / "other.key")) as other:
        wait_until(lambda: other.runtime.floor is not None)


def test_a_nul_character_is_refused_before_postgresql_is_asked(two: tuple[Served, Served]) -> None:
    header = sign_in(two[0].url, "ann")
    opened = done(post(two[0].url, "/api/rounds", header, id="r1", game="blackjack"))["round"]
    for path, body in (
        ("/api/rounds", {"id": "a\0b", "game": "blackjack"}),
        (f"/api/rounds/{opened}/acts", {"id": "a\0b", "act": "go-on"}),
        (f"/api/rounds/{opened}/acts", {"id": "a1", "act": "bet 1 bet 500\0"}),
        (f"/api/rounds/{opened}/acts", {"id": "a1", "act": {"act": "bet", "seat": 1, "player": "a\0b"}}),
        (f"/api/links/{LINK}/start", {"id": "a\0b", "table": 1, "lit": [1], "based": [1]}),
    ):
        for each in two:
            answer = post(each.url, path, header, **body)
            assert 400 <= answer.status_code < 500, (path, body, answer.text)
    with pytest.raises(NotationError, match="printable characters"):
        two[0].app.state.play.jobs.submit("person ann", "a\0b", "simulate", {})
    for path in ("/api/rounds/rnd_a%00b", "/api/jobs/job_a%00b", "/api/links/a%00b"):
        assert httpx.get(f"{two[1].url}{path}", headers=header, timeout=60).status_code == 404


def test_without_a_leader_acts_are_to_be_sent_again_and_everything_else_goes_on(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody holds the site's book who is no server."""
    monkeypatch.setattr(forwarding, "WAIT_S", 0.2)
    with open_store(db) as store:
        store.take_lease("site")
        with served(Settings(db=db, port=free_port(), key_file=tmp_path / "site.key")) as alone:
            header = sign_in(alone.url, "ann")
            refused = start(alone.url, header, "s1")
            assert refused.status_code == 503
            assert refused.json()["error"]["code"] == "not-leading"
            assert refused.json()["error"]["retry"] is True
            assert link_at(alone.url, header)["status"] == "open"
            assert httpx.get(f"{alone.url}/api/ready", timeout=60).status_code == 503
            store.release_lease()
            wait_until(lambda: alone.runtime.floor is not None)
            done(start(alone.url, header, "s1"))


def test_a_leader_whose_sessions_are_cut_goes_on_or_hands_over(two: tuple[Served, Served], db: str) -> None:
    """As when the database restarts: afterwards one leads, the other follows, and both show the same."""
    header = sign_in(two[0].url, "ann")
    done(start(two[0].url, header, "s1"))
    with psycopg.connect(server_url(), autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croupier'")
    ended = until_done(lambda: post(two[1].url, f"/api/links/{LINK}/end", header, id="e1", table=1))
    wait_until(lambda: [each.runtime.floor is not None for each in two].count(True) == 1)
    wait_until(lambda: all(each.runtime.house.links[LINK].entries == ended["entry"]["number"] for each in two))


def until_done(send: Any, seconds: float = 20.0) -> dict[str, Any]:
    """Sent again for as long as the answer says so."""
    end = time.monotonic() + seconds
    while True:
        answer = send()
        if answer.status_code != 503:
            return done(answer)
        assert answer.json()["error"]["retry"] is True
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)


# SQLite


def test_a_second_server_on_sqlite_is_refused_in_one_sentence(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "SECOND_SERVER_S", 0.2)
    first = Runtime(site.settings)
    first.begin()
    second = Runtime(site.settings)
    with pytest.raises(SecondServer, match="one server; several can share a site on PostgreSQL"):
        second.begin()
    second.close()
    first.close()
    third = Runtime(site.settings)
    third.begin()
    third.close()


def test_a_server_killed_in_the_middle_of_an_award_comes_back_to_the_same_state(site: MadeSite) -> None:
    header, eve = site.header("ann 1"), site.header("eve")
    with serve(site) as server:
        done(start(server.url, header, "s1"))
        award = done(post(server.url, f"/api/links/{LINK}/enter", header, id="e1", table=1, seat=1, line=COLOR))
        before = everything(server, header)
        server.kill()
        server.start_again()
        server.wait_ready()
        assert everything(server, header) == before
        again = done(post(server.url, f"/api/links/{LINK}/enter", header, id="e1", table=1, seat=1, line=COLOR))
        assert again == award
        confirm = {"id": "c1", "award": award["entry"]["number"]}
        assert done(post(server.url, f"/api/links/{LINK}/confirm", eve, **confirm))["link"]["awards"] == []


def everything(server: Server, header: dict[str, str]) -> list[Any]:
    return [
        done(httpx.get(f"{server.url}/api/{what}", headers=header, timeout=60))
        for what in ("links", "tables/1", "site")
    ]


# Killing the leader


class Round:
    """A client that goes to one server after the other, and sends again whatever was not answered."""

    def __init__(
        self, urls: list[str], header: dict[str, str], table: int, stop: threading.Event, timeout_s: float = 20
    ) -> None:
        self.urls, self.header, self.table, self.stop = itertools.cycle(urls), header, table, stop
        self.timeout_s = timeout_s
        self.done: dict[str, dict[str, Any]] = {}
        self.gaps: list[float] = []
        """Seconds from the first try of a command to its answer."""
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self) -> None:
        with httpx.Client(headers=self.header, timeout=self.timeout_s) as client:
            for number in itertools.count():
                for path, more in (("start", {"lit": [1, 2], "based": [1, 2]}), ("end", {})):
                    self.send(client, path, {"id": f"t{self.table}-{number}-{path}", "table": self.table, **more})
                if self.stop.is_set():
                    return

    def send(self, client: httpx.Client, path: str, body: dict[str, Any]) -> None:
        began = time.monotonic()
        while True:
            try:
                answer = client.post(f"{next(self.urls)}/api/links/{LINK}/{path}", json=body)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code == 200:
                self.done[body["id"]] = answer.json()["entry"]
                self.gaps.append(time.monotonic() - began)
                return
            assert answer.json()["error"]["retry"], answer.text
            time.sleep(0.02)


def test_the_leader_killed_under_load_loses_and_doubles_nothing(db: str, tmp_path: Path) -> None:
    with servers(db, tmp_path) as (leader, other):
        header = sign_in(other.url, "ann", 3)
        near, far = Ear(other.url, DISPLAY), Ear(leader.url, DISPLAY)
        stop = threading.Event()
        clients = [Round([leader.url, other.url], sign_in(other.url, "ann", table), table, stop) for table in (1, 2)]
        award = hold_award(leader, header)
        near.wait_number(award["number"])
        time.sleep(1)
        leader.kill()
        killed = time.monotonic()
        other.wait("ready", seconds=TAKEOVER_S)
        assert time.monotonic() - killed < TAKEOVER_S
        before = max(entry["number"] for client in clients for entry in client.done.values())
        wait_until(lambda: all(len(client.done) and max_number(client) > before for client in clients))
        wait_until(lambda: far.ended)
        back = Ear(other.url, DISPLAY, heard=far.told[-1].id)
        paid = confirm_award(other, header, award)
        stop.set()
        for client in clients:
            client.thread.join(30)
        assert max(gap for client in clients for gap in client.gaps) < TAKEOVER_S
        last = link_at(other.url, header)["number"]
        for ear in (near, back):
            ear.wait_number(last)
        assert [each["number"] for each in near.moments] == [award["number"], paid["number"]]
        assert paid["number"] in [each["number"] for each in back.moments]
        check_once(db, clients, award, last)
        near.close()
        back.close()


def max_number(client: Round) -> int:
    return max(int(entry["number"]) for entry in list(client.done.values()))


def hold_award(leader: Process, header: dict[str, str]) -> dict[str, Any]:
    """A hand at table 3 that no card has confirmed."""
    done(start(leader.url, header, "a-start", table=3))
    body = {"id": "a-enter", "table": 3, "seat": 1, "line": COLOR}
    entry: dict[str, Any] = done(post(leader.url, f"/api/links/{LINK}/enter", header, **body))["entry"]
    held = link_at(leader.url, header)["awards"]
    assert [each["award"] for each in held] == [entry["number"]]
    return {**entry, "held": held}


def confirm_award(server: Process, header: dict[str, str], award: dict[str, Any]) -> dict[str, Any]:
    """It is held as it was, and paid after a card."""
    assert link_at(server.url, header)["awards"] == award["held"]
    body = {"id": "a-confirm", "award": award["number"], "card": card("eve")}
    entry: dict[str, Any] = done(post(server.url, f"/api/links/{LINK}/confirm", header, **body))["entry"]
    return entry


def check_once(db: str, clients: list[Round], award: dict[str, Any] | None, last: int, *, at_least: int = 20) -> None:
    """Every command that was answered is in the book once, as it was answered; the book follows from its acts."""
    with open_store(db, read_only=True) as store:
        entries = list(store.entries(f"link:{LINK}"))
    assert [entry.number for entry in entries] == list(range(1, last + 1))
    by_command = {entry.command: entry for entry in entries}
    assert len(by_command) == len(entries)
    sent = {command: entry for client in clients for command, entry in client.done.items()}
    assert len(sent) > at_least
    for command, entry in sent.items():
        assert by_command[command].digest == entry["digest"]
    games = {command for command in by_command if command.startswith("t")}
    assert games == set(sent), "nothing was done that no client has sent to its end"
    link = replay(LINK, entries)
    assert all(proof(link, level).difference == 0 for level in link.state.setup.level)
    if award is not None:
        assert award["digest"] == by_command["a-enter"].digest


# Marks: how far the books of a site on PostgreSQL were acknowledged stands outside the database


def cut(db: str, stream: str) -> None:
    """By somebody who owns the tables."""
    with psycopg.connect(db, autocommit=True) as server:
        server.execute("ALTER TABLE entry DISABLE TRIGGER ALL; DELETE FROM snapshot")
        last = "(SELECT max(number) FROM entry WHERE stream = %s)"
        server.execute(f"DELETE FROM entry WHERE stream = %s AND number = {last}", (stream, stream))
        server.execute("ALTER TABLE entry ENABLE TRIGGER ALL")


def test_a_book_cut_in_the_database_is_noticed_at_the_start_by_the_marks_beside_the_key(
    db: str, tmp_path: Path
) -> None:
    settings = Settings(db=db, port=free_port(), key_file=tmp_path / "site.key")
    assert settings.marks_path().parent == tmp_path, "without being told: a file of the server's own machine"
    first = Runtime(settings)
    first.begin()
    first.close()
    cut(db, f"link:{LINK}")
    second = Runtime(settings)
    second.begin()
    assert "is shorter" in second.damaged()[f"link:{LINK}"]
    second.close()
    cut(db, "site")
    third = Runtime(settings)
    with pytest.raises(BookBehind, match="site was acknowledged up to entry"):
        third.begin()
    third.close()


def test_what_a_follower_has_read_counts_when_it_leads(db: str, tmp_path: Path) -> None:
    """The marks of the server that wrote it are on another machine."""
    ours = Settings(db=db, key_file=tmp_path / "site.key", marks_file=tmp_path / "one.marks")
    leader, follower = Runtime(ours), Runtime(replace(ours, marks_file=tmp_path / "two.marks"))
    leader.begin()
    follower.begin()
    assert follower.floor is None
    leader.close()
    cut(db, f"link:{LINK}")
    wait_until(follower.try_to_lead)
    assert "is shorter" in follower.damaged()[f"link:{LINK}"]
    follower.close()
