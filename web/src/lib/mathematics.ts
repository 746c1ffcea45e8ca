/** The books of the house: the rules of a table, and what its wagers are worth. */

import type { components } from "./api";
import { house, sleep, type Violation } from "./house.svelte";
import type { Exact } from "./types";
import { capital, percent, plain } from "./words";

type Schemas = components["schemas"];

export type Options = Record<string, unknown>;
export type Advised = Schemas["Advised"];
export type Checked = Schemas["Checked"];
export type CoverageRow = Schemas["CoverageRow"];
export type Mathematics = Schemas["Mathematics"];
export type NotReady = Schemas["NotReady"];
export type OptionValue = Schemas["OptionValue"];
export type Outcome = Schemas["WagerOutcome"];
export type Posting = Schemas["Posting"];
export type RuledOption = Schemas["RuledOption"];
export type RuledWager = Schemas["RuledWager"];
export type Rules = Schemas["Rules"];
export type WagerMathematics = Schemas["WagerMathematics"];
export type Figures = Pick<
  WagerMathematics,
  "house_edge" | "element_of_risk" | "hit_frequency" | "standard_deviation"
>;

export const FAMILIES = {
  wheel: "Wheels",
  dice: "Dice",
  shoe: "Games of the shoe",
  poker: "Poker tables",
  drum: "Keno",
} as const;

// Asking the house.

const query = (options: Options): string =>
  Object.keys(options).length ? `?options=${encodeURIComponent(JSON.stringify(options))}` : "";

export const rulesOf = (game: string, options: Options): Promise<Rules> =>
  house.get(`/games/${game}/rules${query(options)}`);

export const check = (game: string, options: Options): Promise<Checked> =>
  house.get(`/games/${game}/check${query(options)}`);

/** What must be said of a table for it to have these options, or why it may not have them. */
export async function settled(game: string, said: Options): Promise<Options | Violation[]> {
  const { violations, options, changed } = await check(game, said);
  if (!options || !changed) return violations;
  const only = (from: Options): Options =>
    Object.fromEntries(Object.keys(said).flatMap((id) => (id in from ? [[id, from[id]]] : [])));
  const short = only(changed);
  const same = JSON.stringify((await check(game, short)).options) === JSON.stringify(options);
  return same ? short : only(options); // a value may be a default only beside another
}

/** The page of a game at a table with these options, with a wager chosen. */
export function gamePath(game: string, options: Options, wager = ""): string {
  const given = new URLSearchParams();
  if (Object.keys(options).length) given.set("options", JSON.stringify(options));
  if (wager) given.set("wager", wager);
  return `/game/${game}${given.size ? `?${given}` : ""}`;
}

/** Ask until it is worked out, or until nobody wants it any more: then null. */
async function workedOut<T>(
  path: string,
  tell: (far: NotReady) => void,
  isWanted: () => boolean,
): Promise<T | null> {
  while (isWanted()) {
    const said = await house.get<T | NotReady>(path, 600_000);
    if (!isNotReady(said)) return isWanted() ? said : null;
    if (isWanted()) tell(said);
    await sleep(1000);
  }
  return null;
}

const isNotReady = (said: unknown): said is NotReady =>
  (said as Partial<NotReady> | null)?.ready === false;

type Wait = [tell: (far: NotReady) => void, isWanted: () => boolean];

export const mathematicsOf = (
  game: string,
  options: Options,
  ...wait: Wait
): Promise<Mathematics | null> =>
  workedOut<Mathematics>(`/games/${game}/mathematics${query(options)}`, ...wait);

export const coverageOf = (...wait: Wait): Promise<CoverageRow[] | null> =>
  workedOut<CoverageRow[]>("/coverage", ...wait);

// Options.

export const isMoney = ({ title }: RuledOption): boolean => title.includes("in cents");

/** What an option is called where amounts are shown in dollars. */
export const titled = ({ title }: RuledOption): string => capital(title.replace(/,? in cents/, ""));

// Fractions are written `1/38`.

type Fraction = readonly [top: bigint, bottom: bigint];

function fraction(text: string): Fraction {
  const [top = "0", bottom = "1"] = text.split("/");
  return [BigInt(top), BigInt(bottom)];
}

function reduced(top: bigint, bottom: bigint): Fraction {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b) [a, b] = [b, a % b];
  return a ? [top / a, bottom / a] : [0n, 1n];
}

/** The exact sum. */
export function sum(texts: string[]): string {
  const [top, bottom] = texts
    .map(fraction)
    .reduce<Fraction>(([a, b], [c, d]) => reduced(a * d + c * b, b * d), [0n, 1n]);
  return bottom === 1n ? String(top) : `${top}/${bottom}`;
}

export function share(text: string): number {
  const [top, bottom] = fraction(text);
  return Number(top) / Number(bottom);
}

// Figures as people read them.

/** Units of stake: `+35`, `−1`, `0.95`. */
export function units(value: number, digits = 2): string {
  const shown = String(Number(Math.abs(value).toFixed(digits)));
  const grouped = Number(shown) >= 1000 ? Number(shown).toLocaleString("en-US") : shown;
  return Number(shown) === 0 ? "0" : `${value < 0 ? "−" : ""}${grouped}`;
}

/** With all its digits, as a column of a table needs it. */
export const fixed = (value: number, digits: number): string =>
  value.toFixed(digits).replace("-", "−");
export const won = (value: number): string => (value > 0 ? `+${units(value)}` : units(value));

/** A percentage with as many digits as a small one needs. */
export function chance(probability: number): string {
  const hundredths = 100 * probability;
  if (!hundredths) return "never";
  if (hundredths >= 0.1) return percent(probability);
  return `${Number(hundredths.toPrecision(2)).toFixed(Math.min(12, 1 - Math.floor(Math.log10(hundredths))))}%`;
}

export function oneIn(probability: number): string {
  if (!probability) return "never";
  const times = 1 / probability;
  return `1 in ${times < 100 ? Number(times.toFixed(1)) : Math.round(times).toLocaleString("en-US")}`;
}

/** What it pays, in a few words. */
export function paysInWords(pays: string[]): string {
  const distinct = [...new Set(pays)];
  return distinct.length > 3 ? `${distinct[0]} … ${distinct.at(-1)}` : distinct.join(", ");
}

export const edgePercent = (edge: Exact): string => percent(edge.decimal, 3).replace("-", "−");

// What a table's wagers are worth: those that are worth the same share a row.

export interface EdgeRow {
  key: string;
  title: string;
  names: string[]; // of all the wagers of the row
  spots: number;
  pays: string;
  citation: string;
  figures: Figures;
  isHere: boolean; // this table offers it so
}

export function edgeRows({ wagers }: Mathematics, ruled: RuledWager[]): EdgeRow[] {
  const pays = new Map(ruled.map((each) => [each.id, each.pays.map(({ odds }) => odds)]));
  const groups = new Map<string, [label: string, worth: WagerMathematics][]>();
  for (const [label, worth] of Object.entries(wagers)) {
    const odds = pays.get(label.split(":")[0]!) ?? [];
    const results = worth.outcomes.map(({ net, probability }) => [net, probability]);
    const same = JSON.stringify([odds, results, worth.element_of_risk.exact]);
    groups.set(same, [...(groups.get(same) ?? []), [label, worth]]);
  }
  return [...groups.values()].map((group) => {
    const [key, figures] = group[0]!;
    const all = group.map(([, { title }]) => title);
    const names = [...new Set(all)];
    return {
      key,
      names,
      figures,
      title: shortened(names, ", "),
      spots: group.reduce((count, [, { choices }]) => count + Math.max(1, choices.length), 0),
      pays: paysInWords(pays.get(key.split(":")[0]!) ?? []),
      citation: shortened([...new Set(group.map(([, { citation }]) => citation))], "; "),
      isHere: false,
    };
  });
}

const shortened = (words: string[], comma: string): string => {
  const all = words.join(comma);
  return words.length > 2 && all.length > 48 ? `${words[0]} … ${words.at(-1)}` : all;
};

export const postedRows = (posted: Posting[]): EdgeRow[] =>
  posted.map((each, at) => ({
    key: String(at),
    title: each.title,
    names: [each.title],
    spots: 1,
    pays: paysInWords(each.pays),
    citation: each.citation,
    figures: each,
    isHere: each.is_here,
  }));

export const COLUMNS = {
  title: { name: "Wager", of: (row: EdgeRow) => row.title },
  edge: { name: "House edge", of: (row: EdgeRow) => row.figures.house_edge.decimal },
  risk: { name: "Element of risk", of: (row: EdgeRow) => row.figures.element_of_risk.decimal },
  hit: { name: "Wins", of: (row: EdgeRow) => row.figures.hit_frequency },
  deviation: {
    name: "Standard deviation",
    of: (row: EdgeRow) => row.figures.standard_deviation,
  },
} as const;

export type Column = keyof typeof COLUMNS;

export function sorted(rows: EdgeRow[], by: Column, falling: boolean): EdgeRow[] {
  const { of } = COLUMNS[by];
  const found = rows.toSorted((a, b) => {
    const [one, other] = [of(a), of(b)];
    return typeof one === "string" ? one.localeCompare(String(other)) : one - Number(other);
  });
  return falling ? found.reverse() : found;
}

// One wager.

export interface Stick {
  net: number;
  probability: number;
  results: string[];
}

/** The distribution: what each net result has for a probability, the worst first. */
export function sticks(outcomes: Outcome[]): Stick[] {
  const found = new Map<number, Stick>();
  for (const { net, probability, result } of outcomes) {
    const here = found.get(net) ?? { net, probability: 0, results: [] };
    here.probability += share(probability);
    here.results.push(plain(result));
    found.set(net, here);
  }
  return [...found.values()].filter((each) => each.probability).sort((a, b) => a.net - b.net);
}

/** How lopsided it is: the third standardized moment. */
export function skewness(outcomes: Outcome[]): number {
  const all = sticks(outcomes);
  const moment = (power: number, around: number): number =>
    all.reduce((total, { net, probability }) => total + probability * (net - around) ** power, 0);
  const mean = moment(1, 0);
  return moment(3, mean) / moment(2, mean) ** 1.5 || 0;
}

export const ROUGH = 0.5; // a sum that is more lopsided than this is far from the bell

export interface Session {
  mean: number;
  deviation: number;
  ahead: number; // the probability of it
  skew: number;
  enough: number; // rounds after which the bell is a fair picture
}

/** What so many rounds come to, by the normal approximation; in units of stake. */
export function session(worth: WagerMathematics, rounds: number): Session {
  const mean = -worth.house_edge.decimal * rounds;
  const deviation = worth.standard_deviation * Math.sqrt(rounds);
  const skew = skewness(worth.outcomes);
  return {
    mean,
    deviation,
    ahead: deviation ? bell(mean / deviation) : Number(mean > 0),
    skew: skew / Math.sqrt(rounds),
    enough: Math.ceil((skew / ROUGH) ** 2),
  };
}

/** The normal distribution function (Abramowitz and Stegun 26.2.17). */
export function bell(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return x > 0 ? 1 - tail : tail;
}

// Strategy.

export const RANKS = [..."AKQJT98765432"];

/** All moves of the advice, from the one that is named first. */
export const movesOf = (advice: Advised[]): string[] => [
  ...new Set(advice.flatMap(({ values }) => Object.keys(values))),
];

/** A sign for each move: its multiple, else its first letter that is still free. */
export function signs(moves: string[]): Map<string, string> {
  const found = new Map<string, string>();
  const isMultiple = (move: string): boolean => /^bet \d+x$/.test(move);
  for (const move of moves) {
    const letters = isMultiple(move) ? [/\d+/.exec(move)![0]] : [...capital(plain(move))];
    const taken = new Set(found.values());
    found.set(
      move,
      letters.map((each) => each.toUpperCase()).find((each) => !taken.has(each)) ?? "?",
    );
  }
  return found;
}

/** What the second best move costs. */
export function costOf({ values }: Advised): number {
  const [best = 0, next = best] = Object.values(values).sort((a, b) => b - a);
  return best - next;
}

/** Starting hands of two cards as a square: suited above the diagonal, the others below it. */
export function square(advice: Advised[]): (Advised | undefined)[][] | null {
  const hands = new Map(advice.map((each) => [each.situation, each]));
  if (hands.size !== RANKS.length ** 2 || !hands.has("AKs") || !hands.has("22")) return null;
  return RANKS.map((row, down) =>
    RANKS.map((column, across) => {
      if (down === across) return hands.get(row + row);
      return hands.get(across > down ? `${row}${column}s` : `${column}${row}o`);
    }),
  );
}

/** A ranked list in its parts: `with three cards: a pair` belongs to the part `with three cards`. */
export function parts(advice: Advised[]): [title: string, rows: Advised[]][] {
  const found = new Map<string, Advised[]>();
  for (const each of advice) {
    const title = /^(.*?): /.exec(each.situation)?.[1] ?? "";
    found.set(title, [...(found.get(title) ?? []), each]);
  }
  return [...found];
}

// Coverage.

export const chapterOf = (section: string): string => section.replace(/\.[^.]*$/, "");

export function counted(rows: CoverageRow[]): Record<CoverageRow["status"], number> {
  const found = { implemented: 0, physical: 0, missing: 0 };
  for (const { status } of rows) found[status] += 1;
  return found;
}
