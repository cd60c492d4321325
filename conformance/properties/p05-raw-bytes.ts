import fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import type { Plan, Property } from "./property.ts";
import { firstPlacement, market, orderOf, shapes } from "./templates.ts";

/**
 * P-05: the signature covers the bytes of the body, so every JSON spelling of an order is accepted like the compact
 * one.
 * Clauses: AUTH-21, AUTH-08.
 * Generator: indentation, order of the keys, one character written as `\uXXXX`, white space at the end;
 * one to eight such spellings of one order.
 * Oracle: the compact order is placed once; the other spelling, with the same key and correctly signed, is its
 * replay. A gateway that parses and prints the body again before hashing says 401.
 * Shrinks to one spelling with one deviation from the compact one. Safety: one order rests; every further request repeats it.
 */
export const rawBytes: Property = {
  id: "P-05",
  title: "Any JSON spelling of an order is accepted like the compact one",
  spec: ["AUTH-21", "AUTH-08"],
  safety: "rests",
  runs: { local: 3, staging: 2 },
  cost: { requests: 9, orders: 1 },
  plans: () => fc.array(spelling, { minLength: 1, maxLength: 8 }).map(planOf),
};

const indent = fc.constantFrom("", " ", "\n  ", "\t");
const tail = fc.constantFrom("", "\n", "\r\n", "  ");
/** The key that moves to the front; 0 changes nothing. */
const keys = fc.integer({ min: 0, max: 5 });
/** The key whose first letter is escaped; 0 for none. */
const escaped = fc.integer({ min: 0, max: 6 });

interface Spelling {
  readonly indent: string;
  readonly keys: number;
  readonly escaped: number;
  readonly tail: string;
}

const spelling: fc.Arbitrary<Spelling> = fc.record({ indent, keys, escaped, tail });

function planOf(spellings: readonly Spelling[]): Plan {
  return {
    vars: market,
    steps: [
      ...firstPlacement("compact", orderOf(shapes.limitBuy, "a"), "order"),
      ...spellings.map(
        (one, index): WrittenStep => ({
          id: `spelled${index + 1}`,
          call: { op: "placeOrder", bodyText: spelled(one) },
          spec: ["AUTH-21"],
          expect: {
            status: { $cite: "AUTH-21", is: { $not: 401 } },
            body: { data: { order: { id: { $eqVar: "order" } } } },
          },
        }),
      ),
    ],
  };
}

/** Values are filled in by the runner, between the quotes. */
function spelled({ indent, keys, escaped, tail }: Spelling): string {
  const members = Object.entries(orderOf(shapes.limitBuy, "a"));
  const moved = members.splice(keys % members.length, 1);
  const lines = [...moved, ...members].map(([name, value], index) => {
    const first = `\\u${(name.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
    const shown = index === escaped - 1 ? `${first}${name.slice(1)}` : name;
    return `${indent}"${shown}":${indent === "" ? "" : " "}"${String(value)}"`;
  });
  return `{${lines.join(",")}${indent}}${tail}`;
}
