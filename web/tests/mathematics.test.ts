import { describe, expect, test } from "vitest";
import {
  bell,
  chance,
  chapterOf,
  costOf,
  counted,
  edgeRows,
  gamePath,
  oneIn,
  parts,
  paysInWords,
  session,
  share,
  signs,
  skewness,
  sorted,
  square,
  sticks,
  sum,
  units,
  won,
  type Advised,
  type Mathematics,
  type WagerMathematics,
} from "../src/lib/mathematics";
import { placeOf } from "../src/lib/router.svelte";

const exact = (text: string) => ({ exact: text, decimal: share(text) });

function worth(
  title: string,
  edge: string,
  outcomes: [string, number, string][],
): WagerMathematics {
  return {
    title,
    citation: "19:47-5.1",
    choices: [],
    house_edge: exact(edge),
    element_of_risk: exact(edge),
    return: 1 - share(edge),
    hit_frequency: 0,
    push_frequency: 0,
    standard_deviation: 1,
    outcomes: outcomes.map(([result, net, probability]) => ({ result, net, probability })),
    strategy: "",
    frequencies: {},
    advice: [],
  };
}

const red = worth("Red", "1/38", [
  ["win", 1, "18/38"],
  ["zero", -0.5, "2/38"],
  ["lose", -1, "18/38"],
]);
const straight = worth("Straight", "1/19", [
  ["win", 35, "1/38"],
  ["lose", -1, "37/38"],
]);
const advised = (situation: string, values: Record<string, number>): Advised => ({
  situation,
  values,
  move: Object.keys(values).sort((a, b) => values[b]! - values[a]!)[0]!,
  probability: "1/221",
});

describe("fractions", () => {
  test("add up exactly, however long they are", () => {
    expect(sum(["1/38", "37/38"])).toBe("1");
    expect(sum(["1/3", "1/6"])).toBe("1/2");
    expect(sum(["75417068640329/152931890006280", "77514821365951/152931890006280"])).toBe("1");
    expect(sum([])).toBe("0");
  });

  test("are shares of one", () => {
    expect(share("1/4")).toBe(0.25);
    expect(share("0")).toBe(0);
    expect(share("-1/8")).toBe(-0.125);
  });
});

describe("figures", () => {
  test("have their sign in front and no zeros behind", () => {
    expect([units(-0.5), units(0.95), units(24999), units(-0.0001)]).toEqual([
      "−0.5",
      "0.95",
      "24,999",
      "0",
    ]);
    expect([won(35), won(-1), won(0)]).toEqual(["+35", "−1", "0"]);
  });

  test("show a rare thing with two digits that count", () => {
    expect([chance(0.5), chance(0.0015), chance(0.000012345), chance(0)]).toEqual([
      "50.00%",
      "0.15%",
      "0.0012%",
      "never",
    ]);
    expect([oneIn(1 / 38), oneIn(1 / 649740), oneIn(0)]).toEqual([
      "1 in 38",
      "1 in 649,740",
      "never",
    ]);
  });

  test("of many odds name the first and the last", () => {
    expect(paysInWords(["1 to 1", "1 to 1"])).toBe("1 to 1");
    expect(paysInWords(["50 to 1", "9 to 1", "3 to 1", "1 to 1"])).toBe("50 to 1 … 1 to 1");
  });
});

describe("wagers", () => {
  const mathematics: Mathematics = {
    ready: true,
    game: "roulette",
    options: {},
    method: "exact",
    wagers: { straight, red, black: { ...red, title: "Black" } },
    posted: [],
  };
  const ruled = ["straight", "red", "black"].map((id) => ({
    id,
    title: id,
    citation: "",
    paid_by: "",
    offered: true,
    pays: [{ line: "win", odds: id === "straight" ? "35 to 1" : "1 to 1" }],
    text: null,
  }));

  test("that are worth the same share a row", () => {
    const rows = edgeRows(mathematics, ruled);
    expect(rows.map(({ title, spots, pays }) => [title, spots, pays])).toEqual([
      ["Straight", 1, "35 to 1"],
      ["Red, Black", 2, "1 to 1"],
    ]);
    expect(rows[1]!.key).toBe("red");
  });

  test("are sorted by any column, both ways", () => {
    const rows = edgeRows(mathematics, ruled);
    expect(sorted(rows, "edge", false).map(({ key }) => key)).toEqual(["red", "straight"]);
    expect(sorted(rows, "edge", true).map(({ key }) => key)).toEqual(["straight", "red"]);
    expect(sorted(rows, "title", false).map(({ key }) => key)).toEqual(["red", "straight"]);
  });

  test("have a distribution in which equal results are one", () => {
    const two = worth("Ante", "0", [
      ["fold", -1, "1/4"],
      ["lost_play", -1, "1/4"],
      ["win", 1, "1/2"],
      ["impossible", 9, "0"],
    ]);
    expect(sticks(two.outcomes)).toEqual([
      { net: -1, probability: 0.5, results: ["fold", "lost play"] },
      { net: 1, probability: 0.5, results: ["win"] },
    ]);
  });

  test("are lopsided or not", () => {
    const fair = worth("Coin", "0", [
      ["win", 1, "1/2"],
      ["lose", -1, "1/2"],
    ]);
    expect(skewness(fair.outcomes)).toBeCloseTo(0);
    expect(skewness(straight.outcomes)).toBeCloseTo(36 / 38 / Math.sqrt(37 / 38 / 38), 6);
  });

  test("come to their mean and deviation over a session", () => {
    const after = session({ ...straight, standard_deviation: 5.7626 }, 400);
    expect(after.mean).toBeCloseTo(-400 / 19);
    expect(after.deviation).toBeCloseTo(115.252);
    expect(after.ahead).toBeCloseTo(bell(-400 / 19 / 115.252));
    expect(session(red, 0)).toMatchObject({ mean: -0, deviation: 0 });
  });

  test("by the bell curve", () => {
    expect(bell(0)).toBeCloseTo(0.5, 6);
    expect(bell(1.959964)).toBeCloseTo(0.975, 6);
    expect(bell(-1)).toBeCloseTo(0.158655, 6);
  });
});

describe("strategy", () => {
  test("gives each move a sign of its own", () => {
    expect([...signs(["check", "bet 3x", "bet 4x", "call"]).values()]).toEqual([
      "C",
      "3",
      "4",
      "A",
    ]);
  });

  test("knows what the second best move costs", () => {
    expect(costOf(advised("AA", { check: 2, "bet 3x": 3, "bet 4x": 3.5 }))).toBe(0.5);
    expect(costOf(advised("AA", { check: 2 }))).toBe(0);
  });

  test("lays 169 starting hands out as a square, suited above the diagonal", () => {
    const ranks = [..."AKQJT98765432"];
    const all = ranks.flatMap((high, at) => [
      advised(high + high, { fold: 0 }),
      ...ranks
        .slice(at + 1)
        .flatMap((low) => [
          advised(`${high}${low}s`, { fold: 0 }),
          advised(`${high}${low}o`, { fold: 0 }),
        ]),
    ]);
    const rows = square(all)!;
    expect(rows.flat().every(Boolean)).toBe(true);
    expect([rows[0]![1], rows[1]![0], rows[12]![12]].map((each) => each?.situation)).toEqual([
      "AKs",
      "AKo",
      "22",
    ]);
    expect(square(all.slice(1))).toBeNull();
  });

  test("is listed in its parts", () => {
    const list = [
      "with three cards: a pair",
      "with three cards: nothing",
      "with four cards: a pair",
    ];
    expect(
      parts(list.map((each) => advised(each, {}))).map(([title, rows]) => [title, rows.length]),
    ).toEqual([
      ["with three cards", 2],
      ["with four cards", 1],
    ]);
  });
});

test("a game's address carries its options and the wager through the router", () => {
  const options = { wheel: "single_zero", higher_odds: { "a?b&c": "5 to 1" } };
  const { page, id, given } = placeOf(`#${gamePath("roulette", options, "straight:0-00")}`);
  expect([page, id, given.get("wager")]).toEqual(["game", "roulette", "straight:0-00"]);
  expect(JSON.parse(given.get("options")!)).toEqual(options);
  expect(gamePath("roulette", {})).toBe("/game/roulette");
});

test("sections are counted, and belong to a subchapter", () => {
  const row = { title: "", code: [], tests: [], note: "" };
  expect(
    counted([
      { ...row, section: "19:47-1.1", status: "implemented" },
      { ...row, section: "19:47-1.2", status: "missing" },
    ]),
  ).toEqual({ implemented: 1, physical: 0, missing: 1 });
  expect(["19:47-1.1", "19:47-2.6A", "13:69E-1.13G"].map(chapterOf)).toEqual([
    "19:47-1",
    "19:47-2",
    "13:69E-1",
  ]);
});
