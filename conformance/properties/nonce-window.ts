import type { Call, Expectation } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import type { Judged } from "./templates.ts";

/**
 * Where in the time that a target accepts a request is stamped, as a part of what the profile says is accepted either way. None is
 * a round number: at half of it a memory may end, and a millisecond would decide.
 */
const parts = { "about a third": 0.35, "about two thirds": 0.7, all: 1 } as const;
const places = Object.entries(parts).flatMap(([name, part]) => [
  [`${name} of it back`, -part] as const,
  [`${name} of it ahead`, part] as const,
]);

/** The dimension of a table: in the middle first, then everywhere on both sides. */
export const stamps: readonly string[] = ["now", ...places.map(([name]) => name)];

/** Where the profile says nothing; a target that accepts less shows nothing there. */
const usualMs = 30_000;
/** What a request may take on its way without falling over the edge. */
const wayMs = 2000;

/** How a request is signed to be stamped there. */
export function stamped(stamp: string, { auth }: Profile): Pick<Call, "sign" | "reuse"> {
  const part = new Map<string, number>(places).get(stamp);
  if (part === undefined) return {};
  const tolerance = auth.clockToleranceMs ?? usualMs;
  const size = Math.min(Math.abs(part) * tolerance, tolerance - Math.min(wayMs, tolerance / 4));
  return { sign: { override: { timestamp: `${part < 0 ? "-" : "+"}${Math.round(size)}ms` } } };
}

/** How a nonce is used again, and what says that it must not be. */
export const again = ["the same bytes", "its own time", "a new time"] as const;

export function signedAgain(how: string, source: string): Pick<Call, "sign" | "reuse"> {
  if (how === "the same bytes") return { reuse: source };
  const nonce = `\${${source}.request.nonce}`;
  // Within one millisecond the clock would give the old timestamp again.
  const timestamp = how === "its own time" ? `\${${source}.request.timestamp}` : "+1ms";
  return { sign: { override: { nonce, timestamp } } };
}

export const clausesOf = (how: string): string[] =>
  how === "a new time" ? ["AUTH-26", "AUTH-27"] : ["AUTH-26", "AUTH-45"];

/** What the first use has to be, and whether a reuse is held against it: away from now it may be refused, and then shows nothing. */
export const firstJudged = (stamp: string, expect: Expectation, clause: string): Judged =>
  stamp === "now" ? { spec: [clause], expect } : { observe: { status: "$any" } };

export const ifTaken = (stamp: string, source: string, status: string, expect: Expectation): Expectation =>
  stamp === "now" ? expect : { $switch: `\${${source}.status}`, [status]: expect };
