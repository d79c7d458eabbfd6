"""The front door in a browser: a hand is played in a real round, cards before words; games have counted edges."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from croupier.games.catalogue import ALL_GAMES
from croupier.web.games import questions
from tests.browser.support import Floor, Visit, assert_accessible

KEYS = ".hand-keys button[data-act]"
MOST_BYTES = 300_000
WATCH = """() => {
  window.told = [];
  const note = () => window.told.push({
    cards: document.querySelectorAll('#hand-mine [data-card], #hand-dealer [data-card]').length,
    verdict: document.querySelector('#verdict')?.textContent || '',
  });
  new MutationObserver(note).observe(document.querySelector('.hand-felt'), { childList: true, subtree: true });
}"""
"""How many cards lie, and what is said, at every change."""


def play_to_the_end(page: Page, press: str = "mouse") -> None:
    """Whatever is asked, the first choice is taken."""
    while page.locator("#verdict").count() == 0:
        key = page.locator(KEYS).first
        if press == "mouse":
            key.click()
        elif press == "touch":
            key.tap()
        else:
            key.focus()
            page.keyboard.press("Enter")
        expect(page.locator(f"#verdict, {KEYS}:not([disabled])").first).to_be_visible()


@pytest.mark.parametrize("press", ["mouse", "keyboard"])
def test_a_hand_is_played_above_the_fold_and_no_word_runs_ahead_of_its_card(visit: Visit, press: str) -> None:
    page = visit("", "/", width=1440, ready=KEYS)
    box = page.locator(KEYS).first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900, "above the fold"
    page.evaluate(WATCH)
    play_to_the_end(page, press)
    told: list[dict[str, Any]] = page.evaluate("() => window.told")
    said = [each for each in told if each["verdict"]]
    last = page.locator("#hand-mine [data-card], #hand-dealer [data-card]").count()
    assert said
    assert {each["cards"] for each in said} == {last}, "every card lies before the result is said"
    expect(page.locator("#verdict")).to_contain_text("You ")
    assert_told_of_one_decision(page)
    page.locator("#hand-again").click()
    expect(page.locator(f"{KEYS}:not([disabled]), #verdict").first).to_be_visible()
    assert_accessible(page)


def assert_told_of_one_decision(page: Page) -> None:
    """The table is of the decision that the sentence judges, however many there were; its bars begin at one place."""
    if page.locator(".worth").count() == 0:  # nothing was counted in time, and that is said
        expect(page.locator("#verdict")).to_contain_text("still being counted")
        return
    mine = page.locator(".worth li:has(.mine-mark)")
    name = mine.locator("b").inner_text().split("\n")[0].split(" ←")[0]
    costs = "cost" in page.locator("#verdict strong").inner_text()
    assert costs == ("costs" in mine.inner_text())
    said = page.locator("#verdict").inner_text()
    assert not costs or name in said or "of your choices" in said
    bars = [each.bounding_box() for each in page.locator(".worth .track").all()]
    assert len({round(box["x"]) for box in bars if box}) == 1


def test_a_split_hand_is_asked_about_as_itself_and_a_dealt_blackjack_is_not_judged(
    visit: Visit, busy_floor: Floor
) -> None:
    page = visit("", "/", width=1440, ready=KEYS, still=True)
    play_to_the_end(page)
    seeds = iter(["front 89", "front 13"])  # a pair of nines against a 2; a blackjack

    def seeded(route: Route) -> None:
        route.continue_(post_data=json.dumps({**(route.request.post_data_json or {}), "seed": next(seeds)}))

    page.route("**/api/rounds", seeded)
    with page.expect_response("**/api/rounds") as opened:
        page.locator("#hand-again").click()
    page.locator(f'{KEYS}[data-act^="split"]').click()
    for turn in (1, 2):
        expect(page.locator("#hand-mine [data-card]")).to_have_count(2 + turn)
        expect(page.locator(f'{KEYS}[data-act^="stand"]')).to_be_enabled()
        found = busy_floor.get(f"/api/rounds/{opened.value.json()['round']}")
        assert found["turn_hand"] == turn
        hands = [hand["words"] for hand in found["seats"][0]["hands"]]
        assert len(set(hands)) == 2
        expect(page.locator("#hand-question")).to_contain_text(f"{hands[turn - 1]} against")
        page.locator(f'{KEYS}[data-act^="stand"]').click()
    expect(page.locator("#verdict")).to_be_visible()
    page.locator("#hand-again").click()
    expect(page.locator("#hand-mine-words")).to_have_text("blackjack")
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#verdict strong")).to_have_text("")


def test_a_hand_on_a_phone_by_touch(visit: Visit) -> None:
    page = visit("", "/", width=390, ready=KEYS, touch=True)
    last = page.locator(KEYS).last.bounding_box()
    lay = page.locator(".hand-keys").bounding_box()
    assert last
    assert lay
    assert last["x"] + last["width"] == pytest.approx(lay["x"] + lay["width"], abs=1), "no hole beside the last key"
    play_to_the_end(page, "touch")
    expect(page.locator("#verdict")).to_be_in_viewport()
    assert_told_of_one_decision(page)


def test_the_tiles_close_their_last_row(visit: Visit) -> None:
    for path, width in itertools.product(("/", "/play", "/deal", "/rules"), (1440, 1100, 820, 390)):
        page = visit("", path, width=width)
        row = page.locator(".tiles").bounding_box()
        assert row
        ends: dict[int, float] = {}
        for tile in page.locator(".tiles > li").all():
            box = tile.bounding_box()
            assert box
            top = round(box["y"])
            ends[top] = max(ends.get(top, 0), box["x"] + box["width"])
        assert len(ends) > 2
        assert list(ends.values()) == pytest.approx([row["x"] + row["width"]] * len(ends), abs=1)


def test_the_cloth_of_the_hand_is_printed_as_that_of_its_table(visit: Visit) -> None:
    """And on a phone all of it is still above the fold: totals lie on the cards."""
    game = next(iter(ALL_GAMES.values()))
    dealt = game.under(str(game.usual["rules"]))
    page = visit("", "/", width=1440, ready=KEYS)
    assert page.locator(".hand-name").text_content() == dealt.cloth.name
    assert page.locator(".hand-below").text_content() == dealt.cloth.below
    page.set_viewport_size({"width": 390, "height": 844})
    keys = [box for key in page.locator(KEYS).all() if (box := key.bounding_box())]
    assert max(box["y"] + box["height"] for box in keys) < 844
    lay, name = page.locator("#hand-mine").bounding_box(), page.locator(".hand-name").bounding_box()
    assert lay
    assert name
    assert name["y"] + name["height"] <= lay["y"] + 1, "no card lies on what is printed"


def test_wagers_that_people_look_up_lead_to_their_figures(visit: Visit) -> None:
    page = visit("", "/", width=1440, ready=".looked-up b:not([data-waits])")
    first = page.locator(".looked-up a", has=page.locator("b:not([data-waits])")).first
    name, edge = first.locator("span").inner_text().splitlines()[0], first.locator("b").inner_text()
    first.click()
    tile = page.locator("#glance a", has_text=name)
    expect(tile).to_contain_text(edge)


def test_the_result_is_that_of_the_round_in_the_books(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/", width=1440, ready=KEYS, still=True)
    with page.expect_response("**/api/rounds") as opened:
        play_to_the_end(page)
    found = busy_floor.get(f"/api/rounds/{opened.value.json()['round']}")
    assert found["over"]
    assert found["seeded"]
    cents = found["seats"][0]["result_cents"]
    words = page.locator("#verdict").inner_text()
    assert words.startswith("You won" if cents > 0 else "You lost" if cents < 0 else "A push")
    shown = [each.get_attribute("data-card") for each in page.locator("#hand-mine [data-card]").all()]
    assert shown == [card for hand in found["seats"][0]["hands"] for card in hand["cards"]]


def test_every_game_has_a_tile_with_the_edge_that_is_counted(visit: Visit) -> None:
    page = visit("", "/", ready=".edge.counted")
    assert page.locator(".tile h3").all_inner_texts() == [game.title for game in ALL_GAMES.values()]
    for game in ALL_GAMES.values():
        place = page.locator(f'[data-edge="{game.key}"].counted')
        expect(place).to_be_visible()
        told = questions.edge(game.key, str(game.usual.get("rules", "")))["house_edge"]
        share = float(Fraction(told["exact"])) if told["exact"] else told["percent"] / 100
        assert place.inner_text() == f"{100 * share:.2f}%"
        assert page.locator(f'.tile a[href="/play/{game.key}"]').count() == 1


def test_the_first_page_has_few_bytes_with_its_typefaces(visit: Visit, busy_floor: Floor) -> None:
    """Over the wire, as the server packs it: the page, its sheets, scripts, pictures and typefaces."""
    page = visit("", "/", ready=KEYS)
    page.wait_for_load_state("networkidle")
    asked: list[str] = page.evaluate("() => performance.getEntriesByType('resource').map((each) => each.name)")
    files = {url for url in asked if "/static/" in url} | {f"{busy_floor.server.url}/"}
    assert sum(url.endswith("woff2") for url in files) == 2
    with httpx.Client(headers={"Accept-Encoding": "gzip", "Accept": "text/html"}, timeout=60) as client:
        sizes = {url: _on_the_wire(client, url) for url in files}
    assert sum(sizes.values()) < MOST_BYTES, sizes


def _on_the_wire(client: httpx.Client, url: str) -> int:
    with client.stream("GET", url) as answer:
        return sum(map(len, answer.iter_raw()))


def test_without_scripts_there_is_a_sentence_and_a_way_on(visit: Visit) -> None:
    page = visit("", "/", scripts=False)
    sentence = page.locator("#hand-ask noscript")
    assert "this browser runs none" in sentence.inner_text()
    sentence.locator("a").click()
    expect(page.locator(".rulebook")).to_be_visible()


def test_a_stranger_reads_figures_and_uses_the_lab_by_a_copied_link(visit: Visit) -> None:
    game = next(iter(ALL_GAMES.values()))
    page = visit("", f"/rules/{game.key}", ready="#figures table")
    assert page.locator("#par-pdf").count() == 0
    first = list(ALL_GAMES.values())[-1]
    wager = first.wagers[0]
    page = visit("", f"/lab?game={first.key}&wager={wager.key}", ready="#figures strong")
    assert page.locator("#game").input_value() == first.key
    expect(page.locator("#simulate")).to_be_hidden()
    page.locator("#lab-sign-in").click()
    expect(page.locator("form[data-send]")).to_have_attribute("data-then", f"/lab?game={first.key}&wager={wager.key}")


def test_rules_show_each_edge_at_once_examples_as_cards_and_a_placard_with_its_footnotes(visit: Visit) -> None:
    page = visit("", "/rules/three-card-baccarat", ready="#figures table", width=1440)
    expect(page.locator("#glance a")).to_have_count(4)
    expect(page.locator("#glance a").last).to_contain_text("5.36%")
    example = page.locator("#p2\\.8")
    assert example.locator(".named-hand").all_inner_texts() == ["8\n-\nK\n-\nJ", "2\n-\n5\n-\nA"]
    assert "8-K-J beats 2-5-A" in (example.text_content() or "")
    placard = page.locator('[data-wager="dragon-bonus"] .placard')
    expect(placard.locator("dl div").first).to_have_text("Win by 10*50 to 1")
    expect(placard).to_contain_text("* Win by 10: three face cards against a dealer's 0.")
    expect(page.locator('[data-wager="dragon-bonus"] .placard dt', has_text="loss")).to_have_count(0)
    assert_accessible(page)
