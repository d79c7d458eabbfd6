"""What somebody means to do with a link, looked at before it is signed: a configuration, an adjustment.

Nothing is entered. The very checks that the act itself will meet are asked, with a second person who may do everything,
because who that will be is not known yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.compliance.authority import Role
from croupier.compliance.profile import Fact, errors
from croupier.errors import Refusal
from croupier.floor.forms import Signed
from croupier.floor.house import FloorLink, House
from croupier.floor.link import acts
from croupier.floor.link.adjust import PATHS, paying_roles
from croupier.floor.link.setup import LinkSetup
from croupier.ledger.entry import OF_A_LEVEL, UNITS_PER_CENT, Account, Purpose, Transfer

SOMEBODY = Signed("somebody else", Role.EXECUTIVE)
"""Stands for the second person until there is one."""
PLANNED = "planned"
"""The id of an act that is never done."""


@dataclass(frozen=True)
class Proposal:
    """What an act would come to, or why it would be refused."""

    refusal: Refusal | None
    facts: Mapping[str, Any]
    notes: Mapping[str, Any]
    transfers: tuple[Transfer, ...] = ()

    def as_json(self) -> dict[str, Any]:
        why = self.refusal
        return {"refusal": {"code": str(why.code), "sentence": str(why)} if why else None}


def proposed(link: FloorLink, act: acts.LinkAct, at: str) -> Proposal:
    try:
        decision, notes = link.decide_with_notes(act, at)
    except Refusal as refused:
        return Proposal(refused, {}, {})
    return Proposal(None, decision.facts, notes, tuple(decision.transfers))


# Configurations


def configuration(link: FloorLink, setup: LinkSetup, by: Signed, at: str) -> dict[str, Any]:
    """Every finding with its rule, and whether the link itself would take the setup; one that is not made yet too."""
    signed: dict[str, Any] = {"id": PLANNED, "by": by, "second": SOMEBODY, "setup": setup}
    new = link.state.made is None
    proposal = proposed(link, acts.MakeLink(**signed, link=link.name) if new else acts.Reconfigure(**signed), at)
    findings = link.house.findings(link.name, setup, at)
    return {
        **{"link": link.name, "new": new, "configuration": setup.digest, "game_digest": setup.game_digest},
        **{"allowed": proposal.refusal is None and not errors(findings), **proposal.as_json()},
        "findings": [finding.as_json() for finding in findings],
        "changed": list(proposal.facts.get("changed", ())),
        "proof": dict(proposal.facts.get("proof", {})),
    }


# Adjustments


def ways(house: House, at: str) -> dict[str, Any]:
    """The lawful reasons of the place, and for each from where to where money may go."""
    rules = house.site.rules(at)
    rule, named = rules.get(Fact.REASONS), rules.reasons()
    return {
        "citation": rule.citation if rule else "",
        "reasons": [
            {"reason": str(reason), "paths": [[str(source), str(target)] for source, target in sorted(PATHS[reason])]}
            for reason in (named or PATHS)
        ],
    }


def balances(link: FloorLink) -> list[dict[str, Any]]:
    """By level: the accounts from which and to which an adjustment moves money, in cents as far as there are whole."""
    state = link.state
    return [
        {
            **{"level": level.level, "title": level.title, "maximum_cents": level.maximum_cents},
            **{
                f"{purpose}_cents": state.units(purpose, level.level) // UNITS_PER_CENT
                for purpose in (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW, Purpose.PENDING)
            },
        }
        for level in state.setup.levels
    ]


def adjustment(link: FloorLink, act: acts.Adjust, at: str) -> dict[str, Any]:
    """The balanced transfer, every account before and after it, and who must be one of the two."""
    proposal = proposed(link, act, at)
    threshold = link.state.setup.executive_threshold_cents
    pays = act.target is Purpose.PLAYERS
    return {
        **_told(link, proposal),
        "one_of_them": list(map(str, paying_roles(act.cents, threshold))) if pays else [],
        "checklist": list(proposal.notes.get("checklist", ())),
    }


def backing_out(link: FloorLink, act: acts.BackOut, at: str) -> dict[str, Any]:
    """What the back-out of an award would move, every account before and after it, and what has to be looked at."""
    proposal = proposed(link, act, at)
    facts = {
        name: proposal.facts[name] for name in ("award", "cents", "shown_cents", "alarm") if name in proposal.facts
    }
    return {**_told(link, proposal), **facts}


def _told(link: FloorLink, proposal: Proposal) -> dict[str, Any]:
    return {
        **proposal.as_json(),
        "transfers": [[str(source), str(target), units] for source, target, units in proposal.transfers],
        "accounts": [_moved(link, account, proposal.transfers) for account in _touched(proposal.transfers)],
        "unit": "1e-6 cent",
    }


def _touched(transfers: tuple[Transfer, ...]) -> list[Account]:
    return list(dict.fromkeys(account for source, target, _ in transfers for account in (source, target)))


def _moved(link: FloorLink, account: Account, transfers: tuple[Transfer, ...]) -> dict[str, Any]:
    """What an account gains; before and after only where it holds money of the players."""
    gains = sum(units for _, target, units in transfers if target == account)
    gives = sum(units for source, _, units in transfers if source == account)
    held = link.state.units(account.purpose, account.level) if account.purpose in OF_A_LEVEL else None
    return {
        **{"account": str(account), "change_cents": (gains - gives) / UNITS_PER_CENT},
        "before_cents": held // UNITS_PER_CENT if held is not None else None,
        "after_cents": (held + gains - gives) // UNITS_PER_CENT if held is not None else None,
    }
