"""Made everything in `kept/` with the program of its day: `python -m tests.golden.keep`. It is not run again.

What is kept there is what sites have on their disks: later programs must read it as it is, so it is not made anew when
the program changes. Where a new kind of file comes, this shows how the others were made. It refuses to write over what
is there: that would be proof of nothing but the program that wrote it. With another version it may not work.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.analysis.meter.settings import plan_as_toml, plan_from
from croupier.cli.app import app
from croupier.cli.options import read_paytable
from croupier.floor import floor
from croupier.floor.link.setup import LinkSetup
from croupier.floor.writer import Writer
from croupier.ledger.checkpoint import new_key
from croupier.web.floor import days, ledger, previews
from croupier.web.identity.store import utc
from croupier.web.settings import Settings
from support.room import COLOR, STYLE_A, SUITED, THREE_METERS, TWO, table
from tests.cli.support import run
from tests.golden.test_kept import (
    BACKUP,
    KEPT,
    LEDGER,
    LINKS,
    PINS,
    PLANS,
    ROUNDS,
    SAID,
    SITE,
    figures,
    read_plan,
    said,
)
from tests.web.support import PINS as OWN_PINS
from tests.web.support import MadeSite, Room, done, make_site, running, wait_until

SNAPSHOT_EVERY = 7
MADE_AT = "2026-11-16T12:00:00.000000Z"
BEGUN = datetime(2026, 11, 12, 2, 0, tzinfo=UTC)
SIDES = ["kings-bounty", "bet-the-bust", "trilux"]
PLAYED: dict[str, dict[str, Any]] = {
    "triple-shot-rummy": {},
    "three-card-baccarat": {},
    "supreme-99": {},
    "blackjack": {"rules": "6D H17 DAS SP4 LS 3:2", "side_wagers": SIDES},
}
TYPED: dict[str, list[str]] = {
    "triple-shot-rummy": ["5", "10", "7.50", "p"],
    "three-card-baccarat": ["20", "5", "5", "5", ""],
    "supreme-99": ["25", "5", "h"],
    "blackjack": ["10", "5", "5", "5", "h"],
}
"""A round with every side wager; the last answer is left out of the one that is not finished."""
LATER: dict[str, list[str]] = {
    "three-card-poker": ["10", "5", "5", "p"],
    "casino-war": ["10", "5", "w"],
    "mississippi-stud": ["10", "3", "1", "f"],
    "let-it-ride": ["10", "5", "l", "t"],
    "caribbean-stud": ["10", "r"],
}
"""Games that came after the site that is kept: `add_records` kept a round of each, and nothing else."""
REPORTS = ("balance", "contributions", "awards", "adjustments", "events", "hold", "accrual", "bank-cover")


class Clock:
    """The house's time of day, which passes when the script says so."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> str:
        self.now += timedelta(milliseconds=137)
        return self.now.isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Signing(MadeSite):
    @property
    def settings(self) -> Settings:
        return replace(super().settings, signing_key=self.folder / "signing.pem")


# The evening


def link(room: Room, name: str, act: str, who: str = "max", *, two: bool = False, **values: Any) -> dict[str, Any]:
    send = room.act_of_two if two else room.act
    return done(send(f"/api/links/{name}/{act}", who, **values))


def game(room: Room, number: int, seats: list[int], *hands: tuple[int, str], name: str = "main") -> list[int]:
    """Started, with its hands entered; the numbers of the awards."""
    who = f"ann {number}"
    link(room, name, "start", who, table=number, lit=seats, based=seats)
    entered = [link(room, name, "enter", who, table=number, seat=seat, line=line) for seat, line in hands]
    return [each["entry"]["number"] for each in entered]


def evening(room: Room) -> None:
    [first] = game(room, 1, [1, 4], (4, SUITED))
    link(room, "main", "call", "ann 1", table=1)
    link(room, "main", "confirm", "eve", award=first)
    game(room, 2, [2, 3], (2, TWO), (3, TWO))
    link(room, "main", "take-back", "ann 2", table=2, seat=3)
    link(room, "main", "end", "ann 1", table=1)
    link(room, "main", "end", "ann 2", table=2)
    [voided] = game(room, 1, [1, 4], (1, COLOR))
    link(room, "main", "void", "sue", award=voided, reason="The wager was not lit.")
    game(room, 2, [2, 3], (3, COLOR))
    link(room, "main", "take-back", "ann 2", table=2, seat=3)
    [last] = game_on(room)
    for number in (1, 2):
        link(room, "main", "end", f"ann {number}", table=number)
    for _ in range(6):
        game(room, 1, [1, 4, 5])
        link(room, "main", "end", "ann 1", table=1)
    link(room, "main", "close", reason="The evening is over.")
    correction: dict[str, Any] = {"level": "", "reason": "malfunction", "cents": 500, "award": last}
    correction |= {"source": "meter", "target": "house", "text": "A sensor lit by itself."}
    link(room, "main", "adjust", two=True, **correction)
    setup = done(room.get("/api/links/main"))["setup"]
    link(room, "main", "reconfigure", two=True, setup={**setup, "executive_threshold_cents": 400_000})
    link(room, "main", "open")


def game_on(room: Room) -> list[int]:
    """One more hand in a game that is on, confirmed by the executive."""
    number = link(room, "main", "enter", "ann 2", table=2, seat=2, line=COLOR)["entry"]["number"]
    link(room, "main", "call", "ann 2", table=2)
    link(room, "main", "confirm", "eve", award=number)
    return [number]


def other_links(room: Room) -> None:
    """One with three meters, which retires into the first; one whose meter makes all pays."""
    for number, name, setup in ((4, "side", THREE_METERS), (5, "other", STYLE_A)):
        own = table(number, "Free Bet Blackjack", paytable=setup.paytable, decks=setup.decks)
        set_table(room, number, setup)
        link(room, name, "make", two=True, setup=replace(setup, tables=(own,)).as_json())
        link(room, name, "open")
        device: dict[str, Any] = {
            "device": f"keypad-{number}",
            "kind": "keypad",
            "name": f"Keypad {number}",
            "table": number,
        }
        token = done(room.act("/api/site/enrol-device", **device))["token"]
        room.site.tokens[f"keypad-{number}"] = token
        signed = done(room.post("/api/keypad/sign-in", f"keypad-{number}", card=room.site.cards["ann"]))
        room.site.tokens[f"ann {number}"] = signed["token"]
    for _ in range(4):
        for number, name in ((4, "side"), (5, "other")):
            game(room, number, [1, 2, 7], name=name)
            link(room, name, "end", f"ann {number}", table=number)
    [paid] = game(room, 5, [3], (3, SUITED), name="other")
    link(room, "other", "confirm", "eve", award=paid)
    link(room, "other", "end", "ann 5", table=5)
    link(room, "side", "close")
    link(room, "side", "retire", two=True, to="main")
    link(room, "main", "close")
    link(room, "main", "receive", two=True, source="side", levels={"Mega": "", "Major": "", "Minor": ""})
    link(room, "main", "open")


def set_table(room: Room, number: int, setup: LinkSetup) -> None:
    values = {"number": number, "title": "Free Bet Blackjack", "base_game": "blackjack", "decks": setup.decks}
    values |= {"seats": 7, "least_wager_cents": 500, "most_wager_cents": 30_000}
    done(room.act_of_two("/api/site/set-table", table=values))


def in_the_office(room: Room) -> None:
    site = partial(room.act, who="max")
    two = room.act_of_two
    done(room.act("/api/site/enrol-person", person="tom", name="Tom", role="dealer"))
    done(two("/api/site/change-role", person="tom", role="supervisor"))
    done(two("/api/site/replace-card", person="tom"))
    done(site("/api/site/revoke-card", person="tom", reason="He has left."))
    done(two("/api/site/set-pin", person="sue", pin="618205"))
    room.runtime.access.set_pin("sue", OWN_PINS["sue"])
    signed = room.post("/api/sign-in", "", card=room.site.cards["sue"], pin=OWN_PINS["sue"])
    room.site.tokens["sue"] = done(signed)["token"]
    lost = {"device": "display-lost", "kind": "display", "name": "Lost", "link": ""}
    room.site.tokens["display-lost"] = done(site("/api/site/enrol-device", **lost))["token"]
    done(site("/api/site/revoke-device", device="display-lost", reason="It was stolen."))
    set_table(room, 9, STYLE_A)
    done(two("/api/site/remove-table", number=9))
    for profile in ("tribal", "washington"):
        done(two("/api/site/choose-profile", profile=profile))
    done(site("/api/site/declare-bank", balance_cents=12_000_000))
    done(site("/api/site/deposit", amount_cents=2_500, reference="A-17"))


def days_end(room: Room, clock: Clock) -> str:
    """Every meter read, one of them wrongly first; the day closed and signed, then the next one."""
    day: str = done(room.get("/api/days"))["today"]
    wrong = {"link": "main", "read_cents": 5, "display": "table 1"}
    mistyped = done(room.act(f"/api/days/{day}/readings", "sue", **wrong))["entry"]["number"]
    for name in ("main", "other"):
        [level] = done(room.get(f"/api/links/{name}"))["levels"]
        corrects = {"corrects": mistyped, "note": "Mistyped."} if name == "main" else {}
        read = {"link": name, "read_cents": level["meter_cents"], "display": "table 1", **corrects}
        done(room.act(f"/api/days/{day}/readings", "sue", **read))
    clock.now += timedelta(days=1)
    done(room.act(f"/api/days/{day}/close", "eve", note="One digit of the lobby is broken."))
    game(room, 3, [1, 2], (2, TWO))
    clock.now += timedelta(days=1)
    done(room.act("/api/ledger/checkpoint", day=str((clock.now - timedelta(days=1)).date())))
    done(room.act_of_two("/api/site/set-clock", zone="America/Los_Angeles", day_begins=7))
    assert room.get("/api/ledger/export", "aud").status_code == 200
    return day


# What the server keeps beside the books


def played(room: Room, game_: str, who: str, sides: dict[str, Any], *, finished: bool) -> str:
    opened = done(room.act("/api/rounds", who, game=game_, seed=None, **sides))
    place = f"/api/rounds/{opened['round']}"
    seen = opened
    spots = [each["form"]["spot"] for each in seen["legal"] if each["name"] == "bet" and each["seat"] == 2]
    for spot in spots:
        seen = done(room.act(f"{place}/acts", who, act=f"bet 2 {spot} 500"))
    seen = done(room.act(f"{place}/acts", who, act="no-more-bets"))
    while finished and not seen["over"]:
        own = [each for each in seen["legal"] if each["seat"] is not None]
        seen = done(room.act(f"{place}/acts", who, act=own[0]["act"] if own else "go-on"))
    return str(opened["round"])


def beside_the_books(room: Room, day: str) -> dict[str, dict[str, Any]]:
    """By saved address, who asks and what is answered."""
    api: list[tuple[str, str]] = []
    for name, more in PLAYED.items():
        for finished in (True, False):
            for who in ("max", ""):
                id_ = played(room, name, who, more, finished=finished)
                api.append((f"/api/rounds/{id_}", who))
                if finished:
                    done(room.get(f"/api/rounds/{id_}/replay", who))  # its player opens the shoe: then anybody may look
                    api.append((f"/api/rounds/{id_}/replay", ""))
                if who:
                    api.append((f"/play/{name}?round={id_}", who))
    lesson = "/api/deal/three-card-baccarat"
    steps = done(room.get(f"{lesson}?seed=kept&seats=2", "ann card"))["steps"]
    answers = [[step["answers"][0]] for step in steps]
    answers[0].insert(0, "settle")
    done(room.act(f"{lesson}/results", "ann card", seed="kept", seats=2, answers=answers, ms=41_000))
    asked: dict[str, Any] = {"game": "three-card-baccarat", "rounds": 1_000, "seed": 11, "wagers": ["tie"]}
    job = done(room.act("/api/jobs/simulate", **asked))["job"]
    wait_until(lambda: done(room.get(f"/api/jobs/{job}", "max"))["state"] == "done", 90)
    for name in ("main", "other"):
        assert done(room.get(f"/api/links/{name}/history?span=all"))["number"]
    api += [(f"{lesson}/results", "ann card"), (f"{lesson}?seed=kept&seats=2", ""), (f"/api/jobs/{job}", "max")]
    api += [("/api/ledger/checkpoints", "aud"), (f"/api/reports/awards?day={day}", "aud")]
    api += [("/api/links/main/entries?after=0&most=40", "aud"), ("/api/links/side", "display-all")]
    api.append(("/api/log?book=link%3Aside&kind=start&table=4", "aud"))
    answered = {}
    for path, who in api:
        found = room.get(path, who)
        assert found.status_code == 200, (path, found.text)
        answered[path] = {"who": who, "json": None if path.startswith("/play") else found.json()}
    return answered


# Records and other files


def records(folder: Path) -> None:
    """With a shoe of its own, finished and left in the middle; and one that was dealt with real cards."""
    folder.mkdir()
    for name, answers in TYPED.items():
        sides = [word for side in SIDES for word in ("--side-wager", side)] if name == "blackjack" else []
        for kind, typed in (("finished", answers), ("unfinished", answers[:-1])):
            words = ["play", name, *sides, "--seed", "kept", "--rounds", "1", "--record"]
            typed_in(words, folder / f"{name}-{kind}.txt", typed)
    lines = ["bet 1 bet 10", "bet 1 tie 5", "bet 1 dragon-bonus 5", "no-more-bets", "deal Kc Kd 3h", "deal Tc Td 8h"]
    for kind, typed in (("finished", [*lines, "reveal", "settle"]), ("unfinished", lines[:5])):
        typed_in(["enter", "three-card-baccarat", "--record"], folder / f"entered-{kind}.txt", typed)


def add_records(folder: Path) -> None:
    """Rounds of the games that came later; the seed is one in which somebody has something to decide."""
    for name, answers in LATER.items():
        for kind, typed in (("finished", answers), ("unfinished", answers[:-1])):
            file = folder / f"{name}-{kind}.txt"
            assert not file.exists(), f"{file.name} is kept already"
            typed_in(["play", name, "--seed", "kept 7", "--rounds", "1", "--record"], file, typed)


def typed_in(words: list[str], file: Path, typed: list[str]) -> None:
    lines = "".join(f"{line}\n" for line in typed)
    CliRunner().invoke(app, [*words, str(file)], input=lines, catch_exceptions=False)
    assert file.exists()


def other_files(folder: Path) -> None:
    run("shuffle", "new", "--decks", "6", "--reveal", str(folder / "shoe.txt"))
    run("simulate", "three-card-baccarat", "--rounds", "131072", "--checkpoint", str(folder / "baccarat.run"))
    run("simulate", "blackjack", "--rounds", "131072", "--wagers", "bet", "--checkpoint", str(folder / "blackjack.run"))
    (folder / PLANS).mkdir()
    levels = {"Mega": 10_000, "Major": 5_000, "Minor": 2_500}
    for name, settings in {
        "one-meter": {"wager": "blazing-7s-dealer", "tables": 3},
        "three-meters": {"wager": "blazing-7s-dealer", "paytable": "ML03", "decks": 8, "contribution_percent": 24}
        | {"seeds_dollars": levels, "reserve_percent": 1, "accounting": "A", "division": "equal"},
    }.items():
        plan = plan_from(settings, read_paytable, in_options=False)
        (folder / PLANS / f"{name}.toml").write_text(plan_as_toml(plan), encoding="utf-8")
        exact = {key: each for key, each in figures(read_plan(name)).items() if each["basis"] == "exact"}
        (folder / PLANS / f"{name}.json").write_text(json.dumps(exact, indent=1) + "\n", encoding="utf-8")


def pack(path: Path, target: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def commands(day: str) -> dict[str, str]:
    """What is asked of the files, by the name of the transcript."""
    ledger, made = f"--db {LEDGER}", f"--made-at {MADE_AT}"
    seal = re.findall("[0-9a-f]{64}", run("shuffle", "verify", str(KEPT / "shoe.txt")))[0]
    found = {
        "verify": f"ledger verify {LEDGER}",
        "verify-with-key": f"ledger verify {LEDGER} --key {SITE}/signing.pem.pub",
        "verify-strict": f"ledger verify {LEDGER} --strict",
        "verify-json": f"ledger verify {LEDGER} --json",
        "verify-backup": f"ledger verify {BACKUP}",
        "balance-day": f"ledger balance {ledger} --link main --day {day}",
        "win-page": f"report win-page {ledger} --link main --award 4 {made}",
        "adjustment-note": f"report adjustment-note {ledger} --link main --entry 37 {made}",
        "close": f"report close {ledger} --day {day} {made}",
        "last-awards": f"report last-awards {ledger} --link main {made}",
        "shoe": f"shuffle verify shoe.txt --commitment {seal} --json",
        "simulation-baccarat": "simulate three-card-baccarat --rounds 131072 --checkpoint baccarat.run",
        "simulation-baccarat-goes-on": "simulate three-card-baccarat --rounds 200000 --checkpoint baccarat.run --json",
        "simulation-blackjack": "simulate blackjack --rounds 131072 --wagers bet --checkpoint blackjack.run --json",
        "resume-entered": f"enter --resume {ROUNDS}/entered-unfinished.txt\n< deal Tc Td 8h\n< reveal\n< settle",
    }
    found |= {f"balance-{link}": f"ledger balance {ledger} --link {link}" for link in LINKS}
    found |= {f"explain-{award}": f"ledger explain {award} {ledger} --link main" for award in (4, 8, 9, 14, 17, 19)}
    found["explain-other-12"] = f"ledger explain 12 {ledger} --link other"
    for kind in REPORTS:
        found |= {f"report-{kind}": f"report {kind} {ledger} {made}"}
        found |= {f"report-{kind}-csv": f"report {kind} {ledger} --day {day} {made} --format csv"}
    for name, answers in TYPED.items():
        words = f"play --resume {ROUNDS}/{name}-unfinished.txt --rounds 1"
        found[f"resume-{name}"] = f"{words}\n< {answers[-1]}"
    return {name: f"$ croupier {words}" for name, words in found.items()}


def transcripts(day: str) -> None:
    (KEPT / SAID).mkdir()
    for name, command in commands(day).items():
        with tempfile.TemporaryDirectory() as folder:
            (KEPT / SAID / f"{name}.txt").write_bytes(said(command, Path(folder)).encode())


def site_files(site: Signing, session: dict[str, str], answered: dict[str, Any]) -> None:
    (KEPT / SITE).mkdir()
    for path in sorted(site.folder.iterdir()):
        if path.name.endswith((".key", ".pem", ".pub")):
            shutil.copy(path, KEPT / SITE / path.name)
        elif not path.name.endswith(("-wal", "-shm", ".lease")):
            pack(path, KEPT / SITE / f"{path.name}.gz")
    devices = {name: token for name, token in site.tokens.items() if token.startswith("dev_")}
    known = {"cards": site.cards, "pins": OWN_PINS, "tokens": devices, "session": session}
    (KEPT / SITE / "secrets.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    text = json.dumps(answered, indent=0).encode()
    (KEPT / SITE / "answers.json.gz").write_bytes(gzip.compress(text, mtime=0))


def books(site: Signing, last_day: str) -> None:
    signed, key = KEPT / "checkpoints.jsonl", str(site.folder / "signing.pem")
    for which in (["--site"], *(["--link", name] for name in LINKS)):
        run("ledger", "checkpoint", "--db", site.db, *which, "--day", last_day, "--key", key, "-o", str(signed))
    run("ledger", "export", "--db", site.db, "--checkpoints", str(signed), "-o", str(KEPT / LEDGER))
    run("backup", str(KEPT / BACKUP), "--db", site.db, "--pins", str(KEPT / PINS))


def main() -> None:
    clock = Clock()
    patch = pytest.MonkeyPatch()
    patch.setattr(floor, "CheckedClock", lambda: clock)
    patch.setattr(floor, "Writer", partial(Writer, snapshot_every=SNAPSHOT_EVERY))
    patch.setattr(days, "utc_now", clock)
    patch.setattr(ledger, "utc_now", clock)
    patch.setattr(previews, "KEEP_EVERY", SNAPSHOT_EVERY)
    KEPT.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        made = make_site(Path(folder))
        site = Signing(made.folder, made.cards, made.tokens)
        new_key(site.folder / "signing.pem")
        with running(site) as room:
            evening(room)
            other_links(room)
            in_the_office(room)
            day = days_end(room, clock)
            answered = beside_the_books(room, day)
            session = {"token": site.tokens["max"], "at": utc().isoformat()}
        books(site, str(clock.now.date() - timedelta(days=1)))
        site_files(site, session, answered)
    records(KEPT / ROUNDS)
    other_files(KEPT)
    transcripts(day)


if __name__ == "__main__":
    main()
