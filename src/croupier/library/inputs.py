"""What a program hands to the library: read at once, and what is of the wrong kind is refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Integral
from typing import Any

from croupier.errors import NotationError
from croupier.games.money import Rounding
from croupier.games.paytable import Paytable
from croupier.games.table.offering import Limits

Pays = str | Mapping[str, str] | Paytable
"""A paytable of one's own: rows as the felt prints them, a pay by hand, or a table that was read before."""
OWN = "own"


def text(what: str, given: Any) -> str:
    """Words, as the name of a wager."""
    if not isinstance(given, str):
        raise NotationError(f"{what} is written as text, not {given!r}.")
    return given


def whole(what: str, given: Any) -> int:
    """A whole number, of NumPy's kinds as well as Python's, which may be written as 1e6."""
    is_whole = isinstance(given, Integral) or (isinstance(given, float) and given.is_integer())
    if is_whole and not isinstance(given, bool):
        return int(given)
    raise NotationError(f"{what} is a whole number, as 1_000_000 or 1e6, not {given!r}.")


def part(what: str, given: Any) -> Fraction:
    """A number, as 0.75."""
    try:
        return Fraction(str(given))
    except (ValueError, ZeroDivisionError) as error:
        raise NotationError(f"{what} is a number, as 0.75, not {given!r}.") from error


def names(what: str, given: Any) -> tuple[str, ...]:
    """One name or several."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Iterable):
        raise NotationError(f"{what} are names, as ['one', 'other'], not {given!r}.")
    return tuple(text(what, item) for item in given)


def by_name(what: str, given: Any) -> dict[str, Any]:
    """A dictionary."""
    if not isinstance(given, Mapping):
        raise NotationError(f"{what} are a dictionary by name, not {given!r}.")
    return {text(what, name): item for name, item in given.items()}


def limits(what: str, given: Any) -> Limits:
    """The least and the most on a spot, in cents."""
    if isinstance(given, Limits):
        return given
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise NotationError(f"{what} are the least and the most in cents, as (500, 10_000), not {given!r}.")
    return Limits(*(whole(what, item) for item in given))


def rounding(what: str, given: Any) -> Rounding:
    """The smallest chip, in cents."""
    return given if isinstance(given, Rounding) else Rounding(whole(what, given))


def paytable(pays: Pays, name: str = OWN) -> Paytable:
    """A paytable of your own: `Pair 1 to 1; Flush 4 to 1`, a row a line, or `{"Pair": "1 to 1"}`."""
    name = text("name of a paytable", name)
    if isinstance(pays, Paytable):
        return pays
    if not isinstance(pays, str | Mapping):
        raise NotationError(
            f"{pays!r} is no paytable: write rows, as 'Pair 1 to 1; Flush 4 to 1', or a dictionary of hands and pays."
        )
    rows = pays if isinstance(pays, str) else "\n".join(f"{hand}   {pay}" for hand, pay in pays.items())
    return Paytable.parse(name, rows)
