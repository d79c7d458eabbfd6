// Faces and the back of a card as drawings in 250 by 350. Two cuts of each face:
//   full   two indices, pips or a court; from about 90 pixels of width on
//   table  one large index that is read in a fan and at a phone's size, one large suit or the bust of a court
import { court, courtBust, isCourt } from "./courts.js";
import { OUTLINES } from "./outlines.js";
import { GOLD, INK, PAPER, SUITS, pip } from "./suits.js";

export const BOX = "0 0 250 350";
const SHEET = `<rect x="1" y="1" width="248" height="348" rx="17" fill="${PAPER}" stroke="#1b1710" stroke-opacity=".2" stroke-width="2"/>`;

// Outlines of cap height 100 are set to a height and squeezed into a width; the stroke thickens their hairlines.
function index(rank, { x, y, height, widest, stroke, centred = false }) {
  const letters = rank === "T" ? ["1", "0"] : [rank];
  const gap = 5;
  const natural = letters.reduce((sum, each) => sum + OUTLINES[each].wide, gap * (letters.length - 1));
  const scale = height / 100;
  const across = Math.min(scale, widest / natural);
  const lift = rank === "J" ? 0.8 : 1; // it descends: a little smaller, on the same top line
  let at = 0;
  const drawn = letters.map((each) => {
    const path = `<path d="${OUTLINES[each].path}" transform="translate(${at} 0)"/>`;
    at += OUTLINES[each].wide + gap;
    return path;
  }).join("");
  const left = centred ? x - (natural * across) / 2 : x;
  return `<g transform="translate(${left} ${y}) scale(${across} ${scale * lift})" stroke-width="${stroke / scale}" stroke-linejoin="round">${drawn}</g>`;
}

// Where the pips lie: three columns, rows as on every deck.
const [TOP, BOTTOM, MIDDLE, LEFT, RIGHT, CENTRE] = [70, 280, 175, 79, 171, 125];
const row = (at) => TOP + ((BOTTOM - TOP) * at) / 3;
const corners = [[LEFT, TOP], [RIGHT, TOP], [LEFT, BOTTOM], [RIGHT, BOTTOM]];
const sides = [[LEFT, MIDDLE], [RIGHT, MIDDLE]];
const rows = [[LEFT, row(1)], [RIGHT, row(1)], [LEFT, row(2)], [RIGHT, row(2)]];
const upper = [CENTRE, (TOP + MIDDLE) / 2];
const PIPS = {
  2: [[CENTRE, TOP], [CENTRE, BOTTOM]],
  3: [[CENTRE, TOP], [CENTRE, MIDDLE], [CENTRE, BOTTOM]],
  4: corners,
  5: [...corners, [CENTRE, MIDDLE]],
  6: [...corners, ...sides],
  7: [...corners, ...sides, upper],
  8: [...corners, ...sides, upper, [CENTRE, (BOTTOM + MIDDLE) / 2]],
  9: [...corners, ...rows, [CENTRE, MIDDLE]],
  T: [...corners, ...rows, [CENTRE, (TOP + row(1)) / 2], [CENTRE, (BOTTOM + row(2)) / 2]],
};

function ace(suit) {
  const { colour } = SUITS[suit];
  if (suit !== "s") {
    return `<g fill="${colour}">${pip(suit, CENTRE, MIDDLE, 116)}</g>`
      + `<g fill="none" stroke="${colour}" stroke-opacity=".5" stroke-width="1.5">${pip(suit, CENTRE, MIDDLE, 142)}</g>`;
  }
  const rays = Array.from({ length: 36 }, (_, at) => {
    const [turn, far] = [(at * Math.PI) / 18, at % 3 ? 92 : 97];
    const place = (radius) => `${(CENTRE + radius * Math.cos(turn)).toFixed(1)} ${(MIDDLE + radius * Math.sin(turn)).toFixed(1)}`;
    return `M${place(88)}L${place(far)}`;
  }).join("");
  return `<g fill="none" stroke="${GOLD}" stroke-width="2"><circle cx="125" cy="175" r="86"/><circle cx="125" cy="175" r="80" stroke-width="1"/>`
    + `<path d="${rays}" stroke-linecap="round"/></g><g fill="${INK}">${pip(suit, CENTRE, 172, 118)}</g>`
    + `<g fill="${PAPER}" stroke="${GOLD}">${pip(suit, CENTRE, 180, 34)}</g>`;
}

function middle(rank, suit) {
  if (isCourt(rank)) return court(rank, suit);
  if (rank === "A") return ace(suit);
  const size = PIPS[rank].length > 8 ? 50 : 55;
  return `<g fill="${SUITS[suit].colour}">${PIPS[rank].map(([x, y]) => pip(suit, x, y, size, y > MIDDLE + 1)).join("")}</g>`;
}

export function fullFace(rank, suit) {
  const { colour } = SUITS[suit];
  const corner = `<g fill="${colour}" stroke="${colour}">${index(rank, { x: 26, y: 17, height: 42, widest: 32, stroke: 1.4, centred: true })}</g>`
    + `<g fill="${colour}">${pip(suit, 26, 80, 26)}</g>`;
  return SHEET + middle(rank, suit) + corner + `<g transform="rotate(180 125 175)">${corner}</g>`;
}

export function tableFace(rank, suit) {
  const { colour } = SUITS[suit];
  const large = isCourt(rank) ? courtBust(rank, suit) : `<g fill="${colour}">${pip(suit, 166, 254, rank === "A" ? 142 : 122)}</g>`;
  return SHEET + large
    + `<g fill="${colour}" stroke="${colour}">${index(rank, { x: 16, y: 22, height: 92, widest: 84, stroke: 3.2 })}</g>`
    + `<g fill="${colour}">${pip(suit, 54, 160, 66)}</g>`;
}

// A joker has no rank and no suit: a star, and its word along both edges.
export function joker() {
  const star = Array.from({ length: 10 }, (_, at) => {
    const [turn, far] = [(at * Math.PI) / 5 - Math.PI / 2, at % 2 ? 34 : 84];
    return `${(CENTRE + far * Math.cos(turn)).toFixed(1)} ${(MIDDLE + far * Math.sin(turn)).toFixed(1)}`;
  }).join("L");
  const word = [...("JOKER")].map((letter, at) => `<text x="26" y="${48 + at * 34}" font-size="34" font-weight="700" `
    + `text-anchor="middle" font-family="serif" fill="${INK}">${letter}</text>`).join("");
  return `${SHEET}<path d="M${star}Z" fill="${GOLD}" stroke="${INK}" stroke-width="3" stroke-linejoin="round"/>`
    + `${word}<g transform="rotate(180 125 175)">${word}</g>`;
}

// The house's pattern: a lattice, and the four suits in a lozenge.
const [DYE, THREAD] = ["#7b1c2a", "#f2dcae"];
export function back() {
  const knots = [[0, 0], [22, 0], [0, 22], [22, 22]].map(([x, y]) =>
    `<circle cx="${x}" cy="${y}" r="3.2" fill="${DYE}" stroke="${THREAD}" stroke-width="1.2"/>`).join("");
  return `<defs><pattern id="back-lattice" width="22" height="22" patternUnits="userSpaceOnUse" patternTransform="rotate(45 125 175)">`
    + `<rect width="22" height="22" fill="${DYE}"/><path d="M0 0H22V22H0Z" fill="none" stroke="${THREAD}" stroke-width="1.5"/>`
    + `<rect x="6.5" y="6.5" width="9" height="9" fill="none" stroke="${THREAD}" stroke-width="1.3"/>`
    + `<circle cx="11" cy="11" r="1.8" fill="${THREAD}"/>${knots}</pattern></defs>`
    + `${SHEET}<rect x="14" y="14" width="222" height="322" rx="9" fill="url(#back-lattice)" stroke="${DYE}" stroke-width="4"/>`
    + `<rect x="21" y="21" width="208" height="308" rx="5" fill="none" stroke="${THREAD}" stroke-width="2"/>`
    + `<path d="M125 112L181 175L125 238L69 175Z" fill="${DYE}" stroke="${THREAD}" stroke-width="3"/>`
    + `<path d="M125 124L171 175L125 226L79 175Z" fill="none" stroke="${THREAD}" stroke-width="1.3"/>`
    + `<g fill="${THREAD}">${pip("s", 125, 151, 26)}${pip("h", 102, 176, 24)}${pip("d", 148, 175, 26)}${pip("c", 125, 200, 26)}</g>`;
}
