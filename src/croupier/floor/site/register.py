"""The register of a site: its own approvals, its papers, and which tables are open by them.

What the book alone can decide is decided here; what the approvals on file say is asked by `comply` and by the house.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from croupier.compliance.approval import Approval, Register, read_approval, shipped_register
from croupier.compliance.paper import Paper, after, name_of
from croupier.floor.act import Decision
from croupier.floor.facts import (
    CloseTableFacts,
    EnterApprovalFacts,
    OpenTableFacts,
    RecordPaperFacts,
    WithdrawApprovalFacts,
    WithdrawPaperFacts,
    facts_of,
)
from croupier.floor.refusals import No, refusal

if TYPE_CHECKING:
    from croupier.floor.site import register_acts
    from croupier.floor.site.site import Site
    from croupier.ledger.entry import Entry


@dataclass
class Kept:
    """What the book says of approvals, papers and open tables."""

    approvals: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By key: the lines of its file."""
    withdrawn: dict[str, int] = field(default_factory=dict)
    """By key of an approval, of the site's own or not: the entry that withdrew it."""
    papers: dict[int, Paper] = field(default_factory=dict)
    """By entry, those that were not withdrawn."""
    open_tables: set[int] = field(default_factory=set)

    @property
    def register(self) -> Register:
        """All approvals on file here."""
        return _register(tuple(self.approvals.items()), frozenset(self.withdrawn))

    def as_json(self) -> dict[str, Any]:
        return {
            "approvals": {key: list(lines) for key, lines in self.approvals.items()},
            "withdrawn": dict(self.withdrawn),
            "papers": [paper.as_json() for paper in self.papers.values()],
            "open_tables": sorted(self.open_tables),
        }

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Self:
        papers = [_paper(value) for value in values["papers"]]
        return cls(
            approvals={key: tuple(lines) for key, lines in values["approvals"].items()},
            withdrawn=dict(values["withdrawn"]),
            papers={paper.entry: paper for paper in papers},
            open_tables=set(values["open_tables"]),
        )

    def __bool__(self) -> bool:
        return bool(self.approvals or self.withdrawn or self.papers or self.open_tables)


def _paper(values: Mapping[str, Any]) -> Paper:
    until = values["until"]
    days = {"dated": date.fromisoformat(values["dated"]), "until": date.fromisoformat(until) if until else None}
    return Paper(**{**values, **days})


@lru_cache(maxsize=16)
def _register(own: tuple[tuple[str, tuple[str, ...]], ...], withdrawn: frozenset[str]) -> Register:
    return shipped_register().with_own([approval_of(key, lines) for key, lines in own], withdrawn)


@lru_cache(maxsize=64)
def approval_of(key: str, lines: tuple[str, ...]) -> Approval:
    """As its file says; what is wrong there is said with its line."""
    return read_approval("\n".join((*lines, "")).encode(), key)


def keeps_register(site: Site) -> bool:
    """Whether the site has begun to keep one: from then on its tables are set from it."""
    return bool(site.kept) or any(table.on_file for table in site.tables.values())


# Deciding


def enter_approval(site: Site, act: register_acts.EnterApproval, _: str) -> Decision:
    if act.key in site.kept.approvals:
        raise refusal(No.APPROVAL_EXISTS, key=act.key)
    return Decision(act.kind)


def withdraw_approval(site: Site, act: register_acts.WithdrawApproval, _: str) -> Decision:
    if act.key in site.kept.withdrawn:
        raise refusal(No.APPROVAL_WITHDRAWN, key=act.key, entry=site.kept.withdrawn[act.key])
    return Decision(act.kind)


def record_paper(site: Site, act: register_acts.RecordPaper, at: str) -> Decision:
    """Not of a day to come, and not before the papers that it follows."""
    today, dated = site.day(at), date.fromisoformat(act.dated)
    if dated > today:
        raise refusal(No.PAPER_TO_COME, reference=act.reference, dated=act.dated, today=today)
    for condition, step in after(act.condition, act.step):
        those = [
            paper
            for paper in site.kept.papers.values()
            if (paper.condition, paper.step) == (condition, step) and paper.of in (act.of, "")
        ]
        if not those:
            raise refusal(No.PAPER_BEFORE, reference=act.reference, condition=name_of(condition), step=step)
        first = min(paper.dated for paper in those)
        if dated < first:
            earlier = f"{name_of(condition)}, {step}"
            raise refusal(No.PAPER_ORDER, reference=act.reference, dated=act.dated, earlier=earlier, first=first)
    return Decision(act.kind)


def withdraw_paper(site: Site, act: register_acts.WithdrawPaper, _: str) -> Decision:
    if act.paper not in site.kept.papers:
        raise refusal(No.NO_SUCH_PAPER, paper=act.paper)
    return Decision(act.kind)


def open_table(site: Site, act: register_acts.OpenTable, _: str) -> Decision:
    table = site.tables.get(act.number)
    if table is None:
        listed = ", ".join(map(str, sorted(site.tables))) or "none"
        raise refusal(No.NO_SUCH_TABLE, number=act.number, tables=listed)
    if table.on_file is None:
        raise refusal(No.NOT_FROM_REGISTER, number=act.number)
    if act.number in site.kept.open_tables:
        raise refusal(No.TABLE_OPEN, number=act.number)
    return Decision(act.kind)


def close_table(site: Site, act: register_acts.CloseTable, _: str) -> Decision:
    if act.number not in site.kept.open_tables:
        raise refusal(No.TABLE_CLOSED, number=act.number)
    return Decision(act.kind)


# What their entries change


def approval_entered(site: Site, entry: Entry) -> None:
    facts = facts_of(EnterApprovalFacts, entry)
    site.kept.approvals[facts["key"]] = tuple(facts["lines"])


def approval_withdrawn(site: Site, entry: Entry) -> None:
    site.kept.withdrawn[facts_of(WithdrawApprovalFacts, entry)["key"]] = entry.number


def paper_recorded(site: Site, entry: Entry) -> None:
    facts = facts_of(RecordPaperFacts, entry)
    until = facts.get("until", "")
    site.kept.papers[entry.number] = Paper(
        entry=entry.number,
        condition=facts["condition"],
        step=facts["step"],
        of=facts.get("of", ""),
        reference=facts["reference"],
        dated=date.fromisoformat(facts["dated"]),
        until=date.fromisoformat(until) if until else None,
        file=facts["file"],
        sha256=facts["sha256"],
        note=facts.get("note", ""),
        rehearsal=facts.get("rehearsal", False),
    )


def paper_withdrawn(site: Site, entry: Entry) -> None:
    del site.kept.papers[facts_of(WithdrawPaperFacts, entry)["paper"]]


def table_opened(site: Site, entry: Entry) -> None:
    site.kept.open_tables.add(facts_of(OpenTableFacts, entry)["number"])


def table_closed(site: Site, entry: Entry) -> None:
    site.kept.open_tables.remove(facts_of(CloseTableFacts, entry)["number"])
