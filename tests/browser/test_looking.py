"""The looking itself: what is wrong with a page is found, so that finding nothing means something."""

from __future__ import annotations

import pytest

from tests.browser.support import Visit, assert_fits, violations, wait_for


def test_axe_names_what_is_wrong(visit: Visit) -> None:
    page = visit("", "/sign-in")
    page.evaluate(
        "() => { const made = document.createElement('input'); document.querySelector('form').append(made); }"
    )
    found = violations(page)
    assert [each.rule for each in found] == ["label"]
    assert "form > input" in str(found[0])


def test_what_sticks_out_is_found(visit: Visit) -> None:
    page = visit("", "/sign-in", width=360)
    page.evaluate("() => { document.querySelector('form').style.width = '500px'; }")
    with pytest.raises(AssertionError, match="in a window of 360"):
        assert_fits(page)


def test_a_page_that_breaks_its_own_policy_is_heard(visit: Visit) -> None:
    page = visit("", "/sign-in")
    page.evaluate("() => document.querySelector('form').setAttribute('style', 'color: red')")
    page.evaluate("() => setTimeout(() => { throw new Error('a broken script'); })")
    for complaint in ("Content Security Policy", "a broken script"):
        wait_for(page, lambda said=complaint: said in "\n".join(visit.complaints))
    visit.complaints.clear()
