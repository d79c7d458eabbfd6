"""Plans for tests: as the maker configures them, and some whose meters are hit often enough for short histories."""

from __future__ import annotations

from typing import Any

from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.settings import plan_from
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

OFTEN = {
    "whole": "Three 7's 100%; First Two Cards - 7 25 for 1; Either of the First Two Cards - 7 2 for 1",
    "shares": "Three 7's 100%; First Two Cards - 7 10%; Either of the First Two Cards - 7 2 for 1",
    "none": "Three 7's 200 for 1",
    "two": "Three 7's 100% Mega; First Two Cards - 7 100% Minor; Either of the First Two Cards - 7 2 for 1",
}
"""Paytables: only 100 % awards; one of 10 % as well; no meter; two meters."""


def plan(**settings: Any) -> MeterPlan:
    """Blazing 7's with the dealer's up card, unless it is said otherwise."""
    return plan_from({"wager": "blazing-7s-dealer", **settings})


def often(paytable: str, **settings: Any) -> MeterPlan:
    """A plan with one of the paytables above, and a seed of 200 dollars."""

    def find(_: Wager, name: str) -> Paytable:
        return Paytable.parse(name, OFTEN[name])

    seeds = {"Mega": 200, "Minor": 50} if paytable == "two" else 200
    usual = {"contribution_percent": 20, "seeds_dollars": seeds, "seats": 7, "hours_per_day": 12, "period_days": 1}
    return plan_from({"wager": "blazing-7s-dealer", "paytable": paytable, **usual, **settings}, find)
