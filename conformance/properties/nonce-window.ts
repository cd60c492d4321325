import type { Call, Expectation } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import type { Judged } from "./templates.ts";

/**
 * Positions of a timestamp within the accepted time, as fractions of the limit that the profile states for either side.
 * None is a round fraction: at half of the time a memory may end, and a millisecond would decide.
 */
const parts = { "about a third": 0.35, "about two thirds": 0.7, all: 1 } as const;
const places = Object.entries(parts).flatMap(([name, part]) => [
  [`${name} of it back`, -part] as const,
  [`${name} of it ahead`, part] as const,
]);

/** The dimension of a table: the middle first, then places on both sides. */
export const stamps: readonly string[] = ["now", ...places.map(([name]) => name)];

/** The default if the profile does not state a limit. A target that accepts less shows nothing there. */
const usualMs = 30_000;
/** The time that a request may take without crossing the limit. */
const wayMs = 2000;

/** Signs a request with a timestamp at that place. */
export function stamped(stamp: string, { auth }: Profile): Pick<Call, "sign" | "reuse"> {
  const part = new Map<string, number>(places).get(stamp);
  if (part === undefined) return {};
  const tolerance = auth.clockToleranceMs ?? usualMs;
  const size = Math.min(Math.abs(part) * tolerance, tolerance - Math.min(wayMs, tolerance / 4));
  return { sign: { override: { timestamp: `${part < 0 ? "-" : "+"}${Math.round(size)}ms` } } };
}

/** The second use of a nonce, and the clause that forbids it. */
export const again = ["the same bytes", "its own time", "a new time"] as const;

export function signedAgain(how: string, source: string): Pick<Call, "sign" | "reuse"> {
  if (how === "the same bytes") return { reuse: source };
  const nonce = `\${${source}.request.nonce}`;
  // Within one millisecond the clock would give the same timestamp again.
  const timestamp = how === "its own time" ? `\${${source}.request.timestamp}` : "+1ms";
  return { sign: { override: { nonce, timestamp } } };
}

export const clausesOf = (how: string): string[] =>
  how === "a new time" ? ["AUTH-26", "AUTH-27"] : ["AUTH-26", "AUTH-45"];

/**
 * The expectation for the first use, and whether a second one is judged. Far from now the first use may be refused, and
 * then the plan shows nothing.
 */
export const firstJudged = (stamp: string, expect: Expectation, clause: string): Judged =>
  stamp === "now" ? { spec: [clause], expect } : { observe: { status: "$any" } };

export const ifTaken = (stamp: string, source: string, status: string, expect: Expectation): Expectation =>
  stamp === "now" ? expect : { $switch: `\${${source}.status}`, [status]: expect };
