/** The tables where we were, the newest first, kept in this browser. */

import { store, stored } from "./settings.svelte";

const MOST = 5;

export const lately = (account: string): string[] => stored<string[]>(`lately.${account}`) ?? [];

export function remember(account: string, table: string): void {
  const others = lately(account).filter((each) => each !== table);
  store(`lately.${account}`, [table, ...others].slice(0, MOST));
}
