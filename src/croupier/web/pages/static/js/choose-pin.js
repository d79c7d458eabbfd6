// One's own PIN in place of one that somebody else has set. It ends every session, so one signs in again with it.
import { act, boot, Refused } from "./api.js";
import { byId, say } from "./show.js";

const form = byId("choose");

function refused(text) {
  byId("say").textContent = text;
  byId("say").hidden = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { card, old_pin, pin, again } = Object.fromEntries(new FormData(form));
  if (pin !== again) {
    refused(say("pin.differ"));
    form.elements.again.focus();
    return;
  }
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    await act("/api/site/set-pin", { person: boot.person, pin, old_pin, card });
    location.assign(`/sign-in?then=${encodeURIComponent(boot.then)}&news=pin-set`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error.message);
    button.disabled = false;
  }
});
