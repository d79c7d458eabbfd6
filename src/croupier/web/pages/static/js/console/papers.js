// Papers for conditions: the digest of a document that is chosen, and a form for those that stop the tables.
import { boot, Refused } from "../api.js";
import { make, say } from "../show.js";
import { actOnSite } from "./desk.js";
import { field } from "./records.js";

const refuse = (sentence) => { throw new Refused(422, { code: "wrong-form", sentence, retry: false }); };

export async function digestOf(file) {
  if (!crypto.subtle) refuse(say("approvals.no_digest"));
  const bytes = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The document itself is kept beside the books, where the server may: its digest is on record already.
export async function keepDocument(file, digest) {
  const response = await fetch(`/api/site/documents/${digest}`, { method: "POST", headers: { "Content-Type": "application/octet-stream", "X-CSRF-Token": boot.csrf }, body: file });
  if (!response.ok) throw new Refused(response.status, (await response.json()).error);
}

// One line for each paper that is wanted, in the order in which they are recorded. A line that is left empty is left out.
export function wantedPapers(wants) {
  const rehearses = make("input", { type: "checkbox", id: "papers-rehearsal" });
  const keeps = make("input", { type: "checkbox", id: "papers-keep", checked: true });
  const lines = wants.map((want, place) => {
    const line = place + 1;
    const input = (name, more = {}) => make("input", { name, autocomplete: "off", ...more });
    const parts = { reference: input("reference", { maxlength: 64 }), dated: input("dated", { type: "date" }), until: input("until", { type: "date" }), file: input("file", { type: "file" }) };
    const group = make("fieldset", { class: "second", "data-paper": line }, make("legend", {}, say(want.of ? "approvals.wanted_of" : "approvals.wanted", want)),
      make("div", { class: "fields" }, field(`papers-reference-${line}`, say("approvals.reference"), parts.reference), field(`papers-dated-${line}`, say("approvals.dated"), parts.dated),
        field(`papers-until-${line}`, say("approvals.until"), parts.until, say("approvals.until_hint")), field(`papers-file-${line}`, say("approvals.file"), parts.file)));
    return { want, group, parts };
  });
  const element = make("div", { class: "stack" }, ...lines.map((each) => each.group),
    make("div", { class: "row" }, keeps, make("label", { for: "papers-keep" }, say("approvals.keep"))),
    make("div", { class: "row" }, rehearses, make("label", { for: "papers-rehearsal" }, say("approvals.are_rehearsals"))));
  async function record() {
    const given = lines.filter(({ parts }) => parts.reference.value.trim());
    if (!given.length) refuse(say("approvals.wanted_none"));
    for (const { want, parts } of given) {
      const [file] = parts.file.files;
      if (!file) refuse(say("approvals.wanted_file", { reference: parts.reference.value.trim() }));
      const sha256 = await digestOf(file);
      await actOnSite("record-paper", { ...want, reference: parts.reference.value.trim(), dated: parts.dated.value, until: parts.until.value,
        file: file.name.slice(0, 64), sha256, rehearsal: rehearses.checked });
      if (keeps.checked) await keepDocument(file, sha256);
      parts.reference.value = "";
    }
    return given.map(({ want }) => say(want.of ? "approvals.wanted_of" : "approvals.wanted", want));
  }
  return { element, record };
}
