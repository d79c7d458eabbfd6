// The games to learn, each with how one stands in it; and for whoever has signed in and done anything, a paper of it.
import { boot, get } from "../api.js";
import { byId, say } from "../show.js";
import { results, standing } from "./results.js";

for (const line of document.querySelectorAll(".standing")) {
  results(line.dataset.game).then((found) => { line.textContent = standing(found.results); }).catch(() => {});
}

if (boot.signed_in) {
  get("/api/school/me").then(({ questions, right, passed }) => {
    const least = boot.least_questions;
    byId("so-far").textContent = say(questions < least ? "deal.so_far" : "deal.so_far_enough", { questions, least, right });
    byId("certificate").textContent = say(passed ? "deal.certificate" : "deal.practice");
    byId("certificate").hidden = !questions;
  }).catch(() => {});
}
