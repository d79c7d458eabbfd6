"""Every page, for the tests that hold for all of them: no complaint, nothing sticks out, axe finds nothing."""

from __future__ import annotations

from typing import NamedTuple


class Seen(NamedTuple):
    name: str
    """Of its screenshots."""
    who: str
    """As in `support.visit`; nobody where it is empty."""
    path: str
    ready: str
    """A selector of what is there when the page can be used."""


PAGES: tuple[Seen, ...] = (
    Seen("front", "", "/", ".hand-keys button"),
    Seen("sign-in", "", "/sign-in", "#card"),
    Seen("choose-pin", "max", "/choose-pin", "#choose"),
    Seen("wrong", "max", "/keypad/99", ".state-picture svg"),
    Seen("lobby", "max", "/", "#links .meter"),
    Seen("lobby-dealer", "ann card", "/", "#links .meter"),
    Seen("device", "", "/display", "#token"),
    Seen("display", "display-main", "/display", ".display .meter"),
    Seen("dealer", "keypad-1", "/keypad/1", "#card"),
    Seen("keypad", "dan at keypad-1", "/keypad/1", "#seats button"),
    Seen("keypad-award", "eve", "/keypad/2", "#steps li"),
    Seen("console-overview", "sue", "/console", "#links .spark polyline"),
    Seen("console-links", "max", "/console/links", "#tables td"),
    Seen("console-link", "max", "/console/links/main#plan-title", "#plan canvas"),
    Seen("console-configure", "max", "/console/links/main/configure", "#findings li"),
    Seen("console-new-link", "max", "/console/new-link", "#findings li"),
    Seen("console-awards", "eve", "/console/awards", "#past td"),
    Seen("console-adjust", "max", "/console/adjust", "#accounts strong"),
    Seen("console-bank", "max", "/console/bank", "#entries td"),
    Seen("console-award", "eve", "/console/awards/main/24", "#meter table"),
    Seen("console-approvals", "max", "/console/approvals", "#on-file td"),
    Seen("console-days", "max", "/console/days", "#closed li"),
    Seen("console-day", "sue", "/console/days/today", "#readings table"),
    Seen("console-people", "max", "/console/people", "#people li"),
    Seen("console-people-supervisor", "sue", "/console/people", "#people li"),
    Seen("console-school", "max", "/console/school", "#trainees table"),
    Seen("console-devices", "max", "/console/devices", "#devices li"),
    Seen("console-site", "max", "/console/site", "#now dd"),
    Seen("console-setup", "max", "/console/setup", "#step-second[data-step=done]"),
    Seen("console-events", "max", "/console/events", "#log li"),
    Seen("console-reports", "max", "/console/reports", ".grid h2"),
    Seen("console-report", "max", "/console/reports/accrual?which=all", "#report table"),
    Seen("console-report-awards", "aud", "/console/reports/awards?which=all", "#report table"),
    Seen("console-proof", "max", "/console/proof", "#proof table"),
    Seen("console-cage", "max", "/console/cage", "main h1"),
    Seen("console-about", "max", "/console/about", "main dd"),
    Seen("console-denied", "sue", "/console/adjust", "main h1"),
    Seen("play", "", "/play", ".fan svg"),
    Seen("play-table", "", "/play/blackjack", ".circle"),
    Seen("play-review", "", "/play/review", "#no-past"),
    Seen("deal", "", "/deal", ".fan svg"),
    Seen("deal-table", "ann card", "/deal/blackjack?seed=look&seats=3", "#begin"),
    Seen("rules", "", "/rules", ".rulebook"),
    Seen("rules-progressive", "", "/rules/progressive", ".rulebook"),
    Seen("rules-game", "max", "/rules/three-card-baccarat", "#figures table"),
    Seen("rules-stranger", "", "/rules/three-card-baccarat", "#figures table"),
    Seen("rules-chart", "", "/rules/blackjack", ".basic .cell"),
    Seen("lab", "max", "/lab", "#sessions canvas"),
    Seen("lab-stranger", "", "/lab?game=blackjack", "#sessions canvas"),
    Seen("design", "", "/design", "#chips svg"),
    Seen("api", "max", "/api/docs", "#api .opblock"),
)
