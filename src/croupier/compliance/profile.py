"""The rules of the place where a house stands: dated values, each with the rule that it comes from.

    profile = find_profile("washington")
    rules = profile.on(date(2023, 6, 14))
    rules.number(Fact.MOST_WAGER)          30000
    rules[Fact.MOST_WAGER].citation        'WAC 230-15-140'

A profile is a file in `profiles/`; a house may write its own. The code knows what each fact means and no figure of it.
A value holds from its date until the next one. What a profile says nothing about is not limited; what it knows only for
later days is *unknown* on an earlier one, which is another thing and is said as a warning.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from itertools import groupby
from typing import Any

from croupier.errors import NotationError, Refusal, UnknownName
from croupier.games.money import dollars
from croupier.ledger.entry import canonical

Value = int | bool | tuple[str, ...]
LARGEST = 10**12
PRACTICE = "good practice"
"""Cited where other places have such a rule and this one has none."""
BEFORE_PROFILE = "before-profile"
"""The code of the refusal for a day before all values."""


class Fact(StrEnum):
    """What a place can lay down. The unit is the last word of the name in the file."""

    MOST_WAGER = "most_wager_cents"
    MOST_GAMES = "most_games_per_hand"
    MOST_TABLES = "most_tables"
    ONE_LOCATION = "one_location"
    SAME_CHANCES = "same_hand_and_probability"
    METER_AT_EVERY_TABLE = "meter_at_every_table"
    ONE_PROGRESSIVE = "one_progressive_per_game"
    REASONS = "reasons_for_reduction"
    MAXIMUM_NOT_BELOW = "maximum_not_below_meter"
    SEPARATE_ACCOUNT = "separate_account"
    DEPOSIT_EVERY = "deposit_every_days"
    AGGREGATE_ODDS = "aggregate_limit_odds"
    CAMERA_ABOVE = "camera_above_cents"
    NOTICE_ABOVE = "notice_above_cents"
    MALFUNCTION_NOTICE = "malfunction_notice_hours"
    RECORDS = "records_years"
    HITS_ON_DEMAND = "hits_on_demand"
    DISPLAY_WITHIN = "display_within_seconds"
    MOST_ODDS = "most_odds_of_top_award"
    SLIP_FROM = "tax_slip_from_cents"
    SLIP_TIMES = "tax_slip_times_wager"
    WITHHOLDING_ABOVE = "withholding_above_cents"
    WITHHOLDING_TIMES = "withholding_times_wager"
    WITHHOLDING_PPM = "withholding_ppm"
    CURRENCY_ABOVE = "currency_report_above_cents"
    SUSPICIOUS_FROM = "suspicious_from_cents"


YES_OR_NO = frozenset(
    {
        Fact.ONE_LOCATION,
        Fact.SAME_CHANCES,
        Fact.METER_AT_EVERY_TABLE,
        Fact.ONE_PROGRESSIVE,
        Fact.MAXIMUM_NOT_BELOW,
        Fact.SEPARATE_ACCOUNT,
    }
)


class Lawful(StrEnum):
    """The only reasons for which a displayed or accrued prize may be reduced (WAC 230-15-695)."""

    AMOUNT_WON = "amount-won"
    MALFUNCTION = "malfunction"
    ABOVE_MAXIMUM = "above-maximum"
    GROSS_RECEIPTS = "gross-receipts"
    """Funds that are not displayed, recorded as gross receipts."""
    SEED_RECOVERY = "seed-recovery"


@dataclass(frozen=True)
class Rule:
    """One value from a day on."""

    fact: Fact
    since: date
    value: Value
    citation: str
    binding: bool = True
    """Where it is not, breaking it is a warning."""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "fact": self.fact.value,
            "since": self.since.isoformat(),
            "value": value,
            "citation": self.citation,
            "binding": self.binding,
            "note": self.note,
        }


@dataclass(frozen=True)
class Rules:
    """What holds on one day."""

    profile: str
    day: date
    in_force: Mapping[Fact, Rule]
    unknown: tuple[Fact, ...]
    """Facts of which the profile knows later values only."""

    def __getitem__(self, fact: Fact) -> Rule:
        return self.in_force[fact]

    def get(self, fact: Fact) -> Rule | None:
        return self.in_force.get(fact)

    def number(self, fact: Fact) -> int | None:
        """The value, where there is one."""
        rule = self.get(fact)
        return rule.value if rule is not None and isinstance(rule.value, int) else None

    def holds(self, fact: Fact) -> bool:
        return bool(self.number(fact))

    def reasons(self) -> tuple[Lawful, ...]:
        """The lawful reasons for reducing a prize; none where the place has not said any."""
        rule = self.get(Fact.REASONS)
        return tuple(Lawful(each) for each in rule.value) if rule and isinstance(rule.value, tuple) else ()


@dataclass(frozen=True)
class Profile:
    """A jurisdiction: every value that it ever had, as far as the file knows."""

    name: str
    title: str
    rules: tuple[Rule, ...]
    """In the order of the facts, and of dates within a fact."""

    def on(self, day: date) -> Rules:
        """What holds on this day."""
        if isinstance(day, datetime):
            day = day.date()
        first = min(rule.since for rule in self.rules)
        if day < first:
            raise Refusal(BEFORE_PROFILE, f"The profile {self.name} knows nothing of {day}: it begins on {first}.")
        found = {rule.fact: rule for rule in self.rules if rule.since <= day}
        later = tuple(dict.fromkeys(rule.fact for rule in self.rules if rule.fact not in found))
        return Rules(self.name, day, found, later)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all values, to be stamped on what was checked against them."""
        return hashlib.sha256(canonical([rule.as_json() for rule in self.rules])).hexdigest()

    def table(self) -> str:
        """All values, as the guide prints them."""
        lines = ["| fact | since | value | from |", "| --- | --- | --- | --- |"]
        for rule in self.rules:
            practice = f" ({rule.note.removesuffix('.')})" if not rule.binding and rule.citation == PRACTICE else ""
            practice = practice or ("" if rule.binding else " (practice)")
            lines.append(f"| {rule.fact} | {rule.since} | {printed(rule)} | {rule.citation}{practice} |")
        return "\n".join(lines)


def printed(rule: Rule) -> str:
    """A value as people read it."""
    if isinstance(rule.value, tuple):
        return ", ".join(rule.value)
    if isinstance(rule.value, bool):
        return "yes" if rule.value else "no"
    if rule.fact.endswith("_cents"):
        return dollars(rule.value).removesuffix(".00")
    return f"{rule.value / 10_000:g} %" if rule.fact.endswith("_ppm") else f"{rule.value:,}"


# Reading


def profile_names() -> list[str]:
    """The profiles that come with the program."""
    folder = files("croupier.compliance").joinpath("profiles")
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


@cache
def find_profile(name: str) -> Profile:
    """A profile that comes with the program."""
    if name not in profile_names():
        raise UnknownName("jurisdiction profile", name, profile_names())
    text = files("croupier.compliance").joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")
    return read_profile(text, name)


def read_profile(text: str, name: str) -> Profile:
    """A profile from its file; one that `extends` another takes over the facts that it does not name itself."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise NotationError(f"The profile {name} is no TOML: {error}.") from None
    for key in found:
        if key not in ("title", "extends", "rule"):
            raise UnknownName(f"setting (in the profile {name})", key, ("title", "extends", "rule"))
    title, base, given = found.get("title"), found.get("extends"), found.get("rule", [])
    if not isinstance(title, str) or not title.strip():
        raise NotationError(f"The profile {name} has no title.")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise NotationError(f"The rules of the profile {name} are written as [[rule]].")
    own = [_rule(each, f"The profile {name}, rule {number}") for number, each in enumerate(given, start=1)]
    facts = {rule.fact for rule in own}
    if base is not None:
        if not isinstance(base, str) or base == name:
            raise NotationError(f"The profile {name} can extend another profile by its name, not {base!r}.")
        own += [rule for rule in find_profile(base).rules if rule.fact not in facts]
    if not own:
        raise NotationError(f"The profile {name} has no rule.")
    order = list(Fact)
    rules = sorted(own, key=lambda rule: (order.index(rule.fact), rule.since))
    for fact, since in _twice(rules):
        raise NotationError(f"The profile {name} gives two values of {fact} from {since}.")
    return Profile(name, title, tuple(rules))


def _twice(rules: list[Rule]) -> Iterator[tuple[Fact, date]]:
    for key, group in groupby(rules, key=lambda rule: (rule.fact, rule.since)):
        if len(list(group)) > 1:
            yield key


def _rule(given: Mapping[str, Any], where: str) -> Rule:
    allowed = ("fact", "since", "value", "citation", "binding", "note")
    for key in given:
        if key not in allowed:
            raise UnknownName(f"setting ({where})", key, allowed)
    name = given.get("fact")
    if name not in list(Fact):
        raise UnknownName(f"fact ({where})", str(name), list(Fact))
    fact, since, citation = Fact(name), given.get("since"), given.get("citation")
    if not isinstance(since, date) or isinstance(since, datetime):
        raise NotationError(f"{where}: since is a day, as 2009-01-01, not {since!r}.")
    if not isinstance(citation, str) or not citation.strip():
        raise NotationError(f"{where}: {fact} has no citation.")
    binding, note = given.get("binding", True), given.get("note", "")
    if not isinstance(binding, bool) or not isinstance(note, str):
        raise NotationError(f"{where}: binding is true or false, and note is a text.")
    return Rule(fact, since, _value(fact, given.get("value"), where), citation, binding, note)


def _value(fact: Fact, value: Any, where: str) -> Value:
    if fact is Fact.REASONS:
        if not isinstance(value, list) or not value or any(each not in list(Lawful) for each in value):
            raise NotationError(f"{where}: {fact} is a list of {', '.join(Lawful)}, not {value!r}.")
        return tuple(dict.fromkeys(value))
    if fact in YES_OR_NO:
        if not isinstance(value, bool):
            raise NotationError(f"{where}: {fact} is true or false, not {value!r}.")
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= LARGEST:
        raise NotationError(f"{where}: {fact} is a whole number from 1 to {LARGEST:,}, not {value!r}.")
    return value


# What speaks against a configuration, and whether it stops or only shows.


class Weight(StrEnum):
    """What a finding does."""

    ERROR = "error"
    """Stops: the rule binds here."""
    WARNING = "warning"
    """Shows: a practice or a recommendation, or something the profile does not know."""


@dataclass(frozen=True)
class Finding:
    """Something about a configuration that a rule speaks against."""

    weight: Weight
    code: str
    sentence: str
    citation: str

    def as_json(self) -> dict[str, str]:
        return {
            "weight": self.weight.value,
            "code": self.code,
            "sentence": self.sentence,
            "citation": self.citation,
        }


def against(rule: Rule, code: str, sentence: str) -> Finding:
    """An error where the rule binds, a warning where it is a practice."""
    return Finding(Weight.ERROR if rule.binding else Weight.WARNING, code, sentence, rule.citation)


def errors(findings: Iterable[Finding]) -> list[Finding]:
    """Those that stop."""
    return [finding for finding in findings if finding.weight is Weight.ERROR]
