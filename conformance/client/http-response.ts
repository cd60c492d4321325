import { maxBytes } from "../check/lossless-json.ts";
import type { Reply } from "../model/exchange.ts";
import { codingsOf, isKnownCoding, uncoded } from "./codings.ts";

/** A reply that cannot be trusted: too large, cut off, or compressed more than once. */
export class ReplyProblem extends Error {
  readonly outcome: "tooLarge" | "malformed";
  constructor(outcome: "tooLarge" | "malformed", message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Decodes at most one content coding, and never to more than the limit of a body. */
export function decoded(reply: Reply): Reply {
  const codings = codingsOf(reply.headers);
  const [coding] = codings;
  if (coding === undefined) return reply;
  if (codings.length > 1 || !isKnownCoding(coding))
    throw new ReplyProblem("malformed", `content coding "${codings.join(",")}" was not asked for`);
  try {
    return { ...reply, body: uncoded(reply.body, codings) };
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new ReplyProblem(
      tooLarge ? "tooLarge" : "malformed",
      `body does not decode: ${(error as Error).message}`,
    );
  }
}

const mostInterim = 32;

/** Reads the first final HTTP/1.1 response from the bytes of a socket; undefined while it is incomplete. */
export function parseResponse(bytes: Buffer, ended: boolean): Reply | undefined {
  let at = 0;
  for (let interim = 0; interim <= mostInterim; interim += 1) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    if ((headEnd === -1 ? bytes.length : headEnd) - at > 65_536)
      throw new ReplyProblem("tooLarge", "the head of the response is larger than 64 KiB");
    if (headEnd === -1) return undefined;
    const { status, headers } = headOf(bytes.subarray(at, headEnd).toString("latin1"));
    at = headEnd + 4;
    if (status >= 100 && status < 200 && status !== 101) continue;
    const body = bodyOf(headers, bytes.subarray(at), ended, status);
    return body === undefined ? undefined : decoded({ status, headers, body });
  }
  throw new ReplyProblem("malformed", `more than ${mostInterim} interim responses`);
}

function headOf(text: string): Pick<Reply, "status" | "headers"> {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new ReplyProblem("malformed", "the response has no status line");
  if (lines.length > 1_000) throw new ReplyProblem("tooLarge", "the response has more than 1000 headers");
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers };
}

function bodyOf(headers: Reply["headers"], rest: Buffer, ended: boolean, status: number): Buffer | undefined {
  const header = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  if (rest.length > maxBytes) throw new ReplyProblem("tooLarge", `the body is larger than ${maxBytes} bytes`);
  if (status === 204 || status === 304) return Buffer.alloc(0);
  if (header("transfer-encoding")?.toLowerCase() === "chunked") return unchunked(rest);
  const length = header("content-length");
  if (length === undefined) return ended ? rest : undefined;
  if (!/^\d+$/.test(length)) throw new ReplyProblem("malformed", `Content-Length is ${length}`);
  if (Number(length) > maxBytes) throw new ReplyProblem("tooLarge", `Content-Length is ${length}`);
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function unchunked(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!Number.isInteger(size) || size < 0) throw new ReplyProblem("malformed", "a chunk has no size");
    if (size === 0) return Buffer.concat(parts);
    if (bytes.length < lineEnd + 2 + size + 2) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
