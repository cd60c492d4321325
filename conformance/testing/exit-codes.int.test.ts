/**
 * Each exit code of the contract, from the program that a CI job starts; and which one wins when several apply. A whole
 * level, and what ends with 0 or 7 then, is in legal-gateway/gateway.int.test.ts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { type ConformOptions, conform as runKit, UnusableRun } from "../conform.ts";
import { UsageError } from "../model/position.ts";
import { planRun } from "../plan.ts";
import { consoleReport } from "../report/console.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { type LegalGatewayOptions, startLegalGateway } from "./legal-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";
import { type CliResult, newFolder, smallSuite, startCli, writeProfile } from "./run-cli.ts";

interface Gateway {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly reader?: { readonly keyId: string; readonly secret: string };
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

const opened: Gateway[] = [];
afterAll(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

// The launcher builds if a source is newer than the build; this test is not about that.
beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

async function stub(...defects: Defect[]): Promise<Gateway> {
  const gateway = await startFaultyGateway(defects);
  opened.push(gateway);
  return gateway;
}

async function legal(options: LegalGatewayOptions = {}) {
  const gateway = await startLegalGateway(options);
  opened.push(gateway);
  return gateway;
}

function profileFor(
  { baseUrl }: Pick<Gateway, "baseUrl">,
  folder: string,
  more: readonly string[] = [],
): string {
  return writeProfile(folder, [
    "kit: 1",
    "name: under test",
    `baseUrl: ${baseUrl}`,
    "credentials:",
    "  trader: { keyId: '${env:KEY}', secret: '${env:SECRET}' }",
    "  reader: { keyId: '${env:READER_KEY}', secret: '${env:READER_SECRET}' }",
    ...(more.some((line) => line.startsWith("safety:"))
      ? more
      : [
          "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
          ...more,
        ]),
  ]);
}

const environmentOf = ({ keyId, secret, reader }: Gateway): Record<string, string> => ({
  KEY: keyId,
  SECRET: secret,
  ...(reader === undefined ? {} : { READER_KEY: reader.keyId, READER_SECRET: reader.secret }),
});

async function conform(gateway: Gateway, args: readonly string[] = [], more: readonly string[] = []) {
  const folder = newFolder();
  const profile = profileFor(gateway, folder, more);
  const report = join(folder, "report.json");
  const ended = await startCli(
    ["conform", "--profile", profile, "--seed", "1", "--report", `json=${report}`, ...args],
    folder,
    environmentOf(gateway),
  ).done;
  return { ...ended, folder, report: readReport(report) };
}

interface WrittenReport {
  readonly verdict: string;
  readonly exitCode: number;
  readonly leftovers: readonly { readonly id: string; readonly product: string }[];
}

function readReport(file: string): WrittenReport | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as WrittenReport) : undefined;
}

/** The same run without the program: its report says with which code the program ends. */
async function reportOf(gateway: Gateway, options: Partial<ConformOptions>, more: readonly string[] = []) {
  const environment = environmentOf(gateway);
  const profile = profileFor(gateway, newFolder(), more);
  return runKit(await readOnce({ profile, environment, seed: 1, ...options }));
}

/** A part of the built-in suite: to read all of it takes longer than these runs. */
const ordersOnly = ["orders", "fragments"].flatMap((name) => ["--scenarios", resolve("scenarios", name)]);
const small = ["--scenarios", smallSuite];
const strict = "safety: { leftovers: 0, products: { BTC-USD: { buyFar: '1', sellFar: '9', qty: '0.01' } } }";
const never = (result: CliResult) => expect(result.stdout).not.toMatch(/\bCONFORMANT/);

describe.concurrent("the exit code", () => {
  it("0: scenarios of one's own passed, which is said without a word of a level", async () => {
    const { code, report, stdout } = await conform(await stub(), small);
    expect(report).toMatchObject({ verdict: "PASSED", exitCode: 0 });
    expect(stdout).toMatch(
      /^PASSED own scenarios against under test: \d+ cases passed; no level is claimed/m,
    );
    expect(stdout).not.toMatch(/^OPEN /m);
    expect(code).toBe(0);
  });

  it("1: a required clause is violated", async () => {
    // The program ends with 1 for it: explain.int.test.ts.
    const report = await reportOf(await stub("answers-201"), { scenarios: [smallSuite] });
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
  });

  it("2: a flag, a profile or a filter is wrong, and nothing was sent", async () => {
    const gateway = await stub();
    const mistakes: readonly (readonly [args: readonly string[], profile?: readonly string[]])[] = [
      [small, ["nosuchkey: 1"]],
      [["--no-such-flag"]],
      [["--report", "nonsense=x"]],
      [["--level", "everything"]],
      [["--scenarios", "/no/such/place"]],
    ];
    const tried = sampled(5, mistakes);
    const wrong = await Promise.all(tried.map(([args, profile]) => conform(gateway, args, profile)));
    expect(wrong.map(({ code }) => code)).toEqual(tried.map(() => 2));
    expect(gateway.requests()).toBe(0);
    wrong.forEach(never);
  });

  it("2: a shard has no seed, which is said before it has used anything of its budget", async () => {
    const gateway = await stub();
    const { baseUrl, keyId, secret } = gateway;
    const shard = { index: 1, count: 2 };
    const run = runKit({ target: baseUrl, keyId, secret, scenarios: [smallSuite], shard });
    const wrong: unknown = await run.catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(UsageError);
    expect(wrong).toHaveProperty(
      "message",
      expect.stringContaining("give all shards of the run the same --seed"),
    );
    expect(gateway.requests()).toBe(0);
  });

  it("3: nothing is violated and something is unverified", async () => {
    const report = await reportOf(await stub(), { only: ["auth-01*"] });
    expect(report).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
  });

  it("3: the budget ran out", async () => {
    const budget =
      "safety: { budget: { requests: 4 }, products: { BTC-USD: { buyFar: '1', sellFar: '9', qty: '0.01' } } }";
    // The program ends with 3 for an open clause: network.int.test.ts.
    const report = await reportOf(await stub(), { scenarios: [smallSuite] }, [budget]);
    expect(consoleReport(report)).toContain("the budget of 4 requests is used up");
    expect(report.exitCode).toBe(3);
  });

  it("4: the target does not answer", async () => {
    const gone = await stub();
    await gone.close();
    const ended = await conform(gone, small);
    expect(ended.stderr).toContain("does not answer");
    expect(ended.code).toBe(4);
    never(ended);
  });

  it("4: the first signed request is refused, and the misreading is named", async () => {
    const run = reportOf(await stub("signs-relative-path"), { scenarios: [smallSuite] });
    const unusable: unknown = await run.catch((error: unknown) => error);
    expect(unusable).toBeInstanceOf(UnusableRun);
    expect(unusable).toMatchObject({
      message: expect.stringContaining("AUTH-16"),
      run: { report: { exitCode: 4 } },
    });
  });

  it("5: the host looks like production, with any other mistakes", async () => {
    const folder = newFolder();
    const profile = profileFor({ baseUrl: "https://gw.prod.example/api/v1/trading" }, folder);
    const args = ["conform", "--profile", profile, "--only", "no-such-case"];
    const ended = await startCli(args, folder, { KEY: "k", SECRET: "s" }).done;
    expect(ended.stderr).toContain("looks like production");
    expect(ended.code).toBe(5);
  });

  it("5: more orders are left than the profile allows, and they are listed", async () => {
    const { code, report, folder, stderr } = await conform(await stub(), small, [strict]);
    expect(code).toBe(5);
    expect(report?.leftovers.length).toBeGreaterThan(0);
    expect(report?.leftovers.every(({ id, product }) => id !== "" && product === "BTC-USD")).toBe(true);
    expect(stderr).toContain("gatewright cleanup --ledger .gatewright/runs/");
    expect(existsSync(join(folder, ".gatewright", "runs"))).toBe(true);
  });

  it("5: a cancel does not work", async () => {
    const report = await reportOf(await stub(), { scenarios: [smallSuite] }, [
      "operations: { cancelOrder: { method: DELETE, path: '/no/such/route/{id}' } }",
    ]);
    expect(consoleReport(report)).toContain("could not be cancelled");
    expect(report.exitCode).toBe(5);
  });

  it("6: a report cannot be written, and the verdict is told all the same; it goes before 5", async () => {
    const unwritable = [...small, "--report", "json=/dev/full"];
    const { code, stdout } = await conform(await stub("answers-201"), unwritable, [strict]);
    expect(stdout).toMatch(/NON_CONFORMANT[^]* left open/);
    expect(code).toBe(6);
  });

  it.each(
    sampled(2, [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const),
  )("%s: what is on its way is finished, cancelled and reported", async (signal, expected) => {
    const gateway = await legal({ delayMs: 30, cancel: true });
    const folder = newFolder();
    const profile = profileFor(gateway, folder, [
      "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
    ]);
    const report = join(folder, "report.json");
    const args = ["conform", "--profile", profile, ...ordersOnly, "--report", `json=${report}`];
    const run = startCli(args, folder, environmentOf(gateway));
    await until(() => gateway.openIds().length > 0, run.done);
    run.child.kill(signal);
    const { code, stdout } = await run.done;
    expect(code).toBe(expected);
    expect(stdout).toMatch(/interrupted|terminated/);
    expect(readReport(report)).toMatchObject({ verdict: "INCOMPLETE" });
    expect(gateway.openIds()).toEqual([]);
  });

  it("130 at once: a second signal does not wait", async () => {
    const gateway = await legal({ delayMs: 60_000 });
    const folder = newFolder();
    const run = startCli(
      ["conform", "--profile", profileFor(gateway, folder), ...small],
      folder,
      environmentOf(gateway),
    );
    await until(() => gateway.requests() > 0, run.done);
    run.child.kill("SIGINT");
    await new Promise<void>((resolve) => run.child.stderr?.once("data", () => resolve()));
    run.child.kill("SIGINT");
    expect((await run.done).code).toBe(130);
  });
});

describe.concurrent("when several apply", () => {
  it("5 goes before 1, and the verdict stays what it is", async () => {
    const report = await reportOf(await stub("answers-201"), { scenarios: [smallSuite] }, [strict]);
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 5 });
  });

  it("2 goes before 4", async () => {
    const gone = await stub();
    await gone.close();
    const run = reportOf(gone, { scenarios: [smallSuite], only: ["no-such-case"] });
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });

  it("1 goes before 3 and 7", async () => {
    const options = { scenarios: [smallSuite], failOnWarnings: true };
    expect((await reportOf(await stub("answers-201", "html-errors"), options)).exitCode).toBe(1);
  });

  it("3 goes before 7", async () => {
    const options = { only: ["auth-01*", "auth-02*"], failOnWarnings: true };
    expect((await reportOf(await stub("html-errors"), options)).exitCode).toBe(3);
  });

  it("7 goes before 0, for scenarios of one's own, too", async () => {
    const { code, report } = await conform(await stub("html-errors"), [...small, "--fail-on", "warn"]);
    expect(report).toMatchObject({ verdict: "PASSED", exitCode: 7 });
    expect(code).toBe(7);
  });
});

describe("plan", () => {
  it("sends nothing, ends with 0 and uses no word of a verdict", async () => {
    const gateway = await stub();
    const folder = newFolder();
    const environment = { KEY: gateway.keyId, SECRET: gateway.secret };
    const profile = profileFor(gateway, folder);
    const one = ["--only", "orders-220*"];
    const ended = await startCli(["plan", "--profile", profile, ...one], folder, environment).done;
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toMatch(/CONFORMANT|INCOMPLETE|passed|PASS|satisfied/i);
    expect(ended.stdout).toMatch(
      /^BLOCKED 1 × cancelOrder is not mapped: .*\(orders-220-cancel-an-order\)$/m,
    );
    const plan = await planRun(await readOnce({ profile, environment }));
    expect(plan.cases.filter(({ gate }) => gate === "runs")).toHaveLength(plan.totals.runs);
    expect(plan.totals.runs).toBeGreaterThan(100);
    // One sale at 900000 costs 9000. A buy of 0.01 at 1000 costs 10 USD, and 20 of them at most remain; two name a value of
    // 20 that a target could spend.
    expect(plan.totals.notional["USD"]).toBe("9220");
    expect(gateway.requests()).toBe(0);
  });
});

/** Looks at the state itself; fails when the program ends before it comes. */
async function until(holds: () => boolean, ended: Promise<CliResult>): Promise<void> {
  let over: CliResult | undefined;
  void ended.then((result) => (over = result));
  while (!holds()) {
    if (over !== undefined) throw new Error(`the program ended first: ${over.stderr}`);
    await setTimeout(2);
  }
}
