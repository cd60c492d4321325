import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor, filterFingerprint } from "./cursor.ts";

const FILTERS = filterFingerprint({ product: ["BTC-USD"], sort: "DESC" });

describe("A cursor", () => {
  it("leads back to where it was made, with the same filters", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (after) => {
        expect(decodeCursor(encodeCursor(after, FILTERS), FILTERS)).toEqual({ after });
      }),
    );
  });

  it("is refused with other filters, another direction, another list", () => {
    const cursor = encodeCursor(7, FILTERS);
    for (const other of [
      { product: ["ETH-USD"], sort: "DESC" },
      { product: ["BTC-USD"], sort: "ASC" },
      { product: [], sort: "DESC" },
      { deposits: true, product: ["BTC-USD"], sort: "DESC" },
    ])
      expect(decodeCursor(cursor, filterFingerprint(other))).toBeNull();
  });

  it("is refused when one character of it is changed, added or left out", () => {
    const cursor = encodeCursor(1042, FILTERS);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ";
    for (let at = 0; at < cursor.length; at++) {
      const accepted = [...alphabet]
        .map((char) => cursor.slice(0, at) + char + cursor.slice(at + 1))
        .filter((text) => text !== cursor && decodeCursor(text, FILTERS) !== null);
      // Another number is another place in the same list: the cursor hides nothing and proves nothing, so that is fine.
      for (const text of accepted) expect(decodeCursor(text, FILTERS)?.after).not.toBe(1042);
      expect(decodeCursor(cursor.slice(0, at), FILTERS)?.after).not.toBe(1042);
    }
    for (const char of alphabet) expect(decodeCursor(cursor + char, FILTERS)?.after).not.toBe(1042);
  });

  it.each(["", "x", "null", "{}", "🦆", "a".repeat(512), Buffer.from(`${FILTERS}.0`).toString("base64url")])(
    "is not %j",
    (text) => {
      expect(decodeCursor(text, FILTERS)).toBeNull();
    },
  );

  it.each(["-1", "1.5", "01", "1e3", "99999999999999999", "", " 1", "NaN"])("has no place %j", (after) => {
    expect(decodeCursor(Buffer.from(`${FILTERS}.${after}`).toString("base64url"), FILTERS)).toBeNull();
  });
});
