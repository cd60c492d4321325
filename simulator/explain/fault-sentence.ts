import { canFollow, type OrderFault } from "../domain/fault.ts";
import type { OrderType } from "../domain/order.ts";

/** Rules of the sandbox and reserved ids alike: the journal has the fault, and not who asked for it. */
export function faultSentence(fault: OrderFault, type: OrderType): string {
  const asked = "A fault rule or a reserved client_order_id asked for this:";
  switch (fault.kind) {
    case "externalFailure":
      return fault.outcome === "certain"
        ? `${asked} the exchange could certainly not be reached.`
        : `${asked} the exchange did not answer, and the outcome turns out to be ${fault.resolvesTo} later.`;
    case "internalFailure":
      return `${asked} the gateway failed while it executed the order.`;
    case "stuckPending":
      return `${asked} the exchange never answers, so the order stays PENDING.`;
    case "neverSync":
      return `${asked} synced stays false for ever.`;
    case "staleReads":
      return `${asked} reads show the order as it was ${fault.ms} ms of market time ago; the stream does not.`;
    case "lateSync":
      return `${asked} synced turns true ${fault.ms} ms of market time after each change.`;
    case "course":
      return canFollow(fault.steps, type)
        ? `${asked} the order is kept from the market, and follows a course of ${fault.steps.length} steps.`
        : `The client_order_id asked for a course that a ${type} order cannot follow: it went to the market like any other.`;
    case "stuckCancel":
      return `${asked} a cancel of it does not take effect.`;
    case "doubleEvents":
      return `${asked} the stream sends each of its events twice.`;
    case "clientNotFound":
      return `${asked} the key is treated as one without a client.`;
    case "rejectByExchange":
      return `${asked} the exchange refuses the order with ${fault.reason}.`;
  }
}
