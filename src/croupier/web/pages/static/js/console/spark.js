// What the meters showed, read from the book and drawn small.
import { of } from "./desk.js";
import { look } from "./records.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 100;
const HIGH = 30;

export const readHistory = (link, span, points) => look(of(link, `history?span=${span}&points=${points}`));

// A line without scales, and what is below it, beside the number that it leads to.
export function spark(at, cents) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  drawn.setAttribute("preserveAspectRatio", "none");
  drawn.setAttribute("class", "spark");
  drawn.setAttribute("aria-hidden", "true");
  if (at.length > 1) {
    const [first, last] = [at[0], at[at.length - 1]];
    const [low, high] = [Math.min(...cents), Math.max(...cents)];
    const place = (value, index) => [
      (WIDE * (at[index] - first)) / (last - first || 1), HIGH - (HIGH * (value - low)) / (high - low || 1),
    ].map((each) => each.toFixed(2)).join(",");
    const [line, below] = ["polyline", "polygon"].map((shape) => document.createElementNS(SVG, shape));
    // A meter keeps its value until the next entry: steps, not slopes.
    const points = cents.flatMap((value, index) => (index ? [place(cents[index - 1], index), place(value, index)] : [place(value, index)]));
    line.setAttribute("points", points.join(" "));
    below.setAttribute("points", [`0,${HIGH}`, ...points, `${WIDE},${HIGH}`].join(" "));
    drawn.append(below, line);
  }
  return drawn;
}
