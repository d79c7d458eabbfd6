// A meter that counts up. Only true values: it climbs from what it shows to what the book has reached, never past it and
// never down. Wagers alone make it climb. Whatever else has moved the meter (an award, one that was voided or
// backed out, an adjustment) shows at once, so that no value from before it is ever shown after it; likewise what comes after a silence.
import { money } from "./show.js";

const COUNT_MS = 900;
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

  show(cents) {
    if (this.shown === cents) return;
    this.shown = cents;
    this.element.textContent = money(cents);
  }

  climb(from, began) {
    this.frame = requestAnimationFrame((now) => {
      const part = Math.min(1, Math.max(0, (now - began) / COUNT_MS));
      this.show(Math.max(this.shown, Math.floor(from + (this.truth - from) * part)));
      if (part < 1) this.climb(from, began);
    });
  }

  hide() {
    cancelAnimationFrame(this.frame);
    this.shown = null;
    this.element.textContent = "";
  }
}
