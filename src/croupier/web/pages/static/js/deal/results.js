// How somebody did: at the server for whoever has signed in, else in this browser alone. The same form either way.
import { act, boot, get } from "../api.js";
import { say } from "../show.js";

const MOST_KEPT = 500;
const place = (game) => `croupier.deal.results.${game}`;
const here = (game) => JSON.parse(localStorage.getItem(place(game)) || "[]");

// `results` are of whole rounds, `drills` of drills: those of a stranger are not kept.
export async function results(game) {
  return boot.signed_in ? get(`/api/deal/${game}/results`) : { results: here(game), drills: [] };
}

// A finished drill, for whoever has signed in: the server grades it.
export function keepDrill(game, { id, seed, drill, many, again = [], sixty, house, said, ms }) {
  return act(`/api/deal/${game}/results`, { id, seed, drill, many, again, in_time: Boolean(sixty), ...house, answers: said, ms });
}

// A finished lesson; `id` is its own, so that it is kept once.
export async function keepResult(lesson, { id, said, ms, house }) {
  if (boot.signed_in) {
    return act(`/api/deal/${lesson.game}/results`, { id, seed: lesson.seed, seats: lesson.seats, handling: true, ...house, answers: said, ms });
  }
  const kept = here(lesson.game);
  if (!kept.some((each) => each.id === id)) {
    const mistakes = {};
    lesson.steps.forEach((step, at) => { if (said[at].length > 1) mistakes[step.kind] = (mistakes[step.kind] || 0) + said[at].length - 1; });
    const right = said.filter((each) => each.length === 1).length;
    kept.push({ id, at: new Date().toISOString(), seed: lesson.seed, seats: lesson.seats, steps: said.length, right, mistakes, ms });
  }
  localStorage.setItem(place(lesson.game), JSON.stringify(kept.slice(-MOST_KEPT)));
  return { results: kept.slice(-MOST_KEPT), drills: [] };
}

export const accuracyOf = (each) => (100 * each.right) / each.steps;
export const secondsOf = (each) => each.ms / 1000 / each.steps;
export const percent = (value) => `${Math.floor(value)} %`;
export const seconds = (value) => value.toFixed(1);

export function standing(found) {
  const last = found.at(-1);
  return last ? say("deal.standing", { rounds: found.length, percent: percent(accuracyOf(last)), seconds: seconds(secondsOf(last)) }) : "";
}
