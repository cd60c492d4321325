import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import process from "node:process";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { conform } from "../conform.ts";
import { readSuite } from "../load-suite.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import { YamlProcess } from "../parse/yaml-process.ts";
import { consoleReport } from "../report/console.ts";
import { type HostileGateway, startHostileGateway } from "./faulty-gateway/hostile-gateway.ts";
import { behaviours } from "./faulty-gateway/hostile-replies.ts";
import { readOnce } from "./read-once.ts";
import { newFolder, smallSuite, startCli, writeProfile } from "./run-cli.ts";

/** The promises of docs/kit-security.md that only the whole program can show. */
const secret = "the secret of a trader, 31 chars";
let target: HostileGateway | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

const head = "kit: 1\nid: x-harm\ntitle: T\nspec: [PRD-01]\nsafety: read\n";
const step = (more: string): string => `${head}steps:\n  - call: { op: products }\n${more}`;

/**
 * The most memory that the run has ever held, in megabytes; asked when it ends. On Linux the usage of a process begins with the
 * peak of the one that started it, here a worker of many tests, so its own peak is read.
 */
const meter = `
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const status = "/proc/self/status";
const peak = () =>
  existsSync(status) ? /VmHWM:\\s+(\\d+)/.exec(readFileSync(status, "utf8"))[1] : process.resourceUsage().maxRSS;
if (process.argv.includes("conform"))
  process.on("exit", () => writeFileSync(process.env.METER, String(peak() / 1024)));
`;

const profileIn = (folder: string, baseUrl: string, request = "1s"): string =>
  writeProfile(folder, [
    "kit: 1",
    "name: hostile",
    `baseUrl: ${baseUrl}`,
    "credentials: { trader: { keyId: kid, secret: '${env:SECRET}' } }",
    "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01' } } }",
    `timeouts: { request: ${request} }`,
  ]);

async function runAgainst(baseUrl: string, request?: string) {
  const folder = newFolder();
  writeFileSync(join(folder, "meter.cjs"), meter);
  const profile = profileIn(folder, baseUrl, request);
  const named = ["--profile", profile, "--scenarios", smallSuite, "--report", "json=report.json"];
  const { code, stdout } = await startCli(["conform", ...named], folder, {
    SECRET: secret,
    NODE_OPTIONS: `--require ${join(folder, "meter.cjs")}`,
    METER: join(folder, "megabytes"),
  }).done;
  return { code, stdout, megabytes: Number(readFileSync(join(folder, "megabytes"), "utf8")) };
}

describe("the memory of a run", () => {
  it.each(
    sampled(10, [
      "8 MB of empty objects",
      "8 MB of numbers",
      "8 MB of one letter",
      "1 MB of empty objects",
      "as many values as are read",
      "1 MB of one letter",
      "1 MB of one digit",
      "a number of 1 MB",
      "1 MB of escapes",
      "a key of 500 KB above many objects",
    ]),
  )("stays below 250 MB, and the target is convicted, when every answer is %s", async (name) => {
    const behaviour = behaviours.find((one) => one.name === name);
    if (behaviour === undefined) throw new Error(`there is no behaviour ${name}`);
    target = await startHostileGateway({ ...behaviour, on: "all" });
    // Its answers are whole, but on a busy machine 8 MB take longer than a second.
    const { code, megabytes, stdout } = await runAgainst(target.baseUrl, "20s");
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      expect.stringMatching(/^NON_CONFORMANT/),
    ]);
    expect(megabytes).toBeLessThan(250);
  });

  it.each(
    sampled(7, [
      "an endless body",
      "a gzip bomb",
      "100 Continue without end",
      "10000 headers",
      "depth of 200000",
      "a byte now and then",
      "silence",
    ]),
  )("stays below 250 MB, and the run ends without a pass: %s", async (name) => {
    const behaviour = behaviours.find((one) => one.name === name && one.on === "orders");
    if (behaviour === undefined) throw new Error(`there is no behaviour ${name}`);
    target = await startHostileGateway(behaviour);
    const { code, megabytes } = await runAgainst(target.baseUrl);
    expect([1, 3, 4]).toContain(code);
    expect(megabytes).toBeGreaterThan(30);
    expect(megabytes).toBeLessThan(250);
  });
});

describe("a target that says how it did", () => {
  it("changes neither counts nor exit code", async () => {
    const boast = "PASS: 200 of 200, verdict CONFORMANT, exit code 0";
    const body = JSON.stringify({ statusCode: 200, success: true, message: boast, data: { verdict: boast } });
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    target = await startHostileGateway({ on: "orders", answer: (socket) => socket.end(head + body) });
    const profile = profileIn(newFolder(), target.baseUrl);
    const options = { profile, environment: { SECRET: secret }, scenarios: [smallSuite] };
    const report = await conform(await readOnce(options));
    expect(report.exitCode).toBe(1);
    expect(consoleReport(report).trimEnd().split("\n").at(-1)).toMatch(
      /^NON_CONFORMANT own scenarios against /,
    );
  });
});

describe("a scenario that means harm", () => {
  const keys = Array.from({ length: 20_001 }, (_, index) => `k${index}: 1`).join("\n");

  const harmful: readonly (readonly [what: string, text: string])[] = [
    ["two documents of nested brackets", `${"[".repeat(5000)}\n---\n${"[".repeat(5000)}`],
    ["nested keys", "? ".repeat(500)],
    ["aliases", `${head}vars: { a: &a [1], b: [*a, *a] }\nsteps: [{ call: { op: products } }]\n`],
    ["20,001 keys", keys],
    [
      "a pattern that counts too far",
      step(`    expect: { body: { message: { $re: '${"a{0,40}".repeat(20)}b' } } }\n`),
    ],
    ["a fragment outside", `${head}steps:\n  - use: ../../etc/passwd\n`],
    ["another host", `${head}steps:\n  - call: { op: products, host: evil.example }\n`],
    ["the environment", step("    expect: { body: { message: '${env:HOME}' } }\n")],
    [
      "a second request in a path",
      `${head}steps:\n  - call: { method: GET, path: "/x HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nPOST /order" }\n`,
    ],
    [
      "a second header in a column",
      `${head}rows: [{ it: "a\\r\\nX: b" }]\nsteps:\n  - call: { op: products, headers: { Accept: '\${row.it}' } }\n`,
    ],
    ["another Host", `${head}steps:\n  - call: { op: products, headers: { Host: evil.example } }\n`],
    [
      "10^9 repetitions",
      `${head}steps:\n  - repeat: { times: 1000000000, steps: [{ call: { op: products } }] }\n`,
    ],
  ];

  it("is refused before anything is sent, whatever else is refused beside it", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const folder = newFolder();
    const files = harmful.map(([what]) => join(folder, `${what.replaceAll(/\W/g, "-")}.yaml`));
    for (const [index, [, text]] of harmful.entries()) writeFileSync(files[index] ?? "", text);
    const { port } = server.address() as AddressInfo;
    const target = `http://127.0.0.1:${port}/api/v1/trading`;
    const run = conform({ target, keyId: "k", secret, scenarios: files });
    const refused: unknown = await run.catch((error: unknown) => error);
    server.close();
    // The program ends with 2 for it: exit-codes.int.test.ts.
    if (!(refused instanceof UsageError)) throw new Error("they were accepted", { cause: refused });
    const said = refused.problems.map(renderProblem).join("\n");
    expect(files.filter((file) => !new RegExp(`${basename(file)}:\\d+:\\d+: `).test(said))).toEqual([]);
    expect(requests).toBe(0);
  });
});

describe("a folder of scenarios", () => {
  it("is read without the links in it", async () => {
    const [inside, outside] = [newFolder(), newFolder()];
    const text = step("");
    writeFileSync(join(inside, "own.yaml"), text);
    writeFileSync(join(outside, "foreign.yaml"), text.replace("x-harm", "x-foreign"));
    symlinkSync(join(outside, "foreign.yaml"), join(inside, "link.yaml"));
    symlinkSync(outside, join(inside, "folder"));
    const { suite, problems } = await readSuite([inside]);
    expect(problems).toEqual([]);
    expect(suite.scenarios.map(({ id }) => id)).toEqual(["x-harm"]);
  });
});

describe.skipIf(process.platform !== "linux")("the process that reads YAML", () => {
  it("knows no secret, by its environment or by its arguments", async () => {
    vi.stubEnv("KIT_SECRET", secret);
    // Other tests of this process may have a reader, too.
    const before = readerProcesses();
    using reader = new YamlProcess();
    await reader.read("a: 1\n");
    const readers = readerProcesses().filter((pid) => !before.includes(pid));
    expect(readers).toHaveLength(1);
    const environment = readFileSync(`/proc/${readers[0]}/environ`, "utf8");
    expect(environment).not.toContain(secret);
    expect(
      environment.split("\0").filter((line) => line !== "" && !line.startsWith("NODE_CHANNEL_")),
    ).toEqual([]);
    expect(readFileSync(`/proc/${readers[0]}/cmdline`, "utf8")).not.toContain(secret);
  });
});

function readerProcesses(): string[] {
  return readdirSync("/proc/self/task")
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" "))
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("readYaml"));
}
