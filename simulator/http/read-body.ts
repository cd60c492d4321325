/**
 * The bytes of a signed request, read by ourselves: Fastify would look for a parser by media type before the
 * signature is checked, and would make an asynchronous resource and a second copy of each body.
 *
 * Ordering: `done` is called once, after the last byte or when there are too many; what comes after that is dropped,
 * unless whoever answers stops the flow (`linger.ts`). It is never called for a client that went away in the middle:
 * nobody is left to hear.
 */
import type { IncomingMessage } from "node:http";
import { err, ok, type Result } from "../domain/result.ts";
import { BODY_TOO_LARGE, type Refusal } from "./errors.ts";

export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Result<Buffer, Refusal>) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    const isCutOff = length > limit;
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
    else if (!isCutOff) done(err(BODY_TOO_LARGE));
  });
  request.on("end", () => {
    if (length > limit) return;
    const [first] = chunks;
    done(ok(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length)));
  });
}
