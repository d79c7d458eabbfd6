"""The pages' style sheets: each in a layer of its own, and a class is the concern of one sheet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.web.pages.templates import HERE, STATIC

SHEETS = tuple(sorted((STATIC / "css").glob("*.css")))
BASE = "base"
"""Tokens, the frame and the parts of every page: other sheets may vary a part (`.tag.error`), never define it again."""
ORDER = re.compile(r"@layer ([\w, ]+);")


def bare(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """What stands at the top level of a sheet: head and body of each block."""
    depth, start, opened = 0, 0, 0
    for place, sign in enumerate(text):
        if sign == "{":
            depth, opened = depth + 1, opened if depth else place
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield text[start:opened].strip(), text[opened + 1 : place]
                start = place + 1
    assert (depth, text[start:].strip()) == (0, "")


def selectors(text: str) -> Iterator[str]:
    """Of every rule, also of those within media and container queries."""
    for head, body in blocks(text):
        if head.startswith(("@keyframes", "@font-face")):
            continue
        if head.startswith("@"):
            yield from selectors(body)
        else:
            yield from (each.strip() for each in re.split(r",(?![^(]*\))", head))


def leading_class(selector: str) -> str:
    """`tag` of `.tag.error span`, `good` of `td.good`, nothing of `#keys` or `main > .say`."""
    classes = re.findall(r"\.([\w-]+)", re.split(r"[\s>+~:\[]", selector)[0])
    return classes[0] if classes else ""


def rules_of(text: str, layer: str) -> str:
    """The body of a sheet's one layer."""
    (head, body), *others = blocks(ORDER.sub("", bare(text)))
    assert (head, others) == (f"@layer {layer}", [])
    return body


def shared(sheets: dict[str, str]) -> dict[str, list[str]]:
    """Classes that lead selectors of several sheets, and parts of the base that another sheet defines again."""
    leads: defaultdict[str, set[str]] = defaultdict(set)
    defined: defaultdict[str, set[str]] = defaultdict(set)
    for sheet, text in sheets.items():
        for selector in selectors(text):
            leads[leading_class(selector)].add(sheet)
            if re.fullmatch(r"\.[\w-]+", selector):
                defined[leading_class(selector)].add(sheet)
    leads.pop("", None)
    twice = {name: where for name, where in leads.items() if len(where) > 1 and BASE not in where}
    twice |= {name: where for name, where in defined.items() if len(where) > 1}
    return {name: sorted(where) for name, where in twice.items()}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_every_rule_of_a_sheet_is_in_the_layer_of_its_name(sheet: Path) -> None:
    assert list(selectors(rules_of(sheet.read_text(encoding="utf-8"), sheet.stem)))


def test_the_order_of_the_layers_is_said_once_by_the_sheet_that_every_page_loads_first() -> None:
    said = {sheet.stem: ORDER.findall(bare(sheet.read_text(encoding="utf-8"))) for sheet in SHEETS}
    (order,) = said.pop(BASE)
    assert not any(said.values())
    assert order.startswith(BASE)
    assert sorted(order.split(", ")) == sorted(sheet.stem for sheet in SHEETS)
    for page in HERE.glob("templates/**/*.html"):
        asked = re.findall(r"css/([\w-]+)\.css", page.read_text(encoding="utf-8"))
        assert asked == sorted(asked, key=order.split(", ").index), page.name


def test_no_class_is_defined_by_two_sheets() -> None:
    sheets = {sheet.stem: rules_of(sheet.read_text(encoding="utf-8"), sheet.stem) for sheet in SHEETS}
    assert shared(sheets) == {}


def torn(text: str) -> list[str]:
    """Selectors that a comment follows: what was written between them has lost its rule, and the list another's."""
    return re.findall(r"([^\n,;{}]+),\s*/\*", text)


def test_no_rule_is_put_between_the_selectors_of_another() -> None:
    assert {sheet.stem: torn(sheet.read_text(encoding="utf-8")) for sheet in SHEETS} == {
        sheet.stem: [] for sheet in SHEETS
    }
    assert torn(".line.alarm,\n  /* Of the list. */\n  .badge { a: b }") == [".line.alarm"]


def test_what_would_be_wrong_is_found() -> None:
    assert shared({"keypad": ".award { a: b }", "rail": ".award b { a: b }"}) == {"award": ["keypad", "rail"]}
    assert shared({BASE: ".tag { a: b }", "lab": "@media print { p, .tag { a: b } }"}) == {"tag": [BASE, "lab"]}
    assert shared({BASE: ".tag { a: b }", "lab": ".tag.error { a: b }", "rail": ".tag.new { a: b }"}) == {}
    assert shared({"lab": ".lab .award { a: b }", "rail": "#side > .award { a: b }"}) == {}
    with pytest.raises(AssertionError):
        rules_of("@layer lab { p { a: b } } .stray { a: b }", "lab")


def test_a_table_under_its_lamp_has_the_colors_of_the_night() -> None:
    """They stand twice, as a sheet cannot take them over from a question about the person's system."""
    base = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    night, lamp = (
        dict(re.findall(r"(--[a-z0-9-]+): ([^;]+);", base.split(begins, 1)[1].split("}", 1)[0]))
        for begins in ("prefers-color-scheme: dark) {", ".by-lamp {")
    )
    assert len(lamp) > 20
    assert {name: value for name, value in night.items() if not name.startswith("--shadow")} == lamp
