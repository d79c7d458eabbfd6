// Suits as shapes in a square of 100, and the colors of everything that is printed on a card: the same by day and by night.

export const PAPER = "#fffdf6";
export const INK = "#16201c";
export const RED = "#bd1f2d";
export const GOLD = "#e2ae3f";
export const CREAM = "#fff6df";
export const NAVY = "#1e3a63";

export const SUITS = {
  s: { sign: "♠", colour: INK, path: "M50 3C57 22 93 38 93 62C93 74 84 82 74 82C65 82 58 77 54 70C55 82 59 90 67 97H33C41 90 45 82 46 70C42 77 35 82 26 82C16 82 7 74 7 62C7 38 43 22 50 3Z" },
  h: { sign: "♥", colour: RED, path: "M50 92C22 66 5 50 5 29C5 15 15 6 27 6C38 6 46 13 50 24C54 13 62 6 73 6C85 6 95 15 95 29C95 50 78 66 50 92Z" },
  d: { sign: "♦", colour: RED, path: "M50 3C58 22 70 38 86 50C70 62 58 78 50 97C42 78 30 62 14 50C30 38 42 22 50 3Z" },
  c: { sign: "♣", colour: INK, path: "M50 4A20.5 20.5 0 0 1 66.5 36.5A20.5 20.5 0 1 1 54 68C55 82 59 90 67 97H33C41 90 45 82 46 68A20.5 20.5 0 1 1 33.5 36.5A20.5 20.5 0 0 1 50 4Z" },
};

export const isRed = (suit) => SUITS[suit].colour === RED;

// One sign, its middle at a place; turned where it stands on its head.
export const pip = (suit, x, y, size, turned = false) =>
  `<path d="${SUITS[suit].path}" transform="translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${size / 100}) translate(-50 -50)"/>`;
