/** What lies on the layout after a number of events. */

import { isCard, type Card } from "./cards";
import type { TableEvent } from "./types";

export interface Laid {
  hands: Map<string, Card[]>; // by seat, or by a name such as `dealer` or `community`
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

export function laidOut(events: readonly TableEvent[]): Laid {
  const hands = new Map<string, Card[]>();
  const outcomes: unknown[] = [];
  const hand = (name: string): Card[] => {
    const found = hands.get(name) ?? [];
    hands.set(name, found);
    return found;
  };
  for (const event of events) {
    const { kind, to, seat, outcome } = event;
    if (kind === "look" && isCard(outcome)) {
      if (!seat) lookAt(hand(to ?? ""), outcome);
      else turnUp(hand(to ?? seat), [outcome]);
    } else if (kind === "reveal") turnUp(hand(event.hand ?? ""), event.cards ?? []);
    else if (to && event.face_down) hand(to).push(null);
    else if (to && isCard(outcome)) hand(to).push(outcome);
    else if ("outcome" in event) outcomes.push(outcome);
  }
  return { hands, outcomes };
}

/** Something came onto the layout. */
export const isLaid = (event: TableEvent): boolean =>
  "outcome" in event || Boolean(event.face_down) || event.kind === "reveal";
