"""From a hand that is entered to the card that makes it final: amounts are locked at once and held until then.

Every share of a meter takes a card, and a fixed pay from a set amount on; a smaller one is paid when it is entered.

Several hands of one game are taken from the dealer's right, counter-clockwise, each on the meter that the one before it
left (see `meters` and `settlement`). So whenever a hand comes in, goes or is voided before others of its game, those
are locked again in the same entry. What a card has confirmed stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from croupier.cards.card import Card, format_cards, parse_cards
from croupier.compliance import authority
from croupier.errors import NotationError
from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.facts import ConfirmFacts, IssueSlipFacts, PaySlipFacts, facts_of
from croupier.floor.forms import plain, read_record
from croupier.floor.link.acts import (
    CallSupervisor,
    Confirm,
    EnterHand,
    IssueSlip,
    PaySlip,
    TakeBackHand,
    TakeCall,
    VoidAward,
)
from croupier.floor.link.meters import PLAYERS, TRAY, Award, MeterPart, Moves, Stand, parts_of
from croupier.floor.link.settlement import FixedPays, Game, Taken, game_of, settle_game, settle_game_earlier
from croupier.floor.link.setup import LAW, AwardOrder, Line, LinkSetup
from croupier.floor.link.state import Entered, LinkState, Payable, Slip, TableCall
from croupier.floor.refusals import No, refusal
from croupier.games.claims import Claimed, can_lie, own_third
from croupier.games.meter import Style
from croupier.games.money import dollars
from croupier.games.wager import Fact, OnDeal
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose

# Cards check the claim: where they are entered, the game's own rule says which line they make.
#
# A claim that disagrees is refused, or overridden by a supervisor who did not enter it, with a reason on record.


def checked_cards(state: LinkState, act: EnterHand, line: Line) -> dict[str, Any]:
    """The cards, if there are any, and who overrode what they say."""
    setup = state.setup
    if not act.cards:
        return {}
    cards = _read_cards(setup, act.cards)
    _check_round(state, act, cards)
    read_line = line_of_cards(setup, cards)
    facts: dict[str, Any] = {"cards": format_cards(cards), "cards_make": read_line.label if read_line else ""}
    if read_line == line:
        return facts
    if act.override_by is None:
        words = repr(read_line.label) if read_line else "no hand that pays"
        raise refusal(No.CARDS_DISAGREE, cards=facts["cards"], made=words, line=line.label)
    authority.two_people(authority.Power.OVERRIDE_CLAIM, act.override_by, None)
    if act.override_by.person == act.by.person:
        raise authority.denied(authority.Denied.SAME_PERSON, power=authority.Power.OVERRIDE_CLAIM, person=act.by.person)
    reason = reason_given(act.override_reason)
    return {**facts, "override": {"by": act.override_by.as_list(), "reason": reason}}


def _read_cards(setup: LinkSetup, text: str) -> tuple[Card, ...]:
    try:
        cards = parse_cards(text, decks=setup.decks)
    except NotationError as error:
        raise refusal(No.WRONG_CARDS, why=str(error).rstrip(".")) from None
    if len(cards) not in ((2, 3) if _third_may_miss(setup) else (3,)):
        third = "the player's third, if there is one" if _third_may_miss(setup) else "the dealer's up card"
        raise refusal(No.WRONG_CARDS, why=f"they are the player's first two and {third}")
    return cards


def _check_round(state: LinkState, act: EnterHand, cards: tuple[Card, ...]) -> None:
    """All seats of a game see the same up card, and no card is on the table more often than it is in the shoe."""
    entered = state.tables[act.table].entered.items()
    others = {seat: parse_cards(hand.cards, decks=state.setup.decks) for seat, hand in entered if hand.cards}
    shared = not _third_may_miss(state.setup)
    for seat, theirs in others.items():
        if shared and theirs[2] != cards[2]:
            raise refusal(No.WRONG_CARDS, why=f"the up card at seat {seat} is {theirs[2]}, not {cards[2]}")
    on_table = Counter(cards)
    for theirs in others.values():
        on_table.update(theirs[:2] if shared else theirs)
    for card, copies in on_table.items():
        if copies > state.setup.decks:
            raise refusal(
                No.WRONG_CARDS, why=f"{card} would be on the table {copies} times, of {state.setup.decks} decks"
            )


def _third_may_miss(setup: LinkSetup) -> bool:
    assert isinstance(setup.rules.basis, OnDeal)
    return setup.rules.basis.fact is Fact.THIRD_CARD


def line_of_cards(setup: LinkSetup, cards: tuple[Card, ...]) -> Line | None:
    """What the game's own rule says that the cards make; None where that pays nothing."""
    assert isinstance(setup.rules.basis, OnDeal)
    third: Card | None = cards[2] if len(cards) == 3 else None
    outcome = setup.rules.basis.judge(cards[:2], third)
    return setup.lines.get(setup.prices[outcome].row)


# Hands of one game that cannot all be true are refused before they are entered. Books do not depend on it: what was
# entered is decided by them.


def check_claim(state: LinkState, act: EnterHand) -> None:
    """Refuse a hand that cannot be beside those of the same game, and say beside which."""
    setup, entered = state.setup, state.tables[act.table].entered
    new = Claimed(setup.line(act.line).label, _typed(setup, act.cards))
    others = {
        seat: Claimed(hand.line, _typed(setup, hand.cards))
        for seat, hand in entered.items()
        if seat != act.seat and not _backed_out(state, hand)
    }
    if can_be(setup, [*others.values(), new]):
        return
    one = next((seat for seat, other in others.items() if not can_be(setup, [other, new])), None)
    named = others if one is None else {one: others[one]}
    words = {line.label: line.printed for line in setup.lines.values()}  # as the keys have them
    listed = ", ".join(f"{words[other.line]} at seat {seat}" for seat, other in sorted(named.items()))
    why = f"{setup.decks} decks" if own_third(setup.rules) else f"one up card and {setup.decks} decks"
    raise refusal(No.CANNOT_BE, line=words[new.line], seat=act.seat, others=listed, why=why)


def _backed_out(state: LinkState, hand: Entered) -> bool:
    """Whether a card has confirmed the hand, and nothing is left of its award: it was none."""
    won = state.won.get(hand.award)
    return won is not None and not won.cents


def _typed(setup: LinkSetup, text: str) -> tuple[Card, ...]:
    return parse_cards(text, decks=setup.decks) if text else ()


def can_be(setup: LinkSetup, claims: Sequence[Claimed]) -> bool:
    """Whether one deal of the link's game makes all of these hands."""
    return can_lie(setup.rules, setup.paytable, setup.decks, claims)


# A hand is entered


def enter(state: LinkState, act: EnterHand) -> Decision:
    """What takes a card is locked and held; another fixed pay is made at once."""
    cycle = state.game(act.table)
    if act.seat not in cycle.seats:
        raise refusal(No.NO_WAGER, seat=act.seat, table=act.table)
    if act.seat in cycle.entered:
        raise refusal(No.ALREADY_ENTERED, seat=act.seat, table=act.table, line=cycle.entered[act.seat].line)
    line = state.setup.line(act.line)
    facts = {
        **{"table": act.table, "round": cycle.round, "seat": act.seat, "line": line.label, "pays": line.pays},
        **checked_cards(state, act, line),
        "game_digest": state.game_digest,
    }
    if line.is_share:
        return _hold_share(state, act, line, facts)
    return (_hold_pay if state.setup.takes_card(line) else _pay_fixed)(state, act, line, facts)


def _hold_share(state: LinkState, act: EnterHand, line: Line, facts: dict[str, Any]) -> Decision:
    number, share = state.book.entries + 1, str(line.pay.share)
    new = Award(number, act.table, facts["round"], act.seat, line.label, line.pay.meter, share, act.by.person)
    moves = state.inside()
    game = game_of(state, moves, act.table, act.law)
    taken = _settled(state, moves, game, [*state.of_round(act.table), new])
    facts |= game.facts
    later = _confirmed_behind(state, new)
    if later:
        facts = {**facts, "confirmed_before_it": later}
    return Decision(EntryKind.ENTER, {**facts, **_held(taken)}, moves.transfers)


def _confirmed_behind(state: LinkState, new: Award) -> list[int]:
    """Seats of the same meter that a card has confirmed, though they come after this one."""
    if state.setup.order is not AwardOrder.DEALERS_RIGHT:
        return []
    seats = state.tables[new.table].entered.items()
    shares = {seat: state.setup.lines[hand.line] for seat, hand in seats if hand.final and not hand.fixed}
    level = {seat: line.pay.meter for seat, line in shares.items()}
    return sorted(seat for seat, name in level.items() if name == new.level and seat < new.seat)


def _hold_pay(state: LinkState, act: EnterHand, line: Line, facts: dict[str, Any]) -> Decision:
    """A fixed pay that waits for a card: its parts of the meters are locked in style A; the tray keeps it till then."""
    number, (table, round_) = state.book.entries + 1, (act.table, facts["round"])
    new = Award(number, table, round_, act.seat, line.label, "", "0", act.by.person, line.cents, parts=())
    if state.setup.style is Style.SHARES_ONLY:
        return Decision(EntryKind.ENTER, {**facts, **_held(Taken([new]))})
    moves = state.inside()
    new = replace(new, parts=tuple(MeterPart(*part, 0) for part in parts_of(state.setup, line.cents).items()))
    game = game_of(state, moves, table, act.law)
    taken = _settled(state, moves, game, [*state.of_round(table), new])
    return Decision(EntryKind.ENTER, {**facts, **game.facts, **_held(taken)}, moves.transfers)


def _pay_fixed(state: LinkState, act: EnterHand, line: Line, facts: dict[str, Any]) -> Decision:
    """From the tray, or in style A from the meters; what a meter lacks the house pays, and that is an alarm."""
    moves = state.inside()
    facts = {**facts, "cents": line.cents, "parts": []}
    if state.setup.style is Style.SHARES_ONLY:
        moves.move(TRAY, PLAYERS, line.cents * UNITS_PER_CENT)
        return Decision(EntryKind.PAY, facts, moves.transfers)
    game, wanted = game_of(state, moves, act.table, act.law), parts_of(state.setup, line.cents)
    taken = _settled(state, moves, game, state.of_round(act.table), {act.seat: wanted})
    facts |= {"parts": plain(taken.parts.pop(act.seat)), **game.facts, **_held(taken)}
    return Decision(EntryKind.PAY, facts, moves.transfers)


_LAWS: Mapping[int, Callable[[LinkState, Moves, Game, Sequence[Award], FixedPays], Taken]] = {
    1: settle_game_earlier,
    2: settle_game,
    3: settle_game,
    LAW: settle_game,
}


def _settled(
    state: LinkState, moves: Moves, game: Game, awards: Sequence[Award], fixed: FixedPays | None = None
) -> Taken:
    """The game with these awards and with changes to its paid fixed pays, by the law under which it began."""
    return _LAWS[game.law](state, moves, game, awards, fixed or {})


def _held(taken: Taken) -> dict[str, Any]:
    """What an entry says of the hands that it holds, with an alarm where something is not as it should be."""
    facts: dict[str, Any] = {"held": [award.as_json() for award in taken.awards]} if taken.awards else {}
    if taken.parts:
        facts["fixed_parts"] = {str(seat): plain(parts) for seat, parts in taken.parts.items()}
    if any(not award.cents for award in taken.awards):
        facts["alarm"] = "A meter is empty: an award of nothing is held."
    if taken.lent:
        facts["alarm"] = "Awards at other tables had used the meter: the house has added what was missing."
    if taken.dry:
        facts["alarm"] = f"{', '.join(taken.dry)} ran dry: the house has added what was missing."
    return facts


def entered(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    fixed, cards = not state.setup.lines[facts["line"]].is_share, facts.get("cards", "")
    hand = Entered(facts["line"], entry.number, fixed=fixed, cards=cards)
    state.tables[facts["table"]].entered[facts["seat"]] = hand
    _locked(state, facts)


def paid_fixed(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    parts, cards = _parts(facts["parts"]), facts.get("cards", "")
    hand = Entered(facts["line"], entry.number, fixed=True, cents=facts["cents"], parts=parts, cards=cards)
    state.tables[facts["table"]].entered[facts["seat"]] = hand
    _locked(state, facts)


def _parts(values: Sequence[Any]) -> tuple[MeterPart, ...]:
    return tuple(read_record(MeterPart, part) for part in values)


def _locked(state: LinkState, facts: Any) -> None:
    """Take the awards as they were locked; those of one round stand in the order in which they are taken."""
    cycle = state.tables[facts["table"]]
    for held in map(Award.of_json, facts.get("held", ())):
        state.awards.pop(held.award, None)
        state.awards[held.award] = held
    for seat, parts in facts.get("fixed_parts", {}).items():
        cycle.entered[int(seat)] = replace(cycle.entered[int(seat)], parts=_parts(parts))
    if "stood" in facts:
        cycle.law = state.law = facts.get("law", 1)
        cycle.stood = {level: read_record(Stand, stood) for level, stood in facts["stood"].items()}
    state.forget_stood(facts["table"])


# A hand is taken back, or its award voided


def take_back(state: LinkState, act: TakeBackHand) -> Decision:
    """Pressing the hand again turns it off: everything it moved goes back."""
    cycle = state.game(act.table)
    if act.seat not in cycle.entered:
        raise refusal(No.NOTHING_ENTERED, seat=act.seat, table=act.table)
    hand = cycle.entered[act.seat]
    if hand.final:
        raise refusal(No.FINAL, seat=act.seat, table=act.table)
    if hand.award in state.awards:
        award = state.awards[hand.award]
        if award.called:
            raise refusal(No.CALLED, seat=act.seat, table=act.table)
        return _release(EntryKind.TAKE_BACK, state, award, {})
    facts = {"award": hand.award, "table": act.table, "round": cycle.round, "seat": act.seat, "line": hand.line}
    moves = state.inside()
    if state.setup.style is Style.SHARES_ONLY:
        moves.move(PLAYERS, TRAY, hand.cents * UNITS_PER_CENT)
        return Decision(EntryKind.UNPAY, {**facts, "cents": hand.cents}, moves.transfers)
    taken = _settled(state, moves, game_of(state, moves, act.table), state.of_round(act.table), {act.seat: {}})
    return Decision(EntryKind.UNPAY, {**facts, "cents": hand.cents, **_held(taken)}, moves.transfers)


def void(state: LinkState, act: VoidAward) -> Decision:
    award = state.award(act.award)
    return _release(EntryKind.VOID, state, award, {"reason": reason_given(act.reason)})


def _release(kind: EntryKind, state: LinkState, award: Award, facts: dict[str, Any]) -> Decision:
    """The amount goes back, and what came after it in its game is locked again."""
    now, moves, taken = state.of_round(award.table), state.inside(), Taken()
    if award.parts != ():
        left = [other for other in now if other.award != award.award]
        taken = _settled(state, moves, game_of(state, moves, award.table), left)
    since = [str(other.award) for other in _locked_since(state, award)]
    facts = {**_named(award), **facts, **_held(taken)}
    if since:
        facts["alarm"] = f"Awards locked at other tables meanwhile stay as they are: {', '.join(since)}."
    return Decision(kind, facts, moves.transfers)


def _locked_since(state: LinkState, award: Award) -> list[Award]:
    """Undecided awards of other tables on what this one had left of the meter."""
    others = (other for other in state.awards.values() if other.table != award.table and other.award > award.award)
    levels = {award.level} if award.is_share else {part.level for part in award.parts or ()}
    return [other for other in others if any(_is_on(other, level) for level in levels)]


def _is_on(award: Award, level: str) -> bool:
    """Whether an award takes something from a level."""
    return award.level == level if award.parts is None else any(part.level == level for part in award.parts)


def released(state: LinkState, entry: Entry) -> None:
    facts = entry.facts
    del state.awards[facts["award"]]
    _answered(state, facts["table"])
    unpaid(state, entry)


def unpaid(state: LinkState, entry: Entry) -> None:
    del state.tables[entry.facts["table"]].entered[entry.facts["seat"]]
    _locked(state, entry.facts)


# A supervisor comes, and a card decides


def call(state: LinkState, act: CallSupervisor) -> Decision:
    cycle = state.game(act.table)
    listed = state.in_line(act.table) if cycle.law >= IN_LINE else state.of_round(act.table)
    awards = [award.award for award in listed]
    if not awards:
        raise refusal(No.NOTHING_TO_CONFIRM, table=act.table)
    return Decision(EntryKind.CALL, {"table": act.table, "round": cycle.round, "awards": awards})


def called(state: LinkState, entry: Entry) -> None:
    for number in entry.facts["awards"]:
        state.awards[number] = replace(state.awards[number], called=True)
    table, waits = entry.facts["table"], state.calls.get(entry.facts["table"])
    if waits is None or waits.taken_by:  # called again while nobody has come: it is as old as it was
        state.calls[table] = TableCall(entry.number, entry.at, entry.facts["by"][0])


def take_call(state: LinkState, act: TakeCall) -> Decision:
    """One person takes it; a second one is told who has."""
    state.linked(act.table)
    waits = state.calls.get(act.table)
    if waits is None:
        raise refusal(No.NO_CALL, table=act.table)
    if waits.taken_by:
        raise refusal(No.CALL_TAKEN, table=act.table, person=waits.taken_by)
    facts = {"table": act.table, "round": state.cycle(act.table).round, "call": waits.entry}
    return Decision(EntryKind.TAKE_CALL, facts)


def call_taken(state: LinkState, entry: Entry) -> None:
    table = entry.facts["table"]
    state.calls[table] = replace(state.calls[table], taken_by=entry.facts["by"][0], taken_at=entry.at)


def _answered(state: LinkState, table: int) -> None:
    """A call is over when a card has decided every award that it was for."""
    if not any(award.called for award in state.of_round(table)):
        state.calls.pop(table, None)


def confirm(state: LinkState, act: Confirm) -> Decision:
    """A Supervisor's card up to the threshold, an Executive's above it.

    What comes off a meter is decided in the order of the link, over all meters of the game: from the dealer's right. A
    fixed pay from the tray waits for nobody.
    """
    award = state.award(act.award)
    for other in _before(state, award):
        raise refusal(No.OUT_OF_ORDER, first=other.seat, seat=award.seat, table=award.table)
    if act.cents not in (None, award.cents):
        seen, amount = dollars(act.cents or 0), dollars(award.cents)
        raise refusal(No.OTHER_AMOUNT, seat=award.seat, table=award.table, amount=amount, seen=seen)
    threshold = state.setup.executive_threshold_cents
    needed = authority.confirming(award.cents, executive_above_cents=threshold)
    authority.require(act.by.role, needed, f" of {dollars(threshold)}")
    if act.by.person == award.entered_by:
        raise authority.denied(authority.Denied.SAME_PERSON, power=needed, person=act.by.person)
    moves = state.inside()
    facts = {**award.as_json(), "threshold_cents": threshold, "game_digest": state.game_digest}
    facts |= {"form": act.form} if act.form > 1 else {}
    if award.is_share:
        moves.move(Account(Purpose.PENDING, award.level), PLAYERS, award.units)
        facts["shown_cents"] = state.shown_cents(award.level)
    elif award.parts:
        for part in award.parts:
            moves.move(Account(Purpose.PENDING, part.level), PLAYERS, part.units)
    else:
        moves.move(TRAY, PLAYERS, award.units)
    return Decision(EntryKind.CONFIRM, facts, moves.transfers)


IN_LINE = 4
"""From this law on, the order goes over all meters of a game; before, each meter was decided by itself."""


def _before(state: LinkState, award: Award) -> Iterable[Award]:
    """Undecided hands that are decided before it."""
    if state.tables[award.table].law < IN_LINE:
        return _before_on_its_meter(state, award) if award.is_share else ()
    if award.parts == ():
        return ()
    off_meters = (other for other in state.in_line(award.table) if other.parts != ())
    return takewhile(lambda other: other != award, off_meters)


def _before_on_its_meter(state: LinkState, award: Award) -> Iterator[Award]:
    """By the laws before: undecided hands that are taken from a share's meter before it."""
    shares = (other for other in state.of_round(award.table) if other.is_share and other.level == award.level)
    yield from takewhile(lambda other: other != award, shares)
    for other in state.of_round(award.table):
        first = state.setup.order is AwardOrder.ENTRY or other.seat > award.seat
        if not other.is_share and first and _is_on(other, award.level):
            yield other


def confirmed(state: LinkState, entry: Entry) -> None:
    award = state.awards.pop(entry.facts["award"])
    _answered(state, award.table)
    cycle = state.tables[award.table]
    if not award.is_share:
        paid = replace(cycle.entered[award.seat], final=True, cents=award.cents, parts=award.parts or ())
        cycle.entered[award.seat] = paid
        return
    cycle.stood[award.level] = cycle.stood[award.level].after(award)
    for seat, hand in cycle.entered.items():
        if hand.parts and (state.setup.order is AwardOrder.ENTRY or seat > award.seat):
            cycle.entered[seat] = replace(hand, counted=(*hand.counted, award.level))
    cycle.entered[award.seat] = replace(cycle.entered[award.seat], final=True, cents=award.cents)


def _named(award: Award) -> dict[str, Any]:
    """Which award, for whoever reads the entry alone."""
    names = ("award", "table", "round", "seat", "line", *(("level",) if award.is_share else ()), "cents")
    return {name: getattr(award, name) for name in names}


# The cage: a jackpot slip is issued for a confirmed award, and paid.
#
# No money moves here: the card has moved it, from the meter to the players. An award has one slip, and a slip is paid
# once, by somebody who did not confirm the award. One that was put right or backed out since has the papers of that.
# Awards of books from before there were slips (their `confirm` has no `form`) have none.

WHO = frozenset({"tax-slip", "withholding", "currency-report"})
"""What a checklist may call for that takes a player's identity."""


def issue_slip(state: LinkState, act: IssueSlip) -> Decision:
    if act.award not in state.payable:
        raise refusal(No.NO_SLIP_FOR, award=act.award)
    won = state.payable[act.award]
    if won.slip:
        raise refusal(No.HAS_SLIP, award=act.award, slip=won.slip)
    _check_as_confirmed(state, act.award, won)
    facts = {
        **{"slip": len(state.slips) + 1, "award": act.award, "table": won.table, "seat": won.seat, "line": won.line},
        **{"cents": won.cents, "withheld_cents": won.withheld_cents, "asks": list(won.asks)},
        "confirmed": won.digest,
    }
    return Decision(EntryKind.ISSUE_SLIP, facts)


def pay_slip(state: LinkState, act: PaySlip) -> Decision:
    if act.slip not in state.slips:
        raise refusal(No.NO_SUCH_SLIP, slip=act.slip)
    slip = state.slips[act.slip]
    if slip.paid:
        raise refusal(No.SLIP_PAID, slip=act.slip)
    won = state.payable[slip.award]
    _check_as_confirmed(state, slip.award, won)
    if act.by.person == won.confirmed_by:
        others = authority.listed(authority.roles_for(act.needs))
        raise authority.denied(authority.Denied.OWN_AWARD, others=others)
    if won.asks and act.identity is None:
        raise refusal(No.IDENTITY_NEEDED, slip=act.slip, asks=", ".join(won.asks).replace("-", " "))
    facts = {
        **{"slip": act.slip, "award": slip.award, "table": won.table, "cents": won.cents},
        **{"withheld_cents": won.withheld_cents, "paid_cents": won.cents - won.withheld_cents},
        **{"paid_in": str(act.paid_in), "identity": str(act.identity) if act.identity else ""},
    }
    return Decision(EntryKind.PAY_SLIP, facts)


def _check_as_confirmed(state: LinkState, award: int, won: Payable) -> None:
    """What a card has confirmed may be put right, or backed out, at any time after it."""
    if not state.as_confirmed(award):
        raise refusal(No.PUT_RIGHT, award=award, was=dollars(won.cents))


# What becomes of a slip


def made_payable(state: LinkState, entry: Entry) -> None:
    """From now on a slip can be issued for it, with what its checklist asked for."""
    facts = facts_of(ConfirmFacts, entry)
    if "form" not in facts:
        return
    items = facts.get("notes", {}).get("checklist", ())
    state.payable[facts["award"]] = Payable(
        *(facts["table"], facts["seat"], facts["line"], facts["cents"]),
        *(entry.facts["by"][0] if "by" in entry.facts else "", entry.digest),
        asks=tuple(item["call"] for item in items if item["call"] in WHO),
        withheld_cents=sum(_withheld(item) for item in items),
    )
    state.follow_payment(facts["award"])


def _withheld(item: Mapping[str, Any]) -> int:
    return int(item.get("cents", 0)) if item["call"] == "withholding" else 0


def slip_issued(state: LinkState, entry: Entry) -> None:
    facts = facts_of(IssueSlipFacts, entry)
    number, award = facts["slip"], facts["award"]
    state.slips[number] = Slip(award)
    state.payable[award] = state.payable[award]._replace(slip=number)


def slip_paid(state: LinkState, entry: Entry) -> None:
    number = facts_of(PaySlipFacts, entry)["slip"]
    state.slips[number] = state.slips[number]._replace(paid=True)
    state.follow_payment(state.slips[number].award)
