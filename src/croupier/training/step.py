"""One question of a lesson, and when it is asked."""

from __future__ import annotations

from dataclasses import dataclass, fields

from croupier.games.table.questions import Question


@dataclass(frozen=True, kw_only=True)
class Step(Question):
    """A question. It is asked when all events before number `at` have been told, and of the table as it then is."""

    at: int

    @classmethod
    def of(cls, question: Question, at: int) -> Step:
        """The question about event number `at`."""
        asked = {field.name: getattr(question, field.name) for field in fields(question)}
        return cls(**asked, at=at + question.after)

    def is_right(self, answer: str) -> bool:
        return answer in self.answers
