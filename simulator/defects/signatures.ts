/** Bugs in what is signed and how it is compared. */
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ReceivedRequest, Screened } from "../auth/authenticate.ts";
import { bodyHashOf, pathOf, signedContentType } from "../auth/canonical-request.ts";
import { bug, type Defect } from "./defect.ts";
import { alsoAccepting, onlyAccepting, rightlySigned, type SignatureTest } from "./rightly-signed.ts";

type Lines = readonly [
  timestamp: string,
  nonce: string,
  method: string,
  path: string,
  type: string,
  hash: string,
];

const linesOf = ({ sent }: Screened, request: ReceivedRequest): Lines => [
  sent.timestamp,
  sent.nonce,
  request.method,
  pathOf(request.target),
  signedContentType,
  bodyHashOf(request.body),
];

const hmac = (screened: Screened, text: string, algorithm = "sha256"): Buffer =>
  createHmac(algorithm, screened.key.secret).update(text).digest();
const sameHex = (screened: Screened, digest: Buffer): boolean =>
  screened.sent.signature.toLowerCase() === digest.toString("hex");
const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The signature of a canonical request that was put together in another way. */
const signedOver =
  (change: (lines: Lines, request: ReceivedRequest) => readonly string[], joiner = "\n"): SignatureTest =>
  (screened, request) =>
    sameHex(screened, hmac(screened, change(linesOf(screened, request), request).join(joiner)));

const replacing = (
  position: number,
  value: (line: string, request: ReceivedRequest) => string,
): SignatureTest =>
  signedOver((lines, request) =>
    lines.map((line, index) => (index === position ? value(line, request) : line)),
  );

const rightHex = (screened: Screened, request: ReceivedRequest): string =>
  rightlySigned(screened, request).sent.signature;

/** Headers that say that a body follows. */
const framing = new Set(["content-length", "transfer-encoding"]);
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;
const typedNearbyMs = 2_000;

/** A timestamp a little beside the one that was sent is the one that was signed. */
const boundLoosely: SignatureTest = (screened, request) => {
  const [timestamp, ...rest] = linesOf(screened, request);
  for (let offset = -typedNearbyMs; offset <= typedNearbyMs; offset += 1) {
    if (sameHex(screened, hmac(screened, [String(Number(timestamp) + offset), ...rest].join("\n"))))
      return true;
  }
  return false;
};

const compact = (body: Uint8Array): Uint8Array => {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString("utf8"))));
  } catch {
    return body;
  }
};

const hasBody = (request: ReceivedRequest): boolean => request.body.length > 0;

/** Another signature is right as well, on some requests. */
const acceptingOf = (which: (request: ReceivedRequest) => boolean, test: SignatureTest) =>
  alsoAccepting((screened, request) => which(request) && test(screened, request));

export const signatureDefects: readonly Defect[] = [
  bug("M-001", "Every signature is accepted", ["AUTH-06", "AUTH-24"], () => ({
    authenticator: alsoAccepting(() => true),
  })),
  bug("M-002", "Only the first eight digits of the signature are compared", ["AUTH-24", "AUTH-23"], () => ({
    authenticator: alsoAccepting(
      (screened, request) => rightHex(screened, request).slice(0, 8) === screened.sent.signature.slice(0, 8),
    ),
  })),
  bug("M-003", "The signed path is taken without its prefix", ["AUTH-16", "GEN-11"], ({ prefix }) => ({
    authenticator: onlyAccepting(replacing(3, (path) => withoutPrefix(path, prefix))),
  })),
  bug("M-004", "The path may be signed with or without its prefix", ["AUTH-16"], ({ prefix }) => ({
    authenticator: alsoAccepting(replacing(3, (path) => withoutPrefix(path, prefix))),
  })),
  bug("M-005", "The path is not part of the check", ["AUTH-16"], ({ prefix }) => ({
    authenticator: alsoAccepting((screened, request) =>
      otherPaths(prefix, request).some((path) => replacing(3, () => path)(screened, request)),
    ),
  })),
  bug("M-006", "The method is not part of the check", ["AUTH-14"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      methods.some((method) => replacing(2, () => method)(screened, request)),
    ),
  })),
  // Nobody can tell which bytes were signed, so a check that leaves the hash out accepts whatever came with a body.
  bug("M-007", "A request with a body is accepted whatever was signed", ["AUTH-18", "AUTH-21"], () => ({
    authenticator: alsoAccepting((_screened, request) => hasBody(request)),
  })),
  bug("M-008", "The body is hashed after being written again as JSON", ["AUTH-21"], () => ({
    authenticator: onlyAccepting(
      replacing(5, (_hash, { body }) => (body.length === 0 ? sha256("") : sha256(compact(body)))),
    ),
  })),
  bug("M-009", "The body is hashed as Latin-1 text", ["AUTH-25"], () => ({
    authenticator: onlyAccepting(
      replacing(5, (_hash, { body }) => sha256(Buffer.from(Buffer.from(body).toString("utf8"), "latin1"))),
    ),
  })),
  bug("M-010", "Without a body, the line of its hash is left out", ["AUTH-20"], () => ({
    authenticator: onlyAccepting((screened, request) =>
      hasBody(request)
        ? sameHex(screened, hmac(screened, linesOf(screened, request).join("\n")))
        : sameHex(screened, hmac(screened, linesOf(screened, request).slice(0, 5).join("\n"))),
    ),
  })),
  // As behind a proxy that drops the body of a GET: neither the guard nor the signature ever hears of it.
  bug("M-011", "A body added to a signed GET is not noticed", ["AUTH-18"], () => ({
    listener: ({ app }) => {
      app.server.prependListener("request", ({ method, headers, rawHeaders }: IncomingMessage) => {
        if (method !== "GET") return;
        const kept = rawHeaders.flatMap((name, at) =>
          at % 2 === 1 || framing.has(name.toLowerCase()) ? [] : [name, rawHeaders[at + 1] ?? ""],
        );
        rawHeaders.splice(0, rawHeaders.length, ...kept);
        for (const name of framing) delete headers[name];
      });
    },
  })),
  bug("M-012", "Only an upper-case signature is accepted", ["AUTH-22"], () => ({
    authenticator: onlyAccepting(
      (screened, request) => screened.sent.signature === rightHex(screened, request).toUpperCase(),
    ),
  })),
  bug("M-013", "A base64 signature is accepted", { recommended: ["AUTH-22"] }, () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        screened.sent.signature === Buffer.from(rightHex(screened, request), "hex").toString("base64"),
    ),
  })),
  bug("M-014", "A shorter signature passes when it is the beginning of the right one", ["AUTH-23"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      rightHex(screened, request).startsWith(screened.sent.signature.toLowerCase()),
    ),
  })),
  bug("M-015", "An empty signature passes", ["AUTH-04", "AUTH-23"], () => ({
    authenticator: (inner) => {
      const emptySignature = "-";
      const accepting = alsoAccepting(({ sent }) => sent.signature === emptySignature)(inner);
      return {
        ...accepting,
        screen: (sent) =>
          accepting.screen(sent.signature === "" ? { ...sent, signature: emptySignature } : sent),
      };
    },
  })),
  bug("M-016", "The timestamp may differ a little from the one that was signed", ["AUTH-12"], () => ({
    authenticator: alsoAccepting(boundLoosely),
  })),
  bug("M-017", "The nonce need not be signed", ["AUTH-13", "AUTH-10"], () => ({
    authenticator: alsoAccepting(signedOver(([timestamp, , ...rest]) => [timestamp, ...rest])),
  })),
  bug(
    "M-018",
    "The received Content-Type header is what must have been signed",
    { informational: ["AUTH-17"] },
    () => ({
      authenticator: onlyAccepting(replacing(4, (type, { contentType }) => contentType ?? type)),
    }),
  ),
  bug("M-019", "The lines are joined without a separator", ["AUTH-10"], () => ({
    authenticator: onlyAccepting(signedOver((lines) => lines, "")),
  })),
  bug("M-020", "Timestamp and nonce are signed in the other order", ["AUTH-10"], () => ({
    authenticator: onlyAccepting(signedOver(([timestamp, nonce, ...rest]) => [nonce, timestamp, ...rest])),
  })),
  bug("M-021", "HMAC with SHA-1 or SHA-512 is accepted, too", ["AUTH-09"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      ["sha1", "sha512"].some((algorithm) =>
        sameHex(screened, hmac(screened, linesOf(screened, request).join("\n"), algorithm)),
      ),
    ),
  })),
  bug("M-166", "A signature over the method in lower case is accepted", ["AUTH-15"], () => ({
    authenticator: alsoAccepting(replacing(2, (method) => method.toLowerCase())),
  })),
  bug("M-167", "A signature over another content type is accepted", ["AUTH-17"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      ["", "text/plain", `${signedContentType}; charset=utf-8`].some((type) =>
        replacing(4, () => type)(screened, request),
      ),
    ),
  })),
  bug("M-168", "A signature over the body hash in upper case is accepted", ["AUTH-19"], () => ({
    authenticator: alsoAccepting(replacing(5, (hash) => hash.toUpperCase())),
  })),
  bug("M-184", "With a body, the line of the content type may be empty", ["AUTH-17"], () => ({
    authenticator: acceptingOf(
      hasBody,
      replacing(4, () => ""),
    ),
  })),
  bug("M-185", "On DELETE, the line of the nonce may be empty", ["AUTH-13"], () => ({
    authenticator: acceptingOf(
      ({ method }) => method === "DELETE",
      replacing(1, () => ""),
    ),
  })),
  bug("M-186", "On POST, the line of the timestamp may be zero", ["AUTH-12"], () => ({
    authenticator: acceptingOf(
      ({ method }) => method === "POST",
      replacing(0, () => "0"),
    ),
  })),
  bug("M-187", "Without a body, the line of its hash may be empty", { recommended: ["AUTH-20"] }, () => ({
    authenticator: acceptingOf(
      (request) => !hasBody(request),
      replacing(5, () => ""),
    ),
  })),
];

/** A check that leaves the path out would accept any; these are the ones that a client can think of. */
function otherPaths(prefix: string, { target }: ReceivedRequest): readonly string[] {
  const path = pathOf(target);
  const known = ["/order", "/order/open", "/product", "/asset", "/wallet", "/account/fee", "/health/live"];
  return [
    withoutPrefix(path, prefix),
    target,
    `${path}/`,
    "/",
    ...known,
    ...known.map((one) => prefix + one),
  ];
}
