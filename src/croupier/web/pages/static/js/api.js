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

function headers() {
  return { "Content-Type": "application/json", "X-Croupier": "page", "X-CSRF-Token": boot.csrf || "" };
}

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.includes("json") ? await response.json() : {};
  if (response.ok) return body;
  throw new Refused(response.status, body.error || { code: "http", sentence: response.statusText, retry: response.status >= 500 });
}

export async function get(url) {
  return read(await fetch(url, { headers: { Accept: "application/json" }, cache: "no-store" }));
}

export async function post(url, body) {
  return read(await fetch(url, { method: "POST", headers: headers(), body: JSON.stringify(body) }));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const KEPT = "croupier.unanswered";

// An act carries an id of its own. Where no answer comes it is sent again with that id, so it is never done twice; it is
// kept until it is answered, so that a page that was reloaded sends it again too.
export async function act(url, body, onWait = () => {}) {
  const command = { url, body: { id: crypto.randomUUID(), ...body } };
  sessionStorage.setItem(KEPT, JSON.stringify(command));
  return sendUntilAnswered(command, onWait);
}

export async function sendKept(onWait = () => {}) {
  const kept = sessionStorage.getItem(KEPT);
  return kept ? sendUntilAnswered(JSON.parse(kept), onWait) : null;
}

async function sendUntilAnswered(command, onWait) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await post(command.url, command.body);
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
