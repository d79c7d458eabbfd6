"""May each table of a site be open? Asked of its book, its links' setups and the approvals on file, for a day.

told = comply(site, setups, day)
told.may_open                     whether nothing stops any table
told.as_json()                    for programs, and for the evidence file
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from croupier.compliance.approval import NOT_THIS_PROGRAM, Approval, shipped_register
from croupier.compliance.conditions import Progressive, TableTold, answer
from croupier.compliance.profile import Profile, find_profile
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.site import Site

Setups = Mapping[str, LinkSetup]
"""By link, of all that are not retired."""


@dataclass(frozen=True)
class SiteTold:
    """Every table of a site with its conditions."""

    site: str
    profile: Profile
    day: date
    approvals: tuple[Approval, ...]
    tables: tuple[TableTold, ...]
    open_tables: frozenset[int]

    @property
    def may_open(self) -> bool:
        return all(table.may_open for table in self.tables)

    @property
    def says(self) -> tuple[str, ...]:
        """What the approvals that come with the program do not cover."""
        shipped = {approval.key for approval in shipped_register().approvals}
        return tuple(
            f"{approval.name}: {NOT_THIS_PROGRAM.format(holder=approval.holder)}"
            for approval in self.approvals
            if approval.key in shipped
        )

    def as_json(self) -> dict[str, Any]:
        return {
            **{"site": self.site, "day": self.day.isoformat(), "may_open": self.may_open, "says": list(self.says)},
            **{"profile": self.profile.name, "profile_digest": self.profile.digest},
            "approvals": [
                {"approval": approval.key, "name": approval.name, "holder": approval.holder, "digest": approval.digest}
                for approval in self.approvals
            ],
            "tables": [{**table.as_json(), "open": table.table in self.open_tables} for table in self.tables],
        }


def comply(site: Site, setups: Setups, day: date) -> SiteTold:
    """The answer for every table."""
    return SiteTold(
        site.title,
        find_profile(site.profile),
        day,
        site.kept.register.approvals,
        tuple(comply_at(site, setups, number, day) for number in sorted(site.tables)),
        frozenset(site.kept.open_tables),
    )


def comply_at(site: Site, setups: Setups, number: int, day: date) -> TableTold:
    """The answer for one table."""
    return answer(
        site.tables[number],
        progressives_at(number, setups),
        papers=list(site.kept.papers.values()),
        register=site.kept.register,
        profile=find_profile(site.profile),
        day=day,
    )


def progressives_at(number: int, setups: Setups) -> tuple[Progressive, ...]:
    """What links have at a table."""
    return tuple(
        Progressive(
            link,
            setup.wager,
            setup.rules.title,
            setup.paytable,
            setup.decks,
            setup.wager_cents,
            setup.game_digest,
            alike=all((table.paytable, table.decks) == (setup.paytable, setup.decks) for table in setup.tables),
        )
        for link, setup in setups.items()
        if number in setup.table
    )


def found_of(site: Site, told: TableTold, day: date) -> dict[str, Any]:
    """What the entry of a table that opens keeps of the answer."""
    profile = find_profile(site.profile)
    return {
        **{"day": day.isoformat(), "profile": profile.name, "profile_digest": profile.digest},
        "approvals": {approval.key: approval.digest for approval in site.kept.register.approvals},
        "conditions": [
            [condition.condition, condition.paragraph, condition.state.value] for condition in told.conditions
        ],
        "papers": sorted({paper.entry for condition in told.conditions for paper in condition.papers}),
    }
