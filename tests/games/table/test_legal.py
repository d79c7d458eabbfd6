"""What a table offers is what it allows, in text and in fields; and the dealer's part needs nobody."""

from __future__ import annotations

import json

import pytest

from croupier.cards.shoe import Shoe
from croupier.errors import Refusal
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Rotation
from croupier.games.head_to_head.round import Offering
from croupier.games.table.act_forms import act_from_form, form_of
from croupier.games.table.history import History, parse_act
from croupier.games.table.legal import dealers_acts, least_to_play_cents, legal_acts
from croupier.games.table.offering import TableOffering
from tests.games.blackjack.support import offer_blackjack

OFFERED: list[TableOffering] = [
    *map(Offering, GAMES.values()),
    offer_blackjack("6D H17 DAS SP4 LS 3:2", ["kings-bounty", "bet-the-bust", "trilux"]),
]


def opened(offering: TableOffering, seed: str) -> History:
    return offering.open(Shoe.fresh(offering.decks, seed))


@pytest.mark.parametrize("offering", OFFERED, ids=lambda each: each.game.key)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_every_act_that_is_offered_is_allowed_in_text_and_in_fields(offering: TableOffering, seed: str) -> None:
    round_ = opened(offering, seed)
    while not round_.is_over:
        found = legal_acts(round_)
        for each in found:
            assert round_.can(each.act), each
            assert round_.do(each.act).staked_cents - round_.staked_cents == each.cost_cents or each.act.name == "void"
            assert parse_act(str(each.act), round_.known_acts) == each.act
            assert act_from_form(json.loads(json.dumps(form_of(each.act))), round_.known_acts) == each.act
            if each.most_cents is not None and each.act.name == "bet":
                most = act_from_form({**form_of(each.act), "cents": each.most_cents}, round_.known_acts)
                assert round_.can(most)
        assert {each.seat for each in found if each.seat} >= set(round_.waits_for)
        round_ = round_.do(
            round_.next_by_dealer or next(each.act for each in found if each.act.name not in ("take-back", "void"))
        )


@pytest.mark.parametrize("offering", OFFERED, ids=lambda each: each.game.key)
def test_beside_real_cards_the_dealer_does_nothing_that_people_have_to_enter(offering: TableOffering) -> None:
    round_ = offering.open()
    first = next(each for each in legal_acts(round_) if each.act.name == "bet")
    for act in (str(first.act), "no-more-bets"):
        round_ = round_.do(parse_act(act, round_.known_acts))
    assert dealers_acts(round_) == []
    [needed] = [each for each in legal_acts(round_) if each.needs]
    assert needed.act.name in ("deal", "rotation")


def test_the_rotation_was_sealed_with_the_shoe() -> None:
    round_ = opened(Offering(GAMES["supreme-99"]), "sealed")
    for act in ("bet 1 bet 500", "no-more-bets"):
        round_ = round_.do(parse_act(act, round_.known_acts))
    sealed = round_.next_by_dealer
    assert isinstance(sealed, Rotation)
    round_.check_sealed(sealed)
    with pytest.raises(Refusal, match="sealed with the shoe"):
        round_.check_sealed(Rotation(number=sealed.number % 7 + 1))


def test_where_nobody_can_bet_it_is_said() -> None:
    with pytest.raises(Refusal, match="nobody can bet at seat 9"):
        least_to_play_cents(OFFERED[0], 9)
