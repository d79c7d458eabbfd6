// A keypad or display is heard every quarter of a minute, so that the console shows which one is off line, and since when.
// A page of somebody who only looks is no device: the server says so, and it is silent from then on.
import { post } from "./api.js";

const EVERY_MS = 15_000;
const kind = location.pathname.startsWith("/keypad") ? "keypad" : "display";

const timer = setInterval(beat, EVERY_MS);
async function beat() {
  try {
    const { heard } = await post("/pages/beat", { kind });
    if (!heard) clearInterval(timer);
  } catch {
    // The line is lost, and the page says so already.
  }
}
beat();
