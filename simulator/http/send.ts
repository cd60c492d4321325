/** What goes in and out of Fastify: a body as bytes, and a reply. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { envelope } from "../wire/envelope.ts";
import type { Listener } from "./listener.ts";
import type { Reply } from "./route.ts";

const noBytes = Buffer.alloc(0);

/** Of a request without a body, none. */
export const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : noBytes);

export function send(listener: Listener, request: FastifyRequest, reply: FastifyReply, answer: Reply): void {
  if (!answer.ok) return listener.refuse(request, reply, answer.error);
  const { status, message, data } = answer;
  reply.code(status).header("cache-control", "no-store").type("application/json; charset=utf-8");
  reply.send(envelope(status, message, data));
}
