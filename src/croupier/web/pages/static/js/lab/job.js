// A job of the server, followed to its end: a bar that moves, and a word for how it stands.
import { get } from "../api.js";
import { count } from "../console/desk.js";
import { byId, say } from "../show.js";

const EVERY_MS = 500;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function follow(id, name, estimate = () => "") {
  const bar = byId(`${name}-bar`);
  byId(`${name}-progress`).hidden = false;
  bar.removeAttribute("value");
  byId(`${name}-state`).textContent = say("lab.job_waiting");
  for (;;) {
    const job = await get(`/api/jobs/${id}`);
    const { state, progress } = job;
    if (state === "running" && !progress) byId(`${name}-state`).textContent = say("lab.job_ready");
    if (progress) {
      bar.value = progress.done / progress.of;
      byId(`${name}-state`).textContent = `${say("lab.job_running", { done: count(progress.done), of: count(progress.of) })} ${estimate(progress.estimate)}`;
    }
    if (!["waiting", "running"].includes(state)) {
      byId(`${name}-progress`).hidden = true;
      return job;
    }
    await pause(EVERY_MS);
  }
}
