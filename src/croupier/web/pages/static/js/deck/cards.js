// Cards on a page. Each picture is drawn once for a page and shown by reference wherever it lies, so that a felt is cheap to
// paint anew; each card says what it is to whoever does not see it.
import { make, say } from "../show.js";
import { BOX, back, fullFace, joker, tableFace } from "./faces.js";
import { SUITS } from "./suits.js";

const SPACE = "http://www.w3.org/2000/svg";
export const [FULL, TABLE] = ["full", "table"];

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const drawn = new Set();
let sheet = null;

// One symbol for each picture of a page; what is shown refers to it.
export function picture(id, box, drawing, attributes) {
  if (!drawn.has(id)) {
    drawn.add(id);
    if (!sheet) {
      sheet = draw("svg", { width: 0, height: 0, class: "deck", "aria-hidden": "true", focusable: "false" });
      document.body.append(sheet);
    }
    const symbol = draw("symbol", { id, viewBox: box });
    symbol.innerHTML = drawing();
    sheet.append(symbol);
  }
  return draw("svg", { viewBox: box, ...attributes }, draw("use", { href: `#${id}` }));
}

const rankOf = (card) => card.slice(0, -1);
const suitOf = (card) => card.slice(-1);
const shownRank = (rank) => (rank === "T" ? "10" : rank);

const JOKER = "Jk";

export function inWords(card) {
  if (card === JOKER) return say("card.joker");
  return say("card.name", { rank: say(`card.rank_${rankOf(card)}`), suit: say(`card.suit_${suitOf(card)}`) });
}

// "The dealer has 4h 9s" as people write it: 4♥ 9♠; and "T-6-2 high": 10-6-2.
const TEN = /\bT(?=-[2-9JQKA])|(?<=\b[2-9JQKA]-)T\b/g;
export function withSigns(text) {
  return text.replace(TEN, "10")
    .replace(/(?!^As [a-z]{2})\b([2-9TJQKA])([shdc])\b/g, (_, rank, suit) => `${shownRank(rank)}${SUITS[suit].sign}`);
}

export function drawCard(card, cut = TABLE) {
  const face = cut === FULL ? fullFace : tableFace;
  const drawing = card === JOKER ? joker : () => face(rankOf(card), suitOf(card));
  return picture(`${cut === FULL ? FULL : TABLE}-${card}`, BOX, drawing,
    { class: "playing-card", role: "img", "aria-label": inWords(card), "data-card": card });
}

export function drawBack() {
  return picture("card-back", BOX, back, { class: "playing-card", role: "img", "aria-label": say("card.face_down") });
}

// Cards in somebody's fingers: each turned a little, all of them one picture of the words beside it.
export function fanOut(element, cut = TABLE) {
  const cards = (element.dataset.cards || "As").split(" ");
  const middle = (cards.length - 1) / 2;
  element.append(...cards.map((card, at) => {
    const shown = drawCard(card, cut);
    shown.style.setProperty("--turn", String(at - middle));
    shown.style.setProperty("--drop", String(Math.abs(at - middle)));
    return shown;
  }));
}

// A hand in a text, as in an example of the rules.
export const cardRow = (cards, cut = TABLE) => make("span", { class: "card-row" }, ...cards.map((card) => drawCard(card, cut)));
