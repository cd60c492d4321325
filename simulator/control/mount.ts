/**
 * The control surface on the listener: `/__gatewright`, behind a bearer token. The guard in front of every route refuses
 * foreign Host and Origin headers, so no web page reaches it; the token is never taken from a query string or a cookie.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ok, type Result } from "../domain/result.ts";
import type { ExchangeReader } from "../exchanges/exchange.ts";
import { mount } from "../http/endpoint.ts";
import { type Refusal, refusalOf } from "../http/errors.ts";
import { controlPrefix } from "../http/guard.ts";
import type { Listener } from "../http/listener.ts";
import { checkMediaType } from "../http/media-type.ts";
import { type JsonLimits, jsonLimits, parseJson } from "../http/parse-json.ts";
import { type Reply, refused, refuseProblems } from "../http/route.ts";
import { checkSearch, searchOf } from "../http/search.ts";
import { bytesOf, send } from "../http/send.ts";
import { readQuery } from "../wire/query.ts";
import { controlRoutes } from "./all-controls.ts";
import type { ControlledNodes, ControlledWorlds, ControlRoute, Controls, Params } from "./control-route.ts";
import { Feed, mostReaders } from "./feed.ts";
import type { Metrics } from "./metrics.ts";
import { readBody, withExample } from "./read-body.ts";
import { worldOf } from "./world-answer.ts";
import { worldControls } from "./world-controls.ts";

/** Room for the longest list that a control takes: a book of `mostLevels` levels of three members each. */
export const bodyLimits: JsonLimits = { ...jsonLimits, members: 4096 };

/** The surface of one process, and how a request finds its controls on it. */
interface Surface {
  readonly listener: Listener;
  readonly token: string;
  readonly controlsOf: (world?: string) => Result<Controls, Refusal>;
}

/** The parts that a control reaches besides the worlds, and the access that it asks for. */
export interface SharedByControls {
  readonly version: string;
  /** Null when it is off. */
  readonly exchanges: ExchangeReader | null;
  readonly token: string;
  /** Null without a store that nodes share. */
  readonly nodes: ControlledNodes | null;
}

/** Every control of a world is at the bare prefix for `main`, and below `/worlds/{world}` for each. */
export function mountControls(
  listener: Listener,
  worlds: ControlledWorlds,
  { version, exchanges, token, nodes }: SharedByControls,
): void {
  const controlsOf: Surface["controlsOf"] = (name = worlds.main.name) => {
    const world = worldOf(worlds, name);
    return world.ok ? ok({ ...world.value, worlds, exchanges, version, nodes }) : world;
  };
  const surface = { listener, token, controlsOf };
  for (const route of controlRoutes) {
    mountControl(surface, route, controlPrefix);
    mountControl(surface, route, `${controlPrefix}/worlds/{world}`);
  }
  for (const route of worldControls) mountControl(surface, { ...route, ofWorlds: true }, controlPrefix);
  mountFeed(surface, new Feed(worlds, exchanges));
  mountMetrics(surface, worlds);
}

/** Not a control: its answer is text. */
function mountMetrics({ listener, token }: Surface, worlds: ControlledWorlds): void {
  let metrics: Promise<Metrics> | null = null;
  const counting = async (): Promise<Metrics> => {
    const { Metrics: Counting } = await import("./metrics.ts");
    const one = new Counting(worlds);
    listener.observers.add(one);
    return one;
  };
  mount(
    listener,
    controlPrefix,
    { method: "GET", path: "/metrics" },
    {
      onRequest: (request, reply, next) =>
        holdsToken(request, token) ? next() : listener.refuse(request, reply, missingToken),
      handler: async (_request, reply) => {
        const one = await (metrics ??= counting());
        return reply
          .header("cache-control", "no-store")
          .type(one.contentType)
          .send(await one.text());
      },
    },
  );
}

/** Not a control: its answer never ends. */
function mountFeed({ listener, token, controlsOf }: Surface, feed: Feed): void {
  const { app, refuse } = listener;
  for (const prefix of [controlPrefix, `${controlPrefix}/worlds/{world}`])
    mount(listener, prefix, feedEndpoint, {
      onRequest: (request, reply, next) =>
        holdsToken(request, token) ? next() : refuse(request, reply, missingToken),
      handler: (request, reply) => {
        // as: Fastify types parameters as unknown; they are texts of path segments.
        const controls = controlsOf((request.params as Params)["world"]);
        if (!controls.ok) return refuse(request, reply, controls.error);
        if (feed.isFull) return refuse(request, reply, tooManyReaders);
        feed.open(controls.value.name, request, reply);
      },
    });
  app.addHook("preClose", (done) => {
    feed.close();
    done();
  });
}

const feedEndpoint = { method: "GET", path: "/feed" } as const;

const tooManyReaders: Refusal = {
  code: "CONFLICT",
  message: `${mostReaders} programs read the feed already: close one of them`,
};

function mountControl(surface: Surface, route: MountedRoute, prefix: string): void {
  const { listener, token } = surface;
  const { refuse } = listener;
  mount(listener, prefix, route, {
    onRequest: (request, reply, next) => {
      if (route.open !== true && !holdsToken(request, token)) return refuse(request, reply, missingToken);
      next();
    },
    handler: async (request, reply) =>
      send(listener, request, reply, await serve(surface, route, request, callerOf(reply, request.raw))),
    errorHandler: (error, request, reply) => refuse(request, reply, refusalFor(error, request)),
  });
}

interface MountedRoute extends ControlRoute {
  /** It is about worlds as a whole, and works in any state of a single world. */
  readonly ofWorlds?: true;
}

export const missingToken: Refusal = {
  code: "FORBIDDEN",
  message:
    "Send the control token of this start as `Authorization: Bearer <token>`; `serve --json` prints it as controlToken.",
  close: true,
};

function holdsToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "", "utf8");
  const expected = Buffer.from(`Bearer ${token}`, "utf8");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Aborted when the caller leaves before its answer has left. Here, other than on the routes of the gateway, one that closes its
 * sending side has left: that is all that is seen of a program that ended.
 */
function callerOf({ raw }: FastifyReply, { socket }: FastifyRequest["raw"]): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once("end", leave);
  raw.once("close", () => {
    socket.off("end", leave);
    if (!raw.writableFinished) leave();
  });
  return gone.signal;
}

async function serve(
  { controlsOf }: Surface,
  route: MountedRoute,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<Reply> {
  const bytes = bytesOf(request.body);
  const wrongType = bytes.length > 0 ? checkMediaType(request.receivedHeaders?.contentType) : null;
  if (wrongType !== null) return refused(wrongType);
  const parsed = bytes.length === 0 ? ok({}) : parseJson(bytes, bodyLimits);
  if (!parsed.ok) return parsed;
  // as: Fastify types parameters as unknown; they are texts of path segments.
  const params = request.params as Params;
  const controls = controlsOf(route.ofWorlds === true ? undefined : params["world"]);
  if (!controls.ok) return controls;
  await controls.value.venue.underWay;
  const needsVenue = route.open !== true && route.ofWorlds !== true && route.worksWithoutVenue !== true;
  if (needsVenue) controls.value.venue.requireReadable();
  const read = readBody(route, parsed.value);
  if (!read.ok) return read;
  const search = searchOf(request.raw.url ?? "");
  const unreadable = checkSearch(search);
  if (unreadable !== null) return refused(unreadable);
  const query = readQuery(route.query ?? {}, search);
  if (!query.ok) return refuseProblems("INVALID_QUERY", query.error);
  const reply = await route.run(controls.value, params, read.value, query.value.values, gone);
  return reply.ok ? reply : refused(withExample(reply.error, route));
}

function refusalFor(error: unknown, request: FastifyRequest): Refusal {
  const refusal = refusalOf(error);
  if (refusal.code !== "INTERNAL_ERROR") return refusal;
  request.log.error({ err: error }, "control failed");
  return { ...refusal, message: "The control surface had an internal error; the log has it." };
}
