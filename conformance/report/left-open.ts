import { counted } from "../model/counted.ts";
import type { Report } from "./report.ts";

export interface LeftOpen {
  /** `2 orders rest at the target` */
  readonly what: string;
  /** Each order as its owner can find it: `o1 BTC-USD`. */
  readonly orders: readonly string[];
  readonly advice: string;
}

/** Open orders tie up money and disturb the next run, whatever the verdict. Undefined if there are none. */
export function leftOpen({ leftovers, presence }: Report): LeftOpen | undefined {
  if (leftovers.length === 0) return undefined;
  return {
    what: `${counted(leftovers.length, "order rests", "orders rest")} at the target`,
    orders: leftovers.map(({ id, product }) => `${id === "" ? "without an id" : id} ${product}`),
    advice:
      presence.operations["cancelOrder"] === "present"
        ? "to cancel them: gatewright cleanup, with the same profile"
        : "the profile maps no cancelOrder: cancel them at the target, or map it and run gatewright cleanup",
  };
}
