"""The key on record: the server notes it in the site's book, and nobody else can."""

from __future__ import annotations

import pytest

from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.act import EntryKind
from croupier.floor.refusals import No
from croupier.floor.site.notes import ITSELF, NoteKey
from croupier.floor.site.site import Site
from tests.audit.books import house_site
from tests.floor.test_facts import check_all

KEY, OTHER = "ab" * 32, "cd" * 32


def noted(site: Site, key: str, by: str = ITSELF) -> None:
    act = NoteKey(id=f"key {site.book.entries}", by=by, key=key)
    site.apply(site.handle(act, site.book.at))


def test_a_key_is_noted_with_the_one_before_it() -> None:
    site = Site.of_entries(house_site())
    assert (site.signs_with, "signing" in site.snapshot()) == ("", False)
    noted(site, KEY)
    noted(site, OTHER)
    assert site.signs_with == OTHER
    assert list(site.signing.values()) == [KEY, OTHER]
    assert Site.of_snapshot(site.snapshot()).signing == site.signing


def test_its_entry_has_the_facts_of_its_kind() -> None:
    site = Site.of_entries(house_site())
    entry = site.handle(NoteKey(id="key", by=ITSELF, key=KEY), site.book.at)
    assert check_all([(entry.kind, dict(entry.facts))]) == {EntryKind.NOTE_KEY}


def test_what_is_refused() -> None:
    site = Site.of_entries(house_site())
    noted(site, KEY)
    for key, by, code in ((KEY, ITSELF, No.SAME_KEY), (OTHER, "max", Denied.UNKNOWN_PERSON)):
        with pytest.raises(Refusal) as caught:
            noted(site, key, by)
        assert caught.value.code == code
    for key in ("", "x", "AB" * 32, "ab" * 33):
        with pytest.raises(Refusal) as caught:
            NoteKey(id="k", by=ITSELF, key=key)
        assert caught.value.code == No.WRONG_FORM
