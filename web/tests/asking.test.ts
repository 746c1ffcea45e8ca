/** Parts of the page at a table that asks what no game of the house asks yet. */

import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Table } from "../src/lib/table.svelte";
import type { Asked, Move, TableEvent, View } from "../src/lib/types";
import Banner from "../src/parts/Banner.svelte";
import Pots from "../src/parts/Pots.svelte";
import Question from "../src/parts/Question.svelte";
import SeatArc from "../src/parts/SeatArc.svelte";
import TextView from "../src/parts/TextView.svelte";
import Stand from "./Stand.svelte";

const chair = (name: string, yours: boolean): View["seats"][string] => ({
  name, stack: 50_000, ready: false, leaving: false, waiting: false, yours, here: yours,
}); // prettier-ignore
const question = (seat: string, number: number, more: Partial<Asked> = {}): Asked => ({
  number,
  seat,
  question: "hit or stand?",
  moves: [{ move: "stand" }, { move: "hit" }],
  default: "stand",
  offer: false,
  citation: "1.1",
  ...more,
});
const view = (questions: Asked[], more: Partial<View> = {}): View => ({
  id: "t", name: "A table", game: "new-game", title: "New game", options: {}, rules: "",
  terms: { dealer: "house", bet_seconds: 30, move_seconds: 30, offer_seconds: 5 },
  status: "open", phase: "deciding", round: 1, number: 9, round_began: 0,
  positions: ["1", "2", "3"], dealer: null, bets: [], hands: {}, pots: [], state: {},
  seats: { "1": chair("Ann", true), "2": chair("Bob", false), "3": chair("Cy", false) },
  vigorish_owed: {}, meter: null, asked: questions[0] ?? null, questions,
  notice: null, proposed: null, irregularities: {}, ...more,
}); // prettier-ignore
const event = (number: number, kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number,
  round: 1,
  at: "2026-11-16T05:40:02.118Z",
  kind,
  ...more,
});

let shown: Record<string, unknown> | undefined;
let table: Table;
let command: ReturnType<typeof vi.fn>;

function show(Part: Component, seen: View, told: TableEvent[] = []): void {
  table = new Table("t");
  command = vi.fn(() => Promise.resolve(null));
  table.command = command as unknown as Table["command"];
  table.view = seen;
  table.told = told;
  shown = mount(Stand, { target: document.body, props: { table, Part } });
  flushSync();
}
afterEach(() => {
  if (shown) void unmount(shown);
  shown = undefined;
  document.body.innerHTML = "";
});

const text = (): string => (document.body.textContent ?? "").replaceAll(/\s+/g, " ").trim();
function button(name: string): HTMLButtonElement {
  const named = (each: Element): string =>
    each.getAttribute("aria-label") ?? (each.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  const found = [...document.querySelectorAll("button")].find((each) => named(each) === name);
  if (!found) throw new Error(`there is no button “${name}” in: ${text()}`);
  return found;
}
function press(...names: string[]): void {
  for (const name of names) {
    button(name).click();
    flushSync();
  }
}

describe("a question that is answered with cards", () => {
  const moves: Move[] = [{ move: "stand_pat" }, { move: "discard", choose: { least: 1, most: 2 } }];
  const holding = ["Ah", "7c", "7c", "2d"];

  it("lets as many be picked as the move allows, and sends them", () => {
    show(Question, view([question("1", 5, { moves, holding })]));
    expect(button("Discard D").disabled).toBe(true);
    press("ace of hearts", "2 of diamonds");
    expect(text()).toContain("2 of up to 2, at least 1");
    expect(button("ace of hearts").getAttribute("aria-pressed")).toBe("true");
    press("7 of clubs");
    expect(button("Discard D").disabled).toBe(true);
    press("ace of hearts", "Discard D");
    expect(command).toHaveBeenCalledWith({
      do: "move", seat: "1", hand: "1", move: { discard: ["7c", "2d"] }, asked: 5,
    }); // prettier-ignore
  });

  it("keeps what is picked when the table is looked at again, and forgets it for the next", () => {
    show(Question, view([question("1", 5, { moves, holding })]));
    press("ace of hearts");
    table.view = view([question("1", 5, { moves, holding })]);
    flushSync();
    expect(text()).toContain("1 of up to 2, at least 1");
    table.view = view([question("1", 8, { moves, holding })]);
    flushSync();
    expect(text()).toContain("0 of up to 2, at least 1");
  });
});

describe("a question that is answered with a hand in parts", () => {
  const moves: Move[] = [{ move: "house_way" }, { move: "set", parts: { high: 2, low: 1 } }];
  const holding = ["3-6", "1-1", "3-6"];

  it("fills the parts, and sends the hand when they are full", () => {
    show(Question, view([question("1", 5, { moves, holding, default: "house_way" })]));
    expect(button("Set S").disabled).toBe(true);
    press("tile 1-1", "Into low L");
    expect(button("tile 1-1, in low").getAttribute("aria-pressed")).toBe("false");
    expect(button("Into low L").getAttribute("aria-disabled")).toBe("true");
    press("The rest into high I");
    expect(button("Set S").disabled).toBe(false);
    press("tile 1-1, in low");
    expect(button("Set S").disabled).toBe(true);
    press("Into low L", "Set S");
    const said = { set: { high: ["3-6", "3-6"], low: ["1-1"] } };
    expect(command.mock.calls[0]?.[0]).toMatchObject({ move: said });
  });

  it("leaves it to the house by a button of its own", () => {
    show(Question, view([question("1", 5, { moves, holding })]));
    press("House way H");
    expect(command.mock.calls[0]?.[0]).toMatchObject({ move: "house_way" });
  });
});

describe("several questions", () => {
  it("are asked one after the other, with the hand that each is about", () => {
    const first = question("1", 5);
    const second = question("1", 6, { hand: "1.2" });
    show(Question, view([first, second, question("2", 7)], { number: 3 }), [
      event(1, "draw", { to: "1", outcome: "8c" }),
      event(2, "draw", { to: "1", outcome: "8d" }),
      event(3, "split", { seat: "1", to: "1.2" }),
    ]);
    expect(text()).toContain("Hand 1: Hit or stand?");
    expect(text()).toContain("Then you are asked about hand 1.2.");
    press("Hit H");
    expect(command.mock.calls[0]?.[0]).toMatchObject({ seat: "1", hand: "1", asked: 5 });
    table.view = view([second, question("2", 7)]);
    flushSync();
    expect(text()).toContain("Hand 1.2: Hit or stand?");
    press("Stand S");
    expect(command.mock.calls[1]?.[0]).toMatchObject({ hand: "1.2", asked: 6, move: "stand" });
  });

  it("leave us waiting for the others when we have answered", () => {
    const seen = view([question("2", 6), question("3", 7)]);
    show(Question, seen, [event(8, "answered", { seat: "1" })]);
    expect(text()).toBe("You have answered. Waiting for seat 2 and seat 3.");
    table.view = view([question("3", 7)]);
    flushSync();
    expect(text()).toBe("You have answered. Waiting for seat 3.");
  });

  it("are in the banner", () => {
    show(Banner, view([question("2", 6), question("3", 7)]));
    expect(text()).toContain("Waiting for seat 2 and seat 3");
    table.view = view([question("2", 6)]);
    flushSync();
    expect(text()).toContain("Seat 2 (Bob) decides");
    table.view = view([question("1", 5), question("2", 6)]);
    flushSync();
    expect(text()).toContain("Your decision");
  });

  it("mark every seat that is asked", () => {
    show(SeatArc, view([question("2", 6), question("3", 7)]));
    expect(document.querySelectorAll("li.acts")).toHaveLength(2);
  });
});

describe("hands and pots", () => {
  const hands: View["hands"] = {
    "2": { seat: "2", cards: ["8c", "Kd"] },
    "2.2": { seat: "2", cards: ["8d", null] },
    "1": { seat: "1", cards: ["Ah", "9c"], parts: { high: ["Ah"], low: ["9c"] } },
  };
  const pots: View["pots"] = [
    { amount: 1500, hands: ["1", "2"] },
    { amount: 400, hands: ["2"] },
  ];
  const told = [event(1, "draw", { to: "2", outcome: "8c" })];

  it("stand side by side, each with its name", () => {
    show(SeatArc, view([], { hands }), told);
    const groups = [...document.querySelectorAll("[role=group]")];
    expect(groups.map((each) => each.getAttribute("aria-label"))).toEqual(["Hand 2", "Hand 2.2"]);
  });

  it("are in words", () => {
    show(TextView, view([], { hands, pots }), told);
    const rows = [...document.querySelectorAll("tr")].map((row) =>
      [...row.children].map((each) => each.textContent?.trim()),
    );
    expect(rows).toContainEqual(["Seat 2, hand 2.2", "8 of diamonds, face down"]);
    expect(rows).toContainEqual(["You", "high ace of hearts; low 9 of clubs"]);
    expect(rows).toContainEqual(["Side pot 1", "$4: Seat 2"]);
  });

  it("say what is in each pot and who may win it", () => {
    show(Pots, view([], { pots }));
    const shown = [...document.querySelectorAll("li")].map((each) =>
      [...each.children].map((part) => part.textContent),
    );
    expect(shown).toEqual([
      ["Main pot", "$15", "You and seat 2"],
      ["Side pot 1", "$4", "Seat 2"],
    ]);
  });
});
