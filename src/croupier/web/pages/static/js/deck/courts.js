// The courts: one half figure of plain geometry for each rank, dressed by its suit and turned round the middle of the card.
// The seam is a diagonal sash. Everything is in the units of a card: 250 by 350.
import { CREAM, GOLD, INK, NAVY, RED, SUITS, isRed, pip } from "./suits.js";

const SKIN = "#f7e4c9";
const STEEL = "#dfe5e2";
const LEAF = "#2f6b46";
const LINE = `stroke="${INK}" stroke-width="2.2" stroke-linejoin="round"`;

const shape = (d, fill) => `<path d="${d}" fill="${fill}" ${LINE}/>`;
const jewel = (x, y, fill = GOLD) => `<path d="M${x} ${y}l5 7-5 7-5-7Z" fill="${fill}"/>`;
const bead = ([x, y], radius, fill) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${LINE}/>`;

// A robe is woven by its suit.
const WEAVES = {
  s: `<path d="M0 12L10 4L20 12M0 22L10 14L20 22" fill="none" stroke="${GOLD}" stroke-width="2.4"/>`,
  h: `<path d="M0 0A10 10 0 0 0 20 0M-10 10A10 10 0 0 0 10 10A10 10 0 0 0 30 10" fill="none" stroke="${GOLD}" stroke-width="2"/>`,
  d: `<path d="M10 2L17 10L10 18L3 10Z" fill="${GOLD}"/>`,
  c: `<g fill="${GOLD}"><circle cx="10" cy="6" r="3"/><circle cx="6" cy="12" r="3"/><circle cx="14" cy="12" r="3"/></g>`,
};

function robe(suit, id, cloth, other) {
  return `<defs><pattern id="${id}" width="20" height="20" patternUnits="userSpaceOnUse">`
    + `<rect width="20" height="20" fill="${cloth}"/>${WEAVES[suit]}</pattern></defs>`
    + shape("M40 212V164C46 146 70 138 98 134H152C180 138 204 146 210 164V212Z", `url(#${id})`)
    + shape("M106 138H144L136 212H114Z", other) + jewel(125, 160) + jewel(125, 180);
}

const FACE = shape("M104 82H146V108C146 126 137 137 125 141C113 137 104 126 104 108Z", SKIN)
  + `<g fill="none" stroke="${INK}" stroke-width="2" stroke-linecap="round">`
  + `<path d="M110 96C113 93.5 118 93.5 120 96M130 96C132 93.5 137 93.5 140 96M125 98L122 112H128"/></g>`
  + `<g fill="${INK}"><ellipse cx="115.5" cy="101" rx="2.3" ry="2.7"/><ellipse cx="134.5" cy="101" rx="2.3" ry="2.7"/></g>`;
const LIPS = `<path d="M119.5 120.5C122 118.5 124 119 125 120C126 119 128 118.5 130.5 120.5C128 125 122 125 119.5 120.5Z" fill="${RED}"/>`;

const FIGURES = {
  K: {
    hair: (red) => shape("M99 84H151C160 92 160 112 154 122C160 126 158 136 148 136H102C92 136 90 126 96 122C90 112 90 92 99 84Z", red ? GOLD : CREAM),
    mouth: (red) => shape(
      "M104 106C105 140 114 156 125 164C136 156 145 140 146 106C142 114 135 117 125 115.5C115 117 108 114 104 106Z",
      red ? GOLD : CREAM,
    )
      + `<path d="M119 122H131" stroke="${RED}" stroke-width="3" stroke-linecap="round"/>`
      + `<path d="M125 130V156M117 128C117 138 119 146 122 152M133 128C133 138 131 146 128 152"`
      + ` stroke="${INK}" stroke-width="1.3" fill="none" stroke-linecap="round"/>`,
    collar: () => shape("M98 134L112 150L125 168L138 150L152 134L164 140L125 196L86 140Z", CREAM)
      + `<g fill="${INK}"><path d="M103 148l3 6-5 .5Z"/><path d="M114 164l3 6-5 .5Z"/><path d="M147 148l-3 6 5 .5Z"/><path d="M136 164l-3 6 5 .5Z"/></g>`,
    head: (other) => shape("M98 84L91 54L107 67L114 50L125 62L136 50L143 67L159 54L152 84Z", GOLD)
      + shape("M98 84L96.5 76H153.5L152 84Z", other)
      + [[91, 53], [114, 49], [136, 49], [159, 53]].map((at) => bead(at, 4, RED)).join(""),
    holds: (other) => `<g ${LINE}><path d="M179 62L184 54L189 62V146H179Z" fill="${STEEL}"/><path d="M168 146H200V153H168Z" fill="${GOLD}"/>`
      + `<path d="M181 153H187V176H181Z" fill="${other}"/></g><path d="M184 62V144" stroke="${INK}" stroke-width="1"/>`,
  },
  Q: {
    hair: (red) => shape(
      "M125 70C158 70 163 96 158 118C166 128 164 150 152 154C146 142 104 142 98 154C86 150 84 128 92 118C87 96 92 70 125 70Z",
      red ? GOLD : INK,
    ),
    mouth: (red) => `${LIPS}<g fill="${red ? RED : "#d8776a"}" opacity=".28"><circle cx="111" cy="112" r="4.5"/><circle cx="139" cy="112" r="4.5"/></g>`,
    collar: () => Array.from({ length: 7 }, (_, at) => Math.PI * (0.12 + (0.76 * at) / 6))
      .map((turn) => bead([(125 - 32 * Math.cos(turn)).toFixed(1), (128 + 25 * Math.sin(turn)).toFixed(1)], 7.4, CREAM)).join("")
      + shape("M125 158l6 8-6 8-6-8Z", GOLD),
    head: (other) => shape("M101 82L94 60L108 70L115 54L125 66L135 54L142 70L156 60L149 82C134 77 116 77 101 82Z", GOLD)
      + [[94, 59], [115, 52], [135, 52], [156, 59]].map((at) => bead(at, 3.6, CREAM)).join("") + `<path d="M125 67l4 5-4 5-4-5Z" fill="${other}"/>`,
    holds: (_, suit) => `<path d="M182 170C186 150 186 132 182 116" fill="none" stroke="${LEAF}" stroke-width="3.4"/>`
      + shape("M184 142C194 138 198 130 198 124C190 126 184 132 184 142Z", LEAF)
      + `<g fill="${SUITS[suit].colour}" stroke="${CREAM}" stroke-width="3">${pip(suit, 181, 98, 38)}</g>`,
  },
  J: {
    hair: (red) => shape("M97 82H153V120C153 132 145 134 141 128H109C105 134 97 132 97 120Z", red ? "#7a4a22" : GOLD),
    mouth: () => LIPS,
    collar: (other) => shape("M98 136C108 148 142 148 152 136L158 150C142 162 108 162 92 150Z", GOLD) + bead([125, 152], 5.5, other),
    head: (other) => shape("M92 84C90 66 106 54 130 56C150 57 160 68 158 84C140 78 110 78 92 84Z", other)
      + shape("M92 84C110 77 140 77 158 84L157 90C140 84 110 84 93 90Z", GOLD)
      + shape("M146 62C160 40 180 44 184 58C172 54 160 60 152 70Z", CREAM)
      + `<path d="M151 66C160 54 170 51 180 56" fill="none" stroke="${INK}" stroke-width="1.3"/>`,
    holds: () => `<g ${LINE}><path d="M182 84H187V178H182Z" fill="#8a5a2b"/><path d="M184.5 66L190 84H179Z" fill="${STEEL}"/>`
      + `<path d="M187 88C200 86 204 100 200 112C196 106 192 104 187 104Z" fill="${STEEL}"/></g>`,
  },
};

export const isCourt = (rank) => rank in FIGURES;

// `id` is of the weave: one page may hold both cuts of a card.
function bust(rank, suit, id) {
  const figure = FIGURES[rank];
  const red = isRed(suit);
  const [cloth, other] = red ? [RED, NAVY] : [NAVY, RED];
  return robe(suit, id, cloth, other) + figure.hair(red) + FACE + figure.mouth(red) + figure.collar(other) + figure.head(other) + figure.holds(other, suit);
}

// The whole card's picture: the figure twice, its like on its head.
export function court(rank, suit) {
  const id = `half-${rank}${suit}`;
  const turned = suit === "h" || suit === "c"; // two of each rank look the other way
  const flip = turned ? ' transform="translate(250 0) scale(-1 1)"' : "";
  const half = `<g clip-path="url(#${id})"><g${flip}>${bust(rank, suit, `weave-${rank}${suit}`)}</g>`
    + `<g fill="${SUITS[suit].colour}">${pip(suit, turned ? 180 : 70, 66, 27)}</g></g>`;
  const frame = 'x="49" y="41" width="152" height="268" rx="5"';
  return `<defs><clipPath id="${id}"><path d="M49 41H201V158L49 192Z"/></clipPath></defs><rect ${frame} fill="#fff9ea"/>${half}`
    + `<g transform="rotate(180 125 175)">${half}</g><path d="M49 187L201 153V163L49 197Z" fill="${GOLD}" stroke="${INK}" stroke-width="1.8"/>`
    + `<rect ${frame} fill="none" stroke="${INK}" stroke-width="2"/>`
    + `<rect x="45" y="37" width="160" height="276" rx="8" fill="none" stroke="${GOLD}" stroke-width="1.5"/>`;
}

// Head and shoulders alone, for the cut that is read in a fan.
export function courtBust(rank, suit) {
  const id = `bust-${rank}${suit}`;
  return `<defs><clipPath id="${id}"><path d="M104 128H234V332H104Z"/></clipPath></defs>`
    + `<g clip-path="url(#${id})"><rect x="104" y="128" width="130" height="204" fill="#fdf3da"/>`
    + `<g transform="translate(10 72) scale(1.27)">${bust(rank, suit, `cloth-${rank}${suit}`)}</g></g>`
    + `<rect x="104" y="128" width="130" height="204" rx="8" fill="none" stroke="${INK}" stroke-opacity=".55" stroke-width="2"/>`;
}
