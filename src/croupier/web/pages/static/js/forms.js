// What every page begins with: forms that are sent as JSON (sign in, a device's token), with what is refused
// beside the form; and acts that were never answered, sent again.
import { ENDED, post, Refused, sendKept } from "./api.js";
import "./device.js";
import { openSearch } from "./search.js";
import { byId, make, say } from "./show.js";

const ANSWER_MS = 8000;

// The search: by its button, by / where nothing is typed, by Ctrl-K anywhere.
if (byId("search-open")) {
  byId("search-open").hidden = false;
  byId("search-open").addEventListener("click", openSearch);
  addEventListener("keydown", (event) => {
    const wanted = (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.("input, select, textarea"))
      || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
    if (!wanted) return;
    event.preventDefault();
    openSearch();
  });
}

// Where ways stand in one line that can be pushed, the page that is open is in sight.
for (const line of document.querySelectorAll(".top nav, .section-line")) {
  const open = line.querySelector("[aria-current]")?.getBoundingClientRect();
  if (open) line.scrollLeft += open.x + open.width / 2 - line.getBoundingClientRect().x - line.clientWidth / 2;
}

if (byId("say")?.dataset.ended && sessionStorage.getItem(ENDED)) {
  sessionStorage.removeItem(ENDED);
  byId("say").textContent = byId("say").dataset.ended;
  byId("say").hidden = false;
}

for (const form of document.querySelectorAll("form[data-send]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
    for (const input of form.querySelectorAll("input[type=number]")) {
      if (values[input.name] !== undefined) values[input.name] = Number(values[input.name]);
    }
    const button = form.querySelector("button[type=submit]");
    button.disabled = true;
    try {
      const answer = await post(form.dataset.send, values);
      if (answer.pin_to_change) location.assign(`/choose-pin?then=${encodeURIComponent(form.dataset.then || "/")}`);
      else location.assign(form.dataset.then || "/");
    } catch (error) {
      byId("say").textContent = error.message;
      byId("say").hidden = false;
      for (const input of form.querySelectorAll("input[type=password]")) input.value = "";
      button.disabled = false;
    }
  });
}

for (const button of document.querySelectorAll("button[data-post]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post(button.dataset.post, {}, AbortSignal.timeout(ANSWER_MS));
      location.assign(button.dataset.then || "/");
    } catch (error) {
      button.disabled = false;
      tellWrong(error instanceof Refused && !error.retry ? error.message : say("sign_out.no_answer"));
    }
  });
}

// What was not answered before this page was loaded is sent again, and done once; what may not be is told.
function tellWrong(text) {
  const place = document.querySelector(".pad-say") || make("p", { class: "say bad", id: "kept" });
  place.setAttribute("role", "alert");
  place.textContent = text;
  if (!place.isConnected) byId("main").prepend(place);
}

function tellDone(text) {
  if (!byId("done")) return;
  byId("done").textContent = text;
  byId("done").hidden = !text;
}

sendKept((is) => tellDone(is ? say("kept.waiting") : "")).then(({ done, refused, dropped }) => {
  if (done) tellDone(say("kept.done"));
  const wrong = [...(dropped ? [say("kept.dropped")] : []), ...refused];
  if (wrong.length) tellWrong(wrong.join(" "));
});
