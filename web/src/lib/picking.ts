/** Cards that are chosen out of a hand, and a hand that is set in parts. A card is known by its
 *  place in the hand: a shoe of many decks holds the same card twice. */

import type { Move, Parts } from "./types";

type Range = NonNullable<Move["choose"]>;
type Sizes = NonNullable<Move["parts"]>;
export type Placed = readonly (string | null)[]; // the part in which each card is; null: in none

// Choosing.

export const toggled = (picked: readonly number[], at: number): number[] =>
  picked.includes(at) ? picked.filter((each) => each !== at) : [...picked, at];

export const isWithin = ({ least, most }: Range, count: number): boolean =>
  least <= count && count <= most;

/** How many are picked of how many: `2 of up to 3`. */
export function counted({ least, most }: Range, count: number): string {
  if (least === most) return `${count} of ${most}`;
  return `${count} of up to ${most}${least ? `, at least ${least}` : ""}`;
}

/** The cards at these places, in the order in which they are held. */
export const cardsAt = (holding: readonly string[], places: readonly number[]): string[] =>
  holding.filter((_, at) => places.includes(at));

// Setting a hand in parts.

export const inPart = (placed: Placed, part: string | null): number[] =>
  placed.flatMap((each, at) => (each === part ? [at] : []));

/** How many cards a part has room for. */
export const room = (placed: Placed, sizes: Sizes, part: string): number =>
  (sizes[part] ?? 0) - inPart(placed, part).length;

/** The cards that would go into a part now: those that are picked if there is room for them. If none
 *  is picked, all that are left, where they fill the part. */
export function movable(
  placed: Placed,
  sizes: Sizes,
  part: string,
  picked: readonly number[],
): number[] {
  const left = inPart(placed, null);
  const free = room(placed, sizes, part);
  const wanted = left.filter((at) => picked.includes(at));
  if (wanted.length) return wanted.length <= free ? wanted : [];
  return left.length === free ? left : [];
}

/** These cards go into a part, or back into the hand. */
export const put = (placed: Placed, places: readonly number[], part: string | null): Placed =>
  placed.map((each, at) => (places.includes(at) ? part : each));

/** The hand in its parts; null while a part is not full. */
export function inParts(holding: readonly string[], placed: Placed, sizes: Sizes): Parts | null {
  const names = Object.keys(sizes);
  if (names.some((part) => room(placed, sizes, part) !== 0)) return null;
  return Object.fromEntries(names.map((part) => [part, cardsAt(holding, inPart(placed, part))]));
}
