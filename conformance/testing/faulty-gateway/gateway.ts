import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Authenticator, base, type Key, keys } from "./authenticate.ts";
import type { Defect, Way, Wrong } from "./defects.ts";
import { type Fields } from "./order-fields.ts";
import { type Answer, limits, Orders } from "./orders.ts";

/**
 * A gateway that trades, from the specification alone, for the tests of the properties: two clients, one product, a
 * book. It keeps the specification, or breaks it in exactly the ways it is told.
 */
export interface FaultyGateway {
  readonly baseUrl: string;
  /** Of the trader. */
  readonly keyId: string;
  readonly secret: string;
  /** A profile file for it, and the environment that the file refers to. */
  readonly profile: string;
  readonly environment: Readonly<Record<string, string>>;
  /** So far, answered or not. */
  readonly requests: () => number;
  readonly orders: () => number;
  /** From now on no credentials are good, as when a gateway locks a key. */
  readonly lock: () => void;
  readonly close: () => Promise<void>;
}

/** A function says at each opportunity whether the gateway is wrong now. */
export async function startFaultyGateway(
  defects: readonly Defect[] | Wrong = [],
  ways: readonly Way[] = [],
): Promise<FaultyGateway> {
  const wrong: Wrong = typeof defects === "function" ? defects : (defect) => defects.includes(defect);
  const venue = {
    wrong,
    orders: new Orders(wrong, ways),
    authenticator: new Authenticator(wrong),
    routes: ways.includes("three-routes") ? 3 : 6,
    locked: false,
  };
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(request, response, venue);
  });
  server.on("clientError", (_, socket) =>
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  const { keyId, secret } = keys.trader;
  return {
    baseUrl,
    keyId,
    secret,
    profile: profileOf(baseUrl, ways),
    environment: Object.fromEntries(
      Object.values(keys).map(({ keyId, secret }) => [keyId.toUpperCase(), secret]),
    ),
    requests: () => requests,
    orders: () => venue.orders.byId.size,
    lock: () => {
      venue.locked = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Venue {
  readonly wrong: Wrong;
  readonly orders: Orders;
  readonly authenticator: Authenticator;
  readonly routes: number;
  readonly locked: boolean;
}

async function serve(request: IncomingMessage, response: ServerResponse, venue: Venue): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return; // The client hung up before the request was whole.
  }
  const body = Buffer.concat(chunks);
  const { wrong } = venue;
  if (wrong("redirects")) {
    response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" }).end();
    return;
  }
  if (wrong("never-answers-orders") && request.method === "POST") return;
  const key = venue.locked ? undefined : venue.authenticator.check(request, body);
  const answer =
    key === undefined
      ? { status: 401, message: "missing or invalid API credentials" }
      : await routed(request, body, key, venue);
  send(response, answer, wrong);
}

function send(response: ServerResponse, answer: Answer, wrong: Wrong): void {
  const status = answer.status === 200 && wrong("answers-201") ? 201 : answer.status;
  if (status >= 400 && wrong("html-errors")) {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>no</h1>");
    return;
  }
  const { data } = answer;
  const quoted = wrong("echoes-secret") || (wrong("p34-errors-quote-the-secret") && status >= 400);
  const message = quoted ? keys.trader.secret : answer.message;
  const statusCode = wrong("status-code-not-echoed") ? 999 : status;
  const text = JSON.stringify({ statusCode, success: status < 400, message, data });
  const shown = wrong("decimals-as-numbers")
    ? text.replace(/"(limitPrice|baseQuantity)":"([\d.]+)"/g, '"$1":$2')
    : text;
  response.writeHead(status, { "content-type": "application/json" }).end(shown);
}

async function routed(request: IncomingMessage, body: Buffer, key: Key, venue: Venue): Promise<Answer> {
  const { orders, wrong } = venue;
  const path = (request.url ?? "").split("?")[0]?.slice(base.length) ?? "";
  const route = `${request.method} ${path}`;
  const may = (claim: string): boolean => wrong("claims-not-looked-at") || key.claims.includes(claim);
  const forbidden = { status: 403, message: "the key has no claim for that" };
  if (route === "GET /product") {
    if (wrong("p29-listing-forgets-the-keys")) orders.forgetKeys();
    return { status: 200, data: listing() };
  }
  if (route === "GET /order/open")
    return may("read:orders") ? { status: 200, data: orders.open(key.client) } : forbidden;
  if (route === "POST /order") {
    const unasked = wrong("p42-market-orders-ask-for-no-claim") && body.includes('"MARKET"');
    return unasked || may("write:orders") ? placed(body, key, venue, hangUpOf(request)) : forbidden;
  }
  const nothing = { status: 404, message: "there is nothing here" };
  if (venue.routes === 3) return nothing;
  if (route === "GET /order-book/BTC-USD") return { status: 200, data: depth };
  const order = orders.byId.get(/^\/order\/([\w-]+)$/.exec(path)?.[1] ?? "");
  if (order === undefined || order.client !== key.client) return nothing;
  if (request.method === "DELETE") return may("write:orders") ? orders.cancel(order) : forbidden;
  const record = orders.read(order);
  if (may("read:orders") && record === undefined) return nothing;
  return may("read:orders") ? { status: 200, data: record } : forbidden;
}

/** Has the client gone? Asked only by the defect that answers before it remembers, and then for a moment. */
function hangUpOf({ socket }: IncomingMessage): () => Promise<boolean> {
  return () =>
    Promise.race([
      once(socket, "close").then(
        () => true,
        () => true,
      ),
      wait(20, false),
    ]);
}

async function placed(
  body: Buffer,
  key: Key,
  { orders, wrong }: Venue,
  gone: () => Promise<boolean>,
): Promise<Answer> {
  const source = body.toString("utf8");
  if (wrong("p31-deep-bodies-crash") && source.startsWith("[".repeat(21)))
    return { status: 500, message: "stack" };
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch {
    return { status: wrong("crashes-on-garbage") ? 500 : 400, message: "the body is not JSON" };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return { status: 400, message: "the body is not an object" };
  return orders.place(parsed as Fields, key.client, gone);
}

const depth = {
  bids: [{ price: "59990.00", quantity: "1000" }],
  asks: [{ price: "60010.00", quantity: "1000" }],
};

function listing(): unknown {
  const at = "2026-01-01T00:00:00.000Z";
  const pair = {
    id: "BTC-USD",
    apiEnabled: true,
    createdAt: at,
    updatedAt: at,
    base: "BTC",
    quote: "USD",
    exchangeProductId: "BTC-USD",
    exchangeMinSize: "0.00001",
    exchangeMaxSize: "1000",
    exchangeBaseIncrement: "0.00000001",
    exchangeQuoteMinSize: "10",
    exchangeQuoteMaxSize: "50000000",
    minOrderSize: limits.min,
    maxOrderSize: limits.max,
  };
  return [{ name: "BTC", availablePairs: [pair] }];
}

const sixRoutes = `operations:
  openOrders: { items: '#/data' }
  readOrder: { method: GET, path: '/order/{id}', order: '#/data' }
  cancelOrder: { method: DELETE, path: '/order/{id}', order: '#/data' }
  orderBook: { method: GET, path: '/order-book/{product}', bids: '#/data/bids', asks: '#/data/asks' }
`;
const threeRoutes = "operations: { openOrders: { items: '#/data' } }\n";

function profileOf(baseUrl: string, ways: readonly Way[]): string {
  const operations = ways.includes("three-routes") ? threeRoutes : sixRoutes;
  const fees = ways.find((way) => way.startsWith("fees-"))?.slice("fees-".length) ?? "on-top";
  const credentials = Object.entries(keys).map(
    ([role, { keyId, client, claims }]) =>
      `  ${role}: { keyId: ${keyId}, secret: '\${env:${keyId.toUpperCase()}}', client: ${client}, claims: ['${claims.join("', '")}'] }`,
  );
  return `kit: 1
name: faulty-gateway
baseUrl: ${baseUrl}
safety:
  products:
    BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001', qtyStep: '0.00000001', spend: '25.00', liquid: true, buyNear: '59990.00', sellNear: '60010.00', buyCross: '63010.50', sellCross: '56990.50' }
credentials:
${credentials.join("\n")}
capabilities: { liquidity.cross: present }
${operations}facts:
  limits: { product: BTC-USD, min: '${limits.min}', max: '${limits.max}', step: '0.00000001' }
  marketBuyFees: ${fees}
`;
}
