"""Where cards lie: in every game, whoever plays, nothing of a seat is on another's, off the felt, or too small to read.

The table's own script paints rounds that the engine has dealt, one after another on one page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.table.bets import Bet, open_spots
from croupier.games.table.history import History
from croupier.games.table.legal import dealers_acts, least_cents, legal_acts
from croupier.games.table.offering import TableOffering
from croupier.games.table.record import write_record
from croupier.web.games.rounds import Opener, Standing
from croupier.web.games.store import RoundRow
from croupier.web.games.views import state_as_json
from croupier.web.identity.store import utc
from tests.browser.support import HEIGHTS, Visit

ME = Opener("person a")
MOST_DECIDED = 60
LIE = """
async (rounds) => {
  const { paintFelt } = await import('/static/js/play/felt.js');
  const nothing = () => {};
  const does = new Proxy({}, { get: () => nothing });
  const turned = (element) => {
    for (let each = element; each && !each.classList.contains('arc'); each = each.parentElement) {
      const { transform } = getComputedStyle(each);
      if (transform !== 'none') { const [a, b] = transform.slice(7).split(',').map(Number); return Math.atan2(b, a); }
    }
    return 0;
  };
  // A thing that is turned is smaller than the box around it.
  const cornersOf = (element) => {
    const box = element.getBoundingClientRect();
    const angle = turned(element);
    const [s, c] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
    const wide = (box.width * c - box.height * s) / (c * c - s * s);
    const high = (box.height * c - box.width * s) / (c * c - s * s);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([p, q]) => [
      x + (p * wide * ux) / 2 - (q * high * uy) / 2, y + (p * wide * uy) / 2 + (q * high * ux) / 2]);
  };
  const SLACK = 1.5; // pixels that a shadow or a rounded corner may touch
  const isApart = (one, other) => [one, other].some((shape) => shape.some(([x, y], at) => {
    const [nx, ny] = shape[(at + 1) % 4];
    const length = Math.hypot(nx - x, ny - y) || 1;
    const along = ([px, py]) => (-(ny - y) * px + (nx - x) * py) / length;
    const [mine, theirs] = [one.map(along), other.map(along)];
    return Math.max(...mine) <= Math.min(...theirs) + SLACK || Math.max(...theirs) <= Math.min(...mine) + SLACK;
  }));
  const SMALLEST = 24; // pixels of a card's width
  const THINGS = ['[data-at]', '.card-key', '.half', '.plaque', '.setting .words', '.half h4',
    '.circle .chip', '.paid-chips .chip', 'header h3', 'header .result', 'header .seat-waits'].join();
  const classes = (element) => element.className?.baseVal ?? element.className;
  const name = (element) => `${classes(element)} ${element.textContent.slice(0, 30)}`.trim() || 'a card';
  const found = [];
  for (const { about, round, seat } of rounds) {
    paintFelt({ round, seat, veil: null, squeeze: null, busy: false, shown: 1 }, does);
    const felt = document.querySelector('.arc').getBoundingClientRect();
    const room = innerWidth < 900 ? felt
      : { left: 0, right: innerWidth, top: felt.top, bottom: felt.bottom + felt.height * 0.06 };
    const isOff = ([x, y]) => x < room.left - SLACK || x > room.right + SLACK
      || y < room.top - SLACK || y > room.bottom + SLACK;
    const shown = (each) => each.matches('[data-at], .card-key') || each.getBoundingClientRect().width > 2;
    const places = [...document.querySelectorAll('.place, #dealer')];
    const things = places.flatMap((place) => [...place.querySelectorAll(THINGS)].filter(shown)
      .map((each) => ({ each, of: place.dataset.seat || 'dealer', corners: cornersOf(each) })));
    for (const [at, thing] of things.entries()) {
      const [[x, y], [nx, ny]] = thing.corners;
      if (thing.each.matches('[data-at], .card-key') && Math.hypot(nx - x, ny - y) < SMALLEST) {
        found.push(`${about}: a card of seat ${thing.of} is ${Math.hypot(nx - x, ny - y)} wide`);
      }
      if (thing.corners.some(isOff)) {
        found.push(`${about}: seat ${thing.of}: ${name(thing.each)} is off the felt`);
      }
      for (const other of things.slice(at + 1)) {
        if (thing.of !== other.of && !isApart(thing.corners, other.corners)) {
          found.push(`${about}: ${name(thing.each)} of ${thing.of} lies on ${name(other.each)} of ${other.of}`);
        }
      }
    }
  }
  return found;
}
"""


def state(round_: History, about: str) -> dict[str, Any]:
    row = RoundRow("rnd_" + "a" * 24, ME.owner, "o", "", write_record(round_), True, utc())
    told = state_as_json(Standing(row, round_), ME)
    return {"about": about, "round": told, "seat": (told["waits_for"] or [told["seats"][0]["seat"]])[0]}


@cache
def offering_of(game: str, seats: int) -> TableOffering:
    return find_any_game(game).offer(seats=seats)


def dealt(game: str, seats: int, played: int) -> list[dict[str, Any]]:
    """With chips everywhere, when somebody first decides, when the last does, and when all is over."""
    offering = offering_of(game, seats)
    round_ = offering.open(offering.fresh_shoe(f"lie {played}"))
    for seat in range(1, played + 1):
        for spot in open_spots(round_):
            round_ = round_.do(Bet(seat, spot, least_cents(offering, spot)))
    about = f"{game}, {played} of {seats} seats"
    found = [state(round_, f"{about}, chips")] if played == seats else []
    round_ = round_.do(round_.no_more_bets)
    asked: list[History] = []
    for _ in range(MOST_DECIDED):
        for act in dealers_acts(round_):
            round_ = round_.do(act)
        if round_.is_over:
            break
        asked.append(round_)
        own = [each for each in legal_acts(round_) if each.seat in round_.waits_for]
        dear = max(own, key=lambda each: each.cost_cents or 0)  # what brings the most on the table: a raise, a split
        round_ = round_.do(dear.act)
    assert round_.is_over, about
    return [
        *found,
        *(state(each, f"{about}, decides") for each in (asked[:1] + asked[1:][-1:])),
        state(round_, f"{about}, over"),
    ]


@pytest.mark.parametrize("game", list(ALL_GAMES.whole()))
def test_no_seat_lies_on_another_and_nothing_is_off_the_felt(visit: Visit, game: str) -> None:
    most = find_any_game(game).seats
    tables = [(most, played) for played in range(1, most + 1)] + [(seats, seats) for seats in range(1, most)]
    rounds = [each for seats, played in tables for each in dealt(game, seats, played)]
    page = visit("", f"/play/{game}", ready=".circle", width=390, still=True)
    found = []
    for width in (390, 820, 1440, 1920):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{width}: {each}" for each in page.evaluate(LIE, rounds)]
    assert not found, f"{len(found)}:\n" + "\n".join(found[:400])
