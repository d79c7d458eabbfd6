"""What people do at the table: each act's text form, and every reason for refusing one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import croupier.games
from croupier.cards.card import DECK
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError, Refusal
from croupier.games.head_to_head.acts import ACTS, Act, Deal, Decide, NoMoreBets, Rotation, parse_act
from croupier.games.head_to_head.round import Offering
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.record import write_record
from tests.games.support import assert_one_sentence, offer, play, stacked

RUMMY, BACCARAT, SUPREME = "triple-shot-rummy", "three-card-baccarat", "supreme-99"

# Refusals


@dataclass
class Refused:
    """An act that is refused with this code after these acts, and words its reason must have."""

    code: str
    game: str
    before: str
    act: str
    words: str
    shoe: Shoe | None = None
    offering: Offering | None = None


TWO_SEATS = offer(RUMMY, options=["two-positions"])
RUMMY_DEALT = "bet 1 ante 500; bet 2 pair-plus 500; no-more-bets; deal Qh 6c 4d; deal 2c 3c 5h; deal 9h 8d 3s"
SUPREME_DEALT = f"bet 1 bet 500; no-more-bets; rotation number 1; {'; '.join(['deal'] * 7)}"
SUPREME_SHOE = stacked("Ac Ad 2c 3c Kc Kd 4c 5c")

REFUSED = [
    Refused("out-of-turn", RUMMY, "", "deal Qh 6c 4d", "the round is at betting"),
    Refused("out-of-turn", RUMMY, RUMMY_DEALT, "reveal", "waiting for the decision of seat 1"),
    Refused("out-of-turn", RUMMY, "void rain", "void rain", "the round is void"),
    Refused("no-such-seat", RUMMY, "", "bet 8 ante 500", "seats are 1 to 7"),
    Refused("no-such-spot", RUMMY, "", "bet 1 play 500", "there are ante, pair-plus, 6-card-bonus"),
    Refused("already-wagered", RUMMY, "bet 1 ante 500", "bet 1 ante 700", "already has $5.00 on ante"),
    Refused("not-whole-chips", RUMMY, "", "bet 1 ante 510", "chips of $0.25", offering=offer(RUMMY, chip_cents=25)),
    Refused("below-minimum", RUMMY, "", "bet 1 ante 99", "the minimum of $1.00"),
    Refused("above-maximum", RUMMY, "", "bet 1 ante 100001", "the maximum of $1,000.00"),
    Refused("seat-taken", RUMMY, "bet 1 ante 500 by Ann", "bet 1 pair-plus 500 by Bob", "taken by Ann"),
    Refused("one-position", RUMMY, "bet 1 ante 500 by Ann", "bet 2 ante 500 by Ann", "allows one position"),
    Refused("not-adjacent", RUMMY, "bet 1 ante 500 by Ann", "bet 3 ante 500 by Ann", "adjacent", offering=TWO_SEATS),
    Refused("no-wager", RUMMY, "bet 1 ante 500", "take-back 1 pair-plus", "no wager on 'pair-plus'"),
    Refused("no-wager", RUMMY, "", "take-back 1 ante", "no wager on 'ante'"),
    Refused("no-wagers", RUMMY, "", "no-more-bets", "no wager on the table"),
    Refused("mandatory-wager", BACCARAT, "bet 2 tie 500", "no-more-bets", "Seat 2 has no Bet wager"),
    Refused("wrong-dice", SUPREME, "bet 1 bet 500; no-more-bets", "rotation dice 1 2 7", "three dice from 1 to 6"),
    Refused("wrong-number", SUPREME, "bet 1 bet 500; no-more-bets", "rotation number 8", "from 1 to 7"),
    Refused("shoe-deals", RUMMY, "bet 1 ante 500; no-more-bets", "deal Qh 6c 4d", "from its shoe", shoe=stacked("")),
    Refused("enter-cards", RUMMY, "bet 1 ante 500; no-more-bets", "deal", "enter the cards"),
    Refused("repeated-card", RUMMY, "bet 1 ante 500; no-more-bets; deal Qh 6c 4d", "deal 9h Qh 3s", "Qh has already"),
    Refused("nothing-to-decide", RUMMY, RUMMY_DEALT, "decide 2 play", "Seat 2 has nothing to decide"),
    Refused("nothing-to-decide", RUMMY, RUMMY_DEALT, "decide 7 play", "Seat 7 has nothing to decide"),
    Refused(
        "already-decided",
        RUMMY,
        "bet 1 ante 500; bet 2 ante 500; no-more-bets; deal Qh 6c 4d; deal 2c 3c 5h; deal 9h 8d 3s; decide 1 play",
        "decide 1 fold",
        "already decided",
    ),
    Refused("unknown-decision", RUMMY, RUMMY_DEALT, "decide 1 double", "say 'play' or 'fold'"),
    Refused("unequal-wager", RUMMY, RUMMY_DEALT, "decide 1 play with 600", "must equal the Ante, $5.00, not $6.00"),
    Refused("no-wager-here", RUMMY, RUMMY_DEALT, "decide 1 fold with 500", "No wager goes with 'fold'"),
    Refused("wrong-cards", SUPREME, SUPREME_DEALT, "decide 1 Kc", "Kc Kd 4c 5c", shoe=SUPREME_SHOE),
    Refused("foul", SUPREME, SUPREME_DEALT, "decide 1 4c 5c", "at least as strong as Low", shoe=SUPREME_SHOE),
    Refused("malformed", SUPREME, SUPREME_DEALT, "decide 1 Kx Kd", "'kx' is no card", shoe=SUPREME_SHOE),
    Refused("no-reason", RUMMY, "", "void", "with a reason"),
]


@pytest.mark.parametrize("case", REFUSED, ids=[f"{case.code}: {case.act}" for case in REFUSED])
def test_a_refused_act_says_why_and_changes_nothing(case: Refused) -> None:
    before = play(case.game, case.before, shoe=case.shoe, offering=case.offering)
    record, act = write_record(before), parse_act(case.act)
    with pytest.raises(Refusal) as refusal:
        before.do(act)
    assert refusal.value.code == case.code
    assert case.words in str(refusal.value)
    assert_one_sentence(refusal.value)
    assert str(before.why_not(act)) == str(refusal.value)
    assert not before.can(act)
    assert write_record(before) == record


def test_every_code_of_refusal_is_tried() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in Path(croupier.games.__path__[0]).rglob("*.py")
        if not {"blackjack", "script"} & set(path.parts)  # shapes with refusals and tests of their own
    ]
    codes = {code for source in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', source)}
    # A shoe that does not fit the game is refused before there is a round: test_1_1_a_shoe_of_two_decks_is_refused.
    # What a virtual table refuses beyond the rules is in test_legal.
    elsewhere = {"wrong-shoe", "sealed-rotation", "no-wager-possible"}
    assert codes - {case.code for case in REFUSED} == elsewhere


# Text forms


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("bet 1 ante 500", Bet(1, "ante", 500)),
        ("bet 7 6-card-bonus 2500 by Ann", Bet(7, "6-card-bonus", 2500, "Ann")),
        ("take-back 1 ante", TakeBack(1, "ante")),
        ("no-more-bets", NoMoreBets()),
        ("rotation dice 2 5 1", Rotation(dice=(2, 5, 1))),
        ("rotation number 4", Rotation(number=4)),
        ("deal", Deal()),
        ("deal 2c 2d 2h", Deal(DECK[:3])),
        ("decide 1 play", Decide(1, "play")),
        ("decide 1 play with 500", Decide(1, "play", 500)),
        ("decide 6 high As 9d", Decide(6, "high As 9d")),
        ("void a card fell on the floor", Void("a card fell on the floor")),
    ],
)
def test_an_act_is_written_and_read(text: str, act: Act) -> None:
    assert parse_act(text) == act
    assert str(act) == text


words = st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True)
seats, amounts = st.integers(0, 99), st.integers(0, 10**12)
any_act = st.one_of(
    st.builds(Bet, seats, words, amounts, words | st.just("")),
    st.builds(TakeBack, seats, words),
    st.builds(Rotation, dice=st.lists(seats, min_size=1).map(tuple)),
    st.builds(Rotation, number=seats),
    st.builds(Deal, st.lists(st.sampled_from(DECK), unique=True).map(tuple)),
    st.builds(Decide, seats, words, st.none() | amounts),
    st.builds(Void, st.lists(words).map(" ".join)),
)


@given(any_act)
def test_every_act_parses_back(act: Act) -> None:
    assert parse_act(str(act)) == act


def test_spaces_do_not_matter() -> None:
    assert parse_act("  bet  1 ante\t500 ") == Bet(1, "ante", 500)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "dance",
        "Bet 1 ante 500",
        "bet",
        "bet 1 ante",
        "bet one ante 500",
        "bet -1 ante 500",
        "bet 1 ante 5.00",
        "bet 1 ante $500",
        "bet 1 ante ٥٠٠",
        "bet 1 ante " + "9" * 19,
        "bet 1 ante 500 by",
        "bet 1 ante 500 for ann",
        "take-back",
        "take-back 1",
        "take-back 1 ante now",
        "no-more-bets please",
        "rotation",
        "rotation dice",
        "rotation dice a b c",
        "rotation number",
        "rotation number 1 2",
        "deal Qx",
        "deal Qh Qh",
        "deal 11h",
        "deal 23h 4c 5c",
        "deal QKh 4c 5c",
        "decide",
        "decide 1",
        "decide one play",
        "decide 1 play with five",
        "reveal now",
        "settle 3",
    ],
)
def test_what_is_no_act_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_act(text)
    assert_one_sentence(error.value)


@given(st.sampled_from([*ACTS, "x"]), st.text())
@example("void", ".")
@example("void", "misdeal . .")
def test_any_text_is_an_act_or_refused(name: str, rest: str) -> None:
    try:
        act = parse_act(f"{name} {rest}")
    except NotationError:
        return
    assert parse_act(str(act)) == act
