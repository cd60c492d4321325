/** Mistakes in the first five of the six lines. */
import { pathOf } from "./canonical-request.ts";
import { inLine, type Mistake, type Row, table } from "./near-miss-rows.ts";

const timestamp: readonly Row[] = [
  [
    "timestamp-seconds",
    "the timestamp is signed in seconds",
    inLine("timestamp", (ms) => ms.slice(0, -3)),
    "common",
  ],
  [
    "timestamp-microseconds",
    "the timestamp is signed in microseconds",
    inLine("timestamp", (ms) => `${ms}000`),
  ],
  ["timestamp-iso", "the timestamp is signed as ISO text", inLine("timestamp", isoTime)],
  ["timestamp-fraction", "the timestamp is signed with a fraction", inLine("timestamp", (ms) => `${ms}.0`)],
  ["timestamp-plus", "the timestamp is signed with a plus sign", inLine("timestamp", (ms) => `+${ms}`)],
  ["timestamp-zero", "the timestamp is signed with a leading zero", inLine("timestamp", (ms) => `0${ms}`)],
  ["timestamp-exponent", "the timestamp is signed as a floating-point number", inLine("timestamp", exponent)],
];

const nonce: readonly Row[] = [
  ["nonce-upper-case", "the nonce is signed in upper case", inLine("nonce", (text) => text.toUpperCase())],
  ["nonce-lower-case", "the nonce is signed in lower case", inLine("nonce", (text) => text.toLowerCase())],
  ["nonce-bare", "the nonce is signed without hyphens", inLine("nonce", (text) => text.replaceAll("-", ""))],
  ["nonce-in-braces", "the nonce is signed in braces", inLine("nonce", (text) => `{${text}}`)],
];

const methodRows: readonly Row[] = [
  [
    "method-lower-case",
    "the method is signed in lower case",
    inLine("method", (text) => text.toLowerCase()),
    "common",
  ],
  [
    "method-capitalised",
    "the method is signed with only its first letter in upper case",
    inLine("method", capitalised),
  ],
];

const otherMethod: readonly Row[] = ["GET", "POST", "PUT", "DELETE"].map((name) => [
  `method-${name.toLowerCase()}-signed`,
  `the request is signed as ${name}`,
  inLine("method", () => name),
]);

const querySigned: readonly Row[] = [
  [
    "query-signed",
    "the query string is included in the path",
    inLine("path", (_path, { target }) => target),
    "common",
  ],
  [
    "query-signed-without-prefix",
    "the path is signed without /api/v1/trading and with the query string",
    inLine("path", (path, { target }) => (path === target ? null : withoutPrefix(target))),
  ],
  [
    "query-signed-full-address",
    "the whole address with its query string is signed instead of the path",
    inLine("path", (path, { host, target }) =>
      path === target ? null : `http://${host ?? "localhost"}${target}`,
    ),
  ],
];

const queryNotSigned: readonly Row[] = [
  [
    "query-not-signed",
    "the query string is left out of the path",
    inLine("path", (path) => pathOf(path)),
    "common",
  ],
];

const pathRows: readonly Row[] = [
  [
    "path-without-prefix",
    "the path is signed without /api/v1/trading",
    inLine("path", withoutPrefix),
    "common",
  ],
  [
    "path-without-api",
    "the path is signed without /api",
    inLine("path", (path) => path.replace(/^\/api\//, "/")),
  ],
  [
    "path-full-address",
    "the whole address is signed instead of the path",
    inLine("path", (path, { host }) => `http://${host ?? "localhost"}${path}`),
    "common",
  ],
  [
    "path-full-secure-address",
    "the whole https address is signed instead of the path",
    inLine("path", (path, { host }) => `https://${host ?? "localhost"}${path}`),
  ],
  [
    "path-trailing-slash",
    "the path is signed with a slash too many at its end",
    inLine("path", (path) => `${path}/`),
    "common",
  ],
  [
    "path-no-trailing-slash",
    "the path is signed without the slash at its end",
    inLine("path", (path) => path.replace(/\/$/, "")),
  ],
  [
    "path-no-first-slash",
    "the path is signed without its first slash",
    inLine("path", (path) => path.slice(1)),
  ],
  [
    "path-encoded",
    "the path is signed percent-encoded",
    inLine("path", (path) => path.replaceAll("/", "%2F")),
  ],
  ["path-upper-case", "the path is signed in upper case", inLine("path", (path) => path.toUpperCase())],
  ["path-empty-query", "a question mark is signed after the path", inLine("path", (path) => `${path}?`)],
];

const contentTypeRows: readonly Row[] = [
  ["content-type-empty", "the fifth line is empty", inLine("contentType", () => ""), "common"],
  [
    "content-type-as-sent",
    "the fifth line is the Content-Type header as sent",
    inLine("contentType", (_literal, { contentType }) => contentType ?? null),
    "common",
  ],
  [
    "content-type-charset",
    "the fifth line carries a charset",
    inLine("contentType", () => "application/json; charset=utf-8"),
    "common",
  ],
  [
    "content-type-charset-tight",
    "the fifth line carries a charset without a blank before it",
    inLine("contentType", () => "application/json;charset=utf-8"),
  ],
  [
    "content-type-upper-case",
    "the fifth line is in upper case",
    inLine("contentType", (text) => text.toUpperCase()),
  ],
];

export const mistakesInLines: readonly Mistake[] = [
  ...table("Sign the very digits that X-API-TIMESTAMP carries: milliseconds since the epoch.", timestamp),
  ...table("Sign the nonce exactly as X-API-NONCE carries it.", nonce),
  ...table("Sign the method in upper case, for example POST.", methodRows),
  ...table("Sign the method with which the request is sent.", otherMethod),
  ...table("This venue signs the path only: leave out the question mark and what follows it.", querySigned),
  ...table("This venue signs path and query: keep the question mark and what follows it.", queryNotSigned),
  ...table("Sign the path as it stands in the request line, with /api/v1/trading in front.", pathRows),
  ...table(
    "The fifth line is always the literal application/json, whatever the Content-Type header says.",
    contentTypeRows,
  ),
];

function isoTime(milliseconds: string): string | null {
  const time = new Date(Number(milliseconds));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** 1767225600000 as 1.7672256e12. */
function exponent(milliseconds: string): string {
  return Number(milliseconds).toExponential().replace("+", "");
}

function capitalised(method: string): string {
  return method.slice(0, 1) + method.slice(1).toLowerCase();
}

function withoutPrefix(path: string): string | null {
  return /^\/api\/v[0-9]+\/[^/]+(\/.*)$/.exec(path)?.[1] ?? null;
}
