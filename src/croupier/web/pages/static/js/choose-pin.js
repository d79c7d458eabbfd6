// One's own PIN in place of one that somebody else has set. It ends every session, so this page signs in with it at once.
import { act, boot, post, Refused } from "./api.js";
import { byId, say } from "./show.js";

const form = byId("choose");

function refused(text) {
  byId("say").textContent = text;
  byId("say").hidden = false;
}

// The PIN is set whatever comes of this: whoever is not let in here signs in by hand.
async function signIn(card, pin) {
  try {
    await post("/pages/sign-in", { card, pin });
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
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
    location.assign(await signIn(card, pin) ? boot.then : `/sign-in?then=${encodeURIComponent(boot.then)}&news=pin-set`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error.message);
    button.disabled = false;
  }
});
