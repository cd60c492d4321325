import { isOurs, isWithin, type Profile } from "../model/profile.ts";
import type { Probe } from "./probe.ts";
import { probesOfOrders } from "./probes-of-orders.ts";
import { probesOfSignatures } from "./probes-of-signatures.ts";

export const probes: readonly Probe[] = [...probesOfSignatures, ...probesOfOrders];

/** The requests that learn would send, without sending them. */
export interface LearnPlan {
  readonly target: string;
  readonly baseUrl: string;
  readonly rounds: number;
  readonly probes: readonly {
    readonly id: string;
    readonly sends: string;
    readonly requests: number;
    readonly orders: number;
    /** Why it is not run. */
    readonly omitted?: string;
  }[];
  /** The most that all rounds send, without clean-up and repeats after a busy answer. */
  readonly most: { readonly requests: number; readonly orders: number };
  readonly budget: { readonly requests: number; readonly orders: number };
}

const mostRounds = 2;
/** Requests before the first round: one read, the listing, and order books of a few products. */
export const mostBooks = 10;
const before = 7 + mostBooks;

/** Two rounds show a contradiction that one does not; a small budget allows one. */
export function planLearn(profile: Profile): LearnPlan {
  const planned = probes.map((probe) => {
    const { id, sends, requests, orders } = probe;
    const omitted = whyOmitted(probe, profile);
    return { id, sends, requests, orders, ...(omitted === undefined ? {} : { omitted }) };
  });
  const run = planned.filter(({ omitted }) => omitted === undefined);
  const { budget } = profile.safety;
  const most = (rounds: number) => ({
    requests: before + rounds * run.reduce((sum, { requests }) => sum + requests, 0),
    orders: rounds * run.reduce((sum, { orders }) => sum + orders, 0),
  });
  const fits = most(mostRounds).requests <= budget.requests && most(mostRounds).orders <= budget.orders;
  const rounds = fits ? mostRounds : 1;
  const { name, baseUrl } = profile;
  return {
    target: name,
    baseUrl: baseUrl.href,
    rounds,
    probes: planned,
    most: most(rounds),
    budget: { requests: budget.requests, orders: budget.orders },
  };
}

/** An order that could not be cancelled is placed on this machine only. */
export function whyOmitted({ safety }: Probe, profile: Profile): string | undefined {
  const { allow } = profile.safety;
  if (!isWithin(safety, allow)) return `it needs safety.allow: ${safety}, and the profile says ${allow}`;
  const cannotCancel = typeof profile.operations["cancelOrder"] !== "object";
  return safety === "rests" && cannotCancel && !isOurs(profile)
    ? "the profile maps no cancelOrder, so its orders would stay open"
    : undefined;
}
