import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Schema } from "../schema/fields.ts";
import { buildWorld } from "./build-world.ts";
import { demoWorld } from "./demo-world.ts";
import { readWorld } from "./read-world.ts";
import { WorldSchema } from "./schema.ts";
import { problemsIn } from "./testing/small-world.ts";

const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/world.md"), "utf8");

interface Block {
  readonly language: string;
  readonly line: number;
  readonly text: string;
}

const blocks: readonly Block[] = [...page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)].map((match) => ({
  language: match[1] ?? "",
  line: page.slice(0, match.index).split("\n").length + 1,
  text: match[2] ?? "",
}));

const textOf = (language: string): string => blocks.find((block) => block.language === language)?.text ?? "";
const worlds = blocks.filter((block) => block.language === "yaml");

/** The world of the page that mentions something. */
const worldWith = (piece: string): Record<string, unknown> => {
  const block = worlds.find(({ text }) => text.includes(piece));
  if (block === undefined) throw new Error(`no example has ${piece}`);
  return parse(block.text) as Record<string, unknown>;
};

describe("The page about worlds", () => {
  it.each(worlds.map((block) => [block.line, block.text]))(
    "has a sound example in line %d",
    async (_, text) => {
      const files = { "market.csv": textOf("csv") };
      expect(await problemsIn(text, files)).toBe("no problem");
      const readText = () => Promise.resolve(files["market.csv"]);
      const read = await readWorld(text, { file: "world.yaml", readText });
      if (read.ok) expect(buildWorld(read.value.file, read.value).world.digest).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  it("has at least one example of everything", () => {
    expect(worlds.length).toBeGreaterThan(8);
  });

  it("shows the messages that its wrong example gets", async () => {
    expect((await problemsIn(textOf("yaml wrong"))).trim()).toBe(textOf("text").trim());
  });

  it("shows every setting with its default", () => {
    const shown = buildWorld({ ...demoWorld, settings: worldWith("matchDelayMs: 50")["settings"] ?? {} });
    expect({ ...shown, source: null }).toEqual({ ...buildWorld(demoWorld), source: null });
    expect(Object.keys(worldWith("matchDelayMs: 50")["settings"] ?? {}).sort()).toEqual(
      Object.keys(memberOf(WorldSchema, "settings").properties ?? {}).sort(),
    );
    for (const section of ["auth", "rateLimit", "limits"]) {
      const { properties = {} } = memberOf(memberOf(WorldSchema, "settings"), section);
      for (const name of Object.keys(properties)) expect(page).toContain(`${name}:`);
    }
  });

  it("describes every limit with its range", () => {
    const { properties = {} } = memberOf(memberOf(WorldSchema, "settings"), "limits");
    for (const [name, { default: usual, description = "", minimum, maximum, unit }] of Object.entries(
      properties,
    )) {
      const said = `${name}: ${String(usual)} # ${description.replace(/\.$/, "")}; ${minimum} to ${maximum} ${unit}\n`;
      expect(page.toLowerCase()).toContain(said.toLowerCase());
    }
  });

  it("names every liquidity mode", () => {
    const markets = memberOf(memberOf(WorldSchema, "products").items, "liquidity").oneOf ?? [];
    for (const mode of markets) expect(page).toContain(`| \`${memberOf(mode, "mode").const}\` |`);
    expect(markets.length).toBeGreaterThan(3);
  });

  it("names every key of the demo world", () => {
    const table = page.slice(page.indexOf("| Key of the demo world"), page.indexOf("The id of a demo key"));
    for (const key of demoWorld.keys ?? []) expect(table).toContain(`\`${key.name}\``);
  });
});

function memberOf(schema: Schema | undefined, name: string): Schema {
  const member = schema?.properties?.[name];
  if (member === undefined) throw new Error(`the schema has no ${name}`);
  return member;
}
