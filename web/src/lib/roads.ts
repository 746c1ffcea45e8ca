/** The roads of baccarat as they are drawn: how wide, and what they say to those who listen. */

import type { components } from "./api";

type Schemas = components["schemas"];

export type RoadCell = Schemas["RoadCell"];
export type Outcomes = Schemas["Outcomes"];

export const LETTERS: Record<string, string> = { player: "P", banker: "B", tie: "T" };

/** So many columns that the newest is there. */
export const columns = (cells: readonly Pick<RoadCell, "col">[]): number =>
  Math.max(1, ...cells.map((each) => each.col));

/** The streaks of the big road: `banker 3, player 1`. */
export function streaks(cells: readonly Pick<RoadCell, "mark">[]): string {
  const runs: { mark: string; count: number }[] = [];
  for (const { mark } of cells) {
    const last = runs.at(-1);
    if (last?.mark === mark) last.count += 1;
    else runs.push({ mark, count: 1 });
  }
  return runs.map(({ mark, count }) => `${mark} ${count}`).join(", ");
}
