/**
 * Stops of one product that wait for the last trade price (F-stop-trigger-source): a BUY triggers when last >= stop, a
 * SELL when last <= stop. A quote that moves through a stop without a trade does not trigger it.
 */
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

  /** Takes out every stop that a trade at `last` triggers, in order of acceptance. */
  takeTriggered(last: Ticks): OrderNumber[] {
    const triggered: OrderNumber[] = [];
    const take = (list: Waiting[], isTriggered: (stop: Ticks) => boolean): void => {
      for (let entry = list.at(-1); entry !== undefined && isTriggered(entry.stop); entry = list.at(-1)) {
        triggered.push(entry.order);
        list.pop();
      }
    };
    take(this.#buys, (stop) => last >= stop);
    take(this.#sells, (stop) => last <= stop);
    return triggered.sort((a, b) => a - b);
  }

  #side(side: Side): Waiting[] {
    return side === "BUY" ? this.#buys : this.#sells;
  }
}
