"""A lesson as JSON: the steps, and the felt as it lies before each of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier.games.money import dollars
from croupier.games.rulebook import paragraphs
from croupier.training.lesson import Lesson
from croupier.training.step import Step, Typed
from croupier.web.round_views import felt_as_json, settlements_as_json, table_as_json


def lesson_as_json(lesson: Lesson) -> dict[str, Any]:
    round_ = lesson.round
    places = sorted({*(step.at - 1 for step in lesson.steps), len(lesson.moments) - 1})
    cited = {step.paragraph for step in lesson.steps}
    return {
        "game": round_.offering.game.key,
        "title": round_.offering.game.title,
        "rules": round_.offering.placard,
        "seed": lesson.seed,
        "seats": lesson.seats,
        "table": table_as_json(round_),
        "felts": [felt_as_json(lesson.moments[place]) for place in places],
        "events": [event.text for event in round_.events],
        "settlements": settlements_as_json(round_),
        "steps": [_step(step, places.index(step.at - 1)) for step in lesson.steps],
        "paragraphs": {
            number: found for number, found in _paragraphs(round_.offering.game.key).items() if number in cited
        },
    }


def _step(step: Step, felt: int) -> dict[str, Any]:
    return {
        "kind": step.kind.value,
        "at": step.at,
        "felt": felt,
        "ask": step.ask,
        "answers": list(step.answers),
        "right": _in_words(step),
        "paragraph": step.paragraph,
        "choices": [{"value": each.value, "label": each.label, "key": each.key} for each in step.choices],
        "typed": step.typed.value if step.typed else None,
        "seat": step.seat,
        "facts": step.facts,
        "seen": [str(card) for card in step.seen],
    }


def _in_words(step: Step) -> str:
    if step.typed:
        return dollars(int(step.answers[0])) if step.typed is Typed.MONEY else step.answers[0]
    return " / ".join(each.label for each in step.choices if step.is_right(each.value))


@cache
def _paragraphs(game: str) -> dict[str, dict[str, Any]]:
    """By number: the text, and the table or the list that belongs to it."""
    return {
        each.number: {"text": each.text, "table": each.table, "list": _items(each.more)} for each in paragraphs(game)
    }


def _items(markdown: str) -> list[str]:
    return [line.partition(". ")[2] for line in markdown.splitlines() if line.partition(".")[0].isdigit()]
