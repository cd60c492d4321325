/**
 * Refusals before authentication, because the path that would be signed, the path that
 * would be routed and the message that would be framed could differ, or because the request comes from a web
 * page.
 *
 * Checks run from the outside in: version, size, framing, addressing, target, method and body. The first that fails
 * answers.
 */
import type { IncomingMessage } from "node:http";
import { pathOf } from "../auth/canonical-request.ts";
import type { Refusal } from "./errors.ts";
import { printable } from "./printable.ts";
import { announcesBody, type ReceivedHeaders } from "./received-headers.ts";

/** Path in front of the control surface. */
export const controlPrefix = "/__gatewright";

export interface GuardSettings {
  readonly bodyLimit: number;
  readonly maxHeaderCount: number;
  readonly maxTargetBytes: number;
  /** Host names (without port) that this server answers to; null = any well-formed one. */
  readonly allowedHosts: ReadonlySet<string> | null;
  /** Origins besides the server's own, for example `http://localhost:3000`. */
  readonly allowedOrigins: ReadonlySet<string>;
}

export interface GuardedRequest {
  /** Of HTTP, such as `1.1`. */
  readonly version: string;
  readonly method: string;
  readonly target: string;
  readonly headers: ReceivedHeaders;
}

export const guardedOf = (
  { httpVersion, method = "", url = "" }: IncomingMessage,
  headers: ReceivedHeaders,
): GuardedRequest => ({ version: httpVersion, method, target: url, headers });

type Check = (request: GuardedRequest, settings: GuardSettings) => Refusal | null;

/** Null when nothing is wrong. */
export function guard(request: GuardedRequest, settings: GuardSettings): Refusal | null {
  for (const check of checks) {
    const refusal = check(request, settings);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * An empty JSON object is let through on DELETE, for clients that always send one; blanks inside it
 * included.
 */
export const mostBodyOnDelete = 8;

const closing = (code: Refusal["code"], message: string): Refusal => ({ code, message, close: true });

/** Node also reads 0.9 and 2.0 in a request line. */
const spokenVersion: Check = ({ version }) =>
  version === "1.1" || version === "1.0"
    ? null
    : closing(
        "HTTP_VERSION_NOT_SUPPORTED",
        `HTTP/1.1 and 1.0 are supported here; the request line says HTTP/${printable(version, 8)}.`,
      );

const fewHeaders: Check = ({ headers }, { maxHeaderCount }) =>
  headers.count > maxHeaderCount
    ? closing(
        "HEADERS_TOO_LARGE",
        `The request has ${headers.count} headers; at most ${maxHeaderCount} are read.`,
      )
    : null;

const shortTarget: Check = ({ target }, { maxTargetBytes }) =>
  target.length > maxTargetBytes
    ? closing(
        "URI_TOO_LONG",
        `The request target has ${target.length} bytes; at most ${maxTargetBytes} are read.`,
      )
    : null;

const singleHeaders: Check = ({ headers: { repeated } }) =>
  repeated === null
    ? null
    : closing("DUPLICATE_HEADER", `The header ${printable(repeated)} was sent more than once. Send it once.`);

const plainFraming: Check = ({ version, headers: { transferEncoding, contentLength } }) => {
  if (transferEncoding === undefined) return null;
  if (version === "1.0")
    return closing("MALFORMED_REQUEST", "HTTP/1.0 has no Transfer-Encoding. Send Content-Length.");
  if (transferEncoding.toLowerCase() === "chunked" && contentLength === undefined) return null;
  return closing(
    "MALFORMED_REQUEST",
    "Transfer-Encoding must be chunked alone, and then without Content-Length.",
  );
};

const smallBody: Check = ({ headers }, { bodyLimit }) =>
  Number(headers.contentLength ?? 0) > bodyLimit
    ? closing(
        "PAYLOAD_TOO_LARGE",
        `The body has ${headers.contentLength} bytes; at most ${bodyLimit} are read.`,
      )
    : null;

const plainBody: Check = ({ headers: { contentEncoding } }) =>
  contentEncoding === undefined || contentEncoding.toLowerCase() === "identity"
    ? null
    : closing("UNSUPPORTED_MEDIA_TYPE", "Content-Encoding is not supported. Send the body uncompressed.");

const plainExpectation: Check = ({ headers: { expect } }) =>
  expect === undefined || expect.toLowerCase() === "100-continue"
    ? null
    : closing("EXPECTATION_FAILED", "The only supported expectation is 100-continue.");

const hostPattern = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?$/;

const ownHost: Check = ({ version, target, headers: { host } }, { allowedHosts }) => {
  if (host === undefined && version === "1.0") return null;
  if (host === undefined)
    return closing("MALFORMED_REQUEST", "The Host header is missing. Send it, with HTTP/1.1.");
  const name = hostPattern.exec(host)?.[1]?.toLowerCase();
  if (name === undefined)
    return closing("MALFORMED_REQUEST", "The Host header is not a host name with an optional port.");
  if (allowedHosts === null || allowedHosts.has(name) || /^([a-z0-9_-]+\.)+localhost$/.test(name))
    return null;
  const names = [...allowedHosts].join(", ");
  return closing(
    target.startsWith(controlPrefix) ? "FORBIDDEN" : "MISDIRECTED_REQUEST",
    `This server is not ${printable(name)}; it answers to ${names} ` +
      `and to names below localhost. To let it answer to this one too: gatewright serve --allow-host ${printable(name)}. ` +
      "Names are checked because a web page could lead its own name to this address.",
  );
};

const ownOrigin: Check = ({ headers: { origin, host } }, { allowedOrigins }) => {
  if (origin === undefined || allowedOrigins.has(origin)) return null;
  const own = host?.toLowerCase();
  if (own !== undefined && (origin === `http://${own}` || origin === `https://${own}`)) return null;
  return closing(
    "FOREIGN_ORIGIN",
    `Requests of web pages from ${printable(origin)} are refused. ` +
      "Signed requests belong in programs, not in web pages.",
  );
};

/** A whole http address is a path by now. */
const originForm: Check = ({ method, target }) =>
  target.startsWith("/") || (method === "OPTIONS" && target === "*")
    ? null
    : closing("INVALID_TARGET", "The request target must be a path that starts with a slash.");

const oddPath: readonly (readonly [RegExp, string])[] = [
  [/%/, "a percent sign: no path here needs an escape"],
  [/\/\//, "two slashes in a row"],
  [/\/\.{1,2}(\/|$)/, "a dot segment"],
  [/;/, "a semicolon"],
  [/\\/, "a backslash"],
];

/**
 * The path is signed as received and routed as decoded; where the two could differ, it is refused
 * (F-path-form).
 */
const plainPath: Check = ({ target }) => {
  if (/[^\x21-\x7e]/.test(target))
    return closing("INVALID_TARGET", "The request target has characters that are not ASCII.");
  if (target.includes("#"))
    return closing("INVALID_TARGET", "The request target has a fragment. Leave out # and the text after it.");
  const path = pathOf(target);
  const odd = oddPath.find(([pattern]) => pattern.test(path));
  return odd === undefined
    ? null
    : closing("INVALID_TARGET", `The path has ${odd[1]}. Send it the way it is documented.`);
};

const bodiless = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** A body on these would not be signed (GET), and would not be read. */
const noStrayBody: Check = ({ method, headers }) => {
  if (!announcesBody(headers)) return null;
  if (bodiless.has(method)) {
    return closing(
      "UNEXPECTED_BODY",
      `A ${method} request has no body here. Leave it out, together with Content-Length.`,
    );
  }
  if (method !== "DELETE") return null;
  const tiny = headers.transferEncoding === undefined && Number(headers.contentLength) <= mostBodyOnDelete;
  return tiny
    ? null
    : closing("UNEXPECTED_BODY", "A DELETE request has no body here, or at most an empty object {}.");
};

const checks: readonly Check[] = [
  spokenVersion,
  fewHeaders,
  shortTarget,
  singleHeaders,
  plainFraming,
  ownHost,
  ownOrigin,
  originForm,
  plainPath,
  plainExpectation,
  noStrayBody,
  smallBody,
  plainBody,
];
