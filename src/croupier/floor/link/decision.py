"""What an act comes to: the facts for the book and the transfers, with nothing changed yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Transfer

LONGEST_REASON = 500


class Decision(NamedTuple):
    """How an act will stand in the book."""

    kind: str
    facts: dict[str, Any]
    transfers: Sequence[Transfer] = ()


def reason_given(text: str) -> str:
    """Whoever overrides, voids or adjusts says why."""
    words = text.strip()
    if not (words and words.isprintable() and len(words) <= LONGEST_REASON):
        raise refusal(No.NO_REASON, most=LONGEST_REASON)
    return words
