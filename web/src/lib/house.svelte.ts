/** Talking to the house: who is here, asking, and what is said to everybody.
 *
 * A command has a key of its own and is sent again with the same key until it is answered, so
 * that it is done once.
 */

import { forget, store, stored } from "./settings.svelte";
import { sentence } from "./words";
import type { Session } from "./types";

export const PATIENCE = 30_000; // milliseconds for which a house that does not answer is asked again
const AGAIN = new Set([421, 429, 502, 503, 504]); // nothing was done, and may be in a moment

export interface Violation {
  option: string;
  message: string;
  citation: string;
}

interface Said {
  fault?: string;
  message?: string;
  citation?: string | null;
  field?: string | null;
  violations?: Violation[] | null;
}

export class Refused extends Error {
  readonly fault: string;
  readonly citation: string;
  readonly violations: Violation[];

  constructor(
    readonly status: number,
    said: Said,
  ) {
    super(said.message ?? `the house answered ${status}`);
    this.fault = said.fault ?? "";
    this.citation = said.citation ?? "";
    this.violations = said.violations ?? [];
  }
}
export class Unreachable extends Error {}
export class Gone extends Error {} // whoever asked is not there any more

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

export interface Note {
  id: number;
  text: string;
  citation: string;
  mood: "good" | "bad";
}

class House {
  me: Session | null = $state(null);
  farewell = $state(""); // why we are not logged in any more
  message = $state(sessionStorage.getItem("croupier.message") ?? ""); // about gambling
  before = $state(""); // when we were last here
  isLost = $state(false); // it does not answer
  notes: Note[] = $state([]);
  spoken = $state(""); // for those who listen to the page
  ahead = 0; // milliseconds by which the house's clock is ahead of ours
  #notes = 0;

  get isStaff(): boolean {
    return this.me !== null && this.me.role !== "patron";
  }

  get inPit(): boolean {
    return this.me?.role === "floorperson" || this.me?.role === "supervisor";
  }

  /** A sentence at the edge of the page, until it is read or has been there for a while. */
  note(text: string, citation = "", mood: Note["mood"] = "good"): void {
    const id = ++this.#notes;
    this.notes = [...this.notes.slice(-2), { id, text: sentence(text), citation, mood }];
    setTimeout(() => this.dismiss(id), 15_000);
  }

  dismiss(id: number): void {
    this.notes = this.notes.filter((each) => each.id !== id);
  }

  complain(error: unknown): void {
    if (error instanceof Gone) return;
    if (!(error instanceof Refused)) {
      this.note(error instanceof Error ? error.message : String(error), "", "bad");
    } else if (error.violations.length) {
      for (const each of error.violations) this.note(each.message, each.citation, "bad");
    } else {
      this.note(error.message, error.citation, "bad");
    }
  }

  say(text: string): void {
    this.spoken = text;
  }

  /** Ask the house; for as long as `patience` says, if it does not answer. */
  async ask<T>(
    method: "GET" | "POST" | "DELETE",
    path: string,
    given: { body?: unknown; key?: string; patience?: number; atDoor?: boolean } = {},
  ): Promise<T> {
    const { body, key, patience = 0, atDoor = false } = given;
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    const until = performance.now() + patience;
    let doubted = false; // another tab may just have renewed the session
    for (let wait = 200; ; wait = Math.min(2 * wait, 2000)) {
      let later = wait;
      try {
        const answer = await fetch(`/api${path}`, {
          method,
          headers,
          body: body === undefined ? undefined : JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        });
        this.ahead = Date.parse(answer.headers.get("Date") ?? "") - Date.now() || this.ahead;
        const said = (await answer.json()) as T & Said;
        if (answer.ok) return said;
        if (answer.status === 401 && !atDoor && !doubted) {
          doubted = true;
          await sleep(wait);
          continue;
        }
        if (!AGAIN.has(answer.status)) throw new Refused(answer.status, said);
        later = Math.max(wait, 1000 * Number(answer.headers.get("Retry-After") ?? 0));
      } catch (error) {
        if (error instanceof Refused) {
          if (error.status !== 401 || atDoor) throw error;
          this.leave(error.message);
          throw new Gone();
        }
      }
      if (performance.now() > until)
        throw new Unreachable("the house does not answer; try again in a moment");
      await sleep(later);
    }
  }

  get = <T>(path: string, patience = PATIENCE): Promise<T> =>
    this.ask<T>("GET", path, { patience });

  // Coming and going.

  admit(session: Session): void {
    this.me = session;
    this.farewell = "";
    const life = Date.parse(session.expires_at ?? "") - Date.now() - this.ahead;
    store("session", { until: Date.now() + life, life });
    if (!session.message) return;
    this.message = session.message;
    sessionStorage.setItem("croupier.message", session.message);
  }

  async logIn(name: string, password: string, { opens = false } = {}): Promise<void> {
    const body = { name, password };
    if (opens) await this.ask("POST", "/accounts", { body, atDoor: true });
    const session = await this.ask<Session>("POST", "/session", { body, atDoor: true });
    this.before = session.previous_login_at ?? "";
    this.admit(session);
  }

  async visit(table: string, link: string, name: string): Promise<void> {
    const body = { name, link };
    this.admit(await this.ask<Session>("POST", `/tables/${table}/guests`, { body, atDoor: true }));
  }

  async logOut(): Promise<void> {
    const { message } = await this.ask<Session>("DELETE", "/session", { patience: 3000 });
    forget("link.");
    this.leave(`You are logged out. ${message}`);
  }

  leave(why = ""): void {
    this.me = null;
    store("session", null);
    this.farewell = why && sentence(why);
  }

  /** Come back to where we were logged in, however long the house takes to answer. */
  async remember(): Promise<void> {
    if (!stored("session")) return;
    for (;;) {
      try {
        this.me = await this.ask<Session>("GET", "/session");
        this.isLost = false;
        return await this.renew();
      } catch (error) {
        if (error instanceof Gone) return;
        if (!(error instanceof Unreachable)) throw error;
        this.isLost = true;
        await sleep(1000);
      }
    }
  }

  /** The token is renewed when half its life is over, by one tab for all. */
  async renew(): Promise<void> {
    const due = (): boolean => {
      const { until, life } = stored<{ until: number; life: number }>("session") ?? {
        until: 0,
        life: 0,
      };
      return Date.now() > until - life / 2;
    };
    const again = async (): Promise<void> => {
      if (due() && this.me) this.admit(await this.ask<Session>("POST", "/session/renew"));
    };
    if (!this.me || !due()) return;
    if (navigator.locks) await navigator.locks.request("croupier.renew", again);
    else await again();
  }
}

export const house = new House();
