/**
 * The plug for signed routes. In this order: limit per address -> headers of the credentials (nothing of the
 * body has been read so far) -> body -> signature, key and nonce -> limit per key -> claim -> media type ->
 * query -> handler.
 *
 * From the moment a signature has verified, the nonce is used up, and its record is committed before any
 * answer leaves: everything after that point, refusals included, runs inside `submit`.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthFailure } from "../auth/auth-failures.ts";
import type { Authenticator, Screened, Verified } from "../auth/authenticate.ts";
import { mayCall } from "../auth/claims.ts";
import type { Caller } from "../auth/keyring.ts";
import type { NonceRecord } from "../auth/nonces.ts";
import type { Claim } from "../domain/account.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { internalError, type Refusal, RefusalError, statusOf } from "./errors.ts";
import { continueIfAsked, type Listener } from "./listener.ts";
import { checkMediaType } from "./media-type.ts";
import { parseJson } from "./parse-json.ts";
import { type PlainReader, plainReader } from "./plain-json.ts";
import { type RateLimit, rateLimited } from "./rate-limit.ts";
import { readBody } from "./read-body.ts";
import { announcesBody } from "./received-headers.ts";
import { checkSearch, searchOf } from "./search.ts";

/**
 * Calls `run` and settles as it does once the nonce, and whatever `run` made the venue do, are committed;
 * rejects when that cannot be said, whatever came of `run`. A failed `run` does not keep the nonce from being
 * committed. `context` is what the one who commits gives to the handlers of its routes, for example a way to
 * wait for the commit.
 */
export type Submit<Context> = <T>(
  nonce: NonceRecord,
  run: (context: Context) => T | Promise<T>,
) => Promise<T>;

export interface ProtectedRequest {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The query string without its question mark, as sent; it can be decoded. */
  readonly search: string;
  readonly rawBody: Uint8Array;
  readonly json: () => Result<unknown, Refusal>;
  readonly requestId: string;
  /** Sets a header of the answer, whatever the answer will be. */
  readonly setHeader: (name: string, value: string) => void;
}

export type Answer =
  | {
      readonly status?: number;
      readonly body: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The socket is closed without an answer (faults `dropConnectionBefore` and `dropConnectionAfter`). */
  | { readonly drop: true };

export type Outcome = Result<Answer, Refusal>;

export interface ProtectedRoute<Context> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Whole path, parameters in braces: `/api/v1/trading/order/{id}`. */
  readonly url: string;
  /** Any one of them is enough. */
  readonly claims: readonly Claim[];
  /**
   * `none`: only an empty body or an empty object is accepted. By default POST takes JSON and the others
   * none.
   */
  readonly body?: "json" | "none";
  /** Names of the members that its body may have; one with no other, and with plain strings, is read faster. */
  readonly members?: readonly string[];
  readonly handler: (request: ProtectedRequest, context: Context) => Outcome | Promise<Outcome>;
}

export interface Plug<Context> {
  readonly listener: Listener;
  readonly authenticator: Authenticator;
  readonly submit: Submit<Context>;
  readonly keyLimit?: RateLimit;
  readonly addressLimit?: RateLimit;
  /** Hears the real reason of every 401, also where the client does not. */
  readonly onAuthFailure?: (requestId: string, failure: AuthFailure) => void;
}

/** All that the phases of authentication need of a plug, whatever it commits with. */
type Gatekeeper = Omit<Plug<never>, "submit">;

const NO_BODY = Buffer.alloc(0);
const NO_HEADERS: IncomingHttpHeaders = Object.freeze({});

export function addProtectedRoute<Context>(plug: Plug<Context>, route: ProtectedRoute<Context>): void {
  const { app, refuse } = plug.listener;
  const readPlain = route.members === undefined ? null : plainReader(route.members);
  app.route({
    method: route.method,
    url: route.url.replaceAll(/\{([A-Za-z]+)\}/g, ":$1"),
    config: { signed: true },
    onRequest: (request, reply, next) => {
      const screened = screen(plug, request);
      if (!screened.ok) return refuse(request, reply, screened.error);
      request.screened = screened.value;
      continueIfAsked(request, reply);
      // From here on Fastify sees neither media type nor length, so it leaves the body to us. What was sent is in
      // `receivedHeaders`.
      request.raw.headers = NO_HEADERS;
      if (request.receivedHeaders === null || !announcesBody(request.receivedHeaders)) return next();
      readBody(request.raw, plug.listener.settings.bodyLimit, (body) => {
        if (!body.ok) return refuse(request, reply, body.error);
        request.body = body.value;
        next();
      });
    },
    handler: (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
      const verified = verify(plug, request, body);
      if (!verified.ok) return refuse(request, reply, verified.error);
      const { caller, nonce } = verified.value;
      const run = (context: Context): Outcome | Promise<Outcome> =>
        serve(plug, route, context, { caller, request, reply, body, readPlain });
      plug.submit(nonce, run).then(
        (outcome) => answer(plug.listener, request, reply, outcome),
        (error: unknown) => plug.listener.refuse(request, reply, failed(error, plug.listener, request)),
      );
    },
  });
}

/** The first phase, from the headers alone. */
function screen(plug: Gatekeeper, request: FastifyRequest): Result<Screened, Refusal> {
  const headers = request.receivedHeaders;
  if (headers === null) throw new RefusalError(internalError());
  const allowance = plug.addressLimit?.(request.ip);
  const close = announcesBody(headers);
  if (allowance?.allowed === false) return err({ ...rateLimited(allowance), close });
  const screened = plug.authenticator.screen(headers.credentials);
  return screened.ok ? screened : err({ ...unauthorized(plug, request.id, screened.error), close });
}

/** The second phase, over the bytes. */
function verify(plug: Gatekeeper, request: FastifyRequest, body: Uint8Array): Result<Verified, Refusal> {
  const { screened, receivedHeaders: headers } = request;
  if (screened === null || headers === null) throw new RefusalError(internalError());
  const verified = plug.authenticator.verify(screened, {
    method: request.method,
    target: request.raw.url ?? "",
    host: headers.host,
    contentType: headers.contentType,
    body,
  });
  return verified.ok ? verified : err(unauthorized(plug, request.id, verified.error));
}

export function unauthorized(plug: Gatekeeper, requestId: string, failure: AuthFailure): Refusal {
  plug.onAuthFailure?.(requestId, failure);
  return plug.authenticator.shown(failure);
}

interface Served {
  readonly caller: Caller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: Buffer;
  readonly readPlain: PlainReader | null;
}

function serve<Context>(
  plug: Plug<Context>,
  route: ProtectedRoute<Context>,
  context: Context,
  { caller, request, reply, body, readPlain }: Served,
): Outcome | Promise<Outcome> {
  const allowance = plug.keyLimit?.(caller.keyId);
  if (allowance !== undefined) reply.headers(allowance.headers);
  if (allowance?.allowed === false) return err(rateLimited(allowance));
  if (!mayCall(caller.claims, route.claims)) return err(missingClaim(route, caller));
  const { requireContentTypeAlways } = plug.authenticator.settings;
  const needsType = body.length > 0 || requireContentTypeAlways;
  const wrongType = needsType ? checkMediaType(request.receivedHeaders?.contentType) : null;
  if (wrongType !== null) return err(wrongType);
  const json = (): Result<unknown, Refusal> => {
    const plain = readPlain?.(body) ?? null;
    return plain === null ? parseJson(body) : ok(plain);
  };
  const takesBody = (route.body ?? (route.method === "POST" ? "json" : "none")) === "json";
  if (!takesBody && body.length > 0 && !isEmptyObject(json())) return err(STRAY_BODY);
  const search = searchOf(request.raw.url ?? "");
  const unreadable = checkSearch(search);
  if (unreadable !== null) return err(unreadable);
  // as: Fastify types parameters as unknown; they are texts of path segments.
  const params = request.params as Readonly<Record<string, string>>;
  const setHeader = (name: string, value: string): void => void reply.header(name, value);
  return route.handler(
    { caller, params, search, rawBody: body, json, requestId: request.id, setHeader },
    context,
  );
}

const STRAY_BODY: Refusal = {
  code: "UNEXPECTED_BODY",
  message:
    "This request has no body. Leave it out and sign the hash of nothing, or sign and send an empty object {}.",
};

function isEmptyObject(json: Result<unknown, Refusal>): boolean {
  const value = json.ok ? json.value : null;
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

const missingClaim = (
  { method, url, claims }: Pick<ProtectedRoute<never>, "method" | "url" | "claims">,
  caller: Caller,
): Refusal => ({
  code: "MISSING_CLAIM",
  message:
    `${method} ${url} asks for the claim ${claims.join(" or ")}, which this key does not have. ` +
    "Use a key that has it.",
  details: [{ required: claims, held: caller.claims }],
});

function failed(error: unknown, { explain }: Listener, request: FastifyRequest): Refusal {
  const refusal = explain(error);
  if (statusOf(refusal) >= 500) request.log.error({ err: error }, "request failed");
  return refusal;
}

function answer(listener: Listener, request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void {
  if (!outcome.ok) return listener.refuse(request, reply, outcome.error);
  if ("drop" in outcome.value) {
    reply.hijack();
    request.raw.socket.destroy();
    return;
  }
  const { status = 200, body, headers } = outcome.value;
  reply.code(status).header("cache-control", "no-store").type("application/json; charset=utf-8");
  if (headers !== undefined) reply.headers(headers);
  reply.send(typeof body === "string" ? body : JSON.stringify(body));
}

/** For a handshake: there is nothing to run, but the nonce has to be committed. */
export const commitNonce = <Context>(
  { submit }: Plug<Context>,
  { caller, nonce }: Verified,
): Promise<Caller> => submit(nonce, () => caller);
