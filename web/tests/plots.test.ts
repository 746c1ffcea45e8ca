import { expect, test } from "vitest";
import { bothWays, decades, evenly, scale, type Axis } from "../src/lib/plots";

const axis = (kind: Axis["kind"], low: number, high: number): Axis => ({
  kind,
  low,
  high,
  label: "",
  show: String,
});

test("even ticks are round numbers within the axis", () => {
  expect(evenly(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(evenly(-1.2, 1.1, 4)).toEqual([-1, 0, 1]);
  expect(evenly(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(evenly(5, 5, 3)).toEqual([5]);
});

test("logarithmic ticks are powers of ten, thinned out", () => {
  expect(decades(0.001, 1, 9)).toEqual([0.001, 0.01, 0.1, 1]);
  expect(decades(1e-8, 1, 4)).toEqual([1e-6, 0.001, 1]);
});

test("signed ticks go both ways from zero", () => {
  expect(bothWays(-7, 600, 9)).toEqual([-1, 0, 1, 10, 100]);
});

test("a scale lays the ends of its axis on the ends of its room", () => {
  for (const each of [axis("linear", -2, 6), axis("log", 0.01, 1), axis("signed", -5, 5000)]) {
    const { at } = scale(each, 50, 450, 40);
    expect([at(each.low), at(each.high)]).toEqual([50, 450]);
  }
  expect(scale(axis("log", 0.01, 1), 0, 100, 10).at(0.1)).toBeCloseTo(50);
  expect(scale(axis("signed", -9, 9), 0, 100, 10).at(0)).toBeCloseTo(50);
});
