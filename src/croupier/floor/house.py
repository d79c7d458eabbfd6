"""What a link must know of the house around it, and what the site must know of its links.

A link decides by its own book. Whether the people who sign are enrolled, the tables are the site's, the place allows
the configuration, the bank covers the prizes and which papers an award calls for, stands in other books. `House` holds
what those books last said: every value in it is replaced as a whole, so that no writer waits for another to read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from croupier.compliance.approval import shipped_register
from croupier.compliance.authority import Role
from croupier.compliance.award_checklist import Item, Requirement, checklist, malfunction_notice
from croupier.compliance.paper import steps_of
from croupier.compliance.profile import Finding, Lawful, Profile, errors, find_profile
from croupier.compliance.table import OnFile, check_offer
from croupier.errors import NotationError, PaytableError, Refusal, UnknownName
from croupier.floor.act import Decision, EntryKind
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.awards import check_claim
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.checks import check, check_tables
from croupier.floor.link.link import Link, statement_of
from croupier.floor.link.setup import LinkedTable, LinkSetup
from croupier.floor.link.state import LinkState, Status
from croupier.floor.people import look_alike
from croupier.floor.refusals import No, refusal
from croupier.floor.site import acts as site_acts
from croupier.floor.site import register_acts
from croupier.floor.site.acts import TableSetup
from croupier.floor.site.bank import Cover, LinkTotals, up_to_cents
from croupier.floor.site.comply import SiteTold, comply, comply_at, found_of
from croupier.floor.site.custody import check_account, check_removal, due_on, on_same_game
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval
from croupier.floor.site.decide import bounds
from croupier.floor.site.register import approval_of, keeps_register
from croupier.floor.site.site import Site
from croupier.games.catalogue import wagers_beside
from croupier.games.money import dollars
from croupier.ledger.clock import begin_of, day_of, told
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose

ITSELF = Signed("floor", Role.FLOOR)
"""How the program signs."""


@dataclass
class House:
    """What all books of the site last said. Each value is replaced, never changed."""

    site: Site = field(default_factory=Site)
    links: dict[str, LinkBrief] = field(default_factory=dict)
    proved: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By link: up to which entry its chain was read in the store and found whole, and that entry's digest."""
    damaged: dict[str, str] = field(default_factory=dict)
    """By link: why its book cannot be gone on from. It stays closed, and is shown as far as it can be read."""
    _cover: tuple[tuple[Any, ...], Cover] | None = None
    _stops: dict[int, tuple[tuple[Any, ...], Refusal | None]] = field(default_factory=dict)

    def keep_closed(self, state: LinkState, why: str) -> None:
        """Of a link with a damaged book, what can be read of it: the others go on without it."""
        brief = LinkBrief.of(state)
        closed = brief if brief.status is Status.RETIRED else replace(brief, status=Status.CLOSED)
        self.damaged[state.name] = why
        self.links[state.name] = replace(closed, stopped=refusal(No.BROKEN_CHAIN, why=why).sentence)

    # People

    def check_enrolled(self, signed: Signed) -> None:
        """Refuse a person who is not enrolled, was revoked, or is something else by now."""
        if signed.role is Role.FLOOR:
            return
        person = self.site.people.active(signed.person)
        if person.role is not signed.role:
            raise refusal(No.WRONG_FORM, why=f"{person.name} is {person.role} here, not {signed.role}")

    # The bank

    def cover(self, at: str) -> Cover:
        """The bank's cover now. Wagers alone do not change it within a second: their money is on its way."""
        links = [self._totals(brief) for brief in list(self.links.values())]
        key = (at[:19], self.site.book.digest, *((link.owed - link.contributed, link.paid) for link in links))
        if self._cover is None or self._cover[0] != key:
            self._cover = (key, self.site.cover(links, at))
        return self._cover[1]

    def _totals(self, brief: LinkBrief) -> LinkTotals:
        carried = self.on_its_way(brief)
        if not carried:
            return brief.totals
        day = self.site.day(brief.at)
        due = due_on(brief.destination, day, find_profile(self.site.profile).on(day))
        return replace(brief.totals, carried=carried, give_by=str(due or ""))

    # The register

    def setups(self) -> dict[str, LinkSetup]:
        """Of all links that are not retired."""
        briefs = list(self.links.values())
        return {brief.name: brief.setup for brief in briefs if brief.setup and brief.status is not Status.RETIRED}

    def comply(self, at: str) -> SiteTold:
        """May each table be open, today?"""
        return comply(self.site, self.setups(), self.site.day(at))

    def stopped(self, number: int, at: str) -> Refusal | None:
        """Why a table that was set from the register may not be open today. It is asked before every game: what was
        found stands until a book of the site or a setup changes, or the day is over."""
        day, setups = self.site.day(at), self.setups()
        key = (day, self.site.book.digest, *((name, setup.digest) for name, setup in setups.items()))
        known = self._stops.get(number)
        if known is None or known[0] != key:
            stops = comply_at(self.site, setups, number, day).stops
            why = " ".join(
                f"{stop.sentence} ({', '.join(filter(None, (stop.paragraph, stop.citation)))})" for stop in stops
            )
            known = self._stops[number] = key, refusal(No.NOT_CLEARED, number=number, why=why) if stops else None
        return known[1]

    # Links

    def on_its_way(self, brief: LinkBrief) -> int:
        """What a retired link gave up and the next one has not received, or nobody was given yet: no meter shows it,
        and it is owed."""
        if brief.destination:
            return max(0, brief.carried - self.site.given.get(brief.name, 0) * UNITS_PER_CENT)
        target = self.links.get(brief.moved_to)
        return 0 if target and brief.digest in target.received else brief.carried

    def elsewhere(self, name: str) -> dict[int, str]:
        """Tables that are on other links."""
        return {
            table.number: brief.name
            for brief in list(self.links.values())
            if brief.name != name and brief.setup and brief.status is not Status.RETIRED
            for table in brief.setup.tables
        }

    def link_of(self, number: int) -> LinkBrief | None:
        for brief in list(self.links.values()):
            if brief.plays_at(number):
                return brief
        return None

    def findings(self, name: str, setup: LinkSetup, at: str) -> list[Finding]:
        """What the place's rules and the documents say about a configuration of this link, now."""
        return self.findings_under(find_profile(self.site.profile), name, setup, at)

    def findings_under(self, profile: Profile, name: str, setup: LinkSetup, at: str) -> list[Finding]:
        """The same under the rules of some place."""
        brief = self.links.get(name)
        return check(
            setup,
            profile,
            self.site.day(at),
            shown_cents=brief.shown_cents if brief else {},
            elsewhere=self.elsewhere(name),
            wagers={table.number: self.wagers(table, name) for table in self.site.tables.values()},
        )

    def wagers(self, table: TableSetup, name: str) -> set[str]:
        """What a hand at the table can be wagered on, with the progressives of other links than this one."""
        others = (brief for brief in list(self.links.values()) if brief.name != name)
        wagers = {brief.setup.wager for brief in others if brief.plays_at(table.number) and brief.setup}
        return {*table.wagers, *wagers}


class FloorLink(Link):
    """A link in its house: the same decisions, behind the house's checks, with the house's notes."""

    def __init__(self, name: str, house: House, state: LinkState | None = None) -> None:
        super().__init__(name, state)
        self.house = house

    @classmethod
    def in_house(cls, house: House, values: dict[str, Any]) -> FloorLink:
        """From a snapshot."""
        state = Link.of_snapshot(values).state
        return cls(state.name, house, state)

    def handle(self, act: acts.LinkAct, at: str) -> Entry:
        for signed in act.signers():
            self.house.check_enrolled(signed)
        if isinstance(act, acts.OfTwo):
            statement = statement_of(act, self.name)
            self.house.site.people.check_agreed(act.second.person, act.agreed, statement, at)
        decision, notes = self.decide_with_notes(act, at)
        return self.entry(act, at, decision, notes)

    def decide_with_notes(self, act: acts.LinkAct, at: str) -> tuple[Decision, Notes]:
        """What an act comes to and what the house notes of it; nothing changes, so a plan can be asked for too."""
        checked = _BEFORE.get(act.kind, _nothing)(self, act, at)
        decision = self.decide(act, at)
        if isinstance(act, acts.EnterHand):
            check_claim(self.state, act)
        return decision, {**checked, **_award_notes(self, decision, at)}


Notes = dict[str, Any]


def notes_again(link: FloorLink, act: acts.LinkAct, decision: Decision, at: str) -> Notes:
    """What the house noted of an act, as far as that follows from the site's book and the link's own."""
    checked = _CORRECTIONS.get(act.kind, _nothing)(link, act, at)
    return {**checked, **_award_notes(link, decision, at)}


def _nothing(_: FloorLink, __: acts.LinkAct, ___: str) -> Notes:
    return {}


def _configure(link: FloorLink, act: acts.LinkAct, at: str) -> Notes:
    """The tables are the site's, and nothing that binds speaks against it; what only warns goes on the record."""
    assert isinstance(act, acts.MakeLink | acts.Reconfigure)
    if isinstance(act, acts.MakeLink):
        for reason in _looks_like(act.link, (name for name in link.house.links if name != act.link)):
            raise reason
    return _allowed(link, act.setup, at)


def _allowed(link: FloorLink, setup: LinkSetup, at: str) -> Notes:
    house = link.house
    for table in setup.tables:
        _check_table(house.site, table)
    findings = house.findings(link.name, setup, at)
    if errors(findings):
        why = " ".join(f"{error.sentence} ({error.citation})" for error in errors(findings))
        raise refusal(No.AGAINST_RULES, why=why)
    profile = find_profile(house.site.profile)
    return {
        **{"profile": profile.name, "profile_digest": profile.digest, "day": house.site.day(at).isoformat()},
        "warnings": [finding.as_json() for finding in findings],
    }


def _check_table(site: Site, table: LinkedTable) -> None:
    own = site.tables.get(table.number)
    if own is None:
        listed = ", ".join(map(str, sorted(site.tables))) or "none"
        raise refusal(No.NOT_THE_SITES_TABLE, table=table.number, why=f"the site has the tables {listed}")
    for name in ("title", "decks", "seats"):
        theirs, ours = getattr(table, name), getattr(own, name)
        if theirs != ours:
            raise refusal(No.NOT_THE_SITES_TABLE, table=table.number, why=f"its {name} is {ours}, not {theirs}")


def _open(link: FloorLink, _: acts.LinkAct, at: str) -> Notes:
    """The self-check, as far as other books are asked: the store's chain, the place's rules, the bank."""
    setup, book = link.state.setup, link.state.book
    proved = link.house.proved.get(link.name)
    if proved != (book.entries, book.digest):
        raise refusal(No.BROKEN_CHAIN, why="Its chain was not read through to the last entry.")
    notes = _allowed(link, setup, at)
    for number in setup.table:
        _cleared(link.house, number, at)
    _covered(link, at)
    return {**notes, "chain": {"entries": book.entries, "digest": book.digest}}


def _cleared(house: House, number: int, at: str) -> None:
    """Nothing stops the table; where the site keeps a register, every table is of it."""
    table = house.site.tables.get(number)
    if table is None:
        return
    if table.on_file is None and keeps_register(house.site):
        raise refusal(No.NOT_FROM_REGISTER, number=number)
    if why := house.stopped(number, at):  # where the place asks for no papers, nothing stops one that is of none
        raise why


def _start(link: FloorLink, act: acts.LinkAct, at: str) -> Notes:
    assert isinstance(act, acts.StartGame)
    table = link.house.site.tables.get(act.table)
    if table and table.on_file:
        if act.table not in link.house.site.kept.open_tables:
            raise refusal(No.TABLE_CLOSED, number=act.table)
        if why := link.house.stopped(act.table, at):
            raise why
    _covered(link, at)
    if link.state.short_of_cover:
        raise refusal(No.COVERED_AGAIN, link=link.name)
    return {}


def _covered(link: FloorLink, at: str) -> None:
    cover = link.house.cover(at)
    if cover.links_must_stop:
        raise refusal(No.NOT_COVERED, why=cover.reason)


def _adjust(link: FloorLink, act: acts.LinkAct, at: str) -> Notes:
    """The place names the reasons for which a prize goes down."""
    assert isinstance(act, acts.Adjust)
    notes = _lawful(link, act.reason, at)
    items = _calls_for(link, act, at)
    return {**notes, "checklist": [item.as_json() for item in items]} if items else notes


def _back_out(link: FloorLink, _: acts.LinkAct, at: str) -> Notes:
    """It puts right an amount won, whichever way the meter goes."""
    return _lawful(link, Lawful.AMOUNT_WON, at)


def _lawful(link: FloorLink, reason: Lawful, at: str) -> Notes:
    site = link.house.site
    lawful = site.rules(at).reasons()
    if lawful and reason not in lawful:
        listed = ", ".join(lawful)
        raise refusal(No.AGAINST_RULES, why=f"{reason} is no lawful reason here; there are: {listed}.")
    return {"profile": site.profile, "day": site.day(at).isoformat()}


def _calls_for(link: FloorLink, act: acts.Adjust, at: str) -> tuple[Item, ...]:
    """What an adjustment calls for: as an award does, where it pays players, but for the card, because two people sign
    it; and a notice of any malfunction."""
    state, rules = link.state, link.house.site.rules(at)
    malfunction = act.reason is Lawful.MALFUNCTION
    if act.target is not Purpose.PLAYERS:
        return tuple(malfunction_notice(rules)) if malfunction else ()
    won = state.won.get(act.award) if act.award is not None else None
    items = checklist(
        max(0, act.cents) + (won.cents if won else 0),
        wager_cents=state.setup.wager_cents,
        rules=rules,
        executive_above_cents=state.setup.executive_threshold_cents,
        malfunction=malfunction,
    )
    return tuple(item for item in items if item.call is not Requirement.CARD)


def _retire(link: FloorLink, act: acts.LinkAct, at: str) -> Notes:
    assert isinstance(act, acts.Retire)
    links = link.house.links
    target = links.get(act.to)
    if act.to and (target is None or target.setup is None):
        raise refusal(No.NO_SUCH_LINK, link=act.to, links=", ".join(links) or "none")
    if target and target.status is Status.RETIRED:
        raise refusal(No.RETIRED, link=act.to, to=target.went_to)
    site = link.house.site
    check_removal(site.removals.get(link.name), link.name, act.destination, site.rules(at))
    for brief in list(links.values()):
        if brief.moved_to == link.name and brief.digest not in link.state.received:
            raise refusal(No.VALUE_ON_ITS_WAY, source=brief.name, link=link.name)
    return {}


_CORRECTIONS: Mapping[str, Any] = {EntryKind.ADJUST: _adjust, EntryKind.BACK_OUT: _back_out}
_BEFORE: Mapping[str, Any] = {
    EntryKind.MAKE: _configure,
    EntryKind.RECONFIGURE: _configure,
    EntryKind.OPEN: _open,
    EntryKind.START: _start,
    **_CORRECTIONS,
    EntryKind.RETIRE: _retire,
}
"""By kind of act: what the house asks before the link decides, and what it notes."""
_AWARDS = frozenset({EntryKind.CONFIRM, EntryKind.PAY})
NOTED_AGAIN = _AWARDS | frozenset(map(EntryKind, _CORRECTIONS))
"""Kinds of which the house notes what follows from the books, so that whoever reads them can note it again."""


def _award_notes(link: FloorLink, decision: Decision, at: str) -> Notes:
    """An award's record carries the list that its amount calls for on its day."""
    if decision.kind not in _AWARDS:
        return {}
    site, setup = link.house.site, link.state.setup
    items = checklist(
        decision.facts["cents"],
        wager_cents=setup.wager_cents,
        rules=site.rules(at),
        executive_above_cents=setup.executive_threshold_cents,
    )
    if decision.kind == EntryKind.PAY:  # from the tray, without a card: only what a high amount calls for
        items = tuple(
            item
            for item in items
            if item.call not in (Requirement.CARD, Requirement.DISPLAY) and not _all_at_once(item)
        )
    elif "level" not in decision.facts:  # a fixed pay with a card: no meter was won
        items = tuple(item for item in items if item.call is not Requirement.DISPLAY)
    if not items:
        return {}
    notes = [item.as_json() for item in items]
    return {"profile": site.profile, "day": site.day(at).isoformat(), "checklist": notes}


def _all_at_once(item: Item) -> bool:
    return item.call is Requirement.PAYMENT and item.hours is None


# The site in its house: what its links do not let it do.


class FloorSite(Site):
    """The site, which does not take a table from under a link."""

    def __init__(self, house: House, site: Site | None = None) -> None:
        super().__init__(**vars(site or Site()))
        self.house = house

    @classmethod
    def in_house(cls, house: House, values: Mapping[str, Any]) -> FloorSite:
        """From a snapshot."""
        return cls(house, Site.of_snapshot(values))

    def handle(self, act: site_acts.SiteAct, at: str) -> Entry:
        if isinstance(act, register_acts.OpenTable):
            act = replace(act, found=self._found(act.number, at))
        entry = super().handle(act, at)
        for reason in (*_against_links(self, act, at), *_against_register(self, act, at)):
            raise reason
        return entry

    def _found(self, number: int, at: str) -> dict[str, Any]:
        if number not in self.tables:
            return {}
        day = self.day(at)
        return found_of(self, comply_at(self, self.house.setups(), number, day), day)


def _against_links(site: FloorSite, act: site_acts.SiteAct, at: str) -> Iterator[Refusal]:
    if isinstance(act, site_acts.RemoveTable | site_acts.SetTable):
        number = act.number if isinstance(act, site_acts.RemoveTable) else act.table.number
        brief = site.house.link_of(number)
        if brief and brief.setup and not (isinstance(act, site_acts.SetTable) and _fits(brief.setup, act.table)):
            yield refusal(No.TABLE_LINKED, number=number, link=brief.name)
        if isinstance(act, site_acts.SetTable):
            yield from _strange_wagers(act.table)
            yield from _too_many_games(site, act.table, at)
    if isinstance(act, site_acts.EnrolDevice) and act.link and act.link not in site.house.links:
        yield refusal(No.NO_SUCH_LINK, link=act.link, links=", ".join(sorted(site.house.links)) or "none")
    if isinstance(act, PlanRemoval):
        planned = site.house.links.get(act.link)
        if planned is None:
            yield refusal(No.NO_SUCH_LINK, link=act.link, links=", ".join(sorted(site.house.links)) or "none")
        elif planned.status is Status.RETIRED:
            yield refusal(No.RETIRED, link=act.link, to=planned.went_to)
    if isinstance(act, GivePrize):
        yield from _not_to_give(site, act, at)
    if isinstance(act, site_acts.EnrolPerson):
        people = list(site.people)
        yield from _looks_like(act.person, (person.id for person in people))
        yield from _looks_like(act.name, (person.name for person in people if person.name != act.name))
    if isinstance(act, site_acts.EnrolDevice):
        yield from _looks_like(act.device, (device.id for device in site.devices))
    if isinstance(act, site_acts.ChooseProfile):
        yield from _against_profile(site, act.profile, at)
    if isinstance(act, site_acts.SetClock):
        yield from _strands_play(site, act, at)


def _not_to_give(site: FloorSite, act: GivePrize, at: str) -> Iterator[Refusal]:
    """What the link's book says of a prize that is given away: it was retired to that, and so much is left of it."""
    brief = site.house.links.get(act.link)
    if brief is None or not brief.destination:
        yield refusal(No.NOT_TO_GIVE, link=act.link)
        return
    left = up_to_cents(site.house.on_its_way(brief))
    if act.amount_cents > left:
        yield refusal(No.MORE_THAN_LEFT, link=act.link, amount=dollars(act.amount_cents), left=dollars(left))
    titles = sorted({table.title for table in brief.setup.tables}) if brief.setup else []
    if on_same_game(brief.destination) and act.game not in titles:
        yield refusal(No.OTHER_GAME, link=act.link, game=act.game, titles=", ".join(titles))
    due = due_on(brief.destination, site.day(brief.at), site.rules(brief.at))
    if due and site.day(at) > due and not act.note.strip():
        yield refusal(No.GIVEN_LATE, link=act.link, due=due)
    check_account(act.amount_cents, site.house.cover(at).is_there_cents)  # without what links have paid since


def _against_register(site: FloorSite, act: site_acts.SiteAct, at: str) -> Iterator[Refusal]:
    """What the approvals on file say: they may come with a later program, so no book is decided by them again."""
    match act:
        case site_acts.SetTable(table=TableSetup(on_file=OnFile() as on_file) as table):
            yield from _not_on_file(site, table, on_file)
        case register_acts.EnterApproval():
            yield from _wrong_approval(act)
        case register_acts.WithdrawApproval() if act.key not in {
            approval.key for approval in site.kept.register.approvals
        }:
            keys = ", ".join(approval.key for approval in site.kept.register.approvals) or "none"
            yield refusal(No.NO_SUCH_APPROVAL, key=act.key, keys=keys)
        case register_acts.RecordPaper():
            yield from _no_condition(site, act)
        case register_acts.OpenTable():
            stops = site.house.stopped(act.number, at)
            yield from [stops] if stops else []
        case register_acts.CloseTable():
            yield from _games_on(site, act.number)


def _not_on_file(site: FloorSite, table: TableSetup, on_file: OnFile) -> Iterator[Refusal]:
    dealt = site.kept.register.dealt
    dealt_as = dealt.get((on_file.approval, table.title))
    if dealt_as is None or table.base_game not in (dealt_as.game, dealt_as.own_game):
        titles = ", ".join(title for key, title in dealt if key == on_file.approval) or "no titles of it"
        says = {"number": table.number, "title": table.title, "approval": on_file.approval, "titles": titles}
        yield refusal(No.NO_SUCH_TITLE, **says)
        return
    try:
        check_offer(table)
    except (NotationError, UnknownName, PaytableError) as error:
        yield refusal(No.WRONG_OFFER, number=table.number, why=error)


def _wrong_approval(act: register_acts.EnterApproval) -> Iterator[Refusal]:
    if act.key in {approval.key for approval in shipped_register().approvals}:
        yield refusal(No.APPROVAL_EXISTS, key=act.key)
    try:
        approval_of(act.key, act.lines)
    except (NotationError, UnknownName) as error:
        yield refusal(No.WRONG_APPROVAL, why=error)


def _no_condition(site: FloorSite, act: register_acts.RecordPaper) -> Iterator[Refusal]:
    keys = dict.fromkeys(
        condition.key for approval in site.kept.register.approvals for condition in approval.conditions
    )
    if act.condition not in keys or act.step not in steps_of(act.condition):
        known = ", ".join(f"{key} ({', '.join(steps_of(key))})" for key in keys)
        yield refusal(No.NO_SUCH_CONDITION, condition=act.condition, step=act.step, known=known)


def _games_on(site: FloorSite, number: int) -> Iterator[Refusal]:
    brief = site.house.link_of(number)
    if brief and number in brief.tables and brief.tables[number].on:
        yield refusal(No.GAME_ON, table=number)


def _strands_play(site: FloorSite, act: site_acts.SetClock, at: str) -> Iterator[Refusal]:
    """No play, of now or since the last day that was closed, comes to lie in a day that nobody can close any more; and
    none that a closed day has counted comes to lie in the day after it as well."""
    closed = site.days.closed
    if not closed:
        return
    clock, last = ZoneInfo(act.zone), max(closed)
    _, since = bounds(site, date.fromisoformat(last))
    played = max((brief.at for brief in list(site.house.links.values())), default="")
    for time in (since, at) if played >= since else (at,):
        day = str(day_of(time, clock, act.day_begins))
        if day in closed:
            yield refusal(No.STRANDS_PLAY, time=told(time, site.zone), day=day, hour=act.day_begins)
    after = day_of(since, clock, act.day_begins)
    begins = begin_of(after, clock, act.day_begins)
    if begins < since and played >= begins:
        times = {"begins": told(begins, site.zone), "until": told(since, site.zone)}
        yield refusal(No.COUNTS_TWICE, day=after, closed=last, **times)


def _looks_like(name: str, known: Iterable[str]) -> Iterator[Refusal]:
    """Who did it stands in the books by name: no name may be taken for another."""
    for other in known:
        if look_alike(other, name):
            yield refusal(No.LOOKS_LIKE, name=name, other=other)


def _strange_wagers(table: TableSetup) -> Iterator[Refusal]:
    """A table offers what its game has."""
    known = wagers_beside(table.base_game)
    for place, wager in enumerate(table.wagers):
        if wager not in known or wager in table.wagers[:place]:
            listed = ", ".join(known) or "no other"
            yield refusal(No.NO_SUCH_WAGER, number=table.number, wager=wager, game=table.base_game, wagers=listed)


def _too_many_games(site: FloorSite, table: site_acts.TableSetup, at: str) -> Iterator[Refusal]:
    """The progressives of the links at the table are games too."""
    with_links = replace(table, wagers=tuple(sorted(site.house.wagers(table, ""))))
    if with_links.games > table.games:
        findings = [
            error for error in errors(check_tables([with_links], site.rules(at))) if error.code == "too-many-games"
        ]
        for finding in findings:
            yield refusal(No.AGAINST_RULES, why=f"{finding.sentence} ({finding.citation})")


def _fits(setup: LinkSetup, table: site_acts.TableSetup) -> bool:
    linked = setup.table[table.number]
    return (linked.title, linked.decks, linked.seats) == (table.title, table.decks, table.seats)


def _against_profile(site: FloorSite, name: str, at: str) -> Iterator[Refusal]:
    """Open links go on only under rules that they keep."""
    profile = find_profile(name)
    for brief in list(site.house.links.values()):
        if brief.status is Status.OPEN and brief.setup:
            findings = errors(site.house.findings_under(profile, brief.name, brief.setup, at))
            if findings:
                why = " ".join(f"{finding.sentence} ({finding.citation})" for finding in findings)
                yield refusal(No.AGAINST_RULES, why=f"The link {brief.name} is open. {why}")
