/** Finds orders anywhere in an answer, and changes them. */
import type { Decorators } from "./defect.ts";
import { type Fields, mapBody } from "./json.ts";

export type OrderRecord = Fields;

const isOrder = (value: Fields): boolean => "clientOrderId" in value && "status" in value;

/** Every order in the body of an answer goes through `change`. */
export const ordersWith = (change: (order: OrderRecord) => unknown): Decorators => ({
  answer: (answer) =>
    answer.body.includes('"clientOrderId"')
      ? { ...answer, body: mapBody(answer.body, (value) => (isOrder(value) ? change(value) : value)) }
      : answer,
});
