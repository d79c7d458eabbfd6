"""That a text was there at a time, said by a server that is not the house's: a timestamp by RFC 3161.

    asked = Request(anchor.text())
    answer = ...                                   asked.content goes there as application/timestamp-query
    asked.check(answer)                            granted, for this request, over this text
    stamped_at(answer, text, certificates)         later and offline: whose signature it is, and what time it says

The server sees the digest of the text and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from rfc3161_client import (
    HashAlgorithm,
    TimeStampRequest,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.files import reason

SHA256 = x509.ObjectIdentifier("2.16.840.1.101.3.4.2.1")
GRANTED = (0, 1)
"""Granted, and granted with changes that the answer shows: those that matter are looked at."""
MOST_PEM = 1_000_000
CERTIFICATES = 0xA0
"""The tag of the certificates among the parts of signed data."""


class Request:
    """A question to a timestamp server, with a number that no answer to another question has."""

    def __init__(self, text: bytes) -> None:
        self._digest = sha256(text).digest()
        builder = TimestampRequestBuilder(hash_algorithm=HashAlgorithm.SHA256, nonce=True, cert_req=True)
        self._request: TimeStampRequest = builder.data(text).build()
        self.content = self._request.as_bytes()

    def check(self, answer: bytes) -> datetime:
        """The time that the answer says; refused where it is none, is not granted, or answers something else."""
        response = _decoded(answer)
        if response.status not in GRANTED:
            raise RecordError("The timestamp server refused: it grants no timestamp for this request.")
        _check_imprint(response, self._digest)
        if self._request.nonce is None or response.tst_info.nonce != self._request.nonce:
            raise RecordError("The timestamp server's answer is to another question: its nonce is not ours.")
        return response.tst_info.gen_time


def imprint_fits(answer: bytes, text: bytes) -> None:
    """Refuse a timestamp of another text; whose signature it carries is not looked at."""
    _check_imprint(_decoded(answer), sha256(text).digest())


def stamped_at(answer: bytes, text: bytes, certificates: Sequence[x509.Certificate]) -> datetime:
    """The time of a timestamp over a text, signed under one of the certificates; anything else is refused."""
    response, builder = _decoded(answer), VerifierBuilder()
    _check_imprint(response, sha256(text).digest())
    for certificate in certificates:
        builder = builder.add_root_certificate(certificate)
    try:
        builder.build().verify(response, sha256(text).digest())
    except (VerificationError, ValueError) as error:
        raise RecordError(f"A timestamp is not signed under the certificate that was given: {error}") from None
    return response.tst_info.gen_time


def read_certificates(path: Path) -> list[x509.Certificate]:
    """Those of a PEM file."""
    try:
        with path.open("rb") as file:
            return x509.load_pem_x509_certificates(file.read(MOST_PEM))
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read a certificate from.") from None
    except OSError as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {reason(error)}.") from None
    except ValueError:
        raise NotationError(f"{str(path)!r} holds no certificate in PEM form.") from None


def _decoded(answer: bytes) -> TimeStampResponse:
    try:
        response = decode_timestamp_response(_in_order(answer))
        _ = response.status
        return response
    except (ValueError, RuntimeError, IndexError):
        raise RecordError("What was answered is no timestamp by RFC 3161.") from None


def _in_order(answer: bytes) -> bytes:
    """The answer with its certificates in the order that DER asks of a set. Servers that run on OpenSSL send them as
    they come; the library takes no other than DER, and no signature covers the order."""
    parts = _parts_of(answer, 0)
    if len(parts) < 2:  # a refusal has no token
        return answer
    content = _parts_of(answer, parts[1][0])[1][0]
    signed_data = _parts_of(answer, content)[0][0]
    for begin, end in _parts_of(answer, signed_data):
        if answer[begin] == CERTIFICATES:
            certificates = sorted(answer[first:last] for first, last in _parts_of(answer, begin))
            return answer[: end - sum(map(len, certificates))] + b"".join(certificates) + answer[end:]
    return answer


def _parts_of(data: bytes, at: int) -> list[tuple[int, int]]:
    """Where each value within a value of DER begins and ends."""
    begin, end = _content(data, at)
    parts = []
    while begin < end:
        _, last = _content(data, begin)
        parts.append((begin, last))
        begin = last
    return parts


def _content(data: bytes, at: int) -> tuple[int, int]:
    length, begin = data[at + 1], at + 2
    if length & 0x80:
        digits = length & 0x7F
        length, begin = int.from_bytes(data[begin : begin + digits], "big"), begin + digits
    if not 0 <= length <= len(data) - begin:
        raise ValueError("a value is cut short")
    return begin, begin + length


def _check_imprint(response: TimeStampResponse, digest: bytes) -> None:
    try:
        imprint = response.tst_info.message_imprint
        right = imprint.hash_algorithm == SHA256 and imprint.message == digest
    except (ValueError, RuntimeError):
        raise RecordError("What was answered is no timestamp by RFC 3161: it carries no token.") from None
    if not right:
        raise RecordError("A timestamp is of another text: its imprint is not the digest of this one.")
