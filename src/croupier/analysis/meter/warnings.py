"""Where a plan breaks a recommendation of the rule documents: said as a warning, with the reason and its place.

The recommendations are those of document 000, "Progressive systems flexibility and recommendations" (P). A warning
forbids nothing: the house decides, and a regulator can ask why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.analysis.meter.formulas import hold_before_shortfalls
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.proposal import Source, proposed_funding
from croupier.analysis.meter.wager import preconfigured
from croupier.analysis.printing import percent
from croupier.games.meter import PPM, Style
from croupier.games.money import dollars

DESIGNED_FOR = {"1": (6,), "2": (6,), "ML03": (6, 8), "ML04": (6,)}
"""Blazing 7's: the decks that document 000 prints under each paytable."""
TRILUX_DESIGNED_FOR = {"6": (6, 8)}
FEWEST_DECKS = 6
LEAST_CONTRIBUTION_A = 700_000
"""In parts per million: what tables of style A are designed to grow with."""

SEED, RESERVE, CONTRIBUTION = (
    "recommended settings, Seed amount",
    "recommended settings, Reserve contribution",
    "recommended settings, Progressive meter contribution",
)


@dataclass(frozen=True)
class Caution:
    """One recommendation that a plan does not follow."""

    code: str
    sentence: str
    paragraph: str
    hint: bool = False
    """Worth a thought, rather than worth a worry."""

    def as_json(self) -> dict[str, str]:
        kind = "hint" if self.hint else "warning"
        return {"kind": kind, "code": self.code, "sentence": self.sentence, "paragraph": self.paragraph}


def warnings_of(plan: MeterPlan) -> list[Caution]:
    """Every recommendation the plan breaks, hints last."""
    warnings = [warning for check in CHECKS for warning in check(plan)]
    return sorted(warnings, key=lambda warning: warning.hint)


# Seeds


def _seeds(plan: MeterPlan) -> Iterator[Caution]:
    largest = plan.largest_fixed_cents
    for level in plan.levels:
        if not level.seed_cents:
            yield Caution(
                "zero-seed",
                f"The seed of {level.title} is $0.00: after a 100 % award there is nothing to play for.",
                SEED,
            )
            if level.reserve_units:
                yield Caution(
                    "reserve-only",
                    f"The reserve is the only seed of {level.title}: of two awards in a row the second restarts the "
                    "meter at very little.",
                    RESERVE,
                )
        elif level.seed_cents < largest:
            yield Caution(
                "small-seed",
                f"The seed of {level.title}, {dollars(level.seed_cents)}, is below the largest fixed award, "
                f"{dollars(largest)}.",
                SEED,
            )


def _reserve(plan: MeterPlan) -> Iterator[Caution]:
    if not plan.reserve_ppm:
        yield Caution(
            "no-reserve",
            "Nothing goes to a reserve: a small part of each wager, added to the seed after a 100 % award, softens the "
            "drop in play.",
            RESERVE,
            hint=True,
        )


# What is paid in


def _contribution(plan: MeterPlan) -> Iterator[Caution]:
    share = percent(plan.funding.contribution, 2)
    if plan.style is Style.ALL_PAYS:
        if plan.contribution_ppm < LEAST_CONTRIBUTION_A:
            yield Caution(
                "low-contribution",
                f"The contribution of {share} is below 70 %, with which a meter that makes all pays is designed to "
                "grow: it may run dry.",
                CONTRIBUTION,
            )
        return
    usual = preconfigured(plan.wager.key, plan.paytable_id)
    if usual and plan.contribution_ppm > usual.contribution * PPM:
        yield Caution(
            "raised-contribution",
            f"The contribution of {share} is above the pre-configured {percent(usual.contribution, 2)}: every point of "
            "it is taken from the house's hold.",
            CONTRIBUTION,
        )


def _proposed(plan: MeterPlan) -> Iterator[Caution]:
    """Values that nobody printed and nobody chose are told with their reason."""
    if plan.paytable_id not in plan.wager.paytables or plan.style is Style.ALL_PAYS:
        return
    proposed = proposed_funding(plan.wager, plan.paytable_id, plan.paytable, plan.decks, plan.rules)
    if proposed and proposed.source is Source.PROPOSAL and plan.funding == proposed.funding:
        yield Caution("proposed-values", proposed.reason, CONTRIBUTION, hint=True)


def _style(plan: MeterPlan) -> Iterator[Caution]:
    if plan.style is Style.ALL_PAYS and plan.paytable_id in plan.wager.paytables:
        yield Caution(
            "tray-paytable",
            f"The document pays the fixed awards of paytable {plan.paytable_id} from the chip tray, which is style B; "
            "in style A they come off the meter.",
            "TriLux rules, 9a" if plan.wager.key == "trilux" else "Blazing 7's rules, Progressive Winner",
        )


def _hold(plan: MeterPlan) -> Iterator[Caution]:
    hold = hold_before_shortfalls(plan)
    if hold < 0:
        yield Caution(
            "negative-hold", f"The house loses {percent(-hold, 2)} of every wager in the long run.", CONTRIBUTION
        )


# Decks


def _decks(plan: MeterPlan) -> Iterator[Caution]:
    trilux = plan.wager.key == "trilux"
    if plan.decks < FEWEST_DECKS:
        least = "This game uses six or eight decks" if trilux else "This game uses a minimum of six decks"
        yield Caution("few-decks", f"{least}, not {plan.decks}.", "rules on the linking of games")
    designed = (TRILUX_DESIGNED_FOR if trilux else DESIGNED_FOR).get(plan.paytable_id)
    if designed and plan.decks not in designed:
        yield Caution(
            "other-decks",
            f"Paytable {plan.paytable_id} is designed for {' and '.join(map(str, designed))} decks, not {plan.decks}: "
            "hold and hits are others.",
            f"rules, under paytable {plan.paytable_id}",
        )


CHECKS: tuple[Callable[[MeterPlan], Iterator[Caution]], ...] = (
    *(_hold, _seeds, _contribution, _proposed, _style, _decks, _reserve),
)
