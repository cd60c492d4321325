/**
 * A signed request, from its headers to its answer, in the order of docs/architecture.md:
 *
 *   screen -> body -> verify -> authorize -> decode -> draw faults -> submit -> view -> reply
 *
 * **Invariants.** Nothing of a body is read before the headers of the credentials have passed. From the moment a signature
 * has verified, its nonce is used up, and no answer, refusals included, leaves before that is committed: command and nonce go
 * to the venue together, and the nonce of a request that asks for nothing to be done goes alone.
 *
 * **Failure.** A refusal is a value. An exception is a venue that cannot commit, or a bug of ours; the error handler
 * of the listener answers it. Of a batch whose commit failed the file has both command and nonce, or neither.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Verified } from "../auth/authenticate.ts";
import type { Command } from "../domain/command.ts";
import { invariant } from "../domain/invariant.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { type DrawnFaults, noFaults } from "../sequencer/fault-drawer.ts";
import { readQuery } from "../wire/query.ts";
import type { QueryFields } from "../wire/query-fields.ts";
import { missingClaim, screen, verify } from "./access.ts";
import type { Refusal } from "./errors.ts";
import { drawFaults, type FaultRules, failAfter, failBefore, firedOf } from "./faults.ts";
import type { Gateway, SignedRoute, TradingVenue } from "./gateway.ts";
import { ignoredHeader, ignoredLine } from "./ignored.ts";
import { continueIfAsked } from "./listener.ts";
import { checkMediaType } from "./media-type.ts";
import { parseJson } from "./parse-json.ts";
import { rateLimited } from "./rate-limit.ts";
import { announcesBody, headersOf } from "./received-headers.ts";
import { type Asked, type Call, type Reply, type Route, refused, refuseProblems } from "./route.ts";
import { checkSearch, searchOf } from "./search.ts";
import { bytesOf, send } from "./send.ts";

/** Checks the headers. If they pass, Fastify reads the body. */
export function screenRequest(
  gatewayOf: (keyId: string) => Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  next: () => void,
): void {
  const headers = request.receivedHeaders ?? headersOf(request.raw);
  const gateway = gatewayOf(headers.credentials.keyId);
  const { access, listener } = gateway;
  request.gateway = gateway;
  const reshape = gateway.reshape();
  if (reshape !== null) request.reshape = reshape;
  const screened = screen(access, headers, request.ip);
  if (!screened.ok)
    return listener.refuse(request, reply, { ...screened.error, close: announcesBody(headers) });
  request.screened = screened.value;
  continueIfAsked(request, reply);
  // A body is bytes until its signature has verified, with any media type; the type is checked afterwards.
  request.raw.headers["content-type"] = "application/octet-stream";
  next();
}

/** After the body was read: identifies the caller and checks its permissions. */
export async function handleRequest(
  signed: SignedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { gateway } = request;
  invariant(gateway !== null, "a signed request is screened first");
  const { listener, venue, serve } = gateway;
  const verified = verifyRequest(gateway, request);
  if (!verified.ok) return send(listener, request, reply, verified);
  listener.connections.prove(request.raw.socket);
  const call = authorize(gateway, signed, verified.value, request, reply);
  if (!call.ok) {
    await venue.submit(null, verified.value.nonce);
    return send(listener, request, reply, call);
  }
  return send(listener, request, reply, await serve(signed.route, call.value));
}

export interface Trading {
  readonly venue: TradingVenue;
  readonly faults: FaultRules;
}

/** A call of the venue and its result. */
export async function serveCall({ venue, faults }: Trading, route: Route, call: Call): Promise<Reply> {
  const asked = decode(route, call);
  const command = asked.ok ? asked.value : null;
  const drawn = drawFaults(faults, venue.state, route, call, command);
  const unfit = drawn.order?.unfit;
  if (unfit !== undefined) call.ignore([`outcome.${unfit}`]);
  const failed = drawn.wire === null ? null : await failBefore(drawn.wire.fault);
  const outcome = await venue.submit(
    failed === null ? withFault(command, drawn.order) : null,
    call.nonce,
    call.caused,
  );
  call.served(venue.state.seq);
  const reply = failed ?? (asked.ok ? route.view(call, outcome, venue.state) : asked);
  if (drawn === noFaults) return reply;
  call.fired(firedOf(drawn, reply, outcome, failed !== null));
  return drawn.wire === null || failed !== null ? reply : failAfter(drawn.wire.fault, reply);
}

function verifyRequest(
  { access }: Gateway,
  { screened, receivedHeaders, raw, method, body }: FastifyRequest,
): Result<Verified, Refusal> {
  invariant(screened !== null && receivedHeaders !== null, "a signed request is screened first");
  const { host, contentType } = receivedHeaders;
  return verify(access, screened, { method, target: raw.url ?? "", host, contentType, body: bytesOf(body) });
}

/** Limit of the key, claim, media type, stray body, query: the first that is wrong refuses. */
function authorize(
  { access, ids, past, options }: Gateway,
  { route, name, claims }: SignedRoute,
  { caller, nonce }: Verified,
  request: FastifyRequest,
  reply: FastifyReply,
): Result<Call, Refusal> {
  const allowance = access.keyLimit?.(caller.keyId);
  if (allowance !== undefined) reply.headers(allowance.headers);
  if (allowance?.allowed === false) return err(rateLimited(allowance));
  const bytes = bytesOf(request.body);
  const needsType = bytes.length > 0 || access.authenticator.settings.requireContentTypeAlways;
  const search = searchOf(request.raw.url ?? "");
  const refusal =
    missingClaim(name, claims, caller) ??
    (needsType ? checkMediaType(request.receivedHeaders?.contentType) : null) ??
    (route.request === undefined ? strayBody(bytes) : null) ??
    checkSearch(search);
  if (refusal !== null) return err(refusal);
  const query =
    route.query === undefined && search === ""
      ? nothingAsked
      : readQuery(route.query ?? noQuery, search, options.unknownQuery);
  return ok({
    caller,
    nonce,
    ids,
    past,
    options,
    search,
    query: query.ok ? query.value.values : {},
    wrongQuery: query.ok ? null : refuseProblems("INVALID_QUERY", query.error).error,
    ignored: query.ok ? query.value.ignored : [],
    // as: Fastify types parameters as unknown; they are texts of path segments.
    params: request.params as Readonly<Record<string, string>>,
    body: route.request === undefined ? noBody : parseJson(bytes),
    ...placeOf(request),
    fired: (faults) => {
      request.faults = faults;
    },
    ignore: ignoredIn(reply),
  });
}

/** Names more of what is ignored; the header has all. */
function ignoredIn(reply: FastifyReply): Call["ignore"] {
  const all: string[] = [];
  return (names) => {
    all.push(...names);
    if (all.length > 0) reply.header(ignoredHeader, ignoredLine(all));
  };
}

/** Notes what of the journal the request has caused, and where in it the request was served. */
function placeOf(request: FastifyRequest): Pick<Call, "caused" | "served"> {
  let decided: number | null = null;
  return {
    caused: (entries) => {
      decided = entries.first - 1;
      if (entries.last > decided) request.entries = entries;
    },
    served: (answered) => {
      request.place = { decided: decided ?? answered, answered };
    },
  };
}

const noBody = ok(undefined);

/** For clients that always send a body, an empty object passes as none. */
function strayBody(bytes: Buffer): Refusal | null {
  if (bytes.length === 0) return null;
  const json = parseJson(bytes);
  const isEmpty = json.ok && isObject(json.value) && Object.keys(json.value).length === 0;
  return isEmpty ? null : strayBodyRefusal;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const strayBodyRefusal: Refusal = {
  code: "UNEXPECTED_BODY",
  message:
    "This request has no body. Leave it out and sign the hash of nothing, or sign and send an empty object {}.",
};

const noQuery: QueryFields = {};
const nothingAsked = ok({ values: {}, ignored: [] });

function decode(route: Route, call: Call): Asked {
  if (call.wrongQuery !== null) return refused(call.wrongQuery);
  const asked = route.decode?.(call) ?? read;
  call.ignore([...call.ignored, ...(asked.ignored ?? [])]);
  return asked;
}

const read: Asked = ok(null);

const withFault = (command: Command | null, drawn: DrawnFaults["order"]): Command | null =>
  drawn === null || command?.kind !== "PlaceOrder" ? command : { ...command, fault: drawn.fault };
