"""May this table be open? Each condition of its approvals, with its state, its papers and its paragraph.

    told = answer(table, progressives, papers=papers, register=register, profile=profile, day=today)
    told.may_open                      False
    told.conditions[1].state           State.MISSING
    told.conditions[1].effect          Effect.STOPS
    told.conditions[1].sentence        'No paper on record for Supreme 99: internal controls, approved.'

Nothing is looked up here: a table, the papers on record, the approvals on file, the rules of the place and a day give
the answer, and the same ones give the same answer again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from croupier.compliance.approval import (
    NONE_ON_FILE,
    Approval,
    Condition,
    Dealt,
    Equipment,
    Register,
    Where,
)
from croupier.compliance.paper import OF_COMPANY, Paper, about, name_of, steps_of
from croupier.compliance.profile import Effect, Fact, Profile, Rules
from croupier.compliance.table import OWN, Dealing, Offered, Piece, TableLike, Use, offered, offers_of, options_of
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.money import dollars

REGISTER = "set-from-register"
"""The condition that comes before all others: that it is known what the table is."""
ONE_PROGRESSIVE = "King's Bounty"
"""The title that goes with one of the progressives alone."""


class State(StrEnum):
    """How it stands with a condition."""

    MET = "met"
    MISSING = "missing"
    EXPIRED = "expired"
    SOON = "expires-soon"
    DEPARTING = "departing"
    NOT_ASKED = "not-asked"


FINE = frozenset({State.MET, State.NOT_ASKED})
_LACKING = frozenset({State.MISSING, State.EXPIRED})
_WORST = (State.MISSING, State.EXPIRED, State.DEPARTING, State.SOON, State.MET)


class Progressive(NamedTuple):
    """The progressive of a link at a table."""

    link: str
    wager: str
    title: str
    paytable: str
    decks: int
    wager_cents: int
    digest: str
    """Of its rules and pays."""
    alike: bool
    """Whether all tables of the link have its paytable and decks."""


class Wanted(NamedTuple):
    """A paper that is not on record, or holds no more."""

    condition: str
    step: str
    of: str
    """Nothing where one for every game would do."""

    def as_json(self) -> dict[str, str]:
        return {**self._asdict(), "name": name_of(self.condition)}


@dataclass(frozen=True)
class Told:
    """One condition at one table."""

    condition: str
    asks: str
    approval: str
    """The name of the approval that asks for it; nothing where the program does."""
    paragraph: str
    """`approval 3.1`."""
    state: State
    sentence: str
    papers: tuple[Paper, ...]
    wants: tuple[Wanted, ...]
    """Papers that would meet it, in their order."""
    does: Effect
    """What the place says a condition does that is not met."""
    citation: str

    @property
    def effect(self) -> Effect | None:
        """What it does to the table now; what is only about to end stops nothing."""
        if self.state in FINE:
            return None
        return Effect.WARNS if self.state is State.SOON and self.does is Effect.STOPS else self.does

    def as_json(self) -> dict[str, Any]:
        return {
            **{"condition": self.condition, "name": name_of(self.condition), "asks": self.asks},
            **{"approval": self.approval, "paragraph": self.paragraph},
            **{"state": self.state.value, "effect": self.effect.value if self.effect else None},
            **{"sentence": self.sentence, "papers": [paper.as_json() for paper in self.papers]},
            "wants": [wanted.as_json() for wanted in self.wants],
            **{"does": self.does.value, "citation": self.citation},
        }


class WagerOnFile(NamedTuple):
    """A wager of a table, and what the register has for its digest."""

    wager: str
    title: str
    paytable: str
    digest: str
    on_file: str

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True)
class TableTold:
    """What there is to say of a table on a day."""

    table: int
    title: str
    covers: tuple[WagerOnFile, ...]
    conditions: tuple[Told, ...]

    @property
    def stops(self) -> tuple[Told, ...]:
        return tuple(condition for condition in self.conditions if condition.effect is Effect.STOPS)

    @property
    def may_open(self) -> bool:
        return not self.stops

    def as_json(self) -> dict[str, Any]:
        return {
            **{"table": self.table, "title": self.title, "may_open": self.may_open},
            "wagers": [cover.as_json() for cover in self.covers],
            "conditions": [condition.as_json() for condition in self.conditions],
        }


class Found(NamedTuple):
    """What was found of a condition."""

    state: State
    sentence: str
    papers: tuple[Paper, ...] = ()
    wants: tuple[Wanted, ...] = ()


@dataclass(frozen=True)
class Case:
    """A table with all that is asked about it."""

    table: TableLike
    progressives: tuple[Progressive, ...]
    papers: Sequence[Paper]
    register: Register
    rules: Rules
    operation: Where | None
    """Whose conditions bind here."""
    day: date
    dealt: Dealt
    """Its title on file."""
    offers: tuple[Offered, ...]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        assert self.table.on_file is not None
        return self.table.on_file.equipment

    def used_as(self, use: Use) -> list[Piece]:
        return [piece for piece in self.pieces if piece.use is use]

    def posted(self, wager: str) -> str:
        """The name of the paytable that the table was set with for a wager; nothing where it names none."""
        assert self.table.on_file is not None
        return next((paytable.paytable for paytable in self.table.on_file.paytables if paytable.wager == wager), "")

    def words(self, digest: str) -> str:
        return self.register.words([digest])


def answer(
    table: TableLike,
    progressives: Iterable[Progressive],
    *,
    papers: Sequence[Paper],
    register: Register,
    profile: Profile,
    day: date,
) -> TableTold:
    """Every condition that binds the table, in the order of its approvals."""
    rules = profile.on(day)
    if table.on_file is None:
        sentence = (
            f"Table {table.number} was not set from the register: nothing says under which approval, rules and "
            "equipment it is played."
        )
        return TableTold(table.number, table.title, (), (_first(rules, sentence),))
    dealt = register.dealt.get((table.on_file.approval, table.title))
    if dealt is None:
        sentence = f"{table.title!r} is no title of {table.on_file.approval!r}, or that approval was withdrawn."
        return TableTold(table.number, table.title, (), (_first(rules, sentence),))
    case = Case(table, tuple(progressives), papers, register, rules, profile.operation, day, dealt, offered(table))
    told = [
        Told(
            condition.key,
            condition.asks,
            approval.name,
            f"{approval.page} {condition.paragraph}",
            *answered,
            does=rule.does,
            citation=rule.citation,
        )
        for approval, condition in _binding(case)
        for answered in [_CHECKS.get(condition.key, _of_game)(case, approval, condition)]
        for rule in [rules.condition(condition.key)]
    ]
    return TableTold(table.number, table.title, tuple(_covers(case)), tuple(told))


def _first(rules: Rules, sentence: str) -> Told:
    """It stops where the place says what conditions do; an older edition says nothing of them, and stops nothing."""
    asks, does = "A table is set from the register.", Effect.STOPS if rules.conditions else Effect.WARNS
    return Told(REGISTER, asks, "", "approval 1.4", State.MISSING, sentence, (), (), does, "approval 1.4")


def on_file(game: TableGame, register: Register) -> tuple[WagerOnFile, ...]:
    """What the register has for each wager of a game and each of its paytables, by the digest of what is dealt."""
    standard = _standard_wagers(register, game.key)
    covers = []
    for wager, title, paytable, digest in offers_of(game):
        words = register.words([digest])
        published = standard.get(wager, words) if words == NONE_ON_FILE else words
        covers.append(WagerOnFile(wager, title, paytable, digest, published))
    return tuple(covers)


def whose(register: Register, covers: Iterable[WagerOnFile]) -> tuple[str, ...]:
    """Of approvals that come with the program and cover these: they are of another's games and system."""
    return register.not_this_program(cover.digest for cover in covers)


def _covers(case: Case) -> Iterator[WagerOnFile]:
    standard = _standard_wagers(case.register, case.table.base_game)
    for wager, title, paytable, digest in case.offers:
        words = case.words(digest)
        if words == NONE_ON_FILE and wager in standard:
            words = standard[wager]
        yield WagerOnFile(wager, title, paytable, digest, words)
    laid = {(offer.wager, offer.digest) for offer in case.offers}
    for linked in case.progressives:
        if (linked.wager, linked.digest) in laid:
            continue
        yield WagerOnFile(linked.wager, linked.title, linked.paytable, linked.digest, case.words(linked.digest))


def _standard_wagers(register: Register, game: str) -> dict[str, str]:
    """Wagers that are played by published rules, and whose those are."""
    return {
        wager: f"standard rules that the {approval.authority} publishes"
        for approval, standard in register.standards(game)
        for wager in standard.wagers
    }


def _binding(case: Case) -> Iterator[tuple[Approval, Condition]]:
    """The conditions of the table's title, and of the titles that cover its wagers; each key once in an approval.

    Those that name no enclosure restate what the place asks of every game, so they bind a standard game too.
    """
    enclosures: dict[str, set[str]] = {case.dealt.approval.key: set()}
    if case.dealt.named:
        enclosures[case.dealt.approval.key].add(case.dealt.named.enclosure)
    for digest in (*(offer.digest for offer in case.offers), *(wager.digest for wager in case.progressives)):
        for covering in case.register.covering(digest):
            enclosures.setdefault(covering.approval.key, set()).add(covering.title.enclosure)
    for approval in case.register.approvals:
        for condition in approval.conditions if approval.key in enclosures else ():
            there = condition.where is Where.EVERYWHERE or condition.where is case.operation
            if there and (not condition.enclosures or enclosures[approval.key] & set(condition.enclosures)):
                yield approval, condition


# Papers


def _on_record(case: Case, condition: str, step: str, names: Sequence[str]) -> Found:
    """The best paper of a step: one that holds, the longer the better; else the last that held."""
    those = [paper for paper in case.papers if (paper.condition, paper.step) == (condition, step) and paper.of in names]
    held = sorted(those, key=lambda paper: (paper.until is None, paper.until or date.min, paper.entry), reverse=True)
    for paper in held:
        if paper.holds(case.day):
            left = (paper.until - case.day).days if paper.until else None
            if left is not None and left < (case.rules.number(Fact.EXPIRY_WARNED) or 0):
                return Found(State.SOON, f"{paper.reference} ends on {paper.until}.", (paper,))
            return Found(State.MET, f"{paper.reference} of {paper.dated}.", (paper,))
    for paper in held:
        if paper.until and paper.until < case.day:
            return Found(State.EXPIRED, f"{paper.reference} ended on {paper.until}.", (paper,))
    if held:
        return Found(State.MISSING, f"{held[0].reference} holds from {held[0].dated} on only.", (held[0],))
    return Found(State.MISSING, "")


def _worst(findings: Sequence[Found]) -> Found:
    """All of them together: in the worst of their states, with what makes it so."""
    state = min((finding.state for finding in findings), key=_WORST.index)
    sentences = dict.fromkeys(finding.sentence for finding in findings if finding.state is state and finding.sentence)
    papers = dict.fromkeys(paper for finding in findings for paper in finding.papers)
    wants = dict.fromkeys(wanted for finding in findings for wanted in finding.wants)
    return Found(state, " ".join(sentences), tuple(papers), tuple(wants))


def _steps(case: Case, condition: str, names: Sequence[str], what: str) -> Found:
    """All papers of a condition about one thing."""
    findings = []
    for step in steps_of(condition):
        finding = _on_record(case, condition, step, names)
        missing = f"No paper on record for {what}: {name_of(condition)}, {step}."
        wants = (Wanted(condition, step, "" if "" in names else names[0]),) if finding.state in _LACKING else ()
        findings.append(finding._replace(sentence=finding.sentence or missing, wants=wants))
    return _worst(findings)


def _of_game(case: Case, _: Approval, condition: Condition) -> Found:
    """Papers about the game, or about all games of the house. A condition that the program knows nothing of has one."""
    return _steps(case, condition.key, (case.table.title, ""), case.table.title)


def _companies(case: Case, _: Approval, condition: Condition) -> Found:
    """Everybody who made or sold what is at the table."""
    if not case.used_as(Use.LAYOUT):
        return Found(State.MISSING, f"No layout is recorded at table {case.table.number}.")
    companies = dict.fromkeys(name for piece in case.pieces for name in piece.companies)
    return _worst([_company(case, condition.key, company) for company in companies])


def _company(case: Case, condition: str, company: str) -> Found:
    finding = _steps(case, condition, (company,), company)
    return finding._replace(sentence=f"{company}: {finding.sentence}") if finding.papers else finding


# What is at the table


def _as_enclosed(case: Case, approval: Approval, _: Condition) -> Found:
    """Rules, pays and procedure are those on file, by their digests."""
    departs = [*_departing(case, approval)]
    if departs:
        return Found(State.DEPARTING, " ".join(departs))
    if case.dealt.named is None and case.dealt.standard is None and approval is case.dealt.approval:
        rules = f"The rules of {case.table.title} are not among the enclosures of {approval.reference}"
        return Found(State.MISSING, f"{rules}: an approval that has them is entered first.")
    standard = case.dealt.standard
    if standard and not case.table.wagers and not case.progressives:
        why = f"{standard.title} is played by the rules that the {approval.authority} publishes"
        return Found(State.NOT_ASKED, f"{why} ({approval.page} {standard.paragraph}); no enclosure holds them.")
    return Found(State.MET, "Rules, pays and procedure are those on file, by their digests.")


def _departing(case: Case, approval: Approval) -> Iterator[str]:
    """What at the table is not as it was approved, in a sentence each."""
    named = case.dealt.named
    for cover in _covers(case):
        if cover.on_file == NONE_ON_FILE:
            what = "a paytable of the house's own" if cover.paytable == OWN else f"paytable {cover.paytable}"
            decks = f" and {case.table.decks} decks" if find_any_game(case.table.base_game).placard else ""
            yield f"{cover.title} with {what}{decks}: {NONE_ON_FILE} for {cover.digest[:12]}."
    if approval is not case.dealt.approval:  # it has a wager of the table, and not the game
        return
    if named and named.procedure and find_any_game(case.table.base_game).procedure_digest != named.procedure:
        yield f"The procedure of {named.name} is another than the one on file with {approval.reference}."
    for option in options_of(case.table):
        if named is None or option not in named.options:
            yield f"The house option {option} is none that {approval.reference} leaves to the house."


def _modifications(case: Case, approval: Approval, _: Condition) -> Found:
    if [*_departing(case, approval)]:
        return Found(State.DEPARTING, f"By {approval.reference} a modification of a game may affect the approval.")
    return Found(State.MET, "Nothing departs from what is on file.")


def _limits(case: Case, _: Approval, __: Condition) -> Found:
    """The highest wager of the place, for every wager of the table."""
    most = case.rules.number(Fact.MOST_WAGER)
    if most is None:
        return Found(State.NOT_ASKED, f"The profile {case.rules.profile} limits no wager.")
    laid = {"the base wager": case.table.most_wager_cents}
    laid |= {limit.wager: limit.most_cents for limit in case.table.limits}
    laid |= {wager.title: wager.wager_cents for wager in case.progressives}
    above = [f"{name} goes up to {dollars(cents)}" for name, cents in laid.items() if cents > most]
    rule = case.rules[Fact.MOST_WAGER]
    if above:
        return Found(State.DEPARTING, f"{', '.join(above)}; the highest wager is {dollars(most)} ({rule.citation}).")
    return Found(State.MET, f"No wager is above {dollars(most)} ({rule.citation}).")


def _shuffler(case: Case, approval: Approval, condition: Condition) -> Found:
    """A model that an enclosure names in its version, or that has a paper; and its maker's licence."""
    assert case.table.on_file is not None
    shufflers = case.used_as(Use.SHUFFLER)
    if not shufflers:
        if case.table.on_file.dealing is Dealing.SHUFFLER:
            return Found(State.MISSING, f"Table {case.table.number} is dealt from a shuffler, and none is recorded.")
        return Found(State.NOT_ASKED, "No shuffler is used.")
    findings = []
    for piece in shufflers:
        named = _named(case, piece)
        if named:
            findings.append(_version(piece, *named))
        else:
            findings.append(_steps(case, condition.key, (piece.model,), f"the model {piece.model}"))
        asked = next((condition.key for condition in approval.conditions if _is_licence(case, condition)), "")
        if asked:
            findings.append(_company(case, asked, piece.maker))
    return _worst(findings)


def _is_licence(case: Case, condition: Condition) -> bool:
    tribal = condition.where is Where.TRIBAL
    return about(condition.key) == OF_COMPANY and tribal == (case.operation is Where.TRIBAL)


def _named(case: Case, piece: Piece) -> tuple[Approval, Equipment] | None:
    """The newest approval that names this equipment, and how."""
    named = [
        (approval, device)
        for approval in case.register.approvals
        for device in approval.equipment
        if device.name.casefold() == piece.model.casefold()
    ]
    return max(named, key=lambda pair: pair[0].dated, default=None)


def _version(piece: Piece, approval: Approval, named: Equipment) -> Found:
    if not piece.version:
        return Found(State.MISSING, f"The version of {piece.model} is not recorded; {named.version} is the lowest.")
    try:
        fine = named.allows(piece.version)
    except NotationError as error:
        return Found(State.MISSING, str(error))
    sentence = f"{piece.model} {piece.version}; {approval.reference} names {named.version} or higher."
    return Found(State.MET if fine else State.DEPARTING, sentence)


def _dealing(case: Case, _: Approval, __: Condition) -> Found:
    assert case.table.on_file is not None
    if case.table.on_file.dealing is not Dealing.HAND:
        return Found(State.NOT_ASKED, f"The cards come from a {case.table.on_file.dealing}.")
    most = case.rules.number(Fact.HAND_DEALT)
    if most is not None and case.table.decks > most:
        rule = case.rules[Fact.HAND_DEALT]
        sentence = f"{case.table.decks} decks are dealt by hand, and at most {most} may be ({rule.citation})."
        return Found(State.DEPARTING, sentence)
    return Found(State.MET, "Dealt by hand, by the house's procedures.")


def _on_links(check: Callable[[Case], Found]) -> Callable[[Case, Approval, Condition], Found]:
    def checked(case: Case, _: Approval, __: Condition) -> Found:
        if not case.progressives:
            return Found(State.NOT_ASKED, "The table has no progressive.")
        return check(case)

    return checked


def _alike(case: Case) -> Found:
    for wager in case.progressives:
        if not wager.alike or wager.decks != case.table.decks:
            return Found(State.DEPARTING, f"The tables of the link {wager.link} have not one paytable and one shoe.")
        posted = case.posted(wager.wager)
        if posted and posted != wager.paytable:
            return Found(
                State.DEPARTING,
                f"{wager.title}: table set with paytable {posted}, and the link {wager.link} plays {wager.paytable}.",
            )
    links = ", ".join(f"{wager.link}: paytable {wager.paytable}, {wager.decks} decks" for wager in case.progressives)
    return Found(State.MET, f"The same at every table of the link ({links}).")


def _one_progressive(case: Case) -> Found:
    if case.table.title != ONE_PROGRESSIVE:
        return Found(State.NOT_ASKED, f"It is asked of {ONE_PROGRESSIVE}.")
    titles = " and ".join(wager.title for wager in case.progressives)
    return Found(State.MET if len(case.progressives) == 1 else State.DEPARTING, f"The table has {titles}.")


def _system(case: Case) -> Found:
    """Every part of the system is named by an approval on file, in its version, with what goes beside it."""
    systems = case.used_as(Use.SYSTEM)
    if not systems:
        return Found(State.MISSING, f"No progressive system is recorded at table {case.table.number}.")
    findings, there = [], {piece.model.casefold() for piece in systems}
    for piece in systems:
        named = _named(case, piece)
        if named is None:
            sentence = (
                f"{piece.model} is named by no approval on file: a house that runs it needs an approval of its own, "
                "entered in the register."
            )
            findings.append(Found(State.DEPARTING, sentence))
            continue
        findings.append(_version(piece, *named))
        for other in named[1].beside:
            if other.casefold() not in there:
                findings.append(Found(State.MISSING, f"{piece.model} runs with {other}, which is not recorded."))
    return _worst(findings)


def _plain_display(case: Case) -> Found:
    displays = case.used_as(Use.DISPLAY)
    if not displays:
        return Found(State.MISSING, f"No progressive display is recorded at table {case.table.number}.")
    clever = [piece.model for piece in displays if not piece.plain]
    if clever:
        return Found(
            State.DEPARTING, f"{', '.join(clever)} is more than a plain monitor, or nobody has said that it is one."
        )
    return Found(State.MET, f"{', '.join(piece.model for piece in displays)}: a plain monitor.")


def _i_verify(case: Case, _: Approval, __: Condition) -> Found:
    pieces = case.used_as(Use.I_VERIFY)
    if not pieces:
        return Found(State.NOT_ASKED, "i-Verify is not used.")
    findings = []
    for piece in pieces:
        named = _named(case, piece)
        if named:
            findings.append(_version(piece, *named))
        if piece.place:
            findings.append(Found(State.MET, f"Its display is {piece.place}."))
        else:
            findings.append(Found(State.MISSING, "It is not recorded where surveillance sees the i-Verify display."))
    return _worst(findings)


_CHECKS: Mapping[str, Callable[[Case, Approval, Condition], Found]] = {
    "rules-as-enclosed": _as_enclosed,
    "modifications": _modifications,
    "equipment-licensed": _companies,
    "equipment-certified": _companies,
    "wager-limits": _limits,
    "shuffler-approved": _shuffler,
    "dealing": _dealing,
    "same-paytable-and-decks": _on_links(_alike),
    "one-progressive": _on_links(_one_progressive),
    "progressive-system": _on_links(_system),
    "plain-display": _on_links(_plain_display),
    "i-verify-in-view": _i_verify,
}
"""By key. A condition that is not here is shown by papers about the game."""


_USES: Mapping[str, tuple[Use, bool]] = {
    "equipment-licensed": (Use.LAYOUT, False),
    "equipment-certified": (Use.LAYOUT, False),
    "progressive-system": (Use.SYSTEM, True),
    "plain-display": (Use.DISPLAY, True),
}
"""By condition: which equipment it finds missing at a table, and whether only at one that is on a link."""


def equipment_needed(register: Register, profile: Profile, day: date) -> list[dict[str, Any]]:
    """Each use once that a condition asks for: what it does where nothing is recorded, its words and its paragraph."""
    rules, needed = profile.on(day), dict[Use, dict[str, Any]]()
    for approval in register.approvals:
        for condition in approval.conditions:
            there = condition.where is Where.EVERYWHERE or condition.where is profile.operation
            if there and condition.key in _USES:
                (use, on_link), does = _USES[condition.key], str(rules.condition(condition.key).does)
                why = {"does": does, "asks": condition.asks, "paragraph": f"{approval.page} {condition.paragraph}"}
                needed.setdefault(use, {"use": str(use), "on_link": on_link, **why})
    return list(needed.values())
