"""What a person asks about blackjack and its side wagers, and what of it cannot be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.analysis.meter.wager import preconfigured
from croupier.analysis.printing import listed
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from croupier.games.paytable import Kind, Paytable
from croupier.games.wager import Wager, wager_key

MOST_PLAYERS = 7


NOT_SIDE_WAGERS = (None, "bet", "insurance")


OPTIMAL, BASIC = "optimal", "basic"


class Asked(NamedTuple):
    """What a person wants to know, as it was typed."""

    rules: str = ""
    decks: int | None = None
    wager: str | None = None
    paytable: str | None = None
    meters: Sequence[str] = ()
    seeds: Sequence[str] = ()
    contribution: str | None = None
    convention: str = "CDZ-"
    players: int | None = None
    with_bet: bool = False
    find_hold: str | None = None
    strategy: str = "optimal"
    chart: str | None = None
    remove: str = ""
    """Cards that are known to be gone from the shoe, as 'Ks Kh 9c'."""
    known: str = ""
    """Cards of the dealer's that were seen, or common cards that are turned next, as 'Kd'."""

    @property
    def key(self) -> str | None:
        """The wager, however it was written."""
        return None if self.wager is None else wager_key(self.wager)

    @property
    def removes(self) -> bool:
        """Whether any card is named: spaces and commas alone are none."""
        return bool(self.remove.replace(",", " ").strip())

    @property
    def exposes(self) -> bool:
        """Whether any card was seen."""
        return self.removes or bool(self.known.replace(",", " ").strip())


def check_questions(asked: Asked) -> None:
    """Some questions are about one side wager; what is wrong with them is said before anything is printed."""
    about_side = (asked.players is not None, asked.with_bet, asked.find_hold is not None)
    if any(about_side) and asked.key in NOT_SIDE_WAGERS:
        raise NotationError(
            "{players}, {with_bet} and {find_hold} are about one side wager: name it.",
            fields=["players", "with_bet", "find_hold"],
        )
    if (asked.meters or asked.seeds or asked.contribution) and asked.key in NOT_SIDE_WAGERS:
        raise NotationError(
            "{meter}, {seed_amount} and {contribution} are about one progressive wager: name it.",
            fields=["meter", "seed_amount", "contribution"],
        )
    if asked.players is not None and asked.key != BET_THE_BUST.key:
        raise NotationError(
            f"{{players}} is about bet-the-bust; {asked.wager} does not depend on them.", fields=["players"]
        )
    if asked.players is not None and not 1 <= asked.players <= MOST_PLAYERS:
        raise NotationError(f"There are 1 to {MOST_PLAYERS} players at a table, not {asked.players}.")
    if asked.removes and (any(about_side) or asked.key in (None, "bet")):
        raise NotationError(
            "{remove} is about one side wager alone: name it, without players, the Bet or a hold beside it. Of the Bet "
            "`croupier strategy blackjack` tells.",
            fields=["remove"],
        )
    if asked.known.strip():
        raise NotationError(
            "{known} is not counted here: a wager beside the Bet is made before there is a hole card. What seeing it "
            "is worth to the Bet, `croupier odds blackjack bet` tells with it.",
            fields=["known"],
        )
    if asked.find_hold is not None and not re.fullmatch(r"\d{1,2}(\.\d{1,6})?%?", asked.find_hold, re.ASCII):
        raise NotationError(f"{asked.find_hold!r} is no printed hold: write it as 24.78%.")
    if (asked.chart or asked.strategy != "optimal") and asked.key not in (None, "bet"):
        raise NotationError(
            f"{{strategy}} and {{chart}} are about the bet, not about {asked.wager}.", fields=["strategy", "chart"]
        )


def amounts(texts: Iterable[str], what: str) -> dict[str, Fraction]:
    """`5000` for the only meter, `Mega=5000` for one of several."""
    by_meter: dict[str, Fraction] = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        plain = amount.replace(",", "").strip()
        if not plain.isascii() or not plain.replace(".", "", 1).isdigit() or len(plain) > 15:
            raise NotationError(f"{text!r} is no {what}: write wagers, as 5000, or Mega=5000.")
        meter = name.strip().title() if equals else ""
        if meter in by_meter:
            raise NotationError(f"The {what} of {meter or 'the meter'} is given twice.")
        by_meter[meter] = Fraction(plain)
    return by_meter


def levels(wager: Wager, paytable: Paytable, given: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
    """Amounts for every meter of the paytable: those that are not given stand at their usual seeds."""

    if not given:
        return None
    known = next((name for name, own in wager.paytables.items() if own == paytable), paytable.name)
    there = list(dict.fromkeys(row.pay.meter for row in paytable.rows if row.pay.kind is Kind.SHARE))
    for name in given:
        if name not in there:
            raise NotationError(_no_such_meter(f"{wager.title}, paytable {known},", name, there))
    usual = preconfigured(wager.key, known)
    return {**(usual.seeds if usual else {}), **given}


def _no_such_meter(where: str, name: str, there: list[str]) -> str:
    if not there:
        return f"{where} has no meter."
    if there == [""]:
        return f"{where} has one meter: write its amount alone, as 5000, without {name!r}."
    which = f"{where} has the meters {listed(there, 'and')}"
    return f"{which}: there is no {name!r}." if name else f"{which}: say which, as {there[0]}=5000."


def share(text: str | None) -> Fraction | None:
    """`24%` or `24`, in percent: the part of a wager that goes to the meters."""
    if text is None:
        return None
    plain = text.strip().removesuffix("%").strip()
    if re.fullmatch(r"\d{1,3}(\.\d{1,8})?|\.\d{1,8}", plain, re.ASCII) is None or Fraction(plain) > 100:
        raise NotationError(f"{text!r} is no contribution: write a percentage from 0% to 100%, as 24% or 24.")
    return Fraction(plain) / 100


# The placard of a table, a word for each rule.


BLACKJACK = "blackjack_odds"
"""The rule that is a pay."""


KNOWN_ODDS = tuple(Fraction(*odds) for odds in ((1, 1), (6, 5), (7, 5), (3, 2), (2, 1)))
"""What houses pay for a blackjack."""


def words_of(rules: Rules) -> dict[str, str]:
    """Each rule with its word on the placard."""
    return rules.words
