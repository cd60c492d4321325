/**
 * The trading routes on the listener: from a verified request to a call, from a reply to an answer. Promised failures of
 * the wire happen here; those of an order are drawn here and travel inside its command.
 */

import type { ClaimTable } from "../auth/claims.ts";
import type { Caller } from "../auth/keyring.ts";
import type { Command } from "../domain/command.ts";
import type { FaultRule, WireFault } from "../domain/fault.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Outcome as CommandOutcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import { type DrawnFaults, type FaultDrawer, NO_FAULTS } from "../sequencer/faults.ts";
import type { NonceRecord } from "../sequencer/ports.ts";
import { VenueUnavailable } from "../sequencer/unavailable.ts";
import type { Venue } from "../sequencer/venue.ts";
import { envelope } from "../wire/envelope.ts";
import type { Identities } from "../wire/identities.ts";
import { readQuery } from "../wire/query.ts";
import type { QueryFields, QueryValues } from "../wire/query-fields.ts";
import { type Refusal, RefusalError } from "./errors.ts";
import { IGNORED_HEADER, ignoredLine } from "./ignored.ts";
import {
  type Answer,
  addProtectedRoute,
  type Outcome,
  type Plug,
  type ProtectedRequest,
  type Submit,
} from "./protected-route.ts";
import {
  type Call,
  type CallOptions,
  type Refused,
  type Reply,
  type Route,
  refuseProblems,
} from "./route.ts";

export interface GatewayParts {
  readonly prefix: string;
  readonly plug: Omit<Plug<DurableNonce>, "submit">;
  readonly venue: Venue;
  readonly ids: Identities;
  readonly drawer: FaultDrawer;
  readonly claims: ClaimTable;
  /** Rules besides those of the venue's state: the reserved beginnings of `client_order_id`. */
  readonly reservedFaults: readonly FaultRule[];
  readonly options: CallOptions;
}

export function mountRoutes(parts: GatewayParts, routes: readonly Route[]): void {
  const plug: Plug<DurableNonce> = { ...parts.plug, submit: durableSubmit(parts.venue) };
  for (const route of routes) {
    const claims = parts.claims.get(`${route.method} ${route.path}`);
    if (claims === undefined || claims === null)
      throw new RangeError(`no claim is known for ${route.method} ${route.path}`);
    addProtectedRoute(plug, {
      method: route.method,
      url: `${parts.prefix}${route.path}`,
      claims,
      body: route.request === undefined ? "none" : "json",
      ...(route.members === undefined ? {} : { members: route.members }),
      handler: (request, durable) => serve(parts, route, request, durable),
    });
  }
}

/**
 * The nonce of one request and its way to stable storage. It travels with the first command of its handler, so that both
 * stand in one transaction; a read waits for it alone; a request that was refused on the way still writes it.
 */
class DurableNonce {
  private readonly venue: Venue;
  private readonly nonce: NonceRecord;
  private written: Promise<unknown> | null = null;

  constructor(venue: Venue, nonce: NonceRecord) {
    this.venue = venue;
    this.nonce = nonce;
  }

  submit(command: Command): Promise<CommandOutcome> {
    if (this.written !== null) return this.venue.submit(command);
    const outcome = this.venue.submit(command, this.nonce);
    this.written = outcome;
    return outcome;
  }

  settled(): Promise<unknown> {
    this.written ??= this.venue.submit(null, this.nonce);
    return this.written;
  }
}

function durableSubmit(venue: Venue): Submit<DurableNonce> {
  return async (nonce, run) => {
    const durable = new DurableNonce(venue, nonce);
    try {
      const result = await run(durable);
      await durable.settled();
      return result;
    } catch (error) {
      // What is not known about the commit matters more than what went wrong before it.
      throw asRefusal(
        await durable.settled().then(
          () => error,
          (worse: unknown) => worse,
        ),
      );
    }
  };
}

/** A venue that cannot take the request: 503 that says what is known about it. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof VenueUnavailable)) return error;
  return new RefusalError({
    code: error.known === "unknown" ? "OUTCOME_UNKNOWN" : "NOT_READY",
    message: error.message,
  });
}

/** What became of the faults that were drawn for one request. */
interface Drawn {
  faults: DrawnFaults;
}

function serve(
  parts: GatewayParts,
  route: Route,
  request: ProtectedRequest,
  durable: DurableNonce,
): Promise<Outcome> {
  const drawn: Drawn = { faults: NO_FAULTS };
  if (route.operationId !== "placeOrder") drawFor(parts, route, request, drawn, null, null);
  const call = new RequestCall(parts, route, request, drawn, durable);
  const { wire } = drawn.faults;
  if (wire === null) return handle(route, call, drawn);
  return failBefore(wire).then((before) => before ?? handle(route, call, drawn));
}

const NO_QUERY: QueryFields = {};

function replyTo(route: Route, call: RequestCall): Promise<Reply> {
  const query = readQuery(route.query ?? NO_QUERY, call.search, call.options.unknownQuery);
  if (!query.ok) return Promise.resolve(refuseProblems("INVALID_QUERY", query.error));
  call.query = query.value.values;
  call.ignore(query.value.ignored);
  return route.handle(call);
}

const handle = (route: Route, call: RequestCall, drawn: Drawn): Promise<Outcome> =>
  replyTo(route, call).then(
    (reply) => inTime(drawn.faults.wire, failAfter(drawn.faults.wire, reply) ?? answer(reply)),
    (error: unknown) => {
      if (error instanceof DroppedBefore) return ok({ drop: true });
      throw error;
    },
  );

class DroppedBefore extends Error {}

function drawFor(
  { drawer, venue, reservedFaults }: GatewayParts,
  route: Route,
  request: ProtectedRequest,
  drawn: Drawn,
  product: string | null,
  clientOrderId: string | null,
): void {
  const subject = {
    route: `${route.method} ${route.path}`,
    key: request.caller.name,
    product,
    clientOrderId,
  };
  const { faults } = venue.state;
  drawn.faults = drawer.draw(faults.length === 0 ? reservedFaults : [...faults, ...reservedFaults], subject);
}

const NO_VALUES: QueryValues<QueryFields> = {};

/** One signed request as its handler sees it. A class, because one is made for every request. */
class RequestCall implements Call {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  query: QueryValues<QueryFields> = NO_VALUES;
  private ignored: readonly string[] = [];
  private readonly parts: GatewayParts;
  private readonly route: Route;
  private readonly request: ProtectedRequest;
  private readonly drawn: Drawn;
  private readonly durable: DurableNonce;

  constructor(
    parts: GatewayParts,
    route: Route,
    request: ProtectedRequest,
    drawn: Drawn,
    durable: DurableNonce,
  ) {
    this.caller = request.caller;
    this.params = request.params;
    this.search = request.search;
    this.parts = parts;
    this.route = route;
    this.request = request;
    this.drawn = drawn;
    this.durable = durable;
  }

  get state(): VenueState {
    return this.parts.venue.state;
  }

  get ids(): Identities {
    return this.parts.ids;
  }

  get options(): CallOptions {
    return this.parts.options;
  }

  body(): Result<unknown, Refused> {
    const parsed = this.request.json();
    return parsed.ok ? parsed : err({ ok: false, ...parsed.error });
  }

  ignore(names: readonly string[]): void {
    if (names.length === 0) return;
    this.ignored = [...this.ignored, ...names];
    this.request.setHeader(IGNORED_HEADER, ignoredLine(this.ignored));
  }

  async settled(): Promise<void> {
    await this.durable.settled();
  }

  submit(command: Command): Promise<CommandOutcome> {
    const { durable, drawn } = this;
    if (command.kind !== "PlaceOrder") return durable.submit(command);
    drawFor(this.parts, this.route, this.request, drawn, command.product, command.clientOrderId);
    const { order, wire } = drawn.faults;
    const faulty: Command = order === null ? command : { ...command, fault: order };
    if (wire === null) return durable.submit(faulty);
    return failBefore(wire).then((before) => {
      if (before === null) return durable.submit(faulty);
      throw before.ok ? new DroppedBefore() : new RefusalError(before.error);
    });
  }
}

async function failBefore(fault: WireFault): Promise<Outcome | null> {
  switch (fault.kind) {
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return null;
    case "dropConnectionBefore":
      return ok({ drop: true });
    case "status":
      return err(promisedRefusal(fault.status));
    default:
      return null;
  }
}

/** What was executed is known to others before the client hears of it. */
const inTime = (fault: WireFault | null, outcome: Outcome): Outcome | Promise<Outcome> =>
  fault?.kind === "delayResponse"
    ? new Promise((resolve) => setTimeout(() => resolve(outcome), fault.ms))
    : outcome;

/** The answer is lost, but not that to a repeat: a client that retries correctly must get its replay. */
const failAfter = (fault: WireFault | null, reply: Reply): Outcome | null =>
  fault?.kind === "dropConnectionAfter" && !(reply.ok && reply.repeated === true) ? ok({ drop: true }) : null;

function promisedRefusal(status: 429 | 500 | 503): Refusal {
  const message = "A fault rule of this sandbox asked for this answer. Nothing was executed";
  if (status === 429) return { code: "RATE_LIMITED", message, headers: { "retry-after": "1" } };
  return status === 500 ? { code: "INTERNAL_ERROR", message } : { code: "MAINTENANCE", message };
}

function answer(reply: Reply): Outcome {
  if (!reply.ok) return err(reply);
  const { status, message, data } = reply;
  const body: Answer = { status, body: envelope(status, message, data) };
  return ok(body);
}
