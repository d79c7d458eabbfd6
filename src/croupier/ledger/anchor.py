"""Where all books stood at one moment, numbered and signed, for people outside the house: an anchor.

    anchor = Anchor(site, series, 31, at, "day", "2026-11-15", {"site": (123, digest), "link:main": (4567, digest)})
    signed = SignedAnchor(anchor, key, signature)        a line of JSON: in a folder, in a mail, in a webhook's body
    anchor.line().text()                                 CROUPIER-ANCHOR 1 ...: printed, scanned or typed

A checkpoint (`checkpoint`) is of one book at the end of a day, with its balances, and stands in the site's book. An
anchor is of all books at once and stands outside: it names the last entry of each, whose digest stands for every entry
before it. The anchors of a series are numbered from 1 without a gap, so that one that is missing is missed.
"""

from __future__ import annotations

import base64
import binascii
import email
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.errors import CroupierError, RecordError
from croupier.files import reason
from croupier.ledger.checkpoint import SignedCheckpoint, is_day, public_hex
from croupier.ledger.entry import SITE, canonical
from croupier.ledger.file import FORMAT, GZIP_MAGIC, Reader

PURPOSE = "croupier anchor 1"
"""Signed along, so that a signature is for nothing else."""
LINE = "CROUPIER-ANCHOR"
LINE_FORM = "1"
SITE_DIGITS, SERIES_DIGITS, CHECK_DIGITS = 16, 8, 4
WHY = ("day", "interval", "stop", "asked")
"""A gaming day was closed; the time had come; the server stopped; somebody asked for it."""
MOST_BOOKS = 1_000
LARGEST_FILE = 64 * 2**20
MOST_STAMPS, LARGEST_STAMP = 16, 65_536
NAMED = 40
"""How many anchors a sentence names one by one."""
Books: TypeAlias = Mapping[str, tuple[int, str]]
"""By book: the number and the digest of an entry."""
_HEX = re.compile(r"[0-9a-f]+", re.ASCII)
_ARMOR = re.compile(r"-----BEGIN CROUPIER ANCHOR-----(.*?)-----END CROUPIER ANCHOR-----", re.DOTALL)
_TYPED = re.compile(
    rf"{LINE}\s+(\S+)\s+(\S+)\s+(\S+)\s+((?:\S+=\d+\s+)+)((?:[0-9a-f]{{8}}-?\s*){{8}})([0-9a-f]+)",
    re.ASCII | re.IGNORECASE,
)


def site_id(first: str) -> str:
    """What a site is called outside: the beginning of the digest of the first entry of its book."""
    return first[:SITE_DIGITS]


def books_digest(books: Books) -> str:
    """One digest for where all books stood."""
    return sha256(canonical({stream: [number, digest] for stream, (number, digest) in books.items()})).hexdigest()


@dataclass(frozen=True)
class Anchor:
    """Where every book stood at one moment."""

    site: str
    series: str
    """Of anchors that are numbered together: a server that begins with nothing kept begins another."""
    number: int
    at: str
    why: str
    day: str
    """The gaming day that was closed, else nothing."""
    books: Books

    def body(self) -> dict[str, Any]:
        return {
            **{"purpose": PURPOSE, "site": self.site, "series": self.series, "number": self.number, "at": self.at},
            **{"why": self.why, "day": self.day},
            "books": {stream: [number, digest] for stream, (number, digest) in sorted(self.books.items())},
        }

    def text(self) -> bytes:
        """What is signed, and what a timestamp is of."""
        return canonical(self.body())

    @property
    def digest(self) -> str:
        return sha256(self.text()).hexdigest()

    def signed(self, key: Ed25519PrivateKey) -> SignedAnchor:
        return SignedAnchor(self, public_hex(key.public_key()), key.sign(self.text()).hex())

    def line(self) -> AnchorLine:
        numbers = {stream: number for stream, (number, _) in self.books.items()}
        return AnchorLine(self.site, self.day or self.at[:10], numbers, books_digest(self.books))

    def goes_back(self, before: Anchor) -> str:
        """Why this one cannot follow an earlier one, in a sentence; nothing where it can."""
        for stream, (number, digest) in before.books.items():
            now = self.books.get(stream, (0, ""))
            if now[0] < number or (now[0] == number and now[1] != digest):
                return (
                    f"{stream} stands at entry {now[0]:,}, and anchor {before.number:,} says entry {number:,} with "
                    f"the digest {digest[:16]}: the book was cut or is another."
                )
        return ""

    @classmethod
    def of_json(cls, body: Any) -> Anchor:
        """Strictly: what is not read here is not signed either."""
        match body:
            case {
                "purpose": str(purpose),
                "site": str(site),
                "series": str(series),
                "number": int(number),
                "at": str(at),
                "why": str(why),
                "day": str(day),
                "books": dict(books),
            } if len(body) == 8 and purpose == PURPOSE and type(number) is int:
                anchor = cls(site, series, number, at, why, day, {name: _place(place) for name, place in books.items()})
                if anchor._is_fine():
                    return anchor
        raise _unreadable()

    def _is_fine(self) -> bool:
        return (
            _is_hex(self.site, SITE_DIGITS)
            and _is_hex(self.series, SERIES_DIGITS)
            and 1 <= self.number < 2**53
            and _is_time(self.at)
            and self.why in WHY
            and (not self.day or is_day(self.day))
            and 1 <= len(self.books) <= MOST_BOOKS
            and SITE in self.books
            and all(name.isprintable() and len(name) <= 500 for name in self.books)
        )


def _place(place: Any) -> tuple[int, str]:
    match place:
        case [int(number), str(digest)] if type(number) is int and 1 <= number < 2**62 and _is_hex(digest, 64):
            return number, digest
    raise _unreadable()


def _is_hex(text: str, digits: int) -> bool:
    return len(text) == digits and _HEX.fullmatch(text) is not None


def _is_time(text: str) -> bool:
    try:
        return text.endswith("Z") and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _unreadable() -> RecordError:
    return RecordError("An anchor cannot be read: it has a site, a series, a number, a time and the end of every book.")


@dataclass(frozen=True)
class SignedAnchor:
    """An anchor, whose key signed it, the signature; and tokens of timestamp servers, where there are some."""

    anchor: Anchor
    key: str
    signature: str
    stamps: tuple[bytes, ...] = ()
    """Answers of RFC 3161 servers over the text that is signed, as they were sent."""

    @property
    def where(self) -> str:
        anchor = self.anchor
        of = f"of the close of {anchor.day}" if anchor.day else f"of {anchor.at[:16]}Z"
        return f"Anchor {anchor.number:,} {of} (series {anchor.series})"

    @property
    def short(self) -> str:
        return f"{self.anchor.number:,} of {self.anchor.day or self.anchor.at[:16] + 'Z'}"

    def check(self) -> None:
        """Refuse a signature that is not this key's over this anchor."""
        try:
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
            public.verify(bytes.fromhex(self.signature), self.anchor.text())
        except (InvalidSignature, ValueError):
            raise RecordError(f"{self.where} was altered: its signature is not that of its content.") from None

    def as_json(self) -> dict[str, Any]:
        stamps = [base64.b64encode(stamp).decode() for stamp in self.stamps]
        fields = {"anchor": self.anchor.body(), "key": self.key, "signature": self.signature}
        return {**fields, "timestamps": stamps} if stamps else fields

    def json_line(self) -> bytes:
        return canonical(self.as_json()) + b"\n"

    def armored(self) -> str:
        """In short lines of letters and digits, which mail neither breaks nor changes."""
        text = base64.b64encode(canonical(self.as_json())).decode()
        lines = [text[place : place + 64] for place in range(0, len(text), 64)]
        return "\n".join(("-----BEGIN CROUPIER ANCHOR-----", *lines, "-----END CROUPIER ANCHOR-----", ""))

    @classmethod
    def of_json(cls, values: Any) -> SignedAnchor:
        match values:
            case {"anchor": dict(body), "key": str(key), "signature": str(signature), **more} if more.keys() <= {
                "timestamps"
            }:
                return cls(Anchor.of_json(body), key, signature, tuple(_stamps(more.get("timestamps", []))))
        raise _unreadable()


def _stamps(texts: Any) -> Iterator[bytes]:
    if type(texts) is not list or len(texts) > MOST_STAMPS:
        raise _unreadable()
    for text in texts:
        try:
            stamp = base64.b64decode(text, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise _unreadable() from None
        if not 0 < len(stamp) <= LARGEST_STAMP:
            raise _unreadable()
        yield stamp


# A line on paper


@dataclass(frozen=True)
class AnchorLine:
    """An anchor in one line that a person can type: the entries by their numbers, and one digest for them all."""

    site: str
    day: str
    numbers: Mapping[str, int]
    digest: str

    @property
    def where(self) -> str:
        return f"The printed line of {self.day}"

    @property
    def short(self) -> str:
        return f"the line of {self.day}"

    def text(self) -> str:
        books = " ".join(f"{quote(name, safe=':')}={number}" for name, number in self._in_order())
        digest = "-".join(self.digest[place : place + 8] for place in range(0, 64, 8))
        told = f"{LINE} {LINE_FORM} {self.site} {self.day} {books} {digest}"
        return f"{told} {_line_check(told)}"

    def _in_order(self) -> list[tuple[str, int]]:
        return sorted(self.numbers.items(), key=lambda item: (item[0] != SITE, item[0]))

    @classmethod
    def of_text(cls, text: str) -> AnchorLine:
        """Spaces and line breaks may be others than those that were printed; a mistyped character is found."""
        match = _TYPED.fullmatch(text.strip())
        if match is None:
            raise RecordError(
                f"{text[:80]!r} is no line of an anchor: {LINE}, then 1, site, day, books, digest, check."
            )
        form, site, day, told, digest, check = match.groups()
        line = cls(site.lower(), day, _numbers(told), re.sub(r"[-\s]", "", digest).lower())
        right = _line_check(line.text().rpartition(" ")[0])
        if form != LINE_FORM or check.lower() != right or not (is_day(day) and _is_hex(line.digest, 64)):
            raise RecordError(
                f"The line of an anchor for {day!r} is mistyped: its last {CHECK_DIGITS} digits do not fit."
            )
        return line


def _numbers(told: str) -> dict[str, int]:
    pairs = (word.rpartition("=") for word in told.split())
    return {unquote(name): int(number[:19]) for name, _, number in pairs}


def _line_check(told: str) -> str:
    """Of what stands before it: it finds slips of the fingers, and nothing else."""
    return sha256(told.lower().encode()).hexdigest()[:CHECK_DIGITS]


# Everything that was kept outside, in whatever form it was kept


@dataclass
class Anchors:
    """What people outside have kept: signed checkpoints of books, signed anchors, printed lines; each once."""

    checkpoints: list[SignedCheckpoint] = field(default_factory=list)
    signed: list[SignedAnchor] = field(default_factory=list)
    lines: list[AnchorLine] = field(default_factory=list)

    @property
    def of_all_books(self) -> list[SignedAnchor | AnchorLine]:
        return [*self.signed, *self.lines]

    def __len__(self) -> int:
        return len(self.checkpoints) + len(self.signed) + len(self.lines)

    def add(self, *anchors: SignedCheckpoint | SignedAnchor | AnchorLine) -> None:
        for signed in anchors:
            if isinstance(signed, SignedAnchor):
                self._add_signed(signed)
            elif isinstance(signed, SignedCheckpoint):
                self.checkpoints += [signed] if signed not in self.checkpoints else []
            else:
                self.lines += [signed] if signed not in self.lines else []

    def _add_signed(self, signed: SignedAnchor) -> None:
        """Kept in two places, once with timestamps, it is one anchor."""
        for place, kept in enumerate(self.signed):
            if replace(kept, stamps=()) == replace(signed, stamps=()):
                self.signed[place] = replace(kept, stamps=tuple(dict.fromkeys((*kept.stamps, *signed.stamps))))
                return
        self.signed.append(signed)

    def numbers_missing(self) -> list[str]:
        """Which anchors of a series must have been made, and are not among these."""
        by_series: dict[str, set[int]] = {}
        for signed in self.signed:
            by_series.setdefault(signed.anchor.series, set()).add(signed.anchor.number)
        return [
            f"{ranges(sorted(set(range(1, max(numbers) + 1)) - numbers))} of series {series}"
            for series, numbers in sorted(by_series.items())
            if len(numbers) < max(numbers)
        ]

    def contradiction(self) -> str:
        """Two anchors of one number that say different things, in a sentence; nothing where there are none."""
        first: dict[tuple[str, int], SignedAnchor] = {}
        for signed in self.signed:
            anchor = signed.anchor
            other = first.setdefault((anchor.series, anchor.number), signed)
            if other.anchor != anchor:
                return f"Two anchors are numbered {anchor.number:,} in series {anchor.series}, and they differ."
        return ""


def ranges(numbers: Iterable[int]) -> str:
    """`2, 5 to 9`, of numbers in order."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in runs[:NAMED])


def read_anchors(places: Iterable[Path | str]) -> Anchors:
    """Every anchor of these files, folders and lines: a place that begins as a printed line does is one.

    A file holds lines of JSON (checkpoints, anchors, a webhook's body), an earlier export, a mail as it was saved, or
    printed lines. A place that holds nothing is refused: it would prove nothing, and look as if it did.
    """
    anchors = Anchors()
    for place in places:
        if str(place).lstrip().upper().startswith(LINE):
            anchors.add(AnchorLine.of_text(str(place)))
            continue
        path = Path(place)
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        signed = [anchor for file in files for anchor in _of_file(file)]
        if not signed:
            raise CroupierError(f"{str(place)!r} holds no checkpoint: an anchor that says nothing proves nothing.")
        anchors.add(*signed)
    return anchors


def _of_file(path: Path) -> Sequence[SignedCheckpoint | SignedAnchor | AnchorLine]:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE)
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read checkpoints from.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {reason(error)}.") from None
    if content.startswith(GZIP_MAGIC) or content.startswith(b'{"format":"' + FORMAT.encode()):
        return list(_of_export(path))
    text = content.decode("utf-8", "replace")
    if text.lstrip().startswith("{"):
        return list(_of_json_lines(path.name, text))
    signed = [anchor for part in _parts(content) for anchor in _of_words(path.name, part)]
    return signed or list(_of_words(path.name, text))


def _of_export(path: Path) -> Iterator[SignedCheckpoint]:
    reader = Reader(path, signatures=False)
    books = reader.books()
    next(books, None)
    yield from reader.checkpoints
    books.close()


def _of_json_lines(name: str, text: str) -> Iterator[SignedCheckpoint | SignedAnchor]:
    try:
        yield _of_values(json.loads(text))  # one object, on as many lines as it was printed
        return
    except (ValueError, RecursionError):
        pass
    except RecordError:
        raise RecordError(f"{name!r} holds an object that is no checkpoint and no anchor.") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _of_values(json.loads(line))
        except (ValueError, RecursionError, RecordError):
            raise RecordError(f"Line {number} of {name!r} is no checkpoint.") from None


def _of_values(values: Any) -> SignedCheckpoint | SignedAnchor:
    return (
        SignedAnchor.of_json(values)
        if isinstance(values, dict) and "anchor" in values
        else SignedCheckpoint.of_json(values)
    )


def _of_words(name: str, text: str) -> Iterator[SignedAnchor | AnchorLine]:
    """Among other words, as in a mail, possibly quoted in an answer to it."""
    text = re.sub(r"^[> \t]+", "", text, flags=re.MULTILINE)
    for armor in _ARMOR.finditer(text):
        try:
            values = json.loads(base64.b64decode(re.sub(r"\s", "", armor[1]), validate=True))
        except (ValueError, RecursionError, binascii.Error):
            raise RecordError(f"An anchor in {name!r} was damaged on its way: it cannot be unpacked.") from None
        yield SignedAnchor.of_json(values)
    for place in re.finditer(LINE, _ARMOR.sub("", text)):
        rest = _ARMOR.sub("", text)[place.start() :]
        match = _TYPED.match(rest)
        yield AnchorLine.of_text(match[0] if match else rest.splitlines()[0])


def _parts(content: bytes) -> Iterator[str]:
    """The texts of a mail whose parts were packed for the way."""
    for part in email.message_from_bytes(content).walk():
        packing = str(part.get("Content-Transfer-Encoding", "")).lower()
        if part.get_content_maintype() == "text" and packing in ("quoted-printable", "base64"):
            packed = part.get_payload(decode=True)
            if isinstance(packed, bytes):
                yield packed.decode("utf-8", "replace")
