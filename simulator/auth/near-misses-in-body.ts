/** Mistakes in the sixth line, the hash of the body. */
import { createHash } from "node:crypto";
import { bodyHashOf, emptyBodyHash } from "./canonical-request.ts";
import { type Change, inLine, type Mistake, type RefusedRequest, type Row, table } from "./near-miss-rows.ts";

const spelling: readonly Row[] = [
  [
    "body-hash-upper-case",
    "the body hash is in upper case",
    inLine("bodyHash", (hex) => hex.toUpperCase()),
    "common",
  ],
  [
    "body-hash-base64",
    "the body hash is in base64",
    inLine("bodyHash", (hex) => Buffer.from(hex, "hex").toString("base64")),
  ],
  [
    "body-hash-prefixed",
    "the body hash is preceded by sha256=",
    inLine("bodyHash", (hex) => `sha256=${hex}`),
  ],
  [
    "body-hash-shortened",
    "only half of the body hash is signed",
    inLine("bodyHash", (hex) => hex.slice(0, 32)),
  ],
  ["body-hash-twice", "the body hash is hashed once more", inLine("bodyHash", hashOf)],
  ["body-hash-md5", "the body is hashed with MD5", hashedWith("md5")],
  ["body-hash-sha1", "the body is hashed with SHA-1", hashedWith("sha1")],
  ["body-hash-sha512", "the body is hashed with SHA-512", hashedWith("sha512")],
  [
    "body-instead-of-hash",
    "the body itself stands in place of its hash",
    inLine("bodyHash", (_hex, request) => textOf(request)),
    "common",
  ],
];

const otherBytes: readonly Row[] = [
  ["body-reserialised", "the JSON is parsed and written again before hashing", rewritten(compact), "common"],
  ["body-pretty", "the hash is of the JSON printed with two blanks", rewritten(indented(2)), "common"],
  ["body-pretty-4", "the hash is of the JSON printed with four blanks", rewritten(indented(4))],
  ["body-pretty-tab", "the hash is of the JSON printed with tabs", rewritten(indented("\t"))],
  [
    "body-spaced",
    "the hash is of the JSON with a blank after each comma and colon",
    rewritten(spaced),
    "common",
  ],
  ["body-sorted", "the hash is of the JSON with its keys sorted", rewritten(sorted), "common"],
  [
    "body-string",
    "the JSON text is encoded as a JSON string before hashing",
    withBody((text) => JSON.stringify(text)),
  ],
  ["body-and-newline", "the hash is of the body and a newline", withBody((text) => `${text}\n`), "common"],
  [
    "body-without-newline",
    "the hash is of the body without the newline at its end",
    withBody(chomped),
    "common",
  ],
  ["body-utf16", "the body is hashed in UTF-16", withBody((text) => Buffer.from(text, "utf16le"))],
  ["body-latin1", "the body is hashed in Latin-1", withBody((text) => Buffer.from(text, "latin1"))],
  ["body-not-hashed", "the hash of nothing is signed although a body is sent", withBody(() => ""), "common"],
];

const rowsWithoutBody: readonly Row[] = [
  ["no-body-object", "the hash of {} is signed although no body is sent", withoutBody("{}"), "common"],
  ["no-body-null", "the hash of null is signed although no body is sent", withoutBody("null")],
  ["no-body-quotes", 'the hash of "" is signed although no body is sent', withoutBody('""')],
  [
    "no-body-empty-line",
    "the sixth line is empty because no body is sent",
    inLine("bodyHash", (_hex, { body }) => (body.length === 0 ? "" : null)),
    "common",
  ],
];

export const mistakesInBody: readonly Mistake[] = [
  ...table("The sixth line is the SHA-256 of the body in lower-case hex.", spelling),
  ...table("Serialise the body once, then hash and send those same bytes.", otherBytes),
  ...table(`Without a body the sixth line is the SHA-256 of nothing, ${emptyBodyHash}.`, rowsWithoutBody),
];

function hashOf(content: string | Uint8Array): string {
  return bodyHashOf(typeof content === "string" ? Buffer.from(content, "utf8") : content);
}

function textOf(request: RefusedRequest): string {
  return Buffer.from(request.body).toString("utf8");
}

function hashedWith(algorithm: string): Change {
  return inLine("bodyHash", (_hex, { body }) => createHash(algorithm).update(body).digest("hex"));
}

function withBody(change: (text: string) => string | Uint8Array | null): Change {
  return inLine("bodyHash", (_hex, request) => {
    if (request.body.length === 0) return null;
    const content = change(textOf(request));
    return content === null ? null : hashOf(content);
  });
}

function withoutBody(text: string): Change {
  return inLine("bodyHash", (_hex, { body }) => (body.length === 0 ? hashOf(text) : null));
}

/** Far more than an order; what is nested deeper or longer would cost more than the hint is worth. */
const mostRewritten = 4096;
const mostBrackets = 256;

function rewritten(write: (json: unknown) => string): Change {
  return withBody((text) => {
    if (text.length > mostRewritten || (text.match(/[[{]/g) ?? []).length > mostBrackets) return null;
    try {
      return write(JSON.parse(text));
    } catch {
      // Not JSON: then nobody wrote it again.
      return null;
    }
  });
}

function compact(json: unknown): string {
  return JSON.stringify(json);
}

function indented(by: number | string): (json: unknown) => string {
  return (json) => JSON.stringify(json, null, by);
}

/** As Python's json.dumps writes it. Inside strings the text stays. */
function spaced(json: unknown): string {
  const marks = /("(?:[^"\\]|\\.)*")|([,:])/g;
  return JSON.stringify(json).replace(marks, (_all, text?: string, mark?: string) => text ?? `${mark} `);
}

function sorted(json: unknown): string {
  const names = json !== null && typeof json === "object" ? Object.keys(json).sort() : [];
  return JSON.stringify(json, names);
}

function chomped(text: string): string | null {
  return /\r?\n$/.test(text) ? text.replace(/\r?\n$/, "") : null;
}
