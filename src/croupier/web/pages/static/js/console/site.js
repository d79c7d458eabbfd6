// The site: what it is called, whose rules hold, its clock, its key and its backups. Two people change it.
import { boot, Refused } from "../api.js";
import { listen } from "../live.js";
import { byId, fill, make, say } from "../show.js";
import { zoneField } from "../zones.js";
import { actOfTwo, connected, digest, done, look, may, moment, person, secondPerson, sending, trying } from "./records.js";

const form = byId("change");
let site = null;
let tellClock = () => {};

const profileOf = (name) => boot.profiles.find((each) => each.name === name);
const hour = (begins) => `${String(begins).padStart(2, "0")}:00`;
const row = (title, ...value) => make("div", { class: "figure" }, make("dt", {}, title), make("dd", {}, ...value));

function paint() {
  const profile = profileOf(site.profile);
  fill(byId("now"), row(say("site.name"), site.title), row(say("profile.title"), profile.title, make("p", { class: "hint" }, profile.says)),
    row(say("site.zone"), site.zone), row(say("site.day_begins"), hour(site.day_begins)));
  byId("now").removeAttribute("aria-busy");
  fill(byId("key"), ...(site.signs_with ? [row(say("site.fingerprint"), ...digest(site.fingerprint)), row(say("site.public_key"), ...digest(site.signs_with))]
    : [row(say("site.fingerprint"), say("site.no_key"))]));
  const last = site.backup;
  fill(byId("backup"), ...(last ? [row(say("site.last_backup"), say("site.backup_by", { at: moment(last.at), who: person(last.by) })),
    row(say("site.backup_file"), last.file), row(say("site.backup_size"), say("site.bytes", { bytes: last.size_bytes.toLocaleString(boot.locale) })),
    row("SHA-256", ...digest(last.digest))]
    : [row(say("site.last_backup"), say("site.no_backup"))]));
  const take = byId("take-backup");
  if (take) {
    take.hidden = !last;
    if (last) take.setAttribute("href", `/api/site/backups/${last.file}`);
  }
}

// As it stands, unless somebody is typing.
function fillForm() {
  if (!form || form.dataset.typed) return;
  for (const name of ["title", "zone", "day_begins", "profile"]) form.elements[name].value = String(site[name]);
  tellClock();
}

async function load() {
  const found = await trying(() => look("/api/site"), null, { background: true });
  if (!found) return;
  site = found;
  paint();
  fillForm();
}

// What differs from the site as it is, each as an act of its own; the second person agrees to each of them.
function changes(given) {
  const begins = Number(given.day_begins);
  return [
    given.title.trim() !== site.title ? ["rename-site", { title: given.title.trim() }] : null,
    given.profile !== site.profile ? ["choose-profile", { profile: given.profile }] : null,
    given.zone.trim() !== site.zone || begins !== site.day_begins ? ["set-clock", { zone: given.zone.trim(), day_begins: begins }] : null,
  ].filter(Boolean);
}

if (form) {
  const second = secondPerson("site", say("site.second"));
  byId("site-second").replaceWith(second.element);
  second.show(true);
  tellClock = zoneField(form.elements.zone, byId("zone-hint"));
  form.addEventListener("input", () => { form.dataset.typed = "yes"; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = changes(Object.fromEntries(new FormData(form)));
    await sending(form, async () => {
      if (!wanted.length) throw new Refused(422, { code: "nothing", sentence: say("site.nothing"), retry: false });
      try {
        for (const [act, body] of wanted) await actOfTwo(`/api/site/${act}`, act, body, second.values());
        second.clear();
        delete form.dataset.typed;
        done(say("site.saved", { what: wanted.map(([act]) => say(`site.did_${act}`)).join(", ") }));
      } finally {
        await load(); // what was done before one was refused is done
      }
    });
  });
}

const backs = byId("make-backup");
if (backs && may("export")) {
  backs.addEventListener("submit", async (event) => {
    event.preventDefault();
    await sending(backs, async () => {
      await actOfTwo("/api/site/backup", "backup", {}, null);
      done(say("site.backup_made"));
      await load();
    });
  });
}

load();
listen((told) => told.moments.some((each) => ["site", "backup"].includes(each.changed)) && load(), connected);
