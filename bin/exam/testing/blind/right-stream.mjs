/** Tasks: follow, book. Mistake: none. */
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";

const env = (name) => process.env[`GATEWRIGHT_${name}`];
const task = JSON.parse(readFileSync(env("TASK"), "utf8"));
const channel = task.task === "book" ? "orderBook" : "orders";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function signedHeaders(path) {
  const values = [`${Date.now()}`, randomUUID(), "GET", path, "application/json"];
  const text = [...values, createHash("sha256").digest("hex")].join("\n");
  const signature = createHmac("sha256", env("SECRET")).update(text).digest("hex");
  const named = { KEY: env("KEY_ID"), TIMESTAMP: values[0], NONCE: values[1], SIGNATURE: signature };
  const headers = Object.entries(named).map(([name, value]) => [`X-API-${name}`, value]);
  return { "Content-Type": "application/json", ...Object.fromEntries(headers) };
}

/** Bytes in, messages out. `control` gets the opcode and the payload of every other frame. */
function reader(heard, control) {
  let [bytes, parts] = [Buffer.alloc(0), []];
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 2) {
      const short = bytes[1] & 127;
      const start = { 126: 4, 127: 10 }[short] ?? 2;
      if (bytes.length < start) return;
      let length = short;
      if (start > 2) length = start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < start + length) return;
      const [first, payload] = [bytes[0], bytes.subarray(start, start + length)];
      bytes = bytes.subarray(start + length);
      if ((first & 15) > 2) control(first & 15, payload);
      else parts.push(payload);
      if ((first & 15) > 2 || first < 128) continue;
      const text = Buffer.concat(parts).toString();
      parts = [];
      heard(JSON.parse(text));
    }
  };
}

/** A frame of a client, masked; ours are all short of 64 KiB. */
function frame(opcode, payload) {
  const [mask, head] = [randomBytes(4), Buffer.from([0x80 | opcode, 0x80 | 126, 0, 0])];
  head.writeUInt16BE(payload.length, 2);
  if (payload.length < 126) head[1] = 0x80 | payload.length;
  const body = payload.map((byte, at) => byte ^ mask[at % 4]);
  return Buffer.concat([payload.length < 126 ? head.subarray(0, 2) : head, mask, body]);
}

/** One connection, from handshake to end; `over` is called once. */
function connect(opened, heard, over) {
  const url = new URL(env("WS_URL"));
  const own = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
  const headers = {
    ...signedHeaders(url.pathname),
    ...own,
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  const request = http.get({ host: url.hostname, port: url.port, path: url.pathname, headers, agent: false });
  let [socket, ended] = [request, false];
  const end = () => {
    clearTimeout(silence);
    socket.destroy();
    if (!ended) over();
    ended = true;
  };
  const silence = setTimeout(end, 2800);
  request.on("error", end).on("response", end);
  request.on("upgrade", (_, upgraded, head) => {
    const control = (opcode, payload) => {
      if (opcode === 8) end();
      if (opcode === 9) upgraded.write(frame(10, payload));
    };
    const read = reader((message) => ended || heard(message, end), control);
    socket = upgraded.on("error", end).on("close", end);
    socket.on("data", (chunk) => {
      silence.refresh();
      read(chunk);
    });
    opened((message) => upgraded.write(frame(1, Buffer.from(JSON.stringify(message)))));
    read(head);
  });
}

const orders = new Map(); // client_order_id → { order, revision }
let [book, pages, awaiting, last, failures, lastHeard, reading] = [undefined, [], undefined, 0, 0, 0, 0];
let [say, live] = [() => {}, false];

/** Asks for a new snapshot. What comes before its acknowledgement does not count. */
function startOver() {
  awaiting = randomUUID();
  book = undefined;
  const products = channel === "orderBook" ? { products: [task.product] } : {};
  say({ type: "subscribe", channel, ...products, requestId: awaiting });
}

function applyLevels(levels, side) {
  for (const { price, quantity } of levels) {
    side.delete(price);
    if (quantity !== "0") side.set(price, quantity);
  }
}
const sorted = (side, sign) =>
  [...side].map(([price, quantity]) => ({ price, quantity })).sort((a, b) => sign * (a.price - b.price));

async function readEnded(id, key, revision) {
  reading += 1;
  for (let pause = 100; ; pause = Math.min(2 * pause, 2000), await wait(pause)) {
    const route = new URL(`${env("BASE_URL")}/order/${id}`);
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(route, { headers: signedHeaders(route.pathname), signal }).catch(
      () => undefined,
    );
    const body = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
    if (body === undefined) continue;
    if (orders.get(key).revision === revision) orders.set(key, { order: body.data, revision });
    reading -= 1;
    return;
  }
}

function takeSnapshot(data) {
  if (channel === "orderBook") {
    book = { sequence: data.bookSequence, bids: new Map(), asks: new Map() };
    for (const side of ["bids", "asks"]) applyLevels(data[side], book[side]);
  } else {
    pages.push(...data.orders);
    if (!data.final) return;
    const listed = new Set(pages.map((order) => order.clientOrderId));
    for (const order of pages)
      orders.set(order.clientOrderId, { revision: 0, ...orders.get(order.clientOrderId), order });
    for (const [key, { order, revision }] of orders)
      if (!listed.has(key) && ["OPEN", "PENDING"].includes(order.status))
        void readEnded(order.id, key, revision);
  }
  awaiting = undefined;
}

function takeUpdate(data) {
  if (channel === "orders") {
    const { order, revision } = data;
    if (revision > (orders.get(order.clientOrderId)?.revision ?? 0))
      orders.set(order.clientOrderId, { order, revision });
  } else if (book !== undefined && data.bookSequence > book.sequence) {
    if (data.prevBookSequence !== book.sequence) return startOver();
    for (const side of ["bids", "asks"]) applyLevels(data[side], book[side]);
    for (const [side, sign] of [
      ["bids", -1],
      ["asks", 1],
    ])
      for (const { price } of sorted(book[side], sign).slice(100)) book[side].delete(price);
    book.sequence = data.bookSequence;
  }
}

function heard(message, end) {
  lastHeard = Date.now();
  if (!Number.isInteger(message.sequence) || message.sequence <= last) return;
  const gap = message.sequence !== last + 1;
  last = message.sequence;
  if (gap) startOver();
  if (message.type === "error") return end();
  if (message.type === "subscriptions" && message.requestId === awaiting) {
    [pages, awaiting, failures] = [[], "snapshot", 0];
  } else if (message.channel !== channel) return;
  else if (message.type === "snapshot" && awaiting === "snapshot") takeSnapshot(message.data);
  else if (message.type === "update") takeUpdate(message.data);
}

function stayConnected() {
  const opened = (send) => {
    [say, live, last] = [send, true, 0];
    say({ type: "subscribe", channel: "heartbeat" });
    startOver();
  };
  connect(opened, heard, () => {
    [live, book, awaiting] = [false, undefined, "connection"];
    failures += 1;
    setTimeout(stayConnected, Math.min(120 * 2 ** failures, 2000));
  });
}

stayConnected();
await wait(task.seconds * 1000);
for (let n = 0; n < 200; n += 1, await wait(50))
  if (live && awaiting === undefined && reading === 0 && Date.now() - lastHeard < 1500) {
    const said = [...orders.values()].map(({ order: { clientOrderId, status, filledQuantity } }) => ({
      clientOrderId,
      status,
      filledQuantity,
    }));
    const levels = book && {
      bookSequence: book.sequence,
      bids: sorted(book.bids, -1),
      asks: sorted(book.asks, 1),
    };
    console.log(JSON.stringify(book ? { book: levels } : { orders: said }));
    process.exit(0);
  }
process.exit(3);
