import type { Property } from "./property.ts";
import { call } from "./templates.ts";

/**
 * P-28: the product list follows its rules, and a second request returns the same list.
 * Clauses: PRD-01 to PRD-19 as far as a list shows them.
 * Generator: none; the list that the target sends is the data.
 * Oracle: every group and pair has its fields; the second list has as many groups as the first and the same pairs.
 * Rules between pairs (a base asset has one group, a pair is listed once) are checked on every product list of the run.
 * Shrinks: the finding names the first pair. Safety: reads only.
 */
export const productListing: Property = {
  id: "P-28",
  title: "The product list is well-formed and the same in a second answer",
  spec: ["PRD-01", "PRD-02", "PRD-03", "PRD-04"],
  safety: "read",
  runs: { local: 1, staging: 1 },
  cost: { requests: 2, orders: 0 },
  plans: () => [
    {
      steps: [
        call(
          "listing",
          "products",
          {},
          {
            expect: { status: 200, body: { data: { $each: { $macro: "productGroup" } } } },
            capture: { first: "#/data" },
          },
        ),
        call(
          "again",
          "products",
          {},
          {
            expect: { status: 200, body: { data: { $each: { $macro: "productGroup" } } } },
            should: { body: { data: { $anyOf: [{ $eqVar: "first" }, { $len: { gte: 1 } }] } } },
          },
        ),
      ],
    },
  ],
};
