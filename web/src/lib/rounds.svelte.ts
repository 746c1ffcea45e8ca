/** What came in the last rounds at a table. */

import { house } from "./house.svelte";
import type { Table } from "./table.svelte";

export interface Came {
  round: number;
  kind: string;
  outcome: string | number | number[];
}

const LAST = 300; // rounds that are asked for

/** Outcomes, the newest last; asked for again whenever a round has ended. */
export function lastRounds(table: Table): { readonly all: Came[] } {
  let all: Came[] = $state.raw([]);
  const over = $derived(table.over?.number ?? 0);
  $effect(() => {
    void over;
    let isLate = false;
    table
      .ask<{ outcomes: Came[] }>("GET", `/outcomes?last=${LAST}`, { patience: 5000 })
      .then((said) => {
        if (!isLate) all = said.outcomes;
      })
      .catch((error: unknown) => house.complain(error));
    return () => (isLate = true);
  });
  return {
    get all() {
      return all;
    },
  };
}

export interface Count {
  stop: string;
  count: number;
  ago: number; // spins since it came last; all of them if it never did
}

/** How often each stop came, the most frequent first; of those alike the latest. */
export function counted(stops: readonly string[], outcomes: readonly string[]): Count[] {
  const found = new Map(
    stops.map((stop) => [stop, { stop, count: 0, ago: outcomes.length } as Count]),
  );
  outcomes.forEach((outcome, at) => {
    const each = found.get(outcome);
    if (!each) return;
    each.count += 1;
    each.ago = outcomes.length - 1 - at;
  });
  return [...found.values()].sort((one, other) => other.count - one.count || one.ago - other.ago);
}
