/** Scenarios that never meet a target: a function says which of them fail. */
import { describe, expect, it } from "vitest";
import type { ValueMap } from "../model/value.ts";
import { closed, sliceUpTo, stepsIn } from "./names.ts";
import { Shrinker } from "./shrink.ts";
import { loosened } from "./tree.ts";

const place = (n: number): ValueMap => ({
  id: `place${n}`,
  call: {
    op: "placeOrder",
    body: { side: "BUY", price: "30123.45", base_quantity: "0.0037", client_order_id: `\${key${n}}` },
  },
  expect: { $macro: "placed" },
  capture: { [`order${n}`]: "#order/id" },
});
const read = (n: number, of: number): ValueMap => ({
  id: `read${n}`,
  call: { op: "readOrder", params: { id: `\${order${of}}` } },
});
const again = (n: number): ValueMap => ({
  id: `again${n}`,
  call: { op: "placeOrder", body: `\${place${n}.request.body}` },
  expect: { $macro: `replayed(order${n})` },
});

const scenario = (steps: readonly ValueMap[]): ValueMap => ({
  kit: 1,
  id: "whole",
  title: "A long session",
  spec: ["PLC-10"],
  tags: ["long"],
  vars: Object.fromEntries(steps.flatMap((_, n) => [[`key${n}`, { $uuid4: `key${n}` }]])),
  steps,
});

/** Four hundred orders, each read; of one of them the id is sent again at nine tenths. */
const session = (): ValueMap => {
  const steps = Array.from({ length: 400 }, (_, n) => [place(n), read(n, n)]).flat();
  return scenario(steps.toSpliced(720, 0, again(333)));
};

const idsIn = (document: ValueMap): unknown[] => stepsIn(document["steps"]).map((step) => step["id"]);

async function shrunk(
  document: ValueMap,
  fails: (document: ValueMap) => boolean,
  failed?: string,
  holdsElsewhere?: (document: ValueMap) => boolean,
) {
  let tries = 0;
  const shrinker = new Shrinker(document, {
    fails: (candidate) => {
      tries += 1;
      return Promise.resolve(fails(candidate));
    },
    holdsElsewhere:
      holdsElsewhere === undefined ? undefined : (candidate) => Promise.resolve(holdsElsewhere(candidate)),
    onSmaller: () => undefined,
    isOver: () => tries > 3000,
  });
  await shrinker.shrink(failed);
  return { best: shrinker.best, tries, isDone: shrinker.isDone, holdsElsewhere: shrinker.holdsElsewhere };
}

const has = (document: ValueMap, ...ids: string[]): boolean =>
  ids.every((id) => idsIn(document).includes(id));

const says = (document: ValueMap, ...texts: string[]): boolean =>
  texts.every((text) => JSON.stringify(document["steps"]).includes(text));

describe("a scenario that fails", () => {
  it("is reduced to what the failing step depends on, in few tries and to plain values", async () => {
    const isSent = (one: ValueMap): boolean =>
      has(one, "place333", "again333") && says(one, '"body":{', "place333.request.body", "{key333}");
    const { best, tries } = await shrunk(session(), isSent, "again333");
    expect(best["steps"]).toEqual([
      { id: "place333", call: { body: { client_order_id: "${key333}" } } },
      { id: "again333", call: { body: "${place333.request.body}" } },
    ]);
    expect(tries).toBeLessThan(40);
  });

  it("keeps steps that it depends on in no visible way", async () => {
    const needed = ["place333", "place12", "place350", "again333"];
    const { best, tries } = await shrunk(session(), (one) => has(one, ...needed), "again333");
    expect(new Set(idsIn(best))).toEqual(new Set(needed));
    expect(idsIn(best)).toHaveLength(needed.length);
    expect(tries).toBeLessThan(250);
  });

  it("is found by halving when nobody knows the step", async () => {
    const { best, tries } = await shrunk(session(), (one) => has(one, "place333", "again333"));
    expect(idsIn(best)).toEqual(["place333", "again333"]);
    expect(tries).toBeLessThan(60);
  });

  it("loses its branches, loops and waits", async () => {
    const document = scenario([
      { concurrent: { release: "barrier", branches: [[place(1)], [place(2), read(2, 2)]] } },
      { repeat: { times: 40, steps: [read(3, 1)] } },
      { id: "wait", poll: { call: { op: "openOrders" }, until: { status: 200 }, within: "5s" } },
    ]);
    const { best } = await shrunk(document, (one) => says(one, '"read2"', "{order2}", '"wait"'));
    expect(idsIn(best)).toEqual(["place2", "read2", "wait"]);
    expect(JSON.stringify(best)).not.toMatch(/concurrent|repeat|poll/);
  });

  it("gets plainer numbers as long as it fails", async () => {
    const bodyOf = (one: ValueMap): string => JSON.stringify(stepsIn(one["steps"])[0]);
    const fails = (one: ValueMap): boolean =>
      /"price":"[3-9]\d{4}/.test(bodyOf(one)) && /"base_quantity":"/.test(bodyOf(one));
    const { best } = await shrunk(scenario([place(1)]), fails, "place1");
    expect(best["steps"]).toEqual([{ id: "place1", call: { body: { price: "30000", base_quantity: "1" } } }]);
    expect(best["vars"]).toBeUndefined();
    expect(best["tags"]).toBeUndefined();
  });

  it("still holds where the bug is not, if anything that fails does", async () => {
    // Without the cancel the read is wrong anywhere.
    const cancel = { id: "cancel1", call: { op: "cancelOrder", params: { id: "${order1}" } } };
    const document = scenario([place(1), cancel, read(1, 1)]);
    const fails = (one: ValueMap): boolean => has(one, "read1") && says(one, '{"id":"${order1}"}');
    const clean = await shrunk(document, fails, "read1", (one) => has(one, "cancel1"));
    expect([idsIn(clean.best), clean.holdsElsewhere]).toEqual([["place1", "cancel1", "read1"], true]);
    const never = await shrunk(document, fails, "read1", () => false);
    expect([idsIn(never.best), never.holdsElsewhere]).toEqual([["place1", "read1"], false]);
  });

  it("is the best so far when the tries are used up", async () => {
    const document = session();
    let asked = 0;
    const shrinker = new Shrinker(document, {
      fails: (one) => Promise.resolve((asked += 1) > 0 && has(one, "place12", "place333", "again333")),
      onSmaller: () => undefined,
      isOver: () => asked >= 8,
    });
    await shrinker.shrink("again333");
    expect(shrinker.isDone).toBe(false);
    expect(has(shrinker.best, "place12", "place333", "again333")).toBe(true);
    expect(idsIn(shrinker.best).length).toBeLessThan(idsIn(document).length);
  });
});

describe("the names of a scenario", () => {
  it("go with the steps that made them, and variables with their users", () => {
    const before = scenario([place(1), place(2), read(1, 1), again(1)]);
    const left = closed({ ...before, steps: [place(2), read(1, 1), again(1)] }, before);
    expect(idsIn(left)).toEqual(["place2"]);
    expect(left["vars"]).toEqual({ key2: { $uuid4: "key2" } });
  });

  it("lead to what a step depends on, and to what was done with the same order", () => {
    const whole = scenario([place(1), place(2), read(2, 2), read(1, 1), again(1), read(3, 1)]);
    expect(idsIn(sliceUpTo(whole, "again1"))).toEqual(["place1", "read1", "again1"]);
  });
});

describe("a scenario without its expectations", () => {
  it("waits for the status of an order, and for nothing else", () => {
    const poll = {
      call: { op: "readOrder" },
      until: { status: 200, order: { status: "FILLED", filledQuantity: "1" } },
    };
    const list = {
      poll: { call: { op: "openOrders" }, until: { items: { $none: { id: { $eqVar: "order1" } } } } },
    };
    const loose = loosened(scenario([place(1), { id: "wait", poll }, list, again(1)]), "again1");
    expect(loose["steps"]).toEqual([
      { id: "place1", call: expect.anything(), capture: expect.anything() },
      {
        id: "wait",
        poll: { call: poll.call, until: { order: { status: "FILLED" } }, within: "1s" },
        onFail: "continue",
      },
      { call: { op: "openOrders" } },
      again(1),
    ]);
  });
});
