/** Legal variations in how answers look. */
import { successText } from "../http/route.ts";
import type { SeamParts } from "../seams.ts";
import { withStatus } from "./answers.ts";
import { changedData, handling, isReplay, outcomeOf, placing, textOf } from "./changed-call.ts";
import { type Answer, type Decorators, type Defect, variation } from "./defect.ts";
import { type Fields, isJson, mapBody, parseList, parseObject } from "./json.ts";
import { type OrderRecord, ordersWith } from "./order-records.ts";

/** The fields of an order that the document requires; all others may be missing or, mostly, null. */
const required = new Set(["id", "productId", "side", "clientOrderId", "type", "status", "synced"]);
const neverNull = new Set([...required, "createdAt", "updatedAt"]);
const times = ["createdAt", "updatedAt"];
const amounts = [
  "baseQuantity",
  "limitPrice",
  "stopPrice",
  "filledQuantity",
  "filledValue",
  "averageFilledPrice",
  "fees",
];
const sizes = [
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
    if (!reply.ok) return reply;
    if (reply.data.startsWith("[")) return successText(JSON.stringify(change(parseList(reply.data))));
    // Another variation has made a page of it.
    const page = parseObject(reply.data);
    return successText(JSON.stringify({ ...page, items: change(page["items"] as readonly OrderRecord[]) }));
  }),
});

const anAlgorithm = {
  id: "7d9f3c0a-2f5e-4d0b-9a53-0b1f3a6c7e11",
  productId: "BTC-USD",
  side: "BUY",
  clientOrderId: "0c9b8a7d-6e5f-4a3b-8c2d-1e0f9a8b7c6d",
  type: "TWAP",
  status: "PENDING",
  synced: false,
};

const lagMs = 2_000;
const latencyMs = 150;
const clockOffMs = 180_000;

/** A clock that is minutes off. The signed time must be near to it, and the Date header tells what it shows. */
const clockOff = ({ now }: SeamParts): Decorators => ({
  authenticator: (inner) => ({
    ...inner,
    screen: (sent) => {
      const screened = inner.screen({ ...sent, timestamp: String(Number(sent.timestamp) - clockOffMs) });
      return screened.ok ? { ...screened, value: { ...screened.value, sent } } : screened;
    },
  }),
  answer: (answer) => ({
    ...answer,
    headers: { ...answer.headers, date: new Date(now() + clockOffMs).toUTCString() },
  }),
});

/** One request in this many has to come again, a second later: a few hundred in a whole run. */
function throttled(): Decorators {
  let requests = 0;
  return {
    listener: ({ app, refuse }) => {
      app.addHook("onRequest", (request, reply, next) => {
        requests += 1;
        if (requests % throttledEach !== 0 || request.url.includes("__gatewright")) return next();
        refuse(request, reply, {
          code: "RATE_LIMITED",
          message: "Too many requests",
          headers: { "retry-after": "1" },
        });
      });
    },
  };
}

const throttledEach = 41;

export const legalAnswers: readonly Defect[] = [
  variation("V-01", "Objects have extra fields", () =>
    objects((value) => ({ ...value, xVendorNote: "none", ...("id" in value ? { xTags: [] } : {}) })),
  ),
  variation("V-02", "JSON is indented and its keys are in another order", () => ({
    answer: (answer) => {
      const reversed = mapBody(answer.body, (value) => Object.fromEntries(Object.entries(value).reverse()));
      return { ...answer, body: isJson(reversed) ? JSON.stringify(JSON.parse(reversed), null, 2) : reversed };
    },
  })),
  variation("V-03", "Connections are closed after each answer", () =>
    headers({ connection: "close", "x-powered-by": "something" }),
  ),
  variation("V-04", "Fields of an order that are null are left out", () =>
    ordersWith(keeping((name, value) => value !== null || required.has(name))),
  ),
  variation("V-05", "All nullable fields of an order are null", () =>
    ordersWith((order) =>
      Object.fromEntries(
        Object.entries(order).map(([name, value]) => [name, neverNull.has(name) ? value : null]),
      ),
    ),
  ),
  variation("V-06", "Orders carry no times", () => ordersWith(keeping((name) => !times.includes(name)))),
  variation("V-07", "externalId is an object", () =>
    ordersWith(mapping(["externalId"], (value) => ({ id: value, venue: "X" }))),
  ),
  variation("V-08", "Sizes of a pair are objects", () => onPairs(mapping(sizes, (value) => ({ value })))),
  variation("V-09", "Times have an offset and six decimals", () => objects(mapping(times, withOffset))),
  variation("V-10", "Amounts have trailing zeros", () =>
    ordersWith(mapping(amounts, (value) => (value.includes(".") ? `${value}000` : `${value}.00000000`))),
  ),
  variation("V-11", "A new order is PENDING at first", () => firstSeen({ status: "PENDING" })),
  variation("V-12", "A new order is synced at once", () => firstSeen({ synced: true })),
  variation("V-13", "Open orders hold types that cannot be placed", () =>
    listing((orders) => [...orders, anAlgorithm]),
  ),
  variation("V-14", "A repeat shows the order as it is now", () => ({
    route: placing((_call, body, place) => place(body)),
  })),
  variation("V-15", "A repeat shows the first answer again", snapshots),
  variation("V-16", "A new order comes with a message", () =>
    newOrder((data) => ({ ...data, message: "Auftrag angenommen" })),
  ),
  variation("V-17", "A new order comes without a message", () =>
    newOrder(({ message: _dropped, ...data }) => data),
  ),
  variation("V-18", "success is false with a failed outcome", () => ({
    answer: (answer) =>
      /"type":"(?:EXTERNAL|INTERNAL)_EXECUTION_FAILED"|"type":"CLIENT_NOT_FOUND"/.test(answer.body)
        ? { ...answer, body: answer.body.replace('"success":true', '"success":false') }
        : answer,
  })),
  variation("V-19", "Errors are plain text", () =>
    errors(({ headers, body }) => ({
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
      body: `error: ${String(parseObject(body)["message"])}`,
    })),
  ),
  variation("V-20", "A missing claim is answered with 401", () => ({
    answer: (answer) => (answer.body.includes('"code":"MISSING_CLAIM"') ? withStatus(answer, 401) : answer),
  })),
  variation("V-41", "A new order shows among the open ones after two seconds", ({ now }) =>
    listing((orders) => orders.filter(({ createdAt }) => now() - Date.parse(String(createdAt)) > lagMs)),
  ),
  variation("V-42", "Open orders come as a page", () =>
    listing((orders) => ({ items: orders, pagination: { nextCursor: null, hasNext: false } })),
  ),
  variation("V-43", "Pairs carry only what must be there", () =>
    onPairs(
      keeping((name) => ["id", "apiEnabled", "base", "quote", "minOrderSize", "maxOrderSize"].includes(name)),
    ),
  ),
  variation("V-45", "Now and then a request is answered with 429", throttled),
  variation("V-46", "Every answer takes a while", () => ({
    answer: async (answer) => {
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      return answer;
    },
  })),
  variation("V-47", "quoteValue of a MARKET order is null", () =>
    ordersWith((order) => (order["type"] === "MARKET" ? { ...order, quoteValue: null } : order)),
  ),
  variation("V-48", "Fees of a MARKET order are not shown", () =>
    ordersWith((order) =>
      order["type"] === "MARKET" ? { ...order, fees: null, commission: null, exchangeFee: null } : order,
    ),
  ),
  variation("V-49", "productId is an internal name", () =>
    ordersWith(mapping(["productId"], (value) => `internal-${value.toLowerCase()}`)),
  ),
  variation("V-52", "Headers of an edge server are added", () =>
    headers({ via: "1.1 edge", "strict-transport-security": "max-age=31536000", "cf-ray": "0-XXX" }),
  ),
  variation("V-53", "All 401 answers have the same text", () =>
    errors(({ status }) =>
      status === 401 ? { body: '{"statusCode":401,"success":false,"message":"Unauthorized"}' } : {},
    ),
  ),
  variation("V-54", "The server's clock is three minutes off", clockOff),
  variation("V-55", "Times have no fraction of a second", () =>
    ordersWith(mapping(times, (value) => `${value.slice(0, 19)}Z`)),
  ),
];
