// A meter that counts up. Only true values: it climbs from what it shows to what the book has reached, never past it and
// never down. Wagers alone make it climb. Whatever else has moved the meter (an award, one that was voided or
// backed out, an adjustment) shows at once, so that no value from before it is ever shown after it; likewise what comes after a silence.
import { make, money } from "./show.js";

export const COUNT_MS = 900;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Counter {
  constructor(element) {
    this.element = element;
    this.shown = null; // cents on the wall
    this.truth = null; // cents in the book
    this.frame = 0;
  }

  set(cents, climbs) {
    this.truth = cents;
    cancelAnimationFrame(this.frame);
    if (!climbs || this.shown === null || cents <= this.shown || still.matches || document.hidden) this.show(cents);
    else this.climb(this.shown, performance.now());
  }

  show(exact) {
    const cents = Math.floor(exact);
    if (this.shown !== cents) this.write(money(cents));
    this.shown = cents;
  }

  climb(from, began) {
    this.frame = requestAnimationFrame((now) => {
      const part = Math.min(1, Math.max(0, (now - began) / COUNT_MS));
      this.show(Math.max(this.shown, from + (this.truth - from) * part));
      if (part < 1) this.climb(from, began);
    });
  }

  hide() {
    cancelAnimationFrame(this.frame);
    this.shown = null;
    this.write("");
  }

  write(text) {
    this.element.textContent = text;
  }
}

// The same on wheels. A wheel turns as those of a machine do: the last one all the time, each of the others only while the
// one beside it goes from nine to nought. So what can be read between two steps is never more than what is reached.
// The amount itself is the element's text; the wheels are drawn by the style sheet and are not read out.
export class Odometer extends Counter {
  constructor(element) {
    super(element);
    this.text = make("span", { class: "visually-hidden" });
    this.face = make("span", { class: "wheels", "aria-hidden": "true" });
    element.append(this.text, this.face);
    this.shape = "";
  }

  show(exact) {
    super.show(exact);
    let turned = exact;
    let carry = exact % 1;
    for (const strip of [...this.face.querySelectorAll(".strip")].reverse()) {
      const digit = Math.floor(turned) % 10;
      strip.style.setProperty("--at", (digit + carry).toFixed(3));
      carry = digit === 9 ? carry : 0;
      turned = Math.floor(turned) / 10;
    }
  }

  write(text) {
    this.text.textContent = text;
    const shape = text.replace(/\d/g, "0");
    if (shape === this.shape) return;
    this.shape = shape;
    this.face.replaceChildren(...[...shape].map((sign) => (sign === "0"
      ? make("span", { class: "wheel" }, make("span", { class: "strip" })) : make("span", { class: "between", "data-sign": sign }))));
  }
}
