"""A table as it is asked for over the network, and a round at it that nobody plays: it makes the figures ready."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from threading import Thread
from time import sleep
from typing import Any

from croupier.cards.shoe import Shoe
from croupier.errors import NotationError
from croupier.games.betting import Bet, open_spots
from croupier.games.blackjack.game import BlackjackGame, offer_blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.choices import decks_of, least_cents, no_more_bets, open_any
from croupier.games.game import Game
from croupier.games.history import History
from croupier.games.legal import dealers_acts, legal_acts, waited_for
from croupier.games.money import InFavourOf, Rounding
from croupier.games.offering import Limits, Offering, TableOffering, check_some_wager
from croupier.web.play_forms import OpenRound
from croupier.web.questions import find_paytable

PAUSE_S = 0.02
DECIDED = "steady"
"""The seed of a round in which somebody has to decide, in every game that asks."""


def offering_of(form: OpenRound) -> TableOffering:
    """What is wrong with it is said in a sentence."""
    game = find_any_game(form.game)
    limits = Limits(form.limits.minimum_cents, form.limits.maximum_cents)
    rounding = Rounding(form.chip_cents, InFavourOf(form.rounding))
    check_some_wager(limits, rounding)
    if form.cards == "entered" and form.seed is not None:
        raise NotationError("A seed is for a shoe, and these cards are entered by hand: leave one of them out.")
    paytables = {game.wager(key).key: find_paytable(game.wager(key), text) for key, text in form.paytables.items()}
    if isinstance(game, BlackjackGame):
        if form.options or form.without:
            raise NotationError("Blackjack is offered by its rules and side_wagers, without options and without.")
        return offer_blackjack(
            Rules.parse(form.rules) if form.rules else game.rules,
            form.side_wagers,
            paytables=paytables,
            limits=limits,
            rounding=rounding,
            seats=form.seats,
        )
    if form.rules or form.side_wagers:
        raise NotationError(f"rules and side_wagers are for blackjack, not for {game.title}.")
    assert isinstance(game, Game)
    left_out = frozenset(game.wager(key).key for key in form.without)
    return Offering(game, paytables, limits, {}, rounding, frozenset(form.options), left_out, form.seats)


# Ready before somebody asks


@cache
def begin_digests() -> Thread:
    """A round's record names the digest of its rules, which takes up to a second at the first table of a game.

    Begun once, when somebody looks at the games; one after another with pauses, since acts of the floor come first.
    """

    def each_game() -> None:
        for game in ALL_GAMES:
            offering = offering_of(OpenRound.model_validate({"id": "ready", "game": game}))
            for wager in offering.game.wagers:
                offering.digest_of(wager)
                sleep(PAUSE_S)

    thread = Thread(target=each_game, name="digests", daemon=True)
    thread.start()
    return thread


def make_hints_ready(asked: str) -> None:
    """In the process that counts hints: a round at this table is played to its end, and each asked for on the way.

    What is counted first takes seconds, and is kept; whoever has opened the page asks for it soon.
    """
    from croupier.analysis.hints import hints_for

    for round_ in _decisions(asked):
        if not round_.is_over:
            hints_for(round_)


def make_worth_ready(asked: str) -> None:
    """In the process that counts what wagers were worth."""
    from croupier.analysis.expected import expected_of

    *_, over = _decisions(asked)
    expected_of(over)


def _decisions(asked: str) -> Iterator[History]:
    """A round at this table, wherever somebody decides; and when it is over."""
    form: dict[str, Any] = json.loads(asked)
    offering = offering_of(OpenRound(id="ready", **form))
    round_ = open_any(offering, Shoe.fresh(decks_of(offering), DECIDED))
    for spot in open_spots(round_):
        round_ = round_.do(Bet(1, spot, least_cents(offering, spot)))
    round_ = _gone_on(round_.do(no_more_bets(round_)))
    while not round_.is_over:
        yield round_
        [seat] = waited_for(round_)
        round_ = _gone_on(round_.do(next(each.act for each in reversed(legal_acts(round_)) if each.seat == seat)))
    yield round_


def _gone_on(round_: History) -> History:
    for act in dealers_acts(round_):
        round_ = round_.do(act)
    return round_
