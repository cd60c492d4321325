/** 200 requests at once with one client_order_id. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Simulator, SimulatorKey } from "../../simulator/index.ts";
import { problemsOf } from "./history.ts";
import { countsOf, placeAtOnce } from "./same-id.ts";
import { startHere } from "./testing/in-process.ts";

let simulator: Simulator;

beforeEach(async () => {
  ({ simulator } = await startHere(":memory:"));
});

afterEach(() => simulator.close());

const key = (name: string): SimulatorKey => {
  const found = simulator.keys.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no key ${name}`);
  return found;
};

it("over 100 sockets and two keys of one client make one order", async () => {
  const keys = [key("trader"), key("write-orders")];
  const order = await placeAtOnce(simulator, keys, { requests: 200, sockets: 100 });
  expect(countsOf(order)).toEqual({ new: 1, replay: 199, refused: 0, ids: 1 });
  expect(problemsOf(order)).toEqual([]);
});

it("from two clients make one order each", async () => {
  const keys = [key("trader"), key("other")];
  const order = await placeAtOnce(simulator, keys, { requests: 40, sockets: 20 });
  expect(countsOf(order)).toEqual({ new: 2, replay: 38, refused: 0, ids: 2 });
});
