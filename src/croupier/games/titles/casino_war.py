"""Casino War: the higher card wins; after a tie the player surrenders, or raises and draws again."""

from __future__ import annotations

from croupier.cards.card import Hand, Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.felt import DIAMOND, Felt
from croupier.games.game import Texts, published
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    BURNED,
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    chose,
    condition,
    judgment,
    raised_on,
    reading,
    spot,
)
from croupier.games.table.history import DEAL
from croupier.games.table.questions import wrong_number
from croupier.games.wager import Outcome

WINS, BEATEN = Outcome("Player wins"), Outcome("Dealer wins")
TIE, NO_TIE = Outcome("Tie"), Outcome("No tie")
WAR_WON, WAR_LOST = Outcome("War won"), Outcome("War lost")
WAR_TIED = Outcome("War tied", pays_as=WAR_WON)
SURRENDER = Outcome("Surrender")


@reading(Sees.RANKS, say=lambda rank: Rank(rank).name.lower() if rank else "no card")
def rank(cards: Hand) -> int:
    return int(cards[0].rank) if cards else 0


FIRST = rank.of(SEAT[0]), rank.of(DEALER[0])
SECOND = rank.of(SEAT[1]), rank.of(DEALER[1])


@judgment(*FIRST, *SECOND, ends=(WINS, BEATEN, WAR_WON, WAR_TIED, WAR_LOST))
def battle(player: int, dealer: int, players_second: int, dealers_second: int) -> Outcome:
    if player != dealer:
        return WINS if player > dealer else BEATEN
    if players_second == dealers_second:
        return WAR_TIED
    return WAR_WON if players_second > dealers_second else WAR_LOST


@judgment(*FIRST, ends=(TIE, NO_TIE))
def tie(player: int, dealer: int) -> Outcome:
    return TIE if player == dealer else NO_TIE


@condition(*FIRST)
def tied(player: int, dealer: int) -> bool:
    return player == dealer


BET = spot(
    "Bet",
    battle,
    """
    Player wins  1 to 1 § 4.2
    Dealer wins  lose § 4.3
    War won  push § 6.2
    War lost  lose § 6.4
    Surrender  1 for 2 § 5.2""",
)
RAISE = spot(
    "Raise",
    battle,
    {"1": "War won  1 to 1", "2": "War tied  2 to 1; War won  1 to 1"},
    raised_on(BET),
    cites="6.2",
    loses="6.4",
)
TIE_SPOT = spot("Tie", tie, {"1": "Tie  10 to 1", "2": "Tie  11 to 1"}, cites="7.2")

WAR = chose("war")
SCRIPT = (
    Deal(SEAT, 1, cites="3.2"),
    Deal(DEALER, 1, cites="3.3"),
    Choose(Choice("war", RAISE, cites="5.3"), Choice("surrender", ends=SURRENDER, cites="5.2"), when=tied, cites="5.1"),
    Deal(BURNED, 3, when=WAR, cites="6.1", title="Burn three cards, and deal the war"),
    Deal(SEAT, 1, when=WAR, cites="6.1"),
    Deal(DEALER, 1, when=WAR, cites="6.1"),
)

SOURCE = "wizardofodds.com/games/casino-war"
ALWAYS_WAR = "always go to war"

GAME = ScriptGame(
    "casino-war",
    "Casino War",
    document="",
    seats=7,
    wagers=(staked(BET, RAISE, script=SCRIPT, title="Bet and war", key="bet", mandatory=True), staked(TIE_SPOT)),
    deck=Deck(decks=6),
    script=SCRIPT,
    texts=Texts(
        about="One card each, the higher one wins. After a tie, surrender or go to war.",
        how=(
            "Put a chip on Bet. You and the dealer get one card each, and the higher card wins. After a tie "
            "you give up half of the bet, or go to war: you add a wager as large as the first, three cards "
            "are burned, and the second card decides. A war that ties is won."
        ),
        deal=(
            "One card to each seat and to the dealer, the wars after three burned cards, and the wagers of a "
            "seat in their order."
        ),
    ),
    sample=parse_cards("Kh Kd", decks=6),
    felt=Felt(
        color="oxblood",
        above="The higher card wins",
        below="A tie: surrender half, or go to war",
        shapes={"tie": DIAMOND},
    ),
    chart=rank.of(SEAT[0]),
    published=(
        *published(SOURCE, "bet", "house_edge", "2.88%", "2.33%", strategy=ALWAYS_WAR),
        *published(SOURCE, "bet", "house_edge", "3.70%", strategy="always surrender"),
        *published(SOURCE, "tie", "house_edge", "18.65%"),
    ),
    handling=(wrong_number(DEAL, "9.1", "a seat or the dealer"),),
    cites={"no-more-bets": "3.1", "void": "9.2", "undo": "9.2", "from-the-right": "8.2", "in-order": "8.2"},
    strategies={ALWAYS_WAR: lambda seen: "war", "always surrender": lambda seen: "surrender"},
)
