/** What support receives, from a gateway with a bug: the exported scenario is red where the bug is, or where it is not, and says which. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { startRecordingProxy } from "../../conformance/commands.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { sampled } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";
import { signedFetch } from "../testing/signed-fetch.ts";

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

const order = { side: "BUY", type: "LIMIT", base_quantity: "0.001", price: "30000", product: "BTC-USD" };

/** An order with blanks in its body, signed over `over` or over what is sent; `more` are members that a gateway does not know. */
async function placed({ url }: { readonly url: string }, over?: string, more: object = {}): Promise<number> {
  const body = JSON.stringify({ ...order, client_order_id: crypto.randomUUID(), ...more }, undefined, 1);
  const { reply } = await signedFetch({ baseUrl: url, keys: clean.keys }, "POST", "/order", body, {
    over: over ?? body,
  });
  return reply.status;
}

it("of a right signature that was refused: green where the bug is, red where it is not", async () => {
  await using buggy = await startSimulator({ defects: ["M-008"] });
  writeFileSync(at("buggy.json"), JSON.stringify(buggy.readyLine()));
  const { secret = "" } = buggy.keys.find(({ name }) => name === "trader") ?? {};
  const recorder = await startRecordingProxy({
    target: buggy.baseUrl,
    file: at("refused.recording"),
    notice: () => undefined,
  });
  expect(await placed(recorder)).toBe(401);
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
  expect(await placed(recorder, "{}")).toBe(401);
  expect(await placed(recorder)).toBe(200);
  await recorder.close();
  const lines = readFileSync(at("wrong.recording"), "utf8");
  expect([...lines.matchAll(/"signature":"(\w+)"/g)].map(([, seen]) => seen)).toEqual(["wrong", "right"]);
  expect(lines).not.toContain(secret);
  expect(await gatewright("export", at("wrong.recording"), "--out", at("wrong.yaml"))).toBe(0);
  expect(readFileSync(at("wrong.yaml"), "utf8")).toContain("flipBit(0)");
  expect(await gatewright("replay", at("wrong.yaml"), "--ready-file", at("clean.json"))).toBe(0);
});

/** Two placements with one client_order_id and a cancel, as a browser would save them. */
async function har(venue: Simulator) {
  const sale = { ...order, side: "SELL", base_quantity: "0.002", price: "98765.00" };
  const body = JSON.stringify({ ...sale, client_order_id: crypto.randomUUID() });
  const ask = async (method: string, below: string, sent?: string) => {
    const startedDateTime = new Date().toISOString();
    const { headers, reply } = await signedFetch(venue, method, below, sent);
    const text = await reply.text();
    const request = {
      method,
      url: venue.baseUrl + below,
      headers: headers.map(([name, value]) => ({ name, value })),
      bodySize: sent?.length ?? 0,
      ...(sent === undefined ? {} : { postData: { text: sent } }),
    };
    const date = [{ name: "Date", value: reply.headers.get("date") ?? "" }];
    const response = { status: reply.status, headers: date, content: { size: text.length, text } };
    return { startedDateTime, time: 1, request, response };
  };
  const first = await ask("POST", "/order", body);
  const { data } = JSON.parse(first.response.content.text) as { data: { order: { id: string } } };
  return [first, await ask("POST", "/order", body), await ask("DELETE", `/order/${data.order.id}`)];
}
type Entry = Awaited<ReturnType<typeof har>>[number];

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

it.each(sampled(3, damages))(
  "of an order that was placed twice, in a HAR %s: the rule is named where the bug is",
  async (_, damage) => {
    await using buggy = await startSimulator({ defects: ["M-042"] });
    writeFileSync(at("buggy.json"), JSON.stringify(buggy.readyLine()));
    const entries = damage(await har(buggy));
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

const bodies: readonly (readonly [string, object])[] = [
  ["a reference", { note: "cost ${5}, ${key1} and $${x}" }],
  ["a matcher", { note: { $json: "1" } }],
  ["a macro", { $macro: "placed", note: "${env:HOME}" }],
  ["a generator in a list", { notes: [{ $uuid4: "x" }, "$any", "$5"] }],
];

it.each(sampled(3, bodies))(
  "of an order whose body looks like %s: it is sent as it was, with an id of its own",
  async (_, more) => {
    const file = at(`${crypto.randomUUID()}.recording`);
    const recorder = await startRecordingProxy({ target: clean.baseUrl, file, notice: () => undefined });
    expect(await placed(recorder, undefined, more)).toBe(200);
    await recorder.close();
    expect(await gatewright("export", file, "--out", at("odd.yaml"))).toBe(0);
    for (let count = 0; count < 2; count += 1) {
      const code = await gatewright("replay", at("odd.yaml"), "--ready-file", at("clean.json"));
      expect({ code, output: said.output }).toMatchObject({ code: 0 });
    }
  },
);
