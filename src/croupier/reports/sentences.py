"""Every kind of entry in one short sentence, as the log of a pit would say it. Who did it stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from croupier.compliance.authority import Role
from croupier.compliance.paper import name_of
from croupier.floor.act import EntryKind
from croupier.floor.facts import (
    AcceptTimeFacts,
    AdjustFacts,
    BackOutFacts,
    CallFacts,
    ChangeRoleFacts,
    ChooseProfileFacts,
    CloseDayFacts,
    CloseFacts,
    CloseTableFacts,
    ConfirmFacts,
    CreateSiteFacts,
    DeclareBankFacts,
    DepositFacts,
    EndFacts,
    EnrolDeviceFacts,
    EnrolPersonFacts,
    EnterApprovalFacts,
    GivePrizeFacts,
    HandFacts,
    IssueSlipFacts,
    KeepCheckpointFacts,
    MakeFacts,
    NoteAccessFacts,
    NoteBackupFacts,
    NoteCheckFacts,
    NoteExportFacts,
    NoteKeyFacts,
    NotePinFacts,
    NoteStartFacts,
    OpenFacts,
    OpenTableFacts,
    PayFacts,
    PaySlipFacts,
    PlanRemovalFacts,
    ReadMeterFacts,
    ReceiveFacts,
    ReconcileFacts,
    ReconfigureFacts,
    RecordPaperFacts,
    RemoveTableFacts,
    RenameSiteFacts,
    ReopenFacts,
    ReplaceCardFacts,
    RetireFacts,
    RevokeCardFacts,
    RevokeDeviceFacts,
    SetClockFacts,
    SetSignInFacts,
    SetTableFacts,
    StartFacts,
    TakeBackFacts,
    TakeCallFacts,
    UnpayFacts,
    VoidFacts,
    WithdrawApprovalFacts,
    WithdrawPaperFacts,
)
from croupier.floor.link.state import went_to
from croupier.games.money import dollars
from croupier.ledger.checkpoint import fingerprint
from croupier.ledger.entry import account_words, ended, reason_words

Facts = Mapping[str, Any]
F = TypeVar("F")


def sentence(kind: str, facts: Facts) -> str:
    """What the entry says; a kind that nobody has words for is named."""
    try:
        return SENTENCES[kind](facts)
    except KeyError:
        return f"An entry of the kind {kind}."


def _words(_: type[F], words: Callable[[F], str]) -> Callable[[F], str]:
    """A sentence from the facts of one kind."""
    return words


def _numbered(what: str, numbers: Sequence[int]) -> str:
    """`table 3`, `tables 1, 2`."""
    return f"{what if len(numbers) == 1 else f'{what}s'} {', '.join(map(str, numbers))}"


def _seats(facts: StartFacts) -> str:
    seats = facts["seats"]
    wagers = f"{len(seats)} {'wager' if len(seats) == 1 else 'wagers'} of {dollars(facts['wager_cents'])}"
    where = f" at {_numbered('seat', seats)}" if seats else ""
    return f"Table {facts['table']} starts game {facts['round']}: {wagers}{where}."


def _hand(facts: HandFacts) -> str:
    cards = f" ({facts['cards']})" if facts.get("cards") else ""
    return f"Table {facts['table']}, seat {facts['seat']}: {facts['line']}{cards}"


def _entered(facts: HandFacts) -> str:
    held = max(facts["held"], key=lambda award: award["award"], default=None)
    waits = " for a card" if held and "parts" in held else ""
    amount = f" {dollars(held['cents'])} is held{waits}." if held else ""
    return f"{_hand(facts)} is entered, for {facts['pays']}.{amount}{_override(facts)}{_alarm(facts)}"


def _paid(facts: PayFacts) -> str:
    return f"{_hand(facts)} is paid {dollars(facts['cents'])}, {facts['pays']}.{_override(facts)}{_alarm(facts)}"


def _override(facts: HandFacts) -> str:
    over = facts.get("override")
    return f" The cards say otherwise; overridden by {over['by'][0]}: {ended(over['reason'])}" if over else ""


def _alarm(facts: HandFacts) -> str:
    return f" ALARM: {ended(facts['alarm'])}" if facts.get("alarm") else ""


def _award(facts: TakeBackFacts | ConfirmFacts | BackOutFacts) -> str:
    what = "Award" if "level" in facts else "Fixed pay"
    return f"{what} {facts['award']} of {dollars(facts['cents'])} at table {facts['table']}, seat {facts['seat']}"


def _called(facts: CallFacts) -> str:
    return f"Table {facts['table']} calls a supervisor for {_numbered('award', facts['awards'])}."


def _made(facts: MakeFacts) -> str:
    setup = facts["setup"]
    tables = _numbered("table", [table["number"] for table in setup["tables"]])
    return f"The link {facts['link']} is made: {setup['wager']}, paytable {setup['paytable']}, {tables}."


def _opened(facts: OpenFacts) -> str:
    shown = ", ".join(f"{level or 'Progressive'} {dollars(cents)}" for level, cents in facts["shown_cents"].items())
    return f"The link is opened after its self-check: {shown}."


def _closed(facts: CloseFacts) -> str:
    reason = f": {ended(facts['reason'])}" if facts["reason"] else "."
    playing = f" Games are still on at {_numbered('table', facts['games_on'])}." if facts["games_on"] else ""
    return f"The link is closed{reason}{playing}"


def _adjusted(facts: AdjustFacts) -> str:
    about = f", for award {facts['award']}" if facts.get("award") else ""
    level, source, target = facts["level"] or "Progressive", account_words(facts["from"]), account_words(facts["to"])
    return (
        f"{dollars(facts['cents'])} of {level} goes from {source} to {target} "
        f"({reason_words(facts['reason'])}{about}): {ended(facts['text'])}"
        + (" The next meter is seeded." if facts.get("reseed") else "")
    )


def _backed_out(facts: BackOutFacts) -> str:
    shows = f" The meter shows {dollars(facts['shown_cents'])}." if "shown_cents" in facts else ""
    alarm = f" ALARM: {ended(facts['alarm'])}" if facts.get("alarm") else ""
    return f"{_award(facts)} is backed out: {ended(facts['reason'])}{shows}{alarm}"


def _changed(names: Sequence[str]) -> str:
    """`levels, executive threshold`: what has changed, without its unit."""
    return ", ".join(name.removesuffix("_cents").replace("_", " ") for name in names)


def _declared(facts: DeclareBankFacts) -> str:
    return f"The bank is declared to hold {dollars(facts['balance_cents'])}."


def _table_set(facts: SetTableFacts) -> str:
    table, was = facts["table"], facts.get("was")
    least, most = dollars(table["least_wager_cents"]), dollars(table["most_wager_cents"])
    return f"Table {table['number']} is {'changed' if was else 'set up'}: {table['title']}, wagers {least} to {most}."


def _device(facts: EnrolDeviceFacts) -> str:
    where = f"table {facts['table']}" if facts.get("table") else facts.get("link") or "the whole site"
    return f"The {facts['device_kind']} {facts['device']} ({facts['name']}) is enrolled for {where}."


def _reading(facts: ReadMeterFacts) -> str:
    difference, level = facts["difference_cents"], facts["level"] or "Progressive"
    verdict = f"which differs from the book by {dollars(difference)}" if difference else "as the book says"
    about = f" It takes the place of the reading in entry {facts['corrects']}." if facts.get("corrects") else ""
    note = f" {ended(facts['note'])}" if facts.get("note") else ""
    return (
        f"For {facts['day']}, {level} of the link {facts['link']} is read as {dollars(facts['read_cents'])} at "
        f"{facts['display']}, {verdict}.{about}{note}"
    )


def _day_closed(facts: CloseDayFacts) -> str:
    if facts["agrees"]:
        return (
            f"The gaming day {facts['day']} is closed: every meter was read, and every reading is what the book says."
        )
    wrong = sum(bool(fact["difference_cents"]) for fact in facts["readings"] if fact["corrected_by"] is None)
    differ = "1 reading differs" if wrong == 1 else f"{wrong} readings differ"
    return f"The gaming day {facts['day']} is closed WITH DIFFERENCES: {differ}, {_not_read(len(facts['not_read']))}."


def _not_read(meters: int) -> str:
    return "1 meter was not read" if meters == 1 else f"{meters} meters were not read"


def _checkpoint(facts: KeepCheckpointFacts) -> str:
    return f"Signed checkpoints for {facts['day']} (UTC) are kept: {', '.join(sorted(facts['checkpoints']))}."


def _exported(facts: NoteExportFacts) -> str:
    if facts.get("report"):
        return f"The report {facts['report']} is exported."
    return f"The books {', '.join(sorted(facts['books']))} are exported."


ENDED = {
    "signed-out": "signed out",
    "ended": "was ended by somebody else",
    "expired": "was no longer used",
    "new-pin": "ended with the new PIN",
    "other-card": "ended with the card",
    "moved": "ended: the dealer signed in at another table",
    "span-over": "ended with the span of days",
}
"""Why a session ended, in words."""
TURNED_AWAY = {
    "wrong-pin": "the PIN was wrong",
    "unknown-card": "the card is nobody's here",
    "revoked-card": "the card was revoked",
    "card-form": "the card was not read right",
    "unknown-person": "nobody is enrolled so",
    "not-allowed": "the role may not do it",
    "pin-needed": "it takes card and PIN",
    "pin-to-choose": "a PIN is still to be chosen",
    "other-table": "it is another table's",
    "at-other-table": "another table is signed in",
    "card-needed": "it takes a card",
    "second-missing": "it takes two people",
    "same-person": "it takes two people, and this was one",
    "own-award": "whoever confirmed an award does not pay it",
    "no-key": "a PIN is still to be chosen",
    "not-agreed": "the second person has not agreed to it",
    "second-unknown": "the second person has not agreed to it",
    "no-keypad": "it is done at the table's keypad",
    "locked-out": "too much was tried",
    "too-many": "too much was tried",
    "span-over": "the span of days is over",
}
"""Why somebody was not let in, in words; other codes stand as they are."""


def _access(facts: NoteAccessFacts) -> str:
    who, how = facts.get("person") or "Somebody", f" with {facts['how']}" if facts.get("how") else ""
    times = f", {facts['times']:,} times" if "times" in facts else ""
    why = TURNED_AWAY.get(facts.get("why", ""), facts.get("why", ""))
    match facts["event"]:
        case "sign-in":
            return f"{who} signs in{how}."
        case "ended":
            return f"The session of {who} {ENDED.get(why, why)}{times}."
        case "failed":
            return f"{who} fails to sign in{how} ({why}){times}."
    shown, _, act = facts.get("how", "").partition(", ")
    if act:
        return f"{who} is refused {act} with {shown} ({why}){times}."
    return f"{who} is not let in{how} ({why}){times}."


def _enrolled(facts: EnrolPersonFacts) -> str:
    return f"{facts['name']} ({facts['person']}) is enrolled as {facts['role']}{_until(facts.get('until', ''))}."


def _role_changed(facts: ChangeRoleFacts) -> str:
    until = _until(facts.get("until", ""))
    card = " The dealer's card ends with it." if facts.get("law", 1) > 1 and facts["was"] == Role.DEALER else ""
    return f"{facts['person']} is {facts['role']} now{until}, and was {facts['was']}.{card}"


def _until(moment: str) -> str:
    return f" until {moment[:16].replace('T', ' ')} UTC" if moment else ""


def _started(facts: NoteStartFacts) -> str:
    changed = facts.get("changed", [])
    files = f" NOT AS INSTALLED: {', '.join(changed)}." if changed else ""
    marks = " NO MARKS said how far they had been acknowledged." if facts.get("unmarked") else ""
    games = ", ".join(f"{game} (SHA-256 {digest})" for game, digest in sorted(facts.get("own_games", {}).items()))
    own = f" Games of the house's own: {games}." if games else ""
    return f"Croupier {facts['version']} begins to write the books: SHA-256 {facts['digest']}.{own}{files}{marks}"


def _ends(books: Mapping[str, int]) -> str:
    return ", ".join(f"{book} to entry {entries:,}" for book, entries in sorted(books.items()))


def _paper(told: RecordPaperFacts) -> str:
    kind = "A rehearsal's paper" if told.get("rehearsal") else "A paper"
    of = f" for {told['of']}" if "of" in told else ""
    until = f", good until {told['until']}" if "until" in told else ""
    what = f"{name_of(told['condition'])}, {told['step']}{of}: {told['reference']} of {told['dated']}{until}"
    return f"{kind} is recorded: {what}, SHA-256 {told['sha256'][:12]}."


SENTENCES: Mapping[str, Callable[[Any], str]] = {
    # A link's book
    EntryKind.START: _seats,
    EntryKind.END: _words(EndFacts, lambda facts: f"Table {facts['table']} ends game {facts['round']}."),
    EntryKind.REOPEN: _words(
        ReopenFacts,
        lambda facts: f"Table {facts['table']} has game {facts['round']} reopened: {ended(facts['reason'])}",
    ),
    EntryKind.ENTER: _entered,
    EntryKind.PAY: _paid,
    EntryKind.TAKE_BACK: _words(
        TakeBackFacts, lambda facts: f"{_award(facts)} is taken back by the dealer: it was an accident."
    ),
    EntryKind.UNPAY: _words(
        UnpayFacts,
        lambda facts: (
            f"Fixed pay {facts['award']} of {dollars(facts['cents'])} at table {facts['table']}, "
            f"seat {facts['seat']} is taken back by the dealer."
        ),
    ),
    EntryKind.CALL: _called,
    EntryKind.TAKE_CALL: _words(
        TakeCallFacts, lambda facts: f"The call of table {facts['table']} (entry {facts['call']}) is taken."
    ),
    EntryKind.CONFIRM: _words(
        ConfirmFacts,
        # before there were slips, the card was all that is on record of the payment
        lambda facts: f"{_award(facts)} is confirmed{'' if 'form' in facts else ' and paid'}: {facts['line']}.",
    ),
    EntryKind.VOID: _words(VoidFacts, lambda facts: f"{_award(facts)} is voided: {ended(facts['reason'])}"),
    EntryKind.ISSUE_SLIP: _words(
        IssueSlipFacts,
        lambda facts: (
            f"Jackpot slip {facts['slip']} of {dollars(facts['cents'])} is issued for award {facts['award']}."
        ),
    ),
    EntryKind.PAY_SLIP: _words(
        PaySlipFacts,
        lambda facts: f"Jackpot slip {facts['slip']} is paid: {dollars(facts['paid_cents'])} in {facts['paid_in']}.",
    ),
    EntryKind.MAKE: _made,
    EntryKind.OPEN: _opened,
    EntryKind.CLOSE: _closed,
    EntryKind.ADJUST: _adjusted,
    EntryKind.BACK_OUT: _backed_out,
    EntryKind.RECONFIGURE: _words(
        ReconfigureFacts, lambda facts: f"The configuration is changed: {_changed(facts['changed'])}."
    ),
    EntryKind.RETIRE: _words(
        RetireFacts,
        lambda facts: (
            f"The link {facts['link']} is retired; its value goes to "
            f"{went_to(facts['to'], facts.get('destination', ''))}."
        ),
    ),
    EntryKind.RECEIVE: _words(
        ReceiveFacts, lambda facts: f"The value of the retired link {facts['source']} comes here."
    ),
    # The site's book
    EntryKind.CREATE_SITE: _words(
        CreateSiteFacts, lambda facts: f"The site {facts['title']} is created under the profile {facts['profile']}."
    ),
    EntryKind.ENROL_PERSON: _enrolled,
    EntryKind.CHANGE_ROLE: _words(ChangeRoleFacts, _role_changed),
    EntryKind.REPLACE_CARD: _words(ReplaceCardFacts, lambda facts: f"{facts['person']} has a new card."),
    EntryKind.REVOKE_CARD: _words(
        RevokeCardFacts, lambda facts: f"The card of {facts['person']} is revoked: {ended(facts['reason'])}"
    ),
    EntryKind.SET_TABLE: _table_set,
    EntryKind.REMOVE_TABLE: _words(RemoveTableFacts, lambda facts: f"Table {facts['number']} is removed."),
    EntryKind.RENAME_SITE: _words(
        RenameSiteFacts, lambda facts: f"The site is called {facts['title']} now, and was {facts['was']}."
    ),
    EntryKind.CHOOSE_PROFILE: _words(
        ChooseProfileFacts, lambda facts: f"The profile is {facts['profile']} now, and was {facts['was']}."
    ),
    EntryKind.SET_CLOCK: _words(
        SetClockFacts,
        lambda facts: f"Gaming days begin at {facts['day_begins']}:00 now, by the clock of {facts['zone']}.",
    ),
    EntryKind.ACCEPT_TIME: _words(
        AcceptTimeFacts, lambda facts: f"The server's clock is accepted as it is: {facts['time']} by two watches."
    ),
    EntryKind.DECLARE_BANK: _declared,
    EntryKind.DEPOSIT: _words(
        DepositFacts, lambda facts: f"{dollars(facts['amount_cents'])} is deposited, slip {facts['reference']}."
    ),
    EntryKind.NOTE_PIN: _words(NotePinFacts, lambda facts: f"The PIN of {facts['person']} is set."),
    EntryKind.ENROL_DEVICE: _device,
    EntryKind.REVOKE_DEVICE: _words(
        RevokeDeviceFacts, lambda facts: f"The device {facts['device']} is revoked: {ended(facts['reason'])}"
    ),
    EntryKind.READ_METER: _reading,
    EntryKind.CLOSE_DAY: _day_closed,
    EntryKind.KEEP_CHECKPOINT: _checkpoint,
    EntryKind.NOTE_EXPORT: _exported,
    EntryKind.NOTE_BACKUP: _words(
        NoteBackupFacts, lambda facts: f"A backup of all books is made: {facts['file']}, SHA-256 {facts['digest']}."
    ),
    EntryKind.NOTE_KEY: _words(
        NoteKeyFacts, lambda facts: f"The site signs with the key {fingerprint(facts['key'])} from now on."
    ),
    EntryKind.NOTE_ACCESS: _access,
    EntryKind.NOTE_START: _started,
    EntryKind.NOTE_CHECK: _words(
        NoteCheckFacts, lambda facts: f"Books were read through and add up: {_ends(facts['books'])}."
    ),
    EntryKind.NOTE_EVIDENCE: _words(
        NoteBackupFacts, lambda facts: f"The evidence file is taken: {facts['file']}, SHA-256 {facts['digest']}."
    ),
    EntryKind.RECONCILE: _words(
        ReconcileFacts,
        lambda facts: (
            f"The statement of {facts['month']}, {dollars(facts['statement_cents'])}, is held against the funds, "
            f"{dollars(facts['fund_cents'])}."
            + (
                f" By the books they were {dollars(facts['book_cents'])}, a variance of "
                f"{dollars(facts['variance_cents'])}."
                if "book_cents" in facts
                else ""
            )
            + (f" {ended(facts['note'])}" if facts["note"] else "")
        ),
    ),
    EntryKind.GIVE_PRIZE: _words(
        GivePrizeFacts,
        lambda facts: (
            f"{dollars(facts['amount_cents'])} of the prize of the retired link {facts['link']} is given to "
            f"{facts['recipient']}, {facts['reference']}."
            + (f" It is on {facts['game']}." if facts["game"] else "")
            + (f" {ended(facts['note'])}" if facts["note"] else "")
        ),
    ),
    EntryKind.PLAN_REMOVAL: _words(
        PlanRemovalFacts,
        lambda facts: (
            f"The link {facts['link']} is to be removed by the plan {facts['plan']}, approved {facts['approved']}, "
            f"posted {facts['posted']}; its prize goes to {facts['destination'].replace('-', ' ')}."
        ),
    ),
    EntryKind.SET_SIGN_IN: _words(
        SetSignInFacts,
        lambda facts: (
            "A dealer may be signed in at several tables at once."
            if facts["many_tables"]
            else "A dealer is signed in at one table at a time."
        ),
    ),
    EntryKind.ENTER_APPROVAL: _words(
        EnterApprovalFacts, lambda facts: f"The approval {facts['key']} is entered, {len(facts['lines'])} lines."
    ),
    EntryKind.WITHDRAW_APPROVAL: _words(
        WithdrawApprovalFacts, lambda facts: f"The approval {facts['key']} is withdrawn: {ended(facts['reason'])}"
    ),
    EntryKind.RECORD_PAPER: _paper,
    EntryKind.WITHDRAW_PAPER: _words(
        WithdrawPaperFacts, lambda facts: f"The paper of entry {facts['paper']} is withdrawn: {ended(facts['reason'])}"
    ),
    EntryKind.OPEN_TABLE: _words(OpenTableFacts, lambda facts: f"Table {facts['number']} is open."),
    EntryKind.CLOSE_TABLE: _words(
        CloseTableFacts,
        lambda facts: f"Table {facts['number']} is closed{': ' + ended(facts['reason']) if 'reason' in facts else '.'}",
    ),
}
