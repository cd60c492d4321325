import type { Ask } from "./property.ts";
import { call } from "./templates.ts";

/**
 * Finds the limit of a target for timestamps, to the second: by bisection, once on each side of the clock, after P-08
 * has found no gap in the accepted range. On a side without refused or without accepted timestamps there is no limit to
 * find.
 * Known limit: a boundary within a quarter of a second of a half second may be rounded to either side.
 */
export const atOffset = (sign: string, ms: number): { sign: { atClock: { offset: string } } } => ({
  sign: { atClock: { offset: `${sign}${ms}ms` } },
});

const nearestMs = 2 ** 6;
const farthestMs = 2 ** 22;
/** Half of a second: the middle of the remaining range then rounds to the limit, independent of the steps before. */
const widthMs = 500;

export async function skewBoundary(ask: Ask): Promise<Record<string, string>> {
  const sides: string[] = [];
  for (const sign of ["-", "+"]) {
    const seconds = await boundaryOf((ms) => isAccepted(ask, sign, ms));
    if (seconds !== undefined) sides.push(`${sign}${seconds} s`);
  }
  return sides.length === 0 ? {} : { "clock skew": `accepts ${sides.join(" to ")}, to the second` };
}

/** Halves the exponent first, then the distance: about a dozen requests. */
async function boundaryOf(
  accepts: (ms: number) => Promise<boolean | undefined>,
): Promise<number | undefined> {
  if ((await accepts(nearestMs)) !== true || (await accepts(farthestMs)) !== false) return undefined;
  let [inside, outside] = [nearestMs, farthestMs];
  while (outside - inside > widthMs) {
    const middle = outside > 2 * inside ? Math.sqrt(inside * outside) : (inside + outside) / 2;
    const tried = Math.round(middle);
    const accepted = await accepts(tried);
    if (accepted === undefined) return undefined;
    if (accepted) inside = tried;
    else outside = tried;
  }
  return Math.round((inside + outside) / 2000);
}

/** Undefined: not sent, or neither answered nor refused for its credentials. That shows nothing about the clock. */
async function isAccepted(ask: Ask, sign: string, ms: number): Promise<boolean | undefined> {
  const status = await ask({ steps: [call("skewed", "openOrders", atOffset(sign, ms))] });
  return status === 401 ? false : status === 200 ? true : undefined;
}
