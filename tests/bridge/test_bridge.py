"""A table with a bridge: an evening over real lines and a real server, and every way in which one of them may fail."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from croupier.client import Client
from croupier.compliance.stripe import number_of
from tests.bridge.board import bad_line
from tests.bridge.conftest import Bench, both_stores
from tests.web.support import LINK, wait_until


def test_a_game_with_an_award_from_the_sensors_to_the_card(bench: Bench) -> None:
    board = bench.board
    board.hear("^STATE READY")
    board.light(1, 2, 4)
    board.settle()
    board.hear("^LAMPS 1,2,4$")
    wait_until(lambda: _sensors(bench) == {"bridge": True, "up": True, "lit": [1, 2, 4]})
    board.press("START")
    board.hear("^DONE")
    board.light()
    board.settle()
    wait_until(lambda: _sensors(bench)["lit"] == [])
    assert board.lamps == "1,2,4", "the chips are removed, and the wagers are in the game"
    board.hear("^STATE GAME")
    time.sleep(max(0.0, _least_s(bench)))
    board.press("HAND 4 1")
    board.hear("^STATE CALL")
    board.press("CALL")
    board.settle()
    wait_until(lambda: "call" in bench.kinds())
    heard = len(board.told)
    bench.swipe("ann")
    board.hear("^CARD NO not-allowed", since=heard)
    bench.swipe("eve")
    board.hear("^CARD OK award", since=heard)
    board.press("END")
    board.hear("^LAMPS -$")
    board.hear("^STATE READY", since=heard)
    entries = bench.entries()
    assert [entry["kind"] for entry in entries] == ["start", "enter", "call", "confirm", "end"]
    assert entries[0]["facts"]["seats"] == [1, 2, 4]
    assert [entry["facts"]["by"][0] for entry in entries] == ["ann", "ann", "ann", "eve", "ann"]
    assert bench.server.site.cards["eve"].encode() not in (bench.folder / "journal").read_bytes()
    assert bench.server.site.cards["eve"] not in bench.log


def _sensors(bench: Bench) -> Any:
    """As the table's tablet asks for them."""
    with Client(bench.server.url, bench.token.read_text().strip()) as client:
        return client.get("/api/tables/1/sensors")


def _least_s(bench: Bench) -> float:
    with Client(bench.server.url, bench.token.read_text().strip()) as client:
        return float(client.link(LINK)["setup"].get("least_round_s") or 0)


def test_over_tcp_it_is_the_same(bench_on_tcp: Bench) -> None:
    board = bench_on_tcp.board
    board.light(3)
    board.press("START")
    board.hear("^DONE")
    board.unplug()
    board.press("END")
    time.sleep(0.3)
    board.plug()
    board.hear("^DONE .* 4$|^DONE .* 3$")
    wait_until(lambda: bench_on_tcp.kinds() == ["start", "end"])


def test_refusals_are_told_with_the_servers_sentence_and_change_nothing(bench: Bench) -> None:
    board = bench.board
    board.press("END")
    assert "no game" in board.hear("^NO .* no-game").lower() or board.told
    board.press("HAND 4 99")
    board.press("JUMP")
    board.press("LIT 77")
    board.hear("^NO .* wrong-line JUMP is not known")
    board.hear("^NO .* wrong-line '77' is no seat")
    board.hear("^NO .* unknown-hand|^NO .* no-game")
    bench.reader.write(f";{number_of(5)[:-1]}?\r".encode())
    board.hear("^CARD NO")
    board.noise(b"START*0000\n\xff\xfe noise without an end")
    board.press("START")
    board.hear("^NAK")
    board.hear("^DONE")
    assert bench.kinds() == ["start"]


@both_stores
def test_unplugged_in_mid_game_nothing_is_lost_or_done_twice(bench: Bench) -> None:
    board = bench.board
    board.light(1, 2)
    board.press("START")
    board.hear("^DONE")
    wait_until(lambda: all(part["up"] for part in bench.health()["parts"]))
    board.unplug()
    wait_until(lambda: not bench.health()["parts"][0]["up"])
    assert bench.health()["parts"][0]["name"] == "sensors"
    assert bench.health()["parts"][1]["up"], "the card reader is still there"
    board.press("END")
    board.light(5)
    board.press("START")
    time.sleep(0.3)
    assert bench.kinds() == ["start"]
    board.plug()
    board.settle()
    wait_until(lambda: bench.kinds() == ["start", "end", "start"])
    assert bench.entries("start")[1]["facts"]["seats"] == [5]
    wait_until(lambda: bench.health()["parts"][0]["up"])


@both_stores
def test_the_server_is_killed_and_what_was_pressed_meanwhile_is_done_once(bench: Bench) -> None:
    board = bench.board
    board.light(1, 2)
    board.press("START")
    board.hear("^DONE")
    bench.server.kill()
    board.press("END")
    board.hear("^STATE OFFLINE")
    board.press("START")
    board.settle()
    board.press("HAND 2 1")
    board.settle()
    bench.server.start_again()
    bench.server.wait_ready()
    wait_until(lambda: bench.kinds() == ["start", "end", "start", "enter"], 60)
    assert bench.health()["up"]


def test_a_bridge_that_is_killed_goes_on_with_its_journal_and_its_dealer(bench: Bench) -> None:
    board = bench.board
    board.light(1, 2)
    board.settle()
    bench.server.kill()
    board.press("START")
    board.press("END")
    board.settle()
    bench.kill()
    board.press("START")
    bench.server.start_again()
    bench.server.wait_ready()
    bench.start()
    board.settle()
    wait_until(lambda: bench.kinds() == ["start", "end", "start"], 60)
    assert {entry["facts"]["by"][0] for entry in bench.entries()} == {"ann"}


def test_acts_are_sent_in_the_name_of_whoever_pressed_or_of_a_supervisor(bench: Bench) -> None:
    board, cards = bench.board, bench.server.site.cards
    board.light(1)
    board.settle()
    bench.server.kill()
    board.press("START")
    board.settle()
    bench.kill()
    bench.server.start_again()
    bench.server.wait_ready()
    with Client(bench.server.url) as client:
        client.sign_in(cards["max"], "482913")
        dot = client.enrol_person(person="dot", name="Dot", role="dealer")
        new = client.replace_card(person="ann")  # which ends her session
    bench.cards |= {"dot": dot, "ann": new}
    bench.start()
    board.hear("^STATE SIGN-IN")
    heard = len(board.told)
    bench.swipe("dot")
    board.hear("^CARD NO acts-wait Acts of ann wait", since=heard)
    board.press("END")
    board.hear("^NO .* sign-in Nobody has signed in", since=heard)
    assert bench.kinds() == []
    bench.sign_in("sue")
    wait_until(lambda: bench.kinds() == ["start"])
    assert bench.entries()[0]["facts"]["by"] == ["sue", "supervisor"]
    bench.sign_in("dot")
    board.press("END")
    wait_until(lambda: bench.kinds() == ["start", "end"])
    assert bench.entries("end")[0]["facts"]["by"] == ["dot", "dealer"]


def test_a_board_that_loses_power_counts_anew(bench: Bench) -> None:
    board = bench.board
    board.light(1, 2)
    board.press("START")
    board.settle()
    board.lose_power()
    board.press("END")
    board.settle()
    wait_until(lambda: bench.kinds() == ["start", "end"])


def test_a_revoked_bridge_says_so_and_keeps_what_it_has(bench: Bench) -> None:
    with Client(bench.server.url) as client:
        client.sign_in(bench.server.site.cards["max"], "482913")
        client.revoke_device(device="bridge-1", reason="Stolen.")
    bench.board.press("START")
    bench.board.settle()
    bench.board.hear("^STATE (REFUSED|SIGN-IN)")
    assert bench.kinds() == []
    assert bench.stop() == 0
    assert "1 acts that wait" in bench.log


@pytest.mark.parametrize("seed", range(3))
def test_whatever_fails_every_press_is_done_once_and_in_its_order(bench: Bench, seed: int) -> None:
    """A bad line, killed bridges, killed servers, a plug that is pulled: the games are counted at the end."""
    board, chance = bench.board, random.Random(seed)
    board.changes = bad_line(seed)
    games = 12
    for game in range(games):
        board.light(*chance.sample(range(1, 6), chance.randrange(1, 5)))
        board.press("START")
        match chance.randrange(6):
            case 0:
                bench.kill()
                board.press("END")
                bench.start()
            case 1:
                bench.server.kill()
                board.press("END")
                time.sleep(chance.random() / 4)
                bench.server.start_again()
            case 2:
                board.unplug()
                board.press("END")
                time.sleep(chance.random() / 4)
                board.plug()
            case _:
                time.sleep(chance.random() / 4)
                board.press("END")
        if game % 4 == 3:
            board.settle(60)
    board.settle(60)
    bench.server.wait_ready()
    wait_until(lambda: len(bench.kinds()) >= 2 * games, 60)
    time.sleep(0.5)
    assert bench.kinds() == ["start", "end"] * games
