import type { Exchange } from "../model/exchange.ts";
import type { Json } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";
import { objectsIn, resolvePointer } from "./pointer.ts";

/**
 * The values that a run knows as ids: of its orders, in answers and requests, and cursors of lists. They are new in every
 * run, so failures of two runs are compared without them.
 */
export class KnownIds extends Set<string> {
  read({ request, json }: Exchange, next: string | undefined): void {
    if (!ofOrders.has(request.operation ?? "")) return;
    for (const [, object] of objectsIn(json, () => true, { most: mostObjects }))
      for (const name of names) this.note(object.get(name));
    if (next !== undefined) this.note(resolvePointer(json, next));
  }

  note(id: Json | undefined): void {
    if (typeof id !== "string" || id.length > longest || this.size >= mostIds) return;
    // A short word would hide what is not an id.
    if (/\d/.test(id) || id.length >= 8) this.add(ownText(id));
  }
}

const ofOrders: ReadonlySet<string> = new Set([
  "placeOrder",
  "openOrders",
  "listOrders",
  "readOrder",
  "cancelOrder",
  "deposits",
]);
const names = ["id", "clientOrderId", "externalId"] as const;
const mostObjects = 500;
const mostIds = 50_000;
const longest = 200;
