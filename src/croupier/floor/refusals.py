"""Every reason for which a link or the site says no: a code for programs and a sentence for people.

That a person's role does not allow an act, or that it takes two people, is said by `authority`.
"""

from __future__ import annotations

from enum import StrEnum

from croupier.errors import Refusal


class No(StrEnum):
    """Why an act is not done. Nothing has changed when one of these is said."""

    # How an act is written
    WRONG_FORM = "wrong-form"
    WRONG_SETUP = "wrong-setup"
    # Which link
    NOT_MADE = "not-made"
    ALREADY_MADE = "already-made"
    RETIRED = "retired"
    # Joining a link
    OTHER_TITLE = "other-title"
    OTHER_PAYTABLE = "other-paytable"
    OTHER_DECKS = "other-decks"
    SECOND_PROGRESSIVE = "second-progressive"
    OTHER_CHANCES = "other-chances"
    # Opening and closing
    ALREADY_OPEN = "already-open"
    ALREADY_CLOSED = "already-closed"
    NOT_OPEN = "not-open"
    NOT_CLOSED = "not-closed"
    RULES_CHANGED = "rules-changed"
    NOT_APPROVED = "not-approved"
    BROKEN_CHAIN = "broken-chain"
    UNBALANCED = "unbalanced"
    # What the house says
    NO_SUCH_LINK = "no-such-link"
    NOT_THE_SITES_TABLE = "not-the-sites-table"
    AGAINST_RULES = "against-rules"
    NOT_COVERED = "not-covered"
    COVERED_AGAIN = "covered-again"
    # The game cycle
    NOT_LINKED = "not-linked"
    GAME_ON = "game-on"
    NO_GAME = "no-game"
    NO_SUCH_SEAT = "no-such-seat"
    NO_BASE_WAGER = "no-base-wager"
    TOO_SOON = "too-soon"
    UNDECIDED = "undecided"
    ANOTHER_GAME = "another-game"
    NO_LAST_GAME = "no-last-game"
    # Awards
    NO_WAGER = "no-wager"
    NO_SUCH_LINE = "no-such-line"
    ALREADY_ENTERED = "already-entered"
    NOTHING_ENTERED = "nothing-entered"
    FINAL = "final"
    NO_SUCH_AWARD = "no-such-award"
    NOTHING_TO_CONFIRM = "nothing-to-confirm"
    OUT_OF_ORDER = "out-of-order"
    OTHER_AMOUNT = "other-amount"
    CALLED = "called"
    NO_CALL = "no-call"
    CALL_TAKEN = "call-taken"
    WRONG_CARDS = "wrong-cards"
    CARDS_DISAGREE = "cards-disagree"
    CANNOT_BE = "cannot-be"
    OTHER_LAW = "other-law"
    NO_REASON = "no-reason"
    # The cage
    NO_SLIP_FOR = "no-slip-for"
    HAS_SLIP = "has-slip"
    PUT_RIGHT = "put-right"
    NO_SUCH_SLIP = "no-such-slip"
    SLIP_PAID = "slip-paid"
    SLIP_UNPAID = "slip-unpaid"
    IDENTITY_NEEDED = "identity-needed"
    # The office
    NO_SUCH_LEVEL = "no-such-level"
    NOT_LAWFUL = "not-lawful"
    WRONG_AMOUNT = "wrong-amount"
    NOT_THERE = "not-there"
    ABOVE_MAXIMUM = "above-maximum"
    NOT_ABOVE_MAXIMUM = "not-above-maximum"
    MORE_THAN_SEEDED = "more-than-seeded"
    AWARD_NEEDED = "award-needed"
    NOT_CONFIRMED = "not-confirmed"
    MORE_THAN_WON = "more-than-won"
    NOT_AN_AWARD = "not-an-award"
    ALREADY_BACKED_OUT = "already-backed-out"
    OF_AN_EARLIER_LAW = "of-an-earlier-law"
    PAYS_PLAYERS = "pays-players"
    ONLY_A_WIN_RESEEDS = "only-a-win-reseeds"
    GAMES_ON = "games-on"
    OTHER_PROGRESSIVE = "other-progressive"
    OTHER_LEVELS = "other-levels"
    MAXIMUM_BELOW_METER = "maximum-below-meter"
    NOTHING_CHANGED = "nothing-changed"
    SAME_LINK = "same-link"
    NOT_FOR_THIS_LINK = "not-for-this-link"
    ALREADY_RECEIVED = "already-received"
    VALUE_ON_ITS_WAY = "value-on-its-way"
    NO_REMOVAL_PLAN = "no-removal-plan"
    POSTED_TOO_SHORT = "posted-too-short"
    OTHER_DESTINATION = "other-destination"
    NOT_TO_GIVE = "not-to-give"
    MORE_THAN_LEFT = "more-than-left"
    NOT_IN_ACCOUNT = "not-in-account"
    OTHER_GAME = "other-game"
    GIVEN_LATE = "given-late"
    # The site: its people, devices, tables and days
    NOT_CREATED = "not-created"
    ALREADY_CREATED = "already-created"
    UNKNOWN_PROFILE = "unknown-profile"
    SAME_TITLE = "same-title"
    SAME_PROFILE = "same-profile"
    OLDER_EDITION = "older-edition"
    NO_SUCH_MONTH = "no-such-month"
    UNEXPLAINED = "unexplained"
    NOT_THE_BOOKS = "not-the-books"
    PLAN_DATES = "plan-dates"
    PERSON_EXISTS = "person-exists"
    CARD_NEEDED = "card-needed"
    CARD_TAKEN = "card-taken"
    CARD_FORM = "card-form"
    SAME_ROLE = "same-role"
    NO_SPAN = "no-span"
    OWN_ROLE = "own-role"
    ALREADY_REVOKED = "already-revoked"
    LAST_MANAGER = "last-manager"
    NO_KEY = "no-key"
    NOT_AGREED = "not-agreed"
    NOT_A_PERSON = "not-a-person"
    DEVICE_EXISTS = "device-exists"
    TOKEN_TAKEN = "token-taken"
    KEYPAD_AT_TABLE = "keypad-at-table"
    BRIDGE_AT_TABLE = "bridge-at-table"
    LOOKS_LIKE = "looks-like"
    NO_SUCH_DEVICE = "no-such-device"
    SAME_CLOCK = "same-clock"
    STRANDS_PLAY = "strands-play"
    COUNTS_TWICE = "counts-twice"
    OTHER_TIME = "other-time"
    SAME_KEY = "same-key"
    SAME_SIGN_IN = "same-sign-in"
    SAME_TABLE = "same-table"
    TABLE_LINKED = "table-linked"
    NO_SUCH_TABLE = "no-such-table"
    NO_SUCH_WAGER = "no-such-wager"
    NOT_YET = "day-not-over"
    NO_SUCH_DAY = "no-such-day"
    DAY_CLOSED = "day-closed"
    ALREADY_READ = "already-read"
    NO_SUCH_READING = "no-such-reading"
    NO_SUCH_METER = "no-such-meter"
    CHECKPOINT_KEPT = "checkpoint-kept"
    BAD_CHECKPOINT = "bad-checkpoint"
    # The register: approvals, papers, and tables that open by them
    WRONG_APPROVAL = "wrong-approval"
    APPROVAL_EXISTS = "approval-exists"
    APPROVAL_WITHDRAWN = "approval-withdrawn"
    NO_SUCH_APPROVAL = "no-such-approval"
    NO_SUCH_TITLE = "no-such-title"
    WRONG_OFFER = "wrong-offer"
    NO_SUCH_CONDITION = "no-such-condition"
    DATES_ORDER = "dates-order"
    PAPER_TO_COME = "paper-to-come"
    PAPER_BEFORE = "paper-before"
    PAPER_ORDER = "paper-order"
    NO_SUCH_PAPER = "no-such-paper"
    NOT_FROM_REGISTER = "not-from-register"
    TABLE_OPEN = "table-open"
    TABLE_CLOSED = "table-closed"
    NOT_CLEARED = "not-cleared"


SENTENCES = {
    No.WRONG_FORM: "This cannot be read: {why}.",
    No.WRONG_SETUP: "The link cannot be set up this way: {why}.",
    No.NOT_MADE: "There is no link {link} yet: it has to be made first.",
    No.ALREADY_MADE: "The link {link} has been made already.",
    No.RETIRED: "The link {link} is retired, and its value was moved to {to}.",
    No.OTHER_TITLE: "Table {table} deals {title!r}, which is not a title approved for this progressive: {titles}.",
    No.OTHER_PAYTABLE: "Table {table} offers {theirs}, and the link {ours}: linked tables have the same paytable.",
    No.OTHER_DECKS: "Table {table} deals {theirs} decks, and the link {ours}: linked tables have the same number.",
    No.SECOND_PROGRESSIVE: "Table {table} ({title}) also offers {also}: a table has one progressive, not both.",
    No.OTHER_CHANCES: "At table {table} {line!r} is won with probability {theirs}, and in the link with {ours}: linked "
    "tables have the same winning hands with the same probabilities.",
    No.ALREADY_OPEN: "The link {link} is open already.",
    No.ALREADY_CLOSED: "The link {link} is closed already.",
    No.NOT_OPEN: "The link {link} is closed{why}: no game can start until an executive or a manager opens it in the "
    "console.",
    No.NOT_CLOSED: "The link {link} is open: close it first.",
    No.RULES_CHANGED: "The link stays closed: this program's rules and pays ({now:.12}) are not those that the link "
    "was set up with ({then:.12}).",
    No.NOT_APPROVED: "The link stays closed: the digest of its configuration is {now}, and that of the approved one "
    "{approved}. Look at the approval: all 64 characters are compared.",
    No.BROKEN_CHAIN: "The link stays closed: its book is damaged. {why}",
    No.UNBALANCED: "The link stays closed: in its book {what} differs by {units:,} millionths of a cent.",
    No.NO_SUCH_LINK: "There is no link {link!r}; there are: {links}.",
    No.NOT_THE_SITES_TABLE: "Table {table} of the link is not as the site has it: {why}.",
    No.AGAINST_RULES: "{why}",
    No.NOT_COVERED: "The bank does not cover the prizes, and no game can start until a manager has made a "
    "deposit. {why}",
    No.COVERED_AGAIN: "The link {link} was closed because the bank did not cover the prizes. It covers them now: no "
    "game can start until an executive or a manager opens the link in the console.",
    No.NOT_LINKED: "Table {table} is not on this link; there are: {tables}. A manager links tables in the console.",
    No.GAME_ON: "A game is on at table {table}: press END GAME before the next one starts.",
    No.NO_GAME: "No game is on at table {table}: press START GAME first.",
    No.NO_SUCH_SEAT: "Table {table} has seats 1 to {seats}, each once, and not {seat}.",
    No.NO_BASE_WAGER: "Seat {seat} at table {table} has a progressive wager without a base wager: lay a base wager, or "
    "take the progressive one back.",
    No.TOO_SOON: "A hand comes {least} after START GAME at the earliest: wait {wait}, then press it again.",
    No.UNDECIDED: "The award of seat {seat} at table {table} is undecided: a supervisor confirms or voids it, or "
    "its hand is pressed again to take it back.",
    No.ANOTHER_GAME: "A game is on at table {table}: enter the hand if it is of this game; the one before it stays as "
    "it ended.",
    No.NO_LAST_GAME: "Table {table} has no game to reopen: none has ended there since the link was set up or changed.",
    No.NO_WAGER: "Seat {seat} at table {table} had no progressive wager when the game started, so it has no hand to "
    "enter.",
    No.NO_SUCH_LINE: "Paytable {paytable} has no hand {line!r}; there are: {lines}.",
    No.ALREADY_ENTERED: "Seat {seat} at table {table} has {line!r} entered in this game: press that hand again to "
    "take it back, then the right one.",
    No.NOTHING_ENTERED: "No hand is entered for seat {seat} at table {table} in this game, so there is none to "
    "take back.",
    No.FINAL: "The award of seat {seat} at table {table} was confirmed by a card: tell a supervisor; two people "
    "in the office can back it out.",
    No.NO_SUCH_AWARD: "There is no undecided award {award}: look whether it was decided before, here or in the "
    "console.",
    No.NOTHING_TO_CONFIRM: "No award at table {table} waits for a supervisor: enter the winning hand first.",
    No.OUT_OF_ORDER: "The award of seat {first} at table {table} comes before that of seat {seat}: decide it first.",
    No.OTHER_AMOUNT: "The award of seat {seat} at table {table} is {amount} now, not {seen}: look at it and swipe "
    "the card again.",
    No.CALLED: "A supervisor was called for seat {seat} at table {table}: a card confirms or voids the award.",
    No.NO_CALL: "Table {table} has not called, or its awards are decided already: there is no call to take.",
    No.CALL_TAKEN: "{person} has taken the call of table {table} already.",
    No.WRONG_CARDS: "The cards cannot be checked: {why}. Enter them again.",
    No.CARDS_DISAGREE: "The cards {cards} make {made}, not {line!r}; a supervisor may override with a reason.",
    No.CANNOT_BE: "{line} at seat {seat} cannot occur beside {others}: no deal with {why} makes them all. Look at the "
    "cards, and take back the hand that is wrong.",
    No.OTHER_LAW: "This book is under a law from {oldest} to {newest} now, not under {law}.",
    No.NO_REASON: "Say why, in 1 to {most} printable characters.",
    No.NO_SLIP_FOR: "No slip can be issued for {award}: it is not an award of this link that a card has confirmed, or "
    "it is from before there were slips. Look at its number in the list of awards.",
    No.HAS_SLIP: "Award {award} has slip {slip}: print that one again.",
    No.PUT_RIGHT: "Award {award} was confirmed at {was}, and was corrected or backed out since: the note of that says "
    "what is paid, not a slip.",
    No.NO_SUCH_SLIP: "There is no slip {slip} of this link: look at the number on the paper.",
    No.SLIP_PAID: "Slip {slip} was paid: the award's page says by whom and when.",
    No.SLIP_UNPAID: "Slip {slip} of award {award} is not paid: the cage pays it before the link is retired.",
    No.IDENTITY_NEEDED: "Slip {slip} calls for the player's identity ({asks}): say which document was looked at.",
    No.NO_SUCH_LEVEL: "The link has no level {level!r}; there are: {levels}.",
    No.NOT_LAWFUL: "{reason}: no money goes from {source} to {target} for this reason.",
    No.WRONG_AMOUNT: "An amount is from $0.01 to {most}, in whole cents.",
    No.NOT_THERE: "There are {there} in {account}, and {amount} cannot be taken.",
    No.ABOVE_MAXIMUM: "{level} would stand at {amount}, above its posted maximum of {maximum}.",
    No.NOT_ABOVE_MAXIMUM: "{level} stands {excess} above its posted maximum, so no {amount} can be taken for that.",
    No.MORE_THAN_SEEDED: "The house has {seeded} of its own in {level}, so it cannot recover {amount}.",
    No.AWARD_NEEDED: "Money that comes back from a player comes back from an award: say from which.",
    No.NOT_CONFIRMED: "No card has confirmed an award {award} of {level}.",
    No.MORE_THAN_WON: "Of award {award} the player has {left}, so {amount} cannot come back.",
    No.NOT_AN_AWARD: "No card has confirmed an award {award} on this link, so there is none to back out: look at its "
    "number in the list of awards.",
    No.OF_AN_EARLIER_LAW: "Award {award} is of a game that was settled by an earlier law: correct it with "
    "adjustments, its amount and its seed each by itself.",
    No.ALREADY_BACKED_OUT: "Award {award} was backed out already, with entry {entry}: nothing of it is left.",
    No.PAYS_PLAYERS: "This pays players {amount}: one of the two who sign must be {roles}.",
    No.ONLY_A_WIN_RESEEDS: "A meter is seeded again after a player has won it: choose amount won, from the meter to "
    "players, or leave the seed out.",
    No.GAMES_ON: "Games are on at table {tables}: end them first.",
    No.OTHER_PROGRESSIVE: "The money on the meters is for {old}, and cannot become that of {new}: make a new link, and "
    "move it.",
    No.OTHER_LEVELS: "The new paytable has the levels {new}, and the money is on {old}: make a new link, and move it.",
    No.MAXIMUM_BELOW_METER: "A maximum of {maximum} cannot be posted while {level} shows {shown}.",
    No.NOTHING_CHANGED: "The new configuration is the one that the link has.",
    No.SAME_LINK: "The value of a link is moved to another link, not to {link} itself.",
    No.NOT_FOR_THIS_LINK: "That entry moves no value to the link {link}: {why}.",
    No.VALUE_ON_ITS_WAY: "The value of the link {source} is on its way to the link {link}: receive it first.",
    No.ALREADY_RECEIVED: "The value of the link {link} was received already.",
    No.NO_REMOVAL_PLAN: "The link {link} is removed by a written plan that is approved first: put the plan on record, "
    "and post it at the tables ({citation}).",
    No.POSTED_TOO_SHORT: "The removal of the link {link} is posted since {posted}: it can be retired from {free} on "
    "({citation}).",
    No.OTHER_DESTINATION: "By its plan the prize of the link {link} goes to {destination}: retire it to that, or put "
    "another approved plan on record first.",
    No.NOT_TO_GIVE: "The link {link} is not retired to a promotion, a free tournament or a nonprofit organization: "
    "there is no prize of it to give.",
    No.MORE_THAN_LEFT: "Of the prize of the link {link} {left} is left to give, and not {amount}.",
    No.NOT_IN_ACCOUNT: "The account for prizes holds {there}, and {amount} cannot be given from it: deposit the "
    "rest first.",
    No.OTHER_GAME: "The prize of the link {link} is given on the game that it was won on, one of {titles}, and not on "
    "{game!r}.",
    No.GIVEN_LATE: "The prize of the link {link} was to be given by {due}: say in the note why it is late.",
    No.NOT_CREATED: "There is no site yet: it has to be created first.",
    No.ALREADY_CREATED: "The site {title} has been created already.",
    No.UNKNOWN_PROFILE: "{why}",
    No.SAME_TITLE: "The site is called {title} already.",
    No.SAME_PROFILE: "The site has the profile {profile} already.",
    No.OLDER_EDITION: "The site goes by {now}, edition {was}, and does not go back to edition {edition}.",
    No.NO_SUCH_MONTH: "The site has had no month {month} that is over: its first is {first}.",
    No.UNEXPLAINED: "The statement of {month} and the funds differ by {difference}: the note says how it was resolved.",
    No.NOT_THE_BOOKS: "By the books the funds at the end of {month} were {book}, and not {fund}: the note says how "
    "that was resolved.",
    No.PLAN_DATES: "A plan is approved first, then posted, and neither date is in the future: approved {approved}, "
    "posted {posted}, and today is {today}.",
    No.PERSON_EXISTS: "{person} is enrolled already, as {role}.",
    No.CARD_NEEDED: "Only a dealer may be enrolled without a card, and {name} is to be {role}.",
    No.CARD_TAKEN: "This card is or was that of {name}: a card is given to one person only.",
    No.CARD_FORM: "{why}",
    No.NO_SPAN: "An inspector is enrolled for a span of days, and nobody else is: {why}.",
    No.SAME_ROLE: "{name} is {role} already.",
    No.OWN_ROLE: "Nobody changes their own role: two other managers have to do it.",
    No.ALREADY_REVOKED: "The card of {name} was revoked already.",
    No.LAST_MANAGER: "{name} is the last manager: without one nobody could be enrolled.",
    No.NO_KEY: "{name} cannot agree with this card and PIN yet: {name} signs in, chooses a PIN, and agrees with that.",
    No.NOT_AGREED: "{name} has not agreed to this act with card and PIN: the second person shows them again.",
    No.DEVICE_EXISTS: "There is or was a device {device!r}: choose another name for it.",
    No.KEYPAD_AT_TABLE: "Table {number} has the keypad {device!r}: revoke it first. A table has one.",
    No.BRIDGE_AT_TABLE: "Table {number} has the bridge {device!r}: revoke it first. A table has one.",
    No.LOOKS_LIKE: "{name!r} looks like {other!r}, which is known here: choose a name that cannot be mistaken for it.",
    No.TOKEN_TAKEN: "This token is or was that of the device {device!r}: a token is given to one device only.",
    No.NO_SUCH_DEVICE: "There is no device {device!r} in use.",
    No.NOT_A_PERSON: "Nobody can be {role}: the program itself signs that way.",
    No.SAME_KEY: "The site signs with this key already.",
    No.SAME_SIGN_IN: "A dealer {says} be signed in at several tables already: nothing is changed.",
    No.SAME_CLOCK: "The site has this time zone and gaming day already.",
    No.STRANDS_PLAY: "With this clock play from {time} on would fall into the gaming day {day}, which is closed: close "
    "the day that is on, and set the clock after {hour:02d}:00, before the first game.",
    No.COUNTS_TWICE: "With this clock the gaming day {day} would begin at {begins}, and what was played from then "
    "until {until} stands in the gaming day {closed}, which is closed: it would count twice. Choose a clock by which a "
    "day begins at {until} as well; or close the day that is on, and set the clock before the first game after it.",
    No.OTHER_TIME: "The server's clock says {clock}, not {time}: set the clock, or look again.",
    No.TABLE_LINKED: "Table {number} is on the link {link}: take it off the link first.",
    No.SAME_TABLE: "Table {number} has these values already.",
    No.NO_SUCH_TABLE: "There is no table {number}; there are: {tables}.",
    No.NO_SUCH_WAGER: "Table {number} cannot offer {wager!r}: beside the base wager {game} has {wagers}, each once.",
    No.NOT_YET: "The gaming day {day} is not over yet: it ends at {until}.",
    No.NO_SUCH_DAY: "The site has no gaming day {day}: its days are from {first} to {last}.",
    No.DAY_CLOSED: "The gaming day {day} was closed with entry {entry}, and stays as it was closed.",
    No.ALREADY_READ: "This meter was read for {day} there already, with entry {entry}: a reading is corrected by "
    "a new one that names it.",
    No.NO_SUCH_READING: "Entry {entry} is not a reading of this meter, day and display that could be corrected.",
    No.NO_SUCH_METER: "The link {link} has no meter {level!r}.",
    No.CHECKPOINT_KEPT: "Every book has a checkpoint for {day} or a later day already.",
    No.BAD_CHECKPOINT: "{why}",
    No.WRONG_APPROVAL: "The approval cannot be entered: {why}",
    No.APPROVAL_EXISTS: "An approval {key} is on file already: an amendment has a key of its own.",
    No.APPROVAL_WITHDRAWN: "The approval {key} was withdrawn in entry {entry}.",
    No.NO_SUCH_APPROVAL: "No approval {key!r} is on file; there are: {keys}.",
    No.NO_SUCH_TITLE: "Table {number} cannot be set as {title!r} under {approval}: on file there are {titles}.",
    No.WRONG_OFFER: "Table {number} cannot be set this way: {why}",
    No.NO_SUCH_CONDITION: "No approval on file asks for {condition!r} with a paper {step!r}; there are: {known}.",
    No.DATES_ORDER: "{what} would end on {until}, before it begins on {dated}: look at the two days.",
    No.PAPER_TO_COME: "{reference} is dated {dated}, and today is {today}: a paper is recorded once it is issued.",
    No.PAPER_BEFORE: "{reference} comes after a paper that is not on record: {condition}, {step}. That one is first.",
    No.PAPER_ORDER: "{reference} is dated {dated}, before {earlier}, which is of {first}: look at the two days.",
    No.NO_SUCH_PAPER: "No paper was recorded in entry {paper}, or it was withdrawn.",
    No.NOT_FROM_REGISTER: "Table {number} is set from the register here: under Approvals, with its equipment.",
    No.TABLE_OPEN: "Table {number} is open: close it first.",
    No.TABLE_CLOSED: "Table {number} is closed: a supervisor or an executive opens it in the console, under Approvals.",
    No.NOT_CLEARED: "Table {number} may not be open. {why}",
}
"""What people read; the values that caused it are filled in."""


def refusal(code: No, **values: object) -> Refusal:
    return Refusal(code, SENTENCES[code].format(**values))
