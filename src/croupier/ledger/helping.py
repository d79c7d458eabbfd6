"""A second process, which reads an exported ledger and cuts its rows while this one decides them.

It is a process of its own from the start, with the file and a pipe and nothing else of this one, so it works wherever
Python does. What it says is the reading of the file and never that anything is right, except that the digest of a usual
row is that of its text. It ends with a word of its own: without that, nothing is proved.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterator
from subprocess import DEVNULL, PIPE, Popen
from typing import IO

from croupier.errors import CroupierError
from croupier.ledger import cutting
from croupier.ledger.cutting import LENGTH, CutShort, Line

WORTH_IT = 8 * 2**20
"""Bytes of a file from which on a second process takes less time than it takes to start."""
PIPE_SIZE = 2**20
"""What the pipe holds, where a system lets one say so: some blocks, so that neither process waits for every one."""


def worth_help(file: IO[bytes]) -> bool:
    return os.fstat(file.fileno()).st_size >= WORTH_IT and (os.cpu_count() or 1) > 1


def helped_lines(file: IO[bytes]) -> Iterator[list[Line]]:
    """What `cutting.cut_lines` makes of each block of a file; where no process can be started, this one does it."""
    command = [sys.executable, "-I", "-S", cutting.__file__, str(cutting.BLOCK)]  # with Python's own library alone
    try:
        started = Popen(command, stdin=file, stdout=PIPE, stderr=DEVNULL, pipesize=PIPE_SIZE)
    except OSError:
        yield from map(cutting.cut_lines, cutting.blocks(file))
        return
    with started as helper:
        assert helper.stdout is not None, "a pipe was asked for"
        try:
            while message := _message(helper.stdout):
                found: list[Line] | str = marshal.loads(message)
                if isinstance(found, str):
                    raise CutShort(found)
                yield found
        finally:
            helper.kill()


def _message(pipe: IO[bytes]) -> bytes:
    """The next one; empty after the last."""
    return _exactly(pipe, int.from_bytes(_exactly(pipe, LENGTH), "big"))


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    found = pipe.read(length)
    if len(found) < length:
        raise CroupierError(
            "The process that reads the file ended before the file did, so nothing is proved: try again."
        )
    return found
