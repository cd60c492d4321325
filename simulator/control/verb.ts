/**
 * The words of `gatewright ctl` for a control, and the request that they make. The values come from a command line as
 * texts; the schema of the body says what each stands for, and the control itself judges the result.
 */
import type { Schema } from "../schema/fields.ts";
import { controlRoutes } from "./all-controls.ts";
import type { ControlRoute, Verb } from "./control-route.ts";

/** A verb with what a command line has to know of it. */
export interface ControlVerb {
  readonly words: string;
  /** `deposit create CLIENT ASSET AMOUNT [--network VALUE]`. */
  readonly usage: string;
  readonly summary: string;
  readonly method: ControlRoute["method"];
  readonly args: readonly ControlValue[];
  readonly flags: readonly ControlValue[];
  readonly file: boolean;
  /** Path below the control surface and body, from the values by name. */
  readonly call: (values: Readonly<Record<string, string>>) => {
    readonly path: string;
    readonly body?: Readonly<Record<string, unknown>>;
  };
}

export interface ControlValue {
  readonly name: string;
  /** As help texts name it: `duration`, `min-order-size`. */
  readonly shown: string;
  readonly description: string;
  readonly required: boolean;
}

export function controlVerbs(): ControlVerb[] {
  return controlRoutes.flatMap((route) => (route.verbs ?? []).map((verb) => verbOf(route, verb)));
}

function verbOf(route: ControlRoute, { words, does, args = [], flags, fixed = {}, file }: Verb): ControlVerb {
  const members = Object.entries(route.body?.shape.properties ?? {});
  const required = new Set(route.body?.shape.required ?? []);
  const valueOf = ([name, { description = "", unit }]: [string, Schema]): ControlValue => ({
    name,
    shown: unit === "ms" ? "duration" : kebab(name),
    description,
    required: required.has(name),
  });
  const params = Array.from(route.path.matchAll(/\{([A-Za-z]+)\}/g), ([, name = ""]) => name);
  const left = members.filter(([name]) => !args.includes(name) && !(name in fixed));
  const offered = file === true ? [] : left.filter(([name]) => flags?.includes(name) ?? true);
  const positional = [
    ...params.map((name) => ({ name, shown: kebab(name), description: "" })),
    ...args.flatMap((name) => members.filter(([member]) => member === name).map(valueOf)),
  ].map((value) => ({ ...value, required: true }));
  const optional = offered.map(valueOf);
  return {
    words,
    usage: usageOf(words, positional, optional, file === true),
    summary: does ?? route.summary,
    method: route.method,
    args: positional,
    flags: optional,
    file: file === true,
    call: (values) => {
      const path = route.path.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name] ?? ""),
      );
      if (route.body === undefined) return { path };
      const given = members.flatMap(([name, schema]) => {
        const text = values[name];
        return text === undefined ? [] : [[name, readValue(text, schema)] as const];
      });
      return { path, body: { ...Object.fromEntries(given), ...fixed } };
    },
  };
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function usageOf(
  words: string,
  args: readonly ControlValue[],
  flags: readonly ControlValue[],
  file: boolean,
): string {
  const options = flags.map(({ shown, required }) => (required ? `--${shown} VALUE` : `[--${shown} VALUE]`));
  const texts = args.map(({ shown }) => shown.toUpperCase());
  return [words, ...texts, ...(file ? ["FILE"] : []), ...options].join(" ");
}

/** The value that a text stands for. What fits nothing stays a text, for the control to refuse. */
function readValue(text: string, { type, unit }: Schema): unknown {
  const types = [type ?? []].flat();
  if (unit === "ms") return durationMs(text) ?? text;
  if (types.includes("integer") || types.includes("number"))
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (types.includes("boolean")) return text === "true" ? true : text === "false" ? false : text;
  return types.includes("array") || types.includes("object") ? jsonOr(text) : text;
}

const unitsMs: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `90s`, `1m`, `2h`, `1d`, or plain milliseconds. */
function durationMs(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitsMs[unit] ?? 1);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
