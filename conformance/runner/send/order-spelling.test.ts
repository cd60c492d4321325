import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../../../tools/sampled.ts";
import { Blocked } from "../../model/outcome.ts";
import type { ValueMap } from "../../model/value.ts";
import { effortOf } from "../../plan/effort.ts";
import { bareSession, planned, scenarioWith } from "../../testing/bare-session.ts";
import { drawn } from "../../testing/seeded.ts";
import { Scope } from "../prepare/scope.ts";
import { upperBoundsOf } from "../prepare/upper-bounds.ts";

/** For every spelling of an order the plan finds it, lint knows its kind, and the run counts and records it. */
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

const body = {
  side: "BUY",
  type: "MARKET",
  product: "BTC-USD",
  quote_value: "1",
  client_order_id: "3b241101-e2bb-4255-8caf-4136c566a962",
};
const text = JSON.stringify(body);
const { side: _, ...incomplete } = body;

/** Some of the letters as %XX, some of those escaped once more; the choice is the same on every machine. */
function escaped(path: string, seed: number): string {
  const once = (input: string, round: number): string =>
    [...input]
      .map((letter, at) => {
        const hex = letter.charCodeAt(0).toString(16).padStart(2, "0");
        const choice = drawn(seed, round * 1000 + at, 4);
        return choice === 0 ? `%${hex}` : choice === 1 ? `%${hex.toUpperCase()}` : letter;
      })
      .join("");
  return Array.from({ length: drawn(seed, 0, 3) + 1 }).reduce<string>(
    (input, _, round) => `/${once(input.slice(1), round + 1)}`,
    path,
  );
}

const ends = [
  "/order",
  "/Order",
  "/ORDER/",
  "/order//",
  "/order;x=1",
  "/order;x=1/",
  "/order/.",
  "/order/./",
  "/order/x/..",
  "/order/x/..;y=1",
  "/./order",
  "/x/../order",
  "/x;a/..;b/order",
  "/\\order",
  "/x\\..\\order",
];
const spellings = [
  ...ends,
  ...ends.flatMap((end, at) => Array.from({ length: 12 }, (_, seed) => escaped(end, at * 100 + seed + 1))),
];

const calls: Readonly<Record<string, ValueMap>> = {
  "PUT with a header": { method: "PUT", path: "/order", body },
  "another route": { method: "POST", path: "/anything", body },
  "another method": { method: "PURGE", path: "/anything", body },
  "a GET with a body": { op: "openOrders", body },
  "a body as text": { method: "POST", path: "/anything", bodyText: text },
  "a body in base64": {
    method: "POST",
    path: "/anything",
    bodyBase64: Buffer.from(text).toString("base64"),
  },
  "a path after signing": {
    method: "POST",
    path: "/product",
    body,
    sign: { mutateAfterSign: { path: "/api/v1/trading/%6Frder" } },
  },
  "a signature over another path": {
    method: "POST",
    path: "/%6Frder",
    body,
    sign: { override: { path: "/api/v1/trading/order" } },
  },
  "a body after signing": {
    op: "openOrders",
    sign: { mutateAfterSign: { method: "POST", body: { set: text } } },
  },
};

async function counts(call: ValueMap) {
  const session = bareSession((server.address() as AddressInfo).port, "local");
  const scenario = scenarioWith(call);
  const row = { id: "case", scenario, row: {}, spec: [] };
  const outcome: unknown = await session
    .send(session.prepare(planned(session, call)))
    .catch((error: unknown) => error);
  if (outcome instanceof Error && !(outcome instanceof Blocked)) throw outcome;
  await session.parts.target[Symbol.asyncDispose]();
  const { orders, safety } = effortOf(scenario, {}, new Map());
  return {
    sent: !(outcome instanceof Blocked),
    lint: [orders, safety],
    plan: upperBoundsOf(row, new Map()).orders,
    run: session.parts.egress.used.orders,
    ledger: session.ledger.openCount,
  };
}

const one = { sent: true, lint: [1, "trades"], plan: 1, run: 1, ledger: 1 };

describe("an order", () => {
  it("is one by its body, wherever it goes", async () => {
    for (const [name, call] of Object.entries(calls)) expect([name, await counts(call)]).toEqual([name, one]);
  });

  it("is one by its body, however its path is written", async () => {
    for (const path of sampled(3, spellings))
      expect([path, await counts({ method: "POST", path: `${path}/x`, body })]).toEqual([path, one]);
  });

  it("is one by its path where its body is incomplete, however that is written", async () => {
    for (const path of sampled(3, spellings)) {
      const { sent, plan, run, ledger } = await counts({ method: "POST", path, body: incomplete });
      expect([path, sent, plan, run, ledger]).toEqual([path, true, 1, 1, 1]);
    }
  });

  it("is none without either", async () => {
    const none = { sent: true, lint: [0, "reject-only"], plan: 0, run: 0, ledger: 0 };
    expect(await counts({ method: "POST", path: "/orders/cancel", body: incomplete })).toEqual(none);
    expect((await counts({ op: "openOrders" })).plan).toBe(0);
  });
});

describe("the signature of a step", () => {
  /** The value of `${step.request.signature}` after the step. */
  function readable(kind: "local" | "sandbox", call: ValueMap): unknown {
    const session = bareSession(1, kind);
    const request = session.prepare(planned(session, call));
    const exchange = { request, transport: "closed", startedAt: 0, endedAt: 0 } as const;
    const scope = new Scope({}, undefined);
    scope.remember("step", { exchange, orderOf: () => undefined, itemsOf: () => undefined });
    return scope.find("step.request.signature", () => null)?.value;
  }
  const orderSigned = { method: "POST", path: "/api/v1/trading/order", bodyHash: `sha256(${text})` };

  it.each([
    ["other values", { override: orderSigned }],
    ["another time", { atClock: { offset: "+1h" } }],
    ["another form", { transform: ["upperHex"] }],
    ["another request than the one that left", { mutateAfterSign: { method: "GET", body: { set: "" } } }],
  ])("that was made with %s is not for a case to read, beyond this machine", (_, sign) => {
    expect(readable("local", { op: "openOrders", sign })).toMatch(/^[0-9a-f]{64}$/i);
    expect(readable("sandbox", { op: "openOrders", sign })).toBeUndefined();
  });

  it("that was made as it should be is", () => {
    expect(readable("sandbox", { op: "openOrders" })).toMatch(/^[0-9a-f]{64}$/);
  });
});
