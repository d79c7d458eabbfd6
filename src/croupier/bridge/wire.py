"""The lines that a board with sensors, buttons and lamps speaks with the bridge: `docs/formats/table-bridge.md`.

    framed("ACK 7f3a 12")               b"ACK 7f3a 12*89B2\\n"
    Framer().feed(received)             the lines in what was received; None for one that cannot be believed
    press_of("LIT", ("3",))             what a word of the board comes to

Every line ends with a check sum (CRC-16), so that a disturbed one is asked for again and never guessed at.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST = 200
"""Characters of a line: whatever is longer is noise."""
MOST_SEATS = 20
_LINE = re.compile(r"([\x20-\x7E]+)\*([0-9A-F]{4})")
_OF_BOARD = re.compile(r"([0-9A-Za-z]{1,16}|-) ([0-9]{1,9}) ([A-Z]{2,10})(?: (.+))?")


class NotOfTheWire(ValueError):
    """A line that no board sends; it says why."""


def crc_of(text: str) -> str:
    """CRC-16/CCITT-FALSE: polynomial 1021, begun with FFFF; `123456789` has 29B1."""
    return f"{binascii.crc_hqx(text.encode('ascii'), 0xFFFF):04X}"


def framed(text: str) -> bytes:
    """A line as it is sent. What is not plain text is left out, and what is too long is cut."""
    plain = "".join(char for char in text if " " <= char <= "~")[:LONGEST]
    return f"{plain}*{crc_of(plain)}\n".encode("ascii")


class Framer:
    """Cuts what comes in into lines, however it was cut on the way."""

    def __init__(self) -> None:
        self._begun = b""
        self._noise = False

    def feed(self, received: bytes) -> Iterator[str | None]:
        """Each line without its check sum; None where it is wrong. What is not ended yet is kept."""
        *ended, self._begun = (self._begun + received).split(b"\n")
        for line in ended:
            noise, self._noise = self._noise, False
            if text := line.rstrip(b"\r"):
                yield None if noise else _unframed(text)
        if len(self._begun) > LONGEST + 10:
            self._begun, self._noise = b"", True


def _unframed(line: bytes) -> str | None:
    match = _LINE.fullmatch(line.decode("ascii", "replace"))
    return match[1] if match and len(match[1]) <= LONGEST and crc_of(match[1]) == match[2] else None


@dataclass(frozen=True)
class BoardLine:
    """What a board has sent."""

    boot: str
    """Since when the board counts: the word that the bridge gave it when it was switched on; `-` before."""
    seq: int
    """One more with every line of that time."""
    word: str
    rest: str


def board_line(text: str) -> BoardLine:
    match = _OF_BOARD.fullmatch(text)
    if match is None:
        raise NotOfTheWire("A line is written BOOT SEQ WORD, and what the word takes.")
    return BoardLine(match[1], int(match[2]), match[3], (match[4] or "").strip())


@dataclass(frozen=True)
class Lit:
    """What the sensors say: these seats are lit now, and of the others nothing."""

    on: frozenset[int]
    off: frozenset[int]
    whole: bool = False
    """Whether no other seat is lit."""

    def after(self, lit: frozenset[int]) -> frozenset[int]:
        return self.on if self.whole else (lit | self.on) - self.off


@dataclass(frozen=True)
class Press:
    """An act that somebody has pressed a button for."""

    act: str
    """As the server's route is called: `start`."""
    values: dict[str, Any]


@dataclass(frozen=True)
class Swipe:
    """A card, read at the board's own reader."""

    text: str


@dataclass(frozen=True)
class SignIn:
    """A dealer without a card, by name."""

    person: str


Said = Lit | Press | Swipe | SignIn


def said_by(line: BoardLine) -> Said:
    """What a numbered line comes to; refused where its word is unknown or takes something else."""
    word, rest = line.word, line.rest
    none: frozenset[int] = frozenset()
    match word:
        case "SEATS":
            return Lit(frozenset(_seats(rest)), none, whole=True)
        case "LIT":
            return Lit(frozenset({_seat(rest)}), none)
        case "DARK":
            return Lit(none, frozenset({_seat(rest)}))
        case "HAND":
            seat, _, hand = rest.partition(" ")
            if not hand.strip():
                raise NotOfTheWire("HAND takes a seat and a hand: its number on the paytable, or its name.")
            return Press("enter", {"seat": _seat(seat), "line": hand.strip()})
        case "BACK":
            return Press("take-back", {"seat": _seat(rest)})
        case "CARD" if rest:
            return Swipe(rest)
        case "DEALER" if rest:
            return SignIn(rest)
        case "START" | "END" | "CALL" if not rest:
            return Press(word.lower(), {})
    raise NotOfTheWire(
        f"{word} {rest}".strip() + " is not known: SEATS, LIT, DARK, START, END, HAND, BACK, CALL, CARD and DEALER are."
    )


def _seats(text: str) -> list[int]:
    return [] if text in ("", "-") else [_seat(seat) for seat in text.split(",")]


def _seat(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_SEATS):
        raise NotOfTheWire(f"{text!r} is no seat: 1 to {MOST_SEATS}.")
    return int(text)


def seats_in_words(seats: frozenset[int]) -> str:
    """`1,2,4`; `-` where there are none."""
    return ",".join(map(str, sorted(seats))) or "-"
