import { describe, expect, it } from "vitest";
import {
  labelOf,
  partsOf,
  payLines,
  pick,
  ticketOf,
  told,
  waysOf,
  type Ticket,
} from "../src/lib/keno";

const ticket = (groups: number[][], more: Partial<Ticket> = {}): Ticket => ({
  groups,
  sizes: [],
  isKing: false,
  races: 1,
  ...more,
});

describe("a ticket is written as the table reads it", () => {
  const three = [[3, 1, 2], [4, 5, 6], [7, 8, 9]]; // prettier-ignore
  it.each([
    [ticket([[66, 7, 30, 21]]), "straight_4:7-21-30-66"],
    [ticket([[5], []]), "straight_1:5"],
    [ticket([[]]), ""],
    [ticket(three), ""],
    [ticket(three, { sizes: [6] }), "way:1-2-3/4-5-6/7-8-9@6"],
    [ticket(three, { sizes: [6, 3] }), "combination:1-2-3/4-5-6/7-8-9@3+6"],
    [ticket([[17], [1, 2]], { sizes: [3], isKing: true }), "king:17/1-2@3"],
    [ticket([[7, 21]], { races: 5 }), "multi_race:5*straight_2:7-21"],
  ])("%j is %s", (given, label) => {
    expect(labelOf(given)).toBe(label);
    if (label) expect(labelOf(ticketOf(label))).toBe(label);
  });

  it("and read with its rates left out", () => {
    expect(ticketOf("combination:1-2/3-4@2x100+4x200").sizes).toEqual([2, 4]);
  });
});

describe("ways", () => {
  it("are the sets of groups that add up", () => {
    const groups = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]; // prettier-ignore
    expect([...waysOf({ groups, isKing: false })]).toEqual(
      expect.arrayContaining([[3, 3], [6, 3], [9, 1]]), // prettier-ignore
    );
    expect(partsOf(ticket(groups, { sizes: [3, 6], races: 2 }))).toBe(12);
    expect(partsOf(ticket([[1, 2]]))).toBe(1);
  });
  it("never are a king alone", () => {
    const groups = [[17], [1, 2]];
    expect(waysOf({ groups, isKing: true }).has(1)).toBe(false);
    expect(waysOf({ groups, isKing: false }).get(1)).toBe(1);
  });
});

it("is told in words", () => {
  expect(told("straight_1:5")).toBe("1 spot: 5");
  expect(told("multi_race:3*straight_2:7-21")).toBe("2 spots: 7 21, 3 games");
  expect(told("king:17/1-2@1+3")).toBe("King, ways of 1 and 3: 17 / 1 2");
});

it("a quick pick marks different numbers of the eighty", () => {
  const all = pick(80);
  expect(new Set(all).size).toBe(80);
  expect([all[0], all[79]]).toEqual([1, 80]);
  expect(pick(3, () => 0)).toEqual([1, 2, 3]);
});

it("the card's row for a number of spots is found", () => {
  const card = "1 spot: 1 pays 3 for 1; 11 spots: 5 pays 1 for 1, 6 pays 8 for 1";
  expect(payLines(card, 1)).toEqual(["1 pays 3 for 1"]);
  expect(payLines(card, 11)).toEqual(["5 pays 1 for 1", "6 pays 8 for 1"]);
  expect(payLines(card, 2)).toEqual([]);
});
