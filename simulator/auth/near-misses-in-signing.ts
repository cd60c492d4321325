/** Mistakes in joining the lines, in the secret, in the algorithm and in writing the digest. */
import { createHash, createHmac } from "node:crypto";
import { type Change, lineAt, type Mistake, type RefusedRequest, type Row, table } from "./near-miss-rows.ts";

const joining: readonly Row[] = [
  ["trailing-newline", "a newline follows the last line", around("", "\n"), "common"],
  ["trailing-crlf", "a carriage return and newline follow the last line", around("", "\r\n")],
  ["trailing-blank", "a blank follows the last line", around("", " ")],
  ["leading-newline", "a newline stands before the first line", around("\n", "")],
  ["byte-order-mark", "a byte order mark stands before the first line", around("\ufeff", "")],
  ["joined-crlf", "the lines are joined with carriage return and newline", joinedBy("\r\n"), "common"],
  ["joined-cr", "the lines are joined with a carriage return", joinedBy("\r")],
  ["joined-nothing", "the values are joined without a separator", joinedBy(""), "common"],
  [
    "joined-backslash-n",
    "the values are joined with a backslash and the letter n",
    joinedBy("\\n"),
    "common",
  ],
  ["joined-blank-lines", "the lines are joined with two newlines", joinedBy("\n\n")],
  ["joined-blank", "the values are joined with a blank", joinedBy(" ")],
  ["joined-comma", "the values are joined with a comma", joinedBy(",")],
  ["joined-bar", "the values are joined with a vertical bar", joinedBy("|")],
  ["joined-colon", "the values are joined with a colon", joinedBy(":")],
  ["joined-line-separator", "the lines are joined with U+2028", joinedBy("\u2028")],
];

const lineNames = Object.keys(lineAt);

const orderOfLines: readonly Row[] = [
  ...lineNames.map((name, index): Row => [`missing-${name}`, `the ${name} line is left out`, without(index)]),
  ...lineNames.slice(1).map((name, index): Row => {
    const before = lineNames[index] ?? "";
    return [`swapped-${before}-${name}`, `the ${before} and ${name} lines are exchanged`, swapped(index)];
  }),
  ["reversed-lines", "the lines are in reverse order", ({ lines }) => ({ lines: lines.toReversed() })],
  [
    "key-prefixed",
    "the key id is added as a first line",
    ({ lines }, { keyId }) => ({ lines: [keyId, ...lines] }),
  ],
  [
    "body-appended",
    "the body is added as a seventh line",
    ({ lines }, { body }) => ({ lines: [...lines, Buffer.from(body).toString("utf8")] }),
  ],
];

const secretRows: readonly Row[] = [
  [
    "secret-base64-decoded",
    "the secret is base64-decoded first",
    keyedWith((secret) => Buffer.from(secret, "base64")),
    "common",
  ],
  ["secret-hex-decoded", "the secret is hex-decoded first", keyedWith(hexDecoded), "common"],
  ["secret-base64-encoded", "the secret is base64-encoded first", keyedWith((secret) => base64(secret))],
  [
    "secret-and-newline",
    "a newline follows the secret, as in a file",
    keyedWith((secret) => `${secret}\n`),
    "common",
  ],
  [
    "secret-and-crlf",
    "a carriage return and newline follow the secret",
    keyedWith((secret) => `${secret}\r\n`),
  ],
  ["secret-in-quotes", "the secret stands in quotation marks", keyedWith((secret) => `"${secret}"`)],
  ["secret-trimmed", "the blanks around the secret are removed", keyedWith((secret) => secret.trim())],
  ["secret-hashed", "the SHA-256 of the secret is the key", keyedWith((secret) => sha256(secret))],
  ["secret-latin1", "the secret is encoded in Latin-1", keyedWith((secret) => Buffer.from(secret, "latin1"))],
  [
    "key-id-as-secret",
    "the key id is used as the secret",
    keyedWith((_secret, { keyId }) => keyId),
    "common",
  ],
  ["secret-missing", "the secret is empty, so it does not reach the signing code", keyedWith(() => "")],
];

const algorithmRows: readonly Row[] = [
  ["hmac-sha1", "HMAC-SHA1 is used", digestBy((secret, text) => hmac("sha1", secret, text))],
  ["hmac-sha384", "HMAC-SHA384 is used", digestBy((secret, text) => hmac("sha384", secret, text))],
  ["hmac-sha512", "HMAC-SHA512 is used", digestBy((secret, text) => hmac("sha512", secret, text)), "common"],
  [
    "hmac-sha512-half",
    "half of HMAC-SHA512 is sent",
    digestBy((key, text) => hmac("sha512", key, text).subarray(0, 32)),
  ],
  [
    "hash-secret-first",
    "plain SHA-256 of secret and text is used",
    digestBy((secret, text) => sha256(secret, text)),
  ],
  [
    "hash-secret-last",
    "plain SHA-256 of text and secret is used",
    digestBy((secret, text) => sha256(text, secret)),
  ],
  [
    "hash-alone",
    "plain SHA-256 of the text is used, without the secret",
    digestBy((_secret, text) => sha256(text)),
  ],
  [
    "hmac-of-hash",
    "the text is hashed to hex before HMAC",
    digestBy((key, text) => hmac("sha256", key, hex(sha256(text)))),
  ],
  [
    "hmac-of-bytes",
    "the text is hashed to bytes before HMAC",
    digestBy((key, text) => hmac("sha256", key, sha256(text))),
  ],
  [
    "hmac-swapped",
    "text and secret change places in HMAC",
    digestBy((secret, text) => hmac("sha256", Buffer.from(text), secret)),
  ],
  [
    "text-utf16",
    "the text is encoded in UTF-16 instead of UTF-8",
    digestBy((secret, text) => hmac("sha256", secret, Buffer.from(text, "utf16le"))),
  ],
];

const output: readonly Row[] = [
  [
    "signature-base64",
    "the digest is written in base64",
    writtenAs((raw) => raw.toString("base64")),
    "common",
  ],
  [
    "signature-base64url",
    "the digest is written in base64url",
    writtenAs((raw) => raw.toString("base64url")),
  ],
  [
    "signature-upper-case",
    "the digest is written in upper-case hex",
    writtenAs((raw) => hex(raw).toUpperCase()),
  ],
  ["signature-0x", "the digest is preceded by 0x", writtenAs((raw) => `0x${hex(raw)}`)],
  ["signature-prefixed", "the digest is preceded by sha256=", writtenAs((raw) => `sha256=${hex(raw)}`)],
  [
    "signature-hex-of-hex",
    "the hex text is written in hex once more",
    writtenAs((raw) => hex(Buffer.from(hex(raw)))),
  ],
  ["signature-base64-of-hex", "the hex text is written in base64", writtenAs((raw) => base64(hex(raw)))],
];

export const mistakesInSigning: readonly Mistake[] = [
  ...table("Join the six lines with a single line feed, and put nothing after the last.", joining),
  ...table("Sign six lines: timestamp, nonce, method, path, content type, body hash.", orderOfLines),
  ...table(
    "Use the secret as it was given to you: its text in UTF-8, not decoded, trimmed or hashed.",
    secretRows,
  ),
  ...table("The signature is HMAC-SHA256 of the six lines in UTF-8, keyed with the secret.", algorithmRows),
  ...table("Send the digest as 64 lower-case hex digits and nothing else.", output),
];

function around(before: string, after: string): Change {
  return ({ join }) => ({ join: (lines) => before + join(lines) + after });
}

function joinedBy(separator: string): Change {
  return () => ({ join: (lines) => lines.join(separator) });
}

function without(index: number): Change {
  return ({ lines }) => ({ lines: lines.toSpliced(index, 1) });
}

function swapped(index: number): Change {
  return ({ lines }) => ({ lines: lines.toSpliced(index, 2, lines[index + 1] ?? "", lines[index] ?? "") });
}

/** A key that equals the right one is no mistake. */
function keyedWith(change: (secret: string, request: RefusedRequest) => string | Uint8Array | null): Change {
  return (recipe, request) => {
    const key = change(request.secret, request);
    if (key === null) return null;
    const secret = Buffer.from(key);
    return secret.equals(recipe.secret) ? null : { secret };
  };
}

function hexDecoded(secret: string): Uint8Array | null {
  return /^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, "hex") : null;
}

function digestBy(digest: (secret: Uint8Array, text: string) => Uint8Array): Change {
  return () => ({ digest });
}

function writtenAs(write: (digest: Buffer) => string): Change {
  return () => ({ write: (digest) => write(Buffer.from(digest)) });
}

function hmac(algorithm: string, secret: Uint8Array, message: string | Uint8Array): Buffer {
  return createHmac(algorithm, secret).update(message).digest();
}

function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function hex(bytes: Buffer): string {
  return bytes.toString("hex");
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
