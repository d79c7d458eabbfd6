"""The bridge of one table: what its board and its card reader say becomes acts, and what the server says becomes lamps.

    Bridge(Client(url, token), Journal(path), board=address_of("/dev/ttyUSB0"), reader=None).run(stop)

A line of the board is acknowledged once the journal has it, and not before; one that was acknowledged is never taken
again. So whatever is cut, killed or unplugged, an act that a lamp has acknowledged is done once.
"""

from __future__ import annotations

import os
import select
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from threading import Event
from typing import Any

from croupier.bridge.courier import Courier
from croupier.bridge.journal import Journal
from croupier.bridge.ports import Address, KeyedCards, Plug, TypedCards
from croupier.bridge.wire import (
    BoardLine,
    Framer,
    NotOfTheWire,
    Press,
    SignIn,
    Swipe,
    board_line,
    framed,
    said_by,
    seats_in_words,
)
from croupier.client import Client

SILENT_S = 20.0
"""A board beats every five seconds: after as long without a line that can be read, it is offline."""
LOOK_S = 0.5
"""How often things that are unplugged are looked for."""
NO_LINE = "-"


class Bridge:
    """Reads what is plugged in; a courier of its own speaks with the server."""

    def __init__(
        self,
        client: Client,
        journal: Journal,
        *,
        board: Address,
        reader: Address | None = None,
        log: Callable[[str], None] = print,
    ) -> None:
        self._journal, self._log = journal, log
        self._board, self._framer = Plug("sensors", board), Framer()
        self._reader = Plug("card reader", reader) if reader else None
        self._cards = KeyedCards() if reader and reader.is_keyboard else TypedCards()
        self._boot = NO_LINE
        self._hears = False
        """Whether the board has said something since it was plugged in."""
        self._lamps = ""
        self._out: deque[str] = deque()
        self._bell, self._ring = os.pipe()
        for end in (self._bell, self._ring):
            os.set_blocking(end, False)
        self._courier = Courier(client, journal, tell=self._tell, parts=self._parts, log=log)

    def run(self, stop: Event) -> None:
        """Until it is told to stop. What has no answer then is in the journal, for the next start."""
        self._courier.start()
        try:
            while not stop.is_set():
                self._turn()
                if self._courier.failed is not None:
                    raise self._courier.failed
        finally:
            self._courier.end()
            for plug in self._plugs():
                plug.unplug("the bridge has ended")
            os.close(self._bell)
            os.close(self._ring)

    def _plugs(self) -> list[Plug]:
        return [self._board, *([self._reader] if self._reader else [])]

    def _parts(self) -> list[dict[str, Any]]:
        """For the heartbeat: what is plugged in and speaks."""
        up = {self._board.name: self._hears}
        return [
            {"name": plug.name, "up": plug.fd is not None and up.get(plug.name, True), "since": plug.since}
            for plug in self._plugs()
        ]

    # One turn

    def _turn(self) -> None:
        for plug in self._plugs():
            if plug.try_open():
                self._plugged(plug)
        there = {plug.fd: plug for plug in self._plugs() if plug.fd is not None}
        ready, _, _ = select.select([*there, self._bell], [], [], LOOK_S)
        if self._bell in ready:
            os.read(self._bell, 4096)
        for fd in ready:
            if fd in there:
                self._read(there[fd])
        if self._board.fd is not None and time.monotonic() - self._board.heard > SILENT_S:
            self._board.unplug(f"nothing was heard for {SILENT_S:.0f} seconds")
            self._unplugged(self._board)
        while self._out:
            self._say(self._out.popleft())
        self._paint_lamps()

    def _plugged(self, plug: Plug) -> None:
        self._log(f"The {plug.name} are plugged in." if plug is self._board else f"The {plug.name} is plugged in.")
        if plug is self._board:
            self._framer, self._lamps = Framer(), ""
            self._say(f"STATE {self._courier.state}")
        else:
            self._courier.beat_soon()

    def _unplugged(self, plug: Plug) -> None:
        self._log(f"The {plug.name}: {plug.trouble}.")
        if plug is self._board:
            self._hears = False
        self._courier.beat_soon()

    def _read(self, plug: Plug) -> None:
        received = plug.read()
        if plug is self._board:
            for text in self._framer.feed(received):
                self._heard(text)
        else:
            for card in self._cards.feed(received):
                self._courier.show(card)
        if plug.fd is None:
            self._unplugged(plug)

    # What the board says

    def _heard(self, text: str | None) -> None:
        try:
            if text is None:
                self._ask_again()
                return
            if not self._hears:
                self._hears = True
                self._courier.beat_soon()
            self._take(board_line(text))
        except NotOfTheWire as error:
            self._say(f"NO {NO_LINE} 0 wrong-line {error}")
        except sqlite3.Error as error:  # not acknowledged: the board sends it again
            self._log(f"The journal cannot be written: {error}.")

    def _ask_again(self) -> None:
        """A line was disturbed: whatever comes after the last one that is here is wanted."""
        last = self._journal.last_seq(self._boot)
        self._say(f"NAK {self._boot} {0 if last is None else last + 1}")

    def _take(self, line: BoardLine) -> None:
        if line.word == "HELLO":
            self._boot = self._journal.new_boot()
            self._say(f"BOOT {self._boot}")
            return
        self._boot, last = line.boot, self._journal.last_seq(line.boot)
        if last is None:
            self._say(f"NAK {line.boot} 0")
        elif line.word == "BEAT":
            self._say(f"BEAT {line.boot} {last} {self._journal.waiting()}")
            self._say(f"STATE {self._courier.state}")
            self._lamps = ""
        elif line.seq > last + 1 or not line.seq:
            self._say(f"NAK {line.boot} {last + 1}")
        else:
            if line.seq == last + 1:
                self._take_new(line)
            self._say(f"ACK {line.boot} {line.seq}")

    def _take_new(self, line: BoardLine) -> None:
        """The next line of the board: on the disk when this returns."""
        try:
            message = said_by(line)
        except NotOfTheWire as error:
            self._journal.take(line.boot, line.seq)
            self._tell(f"NO {line.boot} {line.seq} wrong-line {error}")
            return
        if isinstance(message, Swipe | SignIn):
            self._journal.take(line.boot, line.seq)
            if isinstance(message, Swipe):
                self._courier.show(message.text)
            else:
                self._courier.show(message.person, is_name=True)
            return
        signed = self._journal.signed
        if isinstance(message, Press) and signed is None:
            self._journal.take(line.boot, line.seq)
            self._tell(f"NO {line.boot} {line.seq} sign-in Nobody has signed in: swipe your card, then press again.")
            return
        self._journal.take(line.boot, line.seq, message, person=signed.person if signed else "")
        if isinstance(message, Press):
            self._courier.wake()
        else:
            self._courier.beat_soon()

    # What the board is told

    def _tell(self, text: str) -> None:
        """From whichever thread: it is said in the next turn."""
        self._out.append(text)
        try:
            os.write(self._ring, b"!")
        except OSError:  # the bridge ends, or the bell rings already
            return

    def _say(self, text: str) -> None:
        if self._board.fd is not None and not self._board.write(framed(text)):
            self._unplugged(self._board)

    def _paint_lamps(self) -> None:
        """While a game is on, the seats whose wagers are in it; before, those whose sensors are lit."""
        locked = self._courier.locked
        lamps = seats_in_words(self._journal.lit if locked is None else locked)
        if lamps != self._lamps and self._board.fd is not None:
            self._lamps = lamps
            self._say(f"LAMPS {lamps}")
