"""The first start and the first run: a card room from nothing in a browser, counted in clicks and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from tests.browser.support import WIDTHS, Visit, assert_accessible, assert_fits, shoot, wait_for
from tests.web.commands import started

PIN, OTHER_PIN = "482913", "739146"
ZONE = "America/Los_Angeles"
MOST_CLICKS, MOST_FIELDS = 25, 32
"""Half of what a room from nothing took before there was a page for it: 50 clicks and 65 fields."""
OF_PAPERS = 18
"""Fields of a place whose tables open by their papers: three papers and a letter, with equipment and its makers."""


@dataclass
class Empty:
    """A server of a site that has still to be created."""

    url: str
    db: str
    printed: str

    @property
    def address(self) -> str:
        """Of the page, as the terminal prints it."""
        found = re.search(r"http://\S+/first-start#\S+", self.printed)
        assert found
        return found[0]

    @property
    def code(self) -> str:
        return self.address.partition("#")[2]


@pytest.fixture
def empty(tmp_path: Path, visit: Visit) -> Iterator[Empty]:
    db = f"sqlite:///{tmp_path}/room.db"
    with started(tmp_path, "--db", db, "--port", "0") as server:
        yield Empty(server.url, db, server.printed)
        visit.leave()


@dataclass
class Hands:
    """Whoever sets the room up: every click and every field that is filled in is counted."""

    page: Page
    clicks: int = 0
    fields: int = 0

    def click(self, selector: str) -> None:
        self.page.click(selector)
        self.clicks += 1

    def type(self, selector: str, text: str) -> None:
        self.page.fill(selector, text)
        self.fields += 1

    def swipe(self, card: str) -> None:
        """At a keypad that has come to its page: before its scripts, the browser would send the form itself."""
        self.page.wait_for_url("**/keypad/*")
        self.type("#card", card)
        self.page.keyboard.press("Enter")

    def choose(self, selector: str) -> None:
        self.page.check(selector)
        self.fields += 1

    def give(self, selector: str, document: FilePayload) -> None:
        self.page.set_input_files(selector, document)
        self.fields += 1

    def agree(self, step: str, card: str) -> None:
        self.type(f"#setup-{step}-second-card", card)
        self.type(f"#setup-{step}-second-pin", OTHER_PIN)


def done(page: Page, step: str) -> None:
    expect(page.locator(f"#step-{step}")).to_have_attribute("data-step", "done")


def test_everything_that_is_wrong_is_said_at_once_and_no_pin_is_lost(visit: Visit, empty: Empty) -> None:
    visit.expect("status of 4(03|22)")
    page = visit("", "/", url=empty.url, width=360)
    assert page.url.endswith("/first-start")
    assert_fits(page)
    for width in WIDTHS:
        shoot(page, "first-start", width)
    assert_accessible(page)
    page.fill("#zone", "")
    page.fill("#pin", PIN)
    page.fill("#again", "482914")
    page.click("button[type=submit]")
    told = {place.get_attribute("id"): place.inner_text() for place in page.locator(".wrong:visible").all()}
    names = ("code", "title", "zone", "name", "person", "again", "profile")
    assert set(told) == {f"{name}-wrong" for name in names}
    expect(page.locator("#say")).to_contain_text("7 fields")
    page.fill("#zone", "Olympus")
    page.click("button[type=submit]")
    expect(page.locator("#say")).to_contain_text("7 fields")
    expect(page.locator("#zone-wrong")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "code"
    assert_accessible(page)
    shoot(page, "first-start-wrong")
    # By the server, all at once too: nothing of it is a matter of the page alone.
    for name, value in {"code": "WRONG", "title": "The Corner Room", "zone": "Mars/Olympus", "name": "Max"}.items():
        page.fill(f"#{name}", value)
    page.fill("#pin", "123456")
    page.fill("#again", "123456")
    page.check("input[value^=washington]")
    page.click("button[type=submit]")
    expect(page.locator("#code-wrong")).to_contain_text("not the code")
    expect(page.locator("#zone-wrong")).to_contain_text("Mars/Olympus")
    expect(page.locator("#pin-wrong")).to_contain_text("choose another")
    assert (page.input_value("#pin"), page.input_value("#again")) == ("123456", "123456")
    assert page.input_value("#person") == "max"
    assert httpx.get(f"{empty.url}/api/first-start", timeout=60).json() == {"needed": True}


def test_no_jurisdiction_and_no_zone_is_chosen_for_anybody(visit: Visit, empty: Empty) -> None:
    page = visit("", "/first-start", url=empty.url)
    assert page.locator("input[name=profile]:checked").count() == 0
    expect(page.locator("[id^=profile-generic]")).to_contain_text("Wagers of any amount")
    expect(page.locator("[id^=profile-washington]")).to_contain_text("Wagers up to $400, any number of games a hand")
    assert page.input_value("#zone") != "UTC"
    page.fill("#zone", "Asia/Tokyo")
    expect(page.locator("#zone-hint")).to_contain_text("there now")


def little_shuts(page: Page) -> None:
    """What opens the tables, and what keeps them open after the highest meter was hit, is said beforehand."""
    expect(page.locator("#step-bank")).to_contain_text("the tables play on when the highest meter is hit")
    least = re.search(r"at least \$([\d,]+\.\d\d)", page.inner_text("#step-bank"))
    assert least is not None
    page.fill("#bank-amount", least[1])
    expect(page.locator("#step-bank")).to_contain_text("the first award of the highest meter shuts every table")
    page.fill("#bank-amount", "")


def run_first(hands: Hands) -> list[str]:
    """The page First run, from the second manager to the open link; the addresses of keypads and display."""
    page = hands.page
    page.wait_for_url("**/console/setup")
    expect(page.locator("#step-people")).to_have_attribute("data-step", "later")
    expect(page.locator("#step-people [data-missing]")).to_contain_text("Comes after: A second manager")
    assert_accessible(page)
    shoot(page, "console-setup-begin")
    hands.type("#second-name", "Mia Lund")
    hands.type("#second-pin", OTHER_PIN)
    hands.type("#second-again", OTHER_PIN)
    hands.click("#step-second button[type=submit]")
    done(page, "second")
    other = page.inner_text("#slip .secret")
    assert "First PIN" not in page.inner_text("#slip")
    for line, name in enumerate(("Sue Park", "Eve Stone", "Dan Reyes"), start=1):
        hands.type(f"#people-name-{line}", name)
    hands.agree("people", other)
    hands.click("#step-people button[type=submit]")
    done(page, "people")
    slip = page.inner_text("#slip")
    assert [role in slip for role in ("Sue Park (sue), supervisor", "Eve Stone (eve), executive")] == [True, True]
    assert slip.count("First PIN") == 2
    hands.type("#tables-count", "3")
    hands.agree("tables", other)
    hands.click("#step-tables button[type=submit]")
    done(page, "tables")
    hands.click("#step-link a.button")
    expect(page.locator("#save button[type=submit]")).to_be_enabled()
    hands.type("#configure-second-card", other)
    hands.type("#configure-second-pin", OTHER_PIN)
    hands.click("#save button[type=submit]")
    page.wait_for_url("**/console/setup")
    done(page, "link")
    little_shuts(page)
    hands.type("#bank-amount", "50,000")
    expect(page.locator("#step-bank")).to_contain_text("You declare $50,000.00.")
    hands.click("#step-bank button[type=submit]")
    done(page, "bank")
    hands.agree("devices", other)
    shoot(page, "console-setup")
    hands.click("#step-devices button[type=submit]")
    done(page, "devices")
    assert page.locator("#slip .qr svg").count() == 4
    addresses = page.locator("#slip .secret").all_inner_texts()
    assert_accessible(page)
    shoot(page, "console-setup-devices")
    hands.click("#step-open button[type=submit]")
    done(page, "open")
    return addresses


def test_a_room_from_nothing_takes_half_the_clicks_and_fields(visit: Visit, empty: Empty) -> None:
    visit.expect("status of 401")  # the keypad, before it has taken its token
    page = visit("", empty.address.removeprefix(empty.url), url=empty.url, width=820)
    hands = Hands(page)
    # The first start: the code came with the address, the short name follows from the name
    assert page.input_value("#code") == empty.code
    assert "#" not in page.url
    hands.type("#title", "The Corner Room")
    hands.type("#zone", ZONE)
    hands.type("#name", "Max Weber")
    hands.type("#pin", PIN)
    hands.type("#again", PIN)
    hands.choose("input[value^=generic]")
    hands.click("#first button[type=submit]")
    card = page.inner_text("#secret")
    expect(page.locator("#slip")).to_contain_text("The card of Max Weber")
    for label in ("Copy", "Print"):
        expect(page.locator("#slip").get_by_role("button", name=label, exact=True)).to_be_visible()
    shoot(page, "first-card")
    assert_accessible(page)
    hands.click("#slip button:has-text('go on')")
    addresses = run_first(hands)
    expect(page.locator("#over")).to_be_visible()
    for width in WIDTHS:
        shoot(page, "console-setup-over", width)
        assert_fits(page)
    print(f"\na room from nothing: {hands.clicks} clicks, {hands.fields} fields")
    assert hands.clicks <= MOST_CLICKS
    assert hands.fields <= MOST_FIELDS
    # It is a room: a keypad's address makes a keypad, the dealer's card signs in, and the books prove it.
    keypad = visit("", addresses[0].removeprefix(empty.url), url=empty.url)
    expect(keypad.locator("#card")).to_be_visible()
    signed = httpx.post(f"{empty.url}/api/sign-in", json={"card": card, "pin": PIN}, timeout=60)
    assert signed.status_code == 200
    file = Path(empty.db.removeprefix("sqlite:///")).with_name("room.jsonl")
    with open_existing(empty.db) as store:
        export(store, chosen_streams(store, None), file)
    assert verify(file).right


def founded(hands: Hands) -> tuple[str, str]:
    """A Washington room with two managers, by its page; their cards."""
    page = hands.page
    for name, value in {"title": "Room", "zone": ZONE, "name": "Max", "pin": PIN, "again": PIN}.items():
        hands.type(f"#{name}", value)
    hands.choose("input[value^=washington]")
    hands.click("#first button[type=submit]")
    card = page.inner_text("#secret")
    hands.click("#slip button:has-text('go on')")
    held: list[Route] = []
    page.route("**/api/site/set-pin", lambda route: held.append(route))  # noqa: PLW0108  (it takes no method of a list)
    for name, value in {"name": "Mia", "pin": OTHER_PIN, "again": OTHER_PIN}.items():
        hands.type(f"#second-{name}", value)
    hands.click("#step-second button[type=submit]")
    wait_for(page, lambda: held)
    assert "PIN" not in page.inner_text("#slip"), "a first PIN that nobody needs"
    held[0].continue_()
    done(page, "second")
    return card, page.inner_text("#slip .secret")


def agree(page: Page, form: str, other: str) -> None:
    page.fill(f"#{form}-second-card", other)
    page.fill(f"#{form}-second-pin", OTHER_PIN)


MAKER, NOBODY = "Felt and Sons", "Nobody and Sons"
NEEDED = (("model", 1, "Layout 12"), ("maker", 1, MAKER), ("maker", 2, MAKER), ("model", 3, "Monitor 19"))


def set_from_register(hands: Hands, other: str) -> None:
    """Two tables of a host, with what a condition asks for; what is needed is marked, and the form asks for it."""
    page = hands.page
    titles = page.locator("#table-title option").all_inner_texts()
    assert page.locator("#table-title option:checked").inner_text() == "King's Bounty"
    assert not {"Bet The Bust", "Supreme 99"} & {*titles}, "no link takes a table of these"
    expect(page.locator("#step-tables")).to_contain_text("Such a table can be on a link of: Blazing 7's Progressive")
    hands.type("#table-count", "2")
    expect(page.locator("#wager-kings-bounty")).to_be_checked()  # the title is the wager
    assert page.input_value("#table-most") == "400.00", "as the place allows"
    hands.choose("#wager-blazing-7s-dealer")
    page.get_by_label("Paytable of Blazing 7's Progressive, dealer's up card").select_option("ML03")
    page.fill("#table-decks", "2")
    expect(page.locator("#step-tables")).to_contain_text("is dealt from one of these numbers of decks: 6")
    page.fill("#table-decks", "6")
    for line, asked in ((1, ["version", "place", "plain"]), (3, ["version", "place"])):
        for name in asked:
            expect(page.locator(f"#piece-{name}-{line}")).to_be_hidden()
    expect(page.locator("[data-piece='1']")).to_contain_text("The table does not open without it.")
    expect(page.locator("[data-piece='1']")).to_contain_text("Manufacturer (needed)")
    expect(page.locator("[data-piece='3']")).to_contain_text("The table opens without it, and a warning stays.")
    assert page.input_value("#piece-model-2") == "Croupier", "the system that runs here"
    hands.type("#set-second-card", other)
    hands.type("#set-second-pin", OTHER_PIN)
    page.click("#step-tables form button[type=submit]")
    assert page.evaluate("document.activeElement.id") == "piece-model-1", "nothing was sent"
    for name, line, value in NEEDED:
        hands.type(f"#piece-{name}-{line}", value)
    hands.type("#piece-maker-3", MAKER)
    hands.choose("#piece-plain-3")
    hands.click("#step-tables form button[type=submit]")
    done(page, "tables")
    expect(page.locator("#done")).to_have_text("2 tables are set.")  # not done with the first of them


def set_another(page: Page, url: str, other: str) -> None:
    """A third table, of a game that no progressive goes with, from a maker who has no licence."""
    page.goto(f"{url}/console/links")
    page.wait_for_selector("#tables table")
    page.click("#new-table")
    page.wait_for_selector("#set-table[open] #table-title")
    assert page.input_value("#table-number") == "3"
    page.select_option("#table-title", label="Triple Shot Rummy")
    expect(page.locator("#set-form")).to_contain_text("No progressive goes with it: such a table can be on no link.")
    page.fill("#piece-model-1", "Layout 13")
    page.fill("#piece-maker-1", NOBODY)
    agree(page, "set", other)
    page.click("#set-table button[type=submit]")
    expect(page.locator("#done")).to_have_text("Table 3 is set.")
    page.goto(f"{url}/console/setup")


def make_link(hands: Hands, other: str) -> None:
    """Over the tables that fit; of the third it is said why it does not, and where the way back is."""
    page = hands.page
    hands.click("#step-link a.button")
    expect(page.locator("#verdict")).to_have_text("The checks are being made ...")  # and no error before they are
    expect(page.locator("#save button[type=submit]")).to_be_enabled()
    begun = [page.input_value(f"#{name}") for name in ("wager", "paytable", "decks")]
    assert begun == ["blazing-7s-dealer", "ML03", "6"]
    assert [page.is_checked(f"[data-table='{table}'] input") for table in (1, 2, 3)] == [True, True, False]
    third = page.locator("[data-table='3']")
    expect(third).to_contain_text("does not go with Triple Shot Rummy.")
    expect(third.locator("a")).to_have_attribute("href", "/console/setup#step-tables")
    expect(page.locator("[data-table='1'] a")).to_be_hidden()
    hands.type("#configure-second-card", other)
    hands.type("#configure-second-pin", OTHER_PIN)
    hands.click("#save button[type=submit]")
    page.wait_for_url("**/console/setup")


def record_papers(hands: Hands, other: str) -> None:
    """Of the tables on the link; the third is told of and holds nothing up."""
    page, papers = hands.page, hands.page.locator("#step-papers")
    first, third = papers.locator("[data-lacks='1, 2']"), papers.locator("[data-lacks='3']")
    expect(first).to_contain_text("Croupier is named by no approval on file")
    expect(first).to_contain_text("internal controls, submitted")
    expect(third).to_contain_text("which is on no link and holds nothing up")
    expect(third).to_contain_text(NOBODY)
    expect(papers.locator("fieldset legend")).to_have_count(3)
    assert_accessible(page)
    shoot(page, "console-setup-papers")
    for line in (1, 2, 3):
        hands.type(f"#papers-reference-{line}", f"Paper {line}")
        hands.type(f"#papers-dated-{line}", "2026-07-01")
        document: FilePayload = {"name": f"{line}.pdf", "mimeType": "application/pdf", "buffer": b"%d" % line}
        hands.give(f"#papers-file-{line}", document)
    hands.click("#step-papers button[type=submit]")
    expect(papers.locator("fieldset[data-paper]")).to_have_count(0)
    expect(papers).to_have_attribute("data-step", "now")
    assert page.input_value("#letter-authority") == "Washington State Gambling Commission"
    hands.type("#letter-reference", 'Letter 77, "Croupier"')
    hands.type("#letter-dated", "2026-07-01")
    hands.give("#letter-file", {"name": "l.pdf", "mimeType": "application/pdf", "buffer": b"letter"})
    hands.type("#letter-second-card", other)
    hands.type("#letter-second-pin", OTHER_PIN)
    assert_accessible(page)
    shoot(page, "console-setup-letter")
    hands.click("#letter button[type=submit]")
    expect(page.locator("#done")).to_have_text('The approval Letter 77, "Croupier" is on file.')
    done(page, "papers")


def remove_third(page: Page, other: str) -> None:
    """A table that no link has is taken back where it was set."""
    tables = page.locator("#step-tables [data-made]")
    expect(tables).to_contain_text("Table 3: Triple Shot Rummy (decks: 1). It can be on no link, and holds nothing up.")
    tables.get_by_role("button", name="Remove table 3").click()
    agree(page, "setup-remove", other)
    page.click("dialog button[type=submit]")
    expect(page.locator("#done")).to_have_text("Table 3 is removed.")
    expect(tables.locator("li")).to_have_count(2)


def open_table(hands: Hands, card: str, first_pin: str) -> None:
    """A supervisor, at the address that the first run names: chooses a PIN, and opens the table."""
    page = hands.page
    hands.type("#card", card)
    hands.type("#pin", first_pin)
    hands.click("form[data-send] button[type=submit]")
    page.wait_for_url("**/choose-pin*")
    for name, value in {"card": card, "old_pin": first_pin, "pin": "593827", "again": "593827"}.items():
        hands.type(f"#{name}", value)
    hands.click("#choose button[type=submit]")
    page.wait_for_url("**/console/approvals")  # nobody types card and PIN a third time
    expect(page.locator("#day")).to_have_text(
        re.compile("by the rules of Washington house-banked card rooms, the law of")
    )
    assert "washington" not in page.inner_text("main"), "keys are for programs"
    hands.click("button:has-text('Open table 1')")
    expect(page.locator("#done")).to_have_text("Table 1 is open.")


def test_a_washington_room_opens_by_its_papers_and_deals_its_first_game(visit: Visit, empty: Empty) -> None:
    """From nothing to START GAME, by its pages alone."""
    visit.expect("status of 401")  # the keypad, before it has taken its token
    page = visit("", empty.address.removeprefix(empty.url), url=empty.url, width=820)
    hands = Hands(page)
    _, other = founded(hands)
    for line, name in enumerate(("Sue Park", "Eve Stone", "Dan Reyes"), start=1):
        hands.type(f"#people-name-{line}", name)
    hands.agree("people", other)
    hands.click("#step-people button[type=submit]")
    done(page, "people")
    sue, _, dan = page.locator("#slip .secret").all_inner_texts()
    first_pin = re.findall(r"First PIN: (\d+)", page.inner_text("#slip"))[0]
    expect(page.locator("#step-papers")).to_have_attribute("data-step", "later")
    set_from_register(hands, other)
    set_another(page, empty.url, other)
    make_link(hands, other)
    record_papers(hands, other)
    remove_third(page, other)
    hands.type("#bank-amount", "60,000")
    hands.click("#step-bank button[type=submit]")
    done(page, "bank")
    hands.agree("devices", other)
    hands.click("#step-devices button[type=submit]")
    done(page, "devices")
    addresses = page.locator("#slip .secret").all_inner_texts()
    hands.click("#step-open button[type=submit]")
    next_step = page.locator("#open-tables")
    expect(next_step).to_contain_text("Sue Park (supervisor) or Eve Stone (executive) signs in")
    expect(next_step).to_contain_text("opens the tables 1, 2 on the page Approvals")
    assert_accessible(page)
    shoot(page, "console-setup-open")
    keypad = visit("", addresses[0].removeprefix(empty.url), url=empty.url)
    hands.page = keypad
    hands.swipe(dan)
    expect(keypad.locator("#next")).to_have_text(
        "Table 1 is closed. A supervisor or an executive opens it in the console, under Approvals."
    )
    expect(keypad.locator("#start")).to_be_disabled()
    assert_accessible(keypad)
    shoot(keypad, "keypad-closed")
    hands.page = visit("", next_step.locator("code").inner_text().removeprefix(empty.url), url=empty.url, width=1440)
    open_table(hands, sue, first_pin)
    expect(keypad.locator("#next")).to_contain_text("Touch the seats that wager")
    hands.page = keypad
    hands.click('[data-seat="2"]')
    hands.click("#start")
    expect(keypad.locator("#end")).to_be_enabled()
    print(f"\na Washington room to its first game: {hands.clicks} clicks, {hands.fields} fields")
    assert (hands.clicks <= MOST_CLICKS, hands.fields <= MOST_FIELDS + OF_PAPERS) == (True, True)
    page.goto(f"{empty.url}/console")
    waiting = page.locator("#next .matter.waiting", has_text="Table 2 is closed")
    expect(waiting).to_contain_text("No game starts there until it is opened, under Approvals.")
    expect(waiting).to_contain_text("for a supervisor or an executive")


def test_a_step_that_is_refused_keeps_what_was_typed_and_the_cards_that_were_made(visit: Visit, empty: Empty) -> None:
    visit.expect("status of 4(01|03|09|22)")
    page = visit("", empty.address.removeprefix(empty.url), url=empty.url)
    for name, value in {"title": "Room", "zone": ZONE, "name": "Max", "pin": PIN, "again": PIN}.items():
        page.fill(f"#{name}", value)
    page.check("input[value^=washington]")
    page.click("#first button[type=submit]")
    page.click("#slip button:has-text('go on')")
    page.fill("#second-name", "Mia")
    page.fill("#second-pin", "123456")  # which anybody would try first
    page.fill("#second-again", "123456")
    page.click("#step-second button[type=submit]")
    expect(page.locator("#step-second .trouble")).to_contain_text("choose another")
    first = page.inner_text("#slip")
    assert "First PIN" in first
    assert page.input_value("#second-pin") == "123456"
    for name in ("pin", "again"):
        page.fill(f"#second-{name}", OTHER_PIN)
    page.click("#step-second button[type=submit]")
    done(page, "second")
    other = page.inner_text("#slip .secret")
    assert other in first
    for line, name in enumerate(("Sue", "Eve"), start=1):
        page.fill(f"#people-name-{line}", name)
    page.fill("#setup-people-second-card", other)
    page.fill("#setup-people-second-pin", PIN)
    page.click("#step-people button[type=submit]")
    expect(page.locator("#step-people .trouble")).to_be_visible()
    assert [page.input_value(f"#people-name-{line}") for line in (1, 2)] == ["Sue", "Eve"]
    page.fill("#setup-people-second-pin", OTHER_PIN)
    page.click("#step-people button[type=submit]")
    expect(page.locator("#step-people [data-missing]")).to_have_text("Still missing: dealer.")
