import { describe, expect, it } from "vitest";
import { laidOut } from "../src/lib/laid";
import {
  ending,
  eventsOf,
  inText,
  isDice,
  lastNumber,
  outcomeOf,
  pastRound,
  stops,
  type Page,
} from "../src/lib/replay";
import { findEvents, findRounds } from "../src/lib/search";
import type { Settlement, TableEvent } from "../src/lib/types";

const AT = "2026-11-16T08:00:00.000Z";
const event = (number: number, round: number, kind: string, more = {}): TableEvent => ({
  number,
  round,
  kind,
  at: AT,
  ...more,
});
const settled = (more: Partial<Settlement>): Settlement => ({
  seat: "1",
  wager: "red",
  stake: 500,
  result: "win",
  line: "win",
  pays: "1 to 1",
  net: 500,
  citation: "19:47-5.3",
  ...more,
});
const ann = { seats: ["1"], title: (label: string) => label };

/** A log of `rounds` rounds with gaps in its numbers, as a reader who does not see all. */
function logOf(rounds: number, each: number): TableEvent[] {
  return Array.from({ length: rounds * each }, (_, at) =>
    event(3 * at + 2, Math.floor(at / each) + 1, "step", { text: `step ${at}` }),
  );
}
const paged =
  (log: TableEvent[]): Page =>
  (after, limit) =>
    Promise.resolve(log.filter((e) => e.number > after).slice(0, limit));

describe("finding a round in the log", () => {
  const log = logOf(40, 7);
  const last = log.at(-1)!.number;

  it.each([1, 2, 19, 39, 40])("finds all of round %i and nothing else", async (round) => {
    const found = await eventsOf(round, last, paged(log));
    expect(found).toEqual(log.filter((each) => each.round === round));
  });

  it("finds nothing of a round that was never played", async () => {
    expect(await eventsOf(41, last, paged(log))).toEqual([]);
    expect(await eventsOf(1, 0, paged([]))).toEqual([]);
  });

  it("finds a round that is longer than a page", async () => {
    const long = logOf(2, 1500);
    const found = await eventsOf(1, long.at(-1)!.number, paged(long));
    expect(found).toHaveLength(1500);
  });

  it.each([0, 1, 2, 400, 1025, 5000])("finds the end of a log of %i events", async (length) => {
    const numbers = Array.from({ length }, (_, at) => event(at + 1, 0, "started"));
    expect(await lastNumber(paged(numbers))).toBe(length);
  });
});

describe("a replay", () => {
  const events = [
    event(1, 1, "wager", { seat: "1", wager: "ante", stake: 500 }),
    event(2, 1, "ready", { seat: "1" }),
    event(3, 1, "draw", { to: "1", face_down: true }),
    event(4, 1, "look", { to: "1", outcome: "Qh" }),
    event(5, 1, "draw", { to: "dealer", face_down: true }),
    event(6, 1, "reveal", { hand: "dealer", cards: ["2c"] }),
  ];

  it("stops after what happened, and takes a card and the look at it for one", () => {
    expect(stops(events)).toEqual([1, 4, 5, 6]);
  });

  it("shows what lay on the layout at each stop", () => {
    const hands = stops(events).map((upTo) => [...laidOut(events.slice(0, upTo)).hands.values()]);
    expect(hands).toEqual([[], [["Qh"]], [["Qh"], [null]], [["Qh"], ["2c"]]]);
  });
});

describe("what came, as a dealer writes it", () => {
  it.each([
    ["17", 17],
    ["00", "00"],
    ["0", 0],
    ["3-4", [3, 4]],
    ["3 4 6", [3, 4, 6]],
    ["10h", "Th"],
    ["qS", "Qs"],
    ["jk", "Jk"],
    ["joker", "Jk"],
    ["jacer", "jacer"],
  ])("%s", (text, outcome) => {
    expect(outcomeOf(text)).toEqual(outcome);
  });

  it("tells dice from numbers that are drawn", () => {
    expect([[3, 4], [1, 2, 6], [7, 12], "17", [1, 2, 3, 4]].map(isDice)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("past rounds", () => {
  const over = (round: number, more = {}): TableEvent =>
    event(round * 10, round, "round_over", { void: null, settlements: [settled({})], ...more });
  const spin = event(11, 1, "spin", { outcome: "32", citation: "19:47-5.4(b)" });
  const won = pastRound(1, [spin, over(1)]);
  const lost = pastRound(2, [over(2, { settlements: [settled({ result: "lose", net: -500 })] })]);
  const dead = pastRound(3, [
    over(3, { void: "19:47-5.4(c)", settlements: [settled({ result: "void", net: 0 })] }),
  ]);
  const all = [won, lost, dead];

  it("end for whoever had the seats then, not for who has them now", () => {
    const recalled = { ...won, stacks: { "2": {} } };
    expect(ending(recalled, ann).text).toBe("Round 1 is over.");
    expect(ending(won, ann).text).toBe("Round 1: you win $5.");
  });

  it("are found by how they ended and by words, rules and wagers", () => {
    const found = (...by: ["all" | "won" | "lost" | "void", string]): number[] =>
      findRounds(all, ...by, ann).map((each) => each.round);
    expect(found("all", "")).toEqual([1, 2, 3]);
    expect(found("won", "")).toEqual([1]);
    expect(found("lost", "")).toEqual([2]);
    expect(found("void", "")).toEqual([3]);
    expect(found("all", "spin 32")).toEqual([1]);
    expect(found("all", "5.4(B)")).toEqual([1]);
    expect(found("won", "no such words")).toEqual([]);
  });

  it("are written down with every rule", () => {
    const text = inText(won, ann);
    expect(text).toContain("Spin: 32 [19:47-5.4(b)]");
    expect(text).toContain("Seat 1, red $5 won at 1 to 1: +$5 [19:47-5.3]");
  });

  it("give their events by kind, seat and words", () => {
    const find = (kind: string, seat: string, words: string): number[] =>
      findEvents([spin, over(1), over(2)], { kind, seat, words }, ann).map((each) => each.number);
    expect(find("spin", "", "")).toEqual([11]);
    expect(find("", "1", "")).toEqual([10, 20]);
    expect(find("", "2", "")).toEqual([]);
    expect(find("", "", "round 2")).toEqual([20]);
    expect(find("", "", "19:47-5.4")).toEqual([11]);
  });
});
