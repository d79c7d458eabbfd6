"""Every page at every width, light and dark: it fits, axe finds nothing, and its screenshots are kept."""

from __future__ import annotations

import pytest

from tests.browser.pages import PAGES, Seen
from tests.browser.support import WIDTHS, Visit, assert_accessible, assert_fits, shoot


@pytest.mark.parametrize("seen", PAGES, ids=lambda seen: seen.name)
def test_a_page_fits_every_width_and_is_accessible_in_light_and_dark(visit: Visit, seen: Seen) -> None:
    visit.expect("status of 40[134]")  # who is asked for a token, may not see it, and what is not there
    page = visit(seen.who, seen.path, ready=seen.ready, still=True)
    ours = seen.name != "api"  # which a library draws, very long and in light alone
    for width in WIDTHS:
        shoot(page, seen.name, width, whole=ours)
        assert_fits(page)
    if not ours:
        return
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    shoot(page, f"{seen.name}-dark", 820)
    assert_accessible(page)
