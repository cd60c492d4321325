/** Bugs of a gateway that takes mistakes for right: the `defects` of fixtures/signing/mistakes.yaml. */
import type { ReceivedRequest, Screened } from "../auth/authenticate.ts";
import { appliesTo, mistakenSigner, type RequestToSign, type SignWith } from "../auth/mistaken-signature.ts";
import { type Edit, knownMistakes, type MistakenDefect } from "../auth/mistakes.ts";
import type { Defect } from "../variations/defect.ts";
import { alsoAccepting, onlyAccepting, type SignatureTest } from "../variations/rightly-signed.ts";

/** The request was signed with this edit, and with nothing else. */
export const signedWith = (edit: Edit, screened: Screened, request: ReceivedRequest): boolean =>
  isSignedWith(edit, screened, mistakenSigner(toSign(screened, request)));

/** The venue reads hex in either case; a signature whose spelling is the mistake has that spelling alone. */
export function isSignedWith(edit: Edit, { sent }: Screened, signWith: SignWith): boolean {
  const signature = signWith(edit)?.signature;
  return signature === (edit.signature === undefined ? sent.signature.toLowerCase() : sent.signature);
}

export const toSign = ({ sent, key }: Screened, request: ReceivedRequest): RequestToSign => ({
  ...request,
  ...sent,
  secret: key.secret,
  signedPath: "path",
});

const { mistakes, defects } = knownMistakes();
const edits = new Map(mistakes.map(({ id, edit }) => [id, edit]));

function editOf(id: string): Edit {
  const edit = edits.get(id);
  if (edit === undefined) throw new Error(`fixtures/signing/mistakes.yaml has no mistake ${id}`);
  return edit;
}

/** Where none of the mistakes can be made on a request, `only` leaves the right signature. */
function testOf({ only, also = [], when }: MistakenDefect): SignatureTest {
  const accepted = (only ?? also).map(editOf);
  return (screened, request) => {
    const asked = toSign(screened, request);
    const signWith = mistakenSigner(asked);
    const made = appliesTo(when, asked) ? accepted.filter((edit) => signWith(edit) !== null) : [];
    if (made.length === 0 && only !== undefined) return isSignedWith({}, screened, signWith);
    return made.some((edit) => isSignedWith(edit, screened, signWith));
  };
}

export const mistakenDefects: readonly Defect[] = defects.map((defect) => {
  const { id, title, breaks, level } = defect;
  const accepting = defect.only === undefined ? alsoAccepting : onlyAccepting;
  const decorate = (): ReturnType<Defect["decorate"]> => ({ authenticator: accepting(testOf(defect)) });
  return { id, title, violates: breaks, ...(level === undefined ? {} : { level }), decorate };
});
