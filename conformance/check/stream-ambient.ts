import { orderFields } from "../contract/fields.ts";
import { marketEvents } from "../contract/stream-dialect.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { StreamEventRule, StreamPlan } from "../model/stream.ts";
import type { AmbientReading } from "./ambient.ts";
import { describeJson } from "./describe.ts";
import { match } from "./match.ts";
import { noContext } from "./matching.ts";
import { relationDifferences } from "./order-relations.ts";
import { ordersIn } from "./orders-in-reply.ts";
import type { StreamNumbers } from "./stream-numbers.ts";

type Cited = Difference & { readonly clause: string };

/**
 * The rules for every message, whatever the case. The document demands that decimals are strings and times ISO 8601
 * (GEN-04, GEN-06). All other rules follow from the profile, and are therefore assumed: EVT-07 for orders, EVT-08 for
 * market data, EVT-11 for numbering. Messages of a kind that the profile does not name are not judged.
 */
export function checkMessage(exchange: Exchange, plan: StreamPlan, numbers: StreamNumbers): AmbientReading {
  const { stream } = exchange;
  if (stream === undefined) return { exercised: [], differences: [] };
  const { event } = stream;
  const kind = String(event.get("is"));
  const rule = plan.events[kind];
  const mapped = rule === undefined ? [] : missingFields(kind, rule, event);
  const unnumbered = numbers.differences(event).map((found) => ({ ...found, clause: "EVT-11" }));
  const named = ordersOf(event);
  const orders = new Set([...ordersIn(exchange).map(({ order }) => order), ...named.filter(isObject)]);
  const records = [...orders].flatMap(textAmounts);
  const shapes = rule === undefined ? [] : named.flatMap((order) => shapeOf(order, rule.partial));
  const sums =
    rule === undefined || rule.partial ? [] : named.filter(isObject).flatMap((order) => sumsOf(order));
  return {
    exercised: orders.size > 0 ? ["GEN-04", "GEN-06"] : [],
    differences: [...unnumbered, ...mapped, ...records, ...shapes, ...sums],
  };
}

/** The fields that define each event: without them the description in the profile is wrong. */
const essential: Readonly<Record<string, readonly string[]>> = {
  order: ["order"],
  orders: ["orders"],
  trades: ["trades"],
};

function missingFields(kind: string, { fields }: StreamEventRule, event: JsonObject): Cited[] {
  return (essential[kind] ?? [])
    .filter((name) => fields[name] !== undefined && event.get(name) === undefined)
    .map((name) => ({
      pointer: `event/${name}`,
      expected: `what ws.events.${kind}.${name} points at`,
      actual: "(missing)",
      clause: marketEvents.some((one) => one === kind) ? "EVT-08" : "EVT-07",
    }));
}

/** The orders of a message, at the places that its profile names. */
export const toldOrders = ({ stream }: Exchange): JsonObject[] =>
  stream === undefined ? [] : ordersOf(stream.event).filter(isObject);

function ordersOf(event: JsonObject): Json[] {
  const [order, orders] = [event.get("order"), event.get("orders")];
  return [
    ...(order === undefined ? [] : [order]),
    ...(Array.isArray(orders) ? (orders as readonly Json[]) : []),
  ].slice(0, 50);
}

const isObject = (json: Json): json is JsonObject => json instanceof JsonObject;

function textAmounts(order: JsonObject): Cited[] {
  const numbers = orderFields.filter(
    ({ name, kind }) => order.get(name) instanceof JsonNumber && kind !== "boolean",
  );
  const asNumbers = numbers.map(({ name }) => ({
    pointer: `event/order/${name}`,
    expected: "a decimal as string, not a number",
    actual: describeJson(order.get(name)),
    clause: "GEN-04",
  }));
  const times = orderFields.filter(({ kind }) => kind === "date-time").map(({ clause }) => clause);
  const notTimes = match({ $macro: "orderShape" }, order, noContext, { pointer: "event/order" })
    .filter(({ clause, actual }) => times.includes(clause ?? "") && actual !== "(missing)")
    .map((found) => ({ ...found, clause: "GEN-06" }));
  return [...asNumbers, ...notTimes];
}

/** If only changes are sent, a missing field has not changed. */
function shapeOf(order: Json, partial: boolean): Cited[] {
  if (!(order instanceof JsonObject))
    return [{ pointer: "event/order", expected: "an order", actual: describeJson(order), clause: "EVT-07" }];
  return match({ $macro: "orderShape" }, order, noContext, { pointer: "event/order" })
    .filter(({ actual }) => !partial || actual !== "(missing)")
    .map((found) => ({ ...found, clause: "EVT-07" }));
}

/**
 * The relations between the amounts of a whole order. Findings about its times and its value keep their own clauses,
 * because they weigh no more here than elsewhere.
 */
const sumsOf = (order: JsonObject): Cited[] =>
  relationDifferences(order, "event/order").map((found) =>
    advice.includes(found.clause) ? found : { ...found, clause: "EVT-07" },
  );

const advice: readonly string[] = ["ORD-47", "ORD-48"];
