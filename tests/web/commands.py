"""`croupier serve` as it is typed, in a process of its own, for the tests."""

from __future__ import annotations

import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

COMMAND = [sys.executable, "-c", "from croupier.cli import main; main()"]
PATIENCE_S = 60.0


class Started:
    """A server, what it has printed and what it has logged."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self._out, self._err = folder / "printed.txt", folder / "log.txt"
        with self._out.open("ab") as out, self._err.open("ab") as err:
            self.process = subprocess.Popen([*COMMAND, "serve", *words], cwd=folder, stdout=out, stderr=err)
        self._from = self._out.stat().st_size if self._out.exists() else 0

    @property
    def printed(self) -> str:
        return self._out.read_text(encoding="utf-8")

    @property
    def log(self) -> str:
        return self._err.read_text(encoding="utf-8")

    def wait(self, text: str, seconds: float = PATIENCE_S) -> None:
        end = time.monotonic() + seconds
        while text not in self.printed:
            assert self.process.poll() is None, f"it has ended: {self.printed} {self.log}"
            assert time.monotonic() < end, f"never printed {text!r}: {self.printed} {self.log}"
            time.sleep(0.02)

    @property
    def url(self) -> str:
        found = re.findall(r"listens at (https?://[\w.:\[\]]+\d)", self.printed)
        return str(found[-1])

    def client(self, **more: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60, trust_env=False, **more)

    def end(self, sig: int = signal.SIGTERM, seconds: float = 20.0) -> int:
        """Its exit code."""
        self.process.send_signal(sig)
        return self.process.wait(seconds)


@contextmanager
def started(folder: Path, *words: str, wait: str = "Stop with Ctrl-C") -> Iterator[Started]:
    server = Started(folder, *words)
    try:
        server.wait(wait)
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


def own_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that signed itself, and its key."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=croupier test")
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*form))
    return cert_file, key_file


def trusting(cert: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(cert))
