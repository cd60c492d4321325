import { isUtf8 } from "node:buffer";
import { headerProblem, isAllowedElsewhere, methodProblem, targetProblem } from "../contract/http-request.ts";
import type { SentRequest } from "../model/exchange.ts";
import { isOurs, type Profile } from "../model/profile.ts";
import { scanOrder } from "./order-scan.ts";

/**
 * Is this exactly one request of HTTP/1.1, to that host? Checked for every request, whichever module made its bytes
 * (docs/live-safety.md). For remote machines its headers must also be on a short list, because a proxy on the way may
 * obey any other.
 */
export function requestProblem(request: SentRequest, host: string, profile: Profile): string | undefined {
  const { method, path, headers } = request;
  const names = headers.map(([name]) => name.toLowerCase());
  if (names.indexOf("host") !== names.lastIndexOf("host")) return "a request has one Host";
  const broken = methodProblem(method) ?? targetProblem(path);
  return broken ?? firstOf(headers, ([name, value]) => ofHeader(name, value, host, profile));
}

function ofHeader(name: string, value: string, host: string, profile: Profile): string | undefined {
  const broken = headerProblem(name, value);
  if (broken !== undefined) return broken;
  if (name.toLowerCase() === "host")
    return value.toLowerCase() === host.toLowerCase() ? undefined : `the Host must be ${host}`;
  return isOurs(profile) || isAllowedElsewhere(name)
    ? undefined
    : `the header ${name} is sent on this machine only: docs/live-safety.md lists what may be set elsewhere`;
}

/** A message on a stream is no request. For a remote target it must not contain text that could be read as an order. */
export function messageProblem(body: Uint8Array, profile: Profile): string | undefined {
  if (isOurs(profile)) return undefined;
  if (body.length > 4096) return "a message of more than 4096 bytes is sent on this machine only";
  if (body.length > 16 && !isText(body))
    return "binary messages cannot be checked: they are sent on this machine only";
  const { values } = scanOrder({ body, path: "" });
  const telling = (["client_order_id", "base_quantity", "quote_value", "price"] as const).find(
    (field) => values(field).length > 0,
  );
  return telling === undefined
    ? undefined
    : `a message with a ${telling} could be an order: it is sent on this machine only`;
}

function isText(body: Uint8Array): boolean {
  const bytes = Buffer.from(body);
  return isUtf8(bytes) && !/[^\t\r\n -~]/.test(bytes.toString("latin1").replace(/[\x80-\xff]/g, ""));
}

/** The request that a server would read in raw bytes. */
export type ReadRequest = Pick<SentRequest, "method" | "path" | "headers" | "body">;

/**
 * Bytes that break HTTP are for this machine only (docs/live-safety.md), whatever a scenario declares them to be. For a
 * remote machine they must be one plain request of moderate size that every proxy on the way reads alike. The request
 * in them is checked by the rules of every other request. A string is the reason for a refusal.
 */
export function readRequest(bytes: Buffer, host: string): ReadRequest | string {
  if (bytes.length > 65_536) return "an oversized request";
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return "a request without an end";
  const [line = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line) ?? [];
  if (method === "") return "a malformed request line";
  if (!lines.every((header) => /^[\w-]+:[\t\x20-\x7e]*$/.test(header))) return "malformed headers";
  const headers = lines.map((header): readonly [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon), header.slice(colon + 1).trim()];
  });
  const body = bytes.subarray(headEnd + 4);
  const problem = ofFraming(headers, body.length);
  if (problem !== undefined) return problem;
  // A proxy uses the host of an absolute target as the Host.
  const absolute = new RegExp(`^https?://${host.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=/)`, "i");
  const path = target.replace(absolute, "");
  return {
    method,
    path,
    headers: headers.filter(([name]) => !/^(?:content-length|connection)$/i.test(name)),
    body,
  };
}

function ofFraming(headers: ReadRequest["headers"], length: number): string | undefined {
  const named = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted);
  if (named("transfer-encoding").length > 0 || named("content-length").length > 1)
    return "two lengths of the body";
  if (headers.length > 100 || named("host").length !== 1) return "too many headers, or not exactly one Host";
  if (!named("connection").every(([, value]) => /^(?:close|keep-alive)$/i.test(value)))
    return "an unusual Connection header";
  const stated = named("content-length")[0]?.[1] ?? "0";
  return /^\d{1,9}$/.test(stated) && Number(stated) === length ? undefined : "a wrong Content-Length";
}

function firstOf<Item>(
  items: readonly Item[],
  problem: (item: Item) => string | undefined,
): string | undefined {
  return items.map(problem).find((found) => found !== undefined);
}
