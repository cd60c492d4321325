/** The register of freedoms names switches that a world file has, with the values and defaults that it has. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { buildWorld } from "./build-world.ts";
import { readWorld } from "./read-world.ts";
import { problemsIn } from "./testing/small-world.ts";

interface Freedom {
  readonly id: string;
  readonly options: readonly { readonly id: string; readonly value?: unknown }[];
  readonly default: string;
  readonly setting: string | null;
}

const file = path.resolve(import.meta.dirname, "../../fixtures/spec/freedoms.yaml");
const { freedoms } = parse(readFileSync(file, "utf8")) as { readonly freedoms: readonly Freedom[] };

const switches = freedoms.flatMap(({ id, options, setting, default: usual }) =>
  setting === null
    ? []
    : options.map((option) => ({
        id,
        setting,
        option: option.id,
        value: option.value === undefined ? option.id : option.value,
        isDefault: option.id === usual,
      })),
);

function worldText(setting: string, value: unknown): string {
  const nested = setting.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return stringify({ extends: "demo", settings: nested });
}

/** The value at a path of the settings of a world, for engine and server. */
async function effective(text: string, setting: string): Promise<unknown> {
  const read = await readWorld(text, { file: "world.yaml", readText: () => Promise.resolve("") });
  if (!read.ok) return "refused";
  const { world, server } = buildWorld(read.value.file, read.value);
  return setting
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>>)[name], {
      answerDelayMs: 0,
      ...world.settings,
      ...server,
    });
}

describe("a freedom that can be switched", () => {
  it.each(switches)("$id: $setting takes the option $option", async ({ setting, value }) => {
    const text = worldText(setting, value);
    expect(await problemsIn(text)).toBe("no problem");
    expect(await effective(text, setting)).toEqual(value);
  });

  it.each(switches.filter(({ isDefault }) => isDefault))("$id: $option is the default", async (given) => {
    expect(await effective("extends: demo\n", given.setting)).toEqual(given.value);
  });

  it("has more than one option each, and there are many", () => {
    expect(switches.length).toBeGreaterThan(40);
  });
});
