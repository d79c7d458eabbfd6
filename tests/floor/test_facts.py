"""Every entry has the facts that its kind promises, and no others; `golden/test_kept.py` asks that of kept books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest

from croupier.floor.act import EntryKind
from croupier.floor.facts import FACTS
from croupier.floor.link.link import CHANGE
from croupier.ledger import book
from tests.floor.link.test_replay import everything


def check(kind: str, facts: Mapping[str, Any]) -> None:
    promised = FACTS[kind]
    assert promised.__required_keys__ <= set(facts) <= promised.__required_keys__ | promised.__optional_keys__, kind
    msgspec.convert(facts, promised)


def check_all(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> set[str]:
    kinds = set()
    for kind, facts in rows:
        check(kind, facts)
        kinds.add(kind)
    return kinds


def test_every_kind_has_a_record() -> None:
    assert set(FACTS) == set(EntryKind)


def test_a_link_of_today_writes_the_facts_of_its_kinds() -> None:
    assert check_all((entry.kind, entry.facts) for entry in everything().entries) == set(CHANGE)


@pytest.mark.parametrize("change", [{"table": "1"}, {"table": None}, {"round": 1.5}])
def test_facts_of_another_type_are_found(change: dict[str, Any]) -> None:
    entry = next(entry for entry in everything().entries if entry.kind == EntryKind.START)
    with pytest.raises(msgspec.ValidationError):
        check(entry.kind, {**entry.facts, **change})


def test_the_ledger_names_kinds_that_there_are() -> None:
    """The ledger lies below the floor, and knows by name the few kinds whose money means something else."""
    assert {*book._OF_KIND, *book.FIXED_PAYS, *book._CARRIED} <= set(EntryKind)
