"""The rules of the place where a house stands: dated values, each with the rule that it comes from.

    profile = find_profile("washington")
    rules = profile.on(date(2023, 6, 14))
    rules.number(Fact.MOST_WAGER)          30000
    rules[Fact.MOST_WAGER].citation        'WAC 230-15-140'

The code knows what each fact means and no figure of it. A value holds from its day until the next one, or to the end of
its own `until`, after which the place limits nothing there. What a profile says nothing about is not limited; what it
knows only for later days is *unknown* on an earlier one, which is another thing and is said as a warning.

**Editions.** A profile that is put right is a new file: `profiles/washington/1.toml`, `2.toml` and so on, and a file
that was ever shipped is not changed again, because books are decided by it. The name says which one is meant, in the
books too: `washington` alone is the first, as books have it that are older than the second, and then `washington/2`.

    newest("washington").name              'washington/2'     what a new site gets
    find_profile("washington").digest      of the first, for ever
    edition_names("washington")            ['washington', 'washington/2']

A site goes from one edition to the next as it goes from one place to another: by `choose-profile`, of two people.

**Conditions.** What an approval asks for (`compliance/approval.py`) stands in the approval; whether it stops a table,
warns or is only noted where it is not met, is the place's, dated and cited like every rule:

    [[condition]]
    key = "internal-controls"              as the approval has it
    since = 2023-06-14
    does = "stops"                         stops, warns or notes
    citation = "WAC 230-15-425, -440"      and, as in a rule: until, note

    rule = profile.on(day).condition("internal-controls")
    rule.does is Effect.STOPS, rule.citation
    profile.operation                      Where.COMMERCIAL or Where.TRIBAL: whose conditions bind; None: neither's

A key that the profile says nothing of on that day *warns*, and its citation is `UNSAID`. So does every condition under
an edition that is older than conditions: nothing that ran before stops because of them.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, TypeVar

from croupier.compliance.approval import Where, line_of
from croupier.errors import NotationError, Refusal, UnknownName
from croupier.games.money import dollars
from croupier.ledger.entry import canonical

Value = int | bool | tuple[str, ...]
LARGEST = 10**12
PRACTICE = "good practice"
"""Cited where other places have such a rule and this one has none."""
BEFORE_PROFILE = "before-profile"
"""The code of the refusal for a day before all values."""
UNSAID = "the approval; the profile says nothing of it"
"""Cited for a condition of which the profile says nothing."""


class Fact(StrEnum):
    """What a place can lay down. The unit is the last word of the name in the file."""

    MOST_WAGER = "most_wager_cents"
    MOST_GAMES = "most_games_per_hand"
    MOST_AREAS = "most_wagering_areas"
    MOST_TABLES = "most_tables"
    HAND_DEALT = "most_decks_by_hand"
    ONE_LOCATION = "one_location"
    SAME_CHANCES = "same_hand_and_probability"
    METER_AT_EVERY_TABLE = "meter_at_every_table"
    ONE_PROGRESSIVE = "one_progressive_per_game"
    REASONS = "reasons_for_reduction"
    MAXIMUM_NOT_BELOW = "maximum_not_below_meter"
    SEPARATE_ACCOUNT = "separate_account"
    DEPOSIT_EVERY = "deposit_every_days"
    DEPOSIT_BY_GAME = "deposit_by_game_and_dates"
    RECONCILED_WITHIN = "reconciled_within_days"
    POSTED_COVERED = "stop_below_posted_prize"
    PLAN_TO_REMOVE = "removal_plan_approved"
    REMOVAL_POSTED = "removal_posted_days"
    REMOVAL_WITHIN = "removal_prize_within_days"
    WAYS_TO_REMOVE = "ways_to_remove"
    NET_WIN = "net_win_after_accrual"
    AGGREGATE_ODDS = "aggregate_limit_odds"
    CAMERA_ABOVE = "camera_above_cents"
    VIDEO_FROM = "video_kept_from_cents"
    VIDEO_KEPT = "video_kept_days"
    AT_ONCE = "paid_at_once_cents"
    REST_WITHIN = "rest_by_check_hours"
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
    EXPIRY_WARNED = "expiry_warned_days"


YES_OR_NO = frozenset(
    {
        Fact.ONE_LOCATION,
        Fact.SAME_CHANCES,
        Fact.METER_AT_EVERY_TABLE,
        Fact.ONE_PROGRESSIVE,
        Fact.MAXIMUM_NOT_BELOW,
        Fact.SEPARATE_ACCOUNT,
        Fact.DEPOSIT_BY_GAME,
        Fact.POSTED_COVERED,
        Fact.PLAN_TO_REMOVE,
        Fact.NET_WIN,
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


class Destination(StrEnum):
    """Where the prize goes when a progressive is removed (WAC 230-15-710)."""

    PROGRESSIVE = "another-progressive"
    PROMOTION = "promotion"
    TOURNAMENT = "free-tournament"
    NONPROFIT = "nonprofit"


LISTS: Mapping[Fact, type[StrEnum]] = {Fact.REASONS: Lawful, Fact.WAYS_TO_REMOVE: Destination}


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
    until: date | None = None
    """The last day, where nothing followed it."""

    def as_json(self) -> dict[str, Any]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "fact": self.fact.value,
            "since": self.since.isoformat(),
            "value": value,
            "citation": self.citation,
            "binding": self.binding,
            "note": self.note,
            **({"until": self.until.isoformat()} if self.until else {}),
        }


class Effect(StrEnum):
    """What a condition of an approval does where it is not met."""

    STOPS = "stops"
    WARNS = "warns"
    NOTES = "notes"


@dataclass(frozen=True)
class ConditionRule:
    """What one condition does, from a day on."""

    key: str
    since: date
    does: Effect
    citation: str
    note: str = ""
    until: date | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "since": self.since.isoformat(),
            "does": self.does.value,
            "citation": self.citation,
            "note": self.note,
            **({"until": self.until.isoformat()} if self.until else {}),
        }


@dataclass(frozen=True)
class Rules:
    """What holds on one day."""

    profile: str
    day: date
    in_force: Mapping[Fact, Rule]
    unknown: tuple[Fact, ...]
    """Facts of which the profile knows later values only."""
    conditions: Mapping[str, ConditionRule] = field(default_factory=dict)
    """By key: what the profile says of conditions of approvals."""

    def condition(self, key: str) -> ConditionRule:
        """What a condition of an approval does where it is not met; it warns where the profile does not say."""
        return self.conditions.get(key) or ConditionRule(key, self.day, Effect.WARNS, UNSAID)

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
        return tuple(Lawful(reason) for reason in rule.value) if rule and isinstance(rule.value, tuple) else ()

    def in_short(self) -> str:
        """The limits that a house asks about first, in a sentence; what is not limited is said too."""
        most = {
            Fact.MOST_WAGER: ("wagers of any amount", "wagers up to {}"),
            Fact.MOST_GAMES: ("any number of games a hand", "at most {} games a hand"),
            Fact.MOST_TABLES: ("any number of tables", "at most {} tables"),
        }
        told = [
            limited.format(printed(rule)) + ("" if rule.binding else " (more than that only warns)") if rule else free
            for fact, (free, limited) in most.items()
            for rule in [self.get(fact)]
        ]
        account = "prizes in a separate account" if self.holds(Fact.SEPARATE_ACCOUNT) else "prizes in any account"
        return f"{', '.join([*told, account]).capitalize()}."


@dataclass(frozen=True)
class Profile:
    """A jurisdiction: every value that it ever had, as far as the file knows."""

    name: str
    """With its edition, as books have it."""
    title: str
    rules: tuple[Rule, ...]
    """In the order of the facts, and of dates within a fact."""
    conditions: tuple[ConditionRule, ...] = ()
    """In the order of keys, and of dates within a key."""
    operation: Where | None = None
    """Whose conditions bind here, besides those that bind everywhere."""
    as_of: date | None = None
    """The day whose text of the law the edition follows; none of a first edition."""

    @property
    def edition(self) -> int:
        return _split(self.name)[1]

    @property
    def words(self) -> str:
        """For people: the place, and the day whose text of the law the edition follows."""
        return f"{self.title}, " + (f"the law of {self.as_of}" if self.as_of else f"edition {self.edition}")

    @property
    def which(self) -> str:
        """Which edition it is, in a sentence, and whether there is a newer one."""
        law = f", after the law of {self.as_of}" if self.as_of else ""
        later = edition_names(_split(self.name)[0])[-1]
        return f"Edition {self.edition}{law}" + ("." if later == self.name else f"; {later} is newer.")

    def on(self, day: date) -> Rules:
        """What holds on this day."""
        return self._on(day.date() if isinstance(day, datetime) else day)

    @cached_property
    def _on(self) -> Callable[[date], Rules]:
        """It is asked of every award, and a day has many."""
        return lru_cache(maxsize=64)(self._holding)

    def _holding(self, day: date) -> Rules:
        first = min(rule.since for rule in self.rules)
        if day < first:
            raise Refusal(BEFORE_PROFILE, f"The profile {self.name} knows nothing of {day}: it begins on {first}.")
        begun = {rule.fact: rule for rule in self.rules if rule.since <= day}
        later = tuple(dict.fromkeys(rule.fact for rule in self.rules if rule.fact not in begun))
        asked = {rule.key: rule for rule in self.conditions if rule.since <= day}
        return Rules(self.name, day, _lasting(begun, day), later, _lasting(asked, day))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all values, to be stamped on what was checked against them."""
        rules: Any = [rule.as_json() for rule in self.rules]
        if self.conditions:
            conditions = [rule.as_json() for rule in self.conditions]
            rules = {"rules": rules, "conditions": conditions, "operation": self.operation}
        return hashlib.sha256(canonical(rules)).hexdigest()

    def table(self) -> str:
        """All values, as the guide prints them."""
        lines = ["| fact | since | value | from |", "| --- | --- | --- | --- |"]
        for rule in self.rules:
            practice = f" ({rule.note.removesuffix('.')})" if not rule.binding and rule.citation == PRACTICE else ""
            practice = practice or ("" if rule.binding else " (practice)")
            lines.append(f"| {rule.fact} | {_span(rule)} | {printed(rule)} | {rule.citation}{practice} |")
        return "\n".join(lines)

    def table_of_conditions(self) -> str:
        """What the conditions of approvals do here, as the guide prints them."""
        lines = ["| condition | since | does | from |", "| --- | --- | --- | --- |"]
        lines += [f"| {rule.key} | {_span(rule)} | {rule.does} | {rule.citation} |" for rule in self.conditions]
        return "\n".join(lines)


_Dated = TypeVar("_Dated", Rule, ConditionRule)
_Key = TypeVar("_Key")


def _lasting(begun: Mapping[_Key, _Dated], day: date) -> dict[_Key, _Dated]:
    """Those that have not ended by this day."""
    return {key: rule for key, rule in begun.items() if rule.until is None or day <= rule.until}


def _span(rule: Rule | ConditionRule) -> str:
    return f"{rule.since} to {rule.until}" if rule.until else str(rule.since)


def printed(rule: Rule) -> str:
    """A value as people read it."""
    if isinstance(rule.value, tuple):
        return ", ".join(rule.value)
    if isinstance(rule.value, bool):
        return "yes" if rule.value else "no"
    if rule.fact.endswith("_cents"):
        return dollars(rule.value).removesuffix(".00")
    return f"{rule.value / 10_000:g} %" if rule.fact.endswith("_ppm") else f"{rule.value:,}"


# Editions


def profile_names() -> list[str]:
    """The profiles that come with the program, each by the name that all its editions share."""
    return sorted(folder.name for folder in _FOLDER.iterdir() if folder.is_dir())


def edition_names(name: str) -> list[str]:
    """All editions of a profile, the oldest first, as books name them."""
    if name not in profile_names():
        raise UnknownName("jurisdiction profile", name, profile_names())
    numbers = sorted(int(file.name.removesuffix(".toml")) for file in _FOLDER.joinpath(name).iterdir())
    return [name if number == 1 else f"{name}/{number}" for number in numbers]


@cache
def find_profile(name: str) -> Profile:
    """A profile that comes with the program, by the name of one of its editions."""
    base, number = _split(name)
    known = edition_names(base)
    if name not in known:
        raise UnknownName(f"edition of the profile {base}", name, known)
    return read_profile(_FOLDER.joinpath(base, f"{number}.toml").read_text(encoding="utf-8"), name)


def newest(name: str) -> Profile:
    """The newest edition of a profile: by the name that all share, or by that of any of them."""
    return find_profile(edition_names(_split(name)[0])[-1])


def _split(name: str) -> tuple[str, int]:
    base, slash, number = name.partition("/")
    return base, int(number) if slash and number.isdecimal() and number.isascii() and len(number) < 4 else 1


_FOLDER = files("croupier.compliance").joinpath("profiles")


# Reading


def read_profile(text: str, name: str) -> Profile:
    """A profile from its file; one that `extends` another takes over the facts that it does not name itself."""
    base, number = _split(name)
    where = f"{base}/{number}.toml"
    try:
        profile = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise NotationError(f"{where} is no TOML: {error}.") from None
    for key in profile:
        if key not in _TOP:
            raise UnknownName(f"setting (in {where})", key, _TOP)
    title, operation, as_of = profile.get("title"), profile.get("operation"), profile.get("as_of")
    if not isinstance(title, str) or not title.strip():
        raise NotationError(f"{where}, line 1: the profile has no title.")
    if operation not in (None, Where.COMMERCIAL, Where.TRIBAL):
        raise NotationError(f"{where}, line 1: operation is commercial or tribal, not {operation!r}.")
    if as_of is not None and not _is_day(as_of):
        raise NotationError(f"{where}, line 1: as_of is a day, as 2025-08-01, not {as_of!r}.")
    rules = [_rule(record, at) for record, at in _records(text, profile, "rule", where)]
    conditions = [_condition(record, at) for record, at in _records(text, profile, "condition", where)]
    if (extended := profile.get("extends")) is not None:
        if not isinstance(extended, str) or _split(extended)[0] == base:
            raise NotationError(f"{where}, line 1: it can extend another profile by its name, not {extended!r}.")
        other = find_profile(extended)
        rules += [rule for rule in other.rules if rule.fact not in {own.fact for own in rules}]
        conditions += [rule for rule in other.conditions if rule.key not in {own.key for own in conditions}]
    if not rules:
        raise NotationError(f"{where}, line 1: the profile has no rule.")
    order = list(Fact)
    rules.sort(key=lambda rule: (order.index(rule.fact), rule.since))
    conditions.sort(key=lambda rule: (rule.key, rule.since))
    _check_dates(rules, where, lambda rule: rule.fact)
    _check_dates(conditions, where, lambda rule: rule.key)
    return Profile(name, title, tuple(rules), tuple(conditions), Where(operation) if operation else None, as_of)


_TOP = ("title", "extends", "operation", "as_of", "rule", "condition")


def _records(text: str, profile: Mapping[str, Any], part: str, where: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The records of a kind, each with its file and line."""
    given = profile.get(part, [])
    if not isinstance(given, list) or not all(isinstance(record, dict) for record in given):
        raise NotationError(f"{where}, line 1: a {part} of a profile is written as [[{part}]].")
    for place, record in enumerate(given):
        yield record, f"{where}, line {line_of(text, part, place)}"


def _check_dates(dated: list[_Dated], where: str, of: Callable[[_Dated], str]) -> None:
    """One value at a time: sorted by what it is of and since when."""
    for one, two in pairwise(dated):
        if of(one) != of(two):
            continue
        if one.since == two.since:
            raise NotationError(f"{where} gives two values of {of(one)} from {one.since}.")
        if one.until and one.until >= two.since:
            raise NotationError(f"{where} has {of(one)} until {one.until}, and the next from {two.since}.")


def _is_day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def _dated(given: Mapping[str, Any], what: str, where: str) -> dict[str, Any]:
    """What every record has: since when, until when, by which rule, and a note."""
    since, until, citation, note = (given.get(name) for name in ("since", "until", "citation", "note"))
    if not _is_day(since):
        raise NotationError(f"{where}: since is a day, as 2009-01-01, not {since!r}.")
    if until is not None and (not _is_day(until) or until < since):
        raise NotationError(f"{where}: until is a day, not before {since}, and not {until!s}.")
    if not isinstance(citation, str) or not citation.strip():
        raise NotationError(f"{where}: {what} has no citation.")
    if note is not None and not isinstance(note, str):
        raise NotationError(f"{where}: note is a text, not {note!r}.")
    return {"since": since, "until": until, "citation": citation, "note": note or ""}


def _only(given: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> None:
    for key in given:
        if key not in allowed:
            raise UnknownName(f"setting ({where})", key, allowed)


def _rule(given: Mapping[str, Any], where: str) -> Rule:
    _only(given, ("fact", "since", "until", "value", "citation", "binding", "note"), where)
    name = given.get("fact")
    if name not in list(Fact):
        raise UnknownName(f"fact ({where})", str(name), list(Fact))
    fact, binding = Fact(name), given.get("binding", True)
    dated = _dated(given, fact, where)
    if not isinstance(binding, bool):
        raise NotationError(f"{where}: binding is true or false, not {binding!r}.")
    return Rule(fact, value=_value(fact, given.get("value"), where), binding=binding, **dated)


def _condition(given: Mapping[str, Any], where: str) -> ConditionRule:
    _only(given, ("key", "since", "until", "does", "citation", "note"), where)
    key, does = given.get("key"), given.get("does")
    if not isinstance(key, str) or not key.strip():
        raise NotationError(f"{where}: key is that of a condition of an approval, as internal-controls, not {key!r}.")
    if does not in list(Effect):
        raise NotationError(f"{where}: what {key} does is one of {', '.join(Effect)}, not {does!r}.")
    return ConditionRule(key, does=Effect(does), **_dated(given, key, where))


def _value(fact: Fact, value: Any, where: str) -> Value:
    if fact in LISTS:
        if not isinstance(value, list) or not value or any(word not in list(LISTS[fact]) for word in value):
            raise NotationError(f"{where}: {fact} is a list of {', '.join(LISTS[fact])}, not {value!r}.")
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
