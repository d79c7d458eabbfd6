"""The lab over HTTP: how long a changed pay takes to be answered, with all that the page then shows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx

from benchmarks.measure import Result, in_words, steps
from benchmarks.room import make_room, serving

MOST_S, MOST_STREETS_S = 0.050, 0.300
TIMES = 60
SUBJECTS: dict[str, dict[str, Any]] = {
    "Pair Plus": {
        "game": "triple-shot-rummy",
        "wager": "pair-plus",
        "rows": "Straight Flush {} to 1; Three-of-a-Kind 30 to 1; Straight 6 to 1; Flush 4 to 1; Pair 1 to 1",
    },
    "Supreme 99's Bet": {"game": "supreme-99", "wager": "bet", "rows": "Both copy {} to 1; Both win 1 to 1"},
    "blackjack's Bet": {"game": "blackjack", "wager": "bet", "rows": "6D S17 DAS SP4 {}:7"},
    "King's Bounty": {
        "game": "blackjack",
        "wager": "kings-bounty",
        "decks": 6,
        "rows": "2 Kings of Spades + Dealer BJ {} to 1; 2 Kings of Spades 100 to 1; 2 Suited Kings 30 to 1; "
        "2 Suited Queens, Jacks or 10s 20 to 1; Suited 20 9 to 1; 2 Kings 6 to 1; Unsuited 20 4 to 1",
    },
    "Mississippi Stud": {
        "game": "mississippi-stud",
        "wager": "ante",
        "rows": "Royal Flush 500 to 1; Straight Flush 100 to 1; Four-of-a-Kind {} to 1; Full House 10 to 1; "
        "Flush 6 to 1; Straight 4 to 1; Three-of-a-Kind 3 to 1; Two Pair 2 to 1; Pair of jacks or better 1 to 1; "
        "Pair of sixes to tens push",
    },
    "Let It Ride": {
        "game": "let-it-ride",
        "wager": "bet",
        "rows": "Royal Flush 1,000 to 1; Straight Flush 200 to 1; Four-of-a-Kind {} to 1; Full House 11 to 1; "
        "Flush 8 to 1; Straight 5 to 1; Three-of-a-Kind 3 to 1; Two Pair 2 to 1; Pair of tens or better 1 to 1",
    },
}
STREETS = ("Mississippi Stud", "Let It Ride")
"""Games whose choices are found anew under every pay."""


def changed_pay() -> Iterator[Result]:
    """Each question has a pay that nobody has asked about; the first one, which counts the deals, is not measured."""
    with tempfile.TemporaryDirectory() as name, serving(make_room(f"sqlite:///{name}/lab.db", Path(name))) as server:
        header = {"Authorization": f"Bearer {server.sign_in(1)}"}
        with httpx.Client(base_url=server.url, headers=header, timeout=120) as client:
            for title, subject in SUBJECTS.items():
                took = sorted(_asked(client, pay, **subject) for pay in steps(title, range(10, 10 + TIMES)))[:-1]
                middle, slowest = took[len(took) // 2], took[int(len(took) * 0.95)]
                measured = f"{in_words(middle)}, 95 % within {in_words(slowest)}"
                what = f"the lab's answer to a changed pay, {title}"
                most = MOST_STREETS_S if title in STREETS else MOST_S
                yield Result(what, measured, target=f"below {in_words(most)}", met=slowest < most)


def _asked(client: httpx.Client, pay: int, *, rows: str, **subject: Any) -> float:
    began = perf_counter()
    answer = client.post("/api/lab", json={**subject, "tables": [{"paytable": rows.format(pay)}]})
    took = perf_counter() - began
    if answer.status_code != httpx.codes.OK:
        raise RuntimeError(f"the lab did not answer: {answer.text}")
    return took
