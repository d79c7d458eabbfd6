// The floor as it changes: an event stream that comes back by itself, and says when it is lost.
import { get, Refused } from "./api.js";

const QUIET_MS = 20_000; // after so long without an event the server is asked whether there is none
const LOOK_MS = 5_000;

export function listen(onTold, onConnection, link = "") {
  let source = null;
  let wait = 500;
  let heard = Date.now();
  const numbers = new Map();

  const open = () => {
    if (source) source.close();
    source = new EventSource(`/api/events${link ? `?link=${encodeURIComponent(link)}` : ""}`);
    let first = true;
    source.onopen = () => { first = true; };
    source.addEventListener("floor", (event) => {
      const told = JSON.parse(event.data);
      wait = 500;
      heard = Date.now();
      for (const each of told.links) numbers.set(each.link, each.number);
      onConnection(true);
      onTold(told, first);
      first = false;
    });
    source.onerror = () => {
      onConnection(false);
      // The browser comes back by itself with the last id, unless the server has refused: then we begin again.
      if (source.readyState === EventSource.CLOSED) again();
    };
  };

  const again = () => {
    setTimeout(() => { leaveIfSignedOut(); open(); }, wait);
    wait = Math.min(wait * 2, 5000);
  };

  // A connection can die without a word. A quiet floor and a dead line look alike, so after a while we ask.
  const look = async () => {
    if (Date.now() - heard < QUIET_MS || source.readyState !== EventSource.OPEN) return;
    heard = Date.now();
    try {
      const { links } = await get("/api/links", AbortSignal.timeout(LOOK_MS));
      const missed = links.some((each) => (!link || each.link === link) && each.number > (numbers.get(each.link) || 0));
      if (missed) open();
    } catch (error) {
      if (signedOut(error)) location.reload();
      else if (!(error instanceof Refused)) { onConnection(false); open(); }
    }
  };

  open();
  setInterval(look, LOOK_MS);
  addEventListener("online", () => source.readyState === EventSource.CLOSED && open());
  addEventListener("offline", () => onConnection(false));
}

const signedOut = (error) => error instanceof Refused && error.status === 401;

// Whoever's session has ended is not told that the line is dead: the page asks who they are.
export async function leaveIfSignedOut() {
  try {
    await get("/api/links");
  } catch (error) {
    if (signedOut(error)) location.reload();
  }
}
