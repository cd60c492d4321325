/**
 * Places and cancels orders so that none is doubled and none is lost, whatever happens to requests and answers:
 * docs/clients/README.md has the rules, and `gatewright exam` tries them (docs/exam.md).
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { GATEWRIGHT_BASE_URL: base = "", GATEWRIGHT_KEY_ID: keyId = "" } = process.env;
const { GATEWRIGHT_SECRET: secret = "", GATEWRIGHT_TASK: taskFile = "" } = process.env;

interface Order {
  id: string;
  clientOrderId: string;
  status: string;
  filledQuantity: string | null;
}
interface Answer {
  status: number;
  data?: { type?: string; order?: Order } & Partial<Order>;
}

/** Milliseconds that the clock of the gateway is ahead of ours, as its `Date` shows. */
let ahead = 0;

/** One try, with a nonce, a time and a signature of its own. A success that cannot be read is no answer. */
async function send(method: string, route: string, payload: string): Promise<[Answer, Headers]> {
  const [timestamp, nonce] = [String(Date.now() + ahead), randomUUID()];
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
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(base + route, { method, headers, body: payload || null, signal });
  const { status, ok } = response;
  const text = await response.text();
  if (!ok) console.error(`${method} ${route}: ${status} ${text}`);
  const { data } = ok ? (JSON.parse(text) as Answer) : {}; // a proxy refuses without JSON
  return [{ status, ...(data && { data }) }, response.headers];
}

/** Tries again while nobody can say what became of the request: the same body, and so the same client_order_id. */
async function call(method: string, route: string, body?: object): Promise<Answer> {
  const payload = JSON.stringify(body) ?? "";
  let refused = 0;
  for (let tries = 0; tries < 10; tries += 1) {
    let pause = Math.min(100 * 2 ** tries, 5000) * (0.75 + Math.random() / 4); // grows, and not all at once
    try {
      const [answer, headers] = await send(method, route, payload);
      const { status } = answer;
      if (status === 401 && (refused += 1) <= 2)
        ahead = Date.parse(headers.get("date") ?? "") - Date.now() || 0; // a clock that is off, or a used nonce
      else if (status !== 429 && status < 500) return answer;
      pause = Math.max(pause, 1000 * Number(headers.get("retry-after") ?? 0) + 50);
    } catch {
      // No answer, or a part of one: it may have been done.
    }
    await sleep(pause);
  }
  return cannotKnow(`${method} ${route}: no answer in ten tries`);
}

function cannotKnow(why: string): never {
  console.error(why);
  process.exit(3);
}

/** An answer to a placement or a cancel may be older than its order, so it is read until its status is no passing one. */
async function settled(id: string, ...passing: string[]): Promise<Order> {
  for (let reads = 0; reads < 50; reads += 1, await sleep(200)) {
    const { data } = await call("GET", `/order/${id}`);
    if (data?.status !== undefined && !passing.includes(data.status)) return data as Order;
  }
  return cannotKnow(`${id} stays ${passing.join(" or ")}`);
}

const { task, orders } = JSON.parse(readFileSync(taskFile, "utf8")) as { task: string; orders: object[] };
const [ids, refused]: [string[], object[]] = [[], []];
for (const wanted of orders) {
  const clientOrderId = randomUUID();
  const body = { ...wanted, client_order_id: clientOrderId };
  let { data } = await call("POST", "/order", body);
  // The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
  if (data?.type?.endsWith("_EXECUTION_FAILED")) ({ data } = await call("POST", "/order", body));
  if (data?.order === undefined) refused.push({ clientOrderId, status: "REJECTED", filledQuantity: "0" });
  else ids.push(data.order.id);
}
if (task === "cancel")
  for (const id of ids) {
    await settled(id, "PENDING"); // a PENDING order is not cancelled yet
    await call("DELETE", `/order/${id}`); // what it became, done or refused, shows below
  }
const ended = [];
for (const id of ids) {
  // A cancel may take its time.
  const passing = task === "cancel" ? ["PENDING", "OPEN"] : ["PENDING"];
  const { clientOrderId, status, filledQuantity } = await settled(id, ...passing);
  ended.push({ clientOrderId, status, filledQuantity });
}
console.log(JSON.stringify({ orders: [...ended, ...refused] }));
