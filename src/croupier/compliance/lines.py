"""Where something stands in a file of rules or approvals, for whoever has to mend it."""

from __future__ import annotations


def line_of(text: str, part: str, place: int) -> int:
    """The line of a record: of the header `[[part]]` that is the so-manieth, counted from 0."""
    heads = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == f"[[{part}]]"]
    return heads[place] if place < len(heads) else 1
