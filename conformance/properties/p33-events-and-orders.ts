import fc from "fast-check";
import type { Call, Expectation, WrittenStep } from "../model/language.ts";
import { bodyOf, doubleQuantity, type Placement } from "./placements.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { connected, hangUp, heard, silence, subscribed } from "./stream-steps.ts";
import {
  call,
  eventually,
  firstPlacement,
  type Judged,
  key,
  market,
  orderOf,
  settle,
  shapes,
} from "./templates.ts";

/**
 * P-33: events agree with reads, also after disconnects.
 * Clauses: EVT-07 (events of own orders arrive, and after a new connection nothing is missing), EVT-09 (no events of
 * another client).
 * Generator: two to eight commands: place, cancel, disconnect, connect again, let another client place.
 * Oracle: a model that knows which orders are open and whether a connection is subscribed. While one is, each placement
 * and each cancel sends an event, and the order of an event can soon be read by its id. After a new connection the open
 * orders are in the first messages of the channel, if the profile describes these, and can be read in any case. The
 * model runs ahead as in P-29.
 * Shrinks, by commands, to one order without a disconnect. Safety: at most three orders, far from the market.
 */
export const eventsAndOrders: Property = {
  id: "P-33",
  title: "Order events agree with what can be read, through disconnects",
  spec: ["EVT-07", "EVT-09"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.orders"] },
  runs: { local: 6, staging: 2 },
  cost: { requests: 40, orders: 3 },
  durable: ["EVT-09"],
  plans: (situation) =>
    fc.commands(commands(situation), { maxCommands: 8, size: "max" }).map((chosen): Plan => {
      const trace: Trace = { steps: [...connected("open1"), subscribed("joined1", "orders")] };
      fc.modelRun(() => ({ model: { orders: new Map(), listening: true }, real: trace }), chosen);
      return { vars: { ...market, ...doubleQuantity }, steps: trace.steps };
    }),
};

interface Model {
  /** Open ones by slot. */
  readonly orders: Map<string, { cancelled: boolean }>;
  listening: boolean;
}

interface Trace {
  readonly steps: WrittenStep[];
}

type StreamCommand = fc.Command<Model, Trace>;

function command(
  name: string,
  run: (model: Model, add: (...steps: WrittenStep[]) => void, id: string) => void,
  check: (model: Model) => boolean = () => true,
): StreamCommand {
  return {
    check: (model) => check(model),
    run: (model, trace) =>
      run(model, (...steps) => void trace.steps.push(...steps), `step${trace.steps.length + 1}`),
    toString: () => name,
  };
}

const slot = fc.constantFrom("a", "b");
const placement: fc.Arbitrary<Placement> = fc.record({
  slot,
  shape: fc.constantFrom(shapes.limitBuy, shapes.limitSell),
  doubled: fc.boolean(),
});
const orderName = (name: string): string => `${name}Order`;

function commands(situation: Situation): fc.Arbitrary<StreamCommand>[] {
  const { operations, credentials } = situation.profile;
  const mapped = (name: string): boolean => typeof operations[name] === "object";
  return [
    placement.map((one) => placing(one, mapped("readOrder"))),
    ...(mapped("cancelOrder") ? [slot.map(cancelling)] : []),
    fc.constant(hangingUp),
    fc.constant(comingBack(situation)),
    ...(credentials["otherClient"] === undefined ? [] : [fc.constant(foreign)]),
  ];
}

function placing(one: Placement, readable: boolean): StreamCommand {
  const order = orderName(one.slot);
  const run = (model: Model, add: (...steps: WrittenStep[]) => void, id: string): void => {
    model.orders.set(one.slot, { cancelled: false });
    add(...firstPlacement(id, bodyOf(one), order), settle);
    if (model.listening)
      add(
        heard(`${id}Heard`, { is: "order", order: { id: { $eqVar: order } } }, ["EVT-07"], {
          from: "connect",
        }),
      );
    if (readable) add(reading(`${id}Read`, one.slot));
  };
  return command(`place ${one.slot}`, run, ({ orders }) => !orders.has(one.slot));
}

function reading(id: string, name: string): WrittenStep {
  const expect: Expectation = { status: "2xx", order: { $optional: { clientOrderId: key(name) } } };
  const read: Call = { params: { id: `\${${orderName(name)}}` } };
  return eventually(id, ["readOrder", read], { status: "2xx" }, { spec: ["EVT-07"], expect });
}

function cancelling(name: string): StreamCommand {
  const run = (model: Model, add: (...steps: WrittenStep[]) => void, id: string): void => {
    const order = model.orders.get(name);
    if (order !== undefined) order.cancelled = true;
    add(call(id, "cancelOrder", { params: { id: `\${${orderName(name)}}` } }), settle);
    const event = { is: "order", order: { id: { $eqVar: orderName(name) }, status: "CANCELLED" } };
    if (model.listening) add(heard(`${id}Heard`, event, ["EVT-07"], { within: "10s", from: "connect" }));
  };
  return command(`cancel ${name}`, run, ({ orders }) => orders.get(name)?.cancelled === false);
}

const hangingUp = command(
  "hang up",
  (model, add) => {
    model.listening = false;
    add(hangUp);
  },
  ({ listening }) => listening,
);

const unlisted: Judged = {
  note: "an order that is not open is not in the first messages of the channel",
  onFail: "block",
};

/** Orders that were placed meanwhile are not lost: the channel begins with them. */
function comingBack({ profile }: Situation): StreamCommand {
  const begins = profile.stream?.events["orders"]?.fields["orders"] !== undefined;
  const run = (model: Model, add: (...steps: WrittenStep[]) => void, id: string): void => {
    model.listening = true;
    const open = [...model.orders].filter(([, { cancelled }]) => !cancelled).map(([name]) => name);
    const expected = begins ? open : [];
    for (const name of expected) {
      const listed: Expectation = { anywhere: { object: { clientOrderId: key(name) } } };
      add({ ...eventually(`${id}${name}Listed`, ["openOrders", {}], listed), ...unlisted });
    }
    add(...connected(id), subscribed(`${id}Joined`, "orders"));
    for (const name of expected) {
      const event = { is: "orders", orders: { $some: { id: { $eqVar: orderName(name) } } } };
      add(heard(`${id}${name}`, event, ["EVT-07"], { from: "connect" }));
    }
  };
  return command("connect again", run, ({ listening }) => !listening);
}

const foreign = command(
  "another client places",
  (model, add, id) => {
    model.orders.set("x", { cancelled: true });
    add(
      call(id, "placeOrder", { as: "otherClient", body: orderOf(shapes.limitBuy, "x") }),
      settle,
      silence(`${id}Silence`, { bodyText: { $contains: key("x") } }, ["EVT-09"], "200ms"),
    );
  },
  ({ orders, listening }) => listening && !orders.has("x"),
);
