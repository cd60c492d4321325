import type { FreedomEntry } from "./register.ts";
import type { Learned, Reader, Round, Told } from "./sighting.ts";

const mostEvidence = 4;

/**
 * The conclusion from all rounds for every freedom of the register. Samples that contradict each other make it unknown, with both
 * as evidence; nothing is guessed from a default.
 */
export function conclude(
  register: readonly FreedomEntry[],
  readers: readonly Reader[],
  rounds: readonly Round[],
): Learned[] {
  return register.map(({ id, options, setting }) => {
    const reader = readers.find(({ freedom }) => freedom === id);
    if (reader === undefined) return unknown(id, unseen(id), []);
    const told = rounds.flatMap((round) => reader.read(round));
    return judged(
      id,
      told,
      (option) => options.some((one) => one.id === option) || takesNumber(option, setting),
    );
  });
}

const takesNumber = (option: string, setting: string | null): boolean =>
  setting !== null && /^\d+$/.test(option);

function judged(freedom: string, told: readonly Told[], isKnown: (option: string) => boolean): Learned {
  const sightings = told.filter((one) => "option" in one);
  const options = [...new Set(sightings.map(({ option }) => option))];
  const [option] = options;
  const evidence = [...new Set(sightings.map((one) => one.evidence))];
  if (option === undefined) {
    const [first] = told.filter((one) => "untold" in one);
    const seen = [...new Set(told.map((one) => one.evidence))].filter((text) => text !== "");
    return unknown(freedom, first?.untold ?? "no probe was run", seen.slice(0, mostEvidence));
  }
  if (options.length > 1) {
    const both = options.flatMap(
      (one) => sightings.find((sighting) => sighting.option === one)?.evidence ?? [],
    );
    return unknown(freedom, `the samples contradict each other: ${options.join(" and ")}`, both);
  }
  if (!isKnown(option))
    return unknown(freedom, `${option} is no option of the register`, evidence.slice(0, mostEvidence));
  const samples = sightings.length;
  const confidence = samples > 1 ? "high" : "low";
  return { freedom, option, evidence: evidence.slice(0, mostEvidence), samples, confidence };
}

const unknown = (freedom: string, reason: string, evidence: readonly string[]): Learned => ({
  freedom,
  option: "unknown",
  reason,
  evidence,
  samples: 0,
  confidence: "none",
});

const byTrade = "only an order that trades shows it, and learn sends none";

/** Freedoms that a gateway may be configured in, and that no safe probe can see. */
const reasons: Readonly<Record<string, string>> = {
  "F-nonce-retention": "it would take minutes to see a nonce forgotten",
  "F-market-buy-base-quantity": byTrade,
  "F-quote-value-by-type": byTrade,
  "F-market-price-field": byTrade,
  "F-market-buy-size-check": byTrade,
  "F-match-delay": byTrade,
  "F-self-trade": byTrade,
  "F-price-collar": byTrade,
  "F-improvement-release": byTrade,
  "F-candle-gaps": "it needs a market that has been quiet for a while",
  "F-ws-idle-subscribe": "learn opens no stream",
  "F-rate-limit": "a burst that reaches a limit is not safe",
  "F-open-order-cap": "it would take as many open orders as the limit allows",
};

const unseen = (freedom: string): string => reasons[freedom] ?? "no safe probe shows it from outside";
