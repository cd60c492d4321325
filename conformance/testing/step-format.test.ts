import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { conform } from "../conform.ts";
import type { Report } from "../report/report.ts";
import { readOnce } from "./read-once.ts";

/** Each part of the format once, against a target that answers `GET /asset` from a list and everything else with 200. */
let server: Server | undefined;
let log: string[] = [];
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function run(steps: string, answers: readonly unknown[] = [], more = ""): Promise<Report> {
  log = [];
  let asked = 0;
  const started = createServer((request, response) => {
    const path = (request.url ?? "").replace("/api/v1/trading", "");
    log.push(`${request.method} ${path}`);
    const answer = path === "/asset" ? answers[Math.min(asked++, answers.length - 1)] : undefined;
    const data = path === "/book/A-B" ? { bids: [["11", "1"]], asks: [["12.00", "1"]] } : (answer ?? []);
    const reply = (): void => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ statusCode: 200, success: true, message: "said", data }));
    };
    request.resume().on("end", path === "/book/S-LOW" ? () => setTimeout(reply, 300) : reply);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const file = join(folder, "case.yaml");
  await writeFile(
    file,
    `kit: 1\nid: one-case\ntitle: A case of these tests\nspec: [EPT-15]\nsafety: read\n${more}steps:\n${steps}`,
  );
  const profile = join(folder, "profile.yml");
  await writeFile(
    profile,
    `kit: 1
name: scripted
baseUrl: ${origin}/api/v1/trading
credentials: { trader: { keyId: k, secret: '\${env:SECRET}' } }
capabilities: { raw.socket: present }
facts: { limits: { min: '1' } }
operations:
  assets: { method: GET, path: /asset }
  orderBook: { method: GET, path: '/book/{product}', bids: '#/data/bids', asks: '#/data/asks' }
  candles: absent
`,
  );
  const environment = { SECRET: "a secret of some length" };
  return conform(await readOnce({ profile, environment, scenarios: [file], seed: 1 }));
}

const outcome = (report: Report) => report.cases.map((row) => row.outcome);
const actual = (report: Report) =>
  report.cases.flatMap(({ findings }) => findings.map((found) => found.actual));
/** The requests of the case itself. */
const sent = () => log.slice(2);

describe("rows", () => {
  it("come from every combination of a matrix, named by its values", async () => {
    const steps = "  - call: { op: '${row.op}', query: [[n, '${row.n}']] }\n";
    const report = await run(steps, [], "matrix: { op: [assets, products], n: ['1', '2'] }\n");
    expect(report.cases.map(({ id }) => id)).toEqual(
      ["assets,1", "assets,2", "products,1", "products,2"].map((name) => `one-case[${name}]`),
    );
    expect(sent().toSorted()).toEqual([
      "GET /asset?n=1",
      "GET /asset?n=2",
      "GET /product?n=1",
      "GET /product?n=2",
    ]);
  });

  it("of a step choose the branch of a switch", async () => {
    const steps = `  - rows: [{ name: a, want: yes }, { name: b, want: no }, { name: c, want: open }]
    onFail: continue
    call: { op: assets }
    expect: { $switch: '\${row.want}', yes: { status: 200 }, no: { status: 404 } }
`;
    const report = await run(steps);
    expect(report.cases[0]?.findings.map(({ step }) => step)).toEqual(["call[b]"]);
  });
});

describe("a precondition of a case", () => {
  const steps = (status: number): string => `  - note: assets are listed
    onFail: block
    call: { op: assets }
    expect: { status: ${status} }
  - call: { op: assets, query: [[n, last]] }
`;

  it("blocks the case if it does not hold, and violates no clause", async () => {
    const report = await run(steps(404));
    expect(report.cases).toMatchObject([
      { outcome: "blocked", findings: [], reason: "assets are listed: status is 200, not 404" },
    ]);
    expect(sent()).toEqual(["GET /asset"]);
  });

  it("is as silent as any step when it does", async () => {
    const report = await run(steps(200));
    expect(outcome(report)).toEqual(["passed"]);
    expect(sent()).toEqual(["GET /asset", "GET /asset?n=last"]);
  });
});

describe("a condition", () => {
  const conditions: readonly (readonly [string, boolean])[] = [
    ["{ clause: EPT-15 }", true],
    ["{ clause: EPT-17 }", false],
    ["{ capability: raw.socket }", true],
    ["{ capability: clock.control }", false],
    ["{ operation: assets }", true],
    ["{ operation: candles }", false],
    ["{ credential: trader }", true],
    ["{ credential: reader }", false],
    ["{ fact: limits.min }", true],
    ["{ fact: limits.max }", false],
    ["{ target: any }", true],
    ["{ target: simulator }", false],
    ["{ rowWant: a }", true],
    ["{ all: [{ rowWant: a }, { not: { rowWant: b } }] }", true],
    ["{ all: [{ rowWant: a }, { rowWant: b }] }", false],
    ["{ not: { credential: trader } }", false],
  ];

  it("decides whether a step runs", async () => {
    const steps = conditions.map(
      ([condition], index) => `  - when: ${condition}\n    call: { op: assets, query: [[n, '${index}']] }\n`,
    );
    await run(steps.join(""), [], "rows: [{ name: r, want: a }]\n");
    const expected = conditions.flatMap(([, runs], index) => (runs ? [`GET /asset?n=${index}`] : []));
    expect(sent()).toEqual(expected);
  });
});

describe("waiting", () => {
  const until = "until: { body: { data: { n: 2 } } }, every: 1ms";
  const numbers = [1, 2, 1, 2, 2].map((n) => ({ n }));

  it("ends when the condition has held as often in a row as it should", async () => {
    const report = await run(`  - poll: { call: { op: assets }, ${until}, stable: 2 }\n`, numbers);
    expect(outcome(report)).toEqual(["passed"]);
    expect(sent()).toHaveLength(5);
  });

  it("asks at once, and less often with a backoff", async () => {
    await run(`  - poll: { call: { op: assets }, ${until}, within: 200ms, backoff: 4 }\n`, [{ n: 1 }]);
    expect(sent().length).toBeGreaterThanOrEqual(2);
    expect(sent().length).toBeLessThanOrEqual(6);
  });

  it("says nothing about the target when the time of the case cuts it short", async () => {
    const slow = "  - call: { op: orderBook, params: { product: S-LOW } }\n";
    const poll = `  - poll: { call: { op: assets }, ${until}, within: 300ms }\n`;
    const report = await run(slow + poll, [{ n: 1 }], "timeout: 500ms\n");
    expect(report.cases).toMatchObject([
      { outcome: "blocked", reason: "the case took longer than 500 ms", findings: [] },
    ]);
  });

  it("for what must never be ends when it is", async () => {
    const never = (time: string): string =>
      `  - never: { call: { op: assets }, match: { body: { data: { n: 2 } } }, for: ${time}, every: 1ms }\n`;
    expect(actual(await run(never("60s"), numbers))).toEqual(["it happened"]);
    expect(sent()).toHaveLength(2);
    expect(outcome(await run(never("40ms"), [{ n: 1 }]))).toEqual(["passed"]);
  });
});

describe("laws over lists", () => {
  const race = (
    check: string,
  ) => `  - concurrent: { release: none, fanout: 3, collect: all, branches: [[{ call: { op: assets } }]] }
  - check: ${check}
`;
  const ids = (...list: readonly string[]) => list.map((id) => ({ id, type: id }));

  it("find a value that comes twice", async () => {
    const check = race("{ unique: '#/data/id', in: all }");
    expect(actual(await run(check, ids("a", "b", "a")))).toEqual(['"a"']);
    expect(outcome(await run(check, ids("a", "b", "c")))).toEqual(["passed"]);
  });

  it("compare without an order", async () => {
    const check = race("{ multiset: all, is: [c, a, b] }");
    expect(outcome(await run(check, ids("a", "b", "c")))).toEqual(["passed"]);
    expect(outcome(await run(check, ids("a", "b", "b")))).toEqual(["warned"]);
  });

  it("look at the prices of a book", async () => {
    const book = (is: string) => `  - { id: book, call: { op: orderBook, params: { product: A-B } } }
  - check: { prices: asks, in: book, is: ${is} }
`;
    expect(outcome(await run(book("{ $none: { $dec: '11' } }")))).toEqual(["passed"]);
    const found = await run(book("{ $none: { $dec: '12' } }"));
    expect(outcome(found)).toEqual(["warned"]);
    expect(actual(found)).toEqual(['["12.00"]']);
  });
});

describe("raw bytes", () => {
  const head = "GET ${sig.base}/asset HTTP/1.1\n        Host: ${sig.host}\n        Connection: close\n";
  it("leave in pieces, and the sending side may be closed", async () => {
    const steps = `  - raw:
      request: |
        ${head}      chunks: [{ bytes: 10, pause: 5ms }, { bytes: 5, pause: 1ms }]
      halfClose: true
    expect: { status: 200 }
`;
    expect(outcome(await run(steps))).toEqual(["passed"]);
    expect(sent()).toEqual(["GET /asset"]);
  });
});
