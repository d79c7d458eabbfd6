// Speaking to the server: one form of errors, and acts that are sent until they are answered, once.

export class Refused extends Error {
  constructor(status, error) {
    super(error.sentence);
    this.status = status;
    this.code = error.code;
    this.retry = error.retry;
    this.fields = error.fields || null; // what is wrong, by field, where a form was sent
  }
}

export const boot = JSON.parse(document.getElementById("boot").textContent);
// A refusal is an answer, and no line in the browser's console: its status comes in a header.
export const ENDED = "croupier.ended"; // that a page was left because its sign-in had ended
const TOLD = { "X-Refusals": "told" };
const WAIT_MS = [200, 500, 1000, 2000];
const ANSWER_MS = 8000; // longer than any act takes: after that it is sent again

function headers() {
  return { "Content-Type": "application/json", "X-Croupier": "page", "X-CSRF-Token": boot.csrf || "", ...TOLD };
}

// A whole number with more digits than a double holds is a BigInt here: no digit of it is made up. A browser that does
// not tell how a number was written gives the double, and `count` then shows no more of it than it knows.
const WHOLE = /^-?\d+$/;
const exactly = (_, value, context) => (
  typeof value === "number" && !Number.isSafeInteger(value) && WHOLE.test(context?.source) ? BigInt(context.source) : value);

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.includes("json") ? JSON.parse(await response.text(), exactly) : null;
  const status = Number(response.headers.get("x-status")) || response.status;
  if (status < 400 && body === null) throw new Error(boot.strings["no_answer"]); // a proxy's page is nobody's answer
  if (status < 400) return body;
  throw new Refused(status, body?.error || { code: "http", sentence: response.statusText, retry: status >= 500 });
}

// The token says in whose name a page asks, where somebody else works in another tab.
export async function get(url, signal = undefined) {
  const asks = { Accept: "application/json", "X-CSRF-Token": boot.csrf || "", ...TOLD };
  return read(await fetch(url, { headers: asks, cache: "no-store", signal }));
}

// What takes long to count is asked for again until it is there.
export async function getCounted(url) {
  for (;;) {
    try {
      return await get(url);
    } catch (error) {
      if (error.code !== "still-counting") throw error;
    }
  }
}

export async function post(url, body, signal = undefined) {
  return read(await fetch(url, { method: "POST", headers: headers(), body: JSON.stringify(body), signal }));
}

// A browser gives no randomUUID to a page that came without TLS, as a tablet in a house's own network may get it.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// An act carries an id of its own. Where no answer comes it is sent again with that id, so it is never done twice; it is
// kept until it is answered, so that a page that was reloaded sends it again too: in the name of whoever has pressed, and
// while they remember it. What carries a secret (a card, a PIN) is kept in memory alone.
const SECRET = ["card", "override_card", "pin", "second_ticket", "token"];
const KEPT = "croupier.unanswered"; // by id
const KEPT_MS = 600_000;

const keptActs = () => JSON.parse(sessionStorage.getItem(KEPT) || "{}");

function store(acts) {
  if (Object.keys(acts).length) sessionStorage.setItem(KEPT, JSON.stringify(acts));
  else sessionStorage.removeItem(KEPT);
}

function forget(id) {
  const { [id]: _, ...others } = keptActs();
  store(others);
}

export async function act(url, body, onWait = () => {}, { kept = !SECRET.some((name) => name in body) } = {}) {
  const command = { url, body: { id: newId(), ...body }, person: boot.person, at: Date.now() };
  if (kept) store({ ...keptActs(), [command.body.id]: command });
  return sendUntilAnswered(command, onWait);
}

const waiters = new Set();
let resending = null;

// What this tab has never heard an answer to, sent again once for each page, whoever of its scripts asks: `done`,
// `refused` (why each was) and `dropped` (how many were another person's, or are too old).
export function sendKept(onWait = () => {}) {
  waiters.add(onWait);
  resending ??= resend();
  return resending;
}

async function resend() {
  const acts = keptActs();
  const mine = Object.values(acts).filter((each) => each?.person === boot.person && Date.now() - each.at < KEPT_MS)
    .sort((one, other) => one.at - other.at);
  store(Object.fromEntries(mine.map((each) => [each.body.id, each])));
  const came = { done: 0, refused: [], dropped: Object.keys(acts).length - mine.length };
  for (const command of mine) {
    try {
      await sendUntilAnswered(command, (is) => waiters.forEach((onWait) => onWait(is)));
      came.done += 1;
    } catch (error) {
      came.refused.push(error.message);
    }
  }
  return came;
}

async function sendUntilAnswered(command, onWait) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await post(command.url, command.body, AbortSignal.timeout(ANSWER_MS));
      forget(command.body.id);
      onWait(false);
      return answer;
    } catch (error) {
      const again = !(error instanceof Refused) || error.retry;
      if (!again) {
        forget(command.body.id);
        onWait(false);
        throw error;
      }
      onWait(true);
      await pause(WAIT_MS[Math.min(tries, WAIT_MS.length - 1)]);
    }
  }
}
