/**
 * The control surface on the listener: `/__gatewright`, behind a bearer token. The guard in front of every route refuses
 * foreign Host and Origin headers, so no web page reaches it; the token is never taken from a query string or a cookie.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ok } from "../domain/result.ts";
import { type Refusal, refusalOf } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { checkMediaType } from "../http/media-type.ts";
import { type JsonLimits, jsonLimits, parseJson } from "../http/parse-json.ts";
import { type Reply, refused } from "../http/route.ts";
import { bytesOf, send } from "../http/send.ts";
import { controlRoutes } from "./all-controls.ts";
import type { ControlRoute, Controls, Params } from "./control-route.ts";
import { readBody, withExample } from "./read-body.ts";

export const controlPrefix = "/__gatewright";

/** Room for the longest list that a control takes: a book of `mostLevels` levels of three members each. */
export const bodyLimits: JsonLimits = { ...jsonLimits, members: 4096 };

export function mountControls(listener: Listener, controls: Controls, token: string): void {
  const { app, refuse } = listener;
  for (const route of controlRoutes) {
    app.route({
      method: route.method,
      url: controlPrefix + route.path.replaceAll(/\{([A-Za-z]+)\}/g, ":$1"),
      onRequest: (request, reply, next) => {
        if (route.open !== true && !holdsToken(request, token)) return refuse(request, reply, missingToken);
        next();
      },
      handler: async (request, reply) =>
        send(listener, request, reply, await serve(controls, route, request)),
      errorHandler: (error, request, reply) => refuse(request, reply, refusalFor(error, request)),
    });
  }
}

export const missingToken: Refusal = {
  code: "UNAUTHORIZED",
  message:
    "Send the control token of this start as `Authorization: Bearer <token>`; `serve --json` prints it as controlToken.",
  headers: { "www-authenticate": 'Bearer realm="control"' },
  close: true,
};

function holdsToken(request: FastifyRequest, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "", "utf8");
  const expected = Buffer.from(`Bearer ${token}`, "utf8");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function serve(controls: Controls, route: ControlRoute, request: FastifyRequest): Promise<Reply> {
  const bytes = bytesOf(request.body);
  const wrongType = bytes.length > 0 ? checkMediaType(request.receivedHeaders?.contentType) : null;
  if (wrongType !== null) return refused(wrongType);
  const parsed = bytes.length === 0 ? ok({}) : parseJson(bytes, bodyLimits);
  if (!parsed.ok) return parsed;
  if (route.open !== true) controls.venue.requireReadable();
  const read = readBody(route, parsed.value);
  if (!read.ok) return read;
  const reply = await route.run(controls, request.params as Params, read.value);
  return reply.ok ? reply : refused(withExample(reply.error, route));
}

function refusalFor(error: unknown, request: FastifyRequest): Refusal {
  const refusal = refusalOf(error);
  if (refusal.code !== "INTERNAL_ERROR") return refusal;
  request.log.error({ err: error }, "control failed");
  return { ...refusal, message: "The control surface had an internal error; the log has it." };
}
