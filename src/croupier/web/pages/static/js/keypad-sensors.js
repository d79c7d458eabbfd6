// What the bridge of this table sees: seats whose sensors are lit. A table without a bridge is never asked for.
import { boot, get } from "./api.js";

const EVERY_MS = 1_000;

// `onSensed(lit)` whenever it is another: a set of seats, or null while nobody knows which are lit.
export function sense(onSensed, wanted) {
  if (!boot.bridge) return;
  let last;
  const look = async () => {
    if (document.hidden || !wanted()) return;
    const { up, lit } = await get(`/api/tables/${boot.table}/sensors`).catch(() => ({ up: false }));
    const now = up ? lit.join() : null;
    if (now === last) return;
    last = now;
    onSensed(up ? new Set(lit) : null);
  };
  setInterval(look, EVERY_MS);
  look();
}
