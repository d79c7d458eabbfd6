#!/usr/bin/env python3
"""Prove an exported ledger of Croupier, offline, with nothing but Python 3.11 or later and this one file.

    python verify_ledger.py EXPORT [--anchors FILE ...] [--key FILE-OR-HEX ...] [--json]

It was written from docs/formats/ledger.md ("ledger 7.6" below is paragraph 7.6 of that page) and shares no line with
the program that keeps the books. Every row is written anew from the rules, and must come out as the very text that was
sealed.

It ends with 0 where nothing is wrong, with 1 where something is, naming the first wrong row, and with 2 where there is
nothing to read.

How to read it. Parts 1 to 3 decide all money of a link, in 894 lines: an hour's reading, and enough to believe every
meter and every award. Part 4 is what must be so before money moves, part 5 people and papers (and the bank's account),
parts 6 and 7 signatures and the file. Part 8 is for games of older laws. They are for a question that has come up.

    1. The chain                       101 lines   the form of a row, its seal, its place; accounts that come to nothing
    2. Meters, hands and awards        600 lines   a game, a hand, the order of hands, a card; hands taken back
    3. What is put right or moved on   193 lines   awards backed out, adjustments, links made and retired
    4. The rest of a link's book       253 lines   who signed, cards, calls, slips, setups, paytables
    5. People                          549 lines   who may do what, second persons, the site's book
    6. Signatures                      206 lines   checkpoints, anchors, Ed25519
    7. The file                        340 lines   books in a file, anchors beside it, what is printed
    8. Older laws                       76 lines   games that were settled by the first law, or confirmed by the third
"""

import argparse
import base64
import email
import gzip
import hashlib
import json
import os
import re
import sys
import zlib
from array import array
from collections import defaultdict
from datetime import date, datetime, timedelta
from fractions import Fraction
from operator import itemgetter
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

CENT = 1_000_000  # units in a cent; also the whole, in ppm (ledger 3.1)
MOST_UNITS, MOST_CENTS = 2**62, 10**11
ZEROS = "0" * 64
LAW = 4  # the newest law of a game that this program knows


class Wrong(Exception):
    """The first thing that is not as the rules say; `row` is 0 where it is no row."""

    def __init__(self, why, stream="", row=0):
        super().__init__(why)
        self.stream, self.row = stream, row


def demand(fine, why):
    if not fine:
        raise Wrong(why)


# ---------------------------------------------------------------------------------------------------------------------
# PART 1. THE CHAIN
#
# Each row is sealed, follows the one before it, and moves money from one account to another without making any.


def refuse_number(text):
    raise ValueError(f"{text} is no whole number")


canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode  # ledger 2.2
read = json.JSONDecoder(parse_float=refuse_number, parse_constant=refuse_number).decode
is_time = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z", re.ASCII).fullmatch
NAMES = {"at", "before", "command", "facts", "kind", "number", "transfers"}
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
MAY_OWE = {"players", "tray", "house", "floor", "bank"}  # all but the accounts of a level


def is_text(value, most=64, least=1):
    return type(value) is str and least <= len(value) <= most and value.isprintable()


def is_number(value, low=0, high=MOST_CENTS):
    return type(value) is int and low <= value <= high


class Book:
    """What every book has: rows that follow one another, and money that goes from account to account."""

    def __init__(self, stream, marks):
        self.stream, self.marks = stream, marks
        self.number, self.digest, self.at, self.day = 0, ZEROS, "", ""
        self.began = ""  # the time of its first row
        self.money = defaultdict(int)  # by account, in units
        self.row, self.transfers = {}, []  # that is being decided
        self.commands = array("q")  # eight bytes a row, to find one that stands twice
        self.kinds = defaultdict(int)
        self.seconded = self.agreed = 0  # rows with a second person, and those with an agreement

    def take(self, line):
        """The next row of the file: its seal, its place, and what the rules make of it."""
        body = line[83:-2]
        digest = hashlib.sha256(body).hexdigest()
        demand(line[:11] == b'{"digest":"' and line[75:83] == b'","row":' and line[-2:] == b"}\n", "It is no row.")
        demand(line[11:75] == digest.encode(), "It was altered: its digest is not that of its content.")  # ledger 2.1
        try:
            text = body.decode("ascii")
            row = self.row = read(text)
            self._follows(row)
            self.transfers = []
            decided = self.decide(row["kind"], row["facts"])
            again = canonical({**row, "number": self.number + 1, "facts": decided, "transfers": self.transfers})
        except UNREADABLE as error:
            raise Wrong(f"It cannot be read: {error!r}.") from None
        if again != text:
            raise Wrong(difference(row, text, decided, self.transfers))
        for source, _, units in self.transfers:
            if units > MOST_UNITS or (self.money[source] < 0 and source not in MAY_OWE):
                raise Wrong(f"{source} would be below nothing, or too much is moved.")  # ledger 3.3, 3.4
        self.number, self.digest, self.at = self.number + 1, digest, row["at"]
        self.began = self.began or self.at
        self.commands.append(hash(row["command"]))
        self.kinds[row["kind"]] += 1

    def _follows(self, row):
        """Number, chain, clock and command (ledger 2.3)."""
        number, at = row["number"], row["at"]
        demand(row.keys() == NAMES, "It has other names than a row has.")
        if number != self.number + 1:
            raise Wrong(f"Entry {self.number + 1} is missing: {number!r} follows {self.number}.")
        demand(row["before"] == self.digest, "It does not follow the one before it: the chain is broken.")
        demand(is_time(at) and is_text(row["command"]), "Its time or its command is none.")
        demand(at >= self.at, "It is older than the one before it.")  # as texts, by 2.3
        if at[:10] != self.day:
            self.day = str(date.fromisoformat(at[:10]))

    def decide(self, kind, facts):
        """The facts that the rules make of the act; the money goes through `move`."""
        raise NotImplementedError

    def move(self, source, target, units):
        if units:  # ledger 3.3
            self.transfers.append([source, target, units])
            self.money[source] -= units
            self.money[target] += units

    def at_the_end(self, ending):
        demand("altered" not in ending, "The store had altered columns when it was exported.")  # ledger 1.4
        named = {"end": self.stream, "entries": self.number, "digest": self.digest, "configuration": self.configuration}
        demand(ending == named, "The book does not end where the file says.")
        demand(sum(self.money.values()) == 0, "The accounts together are not nothing.")
        parts = len(self.commands) // 1_000_000 + 1  # part by part, so that memory does not grow with the book
        for part in range(parts):
            seen = set()
            for place, command in enumerate(self.commands, 1):
                if command % parts == part:
                    if command in seen:
                        raise Wrong("It is of a command that was entered before: it was done twice.", row=place)
                    seen.add(command)


# ---------------------------------------------------------------------------------------------------------------------
# PART 2. METERS, HANDS AND AWARDS
#
# What wagers bring to a meter, what a hand takes from it and in which order, and whose card makes it final. Each method
# is one kind of row, by the law of today; what it asks that moves no money is in part 4.
#
# A hand stands here as rows have it, as a dict. A share of a meter is one with `share` (ledger 7.3). A fixed pay has
# `parts`, each on one level; where it takes a card it is an award too, and waits as one (ledger 7.23).

FUNDS = ("meter", "reserve", "overflow", "pending")
HANDS = {"enter", "pay", "take-back", "unpay", "void", "confirm"}  # the rows that change what is locked (ledger 7.21)


def account(purpose, level):
    return f"{purpose}:{level}" if level else purpose


class Level:
    """One meter as it is configured (ledger 5.3), its accounts, and the house's own on it (ledger 8.4)."""

    def __init__(self, setup):
        self.name, self.title = setup["level"], setup["level"] or "Progressive"
        demand(is_text(self.name, 64, 0), "A level has no name.")
        self.contribution, self.reserve_rate = setup["contribution_ppm"], setup["reserve_ppm"]
        seed, maximum = setup["seed_cents"], setup["maximum_cents"]
        demand(all(is_number(rate, 0, CENT) for rate in (self.contribution, self.reserve_rate)), "A rate is none.")
        demand(is_number(seed) and (maximum is None or is_number(maximum, seed)), "A seed or a maximum is none.")
        self.seed, self.maximum = seed * CENT, None if maximum is None else maximum * CENT
        self.meter, self.reserve, self.overflow, self.pending = (account(fund, self.name) for fund in FUNDS)
        self.held_in = self.meter, self.reserve, self.overflow
        self.own = self.own_pending = 0

    def fits(self, meter, units):
        """As much of these units as the meter takes below a posted maximum."""
        return units if self.maximum is None else min(units, max(0, self.maximum - meter))


class Game:
    """A table from START GAME to END GAME."""

    def __init__(self, round_, last=None):
        self.round, self.on, self.last = round_, False, last  # the last is the one that ended before it (ledger 6.4)
        self.law, self.started, self.seats, self.based = 1, "", [], []
        self.hands, self.stood = {}, {}  # hands by seat; (meter, reserve, overflow) by level, at the first hand
        self.stands = {}  # of a game that has ended, as `stood`: what its next first hand is taken from

    def paid(self):
        """Its hands with a fixed pay that came off the meters."""
        return [hand for hand in self.hands.values() if hand.parts]


class Hand:
    """A hand that was entered at a seat."""

    def __init__(self, seat, line, number, cards, level):
        self.seat, self.line, self.number, self.cards = seat, line, number, cards
        self.level = level  # that it wins a share of; None for a fixed pay
        self.cents, self.parts = 0, None  # of a fixed pay that is paid; None for what waits for a card
        self.final, self.counted = False, set()  # confirmed; levels that an award behind it has counted (ledger 7.14)


class Won:
    """An award that a card has confirmed, and what became of it (ledger 8)."""

    def __init__(self, award, law):
        self.award, self.cents, self.own, self.stands, self.law = award, award["cents"], 0, True, law

    def is_of(self, level):
        """Whether it is a share of this level that was not backed out."""
        return self.stands and self.award.get("level") == level.name


def shares_of(hands):
    return [hand for hand in hands if "share" in hand]


def total(hands, name):
    return sum(hand[name] for hand in hands)


def amount(hand):
    """What a hand takes from a level, in units: a share, or its part there."""
    return hand["cents"] * CENT if "share" in hand else hand["units"]


def is_on(award, level):
    """Whether an undecided award takes something from a level."""
    return level in [part["level"] for part in award["parts"]] if "parts" in award else award["level"] == level


def lock(level, stood, hands):
    """What these hands take, each from the meter that the one before it left (ledger 7.6): on paper, no money moves."""
    meter, reserve, overflow = stood
    locked = []
    for hand in hands:
        if "share" not in hand:
            lacks = max(0, hand["units"] - meter)
            meter -= hand["units"] - lacks
            locked.append({**hand, "added_units": lacks})
            continue
        share = Fraction(hand["share"])
        cents = meter * share.numerator // share.denominator // CENT
        award = {**hand, "cents": cents, "meter_units": meter, "seed_units": 0, "reserve_units": 0, "overflow_units": 0}
        award |= {"added_units": 0, "short_reserve_units": 0, "short_overflow_units": 0}
        meter -= cents * CENT
        if share == 1:
            award["seed_units"] = level.seed
            award["reserve_units"] = level.fits(meter + level.seed, reserve)
            award["overflow_units"] = level.fits(meter + level.seed + award["reserve_units"], overflow)
            meter += level.seed + award["reserve_units"] + award["overflow_units"]
            reserve -= award["reserve_units"]
            overflow -= award["overflow_units"]
        locked.append(award)
    return locked


def sums_of(hands):
    """What hands of a game move on a level (ledger 7.17); fixed pays that wait for a card are held as awards are."""
    shares, held = shares_of(hands), [hand for hand in hands if hand.get("waits", True)]
    pays = [hand for hand in hands if not hand.get("waits", True)]
    return {
        "awards": sum(map(amount, held)) - total(held, "added_units"),
        "pays": sum(map(amount, pays)) - total(pays, "added_units"),
        "house_awards": total(held, "added_units"),
        "house_pays": total(pays, "added_units"),
        "seed": total(shares, "seed_units"),
        "reserve": total(shares, "reserve_units") - total(shares, "short_reserve_units"),
        "overflow": total(shares, "overflow_units") - total(shares, "short_overflow_units"),
    }


def net(moves, less=()):
    """By pair of accounts what is moved from the first to the second, once what comes back is off (ledger 7.22)."""
    sums = {}
    for source, target, units in [*moves, *([target, source, units] for source, target, units in less)]:
        pair, sign = ((target, source), -1) if (target, source) in sums else ((source, target), 1)
        sums[pair] = sums.get(pair, 0) + sign * units
    return {pair if units > 0 else pair[::-1]: abs(units) for pair, units in sums.items() if units}


def listed(pairs):
    return [[*pair, units] for pair, units in pairs.items()]


def named_stands(stands):
    return {level: dict(zip(FUNDS[:3], units, strict=True)) for level, units in stands.items()}


def from_first_change(before, held):
    """Of awards in their order, those from the first on that differs in anything (ledger 7.9)."""
    alike = 0
    while alike < min(len(before), len(held)) and before[alike] == held[alike]:
        alike += 1
    return held[alike:]


class Meters(Book):
    """The meters of a link, its games, and the awards that no card has confirmed."""

    def __init__(self, stream, marks, roster):
        super().__init__(stream, marks)
        self.name, self.roster = stream.removeprefix("link:"), roster
        self.law = 1  # the newest by which a game was taken: a book does not go back (ledger 7.4)
        self.setup, self.configuration, self.game_digest = None, "", ""
        self.levels, self.lines, self.tables = {}, {}, {}  # by name, by label, by number: seats
        self.status = "closed"
        self.games = {}  # by table, in the order in which they first played
        self.awards = {}  # undecided, by number, in the order in which they were locked last
        self.calls = {}  # by table: the row that called, and whether somebody took it (ledger 7.13)
        self.won = {}  # confirmed, by number, in the order of the cards
        self.own_paid = 0  # of the house's own on meters, what the row that is being decided has paid (ledger 8.8)
        self.payable, self.slips = {}, {}  # confirmed, by number; slips, by number: [award, paid]
        self.received = {}  # digests of retirements taken over, with our row
        self.retired, self.gave = None, None  # number and digest of the row that ended this book; where to, and units
        self.to = ""  # the link that it was retired to
        self.locked = {}  # moved inside alone, for undecided hands: units by (from, to) (ledger 7.20)
        self.trying = False  # whether what is moved now is moved inside
        self.award_cents = self.pay_cents = 0

    # Every row

    def decide(self, kind, facts):
        if kind not in MAY or (self.setup is None) != (kind == "make") or self.status == "retired":
            raise Wrong(f"{kind!r} is no kind of row of a link, or none that may stand here.")
        self._signed(kind, facts)
        decide = getattr(self, "_" + kind.replace("-", "_"))
        waits, self.own_paid = kind in HANDS and (kind != "pay" or self.locked or self.awards), 0
        decided = self._decide_inside(kind, facts, decide) if waits else decide(facts)
        if kind == "confirm" and "level" in decided:
            self.won[decided["award"]].own = self.own_paid
        decided["by"] = facts["by"]
        for name in ("where", "second", "agreed", "notes"):
            if name in facts:
                decided[name] = facts[name]
        return decided

    def _decide_inside(self, kind, facts, decide):
        """A hand is decided inside; the book has what decided hands move, the card the rest (ledger 7.20 to 7.22)."""
        shown = {level.name: self.shown(level) for level in self.levels.values()} if kind == "confirm" else {}
        book, self.money, self.trying = self.money, self.inside(), True
        decided = decide(facts)
        moved, self.transfers = self.transfers, []
        for table, game in self.games.items():
            undecided = self._undecided(table)
            if undecided and game.stood and game.law >= 3:
                self.second_law(game, undecided, [], game.paid())
        locked = net((), self.transfers)
        self.money, self.transfers, self.trying = book, [], False
        more = listed(net(listed(locked), listed(self.locked)))
        if more:
            decided["locked"] = sorted(more)
            self._move_apart(net(moved, more))
        for transfer in () if more else moved:
            self.move(*transfer)
        self.locked = net(listed(self.locked) + sorted(more))
        if "level" in decided and kind == "confirm":  # ledger 7.14, 7.22
            level, law = self.levels[decided["level"]], self.games[decided["table"]].law
            decided["shown_cents"] = self.shown(level) if law >= 3 else shown[level.name]
        return decided

    def inside(self):
        """The accounts together with what is locked (ledger 7.20)."""
        money = defaultdict(int, self.money)
        for (source, target), units in self.locked.items():
            money[source] -= units
            money[target] += units
        return money

    def _move_apart(self, left):
        """Level by level in the order of ledger 7.18, and then what is left (ledger 7.22)."""

        def taken(source, target):
            return left.pop((source, target), 0) - left.pop((target, source), 0)

        for level in self.levels.values():
            meter, pending = level.meter, level.pending
            more = {"awards": taken(meter, pending), "pays": taken(meter, "players")}
            more |= {"house_awards": taken("house", pending), "house_pays": taken("house", "players")}
            more |= {"seed": taken("house", meter), "reserve": taken(level.reserve, meter)}
            self._move_difference(level, {**more, "overflow": taken(level.overflow, meter)})
        for (source, target), units in left.items():
            self.move(source, target, units)

    def move(self, source, target, units):
        """Besides moving, follow the house's own (ledger 8.4)."""
        super().move(source, target, units)
        if self.trying or not units:
            return
        purpose, _, name = source.partition(":")
        if purpose == "meter":
            level = self.levels[name]
            own = max(0, level.own - (units if target == "house" else 0))
            level.own = min(own, max(0, self.money[source]))
            level.own_pending += own - level.own if target == level.pending else 0
        elif purpose == "pending":
            level = self.levels[name]
            if self.row["kind"] == "back-out":  # what went with the award, not what is held for others (ledger 8.8)
                level.own += min(units, self.won[self.row["facts"]["award"]].own) if target == level.meter else 0
                return
            back = min(units, level.own_pending) if target != "house" else 0
            level.own_pending -= back
            self.own_paid += back if target == "players" else 0
            level.own += back if target == level.meter else 0
        elif source == "house" and target.startswith("meter") and self.row["kind"] not in ("pay", "unpay", "receive"):
            self.levels[target.partition(":")[2]].own += units

    def cap(self, level, stands=0):
        """ledger 3.6; by what it stands at inside, where that is more (ledger 8.2)"""
        if level.maximum is not None:
            over = max(self.money[level.meter], stands) - level.maximum
            self.move(level.meter, level.overflow, over if over >= CENT else 0)

    def shown(self, level):
        return self.money[level.meter] // CENT

    # A game (ledger 6)

    def _start(self, facts):
        table, seats, based = facts["table"], facts["seats"], facts["based"]
        demand(self.status == "open" and self._is_table(table), "The link is not open, or the table is not on it.")
        game, there = self.games.setdefault(table, Game(0)), self.tables[table]  # its seats, rising
        demand(not game.on, "A game is on at the table.")
        rising = all(named == [seat for seat in there if seat in named] for named in (seats, based))
        demand(rising, "A seat is none of the table, or they do not rise.")
        demand(set(seats) <= set(based), "A seat has a progressive wager and no base wager.")
        seats, based = ([seat for seat in there if seat in named] for named in (seats, based))  # numbers, not `true`
        game.round, game.on, game.last, game.started = game.round + 1, True, None, self.row["at"]
        game.seats, game.based = seats, based
        wagers = len(seats) * self.setup["wager_cents"]
        inside = self.inside() if self.locked else self.money
        for level in self.levels.values():
            units = wagers * level.contribution
            taken = level.fits(max(self.money[level.meter], inside[level.meter]), units)
            self.move("players", level.meter, taken)
            self.move("players", level.overflow, units - taken)
            self.move("players", level.reserve, wagers * level.reserve_rate)
        self.move("players", "tray", wagers * self.tray)
        said = {"table": table, "round": game.round, "seats": seats, "based": based}
        return {**said, "wager_cents": self.setup["wager_cents"]}

    def _end(self, facts):
        table, game = facts["table"], self._game(facts)
        demand(not self._undecided(table), "An award at the table is undecided.")
        game.on, game.stands = False, game.stands or self._stands()
        self.games[table] = Game(game.round, game)
        return {"table": table, "round": game.round}

    def _stands(self):
        """What each level stands at, inside."""
        money = self.inside() if self.locked and not self.trying else self.money
        return {level.name: [money[name] for name in level.held_in] for level in self.levels.values()}

    def _is_table(self, table):
        return type(table) is int and table in self.tables

    def _game(self, facts):
        game = self.games.get(facts["table"])
        demand(game and game.on and self._is_table(facts["table"]), "No game is on at the table, or it is not here.")
        return game

    def _undecided(self, table):
        return [award for award in self.awards.values() if award["table"] == table]

    # A hand is entered (ledger 7.1 to 7.10)

    def _enter(self, facts):
        game, table = self._game(facts), facts["table"]
        said, hand = self._claim(facts, game, "enter")
        award = {"award": hand.number, "table": table, "round": game.round, "seat": hand.seat, "line": hand.line}
        award |= {"entered_by": facts["by"][0], "called": False}
        if hand.level is None:  # a fixed pay that waits for a card (ledger 7.23)
            cents = self._fixed_cents(said["pays"])
            award |= {"cents": cents, "parts": self._divided(cents)}
        else:
            award |= {"level": hand.level, "share": str(Fraction(int(said["pays"].partition("%")[0]), 100))}
        if award.get("parts") == []:  # from the tray
            self.awards[hand.number] = award
            said["held"] = [award]
        else:
            said |= self._stood(facts, game)
            said |= self.take_hands(table, [*self._undecided(table), award], game.paid())
        if hand.level is not None and self.setup["order"] == "dealers-right":  # ledger 7.9
            final = [other for other in game.hands.values() if other.final and other.level == hand.level]
            behind = sorted(other.seat for other in final if other.seat < hand.seat)
            said |= {"confirmed_before_it": behind} if behind else {}
        game.hands[hand.seat] = hand
        return said

    def _pay(self, facts):
        game, table = self._game(facts), facts["table"]
        said, hand = self._claim(facts, game, "pay")
        hand.cents = self._fixed_cents(said["pays"])
        hand.parts = self._divided(hand.cents)
        if hand.parts:
            said |= self._stood(facts, game)
            said |= self.take_hands(table, self._undecided(table), [*game.paid(), hand])
        else:
            self.move("tray", "players", hand.cents * CENT)
        game.hands[hand.seat] = hand
        self.pay_cents += hand.cents
        return {**said, "cents": hand.cents, "parts": hand.parts}

    def _takes_card(self, pays):
        """Every share, and a fixed pay from a set amount on (ledger 7.1)."""
        card = self.setup.get("fixed_pay_card_cents")
        return "%" in pays or (card is not None and self._fixed_cents(pays) >= card)

    def _fixed_cents(self, pays):
        return int(pays.removesuffix(" for 1")) * self.setup["wager_cents"]

    def _divided(self, cents):
        """The parts of a fixed pay in style A, by level, as contributions are (ledger 7.10); none in style B."""
        if self.setup["style"] == "B":
            return []
        rates = [level.contribution for level in self.levels.values()]
        rates = rates if sum(rates) else [1] * len(rates)
        parts = [cents * CENT * rate // sum(rates) for rate in rates]
        parts[0] += cents * CENT - sum(parts)
        named = zip(self.levels, parts, strict=True)
        return [{"level": name, "units": units, "added_units": 0} for name, units in named if units]

    def _stood(self, facts, game):
        """Note what stands, and the law, where this is the game's first hand that touches a meter (ledger 7.4)."""
        if game.stood:
            return {}
        oldest, law = max(self.law, 3 if "fixed_pay_card_cents" in self.setup else 1), facts.get("law", 1)
        demand(type(law) is int and oldest <= law <= LAW, f"The law {law!r} is not known to this program, or too old.")
        game.law = self.law = law
        game.stood = {name: list(units) for name, units in (game.stands or self._stands()).items()}
        return {"stood": named_stands(game.stood), **({"law": law} if law > 1 else {})}

    # The hands of a game, in order (ledger 7.5 to 7.9, 7.17 to 7.19, 7.25)

    def take_hands(self, table, awards, pays):
        """Hold these awards of a game and pay these hands of it, by its law: all the money that this moves.

        Gives what the row says of it; hands get their parts as they are now.
        """
        game = self.games[table]
        law = self.second_law if game.law > 1 else lambda *hands: first_law(self, *hands)
        held, parts, lent, dry = law(game, self._undecided(table), awards, pays)
        for award in held:
            self.awards.pop(award["award"], None)
            self.awards[award["award"]] = award
        for hand, now in parts:
            hand.parts = now
        others = {str(hand.seat): now for hand, now in parts if hand in game.hands.values()}
        said = {"held": held} if held else {}
        said |= {"fixed_parts": others} if others else {}
        if any(award["cents"] == 0 for award in held):  # ledger 7.15
            said["alarm"] = "A meter is empty: an award of nothing is held."
        if lent:
            said["alarm"] = "Awards at other tables had used the meter: the house has added what was missing."
        if dry:
            said["alarm"] = f"{', '.join(dry)} ran dry: the house has added what was missing."
        return said

    def in_order(self, hands):
        """ledger 7.5, 7.25"""
        by_entry = self.setup["order"] == "entry"
        return sorted(hands, key=lambda hand: ("share" in hand, hand["award"]) if by_entry else -hand["seat"])

    def hands_on(self, level, awards, pays):
        """Of awards that wait and fixed pays that are paid, what is on a level, in order; without counted parts."""
        hands = [award for award in awards if award.get("level") == level.name]
        fixed = [(award["seat"], award["award"], award["parts"], True) for award in awards if "parts" in award]
        fixed += [(hand.seat, hand.number, hand.parts, False) for hand in pays if level.name not in hand.counted]
        for seat, number, parts, waits in fixed:
            mine = [part for part in parts if part["level"] == level.name]
            hands += [{**part, "seat": seat, "award": number, "waits": waits} for part in mine]
        return self.in_order(hands)

    def second_law(self, game, before, awards, pays):
        """What the game has taken is thought back, and all of it taken anew (ledger 7.17)."""
        changed, added, lent, dry = [], {}, False, []
        for level in self.levels.values():
            for hand in game.paid():
                if hand not in pays and level.name in hand.counted:  # ledger 7.19
                    for part in [part for part in hand.parts if part["level"] == level.name]:
                        self.move("players", level.meter, part["units"] - part["added_units"])
                        self.move("players", "house", part["added_units"])
            was = self.hands_on(level, before, game.paid())
            held = lock(level, game.stood[level.name], self.hands_on(level, awards, pays))
            held = self._settle_anew(level, was, held)
            shares, old = shares_of(held), shares_of(was)
            changed += from_first_change(old, shares)
            more, more_old = total(shares, "added_units"), total(old, "added_units")
            lent |= more > more_old
            if total(held, "added_units") - more > total(was, "added_units") - more_old:
                dry.append(level.title)
            added |= {(hand["award"], level.name): hand["added_units"] for hand in held}

        def now(number, parts):
            return [{**part, "added_units": added.get((number, part["level"]), part["added_units"])} for part in parts]

        waiting = sorted((award for award in awards if "parts" in award), key=itemgetter("award"))  # ledger 7.23
        made = [{**award, "parts": now(award["award"], award["parts"])} for award in waiting]
        changed += [award for award in made if award not in before]
        parts = [(hand, now(hand.number, hand.parts)) for hand in pays]
        return changed, [(hand, new) for hand, new in parts if hand.parts != new], lent, dry

    def _settle_anew(self, level, before, wanted):
        """Move a level from what hands held before to what they want now (ledger 7.18)."""
        was, will, money = sums_of(before), sums_of(wanted), self.money
        reserve = min(will["reserve"], money[level.reserve] + was["reserve"])  # 1
        overflow = min(will["overflow"], money[level.overflow] + was["overflow"])
        without = money[level.meter] + was["awards"] + was["pays"] - was["seed"] - was["reserve"] - was["overflow"]  # 2
        there = without + will["seed"] + reserve + overflow
        lent = max(0, will["awards"] + will["pays"] - max(0, there))  # 3
        short = {"reserve": total(shares_of(wanted), "reserve_units") - reserve}
        short["overflow"] = total(shares_of(wanted), "overflow_units") - overflow
        held = []
        for hand in reversed(wanted):
            units = min(lent, amount(hand) - hand["added_units"])
            lent -= units
            held.insert(0, {**hand, "added_units": hand["added_units"] + units})
            for name in short if "share" in hand else ():  # 4
                units = min(short[name], hand[f"{name}_units"])
                held[0][f"short_{name}_units"] = units
                short[name] -= units
        will, missing = sums_of(held), max(0, -there)
        for name in ("seed", "reserve", "overflow"):  # 5
            stays = min(missing, max(0, was[name] - will[name]))
            will[name] += stays
            missing -= stays
        self._move_difference(level, {name: will[name] - was[name] for name in was})
        self.cap(level)
        return held

    def _move_difference(self, level, more):
        """ledger 7.18, step 6"""
        meter, pending = level.meter, level.pending
        for target, units in ((pending, more["house_awards"]), ("players", more["house_pays"])):
            self.move("house", target, max(0, units))
            self.move(target, "house", max(0, -units))
        winners = ((pending, more["awards"]), ("players", more["pays"]))
        for winner, units in winners:
            self.move(winner, meter, max(0, -units))
        rest = []
        for winner, units in winners:
            at_once = min(max(0, units), self.money[meter])
            self.move(meter, winner, at_once)
            rest.append((winner, max(0, units) - at_once))
        sides = (("house", more["seed"]), (level.reserve, more["reserve"]), (level.overflow, more["overflow"]))
        for side, units in sides:
            self.move(side, meter, max(0, units))
        for winner, units in rest:
            self.move(meter, winner, units)
        for side, units in reversed(sides):
            self.move(meter, side, max(0, -units))

    # A card decides (ledger 7.13, 7.14)

    def _confirm(self, facts):
        number, threshold = facts["award"], self.setup["executive_threshold_cents"]
        demand(number in self.awards, "There is no such undecided award.")
        award, (person, role) = self.awards[number], facts["by"]
        game, cents, units = self.games[award["table"]], award["cents"], award["cents"] * CENT
        hand = game.hands[award["seat"]]
        demand(role == EXECUTIVE or cents <= threshold, f"{role} confirms an award above the threshold.")
        demand(person != award["entered_by"], f"{person!r} entered the hand and confirms it.")
        if award.get("parts") != []:  # ledger 7.25: what is paid from the tray waits for no other hand
            line = [other for other in self._undecided(award["table"]) if other.get("parts") != []]
            first = self.in_order(line)[0] if game.law >= 4 else first_by_older_laws(self, award, line)
            demand(first is award, f"The award of seat {first['seat']} comes before it, and is undecided.")
        if "parts" in award:  # ledger 7.23
            for part in award["parts"]:
                self.move(self.levels[part["level"]].pending, "players", part["units"])
            self.move("tray", "players", 0 if award["parts"] else units)
            hand.cents, hand.parts = cents, award["parts"]
            self.pay_cents += cents
        else:
            level, put_on = self.levels[award["level"]], [award[f"{name}_units"] for name in PUT_ON]
            self.move(level.pending, "players", units)
            _, reserve, overflow = game.stood[level.name]
            meter = award["meter_units"] - units + sum(put_on)
            game.stood[level.name] = [meter, max(0, reserve - put_on[1]), max(0, overflow - put_on[2])]
            for other in game.paid():
                if self.setup["order"] == "entry" or other.seat > hand.seat:
                    other.counted.add(level.name)
            self.award_cents += cents
        hand.final, self.won[number] = True, Won(award, game.law)
        del self.awards[number]
        self._answered(award["table"])
        form = {"form": 2} if "form" in facts else {}
        return {**award, "threshold_cents": threshold, "game_digest": self.game_digest, **form}

    # A hand is taken back or voided (ledger 7.11, 7.12)

    def _take_back(self, facts):
        hand = self._game(facts).hands[facts["seat"]]
        demand(hand.parts is None and not hand.final, "There is no undecided award at the seat.")
        demand(not self.awards[hand.number]["called"], "A supervisor was called: only a card decides.")
        return self._release(self.awards[hand.number])

    def _void(self, facts):
        demand(is_text(facts["reason"], 500), "It has no reason.")
        return {**self._release(self.awards[facts["award"]]), "reason": facts["reason"]}

    def _release(self, award):
        table, number = award["table"], award["award"]
        names = ("award", "table", "round", "seat", "line", "level", "cents")
        said = {name: award[name] for name in names if name in award}
        others = [other for other in self.awards.values() if other["table"] != table and other["award"] > number]
        levels = [level for level in self.levels if is_on(award, level)]
        since = [str(other["award"]) for other in others if any(is_on(other, level) for level in levels)]
        left = [other for other in self._undecided(table) if other is not award]
        if award.get("parts") != []:
            said |= self.take_hands(table, left, self.games[table].paid())
        if since:
            said["alarm"] = f"Awards locked at other tables meanwhile stay as they are: {', '.join(since)}."
        del self.awards[number]
        self._answered(table)
        self._forget(self.games[table], award["seat"])
        return said

    def _unpay(self, facts):
        game, table, hand = self._game(facts), facts["table"], self._game(facts).hands[facts["seat"]]
        fine = hand.parts is not None and not hand.final
        demand(fine, "There is no fixed pay at the seat, or a card has confirmed it.")
        said = {"award": hand.number, "table": table, "round": game.round, "seat": hand.seat, "line": hand.line}
        said["cents"] = hand.cents
        if hand.parts:
            left = [other for other in game.paid() if other is not hand]
            said |= self.take_hands(table, self._undecided(table), left)
        else:
            self.move("players", "tray", hand.cents * CENT)
        self._forget(game, hand.seat)
        self.pay_cents -= hand.cents
        return said

    def _forget(self, game, seat):
        """Without a hand that touches a meter nothing stood (ledger 7.4), but in a game that was reopened (6.4)."""
        del game.hands[seat]
        for hand in game.hands.values():
            if hand.level is not None or hand.parts or self.awards.get(hand.number, {}).get("parts"):
                return
        game.stood = game.stood if game.stands else {}


# ---------------------------------------------------------------------------------------------------------------------
# PART 3. WHAT IS PUT RIGHT OR MOVED ON
#
# An award that is backed out, an adjustment, the seed of a new link, a link that is retired into another.

PUT_ON = ("seed", "reserve", "overflow")  # what an award of a whole meter puts on the next one
OUTSIDE = ("players", "tray", "house")
BESIDE = (*OUTSIDE, "reserve", "overflow")
PATHS = {  # ledger 8.1
    "amount-won": {("meter", "players"), ("players", "meter")},
    "malfunction": {("meter", other) for other in BESIDE} | {(other, "meter") for other in BESIDE},
    "above-maximum": {("meter", "overflow")},
    "gross-receipts": {("reserve", "house"), ("overflow", "house")},
    "seed-recovery": {("meter", "house")},
}


class PutRight(Meters):
    """The rows with which two people move money otherwise than a game does."""

    # An award is backed out (ledger 8.5 to 8.9)

    def _back_out(self, facts):
        number, reason, won = facts["award"], facts["reason"], self.won.get(facts["award"])
        demand(won and won.stands, "It backs out an award that no card has confirmed, or that was backed out before.")
        award, table, seat = won.award, won.award["table"], won.award["seat"]
        demand("parts" in award or won.law >= 3, "It backs out an award of a game that was settled by an earlier law.")
        demand(is_text(reason, 500), "It has no reason.")
        game = self.games[table]
        game = game if game.on or not game.last else game.last  # ledger 6.4
        in_its_game = seat in game.hands and game.hands[seat].number == number
        demand(not in_its_game or not self._undecided(table), "Another hand of its game is undecided.")
        said = {name: award[name] for name in ("award", "table", "round", "seat", "line")}
        said |= {"cents": won.cents, "reason": reason}
        said |= self._pay_back(award) if "parts" in award else self._share_back(won)
        if in_its_game:
            if "parts" not in award:
                seed, *put_on = (award[f"{name}_units"] for name in PUT_ON)
                meter, reserve, overflow = game.stood[award["level"]]
                meter = max(0, meter + award["cents"] * CENT - seed - sum(put_on))
                game.stood[award["level"]] = [meter, reserve + put_on[0], overflow + put_on[1]]
            self._forget(game, seat)
        won.cents, won.stands = 0, False
        return said

    def _share_back(self, won):
        """ledger 8.6"""
        award, level = won.award, self.levels[won.award["level"]]
        units, inside = won.cents * CENT, self.inside()[level.meter]
        added = min(award["added_units"], units)
        self._amount_back(level, units, added)
        inside += units - added
        said, short = {"level": level.name, "added_units": added}, False
        for name, target in (("overflow", level.overflow), ("reserve", level.reserve), ("seed", "house")):
            put_on = award[f"{name}_units"] - award.get(f"short_{name}_units", 0)
            back = max(0, min(put_on, self.money[level.meter], inside))
            short, inside = short or back < put_on, inside - back
            self.move(level.meter, target, back)
            said[f"{name}_units"] = back
        self.cap(level, inside)
        numbers = list(self.won)
        later = [self.won[number] for number in numbers[numbers.index(award["award"]) + 1 :]]
        since = [other.award for other in later if other.is_of(level)]
        since += [other for other in self.awards.values() if other.get("level") == level.name]
        named = ", ".join(str(other["award"]) for other in since)
        alarms = [f"Awards taken from this meter since stay as they are: {named}."] if since else []
        alarms += ["They had used the next meter: not all of its seed went back."] if short else []
        self.award_cents -= award["cents"]
        return {**said, "shown_cents": self.shown(level), **({"alarm": " ".join(alarms)} if alarms else {})}

    def _pay_back(self, award):
        """ledger 8.7"""
        for part in award["parts"]:
            level = self.levels[part["level"]]
            self._amount_back(level, part["units"], part["added_units"])
            self.cap(level, self.inside()[level.meter])
        self.move("players", "tray", 0 if award["parts"] else award["cents"] * CENT)
        self.pay_cents -= award["cents"]
        return {"parts": award["parts"]}

    def _amount_back(self, level, units, added):
        self.move("players", level.pending, units)
        self.move(level.pending, level.meter, units - added)
        self.move(level.pending, "house", added)

    # Adjustments (ledger 8)

    def _adjust(self, facts):
        level, reason, cents, award = (facts[name] for name in ("level", "reason", "cents", "award"))
        level, path, text = self.levels[level], (facts["from"], facts["to"]), facts["text"]
        demand(path in PATHS[reason], f"It is not lawful for {reason} to go from {path[0]} to {path[1]}.")
        demand(is_number(cents, 1) and is_text(text, 500), "Its amount is none, or it has no text.")
        units, shown, maximum, inside = cents * CENT, self.shown(level), level.maximum, self.inside()
        source, target = (name if name in OUTSIDE else account(name, level.name) for name in path)
        there = min(self.money[source], inside[source])
        demand(source in OUTSIDE or there >= units, f"There is not so much in {source}.")
        if reason == "above-maximum":
            demand(maximum is not None and cents <= shown - maximum // CENT, "The meter is not so much above.")
        if target == level.meter and source != "players" and maximum is not None:
            stands = max(shown, inside[level.meter] // CENT)
            demand((stands + cents) * CENT <= maximum, "It would lift the meter above its maximum.")
        if reason == "seed-recovery":
            demand(not any(is_on(other, level.name) for other in self.awards.values()), "An award is undecided.")
            demand(units <= level.own, "The house has not so much of its own on the meter.")
        roles = {facts["by"][1], facts["second"][1]}
        fine = target != "players" or EXECUTIVE in roles  # ledger 8.3
        demand(fine, "It pays players, and nobody who signed may confirm an award.")
        back, more = path == ("players", "meter"), path == ("meter", "players")
        demand(award is not None or not back or reason != "amount-won", "It backs out an award, and names none.")
        if award is not None:
            won = self.won.get(award)
            fine = won and won.is_of(level) and not (back and cents > won.cents)
            demand(fine, "The award is none, or not so much.")
            won.cents += -cents if back else cents if more else 0
        self.move(source, target, units)
        if source == "players":
            self.cap(level, inside[level.meter] + units)
        said = {"level": level.name, "reason": reason, "from": path[0], "to": path[1], "cents": cents}
        said |= {"text": text, "award": award, "shown_cents": shown}
        if "reseed" in facts:
            demand(facts["reseed"] is True and reason == "amount-won" and more, "It reseeds no win.")
            said |= {"reseed": True, **self._reseed(level, inside[level.meter] - units)}
        return said

    def _reseed(self, level, meter):
        """The next meter after a late winner; `meter` is what it is inside (ledger 8.10)."""
        said, inside = {"seed_units": level.seed}, self.inside()
        self.move("house", level.meter, level.seed)
        meter += level.seed
        for name, source in (("reserve", level.reserve), ("overflow", level.overflow)):
            there = min(self.money[source], inside[source])
            units = level.fits(max(self.money[level.meter], meter), there)
            self.move(source, level.meter, units)
            meter += units
            said[f"{name}_units"] = units
        self.cap(level, meter)
        return said

    # A link begins (ledger 5.1), and is retired (ledger 9)

    def _make(self, facts):
        signed = self._configure(facts["setup"], facts)
        for level in self.levels.values():
            self.move("house", level.meter, level.seed)
        return {"link": self.name, "setup": self.setup, **signed}

    def _quiet(self):
        """ledger 5.6"""
        busy = self.status == "open" or self.awards or any(game.on for game in self.games.values())
        demand(not busy, "The link is open, a game is on, or an award is undecided.")

    def _retire(self, facts):
        self._quiet()
        waiting = [award for award, paid in self.slips.values() if not paid and self._is_unchanged(award)]
        demand(not waiting, "A slip is not paid.")
        to, said = facts["to"], {name: facts[name] for name in ("to", "destination") if name in facts}
        if "destination" in said:
            demand(said["destination"] in DESTINATIONS[1:] and to == "", "Its prize goes where none may go.")
        else:
            demand(is_text(to) and to != self.name, "It retires to no other link.")
        if self.roster is not None:
            fine = self.roster.may_retire(self.name, said.get("destination", ""), self.row["at"])
            demand(fine, "By the site's book no approved plan, posted long enough, lets it be retired so.")
        for level in self.levels.values():
            for name in level.held_in:
                self.move(name, "house", self.money[name])
        self.status, self.to = "retired", to
        self.gave = [said.get("destination", ""), sum(each[2] for each in self.transfers)]
        return {"link": self.name, **said}

    def _receive(self, facts):
        self._quiet()
        source, entry, levels = facts["source"], facts["entry"], facts["levels"]
        body = {name: value for name, value in entry.items() if name != "digest"}
        whole = hashlib.sha256(canonical(body).encode()).hexdigest() == entry["digest"]
        demand(whole and body.keys() == NAMES and entry["kind"] == "retire", "What it received is no row, or altered.")
        named = (entry["facts"]["link"], entry["facts"]["to"])
        demand(named == (source, self.name), "What it received was retired to another link.")
        demand(entry["digest"] not in self.received, "It was received before.")
        carried = defaultdict(lambda: dict.fromkeys(FUNDS[:3], 0))
        for given, target, units in entry["transfers"]:
            purpose, _, level = given.partition(":")
            demand(target == "house" and is_number(units, 1, MOST_UNITS), "What it received moves other money.")
            carried[level][purpose] += units
        for theirs, units in carried.items():
            level = self.levels[levels[theirs]]
            for name, more in zip(level.held_in, units.values(), strict=True):
                self.move("house", name, more)
            self.cap(level)
        self.received[entry["digest"]] = (self.number + 1, source, entry["number"], self.row["at"])
        return {"source": source, "entry": entry, "levels": levels}


# ---------------------------------------------------------------------------------------------------------------------
# PART 4. THE REST OF A LINK'S BOOK
#
# Who signed, what the cards make, calls and slips, configuration and paytables: what is asked before money moves.

PAID_IN = ("cash", "chips", "check", "cash and check")
IDENTITIES = ("driver license", "state ID", "passport", "tribal ID", "military ID")
ASKED = ("tax-slip", "withholding", "currency-report")
SETUP = ("wager", "paytable", "decks", "wager_cents", "levels", "executive_threshold_cents", "tables", "style")
SETUP = (*SETUP, "order", "hole_card", "fixed_pay_card_cents", "least_round_s")  # in the order of ledger 5.7
LATER = {"fixed_pay_card_cents": MOST_CENTS, "least_round_s": 600}  # what older setups do not have, and its most


class Link(PutRight):
    """All rows of a link's book."""

    def take(self, line):
        super().take(line)
        if self.row["kind"] == "confirm" and "form" in self.row["facts"]:  # its digest is known now
            facts = self.row["facts"]
            asks = facts.get("notes", {}).get("checklist", ())
            self.payable[facts["award"]] = {"facts": facts, "digest": self.digest, "asks": asks, "slip": 0}
        if self.status == "retired":
            self.retired = (self.number, self.digest)

    def _signed(self, kind, facts):
        """Who signed may do it, could sign so then, and is two where it takes two (ledger 4.1 to 4.6)."""
        self._person(facts["by"], MAY[kind])
        demand(("second" in facts) == (kind in TWO), "It takes two people, or only one.")
        if kind in TWO:
            self._person(facts["second"], MAY[kind])
            person = facts["second"][0]
            demand(facts["by"][0] != person, "It takes two people, and one person has signed twice.")
            if self.roster is not None:
                at, turned = self.row["at"], self.roster.turned
                needed = bool(turned) and moved(at) > moved(turned, SLACK)  # ledger 4.12
                second_agreed(self, person, self.roster.keys_at(person, at), needed)
        demand(kind in TWO or "agreed" not in facts, "It carries an agreement, and takes one person.")
        demand("where" not in facts or is_text(facts["where"]), "Its place is none.")
        demand("notes" not in facts or (kind in NOTED and type(facts["notes"]) is dict), "It has notes.")  # ledger 2.5

    def _person(self, signed, may):
        person, role = signed
        if role not in may or not is_text(person):
            raise Wrong(f"{person!r} signed as {role!r}, who may not do it.")
        if self.roster is None or self.roster.could_sign(person, role, self.row["at"]) or signed == FLOOR:
            return
        raise Wrong(f"It is signed by {person!r} as {role}, who by the site's book could not sign so then.")

    # What the row of a hand says (ledger 7.1, 7.16, 7.24)

    def _claim(self, facts, game, kind):
        """What the row of a hand says before any money is thought of, and the hand."""
        seat, line = facts["seat"], facts["line"]
        if seat not in game.seats or type(seat) is not int or seat in game.hands:
            raise Wrong("The seat has no wager in the game, or a hand was entered there before.")
        pays = self.lines.get(line)
        if pays is None or self._takes_card(pays) != (kind == "enter"):
            raise Wrong(f"The paytable has no such hand, or not as {kind!r}.")
        least = timedelta(seconds=self.setup.get("least_round_s", 0))
        demand(not least or moved(game.started, least) <= moved(self.row["at"]), "The hand comes too soon.")
        said = {"table": facts["table"], "round": game.round, "seat": seat, "line": line, "pays": pays}
        said["game_digest"] = self.game_digest
        if "cards" in facts:
            said |= self._cards(facts, game, line)
        level = pays.partition("%")[2].strip() if "%" in pays else None
        return said, Hand(seat, line, self.number + 1, facts.get("cards", ""), level)

    def _cards(self, facts, game, line):
        """Cards are read again, and disagree with the line only where somebody has overridden them (ledger 7.16)."""
        cards, own_third = facts["cards"].split(" "), self.setup["wager"] == "blazing-7s-player"
        fine = all(len(card) == 2 and card[0] in RANKS and card[1] in "cdhs" for card in cards)
        demand(fine and (len(cards) == 3 or (own_third and len(cards) == 2)), "Its cards are none.")
        on_table = list(cards)
        for hand in game.hands.values():
            others = hand.cards.split(" ") if hand.cards else []
            demand(own_third or not others or others[2] == cards[2], "Two hands of the game see different up cards.")
            on_table += others if own_third else others[:2]
        demand(max(map(on_table.count, cards)) <= self.setup["decks"], "A card is on the table too often.")
        made = line_of(self.setup["wager"], self.lines, cards)
        said = {"cards": " ".join(cards), "cards_make": made}
        if made != line:
            override = facts["override"]
            self._person(override["by"], CARD)
            demand(override["by"][0] != facts["by"][0], "Whoever entered the hand has overridden the cards.")
            demand(is_text(override["reason"], 500) and len(override) == 2, "The override has no reason.")
            said["override"] = override
        return said

    # Calls, and a game that goes on (ledger 6.4, 7.13)

    def _call(self, facts):
        table, game = facts["table"], self._game(facts)
        awards = self.in_order(self._undecided(table)) if game.law >= 4 else self._undecided(table)
        demand(awards, "There is nothing to confirm at the table.")
        for award in awards:
            self.awards[award["award"]] = {**award, "called": True}
        if table not in self.calls or self.calls[table][1]:
            self.calls[table] = (self.number + 1, False)
        return {"table": table, "round": game.round, "awards": [award["award"] for award in awards]}

    def _take_call(self, facts):
        call, taken = self.calls[facts["table"]]
        demand(not taken, "Somebody has taken the call already.")
        self.calls[facts["table"]] = (call, True)
        return {"table": facts["table"], "round": self.games[facts["table"]].round, "call": call}

    def _answered(self, table):
        if not any(award["called"] for award in self._undecided(table)):
            self.calls.pop(table, None)

    def _reopen(self, facts):  # ledger 6.4
        table, reason, ended = facts["table"], facts["reason"], self.games[facts["table"]].last
        demand(ended and self._is_table(table), "No game has ended there that could go on, or another has begun.")
        demand(is_text(reason, 500), "It has no reason.")
        self.games[table], ended.on = ended, True
        said = {"table": table, "round": ended.round, "seats": ended.seats, "based": ended.based, "reason": reason}
        return {**said, "stands": named_stands(ended.stood or ended.stands)}

    # Jackpot slips (ledger 7.26 to 7.28)

    def _is_unchanged(self, award):
        won, found = self.won[award], self.payable[award]
        return won.stands and won.cents == found["facts"]["cents"]

    def _as_confirmed(self, award):
        found = self.payable.get(award)
        demand(found, "No card has confirmed that award.")
        demand(self._is_unchanged(award), "The award was put right or backed out: no slip pays it.")
        asks = [item["call"] for item in found["asks"] if item["call"] in ASKED]
        withheld = sum(item.get("cents", 0) for item in found["asks"] if item["call"] == "withholding")
        return found, asks, withheld

    def _issue_slip(self, facts):
        award = facts["award"]
        found, asks, withheld = self._as_confirmed(award)
        demand(not found["slip"], "The award has a slip.")
        found["slip"] = number = len(self.slips) + 1
        self.slips[number] = [award, False]
        said = {name: found["facts"][name] for name in ("award", "table", "seat", "line", "cents")}
        return {**said, "slip": number, "withheld_cents": withheld, "asks": asks, "confirmed": found["digest"]}

    def _pay_slip(self, facts):
        slip = self.slips.get(facts["slip"]) if type(facts["slip"]) is int else None
        demand(slip and not slip[1], "There is no such slip, or it was paid.")
        found, asks, withheld = self._as_confirmed(slip[0])
        demand(facts["by"][0] != found["facts"]["by"][0], "Who confirmed the award has paid it.")
        identity, paid_in = facts["identity"], facts["paid_in"]
        demand(paid_in in PAID_IN and identity in ("", *IDENTITIES), "It is paid in nothing known, or on no document.")
        demand(identity or not asks, "It asks for the player's identity, and has none.")
        slip[1] = True
        cents, table = found["facts"]["cents"], found["facts"]["table"]
        said = {"slip": facts["slip"], "award": slip[0], "table": table, "cents": cents, "withheld_cents": withheld}
        return {**said, "paid_cents": cents - withheld, "paid_in": paid_in, "identity": identity}

    # Configuration (ledger 5)

    def _configure(self, setup, facts):
        """Take a setup that can be, and give what its row says of it."""
        demand(set(SETUP) - LATER.keys() <= setup.keys() <= set(SETUP), "The setup has other names than a setup has.")
        later = all(is_number(setup.get(name, 0), 0, most) for name, most in LATER.items())
        demand(later and is_number(setup["executive_threshold_cents"]), "An amount or a time is none.")
        lines = PAYTABLES[setup["wager"]][setup["paytable"]]
        levels = [Level(level) for level in setup["levels"]]
        needed = list(dict.fromkeys(pays.partition("%")[2].strip() for pays in lines.values() if "%" in pays))
        demand([level.name for level in levels] == needed, f"The levels are not those of the paytable, {needed}.")
        rates = sum(level.contribution + level.reserve_rate for level in levels)
        demand(rates <= CENT, "Contributions and reserves are more than the wager.")
        demand(is_number(setup["wager_cents"], 1), "The wager is none.")
        demand(setup["style"] in ("A", "B") and setup["order"] in ("dealers-right", "entry"), "Style or order is none.")
        demand(setup["decks"] in (6, 8) and type(setup["decks"]) is int, "It is dealt from 6 or 8 decks.")
        tables = {table["number"]: range(1, table["seats"] + 1) for table in setup["tables"]}
        demand(len(tables) == len(setup["tables"]) > 0, "A table is named twice, or none is.")
        demand(facts["proof"].keys() == set(map(str, tables)), "Its proof is of other tables.")
        for table in setup["tables"]:
            same = all(table[name] == setup[name] for name in ("wager", "paytable", "decks"))
            fine = same and is_number(table["number"], 1) and is_number(table["seats"], 1, 7)
            demand(fine, "A table does not belong.")
            rows = facts["proof"][str(table["number"])]
            same = [(row["hand"], row["pays"]) for row in rows] == list(lines.items())
            demand(same and all(row["link"] == row["table"] for row in rows), "Its proof is of other lines or chances.")
        for level in levels:
            if level.name in self.levels:
                level.own, level.own_pending = self.levels[level.name].own, self.levels[level.name].own_pending
        self.setup, self.lines, self.tables, self.tray = setup, lines, tables, CENT - rates
        self.levels = {level.name: level for level in levels}
        self.game_digest = facts["game_digest"]
        self.configuration = hashlib.sha256(canonical([setup, self.game_digest]).encode()).hexdigest()  # ledger 5.2
        return {"configuration": self.configuration, "game_digest": self.game_digest, "proof": facts["proof"]}

    def _open(self, facts):
        demand(self.status == "closed" and facts["approved"] in ("", self.configuration), "It cannot be opened.")
        self.status = "open"
        shown = {level.name: self.shown(level) for level in self.levels.values()}
        approved = {"approved": facts["approved"], "configuration": self.configuration}
        return {**approved, "game_digest": self.game_digest, "shown_cents": shown}

    def _close(self, facts):
        demand(self.status == "open" and is_text(facts["reason"], 500, 0), "It is not open, or the reason is none.")
        self.status = "closed"
        return {"reason": facts["reason"], "games_on": [table for table, game in self.games.items() if game.on]}

    def _reconfigure(self, facts):
        self._quiet()
        old, new, names = self.setup, facts["new"], set(self.levels)
        signed = self._configure(new, facts)
        demand(old["wager"] == new["wager"] and names == set(self.levels), "It is another progressive.")
        for level in self.levels.values():
            fine = level.maximum is None or level.maximum >= self.shown(level) * CENT
            demand(fine, f"The maximum of {level.title} is below its meter.")
        for game in self.games.values():
            game.last = None
        changed = [name for name in SETUP if old.get(name) != new.get(name)]
        return {"old": old, "new": new, "changed": changed, **signed}


# The paytables of document 000 (ledger 5.4), and the lines that cards make (rulebook, blackjack 11 and 12)

DIAMONDS, SUITED, COLOR = "Three 7's - Diamonds", "Three 7's - Suited (Other)", "Three 7's - Same Color"
SEVENS = {
    "1": {"Three 7's - Same Suit": "100%", COLOR: "10%"},
    "2": {DIAMONDS: "100%", SUITED: "10%", COLOR: "500 for 1"},
    "ML03": {DIAMONDS: "100% Mega", SUITED: "100% Major", COLOR: "100% Minor"},
    "ML04": {DIAMONDS: "100% Major", SUITED: "100% Minor", COLOR: "500 for 1"},
}
FEWER = {"Three 7's": "200 for 1", "First Two Cards - 7": "25 for 1", "Either of the First Two Cards - 7": "2 for 1"}
SEVENS = {name: {**shares, **FEWER} for name, shares in SEVENS.items()}
TRILUX = {
    **{"Three Aces (Suited)": "100%", "Three of a Kind (Suited)": "125 for 1", "Straight Flush": "25 for 1"},
    **{"Three of a Kind (Offsuit)": "20 for 1", "Straight": "7 for 1", "Flush": "5 for 1"},
}
PAYTABLES = {"blazing-7s-dealer": SEVENS, "blazing-7s-player": SEVENS, "trilux": {"6": TRILUX}}
RANKS = "A23456789TJQKA"


def line_of(wager, lines, cards):
    """The line that cards make; nothing where they win nothing."""
    ranks, suits = [card[0] for card in cards], "".join(card[1] for card in cards)
    if wager == "trilux":
        flush, straight = len(set(suits)) == 1, set(ranks) in [set(RANKS[at : at + 3]) for at in range(12)]
        if len(set(ranks)) == 1:
            suited = "Three Aces (Suited)" if ranks[0] == "A" else "Three of a Kind (Suited)"
            return suited if flush else "Three of a Kind (Offsuit)"
        return "Straight Flush" if straight and flush else "Straight" if straight else "Flush" if flush else ""
    sevens = ranks[:2].count("7")
    if sevens < 2 or ranks[2:] != ["7"]:
        return ("", "Either of the First Two Cards - 7", "First Two Cards - 7")[sevens]
    if len(set(suits)) == 1:
        suited = DIAMONDS if suits == "ddd" else SUITED
        return suited if suited in lines else "Three 7's - Same Suit"
    return COLOR if set(suits) in ({"d", "h"}, {"c", "s"}) else "Three 7's"


# ---------------------------------------------------------------------------------------------------------------------
# PART 5. PEOPLE
#
# Who may do what, who agreed as the second person, and the site's book that says who they are.

DEALER, SUPERVISOR, EXECUTIVE, MANAGER, AUDITOR = "dealer", "supervisor", "executive", "manager", "auditor"
INSPECTOR, CASHIER = "inspector", "cashier"
ROLES = {DEALER, SUPERVISOR, EXECUTIVE, MANAGER, AUDITOR, INSPECTOR, CASHIER}
FLOOR = ["floor", "floor"]
TABLE, CARD, OFFICE, ALONE = {DEALER, SUPERVISOR, EXECUTIVE}, {SUPERVISOR, EXECUTIVE}, {EXECUTIVE, MANAGER}, {MANAGER}
MAY = {  # by kind of row of a link, who may do it (ledger 4.1)
    **dict.fromkeys(("start", "end", "call", "enter", "pay", "take-back", "unpay"), TABLE),
    **dict.fromkeys(("confirm", "void", "reopen"), CARD),
    **dict.fromkeys(("issue-slip", "pay-slip"), CARD | ALONE | {CASHIER}),
    **dict.fromkeys(("make", "reconfigure", "adjust", "back-out", "open", "retire", "receive"), OFFICE),
    **{"take-call": CARD | ALONE, "close": CARD | ALONE | {"floor"}},
}
TWO = {"make", "reconfigure", "adjust", "back-out", "retire", "receive"}
NOTED = {"make", "reconfigure", "open", "confirm", "pay", "adjust", "back-out"}  # ledger 2.5
SITE_MAY = {  # by kind of row of the site
    **dict.fromkeys(("enrol-person", "change-role", "replace-card", "enrol-device", "revoke-device"), ALONE),
    **dict.fromkeys(("set-table", "remove-table", "rename-site", "choose-profile"), OFFICE),
    **dict.fromkeys(("set-clock", "accept-time", "set-sign-in", "enter-approval", "withdraw-approval"), OFFICE),
    **dict.fromkeys(("declare-bank", "deposit", "close-day", "revoke-card", "reconcile"), OFFICE),
    **dict.fromkeys(("plan-removal", "give-prize"), OFFICE),
    **dict.fromkeys(("note-export", "note-backup"), OFFICE | {AUDITOR}),
    **dict.fromkeys(("record-paper", "withdraw-paper"), ALONE),
    **dict.fromkeys(("open-table", "close-table"), CARD),
    **{"note-pin": ROLES, "read-meter": CARD | ALONE, "keep-checkpoint": {MANAGER, AUDITOR}},
    "note-evidence": OFFICE | {AUDITOR, INSPECTOR},
}
SITE_TWO = {"set-table", "remove-table", "rename-site", "choose-profile", "set-clock", "accept-time", "set-sign-in"}
SITE_TWO |= {"change-role", "plan-removal", "give-prize", "enter-approval", "withdraw-approval"}
SLACK = timedelta(minutes=5)  # ledger 4.6
SPAN = timedelta(days=366)  # the longest of an inspector (ledger 4.22)
EDITION = re.compile("([a-z0-9]+(?:-[a-z0-9]+)*)(?:/([2-9]|[1-9][0-9]{1,2}))?")  # ledger 4.17
DESTINATIONS = ("another-progressive", "promotion", "free-tournament", "nonprofit")  # ledger 4.21
ON_GAME = DESTINATIONS[1:3]
POSTED = {("washington", 2): timedelta(days=10)}  # by place and first edition that asks for a plan (ledger 9.3)
WITHIN = {("washington", 2): timedelta(days=60)}  # by place and first edition that asks for a gift in time (ledger 9.4)
AFTER = {  # papers that follow others (ledger 4.19)
    ("internal-controls", "approved"): ("internal-controls", "submitted"),
    ("tribal-agency", "approved"): ("tribal-agency", "requested"),
    ("appendix-a-18", "sent"): ("tribal-agency", "requested"),
    ("state-concurrence", "given"): ("appendix-a-18", "sent"),
}


def moved(at, by=timedelta(0)):
    """A time so much later; written to the millionth, so that texts compare as times do."""
    try:
        return (datetime.fromisoformat(at[:-1]) + by).isoformat(timespec="microseconds") + "Z"
    except OverflowError:
        return "~" if by > timedelta(0) else ""


def day_there(at, zone):
    """The day of a time where the site stands; without the table of zones, the latest that it is anywhere."""
    try:
        return datetime.fromisoformat(at[:-1] + "+00:00").astimezone(ZoneInfo(zone)).date()
    except ZoneInfoNotFoundError:
        return date.fromisoformat(moved(at, timedelta(hours=14))[:10])


def days_of(asked, edition):
    """What an edition of a place asks for: no days, or one number of them."""
    return [days for (place, first), days in asked.items() if place == edition[0] and edition[1] >= first]


# The form of facts of the site's book: by kind of row what each must be, whatever the books say besides


def is_like(value, pattern):
    return type(value) is str and re.fullmatch(pattern, value, re.ASCII) is not None


def is_hex(value, digits=64):
    return is_like(value, f"[0-9a-f]{{{digits}}}")


def is_one_of(value, *values):
    return type(value) in (str, bool) and value in values


def is_list(value, most, words):
    return type(value) is list and 0 < len(value) <= most and all(is_text(each, words) for each in value)


def is_games(value):
    return 0 < len(value) <= 200 and all(is_text(name) and is_hex(digest) for name, digest in value.items())


TEXT, WORDS, HEX, TRUE, DAY = (is_text,), (is_text, 500, 0), (is_hex,), (is_one_of, True), (is_like, r"\d{4}-\d\d-\d\d")
SUM, SOME = (is_number, 0, 10 * MOST_CENTS), (is_number, 1, 10 * MOST_CENTS)
FILE = {"file": (is_text, 500), "digest": HEX, "size_bytes": (is_number, 1, MOST_UNITS)}
MONTH = (is_like, r"\d{4}-(0[1-9]|1[0-2])")
FORMS = {
    **{"note-key": {"key": HEX}, "note-check": {}, "note-backup": FILE, "note-evidence": FILE},
    "note-start": {"version": TEXT, "digest": HEX, "packages": HEX},
    "note-access": {"event": (is_one_of, "sign-in", "failed", "refused", "ended")},
    **{"set-sign-in": {"many_tables": (is_one_of, True, False)}, "rename-site": {"title": TEXT}},
    **{"declare-bank": {"balance_cents": SUM}, "deposit": {"amount_cents": SOME}, "enrol-device": {"device": TEXT}},
    "reconcile": {"month": MONTH, "statement_cents": SUM, "fund_cents": SUM, "note": WORDS},
    "plan-removal": {
        "approved": DAY,
        "posted": DAY,
        "link": TEXT,
        "plan": TEXT,
        "destination": (is_one_of, *DESTINATIONS),
    },
    "give-prize": {"amount_cents": SOME, "recipient": TEXT, "reference": TEXT, "note": WORDS},
    "enter-approval": {"key": TEXT},
    "record-paper": {"condition": TEXT, "step": TEXT, "reference": TEXT, "file": TEXT, "sha256": HEX},
}
MAY_SAY = {  # what rows that the program writes by itself may have besides, and no more
    "note-check": {"books": (bool,)},
    "note-start": {"changed": (is_list, 20, 500), "unmarked": TRUE, "own_games": (is_games,)},
    "note-access": {"how": TEXT, "why": TEXT, "session": TEXT, "happened": TEXT, "times": (is_number, 2, 10**9)}
    | {"person": (is_text, 64, 0)},
}


class Roster:
    """From when to when each person could sign in which role, with the slack of ledger 4.6."""

    def __init__(self):
        self.spells = defaultdict(list)  # by (person, role): [from, to], the last open while it lasts
        self.keys = defaultdict(list)  # by person: [public key, from, to], likewise (ledger 4.9)
        self.turned = ""  # when the first key was noted
        self.places = []  # when whose rules, in which edition, and which zone held: [since, (place, edition), zone]
        self.plans = defaultdict(list)  # by link: [since, posted, destination] (ledger 9.3)
        self.months = []  # [row, until, links] of reconciliations (ledger 4.21)
        self.given = []  # [row, time, link, destination, cents, game, note, place] (ledger 9.4)

    def change(self, person, before, after, at):
        """At this time a person's role went from `before` to `after`; None: cannot act."""
        if before and before != after:
            self.spells[person, before][-1][1] = moved(at, SLACK)
        if after and before != after:
            self.spells[person, after].append([moved(at, -SLACK), "~"])

    def new_key(self, person, key, at):
        """At this time a person's key to agree with became this one; None: there is none any more."""
        if self.keys[person] and self.keys[person][-1][2] == "~":
            self.keys[person][-1][2] = moved(at, SLACK)
        if key:
            self.keys[person].append([key, moved(at, -SLACK), "~"])
            self.turned = self.turned or at

    def then(self, spells, at):
        """Of things that each hold from a time on, what held then; with the slack, two or none."""
        sure = [each for each in spells if each[0] <= moved(at, -SLACK)]
        return [*(sure[-1:] or [None]), *(each for each in spells if moved(at, -SLACK) < each[0] <= moved(at, SLACK))]

    def may_retire(self, link, destination, at):
        """Whether a link could be retired so, by its plan and the rules of the place (ledger 9.3)."""
        for place in self.then(self.places, at):
            _, edition, zone = place or ("", ("", 0), "UTC")
            posted = days_of(POSTED, edition)
            for plan in self.then(self.plans[link], at):
                fine = not posted and not destination
                if plan is not None:
                    fine = fine or plan[2] == (destination or DESTINATIONS[0])
                    fine = fine and (not posted or date.fromisoformat(plan[1]) + posted[0] <= day_there(at, zone))
                if fine:
                    return True
        return False

    def keys_at(self, person, at):
        at = at if len(at) == 27 else moved(at)
        return [key for key, start, end in self.keys[person] if start <= at <= end]

    def could_sign(self, person, role, at):
        at = at if len(at) == 27 else moved(at)
        return any(start <= at <= end for start, end in self.spells.get((person, role), ()))


# The agreement of a second person (ledger 4.9 to 4.12): a signature by the key of that person's card and PIN

MINUTE = timedelta(seconds=60)
SAID = {  # by kind of row of a link: the facts that its act says; of a row of the site, all but those below
    **{"make": ("link", "setup"), "reconfigure": ("new",), "retire": ("to",), "receive": ("source", "levels")},
    "adjust": ("level", "reason", "cents", "text", "award", "from", "to"),
    "back-out": ("award", "reason"),
}
NOT_SAID = {"by", "second", "where", "agreed", "was"}


def second_agreed(book, person, keys, needed):
    """Count and check the agreement of a row's second person; `needed` where a row may not be without."""
    facts, kind = book.row["facts"], book.row["kind"]
    book.seconded += 1
    if "agreed" not in facts:
        demand(not needed, f"It does not carry the agreement of its second person {person!r}.")
        return
    until, signature = facts["agreed"]["until"], facts["agreed"]["signature"]
    fine = len(facts["agreed"]) == 2 and is_time(until) and len(until) == 27 and is_hex(signature, 128)
    demand(fine, "Its agreement is none.")
    said = facts.keys() - NOT_SAID
    if book.stream != "site":
        said = {*SAID[kind]} | ({"reseed", "destination"} & facts.keys())
    message = {"purpose": "croupier agreement 1", "book": book.stream, "kind": kind, "command": book.row["command"]}
    message |= {"by": facts["by"], "second": facts["second"], "says": {name: facts[name] for name in said}}
    text = canonical({**message, "until": until}).encode()
    fine = moved(until, -MINUTE - SLACK) <= moved(book.row["at"]) <= moved(until, SLACK)
    fine = fine and any(is_signed(bytes.fromhex(key), text, bytes.fromhex(signature)) for key in keys)
    demand(fine, f"Its agreement is not that of its second person {person!r}, by the key in the site's book.")
    book.agreed += 1


class Site(Book):
    """The site's book: who was enrolled as what, and the bank (ledger 4)."""

    configuration = ""

    def __init__(self, stream, marks):
        super().__init__(stream, marks)
        self.roster = Roster()
        self.role, self.card, self.active = {}, {}, set()  # of each person
        self.cards, self.pins = set(), set()  # ever given; people other than dealers who ever had a PIN
        self.digests = [ZEROS]
        self.signing = []  # the keys on record, in order
        self.until = {}  # by inspector: the first moment at which they can act no more (ledger 4.22)
        self.profile, self.edition = "", ("", 0)  # whose rules it goes by, and in which edition (ledger 4.17)
        self.many_tables = False  # whether a dealer may be at several tables (ledger 4.15)
        self.devices, self.at_tables, self.by_two = set(), {}, False  # ever enrolled; active; since two enrol them
        self.end_cards = False  # since a dealer's card ends with another role
        self.own, self.withdrawn, self.papers = set(), set(), {}  # the register (ledger 4.18 to 4.20)
        self.tables, self.open_tables = {}, set()  # by number: whether of the register

    def take(self, line):
        super().take(line)
        self.digests.append(self.digest)

    def decide(self, kind, facts):
        demand((kind == "create-site") == (self.number == 0), "The site is created twice, or not yet.")  # ledger 4.4
        for name, (fine, *bounds) in FORMS.get(kind, {}).items():
            demand(fine(facts[name], *bounds), f"Its {name} is none: {str(facts[name])[:80]!r}.")
        by, second = facts["by"], facts.get("second", "")
        if kind == "create-site":
            self._enrol(by, MANAGER, facts["card"])
            self.title, self.zone = facts["title"], facts["zone"]
            self._choose_profile(facts)
            return facts
        if kind == "note-key" or kind in MAY_SAY:  # ledger 4.3
            demand(not second and "agreed" not in facts, "Somebody agreed to what the program notes.")
            demand(by == "floor" or kind == "note-access", "Somebody signed what the program notes.")
        else:
            self._signed(kind, facts, by, second)
        if kind in MAY_SAY:
            for name in facts.keys() - FORMS[kind].keys() - {"by", "where"}:
                fine, *bounds = MAY_SAY[kind].get(name, (is_one_of,))  # none: it may not say that
                demand(fine(facts[name], *bounds), f"Its {name} is none: {str(facts[name])[:80]!r}.")
        decide = getattr(self, "_" + kind.replace("-", "_"), None)
        return {**facts, **(decide(facts) or {})} if decide else facts

    def _signed(self, kind, facts, by, second):
        """Whoever signs is enrolled, can act and may do it; two where it takes two (ledger 4.1, 4.2, 4.5, 4.6)."""
        demand(kind in SITE_MAY, f"{kind!r} is no kind of row of a site.")
        others = kind == "note-pin" and facts["person"] != by
        may = ALONE if others else SITE_MAY[kind]
        demand(by in self.active, f"{by!r} is not enrolled, or cannot act.")
        demand(by not in self.until or moved(self.row["at"]) < self.until[by], f"The span of {by!r} is over.")
        demand(self.role[by] in may, f"{by!r} is {self.role[by]}, who may not do it.")
        demand("second" not in facts or type(second) is str, "Its second person is none.")
        if not second:
            demand(not self._takes_two(kind, facts, by, others), "It takes two people, and one has signed.")
            demand("agreed" not in facts, "It carries an agreement, and names nobody who agreed.")
            return
        enrols = others or kind in ("enrol-person", "change-role", "replace-card", "enrol-device")
        demand(second in self.active and second != by, f"{second!r} is not a second person who can act.")
        fine = self.role[second] in (OFFICE if enrols else may)
        demand(fine, f"{second!r} is {self.role[second]}, who may not agree.")
        keys = [key for key, _, end in self.roster.keys[second] if end == "~"]  # ledger 4.11
        second_agreed(self, second, keys, needed=bool(self.roster.turned))

    def _takes_two(self, kind, facts, by, others):
        if kind not in ("enrol-person", "replace-card") and not others:
            return kind in SITE_TWO
        role = facts["role"] if kind == "enrol-person" else self.role[facts["person"]]
        if role != MANAGER or kind == "replace-card":
            return role != DEALER
        enrolled = kind == "enrol-person" and list(self.role.values()).count(MANAGER) > 1
        return enrolled or bool(self.pins - {by})

    # What the program notes (ledger 4.3, 4.15, 4.23)

    def _note_key(self, facts):
        was = self.signing[-1] if self.signing else ""
        demand(facts["key"] != was, "It notes no other key.")
        self.signing.append(facts["key"])
        return {"was": was}

    def _note_access(self, facts):
        event, person, by = facts["event"], facts.get("person", ""), facts["by"]
        demand(person in self.role or (not person and event in ("failed", "refused")), f"{person!r} is not enrolled.")
        if by != "floor":
            demand(event == "ended" and by in self.active, f"{by!r} is not enrolled, or cannot act.")
            demand(self.role[by] in OFFICE, f"{by!r} is {self.role[by]}, who may not do it.")

    def _note_check(self, facts):
        ends = all(type(each) is int and each >= 0 for each in facts["books"].values())
        demand(ends and 0 < facts["books"].get("site", 0) <= self.number, "It notes books beyond its own row.")

    _note_backup = _note_evidence = _note_check  # ledger 4.16

    # The place and its settings

    def _choose_profile(self, facts):
        """The edition of the place's rules; it never goes back to an older one of the same place (ledger 4.17)."""
        name = EDITION.fullmatch(facts["profile"])
        demand(name is not None, f"{facts['profile']!r} is no edition of a profile.")
        number, digest = int(name[2] or 1), facts.get("profile_digest")
        fine = digest is None if number == 1 else is_hex(digest)
        demand(fine, "It does not have the digest of its edition, or has one that it should not.")
        place, before = self.edition
        demand(name[1] != place or number > before, f"It goes from edition {before} of {place} to {number}.")
        was, self.edition, self.profile = self.profile, (name[1], number), facts["profile"]
        self.roster.places.append([moved(self.row["at"]), self.edition, self.zone])
        return {"was": was}

    def _set_clock(self, facts):
        self.zone = facts["zone"]
        self.roster.places.append([moved(self.row["at"]), self.edition, self.zone])

    def _set_sign_in(self, facts):
        demand(facts["many_tables"] != self.many_tables, "It changes nothing.")
        self.many_tables = facts["many_tables"]

    def _rename_site(self, facts):  # ledger 4.16
        was, self.title = self.title, facts["title"]
        demand(self.title != was, "It is the name that the site has.")
        return {"was": was}

    def _accept_time(self, facts):  # ledger 4.14
        time, at = facts["time"], self.row["at"]
        fine = moved(at, -SLACK) <= moved(time) <= moved(at, SLACK)
        demand(fine, f"The time that they accept, {time}, is not that of the row.")

    # People, their cards and PINs (ledger 4.4, 4.5, 4.9, 4.22)

    def _enrol(self, person, role, card):
        demand(is_text(person) and person not in self.role, f"{person!r} is enrolled already, or no name.")
        demand(role in ROLES and (card or role == DEALER), f"{person!r} is enrolled without a card.")
        self.role[person], self.card[person] = role, ""
        if card:
            self._give(person, card)
        self.active.add(person)
        self.roster.change(person, None, role, self.row["at"])

    def _give(self, person, card):
        demand(is_hex(card) and card not in self.cards, "That card was given before, or is none.")
        self.cards.add(card)
        self.card[person] = card

    def _span(self, facts):
        person, until, now = facts["person"], facts.get("until", ""), self.row["at"]
        self.until.pop(person, None)
        demand(bool(until) == (facts["role"] == INSPECTOR), "Only an inspector is enrolled for a span, and each is.")
        if until:
            demand(moved(until) == until, "Its span ends at no time.")
            demand(moved(now) < until <= moved(now, SPAN), "Its span is over, or too long.")
            self.until[person] = until

    def _enrol_person(self, facts):
        self._span(facts)
        self._enrol(facts["person"], facts["role"], facts["card"])
        demand(facts.get("with_pin", True) is True, "It says of a PIN what cannot be said.")
        if "with_pin" in facts and facts["role"] != DEALER:
            self.pins.add(facts["person"])

    def _change_role(self, facts):
        person, role, was = facts["person"], facts["role"], self.role[facts["person"]]
        demand(person not in (facts["by"], facts["second"]), "Nobody changes their own role.")
        same = role == was and facts.get("until", "") == self.until.get(person, "")
        demand(role in ROLES and not same, f"{person!r} is {was} already, or it is no role.")
        self._span(facts)
        demand(self.card[person] or role == DEALER, f"{person!r} has no card.")
        law = facts.get("law")
        fine = (law == 2 and type(law) is int) or (law is None and not self.end_cards)
        demand(fine, "It goes by a law that is over, or is none.")
        self.role[person], self.end_cards = role, law == 2
        if person in self.active and law == 2 and was == DEALER:  # one person has given that card out
            self._lose_card(person, was)
        elif person in self.active:
            self.roster.change(person, was, role, self.row["at"])
        return {"was": was}

    def _lose_card(self, person, role):
        self.active.remove(person)
        self.card[person] = ""
        self.roster.new_key(person, None, self.row["at"])
        self.roster.change(person, role, None, self.row["at"])

    def _replace_card(self, facts):
        person, role = facts["person"], self.role[facts["person"]]
        self._give(person, facts["card"])
        self.roster.new_key(person, None, self.row["at"])
        self.roster.change(person, role if person in self.active else None, role, self.row["at"])
        self.active.add(person)

    def _revoke_card(self, facts):
        person = facts["person"]
        demand(person in self.active, f"{person!r} cannot act already.")
        managers = [each for each in self.active if self.role[each] == MANAGER]
        demand(managers != [person], "The last manager is revoked.")
        self._lose_card(person, self.role[person])

    def _note_pin(self, facts):
        person, key = facts["person"], facts.get("key")
        demand(person in self.active, f"{person!r} cannot act.")
        if self.role[person] != DEALER:
            self.pins.add(person)
        if "key" in facts:
            fine = key.keys() == {"public", "salt", "made"} and is_hex(key["public"]) and is_hex(key["salt"], 32)
            demand(fine and is_text(key["made"], 100), "Its key is none.")
            demand(facts["by"] == person and self.card[person], "A key comes with a PIN of one's own, and with a card.")
        self.roster.new_key(person, key and key["public"], self.row["at"])

    # The bank, and prizes that are given away (ledger 4.7, 4.21, 9.4)

    def _declare_bank(self, facts):
        more = facts["balance_cents"] * CENT - self.money["bank"]
        self.move(*(("floor", "bank") if more > 0 else ("bank", "floor")), abs(more))

    def _deposit(self, facts):
        self.move("floor", "bank", facts["amount_cents"] * CENT)

    def _reconcile(self, facts):
        month, note, funds = facts["month"], facts["note"].strip(), facts["fund_cents"]
        demand(month <= self.row["at"][:7], "It reconciles a month that is to come.")
        difference = facts["statement_cents"] - funds
        demand(not difference or note, "It does not say how the difference was resolved.")
        if "links" not in facts:
            return {"difference_cents": difference}
        demand(is_time(facts["until"]) and facts["until"][:7] >= month, "Its month ends at no time.")
        units, until, whence = 0, moved(facts["until"]), f"The reconciliation in entry {self.number + 1} of the site"
        for link, told in facts["links"].items():
            self.marks.expect("link:" + link, told["entries"], told["digest"], whence, funds=told["units"], until=until)
            carried = told.get("carried_units", 0)
            demand(is_number(carried, 0, MOST_UNITS), f"What is on its way from {link} is no number.")
            units += told["units"] + carried
        self.roster.months.append([self.number + 1, until, facts["links"]])
        book = -(-units // CENT)
        demand(funds == book or note, "It does not say how the variance was resolved.")
        return {"difference_cents": difference, "book_cents": book, "variance_cents": funds - book}

    def _plan_removal(self, facts):
        demand(facts["approved"] <= facts["posted"], "A plan is approved first, and then posted.")
        plan = [moved(self.row["at"]), facts["posted"], facts["destination"]]
        self.roster.plans[facts["link"]].append(plan)

    def _give_prize(self, facts):
        plans, cents = self.roster.plans[facts["link"]], facts["amount_cents"]
        demand(plans and plans[-1][2] != DESTINATIONS[0], "No plan gives that prize away.")
        demand(is_text(facts["game"], 64, plans[-1][2] in ON_GAME), "It says no game.")
        prize = [facts["link"], plans[-1][2], cents, facts["game"], facts["note"], (self.edition, self.zone)]
        self.roster.given.append([self.number + 1, self.row["at"], *prize])
        demand(cents * CENT <= self.money["bank"], "It gives away more than the account for prizes holds.")
        self.move("bank", "floor", cents * CENT)

    # Devices, tables and the register (ledger 4.13, 4.18 to 4.20)

    def _enrol_device(self, facts):
        device, kind, table, two = facts["device"], facts["device_kind"], facts["table"], "second" in facts
        demand(device not in self.devices, f"{device!r} is enrolled already.")
        demand(facts.get("second") != "", "Its second person is nobody.")
        if kind in ("keypad", "bridge"):
            fine = two or (not self.by_two and kind == "keypad")
            demand(fine, f"A {kind} is enrolled by two people, and one has signed.")
            demand(not two or (kind, table) not in self.at_tables.values(), f"Table {table} has a {kind} already.")
            self.at_tables[device] = kind, table
        self.devices.add(device)
        self.by_two = self.by_two or two

    def _revoke_device(self, facts):
        self.at_tables.pop(facts["device"], None)

    def _set_table(self, facts):
        number, of_register = facts["table"]["number"], bool(facts["table"].get("on_file"))
        kept = self.own or self.withdrawn or self.papers or any(self.tables.values())
        demand(number not in self.open_tables, f"Table {number} is changed while it is open.")
        demand(of_register or not kept, f"Table {number} is not set from the register.")
        self.tables[number] = of_register

    def _remove_table(self, facts):
        demand(facts["number"] not in self.open_tables, f"Table {facts['number']} is removed while it is open.")
        self.tables.pop(facts["number"], None)

    def _open_table(self, facts):
        number = facts["number"]
        demand(self.tables.get(number) and number not in self.open_tables, f"Table {number} cannot be opened.")
        demand(type(facts["found"]) is dict, "It does not say what was found.")
        self.open_tables.add(number)

    def _close_table(self, facts):
        demand(facts["number"] in self.open_tables, f"Table {facts['number']} is not open.")
        self.open_tables.remove(facts["number"])

    def _enter_approval(self, facts):
        demand(facts["key"] not in self.own, "Its approval was entered before.")
        fine = type(facts["lines"]) is list and 0 < len(facts["lines"]) <= 1000
        demand(fine and all(type(line) is str for line in facts["lines"]), "Its approval has no lines.")
        self.own.add(facts["key"])

    def _withdraw_approval(self, facts):
        demand(facts["key"] not in self.withdrawn, "Its approval was withdrawn before.")
        self.withdrawn.add(facts["key"])

    def _record_paper(self, facts):
        dated, until, of = facts["dated"], facts.get("until", "9999-12-31"), facts.get("of", "")
        days = (datetime.fromisoformat(dated), datetime.fromisoformat(until))
        last = moved(self.row["at"], timedelta(days=1))[:10]  # wherever the site stands
        demand(days[0] <= days[1] and dated <= last, "Its days are out of order.")
        what = facts["condition"], facts["step"]
        if what in AFTER:
            there = [day for kind, whose, day in self.papers.values() if kind == AFTER[what] and whose in (of, "")]
            demand(there and min(there) <= dated, "It comes before a paper that it follows.")
        self.papers[self.number + 1] = what, of, dated

    def _withdraw_paper(self, facts):
        demand(self.papers.pop(facts["paper"], None), "It withdraws a paper that is not there.")

    # What it says of other books (ledger 4.8)

    def _read_meter(self, facts):
        book, whence = facts["book"], f"The reading in entry {self.number + 1} of the site"
        meter = (account("meter", facts["level"]), book["cents"])
        self.marks.expect("link:" + facts["link"], book["entry"], book["digest"], whence, cents=meter)
        return {"difference_cents": facts["read_cents"] - book["cents"]}

    def _close_day(self, facts):
        whence = f"The close of {facts['day']} in entry {self.number + 1} of the site"
        for link, told in facts["links"].items():
            if told["entries"]:
                units = {account("meter", level["level"]): level["closing_units"] for level in told["levels"]}
                self.marks.expect("link:" + link, told["entries"], told["digest"], whence, units=units)
        self._keep_checkpoint(facts)

    def _keep_checkpoint(self, facts):
        for stream, signed in facts["checkpoints"].items():
            body, whence = signed["checkpoint"], f"The checkpoint in entry {self.number + 1} of the site,"
            demand(body["stream"] == stream, f"{whence} is of another book.")
            self.marks.checkpoint(signed, whence)
            if stream == self.stream:  # of rows that were taken already
                fine = body["number"] <= self.number and self.digests[body["number"]] == body["digest"]
                demand(fine, f"{whence} is of another book.")


# ---------------------------------------------------------------------------------------------------------------------
# PART 6. SIGNATURES
#
# Of checkpoints and anchors (ledger 10), by which a book that was cut or written anew is found out.

CHECKPOINT = {"purpose", "stream", "day", "number", "digest", "balances"}
ANCHOR = {"purpose", "site", "series", "number", "at", "why", "day", "books"}
ARMOR = re.compile("-----BEGIN CROUPIER ANCHOR-----(.*?)-----END CROUPIER ANCHOR-----", re.DOTALL)
PRINTED = r"(CROUPIER-ANCHOR)\s+1\s+(\S+)\s+(\S+)\s+((?:\S+=\d+\s+)+)((?:[0-9a-fA-F]{8}-?\s*){8})([0-9a-fA-F]+)"
TYPED = re.compile(PRINTED + "|CROUPIER-ANCHOR.*")


class Marks:
    """What was said of rows of the books by checkpoints, anchors and the site's book."""

    def __init__(self, keys):
        self.keys = keys  # those that are trusted; none: any
        self.used_keys = set()
        self.of = defaultdict(lambda: defaultdict(list))  # by book and row: (digest, whence, what else it says)
        self.days = set()  # (stream, day, number, key) of every checkpoint, for those that supersede
        self.superseded = set()
        self.checked = set()
        self.signed = defaultdict(int)  # by book: the last row that is signed
        self.series = defaultdict(dict)  # of anchors: by series and number, what they say
        self.anchor_keys, self.sites, self.stamps = {}, [], set()
        self.lines, self.seen = [], {}  # printed lines; digests of rows that they name

    def expect(self, stream, number, digest, whence, **also):
        demand(is_number(number, 1, 2**62) and type(digest) is str, f"{whence} cannot be read.")
        self.of[stream][number].append((digest, whence, also))

    def signed_body(self, line, name, whence):
        """What a line says, if it is signed, by a key that is trusted where some are given."""
        body, key = line[name], line["key"]
        demand(not self.keys or key in self.keys, f"{whence} is signed with another key than the one given.")
        fine = is_signed(bytes.fromhex(key), canonical(body).encode(), bytes.fromhex(line["signature"]))
        demand(fine, f"{whence} was altered: its signature is not that of its content.")
        self.used_keys.add(key)
        return body, key

    def checkpoint(self, line, whence):
        """Take a signed checkpoint (ledger 10.1)."""
        try:
            body = line["checkpoint"]
            stream, day, number, again = body["stream"], body["day"], body["number"], "supersedes" in body
            names = CHECKPOINT | ({"supersedes", "reason"} if again else set())
            fine = len(line) == 3 and body.keys() == names and body["purpose"] == "croupier ledger checkpoint 1"
            fine = fine and date.fromisoformat(day) and is_text(stream, 500) and type(body["balances"]) is dict
            whence = f"{whence} of {stream} for {day}"
            demand(fine, f"{whence} cannot be read.")
            text = canonical(line)
            if text in self.checked:
                return
            body, key = self.signed_body(line, "checkpoint", whence)
        except UNREADABLE as error:
            raise Wrong(f"{whence} cannot be read: {error!r}.") from None
        self.checked.add(text)
        self.days.add((stream, day, number, key))
        if again:
            fine = is_number(body["supersedes"], 1, number - 1) and body["reason"]
            demand(fine, f"{whence} supersedes no earlier one.")
            self.superseded.add((stream, day, body["supersedes"], key))
        self.expect(stream, number, body["digest"], whence, balances=body["balances"], day=day, key=key)
        self.signed[stream] = max(self.signed[stream], number)

    def anchor(self, line, whence):
        """Take a signed anchor: where all books stood at one moment (ledger 10.5)."""
        try:
            body = line["anchor"]
            series, number, told = body["series"], body["number"], body["day"] or body["at"][:10]
            fine = line.keys() <= {"anchor", "key", "signature", "timestamps"} and body.keys() == ANCHOR
            fine = fine and body["purpose"] == "croupier anchor 1" and is_number(number, 1, 2**53)
            whence = f"{whence} {number:,} of {body['day'] or body['at'][:16] + 'Z'} (series {series})"
            demand(fine and type(body["books"]) is dict and "site" in body["books"], f"{whence} cannot be read.")
            body, key = self.signed_body(line, "anchor", whence)
            imprint = b"\x04\x20" + hashlib.sha256(canonical(body).encode()).digest()
            for stamp in line.get("timestamps", ()):  # ledger 10.8: the imprint is looked for, no signature is read
                demand(imprint in base64.b64decode(stamp), f"{whence} has a timestamp of another text.")
                self.stamps.add(canonical([series, number, stamp]))
            numbered = self.series[series].setdefault(number, body)
            demand(numbered == body, f"Two anchors are numbered {number:,} in series {series}, and they differ.")
            for stream, (row, digest) in body["books"].items():
                self.expect(stream, row, digest, whence, short=f"{number:,} of {told}")
                self.signed[stream] = max(self.signed[stream], row)
        except UNREADABLE as error:
            raise Wrong(f"{whence} cannot be read: {error!r}.") from None
        self.anchor_keys[key] = whence
        self.sites.append((body["site"], whence))

    def line(self, text, whence):
        """Take a printed line: numbers of entries, and one digest for them all (ledger 10.6)."""
        found = re.fullmatch(PRINTED, text)
        demand(found, f"{whence} has a line of an anchor that cannot be read: {text[:80]!r}.")
        word, site, day, books, digest, check = found.groups()
        digest, pairs = re.sub(r"[-\s]", "", digest).lower(), [each.rpartition("=")[::2] for each in books.split()]
        pairs.sort(key=lambda pair: (pair[0] != "site", unquote(pair[0]), pair))
        grouped = "-".join(digest[at : at + 8] for at in range(0, 64, 8))
        told = f"{word} 1 {site.lower()} {day} {' '.join(f'{name}={int(row)}' for name, row in pairs)} {grouped}"
        right = hashlib.sha256(told.lower().encode()).hexdigest()[:4]
        demand(check.lower() == right, f"{whence} has a line for {day} that is mistyped: its last digits do not fit.")
        rows = {unquote(name): int(row) for name, row in pairs}
        for stream, row in rows.items():
            self.expect(stream, row, "", f"The printed line of {day}", short=f"the line of {day}", noted=True)
        self.lines.append((day, rows, digest))
        self.sites.append((site.lower(), f"The printed line of {day}"))

    def look(self, book):
        """Hold a row that was just taken against what was said of it (ledger 10.2, 4.8)."""
        for digest, whence, also in self.of[book.stream].get(book.number, ()):
            if "noted" in also:
                self.seen[book.stream, book.number] = book.digest
                continue
            demand(digest == book.digest, f"{whence} is of another book: entry {book.number} is not as it was.")
            if "balances" in also:
                now = {account: units for account, units in book.money.items() if units}
                demand(canonical(now) == canonical(also["balances"]), f"{whence} has other balances than the book.")
                demand(book.at[:10] <= also["day"], f"{whence} is of an entry of a later day.")
            for account, units in also.get("units", {}).items():
                demand(book.money[account] == units, f"{whence} has another {account} than the book.")
            if "funds" in also:
                lies = sum(units for account, units in book.money.items() if account.partition(":")[0] in FUNDS)
                before = moved(book.at) < also["until"]
                demand(lies == also["funds"] and before, f"{whence} has other funds than the book.")
            if "cents" in also:
                account, cents = also["cents"]
                demand(book.money[account] // CENT == cents, f"{whence} has another {account} than the book.")

    def look_after(self, book):
        """The row after a checkpoint is of a later day, unless it was signed again (ledger 10.2, 10.3)."""
        for _, whence, also in self.of[book.stream].get(book.number - 1, ()):
            if "until" in also:
                later = moved(book.at) >= also["until"]
                demand(later, f"{whence} is of an entry before the last of the month.")
            if "day" in also and book.at[:10] <= also["day"]:
                first = (book.stream, also["day"], book.number - 1, also["key"])
                demand(first in self.superseded, f"{whence} was signed before the day's last entry.")

    def at_the_end(self, book):
        missing = {number: marks for number, marks in sorted(self.of[book.stream].items()) if number > book.number}
        left = [(number, also["short"]) for number, marks in missing.items() for _, _, also in marks if "short" in also]
        if len(left) > 1:
            names, last = ", ".join(dict.fromkeys(short for _, short in left)), left[-1][0]
            end = f"They go up to entry {last:,}, and the book ends at {book.number}."
            raise Wrong(f"Entries that left the house are missing: {len(left)} anchors: {names}. {end}")
        for number, marks in missing.items():
            raise Wrong(f"{marks[0][1]} is of entry {number}, and the book ends at {book.number}.")
        demand(self.superseded <= self.days, "A checkpoint supersedes one that is not there.")


# ---------------------------------------------------------------------------------------------------------------------
# Ed25519 (RFC 8032, section 5.1), to check signatures; points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT = pow(2, (PRIME - 1) // 4, PRIME)  # of -1


def add_points(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % PRIME, (p[1] + p[0]) * (q[1] + q[0]) % PRIME
    c, d = 2 * p[3] * q[3] * CURVE_D % PRIME, 2 * p[2] * q[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(number, point):
    total = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = add_points(total, point)
        point, number = add_points(point, point), number >> 1
    return total


def point_of(text):
    """The point that 32 bytes stand for, or None (RFC 8032, 5.1.3)."""
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    x = PRIME - x if x & 1 != sign else x
    return x, y, 1, x * y % PRIME


BASE = point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def is_signed(key, message, signature):
    """Whether the signature is that of the key over the message: S*B - k*A comes to R (RFC 8032, 5.1.7)."""
    point = point_of(key) if len(key) == 32 and len(signature) == 64 else None
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER:
        return False
    digest = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    minus = (PRIME - point[0], point[1], 1, PRIME - point[3])
    x, y, z, _ = add_points(times(scalar, BASE), times(digest, minus))
    x, y = x * pow(z, -1, PRIME) % PRIME, y * pow(z, -1, PRIME) % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# ---------------------------------------------------------------------------------------------------------------------
# PART 7. THE FILE
#
# How the books stand in it (ledger 1), and what is said of them at the end.


def opened(path):
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return (gzip.open if packed else open)(path, "rb")


def object_of(line, what):
    try:
        value = read(line.decode("ascii"))
        demand(type(value) is dict, f"{what} is no object.")
    except UNREADABLE:
        raise Wrong(f"{what} cannot be read.") from None
    return value


def take_anchors(path, marks):
    """What was kept elsewhere: a file, a folder of files, or a printed line itself (ledger 10.4 to 10.7)."""
    path = str(path)
    if path.lstrip().startswith("CROUPIER-ANCHOR"):
        marks.line(path.strip(), "The line that was given")
        return 1
    files = [path]
    if os.path.isdir(path):
        files = sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
    count = sum(take_anchor_file(file, marks) for file in files)
    demand(count, f"The anchor {path} holds no checkpoint.")
    return count


def take_anchor_file(path, marks):
    with opened(path) as file:
        content = file.read(64 * 2**20)
    if content.lstrip().startswith(b"{"):
        return sum(take_signed(value, marks, path) for value in objects_in(content, path))
    words = []
    for part in email.message_from_bytes(content).walk():  # a mail whose parts were packed for the way
        packing = str(part.get("Content-Transfer-Encoding", "")).lower()
        packed = part.get_payload(decode=True) if packing in ("quoted-printable", "base64") else None
        words += [packed.decode("utf-8", "replace")] if packed and part.get_content_maintype() == "text" else []
    for part in (*words, content.decode("utf-8", "replace")):
        text = re.sub(r"^[> \t]+", "", part, flags=re.MULTILINE)
        armored, lines = ARMOR.findall(text), [found[0] for found in TYPED.finditer(ARMOR.sub("", text))]
        for armor in armored:
            try:
                value = base64.b64decode("".join(armor.split()), validate=True)
            except ValueError:
                raise Wrong(f"An anchor in {path} was damaged on its way.") from None
            take_signed(object_of(value, f"An anchor in {path}"), marks, path)
        for line in lines:
            marks.line(line, f"The anchor {path}")
        if armored or lines:
            return len(armored) + len(lines)
    return 0


def objects_in(content, path):
    """One object on as many lines as it was printed, or one a line; of an export, those before its books."""
    try:
        yield json.loads(content)
        return
    except (ValueError, RecursionError):
        pass
    for line in content.splitlines():
        value = object_of(line, f"A line of the anchor {path}") if line.strip() else {"format": ""}
        if "stream" in value:
            return
        if "format" not in value:
            yield value


def take_signed(value, marks, path):
    if type(value) is dict and "anchor" in value:
        marks.anchor(value, f"The anchor in {path},")
    else:
        marks.checkpoint(value, f"The anchor in {path}, a checkpoint")
    return 1


def meet_anchors(marks, books):
    """What can be compared only when all books were read (ledger 10.5, 10.6)."""
    for site, whence in marks.sites:
        demand(books["site"].digests[1][:16] == site, f"{whence} is of another site.")
    known = books["site"].signing if "site" in books else set()
    for key, whence in marks.anchor_keys.items():
        demand(not known or key in known, f"{whence} is signed with a key that the site's book does not know.")
    for day, rows, digest in marks.lines:
        stood = {stream: [row, marks.seen[stream, row]] for stream, row in rows.items()}
        now = hashlib.sha256(canonical(stood).encode()).hexdigest()
        demand(now == digest, f"The printed line of {day} is of another book: the entries are not as they were.")


def gaps_in(marks):
    for series, numbered in sorted(marks.series.items()):
        gone = sorted(set(range(1, max(numbered) + 1)) - set(numbered))
        if gone:
            some = ", ".join(map(str, gone[:40])) + (", ..." if len(gone) > 40 else "")
            yield f"anchors {some} of series {series}: they were made, and are not among these"
    if marks.stamps:
        yield f"whose {len(marks.stamps):,} timestamps are: their digest is right, their signature is not read here"


def verify(path, anchors=(), keys=()):
    """What is proved of a file; what is wrong is raised as `Wrong`, with the book and the row."""
    marks, books = Marks(set(keys)), {}
    report = {"right": True, "books": [], "anchors": 0, "not_proved": []}
    for anchor in anchors:
        report["anchors"] += take_anchors(anchor, marks)
    anchored = set(marks.of)
    with opened(path) as file:
        header = object_of(file.readline(), "The first line")
        demand(header.get("format") == "croupier-ledger" and header.get("version") == 1, "It is no exported ledger.")
        streams, count = header.get("streams"), header.get("checkpoints")
        fine = type(streams) is list and is_number(count) and len(set(map(str, streams))) == len(streams)
        demand(fine and all(is_text(stream, 500) for stream in streams), "The first line names no books.")
        for stream in sorted(anchored - set(streams)):
            raise Wrong(f"An anchor is of {stream}, which is not in the file.")
        demand("site" not in streams[1:], "The site's book comes first.")
        for _ in range(count):
            line = object_of(file.readline(), "A checkpoint")
            marks.checkpoint(line, "The checkpoint")
        demand(set(marks.of) <= set(streams), "A checkpoint is of a book that is not in the file.")
        for stream in streams:
            demand(object_of(file.readline(), f"The book {stream}") == {"stream": stream}, f"{stream} is missing.")
            roster = books["site"].roster if "site" in books else None
            book = books[stream] = Site(stream, marks) if stream == "site" else Link(stream, marks, roster)
            demand(stream == "site" or stream.startswith("link:"), f"{stream} is no book.")
            take_book(file, book)
            if keys:
                demand(marks.signed[stream], f"A key was given, and no checkpoint of {stream} is signed with it.")
            report["books"].append(report_of(book, marks))
        demand(not file.readline(), "There are lines after the last book.")
    demand(any(book.number for book in books.values()), "There is no entry in the file.")
    meet_anchors(marks, books)
    report["checkpoints"], report["keys"] = len(marks.checked), sorted(marks.used_keys)
    entries, agreed = (sum(getattr(book, name) for book in books.values()) for name in ("seconded", "agreed"))
    report["second_persons"] = {"entries": entries, "agreements": agreed}
    report["not_proved"] = [*match_books(books, marks), *gaps_in(marks)]
    return report


def take_book(file, book):
    marks, named = book.marks, book.marks.of[book.stream]
    row = 0
    try:
        for line in file:
            if line.startswith(b'{"end"'):
                break
            row = book.number + 1
            book.take(line)
            if named and (row in named or row - 1 in named):
                marks.look(book)
                marks.look_after(book)
        else:
            raise Wrong("The file ends within the book.")
        row = 0
        book.at_the_end(object_of(line, "The end of the book"))
        marks.at_the_end(book)
    except Wrong as wrong:
        raise Wrong(str(wrong), book.stream, wrong.row or row) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Wrong(f"The file cannot be unpacked any further: {error}.", book.stream, row + 1) from None


def match_books(books, marks):
    """What one book received the other gave up (ledger 9.2); then, what this file cannot prove."""
    unproved = []
    for stream, book in books.items():
        for digest, (row, source, number, _) in getattr(book, "received", {}).items():
            other = books.get(f"link:{source}")
            if other is None:
                unproved.append(f"what {stream} received from {source}, whose book is not in the file")
            elif other.retired != (number, digest):
                raise Wrong(f"It received entry {number} of {source}, and that book has no such entry.", stream, row)
    unproved += match_months(books)
    unproved += match_gifts(books)
    if "site" not in books:
        unproved.append("people: the site's book is not in the file, which says who was enrolled as what")
    for stream in sorted(set(marks.of) - set(books)):
        unproved.append(f"what the site's book says of {stream}, which is not in the file")
    for stream in books:
        if not marks.signed[stream]:
            unproved.append(f"that {stream} is the book that was played: no checkpoint of it is signed")
    if marks.used_keys and not marks.keys:
        unproved.append("whose the keys are that signed: compare them, or give --key")
    return unproved


def match_months(books):
    """A reconciliation names every link that had a row then, and what was on its way from each (ledger 4.21)."""
    links_here = [book for book in books.values() if isinstance(book, Link)]
    arrived = {digest: moved(told[3]) for book in links_here for digest, told in book.received.items()}
    months = books["site"].roster.months if "site" in books else ()
    for row, until, links in months:
        for book in links_here:
            link = book.name
            if not book.number:
                continue
            if link not in links and moved(book.began) < until:
                raise Wrong(f"It leaves out {link}, whose book began before the month ended.", "site", row)
            told = links.get(link, {})
            left, said = 0, told.get("carried_units", 0)
            if book.retired is not None and book.retired[0] == told.get("entries"):
                left = on_its_way(books, link, until, arrived)
            unknown = book.to and f"link:{book.to}" not in books and said == 0
            if said != left and not unknown:
                raise Wrong(f"It has {said:,} units on their way from {link}, and the books {left:,}.", "site", row)
    for book in links_here if months else ():
        if book.to and f"link:{book.to}" not in books:
            yield f"when {book.to} received what {book.name} gave up: it is not in the file"


def on_its_way(books, link, until, arrived):
    """What a retired link gave up, and nobody had received or been given before a time (ledger 4.21)."""
    book = books[f"link:{link}"]
    if book.to:
        return 0 if arrived.get(book.retired[1], "~") < until else book.gave[1]
    given = [gift[4] for gift in books["site"].roster.given if gift[2] == link and moved(gift[1]) < until]
    return max(0, book.gave[1] - sum(given) * CENT)


def match_gifts(books):
    """What the site's book gives away its link gave up for that, and no more (ledger 9.4)."""
    for row, at, link, destination, cents, game, note, place in books["site"].roster.given if "site" in books else ():
        other = books.get(f"link:{link}")
        if other is None:
            yield f"what was given away of the prize of {link}, whose book is not in the file"
            continue
        fine = other.gave and other.gave[0] == destination and moved(at, SLACK) >= moved(other.at)
        if not fine:
            raise Wrong(f"It gives away a prize of {link}, which was not retired to a {destination} then.", "site", row)
        same = destination not in ON_GAME or game in {table["title"] for table in other.setup["tables"]}
        if not same:
            raise Wrong(f"It is on {game!r}, which is no game of {link}.", "site", row)
        for days in days_of(WITHIN, place[0]) if destination in ON_GAME and not note.strip() else ():
            due = day_there(other.at, place[1]) + days
            if day_there(at, place[1]) > due:
                raise Wrong(f"It is later than {due}, by when it was to be given, and no note says why.", "site", row)
        other.gave[1] -= cents * CENT
        if other.gave[1] <= -CENT:
            raise Wrong(f"It gives away more than {link} gave up.", "site", row)


def difference(row, text, decided, transfers):
    """In words, how a row differs from what the rules make of it."""
    if canonical(row) != text:
        return "It is not written in the canonical form."
    moves, rules = canonical(row["transfers"]), canonical(transfers)
    if moves != rules:
        return f"It moves {moves}, and by the rules it is {rules}."
    for name in sorted(row["facts"].keys() | decided.keys()):
        said, rules = (canonical(facts.get(name)) for facts in (row["facts"], decided))
        if said != rules or (name in decided) != (name in row["facts"]):
            return f"It says {name}: {said[:500]}, and by the rules it is {rules[:500]}."
    return "It is not what the rules make of it."


NEVER = (
    "that a book is the one that was played after its last checkpoint or anchor; that nothing was played after its end",
    "notes: checklists, warnings and the profile of the day (ledger 2.5), and whether the bank covered the prizes",
    "chances and digests of the rules of the game, which are on the PAR sheet",
    "what the site's book says of tables, devices, places and days, but for people, the bank and meters",
    "the moment of a change of people to better than five minutes",
)


def report_of(book, marks):
    made = {"stream": book.stream, "entries": book.number, "digest": book.digest, "last_at": book.at}
    made |= {"signed_to": marks.signed[book.stream], "kinds": dict(sorted(book.kinds.items()))}
    made["balances"] = {name: units for name, units in sorted(book.money.items()) if units}
    if isinstance(book, Link):
        made |= {"award_cents": book.award_cents, "pay_cents": book.pay_cents, "undecided": sorted(book.awards)}
    return made


def key_of(text):
    """A public key: 64 hexadecimal digits, or a PEM file (its last 32 bytes are the key)."""
    if re.fullmatch("[0-9a-fA-F]{64}", text):
        return text.lower()
    with open(text, encoding="ascii") as file:
        lines = [line.strip() for line in file]
    demand("-----BEGIN PUBLIC KEY-----" in lines, f"{text} holds no public key.")
    return base64.b64decode("".join(line for line in lines if line and "-----" not in line))[-32:].hex()


def print_report(report):
    for book in report["books"]:
        signed = f"signed up to entry {book['signed_to']:,}" if book["signed_to"] else "not signed"
        print(f"{book['stream']}: {book['entries']:,} entries to {book['last_at']}, {signed}")
        for name, units in book["balances"].items():
            (cents, rest), sign = divmod(abs(units), CENT), "-" if units < 0 else ""
            more = f" and {rest:,} millionths of a cent" if rest else ""
            print(f"    {name:24} {sign}${cents // 100:,}.{cents % 100:02}{more}")
        if "award_cents" in book:
            print(f"    awards confirmed ${book['award_cents'] / 100:,.2f}, fixed pays ${book['pay_cents'] / 100:,.2f}")
    for key in report["keys"]:
        digits = hashlib.sha256(bytes.fromhex(key)).hexdigest()
        print(f"signed with the key {key}, fingerprint {' '.join(digits[at : at + 4] for at in range(0, 16, 4))}")
    checkpoints, anchors, seconds = (report[name] for name in ("checkpoints", "anchors", "second_persons"))
    print(f"RIGHT: every row follows from the rules; checkpoints {checkpoints:,}, anchors {anchors:,}")
    entries, agreed = seconds["entries"], seconds["agreements"]
    without = f"{entries - agreed:,} without a signature"
    print(f"second persons: {entries:,} entries, {agreed:,} signed by a card and PIN, {without}")
    for words in report["not_proved"]:
        print(f"NOT PROVED here: {words}")
    for words in NEVER:
        print(f"no file proves: {words}")


def main():
    parser = argparse.ArgumentParser(description="Prove an exported ledger, offline.")
    parser.add_argument("export", help="a file that croupier ledger export wrote")
    kept = "kept elsewhere: files, folders, printed lines"
    parser.add_argument("--anchors", nargs="+", default=[], metavar="FILE", help=kept)
    parser.add_argument("--key", nargs="+", default=[], help="accept no other signer: a .pub file, or its digits")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.parse_args()
    try:
        report = verify(options.export, options.anchors, [key_of(text) for text in options.key])
    except Wrong as wrong:
        named = {"stream": wrong.stream, "row": wrong.row, "sentence": str(wrong)}
        if options.json:
            print(json.dumps({"right": False, "wrong": named}, indent=2))
        else:
            where = f"{wrong.stream}, entry {wrong.row}: " if wrong.row else f"{wrong.stream}: " if wrong.stream else ""
            print(f"WRONG: {where}{wrong}".encode("ascii", "backslashreplace").decode())
        return 1
    except (OSError, EOFError, zlib.error) as error:
        named = getattr(error, "filename", None) or options.export
        print(f"{named} cannot be read: {getattr(error, 'strerror', None) or error}.", file=sys.stderr)
        return 2
    print(json.dumps(report, indent=2)) if options.json else print_report(report)
    return 0


# ---------------------------------------------------------------------------------------------------------------------
# PART 8. OLDER LAWS
#
# For games that were taken by a law before today's; whoever reads a book of today can leave this out.


def first_by_older_laws(book, award, waiting):
    """Which award a card decides first: before the fourth law, by level, and a fixed pay waits for no other hand."""
    if "parts" in award:  # ledger 7.23
        return award
    same = [other for other in waiting if is_on(other, award["level"])]  # ledger 7.14
    by_entry = book.setup["order"] == "entry"
    before = [other for other in same if "parts" in other and (by_entry or other["seat"] > award["seat"])]
    return [*before, *shares_of(same)][0]


def first_law(book, game, before, awards, pays):
    """ledger 7.7, 7.10, 7.12"""
    changed, paid = [], game.paid()
    for part in [part for hand in paid if hand not in pays for part in hand.parts]:
        level = book.levels[part["level"]]
        book.move("players", level.meter, part["units"])
        book.move(level.meter, "house", part["added_units"])
        book.cap(level)
    for level in book.levels.values():
        mine = [award for award in before if award["level"] == level.name]
        held = shares_of(lock(level, game.stood[level.name], book.hands_on(level, awards, pays)))
        place = itemgetter("award", "cents", "meter_units")
        if list(map(place, mine)) != list(map(place, held)):
            changed += from_first_change(mine, settle_first(book, level, mine, held))
    lent = any(award["added_units"] for award in changed) and any(move[0] == "house" for move in book.transfers)
    made, dry = [], []
    for hand in [hand for hand in pays if hand not in paid]:
        made.append((hand, []))
        for part in hand.parts:
            level, units = book.levels[part["level"]], part["units"]
            lacks = max(0, units - book.money[level.meter])
            book.move("house", level.meter, lacks)
            book.move(level.meter, "players", units)
            made[-1][1].append({**part, "added_units": lacks})
            dry += [level.title] if lacks else []
    return changed, made, lent, dry


def settle_first(book, level, before, after):
    """Move what is held for a level to what it has to be; the awards with what was added or short (ledger 7.8)."""
    money, meter, pending = book.money, level.meter, level.pending
    held = (total(after, "cents") - total(before, "cents")) * CENT
    more, less = max(0, held), max(0, -held)
    book.move(pending, meter, less)  # 1
    at_once = min(more, money[meter])
    book.move(meter, pending, at_once)  # 2
    seed = total(after, "seed_units") - total(before, "seed_units")
    book.move("house", meter, max(0, seed))  # 3
    wanted, short = {"house": seed}, {}
    for name, side in (("reserve", level.reserve), ("overflow", level.overflow)):
        there = total(before, f"{name}_units") - total(before, f"short_{name}_units")
        wanted[side] = total(after, f"{name}_units") - there
        given = min(max(0, wanted[side]), money[side])
        short[f"short_{name}_units"] = max(0, wanted[side]) - given
        book.move(side, meter, given)
    added = total(before, "added_units")
    returned = min(added, less)
    book.move(meter, "house", returned)  # 4
    missing = max(0, more - at_once - money[meter])
    book.move("house", meter, missing)  # 5
    book.move(meter, pending, more - at_once)
    for side in (level.overflow, level.reserve, "house"):
        book.move(meter, side, min(max(0, -wanted[side]), money[meter]))  # 6
    book.cap(level)  # 7
    if after:
        after[-1] = {**after[-1], **short, "added_units": added - returned + missing}
    return after


if __name__ == "__main__":
    sys.exit(main())
