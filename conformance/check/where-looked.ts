import { specifiedOperations } from "../contract/operations.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { type Json, JsonObject } from "../model/json.ts";
import type { Operation } from "../model/profile.ts";

interface Looked {
  readonly exchange?: Exchange;
  readonly views: Pick<Operation, "order">;
}

/** Does an operation that only the profile describes show no order at its places? The profile may name wrong ones. */
export function isLookedForInVain(shown: Json | undefined, exchange: Exchange | undefined): boolean {
  const operation = exchange?.request.operation;
  if (operation === undefined || Object.hasOwn(specifiedOperations, operation)) return false;
  const isOrder =
    shown instanceof JsonObject && ["id", "status"].some((name) => shown.get(name) !== undefined);
  return exchange?.stream === undefined && !isOrder;
}

export function whereLooked(found: Difference, { exchange, views }: Looked): Difference {
  const places = views.order.join(" or ");
  const key = `operations.${exchange?.request.operation ?? ""}.order`;
  return {
    ...found,
    actual: `${found.actual}: the answer has no order at ${places}; if it has one, say where in ${key}`,
  };
}
