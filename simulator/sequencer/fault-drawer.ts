/**
 * Draws the faults of a request. Order faults go into the journaled command; wire faults stay with the answer.
 * Chance is a keyed hash of (seed, rule, how many requests matched before), so a run repeats.
 */
import {
  canFollow,
  type Fault,
  type FaultRule,
  isOrderFault,
  isStreamFault,
  type OrderFault,
  type StreamFault,
  type WireFault,
} from "../domain/fault.ts";
import { keyedDraw } from "../domain/keyed-hash.ts";
import type { OrderType } from "../domain/order.ts";

export interface FaultSubject {
  /** Method and template, for example `POST /order`. */
  readonly route: string;
  /** Name of the key that signed. */
  readonly key: string;
  readonly product: string | null;
  readonly clientOrderId: string | null;
  /** Type of the order that is placed. */
  readonly type: OrderType | null;
}

export interface Drawn<F extends Fault> {
  /** Id of the rule. */
  readonly rule: string;
  readonly fault: F;
  /** Of a course that the id of the order asks for and the order cannot follow: its name. It is not counted. */
  readonly unfit?: string;
}

export interface DrawnFaults {
  readonly order: Drawn<OrderFault> | null;
  readonly wire: Drawn<WireFault> | null;
}

export const noFaults: DrawnFaults = { order: null, wire: null };
const placeOrder = "POST /order";
const stream = "WS /ws";

export class FaultDrawer {
  readonly #seed: number;
  readonly #matches: Map<string, number>;
  readonly #applied: Map<string, number>;

  /** `like`: goes on from what that one has counted. */
  constructor(seed: number, like?: FaultDrawer) {
    this.#seed = seed;
    this.#matches = new Map(like === undefined ? [] : like.#matches);
    this.#applied = new Map(like === undefined ? [] : like.#applied);
  }

  /** The first order fault and the first wire fault that apply. */
  draw(rules: readonly FaultRule[], subject: FaultSubject): DrawnFaults {
    if (rules.length === 0) return noFaults;
    let order: Drawn<OrderFault> | null = null;
    let unfit: Drawn<OrderFault> | null = null;
    let wire: Drawn<WireFault> | null = null;
    let isWhole = false;
    for (const rule of rules) {
      const { id, fault } = rule;
      if (isStreamFault(fault) || !matches(rule, subject)) continue;
      // A course that the order cannot follow is left for the next that can. One that asks by its id has to be told.
      if (fault.kind === "course" && subject.type !== null && !canFollow(fault.steps, subject.type)) {
        if (rule.clientOrderIdPrefix !== undefined) unfit ??= { rule: id, fault, unfit: rule.outcome ?? id };
        continue;
      }
      if (!this.#applies(rule)) continue;
      const ofOrder = isOrderFault(fault) ? fault : null;
      const ofWire = isOrderFault(fault) ? (rule.besides ?? null) : fault;
      // A rule behind one that applies is not used up.
      if (isWhole || (ofOrder !== null && order !== null) || (ofWire !== null && wire !== null)) continue;
      this.#use(rule);
      if (ofOrder !== null) order = { rule: id, fault: ofOrder };
      if (ofWire !== null) wire = { rule: id, fault: ofWire };
      isWhole = rule.outcome !== undefined;
    }
    return { order: order ?? unfit, wire };
  }

  /** The first fault of the stream that applies to a message of this product, or of none, to this key. */
  drawStream(rules: readonly FaultRule[], key: string, product: string | null): StreamFault | null {
    const subject = { route: stream, key, product, clientOrderId: null, type: null };
    for (const rule of rules) {
      const { fault } = rule;
      if (!isStreamFault(fault) || !matches(rule, subject) || !this.#applies(rule)) continue;
      this.#use(rule);
      return fault;
    }
    return null;
  }

  /** How many requests or messages a rule has met, and on how many of them its fault was drawn. */
  countsOf(rules: readonly FaultRule[]): { id: string; matched: number; fired: number }[] {
    return rules.map((rule) => ({
      id: rule.id,
      matched: this.#matches.get(rule.id) ?? 0,
      fired: this.#timesUsed(rule),
    }));
  }

  /** New rules start counting anew: all, or those of one id. */
  forget(id?: string): void {
    for (const counted of [this.#matches, this.#applied]) {
      if (id === undefined) counted.clear();
      else counted.delete(id);
    }
  }

  #applies(rule: FaultRule): boolean {
    const seen = (this.#matches.get(rule.id) ?? 0) + 1;
    this.#matches.set(rule.id, seen);
    if (rule.nth !== undefined && seen !== rule.nth) return false;
    if (rule.count !== undefined && this.#timesUsed(rule) >= rule.count) return false;
    return rule.percent === undefined || keyedDraw(this.#seed, "fault", rule.id, seen) % 100 < rule.percent;
  }

  #use(rule: FaultRule): void {
    this.#applied.set(rule.id, this.#timesUsed(rule) + 1);
  }

  #timesUsed({ id }: FaultRule): number {
    return this.#applied.get(id) ?? 0;
  }
}

function matches(rule: FaultRule, subject: FaultSubject): boolean {
  const route = rule.route ?? (isOrderFault(rule.fault) ? placeOrder : null);
  if (route !== null && route !== subject.route) return false;
  if (rule.key !== undefined && rule.key !== subject.key) return false;
  if (rule.product !== undefined && rule.product !== subject.product) return false;
  if (rule.clientOrderIdPrefix === undefined) return true;
  return subject.clientOrderId?.toLowerCase().startsWith(rule.clientOrderIdPrefix.toLowerCase()) === true;
}
