"""A timestamp server for tests: openssl answers, with certificates of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

SETTINGS = """
[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
certs = {folder}/authority.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
"""
Ask = Callable[[bytes], bytes]


@contextmanager
def stamping(folder: Path) -> Iterator[tuple[Ask, Path]]:
    """What answers a request as an RFC 3161 server does; and the root under which its certificate is."""
    folder = folder / "tsa"
    folder.mkdir(parents=True, exist_ok=True)
    _certificates(folder)
    (folder / "serial").write_text("01\n")
    (folder / "tsa.cnf").write_text(SETTINGS.format(folder=folder))

    def ask(request: bytes) -> bytes:
        (folder / "request.tsq").write_bytes(request)
        command: list[str | Path] = ["openssl", "ts", "-reply", "-config", folder / "tsa.cnf", "-section", "one"]
        command += ["-queryfile", folder / "request.tsq", "-out", folder / "answer.tsr"]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return (folder / "answer.tsr").read_bytes()

    yield ask, folder / "authority.pem"


def _certificates(folder: Path) -> None:
    root, mine = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Root of a test")])
    own = _certificate("Root of a test", root, issuer, root, x509.BasicConstraints(ca=True, path_length=None))
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
    tsa = _certificate("Timestamps of a test", mine, issuer, root, usage)
    (folder / "authority.pem").write_bytes(own.public_bytes(serialization.Encoding.PEM))
    (folder / "tsa.pem").write_bytes(tsa.public_bytes(serialization.Encoding.PEM))
    private = mine.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "tsa.key").write_bytes(private)


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Name,
    by: ec.EllipticCurvePrivateKey,
    extension: x509.ExtensionType,
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(extension, critical=True)
    )
    return builder.sign(by, hashes.SHA256())
