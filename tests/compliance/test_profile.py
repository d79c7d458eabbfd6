"""Profiles: dated values with their citations, and configurations checked against them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.approval import Where, shipped_register
from croupier.compliance.profile import (
    BEFORE_PROFILE,
    UNSAID,
    Destination,
    Effect,
    Fact,
    Finding,
    Lawful,
    Profile,
    Weight,
    edition_names,
    errors,
    find_profile,
    newest,
    profile_names,
    read_profile,
)
from croupier.errors import NotationError, Refusal, UnknownName
from croupier.floor.link.checks import check, check_tables
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.floor.site.acts import TableSetup
from croupier.games.meter import Style

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "jurisdictions.md"
WASHINGTON, TRIBAL, GENERIC = map(newest, ("washington", "tribal", "generic"))
FIRST = find_profile("washington")
EDITIONS = [edition for name in profile_names() for edition in edition_names(name)]
SHIPPED = {
    "generic": "7d0e69f00861b41d64c8cafba8ad69c04e7a7dd55d8dd0d69aeadcc8eca04b9d",
    "generic/2": "8510ca85ad85df9993a6b7bc35791d41096687582f5ccc64153ee655930f2709",
    "tribal": "588c918c5377539ff92b344da3bd201138070b80c2895cf8f81bf9e3b2c9669c",
    "tribal/2": "c15607004e780db9f5d948c601b47a7b0ae09fadac2fa0e7d252a7d24035c822",
    "tribal-cowlitz": "ed4f249ba9335349235f26bfe26e624f608bf626328beef713d6f9a13d43cc28",
    "tribal-muckleshoot": "dd68d5d75c902c954ac77361906041fb32fe8566d7cb3956933db4e962e93a2d",
    "tribal-squaxin-island": "5508cfd09f9cd076989584f3540ee8dd07eaf73fe3b758ed5e442a6eb2636796",
    "tribal-suquamish": "3da332c8ea2da12452dc77d09153069a1133d27c62f235b3cfb22f8a735dcd9f",
    "washington": "65e7df2f25fc4cdb72e831d53ded84e5ad3bb164667c2b366ba4246ee064ef2c",
    "washington/2": "12dc6df8ce984386e08ce810effa047fabd605dbff89232c766644dbe9b63a68",
}
"""Books are decided by these values: an edition that was released is not changed again, a new one is added."""
TODAY = date(2026, 11, 15)
LEVEL = LevelSetup("", seed_cents=1_000_000, contribution_ppm=240_000, reserve_ppm=10_000)


def linked(number: int) -> LinkedTable:
    return LinkedTable(number, "King's Bounty", "blazing-7s-dealer", "1", decks=6)


def link(**changes: Any) -> LinkSetup:
    """Blazing 7's table 1 as the maker configures it, with a reserve: nothing to find."""
    setup = LinkSetup(
        wager="blazing-7s-dealer",
        paytable="1",
        decks=6,
        wager_cents=500,
        levels=(LEVEL,),
        executive_threshold_cents=500_000,
        tables=(linked(1), linked(2)),
    )
    return replace(setup, **changes)


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


# The values


def test_these_profiles_come_with_the_program() -> None:
    tribes = ["tribal-cowlitz", "tribal-muckleshoot", "tribal-squaxin-island", "tribal-suquamish"]
    assert profile_names() == ["generic", "tribal", *tribes, "washington"]


@pytest.mark.parametrize(
    ("day", "cents"),
    [
        (date(2009, 1, 1), 30_000),
        (date(2023, 6, 14), 30_000),
        (date(2023, 9, 24), 30_000),
        (date(2023, 9, 25), 40_000),
        (TODAY, 40_000),
    ],
)
def test_the_highest_wager_depends_on_the_day(day: date, cents: int) -> None:
    rules = WASHINGTON.on(day)
    assert rules.number(Fact.MOST_WAGER) == cents
    assert rules[Fact.MOST_WAGER].citation.startswith("WAC 230-15-140")


def test_the_tax_slip_starts_higher_in_2026() -> None:
    for profile in (WASHINGTON, TRIBAL, GENERIC):
        assert profile.on(date(2025, 12, 31)).number(Fact.SLIP_FROM) == 60_000
        assert profile.on(date(2026, 1, 1)).number(Fact.SLIP_FROM) == 200_000
        assert profile.on(date(2026, 1, 1)).number(Fact.SLIP_TIMES) == 300


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        (Fact.MOST_AREAS, 9),
        (Fact.MOST_TABLES, 15),
        (Fact.ONE_LOCATION, True),
        (Fact.SAME_CHANCES, True),
        (Fact.METER_AT_EVERY_TABLE, False),
        (Fact.ONE_PROGRESSIVE, False),
        (Fact.MAXIMUM_NOT_BELOW, True),
        (Fact.SEPARATE_ACCOUNT, True),
        (Fact.DEPOSIT_EVERY, 7),
        (Fact.DEPOSIT_BY_GAME, True),
        (Fact.RECONCILED_WITHIN, 7),
        (Fact.POSTED_COVERED, True),
        (Fact.PLAN_TO_REMOVE, True),
        (Fact.REMOVAL_POSTED, 10),
        (Fact.REMOVAL_WITHIN, 60),
        (Fact.WAYS_TO_REMOVE, tuple(Destination)),
        (Fact.NET_WIN, True),
        (Fact.VIDEO_FROM, 300_000),
        (Fact.VIDEO_KEPT, 30),
        (Fact.AT_ONCE, 500_000),
        (Fact.REST_WITHIN, 24),
        (Fact.AGGREGATE_ODDS, 50),
        (Fact.CAMERA_ABOVE, 300_000),
        (Fact.MALFUNCTION_NOTICE, 72),
        (Fact.RECORDS, 3),
        (Fact.HITS_ON_DEMAND, 25),
        (Fact.DISPLAY_WITHIN, 30),
        (Fact.MOST_ODDS, 100_000_000),
        (Fact.WITHHOLDING_ABOVE, 500_000),
        (Fact.WITHHOLDING_TIMES, 300),
        (Fact.WITHHOLDING_PPM, 240_000),
        (Fact.CURRENCY_ABOVE, 1_000_000),
        (Fact.SUSPICIOUS_FROM, 500_000),
    ],
)
def test_washington_as_the_regulation_notes_give_it(fact: Fact, value: int) -> None:
    assert WASHINGTON.on(TODAY)[fact].value == value


@pytest.mark.parametrize(
    ("day", "games", "one"),
    [
        (date(2021, 6, 13), 6, True),
        (date(2021, 6, 14), None, True),
        (date(2023, 8, 31), None, True),
        (date(2023, 9, 1), None, False),
    ],
)
def test_games_with_one_hand_and_progressives_across_games_are_of_their_day(
    day: date, games: int | None, one: bool
) -> None:
    rules = WASHINGTON.on(day)
    assert (rules.number(Fact.MOST_GAMES), rules.holds(Fact.ONE_PROGRESSIVE)) == (games, one)
    assert Fact.MOST_GAMES not in rules.unknown, "a rule that has ended limits nothing, and that is known"


def test_five_reasons_reduce_a_prize() -> None:
    assert WASHINGTON.on(TODAY).reasons() == tuple(Lawful)


def test_tribal_tables_go_higher_by_compact() -> None:
    rule = TRIBAL.on(TODAY)[Fact.MOST_WAGER]
    assert (rule.value, rule.binding) == (50_000, False)


def test_a_tribe_has_its_own_compact_and_what_holds_for_all() -> None:
    cowlitz = newest("tribal-cowlitz")
    rule = cowlitz.on(TODAY)[Fact.MOST_WAGER]
    assert (rule.value, rule.binding, "[?]" in rule.note) == (500_000, False, True)
    assert cowlitz.conditions == TRIBAL.conditions
    assert cowlitz.operation is Where.TRIBAL
    assert Fact.MOST_WAGER in cowlitz.on(date(2020, 12, 31)).unknown


@pytest.mark.parametrize(
    ("tribe", "cents"), [("muckleshoot", 500_000), ("suquamish", 500_000), ("squaxin-island", 50_000)]
)
def test_what_is_only_noticed_of_a_compact_is_marked_and_binds_nobody(tribe: str, cents: int) -> None:
    """An amendment that was proposed and of whose publication nothing is known raises no limit."""
    profile = newest(f"tribal-{tribe}")
    rule = profile.on(TODAY)[Fact.MOST_WAGER]
    assert (rule.value, rule.binding, rule.note.startswith("[?]")) == (cents, False, True)
    assert "Federal Register" in rule.note
    assert profile.conditions == TRIBAL.conditions


def test_generic_limits_no_wager() -> None:
    rules = GENERIC.on(TODAY)
    assert rules.number(Fact.MOST_WAGER) is None
    assert not rules.unknown


# Editions


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_that_books_are_decided_by_is_what_it_was(name: str) -> None:
    assert find_profile(name).digest == SHIPPED[name]


def test_a_new_site_gets_the_newest_and_books_name_the_first_without_a_number() -> None:
    assert edition_names("washington")[:2] == ["washington", "washington/2"]
    assert newest("washington") == newest("washington/2") == find_profile(edition_names("washington")[-1])
    assert (FIRST.edition, find_profile("washington/2").edition) == (1, 2)
    assert FIRST.on(TODAY).number(Fact.MOST_GAMES) == 4, "as it was shipped"


@pytest.mark.parametrize("name", ["washington/99", "washington/0", "washington/1", "washington/", "washington/2/2"])
def test_an_unknown_edition_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(UnknownName, match="no edition of the profile washington"):
        find_profile(name)


# What conditions do


def test_a_condition_does_what_the_place_says_on_the_day_and_warns_where_it_says_nothing() -> None:
    rule = WASHINGTON.on(TODAY).condition("internal-controls")
    assert (rule.does, rule.citation) == (Effect.STOPS, "Approval of 14 June 2023; WAC 230-15-425, -440")
    before = WASHINGTON.on(date(2023, 6, 13)).condition("internal-controls")
    assert (before.does, before.citation) == (Effect.WARNS, UNSAID)
    assert FIRST.on(TODAY).condition("internal-controls").does is Effect.WARNS
    assert WASHINGTON.on(TODAY).condition("a-condition-of-its-own").does is Effect.WARNS


@pytest.mark.parametrize(("profile", "where"), [(WASHINGTON, Where.COMMERCIAL), (TRIBAL, Where.TRIBAL)])
def test_every_condition_of_a_shipped_approval_is_weighed_where_it_binds(profile: Profile, where: Where) -> None:
    assert profile.operation is where
    asked = {
        condition.key
        for approval in shipped_register().approvals
        for condition in approval.conditions
        if condition.where in (Where.EVERYWHERE, where)
    }
    assert {rule.key for rule in profile.conditions} == asked


def test_conditions_are_taken_over_and_count_in_the_digest() -> None:
    mine = read_profile(MINE.replace("[[rule]]", 'extends = "washington/2"\n[[rule]]', 1), "mine")
    assert mine.conditions == find_profile("washington/2").conditions
    other = read_profile(MINE + ASKED, "mine")
    assert other.on(TODAY).condition("internal-controls").does is Effect.NOTES
    assert other.digest != read_profile(MINE, "mine").digest
    assert other.digest != read_profile(MINE + ASKED.replace("notes", "warns"), "mine").digest


@pytest.mark.parametrize("name", EDITIONS)
def test_values_are_cited_and_dated_in_order(name: str) -> None:
    rules = find_profile(name).rules
    assert all(rule.citation for rule in rules)
    assert all(one.since < two.since for one, two in pairwise(rules) if one.fact is two.fact)


@pytest.mark.parametrize("name", EDITIONS)
def test_no_other_states_rule_is_cited_in_a_house(name: str) -> None:
    cited = {rule.citation for rule in find_profile(name).rules}
    assert not [each for each in cited for state in ("Arkansas", "Indiana", "NY ", "NJ ", "after ") if state in each]


@pytest.mark.parametrize("name", profile_names())
def test_the_guide_prints_the_values_of_the_newest(name: str) -> None:
    guide, profile = GUIDE.read_text(encoding="utf-8"), newest(name)
    assert f"`{profile.name}`" in guide
    assert profile.table() in guide
    assert not profile.conditions or profile.table_of_conditions() in guide


def test_the_digest_follows_the_values() -> None:
    assert len({find_profile(name).digest for name in EDITIONS}) == len(EDITIONS)
    assert read_profile(MINE, "mine").digest == read_profile(MINE, "other name").digest
    assert read_profile(MINE, "mine").digest != read_profile(MINE.replace("30000", "30001"), "mine").digest


def test_a_moment_is_of_its_day() -> None:
    assert WASHINGTON.on(datetime(2023, 6, 14, 23, 59)).day == date(2023, 6, 14)


# Bad input

MINE = """
title = "Mine"
[[rule]]
fact = "most_wager_cents"
since = 2020-01-01
value = 30000
citation = "House rule 1"
"""
ASKED = """
[[condition]]
key = "internal-controls"
since = 2020-01-01
does = "notes"
citation = "House rule 2"
"""


def test_a_day_before_all_values_is_refused() -> None:
    with pytest.raises(Refusal, match="it begins on 2009-01-01") as refused:
        WASHINGTON.on(date(2008, 12, 31))
    assert refused.value.code == BEFORE_PROFILE


def test_what_is_known_for_later_days_only_is_said_to_be_unknown() -> None:
    rules = WASHINGTON.on(date(2010, 6, 1))
    assert Fact.MOST_TABLES in rules.unknown
    found = check(link(), WASHINGTON, date(2010, 6, 1))
    assert codes(found) == ["unknown-on-day"]
    assert "most_tables" in found[0].sentence


def test_an_unknown_profile_is_refused_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="did you mean washington"):
        find_profile("washingtn")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title = ", "is no TOML"),
        ("[[[", "is no TOML"),
        ("", "has no title"),
        ("title = 5", "has no title"),
        ('title = "x"', "has no rule"),
        ('title = "x"\nrule = 3', r"written as \[\[rule\]\]"),
        ('title = "x"\nrules = 3', "no setting"),
        ('title = "x"\nextends = 5', "extend another profile"),
        ('title = "x"\nextends = "mine"', "extend another profile"),
        ('title = "x"\nextends = "nowhere"', "no jurisdiction profile"),
        (MINE.replace("most_wager_cents", "most_wagers"), "There is no fact"),
        (MINE.replace("most_wager_cents", "one_location"), "true or false"),
        (MINE.replace("most_wager_cents", "reasons_for_reduction"), "is a list of amount-won"),
        (MINE.replace("2020-01-01", "2020-01-01T10:00:00"), "since is a day"),
        (MINE.replace("2020-01-01", '"yesterday"'), "since is a day"),
        (MINE.replace("since = 2020-01-01", ""), "since is a day"),
        (MINE.replace("2020-01-01", "2020-13-01"), "is no TOML"),
        (MINE.replace("30000", "-30000"), "from 1 to"),
        (MINE.replace("30000", "0"), "from 1 to"),
        (MINE.replace("30000", "300.5"), "from 1 to"),
        (MINE.replace("30000", "true"), "from 1 to"),
        (MINE.replace("30000", "9999999999999"), "from 1 to"),
        (MINE.replace("House rule 1", " "), "has no citation"),
        (MINE + 'binding = "yes"', "binding is true or false"),
        (MINE + "colour = 1", "no setting"),
        (MINE + "note = 1", "mine/1.toml, line 3: note is a text"),
        (MINE + "until = 2019-12-31", "mine/1.toml, line 3: until is a day, not before 2020-01-01, and not 2019-12-31"),
        (MINE + 'until = "soon"', "until is a day"),
        (MINE.replace("[[rule]]", 'operation = "state"\n[[rule]]'), "operation is commercial or tribal"),
        (MINE.replace("[[rule]]", 'as_of = "now"\n[[rule]]'), "as_of is a day"),
        (MINE.replace("[[rule]]", "condition = 3\n[[rule]]"), r"written as \[\[condition\]\]"),
        (
            MINE + "until = 2022-01-01" + MINE.replace('title = "Mine"', "").replace("2020-01-01", "2021-01-01"),
            "until 2022-01-01, and the next from 2021-01-01",
        ),
        (MINE + ASKED.replace("notes", "halts"), "line 9: what internal-controls does is one of stops, warns, notes"),
        (MINE + ASKED.replace('"internal-controls"', "3"), "line 9: key is that of a condition"),
        (MINE + ASKED.replace("House rule 2", ""), "line 9: internal-controls has no citation"),
        (MINE + ASKED.replace("2020-01-01", "2020"), "line 9: since is a day"),
        (MINE + ASKED + "value = 3", "no setting"),
        (MINE + ASKED + ASKED, "two values of internal-controls from 2020-01-01"),
        (MINE + MINE.replace('title = "Mine"', ""), "two values of most_wager_cents from 2020-01-01"),
        (
            MINE.replace("most_wager_cents", "reasons_for_reduction").replace("30000", '["amount-won", "greed"]'),
            "greed",
        ),
    ],
)
def test_a_malformed_profile_is_refused_in_one_sentence(text: str, reason: str) -> None:
    with pytest.raises((NotationError, UnknownName), match=reason) as error:
        read_profile(text, "mine")
    assert "\n" not in str(error.value)


def test_a_house_may_write_its_own_from_another() -> None:
    profile = read_profile(MINE.replace("[[rule]]", 'extends = "generic"\n[[rule]]', 1), "mine")
    rules = profile.on(TODAY)
    assert rules.number(Fact.MOST_WAGER) == 30_000
    assert rules.number(Fact.SLIP_FROM) == 200_000


# A link against its place


@pytest.mark.parametrize("name", profile_names())
def test_the_makers_configuration_with_a_reserve_is_found_in_order(name: str) -> None:
    assert check(link(), find_profile(name), TODAY) == []


def test_a_wager_above_the_limit_is_an_error_with_its_rule() -> None:
    high = link(wager_cents=40_001, levels=(replace(LEVEL, seed_cents=80_002_000),))
    found = check(high, WASHINGTON, TODAY)
    assert codes(errors(found)) == ["wager-too-high"]
    assert found[0].citation.startswith("WAC 230-15-140")
    assert "$400.01" in found[0].sentence
    assert found[0].as_json()["weight"] == "error"
    in_june = link(wager_cents=30_001, levels=(replace(LEVEL, seed_cents=80_002_000),))
    assert codes(errors(check(in_june, WASHINGTON, date(2023, 6, 14)))) == ["wager-too-high"]
    assert not errors(check(in_june, WASHINGTON, TODAY))


def test_by_compact_the_same_is_a_warning() -> None:
    high = link(wager_cents=50_001, levels=(replace(LEVEL, seed_cents=100_002_000),))
    found = check(high, TRIBAL, TODAY)
    assert codes(found) == ["wager-too-high"]
    assert found[0].weight is Weight.WARNING


def test_a_maximum_is_not_below_what_is_shown_when_it_is_imposed() -> None:
    setup = link(levels=(replace(LEVEL, maximum_cents=1_500_000),))
    assert check(setup, WASHINGTON, TODAY) == []
    assert check(setup, WASHINGTON, TODAY, shown_cents={"": 1_500_000}) == []
    [found] = check(setup, WASHINGTON, TODAY, shown_cents={"": 1_500_001})
    assert (found.code, found.weight) == ("maximum-below-meter", Weight.ERROR)
    assert "$15,000.01" in found.sentence


def test_a_link_joins_no_more_tables_than_an_establishment_has() -> None:
    assert check(link(tables=tuple(map(linked, range(1, 16)))), WASHINGTON, TODAY) == []
    found = check(link(tables=tuple(map(linked, range(1, 17)))), WASHINGTON, TODAY)
    assert codes(found) == ["too-many-tables"]
    assert check(link(tables=tuple(map(linked, range(1, 17)))), GENERIC, TODAY) == []


def test_a_table_is_on_one_progressive_at_a_time() -> None:
    two = replace(linked(2), title="Royal Match")
    day = date(2023, 8, 31)
    found = errors(check(link(tables=(linked(1), two)), WASHINGTON, day, elsewhere={2: "trilux", 7: "trilux"}))[0]
    assert (found.code, found.weight) == ("second-progressive", Weight.ERROR)
    assert "Table 2 is on the link trilux" in found.sentence
    assert found.citation.startswith("WAC 230-15-685")
    for free in (TRIBAL, WASHINGTON):
        assert check(link(tables=(linked(1), two)), free, TODAY, elsewhere={2: "trilux"}) == []


@pytest.mark.parametrize("name", profile_names())
def test_kings_bounty_takes_one_progressive_wherever_it_is_dealt(name: str) -> None:
    [found] = check(link(), find_profile(name), TODAY, elsewhere={2: "trilux"})
    assert (found.code, found.weight) == ("second-progressive", Weight.ERROR)
    assert found.citation.startswith("King's Bounty rules")


def test_the_progressive_is_one_of_the_games_that_a_hand_plays() -> None:
    wagers = {1: ("a", "b"), 2: ("a", "b", "blazing-7s-dealer"), 3: ("a", "b", "c", "d")}
    assert check(link(), FIRST, TODAY, wagers=wagers) == []
    [found] = check(link(), FIRST, TODAY, wagers={**wagers, 2: ("a", "b", "c")})
    assert (found.code, found.weight) == ("too-many-games", Weight.ERROR)
    assert found.sentence == "At table 2 a hand plays 5 games with this progressive, and 4 are allowed."
    assert found.citation.startswith("WAC 230-15-040")
    for free in (GENERIC, WASHINGTON):
        assert check(link(), free, TODAY, wagers={2: tuple("abcdefgh")}) == []


def test_odds_of_the_top_award_beyond_the_practice_are_a_warning() -> None:
    text = MINE.replace("most_wager_cents", "most_odds_of_top_award").replace("30000", "1000") + "binding = false"
    found = check(link(), read_profile(text, "mine"), TODAY)
    assert codes(found) == ["too-rare"]
    assert found[0].weight is Weight.WARNING


@pytest.mark.parametrize(
    ("level", "style", "code"),
    [
        (replace(LEVEL, seed_cents=0, reserve_ppm=0), Style.SHARES_ONLY, "zero-seed"),
        (replace(LEVEL, seed_cents=0), Style.SHARES_ONLY, "reserve-only"),
        (replace(LEVEL, seed_cents=99_999), Style.SHARES_ONLY, "small-seed"),
        (replace(LEVEL, contribution_ppm=240_001), Style.SHARES_ONLY, "raised-contribution"),
        (replace(LEVEL, contribution_ppm=699_999), Style.ALL_PAYS, "low-contribution"),
        (replace(LEVEL, reserve_ppm=0), Style.SHARES_ONLY, "no-reserve"),
    ],
)
def test_recommendations_of_the_documents_are_warnings(level: LevelSetup, style: Style, code: str) -> None:
    found = check(link(levels=(level,), style=style), WASHINGTON, TODAY)
    assert code in codes(found)
    assert not errors(found)
    assert all("recommended settings" in finding.citation or "rules" in finding.citation for finding in found)


def test_a_lowered_contribution_and_none_at_all_are_no_warning_of_style_b() -> None:
    for ppm in (100_000, 0):
        found = check(link(levels=(replace(LEVEL, contribution_ppm=ppm),)), WASHINGTON, TODAY)
        assert "raised-contribution" not in codes(found)


def test_three_levels_are_checked_each() -> None:
    levels = tuple(
        LevelSetup(name, seed, ppm, 1_000)
        for name, seed, ppm in (("Mega", 1_000_000, 100_000), ("Major", 500_000, 70_000), ("Minor", 0, 70_000))
    )
    tables = (LinkedTable(1, "King's Bounty", "blazing-7s-dealer", "ML03", decks=8),)
    found = check(link(paytable="ML03", decks=8, levels=levels, tables=tables), WASHINGTON, TODAY)
    assert [finding.sentence.split(":")[0] for finding in found if finding.code == "zero-seed"] == [
        "The seed of Minor is $0.00"
    ]


# Tables and payout limits


def table(number: int = 1, **changes: Any) -> TableSetup:
    return replace(TableSetup(number, "King's Bounty", "blackjack", 6, 7, 500, 40_000), **changes)


def test_tables_of_a_site_keep_to_the_place() -> None:
    rules = WASHINGTON.on(TODAY)
    assert check_tables(map(table, range(1, 16)), rules) == []
    assert codes(check_tables(map(table, range(1, 17)), rules)) == ["too-many-tables"]
    assert codes(check_tables([table(most_wager_cents=40_001)], rules)) == ["wager-too-high"]
    many = [table(wagers=tuple("abcdef"))]
    assert check_tables(many, rules) == []
    assert codes(check_tables(many, FIRST.on(TODAY))) == ["too-many-games"]
    assert codes(check_tables(many, WASHINGTON.on(date(2020, 1, 1)))) == ["wager-too-high", "too-many-games"]
    assert check_tables([table(seats=9)], rules) == []
    [areas] = check_tables([table(seats=10)], rules)
    assert (areas.code, areas.sentence) == (
        "too-many-areas",
        "Table 1 has 10 places, and 9 wagering areas are allowed.",
    )
    assert areas.citation == "WAC 230-15-040, -055"


def test_a_place_is_named_in_words_with_the_day_of_its_law() -> None:
    assert find_profile("washington/2").words == "Washington house-banked card rooms, the law of 2025-08-01"
    assert find_profile("washington").words == "Washington house-banked card rooms, edition 1"
