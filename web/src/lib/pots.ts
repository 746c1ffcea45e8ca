/** Pots in words: which it is, and who may win it. */

import { seatOf } from "./hands";
import { whose, type Reader } from "./tell";
import type { Pot } from "./types";
import { capital, listed, plain } from "./words";

export interface NamedPot {
  name: string; // `Pot`, or `Main pot`, `Side pot 1`, `Side pot 2`
  amount: number;
  who: string; // `You, seat 2 and the dealer`
}

export function namedPots(pots: readonly Pot[], reader: Reader): NamedPot[] {
  const name = (at: number): string =>
    pots.length < 2 ? "Pot" : at ? `Side pot ${at}` : "Main pot";
  return pots.map(({ amount, hands }, at) => {
    const who = hands.map((hand) =>
      seatOf(hand) ? whose(hand, reader).toLowerCase() : `the ${plain(hand)}`,
    );
    return { name: name(at), amount, who: capital(listed(who)) };
  });
}
