"""The client: signing in, asking, and every act of the floor and of the site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from croupier.client.answers import Entry, SignedIn
from croupier.client.events import Listening
from croupier.client.floor import FloorActs
from croupier.client.office import OfficeActs

PAGE = 1_000


class Client(FloorActs, OfficeActs, Listening):
    """One caller of the server: a person who has signed in, or a device by its token."""

    # Signing in

    def sign_in(self, card: str, pin: str | None = None) -> SignedIn:
        """By card, with the PIN for console work; from now on everything is done as this person."""
        body = {"card": card} if pin is None else {"card": card, "pin": pin}
        return self._signed_in(self.post("/api/sign-in", body))

    def keypad_sign_in(self, *, card: str | None = None, person: str | None = None) -> SignedIn:
        """A dealer at this keypad, whose own token the client has: by card, or by name without one."""
        said = {name: value for name, value in (("card", card), ("person", person)) if value is not None}
        return self._signed_in(self.post("/api/keypad/sign-in", said))

    def _signed_in(self, values: dict[str, Any]) -> SignedIn:
        made = SignedIn(**values)
        self.token = made.token
        return made

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
        found: list[dict[str, Any]] = self._asked("/api/links")["links"]
        return found

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
            page = [Entry.of(each) for each in self.get(path, after=after, most=PAGE)["entries"]]
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].number

    def ready(self) -> bool:
        """Whether the server takes acts; it is asked once."""
        response = self._http.get(f"{self.url}/api/ready")
        return response.is_success

    def _asked(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(path)
        return found
