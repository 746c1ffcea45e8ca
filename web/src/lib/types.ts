/** What the house says. All but the events comes from the schema of its API. */

import type { components } from "./api";

type Schemas = components["schemas"];

export type Session = Schemas["Session"];
export type TableInLobby = Schemas["TableInLobby"];
export type View = With<
  Schemas["TableView"],
  { seats: Record<string, Chair>; bets: Bet[]; asked: Asked | null; questions: Asked[] }
>;
export type Asked = With<Schemas["Asked"], { moves: Move[] }>;
export type Pot = Schemas["PotInView"];
export type Opening = Schemas["Opening"];
export type Game = Schemas["GameInBooks"];
export type Option = Schemas["GameOption"];
export type Edge = Schemas["Edge"];
export type Exact = Schemas["Exact"];
/** Every area of the felt of a table as it is configured. */
export type Felt = Schemas["Felt"];
export type FeltWager = Schemas["FeltWager"];
export type Reply = With<Schemas["Reply"], { events: TableEvent[] }>;

type With<T, More> = Omit<T, keyof More> & More;

export interface Chair {
  name: string;
  stack: number;
  ready: boolean;
  leaving: boolean;
  waiting: boolean;
  yours: boolean;
  here: boolean;
}

export interface Bet {
  seat: string;
  hand?: string | null; // where it is not the first of the seat
  wager: string;
  stake: number;
}

/** The cards or tiles of each part of a hand that is set: `high` and `low`. */
export type Parts = Record<string, string[]>;

/** A move as it is said: with an amount, with cards, or with a hand in parts. */
export type Answer = string | Record<string, number | string[] | Parts>;

/** A move that may be made: at a cost, for an amount from low to high, with cards out of the hand,
 *  or with the whole hand in parts of these sizes. */
export interface Move {
  move: string;
  costs?: number;
  low?: number;
  high?: number;
  step?: number;
  unit?: string;
  choose?: { least: number; most: number };
  parts?: Record<string, number>;
}

export interface Settlement {
  seat: string;
  hand?: string | null; // where it is not the first of the seat
  wager: string;
  stake: number;
  result: "win" | "lose" | "push" | "void" | "surrender" | "standing";
  line: string;
  pays: string | null;
  net: number;
  vigorish?: number;
  citation: string;
}

/** What happened. Which fields are there follows from its kind. */
export interface TableEvent {
  number: number;
  round: number;
  kind: string;
  at: string;
  citation?: string;
  seat?: string;
  wager?: string;
  stake?: number;
  amount?: number;
  to?: string;
  hand?: string;
  cards?: string[];
  parts?: Parts;
  count?: number; // of cards that were chosen
  pot?: number; // what is in it now
  of?: number; // the pot of which this is won
  tied?: number; // hands that share it
  outcome?: unknown;
  face_down?: boolean;
  text?: string;
  question?: string;
  move?: string;
  name?: string;
  why?: string;
  about?: number;
  seconds?: number;
  odds?: string;
  how?: string;
  returned?: number;
  what?: string;
  resolution?: string;
  form?: string;
  cash?: number;
  idle?: boolean;
  effective_at?: string;
  account?: string;
  options?: Record<string, unknown>;
  settlements?: Settlement[];
  stacks?: Record<string, number>;
  void?: string | null;
}
