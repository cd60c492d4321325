import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-06: in any sequence of requests, a nonce is good the first time and never again.
 * Clauses: AUTH-26 (once), AUTH-27 (also under a new timestamp and signature).
 * Generator: one reuse after up to forty other requests; or two to ten reads; each takes a nonce of its own or that of an earlier one, with the old or a new
 * timestamp, to the same or the other route, over the same or a new connection.
 * Oracle: a first use is answered, a reuse is refused.
 * Shrinks to two requests: a nonce and its reuse. Safety: reads only.
 */
export const nonceOnce: Property = {
  id: "P-06",
  title: "A nonce is good once, whatever happens in between",
  spec: ["AUTH-26", "AUTH-27"],
  safety: "read",
  runs: { local: 10, staging: 8 },
  cost: { requests: 42, orders: 0 },
  plans: () =>
    fc.oneof(
      { withCrossShrink: true },
      {
        weight: 4,
        arbitrary: fc
          .array(read, { minLength: 2, maxLength: 10 })
          .map((reads) => ({ steps: reads.map(stepOf) })),
      },
      { weight: 2, arbitrary: fc.tuple(fc.boolean(), fc.integer({ min: 12, max: 40 })).map(longAgo) },
    ),
};

/** A nonce and its reuse, with other nonces between them or without. */
function longAgo([between, others]: readonly [boolean, number]): Plan {
  const gap = { repeat: { times: others, steps: [call("other", "products")] } };
  const read = { back: 0, sameTimestamp: false, route: "openOrders", fresh: false } as const;
  return { steps: [stepOf(read, 0), ...(between ? [gap] : []), stepOf({ ...read, back: 1 }, 1)] };
}

interface Read {
  /** How many requests back the nonce is from; 0, or beyond the first request, is a nonce of its own. */
  readonly back: number;
  readonly sameTimestamp: boolean;
  readonly route: "openOrders" | "products";
  readonly fresh: boolean;
}

const read: fc.Arbitrary<Read> = fc.record({
  back: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })),
  sameTimestamp: fc.boolean(),
  route: fc.constantFrom("openOrders", "products"),
  fresh: fc.boolean(),
});

function stepOf({ back, sameTimestamp, route, fresh }: Read, index: number): ValueMap {
  const pool = fresh ? { pool: "fresh" } : {};
  const earlier = index - back;
  if (back === 0 || earlier < 0)
    return call(`read${index + 1}`, route, pool, { spec: ["AUTH-26"], expect: { status: "2xx" } });
  const source = `read${earlier + 1}.request`;
  const override = {
    nonce: `\${${source}.nonce}`,
    // Within one millisecond the clock would give the old timestamp again.
    timestamp: sameTimestamp ? `\${${source}.timestamp}` : `+${index}ms`,
  };
  const spec = sameTimestamp ? ["AUTH-26"] : ["AUTH-26", "AUTH-27"];
  return call(
    `read${index + 1}`,
    route,
    { ...pool, sign: { override } },
    { spec, expect: { $macro: "refused" } },
  );
}
