"""A house's configuration against the rules of its place: errors stop, warnings show, and each names its rule.

The recommendations of the rule documents are warnings too; they are the meter planner's, asked of the same setup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Protocol

from croupier.analysis.meter.plan import Division, MeterPlan
from croupier.analysis.meter.settings import USUAL
from croupier.compliance.profile import Fact, Finding, Profile, Rules, Weight, against
from croupier.compliance.table import LimitsLike
from croupier.floor.link.setup import LinkSetup
from croupier.games.money import dollars

KINGS_BOUNTY = "King's Bounty"
KINGS_BOUNTY_RULE = "King's Bounty rules: operators may only choose one of the progressive options"
"""It is part of the game's approval, so it binds in every place."""


# A link


def check(
    setup: LinkSetup,
    profile: Profile,
    day: date,
    *,
    shown_cents: Mapping[str, int] | None = None,
    elsewhere: Mapping[int, str] | None = None,
    wagers: Mapping[int, Collection[str]] | None = None,
) -> list[Finding]:
    """Everything that speaks against a link's configuration on a day, errors first.

    `shown_cents` are the meters as the players see them now, by level; a new link starts at its seeds. `elsewhere` are
    the tables that are on other links of the site, with those links' names; `wagers` what a hand at each table can be
    wagered on besides the base game.
    """
    rules = profile.on(day)
    findings = [
        *_wager(setup, rules),
        *_maxima(setup, rules, shown_cents or {}),
        *_tables(setup, rules, elsewhere or {}),
        *_games(setup, rules, wagers or {}),
        *_odds(setup, rules),
        *recommendations(setup),
        *unknown(rules),
    ]
    return sorted(findings, key=lambda finding: finding.weight is not Weight.ERROR)


def _wager(setup: LinkSetup, rules: Rules) -> Iterator[Finding]:
    most = rules.number(Fact.MOST_WAGER)
    if most is not None and setup.wager_cents > most:
        yield against(
            rules[Fact.MOST_WAGER],
            "wager-too-high",
            f"The progressive wager of {dollars(setup.wager_cents)} is above the highest wager, {dollars(most)}.",
        )


def _maxima(setup: LinkSetup, rules: Rules, shown_cents: Mapping[str, int]) -> Iterator[Finding]:
    if not rules.holds(Fact.MAXIMUM_NOT_BELOW):
        return
    for level in setup.levels:
        shown = shown_cents.get(level.level, level.seed_cents)
        if level.maximum_cents is not None and level.maximum_cents < shown:
            yield against(
                rules[Fact.MAXIMUM_NOT_BELOW],
                "maximum-below-meter",
                f"The maximum of {level.title}, {dollars(level.maximum_cents)}, is below the {dollars(shown)} that is "
                "shown when it is imposed.",
            )


def _tables(setup: LinkSetup, rules: Rules, elsewhere: Mapping[int, str]) -> Iterator[Finding]:
    most = rules.number(Fact.MOST_TABLES)
    if most is not None and len(setup.tables) > most:
        yield against(
            rules[Fact.MOST_TABLES],
            "too-many-tables",
            f"The link joins {len(setup.tables)} tables, and an establishment has at most {most}.",
        )
    for table in setup.tables:
        if table.number not in elsewhere:
            continue
        there = f"Table {table.number} is on the link {elsewhere[table.number]} already"
        if table.title == KINGS_BOUNTY:
            sentence = f"{there}: {KINGS_BOUNTY} goes with one of the progressives, not with both."
            yield Finding(Weight.ERROR, "second-progressive", sentence, KINGS_BOUNTY_RULE)
        elif rules.holds(Fact.ONE_PROGRESSIVE):
            sentence = f"{there}: one progressive per card game at a time."
            yield against(rules[Fact.ONE_PROGRESSIVE], "second-progressive", sentence)


def _games(setup: LinkSetup, rules: Rules, wagers: Mapping[int, Collection[str]]) -> Iterator[Finding]:
    """The progressive is one of the games that a hand plays, whether or not the table's own list names it."""
    most = rules.number(Fact.MOST_GAMES)
    for table in setup.tables:
        games = 1 + len({setup.wager, *wagers.get(table.number, ())})
        if most is not None and games > most:
            yield against(
                rules[Fact.MOST_GAMES],
                "too-many-games",
                f"At table {table.number} a hand plays {games} games with this progressive, and {most} are allowed.",
            )


def _odds(setup: LinkSetup, rules: Rules) -> Iterator[Finding]:
    most = rules.number(Fact.MOST_ODDS)
    if most is None:
        return
    for level in plan_of(setup).levels:
        if level.hit * (most + 1) < 1:
            yield against(
                rules[Fact.MOST_ODDS],
                "too-rare",
                f"All of {level.title} is won once in {int(1 / level.hit):,} wagers: the odds may be {most:,} to 1.",
            )


def unknown(rules: Rules) -> Iterator[Finding]:
    """What the profile cannot say for this day, because it knows later values only."""
    if rules.unknown:
        facts = ", ".join(rules.unknown)
        yield Finding(
            Weight.WARNING,
            "unknown-on-day",
            f"The profile {rules.profile} does not know for {rules.day}: {facts}.",
            f"profile {rules.profile}",
        )


# What the documents recommend


def recommendations(setup: LinkSetup) -> Iterator[Finding]:
    """The recommendations of document 000 that the setup does not follow."""
    from croupier.analysis.meter.warnings import warnings_of  # and numpy: a server starts without

    for caution in warnings_of(plan_of(setup)):
        yield Finding(Weight.WARNING, caution.code, caution.sentence, caution.paragraph)


def plan_of(setup: LinkSetup) -> MeterPlan:
    """The setup as the meter planner sees it, with the usual traffic."""
    contributions = {level.level: Fraction(level.contribution_ppm) for level in setup.levels}
    total, reserves = sum(contributions.values()), sum(level.reserve_ppm for level in setup.levels)
    return MeterPlan(
        wager=setup.rules,
        paytable_id=setup.paytable,
        paytable=setup.posted,
        decks=setup.decks,
        rules=None,
        wager_cents=setup.wager_cents,
        contribution_ppm=int(total),
        reserve_ppm=reserves,
        seeds_cents={level.level: level.seed_cents for level in setup.levels},
        style=setup.style,
        division={name: part / total for name, part in contributions.items()} if total else Division.EQUAL,
        reserve_division={level.level: Fraction(level.reserve_ppm, reserves) for level in setup.levels}
        if reserves
        else None,
        tables=len(setup.tables),
        **_TRAFFIC,
    )


_TRAFFIC: dict[str, Any] = {
    name: USUAL[name] for name in ("seats", "rounds_per_hour", "period_days", "within_rounds")
} | {"hours_per_day": Fraction(USUAL["hours_per_day"])}


# The site's tables


class TableLike(Protocol):
    """A table, as far as a place limits it."""

    @property
    def number(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def most_wager_cents(self) -> int: ...
    @property
    def limits(self) -> Sequence[LimitsLike]: ...
    @property
    def games(self) -> int: ...


def check_tables(tables: Iterable[TableLike], rules: Rules) -> list[Finding]:
    """All tables of an establishment: how many, how high, how many places, and how many games with one hand."""
    findings, tables = [], list(tables)
    most = rules.number(Fact.MOST_TABLES)
    if most is not None and len(tables) > most:
        sentence = f"There are {len(tables)} tables, and an establishment has at most {most}."
        findings.append(against(rules[Fact.MOST_TABLES], "too-many-tables", sentence))
    wager, games, areas = map(rules.number, (Fact.MOST_WAGER, Fact.MOST_GAMES, Fact.MOST_AREAS))
    for table in tables:
        if areas is not None and table.seats > areas:
            sentence = f"Table {table.number} has {table.seats} places, and {areas} wagering areas are allowed."
            findings.append(against(rules[Fact.MOST_AREAS], "too-many-areas", sentence))
        if wager is not None and table.most_wager_cents > wager:
            sentence = (
                f"Table {table.number} takes wagers up to {dollars(table.most_wager_cents)}, and {dollars(wager)} is "
                "the highest."
            )
            findings.append(against(rules[Fact.MOST_WAGER], "wager-too-high", sentence))
        for name, cents in ((limit.wager, limit.most_cents) for limit in table.limits):
            if wager is not None and cents > wager:
                sentence = (
                    f"Table {table.number} takes {name} up to {dollars(cents)}, and {dollars(wager)} is the highest."
                )
                findings.append(against(rules[Fact.MOST_WAGER], "wager-too-high", sentence))
        if games is not None and table.games > games:
            sentence = f"At table {table.number} a hand plays {table.games} games, and {games} are allowed."
            findings.append(against(rules[Fact.MOST_GAMES], "too-many-games", sentence))
    return findings
