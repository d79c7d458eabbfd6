"""What the site's book says of the rows of a link: those who signed could, and the house's notes are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from croupier.errors import RecordError
from croupier.progressive.acts import Act
from croupier.progressive.authority import Role
from croupier.progressive.chain import Row
from croupier.progressive.decision import Decision
from croupier.progressive.house import ITSELF, FloorLink, House, notes_again
from croupier.progressive.ledger import Entry
from croupier.progressive.link import Link
from croupier.progressive.profile import find_profile
from croupier.progressive.roster import FOREVER, Place, Roster, moved
from croupier.progressive.signing import Signed

__all__ = ["FOREVER", "HouseCheck"]

FINDINGS = frozenset({"make", "reconfigure", "open"})
"""Their notes are findings, which depend on every link of the house at that moment: only part is made again."""
AMOUNTS = frozenset({"confirm", "pay", "adjust"})
"""Their notes are the list that the amount calls for."""


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

    def until(self, at: str) -> str:
        return self._roster.until(moved(at, 0))

    # People

    def vouch(self, row: Row) -> None:
        """Refuse a row that somebody signed who was not enrolled, or could not act, or was something else then."""
        at = moved(row.at, 0)
        for signed in _signers(row.facts):
            if signed == ITSELF:
                continue
            if signed.role is Role.FLOOR or not self._roster.could_sign(signed, at):
                raise RecordError(
                    f"Entry {row.number} of the book ({row.kind}) is signed by {signed.person!r} as {signed.role}, "
                    f"and by the site's book nobody of that name could sign so at {row.at}."
                )

    # Notes

    def notes(self, link: Link, act: Act, decision: Decision, told: Entry | Row) -> Mapping[str, Any] | None:
        """What the house must have noted; of several that are possible, what it says that it noted."""
        noted: Any = told.facts.get("notes")
        if decision.kind in FINDINGS:
            self._check_findings(link, noted, told)
            return dict(noted)
        if decision.kind not in AMOUNTS:
            return None
        places = self._roster.places_at(told.at)
        if any(self._edition.get(place.profile) not in (None, _edition(place.profile)) for place in places):
            self.other_edition = True
            return noted if isinstance(noted, Mapping) else None
        found = [self._again(link, act, decision, told.at, place) for place in places]
        return noted if noted in found else next(iter(found), None)

    def _again(self, link: Link, act: Act, decision: Decision, at: str, place: Place) -> Mapping[str, Any]:
        return notes_again(FloorLink(link.name, House(site=place.site()), link.state), act, decision, at)

    def _check_findings(self, link: Link, noted: Any, told: Entry | Row) -> None:
        book = link.state.book
        places = [(place.profile, place.site().day(told.at).isoformat()) for place in self._roster.places_at(told.at)]
        match noted:
            case {"profile": str(profile), "profile_digest": str(edition), "day": str(day), "warnings": [*_]} if (
                profile,
                day,
            ) in places and noted.get("chain") == (
                {"entries": book.entries, "digest": book.digest} if told.kind == "open" else None
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


def _signers(facts: Mapping[str, Any]) -> Iterator[Signed]:
    for name in ("by", "second"):
        if name in facts:
            yield Signed.of_list(facts[name])
    if "override" in facts:
        yield Signed.of_list(facts["override"]["by"])
