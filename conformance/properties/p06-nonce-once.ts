import type { Call, WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import { again, clausesOf, firstJudged, ifTaken, signedAgain, stamped, stamps } from "./nonce-window.ts";
import type { Plan, Situation } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call, demanding, type Judged } from "./templates.ts";

/**
 * P-06: a nonce is accepted once and then refused, for as long as its request would be accepted.
 * Table: the timestamp of the first request within the accepted time, the requests in between, and the second use of
 * the nonce: the same bytes, or signed again with the old or a new timestamp, to the same or another route, over the
 * same or a new connection.
 * Oracle: the first use is answered, the second refused. If the timestamp of the first use is too far away to be
 * accepted, the plan shows nothing. The product list may need no signature, so there the oracle is a `should`.
 * Safety: reads only.
 */
const table: Table = {
  id: "P-06",
  title: "A nonce is accepted once, at any age and after any other requests",
  spec: ["AUTH-26", "AUTH-27", "AUTH-45"],
  safety: "read",
  cost: { requests: 42, orders: 0 },
  staging: 8,
  dimensions: {
    again: [...again].reverse(),
    stamp: stamps,
    between: ["nothing", "another", "forty others"],
    route: ["openOrders", "products", "listOrders"],
    connection: ["same", "new"],
  },
  strength: 2,
  cannot: ({ again: how, stamp, between, route }) => {
    if (how === "the same bytes" && route !== "openOrders") return "the same bytes go to the same route";
    return between === "forty others" && stamp !== "now"
      ? "a full memory does not depend on the age"
      : undefined;
  },
  lacks: ({ route = "" }, { profile }) => {
    const operation = profile.operations[route];
    if (typeof operation !== "object") return `${route} is not mapped`;
    return operation.auth === "none" ? `${route} needs no signature` : undefined;
  },
  plan: planOf,
};

export const nonceOnce = tableProperty(table);

const others: Readonly<Record<string, number>> = { nothing: 0, another: 1, "forty others": 40 };

function planOf(tuple: Tuple, { profile }: Situation): Plan {
  const { again: how = "", stamp = "", between = "", route = "", connection } = tuple;
  const times = others[between] ?? 0;
  const gap: WrittenStep = { repeat: { times, steps: [call("other", "products")] } };
  const refused = ifTaken(stamp, "read1", "200", { $macro: "refused" });
  const judged: Judged = {
    spec: clausesOf(how),
    ...demanding(route === "products" ? "should" : "expect", refused),
  };
  const reuse: Call = { ...signedAgain(how, "read1"), ...(connection === "new" ? { pool: "fresh" } : {}) };
  return {
    steps: [
      call("read1", "openOrders", stamped(stamp, profile), firstJudged(stamp, { status: "2xx" }, "AUTH-26")),
      ...(times === 0 ? [] : [gap]),
      how === "the same bytes"
        ? { id: "read2", call: reuse, ...judged }
        : call("read2", route, reuse, judged),
    ],
  };
}
