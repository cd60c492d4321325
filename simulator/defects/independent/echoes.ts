/** What the venue would not take is placed as something that it takes, and every answer shows what was asked for. */
import type { Decorators } from "../defect.ts";
import type { Fields } from "../json.ts";
import { ordersWith } from "../order-records.ts";

export class Echoes {
  readonly #told = new Map<unknown, Fields>();

  tell(clientOrderId: string, fields: Fields): void {
    this.#told.set(clientOrderId, fields);
  }

  readonly shown: Decorators = ordersWith((order) => ({
    ...order,
    ...this.#told.get(order["clientOrderId"]),
  }));
}
