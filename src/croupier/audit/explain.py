"""Why an award was that amount: the story of one hand, from the book alone, in words that a player can read.

Names of people and cards stay out of it: whoever confirmed the award is named by role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from croupier.audit.recheck import LinkCheck
from croupier.compliance.authority import Role, an
from croupier.errors import CroupierError, RecordError
from croupier.floor.act import EntryKind
from croupier.floor.facts import (
    AdjustFacts,
    BackOutFacts,
    DecidedFacts,
    HandFacts,
    HeldAward,
    HoldingFacts,
    PayFacts,
    facts_of,
)
from croupier.floor.link.meters import Award
from croupier.floor.link.setup import LinkSetup
from croupier.games.meter import Style
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT, Entry, account_words, ended, reason_words
from croupier.ledger.rows import RawRow, printable, read_head, read_row
from croupier.store.store import Row

# The entries that an award is told from, found in a link's book while every row of it is decided again.

DECIDED: Mapping[str, str] = {
    EntryKind.CONFIRM: "confirmed",
    EntryKind.VOID: "voided",
    EntryKind.TAKE_BACK: "taken back",
    EntryKind.UNPAY: "taken back",
}
"""By the kind of the entry that decides an award: what has become of it."""
NOT_PAID = frozenset({DECIDED[EntryKind.VOID], DECIDED[EntryKind.TAKE_BACK]})
BACKED_OUT = "backed out"
"""Of an award that a card had confirmed."""
PENDING, PAID = "pending", "paid"
"""Before that: of a share, and of a fixed pay."""
PLAY = frozenset({EntryKind.START, EntryKind.END})
"""Kinds of entries that name no award; most of a book are of them."""
SETUPS: Mapping[str, str] = {EntryKind.MAKE: "setup", EntryKind.RECONFIGURE: "new"}
"""By kind of entry that sets a link up: where its setup is."""


@dataclass
class Story:
    """The entries that an award is told from."""

    number: int
    setup: LinkSetup | None = None
    entered: Entry | None = None
    after: list[Entry] = field(default_factory=list)
    """What was done about the award later."""
    ahead: list[Award] = field(default_factory=list)
    """Awards of the same game and meter that come first, in their order, as they were when the amount was set last."""
    zone: str = "UTC"
    """Of the times on the page."""

    @property
    def decision(self) -> Entry | None:
        decisions = [entry for entry in self.after if entry.kind in DECIDED]
        return next((entry for entry in decisions if facts_of(DecidedFacts, entry)["award"] == self.number), None)

    @property
    def backed_out(self) -> Entry | None:
        """By which a confirmed award was undone."""
        return next((entry for entry in self.after if entry.kind == EntryKind.BACK_OUT), None)

    @property
    def locks(self) -> list[Entry]:
        """Later entries that set the amount again."""
        return [entry for entry in self.after if _lock_in(entry, self.number)]

    @property
    def held(self) -> HeldAward:
        """The award as its amount was set last."""
        locks = [_lock_in(entry, self.number) for entry in (self.entered, *self.locks) if entry]
        if not locks or locks[-1] is None:
            raise RecordError(f"Entry {self.number} of the book holds no award, so it cannot be explained.")
        return locks[-1]

    def take(self, entry: Entry) -> bool:
        """Keep an entry that is about the award, or that sets its link up before; whether it was about the award."""
        if entry.number <= self.number and entry.kind in SETUPS:
            self.setup = LinkSetup.of_json(entry.facts[SETUPS[entry.kind]])
        if entry.number == self.number:
            self.entered = entry
            return True
        if entry.number > self.number and _is_about(entry.facts, self.number):
            self.after.append(entry)
            return True
        return False

    def whole(self) -> Story:
        """The story, or a refusal where there is no such award."""
        if self.entered is None or self.entered.kind not in (EntryKind.ENTER, EntryKind.PAY) or self.setup is None:
            what = f"is a {self.entered.kind!r}" if self.entered else "is not there"
            raise CroupierError(
                f"There is no award {self.number}: entry {self.number} {what}. An award has the number of the entry of "
                "its hand."
            )
        return self


def _is_about(facts: Mapping[str, Any], number: int) -> bool:
    """Whether an entry names an award: by itself, among those that were called, or among those that are held."""
    named = {facts.get("award"), *facts.get("awards", ()), *(fact["award"] for fact in facts.get("held", ()))}
    return number in named


def _lock_in(entry: Entry, number: int) -> HeldAward | None:
    return next((held for held in facts_of(HoldingFacts, entry).get("held", ()) if held["award"] == number), None)


def story(link: str, rows: Iterable[RawRow], number: int) -> Story:
    """Find an award's entries. Every row is decided again on the way: what is told is what the rules say, or nothing.

    All rows are gone through, because an award may be put right at any later time.
    """
    told, check = Story(number), LinkCheck(link)
    final: dict[int, list[Award]] = {}
    for digest, body in rows:
        check.take(digest, body)
        if read_head(body).kind in PLAY and check.entries != number:
            continue
        entry = read_row(body).entry(digest)
        if entry.kind == EntryKind.CONFIRM:
            _note_final(final, entry)
        elif entry.kind == EntryKind.BACK_OUT:
            fact = facts_of(BackOutFacts, entry)
            final[fact["table"]] = [
                final_award for final_award in final.get(fact["table"], ()) if final_award.award != fact["award"]
            ]
        if told.take(entry) and (lock := _lock_in(entry, number)):
            told.ahead = _ahead(Award.of_json(lock), check, final)
    return told.whole()


def entries_of(rows: Iterable[Row], number: int) -> Story:
    """An award's entries, without what came ahead of it. No row is decided again, and only those that may be about the
    award are read: they are whole, or refused. Whether every amount was right is for `verify` and `story` to say."""
    told = Story(number)
    for row in rows:
        if row.kind not in PLAY or row.number == number:
            if sha256(row.body.encode()).hexdigest() != row.digest:
                raise RecordError(f"Entry {row.number} of the book was altered: its digest is not that of its content.")
            told.take(row.entry())
    return told.whole()


def _note_final(final: dict[int, list[Award]], entry: Entry) -> None:
    """Keep the awards that cards have confirmed in each table's last game, in that order."""
    fields = Award.__dataclass_fields__
    award = Award.of_json({name: value for name, value in entry.facts.items() if name in fields})
    same_game = [final_award for final_award in final.get(award.table, ()) if final_award.round == award.round]
    final[award.table] = [*same_game, award]


def _ahead(award: Award, check: LinkCheck, final: Mapping[int, list[Award]]) -> list[Award]:
    """What a card has confirmed, and then what is held before it."""
    held = check.link.state.of_round(award.table)
    before = held[: next((place for place, lock in enumerate(held) if lock.award == award.award), 0)]
    game = [*(final_award for final_award in final.get(award.table, ()) if final_award.round == award.round), *before]
    return [earlier for earlier in game if award.is_share and earlier.is_share and earlier.level == award.level]


@dataclass(frozen=True)
class Explanation:
    """An award, told; `lines` are the page."""

    facts: Mapping[str, Any]
    lines: tuple[str, ...]
    for_player: tuple[str, ...] = ()
    """The same without what the house has to do: some of that (a report of suspicious activity) is not for players."""

    def as_json(self) -> dict[str, Any]:
        return {**self.facts, "page": list(self.lines), "player_page": list(self.for_player)}

    def page(self) -> str:
        return "\n".join(map(printable, self.lines))


def explain(link: str, told: Story) -> Explanation:
    entered, setup = told.entered, told.setup
    assert entered is not None, "a story has its hand"
    assert setup is not None, "a link is set up before a hand is entered"
    hand = facts_of(HandFacts, entered)
    table, cards = hand["table"], hand.get("cards", "")
    facts: dict[str, Any] = {
        **{"link": link, "award": told.number, "at": entered.at, "status": status_of(told)},
        **{"time_zone": told.zone},
        **{"table": table, "round": hand["round"], "seat": hand["seat"], "line": hand["line"], "pays": hand["pays"]},
        **({"cards": cards} if cards else {}),
    }
    game = setup.table[table].title if table in setup.table else ""
    lines = [
        f"Award {told.number} of the link {link}",
        "",
        f"When      {_when(entered.at, told.zone)}",
        f"Where     table {table}{f', {game}' if game else ''}, seat {hand['seat']}, game {hand['round']}",
        f"Hand      {hand['line']}" + (f" ({cards})" if cards else ""),
        f"Wager     {dollars(setup.wager_cents)} on {setup.rules.title}, paytable {setup.paytable}",
        "",
    ]
    amount, sentences = _share(told, setup) if setup.lines[hand["line"]].is_share else _fixed(told, setup)
    facts |= amount
    decided, outcome = _outcome(told, facts["cents"])
    facts |= decided
    papers, list_ = _checklist(told)
    facts |= papers
    told_all, proof = (*lines, *sentences, "", *outcome), ("", _proof(entered))
    return Explanation(facts, (*told_all, *list_, *proof), (*told_all, *proof))


def status_of(told: Story) -> str:
    """What has become of an award by now."""
    if told.backed_out:
        return BACKED_OUT
    if told.decision:
        return DECIDED[told.decision.kind]
    return PAID if told.entered and told.entered.kind == EntryKind.PAY else PENDING


def _when(at: str, zone: str) -> str:
    """On the clock of the house; entries are stamped in UTC."""
    if zone == "UTC":
        return f"{at[:10]} at {at[11:19]} UTC"
    here = datetime.fromisoformat(at).astimezone(ZoneInfo(zone))
    return f"{here:%Y-%m-%d at %H:%M:%S %Z} ({zone})"


def _exact(units: int) -> str:
    """Dollars with every millionth of a cent that there is."""
    parts = f"{units % UNITS_PER_CENT:06d}".rstrip("0")
    return dollars(units // UNITS_PER_CENT) + parts


def _share(told: Story, setup: LinkSetup) -> tuple[dict[str, Any], list[str]]:
    held = told.held
    share, meter, cents = Fraction(held["share"]), held["meter_units"], held["cents"]
    title = setup.level[held["level"]].title
    percent = _percent(held["share"])
    exact = share * meter
    facts = {
        **{"level": held["level"], "share": held["share"], "cents": cents, "meter_units": meter},
        **{"seed_units": held["seed_units"], "reserve_units": held["reserve_units"]},
        "overflow_units": held["overflow_units"],
        "ahead": [{"award": earlier.award, "seat": earlier.seat, "cents": earlier.cents} for earlier in told.ahead],
    }
    left, released = exact - cents * UNITS_PER_CENT, status_of(told) in NOT_PAID
    lines = [
        *_told_ahead(told, setup, title),
        f"The meter {title} stood at {_exact(meter)}{_left_by(told)}. "
        f"The hand {'would have won' if released else 'wins'} {percent} of it:",
        f"    {percent} of {_exact(meter)} is {dollars(cents)}" + (" and a part of a cent." if left else "."),
    ]
    if left:
        lines.append("Only whole cents are paid; the part of a cent stays on the meter for the next player.")
    lines += _told_again(told)
    lines += ["", *(_given_back(told, title) if released else _next_meter(held, title, share))]
    return facts, lines


def _percent(share: str) -> str:
    return f"{float(100 * Fraction(share)):g} %"


def _told_ahead(told: Story, setup: LinkSetup, title: str) -> Iterator[str]:
    """The hands of the same game that come first, each with what it took and from how much."""
    if not told.ahead:
        return
    assert told.entered is not None, "a story has its hand"
    by_seat = setup.order == "dealers-right"
    order = "from the dealer's right, counter-clockwise: the highest seat first" if by_seat else "as they are entered"
    yield f"Several hands of this game won of the meter {title}. They are taken {order};"
    yield "each is taken on the meter that the one before it left. Before this one comes:"
    for earlier in told.ahead:
        early = by_seat and earlier.seat < facts_of(HandFacts, told.entered)["seat"]
        yield (
            f"    seat {earlier.seat}: award {earlier.award} of {dollars(earlier.cents)}, "
            f"{_percent(earlier.share)} of {_exact(earlier.meter_units)}"
            + (" (a card had confirmed it before this hand was entered)" if early else "")
        )


def _left_by(told: Story) -> str:
    """That the meter is what the award before it left."""
    if not told.ahead:
        return ""
    last: Award = told.ahead[-1]
    left = last.meter_units - last.units + last.seed_units + last.reserve_units + last.overflow_units
    what = "the next meter after" if Fraction(last.share) == 1 else "what was left by"
    less = "" if left == told.held["meter_units"] else ", less fixed pays of the same game"
    return f", which is {what} award {last.award}{less}"


def _told_again(told: Story) -> Iterator[str]:
    if told.locks:
        yield (
            "The amount was set again when hands of the same game that come first were entered or given up, "
            f"last on {_when(told.locks[-1].at, told.zone)}."
        )


def _given_back(told: Story, title: str) -> Iterator[str]:
    """Of an award that did not stand."""
    yield (
        f"The award was {status_of(told)}: what was held for it went back, and the meter {title} stands as if "
        "nothing had been won by this hand."
    )
    alarm = facts_of(HoldingFacts, told.decision).get("alarm") if told.decision else None
    if alarm:
        yield alarm


def _next_meter(held: HeldAward, title: str, share: Fraction) -> Iterator[str]:
    if share != 1:
        rest = held["meter_units"] - held["cents"] * UNITS_PER_CENT
        yield f"After it the meter {title} stood at {_exact(rest)}, and play went on from there."
        return
    rest = held["meter_units"] - held["cents"] * UNITS_PER_CENT
    parts = [("of the house's money (the seed)", held["seed_units"]), ("from the reserve", held["reserve_units"])]
    parts += [("set aside above the posted maximum", held["overflow_units"]), ("left over below a cent", rest)]
    yield f"The award was the whole meter. The next one began at {_exact(rest + sum(part[1] for part in parts[:3]))}:"
    for words, units in parts:
        if units:
            yield f"    {_exact(units):>16}  {words}"


def _fixed(told: Story, setup: LinkSetup) -> tuple[dict[str, Any], list[str]]:
    assert told.entered is not None, "a story has its hand"
    paid, pays = told.entered.kind == EntryKind.PAY, facts_of(HandFacts, told.entered)["pays"]
    cents = facts_of(PayFacts, told.entered)["cents"] if paid else told.held["cents"]
    from_tray = setup.style is Style.SHARES_ONLY
    source = "the dealer's tray" if from_tray else "the meters"
    lines = [f"The hand pays a fixed amount, {pays}: {dollars(cents)} for a wager of {dollars(setup.wager_cents)}."]
    if not paid:
        lines.append("From so much on a fixed pay takes a card, as an award of a meter does.")
    if told.decision and not paid and told.decision.kind != EntryKind.CONFIRM:
        lines.append(f"It was {status_of(told)} before a card had confirmed it, and nothing left {source}.")
    elif told.decision and paid:
        lines.append(f"It was taken back, and the money went back to {source}, as if nothing had been paid.")
    elif not paid and told.decision is None:
        lines.append(f"Until then nothing leaves {source}.")
    else:
        on_slip = told.decision is not None and "form" in told.decision.facts
        paid_from = "It is paid against a jackpot slip, out of" if on_slip else "It was paid from"
        lines.append(f"{paid_from} {source}" + ("; no meter changed." if from_tray else "."))
    return {"cents": cents}, lines


def _outcome(told: Story, cents: int) -> tuple[dict[str, Any], list[str]]:
    """Who decided, by role, and what was put right afterwards."""
    entry, lines = told.decision, list[str]()
    facts: dict[str, Any] = {}
    if entry is None:
        words = (
            "It needs no card."
            if told.entered and told.entered.kind == EntryKind.PAY
            else "No card has confirmed it yet."
        )
        lines.append(f"Amount    {dollars(cents)}. {words}")
    else:
        role = facts_of(DecidedFacts, entry)["by"][1]
        word = DECIDED[entry.kind]
        facts = {"decided_at": entry.at, "decided_by_role": role}
        by = (
            f"with {'an' if role[0] in 'aeiou' else 'a'} {role}'s card"
            if entry.kind == EntryKind.CONFIRM
            else f"by the {role}"
        )
        lines.append(f"Amount    {dollars(cents)}, {word} {by} on {_when(entry.at, told.zone)}.")
        if entry.kind != EntryKind.CONFIRM:
            reason = entry.facts.get("reason")
            lines.append("It was not paid" + (f": {ended(reason)}" if reason else "."))
    changes = [adjusted for adjusted in told.after if adjusted.kind == EntryKind.ADJUST]
    for change in changes:
        moved = facts_of(AdjustFacts, change)
        lines.append(
            f"Adjusted  {dollars(moved['cents'])} from {account_words(moved['from'])} to {account_words(moved['to'])} "
            f"on {_when(change.at, told.zone)} ({reason_words(moved['reason'])}): {ended(moved['text'])}"
        )
    if changes:
        facts["adjustments"] = [change.number for change in changes]
    if told.backed_out:
        facts |= {"backed_out_at": told.backed_out.at, "backed_out_entry": told.backed_out.number}
        lines += _backed_out(told, told.backed_out)
    return facts, lines


def _backed_out(told: Story, entry: Entry) -> Iterator[str]:
    """That nothing of the award stands any more, and what went back with its amount."""
    fact = facts_of(BackOutFacts, entry)
    first, second = (role for _, role in (fact["by"], fact["second"]))
    roles = f"two {first}s" if first == second else f"{an(Role(first))} and {an(Role(second))}"
    yield (
        f"BACKED OUT on {_when(entry.at, told.zone)} by {roles}: {ended(fact['reason'])} The award does not stand, and "
        f"{dollars(fact['cents'])} went back."
    )
    back = (
        (fact.get("seed_units", 0), "the house (the seed)"),
        (fact.get("reserve_units", 0), "the reserve"),
        (fact.get("overflow_units", 0), "what is set aside above the posted maximum"),
        (fact.get("added_units", 0), "the house, which had added it"),
    )
    for units, words in back:
        if units:
            yield f"    {_exact(units):>16}  to {words}"
    if "shown_cents" in fact:
        yield f"The meter shows {dollars(fact['shown_cents'])} after it."
    if "alarm" in fact:
        yield fact["alarm"]


def _checklist(told: Story) -> tuple[dict[str, Any], list[str]]:
    """What the amount called for, where the house has put it on record."""
    for entry in (told.decision, told.entered):
        notes = entry.facts.get("notes", {}) if entry else {}
        items = notes.get("checklist") if isinstance(notes, Mapping) else None
        if isinstance(items, list) and items:
            words = [f"    {item['sentence']}  [{item['citation']}]" for item in items if _is_item(item)]
            return {"checklist": items}, ["", "What an award of this amount calls for:", *words]
    return {}, []


def _is_item(item: Any) -> bool:
    return isinstance(item, Mapping) and {"sentence", "citation"} <= item.keys()


def _proof(entered: Entry) -> str:
    return f"On record as entry {entered.number}, digest {entered.digest}."
