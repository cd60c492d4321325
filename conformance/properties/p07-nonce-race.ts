import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-07: of parallel requests with one nonce at most one is accepted.
 * Clauses: AUTH-28.
 * Generator: two to eight reads with one nonce, their last bytes released together, staggered, or without waiting.
 * Oracle: at most one of the answers is 2xx.
 * Shrinks to two requests at a barrier. Safety: reads only.
 */
export const nonceRace: Property = {
  id: "P-07",
  title: "Of parallel requests with one nonce at most one is accepted",
  spec: ["AUTH-28"],
  safety: "read",
  runs: { local: 6, staging: 5 },
  cost: { requests: 8, orders: 0 },
  plans: ({ profile }) =>
    fc
      .record({
        fanout: fc.integer({ min: 2, max: Math.min(8, profile.safety.budget.concurrency) }),
        release: fc.constantFrom("barrier", "none", "stagger"),
      })
      .map(
        ({ fanout, release }): Plan => ({
          steps: [
            {
              id: "race",
              concurrent: { release, fanout, branches: [[raced]], collect: "race" },
              expect: { count: { of: "race", where: { status: "2xx" }, is: { lte: 1 } } },
            },
          ],
        }),
      ),
};

const raced = call("raced", "openOrders", { sign: { override: { nonce: "${id.nonce}" } } });
