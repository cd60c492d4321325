import fc from "fast-check";
import type { Call } from "../model/language.ts";
import type { Plan, Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-31: a broken body causes neither a server error nor an order, and the target continues to answer.
 * Clauses: REQ-21, REQ-23, ERR-09, ERR-10 (on all traffic).
 * Generator: bytes, correctly signed: random ones; a truncated order; an order twice; an order inside up to 64 arrays;
 * one with a very long word for its side; one after a byte order mark; odd media types. Each is broken so that even a
 * lenient reader cannot read an order in it.
 * Oracle: 4xx or a connection that is closed; never 2xx, never 5xx. Then a plain request is answered.
 * Shrinks to the fewest bytes. Safety: nothing that is sent may become an order.
 */
export const robustParsing: Property = {
  id: "P-31",
  title: "A broken body is answered with a client error and has no effect",
  spec: ["REQ-21", "REQ-23", "ERR-09"],
  safety: "reject-only",
  tags: ["malformed"],
  runs: { local: 20, staging: 15 },
  cost: { requests: 2, orders: 1 },
  plans: () => fc.oneof({ withCrossShrink: true }, ...bodies).map(planOf),
};

/** An order whose side is no side, and without a product: nothing that surrounds it can make it valid. */
const order = '{"side":"NEITHER","type":"LIMIT","base_quantity":"1","price":"1","client_order_id":"x"}';

interface Body {
  readonly bytes: Uint8Array;
  readonly mediaType?: string;
}

const text = (value: string): Body => ({ bytes: Buffer.from(value, "utf8") });

const bodies: readonly fc.Arbitrary<Body>[] = [
  fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => ({ bytes })),
  fc.integer({ min: 1, max: order.length - 1 }).map((length) => text(order.slice(0, length))),
  fc.constantFrom("", ",", "\n").map((between) => text(`${order}${between}${order}`)),
  fc.integer({ min: 1, max: 64 }).map((depth) => text(`${"[".repeat(depth)}${order}${"]".repeat(depth)}`)),
  fc
    .integer({ min: 1, max: 32 })
    .map((kibibytes) => text(order.replace("NEITHER", "N".repeat(kibibytes * 1024)))),
  fc.constant(text(`\ufeff${order}`)),
  fc
    .constantFrom(
      "text/plain",
      "application/xml",
      "application/json; charset=utf-16",
      "application/x-www-form-urlencoded",
    )
    .map((mediaType) => ({ ...text(order), mediaType })),
];

function planOf({ bytes, mediaType }: Body): Plan {
  const headers: Call = mediaType === undefined ? {} : { headers: { "Content-Type": mediaType } };
  return {
    steps: [
      call(
        "broken",
        "placeOrder",
        { ...headers, bodyBase64: Buffer.from(bytes).toString("base64") },
        { expect: { $anyOf: [{ status: "4xx" }, { transport: { $in: ["closed", "reset"] } }] } },
      ),
      call("after", "openOrders", {}, { spec: ["ERR-09"], expect: { status: "2xx" } }),
    ],
  };
}
