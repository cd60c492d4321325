/** Lets requests in that lack credentials. */
import { randomUUID } from "node:crypto";
import type { Authenticator, ReceivedRequest, SentCredentials } from "../auth/authenticate.ts";
import type { SeamParts } from "../seams.ts";
import { alsoAccepting } from "./rightly-signed.ts";

/** Credentials of the first key, which the caller does not have; `verify` must be made to accept them. */
function standIn(sent: SentCredentials, { venue, now }: SeamParts): SentCredentials {
  return {
    keyId: sent.keyId === "" ? (venue.world.keys[0]?.keyId ?? "") : sent.keyId,
    timestamp: sent.timestamp === "" ? String(now()) : sent.timestamp,
    nonce: sent.nonce === "" ? randomUUID() : sent.nonce,
    signature: standInSignature,
    repeated: null,
  };
}
const standInSignature = "-";

/** Lets requests without these credentials in as the first key. */
export const lettingIn =
  (
    parts: SeamParts,
    lacks: (sent: SentCredentials) => boolean,
    when: (request: ReceivedRequest) => boolean = () => true,
  ) =>
  (inner: Authenticator): Authenticator => {
    const accepting = alsoAccepting(
      ({ sent }, request) => sent.signature === standInSignature && when(request),
    )(inner);
    return {
      ...accepting,
      screen: (sent) => accepting.screen(lacks(sent) ? standIn(sent, parts) : sent),
      verify: (screened, request) => {
        const verified = accepting.verify(screened, request);
        if (verified.ok || screened.sent.signature !== standInSignature) return verified;
        // It was let in to the second phase only to see its method: now it hears what it would have heard.
        const refused = inner.screen({ keyId: "", timestamp: "", nonce: "", signature: "", repeated: null });
        return refused.ok ? verified : refused;
      },
    };
  };
