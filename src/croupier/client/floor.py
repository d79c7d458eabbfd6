"""Acts of a link: at a table, with a card, and in the office."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from croupier.client.answers import Done
from croupier.client.transport import SecondCard, Transport, act_body


class FloorActs(Transport):
    """Every act of a link, each with an id of its own where none is given."""

    def _link(self, link: str, act: str, id: str | None, /, second: SecondCard | None = None, **values: Any) -> Done:
        body = self.agreed(act_body(id, values), second, act, link)
        return Done.of(self.post(f"/api/links/{quote(link, safe='')}/{act}", body))

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

    # With a card

    def confirm(
        self, link: str, *, award: int, cents: int | None = None, card: str | None = None, id: str | None = None
    ) -> Done:
        """With the card that was read; without one, as whoever has signed in with a PIN."""
        return self._link(link, "confirm", id, award=award, cents=cents, card=card)

    def void(self, link: str, *, award: int, reason: str, card: str | None = None, id: str | None = None) -> Done:
        return self._link(link, "void", id, award=award, reason=reason, card=card)

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
        id: str | None = None,
    ) -> Done:
        """A manual correction, for a lawful reason, by two people."""
        moved = {"level": level, "reason": reason, "source": source, "target": target, "cents": cents}
        return self._link(link, "adjust", id, **moved, text=text, second=second, award=award)

    def reconfigure(self, link: str, *, setup: Mapping[str, Any], second: SecondCard, id: str | None = None) -> Done:
        return self._link(link, "reconfigure", id, setup=dict(setup), second=second)

    def retire(self, link: str, *, to: str, second: SecondCard, id: str | None = None) -> Done:
        return self._link(link, "retire", id, to=to, second=second)

    def receive(
        self, link: str, *, source: str, levels: Mapping[str, str], second: SecondCard, id: str | None = None
    ) -> Done:
        """What the retired link `source` has moved here."""
        return self._link(link, "receive", id, source=source, levels=dict(levels), second=second)
