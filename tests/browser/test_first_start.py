"""The first start and the first run: a card room from nothing in a browser, counted in clicks and fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, expect

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from tests.browser.support import WIDTHS, Visit, assert_accessible, assert_fits, shoot
from tests.web.commands import started

PIN, OTHER_PIN = "482913", "739146"
ZONE = "America/Los_Angeles"
MOST_CLICKS, MOST_FIELDS = 25, 32
"""Half of what a room from nothing took before there was a page for it: 50 clicks and 65 fields."""


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

    def choose(self, selector: str) -> None:
        self.page.check(selector)
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


def founded(page: Page) -> tuple[str, str]:
    """A Washington room with two managers, by its page; their cards."""
    for name, value in {"title": "Room", "zone": ZONE, "name": "Max", "pin": PIN, "again": PIN}.items():
        page.fill(f"#{name}", value)
    page.check("input[value^=washington]")
    page.click("#first button[type=submit]")
    card = page.inner_text("#secret")
    page.click("#slip button:has-text('go on')")
    for name, value in {"name": "Mia", "pin": OTHER_PIN, "again": OTHER_PIN}.items():
        page.fill(f"#second-{name}", value)
    page.click("#step-second button[type=submit]")
    done(page, "second")
    return card, page.inner_text("#slip .secret")


def agree(page: Page, form: str, other: str) -> None:
    page.fill(f"#{form}-second-card", other)
    page.fill(f"#{form}-second-pin", OTHER_PIN)


MAKER = "Felt and Sons"
PIECES = (("Layout 12", MAKER, ""), ("Croupier", MAKER, "0.1.0"), ("Monitor 19", MAKER, ""))


def set_from_register(page: Page, other: str) -> None:
    """Two tables of a host, with their equipment, and a link over them."""
    page.select_option("#table-title", label="King's Bounty (washington-3119)")
    page.fill("#table-count", "2")
    page.fill("#table-decks", "6")
    expect(page.locator("#wager-kings-bounty")).to_be_checked()  # the title is the wager
    assert page.input_value("#table-most") == "400.00", "as the place allows"
    page.check("#wager-blazing-7s-dealer")
    page.get_by_label("Paytable of Blazing 7's Progressive, dealer's up card").select_option("ML03")
    for line, asked in ((1, ["version", "place", "plain"]), (3, ["version", "place"])):
        for name in asked:
            expect(page.locator(f"#piece-{name}-{line}")).to_be_hidden()
    for line, piece in enumerate(PIECES, start=1):
        for name, value in zip(("model", "maker", "version"), piece, strict=True):
            if value:
                page.fill(f"#piece-{name}-{line}", value)
    page.check("#piece-plain-3")
    agree(page, "set", other)
    page.click("#step-tables button[type=submit]")
    done(page, "tables")
    expect(page.locator("#done")).to_have_text("2 tables are set.")  # not done with the first of them
    page.click("#step-link a.button")
    expect(page.locator("#verdict")).to_have_text("The checks are being made ...")  # and no error before they are
    expect(page.locator("#save button[type=submit]")).to_be_enabled()
    assert [page.input_value(f"#{name}") for name in ("wager", "paytable", "decks")] == [
        "blazing-7s-dealer",
        "ML03",
        "6",
    ]
    agree(page, "configure", other)
    page.click("#save button[type=submit]")
    page.wait_for_url("**/console/setup")


def stops(url: str, card: str) -> set[str]:
    """The conditions that stop a table, as a program is told."""
    with httpx.Client(base_url=url, timeout=60) as http:
        token = http.post("/api/sign-in", json={"card": card, "pin": PIN}).json()["token"]
        told = http.get("/api/comply", headers={"Authorization": f"Bearer {token}"}).json()
    return {each["condition"] for table in told["tables"] for each in table["conditions"] if each["effect"] == "stops"}


def test_a_washington_room_opens_by_its_papers(visit: Visit, empty: Empty) -> None:
    """Tables come from the register, what stops them is said with its citation, and papers are recorded in the step."""
    page = visit("", empty.address.removeprefix(empty.url), url=empty.url, width=820)
    card, other = founded(page)
    papers = page.locator("#step-papers")
    expect(papers).to_have_attribute("data-step", "later")
    set_from_register(page, other)
    expect(papers).to_contain_text("Croupier is named by no approval on file")
    expect(papers).to_contain_text("internal controls, submitted")
    expect(papers.locator("fieldset legend")).to_have_count(3)
    assert stops(empty.url, card) == {"internal-controls", "equipment-licensed", "progressive-system"}
    assert_accessible(page)
    shoot(page, "console-setup-papers")
    for line in (1, 2, 3):
        page.fill(f"#papers-reference-{line}", f"Paper {line}")
        page.fill(f"#papers-dated-{line}", "2026-07-01")
        document: FilePayload = {"name": f"{line}.pdf", "mimeType": "application/pdf", "buffer": b"%d" % line}
        page.set_input_files(f"#papers-file-{line}", document)
    page.click("#step-papers button[type=submit]")
    expect(papers.locator("fieldset[data-paper]")).to_have_count(0)
    expect(papers).to_have_attribute("data-step", "now")
    assert stops(empty.url, card) == {"progressive-system"}
    assert page.input_value("#letter-authority") == "Washington State Gambling Commission"
    page.fill("#letter-reference", 'Letter 77, "Croupier"')
    page.fill("#letter-dated", "2026-07-01")
    page.set_input_files("#letter-file", {"name": "l.pdf", "mimeType": "application/pdf", "buffer": b"letter"})
    agree(page, "letter", other)
    assert_accessible(page)
    shoot(page, "console-setup-letter")
    page.click("#letter button[type=submit]")
    expect(page.locator("#done")).to_have_text("The approval letter-77-croupier is on file.")
    done(page, "papers")
    assert stops(empty.url, card) == set()
    page.fill("#bank-amount", "60,000")
    page.click("#step-bank button[type=submit]")
    done(page, "bank")
    page.click("#step-open button[type=submit]")
    expect(page.locator("#step-open")).to_contain_text("A supervisor or an executive opens the tables 1, 2")
    page.goto(f"{empty.url}/console")
    waiting = page.locator("#next .matter.waiting", has_text="Table 1 is closed: no game starts there.")
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
