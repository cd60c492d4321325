import { type Exchange, isSuccess } from "../model/exchange.ts";
import { JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import type { CitedDifference } from "./order-relations.ts";
import { decimalField, ordersIn, textField } from "./orders-in-reply.ts";

/**
 * Remembers orders that have ended in agreement with the exchange. From then on every read of such an order shows the
 * same status (STA-04) and the same amounts (STA-06). Five seconds after its end an order is no longer among the open
 * ones (EPT-09), and a read shows what the stream reported at the end (EVT-07).
 *
 * Known limits: lists and repeats may lag behind, and so may the answer to a request that was sent before the end was
 * seen; null and missing fields are not compared. EPT-11, about orders that should have ended, is judged by
 * AcceptedCancels.
 */
export const endedClauses = ["EPT-09", "EPT-11", "STA-04", "STA-06"] as const;

const final: readonly string[] = ["FILLED", "CANCELLED", "EXPIRED", "FAILED"];
const amounts = [
  "filledQuantity",
  "filledValue",
  "averageFilledPrice",
  "netAverageFilledPrice",
  "fees",
  "commission",
  "exchangeFee",
  "totalUserRecieveAmount",
] as const;
const mostOrders = 20_000;
const longestText = 200;
const graceMs = 5000;

interface Ended {
  readonly seenAt: number;
  readonly order: JsonObject;
}

export class EndedOrders {
  readonly #ended = new Map<string, Ended>();
  /** The orders that the stream reported. */
  readonly #told = new Map<string, Ended>();
  /** When an order was first seen in a final status, synced or not. */
  readonly #over = new Map<string, number>();

  read(exchange: Exchange): CitedDifference[] {
    const { operation = "", path } = exchange.request;
    if (operation === "openOrders" && !path.includes("?")) return this.#stillOpen(exchange);
    if (!["readOrder", "placeOrder", "cancelOrder"].includes(operation) || !isSuccess(exchange)) return [];
    return ordersIn(exchange).flatMap(({ pointer, order }) => {
      const id = textField(order, "id") ?? "";
      if (isOver(order) && this.#over.size < mostOrders && !this.#over.has(id))
        this.#over.set(id, exchange.endedAt);
      if (operation !== "readOrder") return [];
      const before = this.#ended.get(id);
      if (before !== undefined && exchange.startedAt >= before.seenAt)
        return changes(before.order, order, pointer);
      remember(this.#ended, id, order, exchange.endedAt);
      const heard = this.#told.get(id);
      return heard === undefined || !this.#ended.has(id) ? [] : told(order, heard.order);
    });
  }

  /** Reads the orders of a message. */
  hear(orders: readonly JsonObject[], { endedAt }: Exchange): CitedDifference[] {
    return orders.flatMap((order) => {
      const id = textField(order, "id") ?? "";
      const shown = this.#ended.get(id);
      if (shown !== undefined && isEnded(order)) return told(shown.order, order);
      remember(this.#told, id, order, endedAt);
      return [];
    });
  }

  #stillOpen(exchange: Exchange): CitedDifference[] {
    return ordersIn(exchange).flatMap(({ pointer, order }) => {
      const since = this.#over.get(textField(order, "id") ?? "");
      if (since === undefined || exchange.startedAt - since < graceMs) return [];
      const expected = "no order that had ended five seconds before";
      const actual = textField(order, "status") ?? "(no status)";
      return [{ pointer: `${pointer}/status`, expected, actual, clause: "EPT-09" }];
    });
  }
}

const isOver = (order: JsonObject): boolean => final.includes(textField(order, "status") ?? "");

const isEnded = (order: JsonObject): boolean => isOver(order) && order.get("synced") === true;

const told = (shown: JsonObject, heard: JsonObject): CitedDifference[] =>
  changes(shown, heard, "event/order").map((one) => ({ ...one, clause: "EVT-07" }));

function remember(orders: Map<string, Ended>, id: string, order: JsonObject, seenAt: number): void {
  if (!isEnded(order) || id === "" || id.length > longestText || orders.has(id) || orders.size >= mostOrders)
    return;
  const kept = ["status", ...amounts].flatMap((field) => {
    const text = textField(order, field);
    return text === undefined || text.length > longestText ? [] : [[field, ownText(text)] as const];
  });
  orders.set(id, { seenAt, order: new JsonObject(new Map(kept)) });
}

function changes(before: JsonObject, now: JsonObject, pointer: string): CitedDifference[] {
  const [was = "", is = ""] = [before, now].map((order) => textField(order, "status"));
  const left = was === is ? [] : [difference("status", was, is, "STA-04", pointer)];
  return [
    ...left,
    ...amounts.flatMap((field) => {
      const [old, current] = [before, now].map((order) => decimalField(order, field));
      if (old === undefined || current === undefined || old.eq(current)) return [];
      return [difference(field, String(old), String(current), "STA-06", pointer)];
    }),
  ];
}

function difference(
  field: string,
  was: string,
  is: string,
  clause: string,
  pointer: string,
): CitedDifference {
  return {
    pointer: `${pointer}/${field}`,
    expected: `${was}, as it was when the order ended`,
    actual: is,
    clause,
  };
}
