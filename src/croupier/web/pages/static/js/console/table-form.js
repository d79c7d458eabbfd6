// A table set from the register: title, rules, paytables, decks, wagers with limits, equipment.
import { byId, fill, make, say } from "../show.js";
import { actOnSite } from "./desk.js";
import { PROGRAM } from "./papers.js";
import { amountIn, done, field, options, secondPerson, sending } from "./records.js";

const TEXTS = ["model", "maker", "seller", "version", "place"];
const NEEDED = ["model", "maker"];
const SYSTEM = "progressive-system";
const SHUFFLER = "shuffler";
const OF_USE = { place: ["i-verify"], plain: ["display"], version: ["shuffler", "i-verify", "progressive-system", "other"] };

// What a condition asks for says why; where it stops a table, the piece is `needed` and cannot be left empty.
function piece(register, line, wanted, { why = "", needed = false } = {}) {
  const mark = (name, label) => (needed && (NEEDED.includes(name) || name in OF_USE) ? say("approvals.is_needed", { label }) : label);
  const group = make("fieldset", { class: "second", "data-piece": line },
    make("legend", {}, why ? say(needed ? "approvals.piece_needed" : "approvals.piece_asked", { use: say(`approvals.use_${wanted}`) }) : say("approvals.piece", { line })),
    why ? make("p", { class: "hint" }, why) : null);
  const use = make("select", { name: "use", disabled: needed });
  options(use, register.uses.map((each) => [each, say(`approvals.use_${each}`)]), wanted || undefined);
  const inputs = Object.fromEntries(TEXTS.map((name) => [name, make("input", { name, maxlength: 64, autocomplete: "off" })]));
  if (why && wanted === SYSTEM) [inputs.model.value, inputs.version.value] = [PROGRAM, register.program_version]; // it is this program that runs here
  const plain = make("input", { type: "checkbox", id: `piece-plain-${line}` });
  const rows = { ...Object.fromEntries(TEXTS.map((name) => [name, field(`piece-${name}-${line}`, mark(name, say(`approvals.${name}`)), inputs[name])])),
    plain: make("div", { class: "row" }, plain, make("label", { for: `piece-plain-${line}` }, mark("plain", say("approvals.plain")))) };
  group.append(make("div", { class: "fields" }, field(`piece-use-${line}`, say("approvals.use"), use), ...TEXTS.map((name) => rows[name])), rows.plain);
  const asked = (name) => !(name in OF_USE) || OF_USE[name].includes(use.value);
  const shown = () => Object.entries(rows).forEach(([name, row]) => { row.hidden = !asked(name); });
  use.addEventListener("change", shown);
  shown();
  for (const [name, input] of Object.entries({ ...inputs, plain })) input.required = needed && asked(name) && (NEEDED.includes(name) || name in OF_USE);
  const values = () => (NEEDED.every((name) => !inputs[name].value.trim()) ? null
    : { use: use.value, ...Object.fromEntries(TEXTS.map((name) => [name, asked(name) ? inputs[name].value.trim() : ""])), plain: asked("plain") && plain.checked });
  return { group, values, use };
}

// Titles by the letter that has them, where there are several letters.
function titleOptions(select, titles) {
  const option = (each) => make("option", { value: String(each.place) }, each.title);
  const letters = [...new Set(titles.map((each) => each.letter))];
  fill(select, ...(letters.length < 2 ? titles.map(option)
    : letters.map((letter) => make("optgroup", { label: letter }, ...titles.filter((each) => each.letter === letter).map(option)))));
}

// `linked` is for tables that will be on a link, several at once: of titles that a progressive goes with, and with all that
// such a table needs.
export function tableForm(register, after, { linked = false, first = 1 } = {}) {
  const number = (name, value, max) => make("input", { name, type: "number", min: 1, max, value, required: true });
  const amount = (name, value) => make("input", { name, inputmode: "decimal", required: true, value });
  const title = make("select", { name: "title" });
  const letterOf = (key) => register.approvals.find((each) => each.approval === key);
  titleOptions(title, register.titles.map((each, place) => ({ ...each, place, letter: letterOf(each.approval).name })).filter((each) => !linked || each.progressives.length));
  const joins = make("p", { class: "hint", role: "status" });
  const [table, decks, seats] = [number("number", first, 999), number("decks", 1, 8), number("seats", 6, 9)];
  const many = number("count", 1, 50);
  const [least, most] = [amount("least", "5.00"), amount("most", ((register.most_wager_cents ?? 30_000) / 100).toFixed(2))];
  const dealing = make("select", { name: "dealing" });
  options(dealing, register.dealings.map((each) => [each, say(`approvals.dealing_${each}`)]));
  const [rules, wagers, pieces] = [make("div"), make("fieldset"), make("div", { class: "stack" })];
  let [game, offers, words, lines] = [null, [], null, []];

  // Whether a link can take such a table: said where it is set, and not when the link refuses it.
  function tellJoins() {
    const chosen = register.titles[Number(title.value)];
    const letter = letterOf(chosen.approval).name;
    const those = chosen.progressives.map((key) => register.progressives[key]);
    const dealt = [...new Set(those.flatMap((each) => each.decks))].sort((one, other) => one - other);
    const fits = dealt.includes(Number(decks.value));
    const told = { letter, decks: dealt.join(", "), progressives: those.map((each) => each.title).join("; ") };
    joins.textContent = say(!those.length ? "approvals.joins_none" : fits ? "approvals.joins" : "approvals.joins_decks", told);
    decks.setCustomValidity(linked && !fits ? say("approvals.joins_decks", told) : "");
  }

  function chosen() {
    const own = register.titles[Number(title.value)].wagers;
    game = register.games.find((each) => each.game === register.titles[Number(title.value)].game);
    seats.max = game.seats;
    seats.value = Math.min(Number(seats.value), game.seats);
    decks.value = game.words ? 6 : 1;
    if (game.words) dealing.value = "shoe";
    const input = make("input", { name: "rules", maxlength: 200, autocomplete: "off" });
    const boxes = Object.entries(game.options).map(([key, what]) => [key, what, make("input", { type: "checkbox", id: `option-${key}` })]);
    words = () => (game.words ? input.value.trim() : boxes.filter(([, , box]) => box.checked).map(([key]) => key).join(" "));
    fill(rules, game.words ? field("table-rules", say("approvals.words"), input) : boxes.length ? make("fieldset", {}, make("legend", {}, say("approvals.options")),
      ...boxes.map(([key, what, box]) => make("div", { class: "row" }, box, make("label", { for: `option-${key}` }, what)))) : null);
    offers = game.wagers.map((each) => {
      const box = make("input", { type: "checkbox", id: `wager-${each.wager}`, checked: each.base || own.includes(each.wager), disabled: each.base });
      const paytable = make("select", { "aria-label": say("approvals.paytable_of", { wager: each.title }) });
      options(paytable, each.paytables.map((name) => [name, name]));
      const [low, high] = ["least", "most"].map(() => make("input", { inputmode: "decimal", autocomplete: "off" }));
      const limits = make("div", { class: "fields", hidden: !box.checked }, field(`least-${each.wager}`, say("approvals.least_of", { wager: each.title }), low),
        field(`most-${each.wager}`, say("approvals.most_of", { wager: each.title }), high));
      box.addEventListener("change", () => { limits.hidden = !box.checked; });
      return { ...each, box, paytable, low, high, limits };
    });
    fill(wagers, make("legend", {}, say("approvals.wagers")), make("p", { class: "hint" }, say("approvals.limits_hint")),
      ...offers.flatMap((each) => [make("div", { class: "row" }, each.box, make("label", { for: `wager-${each.wager}` }, each.title),
        each.base && game.words ? null : each.paytable), each.base ? null : each.limits]));
    tellJoins();
  }

  const add = (wanted = "", asks = {}) => {
    lines.push(piece(register, lines.length + 1, wanted, asks));
    pieces.append(lines.at(-1).group);
  };
  const addShuffler = () => {
    if (dealing.value === SHUFFLER && !lines.some((each) => each.use.value === SHUFFLER)) add(SHUFFLER, { why: say("approvals.need_shuffler"), needed: true });
  };
  const onLink = register.needs.filter((each) => each.on_link && !linked);
  const second = secondPerson("set", say("approvals.agree"));
  second.show(true);
  const form = make("form", { class: "stack", autocomplete: "off" }, make("p", { class: "soft" }, say("approvals.set_text")),
    make("div", { class: "fields" }, field("table-title", say("approvals.title"), title), field("table-number", say(linked ? "approvals.first_number" : "approvals.number"), table),
      linked ? field("table-count", say("setup.tables_count"), many) : null,
      field("table-decks", say("approvals.decks"), decks), field("table-seats", say("approvals.seats"), seats), field("table-least", say("approvals.least"), least),
      field("table-most", say("approvals.most"), most), field("table-dealing", say("approvals.dealing"), dealing)),
    joins, rules, wagers, make("h3", {}, say("approvals.equipment")), pieces,
    onLink.length ? make("p", { class: "hint" }, say("approvals.needs_on_link", { uses: onLink.map((each) => say("approvals.need_use", { ...each, use: say(`approvals.use_${each.use}`) })).join(" ") })) : null,
    make("div", {}, make("button", { type: "button", class: "quiet small", on: { click: () => { add(""); byId(`piece-use-${lines.length}`).focus(); } } }, say("approvals.more"))),
    second.element, make("div", {}, make("button", { type: "submit" }, say("approvals.set_do"))));
  title.addEventListener("change", chosen);
  decks.addEventListener("input", tellJoins);
  dealing.addEventListener("change", addShuffler);
  chosen();
  for (const each of register.needs) if (linked || !each.on_link) add(each.use, { why: say(`approvals.need_${each.does}`, each), needed: each.does === "stops" });
  if (!lines.length) add();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(form, async () => {
      const { title: name, approval } = register.titles[Number(title.value)];
      const laid = offers.filter((each) => each.box.checked && !each.base);
      const posted = (game.words ? laid : offers.filter((each) => each.box.checked)).map((each) => ({ wager: each.wager, paytable: each.paytable.value }));
      const limits = laid.filter((each) => each.low.value.trim() || each.high.value.trim()).map((each) => ({ wager: each.wager,
        least_cents: amountIn(each.low.value || least.value), most_cents: amountIn(each.high.value || most.value) }));
      const body = { number: Number(table.value), title: name, base_game: game.game, decks: Number(decks.value), seats: Number(seats.value),
        least_wager_cents: amountIn(least.value), most_wager_cents: amountIn(most.value), wagers: laid.map((each) => each.wager), ...(limits.length ? { limits } : {}),
        on_file: { approval, dealing: dealing.value, rules: words(), paytables: posted, equipment: lines.map((each) => each.values()).filter(Boolean) } };
      for (let more = 0; more < Number(many.value); more += 1) await actOnSite("set-table", { table: { ...body, number: body.number + more } }, second.values());
      done(Number(many.value) > 1 ? say("approvals.set_did_many", { count: many.value }) : say("approvals.set_did", body));
      second.clear();
      await after();
    });
  });
  return form;
}
