// A round of somebody else: the server tells how it stands after each act. Nothing is heard while nobody looks at the page,
// since a browser has few connections for all of its tabs.
import { get, Refused } from "../api.js";

const AGAIN_MS = 3000;
const follows = new URL(location).searchParams.has("watch"); // to the rounds that its player opens after it
let source = null;
let now = null; // the round as it was last shown, and who is told

// `told` hears of every round that is told, `lost` whether the line is lost, `gone` that there is no such round any more.
export function watch(round, does) {
  now = { round, ...does };
  if (round.over && !follows) stopWatching();
  else if (!source && !document.hidden) open();
}

export function stopWatching() {
  source?.close();
  source = null;
}

function open() {
  source = new EventSource(`/api/rounds/${now.round.round}/events${follows ? "?watch=true" : ""}`);
  source.addEventListener("round", (event) => {
    now.lost(false);
    now.told(JSON.parse(event.data));
  });
  // The browser comes back by itself, unless the server has refused: then it is asked why.
  source.onerror = () => {
    now.lost(true);
    if (source.readyState === EventSource.CLOSED) again();
  };
}

async function again() {
  stopWatching();
  await new Promise((done) => setTimeout(done, AGAIN_MS));
  if (source || document.hidden) return;
  try {
    await get(`/api/rounds/${now.round.round}`);
    open();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) { now.lost(false); now.gone(); } else again();
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopWatching();
  else if (now && !now.round.yours) watch(now.round, now);
});
