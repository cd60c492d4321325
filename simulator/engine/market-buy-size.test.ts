/** F-market-buy-size-check: limits of base sizes bind a MARKET BUY before it is accepted and while it matches. */
import { describe, expect, test } from "vitest";
import type { Settings } from "../domain/settings.ts";
import { Table } from "./testing/table.ts";
import type { VenueSpec } from "./testing/venue-spec.ts";

const venueWith = (settings: Partial<Settings>): VenueSpec => ({
  assets: [{ symbol: "COIN" }, { symbol: "USD" }],
  products: [
    {
      id: "COIN-USD",
      priceIncrement: "1",
      baseIncrement: "0.1",
      reference: "100",
      minOrderSize: "0.5",
      maxOrderSize: "8",
    },
  ],
  clients: [{ name: "ann", rates: { maker: "0", taker: "0.01" }, balances: { USD: "100000" } }],
  settings: { matchDelayMs: 0, ...settings },
});

/** Ann may order 1 to 5 COIN; the product allows 0.5 to 8. */
function tableWith(settings: Partial<Settings> = {}): Table {
  const table = new Table(venueWith(settings));
  const rules = { minOrderSize: "1", maxOrderSize: "5", minQuoteValue: null, maxQuoteValue: null };
  table.do({ kind: "SetClientRules", client: 0, product: "COIN-USD", enabled: true, ...rules });
  table.refresh("SELL 20 @ 100", "SELL 20 @ 110");
  return table;
}

describe("before matching, by the best ask with fees included", () => {
  test.each([
    { value: "100.99999999", code: "ORDER_SIZE_BELOW_MINIMUM", limit: "1" },
    { value: "515.1", code: "ORDER_SIZE_ABOVE_MAXIMUM", limit: "5" },
    { value: "50000", code: "ORDER_SIZE_ABOVE_MAXIMUM", limit: "5" },
  ])("quote_value $value is refused: $code of $limit", ({ value, code, limit }) => {
    const rejection = tableWith().refused("ann", `BUY MARKET for ${value}`);
    expect(rejection).toMatchObject({ code, limit, asset: "COIN", field: "quote_value", source: "CLIENT" });
    expect(rejection.message).toContain(`${limit} COIN for COIN-USD at the best ask 100`);
  });

  test.each(["101", "505", "515.09999999"])(
    "quote_value %s is accepted: the bounds are inclusive",
    (value) => {
      const table = tableWith();
      expect(table.order(table.place("ann", `BUY MARKET for ${value}`))).toContain("FILLED");
    },
  );

  test("the limits of the product bind where the client has none of his own", () => {
    const table = new Table(venueWith({}));
    table.refresh("SELL 20 @ 100");
    expect(table.refused("ann", "BUY MARKET for 900")).toMatchObject({ limit: "8", source: "PRODUCT" });
    expect(table.refused("ann", "BUY MARKET for 50")).toMatchObject({ limit: "0.5", source: "PRODUCT" });
  });

  test("a budget finer than the ledger is measured all the same", () => {
    expect(tableWith().refused("ann", "BUY MARKET for 100.99999999999999999")).toMatchObject({
      code: "ORDER_SIZE_BELOW_MINIMUM",
    });
  });
});

describe("while matching", () => {
  const reason = "The largest order size was reached: the rest of quote_value was released";

  test("no fill goes beyond the largest size: the rest is released and the order ends CANCELLED with its fills", () => {
    const table = tableWith({ matchDelayMs: 50 });
    const order = table.place("ann", "BUY MARKET for 505");
    table.refresh("SELL 3 @ 50", "SELL 20 @ 60");
    table.drive.advance(50);
    expect(table.order(order)).toBe("CANCELLED 5 of 505 quote for 270, fees 2.7 + 0, hold 0");
    expect(table.drive.order(order).reason).toBe(reason);
    expect(table.wallet("ann", "USD")).toBe("99727.3, 0 on hold");
    table.drive.audit();
  });

  test("the largest size holds for an order that met an empty book when it was accepted, too", () => {
    const table = tableWith({ matchDelayMs: 50 });
    table.refresh();
    const order = table.place("ann", "BUY MARKET for 50000");
    table.refresh("SELL 5 @ 100");
    table.drive.advance(50);
    expect(table.order(order)).toBe("CANCELLED 5 of 50000 quote for 500, fees 5 + 0, hold 0");
    expect(table.drive.order(order).reason).toBe(reason);
  });

  test("an order whose budget ends with the largest size is FILLED", () => {
    const table = tableWith();
    expect(table.order(table.place("ann", "BUY MARKET for 515"))).toBe(
      "FILLED 5 of 515 quote for 500, fees 5 + 0, hold 0",
    );
  });
});

test("with quote-limits no limit of base sizes binds a MARKET BUY", () => {
  const table = tableWith({ marketBuySizeCheck: "quote-limits" });
  expect(table.order(table.place("ann", "BUY MARKET for 11"))).toContain("FILLED 0.1 of 11");
  expect(table.order(table.place("ann", "BUY MARKET for 1010"))).toContain("FILLED 10 of 1010");
});
