import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { decode } from "../schema/decode.ts";
import type { Schema, Shape } from "../schema/fields.ts";
import { buildWorld } from "./build-world.ts";
import { demoWorld } from "./demo-world.ts";
import { publishedSchema } from "./published-schema.ts";
import { type WorldFile, WorldSchema } from "./schema.ts";

const worlds = path.resolve(import.meta.dirname, "../../fixtures/worlds");

/** Every section and property of the schema, with its path. */
function* nodesOf(node: Schema, at: string): Generator<readonly [string, Schema]> {
  yield [at, node];
  for (const [name, child] of Object.entries(node.properties ?? {})) yield* nodesOf(child, `${at}.${name}`);
  if (typeof node.additionalProperties === "object") yield* nodesOf(node.additionalProperties, `${at}.*`);
  if (node.items !== undefined) yield* nodesOf(node.items, `${at}[]`);
  for (const [index, branch] of (node.oneOf ?? []).entries()) yield* nodesOf(branch, `${at}|${index}`);
}

const nodes = [...nodesOf(WorldSchema, "world")];

describe("The published schema of a world file", () => {
  it("is fixtures/worlds/world.schema.json", async () => {
    await expect(publishedSchema()).toMatchFileSnapshot(path.join(worlds, "world.schema.json"));
  });

  it("is valid draft-07 and accepts the world files of this project", () => {
    const ajv = new Ajv({ strict: false });
    const schema = JSON.parse(publishedSchema());
    expect(ajv.validateSchema(schema)).toBe(true);
    const validate = ajv.compile(schema);
    for (const name of ["demo.yaml", "replay.yaml", "still.yaml"]) {
      expect(validate(parse(readFileSync(path.join(worlds, name), "utf8"))), name).toBe(true);
    }
    expect(validate({ products: [{ id: "BTC-USD", liquidity: { mode: "sideways" } }] })).toBe(false);
  });
});

describe("The schema", () => {
  it("describes every property", () => {
    const silent = nodes.filter(([at, { description }]) => !/\|\d+$/.test(at) && !description?.endsWith("."));
    expect(silent.map(([at]) => at)).toEqual([]);
  });

  it("is read as a validator of another hand reads it, at and beyond every bound", () => {
    const ajv = new Ajv({ strict: false });
    const texts = (length: number): string[] => [length - 1, length, length + 1].map((n) => "x".repeat(n));
    const others = [
      "",
      "x",
      "BTC",
      "BTC-USD",
      "0.1",
      "-0.1",
      "01",
      "1e5",
      0,
      -1,
      true,
      null,
      [],
      {},
      [1, 1],
      [{}],
    ];
    let taken = 0;
    for (const [at, node] of nodes) {
      const validate = ajv.compile(node);
      const values = [
        ...[node.minimum, node.maximum].flatMap((n) => (n === undefined ? [] : [n - 1, n, n + 1, n + 0.5])),
        ...[node.minLength, node.maxLength].flatMap((n) => (n === undefined ? [] : texts(n))),
        ...(node.enum ?? []),
        ...others,
      ];
      for (const value of values) {
        // as: a node of the schema is a kind of its own.
        const sound = decode(node as Shape<unknown>, value).ok;
        expect([at, value, sound]).toEqual([at, value, validate(value)]);
        if (sound) taken++;
      }
    }
    expect(taken).toBeGreaterThan(nodes.length);
  });

  it("lets no unknown property into any section", () => {
    const open = nodes.filter(
      ([, node]) => node.properties !== undefined && node.additionalProperties !== false,
    );
    expect(open.map(([at]) => at)).toEqual([]);
  });

  it("shows the defaults that a world is built with", () => {
    const settings = defaultsOf(WorldSchema.properties?.["settings"] ?? {});
    const written: WorldFile = { ...demoWorld, settings: settings as NonNullable<WorldFile["settings"]> };
    expect(Object.keys(settings)).toContain("auth");
    expect({ ...buildWorld(written), source: null }).toEqual({ ...buildWorld(demoWorld), source: null });
  });
});

/** A section with every default written out. */
function defaultsOf(node: Schema): Record<string, unknown> {
  const members = Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    if (child.properties !== undefined) return [[name, defaultsOf(child)]];
    return child.default === undefined ? [] : [[name, child.default]];
  });
  return Object.fromEntries(members);
}
