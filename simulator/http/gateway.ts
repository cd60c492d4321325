/** The trading routes on the listener. How a request goes through them is in `handle-request.ts`. */
import type { ClaimTable } from "../auth/claims.ts";
import type { NonceRecord } from "../auth/nonces.ts";
import type { Claim } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import type { VenueState } from "../engine/state.ts";
import type { Executed } from "../sequencer/sequencer.ts";
import type { Identities } from "../wire/identities.ts";
import type { Access } from "./access.ts";
import { mount } from "./endpoint.ts";
import { handleRequest, screenRequest } from "./handle-request.ts";
import type { Listener } from "./listener.ts";
import type { PastOrders } from "./past-orders.ts";
import type { Reshape } from "./reshape.ts";
import type { CallOptions, Route, Serve } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The world that takes the request, on signed routes: chosen once, by the key, unless a node has chosen it. */
    gateway: Gateway | null;
  }
}

/** The venue as far as requests know it. */
export interface TradingVenue {
  readonly state: VenueState;
  /** Resolves once both are committed; either may be null. */
  readonly execute: (command: Command | null, nonce: NonceRecord | null) => Promise<Executed>;
}

export interface Gateway {
  readonly listener: Listener;
  readonly access: Access;
  readonly venue: TradingVenue;
  readonly ids: Identities;
  readonly past: PastOrders;
  readonly options: CallOptions;
  /** `serveCall` of handle-request.ts, or what a defect has put around it. */
  readonly serve: Serve;
  /** The change that is made to its answers at the moment; null: they leave as they are. */
  readonly reshape: () => Reshape | null;
}

export interface SignedRoute {
  readonly route: Route;
  /** Method and whole path, as they are documented. */
  readonly name: string;
  /** Any one of them is enough. */
  readonly claims: readonly Claim[];
}

/** `gatewayOf`: the world of a key id; of an unknown one, that which refuses it. */
export function mountRoutes(
  listener: Listener,
  gatewayOf: (keyId: string) => Gateway,
  prefix: string,
  routes: readonly Route[],
  claims: ClaimTable,
): void {
  listener.app.decorateRequest("gateway", null);
  for (const route of routes) {
    const accepted = claims.get(`${route.method} ${route.path}`);
    if (accepted === undefined || accepted === null)
      throw new RangeError(`no claim is known for ${route.method} ${route.path}`);
    const signed: SignedRoute = {
      route,
      name: `${route.method} ${prefix}${route.path}`,
      claims: accepted,
    };
    mount(listener, prefix, route, {
      config: { signed: true },
      onRequest: (request, reply, next) => screenRequest(gatewayOf, request, reply, next),
      handler: (request, reply) => handleRequest(signed, request, reply),
    });
  }
}
