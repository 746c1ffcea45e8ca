/** Words for what happened at a table. */

import { cardText } from "./cards";
import { capital, dollars, moment, plain, sentence } from "./words";
import type { Settlement, TableEvent } from "./types";

/** Who reads, and what wagers are called. */
export interface Reader {
  seats: readonly string[]; // his own
  title(label: string): string;
}

export const handName = (name: string): string =>
  /^\d+$/.test(name) ? `Seat ${name}` : capital(plain(name));

export function whose(seat: string, { seats }: Reader): string {
  if (!seats.includes(seat)) return handName(seat);
  return seats.length > 1 ? `You (seat ${seat})` : "You";
}

export const outcomeText = (outcome: unknown, card = cardText): string =>
  Array.isArray(outcome) ? outcome.join("-") : card(outcome);

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
  return reader.seats.includes(e.seat ?? "") ? title : `${title} of seat ${e.seat}`;
};
const shownTo: Tell = (e, reader, card) => {
  const what = "outcome" in e ? outcomeText(e.outcome, card) : "face down";
  return e.to ? `${whose(e.to, reader)}: ${what}` : capital(`${plain(e.kind)}: ${what}`);
};
const amount = (e: TableEvent): string => dollars(e.amount ?? 0);
const stake = (e: TableEvent): string => dollars(e.stake ?? 0);
const seat = (e: TableEvent, reader: Reader): string => whose(e.seat ?? "", reader);

const WORDS: Record<string, Tell> = {
  announce: (e) => `“${e.text}”`,
  step: (e) => sentence(e.text ?? ""),
  spin: shownTo,
  throw: shownTo,
  draw: shownTo,
  look: shownTo,
  set_aside: (e, r, card) => `${shownTo(e, r, card)}, which was set aside`,
  reveal: (e, r, card) => `${whose(e.hand ?? "", r)}: ${(e.cards ?? []).map(card).join(", ")}`,
  decision: (e, r) => {
    const much = e.amount ? ` ${amount(e)}` : e.cards ? ` at card ${String(e.cards)}` : "";
    const question = e.question?.endsWith("?") ? e.question : `${e.question}:`;
    return `${seat(e, r)}, ${question} ${capital(plain(e.move))}${much}.`;
  },
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
  refund: (e, r) => `The dealer returns ${amount(e)} of ${of(e, r)}.`,
  vigorish: (e, r) => {
    const what = `vigorish of ${amount(e)}`;
    if (e.how === "collected") return `The dealer collects ${what} from seat ${e.seat}.`;
    return `The dealer ${e.how === "taken" ? "takes" : "marks"} ${what}: ${of(e, r)}.`;
  },
  complimentary_vigorish: (e) => `Vigorish of ${amount(e)} is not collected: form ${e.form}.`,
  score: (e, r) => `${of(e, r)} has ${e.to?.replaceAll("-", ", ")}.`,
  travel: (e, r) => `${of(e, r)} moves to ${r.title(e.to ?? "")}.`,
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
  time_up: (e, r) => `Time is up for ${seat(e, r).toLowerCase()}: ${plain(e.move)}.`,
  asked: (e, r) => `${seat(e, r)}: ${e.question}`,
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
