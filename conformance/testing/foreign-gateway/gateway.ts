import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { textOf } from "./amounts.ts";
import { Authenticator, Refusal, type Visit } from "./authenticator.ts";
import { Desk, type Filter } from "./desk.ts";
import { Market } from "./market.ts";
import { type Record_, Writer } from "./order.ts";
import { OrderReader } from "./order-reader.ts";
import { Stream } from "./stream.ts";
import { Wallets } from "./wallets.ts";
import { type Key, type Product, products, rates } from "./world.ts";

const prefix = "/api/v1/trading";
const mostBytes = 65_536;

export interface Answer {
  readonly status: number;
  readonly body: Record_;
  /** HTML in place of the body. */
  readonly page?: string;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly claim: string;
  readonly run: (call: Call) => Record_ | Record_[] | Promise<Record_>;
}

/** A request whose sender is known. */
export interface Call {
  readonly visit: Visit;
  readonly key: Key;
  readonly query: URLSearchParams;
  /** The name in the path: an order or a product. */
  readonly name: string;
}

/**
 * An order gateway of its own, from the specification: in memory, and with other variations than our simulator wherever
 * the document leaves room. Its parts are objects whose methods a bug may replace.
 */
export class Gateway {
  readonly authenticator = new Authenticator();
  readonly orderReader = new OrderReader();
  readonly writer = new Writer();
  readonly wallets = new Wallets();
  readonly stream = new Stream();
  readonly market = new Market(this.wallets, {
    order: (order) => this.stream.order(order, this.writer.view(order)),
    depth: (product, before, after) => this.stream.depth(product, before, after),
    trade: (trade) => this.stream.trade(trade, this.market),
  });
  readonly desk = new Desk(this.market, this.wallets, this.writer);
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: mostBytes });

  readonly routes: readonly Route[] = [
    { method: "POST", path: /^\/order$/, claim: "write:orders", run: (call) => this.place(call) },
    { method: "GET", path: /^\/order\/open$/, claim: "read:orders", run: ({ key }) => this.desk.open(key) },
    {
      method: "GET",
      path: /^\/orders$/,
      claim: "read:orders",
      run: ({ key, query }) => this.desk.list(key, filterOf(query)),
    },
    {
      method: "GET",
      path: /^\/orders\/([\w-]+)$/,
      claim: "read:orders",
      run: ({ key, name }) => this.desk.read(key, name),
    },
    {
      method: "PUT",
      path: /^\/orders\/([\w-]+)\/cancel$/,
      claim: "write:orders",
      run: ({ key, name }) => this.desk.cancel(key, name),
    },
    { method: "GET", path: /^\/product$/, claim: "read:market-data", run: () => this.desk.groups() },
    { method: "GET", path: /^\/pairs$/, claim: "read:market-data", run: () => this.desk.pairs() },
    {
      method: "GET",
      path: /^\/books\/([\w-]+)$/,
      claim: "read:market-data",
      run: ({ name }) => this.book(name),
    },
    {
      method: "GET",
      path: /^\/candles\/([\w-]+)$/,
      claim: "read:market-data",
      run: ({ name }) => this.market.tape.candles(productNamed(name)),
    },
    {
      method: "GET",
      path: /^\/wallets$/,
      claim: "read:account",
      run: ({ key }) => this.wallets.list(key.client ?? ""),
    },
    {
      method: "GET",
      path: /^\/fees$/,
      claim: "read:account",
      run: () => ({ makerRate: textOf(rates.maker), takerRate: textOf(rates.taker) }),
    },
  ];

  constructor() {
    this.#server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  get origin(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.stream.lines) socket.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  place({ visit, key }: Call): Record_ | Promise<Record_> {
    return this.desk.place(key, this.orderReader.draft(visit.body));
  }

  book(name: string): Record_ {
    const { version, bids, asks } = this.market.depth(productNamed(name));
    const levels = (side: typeof bids) => side.map(([price, quantity]) => ({ price, quantity }));
    return { product: name, version, bids: levels(bids), asks: levels(asks) };
  }

  /** The whole way of a request, apart from its bytes. */
  async answer(visit: Visit): Promise<Answer> {
    try {
      const url = new URL(visit.target, "http://gateway.invalid");
      const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : "";
      if (visit.method === "GET" && path === "/alive") return success({ up: true });
      const known = this.routes.filter((route) => route.path.test(path));
      const route = known.find(({ method }) => method === visit.method);
      if (known.length === 0) return this.unknown(visit);
      if (route === undefined) throw new Refusal(405, "this route has other methods");
      const key = await this.authenticator.admit(visit);
      if (
        visit.method === "POST" &&
        !/^application\/json(?:\s*;|$)/i.test(visit.headers["content-type"] ?? "")
      )
        throw new Refusal(415, "the body has to be application/json");
      const name = route.path.exec(path)?.[1] ?? "";
      const call: Call = { visit, key, query: url.searchParams, name };
      return await this.run(route, call);
    } catch (error) {
      return this.refused(error, visit);
    }
  }

  async run(route: Route, call: Call): Promise<Answer> {
    if (!this.permits(route, call)) throw new Refusal(403, `the key lacks ${route.claim}`);
    return success(await route.run(call));
  }

  permits({ claim }: Route, { key }: Call): boolean {
    return key.claims.includes(claim);
  }

  unknown(visit: Visit): Answer {
    return this.refused(new Refusal(404, "no such route"), visit);
  }

  refused(error: unknown, _visit: Visit): Answer {
    const { status, message } = error instanceof Refusal ? error : new Refusal(500, "something broke");
    return { status, body: { statusCode: status, success: false, message: [message] } };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request).catch(() => undefined);
    const visit = visitOf(request, "rest", body ?? Buffer.alloc(0));
    const answer =
      body === undefined
        ? this.refused(new Refusal(413, "the body is too large"), visit)
        : await this.answer(visit);
    const { page } = answer;
    const type = page === undefined ? "application/json" : "text/html";
    response.writeHead(answer.status, { "content-type": `${type}; charset=utf-8` });
    response.end(page ?? JSON.stringify(answer.body));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const visit = visitOf(request, "stream", Buffer.alloc(0));
    try {
      if (visit.target !== `${prefix}/feed`) throw new Refusal(404, "the stream is elsewhere");
      const key = await this.authenticator.admit(visit);
      this.#sockets.handleUpgrade(request, socket, head, (opened) => {
        const line = this.stream.open(opened, key);
        opened.on("message", (data: Buffer) => this.stream.hear(line, data.toString("utf8"), this.desk));
      });
    } catch (error) {
      const { status, body } = this.refused(error, visit);
      const text = JSON.stringify(body);
      socket.end(
        `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
      );
    }
  }
}

const success = (data: Record_ | Record_[]): Answer => ({
  status: 200,
  body: { statusCode: 200, success: true, data },
});

function productNamed(name: string): Product {
  const product = products.find(({ id }) => id === name);
  if (product === undefined) throw new Refusal(404, "no such product");
  return product;
}

function filterOf(query: URLSearchParams): Filter {
  const limit = Number(query.get("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500) throw new Refusal(400, "limit: 1 to 500");
  const filter: Record<string, string> = {};
  for (const name of ["status", "product", "clientOrderId", "cursor"]) {
    const value = query.get(name);
    if (value !== null) filter[name] = value;
  }
  if (filter["cursor"] !== undefined && !/^\d{1,12}$/.test(filter["cursor"]))
    throw new Refusal(400, "cursor: as it was given");
  return { ...filter, limit };
}

function visitOf(request: IncomingMessage, transport: Visit["transport"], body: Buffer): Visit {
  const { method = "", url: target = "", headers, socket } = request;
  return { transport, method, target, headers, body, connection: socket };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
