/**
 * The bytes of a signed request, read by ourselves: Fastify would look for a parser by media type before the
 * signature is checked, and would make an asynchronous resource and a second copy of each body.
 *
 * Ordering: `done` is called once, after the last byte or at the first thing that is wrong. What comes after
 * that is read and dropped, unless whoever answers stops the flow (`linger.ts`).
 */
import type { IncomingMessage } from "node:http";
import { err, ok, type Result } from "../domain/result.ts";
import { BODY_TOO_LARGE, type Refusal, refusalOf } from "./errors.ts";

export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Result<Uint8Array, Refusal>) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const end = (body: Result<Uint8Array, Refusal>): void => {
    if (isOver) return;
    isOver = true;
    done(body);
  };
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) end(err(BODY_TOO_LARGE));
    else chunks.push(chunk);
  });
  request.on("end", () => {
    const [first] = chunks;
    end(ok(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length)));
  });
  request.on("error", (error) => end(err(refusalOf(error))));
}
