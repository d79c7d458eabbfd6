"""`croupier plan`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.cli import main
from croupier.cli.plan import read_plan

ROOT = Path(__file__).resolve().parents[2]
QUICK = ("--histories", "100", "--period-days", "30")


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Run:
    """Runs the command in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capture = patch, capture

    def __call__(self, *words: str) -> Ran:
        self.patch.setattr(sys, "argv", ["croupier", "plan", *words])
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        out, err = self.capture.readouterr()
        return Ran(code if isinstance(code, int) else 0, out, err)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    return Run(monkeypatch, capsys)


def figure(printed: dict[str, Any], section: str, key: str, meter: str | None = None) -> dict[str, Any]:
    [found] = [
        each
        for each in printed["figures"]
        if (each["section"], each["key"]) == (section, key) and meter in (None, each["meter"])
    ]
    return dict(found)


def test_the_maker_s_table_1_for_programs(run: Run) -> None:
    printed = json.loads(run("blazing-7s-dealer", *QUICK, "--json").out)
    hold = figure(printed, "hold", "hold")
    assert (hold["basis"], round(100 * hold["value"], 2)) == ("exact", 24.78)
    assert figure(printed, "times", "wagers_per_hit")["exact"] == "125333/2"
    assert figure(printed, "at_hit", "mean")["value"] == pytest.approx(58_758.48, abs=0.01)
    seen = figure(printed, "at_hit", "percentile_50")
    assert seen["basis"] == "simulated"
    assert seen["low"] <= seen["value"] <= seen["high"]
    assert figure(printed, "custody", "weekly_deposit")["value"] == 24_192
    assert figure(printed, "risk", "runs_dry")["exact"] == "0"
    assert [each["code"] for each in printed["warnings"]] == ["no-reserve"]


def test_for_people(run: Run) -> None:
    out = run("blazing-7s-dealer", "--paytable", "ML03", "--decks", "8", "--reserve", "1%", *QUICK).out
    for words in ("Mega: at a 100 % award", "20.6464 %", "players' money to deposit each week", "simulated", "exact"):
        assert words in out


def test_style_a_says_how_it_runs_dry(run: Run) -> None:
    words = ("--accounting", "A", "--contribution", "40", "--seed-money", "1000", *QUICK)
    printed = json.loads(run("blazing-7s-dealer", *words, "--json").out)
    assert figure(printed, "risk", "runs_dry")["value"] > 0.9
    assert figure(printed, "risk", "shortfall")["value"] > 0
    before, kept = (figure(printed, "hold", key)["value"] for key in ("hold_before_shortfalls", "hold"))
    assert kept == pytest.approx(before - figure(printed, "hold", "shortfalls")["value"])


def test_what_a_few_histories_cannot_know_is_not_said(run: Run) -> None:
    words = ("blazing-7s-dealer", "--accounting", "A", "--contribution", "90", *QUICK)
    printed = json.loads(run(*words, "--json").out)
    dry = figure(printed, "risk", "runs_dry")
    assert (dry["value"], dry["low"]) == (0, 0)
    assert dry["high"] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert figure(printed, "risk", "shortfall")["high"] > 0
    hold = figure(printed, "hold", "hold")
    assert hold["low"] < hold["value"] == hold["high"]
    assert figure(printed, "at_hit", "percentile_99")["high"] is None
    seen = figure(printed, "custody", "highest_seen")
    assert (seen["basis"], "low" in seen) == ("seen", False)
    out = run(*words).out
    assert re.search(r"99 % are at most +\$[\d,]+ +simulated +at least \$", out)
    assert re.search(r"1 % are at most +\$[\d,]+ +simulated +at most \$", out)
    assert re.search(r"runs dry in the period +0.0000 % +simulated +0.0000 % to 3.62", out)


def test_rules_of_the_base_game(run: Run) -> None:
    hits = [
        figure(json.loads(run("blazing-7s-player", *rules, *QUICK, "--json").out), "times", "wagers_per_hit")["value"]
        for rules in ((), ("--rules", "6D S17 DAS SP4 3:2"), ("--rules", "ENHC"), ("--rules", "SP1 NDAS"))
    ]
    assert hits[2] < hits[0] == hits[1] < hits[3]


def test_the_same_seed_prints_the_same(run: Run) -> None:
    one, again, other = (run("blazing-7s-player", *QUICK, "--seed", seed, "--json").out for seed in ("1", "1", "2"))
    assert one == again != other


def test_a_written_plan_is_the_same_plan(run: Run) -> None:
    words = ("--paytable", "ML04", "--seed-money", "Major=7000", "--division", "Major=60", "--division", "Minor=40")
    written = run("blazing-7s-dealer", *words, *QUICK, "--write", "mine.toml", "--json")
    again = run("mine.toml", "--histories", "100", "--write", "again.toml", "--json")
    assert Path("mine.toml").read_text() == Path("again.toml").read_text()
    assert json.loads(written.out)["figures"] == json.loads(again.out)["figures"]


def test_two_plans_side_by_side(run: Run) -> None:
    Path("a.toml").write_text('wager = "blazing-7s-dealer"\n')
    Path("b.toml").write_text('wager = "blazing-7s-dealer"\ncontribution_percent = 20\nreserve_percent = 1\n')
    out = run("--compare", "a.toml", "b.toml", *QUICK).out
    assert "24.7828 %" in out
    assert "27.7828 %" in out
    assert "+3.0000 %" in out
    printed = json.loads(run("--compare", "a.toml", "b.toml", *QUICK, "--json").out)
    [hold] = [each for each in printed["differences"] if (each["section"], each["key"]) == ("hold", "hold")]
    assert hold["difference"] == pytest.approx(0.03)


def test_pictures(run: Run) -> None:
    for name in ("plan.png", "plan.svg", "plan.pdf"):
        assert f"The picture is in {name}." in run("blazing-7s-dealer", *QUICK, "--plot", name).out
        assert Path(name).stat().st_size > 5_000


@pytest.mark.parametrize(
    "file", sorted((ROOT / "docs" / "examples" / "plan").glob("*.toml")), ids=lambda file: file.stem
)
def test_the_examples_are_plans(file: Path) -> None:
    assert read_plan(str(file), {}).period_wagers > 0


def test_the_guide_names_examples_that_are_there() -> None:
    guide = (ROOT / "docs" / "guides" / "meter-planner.md").read_text(encoding="utf-8")
    named = re.findall(r"docs/examples/plan/[\w-]+\.toml", guide)
    assert named
    assert all((ROOT / name).is_file() for name in named)


WRONG = [
    (("blazing-7s-dealer", "--contribution", "140"), "The contribution cannot be '140'"),
    (("blazing-7s-dealer", "--tables", "-3"), "cannot be '-3'"),
    (("blazing-7s-dealer", "--wager-amount", "nan"), "cannot be 'nan'"),
    (("blazing-7s-dealer", "--period-days", "1e30"), "cannot be '1e30'"),
    (("blazing-7s-dealer", "--seed-money", "Mega=5"), "no meter for a seed 'Mega'"),
    (("blazing-7s-dealer", "--seed-money", "5", "--seed-money", "6"), "which meter"),
    (("blazing-7s-dealer", "--histories", "5"), "histories cannot be 5"),
    (("blazing-7s-dealer", "--seed", "-1"), "cannot be -1"),
    (("blazing-7s-dealer", "--plot", "plan.gif"), "ends in .png"),
    (("blazing-7s-dealer", "--plot", "plan.png", "--plot-kind", "pie"), "no kind of picture 'pie'"),
    (("blazing-7s-dealer", "--plot", "plan.png", "--plot-meter", "Mega"), "no meter 'Mega'"),
    (("blazing-7s-dealer", "--write", "plan.txt"), "ends in .toml"),
    (("blazing-7s-dealer", "--rules", "H17"), "does not depend on the rules"),
    (("blazing-7s-dealer", "--accounting", "A", "--tables", "1000", "--period-days", "2500"), "too many to simulate"),
    (("trilux",), "no pre-configured contribution"),
    (("blazing",), "file and no progressive wager"),
    (("none.toml",), "no file 'none.toml'"),
    ((), "There is no plan"),
    (("--compare", "a.toml"), "takes two plans"),
    (("--compare", "trilux", "trilux", "--write", "x.toml"), "about one plan"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(run: Run, words: tuple[str, ...], sentence: str) -> None:
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err
    assert found.err.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []
