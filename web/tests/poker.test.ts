import { describe, expect, it } from "vitest";
import { arranged, best, briefly, fates, grouped, worths, type Place } from "../src/lib/poker";
import type { TableEvent } from "../src/lib/types";

const wager = (id: string, tied: object = {}): Parameters<typeof grouped>[0][number] => ({
  id,
  spots: [id],
  ...tied,
});
const told = (each: object): TableEvent => ({
  number: 1,
  round: 1,
  at: "",
  kind: "announce",
  ...each,
});

const ULTIMATE = [
  wager("ante"),
  wager("play", { joins: "ante" }),
  wager("blind", { joins: "ante", equals: "ante" }),
  wager("trips"),
];
const THREE_CARD = [
  wager("ante"),
  wager("play", { joins: "ante" }),
  wager("ante_bonus", { joins: "ante", paid_on: "ante" }),
  wager("pair_plus"),
  wager("six_card_bonus"),
];

describe("what belongs together", () => {
  it("begins with the first wager, then what equals it, then what is decided later", () => {
    const { main, equal, sides } = grouped(ULTIMATE);
    expect(main).toEqual(["ante", "blind", "play"]);
    expect([...equal]).toEqual(["blind"]);
    expect(sides).toEqual(["trips"]);
  });

  it("prints what is never staked", () => {
    const { main, sides, printed } = grouped(THREE_CARD);
    expect(main).toEqual(["ante", "play"]);
    expect(sides).toEqual(["pair_plus", "six_card_bonus"]);
    expect(printed).toEqual(["ante_bonus"]);
  });

  it("makes wagers that have nothing to do with one another the main ones", () => {
    expect(grouped([wager("red"), wager("black")]).main).toEqual(["red", "black"]);
  });
});

describe("where they lie", () => {
  const overlap = (one: Place, other: Place): boolean =>
    one.x < other.x + other.w &&
    other.x < one.x + one.w &&
    one.y < other.y + other.h &&
    other.y < one.y + one.h;

  for (const width of [360, 860])
    for (const wagers of [ULTIMATE, THREE_CARD, [wager("one")], []])
      it(`has room for ${wagers.length} wagers in ${width}`, () => {
        const groups = grouped(wagers);
        const { places, height } = arranged(groups, width);
        expect(places.length).toBe(wagers.length);
        for (const each of places) {
          expect(each.x).toBeGreaterThanOrEqual(0);
          expect(each.x + each.w).toBeLessThanOrEqual(width);
          expect(each.y + each.h).toBeLessThanOrEqual(height);
          expect(Math.min(each.w, each.h)).toBeGreaterThanOrEqual(50);
          for (const other of places) if (other !== each) expect(overlap(each, other)).toBe(false);
        }
      });
});

describe("what is said", () => {
  it("tells what each hand comes to", () => {
    const said = worths([
      told({ text: "No more bets" }),
      told({ text: "Dealer has high card, ten-eight high: the dealer does not qualify" }),
      told({ text: "Seat 3 has two pairs, jacks and twos, three kicker" }),
      told({ kind: "step", text: "Seat 4 has left" }),
    ]);
    expect([...said.keys()]).toEqual(["dealer", "3"]);
    expect(said.get("dealer")).toMatch(/does not qualify$/);
    expect(briefly(said.get("3") ?? "")).toBe("two pairs, jacks and twos");
  });

  it("tells who folded and what each seat won", () => {
    const settled = (seat: string, net: number): object => ({ seat, net });
    const ends = fates([
      told({ kind: "decision", seat: "2", move: "fold" }),
      told({
        kind: "round_over",
        settlements: [settled("1", 500), settled("1", -200), settled("2", -500)],
      }),
    ]);
    expect(ends.get("1")).toEqual({ folded: false, net: 300 });
    expect(ends.get("2")).toEqual({ folded: true, net: -500 });
  });

  it("puts the line first that pays most", () => {
    const pays = ["1 to 1", "3 to 2", "1,000 to 1"].map((odds) => ({ line: odds, odds }));
    expect(best(pays).map((each) => each.odds)).toEqual(["1,000 to 1", "3 to 2", "1 to 1"]);
  });
});
