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
        self.inside: dict[str, Fraction] = defaultdict(Fraction)
        """The same with what is locked for hands that no card has decided."""
        self.put_in: dict[str, Fraction] = defaultdict(Fraction)
        """By level: all that came on the meter, less what left it otherwise than as an award."""
        self.won: dict[str, Fraction] = defaultdict(Fraction)
        self.open: dict[int, dict[str, Any]] = {}
        """Awards that no card has confirmed."""
        self.stood: dict[int, dict[str, dict[str, Fraction]]] = {}
        """By table and level: what it stood at when the first hand of the game that is on was entered."""
        self.paid: dict[int, dict[int, tuple[int, list[dict[str, Any]]]]] = {}
        """By table and seat: the fixed pays of the game that came off the meters."""
        self.counted: set[tuple[int, int, str]] = set()
        """Fixed pays (table, seat, level) that came before a confirmed award: what it left is less them already."""
        self.final: dict[int, set[int]] = {}
        """By table: awards of the game that is on which a card has confirmed, and which touch a meter."""
        self.cards: dict[int, dict[str, Any]] = {}
        """Confirmed awards that stand, as they were confirmed, with what they come to by now."""
        self.slips: dict[int, int] = {}
        """Jackpot slips that are not paid, and whose award they are."""
        self.issued: set[int] = set()
        """Awards that have one."""
        self.playing: dict[int, list[int]] = {}
        self.ended: dict[int, tuple[Any, ...]] = {}
        """By table: the game that ended last, and each level as it stood then."""
        self.reopened: dict[int, dict[str, dict[str, Fraction]]] = {}
        """By table: what the first hand of a reopened game is taken from."""
        self.setup: dict[str, Any] = {}

    def see(self, entry: Book) -> None:
        facts, kind = entry["facts"], entry["kind"]
        if kind in ("make", "reconfigure"):
            assert not self.open, entry
            self.ended = {}
            self.setup = facts["setup" if kind == "make" else "new"]
        if kind in ("take-back", "void"):
            del self.open[facts["award"]]
        if kind == "start":
            self.start(entry)
        if kind == "end":
            assert all(award["table"] != facts["table"] for award in self.open.values()), entry
            self.end(facts["table"])
        if kind == "reopen":
            self.reopen(entry)
        if (kind == "enter" and self.touches(facts)) or (facts.get("parts") and kind != "back-out"):
            stands = self.reopened.get(facts["table"]) or self.all_stand()
            self.stood.setdefault(facts["table"], {level: dict(each) for level, each in stands.items()})
        self.move(entry)
        for award in facts.get("held", []):
            self.open.pop(award["award"], None)
            self.open[award["award"]] = award
        if kind == "confirm":
            self.card(entry)
        if kind == "adjust" and facts["award"] is not None:
            path = (facts["from"], facts["to"])
            sign = (path == ("meter", "players")) - (path == ("players", "meter"))
            self.cards[facts["award"]]["now"] += sign * facts["cents"]
        if kind == "back-out":
            self.backed_out(entry, self.cards.pop(facts["award"]))
        if kind in ("issue-slip", "pay-slip"):
            self.slip(entry)
        if kind == "pay":
            wagers, word, one = facts["pays"].replace(",", "").split()
            assert (word, one) == ("for", "1"), entry
            assert self.to_players(entry) == int(wagers) * self.setup["wager_cents"], entry
            assert facts["cents"] < self.setup.get("fixed_pay_card_cents", MILLION**2), entry
            assert facts["seat"] in self.playing[facts["table"]], entry
        self.note(entry)
        self.take(entry)
        self.balance(entry)

    def card(self, entry: Book) -> None:
        facts = entry["facts"]
        award = self.open.pop(facts["award"])
        paid = self.to_players(entry)
        assert paid == award["cents"] == facts["cents"], entry
        needed = "executive" if award["cents"] > self.setup["executive_threshold_cents"] else "supervisor"
        assert facts["by"][1] in {needed, "executive"}, entry
        assert facts["by"][0] != facts["entered_by"], entry
        if facts.get("parts") != []:
            self.first_in_line(entry, award)
        self.left(entry)
        self.confirmed({**award, "by": facts["by"][0]})

    def left(self, entry: Book) -> None:
        """What displays say that an award left is what the meter shows after its card."""
        facts = entry["facts"]
        if facts.get("level") is not None:
            meter = self.money[f"meter:{facts['level']}" if facts["level"] else "meter"]
            assert facts["shown_cents"] == floor(meter), entry

    def slip(self, entry: Book) -> None:
        """One for an award that stands, numbered without a gap; it is paid once, and not after a back-out."""
        facts = entry["facts"]
        award = self.cards[facts["award"]]
        if entry["kind"] == "pay-slip":
            assert self.slips.pop(facts["slip"]) == facts["award"], entry
            assert facts["by"][0] != award["by"], entry
            return
        assert facts["award"] not in self.issued, entry
        assert facts["cents"] == award["now"], entry
        self.issued.add(facts["award"])
        assert facts["slip"] == len(self.issued), entry
        self.slips[facts["slip"]] = facts["award"]

    def end(self, table: int) -> None:
        """A game is kept until another begins at its table."""
        stands = self.reopened.pop(table, None) or self.all_stand()
        counted = {each for each in self.counted if each[0] == table}
        self.ended[table] = (
            *(self.playing.pop(table), self.paid.pop(table, {}), self.stood.pop(table, {})),
            *(counted, self.final.pop(table, set()), stands),
        )
        self.counted -= counted

    def reopen(self, entry: Book) -> None:
        """It goes on as it ended, and meters are what they were then."""
        table = entry["facts"]["table"]
        assert table not in self.playing, entry
        seats, paid, stood, counted, final, stands = self.ended.pop(table)
        assert entry["facts"]["seats"] == seats, entry
        told = {
            level: {name: Fraction(units, MILLION) for name, units in each.items()}
            for level, each in entry["facts"]["stands"].items()
        }
        assert told == (stood or stands), entry
        self.playing[table], self.paid[table], self.reopened[table] = seats, paid, stands
        self.stood |= {table: stood} if stood else {}
        self.counted |= counted
        self.final[table] = final

    def touches(self, facts: Book) -> bool:
        """Whether a hand takes something from a meter: a share does, and in style A every pay."""
        return "%" in facts["pays"] or self.setup["style"] == "A"

    def to_players(self, entry: Book) -> Fraction:
        """What players have got by an entry, inside."""
        moved = [*entry["transfers"], *entry["facts"].get("locked", [])]
        signs = {"players": 1}
        return sum(
            (
                Fraction(units, MILLION) * (signs.get(target, 0) - signs.get(source, 0))
                for source, target, units in moved
            ),
            Fraction(0),
        )

    def first_in_line(self, entry: Book, award: Book) -> None:
        """Over all meters of a game, nobody who comes first is still waiting."""
        for other in self.open.values():
            if other["table"] == award["table"] and other.get("parts") != []:
                if self.setup["order"] == "dealers-right":
                    assert other["seat"] < award["seat"], entry
                else:
                    places = [("parts" not in each, each["award"]) for each in (award, other)]
                    assert places == sorted(places), entry

    def confirmed(self, award: Book) -> None:
        """What is final comes off first for the hands that are still undecided."""
        self.cards[award["award"]] = {**award, "now": award["cents"]}
        if "parts" in award:
            if award["parts"]:
                self.paid.setdefault(award["table"], {})[award["seat"]] = (award["award"], award["parts"])
                self.final.setdefault(award["table"], set()).add(award["award"])
            return
        stood = self.stood[award["table"]][award["level"]]
        added = {name: Fraction(award[f"{name}_units"], MILLION) for name in ("seed", "reserve", "overflow")}
        stood["meter"] = Fraction(award["meter_units"], MILLION) + sum(added.values()) - award["cents"]
        for seat in self.paid.get(award["table"], {}):
            if self.setup["order"] != "dealers-right" or seat > award["seat"]:
                self.counted.add((award["table"], seat, award["level"]))
        stood["reserve"] -= added["reserve"]
        stood["overflow"] -= added["overflow"]
        self.final.setdefault(award["table"], set()).add(award["award"])

    def backed_out(self, entry: Book, award: dict[str, Any]) -> None:
        """Whoever got something gives it back, and as far as it is there all that was put on the next meter goes."""
        facts = entry["facts"]
        assert facts["by"][0] != facts["second"][0], entry
        assert {facts["by"][1], facts["second"][1]} <= {"executive", "manager"}, entry
        assert -self.to_players(entry) == award["now"] == facts["cents"], entry
        table, level = award["table"], award.get("level")
        game, stood_at, paid, counted = self.final.get(table, set()), self.stood.get(table, {}), self.paid, self.counted
        if table in self.ended:  # a game that can be reopened
            _, its_paid, stood_at, counted, game, _ = self.ended[table]
            paid = {table: its_paid}
        if level is not None:
            put_on = {"seed": award["seed_units"]}
            put_on |= {name: award[f"{name}_units"] - award[f"short_{name}_units"] for name in ("reserve", "overflow")}
            back = {name: facts[f"{name}_units"] for name in put_on}
            if "used the next meter" not in facts.get("alarm", ""):
                assert back == put_on, entry
            else:  # what is players' money goes back before the house's
                assert back["seed"] < put_on["seed"] or not put_on["seed"], entry
                assert all(back[name] <= put_on[name] for name in put_on), entry
            if award["award"] in game:
                stood = stood_at[level]
                stood["meter"] += award["cents"] - Fraction(
                    sum(award[f"{name}_units"] for name in ("seed", "reserve", "overflow")), MILLION
                )
                stood["meter"] = max(Fraction(0), stood["meter"])
                for name in ("reserve", "overflow"):
                    stood[name] += Fraction(award[f"{name}_units"], MILLION)
        elif award["award"] in game:
            paid[table].pop(award["seat"])
            counted -= {each for each in counted if each[:2] == (table, award["seat"])}
        game.discard(award["award"])

    def start(self, entry: Book) -> None:
        """Each wager is divided by the posted rates, to the last fraction of a cent."""
        table, seats = entry["facts"]["table"], entry["facts"]["seats"]
        assert table not in self.playing, entry
        self.ended.pop(table, None)
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
        """Follow the transfers one by one."""
        for source, target, units in [*entry["transfers"], *entry["facts"].get("locked", [])]:
            self.inside[source] -= Fraction(units, MILLION)
            self.inside[target] += Fraction(units, MILLION)
        for source, target, units in entry["transfers"]:
            cents, level = Fraction(units, MILLION), (source + ":").split(":")[1] or (target + ":").split(":")[1]
            self.money[source] -= cents
            self.money[target] += cents
            award_like = {"pending", "players"} if entry["kind"] not in ("start", "adjust") else {"pending"}
            for account, other, sign in ((source, target, -1), (target, source, 1)):
                if account.startswith("meter"):
                    (self.won if other.split(":")[0] in award_like else self.put_in)[level] += sign * cents

    def stand(self, level: str) -> dict[str, Fraction]:
        end = f":{level}" if level else ""
        return {name: self.inside[name + end] for name in ("meter", "reserve", "overflow")}

    def all_stand(self) -> dict[str, dict[str, Fraction]]:
        return {level["level"]: self.stand(level["level"]) for level in self.setup["levels"]}

    def take(self, entry: Book) -> None:
        """Every undecided award of a game is its share of the meters as they stood at the game's first hand."""
        for table in {award["table"] for award in self.open.values() if award.get("parts") != []}:
            for level in self.setup["levels"]:
                stood = dict(self.stood[table][level["level"]])
                mine = [award for award in self.open.values() if award["table"] == table]
                hands = [award for award in mine if award.get("level") == level["level"]] + self.fixed(table, level)
                for hand in sorted(hands, key=self.place):
                    self.take_one(entry, level, stood, hand)

    def take_one(self, entry: Book, level: Book, stood: dict[str, Fraction], hand: Book) -> None:
        if "fixed" in hand:
            stood["meter"] = max(Fraction(0), stood["meter"] - hand["fixed"])
            return
        assert hand["meter_units"] == stood["meter"] * MILLION, entry
        assert hand["cents"] == floor(stood["meter"] * Fraction(hand["share"])), entry
        stood["meter"] -= hand["cents"]
        if hand["share"] == "1":
            stood["meter"] += level["seed_cents"]
            for name in ("reserve", "overflow"):
                room = stood[name] if level["maximum_cents"] is None else level["maximum_cents"] - stood["meter"]
                added = min(stood[name], max(Fraction(0), Fraction(room)))
                assert hand[f"{name}_units"] == added * MILLION, entry
                stood["meter"] += added
                stood[name] -= added

    def fixed(self, table: int, level: Book) -> list[dict[str, Any]]:
        """What fixed pays took off a meter (style A)."""
        paid = dict(self.paid.get(table, {}))
        for award in self.open.values():
            if award["table"] == table and "parts" in award:
                paid[award["seat"]] = (award["award"], award["parts"])
        return [
            {"seat": seat, "award": award, "fixed": Fraction(part["units"], MILLION)}
            for seat, (award, parts) in paid.items()
            for part in parts
            if part["level"] == level["level"] and (table, seat, level["level"]) not in self.counted
        ]

    def place(self, hand: Book) -> tuple[int, int]:
        if self.setup["order"] == "dealers-right":
            return (0, -hand["seat"])
        return ("fixed" not in hand, hand["award"])

    def note(self, entry: Book) -> None:
        """Which hands a game has, and on which meters it is taken."""
        facts, kind, table = entry["facts"], entry["kind"], entry["facts"].get("table")
        if kind == "pay" and facts["parts"]:
            self.paid.setdefault(table, {})[facts["seat"]] = (entry["number"], facts["parts"])
        if kind == "unpay":
            self.paid.get(table, {}).pop(facts["seat"], None)
            self.counted = {each for each in self.counted if each[:2] != (table, facts["seat"])}
        if kind in ("take-back", "void", "unpay", "back-out") and table not in self.reopened:
            mine = [award for award in self.open.values() if award["table"] == table and award.get("parts") != []]
            if not mine and not self.paid.get(table) and not self.final.get(table):
                self.stood.pop(table, None)

    def balance(self, entry: Book) -> None:
        """Nothing appears, nothing vanishes, nothing is below nothing, and open awards are all that is pending."""
        assert sum(self.money.values()) == 0, entry
        for level in self.setup["levels"]:
            end = f":{level['level']}" if level["level"] else ""
            for purpose in ("meter", "reserve", "overflow", "pending"):
                assert self.money[purpose + end] >= 0, entry
                assert self.inside[purpose + end] >= 0, entry
            mine = [award for award in self.open.values() if award.get("level") == level["level"]]
            parts = [part for award in self.open.values() for part in award.get("parts", ())]
            units = sum(part["units"] for part in parts if part["level"] == level["level"])
            held = sum(award["cents"] for award in mine) + Fraction(units, MILLION)
            assert self.inside["pending" + end] == held, entry
            assert self.money["pending" + end] == 0, entry
            assert self.money["meter" + end] == self.put_in[level["level"]] + self.won[level["level"]], entry
            if level["maximum_cents"] is not None:
                assert floor(self.money["meter" + end]) <= level["maximum_cents"], entry
                assert floor(self.inside["meter" + end]) <= level["maximum_cents"], entry
            for table in self.playing:
                taken = [award["seat"] for award in mine if award["table"] == table]
                if self.setup["order"] == "dealers-right":
                    assert taken == sorted(taken, reverse=True), entry
