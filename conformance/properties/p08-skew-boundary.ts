import type { Ask } from "./property.ts";
import { call } from "./templates.ts";

/**
 * Where a target draws its line for timestamps, to the second: bisected once on each side of the clock, after P-08 has
 * found no hole in what is accepted. On a side where nothing is refused, or nothing accepted, there is no line to find.
 * Known limit: a line within a quarter of a second of a half second may be seen on either side of it.
 */
export const atOffset = (sign: string, ms: number): { sign: { atClock: { offset: string } } } => ({
  sign: { atClock: { offset: `${sign}${ms}ms` } },
});

const nearestMs = 2 ** 6;
const farthestMs = 2 ** 22;
/** Half of a second: the middle of what is left then rounds to the line, whatever the way there took. */
const widthMs = 500;

export async function skewBoundary(ask: Ask): Promise<Record<string, string>> {
  const sides: string[] = [];
  for (const sign of ["-", "+"]) {
    const seconds = await boundaryOf((ms) => isAccepted(ask, sign, ms));
    if (seconds !== undefined) sides.push(`${sign}${seconds} s`);
  }
  return sides.length === 0 ? {} : { "clock skew": `accepts ${sides.join(" to ")}, to the second` };
}

/** Halves the exponent while the line may be anywhere, then the distance: about a dozen requests. */
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

/** Undefined: neither answered nor refused for its credentials, or not sent; that says nothing about the clock. */
async function isAccepted(ask: Ask, sign: string, ms: number): Promise<boolean | undefined> {
  const status = await ask({ steps: [call("skewed", "openOrders", atOffset(sign, ms))] });
  return status === 401 ? false : status === 200 ? true : undefined;
}
