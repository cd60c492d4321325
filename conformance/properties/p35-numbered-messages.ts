import fc from "fast-check";
import type { Profile } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property } from "./property.ts";
import { connected, subscribed } from "./stream-steps.ts";
import { market, orderOf, place, settle, shapes } from "./templates.ts";

/**
 * P-35: where messages are numbered, none is missing, whatever is subscribed to, given up and got wrong in between.
 * Clause: EVT-08. Needs the profile to say where the number stands.
 * Generator: one to six actions: subscribe to a channel of the profile (again, too), to one that does not exist, unsubscribe, place an order.
 * Oracle: the numbers of everything that came go up one by one.
 * Shrinks to one action. Safety: one order, far from the market.
 */
export const numberedMessages: Property = {
  id: "P-35",
  title: "Numbered messages have no gap, whatever is subscribed to",
  spec: ["EVT-08"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.sequence", "ws.subscribe", "ws.ack"] },
  runs: { local: 6, staging: 2 },
  cost: { requests: 10, orders: 1 },
  plans: ({ profile }) =>
    fc
      .uniqueArray(action(profile), {
        minLength: 1,
        maxLength: 6,
        selector: (one) => (one === "place" ? one : {}),
      })
      .map(
        (actions): Plan => ({
          vars: market,
          steps: [
            ...connected("open"),
            ...actions.flatMap(stepsOf),
            { ws: { collect: { for: "150ms", as: "all", from: "connect" } } },
            { spec: ["EVT-08"], check: { numbered: "all" } },
          ],
        }),
      ),
};

type Action = "place" | "wrong" | { readonly channel: string; readonly leave: boolean };

/** Channels that take a product each; the others take none. */
const ofProducts = ["orderBook", "trades", "ticker"];

function action({ stream }: Profile): fc.Arbitrary<Action> {
  const asked = Object.entries(stream?.channels ?? {}).flatMap(([name, channel]) =>
    channel !== "absent" && !channel.automatic && name !== "candles" ? [name] : [],
  );
  const leave = stream?.unsubscribe === undefined ? fc.constant(false) : fc.boolean();
  return fc.oneof(
    fc.constant<Action>("place"),
    fc.constant<Action>("wrong"),
    fc.record({ channel: fc.constantFrom(...(asked.length === 0 ? ["orders"] : asked)), leave }),
  );
}

function stepsOf(one: Action, index: number): ValueMap[] {
  const id = `step${index + 1}`;
  if (one === "place") return [place(id, orderOf(shapes.limitBuy, "a")), settle];
  // The error, if there is one, must not be taken for the answer to what comes next.
  if (one === "wrong")
    return [
      { ws: { subscribe: { name: "no-such-channel", ack: "none" } } },
      { ws: { collect: { for: "100ms", as: "complaints" } } },
    ];
  const products = ofProducts.includes(one.channel) ? ["${product}"] : [];
  const which = products.length === 0 ? { channel: one.channel } : { channel: one.channel, products };
  return [subscribed(id, one.channel, products), ...(one.leave ? [{ ws: { unsubscribe: which } }] : [])];
}
