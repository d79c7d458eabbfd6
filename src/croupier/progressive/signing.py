"""Who signs an act: a person, and the role under which they do it."""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.progressive.authority import Role
from croupier.progressive.refusals import No, refusal

LONGEST_NAME = 64


class Signed(NamedTuple):
    """A person and their role, as the card or the keypad has shown them; in JSON `["sue", "supervisor"]`."""

    person: str
    role: Role

    def __str__(self) -> str:
        return f"{self.person} ({self.role})"

    def as_list(self) -> list[str]:
        return [self.person, str(self.role)]

    @classmethod
    def of_list(cls, values: Any) -> Signed:
        match values:
            case [str(person), str(role)] if role in Role.__members__.values():
                pass
            case _:
                raise refusal(No.WRONG_FORM, why="who signs is a person and a role, as in ['sue', 'supervisor']")
        if not (person and person == person.strip() and person.isprintable() and len(person) <= LONGEST_NAME):
            why = f"a person is named by 1 to {LONGEST_NAME} printable characters, with no blank before or after"
            raise refusal(No.WRONG_FORM, why=why)
        return cls(person, Role(role))
