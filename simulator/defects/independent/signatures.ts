/** Bugs in what is signed and in how a signature is compared, beside those of ../mistaken.ts. */
import type { Socket } from "node:net";
import type { ReceivedRequest, Screened } from "../../auth/authenticate.ts";
import { pathOf } from "../../auth/canonical-request.ts";
import { bug, type Defect } from "../../variations/defect.ts";
import { alsoAccepting, rightlySigned } from "../../variations/rightly-signed.ts";
import { Sockets } from "./sockets.ts";

const rightSignature = (screened: Screened, request: ReceivedRequest): string =>
  rightlySigned(screened, request).sent.signature;

const isRight = (screened: Screened, request: ReceivedRequest): boolean =>
  rightSignature(screened, request) === screened.sent.signature;

/** `/a/b/c` gives `/a/b` and `/a`. */
function parentsOf(target: string): string[] {
  const steps = pathOf(target).split("/");
  return steps.slice(1).map((_step, index) => steps.slice(0, index + 1).join("/"));
}

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
    "A signature that was accepted once is accepted with any later request",
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
  // A signed path is compared as a scope: it is good for all that lies below it.
  bug("A-05", "A signature for a path is good for every path below it", ["AUTH-16"], () => ({
    authenticator: alsoAccepting((screened, request) =>
      parentsOf(request.target).some((target) => isRight(screened, { ...request, target })),
    ),
  })),
  // A decoder of hex that stops at the first character it does not know.
  bug(
    "A-08",
    "Characters after the 64 digits of a signature are dropped if they are not a whole byte of hex",
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
];
