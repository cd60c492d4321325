import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ModelOrder, PriceTime } from "./price-time.ts";

const after = (...orders: readonly ModelOrder[]): PriceTime => {
  const book = new PriceTime();
  for (const order of orders) book.place(order);
  return book;
};
const sell = (id: string, price: string, quantity: string): ModelOrder => ({
  id,
  side: "SELL",
  price,
  quantity,
});
const buy = (id: string, price: string, quantity: string): ModelOrder => ({
  id,
  side: "BUY",
  price,
  quantity,
});
const told = ({ fills }: PriceTime): string[] =>
  fills.map(({ maker, taker, price, quantity }) => `${taker} ${quantity} of ${maker} at ${price}`);

describe("the model of matching", () => {
  it("takes the better price first, in any order of arrival, and none worse than the limit", () => {
    const book = after(
      sell("dear", "12", "1"),
      sell("cheap", "4", "1"),
      sell("beyond", "13", "5"),
      buy("x", "12", "3"),
    );
    expect(told(book)).toEqual(["x 1 of cheap at 4", "x 1 of dear at 12"]);
    // The rest waits, and is met at its own price.
    book.place(sell("late", "1", "0.5"));
    expect(told(book).at(-1)).toBe("late 0.5 of x at 12");
    expect([book.filled("x"), book.filled("beyond")]).toEqual(["2.5", "0"]);
  });

  it("keeps the place of an order of which a part has traded", () => {
    const book = after(
      buy("first", "8", "2"),
      buy("second", "8", "9"),
      sell("a", "8", "1"),
      sell("b", "1", "2"),
    );
    expect(told(book)).toEqual(["a 1 of first at 8", "b 1 of first at 8", "b 1 of second at 8"]);
  });

  it("fills a MARKET order as far as the book allows, and drops the rest", () => {
    const book = after(
      buy("high", "9", "1"),
      buy("low", "3", "1"),
      { id: "m", side: "SELL", quantity: "5" },
      buy("x", "9", "1"),
    );
    expect(told(book)).toEqual(["m 1 of high at 9", "m 1 of low at 3"]);
  });

  it("is exact in digits that a double has not", () => {
    const book = after(sell("s", "8", "0.30000000000000000001"), buy("b", "8", "0.1"), buy("c", "8", "0.2"));
    expect(book.filled("s")).toBe("0.3");
    expect(after(sell("s", "8", "9007199254740993.1"), buy("b", "8", "9007199254740993.1")).filled("b")).toBe(
      "9007199254740993.1",
    );
  });

  it("never trades more than was asked for, and never at a worse price", () => {
    const order = fc.record({
      side: fc.constantFrom<"BUY" | "SELL">("BUY", "SELL"),
      price: fc.integer({ min: 1, max: 6 }).map(String),
      quantity: fc.integer({ min: 1, max: 5 }).map(String),
    });
    fc.assert(
      fc.property(fc.array(order, { maxLength: 12 }), (drawn) => {
        const orders = drawn.map((one, index) => ({ ...one, id: `o${index}` }));
        const book = after(...orders);
        for (const { id, side, price, quantity } of orders) {
          expect(Number(book.filled(id))).toBeLessThanOrEqual(Number(quantity));
          for (const fill of book.fillsOf(id))
            expect(Math.sign(Number(fill.price) - Number(price))).not.toBe(side === "BUY" ? 1 : -1);
        }
      }),
    );
  });
});
