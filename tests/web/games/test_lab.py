"""The lab: a paytable of one's own gives the command's figures, at once when a pay changes, and what is looked for."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from fastapi.testclient import TestClient

from croupier.analysis.lab.sessions import spread
from croupier.analysis.session.law import after
from croupier.analysis.session.rounds import law_of_figures
from croupier.analysis.sheet import make_sheet
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES, GAMES
from croupier.games.rulebook import paragraphs
from croupier.web.games.questions import lab as answer_of
from tests.cli.support import run
from tests.web.support import MadeSite, Room, done, running

PAIR_PLUS = "Straight Flush 40 to 1; Three-of-a-Kind 30 to 1; Straight {} to 1; Flush 4 to 1; Pair 1 to 1"
BLAZING = {"game": "blackjack", "wager": "blazing-7s-dealer", "decks": 6}
BET = {"game": "blackjack", "wager": "bet"}


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One for all of these: they only read, and counting is kept."""
    with running(made_site.copy(tmp_path_factory.mktemp("lab"))) as made:
        yield made


def ask(room: Room, paytable: str, **more: Any) -> dict[str, Any]:
    table = {"paytable": paytable, **more.pop("table", {})}
    asked = {"game": "triple-shot-rummy", "wager": "pair-plus", "tables": [table], **more}
    return done(room.post("/api/lab", **asked))


def refusal(room: Room, paytable: str, **more: Any) -> str:
    asked = {"game": "triple-shot-rummy", "wager": "pair-plus", "tables": [{"paytable": paytable}], **more}
    answer = room.post("/api/lab", **asked)
    assert answer.status_code in (404, 422), answer.text
    return str(answer.json()["error"]["sentence"])


def test_a_paytable_of_ones_own_has_the_figures_of_the_command(room: Room, tmp_path: Any) -> None:
    own = tmp_path / "own.txt"
    own.write_text(PAIR_PLUS.format(7).replace("; ", "\n"))
    printed = json.loads(run("odds", "triple-shot-rummy", "pair-plus", "--paytable", str(own), "--json"))
    [table] = ask(room, PAIR_PLUS.format(7))["tables"]
    for name in ("house_edge", "hit_frequency", "standard_deviation", "lines", "digest"):
        assert table[name] == printed[name], name
    assert table["printed"]["house_edge"] == "-0.9412 %"
    assert table["approved_as"] == []
    assert ask(room, PAIR_PLUS.format(5))["tables"][0]["approved_as"] == ["2"]


def test_a_changed_pay_only_weighs_the_counts_anew() -> None:
    """The work of the process that counts, without the way there; the fastest of some, on a machine that is shared."""

    def asked(pay: int, game: str, wager: str, rows: str) -> str:
        table: dict[str, Any] = {"paytable": rows.format(pay), "contribution": None, "seeds": [], "meters": []}
        said: dict[str, Any] = {"game": game, "wager": wager, "decks": None, "rules": "", "strategy": "optimal"}
        return json.dumps(said | {"tables": [table], "rounds": 100, "find": None})

    for subject in (
        ("triple-shot-rummy", "pair-plus", PAIR_PLUS),
        ("triple-shot-rummy", "ante-play", "0 {} to 1; 1 to 5 2 to 1; 6 to 19 1 to 1"),
        ("supreme-99", "bet", "Both copy {} to 1; Both win 1 to 1"),
        ("blackjack", "bet", "1D H17 NDAS SP2 D10 {}:7"),
    ):
        answer_of(asked(3, *subject))
        took = []
        for pay in range(4, 10):
            began = time.perf_counter()
            answer_of(asked(pay, *subject))
            took.append(time.perf_counter() - began)
        assert min(took) < 0.05, (subject, took)


def test_a_progressive_answers_to_its_contribution_and_seed(room: Room) -> None:
    [usual] = ask(room, "1", **BLAZING)["tables"]
    assert usual["printed"]["hold"] == "24.7828 %"
    [changed] = ask(room, "1", table={"contribution": "20%", "seeds": ["3000"]}, **BLAZING)["tables"]
    words = "odds blackjack blazing-7s-dealer --paytable 1 --decks 6 --contribution 20% --seed-amount 3000 --json"
    printed = json.loads(run(*words.split()))
    for name in ("hold", "house_edge", "break_even_meter", "seeds", "contribution"):
        assert changed[name] == printed[name], name


def test_the_rules_of_blackjacks_bet_have_the_figures_of_the_command(room: Room) -> None:
    """Counted once for its rules; then the pay of a blackjack is tried at once."""
    for strategy, odds in (("optimal", "6:5"), ("optimal", "3:2"), ("basic", "1:1")):
        rules = f"1D H17 NDAS SP2 D10 {odds}"
        printed = json.loads(run("odds", "blackjack", "bet", "--rules", rules, "--strategy", strategy, "--json"))
        [table] = ask(room, rules, strategy=strategy, **BET)["tables"]
        for name in ("house_edge", "hit_frequency", "element_of_risk"):
            assert table[name]["percent"] == pytest.approx(printed[name]["percent"], abs=1e-10), name
        assert table["standard_deviation"] == pytest.approx(printed["standard_deviation"], abs=1e-10)
        assert [line["line"] for line in table["lines"]] == [line["line"] for line in printed["lines"]]
        chances = [line["probability"] for line in printed["lines"]]
        assert [line["probability"] for line in table["lines"]] == pytest.approx(chances, abs=1e-12)
        assert (table["digest"], table["rules"], table["paytable"]) == (
            printed["digest"],
            str(Rules.parse(rules)),
            odds,
        )


def test_the_pay_of_a_blackjack_is_found_and_rules_stand_side_by_side(room: Room) -> None:
    first, second = ({"paytable": f"1D H17 NDAS SP2 D10 {odds}"} for odds in ("6:5", "3:2"))
    find = {"what": "pay", "name": "blackjack_odds", "wanted": "1.25%"}
    found = done(room.post("/api/lab", **BET, tables=[first, second], find=find))
    edges = [table["house_edge"]["percent"] for table in found["tables"]]
    assert found["differences"]["house_edge"] == f"{edges[0] - edges[1]:+.4f} %"
    assert [each["pay"] for each in found["found"]["near"]] == ["6:5", "7:5"]
    assert found["found"]["near"][0]["house_edge"]["percent"] == pytest.approx(edges[0])
    odds = Fraction(found["found"]["exact"])
    [there] = ask(room, f"1D H17 NDAS SP2 D10 {odds.numerator}:{odds.denominator}", **BET)["tables"]
    assert there["house_edge"]["percent"] == pytest.approx(1.25, abs=1e-4)
    assert len(found["sessions"]["sessions"]) == 2
    assert found["sessions"]["sessions"][0]["ahead"] < found["sessions"]["sessions"][1]["ahead"]


def test_two_paytables_stand_side_by_side(room: Room) -> None:
    tables = [{"paytable": "2"}, {"paytable": "1"}]
    found = done(room.post("/api/lab", game="triple-shot-rummy", wager="pair-plus", tables=tables))
    assert found["differences"]["house_edge"] == "+3.2579 %"
    first, second = found["sessions"]["sessions"]
    assert len(first["chances"]) == len(second["chances"]) == len(found["sessions"]["results"])
    assert first["ahead"] < second["ahead"]


def test_the_pay_that_is_found_gives_the_wanted_edge(room: Room) -> None:
    find = {"what": "pay", "name": "Straight", "wanted": "5%"}
    found = ask(room, PAIR_PLUS.format(6), find=find)["found"]
    assert [each["pay"] for each in found["near"]] == ["5 to 1", "11 to 2", "6 to 1"]
    odds = Fraction(found["exact"])
    rows = PAIR_PLUS.replace("{} to 1", f"{odds.numerator} to {odds.denominator}")
    assert ask(room, rows)["tables"][0]["house_edge"]["exact"] == "1/20"


def test_a_pay_that_changes_how_to_decide_is_found_too(room: Room) -> None:
    """Where two copies pay more, more hands are set for them: the search follows best play, and is still exact."""
    rows, wager = "Both copy {} to 1; Both win 1 to 1", {"game": "supreme-99", "wager": "bet"}
    find = {"what": "pay", "name": "Both copy", "wanted": "-20%"}
    first = ask(room, rows.format(4), find=find, **wager)
    odds = Fraction(first["found"]["exact"])
    [there] = ask(room, rows.format(4).replace("4 to 1", f"{odds.numerator} to {odds.denominator}"), **wager)["tables"]
    assert there["house_edge"]["exact"] == "-1/5"
    assert there["hit_frequency"] != first["tables"][0]["hit_frequency"]


def test_the_contribution_and_the_seed_that_are_found_give_the_wanted_hold(room: Room) -> None:
    found = ask(room, "1", find={"what": "seed", "name": "Progressive", "wanted": "20%"}, **BLAZING)["found"]
    [table] = ask(room, "1", table={"seeds": [str(found["value"])]}, **BLAZING)["tables"]
    assert table["hold"]["exact"] == "1/5"
    found = ask(room, "1", find={"what": "contribution", "wanted": "20%"}, **BLAZING)["found"]
    assert found["printed"] == "28.7828 %"


@pytest.mark.parametrize(
    ("paytable", "more", "sentence"),
    [
        ("Straigt 3 to 1; Pair 1 to 1", {}, "did you mean 'straight'"),
        ("Pair one to 1; Flush 4 to 1", {}, "does not end in a pay"),
        ("1", {"decks": 6}, "it has one set of"),
        ("1", {"strategy": "brave"}, "brave"),
        ("1", {"find": {"what": "pay", "name": "Flush", "wanted": "five"}}, "write a percentage"),
        ("1", {"find": {"what": "pay", "name": "Flush", "wanted": "99%"}}, "No pay of Flush"),
        ("1", {"find": {"what": "seed", "name": "Mega", "wanted": "5%"}}, "has no meter"),
        ("6D S71", BET, "is no rule of blackjack"),
        ("6D 3:2", {**BET, "decks": 6}, "its rules in place of a paytable"),
        ("6D 3:2", {**BET, "strategy": "brave"}, "brave"),
        ("6D 3:2", {**BET, "find": {"what": "seed", "name": "", "wanted": "5%"}}, "has no meter"),
        ("1", {**BLAZING, "decks": 3}, "decks"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_sentence(
    room: Room, paytable: str, more: dict[str, Any], sentence: str
) -> None:
    assert sentence in refusal(room, paytable, **more)


def test_sessions_end_as_the_whole_law_says() -> None:
    game = GAMES["triple-shot-rummy"]
    wager = game.wager("6-card-bonus")
    figures = make_sheet(game, wager, "1", wager.paytables["1"]).figures
    found = spread([figures], 100)
    assert found is not None
    [session] = found["sessions"]
    whole = after(law_of_figures(figures, 1), 100, exact=False)
    assert session["rare"]["least"] == 1000
    assert session["ahead"] == pytest.approx(float(whole.ahead), abs=1e-9)
    assert session["behind"] == pytest.approx(float(whole.behind), abs=1e-9)
    first, width = found["results"][0], found["width"]
    for place, chance in enumerate(session["chances"]):
        low = round(first + place * width)
        within = float(whole.below(round(low + width)) - whole.below(low))
        assert chance == pytest.approx(within, abs=1e-9)


def test_a_plan_tells_where_its_meters_may_stand(room: Room) -> None:
    asked: dict[str, Any] = {"wager": "blazing-7s-dealer", "decks": 6, "simulate": False, "ahead": True}
    found = done(room.act("/api/plan", **asked))
    [level] = found["ahead"]["levels"]
    assert level["ahead"]["p50"][0] == level["meter_dollars"] == 10_000
    assert len(level["ahead"]["days"]) == len(level["ahead"]["p95"]) > 10
    assert done(room.act("/api/plan", **(asked | {"ahead": False})))["ahead"] is None


# Pages


def test_whoever_has_not_signed_in_comes_back_to_the_paytable_that_was_shared(room: Room) -> None:
    browser = TestClient(room.app, base_url="http://testserver", follow_redirects=False)
    shared = browser.get("/lab", params={"wager": "tie", "paytable": "Point Tie 7.5 to 1; 3 Card Copy 50 to 1"})
    assert shared.status_code == 200, "it opens for a stranger"
    [way] = re.findall(r'id="lab-sign-in" href="([^"]+)"', shared.text)
    back = browser.get(way).text
    assert 'data-then="/lab?wager=tie&amp;paytable=Point%20Tie%207%2E5%20to%201%3B%203%20Card' in back


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_rules_page_is_for_anybody_and_has_every_paragraph(room: Room, game: str) -> None:
    browser = TestClient(room.app, base_url="http://testserver")
    html = browser.get(f"/rules/{game}").text
    assert all(
        f'<p id="p{each.number}" class="rule"><strong>{each.number}</strong>' in html for each in paragraphs(game)
    )
    assert "Sign in" in html
    assert "/api/par/" not in html


def test_four_paytables_are_compared_and_a_fifth_is_refused(room: Room) -> None:
    tables = [{"paytable": PAIR_PLUS.format(straight)} for straight in (6, 5, 7, 8)]
    asked = {"game": "triple-shot-rummy", "wager": "pair-plus"}
    found = done(room.post("/api/lab", **asked, tables=tables))
    edges = [Fraction(table["house_edge"]["exact"]) for table in found["tables"]]
    printed = [f"{float(100 * (edges[0] - other)):+.4f} %" for other in edges[1:]]
    assert [less["house_edge"] for less in found["less_the_others"]] == printed
    assert found["differences"] is None
    assert len(found["sessions"]["sessions"]) == 4
    assert found["one_more"] is None
    assert room.post("/api/lab", **asked, tables=[*tables, tables[0]]).status_code == 422


def test_one_more_on_a_pay_costs_its_chance_where_nobody_decides(room: Room) -> None:
    answer = ask(room, PAIR_PLUS.format(6), one_more=True)
    [table] = answer["tables"]
    ways = {line["line"]: line["combinations"] for line in table["lines"]}
    for told in answer["one_more"]:
        assert Fraction(told["exact"]) == Fraction(ways[told["row"]], sum(ways.values())), told["row"]
    assert [told["pay"] for told in answer["one_more"]] == ["41 to 1", "31 to 1", "7 to 1", "5 to 1", "2 to 1"]


def test_one_more_on_a_pay_costs_at_least_what_the_same_play_would_lose(room: Room) -> None:
    """With a larger pay best play may change, and then the house loses more than the chance of the row."""
    rows = "Both copy 3 to 1; Both win 1 to 1"
    answer = ask(room, rows, game="supreme-99", wager="bet", one_more=True)
    copies, wins = answer["one_more"]
    larger = ask(room, rows.replace("3 to", "4 to"), game="supreme-99", wager="bet")["tables"][0]
    edges = [Fraction(table["house_edge"]["exact"]) for table in (answer["tables"][0], larger)]
    assert Fraction(copies["exact"]) == edges[0] - edges[1]
    assert Fraction(wins["exact"]) > Fraction(copies["exact"]) > 0


def test_what_a_counter_wins_is_told_and_refused_of_a_game_without_a_shoe(room: Room) -> None:
    asked: dict[str, Any] = {"game": "blackjack", "wager": "kings-bounty", "decks": 6, "tables": [{"paytable": "KB01"}]}
    found = done(room.post("/api/lab/vulnerability", **asked))
    printed = json.loads(run("odds", "blackjack", "kings-bounty", "--paytable", "KB01", "--decks", "6", "--json"))
    assert found["expected"]["exact"] == str(-Fraction(printed["house_edge"]["exact"]))
    effects = {each["rank"]: Fraction(each["exact"]) for each in found["by_rank"]}
    assert min(effects, key=lambda rank: effects[rank]) == "K"
    # As far off as the house edge is, in steps of what one card of a deck does: the triggers that shoes show too.
    assert {count["count"]: int(count["good_from"]) for count in found["counts"]}["level 1"] == 5
    refused = room.post("/api/lab/vulnerability", game="casino-war", wager="tie", tables=[{"paytable": "1"}])
    assert refused.status_code == 422, refused.text
