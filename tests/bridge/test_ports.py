"""What is plugged in: addresses, a line that comes off, and readers that type on a serial line or as a keyboard."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

import pytest

from croupier.bridge.ports import Address, KeyedCards, Plug, TypedCards, address_of
from croupier.compliance.stripe import lrc_of, number_of
from croupier.errors import CroupierError
from tests.bridge.board import Cable, Socket

SWIPE = f";{number_of(7)}?" + lrc_of(f";{number_of(7)}?")
CODES = {
    **dict(zip("1234567890", range(2, 12), strict=True)),
    **{"a": 30, "b": 48, "z": 44, ";": 39, "/": 53, "=": 13, "-": 12},
}
WITH_SHIFT = {"%": "5", "?": "/", ":": ";", "A": "a", "B": "b", "Z": "z", "<": ",", ">": ".", "^": "6"}


def keys(text: str) -> bytes:
    """As the kernel tells of a keyboard that types this and Enter."""

    def event(code: int, value: int) -> bytes:
        return struct.pack("llHHi", 0, 0, 1, code, value) + struct.pack("llHHi", 0, 0, 0, 0, 0)

    made = b""
    for char in text:
        code = CODES[WITH_SHIFT.get(char, char)]
        press = event(code, 1) + event(code, 0)
        made += event(42, 1) + press + event(42, 0) if char in WITH_SHIFT else press
    return made + event(28, 1) + event(28, 0)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("/dev/ttyUSB0", Address("/dev/ttyUSB0", "serial", "/dev/ttyUSB0", 9600)),
        ("/dev/ttyUSB0@115200", Address("/dev/ttyUSB0@115200", "serial", "/dev/ttyUSB0", 115200)),
        ("tcp:10.0.0.31:4001", Address("tcp:10.0.0.31:4001", "tcp", "10.0.0.31", port=4001)),
        ("tcp:[::1]:4001", Address("tcp:[::1]:4001", "tcp", "::1", port=4001)),
        ("keyboard:/dev/input/event5", Address("keyboard:/dev/input/event5", "keyboard", "/dev/input/event5")),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize(
    "text", ["", "ttyUSB0", "tcp:host", "tcp:host:0", "tcp:host:70000", "keyboard:event5", "/dev/x@7"]
)
def test_what_is_no_address_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(CroupierError, match=r"/dev/ttyUSB0|bits a second"):
        address_of(text)


def test_a_serial_reader_ends_a_swipe_with_either_end_of_a_line() -> None:
    cards = TypedCards()
    assert list(cards.feed(b"\x02%ONE?")) == []
    assert list(cards.feed(b"\r\n;TWO?\n\n")) == ["%ONE?", ";TWO?"]
    assert list(cards.feed(b"\x00\xff" + SWIPE.encode() + b"\x03\r")) == [SWIPE]
    assert list(cards.feed(b"x" * 300)) == []
    assert list(cards.feed(b"NEXT\r")) == ["NEXT"]


def test_a_reader_that_is_a_keyboard_types_sentinels_with_shift() -> None:
    cards, typed = KeyedCards(), keys("%AB12?") + keys(";123=4?")
    assert list(cards.feed(typed[:100])) == []
    assert list(cards.feed(typed[100:])) == ["%AB12?", ";123=4?"]


def wait_read(plug: Plug) -> bytes:
    received, until = b"", time.monotonic() + 10
    while time.monotonic() < until and not received and plug.fd is not None:
        received = plug.read()
        time.sleep(0.01)
    return received


def opened(plug: Plug) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if plug.try_open():
            return True
        time.sleep(0.05)
    return False


def test_a_serial_line_that_comes_off_is_noticed_and_opened_again(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "line")
    plug = Plug("sensors", address_of(str(cable.path)))
    assert not plug.try_open()
    assert "No such file" in plug.trouble
    for _ in range(2):
        cable.plug()
        assert opened(plug)
        cable.write(b"a\r\nb\x11\x13")
        assert wait_read(plug) == b"a\r\nb\x11\x13", "raw: nothing is changed on the way"
        assert plug.write(b"back\n")
        assert cable.read(5) == b"back\n"
        cable.unplug()
        assert wait_read(plug) == b""
        assert plug.fd is None
        assert plug.trouble


def test_a_tcp_port_too() -> None:
    cable = Socket()
    cable.plug()
    plug = Plug("sensors", address_of(cable.address))
    assert opened(plug)
    cable.read(0.1)
    cable.write(b"hello\n")
    assert wait_read(plug) == b"hello\n"
    cable.unplug()
    assert wait_read(plug) == b""
    assert plug.fd is None
    cable.close()


def test_a_keyboard_is_read_from_its_events(tmp_path: Path) -> None:
    cable = Cable(tmp_path / "keyboard")
    cable.plug()
    plug, cards = Plug("card reader", address_of(f"keyboard:{cable.path}")), KeyedCards()
    assert opened(plug)
    os.write(cable.fd, keys("%AB12?"))
    assert list(cards.feed(wait_read(plug))) == ["%AB12?"]
    plug.unplug("done")
    cable.unplug()


def test_an_ordinary_file_is_no_serial_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    plug = Plug("sensors", address_of(str(file)))
    assert not plug.try_open()
    assert "no serial line" in plug.trouble
