/** The stops of one product that wait for their price, in the order in which they are reached. What they do: stops.ts. */
import type { Ticks } from "../domain/amount.ts";
import type { OrderNumber, Side } from "../domain/order.ts";

interface Waiting {
  readonly stop: Ticks;
  readonly order: OrderNumber;
}

export class StopBook {
  /** Soonest to trigger last, so that taking them is a pop. */
  readonly #buys: Waiting[] = [];
  readonly #sells: Waiting[] = [];

  add(side: Side, stop: Ticks, order: OrderNumber): void {
    const list = this.#side(side);
    const later = (entry: Waiting): boolean => (side === "BUY" ? entry.stop > stop : entry.stop < stop);
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = list[middle];
      if (entry !== undefined && later(entry)) low = middle + 1;
      else high = middle;
    }
    list.splice(low, 0, { stop, order });
  }

  remove(side: Side, order: OrderNumber): void {
    const list = this.#side(side);
    const at = list.findIndex((entry) => entry.order === order);
    if (at >= 0) list.splice(at, 1);
  }

  /** Takes out every stop that is reached, in order of acceptance. */
  takeReached(isReached: (side: Side, stop: Ticks) => boolean): OrderNumber[] {
    const reached: OrderNumber[] = [];
    for (const side of ["BUY", "SELL"] as const) {
      const list = this.#side(side);
      for (let next = list.at(-1); next !== undefined && isReached(side, next.stop); next = list.at(-1)) {
        reached.push(next.order);
        list.pop();
      }
    }
    return reached.sort((a, b) => a - b);
  }

  #side(side: Side): Waiting[] {
    return side === "BUY" ? this.#buys : this.#sells;
  }
}
