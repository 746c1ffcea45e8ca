/** Rounds that were played: found in the log, laid out again step by step, written down. */

import { handName, outcomeText, RESULTS, summary, tell, type Reader } from "./tell";
import type { Settlement, TableEvent } from "./types";
import { dollars, moment, plain, signed } from "./words";

export interface PastRound {
  round: number;
  ended: string | null;
  void: string | null; // by which rule
  settlements: Settlement[];
  stacks?: Record<string, unknown>; // of the reader's seats
  events: TableEvent[];
}

/** A round from its events alone. */
export function pastRound(round: number, events: TableEvent[]): PastRound {
  const over = events.findLast((each) => each.kind === "round_over");
  return {
    round,
    ended: over?.at ?? null,
    void: over?.void ?? null,
    settlements: over?.settlements ?? [],
    events,
  };
}

/** Who reads a round: its seats were his, wherever he sits now. */
export const readerOf = (past: PastRound, reader: Reader): Reader => ({
  seats: past.stacks ? Object.keys(past.stacks) : reader.seats,
  title: (label) => reader.title(label),
});

export const ending = (past: PastRound, reader: Reader): ReturnType<typeof summary> => {
  const { round, settlements, void: isVoid } = past;
  const over = { number: 0, kind: "round_over", at: past.ended ?? "", round, settlements };
  return summary({ ...over, void: isVoid }, readerOf(past, reader));
};

const SILENT = new Set("ready betting_closes betting_goes_on control software".split(" "));

/** After how many events a replay stops: a card that is looked at at once is one step. */
export function stops(events: readonly TableEvent[]): number[] {
  return events.flatMap((event, at) => {
    const next = events[at + 1];
    const isLookedAt = event.face_down && next?.kind === "look" && next.to === event.to;
    return isLookedAt || SILENT.has(event.kind) ? [] : [at + 1];
  });
}

export type Page = (after: number, limit: number) => Promise<TableEvent[]>;

const LARGEST = 1000; // page

/** The events of any round of a log that is `last` long. Rounds follow each other: halve. */
export async function eventsOf(round: number, last: number, page: Page): Promise<TableEvent[]> {
  let [before, high] = [0, last]; // up to `before` all is of earlier rounds, after `high` nothing
  while (before < high) {
    const middle = Math.floor((before + high) / 2);
    const [next] = await page(middle, 1);
    if (next && next.round < round) before = next.number;
    else high = middle;
  }
  const found: TableEvent[] = [];
  for (;;) {
    const some = await page(before, LARGEST);
    const end = some.at(-1);
    found.push(...some.filter((each) => each.round === round));
    if (!end || some.length < LARGEST || end.round > round) return found;
    before = end.number;
  }
}

/** The number of the last event of a log of which nobody says how long it is. */
export async function lastNumber(page: Page): Promise<number> {
  let [low, high] = [0, 1024];
  for (let next; (next = (await page(high, 1))[0]); high *= 2) low = next.number;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await page(middle, 1);
    if (next) low = next.number;
    else high = middle;
  }
  return low;
}

/** What became of a wager: `won on natural at 3 to 2, vigorish $1`. */
export function fate({ result, line, pays, vigorish }: Settlement): string {
  const on = line && line !== result ? ` on ${plain(line)}` : "";
  const odds = pays ? ` at ${pays}` : "";
  return `${RESULTS[result]}${on}${odds}${vigorish ? `, vigorish ${dollars(vigorish)}` : ""}`;
}

/** A round as it is written down. */
export function inText(past: PastRound, reader: Reader): string {
  const own = readerOf(past, reader);
  const cited = (text: string, citation = ""): string =>
    citation ? `${text} [${citation}]` : text;
  const settled = past.settlements.map((each) => {
    const whose = `${handName(each.hand ?? each.seat)}, ${own.title(each.wager)}`;
    return cited(
      `${whose} ${dollars(each.stake)} ${fate(each)}: ${signed(each.net)}`,
      each.citation,
    );
  });
  const events = stops(past.events).map((upTo) => past.events[upTo - 1]!);
  return [
    ending(past, reader).text + (past.ended ? ` ${moment(past.ended)}` : ""),
    ...events.map((each) => `  ${cited(tell(each, own), each.citation)}`),
    ...settled.map((each) => `  ${each}`),
    "",
  ].join("\n");
}

/** What came, as a dealer writes it: `17`, `00`, `3-4`, `10h`. */
export function outcomeOf(text: string): string | number | number[] {
  const said = text.trim();
  const card = /^(10|[2-9tjqka])([cdhs])$/i.exec(said);
  if (card?.[1] && card[2]) return card[1].replace("10", "T").toUpperCase() + card[2].toLowerCase();
  if (/^(jk|joker)$/i.test(said)) return "Jk";
  if (/^\d+([-, ]+\d+)+$/.test(said)) return said.split(/[-, ]+/).map(Number);
  return /^(0|[1-9]\d*)$/.test(said) ? Number(said) : said;
}

export const isDice = (outcome: unknown): outcome is number[] =>
  Array.isArray(outcome) && outcome.length < 4 && outcome.every((each) => each >= 1 && each <= 6);

export const outcomeWords = (outcome: unknown): string =>
  Array.isArray(outcome) && !isDice(outcome) ? outcome.join(" ") : outcomeText(outcome);

/** Hand the visitor a file. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
