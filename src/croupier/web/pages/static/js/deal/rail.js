// The question with its answers as buttons and keys, or a field to type into; and the rule, for whoever was wrong.
import { byId, currencySign, fill, make, say } from "../show.js";
import { withSigns } from "../deck/cards.js";
import { key } from "../play/key.js";
import { tableOf } from "../play/paragraph.js";

const small = matchMedia("(max-width: 47.99rem)"); // there the rule is folded: it would hide the answers

export function paintQuestion(step, missed, answer) {
  byId("ask").textContent = withSigns(step.ask);
  if (step.typed) return fill(byId("actions"), typing(step, answer));
  fill(byId("actions"), make("div", { class: "choices" }, ...step.choices.map((each) =>
    key(each.key, withSigns(each.label), { does: () => answer(each.value), quiet: true, value: each.value, disabled: missed.includes(each.value) }))));
}

function typing(step, answer) {
  const isMoney = step.typed === "money";
  const field = make("input", { id: "typed", inputmode: isMoney ? "decimal" : "numeric", autocomplete: "off", required: true, maxlength: "12" });
  const hint = make("p", { class: "hint", role: "alert" });
  const read = (event) => {
    event.preventDefault();
    const text = field.value.replace(/[$,\s]/g, "");
    const fits = isMoney ? /^\d+(\.\d{1,2})?$/.test(text) || /^\.\d{1,2}$/.test(text) : /^\d+$/.test(text);
    if (!fits) hint.textContent = say(isMoney ? "deal.no_amount" : "deal.no_number");
    else answer(String(isMoney ? Math.round(Number(text) * 100) : Number(text)));
  };
  return make("form", { class: "typing", novalidate: true, on: { submit: read } },
    make("label", { for: "typed" }, say(isMoney ? "deal.amount" : "deal.number")),
    make("div", { class: "typed-row" }, isMoney ? make("span", { "aria-hidden": "true" }, currencySign) : null, field,
      make("button", { type: "submit", class: "action" }, make("span", {}, say("deal.answer"), make("kbd", { "aria-hidden": "true" }, "⏎")))), hint);
}

export function explain(step, paragraph, tries) {
  const wrong = byId("wrong");
  wrong.hidden = !tries;
  if (!tries) return fill(wrong);
  const number = say("deal.paragraph", { number: step.paragraph });
  const told = tries > 1 ? withSigns(say(step.typed ? "deal.it_is_typed" : "deal.it_is", { right: step.right })) : say("deal.wrong");
  fill(wrong,
    make("p", {}, make("strong", {}, told), step.facts ? ` ${withSigns(step.facts)}` : ""),
    make("details", { open: !small.matches }, make("summary", {}, number), make("p", {}, paragraph.text),
      paragraph.list.length ? make("ol", {}, ...paragraph.list.map((text) => make("li", {}, text))) : null,
      tableOf(paragraph.table, { role: "region", tabindex: "0", "aria-label": number })));
}
