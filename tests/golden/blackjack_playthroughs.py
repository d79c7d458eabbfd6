"""Rounds of blackjack worth reading, each from its shoe or beside real cards."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.cards.card import format_cards, parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.hand import describe, describe_cards
from croupier.games.blackjack.round import BlackjackRound, Phase, hand_name
from croupier.games.money import InFavourOf
from tests.games.blackjack.support import offer, play


@dataclass(frozen=True)
class BlackjackPlaythrough:
    """A round, its table, and the shoe it is dealt from; none where cards are entered."""

    title: str
    script: str
    offering: BlackjackOffering
    shoe: Shoe | None = None
    game: str = "blackjack"

    def end(self) -> BlackjackRound:
        return play(self.script, offering=self.offering, shoe=self.shoe)


def hands_in_words(end: BlackjackRound) -> list[str]:
    """Each hand, and the dealer's."""
    if end.phase is not Phase.OVER:
        return []
    hands = [
        f"{hand_name(end, number, place).capitalize()}: {format_cards(hand.cards)}; {describe(hand)}."
        for number, seat in end.seats.items()
        for place, hand in enumerate(seat.hands)
    ]
    return [*hands, f"Dealer: {format_cards(end.dealer)}; {describe_cards(end.dealer)}."]


def topped(cards: str, decks: int = 6) -> Shoe:
    """A fresh shoe with these cards behind the burn card."""
    return Shoe.stacked(parse_cards(f"9c {cards}", decks=decks), decks=decks, chance="playthrough")


BLACKJACK_PLAYTHROUGHS = {
    "blackjack-1": BlackjackPlaythrough(
        "Three seats from a fresh shoe: a blackjack, a double, and a hand that busts.",
        "bet 1 bet 1000; bet 3 bet 500; bet 6 bet 2000; no-more-bets; double 3; hit 6; reveal; settle",
        offer("6D S17 DAS SP4 3:2"),
        topped("As 6h Ts 5d Kd 5c 6s Td 8c Jh 4c Kh"),
    ),
    "blackjack-2": BlackjackPlaythrough(
        "An ace up: insurance, even money, and the dealer's blackjack; two kings of spades pay 1,000 to 1.",
        "bet 2 bet 1000; bet 4 bet 2500; bet 4 kings-bounty 500; bet 5 bet 500; bet 5 kings-bounty 100; "
        "no-more-bets; insure 4; even-money 2; no-insurance; settle",
        offer("6D H17 DAS SP4 3:2", ["kings-bounty"]),
        topped("Ad Ks Qh Ah Qc Ks Jh Kc"),
    ),
    "blackjack-3": BlackjackPlaythrough(
        "Eights become four hands, one of them doubled and one bust; the dealer busts, and Bet the Bust wins.",
        "bet 1 bet 500; bet 2 bet 500; no-more-bets; bust-bet 1 500; bust-bet 2 300; split 1; split 1; split 1 1; "
        "double 1; hit 1; stand 1 2; stand 1 3; hit 1 4; hit 1 4; hit 2; reveal; settle",
        offer("8D H17 DAS SP4 3:2", ["bet-the-bust"]),
        topped("8s Ts 6c 8h 6d Td 8c 8d 3h Qh 2c Kd 9s Ac 4h 9d Kc Jc", decks=8),
    ),
    "blackjack-4": BlackjackPlaythrough(
        "Blazing 7's on the player's cards: three sevens of diamonds win the Mega meter; a bust hand has two.",
        "bet 1 bet 1000; bet 1 blazing-7s-player 500; bet 2 bet 1000; bet 2 blazing-7s-player 500; "
        "bet 7 bet 1000; bet 7 blazing-7s-player 500; no-more-bets; hit 1; hit 2; stand 7; reveal; settle",
        offer("8D S17 DAS SP4 3:2", ["blazing-7s-player"], paytables={"blazing-7s-player": "ML03"}),
        topped("7d 7s 7h Tc 7d 7c 9h 8c 7d Td", decks=8),
    ),
    "blackjack-5": BlackjackPlaythrough(
        "Without a hole card a late blackjack takes a doubled and a surrendered wager; insurance has waited for it.",
        "bet 1 bet 1000; bet 2 bet 1000; bet 3 bet 1000; no-more-bets; insure 2 500; no-insurance; "
        "double 1; surrender 2; reveal; settle",
        offer("6D S17 DAS SP4 LS 3:2 ENHC"),
        topped("6s Tc Ah Ad 5s 6c Kd Th Qs"),
    ),
    "blackjack-6": BlackjackPlaythrough(
        "Beside real cards: the dealer's check is entered, and the hole card when it is turned up; 6 to 5 is rounded.",
        "bet 1 bet 525; bet 2 bet 775; no-more-bets; deal As 9h Tc Kh 7h; peek no; hit 2; deal 5d; "
        "reveal; deal 6d; deal 2s; settle",
        offer("2D H17 DAS SP4 6:5", chip_cents=25, in_favour_of=InFavourOf.NEAREST),
    ),
    "blackjack-7": BlackjackPlaythrough(
        "TriLux from a shoe in use: a straight flush, and a share of the meter; aces are split, with one card each.",
        "bet 1 bet 500; bet 1 trilux 500; bet 2 bet 1000; bet 2 trilux 500; no-more-bets; no-insurance; "
        "stand 1; split 2; split 2; reveal; settle",
        offer("6D S17 DAS SP4 RSA 3:2", ["trilux"]),
        Shoe.stacked(
            parse_cards("9c 5d 2s As As 3s As 6h Ad 9h Td 4c 8d 2h", decks=6), decks=6, chance="playthrough"
        ).draw(2)[1],
    ),
    "blackjack-8": BlackjackPlaythrough(
        "A card is exposed after a seat has bust and another was paid; the round is void and all of it goes back.",
        "bet 1 bet 500; bet 2 bet 700; bet 3 bet 900; no-more-bets; hit 1; void a card was exposed",
        offer("6D S17 DAS SP4 3:2"),
        topped("Ts As 8c 6c 6h Kd 9d 5h Qc"),
    ),
    "blackjack-9": BlackjackPlaythrough(
        "Surrender after a double: a 13 against a nine is given up for half, and so is a hand of a split.",
        "bet 1 bet 500; bet 2 bet 1000; no-more-bets; double 1; surrender 1; split 2; double 2; surrender 2; stand 2; "
        "reveal; settle",
        offer("6D H17 DAS SP4 LS SAD 3:2"),
        topped("6s 8s 9c 5d 8h Td 2s 3c 2h Tc"),
    ),
    "free-bet-blackjack-1": BlackjackPlaythrough(
        "Free Bet: a hard 11 is doubled free, eights split free, one of them doubled with money; a push on 22.",
        "bet 1 bet 500; bet 2 bet 1000; no-more-bets; double 1; split 2; double 2; stand 2 2; reveal; settle",
        offer("6D H17 DAS SP4 RSA 3:2 P22 FD FS"),
        topped("6s 8s 6c 5d 8h Td Ts 4c 9h 3s 6d"),
        game="free-bet-blackjack",
    ),
    "free-bet-blackjack-2": BlackjackPlaythrough(
        "Free Bet: both seats are bust, and the dealer plays on for Push 22, to 22 in one color.",
        "bet 1 bet 500; bet 1 push-22 500; bet 2 bet 1000; no-more-bets; hit 1; hit 2; reveal; settle",
        offer("6D H17 DAS SP4 RSA 3:2 P22 FD FS", ["push-22"]),
        topped("Ts 9s 6h 6d 7c 7d Kc Qc 9h"),
        game="free-bet-blackjack",
    ),
    "zappit-blackjack-1": BlackjackPlaythrough(
        "Zappit: a hard 16 is zapped and the new cards win; a pair of eights becomes an ace and a ten, which is 21.",
        "bet 1 bet 500; bet 1 bet-the-set 500; bet 2 bet 1000; no-more-bets; zap 1; stand 1; zap 2; reveal; settle",
        offer("6D H17 DAS SP3 LS SAZ 3:2 P22 ZAP17", ["bet-the-set"]),
        topped("6s 8s 6c Td 8h 5d Ts 9h As Kh 7s"),
        game="zappit-blackjack",
    ),
    "blackjack-switch-1": BlackjackPlaythrough(
        "Switch: second cards change places to 20 and 11, which is doubled; another seat has a pair for Super Match.",
        "bet 1 bet 1000; bet 2 bet 1000; bet 2 super-match 500; no-more-bets; switch 1; no-switch 2; stand 1; "
        "double 1; stand 2; stand 2; reveal; settle",
        offer("6D H17 DAS SP4 1:1 P22 SWITCH", ["super-match"]),
        topped("Ts 5s 9c 9d 6c 6h Th 8c Kd Td 7h Tc"),
        game="blackjack-switch",
    ),
    "super-fun-21-1": BlackjackPlaythrough(
        "Super Fun 21: a 21 of five cards, a split hand given up, a double rescued, and a blackjack in diamonds.",
        "bet 1 bet 1000; bet 2 bet 1000; bet 3 bet 1000; bet 4 bet 1000; no-more-bets; hit 1; hit 1; hit 1; split 2; "
        "stand 2 1; surrender 2 2; double 3; surrender 3; reveal; settle",
        offer("1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ"),
        topped("2s 8s 6s Ad 9h 3s 8h 5h Kd 7c 2d 4h Td Ts 6d 2h 5c", decks=1),
        game="super-fun-21",
    ),
}
