"""How much of a meter is the house's own: what it may recover, and nothing that players have put in.

Seeds put it on. Whatever goes off a meter is players' money first and the house's last: so its own is never more than
the meter, and once it was paid out, later contributions do not bring it back. What is held for an award comes back with
it when the award is released. What the house adds to a fixed pay (`pay`) or carries across (`receive`) is not its own
on the meter. Wherever it could be said in two ways, it is said for the players.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.progressive.ledger import Entry, Purpose, Transfer
from croupier.progressive.proof import FIXED_PAYS
from croupier.progressive.state import LinkState

NOT_ITS_OWN = FIXED_PAYS | {"receive"}


def count_own(state: LinkState, entry: Entry) -> None:
    """Follow an entry that is in the book already, transfer by transfer."""
    if entry.kind == "start":  # wagers only add, and there are many
        return
    meters = _before(state, entry.transfers)
    for source, target, units in entry.transfers:
        match source.purpose, target.purpose:
            case Purpose.METER, other:
                meters[source.level] -= units
                taken_back = units if other is Purpose.HOUSE else 0
                _left(state, source.level, meters[source.level], taken_back, held=other is Purpose.PENDING)
            case other, Purpose.METER:
                meters[target.level] += units
                if other is Purpose.HOUSE and entry.kind not in NOT_ITS_OWN:
                    state.own[target.level] = state.own.get(target.level, 0) + units
                elif other is Purpose.PENDING:
                    back = min(units, state.own_held.get(target.level, 0))
                    state.own_held[target.level] = state.own_held.get(target.level, 0) - back
                    state.own[target.level] = state.own.get(target.level, 0) + back
            case Purpose.PENDING, _:
                state.own_held[source.level] = max(0, state.own_held.get(source.level, 0) - units)


def _before(state: LinkState, transfers: Iterable[Transfer]) -> dict[str, int]:
    """By level, what the meter held before these transfers."""
    meters: dict[str, int] = {}
    for source, target, units in transfers:
        for account, change in ((source, units), (target, -units)):
            if account.purpose is Purpose.METER:
                before = meters.get(account.level, state.book.balances.get(account, 0))
                meters[account.level] = before + change
    return meters


def _left(state: LinkState, level: str, meter: int, taken_back: int, *, held: bool) -> None:
    """After money has left the meter: the house's own is at most what still lies there."""
    own = max(0, state.own.get(level, 0) - taken_back)
    gone = max(0, own - meter)
    state.own[level] = own - gone
    if held:
        state.own_held[level] = state.own_held.get(level, 0) + gone
