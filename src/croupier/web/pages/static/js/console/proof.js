// The proof of every meter: where each unit of it came from and went, to a difference of nothing.
import { boot } from "../api.js";
import { byId, fill, make, say } from "../show.js";
import { actOfTwo, done, exact, level, look, moment, send, sending, trying, wide } from "./records.js";

const form = byId("which");
const ALWAYS = new Set(["opening", "contributions", "seed", "reserve", "adjustments", "awards"]);
const FLOWS = ["opening", "contributions", "seed", "reserve", "overflow", "added", "adjustments", "moved", "awards"];
const SIGN = { opening: "", awards: "−", adjustments: "±", moved: "±" };
let asked = 0;

const amount = (each, name) => each[`${name}_units`];

function flow(levels, name) {
  const sign = SIGN[name] ?? "+";
  // Awards come off, so they are shown as what was taken, with the sign of the sum before them.
  const shown = (each) => exact(name === "awards" ? -amount(each, name) : amount(each, name));
  return make("tr", { "data-flow": name }, make("th", { scope: "row" }, make("span", { class: "sign", "aria-hidden": "true" }, sign), say(`proof.${name}`)),
    ...levels.map((each) => make("td", { class: "number" }, shown(each))));
}

function result(levels, name, is) {
  return make("tr", { class: "total", "data-flow": name }, make("th", { scope: "row" }, make("span", { class: "sign", "aria-hidden": "true" }, name === "closing" ? "=" : ""), say(`proof.${name}`)),
    ...levels.map((each) => make("td", { class: `number ${is ? is(each) : ""}` }, exact(amount(each, name)))));
}

function proved(found) {
  const { levels } = found;
  const whole = levels.every((each) => each.difference_units === 0);
  const kept = FLOWS.filter((name) => ALWAYS.has(name) || levels.some((each) => amount(each, name)));
  const beside = ["pending", "in_reserve", "in_overflow"].map((name) => make("tr", { "data-flow": name }, make("th", { scope: "row" }, say(`proof.${name}`)),
    ...levels.map((each) => make("td", { class: "number" }, exact(amount(each, name))))));
  const title = say("proof.of", { link: found.link });
  return make("section", { class: "card stack" }, make("h2", {}, title),
    make("p", { class: `say ${whole ? "" : "bad"}`, role: "status" }, whole ? say("proof.zero") : say("proof.not_zero")),
    wide(title, make("table", {},
      make("thead", {}, make("tr", {}, make("td", {}), ...levels.map((each) => make("th", { scope: "col", class: "number" }, level(each.level))))),
      make("tbody", {}, ...kept.map((name) => flow(levels, name)), result(levels, "closing"),
        result(levels, "difference", (each) => (each.difference_units === 0 ? "good" : "bad")), ...beside))),
    ...found.read.map((head) => make("p", { class: "hint" }, say("proof.read", { book: head.book, entries: head.entries.toLocaleString(boot.locale) }), " ", make("code", { class: "digest" }, head.digest))));
}

async function show() {
  const mine = asked += 1;
  const link = form.elements.link.value;
  const place = byId("proof");
  if (!link) {
    fill(place, make("p", {}, say("proof.no_link")));
    place.removeAttribute("aria-busy");
    return;
  }
  const day = form.elements.day.value;
  const found = await trying(() => look(`/api/links/${encodeURIComponent(link)}/proof${day ? `?day=${day}` : ""}`), place);
  if (mine !== asked) return;
  fill(place, ...(found ? [proved(found)] : []));
}

byId("check").addEventListener("click", async () => {
  const link = form.elements.link.value;
  const button = byId("check");
  button.disabled = true;
  const found = await trying(() => send(`/api/links/${encodeURIComponent(link)}/self-check`, {}));
  button.disabled = false;
  byId("checked").hidden = !found;
  if (!found) return;
  byId("checked").textContent = say("proof.whole", { link, entries: found.entries.toLocaleString(boot.locale), digest: found.digest });
});

form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
form.addEventListener("change", show);

// Checkpoints

async function checkpoints() {
  const place = byId("checkpoints");
  const found = await trying(() => look("/api/ledger/checkpoints"), place);
  if (!found) return;
  const rows = found.checkpoints.slice().reverse();
  if (!rows.length) {
    fill(place, make("p", {}, say("proof.none_signed")));
    return;
  }
  const columns = ["proof.c_day", "proof.c_book", "proof.c_entries", "proof.c_digest", "proof.c_key"];
  fill(place, wide(say("proof.checkpoints"), make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map((key) => make("th", { scope: "col" }, say(key))))),
    make("tbody", {}, ...rows.map(({ checkpoint: each, key }) => make("tr", {},
      make("th", { scope: "row" }, each.day), make("td", {}, each.stream.replace(/^link:/, "")),
      make("td", { class: "number" }, each.number.toLocaleString(boot.locale)),
      make("td", {}, make("code", { title: each.digest }, `${each.digest.slice(0, 16)}…`)),
      make("td", {}, make("code", { title: key }, `${key.slice(0, 16)}…`))))))));
}

const sign = byId("sign");
if (sign) {
  sign.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { day } = Object.fromEntries(new FormData(sign));
    await sending(sign, async () => {
      const made = await actOfTwo("/api/ledger/checkpoint", "checkpoint", { day }, null);
      done(say("proof.signed", { day, count: made.checkpoints.length, at: moment(made.entry.at) }));
      await checkpoints();
    });
  });
}

// Anchors: where they go, and whether they arrive

async function anchors() {
  const place = byId("anchors");
  if (!place) return;
  const found = await trying(() => look("/api/ledger/anchors"), place);
  place.removeAttribute("aria-busy");
  if (!found) return;
  if (!found.made && !found.key) {
    fill(place, make("p", {}, say("proof.anchors_none")));
    return;
  }
  const count = found.made.toLocaleString(boot.locale);
  const about = [make("p", {}, found.key ? say("proof.anchors_key", { count, fingerprint: found.fingerprint }) : say("proof.anchors_no_key", { count }))];
  if (found.unsigned.length) about.push(make("p", { class: "say" }, say("proof.anchors_unsigned", { count: found.unsigned.length.toLocaleString(boot.locale) })));
  for (const sentence of Object.values(found.alarms)) about.push(make("p", { class: "say bad" }, sentence));
  if (!found.destinations.length) {
    fill(place, ...about, make("p", { class: "say" }, say("proof.anchors_nowhere")));
    return;
  }
  const columns = ["proof.a_where", "proof.a_last", "proof.a_waiting", "proof.a_error"];
  fill(place, ...about, wide(say("proof.anchors"), make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map((key) => make("th", { scope: "col" }, say(key))))),
    make("tbody", {}, ...found.destinations.map((each) => make("tr", { "data-destination": each.destination },
      make("th", { scope: "row" }, each.destination),
      make("td", {}, each.last ? say("proof.a_is", { number: each.last.toLocaleString(boot.locale), at: moment(each.last_at) }) : say("proof.a_never")),
      make("td", { class: `number ${each.alarm ? "bad" : ""}` }, each.waiting.toLocaleString(boot.locale)),
      make("td", {}, each.error || each.warning)))))));
}

show();
checkpoints();
anchors();
