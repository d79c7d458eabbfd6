"""What makes a PAR sheet a report that a laboratory signs: who stands for it, and what its figures were held against.

A section has its words and tables as they are printed, and the same for programs. `analysis.report` puts them together.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from croupier.analysis.par.print import SectionInPrint, TableInPrint
from croupier.analysis.printing import fixed, listed, percent
from croupier.errors import NotationError

if TYPE_CHECKING:
    from croupier.analysis.session.covariance import Covariance
    from croupier.analysis.simulation.tally import Tally, WagerTally
    from croupier.analysis.vulnerability.shoes import Vulnerability, Won

LONGEST = 80
"""Of a name, in characters."""
ROLES = ("prepared", "reviewed", "approved")
"""As what people answer for a document, in print and by a signature."""


class Control(NamedTuple):
    """What a document control sheet asks: which document this is, and who answers for it."""

    number: str = ""
    revision: str = ""
    date: str = ""
    prepared: str = ""
    reviewed: str = ""
    approved: str = ""

    def check(self) -> None:
        """What cannot be printed on a line, or is no day, is refused."""
        for name, text in self._asdict().items():
            if len(text) > LONGEST or not text.isprintable():
                raise NotationError(f"{name} is one line of at most {LONGEST} characters, not {text[:20]!r}.")
        if self.date and not _is_day(self.date):
            raise NotationError(f"{{date}} is a day, as 2026-11-17, not {self.date!r}.", fields=["date"])

    def facts(self) -> Iterator[tuple[str, str]]:
        for name, text in (("Document", self.number), ("Revision", self.revision), ("Date", self.date)):
            if text:
                yield name, text

    def signatures(self) -> Iterator[tuple[str, str]]:
        """A line for each who signs; none on a sheet that is no document of its own."""
        if self != NO_CONTROL:
            for role in ROLES:
                yield f"{role.title()} by", getattr(self, role)


NO_CONTROL = Control()


def _is_day(text: str) -> bool:
    try:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII)) and bool(date.fromisoformat(text))
    except ValueError:
        return False


@dataclass(frozen=True)
class ReportSection:
    """One part of the report, printed and for programs."""

    key: str
    printed: SectionInPrint
    data: Any


# Readings and assumptions


class RuleReading(Protocol):
    """A point that a rule document leaves open, and how it is read: `readings.record.OnRecord`."""

    @property
    def at(self) -> str: ...
    @property
    def standing(self) -> str: ...
    @property
    def words(self) -> str: ...
    def as_json(self) -> dict[str, Any]: ...


def readings_section(readings: Sequence[RuleReading], assumptions: Iterable[str]) -> ReportSection:
    """On one page: what was assumed, and how each open point of the document is read."""
    assumed = tuple(assumptions)
    table = TableInPrint(
        title="Readings on record",
        columns=("Paragraph", "Read as", "Standing"),
        words=3,
        rows=tuple((reading.at, reading.words, str(reading.standing)) for reading in readings),
        note="`croupier readings` has the figures behind each.",
    )
    none = () if readings else ("No reading is on record: no rule document is read here.",)
    return ReportSection(
        "readings_and_assumptions",
        SectionInPrint("Readings and assumptions", (*assumed, *none), (table,) if readings else ()),
        {"assumptions": list(assumed), "readings": [reading.as_json() for reading in readings]},
    )


# Covariances


def covariance_section(covariances: Sequence[Covariance], left_out: Sequence[str]) -> ReportSection:
    """How the wagers of one seat move together, and one wager at two seats."""
    words = (
        "Wagers of one seat are on the same cards, and two seats share the dealer's hand and the deck. The variance of "
        "several is the sum of their variances and of twice each covariance times both stakes.",
    )
    table = TableInPrint(
        title="Covariance of wagers at one seat and at two, per unit of each",
        columns=("Wager", "And", "Covariance", "Correlation", "Deviation of both"),
        words=2,
        rows=tuple(
            (
                covariance.one,
                covariance.other,
                fixed(Fraction(covariance.covariance), 6, signed=True),
                f"{covariance.correlation:+.4f}",
                f"{covariance.deviation:.4f}",
            )
            for covariance in covariances
        ),
        note="Paytables are the first of each wager. "
        + ("Exact counts." if all(covariance.exact for covariance in covariances) else ""),
    )
    return ReportSection(
        "covariances",
        SectionInPrint("Covariances", (*words, *left_out), (table,) if covariances else ()),
        {"covariances": [covariance.as_json() for covariance in covariances], "left_out": list(left_out)},
    )


# Independent verification


class Verified(NamedTuple):
    """One comparison on record: a program that shares no line with this one, and what both came to."""

    digest: str
    """Of the rules and pays that were compared."""
    game: str
    wager: str
    paytable: str
    figure: str
    ours: str
    theirs: str
    method: str
    program: str
    """The other program, and the SHA-256 of its file."""
    sha256: str
    day: str
    meters: str = ""
    """What they were priced at, where there are any."""

    def result(self, edge: Fraction) -> str:
        """Of the second program's figure beside the edge that is counted now."""
        return "agrees exactly" if edge == Fraction(self.theirs) else "DIFFERS"


class Counted(NamedTuple):
    """The figure of a sheet that a second program may have counted."""

    wager: str
    paytable: str
    digest: str
    """Of the rules and pays."""
    edge: Fraction | None
    """None where it is not an exact fraction."""
    strategy: str = ""
    """Where it is not the best one: a second count is of best play."""
    meters: str = ""
    """What they are priced at, where there are any: a second count holds for the same alone."""

    @property
    def name(self) -> str:
        played = f", by the strategy {self.strategy}" if self.strategy else ""
        priced = f", priced at {self.meters}" if self.meters else ""
        return f"{self.wager}, paytable {self.paytable}{priced}{played}"


@cache
def verified_on_record() -> tuple[Verified, ...]:
    """What was compared, when, and with which result: `python -m tests.independent.record` writes it."""
    text = files("croupier.analysis.par").joinpath("verified.toml").read_text(encoding="utf-8")
    return tuple(Verified(**row) for row in tomllib.loads(text).get("compared", ()))


def verification_section(
    sheets: Iterable[Counted], printed: Sequence[Mapping[str, Any]], record: Sequence[Verified]
) -> ReportSection:
    """What the figures of these sheets were compared with: the edge that a sheet has now, and no kept one."""
    kept = {verified.digest: verified for verified in record}
    compared, missing = list[tuple[Counted, Verified, str]](), list[str]()
    for sheet in sheets:
        verified = kept.get(sheet.digest)
        if verified is None or sheet.edge is None or sheet.strategy or sheet.meters != verified.meters:
            missing.append(sheet.name)
        else:
            compared.append((sheet, verified, verified.result(sheet.edge)))
    words = [
        "Each figure below was counted a second time, by a program that shares no line with this one and takes no "
        "short cut by symmetry. A record is found by the digest of the rules and pays, so that a change of either "
        "leaves it behind; the result holds its figure against the edge on this sheet, as it was counted now.",
    ]
    if missing:
        words.append(f"No independent count is on record for: {'; '.join(missing)}.")
    tables = [
        TableInPrint(
            title="Counted by two programs",
            columns=("Wager", "Paytable", "By", "Day", "Result", "House edge"),
            words=5,
            rows=tuple(
                (
                    sheet.wager,
                    sheet.paytable,
                    verified.method + (f", priced at {verified.meters}" if verified.meters else ""),
                    verified.day,
                    result,
                    percent(Fraction(verified.theirs), 6),
                )
                for sheet, verified, result in compared
            ),
        )
    ]
    if printed:
        tables.append(
            TableInPrint(
                title="Compared with what is printed or published, now",
                columns=("Wager", "Paytable", "Figure", "Result", "Theirs", "Counted"),
                words=4,
                rows=tuple(
                    (
                        figure["wager"],
                        figure["paytable"],
                        figure["label"],
                        figure["verdict"],
                        figure["printed"],
                        figure["counted"],
                    )
                    for figure in printed
                ),
            )
        )
    return ReportSection(
        "independent_verification",
        SectionInPrint("Independent verification", tuple(words), tuple(table for table in tables if table.rows)),
        {
            "compared": [
                verified._asdict() | {"ours": str(sheet.edge), "result": result} for sheet, verified, result in compared
            ],
            "not_on_record": missing,
            "printed": list(printed),
        },
    )


# Simulation


class Corroborated(NamedTuple):
    """One wager as it was sampled, beside its count."""

    wager: str
    paytable: str
    rounds: int
    sampled: float
    exact: float
    z: float
    """How many standard errors the sampled edge lies above the exact one; the error is that of the exact law."""

    @classmethod
    def of(cls, tally: WagerTally) -> Corroborated | None:
        """None where the exact law is not known, or the wager never came up."""
        chances = tally.of.chances
        if chances is None or not tally.times:
            return None
        nets = {outcome: float(tally.of.prices[outcome].net) for outcome in chances}
        mean = sum(nets[outcome] * float(chance) for outcome, chance in chances.items())
        square = sum(nets[outcome] ** 2 * float(chance) for outcome, chance in chances.items())
        error = sqrt(max(0.0, square - mean**2) / tally.times)
        sampled = float(tally.figures.house_edge)
        z = (sampled + mean) / error if error else 0.0
        return cls(tally.of.wager.title, tally.of.paytable_id, tally.times, sampled, -mean, z)


def corroboration_section(tally: Tally, seed: int) -> ReportSection:
    """Rounds dealt at random by the rules of the live table, held against the count."""
    corroborated = [sampled for wager in tally.wagers if (sampled := Corroborated.of(wager))]
    verdict = tally.verdict()
    strategy = tally.simulation.strategy
    decided = f", decided by the strategy: {strategy}" if strategy else ""
    words = [
        f"{tally.totals.rounds:,} rounds with one player were dealt at random{decided}, random seed {seed}; the same "
        "seed deals them again. z is how many standard errors the sampled edge lies above the exact one; beyond 2.58 "
        "either way comes by chance once in a hundred.",
    ]
    if verdict:
        agrees = "agrees with" if verdict.agrees else "DIFFERS from"
        words.append(
            f"Over all {verdict.lines} lines the sample {agrees} the count: the line furthest off, {verdict.where} "
            f"{verdict.worst.line.line!r}, would be as far off by chance with probability {verdict.p_value:.3f}."
        )
    table = TableInPrint(
        title="Sampled and exact",
        columns=("Wager", "Paytable", "Made", "Sampled edge", "Exact edge", "z"),
        words=2,
        rows=tuple(
            (
                sampled.wager,
                sampled.paytable,
                f"{sampled.rounds:,}",
                percent(Fraction(sampled.sampled), 4),
                percent(Fraction(sampled.exact), 4),
                f"{sampled.z:+.2f}",
            )
            for sampled in corroborated
        ),
    )
    data = {
        "rounds": tally.totals.rounds,
        "random_seed": seed,
        "strategy": strategy,
        "agrees": verdict.agrees if verdict else None,
        "p_value": verdict.p_value if verdict else None,
        "wagers": [sampled._asdict() for sampled in corroborated],
    }
    return ReportSection("simulation", SectionInPrint("Simulation", tuple(words), (table,)), data)


# Vulnerability


def _with_interval(won: Won) -> str:
    """`0.395 ± 0.024`."""
    return f"{won.units:.3f}" + (f" ± {won.interval[1] - won.units:.3f}" if won.interval else "")


def vulnerability_section(answers: Sequence[Vulnerability], left_out: Sequence[str]) -> ReportSection:
    """By wager: the best whole count at the deepest usual cut, and the bound."""
    rows, deepest = [], None
    for vulnerable in answers:
        best, bound = vulnerable.best_count(), vulnerable.bound()
        if best is None:
            continue
        deepest = best.penetration
        count = next(count for count in vulnerable.effects.counts if count.name == best.count)
        rows.append(
            (
                vulnerable.sheet.wager.title,
                vulnerable.sheet.paytable_id,
                "" if best.edge is None else f"{best.count} {count.in_words}",
                "" if best.edge is None else f"{vulnerable.effects.correlation(count):.3f}",
                best.trigger_in_words,
                percent(Fraction(best.bets), 2),
                "" if best.edge is None else percent(Fraction(best.edge), 2),
                _with_interval(best),
                "" if bound is None else _with_interval(bound),
            )
        )
    words = [
        "Effects of removal are exact, those of the Bet to within 1e-10. What a counter wins is simulated on shoes "
        "dealt as at a table. Of a side wager the worth with the cards left is computed, and the trigger is chosen "
        "on a quarter of the shoes and judged on the others; perfect play bets whenever that worth is good: no "
        "count wins more. Of the Bet a round counts by what it won.",
    ]
    words = [*(words if answers else ()), *left_out]
    if deepest is not None:
        sample = answers[0].watched
        by_shoes = dict[int, list[str]]()
        for vulnerable in answers:
            if vulnerable.won:
                by_shoes.setdefault(vulnerable.watched.shoes, []).append(vulnerable.sheet.wager.title)
        shoes = "; ".join(f"{some:,} shoes for {listed(titles, 'and')}" for some, titles in sorted(by_shoes.items()))
        words.insert(
            1,
            f"{shoes}; random seed {sample.seed}, {sample.players} at the table, the cut card at "
            f"{float(100 * deepest):.0f} % of the shoe. Units are per 100 rounds, one unit a bet, with their interval "
            "at 95 %.",
        )
    table = TableInPrint(
        title="What counting wins",
        columns=(
            *("Wager", "Paytable", "Best whole count, from the ace", "Correlation", "Trigger", "Bets", "Edge then"),
            *("Units", "Perfect"),
        ),
        words=3,
        rows=tuple(rows),
    )
    return ReportSection(
        "vulnerability",
        SectionInPrint("Vulnerability", tuple(words), (table,) if rows else ()),
        {"wagers": [vulnerable.as_json() for vulnerable in answers], "left_out": list(left_out)},
    )
