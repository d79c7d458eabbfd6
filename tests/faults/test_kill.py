"""A process that writes a busy link is killed at any instant: what was acknowledged is there once, awards are held on.

`CROUPIER_KILLS=1000` kills as many processes (make soak); the ordinary tests kill a few dozen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.link.acts import Confirm, TakeCall
from croupier.floor.refusals import No
from croupier.ledger.entry import Entry
from croupier.store.store import open_store
from support.postgres import new_floor
from support.room import EXECUTIVE, SUPERVISOR
from tests.faults.audit import SOON_S, Auditor, Said
from tests.faults.child import Orders
from tests.faults.family import Family
from tests.faults.people import SETUPS, STREAM

KILLS = int(os.environ.get("CROUPIER_KILLS", "52"))
STORES = ("sqlite", "postgres")
BLOCK = 13
"""Kills of one book, one after the other, so that each recovers from the one before."""
MOST_SAID = 80_000
"""Bytes that a process has said before it is killed: about 100 acts."""
SEED = int(os.environ.get("CROUPIER_SEED", "5"))


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor()


@pytest.fixture(scope="module")
def family() -> Iterator[Family]:
    with Family() as family:
        yield family


def wait_a_little(family: Family, pid: int, output: Path, rng: Random) -> None:
    """Mostly until some moment under load, however slow the machine is; now and then only until its beginning."""
    if rng.random() < 0.15:
        time.sleep(rng.uniform(0.0, 0.05))
        return
    most, end = rng.randrange(MOST_SAID), time.monotonic() + SOON_S
    while not (output.exists() and output.stat().st_size > most):
        assert family.running(pid), "it ended by itself"
        assert time.monotonic() < end, "it writes no more"
        time.sleep(0.002)
    time.sleep(rng.uniform(0.0, 0.01))


@pytest.mark.parametrize("block", range(-(-KILLS // (BLOCK * len(STORES)))))
def test_a_writer_that_is_killed_loses_nothing_that_it_acknowledged(
    url: str, family: Family, tmp_path: Path, block: int
) -> None:
    rng, auditor, acknowledged = Random(SEED * 1_000 + block), Auditor(url), 0
    auditor.make(SETUPS[block % len(SETUPS)])
    for kill in range(BLOCK):
        name, output = f"b{block}k{kill}", tmp_path / f"said-{kill}"
        pid = family.run(Orders(url, name, SEED, str(output)))
        wait_a_little(family, pid, output, rng)
        assert family.kill(pid) == -9
        said = Said.read(output)
        auditor.check(said)
        auditor.send_again(said, rng)
        auditor.decide(name, rng)
        acknowledged += len(said.done)
    assert acknowledged > 10 * BLOCK
    assert auditor.resumed > 3
    assert auditor.decided > 0
    auditor.export_verifies(tmp_path / "ledger.jsonl")


@pytest.mark.parametrize("when", ["before", "inside", "after"])
def test_power_that_fails_between_the_card_and_its_acknowledgement(
    url: str, family: Family, tmp_path: Path, when: str
) -> None:
    """A card was shown and nobody answered: the award is held as it was, or paid once, whatever is sent again."""
    output, auditor = tmp_path / "said", Auditor(url)
    auditor.make(SETUPS[0])
    assert family.reap(family.run(Orders(url, "p", SEED, str(output), die=when))) == -9
    said = Said.read(output)
    auditor.check(said)
    cards = [act for act in said.unanswered if isinstance(act, Confirm)]
    assert (when == "after") in {card.id in auditor.numbers for card in cards} or may_be_done(url, when)
    paid = [card for card in cards if paid_once(auditor, card)]
    assert paid
    auditor.send_again(said, Random(SEED))


def paid_once(auditor: Auditor, card: Confirm) -> bool:
    """Sent again, twice, and once more with another card; False where it was not the right card in the first place."""
    held, done = auditor.held[card.award], card.id in auditor.numbers
    assert (card.award in auditor.link.state.awards) == (not done)
    another = Confirm(id=f"{card.id}-another", by=EXECUTIVE, award=card.award)
    first, again, other = auditor.answers([card, card, another])
    auditor.told([first, other])
    auditor.read_on()
    assert len(confirmations(auditor.url, card.award)) == 1
    if isinstance(first, Refusal):
        assert (card.by, done, first.code) == (SUPERVISOR, False, Denied.NOT_ALLOWED)
        return False
    assert first == again
    assert first.facts["cents"] == held.cents
    assert isinstance(other, Refusal)
    assert other.code == No.NO_SUCH_AWARD
    return True


def confirmations(url: str, award: int) -> list[Entry]:
    with open_store(url) as store:
        return [each for each in store.entries(STREAM) if each.kind == "confirm" and each.facts["award"] == award]


def may_be_done(url: str, when: str) -> bool:
    """A server to which a commit was sent may do it when nobody waits for it any more; all that counts is that whoever
    sends it again is told the truth."""
    return when == "inside" and url.startswith("postgres")


@pytest.mark.parametrize(
    "kind",
    [
        *("start", "enter", "take-back", "call", "take-call", "void", "end", "reopen"),
        *("adjust", "back-out", "issue-slip", "pay-slip"),
    ],
)
@pytest.mark.parametrize("when", ["before", "inside", "after"])
def test_power_that_fails_around_a_commit(url: str, family: Family, tmp_path: Path, when: str, kind: str) -> None:
    """In the very moment before the commit, before its end, and between the commit and the acknowledgement."""
    output, auditor = tmp_path / "said", Auditor(url)
    auditor.make(SETUPS[1])
    assert family.reap(family.run(Orders(url, "p", SEED, str(output), die=when, die_at=kind))) == -9
    said = Said.read(output)
    auditor.check(said)
    found = {act.id in auditor.numbers for act in said.unanswered if act.kind == kind}
    assert (when == "after") in found or may_be_done(url, when)
    auditor.send_again(said, Random(SEED))


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_call_waits_over_a_kill_and_is_taken_once(url: str, family: Family, tmp_path: Path, when: str) -> None:
    """Killed between CALL SUPERVISOR and whoever takes the call, and between that and its acknowledgement."""
    output, auditor = tmp_path / "said", Auditor(url)
    auditor.make(SETUPS[1])
    assert family.reap(family.run(Orders(url, "p", SEED, str(output), die=when, die_at="take-call"))) == -9
    said = Said.read(output)
    auditor.check(said)
    taken = [act for act in said.unanswered if isinstance(act, TakeCall)]
    for act in taken:
        call = auditor.link.state.calls[act.table]
        assert call.taken_by == (act.by.person if act.id in auditor.numbers else "")
        first, again, other = auditor.answers([act, act, TakeCall(id=f"{act.id}-2", by=EXECUTIVE, table=act.table)])
        auditor.told([first])
        auditor.read_on()
        assert isinstance(first, Entry)
        assert (first, auditor.link.state.calls[act.table].at) == (again, call.at)
        assert isinstance(other, Refusal)
    assert taken


def test_a_process_that_waits_takes_over_when_the_writer_is_killed(url: str, family: Family, tmp_path: Path) -> None:
    auditor, said, outputs = Auditor(url), Said(), [tmp_path / f"said-{number}" for number in range(3)]
    auditor.make(SETUPS[0])
    waiting = {
        family.run(Orders(url, f"t{number}", SEED, str(output))): output for number, output in enumerate(outputs)
    }
    try:
        while waiting:
            writing = None
            end = time.monotonic() + SOON_S
            while writing is None:
                assert time.monotonic() < end, "nobody took over"
                time.sleep(0.005)
                writing = next((pid for pid, output in waiting.items() if said_something(output)), None)
            output = waiting[writing]
            assert not any(said_something(other) for other in waiting.values() if other != output), "two write at once"
            assert family.kill(writing) == -9
            del waiting[writing]
            said.add(Said.read(output))
    finally:
        for pid in waiting:
            family.kill(pid)
    auditor.check(said)


def said_something(output: Path) -> bool:
    return output.exists() and output.stat().st_size > 0


def test_a_file_that_may_not_grow_loses_nothing_that_was_acknowledged(family: Family, tmp_path: Path) -> None:
    """A quota: the operating system refuses to write beyond it."""
    url, output, auditor = (
        f"sqlite:///{tmp_path}/floor.db",
        tmp_path / "said",
        Auditor(f"sqlite:///{tmp_path}/floor.db"),
    )
    auditor.make(SETUPS[0])
    assert family.reap(family.run(Orders(url, "q", SEED, str(output), most_bytes=1_000_000, acts=150))) == 0
    said = Said.read(output)
    assert len(said.done) > 50
    assert said.lost > 50
    auditor.check(said)
    auditor.send_again(said, Random(SEED))
