/** Bugs in what is signed and in how a signature is compared. */
import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import type { ReceivedRequest, Screened } from "../../auth/authenticate.ts";
import { bodyHashOf, canonicalRequest, pathOf } from "../../auth/canonical-request.ts";
import { type Defect, defect } from "../defect.ts";
import { alsoAccepting, onlyAccepting, rightlySigned } from "../rightly-signed.ts";
import { Sockets } from "./sockets.ts";

const rightSignature = (screened: Screened, request: ReceivedRequest): string =>
  rightlySigned(screened, request).sent.signature;

const isRight = (screened: Screened, request: ReceivedRequest): boolean =>
  rightSignature(screened, request) === screened.sent.signature;

/** The same credentials as if these had been sent. */
const withSent = (screened: Screened, sent: Partial<Screened["sent"]>): Screened => ({
  ...screened,
  sent: { ...screened.sent, ...sent },
});

const withBodyText = (request: ReceivedRequest, change: (body: string) => string): ReceivedRequest => ({
  ...request,
  body: Buffer.from(change(Buffer.from(request.body).toString("utf8"))),
});

/** `/a/b/c` gives `/a/b` and `/a`. */
function parentsOf(target: string): string[] {
  const steps = pathOf(target).split("/");
  return steps.slice(1).map((_step, index) => steps.slice(0, index + 1).join("/"));
}

const BUFFER_BYTES = 4096;
const NO_BODY = new Uint8Array();

export const SIGNATURES: readonly Defect[] = [
  // A connection is authenticated once, as with NTLM.
  defect("A-01", () => {
    const sockets = new Sockets();
    const trusted = new WeakMap<Socket, string>();
    return {
      listener: sockets.watch,
      authenticator: (inner) => ({
        ...inner,
        verify: (screened, request) => {
          const socket = sockets.of(screened.sent);
          const known = trusted.get(socket) === screened.sent.keyId;
          const verified = inner.verify(known ? rightlySigned(screened, request) : screened, request);
          if (verified.ok) trusted.set(socket, screened.sent.keyId);
          return verified;
        },
      }),
    };
  }),
  // Verdicts are cached by key and signature, without what was signed.
  defect("A-02", () => {
    const verdicts = new Set<string>();
    return {
      authenticator: (inner) => ({
        ...inner,
        verify: (screened, request) => {
          const name = `${screened.sent.keyId} ${screened.sent.signature}`;
          const verified = inner.verify(
            verdicts.has(name) ? rightlySigned(screened, request) : screened,
            request,
          );
          if (verified.ok) verdicts.add(name);
          return verified;
        },
      }),
    };
  }),
  // The framework parses no body of a DELETE, and so nobody hashes it.
  defect("A-03", () => ({
    authenticator: (inner) => ({
      ...inner,
      verify: (screened, request) =>
        inner.verify(screened, request.method === "DELETE" ? { ...request, body: NO_BODY } : request),
    }),
  })),
  // Only the first chunk of the stream is hashed.
  defect("A-04", () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(screened, { ...request, body: request.body.subarray(0, BUFFER_BYTES) }),
    ),
  })),
  // A signed path is compared as a scope: it is good for all that lies below it.
  defect("A-05", () => ({
    authenticator: alsoAccepting((screened, request) =>
      parentsOf(request.target).some((target) => isRight(screened, { ...request, target })),
    ),
  })),
  // The timestamp goes through a number before it is signed.
  defect("A-06", () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(withSent(screened, { timestamp: String(Number(screened.sent.timestamp)) }), request),
    ),
  })),
  // The nonce goes through a UUID type that prints lower case.
  defect("A-07", () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(withSent(screened, { nonce: screened.sent.nonce.toLowerCase() }), request),
    ),
  })),
  // A decoder of hex that stops at the first character it does not know.
  defect("A-08", () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        Buffer.from(screened.sent.signature, "hex").toString("hex") === rightSignature(screened, request),
    ),
  })),
  // Digests are compared as numbers, in double precision.
  defect("A-09", () => ({
    authenticator: alsoAccepting(
      (screened, request) =>
        Number.parseInt(screened.sent.signature, 16) ===
        Number.parseInt(rightSignature(screened, request), 16),
    ),
  })),
  // The method in the signed text says only whether there is a body.
  defect("A-10", () => ({
    authenticator: alsoAccepting(
      (screened, request) => request.method === "DELETE" && isRight(screened, { ...request, method: "GET" }),
    ),
  })),
  // The length of the digest chooses the algorithm.
  defect("A-11", () => ({
    authenticator: alsoAccepting((screened, request) => {
      const { sent, key } = screened;
      const path = pathOf(request.target);
      const canonical = canonicalRequest({
        ...sent,
        method: request.method,
        path,
        bodyHash: bodyHashOf(request.body),
      });
      return createHmac("sha512", key.secret).update(canonical).digest("hex") === sent.signature;
    }),
  })),
  // Text is normalised on the way in, before it is hashed.
  defect("A-12", () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(
        screened,
        withBodyText(request, (body) => body.normalize("NFC")),
      ),
    ),
  })),
  // The body is trimmed before it is hashed.
  defect("A-13", () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(
        screened,
        withBodyText(request, (body) => body.trim()),
      ),
    ),
  })),
];
