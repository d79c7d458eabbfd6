"""A plan's settings as people write them, in a file or on the command line; a written plan reads back as the same.

    wager = "blazing-7s-dealer"
    paytable = "1"
    decks = 6
    wager_dollars = 5
    contribution_percent = 24
    reserve_percent = 1
    seeds_dollars = { Progressive = 10000 }

What is not said has its usual value: contribution and seeds as the maker configures the paytable, or as they are
proposed where that is not known (`proposal`).
Where third cards count (blazing-7s-player), `rules = "H17 DAS SP4 3:2"` says how the base game is played, because that
decides which hands get one; the usual rules where nothing is said.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from croupier.analysis.meter.plan import Division, MeterPlan, counted, depends_on_rules
from croupier.analysis.meter.proposal import proposed_funding
from croupier.analysis.meter.wager import Funding, Progressive, meter_title, preconfigured
from croupier.analysis.printing import plain_number
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.rules import DECKS, Rules
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.meter import PPM, Style
from croupier.games.money import CENTS
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, approved_paytable

Settings = Mapping[str, Any]
Word = TypeVar("Word", Style, Division)
ONLY = "Progressive"
"""What the meter of a table with one is called in a file."""
LONGEST_NUMBER = 40
EXAMPLE_SEED = 5000
"""In dollars, where a seed has to be said."""
DECKS_WORD = re.compile(r"\d+D", re.IGNORECASE | re.ASCII)


class Span(NamedTuple):
    """The numbers that a setting may have."""

    title: str
    unit: str
    least: Fraction
    most: int
    decimals: int = 0

    @property
    def allowed(self) -> str:
        least = f"{float(self.least):,g}" if self.least.denominator > 1 else f"{int(self.least):,}"
        kind = f"at most {self.decimals} decimals" if self.decimals else "a whole number"
        return f"from {least} to {self.most:,}{self.unit}, {kind}"


SPANS = {
    "decks": Span("The number of decks", "", Fraction(1), max(DECKS)),
    "wager_dollars": Span("The wager amount", " dollars", Fraction(1, CENTS), 1_000, 2),
    "contribution_percent": Span("The contribution", " %", Fraction(0), 100, 4),
    "reserve_percent": Span("The reserve rate", " %", Fraction(0), 100, 4),
    "seeds_dollars": Span("The seed", " dollars", Fraction(0), 10_000_000, 2),
    "division": Span("The part of a meter", " %", Fraction(0), 100, 4),
    "tables": Span("The number of tables", "", Fraction(1), 1_000),
    "seats": Span("The number of seats that bet", "", Fraction(1), 7),
    "rounds_per_hour": Span("The number of rounds an hour", "", Fraction(1), 1_000),
    "hours_per_day": Span("The number of hours a day", "", Fraction(1, 4), 24, 2),
    "period_days": Span("The period", " days", Fraction(1), 36_525),
    "within_rounds": Span("The number of rounds of a back-to-back hit", "", Fraction(1), 10**9),
}
USUAL: Settings = {
    "paytable": None,
    "decks": 6,
    "rules": None,
    "wager_dollars": 5,
    "contribution_percent": None,
    "reserve_percent": 0,
    "seeds_dollars": {},
    "accounting": Style.SHARES_ONLY,
    "division": Division.PROPORTIONAL,
    "tables": 1,
    "seats": 3,
    "rounds_per_hour": 60,
    "hours_per_day": 16,
    "period_days": 365,
    "within_rounds": 100,
}
"""Where a plan does not say otherwise. The documents print no traffic: one table, three wagers a round."""


def read_settings(text: str, source: str) -> dict[str, Any]:
    """The settings in a TOML text, numbers as they are written."""
    try:
        settings = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise NotationError(f"{source} is no TOML: {error}.") from None
    for key in settings:
        if key not in ("wager", *USUAL):
            raise NotationError(f"{source}: {UnknownName('setting', key, ('wager', *USUAL))}")
    return settings


def merged(below: Settings, above: Settings) -> dict[str, Any]:
    """Both settings; where they differ, the second count. Amounts by meter are merged meter by meter."""
    both = {**below, **above}
    if "seeds_dollars" in below and "seeds_dollars" in above:
        both["seeds_dollars"] = {**_by_meter(below["seeds_dollars"]), **_by_meter(above["seeds_dollars"])}
    return both


def _by_meter(value: Any) -> dict[str, Any]:
    """One amount is that of the only meter."""
    if not isinstance(value, Mapping):
        return {"": value}
    return {"" if name == ONLY else str(name).title(): amount for name, amount in value.items()}


def plan_from(
    settings: Settings,
    find_paytable: FindPaytable = approved_paytable,
    *,
    in_options: bool = False,
) -> MeterPlan:
    """The plan that the settings describe, with the usual values for what they leave open.

    What is missing is asked for as a file says it, or, `in_options`, as it is typed.
    """
    if "wager" not in settings:
        raise NotationError(f"The plan does not say which wager it is for: wager is one of {', '.join(PROGRESSIVES)}.")
    all_ = {**USUAL, **settings}
    wager = PROGRESSIVES.get(_word("wager", all_["wager"]))
    if wager is None:
        raise UnknownName("progressive wager", all_["wager"], PROGRESSIVES)
    name = next(iter(wager.paytables)) if all_["paytable"] is None else _word("paytable", all_["paytable"])
    paytable = find_paytable(wager, name)
    decks, rules = _table(wager, settings)
    wager_cents = int(_number("wager_dollars", all_["wager_dollars"]) * CENTS)
    progressive = counted(wager, name, paytable, decks, rules)
    usual = _usual_funding(wager, name, paytable, decks, rules)
    _check_complete(all_, usual, progressive, f"{wager.title}, paytable {name}", in_options=in_options)
    return MeterPlan(
        wager=wager,
        paytable_id=name,
        paytable=paytable,
        decks=decks,
        rules=rules,
        wager_cents=wager_cents,
        contribution_ppm=_contribution(all_["contribution_percent"], usual),
        reserve_ppm=_ppm("reserve_percent", all_["reserve_percent"]),
        seeds_cents=_seeds(all_["seeds_dollars"], usual, progressive, wager_cents),
        style=_one_of("accounting", all_["accounting"], Style, str.upper),
        division=_division(all_["division"], progressive),
        tables=_whole("tables", all_),
        seats=_whole("seats", all_),
        rounds_per_hour=_whole("rounds_per_hour", all_),
        hours_per_day=_number("hours_per_day", all_["hours_per_day"]),
        period_days=_whole("period_days", all_),
        within_rounds=_whole("within_rounds", all_),
    )


def _usual_funding(wager: Wager, name: str, paytable: Paytable, decks: int, rules: Rules | None) -> Funding | None:
    """As the maker configures the paytable, or as it is proposed; a house's own paytable has neither."""
    if name not in wager.paytables:
        return preconfigured(wager.key, name)
    proposed = proposed_funding(wager, name, paytable, decks, rules)
    return proposed.funding if proposed else None


# One setting


def _word(key: str, value: Any) -> str:
    """A name; a paytable may be called 1 without quotes."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotationError(f"The {key} cannot be {str(value)[:LONGEST_NUMBER]}: it is a name in quotes.")
    return str(value).strip()


def _one_of(key: str, value: Any, words: type[Word], case: Callable[[str], str]) -> Word:
    try:
        return words(case(value.strip()) if isinstance(value, str) else value)
    except ValueError:
        raise UnknownName(key, str(value), [word.value for word in words]) from None


def _table(wager: Wager, settings: Settings) -> tuple[int, Rules | None]:
    """Decks and rules; either may say how many decks there are."""
    text = settings.get("rules")
    decks = _whole("decks", {**USUAL, **settings})
    if text is None:
        # Shoes of 3, 5 or 7 decks can be counted, but no table deals them.
        return decks, Rules(decks=decks) if depends_on_rules(wager) and decks in DECKS else None
    if not depends_on_rules(wager):
        raise NotationError(f"{wager.title} does not depend on the rules of the base game: leave rules out.")
    words = _word("rules", text)
    rules = Rules.parse(words)
    if not any(DECKS_WORD.fullmatch(word) for word in words.replace(",", " ").split()):
        rules = replace(rules, decks=decks)
    elif "decks" in settings and rules.decks != decks:
        raise NotationError(f"The rules say {rules.decks}D and decks is {decks}: keep one of them.")
    return rules.decks, rules


def _number(key: str, value: Any, meter: str = "") -> Fraction:
    """A number within its span, exactly as it is written."""
    span = SPANS[key]
    exact = _exact(value)
    fine = exact is not None and span.least <= exact <= span.most and (exact * 10**span.decimals).denominator == 1
    if exact is None or not fine:
        text = repr(value) if isinstance(value, str) else str(value)
        of = f" of {meter}" if meter else ""
        raise NotationError(f"{span.title}{of} cannot be {text[:LONGEST_NUMBER]}: it is {span.allowed}.")
    return exact


def _exact(value: Any) -> Fraction | None:
    """None where it is no number of a sensible size."""
    if isinstance(value, str):
        plain = value.strip().removeprefix("$").removesuffix("%").replace(",", "").strip()
        if len(plain) > LONGEST_NUMBER or not re.fullmatch(r"\d+(\.\d+)?", plain, re.ASCII):
            return None
        return Fraction(plain)
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() and abs(value.adjusted()) < LONGEST_NUMBER else None
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return None


def _whole(key: str, settings: Settings) -> int:
    return int(_number(key, settings[key]))


def _ppm(key: str, value: Any) -> int:
    return int(_number(key, value) * PPM / 100)


FIELDS = ("contribution", "seed_money")
"""What is asked for where settings are given one by one."""


def _check_complete(
    settings: Settings, usual: Funding | None, progressive: Progressive, what: str, *, in_options: bool
) -> None:
    """All that the maker does not configure and nobody said is asked for at once."""
    given = _by_meter(settings["seeds_dollars"])
    _check_meters("seed", given, progressive)
    configured = usual.seeds if usual else {}
    open_ = [meter for meter in progressive.levels if meter not in given and meter not in configured]
    missing, examples = [], []
    if usual is None and settings["contribution_percent"] is None:
        missing.append("contribution")
        examples.append("{contribution} 20" if in_options else "contribution_percent = 20")
    if open_:
        missing.append("seed")
        examples.append(_seeds_example(open_, in_options=in_options))
    if missing:
        none, them = " and no ".join(missing), "them" if len(missing) > 1 else "it"
        sentence = f"There is no pre-configured {none} for {what}: say {them}, as {' and '.join(examples)}."
        raise NotationError(sentence, fields=FIELDS if in_options else ())


def _seeds_example(meters: list[str], *, in_options: bool) -> str:
    if in_options:
        return " ".join(f"{{seed_money}} {f'{meter}=' if meter else ''}{EXAMPLE_SEED}" for meter in meters)
    return f"seeds_dollars = {{ {', '.join(f'{meter_title(meter)} = {EXAMPLE_SEED}' for meter in meters)} }}"


def _contribution(value: Any, usual: Funding | None) -> int:
    if value is not None:
        return _ppm("contribution_percent", value)
    assert usual is not None
    return int(usual.contribution * PPM)


def _seeds(value: Any, usual: Funding | None, progressive: Progressive, wager_cents: int) -> dict[str, int]:
    """The seeds that are given, in money, and the maker's for the other meters, which are in wagers."""
    given = _by_meter(value)
    seeds = {meter: int(seed * wager_cents) for meter, seed in usual.seeds.items()} if usual else {}
    seeds |= {
        meter: int(_number("seeds_dollars", amount, meter_title(meter)) * CENTS) for meter, amount in given.items()
    }
    return {meter: seeds[meter] for meter in progressive.levels}


def _division(value: Any, progressive: Progressive) -> Division | dict[str, Fraction]:
    if not isinstance(value, Mapping):
        return _one_of("division", value, Division, str.lower)
    given = _by_meter(value)
    _check_meters("part of the contribution", given, progressive)
    parts = {meter: _number("division", given.get(meter, 0), meter_title(meter)) for meter in progressive.levels}
    total = sum(parts.values())
    if total != 100:
        raise NotationError(f"The parts of the meters cannot add up to {float(total):g} %: they are 100 % together.")
    return {meter: part / 100 for meter, part in parts.items()}


def _check_meters(what: str, given: Mapping[str, Any], progressive: Progressive) -> None:
    for meter in given:
        if meter not in progressive.levels:
            raise UnknownName(f"meter for a {what}", meter_title(meter), map(meter_title, progressive.levels))


# Writing


def settings_of(plan: MeterPlan) -> dict[str, Any]:
    """Every setting of a plan, as a file holds it."""
    division: Any = plan.division
    if isinstance(division, Mapping):
        division = {meter_title(meter): plain_number(share * 100) for meter, share in division.items()}
    return {
        "wager": plan.wager.key,
        "paytable": plan.paytable_id,
        "decks": plan.decks,
        **({"rules": _without_decks(plan.rules)} if plan.rules else {}),
        "wager_dollars": plain_number(Fraction(plan.wager_cents, CENTS)),
        "contribution_percent": plain_number(Fraction(plan.contribution_ppm * 100, PPM)),
        "reserve_percent": plain_number(Fraction(plan.reserve_ppm * 100, PPM)),
        "accounting": plan.style.value,
        "tables": plan.tables,
        "seats": plan.seats,
        "rounds_per_hour": plan.rounds_per_hour,
        "hours_per_day": plain_number(plan.hours_per_day),
        "period_days": plan.period_days,
        "within_rounds": plan.within_rounds,
        "division": division if isinstance(division, dict) else division.value,
        "seeds_dollars": {
            meter_title(meter): plain_number(Fraction(cents, CENTS)) for meter, cents in plan.seeds_cents.items()
        },
    }


def _without_decks(rules: Rules) -> str:
    """The decks are a setting of their own."""
    return " ".join(word for word in str(rules).split() if not DECKS_WORD.fullmatch(word))


def plan_as_toml(plan: MeterPlan) -> str:
    """The plan as a file that reads back as the same."""
    lines = ["# A plan for the meters of a progressive: croupier plan THIS-FILE"]
    for key, value in settings_of(plan).items():
        if isinstance(value, dict):
            inner = ", ".join(f"{name} = {amount}" for name, amount in value.items())
            lines.append(f"{key} = {{ {inner} }}")
        else:
            lines.append(f"{key} = {_quoted(value) if isinstance(value, str) else value}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
