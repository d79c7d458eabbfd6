"""The report that a laboratory signs: a PAR sheet, and what its figures rest on and were held against.

report = laboratory_report(game, Asked(), register, find_paytable, Laboratory(rounds=1_000_000))
report.as_pdf()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import OPTIMAL, Asked
from croupier.analysis.par.laboratory import (
    NO_CONTROL,
    Control,
    Counted,
    ReportSection,
    corroboration_section,
    covariance_section,
    readings_section,
    verification_section,
    verified_on_record,
    vulnerability_section,
)
from croupier.analysis.par.sheet import AnyPar, Register
from croupier.analysis.simulation.request import Sample, simulation_of
from croupier.errors import CroupierError, NotationError
from croupier.games.game import TableGame
from croupier.games.wager import FindPaytable

if TYPE_CHECKING:
    from croupier.analysis.vulnerability.shoes import Watch

MOST_ROUNDS = 10**9


class Laboratory(NamedTuple):
    """How much is dealt for a report."""

    rounds: int = 1_000_000
    """Of the simulation that the count is held against."""
    shoes: int = 2_000
    """Of each wager that a counter could watch."""
    seed: int = 7
    control: Control = NO_CONTROL

    def check(self) -> None:
        self.control.check()
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise NotationError(f"A report deals from 1 to {MOST_ROUNDS:,} rounds, not {self.rounds:,}.")
        self.watched().check()

    def watched(self) -> Watch:
        """The shoes on which counters are watched."""
        from croupier.analysis.vulnerability.shoes import USUAL_PENETRATIONS, Watch

        return Watch(USUAL_PENETRATIONS, 1, self.shoes, self.seed)


def laboratory_report(
    game: TableGame, asked: Asked, register: Register, find_paytable: FindPaytable, laboratory: Laboratory
) -> AnyPar[Any]:
    """The PAR sheet that is asked for, with every section of the report."""
    laboratory.check()
    par: AnyPar[Any] = analyst_of(game).par(asked, register, find_paytable)
    sections = tuple(_sections(game, asked, par, find_paytable, laboratory))
    return replace(par, control=laboratory.control, sections=sections)


def _sections(
    game: TableGame, asked: Asked, par: AnyPar[Any], find_paytable: FindPaytable, laboratory: Laboratory
) -> Iterator[ReportSection]:
    from croupier.analysis.readings.record import PAGES, readings_on_record

    analyst, readings = analyst_of(game), list(readings_on_record(game.key)) if game.key in PAGES else []
    yield readings_section(readings, par.assumptions())
    if asked.wager is None:
        yield covariance_section(*analyst.covariances(asked, find_paytable))
    yield verification_section(map(_counted, par.sheets), par.printed_as_json(), verified_on_record())
    yield _simulated(game, asked, par, find_paytable, laboratory)
    yield vulnerability_section(*_vulnerable(game, asked, par, find_paytable, laboratory))


def _counted(sheet: Any) -> Counted:
    from croupier.analysis.par.side_wagers import priced_at

    exact = sheet.as_json().get("house_edge", {}).get("exact")
    strategy = "" if sheet.strategy in (None, OPTIMAL) else sheet.strategy
    edge = None if exact is None else Fraction(exact)
    meters = priced_at(sheet) if getattr(sheet, "meters", None) else ""
    return Counted(sheet.wager.title, str(sheet.paytable_id), sheet.digest, edge, strategy, meters)


def _simulated(
    game: TableGame, asked: Asked, par: AnyPar[Any], find_paytable: FindPaytable, laboratory: Laboratory
) -> ReportSection:
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.tally import Tally

    wagers = dict.fromkeys(sheet.wager.key for sheet in par.sheets)
    sample = Sample(
        game.key,
        laboratory.rounds,
        laboratory.seed,
        wagers=tuple(wagers) if asked.wager else (),
        paytables=[(asked.wager, asked.paytable)] if asked.wager and asked.paytable else (),
        strategy=asked.strategy if any(sheet.strategy for sheet in par.sheets) else "",
        rules=asked.rules,
        decks=asked.decks,
        compare=True,
        options=game.options_read,
    )
    simulation = simulation_of(sample, find_paytable)
    return corroboration_section(Tally(simulation, run(simulation.job).totals), laboratory.seed)


def _vulnerable(
    game: TableGame, asked: Asked, par: AnyPar[Any], find_paytable: FindPaytable, laboratory: Laboratory
) -> tuple[Sequence[Any], list[str]]:
    """Each wager under the first of its sheets, and why others are left out."""
    from croupier.analysis.vulnerability.shoes import usual_shoes

    watched = laboratory.watched()
    vulnerable, left_out, noted = [], list[str](), dict[str, list[str]]()
    first = {sheet.wager.key: sheet for sheet in reversed(par.sheets)}
    for wager in dict.fromkeys(sheet.wager for sheet in par.sheets):
        name = asked.paytable or str(first[wager.key].paytable_id)
        question = asked._replace(wager=wager.key, paytable=name, players=None)
        dealt = watched._replace(shoes=usual_shoes(game, wager, watched.shoes))
        try:
            result = analyst_of(game).vulnerability(question, dealt, find_paytable)
        except CroupierError as refused:
            left_out.append(str(refused))
            continue
        vulnerable.append(result)
        for note in result.notes:
            noted.setdefault(note, []).append(wager.title)
    left_out += [f"{', '.join(titles)}: {note}" for note, titles in noted.items()]
    return vulnerable, list(dict.fromkeys(left_out))
