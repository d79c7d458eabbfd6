// Cards of our own, drawn as SVG: a large rank and suit at the left edge, so that they are read at arm's length and in a
// fan; faces have a crown. Each says what it is to whoever cannot see it.
import { say } from "../show.js";

const SPACE = "http://www.w3.org/2000/svg";
const RED = "#b5121f";
const BLACK = "#16211c";
const SUITS = {
  s: { sign: "♠", colour: BLACK, path: "M50 4C60 24 92 40 92 64C92 77 82 84 71 84C64 84 58 81 55 76C56 86 60 92 68 97H32C40 92 44 86 45 76C42 81 36 84 29 84C18 84 8 77 8 64C8 40 40 24 50 4Z" },
  h: { sign: "♥", colour: RED, path: "M50 92C20 66 6 50 6 31C6 16 17 7 29 7C38 7 46 12 50 21C54 12 62 7 71 7C83 7 94 16 94 31C94 50 80 66 50 92Z" },
  d: { sign: "♦", colour: RED, path: "M50 3C60 22 72 37 86 50C72 63 60 78 50 97C40 78 28 63 14 50C28 37 40 22 50 3Z" },
  c: { sign: "♣", colour: BLACK, path: "M50 4A21 21 0 0 1 67 37A22 22 0 1 1 56 70C57 82 61 91 68 97H32C39 91 43 82 44 70A22 22 0 1 1 33 37A21 21 0 0 1 50 4Z" },
};
const CROWNS = {
  K: "M27 -8H33V-2H39V4H33V9L43 26L60 12L56 44H4L0 12L17 26L27 9V4H21V-2H27Z M4 48H56V55H4Z",
  Q: "M6 44L2 18A5 5 0 1 1 8 15L19 28L26 10A5 5 0 1 1 34 10L41 28L52 15A5 5 0 1 1 58 18L54 44Z M6 48H54V55H6Z",
  J: "M6 44V20L19 33L30 14L41 33L54 20V44Z M6 48H54V55H6Z",
};

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const rankOf = (card) => card.slice(0, -1);
const shownRank = (rank) => (rank === "T" ? "10" : rank);

export function inWords(card) {
  return say("play.card", { rank: say(`play.rank_${rankOf(card)}`), suit: say(`play.suit_${card.slice(-1)}`) });
}

// "The dealer has 4h 9s" as people write it: 4♥ 9♠.
export function withSigns(text) {
  return text.replace(/\b([2-9TJQKA])([shdc])\b/g, (_, rank, suit) => `${shownRank(rank)}${SUITS[suit].sign}`);
}

export function drawCard(card) {
  const rank = rankOf(card);
  const suit = SUITS[card.slice(-1)];
  const picture = draw("svg", { viewBox: "0 0 100 140", class: "playing-card", role: "img", "aria-label": inWords(card), "data-card": card },
    draw("rect", { x: 1, y: 1, width: 98, height: 138, rx: 10, fill: "#fffefa", stroke: "#9aa59f", "stroke-width": 1.5 }));
  const label = draw("text", { x: rank === "T" ? 4 : 8, y: 43, "font-size": 46, "font-weight": 700, fill: suit.colour, class: "rank" }, shownRank(rank));
  if (rank === "T") label.setAttribute("letter-spacing", "-5");
  picture.append(label, sign(suit, 9, 52, 0.26));
  if (CROWNS[rank]) {
    picture.append(draw("rect", { x: 42, y: 50, width: 50, height: 82, rx: 7, fill: suit.colour, opacity: 0.09 }),
      draw("path", { d: CROWNS[rank], fill: "#c98a00", stroke: "#7a5200", "stroke-width": 2, transform: "translate(48 59) scale(0.63)" }),
      sign(suit, 50, 98, 0.34));
  } else {
    picture.append(sign(suit, 40, 76, 0.54));
  }
  return picture;
}

function sign(suit, x, y, scale) {
  return draw("path", { d: suit.path, fill: suit.colour, transform: `translate(${x} ${y}) scale(${scale})` });
}

export function drawBack() {
  const lines = [];
  for (let at = -130; at < 100; at += 13) lines.push(`M${at} 8L${at + 124} 132M${at + 124} 8L${at} 132`);
  const id = `back-${(drawn += 1)}`;
  return draw("svg", { viewBox: "0 0 100 140", class: "playing-card", role: "img", "aria-label": say("play.face_down") },
    draw("rect", { x: 1, y: 1, width: 98, height: 138, rx: 10, fill: "#fffefa", stroke: "#9aa59f", "stroke-width": 1.5 }),
    draw("clipPath", { id }, draw("rect", { x: 8, y: 8, width: 84, height: 124, rx: 5 })),
    draw("g", { "clip-path": `url(#${id})` },
      draw("rect", { x: 8, y: 8, width: 84, height: 124, fill: "#7a1f2b" }),
      draw("path", { d: lines.join(""), stroke: "#d9a7ad", "stroke-width": 1.4, fill: "none" })));
}
let drawn = 0;
