/** Where everything lies on a craps table, and what a newcomer would do next. */

import { EDGE, row, stacked, type Box, type Layout, type Print, type Row } from "./dice";
import { GAP } from "./layout";
import { plain } from "./words";

export const POINTS = [4, 5, 6, 8, 9, 10] as const;

const NAMES: Record<number, string> = { 6: "SIX", 9: "NINE" }; // told apart upside down
export const pointName = (point: number): string => NAMES[point] ?? String(point);

/** The line of a pay table that is for a point. */
const LINES: Record<number, string> = {
  4: "four or ten",
  5: "five or nine",
  6: "six or eight",
  8: "six or eight",
  9: "five or nine",
  10: "four or ten",
};
export const oddsOn = (
  point: number,
  pays: readonly { line: string; odds: string }[],
): string | undefined => pays.find((each) => plain(each.line) === LINES[point])?.odds;

const PRINTS: Record<string, Print> = {
  pass: { text: "PASS LINE" },
  dont_pass: { text: "DON’T PASS BAR", dice: [6, 6] },
  dont_come: { text: "DON’T COME BAR", dice: [6, 6] },
  come: { text: "COME" },
  any_seven: { text: "SEVEN" },
  any_craps: { text: "ANY CRAPS" },
  hard_4: { text: "HARD 4", dice: [2, 2] },
  hard_6: { text: "HARD 6", dice: [3, 3] },
  hard_8: { text: "HARD 8", dice: [4, 4] },
  hard_10: { text: "HARD 10", dice: [5, 5] },
  craps_two: { text: "TWO", dice: [1, 1] },
  craps_three: { text: "THREE", dice: [1, 2] },
  craps_twelve: { text: "TWELVE", dice: [6, 6] },
  eleven: { text: "ELEVEN", dice: [5, 6] },
  craps_eleven: { text: "C & E" },
  horn: { text: "HORN" },
  fire_bet: { text: "FIRE BET" },
};
const KINDS: readonly [prefix: string, text: string][] = [
  ["place_lose_", "LOSE"],
  ["buy_", "BUY"],
  ["lay_", "LAY"],
  ["horn_high_", "HORN\nHIGH"],
];

/** What the cloth says there. */
export function printed(label: string): Print {
  const [prefix = "", text = ""] = KINDS.find(([each]) => label.startsWith(each)) ?? [];
  const number = label.slice(prefix.length);
  return PRINTS[label] ?? (prefix ? { text: `${text} ${number}` } : {});
}

const numbers = (h: number, kind: string): Row => row(h, ...POINTS.map((n) => `${kind}_${n}`));

/** The center of the table: the hard ways, and what is over with one roll. */
const CENTER: readonly Row[] = [
  row(50, "any_seven"),
  row(66, "hard_6", "hard_10"),
  row(66, "hard_8", "hard_4"),
  row(72, "craps_three", "craps_two", "craps_twelve"),
  { h: 66, cells: [["eleven", 2], ["craps_eleven", 1]] },
  row(50, "any_craps"),
  row(50, "horn"),
  row(56, "horn_high_2", "horn_high_3", "horn_high_11", "horn_high_12"),
  row(64, "fire_bet"),
]; // prettier-ignore

export interface CrapsLayout extends Layout {
  turns: Map<string, Turn>; // of areas that run around the corner
  strips: { dont: number; come: number }; // heights in a number's box, above and below its name
  home: Place; // of the puck when it is off
}

interface Place {
  x: number;
  y: number;
}

/** An outline that is no box, and where its name and its chips are put. */
export interface Turn {
  path: string;
  run: { x: number; y: number; width: number; height: number }; // its part along the bottom
  side: Place; // the middle of the part that runs down the side
  text: Place;
  chips: Place;
}

/** One end of the table, and its center beside it. */
function across(offered: ReadonlySet<string>): CrapsLayout {
  const [width, left, inner, right, middle] = [1000, EDGE, 112, 688, 700];
  const [beside, bar, line, apron] = [86, 54, 64, 54]; // the don't come box is so wide, these so high
  const numbered = [
    numbers(54, "place_lose"),
    numbers(54, "lay"),
    numbers(124, "place_win"),
    numbers(54, "buy"),
  ];
  const top = stacked(numbered, offered, { x: inner + beside, y: EDGE, w: right - inner - beside });
  const open = [row(62, "come"), row(68, "field")];
  const below = stacked(open, offered, { x: inner, y: top.end, w: right - inner });
  const [barTop, lineTop, end] = [below.end, below.end + bar, below.end + bar + line];
  const half = (left + inner) / 2; // between the two lines that run down the side
  const corner = offered.has("dont_pass_odds") ? right - 150 : right;
  const height = end + apron + EDGE;
  const center = { x: middle, y: EDGE, w: width - middle - EDGE, h: height - 2 * EDGE };
  const boxes = new Map<string, Box>([
    ["pass", { x: left, y: EDGE, w: right - left, h: end - EDGE }],
    ["dont_pass", { x: half, y: EDGE, w: corner - half, h: lineTop - EDGE }],
    ["dont_come", { x: inner, y: EDGE, w: beside, h: top.end - EDGE }],
    ["dont_pass_odds", { x: corner, y: barTop, w: right - corner, h: bar }],
    ["pass_odds", { x: inner, y: end, w: right - inner, h: apron }],
    ...top.boxes,
    ...below.boxes,
    ...stacked(CENTER, offered, center).boxes,
  ]);
  const bands: [label: string, band: Band][] = [
    ["dont_pass", { x: half, w: inner - half, y: barTop, h: bar, right: corner, r: 36 }],
    ["pass", { x: left, w: half - left, y: lineTop, h: line, right, r: 36 + half - left }],
  ];
  return {
    width,
    height,
    boxes: new Map([...boxes].filter(([label]) => offered.has(label))),
    turns: new Map(bands.map(([label, band]) => [label, turn(band)])),
    strips: { dont: 32, come: 36 },
    home: { x: inner + beside / 2, y: EDGE + 34 },
  };
}

/** A band down the left side, `w` wide, and along the bottom, `h` high. */
interface Band extends Box {
  right: number;
  r: number; // of the round corner
}

function turn({ x, y, w, h, right, r }: Band): Turn {
  const [inner, bottom, small] = [x + w, y + h, Math.max(0, r - w)];
  const path =
    `M${x} ${EDGE} V${bottom - r} Q${x} ${bottom} ${x + r} ${bottom} H${right} V${y} ` +
    `H${inner + small} Q${inner} ${y} ${inner} ${y - small} V${EDGE} Z`;
  return {
    path,
    run: { x: inner, y, width: right - inner, height: h },
    side: { x: x + w / 2, y: y / 2 },
    text: { x: (inner + right) / 2, y: y + h / 2 },
    chips: { x: inner + 2 * small + 24, y: y + h / 2 },
  };
}

/** Everything below each other, the lines first, for a screen that is held upright. */
function down(offered: ReadonlySet<string>): CrapsLayout {
  const width = 340;
  const main: Row[] = [
    row(62, "pass"),
    row(48, "pass_odds"),
    { h: 48, cells: [["dont_pass", 2], ["dont_pass_odds", 1]] },
    { h: 54, cells: [["come", 2], ["dont_come", 1]] },
    numbers(116, "place_win"),
    row(54, "field"),
  ]; // prettier-ignore
  const behind = [numbers(47, "buy"), numbers(47, "lay"), numbers(47, "place_lose")];
  const center = [
    row(68, "hard_4", "hard_6", "hard_8", "hard_10"),
    row(68, "craps_two", "craps_three", "craps_twelve", "eleven"),
    row(47, "any_seven", "any_craps"),
    row(47, "craps_eleven", "horn"),
    ...CENTER.slice(-2),
  ];
  const boxes = new Map<string, Box>();
  let y = EDGE;
  for (const rows of [main, behind, center]) {
    const laid = stacked(rows, offered, { x: EDGE, y, w: width - 2 * EDGE });
    for (const [label, box] of laid.boxes) boxes.set(label, box);
    y = laid.end + GAP;
  }
  const { x, y: top, w, h } = boxes.get("dont_come") ?? { x: 0, y: 0, w: 0, h: 0 };
  return {
    width,
    height: y - GAP + EDGE,
    boxes,
    turns: new Map(),
    strips: { dont: 30, come: 34 },
    home: { x: x + w - 17, y: top + h - 17 },
  };
}

export const layout = (offered: ReadonlySet<string>, isWide: boolean): CrapsLayout =>
  isWide ? across(offered) : down(offered);

export interface Facts {
  point: number | null;
  opens(label: string): boolean; // the server would take it
  stake(label: string): number; // what we have there
}

/** What a newcomer is told to look at: a wager that is open, in words. */
export function usual({ point, opens, stake }: Facts): { wager: string; text: string } | null {
  const has = (label: string): boolean => stake(label) > 0;
  const hasLine = has("pass") || has("dont_pass");
  const tips: [wager: string, isDue: boolean, text: string][] = [
    ["pass", !point && !hasLine, "Begin here: a chip on the pass line."],
    ["pass_odds", has("pass"), "Add odds behind your pass line."],
    ["dont_pass_odds", has("dont_pass"), "Lay odds beside your don’t pass wager."],
    ["come", !hasLine, "Begin now with a come wager."],
  ];
  const found = tips.find(([wager, isDue]) => isDue && opens(wager) && !has(wager));
  return found ? { wager: found[0], text: found[2] } : null;
}
