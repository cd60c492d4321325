/** Bugs in what is signed and how it is compared, beside those of mistaken.ts. */
import type { IncomingMessage } from "node:http";
import type { ReceivedRequest, Screened } from "../auth/authenticate.ts";
import { pathOf } from "../auth/canonical-request.ts";
import { mistakenSigner } from "../auth/mistaken-signature.ts";
import { bug, type Defect } from "../variations/defect.ts";
import { alsoAccepting, rightlySigned, type SignatureTest } from "../variations/rightly-signed.ts";
import { isSignedWith, signedWith, toSign } from "./mistaken.ts";

const rightHex = (screened: Screened, request: ReceivedRequest): string =>
  rightlySigned(screened, request).sent.signature;

/** Headers that say that a body follows. */
const framing = new Set(["content-length", "transfer-encoding"]);
const typedNearbyMs = 2_000;

/** A timestamp a little beside the one that was sent is the one that was signed. */
const boundLoosely: SignatureTest = (screened, request) => {
  const signWith = mistakenSigner(toSign(screened, request));
  const timestamp = Number(screened.sent.timestamp);
  for (let offset = -typedNearbyMs; offset <= typedNearbyMs; offset += 1) {
    if (isSignedWith({ timestamp: { set: String(timestamp + offset) } }, screened, signWith)) return true;
  }
  return false;
};

export const signatureDefects: readonly Defect[] = [
  bug("M-001", "Every signature is accepted", ["AUTH-06", "AUTH-24"], () => ({
    authenticator: alsoAccepting(() => true),
  })),
  bug("M-002", "Only the first eight digits of the signature are compared", ["AUTH-24", "AUTH-23"], () => ({
    authenticator: alsoAccepting(
      (screened, request) => rightHex(screened, request).slice(0, 8) === screened.sent.signature.slice(0, 8),
    ),
  })),
  bug("M-005", "The path is not part of the check", ["AUTH-16"], ({ prefix }) => ({
    authenticator: alsoAccepting((screened, request) =>
      otherPaths(prefix, request).some((path) => signedWith({ path: { set: path } }, screened, request)),
    ),
  })),
  // The signed bytes are unknown to the venue, so a check that leaves out the hash accepts any body.
  bug("M-007", "A request with a body is accepted whatever was signed", ["AUTH-18", "AUTH-21"], () => ({
    authenticator: alsoAccepting((_screened, request) => request.body.length > 0),
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
];

/** A check that leaves the path out would accept any; these are the ones that a client can think of. */
function otherPaths(prefix: string, { target }: ReceivedRequest): readonly string[] {
  const path = pathOf(target);
  const known = ["/order", "/order/open", "/product", "/asset", "/wallet", "/account/fee", "/health/live"];
  return [path.replace(prefix, ""), target, `${path}/`, "/", ...known, ...known.map((one) => prefix + one)];
}
