import fc from "fast-check";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property } from "./property.ts";
import { connected, heard, subscribed } from "./stream-steps.ts";
import { call, firstPlacement, market, orderOf, settle, shapes } from "./templates.ts";

/**
 * P-36: the book that the messages make is the book that can be read, after any few orders and cancels.
 * Clause: EVT-08. Needs a number that both books carry, so that the same moment can be told.
 * Generator: up to four placements on either side, some cancelled again, before and after the subscription.
 * Oracle: a replica that applies the messages one by one; at the version of the read, level by level.
 * Shrinks to none: then the first picture is wrong. Safety: at most four orders, far from the market.
 */
export const bookOfTheStream: Property = {
  id: "P-36",
  title: "The book that the stream makes is the one that can be read",
  spec: ["EVT-08"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.orderBook", "ws.bookVersion"], operations: ["orderBook"] },
  runs: { local: 6, staging: 2 },
  cost: { requests: 16, orders: 4 },
  plans: ({ profile }) =>
    fc
      .record({
        early: fc.array(change, { maxLength: 2 }),
        late: fc.array(change, { maxLength: 2 }),
      })
      .map(({ early, late }): Plan => {
        const cancels = typeof profile.operations["cancelOrder"] === "object";
        return { isolation: "product", vars: market, steps: stepsOf(early, late, cancels) };
      }),
};

interface Change {
  readonly side: "limitBuy" | "limitSell";
  readonly cancelled: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  side: fc.constantFrom("limitBuy" as const, "limitSell" as const),
  cancelled: fc.boolean(),
});

function stepsOf(early: readonly Change[], late: readonly Change[], cancels: boolean): ValueMap[] {
  const changes = (list: readonly Change[], when: string): ValueMap[] =>
    list.flatMap((one, index) => changing(one, `${when}${index + 1}`, cancels));
  return [
    ...changes(early, "early"),
    ...connected("open"),
    subscribed("joined", "orderBook", ["${product}"]),
    heard("whole", { is: "book" }, ["EVT-08"], { from: "connect", within: "10s" }),
    ...changes(late, "late"),
    call("read", "orderBook", { params: { product: "${product}" } }, { expect: { status: "2xx" } }),
    { ws: { collect: { for: "250ms", as: "seen", from: "connect" } } },
    { spec: ["EVT-08"], check: { book: "seen", equals: "read" } },
  ];
}

function changing({ side, cancelled }: Change, name: string, cancels: boolean): ValueMap[] {
  const order = `${name}Order`;
  const placed = [...firstPlacement(name, orderOf(shapes[side], name), order), settle];
  if (!cancelled || !cancels) return placed;
  return [...placed, call(`${name}Cancel`, "cancelOrder", { params: { id: `\${${order}}` } }), settle];
}
