/** What is on a table of baccarat: the counts that were called, the bank, the seats around it. */

import type { Bet, TableEvent } from "./types";

export type Side = "player" | "banker";

export interface Called {
  counts: Partial<Record<Side, number>>;
  winner: Side | "tie" | null;
}

/** What was called of the two hands. */
export function called(events: readonly TableEvent[]): Called {
  const found: Called = { counts: {}, winner: null };
  for (const { kind, text = "" } of events) {
    if (kind !== "announce") continue;
    for (const [, side = "", count] of text.matchAll(/(Player|Banker)'s Hand (\d)/g))
      found.counts[side.toLowerCase() as Side] = Number(count);
    const winner = /(Player|Banker)'s Hand wins|(Tie)\b/.exec(text);
    if (winner) found.winner = (winner[1] ?? winner[2] ?? "").toLowerCase() as Called["winner"];
  }
  return found;
}

export interface Bank {
  banker: string | null;
  amount: number; // put up, or to be put up
  covered: number;
}

/** The bank of chemin de fer, from the chips that lie there and from what stands between coups. */
export function bankOf(bets: readonly Bet[], state: Record<string, unknown>): Bank {
  const laid = bets.find((each) => each.wager === "bank");
  const amount = laid?.stake ?? Number(state.bank ?? 0);
  const against = bets.filter((each) => each.wager === "punt" || each.wager === "banco");
  const total = against.reduce((sum, each) => sum + each.stake, 0);
  return {
    banker: laid?.seat ?? (state.banker as string | null | undefined) ?? null,
    amount,
    covered: Math.min(total, amount),
  };
}

export interface Box {
  seat: string;
  x: number; // the middle of its lower edge
  y: number;
  turn: number; // degrees
}

/** Seats along the edge of an oval table, the first on the right as one faces the dealer. */
export function around(seats: readonly string[], width: number, depth: number): Box[] {
  const inside = width - 120;
  return seats.map((seat, at) => {
    const t = seats.length < 2 ? 0 : 1 - (2 * at) / (seats.length - 1);
    return { seat, x: width / 2 + (t * inside) / 2, y: depth * (1 - t * t), turn: -t * 22 };
  });
}
