import { afterAll, describe, expect, it } from "vitest";
import { rowsOf } from "../model/scenario.ts";
import type { Fragments } from "../model/step.ts";
import { toFragment, toScenario } from "../parse/scenario.ts";
import { readSource } from "../parse/source.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { type Effort, effortOf } from "./effort.ts";

const head = "kit: 1\nid: one\ntitle: t\nspec: [PLC-01]\n";
const order =
  "{ side: BUY, type: LIMIT, base_quantity: '1', price: '1', client_order_id: { $uuid4: a }, product: BTC-USD }";

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

/** The effort of the first row of a scenario. */
async function effort(text: string, fragment?: string): Promise<Effort> {
  const fragments: Fragments = new Map(
    fragment === undefined
      ? []
      : [await parsed(fragment)].map((source) => [toFragment(source).name, toFragment(source)]),
  );
  const scenario = toScenario(await parsed(head + text), fragments);
  return effortOf(scenario, rowsOf(scenario)[0]?.row ?? {}, fragments);
}

async function parsed(text: string) {
  const reading = await readSource("case.yaml", text, reader);
  if (!reading.ok) throw new Error(reading.problems.map(({ message }) => message).join("\n"));
  return reading.source;
}

const placing = (rest: string, body = order) =>
  effort(`steps: [{ call: { op: placeOrder, body: ${body} }${rest} }]\n`);

describe("steps on the stream", () => {
  it("are reads that cost their requests, and the time of waiting", async () => {
    const found = await effort(`steps:
  - ws: { connect: { as: reader } }
  - ws: { subscribe: { channel: orders } }
  - ws: { send: { ping: x } }
  - ws: { expect: { match: { event: { is: order } }, within: 9s } }
  - ws: { none: { match: { event: { is: order } }, for: 2s } }
  - ws: { collect: { for: 500ms, as: all } }
`);
    expect(found).toMatchObject({ requests: 3, orders: 0, sleepMs: 2500, safety: "read" });
    expect([[...found.roles], found.alone]).toEqual([["reader"], undefined]);
  });

  it("run alone when they send frames of their own making", async () => {
    const found = await effort("steps: [{ ws: { connect: {} } }, { ws: { frames: { hex: '8100' } } }]\n");
    expect(found).toMatchObject({ requests: 2, alone: "it sends dangerous bytes" });
  });
});

describe("the class of a case", () => {
  it.each([
    ["an order of which nothing is said", "", "rests"],
    ["an order that has to be new", ", expect: { $macro: placed }", "rests"],
    ["an order that has to be refused", ", expect: { $macro: invalid }", "reject-only"],
    ["an order that should be refused", ", should: { status: { $in: [400, 4xx] } }", "reject-only"],
    ["one that may be refused", ", expect: { $anyOf: [{ status: 2xx }, { status: 4xx }] }", "rests"],
    ["a repeat", ", expect: { $macro: 'replayed(id)' }", "reject-only"],
  ] as const)("is worked out for %s", async (_, expectation, safety) => {
    expect(await placing(expectation)).toMatchObject({ safety });
  });

  it("is that of a cancel, by its expected result", async () => {
    const cancelling = (rest: string) =>
      effort(`steps: [{ call: { op: cancelOrder, params: { id: x } }${rest} }]\n`);
    expect(await cancelling(", expect: { status: 2xx }")).toMatchObject({ safety: "rests" });
    expect(await cancelling("")).toMatchObject({ safety: "rests" });
    expect(await cancelling(", expect: { $macro: unauthorized }")).toMatchObject({ safety: "reject-only" });
  });

  it("is that of an order on the market if it trades", async () => {
    const market = order.replace("LIMIT", "MARKET");
    expect(await placing("", market)).toMatchObject({ safety: "trades" });
    const near = order.replace("price: '1'", "price: { $price: { side: BUY, away: near } }");
    expect(await placing("", near)).toMatchObject({ safety: "trades" });
  });

  it("sees through variables, merges and columns", async () => {
    const text = `vars: { body: ${order} }
rows: [{ name: a, patch: { client_order_id: null } }]
steps: [{ call: { op: placeOrder, body: { $merge: ['\${body}', '\${row.patch}'] } } }]
`;
    expect(await effort(text)).toMatchObject({ safety: "reject-only", orders: 0, requests: 1 });
  });

  it("does not count an unsigned order, and takes an unknown body for one that rests", async () => {
    const unsigned = `steps: [{ call: { op: placeOrder, as: anonymous, body: ${order} } }]\n`;
    expect(await effort(unsigned)).toMatchObject({ safety: "reject-only", orders: 0 });
    const unknown = "steps: [{ call: { op: placeOrder, body: '${first.request.body}' } }]\n";
    expect(await effort(unknown)).toMatchObject({ safety: "rests", orders: 1 });
  });
});

describe("the cost of a case", () => {
  it("adds up repeats, rows, branches and polls", async () => {
    const text = `steps:
  - repeat: { times: 3, steps: [{ call: { op: openOrders } }] }
  - rows: [{ name: a }, { name: b }]
    call: { op: products }
  - poll: { call: { op: openOrders }, until: { status: 200 }, stable: 2 }
  - sleep: 2s
    note: n
`;
    expect(await effort(text)).toMatchObject({ requests: 7, orders: 0, sleepMs: 2000, safety: "read" });
  });

  it("leaves the cost of a shared fragment to the run, but counts its effects", async () => {
    const fragment = (shared: boolean) => `kit: 1
fragment: rest
shared: ${String(shared)}
steps: [{ call: { op: placeOrder, as: other, body: ${order} } }, { clock: { advance: 1s } }]
`;
    const text = "steps: [{ use: rest }]\n";
    const shared = await effort(text, fragment(true));
    expect(shared).toMatchObject({ requests: 0, orders: 0, safety: "rests", alone: "it moves the clock" });
    expect([...shared.roles]).toEqual(["other"]);
    expect(await effort(text, fragment(false))).toMatchObject({ requests: 1, orders: 1 });
  });
});

describe("cases that must run alone", () => {
  it.each([
    ["it races", "concurrent: { branches: [[{ call: { op: openOrders } }]] }"],
    ["it injects a fault", "inject: { clear: true }"],
  ])("because %s", async (alone, action) => {
    expect(await effort(`steps: [{ ${action} }]\n`)).toMatchObject({ alone });
  });

  it("but not a race with an isolation of its own", async () => {
    const race = "steps: [{ concurrent: { branches: [[{ call: { op: openOrders } }]] } }]\n";
    expect((await effort(`isolation: account\n${race}`)).alone).toBeUndefined();
  });
});
