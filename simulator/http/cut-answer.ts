/** An answer that ends in the middle: its `Content-Length` promises all of the body, and half of it leaves. */
import type { FastifyReply } from "fastify";

export function cutAnswer(reply: FastifyReply, text: string): void {
  const body = Buffer.from(text);
  const { raw, statusCode } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? "");
  reply.hijack();
  raw.writeHead(statusCode, { "content-length": body.length });
  raw.write(body.subarray(0, Math.ceil(body.length / 2)), () => raw.socket?.destroySoon());
}
