"""Which facts an entry of each kind has: what the floor writes, and what audit, reports and displays may read.

    facts_of(PayFacts, entry)["cents"]

A record here is a promise about books that exist: what was added to a kind later is optional.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, Protocol, TypedDict, TypeVar, cast

from croupier.floor.act import EntryKind

Json = dict[str, Any]


class HasFacts(Protocol):
    """An entry, or a row of a book."""

    @property
    def facts(self) -> Mapping[str, Any]: ...


F = TypeVar("F")


def facts_of(_: type[F], entry: HasFacts) -> F:
    """The facts of an entry of a known kind, by the record that says which they are."""
    return cast(F, entry.facts)


# A link's book


class _Signed(TypedDict):
    by: list[str]


class LinkFacts(_Signed, total=False):
    where: str
    second: list[str]
    agreed: Json
    notes: Json


class EndFacts(LinkFacts):
    table: int
    round: int


class StartFacts(EndFacts):
    seats: list[int]
    based: list[int]
    wager_cents: int


class ReopenFacts(EndFacts):
    seats: list[int]
    based: list[int]
    reason: str
    stands: Json
    """By level: what the game's hands are taken from."""


class CallFacts(EndFacts):
    awards: list[int]


class TakeCallFacts(EndFacts):
    call: int


class _Share(TypedDict, total=False):
    """Of an award that is a share of a meter."""

    level: str
    share: str
    meter_units: int
    seed_units: int
    reserve_units: int
    overflow_units: int
    added_units: int
    short_reserve_units: int
    short_overflow_units: int


class _HeldPay(TypedDict, total=False):
    """Of an award that is a fixed pay."""

    parts: list[Json]


class HeldAward(_Share, _HeldPay):
    """An award as its amount is locked: a share of a meter, or a fixed pay, which has `parts`."""

    award: int
    table: int
    round: int
    seat: int
    line: str
    entered_by: str
    cents: int
    called: bool


class LockingFacts(TypedDict, total=False):
    """Of an entry that changes what is locked inside."""

    locked: list[list[Any]]


class HoldingFacts(LockingFacts, total=False):
    """Of an entry that locks awards, or unlocks them."""

    held: list[HeldAward]
    fixed_parts: dict[str, list[Json]]
    alarm: str


class _Claim(HoldingFacts, total=False):
    cards: str
    cards_make: str
    override: Json
    law: int
    stood: Json
    confirmed_before_it: list[int]


class HandFacts(EndFacts, _Claim):
    """A hand, of a share or of a fixed pay."""

    seat: int
    line: str
    pays: str
    game_digest: str


class WonFacts(EndFacts):
    """What a hand came to."""

    seat: int
    line: str
    cents: int


class PayFacts(HandFacts, WonFacts):
    parts: list[Json]


class DecidedFacts(WonFacts):
    """A hand that was confirmed, voided or taken back."""

    award: int


class UnpayFacts(DecidedFacts, HoldingFacts):
    pass


class _MaybeLevel(TypedDict, total=False):
    level: str


class TakeBackFacts(UnpayFacts, _MaybeLevel):
    """Of a share, its level; of a fixed pay, none."""


class VoidFacts(TakeBackFacts):
    reason: str


class _MaybeShown(TypedDict, total=False):
    shown_cents: int
    form: int


class ConfirmFacts(DecidedFacts, HeldAward, LockingFacts, _MaybeShown):
    """Of a share, what the card left on its meter."""

    threshold_cents: int
    game_digest: str


class _SlipFacts(LinkFacts):
    slip: int
    award: int
    table: int
    cents: int
    withheld_cents: int


class IssueSlipFacts(_SlipFacts):
    seat: int
    line: str
    asks: list[str]
    confirmed: str


class PaySlipFacts(_SlipFacts):
    paid_cents: int
    paid_in: str
    identity: str


class ConfiguredFacts(LinkFacts):
    configuration: str
    game_digest: str


class MakeFacts(ConfiguredFacts):
    link: str
    setup: Json
    proof: Json


class ReconfigureFacts(ConfiguredFacts):
    old: Json
    new: Json
    changed: list[str]
    proof: Json


class OpenFacts(ConfiguredFacts):
    approved: str
    shown_cents: dict[str, int]


class CloseFacts(LinkFacts):
    reason: str
    games_on: list[int]


_Path = TypedDict("_Path", {"from": str, "to": str})


class _MaybeReseeded(TypedDict, total=False):
    """Of an adjustment that pays the whole meter to a late winner, what went on the next one."""

    reseed: bool
    seed_units: int
    reserve_units: int
    overflow_units: int


class AdjustFacts(LinkFacts, _Path, _MaybeReseeded):
    level: str
    reason: str
    cents: int
    text: str
    award: int | None
    shown_cents: int


class _BackedOutShare(TypedDict, total=False):
    """Of a share of a meter, what of the next meter went back where it came from."""

    level: str
    seed_units: int
    reserve_units: int
    overflow_units: int
    added_units: int
    shown_cents: int
    alarm: str


class BackOutFacts(DecidedFacts, _BackedOutShare, _HeldPay):
    """Of a fixed pay, the parts that went back to meters; none where it came from the tray."""

    reason: str


class RetireFacts(LinkFacts):
    link: str
    to: str
    destination: NotRequired[str]
    """Where its prize goes, if to no other link."""


class ReceiveFacts(LinkFacts):
    source: str
    entry: Json
    levels: dict[str, str]


# The site's book


class _Given(TypedDict):
    by: str


class SiteFacts(_Given, total=False):
    where: str


class _MaybeAgreed(TypedDict, total=False):
    agreed: Json


class SecondedFacts(SiteFacts, _MaybeAgreed):
    second: str


class _MaybeEdition(TypedDict, total=False):
    profile_digest: str


class CreateSiteFacts(SiteFacts, _MaybeEdition):
    title: str
    profile: str
    name: str
    card: str
    zone: str
    day_begins: int


class _MaybeUntil(TypedDict, total=False):
    until: str


class _MaybeWithPin(_MaybeUntil, total=False):
    with_pin: bool


class EnrolPersonFacts(SecondedFacts, _MaybeWithPin):
    person: str
    name: str
    role: str
    card: str


class _MaybeLaw(_MaybeUntil, total=False):
    law: int


class ChangeRoleFacts(SecondedFacts, _MaybeLaw):
    person: str
    role: str
    was: str


class ReplaceCardFacts(SecondedFacts):
    person: str
    card: str


class RevokeCardFacts(SiteFacts):
    person: str
    reason: str


class _MaybeSeconded(TypedDict, total=False):
    second: str
    key: Json


class NotePinFacts(SiteFacts, _MaybeSeconded, _MaybeAgreed):
    person: str


class _Seconded(TypedDict, total=False):
    second: str


class EnrolDeviceFacts(SiteFacts, _Seconded, _MaybeAgreed):
    device: str
    device_kind: str
    name: str
    token: str
    table: int | None
    link: str


class RevokeDeviceFacts(SiteFacts):
    device: str
    reason: str


class SetTableFacts(SecondedFacts):
    table: Json
    was: Json | None


class RemoveTableFacts(SecondedFacts):
    number: int
    was: Json


class RenameSiteFacts(SecondedFacts):
    title: str
    was: str


class ChooseProfileFacts(SecondedFacts, _MaybeEdition):
    profile: str
    was: str


class SetClockFacts(SecondedFacts):
    zone: str
    day_begins: int
    was: list[Any]


class AcceptTimeFacts(SecondedFacts):
    time: str


class DeclareBankFacts(SiteFacts):
    balance_cents: int
    paid: dict[str, int]


class DepositFacts(SiteFacts):
    amount_cents: int
    reference: str
    contributed: dict[str, int]


class ReadMeterFacts(SiteFacts):
    day: str
    link: str
    level: str
    read_cents: int
    display: str
    corrects: int | None
    note: str
    book: Json
    difference_cents: int
    seen_at: NotRequired[str]


_Spell = TypedDict("_Spell", {"from": str, "until": str})


class CloseDayFacts(SiteFacts, _Spell):
    day: str
    note: str
    links: Json
    checkpoints: Json
    zone: str
    day_begins: int
    readings: list[Json]
    not_read: list[list[str]]
    agrees: bool


class KeepCheckpointFacts(SiteFacts):
    day: str
    checkpoints: Json


class _MaybeReport(TypedDict, total=False):
    report: str


class NoteCheckFacts(SiteFacts):
    books: dict[str, int]


class NoteExportFacts(NoteCheckFacts, _MaybeReport): ...


class NoteBackupFacts(NoteCheckFacts):
    file: str
    digest: str
    size_bytes: int


class NoteKeyFacts(SiteFacts):
    key: str
    was: str


class _MaybeAccess(TypedDict, total=False):
    person: str
    how: str
    why: str
    session: str
    times: int
    happened: str


class NoteAccessFacts(SiteFacts, _MaybeAccess):
    event: str


class SetSignInFacts(SecondedFacts):
    many_tables: bool


class NoteStartFacts(SiteFacts):
    version: str
    digest: str
    packages: str
    changed: NotRequired[list[str]]
    unmarked: NotRequired[bool]
    own_games: NotRequired[dict[str, str]]


class ReconcileFacts(SiteFacts):
    month: str
    statement_cents: int
    fund_cents: int
    note: str
    difference_cents: int
    links: NotRequired[Json]
    book_cents: NotRequired[int]
    variance_cents: NotRequired[int]
    until: NotRequired[str]


class PlanRemovalFacts(SecondedFacts):
    link: str
    plan: str
    approved: str
    posted: str
    destination: str


class GivePrizeFacts(SecondedFacts):
    link: str
    amount_cents: int
    recipient: str
    reference: str
    game: str
    note: str


class EnterApprovalFacts(SecondedFacts):
    key: str
    lines: list[str]


class WithdrawApprovalFacts(SecondedFacts):
    key: str
    reason: str


class RecordPaperFacts(SiteFacts):
    condition: str
    step: str
    reference: str
    dated: str
    file: str
    sha256: str
    of: NotRequired[str]
    until: NotRequired[str]
    note: NotRequired[str]
    rehearsal: NotRequired[bool]


class WithdrawPaperFacts(SiteFacts):
    paper: int
    reason: str


class OpenTableFacts(SiteFacts):
    number: int
    found: Json


class CloseTableFacts(SiteFacts):
    number: int
    reason: NotRequired[str]


FACTS: Mapping[str, Any] = {
    **{EntryKind.START: StartFacts, EntryKind.END: EndFacts, EntryKind.REOPEN: ReopenFacts},
    **{EntryKind.ENTER: HandFacts, EntryKind.PAY: PayFacts, EntryKind.TAKE_BACK: TakeBackFacts},
    **{EntryKind.UNPAY: UnpayFacts, EntryKind.CALL: CallFacts, EntryKind.TAKE_CALL: TakeCallFacts},
    **{EntryKind.CONFIRM: ConfirmFacts, EntryKind.VOID: VoidFacts, EntryKind.ISSUE_SLIP: IssueSlipFacts},
    **{EntryKind.PAY_SLIP: PaySlipFacts, EntryKind.MAKE: MakeFacts, EntryKind.OPEN: OpenFacts},
    **{EntryKind.CLOSE: CloseFacts, EntryKind.ADJUST: AdjustFacts, EntryKind.BACK_OUT: BackOutFacts},
    **{EntryKind.RECONFIGURE: ReconfigureFacts, EntryKind.RETIRE: RetireFacts, EntryKind.RECEIVE: ReceiveFacts},
    **{EntryKind.CREATE_SITE: CreateSiteFacts, EntryKind.ENROL_PERSON: EnrolPersonFacts},
    **{EntryKind.CHANGE_ROLE: ChangeRoleFacts, EntryKind.REPLACE_CARD: ReplaceCardFacts},
    **{EntryKind.REVOKE_CARD: RevokeCardFacts, EntryKind.NOTE_PIN: NotePinFacts},
    **{EntryKind.ENROL_DEVICE: EnrolDeviceFacts, EntryKind.REVOKE_DEVICE: RevokeDeviceFacts},
    **{EntryKind.SET_TABLE: SetTableFacts, EntryKind.REMOVE_TABLE: RemoveTableFacts},
    **{EntryKind.RENAME_SITE: RenameSiteFacts, EntryKind.CHOOSE_PROFILE: ChooseProfileFacts},
    **{EntryKind.SET_CLOCK: SetClockFacts, EntryKind.ACCEPT_TIME: AcceptTimeFacts},
    **{EntryKind.DECLARE_BANK: DeclareBankFacts, EntryKind.DEPOSIT: DepositFacts},
    **{EntryKind.READ_METER: ReadMeterFacts, EntryKind.CLOSE_DAY: CloseDayFacts},
    **{EntryKind.KEEP_CHECKPOINT: KeepCheckpointFacts, EntryKind.NOTE_EXPORT: NoteExportFacts},
    **{EntryKind.NOTE_BACKUP: NoteBackupFacts, EntryKind.NOTE_KEY: NoteKeyFacts},
    **{EntryKind.NOTE_ACCESS: NoteAccessFacts, EntryKind.SET_SIGN_IN: SetSignInFacts},
    **{EntryKind.NOTE_START: NoteStartFacts, EntryKind.NOTE_CHECK: NoteCheckFacts},
    **{EntryKind.NOTE_EVIDENCE: NoteBackupFacts, EntryKind.RECONCILE: ReconcileFacts},
    **{EntryKind.PLAN_REMOVAL: PlanRemovalFacts, EntryKind.GIVE_PRIZE: GivePrizeFacts},
    **{EntryKind.ENTER_APPROVAL: EnterApprovalFacts},
    **{EntryKind.WITHDRAW_APPROVAL: WithdrawApprovalFacts, EntryKind.RECORD_PAPER: RecordPaperFacts},
    **{EntryKind.WITHDRAW_PAPER: WithdrawPaperFacts, EntryKind.OPEN_TABLE: OpenTableFacts},
    **{EntryKind.CLOSE_TABLE: CloseTableFacts},
}
"""By kind of entry: the record of its facts."""
