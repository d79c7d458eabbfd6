"""Super Fun 21: many liberties of play and prizes for many cards, and a blackjack that pays even money."""

from croupier.games.blackjack.game import title_of_blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import (
    BET_THE_SET,
    BLAZING_DEALER,
    BLAZING_PLAYER,
    INSURANCE,
    KINGS_BOUNTY,
    ROYAL_MATCH,
    TRILUX,
    TRILUX_BONUS,
)
from croupier.games.game import Published, Texts

USUAL = "1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ"

GAME = title_of_blackjack(
    "super-fun-21",
    "Super Fun 21",
    "",
    rules=Rules.parse(USUAL),
    varies={"decks", "hits_soft_17", "split_hands", "resplit_aces", "hit_split_aces", "insurance", "cut"},
    side_wagers=(
        *(INSURANCE, KINGS_BOUNTY, BET_THE_SET, ROYAL_MATCH, TRILUX_BONUS),
        *(BLAZING_DEALER, BLAZING_PLAYER, TRILUX),
    ),
    published=(
        Published("21-blackjack-casino.com, Super Fun 21", "bet", "1:1", "house_edge", "0.94%"),
        Published(
            *("wizardofodds.com, Super Fun 21", "bet", "1:1", "house_edge", "0.75%"),
            known="under S17",
            note="Said of a dealer who stands on a soft 17: counted are 0.75 % of that.",
        ),
        Published(
            *("bestblackjackonline.org, Super Fun 21", "bet", "1:1", "house_edge", "1.16%"),
            known="under 2D",
            note="Said of no number of decks: counted are 0.94 % of one deck and 1.16 % of two.",
        ),
    ),
    placards=(USUAL, USUAL.replace("H17", "S17"), USUAL.replace("1D", "2D"), USUAL.replace("1D", "6D")),
    usual={
        **{"rules": USUAL, "side_wagers": [BET_THE_SET.key, ROYAL_MATCH.key]},
        "paytables": {BET_THE_SET.key: "15", ROYAL_MATCH.key: "10"},  # those for one deck
    },
    texts=Texts(
        about="Surrender and double whenever you like, and win at once with many cards; a blackjack pays even money.",
        how=(
            "Put a chip on Bet; the other wagers are extra. Come nearer to 21 than the dealer without going over. Any "
            "hand may be doubled, and any may be surrendered while it is in play, even once it was doubled. Six cards "
            "that are not bust win at once, and a 21 of five cards or more wins 2 to 1, unless the hand was doubled. "
            "A blackjack always wins: 2 to 1 in diamonds, and else even money."
        ),
        deal=(
            "Blackjack with more to decide and to pay: surrender at any time, doubles of any number of cards, hands "
            "that win by their cards, and blackjacks that win even against the dealer's."
        ),
    ),
)
