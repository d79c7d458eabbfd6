"""The client: signing in, asking, every act of the floor and of the site, and live events."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

import httpx
import msgspec

from croupier.client.answers import SILENCE_S, Done, Entry, Event, SignedIn, read_events
from croupier.client.transport import AGAIN, ApiRefusal, NoAnswer, Patience, SecondCard, act_body, refusal_of

PAGE = 1_000
"""Entries of a book that are asked for at once."""


class Client:
    """One caller of the server: a person who has signed in, or a device by its token.

    Every act has an id of its own where none is given. New cards and tokens are made here and sent along, so that a
    request whose answer was lost can be sent again.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self.url, self.token = url.rstrip("/"), token
        self.patience = patience or Patience()
        self._own = http is None
        self._http = http or httpx.Client(timeout=self.patience.timeout_s)

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    # Any route

    def get(self, path: str, **params: Any) -> Any:
        """A route that only reads; values of None are left out."""
        return self._send("GET", path, params={name: value for name, value in params.items() if value is not None})

    def post(self, path: str, body: Mapping[str, Any], *, again: bool = True) -> Any:
        return self._send("POST", path, json=dict(body), again=again)

    def act(self, path: str, id: str | None, /, **values: Any) -> Any:
        """An act, with the id given or a new one; values of None are left out."""
        return self.post(path, act_body(id, values))

    def agreed(self, body: dict[str, Any], second: SecondCard | None, act: str, link: str = "") -> dict[str, Any]:
        """An act with the ticket of the second person, where one agrees to it."""
        if second is None:
            return body
        asked = {"card": second.card, "pin": second.pin, "act": act, "link": link, "id": body["id"], "body": body}
        return {**body, "second_ticket": self.post("/api/second-person", asked)["second_ticket"]}

    def _send(self, method: str, path: str, *, again: bool = True, **request: Any) -> Any:
        """Send until there is an answer, patience ends, or the server says no."""
        end, tries = time.monotonic() + self.patience.seconds, 0
        while True:
            pause = self.patience.pause(tries)
            try:
                response = self._http.request(method, self.url + path, headers=self.headers, **request)
            except httpx.TransportError as error:
                if not again or time.monotonic() + pause > end:
                    why = str(error) or type(error).__name__
                    raise NoAnswer(why.rstrip("."), request.get("json", {}).get("id")) from error
            else:
                if response.is_success:
                    return response.json()
                refused = refusal_of(response)
                pause = max(pause, min(refused.wait_s, self.patience.longest_pause_s))
                if not again or response.status_code not in AGAIN or time.monotonic() + pause > end:
                    raise refused
            tries += 1
            time.sleep(pause)

    # Signing in

    def sign_in(self, card: str, pin: str | None = None) -> SignedIn:
        """By card, with the PIN for console work; from now on everything is done as this person."""
        body = {"card": card} if pin is None else {"card": card, "pin": pin}
        return self._signed_in(self.post("/api/sign-in", body))

    def keypad_sign_in(self, *, card: str | None = None, person: str | None = None) -> SignedIn:
        """A dealer at this keypad, whose own token the client has: by card, or by name without one."""
        credentials = {name: value for name, value in (("card", card), ("person", person)) if value is not None}
        return self._signed_in(self.post("/api/keypad/sign-in", credentials))

    def _signed_in(self, values: dict[str, Any]) -> SignedIn:
        session = SignedIn(**values)
        self.token = session.token
        return session

    def sign_out(self) -> None:
        self.post("/api/sign-out", {})
        self.token = None

    def with_token(self, token: str | None) -> Client:
        """Another caller over the same connections."""
        return Client(self.url, token, patience=self.patience, http=self._http)

    # Asking

    def me(self) -> dict[str, Any]:
        return self._asked("/api/me")

    def site(self) -> dict[str, Any]:
        return self._asked("/api/site")

    def links(self) -> list[dict[str, Any]]:
        all_links: list[dict[str, Any]] = self._asked("/api/links")["links"]
        return all_links

    def link(self, link: str) -> dict[str, Any]:
        return self._asked(f"/api/links/{quote(link, safe='')}")

    def table(self, table: int) -> dict[str, Any]:
        return self._asked(f"/api/tables/{table}")

    def bank(self) -> dict[str, Any]:
        return self._asked("/api/bank")

    def bank_account(self) -> dict[str, Any]:
        """Declarations and deposits, the newest first, and what each link is owed."""
        return self._asked("/api/bank/account")

    def entries(self, link: str, *, after: int = 0) -> Iterator[Entry]:
        """A link's book, page after page."""
        while True:
            path = f"/api/links/{quote(link, safe='')}/entries"
            page = msgspec.convert(self.get(path, after=after, most=PAGE)["entries"], list[Entry])
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].number

    def ready(self) -> bool:
        """Whether the server takes acts; it is asked once."""
        response = self._http.get(f"{self.url}/api/ready")
        return response.is_success

    def _asked(self, path: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.get(path)
        return answer

    # Acts of a link

    def _link(self, link: str, act: str, id: str | None, /, second: SecondCard | None = None, **values: Any) -> Done:
        body = self.agreed(act_body(id, values), second, act, link)
        return msgspec.convert(self.post(f"/api/links/{quote(link, safe='')}/{act}", body), Done)

    # At a table

    def start(
        self, link: str, *, table: int, lit: Sequence[int], based: Sequence[int] | None = None, id: str | None = None
    ) -> Done:
        """START GAME. Seats with a base wager are those with a progressive one, where nothing else is said."""
        return self._link(link, "start", id, table=table, lit=list(lit), based=list(lit if based is None else based))

    def end(self, link: str, *, table: int, id: str | None = None) -> Done:
        return self._link(link, "end", id, table=table)

    def enter(
        self,
        link: str,
        *,
        table: int,
        seat: int,
        line: str,
        cards: str = "",
        override_card: str | None = None,
        override_reason: str = "",
        id: str | None = None,
    ) -> Done:
        """A winning hand; its award, where it is a share of a meter, has the entry's number."""
        over: dict[str, Any] = {"override_card": override_card, "override_reason": override_reason}
        return self._link(link, "enter", id, table=table, seat=seat, line=line, cards=cards, **over)

    def take_back(self, link: str, *, table: int, seat: int, id: str | None = None) -> Done:
        return self._link(link, "take-back", id, table=table, seat=seat)

    def call(self, link: str, *, table: int, id: str | None = None) -> Done:
        """Call a supervisor."""
        return self._link(link, "call", id, table=table)

    def take_call(self, link: str, *, table: int, id: str | None = None) -> Done:
        """Go to a table that has called, so that the others need not; at a console."""
        return self._link(link, "take-call", id, table=table)

    # With a card

    def confirm(
        self, link: str, *, award: int, cents: int | None = None, card: str | None = None, id: str | None = None
    ) -> Done:
        """With the card that was read; without one, as whoever has signed in with a PIN."""
        return self._link(link, "confirm", id, award=award, cents=cents, card=card)

    def void(self, link: str, *, award: int, reason: str, card: str | None = None, id: str | None = None) -> Done:
        return self._link(link, "void", id, award=award, reason=reason, card=card)

    def reopen(self, link: str, *, table: int, reason: str, card: str | None = None, id: str | None = None) -> Done:
        """Reopen the last game of a table, for a late winner, as long as no other has begun there."""
        return self._link(link, "reopen", id, table=table, reason=reason, card=card)

    # In the cage

    def issue_slip(self, link: str, *, award: int, id: str | None = None) -> Done:
        """The jackpot slip of a confirmed award; its number is a fact of the entry."""
        return self._link(link, "issue-slip", id, award=award)

    def pay_slip(
        self, link: str, *, slip: int, paid_in: str, identity: str | None = None, id: str | None = None
    ) -> Done:
        """The player was paid, in cash, chips or by check; `identity` is the kind of document that was looked at."""
        return self._link(link, "pay-slip", id, slip=slip, paid_in=paid_in, identity=identity)

    # In the office

    def make_link(self, link: str, *, setup: Mapping[str, Any], second: SecondCard, id: str | None = None) -> Done:
        return self._link(link, "make", id, setup=dict(setup), second=second)

    def open_link(self, link: str, *, approved: str = "", id: str | None = None) -> Done:
        return self._link(link, "open", id, approved=approved)

    def close_link(self, link: str, *, reason: str = "", id: str | None = None) -> Done:
        return self._link(link, "close", id, reason=reason)

    def adjust(
        self,
        link: str,
        *,
        level: str,
        reason: str,
        source: str,
        target: str,
        cents: int,
        text: str,
        second: SecondCard,
        award: int | None = None,
        reseed: bool = False,
        id: str | None = None,
    ) -> Done:
        """A manual correction, for a lawful reason, by two people; `reseed` where a late winner has won the meter."""
        moved: dict[str, Any] = {"level": level, "reason": reason, "source": source, "target": target, "cents": cents}
        moved |= {"reseed": True} if reseed else {}
        return self._link(link, "adjust", id, **moved, text=text, second=second, award=award)

    def back_out(self, link: str, *, award: int, reason: str, second: SecondCard, id: str | None = None) -> Done:
        """A confirmed award, undone as a whole: its amount, seed, reserve and overflow go back together."""
        return self._link(link, "back-out", id, award=award, reason=reason, second=second)

    def reconfigure(self, link: str, *, setup: Mapping[str, Any], second: SecondCard, id: str | None = None) -> Done:
        return self._link(link, "reconfigure", id, setup=dict(setup), second=second)

    def retire(
        self, link: str, *, to: str = "", destination: str | None = None, second: SecondCard, id: str | None = None
    ) -> Done:
        """Into the link `to`; or to a `destination`: promotion, free-tournament or nonprofit."""
        where = {"to": to} if destination is None else {"destination": destination}
        return self._link(link, "retire", id, **where, second=second)

    def receive(
        self, link: str, *, source: str, levels: Mapping[str, str], second: SecondCard, id: str | None = None
    ) -> Done:
        """What the retired link `source` has moved here."""
        return self._link(link, "receive", id, source=source, levels=dict(levels), second=second)

    # Acts of the site, for managers and executives at a console

    def _site(self, act: str, id: str | None, /, second: SecondCard | None = None, **values: Any) -> Entry:
        done = self.post(f"/api/site/{act}", self.agreed(act_body(id, values), second, act))
        return msgspec.convert(done["entry"], Entry)

    def first_start(
        self,
        *,
        code: str,
        title: str,
        profile: str,
        zone: str,
        person: str,
        name: str,
        pin: str,
        card: str | None = None,
        day_begins: int = 6,
    ) -> str:
        """Create the site and its first manager, with the one-time code; the manager's card is returned.

        It is sent once: of a lost answer, signing in with the card tells what became of it.
        """
        card = card or new_card()
        place = {"code": code, "title": title, "profile": profile, "zone": zone, "day_begins": day_begins}
        body = {**place, "person": person, "name": name, "pin": pin, "card": card}
        self.post("/api/first-start", body, again=False)
        return card

    # People

    def enrol_person(
        self,
        *,
        person: str,
        name: str,
        role: str,
        card: str | None = None,
        without_card: bool = False,
        pin: str | None = None,
        second: SecondCard | None = None,
        id: str | None = None,
    ) -> str:
        """The card's token, which is nowhere else; nothing for a dealer without a card."""
        card = None if without_card else card or new_card()
        new: dict[str, Any] = {"person": person, "name": name, "role": role, "card": card, "pin": pin}
        self._site("enrol-person", id, **new, without_card=without_card, second=second)
        return card or ""

    def change_role(self, *, person: str, role: str, second: SecondCard | None = None, id: str | None = None) -> Entry:
        return self._site("change-role", id, person=person, role=role, second=second)

    def replace_card(
        self, *, person: str, card: str | None = None, second: SecondCard | None = None, id: str | None = None
    ) -> str:
        """The new card's token."""
        card = card or new_card()
        self._site("replace-card", id, person=person, card=card, second=second)
        return card

    def revoke_card(self, *, person: str, reason: str, id: str | None = None) -> Entry:
        return self._site("revoke-card", id, person=person, reason=reason)

    def set_pin(
        self,
        *,
        person: str,
        pin: str,
        old_pin: str | None = None,
        card: str | None = None,
        second: SecondCard | None = None,
        id: str | None = None,
    ) -> Entry:
        """One's own, with the old one and one's card; or another person's, who must choose another before it counts."""
        return self._site("set-pin", id, person=person, pin=pin, old_pin=old_pin, card=card, second=second)

    # Devices

    def enrol_device(
        self,
        *,
        device: str,
        kind: str,
        name: str,
        table: int | None = None,
        link: str = "",
        token: str | None = None,
        second: SecondCard | None = None,
        id: str | None = None,
    ) -> str:
        """The device's token, which is nowhere else. A keypad takes a second person."""
        token = token or new_device_token()
        new: dict[str, Any] = {"device": device, "kind": kind, "name": name, "table": table}
        self._site("enrol-device", id, **new, link=link, token=token, second=second)
        return token

    def revoke_device(self, *, device: str, reason: str, id: str | None = None) -> Entry:
        return self._site("revoke-device", id, device=device, reason=reason)

    # The place

    def set_table(
        self,
        *,
        number: int,
        title: str,
        base_game: str,
        decks: int,
        seats: int,
        least_wager_cents: int,
        most_wager_cents: int,
        second: SecondCard,
        wagers: Sequence[str] = (),
        limits: Sequence[Mapping[str, Any]] = (),
        on_file: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> Entry:
        """`limits` are of wagers with their own: `wager`, `least_cents` and `most_cents` of each. `on_file` is what the
        register has of the table: `approval`, `dealing`, `rules`, `paytables` and `equipment`."""
        table = {
            **{"number": number, "title": title, "base_game": base_game, "decks": decks, "seats": seats},
            **{"least_wager_cents": least_wager_cents, "most_wager_cents": most_wager_cents, "wagers": list(wagers)},
            **({"limits": list(map(dict, limits))} if limits else {}),
            **({"on_file": dict(on_file)} if on_file else {}),
        }
        return self._site("set-table", id, table=table, second=second)

    def remove_table(self, *, number: int, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("remove-table", id, number=number, second=second)

    def rename_site(self, *, title: str, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("rename-site", id, title=title, second=second)

    def choose_profile(self, *, profile: str, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("choose-profile", id, profile=profile, second=second)

    def set_clock(self, *, zone: str, day_begins: int, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("set-clock", id, zone=zone, day_begins=day_begins, second=second)

    def accept_time(self, *, time: str, second: SecondCard, id: str | None = None) -> Entry:
        """The server's clock is right, although it is doubted; `time` is what two people's watches say, in UTC."""
        return self._site("accept-time", id, time=time, second=second)

    def set_sign_in(self, *, many_tables: bool, second: SecondCard, id: str | None = None) -> Entry:
        """Whether a dealer may be signed in at several tables at once."""
        return self._site("set-sign-in", id, many_tables=many_tables, second=second)

    def plan_removal(
        self,
        *,
        link: str,
        plan: str,
        approved: str,
        posted: str,
        destination: str,
        second: SecondCard,
        id: str | None = None,
    ) -> Entry:
        """The approved plan to remove a progressive; `approved` and `posted` are days, as 2026-11-05."""
        dated = {"approved": approved, "posted": posted, "destination": destination}
        return self._site("plan-removal", id, link=link, plan=plan, **dated, second=second)

    def give_prize(
        self, *, link: str, amount_cents: int, recipient: str, reference: str, second: SecondCard, **more: Any
    ) -> Entry:
        """The prize of a retired link, or a part. `more` may have `game`, `note` and the act's `id`."""
        says: dict[str, Any] = {"link": link, "amount_cents": amount_cents, "recipient": recipient}
        return self._site("give-prize", more.pop("id", None), **says, reference=reference, second=second, **more)

    # The register

    def comply(self) -> dict[str, Any]:
        """May each table be open: every condition with its state, its papers and its paragraph."""
        return self._asked("/api/comply")

    def enter_approval(self, *, key: str, lines: Sequence[str], second: SecondCard, id: str | None = None) -> Entry:
        """An approval of the site's own; `lines` are those of its file."""
        return self._site("enter-approval", id, key=key, lines=list(lines), second=second)

    def withdraw_approval(self, *, key: str, reason: str, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("withdraw-approval", id, key=key, reason=reason, second=second)

    def record_paper(
        self, *, condition: str, step: str, reference: str, dated: str, file: str, sha256: str, **more: Any
    ) -> Entry:
        """A paper for a condition. `more` may have `of`, `until`, `note`, `rehearsal` and the act's `id`."""
        says: dict[str, Any] = {"condition": condition, "step": step, "reference": reference, "dated": dated}
        return self._site("record-paper", more.pop("id", None), **says, file=file, sha256=sha256, **more)

    def withdraw_paper(self, *, paper: int, reason: str, id: str | None = None) -> Entry:
        """`paper` is the entry that recorded it."""
        return self._site("withdraw-paper", id, paper=paper, reason=reason)

    def open_table(self, *, number: int, id: str | None = None) -> Entry:
        return self._site("open-table", id, number=number)

    def close_table(self, *, number: int, reason: str = "", id: str | None = None) -> Entry:
        return self._site("close-table", id, number=number, reason=reason)

    # The bank

    def reconcile(
        self, *, month: str, statement_cents: int, fund_cents: int, note: str = "", id: str | None = None
    ) -> Entry:
        """A month's bank statement against the fund balances at its end; `month` is written as 2026-10."""
        figures: dict[str, Any] = {"statement_cents": statement_cents, "fund_cents": fund_cents, "note": note}
        return self._site("reconcile", id, month=month, **figures)

    def declare_bank(self, *, balance_cents: int, id: str | None = None) -> Entry:
        return self._site("declare-bank", id, balance_cents=balance_cents)

    def deposit(self, *, amount_cents: int, reference: str, id: str | None = None) -> Entry:
        return self._site("deposit", id, amount_cents=amount_cents, reference=reference)

    # Live events

    def events(self, link: str | None = None, *, last_id: str = "") -> Iterator[Event]:
        """Every event of a link or of all, without end; a lost connection is made again from the last id."""
        tries, lost_at = 0, 0.0
        while True:
            try:
                for event in self._connected(link, last_id):
                    tries, last_id = 0, event.id or last_id
                    yield event
                why = "the server has ended the events"
            except httpx.TransportError as error:
                why = str(error) or type(error).__name__
            except ApiRefusal as refused:
                if refused.status < 500:
                    raise
                why = refused.sentence
            lost_at = time.monotonic() if not tries else lost_at
            pause = self.patience.pause(tries)
            if time.monotonic() + pause - lost_at > self.patience.seconds:
                raise NoAnswer(why.rstrip("."))
            tries += 1
            time.sleep(pause)

    def _connected(self, link: str | None, last_id: str) -> Iterator[Event]:
        headers = {**self.headers, "Accept": "text/event-stream"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        params = {"link": link} if link is not None else {}
        timeout = httpx.Timeout(self.patience.timeout_s, read=SILENCE_S)
        with self._http.stream(
            "GET", f"{self.url}/api/events", headers=headers, params=params, timeout=timeout
        ) as response:
            if not response.is_success:
                response.read()
                raise refusal_of(response)
            yield from read_events(response.iter_lines())


def new_card() -> str:
    """A token for a new card: 35 random digits and two that check them, as a magnetic stripe can hold them."""
    digits = f"{secrets.randbelow(10**35):035d}"
    return f"{digits}{98 - int(digits) * 100 % 97:02d}"


def new_device_token() -> str:
    return "dev_" + secrets.token_hex(32)
