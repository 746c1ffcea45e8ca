import { describe, expect, it } from "vitest";
import { cardName, cardText, face, isCard } from "../src/lib/cards";
import { laidOut } from "../src/lib/laid";
import { choices } from "../src/lib/moves";
import { placeOf } from "../src/lib/router.svelte";
import { eventOf } from "../src/lib/stream";
import { summary, tell } from "../src/lib/tell";
import { meant, payable } from "../src/lib/typed";
import type { Opening, Settlement, TableEvent } from "../src/lib/types";
import { cents, dollars, percent, short, signed, span } from "../src/lib/words";

const event = (kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number: 1,
  round: 1,
  at: "2026-11-16T05:40:02.118Z",
  kind,
  ...more,
});
const me = { seats: ["1"], title: (label: string) => label.replace(":", " ") };

describe("amounts", () => {
  it.each([
    [2500, "$25"],
    [-1250, "−$12.50"],
    [123_456_705, "$1,234,567.05"],
    [0, "$0"],
  ])("%i cents are %s", (amount, text) => expect(dollars(amount)).toBe(text));

  it.each([
    ["5", 500],
    ["$12.50", 1250],
    ["1,000", 100_000],
    [" 7.5 ", 750],
    ["-3", -300],
    ["0.1", 10],
  ])("%s is understood", (text, amount) => expect(cents(text)).toBe(amount));

  it.each(["", "ten", "1.234", "1,00", "1e3", "5 6"])("%s is no amount", (text) =>
    expect(cents(text)).toBeNull(),
  );

  it("never goes through a fraction of a dollar", () => expect(cents("1.15")).toBe(115));

  it("says what was won with a sign", () => {
    expect(signed(500)).toBe("+$5");
    expect(signed(-500)).toBe("−$5");
    expect(signed(0)).toBe("$0");
  });

  it("is short on a chip", () => {
    expect(short(500)).toBe("5");
    expect(short(250_000)).toBe("2.5K");
    expect(short(100_000_000)).toBe("1M");
  });

  it("counts time as a clock does", () => {
    expect(span(59.2)).toBe("1:00");
    expect(span(9)).toBe("0:09");
  });

  it("rounds a share to hundredths of a percent", () => expect(percent(1 / 19)).toBe("5.26%"));
});

describe("cards", () => {
  it("have names", () => {
    expect(cardName("Qh")).toBe("queen of hearts");
    expect(cardName("Td")).toBe("ten of diamonds");
    expect(cardName("Jk")).toBe("joker");
    expect(cardName(17)).toBe("17");
    expect(cardText("Tc")).toContain("10♣");
    expect(face("As").suit).toBe("s");
  });

  it("are told from other outcomes", () => {
    expect(isCard("17")).toBe(false);
    expect(isCard("Ah")).toBe(true);
    expect(isCard([3, 4])).toBe(false);
  });
});

describe("the layout", () => {
  it("turns a card that was looked at, and no other", () => {
    const { hands } = laidOut([
      event("draw", { to: "1", face_down: true }),
      event("draw", { to: "2", face_down: true }),
      event("look", { to: "1", outcome: "Qh" }),
    ]);
    expect(hands.get("1")).toEqual(["Qh"]);
    expect(hands.get("2")).toEqual([null]);
  });

  it("does not lay a card twice that is turned when it was known", () => {
    const { hands } = laidOut([
      event("draw", { to: "1", face_down: true }),
      event("look", { to: "1", outcome: "Qh" }),
      event("draw", { to: "1", face_down: true }),
      event("reveal", { hand: "1", cards: ["Qh", "2c"] }),
    ]);
    expect(hands.get("1")).toEqual(["Qh", "2c"]);
  });

  it("lays two equal cards of a shoe of many decks", () => {
    const { hands } = laidOut([
      event("draw", { to: "1", face_down: true }),
      event("draw", { to: "1", face_down: true }),
      event("reveal", { hand: "1", cards: ["Qh", "Qh"] }),
    ]);
    expect(hands.get("1")).toEqual(["Qh", "Qh"]);
  });

  it("keeps what belongs to nobody apart", () => {
    const { hands, outcomes } = laidOut([event("throw", { outcome: [3, 4] })]);
    expect(hands.size).toBe(0);
    expect(outcomes).toEqual([[3, 4]]);
  });
});

describe("moves", () => {
  it("have their cost and a letter each", () => {
    const found = choices([
      { move: "fold", costs: 0 },
      { move: "play", costs: 2500 },
      { move: "pass", costs: 0 },
    ]);
    expect(found.map(({ text, key }) => [text, key])).toEqual([
      ["Fold", "F"],
      ["Play ($25)", "P"],
      ["Pass", "A"],
    ]);
    expect(found[1]?.said).toBe("play");
  });

  it("are one button for each of a few amounts, and a field for many", () => {
    const few = choices([{ move: "bet", low: 1500, high: 2000, step: 500, unit: "cents" }]);
    expect(few.map(({ said }) => said)).toEqual([{ bet: 1500 }, { bet: 2000 }]);
    const many = choices([{ move: "cut", low: 10, high: 400, step: 1, unit: "cards" }]);
    expect(many).toHaveLength(1);
    expect(many[0]).toMatchObject({ said: null, range: { text: "10 cards to 400 cards" } });
  });
});

describe("typed wagers", () => {
  const opening = (wager: string, title: string): Opening => ({
    wager, title, low: 500, high: 100_000, step: 1, stake: 0, removable: true, citation: "",
  }); // prettier-ignore
  const all = [
    opening("straight:17", "Straight"),
    opening("straight:1", "Straight"),
    opening("split:17-18", "Split"),
    opening("red", "Red"),
  ];

  it.each([
    ["red", "red", 2500],
    ["red 10", "red", 1000],
    ["straight 17", "straight:17", 2500],
    ["straight 17 50", "straight:17", 5000],
    ["17", "straight:17", 2500],
    ["split:20-21 5", "split:20-21", 500],
  ])("“%s” is %s", (text, wager, amount) =>
    expect(meant(text, all, 2500)).toEqual({ wager, amount }),
  );

  it.each([
    [500, 600], // seven to six: in steps of six cents, so six dollars
    [600, 600],
    [1100, 1200],
    [90_001, 90_001], // above what is allowed: the house says why not
    [100, 100], // below it as well
  ])("of %i cents makes %i that can be paid exactly", (wanted, amount) =>
    expect(
      payable(wanted, { ...opening("place_6", "Place 6"), low: 504, high: 90_000, step: 6 }),
    ).toBe(amount),
  );

  it("is nothing where no wager is called so", () => expect(meant("purple", all, 2500)).toBeNull());
});

describe("what is told", () => {
  const settled = (net: number, result: Settlement["result"] = "win"): Settlement => ({
    seat: "1", wager: "red", stake: 2500, result, line: "win", pays: "1 to 1", net, citation: "",
  }); // prettier-ignore

  it("says who and what", () => {
    expect(tell(event("wager", { seat: "1", wager: "red", stake: 2500 }), me)).toBe("$25 on red.");
    expect(tell(event("wager", { seat: "2", wager: "red", stake: 2500 }), me)).toBe(
      "$25 on red of seat 2.",
    );
    expect(tell(event("throw", { outcome: [3, 4] }), me)).toBe("Throw: 3-4");
    expect(tell(event("look", { to: "1", outcome: "Qh" }), me, cardName)).toBe(
      "You: queen of hearts",
    );
    expect(tell(event("something_new"), me)).toBe("Something new");
  });

  it.each([
    [[settled(2500)], "Round 1: you win $25."],
    [[settled(-2500, "lose"), settled(500)], "Round 1: you lose $20."],
    [[settled(0, "standing")], "Round 1: your wagers stand."],
    [[settled(0, "push")], "Round 1: you break even."],
    [[], "Round 1 is over."],
  ])("sums a round up", (settlements, text) =>
    expect(summary(event("round_over", { settlements }), me).text).toBe(text),
  );

  it("says that a round is void, and by which rule", () =>
    expect(summary(event("round_over", { void: "19:47-20.12", settlements: [] }), me).text).toBe(
      "Round 1 is void [19:47-20.12]; wagers are returned.",
    ));
});

describe("addresses", () => {
  it("lead to a page", () => {
    expect(placeOf("#/table/65ed91acd867?link=a_b")).toMatchObject({
      page: "table",
      id: "65ed91acd867",
    });
    expect(placeOf("#/table/x?link=a_b").given.get("link")).toBe("a_b");
    expect(placeOf("#/table/<b>").id).toBe("");
    expect(placeOf("#/nowhere").page).toBe("lobby");
    expect(placeOf("").page).toBe("lobby");
  });
});

describe("the stream", () => {
  it("tells events, and comments tell nothing", () => {
    expect(eventOf('id: 3\nevent: spin\ndata: {"number":3}')).toEqual({ number: 3 });
    expect(eventOf(": still here")).toBeNull();
  });
});
