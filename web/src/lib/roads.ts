/** The roads of baccarat as they are drawn: how wide, and what they say to those who listen. */

export interface RoadCell {
  col: number; // from 1
  row: number;
  mark: string; // banker, player or tie; red or blue where it is derived
  natural?: boolean;
  ties?: number;
}

export interface Roads {
  rows: number;
  bead: RoadCell[];
  big_road: RoadCell[];
  big_eye: RoadCell[];
  small: RoadCell[];
  cockroach: RoadCell[];
  totals: { banker: number; player: number; tie: number; naturals: number; coups: number };
}

/** What came at this table. */
export interface Outcomes {
  results: string[]; // of this shoe, in words
  board: Roads | null;
}

export const LETTERS: Record<string, string> = { player: "P", banker: "B", tie: "T" };

/** So many columns that the newest is there. */
export const columns = (cells: readonly RoadCell[]): number =>
  Math.max(1, ...cells.map((each) => each.col));

/** The streaks of the big road: `banker 3, player 1`. */
export function streaks(cells: readonly RoadCell[]): string {
  const runs: { mark: string; count: number }[] = [];
  for (const { mark } of cells) {
    const last = runs.at(-1);
    if (last?.mark === mark) last.count += 1;
    else runs.push({ mark, count: 1 });
  }
  return runs.map(({ mark, count }) => `${mark} ${count}`).join(", ");
}
