"""Who came in and who did not, in the site's book: what may be noted, by whom, and that both verifiers hold it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.refusals import No
from croupier.floor.site.acts import SetSignIn
from croupier.floor.site.notes import ITSELF, AccessEvent, NoteAccess
from croupier.floor.site.site import Site
from support.room import DEALER, EXECUTIVE, MANAGER, OTHER_MANAGER, SUPERVISOR, SiteBook, agreed
from tests.audit.books import CARDS, card_room, house_site
from tests.audit.test_verifier import line_of, verifier

IN, FAILED, REFUSED, ENDED = AccessEvent


def book() -> SiteBook:
    return SiteBook(card_room(), at="2026-11-15T10:00:00.000000Z")


def noted(site: SiteBook, event: AccessEvent, *, by: str = ITSELF, **more: Any) -> Any:
    number = site.site.book.entries + 1
    return site.do(NoteAccess(id=f"access {number}", by=by, event=event, **more))


def second(site: SiteBook) -> Any:
    """The verifier's own reading of the book."""
    read = verifier.Site("site", verifier.Marks(set()))
    for entry in site.entries:
        read.take(line_of(entry))
    return read


def test_a_sign_in_is_noted_and_is_the_last_of_that_person() -> None:
    site = book()
    entry = noted(site, IN, person="sue", how="card and PIN", where="console 10.0.0.7", session="ab" * 8)
    expected = {"by": "floor", "event": "sign-in", "person": "sue", "how": "card and PIN", "session": "ab" * 8}
    assert entry.facts == {**expected, "where": "console 10.0.0.7"}
    assert site.site.people.seen == {"sue": (entry.at, "console 10.0.0.7")}
    assert Site.of_snapshot(site.site.snapshot()).people.seen == site.site.people.seen
    assert Site.of_entries(site.entries).snapshot() == site.site.snapshot()
    assert second(site).number == entry.number


def test_a_card_that_is_nobodys_is_noted_without_a_word_of_it() -> None:
    site = book()
    entry = noted(site, FAILED, how="card", why="unknown-card", where="console 10.0.0.7")
    assert "person" not in entry.facts
    again = noted(site, REFUSED, why="locked-out", times=40)
    assert again.facts["times"] == 40
    assert not any(card in str(entry.as_json()) for card in CARDS.values())
    assert second(site).number == again.number


def test_whoever_is_not_enrolled_cannot_have_come_in() -> None:
    site = book()
    for event in (IN, ENDED):
        with pytest.raises(Refusal) as caught:
            noted(site, event, person="nobody", why="x")
        assert caught.value.code == Denied.UNKNOWN_PERSON


@pytest.mark.parametrize("by", [EXECUTIVE, MANAGER])
def test_an_executive_or_a_manager_ends_a_session(by: Any) -> None:
    site = book()
    noted(site, ENDED, by=by.person, person="ann", why="ended")
    assert second(site).number == site.site.book.entries


@pytest.mark.parametrize("by", [SUPERVISOR, DEALER])
def test_others_end_none_and_nobody_says_that_somebody_came(by: Any) -> None:
    site = book()
    with pytest.raises(Refusal) as caught:
        noted(site, ENDED, by=by.person, person="eve", why="ended")
    assert caught.value.code == Denied.NOT_ALLOWED
    with pytest.raises(Refusal) as caught:
        noted(site, IN, by=MANAGER.person, person="eve")
    assert caught.value.code == No.WRONG_FORM


def test_two_people_say_whether_a_dealer_may_be_at_several_tables() -> None:
    site = SiteBook(iter(()), at="2026-11-15T10:00:00.000000Z")
    for entry in house_site("max", "mia"):
        site.site.apply(entry)
        site.entries.append(entry)
    at = site.entries[-1].at
    act = SetSignIn(id="s1", by=MANAGER.person, second=OTHER_MANAGER.person, many_tables=True)
    with pytest.raises(Refusal) as caught:
        site.site.handle(act, at)
    assert caught.value.code == No.NOT_AGREED
    entry = site.site.handle(agreed(act, at), at)
    site.site.apply(entry)
    site.entries.append(entry)
    assert site.site.many_tables
    assert Site.of_snapshot(site.site.snapshot()).many_tables
    assert second(site).many_tables
    with pytest.raises(Refusal, match="A dealer may be signed in at several tables already"):
        site.site.handle(agreed(SetSignIn(id="s2", by="max", second="mia", many_tables=True), at), at)


WRONG = {
    "somebody who is not enrolled": {"person": "nobody"},
    "somebody who signs it": {"by": "max"},
    "another event": {"event": "came"},
    "once": {"times": 1},
    "more than is known": {"card": "ab" * 32},
}


@pytest.mark.parametrize("what", WRONG)
def test_the_second_verifier_finds_what_cannot_be(what: str) -> None:
    site = book()
    entry = noted(site, IN, person="sue", how="card")
    read = verifier.Site("site", verifier.Marks(set()))
    for each in site.entries[:-1]:
        read.take(line_of(each))
    values = entry.as_json()
    values["facts"] |= WRONG[what]
    with pytest.raises(verifier.Wrong):
        read.take(line_of(type(entry).of_json(values).sealed()))
