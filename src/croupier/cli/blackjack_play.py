"""A sitting at a virtual blackjack table: many rounds from one sealed shoe, until the cut card comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source
from croupier.cli.awards import awarded
from croupier.cli.blackjack_players import BlackjackPlayer
from croupier.cli.blackjack_table import BlackjackScreen
from croupier.cli.session import Sitting, TableSession
from croupier.errors import Refusal
from croupier.games.blackjack.acts import Act, Bet, NoMoreBets, Reveal, Settle
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.round import BlackjackRound, Phase, next_shoe, open_round
from croupier.games.blackjack.shuffling import cut_place, needs_shuffle
from croupier.games.choices import least_cents
from croupier.games.settlement import Settlement


class BlackjackSession(TableSession[BlackjackRound]):
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
            Phase.INSURANCE: self._insure,
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

    def _insure(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.insure(round_, round_.asked[0], in_hand_cents=self.in_hand_cents))

    def _bust_bets(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.bust_bet(round_, round_.asked[0], in_hand_cents=self.in_hand_cents))

    def _decide(self, round_: BlackjackRound) -> BlackjackRound:
        return self.told(round_, self.player.decide(round_, in_hand_cents=self.in_hand_cents))
