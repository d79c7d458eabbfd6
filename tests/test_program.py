"""The digest of the program: over every delivered file, by name and content, and nothing that running makes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.program import PACKAGE, digest_of, file_lines, program


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
