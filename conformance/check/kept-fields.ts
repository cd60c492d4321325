import { JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import { instantOf } from "./matcher-instant.ts";
import type { CitedDifference } from "./order-relations.ts";
import { decimalField, textField } from "./orders-in-reply.ts";

/** The origin of a shown order: the answer to its request, to its repeat, to a read, or a message. */
export type How = "new" | "replay" | "read" | "heard";

/** The clause for each field that must not change. A repeat shows the original, so there the clause is PLC-12. */
const kept: readonly (readonly [field: string, clause: string, kind: "word" | "amount" | "time"])[] = [
  ["clientOrderId", "ORD-40", "word"],
  ["side", "ORD-41", "word"],
  ["type", "ORD-42", "word"],
  ["productId", "ORD-43", "word"],
  ["baseQuantity", "ORD-44", "amount"],
  ["limitPrice", "ORD-45", "amount"],
  ["stopPrice", "ORD-46", "amount"],
  ["userId", "ORD-59", "word"],
  ["createdAt", "ORD-49", "time"],
];

export const longestWord = 200;

export function whatIsKept(order: JsonObject): JsonObject {
  const fields = kept.flatMap(([field]) => {
    const text = textField(order, field);
    return text === undefined || text.length > longestWord ? [] : [[field, ownText(text)] as const];
  });
  return new JsonObject(new Map(fields));
}

export function changed(before: JsonObject, now: JsonObject, pointer: string, how: How): CitedDifference[] {
  const market = textField(before, "type") === "MARKET";
  const found = kept.flatMap(([field, clause, kind]): CitedDifference[] => {
    if (kind === "amount" && market) return [];
    const [was, is] = [textField(before, field), textField(now, field)];
    if (was === undefined || is === undefined || isSame(kind, before, now, field, was, is)) return [];
    const original = how === "replay" && field !== "createdAt";
    const expected = `${JSON.stringify(was)}, as this order had before`;
    const where = `${pointer}/${field}`;
    return [{ pointer: where, expected, actual: JSON.stringify(is), clause: original ? "PLC-12" : clause }];
  });
  // The document does not define messages; that this message shows an order is a statement of its profile.
  if (how === "heard") return found.map((one) => ({ ...one, clause: "EVT-07" }));
  // Another client_order_id is another order, so all other fields may differ.
  const other = found.find(({ clause }) => clause === "ORD-40");
  return other === undefined ? found : [{ ...other, clause: "ORD-38" }];
}

function isSame(
  kind: "word" | "amount" | "time",
  before: JsonObject,
  now: JsonObject,
  field: string,
  was: string,
  is: string,
): boolean {
  if (was.toLowerCase() === is.toLowerCase()) return true;
  if (kind === "word") return false;
  if (kind === "amount") {
    const [old, current] = [decimalField(before, field), decimalField(now, field)];
    // A value that is no decimal belongs to another clause.
    return old === undefined || current === undefined || old.eq(current);
  }
  const [from, to] = [instantOf(was), instantOf(is)];
  return from === undefined || to === undefined || Math.abs(from - to) <= 1000;
}
