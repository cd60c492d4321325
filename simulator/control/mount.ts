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
import { type Refused, type Reply, refuseProblems } from "../http/route.ts";
import { envelope } from "../wire/envelope.ts";
import { ACCOUNT_CONTROLS } from "./account-controls.ts";
import type { ControlRoute, Controls } from "./control-route.ts";
import { readFields } from "./fields.ts";
import { MARKET_CONTROLS } from "./market-controls.ts";
import { healthOf, VENUE_CONTROLS } from "./venue-controls.ts";

export const CONTROL_PREFIX = "/__gatewright";
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...VENUE_CONTROLS,
  ...MARKET_CONTROLS,
  ...ACCOUNT_CONTROLS,
];

/** Room for the longest list that a control takes: a book of MOST_LEVELS levels of three members each. */
const BODY_LIMITS: JsonLimits = { ...JSON_LIMITS, members: 4096 };

export interface ControlOptions {
  readonly token: string;
  readonly version: string;
}

export function mountControls(listener: Listener, controls: Controls, options: ControlOptions): void {
  const { app, refuse } = listener;
  app.get(`${CONTROL_PREFIX}/health`, (_request, reply) => {
    reply
      .header("cache-control", "no-store")
      .send(JSON.parse(envelope(200, "OK", JSON.stringify(healthOf(controls, options.version)))));
  });
  for (const route of CONTROL_ROUTES) {
    app.route({
      method: route.method,
      url: CONTROL_PREFIX + route.path.replaceAll(/\{([A-Za-z]+)\}/g, ":$1"),
      onRequest: (request, reply, next) => {
        if (!holdsToken(request, options.token)) return refuse(request, reply, MISSING_TOKEN);
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

const MISSING_TOKEN: Refusal = {
  code: "UNAUTHORIZED",
  message:
    "Send the control token of this start as `Authorization: Bearer <token>`; `serve --json` prints it as controlToken.",
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
  controls.venue.requireReadable();
  const values = route.read?.(parsed.value) ?? readFields(route.fields ?? {}, parsed.value);
  if (!values.ok) return withExample(refuseProblems("VALIDATION_FAILED", values.error), route);
  return route.run(controls, request.params as Readonly<Record<string, string>>, values.value);
}

const withExample = (refused: Refused, { example }: ControlRoute): Refused =>
  example === undefined
    ? refused
    : { ...refused, message: `${refused.message}. For example: ${JSON.stringify(example)}` };

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
