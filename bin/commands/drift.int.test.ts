import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { sampled } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-drift-"));
const at = (name: string): string => path.join(folder, name);
const only = (...ids: readonly string[]): readonly string[] => ids.flatMap((id) => ["--only", id]);
const one = only("orders-010*");
const some = only("orders-010*", "orders-220*", "idempotency-010*", "events-110*");

const venues: Simulator[] = [];
afterAll(async () => {
  await Promise.all(venues.map((venue) => venue.close()));
  rmSync(folder, { recursive: true, force: true });
});

let output = "";
beforeEach(() => {
  output = "";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      output += String(text);
      return true;
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** The ready file of a venue of its own. */
async function venue(name: string, options: SimulatorOptions = {}): Promise<string> {
  const started = await startSimulator(options);
  venues.push(started);
  writeFileSync(at(name), JSON.stringify(started.readyLine()));
  return at(name);
}

const drift = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", "drift", ...words], "1.0.0");

interface Written {
  readonly compared: number;
  readonly differences: readonly { readonly where: string; readonly a: string; readonly b: string }[];
}

async function between(
  options: SimulatorOptions,
  cases: readonly string[] = some,
): Promise<{ code: number; report: Written }> {
  const [a, b] = [await venue("a.json"), await venue("b.json", options)];
  const code = await drift("--a", a, "--b", b, ...cases, "--report", `json=${at("drift.json")}`);
  return { code, report: JSON.parse(readFileSync(at("drift.json"), "utf8")) as Written };
}

describe("gatewright drift", () => {
  it("finds nothing between two venues that are alike", async () => {
    const { code, report } = await between({});
    expect(report.differences).toEqual([]);
    expect(report.compared).toBe(4);
    expect(code).toBe(exitCodes.ok);
    expect(output).toContain("NO DRIFT");
  });

  it.each([
    {
      freedoms: { "F-initial-status": "PENDING" },
      where: /^POST placeOrder #\/data\/order\/status$/,
      also: /externalId|stream/,
    },
    {
      freedoms: { "F-decimal-output": "fixed-scale" },
      where: /^POST placeOrder #\/data\/order\/limitPrice$/,
      also: /^(POST|GET|DELETE) \w+ #\/data/,
    },
  ] as const)(
    "names where $freedoms makes another answer, and nothing else",
    async ({ freedoms, where, also }) => {
      const { code, report } = await between({ freedoms });
      const places = report.differences.map((one) => one.where);
      expect(places.filter((place) => where.test(place))).toHaveLength(1);
      expect(places.filter((place) => !where.test(place) && !also.test(place))).toEqual([]);
      expect(code).toBe(exitCodes.nonConformant);
    },
  );

  it("names another status, and not what comes of it", async () => {
    const { report } = await between({ defects: ["M-044"] }, only("idempotency-010*"));
    const named = report.differences.map(({ where, a, b }) => `${where}: ${a}, ${b}`);
    expect(named).toEqual(["POST placeOrder status: 200, 409"]);
  });

  it("ends with 0 when all differences are accepted, and names entries that nothing needs", async () => {
    const [a, b] = [
      await venue("a.json"),
      await venue("b.json", { freedoms: { "F-decimal-output": "fixed-scale" } }),
    ];
    const sides = ["--a", a, "--b", b, ...one];
    expect(await drift(...sides, "--write-accepted", at("draft.yaml"))).toBe(exitCodes.nonConformant);
    expect(await drift(...sides, "--accept", at("draft.yaml"))).toBe(exitCodes.usage);
    expect(output).toMatch(/draft\.yaml:\d+:\d+: .*fewer than 1 characters/);
    const draft = readFileSync(at("draft.yaml"), "utf8").replaceAll(
      "reason: ''",
      "reason: it begins so there",
    );
    writeFileSync(at("accepted.yaml"), `${draft}- { where: 'GET never', reason: old }\n`);
    output = "";
    const html = at("drift.html");
    expect(await drift(...sides, "--accept", at("accepted.yaml"), "--report", `html=${html}`)).toBe(
      exitCodes.ok,
    );
    expect(output).toMatch(/UNUSED .*accepted\.yaml:\d+:3: nothing differs at GET never/);
    expect(readFileSync(html, "utf8")).toContain("it begins so there");
  });

  it("sends nothing when an input is wrong", async () => {
    const a = await venue("a.json");
    const health = venues.at(-1)?.control;
    const before = await health?.health.read();
    writeFileSync(at("wrong.yaml"), "- wher: x\n");
    for (const [words, sentence] of [
      [["--a", a, "--b", at("none.yaml")], /none\.yaml cannot be read/],
      [["--a", a, "--b", a, "--accept", at("wrong.yaml")], /wrong\.yaml:1:3: .*did you mean "where"/s],
      [["--a", a, "--b", a, "--report", "pdf=x"], /FORMAT is text, html, json/],
      [["--a", a, "--b", a, at("none.yaml")], /none\.yaml/],
    ] as const) {
      output = "";
      expect(await drift(...words)).toBe(exitCodes.usage);
      expect(output).toMatch(sentence);
    }
    expect(await health?.health.read()).toEqual({ ...before, marketTime: expect.any(String) as string });
  });

  it.each(
    sampled(2, [
      ["SIGINT", exitCodes.interrupted],
      ["SIGTERM", exitCodes.terminated],
    ] as const),
  )("is ended by %s with its code, and the second target is not asked", async (name, code) => {
    const [a, b] = [await venue("a.json"), await venue("b.json")];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      output += String(text);
      if (String(text).includes("running on a")) process.emit(name, name);
      return true;
    });
    expect(await drift("--a", a, "--b", b, ...one)).toBe(code);
    expect(output).toContain("interrupted: the targets were not compared");
    expect(output).not.toContain("running on b");
  });

  it("ends with 4 when a target does not answer", async () => {
    const gone = await startSimulator();
    writeFileSync(at("gone.json"), JSON.stringify(gone.readyLine()));
    await gone.close();
    expect(await drift("--a", at("gone.json"), "--b", at("gone.json"), ...one)).toBe(
      exitCodes.targetUnusable,
    );
  });
});
