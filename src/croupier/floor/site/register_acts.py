"""What is done to a site's register: approvals of its own, papers for conditions, and tables that open by them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.compliance.authority import Power
from croupier.floor.act import EntryKind, reason_given
from croupier.floor.refusals import No, refusal
from croupier.floor.site.acts import OfTwo, SiteAct
from croupier.floor.site.values import DIGEST_DIGITS, LONGEST_NOTE, check_date, check_hex, check_note, check_word

MOST_LINES = 1_000
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _check_key(key: str) -> None:
    check_word("key", key)
    if not _KEY.fullmatch(key):
        raise refusal(No.WRONG_FORM, why=f"key is small letters and digits with hyphens between them, not {key!r}")


@dataclass(frozen=True, kw_only=True)
class EnterApproval(OfTwo):
    """An approval of the site's own: another letter, an amendment, another state's."""

    kind = EntryKind.ENTER_APPROVAL
    needs = Power.RECONFIGURE
    second: str
    key: str
    """By which tables name it."""
    lines: tuple[str, ...]
    """Its file, in the form of the approvals that come with the program."""

    def check(self) -> None:
        _check_key(self.key)
        if not 1 <= len(self.lines) <= MOST_LINES:
            raise refusal(No.WRONG_FORM, why=f"an approval has 1 to {MOST_LINES:,} lines, not {len(self.lines):,}")
        for number, line in enumerate(self.lines, start=1):
            if len(line) > LONGEST_NOTE or not line.replace("\t", " ").isprintable():
                why = f"line {number} of {self.key}.toml is at most {LONGEST_NOTE} printable characters"
                raise refusal(No.WRONG_FORM, why=why)


@dataclass(frozen=True, kw_only=True)
class WithdrawApproval(OfTwo):
    """An approval that no longer counts here: the authority has withdrawn it, or another took its place."""

    kind = EntryKind.WITHDRAW_APPROVAL
    needs = Power.RECONFIGURE
    second: str
    key: str
    reason: str

    def check(self) -> None:
        _check_key(self.key)
        reason_given(self.reason)


@dataclass(frozen=True, kw_only=True)
class RecordPaper(SiteAct):
    """A paper that shows a condition to be met: what it is, how long it holds, and the digest of the document."""

    kind = EntryKind.RECORD_PAPER
    needs = Power.RECORD_PAPER
    condition: str
    """As the approval has it: `internal-controls`."""
    step: str
    """Which paper of the condition: `submitted`, `approved`."""
    reference: str
    """Its number or name with whoever gave it."""
    dated: str
    file: str
    """The document's name."""
    sha256: str
    """Of the document."""
    of: str = ""
    """A game's title, a company or a model; nothing where it is for every game."""
    until: str = ""
    """The last day on which it holds; nothing where it has no end."""
    note: str = ""
    rehearsal: bool = False
    """Whether it is none, and stands for one while people practise."""

    def facts(self) -> dict[str, Any]:
        left_out = (("of", ""), ("until", ""), ("note", ""), ("rehearsal", False))
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    def check(self) -> None:
        for name in ("condition", "step", "reference", "file"):
            check_word(name, getattr(self, name))
        if self.of:
            check_word("of", self.of)
        check_note(self.note)
        check_hex("sha256 of the document", self.sha256, DIGEST_DIGITS)
        dated = check_date("dated", self.dated)
        if self.until and check_date("until", self.until) < dated:
            raise refusal(No.DATES_ORDER, what=self.reference, until=self.until, dated=self.dated)


@dataclass(frozen=True, kw_only=True)
class WithdrawPaper(SiteAct):
    """A paper that no longer counts: it was revoked, or recorded by mistake."""

    kind = EntryKind.WITHDRAW_PAPER
    needs = Power.RECORD_PAPER
    paper: int
    """The entry that recorded it."""
    reason: str

    def check(self) -> None:
        reason_given(self.reason)


@dataclass(frozen=True, kw_only=True)
class OpenTable(SiteAct):
    """A table that was set from the register, from now on open for play."""

    kind = EntryKind.OPEN_TABLE
    needs = Power.OPEN_TABLE
    number: int
    found: Mapping[str, Any] = field(default_factory=dict)
    """What its conditions were then, and by which profile and approvals. The floor fills it in."""


@dataclass(frozen=True, kw_only=True)
class CloseTable(SiteAct):
    kind = EntryKind.CLOSE_TABLE
    needs = Power.OPEN_TABLE
    number: int
    reason: str = ""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("reason", "")}

    def check(self) -> None:
        check_note(self.reason)
