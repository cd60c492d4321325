/** Both order books against an array that is sorted at each look. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { triesAll } from "../../../tools/sampled.ts";
import { lots, ticks } from "../../domain/amount.ts";
import type { Side } from "../../domain/order.ts";
import { LevelBook } from "./level-book.ts";
import { noSlot, type OrderBook, syntheticOrder } from "./order-book.ts";
import { PlainBook } from "./plain-book.ts";

interface Naive {
  readonly side: Side;
  readonly price: number;
  readonly order: number;
  readonly slot: number;
  readonly arrival: number;
  quantity: number;
}

type Action =
  | {
      readonly do: "add";
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
      readonly synthetic: boolean;
    }
  | { readonly do: "reduce"; readonly which: number; readonly by: number }
  | { readonly do: "remove"; readonly which: number };

const side = fc.constantFrom<Side>("BUY", "SELL");
// Few prices make long queues, many prices make long ladders; both grow past the first capacity.
const actions = (prices: number): fc.Arbitrary<Action[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          do: fc.constant("add" as const),
          side,
          price: fc.integer({ min: 1, max: prices }),
          quantity: fc.integer({ min: 1, max: 9 }),
          synthetic: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant("reduce" as const),
          which: fc.nat(),
          by: fc.integer({ min: 1, max: 9 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), which: fc.nat() }) },
    ),
    { minLength: 300, maxLength: 700, size: "max" },
  );

const sorted = (model: readonly Naive[], wanted: Side): Naive[] =>
  model
    .filter((entry) => entry.side === wanted)
    .sort((a, b) => (wanted === "BUY" ? b.price - a.price : a.price - b.price) || a.arrival - b.arrival);

function compare(book: OrderBook, model: readonly Naive[]): void {
  for (const wanted of ["BUY", "SELL"] as const) {
    const expected = sorted(model, wanted);
    const slots = [...book.slots(wanted)];
    expect(slots).toEqual(expected.map((entry) => entry.slot));
    expect(slots.map((slot) => [book.order(slot), book.price(slot), book.remaining(slot)])).toEqual(
      expected.map((entry) => [entry.order, entry.price, entry.quantity]),
    );
    expect(book.bestPrice(wanted)).toBe(expected[0]?.price ?? null);
    const walked: number[] = [];
    for (let slot = book.first(wanted); slot !== noSlot; slot = book.next(slot)) walked.push(slot);
    expect(walked).toEqual(slots);
    const levels = new Map<number, number>();
    for (const entry of expected) levels.set(entry.price, (levels.get(entry.price) ?? 0) + entry.quantity);
    const depth = [...levels].map(([price, quantity]) => ({ price, quantity }));
    expect(book.depth(wanted, Number.POSITIVE_INFINITY)).toEqual(depth);
    expect(book.depth(wanted, 3)).toEqual(depth.slice(0, 3));
    for (const [price, quantity] of levels) {
      expect(book.quantityAt(wanted, price)).toBe(quantity);
      const synthetic = expected.find((entry) => entry.price === price && entry.order === syntheticOrder);
      expect(book.syntheticAt(wanted, ticks(price))).toBe(synthetic?.slot ?? noSlot);
    }
    expect(book.syntheticAt(wanted, ticks(1_000_000))).toBe(noSlot);
    expect(book.quantityAt(wanted, 1_000_000)).toBe(0);
  }
}

describe.each([
  { name: "plain", Book: PlainBook },
  { name: "level", Book: LevelBook },
])("the $name order book", ({ Book }) => {
  test.each([
    { prices: 5, about: "long queues" },
    { prices: 400, about: "many levels" },
  ])("stands as a sorted array does ($about)", ({ prices }) => {
    let deepest = 0;
    fc.assert(
      fc.property(actions(prices), (script) => {
        const book = new Book();
        const model: Naive[] = [];
        for (const [index, action] of script.entries()) {
          if (action.do === "add") {
            const { price, quantity } = action;
            const order = action.synthetic ? syntheticOrder : index + 1;
            const slot = book.add(
              action.side,
              ticks(price),
              lots(quantity),
              action.synthetic ? -1 : index % 3,
              order,
            );
            expect(book.owner(slot)).toBe(action.synthetic ? -1 : index % 3);
            model.push({ side: action.side, price, order, slot, arrival: index, quantity });
          } else if (model.length > 0) {
            const at = action.which % model.length;
            const entry = model[at];
            if (entry === undefined) continue;
            const by = action.do === "remove" ? entry.quantity : Math.min(action.by, entry.quantity);
            if (action.do === "remove") book.remove(entry.slot);
            else expect(book.reduce(entry.slot, lots(by))).toBe(by === entry.quantity);
            entry.quantity -= by;
            if (entry.quantity === 0) model.splice(at, 1);
          }
          deepest = Math.max(deepest, model.length);
          if (index % 140 === 0) compare(book, model);
        }
        compare(book, model);
      }),
      { numRuns: triesAll ? 25 : 6 },
    );
    expect(deepest).toBeGreaterThan(300);
  });
});
