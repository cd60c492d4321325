import { isOurs, type Profile } from "../model/profile.ts";
import { scanOrder } from "./order-scan.ts";

/**
 * Some gateways take orders over their stream, too. The budget, the caps and the ledger know orders by their route, so at a target that is
 * not ours nothing leaves on a stream that anybody could read as one.
 */
export function streamProblem(body: Uint8Array, profile: Profile): string | undefined {
  if (isOurs(profile)) return undefined;
  if (body.length > 4096) return "a message of more than 4096 bytes is sent on this machine only";
  const { values } = scanOrder(body);
  const telling = (["client_order_id", "base_quantity", "quote_value", "price"] as const).find(
    (field) => values(field).length > 0,
  );
  return telling === undefined
    ? undefined
    : `a message with a ${telling} could be an order: it is sent on this machine only`;
}
