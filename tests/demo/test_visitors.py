"""In the demo a progressive wager that is played in a browser feeds the link once, and can hit it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import inspect

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.client.client import Client
from croupier.client.transport import ApiRefusal, NoAnswer
from croupier.demo import visitors as demo_play
from croupier.demo.cardroom import CardroomRound, base_game_of
from croupier.demo.dealers import Dealers
from croupier.demo.room import DEMO_SETUP, LINK, TITLES, DemoSecrets, prepare
from croupier.demo.visitors import DEALT, FAILED, FED, USUAL, WAITS, Visitors, visit_of
from croupier.floor.link.setup import host_titles, why_not_join
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.side_wagers import HOSTS
from croupier.games.catalogue import find_any_game
from croupier.games.table.history import parse_act
from croupier.web.app import create_app
from croupier.web.games.rounds import Standing
from croupier.web.games.store import ActRow, RoundRow, RoundStore, play_database
from croupier.web.settings import Settings
from support.postgres import new_floor
from tests.games.blackjack.support import offer_blackjack
from tests.web.support import done, fast_pins, wait_until

ROW = RoundRow("rnd_1", "from here", "o", "{}", "", False, datetime(2026, 1, 1))
BURN_AND_DEAL = "2c 7d 9s 7c 7d 3h 5s"
"""The burn card, seats 1 and 2, the dealer's up card, seats 1 and 2 again, the hole card."""
SUITED = "2c 7d 9s 7d 7d 3h 5s"
"""Seat 1 has the hand that wins a share of the meters."""


def dealt(*, rules: str = "8D", paytable: str = "ML03", cards: str = BURN_AND_DEAL, row: RoundRow = ROW) -> Standing:
    """Two seats with the progressive wager, and the initial cards."""
    wager = offer_blackjack(rules).game.wager(DEMO_SETUP.wager)
    table = offer_blackjack(rules, [wager.key], paytables={wager.key: wager.paytables[paytable]})
    decks = table.rules.decks
    round_ = table.open(Shoe.stacked(parse_cards(cards, decks=decks), decks=decks, chance="x"))
    for act in (*(f"bet {seat} {spot} 500" for seat in (1, 2) for spot in ("bet", wager.key)), "no-more-bets"):
        round_ = round_.do(parse_act(act, round_.known_acts))
    return Standing(row, round_)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/f.db" if request.param == "sqlite" else new_floor()


@contextmanager
def begun(url: str) -> Iterator[Visitors]:
    """As a server that starts on this store has them."""
    with closing(Visitors(url)) as visitors:
        yield visitors


def test_the_seats_and_the_hands_that_won_go_to_a_table_once(url: str) -> None:
    with begun(url) as visitors:
        the_seats_and_the_hands_go_to_a_table_once(visitors)


def the_seats_and_the_hands_go_to_a_table_once(visitors: Visitors) -> None:
    for _ in range(2):
        visitors.offer(dealt())
    visit = visitors.take(2)
    assert visit is not None
    assert (visit.seats, visit.won, visit.state) == ((1, 2), ((1, "Three 7's"),), DEALT)
    assert visitors.take(2) is None
    visitors.note(visit, FED, 2, ({"seat": 1, "line": "Three 7's", "cents": 1},))
    told = visitors.told("rnd_1")
    assert told is not None
    assert (told.state, told.table) == (FED, 2)


def test_every_line_of_a_round_is_one_that_the_keypad_knows() -> None:
    for cards in (BURN_AND_DEAL, "2c 7d 9s 7d 7d 3h 5s", "2c 7d 7s 4c 9d 7h 5s", "2c 7h 9s 7d 7d 3h 5s"):
        visit = visit_of(dealt(cards=cards))
        assert visit is not None
        assert {line for _, line in visit.won} <= set(DEMO_SETUP.lines)


@pytest.mark.parametrize(
    "standing",
    [dealt(row=replace(ROW, seeded=True)), dealt(rules="6D"), dealt(paytable="1")],
    ids=["whoever knows the seed knows the cards", "other decks", "another paytable"],
)
def test_what_is_not_the_links_own_game_of_chance_goes_nowhere(standing: Standing) -> None:
    assert visit_of(standing) is None


def test_only_so_many_wait_and_the_others_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_play, "MOST_WAITING", 3)
    with begun(f"sqlite:///{tmp_path}/f.db") as visitors:
        for number in range(4):
            visitors.offer(dealt(row=replace(ROW, id=f"rnd_{number}")))
        assert [told.state for each in range(4) if (told := visitors.told(f"rnd_{each}"))] == [WAITS] * 3 + [FAILED]


def test_a_restart_deals_nobody_twice_and_forgets_nobody(url: str) -> None:
    first, second, third = (dealt(row=replace(ROW, id=f"rnd_{number}")) for number in (1, 2, 3))
    with begun(url) as visitors:
        for standing in (first, second, third):
            visitors.offer(standing)
        fed, left = visitors.take(1), visitors.take(2)
        assert fed is not None
        assert left is not None
        visitors.note(fed, FED, 1)
    with begun(url) as visitors:
        for standing in (first, second, third):  # another act in the same round, or the same one sent again
            visitors.offer(standing)
        assert visitors.left_at(1) is None
        assert visitors.left_at(2) == left
        waits = visitors.take(1)
        assert waits is not None
        assert waits.round == "rnd_3"
        assert visitors.take(1) is None


def test_visits_are_forgotten_with_their_rounds(url: str) -> None:
    now = [ROW.opened]
    with closing(play_database(url)) as database, closing(Visitors(url, clock=lambda: now[0])) as visitors:
        rounds = RoundStore(database)
        for id_ in ("rnd_1", "rnd_2"):
            rounds.open_round(replace(ROW, id=id_, command=id_))
            visitors.offer(dealt(row=replace(ROW, id=id_)))
        rounds.append("rnd_2", [ActRow(1, "a", "", "bet 1 bet 500")], ROW.opened + timedelta(days=2), over=False)
        now[0] += timedelta(days=2)
        rounds.forget_rounds(now[0] - timedelta(days=1), now[0] - timedelta(days=1))
        visitors.offer(dealt(row=replace(ROW, id="rnd_2")))
        assert visitors.told("rnd_1") is None
        assert visitors.told("rnd_2") is not None
        visit = visitors.take(1)
        assert visit is not None
        assert visit.round == "rnd_2"


def test_a_real_site_has_nothing_of_the_demo(tmp_path: Path) -> None:
    """Neither its table nor its route; a store in which an earlier server has made the table is used as it is."""
    url = f"sqlite:///{tmp_path}/f.db"
    for is_old in (False, True):
        if is_old:
            with begun(url):
                pass
        with TestClient(create_app(Settings(db=url)), base_url="http://127.0.0.1") as client:
            opened = done(client.post("/api/rounds", json={"id": f"o{is_old}", "game": "blackjack"}))
            path = f"/api/rounds/{opened['round']}"
            done(client.post(f"{path}/acts", json={"id": "a", "act": "bet 1 bet 500"}))
            assert client.get(f"{path}/link").status_code == 404
        with closing(play_database(url)) as database, database.read() as db:
            assert inspect(db).has_table("play_visits") == is_old


class Keypad:
    """Takes acts, and says no, or nothing, to one of them."""

    def __init__(self, not_done: str, error: Exception) -> None:
        self._not_done, self._error = not_done, error
        self.ids: list[str] = []

    def __getattr__(self, act: str) -> Any:
        def done_(_: str, *, id: str, **__: Any) -> Any:
            if act == self._not_done:
                raise self._error
            self.ids.append(id)
            return SimpleNamespace(entry=SimpleNamespace(number=7, facts={}))

        return done_


NO = ApiRefusal("not-open", "The link main is closed.", 409)


@pytest.mark.parametrize(
    ("not_done", "error", "state"),
    [
        ("start", NO, FAILED),
        ("enter", NO, FED),
        ("end", NO, FED),
        ("end", KeyError("a bug"), FED),
        ("start", NoAnswer("it is gone"), DEALT),
        ("end", ApiRefusal("in-doubt", "It is not known.", 503, retry=True), DEALT),
    ],
)
def test_what_has_fed_the_meters_is_never_told_as_not_fed(
    tmp_path: Path, not_done: str, error: Exception, state: str
) -> None:
    """And where there was no answer, nothing is told: it is gone on with, by the same ids."""
    settings = Settings(db=f"sqlite:///{tmp_path}/demo.db")
    dealers, keypad = Dealers(settings, DemoSecrets({}, {}, {}), rounds_a_minute=0), Keypad(not_done, error)
    dealers.visitors.offer(dealt())
    visit = dealers.visitors.take(2)
    assert visit is not None
    with pytest.raises(type(error)):
        dealers._deal_for(keypad, 2, visit)  # type: ignore[arg-type]
    told = dealers.visitors.told("rnd_1")
    assert told is not None
    assert told.state == state
    again = Keypad("", error)
    dealers._deal_for(again, 2, visit)  # type: ignore[arg-type]
    assert again.ids == ["rnd_1-start", "rnd_1-enter-1", "rnd_1-end"]
    assert again.ids[: len(keypad.ids)] == keypad.ids
    dealers._http.close()
    dealers.visitors.close()


# Dealt at the demo's tables


def test_a_hit_in_play_is_dealt_by_the_demos_dealers_and_moves_the_link_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dealers and their office work as they do, but for rounds of their own: they only wait for visitors.

    Two of their acts have no answer, one before it was done and one after: they go on, and nothing is done twice.
    """
    fast_pins()
    for act, is_done in (("confirm", False), ("end", True)):
        monkeypatch.setattr(Client, act, without_answer_once(getattr(Client, act), is_done=is_done))
    settings = Settings(db=f"sqlite:///{tmp_path}/demo.db")
    secrets = prepare(settings)
    dealers = Dealers(settings, secrets, rounds_a_minute=0)
    app = create_app(settings, dealers.visitors)
    cards = Shoe.stacked(parse_cards(SUITED, decks=DEMO_SETUP.decks), decks=DEMO_SETUP.decks, chance="x")
    monkeypatch.setattr("croupier.cards.shoe.Shoe.fresh", lambda *_, **__: cards)
    monkeypatch.setattr(Dealers, "_next", _nobody_sits_down)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        wait_until(lambda: app.state.runtime.floor is not None)
        monkeypatch.setattr(dealers, "_http", client)
        monkeypatch.setattr(dealers, "_url", "http://127.0.0.1")
        dealers.start()
        try:
            wait_until(lambda: link_of(client, secrets)["status"] == "open")
            before = link_of(client, secrets)
            round_ = play_a_hit(client)
            path = f"/api/rounds/{round_}/link"
            wait_until(lambda: done(client.get(path))["state"] == FED)
            told, after = done(client.get(path)), link_of(client, secrets)
            [award] = told["awards"]
            assert (award["seat"], award["line"]) == (1, "Three 7's - Diamonds")
            kinds = [each["kind"] for each in entries_of(client, secrets)[before["number"] :]]
            assert kinds == ["start", "enter", "call", "confirm", "end"]
            assert {table: game["round"] for table, game in after["tables"].items()} == {str(told["table"]): 1}
            assert [level["meter_cents"] for level in after["levels"]] != [
                level["meter_cents"] for level in before["levels"]
            ]
            done(client.post(f"/api/rounds/{round_}/acts", json={"id": "void", "act": "void again"}))
            done(client.post(f"/api/rounds/{round_}/acts", json={"id": "deal", "act": DEAL}))
            assert dealers.visitors.take(1) is None
            assert link_of(client, secrets)["number"] == after["number"]
        finally:
            monkeypatch.setattr(dealers._http, "close", lambda: None)
            dealers.stop()


def without_answer_once(act: Callable[..., Any], *, is_done: bool) -> Callable[..., Any]:
    """An act of the keypad that nobody answers the first time, whether it was done or not."""
    first = [True]

    def sent(*given: Any, **more: Any) -> Any:
        if not first:
            return act(*given, **more)
        first.clear()
        if is_done:
            act(*given, **more)
        raise NoAnswer("it is gone")

    return sent


DEAL = ["no-more-bets", "go-on"]


def _nobody_sits_down(dealers: Dealers, table: int) -> CardroomRound:
    dealers._stop.wait(0.02)
    return CardroomRound(table, (), ())


def play_a_hit(client: TestClient) -> str:
    """Two seats with the link's wager, as the page of the demo opens a table; the first has three sevens."""
    opened = done(client.post("/api/rounds", json={"id": "o", "game": "blackjack", **USUAL["blackjack"]}))
    path = f"/api/rounds/{opened['round']}/acts"
    bets = [f"bet {seat} {spot} 500" for seat in (1, 2) for spot in ("bet", DEMO_SETUP.wager)]
    done(client.post(path, json={"id": "bets", "act": bets}))
    for _ in range(2):  # sent again, as after an answer that was lost
        done(client.post(path, json={"id": "deal", "act": DEAL}))
    return str(opened["round"])


def link_of(client: TestClient, secrets: DemoSecrets) -> dict[str, Any]:
    return done(client.get(f"/api/links/{LINK}", headers=_display(secrets)))


def entries_of(client: TestClient, secrets: DemoSecrets) -> list[dict[str, Any]]:
    session = done(client.post("/api/sign-in", json={"card": secrets.cards["max"], "pin": secrets.pins["max"]}))
    header = {"Authorization": f"Bearer {session['token']}"}
    found: list[dict[str, Any]] = done(client.get(f"/api/links/{LINK}/entries?most=1000", headers=header))["entries"]
    return found


def _display(secrets: DemoSecrets) -> dict[str, str]:
    return {"Authorization": f"Bearer {next(iter(secrets.devices.values()))}"}


def test_every_game_of_the_demo_is_dealt_by_its_own_rules() -> None:
    """A title has rules of its own or stands for a side wager that is there, and the approval has it among the hosts of
    the link's wager."""
    assert len(set(TITLES)) == len(DEMO_SETUP.tables) == 4
    for table in DEMO_SETUP.tables:
        assert table.title in host_titles(DEMO_SETUP.wager)
        assert why_not_join(table, DEMO_SETUP) is None
    bases = {title: base_game_of(title) for title in TITLES}
    assert set(bases.values()) == set(USUAL) == {"blackjack", "free-bet-blackjack", "zappit-blackjack"}
    for title, key in bases.items():
        game, said = of_the_family(find_any_game(key)), USUAL[key]
        offering = game.under(said["rules"]).offer(side_wagers=said["side_wagers"])
        assert offering.rules.decks == DEMO_SETUP.decks
        assert offering.offers(DEMO_SETUP.wager)
        assert offering.offers(HOSTS[title]) if key == "blackjack" else offering.rules.of_a_title
