import fc from "fast-check";
import { atOffset, skewBoundary } from "./p08-skew-boundary.ts";
import type { Plan, Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-08: if a timestamp far from the server's clock is accepted, a nearer one is accepted, too.
 * Clauses: AUTH-31, AUTH-32 (assumed: the tolerance itself is the target's own).
 * Generator: two distances from now on a logarithmic scale, both in the past or both in the future; the larger at least
 * double the smaller, so that the transmission time does not matter.
 * Oracle: if the farther one is answered, the nearer one is, too. The oracle contains no limit; the limit that is found
 * goes to the behaviour sheet.
 * Shrinks to the two smallest distances. Safety: reads only.
 */
export const skewIsMonotone: Property = {
  id: "P-08",
  title: "If a timestamp is accepted, one nearer to the clock is accepted, too",
  spec: ["AUTH-31", "AUTH-32"],
  safety: "read",
  runs: { local: 12, staging: 10 },
  cost: { requests: 2, orders: 0 },
  plans: () =>
    fc
      .record({
        sign: fc.constantFrom("+", "-"),
        // From a sixteenth of a second to four minutes and up: the range of usual limits.
        near: fc.integer({ min: 6, max: 18 }),
        farther: fc.integer({ min: 1, max: 4 }),
      })
      .map(
        ({ sign, near, farther }): Plan => ({
          steps: [
            call("far", "openOrders", atOffset(sign, 2 ** (near + farther))),
            call("near", "openOrders", atOffset(sign, 2 ** near), {
              expect: { $switch: "${far.status}", "200": { status: 200 } },
            }),
          ],
        }),
      ),
  observe: skewBoundary,
};
