/** Where areas lie on a felt. */

export const GAP = 10;

export interface Rows {
  across: number; // areas in a row
  count: number; // of rows
  height: number; // of all of them, with the gap before each
}

/** Rows of at most so many areas, as even as can be. */
export function rows(count: number, perRow: number, height = 64): Rows {
  const down = Math.ceil(count / Math.max(1, perRow));
  const across = down ? Math.ceil(count / down) : 0;
  return { across, count: down, height: down * (height + GAP) };
}

/** A title in at most two lines, the break where they come out most alike. */
export function broken(text: string, most = 14): string {
  if (text.length <= most) return text;
  const breaks = [...text.matchAll(/ /g)].map((found) => found.index);
  const middle = (text.length - 1) / 2;
  const at = breaks.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
  return at === undefined ? text : `${text.slice(0, at)}\n${text.slice(at + 1)}`;
}

/** A place on a grid that runs away from its head: along it, and across it from the side where the
 * outside wagers lie, which are below zero. A dot has no size; its place is its middle. */
export interface Place {
  label: string;
  along: number;
  across: number;
  long: number;
  wide: number;
  isDot: boolean;
}

export interface Grid {
  isUpright: boolean; // the head is at the top; else at the left, the outside below
  long: number; // of a cell, along and across
  wide: number;
  inside: number; // cells across
  outside: number; // cells below zero
  pad: number; // around everything
  dot: number; // radius
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Where a place is in the drawing. */
export function boxOf(place: Place, grid: Grid): Box {
  const { isUpright, pad } = grid;
  const r = place.isDot ? grid.dot : 0;
  const [along, across] = [place.along * grid.long, place.across * grid.wide];
  const [long, wide] = [place.long * grid.long, place.wide * grid.wide];
  const [x, y] = isUpright
    ? [across + grid.outside * grid.wide, along]
    : [along, grid.inside * grid.wide - across - wide];
  const [w, h] = isUpright ? [wide, long] : [long, wide];
  return { x: x + pad - r, y: y + pad - r, w: w + 2 * r, h: h + 2 * r };
}
