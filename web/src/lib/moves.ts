/** Moves as choices to click: one for each of a few amounts, a field where there are many, and cards
 *  to choose from or to set in parts. */

import type { Answer, Move } from "./types";
import { capital, dollars, plain } from "./words";

const FEW = 4; // amounts that have a button each

export interface Choice {
  text: string;
  key: string; // the letter that makes it
  said: Answer | null; // null: more has to be said
  range: { move: string; unit: string; low: number; text: string } | null;
  cards: CardMove | null; // cards have to be chosen, or set in parts
}

export interface CardMove {
  move: string;
  choose: Move["choose"];
  parts: { name: string; size: number; key: string }[]; // none where cards are chosen
}

type Way = Omit<Choice, "key">;

const measured = (unit: string, amount: number): string =>
  unit === "cents" ? dollars(amount) : `${amount} ${unit}`;

function ways(move: Move): Way[] {
  const name = capital(plain(move.move));
  const { low = 0, high = 0, step = 1, unit = "cents", costs = 0, choose, parts } = move;
  const text = costs ? `${name} (${measured(unit, costs)})` : name;
  if (choose || parts) {
    const sizes = Object.entries(parts ?? {}).map(([name, size]) => ({ name, size, key: "" }));
    return [{ text, said: null, range: null, cards: { move: move.move, choose, parts: sizes } }];
  }
  if (!high) return [{ text, said: move.move, range: null, cards: null }];
  const count = Math.floor((high - low) / step) + 1;
  if (count > FEW) {
    const steps = step > 1 ? ` in steps of ${measured(unit, step)}` : "";
    const text = `${measured(unit, low)} to ${measured(unit, high)}${steps}`;
    return [{ text: name, said: null, range: { move: move.move, unit, low, text }, cards: null }];
  }
  return Array.from({ length: count }, (_, at) => low + at * step).map((amount) => ({
    text: `${name} ${measured(unit, amount)}`,
    said: { [move.move]: amount },
    range: null,
    cards: null,
  }));
}

/** Every choice, and every part of a hand, with a letter of its own: the first of its name that is
 *  free. */
export function choices(moves: readonly Move[]): Choice[] {
  const taken = new Set<string>();
  const keyed = <T>(each: T, text: string): T & { key: string } => {
    const letters = [...text.toUpperCase()].filter((letter) => /[A-Z]/.test(letter));
    const key = letters.find((letter) => !taken.has(letter)) ?? "";
    taken.add(key);
    return { ...each, key };
  };
  const found = moves.flatMap(ways).map((way) => keyed(way, way.text));
  return found.map((choice) => {
    if (!choice.cards) return choice;
    const parts = choice.cards.parts.map((part) => keyed(part, part.name));
    return { ...choice, cards: { ...choice.cards, parts } };
  });
}
