"""The table as it stood after each event of a round, so that a question can be asked of it in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Self

from croupier.games.acts import Settle
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.choices import open_any
from croupier.games.history import Act, History
from croupier.games.round import Round


def moments(round_: History) -> list[History]:
    """`moments(round_)[n]` is the table when event number n was the newest."""
    opened = open_any(round_.offering, round_.opening_shoe)
    return _of_blackjack(round_, opened) if isinstance(opened, BlackjackRound) else list(_of_packets(round_, opened))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Watched(BlackjackRound):
    """One act of blackjack deals many cards and settles many wagers: every table in between is kept."""

    kept: list[History] = field(default_factory=list, repr=False)

    def changed(self, **changes: object) -> Self:
        after = super().changed(**changes)
        if "events" in changes:
            self.kept.append(after)
        return after


def _of_blackjack(round_: History, opened: BlackjackRound) -> list[History]:
    watched = _Watched(**{each.name: getattr(opened, each.name) for each in fields(opened)})
    watched.kept.append(watched)
    for act in round_.acts:
        watched = watched.do(act)
    return watched.kept


def _of_packets(round_: History, opened: History) -> Iterator[History]:
    """Each packet and each decision is an act of its own; wagers that are settled together come one after another."""
    assert isinstance(opened, Round)
    yield opened
    before = opened
    for act in round_.acts:
        after = before.do(act)
        yield from _between(before, after, act)
        before = after


def _between(before: Round, after: Round, act: Act[Round]) -> Iterator[Round]:
    still = before if isinstance(act, Settle) else after  # the round is over when the last wager is settled
    settled = len(before.settlements)
    for number in range(len(before.events), len(after.events)):
        settled += after.events[number].kind == "settle"
        yield replace(still, events=after.events[: number + 1], settlements=after.settlements[:settled])
