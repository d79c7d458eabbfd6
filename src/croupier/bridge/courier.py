"""The way from the journal to the server: acts in their order, each under its id until it is answered; then cards.

What the server has answered is told to the board: `DONE`, or `NO` with the server's own sentence. What it has not is
sent again. A card is kept in memory alone and for seconds: of a swipe without an answer the award itself tells what
became of it, and it can be swiped again. Heartbeats tell the console how the bridge is, and what is plugged into it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Any
from urllib.parse import quote

from croupier.bridge.journal import Journal, KeptAct, Signed
from croupier.client import ApiRefusal, Client, ClientError, new_id

BEAT_EVERY_S = 15.0
LOOK_EVERY_S = 3.0
"""How often the table is looked at while nobody presses: a supervisor may void an award at a console."""
AGAIN_S = 1.0
"""How long until the server is asked again that has not answered."""
CARD_S = 20.0
"""How long a swipe waits for the server before it has to be done again."""
SIGNED_OUT = ("signed-out", "nobody")
NOT_OURS = "http"
"""The code of a refusal that is not of the server's form: a proxy's, which says nothing of the act."""
HELD_S = 2.0
"""An act that was first sent so long after it was pressed has waited for the server, and not the other way round."""


class NotNow(ClientError):
    """The server has answered, and asks to come again."""


@dataclass(frozen=True)
class Shown:
    """A card that was swiped, or a dealer's name; and the award that it was first sent for."""

    text: str = field(repr=False)
    is_name: bool = False
    id: str = field(default_factory=new_id)
    at: float = field(default_factory=time.monotonic)
    award: Mapping[str, Any] | None = None


class Courier(Thread):
    """Speaks with the server, in a thread of its own: the board is not kept waiting by a line that is down."""

    def __init__(
        self,
        client: Client,
        journal: Journal,
        *,
        tell: Callable[[str], None],
        parts: Callable[[], list[dict[str, Any]]],
        log: Callable[[str], None],
    ) -> None:
        super().__init__(name="courier", daemon=True)
        self._device, self._journal = client, journal
        self._tell, self._parts, self._log = tell, parts, log
        self._woken, self._ending = Event(), False
        self._beat_at = self._look_at = 0.0
        self._table = 0
        self._seen: Mapping[str, Any] = {}
        """The table as the server last showed it."""
        self._held: set[str] = set()
        self._shown: Shown | None = None
        self.failed: BaseException | None = None
        """Why this thread has ended by itself."""
        self._trouble = "The server has not answered yet."
        self.state = "OFFLINE"

    # From the other thread

    def wake(self) -> None:
        self._woken.set()

    def beat_soon(self) -> None:
        """Something was plugged in or came off, or a seat was lit or went dark: the table's tablet shows it."""
        self._beat_at = 0.0
        self.wake()

    def show(self, text: str, *, is_name: bool = False) -> None:
        """A card, or a dealer's name. The last one counts."""
        self._shown = Shown(text, is_name)
        self.wake()

    def end(self) -> None:
        self._ending = True
        self.wake()
        self.join(30)

    @property
    def locked(self) -> frozenset[int] | None:
        """Seats whose wagers are in the game that is on; None while none is."""
        game = self._seen.get("game")
        return frozenset(game["seats"]) if game and game["on"] else None

    # Rounds

    def run(self) -> None:
        try:
            while not self._ending:
                pause = self._round()
                self._woken.wait(pause)
                self._woken.clear()
        except BaseException as error:
            self.failed = error

    def _round(self) -> float:
        """Everything that is to be done now; how long until the next time."""
        try:
            if time.monotonic() >= self._beat_at:
                self._beat()
            if self._shown is not None and self._journal.signed is None:
                self._card(self._shown)
            self._send_all()
            if self._shown is not None:
                self._card(self._shown)
            if time.monotonic() >= self._look_at:
                self._look()
            self._note("")
            pause = max(0.0, min(self._beat_at, self._look_at) - time.monotonic())
        except (ClientError, sqlite3.Error) as error:
            state = "REFUSED" if isinstance(error, ApiRefusal) else "WAIT" if isinstance(error, NotNow) else "OFFLINE"
            self._note(str(error), state)
            pause = AGAIN_S
        self._forget_card()
        return pause

    def _note(self, trouble: str, state: str = "") -> None:
        """How things are between the bridge and the server; told where it has changed."""
        if trouble != self._trouble:
            self._trouble = trouble
            self._log(trouble or "The server answers.")
        state = state or self._standing()
        if state != self.state:
            self.state = state
            self._tell(f"STATE {state}")

    def _standing(self) -> str:
        if self._journal.signed is None:
            return "SIGN-IN"
        if self._seen.get("awards"):
            return "CALL"
        if self.locked is not None:
            return "GAME"
        return "READY" if self._seen.get("status") == "open" else "CLOSED"

    def _beat(self) -> None:
        told = {"waiting": self._journal.waiting(), "parts": self._parts(), "lit": sorted(self._journal.lit)}
        heard = _asked(self._device.post, "/api/device/beat", told)
        if heard["table"] is None:
            sentence = f"The token is that of the {heard['kind']} {heard['device']}: a bridge has a token of its own."
            raise ApiRefusal("no-bridge", sentence, 403)
        self._table, self._beat_at = heard["table"], time.monotonic() + min(BEAT_EVERY_S, heard["every_s"])

    def _look(self) -> Mapping[str, Any]:
        """The table as it stands."""
        self._seen = _asked(self._device.get, f"/api/tables/{self._table}")
        self._look_at = time.monotonic() + LOOK_EVERY_S
        return self._seen

    # Acts

    def _send_all(self) -> None:
        """In their order. Whatever one is answered, the next is sent after it."""
        while not self._ending and (act := self._journal.next_act()) is not None:
            signed = self._journal.signed
            if signed is None or not self._send(act, signed):
                return

    def _send(self, act: KeptAct, signed: Signed) -> bool:
        """Whether it is answered now; not where somebody has to sign in first."""
        if act.link is None:
            if act.age_s() > HELD_S:
                self._held.add(act.id)
            addressed = self._addressed(act)
            if addressed is None:
                return True
            act = addressed
        assert act.link is not None
        path = f"/api/links/{quote(act.link, safe='')}/{act.act}"
        try:
            done = _asked(self._device.with_token(signed.token).act, path, act.id, table=self._table, **act.values)
        except ApiRefusal as refused:
            if refused.code in SIGNED_OUT:
                self._log(f"{signed.name} has to sign in again: {refused.sentence}")
                self._journal.sign(None)
                return False
            if refused.code == "too-soon" and act.id in self._held:  # the game began when the server was back
                raise NotNow(refused.sentence) from None
            self._answer(act, refused.code, refused.sentence)
            return True
        self._seen = {**self._seen, "game": done["link"]["game"], "status": done["link"]["status"]}
        self._look_at = 0.0
        self._journal.answer(act, "done")
        self._held.discard(act.id)
        self._tell(f"DONE {act.boot} {act.seq}")
        self._log(f"{act.act} {_in_words(act)} is entry {done['entry']['number']} of {act.link}.")
        return True

    def _addressed(self, act: KeptAct) -> KeptAct | None:
        """To the link that the table feeds, and with the name of the hand where the board sends its number."""
        link, values = self._look()["link"], dict(act.values)
        if link is None:
            self._answer(act, "no-link", f"No link feeds table {self._table}: a manager sets one up.")
            return None
        if act.act == "start":
            values["based"] = values["lit"]
        if act.act == "enter" and values["line"].isdigit():
            lines = _asked(self._device.link, link)["paytable"]
            if not 1 <= int(values["line"]) <= len(lines):
                self._answer(act, "unknown-hand", f"The paytable has hands 1 to {len(lines)}, not {values['line']}.")
                return None
            values["line"] = lines[int(values["line"]) - 1]["line"]
        return self._journal.address(act, link, values)

    def _answer(self, act: KeptAct, code: str, sentence: str) -> None:
        self._journal.answer(act, f"{code}: {sentence}")
        self._held.discard(act.id)
        self._look_at = 0.0
        self._tell(f"NO {act.boot} {act.seq} {code} {sentence}")
        self._log(f"{act.act} {_in_words(act)} is refused: {sentence}")

    # Cards

    def _card(self, shown: Shown) -> None:
        """A card decides the award that waits; where none does, it signs somebody in."""
        signed = self._journal.signed
        if signed is not None and not shown.is_name and shown.award is None:
            awards = self._look()["awards"]
            before, shown = shown, replace(shown, award=awards[0] if awards else None)
            if self._shown is before:
                self._shown = shown
        try:
            if signed is not None and shown.award is not None:
                self._confirm(shown, shown.award, signed)
            else:
                self._sign_in(shown)
        except ApiRefusal as refused:
            if refused.code in SIGNED_OUT:
                self._journal.sign(None)
            self._tell(f"CARD NO {refused.code} {refused.sentence}")
            self._log(f"A card is refused: {refused.sentence}")
        if self._shown is shown:  # and not another card since
            self._shown = None

    def _confirm(self, shown: Shown, award: Mapping[str, Any], signed: Signed) -> None:
        link = quote(self._seen["link"], safe="")
        values = {"award": award["award"], "cents": award["cents"], "card": shown.text}
        done = _asked(self._device.with_token(signed.token).act, f"/api/links/{link}/confirm", shown.id, **values)
        self._tell(f"CARD OK award {award['award']}")
        self._log(f"Award {award['award']} is confirmed: entry {done['entry']['number']} of {self._seen['link']}.")
        self._look_at = 0.0

    def _sign_in(self, shown: Shown) -> None:
        """Acts that wait are sent in the name of whoever pressed them, or of a supervisor who takes them over."""
        how = {"person": shown.text} if shown.is_name else {"card": shown.text}
        session = _asked(self._device.with_token(self._device.token).keypad_sign_in, **how)
        waits, before = self._journal.next_act(), self._journal.signed
        if waits is not None and waits.person != session.person and session.role == "dealer":
            self._sign_out(session.token)
            sentence = f"Acts of {waits.person} wait for the server: {waits.person} swipes, or a supervisor."
            raise ApiRefusal("acts-wait", sentence, 409)
        self._journal.sign(Signed(session.token, session.person, session.name, session.role))
        if before is not None:
            self._sign_out(before.token)
        self._look_at = 0.0
        self._tell(f"CARD OK {session.name}")
        self._log(f"{session.name} ({session.role}) has signed in.")

    def _sign_out(self, token: str) -> None:
        try:
            self._device.with_token(token).post("/api/sign-out", {}, again=False)
        except ClientError:  # it ends by itself
            return

    def _forget_card(self) -> None:
        """After a while nobody stands there any more who would know that the card counts now."""
        shown = self._shown
        if shown is not None and time.monotonic() - shown.at > CARD_S and self._shown is shown:
            self._shown = None
            self._tell("CARD NO offline The server does not answer: swipe again when it does.")


def _asked(ask: Callable[..., Any], *args: Any, **values: Any) -> Any:
    """An answer; an error of its own where it is to be asked again, and a refusal where not."""
    try:
        return ask(*args, **values)
    except ApiRefusal as refused:
        if refused.retry or refused.status >= 500 or refused.status == 429 or refused.code == NOT_OURS:
            raise NotNow(refused.sentence) from None
        raise
    except (ValueError, TypeError, KeyError) as error:
        raise NotNow(f"Something else answers than the server: {type(error).__name__}.") from None


def _in_words(act: KeptAct) -> str:
    values = {name: value for name, value in act.values.items() if name != "based"}
    return " ".join(f"{name} {value}" for name, value in values.items()).replace("[", "").replace("]", "")
