// Short names: what is kept in the books of a person or a device is offered from the name, until somebody types another.

const PLAIN = /[^a-z0-9]+/g;

// `Ana Müller` is ana; a second Ana is ana2.
export function shortName(name, taken) {
  const [first = ""] = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).map((word) => word.replace(PLAIN, "")).filter(Boolean);
  if (!first) return "";
  let found = first;
  for (let number = 2; taken.includes(found); number += 1) found = `${first}${number}`;
  return found;
}

// The one field follows the other.
export function suggests(name, short, found) {
  short.addEventListener("input", () => { short.dataset.typed = short.value ? "yes" : ""; });
  name.addEventListener("input", () => { if (!short.dataset.typed) short.value = found(name.value); });
}
