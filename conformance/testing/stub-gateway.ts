import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A gateway in a page, from the specification alone, for the kit's own tests. It trades nothing; it can be told to be
 * wrong in one named way, so that a test can prove that the kit notices.
 */
export const stubDefects = [
  "answers-201",
  "ignores-nonce",
  "accepts-any-signature",
  "decimals-as-numbers",
  "replay-makes-new-order",
  "status-code-not-echoed",
  "missing-side-accepted",
  "signs-relative-path",
  "crashes-on-garbage",
  "html-errors",
  "redirects",
  "never-answers-orders",
  "echoes-secret",
] as const;
export type StubDefect = (typeof stubDefects)[number];

export interface StubGateway {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

const base = "/api/v1/trading";
const key = { keyId: "kid_stub", secret: "stub-secret-for-tests-only" };
const listing = [
  {
    name: "BTC",
    availablePairs: [
      {
        id: "BTC-USD",
        apiEnabled: true,
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
        base: "BTC",
        quote: "USD",
        exchangeProductId: "BTC-USD",
        exchangeMinSize: "0.00001",
        exchangeMaxSize: "1000",
        exchangeBaseIncrement: "0.00000001",
        exchangeQuoteMinSize: "1",
        exchangeQuoteMaxSize: "50000000",
        minOrderSize: "0.0001",
        maxOrderSize: "100",
      },
    ],
  },
];

interface State {
  readonly orders: Map<string, Record<string, unknown>>;
  readonly nonces: Set<string>;
  readonly wrong: (defect: StubDefect) => boolean;
}

interface Answer {
  readonly status: number;
  readonly message?: string;
  readonly data?: unknown;
}

export async function startStubGateway(defects: readonly StubDefect[] = []): Promise<StubGateway> {
  const state: State = { orders: new Map(), nonces: new Set(), wrong: (defect) => defects.includes(defect) };
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void handle(request, response, state);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...key,
    baseUrl: `http://127.0.0.1:${port}${base}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (state.wrong("redirects")) {
    response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" }).end();
    return;
  }
  if (state.wrong("never-answers-orders") && request.method === "POST") return;
  const refusal = authenticate(request, body, state);
  send(response, refusal ?? route(request, body, state), state);
}

function send(response: ServerResponse, { status, message, data }: Answer, state: State): void {
  if (status >= 400 && state.wrong("html-errors")) {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>no</h1>");
    return;
  }
  const actual = status === 200 && state.wrong("answers-201") ? 201 : status;
  const statusCode = state.wrong("status-code-not-echoed") ? 999 : actual;
  const text = state.wrong("echoes-secret") ? `${message ?? ""} ${key.secret}` : message;
  let json = JSON.stringify({ statusCode, success: actual < 400, message: text, data });
  if (state.wrong("decimals-as-numbers"))
    json = json.replace(/"(limitPrice|baseQuantity)":"([\d.]+)"/g, '"$1":$2');
  response.writeHead(actual, { "content-type": "application/json; charset=utf-8" }).end(json);
}

function authenticate(request: IncomingMessage, body: Buffer, state: State): Answer | undefined {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const [keyId, timestamp, nonce, signature] = [
    "x-api-key",
    "x-api-timestamp",
    "x-api-nonce",
    "x-api-signature",
  ].map(header);
  const refused: Answer = { status: 401, message: "missing or invalid API credentials" };
  if (keyId !== key.keyId || !/^\d{13}$/.test(timestamp ?? "") || nonce === "" || nonce === undefined)
    return refused;
  if (Math.abs(Date.now() - Number(timestamp)) > 30_000) return refused;
  const full = (request.url ?? "").split("?")[0] ?? "";
  const path = state.wrong("signs-relative-path") ? full.slice(base.length) : full;
  const canonical = [
    timestamp,
    nonce,
    request.method,
    path,
    "application/json",
    createHash("sha256").update(body).digest("hex"),
  ].join("\n");
  const expected = createHmac("sha256", key.secret).update(canonical).digest("hex");
  if (signature !== expected && !(state.wrong("accepts-any-signature") && signature !== "")) return refused;
  if (state.nonces.has(nonce.toLowerCase()) && !state.wrong("ignores-nonce")) return refused;
  state.nonces.add(nonce.toLowerCase());
  return undefined;
}

function route(request: IncomingMessage, body: Buffer, state: State): Answer {
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (request.method === "GET" && path === `${base}/product`) return { status: 200, data: listing };
  if (request.method === "GET" && path === `${base}/order/open`)
    return { status: 200, data: [...state.orders.values()] };
  if (request.method === "POST" && path === `${base}/order`) return placeOrder(body, state);
  return { status: 404, message: "no such route" };
}

function placeOrder(body: Buffer, state: State): Answer {
  let order: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    order = typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return { status: state.wrong("crashes-on-garbage") ? 500 : 400, message: "the body is not JSON" };
  }
  const problem =
    state.wrong("missing-side-accepted") && order["side"] === undefined ? undefined : invalid(order);
  if (problem !== undefined) return { status: 400, message: problem };
  const id = String(order["client_order_id"]);
  const known = state.orders.get(id);
  if (known !== undefined && !state.wrong("replay-makes-new-order")) {
    return {
      status: 200,
      data: { type: "DUPLICATE_REPLAY", order: known, message: "this client_order_id was used before" },
    };
  }
  const created = record(order);
  state.orders.set(id, created);
  return { status: 200, data: { type: "NEW_ORDER", order: created } };
}

const decimal = (value: unknown): boolean =>
  typeof value === "string" && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) && Number(value) > 0;

/** Rules 1 to 5 of POST /order, and the decimal type. */
function invalid(order: Record<string, unknown>): string | undefined {
  const { side, type, product, client_order_id: id } = order;
  if (side !== "BUY" && side !== "SELL") return "side must be BUY or SELL";
  if (type !== "LIMIT" && type !== "MARKET" && type !== "STOP_LIMIT")
    return "type must be LIMIT, MARKET or STOP_LIMIT";
  if (
    typeof id !== "string" ||
    !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)
  )
    return "client_order_id must be a UUID v4";
  if (product !== "BTC-USD") return "product is not known";
  const marketBuy = type === "MARKET" && side === "BUY";
  const needed = marketBuy
    ? ["quote_value"]
    : type === "LIMIT"
      ? ["base_quantity", "price"]
      : type === "MARKET"
        ? ["base_quantity"]
        : ["base_quantity", "price", "stop_price"];
  const missing = needed.find((field) => !decimal(order[field]));
  return missing === undefined ? undefined : `${missing} must be a positive decimal string`;
}

function record(order: Record<string, unknown>): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    createdAt: now,
    updatedAt: now,
    externalId: null,
    userId: "client-1",
    portfolioId: null,
    productId: order["product"],
    side: order["side"] ?? "BUY",
    clientOrderId: order["client_order_id"],
    type: order["type"],
    baseQuantity: order["base_quantity"] ?? null,
    quoteValue: null,
    limitPrice: order["price"] ?? null,
    startTime: null,
    expiryTime: null,
    status: "OPEN",
    timeInForce: null,
    filledQuantity: "0",
    filledValue: "0",
    averageFilledPrice: null,
    commission: null,
    exchangeFee: null,
    historicalPov: null,
    stopPrice: order["stop_price"] ?? null,
    netAverageFilledPrice: null,
    userContext: null,
    clientProductId: null,
    postOnly: null,
    orderEditHistory: null,
    isRaiseExact: null,
    displaySize: null,
    editHistory: null,
    displayQuoteSize: null,
    displayBaseSize: null,
    synced: false,
    fees: null,
    totalUserRecieveAmount: null,
  };
}
