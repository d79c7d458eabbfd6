// Where things lie on a table in units of 1440: one centre, and every printed line, spot and seat on a circle round it. A
// dealer sees it from the other side: all of it is turned by half a circle, but for what is read.
export const BY_DEALER = document.body.dataset.side === "dealer";
const [WIDTH, HEIGHT] = [1440, 760];
const [CX, CY] = [720, -286];
const fromHere = ({ x, y, turn }) => (BY_DEALER ? { x: WIDTH - x, y: HEIGHT - y, turn } : { x, y, turn });
const TURN = 0.46; // how far a thing is turned by the angle of its seat: enough to lie on the arc, upright enough to be read
const HALF = 49.5; // degrees that the seats take to each side
export const WIDE = matchMedia("(min-width: 56.25rem)"); // narrower pages have a layout of their own

export const RADII = { above: 522, name: 582, line: [612, 656], below: 642, cards: 783, bet: 893, rail: 978, seat: 1004 };
export const [BET_R, SIDE_R] = [34, 26]; // of a spot, where there are not too many

const radians = (degrees) => (degrees * Math.PI) / 180;

export function at(angle, radius, along = 0) {
  const [s, c] = [Math.sin(radians(angle)), Math.cos(radians(angle))];
  return fromHere({ x: CX + radius * s + along * c, y: CY + radius * c - along * s, turn: -angle * TURN });
}

export const DEALER = fromHere({ x: 720, y: 92, turn: 0 });
// Beside the dealer's cards, between them and what is printed in the corners; a trainee's deck lies farther out.
export const SHOE = fromHere({ x: BY_DEALER ? 1140 : 920, y: 88, turn: 0 });
export const RACK = fromHere({ x: 520, y: 88, turn: 0 });

// Seat 1 is at the players' right, as cards go from the dealer's left hand. Each has a share of the arc by its weight: its
// angle, and how wide cards can lie there before they come to those of its neighbours. That is measured along the inner edge of the
// cards, and less at the ends of the arc, where cards are not turned as far as the arc is.
const INNER = 735;
const GAP = 8;
export function sharesOf(weights) {
  const sum = weights.reduce((all, each) => all + each, 0);
  let run = 0;
  return weights.map((weight) => {
    const angle = HALF - (2 * HALF * (run + weight / 2)) / sum;
    run += weight;
    const room = radians((2 * HALF * weight) / sum) * INNER * Math.cos(radians(angle * (1 - TURN))) - GAP;
    return { angle, room };
  });
}

// A seat's spots: the first before its cards, the others beside and behind it. Radius and way along the arc, and how large.
const BESIDE = [[0, -1], [0, 1]];
const BEHIND = [[], [0], [-0.5, 0.5], [-1, 0, 1], [-1.5, -0.5, 0.5, 1.5]];

export function spotPlaces(many) {
  const size = many > 5 ? 22 : SIDE_R;
  const others = many - 1;
  if (others <= 2) return { size, base: RADII.bet, places: [[RADII.bet, 0], [941, -53], [941, 53]].slice(0, many) };
  const base = 882;
  const step = size * 2 + 4;
  const behind = BEHIND[Math.min(others - 2, BEHIND.length - 1)].map((along) => [base + 34 + size + 2, along * step]);
  const more = Array.from({ length: Math.max(0, others - 2 - behind.length) }, (_, place) =>
    [base - 46, (place % 2 ? 1 : -1) * (92 + 40 * Math.floor(place / 2))]);
  return { size, base, places: [[base, 0], ...BESIDE.map(([, side]) => [base, side * (BET_R + size + (many > 5 ? 6 : 12))]), ...behind, ...more] };
}

// On the printed line below the game's name, before the seat.
export const onTheLine = (angle) => at(angle * 0.72, (RADII.line[0] + RADII.line[1]) / 2);

export function put(element, { x, y, turn = 0 }, from = { x: 0, y: 0 }) {
  element.style.setProperty("--x", (x - from.x).toFixed(1));
  element.style.setProperty("--y", (y - from.y).toFixed(1));
  element.style.setProperty("--turn", `${turn.toFixed(1)}deg`);
  return element;
}

// Lines on an arc, as drawings

const point = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
export const centre = fromHere({ x: CX, y: CY, turn: 0 });
// From left to right as it is read, `half` degrees to each side.
export function curve(radius, half) {
  const [left, right] = BY_DEALER ? [half, -half] : [-half, half];
  return `M${point(at(left, radius))}A${radius} ${radius} 0 0 ${BY_DEALER ? 1 : 0} ${point(at(right, radius))}`;
}
export const disc = (radius, more) => `<circle cx="${centre.x}" cy="${centre.y}" r="${radius}" ${more}/>`;
