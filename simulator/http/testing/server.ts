/**
 * A listener with three signed routes and an open one, on any free port, and a fake of the venue's commit.
 */
import type { AddressInfo } from "node:net";
import type { NonceRecord } from "../../auth/nonces.ts";
import type { CheckSettings } from "../../auth/settings.ts";
import { KEYS, type TestVenue, testVenue } from "../../auth/testing/venue.ts";
import { ok } from "../../domain/result.ts";
import { createListener, type Listener, type ListenerOptions } from "../listener.ts";
import {
  addProtectedRoute,
  type Outcome,
  type Plug,
  type ProtectedRequest,
  type Submit,
} from "../protected-route.ts";

export const PREFIX = "/api/v1/trading";

export interface TestServer {
  readonly port: number;
  readonly listener: Listener;
  readonly venue: TestVenue;
  readonly plug: Plug<void>;
  /** Nonces in the order of their commits. */
  readonly committed: NonceRecord[];
  /** Every call that reached a handler. */
  readonly calls: { readonly route: string; readonly request: ProtectedRequest }[];
  /** Replaces what POST /order does. */
  place: (request: ProtectedRequest) => Outcome | Promise<Outcome>;
  /** Replaces the commit. */
  submit: Submit<void>;
  readonly close: () => Promise<void>;
}

export interface TestServerOptions {
  readonly auth?: Partial<CheckSettings>;
  readonly listener?: ListenerOptions;
  readonly plug?: Partial<Plug<void>>;
  readonly beforeListen?: (server: TestServer) => void;
}

const echo = ({ caller, params }: ProtectedRequest): Outcome =>
  ok({ body: { statusCode: 200, success: true, data: { caller: caller.name, params } } });

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const listener = createListener(options.listener);
  const venue = testVenue(options.auth, KEYS);
  venue.clock.now = Date.now();
  const committed: NonceRecord[] = [];
  const calls: TestServer["calls"] = [];
  const submit: Submit<void> = async (nonce, run) => {
    try {
      return await run();
    } finally {
      await new Promise((resolve) => setImmediate(resolve));
      committed.push(nonce);
    }
  };
  const plug: Plug<void> = {
    listener,
    authenticator: venue.authenticator,
    submit: (nonce, run) => server.submit(nonce, run),
    ...options.plug,
  };
  const close = async (): Promise<void> => {
    await listener.app.close();
  };
  const server = { port: 0, listener, venue, plug, committed, calls, place: json, submit, close };
  addRoutes(server);
  options.beforeListen?.(server);
  await listener.app.listen({ host: "127.0.0.1", port: 0 });
  // as: listening on TCP, so the address is not the name of a pipe.
  server.port = (listener.app.server.address() as AddressInfo).port;
  return server;
}

/** Answers with what the body says, or with why it cannot be read. */
function json(request: ProtectedRequest): Outcome {
  const parsed = request.json();
  return parsed.ok ? ok({ body: { statusCode: 200, success: true, data: parsed.value } }) : parsed;
}

function addRoutes(server: TestServer): void {
  const { plug, calls } = server;
  const counted = (route: string, handler: (request: ProtectedRequest) => Outcome | Promise<Outcome>) => {
    return (request: ProtectedRequest): Outcome | Promise<Outcome> => {
      calls.push({ route, request });
      return handler(request);
    };
  };
  addProtectedRoute(plug, {
    method: "POST",
    url: `${PREFIX}/order`,
    claims: ["write:orders"],
    handler: counted("place", (request) => server.place(request)),
  });
  addProtectedRoute(plug, {
    method: "GET",
    url: `${PREFIX}/order/open`,
    claims: ["read:orders"],
    handler: counted("open", echo),
  });
  addProtectedRoute(plug, {
    method: "DELETE",
    url: `${PREFIX}/order/{id}`,
    claims: ["write:orders"],
    handler: counted("cancel", echo),
  });
  server.listener.app.get(`${PREFIX}/health/live`, () => ({ status: "ok" }));
  server.listener.app.post("/open", (request) => ({
    bytes: Buffer.isBuffer(request.body) ? request.body.length : 0,
  }));
}
