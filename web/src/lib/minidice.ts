/** Where everything lies on a mini-dice table. */

import { EDGE, row, stacked, type Layout, type Print } from "./dice";
import { pointName, POINTS } from "./craps";

const PRINTS: Record<string, Print> = {
  under_7: { text: "UNDER 7", note: "2 to 6" },
  any_7: { text: "SEVEN" },
  over_7: { text: "OVER 7", note: "8 to 12" },
};

/** What the cloth says there. */
export function printed(label: string): Print {
  const number = /^place_(\d+)$/.exec(label)?.[1];
  return number ? { text: pointName(Number(number)) } : (PRINTS[label] ?? {});
}

export function layout(offered: ReadonlySet<string>, isWide: boolean): Layout {
  const [width, high] = isWide ? [1000, 120] : [340, 92];
  const rows = [
    row(high, ...POINTS.map((number) => `place_${number}`)),
    row(high * 0.8, "field"),
    row(high, "under_7", "any_7", "over_7"),
  ];
  const { boxes, end } = stacked(rows, offered, { x: EDGE, y: EDGE, w: width - 2 * EDGE });
  return { width, height: end + EDGE, boxes };
}
