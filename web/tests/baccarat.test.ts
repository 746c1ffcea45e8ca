import { describe, expect, it } from "vitest";
import { around, bankOf, called } from "../src/lib/baccarat";
import { columns, streaks } from "../src/lib/roads";
import type { TableEvent } from "../src/lib/types";

const said = (...texts: string[]): TableEvent[] =>
  texts.map((text, number) => ({ number, round: 1, at: "", kind: "announce", text }));

describe("what is called", () => {
  it("is the last count of each hand, and who wins", () => {
    const call = called(
      said(
        "Player's Hand 5",
        "Banker's Hand 0",
        "Player's Hand draws",
        "Player's Hand 6, Banker's Hand 2. Player's Hand wins. 6 cards",
      ),
    );
    expect(call).toEqual({ counts: { player: 6, banker: 2 }, winner: "player" });
  });

  it("may be a tie", () => {
    expect(called(said("Player's Hand 7, Banker's Hand 7. Tie Hand")).winner).toBe("tie");
  });

  it("is nothing before", () => {
    expect(called(said("No more bets"))).toEqual({ counts: {}, winner: null });
  });
});

describe("the bank", () => {
  it("is what lies there, and covered by punts and banco up to that", () => {
    const bets = [
      { seat: "3", wager: "bank", stake: 10_000 },
      { seat: "1", wager: "punt", stake: 4000 },
      { seat: "2", wager: "punt", stake: 8000 },
    ];
    expect(bankOf(bets, {})).toEqual({ banker: "3", amount: 10_000, covered: 10_000 });
    expect(bankOf(bets.slice(0, 2), {}).covered).toBe(4000);
  });

  it("is what must be put up to go on, between coups", () => {
    expect(bankOf([], { banker: "5", bank: 700 })).toEqual({
      banker: "5",
      amount: 700,
      covered: 0,
    });
    expect(bankOf([], {})).toEqual({ banker: null, amount: 0, covered: 0 });
  });
});

describe("seats", () => {
  it("go from the right to the left, the middle ones lower", () => {
    const [first, middle, last] = around(["1", "2", "3"], 900, 60);
    expect(first!.x).toBeGreaterThan(middle!.x);
    expect(middle!.x).toBeGreaterThan(last!.x);
    expect([first!.y, middle!.y, last!.y]).toEqual([0, 60, 0]);
    expect(around(["1"], 900, 60)[0]).toMatchObject({ x: 450, y: 60 });
  });
});

describe("roads", () => {
  const cells = ["banker", "banker", "player"].map((mark, at) => ({ col: at + 1, row: 1, mark }));
  it("are as wide as their last column", () => {
    expect(columns(cells)).toBe(3);
    expect(columns([])).toBe(1);
  });
  it("are told as streaks", () => expect(streaks(cells)).toBe("banker 2, player 1"));
});
