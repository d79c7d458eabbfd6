"""`croupier table-bridge`: its token comes from a file or the environment, and what is wrong is said in a sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.web.commands import COMMAND

TOKEN = "dev_0123456789abcdef0123456789abcdef"


def bridge(folder: Path, *words: str, token: str = TOKEN) -> str:
    """The one sentence with which it refuses to begin."""
    env = {"PATH": "", "HOME": str(folder), "CROUPIER_BRIDGE_TOKEN": token}
    command = [*COMMAND, "table-bridge", *words]
    ended = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2, ended
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert TOKEN not in ended.stderr
    return ended.stderr


GOOD = ("http://127.0.0.1:1", "--board", "/dev/null", "--journal", "journal")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("floor.example", *GOOD[1:]), "'floor.example' is no server: write https://HOST:PORT."),
        ((GOOD[0], "--board", "ttyUSB0", *GOOD[3:]), "'ttyUSB0' is no place to plug in"),
        ((*GOOD, "--reader", "tcp:host"), "'tcp:host' is no place to plug in"),
        ((*GOOD[:3], "--journal", "no/folder/journal"), "The journal no/folder/journal cannot be written"),
        ((*GOOD, "--token-file", "missing"), "The token cannot be read from 'missing'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_begins(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in bridge(tmp_path, *words)


def test_a_token_is_a_devices_and_its_file_is_the_owners_alone(tmp_path: Path) -> None:
    assert "CROUPIER_BRIDGE_TOKEN has no token of a device" in bridge(tmp_path, *GOOD, token="")
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    assert "Others can read 'token': chmod 600 it" in bridge(tmp_path, *GOOD, "--token-file", "token")
    file.chmod(0o600)
    file.write_text("ses_somebody")
    assert "'token' has no token of a device" in bridge(tmp_path, *GOOD, "--token-file", "token")
