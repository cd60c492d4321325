/**
 * Commands as journal text and back. The frequent ones are positional arrays, so that an order costs about 85 bytes;
 * the others are objects that a person reads without a legend. The layout of a kind never changes; a new meaning gets a
 * new kind.
 */
import type { Command, CommandKind, PlaceOrder } from "../domain/command.ts";
import { invariant } from "../domain/invariant.ts";

export function encodeCommand(command: Command): string {
  switch (command.kind) {
    case "PlaceOrder":
      return encodePlaceOrder(command);
    case "CancelOrder":
      return `[${command.client},${command.order}]`;
    case "MatchOrder":
    case "FinishCancel":
    case "TriggerStop":
    case "ExpireOrder":
      return `[${command.order}]`;
    case "SyncOrders":
      return `[${command.orders.join(",")}]`;
    default: {
      const { kind: _, ...rest } = command;
      return JSON.stringify(rest);
    }
  }
}

/** Every string but the fault is made of characters that JSON writes as they are: ids, symbols, digits. */
function encodePlaceOrder(c: PlaceOrder): string {
  const text = (value: string | null): string => (value === null ? "null" : `"${value}"`);
  const fault = c.fault === null ? "null" : JSON.stringify(c.fault);
  return (
    `[${c.client},"${c.clientOrderId}","${c.product}","${c.side}","${c.type}",` +
    `${text(c.baseQuantity)},${text(c.price)},${text(c.stopPrice)},${text(c.quoteValue)},${fault}]`
  );
}

export function decodeCommand(kind: CommandKind, text: string): Command {
  const read: unknown = JSON.parse(text);
  if (!Array.isArray(read)) return { kind, ...(read as object) } as Command;
  switch (kind) {
    case "PlaceOrder": {
      const [client, clientOrderId, product, side, type, baseQuantity, price, stopPrice, quoteValue, fault] = read;
      return { kind, client, clientOrderId, product, side, type, baseQuantity, price, stopPrice, quoteValue, fault };
    }
    case "CancelOrder":
      return { kind, client: read[0], order: read[1] };
    case "SyncOrders":
      return { kind, orders: read };
    case "MatchOrder":
    case "FinishCancel":
    case "TriggerStop":
    case "ExpireOrder":
      return { kind, order: read[0] };
    default:
      invariant(false, `${kind} is not written as a list`);
  }
}
