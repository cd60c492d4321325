/**
 * The schema of the documentation against the decoder, on bodies that are valid, nearly valid and odd. They agree on
 * every body but for one documented point: a member that is null counts as absent, and schemas know no such thing.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { schemaComponents } from "./components.ts";
import { decodeOrderRequest, orderFields } from "./order-request.ts";
import { ref } from "./schema.ts";
import { compile } from "./testing/ajv.ts";
import { formatLines } from "./testing/format-lines.ts";

const runs = 4000;

const accepts = compile(ref("OrderRequest"));

const withoutNulls = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

const decimals = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...formatLines("decimal-valid")) },
  { weight: 2, arbitrary: fc.constantFrom(...formatLines("decimal-invalid")) },
  { weight: 2, arbitrary: fc.stringMatching(/^[0-9]{1,22}(\.[0-9]{1,22})?$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0.]{1,5}$/) },
);
const ids = fc.oneof(
  { weight: 6, arbitrary: fc.uuid({ version: 4 }) },
  { weight: 1, arbitrary: fc.uuid() },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...formatLines("uuid-v4-valid"), ...formatLines("uuid-v4-invalid")),
  },
);
const products = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...formatLines("product-id-valid")) },
  { weight: 1, arbitrary: fc.constantFrom(...formatLines("product-id-invalid")) },
);

/** Values that a field must not have. */
const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: "binary" }), fc.constant(null));

const fields = {
  side: fc.constantFrom("BUY", "SELL", "BUY", "SELL", "buy"),
  type: fc.constantFrom("LIMIT", "MARKET", "STOP_LIMIT", "MARKET", "TWAP"),
  base_quantity: decimals,
  quote_value: decimals,
  price: decimals,
  stop_price: decimals,
  client_order_id: ids,
  product: products,
};

const plausible = fc.record(fields, { requiredKeys: ["side", "type", "client_order_id", "product"] });
const valid = fc.record({
  ...fields,
  side: fc.constantFrom("BUY", "SELL"),
  type: fc.constantFrom("LIMIT", "MARKET", "STOP_LIMIT"),
  base_quantity: fc.constantFrom(...formatLines("decimal-valid")),
  price: fc.constantFrom(...formatLines("decimal-valid")),
  client_order_id: fc.uuid({ version: 4 }),
  product: fc.constantFrom(...formatLines("product-id-valid")),
});

/** One to three members replaced, taken away, or added. */
const mutated = fc
  .tuple(
    valid,
    fc.array(
      fc.tuple(
        fc.constantFrom(...Object.keys(orderFields), "extra"),
        fc.option(anything, { nil: undefined }),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([body, changes]) =>
    Object.fromEntries(
      Object.entries({ ...body, ...Object.fromEntries(changes) }).filter(([, value]) => value !== undefined),
    ),
  );

it("the schema of an order accepts exactly what the decoder accepts", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(plausible, valid, mutated, anything), (body) => {
      const decoded = decodeOrderRequest(body, { unknownFields: "ignore" }).ok;
      const shown =
        typeof body === "object" && body !== null && !Array.isArray(body) ? withoutNulls(body) : body;
      if (decoded) accepted += 1;
      expect(accepts(shown), JSON.stringify(accepts.errors)).toBe(decoded);
    }),
    { numRuns: runs },
  );
  // Neither side of the border may be a rare case.
  expect(accepted).toBeGreaterThan(runs / 10);
  expect(accepted).toBeLessThan((runs * 9) / 10);
});

it("an order that asks for no unknown fields is accepted under either setting", () => {
  fc.assert(
    fc.property(fc.oneof(plausible, valid), (body) => {
      expect(decodeOrderRequest(body, { unknownFields: "reject" })).toEqual(
        decodeOrderRequest(body, { unknownFields: "ignore" }),
      );
    }),
  );
});

it("the schema of an order names one shape at most for each body", () => {
  const shapes = (schemaComponents["OrderRequest"]?.oneOf ?? []).map((shape) => compile(shape));
  fc.assert(
    fc.property(fc.oneof(plausible, valid, mutated), (body) => {
      expect(shapes.filter((fits) => fits(body)).length).toBeLessThanOrEqual(1);
    }),
  );
});
