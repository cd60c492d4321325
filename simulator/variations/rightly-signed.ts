/** Ways in which a broken check of signatures takes for right what is not. */
import type { Authenticator, ReceivedRequest, Screened, SentCredentials } from "../auth/authenticate.ts";
import { bodyHashOf, canonicalRequest, pathOf } from "../auth/canonical-request.ts";
import { signatureOf } from "../auth/verify-signature.ts";

/** The credentials with the signature that a correct client would have sent with this request. */
export function rightlySigned(screened: Screened, request: ReceivedRequest): Screened {
  const { sent, key } = screened;
  const canonical = canonicalRequest({
    timestamp: sent.timestamp,
    nonce: sent.nonce,
    method: request.method,
    path: pathOf(request.target),
    bodyHash: bodyHashOf(request.body),
  });
  return { ...screened, sent: { ...sent, signature: signatureOf(key.secret, canonical) } };
}

/** Credentials with a signature that no request has. */
export const wronglySigned = (screened: Screened): Screened => ({
  ...screened,
  sent: { ...screened.sent, signature: "0".repeat(64) },
});

export type SignatureTest = (screened: Screened, request: ReceivedRequest) => boolean;

/** Right is what is right, and what this test takes for right. */
export const alsoAccepting =
  (test: SignatureTest) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    verify: (screened, request) =>
      inner.verify(test(screened, request) ? rightlySigned(screened, request) : screened, request),
  });

/** Right is what this test takes for right, and nothing else. */
export const onlyAccepting =
  (test: SignatureTest) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    verify: (screened, request) =>
      inner.verify(
        test(screened, request) ? rightlySigned(screened, request) : wronglySigned(screened),
        request,
      ),
  });

/** Looks at other headers than were sent. The headers that the client really sent are verified. */
export const screening =
  (change: (sent: SentCredentials) => SentCredentials) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    screen: (sent) => inner.screen(change(sent)),
  });
