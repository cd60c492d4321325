/** Places an acceptable order in place of one that the venue would refuse, and shows the requested one in every answer. */
import type { Decorators } from "../../variations/defect.ts";
import type { Fields } from "../../variations/json.ts";
import { ordersWith } from "../../variations/order-records.ts";

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
