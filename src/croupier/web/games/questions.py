"""What the API asks about the games, each answered in a process that counts. Arguments and answers are plain values."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.errors import NotationError
from croupier.files import replaced
from croupier.games.catalogue import ALL_GAMES, find_any_game, is_own
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager, approved_paytable
from croupier.program import program

if TYPE_CHECKING:
    from croupier.analysis.blackjack.question import Asked

LONGEST_PAYTABLE = 4_000
OWN = "own"
TRAFFIC = ("seats", "rounds_per_hour", "hours_per_day")
"""How busy tables are, as an outlook may be asked for it."""
Query = tuple[tuple[str, Any], ...]
"""What was asked, by name, in order."""


def find_paytable(wager: Wager, text: str) -> Paytable:
    """An approved paytable by its ID, or one's own in rows: `Royal Flush 100 to 1; Straight Flush 40 to 1`."""
    if text in wager.paytables or not re.search(r"[\n;]| (to|for) \d", text):
        return approved_paytable(wager, text)
    if len(text) > LONGEST_PAYTABLE:
        raise NotationError(f"A paytable has at most {LONGEST_PAYTABLE:,} characters.")
    paytable = Paytable.parse(OWN, text)
    wager.prices(paytable)
    return paytable


def odds(game: str, query: Query) -> Any:
    """In the JSON form of `croupier odds`."""
    from croupier.analysis.analyst import analyst_of

    asked, options = _question(query)
    return analyst_of(find_any_game(game).with_options(options)).odds(asked, find_paytable)


def edge(game: str, rules: str) -> dict[str, Any]:
    """The house edge of a game's first wager under these rules, as it is offered: counted before, or now."""
    from croupier.analysis.par.edges import count_edge, edge_counted_before

    meant = find_any_game(game).under(rules)
    before = None if is_own(game) else edge_counted_before(meant)
    return {"game": game, **(before or count_edge(meant, find_paytable))}


def _kept_file(*about: str) -> Path | None:
    """In the user's own cache, by the program that counts: another one counts anew."""
    from croupier.analysis.kernels.table_cache import cache_directory

    folder = cache_directory(os.environ)
    named = hashlib.sha256("\n".join((program().digest, *about)).encode()).hexdigest()
    return folder.parent / "edges" / f"{named}.json" if folder else None


def _read_kept(file: Path | None) -> dict[str, Any] | None:
    with suppress(OSError, ValueError):
        told = json.loads(file.read_text(encoding="utf-8")) if file else None
        return told if isinstance(told, dict) else None
    return None


def _write_kept(file: Path | None, told: dict[str, Any]) -> None:
    """Where it cannot be kept it is counted again."""
    if file is None:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with replaced(file) as draft:
            draft.write(json.dumps(told).encode())


def _question(query: Query) -> tuple[Asked, tuple[str, ...]]:
    """What was asked, and under which house options."""
    from croupier.analysis.blackjack.question import Asked

    values = dict(query)
    options: tuple[str, ...] = values.pop("options", ())
    return Asked(**values), options


def _par(game: str, query: Query) -> Any:
    from croupier.analysis.analyst import analyst_of
    from croupier.compliance.approval import shipped_register

    asked, options = _question(query)
    return analyst_of(find_any_game(game).with_options(options)).par(asked, shipped_register(), find_paytable)


def par_json(game: str, query: Query) -> Any:
    return _par(game, query).as_json()


FIGURES = ("rules", "left_out", "sheets", "strategies")


def figures(game: str, query: Query) -> Any:
    """Of the PAR sheet what players look up, without what makes it a file of the house: approval, version, digest."""
    return {key: value for key, value in par_json(game, query).items() if key in FIGURES}


def par_pdf(game: str, query: Query) -> bytes:
    pdf: bytes = _par(game, query).as_pdf()
    return pdf


def verify(game: str = "") -> dict[str, Any]:
    """Every printed or published figure, of one game or of all, beside the counted one."""
    told = [_verified(find_any_game(key)) for key in ([game] if game else ALL_GAMES)]
    return {
        "explained": all(game["explained"] for game in told),
        "figures": [figure for game in told for figure in game["figures"]],
    }


def _verified(game: TableGame) -> dict[str, Any]:
    """Those of one game: counted once and kept on disk."""
    from croupier.analysis.par.printed import verify_figures

    kept = None if is_own(game.key) else _kept_file("verify", game.key)
    told = _read_kept(kept)
    if told is None:
        findings = verify_figures([game])
        told = {
            "explained": all(finding.explained for finding in findings),
            "figures": [finding.as_json() for finding in findings],
        }
        _write_kept(kept, told)
    return told


def hint(record: str) -> dict[str, Any]:
    """What each decision is worth in the round of this record, from what everybody sees of it."""
    from croupier.analysis.analyst import hints_for
    from croupier.games.table.record import read_any_record

    round_ = read_any_record(record)
    told = hints_for(round_)
    return told | {"seats": [{**seat, "unit_cents": _unit_cents(round_, seat)} for seat in told["seats"]]}


def _unit_cents(round_: Any, counted: dict[str, Any]) -> int:
    """What values are counted per unit of: the chips on the hand that decides, or the game's first wager."""
    place, hands = counted.get("hand", 1) - 1, round_.hands(counted["seat"])
    on_hand = hands[place].more.get("bet_cents") if place < len(hands) else None
    first: int = round_.seats[counted["seat"]].wagers.get(round_.offering.game.betting_spots[0], 0)
    return int(on_hand or first)


NOT_ALL_COUNTED = "Not every decision of this round is counted."


def review(record: str) -> dict[str, Any]:
    """Every decision of a round that is over: what it was worth, what the best one was, and what the difference cost.

    Each is counted from what everybody saw when it was made. What no count knows is left out, and said.
    """
    from croupier.analysis.analyst import hints_for
    from croupier.games.table.legal import legal_acts
    from croupier.games.table.record import read_any_record

    over = read_any_record(record)
    before, decisions, sentence = over.offering.open(over.opening_shoe), [], ""
    for act in over.acts:
        asked = [legal for legal in legal_acts(before) if legal.seat in before.waits_for and legal.key]
        taken = next(
            (legal for legal in asked if legal.act.name == act.name and legal.seat == getattr(act, "seat", None)), None
        )
        if taken is not None:
            told = hints_for(before)
            decision = _decided(before, act, told, {str(legal.act): legal.label or legal.words for legal in asked})
            decisions += decision
            sentence = sentence or told["sentence"] or ("" if decision else NOT_ALL_COUNTED)
        before = before.do(act)
    return {"decisions": decisions, "sentence": sentence}


def _decided(before: Any, act: Any, told: dict[str, Any], labels: dict[str, str]) -> list[dict[str, Any]]:
    """The seat's decision as it was counted; nothing where it was not among those that were.

    Where an amount is chosen, one was counted, and every cent more or less is worth the same.
    """
    done, amount = str(act), getattr(act, "cents", None)
    for seat in told["seats"]:
        taken = next((option for option in seat["decisions"] if option["act"] == done), None)
        more = 0.0
        if taken is None and amount is not None:
            kind = [act.name, str(seat["seat"])]
            ways = (option for option in seat["decisions"] if "cents" in option and option["act"].split()[:2] == kind)
            taken = next(ways, None) if getattr(act, "seat", None) == seat["seat"] else None
            more = (amount - taken["cents"]) * taken["value_of_a_cent"] if taken else 0.0
        if taken is None:
            continue
        unit = _unit_cents(before, seat)
        values = [{**option, "label": labels.get(option["act"], option["act"])} for option in seat["decisions"]]
        fields = {"seat": seat["seat"], "hand": seat.get("hand", 1), "taken": taken["act"]}
        fields |= {"label": labels.get(taken["act"], done)}
        fields |= {"events": len(before.events), "unit_cents": unit, "given": told["given"], "decisions": values}
        cost = taken["cost"] - (more / unit if more else 0)
        return [fields | {"cost": cost, "cost_cents": cost * unit, "best": values[0]["label"]}]
    return []


def expected(record: str) -> dict[str, Any]:
    """What the wagers of a settled round were worth, by the exact edge of each."""
    from croupier.analysis.analyst import expected_of
    from croupier.games.table.record import read_any_record

    return expected_of(read_any_record(record))


def check_sample(query: Query) -> None:
    """Refuse a simulation that could not be run, before it waits for its turn."""
    from croupier.analysis.simulation.request import Sample
    from croupier.analysis.simulation.request import check_sample as check

    check(Sample(**dict(query)), find_paytable)


def plan(settings: Query, seed: int, histories: int | None) -> dict[str, Any]:
    """What formulas say about a progressive; and that the rest can be simulated."""
    from croupier.analysis.meter.figures import figures_of
    from croupier.analysis.meter.settings import plan_from, settings_of
    from croupier.analysis.meter.simulation import check_length, check_run
    from croupier.analysis.meter.warnings import warnings_of

    planned = plan_from(settings_from(settings), find_paytable)
    check_run(seed, histories)
    check_length(planned, histories)
    return {
        "plan": settings_of(planned),
        "warnings": [warning.as_json() for warning in warnings_of(planned)],
        "figures": [figure.as_json() for figure in figures_of(planned, None)],
    }


def funding(wager: str, paytable: str, decks: int, wager_cents: int) -> dict[str, Any] | None:
    """What the form of a new link is filled with; nothing where nobody knows better than the house."""
    from croupier.analysis.meter.proposal import proposed_funding
    from croupier.games.blackjack.side_wagers import PROGRESSIVES
    from croupier.games.wager import approved_paytable

    chosen = PROGRESSIVES[wager]
    proposed = proposed_funding(chosen, paytable, approved_paytable(chosen, paytable), decks)
    return proposed.as_json(wager_cents) if proposed else None


def ahead(settings: Query) -> dict[str, Any]:
    """Where the meters of a plan may stand, day by day, from their seeds on."""
    from croupier.analysis.meter import outlook as meter_outlook
    from croupier.analysis.meter.settings import plan_from

    planned = plan_from(settings_from(settings), find_paytable)
    return meter_outlook.outlook(
        planned,
        {level.meter: level.seed_cents for level in planned.levels},
        {level.meter: 0 for level in planned.levels},
    )


def outlook(setup: str, meters: tuple[int, ...], reserves: tuple[int, ...], traffic: Query) -> dict[str, Any]:
    """A link from where its meters stand: the next wager's worth, break-even, times, and bands ahead."""
    from dataclasses import replace
    from fractions import Fraction

    from croupier.analysis.meter import outlook as meter_outlook
    from croupier.floor.link.checks import plan_of
    from croupier.floor.link.setup import LinkSetup

    link_setup = LinkSetup.of_json(json.loads(setup))
    values = dict(traffic)
    if "hours_per_day" in values:
        values["hours_per_day"] = Fraction(values["hours_per_day"])
    named = [level.level for level in link_setup.levels]
    plan = replace(plan_of(link_setup), **values)
    return meter_outlook.outlook(
        plan, dict(zip(named, meters, strict=True)), dict(zip(named, reserves, strict=True))
    ) | {"traffic": {name: float(getattr(plan, name)) for name in ("tables", *TRAFFIC)}}


def worth(setup: str, meters: tuple[int, ...]) -> dict[str, Any]:
    """The next wager of a link with its meters where they stand; where it is good for players, the count that tells
    when: the best one with tags of -1, 0 and 1, by the exact effects of removal at these meters."""
    from croupier.analysis.meter import outlook as meter_outlook
    from croupier.floor.link.checks import plan_of
    from croupier.floor.link.setup import LinkSetup

    link_setup = LinkSetup.of_json(json.loads(setup))
    plan, standing = plan_of(link_setup), dict(zip([level.level for level in link_setup.levels], meters, strict=True))
    answer = meter_outlook.worth(plan, standing)
    good = answer["in_favor_of"] == "player"
    return answer | {"count": _simple_count(plan, meter_outlook.in_wagers(plan, standing)) if good else None}


def _simple_count(plan: Any, standing: dict[str, Any]) -> dict[str, Any]:
    from croupier.analysis.blackjack.side.census import make_side_sheet
    from croupier.games.blackjack.game import BLACKJACK

    game = BLACKJACK.under("", plan.decks)
    sheet = make_side_sheet(game, plan.wager, plan.paytable_id, plan.paytable, plan.decks, meters=standing)
    effects = _effects(game, sheet)
    count = next(effects.simple())
    index = effects.index(count, plan.decks)
    return {"tags": count.in_words, "correlation": effects.correlation(count), "good_from": index}


def settings_from(query: Query) -> dict[str, Any]:
    """Amounts by meter come as pairs, because a question's arguments do not change."""
    return {key: dict(value) if isinstance(value, tuple) else value for key, value in query}


# What the lab asks, answered in a process that counts: a paytable, and up to three others, as they stand on the page.


def lab(asked: str) -> dict[str, Any]:
    """Every figure of up to four paytables, how sessions end with them, and what was looked for."""
    from croupier.analysis.lab.paytable import Bench, differences, one_more, table_as_json
    from croupier.analysis.lab.sessions import spread

    values = json.loads(asked)
    if is_bet(values["game"], values["wager"]):
        return _bet(find_any_game(values["game"]), values)
    bench = Bench(_game(values), _game(values).wager(values["wager"]), values["strategy"])
    sheets = [bench.sheet(_asked(values, table), find_paytable) for table in values["tables"]]
    less = [differences(sheets[0], other) for other in sheets[1:]]
    return {
        "game": bench.game.key,
        "wager": bench.wager.key,
        "options": list(bench.game.options_read),
        "tables": [table_as_json(sheet) for sheet in sheets],
        "differences": less[0] if len(sheets) == 2 else None,
        "less_the_others": less,
        "one_more": one_more(bench, _asked(values, values["tables"][0]), find_paytable)
        if values.get("one_more")
        else None,
        "sessions": spread([sheet.figures for sheet in sheets], values["rounds"]),
        "found": _found(bench, values, sheets[0]) if values["find"] else None,
    }


def vulnerability(asked: str) -> dict[str, Any]:
    """What every card that is gone does to the first paytable, exactly, and from which true count on it is good."""
    from croupier.analysis.lab.paytable import Bench

    values = json.loads(asked)
    game = _game(values)
    if not game.placard:
        raise NotationError(f"{game.title} is dealt from fresh cards each round: counting tells nothing.")
    sheet = Bench(game, game.wager(values["wager"]), values["strategy"]).sheet(
        _asked(values, values["tables"][0]), find_paytable
    )
    effects = _effects(game, sheet)
    return {
        **effects.as_json(),
        "counts": [
            {
                "count": count.name,
                "tags": count.in_words,
                "correlation": effects.correlation(count),
                "good_from": effects.index(count, game.rules.decks),
            }
            for count in effects.counts
        ],
    }


def _effects(game: Any, sheet: Any) -> Any:
    from croupier.analysis.vulnerability.effects import effects_of
    from croupier.analysis.vulnerability.shoes import expected_from

    return effects_of(lambda copies: expected_from(sheet, game.rules, copies), game.rules.decks)


def is_bet(game: str, wager: str) -> bool:
    """The wager that has rules in place of a paytable, which take seconds to count."""
    known_game = find_any_game(game)
    return known_game.by_rules(known_game.wager(wager))


def _bet(game: TableGame, values: dict[str, Any]) -> dict[str, Any]:
    from croupier.analysis.lab import placard
    from croupier.analysis.lab.paytable import read_wanted
    from croupier.analysis.lab.sessions import spread_of_laws
    from croupier.games.blackjack.game import of_the_family

    if values["rules"] or values["decks"] is not None or any(_money(table) for table in values["tables"]):
        raise NotationError("The Bet has its rules in place of a paytable, decks too: '6D S17 DAS SP4 3:2'.")
    strategy, find = values["strategy"], values["find"]
    if find and find["what"] != "pay":
        raise NotationError(f"The Bet has no meter, so it has no {find['what']} to find.")
    sheets = [placard.bet_sheet(of_the_family(game), table["paytable"], strategy) for table in values["tables"]]
    less = [placard.bet_differences(sheets[0], other) for other in sheets[1:]]
    return {
        "game": values["game"],
        "wager": values["wager"],
        "tables": [placard.bet_table_as_json(sheet) for sheet in sheets],
        "differences": less[0] if len(sheets) == 2 else None,
        "less_the_others": less,
        "one_more": placard.one_more_on_a_blackjack(sheets[0], strategy) if values.get("one_more") else None,
        "sessions": spread_of_laws([placard.law_of_bet(sheet) for sheet in sheets], values["rounds"]),
        "found": {**find, **placard.find_blackjacks_pay(sheets[0], strategy, find["name"], read_wanted(find["wanted"]))}
        if find
        else None,
    }


def _money(table: dict[str, Any]) -> bool:
    return bool(table["meters"] or table["seeds"] or table["contribution"])


def _game(values: dict[str, Any]) -> Any:
    game = find_any_game(values["game"]).under(values["rules"], values["decks"]).with_options(values.get("options", ()))
    if any(_money(table) for table in values["tables"]) and not any(wager.progressive for wager in game.wagers):
        raise NotationError(f"{game.title} takes no meters: it has no progressive wager.")
    return game


def _asked(values: dict[str, Any], table: dict[str, Any]) -> Any:
    from croupier.analysis.blackjack.question import Asked

    return Asked(
        rules=values["rules"],
        decks=values["decks"],
        wager=values["wager"],
        paytable=table["paytable"],
        meters=tuple(table["meters"]),
        seeds=tuple(table["seeds"]),
        contribution=table["contribution"],
    )


def _found(bench: Any, values: dict[str, Any], sheet: Any) -> dict[str, Any]:
    from croupier.analysis.lab.paytable import find_funding, find_pay, read_wanted

    what, name, wanted = (values["find"][key] for key in ("what", "name", "wanted"))
    share = read_wanted(wanted)
    if what == "pay":
        answer = find_pay(bench, _asked(values, values["tables"][0]), find_paytable, name, share)
    else:
        answer = find_funding(sheet, what, name, share)
    return {**values["find"], **answer}
