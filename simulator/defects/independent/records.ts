/** Bugs in single fields of an order that show for some orders only. */
import { hash } from "node:crypto";
import { bug, type Defect } from "../../variations/defect.ts";
import { type Fields, mapBody } from "../../variations/json.ts";
import { ordersWith } from "../../variations/order-records.ts";

const isStop = (order: Fields): boolean => order["type"] === "STOP_LIMIT";
const isSell = (order: Fields): boolean => order["side"] === "SELL";

const zoneMs = 19_800_000;
const localTime = (utc: unknown): string => new Date(Date.parse(String(utc)) + zoneMs).toISOString();

const moneyDigits = 8;
const plainSum = (a: unknown, b: unknown): string =>
  (Number(a) + Number(b)).toFixed(moneyDigits).replace(/\.?0+$/, "");

const uuidOf = (text: string): string =>
  hash("sha256", text, "hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

export const records: readonly Defect[] = [
  // Local time with the letter of UTC.
  bug(
    "A-93",
    "createdAt is local time, five and a half hours ahead, labelled as UTC",
    ["ORD-49", "ORD-48"],
    () => ordersWith((order) => ({ ...order, createdAt: localTime(order["createdAt"]) })),
  ),
  // The value of a stop order is worked out with its trigger.
  bug("A-94", "The quoteValue of a STOP_LIMIT is quantity times trigger", ["ORD-47"], () =>
    ordersWith((order) =>
      isStop(order)
        ? {
            ...order,
            quoteValue: plainSum(Number(order["stopPrice"]) * Number(order["baseQuantity"]), 0),
          }
        : order,
    ),
  ),
  // Stop orders wait outside the exchange, and reconciliation passes them by.
  bug("A-95", "A STOP_LIMIT that waits is never synced", ["ORD-51"], () =>
    ordersWith((order) => (isStop(order) ? { ...order, synced: false } : order)),
  ),
  // Fees are added where they should be taken off.
  bug("A-96", "The amount received for a sale has the fees added to it", ["ORD-56"], () =>
    ordersWith((order) =>
      isSell(order) && order["filledQuantity"] !== "0"
        ? { ...order, totalUserRecieveAmount: plainSum(order["filledValue"], order["fees"]) }
        : order,
    ),
  ),
  // Two columns changed places.
  bug("A-97", "Average price and average price net of fees are exchanged", ["ORD-54", "PLC-31"], () =>
    ordersWith((order) => ({
      ...order,
      averageFilledPrice: order["netAverageFilledPrice"],
      netAverageFilledPrice: order["averageFilledPrice"],
    })),
  ),
  // Trigger and limit are mixed up when a stop order sells.
  bug("A-98", "Limit and trigger of a STOP_LIMIT to sell are exchanged", ["ORD-45", "ORD-46"], () =>
    ordersWith((order) =>
      isStop(order) && isSell(order)
        ? { ...order, limitPrice: order["stopPrice"], stopPrice: order["limitPrice"] }
        : order,
    ),
  ),
  // The client that reads an order becomes its owner.
  bug("A-99", "The userId of an order depends on the key that asks", ["ORD-59", "PLC-12"], () => ({
    answer: (answer, asked) => {
      const userId = uuidOf(asked.header("x-api-key") ?? "");
      return answer.status === 200
        ? {
            ...answer,
            body: mapBody(answer.body, (value) => ("userId" in value ? { ...value, userId } : value)),
          }
        : answer;
    },
  })),
];
