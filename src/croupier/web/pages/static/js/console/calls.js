// Tables that call, on every page of the console: how long they wait, who goes there, and a sound until somebody does.
import { act, get, Refused } from "../api.js";
import { listen, listening } from "../live.js";
import { byId, make, say } from "../show.js";
import { connected, may, refused } from "./records.js";
import { renew } from "./renew.js";

const LOOK_MS = 5_000; // beside what the events tell: a page of one link hears of that alone, and roles change with time
const CHANGES = ["call", "take-call", "confirm", "void"];
const SOUND = "croupier.sound";
const RING_MS = [5_000, 2_500, 1_500]; // by how often a call has gone on to the next role
const title = document.title;
let calls = [];
let ahead = 0; // of this browser's clock, by the server's

// Sound: a browser lets a page be heard only after somebody has touched it, so there is a key for it that says so.

let audio = null;
const wanted = () => localStorage.getItem(SOUND) === "on";
const isHeard = () => wanted() && audio?.state === "running";

async function hear() {
  if (!wanted()) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 300))]);
  paintSound();
}

function beep(at, pitch) {
  const [tone, loud] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.0001, at);
  loud.gain.exponentialRampToValueAtTime(0.3, at + 0.02);
  loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.28);
  tone.connect(loud).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.3);
}

let rung = 0;
function ring() {
  const waiting = calls.filter((each) => !each.taken_by);
  const step = Math.max(0, ...waiting.map((each) => each.step));
  if (!waiting.length || !isHeard() || Date.now() - rung < RING_MS[step]) return;
  rung = Date.now();
  byId("calls").dataset.rings = String(Number(byId("calls").dataset.rings || 0) + 1);
  beep(audio.currentTime, 880);
  beep(audio.currentTime + 0.32, step ? 1320 : 660);
}

function paintSound() {
  const key = byId("sound");
  const state = isHeard() ? "on" : wanted() ? "blocked" : "off";
  key.textContent = say(`calls.sound_${state}`);
  key.setAttribute("aria-pressed", String(state === "on"));
  key.dataset.state = state;
}

byId("sound").addEventListener("click", async () => {
  localStorage.setItem(SOUND, isHeard() ? "off" : "on");
  await hear();
  paintSound();
  if (isHeard()) beep(audio.currentTime, 880);
});
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, hear, { passive: true });

// The calls themselves

const age = (seconds) => {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.floor(seconds % 60)];
  return minutes < 60 ? `${minutes}:${String(rest).padStart(2, "0")}` : say("calls.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
};
const since = (at) => Math.max(0, (Date.now() - ahead - Date.parse(at)) / 1000);

async function take(each) {
  try {
    await act(`/api/links/${encodeURIComponent(each.link)}/take-call`, { table: each.table });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error.message);
  }
  await read();
}

function line(each) {
  const taken = Boolean(each.taken_by);
  const words = taken ? say("calls.taken", { name: each.taken_by, table: each.table })
    : say(each.step ? "calls.escalated" : "calls.waits", { table: each.table, role: say(`calls.role_${each.role}`), link: each.link });
  return make("li", { class: `call ${taken ? "taken" : each.step ? "alarm" : "due"}`, "data-key": `${each.link} ${each.table}` },
    make("strong", { class: "grow" }, words),
    make("span", { class: "call-age", role: "timer", "data-since": taken ? each.taken_at : each.at }),
    taken || !may("take_call") ? null
      : make("button", { type: "button", on: { click: () => take(each) } }, say("calls.take"), make("span", { class: "visually-hidden" }, ` ${say("table", { number: each.table })}`)),
    make("a", { href: "/console/awards" }, say("calls.look")));
}

function paintAges() {
  for (const place of document.querySelectorAll("[data-since]")) {
    const text = say("calls.age", { age: age(since(place.dataset.since)) });
    if (place.textContent !== text) place.textContent = text;
  }
}

function paint() {
  const waiting = calls.filter((each) => !each.taken_by).length;
  const written = JSON.stringify(calls.map(({ waited_s: _, ...each }) => each));
  if (byId("calls").dataset.written !== written) {
    byId("calls").dataset.written = written;
    renew(byId("calls"), ...calls.map(line));
  }
  byId("calls").hidden = !calls.length;
  const badge = byId("calls-badge");
  if (badge) {
    badge.textContent = calls.length ? String(calls.length) : "";
    badge.hidden = !calls.length;
    badge.classList.toggle("alarm", calls.some((each) => !each.taken_by && each.step));
  }
  document.title = waiting ? `(${waiting}) ${title}` : title;
  paintAges();
  ring();
}

async function read() {
  try {
    const told = await get("/api/calls");
    ahead = Date.now() - Date.parse(told.now);
    calls = told.calls;
    paint();
    dispatchEvent(new CustomEvent("calls", { detail: calls }));
  } catch {
    // The line is lost, or the session: the page says so already.
  }
}

addEventListener("floor", (event) => {
  if (event.detail.jumped || event.detail.told.moments.some((each) => CHANGES.includes(each.kind))) read();
});
// The page's own script comes after this one, and most of them listen.
addEventListener("DOMContentLoaded", () => { if (!listening()) listen(() => {}, connected); });
setInterval(read, LOOK_MS);
setInterval(() => { paintAges(); ring(); }, 1000);
hear();
paintSound();
read();
