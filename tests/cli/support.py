"""Runs a command as the command line does."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all, sentence_of
from croupier.errors import CroupierError

register_all()


def run(*words: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: str) -> str:
    """The one sentence with which a command refuses."""
    with pytest.raises(CroupierError) as error:
        CliRunner().invoke(app, words, catch_exceptions=False)
    sentence = sentence_of(error.value)
    assert "\n" not in sentence
    return sentence
