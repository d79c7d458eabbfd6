"""Rounds over HTTP are the engine's own: same cards, same results, alive after a restart, nothing shown too early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from croupier.cards.card import Card
from croupier.cards.shoe import Shoe, verify_reveal
from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.round import Offering, Round
from croupier.games.table.history import History, parse_act
from croupier.games.table.offering import TableOffering
from croupier.games.table.record import read_any_record
from croupier.web.errors import ApiError
from croupier.web.games import rounds
from croupier.web.games.play import OPENINGS
from croupier.web.games.rounds import Opener, Rounds
from croupier.web.games.store import RoundStore, play_database
from croupier.web.games.views import state_as_json
from croupier.web.identity.store import utc
from croupier.web.transport.clients import Rate
from support.postgres import new_floor
from tests.games.blackjack.support import offer_blackjack
from tests.web.support import DISPLAYS, KEYPADS, MadeSite, Room, Server, done, error_of, running

JSON = {"Content-Type": "application/json"}
SIDES = ["kings-bounty", "bet-the-bust", "trilux"]
OPENED = count(1)
SOMEBODY, NOBODY = Opener("person a"), Opener("from here")
ASKED: dict[str, dict[str, Any]] = {
    "triple-shot-rummy": {},
    "three-card-baccarat": {},
    "supreme-99": {},
    "blackjack": {"rules": "6D H17 DAS SP4 LS 3:2", "side_wagers": SIDES, "paytables": {"bet-the-bust": "1"}},
}


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One for all of these: every test opens rounds of its own, and nobody is counted who hurries."""
    with running(made_site.copy(tmp_path_factory.mktemp("rounds"))) as made:
        yield made


@pytest.fixture(autouse=True)
def _nobody_is_too_fast(request: pytest.FixtureRequest) -> None:
    if "room" in request.fixturenames:
        play = request.getfixturevalue("room").app.state.play
        play.openings, play.acts = Rate(OPENINGS), Rate(100_000)


def offered(game: str) -> TableOffering:
    return offer_blackjack(ASKED[game]["rules"], SIDES) if game == "blackjack" else Offering(GAMES[game])


class Seated:
    """Somebody who plays over HTTP."""

    def __init__(self, room: Room, game: str, seed: str | None, who: str = "max", **more: Any) -> None:
        self.room, self.who, self.sent = room, who, 0
        asked = {"id": f"open {next(OPENED)}", "game": game, "seed": seed, **ASKED[game], **more}
        self.seen = done(room.post("/api/rounds", who, **asked))
        self.round = self.seen["round"]
        self.answers = [json.dumps(self.seen)]

    def act(self, act: str | dict[str, Any] | list[Any]) -> dict[str, Any]:
        self.sent += 1
        self.seen = done(self.room.post(f"/api/rounds/{self.round}/acts", self.who, id=f"a{self.sent}", act=act))
        self.answers.append(json.dumps(self.seen))
        return self.seen

    def bets(self) -> None:
        """Seats 1 and 3, on everything that is offered."""
        for seat in (1, 3):
            for spot in [each["form"]["spot"] for each in self.legal("bet") if each["seat"] == seat]:
                self.act(f"bet {seat} {spot} 500")

    def legal(self, name: str) -> list[dict[str, Any]]:
        return [each for each in self.seen["legal"] if each["name"] == name]

    def plays_on(self, pick: int = 0) -> None:
        """Whatever is asked, the same place in the list of answers; then the dealer."""
        while not self.seen["over"]:
            own = [each for each in self.seen["legal"] if each["seat"] is not None]
            self.act(own[pick % len(own)]["act"] if own else "go-on")


@pytest.mark.parametrize("game", list(ASKED))
@pytest.mark.parametrize("pick", [0, 1])
def test_a_round_over_http_ends_as_the_engine_ends_it_with_the_same_seed(room: Room, game: str, pick: int) -> None:
    for seed in ("one", "two"):
        player = Seated(room, game, seed)
        player.bets()
        player.act("no-more-bets")
        player.plays_on(pick)
        replay = done(room.get(f"/api/rounds/{player.round}/replay", ""))
        engine = offered(game).open(Shoe.fresh(offered(game).decks, seed))
        assert engine.shoe
        assert replay["commitment"] == engine.shoe.commitment
        for act in replay["acts"]:
            engine = engine.do(parse_act(act, engine.known_acts))
        assert engine.is_over
        ours = [(s.seat, s.spot, s.line, s.staked_cents, s.returned_cents) for s in engine.settlements]
        theirs = [
            tuple(s[key] for key in ("seat", "spot", "line", "staked_cents", "returned_cents"))
            for s in replay["settlements"]
        ]
        assert theirs == ours
        assert player.seen["returned_cents"] == engine.returned_cents
        assert read_any_record(replay["record"]).settlements == engine.settlements
        assert replay["verified"]
        assert verify_reveal(replay["reveal"], player.seen["commitment"]).announced


@pytest.mark.parametrize("game", list(ASKED))
def test_no_hidden_card_is_in_any_answer_before_it_is_shown(room: Room, game: str) -> None:
    for seed in map(str, range(2)):
        player = Seated(room, game, f"hidden {seed}")
        engine = offered(game).open(Shoe.fresh(offered(game).decks, f"hidden {seed}"))
        order = engine.shoe.order if engine.shoe else ()
        player.bets()
        player.act("no-more-bets")
        while not player.seen["over"]:
            own = [each for each in player.seen["legal"] if each["seat"] is not None]
            player.act(own[0]["act"] if own else player.seen["legal"][0]["act"])
        acts = done(room.get(f"/api/rounds/{player.round}/replay", ""))["acts"]
        for number, answer in enumerate(player.answers):
            known = seen_cards(engine)
            assert cards_in(answer) <= known, (number, acts[:number])
            assert "seed" not in json.loads(answer)
            assert " ".join(map(str, order[:6])) not in answer
            assert f"hidden {seed}" not in answer
            if number < len(acts):
                engine = engine.do(parse_act(acts[number], engine.known_acts))


def seen_cards(round_: History) -> set[str]:
    """What lies face up, as the engine's own state has it."""
    if isinstance(round_, BlackjackRound):
        dealt = [card for seat in round_.seats.values() for card in seat.dealt]
        return set(map(str, [*dealt, *round_.dealer]))
    assert isinstance(round_, Round)
    dealt = [card for seat in round_.seats.values() for card in seat.hand]
    shown = round_.dealer if round_.phase.value in ("settling", "over") else ()
    return set(map(str, [*dealt, *shown]))


def cards_in(answer: str) -> set[str]:
    """Every word of an answer that is a card."""
    words = answer.replace('"', " ").replace(",", " ").replace(".", " ").replace("'", " ").replace("]", " ")
    return {word for word in words.replace("[", " ").replace(":", " ").replace("(", " ").split() if is_card(word)}


def is_card(word: str) -> bool:
    try:
        Card.parse(word)
    except NotationError:
        return False
    return len(word) == 2 and word[1] in "cdhs"


def test_the_test_would_find_a_hidden_card() -> None:
    round_ = offered("blackjack").open(Shoe.fresh(6, "x"))
    assert isinstance(round_, BlackjackRound)
    for act in ("bet 1 bet 500", "no-more-bets"):
        round_ = round_.do(parse_act(act, round_.known_acts))
    assert round_.hole is not None
    assert cards_in(json.dumps({"a": [str(round_.hole)], "b": f"receives {round_.hole}."})) == {str(round_.hole)}


def test_the_dealers_cards_of_a_round_called_off_stay_hidden_in_its_state(room: Room) -> None:
    player = Seated(room, "triple-shot-rummy", "void")
    player.act("bet 1 ante 500")
    player.act("no-more-bets")
    player.act("go-on")
    assert player.seen["dealer"] == {"cards": [], "face_down": 3, "words": "", "halves": [], "hidden": []}
    player.act("void a card was exposed")
    assert player.seen["phase"] == "void"
    assert player.seen["dealer"]["cards"] == []
    assert player.seen["returned_cents"] == 500


# Acts


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"act": "fly"}, "'fly' is no act"),
        ({}, "'None' is no act"),
        ({"act": "bet", "seat": 1, "spot": "ante"}, "needs its 'cents'"),
        ({"act": "bet", "seat": 1, "spot": "ante", "cents": 5.5}, "'cents' of 'bet' is a whole number"),
        ({"act": "bet", "seat": True, "spot": "ante", "cents": 500}, "'seat' of 'bet' is a whole number"),
        ({"act": "bet", "seat": 1, "spot": ["ante"], "cents": 500}, "'spot' of 'bet' is a text"),
        ({"act": "bet", "seat": 1, "spot": "ante", "cents": 500, "colour": 1}, "has no 'colour'"),
        ({"act": "bet", "seat": 1, "spot": "ante", "cents": 10**400}, "is a whole number, not a larger number"),
        ({"act": "deal", "cards": [1]}, "are a text, as"),
        ({"act": "rotation", "dice": "123"}, "a list of whole numbers"),
    ],
)
def test_fields_that_make_no_act_are_refused_in_a_sentence(room: Room, form: dict[str, Any], sentence: str) -> None:
    player = Seated(room, "triple-shot-rummy", "fields")
    found = room.post(f"/api/rounds/{player.round}/acts", "max", id="x", act=form)
    assert found.status_code == 422
    assert sentence in found.json()["error"]["sentence"]


def test_an_act_in_fields_is_the_act_in_text(room: Room) -> None:
    player = Seated(room, "triple-shot-rummy", "fields")
    player.act({"act": "bet", "seat": 2, "spot": "ante", "cents": 700})
    assert player.seen["seats"][0]["wagers_cents"] == {"ante": 700}


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ("bet 1 ante 1", "below-minimum"),
        ("bet 9 ante 500", "no-such-seat"),
        ("settle", "out-of-turn"),
        ("go-on", "out-of-turn"),
        ("deal As Ks Qs", "out-of-turn"),
    ],
)
def test_the_engines_refusal_is_the_answer_and_nothing_changes(room: Room, act: str, code: str) -> None:
    player = Seated(room, "triple-shot-rummy", "refused")
    found = room.post(f"/api/rounds/{player.round}/acts", "max", id="x", act=act)
    assert (found.status_code, error_of(found)) == (409, code)
    assert done(room.get(f"/api/rounds/{player.round}", "max")) == player.seen


def test_nobody_chooses_the_rotation_of_a_sealed_shoe(room: Room) -> None:
    player = Seated(room, "supreme-99", "rotation")
    player.bets()
    player.act("no-more-bets")
    [sealed] = player.legal("rotation")
    other = "rotation number 1" if sealed["act"] != "rotation number 1" else "rotation number 2"
    found = room.post(f"/api/rounds/{player.round}/acts", "max", id="x", act=other)
    assert error_of(found) == "sealed-rotation"
    player.act(sealed["act"])
    assert player.seen["phase"] == "dealing"


def test_cards_can_be_entered_beside_a_real_table(room: Room) -> None:
    player = Seated(room, "blackjack", None, cards="entered", side_wagers=[])
    assert player.seen["commitment"] is None
    for act in (
        "bet 1 bet 500",
        "no-more-bets",
        "deal 8h Kc 8s",
        "peek no",
        "split 1",
        "deal 3h",
        "double 1",
        "deal 9c",
    ):
        player.act(act)
    player.act("deal Qh")
    player.act("stand 1 2")
    player.act("reveal")
    player.act("deal 6d")
    player.act("deal Td")
    player.act("settle")
    assert player.seen["over"]
    assert player.seen["returned_cents"] == 3000
    assert done(room.get(f"/api/rounds/{player.round}/replay", ""))["reveal"] is None


# Once


def test_an_act_sent_again_is_answered_with_the_first_result_and_done_once(room: Room) -> None:
    player = Seated(room, "triple-shot-rummy", "again")
    path = f"/api/rounds/{player.round}/acts"
    first = done(room.post(path, "max", id="b", act="bet 1 ante 500"))
    done(room.post(path, "max", id="n", act="no-more-bets"))
    gone_on = done(room.post(path, "max", id="g", act="go-on"))
    done(room.post(path, "max", id="d", act=gone_on["legal"][0]["act"]))
    assert done(room.post(path, "max", id="b", act="bet 1 ante 500")) == first
    assert done(room.post(path, "max", id="g", act="go-on")) == gone_on
    assert done(room.get(f"/api/rounds/{player.round}", ""))["number"] == gone_on["number"] + 1
    other = room.post(path, "max", id="b", act="bet 2 ante 500")
    assert (other.status_code, error_of(other)) == (409, "id-used")


def test_an_opening_sent_again_is_the_same_round(room: Room) -> None:
    asked = {"id": "o", "game": "supreme-99"}
    first = done(room.post("/api/rounds", "", **asked))
    done(room.post(f"/api/rounds/{first['round']}/acts", "", id="b", act="bet 1 bet 500"))
    assert done(room.post("/api/rounds", "", **asked)) == first
    assert error_of(room.post("/api/rounds", "", id="o", game="triple-shot-rummy")) == "id-used"
    assert done(room.post("/api/rounds", "max", **asked))["round"] != first["round"]


def test_a_round_goes_on_after_a_restart_exactly_where_it_was(site: MadeSite) -> None:
    with running(site) as room:
        players = [Seated(room, game, f"restart {game}") for game in ASKED]
        for player in players:
            player.bets()
            player.act("no-more-bets")
    with running(site) as room:
        for player in players:
            player.room = room
            assert done(room.get(f"/api/rounds/{player.round}", "max")) == player.seen
            player.plays_on()
            assert done(room.get(f"/api/rounds/{player.round}/replay", "max"))["verified"]


def test_a_round_goes_on_after_the_server_was_killed(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        seen = done(client.post("/api/rounds", json={"id": "o", "game": "supreme-99"}))
        path = f"/api/rounds/{seen['round']}"
        for number, act in enumerate(("bet 1 bet 500", "no-more-bets", "go-on")):
            seen = done(client.post(f"{path}/acts", json={"id": f"a{number}", "act": act}))
        server.kill()
        server.start_again()
        server.wait_ready()
        assert done(client.get(path)) == seen
        done(client.post(f"{path}/acts", json={"id": "d", "act": seen["legal"][0]["act"]}))
        over = done(client.post(f"{path}/acts", json={"id": "e", "act": "go-on"}))
        assert over["over"]
        reveal = done(client.get(f"{path}/replay"))["reveal"]
        assert verify_reveal(reveal, seen["commitment"]).announced


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_servers_on_one_store_see_each_others_acts(tmp_path: Path, kind: str) -> None:
    url = f"sqlite:///{tmp_path}/f.db" if kind == "sqlite" else new_floor()
    stores = [RoundStore(play_database(url)), RoundStore(play_database(url))]
    here, there = map(Rounds, stores)
    opened = here.open(SOMEBODY, "o", offered("triple-shot-rummy"), {"cards": "shoe", "seed": "s"})
    for number, server in enumerate((here, there, here, there)):
        server.act(opened.id, f"c{number}", f"bet {number + 1} ante 500", by=SOMEBODY)
    assert state_as_json(here.standing(opened.id), SOMEBODY) == state_as_json(there.standing(opened.id), SOMEBODY)
    assert here.standing(opened.id).round.staked_cents == 2000
    with pytest.raises(Refusal, match="already has"):
        there.act(opened.id, "late", "bet 1 ante 500", by=SOMEBODY)
    assert there.act(opened.id, "c0", "bet 1 ante 500", by=SOMEBODY).round.staked_cents == 500
    again = there.open(SOMEBODY, "o", offered("triple-shot-rummy"), {"cards": "shoe", "seed": "s"})
    assert (again.id, again.acts) == (opened.id, ())
    for store in stores:
        store.database.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RoundStore]:
    with closing(play_database(f"sqlite:///{tmp_path}/f.db")) as database:
        yield RoundStore(database)


def test_an_act_that_came_second_is_asked_again_on_the_new_state(store: RoundStore, monkeypatch: Any) -> None:
    here, there = Rounds(store), Rounds(store)
    opened = here.open(SOMEBODY, "o", offered("triple-shot-rummy"), {"cards": "shoe", "seed": "s"})
    append = store.append
    raced: list[int] = []

    def beaten(*given: Any, **more: Any) -> None:
        if not raced:
            raced.append(1)
            there.act(opened.id, "first", "bet 2 ante 500", by=SOMEBODY)
        append(*given, **more)

    monkeypatch.setattr(store, "append", beaten)
    after = here.act(opened.id, "second", "bet 1 ante 700", by=SOMEBODY)
    assert [act.act for act in after.acts] == ["bet 2 ante 500", "bet 1 ante 700"]


# Who may


def test_a_display_opens_nothing_and_reads(room: Room) -> None:
    player = Seated(room, "supreme-99", "display")
    for path, values in (("/api/rounds", {"game": "supreme-99"}), (f"/api/rounds/{player.round}/acts", {"act": "x"})):
        found = room.post(path, DISPLAYS[0], id="d", **values)
        assert (found.status_code, error_of(found)) == (403, "read-only")
    assert room.get(f"/api/rounds/{player.round}", DISPLAYS[0]).status_code == 200


def test_the_one_who_opened_a_round_plays_it_and_others_look_on(room: Room) -> None:
    """By a cookie that no script reads, where nobody has signed in: who has the address alone looks on."""
    mine, theirs = TestClient(room.app), TestClient(room.app)
    asked = {"id": "mine", "game": "supreme-99"}
    opened = mine.post("/api/rounds", json=asked)
    assert {"HttpOnly", "SameSite=strict"} <= set(opened.headers["set-cookie"].split("; "))
    path, seen = f"/api/rounds/{done(opened)['round']}", done(opened)
    for number, act in enumerate(("bet 1 bet 500", ["no-more-bets", "go-on"])):
        seen = done(mine.post(f"{path}/acts", json={"id": f"a{number}", "act": act}))
    assert seen["yours"]
    decides = {"id": "d", "act": seen["legal"][0]["act"]}
    for given in ({}, room.site.header("max"), room.site.header(KEYPADS[0])):
        refused = theirs.post(f"{path}/acts", json=decides, headers=given)
        assert (refused.status_code, error_of(refused)) == (403, "not-yours")
        assert done(theirs.get(path, headers=given)) == {**seen, "yours": False}
        left = done(theirs.get("/api/rounds", params={"round": seen["round"]}, headers=given))["rounds"]
        assert seen["round"] not in [each["round"] for each in left]
    assert error_of(theirs.post("/api/rounds", json=asked)) == "id-used"  # which is none of theirs
    done(theirs.post("/api/rounds", json={**asked, "id": "theirs"}))  # a cookie of one's own is none of another's
    assert error_of(theirs.post(f"{path}/acts", json=decides)) == "not-yours"
    assert done(mine.get(path)) == seen
    assert done(mine.post(f"{path}/acts", json=decides))["number"] > seen["number"]


def test_a_round_of_somebody_who_has_signed_in_is_theirs_wherever_they_are(room: Room) -> None:
    player = Seated(room, "supreme-99", None, who="max")
    path, elsewhere = f"/api/rounds/{player.round}", TestClient(room.app)
    for given in ({}, room.site.header("sue")):
        refused = elsewhere.post(f"{path}/acts", json={"id": "a", "act": "bet 1 bet 500"}, headers=given)
        assert (refused.status_code, error_of(refused)) == (403, "not-yours")
    sent = {"json": {"id": "a", "act": "bet 1 bet 500"}, "headers": room.site.header("max")}
    assert done(elsewhere.post(f"{path}/acts", **sent))["staked_cents"] == 500


def test_without_signing_in_only_so_many_rounds_are_unfinished(room: Room, monkeypatch: Any) -> None:
    there = room.app.state.play.store.unfinished("from testclient")
    monkeypatch.setattr(rounds, "MOST_UNFINISHED_OF_NOBODY", there + 2)
    for seed in ("1", "2", "3"):  # a table at which nobody has bet is none
        first = Seated(room, "supreme-99", seed, who="")
    for player in (first, Seated(room, "supreme-99", "2", who="")):
        player.act("bet 1 bet 500")
    refused = room.post("/api/rounds", "", id="3", game="supreme-99")
    assert (refused.status_code, error_of(refused)) == (429, "too-many-rounds")
    assert room.post("/api/rounds", "max", id="3", game="supreme-99").status_code == 200
    first.act("void enough")
    assert room.post("/api/rounds", "", id="3", game="supreme-99").status_code == 200


def test_without_signing_in_rounds_are_opened_only_so_often(room: Room) -> None:
    room.app.state.play.openings = Rate(20)
    codes = [room.post("/api/rounds", "", id="same", game="supreme-99").status_code for _ in range(30)]
    assert 429 in codes
    assert codes[:20] == [200] * 20
    assert OPENINGS <= 300
    assert room.post("/api/rounds", "max", id="same", game="supreme-99").status_code == 200


def test_rounds_that_nobody_touches_are_forgotten(store: RoundStore) -> None:
    now = [utc()]
    table = Rounds(store, clock=lambda: now[0])
    asked = {"cards": "shoe", "seed": None}
    nobodys = table.open(NOBODY, "o", offered("supreme-99"), asked)
    somebodys = table.open(SOMEBODY, "o", offered("supreme-99"), asked)
    now[0] += rounds.NOBODYS_KEPT * 1.1
    table.open(SOMEBODY, "p", offered("supreme-99"), asked)
    assert store.round(nobodys.id) is None
    assert store.round(somebodys.id) is not None


def test_rounds_of_those_who_have_not_signed_in_are_only_so_many(
    store: RoundStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over or not, the oldest go; one that was left makes room for whoever comes."""
    monkeypatch.setattr(rounds, "MOST_OF_ALL_NOBODIES", 3)
    monkeypatch.setattr(rounds, "MOST_UNFINISHED_OF_ALL_NOBODIES", 9)
    now = [utc()]
    table = Rounds(store, clock=lambda: now[0])
    asked = {"cards": "shoe", "seed": None}

    def opened(place: int) -> str:
        now[0] += timedelta(seconds=20)
        by = Opener(f"from {place}")
        return table.act(table.open(by, "o", offered("supreme-99"), asked).id, "b", "bet 1 bet 500", by=by).id

    somebodys = table.open(SOMEBODY, "o", offered("supreme-99"), asked).id
    all_of_them = [opened(place) for place in range(9)]
    kept = [id_ for id_ in all_of_them if store.round(id_) is not None]
    assert kept == all_of_them[-len(kept) :]
    assert 3 <= len(kept) <= 6
    monkeypatch.setattr(rounds, "MOST_OF_ALL_NOBODIES", 100)
    monkeypatch.setattr(rounds, "MOST_UNFINISHED_OF_ALL_NOBODIES", len(kept))
    with pytest.raises(ApiError, match="Too many rounds"):
        opened(20)
    now[0] += rounds.LEFT_AFTER
    assert store.round(opened(21)) is not None
    assert store.round(somebodys) is not None


def test_a_round_has_an_end(store: RoundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at a round costs as much as it has acts: nobody makes it longer for ever."""
    assert rounds.MOST_ACTS <= 400
    monkeypatch.setattr(rounds, "MOST_ACTS", 10)
    table = Rounds(store)
    opened = table.open(NOBODY, "o", offered("blackjack"), {"cards": "shoe", "seed": None})
    for number in range(10):
        table.act(opened.id, f"a{number}", "take-back 1 bet" if number % 2 else "bet 1 bet 500", by=NOBODY)
    with pytest.raises(Refusal, match="at most 10 acts"):
        table.act(opened.id, "one more", "bet 1 bet 500", by=NOBODY)


@pytest.mark.parametrize(
    ("asked", "status", "sentence"),
    [
        ({"game": "poker"}, 404, "no game 'poker'"),
        ({"game": "supreme-99", "seats": 9}, 422, "9 seats cannot be open"),
        ({"game": "supreme-99", "rules": "6D"}, 422, "it has one set of"),
        ({"game": "supreme-99", "options": ["x"]}, 404, "house option"),
        ({"game": "supreme-99", "limits": {"minimum_cents": 900, "maximum_cents": 500}}, 422, "allow no wager"),
        (
            {"game": "supreme-99", "limits": {"minimum_cents": 500, "maximum_cents": 600}, "chip_cents": 700},
            422,
            "chips",
        ),
        ({"game": "blackjack", "rules": "9D"}, 422, "9"),
        ({"game": "blackjack", "side_wagers": ["trilux", "blazing-7s-dealer"]}, 422, "one progressive"),
        ({"game": "triple-shot-rummy", "paytables": {"pair-plus": "/etc/passwd"}}, 404, "no paytable of Pair Plus"),
        ({"game": "triple-shot-rummy", "paytables": {"pair-plus": "Pair 1 to 0; Flush x"}}, 422, "own"),
        ({"game": "blackjack", "cards": "entered", "seed": "s"}, 422, "seed is for a shoe"),
        ({"game": "blackjack", "seed": "\ud800"}, 422, "seed"),
    ],
)
def test_an_impossible_table_is_refused_in_a_sentence(
    room: Room, asked: dict[str, Any], status: int, sentence: str
) -> None:
    found = room.client.post("/api/rounds", content=json.dumps({"id": "o", **asked}), headers=JSON)
    assert found.status_code == status, found.text
    assert sentence in found.json()["error"]["sentence"]


def test_a_paytable_of_ones_own_is_played(room: Room) -> None:
    rows = "Straight Flush 40 to 1; Three-of-a-Kind 25 to 1; Straight 6 to 1; Flush 3 to 1; Pair 2 to 1"
    player = Seated(room, "triple-shot-rummy", "own", paytables={"pair-plus": rows}, seats=3)
    assert {each["seat"] for each in player.legal("bet")} == {1, 2, 3}


def test_a_round_that_is_not_over_has_no_replay(room: Room) -> None:
    player = Seated(room, "supreme-99", "early")
    assert error_of(room.get(f"/api/rounds/{player.round}/replay", "")) == "not-over"
    for path in ("rnd_x", "rnd_" + "a" * 27, "%00", "..%2f"):
        assert room.get(f"/api/rounds/{path}", "").status_code == 404


def test_several_acts_at_once_are_all_done_or_none(room: Room) -> None:
    player = Seated(room, "three-card-baccarat", "several")
    player.act(["bet 1 bet 500", {"act": "bet", "seat": 1, "spot": "tie", "cents": 500}])
    path = f"/api/rounds/{player.round}/acts"
    refused = room.post(path, "max", id="half", act=["take-back 1 bet", "bet 1 bet 99999999"])
    assert error_of(refused) == "above-maximum"
    [seat] = done(room.get(f"/api/rounds/{player.round}", ""))["seats"]
    assert seat["wagers_cents"] == {"bet": 500, "tie": 500}
    dealt = ["no-more-bets", "go-on"]
    first, again = (done(room.post(path, "max", id="deal", act=dealt)) for _ in range(2))
    assert first["over"]
    assert again == first
    worth = done(room.get(f"/api/rounds/{player.round}/expected", ""))
    assert [each["wager"] for each in worth["wagers"]] == ["bet", "tie"]
    assert worth["result_cents"] == first["returned_cents"] - first["staked_cents"]


def test_a_decision_and_what_the_dealer_does_after_it_are_one_request(room: Room) -> None:
    player = Seated(room, "triple-shot-rummy", "together")
    player.act(["bet 1 ante 500", "bet 2 ante 500"])
    asked = player.act(["no-more-bets", "go-on"])
    assert asked["waits_for"] == [1, 2]
    assert player.act(["decide 1 play", "go-on"])["waits_for"] == [2]  # the dealer has nothing to do yet
    assert player.act(["decide 2 fold", "go-on"])["over"]
    refused = room.post(f"/api/rounds/{player.round}/acts", "max", id="late", act=["go-on", "go-on"])
    assert error_of(refused) == "out-of-turn"
