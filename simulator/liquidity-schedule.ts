/**
 * Schedules the synthetic market on the market clock: the time of the next refresh of each product, and whether it would
 * change anything. Steps are counted from the venue's first moment, so a restart continues where the venue stopped.
 */
import type { Command } from "./domain/command.ts";
import type { LiquidityPlan, World } from "./domain/world.ts";
import type { Market, VenueState } from "./engine/state.ts";
import type { Schedule } from "./sequencer/sequencer.ts";
import { isStill, liquidityAt, stepAt } from "./world/liquidity/liquidity-at.ts";

interface Due {
  readonly plan: LiquidityPlan;
  readonly market: number;
  nextStep: number;
  lastStep: number;
}

export class LiquiditySchedule implements Schedule {
  readonly #world: World;
  readonly #start: number;
  readonly #due: Due[] = [];

  constructor(world: World, state: VenueState, start: number) {
    this.#world = world;
    this.#start = start;
    for (const plan of world.liquidity) {
      const market = state.marketOf(plan.product);
      if (market === null || plan.mode === "empty" || stepAt(plan, 0) === null) continue;
      const last = this.#stepOf(plan, market.refreshedAt);
      const nextStep = last === null ? this.#stepOf(plan, Math.max(state.now, start)) : last + 1;
      this.#due.push({ plan, market: market.product.index, nextStep: nextStep ?? 0, lastStep: last ?? -1 });
    }
  }

  nextAt(): number | null {
    let first: number | null = null;
    for (const { plan, nextStep } of this.#due) {
      const at = this.#start + nextStep * plan.everyMs;
      if (first === null || at < first) first = at;
    }
    return first;
  }

  commandsAt(state: VenueState, at: number): readonly Command[] {
    const commands: Command[] = [];
    for (const due of this.#due) {
      if (this.#start + due.nextStep * due.plan.everyMs > at) continue;
      const step = this.#stepOf(due.plan, at) ?? due.nextStep;
      const market = state.market(due.market);
      if (!unchanged(due.plan, market)) {
        commands.push(...liquidityAt(due.plan, market.product, this.#world.seed, step, due.lastStep));
      }
      due.lastStep = step;
      due.nextStep = step + 1;
    }
    return commands;
  }

  #stepOf(plan: LiquidityPlan, at: number): number | null {
    return Number.isFinite(at) ? stepAt(plan, Math.max(0, at - this.#start)) : null;
  }
}

/** A still market without a trade needs no refresh, and an idle venue writes nothing. */
const unchanged = (plan: LiquidityPlan, market: Market): boolean =>
  isStill(plan) && !market.liquidityTouched && Number.isFinite(market.refreshedAt);
