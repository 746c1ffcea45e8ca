/** Which wager words mean, and for how much. */

import type { Opening } from "./types";
import { cents } from "./words";

const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9$'.]+/)
    .filter(Boolean);

const fits = (word: string, all: string[]): boolean =>
  all.some((each) => (/^\d+$/.test(word) ? each === word : each.startsWith(word)));

/** The wagers that all the words fit, the best first. */
export function fitting(text: string, openings: readonly Opening[]): Opening[] {
  const words = tokens(text);
  if (!words.length) return [];
  return openings
    .map((opening) => ({ opening, all: tokens(`${opening.title} ${opening.wager}`) }))
    .filter(({ all }) => words.every((word) => fits(word, all)))
    .map(({ opening, all }) => {
      const exact = [opening.wager, opening.wager.split(":")[1]].includes(text.trim());
      return { opening, far: Number(!exact) + all.length / 100 };
    })
    .sort((one, other) => one.far - other.far)
    .map(({ opening }) => opening);
}

/** Of “red 25”: $25 on red. A last number that names no spot is the amount. */
export function meant(
  text: string,
  openings: readonly Opening[],
  inHand: number,
): { wager: string; amount: number } | null {
  const whole = fitting(text, openings)[0];
  if (whole) return { wager: whole.wager, amount: inHand };
  const written = /^\w+:\S+/.exec(text.trim())?.[0]; // a wager whose spots are not all listed
  const [, words = "", last = ""] = /^(.*\S)\s+(\$?[\d.,]+)$/.exec(text.trim()) ?? [];
  const amount = cents(last);
  const wager = fitting(words, openings)[0]?.wager ?? written;
  return wager ? { wager, amount: amount ?? inHand } : null;
}

/** The amount nearest above that can be paid exactly, in whole dollars where that is possible. */
export function payable(wanted: number, { low, high, step }: Opening): number {
  if (low === high) return low;
  const over = (((wanted - low) % step) + step) % step; // above the last that can be
  if (!over || wanted > high || wanted <= low - step) return wanted; // the house says why not
  const next = wanted + step - over;
  for (let amount = next; amount <= Math.min(high, next + 100 * step); amount += step)
    if (amount % 100 === 0) return amount;
  return next <= high ? next : wanted;
}
