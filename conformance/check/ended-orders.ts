import type { Exchange } from "../model/exchange.ts";
import { JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import type { CitedDifference } from "./order-relations.ts";
import { decimalField, ordersIn, textField } from "./orders-in-reply.ts";

/**
 * What orders showed when they had ended and agreed with the exchange: from then on, whoever reads one order sees the same
 * status (STA-04) and the same amounts (STA-06). Lists and repeats may lag behind, and so may an answer to a question that was
 * asked before the end was seen; null and missing fields say nothing.
 */
export const endedClauses = ["STA-04", "STA-06"] as const;

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

interface Ended {
  readonly seenAt: number;
  readonly order: JsonObject;
}

export class EndedOrders {
  readonly #ended = new Map<string, Ended>();

  read(exchange: Exchange): CitedDifference[] {
    if (exchange.request.operation !== "readOrder") return [];
    return ordersIn(exchange).flatMap(({ pointer, order }) => {
      const id = textField(order, "id") ?? "";
      const before = this.#ended.get(id);
      if (before !== undefined && exchange.startedAt >= before.seenAt)
        return changes(before.order, order, pointer);
      this.#remember(id, order, exchange.endedAt);
      return [];
    });
  }

  #remember(id: string, order: JsonObject, seenAt: number): void {
    const over = final.includes(textField(order, "status") ?? "") && order.get("synced") === true;
    if (!over || id === "" || id.length > longestText) return;
    if (this.#ended.has(id) || this.#ended.size >= mostOrders) return;
    const kept = ["status", ...amounts].flatMap((field) => {
      const text = textField(order, field);
      return text === undefined || text.length > longestText ? [] : [[field, ownText(text)] as const];
    });
    this.#ended.set(id, { seenAt, order: new JsonObject(new Map(kept)) });
  }
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
    expected: `${was}, as when the order had ended`,
    actual: is,
    clause,
  };
}
