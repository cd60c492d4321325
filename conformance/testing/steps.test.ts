import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { conform } from "../conform.ts";
import { consoleReport } from "../report/console.ts";
import type { Report } from "../report/report.ts";
import { readOnce } from "./read-once.ts";

/** The answers of the target of these tests, by method and path below the base; everything else is an empty success. */
type Script = Readonly<Record<string, () => { readonly status: number; readonly data?: unknown }>>;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function targetOf(script: Script): Promise<string> {
  const started = createServer((request, response) => {
    const name = `${request.method} ${(request.url ?? "").replace("/api/v1/trading", "").split("?")[0]}`;
    const { status, data = [] } = script[name]?.() ?? { status: 200 };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ statusCode: status, success: status < 400, message: "said", data }));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

async function run(scenario: string, script: Script = {}): Promise<Report> {
  const origin = await targetOf(script);
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  await writeFile(
    join(folder, "case.yaml"),
    `kit: 1\nid: one-case\ntitle: One case of the kit's own tests\n${scenario}`,
  );
  const profile = [
    "kit: 1",
    "name: scripted",
    `baseUrl: ${origin}/api/v1/trading`,
    "safety: { products: { BTC-USD: { buyFar: '1.00', qty: '1' } } }",
    "credentials: { trader: { keyId: k, secret: '${env:SECRET}' } }",
    "capabilities: { clock.control: present }",
    `control: { url: '${origin}/control' }`,
    "operations: { assets: { method: GET, path: /asset }, readOrder: { method: GET, path: '/order/{id}' } }",
    "",
  ];
  await writeFile(join(folder, "profile.yml"), profile.join("\n"));
  return conform(
    await readOnce({
      profile: join(folder, "profile.yml"),
      environment: { SECRET: "a secret of some length" },
      scenarios: [join(folder, "case.yaml")],
    }),
  );
}

const outcomes = (report: Report) => report.cases.map(({ outcome }) => outcome);
const blame = (report: Report) => report.cases.flatMap((row) => row.findings.map(({ clauses }) => clauses));

describe("a case that needs a value of an earlier step", () => {
  it("is blocked with the note of the step that looks for it", async () => {
    const report = await run(`spec: [AUTH-07]
steps:
  - { call: { op: openOrders }, capture: { order: '#/data/order/id' } }
  - { note: the order was turned down, assert: { left: '\${order}', is: $any } }
`);
    expect(report.cases.map(({ reason }) => reason)).toEqual([
      "the order was turned down: ${order} has no value: GET /api/v1/trading/order/open (step call) has nothing at #/data/order/id",
    ]);
  });
});

describe("a value that a step did not deliver", () => {
  const reasonOf = async (capture: string, script?: Script): Promise<string | undefined> => {
    const report = await run(
      `spec: [AUTH-07]\nsteps:\n  - { id: one, call: { op: openOrders }, capture: { order: ${capture} } }\n  - { assert: { left: '\${order}', is: $any } }\n`,
      script,
    );
    return report.cases[0]?.reason;
  };

  it("is missed with the step, its answer and the place", async () => {
    const request = "GET /api/v1/trading/order/open (step one)";
    expect(await reasonOf("'#/data/order/id'")).toBe(
      `\${order} has no value: ${request} has nothing at #/data/order/id`,
    );
    expect(await reasonOf("'#/data/order/id'", { "GET /order/open": () => ({ status: 403 }) })).toBe(
      `\${order} has no value: ${request} was answered 403`,
    );
    expect(await reasonOf("{ wallet: USD }")).toMatch(
      /no record of it with two of balance.*say where they are in operations\.wallets\.wallet$/,
    );
  });
});

describe("an order that is not where it was looked for", () => {
  it("is missed with the places, and with the key that can name another one", async () => {
    const report = await run(
      "spec: [AUTH-07]\nsteps:\n  - { call: { op: readOrder, params: { id: '7' } }, expect: { order: { status: OPEN } } }\n",
      { "GET /order/7": () => ({ status: 200, data: { result: { status: "OPEN" } } }) },
    );
    const [found] = report.cases.flatMap(({ findings }) => findings);
    expect(found?.actual).toBe(
      "(missing): the answer has no order at #/data or #/data/order; if it has one, say where in operations.readOrder.order",
    );
  });
});

describe("an unexpected refusal", () => {
  it("is shown with the target's own words", async () => {
    const report = await run(
      "spec: [AUTH-07]\nsteps:\n  - { call: { op: openOrders }, expect: { status: 200 } }\n",
      { "GET /order/open": () => ({ status: 422 }) },
    );
    const [found] = report.cases.flatMap(({ findings }) => findings);
    expect(found).toMatchObject({ expected: "200", actual: "422", said: "said" });
    expect(consoleReport(report)).toContain("was      422\n          it said  said\n");
  });
});

describe("whom a failure is charged to", () => {
  it("is the clause of the row of a step", async () => {
    const report = await run(`spec: [AUTH-01, AUTH-02]
steps:
  - rows: [{ name: a, spec: AUTH-02 }]
    call: { op: openOrders }
    expect: { status: 401 }
`);
    expect(blame(report)).toEqual([["AUTH-02"]]);
  });

  it("is not the envelope when the answer is an error", async () => {
    const report = await run(
      "spec: [AUTH-07]\nsteps: [{ call: { op: openOrders }, expect: { envelope: ok } }]\n",
      {
        "GET /order/open": () => ({ status: 403 }),
      },
    );
    expect(blame(report)).toEqual([["AUTH-07"]]);
  });

  it("is not the envelope of an operation that only the profile knows", async () => {
    const report = await run(
      "spec: [EPT-15]\nsteps: [{ call: { op: assets }, expect: { envelope: ok } }]\n",
      {
        "GET /asset": () => ({ status: 200, data: 7 }),
      },
    );
    expect(blame(report)).toEqual([["EPT-15"]]);
    expect(outcomes(report)).toEqual(["warned"]);
  });
});

describe("values", () => {
  it("of a generator in a column are computed in expectations, too", async () => {
    const report = await run(
      `spec: [PRD-18]
rows: [{ name: a, pair: { $product: tradable } }]
steps: [{ call: { op: products }, expect: { anywhere: { object: { id: '\${row.pair}' }, times: 1 } } }]
`,
      { "GET /product": () => ({ status: 200, data: [{ id: "BTC-USD", apiEnabled: true }] }) },
    );
    expect(report.cases[0]?.findings).toEqual([]);
    expect(outcomes(report)).toEqual(["passed"]);
  });

  it("that were captured are compared as they are, numbers and objects included", async () => {
    const report = await run(
      `spec: [EPT-15]
steps:
  - call: { op: assets }
    capture: { status: { status: true }, first: '#/data/0' }
  - call: { op: assets }
    expect: { status: { $eqVar: status }, body: { data: [{ $eqVar: first }] } }
`,
      { "GET /asset": () => ({ status: 200, data: [{ symbol: "BTC", scale: 8 }] }) },
    );
    expect(outcomes(report)).toEqual(["passed"]);
  });
});

describe("a server error", () => {
  it.each([
    ["an amount", "{ anywhere: { object: { filledQuantity: '512' }, times: 0 } }", ["ERR-09"]],
    ["its class", "{ status: 5xx }", []],
  ])("is held against the target where the step speaks of %s", async (_, expected, clauses) => {
    const report = await run(`spec: [EPT-15]\nsteps: [{ call: { op: assets }, expect: ${expected} }]\n`, {
      "GET /asset": () => ({ status: 500 }),
    });
    expect(report.ambient.map(({ clause }) => clause)).toEqual(clauses);
  });
});

describe("waiting", () => {
  it("takes the place of moving a clock that follows real time", async () => {
    const started = performance.now();
    const report = await run("spec: [PLC-32]\nsteps: [{ clock: { advance: 120ms } }]\n", {
      "POST /control/clock": () => ({ status: 409 }),
    });
    expect(outcomes(report)).toEqual(["passed"]);
    expect(performance.now() - started).toBeGreaterThan(119);
  });

  it("ends when nothing more falls due in that time", async () => {
    const [now, soon, late] = [
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T00:00:00.010Z",
      "2026-01-01T01:00:00.000Z",
    ];
    const due = [soon, late];
    await run("spec: [PLC-32]\nsteps: [{ clock: { advance: 4s } }]\n", {
      "POST /control/clock": () => ({ status: 409 }),
      "GET /control/clock": () => ({ status: 200, data: { now, nextDue: due.shift() ?? null } }),
    });
    expect(due).toEqual([]);
  });

  it("is not done for an hour", async () => {
    const report = await run("spec: [PLC-32]\nsteps: [{ clock: { advance: 1h } }]\n", {
      "POST /control/clock": () => ({ status: 409 }),
    });
    expect(outcomes(report)).toEqual(["blocked"]);
  });

  it("is made for a busy target, with any amounts in the step", async () => {
    let asked = 0;
    const report = await run(
      `spec: [EPT-07]
steps: [{ call: { op: openOrders }, expect: { status: 2xx, anywhere: { object: { filledQuantity: '429.00' }, times: 0 } } }]
`,
      {
        "GET /order/open": () => {
          asked += 1;
          return { status: asked === 2 ? 429 : 200 };
        },
      },
    );
    expect(outcomes(report)).toEqual(["passed"]);
    expect(asked).toBe(3);
  });

  it("for a busy target repeats the same bytes, so that 429 is no refusal of a replay", async () => {
    let asked = 0;
    const report = await run(
      `spec: [AUTH-26]
steps:
  - { id: first, call: { op: openOrders } }
  - { call: { reuse: first }, expect: { status: 4xx } }
`,
      {
        "GET /order/open": () => {
          asked += 1;
          return { status: asked === 3 ? 429 : 200 };
        },
      },
    );
    expect(outcomes(report)).toEqual(["failed"]);
  });
});
