import { clockOffset } from "../../client/target-clock.ts";
import type { Dialect } from "../../model/dialect.ts";
import { type Exchange, isSuccess } from "../../model/exchange.ts";
import { isWithin } from "../../model/profile.ts";
import type { ValueMap } from "../../model/value.ts";
import { plainPlan, type SignPlan } from "../../signing/tamper.ts";
import type { Session } from "../session.ts";
import { mistakenPlan } from "./mistaken-plan.ts";

const mostGets = 16;
/** A target that locks a key after so few refusals is not probed. */
const fewRefusals = 8;

/** The result of the probe: advice for the user, and the clauses that it proves broken. */
export interface Misreading {
  readonly sentence: string;
  readonly clauses: readonly string[];
}

/** The signature is interpreted correctly, but with another clock. Which of the two clocks is wrong is unknown. */
export interface OtherClock {
  readonly clockOffsetMs: number;
}

/**
 * The misreading that the target accepts; undefined if it accepts none. Probed only after a correctly signed GET was
 * refused, with at most sixteen requests and at most half of the refusals before the target locks the key, on a route
 * that changes nothing.
 *
 * An accepted misreading proves that key, secret and clock are correct. So it proves two violations: the misread
 * clause, and AUTH-07, because the correct signature was refused. The decoding of a secret to a key is an assumption,
 * and a clock is not the target's mistake: they prove nothing.
 *
 * Known limit: a target with two misreadings at once is not recognised; a wrong clock together with one misreading is.
 */
export async function probeDialects(
  session: Session,
  golden: Exchange,
  dialects: () => Promise<readonly Dialect[]>,
): Promise<Misreading | OtherClock | undefined> {
  const { lockoutAfter = 2 * mostGets } = session.profile.auth;
  const offset = clockOffset(golden.reply?.headers ?? [], session.parts.now());
  let left = Math.min(mostGets, Math.floor(lockoutAfter / 2));
  if (offset !== 0 && left > 0) {
    left -= 1;
    if (isSuccess(await ask(session, plainPlan, offset))) return { clockOffsetMs: offset };
  }
  for (const { title, edit, breaks } of await dialects()) {
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
  // Any other status may have another reason, which the cases will find.
  const isAsked = golden.reply?.status === 401 && lockoutAfter >= fewRefusals;
  return isAsked ? acceptsOnlyBodies(session) : undefined;
}

/** A body that no gateway can take for an order, so that only the signature decides between 401 and another refusal. */
const noOrder = Buffer.from("{}", "utf8");

/**
 * The same key on a POST: if a signed one is accepted and an unsigned one refused, the GET should have been accepted,
 * too.
 */
async function acceptsOnlyBodies(session: Session): Promise<Misreading | undefined> {
  const refused = ({ reply }: Exchange): boolean => [401, 403].includes(reply?.status ?? 401);
  if (!isWithin("reject-only", session.profile.safety.allow)) return undefined;
  const signed = await post(session, plainPlan);
  if (refused(signed) || signed.reply?.status !== 400) return undefined;
  if (!refused(await post(session, { ...plainPlan, transform: ["flipBit(0)"] }))) return undefined;
  return {
    sentence: "the target accepts the key on a POST and refuses it on a GET (AUTH-07)",
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

function shownOffset(offset: number): string {
  return `${Math.round(Math.abs(offset) / 1000)} s ${offset > 0 ? "ahead of" : "behind"}`;
}
