"""What is sent to the games' routes and what they answer, as the description of the API has it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from croupier.web.floor.acts import Body

MOST_CENTS = 10**12
MOST_ROUNDS = 10**9
"""Of one job; a longer run is for `croupier simulate`, on machines of its own."""
Name = Annotated[StrictStr, Field(max_length=64)]
Placard = Annotated[StrictStr, Field(max_length=200)]
Table = Annotated[StrictStr, Field(max_length=4_000)]
Cents = Annotated[StrictInt, Field(ge=1, le=MOST_CENTS)]
Amount = Annotated[StrictInt | float | Annotated[StrictStr, Field(max_length=40)], Field()]


class LimitsForm(BaseModel):
    """The least and the most that may lie on a spot."""

    model_config = ConfigDict(extra="forbid")
    minimum_cents: Cents = 500
    maximum_cents: Cents = 10_000


class OpenRound(Body):
    """A round for training: it touches no money. What is left out is as usual."""

    game: Name = Field(examples=["triple-shot-rummy"])
    rules: Placard = Field("", description="Blackjack: the placard, as '6D H17 DAS SP4 3:2'.")
    side_wagers: list[Name] = Field(default_factory=list, max_length=8, description="Blackjack: what is offered too.")
    paytables: dict[Name, Table] = Field(
        default_factory=dict, max_length=16, description="By wager: an ID, or rows as 'Pair 1 to 1; Flush 4 to 1'."
    )
    options: list[Name] = Field(default_factory=list, max_length=16, description="House options, as /api/games lists.")
    without: list[Name] = Field(default_factory=list, max_length=16, description="Optional wagers that are left out.")
    seats: Annotated[StrictInt, Field(ge=1, le=20)] | None = Field(None, description="How many are open; all.")
    limits: LimitsForm = Field(default_factory=LimitsForm)
    chip_cents: Cents = 1
    rounding: Literal["house", "nearest", "player"] = "house"
    cards: Literal["shoe", "entered"] = Field("shoe", description="From a sealed shoe, or entered beside real cards.")
    seed: Annotated[StrictStr, Field(min_length=1, max_length=64)] | None = Field(
        None, description="For practice and tests: the same shoe each time. Whoever knows it knows the cards."
    )
    after: Annotated[StrictStr, Field(max_length=40)] | None = Field(
        None, description="A round of yours that is over: its shoe runs on, until its cut card or until it is opened."
    )


MOST_AT_ONCE = 64
OneAct = Annotated[StrictStr, Field(min_length=1, max_length=300)] | dict[Name, Any]


class LetWatch(Body):
    """Whether others may watch a table on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "w1", "watched": True}]})
    watched: StrictBool = True


class SendAct(Body):
    """An act in the engine's text, or as an object with its fields; `go-on` is all that nobody has to decide.

    After another act of the same list it is done where there is anything to do.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"id": "b1", "act": "bet 1 ante 500"}, {"id": "g1", "act": "go-on"}]},
    )
    act: OneAct | Annotated[list[OneAct], Field(min_length=1, max_length=MOST_AT_ONCE)] = Field(
        description="Several in a list are done one after another: all of them, or none."
    )


class EdgeForm(BaseModel):
    """What the house keeps of a game's first wager, on average."""

    game: str
    wager: str
    paytable: str
    house_edge: dict[str, Any] = Field(description="`exact` as a fraction where the count is one, and in percent.")


class SideEdgeForm(BaseModel):
    """What the house keeps of a wager beside the first, under the paytable that is posted."""

    wager: str
    paytable: str
    house_edge: dict[str, Any]


class TableEdgeForm(BaseModel):
    """A game's edge at the usual table of this site."""

    game: str
    rules: str
    edge: EdgeForm | None = Field(description="None while nobody knows it.")
    beside: dict[str, SideEdgeForm] | None = Field(
        description="Of the other wagers that were counted before, by key; None until they are looked up."
    )
    counting: bool = Field(description="Whether it is still to come: ask again later.")


class EdgesForm(BaseModel):
    edges: list[TableEdgeForm]


class DealerForm(BaseModel):
    cards: list[str] = Field(description="Face up.")
    face_down: int
    words: str
    hidden: list[str] = Field(default_factory=list, description="What was never turned, once the round is over.")
    halves: list[dict[str, Any]] = Field(default_factory=list, description="Of a hand that is set in two.")


class SeatForm(BaseModel):
    seat: int
    player: str
    wagers_cents: dict[str, int]
    hands: list[dict[str, Any]]
    decided: str | None
    result_cents: int


class LegalForm(BaseModel):
    """An act that is allowed now. Where nothing is needed, `act` can be sent as it stands."""

    act: str
    name: str
    form: dict[str, Any]
    seat: int | None = Field(description="Whose it is; null for the dealer's.")
    words: str
    cost_cents: int
    least_cents: int | None = None
    most_cents: int | None = None
    needs: str = ""
    key: str = Field("", description="What a person presses for it, where it is a player's decision.")
    advised_by: list[str] = Field(default_factory=list, description="The game's own strategies that would do it.")
    label: str = Field("", description="What stands on its button.")
    detail: str = Field("", description="What it does beside that, in small print.")
    gives_up: bool = Field(False, description="Whether it gives a wager up: it is offered more quietly.")
    spot: str = Field("", description="Where its chips go, if it is a wager that could not be made before the deal.")


class EventForm(BaseModel):
    kind: str
    text: str
    position: int | None
    cards: list[str]
    cents: int | None
    paragraph: str = Field("", description="Of the game's page of the rulebook.")


class SpotForm(BaseModel):
    """A place for chips, as this house offers it."""

    spot: str
    title: str
    wager: str
    paytable: str = Field("", description="The ID of an approved one.")
    before_deal: bool = Field(description="Whether chips may go here before the deal.")
    pays_beside: list[tuple[str, str]] = Field(
        default_factory=list, description="What it pays beside its paytable under these rules, as a push."
    )
    progressive: bool
    least_cents: int
    most_cents: int


class TableForm(BaseModel):
    seats: int
    chip_cents: int = Field(description="Wagers are whole multiples of it.")
    dealer_has_cards: bool = True
    felt: dict[str, Any] = Field(default_factory=dict, description="What is printed on the cloth.")
    spots: list[SpotForm]


class SettlementForm(BaseModel):
    seat: int
    spot: str
    line: str
    pays: str
    staked_cents: int
    free_cents: int = Field(0, description="Free chips beside it: a win is paid on them, and they are the house's.")
    returned_cents: int
    commission_cents: int
    award: str | None = Field(description="The share of a meter that was won; whoever keeps the meter pays it.")
    why: str
    hand: int | None = Field(None, description="Which of the seat's hands it was on, from 1.")
    paragraph: str = Field("", description="Of the game's page of the rulebook.")


class OffForm(BaseModel):
    """A choice that is off."""

    name: str
    seat: int
    key: str
    label: str
    gives_up: bool
    code: str
    sentence: str


class RoundForm(BaseModel):
    """A round as everybody at the table may see it now."""

    round: str
    yours: bool = Field(description="Whether you have opened it: then you play it. Everybody else looks on.")
    game: str
    title: str
    rules: str
    rules_in_words: str = Field("", description="Of a game that has a choice of rules.")
    digest: str = Field(description="Of the rules and paytables.")
    commitment: str | None = Field(description="Of the shoe, before its first card.")
    shoe: dict[str, int | None] | None = Field(
        None,
        description="`cards` it holds, how many were dealt `before` this round and by `now`, and where the `cut` is.",
    )
    seeded: bool
    number: int = Field(description="How many acts were done.")
    phase: str
    over: bool
    next: str
    waits_for: list[int]
    turn_hand: int | None
    asks: str = Field("", description="What the seats are offered now, where it is not their decision.")
    table: TableForm
    dealer: DealerForm
    board: DealerForm | None = Field(None, description="The cards that all seats share, in a game that has them.")
    seats: list[SeatForm]
    legal: list[LegalForm]
    off: list[OffForm] = Field(
        default_factory=list, description="Choices of the table that the hand whose turn it is does not have, and why."
    )
    events: list[EventForm]
    settlements: list[SettlementForm]
    staked_cents: int
    returned_cents: int
    revealed: bool = Field(
        False, description="Of a table at which nobody has bet: its shoe was looked into, and it takes no wager."
    )
    followed_by: str | None = Field(
        None, description="Where it was asked for: the round that its player has gone on with, and lets others watch."
    )


class LeftForm(BaseModel):
    """A round that was begun and is not over."""

    round: str
    game: str
    title: str
    rules: str
    opened: str
    number: int = Field(description="How many acts were done.")
    staked_cents: int
    next: str


class LeftRoundsForm(BaseModel):
    rounds: list[LeftForm]


class PastForm(LeftForm):
    """A round that was played to its end."""

    returned_cents: int
    net_cents: int
    seats: int
    cards: list[str] = Field(description="Of the first hand, by which a round is known again.")
    decided: bool


class PastRoundsForm(BaseModel):
    rounds: list[PastForm]


class StepsForm(BaseModel):
    """A round as it stood after each of its lines."""

    round: str
    game: str
    title: str
    table: dict[str, Any]
    over: bool
    events: list[dict[str, Any]]
    settlements: list[dict[str, Any]]
    felts: list[dict[str, Any]] = Field(description="One for each event: what lay on the table after it.")
    last: dict[str, Any]


class ReviewForm(BaseModel):
    """The decisions of a round that is over, each with what it has cost."""

    decisions: list[dict[str, Any]]
    sentence: str = Field(description="What was not counted.")


class ReplayForm(BaseModel):
    """A round that is over, with everything that proves it."""

    round: str
    record: str
    acts: list[str]
    reveal: str | None
    commitment: str | None
    verified: bool
    sentence: str
    settlements: list[SettlementForm]


class HintForm(BaseModel):
    """What each decision is worth, per unit of the first wager, the best first."""

    given: str
    seats: list[dict[str, Any]]
    sentence: str


class WorthForm(BaseModel):
    """One wager of a round: what it was worth to the player before the cards."""

    seat: int
    wager: str
    staked_cents: int = Field(description="The first wager; raises, doubles and splits follow it.")
    edge: float = Field(description="The house's, per unit of the first wager.")
    deviation: float = Field(description="Standard deviation, per unit.")
    given: str = Field(description="What the figure is counted from.")


class ExpectedForm(BaseModel):
    wagers: list[WorthForm]
    result_cents: int
    expected_cents: float
    variance_cents2: float = Field(description="Of the sum, as if wagers were independent of each other.")


class GamesForm(BaseModel):
    games: list[dict[str, Any]]


class VerifyForm(BaseModel):
    explained: bool
    figures: list[dict[str, Any]]


class Simulate(Body):
    """A sample, with the same totals as `croupier simulate` gives for the same seed."""

    game: Name = Field(examples=["triple-shot-rummy"])
    rounds: int = Field(1_000_000, description=f"From 1 to {MOST_ROUNDS:,}.", examples=[100_000])
    seed: int = 7
    wagers: list[Name] = Field(default_factory=list, max_length=16, description="All where none is named.")
    paytables: dict[Name, Table] = Field(default_factory=dict, max_length=16)
    players: int = 1
    strategy: Name = ""
    rules: Placard = ""
    decks: int | None = None
    shoe: Literal["", "cut", "fresh"] = ""
    compare: StrictBool = False
    options: list[Name] = Field(default_factory=list, max_length=16, description="House options, as /api/games lists.")
    confidence: float = Field(99.0, description="In percent.")


class Plan(Body):
    """A progressive to be planned; what is left out is as usual, see docs/guides/meter-planner.md."""

    wager: Name = Field(examples=["blazing-7s-dealer"])
    paytable: Table | None = None
    decks: int | None = None
    rules: Placard | None = None
    wager_dollars: Amount | None = None
    contribution_percent: Amount | None = None
    reserve_percent: Amount | None = None
    seeds_dollars: Amount | dict[Name, Amount] | None = None
    accounting: Name | None = None
    division: Name | dict[Name, Amount] | None = None
    tables: int | None = None
    seats: int | None = None
    rounds_per_hour: int | None = None
    hours_per_day: Amount | None = None
    period_days: int | None = None
    within_rounds: int | None = None
    seed: int = 7
    histories: int | None = None
    simulate: StrictBool = Field(True, description="Whether the rest is simulated as a job.")
    ahead: StrictBool = Field(False, description="Whether to tell where the meters may stand, day by day.")


class JobForm(BaseModel):
    job: str
    kind: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    asked: dict[str, Any]
    progress: dict[str, Any] | None
    result: dict[str, Any] | None
    sentence: str = Field(description="Why it failed.")
    made: str
    changed: str


class PlanForm(BaseModel):
    """What formulas say at once; the job brings all figures."""

    plan: dict[str, Any]
    warnings: list[dict[str, Any]]
    figures: list[dict[str, Any]]
    ahead: dict[str, Any] | None = Field(description="Where it was asked for: the meters from their seeds on.")
    job: str | None
