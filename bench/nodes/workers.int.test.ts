/** Workers as processes, at a PostgreSQL of this file. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compiledClient } from "../../bin/exam/testing/compile-client.ts";
import { environmentOf, kitVersion, type Report, runConformance } from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";
import {
  PostgresServer,
  postgresPrograms,
  withoutPostgres,
} from "../../simulator/store/testing/postgres-server.ts";
import { triesAll } from "../../tools/sampled.ts";
import { checkoutRoot, launcherPath } from "../crash/checkout.ts";

const scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-"));
const profile = path.join(checkoutRoot, "fixtures", "profiles", "simulator.yaml");
/** Several programs start at once. */
const slow = { timeout: 120_000 };
const running = new Set<ChildProcess>();

interface Matrix {
  readonly results: readonly { readonly durationMs: number }[];
}

interface Program {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
}

/** As a person would start it. */
function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, [launcherPath, ...args], {
    cwd: scratch,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { child, stderr: () => stderr, ended };
}

const json = <T>(file: string): T => JSON.parse(readFileSync(path.join(scratch, file), "utf8")) as T;

afterEach(async () => {
  const closed = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(closed);
});

const isMissing = postgresPrograms === null;
describe.skipIf(isMissing)(`workers at a store${isMissing ? `. ${withoutPostgres}` : ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.remove());

  const work = (...flags: string[]): Program =>
    start(["work", "--jobs", "1", ...flags], { GATEWRIGHT_STORE: server.url });
  const jobs = async (): Promise<Record<string, unknown>[]> => {
    const found = await server.ask("SELECT to_regclass('gatewright_work.job') IS NOT NULL AS made");
    return found[0]?.["made"] === true ? server.ask("SELECT * FROM gatewright_work.job ORDER BY name") : [];
  };
  const states = async (): Promise<unknown[]> => (await jobs()).map(({ state }) => state);

  const bugs = "M-002,M-041,M-042";
  const matrix = (report: string): string[] =>
    `mutants --only ${bugs} --stop-at-conviction --properties off --seed 1 --report json=${report}`.split(
      " ",
    );
  const resultsIn = (report: string): unknown[] =>
    json<Matrix>(report).results.map(({ durationMs: _, ...result }) => result);

  it.runIf(triesAll)(
    "give the matrix of one machine, though one is killed with a job, which is counted once",
    async () => {
      const asked = start([...matrix("spread.json"), "--workers", server.url]);
      const killed = work();
      await expect.poll(states, slow).toContain("active");
      killed.child.kill("SIGKILL");
      const alone = start([...matrix("alone.json"), "--jobs", "1"]);
      expect(await alone.ended).toBe(0);
      const others = [work(), work()];
      expect(await asked.ended).toBe(0);
      expect(resultsIn("spread.json")).toEqual(resultsIn("alone.json"));
      expect(asked.stderr()).toMatch(/3 jobs done by [12] workers? .*; begun again .*: 1\n/);
      expect(await jobs()).toEqual([]);
      for (const { child } of others) child.kill("SIGTERM");
      expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0]);
    },
  );

  it("give a job back when they are stopped, and give it up when nobody waits any more", async () => {
    const asked = start(["mutants", "--only", "V-07", "--properties", "off"], {
      GATEWRIGHT_WORKERS: server.url,
    });
    const stopped = work();
    await expect.poll(states, slow).toEqual(["active"]);
    stopped.child.kill("SIGTERM");
    expect(await stopped.ended).toBe(0);
    expect(await states()).toEqual(["retry"]);
    work();
    await expect.poll(states, slow).toEqual(["active"]);
    asked.child.kill("SIGINT");
    expect(await asked.ended).toBe(130);
    expect(await jobs()).toEqual([]);
  });

  it("run the shards of a profile that they have, and no secret is in the database", async () => {
    await using simulator = await startSimulator();
    const target = environmentOf(simulator.readyLine());
    const only = ["claims-*", "P-16", "P-29"];
    const run = [...only.flatMap((pattern) => ["--only", pattern]), "--runs", "1", "--seed", "5"];
    const asking = ["--workers", server.url, "--shards", "2", "--report", "json=merged.json"];
    const spread = start(["conform", "--profile", profile, ...run, ...asking], target);
    await expect.poll(jobs, slow).toHaveLength(1);
    const written = JSON.stringify(await jobs());
    const secrets = Object.entries(target).filter(([name]) => /SECRET|TOKEN|URL/.test(name));
    expect(secrets.filter(([, secret]) => written.includes(secret))).toEqual([]);
    work("--until-empty");
    start(["work", "--profile", profile], { ...target, GATEWRIGHT_STORE: server.url });
    const code = await spread.ended;
    const { report: whole } = await runConformance({ profile, environment: target, only, runs: 1, seed: 5 });
    expect([code, whole.exitCode]).toEqual([3, 3]);
    const outcomes = ({ verdict, clauses, cases }: Report): unknown => ({
      verdict,
      clauses: clauses.map(({ id, outcome }) => [id, outcome]),
      // Properties come in the order of their shards.
      cases: Object.fromEntries(cases.map(({ id, outcome }) => [id, outcome])),
    });
    expect(outcomes(json("merged.json"))).toEqual(outcomes(whole));
    expect(spread.stderr()).toContain("2 jobs done by 1 worker");
  });

  it.runIf(triesAll)(
    "run the situations of a client that they have, and no command is in the database",
    async () => {
      const client = `${process.execPath} ${compiledClient("docs/clients/careful.ts")}`;
      const exam = ["--client", client, "--only", "place-un", "--only", "place-answer-lost", "--seed", "3"];
      const spread = start(["exam", ...exam, "--workers", server.url, "--report", "json=exam.json"]);
      await expect.poll(states, slow).toContain("created");
      expect(JSON.stringify(await jobs())).not.toContain("careful");
      work("--client", "true");
      work("--client", client);
      const alone = start(["exam", ...exam, "--report", "json=alone.json"]);
      expect([await spread.ended, await alone.ended]).toEqual([3, 3]);
      const outcomes = ({ target, cases, clauses, summary }: Report): unknown => ({
        target,
        cases: cases.map(({ id, outcome, place, findings }) => ({ id, outcome, place, findings })),
        clauses: clauses.map(({ id, outcome }) => [id, outcome]),
        orders: summary.orders,
      });
      expect(outcomes(json("exam.json"))).toEqual(outcomes(json("alone.json")));
      expect(spread.stderr()).toMatch(/jobs done by 1 worker/);
    },
  );

  it("take no job of another version, and do nothing that is no job", async () => {
    await work("--until-empty").ended;
    const mine = `trials-${kitVersion()}`;
    await server.ask("SELECT gatewright_work.create_queue('trials-9.9.9', '{}')");
    for (const name of [mine, "trials-9.9.9"])
      await server.ask("INSERT INTO gatewright_work.job (name, data) VALUES ($1, '{\"trial\": 1}')", [name]);
    const worker = work("--until-empty");
    expect(await worker.ended).toBe(0);
    expect(worker.stderr()).toContain("1 job in the store is for workers of version 9.9.9");
    expect(await jobs()).toMatchObject([
      { name: mine, state: "completed", output: { problem: "the job is not a trial of this version" } },
      { name: "trials-9.9.9", state: "created" },
    ]);
  });
});
