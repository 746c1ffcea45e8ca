/** How a game that is dealt to seats is laid out: what its wagers have to do with one another,
 *  where their circles lie, and what was said of the hands. */

import type { FeltWager, TableEvent } from "./types";

/** What a wager has to do with others of the felt. */
type Tied = Pick<FeltWager, "id" | "spots"> &
  Partial<Pick<FeltWager, "equals" | "joins" | "paid_on">>;

export interface Groups {
  main: string[]; // the first wager, then those of the same bet
  equal: Set<string>; // of the main ones: as much as the first
  sides: string[]; // wagers for themselves
  printed: string[]; // what is paid on another wager
}

export function grouped(wagers: readonly Tied[]): Groups {
  const labels = (some: readonly Tied[]): string[] => some.flatMap((each) => each.spots);
  const joined = new Set(wagers.map((each) => each.joins));
  const printed = wagers.filter((each) => each.paid_on);
  const staked = wagers.filter((each) => !each.paid_on);
  const first = staked.filter((each) => !each.joins && joined.has(each.id));
  const equal = staked.filter((each) => each.joins && each.equals);
  const later = staked.filter((each) => each.joins && !each.equals);
  const sides = staked.filter((each) => !each.joins && !joined.has(each.id));
  const main = labels([...first, ...equal, ...later]);
  if (!main.length) return { main: labels(sides), equal: new Set(), sides: [], printed: [] };
  return { main, equal: new Set(labels(equal)), sides: labels(sides), printed: labels(printed) };
}

export interface Place {
  label: string;
  kind: "circle" | "area" | "printed";
  x: number;
  y: number;
  w: number;
  h: number;
}

const MARGIN = 14;
const [AREA, WIDEST] = [84, 190]; // height of a side wager, and the widest that it gets
const [CIRCLE, SHARE] = [112, 140]; // the widest that a circle gets, and the room around it

/** Everything in a row where there is room; else side wagers in rows above, the circles below. */
export function arranged(groups: Groups, width: number): { places: Place[]; height: number } {
  const { main, sides, printed } = groups;
  const inside = width - 2 * MARGIN;
  const areas = sides.length + printed.length;
  const isOneRow = areas * (WIDEST + MARGIN) + main.length * SHARE <= inside;
  if (isOneRow) {
    const places: Place[] = [];
    let x = (width - areas * (WIDEST + MARGIN) - main.length * SHARE) / 2;
    const put = (
      kind: Place["kind"],
      labels: string[],
      w: number,
      h: number,
      room: number,
    ): void => {
      for (const label of labels) {
        places.push({ label, kind, x: x + (room - w) / 2, y: MARGIN + (CIRCLE - h) / 2, w, h });
        x += room;
      }
    };
    put("area", sides, WIDEST, AREA, WIDEST + MARGIN);
    put("circle", main, CIRCLE, CIRCLE, SHARE);
    put("printed", printed, WIDEST, AREA, WIDEST + MARGIN);
    return { places, height: CIRCLE + 2 * MARGIN };
  }
  const above: [Place["kind"], string][] = [
    ...sides.map((label): [Place["kind"], string] => ["area", label]),
    ...printed.map((label): [Place["kind"], string] => ["printed", label]),
  ];
  const perRow = width < 500 ? 2 : 4;
  const across = Math.ceil(areas / Math.max(1, Math.ceil(areas / perRow)));
  const w = Math.min(WIDEST, (inside - (across - 1) * MARGIN) / across);
  const places = above.map(([kind, label], at): Place => {
    const inRow = Math.min(across, areas - across * Math.floor(at / across));
    const left = (width - inRow * (w + MARGIN) + MARGIN) / 2;
    const y = MARGIN + Math.floor(at / across) * (AREA + MARGIN);
    return { label, kind, x: left + (at % across) * (w + MARGIN), y, w, h: AREA };
  });
  const y = MARGIN + Math.ceil(areas / Math.max(1, across)) * (AREA + MARGIN);
  const share = Math.min(inside / Math.max(1, main.length), SHARE);
  const d = Math.min(CIRCLE, share - MARGIN);
  main.forEach((label, at) => {
    const x = width / 2 + (at - main.length / 2) * share + (share - d) / 2;
    places.push({ label, kind: "circle", x, y, w: d, h: d });
  });
  return { places, height: y + d + MARGIN };
}

/** Lines of a pay table, those that pay most first. */
export function best(pays: FeltWager["pays"]): FeltWager["pays"] {
  const worth = ({ odds }: { odds: string }): number => {
    const [pays = 0, of = 1] = odds.replaceAll(",", "").split(" to ").map(Number);
    return pays / of;
  };
  return [...pays].sort((one, other) => worth(other) - worth(one));
}

/** The first words of what a hand comes to: `two pairs, jacks and twos`. */
export const briefly = (worth: string): string => worth.split(/, |: /).slice(0, 2).join(", ");

/** What was said of each hand, by its name: `two pairs, jacks and twos`. */
export function worths(events: readonly TableEvent[]): Map<string, string> {
  const said = new Map<string, string>();
  for (const { kind, text = "" } of events) {
    const [, dealer, seat, worth = ""] = /^(?:(Dealer)|Seat (\w+)) has (.+)$/.exec(text) ?? [];
    if (kind === "announce" && worth) said.set(dealer ? "dealer" : (seat ?? ""), worth);
  }
  return said;
}

/** What became of each hand, by its name: that it folded, and what it won or lost once the round is
 *  over. What a seat won or lost with all its hands is under the seat. */
export function fates(
  events: readonly TableEvent[],
): Map<string, { folded: boolean; net: number | null }> {
  const found = new Map<string, { folded: boolean; net: number | null }>();
  const of = (seat: string): { folded: boolean; net: number | null } =>
    found.get(seat) ?? { folded: false, net: null };
  for (const { kind, seat = "", hand = seat, move, settlements = [] } of events) {
    if (kind === "decision" && move === "fold") found.set(hand, { ...of(hand), folded: true });
    for (const each of settlements)
      found.set(each.seat, { ...of(each.seat), net: (of(each.seat).net ?? 0) + each.net });
  }
  return found;
}
