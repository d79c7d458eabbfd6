// The win page on paper: the browser prints it, and a tablet that cannot show such a file keeps it as one.
import { boot, Refused } from "./api.js";
import { byId, make } from "./show.js";

export const moneyBag = () => byId("bag").content.firstElementChild.cloneNode();

export async function printPage(url) {
  const asked = await fetch(url, { headers: { "X-CSRF-Token": boot.csrf || "" }, cache: "no-store" });
  if (!asked.ok) throw new Refused(asked.status, (await asked.json()).error);
  const page = await asked.blob();
  if (navigator.pdfViewerEnabled) return print(url);
  const kept = URL.createObjectURL(page);
  make("a", { href: kept, download: url.split("/").slice(-3).join("-") }).click();
  URL.revokeObjectURL(kept);
  return undefined;
}

function print(url) {
  const paper = byId("paper");
  return new Promise((done) => {
    paper.onload = () => { paper.contentWindow.print(); done(); };
    paper.src = url;
  });
}
