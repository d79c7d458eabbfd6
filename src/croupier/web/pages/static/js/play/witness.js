// What this page has seen of a round, held against the shoe that is opened at its end: every card that was dealt must be
// the next of its order, lie on the felt where the line said, and be paid as the replay has it.

const DEALER = 0;
const BOARD = "board";
let told = { round: "", lines: [], changed: false };

// A line that was told stays as it was: called with each answer of the server.
export function witness(round) {
  const lines = round.events.map((event) => JSON.stringify(event));
  const same = told.round === round.round;
  const changed = same && (told.changed || told.lines.some((line, place) => line !== lines[place]));
  told = { round: round.round, lines, changed };
}

const orderIn = (reveal) => reveal.split("\n").find((line) => line.startsWith("order ")).split(" ").slice(1);

// The cards that the lines name, each with its place in the order. A packet for nobody and a card that lies face down
// take their places too; a hole card that is turned up was dealt before.
function dealt(events) {
  const many = Math.max(1, ...events.filter((event) => event.kind === "deal").map((event) => event.cards.length));
  const found = [];
  let [next, hole] = [0, null];
  for (const { kind, position, cards } of events) {
    if (kind === "burn") next += 1;
    if (kind === "reveal" && many > 1) cards.forEach((card, at) => found.push({ card, position, place: hole + at }));
    if (kind !== "deal") continue;
    const turnsUp = position === DEALER && hole !== null && many === 1;
    const first = turnsUp ? hole : next;
    cards.forEach((card, at) => found.push({ card, position, place: first + at }));
    if (!turnsUp) next += many;
    hole = position === DEALER && !cards.length ? first : turnsUp ? null : hole;
  }
  return found;
}

// Where each line says what lies face down and where: what is turned is what was laid there first.
function laidAndTurned(events) {
  const [found, hidden] = [[], new Map()];
  let next = 0;
  for (const { kind, position, place: where, cards, face_down: down } of events) {
    if (kind !== "deal" && kind !== "reveal") continue;
    const unseen = hidden.get(where) || [];
    const places = kind === "reveal" ? unseen.splice(0, cards.length) : cards.map(() => next++);
    cards.forEach((card, at) => found.push({ card, position: where === BOARD ? BOARD : position, place: places[at] }));
    for (let more = 0; more < down; more += 1) unseen.push(next++);
    hidden.set(where, unseen);
  }
  return found;
}

const sorted = (cards) => [...cards].sort().join(" ");

function onTheFelt(round) {
  return [[DEALER, round.dealer.cards], [BOARD, round.board?.cards || []], ...round.seats.map((seat) => [seat.seat, seat.hands.flatMap((hand) => hand.cards)])];
}

const paid = (each) => [each.seat, each.spot, each.line, each.staked_cents, each.returned_cents, each.award].join(" ");

function resultsFit(round) {
  return round.phase === "void" || round.seats.every((seat) => seat.result_cents
    === round.settlements.filter((each) => each.seat === seat.seat).reduce((sum, each) => sum + each.returned_cents - each.staked_cents, 0));
}

// What does not fit, as a string's key with its values; or how many cards do.
export function compare(round, replay) {
  if (told.changed && told.round === round.round) return { wrong: ["play.verify_changed", {}] };
  const order = orderIn(replay.reveal);
  const cards = round.events.some((event) => event.place) ? laidAndTurned(round.events) : dealt(round.events);
  const before = round.shoe?.before || 0; // cards of rounds that were dealt from it earlier
  const inShoe = (place) => order[place + before];
  const other = cards.find(({ card, place }) => inShoe(place) !== card);
  if (other) return { wrong: ["play.verify_card", { number: other.place + before + 1, card: inShoe(other.place) || "–", shown: other.card }] };
  const lies = onTheFelt(round).find(([position, shown]) =>
    sorted(shown) !== sorted(cards.filter((each) => each.position === position).map((each) => each.card)));
  const differs = { [DEALER]: "play.verify_dealer", [BOARD]: "play.verify_board" };
  if (lies) return { wrong: [differs[lies[0]] || "play.verify_seat", { seat: lies[0], shown: lies[1].join(" ") }] };
  const same = round.settlements.map(paid).join("\n") === replay.settlements.map(paid).join("\n");
  if (!same || !resultsFit(round)) return { wrong: ["play.verify_paid", {}] };
  return { cards: cards.length };
}
