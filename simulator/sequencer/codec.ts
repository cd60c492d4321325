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

/**
 * Nulls at the end are left out: most orders have no stop price, quote value or fault, and an order is written for ever.
 * Every string but the fault is made of characters that JSON writes as they are: ids, symbols, digits.
 */
function encodePlaceOrder(c: PlaceOrder): string {
  const text = (value: string | null): string => (value === null ? "null" : `"${value}"`);
  let tail = c.fault === null ? "" : `,${JSON.stringify(c.fault)}`;
  for (const value of [c.quoteValue, c.stopPrice, c.price, c.baseQuantity]) {
    if (value !== null || tail !== "") tail = `,${text(value)}${tail}`;
  }
  return `[${c.client},"${c.clientOrderId}","${c.product}","${c.side}","${c.type}"${tail}]`;
}

export function decodeCommand(kind: CommandKind, text: string): Command {
  const read: unknown = JSON.parse(text);
  // as: the journal's own hash has vouched for every entry that gets here.
  if (!Array.isArray(read)) return { kind, ...(read as object) } as Command;
  const list: readonly unknown[] = read;
  switch (kind) {
    case "PlaceOrder":
      return decodePlaceOrder(list);
    case "CancelOrder":
      return { kind, client: Number(list[0]), order: Number(list[1]) };
    case "SyncOrders":
      return { kind, orders: list.map(Number) };
    case "MatchOrder":
    case "FinishCancel":
    case "TriggerStop":
    case "ExpireOrder":
      return { kind, order: Number(list[0]) };
    default:
      invariant(false, `${kind} is not written as a list`);
  }
}

function decodePlaceOrder(list: readonly unknown[]): PlaceOrder {
  const text = (at: number): string | null => (list[at] ?? null) as string | null;
  return {
    kind: "PlaceOrder",
    client: Number(list[0]),
    clientOrderId: String(list[1]),
    product: String(list[2]),
    side: list[3] as PlaceOrder["side"],
    type: list[4] as PlaceOrder["type"],
    baseQuantity: text(5),
    price: text(6),
    stopPrice: text(7),
    quoteValue: text(8),
    fault: (list[9] ?? null) as PlaceOrder["fault"],
  };
}
