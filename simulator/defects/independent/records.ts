/** Bugs in single fields of an order that show for some orders only. */
import { hash } from "node:crypto";
import { type Defect, defect } from "../defect.ts";
import { type Fields, mapBody } from "../json.ts";
import { ordersWith } from "../order-records.ts";

const isStop = (order: Fields): boolean => order["type"] === "STOP_LIMIT";
const isSell = (order: Fields): boolean => order["side"] === "SELL";

const ZONE_MS = 19_800_000;
const localTime = (utc: unknown): string => new Date(Date.parse(String(utc)) + ZONE_MS).toISOString();

const MONEY_DIGITS = 8;
const plainSum = (a: unknown, b: unknown): string =>
  (Number(a) + Number(b)).toFixed(MONEY_DIGITS).replace(/\.?0+$/, "");

const uuidOf = (text: string): string =>
  hash("sha256", text, "hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

export const RECORDS: readonly Defect[] = [
  // Local time with the letter of UTC.
  defect("A-93", () => ordersWith((order) => ({ ...order, createdAt: localTime(order["createdAt"]) }))),
  // The value of a stop order is worked out with its trigger.
  defect("A-94", () =>
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
  defect("A-95", () => ordersWith((order) => (isStop(order) ? { ...order, synced: false } : order))),
  // Fees are added where they should be taken off.
  defect("A-96", () =>
    ordersWith((order) =>
      isSell(order) && order["filledQuantity"] !== "0"
        ? { ...order, totalUserRecieveAmount: plainSum(order["filledValue"], order["fees"]) }
        : order,
    ),
  ),
  // Two columns changed places.
  defect("A-97", () =>
    ordersWith((order) => ({
      ...order,
      averageFilledPrice: order["netAverageFilledPrice"],
      netAverageFilledPrice: order["averageFilledPrice"],
    })),
  ),
  // Trigger and limit are mixed up when a stop order sells.
  defect("A-98", () =>
    ordersWith((order) =>
      isStop(order) && isSell(order)
        ? { ...order, limitPrice: order["stopPrice"], stopPrice: order["limitPrice"] }
        : order,
    ),
  ),
  // The owner of an order is whoever looks at it.
  defect("A-99", () => ({
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
