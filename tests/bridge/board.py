"""A board as its maker would program it from docs/formats/table-bridge.md: it numbers, keeps and repeats its lines.

It is plugged into a pseudo-terminal or a TCP port, and may be unplugged, disturbed and switched off.
"""

from __future__ import annotations

import os
import pty
import random
import re
import select
import socket
import time
import tty
from collections.abc import Callable
from pathlib import Path
from threading import Event, RLock, Thread

from croupier.bridge.wire import crc_of

AGAIN_S = 0.25
BEAT_S = 0.5
Change = Callable[[bytes], list[bytes]]
"""What a bad line makes of a line: other bytes, none, or the same twice."""


def line(text: str) -> bytes:
    return f"{text}*{crc_of(text)}\n".encode("ascii")


class Cable:
    """A pseudo-terminal under a name that stays, as udev gives it."""

    def __init__(self, path: Path) -> None:
        self.path, self.fd = path, -1

    def plug(self) -> None:
        self.fd, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(name)

    def unplug(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self.fd)
        self.fd = -1

    def write(self, data: bytes) -> None:
        os.write(self.fd, data)

    def read(self, seconds: float) -> bytes:
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.fd, 4096)
        except OSError:  # nobody has it open at the other end
            time.sleep(seconds)
            return b""


class Socket(Cable):
    """A serial server in the network: the bridge connects to it."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0.1)
        self.address = f"tcp:127.0.0.1:{self._listening.getsockname()[1]}"
        self.fd, self._there = -1, False

    def plug(self) -> None:
        self._there = True

    def unplug(self) -> None:
        self._there = False
        self._drop()

    def _drop(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def write(self, data: bytes) -> None:
        if self.fd >= 0:
            os.write(self.fd, data)

    def read(self, seconds: float) -> bytes:
        if self.fd < 0:
            try:
                made, _ = self._listening.accept()
            except TimeoutError:
                return b""
            if not self._there:
                made.close()
                return b""
            self.fd = made.detach()
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        received = os.read(self.fd, 4096)
        if not received:
            self._drop()
        return received

    def close(self) -> None:
        self.unplug()
        self._listening.close()


class Board:
    """Sensors, buttons and lamps. `press` returns at once; `settle` waits until the bridge has everything."""

    def __init__(self, cable: Cable, *, by_hand: bool = False) -> None:
        """`by_hand` it says nothing by itself: every line is sent with `say`."""
        self.cable, self.told, self._by_hand = cable, list[str](), by_hand
        self.lamps = self.state = ""
        self._boot, self._seq = "", 0
        self._unacked: list[tuple[int, str]] = []
        self._lit: set[int] = set()
        self._lock, self._off, self._plugged = RLock(), Event(), False
        self._asked = self._sent = self._beaten = 0.0
        self.changes: Change = lambda data: [data]
        self._begun = b""
        self._thread = Thread(target=self._run, daemon=True)
        self.plug()
        self._thread.start()

    # By hand

    def plug(self) -> None:
        with self._lock:
            self.cable.plug()
            self._plugged, self._begun = True, b""

    def unplug(self) -> None:
        with self._lock:
            self._plugged = False
            self.cable.unplug()

    def switch_off(self) -> None:
        self._off.set()
        self._thread.join()
        if self._plugged:
            self.unplug()

    def lose_power(self) -> None:
        """Off and on again: what it had not sent through is gone, and it counts anew."""
        with self._lock:
            self._boot, self._unacked = "", []

    def press(self, text: str) -> None:
        with self._lock:
            self._seq += 1
            self._unacked.append((self._seq, text))
            if self._boot:
                self._send(f"{self._boot} {self._seq} {text}")

    def say(self, text: str) -> None:
        """A whole line, as it stands."""
        with self._lock:
            self._send(text)

    def light(self, *seats: int) -> None:
        for seat in sorted(set(seats) - self._lit):
            self.press(f"LIT {seat}")
        for seat in sorted(self._lit - set(seats)):
            self.press(f"DARK {seat}")
        self._lit = set(seats)

    def noise(self, data: bytes) -> None:
        with self._lock:
            if self._plugged:
                self.cable.write(data)

    # Waiting

    def settle(self, seconds: float = 30.0) -> None:
        self.wait(lambda: not self._unacked and bool(self._boot), seconds, "lines without ACK")

    def hear(self, pattern: str, seconds: float = 30.0, since: int = 0) -> str:
        """A line that the bridge has told, or tells now."""
        found: list[str] = []

        def is_there() -> bool:
            found[:] = [text for text in list(self.told)[since:] if re.search(pattern, text)]
            return bool(found)

        self.wait(is_there, seconds, pattern)
        return found[-1]

    def wait(self, true: Callable[[], bool], seconds: float, what: str) -> None:
        until = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < until, (what, self._unacked, self.told[-30:])
            time.sleep(0.02)

    # The program of the board

    def _run(self) -> None:
        while not self._off.is_set():
            with self._lock:
                plugged = self._plugged
                if plugged:
                    self._ask()
            received = b""
            if plugged:
                try:
                    received = self.cable.read(0.05)
                except (OSError, ValueError):  # unplugged meanwhile
                    time.sleep(0.05)
            else:
                time.sleep(0.05)
            with self._lock:
                *ended, self._begun = (self._begun + received).split(b"\n")
                for each in ended:
                    text, _, crc = each.decode("ascii", "replace").rpartition("*")
                    if crc_of(text.encode("ascii", "replace").decode()) == crc:
                        self._hear(text)

    def _ask(self) -> None:
        now = time.monotonic()
        if self._by_hand:
            return
        if not self._boot:
            if now - self._asked > AGAIN_S:
                self._asked = now
                self._send("- 0 HELLO")
        elif self._unacked and now - self._sent > AGAIN_S:
            for seq, text in self._unacked:
                self._send(f"{self._boot} {seq} {text}")
        elif now - self._beaten > BEAT_S:
            self._beaten = now
            self._send(f"{self._boot} {self._seq} BEAT")

    def _send(self, text: str) -> None:
        self._sent = time.monotonic()
        try:
            for data in self.changes(line(text)) if self._plugged else []:
                self.cable.write(data)
        except OSError:
            return

    def _hear(self, text: str) -> None:
        self.told.append(text)
        word, *rest = text.split(" ")
        if word == "BOOT" and not self._boot and not self._by_hand:
            self._begin(rest[0])
        elif word == "ACK" and rest[0] == self._boot:
            self._unacked = [each for each in self._unacked if each[0] > int(rest[1])]
        elif word == "NAK" and rest[:2] == [self._boot, "0"]:
            self._boot = ""
        elif word == "LAMPS":
            self.lamps = rest[0]
        elif word == "STATE":
            self.state = rest[0]

    def _begin(self, boot: str) -> None:
        """First what the sensors say, then whatever nobody has acknowledged."""
        kept = [text for _, text in self._unacked if not text.startswith("SEATS")]
        seats = ",".join(map(str, sorted(self._lit))) or "-"
        self._boot = boot
        self._unacked = list(enumerate([f"SEATS {seats}", *kept], start=1))
        self._seq, self._sent = len(self._unacked), 0.0


def bad_line(seed: int) -> Change:
    """A line that loses, repeats, cuts and disturbs what is sent over it, the same for the same seed."""
    chance = random.Random(seed)

    def change(data: bytes) -> list[bytes]:
        match chance.randrange(8):
            case 0:
                return []
            case 1:
                return [data, data]
            case 2:
                return [data[: chance.randrange(len(data))]]
            case 3:
                at = chance.randrange(len(data) - 1)
                return [data[:at] + bytes([data[at] ^ 1 << chance.randrange(7)]) + data[at + 1 :]]
            case 4:
                return [bytes(chance.randrange(256) for _ in range(chance.randrange(300))), data]
            case 5:
                return [data[:5], data[5:]]
        return [data]

    return change
