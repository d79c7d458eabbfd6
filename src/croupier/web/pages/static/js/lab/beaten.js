// Whether counting cards beats the wager on the bench: effects of removal, counts, and from which true count it is good.
import { post } from "../api.js";
import { fixed, number, percent, table, words } from "../console/desk.js";
import { byId, fill, make, say } from "../show.js";
import { about, byRules, headed, question, wager } from "./bench.js";

// Only what is dealt from a shoe that runs on is counted; the Bet is decided card by card.
export function offer() {
  byId("beaten-card").hidden = byRules() || !wager().decks.length;
}

function effects(found) {
  return table(say("lab.beaten_effects"), [say("lab.beaten_rank"), number(say("lab.beaten_effect"))],
    found.by_rank.map((each) => [each.rank, number(percent(each.percent / 100, 5))]));
}

function counts(found) {
  const heads = [say("lab.beaten_count"), number(say("lab.beaten_correlation")), number(say("lab.beaten_trigger")), words(say("lab.beaten_tags"))];
  return table(say("lab.beaten_counts"), heads, found.counts.map((each) => [each.count, number(fixed(each.correlation, 4)),
    number(each.good_from === null ? "–" : fixed(each.good_from, 1)), words(each.tags)]));
}

function show(found, made) {
  const part = (name, listing) => [make("h4", {}, say(`lab.beaten_${name}`)), listing];
  headed(byId("beaten"), made, ...part("effects", effects(found)), ...part("counts", counts(found)), make("p", { class: "hint" }, say("lab.beaten_more")));
}

export function begin() {
  byId("beaten-go").addEventListener("click", async () => {
    const [made, asked] = [about(), question()];
    byId("beaten-go").disabled = true;
    byId("beaten-counting").hidden = false;
    try {
      show(await post("/api/lab/vulnerability", { ...asked, tables: asked.tables.slice(0, 1) }), made);
    } catch (error) {
      fill(byId("beaten"), make("p", { class: "say bad", role: "alert" }, error.message));
    }
    byId("beaten-go").disabled = false;
    byId("beaten-counting").hidden = true;
  });
}
