/** Orders each of whose events the stream sends twice (fault `doubleEvents`). A start forgets them. */
import type { OrderNumber } from "../domain/order.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";

export class DoubledOrders {
  readonly #numbers = new Set<OrderNumber>();

  note({ seq, command }: CommittedEntry): void {
    if (command.kind === "PlaceOrder" && command.fault?.kind === "doubleEvents") this.#numbers.add(seq);
  }

  has(order: OrderNumber | undefined): boolean {
    return order !== undefined && this.#numbers.has(order);
  }
}
