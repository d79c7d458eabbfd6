"""Zappit Blackjack: a hard 15 to 17 may be traded once for two new cards, and a dealer's 22 pushes."""

from croupier.games.blackjack.game import title_of_blackjack
from croupier.games.blackjack.hand import ZAPPED
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import (
    BET_THE_SET,
    BLAZING_DEALER,
    BLAZING_PLAYER,
    HOUSE_MONEY,
    INSURANCE,
    KINGS_BOUNTY,
    ROYAL_MATCH,
    TRILUX,
    TRILUX_BONUS,
)
from croupier.games.game import Published, Texts

USUAL = "6D H17 DAS SP3 LS 3:2 P22 ZAP17 SAZ"

GAME = title_of_blackjack(
    "zappit-blackjack",
    "Zappit Blackjack",
    "",
    rules=Rules.parse(USUAL),
    sample="Ts 6c",
    varies={
        *("decks", "hits_soft_17", "double_on", "double_after_split", "split_hands", "resplit_aces", "hit_split_aces"),
        *("late_surrender", "surrender_after_zap", "blackjack_odds", "insurance", "cut", "zap"),
    },
    side_wagers=(
        *(INSURANCE, KINGS_BOUNTY, BET_THE_SET, ROYAL_MATCH, TRILUX_BONUS, HOUSE_MONEY),  # a 22 is no bust here
        *(BLAZING_DEALER, BLAZING_PLAYER, TRILUX),
    ),
    cites={"zap": ZAPPED},
    published=(
        Published(
            *("debitcardcasino.ca, Rules and Strategy for Zappit 21", "bet", "3:2", "house_edge", "1.15%"),
            known="zapped-blackjack-wins",
            note="Of tables where an ace and a ten after a zap win at once, counted as 1.15 %: here they are 21.",
        ),
    ),
    placards=(USUAL, "6D H17 DAS SP3 LS 3:2 P22 ZAP18 SAZ", "6D S17 DAS SP4 NS 3:2 P22 ZAP17 NSAZ"),
    usual={"rules": USUAL, "side_wagers": [BET_THE_SET.key, BLAZING_DEALER.key]},
    texts=Texts(
        about="Zap a hard 15, 16 or 17 and start again with two new cards; in return a dealer's 22 pushes.",
        how=(
            "Put a chip on Bet; the other wagers are extra. Come nearer to 21 than the dealer without going over. With "
            "a hard 15, 16 or 17 on the first two cards, zap trades them once for two new ones; an ace with a "
            "ten-value card is then 21 and no blackjack. A dealer who draws 22 pushes against every hand but a "
            "blackjack."
        ),
        deal="Blackjack with one decision more: zapped cards go to the discards, and two new ones take their place.",
    ),
)
