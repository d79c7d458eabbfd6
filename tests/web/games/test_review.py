"""From round to round: a shoe that runs on sealed, rounds that stay, every step again, and what decisions cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.games.blackjack.answers import Insure
from croupier.games.table.bets import Bet
from croupier.games.table.legal import dealers_acts, legal_acts
from croupier.games.table.record import read_any_record, write_record
from croupier.web.errors import ApiError
from croupier.web.games import questions
from croupier.web.games.rounds import Rounds, Standing
from croupier.web.games.store import SUFFIX, RoundRow, RoundStore, play_database
from croupier.web.identity.store import utc
from support.postgres import new_floor
from tests.games.blackjack.support import offer_blackjack
from tests.web.games.test_rounds import SOMEBODY, Seated, offered
from tests.web.support import MadeSite, Room, done, error_of, running


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with running(made_site.copy(tmp_path_factory.mktemp("review"))) as made:
        yield made


def played(room: Room, seed: str | None = None, **more: Any) -> Seated:
    """A round of blackjack in which every hand stands and nothing else is wanted."""
    seated = Seated(room, "blackjack", seed, **more)
    seated.act(["bet 1 bet 500", "no-more-bets", "go-on"])
    while not seated.seen["over"]:
        legal = [each for each in seated.seen["legal"] if each["seat"] == 1 and not each["cost_cents"]]
        wanted = next(each for each in legal if each["name"] == "stand" or each["words"] == "declines")
        seated.act([wanted["act"], "go-on"])
    return seated


def replay(room: Room, round_: str) -> dict[str, str]:
    found: dict[str, str] = done(room.get(f"/api/rounds/{round_}/replay", "max"))
    return found


def test_a_shoe_runs_on_from_round_to_round_and_its_order_stays_sealed(room: Room) -> None:
    first = played(room)
    second = played(room, after=first.round)
    assert second.seen["commitment"] == first.seen["commitment"]
    assert second.seen["shoe"]["before"] == first.seen["shoe"]["now"]
    assert second.seen["shoe"]["cut"] == int(6 * 52 * 0.75)
    order = read_any_record(replay(room, second.round)["record"]).shoe
    assert order is not None
    again = read_any_record(replay(room, first.round)["record"]).shoe
    assert again is not None
    assert again.order == order.order
    before, now = second.seen["shoe"]["before"], second.seen["shoe"]["now"]
    dealt = [str(card) for card in order.order[before:now]]
    told = [card for event in second.seen["events"] if event["kind"] == "deal" for card in event["cards"]]
    left = iter(dealt)
    assert told
    assert all(card in left for card in told), "in the order of the shoe, from where the first round left it"


def test_a_shoe_that_was_looked_into_is_not_dealt_from_again(room: Room) -> None:
    first = played(room)
    replay(room, first.round)
    second = Seated(room, "blackjack", None, after=first.round)
    assert second.seen["commitment"] != first.seen["commitment"]
    assert second.seen["shoe"]["before"] == 0


def test_a_table_whose_shoe_was_looked_into_before_its_first_wager_says_that_it_takes_none(room: Room) -> None:
    first = played(room)
    table = Seated(room, "blackjack", None, after=first.round)
    assert "revealed" not in done(room.get(f"/api/rounds/{table.round}", "max"))
    replay(room, first.round)
    assert done(room.get(f"/api/rounds/{table.round}", "max"))["revealed"]
    assert "revealed" not in done(room.get(f"/api/rounds/{first.round}", "max")), "which was played, and is only over"
    refused = room.post(f"/api/rounds/{table.round}/acts", "max", id="b", act="bet 1 bet 500")
    assert (refused.status_code, error_of(refused)) == (409, "shoe-opened")


def test_a_shoe_is_not_opened_while_a_round_is_dealt_from_it(room: Room) -> None:
    first = played(room)
    second = Seated(room, "blackjack", None, after=first.round)
    assert second.seen["commitment"] == first.seen["commitment"]
    second.act("bet 1 bet 500")
    assert error_of(room.get(f"/api/rounds/{first.round}/replay", "max")) == "shoe-in-use"


def test_it_runs_on_once_for_its_own_player_and_never_by_a_seed(room: Room) -> None:
    first = played(room)
    stranger = Seated(room, "blackjack", None, who="sue", after=first.round)
    seeded = Seated(room, "blackjack", "a seed", after=first.round)
    nowhere = Seated(room, "blackjack", None, after="rnd_" + "x" * 27)
    own, again = (Seated(room, "blackjack", None, after=first.round) for _ in range(2))
    same = [each.seen["commitment"] == first.seen["commitment"] for each in (stranger, seeded, nowhere, own, again)]
    assert same == [False, False, False, True, False]


def test_it_is_shuffled_behind_the_cut_card(room: Room) -> None:
    seated = played(room, rules="1D S17 DAS SP4 LS 3:2", side_wagers=[], paytables={})
    for _ in range(12):
        following = played(room, rules="1D S17 DAS SP4 LS 3:2", side_wagers=[], paytables={}, after=seated.round)
        if following.seen["commitment"] != seated.seen["commitment"]:
            assert following.seen["shoe"]["before"] == 0
            return
        seated = following
    raise AssertionError("the shoe is never shuffled")


def test_games_that_are_shuffled_every_round_have_no_cut_card(room: Room) -> None:
    first = Seated(room, "three-card-baccarat", None)
    first.act(["bet 1 bet 500", "no-more-bets", "go-on"])
    second = Seated(room, "three-card-baccarat", None, after=first.round)
    assert second.seen["shoe"]["cut"] is None
    assert second.seen["commitment"] != first.seen["commitment"]


def test_a_round_is_looked_at_again_line_by_line_and_nothing_is_turned_too_early(room: Room) -> None:
    seated = played(room, "review 1")
    steps = done(room.get(f"/api/rounds/{seated.round}/steps", "sue"))
    assert [each["text"] for each in steps["events"]] == [each["text"] for each in seated.seen["events"]]
    assert len(steps["felts"]) == len(steps["events"])
    turned = next(at for at, each in enumerate(steps["events"]) if "turns up" in each["text"])
    hole = steps["events"][turned]["cards"][0]
    for felt in steps["felts"][:turned]:
        assert len(felt["dealer"]["cards"]) <= 1
        assert not felt["dealer"]["hidden"]
    assert hole in steps["felts"][turned]["dealer"]["cards"]
    assert steps["last"]["seats"] == seated.seen["seats"]


def test_each_decision_of_a_round_has_its_exact_cost(room: Room) -> None:
    """The hints that were there when it was made."""
    seated = Seated(room, "blackjack", "press 2", side_wagers=[], paytables={}, rules="6D S17 DAS SP4 LS 3:2")
    seated.act(["bet 1 bet 2500", "no-more-bets", "go-on"])
    assert seated.seen["waits_for"] == [1]
    told = done(room.get(f"/api/rounds/{seated.round}/hint", "max"))["seats"][0]["decisions"]
    refused = error_of(room.get(f"/api/rounds/{seated.round}/review", "max"))
    assert refused == "not-over"
    worst = told[-1]
    seated.act([worst["act"], "go-on"])
    while not seated.seen["over"]:
        seated.act(["stand 1", "go-on"])
    review = done(room.get(f"/api/rounds/{seated.round}/review", "max"))
    first = review["decisions"][0]
    assert (first["seat"], first["taken"], first["unit_cents"]) == (1, worst["act"], 2500)
    assert first["cost"] == worst["cost"] > 0
    assert first["cost_cents"] == pytest.approx(worst["cost"] * 2500)
    assert [each["act"] for each in first["decisions"]] == [each["act"] for each in told]
    assert first["best"]


def test_a_cost_is_told_in_units_of_the_first_wager_whichever_was_laid_first(room: Room) -> None:
    seated = Seated(room, "triple-shot-rummy", "any")
    seated.act(["bet 1 6-card-bonus 2500", "bet 1 pair-plus 2500", "bet 1 ante 500", "no-more-bets", "go-on"])
    [told] = done(room.get(f"/api/rounds/{seated.round}/hint", "max"))["seats"]
    assert told["unit_cents"] == 500
    seated.act(["decide 1 fold", "go-on"])
    [decision] = done(room.get(f"/api/rounds/{seated.round}/review", "max"))["decisions"]
    assert decision["unit_cents"] == 500
    assert decision["cost_cents"] == pytest.approx(decision["cost"] * 500)


def test_insurance_for_less_has_its_cost_too() -> None:
    """One amount is counted, and every cent of it is worth the same."""
    offering = offer_blackjack("6D S17 DAS SP4 LS 3:2")
    for number in range(200):
        round_: Any = offering.open(offering.fresh_shoe(f"insured {number}"))
        for act in (Bet(1, "bet", 1000), round_.no_more_bets):
            round_ = round_.do(act)
        for act in dealers_acts(round_):
            round_ = round_.do(act)
        if round_.can(Insure(1, 100)):
            break
    told = {each["act"]: each for each in questions.hint(write_record(round_))["seats"][0]["decisions"]}
    least = round_.do(Insure(1, 100))
    while not least.is_over:
        acts = dealers_acts(least) or [
            next(each.act for each in legal_acts(least) if each.seat == 1 and each.act.name == "stand")
        ]
        for act in acts:
            least = least.do(act)
    found = questions.review(write_record(least))
    [first, *_] = found["decisions"]
    assert (first["taken"], found["sentence"]) == ("insure 1", "")
    assert told["insure 1"]["cents"] == 500
    assert first["cost_cents"] == pytest.approx(told["insure 1"]["cost"] * 1000 / 5)


def test_rounds_stay_for_whoever_played_them_and_a_table_can_be_watched_on(room: Room) -> None:
    first = played(room, who="eve")
    second = played(room, who="eve", after=first.round)
    past = done(room.get("/api/rounds/past", "eve"))["rounds"]
    assert [each["round"] for each in past] == [second.round, first.round]
    assert past[0]["net_cents"] == sum(seat["result_cents"] for seat in second.seen["seats"])
    assert past[0]["cards"] == second.seen["seats"][0]["hands"][0]["cards"]
    assert not {second.round} & {each["round"] for each in done(room.get("/api/rounds/past", "sue"))["rounds"]}
    assert followed(room, first) is None, "nobody has let others watch"
    refused = room.post(f"/api/rounds/{first.round}/watch", "sue", id="w1")
    assert (refused.status_code, error_of(refused)) == (403, "not-yours")
    assert followed(room, first) is None
    done(room.post(f"/api/rounds/{first.round}/watch", "eve", id="w1"))
    assert followed(room, first) == second.round
    assert followed(room, second) is None


def followed(room: Room, seated: Seated) -> str | None:
    """As somebody else is told who has the id."""
    found: str | None = done(room.get(f"/api/rounds/{seated.round}?watch=true", "sue"))["followed_by"]
    return found


def test_a_table_is_watched_along_its_rounds_until_its_player_ends_it_and_nowhere_else(room: Room) -> None:
    hand = played(room, who="eve")
    first = played(room, who="eve", after=hand.round)
    done(room.post(f"/api/rounds/{first.round}/watch", "eve", id="w1"))
    second = played(room, who="eve", after=first.round)
    replay_of_second = room.get(f"/api/rounds/{second.round}/replay", "eve")
    assert replay_of_second.status_code == 200  # so that the next one is from another shoe: it is the same table
    third = played(room, who="eve", after=second.round)
    elsewhere = played(room, who="eve")
    assert [followed(room, each) for each in (first, second, third, elsewhere)] == [
        third.round,
        third.round,
        None,
        None,
    ]
    assert followed(room, hand) is None, "the address of a hand that was shown before"
    stranger = played(room, who="sue", after=third.round)
    assert followed(room, third) is None
    done(room.post(f"/api/rounds/{third.round}/watch", "eve", id="w2", watched=False))
    played(room, who="eve", after=third.round)
    assert [followed(room, each) for each in (first, third, stranger)] == [third.round, None, None]


# A shoe is dealt from once at each place: by the store, whatever comes between


BLACKJACK: dict[str, Any] = {"cards": "shoe", "seed": None}


@pytest.fixture(params=["sqlite", "postgres"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rounds]:
    url = f"sqlite:///{tmp_path}/f.db" if request.param == "sqlite" else new_floor()
    with closing(play_database(url)) as database:
        yield Rounds(RoundStore(database))


def opened(table: Rounds, command: str, after: str | None = None) -> Standing:
    return table.open(SOMEBODY, command, offered("blackjack"), {**BLACKJACK, "after": after})


def over(table: Rounds, command: str, after: str | None = None) -> Standing:
    round_ = opened(table, command, after)
    found = table.act(round_.id, "b", ["bet 1 bet 500", "no-more-bets", "go-on"], by=SOMEBODY)
    for number in range(30):
        if found.round.is_over:
            return found
        wanted = next(
            str(each.act) for each in legal_acts(found.round) if each.act.name == "stand" or each.words == "declines"
        )
        found = table.act(round_.id, f"c{number}", [wanted, "go-on"], by=SOMEBODY)
    raise AssertionError("the round has no end")


def test_two_who_go_on_from_the_same_round_at_once_get_two_shoes(table: Rounds) -> None:
    first = over(table, "1")
    with ThreadPoolExecutor(8) as pool:
        follow = list(pool.map(lambda number: opened(table, f"then {number}", first.id), range(8)))
    assert len({each.row.shoe for each in follow}) == 8
    assert [each.row.shoe for each in follow].count(first.row.shoe) == 1


def test_a_round_that_was_followed_is_not_followed_again_when_the_other_is_forgotten(table: Rounds) -> None:
    first = over(table, "1")
    second = opened(table, "2", first.id)
    assert second.row.shoe == first.row.shoe
    table.act(second.id, "b", "bet 1 bet 500", by=SOMEBODY)
    assert table._store.forget_longest_left(SOMEBODY.owner, utc() + timedelta(days=1))
    third = opened(table, "3", first.id)
    assert third.row.shoe != first.row.shoe


def test_a_shoe_that_is_opened_between_the_look_and_the_opening_does_not_run_on(
    table: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = over(table, "1")
    keep = table._store.open_round

    def beaten(row: RoundRow, after: str = "") -> None:
        table.open_shoe(first, SOMEBODY)
        keep(row, after)

    monkeypatch.setattr(table._store, "open_round", beaten)
    assert opened(table, "2", first.id).row.shoe != first.row.shoe


def test_a_table_at_which_nobody_has_bet_hinders_no_proof_and_is_not_dealt_at_afterwards(table: Rounds) -> None:
    first = over(table, "1")
    unused = opened(table, "2", first.id)
    table.open_shoe(first, SOMEBODY)
    with pytest.raises(ApiError, match="open another table") as refused:
        table.act(unused.id, "b", "bet 1 bet 500", by=SOMEBODY)
    assert refused.value.code == "shoe-opened"
    assert not table.standing(unused.id).acts


def test_rounds_of_an_earlier_server_are_not_gone_on_from_and_nothing_else_changes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/f.db"
    with closing(play_database(url)) as database:
        first = over(Rounds(RoundStore(database)), "1")
    with closing(sqlite3.connect(f"{tmp_path}/f.db{SUFFIX}")) as db, db:
        db.execute("DROP INDEX play_rounds_of_shoe")
        db.execute("ALTER TABLE play_rounds DROP COLUMN followed")
    with closing(play_database(url)) as database:
        table = Rounds(RoundStore(database))
        second = over(table, "2", first.id)
        assert second.row.shoe != first.row.shoe
        assert opened(table, "3", second.id).row.shoe == second.row.shoe
    with closing(sqlite3.connect(f"{tmp_path}/f.db{SUFFIX}")) as db:
        assert "play_rounds_of_shoe" in {row[1] for row in db.execute("PRAGMA index_list(play_rounds)")}


def test_an_opening_that_an_earlier_server_kept_is_known_again(table: Rounds) -> None:
    """It knew no `after`."""
    before = table.open(SOMEBODY, "o", offered("blackjack"), BLACKJACK)
    assert table.open(SOMEBODY, "o", offered("blackjack"), {**BLACKJACK, "after": None}).id == before.id


def test_a_stranger_at_the_same_seed_hinders_nobodys_proof(room: Room) -> None:
    mine = played(room, "hand of the day")
    stranger = Seated(room, "blackjack", "hand of the day", who="sue")
    stranger.act("bet 1 bet 500")
    assert replay(room, mine.round)["verified"]


def test_only_its_player_opens_a_shoe_that_could_run_on(room: Room) -> None:
    first = played(room)
    refused = room.get(f"/api/rounds/{first.round}/replay", "sue")
    assert (refused.status_code, error_of(refused)) == (403, "not-yours")
    second = played(room, after=first.round)
    assert second.seen["commitment"] == first.seen["commitment"]
    replay(room, second.round)
    assert done(room.get(f"/api/rounds/{first.round}/replay", "sue"))["verified"]
