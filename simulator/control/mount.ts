/**
 * The control surface on the listener: `/__gatewright`, behind a bearer token. The guard in front of every route refuses
 * foreign Host and Origin headers, so no web page reaches it; the token is never taken from a query string or a cookie.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Refusal, RefusalError } from "../http/errors.ts";
import { asRefusal } from "../http/gateway.ts";
import type { Listener } from "../http/listener.ts";
import { checkMediaType } from "../http/media-type.ts";
import { JSON_LIMITS, type JsonLimits, parseJson } from "../http/parse-json.ts";
import type { Reply } from "../http/route.ts";
import { envelope } from "../wire/envelope.ts";
import { CONTROL_ROUTES } from "./all-controls.ts";
import type { ControlRoute, Controls, Params } from "./control-route.ts";
import { readBody, withExample } from "./read-body.ts";

export const CONTROL_PREFIX = "/__gatewright";

/** Room for the longest list that a control takes: a book of MOST_LEVELS levels of three members each. */
export const BODY_LIMITS: JsonLimits = { ...JSON_LIMITS, members: 4096 };

export function mountControls(listener: Listener, controls: Controls, token: string): void {
  const { app, refuse } = listener;
  for (const route of CONTROL_ROUTES) {
    app.route({
      method: route.method,
      url: CONTROL_PREFIX + route.path.replaceAll(/\{([A-Za-z]+)\}/g, ":$1"),
      onRequest: (request, reply, next) => {
        if (route.open !== true && !holdsToken(request, token)) return refuse(request, reply, MISSING_TOKEN);
        next();
      },
      handler: (request, reply) => {
        serve(controls, route, request).then(
          (answer) => send(listener, request, reply, answer),
          (error: unknown) => refuse(request, reply, refusalFor(error, request)),
        );
      },
    });
  }
}

export const MISSING_TOKEN: Refusal = {
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
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  if (body.length > 0) {
    const refusal = checkMediaType(request.receivedHeaders?.contentType);
    if (refusal !== null) throw new RefusalError(refusal);
  }
  const parsed = body.length === 0 ? { ok: true as const, value: {} } : parseJson(body, BODY_LIMITS);
  if (!parsed.ok) return { ok: false, ...parsed.error };
  if (route.open !== true) controls.venue.requireReadable();
  const read = readBody(route, parsed.value);
  if (!read.ok) return read.error;
  const reply = await route.run(controls, request.params as Params, read.value);
  return reply.ok ? reply : withExample(reply, route);
}

function send(listener: Listener, request: FastifyRequest, reply: FastifyReply, answer: Reply): void {
  if (!answer.ok) return listener.refuse(request, reply, answer);
  const { status, message, data } = answer;
  reply.code(status).header("cache-control", "no-store").type("application/json; charset=utf-8");
  reply.send(envelope(status, message, data));
}

function refusalFor(error: unknown, request: FastifyRequest): Refusal {
  const known = asRefusal(error);
  if (known instanceof RefusalError) return known.refusal;
  request.log.error({ err: error }, "control failed");
  return { code: "INTERNAL_ERROR", message: "The control surface met an error of its own; the log has it." };
}
