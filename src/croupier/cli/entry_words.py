"""How acts are typed beside real cards: their forms, amounts in dollars, and which of them the table waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.errors import NotationError
from croupier.games.history import BETTING
from croupier.games.money import dollars, parse_cents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.games.blackjack.round import BlackjackRound
    from croupier.games.history import Act, History
    from croupier.games.round import Round

FORMS = {
    "bet": "bet SEAT SPOT DOLLARS [by PLAYER]",
    "take-back": "take-back SEAT SPOT",
    "rotation": "rotation dice 2 5 1, or rotation number 4",
    "deal": "deal CARDS, as deal Qh 6c 4d",
    "decide": "decide SEAT WORDS, as decide 1 play",
    "insure": "insure SEAT [DOLLARS]",
    "even-money": "even-money SEAT",
    "no-insurance": "no-insurance [SEAT]",
    "peek": "peek no, or peek yes",
    "bust-bet": "bust-bet SEAT DOLLARS",
    "no-bust-bet": "no-bust-bet [SEAT]",
    **{name: f"{name} SEAT [HAND]" for name in ("hit", "stand", "double", "split", "surrender")},
    "void": "void REASON",
}
"""How acts are typed; one that is not here stands alone."""
AMOUNTS = {"bet": 3, "insure": 2, "bust-bet": 2}
"""In which word of an act its money is."""
WITH = "with"
"""Behind a decision: the wager that goes with it, as `decide 1 play with 5`."""
IN_DOLLARS = "Amounts are in dollars: 10, 7.50 or $7.50."


def read_act(round_: History, words: str) -> Act[Any]:
    """The act of this line, whose money is written in dollars; the act itself and its record have cents."""
    from croupier.games.acts import parse_act
    from croupier.games.blackjack.acts import parse_act as parse_blackjack_act
    from croupier.games.blackjack.round import BlackjackRound

    in_cents = " ".join(_in_cents(words.split()))
    try:
        return parse_blackjack_act(in_cents) if isinstance(round_, BlackjackRound) else parse_act(in_cents)
    except NotationError as error:
        name = words.split(maxsplit=1)[0]
        if name in AMOUNTS and name in acts_of(round_):
            raise NotationError(f"{words!r} must be '{FORMS[name]}'. {IN_DOLLARS}") from error
        raise


def write_act(act: Act[Any]) -> str:
    """The line that `read_act` reads as this act: `bet 1 bet $10.00`."""
    words = str(act).split()
    place = _amount_place(words)
    return " ".join(words if place is None else [*words[:place], dollars(int(words[place])), *words[place + 1 :]])


def _in_cents(words: list[str]) -> list[str]:
    place = _amount_place(words)
    return words if place is None else [*words[:place], str(parse_cents(words[place])), *words[place + 1 :]]


def _amount_place(words: list[str]) -> int | None:
    """Which word is an amount of money, if one is."""
    if words[0] == "decide":
        return len(words) - 1 if len(words) > 3 and words[-2] == WITH else None
    place = AMOUNTS.get(words[0])
    return place if place is not None and place < len(words) else None


def acts_of(round_: History) -> Mapping[str, type[Act[Any]]]:
    """Every act of this round's game, by its name."""
    from croupier.games.acts import ACTS
    from croupier.games.blackjack.acts import ACTS as BLACKJACK_ACTS
    from croupier.games.blackjack.round import BlackjackRound

    return BLACKJACK_ACTS if isinstance(round_, BlackjackRound) else ACTS


def what_is_next(round_: History) -> str:
    """What the table waits for; in a deal of packets also whose is the next."""
    from croupier.games.history import position_name
    from croupier.games.round import Round

    if isinstance(round_, Round) and round_.next_position is not None:
        unseen = round_.next_position and round_.next_position not in round_.seats
        may = ", or 'deal' alone, for nobody sits there" if unseen else ""
        cards = round_.game.packet_cards
        return f"the next {cards} cards go to {position_name(round_.next_position)}{may}"
    return round_.what_is_next


def what_to_write(round_: History) -> str:
    """`Write: reveal.`: how the acts are typed that the table waits for; nothing where it waits for none."""
    from croupier.games.blackjack.round import BlackjackRound
    from croupier.games.choices import no_more_bets
    from croupier.games.round import Round

    if round_.is_over:
        return ""
    if round_.phase == BETTING:
        acts = ["bet SEAT SPOT DOLLARS", *(["no-more-bets"] if round_.can(no_more_bets(round_)) else [])]
    elif isinstance(round_, BlackjackRound):
        acts = _blackjack_acts(round_)
    else:
        assert isinstance(round_, Round)
        acts = _packet_acts(round_)
    *others, last = acts
    return f"Write: {', '.join(others)} or {last}." if others else f"Write: {last}."


def _packet_acts(round_: Round) -> list[str]:
    from croupier.games.choices import menu
    from croupier.games.round import Phase

    if round_.undecided:
        seat = round_.undecided[0]
        return [str(choice.act) for choice in menu(round_, seat).choices]
    return {
        Phase.ROTATION: ["rotation dice 2 5 1", "rotation number 4"],
        Phase.DEALING: ["deal CARDS"],
        Phase.REVEALING: ["reveal"],
        Phase.SETTLING: ["settle"],
    }[round_.phase]


def _blackjack_acts(round_: BlackjackRound) -> list[str]:
    from croupier.games.blackjack.acts import EvenMoney, Insure, NoInsurance, decisions
    from croupier.games.blackjack.round import Phase

    if round_.owed:
        return ["deal CARD" if len(round_.owed) == 1 else "deal CARDS"]
    match round_.phase:
        case Phase.INSURANCE:
            seat = round_.asked[0]
            return [str(act) for act in (Insure(seat), EvenMoney(seat), NoInsurance()) if round_.can(act)]
        case Phase.CHECKING:
            return ["peek no", "peek yes"]
        case Phase.BUST_WAGERS:
            return [f"bust-bet {round_.asked[0]} DOLLARS", "no-bust-bet"]
        case Phase.PLAYING:
            return [str(act) for act in decisions(round_)]
        case Phase.DEALER:
            return ["reveal"]
    return ["settle"]
