import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { call, market, nowhere, orderOf, place, shapes } from "./templates.ts";

/**
 * P-04: a signature is good for exactly the request it was made for.
 * Clauses: AUTH-12 (timestamp), AUTH-13 (nonce), AUTH-14 (method), AUTH-16 (path), AUTH-18 (body), AUTH-05 (key id),
 * AUTH-39 (no effect), AUTH-34.
 * Generator: one component and a small edit: a step of the timestamp, one character of the nonce or the key id, the
 * signature of an earlier good request, another method, another path that exists, or one byte of an order's body.
 * Oracle: 401; after a changed order, no order with its key is open.
 * Shrinks to reads before orders and to the smallest edit. Safety: an order is sent only in a form that must be
 * refused.
 */
export const signedComponents: Property = {
  id: "P-04",
  title: "A request that differs in one signed component from what was signed is refused",
  spec: ["AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-18", "AUTH-05", "AUTH-39", "AUTH-34"],
  safety: "reject-only",
  runs: { local: 40, staging: 20 },
  cost: { requests: 2, orders: 1 },
  plans: (situation) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 6, arbitrary: reads(situation) },
      { weight: 1, arbitrary: orders },
    ),
};

const unauthorized = (spec: string): ValueMap => ({
  spec: [spec, "AUTH-34"],
  expect: { $macro: "unauthorized" },
});

function reads({ profile }: Situation): fc.Arbitrary<Plan> {
  const other = `${profile.baseUrl.pathname}/product`;
  const timestamp = fc
    .tuple(fc.constantFrom("+", "-"), fc.integer({ min: 1, max: 999 }))
    .map(([sign, size]) => changed({ mutateAfterSign: { timestamp: `${sign}${size}ms` } }, "AUTH-12"));
  return fc.oneof(
    { withCrossShrink: true },
    timestamp,
    fc.constant(changed({ mutateAfterSign: { nonce: "${id.other}" } }, "AUTH-13")),
    fc.constantFrom("POST", "PUT", "DELETE").map((method) => changed({ override: { method } }, "AUTH-14")),
    fc
      .constantFrom(
        other,
        `${profile.baseUrl.pathname}/order`,
        `${profile.baseUrl.pathname}/order/open/`,
        "/order/open",
      )
      .map((path) => changed({ override: { path } }, "AUTH-16")),
    fc.constantFrom("x", "0").map((text) => foreignKey(text)),
    fc.constant(borrowed),
  );
}

function changed(sign: ValueMap, spec: string): Plan {
  return { steps: [call("changed", "openOrders", { sign }, unauthorized(spec))] };
}

/** The key id is the owner's and does not stand in a file: it is taken from a request that was good. */
function foreignKey(text: string): Plan {
  const sign = { mutateAfterSign: { keyId: `\${good.request.keyId}${text}` } };
  return { steps: [good, call("changed", "openOrders", { sign }, unauthorized("AUTH-05"))] };
}

const good = call("good", "openOrders", {}, { spec: ["AUTH-07"], expect: { status: "2xx" } });

/** The signature of a request that was good a moment ago, on another one. */
const borrowed: Plan = {
  steps: [
    good,
    call(
      "changed",
      "openOrders",
      { sign: { headers: { set: { "X-API-SIGNATURE": "${good.request.signature}" } } } },
      unauthorized("AUTH-13"),
    ),
  ],
};

/** Edits of the body that leave it the same order: only a signature over the bytes can tell. */
const orders = fc
  .oneof(
    fc.constant({ text: " " }),
    fc.constant({ insertAt: 0, text: " " }),
    fc.constant({ insertAt: 1, text: "\n" }),
    fc.constant({ replace: ['"BUY"', '"SELL"'] }),
  )
  .map(
    (body): Plan => ({
      vars: market,
      steps: [
        place("changed", orderOf(shapes.limitBuy, "a"), unauthorized("AUTH-18")),
        { ...nowhere("nothing", "a"), spec: ["AUTH-39"] },
      ].map((step, index) =>
        index === 0
          ? { ...step, call: { ...(step["call"] as ValueMap), sign: { mutateAfterSign: { body } } } }
          : step,
      ),
    }),
  );
