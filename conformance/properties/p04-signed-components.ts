import type { Call, WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import type { Plan, Situation } from "./property.ts";
import { type Edit, edits, isOrdersOwn, type Signed } from "./signed-parts.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { call, type Judged, market, orderOf, shapes } from "./templates.ts";

/**
 * P-04: a signature is valid only for the request that was signed, in every part of it.
 * Table: the part of the request that differs from the signed one, and the route. Parts are milliseconds and seconds of
 * the timestamp, digits of the nonce, letters of the method, segments and ids of the path, values of the query, bytes
 * of an order at its start, in the middle and at its end, and characters of the key id. For parts that a target may
 * round or drop before it compares them, the rounded value is signed.
 * Oracle: 401, and a handshake that is refused. Safety: an order is sent only in a form that must be refused, and the
 * order of a cancel does not exist.
 */
const table: Table = {
  id: "P-04",
  title: "A request that differs in one part from what was signed is refused",
  spec: ["AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-18", "AUTH-05", "AUTH-34", "EVT-04"],
  safety: "reject-only",
  cost: { requests: 18, orders: 10 },
  staging: 30,
  dimensions: {
    part: Object.keys(edits),
    route: ["openOrders", "placeOrder", "cancelOrder", "readOrder", "listOrders", "handshake"],
  },
  strength: 2,
  cannot: ({ part = "", route = "" }) => {
    const { of = "" } = edits[part] ?? {};
    if (of === "body" && route !== "placeOrder") return "this request has no body";
    if (of === "query" && route !== "listOrders") return "this request has no query";
    if (of === "id" && !isOrdersOwn(route)) return "its path has no order id";
    return undefined;
  },
  lacks: ({ part = "", route = "" }, situation) => {
    const { profile } = situation;
    if (edits[part]?.of === "query" && profile.auth.signedPath !== "pathAndQuery")
      return "the query is not signed here (auth.signedPath)";
    if (route === "handshake") return missing(situation, { capabilities: ["ws"] });
    const operation = profile.operations[route];
    if (typeof operation !== "object") return `${route} is not mapped`;
    if (edits[part]?.of === "id" && !operation.path.includes("{id}"))
      return `the path of ${route} has no order id`;
    return operation.auth === "none" ? `${route} needs no signature` : undefined;
  },
  together: ({ part = "", route = "" }) => `${route} ${edits[part]?.clause ?? ""}`,
  plan: planOf,
};

export const signedComponents = tableProperty(table);

function planOf(_: Tuple, situation: Situation, all: readonly Tuple[]): Plan {
  return {
    vars: { ...market, now: { $now: "ms" } },
    steps: all.flatMap(({ part = "", route = "" }, index) => {
      const edit = edits[part];
      return edit === undefined ? [] : stepsOf(edit, route, index + 1, situation);
    }),
  };
}

function stepsOf(edit: Edit, route: string, number: number, situation: Situation): WrittenStep[] {
  const id = `changed${number}`;
  const signed = signedOf(route, number, situation);
  const sign = edit.sign(signed);
  const before = edit.after === undefined ? [] : [good];
  if (route === "handshake") {
    const judged: Judged = { spec: ["EVT-04"], expect: { $macro: "turnedAway" } };
    return [...before, { id, ws: { connect: { sign, settle: "2s" } }, ...judged }];
  }
  const judged: Judged = { spec: [edit.clause, "AUTH-34"], expect: { $macro: "unauthorized" } };
  return [...before, call(id, route, { ...askedOf(route), sign }, judged)];
}

const good = call("good", "openOrders", {}, { spec: ["AUTH-07"], expect: { status: "2xx" } });

/** The order of a read or a cancel does not exist. */
function askedOf(route: string): Call {
  if (route === "placeOrder") return { body: orderOf(shapes.limitBuy, "a") };
  if (isOrdersOwn(route)) return { params: { id: "${id.nobody}" } };
  return route === "listOrders" ? { query: [["limit", "1"]] } : {};
}

function signedOf(route: string, number: number, { profile }: Situation): Signed {
  const nonce = `\${id.nonce${number}}`;
  const { url, signedPath } = profile.stream ?? {};
  if (route === "handshake")
    return { nonce, method: "GET", path: signedPath ?? `${url?.pathname ?? "/"}${url?.search ?? ""}` };
  const operation = profile.operations[route];
  const { method, path } = typeof operation === "object" ? operation : { method: "GET", path: "/" };
  return { nonce, method, path: `${profile.baseUrl.pathname}${path.replaceAll("{id}", "${id.nobody}")}` };
}
