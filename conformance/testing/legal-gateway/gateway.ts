import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Json, OrderDesk, pairs } from "./order-desk.ts";
import { attachStream, type StreamOptions, streamPath } from "./order-stream.ts";
import { SignatureCheck } from "./signature.ts";
import type { Variation } from "./variations.ts";

/**
 * A gateway of the least size that keeps the document, and as unlike our simulator as the document allows: a kit that
 * convicts it of anything is wrong. It has three routes; it closes every connection; its errors, its lists and its
 * records have shapes of their own; now and then it is busy. With `errors: "text"` it breaks a recommendation, and a
 * kit should say so without convicting it.
 */
export interface LegalGatewayOptions {
  /** Other behaviour that the document allows; any number of them at once. */
  readonly variations?: readonly Variation[];
  readonly delayMs?: number;
  /** Every n-th request is answered 429. */
  readonly busyEvery?: number;
  readonly errors?: "json" | "problem" | "text";
  /** Offers DELETE /orders/ID, which the document does not fix. */
  readonly cancel?: boolean;
  /** Lists what stands here in the place of the ids of its pairs, and takes orders for it. */
  readonly listed?: readonly Json[];
  /** Has a stream, at a path beside the routes. */
  readonly stream?: StreamOptions;
}

export interface LegalGateway {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** A key that may read and not write. */
  readonly reader: { readonly keyId: string; readonly secret: string };
  /** A key of another client. */
  readonly other: { readonly keyId: string; readonly secret: string };
  readonly requests: () => number;
  /** Every request, as an operator would find it in a log. */
  readonly seen: () => readonly Seen[];
  /** Open orders as the gateway itself knows them. */
  readonly openIds: () => readonly string[];
  /** When no request is being worked on any more. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Seen {
  readonly agent: string;
  readonly source: string;
  readonly body: string;
}

const base = "/api/v1/trading";
const credential = { keyId: "legal-key", secret: "legal gateway, first secret" };
const reader = { keyId: "legal-reader", secret: "legal gateway, second secret" };
const other = { keyId: "legal-other", secret: "legal gateway, third secret" };

/** The variables that a profile of this gateway names, since it may hold no secret itself. */
export const legalSecrets = {
  SECOND_SECRET: credential.secret,
  SECOND_READER: reader.secret,
  SECOND_OTHER: other.secret,
} as const;

export async function startLegalGateway(options: LegalGatewayOptions = {}): Promise<LegalGateway> {
  const variations = new Set(options.variations);
  const desks = new Map([
    ["A", new OrderDesk("2", variations, options.listed?.map(String))],
    ["B", new OrderDesk("3", variations)],
  ]);
  const clientOf = (key: string): string => (key === other.keyId ? "B" : "A");
  const check = new SignatureCheck(
    new Map([credential, reader, other].map(({ keyId, secret }) => [keyId, secret])),
    variations,
  );
  let requests = 0;
  const seen: Seen[] = [];
  const working = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    requests += 1;
    const busy = options.busyEvery !== undefined && requests % options.busyEvery === 0;
    const work = answer(request, response, { desks, clientOf, check, variations }, options, busy, seen)
      // A client that hangs up in the middle of its request has asked for nothing.
      .catch(() => undefined)
      .finally(() => working.delete(work));
    working.add(work);
  });
  const stream =
    options.stream === undefined ? undefined : attachStream(server, desks, check, clientOf, options.stream);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...credential,
    reader,
    other,
    baseUrl: `http://127.0.0.1:${port}${base}`,
    wsUrl: `ws://127.0.0.1:${port}${streamPath}`,
    requests: () => requests,
    seen: () => seen,
    openIds: () => [...desks.values()].flatMap((desk) => desk.openIds()),
    settled: async () => {
      while (working.size > 0) await Promise.all(working);
    },
    close: () =>
      new Promise((resolve) => {
        stream?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Parts {
  readonly desks: ReadonlyMap<string, OrderDesk>;
  readonly clientOf: (keyId: string) => string;
  readonly check: SignatureCheck;
  readonly variations: ReadonlySet<Variation>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { desks, clientOf, check, variations }: Parts,
  options: LegalGatewayOptions,
  busy: boolean,
  seen: Seen[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { "user-agent": agent = "", "x-request-source": source = "" } = request.headers;
  seen.push({ agent, source: String(source), body: Buffer.concat(chunks).toString("utf8") });
  if (options.delayMs !== undefined) await wait(options.delayMs);
  const refuse = (status: number, problems: readonly string[], extra: Record<string, string> = {}) =>
    send(
      response,
      variations,
      status,
      mediaType[options.errors ?? "json"],
      refusal(status, problems, options),
      extra,
    );
  if (busy) return refuse(429, ["try later"], { "Retry-After": "0" });
  const body = Buffer.concat(chunks);
  if (!check.accepts(request, body)) return refuse(401, ["who are you?"], { "WWW-Authenticate": "HMAC" });
  const desk = desks.get(clientOf(String(request.headers["x-api-key"]))) ?? new OrderDesk("9", variations);
  const route = `${request.method ?? ""} ${(request.url ?? "").replace(/\?.*$/s, "")}`;
  if (route === `GET ${base}/product`)
    return succeed(response, variations, products(options.listed ?? pairs));
  if (route === `GET ${base}/order/open`)
    return succeed(response, variations, { page: { size: 1000 }, found: desk.open() });
  const mayWrite = request.headers["x-api-key"] !== reader.keyId;
  if (route === `POST ${base}/order` && !mayWrite) return refuse(403, ["not with this key"]);
  if (
    variations.has("takes-no-other-media-type") &&
    request.method === "POST" &&
    !/^application\/json/i.test(request.headers["content-type"] ?? "")
  )
    return refuse(415, ["only JSON is read here"]);
  if (route === `POST ${base}/order`) {
    const decision = desk.place(body);
    return decision.status === 200
      ? succeed(response, variations, decision.data)
      : refuse(decision.status, decision.problems);
  }
  const id = options.cancel === true ? route.split(`DELETE ${base}/orders/`)[1] : undefined;
  if (id !== undefined && desk.cancel(decodeURIComponent(id))) return succeed(response, variations, {});
  return refuse(404, ["there is nothing here"]);
}

/** Pretty-printed, `data` first, nothing that is optional. */
function succeed(response: ServerResponse, variations: ReadonlySet<Variation>, data: Json): void {
  const text = JSON.stringify({ data, success: true, statusCode: 200 }, null, 3);
  send(response, variations, 200, "application/json;charset=UTF-8", `${text}\n`);
}

const piece = 97;
const mediaType = { json: "application/json", problem: "application/problem+json", text: "text/plain" };

function refusal(status: number, problems: readonly string[], { errors }: LegalGatewayOptions): string {
  if (errors === "text") return problems.join("; ");
  if (errors === "problem")
    return JSON.stringify({ type: "about:blank", title: "refused", status, detail: problems.join("; ") });
  return JSON.stringify({ title: "refused", status, message: problems });
}

function send(
  response: ServerResponse,
  variations: ReadonlySet<Variation>,
  status: number,
  type: string,
  text: string,
  extra: Readonly<Record<string, string>> = {},
): void {
  const connection = variations.has("keeps-connections") ? "keep-alive" : "close";
  response.writeHead(status, { "content-type": type, connection, via: "1.1 legal", ...extra });
  if (variations.has("answers-in-pieces")) {
    // In the middle of what UTF-8 makes of a character, too.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += piece) response.write(bytes.subarray(at, at + piece));
    response.end();
  } else response.end(text);
}

/** One group a base asset, in no order; sizes as objects, what is not known as null. */
function products(ids: readonly Json[]): Json {
  return ids.toReversed().map((id) => {
    const [name = "", quote = ""] = String(id).split("-");
    const size = (amount: string, unit: string) => ({ amount, unit });
    return {
      availablePairs: [
        {
          id,
          base: name,
          quote,
          apiEnabled: true,
          exchangeMinSize: size("0.0001", name),
          exchangeMaxSize: null,
          exchangeBaseIncrement: size("0.00000001", name),
          exchangeQuoteMinSize: size("1", quote),
          exchangeQuoteMaxSize: null,
          minOrderSize: size("0.0001", name),
          maxOrderSize: size("1000", name),
        },
      ],
      name,
    };
  });
}
