/** Boxes on a dice layout, and what dice come to. */

import type { View } from "./types";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** What is printed on an area: words, and dice. */
export interface Print {
  text?: string; // lines are parted by a newline
  note?: string; // smaller, below it
  dice?: readonly number[];
}

export interface Layout {
  width: number;
  height: number;
  boxes: Map<string, Box>; // by the label of the wager
}

export const EDGE = 4; // of the cloth, around the areas

/** A row of areas: its height, and the labels with the share of the width that each takes. */
export interface Row {
  h: number;
  cells: readonly (readonly [label: string, share: number])[];
}

export const row = (h: number, ...labels: string[]): Row => ({
  h,
  cells: labels.map((label) => [label, 1]),
});

/** Rows below each other; what the table does not offer leaves no gap. */
export function stacked(
  rows: readonly Row[],
  offered: ReadonlySet<string>,
  { x, y, w, h }: Omit<Box, "h"> & { h?: number },
): { boxes: Map<string, Box>; end: number } {
  const boxes = new Map<string, Box>();
  const kept = rows
    .map((each) => ({ ...each, cells: each.cells.filter(([label]) => offered.has(label)) }))
    .filter(({ cells }) => cells.length);
  const stretch = h === undefined ? 1 : h / kept.reduce((sum, each) => sum + each.h, 0);
  let end = y;
  for (const { h: high, cells } of kept) {
    const whole = cells.reduce((sum, [, share]) => sum + share, 0);
    let at = x;
    for (const [label, share] of cells) {
      const wide = (w * share) / whole;
      boxes.set(label, { x: at, y: end, w: wide, h: high * stretch });
      at += wide;
    }
    end += high * stretch;
  }
  return { boxes, end };
}

export const sum = (faces: readonly number[]): number =>
  faces.reduce((one, other) => one + other, 0);

/** In how many ways so many dice come to each total. */
export function ways(dice: number): Map<number, number> {
  let found = new Map([[0, 1]]);
  for (let die = 0; die < dice; die++) {
    const next = new Map<number, number>();
    for (const [total, count] of found)
      for (let face = 1; face <= 6; face++)
        next.set(total + face, (next.get(total + face) ?? 0) + count);
    found = next;
  }
  return found;
}

/** How often each total came, beside how often it is to be expected. */
export function counted(
  throws: readonly (readonly number[])[],
  dice: number,
): { total: number; count: number; chance: number }[] {
  return [...ways(dice)].map(([total, count]) => ({
    total,
    count: throws.filter((faces) => sum(faces) === total).length,
    chance: count / 6 ** dice,
  }));
}

/** The nine places of a die's face, as shares of its side, where pips lie. */
const [LOW, MID, HIGH] = [0.26, 0.5, 0.74];
const PIPS: readonly (readonly [number, number])[][] = [
  [],
  [[MID, MID]],
  [[LOW, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [MID, MID], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [MID, MID], [LOW, HIGH], [HIGH, HIGH]],
  [[LOW, LOW], [HIGH, LOW], [LOW, MID], [HIGH, MID], [LOW, HIGH], [HIGH, HIGH]],
]; // prettier-ignore

export const pips = (face: number): readonly (readonly [number, number])[] => PIPS[face] ?? [];

/** Who has what goes around: the dice, or the shaker. */
export function holder(
  { seats, view }: { seats: readonly string[]; view: View | null },
  seat: unknown,
  what: string,
): string {
  const name = typeof seat === "string" && view?.seats[seat]?.name;
  if (!name) return `Nobody here has the ${what}`;
  return seats.includes(seat) ? `You have the ${what}` : `${name}, seat ${seat}, has the ${what}`;
}

/** Odds as they are printed on the cloth: `1, 2, 3 to 1`. */
export function shortOdds(odds: readonly string[]): string {
  const parts = [...new Set(odds)].map((each) => each.split(" to "));
  const [last] = parts.slice(-1);
  const isAlike = parts.every(([, per]) => per === last?.[1]);
  if (!isAlike) return parts.map((each) => each.join(" to ")).join(", ");
  return last ? `${parts.map(([win]) => win).join(", ")} to ${last[1]}` : "";
}
