"""The site in its house: what its links do not let it do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from croupier.errors import Refusal
from croupier.progressive import site_acts
from croupier.progressive.checks import check_tables, errors
from croupier.progressive.house import House
from croupier.progressive.ledger import Entry
from croupier.progressive.profile import find_profile
from croupier.progressive.refusals import No, refusal
from croupier.progressive.setup import LinkSetup
from croupier.progressive.site import Site
from croupier.progressive.site_refusals import SiteNo, refused
from croupier.progressive.state import Status


class FloorSite(Site):
    """The site, which does not take a table from under a link."""

    house: House

    @classmethod
    def in_house(cls, house: House, values: Mapping[str, Any] | None = None) -> FloorSite:
        site = cls.of_snapshot(values) if values is not None else cls()
        assert isinstance(site, FloorSite)
        site.house = house
        return site

    def handle(self, act: site_acts.SiteAct, at: str) -> Entry:
        entry = super().handle(act, at)
        for reason in _against_links(self, act, at):
            raise reason
        return entry


def _against_links(site: FloorSite, act: site_acts.SiteAct, at: str) -> Iterator[Refusal]:
    if isinstance(act, site_acts.RemoveTable | site_acts.SetTable):
        number = act.number if isinstance(act, site_acts.RemoveTable) else act.table.number
        brief = site.house.link_of(number)
        if brief and brief.setup and not (isinstance(act, site_acts.SetTable) and _fits(brief.setup, act.table)):
            yield refused(SiteNo.TABLE_LINKED, number=number, link=brief.name)
        if isinstance(act, site_acts.SetTable):
            yield from _too_many_games(site, act.table, at)
    if isinstance(act, site_acts.EnrolDevice) and act.link and act.link not in site.house.links:
        yield refusal(No.NO_SUCH_LINK, link=act.link, links=", ".join(sorted(site.house.links)) or "none")
    if isinstance(act, site_acts.ChooseProfile):
        yield from _against_profile(site, act.profile, at)


def _too_many_games(site: FloorSite, table: site_acts.TableSetup, at: str) -> Iterator[Refusal]:
    """The progressives of the links at the table are games too."""
    with_links = replace(table, wagers=tuple(sorted(site.house.wagers(table, ""))))
    if with_links.games > table.games:
        found = [each for each in errors(check_tables([with_links], site.rules(at))) if each.code == "too-many-games"]
        for each in found:
            yield refused(SiteNo.AGAINST_RULES, why=f"{each.sentence} ({each.citation})")


def _fits(setup: LinkSetup, table: site_acts.TableSetup) -> bool:
    linked = setup.table[table.number]
    return (linked.title, linked.decks, linked.seats) == (table.title, table.decks, table.seats)


def _against_profile(site: FloorSite, name: str, at: str) -> Iterator[Refusal]:
    """Open links go on only under rules that they keep."""
    profile = find_profile(name)
    for brief in list(site.house.links.values()):
        if brief.status is Status.OPEN and brief.setup:
            found = errors(site.house.findings_under(profile, brief.name, brief.setup, at))
            if found:
                why = " ".join(f"{each.sentence} ({each.citation})" for each in found)
                yield refused(SiteNo.AGAINST_RULES, why=f"The link {brief.name} is open. {why}")
