import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ClaimedLevel,
  type ConformOptions,
  conform,
  planRun,
  type ReportedCase,
  readSuite,
  type SafetyClass,
} from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";
import { sampled, triesAll } from "../tools/sampled.ts";
import { type Change, ownProfile } from "./testing/own-profile.ts";

/** Compares `plan` with the run, row by row, for profiles that state more and less. */
const without =
  (...keys: readonly string[]): Change =>
  (text) =>
    text
      .split("\n")
      .filter((line) => !keys.some((key) => line.startsWith(`  ${key}:`)))
      .join("\n");

/** Rows that name roles, operations, facts, products and prices in a column, and some that need nothing of it. */
const speaking = sampled(2, [
  "auth-040*",
  "auth-045*",
  "claims-*",
  "orders-2*",
  "operations-*",
  "orders-12*",
  "products-0*",
  "market-buy-0*",
  "orders-05*",
  "orders-035*",
  "idempotency-02*",
  "orders-19*",
]);

const roles = [
  "otherClient",
  "counterparty",
  "readOrders",
  "writeOrders",
  "readAccount",
  "noClaim",
  "orphan",
  "revoked",
];
const oneProduct: Change = (text) =>
  text
    .replace(/^facts:[\s\S]*$/m, "")
    .replace(/^ {4}ETH-USD:\n(?: {6}.*\n)+/m, "")
    .replace(/^ {4}(?:ETH-BTC|BTC-EUR|SHIB-USD): .*\n/gm, "");

/** The same simulator as a machine that is not ours: the guards for orders and headers are on. */
const staging =
  (allow: SafetyClass): Change =>
  (text) =>
    text
      .replace("kind: local", "kind: staging")
      .replace("allow: disruptive", `allow: ${allow}`)
      .replace(
        /budget: \{.*\}/,
        "budget: { requests: 5000, orders: 500, openOrders: 100, rps: 500, concurrency: 8 }",
      );

const owners: readonly (readonly [string, ClaimedLevel, readonly string[], Change, number])[] = [
  ["has two keys", "full", speaking, without(...roles), 14],
  ["states everything", "full", [], (text) => text, 0],
  ["maps no cancel and no book", "core+limits", speaking, without("cancelOrder", "orderBook"), 10],
  ["names one product and no facts", "core+limits", speaking, oneProduct, 20],
  ["of a staging gateway lets orders trade", "full", [], staging("trades"), 20],
  [
    "says that there are no wallets",
    "core",
    [],
    (text) => text.replace(/^ {2}wallets: .*$/m, "  wallets: absent"),
    2,
  ],
  ["misspelt a variable", "core", ["claims-*"], (text) => text.replace("READER_SECRET", "REDER_SECRET"), 3],
];

/** Requests that the transport refuses beyond this machine, in every kind of step that sends. */
const keptBack = `kit: 1
id: kept-back
title: Requests that do not leave for a machine that is not ours
spec: [GEN-13]
safety: rests
requires: { credentials: [trader] }
rows:
  - { name: header, op: openOrders, override: PUT }
  - { name: header-beside-the-signed, op: openOrders, sign: { headers: { rename: { X-API-KEY: X-Forwarded-Host } } } }
  - { name: media-type, op: openOrders, media: application/cbor, body: {} }
  - { name: order, method: PURGE, path: /elsewhere, body: { side: SELL, type: LIMIT, base_quantity: { $qty: typical }, price: { $price: { side: BUY, away: far } }, client_order_id: { $uuid4: key }, product: { $product: tradable } } }
  - { name: allowed, op: openOrders, language: de }
steps:
  - id: sent
    call: { op: '\${row.op}', method: '\${row.method}', path: '\${row.path}', sign: '\${row.sign}', body: '\${row.body}', headers: { X-HTTP-Method-Override: '\${row.override}', Content-Type: '\${row.media}', Accept-Language: '\${row.language}' } }
    expect: { status: $any }
`;
const keptBackLater = `kit: 1
id: kept-back-later
title: Requests that hang on those before them
spec: [GEN-13]
safety: rests
rows:
  - { name: again, patch: { type: MARKET } }
  - { name: allowed, patch: {} }
steps:
  - id: first
    call: { op: placeOrder, body: { side: BUY, type: LIMIT, base_quantity: { $qty: typical }, price: { $price: { side: BUY, away: far } }, client_order_id: { $uuid4: key }, product: { $product: tradable } } }
  - id: second
    call: { op: placeOrder, body: { $merge: ['\${first.request.body}', '\${row.patch}'] } }
`;
const keptBackBytes = `kit: 1
id: kept-back-bytes
title: Bytes that do not leave for a machine that is not ours
spec: [GEN-13]
safety: rests
steps:
  - id: sent
    raw:
      request: |
        GET \${sig.base}/order/open HTTP/1.1
        Host: \${sig.host}
        X-Rewrite-URL: /
`;
const keptBackMessage = `kit: 1
id: kept-back-message
title: A message that does not leave for a machine that is not ours
spec: [GEN-13]
safety: rests
requires: { capabilities: [ws] }
steps:
  - id: opened
    ws: { connect: {} }
  - id: sent
    ws: { send: { json: { client_order_id: a } } }
`;

/** A reason may quote an id that is drawn anew in each run. */
const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "<uuid>");

/** The outcome of a row in the words of the plan. A row that has sent a request runs, even if a slow machine ends it. */
function outcomeOf({ outcome, reason = "" }: ReportedCase, sent: number): string {
  if (sent > 0) return "runs";
  if (outcome === "blocked") return `blocked: ${reason}`;
  return outcome === "notApplicable" ? `not applicable: ${reason}` : "runs";
}

/** Read once, for all runs. */
const builtIn = readSuite([]);

/** Plans a run, runs it, and holds the two against each other. On a manual clock no market moves between an offer and its buyer. */
async function compared(
  change: Change,
  choice: Partial<ConformOptions>,
  clock: "real" | "manual" = "manual",
) {
  await using simulator = await startSimulator({ db: ":memory:", exchanges: false, clock });
  const { file: profile, environment, read: parsed } = await ownProfile(simulator, change);
  const { scenarios = [] } = choice;
  const read = {
    profile: parsed,
    suite: scenarios.length === 0 ? (await builtIn).suite : (await readSuite(scenarios)).suite,
  };
  // A plan has no rows for properties.
  const options = { profile, environment, read, seed: 1, properties: "off", ...choice } as const;
  const plan = await planRun(options);
  const sent = new Map<string, number>();
  const onExchange: ConformOptions["onExchange"] = ({ request }) => {
    const id = request.permit?.caseId ?? "";
    if (request.method !== "WS") sent.set(id, (sent.get(id) ?? 0) + 1);
  };
  const report = await conform({ ...options, onExchange });
  const planned = new Map(
    plan.cases.map(({ id, gate, reason }) => [id, reason === undefined ? gate : `${gate}: ${reason}`]),
  );
  const all = report.cases.filter(({ id }) => planned.has(id));
  expect(all).toHaveLength(planned.size);
  // The order of the cases decides which of them finds the money of the run spent; the plan says that one will.
  const ran = all.filter(({ reason }) => reason?.startsWith("the orders of this run would come to") !== true);
  if (ran.length < all.length)
    expect(plan.beyondBudget).toContainEqual(expect.stringContaining("safety.notional"));
  expect(ran.map((row) => withoutIds(`${row.id} ${outcomeOf(row, sent.get(row.id) ?? 0)}`))).toEqual(
    ran.map(({ id }) => withoutIds(`${id} ${planned.get(id)}`)),
  );
  // Nothing is sent beyond what was announced, and nothing at all for what cannot run.
  const bounds = new Map(plan.cases.map(({ id, gate, most }) => [id, gate === "runs" ? most.requests : 0]));
  const beyond = [...sent].filter(([id, count]) => bounds.has(id) && count > (bounds.get(id) ?? 0));
  expect(beyond).toEqual([]);
  expect(report.summary.orders).toBeLessThanOrEqual(plan.totals.most.orders);
  return { plan, report };
}

describe.concurrent("plan and conform", () => {
  it.each(sampled(12, owners))(
    "agree about every case if the owner %s",
    async (_, level, only, change, closed) => {
      const { plan } = await compared(change, { level, only });
      expect(plan.totals.blocked + plan.totals.notApplicable).toBeGreaterThanOrEqual(closed);
    },
  );

  it("agree about requests that the transport refuses", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
    for (const [index, text] of [keptBack, keptBackLater, keptBackBytes, keptBackMessage].entries())
      await writeFile(path.join(folder, `${index}.yaml`), text);
    const { plan } = await compared(staging("rests"), { level: "full", scenarios: [folder] });
    const running = plan.cases.filter(({ gate }) => gate === "runs").map(({ id }) => id);
    expect(running.toSorted()).toEqual(["kept-back-later[allowed]", "kept-back[allowed]"]);
    const { plan: ours } = await compared((text) => text, { level: "full", scenarios: [folder] });
    expect(ours.totals.blocked).toBe(0);
  });
});

const ofMarketOrders = ["REQ-11", "PLC-05"];

describe("level core at a gateway that is not ours", () => {
  it("lacks only the clauses of MARKET orders if orders may only rest", async () => {
    const { plan, report } = await compared(staging("rests"), { level: "core" }, "real");
    const open = report.clauses.filter(({ claimed, outcome }) => claimed && outcome === "unverified");
    expect([report.verdict, ...open.map(({ id }) => id)]).toEqual(["INCOMPLETE", ...ofMarketOrders]);
    // The time that a run takes is that of its requests.
    const { requests, rps, seconds, waitSeconds } = plan.time;
    expect(requests / report.summary.requests).toBeGreaterThan(0.8);
    expect(requests / report.summary.requests).toBeLessThan(1.25);
    expect(seconds).toBeCloseTo(requests / rps + waitSeconds, 0);
    expect(waitSeconds).toBeGreaterThanOrEqual(5);
  });

  it("lacks none of them where the owner lets orders trade", async () => {
    const { report } = await compared(staging("trades"), { level: "core", only: ofMarketOrders }, "real");
    const open = report.clauses.filter(
      ({ id, outcome }) => ofMarketOrders.includes(id) && outcome !== "satisfied",
    );
    expect(open).toEqual([]);
  });

  it.runIf(triesAll)("is reached where the owner lets orders trade", async () => {
    const { report } = await compared(staging("trades"), { level: "core" }, "real");
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  });
});
