/** Probes that read: signatures, clocks, nonces, routes. None of them can make an order. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { statusOf } from "../probe/ask.ts";
import { broken, type LearnDesk, without } from "./desk.ts";
import type { Probe } from "./probe.ts";
import { marginMs, windows } from "./readers-of-signatures.ts";

const signedOver = (path: string) => ({ sign: { override: { path } } });
const withTimestamp = (timestamp: string) => ({ sign: { override: { timestamp } } });
const withNonce = (nonce: string, transform: readonly string[] = []) => ({
  sign: { override: { nonce }, transform },
});

async function queries(desk: LearnDesk): Promise<void> {
  const { path } = desk.session.operation("openOrders");
  const { basePath } = desk.session.parts.target;
  const asked = `${path}?gatewright=1`;
  await desk.get("query: path signed", asked, signedOver(basePath + path));
  await desk.get("query: path and query signed", asked, signedOver(basePath + asked));
  await desk.get("query: signature broken", asked, {
    sign: { ...signedOver(basePath + path).sign, ...broken.sign },
  });
}

const points = windows.flatMap((one) => [one - marginMs, one + marginMs]);

/** Halves the places at which the limit may be; `sign` is -1 for the past. */
async function clock(desk: LearnDesk, name: string, sign: 1 | -1): Promise<void> {
  let [low, high] = [-1, points.length];
  let last = await desk.open(name);
  if (statusOf(last.exchange) !== 200) return;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    last = await desk.open(name, { clockOffsetMs: sign * (points[middle] ?? 0) });
    const status = statusOf(last.exchange);
    if (status === 200) low = middle;
    else if (status === 401) high = middle;
    else return;
  }
  const between = { low: points[low] ?? 0, high: points[high] ?? Number.POSITIVE_INFINITY };
  const note = `accepted ${between.low} ms off, ${Number.isFinite(between.high) ? `refused ${between.high} ms off` : "and everything that was tried"}`;
  desk.keep(name, { ...last, between, note });
}

const mostOnce = Math.ceil(Math.log2(points.length + 1)) + 1;

async function nonces(desk: LearnDesk): Promise<void> {
  const text = `learn ${randomUUID().slice(0, 8)}`.replace(" ", "-");
  await desk.open("nonce: plain text", withNonce(text));
  const first = randomUUID().toUpperCase();
  await desk.open(
    "nonce: UUID of version 1 in capitals",
    withNonce(`${first.slice(0, 14)}1${first.slice(15)}`),
  );
  const used = randomUUID();
  await desk.open("nonce: first use", withNonce(used));
  await desk.open("nonce: second use", withNonce(used));
  const unspent = randomUUID();
  await desk.open("nonce: with a broken signature", withNonce(unspent, ["flipBit(0)"]));
  await desk.open("nonce: again, signed", withNonce(unspent));
}

async function nonceScope(desk: LearnDesk): Promise<void> {
  const nonce = withNonce(randomUUID());
  await desk.open("nonce-scope: trader", nonce);
  const [second, other] = [
    desk.roleOf("same client", "read:orders"),
    desk.roleOf("another client", "read:orders"),
  ];
  if (second !== undefined)
    await desk.open("nonce-scope: another key of the client", { ...nonce, role: second });
  if (other !== undefined) await desk.open("nonce-scope: another client", { ...nonce, role: other });
}

async function plainReads(desk: LearnDesk): Promise<void> {
  await desk.open("get: signed");
  await desk.open("get: signature broken", broken);
  await desk.open("get: key unknown", { sign: { override: { keyId: "gatewright-learn" } } });
  await desk.open("get: an hour ago", { clockOffsetMs: -3_600_000 });
  await desk.open("get: signature in capitals", { sign: { transform: ["upperHex"] } });
  await desk.open("get: without Content-Type", without("Content-Type"));
  const contentType = "application/json; charset=utf-8";
  await desk.open("get: Content-Type with a parameter, constant signed", { contentType });
  await desk.open("get: Content-Type with a parameter, signed as sent", {
    contentType,
    sign: { override: { contentType } },
  });
}

const reads = 40;

/** How long plain reads take: only without a network between does a delay of the target show. */
async function delays(desk: LearnDesk): Promise<void> {
  const took: number[] = [];
  let last = await desk.open("delay: reads");
  for (let index = 0; index < reads && desk.session.profile.loopback; index += 1) {
    last = await desk.open("delay: reads");
    took.push(last.exchange.endedAt - last.exchange.startedAt);
    await wait(1);
  }
  if (took.length === 0) return;
  took.sort((one, other) => one - other);
  const at = (part: number): number => took[Math.floor(took.length * part)] ?? 0;
  const between = { low: at(0.5), high: at(0.95) };
  const note = `half of ${took.length} took up to ${between.low.toFixed(1)} ms, and nearly all up to ${between.high.toFixed(1)} ms`;
  desk.keep("delay: reads", { ...last, between, note });
}

async function claims(desk: LearnDesk): Promise<void> {
  const { credentials } = desk.session.profile;
  const reader = Object.values(credentials).find(
    ({ claims: stated, role }) =>
      stated.includes("read:orders") && !stated.includes("write:orders") && role !== "trader",
  );
  if (reader === undefined) return;
  await desk.open("claims: read", { role: reader.role });
  await desk.post("claims: place without the claim", "{}", { role: reader.role });
}

const read = { safety: "read", orders: 0 } as const;

export const probesOfSignatures: readonly Probe[] = [
  {
    id: "get",
    ...read,
    sends: "a read, rightly signed and with one thing changed",
    requests: 8,
    run: plainReads,
  },
  { id: "query", ...read, sends: "a read with a query, signed in two ways", requests: 3, run: queries },
  {
    id: "clock",
    ...read,
    sends: "reads with timestamps up to ten minutes off",
    requests: 2 * (mostOnce + 1),
    run: async (desk) => {
      await clock(desk, "clock: behind", -1);
      await clock(desk, "clock: ahead", 1);
    },
  },
  {
    id: "timestamp",
    ...read,
    sends: "reads with the timestamp in other spellings",
    requests: 3,
    run: async (desk) => {
      await desk.open("timestamp: a zero before it", withTimestamp("prepend(0)"));
      await desk.open("timestamp: in seconds", withTimestamp("seconds"));
      await desk.open("timestamp: as ISO text", withTimestamp("iso"));
    },
  },
  { id: "nonce", ...read, sends: "reads with odd and with used nonces", requests: 6, run: nonces },
  { id: "nonce-scope", ...read, sends: "one nonce with several keys", requests: 3, run: nonceScope },
  {
    id: "routes",
    ...read,
    sends: "paths that may not exist",
    requests: 2,
    run: async (desk) => {
      await desk.get("routes: slash at the end", `${desk.session.operation("openOrders").path}/`);
      await desk.get("routes: unknown, without credentials", "/gatewright-no-such-route", {
        role: undefined,
      });
    },
  },
  {
    id: "products",
    ...read,
    sends: "the list of products, with and without credentials",
    requests: 2,
    run: async (desk) => {
      const { path } = desk.session.operation("products");
      await desk.get("products: signed", path);
      await desk.get("products: anonymous", path, { role: undefined });
    },
  },
  {
    id: "book",
    ...read,
    sends: "an order book",
    requests: 1,
    run: async (desk) => {
      const { path, bids, asks } = desk.session.operation("orderBook");
      const sample = await desk.get(
        "book: read",
        path.replace("{product}", encodeURIComponent(desk.product())),
      );
      desk.keep("book: read", { ...sample, note: `${bids} ${asks}` });
    },
  },
  {
    id: "delay",
    ...read,
    sends: "reads, on this machine, to see how long they take",
    requests: reads + 1,
    run: delays,
  },
  {
    id: "claims",
    safety: "reject-only",
    sends: "an empty order with a key that may only read",
    requests: 2,
    orders: 0,
    run: claims,
  },
  {
    id: "empty",
    safety: "reject-only",
    sends: "empty orders, signed in several ways",
    requests: 4,
    orders: 0,
    run: async (desk) => {
      await desk.post("empty: signed", "{}");
      await desk.post("empty: signature broken", "{}", broken);
      await desk.post("empty: with a space, its bytes signed", "{ }");
      await desk.post("empty: with a space, signed without it", "{ }", {
        sign: { override: { bodyHash: "sha256({})" } },
      });
    },
  },
  {
    id: "body-size",
    safety: "reject-only",
    sends: "empty orders in large bodies",
    requests: 5,
    orders: 0,
    run: bodySizes,
  },
];

const limits = [65_536, 102_400, 1_048_576];

/** The first of the usual limits beyond which a body of blanks is refused for its size. */
async function bodySizes(desk: LearnDesk): Promise<void> {
  for (const limit of limits) {
    const beyond = await sized(desk, limit + 1);
    if (beyond === undefined) return;
    if (!beyond) continue;
    const within = await sized(desk, limit);
    if (within !== false) return;
    const sample = await desk.post("body-size: limit", "{}");
    const note = `a body of ${limit} bytes is read, and one of ${limit + 1} is answered 413`;
    desk.keep("body-size: limit", { ...sample, between: { low: limit, high: limit + 1 }, note });
    return;
  }
}

/** Is a body of this size answered with 413? */
async function sized(desk: LearnDesk, bytes: number): Promise<boolean | undefined> {
  const { exchange } = await desk.post("body-size: tried", `{${" ".repeat(bytes - 2)}}`);
  if (statusOf(exchange) === 413) return true;
  return statusOf(exchange) === 400 ? false : undefined;
}
