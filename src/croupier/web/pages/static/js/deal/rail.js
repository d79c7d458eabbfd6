// The question with its answers as buttons and keys, or a field to type into; and the rule, for whoever was wrong.
import { byId, fill, make, say } from "../show.js";
import { withSigns } from "../play/cards.js";

export function key(letter, label, does, { quiet = false, disabled = false, id = false, value = false } = {}) {
  return make("button", { type: "button", id, class: `action ${quiet ? "quiet" : ""}`, "data-key": letter, "data-value": value, "aria-keyshortcuts": letter === "Enter" ? "Enter" : letter, disabled, on: { click: does } },
    make("span", {}, withSigns(label), make("kbd", { "aria-hidden": "true" }, letter === "Enter" ? "⏎" : letter.toUpperCase())));
}

export function paintQuestion(step, missed, answer) {
  byId("ask").textContent = withSigns(step.ask);
  if (step.typed) return fill(byId("actions"), typing(step, answer));
  fill(byId("actions"), make("div", { class: "choices" }, ...step.choices.map((each) =>
    key(each.key, each.label, () => answer(each.value), { quiet: true, value: each.value, disabled: missed.includes(each.value) }))));
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
    make("div", { class: "typed-row" }, isMoney ? make("span", { "aria-hidden": "true" }, "$") : null, field,
      make("button", { type: "submit", class: "action" }, make("span", {}, say("deal.answer"), make("kbd", { "aria-hidden": "true" }, "⏎")))), hint);
}

export function explain(step, paragraph, tries) {
  const wrong = byId("wrong");
  wrong.hidden = !tries;
  if (!tries) return fill(wrong);
  const [head, ...rows] = paragraph.table;
  const cells = (tag, row) => make("tr", {}, ...row.map((text) => make(tag, tag === "th" ? { scope: "col" } : {}, text)));
  fill(wrong,
    make("p", {}, make("strong", {}, say("deal.wrong")), step.facts ? ` ${withSigns(step.facts)}` : "",
      tries > 1 ? make("strong", {}, ` ${withSigns(say("deal.it_is", { right: step.right }))}`) : null),
    make("p", {}, make("span", { class: "tag" }, say("deal.paragraph", { number: step.paragraph })), ` ${paragraph.text}`),
    paragraph.list.length ? make("ol", {}, ...paragraph.list.map((text) => make("li", {}, text))) : null,
    head ? make("div", { class: "wide", role: "region", tabindex: "0", "aria-label": say("deal.paragraph", { number: step.paragraph }) }, make("table", {}, make("thead", {}, cells("th", head)), make("tbody", {}, ...rows.map((row) => cells("td", row))))) : null);
}
