/** Moves as choices to click: one for each of a few amounts, a field where there are many. */

import type { Move } from "./types";
import { capital, dollars, plain } from "./words";

const FEW = 4; // amounts that have a button each

export interface Choice {
  text: string;
  key: string; // the letter that makes it
  said: string | Record<string, number> | null; // null: an amount has to be said
  range: { move: string; unit: string; low: number; text: string } | null;
}

const measured = (unit: string, amount: number): string =>
  unit === "cents" ? dollars(amount) : `${amount} ${unit}`;

function ways(move: Move): Omit<Choice, "key">[] {
  const name = capital(plain(move.move));
  const { low = 0, high = 0, step = 1, unit = "cents", costs = 0 } = move;
  if (!high)
    return [
      { text: costs ? `${name} (${measured(unit, costs)})` : name, said: move.move, range: null },
    ];
  const count = Math.floor((high - low) / step) + 1;
  if (count > FEW) {
    const steps = step > 1 ? ` in steps of ${measured(unit, step)}` : "";
    const text = `${measured(unit, low)} to ${measured(unit, high)}${steps}`;
    return [{ text: name, said: null, range: { move: move.move, unit, low, text } }];
  }
  return Array.from({ length: count }, (_, at) => low + at * step).map((amount) => ({
    text: `${name} ${measured(unit, amount)}`,
    said: { [move.move]: amount },
    range: null,
  }));
}

/** Every choice, with a letter of its own: the first of its name that is free. */
export function choices(moves: readonly Move[]): Choice[] {
  const taken = new Set<string>();
  return moves.flatMap(ways).map((way) => {
    const letters = [...way.text.toUpperCase()].filter((each) => /[A-Z]/.test(each));
    const key = letters.find((each) => !taken.has(each)) ?? "";
    taken.add(key);
    return { ...way, key };
  });
}
