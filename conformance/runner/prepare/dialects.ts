import { type Exchange, headerOf, isSuccess } from "../../model/exchange.ts";
import { isWithin } from "../../model/profile.ts";
import { canonicalOrder } from "../../signing/canonical-request.ts";
import { plainPlan, type SignPlan } from "../../signing/tamper.ts";
import type { Session } from "../session.ts";

/**
 * Misreadings of the signature that are met in the field, one difference each. Asked only when a correctly
 * signed GET was refused, at most sixteen times and at most half of the refusals that the target stands, on a route that
 * changes nothing. Known limit: a target with two misreadings at once is not recognised, a wrong clock beside one is.
 *
 * A misreading that is accepted proves that key, secret and clock are right, so it proves two things: the clause that
 * is misread, and AUTH-07, because the correct signature was refused. How a secret becomes a key is an assumption, and a
 * clock is nobody's mistake: they prove nothing.
 */
export interface Dialect {
  readonly name: string;
  readonly clause: string;
  readonly plan: (context: DialectContext) => Partial<SignPlan>;
  /** Could it be this one? A secret that is no hex cannot have been decoded from hex. */
  readonly plausible?: (context: DialectContext) => boolean;
}

export interface DialectContext {
  readonly path: string;
  readonly relativePath: string;
  readonly secret: string;
  readonly nonce: string;
}

const form = (changes: Partial<SignPlan["form"]>): Partial<SignPlan> => ({
  form: { ...plainPlan.form, ...changes },
});
const isIdentity = (part: string): boolean => part === "timestamp" || part === "nonce";
const override = (changes: SignPlan["override"]): Partial<SignPlan> => ({ override: changes });

const isHex = ({ secret }: DialectContext): boolean => /^(?:[0-9a-f]{2}){8,}$/i.test(secret);
const isBase64 = ({ secret }: DialectContext): boolean =>
  secret.length >= 16 && /^[A-Za-z0-9+/]+={0,2}$/.test(secret) && secret.length % 4 === 0;

export const dialects: readonly Dialect[] = [
  { name: "timestamps in seconds", clause: "AUTH-11", plan: () => override({ timestamp: "seconds" }) },
  {
    name: "the path without the prefix",
    clause: "AUTH-16",
    plan: ({ relativePath }) => override({ path: relativePath }),
  },
  {
    name: "the secret decoded from hex",
    clause: "AS-01",
    plan: () => ({ keyBytes: "hex" }),
    plausible: isHex,
  },
  {
    name: "the secret decoded from base64",
    clause: "AS-01",
    plan: () => ({ keyBytes: "base64" }),
    plausible: isBase64,
  },
  {
    name: "no content type line",
    clause: "AUTH-17",
    plan: () => form({ order: canonicalOrder.filter((part) => part !== "contentType") }),
  },
  { name: "a newline at the end", clause: "AUTH-10", plan: () => form({ suffix: "\n" }) },
  { name: "values without a newline between them", clause: "AUTH-10", plan: () => form({ joiner: "" }) },
  {
    name: "the nonce before the timestamp",
    clause: "AUTH-10",
    plan: () =>
      form({ order: ["nonce", "timestamp", ...canonicalOrder.filter((part) => !isIdentity(part))] }),
  },
  {
    name: "five lines, without one for the missing body",
    clause: "AUTH-20",
    plan: () => form({ order: canonicalOrder.filter((part) => part !== "bodyHash") }),
  },
  { name: "a base64 signature", clause: "AUTH-22", plan: () => ({ transform: ["base64"] }) },
  { name: "an upper-case signature", clause: "AUTH-22", plan: () => ({ transform: ["upperHex"] }) },
  { name: "an upper-case body hash", clause: "AUTH-19", plan: () => override({ bodyHash: "upper" }) },
  {
    name: "the hash of {} for an empty body",
    clause: "AUTH-20",
    plan: () => override({ bodyHash: "sha256({})" }),
  },
  {
    name: "a content type with charset",
    clause: "AUTH-17",
    plan: () => override({ contentType: "application/json; charset=utf-8" }),
  },
  { name: "the method in lower case", clause: "AUTH-15", plan: () => override({ method: "get" }) },
  {
    name: "the path with a trailing slash",
    clause: "AUTH-16",
    plan: ({ path }) => override({ path: `${path}/` }),
  },
  {
    name: "nonces without dashes",
    clause: "AUTH-29",
    plan: ({ nonce }) => override({ nonce: nonce.replaceAll("-", "") }),
  },
  {
    name: "the path with the question mark of a query",
    clause: "AUTH-16",
    plan: ({ path }) => override({ path: `${path}?` }),
  },
];

const mostGets = 16;
/** A target that locks a key so soon is asked nothing more. */
const fewRefusals = 8;

/** What the probe found out: advice for a person, and the clauses that it proves broken. */
export interface Misreading {
  readonly sentence: string;
  readonly clauses: readonly string[];
}

/** The signature is read as it should be, by a clock that is not ours. Which clock is wrong, nobody knows. */
export interface OtherClock {
  readonly clockOffsetMs: number;
}

/** Which misreading the target accepts; undefined when it accepts none of them. */
export async function probeDialects(
  session: Session,
  golden: Exchange,
): Promise<Misreading | OtherClock | undefined> {
  const { lockoutAfter = 2 * mostGets } = session.profile.auth;
  const offset = clockOffset(golden, session.parts.now());
  let left = Math.min(mostGets, Math.floor(lockoutAfter / 2));
  if (offset !== 0 && left > 0) {
    left -= 1;
    if (isSuccess(await ask(session, {}, offset))) return { clockOffsetMs: offset };
  }
  const context = contextOf(session);
  for (const { name, clause, plan } of dialects
    .filter(({ plausible }) => plausible?.(context) !== false)
    .slice(0, left)) {
    if (!isSuccess(await ask(session, plan({ ...context, nonce: session.parts.nonce() }), offset))) continue;
    const clock = offset === 0 ? "" : `, with its clock ${shownOffset(offset)} yours`;
    return {
      sentence: `the target accepts signatures over ${name}${clock}; the specification does not (${clause})`,
      clauses: clause.startsWith("AS-") ? [] : [clause, "AUTH-07"],
    };
  }
  // Anything but 401 may have another reason, and then the cases find it.
  const isAsked = golden.reply?.status === 401 && lockoutAfter >= fewRefusals;
  return isAsked ? acceptsOnlyBodies(session) : undefined;
}

/** A body that no gateway can take for an order, so that only the signature decides between 401 and another refusal. */
const noOrder = Buffer.from("{}", "utf8");

/** The same key on a POST: heard when it is signed, refused when it is not, so its GET should have been heard, too. */
async function acceptsOnlyBodies(session: Session): Promise<Misreading | undefined> {
  const refused = ({ reply }: Exchange): boolean => [401, 403].includes(reply?.status ?? 401);
  if (!isWithin("reject-only", session.profile.safety.allow)) return undefined;
  const signed = await post(session, {});
  if (refused(signed) || signed.reply?.status !== 400) return undefined;
  if (!refused(await post(session, { transform: ["flipBit(0)"] }))) return undefined;
  return {
    sentence: "the target lets the same key in on a POST, and refuses its GET (AUTH-07)",
    clauses: ["AUTH-07"],
  };
}

function contextOf(session: Session): DialectContext {
  const relativePath = session.operation("openOrders").path;
  const path = session.parts.target.basePath + relativePath;
  return { path, relativePath, secret: session.credential("trader").secret, nonce: "" };
}

function ask(session: Session, plan: Partial<SignPlan>, clockOffsetMs: number): Promise<Exchange> {
  return send(
    session,
    { operation: "openOrders", method: "GET", body: new Uint8Array() },
    plan,
    clockOffsetMs,
  );
}

const post = (session: Session, plan: Partial<SignPlan>): Promise<Exchange> =>
  send(session, { operation: "placeOrder", method: "POST", body: noOrder }, plan, 0);

function send(
  session: Session,
  request: { readonly operation: string; readonly method: string; readonly body: Uint8Array },
  plan: Partial<SignPlan>,
  clockOffsetMs: number,
): Promise<Exchange> {
  const { path } = session.operation(request.operation);
  return session.ask(() =>
    session.prepare({
      ...request,
      target: session.parts.target.basePath + path,
      headers: [],
      role: "trader",
      credential: session.credential("trader"),
      sign: { ...plainPlan, ...plan },
      mutation: {},
      clockOffsetMs,
    }),
  );
}

/** The `Date` header has whole seconds, so a difference below two of them is none. */
function clockOffset({ reply }: Exchange, now: number): number {
  const date = Date.parse(headerOf(reply, "date") ?? "");
  return Number.isNaN(date) || Math.abs(date - now) < 2000 ? 0 : date - now;
}

function shownOffset(offset: number): string {
  return `${Math.round(Math.abs(offset) / 1000)} s ${offset > 0 ? "ahead of" : "behind"}`;
}
