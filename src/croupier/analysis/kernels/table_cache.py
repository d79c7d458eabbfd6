"""Tables that were made once are kept on disk, so that the next run of the same game starts at once.

Tables are made by asking the rules, so they are good for exactly the program that made them: what is kept is found
again only by the same bytes of every file of this package, the same Python, NumPy and Numba, and the same question.
They lie in the user's own cache directory, as arrays without any code. Whatever is wrong there, an unwritable
directory, a damaged file, one that others could have written, the tables are simply made again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import stat
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import croupier
from croupier.analysis.kernels.compiled import COMPILER_VERSION

Tables = TypeVar("Tables", bound=tuple[Any, ...])
"""A named tuple of arrays and numbers."""

DIRECTORY_VARIABLE = "CROUPIER_CACHE_DIR"
"""Another directory; where it is set to nothing, nothing is kept."""
MOST_FILES = 64
"""Each is a few hundred kilobytes; the ones made first go first."""
RECENT_S = 10.0
"""A file that changed so recently may not be what this process has read, so nothing is kept then."""
SUFFIX = ".tables"
DIGEST_BYTES = hashlib.sha256().digest_size


class Kept:
    """Tables in a directory, made by one version of the sources; nothing is kept where either is unknown."""

    def __init__(self, directory: Path | None, sources: str | None) -> None:
        self._directory = directory if sources else None
        self._sources = sources

    def tables(self, kind: type[Tables], about: Mapping[str, Any], make: Callable[[], Tables]) -> Tables:
        """The tables that this is about: `about` must say all that `make` goes by, except for the sources."""
        if self._directory is None:
            return make()
        key = hashlib.sha256(json.dumps([kind.__name__, self._sources, about], sort_keys=True).encode()).hexdigest()
        arrays = _read(self._directory, key, kind)
        if arrays is None:
            arrays = make()
            _write(self._directory, key, arrays)
        return arrays


KEEPS_NOTHING = Kept(None, None)


@cache
def users_own() -> Kept:
    """What this user has kept, for the sources of this process."""
    directory = cache_directory(os.environ)
    return KEEPS_NOTHING if directory is None else Kept(directory, digest_of(Path(croupier.__file__).parent))


def cache_directory(environment: Mapping[str, str]) -> Path | None:
    """Where tables are kept: as the variable says, else below XDG_CACHE_HOME, else below ~/.cache."""
    if DIRECTORY_VARIABLE in environment:
        named = environment[DIRECTORY_VARIABLE]
        return Path(named).absolute() / "tables" if named else None
    general = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(general):  # others are to be ignored
        return Path(general, "croupier", "tables")
    home = Path("~").expanduser()
    return Path(home, ".cache", "croupier", "tables") if home.is_absolute() else None


def digest_of(package: Path) -> str | None:
    """SHA-256 over all files of the package and the versions it runs with; None where that cannot be told."""
    versions = [platform.python_version(), platform.machine(), np.__version__, COMPILER_VERSION]
    digest = hashlib.sha256(json.dumps(versions).encode())
    if not (package / "__init__.py").is_file():  # it was loaded from an archive
        return None
    try:
        for file in sorted(package.rglob("*")):
            name = file.relative_to(package)
            if "__pycache__" in name.parts or file.is_dir():
                continue
            status, content = file.stat(), file.read_bytes()
            if max(status.st_mtime, status.st_ctime) > time.time() - RECENT_S:
                return None
            digest.update(json.dumps([name.as_posix(), len(content)]).encode() + content)
    except OSError:
        return None
    return digest.hexdigest()


# Files: SHA-256 of the key and the content, then the content, an .npz


def _read(directory: Path, key: str, kind: type[Tables]) -> Tables | None:
    """What is kept there; None where nothing is, or nothing that can be trusted."""
    try:
        if not _is_ours(directory.stat()):
            return None
        with (directory / f"{key}{SUFFIX}").open("rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            content = file.read()
    except OSError:
        return None
    digest, arrays = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if digest != _digest(key, arrays):
        return None
    with np.load(io.BytesIO(arrays), allow_pickle=False) as archive:
        fields = {name: archive[name] for name in archive.files}
    return kind(**{name: field if field.ndim else field.item() for name, field in fields.items()})


def _write(directory: Path, key: str, tables: tuple[Any, ...]) -> None:
    """A reader finds all of it or nothing."""
    content = io.BytesIO()
    np.savez(content, **tables._asdict())  # type: ignore[attr-defined]
    arrays = content.getvalue()
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(directory.stat()):
            return
        number, name = tempfile.mkstemp(SUFFIX, "new-", directory)
        try:
            with open(number, "wb") as file:
                file.write(_digest(key, arrays) + arrays)
            os.replace(name, directory / f"{key}{SUFFIX}")
        except BaseException:
            os.unlink(name)
            raise
        _drop_oldest(directory)
    except OSError:
        pass


def _drop_oldest(directory: Path) -> None:
    files = sorted(directory.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_FILES]:
        file.unlink()


def _digest(key: str, arrays: bytes) -> bytes:
    return hashlib.sha256(key.encode() + arrays).digest()


def _is_ours(status: os.stat_result) -> bool:
    """Nobody else can have written it."""
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
