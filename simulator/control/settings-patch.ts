/** A change of engine settings, checked field by field against what each freedom allows. */
import { err, ok, type Result } from "../domain/result.ts";
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import type { Problem } from "../wire/order-request.ts";

const CHOICES: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  acceptance: ["sync", "async"],
  cancelMode: ["sync", "async"],
  stp: ["cancel-newest", "cancel-oldest", "cancel-both", "decrement", "none"],
  stopOnCrossed: ["reject", "trigger"],
  releaseImprovement: ["at-end", "per-fill"],
  marketBuySizeCheck: ["estimate", "quote-limits"],
};

/** Largest value of each whole number; a delay of a day is a typing error. */
export const LARGEST: Readonly<Partial<Record<keyof Settings, number>>> = {
  matchDelayMs: 86_400_000,
  syncDelayMs: 86_400_000,
  confirmDelayMs: 86_400_000,
  slippageCollarBps: 10_000,
  maxOpenOrders: 1_000_000,
};

export function readSettings(value: unknown): Result<Partial<Settings>, readonly Problem[]> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return err([{ field: "settings", issue: "must be an object" }]);
  const problems: Problem[] = [];
  for (const [name, given] of Object.entries(value)) {
    const issue = problemWith(name, given);
    if (issue !== null) problems.push({ field: name, issue });
  }
  return problems.length > 0 ? err(problems) : ok(value);
}

function problemWith(name: string, given: unknown): string | null {
  if (!Object.hasOwn(DEFAULT_SETTINGS, name))
    return `is not a setting; the settings are ${Object.keys(DEFAULT_SETTINGS).join(", ")}`;
  const key = name as keyof Settings;
  const choices = CHOICES[key];
  if (choices !== undefined)
    return typeof given === "string" && choices.includes(given)
      ? null
      : `must be one of ${choices.join(", ")}`;
  if (given === null && key === "slippageCollarBps") return null;
  const largest = LARGEST[key] ?? 0;
  const fits = Number.isSafeInteger(given) && Number(given) >= 0 && Number(given) <= largest;
  return fits ? null : `must be a whole number from 0 to ${largest}`;
}
