import { randomUUID } from "node:crypto";
import { Egress } from "./client/egress.ts";
import { prepare } from "./client/prepare.ts";
import type { StreamSocket } from "./client/stream-socket.ts";
import { Target } from "./client/target.ts";
import { TargetClock } from "./client/target-clock.ts";
import type { Exchange, SentRequest } from "./model/exchange.ts";
import { UsageError } from "./model/position.ts";
import type { Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import { plainProfile } from "./parse/profile.ts";
import { plainPlan } from "./signing/tamper.ts";

export interface ReaderOptions {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** The purpose of the requests, for the User-Agent. */
  readonly purpose: string;
}

export interface ReaderAnswer {
  readonly status: number;
  readonly body: string;
}

/** An open stream, or the answer that refused it. */
export type ReaderStream =
  | { readonly socket: StreamSocket; readonly say: (message: object) => Promise<void> }
  | { readonly refusal: ReaderAnswer };

const answerMs = 5_000;
const mostBytes = 1024 * 1024;

/**
 * Reads one gateway with one key, through the transport of the kit: with the same guards, limits and timeouts, and only
 * with GETs and the stream. A failed read throws an Error with a sentence.
 */
export class Reader {
  readonly #profile: Profile;
  readonly #target: Target;
  readonly #clock = new TargetClock();
  readonly #key: { readonly keyId: string; readonly secret: string };

  constructor({ baseUrl, keyId, secret, purpose }: ReaderOptions) {
    this.#key = { keyId, secret };
    this.#profile = profileFor(baseUrl, keyId, secret);
    this.#target = new Target(new Egress(this.#profile), `gatewright/${kitVersion()} (${purpose})`);
  }

  async get(route: string): Promise<ReaderAnswer> {
    const ask = () => this.#target.send(this.#signed(route), { deadlineMs: answerMs });
    const exchange = await ask();
    return answerOf(this.#isOtherwiseDated(exchange) ? await ask() : exchange);
  }

  async open(route: string): Promise<ReaderStream> {
    const request = this.#signed(route);
    const { exchange, socket } = await this.#target.openStream(request, answerMs);
    if (socket === undefined)
      return this.#isOtherwiseDated(exchange) ? this.open(route) : { refusal: answerOf(exchange) };
    const say = (message: object): Promise<void> => {
      const text = JSON.stringify(message);
      const body = Buffer.from(text);
      return this.#target.sendOnStream({ ...request, method: "WS", body }, () => socket.send(text));
    };
    return { socket, say };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#target[Symbol.asyncDispose]();
  }

  #isOtherwiseDated({ reply }: Exchange): boolean {
    return reply !== undefined && this.#clock.corrects(reply);
  }

  #signed(route: string): SentRequest {
    const plan = {
      method: "GET",
      target: this.#profile.baseUrl.pathname + route,
      headers: [],
      body: new Uint8Array(),
      role: "trader",
      credential: this.#key,
      sign: plainPlan,
      mutation: {},
      clockOffsetMs: 0,
    };
    return prepare(plan, { now: this.#clock.now(), nonce: randomUUID(), signedPath: "path" });
  }
}

function profileFor(baseUrl: string, keyId: string, secret: string): Profile {
  const made = plainProfile(baseUrl, keyId, secret);
  if (typeof made === "string") throw new UsageError(made);
  const budget = {
    requests: Infinity,
    orders: 0,
    openOrders: 0,
    minutes: Infinity,
    rps: Infinity,
    concurrency: 8,
  };
  const url = new URL(`${made.baseUrl.href.replace(/^http/, "ws")}/ws`);
  return {
    ...made,
    allowHosts: [made.baseUrl.hostname],
    safety: { ...made.safety, allow: "read", budget },
    stream: { url, connections: 1, message: { sequenceScope: "connection" }, channels: {}, events: {} },
  };
}

function answerOf({ reply, transport, problem }: Exchange): ReaderAnswer {
  if (reply === undefined) throw new Error(problem ?? transport);
  if (reply.body.length > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
  return { status: reply.status, body: Buffer.from(reply.body).toString("utf8") };
}
