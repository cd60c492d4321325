/**
 * Chosen options of freedoms, and the settings that they stand for. One reader for a world file, a flag and a control.
 */
import { didYouMean } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Variation } from "../domain/settings.ts";
import { decode } from "../schema/decode.ts";
import {
  type Choices,
  type Freedom,
  type FreedomOption,
  knownFreedoms,
  valueOf,
  whenOf,
  whyFixed,
} from "./freedoms.ts";
import { SettingsSchema } from "./schema/settings.ts";
import type { WorldFile } from "./schema.ts";

/** Settings as a world file spells them. */
export type GivenSettings = NonNullable<WorldFile["settings"]>;

export interface ChoiceProblem {
  readonly freedom: string;
  /** `unknown`: there is no such freedom. `fixed`: it cannot be chosen. `option`: it has no such option. */
  readonly kind: "unknown" | "fixed" | "option";
  readonly issue: string;
  readonly advice: string | null;
}

/** The settings with all choices in them, or everything that is wrong with the choices. */
export function withChoices(
  settings: GivenSettings,
  choices: Choices,
): Result<GivenSettings, readonly ChoiceProblem[]> {
  const problems: ChoiceProblem[] = [];
  let chosen = settings;
  for (const [id, option] of Object.entries(choices)) {
    const next = withChoice(chosen, id, option);
    if (next.ok) chosen = next.value;
    else problems.push(next.error);
  }
  return problems.length === 0 ? ok(chosen) : err(problems);
}

function withChoice(
  settings: GivenSettings,
  id: string,
  given: string,
): Result<GivenSettings, ChoiceProblem> {
  const freedom = knownFreedoms().find((one) => one.id === id);
  if (freedom === undefined) return err(unknownFreedom(id));
  if (whenOf(freedom) === "never") return err(fixedFreedom(freedom));
  const option = freedom.options.find((one) => one.id === given);
  const { setting } = freedom;
  if (option !== undefined && !canBeTaken(freedom, option)) return err(unknownOption(freedom, given));
  if (setting === null)
    return option === undefined ? err(unknownOption(freedom, given)) : ok(varied(settings, freedom, option));
  const value = option === undefined ? numberIn(given) : valueOf(option);
  const alone = put({}, setting, value);
  return decode(SettingsSchema, alone).ok && value !== undefined
    ? ok(put(settings, setting, value))
    : err(unknownOption(freedom, given));
}

/** Of a freedom without a setting, the default and what a variation makes; the register lists others that gateways take. */
export const canBeTaken = (freedom: Freedom, option: FreedomOption): boolean =>
  freedom.setting !== null || option.id === freedom.default || option.variation !== undefined;

const numberIn = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

function varied(settings: GivenSettings, { options }: Freedom, { variation }: FreedomOption): GivenSettings {
  const own = new Set(
    options.flatMap((one): Variation[] => (one.variation === undefined ? [] : [one.variation])),
  );
  const others = (settings.variations ?? []).filter((one) => !own.has(one));
  return { ...settings, variations: [...others, ...(variation === undefined ? [] : [variation])].sort() };
}

/** `auth.signedPath` is the member `signedPath` of the member `auth`. */
function put(settings: GivenSettings, path: string, value: unknown): GivenSettings {
  const [outer = "", inner] = path.split(".");
  if (inner === undefined) return { ...settings, [outer]: value };
  const section: unknown = Reflect.get(settings, outer);
  return { ...settings, [outer]: { ...(section as object | undefined), [inner]: value } };
}

function unknownFreedom(id: string): ChoiceProblem {
  const ids = knownFreedoms().map((one) => one.id);
  return { freedom: id, kind: "unknown", issue: "is no freedom", advice: didYouMean(id, ids) };
}

const fixedFreedom = (freedom: Freedom): ChoiceProblem => ({
  freedom: freedom.id,
  kind: "fixed",
  issue: `cannot be switched, the simulator knows its one option only: ${whyFixed(freedom) ?? freedom.reason}`,
  advice: null,
});

function unknownOption(freedom: Freedom, given: string): ChoiceProblem {
  const ids = freedom.options.filter((option) => canBeTaken(freedom, option)).map((option) => option.id);
  const issue = `has no option ${JSON.stringify(given.slice(0, 40))} that can be chosen: it has ${ids.join(", ")}${freedom.options.some(({ value }) => typeof value === "number") ? ", or another number" : ""}`;
  return { freedom: freedom.id, kind: "option", issue, advice: didYouMean(given, ids) };
}
