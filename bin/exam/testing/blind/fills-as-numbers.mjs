/**
 * Tasks: follow. Mistake: it adds up the fills of an order itself, with the floating-point numbers of JavaScript, and says
 * their sum, where the order that came with each fill has the exact amount.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";

const { GATEWRIGHT_BASE_URL: rest, GATEWRIGHT_WS_URL: stream, GATEWRIGHT_TASK: taskFile } = process.env;
const sleep = (ms) => new Promise((awake) => setTimeout(awake, ms));

function credentials(path) {
  const [time, nonce, emptyHash] = [String(Date.now()), randomUUID(), createHash("sha256").digest("hex")];
  const canonical = [time, nonce, "GET", path, "application/json", emptyHash].join("\n");
  return {
    "X-API-KEY": process.env.GATEWRIGHT_KEY_ID,
    "X-API-TIMESTAMP": time,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": createHmac("sha256", process.env.GATEWRIGHT_SECRET).update(canonical).digest("hex"),
    "Content-Type": "application/json",
  };
}

async function open() {
  const { hostname, port, pathname } = new URL(stream);
  const own = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
  const headers = {
    ...credentials(pathname),
    ...own,
    "Sec-WebSocket-Key": randomUUID().replaceAll("-", "").slice(0, 22) + "==",
  };
  const request = http.get({ hostname, port, path: pathname, headers, agent: false, timeout: 3000 });
  request.on("timeout", () => request.destroy(new Error("silence")));
  const refused = once(request, "response").then(() => Promise.reject(new Error("refused")));
  refused.catch(() => request.destroy());
  const [, socket, head] = await Promise.race([once(request, "upgrade"), refused]);
  if (head.length > 0) socket.unshift(head);
  socket.setTimeout(3000, () => socket.destroy(new Error("silence"))); // a heartbeat comes each second
  return socket;
}

function send(socket, content, opcode = 1) {
  const data = typeof content === "string" ? Buffer.from(content) : content;
  socket.write(Buffer.concat([Buffer.from([128 | opcode, 128 | data.length, 0, 0, 0, 0]), data])); // the mask is zero
}

/** The messages of a connection, until it is over. */
async function* messages(socket) {
  let [rest, text] = [Buffer.alloc(0), ""];
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < 2) break;
      let [size, at] = [rest[1], 2];
      if (size > 125) at = size === 126 ? 4 : 10;
      if (rest.length < at) break;
      if (at > 2) size = at === 4 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
      if (rest.length < at + size) break;
      const [first, data] = [rest[0], rest.subarray(at, at + size)];
      rest = rest.subarray(at + size);
      if ((first & 15) === 8) return;
      if ((first & 15) === 9) send(socket, data, 10);
      if ((first & 15) > 2) continue;
      text += data.toString("latin1");
      if (first < 128) continue;
      yield JSON.parse(Buffer.from(text, "latin1").toString());
      text = "";
    }
  }
}

const known = new Map(); // by client_order_id: id, status, filled, revision
let [expected, pages] = [undefined, undefined]; // the snapshot that is asked for, and what is there of it

function ask(socket) {
  [expected, pages] = [randomUUID(), undefined];
  send(socket, JSON.stringify({ type: "subscribe", channel: "orders", requestId: expected }));
}

const keep = (order, filled, revision) =>
  known.set(order.clientOrderId, { id: order.id, status: order.status, filled, revision });

async function settle() {
  const listed = new Set(pages.map((order) => order.clientOrderId));
  for (const order of pages)
    keep(order, Number(order.filledQuantity), known.get(order.clientOrderId)?.revision ?? 0);
  for (const [name, { id, status, revision }] of known) {
    if (listed.has(name) || !/OPEN|PENDING/.test(status)) continue;
    const url = `${rest}/order/${id}`; // it has ended meanwhile
    const answer = await fetch(url, {
      headers: credentials(new URL(url).pathname),
      signal: AbortSignal.timeout(5000),
    });
    const { data } = await answer.json();
    keep(data, Number(data.filledQuantity), revision);
  }
  expected = undefined;
}

async function take(message, socket) {
  if (message.type === "subscriptions" && message.requestId === expected) pages = [];
  if (message.channel !== "orders") return;
  if (message.type === "snapshot" && pages !== undefined && expected !== undefined) {
    pages.push(...message.data.orders);
    if (message.data.final) await settle();
  } else if (message.type === "update") {
    const { order, revision, fill } = message.data;
    const before = known.get(order.clientOrderId) ?? { filled: 0, revision: 0 };
    if (revision <= before.revision) return;
    if (before.revision > 0 && revision > before.revision + 1 && expected === undefined) ask(socket); // missed something
    keep(order, before.filled + Number(fill?.quantity ?? 0), revision); // here it is
  }
}

const finish = Date.now() + 1000 * JSON.parse(readFileSync(taskFile, "utf8")).seconds;
for (let pause = 150; ; pause = Math.min(2 * pause, 2500)) {
  try {
    const socket = await open();
    let last = 0;
    send(socket, '{"type":"subscribe","channel":"heartbeat"}');
    ask(socket);
    for await (const message of messages(socket)) {
      if (!(message.sequence > last)) continue;
      if (message.sequence > last + 1) ask(socket);
      last = message.sequence;
      await take(message, socket);
      if (expected === undefined) pause = 150;
      if (Date.now() > finish && expected === undefined) {
        const said = ([clientOrderId, { status, filled }]) => ({
          clientOrderId,
          status,
          filledQuantity: String(filled),
        });
        console.log(JSON.stringify({ orders: [...known].map(said) }));
        process.exit(0);
      }
    }
  } catch (error) {
    console.error(error.message);
  }
  if (Date.now() > finish + 12_000) process.exit(3);
  await sleep(pause);
}
