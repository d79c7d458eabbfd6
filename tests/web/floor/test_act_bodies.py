"""Whatever the endpoint of a table's acts reads of a body, the documented route reads the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.link import acts
from croupier.web.floor.acts import body_of, reader_of
from croupier.web.floor.routes import AT_TABLE, LINK_ACTS

ACTS = [act for act, _, _ in LINK_ACTS if act.kind in AT_TABLE]
GOOD: dict[str, dict[str, Any]] = {
    "start": {"id": "a", "table": 1, "lit": [1, 2], "based": [1, 2, 3]},
    "end": {"id": "a", "table": 1},
    "enter": {"id": "a", "table": 1, "seat": 2, "line": "Suited", "cards": "7d 7h 7s", "override_reason": "seen"},
    "take-back": {"id": "a", "table": 1, "seat": 2},
    "call": {"id": "a", "table": 1},
}
NUMBERS: st.SearchStrategy[Any] = st.one_of(
    st.integers(-3, 10),
    st.integers(10**15 - 1, 10**15 + 1),
    st.sampled_from([10**30, -(10**15) - 1, 2**63, 2**64, 1.0, 1.5, True, None, "1", [1], {}]),
)
TEXTS = st.one_of(
    st.text(max_size=70),
    st.sampled_from(["", "x" * 64, "x" * 65, "x" * 500, "x" * 501, "\x00", "é" * 64, "😀" * 64, 7, None, ["x"]]),
)
LISTS = st.one_of(st.lists(NUMBERS, max_size=8), st.sampled_from([[1] * 1_000, [1] * 1_001, "12", 1, {"1": 2}, None]))
WORDS = st.sampled_from(["by", "where", "override_by", "override_card", "second", "type", "Id", "ID"])


def documented(act: type[acts.LinkAct], text: bytes) -> dict[str, Any]:
    """As the app reads it: the JSON, and then what it says; straight from the text it is the same."""
    body = body_of(act).model_validate(json.loads(text))
    assert body == body_of(act).model_validate_json(text)
    assert getattr(body, "override_card", None) is None, "a card has to be looked up: that is for the route alone"
    return body.values()


def read(act: type[acts.LinkAct], text: bytes) -> dict[str, Any] | None:
    """What the endpoint reads; nothing where it leaves the body to the route."""
    try:
        return reader_of(act)(text)
    except ValueError:
        return None


@pytest.mark.parametrize("act", ACTS)
def test_a_usual_body_is_read_and_with_the_same_types(act: type[acts.LinkAct]) -> None:
    text = json.dumps(GOOD[act.kind]).encode()
    found = read(act, text)
    assert found == documented(act, text)
    assert {name: type(value) for name, value in found.items()} == {
        name: type(value) for name, value in documented(act, text).items()
    }


@pytest.mark.parametrize("act", ACTS)
@given(data=st.data())
def test_what_is_read_is_what_the_route_reads(act: type[acts.LinkAct], data: st.DataObject) -> None:
    body = dict(GOOD[act.kind])
    for name in data.draw(st.lists(st.sampled_from(sorted(body)), max_size=2)):
        kinds = {int: NUMBERS, str: TEXTS, list: LISTS}
        body[name] = data.draw(kinds[type(GOOD[act.kind][name])])
    if data.draw(st.integers(0, 9)) == 0:
        body[data.draw(WORDS)] = data.draw(TEXTS)
    if data.draw(st.integers(0, 9)) == 0:
        body.pop(data.draw(st.sampled_from(sorted(body))))
    text = json.dumps(body, ensure_ascii=data.draw(st.booleans())).encode("utf-8", "surrogatepass")
    found = read(act, text)
    if found is not None:
        assert found == documented(act, text)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b'["a",1]',
        b'{"id":"a","table":1}x',
        b'{"id":"a","table":1,}',
        b'{"id":"a","table":01}',
        b'{"id":"a","table":1e0}',
        b'{"id":"a","table":NaN}',
        b'{"id":"a\nb","table":1}',
        b'{"id":"a\xff","table":1}',
        b'{"id":"\\ud800","table":1}',
        b'\xef\xbb\xbf{"id":"a","table":1}',
        b'{"id":"a","table":1,"override_card":null}',
    ],
)
def test_what_is_not_plainly_a_body_is_left_alone(text: bytes) -> None:
    assert read(acts.EndGame, text) is None


@pytest.mark.parametrize(
    "text", [b'{"id":"a","table":1,"table":2}', b'{"i\\u0064":"a","table":-0}', b' {"table" : 3, "id":"\\u00e9" }\n']
)
def test_odd_ways_of_writing_the_same_are_read_the_same(text: bytes) -> None:
    assert read(acts.EndGame, text) == documented(acts.EndGame, text)
