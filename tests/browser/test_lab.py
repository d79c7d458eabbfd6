"""The lab and the rules in a browser: a paytable that is changed, a simulation to its end, every rules page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from croupier.games.blackjack.game import TAUGHT_RULES as RULES
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import paragraphs
from tests.browser.support import WIDTHS, Floor, Visit, assert_accessible, assert_fits, shoot
from tests.cli.support import run

ONLY_ONCE = 120_000
"""Milliseconds: the first question of all waits for a process that counts to begin."""
OFFERED = ("/play/blackjack", "/rules/blackjack")
EDGE = '[data-figure="house_edge"] strong'


def opened(visit: Visit, said: str) -> Page:
    page = visit("max", f"/lab?{said}")
    expect(page.locator(EDGE)).to_be_visible(timeout=ONLY_ONCE)
    return page


def test_a_changed_pay_has_the_edge_of_the_command(visit: Visit, tmp_path: Path) -> None:
    visit.expect("status of 422")  # a pay that is half written
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus")
    expect(page.locator(EDGE)).to_have_text("2.3167%")
    expect(page.locator("[data-costs]").first).not_to_be_empty()  # all is answered, and nothing was changed
    expect(page.locator("#stale")).to_be_hidden()
    expect(page.locator("#counting")).to_be_hidden()
    page.get_by_label("Three-of-a-Kind", exact=True).fill("25 to ")
    expect(page.locator("#say")).to_contain_text("Three-of-a-Kind: “25 to” is not a pay")
    expect(page.get_by_label("Three-of-a-Kind", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Three-of-a-Kind", exact=True).fill("25 to 1")
    expect(page.locator("#approved")).to_contain_text("no approval")
    (tmp_path / "own.txt").write_text(page.locator("#text").input_value())
    printed = run("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(tmp_path / "own.txt"), "--json")
    edge = json.loads(printed)["house_edge"]["percent"]
    expect(page.locator(EDGE)).to_have_text(f"{edge:.4f}%")
    expect(page.locator("#say")).to_be_hidden()
    expect(page.locator("#live")).to_contain_text(f"House edge {edge:.4f}%")
    # As a file that the command reads.
    page.locator("#text").fill("# pays; as of May\nPair 2 to 1 # as printed; ours\nFlush 4 to 1\n")
    expect(page.locator("#pays input:not([type=range])")).to_have_count(2)
    expect(page.locator("#pays .footnote")).to_have_count(0)
    expect(page.get_by_label("Pair", exact=True)).to_have_value("2 to 1")
    expect(page.locator("#say")).to_be_hidden()
    page.locator("#text").fill((tmp_path / "own.txt").read_text())
    expect(page.get_by_label("Three-of-a-Kind", exact=True)).to_have_value("25 to 1")
    shared = visit("max", page.url)
    expect(shared.locator(EDGE)).to_have_text(f"{edge:.4f}%")
    expect(shared.get_by_label("Three-of-a-Kind", exact=True)).to_have_value("25 to 1")


def test_two_paytables_side_by_side_and_the_pay_for_a_wanted_edge(visit: Visit) -> None:
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus&table=2")
    page.get_by_label("Compare with").select_option("table 1")
    expect(page.locator("#compared tbody tr").first).to_contain_text("+3.2579%")
    page.get_by_label("What may change").select_option("pay Straight")
    page.get_by_label("Wanted house edge").fill("5")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_contain_text("5.1764 to 1 gives a house edge of 5%")
    page.get_by_role("button", name="Use 6 to 1").click()
    expect(page.locator(EDGE)).to_have_text("2.3167%")


def test_what_is_kept_stands_line_by_line_beside_the_table_as_it_is_shipped(visit: Visit) -> None:
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus&table=1")
    page.get_by_label("Straight", exact=True).fill("7 to 1")
    is_answered(page)
    page.get_by_role("button", name="Keep this one to compare").click()
    heads = page.locator("#lines thead th")
    expect(heads.filter(has_text="Variant 1")).to_be_visible()
    assert heads.all_inner_texts()[:4] == ["Line", "Pays", "Paytable 1", "Variant 1"]
    row = page.locator("#lines tbody tr", has=page.locator("td", has_text=re.compile("^Straight$")))
    assert row.locator("td").nth(2).inner_text().split() == ["6", "to", "1", "+0.032579"]  # the difference made
    assert row.locator("td").nth(3).inner_text() == "7 to 1"
    tops = row.locator("td").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "a row is one row"
    expect(page.locator("#compared tbody tr").first).to_contain_text("-3.2579%")
    expect(page.locator("#compared .hint")).to_have_text(
        "Difference: this one minus the variant whose column it stands beside."
    )
    page.set_viewport_size({"width": 390, "height": 844})
    tops = row.locator("td").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "on a phone too"
    assert_fits(page)


def test_whoever_says_nothing_slides_at_once_and_sees_where_a_wager_goes(visit: Visit) -> None:
    page = visit("", "/lab", ready="#figures strong", width=390)
    is_answered(page)
    parts = page.locator(".goes li")
    told = [float(each.split(": ")[1].rstrip("%")) for each in parts.evaluate_all("all => all.map(each => each.title)")]
    assert sum(told) == pytest.approx(100, abs=0.05)
    edge = page.locator(EDGE).inner_text()
    assert parts.last.get_attribute("title") == f"House: {float(edge.rstrip('%')):.2f}%"
    expect(page.locator(".since")).to_have_count(0)
    page.get_by_label("Slide the pay of Straight", exact=True).press("ArrowLeft")
    bar = page.locator("#edge-bar")
    expect(bar).to_contain_text(f"{edge} as it is shipped, +3.2579%")  # 720 of 22,100, exactly
    expect(bar).to_be_in_viewport()
    page.locator("#reset").click()
    expect(bar).to_have_text(f"House edge{edge}")


def is_answered(page: Page) -> None:
    expect(page.locator(".answers")).not_to_have_class(re.compile("of-before"))


def test_named_variants_a_slider_undo_and_the_table_as_files(visit: Visit) -> None:
    page = opened(visit, "game=triple-shot-rummy&wager=pair-plus&table=1")
    expect(page.locator('[data-costs="Straight"]')).to_contain_text("7 to 1 would cost the house 3.2579%")
    page.get_by_role("button", name="Keep this one to compare").click()
    page.get_by_label("Name of variant 1").fill("As it is")
    page.get_by_label("Name of variant 1").press("Enter")
    is_answered(page)  # what was not answered before the next change is undone with it
    page.get_by_label("Slide the pay of Straight", exact=True).press("ArrowRight")
    expect(page.get_by_label("Straight", exact=True)).to_have_value("7 to 1")
    expect(page.locator("#compared thead")).to_contain_text("As it is")
    expect(page.locator("#compared tbody tr").first).to_contain_text("-3.2579%")
    for table in ("2", "3"):
        page.get_by_label("Compare with").select_option(f"table {table}")
        is_answered(page)
    expect(page.get_by_label("Compare with")).to_be_disabled()
    expect(page.locator("#compared thead th")).to_have_count(5)
    with page.expect_download() as csv:
        page.get_by_role("button", name="Table as CSV").click()
    written = Path(csv.value.path()).read_text()
    assert written.splitlines()[0] == "Figure,This one,As it is,Difference,Paytable 2,Difference,Paytable 3,Difference"
    assert "Straight,7 to 1,6 to 1," in written
    with page.expect_download() as image:
        page.get_by_role("button", name="Table as an image").click()
    assert Path(image.value.path()).read_bytes().startswith(b"\x89PNG")
    page.get_by_role("button", name="Add this wager").click()
    expect(page.locator("#product-table tbody tr").last).to_contain_text("All together")
    assert_accessible(page)
    for width in WIDTHS:
        shoot(page, "lab-variants", width)
        assert_fits(page)
    shared = visit("max", page.url)
    expect(shared.locator("#compared thead")).to_contain_text("As it is")
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
        is_answered(page)
    expect(page.get_by_label("Straight", exact=True)).to_have_value("6 to 1")
    # What a server that is slow has not answered yet is not read as the answer.
    page.route("**/api/lab", lambda route: None)
    page.get_by_label("Flush", exact=True).fill("5 to 1")
    assert "of-before" in (page.locator(".answers").get_attribute("class") or "")
    assert page.locator(EDGE).evaluate("each => getComputedStyle(each).filter") == "blur(4px)"
    expect(page.get_by_role("button", name="Table as CSV")).to_be_disabled()
    expect(page.get_by_role("button", name="Table as an image")).to_be_disabled()
    page.unroute_all(behavior="ignoreErrors")


def test_the_rules_of_blackjack_are_changed_and_the_pay_of_a_blackjack_is_found(visit: Visit) -> None:
    visit.expect("status of 422")  # a pay that is half written
    page = opened(visit, "game=blackjack&wager=bet&table=1D H17 D10 NDAS SP2 3:2")
    page.get_by_label("Splitting", exact=True).select_option("SP1")
    page.get_by_label("A blackjack pays").fill("6:")
    expect(page.locator("#say")).to_contain_text("is no rule of blackjack")
    page.get_by_label("A blackjack pays").fill("6:5")
    expect(page.locator("#text")).to_have_value("1D H17 D10 NDAS SP1 6:5")
    printed = run("odds", "blackjack", "bet", "--rules", page.locator("#text").input_value(), "--json")
    edge = json.loads(printed)["house_edge"]["percent"]
    expect(page.locator(EDGE)).to_have_text(f"{edge:.4f}%")
    page.get_by_label("Wanted house edge").fill("1")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_contain_text("gives a house edge of 1%")
    page.get_by_role("button", name="Use 3:2").click()
    expect(page.locator("#text")).to_have_value("1D H17 D10 NDAS SP1 3:2")
    page.get_by_label("Compare with").select_option("table 1D H17 D10 NDAS SP2 3:2")
    expect(page.locator("#compared tbody tr").first).to_contain_text("House edge")
    assert_accessible(page)
    for width in WIDTHS:
        shoot(page, "lab-rules", width)
        assert_fits(page)
    shared = visit("max", page.url)
    expect(shared.get_by_label("Splitting", exact=True)).to_have_value("SP1")


def test_a_simulation_is_watched_to_its_end_and_agrees_with_the_count(visit: Visit) -> None:
    page = opened(visit, "game=three-card-baccarat&wager=kings-bonus")
    page.get_by_label("Rounds", exact=True).fill("300000")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("#sim-progress")).to_be_visible()
    page.locator("#wager").select_option("tie")
    expect(page.locator("#sim-result h3")).to_contain_text("King's Bonus, 1", timeout=ONLY_ONCE)
    expect(page.locator("#sim-result .tag")).to_have_text("not what is on the bench now")
    page.locator("#wager").select_option("kings-bonus")
    expect(page.locator("#sim-result")).to_be_empty()
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("#sim-result [role=status]")).to_contain_text("agrees with the exact count", timeout=ONLY_ONCE)
    expect(page.locator("#sim-result .tag")).to_be_hidden()
    counted = page.locator("#sim-result .figure", has_text="counted").locator("strong")
    assert re.sub(r"\s*%", "", counted.inner_text()) == re.sub(r"\s*%", "", page.locator(EDGE).inner_text())


def test_a_progressive_is_planned_from_the_bench(visit: Visit) -> None:
    page = opened(visit, "game=blackjack&wager=blazing-7s-dealer&table=1")
    expect(page.locator('[data-figure="hold"] strong')).to_have_text("24.7828%")
    page.get_by_label("Contribution").fill("20")
    expect(page.locator('[data-figure="hold"] strong')).to_have_text("28.7828%")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.locator("#plan-levels canvas")).to_be_visible(timeout=ONLY_ONCE)
    page.locator("#plan-figures summary").click()
    expect(page.locator("#plan-figures tbody tr").first).to_contain_text("28.7828%")


def test_a_footnote_stands_below_the_pays(visit: Visit) -> None:
    page = opened(visit, "game=three-card-baccarat&wager=dragon-bonus")
    expect(page.locator("#pays .footnote")).to_have_text("Win by 10: three face cards against a dealer's 0.")
    shoot(page, "lab-footnote", 820)
    assert_accessible(page)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_rules_page_says_what_the_rulebook_says(visit: Visit, game: str) -> None:
    page = visit("", f"/rules/{game}")
    said = page.locator(".rulebook .rule").evaluate_all("rules => rules.map((each) => [each.id, each.textContent])")
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
    above = "() => document.querySelector('#figures').getBoundingClientRect().top"
    assert page.evaluate(above) < page.evaluate(above.replace("#figures", ".rulebook")), "what people look up is first"
    verified = [each for each in busy_floor.get("/api/verify")["figures"] if each["game"] == "three-card-baccarat"]
    shown = " ".join(page.locator("#figures").inner_text().split())
    for each in verified:
        assert f"{each['printed']} {each['exact_percent']:.4f}% {each['verdict']}" in shown
    with page.expect_download() as download:
        page.get_by_role("link", name="PAR sheet (JSON)").click()
    par = json.loads(Path(download.value.path()).read_text())
    assert par["digest"] == busy_floor.get("/api/par/three-card-baccarat.json")["digest"]
    # As many combinations as side wagers of blackjack have: more digits than a double holds.
    par["sheets"][0]["lines"][0]["combinations"] = 6_100_594_138_312_510_756_570_398_720
    page.route("**/api/figures/*", lambda route: route.fulfill(json=par))
    page.reload()
    page.locator("#figures summary").first.click()
    expect(page.locator("#figures")).to_contain_text("6,100,594,138,312,510,756,570,398,720")


def test_a_chart_shows_every_up_card_on_a_phone_too(visit: Visit) -> None:
    page = visit("", "/rules/blackjack", ready=".basic .cell", width=360)
    page.locator(".basic").scroll_into_view_if_needed()
    chart = page.locator("div:has(> .basic)")
    heads = [head.bounding_box() for head in page.locator(".basic thead th").all()]
    box = chart.bounding_box()
    assert box
    assert len(heads) == 11
    assert all(head and head["x"] + head["width"] <= box["x"] + box["width"] + 1 for head in heads)


def test_a_table_and_its_chart_have_the_same_rules(visit: Visit, busy_floor: Floor) -> None:
    """As they are dealt where nobody has said others, and those that somebody asks for."""
    dealt = [visit("", path).evaluate("JSON.parse(document.getElementById('boot').textContent)") for path in OFFERED]
    assert {dealt[0]["usual"]["rules"], dealt[1]["placard"], RULES} == {RULES}
    visit.expect("status of 422")
    page = visit("max", "/rules", still=True)
    expect(page.locator(".rule-games .fan svg").first).to_be_attached()
    shown = [page.locator(f'dd[data-edge="{key}"]') for key in ("three-card-baccarat", "supreme-99")]
    for edge in shown:
        expect(edge).to_have_text(re.compile(r"\d%$"))
    told = {each["game"]: each["edge"] for each in busy_floor.get("/api/edges")["edges"]}
    for edge, key in zip(shown, ("three-card-baccarat", "supreme-99"), strict=True):
        expect(edge).to_have_text(f"{told[key]['house_edge']['percent']:.2f}%")
    assert_fits(page)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        """Counting takes seconds, and is proved elsewhere."""
        asked.append(parse_qs(urlsplit(route.request.url).query)["rules"][0])
        route.fulfill(status=422, json={"error": {"code": "no", "sentence": "Not counted.", "retry": False}})

    page.route("**/api/figures/*", refuse)
    page.goto("/rules/blackjack")
    page.get_by_label("Rules of the table").fill("1D H17 D10 NDAS SP1 6:5")
    page.get_by_role("button", name="Count for these rules").click()
    expect(page.locator("#in-words")).to_contain_text("no splitting")
    expect(page.locator("#say")).to_have_text("Not counted.")
    assert asked == [RULES, "1D H17 D10 NDAS SP1 6:5"]
    expect(page.locator("#par-pdf")).to_have_attribute(
        "href", re.compile(r"pdf\?rules=1D%20H17%20D10%20NDAS%20SP1%206%3A5$")
    )


def test_a_name_that_begins_as_a_formula_is_a_text_in_the_file(visit: Visit) -> None:
    variant = quote(json.dumps(["=1+1", "2", None]))
    page = opened(visit, f"game=triple-shot-rummy&wager=pair-plus&table=1&variant={variant}")
    expect(page.locator("#compared thead")).to_contain_text("=1+1")
    with page.expect_download() as csv:
        page.get_by_role("button", name="Table as CSV").click()
    [head, first, *_] = Path(csv.value.path()).read_text().splitlines()
    assert head == "Figure,This one,'=1+1,Difference"
    assert re.fullmatch(r"House edge,[-+]?[\d.]+%,[-+]?[\d.]+%,[-+][\d.]+%", first), "figures stay figures"
