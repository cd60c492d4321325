import fc from "fast-check";
import type { SignMapping, WrittenStep } from "../model/language.ts";
import { type CanonicalPart, canonicalOrder } from "../signing/canonical-request.ts";
import type { Property } from "./property.ts";
import { call, demanding, type Judged } from "./templates.ts";

/**
 * P-03: the signed text is the six lines, each once, in their order, joined with a newline.
 * Clauses: AUTH-10, AUTH-34; AUTH-12 to AUTH-18 where the line of one value is left out.
 * Generator: the lines after one to six swaps of neighbours (never back in their order), or with one line left out,
 * or with one line twice; or in their order with another joiner.
 * Oracle: 401. Another joiner is a `should`: the document says "newline", and some stacks read CRLF as one.
 * Shrinks to a single swap of neighbours, as far up as it still fails. Safety: reads only.
 */
export const sixLines: Property = {
  id: "P-03",
  title: "Any other arrangement of the six signed lines is refused",
  spec: ["AUTH-10", "AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-18", "AUTH-34"],
  safety: "read",
  runs: { local: 40, staging: 20 },
  cost: { requests: 1, orders: 0 },
  plans: () =>
    fc
      .oneof(
        { withCrossShrink: true },
        { weight: 4, arbitrary: swapped.map((order) => arranged({ order: [...order] }, "expect")) },
        {
          weight: 2,
          arbitrary: position.map((at) => arranged({ order: without(at) }, "expect", unsigned[at])),
        },
        { weight: 1, arbitrary: position.map((at) => arranged({ order: doubled(at) }, "expect")) },
        { weight: 2, arbitrary: joiner.map((text) => arranged({ joiner: text }, "should")) },
      )
      .map((step) => ({ steps: [step] })),
};

const position = fc.integer({ min: 0, max: canonicalOrder.length - 1 });
const joiner = fc.constantFrom("\r\n", " ", "|", "", "\n\n");

const swapped = fc
  .array(fc.integer({ min: 0, max: canonicalOrder.length - 2 }), { minLength: 1, maxLength: 6 })
  .map((swaps) => {
    const order = [...canonicalOrder];
    for (const at of swaps) order.splice(at, 2, ...order.slice(at, at + 2).reverse());
    return order;
  })
  .filter((order) => order.some((part, index) => part !== canonicalOrder[index]));

/** The clauses that are violated if a text without that line is accepted, in the order of the lines. */
const unsigned = ["AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-17", "AUTH-18"];

const without = (at: number): CanonicalPart[] => canonicalOrder.filter((_, index) => index !== at);
const doubled = (at: number): CanonicalPart[] =>
  canonicalOrder.flatMap((part, index) => (index === at ? [part, part] : [part]));

function arranged(
  override: NonNullable<SignMapping["override"]>,
  strength: "expect" | "should",
  unsignedPart?: string,
): WrittenStep {
  const spec = ["AUTH-10", ...(unsignedPart === undefined ? [] : [unsignedPart]), "AUTH-34"];
  const judged: Judged = { spec, ...demanding(strength, { $macro: "unauthorized" }) };
  return call("arranged", "openOrders", { sign: { override } }, judged);
}
