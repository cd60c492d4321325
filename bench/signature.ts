/** Verifying a signature: the venue's way against createHash + createHmac + timingSafeEqual, by CPU time. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { bodyHashOf, canonicalRequest } from "../simulator/auth/canonical-request.ts";
import { equalInConstantTime, prepareSecret, signatureOf } from "../simulator/auth/verify-signature.ts";
import { compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";

const SECRET = "sandbox-only-secret-of-gw_demo_trader";
const BODY = Buffer.from(
  '{"side":"BUY","type":"LIMIT","base_quantity":"0.001","price":"25000.00","client_order_id":"3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11","product":"BTC-USD"}',
);
const signed = {
  timestamp: "1767225600000",
  nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  method: "POST",
  path: "/api/v1/trading/order",
};

const canonicalOf = (bodyHash: string): string =>
  [signed.timestamp, signed.nonce, signed.method, signed.path, "application/json", bodyHash].join("\n");
const signature = createHmac("sha256", SECRET)
  .update(canonicalOf(createHash("sha256").update(BODY).digest("hex")))
  .digest("hex");

function plain(): boolean {
  const bodyHash = createHash("sha256").update(BODY).digest("hex");
  const digest = createHmac("sha256", SECRET).update(canonicalOf(bodyHash)).digest();
  return timingSafeEqual(digest, Buffer.from(signature, "hex"));
}

const secret = prepareSecret(SECRET);
function ours(): boolean {
  const { timestamp, nonce, method, path } = signed;
  const canonical = canonicalRequest({ timestamp, nonce, method, path, bodyHash: bodyHashOf(BODY) });
  return equalInConstantTime(signatureOf(secret, canonical), signature);
}

if (!plain() || !ours()) throw new Error("a verifier refuses a good signature");

const ROUNDS = 20_000;
const slice = (verify: () => boolean) => (): number => {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) verify();
  const { user, system } = process.cpuUsage(before);
  return ROUNDS / ((user + system) / 1e6);
};

heading("Signature verification, per second of CPU");
const name = "createHash + createHmac";
const rows = await compare(
  name,
  [
    { name, slice: slice(plain) },
    { name: "gatewright", slice: slice(ours) },
  ],
  15,
);
table(rows, name, "verifications");
const cost = 1 / (rows.find((row) => row.name === "gatewright")?.ratio.median ?? 0);
goal("CPU at most 0.65x of createHash + createHmac + timingSafeEqual", cost <= 0.65, `${cost.toFixed(2)}x`);
