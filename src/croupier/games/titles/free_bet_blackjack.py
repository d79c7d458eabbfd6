"""Free Bet Blackjack: the house lends a chip for most doubles and splits, and a dealer's 22 pushes."""

from __future__ import annotations

from croupier.games.blackjack.game import title_of_blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST, PUSH_22, SIDE_WAGERS
from croupier.games.game import Published, Texts

USUAL = "6D H17 DAS SP4 RSA 3:2 P22 FD FS"
SOURCE = "ukcasinotablegames.info, Freebet"

GAME = title_of_blackjack(
    "free-bet-blackjack",
    "Free Bet Blackjack",
    "",
    rules=Rules.parse(USUAL),
    sample="8s 8h",
    varies={
        *("decks", "hits_soft_17", "double_after_split", "split_hands", "resplit_aces", "hit_split_aces"),
        *("late_surrender", "blackjack_odds", "hole_card", "insurance", "cut"),
    },
    side_wagers=(*(wager for wager in SIDE_WAGERS if wager is not BET_THE_BUST), PUSH_22),  # a 22 is no bust here
    published=(Published(SOURCE, "bet", "3:2", "house_edge", "1.01%"),),
    placards=(USUAL, "6D S17 DAS SP4 RSA 3:2 P22 FD FS", "8D H17 DAS SP4 RSA 3:2 P22 FD FS"),
    usual={"rules": USUAL, "side_wagers": ["kings-bounty", "push-22", "blazing-7s-dealer"]},
    texts=Texts(
        about=(
            "Blackjack with chips of the house: a hard 9, 10 or 11 is doubled free, and every pair but tens is split "
            "free. A dealer's 22 pushes."
        ),
        how=(
            "Put a chip on Bet. Double two cards of hard 9, 10 or 11 and split any pair but tens without money: the "
            "house lays a free chip, which wins as money does and costs nothing when it loses. In return a dealer's 22 "
            "pushes every hand but a blackjack."
        ),
        deal=(
            "Blackjack with free chips: who gets one and when, what it is paid, and that it goes back to the tray "
            "however the hand ends. A dealer's 22 pushes."
        ),
    ),
)
