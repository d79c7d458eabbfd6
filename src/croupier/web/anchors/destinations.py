"""Where anchors go, so that the house cannot change them: a folder, a mailbox, a webhook, a timestamp server.

    folder:/mnt/regulator            a file for each, never written over
    mail:mail.toml                   host, port, tls, from, to, user, password, ca
    webhook:webhook.toml             url, secret, ca; or webhook:https://host/path without a secret
    rfc3161:https://tsa.example      or rfc3161:tsa.toml: url, certificate, user, password, ca

Passwords and secrets stand in files that only their owner reads, and in no log and no error. A request goes to the host
that is set and to no other: redirections are not followed, and no proxy of the environment is asked.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import ipaddress
import os
import smtplib
import ssl
import stat
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import httpx

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.files import reason
from croupier.ledger.anchor import SignedAnchor
from croupier.ledger.timestamp import Request, read_certificates, stamped_at

MAIL_S, WEBHOOK_S, STAMP_S = 30.0, 15.0, 30.0
LARGEST_ANSWER = 65_536
LARGEST_SETTINGS = 65_536
SIGNATURE_HEADER = "Croupier-Signature"
LONGEST_LABEL = 200


class NotDelivered(CroupierError):
    """An anchor did not arrive; it is sent again later. The sentence tells nothing of a secret."""


class Destination(ABC):
    """A place outside the house. Sending the same anchor again does no harm."""

    kind: ClassVar[str]
    from_the_first: ClassVar[bool] = False
    """Whether a new place of this kind gets every anchor of the series, or begins with the newest."""
    label: str
    """How it is called in the log, in figures and on pages."""

    @abstractmethod
    def send(self, signed: SignedAnchor) -> bytes:
        """Deliver it; what the other side gave for it, where that is kept. Raises NotDelivered."""

    @property
    def warning(self) -> str:
        """Why this place proves less than it seems to, in a sentence; nothing where it does not."""
        return ""


def read_destination(text: str) -> Destination:
    kind, _, rest = text.partition(":")
    if kind not in KINDS or not rest:
        raise NotationError(f"An anchor goes to {', '.join(KINDS.values())}; not to {text[:100]!r}.")
    makers: dict[str, Callable[[str], Destination]] = {
        **{"folder": Folder, "mail": Mail, "webhook": Webhook, "rfc3161": Stamper}
    }
    destination = makers[kind](rest)
    destination.label = destination.label[:LONGEST_LABEL]
    return destination


KINDS = {
    "folder": "folder:PATH",
    "mail": "mail:FILE.toml",
    "webhook": "webhook:URL or webhook:FILE.toml",
    "rfc3161": "rfc3161:URL or rfc3161:FILE.toml",
}


# A folder


def file_name(signed: SignedAnchor) -> str:
    anchor = signed.anchor
    at = anchor.at[:19].replace("-", "").replace(":", "")
    return f"anchor-{anchor.series}-{anchor.number:08d}-{at}Z.json"


class Folder(Destination):
    """A file for each anchor. One that was cut short by a full disk is completed; no other is ever touched."""

    kind = "folder"
    from_the_first = True

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.label = f"folder:{path}"
        if not self.path.is_dir():
            raise NotationError(f"There is no folder {path!r} for anchors to go to.")

    @property
    def warning(self) -> str:
        with contextlib.suppress(OSError):
            status = self.path.stat()
            if hasattr(os, "geteuid") and status.st_uid == os.geteuid():
                return (
                    f"{self.label} belongs to the user that the server runs as, who can change what is in it: "
                    "that is not outside the house."
                )
        return ""

    def send(self, signed: SignedAnchor) -> bytes:
        path, content = self.path / file_name(signed), signed.json_line()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            handle = os.open(path, flags, 0o644)
            try:
                self._complete(handle, path, content)
            finally:
                os.close(handle)
            folder = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise NotDelivered(f"The file {path.name} cannot be written there: {reason(error)}.") from None
        return b""

    def _complete(self, handle: int, path: Path, content: bytes) -> None:
        there = os.pread(handle, len(content) + 1, 0)
        if not stat.S_ISREG(os.fstat(handle).st_mode) or not content.startswith(there):
            raise NotDelivered(f"There is a file {path.name} already that says something else: it is left as it is.")
        rest = memoryview(content)[len(there) :]
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)


# Settings in a file


def _settings(kind: str, name: str, needed: Mapping[str, type], more: Mapping[str, type]) -> dict[str, Any]:
    """What a file of settings says; it is for its owner only, and says nothing that is not known."""
    path = Path(name)
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise NotationError(f"{name!r} can be read by others, and holds what is secret: chmod 600 it.")
        with path.open("rb") as file:
            values = tomllib.loads(file.read(LARGEST_SETTINGS).decode())
    except FileNotFoundError:
        raise NotationError(f"There is no file {name!r} that says how {kind} goes out.") from None
    except OSError as error:
        raise NotationError(f"The file {name!r} cannot be read: {reason(error)}.") from None
    except ValueError:  # what it says may be a secret: the place of the mistake is not quoted
        raise NotationError(f'The file {name!r} is no TOML: lines as host = "mail.example.org".') from None
    for key, value in values.items():
        known = {**needed, **more}.get(key)
        if known is None or type(value) is not known:
            allowed = ", ".join((*needed, *more))
            raise NotationError(f"{name!r} says {key!r} in a way that {kind} does not know; it has: {allowed}.")
    for key in needed:
        if not values.get(key):
            raise NotationError(f"{name!r} does not say {key!r}, which {kind} needs.")
    return values


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _trusting(authority: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority or None)
    except (OSError, ssl.SSLError):
        raise NotationError(f"{authority!r} holds no certificate of an authority in PEM form.") from None


def _failed(error: Exception) -> str:
    """What went wrong with a connection, in words that hold nothing that was sent."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not believed ({cause.verify_message})"
        if isinstance(cause, OSError) and cause.strerror and not isinstance(cause, ssl.SSLError):
            return cause.strerror.lower()
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return "it did not answer in time"
    return "the connection failed"


# Mail


class Mail(Destination):
    """One mail for each anchor, with the anchor in its text."""

    kind = "mail"

    def __init__(self, name: str) -> None:
        values = _settings(
            "mail",
            name,
            {"host": str, "from": str, "to": str},
            {"port": int, "tls": str, "user": str, "password": str, "ca": str},
        )
        self._host, self._sender, self._to = values["host"], values["from"], values["to"]
        self._tls = values.get("tls", "starttls")
        if self._tls not in ("starttls", "tls", "none"):
            raise NotationError(f"tls in {name!r} is starttls, tls or none.")
        if self._tls == "none" and not _is_loopback(self._host):
            raise NotationError(f'{name!r} says tls = "none", and {self._host} is not this machine.')
        self._port = values.get("port", {"starttls": 587, "tls": 465, "none": 25}[self._tls])
        if not 1 <= self._port <= 65_535:
            raise NotationError(f"port in {name!r} is 1 to 65535.")
        for address in (self._sender, *self._to.split(",")):
            if "@" not in address or not address.isprintable() or not address.isascii():
                raise NotationError(f"{name!r} has an address that is none: write name@example.org.")
        self._user, self._password = values.get("user", ""), values.get("password", "")
        self._context = _trusting(values.get("ca", ""))
        self.label = f"mail:{self._to}"

    def message(self, signed: SignedAnchor) -> EmailMessage:
        anchor = signed.anchor
        mail = EmailMessage()
        mail["From"], mail["To"] = self._sender, self._to
        mail["Subject"] = (
            f"Anchor {anchor.number} of site {anchor.site}{f', close of {anchor.day}' if anchor.day else ''}"
        )
        mail["Message-ID"] = f"<anchor-{anchor.series}-{anchor.number}@{anchor.site}.croupier.invalid>"
        books = "\n".join(
            f"  {name}: entry {number}, digest {digest}" for name, (number, digest) in anchor.books.items()
        )
        mail.set_content(
            f"Where the books of this site stood at {anchor.at}:\n\n{books}\n\n"
            "Keep this mail as it is. Given as an anchor to croupier ledger verify or to verify_ledger.py, it demands\n"
            "that every later export has these entries.\n\n"
            f"{anchor.line().text()}\n\n{signed.armored()}",
            cte="7bit",
        )
        return mail

    def send(self, signed: SignedAnchor) -> bytes:
        try:
            with self._connected() as server:
                if self._user:
                    server.login(self._user, self._password)
                server.send_message(self.message(signed))
        except smtplib.SMTPAuthenticationError as error:
            raise NotDelivered(f"The mail server refuses the user or the password ({error.smtp_code}).") from None
        except smtplib.SMTPResponseException as error:
            raise NotDelivered(f"The mail server refuses it ({error.smtp_code}).") from None
        except smtplib.SMTPRecipientsRefused:
            raise NotDelivered("The mail server refuses who it is to.") from None
        except smtplib.SMTPException:
            raise NotDelivered("The mail server does not do what is needed, or has closed the connection.") from None
        except (OSError, ValueError) as error:
            raise NotDelivered(f"The mail server {self._host} cannot be reached: {_failed(error)}.") from None
        return b""

    def _connected(self) -> smtplib.SMTP:
        if self._tls == "tls":
            return smtplib.SMTP_SSL(self._host, self._port, timeout=MAIL_S, context=self._context)
        server = smtplib.SMTP(self._host, self._port, timeout=MAIL_S)
        if self._tls == "starttls":
            try:
                server.starttls(context=self._context)
            except BaseException:
                server.close()
                raise
        return server


# Requests over HTTP


class _Http(Destination):
    """What is posted to one address, and to no other."""

    timeout_s: ClassVar[float]

    def _set(self, text: str, values: Mapping[str, Any], *, plain: bool) -> None:
        url = values["url"]
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
            fine = parts.scheme in ("http", "https") and host and parts.port != 0 and url.isascii()
        except ValueError:
            fine, host = False, ""
        if not fine or parts.username or parts.password or parts.fragment:
            raise NotationError(f"{self.kind} goes to an address as https://example.org/anchors, without a password.")
        if parts.scheme != "https" and not (plain or _is_loopback(host)):
            raise NotationError(f"{self.kind} goes to {host} by https, not by http.")
        self._url, self._host = url, host
        self.label = f"{self.kind}:{host}#{hashlib.sha256(url.encode()).hexdigest()[:4]}"
        self._context = _trusting(values.get("ca", ""))

    def _post(self, content: bytes, headers: Mapping[str, str]) -> bytes:
        try:
            client = httpx.Client(verify=self._context, timeout=self.timeout_s, follow_redirects=False, trust_env=False)
            with client, client.stream("POST", self._url, content=content, headers=dict(headers)) as answer:
                told = b""
                for block in answer.iter_bytes():
                    told += block
                    if len(told) > LARGEST_ANSWER:
                        raise NotDelivered(f"{self._host} answers with more than {LARGEST_ANSWER:,} bytes.")
        except httpx.HTTPError as error:
            raise NotDelivered(f"{self._host} cannot be reached: {_failed(error)}.") from None
        if not 200 <= answer.status_code < 300:
            raise NotDelivered(f"{self._host} answers with the status {answer.status_code}.")
        return told


class Webhook(_Http):
    """A POST of JSON, an anchor or a call, with a MAC of it by a secret that both sides know."""

    kind = "webhook"
    timeout_s = WEBHOOK_S

    def __init__(self, text: str) -> None:
        is_url = "://" in text
        values = {"url": text} if is_url else _settings("webhook", text, {"url": str}, {"secret": str, "ca": str})
        self._set(text, values, plain=False)
        self._secret = values.get("secret", "").encode()

    def send(self, signed: SignedAnchor) -> bytes:
        content, anchor = signed.json_line(), signed.anchor
        self.deliver(content, {"Croupier-Anchor": f"{anchor.series}-{anchor.number}"})
        return b""

    def deliver(self, content: bytes, headers: Mapping[str, str]) -> None:
        """JSON of any kind, signed as anchors are. Raises NotDelivered."""
        signed = {"Content-Type": "application/json", **headers}
        if self._secret:
            signed[SIGNATURE_HEADER] = f"sha256={hmac.new(self._secret, content, hashlib.sha256).hexdigest()}"
        self._post(content, signed)


class Stamper(_Http):
    """A timestamp server, whose answer is kept with the anchor. Plain HTTP will do: what it says is signed."""

    kind = "rfc3161"
    timeout_s = STAMP_S

    def __init__(self, text: str) -> None:
        known = {"certificate": str, "user": str, "password": str, "ca": str}
        values = {"url": text} if "://" in text else _settings("rfc3161", text, {"url": str}, known)
        self._set(text, values, plain=not values.get("password"))
        self._certificates = read_certificates(Path(values["certificate"])) if "certificate" in values else []
        self._user, self._password = values.get("user", ""), values.get("password", "")

    def send(self, signed: SignedAnchor) -> bytes:
        text = signed.anchor.text()
        asked = Request(text)
        headers = {"Content-Type": "application/timestamp-query"}
        if self._user:
            told = base64.b64encode(f"{self._user}:{self._password}".encode()).decode()
            headers["Authorization"] = f"Basic {told}"
        answer = self._post(asked.content, headers)
        try:
            asked.check(answer)
            if self._certificates:
                stamped_at(answer, text, self._certificates)
        except RecordError as error:
            raise NotDelivered(f"{self._host}: {error}") from None
        return answer
