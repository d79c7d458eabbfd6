// Papers for conditions: the digest of a document that is chosen, and a form for those that stop the tables.
import { boot, Refused } from "../api.js";
import { make, say } from "../show.js";
import { actOnSite } from "./desk.js";
import { done, field, secondPerson, sending } from "./records.js";

export const PROGRAM = "Croupier"; // as an approval names it
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
  const lines = wants.map(({ name, ...want }, place) => {
    const line = place + 1;
    const input = (name, more = {}) => make("input", { name, autocomplete: "off", ...more });
    const parts = { reference: input("reference", { maxlength: 64 }), dated: input("dated", { type: "date" }), until: input("until", { type: "date" }), file: input("file", { type: "file" }) };
    const group = make("fieldset", { class: "second", "data-paper": line }, make("legend", {}, say(want.of ? "approvals.wanted_of" : "approvals.wanted", { ...want, name })),
      make("div", { class: "fields" }, field(`papers-reference-${line}`, say("approvals.reference"), parts.reference), field(`papers-dated-${line}`, say("approvals.dated"), parts.dated),
        field(`papers-until-${line}`, say("approvals.until"), parts.until, say("approvals.until_hint")), field(`papers-file-${line}`, say("approvals.file"), parts.file)));
    return { want, name, group, parts };
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
    return given.map(({ want, name }) => say(want.of ? "approvals.wanted_of" : "approvals.wanted", { ...want, name }));
  }
  return { element, record };
}

// The house's own approval of this program, from the letter alone: written in the form that the register has for every approval.
function letterLines({ authority, reference, dated, sha256, holder, version }) {
  const texts = { subject: say("approvals.letter_subject"), authority, reference, holder, page: "letter", source: say("approvals.letter_source") };
  const told = (values) => Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [...told(texts), `dated = ${dated}`, `rules_submitted = [${dated}]`, "", "[[enclosure]]", ...told({ document: "A", subject: PROGRAM, sha256 }),
    "", "[[equipment]]", ...told({ name: PROGRAM, version, enclosures: ["A"], use: "progressive system" })];
}

export function letterForm(register, after) {
  const input = (name, more = {}) => make("input", { name, required: true, autocomplete: "off", ...more });
  const parts = { authority: input("authority", { maxlength: 100, value: register.approvals[0]?.authority ?? "" }), reference: input("reference", { maxlength: 64 }),
    dated: input("dated", { type: "date" }), file: input("file", { type: "file" }) };
  const second = secondPerson("letter", say("approvals.agree"));
  second.show(true);
  const form = make("form", { class: "stack", autocomplete: "off", id: "letter" }, make("h3", {}, say("approvals.letter")), make("p", { class: "soft" }, say("approvals.letter_text")),
    make("div", { class: "fields" }, field("letter-authority", say("approvals.authority"), parts.authority), field("letter-reference", say("approvals.reference"), parts.reference),
      field("letter-dated", say("approvals.dated"), parts.dated), field("letter-file", say("approvals.file"), parts.file, say("approvals.file_hint"))),
    second.element, make("div", {}, make("button", { type: "submit" }, say("approvals.letter_do"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sending(form, async () => {
      const [reference, authority] = [parts.reference.value.trim(), parts.authority.value.trim()];
      const key = reference.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "letter";
      const values = { authority, reference, dated: parts.dated.value, sha256: await digestOf(parts.file.files[0]), holder: register.site, version: register.program_version };
      await actOnSite("enter-approval", { key, lines: letterLines(values) }, second.values());
      done(say("approvals.entered", { approval: reference }));
      form.reset();
      second.clear();
      await after();
    });
  });
  return form;
}
