/** What lies on the layout after a number of events. */

import { isPiece, type Card } from "./cards";
import { sideBySide } from "./hands";
import type { Parts, TableEvent, View } from "./types";

export interface Laid {
  hands: Map<string, Card[]>; // by name: `1`, `1.2`, or such as `dealer` or `community`
  parts: Map<string, Parts>; // of hands that are set, as far as they are seen
  set: Set<string>; // hands that are set, seen or not
  outcomes: unknown[]; // throws, spins and draws that belong to nobody
}

/** The card that was dealt last, face down, is looked at. */
function lookAt(hand: Card[], card: string): void {
  const at = hand.lastIndexOf(null);
  hand[at < 0 ? hand.length : at] = card;
}

/** Cards are turned. Some may be known already, and a shoe of many decks holds the same twice. */
function turnUp(hand: Card[], cards: readonly string[]): void {
  const known = hand.filter((each) => each !== null);
  cards.forEach((card, at) => {
    const down = hand.filter((each) => each === null).length;
    if (down < cards.length - at && known.includes(card)) known.splice(known.indexOf(card), 1);
    else hand[down ? hand.indexOf(null) : hand.length] = card;
  });
}

/** Cards leave a hand. Those that are not in it are passed over. */
function takeOut(hand: Card[], cards: readonly Card[]): void {
  for (const card of cards) {
    const at = hand.indexOf(card);
    if (at >= 0) hand.splice(at, 1);
  }
}

/** So many cards leave a hand. Which they are is told to the player alone, if they lie face down. */
function takeOutUnseen(hand: Card[], count: number): void {
  const down = hand.filter((each) => each === null).length;
  if (down >= count) takeOut(hand, Array<null>(count).fill(null));
}

export function laidOut(events: readonly TableEvent[]): Laid {
  const hands = new Map<string, Card[]>();
  const parts = new Map<string, Parts>();
  const set = new Set<string>();
  const outcomes: unknown[] = [];
  const hand = (name: string): Card[] => {
    const found = hands.get(name) ?? [];
    hands.set(name, found);
    return found;
  };
  for (const event of events) {
    const { kind, to, seat, outcome } = event;
    const name = event.hand ?? seat ?? "";
    if (kind === "look" && isPiece(outcome)) {
      if (!seat) lookAt(hand(to ?? ""), outcome);
      else turnUp(hand(to ?? seat), [outcome]);
    } else if (kind === "reveal") {
      turnUp(hand(name), event.cards ?? []);
      if (event.parts) parts.set(name, event.parts);
    } else if (kind === "split" && to) hand(to).push(...hand(name).splice(1, 1));
    else if (kind === "set" && to) set.add(to);
    else if (kind === "decision") {
      if (event.count) takeOutUnseen(hand(name), event.count);
    } else if (kind === "chosen") {
      if (event.parts) parts.set(name, event.parts);
      else takeOut(hand(name), event.cards ?? []);
    } else if (to && event.face_down) hand(to).push(null);
    else if (to && isPiece(outcome)) hand(to).push(outcome);
    else if ("outcome" in event) outcomes.push(outcome);
  }
  return { hands: sideBySide(hands), parts, set, outcomes };
}

/** The same, with the hands that the house shows now as it shows them. */
export function asShown(laid: Laid, shown: View["hands"]): Laid {
  const hands = new Map(laid.hands);
  const parts = new Map(laid.parts);
  for (const [name, hand] of Object.entries(shown)) {
    hands.set(name, hand.cards);
    if (hand.parts) parts.set(name, hand.parts);
  }
  return { ...laid, hands: sideBySide(hands), parts };
}

/** Something came onto the layout. */
export const isLaid = (event: TableEvent): boolean =>
  "outcome" in event || Boolean(event.face_down) || event.kind === "reveal";
