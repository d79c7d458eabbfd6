// What the meters showed: read from the book and drawn large, each level on a scale of its own.
import { chart } from "../chart.js";
import { make, money, say } from "../show.js";
import { trying } from "./records.js";
import { readHistory } from "./spark.js";

const TONES = ["accent", "lit", "alarm"];

// The plots of a link's page, with their three spans; read again when somebody asks, and now and then.
export function historyPlot(link, host) {
  const drawn = [];
  let span = "day";
  async function load({ background = true } = {}) {
    const found = await trying(() => readHistory(link, span, 400), host, { background });
    if (!found || found.span !== span) return;
    found.levels.forEach((level, place) => {
      const options = {
        caption: say("link.history", { title: level.title, span: say(`link.${span}`).toLowerCase() }), xs: found.at, time: true, y: money,
        lines: [{ label: level.title, values: level.cents, steps: true, tone: TONES[place % TONES.length] }],
      };
      if (!host.children[place]) host.append(make("div", { class: "history-place" }));
      if (drawn[place]) drawn[place].draw(options);
      else drawn[place] = chart(host.children[place], options);
    });
  }
  for (const button of document.querySelectorAll("button[data-span]")) {
    button.addEventListener("click", () => {
      span = button.dataset.span;
      for (const each of document.querySelectorAll("button[data-span]")) each.setAttribute("aria-pressed", String(each === button));
      load({ background: false });
    });
  }
  setInterval(() => load(), 60_000);
  load();
  return () => load();
}
