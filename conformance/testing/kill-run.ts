import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type LegalGateway, startLegalGateway } from "./legal-gateway/gateway.ts";
import { newFolder, startCli, writeProfile } from "./run-cli.ts";
import { drawn } from "./seeded.ts";

/**
 * One round of the test that every order of a killed run can be found: a run is ended with SIGKILL after a random
 * number of orders, `gatewright cleanup` is started with its ledger, and the gateway itself reports the orders that are
 * still open. The gateway answers after a delay, so that some kills hit an order whose answer is on its way.
 */
export interface KillRound {
  readonly round: number;
  readonly killedAfter: number;
  /** Open orders when the run was dead, and after the cleanup. */
  readonly openBefore: number;
  readonly openAfter: readonly string[];
  readonly cleanupCode: number | null;
  readonly ledgerLeft: boolean;
  readonly secretInLedger: boolean;
}

const mostOrders = 24;
const resting = ["orders-010*", "orders-020*", "orders-040*", "orders-150*", "orders-160*", "idempotency*"];
const places = ["orders", "idempotency", "fragments"].map((name) => resolve("scenarios", name));

export async function killRound(seed: number, round: number): Promise<KillRound> {
  const gateway = await startLegalGateway({ delayMs: 3, cancel: true });
  try {
    return await killed(gateway, round, 1 + drawn(seed, round, mostOrders));
  } finally {
    await gateway.close();
  }
}

async function killed(gateway: LegalGateway, round: number, killedAfter: number): Promise<KillRound> {
  const folder = newFolder();
  const ledger = join(folder, `${randomUUID()}.ledger`);
  const environment = { KEY: gateway.keyId, SECRET: gateway.secret };
  const profile = writeProfile(folder, [
    "kit: 1",
    "name: killed",
    `baseUrl: ${gateway.baseUrl}`,
    "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
    "credentials: { trader: { keyId: '${env:KEY}', secret: '${env:SECRET}' } }",
    "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
  ]);
  const target = ["--profile", profile, "--ledger", ledger];
  // Cases with resting orders; others would only prolong the round.
  const selected = [
    ...places.flatMap((place) => ["--scenarios", place]),
    ...resting.flatMap((only) => ["--only", only]),
  ];
  const run = startCli(["conform", ...target, ...selected], folder, environment);
  let over = false;
  void run.done.then(() => (over = true));
  while (!over && ordersSeen(gateway) < killedAfter) await setTimeout(1);
  run.child.kill("SIGKILL");
  await run.done;
  await gateway.settled();
  const openBefore = gateway.openIds().length;
  const secretInLedger = existsSync(ledger) && readFileSync(ledger, "utf8").includes(gateway.secret);
  const cleanup = existsSync(ledger)
    ? await startCli(["cleanup", ...target], folder, environment).done
    : { code: 0 };
  return {
    round,
    killedAfter,
    openBefore,
    openAfter: gateway.openIds(),
    cleanupCode: cleanup.code,
    ledgerLeft: existsSync(ledger),
    secretInLedger,
  };
}

const ordersSeen = (gateway: LegalGateway): number => gateway.seen().filter(({ body }) => body !== "").length;
