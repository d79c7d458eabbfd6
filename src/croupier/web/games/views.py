"""A round as JSON: what everybody at the table may see now, and nothing else.

Cards that lie face down are told by their number alone; the order of the shoe, its seed and the burned card come with
the replay, when the round is over and nothing more is dealt from its shoe.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from croupier.cards.card import Hand
from croupier.cards.shoe import verify_reveal
from croupier.games.money import dollars
from croupier.games.paytable import Kind
from croupier.games.rulebook import paragraphs
from croupier.games.table.act_forms import form_of
from croupier.games.table.bets import Bet, TakeBack, open_spots
from croupier.games.table.history import OVER, Event, History, Seat
from croupier.games.table.legal import least_cents, legal_acts, most_cents
from croupier.games.table.offering import TableOffering
from croupier.games.table.questions import Typed
from croupier.games.table.record import digest_of_rules, read_any_record, write_record
from croupier.games.table.settlement import Settlement
from croupier.games.table.shown import Legal, Off, Shown
from croupier.games.wager import Wager
from croupier.training.lesson import Lesson, Step
from croupier.web.errors import ApiError
from croupier.web.games.rounds import Opener, Standing


def state_as_json(standing: Standing, by: Opener) -> dict[str, Any]:
    """The round as it stands, for whoever looks at it: the same for all, but for whether they play it."""
    round_ = standing.round
    offering = round_.offering
    return {
        "round": standing.id,
        "yours": by.plays(standing.row),
        "game": offering.game.key,
        "title": offering.game.title,
        "rules": offering.placard,
        "rules_in_words": offering.in_words,
        "digest": digest_of_rules(round_),
        "commitment": round_.opening_shoe.commitment if round_.opening_shoe else None,
        "shoe": _shoe(round_),
        "seeded": standing.row.seeded,
        "number": len(standing.acts),
        "phase": round_.phase.value,
        "over": round_.is_over,
        "next": round_.what_is_next,
        "waits_for": list(round_.waits_for),
        "turn_hand": round_.turn_hand,
        "asks": round_.asks,
        "table": table_as_json(round_),
        "dealer": _dealer(round_),
        "board": _board(round_),
        "seats": [_seat(round_, number, seat) for number, seat in round_.seats.items()],
        "legal": [_legal(legal) for legal in legal_acts(round_)],
        "off": [_off(legal) for legal in round_.off()],
        "events": [_event(event) | {"paragraph": round_.paragraph(event)} for event in round_.events],
        "settlements": settlements_as_json(round_),
        "staked_cents": round_.staked_cents,
        "returned_cents": round_.returned_cents,
    }


def _shoe(round_: History) -> dict[str, int | None] | None:
    """How far it is dealt, as anybody at the table sees it."""
    if round_.shoe is None or round_.opening_shoe is None:
        return None
    cards, before, now = len(round_.shoe.order), round_.opening_shoe.dealt, round_.shoe.dealt
    return {"cards": cards, "before": before, "now": now, "cut": round_.cut_place}


def asking_as_json(round_: History) -> dict[str, Any]:
    """What a seat sees that is asked: for a hand that is shown before anybody has opened its round."""
    return {
        "rules_in_words": round_.offering.in_words,
        "waits_for": list(round_.waits_for),
        "asks": round_.asks,
        "legal": [_legal(legal) for legal in legal_acts(round_)],
        **felt_as_json(round_),
    }


def left_as_json(standing: Standing) -> dict[str, Any]:
    """A round that somebody may want to go on with, or to give up."""
    round_ = standing.round
    return {
        "round": standing.id,
        "game": round_.offering.game.key,
        "title": round_.offering.game.title,
        "rules": round_.offering.placard,
        "opened": standing.row.opened.isoformat() + "Z",
        "number": len(standing.acts),
        "staked_cents": round_.staked_cents,
        "next": round_.what_is_next,
    }


def past_as_json(standing: Standing) -> dict[str, Any]:
    """A round that is over, in the list of whoever played it."""
    round_ = standing.round
    return {
        **left_as_json(standing),
        "returned_cents": round_.returned_cents,
        "net_cents": sum(round_.result_cents(seat) for seat in round_.seats),
        "seats": len(round_.seats),
        "cards": next((_shown(hand)["cards"] for seat in round_.seats for hand in round_.hands(seat)), []),
        "decided": any(
            getattr(act, "seat", None) in round_.seats and not isinstance(act, Bet | TakeBack) for act in round_.acts
        ),
    }


def steps_as_json(standing: Standing) -> dict[str, Any]:
    """The round as it stood after each of its lines, as everybody saw it then; the last one as it stands."""
    round_ = standing.round
    felts = [felt_as_json(felt) | {"settled": len(felt.settlements)} for felt in round_.felts()]
    return {
        "round": standing.id,
        "game": round_.offering.game.key,
        "title": round_.offering.game.title,
        "table": table_as_json(round_),
        "over": round_.is_over,
        "events": [_event(event) | {"paragraph": round_.paragraph(event)} for event in round_.events],
        "settlements": settlements_as_json(round_),
        "felts": felts[: len(round_.events)],
        "last": felt_as_json(round_),
    }


def felt_as_json(round_: History) -> dict[str, Any]:
    """The cards and the chips alone, for whoever has the table and the settlements already."""
    return {
        "dealer": _dealer(round_),
        "board": _board(round_),
        "seats": [_seat(round_, number, seat) for number, seat in round_.seats.items()],
        "settled": len(round_.settlements),
    }


def table_as_json(round_: History) -> dict[str, Any]:
    """What the felt has: every spot that this house offers, with its limits."""
    offering, chip = round_.offering, round_.offering.rounding.chip_cents
    open_now = open_spots(round_)
    return {
        "seats": offering.open_seats,
        "chip_cents": chip,
        "dealer_has_cards": round_.dealer_has_cards,
        "felt": offering.game.cloth.printed(offering.game.key, offering.game.title, offering.game.spots),
        "spots": [
            {
                "spot": key,
                "title": spot.title,
                "wager": wager.key,
                "paytable": _paytable_id(offering, wager),
                "before_deal": key in open_now,
                "laid_with": _laid_with(offering, key),
                "pays_beside": [(row.label, str(row.pay)) for row in offering.game.own_pays(key)],
                "progressive": wager.progressive,
                "least_cents": least_cents(offering, key),
                "most_cents": most_cents(offering, key),
            }
            for key, (wager, spot) in offering.game.spots.items()
            if wager.key not in offering.left_out
        ],
    }


def _laid_with(offering: TableOffering, spot: str) -> str | None:
    """The spot a bet on which lays chips here too; none where they come by a decision, or are the player's own."""
    game = offering.game
    return next((key for key in game.betting_spots if key != spot and spot in game.laid_with(key)), None)


def _paytable_id(offering: TableOffering, wager: Wager) -> str:
    """Of an approved one, by its rows: a round that was read from its record has no other name for it.

    Nothing where the house has pays of its own."""
    used = offering.paytable(wager.key)
    return next((name for name, table in wager.paytables.items() if table.rows == used.rows), "")


def _cards(hand: Hand) -> list[str]:
    return [str(card) for card in hand]


def _shown(shown: Shown) -> dict[str, Any]:
    halves = [{"half": half.half, "cards": _cards(half.cards), "words": half.words} for half in shown.halves]
    return {"cards": _cards(shown.cards), "words": shown.words, "halves": halves, **shown.more}


def _dealer(round_: History) -> dict[str, Any]:
    return _in_the_middle(round_, round_.dealers_hand)


def _board(round_: History) -> dict[str, Any] | None:
    return _in_the_middle(round_, round_.board) if round_.board else None


def _in_the_middle(round_: History, shown: Shown) -> dict[str, Any]:
    """The dealer's cards, or those that all share; what was never turned is told once the round has been played."""
    hidden = _cards(shown.hidden) if round_.phase == OVER else []
    return {**_shown(shown), "face_down": shown.face_down, "hidden": hidden}


def _seat(round_: History, number: int, seat: Seat) -> dict[str, Any]:
    return {
        "seat": number,
        "player": seat.player,
        "wagers_cents": dict(seat.wagers),
        "hands": [_shown(hand) for hand in round_.hands(number)],
        "decided": round_.decided(number),
        "gave_up": round_.gave_up(number),
        "result_cents": round_.result_cents(number),
    }


def _legal(legal: Legal) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "act": str(legal.act),
        "name": legal.act.name,
        "form": form_of(legal.act),
        "seat": legal.seat,
        "words": legal.words,
        "cost_cents": legal.cost_cents,
    }
    if legal.least_cents is not None:
        fields |= {"least_cents": legal.least_cents, "most_cents": legal.most_cents}
    if legal.key:
        fields |= {"key": legal.key, "advised_by": list(legal.advised_by), "label": legal.label, "detail": legal.detail}
        fields |= {"gives_up": legal.gives_up}
    if legal.spot:
        fields["spot"] = legal.spot
    return fields | ({"needs": legal.needs} if legal.needs else {})


def _off(off: Off) -> dict[str, Any]:
    told = {"name": off.name, "seat": off.seat, "key": off.key, "label": off.label, "gives_up": off.gives_up}
    return {**told, "code": off.why.code, "sentence": str(off.why)}


def _event(event: Event) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "text": event.text,
        "position": event.position,
        "cards": _cards(event.cards),
        "place": event.place or None,
        "face_down": event.face_down,
        "cents": event.cents,
    }


def settlements_as_json(round_: History) -> list[dict[str, Any]]:
    return [_settlement(settlement) | {"paragraph": settlement.cites} for settlement in round_.settlements]


def _settlement(settlement: Settlement) -> dict[str, Any]:
    return {
        "seat": settlement.seat,
        "spot": settlement.spot,
        "line": settlement.line,
        "pays": str(settlement.pay),
        "staked_cents": settlement.staked_cents,
        "free_cents": settlement.free_cents,
        "returned_cents": settlement.returned_cents,
        "commission_cents": settlement.commission_cents,
        "award": str(settlement.pay) if settlement.pay.kind is Kind.SHARE else None,
        "why": settlement.why,
        "hand": settlement.hand or None,
    }


def replay_as_json(standing: Standing) -> dict[str, Any]:
    """The whole round once it is over: its record, the shoe, and that both are what they were announced to be."""
    round_ = standing.round
    if not round_.is_over:
        raise ApiError(409, "not-over", f"The shoe is revealed when the round is over: {round_.what_is_next}.")
    record = write_record(round_)
    again = read_any_record(record)
    reveal, sentence = None, "The cards were entered by hand: there is no shoe to verify."
    if round_.shoe and round_.opening_shoe:
        reveal = round_.shoe.reveal()
        sentence = str(verify_reveal(reveal, round_.opening_shoe.commitment))
    return {
        "round": standing.id,
        "record": record,
        "acts": [act.act for act in standing.acts],
        "reveal": reveal,
        "commitment": round_.opening_shoe.commitment if round_.opening_shoe else None,
        "verified": again.settlements == round_.settlements
        and [*map(str, again.acts)] == [a.act for a in standing.acts],
        "sentence": sentence,
        "settlements": settlements_as_json(round_),
    }


# A lesson as JSON: the steps, and the felt as it lies before each of them.


def lesson_as_json(lesson: Lesson, only: Collection[int] | None = None) -> dict[str, Any]:
    """With all its questions, or with those of a drill alone; each has its place in the whole lesson."""
    round_ = lesson.round
    asked = [(place, step) for place, step in enumerate(lesson.steps) if only is None or place in only]
    places = sorted({*(step.at - 1 for _, step in asked), len(lesson.felts) - 1})
    cited = {step.paragraph for _, step in asked}
    return {
        "game": round_.offering.game.key,
        "title": round_.offering.game.title,
        "rules": round_.offering.placard,
        "seed": lesson.seed,
        "seats": lesson.seats,
        "table": table_as_json(round_),
        "felts": [felt_as_json(lesson.felts[place]) for place in places],
        "events": [event.text for event in round_.events],
        "settlements": settlements_as_json(round_),
        "steps": [_step(step, places.index(step.at - 1)) | {"place": place} for place, step in asked],
        "paragraphs": {
            number: paragraph for number, paragraph in _paragraphs(round_.offering.game.key).items() if number in cited
        },
    }


def _step(step: Step, felt: int) -> dict[str, Any]:
    return {
        "kind": step.kind.value,
        "at": step.at,
        "felt": felt,
        "ask": step.ask,
        "answers": list(step.answers),
        "right": _in_words(step),
        "paragraph": step.paragraph,
        "choices": [{"value": choice.value, "label": choice.label, "key": choice.key} for choice in step.choices],
        "typed": step.typed.value if step.typed else None,
        "seat": step.seat,
        "spot": step.spot or None,
        "hand": step.hand or None,
        "facts": step.facts,
        "sum": step.sum,
        "seen": [str(card) for card in step.seen],
    }


def _in_words(step: Step) -> str:
    if step.typed:
        return dollars(int(step.answers[0])) if step.typed is Typed.MONEY else step.answers[0]
    return " / ".join(choice.label for choice in step.choices if step.is_right(choice.value))


@cache
def _paragraphs(game: str) -> dict[str, dict[str, Any]]:
    """By number: the text, and the table or the list that belongs to it."""
    return {
        paragraph.number: {"text": paragraph.text, "table": paragraph.table, "list": _items(paragraph.more)}
        for paragraph in paragraphs(game)
    }


def _items(markdown: str) -> list[str]:
    return [line.partition(". ")[2] for line in markdown.splitlines() if line.partition(".")[0].isdigit()]
