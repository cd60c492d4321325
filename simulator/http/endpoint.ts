/**
 * An endpoint as data: what is asked, and what is answered. A route of the gateway and a control of the sandbox are endpoints;
 * one function mounts them, and one writer documents them (`openapi/document.ts`).
 */
import type { RouteOptions } from "fastify";
import type { Shape } from "../schema/fields.ts";
import type { QueryFields } from "../wire/query-fields.ts";
import type { Listener } from "./listener.ts";

export interface Endpoint<Q extends QueryFields = QueryFields, B = unknown, A = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the prefix of its surface, with `{name}` for parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Parameters after the question mark. */
  readonly query?: Q;
  /** One without a body takes none. */
  readonly body?: { readonly shape: Shape<B> };
  /** The payload of a success; status 200 when absent. */
  readonly answer: { readonly schema: Shape<A>; readonly status?: number };
}

export function mount(
  { app }: Listener,
  prefix: string,
  { method, path }: Pick<Endpoint, "method" | "path">,
  hooks: Omit<RouteOptions, "method" | "url">,
): void {
  app.route({ method, url: (prefix + path).replaceAll(/\{(\w+)\}/g, ":$1"), ...hooks });
}
