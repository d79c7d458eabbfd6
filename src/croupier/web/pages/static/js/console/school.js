// The class of the dealer's school: every trainee in a line, and one of them game by game.
import { byId, fill, make, say } from "../show.js";
import { count, figure, number, table } from "./desk.js";
import { look, moment, trying } from "./records.js";

let trainees = [];
let mark = "";

const share = (right, asked) => (asked ? say("school.percent", { percent: Math.floor((100 * right) / asked) }) : "–");
const sum = (list, of) => list.reduce((all, each) => all + of(each), 0);
const times = (games, isDrill) => sum(games, (game) => sum(game.done.filter((each) => Boolean(each.drill) === isDrill), (each) => each.times));
const gamesOf = (trainee) => trainee.games.filter((each) => !byId("game").value || each.game === byId("game").value);
const asked = (games) => sum(games, (each) => each.questions);
const right = (games) => sum(games, (each) => each.right);
const last = (games) => games.map((each) => each.last).sort().at(-1);

// A bar for each of the last rounds, as high as it was right at once; what it says is in words beside it.
function lately(games) {
  const rounds = games.flatMap((each) => each.lately);
  const bars = games.length === 1 ? rounds : [];
  const of = share(sum(rounds, ([one]) => one), sum(rounds, ([, all]) => all));
  return { kind: "number", text: make("span", { class: "lately" },
    ...bars.map(([one, all]) => {
      const bar = make("i", { "aria-hidden": "true" });
      bar.style.setProperty("--right", String(one / all));
      return bar;
    }), make("span", {}, of)) };
}

function paper({ person, name, questions, passed }) {
  if (!questions) return say("school.not_yet");
  const href = `/api/school/${encodeURIComponent(person)}/certificate.pdf`;
  const kind = passed ? "certificate" : "practice";
  return make("a", { class: passed ? "button small" : "button quiet small", href, "aria-label": say(`school.${kind}_of`, { name }) },
    say(`school.${kind}`));
}

const nameOf = (trainee) => (trainee.questions ? make("button", {
  type: "button", class: "bare small", "aria-label": say("school.show", { name: trainee.name }), on: { click: () => show(trainee) },
}, trainee.name) : trainee.name);

function row(trainee) {
  const games = gamesOf(trainee);
  return [nameOf(trainee), number(count(times(games, false))), number(count(times(games, true))), number(count(asked(games))),
    number(share(right(games), asked(games))), lately(games), moment(last(games)) || say("school.not_yet"), paper(trainee)];
}

function paint() {
  const shown = byId("game").value ? trainees.filter((each) => gamesOf(each).length) : trainees;
  const games = trainees.flatMap(gamesOf);
  fill(byId("figures"), figure(say("school.trainees"), count(trainees.length)),
    figure(say("school.begun"), count(trainees.filter((each) => gamesOf(each).length).length)),
    figure(say("school.questions"), count(asked(games))), figure(say("school.right"), share(right(games), asked(games))));
  const heads = [say("school.name"), number(say("school.rounds")), number(say("school.drills")), number(say("school.questions")),
    number(say("school.right")), number(say("school.lately")), say("school.last"), say("school.paper")];
  byId("pass-mark").textContent = say("school.pass_mark", { mark });
  fill(byId("trainees"), shown.length ? table(say("school.class"), heads, shown.map(row)) : nobody());
}

const nobody = () => (trainees.length ? make("p", { class: "soft" }, say("school.none_of_game"))
  : make("p", {}, say("school.nobody"), " ", make("a", { href: "/console/people#enrol-title" }, say("school.enrol"))));

function show(trainee) {
  const heads = [say("school.game"), say("school.what"), number(say("school.times")), number(say("school.questions")),
    number(say("school.right")), number(say("school.best")), say("school.last")];
  const rows = trainee.games.flatMap((game) => game.done.map((each) => [game.title,
    each.in_time ? say("school.in_time", { title: each.title }) : each.title, number(count(each.times)), number(count(each.questions)),
    number(share(each.right, each.questions)), number(each.in_time ? count(each.best) : "–"), moment(each.last)]));
  byId("trainee").hidden = false;
  byId("trainee-title").textContent = say("school.of", { name: trainee.name });
  fill(byId("trainee-games"), table(say("school.of", { name: trainee.name }), heads, rows));
  byId("trainee").scrollIntoView({ block: "nearest" });
  byId("trainee").focus({ preventScroll: true });
}

async function load() {
  const found = await trying(() => look("/api/school"), byId("trainees"));
  byId("trainees").removeAttribute("aria-busy");
  if (!found) return;
  trainees = found.trainees;
  mark = found.pass_mark;
  const titles = new Map(trainees.flatMap((each) => each.games).map((each) => [each.game, each.title]));
  byId("game").append(...[...titles].sort().map(([game, title]) => make("option", { value: game }, title)));
  paint();
}

byId("game").addEventListener("change", paint);
load();
