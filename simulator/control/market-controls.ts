/** Levers of the market: products, the synthetic market, printed trades, expiry. */
import type { SyntheticLevel } from "../domain/command.ts";
import { refuseProblems } from "../http/route.ts";
import { type ControlRoute, controlReply, notFound } from "./control-route.ts";

const onProduct = (
  path: string,
  field: string,
  kind: "SetHalted" | "SetApiEnabled",
  summary: string,
): ControlRoute => ({
  method: "POST",
  path,
  summary,
  fields: { [field]: { kind: "boolean" } },
  example: { [field]: true },
  run: async ({ venue }, params, values) => {
    const product = params["product"] ?? "";
    const on = values[field] === true;
    const command = kind === "SetHalted" ? { kind, product, halted: on } : { kind, product, enabled: on };
    return controlReply(await venue.submit(command), { product, [field]: on });
  },
});

/** Levels of one book. The body has room for them (mount.ts). */
export const MOST_LEVELS = 1000;

function readLevels(value: unknown): readonly SyntheticLevel[] | null {
  if (!Array.isArray(value) || value.length > MOST_LEVELS) return null;
  const levels: SyntheticLevel[] = [];
  for (const item of value as readonly unknown[]) {
    const { side, price, quantity } = (item ?? {}) as Readonly<Record<string, unknown>>;
    if ((side !== "BUY" && side !== "SELL") || typeof price !== "string" || typeof quantity !== "string")
      return null;
    levels.push({ side, price, quantity });
  }
  return levels;
}

export const MARKET_CONTROLS: readonly ControlRoute[] = [
  onProduct(
    "/products/{product}/halted",
    "halted",
    "SetHalted",
    "Halt or resume trading of a product; cancelling stays possible.",
  ),
  onProduct(
    "/products/{product}/enabled",
    "enabled",
    "SetApiEnabled",
    "Enable or disable a product for all clients.",
  ),
  {
    method: "POST",
    path: "/products/{product}/book",
    summary:
      "Replace the synthetic market's liquidity, at most 1000 levels. New levels trade with clients' orders that they cross.",
    fields: { levels: { kind: "value" } },
    example: { levels: [{ side: "SELL", price: "60010", quantity: "0.5" }] },
    run: async ({ venue }, params, values) => {
      const levels = readLevels(values["levels"]);
      if (levels === null) {
        const issue = `must be a list of at most ${MOST_LEVELS} levels like {"side":"BUY","price":"59990","quantity":"0.5"}`;
        return refuseProblems("VALIDATION_FAILED", [{ field: "levels", issue }]);
      }
      const product = params["product"] ?? "";
      return controlReply(await venue.submit({ kind: "RefreshLiquidity", product, levels }), {
        product,
        levels: levels.length,
      });
    },
  },
  {
    method: "POST",
    path: "/products/{product}/trades",
    summary:
      "Print a trade of the synthetic market: moves the last price, the candles and the stops, and no money.",
    fields: { price: { kind: "decimal" }, quantity: { kind: "decimal" } },
    example: { price: "58000", quantity: "0.1" },
    run: async ({ venue }, params, values) => {
      const product = params["product"] ?? "";
      const print = { product, price: String(values["price"]), quantity: String(values["quantity"]) };
      return controlReply(await venue.submit({ kind: "PrintTrade", ...print }), print);
    },
  },
  {
    method: "POST",
    path: "/orders/{id}/expire",
    summary: "Expire an open order.",
    run: async ({ venue, ids }, params) => {
      const order = ids.order.numberOf(params["id"] ?? "");
      if (order === null) return notFound("order", params["id"] ?? "", ["every order that GET /order lists"]);
      return controlReply(await venue.submit({ kind: "ExpireOrder", order }), {
        id: params["id"],
        status: "EXPIRED",
      });
    },
  },
];
