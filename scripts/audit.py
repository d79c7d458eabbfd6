"""Holds the packages of `requirements.lock` against known weaknesses: `make audit`.

Two sources are asked. The package index that pip uses knows the advisories of a version, where it is reachable and
tells them. `advisories.json` holds what it told before: advisories in the OSV form, and when each version was asked
about; `--update` writes it anew. A database of OSV records, a file, a folder or a zip, can be named in its place.

Exit codes: 0 nothing is known against what is locked, 1 something is, 2 a source cannot be read, 3 nothing is known
against it, but no source could be asked about some of it. What was not asked about today is said, with the date of the
last answer.
"""

from __future__ import annotations

import argparse
import json
import re
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from scripts.lock import LOCK, ROOT, Locked, locked

STORED = ROOT / "advisories.json"
ECOSYSTEM, SCHEMA = "PyPI", "1.6.0"
TIMEOUT_S, AT_ONCE = 10.0, 8
FINE, WEAK, UNREADABLE, UNKNOWN = range(4)
"""Exit codes."""
LONGEST_ANSWER = 50_000_000
Record = dict[str, Any]
"""An advisory in the OSV form."""


class Unreadable(Exception):
    """A source is not what it should be."""


@dataclass
class Known:
    """Advisories, and of which versions something is known since when."""

    records: dict[str, Record] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    """By package and version, the day of the answer."""
    whole: str = ""
    """The day of a database that speaks of every package."""

    def since(self, line: Locked) -> str:
        """The day up to which something is known; nothing where nobody was asked."""
        return max(self.asked.get(line.ref, ""), self.whole)


# What an advisory says of a version


def affects(record: Record, line: Locked) -> bool:
    """Whether it speaks of this very version; one that was withdrawn speaks of none."""
    if record.get("withdrawn"):
        return False
    return any(_is_affected(affected, line) for affected in record.get("affected", []))


def _is_affected(affected: Record, line: Locked) -> bool:
    package = affected.get("package", {})
    if package.get("ecosystem") != ECOSYSTEM or canonicalize_name(str(package.get("name", ""))) != line.name:
        return False
    if line.version in affected.get("versions", []):
        return True
    return any(
        _within(span.get("events", []), Version(line.version))
        for span in affected.get("ranges", [])
        if span.get("type") == "ECOSYSTEM"
    )


def _within(events: list[dict[str, str]], version: Version) -> bool:
    """Events in the order of their versions: the last one that is not above the version decides."""
    inside = False
    for event in sorted(events, key=lambda event: _version(next(iter(event.values())))):
        (kind, text), *_ = event.items()
        if kind == "introduced" and version >= _version(text):
            inside = True
        elif (kind == "fixed" and version >= _version(text)) or (kind == "last_affected" and version > _version(text)):
            inside = False
    return inside


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        raise Unreadable(f"An advisory speaks of a version {text!r}, which is none.") from None


def fixed_in(record: Record, line: Locked) -> list[str]:
    events = [
        event
        for affected in record.get("affected", [])
        if canonicalize_name(str(affected.get("package", {}).get("name", ""))) == line.name
        for span in affected.get("ranges", [])
        for event in span.get("events", [])
    ]
    return sorted({event["fixed"] for event in events if "fixed" in event}, key=_version)


# What was stored


def stored(path: Path) -> Known:
    """What the index told before."""
    match _json(path.read_bytes(), str(path.name)):
        case {"asked": dict(asked), "advisories": list(records)}:
            return Known({record["id"]: record for record in map(_record, records)}, asked)
    raise Unreadable(f"{path.name} is no list of advisories that make audit has written.")


def database(path: Path) -> Known:
    """Records that somebody has fetched: one file, a folder of them, or a zip."""
    try:
        records = {record["id"]: record for record in _records(path)}
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"The advisories {path} cannot be read: {error}.") from None
    if not records:
        raise Unreadable(f"There are no advisories in {path}.")
    return Known(records, whole=max(str(record.get("modified", "")) for record in records.values())[:10])


def _records(path: Path) -> Iterator[Record]:
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield from _of(_json(file.read_bytes(), file.name))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            for name in sorted(packed.namelist()):
                if name.endswith(".json"):
                    yield from _of(_json(packed.read(name), name))
    else:
        yield from _of(_json(path.read_bytes(), path.name))


def _of(found: Any) -> Iterable[Record]:
    return map(_record, found if isinstance(found, list) else [found])


def _record(found: Any) -> Record:
    if not (isinstance(found, dict) and isinstance(found.get("id"), str) and isinstance(found.get("affected"), list)):
        raise Unreadable("An advisory has an id and says what is affected; here is one that does not.")
    return found


def _json(text: bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Unreadable(f"{name} is no JSON.") from None


def write(path: Path, known: Known, lines: list[Locked]) -> None:
    """What is known of the packages that are locked, and of no others."""
    asked = {line.ref: known.asked[line.ref] for line in lines if line.ref in known.asked}
    records = [
        known.records[name]
        for name in sorted(known.records)
        if any(affects(known.records[name], line) for line in lines)
    ]
    path.write_text(json.dumps({"asked": asked, "advisories": records}, indent=1, ensure_ascii=False) + "\n", "utf-8")


# What the index says


def index_of_pip() -> str:
    """The address that pip asks, as its own help tells it; its settings are in it."""
    help_text = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--help"], capture_output=True, text=True, check=True
    ).stdout
    told = re.search(r"--index-url\s.*?\(default\s+(\S+?)\)", help_text, re.DOTALL)
    return told[1] if told else ""


class Index:
    """Asks for one version after another, until it cannot be reached."""

    def __init__(self, address: str, today: str) -> None:
        self._root, self._today = address.rstrip("/").removesuffix("/simple"), today
        self._tls = ssl.create_default_context()
        self.is_away = urlsplit(self._root).scheme not in ("http", "https")

    def ask(self, lines: list[Locked]) -> Known:
        known = Known()
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for line, weaknesses in zip(lines, threads.map(self._weaknesses, lines), strict=True):
                if weaknesses is not None:
                    known.asked[line.ref] = self._today
                    records = [self._osv(line, weakness) for weakness in weaknesses]
                    known.records |= {record["id"]: record for record in records}
        return known

    def _weaknesses(self, line: Locked) -> list[Record] | None:
        """Nothing where it does not tell them of this version."""
        for path in (f"{quote(line.name)}/{quote(line.version)}/json", f"{quote(line.name)}/json"):
            match self._get(f"{self._root}/pypi/{path}"):
                case {"info": {"version": str(version)}, "vulnerabilities": list(found)} if version == line.version:
                    return [each for each in found if isinstance(each, dict) and isinstance(each.get("id"), str)]
        return None

    def _get(self, address: str) -> Any:
        if self.is_away:
            return None
        request = urllib.request.Request(address, headers={"Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=self._tls) as answer:
                return json.loads(answer.read(LONGEST_ANSWER))
        except urllib.error.HTTPError as error:
            error.close()
            return None
        except OSError:  # it is not asked a hundred times for nothing
            self.is_away = True
        except ValueError:
            pass
        return None

    def _osv(self, line: Locked, told: Record) -> Record:
        affected: Record = {"package": {"ecosystem": ECOSYSTEM, "name": line.name}, "versions": [line.version]}
        fixes = [text for text in told.get("fixed_in") or [] if isinstance(text, str)]
        if fixes:
            events = [{"introduced": line.version}, {"fixed": min(fixes, key=_version)}]
            affected["ranges"] = [{"type": "ECOSYSTEM", "events": events}]
        record = {
            "schema_version": SCHEMA,
            "id": told["id"],
            "modified": f"{self._today}T00:00:00Z",
            "aliases": told.get("aliases") or [],
            "summary": told.get("summary") or "",
            "details": told.get("details") or "",
            "affected": [affected],
        }
        return {**record, "withdrawn": told["withdrawn"]} if told.get("withdrawn") else record


# The verdict


@dataclass(frozen=True)
class Audit:
    """What is known against what is locked, and how well it is known."""

    lines: list[Locked]
    known: Known
    today: str

    def hits(self) -> list[tuple[Locked, Record]]:
        """Of advisories that name one another, one."""
        found = []
        for line in self.lines:
            told = set[str]()
            for name, record in sorted(self.known.records.items()):
                names = {name, *record.get("aliases", [])}
                if affects(record, line) and not names & told:
                    found.append((line, record))
                if affects(record, line):
                    told |= names
        return found

    def older(self) -> dict[str, list[Locked]]:
        """By the day of the last answer, what was not asked today; the empty day is never."""
        days: dict[str, list[Locked]] = {}
        for line in self.lines:
            if self.known.since(line) != self.today:
                days.setdefault(self.known.since(line), []).append(line)
        return dict(sorted(days.items()))

    def say(self) -> int:
        hits, older = self.hits(), self.older()
        for line, record in hits:
            told = (record.get("summary") or record.get("details") or "").strip().partition("\n")[0][:200]
            fixes = fixed_in(record, line)
            names = ", ".join([record["id"], *record.get("aliases", [])])
            print(f"{line.name} {line.version}: {names}: {told}" + (f" Mended in {fixes[0]}." if fixes else ""))
        fresh = len(self.lines) - sum(map(len, older.values()))
        if fresh:
            print(f"{fresh} of {len(self.lines)} locked packages were checked today, {self.today}.")
        for day, lines in older.items():
            names = ", ".join(line.ref for line in lines) if fresh else f"{len(lines)} locked packages"
            if day:
                print(f"Not checked against anything newer than {day}: {names}.")
            else:
                print(f"Never checked, no source knows them: {', '.join(line.ref for line in lines)}.")
        if hits:
            return WEAK
        if "" in older:
            print(
                "Nothing is known against the others. Those that were never checked are no finding: the index here "
                "tells only of other versions. A database of advisories knows more: make audit ADVISORIES=FILE."
            )
            return UNKNOWN
        print("Nothing is known against what is locked.")
        return FINE


def main(arguments: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(description="Hold the locked packages against known weaknesses.")
    asked.add_argument("--lock", type=Path, default=LOCK)
    asked.add_argument("--advisories", type=Path, help="OSV records in place of the stored ones and the index.")
    asked.add_argument("--stored", type=Path, default=STORED)
    asked.add_argument("--offline", action="store_true", help="Do not ask the package index.")
    asked.add_argument("--update", action="store_true", help="Store what the index told.")
    given = asked.parse_args(arguments)
    today = datetime.now(UTC).date()
    try:
        return _audit(given, today)
    except Unreadable as error:
        print(f"audit: {error}", file=sys.stderr)
    except OSError as error:
        print(f"audit: {error.filename} cannot be read: {(error.strerror or str(error)).lower()}.", file=sys.stderr)
    return UNREADABLE


def _audit(given: argparse.Namespace, today: date) -> int:
    lines = locked(given.lock.read_text(encoding="utf-8"))
    if given.advisories is not None:
        return Audit(lines, database(given.advisories), today.isoformat()).say()
    known = stored(given.stored)
    if not given.offline:
        index = Index(index_of_pip(), today.isoformat())
        told = index.ask(lines)
        known = Known(known.records | told.records, known.asked | told.asked)
        if index.is_away:
            print("The package index cannot be reached: only what was stored is known.")
        if given.update and told.asked:
            write(given.stored, known, lines)
            print(f"{given.stored.name}: written")
    return Audit(lines, known, today.isoformat()).say()


if __name__ == "__main__":
    sys.exit(main())
