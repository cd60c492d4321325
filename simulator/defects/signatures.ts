/** Bugs in what is signed and how it is compared: M-001 to M-021, M-166 to M-168, M-184 to M-187. */
import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ReceivedRequest, Screened } from "../auth/authenticate.ts";
import { bodyHashOf, pathOf, SIGNED_CONTENT_TYPE } from "../auth/canonical-request.ts";
import { type Defect, defect } from "./defect.ts";
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
  SIGNED_CONTENT_TYPE,
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
const FRAMING = new Set(["content-length", "transfer-encoding"]);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;
const TYPED_NEARBY_MS = 2_000;

/** A timestamp a little beside the one that was sent is the one that was signed. */
const boundLoosely: SignatureTest = (screened, request) => {
  const [timestamp, ...rest] = linesOf(screened, request);
  for (let offset = -TYPED_NEARBY_MS; offset <= TYPED_NEARBY_MS; offset += 1) {
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

export const SIGNATURE_DEFECTS: readonly Defect[] = [
  defect("M-001", () => ({ authenticator: alsoAccepting(() => true) })),
  defect("M-002", () => ({
    authenticator: alsoAccepting(
      (screened, request) => rightHex(screened, request).slice(0, 8) === screened.sent.signature.slice(0, 8),
    ),
  })),
  defect("M-003", ({ prefix }) => ({
    authenticator: onlyAccepting(replacing(3, (path) => withoutPrefix(path, prefix))),
  })),
  defect("M-004", ({ prefix }) => ({
    authenticator: alsoAccepting(replacing(3, (path) => withoutPrefix(path, prefix))),
  })),
  defect("M-005", ({ prefix }) => ({
    authenticator: alsoAccepting((screened, request) =>
      otherPaths(prefix, request).some((path) => replacing(3, () => path)(screened, request)),
    ),
  })),
  defect("M-006", () => ({
    authenticator: alsoAccepting((screened, request) =>
      METHODS.some((method) => replacing(2, () => method)(screened, request)),
    ),
  })),
  // Nobody can tell which bytes were signed, so a check that leaves the hash out accepts whatever came with a body.
  defect("M-007", () => ({ authenticator: alsoAccepting((_screened, request) => hasBody(request)) })),
  defect("M-008", () => ({
    authenticator: onlyAccepting(
      replacing(5, (_hash, { body }) => (body.length === 0 ? sha256("") : sha256(compact(body)))),
    ),
  })),
  defect("M-009", () => ({
    authenticator: onlyAccepting(
      replacing(5, (_hash, { body }) => sha256(Buffer.from(Buffer.from(body).toString("utf8"), "latin1"))),
    ),
  })),
  defect("M-010", () => ({
    authenticator: onlyAccepting((screened, request) =>
      hasBody(request)
        ? sameHex(screened, hmac(screened, linesOf(screened, request).join("\n")))
        : sameHex(screened, hmac(screened, linesOf(screened, request).slice(0, 5).join("\n"))),
    ),
  })),
  // As behind a proxy that drops the body of a GET: neither the guard nor the signature ever hears of it.
  defect("M-011", () => ({
    listener: ({ app }) => {
      app.server.prependListener("request", ({ method, headers, rawHeaders }: IncomingMessage) => {
        if (method !== "GET") return;
        const kept = rawHeaders.flatMap((name, at) =>
          at % 2 === 1 || FRAMING.has(name.toLowerCase()) ? [] : [name, rawHeaders[at + 1] ?? ""],
        );
        rawHeaders.splice(0, rawHeaders.length, ...kept);
        for (const name of FRAMING) delete headers[name];
      });
    },
  })),
  defect("M-012", () => ({
    authenticator: onlyAccepting(
      (screened, request) => screened.sent.signature === rightHex(screened, request).toUpperCase(),
    ),
  })),
  defect("M-013", () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        screened.sent.signature === Buffer.from(rightHex(screened, request), "hex").toString("base64"),
    ),
  })),
  defect("M-014", () => ({
    authenticator: alsoAccepting((screened, request) =>
      rightHex(screened, request).startsWith(screened.sent.signature.toLowerCase()),
    ),
  })),
  defect("M-015", () => ({
    authenticator: (inner) => {
      const EMPTY = "-";
      const accepting = alsoAccepting(({ sent }) => sent.signature === EMPTY)(inner);
      return {
        ...accepting,
        screen: (sent) => accepting.screen(sent.signature === "" ? { ...sent, signature: EMPTY } : sent),
      };
    },
  })),
  defect("M-016", () => ({ authenticator: alsoAccepting(boundLoosely) })),
  defect("M-017", () => ({
    authenticator: alsoAccepting(signedOver(([timestamp, , ...rest]) => [timestamp, ...rest])),
  })),
  defect("M-018", () => ({
    authenticator: onlyAccepting(replacing(4, (type, { contentType }) => contentType ?? type)),
  })),
  defect("M-019", () => ({ authenticator: onlyAccepting(signedOver((lines) => lines, "")) })),
  defect("M-020", () => ({
    authenticator: onlyAccepting(signedOver(([timestamp, nonce, ...rest]) => [nonce, timestamp, ...rest])),
  })),
  defect("M-021", () => ({
    authenticator: alsoAccepting((screened, request) =>
      ["sha1", "sha512"].some((algorithm) =>
        sameHex(screened, hmac(screened, linesOf(screened, request).join("\n"), algorithm)),
      ),
    ),
  })),
  defect("M-166", () => ({ authenticator: alsoAccepting(replacing(2, (method) => method.toLowerCase())) })),
  defect("M-167", () => ({
    authenticator: alsoAccepting((screened, request) =>
      ["", "text/plain", `${SIGNED_CONTENT_TYPE}; charset=utf-8`].some((type) =>
        replacing(4, () => type)(screened, request),
      ),
    ),
  })),
  defect("M-168", () => ({ authenticator: alsoAccepting(replacing(5, (hash) => hash.toUpperCase())) })),
  defect("M-184", () => ({
    authenticator: acceptingOf(
      hasBody,
      replacing(4, () => ""),
    ),
  })),
  defect("M-185", () => ({
    authenticator: acceptingOf(
      ({ method }) => method === "DELETE",
      replacing(1, () => ""),
    ),
  })),
  defect("M-186", () => ({
    authenticator: acceptingOf(
      ({ method }) => method === "POST",
      replacing(0, () => "0"),
    ),
  })),
  defect("M-187", () => ({
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
