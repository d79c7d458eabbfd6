"""The demo's office at the cage: winners who have waited longest are paid, and the last few are left to visitors."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from croupier.client.client import Client
from croupier.demo.dealers import UNPAID, pay_longest


class Cage:
    """As much of a client as the office takes at the cage."""

    def __init__(self, waiting: list[dict[str, Any]]) -> None:
        self.waiting, self.issued, self.paid = waiting, list[int](), list[int]()

    def get(self, path: str) -> dict[str, Any]:
        assert path == "/api/payments"
        return {"payments": self.waiting}

    def issue_slip(self, link: str, *, award: int) -> Any:
        self.issued.append(award)
        return SimpleNamespace(entry=SimpleNamespace(facts={"slip": award + 100}))

    def pay_slip(self, link: str, *, slip: int, paid_in: str, identity: str) -> None:
        assert (link, paid_in, identity) == ("main", "check", "driver license")
        self.paid.append(slip)


def test_the_office_pays_all_but_the_last_few() -> None:
    cage = Cage([{"link": "main", "award": 10, "slip": None}, {"link": "main", "award": 11, "slip": 7}])
    pay_longest(cast(Client, cage))
    assert (cage.issued, cage.paid) == ([], [])
    cage.waiting += [{"link": "main", "award": 12 + more, "slip": None} for more in range(UNPAID)]
    pay_longest(cast(Client, cage))
    assert (cage.issued, cage.paid) == ([10], [110, 7])
