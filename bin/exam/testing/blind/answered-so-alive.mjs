/**
 * Tasks: place, cancel. Mistake: any answer, a 500 too, counts as a sign of life and sets its pause back to the shortest
 * one, so that the pauses grow only while no answer comes at all.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";

const { GATEWRIGHT_BASE_URL, GATEWRIGHT_KEY_ID, GATEWRIGHT_SECRET, GATEWRIGHT_TASK } = process.env;
const base = new URL(GATEWRIGHT_BASE_URL);
const Shortest = 20;
const Longest = 4000;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
let skew = 0;
let pause = Shortest;

function attempt(method, route, payload) {
  const path = base.pathname + route;
  const timestamp = String(Date.now() + skew);
  const nonce = randomUUID();
  const sum = createHash("sha256").update(payload).digest("hex");
  const mac = createHmac("sha256", GATEWRIGHT_SECRET);
  mac.update(`${timestamp}\n${nonce}\n${method}\n${path}\napplication/json\n${sum}`);
  const headers = {
    "X-API-KEY": GATEWRIGHT_KEY_ID,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": mac.digest("hex"),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(payload),
  };
  if (payload === "") delete headers["Content-Length"];
  return new Promise((resolve, reject) => {
    const options = {
      host: base.hostname,
      port: base.port,
      method,
      path,
      headers,
      agent: false,
      timeout: 8000,
    };
    const request = http.request(options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("close", () =>
        response.complete
          ? resolve({
              status: response.statusCode,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            })
          : reject(new Error("the answer is cut")),
      );
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", reject);
    request.end(payload);
  });
}

/** The answer that says what became of the request. */
async function insist(method, route, content) {
  const payload = content ? JSON.stringify(content) : "";
  const end = Date.now() + 15_000;
  let unauthorized = 0;
  while (Date.now() < end) {
    let least = 0;
    try {
      const { status, headers, text } = await attempt(method, route, payload);
      pause = Shortest; // here it is
      if (status === 200) return { status, data: JSON.parse(text).data };
      if (status === 401 && unauthorized < 2) {
        unauthorized += 1;
        skew = Date.parse(headers.date) - Date.now();
      } else if (status !== 429 && status < 500) return { status };
      least = Number(headers["retry-after"] ?? 0) * 1000 + 100 * (headers["retry-after"] ? 1 : 0);
    } catch {
      pause = Math.min(pause * 2, Longest);
    }
    await sleep(Math.max(pause, least));
  }
  process.exit(3);
}

async function until(id, wanted) {
  for (let n = 0; n < 60; n += 1) {
    const { data } = await insist("GET", `/order/${id}`);
    if (data && wanted(data.status)) return data;
    await sleep(200);
  }
  process.exit(3);
}

const job = JSON.parse(readFileSync(GATEWRIGHT_TASK, "utf8"));
const orders = [];
for (const wanted of job.orders) {
  const content = { ...wanted, client_order_id: randomUUID() };
  let answer = await insist("POST", "/order", content);
  if (answer.status === 200 && !answer.data.order) answer = await insist("POST", "/order", content);
  const id = answer.data?.order?.id;
  if (id === undefined) continue; // refused
  let order = await until(id, (status) => status !== "PENDING");
  if (job.task === "cancel") {
    await insist("DELETE", `/order/${id}`);
    order = await until(id, (status) => status !== "PENDING" && status !== "OPEN");
  }
  orders.push({
    clientOrderId: order.clientOrderId,
    status: order.status,
    filledQuantity: order.filledQuantity,
  });
}
console.log(JSON.stringify({ orders }));
