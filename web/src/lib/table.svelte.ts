/** A live table as this browser knows it: its view, its events, our seats and our commands.
 *
 * It decides no rule. What may be wagered and done the server says; what the table looks like
 * follows from its view and its events.
 */

import { getContext, setContext } from "svelte";
import { cardName, cardText, spotText } from "./cards";
import { Gone, house, newSecret, PATIENCE, Refused, sleep, Unreachable } from "./house.svelte";
import { asShown, isLaid, laidOut, type Laid } from "./laid";
import { about } from "./questions";
import { store, stored } from "./settings.svelte";
import { sound } from "./sound";
import { listen, LineRefused } from "./stream";
import { summary, tell, type Reader, type Summary } from "./tell";
import type {
  Answer,
  Asked,
  Bet,
  Felt,
  FeltWager,
  Game,
  Opening,
  Reply,
  Settlement,
  TableEvent,
  View,
} from "./types";
import { payable } from "./typed";
import { dollars, plain } from "./words";

const QUIET = 1500; // milliseconds: a line that is lost for less is not worth telling of
const OFTEN = 150; // between two looks at a table
const MOST = 4000; // events that are kept

const setOf = (words: string): Set<string> => new Set(words.trim().split(/\s+/));

// What may happen while the betting is open.
const BEFORE = setOf(`
  opened seated leaving left control dealer ready betting_closes betting_goes_on buy_in cash_out
  wager reduce take_down vigorish notice options_changed notice_withdrawn software frozen thawed
  correction dispute closing
`);
// What says how much lies on a wager from then on.
const SETS = setOf("wager reduce take_down");
// What is said aloud.
const ALOUD = setOf(`
  announce spin throw reveal look split award betting_closes dealer irregularity time_up notice
  frozen thawed closing closed
`);

type Wagers = Record<string, number>;

export class Table implements Reader {
  view: View | null = $state.raw(null);
  game: Game | null = $state.raw(null);
  felt: Felt | null = $state.raw(null);
  openings: Opening[] = $state.raw([]);
  told: TableEvent[] = $state.raw([]); // by number
  seat = $state(""); // for which we wager
  inHand = $state(stored<number>("chip") ?? 500); // the amount that a click adds, in cents
  about = $state(""); // the wager that is pointed at
  refusal: { wager: string; text: string; citation: string } | null = $state(null);
  lost = $state(""); // why we wait
  deadline: number | null = $state(null); // of performance.now()
  trouble = $state(""); // why it cannot be shown
  wantsSeat = $state(false); // somebody without a seat tried to wager
  standing: readonly string[] = $state.raw([]); // defaults of offers that are taken at once
  undone: Wagers[] = $state([]); // what to set wagers back to
  redone: Wagers[] = $state([]);
  #elsewhere = $state(false); // another session plays our seats
  #tab: "asking" | "ours" | "other" = $state(navigator.locks ? "asking" : "ours");
  #numbers = new Set<number>();
  #heard = 0; // the last number that the stream has told
  #own = new Set<number>(); // numbers of events that our own commands caused
  #queue: Promise<unknown> = Promise.resolve();
  #looked = -Infinity;
  #looking: Promise<void> | null = null;
  #wanted = false;
  #connected = false;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #waiting: AbortController | null = null;
  #release: (() => void) | undefined;
  #answered = new Set<number>(); // questions, by number
  #stop = new AbortController();

  /** Our seats. */
  seats: string[] = $derived(
    Object.entries(this.view?.seats ?? {})
      .filter(([, chair]) => chair.yours)
      .map(([seat]) => seat),
  );
  /** Nobody else plays them. */
  isOurs: boolean = $derived(!this.#elsewhere && this.#tab !== "other");
  /** Wagers may be made from here and now. */
  isOpen: boolean = $derived(
    this.view?.phase === "betting" &&
      this.view.status === "open" &&
      this.isOurs &&
      this.seat !== "" &&
      !this.view.seats[this.seat]?.waiting,
  );
  /** What lies on the layout: as the view says, and what was told since. */
  bets: Bet[] = $derived.by(() => this.#lying());
  mine: Bet[] = $derived(this.bets.filter((each) => each.seat === this.seat));
  #open = $derived(new Map(this.openings.map((each) => [each.wager, each])));
  /** The end of the last round. */
  over: TableEvent | undefined = $derived(this.told.findLast((each) => each.kind === "round_over"));
  /** What won in the last round, until chips move again. */
  wins: Settlement[] = $derived.by(() => {
    const { over } = this;
    const since = over && this.told.some((e) => e.number > over.number && SETS.has(e.kind));
    return since ? [] : (over?.settlements ?? []).filter((each) => each.result === "win");
  });
  /** What we are asked: one question after the other. */
  ourQuestions: Asked[] = $derived.by(() => {
    if (!this.isOurs || this.view?.status === "frozen") return [];
    const ours = this.view?.questions.filter((each) => this.seats.includes(each.seat));
    return ours?.filter((each) => !this.takes(each)) ?? [];
  });
  asked: Asked | null = $derived(this.ourQuestions[0] ?? null);
  /** We have answered, and others who were asked at the same time have not. */
  hasAnswered: boolean = $derived.by(() => {
    const waiting = this.view?.questions ?? [];
    const first = Math.min(...waiting.map((each) => each.number));
    const isOurs = (seat = ""): boolean => this.seats.includes(seat);
    if (!waiting.length || waiting.some((each) => isOurs(each.seat))) return false;
    return this.told.some((e) => e.kind === "answered" && e.number > first && isOurs(e.seat));
  });
  /** The events of the round whose cards lie on the layout. */
  playing: TableEvent[] = $derived.by(() => {
    const laid = this.told.findLast(isLaid);
    return laid ? this.told.filter((each) => each.round === laid.round) : [];
  });
  /** As it follows from the events; the house alone knows which cards have left a hand. */
  laid: Laid = $derived.by(() => {
    const laid = laidOut(this.playing);
    const { view } = this;
    const last = this.playing.at(-1);
    const isNow = view && last && view.round === last.round && view.number >= last.number;
    return isNow ? asShown(laid, view.hands) : laid;
  });
  /** How the last round ended. */
  result: Summary | null = $derived(this.over ? summary(this.over, this) : null);
  lastWagers: [string, number][] = $derived.by(() => this.#last());

  constructor(readonly id: string) {}

  get isGone(): boolean {
    return this.#stop.signal.aborted;
  }

  async open(): Promise<void> {
    try {
      const view = await this.ask<View>("GET", "", { patience: PATIENCE });
      [this.game, this.felt] = await Promise.all([
        house.get<Game>(`/games/${view.game}`),
        this.ask<Felt>("GET", "/felt", { patience: PATIENCE }),
      ]);
      await this.#recall(Math.max(0, Math.min(view.round_began, view.number - 250)));
      this.#heard = view.number;
      await this.look();
      void this.#follow();
    } catch (error) {
      if (error instanceof Gone) return;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void {
    this.#stop.abort();
    this.#waiting?.abort();
    this.#release?.();
  }

  async ask<T>(
    method: "GET" | "POST",
    path: string,
    given: { body?: unknown; key?: string; patience?: number } = {},
  ): Promise<T> {
    const said = await house.ask<T>(method, `/tables/${this.id}${path}`, given);
    if (this.isGone) throw new Gone();
    return said;
  }

  // What happens.

  async #recall(after: number): Promise<void> {
    for (let page: TableEvent[] = []; ;) {
      page = await this.ask("GET", `/events?after=${after}&limit=1000`, { patience: PATIENCE });
      this.#add(page);
      if (page.length < 1000) return;
      after = page.at(-1)?.number ?? after;
    }
  }

  /** Events, each once and in order. Returns those that are new. */
  #add(events: TableEvent[]): TableEvent[] {
    const fresh = events.filter((each) => !this.#numbers.has(each.number));
    if (!fresh.length) return fresh;
    for (const event of fresh) this.#numbers.add(event.number);
    const told = [...this.told, ...fresh].sort((one, other) => one.number - other.number);
    this.told = told.slice(-MOST);
    return fresh;
  }

  #hear(events: TableEvent[]): void {
    const fresh = this.#add(events);
    if (!fresh.length) return;
    this.#speak(fresh);
    const over = fresh.findLast((each) => each.kind === "round_over");
    if (over) this.undone = this.redone = [];
    if (over && summary(over, this).net > 0) sound("win");
    else if (fresh.some(isLaid)) sound("deal");
    else if (fresh.some((each) => SETS.has(each.kind))) sound("chip");
    if (fresh.some((each) => each.kind === "options_changed")) void this.#measure();
    void this.look();
  }

  async #measure(): Promise<void> {
    this.felt = await this.ask<Felt>("GET", "/felt", { patience: PATIENCE });
  }

  /** Look at the table anew, not too often, and once for all that happens meanwhile. */
  look(): Promise<void> {
    this.#wanted = true;
    this.#looking ??= this.#lookUntilSeen().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookUntilSeen(): Promise<void> {
    while (this.#wanted && !this.isGone) {
      await sleep(Math.max(0, this.#looked + OFTEN - performance.now()));
      this.#looked = performance.now();
      this.#wanted = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        if (error instanceof Gone || error instanceof Unreachable) return;
        if (!(error instanceof Refused)) throw error;
        if (error.status === 404) this.trouble = error.message;
        else if (error.status !== 403) throw error; // the seat was left between the two looks
      }
    }
  }

  async #lookOnce(): Promise<void> {
    const view = await this.ask<View>("GET", "");
    this.view = view;
    const left = view.seconds_left ?? null;
    this.deadline = left === null ? null : performance.now() + 1000 * left;
    const { seats } = this;
    if (!seats.includes(this.seat)) this.seat = seats[0] ?? "";
    if (seats.length) {
      this.#elsewhere = seats.some((seat) => !view.seats[seat]?.here);
      this.#hold();
    }
    for (const asked of view.questions)
      if (seats.includes(asked.seat) && this.isOurs && this.takes(asked))
        void this.move(asked, asked.default);
    const betting = this.seat && view.phase === "betting";
    this.openings = betting ? await this.ask("GET", `/openings?seat=${this.seat}`) : [];
  }

  /** An offer that we take whenever it comes. */
  takes({ offer, default: move }: Pick<Asked, "offer" | "default">): boolean {
    return offer && this.standing.includes(move);
  }

  /** Listen, for as long as the table is shown, over as many connections as that takes. */
  async #follow(): Promise<void> {
    for (let wait = 0; !this.isGone; wait = Math.min(2 * wait || 250, 2000)) {
      try {
        const path = `/api/tables/${this.id}/stream`;
        for await (const events of listen(path, this.#heard, this.#stop.signal)) {
          wait = 0;
          if (!this.#connected) void this.look();
          this.#isConnected(true);
          this.#heard = Math.max(this.#heard, ...events.map((each) => each.number));
          this.#hear(events);
        }
      } catch (error) {
        if (this.isGone) return;
        if (error instanceof LineRefused && error.status === 401)
          await house.ask("GET", "/session").catch(() => {});
      }
      this.#isConnected(false);
      await sleep(wait);
    }
  }

  #isConnected(now: boolean): void {
    if (this.isGone || (now && this.#connected)) return;
    this.#connected = now;
    clearTimeout(this.#telling);
    if (now) this.#found();
    else this.#telling = this.#soonLost("Your seat and your wagers are kept; reconnecting …");
  }

  #soonLost(what: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => (this.lost = `The connection is lost. ${what}`), QUIET);
  }

  #found(): void {
    if (this.lost) house.say("The connection is back.");
    this.lost = "";
  }

  // Two tabs of a browser are one session to the house: that only one plays, they agree among
  // themselves.

  #hold(steal = false): void {
    if (!navigator.locks || (this.#waiting && !steal)) return;
    this.#waiting?.abort();
    const waiting = new AbortController();
    this.#waiting = waiting;
    setTimeout(() => {
      if (this.#tab === "asking") this.#tab = "other";
    }, 500);
    const until = (): Promise<void> => {
      this.#tab = "ours";
      this.#elsewhere = false;
      void this.look();
      return new Promise((resolve) => (this.#release = resolve));
    };
    const given = steal ? { steal } : { signal: waiting.signal };
    navigator.locks.request(`croupier.${house.me?.account}.${this.id}`, given, until).catch(() => {
      if (this.isGone || this.#waiting !== waiting) return;
      this.#tab = "other";
      this.#waiting = null;
      this.#hold();
    });
  }

  async takeControl(): Promise<void> {
    if (this.#tab === "other") this.#hold(true);
    for (const seat of this.seats) {
      if (await this.command({ do: "take_control", seat })) this.#elsewhere = false;
    }
  }

  // Commands.

  /** Do something, after what was asked for before; a function is called when its turn comes. */
  command(body: object | (() => object | null)): Promise<Reply | null> {
    const sent = this.#queue.then(() => this.#send(body));
    this.#queue = sent;
    return sent;
  }

  async #send(body: object | (() => object | null)): Promise<Reply | null> {
    const telling = this.#soonLost("What you asked for is sent until it is answered …");
    this.refusal = null;
    let said: object | null = null;
    try {
      said = typeof body === "function" ? body() : body;
      if (!said || this.isGone) return null;
      const given = { body: said, key: newSecret(), patience: PATIENCE };
      const reply = await this.ask<Reply>("POST", "/commands", given);
      for (const each of reply.events) this.#own.add(each.number);
      this.#hear(reply.events);
      if (reply.events.some((each) => each.kind === "dealer")) this.#elsewhere = false;
      const onlyWagers = reply.events.every((each) => SETS.has(each.kind));
      if (!onlyWagers) await this.look(); // the next command is about what stands here now
      return reply;
    } catch (error) {
      if (error instanceof Refused && error.fault === "not_controlling") this.#elsewhere = true;
      else this.#refused(error, said);
      return null;
    } finally {
      clearTimeout(telling);
      if (!this.isGone && this.#connected) this.#found();
    }
  }

  #refused(error: unknown, said: object | null): void {
    house.complain(error);
    if (error instanceof Refused && said && "wagers" in said) {
      const [wager = ""] = Object.keys(said.wagers as Wagers);
      this.refusal = { wager, text: error.message, citation: error.citation };
      house.say(error.message);
    }
    if (!this.isGone) void this.look();
  }

  // Wagers.

  /** The wager of the felt to which a label such as `straight:17` belongs. */
  wager(label: string): FeltWager | undefined {
    const id = label.split(":", 1)[0];
    return this.felt?.wagers.find((each) => each.id === id);
  }

  title(label: string): string {
    const [, id = "", spot = ""] = /^([^:]*):?(.*)$/s.exec(label) ?? [];
    const title = this.game?.wagers.find((each) => each.id === id)?.title ?? plain(id);
    return `${title} ${spot.split("-").map(spotText).join("-")}`.trim();
  }

  /** What a wager pays: `35 to 1`, or a range where it has several lines. */
  pays(label: string): string {
    const odds = [...new Set((this.wager(label)?.pays ?? []).map((each) => each.odds))];
    return odds.length > 3 ? `${odds[0]} … ${odds.at(-1)}` : odds.join(", ");
  }

  opening(label: string): Opening | undefined {
    return this.#open.get(label);
  }

  /** It won in the last round: for us, where a spot is our own, or for anybody. */
  won(label: string, own = false): boolean {
    return this.wins.some((each) => each.wager === label && (!own || each.seat === this.seat));
  }

  /** The server would take it now. Of wagers that are not all listed it is asked. */
  allows(label: string): boolean {
    return this.#open.has(label) || Boolean(this.wager(label)?.sampled);
  }

  /** Somebody points at a spot of the felt. */
  point(label: string): void {
    this.about = label;
  }

  leave(label: string): void {
    if (this.about === label) this.about = "";
  }

  /** A spot is clicked: chips go there, or whoever has no seat is shown how to get one. */
  touch(label: string): void {
    this.about = label;
    if (!this.seats.length) this.wantsSeat = true;
    else if (this.isOpen) void this.put(label);
    else if (this.view?.phase !== "betting") house.note("no more bets: wait for the next round");
  }

  stake(label: string, seat = this.seat): number {
    const here = this.bets.filter((each) => each.seat === seat && each.wager === label);
    return here.reduce((sum, each) => sum + each.stake, 0);
  }

  /** Whatever lies on a spot, ours first; what a seat has on several hands is one stack. */
  on(label: string): Bet[] {
    const here = this.bets.filter((each) => each.wager === label);
    const seats = [...new Set(here.map((each) => each.seat))];
    return seats
      .map((seat) => ({ seat, wager: label, stake: this.stake(label, seat) }))
      .sort((one) => (one.seat === this.seat ? -1 : 1));
  }

  #lying(): Bet[] {
    const { view } = this;
    if (!view) return [];
    const lying = new Map(view.bets.map((each) => [`${about(each)} ${each.wager}`, each]));
    for (const { number, kind, seat = "", hand, wager = "", stake = 0 } of this.told) {
      if (number <= view.number || !SETS.has(kind)) continue;
      const key = `${about({ seat, hand })} ${wager}`;
      if (stake) lying.set(key, { seat, hand, wager, stake });
      else lying.delete(key);
    }
    return [...lying.values()];
  }

  /** Set wagers, as they are to be when their turn comes. */
  async bet(change: () => Wagers, keeps: "undo" | "redo" | "both" = "both"): Promise<boolean> {
    const { seat } = this;
    let before: Wagers = {};
    const reply = await this.command(() => {
      const wagers = change();
      const labels = Object.keys(wagers);
      if (!labels.length) return null;
      before = Object.fromEntries(labels.map((label) => [label, this.stake(label)]));
      return { do: "bet", seat, wagers, round: this.view?.round };
    });
    if (!reply) return false;
    if (keeps === "redo") this.redone = [...this.redone, before];
    else this.undone = [...this.undone, before];
    if (keeps === "both") this.redone = [];
    return true;
  }

  choose(amount: number): void {
    this.inHand = amount;
    store("chip", amount);
  }

  put(label: string, amount = this.inHand): Promise<boolean> {
    const opening = this.opening(label);
    return this.bet(() => {
      const wanted = this.stake(label) + amount;
      const stake = opening ? payable(wanted, opening) : wanted;
      if (stake !== wanted && opening)
        house.note(
          `${this.title(label)} is wagered ${opening.low === opening.high ? "at" : "in steps, from"} ` +
            `${dollars(opening.low)}: ${dollars(stake)} instead of ${dollars(wanted)}`,
          opening.citation,
        );
      return { [label]: stake };
    });
  }

  takeOff(label: string, amount = this.inHand): Promise<boolean> {
    const least = this.opening(label)?.low ?? 1;
    return this.bet(() => {
      const left = this.stake(label) - amount;
      return this.stake(label) ? { [label]: left < least ? 0 : left } : {};
    });
  }

  #back(wagers: Wagers | undefined): Wagers {
    const changed = Object.entries(wagers ?? {}).filter(([at, stake]) => stake !== this.stake(at));
    return Object.fromEntries(changed);
  }

  undo(): void {
    const before = this.undone.at(-1);
    this.undone = this.undone.slice(0, -1);
    void this.bet(() => this.#back(before), "redo");
  }

  redo(): void {
    const before = this.redone.at(-1);
    this.redone = this.redone.slice(0, -1);
    void this.bet(() => this.#back(before), "undo");
  }

  clear(): void {
    const down = (): Bet[] => this.mine.filter((each) => this.opening(each.wager)?.removable);
    void this.bet(() => Object.fromEntries(down().map((each) => [each.wager, 0])));
  }

  double(): void {
    const more = (): Bet[] => this.mine.filter((each) => this.opening(each.wager));
    void this.bet(() => Object.fromEntries(more().map((each) => [each.wager, 2 * each.stake])));
  }

  /** What this seat had wagered when the betting on the last round was closed. */
  #last(): [string, number][] {
    const over = this.told.findLast(
      (each) => each.kind === "round_over" && each.settlements?.some((s) => s.seat === this.seat),
    );
    const wagers: Wagers = {};
    for (const { round, kind, seat, wager = "", stake = 0 } of this.told) {
      if (round !== over?.round) continue;
      if (!BEFORE.has(kind)) break;
      if (SETS.has(kind) && seat === this.seat) wagers[wager] = stake;
    }
    return Object.entries(wagers).filter(([, stake]) => stake);
  }

  rebet(): Promise<boolean> {
    return this.bet(() =>
      Object.fromEntries(this.lastWagers.filter(([label, stake]) => this.stake(label) < stake)),
    );
  }

  async rebetAndDeal(): Promise<void> {
    if (await this.rebet()) this.ready();
  }

  ready(): void {
    void this.command(() => ({ do: "ready", seat: this.seat, round: this.view?.round }));
  }

  async move(asked: Asked, move: Answer): Promise<void> {
    const { number, seat } = asked;
    if (this.#answered.has(number)) return;
    this.#answered.add(number);
    const said = { do: "move", seat, hand: about(asked), move, asked: number };
    if (!(await this.command(said))) this.#answered.delete(number);
  }

  // What is said aloud, once.

  #speak(fresh: TableEvent[]): void {
    for (const event of fresh) {
      const ours = event.kind === "control" && this.seats.includes(event.seat ?? "");
      if (ours && !this.#own.has(event.number)) this.#elsewhere = true;
    }
    const said = fresh
      .filter((each) => ALOUD.has(each.kind) || (each.kind === "draw" && "outcome" in each))
      .map((each) => this.words(each, cardName));
    for (const event of fresh) {
      if (event.kind === "asked" && this.seats.includes(event.seat ?? ""))
        said.push(`You are asked: ${event.question}`);
      if (event.kind === "round_over") said.push(summary(event, this).text);
    }
    if (said.length) house.say(said.filter(Boolean).join(" "));
  }

  words(event: TableEvent, card = cardText): string {
    return tell(event, this, card);
  }
}

const TABLE = Symbol("table");

/** The table that a page shows, for all its parts. */
export const provideTable = (table: () => Table): void => void setContext(TABLE, table);
export const useTable = (): Table => getContext<() => Table>(TABLE)();
