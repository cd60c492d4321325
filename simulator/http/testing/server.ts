/**
 * A listener with three signed routes and an open one, on any free port, and a fake of the venue's commit.
 */
import type { AddressInfo } from "node:net";
import { defaultClaims } from "../../auth/claims.ts";
import type { NonceRecord } from "../../auth/nonces.ts";
import type { CheckSettings } from "../../auth/settings.ts";
import { type TestVenue, testKeys, testVenue } from "../../auth/testing/venue.ts";
import type { Command } from "../../domain/command.ts";
import { ok } from "../../domain/result.ts";
import type { Outcome } from "../../engine/decision.ts";
import { VenueState } from "../../engine/state.ts";
import { plain } from "../../engine/testing/table.ts";
import { worldOf } from "../../engine/testing/venue-spec.ts";
import { nothingDone } from "../../sequencer/batch.ts";
import { FaultDrawer } from "../../sequencer/fault-drawer.ts";
import { Identities } from "../../wire/identities.ts";
import { ref } from "../../wire/schema.ts";
import type { Access } from "../access.ts";
import { mountRoutes, type TradingVenue } from "../gateway.ts";
import { serveCall } from "../handle-request.ts";
import { createListener, type Listener, type ListenerOptions } from "../listener.ts";
import { PastOrders } from "../past-orders.ts";
import { type Call, type Reply, type Route, type Served, success } from "../route.ts";

export const apiPrefix = "/api/v1/trading";

type Commit = (command: Command | null, nonce: NonceRecord | null) => Promise<Outcome>;

export interface TestServer {
  readonly port: number;
  readonly listener: Listener;
  readonly venue: TestVenue;
  readonly access: Access;
  /** Nonces in the order of their commits. */
  readonly committed: NonceRecord[];
  /** Every call that was let in. */
  readonly calls: { readonly route: string; readonly call: Call }[];
  /** The answer to POST /order. */
  place: (call: Call) => Reply;
  /** Replaces the commit. */
  submit: Commit;
  readonly close: () => Promise<void>;
}

export interface TestServerOptions {
  readonly auth?: Partial<CheckSettings>;
  readonly listener?: ListenerOptions;
  readonly access?: Partial<Access>;
  readonly beforeListen?: (server: TestServer) => void;
}

/** A commit that takes so many milliseconds. */
export const slow =
  (commit: Commit, ms: number): Commit =>
  async (command, nonce) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return commit(command, nonce);
  };

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const listener = createListener(options.listener);
  const venue = testVenue(options.auth, testKeys);
  venue.clock.now = Date.now();
  const committed: NonceRecord[] = [];
  const submit: Commit = async (_command, nonce) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (nonce !== null) committed.push(nonce);
    return nothingDone;
  };
  const access: Access = { authenticator: venue.authenticator, ...options.access };
  const close = async (): Promise<void> => {
    await listener.app.close();
  };
  const server = { port: 0, listener, venue, access, committed, calls: [], place: echoBody, submit, close };
  addRoutes(server);
  options.beforeListen?.(server);
  await listener.app.listen({ host: "127.0.0.1", port: 0 });
  // as: listening on TCP, so the address is not the name of a pipe.
  server.port = (listener.app.server.address() as AddressInfo).port;
  return server;
}

/** Answers with what the body says. */
const echoBody = ({ body }: Call): Reply => (body.ok ? success(body.value) : body);

const echo = ({ caller, params }: Call): Reply => success({ caller: caller.name, params });

const documented = { tag: "Orders", summary: "", answer: { schema: ref("Order") }, refusals: [] };

function addRoutes(server: TestServer): void {
  const { listener, access, calls } = server;
  const routes: readonly Route[] = [
    {
      ...documented,
      method: "POST",
      path: "/order",
      operationId: "place",
      body: { shape: ref("OrderRequest") },
      decode: ({ body }) => (body.ok ? ok(null) : body),
      view: (call) => server.place(call),
    },
    { ...documented, method: "GET", path: "/order/open", operationId: "open", view: echo },
    { ...documented, method: "DELETE", path: "/order/{id}", operationId: "cancel", view: echo },
  ];
  const venue: TradingVenue = {
    state: new VenueState(worldOf(plain)),
    execute: async (command, nonce) => ({
      outcome: await server.submit(command, nonce),
      entries: { first: 1, last: 0 },
    }),
  };
  const trading = { venue, faults: { drawer: new FaultDrawer(1), reserved: new Map() } };
  const gateway = {
    listener,
    access,
    venue,
    ids: new Identities(1),
    past: new PastOrders(() => 0),
    options: {
      unknownFields: "ignore",
      unknownQuery: "ignore",
      fillCandleGaps: false,
      rateLimit: null,
    } as const,
    serve: (route: Route, call: Call): Promise<Served> => {
      calls.push({ route: route.operationId, call });
      return serveCall(trading, route, call);
    },
    reshape: () => null,
  };
  mountRoutes(listener, () => gateway, apiPrefix, routes, defaultClaims);
  listener.app.get(`${apiPrefix}/health/live`, () => ({ status: "ok" }));
  listener.app.post("/open", (request) => ({
    bytes: Buffer.isBuffer(request.body) ? request.body.length : 0,
  }));
}
