import fc from "fast-check";
import type { Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-02: flipping any one bit of a valid signature makes it invalid.
 * Clauses: AUTH-24 (a digest that is wrong anywhere does not verify), AUTH-34 (401).
 * Generator: one of the 256 bits of the digest; bit 0 is the highest of the first hex digit.
 * Oracle: 401. A verifier that compares a prefix, or only some bytes, accepts some of them.
 * Shrinks to the lowest bit that is not checked. Safety: reads only.
 */
export const oneBit: Property = {
  id: "P-02",
  title: "A signature with any one bit flipped is refused",
  spec: ["AUTH-24", "AUTH-34"],
  safety: "read",
  runs: { local: 32, staging: 24 },
  cost: { requests: 1, orders: 0 },
  plans: () =>
    fc.integer({ min: 0, max: 255 }).map((bit) => ({
      steps: [
        call(
          "flipped",
          "openOrders",
          { sign: { transform: [`flipBit(${bit})`] } },
          { expect: { $macro: "unauthorized" } },
        ),
      ],
    })),
};
