"""What the meters of a progressive are set up with before a house has chosen: the maker's values, or a proposal.

The documents speak of pre-configured values and print none. For Blazing 7's they follow from the printed holds
(`preconfigured.toml`). For a table with one meter whose values are not known, a proposal divides what the fixed pays
leave of a wager as the maker divides it for Blazing 7's paytable 1: so much to the meter, so much for seeds, the rest
to the house. Rates are cut to whole percents and seeds to round amounts, so the house holds a little more than that.

A small part of the contribution goes to the reserve, as document 000 recommends. It is taken out of the contribution
and not put on top of it, so that the hold is the same with and without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from croupier.analysis.meter.plan import counted
from croupier.analysis.meter.wager import ROUND_SEEDS, Funding, Progressive, meter_title, preconfigured
from croupier.analysis.printing import percent
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BLAZING_DEALER
from croupier.games.meter import PPM, divided, proportional
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

MODEL, MODEL_PAYTABLE, MODEL_DECKS = BLAZING_DEALER, "1", 6
"""Whose division of a wager is proposed for others: one meter, and the printed hold is that of six decks."""
RESERVE = Fraction(1, 100)
"""Of each wager: the small share that document 000 recommends for the reserve."""


class Source(StrEnum):
    """Where values come from."""

    PRINTED_HOLDS = "printed-holds"
    """The maker's: the only round ones under which the printed holds come out."""
    PROPOSAL = "proposal"
    """Ours, with its reason."""


@dataclass(frozen=True)
class ProposedFunding:
    """What a meter's form is filled with."""

    source: Source
    reason: str
    funding: Funding
    """The contribution with the reserve in it."""
    hold: Fraction
    shares: tuple[Fraction, ...]
    """Of the contribution, by meter."""

    def levels(self, wager_cents: int) -> list[dict[str, Any]]:
        """By meter, in the order of the paytable: the seed in cents, contribution and reserve in millionths."""
        reserve = min(RESERVE, self.funding.contribution)
        contributions = divided(int((self.funding.contribution - reserve) * PPM), self.shares)
        reserves = divided(int(reserve * PPM), self.shares)
        return [
            {
                **{"level": meter, "seed_cents": int(seed * wager_cents)},
                **{"contribution_ppm": contribution, "reserve_ppm": part},
            }
            for (meter, seed), contribution, part in zip(
                self.funding.seeds.items(), contributions, reserves, strict=True
            )
        ]

    def as_json(self, wager_cents: int) -> dict[str, Any]:
        return {
            **{"source": str(self.source), "reason": self.reason, "hold": float(self.hold)},
            "levels": self.levels(wager_cents),
        }


def proposed_funding(
    wager: Wager, paytable_id: str, paytable: Paytable, decks: int, rules: Rules | None = None
) -> ProposedFunding | None:
    """The maker's values, or a proposal; None for several meters of which nothing is known."""
    progressive = counted(wager, paytable_id, paytable, decks, rules)
    maker = preconfigured(wager.key, paytable_id)
    funding = maker or _as_the_model(progressive)
    if funding is None:
        return None
    hold = progressive.hold(funding)
    shares = proportional([level.awarded * funding.seeds[meter] for meter, level in progressive.levels.items()])
    source = Source.PRINTED_HOLDS if maker else Source.PROPOSAL
    return ProposedFunding(source, _reason(source, funding, hold, progressive), funding, hold, shares)


def _as_the_model(progressive: Progressive) -> Funding | None:
    """Contribution and seed in the proportion in which the model's maker divides what its fixed pays leave."""
    if len(progressive.levels) != 1:
        return None
    [level] = progressive.levels.values()
    model, usual = _model()
    scale = (1 - progressive.fixed_return) / (1 - model.fixed_return)
    seed_cost = sum(level.awarded * usual.seeds[meter] for meter, level in model.levels.items())
    most = scale * seed_cost / level.awarded if level.awarded else Fraction(0)
    seed = max((seed for seed in ROUND_SEEDS if seed <= most), default=0)
    contribution = Fraction(int(usual.contribution * scale * 100), 100)
    return Funding(contribution, {level.meter: Fraction(seed)}) if seed and contribution > 0 else None


def _model() -> tuple[Progressive, Funding]:
    usual = preconfigured(MODEL.key, MODEL_PAYTABLE)
    assert usual is not None, "the model is a table whose values are known"
    return counted(MODEL, MODEL_PAYTABLE, MODEL.paytables[MODEL_PAYTABLE], MODEL_DECKS, None), usual


def _reason(source: Source, funding: Funding, hold: Fraction, progressive: Progressive) -> str:
    """Why these, for whoever signs them."""
    holds = f"The house holds {percent(hold, 2)} of each wager in the long run"
    if source is Source.PRINTED_HOLDS:
        return f"The document prints no values: under these its printed holds come out. {holds} with these decks."
    [level] = progressive.levels.values()
    [seed] = funding.seeds.values()
    model, _ = _model()
    [other] = model.levels.values()
    here, there = (f"{float(1 / level_hit.awarded):,.0f}" for level_hit in (level, other))
    beside = ", as often as there" if here == there else f", and once in {there} there"
    return (
        f"The document prints no values. Proposed: {int(funding.contribution * 100)} % of each wager and a seed of "
        f"{int(seed):,} wagers, in the proportion in which Blazing 7's paytable {MODEL_PAYTABLE} divides what its "
        f"fixed pays leave. {meter_title(level.meter)} is hit once in {here} wagers here{beside}. {holds}."
    )
