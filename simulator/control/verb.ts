/**
 * The words of `gatewright ctl` for a control, and the request that they make. The values come from a command line as
 * texts; the schema of the body says what each stands for, and the control itself judges the result.
 */
import type { Schema } from "../schema/fields.ts";
import type { ControlRoute } from "./control-route.ts";
import type { ControlCall, ControlValue, ControlVerb, Values, Verb } from "./verb-types.ts";
import { worldControls } from "./world-controls.ts";

export const verbsOf = (route: ControlRoute): ControlVerb[] =>
  (route.verbs ?? []).map((verb) => verbOf(route, verb));

function verbOf(
  route: ControlRoute,
  { words, does, args = [], flags, fixed = {}, file, joined }: Verb,
): ControlVerb {
  const members = Object.keys(membersOf(route).properties ?? {});
  const params = Array.from(route.path.matchAll(/\{([A-Za-z]+)\}/g), ([, name = ""]) => name);
  const positional = [
    ...params.map((name) => ({ name, shown: kebab(name), description: "", isDuration: false })),
    ...args.map((path) => memberOf(route, path, "duration")),
  ].map((value) => ({ ...value, required: true }));
  const left = members.filter((name) => !args.includes(name) && !(name in fixed));
  const offered = file === true ? [] : (flags ?? left).filter((name) => left.includes(name));
  const optional = offered.map((name) => memberOf(route, name, kebab(name.replace(/Ms$/, ""))));
  return {
    words,
    usage: usageOf(words, [...textsOf(positional, joined), ...(file === true ? ["FILE"] : [])], optional),
    summary: does ?? route.summary,
    method: route.method,
    args: positional,
    flags: optional,
    file: file === true,
    joined: joined === true,
    ofWorlds: worldControls.includes(route),
    mistakeIn: (texts) =>
      mistakeIn(texts, positional, ({ shown }) => shown.toUpperCase()) ??
      mistakeIn(texts, optional, ({ shown }) => `--${shown}`),
    call: (texts) => callOf(route, { values: texts, fixed, read: readValue }),
    request: (values) => callOf(route, { values, fixed, read: (value) => value }),
  };
}

/** The parameters of a call: the members of the body, or those of the query of a control that has no body. */
export const membersOf = ({ body, query = {} }: Pick<ControlRoute, "body" | "query">): Schema =>
  body?.shape ?? { properties: query };

/** A member of the body, as `until.order` where it is one of a member. */
function memberOf(route: ControlRoute, path: string, duration: string): ControlValue {
  const steps = path.split(".");
  const above = steps
    .slice(0, -1)
    .reduce<Schema>((at, step) => at.properties?.[step] ?? {}, membersOf(route));
  const name = steps.at(-1) ?? "";
  const { description = "", unit } = above.properties?.[name] ?? {};
  const isDuration = unit === "ms";
  const shown = isDuration ? duration : kebab(name);
  return { name: path, shown, description, required: above.required?.includes(name) === true, isDuration };
}

function mistakeIn(
  texts: Readonly<Record<string, string>>,
  values: readonly ControlValue[],
  typed: (value: ControlValue) => string,
): string | undefined {
  const wrong = values.find(({ name, isDuration }) => {
    const text = texts[name] ?? "0";
    // Who types 90 may mean seconds.
    return isDuration && text !== "0" && !aDuration.test(text);
  });
  if (wrong === undefined) return undefined;
  const form = "a duration with its unit, such as 500ms, 30s, 2m, 1h30m or 1d";
  return `${typed(wrong)} must be ${form}, was ${JSON.stringify(texts[wrong.name])}`;
}

interface Filling<Value> {
  /** By name: parameters of the path, and members of the body. */
  readonly values: Readonly<Record<string, Value>>;
  readonly fixed: Values;
  readonly read: (value: Value, schema: Schema) => unknown;
}

function callOf<Value>({ path, body }: ControlRoute, { values, fixed, read }: Filling<Value>): ControlCall {
  const params = new Set<string>();
  const filled = path.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => {
    params.add(name);
    // As in `main@10`: the sign may stand in a path, and the gateway refuses escapes that nothing needs.
    return encodeURIComponent(String(values[name] ?? "")).replaceAll("%40", "@");
  });
  if (body === undefined) {
    const asked = Object.entries(values).filter(([name]) => !params.has(name));
    const texts = Object.fromEntries(asked.map(([name, value]) => [name, String(value)]));
    const search = new URLSearchParams(texts).toString();
    return { path: search === "" ? filled : `${filled}?${search}` };
  }
  const sent: Record<string, unknown> = { ...fixed };
  for (const [name, value] of Object.entries(values))
    if (!params.has(name)) put(sent, name, (schema) => read(value, schema), body.shape);
  return { path: filled, body: sent };
}

/** `until.order` becomes the member `order` of the member `until`. */
function put(
  into: Record<string, unknown>,
  path: string,
  read: (schema: Schema) => unknown,
  schema: Schema,
): void {
  const [name = "", ...rest] = path.split(".");
  const member = schema.properties?.[name] ?? {};
  if (rest.length === 0) {
    into[name] = read(member);
    return;
  }
  // as: only this function puts an object there.
  const inner = (into[name] ??= {}) as Record<string, unknown>;
  put(inner, rest.join("."), read, member);
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function usageOf(words: string, texts: readonly string[], flags: readonly ControlValue[]): string {
  const options = flags.map(({ shown, required }) => (required ? `--${shown} VALUE` : `[--${shown} VALUE]`));
  return [words, ...texts, ...options].join(" ");
}

function textsOf(args: readonly ControlValue[], joined?: true): string[] {
  const texts = args.map(({ shown }) => shown.toUpperCase());
  return joined === true ? [texts.join("=")] : texts;
}

/** The value that a text stands for. A text that fits nothing stays a text, for the control to refuse. */
function readValue(text: string, { type, unit, discriminator }: Schema): unknown {
  const types = [type ?? []].flat();
  // `--fault dropConnectionAfter`, of a fault without other members.
  if (discriminator !== undefined && /^\w+$/.test(text)) return { [discriminator.propertyName]: text };
  if (unit === "ms") return durationMs(text) ?? text;
  if (types.includes("integer") || types.includes("number"))
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes("boolean")) return text === "true" ? true : text === "false" ? false : text;
  if (types.includes("array") && !text.startsWith("[")) return text.split(",");
  return types.includes("array") || types.includes("object") ? jsonOr(text) : text;
}

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const aDuration = /^(\d{1,12}(ms|s|m|h|d)){1,5}$/;

/** `90s`, `1h30m`, `1d`; a number alone is in milliseconds, as the control takes it. */
function durationMs(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  if (!aDuration.test(text)) return undefined;
  const parts = text.matchAll(/(\d+)([a-z]+)/g);
  return [...parts].reduce((sum, [, digits, unit = "ms"]) => sum + Number(digits) * (unitsMs[unit] ?? 1), 0);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
