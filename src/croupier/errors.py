"""Everything a person can get wrong, said in one sentence that names the value and what is allowed.

CroupierError
├── NotationError      the text is not of the form: cards, amounts, pays, paytables
│   └── PaytableError  ... with the line of the paytable that is wrong
├── UnknownName        no game, wager, paytable or strategy of that name; the nearest are offered
├── Refusal            the act is well formed but not allowed here and now
└── RecordError        a record (round, shoe) was damaged, altered, or belongs to other rules
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable

MOST_OFFERED = 16
"""Names that fit in a sentence."""


class CroupierError(Exception):
    """Base of all errors that are meant for people; its text is one clear sentence.

    Where the sentence is about a value that was given, it names that as `{find_hold}`, and the name is one of `fields`.
    The text says `find_hold`, as a request does; the command line words it as its own option.
    """

    def __init__(self, sentence: str = "", *, fields: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self.fields = tuple(fields)

    def __str__(self) -> str:
        return self.worded(lambda field: field)

    def worded(self, name: Callable[[str], str]) -> str:
        """The sentence with the fields named in this way."""
        sentence = str(self.args[0]) if self.args else ""
        for field in self.fields:
            sentence = sentence.replace(f"{{{field}}}", name(field))
        return sentence


class NotationError(CroupierError):
    """A text could not be read as what it should be."""


class PaytableError(NotationError):
    """A paytable could not be read; `line` is the offending line, counted from 1, where there is one."""

    def __init__(self, reason: str, *, line: int | None = None, source: str = "paytable") -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"{source}, line {line}: {reason}" if line else f"{source}: {reason}")


class UnknownName(CroupierError):
    """A name that is not there, with the nearest ones that are."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, fields: Iterable[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        lower = {known.lower(): known for known in self.known}
        near = [lower[match] for match in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.5)]
        some = ", ".join(self.known[:MOST_OFFERED]) + (", ..." if len(self.known) > MOST_OFFERED else "")
        there = f"there are: {some}." if self.known else "there is none."
        hint = f"did you mean {' or '.join(near)}?" if near else there
        super().__init__(f"There is no {kind} {name!r}; {hint}", fields=fields)


class Refusal(CroupierError):
    """Why an act is not allowed: a code for programs and a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.sentence = sentence
        super().__init__(sentence)


class RecordError(CroupierError):
    """A record that cannot be trusted."""
