"""The pages' scripts can be read: their lines end where a screen does."""

from __future__ import annotations

from croupier.web.pages.templates import STATIC

LONGEST = 160
FOLDERS = ("play", "deal", "lab")
DRAWN = "path: "
"""A shape is a long word."""


def test_no_line_of_a_script_is_longer_than_can_be_read() -> None:
    files = [file for folder in FOLDERS for file in sorted((STATIC / "js" / folder).glob("*.js"))]
    long = [
        f"{file.name}:{number} has {len(line)} characters"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST and DRAWN not in line
    ]
    assert files
    assert not long, "\n".join(long)
