"""Which program this is: its version, and the SHA-256 over every file of it and of its packages that is installed.

    program()            Program(version='0.1.0', digest='5f1c...', files=504)
    digest_of(folder)    the same over any folder, to hold a delivery against what runs
    installed()          the program, each package of its bill of materials, and every file that is not as installed

The digest is taken over one line for each file, in the order of their names: the SHA-256 of its bytes, two spaces and
its path within the package with forward slashes. So it is what `sha256sum` gives over those lines, and two houses that
run the same delivery have the same one. What running it makes (compiled files) is no part.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, NamedTuple

from croupier import __version__
from croupier.errors import RecordError

PACKAGE = Path(__file__).resolve().parent
BILL = PACKAGE / "materials.cdx.json"
NAME = "croupier"
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


def _is_delivered(path: PurePath) -> bool:
    return path.suffix not in MADE_WHILE_RUNNING and "__pycache__" not in path.parts


def _over(lines: Iterable[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# What is installed: every file of each package, beside the record that was written when it was installed

OF_THE_INSTALLER = frozenset({"INSTALLER", "REQUESTED", "direct_url.json", "RECORD"})
"""Written where it is installed, and other there than elsewhere."""
MOST_THREADS = 8


class Package(NamedTuple):
    """One package that the program is locked to, as it is installed here."""

    name: str
    version: str
    locked: tuple[str, ...]
    """The versions that the bill of materials names; more than one, where it depends on the Python."""
    digest: str
    files: int
    changed: tuple[str, ...]
    """Files that are not as their package's record has them, or are gone."""


class Installed(NamedTuple):
    """The program and its packages, as their files are now."""

    program: Program
    packages: tuple[Package, ...]
    recorded: bool
    """Whether there is a record to hold the program's own files against: not where it runs from its sources."""
    own_changed: tuple[str, ...]
    """Of the program's own files: changed, gone or added since it was installed."""

    @property
    def digest(self) -> str:
        """Over all packages, as over the files of one."""
        return _over(f"{package.digest}  {package.name} {package.version}\n" for package in self.packages)

    @property
    def changed(self) -> tuple[str, ...]:
        """Every file that is not as it was installed, and every package in another version than the bill has."""
        others = (
            f"{package.name} {package.version} (locked: {', '.join(package.locked)})"
            for package in self.packages
            if package.version not in package.locked
        )
        return (*self.own_changed, *others, *(name for package in self.packages for name in package.changed))

    def as_json(self) -> dict[str, Any]:
        return {
            **self.program._asdict(),
            "packages_digest": self.digest,
            "held_against_its_record": self.recorded,
            "changed": list(self.changed),
            "packages": [
                {**package._asdict(), "locked": list(package.locked), "changed": list(package.changed)}
                for package in self.packages
            ],
        }


def installed(package: Path = PACKAGE, where: Sequence[str] | None = None) -> Installed:
    """As it is now: every file is read, on several threads, because there are hundreds of megabytes.

    Of the program that lies in a folder, with the packages that lie in others; of what runs, where none is named."""
    locked = locked_versions()
    there = distributions() if where is None else distributions(path=list(where))
    packages_found = {
        name: distribution for distribution in there if (name := _plain(distribution.name)) in locked or name == NAME
    }
    own = packages_found.pop(NAME, None)
    with ThreadPoolExecutor(min(MOST_THREADS, 2 * (os.cpu_count() or 1))) as threads:
        mine = threads.submit(lambda: list(file_lines(package)))
        found_packages = threads.map(
            lambda name: _package(name, packages_found[name], locked[name]), sorted(packages_found)
        )
        lines, packages = mine.result(), tuple(found_packages)
    recorded = {
        name.removeprefix(f"{NAME}/"): digest
        for name, digest in (_delivered(own) if own else ())
        if name.startswith(f"{NAME}/")
    }
    is_recorded = "program.py" in recorded
    here = {line[66:-1]: line[:64] for line in lines}
    changed = [f"{NAME}/{name}" for name in sorted({*here, *recorded}) if here.get(name) != recorded.get(name)]
    program = Program(__version__, _over(lines), len(lines))
    return Installed(program, packages, is_recorded, tuple(changed) if is_recorded else ())


def locked_versions() -> dict[str, set[str]]:
    """By package: the versions that the bill of materials names."""
    versions: dict[str, set[str]] = {}
    for component in bill_components(bill_text()):
        versions.setdefault(_plain(component["name"]), set()).add(component["version"])
    return versions


def bill_text() -> str:
    try:
        return BILL.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"The bill of materials is not where it was installed: {error.strerror}.") from None


def bill_components(text: str) -> list[dict[str, Any]]:
    try:
        components: list[dict[str, Any]] = json.loads(text)["components"]
    except (ValueError, KeyError, TypeError):
        raise RecordError("The bill of materials cannot be read: it is damaged.") from None
    return components


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _delivered(package: Distribution) -> Iterator[tuple[str, str]]:
    """Of each file that came with the package: its name, and the SHA-256 of its record."""
    for name, how, _ in csv.reader((package.read_text("RECORD") or "").splitlines()):
        kind, _, value = how.partition("=")
        folder, _, last = name.rpartition("/")
        made_here = folder.endswith(".dist-info") and last in OF_THE_INSTALLER
        if kind == "sha256" and not made_here and not name.startswith("..") and _is_delivered(PurePosixPath(name)):
            yield name, base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()


def _package(name: str, package: Distribution, locked: set[str]) -> Package:
    root, told, changed = str(package.locate_file("")), list[str](), list[str]()
    for file, recorded in sorted(_delivered(package)):
        here = _digest(f"{root}/{file}")
        told.append(f"{here}  {file}\n")
        if here != recorded:
            changed.append(file)
    return Package(name, package.version, tuple(sorted(locked)), _over(told), len(told), tuple(changed))


def _digest(path: str) -> str:
    """Nothing where the file cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
