/** A client that signs according to the specification, keeps its socket and remembers its requests. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import type { ServedKey } from "./served-venue.ts";

export interface Answer {
  readonly status: number;
  readonly body: AnswerBody;
}

/** Every body of the venue is one JSON object. */
export type AnswerBody = Readonly<Record<string, unknown>>;

/** A request as it went out, so that it can be sent again to the byte. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Where {
  readonly baseUrl: string;
}

/** The connection broke before the end of the answer: the outcome of the request is unknown. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export class SignedClient {
  readonly key: ServedKey;
  readonly #url: URL;
  readonly #agent: Agent;
  /** The newest request that was answered with success. */
  lastAccepted: Sent | undefined;

  constructor({ baseUrl }: Where, key: ServedKey, sockets = 1) {
    this.#url = new URL(baseUrl);
    this.key = key;
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  get(path: string): Promise<Answer> {
    return this.#call("GET", path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.#call("POST", path, JSON.stringify(body));
  }

  delete(path: string): Promise<Answer> {
    return this.#call("DELETE", path);
  }

  /** Sends the same bytes, nonce and signature included. */
  async send(sent: Sent): Promise<Answer> {
    const answer = await exchange(this.#url, this.#agent, sent);
    if (answer.status < 300) this.lastAccepted = sent;
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #call(method: string, path: string, body = ""): Promise<Answer> {
    return this.send(this.sign(method, path, body));
  }

  sign(method: string, path: string, body = ""): Sent {
    const target = this.#url.pathname + path;
    const [signedPath = ""] = target.split("?");
    const timestamp = String(Date.now());
    const nonce = randomUUID();
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const text = [timestamp, nonce, method, signedPath, "application/json", bodyHash].join("\n");
    const headers: Record<string, string> = {
      "X-API-KEY": this.key.keyId,
      "X-API-TIMESTAMP": timestamp,
      "X-API-NONCE": nonce,
      "X-API-SIGNATURE": createHmac("sha256", this.key.secret).update(text).digest("hex"),
      "Content-Type": "application/json",
    };
    if (body !== "") headers["Content-Length"] = String(Buffer.byteLength(body));
    return { method, target, headers, body };
  }
}

/** One request on the control surface. */
export function control(
  { controlUrl, controlToken }: { readonly controlUrl: string; readonly controlToken: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const url = new URL(controlUrl);
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers: Record<string, string> = { Authorization: `Bearer ${controlToken}` };
  if (text !== "") {
    headers["Content-Type"] = "application/json";
    headers["Content-Length"] = String(Buffer.byteLength(text));
  }
  return exchange(url, false, { method, target: url.pathname + path, headers, body: text });
}

/** One unsigned request below the trading prefix: health. */
export function open(where: Where, path: string): Promise<Answer> {
  const url = new URL(where.baseUrl);
  return exchange(url, false, { method: "GET", target: url.pathname + path, headers: {}, body: "" });
}

function exchange(url: URL, agent: Agent | false, { method, target, headers, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const lost = (cause: Error): void =>
      reject(new Unanswered(`${method} ${target}: ${cause.message}`, { cause }));
    const outgoing = httpRequest(
      { host: url.hostname, port: url.port, method, path: target, headers, agent },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", lost);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          try {
            // as: see AnswerBody.
            resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as AnswerBody });
          } catch {
            reject(new Error(`${method} ${target} was answered with something else than JSON: ${text}`));
          }
        });
      },
    );
    outgoing.on("error", lost);
    outgoing.end(body);
  });
}
