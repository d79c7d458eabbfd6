"""Which interpreter `.venv` is made with. Those here are stand-ins: they say a version, and install nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STAND_IN = """#!{python} -S
import os, shutil, sys
match sys.argv[1:]:
    case ["-c", code]:
        sys.version_info = {version}
        exec(code)
    case ["-m", "venv", "--clear", folder]:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder + "/bin")
        shutil.copy(sys.argv[0], folder + "/bin/python")
"""


class Checkout:
    """A folder with nothing but what the script reads, and some interpreters."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "setup.sh", folder / "scripts")
        for name in ("requirements.lock", "pyproject.toml"):
            (folder / name).touch()
        for version in ((3, 10, 9), (3, 11, 7), (3, 12, 1), (3, 12, 4)):
            stand_in = folder / self.python(*version)
            stand_in.write_text(STAND_IN.format(python=sys.executable, version=version), encoding="utf-8")
            stand_in.chmod(0o755)

    def python(self, *version: int) -> str:
        return str(self.folder / "python{}.{}.{}".format(*version))

    def setup(self, python: str | None = None) -> subprocess.CompletedProcess[str]:
        own = {"PYTHON": python} if python is not None else {}
        others = {name: value for name, value in os.environ.items() if name != "PYTHON"}
        command = [self.folder / "scripts" / "setup.sh"]
        return subprocess.run(command, env={**others, **own}, capture_output=True, text=True, check=False)

    @property
    def version(self) -> str:
        """Of the interpreter in `.venv`."""
        return subprocess.check_output(
            [self.folder / ".venv/bin/python", "-c", "import sys; print(*sys.version_info, sep='.')"], text=True
        ).strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path)
    assert made.setup(made.python(3, 11, 7)).returncode == 0
    assert made.version == "3.11.7"
    return made


@pytest.mark.parametrize("asked", [(3, 12, 1), (3, 12, 4)])
def test_asked_for_another_version_it_makes_the_environment_anew(checkout: Checkout, asked: tuple[int, ...]) -> None:
    assert "making .venv" in checkout.setup(checkout.python(*asked)).stderr
    assert checkout.version == "{}.{}.{}".format(*asked)


def test_asked_for_the_version_that_is_there_it_does_nothing(checkout: Checkout) -> None:
    assert checkout.setup(checkout.python(3, 11, 7)).stderr == ""


@pytest.mark.parametrize("python", [None, ""])
def test_asked_for_none_it_keeps_the_one_that_is_there(checkout: Checkout, python: str | None) -> None:
    assert checkout.setup(checkout.python(3, 12, 1)).returncode == 0
    assert checkout.setup(python).stderr == ""
    (checkout.folder / "pyproject.toml").write_text("changed", encoding="utf-8")
    found = checkout.setup(python)
    assert "installing what requirements.lock names" in found.stderr
    assert "making .venv" not in found.stderr
    assert checkout.version == "3.12.1"


@pytest.mark.parametrize("python", ["python3.10.9", "python2.0"])
def test_asked_for_one_that_is_missing_or_too_old_it_refuses(checkout: Checkout, python: str) -> None:
    found = checkout.setup(str(checkout.folder / python))
    assert found.returncode == 1
    assert f"{python} is missing or older" in found.stderr
    assert checkout.setup().stderr == ""
    assert checkout.version == "3.11.7"
