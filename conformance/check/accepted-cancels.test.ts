import { expect, it } from "vitest";
import { specifiedOperations } from "../contract/operations.ts";
import { Credential } from "../model/credential.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Operation, Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { AcceptedCancels } from "./accepted-cancels.ts";
import { readJson } from "./lossless-json.ts";

const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "secret") as Profile;
const credential = (role: string, client: string): Credential =>
  new Credential({ role, keyId: role, secret: "secret", claims: [], client });
const cancelOrder = {
  ...specifiedOperations["openOrders"],
  method: "DELETE",
  path: "/order/{id}",
} as Operation;
const profile: Profile = {
  ...made,
  operations: { ...made.operations, cancelOrder },
  credentials: {
    trader: credential("trader", "A"),
    second: credential("second", "A"),
    other: credential("other", "B"),
  },
};
const base = "/api/v1/trading";

function answered(at: number, operation: string, path: string, data: object, more: object = {}): Exchange {
  const body = Buffer.from(JSON.stringify({ success: true, data, ...more }));
  const reading = readJson(body);
  const method = operation === "cancelOrder" ? "DELETE" : "GET";
  return {
    request: { method, path: base + path, headers: [], body, role: "trader", operation },
    transport: "response",
    reply: { status: 200, headers: [], body },
    ...(reading.ok ? { json: reading.json } : {}),
    startedAt: at,
    endedAt: at,
  };
}

const listed = (at: number, id = "L1", path = "/order/open"): Exchange =>
  answered(at, "openOrders", path, [
    { id, clientOrderId: "a", productId: "BTC-USD", status: "OPEN" },
  ] as object);

const lines = (exchanges: readonly Exchange[], known = profile): string[] => {
  const cancels = new AcceptedCancels();
  const found = exchanges.flatMap((exchange) => cancels.read(exchange, known, base));
  return found.map(({ clause, pointer, actual }) => `${clause} ${pointer} ${actual}`);
};

const cancel = answered(0, "cancelOrder", "/order/L1", {});

it("finds an order open fifteen seconds after its cancel was accepted", () => {
  expect(lines([cancel, listed(15_000)])).toEqual(["EPT-11 /data/0/status OPEN"]);
});

it.each([
  ["a list that comes sooner", cancel, listed(14_999)],
  ["another order", cancel, listed(15_000, "L2")],
  ["a filtered list", cancel, listed(15_000, "L1", "/order/open?product=BTC-USD")],
  ["a read of the order", { ...cancel, request: { ...cancel.request, method: "GET" } }, listed(15_000)],
  ["another path", answered(0, "cancelOrder", "/quote/L1", {}), listed(15_000)],
  ["a refusal", { ...cancel, reply: { status: 409, headers: [], body: Buffer.from("") } }, listed(15_000)],
  [
    "a 200 that is no success",
    answered(0, "cancelOrder", "/order/L1", {}, { success: false }),
    listed(15_000),
  ],
  [
    "an execution that failed",
    answered(0, "cancelOrder", "/order/L1", { type: "EXTERNAL_EXECUTION_FAILED" }),
    listed(15_000),
  ],
] as const)("does not take %s for one", (_, first, list) => {
  expect(lines([first, list])).toEqual([]);
});

it("counts for the client that cancelled, from its last cancel on", () => {
  const by = (role: string): Exchange => {
    const list = listed(15_000);
    return { ...list, request: { ...list.request, role } };
  };
  expect(lines([cancel, by("second")])).toHaveLength(1);
  expect(lines([cancel, by("other")])).toEqual([]);
  expect(lines([cancel, answered(10_000, "cancelOrder", "/order/L1", {}), by("trader")])).toEqual([]);
});

it("is not judged where the clock of the market may stand still", () => {
  const capabilities = { ...profile.capabilities, "clock.control": "present" } as const;
  expect(lines([cancel, listed(15_000)], { ...profile, capabilities })).toEqual([]);
});
