export interface PlacedOrder {
  readonly id: string;
  readonly role: string;
  readonly product: string;
}

/** Orders the run has placed and not yet seen closed. What is left at the end is listed in the report. */
export class OrderLedger {
  readonly #orders: PlacedOrder[] = [];
  readonly #closed = new Set<string>();

  placed(order: PlacedOrder): void {
    if (!this.#orders.some((known) => known.id === order.id)) this.#orders.push(order);
  }

  closed(id: string): void {
    this.#closed.add(id);
  }

  mark(): number {
    return this.#orders.length;
  }

  /** Still open, newest first. */
  since(mark: number): PlacedOrder[] {
    return this.#orders
      .slice(mark)
      .filter((order) => !this.#closed.has(order.id))
      .reverse();
  }
}
