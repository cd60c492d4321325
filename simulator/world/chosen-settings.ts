/** The settings of a world that chooses freedoms. Loaded for such a world only: another one needs neither register nor schema. */
import { err, ok, type Result } from "../domain/result.ts";
import type { ChosenSettings } from "./build-world.ts";
import { type ChoiceProblem, type GivenSettings, withChoices } from "./choose-freedoms.ts";
import { choicesOf } from "./freedoms.ts";
import { hostileFreedoms } from "./hostile.ts";
import type { FreedomChoices } from "./load-world.ts";

/** The settings of a world file with a named set, what a seed chooses, and named options, each before the next. */
export function chooseSettings(
  settings: GivenSettings,
  { freedomSet, hostile, freedoms }: FreedomChoices,
): Result<ChosenSettings, readonly string[]> {
  const set = freedomSet === undefined ? {} : choicesOf(freedomSet);
  const drawn = hostile === undefined ? {} : hostileFreedoms(hostile);
  const writtenSettings = withChoices(settings, { ...set, ...freedoms });
  const chosen = withChoices(settings, { ...set, ...drawn, ...freedoms });
  if (!writtenSettings.ok) return err(writtenSettings.error.map(sentenceOf));
  if (!chosen.ok) return err(chosen.error.map(sentenceOf));
  return ok({ settings: chosen.value, writtenSettings: writtenSettings.value, hostile: hostile ?? null });
}

const sentenceOf = ({ freedom, issue, advice }: ChoiceProblem): string =>
  `${freedom} ${issue}${advice === null ? "" : `: ${advice}`}`;
