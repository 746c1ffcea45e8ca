/** Where everything lies on a sic bo table. */

import { EDGE, row, stacked, type Box, type Layout, type Print, type Row } from "./dice";

const FACES = [1, 2, 3, 4, 5, 6];
const PAIRS = FACES.flatMap((one) =>
  FACES.filter((other) => other > one).map((other) => `${one}${other}`),
);
const TOTALS = Array.from({ length: 14 }, (_, at) => 4 + at);

const of = (kind: string, faces: readonly (number | string)[]): string[] =>
  faces.map((face) => `${kind}_${face}`);
const twos = (faces: number[]): string[] => of("two_of_a_kind", faces);
const threes = (faces: number[]): string[] => of("three_of_a_kind", faces);
const pairs = (from: number, to: number): string[] =>
  of("two_dice_combination", PAIRS.slice(from, to));

const copies = (face: string, count: number): number[] => Array<number>(count).fill(Number(face));

/** What the cloth says there. */
export function printed(label: string): Print {
  const [, kind = label, faces = ""] = /^(.*)_(\d+)$/.exec(label) ?? [];
  const dice: Record<string, () => Print> = {
    small: () => ({ text: "SMALL", note: "4 to 10" }),
    big: () => ({ text: "BIG", note: "11 to 17" }),
    any_three_of_a_kind: () => ({ text: "ANY TRIPLE" }),
    three_of_a_kind: () => ({ dice: copies(faces, 3) }),
    two_of_a_kind: () => ({ dice: copies(faces, 2) }),
    one_of_a_kind: () => ({ dice: copies(faces, 1) }),
    two_dice_combination: () => ({ dice: [...faces].map(Number) }),
    total: () => ({ text: faces }),
  };
  return dice[kind]?.() ?? {};
}

function across(offered: ReadonlySet<string>): Layout {
  const width = 1000;
  const [high, side, double, triple] = [186, 150, 64, 103];
  const columns: [rows: Row[], w: number][] = [
    [[row(high, "small")], side],
    [[row(high, ...twos([1, 2, 3]))], 3 * double],
    [threes([1, 2, 3]).map((label) => row(high / 3, label)), triple],
    [[row(high, "any_three_of_a_kind")], width - 2 * (EDGE + side + 3 * double + triple)],
    [threes([4, 5, 6]).map((label) => row(high / 3, label)), triple],
    [[row(high, ...twos([4, 5, 6]))], 3 * double],
    [[row(high, "big")], side],
  ];
  const boxes = new Map<string, Box>();
  let x = EDGE;
  for (const [rows, w] of columns) {
    for (const [label, box] of stacked(rows, offered, { x, y: EDGE, w }).boxes)
      boxes.set(label, box);
    x += w;
  }
  const below = [
    row(96, ...of("total", TOTALS)),
    row(92, ...pairs(0, 15)),
    row(92, ...of("one_of_a_kind", FACES)),
  ];
  const rest = stacked(below, offered, { x: EDGE, y: EDGE + high, w: width - 2 * EDGE });
  return { width, height: rest.end + EDGE, boxes: new Map([...boxes, ...rest.boxes]) };
}

function down(offered: ReadonlySet<string>): Layout {
  const width = 340;
  const rows = [
    row(76, "small", "big"),
    row(56, ...of("total", TOTALS.slice(0, 7))),
    row(56, ...of("total", TOTALS.slice(7))),
    row(56, ...of("one_of_a_kind", [1, 2, 3])),
    row(56, ...of("one_of_a_kind", [4, 5, 6])),
    row(56, ...pairs(0, 5)),
    row(56, ...pairs(5, 10)),
    row(56, ...pairs(10, 15)),
    row(54, ...twos(FACES)),
    row(48, "any_three_of_a_kind"),
    row(54, ...threes([1, 2, 3])),
    row(54, ...threes([4, 5, 6])),
  ];
  const { boxes, end } = stacked(rows, offered, { x: EDGE, y: EDGE, w: width - 2 * EDGE });
  return { width, height: end + EDGE, boxes };
}

export const layout = (offered: ReadonlySet<string>, isWide: boolean): Layout =>
  isWide ? across(offered) : down(offered);
