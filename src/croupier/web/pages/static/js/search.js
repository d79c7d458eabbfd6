// One search for the whole site: a key, a few letters, Enter. What may not be seen is not found.
import { get } from "./api.js";
import { byId, fill, make, say } from "./show.js";

const AFTER_MS = 120; // somebody is still typing
const ANSWER_MS = 5000;
let asked = 0;
let later = 0;

const dialog = () => byId("search");
const links = () => [...byId("search-found").querySelectorAll("a")];

function row(each) {
  return make("li", {}, make("a", { href: each.path },
    make("span", { class: "search-kind" }, say(`search.kind_${each.kind}`)),
    make("span", { class: "search-title" }, each.title), make("span", { class: "search-text" }, each.text)));
}

async function ask(words) {
  const number = (asked += 1);
  if (!words) {
    fill(byId("search-found"));
    byId("search-state").textContent = say("search.first");
    return;
  }
  const told = await get(`/api/search?${new URLSearchParams({ q: words })}`, AbortSignal.timeout(ANSWER_MS)).catch(() => null);
  if (number !== asked) return; // something newer was typed
  fill(byId("search-found"), ...(told?.found || []).map(row));
  byId("search-state").textContent = !told ? say("search.lost") : told.found.length ? say("search.some", { count: told.found.length }) : say("search.none");
}

function step(by) {
  const all = [byId("search-words"), ...links()];
  const at = Math.max(0, all.indexOf(document.activeElement));
  all[Math.min(all.length - 1, Math.max(0, at + by))].focus();
}

function build() {
  document.body.append(make("dialog", { id: "search", class: "search", "aria-labelledby": "search-label" },
    make("div", { class: "search-head" },
      make("label", { for: "search-words", id: "search-label", class: "visually-hidden" }, say("search.label")),
      make("input", { id: "search-words", type: "search", maxlength: 100, autocomplete: "off", spellcheck: "false", placeholder: say("search.label"),
        on: { input: () => { clearTimeout(later); later = setTimeout(() => ask(byId("search-words").value.trim()), AFTER_MS); } } }),
      make("button", { type: "button", class: "bare", on: { click: () => dialog().close() } }, say("search.close"))),
    make("p", { id: "search-state", class: "search-state", role: "status" }, say("search.first")),
    make("ul", { id: "search-found", class: "plain search-found" })));
  dialog().addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && document.activeElement === byId("search-words")) {
      links()[0]?.click();
    }
  });
  dialog().addEventListener("click", (event) => { if (event.target === dialog() || event.target.closest("a")) dialog().close(); });
}

export function openSearch() {
  if (!dialog()) build();
  if (!dialog().open) dialog().showModal();
  byId("search-words").select();
}
