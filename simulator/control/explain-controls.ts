/** Why an order is as it is, and why a request was answered as it was. */
import type { OrderNumber } from "../domain/order.ts";
import type { LoggedExchange } from "../exchanges/exchange.ts";
import { explainOrder } from "../explain/explain-order.ts";
import { explainRequest } from "../explain/explain-request.ts";
import { type Fact, factCodes } from "../explain/fact.ts";
import { success } from "../http/route.ts";
import { count, list, mapOf, nullable, oneOfText, out, record, text } from "../wire/schema.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";
import { orderIfNamed } from "./named-orders.ts";

const nowhere = "8f14e45f-ceea-467f-a83c-91d6a2f4a001";
const instead =
  "an order id, a client_order_id and the x-request-id of an answer are known here; GET /exchanges lists the newest requests. What happened in another world: gatewright why ID --world NAME";

const insteadWithoutLog =
  "an order id and a client_order_id are known here; requests are not, because the exchange log of this sandbox is off: start it without --no-exchanges";

const unknownSubject: RefusedCall = {
  code: "NOT_FOUND",
  when: "Nothing in this world has this id.",
  params: { id: nowhere },
  message: `There is no order or request ${nowhere}: ${instead}`,
};

const explain = controlRoute({
  method: "GET",
  path: "/explain/{id}",
  operationId: "explain",
  verbs: [{ words: "explain" }],
  summary:
    "Why an order is as it is, or a request was answered as it was: by order id or its first eight digits, client_order_id or request id.",
  answer: {
    schema: record("An explanation.", {
      subject: record("What it is about.", {
        kind: oneOfText("An order, or a request that became none.", ["order", "request"]),
        id: text("Order id, or request id."),
        clientOrderId: nullable(text("The client_order_id of an order.")),
        status: nullable(text("Status of the order.")),
      }),
      facts: list(
        record("A fact.", {
          code: oneOfText("What kind of fact it is.", factCodes),
          sentence: text("The fact for a person."),
          values: mapOf(out<unknown>({}), "Its numbers: amounts are texts with their asset."),
          entry: nullable(count("The journal entry that it stands on.")),
        }),
        "In order of time. The last ones say what an open order waits for.",
      ),
    }),
    example: {
      subject: {
        kind: "order",
        id: nowhere,
        clientOrderId: "6f1c9f0f-d3a5-4a4a-8a0e-0c1f4f3b6a0d",
        status: "OPEN",
      },
      facts: [
        {
          code: "STOP_ARMED",
          sentence:
            "The stop price 61000 USD is not reached: the last price is 60000 USD. The order waits outside the book.",
          values: { at: "2026-01-01T00:00:00.000Z", stopPrice: "61000 USD", lastPrice: "60000 USD" },
          entry: 12,
        },
      ],
    },
  },
  refusals: [unknownSubject],
  run: async (controls, { id = "" }) => {
    const named = orderIfNamed(controls, id);
    if (!named.ok) return named;
    const exchange = named.value === undefined ? await exchangeOf(controls, id) : undefined;
    const number = named.value ?? orderOf(controls, exchange);
    if (number !== undefined) return orderReply(controls, number, exchange);
    if (exchange === undefined)
      return notFound("order or request", id, controls.exchanges === null ? insteadWithoutLog : instead);
    const subject = { kind: "request" as const, id: exchange.id, clientOrderId: null, status: null };
    return success({ subject, facts: explainRequest(exchange) });
  },
});

/** By request id; or the newest request whose body names this client_order_id, if it became no order. */
async function exchangeOf({ exchanges, name }: Controls, id: string): Promise<LoggedExchange | undefined> {
  const found = exchanges?.find(name, id) ?? exchanges?.findInBody(name, id);
  return found === undefined ? undefined : exchanges?.examined(found);
}

const orderOf = ({ venue }: Controls, exchange: LoggedExchange | undefined): OrderNumber | undefined => {
  const first = exchange?.entries?.first;
  return first !== undefined && venue.state.orders.has(first) ? first : undefined;
};

async function orderReply(
  { venue, ids, history }: Controls,
  number: OrderNumber,
  exchange: LoggedExchange | undefined,
) {
  const { status, terms } = venue.state.order(number);
  const subject = {
    kind: "order" as const,
    id: ids.order.idOf(number),
    clientOrderId: terms.clientOrderId,
    status,
  };
  const request: Fact[] = exchange === undefined ? [] : explainRequest(exchange);
  const facts = await explainOrder(number, { ...history(), until: venue.state.seq });
  // The order tells which freedoms it met, too.
  return success({ subject, facts: [...request.filter(({ code }) => code !== "FREEDOMS"), ...facts] });
}

export const explainControls = [explain] as const;
