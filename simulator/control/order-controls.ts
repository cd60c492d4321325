/** Actions of the exchange, or of the rest of the market, on one order. */
import type { Command } from "../domain/command.ts";
import type { OrderNumber, OrderStatus } from "../domain/order.ts";
import { lotsText } from "../domain/steps.ts";
import { refuse, refuseRejected, success } from "../http/route.ts";
import { decimal, maybe, section } from "../schema/fields.ts";
import { decimal as decimalOut, oneOfText, record, uuid } from "../wire/schema.ts";
import { type Controls, controlRoute, type RefusedCall } from "./control-route.ts";
import { orderNamed } from "./named-orders.ts";

const nowhere = "8f14e45f-ceea-467f-a83c-91d6a2f4a001";

const unknownOrder: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such order.",
  params: { id: nowhere },
  message: `There is no order ${nowhere}: give its id or its client_order_id; GET /order lists those of a client`,
};

const statuses: readonly OrderStatus[] = ["PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"];

const answer = {
  schema: record("The order as it is now.", {
    id: uuid("Order id."),
    status: oneOfText("Its status.", statuses),
    filledQuantity: decimalOut("How much of it has traded."),
  }),
  example: { id: nowhere, status: "CANCELLED", filledQuantity: "0" },
};

async function act(
  controls: Controls,
  name: string,
  commandFor: (order: OrderNumber) => Command,
  only?: OrderStatus,
) {
  const { venue, ids } = controls;
  const named = orderNamed(controls, name);
  if (!named.ok) return named;
  const number = named.value;
  const before = venue.state.order(number);
  if (only !== undefined && before.status !== only)
    return refuse("CONFLICT", `The order is ${before.status}: only a ${only} one can be acted on so`, [
      { status: before.status },
    ]);
  const outcome = await venue.submit(commandFor(number));
  if (outcome.kind === "rejected") return refuseRejected(outcome.rejection);
  const { status, filled, terms } = venue.state.order(number);
  const { product } = venue.state.market(terms.product);
  return success({ id: ids.order.idOf(number), status, filledQuantity: lotsText(product, filled) }, "Done");
}

interface Action<N extends string> {
  readonly name: N;
  readonly summary: string;
  readonly command: (order: OrderNumber) => Command;
  /** The status that the order must have, if it is not any that can still change. */
  readonly only?: OrderStatus;
}

const action = <const N extends string>({ name, summary, command, only }: Action<N>) =>
  controlRoute({
    method: "POST",
    path: `/orders/{id}/${name}`,
    operationId: `${name}Order`,
    verbs: [{ words: `order ${name}` }],
    summary,
    answer,
    refusals: [unknownOrder],
    run: (controls, { id = "" }) => act(controls, id, command, only),
  });

const fill = controlRoute({
  method: "POST",
  path: "/orders/{id}/fill",
  operationId: "fillOrder",
  verbs: [{ words: "order fill" }],
  summary:
    "Fill an order that rests in the book, or a part of it, at its price or a better one: the synthetic market takes it.",
  body: {
    shape: section({
      quantity: maybe(decimal("How much; all that is left when absent or null.", { unit: "base" })),
      price: maybe(decimal("At which price; that of the order when absent or null.", { unit: "quote" })),
    }),
    example: { quantity: "0.001", price: "29999.5" },
  },
  answer,
  refusals: [unknownOrder],
  run: (controls, { id = "" }, { quantity = null, price = null }) =>
    act(controls, id, (order) => ({
      kind: "FillOrder",
      order,
      quantity,
      ...(price === null ? {} : { price }),
    })),
});

export const orderControls = [
  fill,
  action({
    name: "confirm",
    summary: "Let the exchange confirm a PENDING order.",
    command: (order) => ({ kind: "ConfirmOrder", order, to: "OPEN" }),
    only: "PENDING",
  }),
  action({
    name: "reject",
    summary: "Let the exchange reject a PENDING order: it becomes FAILED.",
    command: (order) => ({ kind: "ConfirmOrder", order, to: "FAILED" }),
    only: "PENDING",
  }),
  action({
    name: "hold",
    summary: "Keep the exchange from answering about a PENDING order, until `confirm`, `reject` or an end.",
    command: (order) => ({ kind: "HoldOrder", order }),
    only: "PENDING",
  }),
  action({
    name: "cancel",
    summary: "Let the exchange cancel an order that has not ended.",
    command: (order) => ({ kind: "CancelByExchange", order }),
  }),
  action({
    name: "expire",
    summary: "Expire an order that has not ended.",
    command: (order) => ({ kind: "ExpireOrder", order }),
  }),
] as const;
