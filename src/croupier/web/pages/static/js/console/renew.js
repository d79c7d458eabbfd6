// Painting again what changes while somebody works with it: what stays the same stays the same element, so that a press
// is not lost, the focus stays where it is, and a live region tells what is new and nothing else.

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const keyOf = (node) => (isElement(node) && node.dataset.key) || "";

// A button keeps what it does, and a link where it leads: one that is for something else is another one.
function sameThing(old, fresh) {
  if (!isElement(old) || !isElement(fresh) || old.tagName !== fresh.tagName || keyOf(old) !== keyOf(fresh)) return false;
  if (old.tagName === "BUTTON") return false;
  return old.tagName !== "A" || old.getAttribute("href") === fresh.getAttribute("href");
}

function become(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renewNodes(old, [...fresh.childNodes]);
}

function renewNodes(place, nodes) {
  const keys = new Set(nodes.map(keyOf));
  for (const child of [...place.children]) if (keyOf(child) && !keys.has(keyOf(child))) child.remove();
  nodes.forEach((fresh, index) => {
    const old = place.childNodes[index];
    if (!old) place.append(fresh);
    else if (old.isEqualNode(fresh)) return;
    else if (sameThing(old, fresh)) become(old, fresh);
    else if (keyOf(old) && keyOf(old) !== keyOf(fresh)) old.before(fresh); // it comes later
    else old.replaceWith(fresh);
  });
  while (place.childNodes.length > nodes.length) place.lastChild.remove();
}

// As `fill`. What has a listener is a button; where it acts on more than its label says, give it, or what it is in, a
// `data-key` that says on what.
export function renew(place, ...children) {
  const wanted = children.filter((child) => child !== null && child !== undefined);
  renewNodes(place, wanted.map((child) => (child instanceof Node ? child : document.createTextNode(child))));
}
