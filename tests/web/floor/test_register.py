"""The register over HTTP: what is on file, papers and approvals, and the answer for every table."""

from __future__ import annotations

from croupier.floor.forms import plain
from support.papers import OWN_LETTER, commercial, rummy
from tests.web.support import Room, done


def test_a_table_is_set_from_the_register_and_opened_over_http(room: Room) -> None:
    before = done(room.get("/api/comply", "aud"))
    assert {each["conditions"][0]["condition"] for each in before["tables"]} == {"set-from-register"}
    done(room.act_of_two("/api/site/enter-approval", key="our-letter", lines=OWN_LETTER.splitlines()))
    done(room.act_of_two("/api/site/choose-profile", profile="washington/2"))
    for paper in commercial():
        values = {name: value for name, value in plain(paper).items() if name not in ("id", "by", "where")}
        done(room.act("/api/site/record-paper", **values))
    done(room.act_of_two("/api/site/set-table", table=plain(rummy(9))))
    register = done(room.get("/api/register", "aud"))
    assert [each["approval"] for each in register["approvals"]] == ["washington-3119", "our-letter"]
    assert [each["own"] for each in register["approvals"]] == [False, True]
    assert len(register["papers"]) == len(list(commercial()))
    titles = {each["title"] for each in register["titles"]}
    assert {"Triple Shot Rummy", "Three Card Baccarat", "Supreme 99", "Bet The Bust", "Blackjack"} <= titles
    joins = {each["title"]: each["progressives"] for each in register["titles"]}
    assert (joins["Triple Shot Rummy"], joins["King's Bounty"]) == ([], list(register["progressives"]))
    assert all(each["decks"] for each in register["progressives"].values())
    assert done(room.get("/api/comply", "aud"))["profile_words"].startswith(
        "Washington house-banked card rooms, the law of"
    )
    done(room.act("/api/site/open-table", "sue", number=9))
    told = next(each for each in done(room.get("/api/comply", "aud"))["tables"] if each["table"] == 9)
    assert (told["may_open"], told["open"]) == (True, True)
    assert all("submission #3119" in each["on_file"] for each in told["wagers"])


def test_what_is_refused_names_the_line(room: Room) -> None:
    broken = OWN_LETTER.replace("number = 1", "number = 0").splitlines()
    answer = room.act_of_two("/api/site/enter-approval", key="broken", lines=broken)
    assert answer.status_code == 409
    assert "broken.toml, line 21: number is a whole number from 1" in answer.json()["error"]["sentence"]
