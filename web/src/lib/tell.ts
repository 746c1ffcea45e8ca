/** Words for what happened at a table. */

import { cardText } from "./cards";
import { seatOf } from "./hands";
import { capital, dollars, moment, plain, plural, sentence } from "./words";
import type { Bet, Parts, Settlement, TableEvent } from "./types";

/** Who reads, and what wagers are called. */
export interface Reader {
  seats: readonly string[]; // their own
  title(label: string): string;
}

/** A hand, or the seat whose first hand it is: `Seat 1`, `Seat 1, hand 1.2`, `Dealer`. */
export function handName(name: string): string {
  const seat = seatOf(name);
  if (!seat) return capital(plain(name));
  return name === seat ? `Seat ${seat}` : `Seat ${seat}, hand ${name}`;
}

export function whose(hand: string, { seats }: Reader): string {
  const seat = seatOf(hand);
  if (!seats.includes(seat)) return handName(hand);
  if (hand !== seat) return `Your hand ${hand}`;
  return seats.length > 1 ? `You (seat ${seat})` : "You";
}

/** Whose wager it is, where the reader has to be told: `Seat 2`, `Hand 1.2`. */
export function owner({ seat, hand }: Pick<Bet, "seat" | "hand">, { seats }: Reader): string {
  if (seats.length !== 1 || !seats.includes(seat)) return handName(hand ?? seat);
  return hand ? `Hand ${hand}` : "";
}

export const outcomeText = (outcome: unknown, card = cardText): string =>
  Array.isArray(outcome) ? outcome.join("-") : card(outcome);

/** `high A♥, K♥, Q♥, 7♣, 2♦; low 9♣, 9♦` */
export const inPartsText = (parts: Parts, card: (card: unknown) => string = cardText): string =>
  Object.entries(parts)
    .map(([part, cards]) => `${plain(part)} ${cards.map((each) => card(each)).join(", ")}`)
    .join("; ");

export const changes = (options: Record<string, unknown>): string =>
  Object.entries(options)
    .map(([id, value]) => {
      const shown = /_(min|max)/.test(id) ? dollars(Number(value)) : JSON.stringify(value);
      return `${plain(id)} ${shown}`;
    })
    .join(", ");

type Tell = (event: TableEvent, reader: Reader, card: (card: unknown) => string) => string;

const of = (e: TableEvent, reader: Reader): string => {
  const title = reader.title(e.wager ?? "");
  if (!reader.seats.includes(e.seat ?? ""))
    return `${title} of ${handName(e.hand ?? e.seat ?? "").toLowerCase()}`;
  return e.hand ? `${title} of hand ${e.hand}` : title;
};
const shownTo: Tell = (e, reader, card) => {
  const what = "outcome" in e ? outcomeText(e.outcome, card) : "face down";
  return e.to ? `${whose(e.to, reader)}: ${what}` : capital(`${plain(e.kind)}: ${what}`);
};
const amount = (e: TableEvent): string => dollars(e.amount ?? 0);
const stake = (e: TableEvent): string => dollars(e.stake ?? 0);
const seat = (e: TableEvent, reader: Reader): string => whose(e.seat ?? "", reader);
const hand = (e: TableEvent, reader: Reader): string => whose(e.hand ?? e.seat ?? "", reader);
/** The reader does what others do: `You win`, `Seat 2 wins`, `Your hand 1.2 wins`. */
const does = (e: TableEvent, reader: Reader, you: string, they: string): string => {
  const name = e.hand ?? e.seat ?? e.to ?? "";
  if (!seatOf(name)) return `The ${plain(name)} ${they}`;
  return `${whose(name, reader)} ${reader.seats.includes(name) ? you : they}`;
};
const pot = (e: TableEvent): string => `the pot, which now holds ${dollars(e.pot ?? 0)}`;

const WORDS: Record<string, Tell> = {
  announce: (e) => `“${e.text}”`,
  step: (e) => sentence(e.text ?? ""),
  spin: shownTo,
  throw: shownTo,
  draw: shownTo,
  look: shownTo,
  set_aside: (e, r, card) => `${shownTo(e, r, card)}, which was set aside`,
  reveal: (e, r, card) => {
    const shown = e.parts ? inPartsText(e.parts, card) : (e.cards ?? []).map(card).join(", ");
    return `${whose(e.hand ?? "", r)}: ${shown}`;
  },
  decision: (e, r) => {
    const chosen = e.count === undefined ? "" : ` ${plural(e.count, "card")}`;
    const much = e.amount ? ` ${amount(e)}` : e.cards ? ` at card ${String(e.cards)}` : chosen;
    const question = e.question?.endsWith("?") ? e.question : `${e.question}:`;
    return `${hand(e, r)}, ${question} ${capital(plain(e.move))}${much}.`;
  },
  answered: (e, r) => {
    const about = e.hand ? ` about hand ${e.hand}` : "";
    return `${does({ ...e, hand: undefined }, r, "have", "has")} answered${about}.`;
  },
  chosen: (e, r, card) => {
    const cards = (e.cards ?? []).map(card).join(", ") || "nothing";
    return `${hand(e, r)}: ${plain(e.move)} ${e.parts ? inPartsText(e.parts, card) : cards}.`;
  },
  split: (e, r) => `${does(e, r, "split", "splits")}: the second card begins hand ${e.to}.`,
  set: (e, r) => `${whose(e.to ?? "", r)}: the hand is set.`,
  irregularity: (e) => `${capital(e.what ?? "")}: ${e.resolution}.`,
  wager: (e, r) => `${stake(e)} on ${of(e, r)}.`,
  reduce: (e, r) => `${stake(e)} is left on ${of(e, r)}.`,
  take_down: (e, r) => `${of(e, r)} is taken down.`,
  collect: (e, r) => {
    const rest = e.returned ? ` and returns ${dollars(e.returned)}` : "";
    return `The dealer takes ${amount(e)}${rest}: ${of(e, r)}.`;
  },
  pay: (e, r) => `The dealer pays ${amount(e)}: ${of(e, r)}${e.odds ? `, ${e.odds}` : ""}.`,
  return: (e, r) => `The dealer returns ${of(e, r)}.`,
  refund: (e, r) =>
    e.wager
      ? `The dealer returns ${amount(e)} of ${of(e, r)}.`
      : `${amount(e)} that nobody has matched goes back to the ${plain(e.to)}.`,
  pot: (e, r) =>
    e.wager
      ? `${amount(e)} of ${of(e, r)} goes into ${pot(e)}.`
      : `The house puts ${amount(e)} for the ${plain(e.to)} into ${pot(e)}.`,
  rake: (e) => `The house takes ${amount(e)} out of ${pot(e)}.`,
  award: (e, r) => {
    const { of: whole = 0, tied = 1 } = e;
    const pot = `pot of ${dollars(whole)}`;
    const what = tied > 1 ? `${amount(e)} of a ${pot}, which ${tied} hands share` : `the ${pot}`;
    return `${does(e, r, "win", "wins")} ${what}.`;
  },
  vigorish: (e, r) => {
    const what = `vigorish of ${amount(e)}`;
    if (e.how === "collected") return `The dealer collects ${what} from seat ${e.seat}.`;
    return `The dealer ${e.how === "taken" ? "takes" : "marks"} ${what}: ${of(e, r)}.`;
  },
  complimentary_vigorish: (e) => `Vigorish of ${amount(e)} is not collected: form ${e.form}.`,
  score: (e, r) => `${of(e, r)} has ${e.to?.replaceAll("-", ", ")}.`,
  travel: (e, r) => {
    const to = seatOf(e.to ?? "") ? `hand ${e.to}` : r.title(e.to ?? "");
    return `${of(e, r)} moves to ${to}.`;
  },
  opened: (e) => `The table ${e.name} is opened.`,
  seated: (e) => `${e.name} takes seat ${e.seat}.`,
  leaving: (e) => {
    const why = e.idle ? "was idle, and " : "";
    return `Seat ${e.seat} ${why}leaves as soon as nothing of it is on the layout.`;
  },
  left: (e) => `${e.name} leaves seat ${e.seat} with ${dollars(e.cash ?? 0)}.`,
  control: (e) => `Seat ${e.seat} is played from another place now.`,
  dealer: (e) => (e.name ? `${e.name} deals.` : "The dealer's chair is free."),
  ready: (e, r) => `${seat(e, r)}: ready.`,
  betting_closes: (e) => `No more bets in ${e.seconds} seconds.`,
  betting_goes_on: () => "The betting goes on.",
  time_up: (e, r) => `Time is up for ${hand(e, r).toLowerCase()}: ${plain(e.move)}.`,
  asked: (e, r) => `${hand(e, r)}: ${e.question}`,
  round_over: (e) => (e.void ? `Round ${e.round} is void.` : `Round ${e.round} is over.`),
  notice: (e) => `Notice: from ${moment(e.effective_at ?? e.at)} on, ${changes(e.options ?? {})}.`,
  options_changed: () => "The rules on the notice are in force.",
  notice_withdrawn: (e) => `The notice is withdrawn: ${e.why}`,
  software: () => "The table is run by other software now.",
  frozen: (e) => `The table is frozen: ${e.why}`,
  thawed: (e) => `The table goes on: ${e.why}`,
  dispute: (e) => `Round ${e.about} is disputed: ${e.why}`,
  correction: (e) => {
    const to = handName(e.account ?? "").toLowerCase();
    return `Correction of round ${e.about}: ${amount(e)} to ${to}: ${e.why}`;
  },
  closing: (e) => `The table is closing: ${e.why}`,
  closed: () => "The table is closed.",
  buy_in: (e, r) => `${seat(e, r)}: buys in for ${amount(e)}.`,
  cash_out: (e, r) => `${seat(e, r)}: cashes out ${amount(e)}.`,
};

export function tell(event: TableEvent, reader: Reader, card = cardText): string {
  return WORDS[event.kind]?.(event, reader, card) ?? capital(plain(event.kind));
}

export const RESULTS: Record<Settlement["result"], string> = {
  win: "won",
  lose: "lost",
  push: "pushed",
  void: "returned",
  surrender: "surrendered",
  standing: "stands",
};

export interface Summary {
  round: number;
  rows: Settlement[]; // of the reader's seats, or everybody's if he has none
  net: number;
  text: string;
}

/** How a round ended for the reader, or for everybody if he had no part in it. */
export function summary(over: TableEvent, { seats }: Reader): Summary {
  const all = over.settlements ?? [];
  const own = all.filter((each) => seats.includes(each.seat));
  const net = own.reduce((sum, each) => sum + each.net, 0);
  const ending = (): string => {
    if (over.void) return ` is void [${over.void}]; wagers are returned`;
    if (!own.length) return " is over";
    if (net > 0) return `: you win ${dollars(net)}`;
    if (net < 0) return `: you lose ${dollars(-net)}`;
    return own.every((each) => each.result === "standing")
      ? ": your wagers stand"
      : ": you break even";
  };
  const rows = seats.length ? own : all;
  return { round: over.round, rows, net, text: `Round ${over.round}${ending()}.` };
}
