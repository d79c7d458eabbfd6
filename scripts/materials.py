"""Writes the bill of materials, `src/croupier/materials.cdx.json`, from `requirements.lock`: part of `make lock`.

It lists what a running Croupier is made of, in CycloneDX 1.6: every locked package that it depends on, for every Python
and system that the lock speaks for, with the digests that are allowed to be installed, the licence that the package
declares, and who asks for whom. What only tests and checks need is not in it. The same lock gives the same bytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from itertools import product
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import License, LicenseAcknowledgement
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.lock import LOCK, ROOT, Locked, locked

PROJECT = ROOT / "pyproject.toml"
BILL = ROOT / "src" / "croupier" / "materials.cdx.json"
MARKER = "croupier:marker"
"""The property that says for which Pythons and systems a package is."""
LATEST_PYTHON = "3.13"
ENVIRONMENTS = [
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": system,
        "platform_system": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[system],
        "os_name": "nt" if system == "win32" else "posix",
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for python, system, machine in product(
        ("3.11", "3.12", LATEST_PYTHON), ("linux", "darwin", "win32"), ("x86_64", "arm64")
    )
]
LONGEST_LICENCE = 60
"""A longer text is the licence itself, and not its name."""


@dataclass(frozen=True)
class Needs:
    """Packages that others need: by the lock's line, whom it needs itself."""

    of: dict[Locked, list[Locked]]

    def closure(self, begin: Iterable[Locked]) -> set[Locked]:
        found, waiting = set[Locked](), list(begin)
        while waiting:
            line = waiting.pop()
            if line not in found:
                found.add(line)
                waiting += self.of[line]
        return found


class Walk:
    """From the project's own requirements down, whatever Python and system it is for."""

    def __init__(self, lines: list[Locked], known: Mapping[str, Distribution]) -> None:
        self._lines, self._known = lines, known
        self._extras: dict[str, set[str]] = {}
        self.needs = Needs({})

    def down(self, requirements: Iterable[str]) -> list[Locked]:
        """Those that are asked for here; whom they need in turn is in `needs` then."""
        return [line for text in requirements for line in self._follow(Requirement(text), {""})]

    def _follow(self, requirement: Requirement, extras: set[str]) -> list[Locked]:
        if requirement.marker and not any(
            requirement.marker.evaluate({**environment, "extra": extra})
            for environment in ENVIRONMENTS
            for extra in extras
        ):
            return []
        name = canonicalize_name(requirement.name)
        asked = self._extras.setdefault(name, {""})
        new = not asked >= requirement.extras
        asked |= requirement.extras
        found = [line for line in self._lines if line.name == name]
        for line in found:
            if line not in self.needs.of or new:
                self.needs.of[line] = []
                texts = self._known[line.ref].requires or []
                below = [need for text in texts for need in self._follow(Requirement(text), asked)]
                self.needs.of[line] = sorted(set(below), key=lambda need: need.ref)
        return found


def installed(folder: str | None = None) -> dict[str, Distribution]:
    """By name and version, what is here; or in a folder."""
    found = distributions(path=[folder]) if folder else distributions()
    return {f"{canonicalize_name(each.name)}=={each.version}": each for each in found}


def fetched(lines: list[Locked], folder: str) -> dict[str, Distribution]:
    """Packages for other Pythons and systems than this, by the digests of the lock, beside one another in a folder."""
    for number, line in enumerate(lines):
        target, wanted = Path(folder) / str(number), Path(folder) / f"{number}.txt"
        wanted.write_text(f"{line.ref} {' '.join(f'--hash=sha256:{each}' for each in line.digests)}\n")
        command = [sys.executable, "-m", "uv", "--quiet", "pip", "install", "--no-deps", "--require-hashes"]
        command += ["--only-binary", ":all:", "--python-version", LATEST_PYTHON, "--target", str(target)]
        subprocess.run([*command, "-r", str(wanted)], check=True)
    return {ref: each for number in range(len(lines)) for ref, each in installed(f"{folder}/{number}").items()}


def licence_of(package: Distribution) -> License | None:
    """As the package declares it: an expression, or else a name; of a long text what its classifiers say."""
    told, declared = package.metadata.json, LicenseAcknowledgement.DECLARED
    factory = LicenseFactory()
    expression = told.get("license_expression")
    if expression:
        return factory.make_with_expression(str(expression), acknowledgement=declared)
    name = str(told.get("license") or "").strip()
    if not name or len(name) > LONGEST_LICENCE or "\n" in name:
        classifiers = [text for text in told.get("classifier", []) if text.startswith("License ::")]
        name = " OR ".join(sorted({text.rpartition("::")[2].strip() for text in classifiers}))
    return factory.make_from_string(name, license_acknowledgement=declared) if name else None


def bill(lines: list[Locked], project: Mapping[str, Any], known: Mapping[str, Distribution]) -> Bom:
    told: Mapping[str, Any] = project["project"]
    walk = Walk(lines, known)
    direct = walk.down(told["dependencies"])
    also = walk.down(text for group in told["optional-dependencies"].values() for text in group)
    needed, all_ = walk.needs.closure(direct), walk.needs.closure([*direct, *also])
    components = {line: _component(line, known[line.ref], is_required=line in needed) for line in all_}
    root = Component(
        name=str(told["name"]), version=str(told["version"]), type=ComponentType.APPLICATION, bom_ref=str(told["name"])
    )
    made = Bom(components=components.values())
    made.metadata.component = root
    made.metadata.timestamp = None  # type: ignore[assignment]
    made.dependencies = [
        Dependency(root.bom_ref, [Dependency(components[line].bom_ref) for line in {*direct, *also}]),
        *(
            Dependency(components[line].bom_ref, [Dependency(components[need].bom_ref) for need in walk.needs.of[line]])
            for line in all_
        ),
    ]
    digest = "\n".join(f"{line}" for line in sorted(all_, key=lambda line: line.ref))
    made.serial_number = uuid5(NAMESPACE_URL, f"{told['name']} {told['version']}\n{digest}")
    return made


def _component(line: Locked, package: Distribution, *, is_required: bool) -> Component:
    licence = licence_of(package)
    return Component(
        name=line.name,
        version=line.version,
        type=ComponentType.LIBRARY,
        bom_ref=line.ref,
        purl=PackageURL("pypi", name=line.name, version=line.version),
        scope=ComponentScope.REQUIRED if is_required else ComponentScope.OPTIONAL,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in line.digests],
        licenses=[licence] if licence else [],
        properties=[Property(name=MARKER, value=line.marker)] if line.marker else [],
    )


def written(made: Bom) -> str:
    """As JSON that the standard's own schema allows."""
    from cyclonedx.validation.json import JsonStrictValidator  # takes two seconds to load

    text = JsonV1Dot6(made).output_as_string(indent=1) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise ValueError(f"The bill of materials does not have the form of CycloneDX 1.6: {wrong}")
    return text


def missing(lines: list[Locked], known: Mapping[str, Distribution]) -> Iterator[Locked]:
    return (line for line in lines if line.ref not in known)


def main() -> None:
    lines, known = locked(LOCK.read_text(encoding="utf-8")), installed()
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        known |= fetched(list(missing(lines, known)), folder)
        text = written(bill(lines, project, known))
    BILL.write_text(text, encoding="utf-8")
    print(f"{BILL.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
