"""What a wager pays, written as the felt prints it: `Straight Flush   40 to 1`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from croupier.errors import NotationError, PaytableError

LARGEST_ODDS = 10**9
LONGEST_ROW = 200

_NUMBER = r"\d{1,3}(?:,\d{3}){1,4}|\d{1,15}(?:\.\d{1,9})?"
_PAY = (
    rf"(?:(?P<win>{_NUMBER})(?:\s*|-)(?P<word>to|for)(?:\s*|-)(?P<stake>\d{{1,15}})"
    r"(?:\s+less\s+(?:(?P<less>\d{1,3}(?:\.\d{1,9})?)\s*%(?:\s+commission)?"
    r"|\$(?P<flat>\d{1,6}(?:\.\d\d)?)(?:\s+commission)?\s+at\s+\$(?P<at>\d{1,6}(?:\.\d\d)?)))?"
    r"|(?P<share>\d{1,3}(?:\.\d{1,6})?)\s*%(?:[ ]+(?P<meter>[A-Za-z]+))?"
    r"|(?P<plain>push|lose|no wager))"
)
_PAY_ALONE = re.compile(_PAY, re.IGNORECASE | re.ASCII)
_ROW = re.compile(rf"(?P<label>.*?\S)[\s:|.]+{_PAY}", re.IGNORECASE | re.ASCII)


class Kind(StrEnum):
    TO = "to"
    """Odds `to 1`: the win on top of the wager, which is returned."""
    FOR = "for"
    """Odds `for 1`: the win in place of the wager, which is not returned."""
    PUSH = "push"
    """The wager is returned."""
    LOSE = "lose"
    """The wager is taken."""
    SHARE = "share"
    """A share of a progressive meter, `100% Mega`, in place of the wager, which is not returned."""
    NO_WAGER = "no wager"
    """Nothing was at stake on this spot."""


@dataclass(frozen=True, slots=True)
class Pay:
    """The pay of one line; `Pay.parse(str(pay)) == pay`."""

    kind: Kind
    win: int = 0
    stake: int = 1
    commission: Fraction = Fraction(0)
    share: Fraction = Fraction(0)
    """Of a meter: 1 for all of it."""
    meter: str = ""
    """Which one, where there are several."""
    flat_cents: int = 0
    """A commission that is the same whatever was wagered; it is never more than the win."""
    at_cents: int = 0
    """The wager that figures are for, where the commission is flat: per unit it is less, the more is wagered."""

    def __hash__(self) -> int:
        return hash((self.win, self.stake, self.meter))  # tables are looked up often, and fractions hash slowly

    @classmethod
    def parse(cls, text: str) -> Pay:
        """Read `4 to 1`, `1 to 1 less 5%`, `1 to 1 less $0.50 at $10`, `100% Mega`, `push`, `lose` or `no wager`."""
        match = _PAY_ALONE.fullmatch(text.strip())
        if not match:
            raise NotationError(f"{text[:60]!r} is no pay: write it as '4 to 1', '1 to 1 less 5%', 'push' or 'lose'.")
        return cls._from(match)

    @classmethod
    def _from(cls, match: re.Match[str]) -> Pay:
        if match["plain"]:
            return cls(Kind(match["plain"].lower()))
        if match["share"]:
            return cls._share(match)
        win, stake = Fraction(match["win"].replace(",", "")), int(match["stake"])
        commission = Fraction(match["less"] or 0) / 100
        text = match[0].strip()
        if stake == 0:
            raise NotationError(f"{text!r} pays on a wager of 0: the second number must be at least 1.")
        if win == 0:
            raise NotationError(f"{text!r} pays nothing: write 'push' or 'lose'.")
        if stake * win.denominator > LARGEST_ODDS:
            raise NotationError(f"{text!r} has too many digits: the second number is at most {LARGEST_ODDS:,}.")
        if win / stake > LARGEST_ODDS:
            raise NotationError(f"{text!r} is above the largest odds, {LARGEST_ODDS:,} to 1.")
        if commission >= 1:
            raise NotationError(f"{text!r} takes the whole win as commission: it must be below 100 %.")
        kind = Kind(match["word"].lower())
        flat, at = (int(Fraction(match[name] or 0) * 100) for name in ("flat", "at"))
        if match["flat"] and not (flat and at):
            raise NotationError(f"{text!r} has a flat commission of nothing, or at a wager of nothing.")
        if (commission or flat) and kind is Kind.FOR:
            raise NotationError(f"{text!r} takes a commission from a 'for' pay: commission goes with 'to'.")
        # 1.5 to 1 is kept as 3 to 2: odds are whole numbers.
        return cls(kind, win.numerator, stake * win.denominator, commission, flat_cents=flat, at_cents=at)

    @classmethod
    def _share(cls, match: re.Match[str]) -> Pay:
        share = Fraction(match["share"]) / 100
        if not 0 < share <= 1:
            raise NotationError(f"{match[0].strip()!r} is no share of a meter: it goes from above 0 % to 100 %.")
        return cls(Kind.SHARE, share=share, meter=(match["meter"] or "").title())

    def __str__(self) -> str:
        if self.kind is Kind.SHARE:
            return f"{_percent(self.share)}%{f' {self.meter}' if self.meter else ''}"
        if self.kind not in (Kind.TO, Kind.FOR):
            return self.kind.value
        less = f" less {_percent(self.commission)}%" if self.commission else ""
        if self.flat_cents:
            less = f" less {_money(self.flat_cents)} at {_money(self.at_cents)}"
        return f"{self.win:,} {self.kind.value} {self.stake}{less}"

    @property
    def odds(self) -> Fraction:
        """What is handed out per unit of wager, before commission and without the wager itself."""
        return Fraction(self.win, self.stake)

    @property
    def staked(self) -> int:
        """1, or 0 where nothing was at stake."""
        return 0 if self.kind is Kind.NO_WAGER else 1

    @property
    def net(self) -> Fraction:
        """The player's exact result per unit of wager; what a meter pays comes on top."""
        return self.net_of(1)

    def net_of(self, units: int) -> Fraction:
        """The same of a spot on which so many units lie; a flat commission is taken once."""
        if self.kind is Kind.TO:
            win = units * self.odds
            if self.flat_cents:
                return win - min(Fraction(self.flat_cents, self.at_cents), win)
            return win * (1 - self.commission) if self.commission else win
        return units * self._net

    @property
    def has_commission(self) -> bool:
        return bool(self.commission or self.flat_cents)

    def commission_on(self, win_cents: Fraction) -> Fraction:
        """What is taken from a win, before it is rounded to chips."""
        return min(Fraction(self.flat_cents), win_cents) if self.flat_cents else win_cents * self.commission

    @property
    def _net(self) -> Fraction:
        if self.kind is Kind.FOR:
            return self.odds - 1
        return Fraction(-1 if self.kind in (Kind.LOSE, Kind.SHARE) else 0)

    def from_meter(self, worth: Fraction) -> Pay:
        """A share as the `for` pay it amounts to while its meter is worth so many wagers."""
        award = self.share * worth
        return Pay(Kind.FOR, award.numerator, award.denominator)


def _percent(share: Fraction) -> str:
    """Shares are read from short decimals, so they are written exactly."""
    return f"{(Decimal(share.numerator * 100) / share.denominator).normalize():f}"


def _money(cents: int) -> str:
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"


LOSE = Pay(Kind.LOSE)


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    """What rules, books and digests call the hand."""
    pay: Pay
    line: int = field(default=0, compare=False)
    named: str = field(default="", compare=False)
    """As the rule document prints it, where that is not the label."""

    @property
    def printed(self) -> str:
        return self.named or self.label


@dataclass(frozen=True)
class Paytable:
    """A posted table of pays; `Paytable.parse(table.name, str(table)) == table`."""

    name: str
    rows: tuple[Row, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Paytable:
        """Read one row a line (or `;`): a hand, then its pay. `#` starts a comment."""
        rows: list[Row] = []
        seen: dict[str, int] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            for part in line.split("#")[0].split(";"):
                if part.strip():
                    row = _parse_row(part.strip(), number, name)
                    if plain_label(row.label) in seen:
                        raise PaytableError(
                            f"{row.label!r} is already on line {seen[plain_label(row.label)]}.",
                            line=number,
                            source=name,
                        )
                    seen[plain_label(row.label)] = number
                    rows.append(row)
        if not rows:
            raise PaytableError("there is no row; write one a line, as 'Straight Flush   40 to 1'.", source=name)
        return cls(name, tuple(rows))

    def printing(self, names: Mapping[str, str]) -> Paytable:
        """The same table, in print with other names for these labels."""
        return replace(self, rows=tuple(replace(row, named=names.get(row.label, "")) for row in self.rows))

    def __str__(self) -> str:
        width = max(len(row.label) for row in self.rows)
        return "\n".join(f"{row.label:<{width}}   {row.pay}" for row in self.rows)


def _parse_row(text: str, line: int, source: str) -> Row:
    match = _ROW.fullmatch(text) if len(text) <= LONGEST_ROW else None
    if not match:
        raise PaytableError(
            f"{text[:60]!r} does not end in a pay; write a hand and a pay, as 'Straight Flush   40 to 1'.",
            line=line,
            source=source,
        )
    try:
        label = " ".join(match["label"].split())
        if not label.isprintable():
            raise NotationError(f"{label!r} holds characters that cannot be printed.")
        return Row(label, Pay._from(match), line)
    except NotationError as error:
        raise PaytableError(str(error), line=line, source=source) from None


@lru_cache(maxsize=1024)
def plain_label(label: str) -> str:
    """`Three-of-a-Kind`, `three of a kind` and `Three  of a Kind` are one label."""
    return re.sub(r"[^a-z0-9+]+", " ", label.lower()).strip()
