// In a demo alone: somebody of every role, signed in with one press.
import { post } from "../api.js";
import { byId } from "../show.js";

for (const key of document.querySelectorAll("[data-enter]")) {
  key.addEventListener("click", async () => {
    key.disabled = true;
    try {
      location.assign((await post("/pages/demo/enter", { role: key.dataset.enter })).then);
    } catch (error) {
      byId("enter-say").textContent = error.message;
      byId("enter-say").hidden = false;
      key.disabled = false;
    }
  });
}
