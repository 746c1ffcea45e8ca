import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RIM, stopOf } from "../src/lib/bigsix";
import { boxOf, broken, rows, type Grid } from "../src/lib/layout";
import * as pokette from "../src/lib/pokette";
import * as roulette from "../src/lib/roulette";
import { counted } from "../src/lib/rounds.svelte";

/** What the game's own module says, with the spaces and quotes of its lines taken out. */
const module = (game: string): string => {
  const path = resolve(import.meta.dirname, "../../src/croupier/games", `${game}.py`);
  return readFileSync(path, "utf8").replace(/["\s]+/g, " ");
};

const straights = (...zeros: string[]): string[] => [
  ...zeros.map((zero) => `straight:${zero}`),
  ...Array.from({ length: 36 }, (_, at) => `straight:${at + 1}`),
];

describe("the rims are those of the house", () => {
  it("roulette", () => {
    for (const rim of [roulette.DOUBLE_ZERO_RIM, roulette.SINGLE_ZERO_RIM])
      expect(module("roulette")).toContain(rim.join(" "));
    expect(new Set(roulette.DOUBLE_ZERO_RIM).size).toBe(38);
    expect(new Set(roulette.SINGLE_ZERO_RIM).size).toBe(37);
  });
  it("big six", () => {
    expect(module("big_six")).toContain(RIM.join(" "));
    expect(RIM).toHaveLength(54);
  });
  it("pokette", () => {
    const rim = pokette.rimOf({ jacer_stops: 4, wheel_stops: 57 });
    expect(rim).toHaveLength(57);
    expect(new Set(rim).size).toBe(57);
    expect(rim.slice(0, 3)).toEqual(["jacer1", "blank1", "As"]);
    expect(rim.filter((stop) => pokette.kindOf(stop) === "jacer")).toHaveLength(4);
    expect(pokette.kindOf("2h")).toBe("2h");
  });
});

describe("roulette", () => {
  it("finds neighbors around the rim", () => {
    const { neighbors, SINGLE_ZERO_RIM: rim } = roulette;
    expect(neighbors(rim, "0", 2)).toEqual(["3", "26", "0", "32", "15"]);
    expect(neighbors(rim, "17", 0)).toEqual(["17"]);
    expect(neighbors(rim, "00", 2)).toEqual([]);
  });

  it("puts 18 red, 18 black and the zeros on every wheel", () => {
    const tones = roulette.DOUBLE_ZERO_RIM.map(roulette.toneOf);
    for (const [tone, count] of [
      ["red", 18],
      ["black", 18],
      ["green", 2],
    ] as const)
      expect(tones.filter((each) => each === tone)).toHaveLength(count);
  });

  it("splits the rim into six color sections of six numbers", () => {
    const colors = ["black", "blue", "gold", "red", "purple", "green"];
    const all = colors.flatMap((color) => roulette.section(roulette.DOUBLE_ZERO_RIM, color));
    expect(new Set(all).size).toBe(36);
    expect(roulette.section(roulette.DOUBLE_ZERO_RIM, "black")).toEqual(
      ["28", "9", "26", "30", "11", "7"], // prettier-ignore
    );
  });

  const place = (labels: string[], label: string): unknown => {
    const found = roulette.cloth(labels).places.find((each) => each.label === label);
    return found && [found.along, found.across];
  };

  it("lays a chip between the numbers that it covers", () => {
    const inside = ["split:8-11", "split:7-8", "four_numbers:1-2-4-5", "three_numbers:4-5-6"];
    const labels = [...straights("0", "00"), ...inside, "six_numbers:1-2-3-4-5-6"];
    expect(place(labels, "straight:8")).toEqual([3, 1]);
    expect(place(labels, "split:8-11")).toEqual([4, 1.5]);
    expect(place(labels, "split:7-8")).toEqual([3.5, 1]);
    expect(place(labels, "four_numbers:1-2-4-5")).toEqual([2, 1]);
    expect(place(labels, "three_numbers:4-5-6")).toEqual([2.5, 0]);
    expect(place(labels, "six_numbers:1-2-3-4-5-6")).toEqual([2, 0]);
  });

  it("lets no two chips lie on the same place beside the zeros", () => {
    const double = ["0-00", "0-1", "0-2", "00-2", "00-3"].map((each) => `split:${each}`);
    const threes = ["0-1-2", "0-00-2", "00-2-3"].map((each) => `three_numbers:${each}`);
    const single = ["0-1", "0-2", "0-3"].map((each) => `split:${each}`);
    const others = ["three_numbers:0-1-2", "three_numbers:0-2-3", "four_numbers:0-1-2-3"];
    for (const labels of [
      [...straights("0", "00"), ...double, ...threes, "first_five_numbers"],
      [...straights("0"), ...single, ...others],
    ]) {
      const dots = roulette.cloth(labels).places.filter((each) => each.isDot);
      const where = dots.map(({ along, across }) => `${along} ${across}`);
      expect(new Set(where).size).toBe(
        labels.length - straights("0").length - (labels.includes("straight:00") ? 1 : 0),
      );
    }
  });

  it("gives a wager without a place to the rest, and those of the rim to the racetrack", () => {
    const labels = [...straights("0"), "seven_numbers", "five_adjacent_numbers:17", "new:1"];
    expect(roulette.cloth(labels).rest).toEqual(["seven_numbers", "new:1"]);
  });

  it("puts color wagers where dozens were", () => {
    const colors = ["black", "blue"].map((color) => `six_numbers_color:${color}`);
    const { places, outer } = roulette.cloth([...straights("0"), ...colors, "odd", "even"]);
    expect(outer).toBe(2);
    const rowOf = (label: string): number | undefined =>
      places.find((each) => each.label === label)?.across;
    expect(rowOf("six_numbers_color:blue")).toBe(-roulette.OUTER);
    expect(rowOf("odd")).toBe(-2 * roulette.OUTER);
  });

  it("draws every stop once around the track, the zeros at its ends", () => {
    for (const rim of [roulette.DOUBLE_ZERO_RIM, roulette.SINGLE_ZERO_RIM]) {
      const { sectors, width, height } = roulette.racetrack(rim);
      expect(sectors.map((each) => each.stop).sort()).toEqual([...rim].sort());
      for (const { x, y } of sectors) {
        expect(x > 0 && x < width).toBe(true);
        expect(y > 0 && y < height).toBe(true);
      }
    }
    const { sectors, width } = roulette.racetrack(roulette.DOUBLE_ZERO_RIM);
    const x = (stop: string): number => sectors.find((each) => each.stop === stop)!.x;
    expect(x("0")).toBeLessThan(50);
    expect(x("00")).toBeGreaterThan(width - 50);
  });
});

describe("big six", () => {
  it("shows a stop of the symbol that came", () => {
    for (const round of [0, 1, 2, 99]) expect(RIM[stopOf(RIM, "twenty", round)]).toBe("twenty");
    expect(stopOf(RIM, undefined, 1)).toBe(-1);
  });
});

describe("pokette", () => {
  it("has a place for every wager of the layout, and leaves the poker hands", () => {
    const labels = ["single_card:As", "split:As-Ks", "corner:As-Ah-Ks-Kh", "suit:d", "jacer"];
    const ranks = ["single_rank:T", "double_rank:9-8", "rank_876", "red", "black"];
    const { places, rest } = pokette.cloth([...labels, ...ranks, "flush"]);
    expect(rest).toEqual(["flush"]);
    const where = Object.fromEntries(places.map((each) => [each.label, [each.along, each.across]]));
    expect(where["single_card:As"]).toEqual([1, 0]);
    expect(where["split:As-Ks"]).toEqual([2, 0.5]);
    expect(where["corner:As-Ah-Ks-Kh"]).toEqual([2, 1]);
    expect(where["suit:d"]).toEqual([14, 3]);
    expect(where["double_rank:9-8"]).toEqual([7, -pokette.OUTER / 2]);
    expect(where.rank_876).toEqual([7, -2 * pokette.OUTER]);
  });
  it("lays splits with Jacers on their line", () => {
    const { places } = pokette.cloth(["split:jacer1-As", "split:jacer1-jacer2"]);
    expect(places.map((each) => [each.along, each.across])).toEqual([[1, 0.5], [0.5, 1]]); // prettier-ignore
  });
});

describe("plain areas", () => {
  it("lie in rows as even as can be", () => {
    expect(rows(0, 6)).toEqual({ across: 0, count: 0, height: 0 });
    expect(rows(7, 6, 50)).toEqual({ across: 4, count: 2, height: 120 });
  });
  it("break a long title where its halves are most alike", () => {
    expect(broken("Flush")).toBe("Flush");
    expect(broken("Straight flush, inside")).toBe("Straight\nflush, inside");
    expect(broken("Indivisibilities")).toBe("Indivisibilities");
  });
  const grid: Grid = {
    isUpright: false,
    long: 10,
    wide: 20,
    inside: 3,
    outside: 1,
    pad: 5,
    dot: 4,
  };
  it("turn with the felt", () => {
    const cell = { label: "", along: 2, across: 0, long: 1, wide: 1, isDot: false };
    expect(boxOf(cell, grid)).toEqual({ x: 25, y: 45, w: 10, h: 20 });
    expect(boxOf(cell, { ...grid, isUpright: true })).toEqual({ x: 25, y: 25, w: 20, h: 10 });
    const dot = { ...cell, long: 0, wide: 0, isDot: true };
    expect(boxOf(dot, grid)).toEqual({ x: 21, y: 61, w: 8, h: 8 });
  });
});

it("counts what came, the most frequent first, the latest of those alike", () => {
  expect(counted(["1", "2", "3"], ["1", "2", "1", "2"])).toEqual([
    { stop: "2", count: 2, ago: 0 },
    { stop: "1", count: 2, ago: 1 },
    { stop: "3", count: 0, ago: 4 },
  ]);
});
