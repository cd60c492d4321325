/** `gatewright export` as it is typed, from every kind of file, and replayed where it was recorded. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRecordingProxy, startSigningProxy } from "../../conformance/commands.ts";
import { needs, run } from "../../docs/clients/testing/run-client.ts";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import { sampled, triesAll } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

let simulator: ControlledSimulator;
let place = "";
const said = captureOutput();
const at = (name: string): string => path.join(place, name);
const ready = (): readonly string[] => ["--ready-file", at("ready.json")];

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "export-"));
  simulator = await startSimulator();
  writeFileSync(at("ready.json"), JSON.stringify(simulator.readyLine()));
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

const gatewright = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", ...words], "1.0.0");

async function passes(scenario: string): Promise<void> {
  said.output = "";
  const code = await gatewright("replay", at(scenario), ...ready());
  expect({ code, ...said }).toMatchObject({ code: 0 });
  expect(said.output).toMatch(/^passed /);
}

const trader = () => simulator.keys.find(({ name }) => name === "trader") ?? { keyId: "", secret: "" };
const limitOrder = (id: string): string =>
  JSON.stringify({
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.001",
    price: "30000",
    client_order_id: id,
    product: "BTC-USD",
  });
const json = { "content-type": "application/json" };

it("makes a scenario of the exchange log, without a recorder", async () => {
  const { keyId, secret } = trader();
  const proxy = await startSigningProxy({ target: simulator.baseUrl, keyId, secret });
  const body = limitOrder(crypto.randomUUID());
  const placed = await fetch(`${proxy.url}/order`, { method: "POST", headers: json, body });
  const { data } = (await placed.json()) as { readonly data: { readonly order: { readonly id: string } } };
  await fetch(`${proxy.url}/order/open?product=BTC-USD`);
  await fetch(`${proxy.url}/order/${data.order.id}`, { method: "DELETE" });
  await proxy.close();
  await gatewright("conform", ...ready(), "--only", "idempotency-010*", "--properties", "off");
  expect(await gatewright("export", ...ready(), "--out", at("log.yaml"), "--key", "trader")).toBe(0);
  expect(said.output).toContain("log.yaml has 3 steps");
  expect(said.errors).toMatch(/\d+ requests of gatewright itself .*: left out/);
  const text = readFileSync(at("log.yaml"), "utf8");
  for (const part of [
    "$macro: placed",
    "op: openOrders",
    "op: cancelOrder",
    "capture: { order1: '#order/id' }",
  ])
    expect(text).toContain(part);
  await passes("log.yaml");
});

it.runIf(triesAll)("makes a scenario of a capsule, and reduces it", async () => {
  const { keyId, secret } = trader();
  const proxy = await startSigningProxy({ target: simulator.baseUrl, keyId, secret });
  const body = limitOrder(crypto.randomUUID());
  for (let count = 0; count < 2; count += 1)
    await fetch(`${proxy.url}/order`, { method: "POST", headers: json, body });
  await proxy.close();
  await gatewright("conform", ...ready(), "--only", "idempotency-010*", "--properties", "off");
  expect(await gatewright("capsule", ...ready(), "--out", at("session.capsule"))).toBe(0);
  expect(
    await gatewright("export", at("session.capsule"), "--out", at("capsule.yaml"), "--key", "trader"),
  ).toBe(0);
  expect(said.errors).toMatch(/\d+ requests of gatewright itself .*: left out/);
  const text = readFileSync(at("capsule.yaml"), "utf8");
  expect(text).toContain("$macro: replayed(order");
  await passes("capsule.yaml");
  const reduced = ["--violates", "PLC-10", "--defect", "M-042", "--out", at("reduced.yaml")];
  expect(await gatewright("shrink", at("session.capsule"), ...reduced)).toBe(0);
  expect(readFileSync(at("reduced.yaml"), "utf8").match(/op: placeOrder/g)).toHaveLength(2);

  const bytes = readFileSync(at("session.capsule"));
  writeFileSync(at("cut.capsule"), bytes.subarray(0, bytes.length / 2));
  expect(await gatewright("export", at("cut.capsule"), "--out", at("none.yaml"))).toBe(2);
  expect(said.errors).toMatch(/cut\.capsule: .* cut or damaged/);
});

describe("two tools that cannot sign, through the signing proxy", () => {
  const python = `import json, sys, urllib.request as web
url, key = sys.argv[1:]
def call(method, path, body=None):
    request = web.Request(url + path, body and json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    return json.loads(web.urlopen(request).read())
order = call("POST", "/order", {"side": "SELL", "type": "LIMIT", "base_quantity": "0.001", "price": "90000", "client_order_id": key, "product": "BTC-USD"})
call("GET", "/order/" + order["data"]["order"]["id"])
call("DELETE", "/order/" + order["data"]["order"]["id"])`;
  const curl = `curl -sS "$0/order" -H 'Content-Type: application/json' -d "$1" && curl -sS "$0/order/open" && curl -sS "$0/product"`;

  it.for([
    ["curl", "bash", (url: string) => ["-c", curl, url, limitOrder(crypto.randomUUID())]],
    ["urllib", "python3", (url: string) => ["-c", python, url, crypto.randomUUID()]],
  ] as const)("%s is recorded, exported and replayed", async ([name, program, args], context) => {
    needs(context, program, "curl");
    const recorder = await startRecordingProxy({
      target: simulator.baseUrl,
      file: at(`${name}.recording`),
      keys: simulator.keys,
      notice: () => undefined,
    });
    const { keyId, secret } = trader();
    const signer = await startSigningProxy({ target: recorder.url, keyId, secret });
    const ended = await run(program, args(signer.url));
    await signer.close();
    const end = await recorder.close();
    expect({ ...ended, exchanges: end.exchanges }).toMatchObject({ code: 0, exchanges: 3 });
    expect(await gatewright("export", at(`${name}.recording`), "--out", at(`${name}.yaml`))).toBe(0);
    await passes(`${name}.yaml`);
  });
});

/** The reader of each form has tests of its own, beside it. */
const outputsOfCurl = [
  ["-sv", "curl -sv URL -H 'Content-Type: application/json' -d 'BODY' 2>&1"],
  ["-v into a pipe", "curl -v URL -H 'Content-Type: application/json' -d 'BODY' 2>&1 | cat"],
  ["-i", "curl -si URL -H 'Content-Type: application/json' -d 'BODY'"],
  ["-v --trace-time", "curl -sv --trace-time URL -H 'Content-Type: application/json' -d 'BODY' 2>&1"],
  ["--trace-ascii", "curl -s --trace-ascii - URL -H 'Content-Type: application/json' -d 'BODY'"],
  ["--trace", "curl -s --trace - -o /dev/null URL -H 'Content-Type: application/json' -d 'BODY'"],
  ["set -x", "(set -x; curl -sv URL -H 'Content-Type: application/json' -d 'BODY') 2>&1"],
] as const;

it.for(sampled(6, outputsOfCurl))(
  "makes one of the output of curl with %s, with the proxy in between",
  async ([, line], context) => {
    needs(context, "curl", "bash");
    const { keyId, secret } = trader();
    const proxy = await startSigningProxy({ target: simulator.baseUrl, keyId, secret });
    const command = line
      .replace("URL", `${proxy.url}/order`)
      .replace("BODY", limitOrder(crypto.randomUUID()));
    // Read apart and joined here, stdout last as curl writes it: in one pipe the body may break into a line of the other.
    const { stdout, stderr } = await run("bash", ["-c", command.replace(/ 2>&1.*$/, "")]);
    const shown = command.includes("2>&1") ? stderr + stdout : stdout;
    await proxy.close();
    writeFileSync(at("curl.txt"), `dev@box:~$ ${command}\n${shown}`);
    expect(await gatewright("export", at("curl.txt"), "--out", at("transcript.yaml"))).toBe(0);
    const text = readFileSync(at("transcript.yaml"), "utf8");
    expect(text.match(/op: placeOrder/g)).toHaveLength(1);
    expect(text).toContain("$macro: placed");
    await passes("transcript.yaml");
  },
);

it("makes one of what a run of the kit found: it fails where the bug is not", async () => {
  const buggy = await startSimulator({ defects: ["M-043"] });
  writeFileSync(at("buggy.json"), JSON.stringify(buggy.readyLine()));
  const only = ["--only", "idempotency-010*", "--properties", "off"];
  try {
    await gatewright(
      "conform",
      "--ready-file",
      at("buggy.json"),
      ...only,
      "--report",
      `ndjson=${at("run.ndjson")}`,
    );
    const code = await gatewright("export", at("run.ndjson"), "--out", at("run.yaml"));
    expect({ code, errors: said.errors }).toMatchObject({ code: 0 });
  } finally {
    await buggy.close();
  }
  expect(readFileSync(at("run.yaml"), "utf8")).toContain(
    "# of 1 case: idempotency-010-repeat-returns-the-order",
  );
  expect(await gatewright("replay", at("run.yaml"), ...ready())).toBe(1);
  expect(said.output).toContain('expected "NEW_ORDER", was "DUPLICATE_REPLAY"');
});

it.each(["", "{", "*", '{"log":{}}', '{"line":"header"}\n', "\u0000\u0001"])(
  "writes nothing when the file is %j",
  async (text) => {
    writeFileSync(at("bad"), text);
    expect(await gatewright("export", at("bad"), "--out", at("never.yaml"))).toBe(2);
    expect(said.errors).toMatch(/^gatewright: .*bad.*$/m);
    expect(existsSync(at("never.yaml"))).toBe(false);
  },
);
