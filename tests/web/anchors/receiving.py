"""Places outside the house, for tests: a mail server, a web server under TLS, a timestamp server, all real."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass
class Received:
    """What came in, and how it is answered."""

    url: str = ""
    port: int = 0
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)
    status: int = 200
    answer: Callable[[bytes], bytes] = lambda _: b""
    headers: dict[str, str] = field(default_factory=dict)


@contextmanager
def web_server(port: int = 0, tls: ssl.SSLContext | None = None) -> Iterator[Received]:
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.requests.append((dict(self.headers.items()), body))
            content = received.answer(body)
            self.send_response(received.status)
            for name, value in received.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Nothing is said."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    received.port = server.server_address[1]
    received.url = f"{'https' if tls else 'http'}://127.0.0.1:{received.port}/anchors"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def mail_server(tls: ssl.SSLContext | None = None, password: str = "", code: str = "250 OK") -> Iterator[Received]:
    received = Received()

    class Handler:
        async def handle_DATA(self, _: Any, __: Any, envelope: Envelope) -> str:  # noqa: N802 (as aiosmtpd calls it)
            content = envelope.content
            assert isinstance(content, bytes)
            if code.startswith("2"):
                received.mails.append(content)
            return code

    def authenticate(_: Any, __: Any, ___: Any, ____: str, data: LoginPassword) -> AuthResult:
        return AuthResult(success=data.password.decode() == password, handled=False)

    more: dict[str, Any] = {"tls_context": tls, "require_starttls": True} if tls else {}
    if password:
        more |= {"authenticator": authenticate, "auth_required": True}
    controller = Controller(Handler(), hostname="127.0.0.1", port=_free(), **more)
    controller.start()
    received.port = controller.port
    try:
        yield received
    finally:
        controller.stop()


def _free() -> int:
    from tests.web.support import free_port

    return free_port()


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A server's context for 127.0.0.1, and the file with which it is believed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path, private = folder / "server.pem", folder / "server.key"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, private)
    return context, path


def settings_file(path: Path, **values: object) -> Path:
    """As TOML, for its owner only."""
    told = "".join(
        f"{name.rstrip('_')} = {value if isinstance(value, int) else repr(str(value))}\n"
        for name, value in values.items()
    )
    path.touch(mode=0o600)
    path.write_text(told)
    return path
