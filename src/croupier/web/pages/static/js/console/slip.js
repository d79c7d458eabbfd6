// The jackpot slip of one award: issued, printed and paid here, where the role allows it. On the award's page and at the cage.
import { act, boot } from "../api.js";
import { byId, money, say } from "../show.js";
import { of } from "./desk.js";
import { facts, look, may, moment, person, sending, trying } from "./records.js";

let issued = null;

const lookAtSlip = async () => (await look(of(boot.link, `awards/${boot.award}/slip`))).rows[0] ?? null;

function told(slip) {
  const amounts = { amount: money(slip.paid_cents), withheld: money(slip.withheld_cents), award: money(slip.award_cents) };
  const paid = { by: person(slip.paid_by), at: moment(slip.paid_at), paid_in: slip.paid_in };
  return [
    [say("award.slip_number"), String(slip.slip)],
    [say("award.slip_to_pay"), slip.withheld_cents ? say("award.slip_withheld", amounts) : amounts.amount],
    [say("award.slip_rest"), slip.rest_due_at && slip.paid_cents > slip.at_once_cents
      ? say("award.slip_in_parts", { at_once: money(slip.at_once_cents), rest: money(slip.paid_cents - slip.at_once_cents), due: moment(slip.rest_due_at) }) : ""],
    [say("award.slip_issued"), `${person(slip.issued_by)}, ${moment(slip.issued_at)}`],
    [say("award.slip_asks"), slip.asks.replaceAll("-", " ")],
    [say("award.slip_paid"), slip.paid_at ? say("award.slip_paid_as", paid) : say("award.slip_not_paid")],
    [say("award.slip_identity"), slip.identity],
  ];
}

// One whose award was backed out can be looked at, and nothing else.
export async function showSlip() {
  issued = await trying(lookAtSlip);
  const open = may("pay_slip") && !issued?.backed_out_at;
  byId("jackpot").hidden = !issued && !open;
  byId("jackpot-issue").hidden = Boolean(issued) || !open;
  byId("jackpot-print").hidden = !issued;
  byId("jackpot-pay").hidden = !issued || Boolean(issued.paid_at) || !open;
  byId("identity-field").hidden = !issued?.asks;
  facts(byId("jackpot-facts"), issued ? told(issued) : []);
  if (!issued) byId("jackpot-said").textContent = say("award.slip_none");
  return issued;
}

async function slipAct(path, body, said) {
  const done = await act(of(boot.link, path), body);
  byId("jackpot-said").textContent = say(said, { slip: done.entry.facts.slip });
  await showSlip();
}

byId("jackpot-issue").addEventListener("click", () => trying(() => slipAct("issue-slip", { award: boot.award }, "award.slip_done"), byId("jackpot-said")));
// What is refused is said at the button, and the document that was not named is marked.
byId("jackpot-pay").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { paid_in, identity } = event.target.elements;
  const seen = identity.value ? { identity: identity.value } : {};
  const missing = Boolean(issued.asks) && !identity.value;
  identity.setAttribute("aria-invalid", String(missing));
  await sending(event.target, () => slipAct("pay-slip", { slip: issued.slip, paid_in: paid_in.value, ...seen }, "award.slip_is_paid"));
  if (missing) identity.focus();
});
