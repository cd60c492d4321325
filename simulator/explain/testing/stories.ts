/** The story of every order of a random session at once, and what is missing in one. */
import type { Event } from "../../domain/event.ts";
import { isTerminal, type Order, type OrderNumber } from "../../domain/order.ts";
import { lotsText } from "../../domain/steps.ts";
import { apply, beginEntry } from "../../engine/apply.ts";
import { VenueState } from "../../engine/state.ts";
import { Drive } from "../../engine/testing/drive.ts";
import { play, recordUnrulyScript } from "../../engine/testing/script.ts";
import { worldOf } from "../../engine/testing/venue-spec.ts";
import type { Fact } from "../fact.ts";
import { factsOf } from "../order-facts.ts";
import { waitingFor } from "../waiting.ts";

export interface Stories {
  readonly state: VenueState;
  readonly facts: ReadonlyMap<OrderNumber, readonly Fact[]>;
}

export function storiesOf(seed: number, commands: number): Stories {
  const { spec, steps } = recordUnrulyScript(seed, commands);
  const drive = new Drive(spec);
  play(drive, steps);
  const state = new VenueState(worldOf(spec));
  const facts = new Map<OrderNumber, Fact[]>();
  for (const { seq, at, command, events } of drive.take()) {
    beginEntry(state, seq, at);
    for (const event of events) {
      for (const number of concerned(event))
        facts.set(number, [
          ...(facts.get(number) ?? []),
          ...factsOf({ entry: seq, at, command, event, state }, number),
        ]);
      apply(state, event, at);
    }
  }
  for (const [number, order] of state.orders)
    facts.set(number, [...(facts.get(number) ?? []), ...waitingFor(state, order)]);
  return { state, facts };
}

function concerned(event: Event): readonly OrderNumber[] {
  if (event.kind === "OrderAccepted") return [event.terms.number];
  if (event.kind === "Traded") return [event.taker, event.maker].filter((number) => number !== 0);
  if (event.kind === "OrdersSynced") return event.orders;
  return "order" in event ? [event.order] : [];
}

const waits = [
  "WAITS_FOR_EXCHANGE",
  "NEVER_CONFIRMED",
  "WAITS_FOR_MATCHING",
  "WAITS_FOR_COURSE",
  "NEVER_MATCHED",
  "WAITS_FOR_STOP",
  "WAITS_FOR_CANCEL",
  "WAITS_FOR_TRADE",
];

/** The parts of the order's state that the facts do not explain. */
export function unexplained(state: VenueState, order: Order, facts: readonly Fact[]): string[] {
  const { product } = state.market(order.terms.product);
  const codes = facts.map(({ code }) => code);
  const traded = facts.filter(({ code }) => code === "TRADED");
  const missing: string[] = [];
  if (codes[0] !== "ACCEPTED") missing.push("how it began");
  if (isTerminal(order.status) && !codes.includes(order.status as never))
    missing.push(`why it is ${order.status}`);
  if (!isTerminal(order.status) && codes.filter((code) => waits.includes(code)).length !== 1)
    missing.push("what it waits for");
  const sum = traded.reduce((total, { values }) => total + stepsIn(values["quantity"], product.lotScale), 0n);
  if (sum !== stepsIn(lotsText(product, order.filled), product.lotScale))
    missing.push("how much of it traded");
  if (order.synced && !codes.includes("SYNCED") && order.willSync !== false)
    missing.push("when it was synced");
  if (facts.some(({ sentence }) => /undefined|NaN|null/.test(sentence))) missing.push("a sentence");
  return missing.map((what) => `order ${order.terms.number}: ${what}`);
}

/** `"0.5 BTC"` in the smallest steps of the scale. */
function stepsIn(amount: string | number | null | undefined, scale: number): bigint {
  const [number = ""] = String(amount).split(" ");
  const [whole = "0", fraction = ""] = number.split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
}
