"""The dealer's school in a browser: rounds dealt to the end, by clicking and by keys, with a mistake of every kind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier.games.table.questions import Kind, Typed
from croupier.training.lesson import Lesson, Step, make_lesson
from tests.browser.support import WIDTHS, Floor, Visit, assert_accessible, assert_fits, shoot, with_signs

LESSONS = {"triple-shot-rummy": "b22", "three-card-baccarat": "b137", "supreme-99": "b6", "blackjack": "every-320"}
"""Seeds of rounds which together ask every kind of question."""


def answer(page: Page, step: Step, value: str, *, by_key: bool) -> None:
    if step.typed:
        page.locator("#typed").fill(f"{int(value) / 100:.2f}" if step.typed is Typed.MONEY else value)
        page.keyboard.press("Enter")
        return
    if by_key and step.kind is Kind.ORDER:
        keys = page.locator(".place .touch").evaluate_all("all => all.map((each) => each.dataset.key)")
        assert all(keys), keys  # whether it is meant or not, each wager has its own
        assert len(set(keys)) == len(keys)
        page.keyboard.press(page.locator(f'.place [data-value="{value}"]').first.get_attribute("data-key") or "")
        return
    if by_key:
        page.keyboard.press(next(each.key for each in step.choices if each.value == value))
        return
    target = page.locator(f'.school [data-value="{value}"]').first
    if step.kind is Kind.ORDER and not target.is_visible():  # on a phone, the seat comes first
        page.locator(f'.place[data-seat="{value.split(maxsplit=1)[0]}"] header').click()
    target.click()


def wrong_for(step: Step) -> str:
    if step.typed:
        return str(int(step.answers[0]) + 100)
    return next(each.value for each in step.choices if not step.is_right(each.value))


def deal(page: Page, lesson: Lesson, still_missing: set[Kind]) -> list[Kind]:
    """Deal the round; the first question of each kind that is still missing is answered wrongly before."""
    missed = []
    for number, step in enumerate(lesson.steps, start=1):
        expect(page.locator("#step")).to_have_text(f"Question {number} of {len(lesson.steps)}")
        if step.kind in still_missing:
            expect(page.locator("#ask")).to_have_text(with_signs(step.ask))
            still_missing.remove(step.kind)
            missed.append(step.kind)
            answer(page, step, wrong_for(step), by_key=True)
            expect(page.locator("#wrong")).to_contain_text(f"Rule {step.paragraph}")
            if step.typed is Typed.MONEY:
                expect(page.locator("#wrong")).to_contain_text(f"{step.sum}; you ")
            expect(page.locator("#step")).to_have_text(f"Question {number} of {len(lesson.steps)}")
        answer(page, step, step.answers[0], by_key=bool(number % 4))
    expect(page.locator("#next-round")).to_be_visible()
    lines = page.locator("#story .line").all_inner_texts()
    assert lines == [with_signs(event.text) for event in lesson.round.events]
    return missed


def test_rounds_are_dealt_with_a_mistake_of_every_kind_explained_and_asked_again(visit: Visit) -> None:
    still_missing = set(Kind)
    for game, seed in LESSONS.items():
        lesson = make_lesson(game, seed, 2, handling=True)
        page = visit("", f"/deal/{game}?seed={seed}&seats=2", ready="#begin", still=True, width=1440)
        page.keyboard.press("Enter")
        missed = deal(page, lesson, still_missing)
        steps = len(lesson.steps)
        expect(page.locator("#came-to")).to_contain_text(f"{steps - len(missed)} of {steps} right at once")
        kept: list[dict[str, Any]] = page.evaluate(f"() => JSON.parse(localStorage['croupier.deal.results.{game}'])")
        assert kept[0]["mistakes"] == {kind.value: 1 for kind in missed}
        expect(page.locator("#accuracy-chart canvas")).to_be_visible()
        if game == "blackjack":
            assert_accessible(page)
    assert still_missing == set()


@pytest.mark.parametrize("game", ["three-card-poker", "casino-war", "mississippi-stud", "let-it-ride"])
def test_a_round_of_streets_is_dealt_to_its_end(visit: Visit, game: str) -> None:
    lesson = make_lesson(game, "streets-1", 2, handling=True)
    page = visit("", f"/deal/{game}?seed=streets-1&seats=2", ready="#begin", still=True)
    page.keyboard.press("Enter")
    assert deal(page, lesson, set()) == []
    expect(page.locator("#came-to")).to_contain_text(f"{len(lesson.steps)} of {len(lesson.steps)} right at once")
    shoot(page, f"deal-{game}", whole=False)


def test_a_rule_that_lists_the_steps_says_why_it_is_folded(visit: Visit) -> None:
    lesson = make_lesson("blackjack", LESSONS["blackjack"], 2, handling=True)
    page = visit("", f"/deal/blackjack?seed={LESSONS['blackjack']}&seats=2", ready="#begin", still=True)
    page.locator("#begin").click()
    first = next(place for place, step in enumerate(lesson.steps) if step.kind is Kind.NEXT)
    for step in lesson.steps[:first]:
        answer(page, step, step.answers[0], by_key=False)
    answer(page, lesson.steps[first], wrong_for(lesson.steps[first]), by_key=False)
    reason = "A round goes in these steps. Open rule 3.1 to read them: they hold the answer."
    expect(page.locator("#wrong > p").last).to_have_text(reason)
    expect(page.locator("#wrong ol")).to_be_hidden()


def test_whoever_has_signed_in_finds_the_progress_again_and_a_reload_goes_on(visit: Visit) -> None:
    lesson = make_lesson("three-card-baccarat", "again", 1, handling=True)
    page = visit("ann card", "/deal/three-card-baccarat?seed=again&seats=1", ready="#begin", still=True)
    page.locator("#begin").click()
    first, *_ = lesson.steps
    answer(page, first, wrong_for(first), by_key=False)
    expect(page.locator("#wrong")).to_contain_text("Not right")
    second = next(each.value for each in first.choices if each.value not in (*first.answers, wrong_for(first)))
    right = next(each.label for each in first.choices if first.is_right(each.value))
    answer(page, first, second, by_key=False)
    expect(page.locator("#wrong")).to_contain_text(f"Not right. It is: {right}. Press it to continue.")
    shoot(page, "deal-mistake", 360)
    assert_fits(page)
    assert_accessible(page)
    answer(page, first, first.answers[0], by_key=False)
    expect(page.locator("#step")).to_contain_text("Question 2")
    page.reload()
    page.locator("#begin").click()
    for step in lesson.steps[1:]:
        expect(page.locator("#ask")).to_have_text(with_signs(step.ask))
        answer(page, step, step.answers[0], by_key=True)
    expect(page.locator("#progress")).to_contain_text("Rounds dealt")
    other = visit("ann card", "/deal", ready=".fan svg", still=True)
    expect(other.locator('.standing[data-game="three-card-baccarat"]')).to_contain_text("1 dealt")
    expect(other.locator('.standing[data-game="blackjack"]')).to_be_empty()


def test_a_question_fits_every_width(visit: Visit) -> None:
    page = visit("", "/deal/blackjack?seed=look&seats=4", ready="#begin", still=True)
    page.locator("#begin").click()
    lesson = make_lesson("blackjack", "look", 4, handling=True)
    wrong = next(each.key for each in lesson.steps[0].choices if not lesson.steps[0].is_right(each.value))
    page.get_by_role("button", name="Keys").click()
    page.keyboard.press(wrong)
    page.get_by_role("button", name="Keys").click()
    for _ in range(6):
        page.keyboard.down(wrong)
    page.keyboard.up(wrong)
    expect(page.locator("#wrong")).to_contain_text("Try again")
    said = page.evaluate("() => JSON.parse(sessionStorage['croupier.deal.lesson.blackjack']).said")
    assert [len(each) for each in said] == [1]  # held, and before that turned off
    for step in lesson.steps:
        if step.kind is Kind.ORDER:
            break
        answer(page, step, step.answers[0], by_key=True)
    for width in WIDTHS:
        shoot(page, "deal-order", width)
        assert_fits(page)


def test_calls_and_irregularities_are_asked_and_fit_a_phone(visit: Visit) -> None:
    """Seven steps to exchange a shuffler, and a call with all its positions."""
    page = visit("", "/deal/triple-shot-rummy?seed=call&seats=5", ready="#begin", still=True)
    page.locator("#begin").click()
    lesson = make_lesson("triple-shot-rummy", "call", 5, handling=True)
    for step in lesson.steps:
        expect(page.locator("#ask")).to_have_text(with_signs(step.ask))
        if step.kind in (Kind.CALL, Kind.IRREGULAR):
            for width in WIDTHS:
                shoot(page, f"deal-{step.kind}-{step.paragraph}", width)
                assert_fits(page)
            assert_accessible(page)
        if step.kind is Kind.CALL:
            right = next(each.label for each in step.choices if step.is_right(each.value))
            expect(page.get_by_role("button", name=right)).to_be_visible()
            assert "No Pair Plus" in right
            break
        answer(page, step, step.answers[0], by_key=True)


SIZES = {1440: 900, 820: 1180, 390: 844}


def out_of_view(page: Page, *selectors: str) -> list[str]:
    """Of these, what does not lie within the window, or is covered by what lies round the table."""
    found: list[str] = page.evaluate(
        """(selectors) => selectors.filter((selector) => {
          const found = document.querySelector(selector);
          const box = found?.getBoundingClientRect();
          if (!box?.width) return true;
          const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          const over = there?.closest("#rail, #tray, .play-head, .top");
          const outside = box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
          return outside || (over && !over.contains(found));
        })""",
        selectors,
    )
    return found


def test_a_round_is_dealt_by_touch_with_cards_and_seat_in_view_and_a_payment_explained(visit: Visit) -> None:
    lesson = make_lesson("three-card-baccarat", "b22", 3, handling=True)
    page = visit("", "/deal/three-card-baccarat?seed=b22&seats=3", ready="#begin", still=True, touch=True, width=390)
    page.locator("#begin").tap()
    pay = next(place for place, step in enumerate(lesson.steps) if step.kind is Kind.PAY)
    for number, step in enumerate(lesson.steps[:pay], start=1):
        expect(page.locator("#step")).to_have_text(f"Question {number} of {len(lesson.steps)}")
        answer(page, step, step.answers[0], by_key=False)
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator('.tray-chip[data-cents="500"]')).to_be_enabled()
        seat = lesson.steps[pay].seat
        hand = f'.place[data-seat="{seat}"]'
        seen = ("#dealer .hand", f"{hand} .hand", f'{hand} [data-of="bet"] .circle', ".tray-chip", "#typed")
        assert out_of_view(page, *seen) == []
        assert_fits(page)
    for cents in ("500", "500"):
        page.locator(f'.tray-chip[data-cents="{cents}"]').tap()
    page.locator('.tray-chip[data-cents="500"]').focus()
    page.keyboard.press("Enter")  # does what Space does at a chip that has the focus: lays it
    page.get_by_role("button", name="Pay").tap()
    expect(page.locator("#wrong")).to_contain_text(
        "$10 at 1 to 1 is $10, less $0.50 commission is $9.50; you paid $15."
    )
    expect(page.locator("#wrong .off-by")).to_have_text("$5.50 too much")
    assert out_of_view(page, "#dealer .hand", f"{hand} .hand", "#typed", "#wrong .worked-out") == []
    assert_accessible(page)
    page.get_by_role("button", name="Take back").tap()
    for cents in ("500", "100", "100", "100", "100", "50"):
        page.locator(f'.tray-chip[data-cents="{cents}"]').tap()
    page.keyboard.press("Enter")  # after a chip by finger: pays, and lays no other chip
    expect(page.locator("#step")).to_have_text(f"Question {pay + 2} of {len(lesson.steps)}")


def test_mistakes_are_drilled_and_sixty_seconds_end_by_themselves(visit: Visit) -> None:
    page = visit("", "/deal/three-card-baccarat?seed=again&seats=1", ready="#begin", still=True, width=1440)
    page.get_by_role("button", name="Commission", exact=True).click()
    expect(page.locator("#mode")).to_have_text("Drill: Commission")
    page.get_by_role("button", name="60 seconds, Commission").click()
    expect(page.locator("#mode")).to_have_text("Sixty seconds: Commission")
    page.clock.install()
    page.locator("#begin").click()
    page.locator("#typed").fill("9999")
    page.keyboard.press("Enter")
    sentence = page.locator("#wrong .worked-out").inner_text()
    right = re.search(r" is \$([\d.]+); you charged \$9,999\.", sentence)
    assert right, sentence
    page.locator("#typed").fill(right[1])
    page.keyboard.press("Enter")
    expect(page.locator("#step")).to_contain_text("Question 2")
    page.clock.fast_forward(61_000)
    expect(page.locator("#came-to")).to_contain_text("0 right at once of 1 answered")
    page.get_by_role("button", name="Your mistakes, 1").click()
    expect(page.locator("#mode")).to_have_text("Drill: Your mistakes")
    page.locator("#begin").click()
    page.locator("#typed").fill(right[1])
    page.keyboard.press("Enter")
    expect(page.locator("#came-to")).to_contain_text("1 of 1 right at once")
    expect(page.get_by_role("button", name="Your mistakes")).to_have_count(0)


def test_a_drill_is_kept_for_whoever_signed_in_and_a_trainer_sees_the_class(visit: Visit, own_floor: Floor) -> None:
    page = visit(
        "ann card", "/deal/three-card-baccarat?seed=again&seats=1", floor=own_floor, ready="#begin", still=True
    )
    with page.expect_response(re.compile("/drill")) as told:
        page.get_by_role("button", name="Commission", exact=True).click()
    steps = [step for lesson in told.value.json()["lessons"] for step in lesson["steps"]]
    page.locator("#begin").click()
    for number, step in enumerate(steps):
        if not number:
            page.locator("#typed").fill("9999")
            page.keyboard.press("Enter")
            expect(page.locator("#wrong")).to_be_visible()
        page.locator("#typed").fill(f"{int(step['answers'][0]) / 100:.2f}")
        page.keyboard.press("Enter")
    came_to = f"{len(steps) - 1} of {len(steps)}"
    expect(page.locator("#drills-done tbody")).to_contain_text(came_to)
    page.goto("/deal")
    expect(page.locator("#certificate")).to_have_text("Your record of practice (PDF)")
    expect(page.locator("#pass-mark")).to_contain_text("80% right at once, of at least 50 questions")
    expect(page.locator("#so-far")).to_have_text(
        f"Answered so far: {len(steps)} of 50, {len(steps) - 1} right at once."
    )
    expect(page.get_by_role("link", name="The class")).to_have_count(0)
    for width in (390, 1440):
        page = visit("sue", "/console/school", floor=own_floor, ready="#trainees table", width=width)
        page.get_by_role("button", name=re.compile("^Show Ann")).click()
        expect(page.locator("#trainee-games tbody tr")).to_contain_text(["Commission"])
        expect(page.locator("#trainee-games tbody")).to_contain_text(str(len(steps)))
        assert page.request.get(
            page.get_by_role("link", name=re.compile("^Record of practice of Ann")).get_attribute("href") or ""
        ).ok
        expect(page.locator("#pass-mark")).to_contain_text("80%")
        assert_fits(page)
        shoot(page, "console-school-class")
    assert_accessible(page)
    visit.expect("status of 403")
    denied = visit("eve", "/console/school", floor=own_floor)
    expect(denied.locator("main")).to_contain_text("not for")


def test_a_drill_without_a_question_says_so_and_offers_the_ways_on(visit: Visit) -> None:
    """Insurance is offered in no round of the seed f that is looked through for somebody who has not signed in."""
    visit.expect("409")
    page = visit("", "/deal/blackjack?seed=b22&seats=1", ready="#begin", still=True)
    page.route("**/drill?*", lambda route: route.continue_(url=re.sub(r"seed=[^&]*", "seed=f", route.request.url)))
    page.locator(".way", has_text="Insurance").first.click()
    expect(page.locator("#ask")).to_contain_text("No question of the drill Insurance", timeout=20_000)
    expect(page.locator(".way", has_text="Payments").first).to_be_visible()


def test_mistakes_are_forgotten_with_the_program_that_asked_and_where_there_are_no_such_questions(visit: Visit) -> None:
    page = visit("", "/deal/casino-war?seed=own&seats=1", ready="#begin", still=True)
    program = page.evaluate("() => JSON.parse(document.getElementById('boot').textContent).program")
    mistakes = page.get_by_role("button", name="Your mistakes, 1")
    for kept, shown in (({"program": "another"}, 0), ({"program": program}, 1)):
        tables = {"": ["own:1:999"]}
        page.evaluate(
            "kept => localStorage.setItem('croupier.deal.missed.casino-war', JSON.stringify(kept))",
            {**kept, "tables": tables},
        )
        page.reload()
        expect(page.locator("#begin")).to_be_visible()
        expect(mistakes).to_have_count(shown)
    mistakes.click()
    expect(page.locator("#ask")).to_contain_text("no number 1000")
    expect(page.locator(".way").first).to_be_visible()
    expect(mistakes).to_have_count(0)
