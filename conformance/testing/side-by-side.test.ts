import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ConformOptions, conform } from "../conform.ts";
import { UsageError } from "../model/position.ts";
import type { Report } from "../report/report.ts";
import { readOnce } from "./read-once.ts";

/**
 * Cases in parallel, against a target that records its requests and answers when the test tells it to. Requests
 * are `METHOD /path` below the base; those to the control surface begin with `control`.
 */
interface Asked {
  readonly name: string;
  readonly body: Record<string, unknown>;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

type Answer = (asked: Asked) => { readonly status: number; readonly data?: unknown } | undefined;

interface Target {
  readonly origin: string;
  readonly log: string[];
  /** The most that were waiting for an answer at the same time. */
  readonly most: () => number;
}

/** Every answer waits for `together` requests to arrive, or for a moment, if that ends earlier. */
async function startTarget(answer: Answer, together = 1): Promise<Target> {
  const log: string[] = [];
  const waiting = new Set<() => void>();
  let most = 0;
  const started = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const path = (request.url ?? "").replace("/api/v1/trading", "").replace("/control/", "control /");
      const asked = { name: `${request.method} ${path}`, body };
      log.push(asked.name);
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        most = Math.max(most, waiting.size);
        const release = () => {
          for (const go of waiting) go();
        };
        if (waiting.size >= together) release();
        else setTimeout(release, 60);
      }).finally(() => waiting.clear());
      const { status, data = [] } = answer(asked) ?? { status: 200 };
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ statusCode: status, success: status < 400, message: "said", data }));
    });
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(started.address() as AddressInfo).port}`, log, most: () => most };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

const profileAt = (origin: string) =>
  [
    "kit: 1",
    "name: scripted",
    `baseUrl: ${origin}/api/v1/trading`,
    "safety: { allow: disruptive, budget: { concurrency: 4 }, products: { BTC-USD: { buyFar: '1.00', qty: '1' } } }",
    "credentials: { trader: { keyId: k, secret: '${env:SECRET}' } }",
    "capabilities: { clock.control: present, fault.inject: present }",
    `control: { url: '${origin}/control' }`,
    "operations: { assets: { method: GET, path: /asset }, cancelOrder: { method: DELETE, path: '/order/{id}' } }",
    "",
  ].join("\n");

async function run(
  target: Target,
  files: Readonly<Record<string, string>>,
  options: Partial<ConformOptions> = {},
): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const places: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const place = join(folder, `${name}.yaml`);
    const head = text.startsWith("fragment")
      ? "kit: 1\n"
      : `kit: 1\nid: ${name}\ntitle: A case of these tests\n`;
    await writeFile(place, head + text);
    places.push(place);
  }
  const profile = join(folder, "profile.yml");
  await writeFile(profile, profileAt(target.origin));
  const environment = { SECRET: "a secret of some length" };
  return conform(await readOnce({ profile, environment, scenarios: places, seed: 1, ...options }));
}

const outcomes = (report: Report) => report.cases.map(({ id, outcome }) => [id, outcome]);
const reading = "spec: [EPT-15]\nsafety: read\nsteps: [{ call: { op: assets } }]\n";
const placing = (key: string) =>
  `{ side: BUY, type: LIMIT, base_quantity: '1', price: '1', client_order_id: { $uuid4: ${key} }, product: BTC-USD }`;
const placedAs: Answer = ({ name, body }) =>
  name === "POST /order"
    ? { status: 200, data: { type: "NEW_ORDER", order: { id: `order-${String(body["client_order_id"])}` } } }
    : undefined;

describe("cases beside each other", () => {
  const four = { a: reading, b: reading, c: reading, d: reading };

  it("run as many at a time as the profile allows, and are reported in the order of the files", async () => {
    const target = await startTarget(() => undefined, 4);
    const report = await run(target, four);
    expect(target.most()).toBe(4);
    expect(outcomes(report)).toEqual(["a", "b", "c", "d"].map((id) => [id, "passed"]));
  });

  it("run one by one when one of them must be alone", async () => {
    const target = await startTarget(() => undefined, 4);
    const alone = reading.replace("safety", "isolation: exclusive\nsafety");
    await run(target, { a: alone, b: alone });
    expect(target.most()).toBe(1);
  });

  it("go on while one of them sleeps, those of the next class, too", async () => {
    const target = await startTarget(() => undefined);
    const sleeping = `spec: [EPT-15]\nsafety: read\nsteps: [{ call: { op: assets } }, { sleep: 1s, note: n }, { call: { op: openOrders } }]\n`;
    const report = await run(target, { a: sleeping, b: reading.replace("read\n", "reject-only\n") });
    expect(outcomes(report).map(([, outcome]) => outcome)).toEqual(["passed", "passed"]);
    expect(target.log.slice(-3)).toEqual(["GET /asset", "GET /asset", "GET /order/open"]);
  });

  it("keep the order of the files when asked to", async () => {
    const target = await startTarget(() => undefined);
    const named = (op: string) =>
      `${reading.replace("safety", "isolation: exclusive\nsafety")}`.replace("assets", op);
    const files = { a: named("assets"), b: named("openOrders"), c: named("products"), d: named("assets") };
    await run(target, files, { order: "stable", seed: 3 });
    expect(target.log.slice(2)).toEqual(["GET /asset", "GET /order/open", "GET /product", "GET /asset"]);
  });

  it("cancel their own orders, each when it ends", async () => {
    const target = await startTarget(placedAs, 2);
    const order = (key: string) =>
      `spec: [PLC-21]\nsafety: rests\nsteps: [{ call: { op: placeOrder, body: ${placing(key)} } }]\n`;
    const report = await run(target, { a: order("a"), b: order("b") });
    expect(target.log.filter((name) => name.startsWith("DELETE /order/order-"))).toHaveLength(2);
    expect(report.leftovers).toEqual([]);
  });
});

describe("a fault", () => {
  const faulty = "spec: [EPT-15]\nsafety: read\nsteps: [{ inject: { id: f } }, { call: { op: assets } }]\n";

  it("is never met by another case", async () => {
    const target = await startTarget(() => undefined);
    await run(target, { a: reading, b: faulty, c: reading }, { order: "stable" });
    const cases = target.log.slice(2);
    const between = cases.slice(
      cases.indexOf("POST control /faults"),
      cases.indexOf("DELETE control /faults") + 1,
    );
    expect(between).toEqual(["POST control /faults", "GET /asset", "DELETE control /faults"]);
  });

  it("that cannot be taken back ends the run", async () => {
    const target = await startTarget(({ name }) =>
      name === "DELETE control /faults" ? { status: 500 } : undefined,
    );
    const report = await run(target, { b: faulty, c: reading.replace("read\n", "reject-only\n") });
    expect(report.cases.find(({ id }) => id === "c")).toMatchObject({
      outcome: "filtered",
      reason: expect.stringContaining("could not be removed") as string,
    });
    expect(report.exitCode).not.toBe(0);
  });
});

describe("an interruption", () => {
  it("ends what waits at once and begins nothing new", async () => {
    const target = await startTarget(() => undefined);
    const abort = new AbortController();
    const sleeping = `spec: [EPT-15]\nsafety: read\nisolation: exclusive\nsteps: [{ call: { op: assets } }, { sleep: 1m, note: n }]\n`;
    const running = run(
      target,
      { a: sleeping, b: reading.replace("read\n", "reject-only\n") },
      { signal: abort.signal, onRow: () => undefined },
    );
    await expect.poll(() => target.log.includes("GET /asset")).toBe(true);
    abort.abort();
    const report = await running;
    expect(outcomes(report)).toEqual([
      ["a", "blocked"],
      ["b", "filtered"],
    ]);
    expect(report.verdict).toBe("INCOMPLETE");
  });
});

describe("a shared fragment", () => {
  const fragment = `fragment: rest
shared: true
steps:
  - id: resting
    call: { op: placeOrder, body: ${placing("k")} }
    expect: { status: 200 }
    capture: { orderId: '#/data/order/id' }
`;
  const using = (spec: string) =>
    `spec: [${spec}]\nsafety: rests\nsteps: [{ use: rest }, { assert: { left: '\${orderId}', is: { $re: '^order-' } } }]\n`;

  it("runs once for all cases that use it, and its order is cancelled at the end", async () => {
    const target = await startTarget(placedAs);
    const report = await run(target, { rest: fragment, a: using("PLC-21"), b: using("PLC-11") });
    expect(outcomes(report)).toEqual([
      ["a", "passed"],
      ["b", "passed"],
    ]);
    expect(target.log.filter((name) => name === "POST /order")).toHaveLength(1);
    expect(target.log.at(-1)).toMatch(/^DELETE \/order\/order-/);
  });

  it("is charged to each of them, by its own clauses", async () => {
    const target = await startTarget(({ name }) => (name === "POST /order" ? { status: 400 } : undefined));
    const report = await run(target, { rest: fragment, a: using("PLC-21"), b: using("PLC-11") });
    expect(report.cases.map(({ findings }) => findings.map(({ clauses }) => clauses))).toEqual([
      [["PLC-21"]],
      [["PLC-11"]],
    ]);
  });

  it("that uses itself is refused before anything is sent", async () => {
    const target = await startTarget(() => undefined);
    const circle = "fragment: rest\nsteps: [{ use: rest }]\n";
    await expect(run(target, { rest: circle, a: using("PLC-21") })).rejects.toBeInstanceOf(UsageError);
    expect(target.log).toEqual([]);
  });
});

describe("steps", () => {
  it("look again at what a step got", async () => {
    const target = await startTarget(({ name }) =>
      name === "GET /asset" ? { status: 200, data: [{ symbol: "BTC" }] } : undefined,
    );
    const text = `spec: [EPT-15]
safety: read
steps:
  - { id: read, call: { op: assets } }
  - { call: { op: openOrders } }
  - { id: first, assert: { of: read }, expect: { body: { data: [{ symbol: BTC }] } }, capture: { symbol: '#/data/0/symbol' } }
  - { assert: { of: first }, expect: { body: { data: [{ symbol: { $not: { $eqVar: symbol } } }] } } }
`;
    const report = await run(target, { a: text });
    expect(report.cases[0]?.findings.map(({ pointer }) => pointer)).toEqual(["/data/0/symbol"]);
    expect(target.log.filter((name) => name === "GET /asset")).toHaveLength(1);
  });

  it("of a branch follow its first one", async () => {
    const target = await startTarget(() => undefined, 2);
    const text = `spec: [EPT-15]
safety: read
steps:
  - concurrent:
      release: RELEASE
      fanout: 2
      collect: all
      branches: [[{ call: { op: assets } }, { call: { op: products } }]]
    expect: { count: { of: all, where: { status: 200 }, is: 4 } }
`;
    for (const release of ["barrier", "stagger", "none"]) {
      target.log.length = 0;
      const report = await run(target, { a: text.replace("RELEASE", release) });
      expect(outcomes(report)).toEqual([["a", "passed"]]);
      expect(target.log.slice(2).toSorted()).toEqual([
        "GET /asset",
        "GET /asset",
        "GET /product",
        "GET /product",
      ]);
    }
  });

  it("of a race are no evidence while the target is busy, unless its status is expected", async () => {
    const target = await startTarget(({ name }) => (name === "GET /asset" ? { status: 503 } : undefined), 2);
    const text = (expect: string): string => `spec: [EPT-15]
safety: read
steps:
  - concurrent: { release: barrier, fanout: 2, branches: [[{ call: { op: assets }, expect: ${expect} }]] }
`;
    const [asked, told] = [
      await run(target, { a: text("{ status: 200 }") }),
      await run(target, { a: text("{ status: 503 }") }),
    ];
    expect(asked.cases[0]).toMatchObject({
      outcome: "blocked",
      reason: "the target was busy: it answered one of 2 calls at once with 503",
    });
    expect(outcomes(told)).toEqual([["a", "passed"]]);
  });

  it("stop at the cost that their author has promised", async () => {
    const target = await startTarget(() => undefined);
    const text = `spec: [EPT-15]
safety: read
cost: { requests: 2 }
steps: [{ poll: { call: { op: assets }, until: { status: 404 }, every: 1ms, within: 5s } }]
`;
    const report = await run(target, { a: text });
    expect(report.cases[0]).toMatchObject({
      outcome: "blocked",
      reason: "the case states at most 2 requests (cost)",
    });
  });

  it.each([
    [
      "safety: read\nsteps: [{ call: { op: placeOrder, body: { $merge: ['${x}', {}] } } }]\nvars: { x: {} }\n",
      undefined,
    ],
    [`safety: read\nsteps: [{ call: { op: placeOrder, body: ${placing("a")} } }]\n`, 'is at least "rests"'],
    [
      `safety: rests\nrows: [{ name: mild, safety: read }]\nsteps: [{ call: { op: placeOrder, body: ${placing("a")} } }]\n`,
      'and safety says "read"',
    ],
    ["safety: read\nrows: [{ safety: wild }]\nsteps: [{ call: { op: assets } }]\n", 'found "wild"'],
    [
      "safety: read\ncost: { requests: 1 }\nsteps: [{ call: { op: assets } }, { call: { op: assets } }]\n",
      "needs at least 2 requests",
    ],
    ["safety: read\nsteps: [{ id: a, call: { op: assets } }, { assert: { of: a } }]\n", "it checks nothing"],
    ["safety: read\nsteps: [{ assert: { left: a } }]\n", "an assert is"],
  ])("that claim too little are refused: %#", async (text, problem) => {
    const target = await startTarget(() => undefined);
    const error: unknown = await run(target, { a: `spec: [EPT-15]\n${text}` }).catch(
      (thrown: unknown) => thrown,
    );
    const messages =
      error instanceof UsageError ? error.problems.map(({ message }) => message).join("\n") : "";
    expect(messages).toContain(problem ?? 'is at least "reject-only"');
  });
});
