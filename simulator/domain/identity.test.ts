/** Public ids: there and back, and no ids of other venues. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mix, unmix } from "./bijection.ts";
import { Identity } from "./identity.ts";

const number = fc.oneof(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 5000 }));
const seed = fc.integer({ min: 0, max: 2 ** 31 });
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("a public id", () => {
  test("looks like a UUID v4 and leads back to its number, letter case aside", () => {
    fc.assert(
      fc.property(seed, number, (start, value) => {
        const identity = new Identity(start, "order");
        const id = identity.idOf(value);
        expect(id).toMatch(uuidV4);
        expect(identity.numberOf(id)).toBe(value);
        expect(identity.numberOf(id.toUpperCase())).toBe(value);
      }),
      { numRuns: 3000 },
    );
  });

  test("of another seed or another purpose is refused", () => {
    fc.assert(
      fc.property(seed, seed, number, (one, other, value) => {
        fc.pre(one !== other);
        expect(new Identity(one, "order").numberOf(new Identity(other, "order").idOf(value))).toBeNull();
        expect(new Identity(one, "order").numberOf(new Identity(one, "wallet").idOf(value))).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  test("that is made up is refused", () => {
    const identity = new Identity(1, "order");
    fc.assert(
      fc.property(fc.uuid({ version: 4 }), (id) => {
        expect(identity.numberOf(id)).toBeNull();
      }),
      { numRuns: 3000 },
    );
  });

  test("with a single digit changed is refused", () => {
    const identity = new Identity(7, "order");
    fc.assert(
      fc.property(
        number,
        fc.integer({ min: 0, max: 35 }),
        fc.integer({ min: 0, max: 15 }),
        (value, at, digit) => {
          const id = identity.idOf(value);
          const changed = `${id.slice(0, at)}${digit.toString(16)}${id.slice(at + 1)}`;
          fc.pre(changed !== id && id.charAt(at) !== "-");
          expect(identity.numberOf(changed)).toBeNull();
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each([
    "",
    "-",
    "zzzzzzzz-0000-4000-8000-000000000000",
    "open",
    "00000000-0000-4000-8000-000000000000",
  ])("spelled %j is refused", (text) => expect(new Identity(1, "order").numberOf(text)).toBeNull());

  test("is handed out once", () => {
    const identity = new Identity(3, "order");
    expect(new Set(Array.from({ length: 20_000 }, (_, index) => identity.idOf(index + 1))).size).toBe(20_000);
  });
});

describe("the bijection behind an id", () => {
  test("mixing can be undone for every word", () => {
    fc.assert(
      fc.property(fc.integer(), (word) => {
        expect(unmix(mix(word))).toBe(word);
        expect(mix(unmix(word))).toBe(word);
      }),
      { numRuns: 5000 },
    );
  });
});
