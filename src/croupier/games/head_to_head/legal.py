"""What may be done at a head-to-head table once betting is closed: the menu of each seat, and the dealer's part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from croupier.errors import CroupierError, Refusal
from croupier.games.game import Handled
from croupier.games.head_to_head.acts import Deal, Decide, Reveal, Rotation, Settle, sealed_rotation
from croupier.games.head_to_head.round import Phase, Round
from croupier.games.money import dollars, parse_cents
from croupier.games.table.history import DEALER, ROTATION, Act, position_name
from croupier.games.table.legal import DEALERS_WORDS, QUIT
from croupier.games.table.questions import Kind, Question
from croupier.games.table.shown import Legal


def in_play(round_: Round) -> Iterator[Legal]:
    """The decisions of every seat that still has one, then what the dealer does."""
    for seat in round_.undecided:
        choices = menu(round_, seat)
        advice = choices.advice()
        for choice in choices.choices:
            words = ", ".join(part for part in (choice.words, choice.hand, choice.effect) if part)
            advised = tuple(name for name, best in advice.items() if best is choice)
            yield Legal(
                choice.act,
                words,
                seat,
                choice.cost_cents,
                key=choice.key,
                advised_by=advised,
                label=choice.words[:1].upper() + choice.words[1:],
                detail=", ".join(part for part in (choice.hand, choice.effect) if part),
                gives_up=bool(round_.do(choice.act).gave_up(seat)),
                hand=choice.hand,
            )
    following = dealers_act(round_)
    if following is not None:
        yield Legal(following, DEALERS_WORDS[following.name])
    elif round_.phase is Phase.ROTATION:
        yield Legal(Rotation(), DEALERS_WORDS["rotation"], needs="a throw or a number, as 'rotation dice 2 5 1'")
    elif round_.phase is Phase.DEALING:
        assert round_.next_position is not None
        who, cards = position_name(round_.next_position), round_.game.packet_cards
        unseen = "" if round_.next_position in (DEALER, *round_.seats) else ", or none where they stay unseen"
        yield Legal(Deal(), f"deals to {who}", needs=f"the {cards} cards of {who}, as 'deal Qh 6c'{unseen}")


def dealers_act(round_: Round) -> Act[Any] | None:
    """What the dealer does next, where nobody has to decide or to enter anything."""
    rotation = [sealed_rotation(round_)] if round_.shoe and round_.phase is Phase.ROTATION else []
    deal = [Deal()] if round_.shoe else []
    possible: list[Act[Any]] = [*rotation, *deal, Reveal(), Settle()]
    return next((act for act in possible if round_.can(act)), None)


def check_sealed(round_: Round, act: Act[Any]) -> None:
    """The rotation is the one that was sealed with the shoe: nobody chooses it."""
    if isinstance(act, Rotation) and round_.shoe and round_.phase is Phase.ROTATION:
        sealed = sealed_rotation(round_)
        if act != sealed:
            raise Refusal("sealed-rotation", f"The rotation was sealed with the shoe: it is '{sealed}', not '{act}'.")


# What a dealer is asked


def questions(round_: Round, before: Round) -> Iterator[Question]:
    """Whoever turns up the dealer's cards counts them, and knows whether they play or how they are set."""
    event, drawn = round_.events[-1], round_.acts[-1] if round_.acts else None
    match event.kind:
        case "rotation":
            assert isinstance(drawn, Rotation)
            drawn_words = (
                f"The dice show {' '.join(map(str, drawn.dice))}" if drawn.dice else f"The number is {drawn.number}"
            )
            rests_on = round_.paragraph(event)
            yield round_.whom(f"{drawn_words}. Who gets the first packet?", event.position or DEALER, rests_on)
        case "deal" if before.events[-1].kind != "rotation":
            yield round_.whom("Who gets the next packet?", event.position or DEALER)
        case "reveal":
            yield from (ask(round_.dealer) for ask in round_.game.asks)


def handled(round_: Round) -> Iterator[Handled]:
    """Who must see the number that a machine has drawn, where the rules say so."""
    drawn = round_.acts[-1] if round_.acts else None
    if isinstance(drawn, Rotation) and not drawn.dice and round_.part == ROTATION and "i-verify" in round_.game.cites:
        yield Handled(
            ROTATION,
            Kind.HANDLE,
            "Suppose that i-Verify has drawn this number. Who must be able to see its display?",
            "Surveillance",
            ("Nobody but the dealer", "The seats in play alone"),
            round_.game.cites["i-verify"],
        )


# What a seat decides


@dataclass(frozen=True)
class Choice:
    """One thing that a seat may decide: what to type for it, and what it does and costs."""

    key: str
    words: str
    """What the game reads."""
    hand: str
    """The hand that it makes, where it is the choice that makes it; otherwise nothing."""
    effect: str
    cost_cents: int
    act: Decide


@dataclass(frozen=True)
class Menu:
    """All that a seat may decide now."""

    round: Round
    seat: int
    choices: tuple[Choice, ...]

    @property
    def numbered(self) -> bool:
        return self.choices[0].key.isdigit()

    def advice(self) -> dict[str, Choice]:
        """What each of the game's strategies would choose here, by its name."""
        hand = self.round.seats[self.seat].hand
        return {name: self._of(strategy(hand)) for name, strategy in self.round.game.strategies.items()}

    def shortcuts(self) -> dict[str, tuple[str, Choice]]:
        """A letter for each strategy where the choices themselves have numbers: `h` for the house way."""
        letters: dict[str, tuple[str, Choice]] = {}
        for name, choice in self.advice().items() if self.numbered else ():
            if name[0].lower() != QUIT:
                letters.setdefault(name[0].lower(), (name, choice))
        return letters

    def pick(self, typed: str) -> Choice:
        """The choice of that key, or in words that the game reads; anything else is refused with the reason.

        An amount behind it is the wager that goes with the decision: `play 40`.
        """
        words, _, last = typed.rpartition(" ")
        cents = _amount(last) if words.strip() else None
        if cents is not None:
            return self._with_wager(self.pick(words.strip()), cents)
        key = typed.lower()
        for choice in self.choices:
            if choice.key == key:
                return choice
        if key in self.shortcuts():
            return self.shortcuts()[key][1]
        return self.in_words(typed)

    def _with_wager(self, choice: Choice, cents: int) -> Choice:
        act = replace(choice.act, cents=cents)
        refusal = self.round.why_not(act)
        if refusal:
            raise refusal
        return replace(choice, act=act)

    def in_words(self, words: str) -> Choice:
        """The choice that these words of the game stand for."""
        decision = self.round.game.decision
        assert decision is not None
        return self._of(decision.parse(self.round.seats[self.seat].hand, words))

    def _of(self, choice: str) -> Choice:
        wager = self.round.game.decides
        assert wager is not None
        return self.choices[wager.choices.index(choice)]


def menu(round_: Round, seat: int) -> Menu:
    """What the seat may decide; each choice is tried on the round, which nothing changes."""
    decision, wager = round_.game.decision, round_.game.decides
    assert decision is not None
    assert wager is not None
    hand = round_.seats[seat].hand
    words = [decision.say(hand, choice) for choice in wager.choices]
    choices = []
    for key, word, choice in zip(_keys(words), words, wager.choices, strict=True):
        act = Decide(seat, word)
        after = round_.do(act)
        cost = after.staked_cents - round_.staked_cents
        described = round_.game.describe(hand, choice)
        described = described if described != round_.game.describe(hand, None) else ""
        choices.append(Choice(key, word, described, _effect(round_, after, seat), cost, act))
    return Menu(round_, seat, tuple(choices))


def _effect(before: Round, after: Round, seat: int) -> str:
    """Which chips a choice moves."""
    game, was, now = before.game, before.seats[seat], after.seats[seat]
    effects = [
        f"puts {dollars(cents)} on {game.spots[spot][1].title}"
        for spot, cents in now.wagers.items()
        if spot not in was.wagers
    ]
    if game.decision and game.decides and now.choice in game.decision.forfeits:
        effects.append(f"gives up the {game.decides.spots[0].title}")
    return ", ".join(effects)


def _amount(word: str) -> int | None:
    try:
        return parse_cents(word)
    except CroupierError:
        return None


def _keys(words: list[str]) -> list[str]:
    """Initials where they tell single words apart, else numbers."""
    initials = [word[0].lower() for word in words]
    lettered = len({*initials, QUIT}) > len(words) and all(word.isalpha() for word in words)
    return initials if lettered else [str(number) for number in range(1, len(words) + 1)]
