"""Which program this is: its version, and the SHA-256 over every file of it that is installed.

    program()            Program(version='0.1.0', digest='5f1c...', files=504)
    digest_of(folder)    the same over any folder, to hold a delivery against what runs

The digest is taken over one line for each file, in the order of their names: the SHA-256 of its bytes, two spaces and
its path within the package with forward slashes. So it is what `sha256sum` gives over those lines, and two houses that
run the same delivery have the same one. What running it makes (compiled files) is no part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from croupier import __version__

PACKAGE = Path(__file__).resolve().parent
MADE_WHILE_RUNNING = frozenset({".pyc", ".pyo", ".nbi", ".nbc"})


class Program(NamedTuple):
    version: str
    digest: str
    """64 hexadecimal digits."""
    files: int


@cache
def program() -> Program:
    """As it was when it was first asked for, which a server does when it starts: a file that is replaced later has no
    part in what runs."""
    lines = list(file_lines(PACKAGE))
    return Program(__version__, _over(lines), len(lines))


def digest_of(folder: Path) -> str:
    """Of a package that lies in this folder."""
    return _over(file_lines(folder))


def file_lines(folder: Path) -> Iterator[str]:
    """For each file, as `sha256sum` writes it."""
    files = (file for file in folder.rglob("*") if file.is_file() and _is_delivered(file.relative_to(folder)))
    for name, file in sorted((file.relative_to(folder).as_posix(), file) for file in files):
        yield f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name}\n"


def _is_delivered(path: Path) -> bool:
    return path.suffix not in MADE_WHILE_RUNNING and "__pycache__" not in path.parts


def _over(lines: Iterator[str] | list[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()
