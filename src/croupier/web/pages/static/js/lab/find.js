// The pay that gives a wanted edge, or the contribution or seed that gives a wanted hold.
import { post } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import { bench, question, shares } from "./bench.js";

const isShare = (pay) => /^\s*\d[\d.]*\s*%/.test(pay);

// What can be looked for under the paytable as it stands.
export function offer() {
  const chosen = byId("find-what").value;
  const rows = bench.rows.filter((row) => !isShare(row.pay)).map((row) => ({ value: `pay ${row.label}`, text: say("lab.find_pay", { row: row.label }) }));
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
    try {
      const asked = question({ find: { what, name: rest.join(" "), wanted } });
      const { found } = await post("/api/lab", { ...asked, tables: asked.tables.slice(0, 1) });
      show(found, refresh);
    } catch (error) {
      fill(byId("found"), make("p", { class: "say bad" }, error.message));
    }
  });
}

function show(found, refresh) {
  const use = (text, value) => make("button", { type: "button", class: "quiet small", on: { click: () => { put(found, value); refresh({ keepBeside: true }); } } }, text);
  const title = say(`lab.found_${found.what}`, { name: found.name, printed: found.printed, wanted: found.wanted });
  fill(byId("found"), make("p", {}, make("strong", {}, title)),
    make("ul", { class: "lines" },
      ...found.near.map((each) => make("li", { class: "row" }, make("span", { class: "grow" }, say("lab.near", { pay: each.pay, edge: each.printed })),
        use(say("lab.use", { pay: each.pay }), each.pay))),
      found.near.length ? null : make("li", { class: "row" }, make("span", { class: "grow" }, say("lab.exactly", { exact: found.exact })),
        use(say("lab.use", { pay: found.printed }), found.printed))));
}

function put(found, value) {
  if (found.what === "pay") bench.rows.find((row) => row.label === found.name).pay = value;
  else if (found.what === "contribution") bench.contribution = value.replaceAll(" ", "");
  else bench.seeds[found.name] = value.replaceAll(",", "");
}
