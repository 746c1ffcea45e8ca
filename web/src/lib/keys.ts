/** The keys of a table, as the help lists them. */

export const KEYS: readonly (readonly [key: string, what: string])[] = [
  ["1 … 6", "choose a chip"],
  ["arrows", "walk over the felt"],
  ["Enter", "put the chip in hand on the spot"],
  ["Delete", "take a chip off the spot"],
  ["/", "type a wager: “red 25”, “straight 17”"],
  ["D", "deal, spin, throw: I am ready"],
  ["R", "rebet what I had last"],
  ["Shift R", "rebet and deal"],
  ["U", "undo"],
  ["Y", "redo"],
  ["C", "clear my wagers"],
  ["X", "double my wagers; or the move that shows it"],
  ["a letter", "the move that shows it, when I am asked"],
  ["1 … 9", "the card at that place, when I am asked to choose"],
  ["W", "why? the rule behind the last result"],
  ["?", "this list"],
];
