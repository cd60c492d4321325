import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ClaimedLevel,
  type ConformOptions,
  conform,
  environmentOf,
  packageRoot,
  planRun,
  type ReportedCase,
  readReadyFile,
} from "../conformance/index.ts";
import { startSimulator } from "../simulator/index.ts";

/** What `plan` says of each row, held against what the run makes of it, for owners who state more and less. */
type Change = (text: string) => string;
const without =
  (...keys: readonly string[]): Change =>
  (text) =>
    text
      .split("\n")
      .filter((line) => !keys.some((key) => line.startsWith(`  ${key}:`)))
      .join("\n");

/** Rows that name roles, operations, facts, products and prices in a column, and some that need nothing of it. */
const speaking = [
  "auth-040*",
  "auth-045*",
  "claims-*",
  "operations-*",
  "products-0*",
  "orders-035*",
  "orders-05*",
  "orders-12*",
  "orders-19*",
  "orders-2*",
  "idempotency-02*",
  "market-buy-0*",
];

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

const owners: readonly (readonly [string, ClaimedLevel, readonly string[], Change, number])[] = [
  ["states everything", "full", [], (text) => text, 0],
  ["has two keys", "full", speaking, without(...roles), 14],
  ["maps no cancel and no book", "core+limits", speaking, without("cancelOrder", "orderBook"), 10],
  [
    "says that there are no wallets",
    "core",
    [],
    (text) => text.replace(/^ {2}wallets: .*$/m, "  wallets: absent"),
    2,
  ],
  ["misspelt a variable", "core", ["claims-*"], (text) => text.replace("READER_SECRET", "REDER_SECRET"), 3],
  ["names one product and no facts", "core+limits", speaking, oneProduct, 20],
];

/** What a row came to, in the words of the plan. */
function outcomeOf({ outcome, reason = "" }: ReportedCase): string {
  if (outcome === "blocked") return `blocked: ${reason}`;
  return outcome === "notApplicable" ? `not applicable: ${reason}` : "runs";
}

describe("plan and conform", { timeout: 240_000 }, () => {
  it.each(owners)("agree about every row where the owner %s", async (_, level, only, change, closed) => {
    await using simulator = await startSimulator({ db: ":memory:" });
    const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
    const ready = path.join(folder, "ready.json");
    await writeFile(ready, JSON.stringify(simulator.readyLine()));
    const environment = environmentOf(await readReadyFile(ready));
    const own = await readFile(path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"), "utf8");
    const profile = path.join(folder, "profile.yaml");
    await writeFile(profile, change(own));
    const options = { profile, environment, level, only } as const;
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
    const ran = report.cases.filter(({ id }) => planned.has(id));
    expect(ran).toHaveLength(planned.size);
    expect(ran.map((row) => `${row.id} ${outcomeOf(row)}`)).toEqual(
      ran.map(({ id }) => `${id} ${planned.get(id)}`),
    );
    expect(plan.totals.blocked + plan.totals.notApplicable).toBeGreaterThanOrEqual(closed);
    // Nothing is sent beyond what was announced, and nothing at all for what cannot run.
    const bounds = new Map(plan.cases.map(({ id, gate, most }) => [id, gate === "runs" ? most.requests : 0]));
    const beyond = [...sent].filter(([id, count]) => bounds.has(id) && count > (bounds.get(id) ?? 0));
    expect(beyond).toEqual([]);
    expect(report.summary.orders).toBeLessThanOrEqual(plan.totals.most.orders);
  });
});
