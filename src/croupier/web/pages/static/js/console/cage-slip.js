// One award at the cage: what it is, and its slip. Why the amount is what it is stands in the office's page.
import { boot } from "../api.js";
import { byId, fill, make, money, say } from "../show.js";
import { look, refused, trying } from "./records.js";
import { showSlip } from "./slip.js";

// From the slip, or from those who wait for one.
async function awardOf(slip) {
  if (slip) return { ...slip, cents: slip.award_cents };
  const { payments } = await look("/api/payments");
  return payments.find((each) => each.link === boot.link && each.award === boot.award);
}

async function show() {
  const slip = await showSlip();
  const award = await trying(() => awardOf(slip), byId("head"));
  byId("jackpot").hidden = !award;
  if (!award) {
    fill(byId("head"), make("p", {}, say("cage.no_award", { award: boot.award, link: boot.link })));
    return;
  }
  fill(byId("head"),
    make("strong", { class: "meter money", id: "amount" }, money(award.cents)),
    make("p", {}, say("cage.hand", { line: award.line, table: award.table, seat: award.seat })),
    award.backed_out_at ? make("p", { class: "say bad" }, say(award.paid_at ? "cage.backed_out_paid" : "cage.backed_out")) : null);
}

refused("");
show();
