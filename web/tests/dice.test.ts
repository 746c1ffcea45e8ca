import { describe, expect, it } from "vitest";
import * as craps from "../src/lib/craps";
import {
  counted,
  holder,
  pips,
  row,
  shortOdds,
  stacked,
  ways,
  type Box,
  type Layout,
} from "../src/lib/dice";
import * as minidice from "../src/lib/minidice";
import * as sicbo from "../src/lib/sicbo";

const numbered = (kind: string, numbers: readonly number[]): string[] =>
  numbers.map((each) => `${kind}_${each}`);
const FACES = [1, 2, 3, 4, 5, 6];

const CRAPS = [
  ..."pass pass_odds dont_pass dont_pass_odds come dont_come field any_seven any_craps".split(" "),
  ..."craps_two craps_three craps_twelve eleven craps_eleven horn fire_bet".split(" "),
  ...["place_win", "place_lose", "buy", "lay"].flatMap((kind) => numbered(kind, craps.POINTS)),
  ...numbered("hard", [4, 6, 8, 10]),
  ...numbered("horn_high", [2, 3, 11, 12]),
];
const SIC_BO = [
  ..."small big any_three_of_a_kind".split(" "),
  ...["three_of_a_kind", "two_of_a_kind", "one_of_a_kind"].flatMap((kind) => numbered(kind, FACES)),
  ...numbered(
    "total",
    Array.from({ length: 14 }, (_, at) => 4 + at),
  ),
  ...numbered(
    "two_dice_combination",
    FACES.flatMap((one) => FACES.filter((other) => other > one).map((other) => 10 * one + other)),
  ),
];
const MINI_DICE = [...numbered("place", craps.POINTS), "field", "any_7", "over_7", "under_7"];

const overlap = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x) > 0.01 &&
  Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y) > 0.01;

type Lay = (offered: ReadonlySet<string>, isWide: boolean) => Layout;
const GAMES: [game: string, lay: Lay, wagers: string[]][] = [
  ["craps", craps.layout, CRAPS],
  ["sic bo", sicbo.layout, SIC_BO],
  ["mini-dice", minidice.layout, MINI_DICE],
];
const LEAST = { wide: 820, tall: 320 }; // pixels, as the frame is drawn at least

describe.each(GAMES)("the layout of %s", (_, lay, wagers) => {
  describe.each([true, false])("wide: %s", (isWide) => {
    const laid = lay(new Set(wagers), isWide);
    // The lines of craps run around the corner of the table: their boxes are their outlines.
    const turns = (laid as Partial<craps.CrapsLayout>).turns ?? new Map<string, craps.Turn>();
    const boxes = [...laid.boxes].map(([label, box]): [string, Box] => {
      const run = turns.get(label)?.run;
      return [label, run ? { x: run.x, y: run.y, w: run.width, h: run.height } : box];
    });

    it("has a place for every wager", () => {
      expect([...laid.boxes.keys()].sort()).toEqual([...wagers].sort());
    });

    it("keeps them apart and on the cloth", () => {
      for (const [label, box] of boxes) {
        expect(box.x, label).toBeGreaterThanOrEqual(0);
        expect(box.x + box.w, label).toBeLessThanOrEqual(laid.width);
        expect(box.y + box.h, label).toBeLessThanOrEqual(laid.height);
        const under = boxes.filter(([each, other]) => each !== label && overlap(box, other));
        expect(
          under.map(([each]) => each),
          label,
        ).toEqual([]);
      }
    });

    it("can be hit by a thumb", () => {
      const scale = (isWide ? LEAST.wide : LEAST.tall) / laid.width;
      const small = boxes.filter(([, { w, h }]) => Math.min(w, h) * scale < 44);
      expect(small.map(([label, { w, h }]) => `${label} ${w} ${h}`)).toEqual([]);
    });

    it("leaves no gap for what is not offered", () => {
      const fewer = wagers.filter(
        (label) => !/^(buy|lay|place_lose|fire|horn_high|total)/.test(label),
      );
      const less = lay(new Set(fewer), isWide);
      expect([...less.boxes.keys()].sort()).toEqual([...fewer].sort());
      expect(less.height).toBeLessThanOrEqual(laid.height);
    });
  });
});

describe("what is printed", () => {
  it.each([
    ["hard_8", { text: "HARD 8", dice: [4, 4] }],
    ["place_lose_10", { text: "LOSE 10" }],
    ["horn_high_12", { text: "HORN\nHIGH 12" }],
    ["a_new_wager", {}],
  ])("at craps on %s", (label, print) => expect(craps.printed(label)).toEqual(print));

  it.each([
    ["three_of_a_kind_5", { dice: [5, 5, 5] }],
    ["two_of_a_kind_5", { dice: [5, 5] }],
    ["one_of_a_kind_5", { dice: [5] }],
    ["two_dice_combination_36", { dice: [3, 6] }],
    ["total_17", { text: "17" }],
    ["small", { text: "SMALL", note: "4 to 10" }],
    ["a_new_wager", {}],
  ])("at sic bo on %s", (label, print) => expect(sicbo.printed(label)).toEqual(print));

  it("spells the numbers that can be taken for each other", () => {
    expect(minidice.printed("place_6")).toEqual({ text: "SIX" });
    expect(minidice.printed("place_10")).toEqual({ text: "10" });
  });

  it("shortens odds that are alike", () => {
    expect(shortOdds(["1 to 1", "2 to 1", "3 to 1"])).toBe("1, 2, 3 to 1");
    expect(shortOdds(["27 to 4", "3 to 1"])).toBe("27 to 4, 3 to 1");
    expect(shortOdds(["1 to 1", "2 to 1", "2 to 1"])).toBe("1, 2 to 1");
    expect(shortOdds([])).toBe("");
  });

  it("finds the odds of a point", () => {
    const pays = [
      { line: "four or ten", odds: "2 to 1" },
      { line: "six_or_eight", odds: "6 to 5" },
    ];
    expect(craps.oddsOn(10, pays)).toBe("2 to 1");
    expect(craps.oddsOn(8, pays)).toBe("6 to 5");
    expect(craps.oddsOn(5, pays)).toBeUndefined();
  });
});

describe("what a newcomer looks for", () => {
  const next = (point: number | null, open: string[], mine: string[] = []): string | undefined =>
    craps.usual({
      point,
      opens: (label) => open.includes(label),
      stake: (label) => Number(mine.includes(label)),
    })?.wager;

  it.each([
    ["the pass line before a come out roll", null, ["pass", "dont_pass"], [], "pass"],
    ["nothing more once he has it", null, ["pass", "dont_pass"], ["pass"], undefined],
    ["nothing, if he is against the dice", null, ["pass", "dont_pass"], ["dont_pass"], undefined],
    ["odds when there is a point", 6, ["pass_odds", "come"], ["pass"], "pass_odds"],
    ["nothing more once he has odds", 6, ["pass_odds", "come"], ["pass", "pass_odds"], undefined],
    ["odds against the point", 6, ["dont_pass_odds", "come"], ["dont_pass"], "dont_pass_odds"],
    ["come, if he came late", 6, ["come", "dont_come"], [], "come"],
    ["nothing that is shut", 6, [], ["pass"], undefined],
  ])("%s", (_, point, open, mine, wager) => expect(next(point, open, mine)).toBe(wager));
});

describe("dice", () => {
  it("come to a total in so many ways", () => {
    expect(ways(2).get(7)).toBe(6);
    expect(ways(3).get(10)).toBe(27);
    expect([...ways(3).values()].reduce((one, other) => one + other)).toBe(216);
  });

  it("have as many pips as they count", () => {
    for (const face of FACES) expect(pips(face)).toHaveLength(face);
  });

  it("are counted beside what is to be expected", () => {
    const totals = counted([[3, 4], [6, 1], [1, 1]], 2); // prettier-ignore
    expect(totals.map(({ total }) => total)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(totals.find(({ total }) => total === 7)).toEqual({ total: 7, count: 2, chance: 1 / 6 });
  });

  it("are stacked in rows that fill the width, stretched to a height", () => {
    const { boxes, end } = stacked(
      [row(10, "a", "b"), row(30, "x"), row(10, "c")],
      new Set(["a", "b", "c"]),
      {
        x: 5,
        y: 5,
        w: 100,
        h: 40,
      },
    );
    expect(boxes.get("b")).toEqual({ x: 55, y: 5, w: 50, h: 20 });
    expect(boxes.get("c")).toEqual({ x: 5, y: 25, w: 100, h: 20 });
    expect(end).toBe(45);
  });

  it("are in somebody's hands", () => {
    const view = { seats: { "2": { name: "Ann" } } } as unknown as Parameters<
      typeof holder
    >[0]["view"];
    expect(holder({ seats: ["1"], view }, "2", "dice")).toBe("Ann, seat 2, has the dice");
    expect(holder({ seats: ["2"], view }, "2", "dice")).toBe("You have the dice");
    expect(holder({ seats: ["2"], view }, null, "dice")).toBe("Nobody here has the dice");
  });
});
