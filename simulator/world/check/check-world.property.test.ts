import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { triesAll } from "../../../tools/sampled.ts";
import { decode } from "../../schema/decode.ts";
import { buildWorld } from "../build-world.ts";
import { demoWorld } from "../demo-world.ts";
import { formatProblem } from "../problem.ts";
import { publishedSchema } from "../published-schema.ts";
import { readWorld } from "../read-world.ts";
import { WorldSchema } from "../schema.ts";
import { smallWorld } from "../testing/small-world.ts";
import { asWorldFile, checkWorld } from "./check-world.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Step = string | number;

/** Every place in a value that could hold something else. */
function pathsIn(node: Json, at: readonly Step[] = []): (readonly Step[])[] {
  if (typeof node !== "object" || node === null) return [at];
  const members = Array.isArray(node) ? [...node.entries()] : Object.entries(node);
  return [at, ...members.flatMap(([name, child]) => pathsIn(child, [...at, name]))];
}

/** A copy with one value replaced. */
function replaced(node: Json, [step, ...rest]: readonly Step[], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(node))
    return node.map((item, index) => (index === step ? replaced(item, rest, value) : item));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, item]) => [name, name === step ? replaced(item, rest, value) : item]),
  );
}

const someWorlds: readonly Json[] = [
  parse(smallWorld) as Json,
  JSON.parse(JSON.stringify(demoWorld)) as Json,
  {
    extends: "demo",
    faults: [{ id: "a", fault: { kind: "delay", ms: 1 } }],
    settings: {
      auth: { clockWindowMs: 9000 },
      matchDelayMs: 1,
      slippageCollarBps: 5,
      limits: { urlBytes: 256 },
    },
  },
];

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    "0",
    "1",
    "-1",
    "0.1",
    "1e5",
    "BTC",
    "USD",
    "BTC-USD",
    "alice",
    "trader",
    "demo",
    "pinned",
  ),
  fc.constantFrom<Json>(
    0,
    1,
    -1,
    0.5,
    1e300,
    null,
    true,
    {},
    [],
    [[]],
    { mode: "trades" },
    { kind: "status" },
  ),
  fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
);

const mutants: fc.Arbitrary<Json> = fc
  .tuple(fc.constantFrom(...someWorlds), fc.array(fc.tuple(fc.nat(), values), { minLength: 1, maxLength: 3 }))
  .map(([world, changes]) =>
    changes.reduce((changed, [pick, value]) => {
      const paths = pathsIn(changed);
      return replaced(changed, paths[pick % paths.length] ?? [], value);
    }, world),
  );

const numRuns = triesAll ? 1000 : 200;

describe("The check of a world", () => {
  it("survives any value, and every accepted value can be built", () => {
    let sound = 0;
    fc.assert(
      fc.property(mutants, (mutant) => {
        if (checkWorld(mutant).length > 0) return;
        const file = asWorldFile(mutant);
        if ((file.products ?? []).some((product) => product.liquidity?.mode === "trades")) return;
        expect(buildWorld(file).world.digest).toHaveLength(64);
        sound++;
      }),
      { numRuns },
    );
    expect(sound).toBeGreaterThan(0);
  });

  it("takes the shapes that a validator of another hand takes, and no others", () => {
    const validate = new Ajv({ strict: false }).compile(JSON.parse(publishedSchema()) as object);
    let sound = 0;
    fc.assert(
      fc.property(mutants, (mutant) => {
        expect(decode(WorldSchema, mutant).ok).toBe(validate(mutant));
        if (validate(mutant)) sound++;
      }),
      { numRuns },
    );
    expect(sound).toBeGreaterThan(0);
  });

  it("finds each of two independent mistakes", () => {
    const worlds = [
      smallWorld.replace("ALL_IN", "NONE").replace("client: alice", "client: bob"),
      smallWorld.replace('"60000"', '"60000.001"').replace("name: trader", "name: Trader"),
      smallWorld.replace('USD: "1000"', 'EUR: "1000"').replace("makerRate:", "makerRat:"),
    ];
    for (const world of worlds) expect(checkWorld(parse(world))).toHaveLength(2);
  });
});

describe("Reading a world", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.string({ unit: "binary", maxLength: 6 })), {
    maxLength: 4,
  });

  it("survives any text and points into it", async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const text = changes.reduce((world, [at, length, insert]) => {
          const start = at % world.length;
          return world.slice(0, start) + insert + world.slice(start + length);
        }, smallWorld);
        const read = await readWorld(text, { file: "world.yaml" });
        const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
        for (const problem of read.ok ? [] : read.error) {
          const { place } = problem;
          expect(place?.source).toBe(lines[(place?.line ?? 0) - 1]);
          expect(place?.column).toBeGreaterThan(0);
          expect(place?.column).toBeLessThanOrEqual((place?.source.length ?? 0) + 2);
          expect(formatProblem(problem)).not.toMatch(/[^\n\P{Cc}]/u);
        }
      }),
      { numRuns },
    );
  });
});
