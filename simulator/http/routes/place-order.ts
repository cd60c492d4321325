/** POST /order: the one route that every client gets wrong once (EPT-01, PLC-01..34). */

import type { Order } from "../../domain/order.ts";
import { ok } from "../../domain/result.ts";
import type { VenueState } from "../../engine/state.ts";
import { type Component, component } from "../../wire/components.ts";
import type { Identities } from "../../wire/identities.ts";
import { decodeOrderRequest } from "../../wire/order-request.ts";
import { orderJson } from "../../wire/order-view.ts";
import { askInBody, type Reply, refuseRejected, route, success, successText } from "../route.ts";

type Placed = Component<"OrderResult">;

export const placeOrder = route({
  method: "POST",
  path: "/order",
  operationId: "placeOrder",
  tag: "Orders",
  summary: "Place an order",
  description:
    "Idempotent on `client_order_id`: a repeat answers DUPLICATE_REPLAY with the original order as it is now. A new order " +
    "is answered unfilled, also a MARKET order; read it, or subscribe to orders, for its fills.",
  body: { shape: component("OrderRequest") },
  answer: { schema: component("OrderResult") },
  refusals: [
    "VALIDATION_FAILED",
    "PRODUCT_NOT_FOUND",
    "PRODUCT_NOT_ENABLED",
    "ORDER_SIZE_BELOW_MINIMUM",
    "ORDER_SIZE_ABOVE_MAXIMUM",
    "EXCHANGE_REJECTED",
  ],
  drawsByOrder: true,
  decode: (call) =>
    askInBody(call, decodeOrderRequest, (order) => {
      const { client } = call.caller;
      return ok(client === null ? null : { kind: "PlaceOrder", client, fault: null, ...order });
    }),
  view: ({ ids }, outcome, state) => {
    switch (outcome.kind) {
      case "accepted":
        return successText(
          `{"type":"NEW_ORDER","order":${orderJson(state, ids, outcome.order)}}`,
          "Order placed",
        );
      case "replayed":
        return replay(state, ids, state.order(outcome.order), outcome.differs);
      case "failed":
        return failedOutcome(outcome.type, outcome.message, outcome.isUnknown);
      case "rejected":
        return refuseRejected(outcome.rejection);
      // Nothing was asked of the venue: `decode` found no client.
      case "done":
        return failedOutcome("CLIENT_NOT_FOUND", "This API key has no client");
    }
  },
});

function replay(state: VenueState, ids: Identities, order: Order, differs: readonly string[]): Reply<Placed> {
  const other =
    differs.length === 0
      ? ""
      : `. This request asked for another ${differs.join(", ")}; the original order is unchanged`;
  const message = JSON.stringify(
    `Order with client_order_id ${order.terms.clientOrderId} already exists${other}`,
  );
  const data = `{"type":"DUPLICATE_REPLAY","order":${orderJson(state, ids, order)},"message":${message}}`;
  return { ...successText(data, "Duplicate order"), repeated: true };
}

const failedOutcome = (type: Placed["type"], message: string, isUnknown = false): Reply<Placed> =>
  success({ type, message }, isUnknown ? "Order outcome unknown" : "Order not executed");
