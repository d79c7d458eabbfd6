"""Why an award was that amount: the story of one hand, from the book alone, in words that a player can read.

Names of people and cards stay out of it: whoever confirmed the award is named by role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.errors import CroupierError, RecordError
from croupier.games.money import dollars
from croupier.progressive.chain import printable
from croupier.progressive.ledger import UNITS_PER_CENT, Entry
from croupier.progressive.ledger_file import RawRow
from croupier.progressive.rechecking import LinkCheck
from croupier.progressive.setup import LinkSetup, Style

DECIDED = {"confirm": "confirmed", "void": "voided", "take-back": "taken back", "unpay": "taken back"}


@dataclass
class Story:
    """The entries that an award is told from."""

    number: int
    setup: LinkSetup | None = None
    entered: Entry | None = None
    after: list[Entry] = field(default_factory=list)
    """What was done about the award later."""

    @property
    def decision(self) -> Entry | None:
        return next((each for each in self.after if each.kind in DECIDED and each.facts["award"] == self.number), None)


def story(link: str, rows: Iterable[RawRow], number: int) -> Story:
    """Find an award's entries. Every row is decided again on the way: what is told is what the rules say, or nothing.

    All rows are gone through, because an award may be put right at any later time.
    """
    told, check = Story(number), LinkCheck(link)
    about = re.compile(rb'"award":%d[,}]|"awards":\[[\d,]*\b%d\b' % (number, number))
    for digest, body in rows:
        check.take(digest, body)
        if check.entries == number:
            told.entered, told.setup = check.parse(body).entry(digest), check.link.state.made
        elif check.entries > number and about.search(body):
            told.after.append(check.parse(body).entry(digest))
    if told.entered is None or told.entered.kind not in ("enter", "pay") or told.setup is None:
        what = f"is a {told.entered.kind!r}" if told.entered else "is not there"
        raise CroupierError(
            f"There is no award {number}: entry {number} {what}. An award has the number of the entry of its hand."
        )
    return told


# In words


@dataclass(frozen=True)
class Explanation:
    """An award, told; `lines` are the page."""

    facts: Mapping[str, Any]
    lines: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {**self.facts, "page": list(self.lines)}

    def page(self) -> str:
        return "\n".join(map(printable, self.lines))


def explain(link: str, told: Story) -> Explanation:
    entered, setup = told.entered, told.setup
    assert entered is not None, "a story has its hand"
    assert setup is not None, "a link is set up before a hand is entered"
    facts: dict[str, Any] = {
        **{"link": link, "award": told.number, "at": entered.at, "status": _status(told)},
        **{name: entered.facts[name] for name in ("table", "round", "seat", "line", "pays")},
        **({"cards": entered.facts["cards"]} if entered.facts.get("cards") else {}),
    }
    game = setup.table[facts["table"]].title if facts["table"] in setup.table else ""
    lines = [
        f"Award {told.number} of the link {link}",
        "",
        f"When      {_when(entered.at)}",
        f"Where     table {facts['table']}{f', {game}' if game else ''}, seat {facts['seat']}, game {facts['round']}",
        f"Hand      {facts['line']}" + (f" ({facts['cards']})" if "cards" in facts else ""),
        f"Wager     {dollars(setup.wager_cents)} on {setup.rules.title}, paytable {setup.paytable}",
        "",
    ]
    amount, said = _fixed(entered, setup) if entered.kind == "pay" else _share(told, setup)
    facts |= amount
    ended, outcome = _outcome(told, facts["cents"])
    facts |= ended
    papers, list_ = _checklist(told)
    facts |= papers
    return Explanation(facts, (*lines, *said, "", *outcome, *list_, "", _proof(entered)))


def _status(told: Story) -> str:
    if told.decision:
        return DECIDED[told.decision.kind]
    return "paid" if told.entered and told.entered.kind == "pay" else "pending"


def _when(at: str) -> str:
    return f"{at[:10]} at {at[11:19]} UTC"


def _exact(units: int) -> str:
    """Dollars with every millionth of a cent that there is."""
    parts = f"{units % UNITS_PER_CENT:06d}".rstrip("0")
    return dollars(units // UNITS_PER_CENT) + parts


def _share(told: Story, setup: LinkSetup) -> tuple[dict[str, Any], list[str]]:
    held = _held(told)
    share, meter, cents = Fraction(held["share"]), held["meter_units"], held["cents"]
    title = setup.level[held["level"]].title
    percent = f"{float(100 * share):g} %"
    exact = share * meter
    facts = {name: held[name] for name in ("level", "share", "cents", "meter_units")}
    facts |= {name: held[name] for name in ("seed_units", "reserve_units", "overflow_units")}
    left = exact - cents * UNITS_PER_CENT
    lines = [
        f"The meter {title} stood at {_exact(meter)}. The hand wins {percent} of it:",
        f"    {percent} of {_exact(meter)} is {dollars(cents)}" + (" and a part of a cent." if left else "."),
    ]
    if left:
        lines.append("Only whole cents are paid; the part of a cent stays on the meter for the next player.")
    lines += _told_order(told, setup)
    lines += ["", *_next_meter(held, title, share)]
    return facts, lines


def _held(told: Story) -> Mapping[str, Any]:
    """The award as its amount was locked last."""
    found: Mapping[str, Any] | None = None
    for entry in (told.entered, *told.after):
        assert entry is not None
        found = next((each for each in entry.facts.get("held", ()) if each["award"] == told.number), found)
    if found is None:
        raise RecordError(f"Entry {told.number} of the book holds no award, so it cannot be explained.")
    return found


def _told_order(told: Story, setup: LinkSetup) -> Iterator[str]:
    locks = [entry for entry in told.after if any(each["award"] == told.number for each in entry.facts.get("held", ()))]
    if locks:
        order = "from the dealer's right" if setup.order == "dealers-right" else "in the order of their entry"
        yield (
            f"Several hands of this game won. They are taken {order}, each on the meter that the one before it left, "
            f"so the amount was set again at {_when(locks[-1].at)}."
        )


def _next_meter(held: Mapping[str, Any], title: str, share: Fraction) -> Iterator[str]:
    if share != 1:
        rest = held["meter_units"] - held["cents"] * UNITS_PER_CENT
        yield f"After it the meter {title} stood at {_exact(rest)}, and play went on from there."
        return
    rest = held["meter_units"] - held["cents"] * UNITS_PER_CENT
    parts = [("of the house's money (the seed)", held["seed_units"]), ("from the reserve", held["reserve_units"])]
    parts += [("set aside above the posted maximum", held["overflow_units"]), ("left over below a cent", rest)]
    yield f"The award was the whole meter. The next one began at {_exact(rest + sum(each[1] for each in parts[:3]))}:"
    for words, units in parts:
        if units:
            yield f"    {_exact(units):>16}  {words}"


def _fixed(entered: Entry, setup: LinkSetup) -> tuple[dict[str, Any], list[str]]:
    cents, pays = entered.facts["cents"], entered.facts["pays"]
    source = "the dealer's tray" if setup.style is Style.SHARES_ONLY else "the meters"
    lines = [f"The hand pays a fixed amount, {pays}: {dollars(cents)} for a wager of {dollars(setup.wager_cents)}."]
    lines.append(f"It was paid from {source}" + ("; no meter changed." if setup.style is Style.SHARES_ONLY else "."))
    return {"cents": cents}, lines


def _outcome(told: Story, cents: int) -> tuple[dict[str, Any], list[str]]:
    """Who decided, by role, and what was put right afterwards."""
    entry, lines, facts = told.decision, [], {}
    if entry is None:
        words = "It needs no card." if told.entered and told.entered.kind == "pay" else "No card has confirmed it yet."
        lines.append(f"Amount    {dollars(cents)}. {words}")
    else:
        role = str(entry.facts["by"][1])
        word = DECIDED[entry.kind]
        facts = {"decided_at": entry.at, "decided_by_role": role}
        by = (
            f"with {'an' if role[0] in 'aeiou' else 'a'} {role}'s card" if entry.kind == "confirm" else f"by the {role}"
        )
        lines.append(f"Amount    {dollars(cents)}, {word} {by} on {_when(entry.at)}.")
        if entry.kind != "confirm":
            reason = entry.facts.get("reason")
            lines.append("It was not paid" + (f": {reason}" if reason else ", and the money went back to its place."))
    changes = [each for each in told.after if each.kind == "adjust"]
    for each in changes:
        said = each.facts
        lines.append(
            f"Adjusted  {dollars(said['cents'])} from {said['from']} to {said['to']} on {_when(each.at)} "
            f"({said['reason']}): {said['text']}"
        )
    if changes:
        facts["adjustments"] = [each.number for each in changes]  # type: ignore[assignment]
    return facts, lines


def _checklist(told: Story) -> tuple[dict[str, Any], list[str]]:
    """What the amount called for, where the house has put it on record."""
    for entry in (told.decision, told.entered):
        notes = entry.facts.get("notes", {}) if entry else {}
        items = notes.get("checklist") if isinstance(notes, Mapping) else None
        if isinstance(items, list) and items:
            words = [f"    {each['sentence']}  [{each['citation']}]" for each in items if _is_item(each)]
            return {"checklist": items}, ["", "What an award of this amount calls for:", *words]
    return {}, []


def _is_item(each: Any) -> bool:
    return isinstance(each, Mapping) and {"sentence", "citation"} <= each.keys()


def _proof(entered: Entry) -> str:
    return f"On record as entry {entered.number}, digest {entered.digest}."
