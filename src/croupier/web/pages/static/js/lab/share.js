// A paytable as text and as a link; and those that somebody keeps in this browser.
import { byId, fill, make, say } from "../show.js";
import { address, bench, fromAddress } from "./bench.js";

const KEPT = "croupier.lab";
const MOST_KEPT = 40;
let blob = "";

const kept = () => JSON.parse(localStorage.getItem(KEPT) || "[]");
const keep = (list) => localStorage.setItem(KEPT, JSON.stringify(list.slice(0, MOST_KEPT)));
const tell = (text) => { byId("shared").textContent = text; };

// The text as the server writes it; it stays as it is while somebody types there.
export function write(text) {
  if (document.activeElement !== byId("text")) byId("text").value = text;
  if (blob) URL.revokeObjectURL(blob);
  blob = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  byId("download").href = blob;
  byId("download").download = `${bench.wager || "paytable"}.txt`;
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    tell(done);
  } catch {
    tell(text); // a browser without a clipboard: it can be copied from here
  }
}

export function begin({ takeRows, refresh }) {
  let timer = 0;
  byId("text").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => takeRows(byId("text").value), 500);
  });
  byId("copy-text").addEventListener("click", () => copy(byId("text").value, say("lab.copied_text")));
  byId("copy-link").addEventListener("click", () => copy(location.origin + address(), say("lab.copied_link")));
  byId("save").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = byId("save-name").value.trim();
    if (!name) return;
    keep([{ name, address: address() }, ...kept().filter((each) => each.name !== name)]);
    byId("save-name").value = "";
    tell(say("lab.saved", { name }));
    list();
  });

  function open(each) {
    const text = fromAddress(each.address.split("?")[1]);
    if (text) takeRows(text);
    else refresh();
    tell(say("lab.opened", { name: each.name }));
  }

  function list() {
    const button = (text, name, does) => make("button", { type: "button", class: "quiet small", "aria-label": `${text}: ${name}`, on: { click: does } }, text);
    fill(byId("saved"), ...kept().map((each) => make("li", { class: "row" }, make("span", { class: "grow" }, each.name),
      button(say("lab.open"), each.name, () => open(each)),
      button(say("lab.forget"), each.name, () => { keep(kept().filter((other) => other.name !== each.name)); list(); }))));
  }
  list();
}
