"""What an award's amount calls for on its day: whose card, which papers, what the cameras must show.

The list is stored with the award, so that it says for ever what was asked when it was paid, with the rule's citation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from croupier.compliance.authority import Power, Role, confirming
from croupier.compliance.profile import Fact, Rules
from croupier.errors import NotationError, RecordError
from croupier.games.money import dollars

PPM = 1_000_000
CARD_RULE = (
    "rules of the progressive, Progressive Winner: a supervisor's or an executive's card, by the amount of the award"
)
CARD_RULE_ONCE = "000, Progressive Winner f: a Supervisor or Executive card, depending on the jackpot level"
"""How older books cite the same rule."""


class Requirement(StrEnum):
    """What has to be done."""

    CARD = "card"
    CAMERA = "camera"
    VIDEO = "video"
    PAYMENT = "payment"
    TAX_SLIP = "tax-slip"
    WITHHOLDING = "withholding"
    CURRENCY_REPORT = "currency-report"
    SUSPICIOUS_ACTIVITY = "suspicious-activity"
    NOTICE = "notice"
    DISPLAY = "display"


@dataclass(frozen=True)
class Item:
    """One thing to do, and the rule that asks for it."""

    call: Requirement
    sentence: str
    citation: str
    cents: int | None = None
    """The amount it is about, where the sentence has one to be kept: what is withheld, what is paid at once."""
    hours: int | None = None
    """How long there is to do it, where it is not done at once: the rest of a payment."""

    def as_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"call": self.call.value, "sentence": self.sentence, "citation": self.citation}
        later = {"cents": self.cents, "hours": self.hours}
        return fields | {name: value for name, value in later.items() if value is not None}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Item:
        try:
            return cls(
                Requirement(values["call"]),
                values["sentence"],
                values["citation"],
                values.get("cents"),
                values.get("hours"),
            )
        except (KeyError, ValueError) as error:
            raise RecordError(f"An item of a checklist cannot be read: {error}.") from None


def as_once_cited(notes: Mapping[str, Any]) -> Mapping[str, Any]:
    """An award's notes as an older program wrote them: the same list, the same rules, an older name of one."""
    items = [
        {**item, "citation": CARD_RULE_ONCE} if item["citation"] == CARD_RULE else item
        for item in notes.get("checklist", ())
    ]
    return {**notes, "checklist": items} if items else notes


def checklist(
    award_cents: int, *, wager_cents: int, rules: Rules, executive_above_cents: int, malfunction: bool = False
) -> tuple[Item, ...]:
    """Everything that an award of this amount calls for, in the order in which it is done.

    The award is what the player gets; the wager is not returned on top. A tax slip goes by the whole of it, because
    leaving out the wager is the payer's choice; withholding goes by the award less the wager, as the law says.
    """
    if award_cents < 0 or wager_cents <= 0 or executive_above_cents < 0:
        raise NotationError(
            f"An award of {dollars(award_cents)} on a wager of {dollars(wager_cents)} with a threshold of "
            f"{dollars(executive_above_cents)} cannot be: amounts are not below nothing, and there is a wager."
        )
    items = [_card(award_cents, executive_above_cents)]
    items += _camera(award_cents, rules)
    items += _payment(award_cents, rules)
    items += _tax(award_cents, wager_cents, rules)
    items += _cash(award_cents, rules)
    items += _notices(award_cents, rules, malfunction)
    return tuple(items)


def _card(award_cents: int, executive_above_cents: int) -> Item:
    above = confirming(award_cents, executive_above_cents=executive_above_cents) is Power.CONFIRM_ABOVE
    role, side = (Role.EXECUTIVE, "above") if above else (Role.SUPERVISOR, "not above")
    threshold = dollars(executive_above_cents)
    return Item(
        Requirement.CARD, f"{role.title()}'s card: {dollars(award_cents)} is {side} the house's {threshold}.", CARD_RULE
    )


def _camera(award_cents: int, rules: Rules) -> Iterator[Item]:
    rule, above = rules.get(Fact.CAMERA_ABOVE), rules.number(Fact.CAMERA_ABOVE)
    if rule and above is not None and award_cents > above:
        yield Item(
            Requirement.CAMERA,
            f"Above {dollars(above)}: the cameras verify the winning hand, the wager, the amount and the player.",
            rule.citation,
        )
    rule, least, days = rules.get(Fact.VIDEO_FROM), rules.number(Fact.VIDEO_FROM), rules.number(Fact.VIDEO_KEPT)
    if rule and least is not None and days is not None and award_cents >= least:
        yield Item(Requirement.VIDEO, f"From {dollars(least)}: the video is kept for {days} days.", rule.citation)


def _payment(award_cents: int, rules: Rules) -> Iterator[Item]:
    """How soon the player has the money, once the prize is verified."""
    rule, at_once, hours = rules.get(Fact.AT_ONCE), rules.number(Fact.AT_ONCE), rules.number(Fact.REST_WITHIN)
    if not rule or at_once is None or hours is None:
        return
    if award_cents <= at_once:
        yield Item(Requirement.PAYMENT, f"Pay all of it at once: it is not above {dollars(at_once)}.", rule.citation)
    else:
        yield Item(
            Requirement.PAYMENT,
            f"Pay at least {dollars(at_once)} at once, and the rest by check within {hours} hours; the player may ask "
            "for all of it by check.",
            rule.citation,
            at_once,
            hours,
        )


def _tax(award_cents: int, wager_cents: int, rules: Rules) -> Iterator[Item]:
    slip, least, times = rules.get(Fact.SLIP_FROM), rules.number(Fact.SLIP_FROM), rules.number(Fact.SLIP_TIMES) or 0
    net = award_cents - wager_cents
    above, much = rules.number(Fact.WITHHOLDING_ABOVE), rules.number(Fact.WITHHOLDING_TIMES) or 0
    rate, withholding = rules.number(Fact.WITHHOLDING_PPM), rules.get(Fact.WITHHOLDING_ABOVE)
    withheld = above is not None and net > above and net >= much * wager_cents
    if slip and least is not None and ((award_cents >= least and award_cents >= times * wager_cents) or withheld):
        yield Item(
            Requirement.TAX_SLIP, f"Form W-2G: at least {dollars(least)} and {times} times the wager.", slip.citation
        )
    if withheld and withholding and above is not None and rate is not None:
        cents = net * rate // PPM
        yield Item(
            Requirement.WITHHOLDING,
            f"Withhold {dollars(cents)}, {rate / 10_000:g} % of the {dollars(net)} won: above {dollars(above)} and "
            f"{much} times the wager.",
            withholding.citation,
            cents,
        )


def _cash(award_cents: int, rules: Rules) -> Iterator[Item]:
    rule, above = rules.get(Fact.CURRENCY_ABOVE), rules.number(Fact.CURRENCY_ABOVE)
    if rule and above is not None and award_cents > above:
        yield Item(
            Requirement.CURRENCY_REPORT,
            f"Currency transaction report if paid in cash: above {dollars(above)}, with all other cash of the day.",
            rule.citation,
        )
    rule, least = rules.get(Fact.SUSPICIOUS_FROM), rules.number(Fact.SUSPICIOUS_FROM)
    if rule and least is not None and award_cents >= least:
        yield Item(
            Requirement.SUSPICIOUS_ACTIVITY,
            f"From {dollars(least)}: report it if anything about the award or the player is suspicious.",
            rule.citation,
        )


def _notices(award_cents: int, rules: Rules, malfunction: bool) -> Iterator[Item]:
    rule, above = rules.get(Fact.NOTICE_ABOVE), rules.number(Fact.NOTICE_ABOVE)
    if rule and above is not None and award_cents > above:
        yield Item(Requirement.NOTICE, f"Above {dollars(above)}: tell the regulator.", rule.citation)
    if malfunction:
        yield from malfunction_notice(rules)
    rule, seconds = rules.get(Fact.DISPLAY_WITHIN), rules.number(Fact.DISPLAY_WITHIN)
    if rule:
        yield Item(Requirement.DISPLAY, f"Show the amount won on the displays within {seconds} seconds.", rule.citation)


def malfunction_notice(rules: Rules) -> Iterator[Item]:
    """What equipment that malfunctioned calls for, whether or not somebody is paid."""
    rule, hours = rules.get(Fact.MALFUNCTION_NOTICE), rules.number(Fact.MALFUNCTION_NOTICE)
    if rule:
        yield Item(
            Requirement.NOTICE, f"Equipment malfunctioned: tell the regulator within {hours} hours.", rule.citation
        )
