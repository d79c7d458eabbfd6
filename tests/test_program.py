"""The digest of the program: over every delivered file, by name and content, and nothing that running makes."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.program import PACKAGE, Installed, digest_of, file_lines, installed, program


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    (folder / "web").mkdir(parents=True)
    (folder / "main.py").write_text("print(1)\n")
    (folder / "web" / "page.html").write_text("<p>\n")
    return folder


def test_it_is_what_sha256sum_gives_over_its_own_lines(package: Path) -> None:
    lines = subprocess.run(["sha256sum", "main.py", "web/page.html"], cwd=package, capture_output=True, check=True)
    assert digest_of(package) == hashlib.sha256(lines.stdout).hexdigest()


@pytest.mark.parametrize("change", ["a byte", "a name", "a new file", "one file less"])
def test_any_change_of_a_file_changes_it(package: Path, change: str) -> None:
    before = digest_of(package)
    match change:
        case "a byte":
            (package / "web" / "page.html").write_text("<P>\n")
        case "a name":
            (package / "main.py").rename(package / "other.py")
        case "a new file":
            (package / "web" / "more.toml").touch()
        case "one file less":
            (package / "main.py").unlink()
    assert digest_of(package) != before


def test_what_running_makes_is_no_part_of_it(package: Path) -> None:
    before = digest_of(package)
    (package / "__pycache__").mkdir()
    for name in ("main.cpython-311.pyc", "kernel.main-1.py311.nbi", "kernel.main-1.py311.1.nbc"):
        (package / "__pycache__" / name).write_bytes(b"\0")
    assert digest_of(package) == before


def test_the_program_is_the_installed_package_and_the_same_in_another_process(tmp_path: Path) -> None:
    copy = tmp_path / "croupier"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert program().digest == digest_of(copy)
    assert program().files == len(list(file_lines(copy)))
    asked = "from croupier.program import program; print(program().digest)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == program().digest


# What is installed, held against the record of its installation


def recorded(folder: Path, name: str, version: str, files: dict[str, bytes]) -> None:
    """A package as an installer leaves it: its files, and a record of them."""
    lines = []
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(content)}")
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,", "../../bin/tool,sha256=AA,1", ""]))


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    recorded(tmp_path, "croupier", "0.1.0", {"croupier/program.py": b"1\n", "croupier/web/page.html": b"<p>\n"})
    recorded(tmp_path, "msgspec", "0.22.0", {"msgspec/core.py": b"2\n", "msgspec/data.bin": b"\0" * 5_000})
    recorded(tmp_path, "unknown", "1.0", {"unknown.py": b"3\n"})
    return tmp_path


def looked_at(folder: Path) -> Installed:
    return installed(folder / "croupier", [str(folder)])


def test_what_is_installed_is_every_package_of_the_bill_with_its_digest(site_packages: Path) -> None:
    found = looked_at(site_packages)
    assert (found.recorded, found.changed) == (True, ())
    assert found.program.digest == digest_of(site_packages / "croupier")
    [package] = found.packages
    assert (package.name, package.version, package.files) == ("msgspec", "0.22.0", 2)
    names = ("msgspec/core.py", "msgspec/data.bin")
    lines = [f"{hashlib.sha256((site_packages / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    assert package.digest == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert found.digest == hashlib.sha256(f"{package.digest}  msgspec 0.22.0\n".encode()).hexdigest()


@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("croupier/web/page.html", b"<P>\n", "croupier/web/page.html"),
        ("croupier/program.py", None, "croupier/program.py"),
        ("croupier/extra.py", b"import os\n", "croupier/extra.py"),
        ("msgspec/data.bin", b"\1" * 5_000, "msgspec/data.bin"),
        ("msgspec/core.py", None, "msgspec/core.py"),
        ("msgspec-0.22.0.dist-info/METADATA", b"Name: msgspec\nVersion: 0.1\n", "msgspec 0.1 (locked: 0.22.0)"),
    ],
)
def test_a_changed_file_is_found_and_named(site_packages: Path, file: str, content: bytes | None, named: str) -> None:
    before = looked_at(site_packages)
    if content is None:
        (site_packages / file).unlink()
    else:
        (site_packages / file).write_bytes(content)
    found = looked_at(site_packages)
    assert found.changed == (named,)
    assert (found.program.digest, found.digest) != (before.program.digest, before.digest)


def test_a_program_that_runs_from_its_sources_has_no_record_to_be_held_against() -> None:
    found = installed()
    assert found.program == program()
    assert (found.recorded, found.own_changed) == (False, ())
    assert {"numpy", "fastapi", "typst"} <= {each.name for each in found.packages}
    assert all(each.files and len(each.digest) == 64 for each in found.packages)
