/** Counts the cases that a random stream exercised, so that a test that has become trivial fails. */
import type { Command } from "../../domain/command.ts";
import type { Outcome } from "../decision.ts";
import type { VenueState } from "../state.ts";
import type { Entry } from "./drive.ts";

export type Coverage = Map<string, number>;

const count = (coverage: Coverage, what: string): void => {
  coverage.set(what, (coverage.get(what) ?? 0) + 1);
};

export const countCommand = (coverage: Coverage, command: Command): void =>
  count(coverage, `command ${command.kind}`);

export function countOutcome(coverage: Coverage, outcome: Outcome): void {
  if (outcome.kind !== "rejected") return count(coverage, outcome.kind);
  const { rejection } = outcome;
  count(coverage, rejection.code === "EXCHANGE_REJECTED" ? rejection.reason : rejection.code);
}

export function countEntries(coverage: Coverage, state: VenueState, entries: readonly Entry[]): void {
  let stops = 0;
  for (const { events } of entries) {
    for (const event of events) {
      switch (event.kind) {
        case "Traded":
          count(coverage, "fill");
          if (event.taker === 0) count(coverage, "fill by a new synthetic level");
          if (event.maker === 0) count(coverage, "fill against a synthetic level");
          countCharges(coverage, state, event);
          break;
        case "StopTriggered":
          count(coverage, "stop triggered");
          if (++stops === 3) count(coverage, "cascade of three stops in one command");
          break;
        case "OrderReduced":
          count(coverage, "self-trade decrement");
          break;
        case "OrderClosed":
          countClosing(coverage, state, event.order);
          break;
        default:
          break;
      }
    }
  }
}

function countCharges(
  coverage: Coverage,
  state: VenueState,
  event: Extract<Entry["events"][number], { kind: "Traded" }>,
): void {
  const { maker, taker, makerCharge } = event;
  if (maker === 0 || taker === 0) return;
  const order = state.order(maker);
  if (order.terms.client === state.order(taker).terms.client)
    count(coverage, "fill between orders of one client");
  if (makerCharge.commission < 0n) count(coverage, "rebate to a maker");
}

function countClosing(coverage: Coverage, state: VenueState, number: number): void {
  const order = state.order(number);
  const { side, type } = order.terms;
  const fills = order.filled > 0 ? "with fills" : "without fills";
  count(coverage, `${order.status} ${fills}`);
  if (type === "MARKET") count(coverage, `MARKET ${side} ${order.status} ${fills}`);
  if (order.reason === "Self-trade prevention") count(coverage, "closed by self-trade prevention");
  if (order.reason?.startsWith("The largest order size") === true)
    count(coverage, "MARKET BUY at its largest size");
  if (side === "SELL" && order.filled > 0 && order.commission + order.exchangeFee === order.filledValue) {
    count(coverage, "SELL whose fees are capped");
  }
}
