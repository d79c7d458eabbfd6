"""Blackjack Switch: two hands with equal bets whose second cards may change places; a dealer's 22 pushes."""

from croupier.games.blackjack.game import title_of_blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import INSURANCE, SUPER_MATCH
from croupier.games.game import Published, Texts

USUAL = "6D H17 DAS SP4 1:1 P22 SWITCH SW21"

GAME = title_of_blackjack(
    "blackjack-switch",
    "Blackjack Switch",
    "",
    rules=Rules.parse(USUAL),
    sample="Ts 6h",
    varies={
        *("decks", "hits_soft_17", "double_on", "double_after_split", "split_hands", "resplit_aces", "hit_split_aces"),
        *("insurance", "cut", "switched_blackjack"),
    },
    side_wagers=(INSURANCE, SUPER_MATCH),
    published=(
        Published(
            *("casinoinsider.com, Blackjack switch rule variations", "bet", "1:1", "house_edge", "0.58%"),
            known="under 8D",
            note="Said of six decks: counted are 0.541 % of six decks and 0.585 % of eight.",
        ),
    ),
    cites={"switch": "20.4", "no-switch": "20.3"},
    placards=(USUAL, "8D H17 DAS SP4 1:1 P22 SWITCH SW21", "6D H17 DAS SP4 1:1 P22 SWITCH SWBJ"),
    usual={"rules": USUAL, "side_wagers": [SUPER_MATCH.key]},
    texts=Texts(
        about="Two hands with equal bets, and their second cards may change places; a blackjack pays even money.",
        how=(
            "Put chips on Bet: half of them go with each of your two hands. Once the dealer has no blackjack, switch "
            "lets the second cards of the two hands change places. Then each hand is played as in blackjack. A "
            "blackjack pays even money, an ace and a ten after a switch are 21, and a dealer who draws 22 pushes "
            "against every hand but a blackjack."
        ),
        deal="Two hands to each seat, and after the check one question more: do the second cards change places?",
    ),
)
