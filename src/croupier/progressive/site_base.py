"""What every act of a site has: the client's id, who gives it and where; and how its words and numbers are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.progressive.authority import Act
from croupier.progressive.forms import plain
from croupier.progressive.refusals import No, refusal

LONGEST = 64
MOST_CENTS = 10**12


@dataclass(frozen=True, kw_only=True)
class SiteAct:
    """A command to the site."""

    kind: ClassVar[str]
    needs: ClassVar[Act]
    """What its giver must be allowed to do."""

    id: str
    by: str
    """The person."""
    where: str = ""
    """The device or console at which it was done, where that is known."""

    def __post_init__(self) -> None:
        for name in ("id", "by"):
            check_word(name, getattr(self, name))
        if self.where:
            check_word("where", self.where)
        self.check()

    def check(self) -> None:
        """What the values alone must say."""

    def facts(self) -> dict[str, Any]:
        """What the entry keeps: everything but the id, which the entry has itself."""
        return {name: value for name, value in plain(self).items() if name != "id" and (name, value) != ("where", "")}

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **plain(self)}


def check_word(name: str, text: str) -> None:
    if not 1 <= len(text) <= LONGEST or not text.isprintable() or text != text.strip():
        raise refusal(No.WRONG_FORM, why=f"{name} is 1 to {LONGEST} printable characters, not {text[:LONGEST]!r}")


def check_number(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise refusal(No.WRONG_FORM, why=f"{name} is {low:,} to {high:,}, not {value:,}")
