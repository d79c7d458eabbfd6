"""`croupier plan`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.analysis.meter.figures import Basis, Figure
from croupier.analysis.meter.record import within_noise
from croupier.cli.app import main
from croupier.cli.plan import read_plan, shown

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
    assert hold["within_noise"] is False


def test_differences_within_their_intervals_are_marked(run: Run) -> None:
    Path("a.toml").write_text('wager = "blazing-7s-dealer"\n')
    Path("b.toml").write_text('wager = "blazing-7s-dealer"\ncontribution_percent = 24.1\n')
    Path("c.toml").write_text('wager = "blazing-7s-dealer"\ncontribution_percent = 48\n')
    near, far = (run("--compare", "a.toml", name, *QUICK) for name in ("b.toml", "c.toml"))
    assert re.search(r"50 % are at most .* \(within noise\) +simulated", near.out)
    assert re.search(r"hold +24\.7828 % +24\.6828 % +-0\.1000 % +exact", near.out)
    assert re.search(r"50 % are at most +\$[\d,]+ +\$[\d,]+ +\+\$[\d,]+ +simulated", far.out)
    assert near.out.count("Simulated: 100 periods and 1") == 1
    assert near.out.count("the 95 % intervals of A and B overlap") == 1


def test_no_two_rows_of_a_comparison_have_the_same_name(run: Run) -> None:
    out = run("--compare", "blazing-7s-dealer", "blazing-7s-dealer", "--paytable", "ML03", *QUICK).out
    for section in out.split(" figure ")[1:]:
        names = [line.split("  ")[0].strip() for line in section.splitlines()[2:] if line.startswith(" ")]
        names = [name for name in names if name]
        assert len(names) == len(set(names)) > 1
    assert "cycles of each meter for each plan" in out


def figure_of(basis: Basis, value: float, low: float | None = None, high: float | None = None) -> Figure:
    return Figure("hold", "hold", "hold", "", "share", value, low, high, basis)


@pytest.mark.parametrize(
    ("one", "other", "noise"),
    [
        (figure_of(Basis.SIMULATED, 2, 1, 3), figure_of(Basis.SIMULATED, 4, 2.9, 5), True),
        (figure_of(Basis.SIMULATED, 2, 1, 3), figure_of(Basis.SIMULATED, 4, 3.1, 5), False),
        (figure_of(Basis.SIMULATED, 2, 1, None), figure_of(Basis.SIMULATED, 4, 3.1, 5), True),
        (figure_of(Basis.SIMULATED, 2, None, 3), figure_of(Basis.SIMULATED, 4, 3.1, 5), False),
        (figure_of(Basis.EXACT, 2), figure_of(Basis.SIMULATED, 4, 1.9, 5), True),
        (figure_of(Basis.EXACT, 2), figure_of(Basis.EXACT, 2), False),
        (figure_of(Basis.SEEN, 2), figure_of(Basis.SEEN, 3), False),
    ],
)
def test_noise_is_where_intervals_overlap(one: Figure, other: Figure, noise: bool) -> None:
    assert within_noise(one, other) is within_noise(other, one) is noise


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (3.02e-9, "share", "one in 331 million"),
        (9.9e-7, "share", "one in 1.01 million"),
        (1.2e-6, "share", "0.00012 %"),
        (2e-11, "share", "one in 50 billion"),
        (2e-13, "share", "one in 5 trillion"),
        (9.996e-10, "share", "one in 1 billion"),
        (0, "share", "0.0000 %"),
        (2e-5, "hits", "one in 50,000 periods"),
        (0.000579, "hits", "0.000579"),
    ],
)
def test_small_chances_are_one_in_so_many(value: float, unit: str, words: str) -> None:
    assert shown(value, unit) == words
    assert shown(-value, unit) == (f"-{words}" if value else words)


def test_two_awards_in_a_round_are_said_in_plain_words(run: Run) -> None:
    out = run("blazing-7s-dealer", *QUICK).out
    assert re.search(r"two 100 % awards in one round +one in 331 million", out)
    assert re.search(r"two 100 % awards, against independent seats +3\.95 times as likely", out)
    assert "e-0" not in out


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
    (("a.toml", "b.toml"), "There are 2 plans to look at"),
    (("blazing",), "file and no progressive wager"),
    (("none.toml",), "no file 'none.toml'"),
    ((), "There is no plan"),
    (("--compare", "a.toml"), "takes two plans"),
    (("--compare", "trilux", "trilux", "--write", "x.toml"), "about one plan"),
]


OWN = """
Three Aces (Suited)   100%
Straight Flush        25 for 1
"""
WRONG_FILES = [
    (
        'wager = "trilux"\npaytable = "own.txt"',
        "say them, as contribution_percent = 20 and seeds_dollars = { Progressive = 5000 }.",
    ),
    ('wager = "trilux"\nfoo = 3', "plan.toml: There is no setting 'foo'; there are: wager, "),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG_FILES)
def test_a_file_is_asked_for_what_files_say(run: Run, text: str, sentence: str) -> None:
    Path("own.txt").write_text(OWN)
    Path("plan.toml").write_text(text)
    found = run("plan.toml")
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "no seed for TriLux Blackjack Progressive, paytable own.txt: say them, as --contribution 20 and --seed-"),
        (("--seed-money", "5000"), "contribution for TriLux Blackjack Progressive, paytable own.txt: say it, as --con"),
    ],
)
def test_nothing_is_proposed_for_a_paytable_of_ones_own(run: Run, words: tuple[str, ...], sentence: str) -> None:
    Path("own.txt").write_text(OWN)
    found = run("trilux", "--paytable", "own.txt", *words)
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err


def test_a_proposal_is_told_with_its_reason_and_what_was_said_is_none(run: Run) -> None:
    assert "hint: The document prints no values. Proposed: 14 % of each wager" in " ".join(run("trilux").out.split())
    assert "Proposed" not in run("trilux", "--contribution", "13").out
    assert "Proposed" not in run("blazing-7s-dealer").out


@pytest.mark.parametrize(("words", "sentence"), WRONG)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(run: Run, words: tuple[str, ...], sentence: str) -> None:
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err
    assert found.err.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []
