"""What a round's wagers were worth is the exact edge of each, on the money that was first laid."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.analysis import analyst
from croupier.analysis.analyst import expected_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.lab import placard
from croupier.analysis.shapes import blackjack
from croupier.analysis.sheet import make_sheet
from croupier.cards.shoe import Shoe
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.round import Offering
from croupier.games.table.bets import Void
from croupier.games.table.history import History, parse_act
from croupier.games.table.legal import dealers_acts
from croupier.games.table.offering import TableOffering
from croupier.games.wager import approved_paytable
from tests.games.blackjack.support import offer_blackjack


def played(offering: TableOffering, seed: str, *acts: str) -> History:
    round_ = offering.open(Shoe.fresh(offering.decks, seed))
    for text in acts:
        round_ = round_.do(parse_act(text, round_.known_acts))
    for act in dealers_acts(round_):
        round_ = round_.do(act)
    return round_


def test_each_wager_is_worth_its_edge() -> None:
    game = GAMES["three-card-baccarat"]
    round_ = played(Offering(game), "x", "bet 1 bet 1000", "bet 1 tie 500", "bet 3 bet 700", "no-more-bets")
    edges = {
        key: make_sheet(game, game.wager(key), "1", game.wager(key).paytables["1"]).figures for key in ("bet", "tie")
    }
    found = expected_of(round_)
    due = -(1700 * edges["bet"].house_edge + 500 * edges["tie"].house_edge)
    assert found["expected_cents"] == pytest.approx(float(due))
    assert found["result_cents"] == round_.result_cents(1) + round_.result_cents(3)
    assert found["variance_cents2"] == pytest.approx(
        (1000**2 + 700**2) * float(edges["bet"].variance) + 500**2 * float(edges["tie"].variance)
    )


def test_a_raise_adds_nothing_to_what_the_first_wager_was_worth() -> None:
    round_ = played(
        Offering(GAMES["triple-shot-rummy"]), "x", "bet 1 ante 500", "no-more-bets", "deal", "deal", "decide 1 play"
    )
    [wager] = expected_of(round_)["wagers"]
    assert (wager["wager"], wager["staked_cents"]) == ("ante-play", 500)
    assert Fraction(wager["edge"]).limit_denominator(10**6) == Fraction(7745, 239512)


def test_insurance_and_bet_the_bust_are_worth_what_the_cards_in_sight_say() -> None:
    table = offer_blackjack("6D S17 DAS SP4 LS 3:2", ["bet-the-bust"])
    acts = ("bet 1 bet 1000", "no-more-bets", "insure 1 300", "bust-bet 1 500", "surrender 1")
    found = {each["wager"]: each for each in expected_of(played(table, "play 19", *acts))["wagers"]}
    assert set(found) == {"bet", "insurance", "bet-the-bust"}
    assert found["bet"]["edge"] == pytest.approx(0.0033027, abs=1e-7)
    held = [str(card)[0] in "TJQK" for card in played(table, "play 19", *acts).seats[1].hands[0].cards]  # type: ignore[attr-defined]
    assert found["insurance"]["edge"] == pytest.approx(1 - 3 * (96 - sum(held)) / 309)
    assert found["bet-the-bust"]["given"] == "the dealer's up card"


def test_a_round_that_was_called_off_was_worth_nothing() -> None:
    round_ = Offering(GAMES["supreme-99"]).open(Shoe.fresh(1, "x"))
    round_ = round_.do(parse_act("bet 1 bet 500", round_.known_acts)).do(Void("a drill"))
    assert expected_of(round_) == {"wagers": [], "result_cents": 0, "expected_cents": 0, "variance_cents2": 0}


def test_rules_that_change_no_figure_are_not_counted_again() -> None:
    """Counting rules takes seconds: nobody has it done again by moving the cut card."""
    acts = ("bet 1 bet 1000", "bet 1 kings-bounty 500", "no-more-bets")

    def edges(rules: str) -> dict[str, float]:
        round_ = played(offer_blackjack(rules, ["kings-bounty"]), "x", *acts)
        return {wager: worth.edge for _, wager, _, worth in analyst._wagers(round_)}

    found = edges("2D H17 3:2")
    before = placard._counted.cache_info().misses, blackjack._side.cache_info().misses
    assert edges("2D H17 3:2 CUT50") == found
    assert edges("2D H17 3:2 CUT60 NOINS") == found
    paid_less = edges("2D H17 6:5 CUT61")
    assert paid_less["bet"] == pytest.approx(found["bet"] + 0.01361, abs=2e-4)
    assert paid_less["kings-bounty"] == found["kings-bounty"]
    assert (placard._counted.cache_info().misses, blackjack._side.cache_info().misses) == before


@pytest.mark.parametrize("rules", ["6D S17 DAS SP2 3:2", "6D S17 DAS SP2 6:5"])
def test_proceeds_that_may_lie_on_a_blackjack_are_worth_what_it_pays_here(rules: str) -> None:
    offering = offer_blackjack(rules, side_wagers=["house-money"])
    round_ = played(offering, "x", "bet 1 bet 1000", "bet 1 house-money 1000", "no-more-bets")
    asked = blackjack.analyst(offering.game).odds(Asked(wager="house-money", rules=rules), approved_paytable)
    sheet = asked[0] if isinstance(asked, list) else asked
    _, worth = blackjack.analyst(offering.game).worth(round_, 1, offering.game.wager("house-money"), 1000)
    assert 100 * worth.edge == pytest.approx(sheet["with_proceeds_on_the_bet"]["house_edge"]["percent"])
