import type { Call, WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import { again, clausesOf, firstJudged, ifTaken, signedAgain, stamped, stamps } from "./nonce-window.ts";
import type { Plan, Situation } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call, demanding, type Judged } from "./templates.ts";

/**
 * P-06: a nonce is good the first time and never again, for as long as its request would be accepted.
 * Table: where the first request stands in the time that is accepted, what comes between, and how the nonce comes again: the same
 * bytes, or signed anew with the old or a new timestamp, to the same or another route, over the same or a new connection.
 * Oracle: the first use is answered, the reuse refused. A first use that is stamped too far away to be accepted shows nothing, and
 * the list of products may be open to everybody, so there it is a `should`.
 * Safety: reads only.
 */
const table: Table = {
  id: "P-06",
  title: "A nonce is good once, however old it is and whatever happens in between",
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
    return between === "forty others" && stamp !== "now" ? "a memory is full at any age" : undefined;
  },
  lacks: ({ route = "" }, { profile }) => {
    const operation = profile.operations[route];
    if (typeof operation !== "object") return `${route} is not mapped`;
    return operation.auth === "none" ? `${route} is open to everybody` : undefined;
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
