"""The win page: one award on one page, with what was on the meter, who confirmed it, and what its amount calls for.

The checklist is the one that was stored with the award when it was paid; nothing is computed anew. Where none is on
record, the page says so. A claim that did not stand, or has no card yet, has that across its top and no line for a
player to sign on: nobody may take it for money. An award that was backed out has no line to sign on and no checklist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from croupier.analysis.par.print import TableInPrint
from croupier.audit.explain import BACKED_OUT, DECIDED, NOT_PAID, PENDING, Story, entries_of, status_of
from croupier.compliance.approval import Register
from croupier.compliance.award_checklist import Item as Called
from croupier.floor.act import EntryKind
from croupier.floor.facts import AdjustFacts, DecidedFacts, HandFacts, HeldAward, HoldingFacts, PayFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT, Entry
from croupier.reports.books import Books, in_print, person
from croupier.reports.period import Period
from croupier.reports.sheet import Heading, Item, Report, heading, level_title, money, table

NO_CHECKLIST = "No checklist on record."


@dataclass(frozen=True)
class Win:
    """An award as its page tells it."""

    link: str
    award: int
    entered_at: str
    table: int
    title: str
    """Of the table's game."""
    seat: int
    game: int
    line: str
    pays: str
    cards: str
    level: str
    wager_cents: int
    award_cents: int
    meter_before_units: int | None
    """None for a fixed pay, which is of no single meter."""
    meter_after_units: int | None
    """As soon as the amount was off it; of one that does not stand, as soon as it was back on it."""
    status: str
    entered_by: str
    decided_at: str
    """By the card; of an award that was backed out, by that. So are the people, the reason and the digest."""
    decided_by: str
    decided_name: str
    """As the site knows the person."""
    reason: str
    entry_digest: str
    decision_digest: str
    configuration: str
    """The digest of the link's setup."""
    confirmed_at: str = ""
    """By the card, of an award that was backed out since."""
    confirmed_by: str = ""


@dataclass(frozen=True)
class WinPage(Report):
    kind: ClassVar = "win-page"
    title: ClassVar = "Win page"
    row: ClassVar = Win
    of_one_entry: ClassVar = True

    rows: tuple[Win]
    items: tuple[Called, ...]
    adjusted: tuple[str, ...]
    """What was put right about it later."""
    card: str = ""
    """When and by whom an award was confirmed that was backed out later."""
    on_file: str = ""
    """The wager, and what the register has for the digest of its rules and pays."""

    @property
    def win(self) -> Win:
        return self.rows[0]

    @property
    def stood(self) -> bool:
        return self.win.status not in {*NOT_PAID, BACKED_OUT}

    @property
    def headline(self) -> str:
        return dollars(self.win.award_cents) if self.stood else ""

    @property
    def banner(self) -> str:
        if self.win.status == BACKED_OUT:
            return "BACKED OUT – NOT TO BE PAID"
        if not self.stood:
            return f"{self.win.status.upper()} – NOT PAID"
        return "NOT CONFIRMED YET – NOT TO BE PAID" if self.win.status == PENDING else ""

    @property
    def subject(self) -> str:
        return f"The win page of award {self.win.award} of the link {self.win.link}"

    def sums(self) -> dict[str, Any]:
        return {"checklist": [item.as_json() for item in self.items], "adjustments": list(self.adjusted)}

    def facts(self) -> Sequence[tuple[str, str]]:
        win = self.win
        award = ("Award", f"{win.award} of the link {win.link}: {win.status.upper()}")
        return (award, ("Wager", self.on_file)) if self.on_file else (award,)

    def tables(self) -> Sequence[TableInPrint]:
        win = self.win
        rows = [
            ("Hand", win.line + (f" ({win.cards})" if win.cards else "")),
            ("Pays", f"{win.pays}, on a wager of {dollars(win.wager_cents)}"),
            ("Place", f"Table {win.table}{f', {win.title}' if win.title else ''}, seat {win.seat}, game {win.game}"),
            ("Entered", f"{self.told(win.entered_at)} by {self.written(win.entered_by)}"),
        ]
        if self.card:
            rows.append(("Confirmed", f"{dollars(win.award_cents)}, {self.card}"))
        elif not self.stood:
            rows.append(("Claimed", f"{dollars(win.award_cents)}, which was not paid"))
        if win.meter_before_units is not None and win.meter_after_units is not None:
            rows.append(("Meter", level_title(win.level)))
            rows.append(("Meter before", money(win.meter_before_units)))
            back = "Meter after the back-out" if self.card else "Meter after the release"
            after = "Meter after" if self.stood else back
            rows.append((after, money(win.meter_after_units)))
        if win.decided_at:
            rows.append((win.status.capitalize(), f"{self.told(win.decided_at)} by {self.written(win.decided_by)}"))
        elif win.status == "pending":
            rows.append(("Confirmed", "not yet"))
        if win.reason:
            rows.append(("Reason", win.reason))
        rows.append(("Digest of the hand", win.entry_digest))
        if win.decision_digest:
            rows.append((f"Digest, {win.status}", win.decision_digest))
        return [table("", ("", ""), rows, words=2)]

    def checklist(self) -> Sequence[Item]:
        return [Item(item.sentence, item.citation) for item in self.items]

    def notes(self) -> Sequence[str]:
        return (*self.adjusted, *((NO_CHECKLIST,) if self.stood and not self.items else ()))

    def signatures(self) -> Sequence[str]:
        if self.win.status == BACKED_OUT:
            return ()
        house = ("Supervisor or Executive, date", "Surveillance, date")
        return house if self.banner else ("Player, date", *house)


def win_page(books: Books, award: int, period: Period, made_at: str) -> WinPage:
    """The page of an award of the only link that is read; the period says by which clock it tells the time."""
    link = books.only_link("An award")
    told = entries_of(books.rows(link), award)

    def meter_after(number: int, level: str) -> int:
        return books.balances_at(link, number).of("meter", level)

    return page_of(link, told, heading(books, period, made_at), books.register(), meter_after)


MeterAfter: TypeAlias = Callable[[int, str], int]
"""What a level's meter stood at after an entry."""


def page_of(link: str, told: Story, head: Heading, register: Register, meter_after: MeterAfter) -> WinPage:
    """The page of an award whose entries were found."""
    award, entered, setup = told.number, told.entered, told.setup
    assert entered is not None, "a story has its hand"
    assert setup is not None, "a link is set up before a hand is entered"
    facts, held, decision = facts_of(HandFacts, entered), _held(told), told.backed_out or told.decision
    table_ = setup.table.get(facts["table"])
    signed = [decision.facts[name] for name in ("by", "second") if name in decision.facts] if decision else []
    win = Win(
        *(link, award, entered.at, facts["table"], table_.title if table_ else ""),
        *(facts["seat"], facts["round"], facts["line"], facts["pays"], facts.get("cards", "")),
        level=held.get("level", "") if held else "",
        wager_cents=setup.wager_cents,
        award_cents=held["cents"] if held else facts_of(PayFacts, entered)["cents"],
        meter_before_units=held["meter_units"] if held and "level" in held else None,
        meter_after_units=_after(told, held, meter_after) if held and "level" in held else None,
        status=status_of(told),
        entered_by=person(facts["by"]),
        decided_at=decision.at if decision else "",
        decided_by=", ".join(map(person, signed)),
        decided_name=", ".join(filter(None, (head.names.get(who, "") for who, _ in signed))),
        reason=decision.facts.get("reason", "") if decision else "",
        entry_digest=entered.digest,
        decision_digest=decision.digest if decision else "",
        configuration=setup.digest,
        confirmed_at=told.decision.at if told.backed_out and told.decision else "",
        confirmed_by=person(facts_of(DecidedFacts, told.decision)["by"]) if told.backed_out and told.decision else "",
    )
    adjusted = tuple(_adjustment(entry) for entry in told.after if entry.kind == EntryKind.ADJUST)
    on_file = f"{setup.rules.title}, paytable {setup.paytable}: {register.words([setup.game_digest])}"
    if not told.backed_out or not told.decision:
        return WinPage(head, (win,), _checklist(told), adjusted, on_file=on_file)
    confirmed_by = in_print(person(facts_of(DecidedFacts, told.decision)["by"]), head.names)
    card = f"{head.period.told(told.decision.at)} by {confirmed_by}"
    return WinPage(head, (win,), (), adjusted, card, on_file)


def _held(told: Story) -> HeldAward | None:
    """The award as its amount was locked last; None for a fixed pay that took no card."""
    last: HeldAward | None = None
    for entry in (told.entered, *told.after):
        held = facts_of(HoldingFacts, entry).get("held", ()) if entry else ()
        last = next((award for award in held if award["award"] == told.number), last)
    return last


def _after(told: Story, held: HeldAward, meter_after: MeterAfter) -> int:
    """What the meter stood at as soon as the amount was off it, and the next one seeded; or as soon as it was back."""
    back = told.backed_out or (told.decision if told.decision and DECIDED[told.decision.kind] in NOT_PAID else None)
    if back:
        return meter_after(back.number, held["level"])
    added = held["seed_units"] + held["reserve_units"] + held["overflow_units"]
    return held["meter_units"] - held["cents"] * UNITS_PER_CENT + added


def _checklist(told: Story) -> tuple[Called, ...]:
    for entry in (told.decision, told.entered):
        notes = entry.facts.get("notes") if entry else None
        if isinstance(notes, Mapping) and notes.get("checklist"):
            return tuple(map(Called.of_json, notes["checklist"]))
    return ()


def _adjustment(entry: Entry) -> str:
    facts = facts_of(AdjustFacts, entry)
    return (
        f"Adjusted at {entry.at[:19].replace('T', ' ')} UTC, entry {entry.number}: {dollars(facts['cents'])} from "
        f"{facts['from']} to {facts['to']} ({facts['reason']}): {facts['text']}"
    )
