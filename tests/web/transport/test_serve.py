"""`croupier serve` as a newcomer starts it, in real processes: first start, TLS, refusals, log, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.cli.app import sentence_of
from croupier.ledger.checkpoint import fingerprint, read_public
from croupier.web.settings import Settings, UnsafeAddress, site_key
from croupier.web.transport.server import GRACE_S
from tests.cli.support import refused
from tests.web.commands import Started, own_certificate, started, trusting
from tests.web.support import MadeSite

PIN, OTHER_PIN, OWN_PIN = "482913", "739164", "570382"


def created(server: Started) -> dict[str, Any]:
    """The site made as the server said, by the very line that it printed, with a PIN put in."""
    line = re.search(r"^  (curl .*first-start.*)$", server.printed, re.MULTILINE)
    assert line, server.printed
    told = subprocess.run(line[1].replace("CHOOSE-A-PIN", PIN), shell=True, capture_output=True, text=True, check=True)
    made: dict[str, Any] = json.loads(told.stdout)
    assert "card" in made, made
    return made


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


# Starting


def test_a_first_start_leads_to_a_site_and_its_log_holds_no_secret(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0") as server:
        code = re.search(r"one-time code is (\w+)", server.printed)
        assert code
        card = created(server)["card"]
        secrets = {
            code[1],
            card,
            PIN,
            OTHER_PIN,
            OWN_PIN,
            "915283",
            site_key(tmp_path / "croupier.db.key").secret.hex(),
        }
        with server.client() as client:
            assert client.get("/api/ready").json()["status"] == "ready"
            assert client.post("/api/sign-in", json={"card": card, "pin": "915283"}).status_code == 401
            token = client.post("/api/sign-in", json={"card": card, "pin": PIN}).json()["token"]
            client.headers.update(bearer(token))
            mia = {"id": "e1", "person": "mia", "name": "Mia", "role": "manager", "pin": OTHER_PIN}
            other = client.post("/api/site/enrol-person", json=mia).json()["card"]
            own = client.post("/api/sign-in", json={"card": other, "pin": OTHER_PIN}).json()["token"]
            chosen = {"id": "p1", "person": "mia", "pin": OWN_PIN, "old_pin": OTHER_PIN, "card": other}
            assert client.post("/api/site/set-pin", headers=bearer(own), json=chosen).status_code == 200
            clock = {"id": "c1", "zone": "UTC", "day_begins": 5}
            agreed = {"act": "set-clock", "id": "c1", "card": other, "pin": OWN_PIN, "body": clock}
            ticket = client.post("/api/second-person", json=agreed).json()["second_ticket"]
            screen = {"id": "d1", "device": "screen", "kind": "display", "name": "Screen"}
            display = client.post("/api/site/enrol-device", json=screen).json()["token"]
            secrets |= {token, other, ticket, display, token.removeprefix("ses_"), display.removeprefix("dev_")}
            client.post("/api/sign-in", content=f'{{"card": "{card}", "pin": "{PIN}", "more')  # no JSON
            client.post("/api/sign-in", json={"card": [card], "pin": {"it is": PIN}, card: card})
            client.get(f"/api/links/{card}", params={"token": token, "card": card})
            client.get(f"/{card}/{PIN}")
            assert client.get("/api/site", headers=bearer(display)).status_code == 200
            assert client.get("/api/site", headers=bearer(f"dev_{card}")).status_code == 401
        assert server.end() == 0
        lines = [json.loads(line) for line in server.log.splitlines()]
        assert not [secret for secret in secrets if secret in server.log]
        printed_later = server.printed.partition("Stop with Ctrl-C")[2]
        assert not [secret for secret in secrets if secret in printed_later]
    told = [line for line in lines if line["route"] == "/api/site/enrol-person"]
    assert [(line["person"], line["status"], line["method"]) for line in told] == [("max", 200, "POST")]
    assert told[0]["ms"] > 0
    assert len({line["request"] for line in lines}) == len(lines)
    assert {"screen"} == {line["device"] for line in lines if "device" in line}
    assert [line["level"] for line in lines if line["status"] == 401] == ["warning", "warning"]


def test_tls_from_certificate_files(tmp_path: Path) -> None:
    cert, key = own_certificate(tmp_path)
    with started(tmp_path, "--port", "0", "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        assert server.url.startswith("https://127.0.0.1:")
        created(server)
        with server.client(verify=trusting(cert)) as client:
            assert client.get("/api/health").status_code == 200
        with pytest.raises(httpx.TransportError):
            httpx.get(server.url.replace("https", "http") + "/api/health", trust_env=False, timeout=60)
        assert server.end(signal.SIGINT) == 0


def test_files_that_others_could_read_are_closed_to_them(site: MadeSite, tmp_path: Path) -> None:
    folder = Path(site.db.removeprefix("sqlite:///")).parent
    (folder / "floor.db.marks").touch()
    names = ["floor.db", "floor.db.key", "floor.db.access"]
    for name in names:
        (folder / name).chmod(0o644)
    with started(tmp_path, "--db", site.db, "--port", "0") as server:
        for name in names:
            assert f"{name} could be read by others; it is for its owner only now." in server.printed
        own = [path for path in folder.iterdir() if path.name.startswith("floor.db")]
        assert {path.stat().st_mode & 0o077 for path in own} == {0}


# Refusing


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "casino.example"])
def test_plain_http_beyond_this_machine_is_refused_with_the_ways_to_do_it_right(host: str) -> None:
    with pytest.raises(UnsafeAddress) as error:
        Settings(host=host)
    for way in (host, "--tls-cert", "--behind-proxy", "127.0.0.1", "--plain-http"):
        assert way in sentence_of(error.value)
    for more in ({"behind_proxy": True}, {"plain_http": True}):
        assert Settings(host=host, **more).host == host  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_plain_http_on_this_machine_is_fine(host: str) -> None:
    assert Settings(host=host).is_loopback


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to start in, without touching the log of the tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("croupier.web.logs.configure_logs", lambda *_: None)
    return tmp_path


def test_what_cannot_be_is_said_in_one_sentence_and_leaves_nothing_behind(empty: Path) -> None:
    cert, key = own_certificate(empty)
    for words, said in (
        (("--host", "0.0.0.0"), "without TLS every card and PIN could be read"),
        (("--tls-cert", str(cert)), "both a certificate and its key"),
        (("--tls-cert", str(key), "--tls-key", str(cert), "--port", "0", "--db", "sqlite:///tls.db"), "cannot be used"),
        (("--port", "70000"), "0 to 65,535"),
        (("--speed", "5"), "for --demo"),
        (("--db", "mysql://host/x"), "A store is sqlite"),
        (("--log", "loud"), "info, warning, error"),
    ):
        told = refused("serve", *words)
        assert said in told, told
    assert not list(empty.glob("croupier.db*"))


def test_a_port_in_use_is_said_in_one_sentence(empty: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = refused("serve", "--port", str(port))
    assert f"127.0.0.1 port {port} is in use by another program" in told
    assert not list(empty.glob("croupier.db*"))


# Ending


def half_sent(server: Started, card: str) -> tuple[socket.socket, bytes]:
    """A sign-in whose body is still on its way, and the rest of it. The server has begun to read it."""
    body = json.dumps({"card": card, "pin": PIN}).encode()
    line = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=60)
    head = f"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    line.sendall(f"{head}\r\nExpect: 100-continue\r\n\r\n".encode())
    with line.makefile("rb") as told:
        assert told.readline().startswith(b"HTTP/1.1 100 ")
        assert told.readline() == b"\r\n"
    line.sendall(body[:5])
    return line, body[5:]


def test_a_stop_finishes_what_was_accepted_ends_listeners_and_closes_the_books(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0") as server:
        card = created(server)["card"]
        with server.client() as client:
            token = client.post("/api/sign-in", json={"card": card, "pin": PIN}).json()["token"]
            heard: list[bytes] = []
            began = threading.Event()

            def hear() -> None:
                with client.stream("GET", "/api/events", headers=bearer(token)) as stream:
                    began.set()
                    heard.extend(stream.iter_bytes())

            listener = threading.Thread(target=hear, daemon=True)
            listener.start()
            assert began.wait(20)
            line, rest = half_sent(server, card)
            server.process.send_signal(signal.SIGTERM)
            server.wait("Stopping")
            time.sleep(0.3)
            line.sendall(rest)
            answer = b""
            while part := line.recv(65536):
                answer += part
            line.close()
            assert server.process.wait(20) == 0
            listener.join(20)
        assert not listener.is_alive()
        assert answer.startswith(b"HTTP/1.1 200 "), answer
        assert b'"token"' in answer
        assert heard
        assert "the books are closed" in server.printed
        assert not list(tmp_path.glob("croupier.db-wal"))


def test_a_site_that_is_there_has_no_code_and_a_second_ctrl_c_ends_at_once(site: MadeSite) -> None:
    with started(site.folder, "--port", "0", "--db", site.db) as server:
        assert "one-time code" not in server.printed
        loaded = Path(f"/proc/{server.process.pid}/maps")
        assert not loaded.exists() or "numpy" not in loaded.read_text(), "it is ready sooner without"
        form = {"title": "x", "profile": "washington", "zone": "UTC", "person": "eva", "name": "Eva", "pin": PIN}
        with server.client() as client:
            answer = client.post("/api/first-start", json={**form, "code": "0" * 16})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "already-created")
        line, _ = half_sent(server, "a card that is never sent whole")
        server.process.send_signal(signal.SIGINT)
        server.wait("Stopping")
        time.sleep(0.3)
        assert server.process.poll() is None, "it waits for what was accepted"
        began = time.monotonic()
        assert server.end(signal.SIGINT) == 130
        assert time.monotonic() - began < GRACE_S / 2
        line.close()


def test_a_key_is_made_at_the_first_start_and_told_once(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    words = ("--port", "0", "--anchor", f"folder:{outside}")
    with started(tmp_path, *words) as server:
        server.wait("Stop with Ctrl-C.")
        public = re.search(r"^  public key   ([0-9a-f]{64})$", server.printed, re.MULTILINE)
        assert public
        assert fingerprint(public[1]) in server.printed
        assert "█▀" in server.printed
        assert f"anchor to   folder:{outside}" in server.printed
        assert "is not outside the house" in server.printed
    assert read_public(tmp_path / "croupier.db.signing.pem.pub") == public[1]
    assert (tmp_path / "croupier.db.signing.pem").stat().st_mode & 0o777 == 0o600
    with started(tmp_path, *words) as server:
        server.wait("signs       ")
        server.wait("Stop with Ctrl-C.")
        assert server.printed.count("A key was made") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--anchor", "nowhere"), "An anchor goes to folder:PATH, mail:FILE.toml"),
        (("--anchor", "folder:none"), "There is no folder 'none' for anchors to go to."),
        (("--anchor-every", "-1"), "0 for none between the days"),
        (("--signer", "true"), "--signer signs elsewhere: name the public key that it signs for with --signing-key"),
        (("--signing-key", "none.pem"), "There is no file none.pem"),
    ],
)
@pytest.mark.usefixtures("empty")
def test_wrong_places_and_signers_are_told_in_a_sentence(words: tuple[str, ...], said: str) -> None:
    told = refused("serve", "--port", "0", *words)
    assert said in told
