import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cursors } from "./cursor.ts";

const orders = new Cursors(1, "orders");
const SCOPE = { client: 1, product: ["BTC-USD"], startTime: null, sort: "DESC" };
const LARGEST = 2 ** 32 - 1;

describe("A cursor", () => {
  it("leads back to where it was made, with the same filters", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LARGEST }), (after) => {
        expect(orders.decode(orders.encode(after, SCOPE), SCOPE)).toBe(after);
      }),
    );
  });

  it("is the same on any machine for one seed", () => {
    expect(new Cursors(1, "orders").encode(7, SCOPE)).toBe(orders.encode(7, SCOPE));
    expect(new Cursors(2, "orders").encode(7, SCOPE)).not.toBe(orders.encode(7, SCOPE));
  });

  it.each([
    ["other filters", { ...SCOPE, product: ["ETH-USD"] }],
    ["no filter", { ...SCOPE, product: [] }],
    ["another time", { ...SCOPE, startTime: 0 }],
    ["another direction", { ...SCOPE, sort: "ASC" }],
    ["another client", { ...SCOPE, client: 2 }],
  ])("is refused with %s", (_name, other) => {
    expect(orders.decode(orders.encode(7, SCOPE), other)).toBeNull();
  });

  it("is refused in another list and at another venue", () => {
    expect(new Cursors(1, "deposits").decode(orders.encode(7, SCOPE), SCOPE)).toBeNull();
    expect(new Cursors(2, "orders").decode(orders.encode(7, SCOPE), SCOPE)).toBeNull();
  });

  it("is refused when it is cut, at either end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LARGEST }), (after) => {
        const cursor = orders.encode(after, SCOPE);
        for (let length = 0; length < cursor.length; length++) {
          expect(orders.decode(cursor.slice(0, length), SCOPE)).toBeNull();
          expect(orders.decode(cursor.slice(cursor.length - length), SCOPE)).toBeNull();
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is refused when one character of it is changed, added, left out or swapped with the next", () => {
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. %\u00e9"];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LARGEST }), (after) => {
        const cursor = orders.encode(after, SCOPE);
        for (let at = 0; at <= cursor.length; at++) {
          const [head, tail] = [cursor.slice(0, at), cursor.slice(at + 1)];
          const edits = alphabet.flatMap((char) => [head + char + tail, head + char + cursor.slice(at)]);
          edits.push(head + tail, `${head}${cursor[at + 1] ?? ""}${cursor[at] ?? ""}${cursor.slice(at + 2)}`);
          for (const text of edits) if (text !== cursor) expect(orders.decode(text, SCOPE), text).toBeNull();
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each(["", "x", "null", "{}", "🦆", "a".repeat(40), "a".repeat(512), "ZGY4YmEzZjhkMmUyLjExNw"])(
    "is not %j",
    (text) => {
      expect(orders.decode(text, SCOPE)).toBeNull();
    },
  );

  it("does not show the number behind it", () => {
    for (const after of [1, 13, 117, 4711]) {
      const cursor = orders.encode(after, SCOPE);
      const bytes = Buffer.from(cursor, "base64url");
      expect(`${cursor} ${bytes.toString("latin1")}`).not.toContain(String(after).padStart(4, "."));
      const words = Array.from({ length: bytes.length - 3 }, (_, at) => bytes.readUInt32BE(at));
      expect(words).not.toContain(after);
    }
    // Neighbours have nothing in common.
    const [one, two] = [orders.encode(1, SCOPE), orders.encode(2, SCOPE)];
    expect(one.slice(0, 6)).not.toBe(two.slice(0, 6));
  });
});
