"""What a magnetic stripe can hold, and what a reader types of it: a card's number, sentinels and check digits.

    number_of(random)        35 digits and two check digits: the whole of track 2, and it fits on track 1
    tracks_of(text)          what stands on the tracks, without what the reader puts around it
    misread(text)            why it was not read right, in words; nothing where nothing speaks against it

A reader types a track between its sentinels, `%...?` for track 1 and `;...?` or `+...?` for the others, and some type
the stripe's own check character (LRC) behind it. A card that was read well and belongs to nobody is a foreign card; one
whose check digits disagree was read badly, and is swiped again.
"""

from __future__ import annotations

import re
from functools import reduce

RANDOM_DIGITS = 35
"""As many as a track of 37 digits has room for beside the check digits: 116 bits."""
NUMBER = re.compile(rf"[0-9]{{{RANDOM_DIGITS + 2}}}")
_SWIPE = re.compile(r"(?:(%)([^?]*)\?(.??))?(?:(;)([0-9:<=>]*)\?(.??))?(?:(\+)([0-9:<=>]*)\?(.??))?")
"""The tracks that a card has, in their order. The check character may be one of the sentinels."""
_CODES = {"%": (0x20, 0x3F), ";": (0x30, 0x0F), "+": (0x30, 0x0F)}
"""By start sentinel: the character that is written as zeros, and the bits of one."""
SWIPE_AGAIN = "The card was not read right: swipe it again, slowly and in one go."


def number_of(random: int) -> str:
    """A card's number from something random: its digits, and two that follow from them (ISO 7064, MOD 97-10)."""
    digits = f"{random % 10**RANDOM_DIGITS:0{RANDOM_DIGITS}d}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


def is_right(number: str) -> bool:
    """Whether the check digits of a number agree. One wrong digit, and two that have changed places, always show."""
    return int(number) % 97 == 1


def tracks_of(text: str) -> list[str]:
    """What stands on the tracks of a swipe; nothing where the text has no sentinels around it."""
    return [held for _, held, _ in _read(text) if held]


def misread(text: str) -> str:
    """Why a swipe was not read right; empty where nothing speaks against it."""
    tracks = _read(text)
    if not tracks:
        if text[:1] in _CODES or text.endswith("?"):
            return f"{SWIPE_AGAIN} A part of the stripe is missing."
        return _check(text)
    for start, held, lrc in tracks:
        if held in ("E", "e", ""):
            return f"{SWIPE_AGAIN} The reader could not read the stripe."
        if lrc and lrc != lrc_of(f"{start}{held}?"):
            return f"{SWIPE_AGAIN} The check character of the stripe does not agree."
        if misreading := _check(held):
            return misreading
    return ""


NEARLY = 7
"""Where so many digits are missing at most, it is a number that was not read whole."""


def cut_short(text: str) -> str:
    """Why something that is nobody's card is likely one of ours of which digits are missing; empty where it is
    not. A house's own cards may have any number of digits, so this is asked of those that nobody has alone."""
    whole = RANDOM_DIGITS + 2
    for held in tracks_of(text) or [text]:
        if held.isdigit() and 0 < whole - len(held) <= NEARLY:
            return f"{SWIPE_AGAIN} The number of a card has {whole} digits, and {len(held)} were read."
    return ""


def _read(text: str) -> list[tuple[str, str, str]]:
    """By track: its start sentinel, what it holds, and the check character where the reader types it."""
    match = _SWIPE.fullmatch(text)
    parts = iter(match.groups() if match else ())
    return [(start, held, lrc) for start, held, lrc in zip(parts, parts, parts, strict=True) if start]


def _check(held: str) -> str:
    if NUMBER.fullmatch(held) and not is_right(held):
        return f"{SWIPE_AGAIN} The check digits of the card's number do not agree."
    return ""


def lrc_of(track: str) -> str:
    """The check character of a track with its sentinels: every column of bits has an even number of ones."""
    zero, bits = _CODES[track[0]]
    return chr(zero + (reduce(lambda sum_, char: sum_ ^ (ord(char) - zero), track, 0) & bits))
