/** Keno tickets: how they are written and read. */

export const NUMBERS = 80;

export interface Ticket {
  groups: number[][]; // of marked numbers
  sizes: number[]; // of the ways that are played; a straight ticket has none
  isKing: boolean; // a number that stands alone joins other groups and never plays alone
  races: number; // games
}

export const inOrder = (numbers: readonly number[]): number[] =>
  [...numbers].sort((one, other) => one - other);

/** What the table calls a ticket; empty while it is not finished. */
export function labelOf({ groups, sizes, isKing, races }: Ticket): string {
  const marked = groups.filter((each) => each.length).map((each) => inOrder(each).join("-"));
  const [only] = marked;
  if (only === undefined) return "";
  let label = `straight_${only.split("-").length}:${only}`;
  if (marked.length > 1) {
    if (!sizes.length) return "";
    const kind = isKing ? "king" : sizes.length > 1 ? "combination" : "way";
    label = `${kind}:${marked.join("/")}@${inOrder(sizes).join("+")}`;
  }
  return races > 1 ? `multi_race:${races}*${label}` : label;
}

/** The ticket that a label stands for. */
export function ticketOf(label: string): Ticket {
  const [, races = "1", kind = "", text = ""] =
    /^(?:multi_race:(\d+)\*)?(\w+):(.*)$/.exec(label) ?? [];
  const [marked = "", conditions = ""] = text.split("@");
  const numbers = (list: string): number[] => list.split("-").map(Number).filter(Boolean);
  return {
    groups: marked.split("/").map(numbers),
    sizes: conditions ? conditions.split("+").map((each) => Number.parseInt(each, 10)) : [],
    isKing: kind === "king",
    races: Number(races),
  };
}

/** How many ways of each size the groups make. */
export function waysOf({ groups, isKing }: Pick<Ticket, "groups" | "isKing">): Map<number, number> {
  const lengths = groups.map((each) => each.length).filter(Boolean);
  let sums: { size: number; count: number }[] = [{ size: 0, count: 0 }]; // of groups taken so far
  for (const length of lengths)
    sums = sums.flatMap((each) => [each, { size: each.size + length, count: each.count + 1 }]);
  const ways = new Map<number, number>();
  for (const { size, count } of sums) {
    const isAlone = isKing && count === 1 && size === 1;
    if (count && !isAlone) ways.set(size, (ways.get(size) ?? 0) + 1);
  }
  return ways;
}

/** The equal parts into which the price of a ticket is split: its ways, in each of its games. */
export function partsOf(ticket: Ticket): number {
  const ways = waysOf(ticket);
  const each = ticket.sizes.reduce((sum, size) => sum + (ways.get(size) ?? 0), 0);
  return ticket.races * (ticket.sizes.length ? each : 1);
}

/** In words: `4 spots: 7 21 30 66`. */
export function told(label: string): string {
  const { groups, sizes, isKing, races } = ticketOf(label);
  const marked = groups.map((each) => each.join(" ")).join(" / ");
  const spots = (count: number): string => `${count} spot${count === 1 ? "" : "s"}`;
  const what = sizes.length
    ? `${isKing ? "King, ways" : "Ways"} of ${sizes.join(" and ")}`
    : spots(groups[0]?.length ?? 0);
  return `${what}: ${marked}${races > 1 ? `, ${races} games` : ""}`;
}

/** Numbers by chance, no two alike. */
export function pick(
  count: number,
  below = (most: number) => Math.floor(Math.random() * most),
): number[] {
  const left = Array.from({ length: NUMBERS }, (_, at) => at + 1);
  const picked = Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]!);
  return inOrder(picked);
}

/** What one size of way is paid, from the card as the house words it. */
export function payLines(card: string, size: number): string[] {
  const row = card.split("; ").find((each) => each.startsWith(`${size} spot`));
  return row?.split(": ")[1]?.split(", ") ?? [];
}
