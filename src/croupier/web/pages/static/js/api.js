// Speaking to the server: one form of errors, and acts that are sent until they are answered, once.

export class Refused extends Error {
  constructor(status, error) {
    super(error.sentence);
    this.status = status;
    this.code = error.code;
    this.retry = error.retry;
  }
}

export const boot = JSON.parse(document.getElementById("boot").textContent);
const WAIT_MS = [200, 500, 1000, 2000];
const ANSWER_MS = 8000; // longer than any act takes: after that it is sent again

function headers() {
  return { "Content-Type": "application/json", "X-Croupier": "page", "X-CSRF-Token": boot.csrf || "" };
}

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.includes("json") ? await response.json() : {};
  if (response.ok) return body;
  throw new Refused(response.status, body.error || { code: "http", sentence: response.statusText, retry: response.status >= 500 });
}

export async function get(url, signal = undefined) {
  return read(await fetch(url, { headers: { Accept: "application/json" }, cache: "no-store", signal }));
}

export async function post(url, body, signal = undefined) {
  return read(await fetch(url, { method: "POST", headers: headers(), body: JSON.stringify(body), signal }));
}

// A browser gives no randomUUID to a page that came without TLS, as a tablet in a house's own network may get it.
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const KEPT = "croupier.unanswered";

// An act carries an id of its own. Where no answer comes it is sent again with that id, so it is never done twice; it is
// kept until it is answered, so that a page that was reloaded sends it again too. What carries a secret (a card, a PIN)
// is kept in memory alone.
const SECRET = ["card", "override_card", "pin", "second_ticket", "token"];

export async function act(url, body, onWait = () => {}, { kept = !SECRET.some((name) => name in body) } = {}) {
  const command = { url, body: { id: newId(), ...body } };
  if (kept) sessionStorage.setItem(KEPT, JSON.stringify(command));
  return sendUntilAnswered(command, onWait);
}

export async function sendKept(onWait = () => {}) {
  const kept = sessionStorage.getItem(KEPT);
  return kept ? sendUntilAnswered(JSON.parse(kept), onWait) : null;
}

async function sendUntilAnswered(command, onWait) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await post(command.url, command.body, AbortSignal.timeout(ANSWER_MS));
      sessionStorage.removeItem(KEPT);
      onWait(false);
      return answer;
    } catch (error) {
      const again = !(error instanceof Refused) || error.retry;
      if (!again) {
        sessionStorage.removeItem(KEPT);
        onWait(false);
        throw error;
      }
      onWait(true);
      await pause(WAIT_MS[Math.min(tries, WAIT_MS.length - 1)]);
    }
  }
}
