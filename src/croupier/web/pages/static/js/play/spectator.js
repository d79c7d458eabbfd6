// How a round goes on elsewhere: the server tells how it stands after each act. Of somebody else's round all is heard; of one's own
// what is done in another tab or on another device, once nothing was pressed here for a while. Nothing is heard while nobody
// looks at the page, since a browser has few connections for all of its tabs.
import { get, Refused } from "../api.js";

const AGAIN_MS = 3000;
const QUIET_MS = 4000;
const toTheNext = new URL(location).searchParams.has("watch"); // to the rounds that its player opens after it
let source = null;
let soon = 0;
let now = null; // the round as it was last shown, and who is told

const follows = () => toTheNext && !now.round.yours;

// `told` hears of every round that is told, `lost` whether the line is lost, `gone` that there is no such round any more.
export function watch(round, does, { atOnce = false } = {}) {
  if (round.yours && now?.round.round !== round.round) stopWatching();
  now = { round, does };
  if (round.over && !follows()) stopWatching();
  else if (!source) {
    clearTimeout(soon);
    soon = setTimeout(open, round.yours && !atOnce ? QUIET_MS : 0);
  }
}

function stopWatching() {
  clearTimeout(soon);
  source?.close();
  source = null;
}

function open() {
  if (source || document.hidden) return;
  source = new EventSource(`/api/rounds/${now.round.round}/events${follows() ? "?watch=true" : ""}`);
  source.addEventListener("round", (event) => {
    now.does.lost(false);
    now.does.told(JSON.parse(event.data));
  });
  // The browser comes back by itself, unless the server has refused: then it is asked why.
  source.onerror = () => {
    now.does.lost(true);
    if (source.readyState === EventSource.CLOSED) again();
  };
}

// Whoever plays leaves the places to those who watch: refused, they hear nothing until they press, or come back to the page.
async function again() {
  stopWatching();
  if (now.round.yours) return;
  await new Promise((done) => setTimeout(done, AGAIN_MS));
  if (source || document.hidden || (now.round.over && !follows())) return;
  try {
    await get(`/api/rounds/${now.round.round}`);
    open();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) { now.does.lost(false); now.does.gone(); } else again();
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopWatching();
  else if (now) watch(now.round, now.does, { atOnce: true });
});
