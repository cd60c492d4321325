/** The request behind an answer, as a decorator sees it. */
import type { FastifyRequest } from "fastify";
import type { Asked } from "./defect.ts";

/** `prefix`: the path in front of every trading route. */
export function askedBy(request: FastifyRequest, prefix: string): Asked {
  const url = request.routeOptions.url?.replaceAll(/:([A-Za-z]+)/g, "{$1}");
  const route = url === undefined ? null : `${request.method} ${url.slice(prefix.length)}`;
  // Not `headers`, which a signed route hides from Fastify.
  const header = (name: string): string | undefined => request.raw.headersDistinct[name]?.join(", ");
  return { method: request.method, target: request.raw.url ?? "", route, header };
}
