/** The names of hands. The first hand of a seat has the name of the seat, `1`; those that a split
 *  adds are `1.2` and `1.3`. The hand of the dealer and the board belong to no seat. */

const HAND = /^(\d+)(?:\.\d+)?$/;

/** The seat whose hand it is; empty if it is nobody's. */
export const seatOf = (hand: string): string => HAND.exec(hand)?.[1] ?? "";

/** The hands of a seat among these, the first one first. */
export const handsOf = (seat: string, names: Iterable<string>): string[] =>
  [...names].filter((each) => seatOf(each) === seat);

/** These with the hands of a seat side by side, where its first one was. */
export function sideBySide<T>(hands: ReadonlyMap<string, T>): Map<string, T> {
  const number = (name: string): number => Number(name.split(".")[1] ?? 1);
  const placed = new Map<string, T>();
  for (const name of hands.keys()) {
    const seat = seatOf(name);
    const beside = seat ? handsOf(seat, hands.keys()) : [name];
    beside.sort((one, other) => number(one) - number(other));
    for (const each of beside) placed.set(each, hands.get(each)!);
  }
  return placed;
}
