// The card prompt: a reader types into it, Enter sends it. It confirms an award, voids one, or overrides a disputed claim.
import { byId, fill, make, money, say } from "./show.js";

const form = byId("prompt");
const card = byId("card");
const reason = byId("reason");
let way = "confirm"; // or void, or override
let award = null; // the one that is to be decided
let claim = null; // a hand that the cards do not make
let due = ""; // what the card was last asked for
let send = async () => false;

export function onDecide(does) {
  send = does;
}

// A claim that was refused because of its cards: a supervisor may take it nonetheless.
export function dispute(refused) {
  claim = refused;
  choose("override");
}

export const disputed = () => claim !== null;

export function dropClaim() {
  claim = null;
}

export function paintPrompt(usable, asked, called) {
  if (!claim && award?.award !== asked?.award) choose("confirm", false);
  award = asked;
  if (way === "override" && !claim) way = "confirm";
  const works = usable && Boolean(claim || award);
  fill(byId("prompt-what"), ...words());
  byId("way-confirm").textContent = say(claim ? "keypad.way_override" : "keypad.way_confirm");
  byId("way-void").textContent = say(claim ? "keypad.way_drop" : "keypad.way_void");
  byId("way-confirm").setAttribute("aria-pressed", String(way !== "void"));
  byId("way-void").setAttribute("aria-pressed", String(way === "void"));
  byId("reason-field").hidden = way === "confirm";
  byId("card-label").textContent = say(award?.card === "executive" && way === "confirm" ? "keypad.card_executive" : "keypad.card_supervisor");
  byId("decide").textContent = say(`keypad.${way}`);
  byId("decide").classList.toggle("stop", way === "void");
  for (const each of form.elements) each.disabled = !works;
  form.classList.toggle("due", works && (Boolean(claim) || called));
  const now = claim || (award && called) ? `${way} ${award?.award} ${claim?.seat}` : "";
  if (now && !works) return; // it stays due while something else is sent
  if (now && now !== due) (way === "confirm" ? card : reason).focus();
  due = now;
}

function words() {
  if (claim) return [claim.why];
  if (!award) return [say("keypad.no_award")];
  return [make("strong", { class: "money" }, money(award.cents)), ` ${say("keypad.decide", { seat: award.seat, line: award.line })}`];
}

function choose(next, focus = true) {
  way = next;
  reason.value = "";
  card.value = "";
  if (focus) form.dispatchEvent(new Event("chosen"));
}

byId("way-confirm").addEventListener("click", () => choose(claim ? "override" : "confirm"));
byId("way-void").addEventListener("click", () => {
  const dropped = Boolean(claim);
  claim = null;
  choose(dropped ? "confirm" : "void");
});
export function onChosen(does) {
  form.addEventListener("chosen", does);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (way !== "confirm" && !reason.value.trim()) return reason.focus();
  if (!card.value) return card.focus();
  const sent = { way, award, claim, reason: reason.value.trim(), card: card.value };
  card.value = ""; // never longer on the page than it takes to send it
  if (await send(sent)) {
    claim = null;
    choose("confirm");
  } else {
    card.focus();
  }
  return undefined;
});

// A reader types wherever the cursor is: what it types while a card is due goes to the prompt, not to a key.
document.addEventListener("keydown", (event) => {
  const typed = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
  const elsewhere = !(document.activeElement instanceof HTMLInputElement) && !document.querySelector("dialog[open]");
  if (due && typed && elsewhere && !card.disabled) card.focus();
});
