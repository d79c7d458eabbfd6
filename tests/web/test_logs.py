"""The log of requests: what one turn of the event loop tells is written in one piece, whole lines and in order."""

from __future__ import annotations

import asyncio
import io
import json

from croupier.web.logs import Straight


class Pieces(io.StringIO):
    """A stream that keeps each piece that was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return super().write(text)


async def _tell_twice(straight: Straight) -> None:
    for turn in (1, 2):
        for number in (1, 2, 3):
            straight.info("request", turn=turn, number=number)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def test_the_lines_of_a_turn_are_written_together() -> None:
    straight, stream = Straight(), Pieces()
    straight.stream = stream
    asyncio.run(_tell_twice(straight))
    lines = [[json.loads(line) for line in piece.splitlines()] for piece in stream.pieces]
    told = [[(line["turn"], line["number"]) for line in piece] for piece in lines]
    assert told == [[(1, 1), (1, 2), (1, 3)], [(2, 1), (2, 2), (2, 3)]]
    assert stream.getvalue().endswith("}\n")


def test_a_log_that_nobody_reads_any_more_stops_nothing() -> None:
    straight, stream = Straight(), Pieces()
    straight.stream = stream
    stream.close()
    asyncio.run(_tell_twice(straight))
    straight.stream = again = Pieces()
    asyncio.run(_tell_twice(straight))
    assert len(again.pieces) == 2
