/** The interface to Fastify: a body as bytes, and a reply. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { envelope } from "../wire/envelope.ts";
import type { Listener } from "./listener.ts";
import { reshaped } from "./reshape.ts";
import type { Reply } from "./route.ts";

const noBytes = Buffer.alloc(0);

/** Of a request without a body, none. */
export const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : noBytes);

/**
 * The reply is what a handler returns: to Fastify, a handler that comes to its end without one has sent nothing yet, and while
 * a hook takes its time it would send an empty body first.
 */
export function send(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
): FastifyReply {
  if (!answer.ok) {
    listener.refuse(request, reply, answer.error);
    return reply;
  }
  const { status, message, data } = answer;
  reply.code(status).header("cache-control", "no-store").type("application/json; charset=utf-8");
  const text = reshaped(request, reply, envelope(status, message, data));
  if (answer.cut !== true) return reply.send(text);
  listener.cut(request, reply, text);
  return reply;
}
