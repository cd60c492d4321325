import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Cursors } from "./cursor.ts";

const orders = new Cursors(1, "orders");
const scope = { client: 1, product: ["BTC-USD"], startTime: null, sort: "DESC" };
const largest = 2 ** 32 - 1;

describe("A cursor", () => {
  it("leads back to where it was made, with the same filters", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), (after) => {
        expect(orders.decode(orders.encode(after, scope), scope)).toBe(after);
      }),
    );
  });

  it("is the same on any machine for one seed", () => {
    expect(new Cursors(1, "orders").encode(7, scope)).toBe(orders.encode(7, scope));
    expect(new Cursors(2, "orders").encode(7, scope)).not.toBe(orders.encode(7, scope));
  });

  it.each([
    ["other filters", { ...scope, product: ["ETH-USD"] }],
    ["no filter", { ...scope, product: [] }],
    ["another time", { ...scope, startTime: 0 }],
    ["another direction", { ...scope, sort: "ASC" }],
    ["another client", { ...scope, client: 2 }],
  ])("is refused with %s", (_name, other) => {
    expect(orders.decode(orders.encode(7, scope), other)).toBeNull();
  });

  it("is refused in another list and at another venue", () => {
    expect(new Cursors(1, "deposits").decode(orders.encode(7, scope), scope)).toBeNull();
    expect(new Cursors(2, "orders").decode(orders.encode(7, scope), scope)).toBeNull();
  });

  it("is refused when it is cut, at either end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), (after) => {
        const cursor = orders.encode(after, scope);
        for (let length = 0; length < cursor.length; length++) {
          expect(orders.decode(cursor.slice(0, length), scope)).toBeNull();
          expect(orders.decode(cursor.slice(cursor.length - length), scope)).toBeNull();
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is refused when one character of it is changed, added, left out or swapped with the next", () => {
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. %\u00e9"];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), (after) => {
        const cursor = orders.encode(after, scope);
        for (let at = 0; at <= cursor.length; at++) {
          const [head, tail] = [cursor.slice(0, at), cursor.slice(at + 1)];
          const edits = alphabet.flatMap((char) => [head + char + tail, head + char + cursor.slice(at)]);
          edits.push(head + tail, `${head}${cursor[at + 1] ?? ""}${cursor[at] ?? ""}${cursor.slice(at + 2)}`);
          for (const text of edits) if (text !== cursor) expect(orders.decode(text, scope), text).toBeNull();
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each(["", "x", "null", "{}", "🦆", "a".repeat(40), "a".repeat(512), "ZGY4YmEzZjhkMmUyLjExNw"])(
    "is not %j",
    (text) => {
      expect(orders.decode(text, scope)).toBeNull();
    },
  );

  it("does not show the number behind it", () => {
    for (const after of [1, 13, 117, 4711]) {
      const cursor = orders.encode(after, scope);
      const bytes = Buffer.from(cursor, "base64url");
      expect(`${cursor} ${bytes.toString("latin1")}`).not.toContain(String(after).padStart(4, "."));
      const words = Array.from({ length: bytes.length - 3 }, (_, at) => bytes.readUInt32BE(at));
      expect(words).not.toContain(after);
    }
    // Neighbours have nothing in common.
    const [one, two] = [orders.encode(1, scope), orders.encode(2, scope)];
    expect(one.slice(0, 6)).not.toBe(two.slice(0, 6));
  });
});
