/** The wheel of the big six: 54 stops and seven symbols. */

export const RIM = `
  one two one five one two one ten one two one five one two one two one twenty
  one two one five one two joker ten one two one five one two one five one two one flag
  two one ten one two one five two one five one two twenty two ten five
`
  .trim()
  .split(/\s+/);

interface Symbol {
  text: string; // on the wheel
  tone: string;
}

const SYMBOLS: Record<string, Symbol> = {
  one: { text: "1", tone: "ivory" },
  two: { text: "2", tone: "green" },
  five: { text: "5", tone: "red" },
  ten: { text: "10", tone: "blue" },
  twenty: { text: "20", tone: "violet" },
  joker: { text: "J", tone: "gold" },
  flag: { text: "F", tone: "black" },
};

export const symbol = (stop: string): Symbol => SYMBOLS[stop] ?? { text: stop, tone: "brown" };

/** A stop with the symbol. Which of them it was nobody says; another each round looks right. */
export function stopOf(rim: readonly string[], outcome: unknown, round: number): number {
  const all = rim.flatMap((stop, at) => (stop === outcome ? [at] : []));
  return all.length ? all[(round * 7) % all.length]! : -1;
}
