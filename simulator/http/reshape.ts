/** An answer as it is about to leave, and what a legal variation makes of it. */
import type { FastifyReply, FastifyRequest } from "fastify";

export interface LeavingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Reshape = (answer: LeavingAnswer, request: FastifyRequest) => LeavingAnswer;

/** Puts status and headers on the reply; the body is left to the caller. */
export function reshaped(request: FastifyRequest, reply: FastifyReply, body: string): string {
  const { reshape } = request;
  if (reshape === undefined || body === "") return body;
  const answer = reshape({ status: reply.statusCode, headers: {}, body }, request);
  reply.code(answer.status).headers(answer.headers);
  return answer.body;
}
