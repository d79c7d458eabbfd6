"""Shares of a meter in words: a table announces them, and whoever keeps the meter pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from croupier.games.paytable import Kind, Pay
from croupier.games.settlement import Settlement


def awarded(settlements: Iterable[Settlement]) -> list[Settlement]:
    """The wagers that won a share of a meter."""
    return [each for each in settlements if each.pay.kind is Kind.SHARE]


def beside_the_money(settlement: Settlement) -> str:
    """` + 100 % of Mega`: what a result in money leaves out; nothing where no share was won."""
    return f" + {_share(settlement.pay)} of {settlement.pay.meter or 'the meter'}" if awarded([settlement]) else ""


def owed(settlements: Iterable[Settlement]) -> str:
    """`100 % of the Mega meter and 20 % of the Minor meter`; nothing where no share was won."""
    won = Counter(_in_full(each.pay) for each in awarded(settlements))
    *others, last = [f"{share}{f' ({times} times)' if times > 1 else ''}" for share, times in won.items()] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def is_owed(settlements: Iterable[Settlement]) -> str:
    """`, and 100 % of the Mega meter is owed`: what follows the money that a seat won or lost."""
    found = awarded(settlements)
    return f", and {owed(found)} {'is' if len(found) == 1 else 'are'} owed" if found else ""


def _in_full(pay: Pay) -> str:
    return f"{_share(pay)} of {f'the {pay.meter} meter' if pay.meter else 'the meter'}"


def _share(pay: Pay) -> str:
    return str(pay).split("%", maxsplit=1)[0] + " %"
