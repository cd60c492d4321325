import fc from "fast-check";
import type { Subscribe, WrittenStep } from "../model/language.ts";
import type { Profile } from "../model/profile.ts";
import type { Plan, Property } from "./property.ts";
import { connected, subscribed } from "./stream-steps.ts";
import { market, orderOf, place, settle, shapes } from "./templates.ts";

/**
 * P-35: numbered messages have no gap, with any subscriptions, unsubscriptions and mistakes in between.
 * Clause: EVT-11. The profile must state where a message has its number.
 * Generator: one to six actions: subscribe to a channel of the profile (also repeatedly), or to one that does not
 * exist, unsubscribe, place an order. Mostly with an order among them, so that there is a message that could be lost.
 * Then a subscription whose confirmation is awaited: a number that is missing shows in the message after it.
 * Oracle: the numbers of all received messages go up one by one.
 * Shrinks to one action. Safety: one order, far from the market.
 */
export const numberedMessages: Property = {
  id: "P-35",
  title: "Numbered messages have no gap, with any subscriptions",
  spec: ["EVT-11"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.sequence", "ws.subscribe", "ws.ack"] },
  runs: { local: 6, staging: 2 },
  cost: { requests: 10, orders: 1 },
  plans: ({ profile }) =>
    fc
      .tuple(
        fc.uniqueArray(action(profile), {
          minLength: 1,
          maxLength: 6,
          selector: (one) => (one === "place" ? one : {}),
        }),
        mostly,
      )
      .map(
        ([actions, order]): Plan => ({
          vars: market,
          steps: [
            ...connected("open"),
            ...[...actions, ...(order && !actions.includes("place") ? ["place" as const] : [])].flatMap(
              (one, index) => stepsOf(one, `step${index + 1}`),
            ),
            ...stepsOf({ channel: askedChannels(profile)[0], leave: false }, "last"),
            { ws: { collect: { for: "50ms", as: "all", from: "connect" } } },
            { spec: ["EVT-11"], check: { numbered: "all" } },
          ],
        }),
      ),
};

const mixed = (yes: number, no: number): fc.Arbitrary<boolean> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: no, arbitrary: fc.constant(false) },
    { weight: yes, arbitrary: fc.constant(true) },
  );
/** Most plans cause messages to the subscriptions; the smallest does not. */
const mostly = mixed(4, 1);
const seldom = mixed(1, 3);

type Action = "place" | "wrong" | { readonly channel: string; readonly leave: boolean };

/** Channels that take a product each; the others take none. */
const ofProducts = ["orderBook", "trades", "ticker"];

function askedChannels({ stream }: Profile): [string, ...string[]] {
  const [first = "orders", ...others] = Object.entries(stream?.channels ?? {}).flatMap(([name, channel]) =>
    channel !== "absent" && !channel.automatic && name !== "candles" ? [name] : [],
  );
  return [first, ...others];
}

function action(profile: Profile): fc.Arbitrary<Action> {
  const asked = askedChannels(profile);
  const leave = profile.stream?.unsubscribe === undefined ? fc.constant(false) : seldom;
  // The two actions that an order certainly affects are drawn twice as often.
  const busy = asked.filter((name) => name === "orders" || name === "orderBook");
  const channel = fc.constantFrom(...asked, ...busy);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<Action>("place") },
    { weight: 1, arbitrary: fc.constant<Action>("wrong") },
    { weight: 5, arbitrary: fc.record({ channel, leave }) },
  );
}

/** A subscription that is refused, or passed over in silence. */
const wrong: WrittenStep = { ws: { subscribe: { name: "no-such-channel", ack: "none" } } };

function stepsOf(one: Action, id: string): WrittenStep[] {
  if (one === "place") return [place(id, orderOf(shapes.limitBuy, "a")), settle];
  if (one === "wrong") return [wrong];
  const products = ofProducts.includes(one.channel) ? ["${product}"] : [];
  const which: Subscribe =
    products.length === 0 ? { channel: one.channel } : { channel: one.channel, products };
  return [subscribed(id, one.channel, products), ...(one.leave ? [{ ws: { unsubscribe: which } }] : [])];
}
