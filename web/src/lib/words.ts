/** Amounts, names and moments as people read and write them. */

export function dollars(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** With its sign: what was won or lost. */
export const signed = (cents: number): string =>
  cents > 0 ? `+${dollars(cents)}` : dollars(cents);

/** As it stands on a chip. */
export function short(cents: number): string {
  if (cents >= 100_000_000) return `${trim(cents / 100_000_000)}M`;
  if (cents >= 1_000_00) return `${trim(cents / 100_000)}K`;
  return trim(cents / 100);
}

const trim = (value: number): string => String(Math.floor(value * 100) / 100);

/** Whole cents of what somebody typed, or null; never by way of a fraction. */
export function cents(text: string): number | null {
  const said = /^\s*(-?)\$?\s*(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!said?.[2]) return null;
  const amount = Number(said[2].replaceAll(",", "")) * 100 + Number((said[3] ?? "").padEnd(2, "0"));
  return said[1] ? -amount : amount;
}

/** A share of one, as a percentage. */
export const percent = (share: number, digits = 2): string => `${(100 * share).toFixed(digits)}%`;

export const plain = (id: unknown): string => String(id).replaceAll("_", " ");
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const sentence = (text: string): string => capital(text) + (/[.!?”]$/.test(text) ? "" : ".");
export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** `a, b and c` */
export const listed = (all: readonly string[]): string =>
  [all.slice(0, -1).join(", "), all.at(-1) ?? ""].filter(Boolean).join(" and ");

export const moment = (at: string): string =>
  new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
export const clock = (at: string): string =>
  new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A span of time, as on a clock. */
export function span(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
