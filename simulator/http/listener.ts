/**
 * The hardened listener: a Fastify instance whose limits are all set, whose refusals all look alike, and
 * which hands over bodies as bytes. Routes are added by `gateway.ts` (signed) or with Fastify's own
 * calls (open ones, such as health); the guard of `guard.ts` runs before both.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import { Connections, type RawRefusal } from "./connections.ts";
import { cutAnswer } from "./cut-answer.ts";
import { errorBody, errorHeaders, type Refusal, refusalOf, statusOf } from "./errors.ts";
import { type GuardSettings, guard, guardedOf } from "./guard.ts";
import { KnownRoutes } from "./known-routes.ts";
import { lingerAfterUnreadBody } from "./linger.ts";
import { defaultListenerSettings, guardSettings, type ListenerSettings } from "./listener-settings.ts";
import { type LogTarget, loggerOptions } from "./log.ts";
import { Observers } from "./observers.ts";
import { announcesBody, headersOf } from "./received-headers.ts";
import { createRequestIds, type RequestIds } from "./request-id.ts";
import { decorateRequests } from "./request-notes.ts";
import { reshaped } from "./reshape.ts";

export interface ListenerOptions {
  readonly settings?: Partial<ListenerSettings>;
  /** Real time, for the timestamps of errors. */
  readonly now?: () => number;
  readonly requestIds?: RequestIds;
  /** Off without it. Either a target for lines, or a logger with pino's interface. */
  readonly log?: LogTarget | FastifyBaseLogger;
}

export interface Listener {
  readonly app: FastifyInstance;
  readonly observers: Observers;
  readonly settings: ListenerSettings;
  readonly guards: GuardSettings;
  readonly connections: Connections;
  readonly routes: KnownRoutes;
  readonly now: () => number;
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => void;
  /** Sends half of an answer. */
  readonly cut: (request: FastifyRequest, reply: FastifyReply, text: string) => void;
  /** True from the first moment of `app.close()`. */
  readonly isClosing: () => boolean;
}

export function createListener(options: ListenerOptions = {}): Listener {
  const settings: ListenerSettings = { ...defaultListenerSettings, ...options.settings };
  const now = options.now ?? Date.now;
  const requestIds = options.requestIds ?? createRequestIds();
  const guards = guardSettings(settings);
  const { maxOutstandingAnswers: mostOutstanding, answerTimeoutMs, checkIntervalMs } = settings;
  const failed = (error: unknown): void => app.log.error({ err: error }, "connection failed");
  const { maxConnections: most, maxRequestsPerSocket: mostRequests } = settings;
  const limits = { most, mostRequests, mostOutstanding, answerTimeoutMs, checkIntervalMs };
  const observers = new Observers();
  const refusedOnSocket = (refusal: RawRefusal): void => observers.refusedOnSocket(refusal);
  const connections = new Connections({ now, requestIds, ...limits, failed, refusedOnSocket });
  const routes = new KnownRoutes();
  const refuse = createRefuse(connections, now, observers);
  const app = createFastify(settings, guards, requestIds, options.log, connections, refuse);
  app.addHook("onSend", (request, reply, payload, done) => {
    // A refusal was seen when it was made: those of Fastify itself do not come here.
    if (request.refusedAs === null) observers.answered(request, reply, payload);
    done(null, payload);
  });
  app.addHook("onRoute", ({ method, url }) => routes.add(method, url));
  const isClosing = drainedAtClose(app, connections, settings);
  const cut: Listener["cut"] = (request, reply, text) => {
    observers.answered(request, reply, text);
    cutAnswer(reply, text);
  };
  const listener: Listener = {
    app,
    observers,
    settings,
    guards,
    connections,
    routes,
    now,
    refuse,
    cut,
    isClosing,
  };
  refuseConnect(listener);
  addGate(listener);
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (statusOf(refusal) >= 500) request.log.error({ err: error }, "request failed");
    refuse(request, reply, refusal);
  });
  app.setNotFoundHandler((request, reply) => {
    refuse(request, reply, routes.refusalOf(request.method, request.raw.url ?? ""));
  });
  return listener;
}

/** Says whether the close has begun. */
function drainedAtClose(
  app: FastifyInstance,
  connections: Connections,
  { shutdownGraceMs }: ListenerSettings,
): Listener["isClosing"] {
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    connections.drain();
    const deadline = setTimeout(() => connections.destroyAll(), shutdownGraceMs).unref();
    app.server.once("close", () => clearTimeout(deadline));
    done();
  });
  return () => closing;
}

type Refuse = Listener["refuse"];

/** No route has a schema of Fastify's. Left to itself it would load two compilers and a second Ajv at every start. */
const noCompiler = () => () => {
  throw new Error("a route has a schema, and nothing compiles it");
};

function createFastify(
  settings: ListenerSettings,
  guards: GuardSettings,
  requestIds: RequestIds,
  log: ListenerOptions["log"],
  connections: Connections,
  refuse: Refuse,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...loggerOptions(log),
    bodyLimit: settings.bodyLimit,
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    maxRequestsPerSocket: settings.maxRequestsPerSocket,
    trustProxy: false,
    // We answer requests that come in while closing ourselves, in our shape.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request) => requestIds(request.headers["x-request-id"]),
    clientErrorHandler: (error, socket) => connections.refuseUnreadable(error, socket),
    // A path that the router cannot even decode: the guard knows better words for it.
    frameworkErrors: (error, request, reply) =>
      connections.admit(request.raw, () =>
        refuse(
          request,
          reply,
          guard(guardedOf(request.raw, headersOf(request.raw)), guards) ?? refusalOf(error),
        ),
      ),
    // Parameters are as long as the target may be, and routes read the query themselves.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: settings.maxTargetBytes, querystringParser: () => ({}) },
    http: {
      headersTimeout: settings.headersTimeoutMs,
      connectionsCheckingInterval: settings.checkIntervalMs,
      maxHeaderSize: settings.maxHeaderBytes,
      // The guard refuses a missing Host, with a body that explains it.
      requireHostHeader: false,
    },
  });
  hardenServer(app, settings, connections);
  decorateRequests(app);
  app.removeAllContentTypeParsers();
  // Bytes have a name of their own because Fastify finds a named parser by one look-up, and the other by elimination.
  app.addContentTypeParser(["application/octet-stream", "*"], { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  return app;
}

function hardenServer(app: FastifyInstance, settings: ListenerSettings, connections: Connections): void {
  const { server } = app;
  // Zero shows all headers; otherwise Node hides those behind the first thousand, framing included.
  server.maxHeadersCount = 0;
  // One more than may stay: `connections` decides which has to go.
  server.maxConnections = settings.maxConnections + 1;
  // A client that has said all it had to say still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  connections.watch(server);
  const route = (request: IncomingMessage, response: ServerResponse): void => app.routing(request, response);
  // "100 Continue" is said by the gate or `screenRequest`, not by Node before anything was looked at.
  server.on("checkContinue", route);
  server.on("checkExpectation", route);
}

/** For a CONNECT Node hands over the bare socket, also while answers on it are pending. */
function refuseConnect({ app, connections, routes }: Listener): void {
  app.server.on("connect", (request, socket) => {
    socket.on("error", () => socket.destroy());
    const target = request.url ?? "";
    connections.afterAnswers(request.socket, () =>
      connections.refuseSocket(request, routes.refusalOf("CONNECT", target)),
    );
  });
}

/** In front of every route, unknown ones included. */
function addGate({ app, guards, connections, routes, refuse, isClosing }: Listener): void {
  app.addHook("onRequest", (request, reply, next) => {
    const { raw } = request;
    connections.admit(raw, () => enter(request, reply, next));
  });

  function enter(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    const { raw } = request;
    const target = raw.url ?? "";
    const headers = headersOf(raw);
    request.receivedHeaders = headers;
    request.arrivedAt = performance.now();
    reply.header("x-request-id", request.id);
    reply.header("x-api-version", "1.0");
    reply.header("x-content-type-options", "nosniff");
    const refusal = isClosing() ? closingRefusal : guard(guardedOf(raw, headers), guards);
    if (refusal !== null) return refuse(request, reply, refusal);
    if (target === "*") return void reply.code(204).header("allow", routes.methods).send();
    if (request.is404 || hasEmptyParameter(request)) {
      const missing = routes.refusalOf(request.method, target);
      return refuse(request, reply, { ...missing, close: announcesBody(headers) });
    }
    // In this order, because Fastify makes the options of a route anew at each access.
    if (headers.expect !== undefined && request.routeOptions.config.signed !== true)
      continueIfAsked(request, reply);
    next();
  }
}

/** `/order/` is not `/order/{id}` with an empty id: a slash at the end makes another path (F-trailing-slash). */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  // as: Fastify types parameters as unknown; they are texts of path segments. A loop, because most paths have none.
  for (const name in params as object) if ((params as Record<string, string>)[name] === "") return true;
  return false;
}

const closingRefusal: Refusal = {
  code: "NOT_READY",
  message: "The venue is shutting down. Nothing was executed; try again when it is back.",
  close: true,
};

/** To be called once it is decided that the body will be read. */
export function continueIfAsked(request: FastifyRequest, reply: FastifyReply): void {
  if (request.receivedHeaders?.expect !== undefined && request.raw.httpVersion !== "1.0")
    reply.raw.writeContinue();
}

function createRefuse(connections: Connections, now: () => number, observers: Observers): Refuse {
  return (request, reply, refusal) => {
    const { raw } = request;
    request.refusedAs = refusal.code;
    request.search = refusal.search ?? null;
    if (refusal.drop !== undefined) {
      observers.dropped(request);
      reply.hijack();
      if (refusal.drop === "reset") raw.socket.resetAndDestroy();
      else raw.socket.destroy();
      return;
    }
    if (refusal.close === true) {
      connections.closeAfterReply(raw.socket);
      lingerAfterUnreadBody(raw);
    }
    const plain =
      refusal.withoutBody === true
        ? ""
        : errorBody(refusal, { target: raw.url ?? "", requestId: request.id, now: now() });
    // Requests that Fastify itself refuses have not been through the gate.
    reply.header("x-request-id", request.id);
    reply.code(statusOf(refusal)).headers(errorHeaders(refusal));
    if (refusal.withoutBody === true) reply.removeHeader("content-type");
    const body = reshaped(request, reply, plain);
    observers.answered(request, reply, body);
    if (refusal.cut === true) cutAnswer(reply, body);
    else reply.send(body === "" ? undefined : body);
  };
}
