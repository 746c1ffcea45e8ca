/** Questions that wait for an answer: what each is about, and whom the table waits for. */

import { handsOf } from "./hands";
import { handName } from "./tell";
import type { Asked, Bet } from "./types";
import { listed } from "./words";

/** The name of the hand that is asked about. */
export const about = ({ hand, seat }: Pick<Bet, "hand" | "seat">): string => hand ?? seat;

/** Which of our hands is asked about, where we have several: `Seat 2`, `Hand 1.2`. */
export function subject(
  asked: Pick<Bet, "hand" | "seat">,
  seats: readonly string[],
  hands: Iterable<string>,
): string {
  const { seat } = asked;
  const isOneOfMany = about(asked) !== seat || handsOf(seat, hands).length > 1;
  if (!isOneOfMany) return seats.length > 1 ? handName(seat) : "";
  return seats.length > 1 ? `Seat ${seat}, hand ${about(asked)}` : `Hand ${about(asked)}`;
}

/** The seats that are asked, each once. */
export const seatsAsked = (questions: readonly Asked[]): string[] => [
  ...new Set(questions.map((each) => each.seat)),
];

/** `seat 2 and seat 5` */
export const seatsInWords = (seats: readonly string[]): string =>
  listed(seats.map((seat) => handName(seat).toLowerCase()));
