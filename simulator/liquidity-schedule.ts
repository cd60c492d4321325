/**
 * Schedules the synthetic market on the market clock: when each product acts next, and what it does then. Steps and times are
 * counted from the venue's first moment, so a restart continues where the venue stopped.
 */
import type { Command } from "./domain/command.ts";
import type { LiquidityPlan, World } from "./domain/world.ts";
import type { Market, VenueState } from "./engine/state.ts";
import type { Schedule } from "./sequencer/sequencer.ts";
import { isStill, liquidityAt, stepAt } from "./world/liquidity/liquidity-at.ts";
import { levelsAfter, priceAfter, printsBetween, tradesUntil } from "./world/liquidity/replay.ts";

/** Of one product; the times are those of the market clock. */
interface ProductSchedule {
  /** Infinity: never. */
  nextAt(state: VenueState): number;
  commandsAt(state: VenueState, at: number): readonly Command[];
}

export class LiquiditySchedule implements Schedule {
  readonly #products: readonly ProductSchedule[];
  readonly #mostEntries: number;

  /** It ends when the journal has `mostEntries`. */
  constructor(world: World, state: VenueState, start: number, mostEntries = Infinity) {
    this.#mostEntries = mostEntries;
    this.#products = world.liquidity.flatMap((plan) => {
      const market = state.marketOf(plan.product);
      if (market === null || plan.mode === "empty" || stepAt(plan, 0) === null) return [];
      return plan.mode === "trades"
        ? new RecordedMarket(plan, market.product.index, state, start)
        : new SteppedMarket(plan, world.seed, market, state, start);
    });
  }

  nextAt(state: VenueState): number | null {
    if (state.seq >= this.#mostEntries) return null;
    let first = Infinity;
    for (const product of this.#products) first = Math.min(first, product.nextAt(state));
    return first === Infinity ? null : first;
  }

  commandsAt(state: VenueState, at: number): readonly Command[] {
    return this.#products.flatMap((product) =>
      product.nextAt(state) > at ? [] : product.commandsAt(state, at),
    );
  }
}

/** Lays its levels anew at each step. */
class SteppedMarket implements ProductSchedule {
  readonly #plan: LiquidityPlan;
  readonly #seed: number;
  readonly #market: number;
  readonly #start: number;
  #nextStep: number;

  constructor(plan: LiquidityPlan, seed: number, market: Market, state: VenueState, start: number) {
    this.#plan = plan;
    this.#seed = seed;
    this.#market = market.product.index;
    this.#start = start;
    const { refreshedAt } = market;
    this.#nextStep = Number.isFinite(refreshedAt)
      ? this.#stepOf(refreshedAt) + 1
      : this.#stepOf(Math.max(state.now, start));
  }

  nextAt(): number {
    return this.#start + this.#nextStep * this.#plan.everyMs;
  }

  commandsAt(state: VenueState, at: number): readonly Command[] {
    const step = this.#stepOf(at);
    const market = state.market(this.#market);
    this.#nextStep = step + 1;
    // A still market without a trade needs no refresh, and an idle venue writes nothing.
    if (isStill(this.#plan) && !market.liquidityTouched && Number.isFinite(market.refreshedAt)) return [];
    return liquidityAt(this.#plan, market.product, this.#seed, step);
  }

  #stepOf(at: number): number {
    return stepAt(this.#plan, Math.max(0, at - this.#start)) ?? 0;
  }
}

/**
 * Prints each trade at its own time. The levels follow the last price from one step to the next, when it has moved or when a
 * client has taken of them: moments without either write nothing.
 */
class RecordedMarket implements ProductSchedule {
  readonly #plan: LiquidityPlan;
  readonly #market: number;
  readonly #start: number;
  #printed: number;

  /** The market acts before anything else at a time: an entry of that time is behind its trades. */
  constructor(plan: LiquidityPlan, market: number, state: VenueState, start: number) {
    this.#plan = plan;
    this.#market = market;
    this.#start = start;
    this.#printed = state.seq === 0 ? 0 : tradesUntil(plan, state.now - start);
  }

  nextAt(state: VenueState): number {
    const trade = this.#plan.trades[this.#printed];
    return Math.min(this.#start + (trade?.afterMs ?? Infinity), this.#levelsAt(state, this.#printed));
  }

  commandsAt(state: VenueState, at: number): readonly Command[] {
    const from = this.#printed;
    this.#printed = tradesUntil(this.#plan, at - this.#start);
    const prints = printsBetween(this.#plan, from, this.#printed);
    if (this.#levelsAt(state, this.#printed) > at) return prints;
    return [levelsAfter(this.#plan, state.market(this.#market).product, this.#printed), ...prints];
  }

  /** When the levels are laid anew: after each of these numbers of trades. */
  #levelsAt(state: VenueState, printed: number): number {
    const { refreshedAt, liquidityTouched } = state.market(this.#market);
    if (!Number.isFinite(refreshedAt)) return this.#start;
    const elapsed = Math.max(0, refreshedAt - this.#start);
    const laidAfter = tradesUntil(this.#plan, elapsed);
    const moved = priceAfter(this.#plan, laidAfter) !== priceAfter(this.#plan, printed);
    if (!moved && !liquidityTouched) return Infinity;
    return this.#start + ((stepAt(this.#plan, elapsed) ?? 0) + 1) * this.#plan.everyMs;
  }
}
