import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { checkAmbient } from "../check/ambient.ts";
import { maxBytes } from "../check/lossless-json.ts";
import { Egress } from "../client/egress.ts";
import { prepare } from "../client/prepare.ts";
import { requestBytes } from "../client/raw-client.ts";
import { Target } from "../client/target.ts";
import { runConformance } from "../conform.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { TargetUnusable } from "../model/outcome.ts";
import { plainProfile } from "../parse/profile.ts";
import { consoleReport } from "../report/console.ts";
import { reportFormats, writeReports } from "../report/write-reports.ts";
import { plainPlan } from "../signing/tamper.ts";
import {
  type Behaviour,
  type HostileGateway,
  startHostileGateway,
} from "./faulty-gateway/hostile-gateway.ts";
import { behaviours, legal } from "./faulty-gateway/hostile-replies.ts";
import { readOnce } from "./read-once.ts";
import { smallSuite } from "./run-cli.ts";

const secret = "the secret of a trader, 31 chars";
const requestMs = 1000;
let target: HostileGateway | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

async function clientOf(behaviour: Pick<Behaviour, "on" | "answer">): Promise<Target> {
  target = await startHostileGateway(behaviour);
  const made = plainProfile(target.baseUrl, "kid", secret);
  if (typeof made === "string") throw new Error(made);
  return new Target(new Egress({ ...made, timeouts: { requestMs } }), "kit-test");
}

function signedGet(): SentRequest {
  return prepare(
    {
      operation: "openOrders",
      method: "GET",
      target: "/api/v1/trading/order/open",
      headers: [],
      body: new Uint8Array(),
      role: "trader",
      credential: { keyId: "kid", secret },
      sign: plainPlan,
      mutation: {},
      clockOffsetMs: 0,
    },
    { now: Date.now(), nonce: "n", signedPath: "path" },
  );
}

/** One GET by each of the two ways to the wire: the HTTP client, and the sockets of races and raw bytes. */
async function bothWays(behaviour: Behaviour): Promise<Exchange[]> {
  await using client = await clientOf(behaviour);
  const request = signedGet();
  const bytes = requestBytes(request, client.host);
  return [await client.send(request), await client.sendRaw(request, bytes, { deadlineMs: requestMs })];
}

describe("one exchange with a target that means harm", () => {
  it.each(behaviours.filter(({ on }) => on === "reads"))(
    "ends, and takes no more than it may: $name",
    async (behaviour) => {
      for (const exchange of await bothWays(behaviour)) {
        expect(exchange.reply?.body.length ?? 0).toBeLessThanOrEqual(maxBytes);
        expect(exchange.reply !== undefined || (exchange.problem ?? "") !== "").toBe(true);
        expect(() => checkAmbient(exchange, { envelope: true, failureExpected: false })).not.toThrow();
      }
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    },
  );

  it.each(legal)("is read when it is merely odd: $name", async (behaviour) => {
    const [http, raw] = await bothWays(behaviour);
    expect(http).toMatchObject({ transport: "response", reply: { status: 200 } });
    expect(raw).toMatchObject({ transport: "response", reply: { status: 200 } });
    expect([http?.jsonProblem, raw?.jsonProblem]).toEqual([undefined, undefined]);
  });

  it.each([
    ["an endless body", ["tooLarge", "timeout"]],
    ["a byte now and then", ["timeout"]],
    ["silence", ["timeout"]],
    ["a gzip bomb", ["tooLarge"]],
    ["five codings", ["malformed"]],
    ["a header of 20 KB", ["tooLarge", "response"]],
    ["10000 headers", ["tooLarge"]],
    ["a close in mid-body", ["closed"]],
    ["100 Continue without end", ["timeout", "malformed", "closed"]],
    ["no HTTP at all", ["malformed"]],
  ])("is named for what it was: %s", async (name, outcomes) => {
    const behaviour = behaviours.find((candidate) => candidate.name === name);
    if (behaviour === undefined) throw new Error(`there is no behaviour ${name}`);
    for (const { transport } of await bothWays(behaviour)) expect(outcomes).toContain(transport);
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%i takes no signed header to another host", async (status) => {
    let connections = 0;
    const elsewhere = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = elsewhere.address() as AddressInfo;
      const answer = `HTTP/1.1 ${status} Moved\r\nLocation: http://localhost:${port}/x\r\nContent-Length: 0\r\n\r\n`;
      const found = await bothWays({ name: "redirect", on: "reads", answer: (socket) => socket.end(answer) });
      expect(found.map(({ reply }) => reply?.status)).toEqual([status, status]);
      expect(connections).toBe(0);
    } finally {
      await new Promise<void>((resolve) => elsewhere.close(() => resolve()));
    }
  });
});

describe("an answer without a request", () => {
  it("is never taken for the answer to the next request on that connection", async () => {
    const body = '{"statusCode":200,"success":true,"message":"forged"}';
    const forged = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const honest = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}";
    await using client = await clientOf({
      on: "reads",
      answer: (socket) => void socket.write(`${honest}${forged}`),
    });
    const request = signedGet();
    const statuses = [await client.send(request), await client.send(request), await client.send(request)].map(
      ({ reply }) => reply?.status,
    );
    expect(statuses[0]).toBe(404);
    expect(statuses).not.toContain(200);
  });
});

/** Behaviours that get past the transport and have to be judged and reported. */
const reported = [
  "poison in a message",
  "poison as a key",
  "everything echoed",
  "depth of 200000",
  "numbers without measure",
  "prototype keys",
  "keys that stand twice",
  "bytes that are no UTF-8",
  "a close in mid-body",
  "a gzip bomb",
  "8 MB of empty objects",
  "as many values as are read",
  "1 MB of one letter",
  "1 MB of one digit",
  "a key of 500 KB above many objects",
];

function namedOfOrders(name: string): Behaviour {
  const found = behaviours.find((one) => one.on === "orders" && one.name === name);
  if (found === undefined) throw new Error(`there is no behaviour ${name}`);
  return found;
}

describe("a whole run against a target that means harm", () => {
  it.each(sampled(5, reported).map(namedOfOrders))(
    "ends with a verdict that is no pass, in reports that are whole: $name",
    async (behaviour) => {
      target = await startHostileGateway(behaviour);
      const folder = await mkdtemp(join(tmpdir(), "gatewright-hostile-"));
      const profile = join(folder, "profile.yaml");
      await writeFile(
        profile,
        [
          "kit: 1",
          "name: hostile",
          `baseUrl: ${target.baseUrl}`,
          "credentials: { trader: { keyId: kid, secret: '${env:SECRET}' } }",
          "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01' } } }",
          `timeouts: { request: ${requestMs}ms }`,
          "",
        ].join("\n"),
      );
      const { report, redactor } = await runConformance(
        await readOnce({
          profile,
          environment: { SECRET: secret },
          scenarios: [smallSuite],
          only: ["stub-refusals*", "stub-place*"],
          seed: 3,
        }),
      );
      expect(["NON_CONFORMANT", "INCOMPLETE"]).toContain(report.verdict);
      expect(report.summary.cases.error).toBe(0);
      const files = reportFormats.map((format) => ({ format, file: join(folder, `out.${format}`) }));
      await writeReports(files, report, redactor);
      const texts = await Promise.all(files.map(({ file }) => readFile(file, "utf8")));
      const shown = redactor.redact(consoleReport(report));
      for (const text of [...texts, shown]) expect(text.includes(secret)).toBe(false);
      expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]|^::|^##vso/m);
      expect(JSON.parse(texts[0] ?? "")).toMatchObject({
        verdict: report.verdict,
        exitCode: report.exitCode,
      });
    },
  );

  it("is no judgement at all when every read is harmful", async () => {
    target = await startHostileGateway({ on: "reads", answer: (socket) => socket.destroy() });
    const run = runConformance({ target: target.baseUrl, keyId: "kid", secret, scenarios: [smallSuite] });
    await expect(run).rejects.toBeInstanceOf(TargetUnusable);
  });
});
