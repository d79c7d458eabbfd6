"""From a hand that is entered to the card that makes it final: amounts are locked at once and held until then.

Several shares in one round are taken from the dealer's right, counter-clockwise, each on the meter that the one before
it left. So whenever a hand comes in, goes or is voided before others of its round, those are released and locked
again, in the same entry. What a card has confirmed stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from croupier.cards.card import Card, Hand, format_cards, parse_cards
from croupier.errors import NotationError
from croupier.games.wager import Fact, OnDeal
from croupier.progressive import authority
from croupier.progressive.acts import CallSupervisor, Confirm, EnterHand, TakeBackHand, VoidAward
from croupier.progressive.decision import Decision, reason_given
from croupier.progressive.forms import plain, read_record
from croupier.progressive.ledger import UNITS_PER_CENT, Account, Entry, Purpose
from croupier.progressive.meters import (
    PLAYERS,
    TRAY,
    Award,
    Moves,
    hold,
    pay_from_meters,
    release,
    unpay_to_meters,
)
from croupier.progressive.refusals import No, refusal
from croupier.progressive.setup import AwardOrder, Line, LinkSetup, Style
from croupier.progressive.state import Entered, LinkState

# A hand is entered


def enter(state: LinkState, act: EnterHand) -> Decision:
    """A share is locked and held; a fixed pay is made at once."""
    cycle = state.game(act.table)
    if act.seat not in cycle.seats:
        raise refusal(No.NO_WAGER, seat=act.seat, table=act.table)
    if act.seat in cycle.entered:
        raise refusal(No.ALREADY_ENTERED, seat=act.seat, table=act.table, line=cycle.entered[act.seat].line)
    line = state.setup.line(act.line)
    facts = {
        **{"table": act.table, "round": cycle.round, "seat": act.seat, "line": line.label, "pays": str(line.pay)},
        **_checked_cards(state.setup, act, line),
        "game_digest": state.game_digest,
    }
    return _hold_share(state, act, line, facts) if line.is_share else _pay_fixed(state, line, facts)


def _hold_share(state: LinkState, act: EnterHand, line: Line, facts: dict[str, Any]) -> Decision:
    number = state.book.entries + 1
    new = Award(number, act.table, facts["round"], act.seat, line.label, line.pay.meter, str(line.pay.share))
    wanted = in_order(state.setup.order, [*state.of_round(act.table), new])
    moves = Moves(state.book)
    held = lock_again(state, moves, state.of_round(act.table), wanted)
    later = [seat for seat, each in state.tables[act.table].entered.items() if each.final and seat < act.seat]
    if later and state.setup.order is AwardOrder.DEALERS_RIGHT:
        facts = {**facts, "confirmed_before_it": sorted(later)}
    if any(not award.cents for award in held):
        facts = {**facts, "alarm": "A meter is empty: an award of nothing is held."}
    return Decision("enter", {**facts, "held": [award.as_json() for award in held]}, moves.transfers)


def in_order(order: AwardOrder, awards: Sequence[Award]) -> list[Award]:
    """From the dealer's right means the highest seat first: seats are numbered from the dealer's left."""
    if order is AwardOrder.ENTRY:
        return sorted(awards, key=lambda award: award.award)
    return sorted(awards, key=lambda award: -award.seat)


def lock_again(state: LinkState, moves: Moves, now: Sequence[Award], wanted: Sequence[Award]) -> list[Award]:
    """Release what comes after the first difference, last first, and hold what is wanted in its order.

    Awards of another level are not touched by the difference, so they keep their amounts.
    """
    levels = {award.level for award in {*now} ^ {*wanted}}
    locked: list[Award] = []
    for level in state.setup.levels:
        if level.level in levels:
            before = [award for award in now if award.level == level.level]
            after = [award for award in wanted if award.level == level.level]
            same = next(
                (place for place, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
                min(len(before), len(after)),
            )
            for award in reversed(before[same:]):
                release(moves, level, award)
            locked += [hold(moves, level, award) for award in after[same:]]
    return locked


def _pay_fixed(state: LinkState, line: Line, facts: dict[str, Any]) -> Decision:
    """From the tray, or in style A from the meters; what a meter lacks the house adds, and that is an alarm."""
    moves = Moves(state.book)
    facts = {**facts, "cents": line.cents, "parts": []}
    if state.setup.style is Style.SHARES_ONLY:
        moves.move(TRAY, PLAYERS, line.cents * UNITS_PER_CENT)
        return Decision("pay", facts, moves.transfers)
    parts = pay_from_meters(moves, state.setup, line.cents)
    facts["parts"] = plain(parts)
    dry = [state.setup.level[part.level].title for part in parts if part.added_units]
    if dry:
        facts["alarm"] = f"{', '.join(dry)} ran dry: the house has added what was missing."
    return Decision("pay", facts, moves.transfers)


def entered(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    state.tables[facts["table"]].entered[facts["seat"]] = Entered(facts["line"], entry.number)
    _locked(state, facts)


def paid_fixed(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    made = {"line": facts["line"], "award": entry.number, "fixed": True}
    record = {**made, "cents": facts["cents"], "parts": facts["parts"]}
    state.tables[facts["table"]].entered[facts["seat"]] = read_record(Entered, record)


def _locked(state: LinkState, facts: Any) -> None:
    """Take the awards as they were locked; those of one round stand in the order in which they are taken."""
    for held in map(Award.of_json, facts["held"]):
        state.awards.pop(held.award, None)
        state.awards[held.award] = held


# Cards check the claim


def _checked_cards(setup: LinkSetup, act: EnterHand, line: Line) -> dict[str, Any]:
    """The cards, if there are any, and who overrode what they say."""
    if not act.cards:
        return {}
    cards = _read_cards(setup, act.cards)
    made = line_of_cards(setup, cards)
    facts: dict[str, Any] = {"cards": format_cards(cards), "cards_make": made.label if made else ""}
    if made == line:
        return facts
    if act.override_by is None:
        words = repr(made.label) if made else "no hand that pays"
        raise refusal(No.CARDS_DISAGREE, cards=facts["cards"], made=words, line=line.label)
    authority.require(act.override_by.role, authority.Act.OVERRIDE_CLAIM)
    reason = reason_given(act.override_reason)
    return {**facts, "override": {"by": act.override_by.as_list(), "reason": reason}}


def _read_cards(setup: LinkSetup, text: str) -> Hand:
    try:
        cards = parse_cards(text, decks=setup.decks)
    except NotationError as error:
        raise refusal(No.WRONG_CARDS, why=str(error).rstrip(".")) from None
    if len(cards) not in ((2, 3) if _third_may_miss(setup) else (3,)):
        third = "the player's third, if there is one" if _third_may_miss(setup) else "the dealer's up card"
        raise refusal(No.WRONG_CARDS, why=f"they are the player's first two and {third}")
    return cards


def _third_may_miss(setup: LinkSetup) -> bool:
    assert isinstance(setup.rules.basis, OnDeal)
    return setup.rules.basis.fact is Fact.THIRD_CARD


def line_of_cards(setup: LinkSetup, cards: Hand) -> Line | None:
    """What the game's own rule says that the cards make; None where that pays nothing."""
    assert isinstance(setup.rules.basis, OnDeal)
    third: Card | None = cards[2] if len(cards) == 3 else None
    outcome = setup.rules.basis.judge(cards[:2], third)
    return setup.lines.get(setup.rules.prices(setup.posted)[outcome].row)


# A hand is taken back, or its award voided


def take_back(state: LinkState, act: TakeBackHand) -> Decision:
    """Pressing the hand again turns it off: everything it moved goes back."""
    cycle = state.game(act.table)
    if act.seat not in cycle.entered:
        raise refusal(No.NOTHING_ENTERED, seat=act.seat, table=act.table)
    hand = cycle.entered[act.seat]
    if hand.final:
        raise refusal(No.FINAL, seat=act.seat, table=act.table)
    if not hand.fixed:
        return _release("take-back", state, state.awards[hand.award], {})
    moves = Moves(state.book)
    if state.setup.style is Style.SHARES_ONLY:
        moves.move(PLAYERS, TRAY, hand.cents * UNITS_PER_CENT)
    else:
        unpay_to_meters(moves, state.setup, hand.parts)
    facts = {"award": hand.award, "table": act.table, "round": cycle.round, "seat": act.seat, "line": hand.line}
    return Decision("unpay", {**facts, "cents": hand.cents}, moves.transfers)


def void(state: LinkState, act: VoidAward) -> Decision:
    award = state.award(act.award)
    return _release("void", state, award, {"reason": reason_given(act.reason)})


def _release(kind: str, state: LinkState, award: Award, facts: dict[str, Any]) -> Decision:
    now = state.of_round(award.table)
    moves = Moves(state.book)
    held = lock_again(state, moves, now, [each for each in now if each.award != award.award])
    facts = {**_named(award), **facts, "held": [each.as_json() for each in held]}
    return Decision(kind, facts, moves.transfers)


def released(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    del state.awards[facts["award"]]
    del state.tables[facts["table"]].entered[facts["seat"]]
    _locked(state, facts)


def unpaid(state: LinkState, entry: Entry) -> None:
    del state.tables[entry.facts["table"]].entered[entry.facts["seat"]]


# A supervisor comes, and a card decides


def call(state: LinkState, act: CallSupervisor) -> Decision:
    cycle = state.game(act.table)
    awards = [award.award for award in state.of_round(act.table)]
    if not awards:
        raise refusal(No.NOTHING_TO_CONFIRM, table=act.table)
    return Decision("call", {"table": act.table, "round": cycle.round, "awards": awards})


def called(state: LinkState, entry: Entry) -> None:
    for number in entry.facts["awards"]:
        state.awards[number] = replace(state.awards[number], called=True)


def confirm(state: LinkState, act: Confirm) -> Decision:
    """A Supervisor's card up to the threshold, an Executive's above it.

    What was locked before it on the same meter is decided before it: the amount depends on that.
    """
    award = state.award(act.award)
    for other in state.of_round(award.table):
        if other == award:
            break
        if other.level == award.level:
            raise refusal(No.OUT_OF_ORDER, first=other.seat, seat=award.seat, table=award.table)
    threshold = state.setup.executive_threshold_cents
    authority.require(act.by.role, authority.confirming(award.cents, executive_above_cents=threshold))
    moves = Moves(state.book)
    moves.move(Account(Purpose.PENDING, award.level), PLAYERS, award.units)
    facts = {
        **{**award.as_json(), "threshold_cents": threshold, "game_digest": state.game_digest},
        "shown_cents": state.shown_cents(award.level),
    }
    return Decision("confirm", facts, moves.transfers)


def confirmed(state: LinkState, entry: Entry) -> None:
    award = state.awards.pop(entry.facts["award"])
    if Fraction(award.share) == 1:
        # What the house had on the meter went with the award; what it has now is what it seeded since.
        open_seeds = sum(each.seed_units for each in state.awards.values() if each.level == award.level)
        state.own[award.level] = award.seed_units + open_seeds
    cycle = state.tables[award.table]
    cycle.entered[award.seat] = replace(cycle.entered[award.seat], final=True, cents=award.cents)


def _named(award: Award) -> dict[str, Any]:
    """Which award, for whoever reads the entry alone."""
    names = ("award", "table", "round", "seat", "line", "level", "cents")
    return {name: getattr(award, name) for name in names}
