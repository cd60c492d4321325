/** fixtures/spec/freedoms.yaml as the simulator needs it: which choice of the specification is which setting or variation. */
import { isDeepStrictEqual } from "node:util";
import { defaultSettings, type Settings, type Variation } from "../domain/settings.ts";
import { fixture } from "../fixture.ts";
import { defaultServerSettings, type ServerSettings } from "./server-settings.ts";

export interface FreedomOption {
  readonly id: string;
  readonly means: string;
  /** Value of the setting, if it is not the id. */
  readonly value?: unknown;
  /** The legal variation that takes the option, where it is no value of a setting. */
  readonly variation?: Variation;
}

export interface Freedom {
  readonly id: string;
  readonly gap: string;
  readonly options: readonly FreedomOption[];
  readonly default: string;
  readonly reason: string;
  /** Path under `settings` of a world, where the freedom is a setting. */
  readonly setting: string | null;
  /** Where neither a setting nor a variation takes another option: the group that says why it cannot be switched. */
  readonly fixed?: string;
  /** The options that hostile mode may choose, unless it may choose all but the default. */
  readonly hostile?: readonly string[];
}

/** Options by the id of their freedom; the text of a number, where the setting takes other numbers, too. */
export type Choices = Readonly<Record<string, string>>;

interface Register {
  readonly freedoms: readonly Freedom[];
  readonly fixed: Readonly<Record<string, string>>;
  readonly sets: Readonly<Record<string, Choices>>;
}

let register: Register | undefined;

// as: the file is ours, and a test looks at every entry of it.
const known = (): Register => (register ??= fixture("spec", "freedoms.yaml") as Register);

export const knownFreedoms = (): readonly Freedom[] => known().freedoms;

/** The named sets of options. */
export const freedomSets = ["polite", "prime-like", "strict"] as const;
export type FreedomSet = (typeof freedomSets)[number];

/** A freedom that a set does not name has its default. */
export const choicesOf = (set: FreedomSet): Choices => known().sets[set] ?? {};

/** Why it cannot be switched, or null. */
export const whyFixed = ({ fixed }: Freedom): string | null =>
  fixed === undefined ? null : (known().fixed[fixed] ?? null);

export const whens = ["run time", "start", "never"] as const;

/** When a freedom can be switched: a setting of the engine or a variation at any time, one of the server at a start. */
export function whenOf({ setting, options }: Freedom): (typeof whens)[number] {
  if (setting === null)
    return options.some(({ variation }) => variation !== undefined) ? "run time" : "never";
  return Object.hasOwn(defaultServerSettings, setting.split(".")[0] ?? "") ? "start" : "run time";
}

/** The settings that a world does not have to name. */
const unnamed: Pick<Settings, "answerDelayMs"> = { answerDelayMs: 0 };

/** Numbers that are no option of the register are shown as they are. */
export function optionInForce(freedom: Freedom, settings: Settings & object): string {
  const { setting, options, default: usual } = freedom;
  const { variations = [] } = settings;
  const varied = options.find(({ variation }) => variation !== undefined && variations.includes(variation));
  if (varied !== undefined) return varied.id;
  if (setting === null) return usual;
  const value = settingAt({ ...unnamed, ...settings }, setting);
  return options.find((option) => valueOf(option) === value)?.id ?? String(value);
}

const remembered = new WeakMap<Settings, Choices>();

/** The freedoms whose option is not the default. `server` belongs to the world of the settings. */
export function choicesInForce(settings: Settings, server: ServerSettings): Choices {
  const found = remembered.get(settings) ?? differing(settings, server);
  remembered.set(settings, found);
  return found;
}

function differing(settings: Settings, server: ServerSettings): Choices {
  const all = { ...settings, ...server };
  // The register is a file: a world as it comes needs it for nothing.
  if (isDeepStrictEqual(all, { ...defaultSettings, ...defaultServerSettings })) return {};
  const inForce = knownFreedoms().map((freedom) => ({ freedom, option: optionInForce(freedom, all) }));
  const others = inForce.filter(({ freedom, option }) => option !== freedom.default);
  return Object.fromEntries(others.map(({ freedom, option }) => [freedom.id, option]));
}

export const valueOf = ({ id, value }: FreedomOption): unknown => (value === undefined ? id : value);

/** The value at a path such as `auth.signedPath`. */
export const settingAt = (settings: object, place: string): unknown =>
  place
    .split(".")
    .reduce<unknown>(
      (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
      settings,
    );
