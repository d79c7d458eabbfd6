"""What is plugged in: a serial line, a TCP port, or a card reader that is a keyboard; opened again when it is back.

/dev/ttyUSB0            a serial line, 9600 bits a second, 8N1
/dev/ttyUSB0@115200     a faster one
tcp:10.0.0.31:4001      a board or a serial server in the network
keyboard:/dev/input/by-id/usb-MSR-event-kbd
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import select
import socket
import struct
import termios
import time
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from croupier.errors import CroupierError

BAUD = 9600
CONNECT_S = 2.0
WRITE_S = 1.0
"""A line that takes nothing for so long is cut."""
AGAIN_S = 1.0
"""How long until something that was unplugged is tried again."""
READ_BYTES = 4096
_TCP = re.compile(r"tcp:(.+):([0-9]{1,5})")
_SERIAL = re.compile(r"(/.+?)(?:@([0-9]+))?")


@dataclass(frozen=True)
class Address:
    """Where something is plugged in."""

    text: str
    kind: str
    path: str = ""
    baud: int = BAUD
    port: int = 0

    @property
    def is_keyboard(self) -> bool:
        return self.kind == "keyboard"

    def open(self) -> int:
        """A file descriptor that does not block; an `OSError` where nothing is there."""
        if self.kind == "tcp":
            with socket.create_connection((self.path, self.port), timeout=CONNECT_S) as opened:
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                opened.setblocking(False)
                return opened.detach()
        fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            if self.is_keyboard:
                _grab(fd)
            else:
                _set_up(fd, self.baud)
        except BaseException:
            os.close(fd)
            raise
        return fd


def address_of(text: str) -> Address:
    """An address as it is written on the command line."""
    if match := _TCP.fullmatch(text):
        if 0 < int(match[2]) < 65_536:
            return Address(text, "tcp", match[1].strip("[]"), port=int(match[2]))
    elif text.startswith("keyboard:/"):
        return Address(text, "keyboard", text.removeprefix("keyboard:"))
    elif match := _SERIAL.fullmatch(text):
        baud = int(match[2] or BAUD)
        if hasattr(termios, f"B{baud}") and baud:
            return Address(text, "serial", match[1], baud)
        raise CroupierError(f"{text!r}: a serial line has 1200, 9600, 19200, 115200 bits a second, not {baud}.")
    raise CroupierError(
        f"{text!r} is no place to plug in: write /dev/ttyUSB0, /dev/ttyUSB0@115200, tcp:HOST:PORT or, for a reader, "
        "keyboard:/dev/input/...."
    )


def _set_up(fd: int, baud: int) -> None:
    """Raw, 8N1, without modem lines: what comes in is what was sent."""
    try:
        tty.setraw(fd, termios.TCSANOW)
        iflag, oflag, cflag, lflag, _, _, control = termios.tcgetattr(fd)
        cflag |= termios.CLOCAL | termios.CREAD
        speed: int = getattr(termios, f"B{baud}")
        termios.tcsetattr(fd, termios.TCSANOW, [iflag, oflag, cflag, lflag, speed, speed, control])
    except termios.error as error:
        raise OSError(errno.ENOTTY, f"no serial line: {error}") from None


EVIOCGRAB = 0x40044590


def _grab(fd: int) -> None:
    """A swipe is typed for the bridge alone, and not into whatever else runs on the machine."""
    try:
        fcntl.ioctl(fd, EVIOCGRAB, 1)
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise


class Plug:
    """One thing that is plugged in, or not: read and written while it is there, and tried again while it is not."""

    def __init__(self, name: str, address: Address) -> None:
        self.name, self.address = name, address
        self.fd: int | None = None
        self.since = _now()
        """When it was last plugged in, or unplugged."""
        self.trouble = "not opened yet"
        self.heard = 0.0
        """When something last came in."""
        self._next_try = 0.0

    def try_open(self) -> bool:
        """Whether it has just been plugged in."""
        if self.fd is not None or time.monotonic() < self._next_try:
            return False
        self._next_try = time.monotonic() + AGAIN_S
        try:
            self.fd = self.address.open()
        except OSError as error:
            self.trouble = error.strerror or str(error)
            return False
        self.since, self.trouble, self.heard = _now(), "", time.monotonic()
        return True

    def read(self) -> bytes:
        """What has come in; nothing where it was unplugged, and then it is closed."""
        if self.fd is None:
            return b""
        try:
            received = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            self.unplug(error.strerror or str(error))
            return b""
        if received:
            self.heard = time.monotonic()
        else:
            self.unplug("the line has ended")
        return received

    def write(self, line: bytes) -> bool:
        """A whole line, or the line is cut and it says so: whoever is at the other end asks again."""
        while line and self.fd is not None:
            try:
                line = line[os.write(self.fd, line) :]
            except BlockingIOError:
                if not select.select([], [self.fd], [], WRITE_S)[1]:
                    self.unplug("the line no longer takes anything")
            except OSError as error:
                self.unplug(error.strerror or str(error))
        return self.fd is not None

    def unplug(self, why: str) -> None:
        if self.fd is not None:
            os.close(self.fd)
            self.fd, self.since, self.trouble = None, _now(), why


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


# Card readers

LONGEST_CARD = 256


class TypedCards:
    """Swipes from a reader on a serial line: each ends with a carriage return or a line feed."""

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, received: bytes) -> Iterator[str]:
        *ended, self._begun = re.split(rb"[\r\n\x03]", self._begun + received)
        if len(self._begun) > LONGEST_CARD:
            self._begun = b""
        for swipe in ended:
            if text := "".join(char for char in swipe.decode("ascii", "ignore") if " " <= char <= "~"):
                yield text[: LONGEST_CARD + 1]


_EVENT = struct.Struct("llHHi")
_EV_KEY, _SHIFTS, _ENTERS = 1, frozenset({42, 54}), frozenset({28, 96})
_PLAIN = dict(
    [
        *zip(range(2, 14), "1234567890-=", strict=True),
        *zip(range(16, 28), "qwertyuiop[]", strict=True),
        *zip(range(30, 42), "asdfghjkl;'`", strict=True),
        (43, "\\"),
        *zip(range(44, 54), "zxcvbnm,./", strict=True),
        (57, " "),
        *zip((71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83), "789-456+1230.", strict=True),
    ]
)
_UPPER = str.maketrans("1234567890-=[];'`\\,./", '!@#$%^&*()_+{}:"~|<>?')
"""What a keyboard of the United States has with shift; letters are capitals."""


class KeyedCards:
    """Swipes from a reader that is a keyboard: key events of Linux, each swipe ended by Enter."""

    def __init__(self) -> None:
        self._begun, self._text, self._shifts = b"", "", set[int]()

    def feed(self, received: bytes) -> Iterator[str]:
        self._begun += received
        while len(self._begun) >= _EVENT.size:
            event, self._begun = self._begun[: _EVENT.size], self._begun[_EVENT.size :]
            _, _, kind, code, value = _EVENT.unpack(event)
            if kind == _EV_KEY:
                yield from self._key(code, value)

    def _key(self, code: int, value: int) -> Iterator[str]:
        """`value` is 1 where a key goes down, 0 where it goes up, and 2 while it repeats."""
        if code in _SHIFTS:
            (self._shifts.discard if value == 0 else self._shifts.add)(code)
        elif value != 1:
            return
        elif code in _ENTERS:
            text, self._text = self._text, ""
            if text:
                yield text
        elif code in _PLAIN and len(self._text) <= LONGEST_CARD:
            char = _PLAIN[code]
            self._text += char.upper().translate(_UPPER) if self._shifts else char
