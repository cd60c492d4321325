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
import type { DrawnFaults } from "../sequencer/fault-drawer.ts";
import { readQuery } from "../wire/query.ts";
import type { QueryFields } from "../wire/query-fields.ts";
import { screen, verify } from "./access.ts";
import { refusedBy } from "./call-checks.ts";
import type { Refusal } from "./errors.ts";
import { drawFaults, type FaultRules, failAfter, failBefore, firedOf } from "./faults.ts";
import type { Gateway, SignedRoute, TradingVenue } from "./gateway.ts";
import { ignoredHeader, ignoredLine } from "./ignored.ts";
import { continueIfAsked } from "./listener.ts";
import { parseJson } from "./parse-json.ts";
import { announcesBody, headersOf } from "./received-headers.ts";
import { type Asked, type Call, type Route, refused, refuseProblems, type Served } from "./route.ts";
import { searchOf } from "./search.ts";
import { bytesOf, send } from "./send.ts";

/** Checks the headers. If they pass, Fastify reads the body. */
export function screenRequest(
  gatewayOf: (keyId: string) => Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
  next: () => void,
): void {
  const headers = request.receivedHeaders ?? headersOf(request.raw);
  const gateway = request.gateway ?? gatewayOf(headers.credentials.keyId);
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
    await venue.execute(null, verified.value.nonce);
    return send(listener, request, reply, call);
  }
  const served = await serve(signed.route, call.value);
  note(served, request, reply);
  return send(listener, request, reply, served.reply);
}

/** For the exchange log, and for the client. */
function note(
  { entries, place, faults, ignored }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  request.entries = entries;
  request.place = place;
  request.faults = faults;
  if (ignored.length > 0) reply.header(ignoredHeader, ignoredLine(ignored));
}

export interface Trading {
  readonly venue: TradingVenue;
  readonly faults: FaultRules;
}

/** A call of the venue, and what came of it. */
export async function serveCall({ venue, faults }: Trading, route: Route, call: Call): Promise<Served> {
  const asked = decode(route, call);
  const command = asked.ok ? asked.value : null;
  const drawn = drawFaults(faults, venue.state, route, call, command);
  const failed = drawn.wire === null ? null : await failBefore(drawn.wire.fault);
  const { outcome, entries } = await venue.execute(
    failed === null ? withFault(command, drawn.order) : null,
    call.nonce,
  );
  const reply = failed ?? (asked.ok ? route.view(call, outcome, venue.state) : asked);
  const unfit = drawn.order?.unfit;
  const served: Served = {
    reply,
    entries: entries.last < entries.first ? null : entries,
    place: { decided: entries.first - 1, answered: venue.state.seq },
    faults: firedOf(drawn, reply, outcome, failed !== null),
    ignored: [
      ...call.ignored,
      ...(asked.ignored ?? []),
      ...(unfit === undefined ? [] : [`outcome.${unfit}`]),
    ],
  };
  if (drawn.wire === null || failed !== null) return served;
  return { ...served, reply: await failAfter(drawn.wire.fault, reply) };
}

function verifyRequest(
  { access }: Gateway,
  { screened, receivedHeaders, raw, method, body }: FastifyRequest,
): Result<Verified, Refusal> {
  invariant(screened !== null && receivedHeaders !== null, "a signed request is screened first");
  const { host, contentType } = receivedHeaders;
  return verify(access, screened, { method, target: raw.url ?? "", host, contentType, body: bytesOf(body) });
}

/** The call in a verified request, unless one of `callChecks` refuses it. */
function authorize(
  { access, ids, past, options }: Gateway,
  signed: SignedRoute,
  { caller, nonce }: Verified,
  request: FastifyRequest,
  reply: FastifyReply,
): Result<Call, Refusal> {
  const { route } = signed;
  const allowance = access.keyLimit?.(caller.keyId);
  if (allowance !== undefined) reply.headers(allowance.headers);
  const bytes = bytesOf(request.body);
  const search = searchOf(request.raw.url ?? "");
  const contentType = request.receivedHeaders?.contentType;
  const needsType = access.authenticator.settings.requireContentTypeAlways;
  const refusal = refusedBy({ signed, caller, allowance, contentType, needsType, bytes, search });
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
    body: route.body === undefined ? noBody : parseJson(bytes),
  });
}

const noBody = ok(undefined);

const noQuery: QueryFields = {};
const nothingAsked = ok({ values: {}, ignored: [] });

const decode = (route: Route, call: Call): Asked =>
  call.wrongQuery === null ? (route.decode?.(call) ?? read) : refused(call.wrongQuery);

const read: Asked = ok(null);

const withFault = (command: Command | null, drawn: DrawnFaults["order"]): Command | null =>
  drawn === null || command?.kind !== "PlaceOrder" ? command : { ...command, fault: drawn.fault };
