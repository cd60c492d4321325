/** Files as Windows writes them: with a byte order mark, or in UTF-16. Every command that reads text takes them as the same file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { sampled } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

let simulator: Simulator;
let place = "";
const said = captureOutput();
const at = (name: string): string => path.join(place, name);
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "encodings-"));
  simulator = await startSimulator();
  writeFileSync(at("ready.json"), JSON.stringify(simulator.readyLine()));
  // One run, whose reports all encodings are tried with.
  const reports = ["json", "ndjson"].flatMap((form) => ["--report", `${form}=${at(`plain.${form}`)}`]);
  const scenario = path.resolve("scenarios/auth/010-golden-get.yaml");
  await gatewright("conform", "--ready-file", at("ready.json"), "--scenarios", scenario, ...reports);
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

const gatewright = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", ...words], "1.0.0");

const encodings: readonly (readonly [string, (text: string) => Buffer])[] = [
  ["a byte order mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["UTF-16", (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["UTF-16 of the other order", (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
];

const entry = {
  startedDateTime: "2026-11-24T09:00:00Z",
  request: { method: "GET", url: "http://h/api/v1/trading/order/open", headers: [] },
  response: { status: 200, headers: [], content: { text: "{}" } },
};
const har = JSON.stringify({ log: { entries: [entry] } });
const recording = [
  { kind: "recording", version: 1, target: "http://h/api/v1/trading", started: "2026-11-24T09:00:00Z" },
  {
    kind: "exchange",
    id: 1,
    at: 0,
    durationMs: 1,
    request: { method: "GET", target: "/api/v1/trading/order/open", headers: [], body: { length: 0 } },
    answer: { status: 200, headers: [], body: { length: 0 } },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");
const curl = "$ curl -i http://h/api/v1/trading/order/open\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n";

describe.each(sampled(2, encodings))("with %s", (_, encoded) => {
  it.each([
    ["a HAR", har],
    ["a recording", recording],
    ["the output of curl", curl],
  ])("%s is exported", async (_name, text) => {
    writeFileSync(at("file"), encoded(text));
    said.errors = "";
    const code = await gatewright("export", at("file"), "--out", at("out.yaml"));
    expect({ code, errors: said.errors }).toMatchObject({ code: 0 });
    expect(readFileSync(at("out.yaml"), "utf8")).toContain("op: openOrders");
  });

  it("reports are compared, and exported", async () => {
    for (const name of ["plain.json", "plain.ndjson"]) {
      writeFileSync(at(`marked-${name}`), encoded(readFileSync(at(name), "utf8")));
      expect(await gatewright("diff", at(name), at(`marked-${name}`))).toBe(0);
    }
    const code = await gatewright("export", at("marked-plain.ndjson"), "--out", at("report.yaml"));
    expect({ code, errors: said.errors }).toMatchObject({ code: 0 });
  });

  it("a world is opened", async () => {
    writeFileSync(
      at("world.yaml"),
      encoded(readFileSync(path.resolve("fixtures/worlds/still.yaml"), "utf8")),
    );
    await using world = await startSimulator({ world: at("world.yaml") });
    expect(world.baseUrl).toContain("http://127.0.0.1:");
  });

  it("a ready file, a file of ctl, a scenario and a pasted request are read", async () => {
    const { keyId = "" } = simulator.keys[0] ?? {};
    writeFileSync(at("marked.json"), encoded(readFileSync(at("ready.json"), "utf8")));
    writeFileSync(at("faults.json"), encoded('{"rules":[]}'));
    const scenario =
      "kit: 1\nid: a\ntitle: T\nspec: [GEN-07]\nsteps: [{ id: a, call: { op: products }, expect: { status: 200 } }]\n";
    writeFileSync(at("marked.yaml"), encoded(scenario));
    const headers = ["KEY", "TIMESTAMP", "NONCE", "SIGNATURE"].map(
      (name) => `X-API-${name}: ${name === "KEY" ? keyId : "1767225600000"}`,
    );
    writeFileSync(
      at("raw.txt"),
      encoded(["GET /api/v1/trading/order/open HTTP/1.1", ...headers, "", ""].join("\r\n")),
    );
    for (const [code, ...words] of [
      [0, "ctl", "clock"],
      [0, "ctl", "faults", "set", at("faults.json")],
      [0, "replay", at("marked.yaml")],
      [1, "doctor", at("raw.txt")],
    ] as const) {
      said.errors = "";
      const ended = await gatewright(...words, "--ready-file", at("marked.json"));
      expect({ words, code: ended, errors: said.errors }).toMatchObject({ code });
    }
  });
});
