// What is printed: cloth and rail, the game's name in its arc, the line below it, a shape for each spot of each seat, and
// what the wagers pay. All of it is the game's own data; it is drawn again only when a seat grows or is asked.
import { make } from "../show.js";
import { at, BET_R, BY_DEALER, centre, curve, disc, RACK, RADII, SHOE } from "./arc.js";
import { printedPays, showPays } from "./pays.js";

const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const [LINE_HALF, WORDS_HALF] = [37, 62];

let number = 0;
function onArc(text, radius, size, { gold = false, plain = false, space = 3 } = {}) {
  if (!text) return "";
  const id = `arc-${number += 1}`;
  const face = plain ? 'font-family="var(--font)" font-weight="640"' : 'font-family="var(--font-display)"';
  const color = gold ? "var(--print-gold)" : "var(--print)";
  const foot = BY_DEALER ? radius - size * 0.7 : radius; // the letters stand on the other side of their line
  return `<path id="${id}" d="${curve(foot, WORDS_HALF)}" fill="none"/><text ${face} font-size="${size}" letter-spacing="${space}"`
    + ` fill="${color}" text-anchor="middle"><textPath href="#${id}" startOffset="50%">${escape(text.toUpperCase())}</textPath></text>`;
}

// The longest names still end before the corners, where the pays are.
const sized = (text, most, letters) => Math.min(most, (most * letters) / Math.max(text.length, 1));

function surface() {
  const edge = RADII.rail;
  const stop = (from, color) => `<stop offset="${from / (edge + 56)}" stop-color="${color}"/>`;
  const round = `gradientUnits="userSpaceOnUse" cx="${centre.x}" cy="${centre.y}" r="${edge + 56}"`;
  return `<defs><radialGradient id="lamp" gradientUnits="userSpaceOnUse" cx="720" cy="${BY_DEALER ? 520 : 240}" r="860">`
    + '<stop offset="0" stop-color="var(--felt-lit)"/>'
    + '<stop offset=".55" stop-color="var(--felt)"/><stop offset="1" stop-color="var(--felt-deep)"/></radialGradient>'
    + `<radialGradient id="wood" ${round}>${stop(edge - 2, "#120906")}${stop(edge + 10, "#2a1710")}${stop(edge + 26, "#6d4533")}`
    + `${stop(edge + 40, "#4a2c20")}${stop(edge + 56, "#120906")}</radialGradient>`
    + '<filter id="soft" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="16"/></filter></defs>'
    + disc(edge + 52, 'fill="#000" opacity=".35" filter="url(#soft)" transform="translate(0 14)"')
    + disc(edge + 52, 'fill="url(#wood)"') + disc(edge, 'fill="url(#lamp)"')
    + disc(edge - 7, 'fill="none" stroke="#000" stroke-opacity=".2" stroke-width="14"')
    + disc(edge + 1, 'fill="none" stroke="var(--print-gold)" stroke-opacity=".65" stroke-width="2"');
}

// Where there is no arc of seats the name and the lines that go with it are printed on small curves.
const bow = (id, top) => `<path id="${id}" d="M6 ${top}Q180 ${top + 52} 354 ${top}" fill="none"/>`;
export function drawName(element, felt) {
  const tops = felt.above && felt.below ? [13, 28, 39.5] : [17, 36]; // as high with three as with two
  const lines = [felt.above, felt.below].filter(Boolean);
  const key = [felt.name, ...lines].join(" ");
  if (element.dataset.drawn === key) return;
  element.dataset.drawn = key;
  const word = (on, text, size, more) => `<text text-anchor="middle" font-size="${size.toFixed(1)}" ${more}>`
    + `<textPath href="#${on}" startOffset="50%">${escape(text.toUpperCase())}</textPath></text>`;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 360 68");
  svg.innerHTML = bow("bow-name", tops[0]) + lines.map((_, place) => bow(`bow-line-${place}`, tops[place + 1])).join("")
    + word("bow-name", felt.name, sized(felt.name, 24, 20), 'font-family="var(--font-display)" letter-spacing="1.4" fill="var(--print-gold)"')
    + lines.map((line, place) => word(`bow-line-${place}`, line, sized(line, 10.5, 36),
      'font-family="var(--font)" font-weight="640" letter-spacing="1.6" fill="var(--print)"')).join("");
  element.replaceChildren(svg);
}

const SHAPES = {
  circle: (r) => `<circle r="${r}"/>`,
  box: (r) => `<rect x="${-r * 1.08}" y="${-r * 0.94}" width="${r * 2.16}" height="${r * 1.88}" rx="${r * 0.34}"/>`,
  diamond: (r) => `<path d="M0 ${-r * 1.12}L${r * 1.28} 0L0 ${r * 1.12}L${-r * 1.28} 0Z"/>`,
  hexagon: (r) => `<path d="M${-r * 1.15} 0L${-r * 0.6} ${-r * 0.95}H${r * 0.6}L${r * 1.15} 0L${r * 0.6} ${r * 0.95}H${-r * 0.6}Z"/>`,
};

function printedSpot(of, { x, y, turn }, r, { shape, words }, ring) {
  const size = Math.min(r * 0.34, (r * 1.72) / Math.max(...words.map((line) => line.length)) / 0.62);
  const lines = words.map((line, place) => `<text y="${((place - (words.length - 1) / 2) * size * 1.12 + size * 0.34).toFixed(1)}"`
    + ` font-size="${size.toFixed(1)}">${escape(line.toUpperCase())}</text>`).join("");
  return `<g data-print="${escape(of)}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})">`
    + `<g fill="rgb(0 0 0 / .13)" stroke="${ring}" stroke-width="2.2">${(SHAPES[shape] || SHAPES.circle)(r)}</g>`
    + `<g class="print-words" fill="var(--print)" text-anchor="middle" font-family="var(--font)" font-weight="680">${lines}</g></g>`;
}

// Where chips lie nobody reads half a word between them; seats where nobody plays step back once the cards are dealt.
export function coverPrints(element, round, settlements) {
  const plays = new Set(round.seats.filter((seat) => Object.keys(seat.wagers_cents).length).map((seat) => String(seat.seat)));
  const there = new Set(round.seats.flatMap((seat) => Object.keys(seat.wagers_cents).map((spot) => `${seat.seat} ${spot}`)));
  const lost = new Set(settlements.filter((each) => !each.returned_cents).map((each) => `${each.seat} ${each.spot}`));
  for (const print of element.querySelectorAll("[data-print]")) {
    print.classList.toggle("covered", there.has(print.dataset.print) && !lost.has(print.dataset.print));
    print.classList.toggle("idle", !BY_DEALER && round.phase !== "betting" && !plays.has(print.dataset.print.split(" ")[0]));
  }
}

// The shoe, with its cut card where it lies in it, and the rack of what was dealt: as full as they are.
const [WINDOW, FOOT, MOST_LINES] = [66, 18, 7]; // of the shoe: how high, and where the next card lies
const backs = 'rx="5" fill="#7b1f2c" stroke="#fffdf8" stroke-width="2.5"';
const lies = ({ x, y }, turn, ...parts) => `<g transform="translate(${x} ${y}) rotate(${turn})">${parts.join("")}</g>`;

const shoeAndRack = () => '<defs><pattern id="edges" width="52" height="3" patternUnits="userSpaceOnUse">'
  + '<path d="M0 .75H52" stroke="#f3ecdb" stroke-width="1.5"/><path d="M0 2.25H52" stroke="#b9ac8f" stroke-width="1.5"/></pattern></defs>'
  + lies(RACK, -6, '<rect x="-41" y="-56" width="82" height="112" rx="9" fill="rgb(0 0 0 / .18)" stroke="var(--felt-line)" stroke-width="2"/>',
    "<g data-rack></g>")
  + lies(SHOE, 6, '<rect x="-41" y="-60" width="82" height="118" rx="10" fill="#120d0a" stroke="#3c2f25" stroke-width="3"/>',
    `<rect x="-31" y="-51" width="62" height="${WINDOW + 6}" rx="5" fill="#070504"/><g data-shoe></g>`,
    `<rect x="-24" y="38" width="48" height="26" ${backs}/><rect x="-41" y="26" width="82" height="20" rx="6" fill="#211812"/>`);

// Where what is printed in a corner needs the room, as on a small screen, neither of them stands there.
const BESIDE = 48;
export function makeRoom(element) {
  const inside = element.querySelector("[data-shoe]");
  const size = `${innerWidth} ${innerHeight}`;
  if (inside.dataset.room === size) return; // it is measured once for a cloth that was drawn
  inside.dataset.room = size;
  const { x, width } = element.getBoundingClientRect();
  const edge = (place) => x + (place * width) / 1440;
  const [left, right] = ["left", "right"].map((side) => element.querySelector(`.prints.${side}`)?.getBoundingClientRect());
  const isTight = Boolean(left?.width && left.right > edge(RACK.x - BESIDE)) || Boolean(right?.width && right.x < edge(SHOE.x + BESIDE));
  for (const each of element.querySelectorAll("g:has(> [data-shoe], > [data-rack])")) each.classList.toggle("gives-way", isTight);
}

export function fillShoe(element, shoe) {
  const [inside, rack] = ["[data-shoe]", "[data-rack]"].map((each) => element.querySelector(each));
  if (!inside || !shoe) return;
  const key = `${shoe.now} ${shoe.cut} ${shoe.cards}`;
  if (inside.dataset.shoe === key) return;
  inside.dataset.shoe = key;
  const left = (dealt) => WINDOW * (1 - dealt / shoe.cards);
  const high = left(shoe.now);
  const cut = shoe.cut === null ? "" : `<path d="M-31 ${(FOOT - left(shoe.cut)).toFixed(1)}H31" stroke="var(--print-gold)" stroke-width="3"/>`;
  inside.innerHTML = `<rect x="-26" y="${(FOOT - high).toFixed(1)}" width="52" height="${high.toFixed(1)}" fill="url(#edges)"/>${cut}`;
  const places = Array.from({ length: Math.ceil((shoe.now / shoe.cards) * MOST_LINES) }, (_, place) => [-place * 1.1, -place * 1.6]);
  const [x, y] = places.at(-1) || [];
  rack.innerHTML = places.map(([dx, dy]) => `<rect x="${dx - 29}" y="${dy - 43}" width="58" height="84" ${backs}/>`).join("")
    + (places.length ? `<path d="M${x} ${y - 16}l13 15l-13 15l-13 -15z" fill="none" stroke="#e6cfa6" stroke-width="1.6"/>` : "");
}

// `seats`: each with its angle and its spots as they are placed.
export function drawCloth(element, { felt, seats, current, round }) {
  const shape = seats.map(({ seat, angle, many, isEmpty }) => [seat, angle, many, isEmpty]);
  const key = JSON.stringify([felt, shape, current, round.table.spots.map((spot) => [spot.paytable, spot.pays_beside])]);
  if (element.dataset.drawn === key) return;
  element.dataset.drawn = key;
  number = 0;
  let drawn = surface() + (BY_DEALER ? "" : shoeAndRack());
  drawn += onArc(felt.above, RADII.above, sized(felt.above, 19, 34), { plain: true, space: 4 });
  drawn += onArc(felt.name, RADII.name, sized(felt.name, 52, 22), { gold: true, space: 6 });
  if (felt.below) {
    const [inner, outer] = RADII.line;
    const end = (side) => { const [a, b] = [at(side, inner), at(side, outer)]; return `M${a.x} ${a.y}L${b.x} ${b.y}`; };
    const line = `${curve(inner, LINE_HALF)}${curve(outer, LINE_HALF)}${end(-LINE_HALF)}${end(LINE_HALF)}`;
    drawn += `<path d="${line}" fill="none" stroke="var(--felt-line)" stroke-width="2"/>`
      + onArc(felt.below, RADII.below, sized(felt.below, 22, 34), { space: 6 });
  }
  for (const { seat, angle, many, spots, isEmpty } of seats) {
    if (seat === current) {
      const { x, y } = at(angle, 838);
      drawn += `<ellipse cx="${x}" cy="${y}" rx="${many > 1 ? 215 : 118}" ry="130" fill="rgb(255 236 170 / .1)" filter="url(#soft)"/>`;
    }
    for (const { spot, place, first, size } of spots.slice(0, isEmpty ? 1 : undefined)) {
      const ring = spot.progressive ? "#ff8f4a" : first ? "rgb(244 231 195 / .8)" : spot.before_deal ? "var(--print-gold)" : "var(--felt-line)";
      drawn += printedSpot(`${seat} ${spot.spot}`, place, first ? BET_R : size, felt.spots[spot.spot] || { shape: "circle", words: [spot.title] }, ring);
    }
  }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 1440 760");
  svg.innerHTML = drawn;
  const prints = BY_DEALER ? [] : printedPays(round); // a trainee is asked that
  const corner = (side) => make("div", { class: `prints ${side}` }, ...prints.filter((each) => each.side === side).map(print));
  element.replaceChildren(svg, corner("left"), corner("right"));
}

const print = ({ spot, title, rows }) => make("div", { class: "print", on: { click: () => showPays(spot) } }, make("strong", {}, title),
  make("table", {}, make("tbody", {}, ...rows.map(([line, pay]) => make("tr", {}, make("td", {}, line), make("td", {}, pay))))));
