"""What a site decides: whether an act may be done, and what its entry says beyond the act itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from croupier.compliance.authority import PEOPLE, TWO_PEOPLE, Power, Role, check_card_hash
from croupier.compliance.profile import Profile, errors, find_profile, newest
from croupier.errors import NotationError, RecordError, Refusal, UnknownName
from croupier.floor.act import Decision, by_kind
from croupier.floor.facts import CloseDayFacts, KeepCheckpointFacts, facts_of
from croupier.floor.forms import plain
from croupier.floor.link.checks import check_tables
from croupier.floor.people import DeviceKind
from croupier.floor.refusals import No, refusal
from croupier.floor.site import acts, notes, register, register_acts
from croupier.floor.site.acts import CloseDay, KeepCheckpoint, ReadMeter
from croupier.floor.site.custody import BANK, FLOOR, give_prize, plan_removal, reconcile
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
from croupier.floor.site.days import not_read, reading_of
from croupier.floor.site.notes import NoteExport
from croupier.ledger.checkpoint import SignedCheckpoint
from croupier.ledger.clock import AHEAD_S, ONE_DAY, begin_of, day_of, time_of, told
from croupier.ledger.entry import SITE, UNITS_PER_CENT, Purpose, Transfer

if TYPE_CHECKING:
    from croupier.floor.site.site import Site
    from croupier.ledger.entry import Entry


# Readings, the close of a day, checkpoints and exports


def _read(site: Site, act: ReadMeter, at: str) -> Decision:
    """One reading for each display; another one there must say that it puts the first right."""
    _open_day(site, act.day, at)
    match act.book:
        case {"cents": int(), "entry": int(), "digest": str()}:
            pass
        case _:
            raise refusal(No.NO_SUCH_METER, link=act.link, level=act.level)
    there = [
        earlier
        for earlier in site.days.of_day(act.day)
        if earlier.stands and (earlier.meter, earlier.display) == ((act.link, act.level), act.display)
    ]
    if act.corrects is not None:
        if act.corrects not in {earlier.entry for earlier in there}:
            raise refusal(No.NO_SUCH_READING, entry=act.corrects)
    elif there:
        raise refusal(No.ALREADY_READ, day=act.day, entry=there[0].entry)
    return Decision(act.kind, {"difference_cents": act.read_cents - act.book["cents"]})


def _close(site: Site, act: CloseDay, at: str) -> Decision:
    """The day as it stands: differences and meters that nobody read go on the record, and do not stop it."""
    _open_day(site, act.day, at)
    begin, until = bounds(site, date.fromisoformat(act.day))
    if at < until:
        raise refusal(No.NOT_YET, day=act.day, until=told(until, site.zone))
    _check_checkpoints(site, act.checkpoints)
    readings = site.days.of_day(act.day)
    missing = list(not_read(act.links, readings))
    explained = not any(level["difference_units"] for link in act.links.values() for level in link["levels"])
    agree = all(reading.difference_cents == 0 for reading in readings if reading.stands)
    facts = {
        **{"from": begin, "until": until, "zone": site.zone, "day_begins": site.day_begins},
        **{"readings": [reading.as_json() for reading in readings], "not_read": missing},
        "agrees": explained and agree and not missing,
    }
    return Decision(act.kind, facts)


def _keep(site: Site, act: KeepCheckpoint, _: str) -> Decision:
    if not act.checkpoints:
        raise refusal(No.CHECKPOINT_KEPT, day=act.day)
    _check_checkpoints(site, act.checkpoints)
    if any(checkpoint["checkpoint"]["day"] != act.day for checkpoint in act.checkpoints.values()):
        raise refusal(No.BAD_CHECKPOINT, why=f"A checkpoint is of another day than {act.day}.")
    return Decision(act.kind)


def _note_export(_: Site, act: NoteExport, __: str) -> Decision:
    return Decision(act.kind)


def _note_backup(site: Site, act: notes.NoteBackup, _: str) -> Decision:
    _goes_up_to(site, act.books, "a backup")
    return Decision(act.kind)


def _note_start(_: Site, act: notes.NoteStart, __: str) -> Decision:
    return Decision(act.kind)


def _note_check(site: Site, act: notes.NoteCheck, _: str) -> Decision:
    """Of books as they stood before the entry."""
    _goes_up_to(site, act.books, "a check")
    return Decision(act.kind)


def _note_evidence(site: Site, act: notes.NoteEvidence, _: str) -> Decision:
    _goes_up_to(site, act.books, "the evidence file")
    return Decision(act.kind)


def _goes_up_to(site: Site, books: Mapping[str, Any], what: str) -> None:
    """What was made from the books ends before its own entry."""
    if not 0 < books.get(SITE, 0) <= site.book.entries:
        raise refusal(No.WRONG_FORM, why=f"{what} has the site's book up to an entry of it, 1 to {site.book.entries}")


def _note_key(site: Site, act: notes.NoteKey, _: str) -> Decision:
    was = site.signs_with
    if act.key == was:
        raise refusal(No.SAME_KEY)
    return Decision(act.kind, {"was": was})


def _note_access(site: Site, act: notes.NoteAccess, _: str) -> Decision:
    """Whoever signs in or out is enrolled; a card that failed may be nobody's."""
    if act.person or act.event in (notes.AccessEvent.SIGN_IN, notes.AccessEvent.ENDED):
        site.people.known(act.person)
    return Decision(act.kind)


def _set_sign_in(site: Site, act: acts.SetSignIn, _: str) -> Decision:
    if act.many_tables == site.many_tables:
        raise refusal(No.SAME_SIGN_IN, says="may" if site.many_tables else "may not")
    return Decision(act.kind)


def _open_day(site: Site, day: str, at: str) -> None:
    """The day is one that the site has had, and nobody has closed it."""
    today = str(gaming_day(site, at))
    if not site.days.first <= day <= today:
        raise refusal(No.NO_SUCH_DAY, day=day, first=site.days.first, last=today)
    if day in site.days.closed:
        raise refusal(No.DAY_CLOSED, day=day, entry=site.days.closed[day])


def gaming_day(site: Site, at: str) -> date:
    """The gaming day of a time, by the site's clock."""
    return day_of(at, ZoneInfo(site.zone), site.day_begins)


def bounds(site: Site, day: date) -> tuple[str, str]:
    """When a gaming day begins, and the first instant after it."""
    clock = ZoneInfo(site.zone)
    return begin_of(day, clock, site.day_begins), begin_of(day + ONE_DAY, clock, site.day_begins)


def _check_checkpoints(site: Site, checkpoints: Mapping[str, Any]) -> None:
    """Each is signed, and of a later day than the last of the same book."""
    for stream, values in checkpoints.items():
        try:
            signed = SignedCheckpoint.of_json(values)
            signed.check()
        except RecordError as error:
            raise refusal(No.BAD_CHECKPOINT, why=error) from None
        checkpoint = signed.checkpoint
        if checkpoint.stream != stream:
            raise refusal(No.BAD_CHECKPOINT, why=f"The checkpoint of {stream} is one of {checkpoint.stream}.")
        if checkpoint.day <= site.days.signed.get(stream, ""):
            raise refusal(No.CHECKPOINT_KEPT, day=checkpoint.day)


# What their entries change


def was_read(site: Site, entry: Entry) -> None:
    reading, readings = reading_of(entry), site.days.readings
    if reading.corrects is not None:
        readings[reading.corrects] = replace(readings[reading.corrects], corrected_by=entry.number)
    readings[entry.number] = reading


def was_closed(site: Site, entry: Entry) -> None:
    day = facts_of(CloseDayFacts, entry)["day"]
    site.days.closed[day] = entry.number
    for reading in site.days.of_day(day):
        del site.days.readings[reading.entry]
    were_kept(site, entry)


def were_kept(site: Site, entry: Entry) -> None:
    for stream, signed in facts_of(KeepCheckpointFacts, entry)["checkpoints"].items():
        site.days.signed[stream] = signed["checkpoint"]["day"]


# People, devices, tables, the bank

LONGEST_SPAN = timedelta(days=366)


def takes_two(site: Site, act: acts.SiteAct) -> bool:
    """Whether a second person must sign.

    A dealer is enrolled by one manager, and so is the second manager, by the only one that there ever was: before that
    there are no two. Everybody else's card could confirm, configure or read, so nobody hands one out alone; not even
    the only manager that is left, because that one might have revoked the others.
    """
    match act:
        case acts.EnrolPerson(role=Role.MANAGER):
            return sum(person.role is Role.MANAGER for person in site.people) > 1 or _others_could_agree(site, act.by)
        case acts.EnrolPerson(role=role):
            return role is not Role.DEALER
        case acts.ChangeRole():
            return True
        case acts.EnrolDevice(device_kind=kind, law=law):
            return kind.is_of_table and law > 1
        case acts.ReplaceCard(person=person):
            return site.people.known(person).role is not Role.DEALER
        case acts.NotePin(person=person, by=by) if person != by:
            role = site.people.known(person).role
            return role is not Role.DEALER and (role is not Role.MANAGER or _others_could_agree(site, by))
    return act.needs in TWO_PEOPLE


def _others_could_agree(site: Site, by: str) -> bool:
    """Whether anybody else has ever had a PIN to agree with: until then the first manager alone sets the second's."""
    return any(pin != by for pin in site.people.pins)


def needed_for(act: acts.SiteAct) -> Power:
    """What whoever gives the act must be allowed: another person's PIN is as good as a card."""
    return Power.ENROL_PERSON if isinstance(act, acts.NotePin) and act.person != act.by else act.needs


def _create(site: Site, act: acts.CreateSite, at: str) -> Decision:
    profile = _known_profile(act.profile, at)
    _free_card(site, act.card)
    return Decision(act.kind, _edition_of(profile))


def _enrol(site: Site, act: acts.EnrolPerson, at: str) -> Decision:
    enrolled = site.people.by_id.get(act.person)
    if enrolled:
        raise refusal(No.PERSON_EXISTS, person=act.person, role=enrolled.role)
    _a_person(act.role)
    _check_span(act, at)
    if act.card:
        _free_card(site, act.card)
    elif act.role is not Role.DEALER:
        raise refusal(No.CARD_NEEDED, name=act.name, role=act.role)
    return Decision(act.kind)


def _change_role(site: Site, act: acts.ChangeRole, at: str) -> Decision:
    person = site.people.known(act.person)
    if person.id in (act.by, act.second):
        raise refusal(No.OWN_ROLE)
    oldest = 2 if site.people.end_cards else 1
    if not oldest <= act.law <= 2:
        raise refusal(No.OTHER_LAW, law=act.law, oldest=oldest, newest=2)
    _a_person(act.role)
    _check_span(act, at)
    if (person.role, person.until) == (act.role, act.until):
        raise refusal(No.SAME_ROLE, name=person.name, role=person.role)
    if not person.card and act.role is not Role.DEALER:
        raise refusal(No.CARD_NEEDED, name=person.name, role=act.role)
    return Decision(act.kind, {"was": person.role.value})


def _check_span(act: acts.EnrolPerson | acts.ChangeRole, at: str) -> None:
    """An inspector's ends, and soon enough that somebody thinks of it again."""
    if act.role is not Role.INSPECTOR:
        if act.until:
            raise refusal(No.NO_SPAN, why=f"say no end for a {act.role}")
    elif not act.until:
        raise refusal(No.NO_SPAN, why="say until when")
    elif not time_of(at) < time_of(act.until) <= time_of(at) + LONGEST_SPAN:
        raise refusal(No.NO_SPAN, why=f"it ends after {at} and at most {LONGEST_SPAN.days} days later, not {act.until}")


def _replace_card(site: Site, act: acts.ReplaceCard, _: str) -> Decision:
    site.people.known(act.person)
    _free_card(site, act.card)
    return Decision(act.kind)


def _revoke(site: Site, act: acts.RevokeCard, _: str) -> Decision:
    person = site.people.known(act.person)
    if not person.active:
        raise refusal(No.ALREADY_REVOKED, name=person.name)
    if site.people.managers() == [person]:
        raise refusal(No.LAST_MANAGER, name=person.name)
    return Decision(act.kind)


def _note_pin(site: Site, act: acts.NotePin, _: str) -> Decision:
    person = site.people.active(act.person)
    if act.key is not None and not person.card:
        raise refusal(No.WRONG_FORM, why="a key to agree with is made from a card and a PIN")
    return Decision(act.kind)


def _enrol_device(site: Site, act: acts.EnrolDevice, _: str) -> Decision:
    if site.devices.get(act.device):
        raise refusal(No.DEVICE_EXISTS, device=act.device)
    if act.table is not None and act.table not in site.tables:
        raise _no_table(site, act.table)
    there = act.law > 1 and act.device_kind.is_of_table and site.devices.at_table(act.device_kind, act.table)
    if there:
        code = No.KEYPAD_AT_TABLE if there.kind is DeviceKind.KEYPAD else No.BRIDGE_AT_TABLE
        raise refusal(code, device=there.id, number=act.table)
    if act.law == 1 and any(device.by_two for device in site.devices):
        raise refusal(No.OTHER_LAW, law=1, oldest=2, newest=2)
    try:
        holder = site.devices.holder(check_card_hash(act.token))
    except NotationError as error:
        raise refusal(No.CARD_FORM, why=error) from None
    if holder:
        raise refusal(No.TOKEN_TAKEN, device=holder.id)
    return Decision(act.kind)


def _revoke_device(site: Site, act: acts.RevokeDevice, _: str) -> Decision:
    device = site.devices.get(act.device)
    if device is None or not device.active:
        raise refusal(No.NO_SUCH_DEVICE, device=act.device)
    return Decision(act.kind)


def _no_table(site: Site, number: int) -> Refusal:
    listed = ", ".join(map(str, sorted(site.tables))) or "none"
    return refusal(No.NO_SUCH_TABLE, number=number, tables=listed)


def _set_table(site: Site, act: acts.SetTable, at: str) -> Decision:
    old = site.tables.get(act.table.number)
    _closed(site, act.table.number)
    if act.table.on_file is None and register.keeps_register(site):
        raise refusal(No.NOT_FROM_REGISTER, number=act.table.number)
    if old == act.table:
        raise refusal(No.SAME_TABLE, number=act.table.number)
    after = {**site.tables, act.table.number: act.table}
    before = site.findings(at)
    # What was wrong before does not stop a change that makes it no worse.
    broken = [error for error in errors(check_tables(after.values(), site.rules(at))) if error not in before]
    if broken:
        why = " ".join(f"{finding.sentence} ({finding.citation})" for finding in broken)
        raise refusal(No.AGAINST_RULES, why=why)
    return Decision(act.kind, {"was": plain(old)})


def _closed(site: Site, number: int) -> None:
    """A table is not changed under those who play at it."""
    if number in site.kept.open_tables:
        raise refusal(No.TABLE_OPEN, number=number)


def _remove_table(site: Site, act: acts.RemoveTable, _: str) -> Decision:
    _closed(site, act.number)
    old = site.tables.get(act.number)
    if old is None:
        raise _no_table(site, act.number)
    return Decision(act.kind, {"was": plain(old)})


def _rename(site: Site, act: acts.RenameSite, _: str) -> Decision:
    if act.title == site.title:
        raise refusal(No.SAME_TITLE, title=act.title)
    return Decision(act.kind, {"was": site.title})


def _choose_profile(site: Site, act: acts.ChooseProfile, at: str) -> Decision:
    if act.profile == site.profile:
        raise refusal(No.SAME_PROFILE, profile=act.profile)
    profile = _known_profile(act.profile, at)
    was = find_profile(site.profile)
    if newest(profile.name) == newest(was.name) and profile.edition < was.edition:
        raise refusal(No.OLDER_EDITION, edition=profile.edition, now=site.profile, was=was.edition)
    return Decision(act.kind, {"was": site.profile, **_edition_of(profile)})


def _set_clock(site: Site, act: acts.SetClock, _: str) -> Decision:
    if (act.zone, act.day_begins) == (site.zone, site.day_begins):
        raise refusal(No.SAME_CLOCK)
    return Decision(act.kind, {"was": [site.zone, site.day_begins]})


def _accept_time(site: Site, act: acts.AcceptTime, at: str) -> Decision:
    """They say the time themselves, so that nobody accepts one that they have not looked at."""
    entered = max(at, site.book.at)
    if abs((time_of(entered) - time_of(act.time)).total_seconds()) > AHEAD_S:
        raise refusal(No.OTHER_TIME, clock=told(entered, site.zone), time=told(act.time, site.zone))
    return Decision(act.kind)


def _declare(site: Site, act: acts.DeclareBank, _: str) -> Decision:
    """The book's balance of the bank becomes what the bank says; the difference comes from or goes to the floor."""
    difference = act.balance_cents * UNITS_PER_CENT - site.book.balance(Purpose.BANK)
    if not difference:
        return Decision(act.kind)
    way = (FLOOR, BANK) if difference > 0 else (BANK, FLOOR)
    return Decision(act.kind, transfers=(Transfer(*way, abs(difference)),))


def _deposit(site: Site, act: acts.Deposit, _: str) -> Decision:
    return Decision(act.kind, transfers=(Transfer(FLOOR, BANK, act.amount_cents * UNITS_PER_CENT),))


def _a_person(role: Role) -> None:
    if role not in PEOPLE:
        raise refusal(No.NOT_A_PERSON, role=role)


def _known_profile(name: str, at: str) -> Profile:
    try:
        profile = find_profile(name)
        profile.on(time_of(at).date())
    except UnknownName as error:
        raise refusal(No.UNKNOWN_PROFILE, why=error) from None
    return profile


def _edition_of(profile: Profile) -> dict[str, Any]:
    """The digest of the edition, which ties the site's book to its very values; older books have first ones only."""
    return {"profile_digest": profile.digest} if profile.edition > 1 else {}


def _free_card(site: Site, card: str) -> None:
    try:
        holder = site.people.holder(check_card_hash(card))
    except NotationError as error:
        raise refusal(No.CARD_FORM, why=error) from None
    if holder:
        raise refusal(No.CARD_TAKEN, name=holder.name)


DECIDE: Mapping[type[acts.SiteAct], Callable[..., Decision]] = {
    acts.CreateSite: _create,
    acts.EnrolPerson: _enrol,
    acts.ChangeRole: _change_role,
    acts.ReplaceCard: _replace_card,
    acts.RevokeCard: _revoke,
    acts.NotePin: _note_pin,
    acts.EnrolDevice: _enrol_device,
    acts.RevokeDevice: _revoke_device,
    acts.SetTable: _set_table,
    acts.RemoveTable: _remove_table,
    acts.RenameSite: _rename,
    acts.ChooseProfile: _choose_profile,
    acts.SetClock: _set_clock,
    acts.AcceptTime: _accept_time,
    acts.DeclareBank: _declare,
    acts.Deposit: _deposit,
    acts.ReadMeter: _read,
    acts.CloseDay: _close,
    acts.KeepCheckpoint: _keep,
    notes.NoteKey: _note_key,
    notes.NoteAccess: _note_access,
    acts.SetSignIn: _set_sign_in,
    notes.NoteExport: _note_export,
    notes.NoteBackup: _note_backup,
    notes.NoteStart: _note_start,
    notes.NoteCheck: _note_check,
    notes.NoteEvidence: _note_evidence,
    Reconcile: reconcile,
    PlanRemoval: plan_removal,
    GivePrize: give_prize,
    register_acts.EnterApproval: register.enter_approval,
    register_acts.WithdrawApproval: register.withdraw_approval,
    register_acts.RecordPaper: register.record_paper,
    register_acts.WithdrawPaper: register.withdraw_paper,
    register_acts.OpenTable: register.open_table,
    register_acts.CloseTable: register.close_table,
}
ACTS = by_kind(*DECIDE)
