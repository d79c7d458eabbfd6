"""A server killed in the middle of its work, again and again, while dealers go on: each act is done once or never.

The dealers use the client, which sends an act again with the same id until it is answered. Afterwards the book itself
is read from the store: what a dealer was told is there, once and word for word, and the money adds up.

`CROUPIER_SERVER_KILLS=100` kills as often (make soak), some of them while the server is still starting.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from croupier.audit.export import export
from croupier.audit.verify import verify
from croupier.client.answers import Done, Entry
from croupier.client.client import Client
from croupier.client.transport import ApiRefusal, Patience
from croupier.floor.link.link import Link, proof
from croupier.store.store import open_store
from tests.web.support import LINK, TABLES, MadeSite, Server

KILLS = int(os.environ.get("CROUPIER_SERVER_KILLS", "2"))
EARLY = 5
"""Every so many kills, the server is killed once more before it is ready."""
BETWEEN_S = (0.6, 1.4)
BUSY_S = 60.0
PATIENT = Patience(seconds=90, first_pause_s=0.02, longest_pause_s=0.2)
PLENTY = 10**12
LINES = ("Three 7's - Same Color", "Three 7's", "First Two Cards - 7", "Three 7's - Same Suit")


@dataclass
class Dealer:
    """Deals at one table as fast as the server answers, and remembers everything that was said."""

    server: Server
    table: int
    stop: threading.Event
    done: dict[str, Entry] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    failed: str = ""

    def run(self) -> None:
        try:
            with Client(self.server.url, self.server.site.tokens[f"ann {self.table}"], patience=PATIENT) as client:
                rng, number = Random(self.table), 0
                while not self.stop.is_set():
                    number += 1
                    self.game(client, rng, f"t{self.table}-{number}")
        except Exception as error:
            self.failed = repr(error)

    def game(self, client: Client, rng: Random, name: str) -> None:
        """One game: started, perhaps a hand entered and decided by a card, ended."""
        seats, table = list(range(1, TABLES[self.table].seats + 1)), self.table
        self.say(f"{name}-s", lambda id: client.start(LINK, table=table, lit=seats, based=seats, id=id))
        if rng.random() < 0.5:
            line, seat = rng.choice(LINES), rng.choice(seats)
            entered = self.say(f"{name}-h", lambda id: client.enter(LINK, table=table, seat=seat, line=line, id=id))
            if entered and any(award.award == entered.entry.number for award in entered.link.awards):
                self.decide(client, rng, name, entered)
        self.say(f"{name}-e", lambda id: client.end(LINK, table=table, id=id))

    def decide(self, client: Client, rng: Random, name: str, entered: Done) -> None:
        award, card = entered.entry.number, self.server.site.cards["eve"]
        if rng.random() < 0.6:
            self.say(f"{name}-c", lambda id: client.confirm(LINK, award=award, card=card, id=id))
        else:
            self.say(f"{name}-v", lambda id: client.void(LINK, award=award, reason="Another.", card=card, id=id))

    def say(self, id: str, act: Callable[[str], Done]) -> Done | None:
        try:
            answered = act(id)
        except ApiRefusal as no:
            self.refused[id] = no.code
            return None
        self.done[id] = answered.entry
        return answered


def test_a_server_killed_at_random_under_load_does_each_act_once(server: Server) -> None:
    stop, rng = threading.Event(), Random(3)
    with Client(server.url, server.site.tokens["max"], patience=PATIENT) as office:
        office.declare_bank(balance_cents=PLENTY)
    dealers = [Dealer(server, table, stop) for table in TABLES]
    threads = [threading.Thread(target=dealer.run) for dealer in dealers]
    for thread in threads:
        thread.start()
    counts: list[int] = []
    for number in range(1, KILLS + 1):
        time.sleep(rng.uniform(*BETWEEN_S))
        until = time.monotonic() + BUSY_S
        while counts and sum(len(dealer.done) for dealer in dealers) <= counts[-1] and time.monotonic() < until:
            time.sleep(0.01)  # a busy machine has not come to the next act yet
        server.kill()
        counts.append(sum(len(dealer.done) for dealer in dealers))
        server.start_again()
        if number % EARLY == 0:
            time.sleep(rng.uniform(*BETWEEN_S))
            server.kill()
            server.start_again()
        server.wait_ready()
    time.sleep(rng.uniform(*BETWEEN_S))
    stop.set()
    for thread in threads:
        thread.join(100)
    server.stop()
    assert [dealer.failed for dealer in dealers] == [""] * len(dealers)
    assert counts == sorted(set(counts)), "dealers went on after every crash"
    in_the_book(server.site, dealers)


def in_the_book(site: MadeSite, dealers: list[Dealer]) -> None:
    told = {id: entry for dealer in dealers for id, entry in dealer.done.items()}
    refused = {id: code for dealer in dealers for id, code in dealer.refused.items()}
    with open_store(site.db) as store:
        entries = list(store.entries(f"link:{LINK}"))
        export(store, list(store.streams()), site.folder / "book.jsonl")
    book = {entry.command: entry for entry in entries}
    assert len(book) == len(entries), "no command twice"
    for id, entry in told.items():
        assert book[id].digest == entry.digest, f"{id} was told otherwise"
    assert not refused.keys() & book.keys(), "what was refused is not in the book"
    dealt = {id for id in book if id.startswith("t") and "-" in id}
    assert dealt == set(told), "nothing in the book that nobody was told of"
    assert set(refused.values()) <= {"final", "game-on", "undecided"}, refused
    link = Link.of_entries(LINK, entries)
    assert all(proof(link, level).difference == 0 for level in link.state.setup.level)
    assert sum(link.state.book.balances.values()) == 0
    report = verify(site.folder / "book.jsonl")
    assert report.right, report.wrong
    kinds = {entry.kind for entry in entries}
    assert {"start", "enter", "confirm", "void", "end"} <= kinds


def test_an_award_that_waits_for_a_card_is_as_it_was_after_a_crash(server: Server) -> None:
    tokens, cards = server.site.tokens, server.site.cards
    with Client(server.url, tokens["dan"], patience=PATIENT) as keypad:
        keypad.start(LINK, table=1, lit=[1, 2, 3])
        entered = keypad.enter(LINK, table=1, seat=2, line="Three 7's - Same Suit")
        keypad.call(LINK, table=1)
        before, table = keypad.link(LINK), keypad.table(1)
        assert before["awards"][0]["called"]
        server.kill()
        server.start_again()
        assert keypad.link(LINK) == before
        assert keypad.table(1) == table
        award = entered.link.awards[0]
        again = keypad.enter(LINK, table=1, seat=2, line="Three 7's - Same Suit", id=entered.entry.command)
        assert again.entry == entered.entry
        confirmed = keypad.confirm(LINK, award=award.award, cents=award.cents, card=cards["eve"])
        assert confirmed.entry.facts["cents"] == award.cents
        keypad.end(LINK, table=1)
