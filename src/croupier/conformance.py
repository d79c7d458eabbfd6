"""The conformance kit: what every game that is written as a script keeps to, whatever its rules.

    for check in KIT:
        check(find_any_game("my-game"))        raises NotConforming, with one sentence

`croupier conform GAME` asks all of it; a test of a game's own calls it with `pytest.mark.parametrize`. What is asked
comes down to one thing: the table deals, settles, counts and samples the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, prod
from random import Random
from typing import Any, NamedTuple, cast

from croupier.analysis.analyst import analyst_of, counter_of, hints_for
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.script.counts import counting
from croupier.analysis.script.plain import Count, Position, Tree, one_seats_script
from croupier.analysis.simulation.job import BLOCK_ROUNDS
from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample
from croupier.cards.card import Hand, Suit
from croupier.cards.symmetry import CARDS, class_key
from croupier.compliance.approval import shipped_register
from croupier.errors import CroupierError, NotationError
from croupier.games.catalogue import check_definition
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.rulebook import paragraphs
from croupier.games.script.acts import Deal
from croupier.games.script.game import ScriptGame, Strategy, cards_of, flat_at
from croupier.games.script.language import SEAT, ByRanks, Choose, Deck, Seen
from croupier.games.script.language import Deal as DealStep
from croupier.games.script.round import ScriptRound
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.record import read_any_record, write_record
from croupier.games.wager import Outcome, Price, approved_paytable
from croupier.training.lesson import steps_of

Check = Callable[[ScriptGame], None]
STAKE = 600
"""In cents: the halves and thirds of it are whole. Where a commission is flat, it is the wager that its row names."""
LIVE_ROUNDS, HANDS, MOST_TINY_DEALS, SLOW_ROUNDS = 25, 400, 6_000, 3_000
STANDARD_ERRORS = 5


class NotConforming(CroupierError):
    """Where a game is not one and the same at the table, in its count and on paper."""


def _must(holds: object, sentence: str) -> None:
    if not holds:
        raise NotConforming(sentence)


def stake_of(game: ScriptGame) -> int:
    """What is bet on every spot: figures with a flat commission are for one wager."""
    return next(iter(flat_at(game)), STAKE)


# Rounds at random


def live_rounds(game: ScriptGame) -> Iterator[ScriptRound]:
    """Whole rounds from sealed shoes, every seat with every wager, whose players choose at random."""
    for number in range(LIVE_ROUNDS):
        chance = Random(f"{game.key} {number}")
        offering = game.offer()
        round_: History = offering.open(offering.fresh_shoe(f"{game.key} conformance {number}"))
        for seat in range(1, chance.randint(1, game.seats) + 1):
            for spot in game.betting_spots:
                round_ = round_.do(Bet(seat, spot, stake_of(game)))
        round_ = round_.do(round_.no_more_bets)
        while not round_.is_over:
            round_ = _goes_on(round_, chance)
        yield cast(ScriptRound, round_)


def _goes_on(round_: History, chance: Random) -> History:
    if round_.next_by_dealer is not None:
        return round_.do(round_.next_by_dealer)
    _must(round_.waits_for, f"A round stops at {round_.what_is_next!r}, and nobody can go on.")
    acts = [legal.act for legal in round_.in_play() if legal.seat == round_.waits_for[0]]
    return round_.do(chance.choice(acts))


# The checks, each with a name that says what holds


def definition_is_whole(game: ScriptGame) -> None:
    """Its page, paragraphs, spots, rows and steps fit together, and it says what it is."""
    check_definition(game)
    _must(game.about and game.how and game.how_to_deal, "It says nothing of itself: write an introduction on its page.")


def paytables_read_back(game: ScriptGame) -> None:
    """Every ending has a price, and what a house posts can be typed again."""
    for wager in game.wagers:
        labels = [ending.label for ending in wager.outcomes]
        _must(len(set(labels)) == len(labels), f"Two endings of {wager.title} have one name.")
        for table in wager.paytables.values():
            again = Paytable.parse(table.name, str(table))
            _must(wager.prices(again) == wager.prices(table), f"{table.name} does not read back as it is written.")


def readings_keep_to_what_they_see(game: ScriptGame) -> None:
    """A reading finds the same in two hands that it says it cannot tell apart, in whatever order they lie."""
    for look in game.all_looks:
        chance, by_key = Random(str(look.where)), dict[Any, Any]()
        size = cards_of(game, look)
        for _ in range(HANDS):
            hand = tuple(chance.sample(game.deck.cards, size))
            key = class_key(hand, look.reading.sees), sum(card.is_joker for card in hand)
            for other in (hand, hand[::-1], *_renamed(hand)):
                same = by_key.setdefault(key, look.reading(other)) == look.reading(other)
                cards = " ".join(map(str, other))
                _must(same, f"A reading of the {look.where}'s cards sees more in {cards} than it says it looks at.")


def _renamed(hand: Hand) -> Iterator[Hand]:
    """The same hand with other names of the suits."""
    for names in list(permutations(Suit))[5::6]:
        yield tuple(card if card.is_joker else CARDS[card.rank][names[card.suit]] for card in hand)


def strategies_keep_to_what_is_counted(game: ScriptGame) -> None:
    """A named strategy says the same of two positions that the count cannot tell apart."""
    for name, strategy in game.strategies.items():
        prices = game.base.prices(next(iter(game.base.paytables.values())))
        tree, by_key = Tree(game, game.base, prices), dict[Any, str]()
        chance = Random(name)
        for _ in range(HANDS):
            here, cards = tree.start, chance.sample(game.deck.cards, len(game.deck.cards))
            for at, step in enumerate(tree.script):
                if isinstance(step, DealStep) and step.when(here.seen):
                    dealt = tuple(cards.pop() for _ in range(step.cards))
                    here = here._replace(at=at + 1, seen=here.seen.with_cards(step.where, dealt))
                elif isinstance(step, Choose) and step.when(here.seen):
                    here = here._replace(at=at)
                    answer = strategy(here.seen)
                    key = _by_ranks(here.seen) if isinstance(strategy, ByRanks) else tree.key(here)
                    same = by_key.setdefault(key, answer) == answer
                    _must(same, f"The strategy {name!r} sees more than the count tells apart.")
                    goes_on = [choice for choice in step.options(here.seen) if not choice.ends]
                    if not goes_on:
                        break
                    here = here.after(chance.choice(goes_on))


def _by_ranks(seen: Seen) -> tuple[object, ...]:
    """What a strategy may look at that says it looks at ranks."""
    one_suit = len({card.suit for card in seen[SEAT]}) == 1
    return one_suit, *((name, *sorted(card.rank for card in cards)) for name, cards in sorted(seen.cards.items()))


def rounds_settle_as_they_are_counted(game: ScriptGame) -> None:
    """Every spot of a live round is paid what the ending is priced at that the count would find."""
    stake = stake_of(game)
    for round_ in live_rounds(game):
        for number in round_.seats:
            known = round_.everything(number)
            for wager in game.wagers:
                ending = wager.ending(known if wager is game.base else Seen(known.cards))
                price = round_.offering.prices[wager.key][ending]
                spots = {spot.key for spot in wager.spots}
                paid = sum(e.net_cents for e in round_.settlements if e.seat == number and e.spot in spots)
                _must(
                    paid == price.net * stake,
                    f"{wager.title} of seat {number} won {paid} cents at the table and {price.net * stake} in the "
                    f"count: {ending.label}.",
                )


def rounds_are_recorded_and_replayed(game: ScriptGame) -> None:
    """A record of a round, read again, comes to the same cents; where it stands in the catalogue."""
    for round_ in live_rounds(game):
        again = read_any_record(write_record(round_))
        _must(again.settlements == round_.settlements, "A round that is replayed from its record ends otherwise.")


def paragraphs_are_quoted(game: ScriptGame) -> None:
    """Whatever an event or a settlement quotes stands on the page."""
    known = {paragraph.number for paragraph in paragraphs(game.key)}
    for round_ in live_rounds(game):
        quoted = {settlement.cites for settlement in round_.settlements} | {
            round_.paragraph(event) for event in round_.events
        }
        for number in quoted - known - {""}:
            _must(False, f"A round quotes paragraph {number}, which its page does not have.")


def tiny_decks_come_to_the_count(game: ScriptGame) -> None:
    """Every deal of a deck of a few ranks, entered card by card, brings in all what the count says of that deck."""
    small = tiny(game)
    wager = small.base
    prices = wager.prices(next(iter(wager.paytables.values())))
    opened = small.offer().open()
    opened = opened.do(Bet(1, wager.spots[0].key, stake_of(game)))
    opened = opened.do(opened.no_more_bets)
    chance = Random(game.key)
    for offset in range(2):
        choose = some_choice(small, offset)
        tree = Tree(small, wager, prices, choose)
        round_, here, left = opened, tree.start, list(small.deck.cards)
        # Of hands so large that even a tiny deck has too many deals, some first cards are dealt at random.
        while _deals_left(small, here) > MOST_TINY_DEALS:
            step = tree.script[here.at]
            _must(isinstance(step, DealStep), "Somebody is asked before so few deals are left that all can be dealt.")
            first = tuple(chance.sample(left, cast(DealStep, step).cards))
            left = [card for card in left if card not in first]
            round_ = cast(ScriptRound, round_).do(Deal(first))
            here = tree.next_step(tree.after_cards(here, first))
        dealt = mean_of_deals(round_, left, choose, stake_of(game))
        counted = tree.count(here).value(prices)
        _must(dealt == counted, f"All deals of a tiny deck bring {dealt} a unit at the table, and {counted} counted.")


def quick_counts_are_as_the_plain_one(game: ScriptGame) -> None:
    """However a wager is counted, it comes to what the plain tree of chances and choices does."""
    small = tiny(game)
    for wager in small.wagers:
        prices = wager.prices(next(iter(wager.paytables.values())))
        plain, quick = Tree(small, wager, prices).count(), counting(small, wager).count(prices)
        _must(same(quick, plain), f"The quick count of {wager.title} differs from the plain one.")


def simulation_agrees_with_the_count(game: ScriptGame) -> None:
    """What is sampled comes near the count: within five standard errors, in one block, or fewer without a kernel."""
    asked = Sample(game.key, BLOCK_ROUNDS)
    if counter_of(game).simulate(asked, approved_paytable, NONE_OF_ONES_OWN).is_slow:
        asked = asked._replace(rounds=SLOW_ROUNDS)
    sample = counter_of(game).simulate(asked, approved_paytable, NONE_OF_ONES_OWN)
    counts = sample.job.play(0).counts
    for bins in sample.wagers:
        figures = bins.figures(counts)
        chances = bins.count() or {}
        exact = float(sum(bins.prices[outcome].net * chance for outcome, chance in chances.items()))
        error = _deviation(bins.prices, chances) / asked.rounds**0.5
        off = abs(float(figures.expected) - exact)
        _must(
            off <= STANDARD_ERRORS * error or off < 1e-9, f"The simulation of {bins.wager.title} is far from its count."
        )


def _deviation(prices: Mapping[Outcome, Price], chances: Mapping[Outcome, Any]) -> float:
    """Of one round, as counted."""
    nets = [(float(prices[outcome].net), float(chance)) for outcome, chance in chances.items()]
    mean = sum(net * chance for net, chance in nets)
    return float(sum((net - mean) ** 2 * chance for net, chance in nets) ** 0.5)


def papers_hints_and_lessons_are_made(game: ScriptGame) -> None:
    """The PAR sheet, the chart, the hints at a table and the trainer's questions."""
    analyst_of(game).par(Asked(), shipped_register(), approved_paytable).as_json()
    offering = game.offer()
    round_: History = offering.open(offering.fresh_shoe(game.key))
    round_ = round_.do(Bet(1, game.betting_spots[0], stake_of(game)))
    round_ = round_.do(round_.no_more_bets)
    while round_.next_by_dealer is not None:
        round_ = round_.do(round_.next_by_dealer)
    if round_.waits_for:
        _must(hints_for(round_)["seats"], "Nobody gets a hint where a seat has to choose.")
    for done in live_rounds(game):
        _must(list(steps_of(done, done.felts())), "The trainer has nothing to ask about a round.")


KIT: tuple[Check, ...] = (
    definition_is_whole,
    paytables_read_back,
    readings_keep_to_what_they_see,
    strategies_keep_to_what_is_counted,
    rounds_settle_as_they_are_counted,
    rounds_are_recorded_and_replayed,
    paragraphs_are_quoted,
    tiny_decks_come_to_the_count,
    quick_counts_are_as_the_plain_one,
    simulation_agrees_with_the_count,
    papers_hints_and_lessons_are_made,
)


class Answer(NamedTuple):
    """What a check said: nothing where it holds."""

    check: str
    about: str
    objection: str


def hold(game: TableGame) -> Iterator[Answer]:
    """Ask every check of the kit."""
    if not isinstance(game, ScriptGame):
        raise NotationError(f"{game.title} is not written as a script: the kit holds games of the language alone.")
    for check in KIT:
        objection = ""
        try:
            check(game)
        except CroupierError as error:
            objection = str(error)
        yield Answer(check.__name__.replace("_", " "), (check.__doc__ or "").strip(), objection)


# Tiny decks


def tiny(game: ScriptGame) -> ScriptGame:
    """The same game for one seat, with one deck of so few ranks that every deal of it can be dealt."""
    ranks, jokers, sizes = game.deck.ranks, game.deck.jokers, _entered(game)
    for many in range(2, len(ranks) + 1):
        chosen = tuple(ranks[(2 * place + 1) * len(ranks) // (2 * many)] for place in range(many))
        deck = Deck(ranks=chosen, jokers=jokers)
        if deck.size > sum(sizes):
            break
    return replace(game, deck=deck, seats=1)


def _deals_left(game: ScriptGame, here: Position) -> int:
    """How many deals are to come in a position, whatever is chosen."""
    script = [step for _, step in one_seats_script(game, game.base)]
    dealt = sum(len(cards) for cards in here.seen.cards.values())
    sizes = [step.cards for step in script[here.at :] if isinstance(step, DealStep)]
    return prod(comb(game.deck.size - dealt - sum(sizes[:place]), size) for place, size in enumerate(sizes))


def _entered(game: ScriptGame) -> list[int]:
    """How many cards come at a time, where a person enters what is really dealt: nobody enters what lies face down."""
    steps = (step for _, step in one_seats_script(game, game.base))
    return [step.cards for step in steps if isinstance(step, DealStep)]


def same(one: Count, other: Count) -> bool:
    endings = {*one.endings, *other.endings}
    return all(one.endings.get(e, 0) * other.rounds == other.endings.get(e, 0) * one.rounds for e in endings)


def some_choice(game: ScriptGame, offset: int = 0) -> Strategy:
    """A way of choosing that is neither good nor simple, and looks at no more than ranks; others with other offsets."""

    def choose(seen: Seen) -> str:
        ranks = sum(card.rank for cards in seen.cards.values() for card in cards)
        chosen = len(seen.choices)
        due = [step for step in game.base.steps if step.when(seen)][chosen:]
        options = due[0].options(seen)
        return options[(ranks + chosen + offset) % len(options)].key

    return choose


def mean_of_deals(round_: History, left: list[Any], choose: Strategy, stake: int = STAKE) -> Fraction:
    """What one seat brings on average over all deals to come, a unit."""
    while not round_.is_over:
        if round_.waits_for:
            seen = round_.seen(1)
            assert isinstance(seen, Seen)
            round_ = round_.do(round_.parse(f"decide 1 {choose(seen)}"))
        elif round_.next_by_dealer:
            round_ = round_.do(round_.next_by_dealer)
        else:
            hands = list(combinations(range(len(left)), cast(ScriptRound, round_).next_cards))
            total = Fraction(0)
            for places in hands:
                rest = [card for place, card in enumerate(left) if place not in places]
                dealt = cast(ScriptRound, round_).do(Deal(tuple(left[place] for place in places)))
                total += mean_of_deals(dealt, rest, choose, stake)
            return total / len(hands)
    return Fraction(round_.result_cents(1), stake)
