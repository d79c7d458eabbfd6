// A time zone that somebody chooses: the browser's own is offered, and what its clock says now is told beside it.
import { byId, fill, make, say, toTheMinute } from "./show.js";

// A browser without a place of its own says UTC: that is nobody's card room, so nothing is offered then.
const NO_PLACE = ["UTC", "Etc/UTC", "Etc/Unknown", "GMT"];
const all = Intl.supportedValuesOf("timeZone");

export function offered() {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return here && !NO_PLACE.includes(here) ? here : "";
}

function clockIn(zone) {
  try {
    return toTheMinute(Date.now(), zone);
  } catch {
    return "";
  }
}

export const isZone = (zone) => Boolean(clockIn(zone.trim()));

// The list behind the field, and the sentence under it.
export function zoneField(input, hint) {
  fill(byId("zones"), ...all.map((each) => make("option", { value: each })));
  const tell = () => {
    const told = input.value.trim() && clockIn(input.value.trim());
    hint.textContent = told ? say("zone.now", { clock: told }) : say(input.value.trim() ? "zone.unknown" : "zone.choose");
  };
  input.addEventListener("input", tell);
  setInterval(tell, 20_000);
  tell();
  return tell;
}
