"""The library: its names are held, its examples are run, and it says what the commands say."""

from __future__ import annotations

import doctest
import json
import pkgutil
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import pandas  # type: ignore[import-untyped]
import polars
import pytest

import croupier
from croupier.errors import CroupierError
from scripts.notebooks import NOTEBOOKS, answers
from tests.cli.test_commands import Run, run

__all__ = ["run"]

ROOT = Path(__file__).resolve().parents[1]
NAMES = {
    *("CroupierError", "Blackjack", "Decisions", "Game", "Odds", "Par", "Plan", "Plot", "Priced", "Round", "Sampled"),
    *("Sweep", "Vulnerability"),
    *("Table", "Wager", "blackjack", "catalogue", "deal", "game", "language", "paytable", "plan", "simulate"),
}
"""Added to with care, and never taken from."""
OF_A_GAME = {
    *(
        "deal",
        "hand",
        "key",
        "par",
        "report",
        "rules",
        "simulate",
        "strategies",
        "strategy",
        "title",
        "wager",
        "wagers",
    ),
}
METHODS = {
    "Game": OF_A_GAME,
    "Blackjack": OF_A_GAME | {"chart", "exceptions", "hole_cards"},
    "Wager": {"game", "key", "odds", "paytable", "paytables", "rules", "title"},
    "Priced": {"find_pay", "name", "odds", "own", "pays", "sweep", "vulnerability", "wager"},
    "Odds": {
        *("digest", "element_of_risk", "expected", "game", "hit_frequency", "hold", "house_edge", "more", "paytable"),
        *("plot", "read", "rows", "standard_deviation", "strategy", "variance", "wager"),
    },
    "Round": {"do", "events", "history", "is_over", "may", "net_cents", "next", "record", "results", "run"},
}


def test_the_public_names_are_these() -> None:
    assert set(croupier.__all__) == NAMES
    assert all(getattr(croupier, name) is not None for name in NAMES)
    modules = {module.name for module in pkgutil.iter_modules(croupier.__path__)}
    assert not NAMES & modules, "a module that is imported would hide it"


@pytest.mark.parametrize("name", METHODS)
def test_the_public_members_are_these(name: str) -> None:
    kind = getattr(croupier, name)
    members = {each for each in {*dir(kind), *kind.__dataclass_fields__} if not each.startswith("_")}
    assert members == METHODS[name]


def test_the_stub_has_every_name() -> None:
    stub = (ROOT / "src" / "croupier" / "__init__.pyi").read_text(encoding="utf-8")
    assert {line.rpartition(" as ")[2] for line in stub.splitlines() if " as " in line} == NAMES


def test_importing_it_loads_nothing_else() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import sys, croupier; print([m for m in sys.modules if m.startswith('croupier.')])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="croupier has no 'nothing'; it has Blackjack"):
        croupier.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_the_guide_is_true() -> None:
    guide = ROOT / "docs" / "guides" / "library.md"
    found = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert (found.failed, found.attempted > 15) == (0, True)
    text = guide.read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}" not in text and f".{name}" not in text] == []


@pytest.mark.parametrize("file", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda file: file.stem)
def test_notebooks_answer_as_they_say(file: Path) -> None:
    notebook = json.loads(file.read_text(encoding="utf-8"))
    kept = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = answers(notebook)
    assert [_words(each) for each in found] == [_words(each) for each in kept], "run `python -m scripts.notebooks`"
    assert sum(map(bool, kept)) > 3


def _words(outputs: list[dict[str, Any]]) -> list[Any]:
    """Pictures differ with the fonts of a machine; that there is one is compared."""
    for each in outputs:
        if "image/svg+xml" in each.get("data", {}):
            each["data"]["image/svg+xml"] = True
    return outputs


OF_MANY_DECKS = {("super-fun-21", wager) for wager in ("blazing-7s-dealer", "blazing-7s-player", "trilux")}
"""The house may post more decks for them, with `--rules`."""


@pytest.mark.parametrize("key", croupier.catalogue())
def test_every_wager_of_the_catalogue_is_counted_as_the_command_counts_it(key: str, run: Run) -> None:
    game = croupier.game(key)
    for wager in game.wagers:
        table = next(iter(game.wager(wager).paytables))
        if (key, wager) == ("blackjack", "bet-the-bust"):
            table = "2"
        if (key, wager) in OF_MANY_DECKS:
            with pytest.raises(CroupierError, match="is not offered with 1 deck"):
                game.wager(wager).paytable(table).odds()
            continue
        odds = game.wager(wager).paytable(table).odds()
        said = run("odds", key, wager, "--paytable", table, "--json").json
        assert odds.more == said
        if said["house_edge"]["exact"] is not None:
            assert isinstance(odds.house_edge, Fraction)
            assert -odds.house_edge == sum(Fraction(row["return_exact"]) for row in odds.rows)
        frames = pandas.DataFrame(odds.rows), polars.DataFrame(odds.rows)
        assert [frame.shape[0] for frame in frames] == [len(odds.rows)] * 2
        assert f"<caption>{key}" in odds._repr_html_()


@pytest.mark.parametrize("key", croupier.catalogue())
def test_a_round_of_every_game_is_dealt_to_its_end(key: str) -> None:
    opened = croupier.deal(key, random_seed="demo")
    spot = opened.history.offering.game.betting_spots[0]
    round_ = opened.do(f"bet 1 {spot} 500", "no-more-bets").run()
    for _ in range(20):
        if round_.is_over:
            break
        round_ = round_.do(round_.may[0]).run()
    assert round_.is_over
    assert round_.net_cents(1) == sum(row["net_cents"] for row in round_.results)
    assert round_.record.startswith("croupier round 2\n")
    assert len(polars.DataFrame(round_.events.rows)) == len(round_.events) > 3
    assert not opened.history.acts, "a round never changes"


def test_plans_and_simulations_are_rows_with_their_intervals() -> None:
    plan = croupier.plan("blazing-7s-dealer", paytable="ML03", contribution_percent=20, histories=1000)
    frame = pandas.DataFrame(plan.rows)
    assert {"exact", "simulated"} <= set(frame["basis"])
    simulated = frame[frame["basis"] == "simulated"]
    assert (simulated["low"] <= simulated["value"]).all()
    assert len(polars.DataFrame(plan.rows)) == len(plan.rows)
    sampled = croupier.blackjack("6D H17").simulate(20_000, wagers=["bet", "kings-bounty"], players=2)
    assert [row["wager"] for row in sampled.rows] == ["bet", "kings-bounty"]
    assert all(row["low"] < row["house_edge"] < row["high"] for row in sampled.rows)
    assert sampled.agrees is None
    assert "<svg" in plan.plot("fan")._repr_svg_()


def test_numbers_of_numpy_are_numbers() -> None:
    """As they come out of an array or a frame."""
    rounds, players, seed = numpy.array([1000, 2, 1])
    sampled = croupier.simulate("supreme-99", rounds, players=players, random_seed=seed)
    assert sampled.rows == croupier.simulate("supreme-99", 1000, players=2, random_seed=1).rows
    assert croupier.blackjack("", decks=players).rules.decks == 2
    dealt = croupier.deal("supreme-99", random_seed=players)
    assert dealt.record == croupier.deal("supreme-99", random_seed=2).record
    assert dealt.net_cents(players) == 0


def test_pictures_are_objects(tmp_path: Path) -> None:
    plot = croupier.game("supreme-99").wager("pair-fortunes").paytable().odds().plot()
    plot.save(tmp_path / "odds.svg")
    assert "<svg" in (tmp_path / "odds.svg").read_text(encoding="utf-8")
    assert plot.figure.axes
    with pytest.raises(CroupierError, match="picture's name ends"):
        plot.save(tmp_path / "odds.doc")


def test_a_pay_is_found_and_swept_as_the_command_does_it(run: Run) -> None:
    priced = croupier.game("triple-shot-rummy").wager("pair-plus").paytable("4")
    words = ("odds", "triple-shot-rummy", "pair-plus", "--paytable", "4", "--vary", "Straight Flush")
    command = run(*words, "--target-edge", "5%", "--json").json
    exact, *near = priced.find_pay("Straight Flush", 0.05)
    assert exact["pay"] == f"{command['exact']} to 1"
    assert [row["pay"] for row in near] == [row["pay"] for row in command["near"]]
    assert priced.find_pay("straight flush", "5 %").rows[0]["house_edge_exact"] == "1/20"
    for row in near:  # each is what that table comes to
        pays = {
            posted.label: row["pay"] if "Straight F" in posted.label else str(posted.pay) for posted in priced.pays.rows
        }
        assert Fraction(row["house_edge_exact"]) == priced.wager.paytable(pays).odds().house_edge
    swept, wanted = priced.sweep("Straight Flush", [20, "40 to 1"]), run(*words, "--over", "20,40", "--json").json
    assert [row["house_edge_exact"] for row in swept] == [row["house_edge"]["exact"] for row in wanted["rows"]]
    assert swept.plot().figure.axes


def test_a_laboratorys_report_is_that_of_the_command(run: Run) -> None:
    report = croupier.game("casino-war").report("tie", rounds=1e3, number="LAB-1", prepared="A. Person")
    words = ("par", "casino-war", "tie", "--lab", "--rounds", "1000", "--number", "LAB-1", "--prepared", "A. Person")
    assert json.loads(json.dumps(report.as_json())) == run(*words, "--json").json


def test_what_a_mathematician_types_is_understood() -> None:
    rummy = croupier.game("triple-shot-rummy")
    listed = croupier.simulate("supreme-99", 1000, wagers=["bet"])
    pair_plus = rummy.wager("Pair Plus")
    assert pair_plus.paytable(4).odds() == pair_plus.paytable("4").odds()
    assert croupier.game(rummy) == rummy  # type: ignore[arg-type]
    assert rummy.hand(["Qh", "6c", "4d"]) == rummy.hand("Qh 6c 4d")
    assert croupier.simulate("supreme-99", 1e3, wagers="bet").rows == listed.rows
    assert polars.DataFrame(rummy.strategies()).rows() == polars.DataFrame(rummy.strategies().rows).rows()
    own = croupier.deal("triple-shot-rummy", 1, paytables={"pair-plus": "4"}).history.offering.paytables["pair-plus"]
    assert own == pair_plus.paytables["4"]


def test_the_blackjack_family_decides_hands() -> None:
    assert croupier.game("blackjack").hand("T6", "T").values == croupier.blackjack().hand("T6", "T").values
    free = croupier.game("free-bet-blackjack")
    assert isinstance(free, croupier.Blackjack)
    assert free.hand("65", "T").best == "double"


def test_objects_say_what_they_are() -> None:
    table = croupier.blackjack("6D H17")
    assert repr(table) == "<Blackjack, 6D H17 DAS SP4 3:2>"
    assert repr(table.wager("bet")) == "<Blackjack, 6D H17 DAS SP4 3:2>.wager('bet')"
    priced = croupier.game("triple-shot-rummy").wager("pair-plus").paytable("4")
    assert eval(repr(priced)) == priced
    assert repr(croupier.deal("supreme-99")) == "<Supreme 99: the round is at betting>"


def test_a_par_sheet_is_shown_as_its_summary_and_saved_as_the_command_writes_it(tmp_path: Path, run: Run) -> None:
    par = croupier.game("three-card-baccarat").par("tie")
    assert repr(par) == f"Par(game='three-card-baccarat', digest={par.digest!r})"
    assert "5.284989 %" in par._repr_html_()
    assert [row["wager"] for row in par.rows] == ["Tie"]
    for suffix in (".csv", ".html", ".json", ".tex"):
        par.save(tmp_path / f"own{suffix}")
        assert run("par", "three-card-baccarat", "tie", "-o", str(tmp_path / f"said{suffix}")).code == 0
        assert (tmp_path / f"own{suffix}").read_bytes() == (tmp_path / f"said{suffix}").read_bytes()


BAD = {
    "a game": (lambda: croupier.game("pokr"), "no game 'pokr'"),
    "an option": (lambda: croupier.game("supreme-99", "x"), "house option"),
    "a wager": (lambda: croupier.game("supreme-99").wager("x"), "no wager of Supreme 99 'x'"),
    "a paytable": (lambda: croupier.game("supreme-99").wager("bet").paytable("9"), "no paytable"),
    "a hand of a paytable": (
        lambda: croupier.game("triple-shot-rummy").wager("pair-plus").paytable({"Quad": "2 to 1"}),
        "no line 'Quad'",
    ),
    "a strategy": (lambda: croupier.game("supreme-99").wager("bet").paytable().odds("x"), "no strategy"),
    "rules": (lambda: croupier.blackjack("9D"), "no number of decks"),
    "an up card": (lambda: croupier.blackjack().hand("T6", "TT"), "one card"),
    "no up card": (lambda: croupier.blackjack().hand("T6"), "one card"),
    "nothing to decide": (lambda: croupier.game("three-card-baccarat").hand("2c 3c 4c"), "no decisions"),
    "a plan": (lambda: croupier.plan("x"), "no progressive wager 'x'"),
    "a meter of a plan": (lambda: croupier.plan("trilux", histories=1000).plot("fan", "Mega"), "no meter 'Mega'"),
    "rounds": (lambda: croupier.simulate("supreme-99", 0), "rounds"),
    "a confidence": (lambda: croupier.simulate("supreme-99", 1000, confidence=2), "confidence"),
    "what is no game": (lambda: croupier.game(None), "None is no game"),  # type: ignore[arg-type]
    "what is no paytable": (lambda: croupier.paytable([1]), "is no paytable"),  # type: ignore[arg-type]
    "a setting of a simulation": (lambda: croupier.simulate("supreme-99", seed=3), "did you mean random_seed"),
    "a setting of a plan": (lambda: croupier.plan("trilux", contribution=20), "did you mean contribution_percent"),
    "a term of a house": (lambda: croupier.deal("supreme-99", limit=3), "did you mean limits"),
    "rounds in words": (lambda: croupier.simulate("supreme-99", "1e4"), "whole number"),  # type: ignore[arg-type]
    "rounds in part": (lambda: croupier.simulate("supreme-99", 0.5), "whole number, as 1_000_000 or 1e6, not 0.5"),
    "a strategy as a function": (
        lambda: croupier.game("supreme-99").wager("bet").paytable().odds(print),  # type: ignore[arg-type]
        "A strategy is named",
    ),
    "one of two hands": (lambda: croupier.game("blackjack-switch").hand("T6", "T"), "has two hands"),
    "the form of a PAR sheet": (lambda: croupier.game("supreme-99").par("bet").save("sheet.doc"), "name ends in .pdf"),
    "an act": (lambda: croupier.deal("supreme-99").do("fly"), "is no act"),
    "an act out of turn": (lambda: croupier.deal("supreme-99").do("settle"), "out of turn"),
    "a strategy where nothing is decided": (
        lambda: croupier.game("triple-shot-rummy").wager("pair-plus").paytable().odds("always play"),
        "Pair Plus has no decisions",
    ),
    "a convention": (
        lambda: croupier.game("triple-shot-rummy").wager("pair-plus").paytable().odds(convention="CDP"),
        "Triple Shot Rummy has none",
    ),
    "one limit": (lambda: croupier.deal("supreme-99", limits=3), "limits are the least and the most in cents"),
    "limits of no spot": (lambda: croupier.deal("supreme-99", spot_limits={"x": (1, 2)}), "no spot of Supreme 99"),
    "a seat": (lambda: croupier.deal("supreme-99").net_cents(99), "Seats are 1 to"),
    "a line of a document": (lambda: ANY.game("casino-war").report(nmber="LAB-1"), "did you mean number"),
    "a day": (lambda: croupier.game("casino-war").report("tie", date="tomorrow"), "is a day, as 2026-11-17"),
    "a row": (lambda: _priced().find_pay("Flus", "5%"), "did you mean Flush"),
    "an edge": (lambda: _priced().find_pay("Flush", "much"), "no wanted figure"),
    "an edge that no pay gives": (lambda: _priced().find_pay("Flush", "99%"), "No pay of Flush gives"),
    "no pays": (lambda: _priced().sweep("Flush", []), "From 1 to 60 values"),
    "pays as a span": (lambda: _priced().sweep("Flush", "3-5"), "pays are a list"),
    "no pay": (lambda: _priced().sweep("Flush", ["x"]), "'x' is no pay"),
    "a pay of the Bet": (lambda: croupier.blackjack().wager("bet").paytable().find_pay("x", "1%"), "change the rules"),
}
ANY: Any = croupier


def _priced() -> Any:
    return ANY.game("triple-shot-rummy").wager("pair-plus").paytable("4")


def _watched(**asked: Any) -> Any:
    return ANY.blackjack("6D").wager("kings-bounty").paytable().vulnerability(**asked)


OF_THE_WRONG_KIND = {
    "an option": lambda: ANY.game("supreme-99", 3),
    "rules": lambda: ANY.blackjack(None),
    "decks": lambda: ANY.blackjack(decks=2.5),
    "a paytable's name": lambda: ANY.paytable("Pair 1 to 1", name=3),
    "a wager": lambda: ANY.game("supreme-99").wager(None),
    "a convention": lambda: ANY.blackjack().wager("bet").paytable().odds(convention=None),
    "a hand": lambda: ANY.game("triple-shot-rummy").hand(None),
    "a hand of blackjack": lambda: ANY.blackjack().hand(None, "T"),
    "an up card": lambda: ANY.blackjack().hand("T6", None),
    "a sheet": lambda: ANY.game("supreme-99").par(3),
    **{
        f"{name} of a simulation": partial(ANY.simulate, "supreme-99", 100, **{name: given})
        for name, given in {
            **{"players": "x", "wagers": 3, "paytables": ["1"], "strategy": 3, "confidence": "95", "workers": "x"},
            **{"rules": 3, "compare": "yes", "shoe": 3, "random_seed": "x"},
        }.items()
    },
    **{
        f"{name} of a house": partial(ANY.deal, "supreme-99", **{name: given})
        for name, given in {
            **{"limits": "x", "seats": "x", "options": 3, "side_wagers": 3, "without": 3, "paytables": ["1"]},
            **{"rounding": "x", "spot_limits": 3, "random_seed": [1]},
        }.items()
    },
    "a number of a document": lambda: ANY.game("casino-war").report(number=3),
    "rounds of a report": lambda: ANY.game("casino-war").report(rounds="x"),
    "a row": lambda: _priced().find_pay(3, "5%"),
    "an edge": lambda: _priced().find_pay("Flush", None),
    "a strategy of a search": lambda: _priced().find_pay("Flush", "5%", 3),
    "pays of a sweep": lambda: _priced().sweep("Flush", 3),
    "an act": lambda: ANY.deal("supreme-99").do(3),
    "a seat": lambda: ANY.deal("supreme-99").net_cents("1"),
    "a plan": lambda: ANY.plan(3),
    "histories": lambda: ANY.plan("trilux", histories="x"),
    "a seed of histories": lambda: ANY.plan("trilux", random_seed="x"),
    **{
        f"{name} of a shoe": partial(_watched, **{"shoes": 100, name: "x"})
        for name in ("penetrations", "players", "shoes", "random_seed", "rounds_per_hour")
    },
}


@pytest.mark.parametrize("ask", OF_THE_WRONG_KIND.values(), ids=OF_THE_WRONG_KIND)
def test_what_is_of_the_wrong_kind_is_refused_at_once_by_its_name(ask: Any) -> None:
    with pytest.raises(CroupierError, match=r"not (None|3|2.5|'x'|'1'|'95'|'yes'|\['1'\]|\[1\])\."):
        ask()


def test_limits_of_a_house_hold_at_the_table() -> None:
    opened = croupier.deal(
        "triple-shot-rummy", 1, limits=(500, 2_500), spot_limits={"pair-plus": (100, 200)}, rounding=100
    )
    assert "bet 1 pair-plus 100" in opened.may
    opened.do("bet 1 ante 2500", "bet 1 pair-plus 200")
    with pytest.raises(CroupierError, match="above the maximum of"):
        opened.do("bet 1 ante 2600")


@pytest.mark.parametrize(("ask", "sentence"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused_in_one_sentence(ask: Any, sentence: str) -> None:
    with pytest.raises(CroupierError, match=sentence):
        ask()


def test_all_paytables_of_a_wager_are_one_table() -> None:
    every = croupier.game("three-card-poker").wager("pair-plus").odds()
    assert (
        [odds.paytable for odds in every] == [row["paytable"] for row in every.rows] == ["1", "2", "3", "4", "5", "6"]
    )
    assert every.rows[0]["house_edge_exact"] == "128/5525"
    assert every._repr_html_().count("<tr>") == 7


def test_a_plan_begins_with_what_each_figure_is() -> None:
    rows = croupier.plan("trilux", histories=1_000).rows
    assert list(rows[0])[:2] == ["section", "key"]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
