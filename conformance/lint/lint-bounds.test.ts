import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { suiteFrom } from "../load-suite.ts";
import { durationMs, longestShiftMs, longestWaitMs } from "../model/duration.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { profileSchema, scenarioSchema } from "../schema/load-schema.ts";
import { durationFields } from "./lint-bounds.ts";

/** The names of all members that are durations according to a schema. */
function durationsOf(node: unknown, name = ""): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { $ref, pattern } = node as { $ref?: unknown; pattern?: unknown };
  const own =
    /[dD]uration$/.test(String($ref)) ||
    (/ms\|s\|m\|h\|d/.test(String(pattern)) && !/[dD]uration$/.test(name));
  return [...(own ? [name] : []), ...Object.entries(node).flatMap(([key, inner]) => durationsOf(inner, key))];
}

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

async function problemsOf(steps: string, more = ""): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-bounds-"));
  const file = join(folder, "case.yaml");
  await writeFile(
    file,
    `kit: 1\nid: x-bounds\ntitle: T\nspec: [PRD-01]\nsafety: read\n${more}steps:\n${steps}`,
  );
  const { problems } = await suiteFrom([file], reader);
  return problems.map(({ position, message }) => `${position.line}: ${message}`).join("\n");
}

const call = "    call: { op: products }\n";
const stepsWith = (text: string): Readonly<Record<string, string>> => ({
  sleep: `  - { sleep: ${text}, note: n }\n`,
  "timeout of a step": `  - timeout: ${text}\n${call}`,
  "poll.every": `  - poll: { every: ${text}, within: 1s, call: { op: products }, until: { status: 200 } }\n`,
  "poll.within": `  - poll: { every: 1s, within: ${text}, call: { op: products }, until: { status: 200 } }\n`,
  "never.for": `  - never: { for: ${text}, every: 1s, call: { op: products }, match: { status: 500 } }\n`,
  "never.every": `  - never: { for: 1s, every: ${text}, call: { op: products }, match: { status: 500 } }\n`,
  "a pause between bytes": `  - raw: { text: GET, chunks: [{ bytes: 1, pause: ${text} }] }\n`,
  settle: `  - ws: { connect: { settle: ${text} } }\n`,
  "within of a message": `  - ws: { expect: { match: { is: order }, within: ${text} } }\n`,
  "for of a silence": `  - ws: { none: { match: { is: order }, for: ${text} } }\n`,
});

describe("a duration", () => {
  it("is in the list wherever the schemas know one", () => {
    const names = [...durationsOf(scenarioSchema()), ...durationsOf(profileSchema())];
    expect([...new Set(names)].sort()).toEqual(Object.keys(durationFields).sort());
  });

  it.each(Object.keys(stepsWith("")))(
    "that is longer than an hour is refused with the cap: %s",
    async (name) => {
      for (const text of ["1000h", "61m", "597h", `${"9".repeat(400)}d`])
        expect(await problemsOf(stepsWith(text)[name] ?? "")).toMatch(
          /is too long: no wait is longer than 1h/,
        );
      expect(await problemsOf(stepsWith("1h")[name] ?? "")).not.toMatch(/too long/);
    },
  );

  it("of a whole case, and a clock that is moved too far, are refused", async () => {
    expect(await problemsOf(`  -${call.slice(3)}`, "timeout: 2h\n")).toMatch(/2h is too long/);
    const far = "  - call: { op: products, sign: { atClock: { offset: '-40000d' } } }\n";
    expect(await problemsOf(far)).toMatch(/40000d is too far: a clock is moved by 36500d at most/);
    expect(await problemsOf("  - clock: { advance: 40000d }\n")).toMatch(/40000d is too far/);
  });

  it("that only the run knows is held to the same length", () => {
    expect(durationMs("1000h")).toBe(longestWaitMs);
    expect(durationMs(`${"9".repeat(400)}d`)).toBe(longestWaitMs);
    expect(durationMs("40000d", longestShiftMs)).toBe(longestShiftMs);
    expect(longestWaitMs).toBeLessThan(2 ** 31);
  });
});

describe("a generator", () => {
  const huge = [
    "{ $repeat: { text: x, times: 1000001 } }",
    "{ $repeat: { text: xxxxxxxxxxx, times: 100000 } }",
    "{ $repeat: { text: x, times: -1 } }",
    "{ $repeat: { text: x, times: 1.5 } }",
    "{ $zeros: { after: '1', count: 1000001 } }",
    "{ $zeros: { after: '1', count: -1 } }",
  ];
  const places = (value: string): Readonly<Record<string, string>> => ({
    body: `  - call: { op: products, body: { a: ${value} } }\n`,
    "a header": `  - call: { op: products, headers: { X-A: ${value} } }\n`,
    "a parameter": `  - call: { op: products, params: { a: ${value} } }\n`,
    "a query": `  - call: { op: products, query: { a: ${value} } }\n`,
    "a fragment": `  - use: { fragment: resting-buy, with: { a: ${value} } }\n`,
    "an assertion": `  - assert: { left: ${value}, is: x }\n`,
  });
  it.each(Object.keys(places("")))("that makes too much is refused in %s", async (place) => {
    for (const value of huge)
      expect(await problemsOf(places(value)[place] ?? ""), value).toMatch(
        /at most 1000000|must be|not one of/,
      );
  });
});
