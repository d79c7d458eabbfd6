// The question: what is answered on the table says so, the rest has buttons and keys, or chips to pay with; and for
// whoever was wrong, how it is worked out, and the rule.
import { byId, currencySign, fill, make, say, shortMoney } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { key } from "../play/key.js";
import { tableOf } from "../play/paragraph.js";

const small = matchMedia("(max-width: 56.24rem)"); // there the rule is folded, and a list of steps everywhere: it would hide the answers
const ON_TABLE = ["whom", "turn", "order"];
const HOW = { whom: "deal.how_whom", turn: "deal.how_turn", order: "deal.how_order", result: "deal.how_result", draw: "deal.how_draw" };

export const isOnTable = (step) => ON_TABLE.includes(step.kind);

// `pays` is told the sum while it is made.
export function paintQuestion(step, missed, answer, pays) {
  byId("ask").textContent = withSigns(step.ask);
  byId("how").textContent = step.typed === "money" ? say(small.matches ? "deal.how_pay_short" : "deal.how_pay") : HOW[step.kind] ? say(HOW[step.kind]) : "";
  if (step.typed === "money") return fill(byId("actions"), paying(step, missed, answer, pays));
  if (step.typed) return fill(byId("actions"), counting(answer));
  if (isOnTable(step)) return fill(byId("actions"));
  fill(byId("actions"), make("div", { class: "choices" }, ...step.choices.map((each) =>
    key(each.key, label(step, each), { does: () => answer(each.value), quiet: true, value: each.value, disabled: missed.includes(each.value) }))));
}

// A line of a paytable has its pay at the end, as it is printed.
function label(step, { label: words }) {
  const cut = step.kind === "bonus" ? words.lastIndexOf(", ") : -1;
  if (cut < 0) return withSigns(words);
  return make("span", { class: "pay-line" }, make("span", {}, withSigns(words.slice(0, cut))), make("span", { class: "line-pays" }, words.slice(cut + 2)));
}

// Money: the chips of the tray add up in the field, which can be typed into too.
export const centsIn = (text) => {
  const plain = text.replace(/[$,\s]/g, "");
  return /^\d+(\.\d{1,2})?$/.test(plain) || /^\.\d{1,2}$/.test(plain) ? Math.round(Number(plain) * 100) : null;
};

const inField = (cents) => (cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100));

const sends = (words) => make("button", { type: "submit", class: "action gold" }, make("span", {}, words, make("kbd", { "aria-hidden": "true" }, "Enter")));

function paying(step, missed, answer, pays) {
  const field = make("input", { id: "typed", inputmode: "decimal", autocomplete: "off", maxlength: "12", "aria-label": say("deal.amount") });
  const hint = make("p", { class: "hint", role: "alert" });
  const laid = missed.length ? [Number(missed.at(-1))] : []; // what was paid wrongly still lies there
  const sum = () => laid.reduce((all, cents) => all + cents, 0);
  const show = () => { field.value = sum() ? inField(sum()) : ""; pays(sum()); };
  const read = (event) => {
    event.preventDefault();
    const cents = centsIn(field.value);
    if (cents === null) hint.textContent = say("deal.no_amount");
    else answer(String(cents));
  };
  const form = make("form", { class: "typing", novalidate: true, on: { submit: read } },
    make("div", { class: "typed-row" }, make("span", { "aria-hidden": "true" }, currencySign), field,
      key("z", say("deal.back"), { id: "back", quiet: true, does: () => { laid.pop(); show(); } }),
      sends(say(`deal.do_${step.kind}`))), hint);
  field.addEventListener("input", () => { laid.splice(0, laid.length, centsIn(field.value) || 0); pays(sum()); });
  form.lay = (cents) => { laid.push(cents); show(); };
  show();
  return form;
}

// A number: keys as on a telephone, or typed.
function counting(answer) {
  const field = make("input", { id: "typed", inputmode: "none", autocomplete: "off", required: true, maxlength: "4", "aria-label": say("deal.number") });
  const hint = make("p", { class: "hint", role: "alert" });
  const read = (event) => {
    event.preventDefault();
    if (/^\d+$/.test(field.value.trim())) answer(String(Number(field.value)));
    else hint.textContent = say("deal.no_number");
  };
  const back = () => { field.value = field.value.slice(0, -1); };
  const digit = (number) => make("button", { type: "button", class: "quiet digit", on: { click: () => { field.value += number; } } }, String(number));
  return make("form", { class: "typing", novalidate: true, on: { submit: read } },
    make("div", { class: "typed-row" }, field, sends(say("deal.answer"))),
    make("div", { class: "digits" }, ...Array.from({ length: 10 }, (_, at) => digit((at + 1) % 10)),
      make("button", { type: "button", class: "quiet digit", "aria-label": say("deal.back"), on: { click: back } }, "⌫")), hint);
}

// Why it was wrong

function inMoney(step, said) {
  const [right, paid] = [Number(step.answers[0]), Number(said)];
  const more = paid - right;
  return [
    make("strong", { class: "off-by" }, say(more > 0 ? "deal.too_much" : "deal.too_little", { money: shortMoney(Math.abs(more)) })),
    make("p", { class: "worked-out" }, say(`deal.you_${step.kind}`, { sum: step.sum, money: shortMoney(paid) })),
  ];
}

export function explain(step, paragraph, missed) {
  const wrong = byId("wrong");
  wrong.hidden = !missed.length;
  if (!missed.length) return fill(wrong);
  const number = say("deal.paragraph", { number: step.paragraph });
  const how = step.typed ? "deal.it_is_typed" : isOnTable(step) ? "deal.it_is_touched" : "deal.it_is";
  const told = missed.length > 1 ? withSigns(say(how, { right: step.right })) : say("deal.wrong");
  const why = step.typed === "money" ? inMoney(step, missed.at(-1)) : [make("p", {}, make("strong", {}, told), step.facts ? ` ${withSigns(step.facts)}` : "")];
  const steps = paragraph.list.length > 0;
  fill(wrong, ...why, steps ? make("p", {}, say("deal.in_steps", { text: paragraph.text, number: step.paragraph })) : null,
    make("details", { open: !small.matches && !steps }, make("summary", {}, number), steps ? null : make("p", {}, paragraph.text),
      steps ? make("ol", {}, ...paragraph.list.map((text) => make("li", {}, text))) : null,
      marked(step, tableOf(paragraph.table, { role: "region", tabindex: "0", "aria-label": number }))));
}

// The one line that pays as the sum says: "$75 at 3 to 1 is $225".
function marked(step, table) {
  const odds = step.sum?.match(/ at (.+?) is /)?.[1];
  const lines = [...table?.querySelectorAll("tbody tr") || []].filter((row) => odds && row.lastElementChild.textContent === odds);
  if (lines.length === 1) lines[0].classList.add("applies");
  return table;
}
