/** Cards as the house writes them: `Qh`, `Tc`, `Jk`; tiles are their pips, `3-6`. One that lies
 *  face down is null. */

export type Card = string | null;

const CARD = /^(?:([2-9TJQKA])([cdhs])|Jk)$/;
const TILE = /^([1-6])-([1-6])$/;
const RANKS: Record<string, [sign: string, name: string]> = {
  T: ["10", "ten"],
  J: ["J", "jack"],
  Q: ["Q", "queen"],
  K: ["K", "king"],
  A: ["A", "ace"],
};
const SUITS: Record<string, [sign: string, name: string]> = {
  c: ["♣", "clubs"],
  d: ["♦", "diamonds"],
  h: ["♥", "hearts"],
  s: ["♠", "spades"],
};

export interface Face {
  rank: string; // as printed
  sign: string; // of the suit, or a star
  suit: "c" | "d" | "h" | "s" | "joker";
  name: string; // as spoken
}

export const isCard = (text: unknown): text is string =>
  typeof text === "string" && CARD.test(text);

/** The pips of the two ends of a tile; null if it is none. */
export function tileEnds(text: unknown): [number, number] | null {
  const [, low, high] = (typeof text === "string" && TILE.exec(text)) || [];
  return low && high ? [Number(low), Number(high)] : null;
}

export const isPiece = (text: unknown): text is string => isCard(text) || tileEnds(text) !== null;

export function face(text: string): Face {
  const [, rank, suit] = CARD.exec(text) ?? [];
  if (!rank || !suit) return { rank: "", sign: "★", suit: "joker", name: "joker" };
  const [printed, spoken] = RANKS[rank] ?? [rank, rank];
  const [sign, suits] = SUITS[suit] ?? ["", ""];
  return { rank: printed, sign, suit: suit as Face["suit"], name: `${spoken} of ${suits}` };
}

export function cardName(card: unknown): string {
  if (isCard(card)) return face(card).name;
  return tileEnds(card) ? `tile ${String(card)}` : String(card);
}

/** A part of a wager's spot: a card, a suit, a rank, or what is written there. */
export function spotText(part: string): string {
  return SUITS[part]?.[1] ?? RANKS[part]?.[1] ?? cardText(part);
}

export function cardText(card: unknown): string {
  if (!isCard(card)) return String(card);
  const { rank, sign } = face(card);
  return `${rank}${sign}\ufe0e`;
}
