import { type Exchange, headerOf, isSuccess } from "../../model/exchange.ts";
import { isWithin } from "../../model/profile.ts";
import type { ValueMap } from "../../model/value.ts";
import { readDialects } from "../../parse/mistakes.ts";
import { plainPlan, type SignPlan } from "../../signing/tamper.ts";
import type { Session } from "../session.ts";
import { mistakenPlan } from "./mistaken-plan.ts";

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

/**
 * Which misreading the target accepts; undefined when it accepts none of them. Asked only when a correctly signed GET was
 * refused, at most sixteen times and at most half of the refusals that the target stands, on a route that changes nothing.
 * Known limit: a target with two misreadings at once is not recognised, a wrong clock beside one is.
 *
 * A misreading that is accepted proves that key, secret and clock are right, so it proves two things: the clause that is
 * misread, and AUTH-07, because the correct signature was refused. How a secret becomes a key is an assumption, and a
 * clock is nobody's mistake: they prove nothing.
 */
export async function probeDialects(
  session: Session,
  golden: Exchange,
): Promise<Misreading | OtherClock | undefined> {
  const { lockoutAfter = 2 * mostGets } = session.profile.auth;
  const offset = clockOffset(golden, session.parts.now());
  let left = Math.min(mostGets, Math.floor(lockoutAfter / 2));
  if (offset !== 0 && left > 0) {
    left -= 1;
    if (isSuccess(await ask(session, plainPlan, offset))) return { clockOffsetMs: offset };
  }
  for (const { title, edit, breaks } of await readDialects()) {
    const plan = planFor(session, edit, offset);
    if (plan === undefined) continue;
    if (left === 0) break;
    left -= 1;
    if (!isSuccess(await ask(session, plan, offset))) continue;
    const clock = offset === 0 ? "" : `, with its clock ${shownOffset(offset)} yours`;
    return {
      sentence: `the target accepts a request if ${title}${clock}; the specification does not (${breaks})`,
      clauses: breaks.startsWith("AS-") ? [] : [breaks, "AUTH-07"],
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
  const signed = await post(session, plainPlan);
  if (refused(signed) || signed.reply?.status !== 400) return undefined;
  if (!refused(await post(session, { ...plainPlan, transform: ["flipBit(0)"] }))) return undefined;
  return {
    sentence: "the target lets the same key in on a POST, and refuses its GET (AUTH-07)",
    clauses: ["AUTH-07"],
  };
}

function planFor(session: Session, edit: ValueMap, offset: number): SignPlan | undefined {
  const { target, now, nonce } = session.parts;
  const { keyId, secret } = session.credential("trader");
  const input = {
    keyId,
    secret,
    timestamp: String(now() + offset),
    nonce: nonce(),
    method: "GET",
    path: target.basePath + session.operation("openOrders").path,
    contentType: "application/json",
    body: new Uint8Array(),
  };
  return mistakenPlan(edit, input, target.basePath);
}

function ask(session: Session, plan: SignPlan, clockOffsetMs: number): Promise<Exchange> {
  return send(
    session,
    { operation: "openOrders", method: "GET", body: new Uint8Array() },
    plan,
    clockOffsetMs,
  );
}

const post = (session: Session, plan: SignPlan): Promise<Exchange> =>
  send(session, { operation: "placeOrder", method: "POST", body: noOrder }, plan, 0);

function send(
  session: Session,
  request: { readonly operation: string; readonly method: string; readonly body: Uint8Array },
  sign: SignPlan,
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
      sign,
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
