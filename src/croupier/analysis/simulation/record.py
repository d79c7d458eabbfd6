"""A tally for programs."""

from __future__ import annotations

from typing import Any

from croupier.analysis.blackjack.sampled import hand_lines
from croupier.analysis.simulation.tally import Compared, Tally, WagerTally
from croupier.games.blackjack.game import of_the_family


def as_record(tally: Tally, *, compare: bool, confidence: float, complete: bool) -> dict[str, Any]:
    """All that was sampled, in the JSON form of `croupier simulate`."""
    simulation, job = tally.simulation, tally.simulation.job
    record: dict[str, Any] = {
        **{key: value for key, value in job.identity.items() if key != "wagers"},
        "strategy": simulation.strategy,
        "players": job.seats,
        "seed": job.seed,
        "rounds": tally.totals.rounds,
        "rounds_asked": job.rounds,
        "complete": complete,
        "void": tally.void,
        "confidence": confidence,
        "fingerprint": job.fingerprint,
        "wagers": [_wager_record(wager, compare=compare, confidence=confidence) for wager in tally.wagers],
    }
    if simulation.hand_bins is not None:
        counts = tally.totals.all_counts[simulation.hand_bins].tolist()
        record["hands"] = [
            {
                **{"outcome": line.outcome.label, "doubled": line.doubled, "from_split": line.from_split},
                **({"lent": True} if line.lent else {}),
                **({"doubled_free": True} if line.doubled_free else {}),
                "sampled": count,
            }
            for line, count in zip(hand_lines(of_the_family(simulation.game).rules), counts, strict=True)
            if count
        ]
    verdict = tally.verdict(confidence) if compare else None
    if verdict:
        record["verdict"] = {
            "agrees": verdict.agrees,
            "lines": verdict.lines,
            "p_value": verdict.p_value,
            "edges_outside_their_interval": tally.missed(confidence),
            "worst": {"wager": verdict.where, "line": verdict.worst.line.line, "z": verdict.worst.z},
        }
    return record


def _wager_record(tally: WagerTally, *, compare: bool, confidence: float) -> dict[str, Any]:
    """As `croupier odds` has it, with what is sampled called so: nothing in it is exact."""
    figures = tally.figures
    record: dict[str, Any] = {"wager": tally.of.wager.key, "paytable": tally.of.paytable_id, "times": tally.times}
    if not tally.times:
        return record | {"lines": []}
    compared = {one.line.line: one for one in tally.compared or ()} if compare else {}
    record |= {
        "house_edge": {"percent": 100 * float(figures.house_edge)},
        "interval_percent": _in_percent(tally.interval(confidence, counted=compare)),
        "standard_error_percent": 100 * tally.standard_error,
        "hit_frequency": {"percent": 100 * float(tally.hit_frequency)},
        "hit_frequency_interval_percent": _in_percent(tally.hit_interval(confidence)),
        "standard_deviation": figures.standard_deviation,
        "lines": [
            {
                "line": line.line,
                "pays": line.pays,
                "sampled": line.combinations,
                "probability": float(line.probability),
                "interval": tally.chance_interval({line.line}, confidence),
                "return": float(line.contribution),
                **_compared_record(compared.get(line.line)),
            }
            for line in figures.lines
        ],
    }
    if compare:
        record["counted_house_edge_percent"] = None if tally.exact_edge is None else 100 * tally.exact_edge
        record["house_edge_z"] = tally.edge_z
    return record


def _in_percent(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else [100 * end for end in interval]


def _compared_record(one: Compared | None) -> dict[str, Any]:
    return {} if one is None else {"counted": one.chance, "z": one.z, "p_value": one.p_value}
