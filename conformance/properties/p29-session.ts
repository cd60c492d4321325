import fc from "fast-check";
import type { Call, Expectation, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import { bodyOf, doubleQuantity, type Placement, repeat } from "./placements.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { call, firstPlacement, market, openWith, orderOf, restingShapes, shapes } from "./templates.ts";

/**
 * P-29: after a session of random commands the target and a model agree.
 * Clauses: PLC-10 to PLC-15, PLC-17, PLC-20, PLC-34, AUTH-39, ORD-39, EPT-07, EPT-08.
 * Generator: three to twelve commands: place under a key, place again, an invalid placement, an unsigned one, list the
 * open orders, list the products, read an order back, cancel it; weighted so that repeats are frequent.
 * Oracle: a model that knows which keys have an order and which of those were cancelled. It runs before the target
 * does: its result is the list of steps with the expectation of each. This list is sent, shrunk and printed, so there
 * is no second record of the session.
 * Shrinks, by commands, to the shortest list that fails. Safety: at most three orders, far from the market.
 */
export const session: Property = {
  id: "P-29",
  title: "A session of random commands agrees with the model",
  spec: ["PLC-10", "PLC-11", "PLC-12", "PLC-15", "PLC-34", "AUTH-39", "ORD-39", "EPT-07", "EPT-08"],
  safety: "rests",
  runs: { local: 6, staging: 2 },
  cost: { requests: 20, orders: 3 },
  plans: (situation) =>
    fc.commands(commands(situation), { maxCommands: 12, size: "max" }).map((chosen): Plan => {
      const trace: Trace = { steps: [] };
      fc.modelRun(() => ({ model: { orders: new Map() }, real: trace }), chosen);
      return { vars: { ...market, ...doubleQuantity }, steps: trace.steps };
    }),
};

interface Order {
  readonly body: ValueMap;
  cancelled: boolean;
}

interface Model {
  readonly orders: Map<string, Order>;
}

/** Takes the place of the target while the model runs ahead: the steps that the target will have to answer. */
interface Trace {
  readonly steps: WrittenStep[];
}

type SessionCommand = fc.Command<Model, Trace>;

function command(
  name: string,
  run: (model: Model, add: (...steps: WrittenStep[]) => void, id: string) => void,
  check: (model: Model) => boolean = () => true,
): SessionCommand {
  return {
    check: (model) => check(model),
    run: (model, trace) =>
      run(model, (...steps) => void trace.steps.push(...steps), `step${trace.steps.length + 1}`),
    toString: () => name,
  };
}

function commands(situation: Situation): fc.Arbitrary<SessionCommand>[] {
  const { operations } = situation.profile;
  const placement: fc.Arbitrary<Placement> = fc.record({
    slot,
    shape: restingShapes(situation),
    doubled: fc.boolean(),
  });
  const mapped = (name: string): boolean => typeof operations[name] === "object";
  return [
    placement.map((one) => placing(one)),
    placement.map((one) => placing(one)),
    fc.constant(
      command("list products", (_, add, id) =>
        add(call(id, "products", {}, { spec: ["EPT-03"], expect: { status: 200 } })),
      ),
    ),
    slot.map((one) => invalid(one)),
    slot.map((one) => unsigned(one)),
    slot.map((one) => listing(one)),
    ...(mapped("readOrder") ? [slot.map((one) => reading(one))] : []),
    ...(mapped("cancelOrder") ? [slot.map((one) => cancelling(one))] : []),
  ];
}

const slot = fc.constantFrom("a", "b", "c");

const orderName = (name: string): string => `${name}Order`;
const knows = (name: string) => (model: Model) => model.orders.has(name);

function placing(one: Placement): SessionCommand {
  return command(`place ${one.slot}`, ({ orders }, add, id) => {
    const body = bodyOf(one);
    const earlier = orders.get(one.slot);
    if (earlier !== undefined)
      return add(
        repeat(id, body, orderName(one.slot), earlier.body, earlier.cancelled ? "PLC-17" : undefined),
      );
    orders.set(one.slot, { body, cancelled: false });
    add(...firstPlacement(id, body, orderName(one.slot)));
  });
}

/** Only under keys that have no order yet: whether an invalid repeat is a repeat is open (AS-11). */
function invalid(name: string): SessionCommand {
  const run = (_: Model, add: (step: WrittenStep) => void, id: string): void => {
    const body = orderOf(shapes.limitBuy, name, { side: "NEITHER" });
    add(call(id, "placeOrder", { body }, { spec: ["PLC-34"], expect: { $macro: "invalid" } }));
  };
  return command(`invalid ${name}`, run, (model) => !model.orders.has(name));
}

function unsigned(name: string): SessionCommand {
  return command(`unsigned ${name}`, (_, add, id) => {
    const body = orderOf(shapes.limitBuy, name);
    const more: Call = { as: "anonymous", body };
    add(call(id, "placeOrder", more, { spec: ["AUTH-39"], expect: { $macro: "unauthorized" } }));
  });
}

/**
 * A key without an order is in no list; a key with an order at most once, and exactly once (`should`) while it is open.
 */
function listing(name: string): SessionCommand {
  return command(`list ${name}`, ({ orders }, add, id) => {
    const known = orders.get(name);
    if (known === undefined) return add(openWith(id, name, 0, ["EPT-08"]));
    add(openWith(id, name, { lte: 1 }, ["PLC-10"]));
  });
}

function reading(name: string): SessionCommand {
  const run = (_: Model, add: (step: WrittenStep) => void, id: string): void => {
    const expect: Expectation = { order: { $optional: { id: { $eqVar: orderName(name) } } } };
    add(call(id, "readOrder", { params: { id: `\${${orderName(name)}}` } }, { spec: ["ORD-39"], expect }));
  };
  return command(`read ${name}`, run, knows(name));
}

function cancelling(name: string): SessionCommand {
  const run = ({ orders }: Model, add: (step: WrittenStep) => void, id: string): void => {
    const order = orders.get(name);
    if (order !== undefined) order.cancelled = true;
    add(call(id, "cancelOrder", { params: { id: `\${${orderName(name)}}` } }));
  };
  return command(`cancel ${name}`, run, (model) => model.orders.get(name)?.cancelled === false);
}
