import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { triesAll } from "../../../tools/sampled.ts";
import { type ConformOptions, conform } from "../../conform.ts";
import { planRun } from "../../plan.ts";
import { consoleReport } from "../../report/console.ts";
import type { Report } from "../../report/report.ts";
import { readOnce } from "../read-once.ts";
import { type LegalGateway, type LegalGatewayOptions, legalSecrets, startLegalGateway } from "./gateway.ts";
import { variations } from "./variations.ts";

const gateways: LegalGateway[] = [];
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
});

async function started(options?: LegalGatewayOptions): Promise<LegalGateway> {
  const gateway = await startLegalGateway(options);
  gateways.push(gateway);
  return gateway;
}

/** Five lines are all that a gateway's owner has to write. */
async function profileOf(
  { baseUrl, keyId, reader }: LegalGateway,
  more: readonly string[] = [
    "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
  ],
): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "legal.yaml");
  const lines = [
    "kit: 1",
    "name: legal",
    `baseUrl: ${baseUrl}`,
    `credentials: { trader: { keyId: ${keyId}, secret: '\${env:SECOND_SECRET}' }, reader: { keyId: ${reader.keyId}, secret: '\${env:SECOND_READER}' } }`,
    ...more,
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

const judged = async (gateway: LegalGateway, more: Partial<ConformOptions> = {}): Promise<Report> =>
  conform(await readOnce({ profile: await profileOf(gateway), environment: legalSecrets, seed: 7, ...more }));

const run = async (options: LegalGatewayOptions, more?: Partial<ConformOptions>): Promise<Report> =>
  judged(await started(options), more);

/** What is legal and called wrong shows in any run of a property. */
const fewer = triesAll ? {} : { runs: 8 };

const outcomesOf = ({ cases }: Report) => cases.map(({ id, outcome }) => `${id} ${outcome}`);

const problems = (report: Report) => [
  ...report.cases.flatMap((row) =>
    row.findings
      .filter(({ severity }) => severity !== "info")
      .map(
        (found) =>
          `${row.id} ${found.clauses.join(" ")} ${found.pointer} ${found.expected} / ${found.actual}`,
      ),
  ),
  ...report.ambient.map(
    (line) => `every reply ${line.clause} ${line.pointer} ${line.expected} / ${line.actual}`,
  ),
];

describe.concurrent("a legal gateway that shares nothing with our simulator", () => {
  it("is conformant at level core with a profile of five lines", async () => {
    const gateway = await started();
    const report = await judged(gateway, fewer);
    expect(problems(report)).toEqual([]);
    const open = report.clauses.filter(({ claimed, outcome }) => claimed && outcome === "unverified");
    expect(
      open.map(({ id, cases }) => [
        id,
        report.cases
          .filter((row) => cases.includes(row.id))
          .map(({ id, outcome, reason }) => [id, outcome, reason]),
      ]),
    ).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    expect(consoleReport(report)).toMatch(/^CONFORMANT /m);
    expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, error: 0 });
    expect(report.summary.cases.passed).toBeGreaterThan(200);
    // Cases that need what it lacks could not run, or are not part of this level; they are neither passed nor failed.
    const lacking = report.cases
      .filter(({ outcome }) => outcome === "blocked")
      .map(({ reason }) => reason ?? "");
    expect(lacking.length).toBeGreaterThan(5);
    expect(lacking.filter((reason) => !/profile|clock\.control|unknown|not mapped/.test(reason))).toEqual([]);
    // The plan, which sends nothing, has said the same of every row.
    const plan = await planRun({
      profile: await profileOf(gateway),
      environment: legalSecrets,
    });
    const planned = plan.cases
      .filter(({ gate }) => gate === "blocked")
      .map(({ id, reason }) => `${id} ${reason}`);
    const blocked = report.cases.filter(({ outcome }) => outcome === "blocked");
    expect(planned.toSorted()).toEqual(blocked.map(({ id, reason }) => `${id} ${reason}`).toSorted());
    // Without a cancel every order rests, and each is listed.
    expect(report.leftovers.map(({ id }) => id).toSorted()).toEqual([...gateway.openIds()].toSorted());
  });

  it("is called nothing else while it is busy now and then and slow, and what was asked again is counted", async () => {
    // All of the suite is tried in `npm run test:whole`; a request is asked again in the same way in every case.
    const only = triesAll ? [] : ["auth-0*", "orders-01*"];
    const report = await run({ busyEvery: 9, delayMs: 1 }, { only });
    expect(problems(report)).toEqual([]);
    const calm = await run({}, { only });
    expect(outcomesOf(report)).toEqual(outcomesOf(calm));
    expect(report).toMatchObject({ verdict: calm.verdict, exitCode: calm.exitCode });
    expect(report.summary.cases.passed).toBeGreaterThan(20);
    if (triesAll) expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    expect(report.target.notes["askedAgain"]).toMatch(/^\d+ times, 429/);
  });

  it.runIf(triesAll)(
    "is conformant with warnings when its errors are no JSON, because that is only recommended",
    async () => {
      const report = await run({ errors: "text" }, { failOnWarnings: true });
      expect(report.cases.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      // 0 unless the caller wants to know.
      expect(report).toMatchObject({ verdict: "CONFORMANT_WITH_WARNINGS", exitCode: 7 });
      const warned = report.clauses.filter(({ outcome }) => outcome === "warned").map(({ id }) => id);
      expect(warned).toEqual(["GEN-12", "ERR-05", "ERR-10"]);
    },
  );
});

/** Of the variations that change the requests rather than the answers; cases that it then cannot be asked are open, not wrong. */
describe.concurrent("a legal gateway with one variation more", () => {
  const runWith = async (options: LegalGatewayOptions, more: Partial<ConformOptions>): Promise<Report> => {
    const own = await startLegalGateway({ ...options, cancel: true });
    try {
      const lines = [
        "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
        "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
      ];
      const profile = await profileOf(own, lines);
      const report = await conform(await readOnce({ profile, environment: legalSecrets, seed: 7, ...more }));
      // Each order is found and cancelled again, under any name and in any list.
      expect(own.openIds()).toEqual([]);
      expect(own.requests()).toBeGreaterThan(300);
      return report;
    } finally {
      await own.close();
    }
  };

  // All of them at once, below, are tried always.
  it.runIf(triesAll).concurrent.each(variations)("%s, and is conformant", async (variation) => {
    const report = await runWith({ variations: [variation] }, { properties: "off" });
    expect(problems(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  });

  it("has all of them at once, and problem documents for errors", async () => {
    const report = await runWith({ variations, errors: "problem" }, fewer);
    expect(problems(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  });
});

describe.concurrent("a gateway that is not ours to break", () => {
  const staging = [
    "kind: staging",
    "requestSource: nightly conformance",
    "safety:",
    "  allow: rests",
    "  budget: { requests: 1500, orders: 60, openOrders: 60, rps: 1000 }",
    "  leftovers: 60",
    "  notional: { USD: '2000', perOrder: { USD: '9500' } }",
    "  products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } }",
  ];

  it("is sent nothing that could trade, nothing that breaks HTTP, and nothing beyond its caps", async () => {
    const gateway = await started();
    const profile = await profileOf(gateway, staging);
    const report = await conform(await readOnce({ profile, environment: legalSecrets, seed: 7 }));
    expect(problems(report)).toEqual([]);
    const seen = gateway.seen();
    expect(seen.length).toBe(report.summary.requests);
    // Raw bytes go out as they are written; everything else names the kit and the run.
    expect(seen.filter(({ agent }) => agent === "").length).toBeLessThan(10);
    for (const { agent, source } of seen.filter((one) => one.agent !== "")) {
      expect(agent).toMatch(/^gatewright\/\S+ \(conformance run [0-9a-f-]{36}\)$/);
      expect(source).toBe("nightly conformance");
    }
    const orders = seen.flatMap(({ body }) => orderIn(body));
    expect(orders.length).toBeGreaterThan(50);
    const complete = orders.filter(
      ({ side, product, price, client_order_id: key }) => side && product && price && key,
    );
    const trading = complete.filter(({ type, side, price, product }) =>
      product !== "BTC-USD" && product !== "ETH-USD"
        ? false
        : type === "MARKET" ||
          (side === "BUY" ? Number(price) > 1000 : side === "SELL" && Number(price) < 900_000),
    );
    expect(trading).toEqual([]);
    expect(complete.filter(({ product }) => product === "ETH-USD")).toEqual([]);
    const reasons = report.cases.flatMap(({ outcome, reason }) =>
      outcome === "blocked" ? [reason ?? ""] : [],
    );
    expect(
      reasons.filter((reason) => /this machine only|far side|MARKET|safety\.allow/.test(reason)).length,
    ).toBeGreaterThan(0);
    expect(report.summary.orders).toBeLessThanOrEqual(60);
  });

  it("has places for orders again after those that failed, so that few judge as much as many", async () => {
    const judgedWith = async (places: number): Promise<readonly unknown[]> => {
      const gateway = await started({ cancel: true });
      const lines = staging.map((line) => line.replace("openOrders: 60", `openOrders: ${places}`));
      const operations = "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }";
      const profile = await profileOf(gateway, [...lines, operations]);
      // Cases whose orders fail.
      const only = triesAll ? [] : ["orders-0*", "idempotency*"];
      const report = await conform(await readOnce({ profile, environment: legalSecrets, seed: 7, only }));
      // Far more than the places of the few.
      expect(gateway.seen().flatMap(({ body }) => orderIn(body)).length).toBeGreaterThan(36);
      const full = report.cases.filter(({ reason }) => reason?.includes("openOrders allows") === true);
      const open = report.clauses.filter(({ outcome }) => outcome === "unverified");
      return [full.map(({ id }) => id), open.map(({ id }) => id)];
    };
    const [few, many] = [await judgedWith(12), await judgedWith(60)];
    expect([few[0], few]).toEqual([[], many]);
  });

  it("is asked for no more orders than may be open", async () => {
    const gateway = await started();
    const tight = staging.map((line) => line.replace("openOrders: 60", "openOrders: 3"));
    const profile = await profileOf(gateway, tight);
    const only = ["orders-0*", "idempotency*"];
    const report = await conform(await readOnce({ profile, environment: legalSecrets, seed: 7, only }));
    expect(gateway.openIds().length).toBeLessThanOrEqual(3);
    expect(report.cases.some(({ reason }) => reason?.includes("openOrders allows 3") === true)).toBe(true);
    expect(report.summary.cases.failed).toBe(0);
  });
});

function orderIn(body: string): Partial<Record<string, string>>[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? [{ ...parsed }] : [];
  } catch {
    return [];
  }
}
