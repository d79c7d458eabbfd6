"""The documentation is true: its commands run, its generated pages are what the program says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.games import catalogue
from scripts import reference
from tests.cli.test_commands import Run, run

__all__ = ["run"]

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("croupier ") and not line.startswith(("croupier play", "croupier enter"))
]


@pytest.mark.parametrize("name", sorted(reference.PAGES))
def test_reference_page_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == reference.PAGES[name](), "run `make docs`"


def in_sequences(commands: list[str]) -> list[list[str]]:
    """A command that names a file of the one before belongs to it; each of the others stands alone."""
    sequences: list[list[str]] = []
    shared: set[str] = set()
    for command in commands:
        files = set(re.findall(r"[\w-]+\.\w+", command))
        if files & shared:
            sequences[-1].append(command)
        else:
            sequences.append([command])
            shared = set()
        shared |= files
    return sequences


def test_readme_shows_commands() -> None:
    assert len(COMMANDS) > 8
    assert [command for sequence in in_sequences(COMMANDS) for command in sequence] == COMMANDS


@pytest.mark.parametrize("commands", in_sequences(COMMANDS), ids=lambda commands: commands[0])
def test_every_command_of_the_readme_runs(
    commands: list[str], tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, because thirty take half a minute to start; the transcripts below have a process each."""
    paytable = re.search(r"```text\n(# my-pair-plus.txt\n.*?)```", README, re.DOTALL)
    assert paytable
    (tmp_path / "my-pair-plus.txt").write_text(paytable[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in commands:
        ran = run(*shlex.split(command)[1:])
        assert ran.code == 0, f"{command}: {ran.err}"
        assert ran.out.strip(), command


@pytest.mark.parametrize("block", re.findall(r"```text\n(\$ croupier .*?)```", README, re.DOTALL))
def test_a_transcript_in_the_readme_is_real(block: str) -> None:
    command, _, shown = block.partition("\n")
    run = subprocess.run(
        [sys.executable, "-c", "from croupier.cli import main; main()", *shlex.split(command)[2:]],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.rstrip() for line in run.stdout.rstrip().splitlines()] == shown.rstrip().splitlines()


@pytest.mark.parametrize("target", re.findall(r"\]\((?!https?:)([^)#]+)\)", README))
def test_links_of_the_readme_lead_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


# The guide to adding a game, followed from the top

ADDING = (ROOT / "docs" / "guides" / "adding-a-game.md").read_text(encoding="utf-8")


def test_the_guide_to_adding_a_game_can_be_followed(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its blocks in their order: files are written, commands run, and what they print is what it shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("CROUPIER_GAMES", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    folder, shown, definition = tmp_path / "my-games", 0, list[str]()
    for kind, block in re.findall(r"```(\w+)\n(.*?)```", ADDING, re.DOTALL):
        if kind == "markdown":
            (folder / "red-dog.md").write_text(block, encoding="utf-8")
        elif kind == "python" and "paragraph by paragraph" in block:
            (folder / "test_red_dog.py").write_text(block, encoding="utf-8")
        elif kind == "python":
            definition.append(block)
            (folder / "red_dog.py").write_text("\n\n".join(definition), encoding="utf-8")
        elif kind == "text":
            test_a_transcript_in_the_readme_is_real(block)
            shown += 1
        else:
            for command in block.splitlines():
                _follow(command.split("#")[0].strip(), run, monkeypatch)
    catalogue._loaded.cache_clear()
    assert shown == 3


def _follow(command: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, because a dozen take a while to start; what a guide defines may have changed meanwhile."""
    catalogue._loaded.cache_clear()
    first, *words = shlex.split(command)
    if first == "export":
        monkeypatch.setenv(*words[0].split("=", 1))
    elif first == "croupier":
        ran = run(*words)
        assert ran.code == 0, f"{command}: {ran.err}"
    else:
        assert words[:2] == ["-m", "pytest"], command
        quietly = ["-q", "-c", os.devnull, "-p", "no:cacheprovider"]
        done = subprocess.run([sys.executable, *words, *quietly], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
