import { expect, it } from "vitest";
import { readJsonText } from "../check/lossless-json.ts";
import { eventOf } from "../check/stream-event.ts";
import { StreamNumbers } from "../check/stream-numbers.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import type { StreamPlan } from "../model/stream.ts";
import { bareSession } from "../testing/bare-session.ts";
import type { Session } from "./session.ts";

/**
 * On a busy machine a message of the stream comes before the answer that explains it, or between the arrival of an answer
 * and its reading. The order of events is made by hand here.
 */
const plan: StreamPlan = {
  connections: 1,
  message: { type: "#/t", sequence: "none", sequenceScope: "connection" },
  channels: {},
  events: { order: { when: { t: "order" }, partial: true, fields: { order: "#/order" } } },
};
const key = "3b241101-e2bb-4255-8caf-4136c566a962";
const otherKey = "3b241101-e2bb-4255-8caf-4136c566a963";

const started = (): Session => bareSession(1, "local", plan);
const found = ({ ambient }: Session): string[] =>
  ambient.lines
    .filter(({ clause }) => ["PLC-34", "EVT-09", "ORD-39"].includes(clause))
    .map(({ clause, count }) => `${clause} × ${count}`);

function json(value: unknown) {
  const reading = readJsonText(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.problem);
  return reading.json;
}

function placing(client_order_id: string, role = "trader"): SentRequest {
  const body = { side: "BUY", type: "LIMIT", base_quantity: "1", price: "1", product: "BTC-USD" };
  return {
    method: "POST",
    path: "/api/v1/trading/order",
    headers: [],
    body: Buffer.from(JSON.stringify({ ...body, client_order_id })),
    role,
    operation: "placeOrder",
  };
}

const answer = (request: SentRequest, status: number, data?: object): Exchange => ({
  request,
  transport: "response",
  reply: { status, headers: [["content-type", "application/json"]], body: new Uint8Array() },
  json: json({ statusCode: status, success: status === 200, message: "said", data }),
  startedAt: 0,
  endedAt: 1,
});

const taken = (request: SentRequest, id: string, clientOrderId = key): Exchange =>
  answer(request, 200, { type: "NEW_ORDER", order: { id, clientOrderId, status: "FILLED" } });

function message(order: object, role = "trader"): Exchange {
  const said = json({ t: "order", order });
  return {
    request: { ...placing(""), method: "GET", body: new Uint8Array(), role },
    transport: "message",
    json: said,
    stream: { connection: "main", event: eventOf(said, plan), body: new Uint8Array() },
    startedAt: 1,
    endedAt: 1,
  };
}

const hears = (session: Session, order: object, role?: string): void =>
  session.hear(message(order, role), new StreamNumbers(plan.message));

/** The answer has arrived, and is read as soon as the rest of its group has arrived, too. */
async function sent(
  session: Session,
  request: SentRequest,
  exchange = answer(request, 400),
): Promise<() => void> {
  const { egress } = session.parts;
  await egress.enter([request]);
  return () => {
    egress.leave(exchange);
    session.observe(exchange, false);
  };
}

const refuses = async (session: Session, clientOrderId: string): Promise<void> =>
  (await sent(session, placing(clientOrderId)))();

it("does not miss the request of an order that was answered and has ended, but whose answer is not read yet", async () => {
  const session = started();
  await refuses(session, key);
  const again = placing(key);
  const { egress } = session.parts;
  await egress.enter([again]);
  const exchange = taken(again, "order-1");
  egress.leave(exchange);
  hears(session, { id: "order-1", clientOrderId: key, status: "FILLED" });
  session.observe(exchange, false);
  hears(session, { id: "order-1", clientOrderId: key, status: "FILLED" });
  expect(found(session)).toEqual([]);
});

it("knows that an order may be there after a busy answer, whatever else was refused", async () => {
  const session = started();
  await refuses(session, key);
  const unknown = placing(key);
  (await sent(session, unknown, answer(unknown, 503)))();
  // A clean-up read the open orders while the order was still pending.
  for (const { n } of session.ledger.open()) session.ledger.closed(n);
  hears(session, { id: "order-1", clientOrderId: key, status: "OPEN" });
  const listing: SentRequest = {
    ...placing(""),
    method: "GET",
    operation: "listOpenOrders",
    body: new Uint8Array(),
  };
  session.observe(answer(listing, 200, [{ id: "order-1", clientOrderId: key, status: "OPEN" }]), false);
  expect(found(session)).toEqual([]);
});

it("takes a message without a client_order_id for no order, when an empty one was refused", async () => {
  const session = started();
  await refuses(session, "");
  hears(session, { id: "order-1", status: "OPEN" });
  expect(found(session)).toEqual([]);
});

it("charges an order that was refused, once the orders that were under way are answered, whatever comes later", async () => {
  const session = started();
  await refuses(session, key);
  const other = await sent(session, placing(otherKey));
  hears(session, { id: "ghost", clientOrderId: key, status: "OPEN" });
  expect(found(session)).toEqual([]);
  const corrected = placing(key);
  const later = await sent(session, corrected, taken(corrected, "order-2"));
  other();
  expect(found(session)).toEqual(["PLC-34 × 1"]);
  later();
  hears(session, { id: "order-2", clientOrderId: key, status: "OPEN" });
  expect(found(session)).toEqual(["PLC-34 × 1"]);
});

it("does not miss an order that is answered under another client_order_id than the kit reads", async () => {
  const session = started();
  await refuses(session, key);
  const spelled = placing(`{${key}}`);
  const answered = await sent(session, spelled, taken(spelled, "order-1"));
  hears(session, { id: "order-1", clientOrderId: key, status: "OPEN" });
  answered();
  expect(found(session)).toEqual([]);
});

it("lets each key of a client have an order of its own under one client_order_id", async () => {
  const session = started();
  const [first, second] = [placing(key), placing(key, "writeOrders")];
  (await sent(session, first, taken(first, "order-1")))();
  const answered = await sent(session, second, taken(second, "order-2"));
  hears(session, { id: "order-2", clientOrderId: key, status: "OPEN" });
  answered();
  expect(found(session)).toEqual([]);
  hears(session, { id: "order-3", clientOrderId: key, status: "OPEN" });
  expect(found(session)).toEqual(["ORD-39 × 1"]);
});
