// The win page on paper: the browser prints it, and a tablet that cannot show such a file keeps it as one.
import { boot, Refused } from "./api.js";
import { byId, make } from "./show.js";

const SVG = "http://www.w3.org/2000/svg";
const BAG = "M9 2h6l-1.6 3.2C18 7.4 21 11.6 21 16c0 4-3.2 6-9 6s-9-2-9-6c0-4.4 3-8.6 7.6-10.8z";
const SIGN = "M14.5 11.5c-.5-.9-1.4-1.4-2.5-1.4-1.5 0-2.5.8-2.5 1.9 0 2.6 5 1.3 5 4 0 1.1-1 1.9-2.5 1.9-1.1 0-2-.5-2.5-1.4M12 8.8v10.4";

export function moneyBag() {
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", class: "bag", "aria-hidden": "true" })) {
    picture.setAttribute(name, value);
  }
  for (const [path, kind] of [[BAG, "bag-body"], [SIGN, "bag-sign"]]) {
    const drawn = document.createElementNS(SVG, "path");
    drawn.setAttribute("d", path);
    drawn.setAttribute("class", kind);
    picture.append(drawn);
  }
  return picture;
}

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
