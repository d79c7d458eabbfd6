"""The games' figures over HTTP are those of the command line: the same functions, asked from afar."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.meter.figures import figures_of
from croupier.analysis.meter.settings import plan_from
from croupier.analysis.par.printed import verify_figures
from croupier.cards.shoe import Shoe
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES
from croupier.web.errors import ApiError
from croupier.web.games.analyst import Analyst
from tests.cli.support import refused, run
from tests.web.support import DISPLAYS, MadeSite, Room, done, error_of, running

OPEN = ("/api/odds/three-card-baccarat", "/api/verify?game=three-card-baccarat", "/api/verify")
PAPERS = ("/api/par/three-card-baccarat.json", "/api/par/three-card-baccarat.pdf")


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One for all of these: they only read, and counting is kept."""
    with running(made_site.copy(tmp_path_factory.mktemp("games"))) as made:
        yield made


def printed(*words: str) -> Any:
    """What the command prints for programs."""
    return json.loads(run(*words, "--json"))


def test_every_game_is_listed_with_what_the_command_lists_and_more(room: Room) -> None:
    found = {game["game"]: game for game in done(room.get("/api/games", ""))["games"]}
    assert list(found) == list(ALL_GAMES)
    for game in printed("games"):
        assert game.items() <= found[game["game"]].items()
    assert found["blackjack"]["rules"]["usual"] == "6D S17 DAS SP4 3:2"
    assert found["supreme-99"]["limits"] == {"minimum_cents": 500, "maximum_cents": 10_000}
    assert done(room.get("/api/games/Supreme 99", "")) == found["supreme-99"]
    assert error_of(room.get("/api/games/poker", "")) == "unknown-name"


@pytest.mark.parametrize("path", OPEN + PAPERS)
def test_figures_are_for_everybody_and_par_sheets_for_whoever_is_known(room: Room, path: str) -> None:
    assert room.get(path, "").status_code == (200 if path in OPEN else 401)
    assert room.get(path, DISPLAYS[0]).status_code == 200


def test_odds_are_those_of_the_command(room: Room) -> None:
    assert done(room.get("/api/odds/three-card-baccarat?wager=tie&paytable=1")) == printed(
        "odds", "three-card-baccarat", "tie", "--paytable", "1"
    )
    assert room.get("/api/odds/three-card-baccarat").json() == printed("odds", "three-card-baccarat")
    assert room.get("/api/odds/three-card-baccarat?option=faces-count-ten").json() == printed(
        "odds", "three-card-baccarat", "--option", "faces-count-ten"
    )
    assert room.get(
        "/api/odds/blackjack", params={"wager": "trilux", "meter": "3000", "with_bet": True}
    ).json() == printed("odds", "blackjack", "trilux", "--meter", "3000", "--with-bet")


def test_odds_of_a_paytable_of_ones_own(room: Room, tmp_path: Any) -> None:
    rows = ["Straight Flush 40 to 1", "Three-of-a-Kind 30 to 1", "Straight 6 to 1", "Flush 4 to 1", "Pair 1 to 1"]
    (tmp_path / "own.txt").write_text("\n".join(rows))
    asked = {"wager": "pair-plus", "paytable": "; ".join(rows)}
    ours = printed("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(tmp_path / "own.txt"))
    theirs = done(room.get("/api/odds/triple-shot-rummy", params=asked))
    assert theirs["house_edge"] == ours["house_edge"]
    assert theirs["lines"] == ours["lines"]


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/api/odds/poker", 404, "no game 'poker'"),
        ("/api/odds/supreme-99?wager=ante", 404, "no wager"),
        ("/api/odds/supreme-99?wager=bet&paytable=/etc/passwd", 404, "no paytable of Bet"),
        ("/api/odds/supreme-99?paytable=1", 422, "paytable 1 needs the wager"),
        ("/api/odds/supreme-99?decks=6", 422, "it has one set of"),
        ("/api/odds/supreme-99?option=wild", 404, "house option"),
        ("/api/odds/blackjack?option=wild", 404, "house option"),
        ("/api/odds/blackjack?decks=9", 422, "decks"),
        ("/api/odds/blackjack?with_bet=true", 422, "players, with_bet and find_hold are about one side wager"),
        ("/api/odds/blackjack?rules=99X", 422, "99X"),
        ("/api/odds/supreme-99?strategy=brave", 404, "brave"),
        ("/api/par/blackjack.json?strategy=basic", 404, "PAR sheet"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(room: Room, path: str, status: int, sentence: str) -> None:
    found = room.get(path)
    assert found.status_code == status, found.text
    assert sentence in found.json()["error"]["sentence"]
    assert "--" not in found.json()["error"]["sentence"]


def test_an_option_of_the_command_is_a_parameter_here(room: Room) -> None:
    """One error, worded by each edge."""
    sentence = "{}, {} and {} are about one side wager: name it."
    answer = room.get("/api/odds/blackjack?find_hold=24%25").json()["error"]
    assert answer["sentence"] == sentence.format("players", "with_bet", "find_hold")
    command = refused("odds", "blackjack", "--find-hold", "24%")
    assert command == sentence.format("--players", "--with-bet", "--find-hold")


def test_the_par_sheet_is_that_of_the_command(room: Room) -> None:
    ours, theirs = printed("par", "three-card-baccarat"), done(room.get("/api/par/three-card-baccarat.json"))
    assert theirs["digest"] == ours["digest"]
    assert theirs == ours
    found = room.get("/api/par/three-card-baccarat.pdf")
    assert found.headers["content-type"] == "application/pdf"
    text = "".join(page.extract_text().replace("\u200b", "") for page in PdfReader(BytesIO(found.content)).pages)
    assert "Three Card Baccarat" in text
    assert theirs["digest"][:16] in text.replace("\n", "").replace(" ", "")


def test_verify_compares_every_printed_figure_and_is_counted_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    first = done(room.get("/api/verify"))
    assert first["explained"]
    counted = json.loads(json.dumps([finding.as_json() for finding in verify_figures()]))
    assert sorted(first["figures"], key=json.dumps) == sorted(counted, key=json.dumps)

    def counted_again(*_: object) -> None:
        raise AssertionError("it is counted again")

    monkeypatch.setattr(ProcessPoolExecutor, "submit", counted_again)
    assert done(room.get("/api/verify", DISPLAYS[0])) == first
    monkeypatch.undo()
    of_one = done(room.get("/api/verify?game=supreme-99"))
    assert of_one["figures"] == [each for each in first["figures"] if each["game"] == "supreme-99"]
    assert error_of(room.get("/api/verify?game=poker")) == "unknown-name"


# Hints


def opened(room: Room, game: str, seed: str, *acts: str, **more: Any) -> str:
    found = done(room.act("/api/rounds", game=game, seed=seed, **more))
    for act in acts:
        done(room.act(f"/api/rounds/{found['round']}/acts", act=act))
    return str(found["round"])


def test_a_hint_is_the_exact_value_of_each_choice(room: Room) -> None:
    round_ = opened(room, "supreme-99", "hint", "bet 2 bet 500", "no-more-bets", "go-on")
    hand = done(room.get(f"/api/rounds/{round_}"))["seats"][0]["hands"][0]["cards"]
    ours = printed("strategy", "supreme-99", "--hand", " ".join(hand))["choices"]
    [seat] = done(room.get(f"/api/rounds/{round_}/hint", ""))["seats"]
    assert [(each["act"], each["value_exact"]) for each in seat["decisions"]] == [
        (f"decide 2 {each['choice']}", each["value"]) for each in ours
    ]
    assert Fraction(seat["decisions"][0]["value_exact"]) == max(Fraction(each["value"]) for each in ours)


def test_a_hint_at_blackjack_counts_every_card_that_is_seen_and_no_other(room: Room) -> None:
    rules = Rules.parse("6D S17 DAS SP4 3:2")
    for seed in map(str, range(20)):
        round_ = opened(room, "blackjack", seed, "bet 1 bet 500", "bet 2 bet 500", "no-more-bets")
        seen = done(room.get(f"/api/rounds/{round_}"))
        if seen["phase"] != "playing" or seen["waits_for"] != [1]:
            continue
        own, other = (" ".join(value_of(card) for card in seat["hands"][0]["cards"]) for seat in seen["seats"])
        up = value_of(seen["dealer"]["cards"][0])
        values = solve(rules, Composition.full(6).without(other)).hand_values(own, up)
        [seat] = done(room.get(f"/api/rounds/{round_}/hint", ""))["seats"]
        assert {each["act"]: each["value"] for each in seat["decisions"]} == pytest.approx(
            {f"{action} 1": worth for action, worth in values.items()}
        )
        assert seat["decisions"][0]["cost"] == 0
        return
    raise AssertionError("no round in which seat 1 decides")


def value_of(card: str) -> str:
    return "T" if card[0] in "TJQK" else card[0]


def test_a_hint_does_not_depend_on_the_hole_card(room: Room) -> None:
    """Two shoes that differ in nothing but what lies face down are the same to whoever asks."""
    from croupier.analysis.analyst import hints_for
    from croupier.games.table.history import parse_act
    from tests.games.blackjack.support import offer_blackjack

    found = []
    for hole in ("5d", "9c"):
        order = parse("2c 8h Kd Td 8s", hole)
        round_ = offer_blackjack("6D").open(Shoe.stacked(order, decks=6, chance="x"))
        for act in ("bet 1 bet 500", "bet 2 bet 500", "no-more-bets"):
            round_ = round_.do(parse_act(act, round_.known_acts))
        found.append(hints_for(round_))
    assert found[0] == found[1]
    assert found[0]["seats"][0]["decisions"]


def parse(first: str, hole: str) -> Any:
    from croupier.cards.card import parse_cards

    return parse_cards(f"{first} 9h {hole}", decks=6)


def test_where_nothing_is_decided_the_hint_says_so(room: Room) -> None:
    round_ = opened(room, "three-card-baccarat", "none", "bet 1 bet 500")
    assert done(room.get(f"/api/rounds/{round_}/hint", ""))["sentence"] == "Nobody has anything to decide now."


# Plans


def test_a_plans_exact_part_is_answered_at_once(room: Room) -> None:
    asked: dict[str, Any] = {
        "wager": "blazing-7s-dealer",
        "paytable": "1",
        "reserve_percent": 1.5,
        "seeds_dollars": {"Progressive": 9000},
    }
    found = done(room.act("/api/plan", **asked, simulate=False))
    plan = plan_from({**asked, "reserve_percent": "1.5"})
    assert found["job"] is None
    assert found["figures"] == json.loads(json.dumps([each.as_json() for each in figures_of(plan, None)]))
    assert {each["basis"] for each in found["figures"]} == {"exact"}
    assert found["plan"]["reserve_percent"] == 1.5


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"wager": "roulette"}, "no progressive wager"),
        ({"wager": "blazing-7s-dealer", "tables": 5000}, "number of tables cannot be 5000"),
        ({"wager": "blazing-7s-dealer", "histories": 1}, "number of histories cannot be 1"),
        ({"wager": "trilux", "paytable": "../x"}, "no paytable of TriLux"),
        ({"wager": "blazing-7s-dealer", "wager_dollars": 1e300}, "wager amount"),
        ({"wager": "blazing-7s-dealer", "seed": -1}, "seed of a simulation"),
    ],
)
def test_an_impossible_plan_is_refused_in_a_sentence(room: Room, asked: dict[str, Any], sentence: str) -> None:
    found = room.act("/api/plan", **asked)
    assert found.status_code in (404, 422), found.text
    assert sentence in found.json()["error"]["sentence"]


def test_planning_is_for_people(room: Room) -> None:
    assert room.act("/api/plan", "", wager="trilux").status_code == 401
    assert room.act("/api/plan", DISPLAYS[0], wager="trilux").status_code == 403


# The process that counts


def test_a_process_that_is_killed_while_it_counts_is_replaced() -> None:
    async def killed() -> Any:
        analyst = Analyst()
        try:
            asked = [asyncio.create_task(analyst.ask(*each)) for each in ((time.sleep, 0.5), (max, 3, 4))]
            while not analyst._pool or not analyst._pool._processes:
                await asyncio.sleep(0.01)
            for process in list(analyst._pool._processes):
                os.kill(process, signal.SIGKILL)
            return await asyncio.gather(*asked)
        finally:
            analyst.close()

    assert asyncio.run(killed()) == [None, 4]


def test_a_question_is_not_worked_on_for_ever() -> None:
    """The alarm ends the counting, and the next question is answered by the same process."""

    async def asked() -> tuple[str, Any]:
        analyst = Analyst(limit_s=1.0)
        try:
            slow = await asyncio.gather(analyst.ask(time.sleep, 30), return_exceptions=True)
            return slow[0].code, await analyst.ask(max, 3, 4)  # type: ignore[union-attr]
        finally:
            analyst.close()

    assert asyncio.run(asked()) == ("too-long", 4)


def test_a_process_that_does_not_hear_the_alarm_ends() -> None:
    """As where it is in the middle of a library that takes it for an error of its own."""
    deaf = """
import time
from croupier.web.games import analyst
analyst.GRACE_S = 0.2
def deaf():
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
analyst.answered(0.2, deaf)
"""
    ended = subprocess.run([sys.executable, "-c", deaf], timeout=60, check=False)
    assert ended.returncode == -signal.SIGALRM


def test_too_many_questions_at_once_are_refused_and_the_loop_goes_on() -> None:
    async def crowded() -> list[Any]:
        analyst = Analyst()
        try:
            asked = [asyncio.create_task(analyst.ask(time.sleep, 30 + each)) for each in range(20)]
            await asyncio.sleep(0.2)
            return [task.exception() for task in asked if task.done()]
        finally:
            analyst.close()
            for task in asked:
                task.cancel()

    refused = asyncio.run(crowded())
    assert len(refused) == 4
    assert all(isinstance(each, ApiError) and each.status == 503 for each in refused)
