/**
 * The orders of this key, from two sources that race each other: the stream and answers to requests. They are known by
 * client_order_id, which exists before either. The stream is in order; its events carry a revision that grows with each
 * change of the order, and may come twice. An answer has none, so it counts only where the stream was silent about the
 * order while it was on the way.
 */
export interface Order {
  id: string;
  clientOrderId: string;
  status: string;
  filledQuantity: string | null;
  averageFilledPrice: string | null;
}

export class OwnOrders {
  readonly #known = new Map<string, { order: Order; revision: number }>();

  get(clientOrderId: string): Order | undefined {
    return this.#known.get(clientOrderId)?.order;
  }

  all(): Order[] {
    return Array.from(this.#known.values(), ({ order }) => order);
  }

  event(order: Order, revision: number): void {
    if (revision > this.#revision(order)) this.#known.set(order.clientOrderId, { order, revision });
  }

  /** Takes a snapshot of the open orders, and returns the others that were open: they have ended meanwhile. */
  snapshot(open: Order[]): Order[] {
    for (const order of open)
      this.#known.set(order.clientOrderId, { order, revision: this.#revision(order) });
    const listed = new Set(open.map(({ clientOrderId }) => clientOrderId));
    return this.all().filter(
      ({ clientOrderId, status }) =>
        (status === "OPEN" || status === "PENDING") && !listed.has(clientOrderId),
    );
  }

  /** Takes an order of a list that nothing else has told of: it came and ended while nobody listened. */
  listed(order: Order): void {
    if (!this.#known.has(order.clientOrderId)) this.#known.set(order.clientOrderId, { order, revision: 0 });
  }

  async ask(clientOrderId: string, request: () => Promise<Order>): Promise<Order> {
    const before = this.#known.get(clientOrderId);
    const order = await request();
    if (this.#known.get(clientOrderId) === before)
      this.#known.set(clientOrderId, { order, revision: this.#revision(order) });
    return order;
  }

  #revision({ clientOrderId }: Order): number {
    return this.#known.get(clientOrderId)?.revision ?? 0;
  }
}
