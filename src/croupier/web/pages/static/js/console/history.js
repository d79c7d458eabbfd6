// What the meters showed: read from the book and drawn large.
import { chart } from "../chart.js";
import { money, say } from "../show.js";
import { trying } from "./records.js";
import { readHistory } from "./spark.js";

// The plot of a link's page, with its three spans; read again when somebody asks, and now and then.
export function historyPlot(link, host) {
  let drawn = null;
  let span = "day";
  async function load({ background = true } = {}) {
    const found = await trying(() => readHistory(link, span, 400), host, { background });
    if (!found || found.span !== span) return;
    const options = {
      caption: say("link.history", { span: say(`link.${span}`).toLowerCase() }), xs: found.at, time: true, y: money,
      lines: found.levels.map((level) => ({ label: level.title, values: level.cents, steps: true })),
    };
    if (drawn) drawn.draw(options);
    else drawn = chart(host, options);
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

