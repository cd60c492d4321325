import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conform } from "../../conform.ts";
import { Refusal } from "./authenticator.ts";
import { Gateway } from "./gateway.ts";
import { profile } from "./profile.ts";

const order = (id: string, safety: string, side: string, expected: string): string => `kit: 1
id: ${id}
title: An order at a price far above the market
spec: [ORD-10]
safety: ${safety}
steps:
  - id: placed
    call: { op: placeOrder, body: { side: ${side}, type: LIMIT, base_quantity: { $qty: typical }, price: { $price: { side: SELL, away: far } }, client_order_id: { $uuid4: key }, product: { $product: tradable } } }
    expect: { status: ${expected} }
`;

/** The second case never holds: it expects that a good order is refused. */
async function secondCase(cancels: boolean) {
  await using gateway = await new Gateway().listen();
  if (!cancels)
    gateway.desk.cancel = () => {
      throw new Refusal(409, "this order cannot be cancelled now");
    };
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  await writeFile(join(folder, "1.yaml"), order("rests", "rests", "SELL", "200"));
  await writeFile(join(folder, "2.yaml"), order("trades", "trades", "BUY", "400"));
  const report = await conform({ ...profile(gateway), scenarios: [folder], properties: "off", seed: 1 });
  return {
    trades: report.cases.find(({ id }) => id === "trades"),
    clause: report.clauses.find(({ id }) => id === "ORD-10")?.outcome,
  };
}

it("convicts nobody in a case that could trade with an order that an earlier case could not cancel", async () => {
  const { trades, clause } = await secondCase(false);
  expect(trades?.outcome).toBe("blocked");
  expect(trades?.reason).toMatch(
    /orders of ours that another case could not cancel: \S+ of rests; .*cleanup/,
  );
  expect(clause).not.toBe("violated");
});

it("convicts in the same case if nothing of ours is left", async () => {
  const { trades, clause } = await secondCase(true);
  expect([trades?.outcome, clause]).toEqual(["failed", "violated"]);
});
