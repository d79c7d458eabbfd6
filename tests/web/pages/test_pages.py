"""The pages: who sees which, their headers, their cookies, and that no other site can press their buttons."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from croupier.compliance.approval import shipped_register
from croupier.compliance.conditions import on_file
from croupier.errors import NotationError
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.program import program
from croupier.reports.sentences import SENTENCES
from croupier.web.pages.console import SECTIONS
from croupier.web.pages.templates import HERE, strings
from croupier.web.settings import Settings
from tests.web.support import PINS, Room

PAGE = {"X-Croupier": "page"}


@pytest.fixture
def browser(room: Room) -> TestClient:
    """Nobody has signed in; redirects are looked at."""
    return TestClient(room.app, base_url="http://testserver", follow_redirects=False)


def sign_in(browser: TestClient, room: Room, person: str = "max") -> str:
    """The token against other sites that the page then carries."""
    answer = browser.post("/pages/sign-in", json=signing(person, room), headers=PAGE)
    assert answer.status_code == 200, answer.text
    return str(boot(browser.get("/").text)["csrf"])


def signing(person: str, room: Room) -> dict[str, str]:
    return {"card": room.site.cards[person], "pin": PINS[person]}


def boot(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', html, re.DOTALL)
    assert found
    values: dict[str, Any] = json.loads(found.group(1))
    return values


def test_nobody_sees_the_lobby_without_signing_in(browser: TestClient) -> None:
    assert "data-edge" in browser.get("/").text, "the front door"
    assert browser.get("/display").status_code == 401
    assert browser.get("/keypad/1").status_code == 401
    assert browser.get("/keypad/999").status_code == 401
    for path in ("/console/links/nothing", "/console/links/nothing/configure"):
        assert browser.get(path).headers["location"] == f"/sign-in?then={path}"


@pytest.mark.parametrize("path", [path for path, _, _ in SECTIONS])
def test_every_console_page_says_at_its_foot_which_rules_and_which_program_it_runs(
    browser: TestClient, room: Room, path: str
) -> None:
    sign_in(browser, room, "max")
    foot = browser.get(path).text.partition('<footer class="foot">')[2]
    assert "Washington house-banked card rooms" in foot
    assert f"Croupier {program().version}" in foot
    assert program().digest in foot


def test_whoever_signs_in_ends_the_session_that_was_there(browser: TestClient, room: Room) -> None:
    sign_in(browser, room, "max")
    old = {"Authorization": f"Bearer {browser.cookies['croupier_session']}"}
    assert room.client.get("/api/me", headers=old).status_code == 200
    sign_in(browser, room, "sue")
    assert room.client.get("/api/me", headers=old).status_code == 401


def test_a_session_that_has_ended_does_not_hide_the_device_it_was_at(browser: TestClient, room: Room) -> None:
    browser.post("/pages/device", json={"token": room.site.tokens["display-main"]}, headers=PAGE)
    browser.cookies.set("croupier_session", "ses_ended")
    assert browser.get("/api/links").status_code == 200
    assert browser.get("/api/me").json()["error"]["code"] == "read-only"
    assert browser.post("/api/sign-out", json={}).status_code in (401, 403)


def test_whose_pin_was_given_is_led_to_choosing_one(browser: TestClient, room: Room) -> None:
    assert browser.get("/choose-pin").headers["location"] == "/sign-in?then=/"
    room.runtime.access.set_pin("sue", PINS["sue"], given=True)
    assert browser.post("/pages/sign-in", json=signing("sue", room), headers=PAGE).json()["pin_to_change"]
    assert browser.get("/console/links").headers["location"] == "/choose-pin?then=/console/links"
    page = browser.get("/choose-pin?then=//elsewhere").text
    assert "was set by somebody else" in page
    assert boot(page)["then"] == "/"


def test_whoever_signs_in_sees_the_lobby_and_signs_out_again(browser: TestClient, room: Room) -> None:
    csrf = sign_in(browser, room)
    assert "Max" in browser.get("/").text
    assert browser.post("/pages/sign-out", json={}, headers={"X-CSRF-Token": csrf}).status_code == 200
    assert "Max" not in browser.get("/").text


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(browser: TestClient, room: Room) -> None:
    token = {"token": room.site.tokens["keypad-1"]}
    sent = (("sign-in", signing("max", room)), ("device", token), ("keypad/sign-in", {"person": "dan"}))
    names = []
    for path, body in sent:
        cookie = browser.post(f"/pages/{path}", json=body, headers=PAGE).headers["set-cookie"].lower()
        names.append(cookie.partition("=")[0])
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/;" in cookie
        secure = TestClient(room.app, base_url="https://testserver", cookies=browser.cookies)
        assert "; secure" in secure.post(f"/pages/{path}", json=body, headers=PAGE).headers["set-cookie"].lower()
    assert names == ["croupier_session", "croupier_keypad", "croupier_dealer"]


START = {"id": "s1", "table": 1, "lit": [1, 2], "based": [1, 2]}


def at_keypad(browser: TestClient, room: Room, device: str = "keypad-1") -> str:
    """Dan works there; the token of the keypad's page."""
    browser.post("/pages/device", json={"token": room.site.tokens[device]}, headers=PAGE)
    assert browser.post("/pages/keypad/sign-in", json={"person": "dan"}, headers=PAGE).status_code == 200
    return str(boot(browser.get(f"/keypad/{device[-1]}").text)["csrf"])


def test_console_keypad_and_display_live_side_by_side_in_one_browser(browser: TestClient, room: Room) -> None:
    console = {"X-CSRF-Token": sign_in(browser, room)}
    keypad = {"X-CSRF-Token": at_keypad(browser, room)}
    browser.post("/pages/device", json={"token": room.site.tokens["display-main"]}, headers=PAGE)
    assert "Dan" in browser.get("/keypad/1").text
    assert "Max" in browser.get("/console").text
    assert [browser.get("/api/me", headers=each).json()["person"] for each in (console, keypad)] == ["max", "dan"]
    assert browser.post("/api/links/main/start", json=START, headers=keypad).status_code == 200
    assert browser.post("/api/links/main/close", json={"id": "c1", "reason": "x"}, headers=keypad).status_code == 403
    assert browser.post("/api/links/main/close", json={"id": "c1", "reason": "x"}).json()["error"]["code"] == "csrf"
    at_the_console = browser.get("/sign-in", params={"then": "/console/people"}).text
    assert "You are here as Max, manager. Sign in with another card" in at_the_console
    browser.post("/pages/sign-out", json={}, headers=keypad)
    assert browser.get("/api/me", headers=console).json()["person"] == "max"
    assert "keypad/sign-in" in browser.get("/keypad/1").text
    dealt = {"X-CSRF-Token": at_keypad(browser, room)}
    browser.post("/pages/sign-out", json={}, headers=console)
    assert browser.get("/api/me", headers=dealt).json()["person"] == "dan"
    assert browser.get("/console").headers["location"] == "/sign-in?then=/console"
    assert "You are here as Dan, dealer, and not at the console" in browser.get("/sign-in?then=/console").text


def test_whoever_works_at_a_keypad_does_so_at_no_other(browser: TestClient, room: Room) -> None:
    keypad = {"X-CSRF-Token": at_keypad(browser, room)}
    dealer = {"Authorization": f"Bearer {browser.cookies['croupier_dealer']}"}
    browser.post("/pages/device", json={"token": room.site.tokens["keypad-2"]}, headers=PAGE)
    assert "keypad/sign-in" in browser.get("/keypad/2").text
    assert browser.post("/api/links/main/start", json=START, headers=keypad).status_code in (401, 403)
    assert room.client.get("/api/me", headers=dealer).status_code == 401


def test_another_sites_request_is_refused_though_the_browser_sends_the_cookie(browser: TestClient, room: Room) -> None:
    csrf = sign_in(browser, room)
    act = {"id": "x1", "reason": "drill"}
    refused = browser.post("/api/links/main/close", json=act)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "csrf")
    assert browser.post("/api/links/main/close", json=act, headers={"X-CSRF-Token": "00" * 32}).status_code == 403
    assert browser.post("/api/links/main/close", json=act, headers={"X-CSRF-Token": csrf}).status_code == 200
    assert browser.post("/pages/sign-in", json=signing("max", room)).status_code == 403


def test_pages_run_no_script_but_their_own(browser: TestClient, room: Room) -> None:
    sign_in(browser, room)
    for path in ("/", "/sign-in", "/display?link=main", "/api/docs"):
        answer = browser.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        scripts = re.findall(r"<script([^>]*)>", answer.text)
        assert all("src=" in each or 'type="application/json"' in each for each in scripts)
        assert not re.search(r"\son\w+=|style=", answer.text)


@pytest.mark.parametrize("page", ["/", "/display?link=main", "/api/docs"])
def test_every_file_of_a_page_is_our_own_and_there(browser: TestClient, room: Room, page: str) -> None:
    sign_in(browser, room)
    html = browser.get(page).text
    assert "://" not in html
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', html)
    assert files
    for path in files:
        assert browser.get(path).status_code == 200


def test_files_of_the_version_in_force_are_kept_with_all_that_they_import(browser: TestClient, room: Room) -> None:
    sign_in(browser, room)
    html = browser.get("/").text
    (script,) = re.findall(r'src="(/static/[^"]+/lobby.js)"', html)
    folder = script.removesuffix("lobby.js")
    assert boot(html)["version"] in script
    imported = re.findall(r'from "\./([^"]+)"', browser.get(script).text)
    assert "live.js" in imported
    for name in imported:
        kept = browser.get(folder + name).headers
        assert "immutable" in kept["cache-control"]
        assert kept["x-content-type-options"] == "nosniff"
    for other in ("/static/js/live.js", f"/static/{'0' * 16}/js/live.js"):
        asked = browser.get(other)
        assert (asked.status_code, asked.headers["cache-control"]) == (200, "no-cache")
        assert asked.headers["x-content-type-options"] == "nosniff"
        again = browser.get(other, headers={"If-None-Match": asked.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")
    assert browser.get(f"/static/{boot(html)['version']}/../templates.py").status_code == 404


def test_a_device_in_use_keeps_its_cookie(browser: TestClient, room: Room) -> None:
    browser.post("/pages/device", json={"token": room.site.tokens["display-main"]}, headers=PAGE)
    for path in ("/display", "/pages/version"):
        cookie = browser.get(path).headers["set-cookie"]
        assert room.site.tokens["display-main"] in cookie
        assert "Max-Age=31536000" in cookie
    browser.cookies.set("croupier_display", "dev_unknown", domain="testserver.local")
    assert "set-cookie" not in TestClient(room.app).get("/pages/version").headers


def test_a_display_shows_its_link_and_a_keypad_its_table(browser: TestClient, room: Room) -> None:
    token = room.site.tokens["display-main"]
    assert browser.post("/pages/device", json={"token": token}, headers=PAGE).status_code == 200
    page = browser.get("/display")
    assert page.status_code == 200
    assert 'data-link="main"' in page.text
    assert browser.get("/keypad/1").status_code == 401
    refused = browser.post("/pages/device", json={"token": "dev_" + "0" * 40}, headers=PAGE)
    assert refused.json()["error"]["code"] == "unknown-device"


def test_a_dealer_signs_in_at_the_keypad_and_starts_a_game(browser: TestClient, room: Room) -> None:
    browser.post("/pages/device", json={"token": room.site.tokens["keypad-1"]}, headers=PAGE)
    assert "Dealer" in browser.get("/keypad/1").text
    answer = browser.post("/pages/keypad/sign-in", json={"person": "dan"}, headers=PAGE)
    assert answer.status_code == 200, answer.text
    page = browser.get("/keypad/1")
    begin = boot(page.text)
    assert (begin["table"], begin["seats"]) == (1, 7)
    start = {"id": "s1", "table": 1, "lit": [1, 2], "based": [1, 2]}
    headers = {"X-CSRF-Token": begin["csrf"]}
    assert browser.post("/api/links/main/start", json=start, headers=headers).status_code == 200
    assert browser.get("/keypad/2").status_code == 401


def test_an_address_elsewhere_is_not_gone_to_after_signing_in(browser: TestClient) -> None:
    for then in ("https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "/\t/elsewhere.example"):
        assert 'data-then="/"' in browser.get("/sign-in", params={"then": then}).text
    assert 'data-then="/display"' in browser.get("/sign-in", params={"then": "/display"}).text
    assert 'id="why"' not in browser.get("/sign-in", params={"then": "/display"}).text
    assert "The console is for those who work here" in browser.get("/sign-in", params={"then": "/console"}).text


BEGINNING = re.compile(r'`([a-z]+\.[\w.-]*)\$\{|\bt\(["\']([\w.-]+\.)["\'] \+')
"""Of a key that is put together: say(`status.${status}`), t("console." + section)."""


def test_every_string_of_a_page_is_in_the_one_place() -> None:
    known, said, beginnings, mentioned = set(strings()), set[str](), set[str](), set[str]()
    programs = [*HERE.glob("*.py"), *HERE.parent.glob("identity/*.py")]
    for path in [*HERE.glob("templates/**/*.html"), *HERE.glob("static/js/**/*.js"), *programs]:
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'\b(?:say|t)\(["\']([\w.-]+)["\'][,)]', text)) if path.suffix != ".py" else set()
        beginnings |= {one or other for one, other in BEGINNING.findall(text)}
        mentioned |= set(re.findall(r'["\'`]([\w.-]+)["\'`]', text)) & known
    assert said - known == set()
    put_together = {key for key in known if key.startswith(tuple(beginnings))}
    assert sorted(known - said - mentioned - put_together) == []


def test_no_page_names_a_currency_or_a_language_by_itself() -> None:
    """They are said in one place, which is sent with every page."""
    named = re.compile(r"""USD|en-US|["'`][$]["'`]|[$][$][{]""")
    files = [*HERE.glob("templates/**/*.html"), *HERE.glob("static/js/**/*.js")]
    assert [path.name for path in files if named.search(path.read_text(encoding="utf-8"))] == []
    written = [json.loads(path.read_text(encoding="utf-8")) for path in HERE.glob("strings/en/*.json")]
    assert [text for area in written for text in area.values() if re.search("[Dd]ollar|[$]$", text)] == []
    assert strings()["bank.amount"] == "Amount in dollars"


def test_percentages_are_written_in_one_way() -> None:
    """0.35%, as the counted figures on the pages are."""
    assert [text for text in strings().values() if re.search(r"[\d}] %", text)] == []


def test_no_form_would_put_a_secret_into_an_address() -> None:
    """A card may be swiped before a page's scripts have come: the browser itself then sends the form."""
    forms = [
        (path.name, form)
        for path in HERE.glob("templates/**/*.html")
        for form in re.findall(r"<form.*?</form>", path.read_text(encoding="utf-8"), re.DOTALL)
    ]
    secret = [(name, form) for name, form in forms if "password" in form]
    assert len(secret) > 4
    assert [name for name, form in secret if 'method="post"' not in form.partition(">")[0]] == []


def test_no_sentence_is_written_twice_under_one_name() -> None:
    """The second would silently take the place of the first."""
    pairs: list[list[tuple[str, str]]] = []
    for path in HERE.glob("strings/en/*.json"):
        json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=pairs.append)
    names = [name for area in pairs for name, _ in area]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_every_kind_of_entry_has_a_name_for_people() -> None:
    assert {f"events.kind.{kind}" for kind in SENTENCES} <= set(strings())


@pytest.mark.parametrize("game", ALL_GAMES)
def test_rules_and_table_say_what_the_register_has_for_what_is_dealt(
    browser: TestClient, room: Room, game: str
) -> None:
    """By the digests of what is dealt; and that the letter approved another's games, not this program."""
    covers = on_file(find_any_game(game), shipped_register())
    assert covers
    for path in (f"/rules/{game}", f"/play/{game}"):
        shown = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", browser.get(path).text))).lower()
        for each in covers:
            assert each.on_file.lower() in shown, (path, each)
            assert each.title.lower() in shown
        by_letter = any("#3119" in each.on_file for each in covers)
        assert ("not this program: a house needs an approval of its own" in shown) is by_letter, path


def test_without_an_approval_the_pages_say_that_there_is_none(browser: TestClient, room: Room) -> None:
    withdrawn = {"key": "washington-3119", "reason": "Withdrawn."}
    assert room.act_of_two("/api/site/withdraw-approval", **withdrawn).status_code == 200
    for path in ("/rules/triple-shot-rummy", "/play/triple-shot-rummy"):
        shown = browser.get(path).text
        assert re.search("no approval on file", shown, re.IGNORECASE), path
        assert "submission #3119" not in shown.partition('id="odds"')[0].rpartition('id="on-file"')[2]
        assert "not this program" not in shown


def test_other_rules_have_other_words(browser: TestClient) -> None:
    """Bet the Bust has a paytable for a dealer who stands on a soft 17 and another for one who hits it."""
    usual, other = (browser.get(path).text for path in ("/rules/blackjack", "/rules/blackjack?rules=6D+H17"))
    assert "Bet the Bust (paytable 2)" in usual
    assert "Bet the Bust (paytable 1)" in other


def test_a_configuration_is_shown_to_everybody_and_its_form_to_those_who_may_sign_it(
    browser: TestClient, room: Room
) -> None:
    forms = ("/console/links/main/configure", "/console/new-link")
    for person, status in (("sue", 403), ("eve", 200)):
        sign_in(browser, room, person)
        assert [browser.get(path).status_code for path in forms] == [status, status]
        link = browser.get("/console/links/main")
        assert (link.status_code, forms[0] in link.text) == (200, status == 200)


def test_a_person_is_told_what_is_wrong_on_a_page_and_a_program_in_the_one_form(
    browser: TestClient, room: Room
) -> None:
    sign_in(browser, room)
    looks = {"Accept": "text/html,application/xhtml+xml"}
    for path, status in (("/keypad/99", 404), ("/display?link=other", 404), ("/nowhere", 404)):
        page = browser.get(path, headers=looks)
        assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8"), path
        assert "Back to the lobby" in page.text
        assert "Max" in page.text
        assert set(browser.get(path).json()["error"]) == {"code", "sentence", "retry"}
    for path in ("/nowhere", "/keypad/abc"):
        assert "There is no page at this address." in browser.get(path, headers=looks).text
    assert browser.get("/api/links/other", headers=looks).json()["error"]["code"] == "unknown-name"


def test_a_search_for_a_number_tells_that_paragraph_of_every_game_and_a_shared_text_once(browser: TestClient) -> None:
    found = browser.get("/api/search", params={"q": "5.1"}).json()["found"]
    rules = [each for each in found if each["kind"] == "rule"]
    assert len(rules) > 2
    assert all(each["title"].endswith(" 5.1") for each in rules)
    shared = browser.get("/api/search", params={"q": "13.6"}).json()["found"]
    texts = [each["text"] for each in shared if each["kind"] == "rule"]
    assert len(texts) == len(set(texts)), "titles of one family share their paragraphs"
    (wager,) = (
        each
        for each in browser.get("/api/search", params={"q": "Pair Fortunes"}).json()["found"]
        if each["kind"] == "wager"
    )
    assert wager["path"] == "/rules/supreme-99#w-pair-fortunes"


def test_a_display_is_told_how_long_a_winner_stays(browser: TestClient, room: Room) -> None:
    sign_in(browser, room)
    assert boot(browser.get("/display").text)["winner_s"] == room.app.state.runtime.settings.winner_s == 20
    with pytest.raises(NotationError, match="5 to 600 seconds, not 2"):
        Settings(winner_s=2)


def test_rules_without_scripts_say_what_can_be_read_there(browser: TestClient) -> None:
    shown = browser.get("/rules/blackjack").text
    sentence = re.search(r"<noscript>(.*?)</noscript>", shown, re.DOTALL)
    assert sentence
    assert "all rules can be read" in sentence[1]
