"""Who was what when, and by which rules the place went: what the site's book tells of the past.

Books are tied to each other by time alone. A change of the site counts on a link from the moment that the site's entry
was durable, which is after the time in it, and clocks may be off by as much as a floor lets them: so around each change
what held before and what holds after are both right, for `SLACK_S` to either side.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from croupier.compliance.authority import Role
from croupier.compliance.award_checklist import as_once_cited
from croupier.compliance.profile import Destination, find_profile
from croupier.errors import RecordError, Refusal
from croupier.floor.act import Decision, EntryKind
from croupier.floor.facts import (
    CreateSiteFacts,
    GivePrizeFacts,
    PlanRemovalFacts,
    ReconcileFacts,
    RetireFacts,
    facts_of,
)
from croupier.floor.forms import Signed, signers
from croupier.floor.house import ITSELF, NOTED_AGAIN, FloorLink, House, notes_again
from croupier.floor.link.acts import LinkAct
from croupier.floor.link.link import Link, agreement_of
from croupier.floor.site.bank import up_to_cents
from croupier.floor.site.custody import Removal, check_removal, due_on, on_same_game
from croupier.floor.site.site import Site, recheck_site
from croupier.ledger.clock import AHEAD_S, as_written
from croupier.ledger.entry import UNITS_PER_CENT, Entry
from croupier.ledger.rows import STRANGE, Chain, Row

SLACK_S = AHEAD_S
"""As much as a clock may be ahead without being doubted."""
WRITTEN = len("2026-11-15T20:30:00.123456Z")
"""As the clock writes a time; a book may leave out parts of a second."""
FOREVER = "~"
"""After every time."""


@dataclass(frozen=True)
class Place:
    """Whose rules the site went by, and where its days began."""

    since: str
    profile: str
    zone: str

    def site(self) -> Site:
        """A site that knows no more than its place."""
        return Site(profile=self.profile, zone=self.zone)


class Retired(NamedTuple):
    """How a link ended."""

    number: int
    digest: str
    at: str
    destination: str
    """Where its prize goes, if not to another link."""
    to: str
    """The other link, if it goes to one."""
    units: int
    titles: frozenset[str]
    """The games at its tables."""


class Given(NamedTuple):
    """A part of a removed prize that the site's book pays out."""

    row: int
    at: str
    link: str
    destination: str
    cents: int
    game: str
    note: str
    place: Place
    """Where the site stood then, and by whose rules."""

    def late_for(self, retired: str) -> date | None:
        """The day by which the prize of a link that was retired then was to be given, where that was over and no note
        says why."""
        site = self.place.site()
        due = due_on(self.destination, site.day(retired), site.rules(retired))
        return due if due and site.day(self.at) > due and not self.note.strip() else None


class Fund(NamedTuple):
    """What a reconciliation says of a link's book at the end of a month."""

    row: int
    link: str
    number: int
    digest: str
    units: int
    until: str
    """As the clock writes it, like every time that it is compared with."""
    carried: int
    """What the retired link had given up and is said to have been on its way still."""


class Month(NamedTuple):
    """A month that was reconciled with what the books say."""

    row: int
    until: str
    """As that of a `Fund`."""
    links: frozenset[str]


@dataclass
class Roster:
    """Everybody who was ever enrolled, with the times at which they could sign in each role."""

    spells: dict[Signed, list[tuple[str, str]]] = field(default_factory=dict)
    """From and to, with the slack."""
    places: list[Place] = field(default_factory=list)
    keys: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    """By person: with which key agreements are checked, from and to, with the slack; the last as long as it lasts."""
    turned: str = ""
    """When the first key was noted: second persons agree with one from then on."""
    plans: dict[str, list[tuple[str, Removal]]] = field(default_factory=dict)
    """By link: the plans to remove it, each with the time of its entry."""
    given: list[Given] = field(default_factory=list)
    funds: list[Fund] = field(default_factory=list)
    months: list[Month] = field(default_factory=list)
    _now: dict[str, tuple[Signed, str]] = field(default_factory=dict)

    # Keeping

    def take(self, site: Site, person: str, at: str) -> None:
        """Keep what an entry of this time has made of the site and, where it was about one, of a person."""
        if person in site.people.by_id:
            self._person(site, person, at)
            self._key(site, person, at)
        place = Place(at, site.profile, site.zone)
        if not self.places or (self.places[-1].profile, self.places[-1].zone) != (place.profile, place.zone):
            self.places.append(place)

    def _person(self, site: Site, person: str, at: str) -> None:
        enrolled = site.people.by_id[person]
        signed = enrolled.signed if enrolled.active else None
        before = self._now.pop(person, None)
        if signed:
            self._now[person] = (signed, before[1]) if before and before[0] == signed else (signed, moved(at, -SLACK_S))
        if before and before[0] != signed:
            self.spells.setdefault(before[0], []).append((before[1], moved(at, SLACK_S)))

    def _key(self, site: Site, person: str, at: str) -> None:
        key, spells = site.people.keys.get(person), self.keys.setdefault(person, [])
        if spells and spells[-1][2] == FOREVER:
            if key is not None and key.public == spells[-1][0]:
                return
            spells[-1] = (*spells[-1][:2], moved(at, SLACK_S))
        if key is not None:
            spells.append((key.public, moved(at, -SLACK_S), FOREVER))
            self.turned = self.turned or at

    def take_custody(self, site: Site, entry: Entry) -> None:
        """Keep what the site's book says of removed prizes."""
        if entry.kind == EntryKind.PLAN_REMOVAL:
            link = facts_of(PlanRemovalFacts, entry)["link"]
            self.plans.setdefault(link, []).append((entry.at, site.removals[link]))
        elif entry.kind == EntryKind.RECONCILE:
            month = facts_of(ReconcileFacts, entry)
            if "links" in month:
                until = moved(month["until"], 0)
                self.months.append(Month(entry.number, until, frozenset(month["links"])))
                for link, told in month["links"].items():
                    about = (told["entries"], told["digest"], told["units"], until, told.get("carried_units", 0))
                    self.funds.append(Fund(entry.number, link, *about))
        elif entry.kind == EntryKind.GIVE_PRIZE:
            facts = facts_of(GivePrizeFacts, entry)
            destination = site.removals[facts["link"]].destination
            prize = (facts["link"], destination, facts["amount_cents"], facts["game"], facts["note"])
            self.given.append(Given(entry.number, entry.at, *prize, Place(entry.at, site.profile, site.zone)))

    # Asking

    def plans_at(self, link: str, at: str) -> list[Removal | None]:
        """The plan then; more where another had just been entered, or was about to be."""
        plans = self.plans.get(link, [])
        sure: list[Removal | None] = [plan for since, plan in plans if since <= moved(at, -SLACK_S)]
        return [
            *(sure[-1:] or [None]),
            *(plan for since, plan in plans if moved(at, -SLACK_S) < since <= moved(at, SLACK_S)),
        ]

    def wrong_months(
        self, began: Mapping[str, str], ends: Mapping[str, Retired | None], arrived: Mapping[str, str]
    ) -> Iterator[tuple[int, str]]:
        """Reconciliations, by their rows, that leave out a book that had begun by the month's end, or have another
        amount on its way than links had given up and nobody had received by then: `ends` has how each book in the file
        ended, `arrived` by the digest of a retirement when it was received."""
        for month in self.months:
            for stream, at in began.items():
                link = stream.partition(":")[2]
                if at and link not in month.links and moved(at, 0) < month.until:
                    yield month.row, f"leaves out the link {link}, whose book began before the month ended"
        for fund in self.funds:
            if f"link:{fund.link}" not in began:
                continue
            ended = ends.get(f"link:{fund.link}")
            left = 0 if ended is None or ended.number != fund.number else self._on_its_way(ended, fund, arrived)
            known = ended is None or not ended.to or f"link:{ended.to}" in began
            if fund.carried != left if known else fund.carried not in (0, left):
                yield (
                    fund.row,
                    f"has {fund.carried:,} units on their way from the link {fund.link}, and the books {left:,}",
                )

    def _on_its_way(self, ended: Retired, fund: Fund, arrived: Mapping[str, str]) -> int:
        """What a retired link had given up, less what was received or given away before the month's end."""
        if ended.to:
            return 0 if arrived.get(ended.digest, FOREVER) < fund.until else ended.units
        given = sum(gift.cents for gift in self.given if gift.link == fund.link and moved(gift.at, 0) < fund.until)
        return max(0, ended.units - given * UNITS_PER_CENT)

    def wrong_gifts(self, ends: Mapping[str, Retired | None]) -> Iterator[tuple[int, str]]:
        """Gifts, by their rows, of a removed prize that their link did not give up for that, or not so much, or that
        came late: `ends` has how each book in the file ended."""
        left: dict[str, int] = {}
        for gift in self.given:
            if f"link:{gift.link}" not in ends:
                continue
            ended = ends[f"link:{gift.link}"]
            if ended is None or ended.destination != gift.destination or moved(gift.at, SLACK_S) < ended.at:
                yield gift.row, f"is of the link {gift.link}, which was not retired to a {gift.destination} by then"
            elif on_same_game(gift.destination) and gift.game not in ended.titles:
                yield gift.row, f"is on {gift.game!r}, which is no game of the link {gift.link}"
            elif due := gift.late_for(ended.at):
                yield gift.row, f"is later than {due}, by when the prize was to be given, and its note does not say why"
            else:
                left[gift.link] = left.get(gift.link, up_to_cents(ended.units)) - gift.cents
                if left[gift.link] < 0:
                    yield gift.row, f"is more than the link {gift.link} gave up"

    def keys_at(self, person: str, at: str) -> list[str]:
        """With which a person could agree then; two where one had just followed another."""
        return [key for key, start, end in self.keys.get(person, ()) if start <= at <= end]

    def needs_key(self, at: str) -> bool:
        """Whether a second person could no longer be named without an agreement."""
        return bool(self.turned) and at > moved(self.turned, SLACK_S)

    def could_sign(self, signed: Signed, at: str) -> bool:
        now = self._now.get(signed.person)
        if now and now[0] == signed and now[1] <= at:
            return True
        return any(start <= at <= end for start, end in self.spells.get(signed, ()))

    def places_at(self, at: str) -> list[Place]:
        """The place then; two where it had just changed, or was about to."""
        if len(self.places) == 1:
            return self.places
        begins = [place.since for place in self.places]
        first = max(0, bisect_right(begins, moved(at, -SLACK_S)) - 1)
        return self.places[first : max(first + 1, bisect_right(begins, moved(at, SLACK_S)))]


def moved(at: str, by_s: float) -> str:
    """A time so many seconds later or, where they are negative, earlier; as the clock writes it."""
    try:
        return as_written(datetime.fromisoformat(at) + timedelta(seconds=by_s))
    except OverflowError:
        return FOREVER if by_s > 0 else ""


# What the site's book says of the rows of a link: those who signed could, and the house's notes are right.

FINDINGS = frozenset({EntryKind.MAKE, EntryKind.RECONFIGURE, EntryKind.OPEN})
"""Their notes are findings, which depend on every link of the house at that moment: only part is made again."""


class HouseCheck:
    """The house of one link, as the site's book tells of it."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._edition: Mapping[str, str] = {}
        """Of each profile: the digest under which the link noted it last."""
        self.findings = 0
        """Notes that are only held against the profile, the day and the chain."""
        self.other_edition = False
        """Whether lists were made under a profile that has changed since, so that they cannot be made again."""
        self.agreed = 0
        """Second persons whose agreement is signed by their key."""

    # People

    def check_signers(self, row: Row) -> None:
        """Refuse a row that somebody signed who was not enrolled, or could not act, or was something else then."""
        at = row.at if len(row.at) == WRITTEN else moved(row.at, 0)
        for signed in signers(row.facts):
            if signed == ITSELF:
                continue
            if signed.role is Role.FLOOR or not self._roster.could_sign(signed, at):
                raise RecordError(
                    f"Entry {row.number} of the book ({row.kind}) is signed by {signed.person!r} as {signed.role}, "
                    f"and by the site's book nobody of that name could sign so at {row.at}."
                )

    def check_agreed(self, row: Row, link: str) -> None:
        """Refuse a row to which its second person has not agreed, as the site's book lets it be told."""
        at = row.at if len(row.at) == WRITTEN else moved(row.at, 0)
        person = Signed.of_list(row.facts["second"]).person
        try:
            statement, agreed = agreement_of(row, link)
        except STRANGE as error:
            raise RecordError(f"Entry {row.number} of the book ({row.kind}) was not allowed: {error}") from None
        if agreed is None and not self._roster.needs_key(at):
            return
        if agreed is None or not any(statement.is_signed(agreed, key, at) for key in self._roster.keys_at(person, at)):
            how = "does not carry the agreement" if agreed is None else "carries an agreement that is not"
            raise RecordError(
                f"Entry {row.number} of the book ({row.kind}) {how} of its second person {person!r}, by the key that "
                f"the site's book has for {person!r} at {row.at}."
            )
        self.agreed += 1

    def check_removal(self, row: Row, link: str) -> None:
        """Refuse a retirement without the plan, and the days of posting, that the place asked for then."""
        facts = facts_of(RetireFacts, row)
        destination = Destination(facts["destination"]) if "destination" in facts else None
        why = ""
        for place in self._roster.places_at(row.at):
            for plan in self._roster.plans_at(link, row.at):
                try:
                    check_removal(plan, link, destination, place.site().rules(row.at))
                    return
                except Refusal as error:
                    why = why or str(error)
        raise RecordError(f"Entry {row.number} of the book ({row.kind}) was not allowed: {why}")

    # Notes

    def notes(self, link: Link, act: LinkAct, decision: Decision, told: Entry | Row) -> Mapping[str, Any] | None:
        """What the house must have noted; of several that are possible, what it says that it noted."""
        noted: Any = told.facts.get("notes")
        if decision.kind in FINDINGS:
            self._check_findings(link, noted, told)
            return dict(noted)
        if decision.kind not in NOTED_AGAIN:
            return None
        places = self._roster.places_at(told.at)
        if any(self._edition.get(place.profile) not in (None, _edition(place.profile)) for place in places):
            self.other_edition = True
            return noted if isinstance(noted, Mapping) else None
        notes = [self._again(link, act, decision, told.at, place) for place in places]
        known = noted in notes or noted in map(as_once_cited, notes)
        return noted if known else next(iter(notes), None)

    def _again(self, link: Link, act: LinkAct, decision: Decision, at: str, place: Place) -> Mapping[str, Any]:
        return notes_again(FloorLink(link.name, House(site=place.site()), link.state), act, decision, at)

    def _check_findings(self, link: Link, noted: Any, told: Entry | Row) -> None:
        book = link.state.book
        places = [(place.profile, place.site().day(told.at).isoformat()) for place in self._roster.places_at(told.at)]
        match noted:
            case {"profile": str(profile), "profile_digest": str(edition), "day": str(day), "warnings": [*_]} if (
                profile,
                day,
            ) in places and noted.get("chain") == (
                {"entries": book.entries, "digest": book.digest} if told.kind == EntryKind.OPEN else None
            ):
                self._edition = {**self._edition, profile: edition}
                self.findings += 1
            case _:
                raise RecordError(
                    f"Entry {told.number} of the book ({told.kind}) does not note the profile, the day and the chain "
                    "that were checked."
                )


def _edition(profile: str) -> str:
    return find_profile(profile).digest


# The site's book, decided again row by row, and the roster that it tells of.


class SiteCheck(Chain):
    """A site that is built from rows, each of which is decided again before it counts."""

    def __init__(self) -> None:
        self.site = Site()
        self.roster = Roster()
        self.seconded = self.agreed = 0
        """Entries with a second person; and of those, how many carry an agreement."""
        super().__init__(self.site.book)

    def _take(self, digest: str, body: bytes) -> None:
        self.whole(digest, body)
        row = self.parse(body)
        entry = row.entry(digest)
        if self.follows(row):
            recheck_site(self.site, entry)
        self.site.apply(entry)
        if entry.facts.get("second"):
            self.seconded += 1
            self.agreed += "agreed" in entry.facts
        self.roster.take(self.site, _about(entry), entry.at)
        self.roster.take_custody(self.site, entry)
        self.passed(entry.kind, entry.at, entry.command)


def _about(entry: Entry) -> str:
    """The person whom an entry changes, or nobody; the first entry enrolls whoever gives it."""
    if entry.kind == EntryKind.CREATE_SITE:
        return facts_of(CreateSiteFacts, entry)["by"]
    return str(entry.facts.get("person", ""))
