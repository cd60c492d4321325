/** Open orders against a `Set`: the same answers and the same order of walking, whatever leaves and when. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { InvariantViolation } from "./invariant.ts";
import { OpenOrders } from "./open-orders.ts";

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("add" as const), ahead: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("leave" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("leave nobody" as const), number: fc.integer() }) },
);

test("open orders are those of a set, in order of acceptance", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: "max" }), (script) => {
      const orders = new OpenOrders();
      const model = new Set<number>();
      let newest = 0;
      for (const one of script) {
        if (one.do === "add") {
          newest += one.ahead;
          orders.add(newest);
          model.add(newest);
        } else {
          const number = one.do === "leave" ? [...model][one.which % Math.max(1, model.size)] : -one.number;
          orders.delete(number ?? 0);
          model.delete(number ?? 0);
          expect(orders.has(number ?? 0)).toBe(false);
        }
        expect(orders.size).toBe(model.size);
        expect([...orders]).toEqual([...model]);
        expect([...model].every((number) => orders.has(number))).toBe(true);
      }
      expect([...orders.list()]).toEqual([...model]);
    }),
    { numRuns: 100 },
  );
});

test("a walk shows what was open when it began", () => {
  const orders = new OpenOrders();
  for (let number = 1; number <= 100; number++) orders.add(number);
  let walked = 0;
  for (const number of orders) {
    orders.delete(number);
    walked++;
  }
  expect([walked, orders.size]).toEqual([100, 0]);
});

test("an order that is not newer than the rest is refused", () => {
  const orders = new OpenOrders();
  orders.add(7);
  for (const number of [7, 6, 0]) expect(() => orders.add(number)).toThrow(InvariantViolation);
});
