// The first start: the one-time code makes the site and its first manager. Everything that is wrong is said at once,
// beside its field, and nothing that was typed is lost.
import { boot, post, Refused } from "./api.js";
import { slip } from "./console/records.js";
import { byId, make, say } from "./show.js";
import { shortName, suggests } from "./names.js";
import { isZone, offered, zoneField } from "./zones.js";

const form = byId("first");
const NAMES = ["code", "title", "zone", "name", "person", "pin", "again", "profile"];
const FIELD_OF = { "wrong-code": "code", "weak-pin": "pin" }; // what is wrong alone is told by its code
const [FEWEST, MOST] = boot.pin_digits;

// The address that the server prints has the code after a #: it goes into the form, and out of the address.
function takeCode() {
  const code = decodeURIComponent(location.hash.slice(1));
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  form.elements.code.value = code;
}

function wrong(values) {
  const found = {};
  for (const name of NAMES) if (!String(values[name] ?? "").trim()) found[name] = say(`first.no_${name}`);
  if (!found.pin && !new RegExp(`^[0-9]{${FEWEST},${MOST}}$`).test(values.pin)) found.pin = say("first.pin_rule", { fewest: FEWEST, most: MOST });
  if (!found.again && values.again !== values.pin) found.again = say("first.pins_differ");
  const sent = !Object.keys(found).length; // then the server says what it knows of the zone
  if (!sent && !found.zone && !isZone(values.zone)) found.zone = say("zone.unknown");
  return found;
}

function show(found, whole = "") {
  for (const name of NAMES) {
    const place = byId(`${name}-wrong`);
    place.textContent = found[name] || "";
    place.hidden = !found[name];
    for (const input of form.querySelectorAll(`[name=${name}]`)) input.toggleAttribute("aria-invalid", Boolean(found[name]));
  }
  const many = Object.keys(found).length;
  const text = whole || (many ? say(many === 1 ? "first.wrong_one" : "first.wrong", { many }) : "");
  byId("say").textContent = text;
  byId("say").hidden = !text;
  const first = NAMES.find((name) => found[name]);
  if (first) form.querySelector(`[name=${first}]`).focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(form));
  const found = wrong(values);
  show(found);
  if (Object.keys(found).length) return;
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    const { again: _, ...body } = values;
    const answer = await post("/api/first-start", body);
    showCard(answer.card, values);
  } catch (error) {
    if (error instanceof Refused && error.fields) show(error.fields);
    else if (error instanceof Refused && FIELD_OF[error.code]) show({ [FIELD_OF[error.code]]: error.message });
    else show({}, error instanceof Refused ? error.message : say("no_answer"));
  } finally {
    button.disabled = false;
  }
});

// The card is shown once: whoever goes on has put it away. Card and PIN are known here, so nobody types them again.
function showCard(card, { name, pin }) {
  const next = "/console/setup";
  const go = make("button", { type: "button", on: { click: async () => {
    go.disabled = true;
    try {
      await post("/pages/sign-in", { card, pin });
      location.assign(next);
    } catch {
      location.assign(`/sign-in?then=${next}`);
    }
  } } }, say("first.go_on"));
  form.remove();
  slip(say("first.card_of", { name }), [say("first.card_once")], card, { buttons: [go], away: false });
}

takeCode();
addEventListener("hashchange", takeCode);
if (!form.elements.zone.value) form.elements.zone.value = offered();
zoneField(form.elements.zone, byId("zone-hint"));
suggests(form.elements.name, form.elements.person, (name) => shortName(name, []));
