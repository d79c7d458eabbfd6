"""What every act of the site has; and what its book only takes note of: who came in, what left the house, what ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from croupier.compliance.authority import Power
from croupier.floor.act import Act, EntryKind
from croupier.floor.agreement import NOT_SAID, Agreement, Statement
from croupier.floor.forms import plain
from croupier.floor.refusals import No, refusal
from croupier.floor.site.values import (
    DIGEST_DIGITS,
    KEY_DIGITS,
    check_ends,
    check_hex,
    check_note,
    check_number,
    check_word,
)
from croupier.ledger.entry import SITE

ITSELF = "floor"
"""Who signs what the program does by itself, in the site's book."""


@dataclass(frozen=True, kw_only=True)
class SiteAct(Act[str]):
    """Anything done to the site. Its own book says what everybody is, so a signature there is the person alone."""

    by: str

    def __post_init__(self) -> None:
        for name in ("id", "by", "where") if self.where else ("id", "by"):
            check_word(name, getattr(self, name))
        super().__post_init__()

    def facts(self) -> dict[str, Any]:
        """What the entry keeps of the act: everything but the id, which the entry has itself."""
        return {name: value for name, value in plain(self).items() if name != "id" and (name, value) != ("where", "")}

    @classmethod
    def told(cls, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The values of the act that an entry with these facts came from, but for its id."""
        return {name: value for name, value in facts.items() if name in cls.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class OfTwo(SiteAct):
    """What two people do together, or may."""

    agreed: Agreement | None = None
    """The second person's, with card and PIN; none in what is older than the site's first key."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("agreed", None)}

    def statement(self) -> Statement:
        """What the second person agrees to."""
        says = {name: value for name, value in self.facts().items() if name not in NOT_SAID}
        return Statement(SITE, self.kind.value, self.id, self.by, self.seconded, says)


MOST_TIMES = 10**9


@dataclass(frozen=True, kw_only=True)
class NoteExport(SiteAct):
    """That the books or a report of them left the house, in whose hands, and how far they went then."""

    kind = EntryKind.NOTE_EXPORT
    needs = Power.EXPORT
    books: Mapping[str, Any]
    """By book: the number of its last entry."""
    report: str = ""
    """The file's name, where it was a report and not the books themselves."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("report", "")}

    def check(self) -> None:
        check_note(self.report)
        check_ends(self.books)


@dataclass(frozen=True, kw_only=True)
class _NoteFile(SiteAct):
    """That all books went into a file: which one, its SHA-256, and how far each book goes in it."""

    file: str
    """Its name, without the folder."""
    digest: str
    size_bytes: int
    books: Mapping[str, Any]
    """By book: the number of its last entry in the file."""

    def check(self) -> None:
        check_note(self.file)
        check_number("size_bytes", self.size_bytes, 1, 2**62)
        check_hex("a digest", self.digest, DIGEST_DIGITS)
        check_ends(self.books)


@dataclass(frozen=True, kw_only=True)
class NoteBackup(_NoteFile):
    """That the server has written all books to a file."""

    kind = EntryKind.NOTE_BACKUP
    needs = Power.EXPORT


class AccessEvent(StrEnum):
    """What became of somebody who wanted to come in."""

    SIGN_IN = "sign-in"
    FAILED = "failed"
    """A card or PIN that is not right."""
    REFUSED = "refused"
    """Right or wrong, it was not let in: too many tries, or the house does not allow it there."""
    ENDED = "ended"
    """A session, and why."""


ACCESS_WORDS = ("how", "why", "session", "happened")


@dataclass(frozen=True, kw_only=True)
class NoteAccess(SiteAct):
    """Who came in, who was not let in, and whose session ended. No card, PIN or token stands in it."""

    kind = EntryKind.NOTE_ACCESS
    needs = Power.REVOKE_CARD
    event: AccessEvent
    person: str = ""
    """Whose card or name it was; empty where it was nobody's."""
    how: str = ""
    """With what: `card`, `card and PIN`, `name`."""
    why: str = ""
    """The code of what went wrong, or why a session ended."""
    session: str = ""
    """Which one, in 16 hexadecimal digits from which nobody gets its token."""
    times: int = 1
    """How often the same happened, where it was too often to note each."""
    happened: str = ""
    """When, UTC, where it is entered later because the book could not be written then."""

    def facts(self) -> dict[str, Any]:
        left_out = {("times", 1), *((name, "") for name in (*ACCESS_WORDS, "person"))}
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    def check(self) -> None:
        for name in (*ACCESS_WORDS, "person"):
            if getattr(self, name):
                check_word(name, getattr(self, name))
        check_number("times", self.times, 1, MOST_TIMES)
        if self.by != ITSELF and self.event is not AccessEvent.ENDED:
            raise refusal(No.WRONG_FORM, why="a person notes no more than that a session was ended")


@dataclass(frozen=True, kw_only=True)
class NoteKey(SiteAct):
    """With which key the site signs from now on. The server that has it says so itself, and nobody else can."""

    kind = EntryKind.NOTE_KEY
    needs = Power.CHECKPOINT
    key: str
    """The public key, 64 hexadecimal digits."""

    def check(self) -> None:
        check_hex("a public key", self.key, KEY_DIGITS)


# The program itself

MOST_NAMED = 20
"""Changed files that an entry names; a program that was replaced as a whole has too many to list."""
MOST_OWN = 200
"""Games of the house's own that an entry names."""


@dataclass(frozen=True, kw_only=True)
class NoteStart(SiteAct):
    """Which program has begun to write the books: it says so itself, and nobody else can."""

    kind = EntryKind.NOTE_START
    needs = Power.INSPECT
    version: str
    digest: str
    """Over every file of the program, see `croupier.program`."""
    packages: str
    """Likewise over every package that it is locked to."""
    changed: tuple[str, ...] = ()
    """Files that are not as they were installed."""
    unmarked: bool = False
    """Whether nothing said how far these books had been acknowledged: the marks were put aside, or are lost."""
    own_games: Mapping[str, Any] = field(default_factory=dict)
    """Games that lie outside the program, with the SHA-256 of their definitions."""

    def facts(self) -> dict[str, Any]:
        left_out: tuple[tuple[str, Any], ...] = (("changed", []), ("unmarked", False), ("own_games", {}))
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    def check(self) -> None:
        check_word("version", self.version)
        check_hex("a digest", self.digest, DIGEST_DIGITS)
        check_hex("a digest of packages", self.packages, DIGEST_DIGITS)
        check_number("the number of changed files that are named", len(self.changed), 0, MOST_NAMED)
        for name in self.changed:
            check_note(name)
        check_number("the number of games of one's own", len(self.own_games), 0, MOST_OWN)
        for name, digest in self.own_games.items():
            check_word("the name of a game", name)
            check_hex("the digest of a game", digest, DIGEST_DIGITS)


@dataclass(frozen=True, kw_only=True)
class NoteCheck(SiteAct):
    """Which books the program has read through, and found to add up to what it works with."""

    kind = EntryKind.NOTE_CHECK
    needs = Power.INSPECT
    books: Mapping[str, Any]
    """By book: the number of its last entry then."""

    def check(self) -> None:
        check_ends(self.books)


@dataclass(frozen=True, kw_only=True)
class NoteEvidence(_NoteFile):
    """That somebody took the evidence file."""

    kind = EntryKind.NOTE_EVIDENCE
    needs = Power.INSPECT
