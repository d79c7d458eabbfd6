"""Why a site says no, and in which words."""

from __future__ import annotations

from enum import StrEnum

from croupier.errors import Refusal


class SiteNo(StrEnum):
    """Why the site says no; who may do what is said by `authority.Denied`."""

    NOT_CREATED = "not-created"
    ALREADY_CREATED = "already-created"
    UNKNOWN_PROFILE = "unknown-profile"
    SAME_PROFILE = "same-profile"
    PERSON_EXISTS = "person-exists"
    CARD_NEEDED = "card-needed"
    CARD_TAKEN = "card-taken"
    CARD_FORM = "card-form"
    SAME_ROLE = "same-role"
    OWN_ROLE = "own-role"
    ALREADY_REVOKED = "already-revoked"
    LAST_MANAGER = "last-manager"
    NOT_A_PERSON = "not-a-person"
    DEVICE_EXISTS = "device-exists"
    TOKEN_TAKEN = "token-taken"
    NO_SUCH_DEVICE = "no-such-device"
    SAME_CLOCK = "same-clock"
    SAME_TABLE = "same-table"
    TABLE_LINKED = "table-linked"
    NO_SUCH_TABLE = "no-such-table"
    AGAINST_RULES = "against-rules"
    NOT_YET = "day-not-over"
    NO_SUCH_DAY = "no-such-day"
    DAY_CLOSED = "day-closed"
    ALREADY_READ = "already-read"
    NO_SUCH_READING = "no-such-reading"
    NO_SUCH_METER = "no-such-meter"
    CHECKPOINT_KEPT = "checkpoint-kept"
    BAD_CHECKPOINT = "bad-checkpoint"


SENTENCES = {
    SiteNo.NOT_CREATED: "There is no site yet: it has to be created first.",
    SiteNo.ALREADY_CREATED: "The site {title} has been created already.",
    SiteNo.UNKNOWN_PROFILE: "{why}",
    SiteNo.SAME_PROFILE: "The site has the profile {profile} already.",
    SiteNo.PERSON_EXISTS: "{person} is enrolled already, as {role}.",
    SiteNo.CARD_NEEDED: "Only a dealer may be enrolled without a card, and {name} is to be {role}.",
    SiteNo.CARD_TAKEN: "This card is or was that of {name}: every card is given once.",
    SiteNo.CARD_FORM: "{why}",
    SiteNo.SAME_ROLE: "{name} is {role} already.",
    SiteNo.OWN_ROLE: "Nobody changes their own role: two other managers have to do it.",
    SiteNo.ALREADY_REVOKED: "The card of {name} was revoked already.",
    SiteNo.LAST_MANAGER: "{name} is the last manager: without one nobody could be enrolled any more.",
    SiteNo.DEVICE_EXISTS: "There is or was a device {device!r}: choose another name for it.",
    SiteNo.TOKEN_TAKEN: "This token is or was that of the device {device!r}: every token is given once.",
    SiteNo.NO_SUCH_DEVICE: "There is no device {device!r} in use.",
    SiteNo.NOT_A_PERSON: "Nobody can be {role}: that is how the program itself signs.",
    SiteNo.SAME_CLOCK: "The site has this time zone and gaming day already.",
    SiteNo.TABLE_LINKED: "Table {number} is on the link {link}: take it off the link first.",
    SiteNo.SAME_TABLE: "Table {number} has these values already.",
    SiteNo.NO_SUCH_TABLE: "There is no table {number}; there are: {tables}.",
    SiteNo.AGAINST_RULES: "{why}",
    SiteNo.NOT_YET: "The gaming day {day} is not over yet: it ends at {until}.",
    SiteNo.NO_SUCH_DAY: "The site has no gaming day {day}: its days are from {first} to {last}.",
    SiteNo.DAY_CLOSED: "The gaming day {day} was closed with entry {entry}, and stays as it was closed.",
    SiteNo.ALREADY_READ: "This meter was read for {day} there already, with entry {entry}: a reading is put right by "
    "a new one that names it.",
    SiteNo.NO_SUCH_READING: "Entry {entry} is no reading of this meter, day and display that could be put right.",
    SiteNo.NO_SUCH_METER: "The link {link} has no meter {level!r}.",
    SiteNo.CHECKPOINT_KEPT: "Every book has a checkpoint for {day} or a later day already.",
    SiteNo.BAD_CHECKPOINT: "{why}",
}


def refused(code: SiteNo, **values: object) -> Refusal:
    return Refusal(code, SENTENCES[code].format(**values))
