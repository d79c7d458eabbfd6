"""A sitting at a virtual blackjack table: many rounds from one sealed shoe, until the cut card comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.table import Table

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source
from croupier.cli.table.blackjack_players import BlackjackPlayer
from croupier.cli.table.drawing import View, draw_hand, signed, wager_line
from croupier.cli.table.screen import (
    AWARD,
    MOST_LARGE_SEATS,
    Screen,
    awarded,
    beside_the_money,
    is_owed,
    limits_text,
    owed,
    pays_tables,
)
from croupier.cli.table.terminal import Sitting, TerminalTable
from croupier.errors import Refusal
from croupier.games.blackjack.acts import Act, NoMoreBets, Reveal, Settle
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.hand import (
    BET,
    WON_BONUS_21,
    WON_CHARLIE,
    WON_DIAMONDS,
    BlackjackSeat,
    describe,
    describe_cards,
)
from croupier.games.blackjack.round import BlackjackRound, Phase, next_shoe, open_round
from croupier.games.blackjack.rules import cut_place, needs_shuffle
from croupier.games.blackjack.settlement import say
from croupier.games.money import dollars
from croupier.games.table.bets import Bet, spot_title
from croupier.games.table.history import DEALER, Event, History
from croupier.games.table.legal import least_cents
from croupier.games.table.offering import TableOffering
from croupier.games.table.settlement import Settlement

# What a player sees

NO_METER = "This table has no meter: the share is announced, and whoever keeps a meter pays it."
ENDINGS = ("settle", "award")
WON_BESIDE = {outcome.label for outcome in (WON_DIAMONDS, WON_CHARLIE, WON_BONUS_21)}
"""What a Bet wins by the rules of a table, beside its paytable."""


class BlackjackScreen(Screen):
    """Prints to a console; nothing here decides anything."""

    # The sign

    def pays(self, offering: TableOffering) -> list[Table]:
        """What the posted tables pay, and what many cards and diamonds win; a push, a surrender and the like are in the
        rules."""
        assert isinstance(offering, BlackjackOffering)
        tables: list[Table] = []
        for wager in offering.game.wagers:
            if offering.offers(wager.key):
                rows = {row.label for row in offering.paytable(wager.key).rows} | WON_BESIDE
                tables += pays_tables(offering, wager, rows)
        return tables

    def terms(self, offering: TableOffering) -> None:
        assert isinstance(offering, BlackjackOffering)
        self.say(f"Rules {offering.rules.full}.")
        self.say(limits_text(offering))
        for wager in offering.game.wagers:
            own = offering.limits_of(wager.key)
            if offering.offers(wager.key) and own.minimum_cents == own.maximum_cents != offering.limits.maximum_cents:
                self.say(f"{wager.title}: {dollars(own.minimum_cents)}. {NO_METER}")

    # The shoe

    def opening(self, number: int, round_: History, *, in_hand_cents: int, result_cents: int) -> None:
        """A new round; the seal is shown when the shoe is new, or goes on from a file."""
        assert isinstance(round_, BlackjackRound)
        assert round_.shoe is not None
        if round_.shoe.dealt == 0 or round_.acts:
            decks = "1 deck" if round_.shoe.decks == 1 else f"{round_.shoe.decks} decks"
            self.say()
            self.say(f"{'The shoe' if round_.acts else 'A new shoe'} of {decks}, sealed before its first card:")
            self.verbatim(f"Shoe sealed {round_.shoe.commitment}")
        self.say()
        money = f"You have {dollars(in_hand_cents)}; session {signed(result_cents)}."
        self.say(f"Round {number}. {money}", "bold")
        out, cut = round_.shoe.dealt, cut_place(round_.rules)
        self.say(f"{out} of {len(round_.shoe.order)} cards are out; the cut card comes after {cut}.", "dim")

    def shuffled(self, shoe: Shoe, reason: str) -> None:
        """The shoe is at its end."""
        self.say()
        self.say(f"{reason} after {shoe.dealt} of {len(shoe.order)} cards: the next round has a new shoe.", "bold")

    def not_kept(self) -> None:
        """The last shoe, where nobody can ask for it any more."""
        self.say("The shoe is not kept: with --reveal FILE it can be checked against its seal.", "dim")

    # Cards

    def table(self, round_: BlackjackRound, dealer: Hand | None = None) -> None:
        """Everybody's cards; the dealer's as they lay then."""
        seen: list[Card | None] = list(round_.dealer if dealer is None else dealer)
        notes = [describe_cards(round_.dealer)] if len(seen) > 1 else []
        hidden = [None] if len(seen) == 1 and round_.rules.hole_card else []
        if seen:
            self.say(draw_hand(self._view(round_), "Dealer", [*seen, *hidden], notes))
        for number in round_.seats:
            # On the first cards lie all wagers, those too that are settled in the next moment.
            self.seat(round_, number, None if dealer is None else self.wagers(round_, number))

    def seat(self, round_: BlackjackRound, number: int, wagers: dict[str, int] | None = None) -> None:
        """A seat's hands, one a row, with these wagers or what lies there now; the hand that decides is marked."""
        seat = round_.seats[number]
        view = self._view(round_)
        active = round_.turn.hand if round_.turn and round_.turn.seat == number else None
        for place, hand in enumerate(seat.hands):
            split = len(seat.hands) > 1
            name = f"Seat {number}, hand {place + 1}" if split else f"Seat {number}"
            if split and place == active:
                name = f"{'▶' if view.drawn else '>'} {name}"
            chips = {} if hand.settled else {BET.title: hand.cents}
            chips |= self._sides(round_, seat) if place == 0 else {}
            if wagers and place == 0:
                chips = {**wagers, BET.title: hand.cents}
            self.say(draw_hand(view, name, hand.cards, [describe(hand), wager_line(chips)]))

    def _sides(self, round_: BlackjackRound, seat: BlackjackSeat) -> dict[str, int]:
        return {spot_title(round_, spot): seat.wagers[spot] for spot in seat.open_sides}

    def dealer(self, round_: History) -> None:
        """The dealer's hand at its end."""
        assert isinstance(round_, BlackjackRound)
        self.say(draw_hand(self._view(round_), "Dealer", round_.dealer, [describe_cards(round_.dealer)]))

    def _view(self, round_: BlackjackRound) -> View:
        hands = sum(max(1, len(seat.hands)) for seat in round_.seats.values())
        return self.view if hands <= MOST_LARGE_SEATS else self.view.small()

    # What happened

    def tell(self, before: BlackjackRound, after: BlackjackRound) -> None:
        """All that an act brought about, in its order: words, cards and every wager's end."""
        new = after.events[len(before.events) :]
        if after.phase is Phase.VOID:  # what was settled is undone
            self.say(" ".join(event.text for event in new if event.kind not in ENDINGS))
            return
        story = _Story(self, before, after)
        for event in new:
            story.add(event)
        story.flush()

    def ended(self, round_: BlackjackRound, settlement: Settlement) -> None:
        """One wager's end, and why."""
        text, also = say(settlement, spot_title(round_, settlement.spot)), beside_the_money(settlement)
        self.line(text, settlement.net_cents, also=also)
        if also:
            self.say(f"A progressive award! {NO_METER}", AWARD)

    def totals(self, round_: BlackjackRound) -> None:
        """Each seat's round, where it was more than one wager."""
        for number in round_.seats:
            ends = [settlement for settlement in round_.settlements if settlement.seat == number]
            if len(ends) > 1:
                text = f"Seat {number} in this round{is_owed(ends)}"
                self.line(text, round_.result_cents(number), "bold")

    def still_owed(self, awards: list[Settlement]) -> None:
        """What meters owe at the end of the evening, beside the money in hand."""
        if awards:
            self.say(f"Not in these amounts: {owed(awards)}, paid by whoever keeps the meter.", AWARD)


class _Story:
    """Puts events in a readable order: what was said in one paragraph, then the cards, then the chips."""

    def __init__(self, screen: BlackjackScreen, before: BlackjackRound, after: BlackjackRound) -> None:
        self.screen = screen
        self.after = after
        self.first_deal = before.phase is Phase.BETTING
        self.dealer = before.dealer
        self.ends = iter(after.settlements[len(before.settlements) :])
        self.said: list[str] = []
        self.undrawn: int | None = None
        """A position whose new cards are not on the screen yet."""
        self.drawn = False

    def add(self, event: Event) -> None:
        if event.kind == "deal" and event.position == DEALER:
            self._dealers_card(event)
        elif event.kind == "deal":
            self.undrawn = event.position
            if not self.first_deal:
                self.said.append(event.text)
        elif event.kind in ENDINGS:
            self.flush()
            self.screen.ended(self.after, next(self.ends))
        elif event.kind == "reveal":
            self.flush()
            self.screen.dealer(self.after)
        else:
            if self.first_deal and self.undrawn is not None:
                self.flush()
            self.said.append(event.text)

    def _dealers_card(self, event: Event) -> None:
        if self.first_deal and len(self.dealer) + len(event.cards) < 2:
            self.dealer += event.cards
            return
        self.flush()
        self.dealer += event.cards
        self.screen.say(f"{event.text.rstrip('.')}: {describe_cards(self.dealer)}.")

    def flush(self) -> None:
        if self.said:
            self.screen.say(" ".join(self.said))
            self.said = []
        if self.undrawn is not None and not self.drawn:
            if self.first_deal:
                self.screen.table(self.after, self.dealer)
            else:
                self.screen.seat(self.after, self.undrawn)
            self.drawn = True
        self.undrawn = None


class BlackjackTable(TerminalTable[BlackjackRound]):
    """Blackjack. Chance, player and screen are given, so that anything can be repeated."""

    offering: BlackjackOffering
    player: BlackjackPlayer
    screen: BlackjackScreen

    def __init__(
        self,
        offering: BlackjackOffering,
        sitting: Sitting,
        *,
        player: BlackjackPlayer,
        screen: BlackjackScreen,
        chance: Source,
    ) -> None:
        super().__init__(offering, sitting, player=player, screen=screen, chance=chance)
        self.last: BlackjackRound | None = None
        """The round before, from whose shoe the next one is dealt."""
        self.opened = ""
        """The seal of the last shoe that was revealed."""
        self.awards: list[Settlement] = []
        """Shares of meters that were won, and are paid elsewhere."""

    @property
    def steps(self) -> Mapping[str, Callable[[BlackjackRound], BlackjackRound]]:
        return {
            Phase.BETTING: self._bet,
            Phase.SURRENDERING: self._surrender,
            Phase.INSURANCE: self._insure,
            Phase.CAPPING: self._cap,
            Phase.SWITCHING: self._switch,
            Phase.BUST_WAGERS: self._bust_bets,
            Phase.PLAYING: self._decide,
            Phase.DEALER: lambda round_: self.told(round_, Reveal()),
            Phase.SETTLING: lambda round_: self.told(round_, Settle()),
        }

    def told(self, round_: BlackjackRound, act: Act) -> BlackjackRound:
        """Do the act and show all that it brought about."""
        after = self.do(round_, act)
        self.screen.tell(round_, after)
        return after

    # The shoe

    def open(self) -> BlackjackRound:
        last, self.last = self.last, None
        if last:
            return open_round(self.offering, next_shoe(last, self.chance, seats=len(self.sitting.seats)))
        return open_round(self.offering, self._fresh())

    def _fresh(self) -> Shoe:
        return Shoe.fresh(self.offering.rules.decks, self.chance)

    def _too_short(self, shoe: Shoe) -> Refusal | None:
        """Why the cards that are left do not go round, as the table says of the smallest wagers."""
        trial = open_round(self.offering, shoe)
        for seat in self.sitting.seats:
            trial = trial.do(Bet(seat, BET.key, least_cents(self.offering, BET.key)))
        refusal = trial.why_not(NoMoreBets())
        return refusal if refusal and refusal.code == "shoe-too-short" else None

    def reveal_shoe(self, shoe: Shoe) -> None:
        self.opened = shoe.commitment
        super().reveal_shoe(shoe)

    def after_round(self, round_: BlackjackRound) -> None:
        self.screen.totals(round_)
        self.awards += awarded(round_.settlements)
        shoe = round_.shoe
        assert shoe is not None
        self.last = round_
        if round_.phase is Phase.VOID:
            self._shuffle(shoe, "The round is void")
        elif needs_shuffle(round_.rules, dealt=shoe.dealt, seats=len(self.sitting.seats)):
            cut = shoe.dealt >= cut_place(round_.rules)
            self._shuffle(shoe, "The cut card has come" if cut else "Too few cards are left for another deal")

    def _shuffle(self, shoe: Shoe, reason: str) -> None:
        self.screen.shuffled(shoe, reason)
        self.reveal_shoe(shoe)

    def close(self) -> None:
        """The shoe is opened too, unless somebody may go on with it."""
        kept = self.round is not None and self.round.acts and self.sitting.record
        if not kept:
            self._reveal_last()
        super().close()
        self.screen.still_owed([*self.awards, *awarded(self.round.settlements if self.round else ())])

    def _reveal_last(self) -> None:
        on_table = self.round or self.last
        shoe = on_table.shoe if on_table else None
        if shoe is None or shoe.commitment == self.opened:
            return
        if self.sitting.reveal:
            self.reveal_shoe(shoe)
        else:
            self.screen.not_kept()

    # One round

    def show_resumed(self, round_: BlackjackRound) -> None:
        if round_.phase is Phase.BETTING:
            self.screen.chips(round_)
        else:
            self.screen.table(round_)

    def _bet(self, round_: BlackjackRound) -> BlackjackRound:
        refusal = self._too_short(round_.shoe) if round_.shoe and round_.shoe.dealt else None
        if refusal:  # only where a round goes on with more seats than it had
            raise refusal
        return self.told(self.bets(round_), NoMoreBets())

    def _surrender(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.surrender(round_, round_.asked[0]))

    def _insure(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.insure(round_, round_.asked[0], in_hand_cents=self.in_hand_cents))

    def _cap(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.cap(round_, round_.asked[0], in_hand_cents=self.in_hand_cents))

    def _switch(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.switch(round_, round_.asked[0]))

    def _bust_bets(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.bust_bet(round_, round_.asked[0], in_hand_cents=self.in_hand_cents))

    def _decide(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.decide(round_, in_hand_cents=self.in_hand_cents))
