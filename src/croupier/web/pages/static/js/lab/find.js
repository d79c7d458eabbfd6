// The pay that gives a wanted edge, or the contribution or seed that gives a wanted hold.
import { post } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import { dressed } from "./answers.js";
import { about, bench, byRules, question, rowName, shares } from "./bench.js";

const mayBeFound = (row) => (byRules() ? row.label === "blackjack_odds" : !row.share);
const nameOf = (label) => (byRules() ? say(`lab.rule_${label}`) : rowName(label));

// What can be looked for under the paytable as it stands.
export function offer() {
  const chosen = byId("find-what").value;
  const rows = bench.rows.filter(mayBeFound).map(({ label }) =>
    ({ value: `pay ${label}`, text: byRules() ? nameOf(label) : say("lab.find_pay", { row: nameOf(label) }) }));
  const funds = shares() ? [{ value: "contribution ", text: say("lab.contribution") },
    ...Object.keys(bench.seeds).map((meter) => ({ value: `seed ${meter}`, text: say("lab.seed", { meter }) }))] : [];
  const options = [...rows, ...funds];
  const now = [...byId("find-what").options].map((each) => each.value).join("\n");
  if (now === options.map((each) => each.value).join("\n")) return;
  fill(byId("find-what"), ...options.map((each) => make("option", { value: each.value, selected: each.value === chosen }, each.text)));
  named();
}

function named() {
  byId("find-label").textContent = byId("find-what").value.startsWith("pay ") ? say("lab.find_edge") : say("lab.find_hold");
}

export function begin(refresh) {
  byId("find-what").addEventListener("change", named);
  byId("find").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [what, ...rest] = byId("find-what").value.split(" ");
    const typed = byId("find-wanted").value.trim();
    const wanted = typed.endsWith("%") ? typed : `${typed}%`;
    const { key } = about();
    try {
      const asked = question({ find: { what, name: rest.join(" "), wanted } });
      const { found } = await post("/api/lab", { ...asked, tables: asked.tables.slice(0, 1) });
      if (about().key === key) show(found, refresh);
    } catch (error) {
      fill(byId("found"), make("p", { class: "say bad" }, error.message));
    }
  });
}

function show(found, refresh) {
  const lay = (value) => () => { put(found, value); refresh({ keepBeside: true }); };
  const use = (text, value) => make("button", { type: "button", class: "quiet small", on: { click: lay(value) } }, text);
  const title = say(`lab.found_${found.what}`, { name: nameOf(found.name), printed: found.printed, wanted: found.wanted });
  fill(byId("found"), make("p", {}, make("strong", {}, title)),
    make("ul", { class: "lines" },
      ...found.near.map((each) => make("li", { class: "row" }, make("span", { class: "grow" }, say("lab.near", { pay: each.pay, edge: dressed(each.printed) })),
        use(say("lab.use", { pay: each.pay }), each.pay))),
      found.near.length ? null : make("li", { class: "row" }, make("span", { class: "grow" }, say("lab.exactly", { exact: found.exact })),
        use(say("lab.use", { pay: found.printed }), found.printed))));
}

function put(found, value) {
  const row = bench.rows.find((each) => each.label === found.name);
  if (found.what === "pay" && row) row.pay = value;
  else if (found.what === "pay") return;
  else if (found.what === "contribution") bench.contribution = value.replaceAll(" ", "");
  else bench.seeds[found.name] = value.replaceAll(",", "");
}
