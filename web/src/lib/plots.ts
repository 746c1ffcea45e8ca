/** Scales and ticks of the plots. */

export interface Axis {
  kind: "linear" | "log" | "signed"; // signed: logarithmic to both sides of zero
  low: number;
  high: number;
  label: string;
  show: (value: number) => string;
}

export interface Scale {
  at: (value: number) => number; // a value's place, in pixels
  ticks: number[];
}

const BENDS: Record<Axis["kind"], (value: number) => number> = {
  linear: (value) => value,
  log: Math.log10,
  signed: (value) => Math.sign(value) * Math.log10(1 + Math.abs(value)),
};

export function scale({ kind, low, high }: Axis, from: number, to: number, room: number): Scale {
  const bend = BENDS[kind];
  const [first, last] = [bend(low), bend(high)];
  const at = (value: number): number =>
    from + ((bend(value) - first) / (last - first || 1)) * (to - from);
  const count = Math.max(2, Math.floor(Math.abs(to - from) / room));
  const ticks = { linear: evenly, log: decades, signed: bothWays }[kind](low, high, count);
  return { at, ticks };
}

/** Round numbers from low to high, about as many as asked for. */
export function evenly(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => clean((first + at) * step));
}

/** Powers of ten, thinned out where there are too many. */
export function decades(low: number, high: number, count: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / count));
  const found: number[] = [];
  for (let power = last; power >= first; power -= every) found.unshift(clean(10 ** power));
  return found;
}

/** Zero, and powers of ten to both sides. */
export function bothWays(low: number, high: number, count: number): number[] {
  const side = (end: number): number[] => (end < 1 ? [] : decades(1, end, Math.ceil(count / 2)));
  return [
    ...side(-low)
      .map((value) => -value)
      .reverse(),
    0,
    ...side(high),
  ].filter((value) => value >= low && value <= high);
}

const clean = (value: number): number => Number(value.toPrecision(12));
