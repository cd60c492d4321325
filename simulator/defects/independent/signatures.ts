/** Bugs in what is signed and in how a signature is compared. */
import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import type { ReceivedRequest, Screened } from "../../auth/authenticate.ts";
import { bodyHashOf, canonicalRequest, pathOf } from "../../auth/canonical-request.ts";
import { bug, type Defect } from "../defect.ts";
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

const bufferBytes = 4096;
const noBody = new Uint8Array();

export const signatures: readonly Defect[] = [
  // A connection is authenticated once, as with NTLM.
  bug(
    "A-01",
    "A connection that has sent one right signature needs no other",
    ["AUTH-24", "GEN-03", "AUTH-06"],
    () => {
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
    },
  ),
  // Verdicts are cached by key and signature, without what was signed.
  bug(
    "A-02",
    "A signature that was right once is right for whatever is sent with it later",
    ["AUTH-13", "AUTH-12", "AUTH-18"],
    () => {
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
    },
  ),
  // The framework parses no body of a DELETE, and so nobody hashes it.
  bug("A-03", "The body of a DELETE is not covered by its signature", ["AUTH-18"], () => ({
    authenticator: (inner) => ({
      ...inner,
      verify: (screened, request) =>
        inner.verify(screened, request.method === "DELETE" ? { ...request, body: noBody } : request),
    }),
  })),
  // Only the first chunk of the stream is hashed.
  bug("A-04", "Only the first 4096 bytes of a body are hashed", ["AUTH-08", "AUTH-18", "AUTH-21"], () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(screened, { ...request, body: request.body.subarray(0, bufferBytes) }),
    ),
  })),
  // A signed path is compared as a scope: it is good for all that lies below it.
  bug("A-05", "A signature for a path is good for every path below it", ["AUTH-16"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      parentsOf(request.target).some((target) => isRight(screened, { ...request, target })),
    ),
  })),
  // The timestamp goes through a number before it is signed.
  bug("A-06", "The timestamp loses its leading zeros before the signature is verified", ["AUTH-12"], () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(withSent(screened, { timestamp: String(Number(screened.sent.timestamp)) }), request),
    ),
  })),
  // The nonce goes through a UUID type that prints lower case.
  bug("A-07", "A nonce in upper case is signed in lower case by the service", ["AUTH-13", "AUTH-07"], () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(withSent(screened, { nonce: screened.sent.nonce.toLowerCase() }), request),
    ),
  })),
  // A decoder of hex that stops at the first character it does not know.
  bug(
    "A-08",
    "Whatever follows the 64 digits of a signature is dropped if it is no whole byte of hex",
    ["AUTH-23"],
    () => ({
      authenticator: alsoAccepting(
        (screened, request) =>
          Buffer.from(screened.sent.signature, "hex").toString("hex") === rightSignature(screened, request),
      ),
    }),
  ),
  // Digests are compared as numbers, in double precision.
  bug(
    "A-09",
    "Digests are compared as floating-point numbers, so their last digits do not matter",
    ["AUTH-24"],
    () => ({
      authenticator: alsoAccepting(
        (screened, request) =>
          Number.parseInt(screened.sent.signature, 16) ===
          Number.parseInt(rightSignature(screened, request), 16),
      ),
    }),
  ),
  // The method in the signed text says only whether there is a body.
  bug("A-10", "A signature for a GET is good for a DELETE of the same path", ["AUTH-14"], () => ({
    authenticator: alsoAccepting(
      (screened, request) => request.method === "DELETE" && isRight(screened, { ...request, method: "GET" }),
    ),
  })),
  // The length of the digest chooses the algorithm.
  bug("A-11", "The length of the digest chooses the algorithm, and HMAC-SHA512 passes", ["AUTH-09"], () => ({
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
  bug(
    "A-12",
    "Text is normalised to composed characters before it is hashed",
    ["AUTH-25", "AUTH-21"],
    () => ({
      authenticator: onlyAccepting((screened, request) =>
        isRight(
          screened,
          withBodyText(request, (body) => body.normalize("NFC")),
        ),
      ),
    }),
  ),
  // The body is trimmed before it is hashed.
  bug("A-13", "Blanks and line ends around the body are not hashed", ["AUTH-21", "AUTH-18"], () => ({
    authenticator: onlyAccepting((screened, request) =>
      isRight(
        screened,
        withBodyText(request, (body) => body.trim()),
      ),
    ),
  })),
];
