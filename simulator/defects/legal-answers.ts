/** Legal habits in how answers look: V-01 to V-20, V-41 to V-49, V-52 to V-55. */
import { successText } from "../http/route.ts";
import type { SeamParts } from "../seams.ts";
import { withStatus } from "./answers.ts";
import { changedData, handling, isReplay, outcomeOf, placing, textOf } from "./changed-call.ts";
import { type Answer, type Decorators, type Defect, defect } from "./defect.ts";
import { type Fields, mapBody, mapObjects, parseList, parseObject } from "./json.ts";
import { type OrderRecord, ordersWith } from "./order-records.ts";

/** The fields of an order that the document requires; all others may be missing or, mostly, null. */
const REQUIRED = new Set(["id", "productId", "side", "clientOrderId", "type", "status", "synced"]);
const NEVER_NULL = new Set([...REQUIRED, "createdAt", "updatedAt"]);
const TIMES = ["createdAt", "updatedAt"];
const AMOUNTS = [
  "baseQuantity",
  "limitPrice",
  "stopPrice",
  "filledQuantity",
  "filledValue",
  "averageFilledPrice",
  "fees",
];
const SIZES = [
  "exchangeMinSize",
  "exchangeMaxSize",
  "exchangeBaseIncrement",
  "exchangeQuoteMinSize",
  "exchangeQuoteMaxSize",
  "minOrderSize",
  "maxOrderSize",
];

const keeping =
  (keep: (name: string, value: unknown) => boolean) =>
  (order: OrderRecord): OrderRecord =>
    Object.fromEntries(Object.entries(order).filter(([name, value]) => keep(name, value)));

const mapping =
  (names: readonly string[], change: (value: string) => unknown) =>
  (order: OrderRecord): OrderRecord =>
    Object.fromEntries(
      Object.entries(order).map(([name, value]) => [
        name,
        names.includes(name) && typeof value === "string" ? change(value) : value,
      ]),
    );

/** Every object of a success, innermost first. */
const objects = (change: (value: OrderRecord) => OrderRecord): Decorators => ({
  answer: (answer) => (answer.status >= 300 ? answer : { ...answer, body: mapBody(answer.body, change) }),
});

const onPairs = (change: (pair: OrderRecord) => OrderRecord): Decorators =>
  objects((value) => ("apiEnabled" in value ? change(value) : value));

const headers = (more: Readonly<Record<string, string>>): Decorators => ({
  answer: (answer) => ({ ...answer, headers: { ...answer.headers, ...more } }),
});

const withOffset = (time: string): string =>
  `${new Date(Date.parse(time) + 19_800_000).toISOString().slice(0, -1)}000+05:30`;

/** Errors in another shape; the status stays. */
const errors = (shape: (answer: Answer) => Partial<Answer>): Decorators => ({
  answer: (answer) => (answer.status < 400 ? answer : { ...answer, ...shape(answer) }),
});

const newOrder = (change: (data: Fields) => unknown): Decorators => ({
  route: placing(async (_call, body, place) => {
    const reply = await place(body);
    return outcomeOf(reply) === "NEW_ORDER" ? changedData(reply, change) : reply;
  }),
});

const firstSeen = (fields: Readonly<Record<string, unknown>>): Decorators =>
  newOrder((data) => ({ ...data, order: { ...(data["order"] as Fields), ...fields } }));

/** Repeats show the first answer, byte for byte. */
function snapshots(): Decorators {
  const first = new Map<string, unknown>();
  return {
    route: placing(async (call, body, place) => {
      const reply = await place(body);
      // Two clients may use one id, and each has an order of its own.
      const id = `${call.caller.client ?? "-"} ${textOf(body, "client_order_id").toLowerCase()}`;
      if (outcomeOf(reply) === "NEW_ORDER" && reply.ok) first.set(id, parseObject(reply.data)["order"]);
      return isReplay(reply) && first.has(id)
        ? changedData(reply, (data) => ({ ...data, order: first.get(id) }))
        : reply;
    }),
  };
}

const listing = (change: (orders: readonly OrderRecord[]) => unknown): Decorators => ({
  route: handling("listOpenOrders", async (_call, handle) => {
    const reply = await handle();
    return reply.ok ? successText(JSON.stringify(change(parseList(reply.data)))) : reply;
  }),
});

const AN_ALGORITHM = {
  id: "7d9f3c0a-2f5e-4d0b-9a53-0b1f3a6c7e11",
  productId: "BTC-USD",
  side: "BUY",
  clientOrderId: "0c9b8a7d-6e5f-4a3b-8c2d-1e0f9a8b7c6d",
  type: "TWAP",
  status: "PENDING",
  synced: false,
};

const LAG_MS = 2_000;
const LATENCY_MS = 150;
const CLOCK_OFF_MS = 180_000;

/** A clock that is minutes off. The signed time must be near to it, and the Date header tells what it shows. */
const clockOff = ({ now }: SeamParts): Decorators => ({
  authenticator: (inner) => ({
    ...inner,
    screen: (sent) => {
      const screened = inner.screen({ ...sent, timestamp: String(Number(sent.timestamp) - CLOCK_OFF_MS) });
      return screened.ok ? { ...screened, value: { ...screened.value, sent } } : screened;
    },
  }),
  answer: (answer) => ({
    ...answer,
    headers: { ...answer.headers, date: new Date(now() + CLOCK_OFF_MS).toUTCString() },
  }),
});

/** Every so many requests one has to come again, a second later: of a whole run a few hundred. */
function throttled(): Decorators {
  let requests = 0;
  return {
    listener: ({ app, refuse }) => {
      app.addHook("onRequest", (request, reply, next) => {
        requests += 1;
        if (requests % THROTTLED_EACH !== 0 || request.url.includes("__gatewright")) return next();
        refuse(request, reply, {
          code: "RATE_LIMITED",
          message: "Too many requests",
          headers: { "retry-after": "1" },
        });
      });
    },
  };
}

const THROTTLED_EACH = 41;

export const LEGAL_ANSWERS: readonly Defect[] = [
  defect("V-01", () => objects((value) => ({ ...value, xVendorNote: "none", xTags: [] }))),
  defect("V-02", () => ({
    answer: (answer) => {
      const reversed = mapObjects(parseObject(answer.body), (value) =>
        Object.fromEntries(Object.entries(value).reverse()),
      );
      return { ...answer, body: JSON.stringify(reversed, null, 2) };
    },
  })),
  defect("V-03", () => headers({ connection: "close", "x-powered-by": "something" })),
  defect("V-04", () => ordersWith(keeping((name, value) => value !== null || REQUIRED.has(name)))),
  defect("V-05", () =>
    ordersWith((order) =>
      Object.fromEntries(
        Object.entries(order).map(([name, value]) => [name, NEVER_NULL.has(name) ? value : null]),
      ),
    ),
  ),
  defect("V-06", () => ordersWith(keeping((name) => !TIMES.includes(name)))),
  defect("V-07", () => ordersWith(mapping(["externalId"], (value) => ({ id: value, venue: "X" })))),
  defect("V-08", () => onPairs(mapping(SIZES, (value) => ({ value })))),
  defect("V-09", () => objects(mapping(TIMES, withOffset))),
  defect("V-10", () =>
    ordersWith(mapping(AMOUNTS, (value) => (value.includes(".") ? `${value}000` : `${value}.00000000`))),
  ),
  defect("V-11", () => firstSeen({ status: "PENDING" })),
  defect("V-12", () => firstSeen({ synced: true })),
  defect("V-13", () => listing((orders) => [...orders, AN_ALGORITHM])),
  defect("V-14", () => ({ route: placing((_call, body, place) => place(body)) })),
  defect("V-15", snapshots),
  defect("V-16", () => newOrder((data) => ({ ...data, message: "Auftrag angenommen" }))),
  defect("V-17", () => newOrder(({ message: _dropped, ...data }) => data)),
  defect("V-18", () => ({
    answer: (answer) =>
      /"type":"(?:EXTERNAL|INTERNAL)_EXECUTION_FAILED"|"type":"CLIENT_NOT_FOUND"/.test(answer.body)
        ? { ...answer, body: answer.body.replace('"success":true', '"success":false') }
        : answer,
  })),
  defect("V-19", () =>
    errors(({ headers, body }) => ({
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
      body: `error: ${String(parseObject(body)["message"])}`,
    })),
  ),
  defect("V-20", () => ({
    answer: (answer) => (answer.body.includes('"code":"MISSING_CLAIM"') ? withStatus(answer, 401) : answer),
  })),
  defect("V-41", ({ now }) =>
    listing((orders) => orders.filter(({ createdAt }) => now() - Date.parse(String(createdAt)) > LAG_MS)),
  ),
  defect("V-42", () =>
    listing((orders) => ({ items: orders, pagination: { nextCursor: null, hasNext: false } })),
  ),
  defect("V-43", () =>
    onPairs(
      keeping((name) => ["id", "apiEnabled", "base", "quote", "minOrderSize", "maxOrderSize"].includes(name)),
    ),
  ),
  defect("V-45", throttled),
  defect("V-46", () => ({
    answer: async (answer) => {
      await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
      return answer;
    },
  })),
  defect("V-47", () =>
    ordersWith((order) => (order["type"] === "MARKET" ? { ...order, quoteValue: null } : order)),
  ),
  defect("V-48", () =>
    ordersWith((order) =>
      order["type"] === "MARKET" ? { ...order, fees: null, commission: null, exchangeFee: null } : order,
    ),
  ),
  defect("V-49", () => ordersWith(mapping(["productId"], (value) => `internal-${value.toLowerCase()}`))),
  defect("V-52", () =>
    headers({ via: "1.1 edge", "strict-transport-security": "max-age=31536000", "cf-ray": "0-XXX" }),
  ),
  defect("V-53", () =>
    errors(({ status }) =>
      status === 401 ? { body: '{"statusCode":401,"success":false,"message":"Unauthorized"}' } : {},
    ),
  ),
  defect("V-54", clockOff),
  defect("V-55", () => ordersWith(mapping(TIMES, (value) => `${value.slice(0, 19)}Z`))),
];
