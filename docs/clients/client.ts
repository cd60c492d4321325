/** A client of the Order Trading Gateway with nothing but Node: docs/clients/README.md says what it shows. */
import assert from "node:assert/strict";
import { createHash, createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const base = process.env["GATEWRIGHT_BASE_URL"] ?? "http://127.0.0.1:8080/api/v1/trading";
const keyId = process.env["GATEWRIGHT_KEY_ID"] ?? "gw_demo_trader";
const secret = process.env["GATEWRIGHT_SECRET"] ?? "sandbox-only-secret-of-gw_demo_trader";

type Order = { id: string; status: string; filledQuantity: string | null; averageFilledPrice: string | null };
type Placed = { type: string; order: Order };
type Answer<Data> = { data: Data; details: { hint: string }[] };

/** Sends one signed request and returns the JSON of an answer that has the expected status. */
async function call<Data>(expected: number, method: string, route: string, body?: object, signAs = method) {
  const payload = JSON.stringify(body) ?? ""; // hashed and sent: the same bytes
  const [timestamp, nonce] = [String(Date.now()), randomUUID()];
  const bodyHash = createHash("sha256").update(payload).digest("hex");
  const { pathname } = new URL(base + route);
  const canonical = [timestamp, nonce, signAs, pathname, "application/json", bodyHash].join("\n");
  const headers = {
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": createHmac("sha256", secret).update(canonical).digest("hex"),
    "Content-Type": "application/json",
  };
  const response = await fetch(base + route, { method, headers, body: payload || null });
  const text = await response.text();
  assert.equal(response.status, expected, `${method} ${route}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer<Data>;
}
const place = async (order: object) => (await call<Placed>(200, "POST", "/order", order)).data;

const common = { side: "BUY", product: "BTC-USD" };
const market = await place({ ...common, type: "MARKET", quote_value: "100", client_order_id: randomUUID() });
assert.equal(market.type, "NEW_ORDER");
console.log(`market order: ${market.order.status}`);
let now = market.order;
for (let tries = 50; now.status === "OPEN" && tries > 0; tries -= 1, await sleep(100))
  now = (await call<Order>(200, "GET", `/order/${now.id}`)).data;
assert.equal(now.status, "FILLED");
console.log(`market order: FILLED, ${now.filledQuantity} BTC at ${now.averageFilledPrice}`);

const resting = { ...common, type: "LIMIT", base_quantity: "0.001", price: "30000" };
const limit = { ...resting, client_order_id: randomUUID() };
const { id } = (await place(limit)).order;
const again = await place(limit);
assert.deepEqual([again.type, again.order.id], ["DUPLICATE_REPLAY", id]);
console.log("limit order: sent twice, DUPLICATE_REPLAY of the same order");
const open = await call<Order[]>(200, "GET", "/order/open?product=BTC-USD");
assert.ok(open.data.some((order) => order.id === id));
console.log("open orders: it is listed");
assert.equal((await call<Order>(200, "DELETE", `/order/${id}`)).data.status, "CANCELLED");
console.log("limit order: CANCELLED");
const refused = await call<never>(401, "GET", "/order/open", undefined, "get");
assert.ok(refused.details[0]?.hint);
console.log(`signed wrongly: ${refused.details[0].hint}`);
