import { describe, expect, it } from "vitest";
import { readJsonText } from "../../check/lossless-json.ts";
import { OrderLedger } from "../../client/order-ledger.ts";
import type { RequestPlan } from "../../client/prepare.ts";
import { specifiedOperations } from "../../contract/operations.ts";
import { Credential } from "../../model/credential.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Operation, Profile } from "../../model/profile.ts";
import { plainProfile } from "../../parse/profile.ts";
import { type CleanUpResult, cancelLeft } from "./cancel-left.ts";
import { CleanUpWaits } from "./clean-up-waits.ts";

const cancelOrder = {
  ...specifiedOperations["openOrders"],
  method: "DELETE",
  path: "/order/{id}",
} as Operation;

/** One order was placed; the target lists these as open and answers a cancel with this reply. */
async function cleanedUp(
  type: "LIMIT" | "MARKET",
  open: readonly string[],
  cancel?: { readonly status: number; readonly body?: string },
  claims: readonly string[] = [],
  placed = '{"data":{"type":"NEW_ORDER","order":{"id":"o1"}}}',
  second: readonly string[] = ["read:orders", "write:orders"],
  refusedOnce: number[] = [],
  thorough = true,
): Promise<{ result: CleanUpResult; left: number; kept: number }> {
  const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  const operations = cancel === undefined ? made.operations : { ...made.operations, cancelOrder };
  const key = (role: string, held: readonly string[]): Credential =>
    new Credential({ role, keyId: role, secret: "secret", claims: held, client: "A" });
  const credentials = { trader: key("trader", claims), second: key("second", second) };
  const safety = { ...made.safety, budget: { ...made.safety.budget, openOrders: 2 } };
  const profile: Profile = { ...made, operations, credentials, safety };
  const ledger = new OrderLedger();
  const body = Buffer.from(JSON.stringify({ type, product: "BTC-USD", client_order_id: "c" }));
  const request: SentRequest = { method: "POST", path: "/order", headers: [], body, role: "trader" };
  const answer = (status: number, text: string): Exchange => {
    const reading = readJsonText(text);
    const reply = { status, headers: [], body: Buffer.from(text) };
    const json = reading.ok ? { json: reading.json } : {};
    return { request, transport: "response", reply, ...json, startedAt: 0, endedAt: 0 };
  };
  ledger.sending(request);
  ledger.answered(answer(200, placed));
  const ask = ({ operation, role }: RequestPlan): Promise<Exchange> => {
    const claim = operation === "cancelOrder" ? "write:orders" : "read:orders";
    const held = role === "second" ? second : claims;
    if (held.length > 0 && !held.includes(claim)) return Promise.resolve(answer(403, "{}"));
    return Promise.resolve(
      operation === "cancelOrder"
        ? answer(refusedOnce.shift() ?? cancel?.status ?? 0, cancel?.body ?? "{}")
        : answer(200, JSON.stringify({ data: open.map((id) => ({ id })) })),
    );
  };
  const means = { profile, ledger, basePath: "/api/v1/trading", ask, waits: new CleanUpWaits() };
  const result = await cancelLeft(means, () => true, {
    thorough,
    patient: false,
  });
  return { result, left: ledger.openCount, kept: ledger.open().length };
}

function exchange(request: SentRequest, status: number, data: unknown): Exchange {
  const reading = readJsonText(JSON.stringify({ data }));
  const json = reading.ok ? { json: reading.json } : {};
  const reply = { status, headers: [], body: new Uint8Array() };
  return { request, transport: "response", reply, ...json, startedAt: 0, endedAt: 0 };
}

const words = ({ cancelled, gone, left }: CleanUpResult) => ({
  cancelled: cancelled.map(({ id }) => id),
  gone: gone.map(({ order, seen }) => [order.id, seen]),
  left: left.map(({ order, reason }) => [order.id, reason]),
});
const nothing = { cancelled: [], gone: [], left: [] };

describe("what became of an order", () => {
  it("is cancelled when the target took our cancel", async () => {
    const { result, left } = await cleanedUp("LIMIT", [], { status: 200 });
    expect(words(result)).toEqual({ ...nothing, cancelled: ["o1"] });
    expect(left).toBe(0);
  });

  it("is cancelled when the target was asked again, because it had not acknowledged the order yet", async () => {
    const { result, left } = await cleanedUp("LIMIT", ["o1"], { status: 200 }, [], undefined, [], [409]);
    expect(words(result)).toEqual({ ...nothing, cancelled: ["o1"] });
    expect(left).toBe(0);
  });

  it("is not cancelled by a 200 that says that its execution failed", async () => {
    const failed = JSON.stringify({ success: true, data: { type: "EXTERNAL_EXECUTION_FAILED" } });
    const { result } = await cleanedUp("LIMIT", ["o1"], { status: 200, body: failed });
    expect(words(result)).toEqual({ ...nothing, left: [["o1", "the cancel was answered 200"]] });
  });

  it("is not counted as cancelled if it left the open orders without a cancel", async () => {
    const { result, left } = await cleanedUp("MARKET", []);
    expect(words(result)).toEqual({
      ...nothing,
      gone: [["o1", "a MARKET order that is not among the open orders; the profile maps no cancelOrder"]],
    });
    expect(left).toBe(0);
  });

  it("is not cancelled when the cancel was refused and it is gone", async () => {
    const { result, left } = await cleanedUp("LIMIT", ["o2"], { status: 404 });
    expect(words(result)).toEqual({
      ...nothing,
      gone: [["o1", "the cancel was answered 404, and it is not among the open orders"]],
    });
    expect(left).toBe(0);
  });

  it("is looked up with another key of the client when its own key may not read", async () => {
    const { result, left } = await cleanedUp("LIMIT", ["o2"], { status: 404 }, ["write:orders"]);
    expect(words(result)).toEqual({
      ...nothing,
      gone: [["o1", "the cancel was answered 404, and it is not among the open orders"]],
    });
    expect(left).toBe(0);
  });

  const failed = '{"data":{"type":"EXTERNAL_EXECUTION_FAILED","message":"no"}}';

  it("is looked for with another key of the client when no answer showed it and its own key may not read", async () => {
    const { result, left } = await cleanedUp("LIMIT", [], { status: 200 }, ["write:orders"], failed);
    expect([words(result), result.neverSeen.length, left]).toEqual([nothing, 1, 0]);
  });

  it("takes no place after a case whose failed outcome showed none, and is looked for again at the end", async () => {
    const after = async (
      open: readonly string[],
      placed = failed,
      reads: readonly string[] = ["read:orders"],
    ) => {
      const { left, kept } = await cleanedUp("LIMIT", open, { status: 200 }, reads, placed, [], [], false);
      return [left, kept];
    };
    expect(await after([])).toEqual([0, 1]);
    expect(await after(["another"])).toEqual([0, 1]);
    // Nobody could look.
    expect(await after([], failed, ["write:orders"])).toEqual([1, 1]);
  });

  it("is left when it was answered without an order and no key of the client may read", async () => {
    const { result, left } = await cleanedUp("LIMIT", [], { status: 200 }, ["write:orders"], failed, []);
    const reason = "no answer showed the order, and the open orders were answered 403";
    expect(words(result)).toEqual({ ...nothing, left: [["", reason]] });
    expect(left).toBe(1);
  });

  it("is cancelled with another key of the client when it was taken from one that may not place", async () => {
    const { result, left } = await cleanedUp("LIMIT", ["o1"], { status: 200 }, ["read:account"]);
    expect(words(result)).toEqual({ ...nothing, cancelled: ["o1"] });
    expect(left).toBe(0);
  });

  it.each([
    ["MARKET", ["o1"], undefined, "the profile maps no cancelOrder"],
    ["LIMIT", [], undefined, "the profile maps no cancelOrder"],
    ["LIMIT", ["o1"], { status: 404 }, "the cancel was answered 404"],
    ["LIMIT", [], { status: 500 }, "the cancel was answered 500"],
  ] as const)("is left otherwise: %s, open %j, cancel %j", async (type, open, cancel, reason) => {
    const { result, left } = await cleanedUp(type, open, cancel);
    expect(words(result)).toEqual({ ...nothing, left: [["o1", reason]] });
    expect(left).toBe(1);
  });
});

it("asks a target that refuses every cancel ever less, and again in full once it accepts one", async () => {
  const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  const profile: Profile = { ...made, operations: { ...made.operations, cancelOrder } };
  const ledger = new OrderLedger();
  let [placed, cancels, refuses] = [0, 0, true];
  const place = (): void => {
    placed += 1;
    const body = Buffer.from(
      JSON.stringify({ type: "LIMIT", product: "BTC-USD", client_order_id: `c${placed}` }),
    );
    const request: SentRequest = { method: "POST", path: "/order", headers: [], body, role: "trader" };
    ledger.sending(request);
    ledger.answered(exchange(request, 200, { type: "NEW_ORDER", order: { id: `o${placed}` } }));
  };
  const request: SentRequest = {
    method: "GET",
    path: "/",
    headers: [],
    body: new Uint8Array(),
    role: "trader",
  };
  const ask = ({ operation }: RequestPlan): Promise<Exchange> => {
    if (operation === "cancelOrder") cancels += 1;
    if (operation === "cancelOrder") return Promise.resolve(exchange(request, refuses ? 409 : 200, {}));
    return Promise.resolve(
      exchange(
        request,
        200,
        ledger.open().map(({ id }) => ({ id })),
      ),
    );
  };
  const waits = new CleanUpWaits();
  const means = { profile, ledger, basePath: "/api/v1/trading", ask, waits };
  const cleanUp = async (orders: number): Promise<number> => {
    const [before, first] = [cancels, placed];
    for (let order = 0; order < orders; order += 1) place();
    await cancelLeft(means, ({ n }) => n > first, { thorough: false, patient: false });
    return cancels - before;
  };
  for (let round = 0; round < 5; round += 1) expect(await cleanUp(1)).toBe(3);
  expect(await cleanUp(20)).toBe(1);
  refuses = false;
  expect(await cleanUp(20)).toBe(20);
});

it("excuses whoever may meet an order whose cancel was not confirmed", async () => {
  const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  const profile: Profile = { ...made, operations: { ...made.operations, cancelOrder } };
  const ledger = new OrderLedger();
  const placed = (caseId: string, side: string): void => {
    const order = { type: "LIMIT", side, price: "100", product: "BTC-USD", client_order_id: caseId };
    const request = {
      method: "POST",
      path: "/order",
      headers: [],
      role: "trader",
      body: Buffer.from(JSON.stringify(order)),
      permit: { caseId, safety: "trades", malformed: false },
    } as const;
    ledger.sending(request);
    ledger.answered(exchange(request, 200, { type: "NEW_ORDER", order: { id: caseId } }));
  };
  placed("first", "SELL");
  const sent: SentRequest = { method: "GET", path: "/", headers: [], body: new Uint8Array(), role: "trader" };
  const ask = (): Promise<Exchange> => Promise.resolve(exchange(sent, 200, [{ id: "first" }]));
  const waits = new CleanUpWaits();
  const means = { profile, ledger, basePath: "/api/v1/trading", ask, waits };
  for (let round = 0; round < 5; round += 1) waits.confirmations.note(false);
  await cancelLeft(means, () => true, { thorough: false, patient: true });
  placed("second", "BUY");
  expect(ledger.metBy("second").map(({ id }) => id)).toEqual(["first"]);
});

it("waits fifteen times in vain, also where it helps in between", () => {
  const { confirmations } = new CleanUpWaits();
  let rounds = 0;
  for (; confirmations.isLeft && rounds < 100; rounds += 1)
    for (const helped of [true, false]) confirmations.note(helped);
  expect(rounds).toBe(15);
});
