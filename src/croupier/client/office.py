"""Acts of the site: people, cards, PINs, devices, tables, the bank."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from croupier.client.answers import Entry
from croupier.client.transport import SecondCard, Transport, act_body


class OfficeActs(Transport):
    """Every act of the site, for managers and executives at a console.

    New cards and tokens are made here and sent along, so that a request whose answer was lost can be sent again.
    """

    def _site(self, act: str, id: str | None, /, second: SecondCard | None = None, **values: Any) -> Entry:
        return Entry.of(self.post(f"/api/site/{act}", self.agreed(act_body(id, values), second, act))["entry"])

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
        second: SecondCard | None = None,
        id: str | None = None,
    ) -> Entry:
        """One's own, with the old one; or another person's, who has to choose another before it counts."""
        return self._site("set-pin", id, person=person, pin=pin, old_pin=old_pin, second=second)

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
        id: str | None = None,
    ) -> str:
        """The device's token, which is nowhere else."""
        token = token or new_device_token()
        new: dict[str, Any] = {"device": device, "kind": kind, "name": name, "table": table}
        self._site("enrol-device", id, **new, link=link, token=token)
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
        id: str | None = None,
    ) -> Entry:
        table = {
            **{"number": number, "title": title, "base_game": base_game, "decks": decks, "seats": seats},
            **{"least_wager_cents": least_wager_cents, "most_wager_cents": most_wager_cents, "wagers": list(wagers)},
        }
        return self._site("set-table", id, table=table, second=second)

    def remove_table(self, *, number: int, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("remove-table", id, number=number, second=second)

    def choose_profile(self, *, profile: str, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("choose-profile", id, profile=profile, second=second)

    def set_clock(self, *, zone: str, day_begins: int, second: SecondCard, id: str | None = None) -> Entry:
        return self._site("set-clock", id, zone=zone, day_begins=day_begins, second=second)

    # The bank

    def declare_bank(self, *, balance_cents: int, id: str | None = None) -> Entry:
        return self._site("declare-bank", id, balance_cents=balance_cents)

    def deposit(self, *, amount_cents: int, reference: str, id: str | None = None) -> Entry:
        return self._site("deposit", id, amount_cents=amount_cents, reference=reference)


def new_card() -> str:
    """A token for a new card."""
    return secrets.token_hex(32)


def new_device_token() -> str:
    return "dev_" + secrets.token_hex(32)
