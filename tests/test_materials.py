"""The bill of materials: what the lock says, no more and no less, in the standard's form, and in every wheel."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from croupier.cli import materials as command
from croupier.cli.app import app
from scripts.lock import LOCK, Locked, locked
from scripts.materials import BILL, MARKER, PROJECT, bill, installed, written
from tests.cli.support import refused, run

LINES = locked(LOCK.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def components() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(BILL.read_text(encoding="utf-8"))["components"]
    return found


def marker_of(component: dict[str, Any]) -> str:
    return next((each["value"] for each in component.get("properties", []) if each["name"] == MARKER), "")


def needed_here(*roots: str) -> set[tuple[str, str]]:
    """By the packages that are installed here, in this environment: another way than the script's."""
    found: set[tuple[str, str]] = set()
    waiting, seen = list(roots), set[str]()
    while waiting:
        text = waiting.pop()
        if text in seen:
            continue
        seen.add(text)
        requirement = Requirement(text)
        package = distribution(requirement.name)
        found.add((canonicalize_name(package.name), package.version))
        for below in map(Requirement, package.requires or []):
            if below.marker is None or any(below.marker.evaluate({"extra": e}) for e in ("", *requirement.extras)):
                waiting.append(f"{below.name}[{','.join(sorted(below.extras))}]")
    return found


def test_it_lists_exactly_what_runs_and_what_runs_with_the_extras(components: list[dict[str, Any]]) -> None:
    here = [each for each in components if not (marker := marker_of(each)) or Marker(marker).evaluate()]
    by_scope = {
        scope: {(each["name"], each["version"]) for each in here if each["scope"] == scope}
        for scope in ("required", "optional")
    }
    alone = needed_here("croupier") - {("croupier", distribution("croupier").version)}
    assert by_scope["required"] == alone
    assert by_scope["optional"] == needed_here("croupier[cluster,postgres]") - needed_here("croupier")
    assert not {"pytest", "mypy", "ruff", "playwright", "cyclonedx-python-lib"} & {each["name"] for each in components}


def test_each_is_as_the_lock_has_it(components: list[dict[str, Any]]) -> None:
    told = {
        Locked(
            each["name"], each["version"], marker_of(each), tuple(sorted(part["content"] for part in each["hashes"]))
        )
        for each in components
    }
    assert told <= {Locked(line.name, line.version, line.marker, tuple(sorted(line.digests))) for line in LINES}, (
        "the bill has fallen behind the lock: make lock"
    )
    names = {each["name"] for each in components}
    assert {(line.name, line.version) for line in LINES if line.name in names} == {
        (each["name"], each["version"]) for each in components
    }
    assert {part["alg"] for each in components for part in each["hashes"]} == {"SHA-256"}
    assert [each["name"] for each in components if not each.get("licenses")] == []


def test_it_has_the_form_of_the_standard_and_nothing_of_the_day() -> None:
    from cyclonedx.validation.json import JsonStrictValidator  # takes two seconds to load, in every worker

    text = BILL.read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    told = json.loads(text)
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert set(told["metadata"]) == {"component"}, "no time"
    refs = {each["bom-ref"] for each in told["components"]} | {"croupier"}
    assert {each["ref"] for each in told["dependencies"]} == refs
    assert {below for each in told["dependencies"] for below in each.get("dependsOn", [])} == refs - {"croupier"}
    assert "://" not in text.replace(told["$schema"], ""), "no addresses of anybody"


def test_the_same_lock_gives_the_same_bytes() -> None:
    known, project = installed(), tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    lines = [line for line in LINES if line.ref in known]
    once, again = written(bill(lines, project, known)), written(bill(lines[::-1], project, known))
    assert once == again
    fewer = [line for line in lines if line.name != "typst"]
    assert json.loads(once)["serialNumber"] != json.loads(written(bill(fewer, project, known)))["serialNumber"]


def test_a_wheel_carries_it_where_scanners_look_and_where_the_program_does(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=BILL.parents[2], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        places = [name for name in packed.namelist() if name.endswith(BILL.name)]
        own = f"croupier-{version('croupier')}.dist-info"
        assert sorted(places) == [f"{own}/sboms/{BILL.name}", f"croupier/{BILL.name}"]
        assert {packed.read(name) for name in places} == {BILL.read_bytes()}


# The command


def test_the_program_tells_what_it_is_made_of(components: list[dict[str, Any]]) -> None:
    assert json.loads(run("materials", "--json"))["components"] == components
    told = run("materials")
    assert "Whatever of it is installed here has a version that the bill names." in told
    for name, licence in (("cryptography", "Apache-2.0 OR BSD-3-Clause"), ("psycopg", "LGPL-3.0-only")):
        assert any(name in line and licence in line for line in told.splitlines())


def test_another_version_than_the_bill_names_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "version", lambda name: "0.1" if name == "httptools" else version(name))
    done = CliRunner().invoke(app, ["materials"])
    told = "Installed here in another version than the bill names: httptools 0.1."
    assert (done.exit_code, told in done.stdout) == (1, True)


@pytest.mark.parametrize(("text", "said"), [(None, "not where it was installed"), ("{", "damaged"), ("[]", "damaged")])
def test_a_bill_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, said: str
) -> None:
    monkeypatch.setattr("croupier.program.BILL", tmp_path / "bill.json")
    if text is not None:
        (tmp_path / "bill.json").write_text(text)
    assert said in refused("materials")
