import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type ConformOptions, conform, runConformance } from "../conform.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import type { Report } from "../report/report.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";

const scenarios = [fileURLToPath(new URL("scenarios", import.meta.url))];
let stub: FaultyGateway | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

async function profileWith(lines: readonly string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "stub.yaml");
  const head = ["kit: 1", "name: stub", `baseUrl: ${stub?.baseUrl ?? ""}`];
  const credentials = "credentials: { trader: { keyId: '${env:STUB_KEY}', secret: '${env:STUB_SECRET}' } }";
  const priced =
    "safety: { products: { BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001' } } }";
  const all = [
    ...head,
    ...lines,
    ...(lines.some((line) => line.startsWith("credentials")) ? [] : [credentials]),
  ];
  await writeFile(file, `${[...all, priced].join("\n")}\n`);
  return file;
}

async function run(
  defects: readonly Defect[],
  lines: readonly string[] = [],
  options: Partial<ConformOptions> = {},
): Promise<Report> {
  stub = await startFaultyGateway(defects);
  const environment = { STUB_KEY: stub.keyId, STUB_SECRET: stub.secret };
  return conform(
    await readOnce({ profile: await profileWith(lines), environment, scenarios, seed: 1, ...options }),
  );
}

/** A case of one's own about an assumed clause, which this stub does not keep: it answers reads with 200. */
async function assuming(clause = "AUTH-32"): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "assuming.yaml");
  await writeFile(
    file,
    [
      "kit: 1",
      "id: assuming",
      "title: T",
      `spec: [${clause}]`,
      "assumes: [AS-04]",
      "safety: read",
      "steps:",
      "  - id: read",
      "    call: { op: openOrders }",
      "    expect: { status: 401 }",
      "",
    ].join("\n"),
  );
  return file;
}

describe("what the profile says", () => {
  it("is in the report in three words", async () => {
    const { presence } = await run(
      [],
      [
        "capabilities: { ws: absent }",
        "operations: { orderBook: absent, candles: unknown, assets: { path: /asset } }",
      ],
    );
    expect(presence.capabilities).toMatchObject({ ws: "absent", "raw.socket": "present", cancel: "unknown" });
    expect(presence.operations).toMatchObject({
      placeOrder: "present",
      orderBook: "absent",
      candles: "unknown",
      assets: "present",
    });
    expect(presence.credentials).toMatchObject({ trader: "present", reader: "unknown" });
  });

  it.each([
    ["ignore", "warned", "warned", 0],
    ["adopt", "failed", "violated", 1],
    ["reject", "notApplicable", "n/a", 0],
  ] as const)(
    "of an assumption: %s leaves the case %s and its clause %s",
    async (stance, outcome, clause, exitCode) => {
      const options = { scenarios: [...scenarios, await assuming()] };
      const report = await run([], [`assumptions: { AS-04: ${stance} }`], options);
      expect(report.cases.find(({ id }) => id === "assuming")?.outcome).toBe(outcome);
      expect(report.clauses.find(({ id }) => id === "AUTH-32")?.outcome).toBe(clause);
      expect(report.exitCode).toBe(exitCode);
    },
  );

  it.each([
    ["AUTH-32", "auth: { clockToleranceMs: 30000 }", "auth.clockToleranceMs: 30000"],
    ["AUTH-41", "auth: { signedPath: path }", "auth.signedPath: path"],
    [
      "CLM-05",
      "operations: { openOrders: { claim: 'read:orders' } }",
      "operations.openOrders.claim: read:orders",
    ],
    ["PLC-33", "facts: { limits: { product: BTC-USD, min: '0.1', max: '10', step: '0.1' } }", "facts.limits"],
    [
      "EVT-11",
      "ws: { message: { sequence: '#/n', sequenceScope: channel } }",
      "ws.message.sequenceScope: channel",
    ],
  ])("is a promise: who breaks %s and has stated it is not conformant", async (id, line, promise) => {
    const options = { scenarios: [await assuming(id)], level: "full" } as const;
    const silent = await run([], [], options);
    expect(silent.clauses.find((clause) => clause.id === id)).toMatchObject({
      outcome: "warned",
      claimed: false,
    });
    expect(silent).toMatchObject({ exitCode: 0, rules: { promises: {} } });
    await stub?.close();
    const report = await run([], [line], options);
    expect(report.clauses.find((clause) => clause.id === id)).toMatchObject({
      outcome: "violated",
      claimed: true,
      promise,
    });
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
  });

  it.each([
    ["AUTH-32", "auth: { clockToleranceMs: 500 }"],
    ["AUTH-41", "auth: { signedPath: unknown }"],
    ["CLM-05", "operations: { openOrders: { items: '#/data' } }"],
    ["EVT-11", "ws: { message: { sequence: '#/n' } }"],
  ])("promises no more than it says: %s is assumed with %s", async (id, line) => {
    const report = await run([], [line], { scenarios: [await assuming(id)], level: "full" });
    expect(report).toMatchObject({ exitCode: 0, rules: { promises: {} } });
  });

  it.each([
    ["operations: { orderBok: absent }", /there is no operation "orderBok"[\s\S]*did you mean "orderBook"/],
    [
      "capabilities: { liquidity.crss: present }",
      /there is no capability[\s\S]*did you mean "liquidity.cross"/,
    ],
    [
      "credentials: { trader: { keyId: k, secret: '${env:S}' }, raeder: { keyId: k, secret: '${env:S}' } }",
      /there is no role "raeder"[\s\S]*did you mean "reader"/,
    ],
    [
      "credentials: { trader: { keyId: k, secret: '${env:S}', claims: ['read:order'] } }",
      /did you mean "read:orders"/,
    ],
    ["assumptions: { AS-77: adopt }", /there is no assumption "AS-77"/],
    [
      "facts: { disabledProdukt: DOGE-USD }",
      /no case asks for the fact "disabledProdukt"[\s\S]*did you mean "disabledProduct"/,
    ],
    ["operations: { orderBook: abesnt }", /absent, or unknown/],
  ])("is refused where it names nothing: %s", async (line, message) => {
    const refused = await run([], [line]).catch((error: unknown) => error);
    if (!(refused instanceof UsageError)) throw new Error("the profile was accepted");
    expect(refused.problems.map(renderProblem).join("\n")).toMatch(message);
    expect(stub?.requests()).toBe(0);
  });

  it("is refused where it names a product that the target does not list", async () => {
    const refused = await run([], ["facts: { disabledProduct: BTC-USDX }"]).catch((error: unknown) => error);
    expect(String(refused)).toMatch(/facts\.disabledProduct: BTC-USDX, .*did you mean "BTC-USD"/);
    expect(refused).toBeInstanceOf(UsageError);
  });

  it("keeps a case from being tried, and a clause that is required for its harm out of the verdict", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "limits.yaml");
    const steps = ["steps:", "  - call: { op: readOrder, params: { id: x } }", "    expect: { status: 2xx }"];
    const head = ["kit: 1", "id: limits", "title: T", "spec: [PLC-31]", "safety: read"];
    const needs = "requires: { operations: [readOrder] }";
    await writeFile(file, `${[...head, needs, ...steps].join("\n")}\n`);
    const report = await run([], [], { scenarios: [file] });
    expect(report.cases.find(({ id }) => id === "limits")).toMatchObject({
      outcome: "blocked",
      notSupplied: true,
    });
    const clause = report.clauses.find(({ id }) => id === "PLC-31");
    expect(clause).toMatchObject({ outcome: "unverified", notTried: true, claimed: false, basis: "money" });
  });

  it("may be names for scenarios of one's own", async () => {
    const report = await run([], ["capabilities: { x-batch: present }"]);
    expect(report.presence.capabilities).toMatchObject({ "x-batch": "present" });
  });
});

describe("no answer in time", () => {
  it("is indeterminate: no clause is violated, and the case is blocked", async () => {
    const report = await run(["never-answers-orders"], ["timeouts: { request: 250ms }"]);
    const row = report.cases.find(({ id }) => id === "stub-refusals[side]");
    expect(row).toMatchObject({
      outcome: "blocked",
      reason: expect.stringContaining("no answer in time to POST") as string,
    });
    expect(row?.findings[0]).toMatchObject({ outcome: "indeterminate", severity: "info" });
    expect(report).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
  });
});

describe("an expectation file of the profile", () => {
  it("is found beside the profile, and the flag takes its place", async () => {
    stub = await startFaultyGateway(["ignores-nonce"]);
    const environment = { STUB_KEY: stub.keyId, STUB_SECRET: stub.secret };
    const profile = await profileWith(["expectations: ./known.yaml"]);
    const options = { profile, environment, scenarios, seed: 1 };
    const first = await runConformance({ ...options, expectations: false });
    expect(first.report.exitCode).toBe(1);
    const draft = first.draftExpectations();
    expect(draft).toContain('- case: "stub-nonce"');
    await writeFile(join(dirname(profile), "known.yaml"), draft.replaceAll(/TODO[^']*/g, "a known gap"));
    const second = await conform(options);
    expect(second).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 0 });
    expect(second.expectations?.map(({ status }) => status)).toContain("matched");
    expect((await conform({ ...options, gate: "regressions" })).exitCode).toBe(0);
    const empty = join(dirname(profile), "empty.yaml");
    await writeFile(empty, "[]\n");
    expect((await conform({ ...options, expectations: empty })).exitCode).toBe(1);
    expect(await readFile(empty, "utf8")).toBe("[]\n");
  });
});
