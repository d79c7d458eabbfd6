"""The demo's dealers and their office: they work over HTTP, at keypads and a console, as people in a real house do.

Seats lay wagers by chance, hands come by the exact odds of the paytable. So that there is something to see while the
meter waits for a real hit, now and then a hand is pressed by accident and taken back, and now and then somebody claims
a prize that the supervisor, called to the table, voids.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from random import Random
from secrets import token_hex
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from croupier.progressive.rehearsal_hands import Hands, Round
from croupier.web.demo import DEALERS, DEMO_SETUP, KEYPADS, LINK, DemoSecrets
from croupier.web.logs import log
from croupier.web.settings import Settings

CLAIM_IN = 15
"""One round in so many has a claim that is voided, beside those by the exact odds."""
OFFICE_EVERY_S = 5.0
DEPOSIT_EVERY_S = 3_600.0
CUSHION_CENTS = 5_000_000
"""What the account has more than it must, at least: room for the seeds of some awards."""
RETRY_S = 0.5
ANSWER_S = 20.0
PAUSES = 6
"""Into how many parts a round's time is divided."""


class Refused(Exception):
    """The server said no; what it said is in the log."""


class Line:
    """One person's line to the server: signs in when it must, and sends again what was not done."""

    def __init__(self, connect: Callable[[], HTTPConnection], stop: Event, sign_in: Callable[[Line], str]) -> None:
        self._http, self._stop, self._sign_in, self._token = connect(), stop, sign_in, ""

    def act(self, path: str, **values: Any) -> dict[str, Any]:
        """With an id of its own: whatever happens on the way, it is done once."""
        return self.send("POST", path, {"id": f"d-{token_hex(8)}", **values})

    def get(self, path: str) -> dict[str, Any]:
        return self.send("GET", path)

    def send(
        self, method: str, path: str, values: dict[str, Any] | None = None, token: str | None = None
    ) -> dict[str, Any]:
        while True:
            if token is None and not self._token:
                self._token = self._sign_in(self)
            status, answer = self._once(method, path, values, self._token if token is None else token)
            if status == 200:
                return answer
            if status == 401 and token is None:
                self._token = ""
            elif status not in (0, 401, 429, 503):
                log.debug("demo refused", code=answer.get("error", {}).get("code"))
                raise Refused
            if self._stop.wait(RETRY_S):
                raise Refused

    def _once(self, method: str, path: str, values: dict[str, Any] | None, token: str) -> tuple[int, dict[str, Any]]:
        """The status and the answer; 0 where none came."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            self._http.request(method, path, None if values is None else json.dumps(values), headers)
            answer = self._http.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, HTTPException, ValueError):
            self._http.close()
            return 0, {}


class Dealers:
    """Three tables, each in a thread of its own, and an office that keeps the bank covered and the link open."""

    def __init__(self, settings: Settings, secrets: DemoSecrets, *, rounds_a_minute: float, seed: int | None = None):
        self._secrets, self._stop = secrets, Event()
        self._pause_s = 60 * len(DEALERS) / rounds_a_minute / PAUSES if rounds_a_minute else 0.0
        self._connect = partial(_connect, settings)
        rng = Random(seed)
        self._hands = {table: Hands(DEMO_SETUP, Random(rng.random())) for table in DEALERS}
        self._chance = {table: Random(rng.random()) for table in DEALERS}
        self._threads = [Thread(target=self._work, args=(self._deal, table), daemon=True) for table in DEALERS]
        self._threads.append(Thread(target=self._work, args=(self._office,), daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Every round that is on is played to its end, without pauses."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=5)

    def _work(self, do: Callable[..., None], *values: Any) -> None:
        """Whatever goes wrong, people come back to their tables."""
        while not self._stop.is_set():
            try:
                do(*values)
            except Refused:
                self._stop.wait(RETRY_S)
            except Exception as error:
                if not self._stop.wait(RETRY_S):
                    log.warning("demo dealer", exc_info=error)

    # At a table

    def _deal(self, table: int) -> None:
        keypad = Line(self._connect, self._stop, lambda line: self._at_keypad(line, table))
        self._finish(keypad, table)
        while not self._stop.is_set():
            self._round(keypad, self._next(table))

    def _at_keypad(self, line: Line, table: int) -> str:
        person = DEALERS[table]
        who = {"card": self._secrets.cards[person]} if person in self._secrets.cards else {"person": person}
        token: str = line.send("POST", "/api/keypad/sign-in", who, self._secrets.devices[KEYPADS[table]])["token"]
        return token

    def _finish(self, keypad: Line, table: int) -> None:
        """A game that a crash has left on: what was claimed cannot be seen any more."""
        found = keypad.get(f"/api/tables/{table}")
        for award in found["awards"]:
            self._decide(keypad, award, right=False, why="The hand was not there any more after a power cut.")
        if found["game"]["on"]:
            keypad.act(f"/api/links/{LINK}/end", table=table)

    def _next(self, table: int) -> Round:
        """By the exact odds; and now and then a claim that is none."""
        chance, drawn = self._chance[table], replace(self._hands[table].turn(1)[0], table=table)
        free = sorted(set(drawn.seats) - {seat for seat, _ in drawn.won})
        if drawn.claim is None and free and not chance.randrange(CLAIM_IN):
            shares = [line.label for line in DEMO_SETUP.lines.values() if line.is_share]
            drawn = replace(drawn, claim=(chance.choice(free), chance.choice(shares)))
        return drawn

    def _round(self, keypad: Line, each: Round) -> None:
        table = each.table
        if not each.seats:
            return
        keypad.act(f"/api/links/{LINK}/start", table=table, lit=each.seats, based=each.seats)
        self._wait(2)
        if each.slip:
            self._enter(keypad, table, *each.slip)
            keypad.act(f"/api/links/{LINK}/take-back", table=table, seat=each.slip[0])
        held = [self._enter(keypad, table, seat, line) for seat, line in each.entered]
        awards = sorted((award for found in held for award in found), key=lambda award: -int(award["seat"]))
        if awards:
            self._wait(1)
            keypad.act(f"/api/links/{LINK}/call", table=table)
            for award in awards:
                self._wait(1)
                right = each.claim is None or award["seat"] != each.claim[0]
                self._decide(keypad, award, right=right, why="The recording shows another hand.")
        self._wait(1)
        keypad.act(f"/api/links/{LINK}/end", table=table)
        self._wait(2 if awards else 3)

    def _enter(self, keypad: Line, table: int, seat: int, line: str) -> list[dict[str, Any]]:
        """The award that it is, where it is one; a fixed pay is paid from the tray."""
        found = keypad.act(f"/api/links/{LINK}/enter", table=table, seat=seat, line=line)
        number = found["entry"]["number"]
        return [award for award in found["link"]["awards"] if award["award"] == number]

    def _decide(self, keypad: Line, award: dict[str, Any], *, right: bool, why: str) -> None:
        """A card is read at the keypad: the supervisor's, or above the threshold an Executive's."""
        number, cards = award["award"], self._secrets.cards
        if not right:
            keypad.act(f"/api/links/{LINK}/void", award=number, reason=why, card=cards["sue"])
            return
        above = award["cents"] > DEMO_SETUP.executive_threshold_cents
        keypad.act(f"/api/links/{LINK}/confirm", award=number, card=cards["eve" if above else "sue"])

    def _wait(self, parts: int) -> None:
        if self._pause_s:
            self._stop.wait(parts * self._pause_s)

    # In the office

    def _office(self) -> None:
        console = Line(self._connect, self._stop, self._at_console)
        deposited = -DEPOSIT_EVERY_S
        while not self._stop.is_set():
            bank = console.get("/api/bank")
            on_its_way = bank["owed_cents"] - bank["must_be_there_cents"]
            if on_its_way > 0 and time.monotonic() - deposited > DEPOSIT_EVERY_S:
                slip = f"demo slip {token_hex(4)}"
                console.act("/api/site/deposit", amount_cents=on_its_way, reference=slip)
                deposited = time.monotonic()
            if bank["links_must_stop"] or bank["is_there_cents"] < bank["must_be_there_cents"] + CUSHION_CENTS:
                console.act("/api/site/declare-bank", balance_cents=bank["owed_cents"] + 10 * CUSHION_CENTS)
            if console.get(f"/api/links/{LINK}")["status"] == "closed":
                console.act(f"/api/links/{LINK}/open")
            self._stop.wait(OFFICE_EVERY_S)

    def _at_console(self, line: Line) -> str:
        who = {"card": self._secrets.cards["max"], "pin": self._secrets.pins["max"]}
        token: str = line.send("POST", "/api/sign-in", who, "")["token"]
        return token


def _connect(settings: Settings) -> HTTPConnection:
    """To this very machine; with the server's own certificate, whatever name is in it."""
    where = urlsplit(settings.own_url)
    assert where.hostname
    if settings.tls_cert is None:
        return HTTPConnection(where.hostname, where.port, timeout=ANSWER_S)
    trust = ssl.create_default_context(cafile=str(settings.tls_cert))
    trust.check_hostname = False
    return HTTPSConnection(where.hostname, where.port, timeout=ANSWER_S, context=trust)
