"""Rounds worth reading of games that are written as a script, each from its shoe or beside real cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.catalogue import find_any_game
from croupier.games.money import InFavourOf, Rounding
from croupier.games.table.history import History
from croupier.games.table.offering import Limits


@dataclass(frozen=True)
class ScriptPlaythrough:
    """A round whose dealer goes on by himself: bets and decisions, and the cards on top of the shoe or as entered."""

    title: str
    game: str
    script: str
    cards: str = ""
    terms: dict[str, Any] = field(default_factory=dict)

    def end(self) -> History:
        game = find_any_game(self.game)
        shoe = None
        if self.cards:
            shoe = Shoe.stacked(parse_cards(self.cards, decks=game.decks), decks=game.decks, chance="playthrough")
        round_: History = game.offer(**{"limits": Limits(100, 100_000), **self.terms}).open(shoe)
        for text in self.script.split(";"):
            round_ = round_.do(round_.parse(text.strip()))
            while round_.next_by_dealer:
                round_ = round_.do(round_.next_by_dealer)
        return round_


POKER, WAR, MISSISSIPPI, RIDE = "three-card-poker", "casino-war", "mississippi-stud", "let-it-ride"
CARIBBEAN = "caribbean-stud"

SCRIPT_PLAYTHROUGHS = {
    "three-card-poker-1": ScriptPlaythrough(
        "A fold that keeps its Pair Plus, a straight with its Ante Bonus, and a seat with a bonus wager alone.",
        POKER,
        "bet 1 ante 500; bet 1 pair-plus 500; bet 3 ante 1000; bet 3 6-card-bonus 100; bet 4 pair-plus 300; "
        "no-more-bets; decide 1 fold; decide 3 play",
        "2c 2d 7h Qs Kd Ah 9c 5d 3h Qd Jh 4c",
    ),
    "three-card-poker-2": ScriptPlaythrough(
        "The dealer does not qualify: the Ante is paid, the Play comes back.",
        POKER,
        "bet 2 ante 500; bet 5 ante 700; no-more-bets; decide 5 play; decide 2 play",
        "Qh 6c 4d Kh 8c 3d Jh 9c 2d",
    ),
    "three-card-poker-3": ScriptPlaythrough(
        "The same hand twice: a tie gives both wagers back, and the bonus of the other table is paid.",
        POKER,
        "bet 1 ante 500; no-more-bets; decide 1 play",
        "9c 8d 7h 9d 8h 7c",
        {"paytables": {"ante-play": find_any_game(POKER).wager("ante-play").paytables["2"]}},
    ),
    "three-card-poker-4": ScriptPlaythrough(
        "Real cards are entered, the dealer's hand is one short, and the round is void.",
        POKER,
        "bet 1 ante 500; bet 2 pair-plus 300; no-more-bets; deal Qh 6c 4d; deal 2c 2d 9h; decide 1 play; deal 9c 8d",
    ),
    "casino-war-1": ScriptPlaythrough(
        "The higher card, the lower card, a surrender, and a war that is won.",
        WAR,
        "bet 1 bet 500; bet 2 bet 500; bet 3 bet 500; bet 3 tie 100; bet 5 bet 1000; no-more-bets; "
        "decide 3 surrender; decide 5 war",
        "Kc 4d 9h 9s 9c 2c 3c 5c Jd Td",
    ),
    "casino-war-2": ScriptPlaythrough(
        "A war that ties is paid twice under the second table; half of an odd Bet is rounded for the player.",
        WAR,
        "bet 1 bet 525; bet 2 bet 525; no-more-bets; decide 1 war; decide 2 surrender",
        "Ac Ad Ah 2c 3c 4c 7d 7h",
        {
            "paytables": {"bet": find_any_game(WAR).wager("bet").paytables["2"]},
            "rounding": Rounding(25, InFavourOf.PLAYER),
        },
    ),
    "casino-war-3": ScriptPlaythrough(
        "Real cards: a war that is lost, with its burned cards left unseen.",
        WAR,
        "bet 1 bet 500; no-more-bets; deal 8h; deal 8s; decide 1 war; deal 2c; deal Kd",
    ),
    "mississippi-stud-1": ScriptPlaythrough(
        "One seat folds on 3rd Street, one on 5th, and a pair of kings wins on four spots.",
        MISSISSIPPI,
        "bet 1 ante 500; bet 2 ante 500; bet 4 ante 1000; no-more-bets; decide 1 fold; decide 2 1x; decide 4 3x; "
        "decide 2 1x; decide 4 3x; decide 2 fold; decide 4 3x",
        "2c 7d Jh 4s Kh Kc 5d 9s 3c",
    ),
    "mississippi-stud-2": ScriptPlaythrough(
        "A pair of tens gives everything back; two pair wins.",
        MISSISSIPPI,
        "bet 3 ante 500; bet 6 ante 300; no-more-bets; decide 6 2x; decide 3 1x; decide 3 1x; decide 6 1x; "
        "decide 3 3x; decide 6 3x",
        "Th 4c 9h Kd Td 9s 2c",
    ),
    "mississippi-stud-3": ScriptPlaythrough(
        "Everybody folds, and the common cards stay where they are.",
        MISSISSIPPI,
        "bet 1 ante 500; bet 2 ante 500; no-more-bets; decide 1 fold; decide 2 fold",
        "2c 7d 3h 8s 5d 9s 3c",
    ),
    "let-it-ride-1": ScriptPlaythrough(
        "Two bets taken back and the third lost; three nines that ride, with a 3 Card Bonus beside a pair.",
        RIDE,
        "bet 1 bet-3 500; bet 2 bet-3 500; bet 2 3-card-bonus 100; no-more-bets; "
        "decide 1 take back; decide 2 let it ride; decide 1 take back; decide 2 let it ride",
        "2c 7d Kh 9c 9d 4s 9h Qs",
    ),
    "let-it-ride-2": ScriptPlaythrough(
        "A pair of tens on all three bets, of which one was taken back before it came.",
        RIDE,
        "bet 7 bet-3 1000; no-more-bets; decide 7 take back; decide 7 let it ride",
        "Tc 8d 9h Js Td",
    ),
    "let-it-ride-3": ScriptPlaythrough(
        "The round is called off while a seat decides: every bet comes back.",
        RIDE,
        "bet 1 bet-3 500; bet 2 bet-3 700; no-more-bets; decide 1 take back; void a card was exposed",
        "2c 7d Kh 9c 9d 4s 9h Qs",
    ),
    "caribbean-stud-1": ScriptPlaythrough(
        "A fold, a pair that loses to a better one, and a flush that is paid 5 to 1 on the Raise.",
        CARIBBEAN,
        "bet 1 ante 500; bet 2 ante 500; bet 5 ante 1000; no-more-bets; decide 1 fold; decide 2 raise; decide 5 raise",
        "2c 4d 7h 9s Jc 3d 3h 6s 8c Kd 2h 5h 9h Qh Kh Ts Tc 4s 7c Ad",
    ),
    "caribbean-stud-2": ScriptPlaythrough(
        "The dealer has no ace-king: the Ante alone is paid, for a straight too.",
        CARIBBEAN,
        "bet 3 ante 700; no-more-bets; decide 3 raise",
        "4c 5d 6h 7s 8c Ah Qd 9c 3s 2d",
    ),
    "caribbean-stud-3": ScriptPlaythrough(
        "Real cards: the up card first, and the other four once everybody has chosen.",
        CARIBBEAN,
        "bet 1 ante 500; no-more-bets; deal 9c 9d 4h 7s 2c; deal As; decide 1 raise; deal Kd 3c 5c 8s",
    ),
}
