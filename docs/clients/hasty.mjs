/**
 * Places one order, and is wrong on purpose: after a lost answer it tries again with a fresh client_order_id. docs/sandbox.md
 * finds the mistake. It ends with 1 when more money is on hold than one order needs.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const { GATEWRIGHT_BASE_URL: base, GATEWRIGHT_KEY_ID: keyId, GATEWRIGHT_SECRET: secret } = process.env;

async function send(method, route, payload) {
  const [timestamp, nonce] = [String(Date.now()), randomUUID()];
  const bodyHash = createHash("sha256").update(payload).digest("hex");
  const path = new URL(base + route).pathname;
  const canonical = [timestamp, nonce, method, path, "application/json", bodyHash].join("\n");
  const headers = {
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": createHmac("sha256", secret).update(canonical).digest("hex"),
    "Content-Type": "application/json",
  };
  const response = await fetch(base + route, { method, headers, ...(payload && { body: payload }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text).data;
}

/** Whatever goes wrong, once more. */
async function insist(method, route, makeBody) {
  for (let attempt = 1; ; attempt += 1) {
    const body = makeBody();
    try {
      return await send(method, route, body === null ? "" : JSON.stringify(body));
    } catch (error) {
      if (attempt === 4) throw error;
      await sleep(100 * attempt);
    }
  }
}

await insist("POST", "/order", () => ({
  client_order_id: randomUUID(), // the mistake: it belongs to the order, not to the attempt
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.001",
  price: "30000",
}));
const wallets = await insist("GET", "/wallet", () => null);
const held = Number(wallets.find(({ asset }) => asset === "USD").hold);
process.stdout.write(`${held} USD on hold\n`);
process.exitCode = held > 45 ? 1 : 0;
