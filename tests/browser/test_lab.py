"""The lab and the rules in a browser: a paytable that is changed, a simulation to its end, every rules page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import paragraphs
from tests.browser.support import Floor, Visit
from tests.cli.support import run

ONLY_ONCE = 120_000
"""Milliseconds: the first question of all waits for a process that counts to begin."""
EDGE = '[data-figure="house_edge"] strong'


def opened(visit: Visit, said: str) -> Page:
    page = visit("max", f"/lab?{said}")
    expect(page.locator(EDGE)).to_be_visible(timeout=ONLY_ONCE)
    return page


def test_a_changed_pay_has_the_edge_of_the_command(visit: Visit, tmp_path: Path) -> None:
    visit.expect("status of 422")  # a pay that is half written
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus")
    expect(page.locator(EDGE)).to_have_text("2.3167 %")
    page.get_by_label("Three-of-a-Kind").fill("25 to ")
    expect(page.locator("#say")).to_contain_text("does not end in a pay")
    page.get_by_label("Three-of-a-Kind").fill("25 to 1")
    expect(page.locator("#approved")).to_contain_text("no approval")
    (tmp_path / "own.txt").write_text(page.locator("#text").input_value())
    printed = run("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(tmp_path / "own.txt"), "--json")
    edge = json.loads(printed)["house_edge"]["percent"]
    expect(page.locator(EDGE)).to_have_text(f"{edge:.4f} %")
    expect(page.locator("#say")).to_be_hidden()
    expect(page.locator("#live")).to_contain_text(f"House edge {edge:.4f} %")
    shared = visit("max", page.url)
    expect(shared.locator(EDGE)).to_have_text(f"{edge:.4f} %")
    expect(shared.get_by_label("Three-of-a-Kind")).to_have_value("25 to 1")


def test_two_paytables_side_by_side_and_the_pay_for_a_wanted_edge(visit: Visit) -> None:
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus&table=2")
    page.get_by_label("Compare with").select_option("table 1")
    expect(page.locator("#compared tbody tr").first).to_contain_text("+3.2579 %")
    page.get_by_label("What may change").select_option("pay Straight")
    page.get_by_label("Wanted house edge").fill("5")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_contain_text("5.1764 to 1 gives a house edge of 5%")
    page.get_by_role("button", name="Use 6 to 1").click()
    expect(page.locator(EDGE)).to_have_text("2.3167 %")


def test_a_simulation_is_watched_to_its_end_and_agrees_with_the_count(visit: Visit) -> None:
    page = opened(visit, "game=three-card-baccarat&wager=kings-bonus")
    page.get_by_label("Rounds", exact=True).fill("300000")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("#sim-progress")).to_be_visible()
    expect(page.locator("#sim-result [role=status]")).to_contain_text("agrees with the exact count", timeout=ONLY_ONCE)
    counted = page.locator("#sim-result .figure", has_text="counted").locator("strong")
    assert re.sub(r"\s*%", "", counted.inner_text()) == re.sub(r"\s*%", "", page.locator(EDGE).inner_text())


def test_a_progressive_is_planned_from_the_bench(visit: Visit) -> None:
    page = opened(visit, "game=blackjack&wager=blazing-7s-dealer&table=1")
    expect(page.locator('[data-figure="hold"] strong')).to_have_text("24.7828 %")
    page.get_by_label("Contribution").fill("20%")
    expect(page.locator('[data-figure="hold"] strong')).to_have_text("28.7828 %")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.locator("#plan-levels canvas")).to_be_visible(timeout=ONLY_ONCE)
    page.locator("#plan-figures summary").click()
    expect(page.locator("#plan-figures tbody tr").first).to_contain_text("28.7828%")


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_rules_page_says_what_the_rulebook_says(visit: Visit, game: str) -> None:
    page = visit("", f"/rules/{game}")
    said = page.locator(".rulebook .rule").evaluate_all("rules => rules.map((each) => [each.id, each.innerText])")
    assert {number: plain(text) for number, text in said} == {
        f"p{each.number}": plain(f"{each.number} {each.text}") for each in paragraphs(game)
    }
    cited = "links => links.filter((each) => !document.getElementById(each.hash.slice(1))).map((each) => each.hash)"
    assert page.locator(".rulebook a[href^='#'], .contents a").evaluate_all(cited) == []


def plain(text: str) -> str:
    """Without the marks of Markdown, and blanks as one."""
    return " ".join(re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", text).split())


def test_the_figures_of_a_game_are_the_counted_ones_with_the_printed_ones_beside_them(
    visit: Visit, busy_floor: Floor
) -> None:
    page = visit("max", "/rules/three-card-baccarat", ready="#figures table")
    verified = [each for each in busy_floor.get("/api/verify")["figures"] if each["game"] == "three-card-baccarat"]
    shown = " ".join(page.locator("#figures").inner_text().split())
    for each in verified:
        assert f"{each['printed']} {each['exact_percent']:.4f}% {each['verdict']}" in shown
    with page.expect_download() as download:
        page.get_by_role("link", name="PAR sheet (JSON)").click()
    par = json.loads(Path(download.value.path()).read_text())
    assert par["digest"] == busy_floor.get("/api/par/three-card-baccarat.json")["digest"]
