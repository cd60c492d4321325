/** What support receives, from a gateway with a bug: the exported scenario is red where the bug is, or where it is not, and says which. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { signRequest, startRecordingProxy } from "../../conformance/commands.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

let clean: Simulator;
let place = "";
const said = captureOutput();
const at = (name: string): string => path.join(place, name);

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "chains-"));
  clean = await startSimulator();
  writeFileSync(at("clean.json"), JSON.stringify(clean.readyLine()));
});
afterAll(async () => {
  await clean.close();
  rmSync(place, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

async function gatewright(...words: readonly string[]): Promise<number> {
  [said.output, said.errors] = ["", ""];
  return main(["node", "gatewright", ...words], "1.0.0");
}

interface Order {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly signed?: string;
  /** Members of the body that a gateway does not know. */
  readonly more?: object;
}

/** An order with blanks in its body, signed over `signed` or over what is sent. */
async function place1({ url, keyId, secret, signed, more }: Order): Promise<number> {
  const order = { side: "BUY", type: "LIMIT", base_quantity: "0.001", price: "30000", product: "BTC-USD" };
  const body = JSON.stringify({ ...order, client_order_id: crypto.randomUUID(), ...more }, undefined, 1);
  const { headers } = signRequest({
    keyId,
    secret,
    timestamp: String(Date.now()),
    nonce: crypto.randomUUID(),
    method: "POST",
    path: "/api/v1/trading/order",
    contentType: "application/json",
    body: Buffer.from(signed ?? body),
  });
  const answer = await fetch(`${url}/order`, { method: "POST", body, headers: Object.fromEntries(headers) });
  return answer.status;
}

it("of a right signature that was refused: green where the bug is, red where it is not", async () => {
  await using buggy = await startSimulator({ defects: ["M-008"] });
  writeFileSync(at("buggy.json"), JSON.stringify(buggy.readyLine()));
  const { keyId = "", secret = "" } = buggy.keys.find(({ name }) => name === "trader") ?? {};
  const recorder = await startRecordingProxy({
    target: buggy.baseUrl,
    file: at("refused.recording"),
    notice: () => undefined,
  });
  expect(await place1({ url: recorder.url, keyId, secret })).toBe(401);
  await recorder.close();
  vi.stubEnv("MY_SECRET", secret);
  expect(await gatewright("export", at("refused.recording"), "--out", at("refused.yaml"))).toBe(0);
  expect(said.errors).toContain("does not show why");
  const told = ["--secret-env", "MY_SECRET", "--out", at("told.yaml")];
  expect(await gatewright("export", at("refused.recording"), ...told)).toBe(0);
  expect(said.errors).toContain("although its signature is right");
  for (const file of ["refused.yaml", "told.yaml"]) {
    expect(await gatewright("replay", at(file), "--ready-file", at("buggy.json"))).toBe(0);
    expect(await gatewright("replay", at(file), "--ready-file", at("clean.json"))).toBe(1);
    expect(said.output).toContain("place1: differs from the recording: expected 401, was 200");
    expect(said.output).toMatch(/^DIFFERENT 1 answer differs from the recording; no clause is violated$/m);
  }
});

it("of a wrong signature that was refused: green on both, when the secret was told to the recorder", async () => {
  const { keyId = "", secret = "" } = clean.keys.find(({ name }) => name === "trader") ?? {};
  const recorder = await startRecordingProxy({
    target: clean.baseUrl,
    file: at("wrong.recording"),
    keys: [{ name: "trader", keyId, secret }],
    notice: () => undefined,
  });
  expect(await place1({ url: recorder.url, keyId, secret, signed: "{}" })).toBe(401);
  expect(await place1({ url: recorder.url, keyId, secret })).toBe(200);
  await recorder.close();
  const lines = readFileSync(at("wrong.recording"), "utf8");
  expect([...lines.matchAll(/"signature":"(\w+)"/g)].map(([, seen]) => seen)).toEqual(["wrong", "right"]);
  expect(lines).not.toContain(secret);
  expect(await gatewright("export", at("wrong.recording"), "--out", at("wrong.yaml"))).toBe(0);
  expect(readFileSync(at("wrong.yaml"), "utf8")).toContain("flipBit(0)");
  expect(await gatewright("replay", at("wrong.yaml"), "--ready-file", at("clean.json"))).toBe(0);
});

/** Two placements with one client_order_id and a cancel, as a browser would save them. */
async function har(url: string, { keyId, secret }: Pick<Order, "keyId" | "secret">): Promise<Entry[]> {
  const body = JSON.stringify({
    side: "SELL",
    type: "LIMIT",
    base_quantity: "0.002",
    price: "98765.00",
    client_order_id: crypto.randomUUID(),
    product: "BTC-USD",
  });
  const entries: Entry[] = [];
  const ask = async (method: string, below: string, sent?: string): Promise<string> => {
    const target = `/api/v1/trading${below}`;
    const headers = signRequest({
      keyId,
      secret,
      timestamp: String(Date.now()),
      nonce: crypto.randomUUID(),
      method,
      path: target,
      contentType: "application/json",
      body: Buffer.from(sent ?? ""),
    }).headers;
    const startedDateTime = new Date().toISOString();
    const options = {
      method,
      headers: Object.fromEntries(headers),
      ...(sent === undefined ? {} : { body: sent }),
    };
    const answer = await fetch(url + below, options);
    const text = await answer.text();
    entries.push({
      startedDateTime,
      time: 1,
      request: {
        method,
        url: url + below,
        headers: headers.map(([name, value]) => ({ name, value })),
        bodySize: sent?.length ?? 0,
        ...(sent === undefined ? {} : { postData: { text: sent } }),
      },
      response: {
        status: answer.status,
        headers: [{ name: "Date", value: answer.headers.get("date") ?? "" }],
        content: { size: text.length, text },
      },
    });
    return text;
  };
  const first = JSON.parse(await ask("POST", "/order", body)) as { data: { order: { id: string } } };
  await ask("POST", "/order", body);
  await ask("DELETE", `/order/${first.data.order.id}`);
  return entries;
}

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly bodySize: number;
    readonly postData?: { readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly content: { readonly size: number; readonly text?: string };
  };
}

/** What browsers, tools and careful people do to a HAR. */
const damages: readonly (readonly [string, (entries: readonly Entry[]) => readonly unknown[]])[] = [
  ["as it is", (entries) => entries],
  [
    "with preflights",
    (entries) =>
      entries.flatMap((one) => [
        {
          ...one,
          request: { ...one.request, method: "OPTIONS", headers: [], bodySize: 0 },
          response: { status: 204 },
        },
        one,
      ]),
  ],
  [
    "with hidden credentials",
    (entries) =>
      entries.map((one) => ({
        ...one,
        request: {
          ...one.request,
          headers: one.request.headers.map(({ name }) => ({ name, value: "<hidden>" })),
        },
      })),
  ],
  [
    "with hidden amounts",
    (entries) =>
      entries.map((one) => ({
        ...one,
        request: {
          ...one.request,
          postData: { text: one.request.postData?.text.replace(/0\.002|98765\.00/g, "xxx") },
        },
      })),
  ],
  [
    "without the bodies of requests",
    (entries) => entries.map(({ request: { postData: _, ...request }, ...one }) => ({ ...one, request })),
  ],
  ["in another order", (entries) => entries.toReversed()],
];

it.each(damages)(
  "of an order that was placed twice, in a HAR %s: the rule is named where the bug is",
  async (_, damage) => {
    await using buggy = await startSimulator({ defects: ["M-042"] });
    writeFileSync(at("buggy.json"), JSON.stringify(buggy.readyLine()));
    const { keyId = "", secret = "" } = buggy.keys.find(({ name }) => name === "trader") ?? {};
    const entries = damage(await har(buggy.baseUrl, { keyId, secret }));
    writeFileSync(at("session.har"), JSON.stringify({ log: { entries } }));
    expect(await gatewright("export", at("session.har"), "--out", at("har.yaml"))).toBe(0);
    expect(await gatewright("conform", "--scenarios", at("har.yaml"), "--ready-file", at("buggy.json"))).toBe(
      1,
    );
    expect([...said.output.matchAll(/^FAILED {2}(\S+)/gm)].map(([, id]) => id)).toEqual(["PLC-10"]);
    // On a gateway without the bug the recorded answer is missed, and nothing is violated.
    const reports = ["html", "markdown", "junit", "json"].flatMap((name) => [
      "--report",
      `${name}=${at(name)}`,
    ]);
    const onClean = ["--scenarios", at("har.yaml"), "--ready-file", at("clean.json"), ...reports];
    for (const name of ["html", "markdown", "junit", "json"]) rmSync(at(name), { force: true });
    expect(await gatewright("conform", ...onClean)).toBe(1);
    expect(said.output).not.toMatch(/^FAILED/m);
    expect(said.output).toMatch(/^DIFFERS {2}Answers differ/m);
    expect(said.output).toMatch(/DIFFERENT own scenarios .* no clause is violated/);
    expect(readFileSync(at("html"), "utf8")).toMatch(/<h2[^>]*>Different from the recording/);
    expect(readFileSync(at("markdown"), "utf8")).toContain("### Different from the recording");
    expect(readFileSync(at("junit"), "utf8")).toContain('message="differs from the recording (PLC-21)');
    const { verdict, clauses, cases } = JSON.parse(readFileSync(at("json"), "utf8")) as {
      readonly verdict: string;
      readonly clauses: readonly { readonly outcome: string }[];
      readonly cases: readonly { readonly findings: readonly { readonly recorded?: boolean }[] }[];
    };
    expect([verdict, clauses.filter(({ outcome }) => outcome === "violated")]).toEqual(["DIFFERENT", []]);
    expect(cases[0]?.findings.every(({ recorded }) => recorded === true)).toBe(true);
  },
);

it.each<[string, object]>([
  ["a reference", { note: "cost ${5}, ${key1} and $${x}" }],
  ["a matcher", { note: { $json: "1" } }],
  ["a macro", { $macro: "placed", note: "${env:HOME}" }],
  ["a generator in a list", { notes: [{ $uuid4: "x" }, "$any", "$5"] }],
])("of an order whose body looks like %s: it is sent as it was, with an id of its own", async (_, more) => {
  const { keyId = "", secret = "" } = clean.keys.find(({ name }) => name === "trader") ?? {};
  const file = at(`${crypto.randomUUID()}.recording`);
  const recorder = await startRecordingProxy({ target: clean.baseUrl, file, notice: () => undefined });
  expect(await place1({ url: recorder.url, keyId, secret, more })).toBe(200);
  await recorder.close();
  expect(await gatewright("export", file, "--out", at("odd.yaml"))).toBe(0);
  for (let count = 0; count < 2; count += 1) {
    const code = await gatewright("replay", at("odd.yaml"), "--ready-file", at("clean.json"));
    expect({ code, output: said.output }).toMatchObject({ code: 0 });
  }
});

it("of a secret without its key id is refused, before anything is written", async () => {
  expect(
    await gatewright("record", "--target", clean.baseUrl, "--out", at("x.recording"), "--key-id", "k"),
  ).toBe(2);
  expect(said.errors).toContain("give --key-id and --secret-env together");
  expect(existsSync(at("x.recording"))).toBe(false);
});
