"""The demo's dealers and their office: they work over HTTP, at keypads and a console, as people in a real house do.

Seats lay wagers by chance, hands come by the exact odds of the paytable. So that there is something to see while the
meter waits for a real hit, now and then a hand is pressed by accident and taken back, and now and then somebody claims
a prize that the supervisor, called to the table, voids.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from secrets import token_hex
from threading import Event, Thread
from typing import Any

import httpx

from croupier.client.client import Client
from croupier.client.transport import ApiRefusal, ClientError, NoAnswer, Patience
from croupier.demo.cardroom import CardroomRound, Hands
from croupier.demo.door import DemoDoor
from croupier.demo.room import DEALERS, DEMO_SETUP, KEYPADS, LINK, OFFICE, DemoSecrets
from croupier.demo.visitors import FAILED, FED, Visit, Visitors
from croupier.floor.link.awards import can_be
from croupier.games.claims import Claimed
from croupier.web.games.edges import begin_edges
from croupier.web.logs import log
from croupier.web.settings import Settings

CLAIM_IN = 15
"""One round in so many has a claim that is voided, beside those by the exact odds."""
OFFICE_EVERY_S = 5.0
DEPOSIT_EVERY_S = 3_600.0
CUSHION_CENTS = 5_000_000
"""What the account has more than it must, at least: room for the seeds of some awards."""
UNPAID = 3
"""So many winners wait for whoever tries the cage; those who have waited longer are paid by the office."""
RETRY_S = 0.5
ANSWER_S = 20.0
STOP_S = 5.0
Ids = Callable[[str], str | None]
"""The id of an act, by its name; None where it is anybody's."""
PAUSES = 6
"""Into how many parts a round's time is divided."""


class Dealers:
    """Their tables, each in a thread of its own, and an office that keeps the bank covered and the link open."""

    def __init__(self, settings: Settings, secrets: DemoSecrets, *, rounds_a_minute: float, seed: int | None = None):
        self._secrets, self._stop = secrets, Event()
        self.visitors = Visitors(settings.db, DemoDoor(secrets))
        begin_edges(self.visitors)
        self._pause_s = 60 * len(DEALERS) / rounds_a_minute / PAUSES if rounds_a_minute else 0.0
        self._http = httpx.Client(verify=_trust(settings), timeout=ANSWER_S, trust_env=False)
        self._url = settings.own_url
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
            thread.join(timeout=STOP_S)
        self._http.close()
        self.visitors.close()

    def _work(self, do: Callable[..., None], *values: Any) -> None:
        """Whatever goes wrong, people come back to their tables."""
        while not self._stop.is_set():
            try:
                do(*values)
            except ClientError as error:
                log.debug("demo refused", code=getattr(error, "code", "no-answer"))
                self._stop.wait(RETRY_S)
            except Exception as error:
                if not self._stop.wait(RETRY_S):
                    log.warning("demo dealer", exc_info=error)

    def _client(self, token: str | None = None) -> Client:
        return Client(self._url, token, http=self._http, patience=Patience(seconds=STOP_S))

    # At a table

    def _deal(self, table: int) -> None:
        person, keypad = DEALERS[table], self._client(self._secrets.devices[KEYPADS[table]])
        card = self._secrets.cards.get(person)
        keypad.keypad_sign_in(card=card, person=None if card else person)
        left = self.visitors.left_at(table)
        if left is not None:
            self._deal_for(keypad, table, left)
        self._finish(keypad, table)
        while not self._stop.is_set():
            visit = self.visitors.take(table)
            if visit is None:
                self._round(keypad, self._next(table))
            else:
                self._deal_for(keypad, table, visit)

    def _deal_for(self, keypad: Client, table: int, visit: Visit) -> None:
        """Somebody plays in a browser, and that round's progressive wagers are made here.

        Every act has an id that is made from the round's, so it is done once, however often this begins anew: where
        there was no answer, or the server was stopped, the visit stays at this table.
        """
        deal, state, won = CardroomRound(table, visit.seats, visit.won), FAILED, []
        ids = f"{visit.round}-{{}}".format
        try:
            keypad.start(LINK, table=table, lit=deal.seats, id=ids("start"))
            state = FED
            won = self._played(keypad, deal, ids, pauses=False)
        except Exception as error:
            if not self._stop.is_set() and not _is_unanswered(error):
                self.visitors.note(visit, state, table)
            raise
        self.visitors.note(visit, state, table, tuple(won))

    def _finish(self, keypad: Client, table: int) -> None:
        """A game that a crash has left on: what was claimed cannot be seen any more."""
        shown = keypad.table(table)
        for award in shown["awards"]:
            self._void(keypad, award["award"], "The hand was gone after a power cut.")
        if shown["game"]["on"]:
            keypad.end(LINK, table=table)

    def _next(self, table: int) -> CardroomRound:
        """By the exact odds; and now and then a claim that is none."""
        chance, drawn = self._chance[table], self._hands[table].round(table)
        free = sorted(set(drawn.seats) - {seat for seat, _ in drawn.won})
        if drawn.claim is None and free and not chance.randrange(CLAIM_IN):
            shares = [line.label for line in DEMO_SETUP.lines.values() if line.is_share]
            won = [Claimed(line) for _, line in drawn.won]
            shares = [line for line in shares if can_be(DEMO_SETUP, [*won, Claimed(line)])]
            drawn = replace(drawn, claim=(chance.choice(free), chance.choice(shares))) if shares else drawn
        return drawn

    def _round(self, keypad: Client, deal: CardroomRound) -> None:
        """From START GAME to END GAME."""
        if deal.seats:
            keypad.start(LINK, table=deal.table, lit=deal.seats)
            self._wait(2)
            self._played(keypad, deal, lambda _: None)

    def _played(self, keypad: Client, deal: CardroomRound, ids: Ids, *, pauses: bool = True) -> list[dict[str, Any]]:
        """To END GAME; the awards that were confirmed or voided, as they were held when the hands were entered.

        Read off the entries of the book, which an act that is sent again is answered with too.
        """
        table = deal.table
        if deal.slip:
            keypad.enter(LINK, table=table, seat=deal.slip[0], line=deal.slip[1])
            keypad.take_back(LINK, table=table, seat=deal.slip[0])
        entered = [
            keypad.enter(LINK, table=table, seat=seat, line=line, id=ids(f"enter-{seat}")).entry
            for seat, line in deal.entered
        ]
        held = [award for entry in entered for award in entry.facts.get("held", ()) if award["award"] == entry.number]
        awards = [{name: award[name] for name in ("award", "seat", "line", "cents")} for award in held]
        if awards:
            self._wait(1 if pauses else 0)
            keypad.call(LINK, table=table, id=ids("call"))
            for award in sorted(awards, key=lambda award: -award["seat"]):
                self._wait(1 if pauses else 0)
                self._decide(keypad, award, deal, ids)
        self._wait(1 if pauses else 0)
        keypad.end(LINK, table=table, id=ids("end"))
        self._wait((2 if awards else 3) if pauses else 0)
        return awards

    def _decide(self, keypad: Client, award: dict[str, Any], deal: CardroomRound, ids: Ids) -> None:
        """A card is read at the keypad: the supervisor's, or above the threshold an Executive's."""
        number, seat = award["award"], award["seat"]
        if deal.claim is not None and seat == deal.claim[0]:
            self._void(keypad, number, "The recording shows another hand.")
        else:
            above = award["cents"] > DEMO_SETUP.executive_threshold_cents
            card = self._secrets.cards["eve" if above else "sue"]
            keypad.confirm(LINK, award=number, card=card, id=ids(f"confirm-{seat}"))

    def _void(self, keypad: Client, award: int, why: str) -> None:
        keypad.void(LINK, award=award, reason=why, card=self._secrets.cards["sue"])

    def _wait(self, parts: int) -> None:
        if self._pause_s:
            self._stop.wait(parts * self._pause_s)

    # In the office

    def _office(self) -> None:
        """Keep the bank covered; open the link at the start, and after a shortage that the awards have brought.

        What a person at the console has declared or closed stays so.
        """
        console = self._client()
        console.sign_in(self._secrets.cards[OFFICE], self._secrets.pins[OFFICE])
        deposited, to_open = -DEPOSIT_EVERY_S, True
        while not self._stop.is_set():
            bank = console.bank()
            on_its_way = bank["owed_cents"] - bank["must_be_there_cents"]
            if on_its_way > 0 and time.monotonic() - deposited > DEPOSIT_EVERY_S:
                console.deposit(amount_cents=on_its_way, reference=f"demo slip {token_hex(4)}")
                deposited = time.monotonic()
            short = bank["is_there_cents"] < bank["must_be_there_cents"] + CUSHION_CENTS
            if (short or bank["links_must_stop"]) and _declared_by(console) == OFFICE:
                console.declare_bank(balance_cents=bank["owed_cents"] + 10 * CUSHION_CENTS)
                to_open |= bank["links_must_stop"]
            elif to_open and not bank["links_must_stop"]:
                if console.link(LINK)["status"] == "closed":
                    console.open_link(LINK)
                to_open = False
            pay_longest(console)
            self._stop.wait(OFFICE_EVERY_S)


def pay_longest(console: Client) -> None:
    """Winners against their slips, but for the last few; one whom somebody else pays meanwhile is paid."""
    try:
        for won in console.get("/api/payments")["payments"][:-UNPAID]:
            slip = won["slip"] or console.issue_slip(won["link"], award=won["award"]).entry.facts["slip"]
            console.pay_slip(won["link"], slip=slip, paid_in="check", identity="driver license")
    except ApiRefusal as refusal:
        log.debug("demo refused", code=refusal.code)


def _is_unanswered(error: Exception) -> bool:
    """Whether it is to be sent again."""
    return isinstance(error, NoAnswer) or (isinstance(error, ApiRefusal) and error.retry)


def _declared_by(console: Client) -> str:
    """Who has declared the balance that counts now."""
    entries = console.bank_account()["entries"]
    person: str = next(entry["by"] for entry in entries if entry["kind"] == "declare-bank")
    return person


def _trust(settings: Settings) -> ssl.SSLContext | bool:
    """The server's own certificate, whatever name is in it: it is the same machine."""
    if settings.tls_cert is None:
        return True
    trust = ssl.create_default_context(cafile=str(settings.tls_cert))
    trust.check_hostname = False
    return trust
