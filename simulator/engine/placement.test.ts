/** The checks of a new order, and their order (F-check-order). */
import { describe, expect, test } from "vitest";
import type { Command, PlaceOrder } from "../domain/command.ts";
import { documentedOrderChecks } from "./place-order.ts";
import { plain, plainWith, Table } from "./testing/table.ts";
import type { VenueSpec } from "./testing/venue-spec.ts";

const limitedVenue: VenueSpec = {
  assets: [{ symbol: "COIN" }, { symbol: "USD" }],
  products: [
    {
      id: "COIN-USD",
      priceIncrement: "0.05",
      baseIncrement: "0.1",
      reference: "100",
      exchangeMinSize: "0.3",
      exchangeMaxSize: "900",
      exchangeQuoteMinSize: "10",
      exchangeQuoteMaxSize: "50000",
      minOrderSize: "0.5",
      maxOrderSize: "800",
    },
  ],
  clients: [{ name: "ann", rates: { maker: "0", taker: "0" }, balances: { USD: "40000", COIN: "1000" } }],
  settings: { matchDelayMs: 0 },
};

const limited = (rules: Partial<Extract<Command, { kind: "SetClientRules" }>> = {}): Table => {
  const table = new Table(limitedVenue);
  const none = { minOrderSize: null, maxOrderSize: null, minQuoteValue: null, maxQuoteValue: null };
  table.do({ kind: "SetClientRules", client: 0, product: "COIN-USD", enabled: true, ...none, ...rules });
  return table;
};

const refusal = (table: Table, line: string, change: Partial<PlaceOrder> = {}): string => {
  const outcome = table.do(table.command("ann", line, change));
  if (outcome.kind !== "rejected") return outcome.kind;
  const { rejection } = outcome;
  return rejection.code === "EXCHANGE_REJECTED" ? rejection.reason : rejection.code;
};

describe("size limits", () => {
  test.each([
    { line: "BUY LIMIT 0.5 @ 100", result: "accepted" },
    { line: "BUY LIMIT 0.4 @ 100", result: "ORDER_SIZE_BELOW_MINIMUM" },
    { line: "SELL LIMIT 800 @ 50", result: "accepted" },
    { line: "SELL LIMIT 800.1 @ 50", result: "ORDER_SIZE_ABOVE_MAXIMUM" },
    { line: "BUY LIMIT 0.5 @ 20", result: "accepted" },
    { line: "BUY LIMIT 0.5 @ 19.95", result: "QUOTE_SIZE_OUT_OF_RANGE" },
    { line: "SELL LIMIT 500 @ 100", result: "accepted" },
    { line: "SELL LIMIT 500.1 @ 100", result: "QUOTE_SIZE_OUT_OF_RANGE" },
    { line: "BUY MARKET for 10", result: "accepted" },
    { line: "BUY MARKET for 9.99999999", result: "ORDER_SIZE_BELOW_MINIMUM" },
    { line: "BUY MARKET for 40000", result: "accepted" },
    { line: "BUY MARKET for 50000", result: "INSUFFICIENT_FUNDS" },
    { line: "BUY MARKET for 50000.00000001", result: "ORDER_SIZE_ABOVE_MAXIMUM" },
  ])("are inclusive: $line is $result", ({ line, result }) => expect(refusal(limited(), line)).toBe(result));

  test.each([
    { line: "BUY LIMIT 0.3 @ 100", change: {}, source: "PRODUCT", limit: "0.5" },
    { line: "BUY LIMIT 0.5 @ 100", change: { minOrderSize: "0.7" }, source: "CLIENT", limit: "0.7" },
    { line: "BUY LIMIT 0.4 @ 100", change: { minOrderSize: "0.1" }, source: "PRODUCT", limit: "0.5" },
    { line: "BUY LIMIT 0.4 @ 100", change: { minOrderSize: "0.5" }, source: "CLIENT", limit: "0.5" },
    { line: "BUY LIMIT 5 @ 100", change: { maxOrderSize: "4.9" }, source: "CLIENT", limit: "4.9" },
    { line: "BUY LIMIT 850 @ 10", change: { maxOrderSize: "880" }, source: "PRODUCT", limit: "800" },
    { line: "BUY MARKET for 11", change: { minQuoteValue: "12" }, source: "CLIENT", limit: "12" },
    { line: "BUY MARKET for 9", change: { minQuoteValue: "1" }, source: "EXCHANGE", limit: "10" },
    { line: "BUY MARKET for 13", change: { maxQuoteValue: "12.5" }, source: "CLIENT", limit: "12.5" },
  ])("intersect: $line is stopped by $source at $limit", ({ line, change, source, limit }) => {
    const rejection = limited(change).refused("ann", line);
    expect(rejection).toMatchObject({ source, limit });
    expect(rejection.message).toContain(limit);
  });
});

describe("increments", () => {
  test.each([
    { line: "BUY LIMIT 0.7 @ 100.15", result: "accepted" },
    { line: "BUY LIMIT 0.70000 @ 100.1500", result: "accepted" },
    { line: "BUY LIMIT 0.75 @ 100.15", result: "INVALID_SIZE_INCREMENT" },
    { line: "BUY LIMIT 0.7 @ 100.11", result: "INVALID_PRICE_INCREMENT" },
    { line: "BUY LIMIT 0.7 @ 100.005", result: "INVALID_PRICE_INCREMENT" },
    { line: "BUY STOP_LIMIT 0.7 @ 110 stop 105.01", result: "INVALID_PRICE_INCREMENT" },
    { line: "SELL MARKET 0.55", result: "INVALID_SIZE_INCREMENT" },
    { line: "BUY MARKET for 10.000000001", result: "INVALID_SIZE_INCREMENT" },
  ])("$line is $result", ({ line, result }) => expect(refusal(limited(), line)).toBe(result));

  test("0.3 is a multiple of 0.1, which binary floats deny", () => {
    const spec = {
      ...limitedVenue,
      products: [{ id: "COIN-USD", priceIncrement: "0.1", baseIncrement: "0.1", reference: "1" }],
    };
    for (const [size, price] of [
      ["0.3", "0.3"],
      ["0.7", "1.1"],
      ["4.35", "0.1"],
      ["2.3", "1.15"],
    ] as const) {
      const isMultiple = size !== "4.35" && price !== "1.15";
      expect(refusal(new Table(spec), `BUY LIMIT ${size} @ ${price}`) === "accepted").toBe(isMultiple);
    }
  });
});

describe("the order of the checks", () => {
  const defectOf: Readonly<
    Record<
      (typeof documentedOrderChecks)[number],
      { readonly result: string; readonly break: (order: PlaceOrder, table: Table) => PlaceOrder }
    >
  > = {
    "duplicate client_order_id": {
      result: "replayed",
      break: (order, table) => {
        const first = table.command("ann", "SELL LIMIT 1 @ 500");
        table.do(first);
        return { ...order, clientOrderId: first.clientOrderId };
      },
    },
    "product known": { result: "PRODUCT_NOT_FOUND", break: (order) => ({ ...order, product: "NO-USD" }) },
    "product enabled": {
      result: "PRODUCT_NOT_ENABLED",
      break: (order, table) => {
        table.do({ kind: "SetApiEnabled", product: "COIN-USD", enabled: false });
        return order;
      },
    },
    "client and product size limits": {
      result: "ORDER_SIZE_ABOVE_MAXIMUM",
      break: (order) => ({ ...order, baseQuantity: `8${order.baseQuantity ?? ""}` }),
    },
    "trading halted": {
      result: "TRADING_HALTED",
      break: (order, table) => {
        table.do({ kind: "SetHalted", product: "COIN-USD", halted: true });
        return order;
      },
    },
    "size increment": {
      result: "INVALID_SIZE_INCREMENT",
      break: (order) => ({ ...order, baseQuantity: `${order.baseQuantity ?? ""}3` }),
    },
    "price increment": {
      result: "INVALID_PRICE_INCREMENT",
      break: (order) => ({ ...order, price: `${order.price ?? ""}3` }),
    },
    "quote size": {
      result: "QUOTE_SIZE_OUT_OF_RANGE",
      break: (order) => ({ ...order, price: `9${order.price ?? ""}` }),
    },
    "stop price already passed": {
      result: "STOP_PRICE_WOULD_TRIGGER",
      break: (order) => ({ ...order, stopPrice: "100" }),
    },
    "open order limit": {
      result: "TOO_MANY_OPEN_ORDERS",
      break: (order, table) => {
        table.do({ kind: "ChangeSettings", settings: { maxOpenOrders: 0 } });
        return order;
      },
    },
    funds: {
      result: "INSUFFICIENT_FUNDS",
      break: (order, table) => {
        table.do({ kind: "AdjustBalance", client: 0, asset: "USD", amount: "40000", direction: "debit" });
        return order;
      },
    },
  };

  test("is the published one: each defect hides all later ones", () => {
    for (const [first, name] of documentedOrderChecks.entries()) {
      const table = limited();
      let order = table.command("ann", "BUY STOP_LIMIT 100.0 @ 300.00 stop 105");
      // From the last to the first, so that the duplicate is placed while the venue still takes orders.
      const defects = documentedOrderChecks
        .slice(first)
        .sort((a) => (a === "duplicate client_order_id" ? -1 : 0));
      for (const defect of defects) order = defectOf[defect].break(order, table);
      const outcome = table.do(order);
      const found =
        outcome.kind === "rejected"
          ? refusal(table, "BUY STOP_LIMIT 100.0 @ 300.00 stop 105", order)
          : outcome.kind;
      expect(`${name}: ${found}`).toBe(`${name}: ${defectOf[name].result}`);
    }
  });

  test.each([
    { switchOff: { kind: "SetTradingEnabled", client: 0, enabled: false } },
    { switchOff: { kind: "SetApiEnabled", product: "COIN-USD", enabled: false } },
    {
      switchOff: {
        kind: "SetClientRules",
        client: 0,
        product: "COIN-USD",
        enabled: false,
        minOrderSize: null,
        maxOrderSize: null,
        minQuoteValue: null,
        maxQuoteValue: null,
      },
    },
  ] satisfies readonly { switchOff: Command }[])(
    "$switchOff.kind disables ordering and leaves cancelling alone",
    ({ switchOff }) => {
      const table = limited();
      const order = table.place("ann", "BUY LIMIT 1 @ 50");
      table.do(switchOff);
      expect(refusal(table, "BUY LIMIT 1 @ 50")).toBe("PRODUCT_NOT_ENABLED");
      expect(table.cancel("ann", order)).toMatchObject({ kind: "done" });
    },
  );

  test("a halt refuses new orders, keeps the old ones, and lets them be cancelled", () => {
    const table = limited();
    const order = table.place("ann", "BUY LIMIT 1 @ 50");
    table.do({ kind: "SetHalted", product: "COIN-USD", halted: true });
    expect(refusal(table, "BUY LIMIT 1 @ 50")).toBe("TRADING_HALTED");
    expect(table.cancel("ann", order)).toMatchObject({ kind: "done" });
    table.do({ kind: "SetHalted", product: "COIN-USD", halted: false });
    expect(refusal(table, "BUY LIMIT 1 @ 50")).toBe("accepted");
  });
});

describe("a refusal", () => {
  test("leaves no trace: no number, no hold, no event, and the id is free", () => {
    const table = limited();
    const before = table.stateHash();
    const command = table.command("ann", "BUY LIMIT 1000000 @ 100");
    expect(table.do(command).kind).toBe("rejected");
    expect(table.stateHash()).toBe(before);
    expect(table.do({ ...command, baseQuantity: "1" }).kind).toBe("accepted");
  });

  test("counts the holds of other open orders", () => {
    const table = limited();
    table.place("ann", "BUY LIMIT 399.9 @ 100");
    expect(refusal(table, "BUY LIMIT 0.5 @ 100")).toBe("INSUFFICIENT_FUNDS");
    expect(table.refused("ann", "BUY LIMIT 0.5 @ 100").message).toBe(
      "Insufficient funds: the order needs 50 USD and 10 is available",
    );
    expect(refusal(table, "BUY MARKET for 10")).toBe("accepted");
  });
});

describe("a repeated client_order_id", () => {
  test("is answered with the first order after any changes", () => {
    const table = new Table(plainWith({}));
    const command = table.command("ann", "BUY LIMIT 2 @ 90", {
      clientOrderId: "abcdefab-0000-4000-8000-00000000abcd",
    });
    const outcome = table.do(command);
    const number = outcome.kind === "accepted" ? outcome.order.terms.number : 0;
    const replay = (change: Partial<PlaceOrder> = {}): unknown => table.do({ ...command, ...change });
    const same = { kind: "replayed", order: number, differs: [] };
    expect(replay()).toEqual(same);
    expect(replay({ clientOrderId: command.clientOrderId.toUpperCase() })).toEqual(same);
    expect(replay({ price: "90.0", baseQuantity: "2.000" })).toEqual(same);
    expect(replay({ price: "91", side: "SELL" })).toEqual({ ...same, differs: ["side", "price"] });
    expect(replay({ product: "NO-USD", type: "MARKET", price: null })).toMatchObject({
      kind: "replayed",
      order: number,
    });
    table.cancel("ann", number);
    table.do({ kind: "SetHalted", product: "COIN-USD", halted: true });
    table.do({ kind: "SetTradingEnabled", client: 0, enabled: false });
    table.do({ kind: "AdjustBalance", client: 0, asset: "USD", amount: "1000000", direction: "debit" });
    const before = table.stateHash();
    expect(replay()).toEqual(same);
    expect(table.stateHash()).toBe(before);
  });

  test.each<[string, string, Partial<PlaceOrder>, readonly string[]]>([
    [
      "a LIMIT repeated as a MARKET BUY",
      "BUY LIMIT 2 @ 90",
      { type: "MARKET", baseQuantity: null, price: null, quoteValue: "50" },
      ["type", "quote_value"],
    ],
    [
      "a MARKET BUY repeated as a LIMIT",
      "BUY MARKET for 200",
      { type: "LIMIT", baseQuantity: "2", price: "90", quoteValue: null },
      ["type", "base_quantity", "price"],
    ],
    [
      "a LIMIT repeated as a STOP_LIMIT",
      "BUY LIMIT 2 @ 90",
      { type: "STOP_LIMIT", stopPrice: "95" },
      ["type", "stop_price"],
    ],
    ["a LIMIT of another size", "BUY LIMIT 2 @ 90", { baseQuantity: "3" }, ["base_quantity"]],
  ])("%s: what differs is what the repeat uses", (_name, first, change, differs) => {
    const table = new Table(plain);
    const command = table.command("ann", first);
    table.do(command);
    expect(table.do({ ...command, ...change })).toMatchObject({ kind: "replayed", differs });
  });

  test("of another client is a new order", () => {
    const table = new Table(plain);
    const command = table.command("ann", "BUY LIMIT 2 @ 90");
    table.do(command);
    expect(table.do({ ...command, client: 1 })).toMatchObject({ kind: "accepted" });
  });
});
