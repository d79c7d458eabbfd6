"""A game at one table: START GAME locks the lit wagers and moves the meters, END GAME resets for the next one.

Until that one begins, a supervisor can reopen the game that ended: a late winner is paid from what stood then.

Chips that are laid late or lifted early between the two change nothing, so they are told to whoever looks
(`ignored_chips`) and do not go in the book.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.forms import plain
from croupier.floor.link.acts import EndGame, ReopenGame, StartGame
from croupier.floor.link.meters import Moves, all_stand, contribute
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import LinkState, Status, TableCycle, undecided
from croupier.floor.refusals import No, refusal
from croupier.ledger.clock import time_of
from croupier.ledger.entry import Entry


def start(state: LinkState, act: StartGame) -> Decision:
    """Every seat whose sensor is lit is in, if it has a base wager; its wager goes to meters, reserves and tray."""
    if state.status is not Status.OPEN:
        raise refusal(No.NOT_OPEN, link=state.name, why=state.stopped and f" ({state.stopped})")
    setup, table, cycle = state.setup, act.table, state.cycle(act.table)
    if cycle.on:
        raise refusal(No.GAME_ON, table=table)
    _check_seats(act, setup.table[table].seats)
    moves = Moves(state.book.balances)
    contribute(moves, setup, len(act.lit), state.inside() if state.locked else moves)
    facts = {
        "table": table,
        "round": cycle.round + 1,
        "seats": sorted(act.lit),
        "based": sorted(act.based),
        "wager_cents": setup.wager_cents,
    }
    return Decision(EntryKind.START, facts, moves.transfers)


def _check_seats(act: StartGame, last: int) -> None:
    """Seats of the table, each once, and every wager beside a base wager."""
    known = range(1, last + 1)
    lit, based = set(act.lit), set(act.based)
    for distinct, seats in ((lit, act.lit), (based, act.based)):
        if len(distinct.intersection(known)) < len(seats):
            wrong = next(seat for place, seat in enumerate(seats) if seat not in known or seat in seats[:place])
            raise refusal(No.NO_SUCH_SEAT, table=act.table, seats=last, seat=wrong)
    if not lit <= based:
        bare = next(seat for seat in act.lit if seat not in act.based)
        raise refusal(No.NO_BASE_WAGER, seat=bare, table=act.table)


def started(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    cycle = state.tables.get(facts["table"])
    if cycle is None:
        cycle = state.tables[facts["table"]] = TableCycle()
    seats, based = tuple(facts["seats"]), tuple(facts["based"])
    cycle.begin(facts["round"], seats, based, entry.at if state.setup.least_round_s else "")


def check_not_too_soon(state: LinkState, table: int, at: str) -> None:
    """Refuse a hand before the least time since START GAME is over; by the times of the entries, so it is proved."""
    cycle, least = state.cycle(table), state.setup.least_round_s
    if not least or not cycle.on or not cycle.started:
        return
    passed = time_of(max(at, state.book.at)) - time_of(cycle.started)
    wait = timedelta(seconds=least) - passed
    if wait > timedelta():
        raise refusal(No.TOO_SOON, least=_seconds(least), wait=_seconds(-(-wait // timedelta(seconds=1))))


def _seconds(number: int) -> str:
    return f"{number} second{'s' * (number > 1)}"


def end(state: LinkState, act: EndGame) -> Decision:
    """Not before every award of the game is decided."""
    cycle = state.game(act.table)
    for award in state.of_round(act.table):
        raise undecided(award)
    return Decision(EntryKind.END, {"table": act.table, "round": cycle.round})


def ended(state: LinkState, entry: Entry) -> None:
    state.tables[entry.facts["table"]].end(all_stand(state.setup, state.inside()))


def reopen(state: LinkState, act: ReopenGame) -> Decision:
    """The game goes on as it ended: its wagers, its hands, and its meters as they stood then, however they moved since.

    What wagers at other tables have brought meanwhile stays on the meters.
    """
    cycle = state.cycle(act.table)
    if cycle.on:
        raise refusal(No.ANOTHER_GAME, table=act.table)
    if cycle.last is None:
        raise refusal(No.NO_LAST_GAME, table=act.table)
    last = cycle.last
    facts = {
        **{"table": act.table, "round": cycle.round, "seats": list(last.seats), "based": list(last.based)},
        "reason": reason_given(act.reason),
        "stands": {level: plain(stand) for level, stand in (last.stood or last.stands).items()},
    }
    return Decision(EntryKind.REOPEN, facts)


def reopened(state: LinkState, entry: Entry) -> None:
    state.tables[entry.facts["table"]].reopen()


class IgnoredChips(NamedTuple):
    """What sensors show during a game that does not count."""

    late: tuple[int, ...]
    """Seats with a chip laid after START GAME: no wager."""
    lifted: tuple[int, ...]
    """Seats whose chip is gone: the wager stands. Where chips are removed at the start, that is all of them."""


def ignored_chips(state: LinkState, table: int, lit: Iterable[int]) -> IgnoredChips:
    """Compare the sensors with what was locked; outside a game nothing is ignored."""
    cycle, now = state.cycle(table), set(lit)
    if not cycle.on:
        return IgnoredChips((), ())
    locked = set(cycle.seats)
    return IgnoredChips(tuple(sorted(now - locked)), tuple(sorted(locked - now)))


def chips_in_words(setup: LinkSetup) -> str:
    """What the dealer does with the wagers once the game has started."""
    if setup.wagers_stay:
        return "Leave the progressive wagers on the layout until they are settled."
    return "Remove the progressive wagers from the layout: they are locked in."
