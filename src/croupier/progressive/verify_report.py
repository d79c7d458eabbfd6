"""What a verification has proved, what it could not prove, and the first thing that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.errors import RecordError
from croupier.progressive.days import Check, book_of, proofs
from croupier.progressive.proof import Proof
from croupier.progressive.rechecking import LinkCheck
from croupier.progressive.signatures import Coverage


@dataclass(frozen=True)
class BookReport:
    """What holds of one book."""

    stream: str
    entries: int
    days: int
    first_day: str
    last_day: str
    games: int
    awards: int
    award_cents: int
    pays: int
    pay_cents: int
    balances: dict[str, int]
    proofs: tuple[Proof, ...]
    signed: Coverage | None = None
    adjustments: int = 0
    """How many: some may cancel out."""

    def as_json(self) -> dict[str, Any]:
        names = ("stream", "entries", "days", "first_day", "last_day", "games", "awards", "award_cents", "pays")
        return {
            **{name: getattr(self, name) for name in names},
            **{"pay_cents": self.pay_cents, "balances": self.balances, "adjustments": self.adjustments},
            "levels": [each.as_json() for each in self.proofs],
            "signed": self.signed.as_json() if self.signed else None,
        }


@dataclass
class Report:
    """What was proved, and the first thing that is wrong, if there is one."""

    books: list[BookReport] = field(default_factory=list)
    checkpoints: int = 0
    keys: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    """What may be right, and cannot be told from this file."""
    remarks: list[str] = field(default_factory=list)
    """What no export can prove."""
    people: bool = False
    """Whether those who signed were held against the site's book."""
    wrong: str = ""
    wrong_stream: str = ""
    wrong_row: int | None = None

    @property
    def right(self) -> bool:
        """Whether nothing was found that is wrong; see `unproved` for what could not be looked at."""
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        made: dict[str, Any] = {"right": self.right, "proved_in_full": self.right and not self.unproved}
        made |= {"books": [book.as_json() for book in self.books], "checkpoints": self.checkpoints, "keys": self.keys}
        made |= {"not_proved": self.unproved, "remarks": self.remarks, "people_proved": self.people}
        if self.wrong:
            made["wrong"] = {"stream": self.wrong_stream, "row": self.wrong_row, "sentence": self.wrong}
        return made


def report_of(stream: str, check: Check, signed: Coverage | None = None) -> BookReport:
    """What a book comes to, once its last row is in; a difference anywhere is refused."""
    book = book_of(check)
    found = proofs(check) if isinstance(check, LinkCheck) else ()
    for each in found:
        if each.difference:
            raise RecordError(f"The meter {each.level or 'Progressive'} differs by {each.difference:,} units.")
    if sum(book.balances.values()):
        raise RecordError(f"The accounts of {stream} together are {sum(book.balances.values()):,} units, not nothing.")
    kinds = check.kinds
    return BookReport(
        stream,
        check.entries,
        check.days,
        check.first_day,
        check.last_day,
        kinds["start"],
        kinds["confirm"],
        check.award_cents if isinstance(check, LinkCheck) else 0,
        kinds["pay"] - kinds["unpay"],
        check.pay_cents if isinstance(check, LinkCheck) else 0,
        {str(account): units for account, units in sorted(book.balances.items()) if units},
        found,
        signed,
        kinds["adjust"],
    )
