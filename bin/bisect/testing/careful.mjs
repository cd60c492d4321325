/** A client that survives what the network does: the same body again, signed anew. The planted clients are wrong in one thing. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const { GATEWRIGHT_BASE_URL: base, GATEWRIGHT_KEY_ID: keyId, GATEWRIGHT_SECRET: secret } = process.env;

async function send(method, route, payload) {
  const [timestamp, nonce] = [String(Date.now()), randomUUID()];
  const bodyHash = createHash("sha256").update(payload).digest("hex");
  const canonical = [
    timestamp,
    nonce,
    method,
    new URL(base + route).pathname,
    "application/json",
    bodyHash,
  ].join("\n");
  const headers = {
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": createHmac("sha256", secret).update(canonical).digest("hex"),
    "Content-Type": "application/json",
  };
  const response = await fetch(base + route, { method, headers, ...(payload && { body: payload }) });
  const text = await response.text();
  if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`);
  return { status: response.status, data: response.ok ? JSON.parse(text).data : undefined };
}

export async function call(method, route, body) {
  const payload = body === undefined ? "" : JSON.stringify(body);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(method, route, payload);
    } catch (error) {
      if (attempt === 8) throw error;
      await sleep(50 * attempt);
    }
  }
}

export const limitBuy = () => ({
  client_order_id: randomUUID(),
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.001",
  price: "30000",
});

export const place = async (body) => (await call("POST", "/order", body)).data.order;

/** Ends with 1 and a sentence when the client is disappointed. */
export function expect(holds, sentence) {
  if (holds) return;
  process.stdout.write(`${sentence}\n`);
  process.exit(1);
}
