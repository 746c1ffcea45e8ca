/** The wheel and the cloth of pokette: ranks run along it from the Jacers, suits across it. */

import type { Place } from "./layout";

const RANKS = [..."AKQJT98765432"];
const SUITS = [..."shcd"];
const JACER = "jacer";
export const OUTER = 0.9; // how wide a row outside the cards is
export const OUTSIDE = 3; // such rows
export const ALONG = RANKS.length + 2; // cells: Jacers, ranks, suits

/** The stops: the cards suit by suit, each suit headed by what else is on the wheel. */
export function rimOf(options: Record<string, unknown>): string[] {
  const jacers = Number(options.jacer_stops ?? 4);
  const blanks = Number(options.wheel_stops ?? 52 + jacers) - 52 - jacers;
  const named = (name: string, count: number): string[] =>
    Array.from({ length: Math.max(0, count) }, (_, at) => `${name}${at + 1}`);
  const extra = [...named(JACER, jacers), ...named("blank", blanks)];
  return SUITS.flatMap((suit, at) => [
    ...extra.filter((_, index) => index % SUITS.length === at),
    ...RANKS.map((rank) => rank + suit),
  ]);
}

/** All Jacers are alike. */
export const kindOf = (stop: string): string => stop.replace(/^([a-z]+)\d+$/, "$1");
export const toneOf = (stop: string): string => {
  if (stop.startsWith(JACER)) return "gold";
  if (stop.startsWith("blank")) return "brown";
  return /[hd]$/.test(stop) ? "red" : "black";
};

const GROUPS = ["rank_akq", "rank_jt9", "rank_876", "rank_543"];
const COLORS = ["black", "red"];

/** The middle of a stop on the grid. */
function middle(stop: string): [along: number, across: number] {
  if (stop.startsWith(JACER)) return [0.5, Number(stop.slice(JACER.length)) - 0.5];
  return [RANKS.indexOf(stop[0]!) + 1.5, SUITS.indexOf(stop[1]!) + 0.5];
}

function placeOf(label: string): Place | null {
  const [id = "", spot = ""] = label.split(":");
  const area = (along: number, across: number, long = 1, wide = 1): Place => ({
    label,
    along,
    across,
    long,
    wide,
    isDot: false,
  });
  const dot = (along: number, across: number): Place => ({
    ...area(along, across, 0, 0),
    isDot: true,
  });
  switch (id) {
    case "single_card": {
      const [along, across] = middle(spot);
      return area(along - 0.5, across - 0.5);
    }
    case "split":
    case "corner": {
      const stops = spot.split("-").map(middle);
      const mean = (axis: 0 | 1): number =>
        stops.reduce((sum, each) => sum + each[axis], 0) / stops.length;
      return dot(mean(0), mean(1));
    }
    case "jacer":
      return area(0, 0, 1, SUITS.length);
    case "suit":
      return area(RANKS.length + 1, SUITS.indexOf(spot));
    case "single_rank":
      return area(RANKS.indexOf(spot) + 1, -OUTER, 1, OUTER);
    case "double_rank":
      return dot(RANKS.indexOf(spot[0]!) + 2, -OUTER / 2);
  }
  if (GROUPS.includes(id)) return area(1 + 3 * GROUPS.indexOf(id), -2 * OUTER, 3, OUTER);
  const half = RANKS.length / 2;
  if (COLORS.includes(id)) return area(1 + half * COLORS.indexOf(id), -3 * OUTER, half, OUTER);
  return null;
}

/** Where each of the labels lies, dots last; and those that have no place. */
export function cloth(labels: readonly string[]): { places: Place[]; rest: string[] } {
  const found = labels.map((label) => ({ label, place: placeOf(label) }));
  const places = found.flatMap(({ place }) => place ?? []);
  return {
    places: places.sort((one, other) => Number(one.isDot) - Number(other.isDot)),
    rest: found.filter(({ place }) => !place).map(({ label }) => label),
  };
}
