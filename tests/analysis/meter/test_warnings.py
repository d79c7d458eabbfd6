"""Every recommendation of document 000 that a plan can break, broken one at a time."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.analysis.meter.warnings import warnings_of
from tests.analysis.meter.plans import plan

USUAL = {"reserve_percent": 1}
BROKEN: list[tuple[dict[str, Any], list[str], str]] = [
    ({"reserve_percent": 0}, ["no-reserve"], "Reserve contribution"),
    ({"reserve_percent": 0, "seeds_dollars": 0}, ["zero-seed", "no-reserve"], "Seed amount"),
    ({"seeds_dollars": 0}, ["zero-seed", "reserve-only"], "Seed amount"),
    ({"seeds_dollars": "999.99"}, ["small-seed"], "Seed amount"),
    ({"seeds_dollars": 1000}, [], ""),
    ({"paytable": "2", "seeds_dollars": 2499}, ["small-seed"], "Seed amount"),
    ({"contribution_percent": "24.0001"}, ["raised-contribution"], "Progressive meter contribution"),
    ({"contribution_percent": 12}, [], ""),
    ({"contribution_percent": 60}, ["negative-hold", "raised-contribution"], "Progressive meter contribution"),
    ({"accounting": "A", "contribution_percent": 70}, ["tray-paytable"], "Progressive Winner"),
    ({"accounting": "A", "contribution_percent": "69.9999"}, ["low-contribution", "tray-paytable"], "contribution"),
    ({"decks": 8}, ["other-decks"], "under paytable 1"),
    ({"decks": 4}, ["few-decks", "other-decks"], "linking of games"),
    ({"paytable": "ML03", "decks": 8}, [], ""),
    ({"wager": "trilux", "contribution_percent": 20, "seeds_dollars": 625, "decks": 8}, [], ""),
    ({"wager": "trilux", "contribution_percent": 20, "seeds_dollars": 624, "decks": 8}, ["small-seed"], "Seed amount"),
]


@pytest.mark.parametrize(("settings", "codes", "paragraph"), BROKEN)
def test_what_is_broken_is_said_with_its_paragraph(settings: dict[str, Any], codes: list[str], paragraph: str) -> None:
    found = warnings_of(plan(**{**USUAL, **settings}))
    assert [each.code for each in found] == codes
    if found:
        assert paragraph in found[0].paragraph
        assert all(each.sentence.endswith(".") for each in found)
        assert not any(re.search(r"\b00\d\b", each.paragraph) for each in found), "no house knows codes of our sources"


def test_each_meter_is_warned_of_by_its_name() -> None:
    found = warnings_of(plan(paytable="ML03", reserve_percent=1, seeds_dollars={"Major": 0, "Minor": 10}))
    assert [(each.code, each.sentence.split(",")[0]) for each in found] == [
        ("zero-seed", "The seed of Major is $0.00: after a 100 % award there is nothing to play for."),
        ("small-seed", "The seed of Minor"),
    ]


def test_a_meter_without_a_reserve_of_its_own_has_none_as_its_only_seed() -> None:
    made = plan(paytable="ML03", reserve_percent=1, seeds_dollars={"Mega": 0, "Major": 0})
    reserves = {"Mega": Fraction(1), "Major": Fraction(0), "Minor": Fraction(0)}
    found = warnings_of(replace(made, reserve_division=reserves))
    only = [each.sentence for each in found if each.code == "reserve-only"]
    assert [sentence.split(":")[0] for sentence in only] == ["The reserve is the only seed of Mega"]


def test_a_hint_is_no_warning() -> None:
    [hint] = warnings_of(plan())
    assert hint.as_json()["kind"] == "hint"
