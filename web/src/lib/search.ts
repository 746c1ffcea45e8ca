/** Finding events and rounds by what they say. */

import { ending, type PastRound } from "./replay";
import { seatOf } from "./hands";
import { tell, type Reader } from "./tell";
import type { TableEvent } from "./types";
import { plain } from "./words";

export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** All the words are in the text; a number only as a whole one: 2 is not found in 32. */
export const holds = (text: string, words: readonly string[]): boolean => {
  const low = text.toLowerCase();
  return words.every((each) =>
    /^\d+$/.test(each) ? new RegExp(`(?<![\\d.])${each}(?!\\d)`).test(low) : low.includes(each),
  );
};

export interface Wanted {
  kind: string; // any, if empty
  seat: string;
  words: string;
}

const concerns = (event: TableEvent, seat: string): boolean =>
  [event.seat, event.to, event.hand].some((each) => each === seat || seatOf(each ?? "") === seat) ||
  Boolean(event.settlements?.some((each) => each.seat === seat));

/** The events that all of it fits: their number, round, kind, words and citation are looked at. */
export function findEvents(
  events: readonly TableEvent[],
  { kind, seat, words }: Wanted,
  reader: Reader,
): TableEvent[] {
  const all = wordsOf(words);
  return events.filter((event) => {
    if ((kind && event.kind !== kind) || (seat && !concerns(event, seat))) return false;
    const { number, round, citation = "" } = event;
    const said = `#${number} round ${round} ${plain(event.kind)} ${tell(event, reader)} ${citation}`;
    return holds(said, all);
  });
}

export type Ending = "all" | "won" | "lost" | "void";

/** The rounds that ended so, for the reader, and in which all the words are found. */
export function findRounds(
  rounds: readonly PastRound[],
  end: Ending,
  words: string,
  reader: Reader,
): PastRound[] {
  const all = wordsOf(words);
  const ends: Record<Ending, (past: PastRound) => boolean> = {
    all: () => true,
    won: (past) => ending(past, reader).net > 0,
    lost: (past) => ending(past, reader).net < 0,
    void: (past) => past.void !== null,
  };
  return rounds.filter((past) => {
    const said = (): string =>
      [
        ending(past, reader).text,
        ...past.events.map((each) => `${tell(each, reader)} ${each.citation ?? ""}`),
        ...past.settlements.map(
          (each) => `${reader.title(each.wager)} ${each.line} ${each.citation}`,
        ),
      ].join(" ");
    return ends[end](past) && (!all.length || holds(said(), all));
  });
}
