// The floor as it changes: an event stream that comes back by itself, and says when it is lost.
import { boot, ENDED, get, Refused } from "./api.js";

const QUIET_MS = 20_000; // after so long without news the server is asked whether there is none
const LOOK_MS = 5_000;
const DAY_MS = 86_400_000;
const SEEN = "croupier.version"; // for which these pages were loaded again: once, in case two servers disagree

// `onTold(told, jumped)`: what is told is never older than what was told before; after a silence, and where moments were
// left out, the values have jumped. `onNewPages` is for pages that nobody ever loads again by hand. `know` is answered, for
// what a page has learnt of a link by itself.
// Every other script of the page hears the same as an event of the window, `floor`: one stream is enough for a page.
let streams = 0;
export const listening = () => streams > 0;

export function listen(onTold, onConnection, link = "", onNewPages = null) {
  streams += 1;
  let source = null;
  let wait = 500;
  let heard = Date.now();
  let opened = 0;
  const numbers = new Map();

  const open = () => {
    if (source) source.close();
    source = new EventSource(`/api/events${link ? `?link=${encodeURIComponent(link)}` : ""}`);
    let first = true;
    source.onopen = () => {
      first = true;
      opened += 1;
      if (opened > 1) lookForNewPages(onNewPages);
    };
    source.addEventListener("floor", (event) => {
      const told = JSON.parse(event.data);
      wait = 500;
      onConnection(true);
      const [news, jumped] = [newsOf(told), first || told.left_out];
      onTold(news, jumped);
      dispatchEvent(new CustomEvent("floor", { detail: { told: news, jumped } }));
      first = false;
    });
    source.onerror = () => {
      onConnection(false);
      // The browser comes back by itself with the last id, unless the server has refused: then we begin again.
      if (source.readyState === EventSource.CLOSED) again();
    };
  };

  // A server that follows may be a moment behind the one that told us before.
  const newsOf = (told) => {
    const links = told.links.filter((each) => each.number >= (numbers.get(each.link) || 0));
    for (const each of links) numbers.set(each.link, each.number);
    if (links.length === told.links.length) heard = Date.now();
    return { ...told, links };
  };

  const again = () => {
    setTimeout(() => { leaveIfSignedOut(); open(); }, wait);
    wait = Math.min(wait * 2, 5000);
  };

  // A connection can die without a word. A quiet floor and a dead line look alike, so after a while we ask.
  const look = async () => {
    if (Date.now() - heard < QUIET_MS || source.readyState !== EventSource.OPEN) return;
    heard = Date.now();
    const known = new Map(numbers); // before asking: what is told meanwhile may be newer than the answer
    try {
      const links = (await get("/api/links", AbortSignal.timeout(LOOK_MS))).links.filter((each) => !link || each.link === link);
      const behind = (each) => each.number < (known.get(each.link) || 0);
      if (links.some(behind)) location.reload(); // not for a moment: these are other books
      else if (links.some((each) => each.number > (numbers.get(each.link) || 0))) open();
      else onConnection(true);
    } catch (error) {
      if (signedOut(error)) askAgain();
      else if (!(error instanceof Refused)) { onConnection(false); open(); }
    }
  };

  open();
  setInterval(look, LOOK_MS);
  if (onNewPages) setInterval(() => lookForNewPages(onNewPages), DAY_MS); // which keeps a device's cookie too
  addEventListener("online", open); // what was open before may be dead and look alive
  addEventListener("offline", () => onConnection(false));
  return { know: (each) => numbers.set(each.link, Math.max(each.number, numbers.get(each.link) || 0)) };
}

// A server that was replaced may have other pages than these.
async function lookForNewPages(onNewPages) {
  if (!onNewPages) return;
  const { version } = await get("/pages/version").catch(() => boot);
  if (version === boot.version || sessionStorage.getItem(SEEN) === version) return;
  sessionStorage.setItem(SEEN, version);
  onNewPages();
}

// The page that asks who they are says why it does: a key that was pressed meanwhile did nothing.
export function askAgain() {
  sessionStorage.setItem(ENDED, "yes");
  location.reload();
}

const signedOut = (error) => error instanceof Refused && error.status === 401;

// Whoever's session has ended is not told that the line is dead: the page asks who they are.
export async function leaveIfSignedOut() {
  try {
    await get("/api/links");
  } catch (error) {
    if (signedOut(error)) askAgain();
  }
}
