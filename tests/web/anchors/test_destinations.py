"""Each way out of the house, with a real server at its other end."""

from __future__ import annotations

import hashlib
import hmac
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path

import pytest

from croupier.errors import CroupierError, NotationError
from croupier.ledger.anchor import SignedAnchor, read_anchors
from croupier.ledger.timestamp import Request, stamped_at
from croupier.ledger.timestamp import read_certificates as certificates_of
from croupier.web.anchors import destinations
from croupier.web.anchors.destinations import Folder, NotDelivered, file_name, read_destination
from tests.audit.stamping import stamping
from tests.audit.test_anchors import signed_days
from tests.web.anchors.receiving import certificate, mail_server, settings_file, web_server

FIRST, SECOND = signed_days(last=2)
PASSWORD = "a-password-that-nobody-may-see"


def refusal(text: str, signed: SignedAnchor = FIRST) -> str:
    with pytest.raises(NotDelivered) as caught:
        read_destination(text).send(signed)
    assert PASSWORD not in str(caught.value)
    return str(caught.value)


# A folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "outside"
    path.mkdir()
    yield path
    path.chmod(0o700)


def test_a_folder_gets_a_file_for_each_and_none_is_written_over(folder: Path) -> None:
    outside = read_destination(f"folder:{folder}")
    for signed in (FIRST, SECOND, FIRST):
        outside.send(signed)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["anchor-0badcafe-00000001-20261101T230000Z.json", "anchor-0badcafe-00000002-20261102T230000Z.json"]
    assert read_anchors([folder]).signed == [FIRST, SECOND]
    (folder / names[0]).write_bytes(SECOND.json_line())
    assert "says something else: it is left as it is" in refusal(f"folder:{folder}")
    assert (folder / names[0]).read_bytes() == SECOND.json_line()


def test_a_folder_of_the_servers_own_user_is_warned_of(folder: Path) -> None:
    assert "not outside the house" in read_destination(f"folder:{folder}").warning


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_owner_is_not(folder: Path) -> None:
    os.chown(folder, 65534, -1)
    assert read_destination(f"folder:{folder}").warning == ""


def test_a_folder_that_goes_away_is_told(folder: Path) -> None:
    outside = read_destination(f"folder:{folder}")
    folder.rmdir()
    with pytest.raises(NotDelivered, match="cannot be written there: no such file"):
        outside.send(FIRST)
    folder.mkdir()
    outside.send(FIRST)


def test_a_file_that_a_full_disk_cut_short_is_completed(folder: Path) -> None:
    """In a process whose files may be no longer than 100 bytes, which fails in the middle of a write."""
    program = (
        "import resource, signal, sys; from croupier.web.anchors.destinations import *;"
        "from tests.audit.test_anchors import signed_days;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); outside = read_destination(sys.argv[1]);"
        "signed = signed_days(last=1)[0];"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); outside.send(signed)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, f"folder:{folder}"], capture_output=True, text=True, check=False, timeout=120
    )
    assert "cannot be written there: file too large" in ran.stderr, ran.stderr
    path = folder / file_name(FIRST)
    assert len(path.read_bytes()) == 100
    Folder(str(folder)).send(FIRST)
    assert path.read_bytes() == FIRST.json_line()


def test_a_link_in_the_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (folder / file_name(FIRST)).symlink_to(tmp_path / "elsewhere")
    assert "cannot be written there" in refusal(f"folder:{folder}")
    assert not (tmp_path / "elsewhere").exists()


# Mail


def test_a_mail_under_tls_with_a_password_is_read_back(tmp_path: Path) -> None:
    context, authority = certificate(tmp_path)
    with mail_server(context, PASSWORD) as received:
        values = {"host": "127.0.0.1", "port": received.port, "from_": "house@example.org", "to": "reg@example.org"}
        values |= {"user": "house", "password": PASSWORD, "ca": authority}
        path = settings_file(tmp_path / "mail.toml", **values)
        outside = read_destination(f"mail:{path}")
        assert outside.label == "mail:reg@example.org"
        outside.send(FIRST)
        (mail,) = received.mails
        told = message_from_bytes(mail)
        assert told["Subject"] == f"Anchor 1 of site {FIRST.anchor.site}, close of 2026-11-01"
        kept = tmp_path / "saved.eml"
        kept.write_bytes(mail)
        anchors = read_anchors([kept])
        assert (anchors.signed, anchors.lines) == ([FIRST], [FIRST.anchor.line()])
        settings_file(path, **{**values, "password": "wrong"})
        assert "refuses the user or the password (535)" in refusal(f"mail:{path}")
        settings_file(path, **{name: value for name, value in values.items() if name != "ca"})
        assert "its certificate is not believed" in refusal(f"mail:{path}")
    settings_file(path, **values)
    assert "cannot be reached: connection refused" in refusal(f"mail:{path}")


def test_a_mail_server_that_does_not_speak_tls_or_refuses_gets_nothing(tmp_path: Path) -> None:
    values: dict[str, object] = {"host": "127.0.0.1", "from_": "house@example.org", "to": "reg@example.org"}
    with mail_server() as received:
        path = settings_file(tmp_path / "mail.toml", **values, port=received.port)
        assert "does not do what is needed" in refusal(f"mail:{path}")
        assert received.mails == []
        settings_file(path, **values, port=received.port, tls="none")
        read_destination(f"mail:{path}").send(FIRST)
        assert len(received.mails) == 1
    with mail_server(code="552 too much") as received:
        settings_file(path, **values, port=received.port, tls="none")
        assert "refuses it (552)" in refusal(f"mail:{path}")


# A webhook


def test_a_webhook_carries_a_mac_by_the_shared_secret(tmp_path: Path) -> None:
    context, authority = certificate(tmp_path)
    with web_server(tls=context) as received:
        path = settings_file(tmp_path / "hook.toml", url=received.url, secret=PASSWORD, ca=authority)
        outside = read_destination(f"webhook:{path}")
        assert outside.label.startswith("webhook:127.0.0.1#")
        outside.send(FIRST)
        ((headers, body),) = received.requests
        right = hmac.new(PASSWORD.encode(), body, hashlib.sha256).hexdigest()
        assert headers["Croupier-Signature"] == f"sha256={right}"
        assert headers["Croupier-Anchor"] == "0badcafe-1"
        (tmp_path / "body.json").write_bytes(body)
        assert read_anchors([tmp_path / "body.json"]).signed == [FIRST]
        assert "its certificate is not believed" in refusal(f"webhook:{received.url}")


@pytest.mark.parametrize("status", [302, 307, 404, 500])
def test_an_answer_that_is_no_yes_is_a_failure_and_no_redirection_is_followed(status: int) -> None:
    with web_server() as elsewhere, web_server() as received:
        received.status, received.headers = status, {"Location": elsewhere.url}
        assert f"answers with the status {status}" in refusal(f"webhook:{received.url}")
        assert elsewhere.requests == []


def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with web_server() as proxy, web_server() as received:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ALL_PROXY", proxy.url)
        read_destination(f"webhook:{received.url}").send(FIRST)
        assert (len(received.requests), proxy.requests) == (1, [])


def test_a_webhook_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(destinations.Webhook, "timeout_s", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        assert "it did not answer in time" in refusal(f"webhook:{url}")


def test_an_endless_answer_is_cut_off() -> None:
    with web_server() as received:
        received.answer = lambda _: b"x" * 100_000
        assert "answers with more than 65,536 bytes" in refusal(f"webhook:{received.url}")


# A timestamp server


def test_a_timestamp_is_asked_for_checked_and_given_back(tmp_path: Path) -> None:
    with stamping(tmp_path) as (ask, root), web_server() as received:
        received.answer = ask
        receipt = read_destination(f"rfc3161:{received.url}").send(FIRST)
        stamped_at(receipt, FIRST.anchor.text(), certificates_of(root))
        assert received.requests[0][0]["Content-Type"] == "application/timestamp-query"
        path = settings_file(tmp_path / "tsa.toml", url=received.url, certificate=root)
        assert read_destination(f"rfc3161:{path}").send(SECOND)
        with stamping(tmp_path / "other") as (_, other):
            settings_file(path, url=received.url, certificate=other)
            assert "not signed under the certificate" in refusal(f"rfc3161:{path}")


def test_wrong_answers_of_a_timestamp_server_are_refused(tmp_path: Path) -> None:
    with stamping(tmp_path) as (ask, _), web_server() as received:
        url, mine = f"rfc3161:{received.url}", Request(FIRST.anchor.text()).content
        received.answer = lambda _: b"<html>It works!</html>"
        assert "no timestamp by RFC 3161" in refusal(url)
        received.answer = lambda _: b""
        assert "no timestamp by RFC 3161" in refusal(url)
        received.answer = lambda _: ask(mine)
        assert "its nonce is not ours" in refusal(url)
        received.answer = lambda _: ask(Request(b"another text").content)
        assert "is of another text" in refusal(url)
        received.answer = lambda _: ask(b"\x30\x03\x02\x01\x01")  # openssl answers with a rejection
        assert "grants no timestamp" in refusal(url)


# Settings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "An anchor goes to folder:PATH, mail:FILE.toml"),
        ("ftp://example.org", "not to 'ftp://example.org'"),
        ("folder:/nowhere/at/all", "There is no folder '/nowhere/at/all'"),
        ("mail:/nowhere.toml", "There is no file '/nowhere.toml'"),
        ("webhook:http://example.org/", "by https, not by http"),
        ("webhook:https://user:secret@example.org/", "without a password"),
        ("webhook:https:///path", "an address as https://"),
        ("rfc3161:file:///etc/passwd", "an address as https://"),
    ],
)
def test_a_place_that_is_none_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(CroupierError) as caught:
        read_destination(text)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("host = ", "is no TOML"),
        (f"password = '{PASSWORD}", "is no TOML"),
        ("host = 'h'\nfrom = 'a@b'\n", "does not say 'to'"),
        ("host = 'h'\nfrom = 'a@b'\nto = 'c@d'\nport = '25'", "says 'port' in a way"),
        ("host = 'h'\nfrom = 'a@b'\nto = 'c@d'\nsecret = 'x'", "says 'secret' in a way"),
        ("host = 'h'\nfrom = 'a@b'\nto = 'c@d'\ntls = 'none'", "is not this machine"),
        ("host = 'h'\nfrom = 'a@b'\nto = 'c'", "an address that is none"),
        ("host = 'h'\nfrom = 'a@b'\nto = 'c@d'\nca = '/nowhere'", "holds no certificate of an authority"),
    ],
)
def test_wrong_settings_of_mail_are_told_and_no_secret_is_quoted(content: str, said: str, tmp_path: Path) -> None:
    path = settings_file(tmp_path / "mail.toml")
    path.write_text(content)
    with pytest.raises(NotationError) as caught:
        read_destination(f"mail:{path}")
    assert said in str(caught.value)
    assert PASSWORD not in str(caught.value)


def test_settings_that_others_can_read_are_refused(tmp_path: Path) -> None:
    path = settings_file(tmp_path / "hook.toml", url="https://example.org/", secret=PASSWORD)
    path.chmod(0o644)
    with pytest.raises(NotationError, match="chmod 600 it"):
        read_destination(f"webhook:{path}")


def test_stamps_do_not_change_what_a_folder_is_sent(folder: Path) -> None:
    Folder(str(folder)).send(replace(FIRST, stamps=()))
    assert read_anchors([folder]).signed == [FIRST]
