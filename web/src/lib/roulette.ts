/** The wheel and the cloth of roulette: what lies where.
 *
 * Places are counted in cells of the grid of numbers: `along` from the zeros to the columns,
 * `across` from the first column (1, 4, 7 …) to the third; what lies outside is below zero.
 */

import type { Place } from "./layout";

export type Tone = "red" | "black" | "green";

const words = (text: string): string[] => text.trim().split(/\s+/);

// The order of the compartments, clockwise.
export const DOUBLE_ZERO_RIM = words(`
  0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1
  00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2
`);
export const SINGLE_ZERO_RIM = words(`
  0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10
  5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26
`);
const RED = new Set(words("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36"));
const SECTIONS = words("black blue gold red purple green");

export const isZero = (stop: string): boolean => /^0+$/.test(stop);
export const toneOf = (stop: string): Tone =>
  isZero(stop) ? "green" : RED.has(stop) ? "red" : "black";
export const rimOf = (wheel: unknown): string[] =>
  wheel === "single_zero" ? SINGLE_ZERO_RIM : DOUBLE_ZERO_RIM;

/** A number with its neighbors on the rim, so many on each side. */
export function neighbors(rim: readonly string[], stop: string, eachSide: number): string[] {
  const at = rim.indexOf(stop);
  if (at < 0) return [];
  const steps = Array.from({ length: 2 * eachSide + 1 }, (_, step) => step - eachSide);
  return steps.map((step) => rim[(at + step + rim.length) % rim.length]!);
}

/** The numbers of a color section of the rim: six each, clockwise from 0, without zeros. */
export function section(rim: readonly string[], color: string): string[] {
  const numbers = rim.filter((stop) => !isZero(stop));
  const at = 6 * SECTIONS.indexOf(color);
  return at < 0 ? [] : numbers.slice(at, at + 6);
}

const column = (number: number): number => (number - 1) % 3;
const row = (number: number): number => Math.floor((number - 1) / 3) + 1;

// Where a wager that covers a zero lies on the line between the zeros and the numbers.
const BESIDE_ZEROS: Record<string, number> = {
  "0-1": 0.5,
  "0-1-2": 1,
  "0-2-3": 2,
  "00-2-3": 2,
  "0-00-2": 1.5,
  "00-2": 1.75,
  "00-3": 2.5,
  "0-3": 2.5,
  "0-1-2-3": 0,
};

function crossing(spot: string, hasDouble: boolean): [along: number, across: number] {
  if (spot === "0-00") return [0.5, 1.5];
  if (spot === "0-2") return [1, hasDouble ? 1.25 : 1.5];
  if (spot in BESIDE_ZEROS) return [1, BESIDE_ZEROS[spot]!];
  const numbers = spot.split("-").map(Number);
  const mean = (of: (number: number) => number): number =>
    numbers.reduce((sum, each) => sum + of(each) + 0.5, 0) / numbers.length;
  const isRow = numbers.length === 3 || numbers.length === 6; // reached from the edge
  return [mean(row), isRow ? 0 : mean(column)];
}

const INSIDE = new Set(words("split three_numbers four_numbers six_numbers"));
const COLORS = words("six_numbers_color seven_numbers_color eight_numbers_color");
const EVEN = words("low_1_18 even red black odd high_19_36");
export const OUTER = 0.9; // how wide a row outside the numbers is

export interface Cloth {
  places: Place[];
  outer: number; // rows outside the numbers
  rest: string[]; // labels that have no place
}

/** Where each of the labels lies. Wagers of the rim belong to the racetrack. */
export function cloth(labels: readonly string[]): Cloth {
  const hasDouble = labels.includes("straight:00");
  const id = (label: string): string => label.split(":", 1)[0]!;
  const outside = [["dozen"], ...COLORS.map((each) => [each]), EVEN]
    .map((ids) => labels.filter((label) => ids.includes(id(label))))
    .map((found) => found.sort((one, other) => EVEN.indexOf(one) - EVEN.indexOf(other)))
    .filter((found) => found.length);
  const places: Place[] = [];
  const put = (
    label: string,
    along: number,
    across: number,
    long = 1,
    wide = 1,
    isDot = false,
  ): void => void places.push({ label, along, across, long, wide, isDot });

  for (const label of labels) {
    const [kind, spot = ""] = label.split(":");
    if (kind === "straight" && isZero(spot))
      put(label, 0, spot === "00" ? 1.5 : 0, 1, hasDouble ? 1.5 : 3);
    else if (kind === "straight") put(label, row(Number(spot)), column(Number(spot)));
    else if (kind === "column") put(label, 13, Number(spot) - 1);
  }
  outside.forEach((found, down) =>
    found.forEach((label, at) => {
      const long = 12 / found.length;
      put(label, 1 + at * long, -(down + 1) * OUTER, long, OUTER);
    }),
  );
  for (const label of labels) {
    const [kind = "", spot = ""] = label.split(":");
    if (INSIDE.has(kind)) put(label, ...crossing(spot, hasDouble), 0, 0, true);
    else if (kind === "first_five_numbers") put(label, 1, 0, 0, 0, true);
  }
  const placed = new Set(places.map((each) => each.label));
  const rest = labels.filter((each) => !placed.has(each) && id(each) !== "five_adjacent_numbers");
  return { places, outer: outside.length, rest };
}

export interface Sector {
  stop: string;
  path: string;
  x: number; // of its middle
  y: number;
}

export interface Track {
  sectors: Sector[];
  width: number;
  height: number;
}

const [CELL, RADIUS, BAND] = [46, 100, 52];
const ROUND = 5; // sectors in the right end

/** The rim drawn as a racetrack, clockwise, with its first stop in the middle of the left end. */
export function racetrack(rim: readonly string[]): Track {
  const side = Math.floor((rim.length - 2 * ROUND + 1) / 2);
  const left = rim.length - 2 * side - ROUND;
  const [width, height, inner] = [side * CELL + 2 * RADIUS, 2 * RADIUS, RADIUS - BAND];
  const first = rim.length - Math.floor(left / 2);
  const square = (x: number, y: number): Omit<Sector, "stop"> => ({
    path: `M${x} ${y}h${CELL}v${BAND}h${-CELL}Z`,
    x: x + CELL / 2,
    y: y + BAND / 2,
  });
  const wedge = (center: number, from: number, to: number): Omit<Sector, "stop"> => {
    const on = (radius: number, degrees: number): [number, number] => {
      const angle = (degrees * Math.PI) / 180;
      return [center + radius * Math.cos(angle), RADIUS + radius * Math.sin(angle)];
    };
    const text = (radius: number, degrees: number): string =>
      on(radius, degrees)
        .map((each) => each.toFixed(2))
        .join(" ");
    const [x, y] = on(RADIUS - BAND / 2, (from + to) / 2);
    const outer = `M${text(RADIUS, from)}A${RADIUS} ${RADIUS} 0 0 1 ${text(RADIUS, to)}`;
    return {
      path: `${outer}L${text(inner, to)}A${inner} ${inner} 0 0 0 ${text(inner, from)}Z`,
      x,
      y,
    };
  };
  const shapes = [
    ...Array.from({ length: left }, (_, at) =>
      wedge(RADIUS, 90 + (180 * at) / left, 90 + (180 * (at + 1)) / left),
    ),
    ...Array.from({ length: side }, (_, at) => square(RADIUS + at * CELL, 0)),
    ...Array.from({ length: ROUND }, (_, at) =>
      wedge(width - RADIUS, -90 + (180 * at) / ROUND, -90 + (180 * (at + 1)) / ROUND),
    ),
    ...Array.from({ length: side }, (_, at) =>
      square(width - RADIUS - (at + 1) * CELL, height - BAND),
    ),
  ];
  const sectors = shapes.map((shape, at) => ({
    stop: rim[(first + at) % rim.length]!,
    ...shape,
  }));
  return { sectors, width, height };
}
