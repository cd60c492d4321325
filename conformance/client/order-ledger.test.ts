import { mkdtempSync, readFileSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJsonText } from "../check/lossless-json.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { UsageError } from "../model/position.ts";
import { LedgerFile, readLedger } from "./ledger-file.ts";
import { OrderLedger } from "./order-ledger.ts";

const key = "3b241101-e2bb-4255-8caf-4136c566a962";
const header = { run: "r", startedAt: "2026-01-01T00:00:00Z", target: "t", baseUrl: "http://x", pid: 1 };

const request = (): SentRequest => ({
  method: "POST",
  path: "/order",
  headers: [["X-API-SIGNATURE", "signature"]],
  body: Buffer.from(JSON.stringify({ product: "BTC-USD", client_order_id: key, type: "LIMIT" })),
  role: "trader",
  permit: { caseId: "case", safety: "rests", malformed: false },
});

function answer(sent: SentRequest, status?: number, body = "{}"): Exchange {
  const reading = readJsonText(body);
  const base = { request: sent, startedAt: 0, endedAt: 1, ...(reading.ok ? { json: reading.json } : {}) };
  if (status === undefined) return { ...base, transport: "timeout" };
  return { ...base, transport: "response", reply: { status, headers: [], body: new Uint8Array() } };
}

const orderBody = (type: string, status = "OPEN"): string =>
  JSON.stringify({ data: { type, order: { id: "o1", status, clientOrderId: key.toUpperCase() } } });

describe("the known state of an order that was sent", () => {
  const after = (status: number | undefined, body?: string): string[] => {
    const ledger = new OrderLedger();
    const sent = request();
    ledger.sending(sent);
    ledger.answered(answer(sent, status, body));
    return ledger.open("case").map(({ id, clientOrderId }) => id || `? ${clientOrderId}`);
  };

  it.each([
    ["it is open", 200, orderBody("NEW_ORDER"), ["o1"]],
    ["it has traded already", 200, orderBody("NEW_ORDER", "FILLED"), []],
    ["it was refused", 400, "{}", []],
    ["it was a repeat", 200, orderBody("DUPLICATE_REPLAY"), []],
    [
      "it failed, and may be there all the same",
      200,
      '{"data":{"type":"EXTERNAL_EXECUTION_FAILED"}}',
      [`? ${key}`],
    ],
    ["no client stands behind the key", 200, '{"data":{"type":"CLIENT_NOT_FOUND"}}', []],
    ["nobody answered", undefined, undefined, [`? ${key}`]],
    ["the server broke", 500, "{}", [`? ${key}`]],
    ["the answer is a wrong status with an order in it", 201, orderBody("NEW_ORDER"), ["o1"]],
  ] as const)("%s", (_, status, body, expected) => {
    expect(after(status, body)).toEqual(expected);
  });

  it("takes no place while it is unseen after a failed outcome, and one again when it shows", () => {
    const ledger = new OrderLedger();
    const sent = request();
    ledger.sending(sent);
    ledger.answered(answer(sent, 200, '{"data":{"type":"INTERNAL_EXECUTION_FAILED"}}'));
    const [order] = ledger.withoutOrder();
    ledger.unseen(order?.n ?? 0);
    expect([ledger.openCount, ledger.open().length, ledger.withoutOrder()]).toEqual([0, 1, []]);
    ledger.answered(
      answer(request(), 200, `{"data":[{"id":"o1","status":"OPEN","clientOrderId":"${key}"}]}`),
    );
    expect([ledger.openCount, ledger.open()[0]?.id]).toEqual([1, "o1"]);
  });

  it("is not that of another client's order with the same client_order_id", () => {
    const ledger = new OrderLedger();
    const sent = request();
    ledger.sending(sent);
    ledger.answered(answer(sent, 200, orderBody("NEW_ORDER")));
    const later = request();
    ledger.sending(later);
    const other = { id: "o2", clientOrderId: key, status: "CANCELLED" };
    ledger.answered(answer({ ...request(), method: "GET" }, 200, JSON.stringify({ data: other })));
    ledger.answered(answer(later, 200, orderBody("NEW_ORDER").replace("o1", "o3")));
    expect(ledger.open().map(({ id }) => id)).toEqual(["o3", "o1"]);
  });

  it("comes from any later reply that shows it, in any spelling of its id", () => {
    const ledger = new OrderLedger();
    const sent = request();
    ledger.sending(sent);
    ledger.answered(answer(sent));
    const list = (status: string) =>
      JSON.stringify({ rows: [[{ order: { id: "o9", clientOrderId: key.toUpperCase(), status } }]] });
    ledger.answered(answer({ ...request(), method: "GET" }, 200, list("OPEN")));
    expect(ledger.open().map(({ id }) => id)).toEqual(["o9"]);
    ledger.answered(answer({ ...request(), method: "GET" }, 200, list("CANCELLED")));
    expect(ledger.openCount).toBe(0);
  });
});

describe("the file of a ledger", () => {
  const newFile = () => join(mkdtempSync(join(tmpdir(), "gatewright-ledger-")), "state", "run.ledger");

  it("has the order before the request can leave, is private, and is read back to its last complete line", async () => {
    const path = newFile();
    const ledger = new OrderLedger(await LedgerFile.create(path, header, true));
    ledger.sending(request());
    const written = readFileSync(path, "utf8");
    expect(written).toContain(key);
    expect(written).not.toContain("signature");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    ledger.sending(request());
    truncateSync(path, statSync(path).size - 5);
    const reading = await readLedger(path);
    expect(reading.header).toMatchObject(header);
    const again = OrderLedger.from(reading.lines, LedgerFile.reopen(reading));
    expect(again.open().map(({ n }) => n)).toEqual([1]);
    again.closed(1);
    expect((await readLedger(path)).lines.map(({ event }) => event)).toEqual(["sending", "closed"]);
  });

  it("of another run is never written over", async () => {
    const path = newFile();
    await LedgerFile.create(path, header, false);
    await expect(LedgerFile.create(path, header, false)).rejects.toBeInstanceOf(UsageError);
  });

  it("is neither begun nor continued through a link", async () => {
    const path = newFile();
    await LedgerFile.create(path, header, false);
    const link = `${path}-link`;
    symlinkSync(path, link);
    await expect(LedgerFile.create(link, header, false)).rejects.toBeInstanceOf(UsageError);
    const reading = await readLedger(link);
    const before = readFileSync(path, "utf8");
    expect(() => LedgerFile.reopen({ ...reading, wholeBytes: 0 })).toThrow("cannot be written: links");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("is gone when nothing is left, and stays when something is", async () => {
    const [clean, open] = [newFile(), newFile()];
    new OrderLedger(await LedgerFile.create(clean, header, false)).end();
    await expect(readLedger(clean)).rejects.toThrow("there is no such file");
    const ledger = new OrderLedger(await LedgerFile.create(open, header, false));
    ledger.sending(request());
    ledger.end();
    expect((await readLedger(open)).lines).toHaveLength(1);
  });
});

describe("an order that a case could trade with", () => {
  const placed = (ledger: OrderLedger, caseId: string, side: string, terms: object): void => {
    const body = Buffer.from(JSON.stringify({ product: "BTC-USD", client_order_id: key, side, ...terms }));
    const sent: SentRequest = {
      ...request(),
      body,
      permit: { caseId, safety: "trades", malformed: false },
    };
    ledger.sending(sent);
    ledger.answered(answer(sent, 200, JSON.stringify({ data: { order: { id: `order of ${caseId}` } } })));
  };

  it.each([
    ["was left at a price that it meets", { price: "90" }, { type: "LIMIT", price: "100" }, true, 1],
    ["was left at a price that it does not meet", { price: "110" }, { type: "LIMIT", price: "100" }, true, 0],
    ["was left, and it takes any price", { price: "110" }, { type: "MARKET" }, true, 1],
    ["is still that of a case under way", { price: "90" }, { type: "LIMIT", price: "100" }, false, 0],
  ])("%s", (_, theirs, ours, isLeft, expected) => {
    const ledger = new OrderLedger();
    placed(ledger, "other", "SELL", theirs);
    if (isLeft) for (const order of ledger.open()) ledger.left(order);
    placed(ledger, "this", "BUY", ours);
    expect(ledger.metBy("this").map(({ caseId }) => caseId)).toEqual(Array(expected).fill("other"));
  });

  it("was left, and has ended since", () => {
    const ledger = new OrderLedger();
    placed(ledger, "other", "SELL", { price: "90" });
    for (const order of ledger.open()) ledger.left(order);
    ledger.closed(1);
    placed(ledger, "this", "BUY", { type: "LIMIT", price: "100" });
    expect(ledger.metBy("this")).toEqual([]);
  });
});
