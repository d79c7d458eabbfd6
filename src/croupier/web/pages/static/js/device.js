// A device's token comes once, in the address: #dev_... It is exchanged for a cookie that no script can read, and is at
// once no more in the address, where anybody who looks over a shoulder or through a history would find it.
import { post } from "./api.js";
import { byId, make } from "./show.js";

async function takeToken() {
  if (!location.hash.startsWith("#dev_")) return;
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await post("/pages/device", { token });
    location.reload();
  } catch (error) {
    refused(error.message);
  }
}

function refused(text) {
  const place = byId("say") || make("p", { class: "say bad", role: "alert" });
  place.textContent = text;
  place.hidden = false;
  if (!place.isConnected) byId("main").prepend(place);
}

addEventListener("hashchange", takeToken); // an address that is typed over that of the same page loads nothing
takeToken();
