import type { Value, ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  limitOrder,
  matched,
  mirrored,
  opposite,
  reached,
  room,
  type Side,
  standing,
  untouched,
} from "./own-book.ts";
import { PriceTime } from "./price-time.ts";
import type { Plan } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call } from "./templates.ts";

/**
 * P-49: of two orders the better price trades first, and at one price the one that came first, whatever their sizes, and after a
 * part of it has traded as well. Who comes first is what the model says.
 * Oracle: as long as the first is not filled, the other one is untouched.
 */
const table: Table = {
  id: "P-49",
  title: "The better price trades first, and at one price what came first",
  spec: ["PLC-37", "PLC-38"],
  assumes: ["AS-31"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 16, orders: 4 },
  staging: 2,
  dimensions: {
    decides: ["price", "time"],
    makers: ["SELL", "BUY"],
    taker: ["LIMIT", "MARKET"],
    first: ["came earlier", "came later"],
    size: ["same", "smaller", "larger"],
    before: ["nothing", "a part was taken"],
  },
  strength: 3,
  cannot: ({ decides, first }) =>
    decides === "time" && first === "came later"
      ? "at one price only the earlier order can be first"
      : undefined,
  plan,
};
export const priority = tableProperty(table);

const units: Readonly<Record<string, readonly [first: string, other: string]>> = {
  same: ["2", "2"],
  smaller: ["1", "3"],
  larger: ["3", "1"],
};

function plan({ decides, makers, taker, first, size = "", before }: Tuple): Plan {
  const makerSide = makers as Side;
  const side = opposite(makerSide);
  const [near, far] = decides === "price" ? [mirrored(4, side), mirrored(12, side)] : ["8", "8"];
  const [wanted = "", other = ""] = units[size] ?? [];
  const part = before === "nothing" ? undefined : "1";
  const better = {
    id: "better",
    side: makerSide,
    price: near,
    quantity: part === undefined ? wanted : `${Number(wanted) + 1}`,
  };
  const worse = { id: "worse", side: makerSide, price: far, quantity: other };
  const book = new PriceTime();
  const orders = first === "came earlier" ? [better, worse] : [worse, better];
  for (const order of orders) book.place(order);
  if (part !== undefined) book.place({ id: "part", side, price: near, quantity: part });
  book.place({ id: "take", side, price: far, quantity: wanted });
  const winner = book.fillsOf("take")[0]?.maker === "better" ? "better" : "worse";
  const loser = winner === "better" ? "worse" : "better";
  const clause = decides === "price" ? "PLC-37" : "PLC-38";
  return {
    isolation: "product",
    vars: { ...bookVars([near, far]), unit: "${quantity}", ...amounts(wanted, other, near) },
    steps: [
      room,
      ...orders.map(({ id, price, quantity }) =>
        standing(id, "counterparty", limitOrder(makerSide, price, `\${units${quantity}}`)),
      ),
      ...(part === undefined
        ? []
        : [
            standing("part", "trader", limitOrder(side, near, "${units1}")),
            matched,
            reached("parted", "part", "trader", { order: { status: "FILLED" } }, "the part met nobody"),
          ]),
      standing(
        "take",
        "trader",
        taker === "LIMIT" ? limitOrder(side, far, `\${units${wanted}}`) : marketOrder(side, wanted),
      ),
      matched,
      reached(
        "taken",
        "take",
        "trader",
        { order: { filledQuantity: { $dec: { gt: "0" } } } },
        "the order met nobody",
      ),
      read("first", winner),
      read("other", loser, {
        expect: {
          $switch: "${first.order.status}",
          OPEN: { order: { filledQuantity: { $cite: clause, is: untouched } } },
          PENDING: { order: { filledQuantity: { $cite: clause, is: untouched } } },
        },
      }),
    ],
  };
}

/** A quantity for each number of units that a plan of these sizes may name. */
function amounts(wanted: string, other: string, near: string): ValueMap {
  const counts = new Set(["1", wanted, other, String(Number(wanted) + 1)]);
  return {
    ...Object.fromEntries(
      [...counts].map((count): [string, Value] => [`units${count}`, { $calc: `unit * ${count}` }]),
    ),
    value: { $calc: `round(unit * ${wanted} * price${near}, 2, down)` },
  };
}

const marketOrder = (side: Side, wanted: string): ValueMap =>
  side === "BUY"
    ? { side, type: "MARKET", quote_value: "${value}" }
    : { side, type: "MARKET", base_quantity: `\${units${wanted}}` };

function read(step: string, order: string, judged: ValueMap = {}): ValueMap {
  return call(step, "readOrder", { as: "counterparty", params: { id: `\${${order}Order}` } }, judged);
}
