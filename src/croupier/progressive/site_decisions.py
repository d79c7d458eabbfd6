"""What a site decides: whether an act may be done, and what its entry says beyond the act itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from croupier.errors import NotationError, Refusal, UnknownName
from croupier.progressive import day_decisions as days
from croupier.progressive import site_acts as acts
from croupier.progressive.authority import PEOPLE, TWO_PEOPLE, Act, Role, check_card_hash
from croupier.progressive.bank import moment
from croupier.progressive.checks import check_tables, errors
from croupier.progressive.forms import plain
from croupier.progressive.ledger import UNITS_PER_CENT, Account, Purpose, Transfer
from croupier.progressive.profile import find_profile
from croupier.progressive.site_refusals import SiteNo, refused

if TYPE_CHECKING:
    from croupier.progressive.site import Site

Decision = tuple[dict[str, Any], tuple[Transfer, ...]]
"""What the entry keeps besides the act's own values, and the money that it moves."""
BANK, FLOOR = Account(Purpose.BANK), Account(Purpose.FLOOR)


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
        case acts.ReplaceCard(person=person):
            return site.people.known(person).role is not Role.DEALER
        case acts.NotePin(person=person, by=by) if person != by:
            role = site.people.known(person).role
            return role is not Role.DEALER and (role is not Role.MANAGER or _others_could_agree(site, by))
    return act.needs in TWO_PEOPLE


def _others_could_agree(site: Site, by: str) -> bool:
    """Whether anybody else has ever had a PIN to agree with: until then the first manager alone sets the second's."""
    return any(each != by for each in site.people.pins)


def needed_for(act: acts.SiteAct) -> Act:
    """What whoever gives the act must be allowed: another person's PIN is as good as a card."""
    return Act.ENROL_PERSON if isinstance(act, acts.NotePin) and act.person != act.by else act.needs


def _create(site: Site, act: acts.CreateSite, at: str) -> Decision:
    _known_profile(act.profile, at)
    _free_card(site, act.card)
    return {}, ()


def _enrol(site: Site, act: acts.EnrolPerson, _: str) -> Decision:
    found = site.people.by_id.get(act.person)
    if found:
        raise refused(SiteNo.PERSON_EXISTS, person=act.person, role=found.role)
    _a_person(act.role)
    if act.card:
        _free_card(site, act.card)
    elif act.role is not Role.DEALER:
        raise refused(SiteNo.CARD_NEEDED, name=act.name, role=act.role)
    return {}, ()


def _change_role(site: Site, act: acts.ChangeRole, _: str) -> Decision:
    person = site.people.known(act.person)
    if person.id in (act.by, act.second):
        raise refused(SiteNo.OWN_ROLE)
    _a_person(act.role)
    if person.role is act.role:
        raise refused(SiteNo.SAME_ROLE, name=person.name, role=person.role)
    if not person.card and act.role is not Role.DEALER:
        raise refused(SiteNo.CARD_NEEDED, name=person.name, role=act.role)
    return {"was": person.role.value}, ()


def _replace_card(site: Site, act: acts.ReplaceCard, _: str) -> Decision:
    site.people.known(act.person)
    _free_card(site, act.card)
    return {}, ()


def _revoke(site: Site, act: acts.RevokeCard, _: str) -> Decision:
    person = site.people.known(act.person)
    if not person.active:
        raise refused(SiteNo.ALREADY_REVOKED, name=person.name)
    if site.people.managers() == [person]:
        raise refused(SiteNo.LAST_MANAGER, name=person.name)
    return {}, ()


def _note_pin(site: Site, act: acts.NotePin, _: str) -> Decision:
    site.people.active(act.person)
    return {}, ()


def _enrol_device(site: Site, act: acts.EnrolDevice, _: str) -> Decision:
    if site.devices.get(act.device):
        raise refused(SiteNo.DEVICE_EXISTS, device=act.device)
    if act.table is not None and act.table not in site.tables:
        raise _no_table(site, act.table)
    try:
        holder = site.devices.holder(check_card_hash(act.token))
    except NotationError as error:
        raise refused(SiteNo.CARD_FORM, why=error) from None
    if holder:
        raise refused(SiteNo.TOKEN_TAKEN, device=holder.id)
    return {}, ()


def _revoke_device(site: Site, act: acts.RevokeDevice, _: str) -> Decision:
    device = site.devices.get(act.device)
    if device is None or not device.active:
        raise refused(SiteNo.NO_SUCH_DEVICE, device=act.device)
    return {}, ()


def _no_table(site: Site, number: int) -> Refusal:
    listed = ", ".join(map(str, sorted(site.tables))) or "none"
    return refused(SiteNo.NO_SUCH_TABLE, number=number, tables=listed)


def _set_table(site: Site, act: acts.SetTable, at: str) -> Decision:
    old = site.tables.get(act.table.number)
    if old == act.table:
        raise refused(SiteNo.SAME_TABLE, number=act.table.number)
    after = {**site.tables, act.table.number: act.table}
    before = site.findings(at)
    # What was wrong before does not stop a change that makes it no worse.
    broken = [each for each in errors(check_tables(after.values(), site.rules(at))) if each not in before]
    if broken:
        why = " ".join(f"{each.sentence} ({each.citation})" for each in broken)
        raise refused(SiteNo.AGAINST_RULES, why=why)
    return {"was": plain(old)}, ()


def _remove_table(site: Site, act: acts.RemoveTable, _: str) -> Decision:
    old = site.tables.get(act.number)
    if old is None:
        raise _no_table(site, act.number)
    return {"was": plain(old)}, ()


def _choose_profile(site: Site, act: acts.ChooseProfile, at: str) -> Decision:
    if act.profile == site.profile:
        raise refused(SiteNo.SAME_PROFILE, profile=act.profile)
    _known_profile(act.profile, at)
    return {"was": site.profile}, ()


def _set_clock(site: Site, act: acts.SetClock, _: str) -> Decision:
    if (act.zone, act.day_begins) == (site.zone, site.day_begins):
        raise refused(SiteNo.SAME_CLOCK)
    return {"was": [site.zone, site.day_begins]}, ()


def _declare(site: Site, act: acts.DeclareBank, _: str) -> Decision:
    """The book's balance of the bank becomes what the bank says; the difference comes from or goes to the floor."""
    difference = act.balance_cents * UNITS_PER_CENT - site.book.balance(Purpose.BANK)
    if not difference:
        return {}, ()
    way = (FLOOR, BANK) if difference > 0 else (BANK, FLOOR)
    return {}, (Transfer(*way, abs(difference)),)


def _deposit(site: Site, act: acts.Deposit, _: str) -> Decision:
    return {}, (Transfer(FLOOR, BANK, act.amount_cents * UNITS_PER_CENT),)


def _a_person(role: Role) -> None:
    if role not in PEOPLE:
        raise refused(SiteNo.NOT_A_PERSON, role=role)


def _known_profile(name: str, at: str) -> None:
    try:
        find_profile(name).on(moment(at).date())
    except UnknownName as error:
        raise refused(SiteNo.UNKNOWN_PROFILE, why=error) from None


def _free_card(site: Site, card: str) -> None:
    try:
        holder = site.people.holder(check_card_hash(card))
    except NotationError as error:
        raise refused(SiteNo.CARD_FORM, why=error) from None
    if holder:
        raise refused(SiteNo.CARD_TAKEN, name=holder.name)


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
    acts.ChooseProfile: _choose_profile,
    acts.SetClock: _set_clock,
    acts.DeclareBank: _declare,
    acts.Deposit: _deposit,
    **days.DECIDE,
}


def decide(site: Site, act: acts.SiteAct, at: str) -> Decision:
    """Refuse what cannot be, or say what follows."""
    return DECIDE[type(act)](site, act, at)
