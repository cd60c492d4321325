/**
 * Tasks: place, cancel. Mistake: it takes the number of Retry-After for milliseconds, so that it comes back at once where
 * it was told to wait for seconds. Its own pauses between tries are right.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";

const { GATEWRIGHT_BASE_URL: base, GATEWRIGHT_KEY_ID: key, GATEWRIGHT_SECRET: secret } = process.env;
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let offset = 0;

class CannotKnow extends Error {}

function sign(verb, route, body) {
  const stamp = `${Date.now() + offset}`;
  const nonce = randomUUID();
  const hash = createHash("sha256").update(body).digest("hex");
  const text = [stamp, nonce, verb, new URL(base).pathname + route, "application/json", hash].join("\n");
  return {
    "content-type": "application/json",
    "x-api-key": key,
    "x-api-timestamp": stamp,
    "x-api-nonce": nonce,
    "x-api-signature": createHmac("sha256", secret).update(text).digest("hex"),
  };
}

/** Data of the answer; undefined if it was refused. */
async function request(verb, route, content) {
  const body = content === undefined ? "" : JSON.stringify(content);
  let clockTries = 2;
  for (let pause = 150, tries = 0; tries < 10; tries += 1, pause = Math.min(pause * 2, 4000)) {
    let asked = 0;
    try {
      const response = await fetch(base + route, {
        method: verb,
        headers: sign(verb, route, body),
        ...(body && { body }),
        signal: AbortSignal.timeout(9000),
      });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text).data;
      if (response.status === 401 && clockTries > 0) {
        clockTries -= 1;
        offset = Date.parse(response.headers.get("date")) - Date.now();
      } else if (response.status < 500 && response.status !== 429) return undefined;
      asked = Number(response.headers.get("retry-after") ?? 0); // here it is: these are seconds
    } catch (error) {
      console.error(`${verb} ${route}: ${error.name}`);
    }
    await delay(Math.max(asked, pause));
  }
  throw new CannotKnow(`${verb} ${route}`);
}

async function read(id, passing) {
  for (let reads = 0; reads < 60; reads += 1) {
    const order = await request("GET", `/order/${id}`);
    if (order !== undefined && !passing.includes(order.status)) return order;
    await delay(200);
  }
  throw new CannotKnow(id);
}

async function carryOut(wanted, cancel) {
  const content = { ...wanted, client_order_id: randomUUID() };
  let result = await request("POST", "/order", content);
  if (result?.type.endsWith("EXECUTION_FAILED")) result = await request("POST", "/order", content);
  if (result?.order === undefined)
    return { clientOrderId: content.client_order_id, status: "REJECTED", filledQuantity: "0" };
  let order = await read(result.order.id, ["PENDING"]);
  if (cancel) {
    await request("DELETE", `/order/${order.id}`);
    order = await read(order.id, ["PENDING", "OPEN"]);
  }
  const { clientOrderId, status, filledQuantity } = order;
  return { clientOrderId, status, filledQuantity };
}

try {
  const task = JSON.parse(await readFile(process.env.GATEWRIGHT_TASK, "utf8"));
  const orders = [];
  for (const wanted of task.orders) orders.push(await carryOut(wanted, task.task === "cancel"));
  console.log(JSON.stringify({ orders }));
} catch (error) {
  if (!(error instanceof CannotKnow)) throw error;
  console.error(`cannot know: ${error.message}`);
  process.exitCode = 3;
}
