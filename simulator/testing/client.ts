/**
 * A client of the gateway as the specification describes one, and nothing of the simulator in it: it signs, sends over
 * real TCP and reads. Every signed value can be replaced, so that a test can be wrong on purpose.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";

export interface Credentials {
  readonly keyId: string;
  readonly secret: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The lines of the canonical string by name. */
export interface SignedValues {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly bodyHash: string;
}

export interface Options {
  /** Query string without its question mark; sent and not signed, as the specification's "path" is read. */
  readonly query?: string;
  /** Text or bytes are sent as they are; anything else as JSON. */
  readonly body?: Json | Uint8Array | undefined;
  /** Replaces lines of the canonical string. Timestamp and nonce are sent as signed unless `headers` says otherwise. */
  readonly sign?: Partial<SignedValues>;
  /** Replaces the canonical string as a whole. */
  readonly canonical?: (values: SignedValues) => string;
  readonly secret?: string;
  /** Replaces, adds or (undefined) leaves out headers after signing. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Sends these bytes although others were signed. */
  readonly sentBody?: string | Uint8Array;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, byte for byte. */
  readonly text: string;
  readonly body: JsonObject;
  /** `data` of the envelope, for reaching into; empty when there is none. */
  readonly data: JsonObject;
  /** The same where it is a list; an error to ask for where it is none, so that a refusal is not taken for an empty list. */
  readonly list: readonly JsonObject[];
  /** `code` of an error, else the empty string. */
  readonly code: string;
}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

export const canonicalOf = (values: SignedValues): string =>
  [values.timestamp, values.nonce, values.method, values.path, values.contentType, values.bodyHash].join(
    "\n",
  );

export const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text, "utf8").digest("hex");

const bytesOf = (body: Options["body"]): string | Uint8Array =>
  body === undefined
    ? ""
    : typeof body === "string" || body instanceof Uint8Array
      ? body
      : JSON.stringify(body);

export interface Prepared {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export class Client {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly #now: () => number;
  readonly #makeNonce: () => string;

  constructor(
    baseUrl: string,
    credentials: Credentials,
    now: () => number = Date.now,
    makeNonce: () => string = randomUUID,
  ) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.#now = now;
    this.#makeNonce = makeNonce;
  }

  /** Path of a route as it is signed. */
  pathOf(route: string): string {
    return new URL(this.baseUrl).pathname + route;
  }

  /** The signed request, not sent yet: sending it twice repeats the same bytes. */
  prepare(method: string, route: string, options: Options = {}): Prepared {
    const path = this.pathOf(route);
    const signed = bytesOf(options.body);
    const values: SignedValues = {
      timestamp: String(this.#now()),
      nonce: this.#makeNonce(),
      method,
      path,
      contentType: "application/json",
      bodyHash: sha256(signed),
      ...options.sign,
    };
    const canonical = options.canonical?.(values) ?? canonicalOf(values);
    const body = options.sentBody ?? signed;
    const headers = {
      "X-API-KEY": this.credentials.keyId,
      "X-API-TIMESTAMP": values.timestamp,
      "X-API-NONCE": values.nonce,
      "X-API-SIGNATURE": hmac(options.secret ?? this.credentials.secret, canonical),
      "Content-Type": "application/json",
      ...(body.length === 0 ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
      ...options.headers,
    };
    const present = Object.entries(headers).filter(([, value]) => value !== undefined);
    const target = options.query === undefined ? path : `${path}?${options.query}`;
    // as: undefined values are filtered out, and Node takes lists for repeated headers.
    return { method, target, headers: Object.fromEntries(present) as Prepared["headers"], body };
  }

  send(prepared: Prepared): Promise<Reply> {
    return exchange(this.baseUrl, prepared);
  }

  request(method: string, route: string, options: Options = {}): Promise<Reply> {
    return this.send(this.prepare(method, route, options));
  }

  get(route: string, options: Options = {}): Promise<Reply> {
    return this.request("GET", route, options);
  }

  post(route: string, body: Options["body"], options: Options = {}): Promise<Reply> {
    return this.request("POST", route, { body, ...options });
  }

  delete(route: string, options: Options = {}): Promise<Reply> {
    return this.request("DELETE", route, options);
  }

  place(order: Options["body"], options: Options = {}): Promise<Reply> {
    return this.post("/order", order, options);
  }
}

/** One request on its way, unsigned or as prepared. Rejects when the connection ends without an answer. */
export function exchange(url: string, { method, target, headers, body }: Prepared): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: hostname, port, method, path: target, headers, agent },
      (incoming) => {
        readReply(incoming).then(resolve, reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function readReply(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return replyOf(incoming.statusCode ?? 0, incoming.headers, text);
}

export function replyOf(status: number, headers: Reply["headers"], text: string): Reply {
  const body = text === "" ? {} : asObject(JSON.parse(text));
  const data = body["data"] ?? null;
  const code = body["code"];
  return {
    status,
    headers,
    text,
    body,
    data: Array.isArray(data) ? {} : asObject(data),
    get list(): readonly JsonObject[] {
      if (!Array.isArray(data)) throw new Error(`not a list: ${text}`);
      return data.map(asObject);
    },
    code: typeof code === "string" ? code : "",
  };
}

/** The value as a record to reach into; empty when it is none. */
export const asObject = (value: unknown): JsonObject =>
  // as: it came out of JSON.parse.
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const listIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.map(asObject) : [];

/** Text of a field, or a failure that names it. */
export function text(record: JsonObject, field: string): string {
  const value = record[field];
  if (typeof value !== "string") throw new Error(`${field} is ${JSON.stringify(value)}, not a text`);
  return value;
}

/** Values of a record for one comparison: `shown(order, "status filledQuantity")` is "OPEN 0". */
export const shown = (record: JsonObject, fields: string): string =>
  fields
    .split(" ")
    .map((field) => String(record[field]))
    .join(" ");

/**
 * Writes bytes to a socket of its own and gives everything that came back once the server has closed. `meanwhile` may
 * write more.
 */
export function sendRaw(
  url: string,
  bytes: string | Uint8Array,
  meanwhile?: (write: (more: string) => void) => Promise<void>,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.write(bytes);
    meanwhile?.((more) => socket.write(more)).catch(reject);
  });
}

/** A prepared request as the bytes of HTTP/1.1, for `sendRaw`; the server is asked to close. */
export function rawText(url: string, { method, target, headers, body }: Prepared): string {
  const lines = Object.entries({ Host: new URL(url).host, Connection: "close", ...headers }).flatMap(
    ([name, value]) => [value].flat().map((each) => `${name}: ${each}`),
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${Buffer.from(body).toString("latin1")}`;
}

/** The answer that `sendRaw` received, in parts. */
export function parseRaw(received: string): Reply {
  const [head = "", ...rest] = received.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return replyOf(Number(statusLine.split(" ")[1]), headers, rest.join("\r\n\r\n"));
}
