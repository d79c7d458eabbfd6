"""An auditor of one page: reads the entries of a link, knows no code of ours, and recomputes every cent in fractions.

Money is in cents as fractions. Whatever does not agree is an AssertionError that names the entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

Book = Mapping[str, Any]
"""An entry as JSON."""
MILLION = 1_000_000


class Auditor:
    def __init__(self) -> None:
        self.money: dict[str, Fraction] = defaultdict(Fraction)
        self.put_in: dict[str, Fraction] = defaultdict(Fraction)
        """By level: all that came on the meter, less what left it otherwise than as an award."""
        self.won: dict[str, Fraction] = defaultdict(Fraction)
        self.open: dict[int, dict[str, Any]] = {}
        """Awards that no card has confirmed."""
        self.playing: dict[int, list[int]] = {}
        self.setup: dict[str, Any] = {}

    def see(self, entry: Book) -> None:
        facts, kind = entry["facts"], entry["kind"]
        if kind in ("make", "reconfigure"):
            assert not self.open, entry
            self.setup = facts["setup" if kind == "make" else "new"]
        if kind in ("take-back", "void"):
            del self.open[facts["award"]]
        if kind == "start":
            self.start(entry)
        if kind == "end":
            assert all(award["table"] != facts["table"] for award in self.open.values()), entry
            del self.playing[facts["table"]]
        self.move(entry)
        for award in facts.get("held", []):
            self.open.pop(award["award"], None)
            self.open[award["award"]] = award
        if kind == "confirm":
            award = self.open.pop(facts["award"])
            paid = sum(Fraction(units, MILLION) for _, target, units in entry["transfers"] if target == "players")
            assert paid == award["cents"] == facts["cents"], entry
            needed = "executive" if award["cents"] > self.setup["executive_threshold_cents"] else "supervisor"
            assert facts["by"][1] in {needed, "executive"}, entry
        if kind == "pay":
            wagers, word, one = facts["pays"].replace(",", "").split()
            assert (word, one) == ("for", "1"), entry
            paid = sum(Fraction(units, MILLION) for _, target, units in entry["transfers"] if target == "players")
            assert paid == int(wagers) * self.setup["wager_cents"], entry
            assert facts["seat"] in self.playing[facts["table"]], entry
        self.balance(entry)

    def start(self, entry: Book) -> None:
        """Each wager is divided by the posted rates, to the last fraction of a cent."""
        table, seats = entry["facts"]["table"], entry["facts"]["seats"]
        assert table not in self.playing, entry
        assert set(seats) <= set(entry["facts"]["based"]), entry
        self.playing[table] = seats
        given: dict[str, Fraction] = defaultdict(Fraction)
        for source, target, units in entry["transfers"]:
            assert source == "players", entry
            given[target.replace("overflow", "meter")] += Fraction(units, MILLION)
        wagers = Fraction(len(seats) * self.setup["wager_cents"])
        for level in self.setup["levels"]:
            end = f":{level['level']}" if level["level"] else ""
            assert given["meter" + end] == wagers * level["contribution_ppm"] / MILLION, entry
            assert given["reserve" + end] == wagers * level["reserve_ppm"] / MILLION, entry
        assert sum(given.values()) == wagers, entry

    def move(self, entry: Book) -> None:
        """Follow the transfers one by one; each amount that is held is its share of the meter at that moment."""
        held = [award for award in entry["facts"].get("held", []) if award["cents"]]
        for source, target, units in entry["transfers"]:
            cents, level = Fraction(units, MILLION), (source + ":").split(":")[1] or (target + ":").split(":")[1]
            if source.startswith("meter") and target.startswith("pending"):
                award = held.pop(0)
                assert (level, self.money[source] * MILLION) == (award["level"], award["meter_units"]), entry
                assert cents == award["cents"] == floor(self.money[source] * Fraction(award["share"])), entry
            self.money[source] -= cents
            self.money[target] += cents
            award_like = {"pending", "players"} if entry["kind"] not in ("start", "adjust") else {"pending"}
            for account, other, sign in ((source, target, -1), (target, source, 1)):
                if account.startswith("meter"):
                    (self.won if other.split(":")[0] in award_like else self.put_in)[level] += sign * cents
        assert not held, entry

    def balance(self, entry: Book) -> None:
        """Nothing appears, nothing vanishes, nothing is below nothing, and open awards are all that is pending."""
        assert sum(self.money.values()) == 0, entry
        for level in self.setup["levels"]:
            end = f":{level['level']}" if level["level"] else ""
            for purpose in ("meter", "reserve", "overflow", "pending"):
                assert self.money[purpose + end] >= 0, entry
            mine = [award for award in self.open.values() if award["level"] == level["level"]]
            assert self.money["pending" + end] == sum(award["cents"] for award in mine), entry
            assert self.money["meter" + end] == self.put_in[level["level"]] + self.won[level["level"]], entry
            if level["maximum_cents"] is not None:
                assert floor(self.money["meter" + end]) <= level["maximum_cents"], entry
            for table in self.playing:
                taken = [award["seat"] for award in mine if award["table"] == table]
                if self.setup["order"] == "dealers-right":
                    assert taken == sorted(taken, reverse=True), entry
