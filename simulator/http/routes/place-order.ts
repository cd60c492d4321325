/** POST /order: the one route that every client gets wrong once (EPT-01, PLC-01..34). */

import type { Rejection } from "../../domain/rejection.ts";
import type { Outcome } from "../../engine/decision.ts";
import { decodeOrderRequest, ORDER_FIELDS } from "../../wire/order-request.ts";
import { orderJson } from "../../wire/order-view.ts";
import { type Call, type Refused, type Reply, type Route, readBody, refuse, successText } from "../route.ts";

export const placeOrder: Route = {
  method: "POST",
  path: "/order",
  operationId: "placeOrder",
  tag: "Orders",
  summary: "Place an order",
  description:
    "Idempotent on `client_order_id`: a repeat answers DUPLICATE_REPLAY with the original order as it is now. A new order " +
    "is answered unfilled, also a MARKET order; read it, or listen, for its fills.",
  request: "OrderRequest",
  members: Object.keys(ORDER_FIELDS),
  response: { status: 200, schema: "OrderResult" },
  refusals: [
    "VALIDATION_FAILED",
    "PRODUCT_NOT_FOUND",
    "PRODUCT_NOT_ENABLED",
    "ORDER_SIZE_BELOW_MINIMUM",
    "ORDER_SIZE_ABOVE_MAXIMUM",
    "EXCHANGE_REJECTED",
  ],
  handle: async (call) => {
    const order = readBody(call, decodeOrderRequest);
    if (!order.ok) return order.error;
    const { client } = call.caller;
    if (client === null) {
      await call.settled();
      return failedOutcome("CLIENT_NOT_FOUND", "No client stands behind this API key");
    }
    return answer(call, await call.submit({ kind: "PlaceOrder", client, fault: null, ...order.value }));
  },
};

function answer(call: Call, outcome: Outcome): Reply {
  switch (outcome.kind) {
    case "accepted":
      return successText(
        `{"type":"NEW_ORDER","order":${orderJson(call.state, call.ids, outcome.order)}}`,
        "Order placed",
      );
    case "replayed":
      return replay(call, outcome.order, outcome.differs);
    case "failed":
      return failedOutcome(outcome.type, outcome.message, outcome.isUnknown);
    case "rejected":
      return refuseOrder(outcome.rejection);
    case "done":
      return refuse("INTERNAL_ERROR", "The venue gave no outcome for the order");
  }
}

function replay(call: Call, number: number, differs: readonly string[]): Reply {
  const order = call.state.order(number);
  const other =
    differs.length === 0
      ? ""
      : `. This request asked for another ${differs.join(", ")}; the original order stands`;
  const message = JSON.stringify(
    `Order with client_order_id ${order.terms.clientOrderId} already exists${other}`,
  );
  const json = orderJson(call.state, call.ids, order);
  const data = `{"type":"DUPLICATE_REPLAY","order":${json},"message":${message}}`;
  return { ok: true, status: 200, message: "Duplicate order", data, repeated: true };
}

const failedOutcome = (type: string, message: string, isUnknown = false): Reply =>
  successText(JSON.stringify({ type, message }), isUnknown ? "Order outcome unknown" : "Order not executed");

export function refuseOrder(rejection: Rejection): Refused {
  const { code, message, ...facts } = rejection;
  return refuse(code, message, [facts]);
}
