import { describe, expect, it } from "vitest";
import { cardName, cardText, isPiece, tileEnds } from "../src/lib/cards";
import { handsOf, seatOf, sideBySide } from "../src/lib/hands";
import { asShown, laidOut } from "../src/lib/laid";
import { choices } from "../src/lib/moves";
import {
  cardsAt,
  counted,
  inPart,
  inParts,
  isWithin,
  movable,
  put,
  toggled,
  type Placed,
} from "../src/lib/picking";
import { fates } from "../src/lib/poker";
import { namedPots } from "../src/lib/pots";
import { seatsAsked, seatsInWords, subject } from "../src/lib/questions";
import { inText, pastRound } from "../src/lib/replay";
import { findEvents } from "../src/lib/search";
import { handName, owner, tell, whose } from "../src/lib/tell";
import type { Asked, Settlement, TableEvent } from "../src/lib/types";
import { listed } from "../src/lib/words";

const event = (kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number: 1,
  round: 1,
  at: "2026-11-16T05:40:02.118Z",
  kind,
  ...more,
});
const title = (label: string): string => label;
const me = { seats: ["1"], title };
const both = { seats: ["1", "2"], title };
const nobody = { seats: [], title };
const question = (seat: string, hand: string | null = null): Asked => ({
  number: 1, seat, hand, question: "Hit?", moves: [], default: "stand", offer: false, citation: "",
}); // prettier-ignore

describe("the name of a hand", () => {
  it.each([
    ["1", "1"],
    ["1.2", "1"],
    ["12.3", "12"],
    ["dealer", ""],
    ["", ""],
  ])("%s says its seat: %s", (hand, seat) => expect(seatOf(hand)).toBe(seat));

  it("puts the hands of a seat side by side, the first one first", () => {
    const hands = new Map(["1", "2", "dealer", "1.10", "2.2", "1.2"].map((each) => [each, each]));
    expect([...sideBySide(hands).keys()]).toEqual(["1", "1.2", "1.10", "2", "2.2", "dealer"]);
    expect(handsOf("1", hands.keys())).toEqual(["1", "1.10", "1.2"]);
  });

  it("is said of a reader's own and of others", () => {
    expect(handName("1.2")).toBe("Seat 1, hand 1.2");
    expect(whose("1.2", me)).toBe("Your hand 1.2");
    expect(whose("2.2", me)).toBe("Seat 2, hand 2.2");
    expect(whose("2", both)).toBe("You (seat 2)");
    expect(owner({ seat: "1" }, me)).toBe("");
    expect(owner({ seat: "1", hand: "1.2" }, me)).toBe("Hand 1.2");
    expect(owner({ seat: "2", hand: "2.2" }, me)).toBe("Seat 2, hand 2.2");
  });
});

describe("tiles", () => {
  it("are their pips", () => {
    expect(tileEnds("3-6")).toEqual([3, 6]);
    expect(tileEnds("Qh")).toBeNull();
    expect(isPiece("3-7")).toBe(false);
    expect(cardName("3-6")).toBe("tile 3-6");
    expect(cardText("3-6")).toBe("3-6");
  });

  it("lie in hands", () => {
    const { hands, outcomes } = laidOut([
      event("draw", { to: "1", outcome: "3-6" }),
      event("draw", { to: "1", face_down: true }),
      event("look", { to: "1", outcome: "1-1" }),
    ]);
    expect(hands.get("1")).toEqual(["3-6", "1-1"]);
    expect(outcomes).toEqual([]);
  });
});

describe("the layout with several hands", () => {
  const dealt = [
    event("draw", { to: "1", outcome: "8c" }),
    event("draw", { to: "2", outcome: "Kd" }),
    event("draw", { to: "1", outcome: "8d" }),
  ];

  it("moves the second card to a new hand when one is split", () => {
    const { hands } = laidOut([
      ...dealt,
      event("split", { seat: "1", to: "1.2" }),
      event("draw", { to: "1", outcome: "8h" }),
      event("split", { seat: "1", to: "1.3" }),
      event("draw", { to: "1.2", outcome: "2s" }),
    ]);
    expect([...hands]).toEqual([
      ["1", ["8c"]],
      ["1.2", ["8d", "2s"]],
      ["1.3", ["8h"]],
      ["2", ["Kd"]],
    ]);
  });

  it("splits a hand that came of a split", () => {
    const { hands } = laidOut([
      ...dealt,
      event("split", { seat: "1", to: "1.2" }),
      event("draw", { to: "1.2", outcome: "8s" }),
      event("split", { seat: "1", hand: "1.2", to: "1.3" }),
    ]);
    expect(hands.get("1.2")).toEqual(["8d"]);
    expect(hands.get("1.3")).toEqual(["8s"]);
  });

  it("shows a hand in its parts to its player at once, to others when it is turned", () => {
    const parts = { high: ["Ah", "Kh"], low: ["9c"] };
    const down = Array.from({ length: 3 }, () => event("draw", { to: "1", face_down: true }));
    const others = laidOut([...down, event("set", { to: "1" })]);
    expect(others.set.has("1")).toBe(true);
    expect(others.parts.size).toBe(0);
    expect(others.hands.get("1")).toEqual([null, null, null]);
    const own = laidOut([...down, event("chosen", { seat: "1", move: "set", parts })]);
    expect(own.parts.get("1")).toEqual(parts);
    const turned = event("reveal", { hand: "1", cards: ["Ah", "9c", "Kh"], parts });
    const after = laidOut([...down, event("set", { to: "1" }), turned]);
    expect(after.hands.get("1")).toEqual(["Ah", "9c", "Kh"]);
    expect(after.parts.get("1")).toEqual(parts);
  });

  it("takes discarded cards away, as far as one knows which", () => {
    const discards = event("decision", { seat: "1", move: "discard", count: 2 });
    const down = Array.from({ length: 3 }, () => event("draw", { to: "1", face_down: true }));
    expect(laidOut([...down, discards]).hands.get("1")).toEqual([null]);
    const looked = ["7c", "2d", "Ah"].map((outcome) => event("look", { to: "1", outcome }));
    const chosen = event("chosen", { seat: "1", move: "discard", cards: ["7c", "2d"] });
    expect(laidOut([...down, ...looked, discards, chosen]).hands.get("1")).toEqual(["Ah"]);
  });

  it("shows hands as the house shows them, and keeps those that it shows no more", () => {
    const laid = laidOut(dealt);
    const shown = asShown(laid, { "1": { seat: "1", cards: ["8d", null] } });
    expect([...shown.hands]).toEqual([
      ["1", ["8d", null]],
      ["2", ["Kd"]],
    ]);
    expect(laid.hands.get("1")).toEqual(["8c", "8d"]);
  });

  it("knows which hand of a seat has folded, and what the seat won with all", () => {
    const settled = (net: number): Settlement => ({
      seat: "1", wager: "bet", stake: 500, result: "win", line: "win", pays: null, net, citation: "",
    }); // prettier-ignore
    const ends = fates([
      event("decision", { seat: "1", hand: "1.2", move: "fold" }),
      event("round_over", { settlements: [settled(500), { ...settled(-200), hand: "1.2" }] }),
    ]);
    expect(ends.get("1")).toEqual({ folded: false, net: 300 });
    expect(ends.get("1.2")?.folded).toBe(true);
  });
});

describe("choosing cards", () => {
  it("is a move that needs cards, with its cost and a letter", () => {
    const [stand, discard] = choices([
      { move: "stand" },
      { move: "discard", costs: 500, choose: { least: 1, most: 3 } },
    ]);
    expect(stand).toMatchObject({ said: "stand", cards: null });
    expect(discard).toMatchObject({ text: "Discard ($5)", key: "D", said: null });
    expect(discard?.cards).toEqual({
      move: "discard",
      choose: { least: 1, most: 3 },
      parts: [],
    });
  });

  it.each([
    [{ least: 0, most: 3 }, 2, "2 of up to 3", true],
    [{ least: 0, most: 3 }, 4, "4 of up to 3", false],
    [{ least: 2, most: 2 }, 1, "1 of 2", false],
    [{ least: 1, most: 3 }, 1, "1 of up to 3, at least 1", true],
    [{ least: 1, most: 3 }, 0, "0 of up to 3, at least 1", false],
  ])("counts %o", (range, count, text, isEnough) => {
    expect(counted(range, count)).toBe(text);
    expect(isWithin(range, count)).toBe(isEnough);
  });

  it("picks and puts down, and tells equal cards apart", () => {
    expect(toggled([], 2)).toEqual([2]);
    expect(toggled([2, 0], 2)).toEqual([0]);
    expect(cardsAt(["Qh", "2c", "Qh"], [2, 0])).toEqual(["Qh", "Qh"]);
  });
});

describe("setting a hand in parts", () => {
  const holding = ["Ah", "Kh", "Qh", "9c", "9d"];
  const sizes = { high: 3, low: 2 };
  const none: Placed = holding.map(() => null);

  it("has a letter for each part beside those of the moves", () => {
    const [way, set] = choices([{ move: "house_way" }, { move: "set", parts: sizes }]);
    expect(way).toMatchObject({ text: "House way", key: "H", said: "house_way" });
    expect(set).toMatchObject({ key: "S", said: null });
    expect(set?.cards?.parts).toEqual([
      { name: "high", size: 3, key: "I" },
      { name: "low", size: 2, key: "L" },
    ]);
  });

  it("puts what is picked into a part that has room", () => {
    expect(movable(none, sizes, "low", [3, 4])).toEqual([3, 4]);
    expect(movable(none, sizes, "low", [2, 3, 4])).toEqual([]);
    expect(movable(none, sizes, "low", [])).toEqual([]);
  });

  it("puts the rest into the part that it fills", () => {
    const placed = put(none, [3, 4], "low");
    expect(inPart(placed, "low")).toEqual([3, 4]);
    expect(inParts(holding, placed, sizes)).toBeNull();
    expect(movable(placed, sizes, "high", [])).toEqual([0, 1, 2]);
    expect(movable(placed, sizes, "low", [])).toEqual([]);
    expect(inParts(holding, put(placed, [0, 1, 2], "high"), sizes)).toEqual({
      high: ["Ah", "Kh", "Qh"],
      low: ["9c", "9d"],
    });
  });

  it("takes a card back", () => {
    const placed = put(put(none, [3, 4], "low"), [4], null);
    expect(placed).toEqual([null, null, null, "low", null]);
    expect(movable(placed, sizes, "low", [0])).toEqual([0]);
  });
});

describe("questions", () => {
  it("name the hand where there are several", () => {
    expect(subject(question("1"), ["1"], ["1", "2"])).toBe("");
    expect(subject(question("1"), ["1"], ["1", "1.2"])).toBe("Hand 1");
    expect(subject(question("1", "1.2"), ["1"], ["1", "1.2"])).toBe("Hand 1.2");
    expect(subject(question("2"), ["1", "2"], ["1", "2"])).toBe("Seat 2");
    expect(subject(question("1", "1.2"), ["1", "2"], [])).toBe("Seat 1, hand 1.2");
  });

  it("say whom the table waits for, each seat once", () => {
    const asked = [question("2"), question("5"), question("5", "5.2")];
    expect(seatsInWords(seatsAsked(asked))).toBe("seat 2 and seat 5");
    expect(seatsInWords(["3"])).toBe("seat 3");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
    expect(listed([])).toBe("");
  });
});

describe("pots", () => {
  it("are named, with those who may win them", () => {
    expect(namedPots([{ amount: 500, hands: ["1", "3"] }], me)).toEqual([
      { name: "Pot", amount: 500, who: "You and seat 3" },
    ]);
    const two = [
      { amount: 900, hands: ["2", "1", "dealer"] },
      { amount: 200, hands: ["2"] },
    ];
    expect(namedPots(two, me)).toEqual([
      { name: "Main pot", amount: 900, who: "Seat 2, you and the dealer" },
      { name: "Side pot 1", amount: 200, who: "Seat 2" },
    ]);
    expect(namedPots([], me)).toEqual([]);
  });
});

describe("what is told of hands, pots and answers", () => {
  const low = { high: ["Ah"], low: ["9c", "9d"] };
  it.each<[string, Partial<TableEvent>, string, string]>([
    ["answered", { seat: "1" }, "You have answered.", "Seat 1 has answered."],
    [
      "answered",
      { seat: "1", hand: "1.2" },
      "You have answered about hand 1.2.",
      "Seat 1 has answered about hand 1.2.",
    ],
    [
      "chosen",
      { seat: "1", move: "discard", cards: ["7c", "2d"] },
      "You: discard 7, 2.",
      "Seat 1: discard 7, 2.",
    ],
    ["chosen", { seat: "1", move: "discard", cards: [] }, "You: discard nothing.", ""],
    [
      "chosen",
      { seat: "1", move: "set", parts: low },
      "You: set high ace; low 9, 9.",
      "Seat 1: set high ace; low 9, 9.",
    ],
    [
      "split",
      { seat: "1", to: "1.2" },
      "You split: the second card begins hand 1.2.",
      "Seat 1 splits: the second card begins hand 1.2.",
    ],
    [
      "split",
      { seat: "1", hand: "1.2", to: "1.3" },
      "Your hand 1.2 splits: the second card begins hand 1.3.",
      "",
    ],
    ["set", { to: "1" }, "You: the hand is set.", "Seat 1: the hand is set."],
    ["set", { to: "dealer" }, "Dealer: the hand is set.", ""],
    ["reveal", { hand: "1", cards: ["Ah"] }, "You: ace", "Seat 1: ace"],
    ["reveal", { hand: "1", cards: ["Ah"], parts: low }, "You: high ace; low 9, 9", ""],
    [
      "pot",
      { seat: "1", wager: "ante", amount: 500, pot: 1500 },
      "$5 of ante goes into the pot, which now holds $15.",
      "$5 of ante of seat 1 goes into the pot, which now holds $15.",
    ],
    [
      "pot",
      { to: "dealer", amount: 500, pot: 1500 },
      "The house puts $5 for the dealer into the pot, which now holds $15.",
      "",
    ],
    [
      "rake",
      { amount: 100, pot: 1400 },
      "The house takes $1 out of the pot, which now holds $14.",
      "",
    ],
    [
      "award",
      { seat: "1", amount: 1400, of: 1400, tied: 1 },
      "You win the pot of $14.",
      "Seat 1 wins the pot of $14.",
    ],
    [
      "award",
      { seat: "1", hand: "1.2", amount: 700, of: 1400, tied: 2 },
      "Your hand 1.2 wins $7 of a pot of $14, which 2 hands share.",
      "Seat 1, hand 1.2 wins $7 of a pot of $14, which 2 hands share.",
    ],
    ["award", { to: "dealer", amount: 5, of: 5, tied: 1 }, "The dealer wins the pot of $0.05.", ""],
    [
      "refund",
      { to: "dealer", amount: 500 },
      "$5 that nobody has matched goes back to the dealer.",
      "",
    ],
    [
      "decision",
      { seat: "1", hand: "1.2", question: "Hit or stand?", move: "hit" },
      "Your hand 1.2, Hit or stand? Hit.",
      "Seat 1, hand 1.2, Hit or stand? Hit.",
    ],
    [
      "decision",
      { seat: "1", question: "Discard?", move: "discard", count: 2 },
      "You, Discard? Discard 2 cards.",
      "",
    ],
    ["asked", { seat: "1", hand: "1.2", question: "Hit?" }, "Your hand 1.2: Hit?", ""],
    [
      "time_up",
      { seat: "1", hand: "1.2", move: "stand" },
      "Time is up for your hand 1.2: stand.",
      "Time is up for seat 1, hand 1.2: stand.",
    ],
    [
      "wager",
      { seat: "1", hand: "1.2", wager: "bet", stake: 500 },
      "$5 on bet of hand 1.2.",
      "$5 on bet of seat 1, hand 1.2.",
    ],
    ["travel", { seat: "1", wager: "bet", to: "1.2" }, "bet moves to hand 1.2.", ""],
    ["travel", { seat: "1", wager: "come", to: "come:4" }, "come moves to come:4.", ""],
  ])("%s %o", (kind, more, own, other) => {
    const rank = (card: unknown): string => cardName(card).split(" ")[0] ?? "";
    expect(tell(event(kind, more), me, rank)).toBe(own);
    if (other) expect(tell(event(kind, more), nobody, rank)).toBe(other);
  });

  it("names the hand in a round that is written down", () => {
    const settlements: Settlement[] = [
      {
        seat: "1", hand: "1.2", wager: "bet", stake: 500, result: "win", line: "win",
        pays: "1 to 1", net: 500, citation: "",
      },
    ]; // prettier-ignore
    const past = pastRound(3, [event("round_over", { round: 3, settlements })]);
    expect(inText(past, me)).toContain("Seat 1, hand 1.2, bet $5 won at 1 to 1: +$5");
  });

  it("is found by the seat whose hand it is", () => {
    const events = [
      event("draw", { to: "1.2", outcome: "8h" }),
      event("draw", { to: "2", outcome: "9h" }),
      event("draw", { to: "dealer", outcome: "Th" }),
    ];
    expect(findEvents(events, { kind: "", seat: "1", words: "" }, me)).toEqual([events[0]]);
  });
});
