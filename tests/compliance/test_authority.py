"""Authority: the whole table of roles and acts, two people where two are asked for, and cards that are never shown."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance import authority
from croupier.compliance.authority import (
    ALLOWED,
    DENIALS,
    TWO_PEOPLE,
    CardToken,
    Denied,
    Power,
    Role,
    SiteKey,
    check_card_hash,
    confirming,
    may,
    new_token,
    require,
    roles_for,
    same_card,
    two_people,
)
from croupier.errors import NotationError, Refusal

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "authority.md"
KEY = SiteKey(bytes(range(32)))
TOKEN = CardToken("a-token-of-a-card-0001")

# Dealer, supervisor, executive, manager, cashier, auditor, inspector, and the floor itself.
MATRIX = """
    start a game                            d s e - - - - -
    end a game                              d s e - - - - -
    enter a hand                            d s e - - - - -
    take a hand back                        d s e - - - - -
    call a supervisor                       d s e - - - - -
    take a call                             - s e m - - - -
    confirm an award up to the threshold    - s e - - - - -
    confirm an award above the threshold    - - e - - - - -
    void an award                           - s e - - - - -
    reopen a game                           - s e - - - - -
    override a claim                        - s e - - - - -
    see jackpot slips and winners to be paid  - s e m c a - -
    issue or pay a jackpot slip             - s e m c - - -
    adjust a meter                          - - e m - - - -
    change a configuration                  - - e m - - - -
    open a link                             - - e m - - - -
    close a link                            - s e m - - - f
    retire a link                           - - e m - - - -
    declare the bank's balance              - - e m - - - -
    record a deposit                        - - e m - - - -
    enroll a person                         - - - m - - - -
    revoke a card                           - - e m - - - -
    enroll or revoke a device               - - - m - - - -
    set one's own PIN                       d s e m c a i -
    read the ledger                         - s e m - a - -
    export the ledger                       - - e m - a - -
    sign a checkpoint                       - - - m - a - -
    enter a meter's reading                 - s e m - - - -
    close a gaming day                      - - e m - - - -
    record or withdraw a paper              - - - m - - - -
    open or close a table                   - s e - - - - -
    see the class of the dealer's school    - s - m - - - -
    see what runs here, and take the evidence file  - - e m - a i -
"""
CELLS = [
    (Role(role), Power(line.rsplit(maxsplit=8)[0]), mark != "-")
    for line in MATRIX.strip().splitlines()
    for line in [line.strip()]
    for role, mark in zip(Role, line.split()[-8:], strict=True)
]


@pytest.mark.parametrize(("role", "act", "allowed"), CELLS)
def test_each_role_may_do_each_act_as_the_table_says(role: Role, act: Power, allowed: bool) -> None:
    assert may(role, act) is allowed
    if allowed:
        require(role, act)
        return
    with pytest.raises(Refusal) as refused:
        require(role, act)
    assert refused.value.code == Denied.NOT_ALLOWED
    assert str(act) in refused.value.sentence


def test_the_matrix_names_every_role_and_act_once() -> None:
    assert len(CELLS) == len(Role) * len(Power)
    assert {(role, act) for role, act, _ in CELLS} == {(role, act) for role in Role for act in Power}


def test_every_act_has_somebody_and_every_role_something() -> None:
    assert all(roles_for(act) for act in Power)
    assert all(ALLOWED.values())


def test_who_chooses_people_and_configuration_confirms_no_award() -> None:
    for role in Role:
        assert not (may(role, Power.ENROL_PERSON) and (may(role, Power.CONFIRM) or may(role, Power.CONFIRM_ABOVE)))


def test_an_auditor_changes_nothing_but_the_own_pin() -> None:
    reads = {Power.READ_LEDGER, Power.EXPORT, Power.CHECKPOINT, Power.INSPECT, Power.SEE_SLIPS}
    assert ALLOWED[Role.AUDITOR] == {*reads, Power.SET_PIN}


def test_a_cashier_pays_slips_and_does_nothing_else() -> None:
    assert ALLOWED[Role.CASHIER] == {Power.SEE_SLIPS, Power.PAY_SLIP, Power.SET_PIN}


def test_whoever_reads_the_ledger_sees_the_slips_in_it() -> None:
    assert {role for role in Role if may(role, Power.READ_LEDGER)} < {
        role for role in Role if may(role, Power.SEE_SLIPS)
    }


def test_an_inspector_sees_what_runs_and_the_evidence_and_nothing_else() -> None:
    assert ALLOWED[Role.INSPECTOR] == {Power.INSPECT, Power.SET_PIN}


def test_a_refusal_says_whose_card_it_takes() -> None:
    with pytest.raises(Refusal) as refused:
        require(Role.DEALER, Power.CONFIRM)
    expected = "A dealer may not confirm an award up to the threshold: that takes a supervisor or an executive."
    assert refused.value.sentence == expected
    with pytest.raises(Refusal, match=r"that takes an executive\."):
        require(Role.SUPERVISOR, Power.CONFIRM_ABOVE)


@pytest.mark.parametrize(
    ("cents", "act"), [(0, Power.CONFIRM), (500_000, Power.CONFIRM), (500_001, Power.CONFIRM_ABOVE)]
)
def test_an_award_above_the_threshold_takes_an_executive(cents: int, act: Power) -> None:
    assert confirming(cents, executive_above_cents=500_000) is act


# Two people


@pytest.mark.parametrize("act", sorted(TWO_PEOPLE))
def test_two_people_means_two(act: Power) -> None:
    eve, mel = ("eve", Role.EXECUTIVE), ("mel", Role.MANAGER)
    two_people(act, eve, mel)
    for first, second, code in (
        (eve, None, Denied.SECOND_MISSING),
        (eve, eve, Denied.SAME_PERSON),
        (eve, ("eve", Role.MANAGER), Denied.SAME_PERSON),
        (eve, ("sue", Role.SUPERVISOR), Denied.NOT_ALLOWED),
        (("dan", Role.DEALER), eve, Denied.NOT_ALLOWED),
    ):
        with pytest.raises(Refusal) as refused:
            two_people(act, first, second)
        assert refused.value.code == code


def test_one_person_is_enough_for_the_other_acts() -> None:
    two_people(Power.OPEN_LINK, ("mel", Role.MANAGER), None)
    with pytest.raises(Refusal):
        two_people(Power.OPEN_LINK, ("mel", Role.MANAGER), ("sue", Role.SUPERVISOR))


def test_every_denial_has_its_sentence() -> None:
    assert set(DENIALS) == set(Denied)


# Cards


def test_a_card_is_stored_as_a_hash_under_the_sites_key() -> None:
    stored = TOKEN.hash(KEY)
    assert stored == CardToken("a-token-of-a-card-0001").hash(KEY)
    assert stored != TOKEN.hash(SiteKey(bytes(32)))
    assert stored != CardToken("a-token-of-a-card-0002").hash(KEY)
    assert TOKEN.text not in stored
    assert same_card(stored, check_card_hash(stored))


def test_a_token_and_a_key_are_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("croupier").warning("card %s %r of %r", TOKEN, TOKEN, KEY)
    for shown in (repr(TOKEN), str(TOKEN), f"{TOKEN}", repr(KEY), repr((TOKEN, KEY)), caplog.text):
        assert "a-token" not in shown
        assert repr(KEY.secret) not in shown


@pytest.mark.parametrize(
    "text", ["", "short", "x" * 15, "x" * 257, "with\nbreaks-in-it-0001", "tökens-are-not-ascii-1"]
)
def test_a_weak_or_broken_token_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(NotationError) as error:
        CardToken(text)
    assert not text or text not in str(error.value)


def test_a_short_key_is_refused() -> None:
    with pytest.raises(NotationError, match="32 bytes"):
        SiteKey(b"secret")


def test_new_tokens_are_long_and_come_from_the_given_randomness() -> None:
    assert new_token(bytes) == CardToken("0" * 35 + "98")
    assert new_token() != new_token()


@given(st.text(max_size=80))
def test_what_is_no_hash_is_refused_unread(text: str) -> None:
    if len(text) == 64 and not set(text) - set("0123456789abcdef"):
        return
    with pytest.raises(NotationError) as error:
        check_card_hash(text)
    assert len(text) < 16 or text not in str(error.value)


# The page


def test_the_guide_prints_this_table() -> None:
    assert authority.matrix() in GUIDE.read_text(encoding="utf-8")


def test_the_guide_lists_every_denial() -> None:
    page = GUIDE.read_text(encoding="utf-8")
    assert [code for code in Denied if f"`{code}`" not in page] == []
